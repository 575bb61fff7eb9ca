"""The hair of somebody's head: the colors right above the face, as far as they go on around it."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.plan import Target
from editor.engine.targets.figures import Figure, Mask, cheeks, figure_of, part_shown
from editor.engine.targets.masks import closed, opened, touching
from editor.engine.targets.shades import shades_of
from editor.engine.targets.signs import outline_contrast
from editor.engine.targets.things import not_told
from editor.imaging.codecs import Bytes

_LIGHT = 0.5  # what a difference in lightness counts beside one in color
_ALIKE = 0.055  # OKLab: how far a strand is off one of the colors above the face
_COLORS, _OWN = 4, 0.08  # above the face; a color with less of it is no hair's
_COVERED, _FULL = 0.45, 0.75  # of the place above the face: the least that is no bald head, and a full head
_MOST_CHROMA, _GREENEST, _BLUEST = 0.14, -0.03, -0.035  # chroma, a and b in OKLab: caps go beyond
_CLEAR = 0.48  # of its outline: before brown leaves brown hair has no end
_STRAND = 0.09  # of a face's width: between strands of the hair's colors all is hair
_SHADED = 0.13  # OKLab's lightness: hair in the color of skin is that much darker


def hair_mask(canvas: Canvas, target: Target) -> Floats:
    """The mask of the hair at the picture's size; Unable when none is sure."""
    figure = figure_of(canvas, target)
    found = hair_of(figure)
    if found is None or outline_contrast(figure.small, found) < _CLEAR:
        raise not_told(target)
    return part_shown(canvas, figure, found)


def hair_of(figure: Figure) -> Bytes | None:
    """Where the hair is (0/1) on the working copy; None under a hat, on a bald head."""
    grown, above = _no_skin(figure), _above_the_face(figure)
    core = above & grown
    if np.count_nonzero(core) <= _COVERED * np.count_nonzero(above) or not _is_natural(figure.lab[core]):
        return None
    is_full = np.count_nonzero(core) > _FULL * np.count_nonzero(above)
    like = (_like(figure, core) & grown) | (_top_of_the_head(figure) & (grown | is_full))
    like &= _around_the_face(figure) & (figure.outline > 0.4)
    strand = max(3, round(_STRAND * figure.face.width) | 1)
    between = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (strand, strand))
    ears = round(figure.face.center[1])
    hair = closed(like.astype(np.uint8), 3)
    hair[:ears] |= cast(Bytes, cv2.morphologyEx(hair[:ears], cv2.MORPH_CLOSE, between))
    hair[figure.outline <= 0.4] = 0
    joined = touching(opened(hair, 3), core)
    return joined if joined.any() else None


def _no_skin(figure: Figure) -> Mask:
    usual = cheeks(figure.lab, figure.face)
    darkest_skin = float(usual[0]) - _SHADED
    return (figure.skin < 0.5) | (figure.lab[:, :, 0] < darkest_skin)


def _above_the_face(figure: Figure) -> Mask:
    left, top, right, bottom = figure.face
    width, height = right - left, bottom - top
    place = np.zeros(figure.skin.shape, bool)
    rows = slice(max(0, round(top - 0.32 * height)), max(0, round(top + 0.08 * height)))
    place[rows, max(0, round(left + 0.2 * width)) : max(0, round(right - 0.2 * width))] = True
    return place & (figure.outline > 0.6)


def _top_of_the_head(figure: Figure) -> Mask:
    """Above the forehead, where highlights and dark roots are hair as well."""
    top = figure.face.top - 0.06 * figure.face.height
    place = np.zeros(figure.skin.shape, bool)
    place[: max(0, round(top))] = True
    return place


def _is_natural(colors: Floats) -> bool:
    _, a, b = (float(value) for value in np.median(colors, axis=0))
    return float(np.hypot(a, b)) < _MOST_CHROMA and a > _GREENEST and b > _BLUEST


def _like(figure: Figure, core: Mask) -> Mask:
    """What has one of the colors of the core."""
    labels, centers = shades_of(figure.lab, core, count=_COLORS, light=_LIGHT)
    shares = np.bincount(labels, minlength=len(centers)) / labels.size
    colors = figure.lab * np.array((_LIGHT, 1, 1), np.float32)
    off = [np.linalg.norm(colors - center, axis=2) for center in centers[shares > _OWN]]
    return np.min(off, axis=0) < _ALIKE


def _around_the_face(figure: Figure) -> Mask:
    """Where hair can be: above and beside the face, and on the shoulders, but no brow and no beard."""
    left, top, right, bottom = figure.face
    width, height = right - left, bottom - top
    middle, rim = round((left + right) / 2), round(0.95 * width)
    place = np.zeros(figure.skin.shape, np.uint8)
    axes = (rim, round(0.95 * height))
    cv2.ellipse(place, (middle, round(top + 0.35 * height)), axes, 0, 0, 360, (1,), -1)
    beside = slice(max(0, round(top + 0.5 * height)), round(bottom + 1.6 * height))
    place[beside, max(0, middle - rim) : middle + rim] = 1
    inner = (round(0.38 * width), round(0.55 * height))
    cv2.ellipse(place, (middle, round(top + 0.6 * height)), inner, 0, 0, 360, (0,), -1)
    half = round(0.35 * width)
    place[max(0, round(bottom - 0.15 * height)) :, max(0, middle - half) : middle + half] = 0
    return cast(Mask, place == 1)
