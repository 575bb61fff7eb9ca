"""Tests for the account page and the theme."""

from collections.abc import Callable

import pytest
from django.test import Client

from editor.models import User, Workspace

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


def test_the_page_shows_the_user_and_the_settings(client_of: SignIn, alice: User) -> None:
    page = client_of(alice).get("/account/").text
    assert "alice@example.org" in page
    assert 'value="Alice Ames"' in page
    for address in ("/accounts/password/change/", "/accounts/2fa/", "/accounts/logout/", "/account/theme/"):
        assert address in page


def test_it_requires_a_sign_in(client: Client) -> None:
    assert client.get("/account/").headers["Location"] == "/accounts/login/?next=/account/"


@pytest.mark.parametrize(("email", "place"), [("alice@example.org", "studio"), ("bob@example.org", "bob")])
def test_the_webhooks_link_leads_to_a_workspace_whose_webhooks_the_user_manages(
    client_of: SignIn, team: Workspace, email: str, place: str
) -> None:
    """The link leads to the workspace that the user used last, or to the personal workspace by default."""
    client = client_of(User.objects.get(email=email))
    client.get("/w/studio/")
    address = f"/w/{place}/webhooks/"
    assert f'href="{address}"' in client.get("/account/").text
    assert client.get(address).status_code == 200


def test_the_name_is_saved(client_of: SignIn, alice: User) -> None:
    response = client_of(alice).post("/account/", {"name": "Alice B."}, follow=True)
    alice.refresh_from_db()
    assert alice.name == "Alice B."
    assert "Your name and time zone were saved." in response.text


def test_only_the_name_is_saved(client_of: SignIn, alice: User) -> None:
    client_of(alice).post(
        "/account/", {"name": "A", "email": "other@example.org", "is_staff": "on", "is_superuser": "on"}
    )
    alice.refresh_from_db()
    assert (alice.email, alice.is_staff, alice.is_superuser) == ("alice@example.org", False, False)


@pytest.mark.parametrize("name", ["x" * 151, "a\x00b"])
def test_an_invalid_name_is_refused(client_of: SignIn, alice: User, name: str) -> None:
    response = client_of(alice).post("/account/", {"name": name})
    assert response.status_code == 422
    assert 'id="id_name_error"' in response.text
    alice.refresh_from_db()
    assert alice.name == "Alice Ames"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_is_kept_in_a_cookie(client: Client, theme: str) -> None:
    response = client.post(
        "/account/theme/", {"theme": theme, "next": "/accounts/login/"}, HTTP_ACCEPT="text/html"
    )
    assert response.headers["Location"] == "/accounts/login/"
    assert client.cookies["theme"].value == theme
    assert f'data-theme="{theme}"' in client.get("/accounts/login/").text


def test_choosing_auto_deletes_the_theme_cookie(client: Client) -> None:
    client.cookies["theme"] = "dark"
    client.post("/account/theme/", {"theme": "auto"})
    assert client.cookies["theme"].value == ""


@pytest.mark.parametrize("headers", [{"HX-Request": "true"}, {"Accept": "*/*"}])
def test_a_script_that_sets_the_theme_gets_204(client: Client, headers: dict[str, str]) -> None:
    response = client.post("/account/theme/", {"theme": "dark"}, headers=headers)
    assert response.status_code == 204
    assert response.cookies["theme"].value == "dark"


def test_an_unknown_theme_is_refused(client: Client) -> None:
    response = client.post("/account/theme/", {"theme": "<script>"})
    assert response.status_code == 400
    assert "theme" not in response.cookies


@pytest.mark.parametrize("where", ["https://evil.example/", "//evil.example", "/\\evil.example", ""])
def test_setting_the_theme_never_redirects_to_another_site(client: Client, where: str) -> None:
    response = client.post(
        "/account/theme/", {"theme": "dark", "next": where}, headers={"Accept": "text/html"}
    )
    assert response.headers["Location"] == "/"


def test_invisible_characters_are_removed_from_a_name(
    client_of: Callable[[User], Client], alice: User
) -> None:
    client_of(alice).post("/account/", {"name": "\u202eAlice\u200b Ames"})
    assert User.objects.get(pk=alice.pk).name == "Alice Ames"
