"""Leases on edits: workers' claims, fencing tokens, and the heartbeat that renews a lease.

All times come from the database, so changes to a host's clock do not cause leases to expire. Every write by a
worker requires the token from its claim. Therefore, a worker that resumes after its lease has expired changes
nothing.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, connections, transaction
from django.db.models import Count, F
from django.db.models.functions import Now

from editor.crash_points import crash_point
from editor.models import Edit
from editor.models.clock import database_now, lock_until_commit
from editor.services.editing.turns import Turns

logger = logging.getLogger(__name__)
State = Edit.State
# Minimum seconds between two writes of a running edit's progress.
PROGRESS_SECONDS = 0.5
# Maximum progress, in percent, until the results are stored.
MAX_PROGRESS = 99
# Minimum and maximum seconds until a waiting edit checks again whether it may start.
MIN_RECHECK_SECONDS, MAX_RECHECK_SECONDS = 2, 60
# Maximum number of edits in each waiting group that are woken when an edit ends.
MAX_WAKEUPS_PER_GROUP = 4
# Maximum combined rate of the checks by all waiting edits. Edits that end wake the next ones sooner.
RECHECKS_PER_SECOND = 5
_SINCE = {State.SENDING: "sent", State.RUNNING: "started", State.STORING: "arrived"}


class LeaseLost(Exception):
    """Raised when this worker no longer holds the edit: it has ended, or another worker has claimed it."""


def claim(edit_id: uuid.UUID) -> Edit | None:
    """Claim an edit for the worker that received this edit's wake-up, or return None if there is no work.

    If this edit has begun, claim it so that it continues. If its deadline has passed, also claim it.
    Otherwise, the wake-up only means that some edit is waiting to start, so claim the edit whose turn it is
    (`turns`). Each wake-up starts one edit: when the claimed edit's own wake-up arrives, it starts another
    edit.

    The returned edit carries its token. Its `attempts` counts the claims for this stage that did not end
    cleanly, including this one.
    """
    edit = claim_started(edit_id) or _claim_next(edit_id)
    if edit is not None:
        crash_point("claim.leased")
    return edit


def claim_started(edit_id: uuid.UUID) -> Edit | None:
    """Claim this edit if it is due, is unleased, and need not wait for its turn. Otherwise, return None.

    It need not wait if its work has begun, or if it is only to be ended: its deadline has passed, or its
    engine is off or excluded."""
    with transaction.atomic():
        now = database_now()
        edit = Edit.objects.due(now).filter(id=edit_id).select_related("engine").first()
        needs_turn = edit is None or (edit.state == State.QUEUED and not is_only_to_be_ended(edit, now))
        return None if edit is None or needs_turn else _lease(edit, now)


def is_only_to_be_ended(edit: Edit, now: datetime) -> bool:
    """Check whether the deadline of an edit has passed, or whether it is queued for an engine that is off or
    excluded."""
    is_in_vain = edit.state == State.QUEUED and (edit.is_engine_off or edit.is_engine_excluded)
    return edit.deadline <= now or is_in_vain


def _claim_next(edit_id: uuid.UUID) -> Edit | None:
    """Claim the edit whose turn it is.

    If the edit named by the wake-up cannot run yet, it checks again later. Only edits of the same kind are
    considered, because a worker that edits pixels must not wait for another engine.
    """
    with transaction.atomic():
        # Without the lock, two workers could count the same running edits or choose the same edit.
        lock_until_commit("turns")
        now = database_now()
        turns = Turns(now)
        _put_off_without_place(edit_id, turns, now)
        named = Edit.objects.filter(id=edit_id).select_related("engine").first()
        claims = (_lease(edit, now) for edit in turns.candidates(named))
        return next(filter(None, claims), None)  # a candidate may have been cancelled in the meantime


def _put_off_without_place(edit_id: uuid.UUID, turns: Turns, now: datetime) -> None:
    edit = Edit.objects.due(now).filter(id=edit_id, state=State.QUEUED).first()
    if edit is not None and not turns.has_capacity(edit):
        again = now + timedelta(seconds=_seconds_until_recheck(edit))
        Edit.objects.due(now).filter(id=edit_id).update(due=again)


def _lease(edit: Edit, now: datetime) -> Edit | None:
    """Lease the edit, or return None if it has changed since it was read. Every claim increases the token,
    and every other write increases the revision. If a worker crashed when results may have arrived, the edit
    gets the full time for storing them."""
    ours = {"token": edit.token + 1, "attempts": edit.attempts + 1, "lease_until": _lease_end(now)}
    if edit.state == State.QUEUED:
        ours["claimed"] = now
    if edit.is_interrupted_with_results:
        ours["deadline"] = max(edit.deadline, now + timedelta(seconds=settings.STORING_SECONDS))
    unchanged = Edit.objects.due(now).filter(id=edit.id, token=edit.token, revision=edit.revision)
    if not unchanged.update(**ours):
        return None
    for name, value in ours.items():
        setattr(edit, name, value)
    return edit


def update_leased(edit: Edit, **changes: Any) -> None:
    """Write the outcome of a stage, and increase the revision. Raises LeaseLost if the token is outdated."""
    since = _SINCE.get(changes.get("state", ""))
    moment = {since: Now()} if since else {}
    ours = Edit.objects.open().filter(id=edit.id, token=edit.token)
    if not ours.update(revision=F("revision") + 1, **moment, **changes):
        raise LeaseLost
    for name, value in changes.items():
        setattr(edit, name, value)


def finish_stage(edit: Edit, *, after: float = 0, **changes: Any) -> datetime:
    """End a stage: write its outcome, release the lease, and return the time when the edit is next due."""
    due = database_now() + timedelta(seconds=after)
    update_leased(edit, due=due, lease_until=None, claimed=None, attempts=0, **({"put_offs": 0} | changes))
    return due


def postpone_stage(edit: Edit, *, after: float, **changes: Any) -> datetime:
    """Release the lease after a stage that did not end cleanly, without resetting this stage's attempts."""
    due = database_now() + timedelta(seconds=after)
    update_leased(edit, due=due, lease_until=None, claimed=None, **changes)
    return due


