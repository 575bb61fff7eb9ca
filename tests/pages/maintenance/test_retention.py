"""Tests for the retention and legal hold settings, including the preview, the forms, and the errors."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from editor.models import User, Workspace
from tests.services.maintenance.test_retention import old_edit

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


def days_of(user: User) -> int | None:
    return Workspace.objects.get(personal_user=user).retention_days


def test_the_settings_say_that_retention_is_off(client_of: SignIn, alice: User) -> None:
    page = client_of(alice).get("/w/alice/settings/").text
    assert "Edits are kept until someone deletes them." in page
    assert "Preview the change" in page


def test_retention_shows_a_preview_before_it_is_turned_on(client_of: SignIn, alice: User) -> None:
    old_edit(alice)
    client = client_of(alice)
    page = client.get("/w/alice/settings/retention/?days=90").text
    assert "1 edit," in page
    assert "restore edits from the trash for 30 days" in page
    assert days_of(alice) is None
    settings = client.post("/w/alice/settings/retention/", {"days": "90"}, follow=True).text
    assert "Edits are now kept for 90 days." in settings
    assert days_of(alice) == 90
    client.post("/w/alice/settings/retention/off/")
    assert days_of(alice) is None


@pytest.mark.parametrize("days", ["", "0", "-1", "abc", "9" * 400, "3651", "1\x002"])
def test_an_invalid_number_of_days_gets_an_error_message(client_of: SignIn, alice: User, days: str) -> None:
    client = client_of(alice)
    for response in (
        client.get("/w/alice/settings/retention/", {"days": days}),
        client.post("/w/alice/settings/retention/", {"days": days}),
    ):
        assert response.status_code == 422
        assert "Enter a whole number of days" in response.text
    assert days_of(alice) is None


def test_a_legal_hold_requires_a_reason_and_can_be_lifted(client_of: SignIn, alice: User) -> None:
    client = client_of(alice)
    for nothing in ("", "\u200b"):
        assert client.post("/w/alice/settings/hold/", {"reason": nothing}).status_code == 422
    page = client.post("/w/alice/settings/hold/", {"reason": "A lawsuit"}, follow=True).text
    assert "A lawsuit" in page
    assert "Lift the hold" in page
    workspace = Workspace.objects.get(personal_user=alice)
    assert workspace.held_by == alice
    assert timezone.now() - workspace.held_since < timedelta(minutes=1)  # type: ignore[operator]
    assert "Set legal hold" in client.post("/w/alice/settings/hold/lift/", follow=True).text
