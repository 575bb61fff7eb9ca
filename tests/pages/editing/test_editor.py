"""Tests for the editor page: its content, its form, and how it keeps the user's entries after an error."""

import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.staticfiles import finders
from django.test import Client

from editor.imaging.errors import SandboxError
from editor.models import DraftPhoto, Edit, User, Workspace
from editor.pages.editing.editor import SAMPLES
from editor.services.editing import engines, routing
from editor.services.photos import drafts, photos
from tests import cast
from tests.engines import another_site, configure

SignIn = Callable[[User], Client]


@pytest.fixture
def client(client_of: SignIn, alice: User) -> Client:
    return client_of(alice)


def form(photo: DraftPhoto | None = None, /, **fields: Any) -> dict[str, Any]:
    """Return the fields that the form on the page submits."""
    return {
        "submit_id": str(uuid.uuid4()),
        "draft": [str(photo.id)] if photo else [],
        "prompt": "black and white",
        "aspect_ratio": "",
        "output_format": "png",
        "outputs": "1",
        **fields,
    }


def balance_and_held(user: User) -> tuple[int, int]:
    workspace = Workspace.objects.get(personal_user=user)
    return workspace.balance, workspace.held


def assert_nothing_happened(user: User) -> None:
    assert not Edit.objects.exists()
    assert balance_and_held(user) == (400, 0)
    cast.assert_ledger_balances(user.personal_workspace)


def test_the_editor_shows_the_photos_in_the_tray_and_the_price(client: Client, draft: DraftPhoto) -> None:
    response = client.get("/w/alice/")
    text = response.content.decode()
    assert response.status_code == 200
    assert f'name="draft" value="{draft.id}"' in text
    assert "1 of 5" in text
    assert "40 credits" in text
    assert "<dd>360</dd>" in text


def test_the_editor_shows_only_the_draft_in_the_url(client: Client, alice: User, draft: DraftPhoto) -> None:
    other = cast.make_draft(alice)
    response = client.get(f"/w/alice/?draft={other.id}")
    assert [one.id for one in response.context["tray"].drafts] == [other.id]


def test_a_revised_edit_shows_only_the_drafts_in_the_url(
    client: Client, alice: User, draft: DraftPhoto
) -> None:
    edit = cast.make_edit(alice, prompt="warmer")
    for query in (f"edit={edit.id}", f"edit={edit.id}&draft={uuid.uuid4()}", f"edit={edit.id}&draft=x"):
        response = client.get(f"/w/alice/?{query}")
        assert response.context["tray"].drafts == []
        assert "warmer</textarea>" in response.content.decode()


@pytest.mark.parametrize("edit_id", ["x", "", "00000000-0000-7000-8000-000000000000", "1' OR 1=1"])
def test_an_unknown_edit_cannot_be_revised(client: Client, edit_id: str) -> None:
    assert client.get("/w/alice/", {"edit": edit_id}).status_code == 404


def test_only_members_can_open_the_prompt_of_an_edit_in_the_editor(
    client_of: SignIn, alice: User, bob: User, charlie: User, team: Workspace
) -> None:
    edit = cast.make_edit(alice, workspace=team, prompt="warmer")
    assert client_of(charlie).get(f"/w/charlie/?edit={edit.id}").status_code == 404
    assert "warmer</textarea>" in client_of(bob).get(f"/w/studio/?edit={edit.id}").text


def test_a_viewer_sees_links_instead_of_the_editor(client_of: SignIn, viewer: User, team: Workspace) -> None:
    page = client_of(viewer).get("/w/studio/").text
    assert "You're a viewer in this team" in page
    assert "<textarea" not in page
    for address in ("/w/studio/history/", f"/w/{viewer.personal_workspace.slug}/"):
        assert f'href="{address}"' in page


