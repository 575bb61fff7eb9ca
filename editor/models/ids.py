"""Identifiers: of rows, which sort by the time they were made, and of workspaces in addresses; and reading
them where somebody sends them."""

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

# Without what is easily taken for something else.
_SLUG_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def uuid7(moment: datetime | None = None) -> uuid.UUID:
    """A version 7 UUID (RFC 9562, 5.7), of now or of another moment: 48 bits of milliseconds, 12 of their
    fraction (6.2, method 3), then 62 random bits."""
    since = time.time_ns() if moment is None else (moment - _EPOCH) // _MICROSECOND * 1000
    milliseconds, nanoseconds = divmod(since, 1_000_000)
    fraction = nanoseconds * 4096 // 1_000_000
    tail = int.from_bytes(os.urandom(8)) >> 2
    return uuid.UUID(int=milliseconds << 80 | 0x7 << 76 | fraction << 64 | 0x2 << 62 | tail)


def uuid7_floor(moment: datetime) -> uuid.UUID:
    """The lowest identifier of that millisecond: those made from then on are above it."""
    milliseconds = max(0, (moment - _EPOCH) // _MICROSECOND // 1000)
    return uuid.UUID(int=milliseconds << 80)


def read_uuid(text: str) -> uuid.UUID | None:
    """The UUID that stands there with its hyphens, else None."""
    return uuid.UUID(text) if _UUID.fullmatch(text) else None


def read_number(text: str) -> int | None:
    """The whole number from 0 that stands there in plain digits and fits into 64 bits, else None."""
    return int(text) if _NUMBER.fullmatch(text) else None


def random_slug() -> str:
    """Ten characters (49 bits) that say nothing of what they name."""
    return "".join(secrets.choice(_SLUG_LETTERS) for _ in range(10))
