"""The subject: a cut-out from salience, faces and a marked box, by grabCut, with a gate for bad ones."""

import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.canvas import Box, Canvas, working_copy
from editor.engine.colors import Floats
from editor.engine.plan import Reason
from editor.engine.refused import MARK_THE_SUBJECT, Unable
from editor.engine.targets.faces import find_faces
from editor.engine.targets.masks import ALPHA_SIDE, overlap, refined, without_crumbs
from editor.engine.targets.places import chosen_by_place, in_place
from editor.engine.targets.saliency import salience
from editor.imaging.codecs import Bytes, Picture

if TYPE_CHECKING:
    from editor.engine.networks import Models

_SIDE = 480
_ENOUGH = 0.5
PERSON_NOUNS = frozenset(
    {
        *("person", "people", "man", "men", "woman", "women", "guy", "lady"),
        *("girl", "boy", "child", "kid", "baby", "human", "someone", "somebody"),
    }
)
_INSET = 0.04  # of a marked box: a good cut stays as it is when the box is that much smaller
_REACHES = 0.05  # of a side of the frame
_TOLD_APART = 10.0  # CIE 1976 color difference


@dataclass(frozen=True, eq=False)
class CutOut:
    """`mask` is 1 on the subject, on a working copy (1200 a side). How sure it is runs from 0 to 1:
    `confidence` in its outline, `softly` in an outline that a blur will forgive, `place` in that the subject
    is there, whatever its edges are."""

    mask: Floats
    confidence: float
    softly: float
    place: float


def subject_mask(canvas: Canvas, *, strict: bool = True) -> Floats:
    """The subject's mask on the working copy; Unable when the cut-out is not to be trusted.

    `strict` is for what shows each wrong edge; what forgives them takes less.
    """
    cut = _remembered(canvas)
    if (cut.confidence if strict else cut.softly) < _ENOUGH:
        raise Unable(
            Reason.LOW_CONFIDENCE, "The subject could not be told from its background.", MARK_THE_SUBJECT
        )
    return cut.mask


def subject_place(canvas: Canvas) -> Floats:
    """The subject's mask on the working copy for what only goes by its place, whatever its edges are; Unable
    where even that is not sure."""
    cut = _remembered(canvas)
    if cut.place < _ENOUGH:
        raise Unable(Reason.LOW_CONFIDENCE, "It is not clear what the subject is.", MARK_THE_SUBJECT)
    return cut.mask


def person_mask(canvas: Canvas, place: str | None) -> Floats:
    """The mask, on the working copy, of the person at a place ("left", "center"), or of the subject, if no
    place is named. Unable when nobody is there, or when the cut-out is not to be trusted."""
    faces = find_faces(canvas.picture, canvas.models)
    chosen = chosen_by_place(faces, place, canvas.picture) if place else faces
    if place and faces and not chosen:
        raise Unable(Reason.NO_SUCH_TARGET, f"Nobody was found at the {place}.", MARK_THE_SUBJECT)
    if len(chosen) == len(faces):
        mask = subject_mask(canvas, strict=False)
        if place and not _is_mostly_at(mask, place):
            raise Unable(Reason.NO_SUCH_TARGET, f"Nobody was found at the {place}.", MARK_THE_SUBJECT)
        return mask
    return _one_person(canvas, chosen[0], [face for face in faces if face not in chosen])


def _is_mostly_at(mask: Floats, place: str) -> bool:
    height, width = mask.shape
    return float((mask * in_place(height, width, place)).sum()) > 0.6 * float(mask.sum())


def _one_person(canvas: Canvas, face: Box, others: list[Box]) -> Floats:
    """One of several people: the others are background."""
    small = working_copy(canvas.picture, _SIDE)
    scale = small.shape[1] / canvas.picture.width
    own, strangers = _scaled(face, scale), [_scaled(other, scale) for other in others]
    hints = _people(small.shape[:2], [own])
    for stranger in strangers:
        hints[_person_area(small.shape[:2], stranger, own) == 1] = cv2.GC_BGD
    solid = without_crumbs(_grab(small, hints, 4))
    outline = _ramp(outline_contrast(small, solid), 0.5, 0.75)
    if outline < _ENOUGH or not _holds(solid, own) or any(_holds(solid, stranger) for stranger in strangers):
        raise Unable(
            Reason.LOW_CONFIDENCE,
            "This person could not be told from the others.",
            "Mark the person with a box.",
        )
    soft = cast(Floats, cv2.GaussianBlur(solid.astype(np.float32), (0, 0), 0.8))
    return refined(soft, working_copy(canvas.picture, ALPHA_SIDE))


