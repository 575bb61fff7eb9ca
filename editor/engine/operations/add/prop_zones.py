"""Find the zone in which the instruction allows a prop; `prop_places.py` chooses the place in the zone."""

from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.errors import MARK_THE_PLACE, OperationError
from editor.engine.kinds import DEPTHS, PARTS, kinds_of
from editor.engine.masks import keep_large_components
from editor.engine.operations.add.places import exact_target_faces, gap_between
from editor.engine.operations.add.prop_scale import FACE, GROUND_PIXELS, SCENERY_PIXELS, Scene, find_ground
from editor.engine.pixels import Box, copy_size, working_copy
from editor.engine.plan import Reason, Step, Target
from editor.engine.props import Prop
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.scenery import find_on_copy
from editor.engine.targets.target_masks import target_mask
from editor.engine.targets.thing_outlines import cut_out
from editor.engine.targets.things import target_things
from editor.engine.vision.things import SURE, Thing
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

_MIN_HEIGHT = 0.04  # minimum height of a prop, as a share of the photo's shorter side
_MAX_HEIGHT = 0.7  # maximum height of a prop, as a share of the photo's height
# Maximum longer side of a flying or hanging prop, as a share of the photo's shorter side.
_MAX_FLIER_SIZE = 0.32
_GAP = 0.05  # gap between a prop and the object beside it, as a share of the prop's width
# Distance of a boat from the near end of the water, as a share of the way to the far end.
_OUT = 0.65
_LOWEST = 0.975  # lowest row for the base of a prop, as a share of the photo's height from the top
# Pairs of a prop's height in meters and the usual row of its base, as a share of the photo's height. Tall
# props are placed at a greater distance, so their base is higher in the photo.
_ROWS = ((2.0, 0.86), (6.0, 0.8))
# Row above which the base of the nearest known object must be, as a share of the photo's height from the top.
# If the base is lower, the photo shows no ground.
_UNSEEN = 1.25
# Maximum size, in meters, of a flying prop, such as a butterfly, that needs no sky.
_SMALL_FLIER = 0.3
# Row of a prop's base for each word that names a depth, as a share of the distance from the horizon to a row
# near the lower edge.
_DEPTHS = {"background": 0.35, "foreground": 1.0}
# Highest row for a prop's base, as a share of the distance from the horizon to a row near the lower edge of
# the photo. Above that row, buildings and plants hide most of the ground.
_NEAREST_WALL = 0.5
_SITTING = 0.5  # height of a butterfly on a flower, as a share of the flower's shorter side
_CROWN = 0.16  # distance from the top of a face to the top of the head, as a share of the face's height
# Distance from the upper edge of a piece of furniture down to its seat, as a share of its full height.
_SEAT = {"chair": 0.55, "bench": 0.55, "couch": 0.6, "bed": 0.5}
_FLAT = {"dining table", "pizza"}


@dataclass(frozen=True)
class Zone:
    """The area, in pixels, in which the base of a prop may be, and the best point for the base.

    If `is_up` is true, the prop is in the air, and the area and the point are for the center of the prop
    instead of its base. `scale` is the number of pixels per meter in the zone, if known. `carrier` is the box
    of the object that carries the props. `mask` (0/1, on a small copy) limits where the props may be.
    """

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
class PropRequest:
    """A request to add `count` copies of a prop.

    `aspect` is the width of the prop's image divided by its height. `growth` is how many times larger than
    its natural size the prop is drawn.
    """

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
    def meters(self) -> float:
        return self.prop.meters * self.growth

    @property
    def is_up(self) -> bool:
        """Return whether the prop is in the air."""
        return self.is_aloft or self.prop.sits in ("flies", "hangs", "eyes")

    @property
    def largest(self) -> float:
        """Return the maximum height of each prop, as a share of the photo's height.

        If there are several props, the maximum is lower so that they do not fill the photo.
        """
        return float(_MAX_HEIGHT * max(1.0, self.growth) ** 0.5 / self.count**0.4)

    @property
    def smallest(self) -> float:
        """Return the minimum height of each prop, as a share of the photo's shorter side."""
        return _MIN_HEIGHT * min(1.0, self.growth)


def height_of(ask: PropRequest, scene: Scene, row: float, scale: float | None) -> float:
    """Return the height, in pixels, of a prop whose base is on the given row.

    This is the prop's natural height in the scene, limited so that the prop is visible but does not fill the
    photo.
    """
    if ask.prop.sits in ("flies", "hangs"):
        pixels = scene.usual(ask.meters) if scale is None else ask.meters * scale
        longest = _MAX_FLIER_SIZE * scene.shorter * ask.growth / max(1.0, ask.aspect)
        return float(np.clip(pixels, min(2.5 * ask.smallest * scene.shorter, longest), longest))
    pixels = scene.size_at(ask.meters, row, scale)
    return float(np.clip(pixels, ask.smallest * scene.shorter, ask.largest * scene.height))