def make_next_due(edit: Edit) -> list[Edit]:
    """Make the next waiting edits due, and return them. One more edit can run now that this one has ended.

    The freed slot is available to this edit's owner and, if the engine does not run here, to other edits for
    the same engine. Batches come last. Edits that have been attempted or postponed are skipped, because they
    are waiting for something else. The number is limited, because waking all waiting edits whenever an edit
    ends would overload a site that has a long queue.
    """
    now, most = database_now(), min(settings.RUNNING_PER_USER, MAX_WAKEUPS_PER_GROUP)
    waiting = Edit.objects.filter(state=State.QUEUED, attempts=0, put_offs=0, due__gt=now)
    line = (
        waiting.select_related("engine")
        .only("id", "batch", "base_url", "engine")
        .order_by(F("batch").asc(nulls_first=True), "id")
    )
    found = list(line.filter(owner_id=edit.owner_id)[:most])
    if not edit.runs_here:
        there = line.filter(engine=edit.engine_id)
        found += there.exclude(id__in=[one.id for one in found])[:most]
    # A fixed order prevents deadlock between two edits that end at the same time.
    found.sort(key=lambda one: one.id)
    return [one for one in found if waiting.filter(id=one.id).update(due=now)]


class Heartbeat:
    """A thread that renews the lease while a stage runs, and stops the stage if the lease cannot be renewed.

    It implements `Watch` for providers. `is_local` means that only this machine receives the response to the
    stage's request.
    """

    def __init__(self, edit: Edit, *, is_local: bool = False) -> None:
        self._edit = edit
        self._is_local = is_local
        self._over = threading.Event()
        self._stops: list[Callable[[], None]] = []
        self.is_released = False
        self._reported = 0.0
        self._safe_until = time.monotonic() + settings.LEASE_SECONDS
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat {edit.id}", daemon=True)

    def __enter__(self) -> "Heartbeat":
        self._thread.start()
        _beating.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        _beating.discard(self)
        self._over.set()
        self._thread.join()

    def on_stop(self, stop: Callable[[], None]) -> None:
        self._stops.append(stop)

    def report(self, fraction: float) -> None:
        """Write the progress (0 to 1), at most a few times per second. Raises no exceptions."""
        now = time.monotonic()
        if now - self._reported >= PROGRESS_SECONDS:
            self._reported = now
            try:
                update_leased(self._edit, progress=min(MAX_PROGRESS, round(fraction * 100)))
            except LeaseLost:
                self._stop()
            except DatabaseError:  # Ignore the error, because the heartbeat checks the lease separately.
                logger.warning("Could not write the progress of edit %s.", self._edit.id)

    def release(self, *, is_last_call: bool = False) -> None:
        """Stop a stage that another worker can continue.

        A request that is being sent continues until the last call, because only its response shows whether
        the request has arrived.
        """
        is_sending = self._edit.state == State.SENDING
        if self._can_continue_elsewhere() or (is_sending and is_last_call):
            self.is_released = True
            self._stop()

    def _can_continue_elsewhere(self) -> bool:
        has_answer_here = self._is_local and self._edit.state != State.QUEUED
        return self._edit.state != State.SENDING and not has_answer_here

    def _beat(self) -> None:
        try:
            while not self._over.wait(settings.HEARTBEAT_SECONDS):
                self._renew()
        finally:
            # Close this thread's connection, if it has one. Most stages end before the thread opens a
            # connection.
            connections.close_all()

    def _renew(self) -> None:
        try:
            _wait_briefly_for_locks()
            ours = Edit.objects.open().filter(id=self._edit.id, token=self._edit.token)
            # Do not renew a lease that the stage has just released.
            leased = ours.filter(lease_until__isnull=False)
            renewed = leased.update(lease_until=_lease_end(database_now())) or ours.count()
        except DatabaseError:
            logger.warning("Could not renew the lease of edit %s.", self._edit.id)
            connection.close()  # The next heartbeat opens a new connection.
            renewed = int(time.monotonic() < self._safe_until - settings.HEARTBEAT_SECONDS)
        else:
            self._safe_until = time.monotonic() + settings.LEASE_SECONDS
        if not renewed:
            self._stop()

    def _stop(self) -> None:
        for stop in self._stops:
            stop()


