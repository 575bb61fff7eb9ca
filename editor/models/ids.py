"""Identifiers: time-ordered UUIDs for rows, random slugs for workspace URLs, and strict parsers for both."""

import os
import re
import secrets
import time
import uuid
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")

# Characters that may appear in a slug: letters and digits, except the easily confused characters i, l, o, 0,
# and 1.
_SLUG_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def uuid7(moment: datetime | None = None) -> uuid.UUID:
    """Return a version 7 UUID (RFC 9562, section 5.7) for the given moment, by default the current time.

    It consists of a 48-bit time in milliseconds, a 12-bit fraction of a millisecond (section 6.2, method 3),
    and 62 random bits.
    """
    since = time.time_ns() if moment is None else (moment - _EPOCH) // _MICROSECOND * 1000
    milliseconds, nanoseconds = divmod(since, 1_000_000)
    fraction = nanoseconds * 4096 // 1_000_000
    tail = int.from_bytes(os.urandom(8)) >> 2
    return uuid.UUID(int=milliseconds << 80 | 0x7 << 76 | fraction << 64 | 0x2 << 62 | tail)


def uuid7_floor(moment: datetime) -> uuid.UUID:
    """Return the lowest version 7 UUID for this millisecond. All UUIDs created from then on are higher."""
    milliseconds = max(0, (moment - _EPOCH) // _MICROSECOND // 1000)
    return uuid.UUID(int=milliseconds << 80)


def parse_uuid(text: str) -> uuid.UUID | None:
    """Return the UUID if the text is a UUID with hyphens. Otherwise, return None."""
    return uuid.UUID(text) if _UUID.fullmatch(text) else None


def parse_number(text: str) -> int | None:
    """Return the non-negative integer if the text consists of plain digits. Otherwise, return None.

    The text may have at most 18 digits and no leading zeros, so the integer always fits into 64 bits.
    """
    return int(text) if _NUMBER.fullmatch(text) else None


def random_slug() -> str:
    """Return ten random characters (49 bits) that reveal nothing about the object they identify."""
    return "".join(secrets.choice(_SLUG_LETTERS) for _ in range(10))
