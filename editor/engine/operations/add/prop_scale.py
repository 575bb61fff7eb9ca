"""How large a metre is at a place of a photo, by things of known size that it shows."""

from dataclasses import dataclass
from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.kinds import LIVING
from editor.engine.operations.add.prop_ground import SIDE
from editor.engine.pixels import Box, working_copy
from editor.engine.targets.detector import SURE, Thing, things_seen
from editor.engine.targets.faces import find_faces
from editor.engine.targets.scenery import find_sky
from editor.imaging.codecs import Bytes

_LIKELY = 0.4
_WHOLE = 0.995  # of the photo's height: who ends above is not cut by it
FACE = 0.2
"""Metres: how tall the box of a found face is."""
_EYES, _OVER_A_TABLE = 1.5, 0.45  # metres: how high above the ground, or a table, photos are taken
_SMALL = 0.5  # metres: what is smaller is photographed from near
_SOME = 0.1  # of a row: as far down there is sky
_HIDDEN, _DEEPEST = 0.35, 0.72  # of the way down to that part of the height
_HORIZON = 0.38  # of the photo's height, where nothing tells
_AGREE = 0.8  # the correlation of feet and sizes from which they tell where the camera was
_LIFE_SIZE = 2.0  # metres: under a sky, what is smaller has the size that it has on flat ground
_FARTHER = 0.4  # the power that what is larger grows with: it is seen from farther off
_FILLS = 0.6  # of the photo: what seems to be larger tells no size
SCENERY_SIDE, LEAST = 400, 24
"""Pixels of the longer side of the copy that scenery is looked for on, as by all operations, and of its
shorter side."""
_TALL = """
person 1.68, car 1.5, bus 3.0, truck 2.8, bicycle 1.05, motorcycle 1.1, bench 0.85, chair 0.9, horse 1.6,
cow 1.4, sheep 0.8, elephant 2.8, bear 1.2, zebra 1.4, giraffe 4.6, dog 0.55, cat 0.3, fire hydrant 0.75,
parking meter 1.3, suitcase 0.65, bottle 0.27, wine glass 0.2, cup 0.095, vase 0.28, teddy bear 0.35,
apple 0.08, orange 0.075, refrigerator 1.7, backpack 0.48, couch 0.85, toilet 0.75
"""
_WIDE = """
dining table 1.5, laptop 0.34, bowl 0.16, pizza 0.32, keyboard 0.42, cake 0.26, donut 0.09, sandwich 0.16,
book 0.2, sports ball 0.22, bed 1.7, tv 1.0
"""


def _metres(table: str) -> dict[str, float]:
    rows = (entry.strip().rpartition(" ") for entry in table.replace("\n", " ").split(","))
    return {kind: float(metres) for kind, _, metres in rows}


_HEIGHTS = _metres(_TALL)
"""How tall the kinds of the detector are, in metres."""
_WIDTHS = _metres(_WIDE)
"""How wide others are, which are seen from above or in perspective."""
_SHARES = ((0.02, 0.05), (0.08, 0.09), (0.3, 0.2), (0.9, 0.36), (1.7, 0.46), (7.0, 0.66), (20.0, 0.3))
"""Metres, and the share of the photo's shorter side that such a thing takes where no size is known."""
_TALLEST = 7.0  # metres: of what stands, what is larger takes no smaller share, as what flies does


class _Known(NamedTuple):
    """A thing of known size: the row of its foot, how many pixels a metre takes there, how tall it is."""

    foot: float
    scale: float
    metres: float


@dataclass(frozen=True, eq=False)
class Scene:
    """A photo's `width` and `height`, its `sky` (0/1, on a copy of `scale`), the row of the horizon, and what
    tells sizes; `things` are those that stand in the way, with the faces."""

    width: int
    height: int
    things: tuple[Thing, ...]
    faces: tuple[Box, ...]
    view: "_View | None"
    sky: Bytes | None

    @property
    def shorter(self) -> int:
        return min(self.width, self.height)

    @property
    def shows_ground(self) -> bool:
        """Whether anything tells where the ground is."""
        return self.view is not None or self.sky is not None

    @property
    def horizon(self) -> float:
        """The row below which ground may be, in pixels."""
        if self.view:
            return float(np.clip(self.view.eye, -self.height, 0.9 * self.height))
        if self.sky is None:
            return _HORIZON * self.height
        end = float(np.flatnonzero(self.sky.mean(1) > _SOME)[-1] + 1) / len(self.sky)
        # Houses and hills hide the horizon: it is below the end of the sky.
        return (end + _HIDDEN * max(0.0, _DEEPEST - end)) * self.height

    def size_at(self, metres: float, row: float, scale: float | None = None) -> float:
        """How many pixels tall a thing of that many metres is, with its foot on that row."""
        if scale is not None:
            return metres * scale
        if self.view:
            return metres * self.view.growth * max(row - self.view.eye, 0.0)
        if self.sky is None:
            nearness = (row - self.horizon) / max(1.0, 0.84 * self.height - self.horizon)
            return self.usual(min(metres, _TALLEST)) * float(np.clip(nearness, 0.35, 1.3))
        real = min(metres, _LIFE_SIZE) / _EYES * max(row - self.horizon, 0.0)
        return float(real * max(1.0, metres / _LIFE_SIZE) ** _FARTHER)

    def usual(self, metres: float) -> float:
        """How many pixels tall a thing of that many metres mostly is in a photo."""
        return float(np.exp(np.interp(np.log(metres), *np.log(np.array(_SHARES)).T))) * self.shorter

    def row_of(self, metres: float, pixels: float) -> float | None:
        """The row where a thing of that many metres is that many pixels tall; None where no size is known."""
        if self.view:
            return self.view.eye + pixels / (metres * self.view.growth)
        is_outside = self.sky is not None and metres <= _LIFE_SIZE
        return self.horizon + pixels * _EYES / metres if is_outside else None


