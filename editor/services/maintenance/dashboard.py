"""The state of the whole site, for the operator.

Every figure is a stored total or is read from a limited number of rows, so the cost does not depend on the
number of edits.
"""

import os
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, Min, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.models import AuditEntry, Edit, Engine, ProviderHealth
from editor.models.clock import database_now

MAX_FAILURES = 1000
MAX_WAITING, SHOWN_WAITING = 100, 6
LAST_ENTRIES, SHOWN_ACTIONS = 200, 6
CAUSES = {
    "rejected": gettext_lazy("Rejected by the engine"),
    "engine_failed": gettext_lazy("The engine failed"),
    "engine_unavailable": gettext_lazy("The engine was unavailable"),
    "timeout": gettext_lazy("Timed out"),
    "unconfirmed": gettext_lazy("Not confirmed by the engine"),
    "not_fetched": gettext_lazy("A photo could not be downloaded"),
    "incomplete": gettext_lazy("Some results were missing"),
    "result_unavailable": gettext_lazy("A result could not be downloaded"),
    "result_invalid": gettext_lazy("A result could not be opened"),
    "storage": gettext_lazy("Not saved: the disk is full or faulty"),
}


@dataclass(frozen=True)
class Queue:
    """The counts of waiting and running edits, and the time at which the oldest waiting edit was created."""

    waiting: int
    oldest: datetime | None
    running: int


@dataclass(frozen=True)
class Failures:
    """Recent failures by cause, most frequent first.

    If `is_truncated` is true, only the newest MAX_FAILURES were counted.
    """

    total: int
    causes: list[tuple[str, int]]
    is_truncated: bool


@dataclass(frozen=True)
class ReviewQueue:
    """The first edits that are waiting for review, and the total number of such edits.

    If `is_truncated` is true, the real total is higher.
    """

    edits: list[Edit]
    total: int
    is_truncated: bool


@dataclass(frozen=True)
class Storage:
    """The used and free space, in bytes, on the disk that stores the photos."""

    used: int
    free: int

    @property
    def size(self) -> int:
        return self.used + self.free

    @property
    def is_short(self) -> bool:
        """Check whether disk space is so low that the operator should free some space."""
        return self.free < max(self.size // 10, settings.MIN_FREE_MEGABYTES * 1024**2)


@dataclass(frozen=True)
class EngineHealth:
    """The health of one engine.

    An engine that is off does not accept new edits. If the engine is paused, `until` is the time at which it
    is tried again. `message` is for staff.
    """

    name: str
    address: str
    failures: int = 0
    message: str = ""
    until: datetime | None = None
    is_paused: bool = False
    is_off: bool = False


def queue() -> Queue:
    """Return the state of the queue.

    This reads all open edits, whose number is limited by MAX_QUEUED_EDITS.
    """
    states = list(Edit.objects.open().values_list("state", flat=True))
    waiting = states.count(Edit.State.QUEUED)
    oldest = Edit.objects.open().filter(state=Edit.State.QUEUED).aggregate(first=Min("created"))["first"]
    return Queue(waiting, oldest, len(states) - waiting)


def waiting_for_review() -> ReviewQueue:
    """Return the edits that are waiting for review, from all teams, longest waiting first."""
    waiting = Edit.objects.not_in_trash().filter(
        state=Edit.State.SUCCESS, review_state=Edit.ReviewState.IN_REVIEW
    )
    ids = list(waiting.order_by("id").values_list("id", flat=True)[: MAX_WAITING + 1])
    edits = Edit.objects.filter(id__in=ids[:SHOWN_WAITING]).select_related("owner", "workspace")
    shown = list(edits.prefetch_related("references", "results").order_by("id"))
    return ReviewQueue(shown, min(len(ids), MAX_WAITING), len(ids) > MAX_WAITING)


def last_actions() -> list[AuditEntry]:
    """Return the latest staff actions among the LAST_ENTRIES newest audit entries."""
    newest = AuditEntry.objects.select_related("user", "workspace").order_by("-id")[:LAST_ENTRIES]
    return [entry for entry in newest if entry.door == "admin"][:SHOWN_ACTIONS]


def failures(length: timedelta) -> Failures:
    """Return the failures within the most recent period of this length."""
    failed = Edit.objects.filter(state=Edit.State.FAILED, finished__gte=database_now() - length)
    codes = list(failed.order_by("-finished").values_list("failure_code", flat=True)[: MAX_FAILURES + 1])
    counted = Counter(cause_of(code) for code in codes[:MAX_FAILURES])
    return Failures(min(len(codes), MAX_FAILURES), counted.most_common(), len(codes) > MAX_FAILURES)


def cause_of(code: str) -> str:
    """Return the cause for a failure code, described in words for staff."""
    return str(CAUSES.get(code, code.replace("_", " ").capitalize() or _("Unknown reason")))


def storage() -> Storage | None:
    """Return the space on the disk that stores the photos, or None if it cannot be determined."""
    folder = settings.PHOTOS_DIR if settings.PHOTOS_DIR.is_dir() else settings.DATA_DIR
    try:
        disk = os.statvfs(folder)
    except OSError:
        return None
    return Storage((disk.f_blocks - disk.f_bfree) * disk.f_frsize, disk.f_bavail * disk.f_frsize)


def engines() -> list[EngineHealth]:
    """Return the health of the site's engines, and of other engines that have problems.

    An engine without a record is healthy.
    """
    is_sick = Q(health__times_opened__gt=0) | Q(health__failures__gt=0)
    shown = Engine.objects.filter(Q(position__isnull=False) | is_sick).select_related("health")
    return [_health_of(engine) for engine in shown.order_by(F("position").asc(nulls_last=True), "id")[:20]]


def _health_of(engine: Engine) -> EngineHealth:
    row: ProviderHealth = getattr(engine, "health", None) or ProviderHealth()
    return EngineHealth(
        name=engine.title,
        address=engine.base_url,
        failures=row.failures,
        message=row.message,
        until=row.open_until,
        is_paused=row.times_opened > 0,
        is_off=not engine.is_on,
    )