def test_it_sends_an_edit_of_the_photos_in_the_tray(client: Client, alice: User, draft: DraftPhoto) -> None:
    first = drafts.create_draft(cast.actor_of(alice), cast.photo_file(), name="sea.jpg")
    sent = form(
        draft=[str(first.id), str(draft.id)],
        prompt="  black and white\r\nmore contrast ",
        aspect_ratio="4:5",
        output_format="webp",
        outputs="3",
        region=["0.1,0.2,0.3,0.4"],
    )
    response = client.post("/w/alice/", sent)
    edit = Edit.objects.get()
    assert response.status_code == 302
    assert response.headers["Location"] == f"/edits/{edit.id}/"
    assert (edit.prompt, edit.aspect_ratio, edit.output_format) == (
        "black and white\nmore contrast",
        "4:5",
        "webp",
    )
    assert (edit.outputs, edit.source, str(edit.submit_id)) == (3, "page", sent["submit_id"])
    assert edit.regions == [{"x": 0.1, "y": 0.2, "w": 0.3, "h": 0.4, "image": 1}]
    assert [photo.name for photo in edit.references.all()] == ["sea.jpg", "lake.jpg"]
    assert not DraftPhoto.objects.exists()
    assert balance_and_held(alice) == (400, 40)
    cast.assert_ledger_balances(alice.personal_workspace)


def test_files_in_the_form_are_submitted_with_the_edit(client: Client, alice: User) -> None:
    files = [cast.photo_file("one.jpg"), cast.photo_file("two.png", format="PNG")]
    response = client.post("/w/alice/", form(photos=files))
    edit = Edit.objects.get()
    assert response.headers["Location"] == f"/edits/{edit.id}/"
    assert [photo.name for photo in edit.references.all()] == ["one.jpg", "two.png"]
    assert balance_and_held(alice) == (400, 40)


def test_a_form_that_is_sent_twice_makes_one_edit(client: Client, alice: User, draft: DraftPhoto) -> None:
    sent = form(draft)
    first, second = client.post("/w/alice/", sent), client.post("/w/alice/", sent)
    assert first.headers["Location"] == second.headers["Location"]
    assert Edit.objects.count() == 1
    assert balance_and_held(alice) == (400, 40)


def test_it_requires_a_signed_in_user(db: None) -> None:
    response = Client().get("/w/alice/")
    assert response.status_code == 302
    assert response.headers["Location"] == "/accounts/login/?next=/w/alice/"


def test_it_requires_a_csrf_token(client_of: Callable[..., Client], alice: User, draft: DraftPhoto) -> None:
    assert client_of(alice, enforce_csrf_checks=True).post("/w/alice/", form(draft)).status_code == 403
    assert_nothing_happened(alice)


@pytest.mark.parametrize("prompt", ["", "   ", "\u200b\u200d\ufeff", "\r\n\t"])
def test_it_requires_a_prompt(client: Client, alice: User, draft: DraftPhoto, prompt: str) -> None:
    response = client.post("/w/alice/", form(draft, prompt=prompt))
    text = response.content.decode()
    assert response.status_code == 422
    assert 'id="prompt-error" role="alert"' in text
    assert "<span>Prompt is required</span>" in text
    assert 'aria-invalid="true" autofocus' in text
    assert_nothing_happened(alice)


@pytest.mark.parametrize("prompt", ["a\x00b", "x" * 2001])
def test_an_invalid_prompt_is_refused(client: Client, alice: User, draft: DraftPhoto, prompt: str) -> None:
    response = client.post("/w/alice/", form(draft, prompt=prompt))
    assert response.status_code == 422
    assert response.context["errors"]["prompt"]
    assert_nothing_happened(alice)


def test_it_requires_a_photo(client: Client, alice: User) -> None:
    response = client.post("/w/alice/", form())
    assert response.status_code == 422
    assert "<span>At least one image URL is required</span>" in response.content.decode()
    assert_nothing_happened(alice)


def test_it_rejects_a_sixth_photo_and_keeps_the_first_five(client: Client, alice: User) -> None:
    response = client.post("/w/alice/", form(photos=[cast.photo_file(f"{n}.jpg") for n in range(6)]))
    assert response.status_code == 422
    assert "<span>Maximum 5 images allowed</span>" in response.content.decode()
    assert "Edit up to 200 photos in a batch</button>" in response.text
    assert [draft.name for draft in response.context["tray"].drafts] == [f"{n}.jpg" for n in range(5)]
    assert DraftPhoto.objects.count() == 5
    assert_nothing_happened(alice)


