"""Photo work that a person waits for while typing or pointing: previews and selections.

The work runs in child processes that keep small photos and masks in memory (`imaging.interactive`). It never
writes to the database or the disk, and never runs an analysis's encoder.
"""

from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from threading import Lock, Thread
from typing import Any, NamedTuple

from django.conf import settings

from editor.imaging.confinement import FolderAccess
from editor.imaging.interactive import InteractivePool
from editor.imaging.memory import preview_memory, takes_turns
from editor.imaging.sandbox import PREVIEW, failure
from editor.services.photos import photos


class _Work(NamedTuple):
    """A call whose result its person may no longer be waiting for."""

    function: Callable[..., Any] | str
    arguments: dict[str, Any]
    result: Future[Any]


# The newest work of `call_briefly` for each person, until its result is fetched. A result has about 100 KB.
_newest: dict[int, _Work] = {}
_newest_lock = Lock()
_MAX_WORKS = 32


def is_available() -> bool:
    """Check whether this site creates previews and selections.

    They need the embedded engine, enough memory, and PREVIEW_WORKERS of at least 1.
    """
    has_workers = settings.PREVIEW_WORKERS > 0 and preview_memory() is not None
    return has_workers and any(engine.runs_here for engine in settings.ENGINES)


def call(person: int, function: Callable[..., Any] | str, /, **arguments: Any) -> Any:
    """Run a function in a child process and return its result, as `InteractivePool.call` does.

    `person` is the ID of the user who is waiting. A newer call for the same person replaces this one. The
    function must accept `on_progress` and should call it between its steps. Raises SandboxError("busy") if
    too many people are waiting or the site does not create previews. Also raises Replaced and the other
    exceptions of `InteractivePool.call`.
    """
    if not is_available():
        raise failure("busy")
    return _pool().call(person, function, **arguments)


def call_briefly(person: int, seconds: float, function: Callable[..., Any] | str, /, **arguments: Any) -> Any:
    """Run a function as `call` does, but wait at most `seconds` seconds for its result.

    After that, the work continues, and the same call waits for its result again. Raises SandboxError("busy")
    if there is no result yet, and the exceptions of `call`.
    """
    with _newest_lock:
        work = _newest.get(person)
        if work is None or (work.function, work.arguments) != (function, arguments):
            work = _begin(person, _Work(function, arguments, Future()))
    try:
        return work.result.result(seconds)
    except TimeoutError:
        raise failure("busy") from None
    finally:
        with _newest_lock:
            if work.result.done() and _newest.get(person) is work:
                del _newest[person]


def _begin(person: int, work: _Work) -> _Work:
    _newest.pop(person, None)
    _newest[person] = work
    if len(_newest) > _MAX_WORKS:
        del _newest[next(iter(_newest))]  # The same call would start this work again.
    # The site can stop without waiting for a daemon thread.
    Thread(target=_carry_on, args=(person, work), daemon=True).start()
    return work


def _carry_on(person: int, work: _Work) -> None:
    try:
        work.result.set_result(call(person, work.function, **work.arguments))
    except BaseException as error:
        work.result.set_exception(error)


@cache
def _pool() -> InteractivePool:
    lock = photos.large_child_lock if takes_turns() else None
    return InteractivePool(PREVIEW, settings.PREVIEW_WORKERS, _access, lock)


def _access() -> FolderAccess:
    """Return what a child process may access: the same files as for an edit, but read-only."""
    edit = photos.reach()
    return FolderAccess(read=(*edit.read, *edit.write))
