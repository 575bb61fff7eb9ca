"""Analyze photos in the sandbox, and decide which plans need an analysis.

Only the sandbox's child process imports OpenCV.
"""

import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editor.engine.catalog import Scope
from editor.engine.plan import Step
from editor.engine.vision import VERSION as VERSION
from editor.options import EditOptions, selection_number

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis

_UNAIDED = ("whole", "place")  # values of `what` for targets that need no analysis of the photo
_AIDED_USES = frozenset({"subject", "faces", "text"})


def needs_analysis(steps: Iterable[Step], options: EditOptions) -> bool:
    """Return whether the plan needs an analysis of photo 1.

    It does if the user clicked points on photo 1 or if a step looks for something that only an analysis can
    find.
    """
    is_clicked = selection_number(options.regions, options.points) is not None
    return is_clicked or any(map(_looks_for_something, steps))


def analyze(photo_path: str, output_path: str, embedding_path: str) -> dict[str, Any]:
    """Analyze a photo file and write two files: a small one without the embedding, and one with it.

    Runs in the sandbox. Returns the result of `analyze_file`. Raises PhotoError.
    """
    from editor.engine.vision.analysis import analyze_file

    return analyze_file(photo_path, embedding_path, output_path)


def load_analysis(path: str | None) -> "Analysis | None":
    """Return a stored analysis, or None if it is missing or unreadable."""
    if path is None:
        return None
    from editor.engine.vision.analysis import Analysis

    try:
        return Analysis.load(Path(path))
    except (OSError, ValueError, zlib.error):
        return None


def _looks_for_something(step: Step) -> bool:
    declaration = step.declaration
    is_frame = declaration.finds == "frame"  # A crop to a box does not need the outline of the box's content.
    unaided = (*_UNAIDED, "region") if is_frame else _UNAIDED
    is_on_thing = declaration.scope is Scope.TARGET and not is_frame
    is_aided = is_on_thing or bool(declaration.uses & _AIDED_USES)
    return is_aided or any(target.what not in unaided for target in step.targets)
