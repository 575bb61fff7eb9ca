"""One person: the one at a place, told from the others by the faces."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Box, Canvas, working_copy
from editor.engine.colors import Floats
from editor.engine.plan import Reason
from editor.engine.refused import MARK_THE_SUBJECT, Unable
from editor.engine.targets.faces import find_faces
from editor.engine.targets.grabcut import grab, people_hints, scaled
from editor.engine.targets.masks import ALPHA_SIDE, refined, without_crumbs
from editor.engine.targets.places import chosen_by_place, in_place
from editor.engine.targets.signs import holds, outline_contrast, ramp
from editor.engine.targets.subject import ENOUGH, SIDE, subject_mask
from editor.imaging.codecs import Bytes


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
    small = working_copy(canvas.picture, SIDE)
    scale = small.shape[1] / canvas.picture.width
    own, strangers = scaled(face, scale), [scaled(other, scale) for other in others]
    hints = people_hints(small.shape[:2], [own])
    for stranger in strangers:
        hints[_person_area(small.shape[:2], stranger, own) == 1] = cv2.GC_BGD
    solid = without_crumbs(grab(small, hints, 4))
    outline = ramp(outline_contrast(small, solid), 0.5, 0.75)
    if outline < ENOUGH or not holds(solid, own) or any(holds(solid, stranger) for stranger in strangers):
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