def _person_area(shape: tuple[int, ...], face: Box, own: Box) -> Bytes:
    """A head and a body below it, as far as half-way to the person that is meant."""
    area = np.zeros(shape, np.uint8)
    reach = min(1.8 * face.width, abs(face.center[0] - own.center[0]) / 2)
    left, right = round(face.center[0] - reach), round(face.center[0] + reach)
    cv2.rectangle(area, (left, round(face.top - 0.4 * face.height)), (right, shape[0]), 1, -1)
    return area


def _remembered(canvas: Canvas) -> CutOut:
    """Found once for the same pixels, however many variations and steps ask."""
    pixels = canvas.picture.pixels
    key = (id(pixels), canvas.seeds)
    known, found = canvas.memory.get(key, (lambda: None, None))
    if known() is not pixels:
        found = find_subject(canvas.picture, seed_boxes(canvas), canvas.models)
        # A later array may get their id, but no old pixels shall stand in memory for that.
        canvas.memory[key] = (weakref.ref(pixels), found)
    return cast(CutOut, found)


def seed_boxes(canvas: Canvas) -> list[Box]:
    """The boxes that show where the subject is."""
    return [box for number in canvas.seeds if (box := canvas.boxes[number - 1])]


def find_subject(picture: Picture, boxes: list[Box] | None = None, models: "Models | None" = None) -> CutOut:
    """Cuts the subject out, with marked boxes inside these; says how sure it is."""
    cut = models.subject(picture, boxes or []) if models else None
    if cut is not None:
        return CutOut(cut.mask, cut.confidence, cut.confidence, cut.confidence)
    small = working_copy(picture, _SIDE)
    scale = small.shape[1] / picture.width
    faces = [_scaled(face, scale) for face in find_faces(picture, models)]
    found = (
        _inside_boxes(small, [_scaled(box, scale) for box in boxes], faces)
        if boxes
        else _by_salience(small, faces)
    )
    soft = cast(Floats, cv2.GaussianBlur(found.solid.astype(np.float32), (0, 0), 0.8))
    return CutOut(
        refined(soft, working_copy(picture, ALPHA_SIDE)), found.confidence, found.softly, found.place
    )


def _scaled(box: Box, scale: float) -> Box:
    left, top = int(box.left * scale), int(box.top * scale)
    return Box(left, top, max(left + 1, round(box.right * scale)), max(top + 1, round(box.bottom * scale)))


@dataclass(frozen=True, eq=False)
class _Found:
    """A 0/1 mask on the working copy, and how sure its outline, its outline for a blur, and its place are."""

    solid: Bytes
    confidence: float
    softly: float
    place: float


def rough_subject(small: Bytes) -> Bytes | None:
    """Where the subject of a working copy roughly is (0/1), None when that can be no subject. Checked less
    than in `find_subject`, in a part of its time: enough to tell which of several things is meant."""
    solid = without_crumbs(_grab(small, _hints(salience(small), [], 0.5), 3))
    signs = cut_out_signs(solid, small, [])
    return solid if min(signs[name] for name in ("area", "frame", "sides")) > 0 else None


def _by_salience(small: Bytes, faces: list[Box]) -> _Found:
    """The best of several cuts, each from another guess, and how well the others agree with it."""
    half = _halved(small)
    map_ = salience(half)
    half_faces = [_scaled(face, 0.5) for face in faces]
    cuts = [without_crumbs(_grab(half, hints, 3)) for hints in _guesses(map_, half_faces)]
    worth = [_worth(half, cut, half_faces) for cut in cuts]
    best = int(np.argmax(worth))
    solid = _finely(small, cuts[best])
    others = [overlap(cuts[best], cut) for number, cut in enumerate(cuts) if number != best]
    return _judged(small, solid, faces, sorted(others))


