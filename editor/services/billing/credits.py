"""The credits of a workspace: balance, ledger, holds, grants, refunds, plans, and monthly allowances.

A hold is not a deduction: `balance` decreases only at capture. Every check is part of a conditional UPDATE
rather than a separate read before the write. The UPDATE locks the workspace row until the transaction ends.
Therefore, a workspace's entries are written one after another, each with the resulting balance. Locks are
always acquired in this order: workspace, then edit.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext_lazy

from editor.crash_points import crash_point
from editor.models import Action, CreditEntry, Edit, User, Workspace
from editor.models.clock import database_now
from editor.services.billing import caps, low_balance, usage
from editor.services.core import audit
from editor.services.core.access import Actor
from editor.services.core.spreadsheet import csv_of

Kind = CreditEntry.Kind
INSUFFICIENT_CREDITS = gettext_noop("Insufficient credits")
_COLUMNS = (
    *(gettext_lazy("time"), gettext_lazy("kind"), gettext_lazy("credits"), gettext_lazy("balance")),
    *(gettext_lazy("edit"), gettext_lazy("reason"), pgettext_lazy("a person", "by")),
    *(gettext_lazy("engine"), gettext_lazy("model")),
)
_MOVE = """
    UPDATE editor_workspace SET balance = balance + %s, held = held + %s
    WHERE id = %s AND balance + %s >= held + %s
    RETURNING balance
"""


class InsufficientCredits(Exception):
    """Raised when there are too few free credits for an edit or a cap is too low. `reason` names the cap."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(_(INSUFFICIENT_CREDITS))
        self.reason = reason

    @property
    def sentence(self) -> str:
        """Return the complete user-readable message."""
        return f"{self}. {self.reason}".strip()


class CorrectionTooLarge(Exception):
    """Raised when a correction would take more credits than are free. Held credits are not free."""

    def __init__(self) -> None:
        super().__init__(
            _("There are not enough available credits for this correction. Enter a smaller amount.")
        )


class NotRefundable(Exception):
    """Raised when an edit cost nothing or less than the requested refund.

    The exception's message is shown to users.
    """


def require_credits(actor: Actor, *, edits: int = 1) -> None:
    """Check cheaply, before anything is decoded, whether the actor can pay for this many edits.

    Raises InsufficientCredits. The final check is made by `hold`.
    """
    workspace, now = actor.workspace, database_now()
    workspace.refresh_from_db(fields=["balance", "held", "plan", "allowance", "topped_up"])
    top_up(workspace, caps.month_of(now))
    if refusal := shortage(workspace, caps.caps_of(actor, now), edits=edits):
        raise refusal


def shortage(
    workspace: Workspace, actor_caps: Sequence[caps.Cap], *, edits: int = 1, price: int | None = None
) -> InsufficientCredits | None:
    """Return the reason why the edits can't be paid under these caps, or None if they can.

    `price` is the price of one edit. Without it, the lowest price that applies is used.
    """
    price = edits * (workspace.lowest_price if price is None else price)
    if workspace.free_credits < price:
        return InsufficientCredits()
    small = [cap for cap in actor_caps if cap.left < price]
    return InsufficientCredits(str(small[0])) if small else None


def affordable_edits(workspace: Workspace, actor_caps: Sequence[caps.Cap], *, price: int) -> int:
    """Return how many edits at this price the free credits and these caps allow now."""
    return min([workspace.free_credits, *(cap.left for cap in actor_caps)]) // price


def hold(edits: Sequence[Edit]) -> None:
    """Reserve the prices of all edits that are submitted together, or reserve nothing.

    Both the free credits and the caps must be sufficient. Raises InsufficientCredits. Call this function in
    the transaction that inserts the edits.
    """
    top_up(edits[0].workspace, caps.month_of(edits[0].created))
    balance = _move(edits[0].workspace_id, held=sum(edit.price for edit in edits))
    if balance is None:
        raise InsufficientCredits
    if cap := caps.add_spending(edits):
        raise InsufficientCredits(str(cap))
    CreditEntry.objects.bulk_create(_entry(edit, Kind.HOLD, balance) for edit in edits)
    crash_point("submit.held")


