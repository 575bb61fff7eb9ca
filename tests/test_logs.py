"""Tests that no log line contains a secret that grants access."""

import io
import json
import logging
import logging.config
from collections.abc import Callable

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.test import Client
from django.utils.log import log_response

from editor.logs import JsonFormatter, log_context, redact

KEY = "drk_AbCd1234_0123456789abcdefghijABCDEFGHIJ12checks"
SIGNED = "0190a1b2c3d4.7.1763640000:Zm9vYmFyYmF6cXV4"


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        (f"key {KEY} is over its limit", KEY[13:]),
        (f"Not Found: /s/{SIGNED}/", SIGNED),
        (f'"GET /s/{SIGNED}/ HTTP/1.1" 500', SIGNED),
        ("GET /join/Zm9vYmFyYmF6cXV4/ 200", "Zm9vYmFyYmF6cXV4"),
        ("GET /accounts/login/?next=%2Fjoin%2FZm9vYmFyYmF6cXV4%2F 200", "Zm9vYmFyYmF6cXV4"),
        ("http://127.0.0.1:8000/setup/Zm9vYmFyYmF6cXV4/ was asked twice", "Zm9vYmFyYmF6cXV4"),
        ("/share/Zm9vYmFyYmF6cXV4", "Zm9vYmFyYmF6cXV4"),
        ("/share/photo/1.results.Zm9vYmFyYmF6cXV4/", "Zm9vYmFyYmF6cXV4"),
        ("/accounts/password/reset/key/1-d9xyz-0123abcd/", "1-d9xyz-0123abcd"),
        ("/accounts/confirm-email/MQ:1vabcd:Zm9v/", "MQ:1vabcd:Zm9v"),
        (f"Authorization: Bearer {KEY}", KEY[4:]),
        ("{'HTTP_AUTHORIZATION': 'Basic dXNlcjpwYXNz', 'x': 1}", "dXNlcjpwYXNz"),
        ("Cookie: darkroom_session=abc123def; csrftoken=xyz789", "abc123def"),
        ("Cookie: darkroom_session=abc123def; csrftoken=xyz789", "xyz789"),
        ("Set-Cookie: darkroom_session=abc123def; Path=/", "abc123def"),
        ("sent darkroom_session=abc123def along", "abc123def"),
        ("bearer dGhpcyBpcyBhIHRva2Vu was refused", "dGhpcyBpcyBhIHRva2Vu"),
        ("cannot connect to postgres://darkroom:hunter22@db/darkroom", "hunter22"),
    ],
)
def test_a_secret_in_a_log_line_is_hidden(line: str, secret: str) -> None:
    assert secret in line
    assert secret not in redact(line)
    assert "[hidden]" in redact(line)


@pytest.mark.parametrize(
    "line",
    [
        "alice@example.org's key drk_AbCd1234 was used",
        "Not Found: /static/js/app.js",
        "Edit 0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b: stage RUNNING went wrong.",
        "Listening at: http://127.0.0.1:8000 (12)",
        "GET https://user@example.org/photo.jpg took 12 ms",
        "the basic rule, the bearer of it",
    ],
)
def test_lines_without_secrets_are_not_changed(line: str) -> None:
    assert redact(line) == line


def test_secrets_in_arguments_and_tracebacks_are_hidden_too() -> None:
    formatter = logging.config.DictConfigurator(settings.LOGGING).configure_formatter(
        dict(settings.LOGGING["formatters"]["line"])
    )
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    handler.setFormatter(formatter)
    logger = logging.Logger("trial")
    logger.addHandler(handler)
    try:
        raise ValueError(f"no such key: {KEY}")
    except ValueError:
        logger.exception("asked for %s", f"/s/{SIGNED}/")
    assert "Traceback" in output.getvalue()
    assert KEY not in output.getvalue()
    assert SIGNED not in output.getvalue()


def test_every_handler_of_the_site_redacts() -> None:
    handlers = settings.LOGGING["handlers"].values()
    assert {handler["formatter"] for handler in handlers} == {settings.LOG_FORMAT}
    assert settings.LOGGING["formatters"]["line"]["()"] == "editor.logs.RedactingFormatter"
    assert settings.LOGGING["formatters"]["json"]["()"] == "editor.logs.JsonFormatter"


def test_the_log_of_the_web_server_is_redacted_too() -> None:
    assert settings.LOGGING["loggers"]["gunicorn.error"]["handlers"] == ["stderr"]


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], str]:
    """Return a function that fails a request with this status and returns the request's log lines."""

    def log(status: int) -> str:
        handler, output = logging.getHandlerByName("stderr"), io.StringIO()
        assert handler is not None
        monkeypatch.setattr(handler, "stream", output)
        logger = logging.Logger("django.request")
        logger.addHandler(handler)
        try:
            raise PermissionDenied("Not yours.")
        except PermissionDenied as error:
            response = HttpResponse(status=status)
            log_response("Refused: %s", "/edits/1/", response=response, logger=logger, exception=error)
        return output.getvalue()

    return log


@pytest.mark.parametrize("status", [400, 403])
def test_a_refused_request_is_logged_on_one_line(logged: Callable[[int], str], status: int) -> None:
    (line,) = logged(status).splitlines()
    assert "Refused: /edits/1/" in line


def test_a_broken_request_keeps_its_traceback(logged: Callable[[int], str]) -> None:
    assert "Traceback" in logged(500)


def in_json(log: Callable[[logging.Logger], object]) -> dict[str, str]:
    """Return a log record in JSON format."""
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    handler.setFormatter(JsonFormatter())
    logger = logging.Logger("trial")
    logger.addHandler(handler)
    log(logger)
    (line,) = output.getvalue().splitlines()
    return dict(json.loads(line))


def test_a_json_line_names_its_request_and_edit() -> None:
    with log_context(request="r-1"), log_context(edit="e-2"):
        line = in_json(lambda logger: logger.warning('Edit %s, \n"two" lines', "e-2"))
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "WARNING",
        "logger": "trial",
        "message": 'Edit e-2, \n"two" lines',
        "request": "r-1",
        "edit": "e-2",
    }
    assert "request" not in in_json(lambda logger: logger.warning("later"))


def test_a_json_line_hides_secrets_in_its_traceback_too() -> None:
    try:
        raise ValueError(f"no such key: {KEY}")
    except ValueError:
        line = in_json(lambda logger: logger.exception("asked for /s/%s/", SIGNED))
    assert "Traceback" in line["exception"]
    assert KEY not in json.dumps(line)
    assert SIGNED not in json.dumps(line)


def test_log_lines_of_a_request_contain_its_id(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[dict[str, str]] = []

    def logs(*_: object) -> str:
        calls.append(in_json(lambda logger: logger.warning("here")))
        return "ok"

    monkeypatch.setattr("editor.probes._database", logs)
    monkeypatch.setattr("editor.probes._migrations", logs)
    response = client.get("/readyz", headers={"X-Request-Id": "abcdef-123456"})
    assert response.headers["X-Request-Id"] == "abcdef-123456"
    assert [line["request"] for line in calls] == ["abcdef-123456"] * 2
