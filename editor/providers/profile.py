"""Assumptions about an upstream site where the API specification leaves a choice."""

from dataclasses import dataclass

from editor.outbound import Rules

# Status words that sites use besides the two that the interface documents.
SUCCESS_WORDS = ("SUCCEEDED", "COMPLETED", "DONE", "FINISHED")
FAILURE_WORDS = ("FAILURE", "ERROR", "CANCELLED", "REJECTED", "EXPIRED", "TIMEOUT")


@dataclass(frozen=True)
class Profile:
    """The configurable behavior of an upstream site; every field is a setting.

    `extensions` means that it is a Darkroom too and supports Idempotency-Key, regions, partial results, and
    numImages in a form. `lends` means that the site can fetch our photos by URL.
    `result_bytes` is the maximum size of a result. `prefix` begins the names of the site's settings.
    """

    rules: Rules
    succeeded: frozenset[str]
    failed: frozenset[str]
    retries_busy: bool = True
    loose_success: bool = False
    extensions: bool = False
    lends: bool = False
    outputs: int = 4
    photo_bytes: int = 20 * 1024 * 1024
    result_bytes: int = 200 * 1024 * 1024
    prefix: str = "PHOTO_EDITOR"