def test_a_bad_file_gets_an_error_message_and_the_good_one_stays_in_the_tray(
    client: Client, alice: User
) -> None:
    files = [cast.photo_file("good.jpg"), cast.photo_file("bad.jpg", b"no photo")]
    response = client.post("/w/alice/", form(photos=files, prompt="make it warmer"))
    text = response.content.decode()
    assert response.status_code == 422
    assert response.context["errors"]["photos"][0].startswith("bad.jpg: ")
    assert [draft.name for draft in response.context["tray"].drafts] == ["good.jpg"]
    assert "make it warmer</textarea>" in text
    assert_nothing_happened(alice)


def test_a_rejected_form_keeps_everything(client: Client, draft: DraftPhoto) -> None:
    sent = form(
        draft,
        prompt="sing me <a song>",
        aspect_ratio="9:16",
        output_format="jpeg",
        outputs="4",
        region=["0.25,0.25,0.5,0.5"],
    )
    response = client.post("/w/alice/", sent)
    text = response.content.decode()
    assert response.status_code == 422
    assert "sing me &lt;a song&gt;</textarea>" in text
    for name, value in (("aspect_ratio", "9:16"), ("output_format", "jpeg"), ("outputs", "4")):
        assert f'name="{name}" value="{value}" checked' in text
    assert 'name="region" value="0.25,0.25,0.5,0.5"' in text
    assert f'name="draft" value="{draft.id}"' in text
    assert f'name="submit_id" value="{sent["submit_id"]}"' in text


def test_words_not_understood_are_shown_and_the_rest_can_be_done(
    client: Client, alice: User, draft: DraftPhoto
) -> None:
    prompt = "make it black and white and add a flobberwick"
    refused = client.post("/w/alice/", form(draft, prompt=prompt))
    text = refused.content.decode()
    assert refused.status_code == 422
    assert "flobberwick" in refused.context["errors"]["prompt"][0]
    assert 'name="partial" value="1">Do the rest · 40 credits' in text
    assert_nothing_happened(alice)
    response = client.post("/w/alice/", form(draft, prompt=prompt, partial="1"))
    assert response.status_code == 302
    assert Edit.objects.get().partial is True


def test_a_refused_prompt_is_explained_once(client: Client, draft: DraftPhoto) -> None:
    page = client.post("/w/alice/", form(draft, prompt="add a flobberwick")).text
    assert page.count("know the word “flobberwick”") == 1
    # A new plan would repeat the message.
    assert "load" not in re.findall(r'hx-trigger="(input[^"]*)"', page)[0]
    corrected = client.post("/w/alice/", form(draft, prompt="make it sepia", others="1")).text
    assert "load" in re.findall(r'hx-trigger="(input[^"]*)"', corrected)[0]


def planned(client: Client, draft: DraftPhoto, prompt: str, **fields: str) -> str:
    return client.post("/w/alice/preview/", {"prompt": prompt, "draft": str(draft.id)} | fields).text


def sentence_button(text: str) -> str:
    return f'name="sentence"\n  value="{text}"'


@pytest.mark.parametrize(
    ("prompt", "sentence"),
    [
        ("add an octopus", "add an octopus emoji"),
        ("dim the contrast", "less contrast"),
        ("Entferne den Hund", "remove the dog"),
    ],
)
def test_a_refusal_offers_a_prompt_that_works_and_a_click_replaces_the_prompt(
    client: Client, alice: User, draft: DraftPhoto, prompt: str, sentence: str
) -> None:
    refused = client.post("/w/alice/", form(draft, prompt=prompt))
    assert refused.status_code == 422
    for page in (refused.text, planned(client, draft, prompt)):
        assert sentence_button(sentence) in page
    chosen = client.post("/w/alice/", form(draft, prompt=prompt, sentence=sentence, region="0.1,0.1,0.5,0.5"))
    assert chosen.status_code == 200
    assert f"{sentence}</textarea>" in chosen.text
    assert f'name="draft" value="{draft.id}"' in chosen.text
    assert 'name="region" value="0.1,0.1,0.5,0.5"' in chosen.text
    assert_nothing_happened(alice)
    assert client.post("/w/alice/", form(draft, prompt=sentence)).status_code == 302
    assert Edit.objects.get().prompt == sentence


