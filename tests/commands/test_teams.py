"""Tests for the commands create_team, add_member, and invite."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from editor.models import Membership, User, Workspace
from tests.cast import assert_ledger_balances

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_create_team_prints_only_the_slug(alice: User, settings: Any) -> None:
    settings.TEAMS_BY = "staff"  # The create_team command ignores this setting.
    arguments = ("--owner", alice.email, "--credits", "5000", "--plan", "pro")
    assert run("create_team", "Halden Studio", *arguments) == "halden-studio\n"
    team = Workspace.objects.get(slug="halden-studio")
    assert (team.name, team.balance, team.plan) == ("Halden Studio", 5000, "pro")
    assert Membership.objects.get(workspace=team).role == "owner"
    assert_ledger_balances(team)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("", "--owner", "alice@example.org"), "1 to 60 characters"),
        (("\u200b\x00", "--owner", "alice@example.org"), "1 to 60 characters"),
        (("x" * 61, "--owner", "alice@example.org"), "1 to 60 characters"),
        (("Studio", "--owner", "nobody@example.org"), "no account"),
        (("Studio", "--owner", "alice@example.org", "--credits", "-1"), "opening grant"),
        (("Studio", "--owner", "alice@example.org", "--credits", "3000000000"), "opening grant"),
    ],
)
def test_create_team_rejects_bad_arguments_with_a_message(
    alice: User, arguments: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        run("create_team", *arguments)
    assert not Workspace.objects.filter(personal_user=None).exists()


def test_add_member_adds_or_changes_a_member_and_prints_nothing(charlie: User, team: Workspace) -> None:
    for role in ("viewer", "admin", "admin"):
        assert run("add_member", "studio", "Charlie@example.org", "--role", role) == ""
        assert Membership.objects.get(user=charlie, workspace=team).role == role


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("no-such-team", "bob@example.org", "--role", "editor"), "no team at /w/no-such-team/"),
        (("bob", "alice@example.org", "--role", "editor"), "no team at /w/bob/"),
        (("studio", "nobody@example.org", "--role", "editor"), "no account"),
        (("studio", "alice@example.org", "--role", "editor"), "needs an owner"),
        (("studio", "bob@example.org", "--role", "boss"), "invalid choice"),
    ],
)
def test_add_member_rejects_bad_arguments_with_a_message(
    team: Workspace, arguments: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        run("add_member", *arguments)


def test_invite_prints_a_link_that_works(team: Workspace, client: Client, settings: Any) -> None:
    settings.PUBLIC_URL = "https://photos.example.org"
    link = run("invite", "studio", "--role", "editor")
    assert link.startswith("https://photos.example.org/join/")
    assert link.count("\n") == 1
    assert "Studio" in client.get(link.strip().removeprefix(settings.PUBLIC_URL)).text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("no-such-team", "--role", "editor"), "no team"),
        (("studio", "--role", "owner"), "invalid choice"),
        (("studio", "--role", "admin", "--uses", "2"), "editors or viewers"),
        (("studio", "--role", "editor", "--days", "0"), "1 to 30 days"),
    ],
)
def test_invite_rejects_bad_arguments_with_a_message(
    team: Workspace, arguments: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        run("invite", *arguments)
