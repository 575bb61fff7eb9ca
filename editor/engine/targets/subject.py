"""The subject: a cut-out from salience, faces and a marked box, by grabCut, with a gate for bad ones."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Box, Canvas, working_copy
from editor.engine.colors import Floats
from editor.engine.plan import Reason
from editor.engine.refused import MARK_THE_SUBJECT, Unable
from editor.engine.targets.faces import find_faces
from editor.engine.targets.masks import ALPHA_SIDE, overlap, refined, without_crumbs
from editor.engine.targets.saliency import salience
from editor.imaging.codecs import Bytes, Picture

_SIDE = 480
_ROUNDS = 4
_ENOUGH = 0.5
_INSET = 0.04  # of a marked box: a good cut stays as it is when the box is that much smaller
_REACHES = 0.05  # of a side of the frame
_TOLD_APART = 10.0  # CIE 1976 color difference


@dataclass(frozen=True, eq=False)
class CutOut:
    """`mask` is 1 on the subject, on a working copy (1200 a side); `confidence` in its outline runs from 0
    to 1, as does that in its `place`: there the subject is, whatever its edges are."""

    mask: Floats
    confidence: float
    place: float


def subject_mask(canvas: Canvas, *, strict: bool = True) -> Floats:
    """The subject's mask on the working copy; Unable when the cut-out is not to be trusted.

    `strict` is for what shows each wrong edge; what forgives them takes less.
    """
    cut = _remembered(canvas)
    if cut.confidence < (_ENOUGH if strict else _ENOUGH * 0.6):
        raise Unable(
            Reason.LOW_CONFIDENCE, "The subject could not be told from its background.", MARK_THE_SUBJECT
        )
    return cut.mask


def _remembered(canvas: Canvas) -> CutOut:
    """Found once for the same pixels, however many variations and steps ask."""
    pixels = canvas.picture.pixels
    key = (id(pixels), canvas.seeds)
    if key not in canvas.memory:
        # The pixels stay with it, so that no later array can get their id.
        canvas.memory[key] = (pixels, find_subject(canvas.picture, seed_boxes(canvas)))
    return cast(CutOut, canvas.memory[key][1])


def seed_boxes(canvas: Canvas) -> list[Box]:
    """The boxes that show where the subject is."""
    return [box for number in canvas.seeds if (box := canvas.boxes[number - 1])]


def find_subject(picture: Picture, boxes: list[Box] | None = None) -> CutOut:
    """Cuts the subject out, with marked boxes inside these; says how sure it is."""
    small = working_copy(picture, _SIDE)
    scale = small.shape[1] / picture.width
    faces = [_scaled(face, scale) for face in find_faces(picture)]
    if boxes:
        solid, confidence = _inside_boxes(small, [_scaled(box, scale) for box in boxes], faces)
        place = confidence
    else:
        solid, confidence, place = _by_salience(small, faces)
    soft = cast(Floats, cv2.GaussianBlur(solid.astype(np.float32), (0, 0), 0.8))
    return CutOut(refined(soft, working_copy(picture, ALPHA_SIDE)), confidence, place)


def _scaled(box: Box, scale: float) -> Box:
    left, top = int(box.left * scale), int(box.top * scale)
    return Box(left, top, max(left + 1, round(box.right * scale)), max(top + 1, round(box.bottom * scale)))


def _inside_boxes(small: Bytes, boxes: list[Box], faces: list[Box]) -> tuple[Bytes, float]:
    solid = np.zeros(small.shape[:2], np.uint8)
    confidences = []
    for box in boxes:
        part = without_crumbs(_grab(small, _box_hints(small, box, faces)))
        filled = np.count_nonzero(part) / max(1, box.width * box.height)
        other = without_crumbs(_grab(small, _box_hints(small, _inset(box, small), faces)))
        stable = _ramp(overlap(part, other), 0.55, 0.85)
        confidences.append(stable if 0.05 < filled < 0.98 else 0.2 * stable)
        solid |= part
    return solid, min(confidences)


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


def _box_hints(small: Bytes, box: Box, faces: list[Box]) -> Bytes:
    """Background for sure outside the box, a guess inside it; people in it by their faces."""
    inside = np.zeros(small.shape[:2], np.uint8)
    inside[box.top : box.bottom, box.left : box.right] = 1
    hints = np.where(inside == 1, cv2.GC_PR_FGD, cv2.GC_BGD).astype(np.uint8)
    for face in faces:
        if _holds(inside, face):
            _hint_person(hints, face)
    return np.where(inside == 1, hints, cv2.GC_BGD).astype(np.uint8)


def _by_salience(small: Bytes, faces: list[Box]) -> tuple[Bytes, float, float]:
    map_ = salience(small)
    solid = without_crumbs(_grab(small, _hints(map_, faces, 0.5)))
    signs = cut_out_signs(solid, small, faces)
    place = min(signs.values())
    if place == 0:
        return solid, 0.0, 0.0
    agreement = _agreement(solid, small, map_, faces)
    # Its edges follow the subject only where colors change there.
    trust = 0.1 if faces else 0.0
    colors = _ramp(-_mixed_colors(small, solid) + trust, -0.5, -0.3)
    return (
        solid,
        min(place, colors, _ramp(agreement, 0.78, 0.95)),
        min(place, _ramp(agreement, 0.4, 0.7)),
    )


def _agreement(solid: Bytes, small: Bytes, map_: Floats, faces: list[Box]) -> float:
    """The least overlap with cuts at half the size: one from a wider guess, one from a guess without
    certainties and in other colors. A good cut barely differs from either."""
    size = (max(1, small.shape[1] // 2), max(1, small.shape[0] // 2))
    half = cast(Bytes, cv2.resize(small, size, interpolation=cv2.INTER_AREA))
    map_ = cast(Floats, cv2.resize(map_, size))
    faces = [_scaled(face, 0.5) for face in faces]
    split, _ = cv2.threshold((map_ * 255).astype(np.uint8), 0, 1, cv2.THRESH_OTSU)
    guess = np.where(map_ * 255 > 0.7 * split, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    for face in faces:
        _hint_person(guess, face)
    opinions = (
        _grab(half, _hints(map_, faces, 0.35)),
        _grab(cast(Bytes, cv2.cvtColor(half, cv2.COLOR_RGB2LAB)), guess),
    )
    smaller = cast(Bytes, cv2.resize(solid, size, interpolation=cv2.INTER_AREA))
    return min(overlap(smaller, without_crumbs(opinion)) for opinion in opinions)


def _hints(map_: Floats, faces: list[Box], middle: float) -> Bytes:
    """What grabCut starts from: sure at the ends of salience, a guess between."""
    hints = np.where(map_ > middle, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[map_ < 0.08] = cv2.GC_BGD
    hints[map_ > 0.9] = cv2.GC_FGD
    for face in faces:
        _hint_person(hints, face)
    return hints


def _hint_person(hints: Bytes, face: Box) -> None:
    """A face with hair, a neck and a chest are the subject for sure; shoulders and body probably are."""
    height = hints.shape[0]
    across, down = face.width, face.height
    middle, chin = round(face.center[0]), face.bottom
    shoulders = np.array(
        [
            (middle - 1.3 * across, chin),
            (middle + 1.3 * across, chin),
            (middle + 2 * across, chin + 2 * down),
            (middle + 2 * across, height),
            (middle - 2 * across, height),
            (middle - 2 * across, chin + 2 * down),
        ]
    )
    head = (middle, round(face.top + 0.4 * down))
    body = np.zeros_like(hints)
    cv2.fillConvexPoly(body, shoulders.round().astype(np.int32), 1)
    cv2.ellipse(body, head, (round(across * 0.8), round(down * 0.85)), 0, 0, 360, 1, -1)
    hints[(body == 1) & (hints != cv2.GC_FGD)] = cv2.GC_PR_FGD
    cv2.ellipse(hints, head, (round(across * 0.38), round(down * 0.55)), 0, 0, 360, cv2.GC_FGD, -1)
    hints[chin : chin + round(0.6 * down), middle - across // 6 : middle + across // 6] = cv2.GC_FGD
    chest = slice(chin + round(0.6 * down), chin + round(1.6 * down))
    hints[chest, middle - across // 3 : middle + across // 3] = cv2.GC_FGD


def _grab(small: Bytes, hints: Bytes) -> Bytes:
    """Rother, Kolmogorov and Blake, "GrabCut", 2004: 0/1."""
    marked = hints.copy()
    if not np.isin(marked, (cv2.GC_FGD, cv2.GC_PR_FGD)).any() or (marked == cv2.GC_FGD).all():
        return np.zeros(small.shape[:2], np.uint8)
    if not np.isin(marked, (cv2.GC_BGD, cv2.GC_PR_BGD)).any():
        return np.ones(small.shape[:2], np.uint8)
    cv2.setRNGSeed(0)  # its color models start from random samples
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(small, marked, None, *models, _ROUNDS, cv2.GC_INIT_WITH_MASK)  # type: ignore[call-overload]
    return np.isin(marked, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)


def cut_out_signs(solid: Bytes, small: Bytes, faces: list[Box]) -> dict[str, float]:
    """Signs of a good cut-out, each 0 (bad) to 1. The bounds were chosen by eye on 19 photos."""
    area = float(solid.mean())
    frame = np.concatenate([solid[0], solid[-1], solid[:, 0], solid[:, -1]])
    trust = 0.14 if faces else 0.0  # hair and clothes fade into dark backgrounds, the person is there
    return {
        "area": _ramp(area, 0.003, 0.015) * _ramp(-area, -0.85, -0.6),
        "frame": _ramp(-float(frame.mean()), -0.6, -0.3),
        "outline": _ramp(_outline_contrast(small, solid) + trust, 0.66, 0.92),
        "sides": 0.0 if _spans(solid) and not faces else 1.0,
        "faces": 1.0 if all(_holds(solid, face) for face in faces) else 0.0,
    }


def _spans(solid: Bytes) -> bool:
    """Whether it reaches from the left of the frame to the right: hills and tables do, subjects do not."""
    return bool(min(solid[:, 0].mean(), solid[:, -1].mean()) > _REACHES)


def _mixed_colors(small: Bytes, solid: Bytes) -> float:
    """How alike the colors within and without are along the outline: Bhattacharyya's coefficient, 0 to 1."""
    side = max(5, round(0.06 * max(solid.shape)))
    near = np.ones((side, side), np.uint8)
    band = cv2.morphologyEx(solid, cv2.MORPH_GRADIENT, near) == 1
    inside = solid[band] == 1
    if not inside.any() or inside.all():
        return 1.0
    lab = cv2.cvtColor(small, cv2.COLOR_RGB2LAB)[band] // np.array([24, 12, 12], np.uint8)
    bins = lab.astype(np.intp) @ np.array([22 * 22, 22, 1])
    one, other = (np.bincount(bins[part], minlength=11 * 22 * 22) / part.sum() for part in (inside, ~inside))
    return float(np.sqrt(one * other).sum())


def _ramp(value: float, low: float, high: float) -> float:
    return float(np.clip((value - low) / (high - low), 0, 1))


def _outline_contrast(small: Bytes, solid: Bytes) -> float:
    """The share of the outline, but for the frame, at which the colors on both sides can be told apart."""
    lab = cast(Floats, cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_RGB2LAB))
    inside, outside = _local_mean(lab, solid), _local_mean(lab, 1 - solid)
    outline = cv2.morphologyEx(solid, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    outline[[0, -1]] = outline[:, [0, -1]] = False
    apart = np.linalg.norm(inside - outside, axis=2)[outline]
    return float((apart > _TOLD_APART).mean()) if apart.size else 0.0


def _local_mean(lab: Floats, part: Bytes) -> Floats:
    weight = part.astype(np.float32)
    total = cv2.blur(lab * weight[:, :, None], (9, 9))
    return cast(Floats, total / (cv2.blur(weight, (9, 9))[:, :, None] + 1e-6))


def _holds(solid: Bytes, face: Box) -> bool:
    inside = solid[face.top : face.bottom, face.left : face.right]
    return bool(cast(float, inside.mean()) > 0.6) if inside.size else True