class _View(NamedTuple):
    """The camera over the ground: the row at the height of its eye, how many pixels a metre grows with each
    row below that, and the row where the nearest thing of known size stands. `is_near` is true over a
    table."""

    eye: float
    growth: float
    ground: float
    is_near: bool


def _view(known: list[_Known]) -> _View | None:
    """By all of about the size of the largest one in the photo: people, or what stands on a table."""
    if not known:
        return None
    largest = max(known, key=lambda one: one.scale * one.metres)
    above = _OVER_A_TABLE if largest.metres < _SMALL else _EYES
    alike = [one for one in known if (one.metres < _SMALL) == (largest.metres < _SMALL)]
    eye = _eye_by_several(alike)
    if eye is None:
        eye = float(np.median([one.foot - above * one.scale for one in alike]))
    growth = float(np.median([one.scale / max(1.0, one.foot - eye) for one in alike]))
    return _View(eye, growth, largest.foot, largest.metres < _SMALL)


def _eye_by_several(alike: list[_Known]) -> float | None:
    """Where things that stand at several distances would vanish; None where they do not tell."""
    feet, scales = np.array([one.foot for one in alike]), np.array([one.scale for one in alike])
    if len(alike) < 3 or np.ptp(feet) < 2 * np.median(scales):
        return None
    growth, start = np.polyfit(feet, scales, 1)
    is_sure = growth > 0 and np.corrcoef(feet, scales)[0, 1] > _AGREE
    return float(-start / growth) if is_sure else None


def scene_of(canvas: Canvas) -> Scene:
    """What the photo shows, looked at once."""
    return canvas.remembered("scene", lambda: _seen(canvas))


def _seen(canvas: Canvas) -> Scene:
    width, height = canvas.picture.width, canvas.picture.height
    things = tuple(thing for thing in things_seen(canvas) if thing.score >= _LIKELY)
    sure = [thing for thing in things if thing.score >= SURE]
    faces = tuple(face for face in find_faces(canvas.picture, canvas.models) if _is_of_somebody(face, sure))
    known = [_by_a_face(face, sure, height) for face in faces]
    telling = [thing for thing in sure if thing.box.area < _FILLS * width * height]
    known += [one for thing in telling if (one := _by_a_thing(thing, faces, width, height))]
    return Scene(width, height, things, faces, _view(known), _sky(canvas))


def _sky(canvas: Canvas) -> Bytes | None:
    """As the operations on skies find it, or else on the smaller copy; on that one (0/1)."""
    for side in (SCENERY_SIDE, SIDE):
        copy = working_copy(canvas.picture, side)
        sky = find_sky(copy) if min(copy.shape[:2]) >= LEAST else None
        if sky is not None:
            rows, columns = working_copy(canvas.picture, SIDE).shape[:2]
            return cast(Bytes, cv2.resize(sky, (columns, rows), interpolation=cv2.INTER_NEAREST))
    return None


def _is_of_somebody(face: Box, sure: list[Thing]) -> bool:
    """Whether a face is one: of the people and animals that are seen a person holds it."""
    living = [thing for thing in sure if thing.kind in LIVING | {"person"}]
    return not living or any(thing.kind == "person" and thing.box.holds_center_of(face) for thing in living)


def _by_a_face(face: Box, sure: list[Thing], height: int) -> _Known:
    """Who stands has the feet so far below; who lies, sits or kneels, where the person ends."""
    scale = face.height / FACE
    ends = [
        thing.box.bottom
        for thing in sure
        if thing.kind == "person" and thing.box.holds_center_of(face) and thing.box.bottom < _WHOLE * height
    ]
    return _Known(min([face.bottom + 1.42 * scale, *ends]), scale, 1.68)


def scale_by(thing: Thing, faces: tuple[Box, ...], width: int, height: int) -> float | None:
    """Pixels per metre at a thing, if its size is known and it is whole."""
    known = _by_a_thing(thing, faces, width, height)
    return known.scale if known else None


def _by_a_thing(thing: Thing, faces: tuple[Box, ...], width: int, height: int) -> _Known | None:
    box, near = thing.box, 0.01 * max(width, height)
    is_cut = box.left <= near or box.right >= width - near, box.top <= near or box.bottom >= height - near
    foot = float(box.bottom)
    if thing.kind in _WIDTHS and not (is_cut[0] and box.width < 0.9 * width):
        return _Known(foot, box.width / _WIDTHS[thing.kind], 0.2 if thing.kind != "bed" else 0.9)
    if thing.kind not in _HEIGHTS or is_cut[1]:
        return None
    if thing.kind == "person" and (
        box.height < 2.0 * box.width or any(box.holds_center_of(f) for f in faces)
    ):
        return None  # who sits is less tall, and a face tells it better
    return _Known(foot, box.height / _HEIGHTS[thing.kind], _HEIGHTS[thing.kind])