def test_a_chosen_prompt_that_is_too_long_is_not_lost(client: Client, draft: DraftPhoto) -> None:
    page = client.post("/w/alice/", form(draft, prompt="make it sepia", sentence="x" * 5000))
    assert page.status_code == 200
    assert "x" * 5000 in page.text


def test_a_pasted_prompt_that_is_too_long_is_not_cut_and_the_plan_says_so(
    client: Client, draft: DraftPhoto
) -> None:
    assert "maxlength" not in re.findall(r'<textarea[^>]* id="prompt"[^>]*>', client.get("/w/alice/").text)[0]
    sentence = "Use at most 2,000 characters. You entered 2,099."
    prompt = ("make it sepia. " * 140).strip()
    assert f"<p>{sentence}</p>" in planned(client, draft, prompt)
    page = client.post("/w/alice/", form(draft, prompt=prompt))
    assert page.status_code == 422
    assert sentence in page.text
    assert prompt in page.text


def test_a_refusal_offers_a_box_only_where_one_helps(client: Client, draft: DraftPhoto) -> None:
    assert "data-mark" in planned(client, draft, "remove the trellis")
    assert "data-mark" not in planned(client, draft, "remove the trellis", region="0.1,0.1,0.5,0.5")
    assert "data-mark" not in planned(client, draft, "add a flobberwick")
    with_prompt = planned(client, draft, "add an octopus on the shelf")
    assert re.search(r'data-mark="point"\s+name="sentence" value="add an octopus emoji on the', with_prompt)


def test_a_request_that_is_refused_as_a_whole_shows_no_price(client: Client, draft: DraftPhoto) -> None:
    refused = planned(client, draft, "remove the trellis")
    assert "data-refused" in refused
    assert "credits" not in refused
    partly = planned(client, draft, "make it sepia and remove the trellis")
    assert "data-refused" not in partly
    assert "Do the rest · 40 credits" in partly
    assert "<b>40 credits</b>" in planned(client, draft, "make it sepia")


def test_an_unknown_word_is_highlighted_and_nothing_is_offered(client: Client, draft: DraftPhoto) -> None:
    page = planned(client, draft, "add a flobberwick")
    assert '<mark lang="en">add a flobberwick</mark>' in page
    assert "I don&#x27;t know the word “flobberwick”." in page
    assert "plan__rest" not in page


def test_without_enough_credits_the_form_is_refused_before_a_file_is_decoded(
    client_of: SignIn, monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    poor = cast.make_user("poor@example.org", credits=39)
    draft = cast.make_draft(poor)
    monkeypatch.setattr(drafts, "create_draft", lambda *_, **__: pytest.fail("decoded"))
    response = client_of(poor).post("/w/poor/", form(draft, photos=[cast.photo_file()]))
    text = response.content.decode()
    assert response.status_code == 422
    assert "Insufficient credits" in text
    assert "black and white</textarea>" in text
    assert f'name="draft" value="{draft.id}"' in text
    assert "Choose your photos again." in text
    assert not Edit.objects.exists()
    assert balance_and_held(poor) == (39, 0)
    assert "Choose your photos again." not in client_of(poor).post("/w/poor/", form(draft)).text


def test_a_draft_that_was_already_used_gets_an_error_message(
    client: Client, alice: User, draft: DraftPhoto
) -> None:
    client.post("/w/alice/", form(draft))
    response = client.post("/w/alice/", form(draft))
    assert response.status_code == 422
    assert "perhaps in another tab" in response.content.decode()
    assert "At least one image URL is required" not in response.content.decode()
    assert Edit.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [("aspect_ratio", "7:1"), ("output_format", "gif"), ("outputs", "5"), ("outputs", "0")],
)
def test_it_rejects_a_choice_that_is_not_offered(
    client: Client, alice: User, draft: DraftPhoto, field: str, value: str
) -> None:
    response = client.post("/w/alice/", form(draft, **{field: value}))
    assert response.status_code == 422
    assert response.context["errors"]["choices"]
    assert_nothing_happened(alice)


