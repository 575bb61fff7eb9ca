"""Assumptions about an upstream site on points that the API specification leaves open."""

from dataclasses import dataclass

from editor.outbound import Rules

# Status words that sites use in addition to the two words that the interface documents.
SUCCESS_WORDS = ("SUCCEEDED", "COMPLETED", "DONE", "FINISHED")
FAILURE_WORDS = ("FAILURE", "ERROR", "CANCELLED", "REJECTED", "EXPIRED", "TIMEOUT")


@dataclass(frozen=True)
class Profile:
    """The configurable behavior of an upstream site. Every field is a setting.

    `extensions` means that the site is also a Darkroom and supports Idempotency-Key, regions, partial
    results, and numImages in a form. `lends` means that the site can fetch our photos by URL. `result_bytes`
    is the maximum size of a result. The names of the site's settings begin with `prefix`.
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
