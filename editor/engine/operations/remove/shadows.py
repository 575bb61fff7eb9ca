"""The shadow that a thing throws on plain ground, which is removed or moved with the thing."""

from dataclasses import dataclass

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.paint import paint_over
from editor.engine.operations.remove.holes import smooth_course
from editor.engine.pixels import Box, working_copy
from editor.engine.targets.masks import dilate, touching
from editor.imaging.picture import Bytes, Picture, Pixels

_WORKING_PIXELS = 240  # Longer side, in pixels, of the copy on which a shadow is searched for.
_REACH = 0.5  # Farthest reach of a shadow, in sides of the thing.
_AROUND = 0.9  # Reach of the ground that is measured, in sides of the thing.
_PLAIN = 9.0  # Levels from a smooth surface of colors: on rougher ground, a shadow cannot be detected.
_ROUNDS = 4  # Maximum number of rounds in which other things are left out.
_MOST = 0.85  # Maximum share of the copy that may be left out.
_SEEN = 0.965  # Share of the ground's light: a shadow leaves less than this.
_DARKEST = 0.25  # Share of the ground's light: a shadow leaves more than this.
# Weights of the thing's top and foot: a shadow is below the height that they give.
_FROM = np.array([0.65, 0.35])
_NOISE = 2.0  # Factor for the roughness of the ground: weaker darkness is no shadow.
_WIDEST = 0.5  # Share of the thing: a larger area is ground of another color.
# Maximum difference between the color channels' shares of light: a larger one shows another thing.
_GREY = 0.09


@dataclass(frozen=True, eq=False)
class Shadow:
    """The remaining light around a thing, 0 to 1, on a small map.

    `beyond` is how far the map extends beyond the thing's box to the left, top, right, and bottom, in the
    box's sides.
    """

    light: Floats
    beyond: tuple[float, float, float, float]

    def mirrored(self, axis: str) -> "Shadow":
        left, top, right, bottom = self.beyond
        if axis == "vertical":
            return Shadow(cv2.flip(self.light, 0), (left, bottom, right, top))
        return Shadow(cv2.flip(self.light, 1), (right, top, left, bottom))

    def hole(self, thing: Box, height: int, width: int) -> Bytes:
        """Return where the shadow is (0/1) in a picture of that size, for a thing in that box."""
        hole, (box, light) = np.zeros((height, width), np.uint8), self._around(thing)
        inside = box.within(width, height)
        hole[inside.slices] = light[inside.seen_from(box).slices] < _SEEN
        return hole

    def throw(self, pixels: Pixels, thing: Box) -> None:
        """Darken the pixels around the thing in place."""
        box, light = self._around(thing)
        paint_over(pixels, 1 - light, (0, 0, 0), (box.left, box.top))

    def _around(self, thing: Box) -> tuple[Box, Floats]:
        """Return the box of the map, and the light in it."""
        left, top, right, bottom = self.beyond
        box = Box(
            thing.left - round(left * thing.width),
            thing.top - round(top * thing.height),
            thing.right + round(right * thing.width),
            thing.bottom + round(bottom * thing.height),
        )
        return box, cv2.resize(self.light, (box.width, box.height), interpolation=cv2.INTER_LINEAR)


def shadow_of(picture: Picture, box: Box, alpha: Floats) -> Shadow | None:
    """Return the shadow of the thing in a box, or None if there is none or the ground is too rough."""
    view = box.grown(_AROUND, picture.width, picture.height)
    small = working_copy(Picture(picture.pixels[view.slices]), _WORKING_PIXELS).astype(np.float32)
    thing = _on_the_copy(alpha, box, view, small.shape[:2])
    zone = dilate(thing, _REACH * max(box.width, box.height) * small.shape[1] / view.width)
    if zone.all():
        return None
    course, rest = _ground(small, zone)
    shares = small / np.maximum(course, np.float32(8))
    noise = _NOISE * rest / float(course[zone == 1].mean().clip(8))
    darkness = _darkness(shares, zone - thing, thing, noise) if rest <= _PLAIN else None
    if darkness is None:
        return None
    return Shadow(1 - blurred(darkness, 1.2), _beyond(box, view))


def _ground(small: Floats, zone: Bytes) -> tuple[Floats, float]:
    """Return the smooth surface of the ground's colors around the zone, and how rough the ground is.

    Other things on the ground are left out.
    """
    unknown = zone
    course, rest = smooth_course(small, unknown)
    for _ in range(_ROUNDS):
        unknown = unknown | (np.abs(small - course).max(2) > 1.5 * rest).astype(np.uint8)
        if rest <= _PLAIN or float(unknown.mean()) > _MOST:
            break
        course, rest = smooth_course(small, unknown)
    return course, rest


def _beyond(box: Box, view: Box) -> tuple[float, float, float, float]:
    return (
        (box.left - view.left) / box.width,
        (box.top - view.top) / box.height,
        (view.right - box.right) / box.width,
        (view.bottom - box.bottom) / box.height,
    )


def _on_the_copy(alpha: Floats, box: Box, view: Box, shape: tuple[int, ...]) -> Bytes:
    whole = np.zeros((view.height, view.width), np.float32)
    whole[box.seen_from(view).slices] = alpha
    small = cv2.resize(whole, (shape[1], shape[0]), interpolation=cv2.INTER_AREA)
    return dilate((small > 0.1).astype(np.uint8), 1)


def _darkness(shares: Floats, ground: Bytes, thing: Bytes, noise: float) -> Floats | None:
    """Return how much light is missing in the thing's shadow, or None if there is no shadow.

    The shadow is on the ground, has the ground's color, and is connected with the thing.
    """
    light = shares.mean(2)
    is_grey = np.ptp(shares, axis=2) < _GREY + 0.4 * (1 - light)
    ground = ground.copy()
    ground[: round(np.nonzero(thing.any(1))[0][[0, -1]] @ _FROM)] = 0
    dark = ((ground == 1) & is_grey & (light < min(_SEEN, 1 - noise)) & (light > _DARKEST)).astype(np.uint8)
    shadow = touching(dark, dilate(thing, 2) == 1) == 1
    if not 0.01 < shadow.sum() / thing.sum() < _WIDEST:
        return None
    darkness = np.where(shadow, 1 - light, 0).astype(np.float32)
    # The shadow continues under the thing, so that there is no bright seam at the thing's edge.
    return np.where(thing == 1, cv2.dilate(darkness, np.ones((7, 7), np.uint8)), darkness)
