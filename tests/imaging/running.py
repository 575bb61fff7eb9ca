"""Acting on a sandbox at the moment when its child process has a job."""

import threading
import time
from collections.abc import Callable

from editor.imaging.sandbox import Sandbox

_PATIENCE_SECONDS = 120


def during_next_job(sandbox: Sandbox, act: Callable[[], object]) -> None:
    """Start the child process, and call `act` in another thread as soon as the child is given its next job.

    A fixed delay would be too short on a busy machine.
    """
    sandbox.warm()
    child = sandbox._child
    assert child is not None
    jobs, until = child.jobs, time.monotonic() + _PATIENCE_SECONDS

    def wait_and_act() -> None:
        while child.jobs == jobs and time.monotonic() < until:
            time.sleep(0.01)
        act()

    threading.Thread(target=wait_and_act, daemon=True).start()
