"""Find the shadow that an object casts on plain ground.

The shadow is then removed or moved together with the object.
"""

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

_WORKING_PIXELS = 240  # Longer side, in pixels, of the working copy on which a shadow is searched for.
_REACH = 0.5  # Maximum distance between an object and its shadow, as a share of the object's longer side.
# How far around an object the measured ground extends, as a share of the object's sides.
_AROUND = 0.9
# Maximum RMS error, in 8-bit levels, of a surface fitted to the ground if a shadow is to be found.
_PLAIN = 9.0
# Maximum number of times that the ground's surface is fitted. Each fit leaves out more of the other objects.
_ROUNDS = 4
_MOST = 0.85  # Maximum share of the working copy that may be left out when the ground is fitted.
_SEEN = 0.965  # Maximum light in a shadow, as a share of the light on the ground.
_DARKEST = 0.25  # Minimum light in a shadow, as a share of the light on the ground.
# Weights of an object's top and base rows, whose weighted mean is a shadow's highest possible row.
_FROM = np.array([0.65, 0.35])
_NOISE = 2.0  # Minimum darkness of a shadow, as a multiple of the ground's roughness.
_WIDEST = 0.5  # Maximum area of a shadow, as a multiple of its object's area.
# Maximum difference between the shares of red, green, and blue light that remain in a shadow.
_GREY = 0.09


@dataclass(frozen=True, eq=False)
class Shadow:
    """The shadow of an object on the ground around the object.

    `light` is a small map of the light that remains, from 0 to 1. `beyond` contains the distances by which
    the map extends beyond the object's box on the left, top, right, and bottom, as shares of the box's sides.
    """

    light: Floats
    beyond: tuple[float, float, float, float]

    def mirrored(self, axis: str) -> "Shadow":
        left, top, right, bottom = self.beyond
        if axis == "vertical":
            return Shadow(cv2.flip(self.light, 0), (left, bottom, right, top))
        return Shadow(cv2.flip(self.light, 1), (right, top, left, bottom))

    def hole(self, thing: Box, height: int, width: int) -> Bytes:
        """Return a mask (0/1) of the shadow of an object that is in the given box.

        The mask has the given size, in pixels.
        """
        hole, (box, light) = np.zeros((height, width), np.uint8), self._around(thing)
        inside = box.within(width, height)
        hole[inside.slices] = light[inside.seen_from(box).slices] < _SEEN
        return hole

    def throw(self, pixels: Pixels, thing: Box) -> None:
        """Darken the ground in `pixels`, in place, where the shadow of an object falls."""
        box, light = self._around(thing)
        paint_over(pixels, 1 - light, (0, 0, 0), (box.left, box.top))

    def _around(self, thing: Box) -> tuple[Box, Floats]:
        """Return the box that the map of the shadow covers, and the full-size light in that box."""
        left, top, right, bottom = self.beyond
        box = Box(
            thing.left - round(left * thing.width),
            thing.top - round(top * thing.height),
            thing.right + round(right * thing.width),
            thing.bottom + round(bottom * thing.height),
        )
        return box, cv2.resize(self.light, (box.width, box.height), interpolation=cv2.INTER_LINEAR)


def shadow_of(picture: Picture, box: Box, alpha: Floats) -> Shadow | None:
    """Return the shadow of the object in a box.

    Returns None if there is no shadow or the ground is too rough.
    """
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
    """Return a quadratic surface fitted to the colors of the ground around an object, and its RMS error.

    Other objects on the ground are left out of the fit.
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
    """Return the share of the light that is missing at each pixel of the shadow.

    Returns None if there is no shadow. A shadow is on the ground, has the hue of the ground, and touches the
    object.
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
    # Continue the shadow under the object so that there is no bright seam at the object's edge.
    return np.where(thing == 1, cv2.dilate(darkness, np.ones((7, 7), np.uint8)), darkness)
