"""Edit photos from the command line with another engine of the site than the embedded one.

The photos go directly to the engine. No account, no credits, and no database are involved.
"""

import argparse
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from django.conf import settings

from editor.imaging.errors import JobError, SandboxError
from editor.imaging.sandbox import DECODE, Sandbox
from editor.management.editing import (
    NotEdited,
    hand_over,
    options_of,
    output_path,
    require_usable,
    show_progress,
)
from editor.options import EditOptions
from editor.providers import result_notices
from editor.providers.contract import EditRequest, Provider, ProviderError, Update
from editor.providers.engine_settings import EngineSettings
from editor.services.editing import adapters, lifecycle, routing
from editor.services.photos import photos

EMBEDDED = "embedded"


class Terminal:
    """A watch that shows the progress of the work on a terminal. Nothing stops the work."""

    def report(self, fraction: float) -> None:
        if sys.stderr.isatty():
            show_progress(fraction)

    def on_stop(self, stop: Callable[[], None]) -> None:
        pass


def engine_named(name: str) -> EngineSettings | None:
    """Return the configured engine with this name, or None for the embedded engine. Raises NotEdited."""
    configured: dict[str, EngineSettings] = {engine.name: engine for engine in settings.ENGINES}
    if found := configured.get(name):
        return None if found.runs_here else found
    if name != EMBEDDED:
        raise NotEdited(str(routing.UnknownEngine([*dict.fromkeys([EMBEDDED, *configured])])))
    return None


def edit(arguments: argparse.Namespace, engine: EngineSettings) -> list[str]:
    """Write the results and return the notices. Raises NotEdited, possibly after some results."""
    require_usable(arguments)
    options = options_of(arguments)
    provider = adapters.adapter_of(engine)
    if unable := routing.misfits(provider.capabilities(), options, len(arguments.photos)):
        raise NotEdited("\n".join(unable))
    out = arguments.out
    try:
        # This folder is created first, so that nothing is sent if the results could not be written.
        with (
            tempfile.TemporaryDirectory(dir=out.parent, prefix=".edit-") as beside,
            photos.work_folder() as work,
        ):
            request = _request(arguments, options, work)
            update = _ended(provider, request, engine.seconds)
            notices = _write_results(provider, update, request, out, Path(beside))
    except (ProviderError, JobError, SandboxError) as error:
        raise NotEdited(error.message) from None
    except OSError as error:
        raise NotEdited(f"The result cannot be written to {out}: {error.strerror}.") from None
    return [str(notice) for notice in dict.fromkeys([*update.warnings, *notices])]


def _request(arguments: argparse.Namespace, options: EditOptions, folder: Path) -> EditRequest:
    return EditRequest(
        edit_id=str(uuid.uuid4()),
        prompt=arguments.prompt,
        options=options,
        photos=tuple(_rebuilt(arguments.photos, folder)),
        work_dir=folder,
        token=1,
    )


def _rebuilt(sources: Sequence[Path], folder: Path) -> list[Path]:
    """Return upright copies of the photos in formats that every engine reads, as the site stores them."""
    decoder = Sandbox(DECODE)
    try:
        rebuilt = [
            decoder.call(
                "editor.imaging.stored_photos:rebuild",
                source=str(source.absolute()),
                target_stem=str(folder / f"photo-{number}"),
                limits=asdict(photos.limits()),
            )
            for number, source in enumerate(sources, start=1)
        ]
    finally:
        decoder.close()
    return [folder / f"photo-{number}.{facts['extension']}" for number, facts in enumerate(rebuilt, start=1)]


def _ended(provider: Provider, request: EditRequest, seconds: float) -> Update:
    """Submit the request once and wait at most `seconds` for its end. Raises ProviderError and NotEdited."""
    watch, deadline = Terminal(), time.monotonic() + seconds
    ticket = provider.submit(request, watch)
    while (update := provider.poll(ticket, request, watch)).state == "running":
        if time.monotonic() > deadline:
            raise NotEdited(lifecycle.DEADLINE_MISSED)
        ticket = update.ticket or ticket
        time.sleep(update.poll_after)
    if update.state == "failed":
        raise NotEdited(update.message)
    return update


def _write_results(
    provider: Provider, update: Update, request: EditRequest, out: Path, beside: Path
) -> list[str]:
    """Write the results that arrived, and return notices about them.

    Raises ProviderError, and NotEdited if a result is missing.
    """
    count = request.options.outputs
    notices: list[str] = []
    found = provider.collect(list(update.arrivals), request, Terminal())
    photo = photos.worker_pool.call("editor.imaging.image_answers:inspect", source=str(request.photos[0]))
    for number in sorted(set(found) & set(range(1, count + 1))):
        stem = request.work_dir / f"finished-{number}"
        facts = photos.worker_pool.call(
            "editor.imaging.stored_photos:reencode_result",
            source=str(found[number]),
            target_stem=str(stem),
            output_format=request.options.output_format,
        )
        notices += result_notices.deviations(
            (facts["width"], facts["height"]),
            facts["kind"],
            update.arrivals[number - 1],
            options=request.options,
            photo=(photo["width"], photo["height"]),
        )
        rebuilt_file = stem.with_suffix(f".{photos.EXTENSIONS[facts['media_type']]}")
        # `out` may be on another file system than the work folder.
        hand_over(Path(shutil.copy(rebuilt_file, beside)), output_path(out, number, count))
    if len(found) < count:
        raise NotEdited(f"The engine made {len(found)} of {count} results.")
    return notices
