"""How often another site is asked about the edits that it has: the more they are, the seldomer each."""

import time
from functools import lru_cache

from editor.models import Edit

LONGEST = 8.0  # seconds between two questions about an edit whose age alone asks for no more
QUESTIONS_A_SECOND = 125  # about all that are in flight at an address; one worker node keeps up with them
COUNTED_SECONDS = 5


def least_pause(edit: Edit) -> float:
    """Seconds until this edit is asked about again, at least, so that no question is late for the others."""
    if not edit.base_url:
        return 0.0
    moment = int(time.monotonic() // COUNTED_SECONDS)
    return min(LONGEST, _in_flight(edit.provider, edit.base_url, moment) / QUESTIONS_A_SECOND)


@lru_cache(maxsize=16)
def _in_flight(provider: str, base_url: str, moment: int) -> int:
    """Counted once in a while, which is often enough."""
    there = Edit.objects.filter(provider=provider, base_url=base_url)
    return there.filter(state=Edit.State.RUNNING).count()
