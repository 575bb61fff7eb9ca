"""Things named by their color: a mask by hue in OKLab, refused where the color is scattered."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Box, Canvas, working_copy
from editor.engine.colors import Floats, base_name, color_of, lab_of, oklab
from editor.engine.plan import Reason
from editor.engine.refused import MARK_IT, Unable
from editor.engine.targets.masks import ALPHA_SIDE, largest, refined
from editor.engine.targets.subject import find_subject
from editor.imaging.codecs import Bytes, Picture

_SMALLEST = 0.0008
_HELD_TOGETHER = 0.6
_MOSTLY = 0.45
_GROWTH = 0.06  # how far a thing goes on in wider tones: a share of the longest side
_PIECE = 0.1  # of its largest piece: what is smaller and apart belongs to something else
_PLURALS = {
    "flowers",
    "leaves",
    "trees",
    "petals",
    "balls",
    "balloons",
    "lights",
    "cars",
    "apples",
    "clothes",
}


@dataclass(frozen=True)
class _Look:
    """How pixels of a named color look in OKLab: hue in degrees and how far it may be off, bounds of
    lightness and chroma."""

    hue: float | None
    reach: float = 26.0
    lightness: tuple[float, float] = (0.0, 1.0)
    chroma: tuple[float, float] = (0.055, 1.0)

    def widened(self) -> "_Look":
        """In any light, and paler."""
        return _Look(self.hue, self.reach * 1.6, (0.0, 1.0), (0.045, 1.0))


_LOOKS = {
    "white": _Look(None, lightness=(0.78, 1.0), chroma=(0.0, 0.045)),
    "silver": _Look(None, lightness=(0.6, 0.92), chroma=(0.0, 0.04)),
    "gray": _Look(None, lightness=(0.35, 0.8), chroma=(0.0, 0.035)),
    "black": _Look(None, lightness=(0.0, 0.32), chroma=(0.0, 0.05)),
    "red": _Look(27, 20, lightness=(0.2, 0.75), chroma=(0.09, 1.0)),
    "pink": _Look(0, 30, lightness=(0.6, 1.0), chroma=(0.05, 1.0)),
    "orange": _Look(55, 20, lightness=(0.5, 0.9), chroma=(0.09, 1.0)),
    "brown": _Look(58, 24, lightness=(0.15, 0.58), chroma=(0.03, 0.14)),
    "yellow": _Look(97, 22, lightness=(0.55, 1.0), chroma=(0.07, 1.0)),
    "gold": _Look(85, 20, lightness=(0.45, 0.9), chroma=(0.06, 1.0)),
    "green": _Look(142, 34, lightness=(0.12, 0.95), chroma=(0.05, 1.0)),
    "blue": _Look(245, 42, lightness=(0.1, 0.95), chroma=(0.05, 1.0)),
}


def colored_mask(canvas: Canvas, color: str, noun: str | None, boxes: list[Box], place: str | None) -> Floats:
    """The mask, on a working copy, of what has the color: inside the boxes, else where it holds together.

    Unable when nothing has the color, or when too many things do.
    """
    small = working_copy(canvas.picture, ALPHA_SIDE)
    allowed = _allowed(small, canvas, boxes, place)
    likely = cast(Floats, likeness(small, color) * allowed)
    solid = _cleaned((likely > 0.5).astype(np.uint8))
    if float(solid.mean()) < _SMALLEST:
        raise Unable(Reason.NO_SUCH_TARGET, f"Nothing {color} was found here.", _mark(noun))
    subject = _subject_of(solid, canvas.picture, boxes)
    if subject is not None and noun not in _PLURALS:
        solid = largest(solid & subject, _PIECE)
    if not boxes and noun not in _PLURALS and not _is_together(solid):
        raise Unable(Reason.LOW_CONFIDENCE, f"Several things here are {color}.", _mark(noun))
    likely = cast(Floats, likely * _near(solid))
    if subject is not None:
        wide = cast(Floats, likeness(small, color, widely=True) * allowed * subject)
        likely = cast(Floats, np.maximum(likely, _hanging_together(solid, wide)))
    return refined(likely, small)


def likeness(small: Bytes, color: str, *, widely: bool = False) -> Floats:
    """How much each pixel looks like the named color, 0 to 1; `widely`, like its shadows, glints and rims."""
    look = _LOOKS.get(base_name(color)) or _look_of(color)
    look = look.widened() if widely and look.hue is not None else look
    lab = oklab(small.astype(np.float32) * np.float32(1 / 255))
    light, chroma = lab[:, :, 0], np.hypot(lab[:, :, 1], lab[:, :, 2])
    likely = _between(light, *look.lightness, soft=0.08) * _between(chroma, *look.chroma, soft=0.03)
    if look.hue is not None:
        hue = np.degrees(np.arctan2(lab[:, :, 2], lab[:, :, 1]))
        off = np.abs((hue - look.hue + 180) % 360 - 180)
        likely = likely * np.clip((look.reach * 1.35 - off) / (look.reach * 0.5), 0, 1)
    return cast(Floats, cv2.GaussianBlur(likely.astype(np.float32), (0, 0), 1.2))


def _look_of(color: str) -> _Look:
    """For colors without an entry: around the color itself."""
    light, a, b = (float(value) for value in lab_of(color_of(color)))
    chroma = float(np.hypot(a, b))
    if chroma < 0.04:
        return _Look(None, lightness=(light - 0.15, light + 0.15), chroma=(0.0, 0.05))
    return _Look(float(np.degrees(np.arctan2(b, a))), 24, (light - 0.3, light + 0.3), (chroma * 0.4, 1.0))


def _between(values: Floats, low: float, high: float, *, soft: float) -> Floats:
    rising = np.clip((values - low) / soft + 0.5, 0, 1) if low > 0 else 1.0
    falling = np.clip((high - values) / soft + 0.5, 0, 1) if high < 1 else 1.0
    return cast(Floats, np.broadcast_to(rising * falling, values.shape))


def _allowed(small: Bytes, canvas: Canvas, boxes: list[Box], place: str | None) -> Floats:
    """1 where the thing may be: in the boxes, or in the half of the photo that was named."""
    height, width = small.shape[:2]
    scale = width / canvas.picture.width
    inside = np.zeros((height, width), np.float32)
    for left, top, right, bottom in boxes:
        inside[int(top * scale) : round(bottom * scale), int(left * scale) : round(right * scale)] = 1
    if boxes:
        return inside
    return _half(height, width, place or "")


def _half(height: int, width: int, place: str) -> Floats:
    half = np.ones((height, width), np.float32)
    if "left" in place:
        half[:, width // 2 :] = 0
    if "right" in place:
        half[:, : width // 2] = 0
    if "top" in place:
        half[height // 2 :] = 0
    if "bottom" in place:
        half[: height // 2] = 0
    return half


def _cleaned(solid: Bytes) -> Bytes:
    """Without specks, and with the gaps of seams and highlights closed."""
    side = max(3, round(max(solid.shape) / 200) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return cast(
        Bytes, cv2.morphologyEx(cv2.morphologyEx(solid, cv2.MORPH_OPEN, kernel), cv2.MORPH_CLOSE, kernel)
    )


def _subject_of(solid: Bytes, picture: Picture, boxes: list[Box]) -> Bytes | None:
    """The subject (0/1), where its place is sure and it holds most of the color: the red cup, not the brown
    wood beneath it."""
    cut = find_subject(picture, boxes)
    subject = (cv2.resize(cut.mask, (solid.shape[1], solid.shape[0])) > 0.5).astype(np.uint8)
    holds_most = np.count_nonzero(solid & subject) >= _MOSTLY * np.count_nonzero(solid)
    return subject if cut.place >= 0.5 and holds_most else None


def _is_together(solid: Bytes) -> bool:
    """Whether most of it is one thing: pieces whose gaps are small beside themselves count as one."""
    if not solid.any():
        return True
    side = max(3, round(max(solid.shape) / 60) | 1)
    bridged = cv2.morphologyEx(solid, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    _, labels, _, _ = cv2.connectedComponentsWithStats(bridged)
    weights = np.bincount(np.asarray(labels, np.intp).ravel(), solid.ravel())
    return bool(weights[1:].max() >= _HELD_TOGETHER * weights.sum())


def _near(solid: Bytes) -> Floats:
    side = max(3, round(max(solid.shape) / 150) | 1)
    return cast(Floats, cv2.dilate(solid, np.ones((side, side), np.uint8)).astype(np.float32))


def _hanging_together(solid: Bytes, wide: Floats) -> Floats:
    """What looks like it widely and is joined to it: glints, the heart of a flower."""
    side = 2 * max(1, round(_GROWTH * max(solid.shape))) + 1
    near = cv2.dilate(solid, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    within = ((wide > 0.5) & (near == 1) | (solid == 1)).astype(np.uint8)
    _, labels = cv2.connectedComponents(within)
    joined = np.bincount(np.asarray(labels, np.intp).ravel(), solid.ravel()) > 0
    joined[0] = False
    return wide * joined[labels]


def _mark(noun: str | None) -> str:
    return f"Mark the {noun} with a box." if noun else MARK_IT
