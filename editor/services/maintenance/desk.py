"""How the whole site is doing, for who runs it. Every number is a sum that is kept, or is read from at most
so many rows: it costs the same however many edits there are."""

import os
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Min, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.models import AuditEntry, Edit, ProviderHealth
from editor.models.clock import database_now
from editor.services.billing import usage

MOST_FAILURES = 1000
MOST_WAITING, SHOWN_WAITING = 100, 6
LAST_ENTRIES, SHOWN_ACTIONS = 200, 6
CAUSES = {
    "rejected": gettext_lazy("Could not be done as asked"),
    "engine_failed": gettext_lazy("The engine failed"),
    "engine_unavailable": gettext_lazy("The engine was not there"),
    "timeout": gettext_lazy("Not done in time"),
    "unconfirmed": gettext_lazy("Never confirmed by the engine"),
    "not_fetched": gettext_lazy("A photo could not be fetched"),
    "incomplete": gettext_lazy("Some results were missing"),
    "result_unavailable": gettext_lazy("A result could not be fetched"),
    "result_invalid": gettext_lazy("A result was no picture"),
    "storage": gettext_lazy("Not stored: disk full or broken"),
}


@dataclass(frozen=True)
class Queue:
    """Edits that wait, since when the first of them does, and those being worked on."""

    waiting: int
    oldest: datetime | None
    running: int


@dataclass(frozen=True)
class Failures:
    """What went wrong since a moment, by cause, the most first. With `is_cut` these are only the newest
    MOST_FAILURES."""

    total: int
    causes: list[tuple[str, int]]
    is_cut: bool


@dataclass(frozen=True)
class Waiting:
    """Some of the edits that wait for review, and how many there are; with `is_cut` more than that."""

    edits: list[Edit]
    total: int
    is_cut: bool


@dataclass(frozen=True)
class Storage:
    """Bytes of the disk that the photos lie on."""

    used: int
    free: int

    @property
    def size(self) -> int:
        return self.used + self.free

    @property
    def is_short(self) -> bool:
        """Whether it is time to make room."""
        return self.free < max(self.size // 10, settings.MIN_FREE_MEGABYTES * 1024**2)


@dataclass(frozen=True)
class EngineHealth:
    """One engine; `until` is when it is tried again, of one that is left alone. `message` is for staff."""

    name: str
    address: str
    failures: int = 0
    message: str = ""
    until: datetime | None = None
    is_paused: bool = False


def queue() -> Queue:
    """The open edits, of which there are never many: MAX_QUEUED_EDITS may wait."""
    states = list(Edit.objects.open().values_list("state", flat=True))
    waiting = states.count(Edit.State.QUEUED)
    oldest = Edit.objects.open().filter(state=Edit.State.QUEUED).aggregate(first=Min("created"))["first"]
    return Queue(waiting, oldest, len(states) - waiting)


def waiting_for_review() -> Waiting:
    """The edits that wait for it, through all teams, the longest waiting first."""
    waiting = Edit.objects.shown().filter(state=Edit.State.SUCCESS, review_state=Edit.ReviewState.IN_REVIEW)
    ids = list(waiting.order_by("id").values_list("id", flat=True)[: MOST_WAITING + 1])
    edits = Edit.objects.filter(id__in=ids[:SHOWN_WAITING]).select_related("owner", "workspace")
    shown = list(edits.prefetch_related("references", "results").order_by("id"))
    return Waiting(shown, min(len(ids), MOST_WAITING), len(ids) > MOST_WAITING)


def last_actions() -> list[AuditEntry]:
    """What staff did last, among the newest of the record."""
    newest = AuditEntry.objects.select_related("user", "workspace").order_by("-id")[:LAST_ENTRIES]
    return [entry for entry in newest if entry.door == "admin"][:SHOWN_ACTIONS]


def failures(length: timedelta) -> Failures:
    """What has failed in the time just past."""
    failed = Edit.objects.filter(state=Edit.State.FAILED, finished__gte=database_now() - length)
    codes = list(failed.order_by("-finished").values_list("failure_code", flat=True)[: MOST_FAILURES + 1])
    counted = Counter(cause_of(code) for code in codes[:MOST_FAILURES])
    return Failures(min(len(codes), MOST_FAILURES), counted.most_common(), len(codes) > MOST_FAILURES)


def cause_of(code: str) -> str:
    """A failure's code as staff read it."""
    return str(CAUSES.get(code, code.replace("_", " ").capitalize() or _("Not said")))


def storage() -> Storage | None:
    """The photos' disk; None when it does not answer."""
    folder = settings.PHOTOS_DIR if settings.PHOTOS_DIR.is_dir() else settings.DATA_DIR
    try:
        disk = os.statvfs(folder)
    except OSError:
        return None
    return Storage((disk.f_blocks - disk.f_bfree) * disk.f_frsize, disk.f_bavail * disk.f_frsize)


def engines() -> list[EngineHealth]:
    """That of today, which is well when nothing else is known, and others that are not."""
    today = (
        settings.EDIT_PROVIDER,
        settings.PHOTO_EDITOR_BASE_URL if settings.EDIT_PROVIDER != "embedded" else "",
    )
    sick = Q(times_opened__gt=0) | Q(failures__gt=0)
    known = {(row.provider, row.base_url): row for row in ProviderHealth.objects.filter(sick)[:20]}
    known.setdefault(today, ProviderHealth(provider=today[0], base_url=today[1]))
    return [
        EngineHealth(
            name=usage.engine_name(row.provider),
            address=row.base_url,
            failures=row.failures,
            message=row.message,
            until=row.open_until,
            is_paused=row.times_opened > 0,
        )
        for row in known.values()
    ]
