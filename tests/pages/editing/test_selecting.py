"""Tests for selecting by click: what the page receives, who may select, and how often."""

import uuid
from pathlib import Path
from typing import Any

import pytest

from editor.imaging.errors import Replaced, SandboxError
from editor.imaging.memory import analysis_memory
from editor.models import DraftPhoto, User, Workspace
from editor.options import Point
from editor.services.photos import analysis, drafts, interactive, selections
from tests import cast

pytestmark = pytest.mark.django_db
CUP = Path(__file__).resolve().parents[2] / "photos" / "cup.jpg"
FOUND = {"path": "M0 0L10 0L10 10Z", "box": {"x": 0.1, "y": 0.2, "w": 0.3, "h": 0.4}, "kinds": ["motorcycle"]}


@pytest.fixture
def draft(alice: User) -> DraftPhoto:
    return cast.make_draft(alice)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Replace the child process with a function that finds a motorcycle, and return the list of its calls."""
    made: list[dict[str, Any]] = []

    def call(person: int, function: str, **arguments: Any) -> Any:
        made.append({"person": person, **arguments})
        return FOUND

    monkeypatch.setattr(interactive, "call", call)
    monkeypatch.setattr(interactive, "is_available", lambda: True)
    monkeypatch.setattr(analysis, "is_available", lambda: True)
    monkeypatch.setattr(analysis, "with_embedding", lambda draft, folder: folder / "embedding.npz")
    return made


def address(workspace: Workspace) -> str:
    return f"/w/{workspace.slug}/select/"


def test_points_return_an_outline_and_a_name(
    client_of: Any, alice: User, draft: DraftPhoto, calls: list[dict[str, Any]]
) -> None:
    sent = {"draft": str(draft.pk), "point": ["0.5,0.5", "0.1,0.2,away"]}
    response = client_of(alice).post(address(alice.personal_workspace), sent)
    assert response.json() == FOUND | {"name": "the motorcycle"}
    assert response.headers["Cache-Control"] == "no-store"
    (call,) = calls
    assert call["points"] == [Point(0.5, 0.5).as_json(), Point(0.1, 0.2, keep=False).as_json()]
    assert call["region"] is None
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_box_returns_the_object_in_it(
    client_of: Any, alice: User, draft: DraftPhoto, calls: list[dict[str, Any]]
) -> None:
    sent = {"draft": str(draft.pk), "region": "0.1,0.1,0.5,0.5"}
    response = client_of(alice).post(address(alice.personal_workspace), sent)
    assert response.json()["box"] == FOUND["box"]
    assert calls[0]["region"] == {"x": 0.1, "y": 0.1, "w": 0.5, "h": 0.5, "image": 1}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"point": []}, "Click the thing that you want to select."),
        ({"point": ["0.5,0.5,away"]}, "Click the thing that you want to select."),
        ({"point": ["0.5"]}, "A point must have two fractions from 0 to 1: x,y."),
        ({"point": ["0.5,0.5"] * 21}, "Use at most 20 points."),
        ({"region": ["0,0,2,2"]}, "A box must be given in fractions from 0 to 1: x,y,width,height."),
        ({"draft": "x"}, "Enter a valid UUID."),
    ],
)
def test_an_invalid_selection_gets_an_error_message(
    client_of: Any,
    alice: User,
    draft: DraftPhoto,
    calls: list[dict[str, Any]],
    change: dict[str, Any],
    sentence: str,
) -> None:
    sent = {"draft": str(draft.pk), "point": ["0.5,0.5"]} | change
    if "region" in change:
        del sent["point"]
    response = client_of(alice).post(address(alice.personal_workspace), sent)
    assert (response.status_code, response.json()) == (422, {"message": sentence})
    assert calls == []


@pytest.mark.parametrize("body", [b"[1]", b"{", b'{"points": 7}'])
def test_json_is_refused(client_of: Any, alice: User, body: bytes) -> None:
    response = client_of(alice).post(address(alice.personal_workspace), body, content_type="application/json")
    assert response.status_code == 422


def test_only_photos_in_the_users_own_tray_can_be_selected_in(
    client_of: Any, alice: User, bob: User, draft: DraftPhoto, calls: list[dict[str, Any]]
) -> None:
    sent = {"draft": str(draft.pk), "point": "0.5,0.5"}
    for user, slug in ((bob, bob.personal_workspace.slug), (bob, alice.personal_workspace.slug)):
        assert client_of(user).post(f"/w/{slug}/select/", sent).status_code == 404
    gone = sent | {"draft": str(uuid.uuid4())}
    response = client_of(alice).post(address(alice.personal_workspace), gone)
    assert response.json() == {"message": "This photo is no longer there. Add it again."}
    assert calls == []


def test_a_viewer_cannot_select(client_of: Any, viewer: User, team: Workspace) -> None:
    assert client_of(viewer).post(address(team), {"point": "0.5,0.5"}).status_code == 403


def test_until_the_photo_is_analyzed_the_response_is_202(
    client_of: Any, alice: User, draft: DraftPhoto, calls: list[dict[str, Any]], monkeypatch: Any
) -> None:
    requested: list[str] = []
    monkeypatch.setattr(analysis, "with_embedding", lambda draft, folder: None)
    monkeypatch.setattr(analysis, "_enqueue", lambda draft_id, *, at: requested.append(draft_id))
    client = client_of(alice)
    for _ in range(3):
        response = client.post(
            address(alice.personal_workspace), {"draft": str(draft.pk), "point": "0.5,0.5"}
        )
        assert (response.status_code, response.json()) == (202, {"message": "Looking at the photo"})
    assert requested == [str(draft.pk)], "the analysis is requested once"


@pytest.mark.usefixtures("new_minute")
def test_selections_are_limited_per_user_and_minute(
    client_of: Any, alice: User, draft: DraftPhoto, calls: list[dict[str, Any]], monkeypatch: Any
) -> None:
    monkeypatch.setattr(selections, "PER_MINUTE", 2)
    client = client_of(alice)
    sent = {"draft": str(draft.pk), "point": "0.5,0.5"}
    answers = [client.post(address(alice.personal_workspace), sent) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "You clicked too often. Wait " in answers[2].json()["message"]
    assert 1 <= int(answers[2].headers["Retry-After"]) <= 60


@pytest.mark.parametrize(
    "error", [SandboxError("busy", "Busy."), Replaced("stopped", "Stopped."), OSError("gone")]
)
def test_a_busy_site_returns_503_with_a_message(
    client_of: Any, alice: User, draft: DraftPhoto, calls: list[dict[str, Any]], monkeypatch: Any, error: Any
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(interactive, "call", fail)
    response = client_of(alice).post(
        address(alice.personal_workspace), {"draft": str(draft.pk), "point": "0.5,0.5"}
    )
    assert (response.status_code, response.headers["Retry-After"]) == (503, "1")
    assert response.json() == {"message": "The site is busy. Click again in a moment."}


def test_a_site_without_selections_returns_409_with_a_message(
    client_of: Any, alice: User, draft: DraftPhoto, settings: Any
) -> None:
    settings.PREVIEW_WORKERS = 0
    response = client_of(alice).post(
        address(alice.personal_workspace), {"draft": str(draft.pk), "point": "0.5,0.5"}
    )
    assert response.status_code == 409
    assert response.json() == {"message": "This site can't select by a click. Draw a box instead."}


@pytest.mark.slow
def test_a_real_child_process_finds_the_cup_in_a_photo(
    client_of: Any, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "analysis_memory", analysis_memory)
    with CUP.open("rb") as file:
        draft = drafts.create_draft(cast.actor_of(alice), file, name="cup.jpg")
    analysis.analyze_draft.call(str(draft.pk))
    client = client_of(alice)
    slug = alice.personal_workspace.slug
    try:
        by_point = client.post(f"/w/{slug}/select/", {"draft": str(draft.pk), "point": "0.5,0.5"}).json()
        by_box = client.post(f"/w/{slug}/select/", {"draft": str(draft.pk), "region": "0,0,1,1"}).json()
    finally:
        interactive._pool().close()
        interactive._pool.cache_clear()
    assert by_point["name"] == "the cup"
    assert by_point["path"].startswith("M")
    assert by_box["box"]["w"] < 1
