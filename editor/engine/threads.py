"""Use two cores for one photo if the machine has them."""

import os
import resource
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import cv2

from editor.imaging.memory import MAX_ANALYSIS_BYTES


def has_room_for_two() -> bool:
    """Return whether two threads may work at the same time: on two cores, in enough address space."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    is_large = limit == resource.RLIM_INFINITY or limit >= MAX_ANALYSIS_BYTES
    return is_large and (os.process_cpu_count() or 1) > 1


@contextmanager
def two_threads() -> Iterator[None]:
    """Let OpenCV use two threads if there are two cores.

    The results are identical, bit for bit, to those with one thread. The number of threads belongs to the
    process, so two threads must not use this at once.
    """
    before = cv2.getNumThreads()
    cv2.setNumThreads(min(2, os.process_cpu_count() or 1))
    try:
        yield
    finally:
        cv2.setNumThreads(before)


def in_threads[Item, Result](work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Return the results of `work` for these items, computed in as many threads as OpenCV uses."""
    if (count := cv2.getNumThreads()) < 2:
        return list(map(work, items))
    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(work, items))
