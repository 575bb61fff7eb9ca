"""Selections: the outline of what a person points at in a photo of the tray.

They are made from the photo's analysis in the child processes for work that a person waits for. Nothing is
stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache

from editor.engine.kinds import joint_name
from editor.imaging.errors import JobError, Replaced, SandboxError
from editor.models import DraftPhoto
from editor.options import Point, Region
from editor.services.core import rates
from editor.services.core.access import Actor
from editor.services.photos import analysis, interactive, photos

PER_MINUTE = 120  # maximum number of selections a minute for each person in all workspaces together
_AGAIN_SECONDS = 30  # minimum time between two requests for the same missing analysis


class Unavailable(Exception):
    """Raised when this site makes no selections."""


class NotAnalyzed(Exception):
    """Raised when the photo has not been analyzed yet. The analysis has been requested."""


class Busy(Exception):
    """Raised when too many people wait, or when a newer selection of the same person replaced this one."""


class TooManySelections(Exception):
    """Raised when a person selects too often in a minute; the next selection is allowed in `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__()
        self.seconds = seconds


@dataclass(frozen=True)
class Selection:
    """What a person selected: its outline, or an empty one if nothing is there.

    `path` is an SVG path in ten-thousandths of the photo's sides. `box` {x, y, w, h}, in fractions, is around
    it. `name` is what the detector calls it, such as "the motorcycle", or "". `kinds` are the detector's
    names for each point that selects something.
    """

    path: str
    box: dict[str, float] | None
    name: str
    kinds: tuple[str, ...]


def is_available() -> bool:
    """Check whether this site makes selections. They need analyses, and children for work that waits."""
    return interactive.is_available() and analysis.is_available()


def select(
    actor: Actor, draft: DraftPhoto, *, points: Sequence[Point] = (), region: Region | None = None
) -> Selection:
    """Return what points select in a photo, or the thing in a drawn region.

    Raises Unavailable, TooManySelections, NotAnalyzed, and Busy.
    """
    if not is_available():
        raise Unavailable
    rate = rates.count_in_memory(f"selections:{actor.user.pk}", limit=PER_MINUTE)
    if rate.is_over:
        raise TooManySelections(rate.seconds)
    try:
        with photos.work_folder() as folder:
            path = analysis.with_embedding(draft, folder)
            if path is None:
                _request_analysis(draft)
                raise NotAnalyzed
            found = interactive.call(
                # A preview of the same person must not end because the person points at something.
                -actor.user.pk,
                "editor.engine.selecting:select_in_photo",
                analysis_path=str(path),
                points=[point.as_json() for point in points],
                region=region and region.as_json(),
            )
    except (Replaced, SandboxError, JobError, OSError) as error:
        raise Busy from error
    name = joint_name(found["kinds"])
    return Selection(found["path"], found["box"], name and f"the {name}", tuple(found["kinds"]))


def _request_analysis(draft: DraftPhoto) -> None:
    if cache.add(f"select-analysis:{draft.pk}", True, _AGAIN_SECONDS):
        analysis.request_analyses([draft])
