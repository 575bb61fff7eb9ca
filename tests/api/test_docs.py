"""Tests that the API documentation is public and correct, and that its examples work."""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from editor.api import openapi
from editor.api.openapi import REFUSALS
from editor.models import User, WebhookDelivery, WebhookEndpoint
from editor.options import ASPECT_RATIOS, OUTPUT_FORMATS
from editor.services.editing import webhooks
from tests import cast
from tests.api.calls import ACCOUNT, CANCEL, EDITS, GENERATE, STATUS

pytestmark = pytest.mark.django_db


def samples(text: str) -> list[str]:
    """Return the code samples on the page."""
    return [unescape(sample) for sample in re.findall(r"<pre><code>(.*?)</code></pre>", text, re.DOTALL)]


def test_anyone_can_read_the_documentation(client: Client, alice: User) -> None:
    response = client.get("/api/docs/")
    assert response.status_code == 200
    client.force_login(alice)
    assert client.get("/api/docs/").status_code == 200


def test_it_has_an_example_of_every_endpoint_with_the_url_of_the_site(client: Client) -> None:
    calls = [sample for sample in samples(client.get("/api/docs/").text) if sample.startswith("curl")]
    assert all(call.startswith('curl "http://testserver/api/') for call in calls)
    assert all("$DARKROOM_KEY" in call for call in calls)
    for path in (GENERATE, STATUS, CANCEL, EDITS, ACCOUNT):
        assert any(f"http://testserver{path}" in call for call in calls), path
    assert len(calls) == 6, "there are two examples of a create request"


def test_the_examples_use_public_url(client: Client, settings: Any) -> None:
    settings.PUBLIC_URL = "https://photos.example.org"
    text = client.get("/api/docs/").text
    assert "testserver" not in text
    assert 'curl "https://photos.example.org/api/' in unescape(text)


def test_it_names_every_choice_limit_status_and_message(client: Client) -> None:
    text = unescape(client.get("/api/docs/").text)
    for word in (
        *ASPECT_RATIOS,
        *OUTPUT_FORMATS,
        *map(str, REFUSALS),
        "PENDING",
        "RUNNING",
        "SUCCESS",
        "FAILED",
    ):
        assert f"<code>{word}</code>" in text, word
    for sentence in (
        "Prompt is required",
        "At least one image URL is required",
        "Maximum 5 images allowed",
        "Insufficient credits",
        "40 credits, or 35 on the PRO plan",
        "20 MB and 40 megapixels",
        "Up to 2,000 characters",
        "work for 7 days",
    ):
        assert sentence in text, sentence


def test_the_german_page_quotes_the_messages_in_english(client: Client) -> None:
    text = unescape(client.get("/api/docs/", headers={"Accept-Language": "de"}).text)
    assert '<html lang="de"' in text
    for sentence in ("Prompt is required", "Maximum 5 images allowed", "Insufficient credits"):
        assert f'<q lang="en">{sentence}</q>' in text


def test_it_states_the_limits_from_the_settings(client: Client, settings: Any) -> None:
    settings.MAX_PHOTO_MEGABYTES, settings.RESULT_LINK_DAYS = 7, 3
    text = client.get("/api/docs/").text
    assert "7 MB" in text
    assert "work for 3 days" in text


def test_it_names_every_parameter_of_the_list(client: Client) -> None:
    text = client.get("/api/docs/").text
    for parameter in openapi.paths()[EDITS]["get"]["parameters"]:
        assert f"<code>{parameter['name']}" in text, parameter["name"]


def test_it_says_that_a_body_in_chunks_is_refused(client: Client) -> None:
    assert "A body that is sent in chunks is refused with 400." in client.get("/api/docs/").text


def test_it_describes_the_requests_of_webhooks(client: Client, alice: User, settings: Any) -> None:
    settings.PUBLIC_URL = "https://photos.example.org"
    edit = cast.make_edit(alice)
    receiver = {"url": "https://hooks.example.org/", "secret": "whsec_AAAA"}
    WebhookEndpoint.objects.create(workspace=edit.workspace, made_by=alice, **receiver)
    webhooks.create_deliveries(edit)
    body = json.loads(WebhookDelivery.objects.get().body)
    text = client.get("/api/docs/").text
    [sample] = [json.loads(one) for one in samples(text) if one.startswith('{"type"')]
    assert (set(sample), set(sample["data"])) == (set(body), set(body["data"]))
    assert "within 10 seconds" in text
    assert "up to 10 times in all" in text
    for event in ("edit.succeeded", "edit.failed", "edit.cancelled"):
        assert f"<code>{event}</code>" in text


def test_its_python_example_compiles(client: Client) -> None:
    [program] = [sample for sample in samples(client.get("/api/docs/").text) if sample.startswith("import")]
    compile(program, "docs", "exec")
