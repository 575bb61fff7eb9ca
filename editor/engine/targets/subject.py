"""Find the subject by saliency, faces, detected things, and marked boxes.

Bad cutouts are refused.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, ramp
from editor.engine.errors import MARK_THE_SUBJECT, OperationError
from editor.engine.kinds import CLASSES_OF_NOUN, LIVING
from editor.engine.masks import (
    ALPHA_SIDE,
    boxes_to_mask,
    keep_large_components,
    keep_large_groups,
    refine_mask,
)
from editor.engine.pixels import Box, copy_size, top_value, working_copy
from editor.engine.plan import Reason
from editor.engine.targets.backdrops import refine_by_backdrop
from editor.engine.targets.cutout_quality import plausibility
from editor.engine.targets.decoded_masks import (
    cell_size,
    exact_outline,
    has_masks,
    prominent_mask,
    saliency_in_view,
    with_soft_edges,
)
from editor.engine.targets.detector import things_seen
from editor.engine.targets.faces import find_faces
from editor.engine.targets.grabcut_candidates import CutOut, box_fit, cut_out_boxes, cut_out_by_saliency
from editor.engine.targets.matting import estimate_alpha
from editor.engine.targets.outlines import combine_on_copy, copy_of_view, outline_of, part_of, refine_hair
from editor.engine.vision.prominent import MAX_PIECE_GAP
from editor.engine.vision.things import SURE, Thing
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.sentences import Sentence

if TYPE_CHECKING:
    from editor.engine.networks import Models

_WORKING_PIXELS = 480  # longer side, in pixels, of the working copy on which the subject is cut out
MIN_CONFIDENCE = 0.5  # minimum confidence, from 0 to 1, at which a cutout is used
_SUBJECT_KINDS = frozenset(
    (
        *CLASSES_OF_NOUN["animal"],
        *CLASSES_OF_NOUN["vehicle"],
        "bicycle",
        "airplane",
        "train",
        "boat",
        "teddy bear",
    )
)
# Minimum area of a thing that can be part of the subject, as a share of the largest thing's area. Smaller
# things are in the photo only by chance.
_MIN_AREA_RATIO = 0.3
# Minimum detection score of a person or animal that is certain; no rock or tree has reached it.
_MIN_CERTAIN_SCORE = 0.6
_MIN_SUBJECT_SHARE = 0.015  # minimum share of the photo that a subject covers
# Minimum share of the photo that the only detected thing must cover to be the subject.
_MIN_SINGLE_SHARE = 0.06
# Minimum transparent share of a photo that was already cut out; rounded corners are smaller.
_MIN_TRANSPARENT_SHARE = 0.05
# Minimum overlap of a marked box and a detected thing at which the box marks the thing.
_MIN_BOX_OVERLAP = 0.6
# Minimum share of an uncertain outline from the network that a cutout by color must contain. If the cutout
# contains less, the network's outline replaces it.
_MIN_SHARE_OF_UNCERTAIN = 0.8
# Minimum share of a certain outline from the network that a cutout by color must contain. If the cutout
# contains less, the network's outline replaces it.
_MIN_SHARE_OF_CERTAIN = 0.9
_FADE_SIGMA = 4.0  # sigma, in pixels of the working copy, of the soft edge with which a mask ends at a box
# Minimum area of a group of pieces of the subject, as a share of the largest group's area.
_MIN_GROUP_AREA = 0.08
_MIN_HOLE_AREA = 0.02  # minimum area of a hole that stays open, as a share of the area of the background
_MIN_COVERED_SHARE = 0.2  # minimum share of a person's or animal's box that the cutout must cover


def subject_mask(canvas: Canvas, *, strict: bool = True) -> Floats:
    """Return the subject's mask on the working copy.

    Use `strict` for operations in which every wrong edge is visible. Otherwise, a less certain mask is
    accepted. Raises OperationError if the cutout is not certain enough.
    """
    cut = _cached_subject(canvas)
    if (cut.confidence if strict else cut.soft_confidence) < MIN_CONFIDENCE:
        raise _not_distinguished_error(canvas, cut)
    return cut.mask


def rough_subject_mask(canvas: Canvas) -> Floats:
    """Return the subject's mask on the working copy, for uses that need only its position.

    Raises OperationError if even the position is not certain enough.
    """
    cut = _cached_subject(canvas)
    if cut.place_confidence < MIN_CONFIDENCE:
        raise OperationError(
            Reason.LOW_CONFIDENCE, Sentence("I can't tell what the subject is."), MARK_THE_SUBJECT
        )
    return cut.mask


def _not_distinguished_error(canvas: Canvas, cut: CutOut[Floats]) -> OperationError:
    if not subject_boxes(canvas):
        sentence = Sentence("I can't tell the subject from its background.")
        return OperationError(Reason.LOW_CONFIDENCE, sentence, MARK_THE_SUBJECT)
    sentence = Sentence("I can't tell what is in the box from what is around it.")
    hint = Sentence("Draw a slightly wider box around it.")
    if cut.soft_confidence >= MIN_CONFIDENCE:
        hint = Sentence(
            "Draw a slightly wider box around it, or blur the background, which works with a rough outline."
        )
    return OperationError(Reason.LOW_CONFIDENCE, sentence, hint)


def _cached_subject(canvas: Canvas) -> CutOut[Floats]:
    boxes = subject_boxes(canvas)

    def find() -> CutOut[Floats]:
        return (
            _known_cut(canvas.picture, boxes, canvas.models)
            or exact_subject(canvas, boxes)
            or _cut_by_pixels(canvas.picture, boxes, things_seen(canvas))
        )

    return canvas.get_or_compute(("subject", *boxes), find)


def subject_boxes(canvas: Canvas) -> list[Box]:
    """Return the marked boxes that show where the subject is."""
    return [box for number in canvas.subject_box_numbers if (box := canvas.boxes[number - 1])]


def exact_subject(canvas: Canvas, boxes: Sequence[Box]) -> CutOut[Floats] | None:
    """Return the subject according to the analysis of the photo, or None if the subject is uncertain.

    If there are marked boxes, the subject is the thing that fills them.
    """
    if not has_masks(canvas) or canvas.picture.has_alpha:
        return None
    if not boxes:
        return _prominent_cut(canvas)
    cuts = [exact_outline(canvas, box) for box in boxes]
    sure = [cut for cut in cuts if cut is not None and cut.confidence >= MIN_CONFIDENCE]
    if len(sure) < len(cuts):
        return None
    marked = [_marked_people_and_animals([box], things_seen(canvas)) for box in boxes]
    fine = [
        refine_hair(cut, copy_of_view(canvas, cut.view)) if own else cut
        for cut, own in zip(sure, marked, strict=True)
    ]
    confidence = min(cut.confidence for cut in sure)
    return CutOut(combine_on_copy(canvas.picture, fine), confidence, confidence, confidence)


def _prominent_cut(canvas: Canvas) -> CutOut[Floats] | None:
    """Return the prominent part of the photo, together with all large people and animals.

    Return None unless two networks agree about that part.
    """
    prominent = prominent_mask(canvas)
    if prominent is None:
        return None
    small = working_copy(canvas.picture, ALPHA_SIDE)
    whole = Box(0, 0, canvas.picture.width, canvas.picture.height)
    rough = (prominent.mask > 0.5).astype(np.uint8)
    pieces = keep_large_groups(rough, _MIN_GROUP_AREA, MAX_PIECE_GAP * max(rough.shape))
    solid = 1 - keep_large_components(1 - pieces, _MIN_HOLE_AREA)
    people_and_animals = large_people_and_animals(canvas.picture, things_seen(canvas))
    rough_cuts = (exact_outline(canvas, thing.box, is_rough=True) for thing in people_and_animals)
    cuts = [cut for cut in rough_cuts if cut and cut.confidence >= MIN_CONFIDENCE]
    if cuts:
        solid |= (combine_on_copy(canvas.picture, cuts) > 0.5).astype(np.uint8)
    if _is_missing_somebody(solid, people_and_animals, small.shape[1] / canvas.picture.width):
        return None
    share = float(solid.mean())
    plausible = ramp(share, 0.002, 0.006) * ramp(share, 0.95, 0.85)
    sure, soft_confidence = (min(1.0, times * prominent.certainty) * plausible for times in (1, 2))
    if soft_confidence < MIN_CONFIDENCE:
        return None
    mask = with_soft_edges(solid, small, cell_size(canvas, whole, small.shape[1]))
    mask = estimate_alpha(mask, small) if people_and_animals else mask
    fine = refine_by_backdrop(mask, small, saliency_in_view(canvas, whole, small.shape[1::-1]))
    return CutOut(fine, sure, soft_confidence, soft_confidence)


def find_subject(
    picture: Picture,
    boxes: Sequence[Box] = (),
    models: "Models | None" = None,
    things: Sequence[Thing] = (),
) -> CutOut[Floats]:
    """Cut out the subject, inside the boxes if there are any, and rate the confidence in the result.

    `things` are the detector's results. These results show which things are prominent and which people the
    boxes mark.
    """
    return _known_cut(picture, boxes, models) or _cut_by_pixels(picture, boxes, things)


def _known_cut(picture: Picture, boxes: Sequence[Box], models: "Models | None") -> CutOut[Floats] | None:
    """Return the photo's existing cutout or else the cutout of the operator's model, or None.

    The model takes precedence over the other methods, because the operator chose to install it.
    """
    own = None if boxes else _existing_cut(picture)
    return own or (models.subject(picture, boxes) if models else None)


def _cut_by_pixels(picture: Picture, boxes: Sequence[Box], things: Sequence[Thing]) -> CutOut[Floats]:
    """Cut out the subject as `find_subject` does, but without using the photo's transparency or a model."""
    small = working_copy(picture, _WORKING_PIXELS)
    scale = small.shape[1] / picture.width
    faces = find_faces(picture)
    people_and_animals = _cut_of_people_and_animals(
        picture, boxes, [*things, *_people_by_faces(faces, boxes, things, picture)], small
    )
    if people_and_animals and people_and_animals.confidence >= MIN_CONFIDENCE:
        return people_and_animals
    marked = [box.sized(scale) for box in boxes]
    cut = cut_out_boxes(small, marked) if marked else cut_out_by_saliency(small)
    single = None if boxes or cut.soft_confidence >= MIN_CONFIDENCE else _only_large_thing(things, picture)
    if single is not None:
        cut = cut_out_boxes(small, [single.box.sized(scale)])
    if people_and_animals and _is_better(people_and_animals, cut):
        return people_and_animals
    if not boxes and _is_missing_somebody(cut.mask, things, scale):
        cut = CutOut(cut.mask, 0, 0, 0)
    soft = cv2.GaussianBlur(cut.mask.astype(np.float32), (0, 0), 0.8)
    return CutOut(refine_mask(soft, working_copy(picture, ALPHA_SIDE)), *cut[1:])


