"""Rate limits: counts per minute and per day, stored in the database that all processes share.

Frequent events that occur only in the web process are instead counted in its memory.
"""

import ipaddress
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from editor.models import RateCount
from editor.services.core import disk_space

WINDOW_SECONDS = 60
DAY_SECONDS = 24 * 3600  # windows begin at midnight UTC
RETENTION = timedelta(hours=1)
# Counts a request in one statement, so two simultaneous requests count as two. Once the limit is reached, the
# statement writes nothing, so a flood of requests does not cause a flood of writes.
_COUNT = """
    INSERT INTO editor_ratecount (name, "window", count) VALUES (%s, %s, 1)
    ON CONFLICT (name, "window") DO UPDATE SET count = editor_ratecount.count + 1
    WHERE editor_ratecount.count <= %s
    RETURNING count
"""


@dataclass(frozen=True)
class Rate:
    """The state of a count: its `limit`, the occurrences `left`, and the `seconds` until the next window."""

    limit: int
    left: int
    seconds: int
    is_over: bool


def count(name: str, *, limit: int) -> Rate:
    """Count one occurrence of `name` in the current minute, and return the new state.

    Only `limit` occurrences per minute are allowed. While the disk is full, nothing is counted, so the site
    remains readable.
    """
    now = timezone.now()
    window = _window_start(now, WINDOW_SECONDS)
    try:
        done = _counted(name, window, limit)
    except DatabaseError as error:
        if not disk_space.is_disk_error(error):
            raise
        done = 0
    return Rate(limit, max(0, limit - done), _seconds_left(window, now), done > limit)


# the number of times that each name was counted in this process in the current minute
_counts: dict[str, int] = {}
_counts_window: datetime | None = None
_counts_lock = threading.Lock()


def count_in_memory(name: str, *, limit: int) -> Rate:
    """Count one occurrence of `name` like `count`, but only in this process and without the database."""
    global _counts_window
    now = timezone.now()
    window = _window_start(now, WINDOW_SECONDS)
    with _counts_lock:
        if window != _counts_window:
            _counts.clear()
            _counts_window = window
        done = _counts[name] = _counts.get(name, 0) + 1
    return Rate(limit, max(0, limit - done), _seconds_left(window, now), done > limit)


class DayLimitReached(Exception):
    """Raised when `name` has reached its limit for the day."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def count_today(limits: Mapping[str, int]) -> None:
    """Count one occurrence of each name for the current day (UTC), or count none of them.

    `limits` maps each name to its maximum. If a name has reached its limit, raises DayLimitReached with this
    name.
    """
    window = _window_start(timezone.now(), DAY_SECONDS)
    with transaction.atomic():
        for name in sorted(limits):  # A fixed order prevents two requests from deadlocking.
            if _counted(name, window, limits[name]) > limits[name]:
                raise DayLimitReached(name)


class TooManyAttempts(Exception):
    """Raised when too many attempts to guess a secret were made."""


def look_up_secret[T](name: str, lookup: Callable[[], T | None], *, limit: int) -> T | None:
    """Call `lookup`, which looks up a secret, and return its result.

    A failed lookup is counted under `name`, which identifies the guesser. After more than `limit` failures in
    the current minute, raises TooManyAttempts without calling `lookup`.
    """
    if is_over(name, limit=limit):
        raise TooManyAttempts
    found = lookup()
    if found is None:
        count(name, limit=limit)
    return found


def is_over(name: str, *, limit: int) -> bool:
    """Check whether `name` is over `limit` in the current minute, without counting."""
    window = _window_start(timezone.now(), WINDOW_SECONDS)
    return RateCount.objects.filter(name=name, window=window, count__gt=limit).exists()


def delete_old_rates() -> None:
    """Delete the windows that have ended.

    A window that began at the last midnight is kept, because it may be the current day's window.
    """
    now = timezone.now()
    old = RateCount.objects.filter(window__lt=now - RETENTION)
    old.exclude(window=_window_start(now, DAY_SECONDS)).delete()


def client_address(remote: str, forwarded: str) -> str:
    """Return the network address under which a request is counted, or "unknown" if there is none.

    This is usually `remote`, the address that the server sees. If `remote` is a trusted proxy, it is instead
    the last address in `forwarded` (X-Forwarded-For) that is not a trusted proxy.
    """
    parts = [part.strip() for part in forwarded.split(",")]
    while is_trusted_proxy(remote) and parts and _is_address(parts[-1]):
        remote = _without_mapping(parts.pop())
    return remote or "unknown"


def is_trusted_proxy(address: str) -> bool:
    """Check whether TRUSTED_PROXIES includes this network address."""
    return _is_address(address) and any(
        ipaddress.ip_address(address) in ipaddress.ip_network(proxy, strict=False)
        for proxy in settings.TRUSTED_PROXIES
    )


def _window_start(now: datetime, seconds: int) -> datetime:
    return datetime.fromtimestamp(int(now.timestamp()) // seconds * seconds, UTC)


def _counted(name: str, window: datetime, limit: int) -> int:
    with _cursor_without_sync() as cursor:
        cursor.execute(_COUNT, [name, connection.ops.adapt_datetimefield_value(window), limit])
        row = cursor.fetchone()
    return row[0] if row else limit + 1


@contextmanager
def _cursor_without_sync() -> Iterator[CursorWrapper]:
    """Yield a cursor whose writes do not wait for the disk.

    Unlike credits, the latest counts may be lost in a power failure. Inside another transaction, that
    transaction's settings apply.
    """
    with connection.cursor() as cursor:
        if connection.in_atomic_block:
            yield cursor
        elif connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous = NORMAL")
            try:
                yield cursor
            finally:
                cursor.execute("PRAGMA synchronous = FULL")
        else:
            with transaction.atomic():
                cursor.execute("SET LOCAL synchronous_commit TO OFF")
                yield cursor


def _seconds_left(window: datetime, now: datetime) -> int:
    """Return the seconds until the next window begins, rounded up."""
    return WINDOW_SECONDS - int((now - window).total_seconds())


def _without_mapping(address: str) -> str:
    """Unwrap an IPv4-mapped address, because a proxy that listens on IPv6 may send ::ffff:10.0.0.1."""
    ipv4 = getattr(ipaddress.ip_address(address), "ipv4_mapped", None)
    return str(ipv4) if ipv4 else address


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
