"""Tests for requesting the status of a task: the response in each state, and permissions."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from editor.engine.language.explain import explain
from editor.models import ApiKey, Edit, ResultPhoto, User, Workspace
from editor.services.editing import routing
from editor.services.photos import drafts, photos
from tests import cast
from tests.api.calls import STATUS, data_of, form, message_of, send_form
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db


def ask(client: Client, edit: Edit | str) -> Any:
    return client.get(STATUS, {"taskId": str(edit.id) if isinstance(edit, Edit) else edit})


@pytest.fixture
def finished(alice: User) -> Edit:
    """Create an edit that belongs to alice and has two results with files."""
    facts = drafts.store_upload(cast.photo_file(), name="a.jpg").file_fields()
    return cast.make_edit(alice, outputs=2, results=[facts, facts | {"key": "00/other.jpg"}])


@pytest.mark.parametrize(
    ("state", "word"),
    [("QUEUED", "PENDING"), ("SENDING", "RUNNING"), ("RUNNING", "RUNNING"), ("STORING", "RUNNING")],
)
def test_an_unfinished_task_has_its_status_and_nothing_else(
    api: Client, alice: User, state: str, word: str
) -> None:
    response = ask(api, cast.make_edit(alice, state=state))
    assert data_of(response) == {"status": word}
    assert "X-Credits-Charged" not in response.headers


def test_a_finished_task_has_a_url_for_each_result(api: Client, alice: User, finished: Edit) -> None:
    response = ask(api, finished)
    data = data_of(response)
    assert set(data) == {"status", "engine", "images"}
    assert (data["status"], data["engine"]) == ("SUCCESS", "embedded")
    assert [list(image) for image in data["images"]] == [["url"], ["url"]]
    assert all(image["url"].startswith("http://testserver/media/signed/") for image in data["images"])
    assert response.headers["X-Credits-Charged"] == "40"


def test_a_failed_task_has_a_url_for_each_delivered_result(api: Client, alice: User) -> None:
    facts = drafts.store_upload(cast.photo_file(), name="a.jpg").file_fields()
    failed: dict[str, Any] = {"failure_code": "incomplete", "failure_message": "Result 2 of 2 is missing."}
    edit = cast.make_edit(alice, state="FAILED", outputs=2, **failed)
    result = ResultPhoto.objects.create(edit=edit, position=1, **facts)
    response = ask(api, edit)
    data = data_of(response)
    assert (data["status"], data["message"], data["charged"]) == ("FAILED", "Result 2 of 2 is missing.", 0)
    [image] = data["images"]
    answer: Any = Client().get(image["url"])
    assert answer.getvalue() == cast.path_of(result).read_bytes()
    assert response.headers["X-Credits-Charged"] == "0"


def test_a_result_can_be_downloaded_without_a_key(api: Client, alice: User, finished: Edit) -> None:
    address = data_of(ask(api, finished))["images"][0]["url"]
    answer: Any = Client().get(address)
    assert answer.getvalue() == cast.path_of(finished.results.all()[0]).read_bytes()
    assert answer.headers["Content-Type"] == "image/jpeg"


@pytest.mark.parametrize("state", ["FAILED", "CANCELLED"])
def test_a_failed_task_gives_the_reason_and_costs_nothing(api: Client, alice: User, state: str) -> None:
    response = ask(api, cast.make_edit(alice, state=state, failure_message="The sky could not be found."))
    expected = {
        "status": "FAILED",
        "engine": "embedded",
        "message": "The sky could not be found.",
        "charged": 0,
    }
    assert data_of(response) == expected
    assert response.headers["X-Credits-Charged"] == "0"


def test_a_refused_prompt_returns_its_refused_parts_and_suggestions(api: Client, alice: User) -> None:
    prompt = "make it sepia and remove the trellis"
    plan = explain(prompt)
    failed: dict[str, Any] = {"failure_code": "rejected", "failure_message": plan.message}
    edit = cast.make_edit(alice, prompt=prompt, state="FAILED", plan=plan.as_json(), **failed)
    assert data_of(ask(api, edit)) == {
        "status": "FAILED",
        "engine": "embedded",
        "message": plan.message,
        "charged": 0,
        "refusals": [
            {
                "words": "remove the trellis",
                "reason": "needs_region",
                "hint": plan.not_understood[0].hint,
                "ways": [{"kind": "box", "text": prompt}, {"kind": "rest", "text": prompt}],
            }
        ],
    }


def test_a_refusal_says_that_a_point_is_missing_if_the_site_can_select(
    api: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routing, "can_select", lambda _: True)
    prompt = "make it sepia and remove the trellis"
    failed: dict[str, Any] = {"prompt": prompt, "state": "FAILED", "failure_code": "rejected"}
    edit = cast.make_edit(alice, plan=explain(prompt).as_json(), **failed)
    assert kinds_of(api, edit) == ["point", "box", "rest"]
    clicked = cast.make_edit(
        alice, plan=explain(prompt).as_json(), points=[{"x": 0.5, "y": 0.5, "image": 1}], **failed
    )
    assert kinds_of(api, clicked) == ["box", "rest"], "what was selected did not help"
    prompt = failed["prompt"] = "add an octopus on the shelf"
    place = cast.make_edit(alice, plan=explain(prompt).as_json(), **failed)
    assert kinds_of(api, place) == ["box"], "the shelf is where it should go"


def test_a_refusal_that_is_only_a_message_has_its_ways_to_continue_as_data(api: Client, alice: User) -> None:
    message = "I can't find anything where you clicked. Draw a box around it instead."
    failed: dict[str, Any] = {"failure_code": "rejected", "failure_message": message}
    edit = cast.make_edit(alice, prompt="remove it", state="FAILED", **failed)
    [refusal] = data_of(ask(api, edit))["refusals"]
    assert refusal == {
        "words": "remove it",
        "reason": "needs_region",
        "hint": message,
        "ways": [{"kind": "box", "text": "remove it"}],
    }


def kinds_of(api: Client, edit: Edit) -> list[str]:
    [refusal] = data_of(ask(api, edit))["refusals"]
    return [way["kind"] for way in refusal["ways"]]


def test_a_stored_plan_without_suggestions_is_still_read(api: Client, alice: User) -> None:
    old = {"words": "zorble", "reason": "unknown_word", "hint": "Say it in other words."}
    plan = {"instruction": "zorble", "steps": [], "not_understood": [old], "message": ""}
    edit = cast.make_edit(alice, state="FAILED", failure_code="rejected", plan=plan)
    assert data_of(ask(api, edit))["refusals"] == [old | {"ways": []}]


def test_purged_results_are_not_listed(api: Client, finished: Edit) -> None:
    Edit.objects.filter(id=finished.id).update(purged=timezone.now())
    assert data_of(ask(api, finished)) == {"status": "SUCCESS", "engine": "embedded", "images": []}


@pytest.mark.parametrize(
    "task_id",
    [
        "0199f0c2-7a31-7cc4-9d55-2f6c0f3b8a10",
        "1",
        "../../etc/passwd",
        "{0199f0c2-7a31-7cc4-9d55-2f6c0f3b8a10}",
        "0199f0c27a317cc49d552f6c0f3b8a10",
        "x' OR 1=1 --",
        "\x00",
        "a" * 5000,
        "\u0660" * 36,
    ],
)
def test_an_unknown_or_malformed_task_id_returns_404(api: Client, task_id: str) -> None:
    assert "task does not exist" in message_of(ask(api, task_id), 404)


def test_a_task_of_another_user_returns_the_same_404_as_an_unknown_task(
    api: Client, program: Program, charlie: User
) -> None:
    theirs = cast.make_edit(charlie)
    assert message_of(ask(api, theirs), 404) == message_of(ask(api, str(uuid.uuid4())), 404)
    assert data_of(ask(program(charlie), theirs))["status"] == "SUCCESS"


def test_a_key_sees_only_the_tasks_of_its_own_workspace(
    api: Client, program: Program, alice: User, bob: User, viewer: User, team: Workspace
) -> None:
    shared = cast.make_edit(bob, workspace=team)
    assert ask(api, shared).status_code == 404  # an API key for another workspace
    for user in (alice, bob, viewer):
        assert data_of(ask(program(user, team), shared))["status"] == "SUCCESS"


def test_the_task_id_is_required_exactly_once(api: Client, alice: User) -> None:
    edit = cast.make_edit(alice)
    assert message_of(api.get(STATUS), 400) == "taskId is required"
    assert message_of(ask(api, ""), 400) == "taskId is required"
    assert "more than once" in message_of(api.get(f"{STATUS}?taskId={edit.id}&taskId={edit.id}"), 400)
    assert data_of(api.get(f"{STATUS}?taskId={edit.id}&other=1&other=2"))["status"] == "SUCCESS"
    assert data_of(ask(api, str(edit.id).upper()))["status"] == "SUCCESS"


def test_a_head_request_is_answered_like_a_get_request(api: Client, alice: User) -> None:
    edit = cast.make_edit(alice)
    response = api.head(STATUS, {"taskId": str(edit.id)})
    assert response.status_code == 200
    assert response.headers["X-Credits-Charged"] == "40"


def test_a_status_request_needs_at_most_four_queries(
    api: Client, alice: User, finished: Edit, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ask(api, finished)  # The first use of an API key updates the key's row.
    # one query each for the key, the rate limit, the edit, and its results
    with django_assert_num_queries(4):
        ask(api, finished)
    with django_assert_num_queries(2):
        ask(api, "1")
    running = cast.make_edit(alice, state="RUNNING")
    with django_assert_num_queries(3):
        ask(api, running)


def test_the_status_of_a_refused_edit_needs_six_queries(
    api: Client, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    edit = cast.make_refused_edit(alice)
    ask(api, edit)
    # one query each for the key, the rate limit, the status, the edit, the engines, and its photos
    with django_assert_num_queries(6):
        [refusal] = data_of(ask(api, edit))["refusals"]
    assert refusal["words"] == "zorble"


def test_the_last_use_of_a_key_is_saved_at_most_once_a_minute(api: Client, alice: User) -> None:
    edit = cast.make_edit(alice, state="RUNNING")
    used: list[Any] = []
    for minute in ("12:00:00", "12:00:50", "12:01:01"):
        with time_machine.travel(f"2026-05-04 {minute}Z", tick=False):
            ask(api, edit)
            used.append(ApiKey.objects.values_list("last_used", flat=True).get())
    assert used[0] == used[1]
    assert used[2] - used[0] == timedelta(seconds=61)


def test_the_urls_of_uploads_and_results_have_the_same_form(api: Client, alice: User) -> None:
    task = data_of(send_form(api, form()))
    edit = Edit.objects.get()
    reference = edit.references.get()
    ResultPhoto.objects.create(edit=edit, position=1, **photos.copy_files(reference))
    Edit.objects.filter(id=edit.id).update(state="SUCCESS", finished=timezone.now())
    [image] = data_of(ask(api, edit))["images"]
    assert image["url"].endswith("/result-1.jpeg")
    assert task["inputImages"][0].endswith("/photo-1.jpeg")