def _existing_cut(picture: Picture) -> CutOut[Floats] | None:
    """Return the mask of a photo that was already cut out, or None if almost nothing is transparent."""
    if not picture.has_alpha:
        return None
    size = copy_size(ALPHA_SIDE, picture.width, picture.height)
    alpha = cast(Pixels, np.ascontiguousarray(picture.pixels[:, :, 3]))
    small = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    mask: Floats = small * np.float32(1 / top_value(picture.pixels))
    is_cut = (
        float((mask == 0).mean()) > _MIN_TRANSPARENT_SHARE and float((mask == 1).mean()) > _MIN_SUBJECT_SHARE
    )
    return CutOut(mask, 1, 1, 1) if is_cut else None


def _people_by_faces(
    faces: Sequence[Box], boxes: Sequence[Box], things: Sequence[Thing], picture: Picture
) -> Iterator[Thing]:
    """Yield the people whose faces were found but whom the detector missed.

    The box of such a person is a marked box around the face or, if there is none, a box as large as a typical
    body.
    """
    seen = [thing.box for thing in things if thing.kind == "person" and thing.score >= SURE]
    for face in faces:
        if not any(box.holds_center_of(face) for box in seen):
            (x, _), across, down = face.center, 2 * face.width, face.height
            sides = round(x - across), face.top - down // 2, round(x + across), face.bottom + 6 * down
            body = Box(*sides).within(picture.width, picture.height)
            marked = (box for box in boxes if box.holds_center_of(face))
            yield Thing("person", 1.0, next(marked, body))


