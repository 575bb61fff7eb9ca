"""The invariants for all edits, balances, and files (I1 to I8, I10 to I18), checked against the rows."""

from collections.abc import Callable, Iterator
from datetime import UTC, timedelta
from typing import Any

from django.db import connection
from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    DateField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    When,
    Window,
)
from django.db.models.functions import Coalesce, TruncDate, TruncMonth

from editor.models import (
    CreditEntry,
    DailyUsage,
    DraftPhoto,
    Edit,
    Photo,
    RecipePhoto,
    ReferencePhoto,
    ResultPhoto,
    Spending,
    Workspace,
)
from editor.models.clock import consistent_snapshot, database_now
from editor.models.triggers import missing
from editor.services.core import audit, search
from editor.services.photos import photos
from editor.services.photos.storage import StorageUnavailable

Kind = CreditEntry.Kind
State = Edit.State
Axis = DailyUsage.Axis
type Sums = dict[tuple[Any, ...], Any]
REFUNDS = CreditEntry.objects.filter(kind=Kind.REFUND)
GRACE = timedelta(seconds=60)  # maximum time between a deadline and the sweep that ends the edit


def find_violations(*, with_files: bool = True, is_stopped: bool = False) -> list[str]:
    """Return a sentence for each violation of an invariant, or an empty list if all invariants hold.

    Checks of live data skip the files, because reading all of them takes a long time. While the site
    `is_stopped`, no worker ends overdue edits, so deadlines are not checked.
    """
    checks = ROW_CHECKS + FILE_CHECKS if with_files else ROW_CHECKS
    return [sentence for check in checks if not (is_stopped and check is deadlines) for sentence in check()]


def workspace_balances() -> Iterator[str]:
    """I1, I2, I3: balance and held credits match the entries and are never negative.

    A single statement reads all values, so they are consistent even while the site is in use.
    """
    for workspace in Workspace.objects.annotate(**{kind: _sum_of(kind) for kind in Kind.values}):
        of: dict[str, int] = {kind: getattr(workspace, kind) or 0 for kind in Kind.values}
        balance = of[Kind.GRANT] + of[Kind.ADJUSTMENT] + of[Kind.REFUND] - of[Kind.CAPTURE]
        held = of[Kind.HOLD] - of[Kind.CAPTURE] - of[Kind.RELEASE]
        if workspace.balance != balance:
            yield f"I1: workspace {workspace.pk} has {workspace.balance} credits; entries total {balance}."
        if workspace.held != held:
            yield f"I2: workspace {workspace.pk} holds {workspace.held} credits; entries total {held}."
        if not 0 <= workspace.held <= workspace.balance:
            yield f"I3: workspace {workspace.pk} holds more credits than it has."


def ledger_balances() -> Iterator[str]:
    """I12: the balance in each entry is the sum of all entries up to and including it."""
    captured = Q(kind=Kind.CAPTURE)
    reserved = Q(kind__in=[Kind.HOLD, Kind.RELEASE])
    moved = Case(
        When(captured, then=-F("amount")),
        When(reserved, then=0),
        default=F("amount"),
        output_field=BigIntegerField(),
    )
    total = Window(Sum(moved), partition_by=[F("workspace")], order_by=F("id").asc())
    wrong = CreditEntry.objects.annotate(total=total).exclude(balance=F("total"))
    for entry, stored, expected in wrong.values_list("id", "balance", "total"):
        yield f"I12: entry {entry} has a balance of {stored}; the entries total {expected}."


def settlements() -> Iterator[str]:
    """I4, I5, I6: each edit has one hold, one settlement once it ends, and a capture only if it succeeds."""
    for edit in _counted_edits().exclude(holds=1):
        yield f"I4: edit {edit.pk} has {edit.holds} holds."
    ended = Q(state__in=Edit.TERMINAL)
    for edit in _counted_edits().exclude(ended & Q(settled=1) | ~ended & Q(settled=0)):
        yield f"I5: edit {edit.pk} is {edit.state} and has {edit.settled} settlements."
    succeeded = Q(state=State.SUCCESS)
    for edit in _counted_edits().exclude(succeeded & Q(captures=1) | ~succeeded & Q(captures=0)):
        yield f"I6: edit {edit.pk} is {edit.state} and has {edit.captures} captures."


def empty_successes() -> Iterator[str]:
    """I7: a successful edit has results."""
    kept = Edit.objects.filter(state=State.SUCCESS, purged=None)
    for edit in kept.annotate(count=Count("results")).filter(count=0):
        yield f"I7: edit {edit.pk} succeeded without a result."


def unpaid_results() -> Iterator[str]:
    """I18: an edit that ended without a charge keeps no results, unless it is incomplete."""
    unpaid = ResultPhoto.stored.unpaid().order_by().values_list("edit", "edit__state")
    for edit_id, state, count in unpaid.annotate(Count("pk")):
        yield f"I18: edit {edit_id} is {state} and still has unpaid results: {count}."


