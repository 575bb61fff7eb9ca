"""Find the person that a target names, and examine the outline, face, and skin to find clothes and hair."""

from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, oklab_from_8_bit
from editor.engine.errors import OperationError, name_of_place
from editor.engine.masks import BoolMask, boxes_to_mask, mask_of, refine_mask, upsample_mask
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.detector import things_seen
from editor.engine.targets.faces import faces_in, faces_of
from editor.engine.targets.outlines import part_of
from editor.engine.targets.thing_outlines import covered_share, cut_out, indistinct_error
from editor.engine.targets.things import not_found_error, target_things
from editor.engine.vision.things import SURE, Thing
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

_WORKING_PIXELS = 500  # longer side, in pixels, of the working copy of an examined person
_MAX_SKIN_DIFFERENCE = 0.035  # maximum difference in the OKLab components a and b between skin and the cheeks
_MAX_LIGHTER = 0.16  # maximum OKLab lightness difference between the cheeks and lighter skin
_MAX_DARKER = 0.28  # maximum OKLab lightness difference between the cheeks and darker skin
# Maximum OKLab lightness difference between the cheeks and skin in the chin's shadow.
_MAX_DARKER_IN_SHADOW = 0.5
# Maximum share of a person's box that another person may cover for the outline to be certain.
_MAX_COVERED_SHARE = 0.25


class Person(NamedTuple):
    """A person in `view`, a part of the photo, with measurements on a working copy of that part.

    `small` is the working copy, and `lab` contains the colors of the copy in OKLab. `outline` and `skin` are
    masks from 0 to 1, and `face` is a box on the copy.
    """

    view: Box
    small: Bytes
    lab: Floats
    outline: Floats
    skin: Floats
    face: Box


def find_person(canvas: Canvas, target: Target) -> Person:
    """Return the person whose hair, clothes, or other part a target names.

    If the target names no place, return the person in the foreground. Raises OperationError if there are
    several people, if another person is too close, or if no face is found.
    """
    owner_target = person_target(target)
    return canvas.get_or_compute(
        ("person", owner_target), lambda: _examine_person(canvas, owner_target, target)
    )


def person_target(target: Target) -> Target:
    """Return a target for the person whose hair, clothes, or other part the given target names."""
    return Target("thing", noun=target.of or "person", place=target.place or "foreground")


def _examine_person(canvas: Canvas, owner_target: Target, target: Target) -> Person:
    thing = _wearer(canvas, owner_target, target)
    cut = None if _is_crowded(canvas, thing) else cut_out(canvas, thing)
    face = _face_of(canvas, thing.box)
    if cut is None or face is None:
        raise indistinct_error(target)
    small = working_copy(part_of(canvas.picture, cut.view), _WORKING_PIXELS)
    lab = oklab_from_8_bit(small)
    size = (small.shape[1], small.shape[0])
    outline = cv2.resize(cut.mask, size, interpolation=cv2.INTER_AREA)
    inner = face.seen_from(cut.view).sized(small.shape[1] / cut.view.width)
    return Person(cut.view, small, lab, outline, skin_likelihood(lab, inner), inner)


def _wearer(canvas: Canvas, owner_target: Target, target: Target) -> Thing:
    """Return the only person that a target names. Raises OperationError if there is none or several.

    If the user did not name the person, the error is about what the person wears.
    """
    try:
        (thing,) = target_things(canvas, owner_target)
    except OperationError as unable:
        if unable.reason is not Reason.NO_SUCH_TARGET or target.of:
            raise
        raise not_found_error(target) from None
    return thing


def _is_crowded(canvas: Canvas, thing: Thing) -> bool:
    """Return whether another person overlaps this one so much that one outline could cover both."""
    others = [other for other in things_seen(canvas) if other.kind == thing.kind and other != thing]
    return any(
        covered_share(thing.box, other.box) > _MAX_COVERED_SHARE for other in others if other.score >= SURE
    )


def _face_of(canvas: Canvas, box: Box) -> Box | None:
    """Return the largest face in the upper half of a person's box."""
    low = box.top + 0.5 * box.height
    return next((face for face in faces_in(canvas, box) if face.center[1] < low), None)


