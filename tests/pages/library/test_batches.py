"""Tests for a batch's pages: the photos, the price, the progress, the ZIP file, and retrying failed edits."""

import csv
import io
import uuid
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from editor.models import Batch, DraftPhoto, Edit, ResultPhoto, User, Workspace
from editor.services.core import search
from editor.services.editing import lifecycle
from editor.services.library import batches, recipes
from editor.services.library.batches import Order
from editor.services.library.recipes import RecipeInput
from editor.services.maintenance import invariants
from editor.services.photos import drafts, photos
from tests import cast

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]
NEW = "/w/alice/batches/new/"
TRAY = DraftPhoto.Tray.BATCH


def drafts_of(user: User, count: int = 3) -> list[DraftPhoto]:
    actor = cast.actor_of(user)
    return [
        drafts.create_draft(actor, cast.photo_file(), name=f"{number}.jpg", tray=TRAY)
        for number in range(1, count + 1)
    ]


def form_fields(drafts: list[DraftPhoto], **fields: Any) -> dict[str, Any]:
    return {"prompt": "make it sepia", "draft": [str(draft.id) for draft in drafts], "step": "quote"} | fields


def started(user: User, count: int = 3) -> Batch:
    order = Order(prompt="make it sepia", drafts=drafts_of(user, count))
    return cast.submit_batch(cast.actor_of(user), order, agreed=40 * count)


def succeed(edit: Edit) -> None:
    facts = photos.copy_files(edit.references.all()[0])
    ResultPhoto.objects.create(edit=edit, position=1, **facts)
    lifecycle.finish(edit, Edit.State.SUCCESS)


def fail(edit: Edit, message: str = "The engine is tired.") -> None:
    lifecycle.finish(edit, Edit.State.FAILED, code="engine_failed", message=message)


def path_of(batch: Batch, act: str = "") -> str:
    return f"/w/alice/batches/{batch.id}/{act}"


def test_the_quote_is_shown_and_nothing_is_held(client_of: SignIn, alice: User) -> None:
    page = client_of(alice).post(NEW, form_fields(drafts_of(alice)))
    assert page.status_code == 200
    for words in ("3 photos at 40", "120 credits", "Balance after", "280", "Start the batch"):
        assert words in page.text
    assert not Batch.objects.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


def test_before_the_quote_the_plan_shows_the_price_of_one_photo(client_of: SignIn, alice: User) -> None:
    client, data = client_of(alice), form_fields(drafts_of(alice))
    form, plan = client.post(NEW, data | {"step": "change"}), client.post("/w/alice/preview/?each=1", data)
    for page in (form, plan):
        assert "<b>40 credits</b> per photo" in page.text
        assert "for all results" not in page.text
    assert "to refer to a photo" not in form.text
    assert "<b>40 credits</b> for all results" in client.post("/w/alice/preview/", data).text


def test_the_title_of_the_quote_contains_the_number_of_photos(client_of: SignIn, alice: User) -> None:
    client, photos = client_of(alice), drafts_of(alice, 2)
    for count, title in ((1, "Quote: 1 photo ·"), (2, "Quote: 2 photos ·")):
        assert title in " ".join(client.post(NEW, form_fields(photos[:count])).text.split())


def test_accepting_the_quote_starts_one_batch(client_of: SignIn, alice: User) -> None:
    data = form_fields(drafts_of(alice), step="start", agreed="120", submit_id=str(uuid.uuid4()))
    client = client_of(alice)
    places = {client.post(NEW, data).headers["Location"] for _ in range(2)}
    batch = Batch.objects.get()
    assert places == {path_of(batch)}
    assert batch.edits.count() == 3
    page = client.get(path_of(batch))
    assert "0 of 3 photos" in page.text
    assert "hx-get" in page.text
    cast.assert_ledger_balances(alice.personal_workspace)


@pytest.mark.parametrize("agreed", ["", "119", "9" * 40, "x", "-120", "١٢٠"])
def test_a_price_that_differs_from_the_quote_shows_the_quote_again(
    client_of: SignIn, alice: User, agreed: str
) -> None:
    page = client_of(alice).post(NEW, form_fields(drafts_of(alice), step="start", agreed=agreed))
    assert "The quote has changed" in page.text
    assert 'name="agreed" value="120"' in page.text
    assert not Batch.objects.exists()


