"""The purse and its ledger: hold, capture, release, grant, correct.

A hold is not a deduction: `balance` falls only at capture. Every check is one conditional UPDATE, never a
read before a write. Lock order everywhere: workspace, then edit.
"""

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet

from editor.crash_points import crash_point
from editor.models import CreditEntry, Edit, User, Workspace

Kind = CreditEntry.Kind


class InsufficientCredits(Exception):
    """The purse holds less free credits than the edit costs."""

    def __init__(self) -> None:
        super().__init__("Insufficient credits")


class PurseTooSmall(Exception):
    """A correction would take credits that are not there, or that are held for running edits."""


def hold(edits: Sequence[Edit]) -> None:
    """Reserves the price of all these edits of one workspace, or of none: raises InsufficientCredits.
    Belongs in the transaction that inserts them."""
    price = sum(edit.price for edit in edits)
    purse = Workspace.objects.filter(id=edits[0].workspace_id, balance__gte=F("held") + price)
    if not purse.update(held=F("held") + price):
        raise InsufficientCredits
    CreditEntry.objects.bulk_create(_entry(edit, Kind.HOLD) for edit in edits)
    crash_point("submit.held")


def settle(edit: Edit, *, captured: bool) -> None:
    """Ends the edit's hold: takes the price, or sets it free. Belongs in the transaction that ends the
    edit; the database refuses a second settlement."""
    Workspace.objects.filter(id=edit.workspace_id).update(
        held=F("held") - edit.price, balance=F("balance") - (edit.price if captured else 0)
    )
    crash_point("settle.purse_updated")
    _entry(edit, Kind.CAPTURE if captured else Kind.RELEASE).save(force_insert=True)


def grant(
    actor: User | None, workspace: Workspace, *, amount: int, reason: str, reference: str = ""
) -> CreditEntry:
    """Adds `amount` credits. A grant with a `reference` that is sent twice arrives once."""
    if amount < 1:
        raise ValueError("A grant is at least 1 credit.")
    try:
        with transaction.atomic():
            _add(workspace, amount)
            return CreditEntry.objects.create(
                workspace=workspace,
                kind=Kind.GRANT,
                amount=amount,
                reason=reason,
                reference=reference,
                actor=actor,
            )
    except IntegrityError:
        if not reference:
            raise
        # The reference has clashed; the savepoint has taken the amount back.
        return CreditEntry.objects.get(workspace=workspace, kind=Kind.GRANT, reference=reference)


def correct(actor: User | None, workspace: Workspace, *, amount: int, reason: str) -> CreditEntry:
    """Adds a signed `amount` with its reason; raises PurseTooSmall when too little is free."""
    with transaction.atomic():
        if not _add(workspace, amount):
            raise PurseTooSmall("Too few credits are free for this correction.")
        return CreditEntry.objects.create(
            workspace=workspace, kind=Kind.ADJUSTMENT, amount=amount, reason=reason, actor=actor
        )


def statement(workspace: Workspace) -> QuerySet[CreditEntry]:
    """The workspace's entries, the newest first."""
    return workspace.credit_entries.select_related("edit", "actor").order_by("-id")


def _add(workspace: Workspace, amount: int) -> bool:
    added = Workspace.objects.filter(id=workspace.id, balance__gte=F("held") - amount).update(
        balance=F("balance") + amount
    )
    workspace.refresh_from_db(fields=["balance", "held"])
    return bool(added)


def _entry(edit: Edit, kind: CreditEntry.Kind) -> CreditEntry:
    return CreditEntry(workspace_id=edit.workspace_id, edit=edit, kind=kind, amount=edit.price)
