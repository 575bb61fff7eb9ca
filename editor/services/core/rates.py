"""How often something was done: counted by the minute or the day, in the database, which processes share."""

import ipaddress
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
DAY_SECONDS = 24 * 3600  # its windows begin at midnight in UTC
KEPT = timedelta(hours=1)
# One statement, so that two requests at once are counted as two. Beyond the limit nothing is written, or
# whoever floods the site would have it write all day.
_COUNT = """
    INSERT INTO editor_ratecount (name, "window", count) VALUES (%s, %s, 1)
    ON CONFLICT (name, "window") DO UPDATE SET count = editor_ratecount.count + 1
    WHERE editor_ratecount.count <= %s
    RETURNING count
"""


@dataclass(frozen=True)
class Rate:
    """How one count stands: `limit` in a window, `left` of them, `seconds` until the next window."""

    limit: int
    left: int
    seconds: int
    is_over: bool


def count(name: str, *, limit: int) -> Rate:
    """Counts once more that `name` was done in this minute. The first beyond `limit` is over it. On a full
    disk nothing is counted: what can be read stays readable."""
    now = timezone.now()
    window = _window_start(now, WINDOW_SECONDS)
    try:
        done = _counted(name, window, limit)
    except DatabaseError as error:
        if not disk_space.is_about(error):
            raise
        done = 0
    return Rate(limit, max(0, limit - done), _seconds_left(window, now), done > limit)


class DayLimitReached(Exception):
    """Raised when `name` was counted as often as it may be in one day."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def count_today(limits: Mapping[str, int]) -> None:
    """Count each name once more for the current day in UTC, or none of them. `limits` gives the most for each
    name. Raises DayLimitReached with a name that is at its limit."""
    window = _window_start(timezone.now(), DAY_SECONDS)
    with transaction.atomic():
        for name in sorted(limits):  # always in the same order, so that two requests cannot deadlock
            if _counted(name, window, limits[name]) > limits[name]:
                raise DayLimitReached(name)


class TooManyAttempts(Exception):
    """Something secret was guessed at too often."""


def found_by_guess[T](name: str, look: Callable[[], T | None], *, limit: int) -> T | None:
    """What `look` finds of something secret. That it found nothing is counted under `name`, the guesser's;
    beyond the limit it is not asked. Raises TooManyAttempts."""
    if is_over(name, limit=limit):
        raise TooManyAttempts
    found = look()
    if found is None:
        count(name, limit=limit)
    return found


def is_over(name: str, *, limit: int) -> bool:
    """Whether `name` was done more often than that in this minute. Counts nothing."""
    window = _window_start(timezone.now(), WINDOW_SECONDS)
    return RateCount.objects.filter(name=name, window=window, count__gt=limit).exists()


def forget_old_rates() -> None:
    """Forget windows that have ended. One that began at the last midnight stays: it may be today's."""
    now = timezone.now()
    old = RateCount.objects.filter(window__lt=now - KEPT)
    old.exclude(window=_window_start(now, DAY_SECONDS)).delete()


def client_address(remote: str, forwarded: str) -> str:
    """The address that counts: `remote` as the server saw it, or the one that `forwarded` (X-Forwarded-For)
    says, where a named proxy of ours wrote it; "unknown" when there is none."""
    parts = [part.strip() for part in forwarded.split(",")]
    while is_trusted_proxy(remote) and parts and _is_address(parts[-1]):
        remote = _without_mapping(parts.pop())
    return remote or "unknown"


def is_trusted_proxy(address: str) -> bool:
    """Whether this is a proxy that TRUSTED_PROXIES names."""
    return _is_address(address) and any(
        ipaddress.ip_address(address) in ipaddress.ip_network(proxy, strict=False)
        for proxy in settings.TRUSTED_PROXIES
    )


def _window_start(now: datetime, seconds: int) -> datetime:
    return datetime.fromtimestamp(int(now.timestamp()) // seconds * seconds, UTC)


def _counted(name: str, window: datetime, limit: int) -> int:
    with _unhurried() as cursor:
        cursor.execute(_COUNT, [name, connection.ops.adapt_datetimefield_value(window), limit])
        row = cursor.fetchone()
    return row[0] if row else limit + 1


@contextmanager
def _unhurried() -> Iterator[CursorWrapper]:
    """Writes without waiting for the disk, which money needs and a count does not: a power cut may lose the
    last ones. In a transaction of others the wait is theirs."""
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
    """Rounded up: who waits so long is in the next window."""
    return WINDOW_SECONDS - int((now - window).total_seconds())


def _without_mapping(address: str) -> str:
    """An IPv4 may come as ::ffff:10.0.0.1 from a proxy that listens on IPv6."""
    ipv4 = getattr(ipaddress.ip_address(address), "ipv4_mapped", None)
    return str(ipv4) if ipv4 else address


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