def test_a_batch_that_became_impossible_after_its_quote_expired_shows_the_form_with_everything_kept(
    client_of: SignIn, alice: User
) -> None:
    """The newest version of a recipe applies, and it may have another variable than the quote showed."""
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(actor, RecipeInput(name="Tone", prompt="make it {tone}"))
    client, photos = client_of(alice), drafts_of(alice, 2)
    data = form_fields(photos, recipe=str(version.recipe_id), **{"variable-tone": "sepia"})
    quote = client.post(NEW, data).context["quote"]
    changed = RecipeInput(name="Tone", prompt="make it {tone} and {size} times larger")
    recipes.save_recipe(actor, changed, after=version)
    data |= {"step": "start", "agreed": "80"}
    for sent in (quote, "expired"):
        page = client.post(NEW, data | {"quote": sent})
        assert page.status_code == 422
        assert "Enter a value for “size”" in page.text
        assert 'value="sepia"' in page.text
        assert all(str(draft.id) in page.text for draft in photos)
    assert not Batch.objects.exists()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [({"draft": []}, "Add the photos first."), ({"prompt": "add a flobberwick"}, "flobberwick")],
)
def test_a_start_without_a_valid_quote_says_why_the_batch_is_not_possible(
    client_of: SignIn, alice: User, fields: dict[str, Any], sentence: str
) -> None:
    data = form_fields(drafts_of(alice), step="start", agreed="120", quote="x")
    page = client_of(alice).post(NEW, data | fields)
    assert page.status_code == 422
    assert sentence in page.text
    assert f"{(data | fields)['prompt']}</textarea>" in page.text
    assert not Batch.objects.exists()


def test_without_javascript_the_form_says_how_many_photos_fit_into_one_request(
    client_of: SignIn, alice: User
) -> None:
    client = client_of(alice)
    hint = client.get(NEW).text.partition("<noscript><p")[2].partition("</noscript>")[0]
    assert "send at most 10 photos and 100.0\xa0MB at a time" in hint
    files = [cast.photo_file(f"{number}.jpg") for number in range(11)]
    page = client.post(NEW, {"prompt": "make it sepia", "photos": files, "step": "quote"})
    assert page.status_code == 413
    assert "You sent too many photos at a time. Go back and send at most 10." in page.text


def test_uploaded_photos_stay_in_the_batch_tray_when_the_form_is_refused(
    client_of: SignIn, alice: User
) -> None:
    client = client_of(alice)
    files = [cast.photo_file(f"{number}.jpg") for number in range(3)]
    page = client.post(NEW, {"prompt": "", "photos": files, "step": "quote"})
    assert page.status_code == 422
    assert "Prompt is required" in page.text
    drafts = list(alice.drafts.filter(tray=TRAY))
    assert len(drafts) == 3
    assert all(str(draft.id) in client.get(NEW).text for draft in drafts)
    assert all(str(draft.id) not in client.get("/w/alice/").text for draft in drafts)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"draft": []}, "Add the photos first."),
        ({"prompt": "add a flobberwick"}, "flobberwick"),
        ({"outputs": "9"}, "Choose at most 4 results."),
        ({"aspect_ratio": "7:1"}, "Choose one of 1:1"),
        ({"draft": ["nonsense"]}, "Add the photos first."),
        ({"draft": [str(uuid.UUID(int=4))]}, "perhaps in another tab"),
    ],
)
def test_invalid_input_gets_an_error_message(
    client_of: SignIn, alice: User, fields: dict[str, Any], sentence: str
) -> None:
    page = client_of(alice).post(NEW, form_fields(drafts_of(alice)) | fields)
    assert page.status_code == 422
    assert sentence in page.text
    assert not Batch.objects.exists()


def test_a_suggested_prompt_is_quoted_and_used_for_every_photo(client_of: SignIn, alice: User) -> None:
    client, data = client_of(alice), form_fields(drafts_of(alice, 2), prompt="add an octopus")
    refused = client.post(NEW, data)
    assert refused.status_code == 422
    assert 'value="add an octopus emoji"' in refused.text
    del data["step"]
    chosen = {"sentence": "add an octopus emoji"}
    quote = client.post(NEW, data | chosen)
    assert quote.status_code == 200
    assert "“add an octopus emoji”" in quote.text
    client.post(NEW, data | chosen | {"step": "start", "agreed": "80"})
    assert {edit.prompt for edit in Edit.objects.all()} == {"add an octopus emoji"}
    assert Edit.objects.count() == 2
    cast.assert_ledger_balances(alice.personal_workspace)


