"""How often another site is asked about the edits that it has: the more they are, the seldomer each.
Where that does not keep up, further edits wait in the queue rather than all of them being late."""

import time
from datetime import datetime, timedelta
from functools import lru_cache

from django.db.models import QuerySet

from editor.models import Edit

LONGEST = 8.0  # seconds between two questions about an edit whose age alone asks for no more
QUESTIONS_A_SECOND = 125  # about all in flight at an address; a worker node of two cores keeps up with them
COUNTED_SECONDS = 5
LATE = timedelta(seconds=1)
LATE_SHARE = 50  # one in so many may be, beside one that a crash has lost: then 99 of 100 are within 3 s


def least_pause(edit: Edit) -> float:
    """Seconds until this edit is asked about again, at least, so that no question is late for the others."""
    if not edit.base_url:
        return 0.0
    moment = int(time.monotonic() // COUNTED_SECONDS)
    return min(LONGEST, _in_flight(edit.provider, edit.base_url, moment) / QUESTIONS_A_SECOND)


def keeps_up(provider: str, base_url: str, now: datetime) -> bool:
    """Return whether the edits in flight at this address are polled in time, so that there may be more."""
    there = _running(provider, base_url)
    late = there.filter(lease_until=None, due__lt=now - LATE).count()
    return late <= 1 or late <= 1 + there.count() // LATE_SHARE


@lru_cache(maxsize=16)
def _in_flight(provider: str, base_url: str, moment: int) -> int:
    """Counted once in a while, which is often enough."""
    return _running(provider, base_url).count()


def _running(provider: str, base_url: str) -> QuerySet[Edit]:
    there = Edit.objects.open().filter(provider=provider, base_url=base_url)
    return there.filter(state=Edit.State.RUNNING)
