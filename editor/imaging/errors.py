"""The exceptions that can be passed from the sandbox to its caller.

JobError
├── PhotoError                          a file that is not a photo, is damaged, or is too large
└── editor.engine.errors.PlanRefused    a plan that cannot be applied to these photos
SandboxError                            the child process itself failed, or none was free
├── Replaced                            the same person's newer job replaced this one
└── ChildLost                           the child was killed or ran out of time; a retry may succeed
"""

from collections.abc import Mapping
from typing import Any


class JobError(Exception):
    """Raised when a job cannot be done.

    `message` is a user-readable sentence that explains why. `details` is JSON-safe. The message and the
    details are sufficient to rebuild the exception in another process.
    """

    def __init__(self, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details or {})


class PhotoError(JobError):
    """Raised when a file cannot be read as a photo. The message says what the user can do."""


class SandboxError(Exception):
    """Raised when the child process did not return a result.

    `kind` is "crashed", "timeout", "memory", "full" (the disk), "stopped", or "busy". It is "busy" if all
    children in a pool were busy for too long.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class Replaced(SandboxError):
    """Raised when the same person's newer job replaced this one, so that nobody waits for its result."""


class ChildLost(SandboxError):
    """Raised when the child ended in the middle of its job.

    The system kills processes that use too much memory, and on a busy machine, a child may run out of time.
    Therefore, the job itself is not necessarily the cause.
    """


def is_about_memory(error: BaseException) -> bool:
    """Return whether the error reports a lack of memory.

    OpenCV, Pillow, and libheif report this only in their error messages.
    """
    words = str(error).lower()
    return isinstance(error, MemoryError) or any(known in words for known in _TOO_LITTLE_MEMORY)


_TOO_LITTLE_MEMORY = ("insufficient memory", "bad_alloc", "out of memory", "memory allocation")
