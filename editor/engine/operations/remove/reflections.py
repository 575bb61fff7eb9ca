"""Find the reflection of an object in water or on a shiny floor, so that it is removed with the object."""

from collections.abc import Iterator
from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.drawing.gaussian import blurred
from editor.engine.masks import dilate
from editor.engine.pixels import Box, working_copy
from editor.engine.targets.outlines import Outline
from editor.imaging.picture import Bytes, Picture

_WORKING_PIXELS = 200  # longer side, in pixels, of the working copy on which a reflection is searched for
_BESIDE = 0.5  # width of the water measured on each side of an object, as a share of the object's width
_MIN_BESIDE_PIXELS = 4  # minimum width of that water, in pixels of the working copy
_BELOW = 1.3  # height of the searched area below an object, as a share of the object's height
_HEIGHTS = (0.6, 0.75, 0.9, 1.0, 1.15)  # heights of a reflection, as shares of the object's height
# Distances from an object's base to the top of its reflection, as shares of the object's height.
_STARTS = (-0.1, -0.05, 0.0, 0.05)
# Minimum similarity of the mirrored object to the pixels below the object, from 0 to 1. The similarity is the
# cosine of both differences from the water beside them.
_ALIKE = 0.75
_STRENGTHS = (0.15, 1.1)  # minimum and maximum contrast of a reflection, as shares of the object's contrast
_SHOWN = 0.4  # minimum share of a reflection's height that must be inside the photo
_TAKEN = 0.2  # maximum share of a reflection that other objects may cover
_RIPPLES = 0.05  # distance by which ripples widen a reflection, as a share of the object's longer side


def reflection_of(picture: Picture, box: Box, mask: Floats, others: Bytes) -> Outline | None:
    """Return the outline of the reflection below the object in a box, along with its confidence.

    `mask` is the object's mask in the box, from 0 to 1. `others` is a mask (0/1) of other objects, at the
    picture's size. Returns None if what is below the object is not certain to be its reflection.
    """
    view = _view(box, picture)
    small = blurred(working_copy(Picture(picture.pixels[view.slices]), _WORKING_PIXELS).astype(np.float32), 1)
    scale = small.shape[1] / view.width
    place = box.seen_from(view).sized(scale).within(*small.shape[1::-1])
    solid = cv2.resize(mask, (place.width, place.height), interpolation=cv2.INTER_AREA)
    thing = (solid > 0.5).astype(np.uint8)
    beside = np.concatenate([small[:, : place.left], small[:, place.right :]], 1)
    if beside.shape[1] < _MIN_BESIDE_PIXELS:
        return None
    unlike = small - np.median(beside, 1, keepdims=True)
    best, best_match = 0.0, None
    for top, mirrored, shape in _mirrored(small[place.slices], thing, place):
        likeness = _likeness(small, unlike, (place.left, top), mirrored, shape)
        if likeness > best:
            best, best_match = likeness, (top, shape)
    if best_match is None or best < _ALIKE:
        return None
    area = _with_ripples(small.shape[:2], place, *best_match)
    other = cv2.resize(others[view.slices], area.shape[::-1], interpolation=cv2.INTER_NEAREST)
    taken = cast(Bytes, other)
    is_free = (area & taken).sum() <= _TAKEN * area.sum()
    return Outline(view, (area & (1 - taken)).astype(np.float32), best) if is_free else None


def _view(box: Box, picture: Picture) -> Box:
    across, down = round(_BESIDE * box.width), round(_BELOW * box.height)
    wide = Box(box.left - across, box.top, box.right + across, box.bottom + down)
    return wide.within(picture.width, picture.height)


def _mirrored(colors: Floats, thing: Bytes, place: Box) -> Iterator[tuple[int, Floats, Bytes]]:
    """Yield possible reflections of an object: the top row, the mirrored colors, and the mirrored mask."""
    for share in _HEIGHTS:
        size = place.width, max(2, round(share * place.height))
        mirrored = cv2.resize(cv2.flip(colors, 0), size, interpolation=cv2.INTER_AREA)
        shape = cv2.resize(cv2.flip(thing, 0), size, interpolation=cv2.INTER_NEAREST)
        for start in _STARTS:
            yield place.bottom + round(start * place.height), mirrored, shape.astype(np.uint8)


def _likeness(small: Floats, unlike: Floats, at: tuple[int, int], mirrored: Floats, shape: Bytes) -> float:
    """Return how much the pixels at a place resemble a mirrored object, from 0 to 1.

    `unlike` is the difference of the working copy from the water beside the object. The comparison includes
    the area around the mirrored object, which must be like that water.
    """
    left, top = at
    rows, right = min(shape.shape[0], small.shape[0] - top), left + shape.shape[1]
    if rows < _SHOWN * shape.shape[0]:
        return 0.0
    seen = unlike[top : top + rows]
    water = (small[top : top + rows] - seen)[:, left:right]
    expected = np.where(shape[:rows, :, None] == 1, mirrored[:rows] - water, 0)
    product, energy = float((expected * seen[:, left:right]).sum()), float((expected**2).sum())
    if not energy or not _STRENGTHS[0] < product / energy < _STRENGTHS[1]:
        return 0.0
    return product / float(np.sqrt(energy * (seen**2).sum()))


def _with_ripples(shape: tuple[int, ...], place: Box, top: int, reflected: Bytes) -> Bytes:
    """Return the mask (0/1) of a reflection on the working copy, widened for ripples."""
    area = np.zeros(shape, np.uint8)
    rows = min(reflected.shape[0], shape[0] - top)
    area[top : top + rows, place.left : place.right] = reflected[:rows]
    wide = dilate(area, _RIPPLES * max(place.width, place.height))
    wide[: min(top, place.bottom)] = 0
    return wide