def zone_of(canvas: Canvas, ask: PropRequest, scene: Scene) -> Zone:
    """Return the zone that the instruction allows for the prop.

    Raises OperationError if the instruction's target is not found or no ground is visible.
    """
    target = ask.step.target
    if target.what == "face":
        face = exact_target_faces(canvas, target)[0]
        crown, scale = (face.center[0], face.top - _CROWN * face.height), face.height / FACE
        return _at(crown, face, scale) if ask.place == "on top" else _by_a_box(ask, scene, face, scale)
    if target.what == "region":
        return _by_a_box(ask, scene, Box.holding(marked_boxes(canvas, target)), None)
    if PARTS.get(target.noun or "") == "flowers":
        flower = Box.around(keep_large_components((target_mask(canvas, target) > 0.5).astype(np.uint8), 1.0))
        scale = _SITTING * min(flower.width, flower.height) / ask.prop.meters
        return replace(_at(flower.center, flower, scale), is_up=True)
    if kinds_of(target.noun):
        return _by_things(canvas, ask, scene, target_things(canvas, target))
    table = _table_for(ask, scene) if target.what == "whole" else None
    return _upon(scene, table) if table else _in_scenery(canvas, ask, scene)


def _at(point: tuple[float, float], carrier: Box, scale: float | None) -> Zone:
    """Return a zone that consists of a single point."""
    x, y = point
    return Zone(x, x, y, y, point, scale, carrier)


def _by_things(canvas: Canvas, ask: PropRequest, scene: Scene, things: list[Thing]) -> Zone:
    """Return the zone for a prop that is on, between, or beside detected objects."""
    first, scale = things[0], scene.scale_of(things[0])
    if ask.place == "between":
        gap, foot = gap_between(*(thing.box for thing in things)), max(thing.box.bottom for thing in things)
        return Zone(gap.left, gap.right, foot, foot, (gap.center[0], foot), scale)
    if ask.place not in ("on", "on top"):
        return _by_a_box(ask, scene, Box.holding(thing.box for thing in things), scale)
    is_flat = first.kind in _SEAT or first.kind in _FLAT
    return _upon(scene, first) if is_flat else _at(_highest(canvas, first), first.box, scale)


def _table_for(ask: PropRequest, scene: Scene) -> Thing | None:
    """Return the largest detected table if the prop is small and the instruction names no place.

    Otherwise, returns None.
    """
    if ask.place or ask.prop.sits != "lies" or ask.is_up:
        return None
    tables = [thing for thing in scene.things if thing.kind == "dining table" and thing.score >= SURE]
    return max(tables, key=lambda thing: thing.box.area, default=None)


def _in_scenery(canvas: Canvas, ask: PropRequest, scene: Scene) -> Zone:
    """Return the zone for a prop in the sky, on the grass, on the water, or on any ground."""
    target, floats = ask.step.target, ask.prop.sits == "floats"
    named = _named(canvas, target, scene) if target.noun else None
    ask = replace(ask, step=ask.step.at(None)) if ask.place == "on" else ask
    if ask.is_up and target.noun in (None, "sky"):
        return _in_the_air(ask, scene, named)
    if named is None and not floats:
        _require_ground(ask, scene)
    left, right = _columns(ask, scene)
    mask = _ground(canvas, ask, scene) if named is None else named
    top, bottom = _rows(mask, scene, (0.0, _LOWEST * scene.height))
    wanted = (1 - _OUT) * bottom + _OUT * top if floats else _wanted_row(ask, scene)
    if named is None and not floats:
        beyond = scene.horizon + 0.06 * (scene.height - scene.horizon)
        top = max(top, beyond, wanted - 0.08 * scene.height)
        bottom = min(bottom, wanted + 0.1 * scene.height)
    if top > bottom:
        raise _no_ground(ask)
    return Zone(left, right, top, bottom, ((left + right) / 2, min(max(wanted, top), bottom)), mask=mask)


def _named(canvas: Canvas, target: Target, scene: Scene) -> Bytes:
    mask, size = target_mask(canvas, target), copy_size(GROUND_PIXELS, scene.width, scene.height)
    return (cv2.resize(mask, size, interpolation=cv2.INTER_AREA) > 0.6).astype(np.uint8)


