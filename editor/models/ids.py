"""Identifiers that sort by the time they were made."""

import os
import time
import uuid


def uuid7() -> uuid.UUID:
    """A version 7 UUID (RFC 9562, 5.7): 48 bits of milliseconds, 12 of their fraction (6.2, method 3),
    then 62 random bits."""
    milliseconds, nanoseconds = divmod(time.time_ns(), 1_000_000)
    fraction = nanoseconds * 4096 // 1_000_000
    tail = int.from_bytes(os.urandom(8)) >> 2
    return uuid.UUID(int=milliseconds << 80 | 0x7 << 76 | fraction << 64 | 0x2 << 62 | tail)
