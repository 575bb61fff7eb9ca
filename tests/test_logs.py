"""No log line shows what opens a door."""

import io
import logging
import logging.config

import pytest
from django.conf import settings

from editor.logs import redact

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
def test_it_hides_the_secret(line: str, secret: str) -> None:
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
def test_it_leaves_other_lines_alone(line: str) -> None:
    assert redact(line) == line


def test_arguments_and_tracebacks_are_covered_too() -> None:
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
    assert {handler["formatter"] for handler in handlers} == {"line"}
    assert settings.LOGGING["formatters"]["line"]["()"] == "editor.logs.RedactingFormatter"


def test_the_web_servers_own_lines_are_redacted_too() -> None:
    assert settings.LOGGING["loggers"]["gunicorn.error"]["handlers"] == ["stderr"]