def target_face(canvas: Canvas, target: Target) -> Box:
    """Return the single face that a target refers to, or the face of the person that the target names.

    Raises OperationError if it is unclear which face is meant or if that person's face is not found.
    """
    try:
        faces = faces_of(canvas, target)
    except OperationError as unable:
        raise OperationError(unable.reason, unable.sentence, _DRAW_THE_SHOT) from None
    if (target.of or target.place) and _people(canvas):
        (someone,) = target_things(canvas, person_target(target))
        face = _face_of(canvas, someone.box)
        if face is None or _face_owner(canvas, face) != someone:
            owner = target.of or "person"
            sentence = Sentence("I can't find the face of the %(noun)s.", noun=owner)
            if target.place:
                sentence = Sentence(
                    "I can't find the face of the %(noun)s in the %(place)s part of the photo.",
                    noun=owner,
                    place=name_of_place(target.place),
                )
            raise OperationError(Reason.NO_SUCH_TARGET, sentence, _DRAW_THE_SHOT)
        if face in faces:
            return face
        raise OperationError(Reason.AMBIGUOUS, Sentence("I can't tell whose face you mean."), _DRAW_THE_SHOT)
    if len(faces) > 1:
        sentence = Sentence("I found %(n)s faces, so I can't tell whose face you mean.", n=len(faces))
        raise OperationError(Reason.AMBIGUOUS, sentence, _DRAW_THE_SHOT)
    return faces[0]


_DRAW_THE_SHOT = Sentence("Draw a box around what to keep, and say “crop to the box”.")


def _people(canvas: Canvas) -> list[Thing]:
    return [thing for thing in things_seen(canvas) if thing.kind == "person" and thing.score >= SURE]


def _face_owner(canvas: Canvas, face: Box) -> Thing | None:
    """Return the person to whom a face belongs, or None.

    If the boxes of several people contain the face, the person whose center is horizontally nearest is
    chosen.
    """
    people = [candidate for candidate in _people(canvas) if candidate.box.holds_center_of(face)]
    distances = {
        candidate: abs(candidate.box.center[0] - face.center[0]) / candidate.box.width for candidate in people
    }
    return min(distances, key=distances.__getitem__, default=None)


def skin_likelihood(lab: Floats, face: Box) -> Floats:
    """Return how much each pixel looks like the cheeks in more or less light, from 0 to 1.

    Below the chin, deeper shadow is allowed.
    """
    cheeks = cheek_color(lab, face)
    lighter = lab[:, :, 0] - cheeks[0]
    paler = np.clip(lab[:, :, 0] / max(float(cheeks[0]), 0.05), 0.4, 1.1)  # darker skin also has less chroma
    difference = np.hypot(lab[:, :, 1] - cheeks[1] * paler, lab[:, :, 2] - cheeks[2] * paler)
    likely = np.clip(1.5 - difference / (np.float32(_MAX_SKIN_DIFFERENCE) * np.minimum(paler, 1)), 0, 1)
    darkest = np.full(lab.shape[:2], _MAX_DARKER, np.float32)
    darkest[area_below_chin(face, lab.shape, -0.3, 0.9, 0.55)] = _MAX_DARKER_IN_SHADOW
    likely *= np.clip((_MAX_LIGHTER - lighter) / 0.06 + 0.5, 0, 1)
    likely *= np.clip((lighter + darkest) / 0.06 + 0.5, 0, 1)
    return cast(Floats, likely.astype(np.float32))


def area_below_chin(face: Box, shape: tuple[int, ...], start: float, end: float, half: float) -> BoolMask:
    """Return a mask of the area between two distances, `start` and `end`, below the chin.

    The distances are multiples of the face's height; they are negative above the chin. `half` is half the
    width of the area, as a multiple of the face's width.
    """
    middle, chin = face.center[0], face.bottom
    top, bottom = (max(0, round(chin + times * face.height)) for times in (start, end))
    left, right = (max(0, round(middle + times * face.width)) for times in (-half, half))
    return cast(BoolMask, boxes_to_mask([Box(left, top, right, bottom)], shape) == 1)


def face_ellipse(face: Box, shape: tuple[int, ...], middle: float, across: float, down: float) -> BoolMask:
    """Return a mask of an ellipse that is placed relative to a face.

    `middle` is how far the ellipse's center is below the chin, as a multiple of the face's height; it is
    negative above the chin. `across` and `down` are the semi-axes of the ellipse, as multiples of the face's
    width and height.
    """
    place = np.zeros(shape[:2], np.uint8)
    center = round(face.center[0]), round(face.bottom + middle * face.height)
    axes = round(across * face.width), round(down * face.height)
    return cast(BoolMask, cv2.ellipse(place, center, axes, 0, 0, 360, (1,), -1) == 1)


def cheek_color(lab: Floats, face: Box) -> Floats:
    """Return the median color of the area between the eyes and the mouth."""
    cheeks = lab[area_below_chin(face, lab.shape, -0.55, -0.27, 0.25)]
    return np.median(cheeks if len(cheeks) else lab.reshape(-1, 3), axis=0)


def person_part_mask(canvas: Canvas, person: Person, part: Bytes) -> Floats:
    """Convert a 0/1 mask of a part of a person on the working copy to a soft mask at the picture's size."""
    soft = cv2.GaussianBlur(part.astype(np.float32), (0, 0), 0.8)
    fine = upsample_mask(refine_mask(soft, person.small, 4), part_of(canvas.picture, person.view))
    return mask_of(canvas.picture.pixels.shape, [(person.view, fine)])