def results() -> Iterator[str]:
    """I7: the result files have not changed since they were stored."""
    stored = ResultPhoto.stored.filter(edit__purged=None)
    for photo in stored.iterator(chunk_size=500):
        try:
            if photos.sha256_of(photo) != photo.sha256:
                yield f"I7: the file of result {photo.key} has changed since it was stored."
        except FileNotFoundError:
            yield f"I7: the file of result {photo.key} is missing."
        except OSError as error:
            yield f"I7: the file of result {photo.key} cannot be read: {error.strerror or error}."


def prices() -> Iterator[str]:
    """I8: each entry for an edit has the edit's price."""
    of_edits = CreditEntry.objects.filter(edit__isnull=False).exclude(kind=Kind.REFUND)
    for entry in of_edits.exclude(amount=F("edit__price")):
        yield f"I8: entry {entry.pk} is {entry.amount}, which is not the price of its edit."


def refunds() -> Iterator[str]:
    """I17: a refund follows its edit's capture in the same workspace and does not exceed that capture."""
    captured = CreditEntry.objects.filter(
        kind=Kind.CAPTURE,
        edit=OuterRef("edit"),
        workspace=OuterRef("workspace"),
        id__lt=OuterRef("id"),
        amount__gte=OuterRef("amount"),
    )
    for entry in REFUNDS.exclude(Exists(captured), amount__gt=0):
        yield f"I17: refund {entry.pk} is more than its edit cost."


def spendings() -> Iterator[str]:
    """I13: spending under caps is the price of the month's edits, minus what was released or refunded."""
    kept = Edit.objects.exclude(state__in=[State.FAILED, State.CANCELLED]).exclude(price=0)
    kept = kept.annotate(month=TruncMonth("created", output_field=DateField(), tzinfo=UTC))
    refunded = REFUNDS.annotate(month=TruncMonth("edit__created", output_field=DateField(), tzinfo=UTC))
    rows = Spending.objects.exclude(amount=0)
    expected: Sums = {}
    with consistent_snapshot():
        for who, edits in (((), kept), (("api_key",), kept.exclude(api_key=None))):
            by, of = ("workspace", "owner", "month", *who), [f"edit__{name}" for name in who]
            costs = _grouped(edits, *by, sum=Sum("price"))
            expected |= _less(
                costs, _grouped(refunded, "workspace", "edit__owner", "month", *of, sum=Sum("amount"))
            )
        stored = _grouped(rows.filter(key=None), "workspace", "user", "month", sum=Sum("amount"))
        stored |= _grouped(rows.exclude(key=None), "workspace", "user", "month", "key", sum=Sum("amount"))
    expected = {group: row for group, row in expected.items() if row != (0,)}
    yield from _differences("I13: the spending of workspace, user, month, key", expected, stored)


def usage() -> Iterator[str]:
    """I14: each day's totals match the edits that ended on that day."""
    ended = Edit.objects.exclude(finished=None).annotate(
        day=TruncDate("finished", tzinfo=UTC), used_engine=Coalesce("engine__name", "provider")
    )
    refunded = REFUNDS.annotate(
        day=TruncDate("edit__finished", tzinfo=UTC),
        used_engine=Coalesce("edit__engine__name", "edit__provider"),
    )
    succeeded = Q(state=State.SUCCESS)
    measures = {
        "all": Count("id"),
        "done": Count("id", filter=succeeded),
        "failed": Count("id", filter=Q(state=State.FAILED)),
        "cost": Sum("price", filter=succeeded, default=0),
    }
    kept_as = {f"sum_{name}": Sum(name) for name in ("edits", "successes", "failures", "credits")}
    expected: Sums = {}
    with consistent_snapshot():
        for axis, of, of_refund in (
            (Axis.PERSON, "owner", "edit__owner"),
            (Axis.KEY, "api_key", "edit__api_key"),
            (Axis.ENGINE, "used_engine", "used_engine"),
        ):
            sums = _grouped(ended.exclude(**{of: None}), "workspace", "day", of, **measures)
            sums = _less(sums, _grouped(refunded, "workspace", "day", of_refund, sum=Sum("amount")))
            expected |= {(who, day, axis, str(name)): row for (who, day, name), row in sums.items()}
        stored = _grouped(
            DailyUsage.objects.exclude(axis=Axis.KIND), "workspace", "day", "axis", "name", **kept_as
        )
        engines, kinds = (
            _grouped(DailyUsage.objects.filter(axis=axis), "workspace", "day", **kept_as)
            for axis in (Axis.ENGINE, Axis.KIND)
        )
    yield from _differences("I14: the sums of workspace, day, axis, name", expected, stored)
    yield from _differences("I14: the kinds of workspace, day", engines, kinds)


