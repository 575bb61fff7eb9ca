"""Functions shared by the adapters that send edits to other sites."""

import threading
from pathlib import Path

from editor.outbound import OutboundError
from editor.providers import waits
from editor.providers.contract import UNAVAILABLE, UNCONFIRMED, UNREACHABLE, Fault, ProviderError, Watch

_TYPES = {".jpg": "image/jpeg", ".png": "image/png", ".webp": "image/webp"}


def stop_event(watch: Watch) -> threading.Event:
    """Return an event that is set when the work must stop."""
    stop = threading.Event()
    watch.on_stop(stop.set)
    return stop


def form_file(name: str, path: Path) -> tuple[str, Path, str]:
    """Return a file of a form, whose name reveals nothing about the stored file."""
    return f"{name}{path.suffix}", path, _TYPES.get(path.suffix, "application/octet-stream")


def error_without_response(error: OutboundError, *, request: str, is_repeatable: bool) -> ProviderError:
    """Return the error for a request that got no usable response.

    `request` names the request for the operator. `is_repeatable` means that a request whose outcome is
    unknown may be sent again.
    """
    detail = f"{request} failed: {error.message}"
    if error.kind == "stopped":
        return ProviderError("stopped", error.message)
    if error.kind in ("refused", "tls"):
        return ProviderError("engine_unavailable", UNAVAILABLE, fault=Fault.OPERATOR, detail=detail)
    if error.sent:
        return unconfirmed(detail, is_repeatable=is_repeatable)
    return ProviderError(
        "engine_unavailable", UNREACHABLE, retry_after=waits.jitter(), fault=Fault.ENGINE, detail=detail
    )


def unconfirmed(detail: str, *, is_repeatable: bool) -> ProviderError:
    """Return the error for a request that the engine may have carried out."""
    again = waits.jitter() if is_repeatable else None
    return ProviderError("unconfirmed", UNCONFIRMED, retry_after=again, fault=Fault.ENGINE, detail=detail)
