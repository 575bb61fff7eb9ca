"""Find the shadow that an object casts on the ground.

The shadow is then removed or moved together with the object.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.paint import paint_over
from editor.engine.masks import (
    connected_components,
    dilate,
    local_mean,
    opened,
    touching,
)
from editor.engine.operations.remove.holes import smooth_course
from editor.engine.pixels import Box, working_copy
from editor.engine.targets.outlines import Outline
from editor.imaging.picture import Bytes, Picture, Pixels

_WORKING_PIXELS = 240  # longer side, in pixels, of the working copy on which a shadow is searched for
# Maximum length of a shadow on plain ground, and on uneven ground, as shares of the object's longer side.
_MAX_LENGTH_ON_PLAIN, _MAX_LENGTH = 0.8, 0.5
# Widths of the area around an object that is left out when the ground is fitted, as shares of that side. The
# first is used that leaves enough ground.
_UNMEASURED = (0.5, 0.25, 0.12)
# How far around an object the measured ground extends, as a share of the object's longer side.
_AROUND = 0.9
# Maximum RMS error, in 8-bit levels, of a surface fitted to plain ground. On other ground, a shadow is found
# by its edge.
_PLAIN = 9.0
# Maximum number of times that the ground's surface is fitted. Each fit leaves out more of the other objects.
_ROUNDS = 4
_MAX_UNKNOWN_SHARE = 0.85  # maximum share of the working copy that may be left out when the ground is fitted
_SEEN = 0.965  # maximum light in a shadow, as a share of the light on the ground
_DARKEST = 0.25  # minimum light in a shadow on plain ground, as a share of the light on the ground
_NOISE = 2.0  # minimum darkness of a shadow, as a multiple of the ground's roughness
_MIN_AREA = 0.01  # minimum area of a shadow, as a share of its object's area
_MIN_PIECE = 0.003  # minimum area of a piece of a shadow, as a share of the object's area
# Maximum area of a shadow's piece on plain ground, and on uneven ground, as shares of the object's area.
_WIDEST_ON_PLAIN, _WIDEST = 0.5, 0.35
# Maximum difference between the shares of red, green, and blue light that remain in a shadow.
_GRAY = 0.09
# Shares of the lost light by which that difference may be larger, on plain ground and on uneven ground.
_TINT_ON_PLAIN, _TINT = 0.4, 0.1
_FOOT = 0.3  # height of the lower part of an object, at which its shadow begins, as a share of its height
_FLAT = 2.5  # minimum ratio of the width of a long, flat object to its height
# Maximum height of a shadow's lower end above an object's base, as a share of the object's height.
_END = 0.12
# Maximum area of similar dark pieces elsewhere, as a multiple of a shadow's area. More of them are a pattern.
_PATTERN = 0.5
_LIKE = 0.3  # minimum ratio of the areas of a shadow and a similar dark piece elsewhere
# Minimum distance by which a stripe of the ground extends beyond both sides of an object, as a share of the
# object's width.
_STRIPE = 0.3
# Levels of light, as shares of the ground's light, below which pixels are dark, highest level first.
_LEVELS = (0.92, 0.85, 0.77, 0.68, 0.58, 0.47, 0.36)
_NEAR = 0.3  # width of the measured ground around an object's foot, as a share of the object's longer side
_BRIGHT = 70  # percentile of the light around an object's foot that is the light on the ground
_SOFT_EDGE = 4  # maximum width of a shadow's soft edge, in pixels of the working copy
_MAX_WITH_TIP = 1.3  # maximum area of a shadow with its tip, as a multiple of its area without the tip
_EDGE = 0.88  # maximum light inside a shadow's edge, as a share of the light outside it
_ENCLOSED = 0.8  # minimum share of a shadow's outline that has such an edge
_UNEVEN = 0.45  # maximum standard deviation of the logarithm of the light along a shadow's edge
_BESIDE = 21  # side, in working-copy pixels, of the window in which the colors inside an edge are averaged


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


@dataclass(frozen=True, eq=False)
class _Scene:
    """A working copy of an object and the ground around it.

    `thing` and `others` are masks (0/1) of the object and of other objects. `feet` contains the surroundings
    of the other objects' lower parts.
    """

    colors: Floats
    thing: Bytes
    others: Bytes
    feet: Bytes

    @cached_property
    def box(self) -> Box:
        return Box.around(self.thing)

    @cached_property
    def below(self) -> Floats:
        """The distance of each pixel below the object's base, as a share of the object's height.

        A long, flat object is on the ground with all of its lower side, and not only where it is lowest.
        """
        base = np.full(self.thing.shape[1], self.box.bottom, np.float32)
        if self.box.width > _FLAT * self.box.height:
            columns = np.flatnonzero(self.thing.any(0))
            lowest = len(self.thing) - self.thing[::-1, columns].argmax(0)
            base = np.interp(np.arange(len(base)), columns, lowest).astype(np.float32)
        rows = np.arange(len(self.thing), dtype=np.float32)[:, None] + np.float32(0.5)
        return (rows - base) / np.float32(self.box.height)

    @cached_property
    def unmeasured(self) -> Bytes:
        """The object and the area around it that probably contains most of its shadow.

        It contains less of the shadow if the photo shows too little ground farther away.
        """
        areas = [self.surroundings(share) for share in _UNMEASURED]
        return next((area for area in areas if area.mean() <= _MAX_UNKNOWN_SHARE), areas[-1])

    def zone(self, longest: float) -> Bytes:
        """Return the area in which the object's shadow can be if it is not longer than a share of a side."""
        return self.surroundings(longest) & (1 - self.thing) & (1 - self.others)

    def surroundings(self, share: float) -> Bytes:
        """Return the object and its surroundings up to a distance, as a share of its longer side."""
        return dilate(self.thing, share * max(self.box.width, self.box.height))


