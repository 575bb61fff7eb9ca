"""The zones of a photo in which a prop may stand, lie or hang, as the words tell them."""

from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import USUAL, Canvas
from editor.engine.kinds import DEPTHS, PARTS, kinds_of
from editor.engine.operations.add.places import faces_meant, gap_between
from editor.engine.operations.add.prop_ground import SIDE, find_ground
from editor.engine.operations.add.prop_scale import FACE, LEAST, SCENERY_SIDE, Scene, scale_by
from editor.engine.pixels import Box, copy_size, working_copy
from editor.engine.plan import Reason, Step
from editor.engine.props import Prop
from editor.engine.refused import MARK_IT, Unable
from editor.engine.targets.detector import SURE, Thing
from editor.engine.targets.find import target_mask
from editor.engine.targets.marked import marked_boxes
from editor.engine.targets.masks import largest
from editor.engine.targets.scenery import find_water
from editor.engine.targets.things import cut_out, things_meant
from editor.imaging.codecs import Bytes

_SMALLEST, _LARGEST = 0.04, 0.7  # of the photo's shorter side, and of its height
_TINY, _HUGE = 0.6, 1.25  # times that, where it is asked for
_FLIER = 0.32  # of the shorter side: the largest of what flies
_GAP = 0.05  # of a prop's width, between a thing and what stands beside it
_LOWEST = 0.975  # of the photo's height: so far down feet come
_ROWS = (
    (2.0, 0.86),
    (6.0, 0.8),
)  # metres, and where such things stand, of the height: tall ones farther back
_UNSEEN = 1.25  # of the height: where the nearest stand lower, no ground is seen
_SMALL_FLIER = 0.3  # metres: a butterfly needs no sky
_DEPTHS = {"background": 0.35, "foreground": 1.0}  # of the way from the horizon to the lower edge
_NEAREST_WALL = 0.5  # of that way: beyond it, ground is hardly seen
_SITTING = 0.5  # of a flower: how tall a butterfly on it is
_CROWN = 0.16  # of a face's height: so far above it a head ends
_SEAT = {"chair": 0.55, "bench": 0.55, "couch": 0.6, "bed": 0.5}
"""How far below the upper edge of such a thing its seat is, in its height."""
_FLAT = {"dining table", "pizza"}


@dataclass(frozen=True)
class Zone:
    """Where feet may come to, in pixels, and the point that is best; of what is `is_up` in the air it is the
    middle. `scale` is pixels per metre of what they stand on or by, if that is known, `carrier` what carries
    them, and `mask` (0/1, on a small copy) where alone they may be."""

    left: float
    right: float
    top: float
    bottom: float
    best: tuple[float, float]
    scale: float | None = None
    carrier: Box | None = None
    is_up: bool = False
    mask: Bytes | None = None


@dataclass(frozen=True, eq=False)
class Ask:
    """What is to be placed: a prop whose picture is `aspect` times as wide as high, `count` times, `growth`
    times as large as it is."""

    prop: Prop
    step: Step
    is_aloft: bool
    aspect: float
    count: int
    growth: float

    @property
    def place(self) -> str:
        return self.step.place or ""

    @property
    def metres(self) -> float:
        return self.prop.metres * self.growth

    @property
    def is_up(self) -> bool:
        """Whether it hangs in the air."""
        return self.is_aloft or self.prop.sits in ("flies", "hangs", "eyes")

    @property
    def largest(self) -> float:
        """Of the photo's height: of several none may fill it."""
        is_huge = self.step.how_much.share > USUAL
        return float(_LARGEST * (_HUGE if is_huge else 1) / self.count**0.4)

    @property
    def smallest(self) -> float:
        """Of the photo's shorter side."""
        is_tiny = self.step.how_much.share < USUAL
        return _SMALLEST * (_TINY if is_tiny else 1)


def height_of(ask: Ask, scene: Scene, row: float, scale: float | None) -> float:
    """How many pixels tall it is with its foot on that row: as it is in the scene, but so that it is seen."""
    if ask.prop.sits in ("flies", "hangs"):
        pixels = scene.usual(ask.metres) if scale is None else ask.metres * scale
        longest = _FLIER * scene.shorter * ask.growth / max(1.0, ask.aspect)
        return float(np.clip(pixels, min(2.5 * ask.smallest * scene.shorter, longest), longest))
    pixels = scene.size_at(ask.metres, row, scale)
    return float(np.clip(pixels, ask.smallest * scene.shorter, ask.largest * scene.height))


