"""Tests for previews, which show what an edit would look like before it is submitted."""

import base64
import io
import re
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from PIL import Image

from editor.engine.language.explain import explain
from editor.engine.vision.analysis import Analysis
from editor.engine.vision.segmentation import EMBEDDING_SHAPE, Embedding
from editor.imaging import interactive as pools
from editor.imaging.errors import ChildLost, SandboxError
from editor.imaging.sandbox import failure
from editor.models import DraftPhoto, Edit, RecipeVersion, ReferencePhoto, User, Workspace
from editor.options import EditOptions
from editor.providers.engine_settings import EngineSettings
from editor.services.editing import previews, routing
from editor.services.library import recipes
from editor.services.photos import analysis, drafts, interactive, photos
from tests import cast, clock, scenes
from tests.engines import EMBEDDED, another_site, configure

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
PLACED = "write “Sale” at the top"
NO_SKY = "“make the motorcycle pink”: I can't find the motorcycle. Draw a box around the motorcycle."


@pytest.fixture
def client(client_of: SignIn, alice: User) -> Client:
    return client_of(alice)


@pytest.fixture
def lake(alice: User) -> DraftPhoto:
    """Return a stored photo of a lake that is in alice's tray."""
    return stored_lake(alice, DraftPhoto.Tray.EDITOR)


def stored_lake(user: User, tray: DraftPhoto.Tray) -> DraftPhoto:
    file = io.BytesIO()
    scenes.lake(900, 600).save(file, "jpeg")
    return drafts.create_draft(cast.actor_of(user), io.BytesIO(file.getvalue()), name="lake.jpg", tray=tray)


