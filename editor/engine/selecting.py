"""Outline the things that a user points at, for display while the user is pointing.

Runs in the sandbox.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from editor.engine.analyzing import load_analysis
from editor.engine.pixels import Box
from editor.engine.targets.selection import Selection, outline_path, select, snap
from editor.options import Point, Region

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis

_REMEMBERED = 4  # number of photos whose analyses are kept in memory


def select_in_photo(
    analysis_path: str,
    points: Sequence[Mapping[str, Any]] = (),
    region: Mapping[str, Any] | None = None,
    *,
    on_progress: Callable[[float], None],
) -> dict[str, Any]:
    """Return the outline of what points on an analyzed photo select, or of the thing in a drawn region.

    `points` are the results of Point.as_json, and `region` is the result of Region.as_json. An analysis file
    must never change.

    Return {"path", "box", "kinds"}: the outline as an SVG path in ten-thousandths of the photo's sides, its
    bounding box {x, y, w, h} in fractions, and the detector's names for the things that the points add. The
    path is empty if nothing is found.
    """
    analysis = _analysis(analysis_path)
    on_progress(0.0)
    found = None
    if analysis is not None:
        found = _in_region(analysis, region) if region else select(analysis, [Point(**one) for one in points])
    if analysis is None or found is None:
        return {"path": "", "box": None, "kinds": []}
    box = _fractions(found.box, analysis)
    return {"path": outline_path(found.mask), "box": box, "kinds": list(found.kinds)}


@lru_cache(_REMEMBERED)
def _analysis(path: str) -> "Analysis | None":
    return load_analysis(path)


def _in_region(analysis: "Analysis", region: Mapping[str, Any]) -> Selection | None:
    drawn = Region(**region)
    left, top = drawn.x * analysis.width, drawn.y * analysis.height
    right, bottom = left + drawn.w * analysis.width, top + drawn.h * analysis.height
    return snap(analysis, Box(round(left), round(top), round(right), round(bottom)))


def _fractions(box: Box, analysis: "Analysis") -> dict[str, float]:
    sides = (box.left / analysis.width, box.top / analysis.height)
    sizes = (box.width / analysis.width, box.height / analysis.height)
    return dict(zip("xywh", (round(side, 4) for side in (*sides, *sizes)), strict=True))
