"""Tests that the OpenAPI description matches the code in every route, field, choice, and status."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern

from editor.api import bodies, edits, openapi, schemas
from editor.engine.language.explain import explain
from editor.models import Edit, User
from editor.options import ASPECT_RATIOS, OUTPUT_FORMATS
from editor.urls import urlpatterns
from tests import cast
from tests.api.calls import ACCOUNT, EDITS, STATUS, data_of, form, json_fields, send, send_form

pytestmark = pytest.mark.django_db


@pytest.fixture
def served(client: Client) -> dict[str, Any]:
    response = client.get("/api/openapi.json")
    assert response.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = json.loads(response.content)
    return found


def operations(served: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        operation["operationId"]: operation
        for path in served["paths"].values()
        for operation in path.values()
    }


def shape(served: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = served["components"]["schemas"][name]
    return found


def test_every_api_route_is_described(served: dict[str, Any]) -> None:
    routes = {f"/{pattern.pattern}" for pattern in urlpatterns if isinstance(pattern, URLPattern)}
    ours = {route for route in routes if route.startswith("/api/photo-editor/")}
    assert set(served["paths"]) == ours
    assert len(ours) == 5


def test_every_allowed_method_is_described(served: dict[str, Any], api: Client) -> None:
    for path, methods in served["paths"].items():
        allowed = api.delete(path).headers["Allow"].lower().split(", ")
        assert set(methods) == set(allowed) - {"head"}, "HEAD is allowed wherever GET is"


def test_the_described_choices_match_the_options(served: dict[str, Any]) -> None:
    fields = shape(served, "EditAsJson")["properties"]
    assert fields["aspectRatio"]["enum"] == ["", *ASPECT_RATIOS, None]
    assert fields["outputFormat"]["enum"] == ["", *OUTPUT_FORMATS, None]
    assert fields["outputFormat"]["default"] == "png"
    assert (fields["imageUrls"]["minItems"], fields["imageUrls"]["maxItems"]) == (1, 5)
    assert fields["prompt"]["maxLength"] == settings.MAX_PROMPT_CHARACTERS
    states = shape(served, "State")["properties"]["status"]["enum"]
    assert states == ["PENDING", "RUNNING", "SUCCESS", "FAILED"]


def test_the_described_limits_match_the_settings(client: Client, settings: Any) -> None:
    settings.MAX_PROMPT_CHARACTERS = 77
    settings.PUBLIC_URL = "https://photos.example.org"
    served = json.loads(client.get("/api/openapi.json").content)
    assert shape(served, "EditAsJson")["properties"]["prompt"]["maxLength"] == 77
    assert served["servers"] == [{"url": "https://photos.example.org"}]


def test_exactly_the_accepted_fields_are_described(served: dict[str, Any]) -> None:
    read = set(bodies.FIELD_NAMES.values())
    assert set(shape(served, "EditAsJson")["properties"]) == read
    assert set(shape(served, "EditAsForm")["properties"]) == read - {"imageUrls"} | set(bodies.FILE_FIELDS)


def test_every_field_of_the_responses_is_described(served: dict[str, Any], api: Client, alice: User) -> None:
    task = data_of(send(api, json_fields()))
    assert set(task) == set(shape(served, "Task")["required"]) == set(shape(served, "Task")["properties"])
    assert set(data_of(send_form(api, form()))) == set(task)
    plan = explain("remove the trellis").as_json()
    ended = [
        cast.make_edit(alice),
        cast.make_edit(alice, state="FAILED", failure_code="rejected", plan=plan),
    ]
    answered = set[str]().union(*(data_of(api.get(STATUS, {"taskId": str(edit.id)})) for edit in ended))
    assert answered == set(shape(served, "State")["properties"])
    (refused,) = data_of(api.get(STATUS, {"taskId": str(ended[1].id)}))["refusals"]
    assert set(refused) == set(shape(served, "RefusedPart")["properties"])
    listed = data_of(api.get(EDITS))
    assert set(listed) == set(shape(served, "EditList")["properties"])
    assert set[str]().union(*listed["edits"]) == set(shape(served, "Entry")["properties"])
    account, described = data_of(api.get(ACCOUNT)), shape(served, "Account")["properties"]
    assert set(account) == set(described)
    assert set(account["limits"]) == set(described["limits"]["properties"])


def test_every_status_that_the_code_returns_is_described(served: dict[str, Any]) -> None:
    """The description must contain every status that the API's source code or the middleware uses."""
    described = {int(status) for one in operations(served).values() for status in one["responses"]}
    assert described == {200, *openapi.REFUSALS}
    source = "\n".join(path.read_text() for path in Path(openapi.__file__).parent.glob("*.py"))
    written = {int(status) for status in re.findall(r"(?:ApiError\(|: \()(\d{3})", source)}
    assert {400, 402, 404, 405, 409, 415, 422} <= written
    assert written - {405} <= described, "a 405 applies only to methods that are not in the description"


def test_every_call_may_be_refused_for_plain_http(served: dict[str, Any]) -> None:
    silent = [name for name, one in operations(served).items() if "403" not in one["responses"]]
    assert silent == []
    assert "without HTTPS" in openapi.REFUSALS[403]


def test_every_reference_leads_somewhere(served: dict[str, Any]) -> None:
    for reference in set(re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(served))):
        found: Any = served
        for part in reference.split("/"):
            found = found[part]
        assert found


def test_every_error_response_has_the_refusal_schema(served: dict[str, Any]) -> None:
    for operation in operations(served).values():
        for status, answer in operation["responses"].items():
            schema = answer["content"]["application/json"]["schema"]
            assert (schema == {"$ref": "#/components/schemas/Refusal"}) is (status != "200")


def test_every_edit_state_maps_to_an_api_status() -> None:
    assert set(edits.STATUSES) == set(Edit.State)
    assert set(schemas.STATUS_WORDS) == set(edits.STATUSES.values())


def test_the_description_is_public_and_read_only(client: Client) -> None:
    response = client.get("/api/openapi.json")
    assert "public" in response.headers["Cache-Control"]
    assert client.post("/api/openapi.json").status_code == 405


def test_no_module_of_the_api_reads_the_web_session() -> None:
    for path in Path(openapi.__file__).parent.glob("*.py"):
        names = {
            node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)
        }
        assert not names & {"session", "COOKIES"}, path
