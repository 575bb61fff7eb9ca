"""Create providers for upstream sites.

Each provider gets a watch that records what the provider reports.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

from editor.imaging.sandbox import DECODE, Sandbox
from editor.outbound import Rules
from editor.providers.openai_images import ImagesServer, OpenAIImagesProvider
from editor.providers.photo_editor import PhotoEditorProvider
from editor.providers.profile import Profile

# The maximum number of seconds until a stopped call ends. A call that ignores the stop takes longer.
PROMPT_SECONDS = 60.0
_PATIENCE_SECONDS = 120
KEY = "k3y-CANARY-of-the-operator"
SUCCEEDED = frozenset(("SUCCESS", "SUCCEEDED", "COMPLETED", "DONE", "FINISHED"))
FAILED = frozenset(("FAILED", "FAILURE", "ERROR", "CANCELLED", "REJECTED", "EXPIRED", "TIMEOUT"))


class Watching:
    """A watch that records what the provider reports."""

    def __init__(self) -> None:
        self.reports: list[float] = []
        self.stops: list[Callable[[], None]] = []

    def report(self, fraction: float) -> None:
        self.reports.append(fraction)

    def on_stop(self, stop: Callable[[], None]) -> None:
        self.stops.append(stop)

    def stop_after(self, seconds: float) -> threading.Thread:
        """Stop the work this number of seconds after it has begun, and return the thread that does so."""

        def wait_and_stop() -> None:
            until = time.monotonic() + _PATIENCE_SECONDS
            while not self.stops and time.monotonic() < until:
                time.sleep(0.01)
            time.sleep(seconds)
            for stop in self.stops:
                stop()

        thread = threading.Thread(target=wait_and_stop, daemon=True)
        thread.start()
        return thread


def profile(**changes: Any) -> Profile:
    """Return a profile that has the default assumptions about an upstream site, except for `changes`."""
    usual: dict[str, Any] = {"rules": Rules(), "succeeded": SUCCEEDED, "failed": FAILED}
    return Profile(**usual | changes)


def make_provider(
    base_url: str, *, key: str = KEY, sandbox: Sandbox | None = None, **changes: Any
) -> PhotoEditorProvider:
    """Return a provider for the upstream site at this URL."""
    return PhotoEditorProvider(base_url, key, profile(**changes), sandbox or Sandbox(DECODE))


def make_images_provider(
    base_url: str, *, key: str = KEY, sandbox: Sandbox | None = None, **changes: Any
) -> OpenAIImagesProvider:
    """Return the provider for the images API at this URL."""
    usual: dict[str, Any] = {"model": "gpt-image-2.6", "dialect": "openai", "rules": Rules()}
    return OpenAIImagesProvider(ImagesServer(base_url, key, **usual | changes), sandbox or Sandbox(DECODE))
