"""Wake up idle workers on the same machine through a pipe.

Queuing a task writes a byte to the pipe, and one waiting worker checks the queue immediately. A wake-up is
only a hint, because workers also check the queue at intervals.
"""

import contextlib
import os
import select
import time
from typing import Any

from django.tasks.signals import task_enqueued
from django.utils import timezone


class _Pipe:
    """The two ends of the pipe, which forked processes inherit."""

    ends: tuple[int, int] | None = None


def create_wakeup_pipe() -> None:
    """Create the pipe. Call this function before forking. Without a pipe, no wake-ups are sent."""
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    _Pipe.ends = ends
    task_enqueued.connect(_send_wakeup, dispatch_uid="wakeup")


def _send_wakeup(task_result: Any, **_: object) -> None:
    due = task_result.task.run_after
    if _Pipe.ends and (due is None or due <= timezone.now()):
        # The pipe is already full of wake-ups, so no more are needed.
        with contextlib.suppress(BlockingIOError):
            os.write(_Pipe.ends[1], b"!")


def wait_for_wakeup(seconds: float) -> None:
    """Wait for a wake-up, but no longer than this many seconds.

    Each wake-up ends the wait of one worker.
    """
    if _Pipe.ends is None:
        time.sleep(seconds)
        return
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        select.select([_Pipe.ends[0]], [], [], left)
        # Another worker consumed the wake-up, or there was none.
        with contextlib.suppress(BlockingIOError):
            os.read(_Pipe.ends[0], 1)
            return
