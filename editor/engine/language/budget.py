"""Limit the work of reading one instruction."""

import time

MAX_EDGES = 50_000
# Maximum CPU time for reading one instruction. Only slow machines reach this limit. Other machines reach the
# limit on edges first.
MAX_CPU_SECONDS = 0.25
# Number of edges after which the clock is checked again. Reading the clock is slow on some virtual machines.
_CLOCK_EDGES = 10_000


class TooLong(Exception):
    """Raised when reading an instruction takes more work than its budget allows."""


class Budget:
    """The edges and the CPU time that one call to `explain` may use in total for all texts that it reads."""

    def __init__(self, edges: int = MAX_EDGES, seconds: float = MAX_CPU_SECONDS):
        self.used = 0
        self._edges, self._deadline = edges, time.thread_time() + seconds
        self._next_look = _CLOCK_EDGES

    def spend(self, edges: int) -> None:
        """Count edges toward the budget.

        Raises TooLong if the edges or the CPU time of this thread are used up.
        """
        self.used += edges
        if self.used > self._edges:
            raise TooLong
        if self.used >= self._next_look:
            self._next_look = self.used + _CLOCK_EDGES
            if time.thread_time() > self._deadline:
                raise TooLong