def _cut_of_people_and_animals(
    picture: Picture, boxes: Sequence[Box], things: Sequence[Thing], small: Bytes
) -> CutOut[Floats] | None:
    """Return the cutout of the marked people and animals, or of the people and animals that are the subject.

    Return None if there are none or if something else is as large. If the network is uncertain, limit the
    mask to the boxes of the people and animals, which are precise enough for a blur.
    """
    people_and_animals = (
        _marked_people_and_animals(boxes, things) if boxes else large_people_and_animals(picture, things)
    )
    if not people_and_animals:
        return None
    outlines = [outline_of(picture, thing.box) for thing in people_and_animals]
    guides = (working_copy(part_of(picture, one.view), ALPHA_SIDE) for one in outlines)
    mask = combine_on_copy(picture, map(refine_hair, outlines, guides))
    solid = (cv2.resize(mask, (small.shape[1], small.shape[0])) > 0.5).astype(np.uint8)
    scale = small.shape[1] / picture.width
    plausible = plausibility(
        solid, has_person=any(thing.score >= _MIN_CERTAIN_SCORE for thing in people_and_animals)
    )
    confidence = min(*(outline.confidence for outline in outlines), plausible)
    if confidence >= MIN_CONFIDENCE:
        return CutOut(mask, confidence, confidence, confidence)
    boxes_on_copy = [box.sized(scale) for box in boxes or [thing.box for thing in people_and_animals]]
    fits = min(box_fit(solid * boxes_to_mask([box], solid.shape), box) for box in boxes_on_copy)
    soft_confidence = min(fits, plausible)
    return CutOut(_limit_to_boxes(mask, boxes_on_copy, small), confidence, soft_confidence, soft_confidence)


