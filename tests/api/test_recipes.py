"""Tests for using recipes through the API."""

import json
import uuid
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from editor.api.edits import RECIPE_UNREADABLE
from editor.models import Edit, RecipeVersion, User, Workspace
from editor.options import EditOptions, Region
from editor.services.library import recipes
from editor.services.library.recipes import RecipeInput
from editor.services.photos import drafts
from tests import cast
from tests.api.calls import URL, assert_nothing_happened, balance_of, data_of, message_of, send, send_form
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db
OPTIONS = EditOptions(aspect_ratio="1:1", output_format="webp", outputs=2, regions=(Region(0, 0, 0.5, 0.5),))


@pytest.fixture
def version(alice: User) -> RecipeVersion:
    wording = RecipeInput(name="Tone", prompt="make it {tone}", options=OPTIONS)
    return recipes.save_recipe(cast.actor_of(alice), wording)


def recipe_fields(version: RecipeVersion, **fields: Any) -> dict[str, Any]:
    recipe = {"recipe": str(version.recipe_id), "variables": {"tone": "sepia"}}
    return recipe | {"imageUrls": [URL], **fields}


def test_a_recipe_is_run_with_its_options(api: Client, version: RecipeVersion) -> None:
    task = data_of(send(api, recipe_fields(version)))
    edit = Edit.objects.get(id=task["taskId"])
    assert (task["prompt"], task["numImages"], task["aspectRatio"]) == ("make it ‹sepia›", 2, "1:1")
    assert (edit.recipe_version, edit.options, edit.source) == (version, OPTIONS, "api")


def test_options_in_the_request_override_those_of_the_recipe(api: Client, version: RecipeVersion) -> None:
    data_of(send(api, recipe_fields(version, numImages=1, outputFormat="png", aspectRatio="")))
    edit = Edit.objects.get()
    assert (edit.outputs, edit.output_format, edit.aspect_ratio) == (1, "png", "1:1")


def test_a_form_sends_its_variables_as_json_text(api: Client, version: RecipeVersion, alice: User) -> None:
    fields = {"recipe": str(version.recipe_id), "variables": '{"tone": "sepia"}', "file0": cast.photo_file()}
    data_of(send_form(api, fields))
    assert Edit.objects.get().prompt == "make it ‹sepia›"
    cast.assert_ledger_balances(alice.personal_workspace)


def test_the_photos_of_the_recipe_follow_the_sent_photos(api: Client, alice: User) -> None:
    actor = cast.actor_of(alice)
    logo = drafts.create_draft(actor, cast.photo_file(color="red"), name="logo.jpg")
    version = recipes.save_recipe(actor, RecipeInput(name="Logo", prompt="make it sepia", drafts=[logo]))
    by_url = data_of(send(api, recipe_fields(version, variables={})))
    by_file = data_of(send_form(api, {"recipe": str(version.recipe_id), "file0": cast.photo_file("a.jpg")}))
    assert by_url["inputImages"] == [URL]
    assert len(by_file["inputImages"]) == 2
    positions = [photo.position for photo in Edit.objects.get(id=by_url["taskId"]).references.all()]
    assert positions == [2]
    two = send(api, recipe_fields(version, variables={}, imageUrls=[URL, URL]))
    assert message_of(two, 400) == "This recipe already includes the other photos. Add only one photo."


def test_a_box_can_be_on_a_photo_of_the_recipe(api: Client, alice: User) -> None:
    actor = cast.actor_of(alice)
    logo = drafts.create_draft(actor, cast.photo_file(color="red"), name="logo.jpg")
    version = recipes.save_recipe(actor, RecipeInput(name="Logo", prompt="put photo 2 there", drafts=[logo]))

    def boxed(image: int) -> Any:
        box = {"image": image, "x": 0, "y": 0, "w": 1, "h": 1}
        return send(api, recipe_fields(version, variables={}, regions=[box]))

    data_of(boxed(2))
    assert [region.image for region in Edit.objects.get().options.regions] == [2]
    assert (
        message_of(boxed(3), 400)
        == "regions: A box is on photo 3, which is missing. Add the photo or delete the box."
    )
    assert Edit.objects.count() == 1


