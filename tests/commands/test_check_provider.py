"""Tests for check_provider.

The command describes any problem on one screen, says what to do about it, and spends no credits.
"""

import errno
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from editor.models import ProviderHealth, User
from editor.providers import photo_editor
from editor.services.editing import adapters
from editor.services.editing.engines import switch_off
from tests.engines import EMBEDDED, another_site, configure, row_of
from tests.hostile_server import (
    Authority,
    End,
    HostileServer,
    Script,
    answer,
    endless,
    raw,
    redirect,
    reset,
    silence,
)

pytestmark = pytest.mark.django_db
KEY = "k3y-CANARY-of-the-operator"
HTML = "<!doctype html><title>Welcome</title>"
KNOWS_NOT = {"code": 404, "success": False, "message": "There is no such task.", "data": None}
type Check = Callable[..., tuple[str, int]]


@pytest.fixture(autouse=True)
def _only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.socket.connect_ex

    def connect_ex(end: socket.socket, address: tuple[str, int]) -> int:
        return real(end, address) if address[0].startswith("127.") else errno.ENETUNREACH

    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex)


@pytest.fixture
def check(settings: Any) -> Iterator[Check]:
    """Yield a function that checks the site at a URL.

    The function returns the command's output and exit code.
    """

    def run(base_url: str, key: str = KEY, **changes: Any) -> tuple[str, int]:
        for name in [name for name in changes if name.isupper()]:
            setattr(settings, name, changes.pop(name))
        configure(settings, another_site(base_url, api_key=key, **changes))
        return checked()

    yield run
    adapters.provider_named.cache_clear()


@pytest.fixture
def serve() -> Iterator[Callable[..., HostileServer]]:
    with ExitStack() as stack:
        yield lambda *scripts, **options: stack.enter_context(HostileServer(*scripts, **options))


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def checked(*names: str) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("check_provider", *names, stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(str(end.code))
    return out.getvalue(), 0


def assert_one_screen(output: str) -> None:
    lines = output.splitlines()
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 200
    assert KEY not in output


def test_a_working_site_passes_without_spending_credits(
    check: Check, serve: Callable[..., HostileServer]
) -> None:
    server = serve(answer(404, KNOWS_NOT))
    output, code = check(server.origin)
    assert code == 0
    assert_one_screen(output)
    assert f"Address    {server.origin}\n" in output
    assert "Key        set\n" in output
    assert "Works      The site responds and accepts the key. No credits were spent.\n" in output
    assert [request.method for request in server.requests] == ["GET"]
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("script", "words", "to_do"),
    [
        (answer(401, KNOWS_NOT), "returned 401: it does not accept PHOTO_EDITOR_API_KEY", "Get a key"),
        (answer(403, HTML), "returned 403: it does not accept PHOTO_EDITOR_API_KEY", "Get a key"),
        (
            redirect("https://www.example.org/api/photo-editor/status?taskId=darkroom-check"),
            "The site redirects to https://www.example.org.",
            "Set PHOTO_EDITOR_BASE_URL to the actual URL of the site.",
        ),
        (answer(301), "redirects to another URL", "Set PHOTO_EDITOR_BASE_URL"),
        (
            answer(200, HTML),
            "returned 200, but the response does not match the API",
            "URLs before /api/photo-editor",
        ),
        (
            answer(404, HTML),
            "returned 404, but the response does not match the API",
            "Check PHOTO_EDITOR_BASE_URL",
        ),
        (answer(404, {"detail": "Not Found"}), "does not match the API", "Check PHOTO_EDITOR_BASE_URL"),
        (answer(200, "[]"), "does not match the API", "Check PHOTO_EDITOR_BASE_URL"),
        (answer(204), "does not match the API", "Check PHOTO_EDITOR_BASE_URL"),
        (answer(500, HTML), "returned 500: it is busy or has a problem", "Try again later."),
        (answer(503, KNOWS_NOT), "returned 503", "Try again later."),
        (answer(429), "returned 429", "Try again later."),
        (reset(), "was lost", "Check the port"),
        (raw(b"SSH-2.0-OpenSSH\r\n", End.CLOSE), "was lost", "Check the port"),
        (silence(), "did not respond in time", "Try again later"),
        (endless(), "too large", "Check the path"),
    ],
)
def test_each_problem_is_reported_with_advice(
    check: Check,
    serve: Callable[..., HostileServer],
    monkeypatch: pytest.MonkeyPatch,
    script: Script,
    words: str,
    to_do: str,
) -> None:
    if words == "did not respond in time":
        monkeypatch.setattr(photo_editor, "STATUS_SECONDS", 1.0)
    server = serve(script)
    output, code = check(server.origin)
    assert code == 1
    assert_one_screen(output)
    trouble, advice = output.splitlines()[-2:]
    assert trouble.startswith("Problem    ")
    assert words in trouble
    assert advice.startswith("To do      ")
    assert to_do in advice
    assert all(request.method == "GET" for request in server.requests)