@pytest.mark.parametrize("region", ["0,0,2,1", "a,b,c,d", "0,0,0.01,0.5", "nan,0,1,1", "1"])
def test_it_rejects_a_box_outside_the_photo(
    client: Client, alice: User, draft: DraftPhoto, region: str
) -> None:
    response = client.post("/w/alice/", form(draft, region=[region]))
    assert response.status_code == 422
    assert response.context["errors"]["region"]
    assert_nothing_happened(alice)


def test_a_draft_of_another_user_cannot_be_used(client_of: SignIn, charlie: User, draft: DraftPhoto) -> None:
    response = client_of(charlie).post("/w/charlie/", form(draft))
    assert response.status_code == 422
    assert not Edit.objects.exists()
    assert DraftPhoto.objects.filter(id=draft.id).exists()


def test_fields_that_the_form_does_not_have_change_nothing(
    client: Client, alice: User, draft: DraftPhoto
) -> None:
    client.post(
        "/w/alice/", form(draft, price="0", owner="1", state="SUCCESS", workspace="1", credits="9999")
    )
    edit = Edit.objects.get()
    assert (edit.price, edit.state, edit.owner) == (40, "QUEUED", alice)
    assert balance_and_held(alice) == (400, 40)


def test_without_javascript_a_photo_is_removed_and_the_rest_is_kept(
    client: Client, alice: User, draft: DraftPhoto
) -> None:
    sent = form(draft, prompt="make it warmer", photos=[cast.photo_file("new.jpg")], remove=str(draft.id))
    response = client.post("/w/alice/", sent)
    assert response.status_code == 200
    assert [one.name for one in response.context["tray"].drafts] == ["new.jpg"]
    assert "make it warmer</textarea>" in response.content.decode()
    assert 'role="alert"' not in response.content.decode()
    assert_nothing_happened(alice)


@pytest.mark.parametrize("pressed", ["remove", "others", "idea", "sample"])
def test_without_javascript_every_button_reports_a_file_that_is_not_a_photo(
    client: Client, alice: User, draft: DraftPhoto, pressed: str
) -> None:
    value = {"remove": str(draft.id), "others": "1", "idea": "add fog", "sample": "pier"}[pressed]
    files = [cast.photo_file("good.jpg"), cast.photo_file("bad.jpg", b"no photo")]
    response = client.post("/w/alice/", form(draft, prompt="", photos=files, **{pressed: value}))
    assert response.status_code == 422
    assert [name for name, messages in response.context["errors"].items() if messages] == ["photos"]
    assert "<span>bad.jpg: " in response.text
    assert "good.jpg" in [one.name for one in response.context["tray"].drafts]
    assert_nothing_happened(alice)


@pytest.mark.parametrize(
    "pressed", [{"remove": str(uuid.uuid4())}, {"others": "1"}, {"idea": "add fog"}, {"sample": "pier"}]
)
def test_without_javascript_every_button_reports_more_than_five_photos(
    client: Client, alice: User, pressed: dict[str, str]
) -> None:
    files = [cast.photo_file(f"{n}.jpg") for n in range(7)]
    response = client.post("/w/alice/", form(prompt="", photos=files, **pressed))
    assert response.status_code == 422
    assert {name: messages for name, messages in response.context["errors"].items() if messages} == {
        "photos": ["Maximum 5 images allowed"]
    }
    assert [draft.name for draft in response.context["tray"].drafts] == [f"{n}.jpg" for n in range(5)]
    assert_nothing_happened(alice)


def test_a_sample_does_not_join_a_full_tray(client: Client, alice: User) -> None:
    ids = [str(cast.make_draft(alice).id) for _ in range(5)]
    response = client.post("/w/alice/", form(draft=ids, sample="pier"))
    assert "<span>Maximum 5 images allowed</span>" in response.text
    assert alice.drafts.count() == 5


