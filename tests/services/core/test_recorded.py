"""Tests that important actions are recorded in the audit log.

Each important action in a team or on the site creates exactly one entry, with the right actor.
"""

from collections.abc import Callable

import pytest

from editor.models import ApiKey, AuditEntry, Edit, Membership, User, Workspace
from editor.services.billing import caps
from editor.services.core.access import Actor, reviewer_actor
from editor.services.editing import webhooks
from editor.services.maintenance import exports, retention, trash
from editor.services.people import accounts, closing, groups, invitations, members
from tests import cast

pytestmark = pytest.mark.django_db
Role = Membership.Role
Act = Callable[[Actor, Membership], object]


def actions() -> list[str]:
    return list(AuditEntry.objects.order_by("id").values_list("action", flat=True))


def key_of(actor: Actor) -> ApiKey:
    return accounts.create_api_key(actor, name="Script")[0]


def invited_and_revoked(actor: Actor, member: Membership) -> None:
    invitation = invitations.invite(actor, actor.workspace, role=Role.VIEWER, email="new@example.org")
    invitations.revoke(actor, invitation)
    invitations.revoke(actor, invitation)


def webhook_added_and_removed(actor: Actor, member: Membership) -> None:
    webhooks.remove_endpoint(actor, webhooks.add_endpoint(actor, url="https://example.org/told"))


def key_made_and_revoked_twice(actor: Actor, member: Membership) -> None:
    key = key_of(actor)
    accounts.revoke_key(actor, key)
    accounts.revoke_key(actor, key)


def held_twice_and_lifted(actor: Actor, member: Membership) -> None:
    retention.set_hold(actor, reason="A court asks")
    retention.set_hold(actor, reason="Another")
    retention.lift_hold(actor)
    retention.lift_hold(actor)


def purged(actor: Actor, member: Membership) -> None:
    cast.make_edit(actor.user, workspace=actor.workspace)
    trash.move(Edit.objects.all(), by=None)
    trash.purge(actor, Edit.objects.all())


def given_the_same_role(actor: Actor, member: Membership) -> None:
    members.change_role(actor, member, role=Role(member.role))


ACTS: list[tuple[Act, list[str]]] = [
    (lambda actor, _: members.rename(actor, name="Other"), ["team_renamed"]),
    (lambda actor, member: members.change_role(actor, member, role=Role.ADMIN), ["role_changed"]),
    (given_the_same_role, []),
    (lambda actor, member: members.remove(actor, member), ["member_removed"]),
    (
        lambda actor, member: members.hand_over(actor, member),
        ["role_changed", "role_changed", "team_handed_over"],
    ),
    (invited_and_revoked, ["invited", "invitation_revoked"]),
    (key_made_and_revoked_twice, ["key_made", "key_revoked"]),
    (lambda actor, member: caps.set_cap(actor, member, 80), ["cap_set"]),
    (webhook_added_and_removed, ["webhook_added", "webhook_removed"]),
    (lambda actor, _: retention.set_retention(actor, 30), ["retention_set"]),
    (held_twice_and_lifted, ["hold_set", "hold_lifted"]),
    (lambda actor, _: exports.request_export(actor.user, actor), ["exported"]),
    (purged, ["edits_purged"]),
    (lambda actor, _: closing.close_team(actor), ["workspace_closed"]),
]


@pytest.mark.parametrize(("act", "expected"), ACTS)
def test_actions_in_a_team_are_in_the_audit_log(
    alice: User, bob: User, team: Workspace, act: Act, expected: list[str]
) -> None:
    act(cast.actor_of(alice, team), Membership.objects.get(user=bob, workspace=team))
    assert actions() == expected
    for entry in AuditEntry.objects.all():
        assert (entry.user, entry.workspace, entry.door) == (alice, team, "page")


def test_joining_and_leaving_are_in_the_audit_log(alice: User, charlie: User, team: Workspace) -> None:
    invitation = invitations.invite(cast.actor_of(alice, team), team, role=Role.EDITOR, uses=2)
    invitations.accept(invitation, charlie)
    invitations.accept(invitation, charlie)
    members.leave(cast.actor_of(charlie, team))
    assert actions() == ["invited", "member_added", "member_removed"]
    added = AuditEntry.objects.get(action="member_added")
    assert (added.user, added.workspace, added.detail["role"]) == (charlie, team, "editor")


def test_actions_of_commands_are_recorded_as_such(alice: User, bob: User) -> None:
    team = members.create_team(alice, name="Press", by_command=True)
    members.set_role(team, bob, Role.VIEWER)
    members.set_role(team, bob, Role.EDITOR)
    members.set_role(team, bob, Role.EDITOR)
    assert actions() == ["team_made", "member_added", "role_changed"]
    assert not AuditEntry.objects.exclude(door="command", user=None).exists()


def test_creating_an_account_is_in_the_audit_log_only_if_done_for_someone_else(alice: User) -> None:
    accounts.open_account(email="own@example.org", password="x")
    assert actions() == []
    by = reviewer_actor(alice, alice.personal_workspace)
    made = accounts.open_account(email="new@example.org", password="x", by=by)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.user, entry.door) == ("account_made", alice, "admin")
    assert (entry.subject_id, entry.workspace) == (str(made.pk), made.personal_workspace)
    with pytest.raises(accounts.AccountExists):
        accounts.open_account(email="new@example.org", password="x", by="command")
    assert actions() == ["account_made"]


def test_restoring_an_edit_is_in_the_audit_log_only_if_someone_else_deleted_it(
    alice: User, bob: User, team: Workspace
) -> None:
    mine, theirs = cast.actor_of(bob, team), cast.actor_of(alice, team)
    edit = cast.make_edit(bob, workspace=team)
    for by, back in ((mine, mine), (mine, theirs), (theirs, mine)):
        trash.delete(by, edit)
        edit.refresh_from_db()
        assert trash.restore(back, edit)
        assert not trash.restore(back, edit)
    entries = AuditEntry.objects.order_by("id").values_list("action", "user", "subject_id", "workspace")
    assert list(entries) == [("edit_restored", by.pk, str(edit.pk), team.pk) for by in (alice, bob)]


def test_a_membership_change_by_an_oidc_group_is_in_the_audit_log(
    bob: User, alice: User, settings: object
) -> None:
    team = cast.make_workspace(alice, name="Press")
    settings.OIDC_GROUPS = [("writers", team.slug, "editor")]  # type: ignore[attr-defined]
    for names in (["writers"], ["writers"], []):
        groups.apply_groups(bob, names)
    assert actions() == ["member_added", "member_removed"]
    assert set(AuditEntry.objects.values_list("door", flat=True)) == {"site"}


def test_closing_an_account_is_in_the_audit_log_without_its_name(
    alice: User, bob: User, team: Workspace
) -> None:
    closing.close_account(bob)
    assert actions() == ["workspace_closed", "member_removed", "account_closed"]
    entries = [[entry.reason, *map(str, entry.detail.values())] for entry in AuditEntry.objects.all()]
    assert not any("bob" in text for texts in entries for text in texts)


def test_revoking_all_keys_is_recorded_with_their_count_if_there_are_any(alice: User) -> None:
    accounts.revoke_all_keys(alice, alice)
    assert actions() == []
    key_of(cast.actor_of(alice))
    accounts.revoke_all_keys(alice, alice)
    assert AuditEntry.objects.get(action="key_revoked").detail == {"keys": 1}