_beating: set[Heartbeat] = set()  # the heartbeats in this process


def release_all(*, is_last_call: bool = False) -> None:
    """Stop the stages in this process, which must end, and release their edits for other workers.

    The last call also stops requests that have not received a response yet.
    """
    for beat in list(_beating):
        beat.release(is_last_call=is_last_call)


def _seconds_until_recheck(edit: Edit) -> float:
    """Return the seconds until the edit checks again whether it may start.

    The wait grows with the edit's queue position. For each other owner, at most as many edits count as may
    run at the same time. Edits in a batch, of which there may be hundreds, always wait the longest.
    """
    if edit.batch_id is not None:
        return MAX_RECHECK_SECONDS
    ahead = Edit.objects.open().filter(state=State.QUEUED, id__lt=edit.id, batch=None)
    line = ahead.values_list("owner").annotate(waiting=Count("id"))
    most = settings.RUNNING_PER_USER
    place: int = sum(n if owner == edit.owner_id else min(n, most) for owner, n in line)
    return min(MAX_RECHECK_SECONDS, max(MIN_RECHECK_SECONDS, place / RECHECKS_PER_SECOND))


def _lease_end(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.LEASE_SECONDS)


def _wait_briefly_for_locks() -> None:
    """Shorten the default lock timeout of 20 s, which is longer than a lease."""
    statement = {
        "sqlite": "PRAGMA busy_timeout = 3000",
        "postgresql": "SET statement_timeout = '3s'",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(statement)