def test_the_plan_line_says_what_will_be_done(client: Client, alice: User) -> None:
    sent = {"prompt": "make it black and white and add a flobberwick", "draft": [str(uuid.uuid4())]}
    response = client.post("/w/alice/preview/", sent)
    text = response.content.decode()
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert "<li>Make the photo black and white</li>" in text
    assert "Not understood:" in text
    assert "flobberwick" in text
    assert "<b>40 credits</b>" in text
    assert "<html" not in text
    assert_nothing_happened(alice)


@pytest.mark.parametrize(
    ("prompt", "choices", "says"),
    [
        ("crop to 1:1", {"aspect_ratio": "4:5"}, "You chose the shape 4:5 below"),
        ("resize to 800x600", {"aspect_ratio": "4:5"}, "You chose the shape 4:5 below"),
        ("crop to a 4x6 print", {"aspect_ratio": "1:1"}, "You chose the shape 1:1 below"),
        ("save it as a JPEG", {"output_format": "png"}, "The prompt asks for JPEG"),
    ],
)
def test_the_plan_says_which_part_of_the_prompt_an_option_overrides(
    client: Client, prompt: str, choices: dict[str, str], says: str
) -> None:
    assert says in client.post("/w/alice/preview/", {"prompt": prompt, **choices}).content.decode()


@pytest.mark.parametrize(
    ("prompt", "choices"),
    [
        ("crop to 1:1", {"aspect_ratio": "1:1"}),
        ("crop to 1:1", {"aspect_ratio": ""}),
        ("resize to 50%", {"aspect_ratio": "4:5"}),
        ("make it warmer", {"aspect_ratio": "4:5"}),
        ("save it as a JPEG", {"output_format": "jpeg"}),
    ],
)
def test_the_plan_does_not_mention_options_that_match_the_prompt(
    client: Client, prompt: str, choices: dict[str, str]
) -> None:
    text = client.post("/w/alice/preview/", {"prompt": prompt, **choices}).content.decode()
    assert "You chose the shape" not in text
    assert "The prompt asks for" not in text


@pytest.mark.parametrize(
    ("prompt", "boxes"),
    [
        ("make this blue", [[1, 2]]),
        ("darken box 1 and remove box 2", [[1], [2]]),
        ("make the photo black and white", [[]]),
    ],
)
def test_the_plan_says_which_box_each_step_uses(client: Client, prompt: str, boxes: list[list[int]]) -> None:
    drawn = ["0.1,0.1,0.2,0.2", "0.5,0.5,0.2,0.2"]
    sent = {"prompt": prompt, "region": drawn, "draft": [str(uuid.uuid4())]}
    steps = client.post("/w/alice/preview/", sent).content.decode().split("<li>")[1:]
    shown = [[number for number in (1, 2) if f">box {number}<" in step] for step in steps]
    assert shown == boxes


@pytest.mark.parametrize(
    ("prompt", "photos", "is_said"),
    [
        ("make it sepia", 2, True),
        ("make it sepia", 1, False),
        ("make a collage of the photos", 2, False),
        ("use photo 2 as the background and make it sepia", 2, False),
        ("blorf", 2, False),
        ("", 2, False),
    ],
)
def test_the_plan_says_if_only_photo_1_changes(
    client: Client, alice: User, prompt: str, photos: int, is_said: bool
) -> None:
    added = [str(cast.make_draft(alice).id) for _ in range(photos)]
    plan = client.post("/w/alice/preview/", {"prompt": prompt, "draft": added}).text
    assert ("Only photo 1 changes." in plan) == is_said
    assert ('formaction="/w/alice/batches/new/"' in plan) == is_said


def test_the_form_opens_in_a_new_batch_with_its_photos_and_its_prompt(
    client: Client, alice: User, draft: DraftPhoto
) -> None:
    other = cast.make_draft(alice)
    sent = form(draft=[str(draft.id), str(other.id)], outputs="2", step="change")
    page = client.post("/w/alice/batches/new/", sent)
    assert page.status_code == 200
    assert page.context["tray"].drafts == [draft, other]
    assert "black and white</textarea>" in page.text
    assert page.context["chosen"].outputs == 2
    assert_nothing_happened(alice)