def _judged(small: Bytes, solid: Bytes, faces: list[Box], others: list[float]) -> _Found:
    """How sure a cut is, from its signs and from its overlaps with the `others`, in rising order."""
    signs = cut_out_signs(solid, small, faces)
    colors, outline = signs.pop("colors"), signs.pop("outline")
    there = min(signs.values())
    usual = others[len(others) // 2]
    # A cut whose outline is an edge all along needs fewer that agree with it.
    clear = outline * colors
    sharp = min(outline, colors, _ramp(usual, 0.8 - 0.3 * clear, 0.95 - 0.25 * clear))
    # A person is where the face is: hair that fades into the dark does no harm to a blur.
    softly = max(sharp, _ramp(usual, 0.5, 0.7)) if faces else sharp
    place = min(_ramp(usual, 0.4, 0.7), _ramp(outline_contrast(small, solid), 0.6, 0.9))
    return _Found(solid, min(there, sharp), min(there, softly), min(there, place))


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
        yield _people(map_.shape, faces)


def _guess(likely: NDArray[np.bool_], faces: list[Box]) -> Bytes:
    hints = np.where(likely, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[0] = hints[:, 0] = hints[:, -1] = cv2.GC_BGD
    for face in faces:
        _hint_person(hints, face)
    return hints


def _middle(shape: tuple[int, ...]) -> Floats:
    height, width = shape
    rows, columns = np.indices(shape, np.float32)
    across, down = (columns / width - 0.5) / 0.38, (rows / height - 0.52) / 0.38
    return cast(Floats, np.exp(-(across**2 + down**2)).astype(np.float32))


def _people(shape: tuple[int, ...], faces: list[Box]) -> Bytes:
    """Only what a face tells: a body below it, arms and what they hold beside that, else background."""
    hints = np.full(shape, cv2.GC_BGD, np.uint8)
    reach = np.zeros(shape, np.uint8)
    for face in faces:
        across, down, middle, chin = face.width, face.height, face.center[0], face.bottom
        beside = [(1.1, 0.0), (2.6, 1.0), (3.6, shape[0] / max(1, down))]
        outline = [(middle + x * across, chin + y * down) for x, y in beside]
        outline += [(middle - x * across, chin + y * down) for x, y in reversed(beside)]
        cv2.fillPoly(reach, [np.array(outline).round().astype(np.int32)], 1)
        head = (round(middle), round(face.top + 0.45 * down))
        cv2.ellipse(reach, head, (round(1.1 * across), round(1.15 * down)), 0, 0, 360, 1, -1)
    hints[reach == 1] = cv2.GC_PR_BGD
    for face in faces:
        _hint_person(hints, face)
    return hints


def _worth(small: Bytes, cut: Bytes, faces: list[Box]) -> float:
    """How good a cut looks, to compare it with others: its outline is an edge, its colors are its own."""
    signs = cut_out_signs(cut, small, faces)
    usable = min(signs[name] for name in ("area", "frame", "sides", "faces"))
    return usable * (outline_contrast(small, cut) - 0.8 * _mixed_colors(small, cut) + 1)


def _finely(small: Bytes, cut: Bytes) -> Bytes:
    """The cut of half the size, with its outline sought again in a band around it."""
    size = (small.shape[1], small.shape[0])
    rough = cv2.resize(cut, size, interpolation=cv2.INTER_NEAREST)
    side = max(5, round(0.035 * max(size)) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    hints = np.where(rough == 1, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[cv2.dilate(rough, kernel) == 0] = cv2.GC_BGD
    hints[cv2.erode(rough, kernel) == 1] = cv2.GC_FGD
    return without_crumbs(_grab(small, hints, 2))


def _inside_boxes(small: Bytes, boxes: list[Box], faces: list[Box]) -> _Found:
    parts = [_inside_box(small, box, faces) for box in boxes]
    solid = np.bitwise_or.reduce([part.solid for part in parts])
    confidence, softly = min(part.confidence for part in parts), min(part.softly for part in parts)
    return _Found(solid, confidence, softly, softly)


def _inside_box(small: Bytes, box: Box, faces: list[Box]) -> _Found:
    """The best of several cuts in a box: from all of it, from its middle, from less of it, from faces."""
    half, half_box = _halved(small), _scaled(box, 0.5)
    half_faces = [_scaled(face, 0.5) for face in faces if _holds_center(box, face)]
    cuts = [without_crumbs(_grab(half, hints, 3)) for hints in _box_guesses(half, half_box, half_faces)]
    worth = [_box_worth(half, cut, half_box) for cut in cuts]
    best = int(np.argmax(worth))
    solid = _finely(small, cuts[best])
    solid[_outside(box, solid.shape)] = 0
    others = sorted(overlap(cuts[best], cut) for number, cut in enumerate(cuts) if number != best)
    fits = _fits_box(solid, box)
    outline = _ramp(outline_contrast(small, solid), 0.6, 0.85)
    mixed = _mixed_colors(small, solid)
    stable = min(fits, _ramp(others[len(others) // 2], 0.6, 0.85))
    softly = min(stable, _ramp(-mixed, -0.72, -0.55))
    return _Found(solid, min(stable, outline, _ramp(-mixed, -0.55, -0.4)), softly, softly)


def _box_guesses(small: Bytes, box: Box, faces: list[Box]) -> Iterator[Bytes]:
    outside = _outside(box, small.shape[:2])
    everything = np.full(small.shape[:2], cv2.GC_PR_FGD, np.uint8)
    middle = np.full(small.shape[:2], cv2.GC_PR_BGD, np.uint8)
    center = (round(box.center[0]), round(box.center[1]))
    cv2.ellipse(
        middle, center, (round(0.4 * box.width), round(0.42 * box.height)), 0, 0, 360, cv2.GC_PR_FGD, -1
    )
    core = everything.copy()
    cv2.ellipse(core, center, (round(0.12 * box.width), round(0.2 * box.height)), 0, 0, 360, cv2.GC_FGD, -1)
    less = everything.copy()
    less[_outside(_inset(box, small), small.shape[:2])] = cv2.GC_BGD
    for hints in (everything, middle, core, less, *([_people(small.shape[:2], faces)] if faces else [])):
        for face in faces:
            _hint_person(hints, face)
        hints[outside] = cv2.GC_BGD
        yield hints


def _outside(box: Box, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    outside = np.ones(shape, bool)
    outside[box.top : box.bottom, box.left : box.right] = False
    return outside


def _holds_center(box: Box, face: Box) -> bool:
    x, y = face.center
    return box.left <= x < box.right and box.top <= y < box.bottom


def _box_worth(small: Bytes, cut: Bytes, box: Box) -> float:
    return _fits_box(cut, box) * (outline_contrast(small, cut) - 0.8 * _mixed_colors(small, cut) + 1)


def _fits_box(solid: Bytes, box: Box) -> float:
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
    return _ramp(filled, 0.3, 0.55) * _ramp(reaches, 0.35, 0.6) * _ramp(-share, -0.99, -0.93)


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


def _grab(small: Bytes, hints: Bytes, rounds: int) -> Bytes:
    """Rother, Kolmogorov and Blake, "GrabCut", 2004: 0/1."""
    marked = hints.copy()
    if not np.isin(marked, (cv2.GC_FGD, cv2.GC_PR_FGD)).any() or (marked == cv2.GC_FGD).all():
        return np.zeros(small.shape[:2], np.uint8)
    if not np.isin(marked, (cv2.GC_BGD, cv2.GC_PR_BGD)).any():
        return np.ones(small.shape[:2], np.uint8)
    cv2.setRNGSeed(0)  # its color models start from random samples
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(small, marked, None, *models, rounds, cv2.GC_INIT_WITH_MASK)  # type: ignore[call-overload]
    return np.isin(marked, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)


def cut_out_signs(solid: Bytes, small: Bytes, faces: list[Box]) -> dict[str, float]:
    """Signs of a good cut-out, each 0 (bad) to 1. The bounds were chosen by eye on 19 photos."""
    area = float(solid.mean())
    frame = np.concatenate([solid[0], solid[-1], solid[:, 0], solid[:, -1]])
    trust = 0.14 if faces else 0.0  # hair and clothes fade into dark backgrounds, the person is there
    return {
        "area": _ramp(area, 0.003, 0.015) * _ramp(-area, -0.85 - 0.1 * bool(faces), -0.6 - 0.2 * bool(faces)),
        "frame": _ramp(-float(frame.mean()), -0.6 - 0.32 * bool(faces), -0.3 - 0.42 * bool(faces)),
        "outline": _ramp(outline_contrast(small, solid) + trust, 0.84, 0.95),
        "colors": _ramp(-_mixed_colors(small, solid) + 0.7 * trust, -0.5, -0.3),
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


def outline_contrast(small: Bytes, solid: Bytes) -> float:
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