def test_drawing_a_box_is_not_offered_for_a_batch(client_of: SignIn, alice: User) -> None:
    client, drafts = client_of(alice), drafts_of(alice, 2)
    refused = client.post(NEW, form_fields(drafts, prompt="remove it"))
    assert refused.status_code == 422
    assert "data-mark" not in refused.text
    data = {"prompt": "remove it", "draft": str(drafts[0].id)}
    assert "data-mark" not in client.post("/w/alice/preview/?each=1", data).text
    assert "data-mark" in client.post("/w/alice/preview/", data).text


def test_a_batch_says_that_nothing_can_be_marked_if_a_mark_would_help(client_of: SignIn, alice: User) -> None:
    client, drafts = client_of(alice), drafts_of(alice, 2)
    sentence = "You can't mark anything in a batch."
    for prompt, is_said in (("remove the door handle", True), ("make it blorf", False)):
        page = client.post(NEW, form_fields(drafts, prompt=prompt))
        assert page.status_code == 422
        assert (sentence in page.text) == is_said
        data = {"prompt": prompt, "draft": str(drafts[0].id)}
        assert (sentence in client.post("/w/alice/preview/?each=1", data).text) == is_said
        assert sentence not in client.post("/w/alice/preview/", data).text


def test_more_than_two_hundred_photos_get_an_error_message(client_of: SignIn, alice: User) -> None:
    ids = [str(uuid.uuid4()) for _ in range(201)]
    page = client_of(alice).post(NEW, {"prompt": "make it sepia", "draft": ids, "step": "quote"})
    assert page.status_code == 422
    assert "Add at most 200 photos to a batch." in page.text


def test_a_quote_beyond_the_balance_says_how_many_edits_it_covers(client_of: SignIn, alice: User) -> None:
    drafts = drafts_of(alice, 11)
    client = client_of(alice)
    page = client.post(NEW, form_fields(drafts))
    assert "enough for 10 photos" in page.text
    assert "Start the batch" not in page.text
    page = client.post(NEW, form_fields(drafts, step="start", agreed="440"))
    assert page.status_code == 422
    assert "Insufficient credits" in page.text
    assert alice.drafts.count() == 11


def test_a_quote_above_the_cap_says_so(client_of: SignIn, alice: User) -> None:
    alice.memberships.filter(workspace=alice.personal_workspace).update(cap=100)
    page = client_of(alice).post(NEW, form_fields(drafts_of(alice, 3)))
    assert "enough for 2 photos." in page.text
    assert "You have a monthly cap of 100 credits. Credits left this month: 100." in page.text
    assert "Start the batch" not in page.text


def test_the_order_can_be_changed_and_photos_can_be_removed(client_of: SignIn, alice: User) -> None:
    drafts, client = drafts_of(alice, 2), client_of(alice)
    page = client.post(NEW, form_fields(drafts, step="change"))
    assert page.status_code == 200
    assert "make it sepia" in page.text
    assert all(str(draft.id) in page.text for draft in drafts)
    page = client.post(NEW, form_fields(drafts, remove=str(drafts[0].id)))
    assert str(drafts[0].id) not in page.text
    assert alice.drafts.count() == 1


@pytest.mark.parametrize("pressed", ["remove", "step"])
def test_refused_photos_are_reported_even_before_a_quote(
    client_of: SignIn, alice: User, pressed: str
) -> None:
    client, drafts = client_of(alice), drafts_of(alice, 1)
    value = {"remove": str(drafts[0].id), "step": "change"}[pressed]
    bad = cast.photo_file("bad.jpg", b"no photo")
    page = client.post(NEW, form_fields(drafts, prompt="", photos=bad) | {pressed: value})
    assert page.status_code == 422
    assert "<span>bad.jpg: " in page.text
    ids = [str(uuid.uuid4()) for _ in range(201)]
    page = client.post(NEW, form_fields([], prompt="", draft=ids) | {pressed: value})
    assert page.status_code == 422
    assert "Add at most 200 photos to a batch." in page.text
    assert "Prompt is required" not in page.text


