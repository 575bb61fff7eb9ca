"""Determine how often another site is polled.

The more edits run at that site, the less often each of them is polled. If polling cannot keep up, further
edits wait in the queue, so that running edits are still polled on time.
"""

import time
from datetime import datetime, timedelta
from functools import lru_cache

from django.db.models import QuerySet

from editor.models import Edit, Engine

MAX_POLL_SECONDS = 8.0  # maximum seconds between two status requests for an edit
POLLS_PER_SECOND = 125  # maximum rate for one engine; a worker node with two cores can reach this rate
COUNT_CACHE_SECONDS = 5
LATE_AFTER = timedelta(seconds=1)
# One in 50 edits, plus one, may be polled late. Within this limit, 99% are polled within 3 s.
LATE_SHARE = 50


def min_poll_delay(edit: Edit) -> float:
    """Return the minimum seconds until this edit's next poll, so that other requests are on time."""
    if edit.runs_here or edit.engine_id is None:
        return 0.0
    moment = int(time.monotonic() // COUNT_CACHE_SECONDS)
    return min(MAX_POLL_SECONDS, _in_flight(edit.engine_id, moment) / POLLS_PER_SECOND)


def are_polls_on_time(engine: Engine, now: datetime) -> bool:
    """Check whether edits in flight at this engine are polled on time, so that another edit may start."""
    there = _running(engine.pk)
    late = there.filter(lease_until=None, due__lt=now - LATE_AFTER).count()
    return late <= 1 or late <= 1 + there.count() // LATE_SHARE


@lru_cache(maxsize=16)
def _in_flight(engine_id: int, moment: int) -> int:
    """Return the number of running edits at this engine, cached for COUNT_CACHE_SECONDS."""
    return _running(engine_id).count()


def _running(engine_id: int) -> QuerySet[Edit]:
    return Edit.objects.open().filter(engine=engine_id, state=Edit.State.RUNNING)