def shadow_of(picture: Picture, box: Box, alpha: Floats, others: Iterable[Outline] = ()) -> Shadow | None:
    """Return the shadow that the object in a box casts on the ground.

    `alpha` is the object's opacity in its box, and `others` contains the outlines of other objects,
    whose shadows stay. Returns None if there is no shadow, or if it is not certain that the dark area is the
    object's shadow and nothing else.
    """
    view = box.padded(_AROUND * max(box.width, box.height), picture.width, picture.height)
    small = working_copy(Picture(picture.pixels[view.slices]), _WORKING_PIXELS).astype(np.float32)
    thing = on_the_copy(alpha, box, view, small.shape[:2])
    scene = _Scene(small, thing, *_masks_of_others(others, thing, view))
    if not thing.any():
        return None
    darkness = _darkness_on_plain_ground(scene)
    if darkness is None or not darkness.any():
        darkness = _darkness_inside_edges(scene)
    dark = (darkness > 0).astype(np.uint8)
    if dark.sum() < _MIN_AREA * int(thing.sum()) or _is_stripe(Box.around(dark), scene.box):
        return None
    # Continue the shadow under the object so that there is no bright seam at the object's edge.
    under = np.where(thing == 1, cv2.dilate(darkness, np.ones((7, 7), np.uint8)), darkness)
    return Shadow(1 - blurred(under, 1.2), _beyond(box, view))


def _darkness_on_plain_ground(scene: _Scene) -> Floats | None:
    """Return the share of the light that is missing at each pixel of the shadow on plain ground.

    Returns None if the ground is not plain.
    """
    if scene.unmeasured.all():
        return None
    course, rest = _ground(scene.colors, scene.unmeasured)
    if rest > _PLAIN:
        return None
    shares = scene.colors / np.maximum(course, np.float32(8))
    light = shares.mean(2)
    noise = _NOISE * rest / float(course[scene.unmeasured == 1].mean().clip(8))
    is_shade = (light < _SEEN) & (light > _DARKEST) & _is_gray(shares, _TINT_ON_PLAIN)
    shade = is_shade.astype(np.uint8) & (1 - scene.thing) & (1 - scene.others)
    dark = shade & (light < 1 - noise)
    shadow = np.zeros_like(dark)
    for piece in _pieces_at_foot(scene, dark, scene.zone(_MAX_LENGTH_ON_PLAIN), _WIDEST_ON_PLAIN):
        shadow |= _with_tip(piece, dark)
    # The soft edge of a shadow may be fainter than the roughness of the ground.
    shadow = dilate(shadow, _SOFT_EDGE) & shade
    return np.where(shadow == 1, 1 - light, 0).astype(np.float32)


def _with_tip(piece: Bytes, dark: Bytes) -> Bytes:
    """Return a piece of a shadow with its tip, which is a small dark area beyond the searched distance."""
    whole = touching(dark, piece == 1)
    return whole if whole.sum() < _MAX_WITH_TIP * piece.sum() else piece


def _is_gray(shares: Floats, tint: float) -> NDArray[np.bool_]:
    """Return whether red, green, and blue are darkened alike. `shares` contains the light that remains."""
    return np.ptp(shares, axis=-1) < _GRAY + tint * (1 - shares.mean(-1))


def _darkness_inside_edges(scene: _Scene) -> Floats:
    """Return the share of the light that is missing at each pixel of the shadow on uneven ground.

    The shadow consists of dark pieces at the object's foot that have an edge almost all around.
    """
    soft = blurred(cv2.medianBlur(scene.colors.astype(np.uint8), 5).astype(np.float32), 1.0) + 4
    light, zone = soft.mean(2), scene.zone(_MAX_LENGTH)
    near, free = scene.surroundings(_NEAR) & zone, zone & (1 - dilate(scene.thing, 2))
    ground = light[_below(near, scene.box, _FOOT) == 1]
    darkness = np.zeros_like(light)
    for level in _LEVELS if ground.size else ():
        bright = np.percentile(ground, _BRIGHT)
        dark = opened((light < level * bright).astype(np.uint8) & free, 3)
        for piece in _pieces_at_foot(scene, dark, zone, _WIDEST):
            share = None if darkness[piece == 1].any() else _light_inside(scene, soft, piece)
            if share is not None:
                darkness[piece == 1] = 1 - share
    return darkness


