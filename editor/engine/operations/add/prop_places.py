"""Choose the place of each prop in the zone that `prop_zones.py` finds, so that it hides little."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, oklab_from_8_bit
from editor.engine.errors import MARK_THE_PLACE, OperationError
from editor.engine.kinds import LIVING
from editor.engine.operations.add.prop_scale import GROUND_PIXELS, Scene, scene_of
from editor.engine.operations.add.prop_zones import PropRequest, Zone, height_of, zone_of
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import DEFAULT_AMOUNT, Reason, Step
from editor.engine.props import Prop
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.grounds import ground_likelihood, has_grounds
from editor.engine.targets.saliency import saliency_map_for_places
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

# Maximum size difference between a prop and the mean of several added props, as a share of the mean size.
_MAX_SIZE_DIFFERENCE = 0.06
# Number of rows in a zone that are tried as the place for a prop.
_ROWS = 7
# Number of places that are tried in each row of a zone.
_COLUMNS = 30
# Maximum cost of a place for a prop. More expensive places are not used.
_MAX_PLACE_COST = 1.5
# Size factors for the props, tried in order until there is room for all props. The last factor is skipped if
# the scale is known or an object carries the props.
_SHRINKING = (1.0, 0.8, 0.62, 0.45)
# Maximum overlap of two props, as a share of the smaller prop's box.
_MAX_PROP_OVERLAP = 0.06
# Maximum sum of a prop's overlaps with objects, each as a share of the smaller box.
_MAX_OBJECT_OVERLAP = 0.5
# Maximum sum of the overlaps with other objects if the prop is on a table or a seat. Each overlap is a share
# of the smaller box.
_MAX_OVERLAP_ON_TABLE = 0.1
# Cost of placing a prop above or below the best row, per photo height of vertical distance.
_ROW_DISTANCE_COST = 2.5
# Distance between the centers of neighboring props, as a multiple of a prop's width.
_NEIGHBOR_DISTANCE_WIDTHS = 2.0
# Maximum share of the photo that an object may cover and still block props; a larger object is background.
_MAX_BLOCKING_SHARE = 0.6
_SKY_SHARE = 0.995  # minimum share of sky behind a flying prop
_GROUND_SHARE = 0.8  # minimum share of ground under the base of a prop
_MAX_SKY_COLORED_SHARE = 0.3  # maximum share of sky-colored pixels under the base of a prop
# OKLab distance from the sky's color below which a pixel is considered haze or water rather than ground.
_MAX_SKY_DISTANCE = 0.16
_CARRIERS = frozenset({"dining table", "couch", "bed"})
_WATER_SHARE = 0.5  # minimum mean likelihood of water in front of a prop that is afloat
# Minimum area of a table or seat that can carry a prop, as a multiple of the prop's area.
_MIN_CARRIER_RATIO = 3.0
_MARK_OR_SAY = Sentence(
    "Draw a box where it should go, or say where, for example “on the left” or “next to the woman”."
)


class Spot(NamedTuple):
    """The place of one prop in the photo. A prop that is afloat has a reflection instead of a shadow."""

    box: Box
    is_mirrored: bool
    has_shadow: bool
    is_afloat: bool = False


@dataclass(frozen=True, eq=False)
class _Field:
    """The data from which the cost of a place for a prop is computed.

    `salient` (the saliency of each pixel), `rough` (the amount of texture, from 0 to about 1), and `like_sky`
    (a 0/1 mask of the sky-colored pixels) are computed on small copies of the photo. Props may hide part of
    `things`, but must not overlap the `taken` boxes.
    """

    scene: Scene
    zone: Zone
    salient: Floats
    rough: Floats
    like_sky: Bytes
    things: list[Thing]
    taken: list[Box]

    def cost(self, box: Box) -> float:
        """Return the cost of putting the prop into a box.

        The cost rises with the saliency of what the prop would hide and with the texture under the prop. It
        is infinite outside the photo, on a face, and over something that was added before.
        """
        zone, foot = self.zone, box._replace(top=box.bottom - max(2, box.height // 6))
        middle = foot._replace(left=box.left + box.width // 3, right=box.right - box.width // 3)
        is_carried = zone.carrier is not None
        crowd = sum(_hidden(box, thing) for thing in self.things)
        if (
            box != box.moved_into(Box(0, 0, self.scene.width, self.scene.height))
            or any(box.overlap(other) > _MAX_PROP_OVERLAP * min(box.area, other.area) for other in self.taken)
            or crowd > (_MAX_OVERLAP_ON_TABLE if is_carried and not zone.is_up else _MAX_OBJECT_OVERLAP)
            or not self._is_footed(box if zone.is_up else foot)
            or (
                not zone.is_up
                and not is_carried
                and self._part(self.like_sky, middle).mean() > _MAX_SKY_COLORED_SHARE
            )
        ):
            return np.inf
        # For a flying prop, use the maximum texture so that a thin mast against the sky is not overlooked.
        rough = self._part(self.rough, box).max() if zone.is_up else self._part(self.rough, foot).mean()
        shown = self._part(self.salient, foot if is_carried else box).mean()
        return float(1.2 * crowd + 0.5 * (shown + rough) if is_carried else 1.6 * crowd + 0.8 * shown + rough)

    def _is_footed(self, part: Box) -> bool:
        enough = _SKY_SHARE if self.zone.is_up else _GROUND_SHARE
        return self.zone.mask is None or bool(self._part(self.zone.mask, part).mean() >= enough)

    def _part(self, values: Floats | Bytes, box: Box) -> Floats | Bytes:
        return part_of(values, self.scene, box)


def spots(canvas: Canvas, step: Step, prop: Prop, aspect: float, *, count: int, is_aloft: bool) -> list[Spot]:
    """Return a place for each of the requested props.

    `aspect` is the width of the prop's image divided by its height. Raises OperationError if there is no
    room.
    """
    growth = float(4 ** (canvas.amount(step.amount_or_default) - DEFAULT_AMOUNT))
    ask = PropRequest(prop, step, is_aloft, aspect, count, growth)
    marked = marked_boxes(canvas, step.target) if step.target.what == "region" else []
    scene = scene_of(canvas)
    if marked and (not ask.place or (ask.is_up and _is_free_sky(scene, marked))):
        return [spot for box in marked for spot in in_a_box(canvas, ask, box)]
    width, height = scene.width, scene.height
    beside = (box.grown(_MAX_PROP_OVERLAP, width, height) for box in marked)
    zone = zone_of(canvas, ask, scene)
    field = _field(canvas, scene, zone, (*canvas.occupied, *beside))
    is_measured = zone.scale is not None or zone.carrier is not None
    for share in _SHRINKING[: -1 if is_measured else None]:
        placed_spots = _placed(canvas, replace(ask, growth=share * growth), field)
        if len(placed_spots) == count:
            return placed_spots
    sentence = Sentence("I can't find a free place for %(n)s of them.", n=count)
    if count == 1:
        sentence = Sentence("I can't find a free place for the %(name)s.", name=prop.title)
    raise OperationError(Reason.TOO_LARGE, sentence, MARK_THE_PLACE if step.place else _MARK_OR_SAY)


def _is_free_sky(scene: Scene, boxes: Sequence[Box]) -> bool:
    """Return whether the marked boxes contain only open sky.

    If so, the boxes show where a prop should fly. Otherwise, they show an object that the prop should be
    beside.
    """
    return scene.sky is not None and all(part_of(scene.sky, scene, box).mean() > _SKY_SHARE for box in boxes)


def _spot(canvas: Canvas, ask: PropRequest, box: Box, number: int, *, is_up: bool) -> Spot:
    """Return the place of a prop from the prop's box; every second prop is mirrored."""
    floats = not is_up and ask.prop.sits == "floats" and _is_before_water(canvas, box)
    return Spot(box, number % 2 == 1, has_shadow=not is_up and not floats, is_afloat=floats)