def settle(edit: Edit, *, captured: bool) -> None:
    """End the edit's hold by capturing or releasing its price.

    Call this function in the transaction that ends the edit. The database rejects a second settlement.
    """
    balance = _move(edit.workspace_id, balance=-edit.price if captured else 0, held=-edit.price)
    assert balance is not None, "held credits are part of the balance"
    crash_point("settle.purse_updated")
    _entry(edit, Kind.CAPTURE if captured else Kind.RELEASE, balance).save(force_insert=True)
    if captured:
        low_balance.notify_if_low(edit.workspace, before=balance + edit.price, after=balance)
    else:
        caps.subtract_spending(edit, edit.price)


def grant(
    by: audit.AuditActor, workspace: Workspace, *, amount: int, reason: str, reference: str = ""
) -> bool:
    """Add `amount` credits.

    Returns False and adds nothing if this workspace already has an entry with this `reference`. Raises
    ValueError if the amount is less than 1.
    """
    if amount < 1:
        raise ValueError(_("Enter a grant of at least 1 credit."))
    return _add(by, workspace, Kind.GRANT, amount, reason, reference)


def correct(
    by: audit.AuditActor, workspace: Workspace, *, amount: int, reason: str, reference: str = ""
) -> bool:
    """Change the balance by a signed `amount`.

    Returns False and changes nothing if this workspace has an entry with this `reference`. Raises
    CorrectionTooLarge if too few credits are free.
    """
    return _add(by, workspace, Kind.ADJUSTMENT, amount, reason, reference)


def refund(by: audit.AuditActor, edit: Edit, *, reason: str, amount: int | None = None) -> bool:
    """Refund an edit, or `amount` of its price, with a new entry.

    The refund is also subtracted from the spending for the month in which the edit was submitted and from the
    usage for the day on which it ended. Returns False and refunds nothing if the edit was already refunded.
    Raises NotRefundable and ReasonMissing.
    """
    reason, amount = audit.require_reason(reason), edit.price if amount is None else amount
    if not 0 < amount <= edit.price:
        sentence = _("This edit cost %(price)s credits. Enter a refund from 1 to %(price)s.")
        raise NotRefundable(sentence % {"price": edit.price})
    try:
        with transaction.atomic():
            balance = _move(edit.workspace_id, balance=amount)
            assert balance is not None, "adding credits always succeeds"
            entry = _entry(edit, Kind.REFUND, balance)
            entry.amount, entry.reason, entry.actor = amount, reason, audit.user_of(by)
            entry.save(force_insert=True)
            edit.refresh_from_db(fields=["finished"])  # The edit may have ended after it was read.
            caps.subtract_spending(edit, amount)
            usage.subtract_refund(edit, amount)
            audit.record(by, Action.REFUNDED, subject=edit, reason=reason, detail={"amount": amount})
    except IntegrityError:
        # Either the edit was already refunded, or the trigger found no captured hold.
        if CreditEntry.objects.filter(edit=edit, kind=Kind.REFUND).exists():
            return False
        raise NotRefundable(_("This edit was not charged, so there is nothing to refund.")) from None
    return True


def change_plan(by: audit.AuditActor, workspace: Workspace, *, plan: Workspace.Plan, reason: str) -> bool:
    """Set the plan, which determines the price of subsequent edits.

    Returns False if the workspace already has this plan. Raises ReasonMissing.
    """
    reason = audit.require_reason(reason)
    with transaction.atomic():
        is_new = bool(Workspace.objects.filter(pk=workspace.pk).exclude(plan=plan).update(plan=plan))
        if is_new:
            detail = {"plan": plan.value}
            audit.record(by, Action.PLAN_CHANGED, subject=workspace, reason=reason, detail=detail)
    return is_new


def set_allowance(by: audit.AuditActor, team: Workspace, *, amount: int) -> None:
    """Set a team's monthly allowance, to which its free credits are raised each month; 0 disables it."""
    with transaction.atomic():
        team.allowance = amount
        team.save(update_fields=["allowance"])
        audit.record(by, Action.ALLOWANCE_SET, subject=team, detail={"amount": amount})


def top_up(workspace: Workspace, month: date) -> None:
    """Raise the free credits of a workspace to its monthly allowance.

    A second call in the same month has no effect.
    """
    if not workspace.awaits_allowance(month):
        return
    with transaction.atomic():
        awaiting = Q(topped_up=None) | Q(topped_up__lt=month)
        # The UPDATE locks the workspace row, so the balance cannot change between the read and the top-up.
        if Workspace.objects.filter(awaiting, pk=workspace.pk).update(topped_up=month):
            workspace.refresh_from_db(fields=["balance", "held", "allowance", "topped_up"])
            missing = workspace.monthly_credits - workspace.free_credits
            if missing > 0:
                reason, reference = f"Allowance of {month:%B %Y}", f"allowance-{month:%Y-%m}"
                grant(None, workspace, amount=missing, reason=reason, reference=reference)