def test_a_recipe_with_a_missing_photo_file_is_rejected(api: Client, alice: User) -> None:
    actor = cast.actor_of(alice)
    logo = drafts.create_draft(actor, cast.photo_file(color="red"), name="logo.jpg")
    version = recipes.save_recipe(actor, RecipeInput(name="Logo", prompt="make it sepia", drafts=[logo]))
    cast.path_of(version.photos.get()).unlink()
    assert message_of(send(api, recipe_fields(version, variables={})), 400) == RECIPE_UNREADABLE
    assert (Edit.objects.count(), balance_of(alice)) == (0, (400, 0))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"variables": {}}, "variables: Enter a value for “tone”."),
        ({"variables": None}, "variables: Send an object with string values"),
        ({"variables": {"tone": "\u200b"}}, "variables: Enter a value for “tone”."),
        (
            {"variables": {"tone": "a\x00"}},
            "variables: “tone” contains a character that can't be saved. Enter",
        ),
        ({"variables": {"tone": "x" * 201}}, "variables: Use at most 200 characters for “tone”."),
        ({"variables": {"tone": "x", "size": "y"}}, "variables: This recipe has no variable “size”."),
        ({"variables": {"tone": 7}}, "variables: Send an object with string values"),
        ({"variables": ["sepia"]}, "variables: Send an object with string values"),
        ({"recipe": 7}, "recipe: Send a string."),
        ({"prompt": "darker"}, "Send prompt or recipe, not both."),
        ({"recipe": None}, "recipe: Send a string."),
        ({"imageUrls": []}, "At least one image URL is required"),
        ({"numImages": 9}, "numImages: Choose at most 4 results."),
    ],
)
def test_an_invalid_recipe_request_gets_a_specific_message(
    api: Client, version: RecipeVersion, alice: User, fields: dict[str, Any], sentence: str
) -> None:
    assert message_of(send(api, recipe_fields(version, **fields)), 400).startswith(sentence)
    assert_nothing_happened(alice)


def test_variables_without_a_recipe_are_rejected(api: Client, alice: User) -> None:
    fields = {"prompt": "darker", "variables": {}, "imageUrls": [URL]}
    assert message_of(send(api, fields), 400) == "variables: Also send the recipe that uses them."
    assert_nothing_happened(alice)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tone": 1}', '{"tone": "a", "tone": "b"}', "null "])
def test_invalid_variables_in_a_form_are_rejected(
    api: Client, version: RecipeVersion, alice: User, text: str
) -> None:
    fields = {"recipe": str(version.recipe_id), "variables": text, "file0": cast.photo_file()}
    assert message_of(send_form(api, fields), 400).startswith("variables: S")
    assert_nothing_happened(alice)


@pytest.mark.parametrize("recipe", [str(uuid.UUID(int=7)), "house color", "7", "\x00"])
def test_an_unknown_recipe_returns_404(api: Client, alice: User, recipe: str) -> None:
    response = send(api, {"recipe": recipe, "imageUrls": [URL]})
    assert message_of(response, 404) == "recipe: This recipe does not exist, or you do not have access to it."
    assert_nothing_happened(alice)


def test_a_key_can_run_the_recipes_its_user_can_see_in_the_workspace(
    program: Program, alice: User, bob: User, team: Workspace
) -> None:
    tone = RecipeInput(name="Tone", prompt="make it {tone}")
    private = recipes.save_recipe(cast.actor_of(alice, team), tone)
    shared = recipes.save_recipe(cast.actor_of(alice, team), replace(tone, is_shared=True))
    assert send(program(bob, team), recipe_fields(shared)).status_code == 200
    assert send(program(bob, team), recipe_fields(private)).status_code == 404
    assert send(program(alice, team), recipe_fields(private)).status_code == 200
    assert send(program(alice), recipe_fields(shared)).status_code == 404


def test_a_repeated_request_gets_the_same_task_after_the_recipe_changed(
    api: Client, alice: User, version: RecipeVersion
) -> None:
    headers = {"Idempotency-Key": "once"}
    first = data_of(send(api, recipe_fields(version), **headers))
    recipes.save_recipe(
        cast.actor_of(alice), RecipeInput(name="Tone", prompt="make it {mood}"), after=version
    )
    assert data_of(send(api, recipe_fields(version), **headers)) == first
    recipes.delete(cast.actor_of(alice), version.recipe)
    assert data_of(send(api, recipe_fields(version), **headers)) == first
    assert send(api, recipe_fields(version, variables={"tone": "warmer"}), **headers).status_code == 422
    assert Edit.objects.count() == 1


def test_the_recipe_field_is_documented(client: Client) -> None:
    served = json.loads(client.get("/api/openapi.json").content)
    for name, keyword in (("EditAsJson", "oneOf"), ("EditAsForm", "anyOf")):
        assert {"required": ["recipe"]} in served["components"]["schemas"][name][keyword]
    assert "<code>recipe</code>" in client.get("/api/docs/").text