def _rows(mask: Bytes | None, scene: Scene, otherwise: tuple[float, float]) -> tuple[float, float]:
    """Return the first and last rows of a mask, in pixels of the photo, that belong to a zone.

    More than a tenth of each of these rows is in the mask. The last row is limited so that the base of a prop
    does not touch the lower edge of the photo. Returns `otherwise` if there is no such row.
    """
    rows = np.flatnonzero(mask.mean(1) > 0.1) * scene.height / len(mask) if mask is not None else np.empty(0)
    return (float(rows[0]), min(float(rows[-1]), _LOWEST * scene.height)) if rows.size else otherwise


def _in_the_air(ask: PropRequest, scene: Scene, named: Bytes | None) -> Zone:
    """Return the zone for a prop in the sky.

    If the photo has no sky, the zone for a small prop, or for a prop with a requested place, is the upper
    part of the photo.
    """
    sky = scene.sky if named is None else named
    if ask.prop.sits == "hangs" and sky is not None:
        raise OperationError(
            Reason.NO_SUCH_TARGET,
            Sentence("I can't find a wall for the %(name)s.", name=ask.prop.title),
            MARK_THE_PLACE,
        )
    if ask.prop.sits == "flies" and sky is None and not ask.place and ask.prop.meters > _SMALL_FLIER:
        raise OperationError(
            Reason.NO_SUCH_TARGET,
            Sentence("I can't find a sky for the %(name)s.", name=ask.prop.title),
            MARK_THE_PLACE,
        )
    left, right = _columns(ask, scene)
    mask = sky if ask.prop.sits == "flies" else named
    top, bottom = _rows(sky, scene, (0.05 * scene.height, 0.6 * scene.height))
    if "bottom" in ask.place and named is None:
        top, bottom, mask = 0.5 * scene.height, 0.95 * scene.height, None
    best = ((left + right) / 2, 0.55 * top + 0.45 * bottom)
    return Zone(left, right, top, bottom, best, is_up=True, mask=mask)


def _columns(ask: PropRequest, scene: Scene) -> tuple[float, float]:
    """Return the first and last columns, in pixels, that the requested place allows."""
    left, right = 0.02, 0.98
    if "left" in ask.place:
        right = 0.42
    elif "right" in ask.place:
        left = 0.58
    elif ask.place in ("center", "top", "bottom"):
        left, right = 0.3, 0.7
    return left * scene.width, right * scene.width


def _require_ground(ask: PropRequest, scene: Scene) -> None:
    if ask.place.startswith("top"):
        sentence = Sentence("The %(name)s would hang in the air there.", name=ask.prop.title)
        raise OperationError(
            Reason.AMBIGUOUS,
            sentence,
            Sentence("Say where it should stand, for example “on the left” or “at the bottom right”."),
        )
    if not scene.camera:
        sentence = Sentence("I can't find the ground for the %(name)s to stand on.", name=ask.prop.title)
        raise OperationError(Reason.LOW_CONFIDENCE, sentence, MARK_THE_PLACE)
    if scene.camera.ground > _UNSEEN * scene.height and scene.sky is None:
        raise _no_ground(ask)


def _wanted_row(ask: PropRequest, scene: Scene) -> float:
    """Return the best row, in pixels, for the base of the prop.

    The row depends on the prop's height. Unless the instruction names a depth, the row is at least as low as
    the base of the nearest known object. If the prop would be too large or too small there, the row is moved.
    """
    height, horizon, camera, lowest = scene.height, scene.horizon, scene.camera, 0.94 * scene.height
    usual = float(np.interp(ask.meters, *np.array(_ROWS).T)) * height
    depth = next((word for word in DEPTHS if word in ask.place), None)
    wanted = horizon + _DEPTHS[depth] * (lowest - horizon) if depth else usual
    if camera:
        wanted = wanted if depth else max(usual, camera.ground)
        farthest, nearest = (
            camera.eye + pixels / camera.growth(ask.meters)
            for pixels in (ask.largest * height, 1.5 * ask.smallest * scene.shorter)
        )
        # It is better to shrink the prop than to place it far away, among houses.
        wanted = max(min(wanted, farthest), horizon + _NEAREST_WALL * (lowest - horizon), nearest)
    return min(wanted, lowest)


def _no_ground(ask: PropRequest) -> OperationError:
    sentence = Sentence(
        "The photo doesn't show the ground that the %(name)s would stand on.", name=ask.prop.title
    )
    return OperationError(Reason.TOO_LARGE, sentence, MARK_THE_PLACE)