def test_a_plan_of_another_engine_does_not_say_which_photos_change(
    client: Client, alice: User, settings: Any
) -> None:
    configure(settings, another_site())
    added = [str(cast.make_draft(alice).id) for _ in range(2)]
    plan = client.post("/w/alice/preview/", {"prompt": "make it sepia", "draft": added}).text
    assert "Only photo 1 changes." not in plan


def test_an_empty_prompt_gets_a_request_for_a_prompt_instead_of_a_plan(client: Client) -> None:
    assert "Write what should change." in client.post("/w/alice/preview/", {"prompt": " "}).content.decode()
    assert client.get("/w/alice/preview/").status_code == 405


ATTACK = "q " * 1_000


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This prompt is too long to read. Split it into shorter prompts."),
        ("de", "Dieser Prompt ist zu lang. Teilen Sie ihn in kürzere Prompts auf."),
    ],
)
def test_a_prompt_that_is_too_long_to_read_gets_an_error_message(
    client: Client, alice: User, draft: DraftPhoto, language: str, sentence: str
) -> None:
    sent = form(draft, prompt=ATTACK, region="0.1,0.1,0.2,0.2")
    plan = client.post("/w/alice/preview/", sent, headers={"Accept-Language": language})
    assert plan.status_code == 200
    assert f"<p>{sentence}</p>" in plan.text
    assert "Not understood" not in plan.text
    page = client.post("/w/alice/", sent, headers={"Accept-Language": language})
    assert page.status_code == 422
    assert f"<span>{sentence}</span>" in page.text
    assert ATTACK.strip() in page.text
    assert f'name="draft" value="{draft.id}"' in page.text
    assert_nothing_happened(alice)


