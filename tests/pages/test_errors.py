"""Tests that error pages say what to do next, even if other parts of the site are broken."""

from html import unescape
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import OperationalError, ProgrammingError
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import path

from editor.middleware import PrivateByDefaultMiddleware
from editor.models import User, Workspace
from editor.pages import errors
from editor.services.maintenance import schema
from photoeditor_site import urls
from tests.cast import PASSWORD

HTMX = {"HX-Request": "true"}


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a canary that nobody sees")


def denied(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied("You may look at this workspace, but not edit in it.")


def too_large(request: HttpRequest) -> HttpResponse:
    raise RequestDataTooBig("too much")


def behind(request: HttpRequest) -> HttpResponse:
    raise ProgrammingError('relation "editor_new" does not exist')


def lacking(request: HttpRequest) -> HttpResponse:
    raise OperationalError("no such column: editor_user.new")


def busy(request: HttpRequest) -> HttpResponse:
    raise OperationalError("database is locked")


urlpatterns = [
    path("behind/", behind),
    path("lacking/", lacking),
    path("busy/", busy),
    path("broken/", broken),
    path("denied/", denied),
    path("large/", too_large),
    *urls.urlpatterns,
]
handler400, handler403, handler404 = urls.handler400, urls.handler403, urls.handler404
handler500 = urls.handler500

here = override_settings(ROOT_URLCONF="tests.pages.test_errors")


@pytest.mark.django_db
@pytest.mark.parametrize("is_signed_in", [True, False])
def test_an_unknown_url_shows_a_page_with_a_link_to_the_start(
    client: Client, alice: User, is_signed_in: bool
) -> None:
    if is_signed_in:
        client.force_login(alice)
    response = client.get("/no/such/page/")
    assert response.status_code == 404
    assert "Page not found" in response.text
    assert 'href="/"' in response.text


def test_an_unknown_url_marks_no_page_of_the_navigation_as_current(client: Client, alice: User) -> None:
    client.force_login(alice)
    navigation = client.get("/no/such/page/").text.partition('class="bar__nav"')[2].partition("</nav>")[0]
    assert "History" in navigation
    assert "aria-current" not in navigation


def test_a_403_page_belongs_to_the_workspace_that_refuses(
    client: Client, viewer: User, team: Workspace
) -> None:
    client.force_login(viewer)
    response = client.get(f"/w/{team.slug}/settings/")
    assert response.status_code == 403
    assert response.context["page"].workspace == team
    assert f'href="/w/{team.slug}/history/"' in response.text


def test_an_htmx_request_gets_only_the_message(client: Client) -> None:
    response = client.get("/no/such/page/", headers=HTMX)
    assert response.status_code == 404
    assert response.text == errors.NOT_FOUND
    assert response.headers["Content-Type"].startswith("text/plain")


def test_an_unknown_host_says_which_setting_to_change(client: Client) -> None:
    response = client.get("/accounts/login/", headers={"Host": "photos.example.net"})
    assert response.status_code == 400
    assert errors.WRONG_HOST in unescape(response.text)


@pytest.mark.parametrize("host", ["<script>alert(1)</script>", "evil.example", "a b", "x" * 300])
def test_a_hostile_host_is_not_repeated(client: Client, host: str) -> None:
    response = client.get("/accounts/login/", headers={"Host": host})
    assert response.status_code == 400
    assert host not in response.text


@here
def test_a_403_page_shows_the_reason() -> None:
    response = Client().get("/denied/")
    assert response.status_code == 403
    assert "not edit in it" in response.text
    assert (
        Client().get("/denied/", headers=HTMX).text == "You may look at this workspace, but not edit in it."
    )


@here
def test_a_request_that_is_too_large_returns_413() -> None:
    response = Client().get("/large/")
    assert response.status_code == 413
    assert errors.TOO_LARGE in response.text


@here
def test_a_500_page_shows_the_request_id_but_no_details() -> None:
    client = Client(raise_request_exception=False)
    response = client.get("/broken/", headers={"X-Request-Id": "request-12345"})
    assert response.status_code == 500
    assert "Something went wrong" in response.text
    assert "request-12345" in response.text
    assert "canary" not in response.text
    assert "Traceback" not in response.text
    assert client.get("/broken/", headers=HTMX).text == errors.BROKEN


def test_the_500_page_works_even_if_other_code_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken too")

    monkeypatch.setattr("editor.pages.context.page", fails)
    monkeypatch.setattr("django.contrib.staticfiles.storage.staticfiles_storage.url", fails)
    response = errors.server_error(RequestFactory().get("/"))
    assert "Something went wrong" in response.text
    assert "css/app.css" in response.text


@pytest.mark.django_db
def test_an_expired_form_gets_a_message(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    page = client.post("/account/theme/", {"theme": "dark"})
    assert page.status_code == 403
    assert errors.PAGE_EXPIRED in page.text
    assert client.post("/account/theme/", {"theme": "dark"}, headers=HTMX).text == errors.PAGE_EXPIRED


def test_a_404_raised_by_a_view_gets_the_same_message(rf: RequestFactory) -> None:
    response = errors.not_found(rf.get("/x/", headers=HTMX), Http404("no photo <b>"))
    assert response.text == errors.NOT_FOUND


def test_every_error_page_has_the_headers_of_a_page(client: Client) -> None:
    response = client.get("/no/such/page/")
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "private, no-store"


@here
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_busy_database_returns_503_with_a_retry_after_header(headers: dict[str, str]) -> None:
    response = Client(raise_request_exception=False).get("/busy/", headers=headers)
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "2"
    assert errors.BUSY in response.text
    assert (response.text == errors.BUSY) is bool(headers)
    assert "locked" not in response.text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "place",
    ["django.contrib.sessions.backends.db.SessionStore.save", "editor.services.core.links.unsign_status"],
)
def test_a_busy_database_is_also_reported_outside_of_views(
    alice: User, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise OperationalError("database is locked")

    client = Client(raise_request_exception=False)
    monkeypatch.setattr(place, fails)
    path = "/accounts/login/" if "sessions" in place else "/s/signed/"
    response = (
        client.post(path, {"login": alice.email, "password": PASSWORD})
        if "sessions" in place
        else client.get(path)
    )
    assert (response.status_code, errors.BUSY in response.text) == (503, True)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/accounts/login/", {"Host": "photos.example.net"}, 400),
        ("/history", {}, 301),
        ("/w/alice/history/", {}, 302),
        ("/no/such/page/", {}, 404),
    ],
)
def test_early_responses_are_not_cached(
    client: Client, path: str, headers: dict[str, str], status: int
) -> None:
    response = client.get(path, headers=headers)
    assert response.status_code == status
    assert response.headers["Cache-Control"] == "private, no-store"
    assert {"HX-Request", "Cookie"} <= set(response.headers["Vary"].split(", "))


