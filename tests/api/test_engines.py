"""A program can name the engine of an edit, and the answers say which one it is."""

import json
from typing import Any

import pytest
from django.test import Client

from editor.models import Edit, Engine, User, Workspace
from editor.services.editing import engines, exclusions, lifecycle
from editor.services.library import recipes
from editor.services.library.recipes import RecipeInput
from tests import cast
from tests.api.calls import (
    ACCOUNT,
    EDITS,
    STATUS,
    assert_nothing_happened,
    balance_of,
    data_of,
    form,
    json_fields,
    message_of,
    send,
    send_form,
)
from tests.engines import EMBEDDED, another_site, configure
from tests.services.editing.test_routing import CHEAP, DRAGON, STUDIO

pytestmark = pytest.mark.django_db
KEY = {"Idempotency-Key": "one"}


@pytest.fixture(autouse=True)
def three_engines(settings: Any) -> None:
    configure(settings, EMBEDDED, STUDIO, CHEAP)


def test_the_requested_engine_gets_the_edit_at_its_price(api: Client, alice: User) -> None:
    data = data_of(send(api, json_fields(engine="studio")))
    edit = Edit.objects.get()
    assert (data["engine"], data["model"]) == ("studio", "gpt-image-2")
    assert (edit.engine, edit.price, balance_of(alice)) == (Engine.objects.get(name="studio"), 60, (400, 60))
    [entry] = data_of(api.get(EDITS))["edits"]
    assert entry["engine"] == "studio"


def test_the_status_of_an_ended_edit_names_the_engine_that_carried_it_out(api: Client, alice: User) -> None:
    """It differs from that of the first response if another engine stood in."""
    task_id = data_of(send(api, json_fields(engine="studio")))["taskId"]
    assert data_of(api.get(STATUS, {"taskId": task_id})) == {"status": "PENDING"}
    Edit.objects.update(engine=Engine.objects.get(name="cheap"))
    lifecycle.cancel(cast.actor_of(alice), Edit.objects.get())
    assert data_of(api.get(STATUS, {"taskId": task_id}))["engine"] == "cheap"
    [entry] = data_of(api.get(EDITS))["edits"]
    assert (entry["status"], entry["engine"]) == ("FAILED", "cheap")


def test_an_edit_without_an_engine_row_is_named_by_its_adapter(api: Client, alice: User) -> None:
    edit = cast.make_edit(alice)
    Edit.objects.update(engine=None)
    assert data_of(api.get(STATUS, {"taskId": str(edit.id)}))["engine"] == "embedded"


def test_a_form_can_name_an_engine_too(api: Client) -> None:
    assert data_of(send_form(api, form(engine="cheap")))["engine"] == "cheap"
    assert Edit.objects.get().price == 20


@pytest.mark.parametrize("fields", [{}, {"engine": ""}, {"engine": None}])
def test_without_a_name_the_site_chooses_the_engine(
    api: Client, settings: Any, fields: dict[str, Any]
) -> None:
    assert data_of(send(api, json_fields(**fields)))["engine"] == "embedded"
    settings.EDIT_ROUTING = "auto"
    assert data_of(send(api, json_fields(prompt=DRAGON, **fields)))["engine"] == "studio"


@pytest.mark.parametrize("name", ["dragon", "Embedded", " studio", "x" * 5000, "\x00", "a\ud800"])
def test_an_unknown_engine_is_rejected_with_a_list_of_engines(api: Client, alice: User, name: str) -> None:
    refused = message_of(send(api, json_fields(engine=name)), 400)
    assert refused == "engine: There is no engine with this name. Choose one of embedded, studio, cheap."
    assert_nothing_happened(alice)


@pytest.mark.parametrize("value", [5, True, ["studio"], {"name": "studio"}])
def test_an_engine_name_must_be_a_string(api: Client, alice: User, value: Any) -> None:
    assert message_of(send(api, json_fields(engine=value)), 400) == "engine: Send a string."
    assert_nothing_happened(alice)


