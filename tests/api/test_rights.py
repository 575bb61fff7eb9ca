"""Tests for what each kind of API key may do with a task in alice's team."""

from typing import Any

import pytest
from django.test import Client

from editor.models import Edit, Membership, User, Workspace
from tests import cast
from tests.api.calls import ACCOUNT, CANCEL, EDITS, STATUS, json_fields, send
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db

# For each key owner: the response statuses of create, status, and cancel, the number of listed team edits,
# and the response status of the account endpoint.
MATRIX = {
    "owner": (200, 200, 200, 1, 200),
    "member": (200, 200, 200, 1, 200),
    "viewer": (403, 200, 403, 1, 200),
    "former member": (401, 401, 401, None, 401),
    "owner, elsewhere": (200, 404, 404, 0, 200),
    "stranger": (200, 404, 404, 0, 200),
    "staff": (200, 404, 404, 0, 200),
}


@pytest.fixture
def running(alice: User, team: Workspace) -> Edit:
    return cast.make_edit(alice, workspace=team, state="RUNNING")


@pytest.fixture
def keys(
    program: Program, alice: User, bob: User, charlie: User, viewer: User, staff: User, team: Workspace
) -> dict[str, Client]:
    former = cast.make_user("former@example.org")
    membership = cast.join(team, former, Membership.Role.ADMIN)
    left = program(former, team)
    membership.delete()
    return {
        "owner": program(alice, team),
        "member": program(bob, team),
        "viewer": program(viewer, team),
        "former member": left,
        "owner, elsewhere": program(alice),
        "stranger": program(charlie),
        "staff": program(staff),
    }


@pytest.mark.parametrize("whose", MATRIX)
def test_each_key_has_the_permissions_in_the_table(
    keys: dict[str, Client], running: Edit, whose: str
) -> None:
    client = keys[whose]
    create, status, cancel, listed, account = MATRIX[whose]
    assert client.get(STATUS, {"taskId": str(running.id)}).status_code == status
    assert _count(client.get(EDITS)) == listed
    assert client.get(ACCOUNT).status_code == account
    ended = client.post(CANCEL, {"taskId": str(running.id)}, content_type="application/json")
    assert ended.status_code == cancel
    running.refresh_from_db()
    assert running.state == ("CANCELLED" if cancel == 200 else "RUNNING")
    assert send(client, json_fields()).status_code == create
    for workspace in Workspace.objects.all():
        cast.assert_ledger_balances(workspace)


def _count(response: Any) -> int | None:
    return len(response.json()["data"]["edits"]) if response.status_code == 200 else None
