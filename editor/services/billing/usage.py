"""A workspace's usage: daily totals that are updated as edits end, and reports by month or year."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import TruncMonth
from django.utils.translation import gettext_lazy as _

from editor.models import ApiKey, DailyUsage, Edit, User, Workspace
from editor.models.engines import engine_title
from editor.options import EditKind
from editor.services.core.access import Actor, Right

Axis = DailyUsage.Axis
MEASURES = ("edits", "successes", "failures", "credits", "pace")
SEVERAL, UNKNOWN = "several", "unknown"
KIND_LABELS = {
    EditKind.COLOR: _("Color"),
    EditKind.ADD: _("Additions"),
    EditKind.BACKGROUND: _("Background"),
    EditKind.COMPOSITION: _("Composition"),
    EditKind.REMOVE: _("Removals"),
    SEVERAL: _("Multiple"),
    UNKNOWN: _("Unknown"),
}
_MIN_SECONDS = 0.05  # minimum duration in seconds, because the logarithm of 0 is undefined


@dataclass(frozen=True)
class Sums:
    """The counts of ended, successful, and failed edits, and the total cost in credits after refunds.

    `pace` is the sum of 1000 * ln(seconds) over the successful edits.
    """

    edits: int = 0
    successes: int = 0
    failures: int = 0
    credits: int = 0
    pace: int = 0

    @property
    def success_rate(self) -> float | None:
        """Return the share of successful edits, from 0 to 1, or None if all edits were cancelled.

        Cancelled edits are not counted.
        """
        judged = self.successes + self.failures
        return self.successes / judged if judged else None

    @property
    def typical_seconds(self) -> float | None:
        """Return the typical duration, in seconds, of a successful edit, or None if no edit was successful.

        The typical duration is the geometric mean, because outliers hardly affect it and a median cannot be
        computed from sums.
        """
        return math.exp(self.pace / 1000 / self.successes) if self.successes else None

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(*(getattr(self, name) + getattr(other, name) for name in MEASURES))


@dataclass(frozen=True)
class Period:
    """A month, or a whole year if `month` is 0."""

    year: int
    month: int = 0

    @property
    def start(self) -> date:
        return date(self.year, self.month or 1, 1)

    @property
    def end(self) -> date:
        """Return the first day after this period."""
        if self.month in (0, 12):
            return date(self.year + 1, 1, 1)
        return date(self.year, self.month + 1, 1)


def count_edit(edit: Edit, state: Edit.State, finished: datetime) -> None:
    """Add an edit that ends in this state to the daily totals.

    Call this function in the transaction that ends the edit and holds the lock on the workspace row.
    """
    rows = [
        DailyUsage(workspace_id=edit.workspace_id, day=finished.date(), axis=axis, name=name)
        for axis, name in names_of(edit).items()
    ]
    DailyUsage.objects.bulk_create(rows, ignore_conflicts=True)
    added = sums_of(edit, state, finished)
    changes = {name: F(name) + getattr(added, name) for name in MEASURES}
    _rows_of(edit, finished).update(**changes)


def subtract_refund(edit: Edit, amount: int) -> None:
    """Subtract a refunded amount from the totals of the day on which the edit ended.

    Call this function in the transaction that makes the refund.
    """
    assert edit.finished is not None, "a charged edit has ended"
    _rows_of(edit, edit.finished).update(credits=F("credits") - amount)


def names_of(edit: Edit) -> dict[Axis, str]:
    """Return the name under which an edit counts on each axis.

    If an engine's address changes, its name stays the same.
    """
    names = {Axis.PERSON: str(edit.owner_id), Axis.ENGINE: edit.engine_name, Axis.KIND: kind_of(edit)}
    return names if edit.api_key_id is None else {**names, Axis.KEY: str(edit.api_key_id)}


def kind_of(edit: Edit) -> str:
    """Return the kind of step in the edit's plan, SEVERAL if the plan has several kinds, or UNKNOWN."""
    kinds = {step["kind"] for step in (edit.plan or {}).get("steps", [])}
    return kinds.pop() if len(kinds) == 1 else SEVERAL if kinds else UNKNOWN


def sums_of(edit: Edit, state: Edit.State, finished: datetime) -> Sums:
    """Return the amounts that one edit adds to the daily totals."""
    if state != Edit.State.SUCCESS:
        return Sums(edits=1, failures=int(state == Edit.State.FAILED))
    seconds = max(_MIN_SECONDS, (finished - edit.created).total_seconds())
    return Sums(edits=1, successes=1, credits=edit.price, pace=round(1000 * math.log(seconds)))


