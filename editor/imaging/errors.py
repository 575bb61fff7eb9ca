"""The errors that cross the sandbox as themselves.

JobError
└── PhotoError                          a file that is no photo, is damaged or is too large
└── editor.engine.refused.Refused       a plan that these photos do not allow
SandboxError                            the child process itself failed, or none was free
└── ChildLost                           it was killed, or had no time: the same job may go well once more
"""

from collections.abc import Mapping
from typing import Any


class JobError(Exception):
    """Work could not be done, for a reason that `message` tells people in a sentence.

    `details` is JSON-safe: together with the message it rebuilds the error in another process.
    """

    def __init__(self, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details or {})


class PhotoError(JobError):
    """A file cannot be read as a photo; the message says what to do."""


class SandboxError(Exception):
    """The child process did not answer. `kind` is "crashed", "timeout", "memory", "full" (the disk) or
    "stopped"; or "busy" when every child of a pool had other work for too long."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class ChildLost(SandboxError):
    """The child ended in the midst of its job, as the system ends who takes too much memory of a machine, or
    had not enough of a busy machine's time."""


def is_about_memory(error: BaseException) -> bool:
    """OpenCV, Pillow and libheif tell of too little memory only in words."""
    words = str(error).lower()
    return isinstance(error, MemoryError) or any(known in words for known in _TOO_LITTLE_MEMORY)


_TOO_LITTLE_MEMORY = ("insufficient memory", "bad_alloc", "out of memory", "memory allocation")
