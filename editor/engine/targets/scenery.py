"""Scenery by its name: a sky, grass, water and skin have looks and places of their own."""

from collections.abc import Callable
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Box, Canvas, working_copy
from editor.engine.colors import Floats
from editor.engine.plan import Reason
from editor.engine.refused import Unable
from editor.engine.targets.color import likeness
from editor.engine.targets.faces import find_faces
from editor.engine.targets.masks import ALPHA_SIDE, largest, refined
from editor.engine.targets.signs import outline_contrast
from editor.engine.targets.subject import find_subject
from editor.imaging.codecs import Bytes

_SIDE = 400
_SMALLEST = 24  # pixels a side: on less there is no scenery
_CALM = 5.0  # CIELAB per pixel: a sky changes slowly
_STARS = 5  # pixels: what is smaller does not count
_SKIN = 10.0  # CIE 1976 color difference, without lightness

NAMES = frozenset({"sky", "grass", "water", "skin"})


def scenery_mask(canvas: Canvas, noun: str) -> Floats | None:
    """The mask, on a working copy, of a noun of NAMES; None for other nouns. Unable when it was not found."""
    if noun not in NAMES:
        return None
    small = working_copy(canvas.picture, _SIDE)
    finders: dict[str, Callable[[], Bytes | None]] = {
        "sky": lambda: find_sky(small),
        "grass": lambda: find_grass(small),
        "water": lambda: find_water(small),
        "skin": lambda: _find_skin(canvas, small),
    }
    found = finders[noun]() if min(small.shape[:2]) >= _SMALLEST else None
    if found is None:
        raise Unable(
            Reason.LOW_CONFIDENCE, f"The {noun} was not found for sure.", f"Mark the {noun} with a box."
        )
    soft = cast(Floats, cv2.GaussianBlur(found.astype(np.float32), (0, 0), 1.0))
    return refined(soft, working_copy(canvas.picture, ALPHA_SIDE), radius=8)


def find_sky(small: Bytes) -> Bytes | None:
    """The calm area that begins at the top edge and ends at an edge (0/1); None where it is not sure."""
    lab = cv2.cvtColor(cv2.medianBlur(small, _STARS).astype(np.float32) / np.float32(255), cv2.COLOR_RGB2LAB)
    calm = (_steepness(cast(Floats, lab)) < _CALM).astype(np.uint8)
    sky = _reached_from_top(calm)
    sky = cast(Bytes, cv2.morphologyEx(sky, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)))
    share, at_top, at_bottom = float(sky.mean()), float(sky[:3].mean()), float(sky[-3:].mean())
    if not (0.05 < share < 0.9 and at_top > 0.95 and at_bottom < 0.55):
        return None
    is_sure = outline_contrast(small, sky) > 0.93 and _is_sky_colored(lab[sky == 1])
    return sky if is_sure else None


def _steepness(lab: Floats) -> Floats:
    """How fast colors change, CIE 1976 color difference per pixel."""
    across = cv2.Scharr(lab, cv2.CV_32F, 1, 0, scale=1 / 32)
    down = cv2.Scharr(lab, cv2.CV_32F, 0, 1, scale=1 / 32)
    return cast(Floats, np.sqrt((across**2 + down**2).sum(2)))


def _reached_from_top(calm: Bytes) -> Bytes:
    """The calm pieces that touch the top edge, wide enough to be more than gaps between leaves."""
    opened = cv2.morphologyEx(calm, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    _, labels = cv2.connectedComponents(opened, connectivity=4)
    top = np.unique(labels[:3])
    return cast(Bytes, cv2.dilate(np.isin(labels, top[top > 0]).astype(np.uint8), np.ones((3, 3), np.uint8)))


def _is_sky_colored(colors: Floats) -> bool:
    """Blue, bright, or the pink and orange of an evening; no brown, no green and no black."""
    light, green_red, blue_yellow = (float(value) for value in np.median(colors, 0))
    is_blue = blue_yellow < -4 and green_red < 14
    is_bright = light > 68 and blue_yellow < 22 and green_red > -14
    is_evening = light > 40 and green_red > 4 and blue_yellow > -20
    return is_blue or is_bright or is_evening


def find_grass(small: Bytes) -> Bytes | None:
    """The green ground in the lower part (0/1); None where green is somewhere else as well."""
    return _ground(cast(Bytes, (likeness(small, "green") > 0.5).astype(np.uint8)))


def find_water(small: Bytes) -> Bytes | None:
    """The blue ground below a sky or a shore (0/1); None where it is not sure."""
    blue = (likeness(small, "blue", widely=True) > 0.5).astype(np.uint8)
    sky = find_sky(small)
    if sky is not None:
        blue[cv2.dilate(sky, np.ones((5, 5), np.uint8)) == 1] = 0
    return _ground(blue)


def _ground(likely: Bytes) -> Bytes | None:
    """The largest piece, if it is a ground: most of what looks so, and most of the bottom."""
    side = max(5, round(max(likely.shape) / 60) | 1)
    closed = cv2.morphologyEx(likely, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    ground = largest(cast(Bytes, cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))), 0.3)
    share = float(ground.mean())
    if share < 0.06 or np.count_nonzero(ground & likely) < 0.7 * np.count_nonzero(likely):
        return None
    height = ground.shape[0]
    at_bottom, at_top = ground[-height // 4 :].mean(), ground[: height // 3].mean()
    is_low = at_bottom > 0.5 and at_top < 0.1
    return ground if is_low else None


def _find_skin(canvas: Canvas, small: Bytes) -> Bytes | None:
    """What has the color of a face, on the person; None without a face."""
    scale = small.shape[1] / canvas.picture.width
    lab = cast(Floats, cv2.cvtColor(small.astype(np.float32) / np.float32(255), cv2.COLOR_RGB2LAB))
    skin = np.zeros(small.shape[:2], np.uint8)
    for face in find_faces(canvas.picture, canvas.models):
        skin |= _like_face(lab, face, scale)
    if not skin.any():
        return None
    person = (
        cv2.resize(find_subject(canvas.picture, models=canvas.models).mask, (small.shape[1], small.shape[0]))
        > 0.5
    )
    opened = cv2.morphologyEx(skin * person, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return cast(Bytes, opened) if opened.any() else None


def _like_face(lab: Floats, face: Box, scale: float) -> Bytes:
    inner = face.grown(-0.25, round(lab.shape[1] / scale), round(lab.shape[0] / scale))
    left, top, right, bottom = (round(side * scale) for side in inner)
    usual = np.median(lab[top : bottom + 1, left : right + 1].reshape(-1, 3), 0)
    apart = np.abs(lab - usual)
    is_alike = (np.hypot(apart[:, :, 1], apart[:, :, 2]) < _SKIN) & (apart[:, :, 0] < 32)
    return cast(Bytes, is_alike.astype(np.uint8))
