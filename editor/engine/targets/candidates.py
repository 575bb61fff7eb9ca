"""Candidates for the subject by its colors: several cuts by grabCut, each from another guess, of which the
best is taken, and how well the others agree with it."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.pixels import Box
from editor.engine.targets.grabcut import grab, hint_person, people_hints
from editor.engine.targets.masks import overlap, without_crumbs
from editor.engine.targets.saliency import salience
from editor.engine.targets.signs import cut_out_signs, mixed_colors, outline_contrast, ramp
from editor.imaging.codecs import Bytes

_INSET = 0.04  # of a marked box: a good cut stays as it is when the box is that much smaller


class CutOut[Mask](NamedTuple):
    """A mask of the subject on a working copy. How sure it is runs from 0 to 1: `confidence` in its outline,
    `softly` in an outline that a blur will forgive, `place` in that the subject is there, whatever its edges
    are."""

    mask: Mask
    confidence: float
    softly: float
    place: float


def rough_subject(small: Bytes) -> Bytes | None:
    """Where the subject of a working copy roughly is (0/1), None when that can be no subject. Checked less
    than in `find_subject`, in a part of its time: enough to tell which of several things is meant."""
    solid = without_crumbs(grab(small, _hints(salience(small), [], 0.5), 3))
    signs = cut_out_signs(solid, small, [])
    return solid if min(signs[name] for name in ("area", "frame", "sides")) > 0 else None


def by_salience(small: Bytes, faces: list[Box]) -> CutOut[Bytes]:
    """The best of several cuts, each from another guess. How sure it is tell its signs, and how well the
    others agree with it."""
    half = _halved(small)
    half_faces = [face.sized(0.5) for face in faces]

    def fits(cut: Bytes) -> float:
        signs = cut_out_signs(cut, half, half_faces)
        return min(signs[name] for name in ("area", "frame", "sides", "faces"))

    solid, usual = _best(small, half, _guesses(salience(half), half_faces), fits)
    signs = cut_out_signs(solid, small, faces)
    colors, outline = signs.pop("colors"), signs.pop("outline")
    there = min(signs.values())
    # A cut whose outline is an edge all along needs fewer that agree with it.
    clear = outline * colors
    sharp = min(outline, colors, ramp(usual, 0.8 - 0.3 * clear, 0.95 - 0.25 * clear))
    # A person is where the face is: hair that fades into the dark does no harm to a blur.
    softly = max(sharp, ramp(usual, 0.5, 0.7)) if faces else sharp
    place = min(ramp(usual, 0.4, 0.7), ramp(outline_contrast(small, solid), 0.6, 0.9))
    return CutOut(solid, min(there, sharp), min(there, softly), min(there, place))


def _best(
    small: Bytes, half: Bytes, guesses: Iterable[Bytes], fits: Callable[[Bytes], float]
) -> tuple[Bytes, float]:
    """Of the cuts from these guesses, on a copy of half the size, the one that `fits` (0 to 1), whose outline
    is an edge and whose colors are its own, finely; and its usual overlap with the others."""
    cuts = [without_crumbs(grab(half, hints, 3)) for hints in guesses]
    worth = [fits(cut) * (outline_contrast(half, cut) - 0.8 * mixed_colors(half, cut) + 1) for cut in cuts]
    best = int(np.argmax(worth))
    others = sorted(overlap(cuts[best], cut) for number, cut in enumerate(cuts) if number != best)
    return _finely(small, cuts[best]), others[len(others) // 2]


def _halved(small: Bytes) -> Bytes:
    size = (max(1, small.shape[1] // 2), max(1, small.shape[0] // 2))
    return cast(Bytes, cv2.resize(small, size, interpolation=cv2.INTER_AREA))


def _guesses(map_: Floats, faces: list[Box]) -> Iterator[Bytes]:
    """What grabCut may start from: salience, more of it, salience without certainties, what is salient and in
    the middle; and for people what their faces tell."""
    yield _hints(map_, faces, 0.5)
    yield _hints(map_, faces, 0.35)
    split, _ = cv2.threshold((map_ * 255).astype(np.uint8), 0, 1, cv2.THRESH_OTSU)
    yield _guess(map_ * 255 > 0.85 * split, faces)
    yield _guess(0.6 * map_ + 0.5 * _middle(map_.shape) > 0.55, faces)
    if faces:
        yield people_hints(map_.shape, faces)


def _guess(likely: NDArray[np.bool_], faces: list[Box]) -> Bytes:
    hints = np.where(likely, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[0] = hints[:, 0] = hints[:, -1] = cv2.GC_BGD
    for face in faces:
        hint_person(hints, face)
    return hints


def _middle(shape: tuple[int, ...]) -> Floats:
    height, width = shape
    rows, columns = np.indices(shape, np.float32)
    across, down = (columns / width - 0.5) / 0.38, (rows / height - 0.52) / 0.38
    return cast(Floats, np.exp(-(across**2 + down**2)).astype(np.float32))


def _finely(small: Bytes, cut: Bytes) -> Bytes:
    """The cut of half the size, with its outline sought again in a band around it."""
    size = (small.shape[1], small.shape[0])
    rough = cv2.resize(cut, size, interpolation=cv2.INTER_NEAREST)
    side = max(5, round(0.035 * max(size)) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    hints = np.where(rough == 1, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[cv2.dilate(rough, kernel) == 0] = cv2.GC_BGD
    hints[cv2.erode(rough, kernel) == 1] = cv2.GC_FGD
    return without_crumbs(grab(small, hints, 2))


def inside_boxes(small: Bytes, boxes: list[Box], faces: list[Box]) -> CutOut[Bytes]:
    parts = [_inside_box(small, box, faces) for box in boxes]
    solid = np.bitwise_or.reduce([part.mask for part in parts])
    confidence, softly = min(part.confidence for part in parts), min(part.softly for part in parts)
    return CutOut(solid, confidence, softly, softly)


def _inside_box(small: Bytes, box: Box, faces: list[Box]) -> CutOut[Bytes]:
    """The best of several cuts in a box: from all of it, from its middle, from less of it, from faces."""
    half, half_box = _halved(small), box.sized(0.5)
    half_faces = [face.sized(0.5) for face in faces if box.holds_center_of(face)]
    guesses = _box_guesses(half, half_box, half_faces)
    solid, usual = _best(small, half, guesses, lambda cut: fits_box(cut, half_box))
    solid[outside(box, solid.shape)] = 0
    outline = ramp(outline_contrast(small, solid), 0.6, 0.85)
    mixed = mixed_colors(small, solid)
    stable = min(fits_box(solid, box), ramp(usual, 0.6, 0.85))
    softly = min(stable, ramp(-mixed, -0.72, -0.55))
    return CutOut(solid, min(stable, outline, ramp(-mixed, -0.55, -0.4)), softly, softly)


def _box_guesses(small: Bytes, box: Box, faces: list[Box]) -> Iterator[Bytes]:
    beyond = outside(box, small.shape[:2])
    everything = np.full(small.shape[:2], cv2.GC_PR_FGD, np.uint8)
    middle = np.full(small.shape[:2], cv2.GC_PR_BGD, np.uint8)
    center, core = (round(box.center[0]), round(box.center[1])), everything.copy()
    for hints, across, down, hint in ((middle, 0.4, 0.42, cv2.GC_PR_FGD), (core, 0.12, 0.2, cv2.GC_FGD)):
        axes = round(across * box.width), round(down * box.height)
        cv2.ellipse(hints, center, axes, 0, 0, 360, hint, -1)
    less = everything.copy()
    less[outside(_inset(box, small), small.shape[:2])] = cv2.GC_BGD
    for hints in (everything, middle, core, less, *([people_hints(small.shape[:2], faces)] if faces else [])):
        for face in faces:
            hint_person(hints, face)
        hints[beyond] = cv2.GC_BGD
        yield hints


def outside(box: Box, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    free = np.ones(shape, bool)
    free[box.part] = False
    return free


def fits_box(solid: Bytes, box: Box) -> float:
    """A thing fills the middle of the box around it, and reaches its sides: 0 (it does not) to 1."""
    if not solid.any():
        return 0.0
    across, down = 0.2 * box.width, 0.2 * box.height
    inner = solid[
        round(box.top + down) : round(box.bottom - down), round(box.left + across) : round(box.right - across)
    ]
    filled = float(inner.mean()) if inner.size else 1.0
    _, _, width, height = cv2.boundingRect(solid)
    reaches = min(width / box.width, height / box.height)
    share = np.count_nonzero(solid) / (box.width * box.height)
    return ramp(filled, 0.3, 0.55) * ramp(reaches, 0.35, 0.6) * ramp(-share, -0.99, -0.93)


def _inset(box: Box, small: Bytes) -> Box:
    """A little smaller, but for sides on the frame."""
    height, width = small.shape[:2]
    left, top, right, bottom = box.grown(-_INSET, width, height)
    return Box(
        left if box.left > 1 else box.left,
        top if box.top > 1 else box.top,
        right if box.right < width - 1 else box.right,
        bottom if box.bottom < height - 1 else box.bottom,
    )


def _hints(map_: Floats, faces: list[Box], middle: float) -> Bytes:
    """What grabCut starts from: sure at the ends of salience, a guess between."""
    hints = np.where(map_ > middle, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[map_ < 0.08] = cv2.GC_BGD
    hints[map_ > 0.9] = cv2.GC_FGD
    for face in faces:
        hint_person(hints, face)
    return hints
