"""Measure the scene of a photo: the position of its ground and the size of a meter there.

The scale comes from objects of known size.
"""

from dataclasses import dataclass
from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.kinds import LIVING
from editor.engine.pixels import Box, copy_size, working_copy
from editor.engine.targets.detector import things_seen
from editor.engine.targets.faces import faces_seen
from editor.engine.targets.scenery import find_on_copy
from editor.engine.vision.things import SURE, Thing
from editor.imaging.picture import Bytes

# Longer side, in pixels, of the working copy on which ground is searched for.
GROUND_PIXELS = 240
_AROUND = 5.0  # standard deviation, in pixels, of the Gaussian window in which texture is measured
_ROUGH = 82.0  # maximum texture of ground, as the sum of both Sobel responses; leaves and bricks have more
_UPRIGHT = 0.6  # maximum horizontal part of the Sobel response in ground texture; walls have more
_FAINT = 20.0  # value added to the sum of Sobel responses, so that weak texture does not count as upright
_DARK = 26.0  # minimum brightness of ground, 0 to 255; darker areas are not recognized as ground
_DOWN = 0.85  # minimum share of ground-like pixels in a column below a pixel of ground
_LIKELY = 0.4  # minimum detection score of an object that props must not cover
# Row above which the box of a whole person must end, as a share of the photo's height.
_WHOLE = 0.995
# Height of the box of a detected face, in meters.
FACE = 0.2
_EYE_HEIGHT = 1.5  # usual height of a camera above the ground, in meters
_TABLE_EYE_HEIGHT = 0.45  # usual height of a camera above a table, in meters
# Height, in meters, below which an object is assumed to have been photographed at close range.
_SMALL = 0.5
_SOME = 0.1  # minimum share of sky pixels in a row for the row to count as sky
_HIDDEN = (
    # Distance from the lower end of the sky down to the assumed horizon behind houses and hills, as a share
    # of the distance down to the lowest possible horizon.
    0.35
)
_DEEPEST_HORIZON = 0.72  # lowest row of the assumed horizon, as a share of the photo's height from the top
_HORIZON = 0.38  # row of the assumed horizon in an unclear scene, as a share of the height from the top
_LIFE_SIZE = 2.0  # maximum height, in meters, of objects drawn at full size if only the sky shows the scale
_FARTHER = 0.4  # exponent that reduces the height of tall objects, as if they were more distant
_FILLS = 0.6  # maximum share of the photo that an object may cover if the scale is measured from it
SCENERY_PIXELS = 400  # longer side, in pixels, of the copy on which all operations search for scenery
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


def _meters(table: str) -> dict[str, float]:
    rows = (entry.strip().rpartition(" ") for entry in table.replace("\n", " ").split(","))
    return {kind: float(meters) for kind, _, meters in rows}


# Typical height, in meters, of each kind of object that the detector finds.
_HEIGHTS = _meters(_TALL)
# Typical width, in meters, of the kinds of objects that are usually seen from above or in perspective.
_WIDTHS = _meters(_WIDE)
# Pairs of an object's height in meters and its usual height as a share of the photo's shorter side. These
# pairs are used if the scale of the scene is unknown.
_SHARES = ((0.02, 0.05), (0.08, 0.09), (0.3, 0.2), (0.9, 0.36), (1.7, 0.46), (7.0, 0.66), (20.0, 0.3))
# Maximum height, in meters, that is assumed for an object on the ground if nothing shows the scale.
# Otherwise, taller objects would be drawn smaller.
_TALLEST = 7.0


class _Known(NamedTuple):
    """An object of known size.

    `foot` is the row of its base, `scale` is the number of pixels per meter at that row, and `meters` is its
    height in meters.
    """

    foot: float
    scale: float
    meters: float


class Camera(NamedTuple):
    """The position of the camera above the ground.

    `eye` is the row of the photo that is level with the camera. `height` is the camera's height above the
    ground in meters. `ground` is the row where the base of the largest-looking known object is. `is_near` is
    true if the camera is just above a table. `is_sure` is true if the values come from objects of known size,
    and false if they come only from the sky.
    """

    eye: float
    height: float = _EYE_HEIGHT
    ground: float = 0.0
    is_near: bool = False
    is_sure: bool = False

    def growth(self, meters: float) -> float:
        """Return how many pixels taller an object appears for each row that its base is lower."""
        seen = meters if self.is_sure else min(meters, _LIFE_SIZE) * max(1, meters / _LIFE_SIZE) ** _FARTHER
        return seen / self.height


@dataclass(frozen=True, eq=False)
class Scene:
    """The known facts about the scene of a photo.

    `sky` is a 0/1 mask on a small copy, or None if there is no sky. `things` and `faces` are the objects and
    faces that props should not hide. `camera` is None if nothing in the photo shows where the camera was.
    """

    width: int
    height: int
    things: tuple[Thing, ...]
    faces: tuple[Box, ...]
    camera: Camera | None
    sky: Bytes | None

    @property
    def shorter(self) -> int:
        return min(self.width, self.height)

    @property
    def horizon(self) -> float:
        """Return the row of the horizon, in pixels. All ground is below this row."""
        eye = self.camera.eye if self.camera else _HORIZON * self.height
        return float(np.clip(eye, -self.height, 0.975 * self.height))

    def size_at(self, meters: float, row: float, scale: float | None = None) -> float:
        """Return the height, in pixels, of an object that is `meters` tall and has its base on `row`."""
        if scale is not None:
            return meters * scale
        if self.camera:
            return self.camera.growth(meters) * max(row - self.camera.eye, 0.0)
        nearness = (row - self.horizon) / max(1.0, 0.84 * self.height - self.horizon)
        return self.usual(min(meters, _TALLEST)) * float(np.clip(nearness, 0.35, 1.3))

    def scale_of(self, thing: Thing) -> float | None:
        """Return the pixels per meter at an object.

        Returns None if the object's size is unknown or the edge of the photo cuts the object off.
        """
        face = next((face for face in self.faces if thing.box.holds_center_of(face)), None)
        if face and thing.kind == "person":
            return face.height / FACE
        known = _by_a_thing(thing, self.faces, self.width, self.height)
        return known.scale if known else None

    def usual(self, meters: float) -> float:
        """Return the usual height, in pixels, of an object in a photo.

        `meters` is the real height of the object, in meters.
        """
        return float(np.exp(np.interp(np.log(meters), *np.log(np.array(_SHARES)).T))) * self.shorter


