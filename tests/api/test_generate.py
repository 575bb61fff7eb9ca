"""Tests for creating a task, with all fields in both formats, and for the rows and files that it creates."""

import uuid
from typing import Any

import pytest
from django.test import Client

from editor.api.bodies import FIELD_NAMES
from editor.models import DraftPhoto, Edit, User
from editor.options import ASPECT_RATIOS, OUTPUT_FORMATS, Point
from editor.providers.engine_settings import EngineSettings
from editor.services.photos import analysis
from tests import cast
from tests.api.calls import URL, balance_of, data_of, form, json_fields, message_of, send, send_form
from tests.api.conftest import Program
from tests.engines import EMBEDDED, configure

pytestmark = pytest.mark.django_db


def test_a_json_request_returns_all_fields_of_the_task(api: Client, alice: User) -> None:
    urls = [URL, "http://photos.example.net:8080/b%20c.png?x=1&y=2"]
    body = {
        "prompt": "Make it warmer",
        "imageUrls": urls,
        "aspectRatio": "16:9",
        "outputFormat": "webp",
        "numImages": 2,
    }
    data = data_of(send(api, body))
    edit = Edit.objects.get()
    assert data == {
        "provider": "darkroom",
        "model": "darkroom-engine-1",
        "engine": "embedded",
        "taskId": str(edit.id),
        "prompt": "Make it warmer",
        "aspectRatio": "16:9",
        "inputImages": urls,
        "numImages": 2,
    }
    assert (edit.state, edit.source, edit.price) == ("QUEUED", "api", 40)
    assert (edit.aspect_ratio, edit.output_format, edit.outputs) == ("16:9", "webp", 2)
    assert edit.image_urls == urls
    assert edit.references.count() == 0
    assert edit.api_key == alice.api_keys.get()
    assert edit.owner == alice
    assert balance_of(alice) == (400, 40)
    cast.assert_ledger_balances(edit.workspace)


def test_a_multipart_request_returns_all_fields_of_the_task(api: Client, alice: User) -> None:
    fields = {
        "prompt": "Make it warmer",
        "file0": cast.photo_file("lake.jpg", width=60),
        "file1": cast.photo_file("boat.png", width=70, format="PNG"),
        "aspectRatio": "4:5",
        "outputFormat": "jpeg",
        "numImages": "3",
    }
    data = data_of(send_form(api, fields))
    edit = Edit.objects.get()
    addresses = data.pop("inputImages")
    assert data == {
        "provider": "darkroom",
        "model": "darkroom-engine-1",
        "engine": "embedded",
        "taskId": str(edit.id),
        "prompt": "Make it warmer",
        "aspectRatio": "4:5",
        "numImages": 3,
    }
    assert (edit.aspect_ratio, edit.output_format, edit.outputs) == ("4:5", "jpeg", 3)
    kept = [(photo.position, photo.name, photo.width) for photo in edit.references.all()]
    assert kept == [(1, "lake.jpg", 60), (2, "boat.png", 70)]
    assert len(addresses) == 2
    for address, reference in zip(addresses, edit.references.all(), strict=True):
        answer: Any = Client().get(address)
        assert answer.getvalue() == cast.path_of(reference).read_bytes()
    assert not DraftPhoto.objects.exists()
    assert balance_of(alice) == (400, 40)


def test_missing_fields_have_their_default_values(api: Client) -> None:
    data = data_of(send(api, json_fields()))
    assert (data["aspectRatio"], data["numImages"]) == ("", 1)
    edit = Edit.objects.get()
    assert (edit.aspect_ratio, edit.output_format, edit.outputs) == ("", "png", 1)
    assert (edit.regions, edit.partial) == ([], False)


@pytest.mark.parametrize("nothing", [None, ""])
def test_an_empty_choice_counts_as_missing(api: Client, nothing: str | None) -> None:
    assert data_of(send(api, json_fields(aspectRatio=nothing, outputFormat=nothing)))["aspectRatio"] == ""
    assert data_of(send(api, json_fields(numImages=None, regions=None, partial=None)))["numImages"] == 1


