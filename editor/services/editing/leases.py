"""Who works on an edit: the lease, its fencing token, and the heartbeat that renews it.

Times are the database's, so that a jumping host clock expires nothing. Every write of a worker names the
token of its claim: a worker that slept and wakes changes no row.
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
from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Now

from editor.crash_points import crash_point
from editor.models import Edit, ProviderHealth, User
from editor.models.clock import database_now
from editor.services.editing import pacing

logger = logging.getLogger(__name__)
State = Edit.State
PROGRESS_SECONDS = 0.5  # between two writes of a running edit's progress
MOST_PROGRESS = 99  # percent, before the results are stored
WAITING_SECONDS, LONGEST_WAITING_SECONDS = 2, 60  # until an edit asks again for a running place
MOST_WAKED = 4  # of each line, by an edit that has ended
ASKING_A_SECOND = 5  # of those in line; that an edit has ended wakes the next ones sooner
_SINCE = {State.SENDING: "sent", State.RUNNING: "started", State.STORING: "arrived"}


class Lost(Exception):
    """The edit is no longer ours: it has ended, or another worker has it."""


def claim(edit_id: uuid.UUID) -> Edit | None:
    """Takes the edit if it is open, due and in nobody's hands, and there is a running place free.

    None means: not ours, do nothing. The claimed edit carries its token; its `attempts` count the claims
    of this stage that did not end cleanly, this one included. Storing has its full time again after a
    worker's death: there is not enough of it for several.
    """
    with transaction.atomic():
        now = database_now()
        edit = Edit.objects.due(now).filter(id=edit_id).first()
        if edit is None:
            return None
        # Past its deadline it is only to be ended, for which it needs no place.
        if edit.state == State.QUEUED and edit.deadline > now and not _has_place(edit, now):
            again = now + timedelta(seconds=_until_asked_again(edit))
            Edit.objects.due(now).filter(id=edit_id).update(due=again)
            return None
        ours = {"token": edit.token + 1, "attempts": edit.attempts + 1, "lease_until": _lease_end(now)}
        if edit.lost_in_storing:
            ours["deadline"] = now + timedelta(seconds=settings.STORING_SECONDS)
        # As it was read, since every claim raises the token and every other write the revision.
        unchanged = Edit.objects.due(now).filter(id=edit_id, token=edit.token, revision=edit.revision)
        if not unchanged.update(**ours):
            return None
    for name, value in ours.items():
        setattr(edit, name, value)
    crash_point("claim.leased")
    return edit


def write(edit: Edit, **changes: Any) -> None:
    """Writes a stage's outcome and raises the revision, with our token; raises Lost when it is not ours."""
    since = _SINCE.get(changes.get("state", ""))
    moment = {since: Now()} if since else {}
    ours = Edit.objects.open().filter(id=edit.id, token=edit.token)
    if not ours.update(revision=F("revision") + 1, **moment, **changes):
        raise Lost
    for name, value in changes.items():
        setattr(edit, name, value)


def hand_over(edit: Edit, *, after: float = 0, **changes: Any) -> datetime:
    """Ends a stage cleanly: writes its outcome, frees the lease, and says when the edit is due again."""
    due = database_now() + timedelta(seconds=after)
    write(edit, due=due, lease_until=None, attempts=0, **({"put_offs": 0} | changes))
    return due


def put_off(edit: Edit, *, after: float, **changes: Any) -> datetime:
    """Frees the lease after a stage that did not end cleanly: its attempts stay counted."""
    due = database_now() + timedelta(seconds=after)
    write(edit, due=due, lease_until=None, **changes)
    return due


def next_in_line(edit: Edit) -> list[Edit]:
    """A running place of this edit's owner, and of another site's address, is free: the first of those who
    wait for one are due now and need not ask again by themselves, batches after all others. (Those with
    attempts or put off wait for something else, and who is due has been waked: were all waked by each end,
    a site with a long line would soon do nothing else.) Several, since several edits may end at once."""
    now, most = database_now(), min(settings.RUNNING_PER_USER, MOST_WAKED)
    waiting = Edit.objects.filter(state=State.QUEUED, attempts=0, put_offs=0, due__gt=now)
    line = waiting.only("id", "batch").order_by(F("batch").asc(nulls_first=True), "id")
    found = list(line.filter(owner_id=edit.owner_id)[:most])
    if edit.base_url:
        there = line.filter(provider=edit.provider, base_url=edit.base_url)
        found += there.exclude(id__in=[one.id for one in found])[:most]
    # In one order, or two that end at once would wait for each other's rows.
    found.sort(key=lambda one: one.id)
    return [one for one in found if waiting.filter(id=one.id).update(due=now)]


