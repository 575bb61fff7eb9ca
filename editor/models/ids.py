"""Identifiers that sort by the time they were made."""

import os
import time
import uuid


def uuid7() -> uuid.UUID:
    """A version 7 UUID (RFC 9562, 5.7): 48 bits of milliseconds, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    tail = int.from_bytes(os.urandom(10))
    value = (milliseconds & (1 << 48) - 1) << 80 | tail
    value = value & ~(0xF << 76) | 0x7 << 76  # the version
    value = value & ~(0x3 << 62) | 0x2 << 62  # the variant
    return uuid.UUID(int=value)
