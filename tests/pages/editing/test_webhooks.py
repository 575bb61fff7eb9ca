"""Tests for the page of webhook URLs.

The site calls these URLs when an edit ends.
"""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from editor.models import User, WebhookDelivery, WebhookEndpoint
from editor.services.editing import lifecycle
from tests import cast

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]{32}")
URL = "https://a.example.org/told"


def test_adding_a_url_shows_its_secret_once(client_of: SignIn, alice: User) -> None:
    person = client_of(alice)
    made = person.post("/w/alice/webhooks/", {"url": URL})
    assert SECRET.findall(made.text) == [WebhookEndpoint.objects.get().secret]
    page = person.get("/w/alice/webhooks/").text
    assert URL in page
    assert not SECRET.search(page)


@pytest.mark.parametrize("url", ["", "not an address", "ftp://a.example.org/"])
def test_an_invalid_url_is_refused_and_stays_in_the_form(client_of: SignIn, alice: User, url: str) -> None:
    response = client_of(alice).post("/w/alice/webhooks/", {"url": url})
    assert response.status_code == 422
    assert "https:// or http://" in response.text
    assert f'value="{url}"' in response.text or not url
    assert not WebhookEndpoint.objects.exists()


def test_deliveries_are_shown_and_can_be_sent_again(client_of: SignIn, alice: User) -> None:
    person = client_of(alice)
    person.post("/w/alice/webhooks/", {"url": URL})
    lifecycle.cancel(cast.actor_of(alice), cast.make_edit(alice, state="QUEUED"))
    delivery = WebhookDelivery.objects.get()
    WebhookDelivery.objects.update(
        state="GIVEN_UP", attempts=10, answer="Answered 500.", due=timezone.now() - timedelta(days=1)
    )
    page = person.get("/w/alice/webhooks/").text
    for words in ("edit.cancelled", "Given up", "The server returned status code 500.", "10 attempts."):
        assert words in page
    response = person.post(f"/w/alice/webhooks/deliveries/{delivery.id}/", follow=True)
    assert "The message will be sent again in a moment." in response.text
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts) == ("WAITING", 0)


def test_a_removed_address_is_gone_from_the_page(client_of: SignIn, alice: User) -> None:
    person = client_of(alice)
    person.post("/w/alice/webhooks/", {"url": URL})
    response = person.post(f"/w/alice/webhooks/{WebhookEndpoint.objects.get().pk}/remove/", follow=True)
    assert URL not in response.text


def test_another_user_can_neither_see_nor_remove_a_url(client_of: SignIn, alice: User, charlie: User) -> None:
    client_of(alice).post("/w/alice/webhooks/", {"url": URL})
    stranger = client_of(charlie)
    assert URL not in stranger.get("/w/alice/webhooks/").text
    assert stranger.post(f"/w/alice/webhooks/{WebhookEndpoint.objects.get().pk}/remove/").status_code == 404
    assert WebhookEndpoint.objects.get().removed is None
