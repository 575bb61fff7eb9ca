"""Choose the waiting edit that a free worker starts next. Nobody gets more workers by queueing more edits.

These rules apply, in this order:

1. Single edits come before batches. A batch that has waited for BATCH_YIELD_PERIOD counts as a single edit,
   so that other people's single edits cannot delay it forever.
2. Whoever has the fewest running edits comes first. The count is the workspace's running edits or the
   person's running edits in all workspaces, whichever is higher. This way, belonging to several teams gives a
   person no extra turns.
3. Next comes the workspace and person whose latest edit ended the longest ago.
4. Next, among the members of one workspace, rules 2 and 3 are applied to the person alone.
5. Next comes the edit that was due first.

Because of rule 3, nobody waits forever: a person whose edit has ended moves behind everyone who has equally
few running edits. An edit is skipped while its person or its engine is at the limit on running edits.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Min, Q

from editor.models import Edit, Engine
from editor.services.editing import pacing

State = Edit.State
BATCH_YIELD_PERIOD = timedelta(minutes=10)
# For each final state, this many of the latest edits are read to find out who was served recently.
RECENT_ENDS_PER_STATE = 50
_COLUMNS = ("workspace_id", "owner_id", "engine_id")
_LONG_AGO = datetime.min.replace(tzinfo=UTC)

# Heavy failures cost a person nothing, so someone could use them to keep the workers busy. Therefore, three
# heavy failures within a period halve the person's limit on running edits for another period. A failure of
# the embedded engine counts if the work itself failed. It does not count if the person cancelled the edit,
# the disk was full, or the edit missed its deadline.
HEAVY_SECONDS = 10
HEAVY_FAILURES = 3
HEAVY_PERIOD = timedelta(minutes=10)
_HEAVY_CODES = ("rejected", "timeout", "engine_failed")


@dataclass(frozen=True)
class WaitingGroup:
    """One person's waiting edits in one workspace for one engine.

    `urgent` is the number of these edits that are single edits or belong to batches that no longer yield.
    `since` is the earliest time at which one of the waiting edits became due.
    """

    workspace_id: int
    owner_id: int
    engine_id: int | None
    urgent: int
    since: datetime


class Turns:
    """The running and waiting edits of each person, workspace, and engine at one moment.

    Use this object only within one transaction in which nobody else starts an edit.
    """

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._running = _running(now)
        self._keeps_up: dict[int, bool] = {}
        self._engines = Engine.objects.in_bulk()

    def candidates(self, named: Edit | None = None) -> Iterator[Edit]:
        """Yield, in order of their turns, the first edit of each waiting group that is below its limits.

        If `named` is given and its engine runs here, consider only groups whose engine runs here. If its
        engine runs elsewhere, consider only groups whose engine runs elsewhere.
        """
        lines = [line for line in _waiting_groups(self._now) if named is None or self._is_alike(line, named)]
        able = [line for line in lines if self.has_capacity(line)]
        return filter(None, map(self._first_of, sorted(able, key=self._turn)))

    def has_capacity(self, edit: Edit | WaitingGroup) -> bool:
        """Check whether the limits for the edit's person and engine allow one more edit on this node."""
        _, person, group = _groups(edit)
        engine = self._engine_of(edit)
        # An edit from a node of the release before engines had rows waits until it has its engine.
        if engine is None or not engine.is_known:
            return False
        if not self._is_below_limit(edit, self._running[person]):
            return False
        return engine.runs_here or (
            self._running[group] < engine.in_flight and self._is_polled_in_time(engine)
        )

    def _is_alike(self, line: WaitingGroup, named: Edit) -> bool:
        engine = self._engine_of(line)
        return engine is not None and engine.runs_here == named.runs_here

    def _engine_of(self, edit: Edit | WaitingGroup) -> Engine | None:
        return self._engines.get(edit.engine_id) if edit.engine_id else None

    def _is_below_limit(self, edit: Edit | WaitingGroup, running: int) -> bool:
        """Check whether the person may run one more edit.

        Heavy failures are queried only if they could change the result.
        """
        limit: int = settings.RUNNING_PER_USER
        is_between = max(1, limit // 2) <= running < limit
        engine = self._engine_of(edit)
        runs_here = engine is not None and engine.runs_here
        is_halved = is_between and runs_here and edit.owner_id in self._halved
        return running < limit and not is_halved

    @cached_property
    def _halved(self) -> set[int]:
        return owners_of_heavy_failures(self._now)

    def _is_polled_in_time(self, engine: Engine) -> bool:
        if engine.pk not in self._keeps_up:
            self._keeps_up[engine.pk] = pacing.are_polls_on_time(engine, self._now)
        return self._keeps_up[engine.pk]

    def _turn(self, line: WaitingGroup) -> tuple[object, ...]:
        """Return the group's sort key, which implements the rules in the module's docstring."""
        workspace, person, _ = _groups(line)
        running, ended = self._running, self._ended
        return (
            not line.urgent,
            max(running[workspace], running[person]),
            max(ended[workspace], ended[person]),
            running[person],
            ended[person],
            line.since,
        )

    @cached_property
    def _ended(self) -> defaultdict[object, datetime]:
        """Return when each workspace's and each person's latest edit ended, among recently ended edits."""
        latest: defaultdict[object, datetime] = defaultdict(lambda: _LONG_AGO)
        for state in Edit.TERMINAL:
            edits = Edit.objects.filter(state=state).order_by("-finished")
            ends: Iterable[Any] = edits.values_list("workspace_id", "owner_id", "finished")[
                :RECENT_ENDS_PER_STATE
            ]
            for workspace, owner, at in ends:
                for group in (("workspace", workspace), ("person", owner)):
                    latest[group] = max(latest[group], at)
        return latest

    def _first_of(self, line: WaitingGroup) -> Edit | None:
        """Return the group's first edit, or None if all its edits are leased.

        For example, an edit is leased while a worker fetches its photos.
        """
        waiting = (
            Edit.objects.claimable(self._now)
            .filter(
                state=State.QUEUED,
                workspace=line.workspace_id,
                owner=line.owner_id,
                engine=line.engine_id,
            )
            .select_related("engine")
        )
        return waiting.filter(batch=None).order_by("due").first() or waiting.order_by("batch", "due").first()


def owners_of_heavy_failures(now: datetime) -> set[int]:
    """Return the IDs of the people whose limit on running edits is halved after recent heavy failures."""
    heavy = Edit.objects.filter(
        state=State.FAILED,
        failure_code__in=_HEAVY_CODES,
        engine__runs_here=True,
        finished__gt=now - 2 * HEAVY_PERIOD,
        finished__lt=F("deadline"),
        started__lt=F("finished") - timedelta(seconds=HEAVY_SECONDS),
    )
    ends: Iterable[Any] = heavy.order_by("finished").values_list("owner_id", "finished")
    times: defaultdict[int, list[datetime]] = defaultdict(list)
    for owner, at in ends:
        times[owner].append(at)
    return {owner for owner, series in times.items() if _is_halving(series, now)}


def _is_halving(times: list[datetime], now: datetime) -> bool:
    """Check whether HEAVY_FAILURES failures fell within one HEAVY_PERIOD and the last one is recent."""
    series = zip(times, times[HEAVY_FAILURES - 1 :], strict=False)
    return any(last - first <= HEAVY_PERIOD and now - last < HEAVY_PERIOD for first, last in series)


def _groups(edit: Edit | WaitingGroup) -> tuple[object, object, object]:
    """Return the keys of the counters that include this edit: for its workspace, person, and engine."""
    return _keys(edit.workspace_id, edit.owner_id, edit.engine_id)


def _keys(workspace_id: int, owner_id: int, engine_id: int | None) -> tuple[object, object, object]:
    return ("workspace", workspace_id), ("person", owner_id), ("engine", engine_id)


def _running(now: datetime) -> Counter[object]:
    """Count the running edits of each workspace, person, and engine.

    This includes edits that a worker is just starting.
    """
    begun = Edit.objects.filter(state__in=[State.SENDING, State.RUNNING, State.STORING], finished=None)
    claimed = Edit.objects.filter(claimed__isnull=False, lease_until__gte=now)
    # Group in Python, because there are few running edits and SQLite would read all edits to group them.
    counts = Counter(claimed.values_list(*_COLUMNS))
    counts.update({tuple(row[:-1]): row[-1] for row in begun.values_list(*_COLUMNS).annotate(n=Count("*"))})
    running: Counter[object] = Counter()
    for columns, count in counts.items():
        for group in _keys(*columns):
            running[group] += count
    return running


def _waiting_groups(now: datetime) -> list[WaitingGroup]:
    """Return the groups of waiting edits.

    This reads only the index `waiting_edits_by_turn`, so a long queue costs little.
    """
    # If an edit was leased before this time, the worker that leased it died while starting the edit.
    lapsed = now - timedelta(seconds=settings.LEASE_SECONDS)
    is_waiting = Q(claimed=None) | Q(claimed__lt=lapsed)
    is_pressing = Q(batch=None) | Q(created__lt=now - BATCH_YIELD_PERIOD)
    rows = Edit.objects.filter(is_waiting, state=State.QUEUED, due__lte=now).values_list(*_COLUMNS)
    return [
        WaitingGroup(*row)
        for row in rows.annotate(pressing=Count("due", filter=is_pressing), since=Min("due"))
    ]
