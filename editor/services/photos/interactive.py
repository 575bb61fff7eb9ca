"""Work on photos that a person waits for while typing or pointing: previews and selections.

It runs in child processes that keep small photos and masks in memory (`imaging.interactive`). It writes
nothing, neither to the database nor to the disk, and never runs the encoder of an analysis.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings

from editor.imaging.confinement import FolderAccess
from editor.imaging.interactive import InteractivePool
from editor.imaging.memory import preview_memory, takes_turns
from editor.imaging.sandbox import PREVIEW, failure
from editor.services.photos import photos


def is_available() -> bool:
    """Check whether this site makes previews and selections.

    They need the embedded engine, enough memory, and PREVIEW_WORKERS of at least 1.
    """
    has_workers = settings.PREVIEW_WORKERS > 0 and preview_memory() is not None
    return has_workers and any(engine.runs_here for engine in settings.ENGINES)


def call(person: int, function: Callable[..., Any] | str, /, **arguments: Any) -> Any:
    """Run a function in a child process, and return its result, as `InteractivePool.call` does.

    `person` is the ID of the user who waits: a newer call of the same person replaces this one. The function
    must accept `on_progress` and should call it between its steps. Raises Replaced, SandboxError("busy") if
    too many people wait or the site makes no previews, and what `InteractivePool.call` raises.
    """
    if not is_available():
        raise failure("busy")
    return _pool().call(person, function, **arguments)


@cache
def _pool() -> InteractivePool:
    lock = photos.large_child_lock if takes_turns() else None
    return InteractivePool(PREVIEW, settings.PREVIEW_WORKERS, _access, lock)


def _access() -> FolderAccess:
    """Return what a child may read: all that an edit may, but it may write nothing."""
    edit = photos.reach()
    return FolderAccess(read=(*edit.read, *edit.write))
