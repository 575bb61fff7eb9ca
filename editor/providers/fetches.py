"""The outcome of fetching several results in parallel."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

from editor.outbound import OutboundError
from editor.providers.contract import NOT_STORED, ProviderError
from editor.sentences import Sentence

FETCH_AGAIN_SECONDS = 15.0
NOT_FETCHED = Sentence(
    "A result could not be fetched from the engine. You were not charged. You can run it again."
)
TOO_LARGE = Sentence("A result is too large to be saved. You were not charged.")
_NEVER_COMES = ("refused", "too_large")


def all_of(fetches: Mapping[int, Future[Path]]) -> dict[int, Path]:
    """Wait for all fetches and return the files by number.

    Raises ProviderError if any fetch failed; the exception's `partial_results` contains the files that were
    fetched.
    """
    files: dict[int, Path] = {}
    missed: list[OutboundError] = []
    unwritten: list[OSError] = []
    for number, fetch in fetches.items():
        try:
            files[number] = fetch.result()
        except OutboundError as error:
            missed.append(error)
        except OSError as error:
            unwritten.append(error)
    stopped = next((error for error in missed if error.kind == "stopped"), None)
    if stopped:
        raise ProviderError("stopped", stopped.message) from stopped
    if unwritten:
        detail, again = f"A result could not be written: {unwritten[0]}", FETCH_AGAIN_SECONDS
        raise ProviderError(
            "storage", NOT_STORED, retry_after=again, detail=detail, partial_results=files
        ) from unwritten[0]
    if missed:
        raise _not_fetched(missed, files) from missed[0]
    return files


def _not_fetched(missed: Sequence[OutboundError], files: Mapping[int, Path]) -> ProviderError:
    """Return the error to raise.

    The error allows a retry if at least one of the missing results may still arrive.
    """
    worth_it = [error for error in missed if error.kind not in _NEVER_COMES]
    error = (worth_it or missed)[0]
    if error.kind == "too_large":
        return ProviderError("result_invalid", TOO_LARGE, partial_results=files)
    again = FETCH_AGAIN_SECONDS if worth_it else None
    detail = f"A result could not be fetched: {error.message}"
    return ProviderError(
        "result_unavailable", NOT_FETCHED, retry_after=again, detail=detail, partial_results=files
    )