def deadlines() -> Iterator[str]:
    """I10: every edit that is past its deadline has ended."""
    for edit in Edit.objects.open().filter(deadline__lt=database_now() - GRACE):
        yield f"I10: edit {edit.pk} is still {edit.state} after its deadline."


def files() -> Iterator[str]:
    """I11: every row has its file, and no file remains without a row for more than an hour."""
    rows: list[Iterator[Photo]] = [
        DraftPhoto.objects.iterator(chunk_size=500),
        RecipePhoto.objects.iterator(chunk_size=500),
        ReferencePhoto.objects.filter(edit__purged=None).iterator(chunk_size=500),
        ResultPhoto.stored.filter(edit__purged=None).iterator(chunk_size=500),
    ]
    try:
        for stored in rows:
            for sentence in photos.broken_files(stored):
                yield f"I11: {sentence}."
        for key in photos.orphans():
            yield f"I11: {key} does not belong to a photo."
    except StorageUnavailable as away:
        yield f"I11: the photos could not be checked: {away}."


def database_file() -> Iterator[str]:
    """The SQLite file and its indexes are intact."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check(10)")
            found = [row[0] for row in cursor.fetchall()]
        for line in found if found != ["ok"] else ():
            yield f"The database file is damaged: {line}. Stop the site and restore the last backup."


def purges() -> Iterator[str]:
    """I15: an edit that was purged from the trash contains nothing that a person wrote or saw."""
    purged = Edit.objects.filter(trashed__isnull=False, purged__isnull=False)
    has_data = ~Q(prompt="", regions=[], points=[], image_urls=[], notices=[], failure_message="")
    has_data |= Q(failure_said__isnull=False)
    has_rows = Q(words__isnull=False) | Q(favorites__isnull=False) | Q(comments__isnull=False)
    has_rows |= Q(Exists(ReferencePhoto.objects.filter(edit=OuterRef("pk")).exclude(name="")))
    for edit in purged.filter(has_data | has_rows).distinct():
        yield f"I15: edit {edit.pk} was purged, but some of its data remains."


def unindexed_edits() -> Iterator[str]:
    """Every edit with a prompt is in the search index."""
    for edit in search.unindexed():
        yield f"Edit {edit.pk} is missing from the search index."


def misindexed_edits() -> Iterator[str]:
    """The search index matches the prompts."""
    for edit in search.misindexed():
        yield f"Edit {edit.pk} has the wrong words in the search index."
    if not search.is_index_sound():
        yield "The search index does not match its rows."


def triggers() -> Iterator[str]:
    """All triggers that enforce rules in the database are present."""
    for name in missing():
        yield f"The trigger {name} is missing. Run manage.py migrate."


def _grouped(rows: QuerySet[Any], *by: str, **measures: Any) -> Sums:
    """Return aggregates over the rows, grouped by these columns."""
    groups = rows.order_by().values_list(*by).annotate(**measures)
    return {row[: len(by)]: row[len(by) :] for row in groups}


def _less(sums: Sums, refunded: Sums) -> Sums:
    """Return the sums, with each group's refunds subtracted from the last sum in that group."""
    given = {group: amount for group, (amount,) in refunded.items() if group in sums}
    return sums | {group: (*sums[group][:-1], sums[group][-1] - amount) for group, amount in given.items()}


def _differences(what: str, expected: Sums, stored: Sums) -> Iterator[str]:
    for group in expected.keys() | stored.keys():
        if expected.get(group) != stored.get(group):
            named = ", ".join(map(str, group))
            yield f"{what} {named} is {stored.get(group)}; the edits total {expected.get(group)}."


type Check = Callable[[], Iterator[str]]
ROW_CHECKS: tuple[Check, ...] = (
    workspace_balances,
    ledger_balances,
    settlements,
    empty_successes,
    unpaid_results,
    prices,
    refunds,
    spendings,
    usage,
    deadlines,
    purges,
    unindexed_edits,
    triggers,
)
FILE_CHECKS: tuple[Check, ...] = (database_file, results, files, misindexed_edits, audit.chain_errors)


def _sum_of(kind: str) -> Sum:
    return Sum("credit_entries__amount", filter=Q(credit_entries__kind=kind))


def _counted_edits() -> QuerySet[Any]:
    of = "credit_entries"
    return Edit.objects.annotate(
        holds=Count(of, filter=Q(credit_entries__kind=Kind.HOLD)),
        captures=Count(of, filter=Q(credit_entries__kind=Kind.CAPTURE)),
        settled=Count(of, filter=Q(credit_entries__kind__in=[Kind.CAPTURE, Kind.RELEASE])),
    )
