"""Tests for the pages on which recipes are created, changed, run, and deleted."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from editor.models import Batch, DraftPhoto, Edit, Recipe, RecipeVersion, User, Workspace
from editor.options import EditOptions, Region
from editor.services.library import recipes
from editor.services.library.recipes import RecipeInput
from editor.services.maintenance import invariants
from editor.services.photos import drafts, photos
from tests import cast

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]
LIST, NEW = "/w/alice/recipes/", "/w/alice/recipes/new/"


def kept(user: User, workspace: Workspace | None = None, **wording: Any) -> RecipeVersion:
    wording = {"name": "House color", "prompt": "make it {tone}"} | wording
    return recipes.save_recipe(cast.actor_of(user, workspace), RecipeInput(**wording))


def draft_of(user: User, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR) -> DraftPhoto:
    return drafts.create_draft(cast.actor_of(user), cast.photo_file(), name="a.jpg", tray=tray)


def run_path(version: RecipeVersion) -> str:
    return f"/w/alice/recipes/{version.recipe_id}/run/"


def test_a_recipe_is_saved_with_its_options_and_a_photo(client_of: SignIn, alice: User) -> None:
    response = client_of(alice).post(
        NEW,
        {
            "name": " House\u200b color ",
            "prompt": "make it {tone}",
            "aspect_ratio": "4:5",
            "outputs": "2",
            "output_format": "webp",
            "shared": "1",
            "photos": cast.photo_file("logo.jpg"),
        },
    )
    assert (response.status_code, response.headers["Location"]) == (302, LIST)
    version = RecipeVersion.objects.get()
    assert (version.recipe.name, version.recipe.is_shared, version.number) == ("House color", True, 1)
    assert version.options == EditOptions(aspect_ratio="4:5", output_format="webp", outputs=2)
    assert [photo.name for photo in version.photos.all()] == ["logo.jpg"]
    assert not DraftPhoto.objects.exists()
    assert not invariants.find_violations()


@pytest.mark.parametrize(
    ("prompt", "unknown"),
    [
        ("make the flobber {color} and crop to square", "make the flobber {color}"),
        ("recolor the {thing} to {color}, then glorp", "glorp"),
        ("make it {look}", ""),
        ("add {thing} and make it sharper", ""),
        ("crop it to {width}x{height}", ""),
    ],
)
def test_a_recipe_with_unknown_words_is_saved_with_a_warning(
    client_of: SignIn, alice: User, prompt: str, unknown: str
) -> None:
    page = client_of(alice).post(NEW, {"name": "House color", "prompt": prompt}, follow=True)
    said = [str(message) for message in page.context["messages"]]
    assert said[0] == "“House color” was saved as version 1."
    assert said[1:] == ([f"Not understood: {unknown}"] if unknown else [])


def test_only_people_who_may_create_a_recipe_are_told_to(
    client_of: SignIn, bob: User, viewer: User, team: Workspace
) -> None:
    assert "Create one, or open an edit" in client_of(bob).get("/w/studio/recipes/").text
    page = client_of(viewer).get("/w/studio/recipes/").text
    assert "No recipes yet" in page
    assert "Create one" not in page


def test_an_invalid_recipe_gets_error_messages_and_keeps_all_entries(client_of: SignIn, alice: User) -> None:
    data = {"name": "", "prompt": "make it {Tone}", "photos": cast.photo_file("logo.jpg"), "outputs": "9"}
    response = client_of(alice).post(NEW, data)
    assert response.status_code == 422
    for sentence in (
        "Enter a name for the recipe.",
        "Write a variable in braces",
        "Choose at most 4 results.",
    ):
        assert sentence in response.text
    assert "make it {Tone}" in response.text
    assert str(DraftPhoto.objects.get().id) in response.text
    assert not Recipe.objects.exists()


def test_refused_photos_are_reported_before_the_recipe_is_saved(client_of: SignIn, alice: User) -> None:
    draft = draft_of(alice, DraftPhoto.Tray.RECIPE)
    files = [cast.photo_file("bad.jpg", b"no photo"), *(cast.photo_file(f"{n}.jpg") for n in range(5))]
    data = {"name": "", "prompt": "", "draft": str(draft.id), "remove": str(draft.id), "photos": files}
    response = client_of(alice).post(NEW, data)
    assert response.status_code == 422
    assert list(response.context["errors"]) == ["photos"]
    for sentence in ("<span>bad.jpg: ", "<span>Maximum 4 images allowed</span>"):
        assert sentence in response.text
    assert [one.name for one in response.context["tray"].drafts] == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"]


def test_a_new_version_keeps_the_selected_photos(client_of: SignIn, alice: User) -> None:
    first = kept(alice, drafts=[draft_of(alice), draft_of(alice)])
    path = f"/w/alice/recipes/{first.recipe_id}/"
    client = client_of(alice)
    page = client.get(path)
    for photo in first.photos.all():
        assert f'value="{photo.id}" checked' in page.text
    keep = str(first.photos.all()[1].id)
    client.post(path, {"name": "House", "prompt": "make it sepia", "keep": [keep, str(uuid.uuid4()), "\x00"]})
    second = recipes.find_version(cast.actor_of(alice), first.recipe_id)
    assert (second.number, second.recipe.name, second.photos.count()) == (2, "House", 1)
    assert second.photos.get().position == 2
    assert first.photos.count() == 2
    assert not invariants.find_violations()


def test_a_recipe_can_be_created_from_an_edit(client_of: SignIn, alice: User) -> None:
    references = [
        draft_of(alice).file_fields() | {"key": uuid.uuid4().hex},
        photos.copy_files(draft_of(alice)),
    ]
    regions = [{"image": 1, "x": 0.1, "y": 0.1, "w": 0.5, "h": 0.5}]
    edit = cast.make_edit(alice, prompt="make it sepia", references=references, regions=regions, outputs=2)
    client = client_of(alice)
    page = client.get(f"{NEW}?edit={edit.id}")
    logo = edit.references.all()[1]
    assert "make it sepia" in page.text
    assert f'name="keep" value="{logo.id}" checked' in page.text
    client.post(
        f"{NEW}?edit={edit.id}",
        {"name": "Sepia", "prompt": "make it sepia", "keep": str(logo.id), "region": "0.1,0.1,0.5,0.5"},
    )
    version = RecipeVersion.objects.get()
    assert version.options.regions == (Region(0.1, 0.1, 0.5, 0.5),)
    assert version.photos.get().sha256 == logo.sha256


@pytest.mark.parametrize("named", ["nonsense", str(uuid.UUID(int=5)), "\x00"])
def test_an_unknown_edit_cannot_become_a_recipe(client_of: SignIn, alice: User, named: str) -> None:
    assert client_of(alice).get(NEW, {"edit": named}).status_code == 404


def test_an_edit_of_another_workspace_cannot_become_a_recipe(
    client_of: SignIn, alice: User, team: Workspace
) -> None:
    edit = cast.make_edit(alice, workspace=team)
    assert client_of(alice).get(NEW, {"edit": str(edit.id)}).status_code == 404
    assert client_of(alice).get(f"/w/studio/recipes/new/?edit={edit.id}").status_code == 200


def test_the_list_shows_the_prompt_and_an_example(client_of: SignIn, alice: User) -> None:
    version = kept(alice, is_shared=True)
    edit = cast.make_edit(alice, recipe_version=version)
    page = client_of(alice).get(LIST)
    assert 'class="var">tone</em>' in page.text
    assert "Version 1 ·\n      1 edit" in page.text
    assert str(edit.results.get().id) in page.text


def test_the_list_takes_a_constant_number_of_queries(client_of: SignIn, alice: User) -> None:
    client = client_of(alice)
    counts = []
    for more in (1, 5):
        for number in range(more):
            cast.make_edit(alice, recipe_version=kept(alice, name=f"{number}"), price=1)
        with CaptureQueriesContext(connection) as queries:
            client.get(LIST)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_recipe_runs_with_the_entered_values(client_of: SignIn, alice: User) -> None:
    version = kept(alice)
    draft = draft_of(alice)
    client = client_of(alice)
    assert str(draft.id) in client.get(run_path(version)).text
    response = client.post(run_path(version), {"draft": str(draft.id), "variable-tone": "sepia"})
    edit = Edit.objects.get()
    assert response.headers["Location"] == f"/edits/{edit.id}/"
    assert (edit.prompt, edit.recipe_version) == ("make it ‹sepia›", version)
    assert "House color" in client.get(f"/edits/{edit.id}/").text
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_recipe_without_variables_runs_immediately_from_the_editor(client_of: SignIn, alice: User) -> None:
    version = kept(alice, prompt="make it sepia", options=EditOptions(outputs=2))
    client = client_of(alice)
    assert f'formaction="{run_path(version)}"' in client.get("/w/alice/").text
    client.post(run_path(version), {"draft": str(draft_of(alice).id), "prompt": "", "outputs": "1"})
    assert Edit.objects.get().outputs == 2, "the recipe's option applies"


def test_from_the_editor_a_recipe_asks_for_its_variables(client_of: SignIn, alice: User) -> None:
    version, draft = kept(alice), draft_of(alice)
    response = client_of(alice).post(run_path(version), {"draft": str(draft.id), "prompt": "anything"})
    assert response.status_code == 200
    assert 'name="variable-tone"' in response.text
    assert str(draft.id) in response.text
    assert not Edit.objects.exists()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"variable-tone": ""}, "Enter a value for “tone”"),
        ({"variable-tone": "a\x00b"}, "be saved"),
        ({"variable-tone": "x" * 201}, "Use at most 200 characters"),
        ({"variable-tone": "flobberwick"}, "flobberwick"),
        ({"variable-tone": "sepia", "draft": ""}, "At least one image URL is required"),
        ({"variable-tone": "sepia", "draft": str(uuid.UUID(int=9))}, "perhaps in another tab"),
    ],
)
def test_an_invalid_run_gets_an_error_message_and_loses_nothing(
    client_of: SignIn, alice: User, data: dict[str, str], sentence: str
) -> None:
    draft = draft_of(alice)
    response = client_of(alice).post(run_path(kept(alice)), {"draft": str(draft.id)} | data)
    assert response.status_code == 422
    assert sentence in response.text
    assert "draft" in data or str(draft.id) in response.text
    assert not Edit.objects.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_recipe_with_photos_takes_only_one_photo(client_of: SignIn, alice: User) -> None:
    version = kept(alice, prompt="make it sepia", drafts=[draft_of(alice)])
    drafts = [str(draft_of(alice).id), str(draft_of(alice).id)]
    response = client_of(alice).post(run_path(version), {"draft": drafts})
    assert response.status_code == 422
    assert "This recipe already includes the other photos. Add only one photo." in response.text


def test_the_editor_is_told_that_a_recipe_with_photos_takes_only_one_photo(
    client_of: SignIn, alice: User
) -> None:
    version = kept(alice, drafts=[draft_of(alice)])
    drafts = [str(draft_of(alice).id) for _ in range(3)]
    response = client_of(alice).post(run_path(version), {"draft": drafts})
    assert response.status_code == 422
    assert 'name="variable-tone"' in response.text
    assert "This recipe already includes the other photos. Add only one photo." in response.text
    assert "variable-tone-error" not in response.text
    assert [str(one.id) for one in response.context["tray"].drafts] == drafts[:1]
    assert alice.drafts.count() == 3


def test_an_invalid_file_is_reported_even_when_a_photo_is_removed(client_of: SignIn, alice: User) -> None:
    draft, bad = draft_of(alice), cast.photo_file("bad.jpg", b"no photo")
    data = {"draft": str(draft.id), "remove": str(draft.id), "photos": bad}
    response = client_of(alice).post(run_path(kept(alice)), data)
    assert response.status_code == 422
    assert "<span>bad.jpg: " in response.text
    assert "variable-tone-error" not in response.text


def test_without_enough_credits_a_run_is_refused_before_a_photo_is_decoded(
    client_of: SignIn, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    poor = cast.make_user("poor@example.org", credits=39)
    version = kept(poor, prompt="make it sepia")
    monkeypatch.setattr(drafts, "create_draft", lambda *_, **__: pytest.fail("decoded"))
    path = f"/w/poor/recipes/{version.recipe_id}/run/"
    response = client_of(poor).post(path, {"photos": cast.photo_file()})
    assert response.status_code == 422
    assert "Insufficient credits" in response.text
    assert "Choose your photos again." in response.text


def test_a_photo_that_was_already_used_in_another_tab_is_no_longer_shown(
    client_of: SignIn, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = kept(alice, prompt="make it warmer")
    gone, left = draft_of(alice), draft_of(alice)
    run = recipes.run

    def run_late(*given: Any) -> Edit:
        drafts.discard(cast.actor_of(alice), gone.id)
        return run(*given)

    monkeypatch.setattr(recipes, "run", run_late)
    response = client_of(alice).post(run_path(version), {"draft": [gone.id, left.id]})
    assert response.status_code == 422
    assert "A photo was already used or removed, perhaps in another tab. Add it again." in response.text
    assert (str(gone.id) in response.text, str(left.id) in response.text) == (False, True)
    assert not Edit.objects.exists()


def test_submitting_the_same_form_twice_creates_one_edit(client_of: SignIn, alice: User) -> None:
    version, client = kept(alice, prompt="make it sepia"), client_of(alice)
    data = {"draft": str(draft_of(alice).id), "submit_id": str(uuid.uuid4())}
    places = {client.post(run_path(version), data).headers["Location"] for _ in range(2)}
    assert len(places) == Edit.objects.count() == 1


def test_a_recipe_can_be_deleted(client_of: SignIn, alice: User) -> None:
    version = kept(alice)
    client = client_of(alice)
    response = client.post(f"/w/alice/recipes/{version.recipe_id}/delete/", follow=True)
    assert "was deleted" in response.text
    assert client.get(run_path(version)).status_code == 404
    assert client.post(f"/w/alice/recipes/{version.recipe_id}/delete/").status_code == 404


def test_the_photo_of_a_private_recipe_is_visible_only_to_its_creator(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    draft = drafts.create_draft(cast.actor_of(bob, team), cast.photo_file(), name="a.jpg")
    version = kept(bob, team, prompt="make it sepia", drafts=[draft])
    path = f"/media/recipes/{version.photos.get().id}/360/"
    assert status_of(client_of(bob).get(path)) == 200
    assert status_of(client_of(alice).get(path)) == 404
    recipes.save_recipe(
        cast.actor_of(bob, team), RecipeInput(name="A", prompt="b", is_shared=True), after=version
    )
    assert status_of(client_of(alice).get(path)) == 200


def status_of(response: Any) -> int:
    """Read a streamed response to its end, so that its file is closed, and return the status."""
    b"".join(response.streaming_content if response.streaming else ())
    return int(response.status_code)


@pytest.mark.parametrize("is_shared", [True, False])
def test_the_name_of_a_private_recipe_is_visible_only_to_its_creator(
    client_of: SignIn, alice: User, bob: User, team: Workspace, is_shared: bool
) -> None:
    version = kept(alice, team, is_shared=is_shared)
    batch = Batch.objects.create(
        workspace=team,
        owner=alice,
        prompt="make it sepia",
        recipe_version=version,
        photos=1,
        price=40,
        submit_id=uuid.uuid4(),
    )
    edit = cast.make_edit(alice, workspace=team, recipe_version=version, batch=batch, batch_position=1)
    for path in (f"/edits/{edit.id}/", f"/w/studio/batches/{batch.id}/"):
        assert "House color, version 1" in client_of(alice).get(path).text
        assert ("House color" in client_of(bob).get(path).text) == is_shared
