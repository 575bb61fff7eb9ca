"""Caps: the credits that a member or an API key may spend in a calendar month (UTC).

Held and captured credits count toward a cap. Released and refunded credits are subtracted. An edit counts in
the month in which it was submitted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from editor.models import Action, ApiKey, Edit, Membership, Spending, Workspace
from editor.models.wording import number
from editor.services.core import audit
from editor.services.core.access import Actor, Right

MAX_CREDITS = 2_000_000_000  # the maximum cap, allowance, or grant, in credits
_UNCAPPED = 2**62
type CapHolders = QuerySet[Membership] | QuerySet[ApiKey]


class InvalidCap(ValueError):
    """Raised when an amount is not a valid cap. The exception's message states the valid range."""


@dataclass(frozen=True)
class Cap:
    """The cap of a member or an API key: `amount` credits a month, of which `left` remain.

    Converting a cap to a string returns a user-readable sentence.
    """

    amount: int
    left: int
    is_of_key: bool

    def __str__(self) -> str:
        sentence = (
            _("This API key has a monthly cap of %(amount)s credits. Credits left this month: %(left)s.")
            if self.is_of_key
            else _("You have a monthly cap of %(amount)s credits. Credits left this month: %(left)s.")
        )
        return sentence % {"amount": self.amount, "left": self.left}


def month_of(moment: datetime) -> date:
    """Return the first day of the month that contains this moment."""
    return moment.date().replace(day=1)


def add_spending(edits: Sequence[Edit]) -> Cap | None:
    """Add the prices of these edits, submitted together, to the spending of their member and their API key.

    If the prices exceed a cap, returns that cap, and the caller must roll back the transaction. Otherwise
    returns None. Call this function while the transaction holds the lock on the workspace row.
    """
    price = sum(edit.price for edit in edits)
    for row, capped in _counted(edits[0]):
        Spending.objects.bulk_create([row], ignore_conflicts=True)
        room = Coalesce(capped.values("cap"), _UNCAPPED) - price
        if not _same(row).filter(amount__lte=room).update(amount=F("amount") + price):
            return next(_caps(row, capped))
    return None


def subtract_spending(edit: Edit, amount: int) -> None:
    """Subtract an amount from the spending of the month in which the edit was submitted.

    If the edit is not charged, the amount is its price. If the edit is refunded, the amount is the refund.
    """
    for row, _key in _counted(edit):
        _same(row).update(amount=F("amount") - amount)


def caps_of(actor: Actor, now: datetime) -> list[Cap]:
    """Return the caps that apply to the actor, each with the credits that remain this month."""
    edit = Edit(workspace=actor.workspace, owner=actor.user, api_key=actor.key, created=now)
    return [cap for row, capped in _counted(edit) for cap in _caps(row, capped)]


def members_of(workspace: Workspace, now: datetime) -> QuerySet[Membership]:
    """Return the members, ordered by email address, each annotated with the credits `spent` this month."""
    rows = Spending.objects.filter(
        workspace=OuterRef("workspace"), user=OuterRef("user"), key=None, month=month_of(now)
    )
    members = workspace.memberships.select_related("user").order_by("user__email")
    return members.annotate(spent=Coalesce(Subquery(rows.values("amount")), 0))


def with_spending(keys: QuerySet[ApiKey], now: datetime) -> QuerySet[ApiKey]:
    """Return the API keys, each annotated with the credits `spent` this month."""
    rows = Spending.objects.filter(key=OuterRef("pk"), month=month_of(now))
    return keys.annotate(spent=Coalesce(Subquery(rows.values("amount")), 0))


def set_cap(actor: Actor, holder: Membership | ApiKey, amount: int | None) -> None:
    """Set the monthly cap of a member or an API key in the actor's workspace; None removes the cap.

    Raises Forbidden and InvalidCap.
    """
    actor.require(Right.MANAGE_MEMBERS)
    validate(amount)
    same = type(holder)._default_manager.filter(pk=holder.pk, workspace=actor.workspace)
    with transaction.atomic():
        if same.update(cap=amount):
            subject = holder.user if isinstance(holder, Membership) else holder
            audit.record(
                actor, Action.CAP_SET, subject=subject, workspace=actor.workspace, detail={"cap": amount}
            )


def validate(amount: int | None) -> None:
    """Raise InvalidCap if this amount is not a valid cap."""
    if amount is not None and not 0 <= amount <= MAX_CREDITS:
        sentence = _("Enter a cap from 0 to %(most)s credits a month.")
        raise InvalidCap(sentence % {"most": number(MAX_CREDITS)})


def _counted(edit: Edit) -> Iterator[tuple[Spending, CapHolders]]:
    """Yield the spending rows in which the edit counts, each with its member or API key."""
    month, place = month_of(edit.created), {"workspace_id": edit.workspace_id, "user_id": edit.owner_id}
    yield Spending(**place, month=month), Membership.objects.filter(**place)
    if edit.api_key_id is not None:
        yield (
            Spending(**place, key_id=edit.api_key_id, month=month),
            ApiKey.objects.filter(pk=edit.api_key_id),
        )


def _same(row: Spending) -> QuerySet[Spending]:
    return Spending.objects.filter(
        workspace=row.workspace_id, user=row.user_id, key=row.key_id, month=row.month
    )


def _caps(row: Spending, capped: CapHolders) -> Iterator[Cap]:
    for amount in capped.exclude(cap=None).values_list("cap", flat=True):
        spent = sum(_same(row).values_list("amount", flat=True))
        yield Cap(amount or 0, max(0, (amount or 0) - spent), is_of_key=row.key_id is not None)
