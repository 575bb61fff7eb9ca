"""Count the faces in the photo, and the people whose faces are not found."""

from collections.abc import Sequence

from editor.engine.canvas import Canvas
from editor.engine.pixels import Box
from editor.engine.plan import Target
from editor.engine.targets.detector import things_seen
from editor.sentences import Sentence

_MIN_PERSON_SCORE = 0.35  # minimum detection score of a person


def count_people_without_faces(canvas: Canvas, faces: Sequence[Box]) -> int:
    """Return the number of detected people without a face. Each face is assigned to one person."""
    people = [
        thing.box
        for thing in things_seen(canvas)
        if thing.kind == "person" and thing.score >= _MIN_PERSON_SCORE
    ]
    left, missed = list(faces), 0
    for person in sorted(people, key=lambda box: box.area):
        own = next((face for face in left if person.holds_center_of(face)), None)
        if own is None:
            missed += 1
        else:
            left.remove(own)
    return missed


def is_everyone(target: Target) -> bool:
    """Return whether the target of an operation on faces refers to the faces of all people in the photo."""
    return target.what != "region" and not target.place and not target.boxes


def count_faces(faces: Sequence[Box]) -> Sentence:
    return Sentence("1 face") if len(faces) == 1 else Sentence("%(n)s faces", n=len(faces))


def faces_for_people(canvas: Canvas, faces: Sequence[Box]) -> Sentence:
    """Return a phrase such as "2 faces for 3 people", which compares the faces found with the people."""
    people = len(faces) + count_people_without_faces(canvas, faces)
    counted = Sentence("1 person") if people == 1 else Sentence("%(n)s people", n=people)
    return Sentence("%(faces)s for %(people)s", faces=count_faces(faces), people=counted)


def with_face_count(canvas: Canvas, target: Target, faces: Sequence[Box]) -> Canvas:
    """Return the canvas, with a notice if everyone's faces were meant but not all of them were found."""
    if not is_everyone(target) or not count_people_without_faces(canvas, faces):
        return canvas
    return canvas.with_notice(Sentence("I found %(found)s.", found=faces_for_people(canvas, faces)))
