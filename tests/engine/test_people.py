"""Tests for deciding which uncertain faces belong to people."""

import numpy as np
import pytest

from editor.engine.pixels import Box
from editor.engine.vision import people
from editor.engine.vision.faces import Face
from editor.engine.vision.people import real_faces
from editor.engine.vision.things import Thing
from editor.imaging.picture import Picture

FACE = Box(100, 60, 160, 140)
AROUND = Box(60, 40, 240, 400)


@pytest.mark.parametrize(
    ("score", "kind", "has_mesh", "counts"),
    [
        (0.95, None, False, True),  # a profile that the detector is certain about
        (0.85, None, True, True),
        (0.85, None, False, False),  # a headlight
        (0.75, None, True, False),
        (0.75, "person", True, True),
        (0.75, "person", False, False),  # a guitar on someone's lap
        (0.85, "person", False, True),  # a profile
        (0.88, "dog", True, False),
    ],
)
def test_an_uncertain_face_needs_further_evidence(
    monkeypatch: pytest.MonkeyPatch, score: float, kind: str | None, has_mesh: bool, counts: bool
) -> None:
    face = Face(FACE, score, ((110.0, 80.0),) * 5)
    things = [Thing(kind, 0.7, AROUND)] if kind else []
    monkeypatch.setattr(people, "find_faces", lambda colors: [face])
    monkeypatch.setattr(people, "detect", lambda picture: things)
    monkeypatch.setattr(people, "find_mesh", lambda colors, face: object() if has_mesh else None)
    assert len(real_faces(Picture(np.zeros((480, 640, 3), np.uint8)))) == counts


def test_faces_in_a_large_photo_are_located_in_its_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "find_faces", lambda colors: [Face(FACE, 0.95, ((110.0, 80.0),) * 5)])
    (face,) = real_faces(Picture(np.zeros((1280, 1920, 3), np.uint8)))
    assert face.box == Box(200, 120, 320, 280)
    assert face.landmarks[0] == (220.0, 160.0)


def test_a_tiny_face_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = Face(Box(5, 5, 12, 14), 0.95, ((7.0, 8.0),) * 5)
    monkeypatch.setattr(people, "find_faces", lambda colors: [tiny])
    assert real_faces(Picture(np.zeros((480, 640, 3), np.uint8))) == []
