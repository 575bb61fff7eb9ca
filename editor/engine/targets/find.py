"""From a target of the plan to its mask. A scope that is not found is refused; it never turns global."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.plan import Reason, Step, Target
from editor.engine.refused import MARK_IT, Unable
from editor.engine.targets.color import colored_mask
from editor.engine.targets.faces import find_faces
from editor.engine.targets.marked import marked_boxes, marked_mask
from editor.engine.targets.masks import brought_up
from editor.engine.targets.subject import subject_mask


def step_mask(canvas: Canvas, step: Step) -> Floats | None:
    """Where a step may change pixels: height x width at the picture's size, 0 to 1; None is everywhere.

    What the step keeps is taken away. Raises Unable.
    """
    mask = None if step.target.what == "whole" else target_mask(canvas, step.target)
    for kept in step.keep:
        free = 1 - target_mask(canvas, kept)
        mask = free if mask is None else mask * free
    return mask


def target_mask(canvas: Canvas, target: Target) -> Floats:
    """The target's mask at the picture's size."""
    finders = {
        "subject": _subject,
        "background": _background,
        "region": _region,
        "face": _faces,
        "thing": _thing,
    }
    finder = finders.get(target.what)
    if finder is None:
        raise Unable(
            Reason.NEEDS_REGION,
            f"The {target.what} was not looked for.",
            f"Mark the {target.what} with a box.",
        )
    return finder(canvas, target)


def _subject(canvas: Canvas, target: Target) -> Floats:
    return brought_up(subject_mask(canvas, strict=False), canvas.picture)


def _background(canvas: Canvas, target: Target) -> Floats:
    return 1 - _subject(canvas, target)


def _region(canvas: Canvas, target: Target) -> Floats:
    return marked_mask(canvas, marked_boxes(canvas, target))


def _thing(canvas: Canvas, target: Target) -> Floats:
    boxes = marked_boxes(canvas, target) if target.boxes else []
    if target.color:
        mask = colored_mask(canvas, target.color, target.noun, boxes, target.place)
        return brought_up(mask, canvas.picture)
    if boxes:
        return marked_mask(canvas, boxes)
    noun = target.noun or "it"
    raise Unable(
        Reason.NO_SUCH_TARGET,
        f"“{noun}” was not found.",
        f"Mark the {noun} with a box." if target.noun else MARK_IT,
    )


def _faces(canvas: Canvas, target: Target) -> Floats:
    faces = find_faces(canvas.picture)
    if not faces:
        raise Unable(Reason.NO_SUCH_TARGET, "No face was found.", "Mark the face with a box.")
    mask = np.zeros((canvas.picture.height, canvas.picture.width), np.float32)
    for face in faces:
        middle = (round(face.center[0]), round(face.center[1]))
        cv2.ellipse(mask, middle, (round(face.width * 0.5), round(face.height * 0.65)), 0, 0, 360, 1.0, -1)
    return cast(Floats, cv2.blur(mask, (max(3, faces[0].width // 8 | 1),) * 2))