@pytest.fixture
def analyzing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn on photo analysis. A submission waits for the check of its prompt, however busy the machine is."""
    monkeypatch.setattr(analysis, "analysis_memory", lambda: 1)
    monkeypatch.setattr(previews, "PRECHECK_SECONDS", 60)


def analyze(draft: DraftPhoto) -> None:
    """Store an analysis that detects nothing in the photo."""
    width, height = draft.width, draft.height
    embedding = Embedding(np.zeros(EMBEDDING_SHAPE, np.float16), width, height)
    found = Analysis(width, height, (), (), (), np.zeros((320, 320), np.uint8), None, embedding)
    found.save(cast.path_of(draft).parent / Path(photos.embedding_key(draft.key)).name)


def sent(draft: DraftPhoto, prompt: str, **fields: Any) -> dict[str, Any]:
    return {"draft": [str(draft.id)], "prompt": prompt, "submit_id": str(uuid.uuid4()), **fields}


def image_model() -> EngineSettings:
    return EngineSettings("openai-images", "openai-images", "http://127.0.0.1:9", model="gpt-image-2.6")


def preview(client: Client, draft: DraftPhoto, prompt: str, **fields: Any) -> str:
    response = client.post("/w/alice/preview/", sent(draft, prompt, **fields), headers={"HX-Request": "true"})
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
    return response.text


def picture_in(text: str) -> Image.Image | None:
    found = re.search(r'src="data:image/webp;base64,([\w+/=]+)"', text)
    return Image.open(io.BytesIO(base64.b64decode(found[1]))) if found else None


def files() -> set[Path]:
    from django.conf import settings

    return {path for path in Path(settings.DATA_DIR).rglob("*") if path.is_file()}


def test_it_shows_the_plan_and_the_edit(client: Client, lake: DraftPhoto) -> None:
    text = preview(client, lake, "make it black and white")
    assert "<li>Make the photo black and white</li>" in text
    picture = picture_in(text)
    assert picture is not None
    assert picture.size == (640, 426)
    colors = np.asarray(picture.convert("RGB")).astype(int)
    assert np.abs(colors[:, :, 0] - colors[:, :, 2]).max() <= 8
    assert "Preview updated" in text


def test_what_was_found_is_named_in_the_language_of_the_reader(
    client: Client, alice: User, lake: DraftPhoto
) -> None:
    assert re.search(r"</b>\s+the sky</button>", preview(client, lake, "make the sky brighter"))
    alice.set_language("de")
    assert re.search(r"</b>\s+Himmel</button>", preview(client, lake, "make the sky brighter"))


def test_it_writes_nothing(client: Client, lake: DraftPhoto) -> None:
    preview(client, lake, "make it warmer")
    before = files()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert picture_in(preview(client, lake, "make it black and white"))
    assert not [query["sql"] for query in queries if re.match(r"INSERT|UPDATE|DELETE", query["sql"])]
    assert files() == before


def test_a_preview_uses_the_aspect_ratio_and_the_boxes_of_the_form(client: Client, lake: DraftPhoto) -> None:
    picture = picture_in(preview(client, lake, "make it black and white", aspect_ratio="1:1"))
    assert picture is not None
    assert picture.width == picture.height
    text = preview(client, lake, "make this black and white", region="0.25,0.25,0.5,0.5")
    assert picture_in(text)


def test_a_refusal_based_on_the_photo_shows_no_price(client: Client, lake: DraftPhoto) -> None:
    text = preview(client, lake, "make the motorcycle pink")
    assert NO_SKY in text.replace("&#x27;", "'")
    assert picture_in(text) is None
    assert "data-refused" in text
    assert "credits" not in text
    assert "data-mark" in text
    assert 'name="partial"' not in text


def test_a_refusal_based_on_the_photo_offers_at_most_three_ways(
    client: Client, lake: DraftPhoto, analyzing: None, settings: Any
) -> None:
    """The box is left out first, because the tools of the photo offer it, too."""
    analyze(lake)
    prompt = "make the motorcycle pink and add a vignette"
    ways = buttons_in(preview(client, lake, prompt).partition("<figure")[0])
    assert ways == ["Select it", "Draw a box", "Do the rest · 40 credits"]
    configure(settings, EMBEDDED, image_model())
    ways = buttons_in(preview(client, lake, prompt, engine="embedded").partition("<figure")[0])
    assert ways == ["Select it", "Do the rest · 40 credits", "Do it with gpt-image-2.6 (40 credits)"]
    clicked = buttons_in(preview(client, lake, prompt, engine="embedded", point="0.5,0.5"))
    assert "Select it" not in clicked
    refused = client.post("/w/alice/", sent(lake, prompt, engine="embedded")).text
    plan = refused.partition('id="plan"')[2].partition("<figure")[0].partition("</section>")[0]
    assert buttons_in(plan) == ways


def buttons_in(text: str) -> list[str]:
    found = re.findall(r"<button.*?>(.*?)</button>", text, re.DOTALL)
    return [" ".join(re.sub("<[^>]*>", "", one).split()) for one in found]


def test_a_partial_refusal_offers_the_rest_with_its_price(client: Client, lake: DraftPhoto) -> None:
    text = preview(client, lake, "make the motorcycle pink and add a vignette")
    assert NO_SKY in text.replace("&#x27;", "'")
    assert picture_in(text)
    assert "data-refused" not in text
    assert re.search(r'name="partial" value="1">Do the rest · 40 credits', text)


def test_the_preview_says_while_the_photo_is_being_analyzed(
    client: Client, lake: DraftPhoto, analyzing: None
) -> None:
    text = preview(client, lake, "blur the background")
    assert 'data-state="looking"' in text
    assert "Looking at the photo" in text
    assert picture_in(text) is None
    assert picture_in(preview(client, lake, "make it warmer")), "nothing needs to be found"
    analyze(lake)
    assert "Looking at the photo" not in preview(client, lake, "blur the background")


def test_a_photo_copied_from_an_edit_is_not_refused_before_clicks_can_select_something_in_it(
    client: Client, lake: DraftPhoto, analyzing: None
) -> None:
    analyze(lake)
    stored = cast.path_of(lake).parent
    whole = stored / Path(photos.embedding_key(lake.key)).name
    without = replace(Analysis.load(whole), embedding=None)
    whole.unlink()
    without.save(stored / Path(photos.analysis_key(lake.key)).name)
    refusal = "can&#x27;t tell what you clicked"
    text = preview(client, lake, "make this brighter", point="0.5,0.5")
    assert "Looking at the photo" in text
    assert refusal not in text
    for seconds in (61, 95, 130, 165):
        with clock.later(seconds):
            text = preview(client, lake, "make this brighter", point="0.5,0.5")
    assert refusal in text, "the analysis is given up"


def test_a_photo_of_a_batch_is_analyzed_as_soon_as_its_quote_shows_it(
    client: Client, alice: User, analyzing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: list[str] = []
    monkeypatch.setattr(analysis, "_enqueue", lambda draft_id, *, at: requested.append(draft_id))
    first, second = (stored_lake(alice, DraftPhoto.Tray.BATCH) for _ in range(2))
    order = {"draft": [str(first.id), str(second.id)], "prompt": "blur the background", "step": "quote"}
    fragment = {"HX-Request": "true"}
    client.post(f"/w/alice/preview/?photo={second.id}", order, headers=fragment)
    assert requested == [], "a batch may have hundreds of photos, and a preview writes nothing"
    for _ in range(3):
        client.post("/w/alice/batches/new/", order)
    assert requested == [str(first.id)], "the analysis is requested once"
    chosen = client.post("/w/alice/batches/new/", order | {"preview": str(second.id)}, headers=fragment)
    assert "Looking at the photo" in chosen.text
    assert f'hx-post="/w/alice/preview/?photo={second.id}"' in chosen.text
    assert "<html" not in chosen.text
    assert requested == [str(first.id), str(second.id)]
    warmer = [str(stored_lake(alice, DraftPhoto.Tray.BATCH).id)]
    client.post("/w/alice/batches/new/", order | {"draft": warmer, "prompt": "make it warmer"})
    assert len(requested) == 2, "nothing needs to be found"


def test_a_photo_that_gets_no_analysis_before_an_edit_is_not_waited_for(alice: User, analyzing: None) -> None:
    photo = cast.make_edit(alice).references.get()
    plan = explain("blur the background")
    made = previews.preview_edit(cast.actor_of(alice), plan, options=EditOptions(), photos=[photo])
    assert (made.is_pending, made.is_unsure) == (False, True)


def test_it_is_busy_if_too_many_people_wait(
    client: Client, lake: DraftPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "MAX_CALLS", 0)
    text = preview(client, lake, "make it black and white")
    assert 'data-state="busy"' in text
    assert "The preview is busy. It continues in a moment." in text
    assert "<li>Make the photo black and white</li>" in text


def test_the_plan_does_not_wait_long_for_the_preview(
    client: Client, lake: DraftPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(previews, "PLAN_SECONDS", 0)
        text = preview(client, lake, "make it black and white")
    assert "<li>Make the photo black and white</li>" in text
    assert 'data-state="busy"' in text
    assert picture_in(preview(client, lake, "make it black and white"))


def test_it_recovers_after_its_child_was_killed(
    client: Client, lake: DraftPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: Any, **__: Any) -> None:
        raise ChildLost("crashed", "It was killed.")

    with monkeypatch.context() as patch:
        patch.setattr(interactive, "call", lost)
        assert 'data-state="busy"' in preview(client, lake, "make it warmer")
    assert picture_in(preview(client, lake, "make it warmer"))


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (SandboxError("memory", ""), "none"),
        (SandboxError("timeout", ""), "none"),  # the limit of CPU time
        (ChildLost("timeout", ""), "busy"),  # the limit of wall time
        (ChildLost("crashed", ""), "busy"),
    ],
)
def test_an_edit_that_is_too_large_for_a_preview_still_shows_its_price(
    client: Client, lake: DraftPhoto, monkeypatch: pytest.MonkeyPatch, error: SandboxError, state: str
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(interactive, "call", fail)
    text = preview(client, lake, "make it warmer")
    assert f'data-state="{state}"' in text
    assert ("be shown in a preview. The edit itself uses the full photo." in text) is (state == "none")
    assert "40 credits" in text


def test_without_workers_there_is_a_plan_and_no_preview(
    client: Client, lake: DraftPhoto, settings: Any
) -> None:
    settings.PREVIEW_WORKERS = 0
    text = preview(client, lake, "make it black and white")
    assert "<li>Make the photo black and white</li>" in text
    assert "data-preview" not in text
    assert picture_in(text) is None


def test_an_edit_by_another_engine_has_no_preview(client: Client, lake: DraftPhoto, settings: Any) -> None:
    configure(settings, another_site())
    text = preview(client, lake, "make it warmer")
    assert "There is no preview, because another engine carries out this edit." in text
    assert "40 credits" in text


def test_the_tray_takes_as_many_photos_as_the_engine(
    client: Client, alice: User, lake: DraftPhoto, settings: Any
) -> None:
    page = client.get("/w/alice/").text
    assert 'data-max="5"' in page
    assert "data-too-many" not in page
    model = image_model()
    configure(settings, replace(model, options={"dialect": "lemonade"}))
    page = client.get("/w/alice/").text.replace("&#x27;", "'")
    assert 'data-max="1"' in page
    assert 'data-too-many="This engine takes 1 photo."' in page
    assert re.search(r'id="tray-count">\s*1 of 1', page)
    second = cast.make_draft(alice)
    response = client.post("/w/alice/", sent(lake, "make it warmer") | {"draft": [lake.id, second.id]})
    assert response.status_code == 422
    assert "This engine takes 1 photo." in response.text.replace("&#x27;", "'")
    assert not Edit.objects.exists()


def test_an_analysis_that_was_lost_is_requested_again_and_given_up_in_the_end(
    client: Client,
    lake: DraftPhoto,
    analyzing: None,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    """For example, its worker was killed. Without this, the page would look at the photo forever."""
    waited = []
    for seconds in (0, 61, 70, 95, 130, 165, 200):
        with clock.later(seconds), django_capture_on_commit_callbacks() as requests:
            text = preview(client, lake, "blur the background")
        waited.append((seconds, len(requests), 'data-state="looking"' in text))
    assert waited == [
        (0, 0, True),
        (61, 1, True),
        (70, 0, True),
        (95, 1, True),
        (130, 1, True),
        (165, 0, False),
        (200, 0, False),
    ]
    assert "This can't be shown in a preview" in text
    analyze(lake)
    assert "be shown in a preview" not in preview(client, lake, "blur the background")


def test_a_machine_that_analyzes_no_photos_requests_no_analysis(
    client: Client, lake: DraftPhoto, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    with clock.later(61), django_capture_on_commit_callbacks() as requests:
        assert picture_in(preview(client, lake, "make it warmer"))
    assert requests == []


def switch_in(text: str) -> str | None:
    """Return the switch “Keep everything else”, or None if it is not offered."""
    found = re.search(r'<input type="checkbox" name="keep_everything_else"[^>]*>', text)
    return found and " ".join(found[0].split())


def test_keep_everything_else_is_offered_only_if_the_named_area_is_found(
    client: Client, lake: DraftPhoto, settings: Any, analyzing: None
) -> None:
    configure(settings, image_model(), EMBEDDED)
    assert 'data-state="looking"' in preview(client, lake, PLACED)
    assert switch_in(preview(client, lake, PLACED)) is None
    analyze(lake)
    text = preview(client, lake, PLACED)
    assert switch_in(text) == '<input type="checkbox" name="keep_everything_else" value="true" checked>'
    assert "<path data-step" in text
    assert picture_in(text) is None, "the result of another engine is not known"
    off = preview(client, lake, PLACED, keep_everything_else="false")
    assert switch_in(off) == '<input type="checkbox" name="keep_everything_else" value="true">'
    for prompt in ("make the motorcycle pink", "make it warmer", "add a dragon"):
        assert switch_in(preview(client, lake, prompt)) is None, prompt
    assert switch_in(preview(client, lake, PLACED, region="0.1,0.1,0.3,0.3")) is None
    configure(settings, EMBEDDED)
    assert switch_in(preview(client, lake, PLACED)) is None


def test_the_edit_stores_the_keep_everything_else_option(
    client: Client, lake: DraftPhoto, settings: Any, analyzing: None
) -> None:
    configure(settings, image_model(), EMBEDDED)
    client.post("/w/alice/", sent(lake, PLACED, keep_everything_else=["false", "true"]))
    edit = Edit.objects.get()
    assert edit.options.keep_everything_else is True
    assert edit.plan is not None
    assert edit.plan["area"]["instruction"] == PLACED
    again = client.post(f"/edits/{edit.id}/revise/")
    analyze(DraftPhoto.objects.get())
    page = client.get(again.headers["Location"])
    assert page.status_code == 200
    assert PLACED in page.text


def test_keep_everything_else_is_refused_for_a_prompt_that_names_no_area(
    client: Client, lake: DraftPhoto, settings: Any, analyzing: None
) -> None:
    configure(settings, image_model(), EMBEDDED)
    response = client.post("/w/alice/", sent(lake, "add a dragon", keep_everything_else="true"))
    assert response.status_code == 422
    assert "tell which part of the photo your prompt names" in response.text
    assert not Edit.objects.exists()


def test_the_photos_of_other_people_are_not_shown(
    client: Client, client_of: SignIn, bob: User, lake: DraftPhoto, team: Workspace
) -> None:
    stranger = client_of(bob)
    text = stranger.post("/w/studio/preview/", sent(lake, "make it warmer")).text
    assert picture_in(text) is None
    assert stranger.post("/w/alice/preview/", sent(lake, "make it warmer")).status_code == 404


def test_without_javascript_a_button_shows_the_preview(client: Client, lake: DraftPhoto) -> None:
    page = client.get("/w/alice/").text
    assert re.search(r'<noscript><button class="btn" name="preview"\s+formnovalidate>Preview</button>', page)
    response = client.post("/w/alice/", sent(lake, "make it black and white", preview=""))
    assert response.status_code == 200
    assert picture_in(response.text)
    assert "css/preview.css" in response.text
    assert "make it black and white</textarea>" in response.text
    assert not Edit.objects.exists()


def test_without_javascript_what_was_found_is_numbered_and_named(
    client: Client, alice: User, lake: DraftPhoto
) -> None:
    prompt = "add a vignette and make the sky brighter"
    page = client.post("/w/alice/", sent(lake, prompt, preview="")).text
    assert re.search(r'<text x="\d+%" y="\d+%">2</text>', page)
    assert re.search(r'class="seen__names">\s+<span><b>2</b>\s+the sky</span></p>', page)
    alice.set_language("de")
    page = client.post("/w/alice/", sent(lake, prompt, preview="")).text
    assert re.search(r"<span><b>2</b>\s+Himmel</span>", page)
    order = sent(lake, prompt)
    pair = client.post(f"/w/alice/preview/?photo={lake.id}", order, headers={"HX-Request": "true"}).text
    assert re.search(r"<span><b>2</b>\s+Himmel</span>", pair)


def click_photo(client: Client, photo: DraftPhoto, prompt: str, name: str, at: Any, **fields: Any) -> Any:
    place = dict(zip((f"{name}.x", f"{name}.y"), at, strict=True))
    return client.post("/w/alice/", sent(photo, prompt, **place, **fields))


def photo_button(page: str) -> tuple[str, int, int]:
    """Return the name, the width, and the height of the button that is photo 1."""
    button = re.search(r'<input type="image" name="(.*?)".*?width="(\d+)" height="(\d+)"', page, re.DOTALL)
    assert button
    return button[1], int(button[2]), int(button[3])


def test_without_javascript_a_click_on_the_photo_selects_what_a_refusal_asks_for(
    client: Client, lake: DraftPhoto, analyzing: None
) -> None:
    analyze(lake)
    refused = client.post("/w/alice/", sent(lake, "make the motorcycle pink")).text
    assert '<details class="click" open>' in refused
    name, width, height = photo_button(refused)
    assert max(width, height) == 272
    assert width / height == pytest.approx(1.5, abs=0.01)
    clicked = click_photo(client, lake, "make the motorcycle pink", name, (width // 4, height // 2))
    assert clicked.status_code == 200
    assert 'name="point" value="0.25,0.4972"' in clicked.text
    assert '<circle cx="25.00%" cy="49.72%"' in clicked.text
    assert "make the motorcycle pink</textarea>" in clicked.text
    again = click_photo(client, lake, "make it pink", name, (1, 1), point="0.25,0.5").text
    assert re.findall('name="point" value="(.*?)"', again) == ["0.0037,0.0055"]
    cleared = client.post("/w/alice/", sent(lake, "make it pink", point="0.2,0.5", **{"clear-marks": ""}))
    assert 'name="point"' not in cleared.text
    assert not Edit.objects.exists()


def test_without_javascript_a_click_draws_the_box_that_a_refusal_asks_for(
    client: Client, lake: DraftPhoto
) -> None:
    chosen = sent(lake, "add an octopus on the shelf", sentence="add an octopus emoji on the shelf")
    name, width, height = photo_button(client.post("/w/alice/", chosen).text)
    page = click_photo(client, lake, "add an octopus emoji on the shelf", name, (width // 2, height)).text
    assert 'name="region" value="0.35,0.7,0.3,0.3"' in page
    assert picture_in(page) is not None
    assert client.post("/w/alice/", sent(lake, "blur it", region="0.35,0.7,0.3,0.3")).status_code == 302


def test_without_javascript_another_click_moves_a_box(
    client: Client, lake: DraftPhoto, analyzing: None
) -> None:
    """It does not select something, although this site can do that."""
    page = click_photo(client, lake, "make it pink", "click-box", (10, 10)).text
    assert photo_button(page)[0] == "click-box"


@pytest.mark.parametrize("at", [(0, 0), ("x", 5), ("", "")])
def test_without_javascript_a_key_on_the_photo_marks_nothing(
    client: Client, lake: DraftPhoto, at: tuple[Any, Any]
) -> None:
    page = click_photo(client, lake, "make it pink", "click-box", at, region="0.1,0.1,0.3,0.3")
    assert page.status_code == 422
    assert "or name it in the prompt" in page.text
    assert 'name="region" value="0.1,0.1,0.3,0.3"' in page.text
    assert not Edit.objects.exists()


def test_an_edit_refused_because_of_its_photo_is_not_stored(
    client: Client, alice: User, lake: DraftPhoto, analyzing: None
) -> None:
    analyze(lake)
    response = client.post("/w/alice/", sent(lake, "make the motorcycle pink"))
    assert response.status_code == 422
    text = response.text.replace("&#x27;", "'")
    assert f"<span>{NO_SKY}</span>" in text
    assert "make the motorcycle pink</textarea>" in text
    assert f'name="draft" value="{lake.id}"' in text
    assert "data-refused" in text
    assert not Edit.objects.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


@pytest.mark.usefixtures("new_minute")
def test_a_submission_counts_its_prompt_once_toward_the_limit_of_plans(
    client: Client, lake: DraftPhoto, analyzing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyze(lake)
    monkeypatch.setattr(routing, "PLANS_PER_MINUTE", 1)
    assert client.post("/w/alice/", sent(lake, "make it warmer")).status_code == 302
    assert preview_status(client, "make it warmer") == 429
    assert Edit.objects.get().plan is not None


def preview_status(client: Client, prompt: str) -> int:
    return client.post("/w/alice/preview/", {"prompt": prompt}).status_code


def test_an_edit_partly_refused_because_of_its_photo_can_be_done_partly(
    client: Client, lake: DraftPhoto, analyzing: None
) -> None:
    analyze(lake)
    words = "make the motorcycle pink and add a vignette"
    refused = client.post("/w/alice/", sent(lake, words))
    assert refused.status_code == 422
    assert 'name="partial" value="1">Do the rest' in refused.text
    accepted = client.post("/w/alice/", sent(lake, words, partial="1"))
    assert accepted.status_code == 302
    assert Edit.objects.get().prompt == words


@pytest.mark.parametrize("limit", [{"MAX_CALLS": 0}, {}])
def test_an_edit_is_submitted_if_the_check_of_its_photo_takes_too_long(
    client: Client, lake: DraftPhoto, analyzing: None, monkeypatch: pytest.MonkeyPatch, limit: dict[str, int]
) -> None:
    analyze(lake)
    for name, value in limit.items():
        monkeypatch.setattr(pools, name, value)
    if not limit:  # A real response could arrive before any limit, so simulate a call that ends at the limit.
        monkeypatch.setattr(interactive, "call", Mock(side_effect=failure("stopped")))
    assert client.post("/w/alice/", sent(lake, "make the motorcycle pink")).status_code == 302
    assert Edit.objects.get().prompt == "make the motorcycle pink"


def test_an_edit_is_submitted_if_its_photo_is_not_yet_analyzed(
    client: Client, lake: DraftPhoto, analyzing: None
) -> None:
    assert client.post("/w/alice/", sent(lake, "make the motorcycle pink")).status_code == 302


def recipe_of(
    user: User, prompt: str, *brought: DraftPhoto, workspace: Workspace | None = None
) -> RecipeVersion:
    written = recipes.RecipeInput(name="House color", prompt=prompt, drafts=brought)
    return recipes.save_recipe(cast.actor_of(user, workspace), written)


def test_a_recipe_is_previewed_with_its_values(client: Client, alice: User, lake: DraftPhoto) -> None:
    version = recipe_of(alice, "make it {tone}")
    page = client.get(f"/w/alice/recipes/{version.recipe_id}/run/").text
    assert "Enter a value for “tone”." in page
    recipe = str(version.recipe_id)
    text = preview(client, lake, "", recipe=recipe, **{"variable-tone": "black and white"})
    assert "Make the photo black and white" in text
    picture = picture_in(text)
    assert picture is not None
    pixels = np.asarray(picture.convert("RGB")).astype(int)
    assert (pixels.max(2) - pixels.min(2)).mean() < 6
    assert picture_in(preview(client, lake, "", recipe=recipe)) is None


def test_the_page_of_a_recipe_has_a_preview_without_javascript(
    client: Client, alice: User, lake: DraftPhoto
) -> None:
    version = recipe_of(alice, "make it black and white")
    page = client.post(f"/w/alice/recipes/{version.recipe_id}/run/", {"draft": [str(lake.id)], "preview": ""})
    assert page.status_code == 200
    assert picture_in(page.text) is not None
    assert not Edit.objects.exists()


def test_the_prompt_of_a_refused_recipe_can_be_changed_in_the_editor(
    client: Client, alice: User, lake: DraftPhoto
) -> None:
    """Its photos and options stay."""
    options = EditOptions(aspect_ratio="1:1", output_format="webp", outputs=2)
    written = recipes.RecipeInput(name="Pink", prompt="make the {thing} pink", options=options)
    version = recipes.save_recipe(cast.actor_of(alice), written)
    fields = {"recipe": str(version.recipe_id), "variable-thing": "motorcycle"}
    text = preview(client, lake, "", **fields)
    assert buttons_in(text) == ["Change the prompt"]
    assert re.search(r'name="sentence" value="make the motorcycle pink"\s+formaction="/w/alice/"', text)
    assert "formaction" not in preview(client, lake, "", **fields | {"variable-thing": "sky"})
    page = client.post("/w/alice/", sent(lake, "", sentence="make the motorcycle pink", **fields)).text
    assert "make the motorcycle pink</textarea>" in page
    assert f'name="draft" value="{lake.id}"' in page
    for name, value in (("aspect_ratio", "1:1"), ("output_format", "webp"), ("outputs", "2")):
        assert f'name="{name}" value="{value}" checked' in page
    assert not Edit.objects.exists()


def test_a_recipe_run_refused_because_of_its_photo_is_not_stored(
    client: Client, alice: User, lake: DraftPhoto, analyzing: None
) -> None:
    version = recipe_of(alice, "make the motorcycle {tone}")
    analyze(lake)
    sent_values = {"draft": [str(lake.id)], "variable-tone": "pink"}
    page = client.post(f"/w/alice/recipes/{version.recipe_id}/run/", sent_values)
    assert page.status_code == 422
    assert "find the motorcycle" in page.text
    assert not Edit.objects.exists()


def test_a_recipe_of_another_person_is_not_previewed(
    client_of: SignIn, alice: User, bob: User, lake: DraftPhoto
) -> None:
    version = recipe_of(alice, "make it sepia")
    draft = cast.make_draft(bob)
    response = client_of(bob).post(
        "/w/bob/preview/", {"draft": [str(draft.id)], "recipe": str(version.recipe_id)}
    )
    assert response.status_code == 404


def test_a_batch_quote_can_preview_each_of_its_photos(client: Client, alice: User, lake: DraftPhoto) -> None:
    other = drafts.create_draft(cast.actor_of(alice), cast.photo_file(), name="b.jpg")
    order = {"draft": [str(lake.id), str(other.id)], "prompt": "make it black and white", "step": "quote"}
    page = client.post("/w/alice/batches/new/", order).text
    assert f'hx-post="/w/alice/preview/?photo={lake.id}"' in page
    assert picture_in(page) is None
    headers = {"HX-Request": "true"}
    for draft in (lake, other):
        text = client.post(f"/w/alice/preview/?photo={draft.id}", order, headers=headers).text
        assert f"/media/drafts/{draft.id}/800" in text
        assert picture_in(text) is not None
        assert "hx-trigger" not in text
    chosen = client.post("/w/alice/batches/new/", order | {"preview": str(other.id), "step": ""}).text
    assert picture_in(chosen) is not None
    assert "Start the batch" in chosen
    assert not Edit.objects.exists()


def test_the_photo_of_another_user_is_not_previewed(client_of: SignIn, bob: User, lake: DraftPhoto) -> None:
    order = {"draft": [str(lake.id)], "prompt": "make it sepia"}
    response = client_of(bob).post(f"/w/bob/preview/?photo={lake.id}", order, headers={"HX-Request": "true"})
    assert "<img" not in response.text


def test_the_recipe_form_previews_the_prompt_on_the_example_photo(
    client: Client, alice: User, lake: DraftPhoto
) -> None:
    version = recipe_of(alice, "make it sepia")
    path = f"/w/alice/recipes/{version.recipe_id}/"
    assert 'id="pair"' not in client.get(path).text
    edit = cast.make_edit(alice, state="SUCCESS", price=1, recipe_version=version)
    edit.references.all().delete()
    ReferencePhoto.objects.create(edit=edit, position=1, name="lake.jpg", **lake.file_fields())
    assert f"{path}?preview=1" in client.get(path).text
    fragment = {"HX-Request": "true"}
    written = {"name": "House color", "prompt": "make it black and white"}
    text = client.post(f"{path}?preview=1", written, headers=fragment).text
    assert picture_in(text) is not None
    assert version.recipe.versions.count() == 1
    named = client.post(
        f"{path}?preview=1", written | {"prompt": "make it {tone}"}, headers={"HX-Request": "true"}
    )
    assert "A prompt with variables has a preview when you run the recipe." in named.text
    assert picture_in(named.text) is None
    assert client.post(path, written).status_code == 302
    assert version.recipe.versions.count() == 2