def _ground(canvas: Canvas, ask: PropRequest, scene: Scene) -> Bytes | None:
    """Return a 0/1 mask of the ground for the prop.

    Returns None if the prop may be anywhere, as on a table. Boats must be on water, and all other props must
    be off the water. Raises OperationError if there is no water for a boat.
    """
    small = working_copy(canvas.picture, SCENERY_PIXELS)
    water = find_on_copy(canvas, "water", small)
    if ask.prop.sits == "floats":
        if water is None:
            raise OperationError(
                Reason.NO_SUCH_TARGET,
                Sentence("I can't find water for the %(name)s.", name=ask.prop.title),
                MARK_THE_PLACE,
            )
        return water
    if scene.camera and scene.camera.is_near:
        return None
    ground = find_ground(working_copy(canvas.picture, GROUND_PIXELS))
    if water is None or scene.sky is None:
        return ground
    wet = cv2.resize(water, ground.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return cast(Bytes, np.where(wet > 0, np.uint8(0), ground))


def _by_a_box(ask: PropRequest, scene: Scene, box: Box, scale: float | None) -> Zone:
    """Return the zone for a prop above, in front of, or to one side of a box."""
    x, foot, lowest = box.center[0], float(box.bottom), _LOWEST * scene.height
    if ask.place == "above":
        near = (x, box.top - 0.08 * scene.height)
        return Zone(box.left, box.right, 0.03 * scene.height, box.top, near, scale, is_up=True)
    if ask.place == "in front":
        if foot > 0.93 * scene.height:
            raise _no_ground(ask)
        low = min(lowest, foot + 0.1 * scene.height)
        return Zone(box.left, box.right, foot + 0.02 * scene.height, low, (x, (foot + low) / 2), scale)
    left, right, best = _side(ask, scene, box, scale)
    if ask.is_up:
        middle = box.top + 0.45 * box.height
        return Zone(left, right, box.top + 0.1 * box.height, foot, (best, middle), scale, is_up=True)
    is_cut = foot > lowest or ask.step.target.what == "face"
    if is_cut and (ask.prop.meters < 1 or scene.sky is None):
        raise _no_ground(ask)
    foot = min(foot, lowest)
    deep = 0.35 * box.height if scene.camera and scene.camera.is_near else 0.03 * scene.height
    below = min(0.98 * scene.height, foot + 0.03 * scene.height)
    return Zone(left, right, foot - deep, below, (best, foot), scale)


def _side(ask: PropRequest, scene: Scene, box: Box, scale: float | None) -> tuple[float, float, float]:
    """Return the first, last, and best columns for the center of a prop beside a box.

    The side is the one that the instruction names, or else the one that has more room.
    """
    half = height_of(ask, scene, box.bottom, scale) * ask.aspect / 2
    left, right = 0.01 * scene.width, 0.99 * scene.width
    rooms = {"left of": box.left - left, "right of": right - box.right}
    side = ask.place if ask.place in rooms else max(rooms, key=lambda name: rooms[name])
    if side == "left of":
        return left, box.left - 0.8 * half, box.left - half * (1 + 2 * _GAP)
    return box.right + 0.8 * half, right, box.right + half * (1 + 2 * _GAP)


def _upon(scene: Scene, thing: Thing) -> Zone:
    """Return the zone for a prop on a seat or a tabletop.

    A tabletop is assumed to fill most of the table's bounding box.
    """
    box, seat = thing.box, _SEAT.get(thing.kind)
    scale = None if scene.camera and scene.camera.is_near else scene.scale_of(thing)
    deep = box.height if seat else min(box.height, 0.6 * box.width)
    shares = (seat - 0.03, seat + 0.05) if seat else (0.2, 0.75)
    top, bottom = (min(box.top + share * deep, _LOWEST * scene.height) for share in shares)
    left, right = box.left + 0.16 * box.width, box.right - 0.16 * box.width
    return Zone(left, right, top, bottom, ((left + right) / 2, (top + bottom) / 2), scale, carrier=box)


def _highest(canvas: Canvas, thing: Thing) -> tuple[float, float]:
    """Return a point slightly below the highest point in an object's middle columns."""
    box, cut = thing.box, cut_out(canvas, thing)
    if cut is None:
        return box.center[0], box.top + 0.03 * box.height
    scale = cut.mask.shape[1] / cut.view.width
    middle, half = (box.center[0] - cut.view.left) * scale, 0.32 * box.width * scale
    start, end = max(0, round(middle - half)), round(middle + half)
    rows, columns = np.nonzero(cut.mask[:, start:end] > 0.5)
    x, y = (columns[0] + start, rows[0]) if rows.size else (middle, 0)
    return float(cut.view.left + x / scale), float(cut.view.top + y / scale + 0.015 * box.height)
