"""A bell between the programs of one machine. What leaves a task in the database's queue rings it, and a
worker that waits looks at once. A ring is only a hint: whoever hears none looks again all the same."""

import contextlib
import os
import select
import time
from typing import Any

from django.tasks.signals import task_enqueued
from django.utils import timezone


class _Hung:
    """The two ends of the pipe, in the programs that were forked after it was made."""

    ends: tuple[int, int] | None = None


def hang() -> None:
    """To be called before the programs are forked; without it a bell is silent."""
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    _Hung.ends = ends
    task_enqueued.connect(_ring, dispatch_uid="bell")


def _ring(task_result: Any, **_: object) -> None:
    due = task_result.task.run_after
    if _Hung.ends and (due is None or due <= timezone.now()):
        with contextlib.suppress(BlockingIOError):  # so many rings that nobody needs another one
            os.write(_Hung.ends[1], b"!")


def wait(seconds: float) -> None:
    """Until the bell rings, for one of those that wait, or this time is over."""
    if _Hung.ends is None:
        time.sleep(seconds)
        return
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        select.select([_Hung.ends[0]], [], [], left)
        with contextlib.suppress(BlockingIOError):  # another one was quicker, or nobody rang
            os.read(_Hung.ends[0], 1)
            return