def sums_by_time(actor: Actor, period: Period) -> dict[date, Sums]:
    """Return totals for each day of a month, or for each month of a year.

    A month's total is keyed by its first day. Days or months without edits are omitted. Raises Forbidden.
    """
    actor.require(Right.SEE_USAGE)
    # Every edit has exactly one engine, so the totals by engine cover all edits.
    rows = _rows(actor.workspace, period).filter(axis=Axis.ENGINE)
    when = F("day") if period.month else TruncMonth("day")
    grouped = rows.annotate(when=when).values("when").annotate(**_TOTALS).order_by("when")
    return {row["when"]: _sums(row) for row in grouped}


def sums_of_site(since: date) -> dict[date, Sums]:
    """Return the daily totals of the whole site since this day, for the operator.

    Days without edits are omitted.
    """
    rows = DailyUsage.objects.filter(axis=Axis.ENGINE, day__gte=since)
    return {row["day"]: _sums(row) for row in rows.values("day").annotate(**_TOTALS).order_by("day")}


def engines_of(workspace: Workspace) -> list[str]:
    """Return the engines that the workspace's ended edits used."""
    rows = DailyUsage.objects.filter(workspace=workspace, axis=Axis.ENGINE)
    return list(rows.order_by("name").values_list("name", flat=True).distinct())


def sums_by_name(actor: Actor, period: Period) -> dict[Axis, list[tuple[str, Sums]]]:
    """Return the period's totals by person, kind, engine, and API key, each with its label.

    Each of these four lists is sorted by credits, highest first. Raises Forbidden.
    """
    actor.require(Right.SEE_USAGE)
    grouped = list(_rows(actor.workspace, period).values("axis", "name").annotate(**_TOTALS))
    labels = _labels({(Axis(row["axis"]), row["name"]) for row in grouped})
    in_order = (Axis.PERSON, Axis.KIND, Axis.ENGINE, Axis.KEY)
    lists: dict[Axis, list[tuple[str, Sums]]] = {axis: [] for axis in in_order}
    for row in grouped:
        lists[Axis(row["axis"])].append((labels[Axis(row["axis"]), row["name"]], _sums(row)))
    for lines in lists.values():
        lines.sort(key=lambda line: (-line[1].credits, -line[1].edits, line[0]))
    return lists


def daily_sums(actor: Actor, period: Period) -> Iterator[tuple[date, Axis, str, Sums]]:
    """Yield all stored totals of the period with their labels, ordered by day. Raises Forbidden."""
    actor.require(Right.SEE_USAGE)
    rows = list(_rows(actor.workspace, period).order_by("day", "axis", "name"))
    labels = _labels({(Axis(row.axis), row.name) for row in rows})
    for row in rows:
        yield (
            row.day,
            Axis(row.axis),
            labels[Axis(row.axis), row.name],
            Sums(*(getattr(row, name) for name in MEASURES)),
        )


def _rows_of(edit: Edit, finished: datetime) -> QuerySet[DailyUsage]:
    same = Q()
    for axis, name in names_of(edit).items():
        same |= Q(axis=axis, name=name)
    return DailyUsage.objects.filter(same, workspace=edit.workspace_id, day=finished.date())


_TOTALS = {f"sum_{name}": Sum(name) for name in MEASURES}


def _rows(workspace: Workspace, period: Period) -> QuerySet[DailyUsage]:
    return DailyUsage.objects.filter(workspace=workspace, day__gte=period.start, day__lt=period.end)


def _sums(row: Any) -> Sums:
    return Sums(*(row[name] for name in _TOTALS))


def _labels(names: set[tuple[Axis, str]]) -> dict[tuple[Axis, str], str]:
    """Return the labels that pages show for these people, engines, kinds, and API keys."""
    people = User.objects.in_bulk([int(name) for axis, name in names if axis == Axis.PERSON])
    keys = ApiKey.objects.in_bulk([int(name) for axis, name in names if axis == Axis.KEY])
    found = {(Axis.PERSON, str(pk)): person.label for pk, person in people.items()}
    found |= {(Axis.KEY, str(pk)): str(key) for pk, key in keys.items()}
    found |= {(Axis.KIND, name): str(label) for name, label in KIND_LABELS.items()}
    found |= {(axis, name): engine_title(name) for axis, name in names if axis == Axis.ENGINE}
    return {(axis, name): found.get((axis, name), name) for axis, name in names}
