"""Tests for the account endpoint, which returns the workspace, its balance, and any cap that was reached."""

import pytest
from django.test import Client

from editor.models import ApiKey, Edit, Membership, User, Workspace
from tests.api.calls import ACCOUNT, data_of, json_fields, send
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db


@pytest.fixture
def bobs(program: Program, bob: User, team: Workspace) -> Client:
    return program(bob, team)


def test_the_account_names_the_workspace_of_the_key(bobs: Client, team: Workspace) -> None:
    account = data_of(bobs.get(ACCOUNT))
    facts = {name: account[name] for name in ("workspace", "slug", "balance", "capLeft")}
    assert facts == {"workspace": "Studio", "slug": team.slug, "balance": 400, "capLeft": None}


def test_the_account_returns_the_credits_left_under_the_lower_cap(
    bobs: Client, bob: User, team: Workspace
) -> None:
    Membership.objects.filter(user=bob, workspace=team).update(cap=500)
    assert data_of(bobs.get(ACCOUNT))["capLeft"] == 500
    ApiKey.objects.update(cap=100)
    assert send(bobs, json_fields()).status_code == 200
    assert data_of(bobs.get(ACCOUNT))["capLeft"] == 60


def test_a_request_over_a_cap_returns_402_with_the_reason(bobs: Client) -> None:
    ApiKey.objects.update(cap=79)
    assert send(bobs, json_fields()).status_code == 200
    refused = send(bobs, json_fields())
    assert refused.status_code == 402
    body = refused.json()
    assert (body["code"], body["message"], body["data"]) == (402, "Insufficient credits", None)
    assert body["reason"] == "This API key has a monthly cap of 79 credits. Credits left this month: 39."
    assert Edit.objects.count() == 1


def test_an_empty_balance_returns_402_without_a_reason(bobs: Client, team: Workspace) -> None:
    Workspace.objects.filter(pk=team.pk).update(balance=0)
    refused = send(bobs, json_fields())
    assert (refused.status_code, refused.json()["message"]) == (402, "Insufficient credits")
    assert "reason" not in refused.json()