def _marked_people_and_animals(boxes: Sequence[Box], things: Sequence[Thing]) -> list[Thing]:
    """Return the people and animals that the boxes mark, or an empty list if a box marks something else."""
    seen = [thing for thing in things if thing.kind in LIVING and thing.score >= SURE]
    marked = [[thing for thing in seen if box.overlap_ratio(thing.box) > _MIN_BOX_OVERLAP] for box in boxes]
    return [thing for things_of_box in marked for thing in things_of_box] if all(marked) else []


def large_people_and_animals(picture: Picture, things: Sequence[Thing]) -> list[Thing]:
    """Return the people and animals that are the subject of a photo.

    Return an empty list if something else is as large.
    """
    largest = max((thing.box.area for thing in things if thing.score >= SURE), default=0)
    large = [thing for thing in things if thing.box.area >= _MIN_AREA_RATIO * largest]
    is_large = largest >= _MIN_SUBJECT_SHARE * picture.width * picture.height
    if not is_large or any(thing.kind in _SUBJECT_KINDS - LIVING for thing in large):
        return []
    return [thing for thing in large if thing.kind in LIVING]


def _limit_to_boxes(mask: Floats, boxes: list[Box], small: Bytes) -> Floats:
    """Limit a mask to boxes on a working copy. The mask fades out at the sides of the boxes."""
    inside = boxes_to_mask(boxes, small.shape).astype(np.float32)
    soft = cv2.GaussianBlur(inside, (0, 0), _FADE_SIGMA, borderType=cv2.BORDER_REPLICATE)
    return mask * cv2.resize(soft, mask.shape[::-1])


def _is_better(people_and_animals: CutOut[Floats], cut: CutOut[Bytes]) -> bool:
    """Return whether the network's outline of people and animals is better than a cutout by color.

    The outline is better if the cutout leaves out too much of it, or if only the network is certain.
    """
    if people_and_animals.soft_confidence < MIN_CONFIDENCE:
        return _contained_share(cut.mask, people_and_animals.mask) < _MIN_SHARE_OF_UNCERTAIN
    return (
        cut.soft_confidence < MIN_CONFIDENCE
        or _contained_share(cut.mask, people_and_animals.mask) < _MIN_SHARE_OF_CERTAIN
    )


def _contained_share(solid: Bytes, outline: Floats) -> float:
    """Return the share of the network's outline that a cutout contains.

    For a cat in the shade, the share is small.
    """
    whole = cv2.resize(outline, (solid.shape[1], solid.shape[0])) > 0.5
    return float(solid[whole].mean()) if whole.any() else 1.0


def _is_missing_somebody(solid: Bytes, things: Sequence[Thing], scale: float) -> bool:
    """Return whether there are people or animals outside the cutout that are about as large as the cutout."""
    seen = [thing for thing in things if thing.kind in LIVING and thing.score >= SURE]
    boxes = [thing.box.sized(scale) for thing in seen]
    large = [box for box in boxes if box.area >= _MIN_AREA_RATIO * np.count_nonzero(solid)]
    return any(solid[box.slices].mean() < _MIN_COVERED_SHARE for box in large)


def _only_large_thing(things: Sequence[Thing], picture: Picture) -> Thing | None:
    """Return the only detected thing that is large enough to be the subject, or None."""
    sure = [thing for thing in things if thing.score >= SURE and thing.kind in _SUBJECT_KINDS]
    min_area = _MIN_SINGLE_SHARE * picture.width * picture.height
    return sure[0] if len(sure) == 1 and sure[0].box.area >= min_area else None