@override_settings(SECURE_SSL_REDIRECT=True)
def test_the_redirect_to_https_is_not_cached() -> None:
    response = Client().get("/accounts/login/")
    assert response.status_code == 301
    assert response.headers["Cache-Control"] == "private, no-store"


def test_a_public_response_can_still_be_cached(rf: RequestFactory) -> None:
    def static(request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Cache-Control": "max-age=60, public"})

    response = PrivateByDefaultMiddleware(static)(rf.get("/static/x.css"))
    assert response.headers["Cache-Control"] == "max-age=60, public"
    assert "Vary" not in response.headers


@here
def test_reload_leads_back_to_the_page(settings: Any) -> None:
    client = Client(raise_request_exception=False)
    assert 'href="/broken/?a=1"' in client.get("/broken/?a=1").text
    ours = {"Referer": "http://testserver/account/"}
    assert 'href="http://testserver/account/"' in client.post("/broken/", headers=ours).text
    for foreign in ("https://evil.example/", "javascript:alert(1)", "//evil.example/", ""):
        page = client.post("/broken/", headers={"Referer": foreign}).text
        assert "evil" not in page
        assert "javascript:" not in page


@here
@pytest.mark.django_db
@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize("path", ["/behind/", "/lacking/"])
def test_a_missing_migration_returns_503_and_says_that_an_upgrade_is_in_progress(
    monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], path: str
) -> None:
    monkeypatch.setattr(schema, "is_behind", lambda: True)
    response = Client(raise_request_exception=False).get(path, headers=headers)
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "30"
    assert errors.UPGRADE_IN_PROGRESS in response.text


@here
@pytest.mark.django_db
def test_a_wrong_query_without_a_missing_migration_returns_500() -> None:
    assert Client(raise_request_exception=False).get("/behind/").status_code == 500


@pytest.mark.django_db
def test_a_get_request_to_a_form_url_returns_405_with_a_link(client: Client, alice: User) -> None:
    client.force_login(alice)
    response = client.get("/w/alice/history/star/")
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")
    assert errors.FORM_ONLY in response.text
    assert 'class="btn btn--primary" href="/w/alice/history/"' in response.text
    assert 'class="btn btn--primary" href="/account/"' in client.get("/account/theme/").text
    assert client.get("/w/alice/history/star/", headers=HTMX).text == errors.FORM_ONLY
    assert client.get("/api/photo-editor/generate").json()["code"] == 405
