"""Tests for the site's WSGI application."""

import io
from typing import Any

import pytest
from django.test import RequestFactory

from editor.models import User
from editor.services.core import links
from photoeditor_site.wsgi import application
from tests import cast

pytestmark = pytest.mark.django_db
ODD_CHARSETS = ["rot13", "hex", "idna", "undefined", "utf-16"]


def call(
    method: str, path: str, body: bytes = b"", *, late: Any = (), **environ: Any
) -> tuple[int, dict[str, str], bytes]:
    """Call the WSGI application, and return the status, headers, and body.

    `late` adds environment values that RequestFactory does not accept.
    """
    started: list[Any] = []
    request = RequestFactory(SERVER_NAME="localhost").generic(method, path, body, **environ)
    answer = application(
        request.environ | {"wsgi.input": io.BytesIO(body)} | dict(late), lambda *given: started.extend(given)
    )
    read = b"".join(answer)
    if hasattr(answer, "close"):
        answer.close()
    return int(started[0].split()[0]), dict(started[1]), read


@pytest.mark.parametrize("charset", ODD_CHARSETS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_odd_charset_causes_no_error(method: str, charset: str) -> None:
    declared = f"text/plain; charset={charset}"
    status, _, _ = call(method, "/accounts/login/?next=%2Fhistory%2F", content_type=declared)
    assert status == (200 if method == "GET" else 403)


@pytest.mark.parametrize("charset", ODD_CHARSETS)
def test_a_form_that_declares_an_odd_charset_causes_no_error(charset: str) -> None:
    form = '--x\r\nContent-Disposition: form-data; name="theme"\r\n\r\ndärk\r\n--x--\r\n'.encode()
    declared = f"multipart/form-data; boundary=x; charset={charset}"
    assert call("POST", "/account/theme/", form, content_type=declared)[0] == 403


@pytest.mark.parametrize("path", ["/accounts/login/", "/healthz", "/api/photo-editor/generate"])
def test_an_invalid_content_type_causes_no_error(path: str) -> None:
    declared = {"CONTENT_TYPE": "application/json; charset*=bogus''x"}
    status, headers, body = call("POST", path, b"{}", late=declared)
    assert status in (401, 403, 405)
    assert "X-Request-Id" in headers
    assert body


@pytest.mark.parametrize("path", ["/accounts/login/", "/no/such/page/", "/healthz"])
def test_a_head_has_the_headers_of_its_get_and_no_body(path: str) -> None:
    status, headers, body = call("GET", path)
    head_status, head_headers, head_body = call("HEAD", path)
    assert (head_status, head_body) == (status, b"")
    assert body
    assert set(head_headers) == set(headers)


def test_a_head_of_a_status_has_no_body(alice: User) -> None:
    address = f"/s/{links.sign_status(cast.make_edit(alice, state='RUNNING'), alice)}/"
    assert call("GET", address)[2]
    assert call("HEAD", address)[2] == b""
