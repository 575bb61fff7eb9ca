"""Tests for the one-time link that creates the owner."""

import pytest
from django.test import Client

from editor.models import User
from editor.services.core.links import owner_link_token
from tests.cast import PASSWORD, assert_ledger_balances

pytestmark = pytest.mark.django_db
OWNER = {"email": "Owner@example.org", "password": PASSWORD}


def link() -> str:
    return f"/setup/{owner_link_token()}/"


def test_it_makes_the_owner_and_signs_them_in(client: Client) -> None:
    assert client.get(link()).status_code == 200
    response = client.post(link(), OWNER)
    assert (response.status_code, response.headers["Location"]) == (302, "/")
    owner = User.objects.get()
    assert (owner.email, owner.is_superuser, owner.is_staff) == ("owner@example.org", True, True)
    assert owner.check_password(PASSWORD)
    assert owner.personal_workspace.memberships.get().role == "owner"
    assert_ledger_balances(owner.personal_workspace)
    assert client.get("/account/").status_code == 200


def test_the_owner_can_sign_in_later_on_the_sign_in_page(client: Client) -> None:
    client.post(link(), OWNER)
    answer = Client().post("/accounts/login/", {"login": "owner@example.org", "password": PASSWORD})
    assert answer.headers["Location"] == "/"


@pytest.mark.parametrize("method", ["get", "post"])
def test_it_works_once(client: Client, method: str) -> None:
    client.post(link(), OWNER)
    response = getattr(Client(), method)(link(), {"email": "thief@example.org", "password": PASSWORD})
    assert response.status_code == 410
    assert "works only once" in response.text
    assert User.objects.count() == 1


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_wrong_link_returns_404(client: Client, method: str) -> None:
    for wrong in ("x", owner_link_token()[:-1], owner_link_token() + "x", "ÿ"):
        assert getattr(client, method)(f"/setup/{wrong}/", OWNER).status_code == 404
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"email": "nonsense"}, "email", "valid email"),
        ({"email": ""}, "email", "required"),
        ({"password": ""}, "password", "required"),
        ({"password": "12345678"}, "password", "numeric"),
        ({"password": "owner@example"}, "password", "too similar"),
        ({"email": "a\x00b@example.org"}, "email", "Null characters"),
    ],
)
def test_an_invalid_field_gets_an_error_message_next_to_it(
    client: Client, given: dict[str, str], field: str, words: str
) -> None:
    response = client.post(link(), OWNER | given)
    assert response.status_code == 422
    assert words in response.text.split(f'id="id_{field}_error"')[1].split("</div>")[0]
    assert not User.objects.exists()
    assert PASSWORD not in response.text


def test_the_page_is_not_cached_and_sends_no_referrer_to_other_sites(client: Client) -> None:
    response = client.get(link())
    assert response.headers["Cache-Control"] == "private, no-store"
    assert response.headers["Referrer-Policy"] == "same-origin"
