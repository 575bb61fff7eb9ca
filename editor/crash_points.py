"""Named points at which the kill tests end the process. They do nothing in production.

For example, `arm("settle.edit_updated:2")` kills the process with SIGKILL when it reaches that point for the
second time.
"""

import os
import signal
from collections import Counter

POINTS = (
    "submit.photos_stored",
    "submit.edit_inserted",
    "submit.held",
    "submit.committed",
    "claim.leased",
    "sending.prepared",
    "sending.committed",
    "sending.answer_read",
    "sending.task_saved",
    "running.polled",
    "running.word_written",
    "storing.collected",
    "storing.file_synced",
    "storing.row_written",
    "settle.edit_updated",
    "settle.purse_updated",
    "settle.committed",
    "cancel.requested",
    "sweep.claimed",
    "webhook.claimed",
    "purge.rows_emptied",
    "purge.file_removed",
    "audit.entry_chained",
    "audit.head_moved",
)

_armed: dict[str, int] = {}
_passages: Counter[str] = Counter()


def arm(where: str) -> None:
    """Set the crash point, given as "name:n". An empty string removes the crash point.

    Raises ValueError if the name is not in POINTS.
    """
    _armed.clear()
    _passages.clear()
    if where:
        name, _, passage = where.partition(":")
        if name not in POINTS:
            raise ValueError(f"There is no crash point {name!r}.")
        _armed[name] = int(passage or 1)


def crash_point(name: str) -> None:
    """Kill this process if the crash point is armed for this pass."""
    if _armed:
        _passages[name] += 1
        if _armed.get(name) == _passages[name]:
            os.kill(os.getpid(), signal.SIGKILL)