def _is_before_water(canvas: Canvas, box: Box) -> bool:
    """Return whether there is water in front of a box, as far as the photo's analysis knows."""
    if not has_grounds(canvas):
        return True
    likely, front = ground_likelihood(canvas, "water"), box.moved(0, box.height)
    if likely is None:
        return False
    front = front.sized(likely.shape[1] / canvas.picture.width).within(likely.shape[1], likely.shape[0])
    return bool(front.area > 0 and likely[front.slices].mean() > _WATER_SHARE)


def in_a_box(canvas: Canvas, ask: PropRequest, box: Box) -> list[Spot]:
    """Return places for props, side by side on the lower edge of a box and as large as the box allows.

    Flying and hanging props are centered vertically in the box. Raises OperationError if the box is too
    small.
    """
    random = np.random.default_rng(canvas.seed)
    cell = box.width / ask.count
    height = min(box.height, cell / ask.aspect)
    if height < 2:
        raise OperationError(
            Reason.TOO_LARGE, Sentence("The box is too small for it."), Sentence("Draw a larger box.")
        )
    spots_in_box = []
    for number in range(ask.count):
        own = height * (1 - 2 * _MAX_SIZE_DIFFERENCE * random.uniform() * (ask.count > 1))
        bottom = box.center[1] + own / 2 if ask.is_up else box.bottom
        place = box_of(box.left + (number + 0.5) * cell, bottom, own, ask.aspect)
        spots_in_box.append(_spot(canvas, ask, place, number, is_up=ask.is_up))
    return spots_in_box


def box_of(middle: float, bottom: float, height: float, aspect: float) -> Box:
    size = max(1, round(height * aspect)), max(1, round(height))
    return Box.centered((middle, bottom - height / 2), *size)


def _placed(canvas: Canvas, ask: PropRequest, field: _Field) -> list[Spot]:
    """Return places for as many of the requested props as there is room for."""
    random, zone = np.random.default_rng(canvas.seed), field.zone
    placed_spots: list[Spot] = []
    for number in range(ask.count):
        difference = _MAX_SIZE_DIFFERENCE * random.uniform(-1, 1) * (ask.count > 1)
        one = replace(ask, growth=ask.growth * (1 + difference))
        best = _apart(ask, field, number, random) if ask.count > 1 else zone.best
        taken = [*field.taken, *(spot.box for spot in placed_spots)]
        box = _best(one, replace(field, taken=taken), best, random)
        if box is None:
            break
        placed_spots.append(_spot(canvas, ask, box, number, is_up=zone.is_up))
    return placed_spots


