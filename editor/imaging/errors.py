"""The exceptions that can be passed from the sandbox to its caller.

JobError
└── PhotoError                          a file that is no photo, is damaged, or is too large
└── editor.engine.errors.PlanRefused       a plan that cannot be applied to these photos
SandboxError                            the child process itself failed, or none was free
├── Replaced                            a newer job of the same person took this one's place
└── ChildLost                           the child was killed or ran out of time; a retry may succeed
"""

from collections.abc import Mapping
from typing import Any


class JobError(Exception):
    """Raised when a job cannot be done. `message` is a sentence that explains the reason to people.

    `details` is JSON-safe. The message and the details are enough to rebuild the exception in another
    process.
    """

    def __init__(self, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details or {})


class PhotoError(JobError):
    """Raised when a file cannot be read as a photo; the message says what to do."""


class SandboxError(Exception):
    """Raised when the child process did not return a result.

    `kind` is "crashed", "timeout", "memory", "full" (the disk), "stopped", or, if all children of a pool were
    busy for too long, "busy".
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class Replaced(SandboxError):
    """Raised when a newer job of the same person replaced this one, so nobody waits for its result."""


class ChildLost(SandboxError):
    """Raised when the child ended in the middle of its job.

    The system kills processes that use too much memory, and on a busy machine a child may run out of time. So
    the job itself is not necessarily the cause.
    """


def is_about_memory(error: BaseException) -> bool:
    """Return whether the error reports a lack of memory.

    OpenCV, Pillow, and libheif report a lack of memory only in their error messages.
    """
    words = str(error).lower()
    return isinstance(error, MemoryError) or any(known in words for known in _TOO_LITTLE_MEMORY)


_TOO_LITTLE_MEMORY = ("insufficient memory", "bad_alloc", "out of memory", "memory allocation")
