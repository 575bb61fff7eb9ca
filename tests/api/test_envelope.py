"""Tests that all API responses have the envelope, and that no other responses have it."""

import json
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from editor.api import envelope
from editor.models import User
from tests.api.calls import ACCOUNT, GENERATE, STATUS, data_of, message_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/photo-editor/", "/api/photo-editor/generate/", "/api/v2/x", "/api/docsx"]
)
@pytest.mark.parametrize("method", ["get", "post", "put", "delete", "options", "trace"])
def test_an_unknown_url_returns_404_in_the_envelope(api: Client, path: str, method: str) -> None:
    assert "/api/docs/" in message_of(getattr(api, method)(path), 404)


@pytest.mark.parametrize(
    ("path", "allowed"), [(GENERATE, "POST"), (STATUS, "GET, HEAD"), (ACCOUNT, "GET, HEAD")]
)
def test_an_unsupported_method_returns_405_with_the_supported_ones(
    api: Client, path: str, allowed: str
) -> None:
    methods = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"}
    for method in methods - set(allowed.split(", ")):
        response = api.generic(method, path, HTTP_X_HTTP_METHOD_OVERRIDE=allowed.split(",", maxsplit=1)[0])
        assert message_of(response, 405) == f"This URL supports only {allowed}."
        assert response.headers["Allow"] == allowed


def test_it_needs_no_csrf_token(api: Client, alice: User) -> None:
    api.handler.enforce_csrf_checks = True
    assert api.post(GENERATE, {}).status_code == 400


@pytest.mark.parametrize("host", ["photos.example.net", "a b", "<script>", "x" * 300])
def test_an_invalid_host_returns_400_in_the_envelope(api: Client, host: str) -> None:
    message = message_of(api.get(ACCOUNT, headers={"Host": host}), 400)
    assert "ALLOWED_HOSTS" in message
    assert host not in message


def test_a_request_without_tls_is_not_redirected(api: Client, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    response = api.get(ACCOUNT)
    assert "HTTPS" in message_of(response, 403)
    assert "Location" not in response.headers


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [(RuntimeError("a canary"), 500, "You were not charged"), (OperationalError("locked"), 503, "busy")],
)
def test_an_exception_returns_an_error_in_the_envelope(
    api: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, words: str
) -> None:
    def breaks(*_: Any) -> None:
        raise error

    monkeypatch.setattr("editor.api.edits._find", breaks)
    api.raise_request_exception = False
    response = api.get(STATUS, {"taskId": "x"}, headers={"X-Request-Id": "request-12345"})
    assert words in message_of(response, status)
    assert response.headers["X-Request-Id"] == "request-12345"
    assert "canary" not in response.text
    assert status != 503 or response.headers["Retry-After"] == "2"


def test_a_database_failure_during_authentication_returns_503(
    api: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise OperationalError("away")

    monkeypatch.setattr("editor.services.people.accounts._find_key", away)
    api.raise_request_exception = False
    assert "busy" in message_of(api.get(ACCOUNT), 503)


def test_every_response_is_private_and_not_readable_by_other_sites(api: Client) -> None:
    for response in (api.get(ACCOUNT), api.get("/api/x"), api.options(ACCOUNT)):
        headers = {name.lower() for name in response.headers}
        assert not [name for name in headers if name.startswith("access-control-")]
        assert response.headers["Cache-Control"] == "private, no-store"
        assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_a_plain_request_id_of_the_caller_is_used(api: Client) -> None:
    named = api.get("/api/x", headers={"X-Request-Id": "my-request-1"})
    assert named.json()["requestId"] == "my-request-1"
    odd = api.get("/api/x", headers={"X-Request-Id": "<script>"})
    assert odd.json()["requestId"] == odd.headers["X-Request-Id"] != "<script>"


def test_an_accept_header_changes_nothing(api: Client) -> None:
    for accept in ("text/html", "application/xml", "*/*", "nonsense"):
        assert data_of(api.get(ACCOUNT, headers={"Accept": accept}))["balance"] == 400


def test_pages_outside_the_api_have_no_envelope(client: Client) -> None:
    for path in ("/nowhere/", "/apiary/", "/media/signed/x/y.png"):
        response = client.get(path)
        assert response.status_code == 404
        assert response.headers["Content-Type"].startswith("text/html")
    assert client.get("/api/docs").status_code == 301
    assert json.loads(client.get("/api/openapi.json").content)["openapi"] == "3.1.0"


@pytest.mark.parametrize("status", [402, 418, 451])
def test_a_status_without_its_own_message_gets_a_default_message(status: int) -> None:
    def answers(request: HttpRequest) -> HttpResponse:
        return HttpResponse("x", status=status)

    request = RequestFactory().get("/api/x")
    body = json.loads(envelope.EnvelopeMiddleware(answers)(request).content)  # type: ignore[attr-defined]
    assert body["code"] == status
    assert body["message"]