def _apart(ask: PropRequest, field: _Field, number: int, random: np.random.Generator) -> tuple[float, float]:
    """Return the preferred position (x, y) of one of several props.

    The positions form a loose row through the best point of the zone.
    """
    zone = field.zone
    width = height_of(ask, field.scene, zone.best[1], zone.scale) * ask.aspect
    step = min(_NEIGHBOR_DISTANCE_WIDTHS * width, (zone.right - zone.left) / ask.count)
    x = zone.best[0] + (number - (ask.count - 1) / 2 + random.uniform(-0.25, 0.25)) * step
    y = zone.best[1] + random.uniform(-0.5, 0.5) * (zone.bottom - zone.top)
    return float(np.clip(x, zone.left, zone.right)), float(np.clip(y, zone.top, zone.bottom))


def _field(canvas: Canvas, scene: Scene, zone: Zone, taken: Sequence[Box]) -> _Field:
    looks = canvas.get_or_compute("looks of places", lambda: _looks(canvas, scene))
    faces = [face.grown(0.15, scene.width, scene.height) for face in scene.faces]
    things = [thing for thing in scene.things if not _carries(thing, zone, scene)]
    return _Field(scene, zone, *looks, things, [*taken, *faces])


def _carries(thing: Thing, zone: Zone, scene: Scene) -> bool:
    """Return whether an object carries the props or fills the photo."""
    fills = thing.box.area > _MAX_BLOCKING_SHARE * scene.width * scene.height and thing.kind not in LIVING
    # A flower may also be detected as a plant, so an object that covers the carrier counts as the carrier.
    held = (
        zone.carrier is not None and thing.box.overlap(zone.carrier) > _MAX_BLOCKING_SHARE * zone.carrier.area
    )
    return fills or thing.box == zone.carrier or (held and zone.is_up)


def _hidden(box: Box, thing: Thing) -> float:
    """Return the overlap between an object and a prop, as a share of the smaller box.

    The overlap with a large table, couch, or bed is zero, because the prop may be on top of the object.
    """
    is_ground = thing.kind in _CARRIERS and thing.box.area > _MIN_CARRIER_RATIO * box.area
    return 0.0 if is_ground else box.overlap(thing.box) / min(box.area, thing.box.area)


def _looks(canvas: Canvas, scene: Scene) -> tuple[Floats, Floats, Bytes]:
    small = working_copy(canvas.picture, GROUND_PIXELS)
    light = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32)
    steep = np.abs(cv2.Sobel(light, cv2.CV_32F, 1, 0)) + np.abs(cv2.Sobel(light, cv2.CV_32F, 0, 1))
    rough = np.clip(cv2.GaussianBlur(steep, (0, 0), 1.5) / 160, 0, 1.2)
    return saliency_map_for_places(small), rough.astype(np.float32), _like_sky(small, scene)


def _like_sky(small: Bytes, scene: Scene) -> Bytes:
    if scene.sky is None:
        return np.zeros(small.shape[:2], np.uint8)
    lab = oklab_from_8_bit(small)
    low = scene.sky.copy()
    rows = np.flatnonzero(low.any(1))
    low[: (rows[0] + rows[-1]) // 2] = 0  # Keep only the lower half of the sky, near the horizon.
    far = np.linalg.norm(lab - np.median(lab[low == 1], 0), axis=2)
    return cast(Bytes, (far < _MAX_SKY_DISTANCE).astype(np.uint8))


def _best(
    ask: PropRequest, field: _Field, point: tuple[float, float], random: np.random.Generator
) -> Box | None:
    """Return the lowest-cost box near a point, or None if every box costs too much."""
    zone, scene = field.zone, field.scene
    spread = max(1.0, (zone.right - zone.left) / 2, 0.2 * scene.width)
    best, lowest_cost = None, _MAX_PLACE_COST
    for y in np.linspace(zone.top, zone.bottom, _ROWS if zone.bottom - zone.top > 3 else 1):
        height = height_of(ask, scene, y, zone.scale)
        for x in np.linspace(zone.left, zone.right, _COLUMNS if zone.right - zone.left > 3 else 1):
            box = box_of(x, y + (height / 2 if zone.is_up else 0), height, ask.aspect)
            far = 0.5 * abs(x - point[0]) / spread + _ROW_DISTANCE_COST * abs(y - point[1]) / scene.height
            cost = field.cost(box) + far + 0.12 * random.uniform()
            if cost < lowest_cost:
                best, lowest_cost = box, cost
    return best


def part_of(values: Floats | Bytes, scene: Scene, box: Box) -> Floats | Bytes:
    """Return the part of an array that corresponds to a box of the photo.

    The array may be smaller than the photo, as a mask on a working copy is.
    """
    height, width = values.shape
    return values[box.sized(width / scene.width).moved_into(Box(0, 0, width, height)).slices]
