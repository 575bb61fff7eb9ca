"""Waiting times between calls to an upstream site."""

import random
import re
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from editor.outbound import Response

MAX_WAIT_SECONDS = 120.0  # maximum wait in seconds; longer Retry-After values are reduced to this value
JITTER_SECONDS = (1.0, 30.0)
# (seconds since the create, seconds until the next status call). The calls are frequent at first, when
# people are still waiting at the page.
POLL_INTERVALS = ((60.0, 2.0), (180.0, 5.0), (float("inf"), 15.0))


def poll_interval(started: float) -> float:
    """Return the number of seconds until the next status call for a task.

    `started` is when the task's create request was sent, in seconds since the epoch.
    """
    passed = max(0.0, time.time() - started)
    seconds = next(step for until, step in POLL_INTERVALS if passed < until)
    return seconds * random.uniform(0.9, 1.1)  # noqa: S311 - not a secret


def jitter() -> float:
    """Return a random delay in seconds for a retry."""
    return random.uniform(*JITTER_SECONDS)  # noqa: S311 - not a secret


def retry_after(answer: Response) -> float:
    """Return the delay, in seconds, that the Retry-After header requests (RFC 9110, section 10.2.3).

    The header contains a number of seconds or a date. The delay is at least 1 and at most MAX_WAIT_SECONDS
    seconds. If there is no valid header, return a random delay.
    """
    text = answer.headers.get("retry-after", "").strip()
    seconds = float(text) if re.fullmatch(r"\d{1,9}", text, re.ASCII) else _seconds_until(text)
    return min(MAX_WAIT_SECONDS, max(1.0, seconds))


def _seconds_until(date: str) -> float:
    try:
        moment = parsedate_to_datetime(date)
        return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return jitter()