class Heartbeat:
    """Renews the lease in a thread of its own while a stage runs, and ends the stage's work when the
    lease cannot be renewed. Is the `Watch` that a provider works under."""

    def __init__(self, edit: Edit) -> None:
        self._edit = edit
        self._over = threading.Event()
        self._stops: list[Callable[[], None]] = []
        self.is_let_go = False
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
        """Shows how much is done (0 to 1), a few times a second at most; raises nothing."""
        now = time.monotonic()
        if now - self._reported >= PROGRESS_SECONDS:
            self._reported = now
            try:
                write(self._edit, progress=min(MOST_PROGRESS, round(fraction * 100)))
            except Lost:
                self._stop()
            except DatabaseError:  # the lease is the heartbeat's care
                logger.warning("The progress of edit %s could not be written.", self._edit.id)

    def let_go(self) -> None:
        """Ends a stage that another worker can take up where it stands. What is being sent is not: whether
        it has arrived, only its answer tells."""
        is_sent = self._edit.state == State.SENDING
        if not is_sent and (self._edit.state != State.QUEUED or self._edit.awaits_photos):
            self.is_let_go = True
            self._stop()

    def _beat(self) -> None:
        try:
            while not self._over.wait(settings.HEARTBEAT_SECONDS):
                self._renew()
        finally:
            connections.close_all()  # of this thread; most stages end before there is one

    def _renew(self) -> None:
        try:
            _wait_briefly_for_locks()
            ours = Edit.objects.open().filter(id=self._edit.id, token=self._edit.token)
            # A lease that the stage has just handed over must not come back to life.
            leased = ours.filter(lease_until__isnull=False)
            renewed = leased.update(lease_until=_lease_end(database_now())) or ours.count()
        except DatabaseError:
            logger.warning("The lease of edit %s could not be renewed.", self._edit.id)
            connection.close()  # the next beat begins with a fresh one
            renewed = int(time.monotonic() < self._safe_until - settings.HEARTBEAT_SECONDS)
        else:
            self._safe_until = time.monotonic() + settings.LEASE_SECONDS
        if not renewed:
            self._stop()

    def _stop(self) -> None:
        for stop in self._stops:
            stop()


_beating: set[Heartbeat] = set()  # of this process


def let_go() -> None:
    """This process has to end: its stages end too, and their edits are free for other workers."""
    for beat in list(_beating):
        beat.let_go()


def _has_place(edit: Edit, now: datetime) -> bool:
    """Fair share: so many edits of one owner run at a time, and so many at one address of another site,
    those claimed a moment ago included. Locks what is counted for, so that two claims on PostgreSQL do not
    both see the last place."""
    User.objects.select_for_update().get(pk=edit.owner_id)
    if _running(now).filter(owner_id=edit.owner_id).count() >= settings.RUNNING_PER_USER:
        return False
    if not edit.base_url:
        return True
    ProviderHealth.objects.get_or_create(provider=edit.provider, base_url=edit.base_url)
    ProviderHealth.objects.select_for_update().get(provider=edit.provider, base_url=edit.base_url)
    there = _running(now).filter(provider=edit.provider, base_url=edit.base_url)
    return there.count() < settings.UPSTREAM_IN_FLIGHT and pacing.keeps_up(edit, now)


def _until_asked_again(edit: Edit) -> float:
    """The farther back in line, the seldomer; of another owner only as many count as may run at a time. Of a
    batch hundreds wait."""
    if edit.batch_id is not None:
        return LONGEST_WAITING_SECONDS
    ahead = Edit.objects.open().filter(state=State.QUEUED, id__lt=edit.id, batch=None)
    line = ahead.values_list("owner").annotate(waiting=Count("id"))
    most = settings.RUNNING_PER_USER
    place: int = sum(n if owner == edit.owner_id else min(n, most) for owner, n in line)
    return min(LONGEST_WAITING_SECONDS, max(WAITING_SECONDS, place / ASKING_A_SECOND))


def _running(now: datetime) -> QuerySet[Edit]:
    is_running = Q(state__in=[State.SENDING, State.RUNNING, State.STORING])
    is_claimed = Q(state=State.QUEUED, lease_until__gte=now)
    return Edit.objects.filter(is_running | is_claimed)


def _lease_end(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.LEASE_SECONDS)


def _wait_briefly_for_locks() -> None:
    """The usual 20 s of waiting for a lock would outlive the lease."""
    statement = {
        "sqlite": "PRAGMA busy_timeout = 3000",
        "postgresql": "SET statement_timeout = '3s'",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(statement)