def test_a_whole_number_may_have_a_decimal_point(api: Client) -> None:
    assert data_of(send(api, json_fields(numImages=2.0)))["numImages"] == 2
    assert Edit.objects.get().outputs == 2


def test_an_empty_part_of_a_form_counts_as_missing(api: Client) -> None:
    names = set(FIELD_NAMES.values()) - {"prompt", "recipe", "variables"}
    data = data_of(send_form(api, form(**dict.fromkeys(names, ""))))
    assert (len(data["inputImages"]), data["aspectRatio"], data["numImages"]) == (1, "", 1)
    response = send_form(api, {"prompt": "warmer", "imageUrls": ""})
    assert message_of(response, 400) == "At least one image URL is required"


def test_every_allowed_value_is_accepted(api: Client, alice: User, settings: Any) -> None:
    cast.make_grant(alice.personal_workspace, 4000)
    for ratio in ASPECT_RATIOS:
        assert data_of(send(api, json_fields(aspectRatio=ratio)))["aspectRatio"] == ratio
    for name in OUTPUT_FORMATS:
        task = data_of(send(api, json_fields(outputFormat=name)))["taskId"]
        assert Edit.objects.get(id=task).output_format == name
    for count in range(1, settings.MAX_OUTPUTS + 1):
        assert data_of(send(api, json_fields(numImages=count)))["numImages"] == count
    for count in range(1, 6):
        assert len(data_of(send(api, json_fields(imageUrls=[URL] * count)))["inputImages"]) == count


def test_unknown_fields_change_nothing(api: Client, alice: User) -> None:
    extra = {"credits": 9999, "price": 0, "plan": "pro", "owner": 1, "state": "SUCCESS", "is_staff": True}
    data_of(send(api, json_fields(**extra)))
    data_of(send_form(api, form(**extra)))
    assert set(Edit.objects.values_list("state", "price", "owner")) == {("QUEUED", 40, alice.pk)}
    assert balance_of(alice) == (400, 80)
    alice.refresh_from_db()
    assert not alice.is_staff


def test_regions_and_partial_reach_the_edit_in_both_formats(api: Client) -> None:
    box = {"image": 2, "x": 0.1, "y": 0, "w": 0.5, "h": 1}
    data_of(send(api, json_fields(imageUrls=[URL, URL], regions=[box | {"note": "a face"}], partial=True)))
    text = '[{"x": 0.25, "y": 0.25, "w": 0.5, "h": 0.5}]'
    data_of(send_form(api, form(regions=text, partial="true")))
    by_json, by_form = Edit.objects.order_by("id")
    assert by_json.regions == [box]
    assert by_form.regions == [{"x": 0.25, "y": 0.25, "w": 0.5, "h": 0.5, "image": 1}]
    assert by_json.partial
    assert by_form.partial


def test_keep_everything_else_reaches_the_edit_in_both_formats(
    api: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "analysis_memory", lambda: 1)
    model = EngineSettings("openai-images", "openai-images", "http://127.0.0.1:9", model="gpt-image-2.6")
    configure(settings, model, EMBEDDED)
    prompt = "make the car red"
    for decision in (None, True, False):
        data_of(send(api, json_fields(prompt=prompt, keepEverythingElse=decision)))
    for text in ("", "true", "0"):
        data_of(send_form(api, form(prompt=prompt, keepEverythingElse=text)))
    edits = list(Edit.objects.order_by("id"))
    assert [edit.options.keep_everything_else for edit in edits] == [None, True, False] * 2
    assert ["area" in (edit.plan or {}) for edit in edits] == [True, True, False] * 2
    refused = send(api, json_fields(prompt="add a dragon", keepEverythingElse=True))
    assert refused.status_code == 400
    assert refused.json()["message"].startswith("keepEverythingElse: I can't tell which part of the photo")