def test_a_recipe_runs_on_all_photos_of_a_batch(client_of: SignIn, alice: User) -> None:
    version = recipes.save_recipe(cast.actor_of(alice), RecipeInput(name="Tone", prompt="make it {tone}"))
    client, recipe = client_of(alice), str(version.recipe_id)
    assert 'name="variable-tone"' in client.get(f"{NEW}?recipe={recipe}").text
    drafts = drafts_of(alice, 2)
    page = client.post(NEW, form_fields(drafts, recipe=recipe))
    assert page.status_code == 422
    assert "Enter a value for “tone”" in page.text
    data = form_fields(drafts, recipe=recipe, **{"variable-tone": "sepia"})
    page = client.post(NEW, data)
    assert "make it ‹sepia›" in page.text
    assert f'name="recipe" value="{recipe}"' in page.text
    assert 'name="variable-tone" value="sepia"' in page.text
    client.post(NEW, data | {"step": "start", "agreed": "80"})
    assert {edit.recipe_version for edit in Edit.objects.all()} == {version}
    assert "Variables" in client.get(path_of(Batch.objects.get())).text


@pytest.mark.parametrize("recipe", [str(uuid.UUID(int=3))])
def test_an_unknown_recipe_returns_404(client_of: SignIn, alice: User, recipe: str) -> None:
    assert client_of(alice).get(f"{NEW}?recipe={recipe}").status_code == 404


def test_the_page_shows_the_state_of_each_photo_and_stops_polling_at_the_end(
    client_of: SignIn, alice: User
) -> None:
    batch, client = started(alice), client_of(alice)
    one, two, three = batch.edits.order_by("batch_position")
    succeed(one)
    fail(two)
    page = client.get(path_of(batch))
    assert "2 of 3 photos" in page.text
    assert "The engine is tired." in page.text
    assert 'aria-label="Photo 1, finished"' in page.text
    assert 'aria-label="Photo 3, waiting"' in page.text
    lifecycle.cancel(cast.actor_of(alice), three)
    page = client.get(path_of(batch))
    assert "hx-get" not in page.text
    assert "1 of 3 photos done" in page.text


def test_progress_is_sent_again_only_when_it_has_changed(client_of: SignIn, alice: User) -> None:
    batch, client = started(alice), client_of(alice)
    first = client.get(path_of(batch, "progress/"))
    mark = {"If-None-Match": first.headers["ETag"]}
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert client.get(path_of(batch, "progress/"), headers=mark).status_code == 304
    fail(batch.edits.all()[0])
    assert client.get(path_of(batch, "progress/"), headers=mark).status_code == 200


def test_the_number_of_queries_does_not_depend_on_the_number_of_photos(
    client_of: SignIn, alice: User
) -> None:
    client = client_of(alice)
    for act in ("", "progress/", "photos/"):
        counts = []
        for size in (1, 3):
            batch = started(alice, size)
            for edit in batch.edits.all():
                succeed(edit)
            with CaptureQueriesContext(connection) as queries:
                client.get(path_of(batch, act))
            counts.append(len(queries))
            cast.make_grant(alice.personal_workspace, 400)
        assert counts[0] == counts[1]


def test_only_failed_photos_are_retried(client_of: SignIn, alice: User) -> None:
    batch, client = started(alice), client_of(alice)
    one, two, three = batch.edits.order_by("batch_position")
    succeed(one)
    fail(two)
    fail(three)
    assert "Retry failed photos (2)" in client.get(path_of(batch)).text
    data = {"submit_id": str(uuid.uuid4())}
    for _ in range(2):
        assert client.post(path_of(batch, "retry/"), data).headers["Location"] == path_of(batch)
    assert batch.edits.count() == 5
    assert [edit.state for edit in batches.progress_of(batch).edits] == ["SUCCESS", "QUEUED", "QUEUED"]
    cast.assert_ledger_balances(alice.personal_workspace)
    assert not invariants.find_violations()


def test_a_retry_above_the_cap_mentions_the_cap(client_of: SignIn, alice: User) -> None:
    batch, client = started(alice), client_of(alice)
    fail(batch.edits.all()[0])
    alice.memberships.update(cap=80)
    page = client.post(path_of(batch, "retry/"), follow=True)
    assert "You have a monthly cap of 80 credits. Credits left this month: 0." in page.text


def test_a_retry_without_enough_credits_gets_an_error_message(client_of: SignIn, alice: User) -> None:
    batch, client = started(alice, 10), client_of(alice)
    for edit in batch.edits.all()[:9]:
        succeed(edit)
    fail(batch.edits.open().get())
    started(alice, 1)
    page = client.post(path_of(batch, "retry/"), follow=True)
    assert "Insufficient credits" in page.text
    assert batch.edits.count() == 10