def test_a_closed_port_is_reported(check: Check) -> None:
    with HostileServer() as server:
        pass
    output, code = check(server.origin)
    assert code == 1
    assert "could not be reached" in output
    assert "Check the host name and port in PHOTO_EDITOR_BASE_URL" in output


def test_an_unknown_host_name_is_reported(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    output, code = check("https://photos.example.invalid")
    assert code == 1
    assert "could not be reached" in output
    assert "Check the host name and port" in output


def test_an_untrusted_certificate_is_reported(
    check: Check, serve: Callable[..., HostileServer], authority: Authority
) -> None:
    server = serve(answer(404, KNOWS_NOT), tls=authority.server_context("127.0.0.1"))
    output, code = check(server.origin)
    assert code == 1
    assert "certificate" in output
    assert "Check the name, date, and issuer of the certificate" in output
    assert server.requests == []


def test_missing_tls_is_reported(check: Check, serve: Callable[..., HostileServer]) -> None:
    server = serve(greeting=[b"HTTP/1.1 400 Bad Request\r\n\r\n"])
    output, code = check(server.origin.replace("http:", "https:"))
    assert code == 1
    assert "must start with http://" in output


def test_a_forbidden_address_is_reported(check: Check) -> None:
    output, code = check("http://169.254.169.254")
    assert code == 1
    assert "not allowed" in output


@pytest.mark.parametrize("script", [answer(401), answer(404, KNOWS_NOT)])
def test_a_missing_key_is_reported(check: Check, serve: Callable[..., HostileServer], script: Script) -> None:
    output, _ = check(serve(script).origin, key="")
    assert "not set; set PHOTO_EDITOR_API_KEY" in output
    assert "accepts the key" not in output


def test_it_lists_what_the_site_supports(check: Check, serve: Callable[..., HostileServer]) -> None:
    server = serve(answer(404, KNOWS_NOT))
    plain, _ = check(server.origin)
    assert (
        "Supports   one result per edit; no boxes; no plan before the edit; each edit is sent only once"
        in plain
    )
    darkroom, _ = check(server.origin, is_darkroom=True)
    assert "Supports   up to 4 results per edit; boxes; no plan before the edit; safe retries" in darkroom


def test_it_says_that_requests_are_paused_and_why(check: Check, serve: Callable[..., HostileServer]) -> None:
    server = serve(answer(404, KNOWS_NOT))
    ProviderHealth.objects.create(
        engine=row_of("photo-editor", server.origin),
        provider="photo-editor",
        base_url=server.origin,
        times_opened=1,
        open_until=timezone.now() + timedelta(minutes=4),
        message="A create request returned 401: bad key",
    )
    output, code = check(server.origin)
    assert code == 0
    assert "Paused     until" in output
    assert "A create request returned 401: bad key" in output


def test_it_checks_every_engine_or_the_named_one(
    settings: Any, serve: Callable[..., HostileServer], staff: User
) -> None:
    server = serve(answer(404, KNOWS_NOT))
    studio = another_site(server.origin, name="studio")
    configure(settings, EMBEDDED, studio)
    switch_off(staff, row_of("photo-editor", server.origin), reason="Too dear.")
    output, code = checked()
    embedded, other = output.split("\n\n")
    assert code == 0
    assert embedded.startswith("Engine     embedded\n")
    assert "Engine     studio\n" in other
    assert "set PHOTO_EDITOR_STUDIO_API_KEY" in other
    assert "Off        switched off by staff: Too dear.\n" in other
    assert {request.method for request in server.requests} == {"GET"}
    assert checked("studio")[0] == other
    with pytest.raises(CommandError, match=r"no engine 'atelier'. EDIT_PROVIDER lists embedded, studio\."):
        checked("atelier")


def test_a_problem_of_a_named_engine_refers_to_its_own_settings(
    settings: Any, serve: Callable[..., HostileServer]
) -> None:
    server = serve(answer(401, KNOWS_NOT))
    configure(settings, EMBEDDED, another_site(server.origin, name="studio", api_key=KEY))
    output, code = checked()
    assert code == 1
    assert "it does not accept PHOTO_EDITOR_STUDIO_API_KEY" in output
    assert KEY not in output


def test_the_embedded_engine_works_without_a_key(settings: Any) -> None:
    configure(settings, EMBEDDED)
    output, code = checked()
    assert code == 0
    assert_one_screen(output)
    assert "Engine     embedded\n" in output
    assert "Works      The embedded engine works. It needs no key and no network.\n" in output
    assert "Key" not in output


def test_a_broken_embedded_engine_is_reported(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(settings, EMBEDDED)
    monkeypatch.setattr("editor.imaging.sandbox.Sandbox.call", lambda *_, **__: False)
    output, code = checked()
    assert code == 1
    assert "Problem    The embedded engine runs, but its results are wrong.\n" in output