def scene_of(canvas: Canvas) -> Scene:
    """Return the scene of the photo.

    The scene is cached as long as the pixels do not change.
    """
    return canvas.get_or_compute("scene", lambda: _seen(canvas))


def _seen(canvas: Canvas) -> Scene:
    width, height = canvas.picture.width, canvas.picture.height
    things = tuple(thing for thing in things_seen(canvas) if thing.score >= _LIKELY)
    sure = [thing for thing in things if thing.score >= SURE]
    faces = tuple(face for face in faces_seen(canvas) if _is_of_somebody(face, sure))
    known = [_by_a_face(face, sure, height) for face in faces]
    telling = [thing for thing in sure if thing.box.area < _FILLS * width * height]
    known += [one for thing in telling if (one := _by_a_thing(thing, faces, width, height))]
    sky = _sky(canvas)
    under = Camera(_below(sky) * height) if sky is not None else None
    return Scene(width, height, things, faces, _camera(known) if known else under, sky)


def _camera(known: list[_Known]) -> Camera:
    """Return the position of the camera, estimated from objects of known size.

    If the object that appears largest is small, such as a cup on a table, only small objects are used.
    Otherwise, only objects that are at least half a meter tall are used.
    """
    largest = max(known, key=lambda one: one.scale * one.meters)
    is_near = largest.meters < _SMALL
    above = _TABLE_EYE_HEIGHT if is_near else _EYE_HEIGHT
    eyes = [one.foot - above * one.scale for one in known if (one.meters < _SMALL) == is_near]
    return Camera(float(np.median(eyes)), above, largest.foot, is_near, is_sure=True)


def _below(sky: Bytes) -> float:
    """Return the row of the horizon, as a share of the photo's height.

    The horizon is assumed to be below the lower end of the sky, because houses and hills usually hide the
    horizon.
    """
    end = float(np.flatnonzero(sky.mean(1) > _SOME)[-1] + 1) / len(sky)
    return end + _HIDDEN * max(0.0, _DEEPEST_HORIZON - end)


def _sky(canvas: Canvas) -> Bytes | None:
    """Return a 0/1 mask of the sky, or None if there is no sky.

    The sky is found in the same way as in the sky operations. The mask is as large as the working copy on
    which the ground is found.
    """
    copy = working_copy(canvas.picture, SCENERY_PIXELS)
    sky = find_on_copy(canvas, "sky", copy)
    size = copy_size(GROUND_PIXELS, canvas.picture.width, canvas.picture.height)
    return cast(Bytes, cv2.resize(sky, size, interpolation=cv2.INTER_NEAREST)) if sky is not None else None


def _is_of_somebody(face: Box, sure: list[Thing]) -> bool:
    """Return whether a detected face is real.

    If people or animals are detected, a real face must be inside a person.
    """
    living = [thing for thing in sure if thing.kind in LIVING | {"person"}]
    return not living or any(thing.kind == "person" and thing.box.holds_center_of(face) for thing in living)


def _by_a_face(face: Box, sure: list[Thing], height: int) -> _Known:
    """Return the scale at a person, measured from the face, and the row of the person's feet.

    The feet of a standing person are 1.42 m below the face. If the person's box ends above that row, as it
    does for a seated person, the lower edge of the box is used instead.
    """
    scale = face.height / FACE
    ends = [
        thing.box.bottom
        for thing in sure
        if thing.kind == "person" and thing.box.holds_center_of(face) and thing.box.bottom < _WHOLE * height
    ]
    return _Known(min([face.bottom + 1.42 * scale, *ends]), scale, 1.68)


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
        # A seated person is shorter than a standing one, so the face is a better measure of scale.
        return None
    return _Known(foot, box.height / _HEIGHTS[thing.kind], _HEIGHTS[thing.kind])


def find_ground(small: Bytes) -> Bytes:
    """Return a 0/1 mask of the ground, found by its texture.

    A ground pixel is smooth and not dark, as are most of the pixels below it. This excludes walls, leaves,
    and dark areas.
    """
    light = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32)
    across, down = (_mostly(np.abs(cv2.Sobel(light, cv2.CV_32F, *way))) for way in ((1, 0), (0, 1)))
    is_even = (across + down < _ROUGH) & (across < _UPRIGHT * (across + down + _FAINT))
    even = (is_even & (_mostly(light) > _DARK)).astype(np.float32)
    counted = np.arange(len(even), 0, -1, dtype=np.float32)[:, None]
    share = np.cumsum(even[::-1], 0)[::-1] / counted
    return cast(Bytes, ((even > 0) & (share > _DOWN)).astype(np.uint8))


def _mostly(values: Floats) -> Floats:
    return cv2.GaussianBlur(values, (0, 0), _AROUND)