def test_points_reach_the_edit_in_both_formats(api: Client) -> None:
    point = {"image": 1, "x": 0.5, "y": 0.25, "keep": True}
    data_of(send(api, json_fields(prompt="make it blue", points=[point | {"kind": "cat"}])))
    data_of(send_form(api, form(points='[{"x": 0.5, "y": 0.5}, {"x": 0.1, "y": 0, "keep": false}]')))
    by_json, by_form = Edit.objects.order_by("id")
    assert by_json.options.points == (Point(0.5, 0.25),)
    assert by_form.options.points == (Point(0.5, 0.5), Point(0.1, 0, keep=False))
    assert by_json.plan is not None
    assert by_json.plan["steps"][0]["says"] == "Make what you selected blue"


@pytest.mark.parametrize(
    "points",
    ["0.5,0.5", [[0.5, 0.5]], [{"x": "0", "y": 0}], [{"x": 0, "y": 0, "keep": 1}], [{"x": 0}]],
)
def test_invalid_points_are_rejected_with_an_example(api: Client, points: Any) -> None:
    message = message_of(send(api, json_fields(points=points)), 400)
    assert message.startswith('points: Send points such as [{"image": 1, "x": 0.5, "y": 0.5, "keep": true}].')


def test_a_point_outside_the_photo_is_refused(api: Client) -> None:
    message = message_of(send(api, json_fields(points=[{"x": 1.5, "y": 0}])), 400)
    assert message == "points: A point must be given in fractions from 0 to 1: x,y."


def test_the_prompt_is_trimmed_and_normalized(api: Client) -> None:
    data = data_of(send(api, json_fields(prompt="  make the cafe\u0301 brighter\r\n ")))
    assert data["prompt"] == "make the caf\u00e9 brighter"


def test_an_edit_costs_the_price_of_the_plan(api: Client, alice: User) -> None:
    workspace = alice.personal_workspace
    workspace.plan = "pro"
    workspace.save()
    data_of(send(api, json_fields()))
    assert Edit.objects.get().price == 35
    assert balance_of(alice) == (400, 35)


def test_the_key_decides_which_workspace_pays(program: Program, bob: User, team: Any) -> None:
    data_of(send(program(bob, team), json_fields()))
    assert Edit.objects.get().workspace == team
    assert balance_of(bob) == (400, 0)
    team.refresh_from_db()
    assert team.held == 40


def test_a_refused_prompt_creates_a_task_that_fails_without_a_charge(api: Client, alice: User) -> None:
    from editor.services.editing import lifecycle

    task = data_of(send_form(api, form(prompt="add a unicorn")))["taskId"]
    edit = Edit.objects.get()
    assert edit.plan is not None
    assert not edit.plan["accepted"]
    lifecycle.advance.call(task)
    data = data_of(api.get(f"/api/photo-editor/status?taskId={task}"))
    [refusal] = data.pop("refusals")
    expected = {"status": "FAILED", "engine": "embedded", "message": edit.plan["message"], "charged": 0}
    assert data == expected
    assert refusal["words"] == "add a unicorn"
    assert refusal["ways"] == [{"kind": "sentence", "text": "add a unicorn emoji"}]
    assert balance_of(alice) == (400, 0)
    cast.assert_ledger_balances(edit.workspace)


def test_a_task_id_is_a_uuid_and_no_cookie_is_set(api: Client) -> None:
    response = send(api, json_fields())
    uuid.UUID(data_of(response)["taskId"])
    assert not response.cookies


def test_photo_urls_begin_with_public_url(api: Client, settings: Any) -> None:
    settings.PUBLIC_URL = "https://photos.example.org"
    [address] = data_of(send_form(api, form()))["inputImages"]
    assert address.startswith("https://photos.example.org/media/signed/")
    assert address.endswith("/photo-1.jpeg")