def test_the_rest_is_cancelled(client_of: SignIn, alice: User) -> None:
    batch, client = started(alice), client_of(alice)
    client.post(path_of(batch, "cancel/"))
    assert not batch.edits.open().exists()
    assert "already ended" in client.post(path_of(batch, "cancel/"), follow=True).text
    cast.assert_ledger_balances(alice.personal_workspace)


def test_the_zip_holds_the_results_and_a_manifest(client_of: SignIn, alice: User) -> None:
    batch = started(alice)
    one, two, three = batch.edits.order_by("batch_position")
    succeed(one)
    succeed(two)
    fail(three, "=1+1")
    cast.path_of(two.results.get()).unlink()
    response: Any = client_of(alice).get(path_of(batch, "zip/"))
    assert "attachment" in response.headers["Content-Disposition"]
    folder = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert folder.testzip() is None
    assert folder.namelist() == ["1-make-it-sepia.jpg", "manifest.csv"]
    rows = list(csv.DictReader(io.StringIO(folder.read("manifest.csv").decode())))
    assert [(row["photo"], row["name"], row["file"]) for row in rows] == [
        ("1", "1.jpg", "1-make-it-sepia.jpg"),
        ("2", "2.jpg", ""),
        ("3", "3.jpg", ""),
    ]
    assert [(row["status"], row["credits"], row["reason"]) for row in rows][2] == ("Failed", "0", "'=1+1")
    assert {row["engine"] for row in rows} == {"embedded"}


def test_files_in_the_zip_have_unique_names_based_on_their_photos(client_of: SignIn, alice: User) -> None:
    batch = started(alice, 4)
    names = ["IMG_2041.JPG", "img_2041.png", 'a "b": c.jpg', ""]
    for edit, name in zip(batch.edits.order_by("batch_position"), names, strict=True):
        succeed(edit)
        edit.references.update(name=name)
    response: Any = client_of(alice).get(path_of(batch, "zip/"))
    folder = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert folder.namelist() == [
        "IMG_2041-make-it-sepia.jpg",
        "img_2041-make-it-sepia (2).jpg",
        "a _b__ c-make-it-sepia.jpg",
        "make-it-sepia.jpg",
        "manifest.csv",
    ]


def test_a_search_for_the_name_of_a_photo_finds_its_batch(client_of: SignIn, alice: User) -> None:
    batch, client = started(alice), client_of(alice)
    second = batch.edits.order_by("batch_position")[1]
    second.references.update(name="IMG_2041.jpg")
    search.index_again(second)
    assert path_of(batch) in client.get("/w/alice/history/?q=img_2041").text
    assert path_of(batch) not in client.get("/w/alice/history/?q=img_2042").text


def test_the_history_shows_a_batch_once_and_can_expand_it(client_of: SignIn, alice: User) -> None:
    batch, client = started(alice), client_of(alice)
    single = cast.make_edit(alice)
    page = client.get("/w/alice/history/")
    ids = [str(edit.id) for edit in batch.edits.order_by("id")]
    assert str(single.id) in page.text
    assert not any(name in page.text for name in ids)
    assert page.text.count(f'href="{path_of(batch)}"') == 1
    unfolded = client.get(path_of(batch, "photos/"))
    assert all(name in unfolded.text for name in ids)
    searched = client.get("/w/alice/history/?state=waiting")
    assert all(name in searched.text for name in ids), "a search by state lists every matching photo"


def test_no_cell_of_the_manifest_is_a_formula(client_of: SignIn, alice: User) -> None:
    batch = started(alice)
    batch.edits.update(prompt=" =HYPERLINK(1)", failure_message="\n+1")
    response: Any = client_of(alice).get(path_of(batch, "zip/"))
    folder = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    rows = list(csv.DictReader(io.StringIO(folder.read("manifest.csv").decode(), newline="")))
    assert {(row["prompt"], row["reason"]) for row in rows} == {("' =HYPERLINK(1)", "'\n+1")}


def test_a_batch_is_listed_for_members_who_own_any_of_its_edits(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    batch = Batch.objects.create(
        workspace=team, owner=alice, prompt="make it sepia", photos=2, price=80, submit_id=uuid.uuid4()
    )
    for owner, position, state in ((alice, 1, "FAILED"), (alice, 2, "SUCCESS"), (bob, 1, "SUCCESS")):
        cast.make_edit(owner, workspace=team, batch=batch, batch_position=position, state=state)
    for person in (alice, bob):
        page = client_of(alice).get(f"/w/studio/history/?by={person.pk}")
        assert page.text.count(f'id="batch-{batch.id}"') == 1
