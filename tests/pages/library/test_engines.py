"""A recipe can name its engine, and a batch quotes one."""

import re
from typing import Any

import pytest
from django.test import Client

from editor.models import Batch, DraftPhoto, Edit, Engine, RecipeVersion, User, Workspace
from editor.services.library import recipes
from editor.services.library.recipes import RecipeInput
from editor.services.photos import drafts
from tests import cast
from tests.engines import EMBEDDED, configure
from tests.pages.editing.test_quotes import (
    EDITOR,
    SignIn,
    assert_submitted,
    form_of,
    quote_in,
    switch_off,
    words_of,
)
from tests.services.editing.test_routing import BLACK_AND_WHITE, CHEAP, DRAGON, STUDIO

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def three_engines(settings: Any) -> None:
    configure(settings, EMBEDDED, STUDIO, CHEAP)


@pytest.fixture
def client(client_of: SignIn, alice: User) -> Client:
    return client_of(alice)


@pytest.fixture
def photo(alice: User) -> DraftPhoto:
    return cast.make_draft(alice)


def kept_recipe(user: User, engine: str = "studio", prompt: str = BLACK_AND_WHITE) -> RecipeVersion:
    recipe = RecipeInput(name="Dragon", prompt=prompt, engine=engine)
    return recipes.save_recipe(cast.actor_of(user), recipe)


def test_a_recipe_names_its_engine(client: Client, alice: User) -> None:
    sent = {"name": "Dragon", "prompt": DRAGON, "outputs": "1", "output_format": "png", "engine": "studio"}
    assert client.post("/w/alice/recipes/new/", sent).status_code == 302
    version = RecipeVersion.objects.get()
    assert version.engine == "studio"
    page = client.get(f"/w/alice/recipes/{version.recipe_id}/")
    assert re.search('value="studio"[^>]*checked', page.text)
    refused = client.post("/w/alice/recipes/new/", sent | {"engine": "dragon"})
    assert refused.status_code == 422
    assert "This engine is not available." in words_of(refused)
    assert RecipeVersion.objects.count() == 1


@pytest.mark.parametrize(("engine", "said"), [("embedded", 2), ("studio", 1)])
def test_only_an_engine_that_plans_warns_of_unknown_words(client: Client, engine: str, said: int) -> None:
    sent = {"name": "Dragon", "prompt": "make the flobber red, then glorp", "engine": engine}
    page = client.post("/w/alice/recipes/new/", sent, follow=True)
    assert len(page.context["messages"]) == said


def test_a_recipe_runs_on_its_engine_or_on_the_one_that_is_chosen(
    client: Client, alice: User, photo: DraftPhoto
) -> None:
    version = kept_recipe(alice)
    run = f"/w/alice/recipes/{version.recipe_id}/run/"
    page = client.get(run)
    assert "Cost 60 credits" in words_of(page)
    assert "Your photos are sent to api.example.org." in words_of(page)
    sent = {"draft": [str(photo.id)], "quote": quote_in(page), "engine": "studio"}
    assert_submitted(client.post(run, sent), "studio", 60)
    other = cast.make_draft(alice)
    client.post(run, sent | {"draft": [str(other.id)], "engine": "cheap"})
    assert Edit.objects.order_by("id").last().price == 20  # type: ignore[union-attr]


def test_another_engine_does_what_a_recipe_asks_for_in_one_click(
    client: Client, alice: User, photo: DraftPhoto
) -> None:
    run = f"/w/alice/recipes/{kept_recipe(alice, 'embedded', DRAGON).recipe_id}/run/"
    page = client.get(run)
    assert "Do it with gpt-image-2 (60 credits)" in words_of(page)
    sent = {"draft": [str(photo.id)], "quote": quote_in(page), "engine": "embedded", "other": "studio"}
    assert_submitted(client.post(run, sent), "studio", 60)


def test_a_recipe_whose_engine_is_off_says_which_one_it_uses(
    client: Client, alice: User, photo: DraftPhoto, staff: User
) -> None:
    version = kept_recipe(alice)
    switch_off(staff, "studio")
    page = client.get(f"/w/alice/recipes/{version.recipe_id}/run/")
    assert "names the engine studio, which is not available at the moment. Built-in carries" in words_of(page)
    assert "Cost 40 credits" in words_of(page)


def test_the_editor_shows_the_engine_of_a_recipe_before_it_is_run(
    client: Client, alice: User, photo: DraftPhoto
) -> None:
    version = kept_recipe(alice)
    sent = form_of(photo, client.get(EDITOR), engine="embedded")
    page = client.post(f"/w/alice/recipes/{version.recipe_id}/run/", sent)
    assert page.status_code == 200
    assert "Cost 60 credits" in words_of(page)
    assert not Edit.objects.exists()


def batch_of(user: User, **fields: Any) -> dict[str, Any]:
    kind = DraftPhoto.Tray.BATCH
    made = [
        drafts.create_draft(cast.actor_of(user), cast.photo_file(), name="a.jpg", tray=kind) for _ in "12"
    ]
    return {"prompt": DRAGON, "draft": [str(one.id) for one in made], "step": "quote"} | fields


def test_a_batch_quotes_one_engine(client: Client, alice: User) -> None:
    sent = batch_of(alice, engine="studio")
    page = client.post("/w/alice/batches/new/", sent)
    assert "Engine studio, gpt-image-2 2 photos" in words_of(page)
    assert "Your photos are sent to api.example.org." in words_of(page)
    assert "2 photos at 60 120 credits" in words_of(page)
    sent |= {"step": "start", "agreed": "120", "quote": quote_in(page)}
    Engine.objects.filter(name="studio").update(price_free=50)
    back = client.post("/w/alice/batches/new/", sent)
    assert "This edit now costs 50 credits instead of 60." in words_of(back)
    assert not Batch.objects.exists()
    sent |= {"agreed": "100", "quote": quote_in(back)}
    assert client.post("/w/alice/batches/new/", sent).status_code == 302
    assert {(edit.engine.name, edit.price) for edit in Edit.objects.all() if edit.engine} == {("studio", 50)}
    assert Workspace.objects.get(pk=alice.personal_workspace.pk).held == 100


def test_a_batch_whose_engine_was_switched_off_shows_its_form_again(
    client: Client, alice: User, staff: User
) -> None:
    sent = batch_of(alice, engine="studio")
    quote = quote_in(client.post("/w/alice/batches/new/", sent))
    switch_off(staff, "studio")
    back = client.post("/w/alice/batches/new/", sent | {"step": "start", "agreed": "120", "quote": quote})
    assert back.status_code == 422
    assert "The engine studio is off at the moment." in words_of(back)
    assert f"{DRAGON}</textarea>" in back.text
    assert not Batch.objects.exists()


def test_an_automatic_batch_goes_to_the_engine_that_fits_its_prompt(
    client: Client, alice: User, settings: Any
) -> None:
    settings.EDIT_ROUTING = "auto"
    sent = batch_of(alice, engine="")
    page = client.post("/w/alice/batches/new/", sent)
    assert "2 photos at 60" in words_of(page)
    sent |= {"step": "start", "agreed": "120", "quote": quote_in(page)}
    assert client.post("/w/alice/batches/new/", sent).status_code == 302
    assert {edit.engine.name for edit in Edit.objects.all() if edit.engine} == {"studio"}