def zone_of(canvas: Canvas, ask: Ask, scene: Scene) -> Zone:
    """Where the words allow the prop. Unable where what they name is not found, or no ground is seen."""
    target = ask.step.target
    if target.what == "whole":
        table = _table_for(ask, scene)
        if table:
            return _upon(scene, table)
        return _in_the_air(ask, scene) if ask.is_up else _on_the_ground(canvas, ask, scene)
    if target.what == "face":
        face = faces_meant(canvas, target)[0]
        return _on_a_head(face) if ask.place == "on top" else _by_a_box(ask, scene, face, face.height / FACE)
    if target.what == "region":
        return _by_a_box(ask, scene, Box.holding(marked_boxes(canvas, target)), None)
    if PARTS.get(target.noun or "") == "flowers":
        return _on_a_flower(canvas, ask)
    if not kinds_of(target.noun):
        return _in_scenery(canvas, ask, scene)
    things = things_meant(canvas, target)
    scale, box = _scale(scene, things[0]), Box.holding(thing.box for thing in things)
    if ask.place == "between":
        gap = gap_between(*(thing.box for thing in things))
        foot = float(np.mean([thing.box.bottom for thing in things]))
        return Zone(gap.left, gap.right, foot - 1, foot + 1, (gap.center[0], foot), scale)
    is_carried = ask.place in ("on", "on top")
    if is_carried and (things[0].kind in _SEAT or things[0].kind in _FLAT):
        return _upon(scene, things[0])
    return _on_top(canvas, scene, things[0]) if is_carried else _by_a_box(ask, scene, box, scale)


def _table_for(ask: Ask, scene: Scene) -> Thing | None:
    """The table that a small thing is laid on where no place is named."""
    if ask.place or ask.prop.sits != "lies" or ask.is_up:
        return None
    tables = [thing for thing in scene.things if thing.kind == "dining table" and thing.score >= SURE]
    return max(tables, key=lambda thing: thing.box.area, default=None)


def _scale(scene: Scene, thing: Thing) -> float | None:
    face = next((face for face in scene.faces if thing.box.holds_center_of(face)), None)
    if face and thing.kind == "person":
        return face.height / FACE
    return scale_by(thing, scene.faces, scene.width, scene.height)


def _in_the_air(ask: Ask, scene: Scene) -> Zone:
    """In the sky; small ones, and where a place is named, in the upper part of the photo."""
    if ask.prop.sits == "hangs" and scene.sky is not None:
        raise Unable(Reason.NO_SUCH_TARGET, f"No wall was found for the {ask.prop.title}.", MARK_IT)
    if ask.prop.sits == "flies" and scene.sky is None and not ask.place and ask.prop.metres > _SMALL_FLIER:
        raise Unable(Reason.NO_SUCH_TARGET, f"No sky was found for the {ask.prop.title}.", MARK_IT)
    left, right = _columns(ask, scene)
    top, bottom = 0.05 * scene.height, (0.85 * scene.horizon if scene.sky is not None else 0.6 * scene.height)
    mask = scene.sky if ask.prop.sits == "flies" else None
    if "bottom" in ask.place:
        top, bottom, mask = 0.5 * scene.height, 0.95 * scene.height, None
    best = ((left + right) / 2, 0.55 * top + 0.45 * bottom)
    return Zone(left, right, top, max(top + 4, bottom), best, is_up=True, mask=mask)


def _columns(ask: Ask, scene: Scene) -> tuple[float, float]:
    """The columns that the step's place allows."""
    left, right = 0.02, 0.98
    if "left" in ask.place:
        right = 0.42
    elif "right" in ask.place:
        left = 0.58
    elif ask.place in ("center", "top", "bottom"):
        left, right = 0.3, 0.7
    return left * scene.width, right * scene.width


