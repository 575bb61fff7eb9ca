"""Tests for the caps of members and API keys, and for which edits count toward a cap."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from editor.models import ApiKey, Edit, Membership, Spending, User, Workspace
from editor.services.billing import caps, credits
from editor.services.core.access import Actor
from editor.services.core.errors import Forbidden
from editor.services.editing import lifecycle, submit
from editor.services.maintenance import invariants
from editor.services.people import accounts
from tests import cast, clock

pytestmark = pytest.mark.django_db


def send(actor: Actor) -> Edit:
    """Submit an edit whose photo a worker has to fetch."""
    submission = submit.Submission(prompt="black and white", image_urls=["https://example.org/a.jpg"])
    return cast.submit_edit(actor, submission)


def cap(user: User, workspace: Workspace, amount: int | None) -> None:
    Membership.objects.filter(user=user, workspace=workspace).update(cap=amount)


def keyed(user: User, workspace: Workspace, amount: int | None = None) -> Actor:
    """Create an API key for this user, and return the actor that represents the key."""
    _, secret = accounts.create_api_key(cast.actor_of(user, workspace), name="Script", cap=amount)
    return accounts.authenticate_key(secret)


def test_a_member_spends_as_much_as_their_cap_allows(bob: User, team: Workspace) -> None:
    cap(bob, team, 80)
    bobs = cast.actor_of(bob, team)
    for _ in range(2):
        send(bobs)
    with pytest.raises(credits.InsufficientCredits, match=r"^Insufficient credits$") as refused:
        send(bobs)
    assert refused.value.reason == "You have a monthly cap of 80 credits. Credits left this month: 0."
    assert Edit.objects.count() == 2
    cast.assert_ledger_balances(team)
    assert not invariants.find_violations(with_files=False)


def test_a_cap_applies_only_to_its_member_and_its_workspace(alice: User, bob: User, team: Workspace) -> None:
    cap(bob, team, 0)
    send(cast.actor_of(alice, team))
    send(cast.actor_of(bob))  # Bob can still spend credits in his personal workspace.
    with pytest.raises(credits.InsufficientCredits):
        send(cast.actor_of(bob, team))


def test_spending_by_a_key_also_counts_toward_its_members_cap(bob: User, team: Workspace) -> None:
    cap(bob, team, 100)
    send(keyed(bob, team))
    assert [found.left for found in caps.caps_of(cast.actor_of(bob, team), timezone.now())] == [60]
    send(keyed(bob, team))
    with pytest.raises(credits.InsufficientCredits) as refused:
        send(keyed(bob, team))
    assert refused.value.reason == "You have a monthly cap of 100 credits. Credits left this month: 20."


def test_a_key_at_its_cap_is_refused_but_its_member_can_still_submit(bob: User, team: Workspace) -> None:
    program = keyed(bob, team, 40)
    send(program)
    with pytest.raises(credits.InsufficientCredits) as refused:
        send(program)
    assert refused.value.reason == "This API key has a monthly cap of 40 credits. Credits left this month: 0."
    send(cast.actor_of(bob, team))
    send(keyed(bob, team))
    assert not invariants.find_violations(with_files=False)


@pytest.mark.parametrize("state", [Edit.State.FAILED, Edit.State.CANCELLED])
def test_an_edit_that_is_not_charged_no_longer_counts_toward_caps(
    bob: User, team: Workspace, state: Edit.State
) -> None:
    program = keyed(bob, team, 40)
    cap(bob, team, 40)
    assert lifecycle.finish(send(program), state)
    send(program)
    assert not invariants.find_violations(with_files=False)


def test_a_charged_edit_still_counts_toward_the_cap(bob: User, team: Workspace) -> None:
    cap(bob, team, 40)
    edit = send(cast.actor_of(bob, team))
    lifecycle.finish(edit, Edit.State.SUCCESS)
    with pytest.raises(credits.InsufficientCredits):
        send(cast.actor_of(bob, team))


def test_a_new_month_starts_at_zero_and_a_release_counts_in_the_month_of_the_hold(
    bob: User, team: Workspace
) -> None:
    cap(bob, team, 40)
    bobs = cast.actor_of(bob, team)
    with clock.at(datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC), tick=False):
        late = send(bobs)
    with clock.at(datetime(2026, 12, 1, tzinfo=UTC)):
        send(bobs)
        lifecycle.finish(late, Edit.State.FAILED)
        with pytest.raises(credits.InsufficientCredits):
            send(bobs)
    rows = Spending.objects.order_by("month").values_list("month", "amount")
    assert [(f"{month:%Y-%m}", amount) for month, amount in rows] == [("2026-11", 0), ("2026-12", 40)]


def test_a_member_who_leaves_and_rejoins_keeps_the_spending_of_the_month(bob: User, team: Workspace) -> None:
    send(cast.actor_of(bob, team))
    Membership.objects.filter(user=bob, workspace=team).delete()
    cast.join(team, bob)
    cap(bob, team, 79)
    with pytest.raises(credits.InsufficientCredits):
        send(cast.actor_of(bob, team))


def test_managers_cap_members_and_keys(alice: User, bob: User, team: Workspace) -> None:
    membership, key = Membership.objects.get(user=bob, workspace=team), keyed(bob, team).key
    assert key is not None
    alices = cast.actor_of(alice, team)
    for capped in (membership, key):
        caps.set_cap(alices, capped, 500)
        capped.refresh_from_db()
        assert capped.cap == 500
        caps.set_cap(alices, capped, None)
        capped.refresh_from_db()
        assert capped.cap is None


def test_setting_a_cap_requires_permission_in_that_workspace(
    alice: User, bob: User, charlie: User, team: Workspace
) -> None:
    membership = Membership.objects.get(user=bob, workspace=team)
    with pytest.raises(Forbidden):
        caps.set_cap(cast.actor_of(bob, team), membership, None)
    caps.set_cap(cast.actor_of(charlie), membership, 1)
    membership.refresh_from_db()
    assert membership.cap is None


@pytest.mark.parametrize("amount", [-1, 2_000_000_001, 10**30])
def test_an_invalid_cap_is_refused(alice: User, team: Workspace, amount: int) -> None:
    with pytest.raises(ValueError, match="Enter a cap from 0 to 2,000,000,000 credits a month"):
        caps.set_cap(cast.actor_of(alice, team), Membership.objects.get(user=alice, workspace=team), amount)


def test_a_key_without_an_amount_has_no_cap(alice: User) -> None:
    assert ApiKey.objects.get(pk=keyed(alice, alice.personal_workspace).key.pk).cap is None  # type: ignore[union-attr]