def top_up_all() -> None:
    """Top up all open workspaces that have not received this month's allowance."""
    month = caps.month_of(database_now())
    has_allowance = Q(personal_user=None, allowance__gt=0)
    if settings.MONTHLY_CREDITS:
        users = User.objects.with_monthly_credits().filter(is_active=True)
        has_allowance |= Q(personal_user__in=users)
    awaiting = Q(topped_up=None) | Q(topped_up__lt=month)
    for workspace in Workspace.objects.filter(has_allowance, awaiting, closed=None):
        top_up(workspace, month)


def statement(workspace: Workspace, *, month: date | None = None) -> QuerySet[CreditEntry]:
    """Return the entries that changed the workspace's balance, newest first.

    With `month`, return only the entries of the month (UTC) that contains this day.
    """
    entries = (
        workspace.credit_entries.changing_balance().select_related("edit__engine", "actor").order_by("-id")
    )
    if month is None:
        return entries
    first = datetime.combine(month.replace(day=1), time.min, UTC)
    after = (first + timedelta(days=32)).replace(day=1)
    return entries.filter(created__gte=first, created__lt=after)


def statement_csv(workspace: Workspace, *, month: date | None = None) -> str:
    """Return the statement as CSV."""
    entries = statement(workspace, month=month).iterator(chunk_size=500)
    return csv_of(_COLUMNS, (_row(entry) for entry in entries))


def _row(entry: CreditEntry) -> tuple[object, ...]:
    return (
        entry.created.isoformat(),
        entry.get_kind_display(),
        entry.balance_change,
        entry.balance,
        str(entry.edit_id or ""),
        entry.reason,
        str(entry.actor or ""),
        *(entry.edit.engine_and_model if entry.edit else ("", "")),
    )


def _add(
    by: audit.AuditActor,
    workspace: Workspace,
    kind: CreditEntry.Kind,
    amount: int,
    reason: str,
    reference: str,
) -> bool:
    is_new = True
    try:
        with transaction.atomic():
            balance = _move(workspace.pk, balance=amount)
            if balance is None:
                raise CorrectionTooLarge
            CreditEntry.objects.create(
                workspace=workspace,
                kind=kind,
                amount=amount,
                balance=balance,
                reason=reason,
                reference=reference,
                actor=audit.user_of(by),
            )
            _record(by, workspace, kind, amount, reason)
            if amount > 0:
                workspace.credit_requests.filter(answered=None).update(answered=database_now())
            else:
                low_balance.notify_if_low(workspace, before=balance - amount, after=balance)
    except (IntegrityError, CorrectionTooLarge):
        # An entry with this reference may already exist. Rolling back to the savepoint has already undone the
        # change to the balance.
        is_new = False
        if not (reference and workspace.credit_entries.filter(reference=reference).exists()):
            raise
    workspace.refresh_from_db(fields=["balance", "held"])
    return is_new


def _record(
    by: audit.AuditActor, workspace: Workspace, kind: CreditEntry.Kind, amount: int, reason: str
) -> None:
    """Record in the audit log that a person changed the balance.

    Allowances, which the site grants automatically, are recorded only in the ledger.
    """
    if by is not None:
        action = Action.GRANTED if kind == Kind.GRANT else Action.CORRECTED
        audit.record(by, action, subject=workspace, reason=reason, detail={"amount": amount})


def _move(workspace_id: int, *, balance: int = 0, held: int = 0) -> int | None:
    """Update the balance and the held credits, and return the new balance.

    Returns None and changes nothing if too few credits are free.
    """
    with connection.cursor() as cursor:
        cursor.execute(_MOVE, [balance, held, workspace_id, balance, held])
        row = cursor.fetchone()
    return row[0] if row else None


def _entry(edit: Edit, kind: CreditEntry.Kind, balance: int) -> CreditEntry:
    return CreditEntry(
        workspace_id=edit.workspace_id, edit=edit, kind=kind, amount=edit.price, balance=balance
    )