def _on_the_ground(canvas: Canvas, ask: Ask, scene: Scene) -> Zone:
    """Below the horizon, where it has a size that fits the photo: what is tall stands farther back."""
    if ask.place.startswith("top"):
        sentence = f"The {ask.prop.title} would hang in the air there."
        raise Unable(Reason.AMBIGUOUS, sentence, "Say where it stands: on the left, at the bottom right.")
    if not scene.shows_ground and ask.prop.sits != "floats":
        sentence = f"Where the ground is that the {ask.prop.title} would stand on was not found."
        raise Unable(Reason.LOW_CONFIDENCE, sentence, "Mark a place for it with a box.")
    left, right = _columns(ask, scene)
    height, horizon = scene.height, scene.horizon
    if scene.view and scene.view.ground > _UNSEEN * height and scene.sky is None:
        raise _no_ground(ask)
    wanted = _wanted_row(ask, scene)
    top = max(horizon + 0.06 * (height - horizon), wanted - 0.08 * height)
    bottom = min(_LOWEST * height, wanted + 0.1 * height)
    if top > bottom:
        raise _no_ground(ask)
    best = ((left + right) / 2, float(np.clip(wanted, top, bottom)))
    return Zone(left, right, top, bottom, best, mask=_ground(canvas, ask, scene))


def _wanted_row(ask: Ask, scene: Scene) -> float:
    """Where its foot had best be: beside the people, unless it would be too large or too small there."""
    height, metres, horizon = scene.height, ask.metres, scene.horizon
    depth = next((word for word in DEPTHS if word in ask.place), None)
    usual = float(np.interp(metres, *np.array(_ROWS).T)) * height
    wanted = max(usual, scene.view.ground) if scene.view else usual
    if depth:
        wanted = horizon + _DEPTHS[depth] * (0.94 * height - horizon)
    farthest, nearest = (
        scene.row_of(metres, pixels) for pixels in (ask.largest * height, 1.5 * ask.smallest * scene.shorter)
    )
    if farthest is not None:  # farther back, where houses stand, it is rather a smaller one
        wanted = max(min(wanted, farthest), horizon + _NEAREST_WALL * (0.94 * height - horizon))
    wanted = wanted if nearest is None else max(wanted, nearest)
    return min(wanted, 0.94 * height)


def _no_ground(ask: Ask) -> Unable:
    sentence = f"The ground that the {ask.prop.title} would stand on is not in the photo."
    return Unable(Reason.TOO_LARGE, sentence, "Mark a place for it with a box.")


def _ground(canvas: Canvas, ask: Ask, scene: Scene) -> Bytes | None:
    """Where it may stand: boats on water, and nothing else; over a table all is ground."""
    small = working_copy(canvas.picture, SCENERY_SIDE)
    water = find_water(small) if min(small.shape[:2]) >= LEAST else None
    if ask.prop.sits != "floats":
        if scene.view and scene.view.is_near:
            return None
        ground = find_ground(working_copy(canvas.picture, SIDE))
        if water is None or scene.sky is None:
            return ground
        wet = cv2.resize(water, ground.shape[::-1], interpolation=cv2.INTER_NEAREST)
        return cast(Bytes, np.where(wet > 0, np.uint8(0), ground))
    if water is None:
        raise Unable(Reason.NO_SUCH_TARGET, f"No water was found for the {ask.prop.title}.", MARK_IT)
    return water


def _in_scenery(canvas: Canvas, ask: Ask, scene: Scene) -> Zone:
    """In the sky, on the grass, on the water."""
    mask = target_mask(canvas, ask.step.target)
    scale, size = min(1.0, SIDE / max(scene.width, scene.height)), copy_size(SIDE, scene.width, scene.height)
    there = (cv2.resize(mask, size, interpolation=cv2.INTER_AREA) > 0.6).astype(np.uint8)
    rows = np.flatnonzero(there.mean(1) > 0.1) / scale
    if not rows.size:
        noun = ask.step.target.noun
        raise Unable(Reason.NO_SUCH_TARGET, f"There is too little {noun} for it.", MARK_IT)
    top, bottom = float(rows[0]), min(float(rows[-1]), _LOWEST * scene.height)
    place = ask.place if ask.place != "on" else None
    free = replace(ask, step=ask.step.at(place))
    if ask.step.target.noun == "sky":
        return replace(_in_the_air(free, replace(scene, sky=there)), top=top, bottom=bottom, mask=there)
    row = min(max(_wanted_row(free, scene), top), bottom)
    left, right = _columns(free, scene)
    best = ((left + right) / 2, row if ask.prop.sits != "floats" else 0.4 * top + 0.6 * bottom)
    return Zone(left, right, top, bottom, best, mask=there)