def _light_inside(scene: _Scene, soft: Floats, piece: Bytes) -> float | None:
    """Return the light in a dark piece, as a share of the light around it.

    Returns None if the piece has no edge, as a dark part of the ground that fades, or a different hue.
    """
    known = (1 - dilate(scene.thing, 2)) & (1 - scene.others)
    edge = ((dilate(piece, 4) - dilate(piece, 2)) & known) == 1
    inside, outside = local_mean(soft, piece, _BESIDE)[edge], soft[edge]
    shares = (inside / outside)[inside.any(1)]
    is_edge = shares.mean(1) < _EDGE
    at_frame = 2 * int(piece[[0, -1]].sum() + piece[:, [0, -1]].sum())
    if not shares.size or is_edge.sum() < _ENCLOSED * (is_edge.size + at_frame):
        return None
    middle, spread = np.median(shares[is_edge], 0), np.std(np.log(shares[is_edge].mean(1)))
    return float(middle.mean()) if _is_gray(middle, _TINT) and spread < _UNEVEN else None


def _pieces_at_foot(scene: _Scene, dark: Bytes, zone: Bytes, most: float) -> list[Bytes]:
    """Return the pieces of a dark area that could be the object's shadow.

    Such a piece is in `zone`, at the object's foot, and its area is at most `most` times the object's area.
    It does not touch the foot of another object, and it is not one of several similar pieces, as in the
    pattern of a floor.
    """
    box, area, below = scene.box, int(scene.thing.sum()), scene.below
    low = dark * (below >= -_FOOT)
    labels, stats = connected_components(dark & zone)
    of_others = np.unique(labels[touching(low, scene.feet == 1) == 1])
    foot = (dilate(scene.thing, 4) == 1) & (below >= -_FOOT)
    at_foot = np.unique(labels[foot & (labels > 0)])
    loose = np.bincount(labels[low == 1], minlength=len(stats))
    loose[[0, *of_others, *at_foot]] = 0
    loose[loose < _MIN_AREA * area] = 0  # grain

    def is_own(number: int) -> bool:
        left, top, width, height, size = stats[number]
        there = below[labels == number]
        is_low = there.min() >= -_FOOT and there.max() >= -_END
        is_like = (loose > _LIKE * size) & (loose < size / _LIKE)
        is_pattern = loose[is_like].sum() > _PATTERN * size
        is_stripe = _is_stripe(Box(left, top, left + width, top + height), box)
        is_sized = _MIN_PIECE * area < size < most * area
        return is_low and is_sized and not (is_pattern or is_stripe or number in of_others)

    return [(labels == number).astype(np.uint8) for number in at_foot if is_own(number)]


def _is_stripe(dark: Box, thing: Box) -> bool:
    """Return whether a dark area extends far beyond both sides of an object, behind which it continues."""
    return min(thing.left - dark.left, dark.right - thing.right) > _STRIPE * thing.width


def _below(mask: Bytes, box: Box, share: float) -> Bytes:
    """Return the part of a mask below a height above a box's base, as a share of the box's height."""
    lower = mask.copy()
    lower[: max(0, round(box.bottom - share * box.height))] = 0
    return lower


def _masks_of_others(others: Iterable[Outline], thing: Bytes, view: Box) -> tuple[Bytes, Bytes]:
    """Return masks (0/1) of other objects and of the surroundings of their lower parts.

    Objects that are mostly inside the object's box belong to its parts, such as a person's bag.
    """
    held, feet = np.zeros_like(thing), np.zeros_like(thing)
    for other in others:
        there = on_the_copy(other.full_mask, other.view, view, thing.shape)
        place = Box.around(there)
        held |= there
        if place.overlap(Box.around(thing)) < 0.7 * place.area:
            feet |= _below(dilate(there, 3), place, _FOOT)
    return held & (1 - thing), feet & (1 - thing)


def _ground(small: Floats, zone: Bytes) -> tuple[Floats, float]:
    """Return a quadratic surface fitted to the colors of the ground around an object, and its RMS error.

    Other objects on the ground are left out of the fit.
    """
    unknown = zone
    course, rest = smooth_course(small, unknown)
    for _ in range(_ROUNDS):
        unknown = unknown | (np.abs(small - course).max(2) > 1.5 * rest).astype(np.uint8)
        if rest <= _PLAIN or float(unknown.mean()) > _MAX_UNKNOWN_SHARE:
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


def on_the_copy(alpha: Floats, box: Box, view: Box, shape: tuple[int, ...]) -> Bytes:
    """Return the mask (0/1) of an object with the given opacity in a box, on a working copy of a view."""
    whole = in_view(alpha, box, view)
    small = cv2.resize(whole, (shape[1], shape[0]), interpolation=cv2.INTER_AREA)
    return dilate((small > 0.1).astype(np.uint8), 1)


def in_view(alpha: Floats, box: Box, view: Box) -> Floats:
    """Return the opacity of an object in a box, as seen in a view that may contain only a part of it."""
    whole, place = np.zeros((view.height, view.width), np.float32), box.seen_from(view)
    inside = place.within(view.width, view.height)
    if min(inside.width, inside.height) > 0:
        whole[inside.slices] = alpha[inside.seen_from(place).slices]
    return whole