@pytest.fixture
def few_plans(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    """Lower the limit to three plans per minute for each user.

    Stop the clock 20 seconds after the start of a minute.
    """
    assert routing.PLANS_PER_MINUTE == 120
    monkeypatch.setattr(routing, "PLANS_PER_MINUTE", 3)
    with time_machine.travel("2026-05-04 12:00:20Z", tick=False) as clock:
        yield clock


def plans(client: Client, slug: str, times: int) -> list[Any]:
    return [client.post(f"/w/{slug}/preview/", {"prompt": "make it warmer"}) for _ in range(times)]


TOO_MANY_PLANS = "Too many plans were requested. Wait a moment, then try again."


def test_plans_are_limited_per_user_across_all_workspaces(
    few_plans: time_machine.Traveller, client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    client, other = client_of(alice), client_of(bob)
    assert [response.status_code for response in plans(client, "alice", 4)] == [200, 200, 200, 429]
    (refused,) = plans(client, team.slug, 1)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "40")
    assert f"<p>{TOO_MANY_PLANS}</p>" in refused.text
    assert 'id="plan"' in refused.text
    assert [response.status_code for response in plans(other, team.slug, 1)] == [200]
    few_plans.shift(40)
    assert [response.status_code for response in plans(client, "alice", 1)] == [200]


def test_a_viewer_gets_no_plan(client_of: SignIn, viewer: User, team: Workspace) -> None:
    assert plans(client_of(viewer), team.slug, 1)[0].status_code == 403


def test_an_empty_prompt_does_not_count_as_a_plan(few_plans: time_machine.Traveller, client: Client) -> None:
    for _ in range(5):
        assert client.post("/w/alice/preview/", {"prompt": " "}).status_code == 200
    assert plans(client, "alice", 1)[0].status_code == 200


def test_beyond_the_limit_of_plans_the_text_and_the_photos_stay(
    few_plans: time_machine.Traveller, client: Client, alice: User, draft: DraftPhoto
) -> None:
    plans(client, "alice", 3)
    page = client.post("/w/alice/", form(draft, prompt="make it much warmer"))
    assert page.status_code == 429
    assert page.text.count(TOO_MANY_PLANS) == 2  # The plan's live region also contains the message.
    assert "make it much warmer" in page.text
    assert f'name="draft" value="{draft.id}"' in page.text
    assert_nothing_happened(alice)


def test_the_plan_redirects_a_signed_out_user_to_the_sign_in_page(db: None) -> None:
    sent = {"HX-Request": "true", "HX-Current-URL": "http://testserver/"}
    response = Client().post("/w/alice/preview/", {"prompt": "warmer"}, headers=sent)
    assert response.status_code == 401
    assert response.headers["HX-Redirect"] == "/accounts/login/?next=%2F"
    assert not response.content


@pytest.mark.parametrize("path", ["/w/alice/", "/w/alice/batches/new/"])
def test_without_an_engine_the_form_says_so_before_it_is_filled_in(client: Client, path: str) -> None:
    disabled_button = re.compile(r'<button[^>]* id="send"[^>]* disabled')
    assert not disabled_button.search(client.get(path).text)
    engines.switch_off(cast.make_staff(), engines.default_engine(), reason="Maintenance.")
    page = client.get(path).text
    assert page.count("No engine is on at the moment.") == 1
    assert disabled_button.search(page)
    assert "Not sent yet" not in page
    assert client.post(path, form(step="quote")).text.count("No engine is on at the moment.") == 1


def test_a_page_is_private_and_carries_its_request_id(client: Client) -> None:
    response = client.get("/w/alice/", headers={"X-Request-Id": "my-own-id-1"})
    assert response.headers["Cache-Control"] == "private, no-store"
    assert {"HX-Request", "Cookie"} <= set(response.headers["Vary"].split(", "))
    assert response.headers["X-Request-Id"] == "my-own-id-1"
    foreign = client.get("/w/alice/", headers={"X-Request-Id": "<script>"}).headers["X-Request-Id"]
    assert len(foreign) == 32


def test_recent_edits_cost_a_constant_number_of_queries(
    client: Client, alice: User, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for _ in range(6):
        cast.make_edit(alice, references=3, outputs=4)
    with django_assert_max_num_queries(13):
        client.get("/w/alice/")


def test_a_full_queue_gets_an_error_message_and_keeps_the_prompt(
    client_of: SignIn, alice: User, settings: Any
) -> None:
    settings.MAX_QUEUED_EDITS = 1
    cast.make_edit(alice, state="QUEUED")
    response = client_of(alice).post("/w/alice/", {"prompt": "make it sepia"})
    assert response.status_code == 422
    assert "Too many edits are waiting at the moment." in response.text
    assert "make it sepia" in response.text


@pytest.mark.parametrize("name", SAMPLES)
def test_choosing_a_sample_adds_it_to_the_tray_and_keeps_the_prompt(
    client: Client, alice: User, name: str
) -> None:
    client.force_login(alice)
    assert f'value="{name}"' in client.get("/w/alice/").text
    page = client.post("/w/alice/", {"sample": name, "prompt": "make it warmer"})
    assert page.status_code == 200
    draft = alice.drafts.get()
    assert (draft.name, draft.width * 2) == (f"{name}.webp", draft.height * 3)
    assert str(draft.id) in page.text
    assert "make it warmer</textarea>" in page.text
    assert 'name="sample"' not in page.text


def test_a_sample_without_a_free_decoder_gets_a_message_and_keeps_the_prompt(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise SandboxError("busy", "Too many photos are being read.")

    monkeypatch.setattr(photos.upload_pool, "call", busy)
    client.force_login(alice)
    page = client.post("/w/alice/", {"sample": "pier", "prompt": "make it warmer"})
    assert "Too many photos are being read." in page.text
    assert "make it warmer</textarea>" in page.text


def test_a_missing_sample_gets_an_error_message_and_keeps_the_prompt(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finders, "find", lambda _: None)
    client.force_login(alice)
    page = client.post("/w/alice/", {"sample": "pier", "prompt": "make it warmer"})
    assert page.status_code == 422
    assert "This sample photo is missing on the server. Upload your own photo." in page.text
    assert "make it warmer</textarea>" in page.text
    assert not alice.drafts.exists()


def test_an_unknown_sample_is_refused(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.post("/w/alice/", {"sample": "../../settings"}).status_code == 422
    assert not alice.drafts.exists()
