"""The purse and its ledger: hold, capture, release, grant, correct.

A hold is not a deduction: `balance` falls only at capture. Every check is one conditional UPDATE, never a
read before a write; it locks the purse until its transaction ends, so that the entries of a workspace are
written one after another, each with the balance after it. Lock order everywhere: workspace, then edit.
"""

from collections.abc import Sequence

from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet

from editor.crash_points import crash_point
from editor.models import CreditEntry, Edit, User, Workspace

Kind = CreditEntry.Kind
_MOVE = """
    UPDATE editor_workspace SET balance = balance + %s, held = held + %s
    WHERE id = %s AND balance + %s >= held + %s
    RETURNING balance
"""


class InsufficientCredits(Exception):
    """The purse holds less free credits than the edit costs."""

    def __init__(self) -> None:
        super().__init__("Insufficient credits")


class PurseTooSmall(Exception):
    """A correction would take credits that are not there, or that are held for running edits."""

    def __init__(self) -> None:
        super().__init__("Too few credits are free for this correction.")


def hold(edits: Sequence[Edit]) -> None:
    """Reserves the prices of these edits of one workspace, all or none. Raises InsufficientCredits. Belongs
    in the transaction that inserts them."""
    balance = _move(edits[0].workspace_id, held=sum(edit.price for edit in edits))
    if balance is None:
        raise InsufficientCredits
    CreditEntry.objects.bulk_create(_entry(edit, Kind.HOLD, balance) for edit in edits)
    crash_point("submit.held")


def settle(edit: Edit, *, captured: bool) -> None:
    """Ends the edit's hold: takes the price, or sets it free. Belongs in the transaction that ends the
    edit; the database refuses a second settlement."""
    balance = _move(edit.workspace_id, balance=-edit.price if captured else 0, held=-edit.price)
    assert balance is not None, "what is held is there"
    crash_point("settle.purse_updated")
    _entry(edit, Kind.CAPTURE if captured else Kind.RELEASE, balance).save(force_insert=True)


def grant(actor: User | None, workspace: Workspace, *, amount: int, reason: str, reference: str = "") -> bool:
    """Adds `amount` credits. False, and nothing is added, when this `reference` has moved this purse
    before."""
    if amount < 1:
        raise ValueError("A grant is at least 1 credit.")
    return _add(actor, workspace, Kind.GRANT, amount, reason, reference)


def correct(
    actor: User | None, workspace: Workspace, *, amount: int, reason: str, reference: str = ""
) -> bool:
    """Adds a signed `amount` with its reason; raises PurseTooSmall when too little is free. False, and
    nothing is added, when this `reference` has moved this purse before."""
    return _add(actor, workspace, Kind.ADJUSTMENT, amount, reason, reference)


def statement(workspace: Workspace) -> QuerySet[CreditEntry]:
    """What has moved the workspace's balance, the newest first."""
    return workspace.credit_entries.moving().select_related("edit", "actor").order_by("-id")


def _add(
    actor: User | None, workspace: Workspace, kind: CreditEntry.Kind, amount: int, reason: str, reference: str
) -> bool:
    is_new = True
    try:
        with transaction.atomic():
            balance = _move(workspace.pk, balance=amount)
            if balance is None:
                raise PurseTooSmall
            CreditEntry.objects.create(
                workspace=workspace,
                kind=kind,
                amount=amount,
                balance=balance,
                reason=reason,
                reference=reference,
                actor=actor,
            )
    except (IntegrityError, PurseTooSmall):
        # When the reference has clashed, the savepoint has taken the amount back.
        is_new = False
        if not (reference and workspace.credit_entries.filter(reference=reference).exists()):
            raise
    workspace.refresh_from_db(fields=["balance", "held"])
    return is_new


def _move(workspace_id: int, *, balance: int = 0, held: int = 0) -> int | None:
    """Moves the purse; answers its balance then, or None, and nothing is moved, when less is free."""
    with connection.cursor() as cursor:
        cursor.execute(_MOVE, [balance, held, workspace_id, balance, held])
        row = cursor.fetchone()
    return row[0] if row else None


def _entry(edit: Edit, kind: CreditEntry.Kind, balance: int) -> CreditEntry:
    return CreditEntry(
        workspace_id=edit.workspace_id, edit=edit, kind=kind, amount=edit.price, balance=balance
    )
