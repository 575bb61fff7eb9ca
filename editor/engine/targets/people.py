"""Counts the people in the photo and those whose faces are found."""

from collections.abc import Sequence

from editor.engine.canvas import Canvas
from editor.engine.pixels import Box
from editor.engine.plan import Target
from editor.engine.targets.detector import things_seen

_LIKELY = 0.35  # minimum detection score of a person


def count_people_without_faces(canvas: Canvas, faces: Sequence[Box]) -> int:
    """Return the number of detected people without a face. Each face is assigned to one person."""
    people = [thing.box for thing in things_seen(canvas) if thing.kind == "person" and thing.score >= _LIKELY]
    left, missed = list(faces), 0
    for person in sorted(people, key=lambda box: box.area):
        own = next((face for face in left if person.holds_center_of(face)), None)
        if own is None:
            missed += 1
        else:
            left.remove(own)
    return missed


def means_everyone(target: Target) -> bool:
    """Return whether the target of an operation on faces refers to the faces of all people in the photo."""
    return target.what != "region" and not target.place and not target.boxes


def count_faces(faces: Sequence[Box]) -> str:
    return "1 face" if len(faces) == 1 else f"{len(faces)} faces"


def faces_for_people(canvas: Canvas, faces: Sequence[Box]) -> str:
    """Return a phrase such as "2 faces for 3 people", which compares the faces found with the people."""
    people = len(faces) + count_people_without_faces(canvas, faces)
    return f"{count_faces(faces)} for {people} {'person' if people == 1 else 'people'}"


def with_face_count(canvas: Canvas, target: Target, faces: Sequence[Box]) -> Canvas:
    """Return the canvas, with a notice if everyone's faces were meant but not all of them were found."""
    if not means_everyone(target) or not count_people_without_faces(canvas, faces):
        return canvas
    return canvas.with_notice(f"I found {faces_for_people(canvas, faces)}.")