def test_an_engine_that_is_off_returns_503_before_a_photo_is_decoded(
    api: Client, alice: User, staff: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(settings, another_site(), STUDIO)  # The default engine creates one result.
    engines.switch_off(staff, Engine.objects.get(name="studio"), reason="Maintenance.")
    monkeypatch.setattr("editor.services.photos.drafts.store_upload", lambda *_, **__: pytest.fail("decoded"))
    for option in ({}, {"numImages": "2"}):
        refused = send_form(api, form(engine="studio", **option))
        assert refused.headers["Retry-After"] == "60"
        assert "The engine studio is off at the moment." in message_of(refused, 503)
    assert_nothing_happened(alice)


def test_an_option_that_the_engine_does_not_support_is_rejected(api: Client, alice: User) -> None:
    point = [{"x": 0.5, "y": 0.5}]
    assert message_of(send(api, json_fields(engine="studio", points=point)), 400).startswith("points: ")
    assert_nothing_happened(alice)


def test_reusing_an_idempotency_key_for_another_engine_returns_422(api: Client, staff: User) -> None:
    first = data_of(send(api, json_fields(engine="studio"), **KEY))
    assert data_of(send(api, json_fields(engine="studio"), **KEY)) == first
    for other in ({"engine": "cheap"}, {}):
        assert "already used" in message_of(send(api, json_fields(**other), **KEY), 422)
    engines.switch_off(staff, Engine.objects.get(name="studio"), reason="Maintenance.")
    assert data_of(send(api, json_fields(engine="studio"), **KEY)) == first, "also while its engine is off"
    assert Edit.objects.count() == 1


@pytest.mark.parametrize("named", [{}, {"engine": "studio"}])
def test_a_replay_does_not_depend_on_what_the_engines_can_do_now(
    api: Client, staff: User, settings: Any, named: dict[str, str]
) -> None:
    configure(settings, STUDIO, another_site())  # The other site supports no boxes and creates one result.
    body = json_fields(numImages=2, regions=[{"x": 0.1, "y": 0.1, "w": 0.3, "h": 0.3}], **named)
    first = data_of(send(api, body, **KEY))
    engines.switch_off(staff, Engine.objects.get(name="studio"), reason="Maintenance.")
    assert data_of(send(api, body, **KEY)) == first


def test_the_account_lists_the_engines_that_are_on(api: Client, staff: User) -> None:
    engines.switch_off(staff, Engine.objects.get(name="cheap"), reason="Maintenance.")
    account = data_of(api.get(ACCOUNT))
    assert account["engines"] == [
        {"name": "embedded", "model": "darkroom-engine-1", "price": 40, "host": ""},
        {"name": "studio", "model": "gpt-image-2", "price": 60, "host": "api.example.org"},
    ]
    assert "http" not in json.dumps(account["engines"])


def test_a_refusal_offers_the_other_engine_with_its_price(api: Client, alice: User, staff: User) -> None:
    refusal = {"words": "add a dragon", "reason": "unknown_word", "hint": "Try again."}
    edit = cast.make_edit(
        alice,
        state="FAILED",
        failure_code="rejected",
        prompt=DRAGON,
        plan={"steps": [], "not_understood": [refusal]},
    )

    def ways() -> list[dict[str, Any]]:
        [part] = data_of(api.get(STATUS, {"taskId": str(edit.id)}))["refusals"]
        found: list[dict[str, Any]] = part["ways"]
        return found

    assert ways() == [{"kind": "engine", "text": DRAGON, "engine": "studio", "price": 60}]
    Workspace.objects.filter(pk=edit.workspace_id).update(plan="pro")
    engines.switch_off(staff, Engine.objects.get(name="studio"), reason="Maintenance.")
    assert ways() == [{"kind": "engine", "text": DRAGON, "engine": "cheap", "price": 35}]
    engines.switch_off(staff, Engine.objects.get(name="cheap"), reason="Maintenance.")
    assert ways() == []


def test_the_engine_of_a_recipe_is_used_unless_the_request_names_another(
    api: Client, alice: User, staff: User
) -> None:
    asks = RecipeInput(name="Dragon", prompt="black and white", engine="studio")
    version = recipes.save_recipe(cast.actor_of(alice), asks)
    fields = {"prompt": None, "recipe": str(version.recipe_id)}
    assert data_of(send(api, json_fields(**fields)))["engine"] == "studio"
    assert data_of(send(api, json_fields(**fields, engine="cheap")))["engine"] == "cheap"
    engines.switch_off(staff, Engine.objects.get(name="studio"), reason="Maintenance.")
    assert data_of(send(api, json_fields(**fields)))["engine"] == "embedded"


def test_an_excluded_engine_returns_403_with_a_reason_code(api: Client, alice: User) -> None:
    Engine.objects.filter(name="studio").update(is_external=True)
    exclusions.exclude_external(cast.actor_of(alice), is_excluded=True)
    response = send(api, json_fields(engine="studio"))
    body = response.json()
    assert (response.status_code, body["code"], body["reason"]) == (403, 403, "engine_not_allowed")
    assert "is excluded from this workspace" in body["message"]
    assert not Edit.objects.exists()
    assert balance_of(alice) == (400, 0)
    assert "studio" not in {engine["name"] for engine in data_of(api.get(ACCOUNT))["engines"]}
