"""Find free places for copies of an object, on ground similar to the original's ground."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, cielab
from editor.engine.operations.composition.pieces import Piece
from editor.engine.pixels import Box, working_copy
from editor.engine.targets.detector import things_seen
from editor.engine.targets.faces import find_faces

# Longer side, in pixels, of the working copy on which areas of ground are compared.
_WORKING_PIXELS = 480
# Minimum detection score of an object that copies must not cover.
_MAY_BE = 0.35
# Area above which another object counts as ground, as a multiple of the copied object's area.
_HUGE = 6.0
# Minimum distance between a copy and the photo's edge, as a share of the photo's width or height.
_MARGIN = 0.012
# Minimum horizontal distance to another object, as a share of the copy's width.
_APART = 0.16
# Vertical positions that are tried for copies of an object, as offsets below the original. The unit is the
# height of the object. Lower positions are nearer to the camera, and higher ones are more distant.
_ROWS = (0.0, 0.12, -0.12, 0.3, -0.3, 0.5, -0.5, 0.75, -0.75, 1.0, -1.0)
# Minimum height from which the vertical offsets of copies are calculated, as a share of the object's width,
# because flat objects take up as much ground as tall ones.
_FLAT = 0.6
_COLUMNS = 8  # number of horizontal positions per object width that are tried for a copy
# How much larger a copy becomes if it is moved down by the object's height, as a share of the copy's size.
_NEARER = 0.3
# How far above an object's base the compared ground extends, as a share of the object's height.
_FOOT = 0.25
# How far below an object's base the compared ground extends, as a share of the object's height.
_BELOW = 0.08
# How far to each side of an object the compared ground extends, as a share of the object's width.
_BESIDE = 0.4
# Maximum CIELAB color difference between a copy's ground and the original's ground if the original's ground
# is even.
_OTHER_COLOR = 13.0
# Maximum roughness difference (CIELAB) between a copy's ground and the original's ground if the original's
# ground is even.
_ROUGHER = 7.0
_ODD = 11.0  # maximum CIELAB color difference between a copy's place and the rest of its rows
_UNEVENLY = (0.12, -0.12, 0.0, -0.3, 0.3)  # preferred vertical offsets, as shares of the object's height
# Cost of a horizontal distance between a copy and the original, per object width.
_FAR = 5.0


class _GroundSample(NamedTuple):
    """The appearance of an area of ground.

    `color` is the mean color of the area in CIELAB, and `roughness` is the mean distance of the pixels from
    that color.
    """

    color: Floats
    roughness: float


class FreePlaces:
    """Search a photo for ground on which a copy of an object covers nothing else."""

    def __init__(self, canvas: Canvas, sources: Sequence[Piece]) -> None:
        picture = canvas.picture
        small = working_copy(picture, _WORKING_PIXELS)
        self._size = picture.width, picture.height
        self._scale = small.shape[1] / picture.width
        self._lab = cielab(small)
        self._odd = np.linalg.norm(self._lab - np.median(self._lab, axis=1)[:, None], axis=2)
        smallest = min(piece.box.area for piece in sources)
        self._taken = [
            *(t.box for t in things_seen(canvas) if t.score >= _MAY_BE and t.box.area < _HUGE * smallest),
            *(face.grown(0.4, *self._size) for face in find_faces(picture)),
            *(piece.box for piece in sources),
            *canvas.occupied,
        ]

    def placed(self, source: Piece, wanted: Piece, share: float) -> Piece | None:
        """Return the wanted object at the best free place, or None if there is no suitable place.

        The object is `share` times as large as the source would be at that place. The place is then marked as
        taken.
        """
        foot, odd = self._around(source.box)
        best: tuple[float, Piece] | None = None
        for box in self._spots(source, share):
            cost = self._cost(source.box, box, foot, odd)
            if cost is not None and (best is None or cost < best[0]):
                best = cost, wanted.sized(box.width, box.height).at(box.left, box.top)
        if best is None:
            return None
        self._taken.append(best[1].box)
        return best[1]

    def _spots(self, source: Piece, share: float) -> Iterator[Box]:
        """Yield the possible boxes for a copy that are inside the photo and do not overlap other objects."""
        own, (width, height) = source.box, self._size
        margin = round(_MARGIN * width), round(_MARGIN * height)
        for row in (0.0,) if source.cut else _ROWS:
            factor = share * (1 + _NEARER * row)
            wide, tall = round(own.width * factor), round(own.height * factor)
            bottom = own.bottom + round(row * max(own.height, _FLAT * own.width))
            if wide < 2 or bottom - tall < margin[1] or (bottom > height - margin[1] and not source.cut):
                continue
            for left in range(margin[0], width - margin[0] - wide, max(1, own.width // _COLUMNS)):
                box = Box(left, bottom - tall, left + wide, bottom)
                if not any(_apart(box).overlap(taken) for taken in self._taken):
                    yield box

    def _cost(self, own: Box, box: Box, foot: _GroundSample, odd: float) -> float | None:
        """Return the cost of a place for a copy, or None if its ground differs too much from the original's.

        The cost rises with the difference between the grounds and with the distance from the original.
        """
        there, covered = self._sample(_foot(box)), float(self._part(self._odd, _body(box)).mean())
        color, rough = float(np.linalg.norm(there.color - foot.color)), abs(there.roughness - foot.roughness)
        if color > _OTHER_COLOR + 0.5 * foot.roughness or rough > _ROUGHER + 0.5 * foot.roughness:
            return None
        if covered > _ODD + 1.5 * odd:
            return None
        across, down = box.center[0] - own.center[0], box.bottom - own.bottom
        off = abs(down / own.height - _UNEVENLY[len(self._taken) % len(_UNEVENLY)])
        return color + rough + 0.3 * covered + _FAR * (abs(across) / own.width + 1.5 * off)

    def _around(self, own: Box) -> tuple[_GroundSample, float]:
        """Return the appearance of the ground beside the base of an object, and how unusual its colors are.

        The second value is the mean difference between the colors beside the object and the typical colors of
        the same rows.
        """
        reach = round(_BESIDE * own.width)
        wide = own._replace(left=own.left - reach, right=own.right + reach)
        return self._sample(_foot(wide), own), float(self._part(self._odd, _body(wide), own).mean())

    def _sample(self, box: Box, without: Box | None = None) -> _GroundSample:
        pixels = self._part(self._lab, box, without).reshape(-1, 3)
        color = pixels.mean(0)
        return _GroundSample(color, float(np.linalg.norm(pixels - color, axis=1).mean()))

    def _part(self, values: Floats, box: Box, without: Box | None = None) -> Floats:
        """Return the part of an array on the working copy that is inside a box.

        The part has at least one pixel. Columns inside the box `without` are left out unless there are no
        other columns.
        """
        height, width = values.shape[:2]
        left, top, right, bottom = box.sized(self._scale)
        left, top = min(max(0, left), width - 1), min(max(0, top), height - 1)
        part = values[top : max(top + 1, bottom), left : max(left + 1, right)]
        if without is None:
            return part
        at = np.arange(left, left + part.shape[1])
        others = part[:, (at < without.left * self._scale) | (at >= without.right * self._scale)]
        return others if others.size else part


def _apart(box: Box) -> Box:
    across, down = round(_APART * box.width), round(0.3 * _APART * box.height)
    return Box(box.left - across, box.top - down, box.right + across, box.bottom + down)


def _foot(box: Box) -> Box:
    tall = box.height
    return box._replace(top=box.bottom - round(_FOOT * tall), bottom=box.bottom + round(_BELOW * tall))


def _body(box: Box) -> Box:
    return box._replace(bottom=max(box.top + 1, box.bottom - round(_FOOT * box.height)))