def _on_a_flower(canvas: Canvas, ask: Ask) -> Zone:
    """Within the largest one, which is about as large as what sits there."""
    found = largest((target_mask(canvas, ask.step.target) > 0.5).astype(np.uint8), 1.0)
    box = Box.around(found)
    x, y = box.center
    scale = _SITTING * min(box.width, box.height) / ask.prop.metres
    return Zone(x - 1, x + 1, y - 1, y + 1, (x, y), scale, carrier=box, is_up=True)


def _on_a_head(face: Box) -> Zone:
    x, top = face.center[0], face.top - _CROWN * face.height
    return Zone(x - 1, x + 1, top - 1, top + 1, (x, top), face.height / FACE, carrier=face)


def _by_a_box(ask: Ask, scene: Scene, box: Box, scale: float | None) -> Zone:
    """Above a thing, in front of it, or on one of its sides."""
    x, foot, height = box.center[0], float(box.bottom), scene.height
    if ask.place == "above":
        middle = box.top - 0.08 * height
        return Zone(box.left, box.right, 0.03 * height, box.top, (x, middle), scale, is_up=True)
    if ask.place == "in front":
        if foot > 0.93 * height:
            raise _no_ground(ask)
        low = min(_LOWEST * height, foot + 0.1 * height)
        return Zone(box.left, box.right, foot + 0.02 * height, low, (x, (foot + low) / 2), scale)
    left, right, best = _side(ask, scene, box, scale)
    if ask.is_up:
        middle = box.top + 0.45 * box.height
        top = box.top + 0.1 * box.height
        return Zone(left, right, top, max(top + 4, foot), (best, middle), scale, is_up=True)
    is_cut = foot > _LOWEST * height or ask.step.target.what == "face"
    if is_cut and (ask.prop.metres < 1 or scene.sky is None):
        raise _no_ground(ask)
    foot = min(foot, _LOWEST * height)
    deep = 0.35 * box.height if scene.view and scene.view.is_near else 0.03 * height
    return Zone(left, right, foot - deep, min(0.98 * height, foot + 0.03 * height), (best, foot), scale)


def _side(ask: Ask, scene: Scene, box: Box, scale: float | None) -> tuple[float, float, float]:
    """The columns on the named side of a box, or the one with more room, and the best one."""
    half = height_of(ask, scene, box.bottom, scale) * ask.aspect / 2
    left, right = 0.01 * scene.width, 0.99 * scene.width
    rooms = {"left of": box.left - left, "right of": right - box.right}
    side = ask.place if ask.place in rooms else max(rooms, key=lambda name: rooms[name])
    if side == "left of":
        return left, box.left - 0.8 * half, box.left - half * (1 + 2 * _GAP)
    return box.right + 0.8 * half, right, box.right + half * (1 + 2 * _GAP)


def _upon(scene: Scene, thing: Thing) -> Zone:
    """On a table or a seat."""
    box, seat = thing.box, _SEAT.get(thing.kind)
    scale = None if scene.view and scene.view.is_near else _scale(scene, thing)
    left, right = box.left + 0.16 * box.width, box.right - 0.16 * box.width
    if seat is None:  # of a table mostly the top is seen
        deep = min(box.height, 0.6 * box.width)
        top, bottom = box.top + 0.2 * deep, box.top + 0.75 * deep
    else:
        row = box.top + seat * box.height
        top, bottom = row - 0.03 * box.height, row + 0.05 * box.height
    bottom = min(bottom, _LOWEST * scene.height)
    return Zone(left, right, top, bottom, ((left + right) / 2, (top + bottom) / 2), scale, carrier=box)


def _on_top(canvas: Canvas, scene: Scene, thing: Thing) -> Zone:
    """On the upper edge of a thing, where it is highest near its middle."""
    box = thing.box
    x, y = box.center[0], box.top + 0.03 * box.height
    cut = cut_out(canvas, thing)
    if cut is not None:
        scale, solid = cut.mask.shape[1] / cut.view.width, cut.mask > 0.5
        rows = np.where(solid.any(0), solid.argmax(0), solid.shape[0])
        columns = np.arange(rows.size) / scale + cut.view.left
        rows = np.where(np.abs(columns - x) < 0.32 * box.width, rows, solid.shape[0])
        at = int(rows.argmin())
        x, y = float(columns[at]), cut.view.top + float(rows[at]) / scale + 0.015 * box.height
    return Zone(x - 1, x + 1, y - 1, y + 1, (x, y), _scale(scene, thing), carrier=box)
