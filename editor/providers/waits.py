"""How long until another site is asked again."""

import random
import re
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from editor.outbound import Answer

LONGEST_WAIT = 120.0  # seconds, whatever Retry-After says
JITTER_SECONDS = (1.0, 30.0)
PACE = ((60.0, 2.0), (180.0, 5.0), (float("inf"), 15.0))
"""Seconds since the create, and how long until the state is asked for again: people wait at the page."""


def pace(started: float) -> float:
    """Until a task's state is asked for again, whose create was at that time (seconds since the epoch)."""
    passed = max(0.0, time.time() - started)
    seconds = next(step for until, step in PACE if passed < until)
    return seconds * random.uniform(0.9, 1.1)  # noqa: S311 - only spreads


def jitter() -> float:
    """A moment of our own, another one each time."""
    return random.uniform(*JITTER_SECONDS)  # noqa: S311 - only spreads


def retry_after(answer: Answer) -> float:
    """What the header of that name says, in seconds or by a date (RFC 9110, 10.2.3), held within reason; a
    moment of our own where it says neither."""
    text = answer.headers.get("retry-after", "").strip()
    seconds = float(text) if re.fullmatch(r"\d{1,9}", text, re.ASCII) else _seconds_until(text)
    return min(LONGEST_WAIT, max(1.0, seconds))


def _seconds_until(date: str) -> float:
    try:
        moment = parsedate_to_datetime(date)
        return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return jitter()
