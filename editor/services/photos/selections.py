"""Selections: the outline of the thing that a person points at in a photo from the tray.

Selections are created from the photo's analysis, in the child processes for interactive work. Nothing is
stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from editor.engine.kinds import joint_name
from editor.imaging.errors import JobError, Replaced, SandboxError
from editor.models import DraftPhoto
from editor.options import Point, Region
from editor.services.core import rates
from editor.services.core.access import Actor
from editor.services.photos import analysis, interactive, photos

PER_MINUTE = 120  # maximum number of selections per minute for each person across all workspaces


class Unavailable(Exception):
    """Raised when this site does not create selections."""


class NotAnalyzed(Exception):
    """Raised when the photo has not been analyzed yet. The analysis has been requested."""


class Busy(Exception):
    """Raised when too many people are waiting or the same person's newer selection replaced this one."""


class TooManySelections(Exception):
    """Raised when a person makes too many selections in a minute.

    The next selection is allowed in `seconds`.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__()
        self.seconds = seconds


@dataclass(frozen=True)
class Selection:
    """A thing that a person selected.

    `path` is its outline, an SVG path in ten-thousandths of the photo's sides, or empty if nothing was found.
    `box` {x, y, w, h} is its bounding box, as fractions of the photo. `name` is the detector's name for it,
    such as "the motorcycle", or empty. `kinds` contains the detector's name at each point that selects
    something.
    """

    path: str
    box: dict[str, float] | None
    name: str
    kinds: tuple[str, ...]


def is_available() -> bool:
    """Check whether selections are available on this site.

    They require analyses and the child processes for interactive work.
    """
    return interactive.is_available() and analysis.is_available()


def select(
    actor: Actor, draft: DraftPhoto, *, points: Sequence[Point] = (), region: Region | None = None
) -> Selection:
    """Return what these points select in a photo, or the thing in a drawn region.

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
                analysis.request_analysis(draft)
                raise NotAnalyzed
            found = interactive.call(
                # Calls with a negative ID do not replace the same person's previews.
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
