"""Tests that the networks still give the same output as when they were added, to detect a broken one.

With UPDATE_PICTURES=1, the tests store the masks again.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from editor.engine.colors import Floats
from editor.engine.pixels import Box
from editor.engine.vision.faces import Face, find_faces
from editor.engine.vision.mesh import find_mesh
from editor.engine.vision.network import load_network
from editor.engine.vision.salient_object import find_salient_object
from editor.engine.vision.segmentation import Embedding, encode, mask_of_box, mask_of_points
from editor.engine.vision.text import find_text
from editor.imaging.picture import Bytes
from tests.engine.photos import photo

STORED = Path(__file__).parent / "seen"
SIDE = 96  # side length of a stored mask, in pixels


def colors(name: str) -> Bytes:
    return photo(name).pixels[:, :, :3].astype(np.uint8)


@pytest.fixture(scope="module", autouse=True)
def _unloaded() -> Iterator[None]:
    """Free the memory that the networks use, after the tests in this file."""
    yield
    load_network.cache_clear()


@pytest.fixture(scope="module")
def cup() -> Embedding:
    return encode(colors("cup"))


@pytest.fixture(scope="module")
def cat() -> Embedding:
    return encode(colors("cat"))


def assert_as_stored(name: str, mask: Floats) -> None:
    small = (cv2.resize(mask, (SIDE, SIDE), interpolation=cv2.INTER_AREA) * 255).astype(np.uint8)
    path = STORED / f"{name}.png"
    if os.environ.get("UPDATE_PICTURES"):
        cv2.imwrite(str(path), small)
    stored = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    assert stored is not None
    assert np.abs(stored.astype(int) - small).mean() < 2.5


def test_an_embedding_keeps_the_size_of_the_photo(cup: Embedding) -> None:
    assert (cup.height, cup.width) == colors("cup").shape[:2]
    assert cup.values.shape == (1, 256, 64, 64)
    assert cup.values.dtype == np.float16


def test_the_thing_in_a_box_is_outlined(cup: Embedding) -> None:
    whole = Box(round(0.1 * cup.width), 5, round(0.9 * cup.width), cup.height - 5)
    assert_as_stored("cup-box", mask_of_box(cup, whole))


def test_the_thing_at_a_point_is_outlined(cat: Embedding) -> None:
    mask = mask_of_points(cat, [(cat.width * 0.5, cat.height * 0.5)])
    assert max(mask.shape) == 1024
    assert_as_stored("cat-point", mask)


def test_a_negative_point_removes_part_of_the_mask(cup: Embedding) -> None:
    spot = (cup.width * 0.5, cup.height * 0.45)
    saucer = (cup.width * 0.5, cup.height * 0.93)
    assert_as_stored("cup-points", mask_of_points(cup, [spot], [saucer]))


@pytest.mark.parametrize("name", ["astronaut", "cat", "cup"])
def test_the_subject_is_found(name: str) -> None:
    assert_as_stored(f"{name}-subject", find_salient_object(colors(name)))


def astronaut() -> Face:
    (face,) = find_faces(colors("astronaut"))
    return face


def test_a_face_has_a_box_and_landmarks() -> None:
    face = astronaut()
    assert face.score == pytest.approx(0.94, abs=0.02)
    assert np.abs(np.array(face.box) - (113, 40, 169, 109)).max() <= 2
    landmarks = np.array([(127, 63), (153, 64), (140, 78), (127, 90), (150, 89)])
    assert np.abs(np.array(face.landmarks) - landmarks).max() <= 2


def test_no_face_is_seen_in_a_cat_or_a_cup() -> None:
    assert find_faces(colors("cat")) == find_faces(colors("cup")) == []


def test_a_rotated_face_is_found() -> None:
    upright = colors("astronaut")
    turn = cv2.getRotationMatrix2D((140, 75), -35, 1.0)
    turned = cv2.warpAffine(upright, turn, upright.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    (face,) = find_faces(turned.astype(np.uint8))
    mesh = find_mesh(turned.astype(np.uint8), face)
    assert mesh is not None
    (x, y), (to_x, to_y) = mesh.outline("left_eye").mean(0), mesh.outline("right_eye").mean(0)
    assert np.degrees(np.arctan2(to_y - y, to_x - x)) == pytest.approx(35, abs=8)


def test_a_mesh_outlines_the_parts_of_a_face() -> None:
    face = astronaut()
    mesh = find_mesh(colors("astronaut"), face)
    assert mesh is not None
    assert mesh.points.shape == (468, 2)
    assert mesh.presence > 0.9
    assert np.abs(mesh.outline("left_eye").mean(0) - face.landmarks[0]).max() < 4
    assert np.abs(mesh.outline("right_eye").mean(0) - face.landmarks[1]).max() < 4
    lips, mouth, oval = mesh.outline("lips"), mesh.outline("mouth"), mesh.outline("oval")
    assert_inside(mouth, lips)
    assert_inside(lips, oval)
    assert np.abs(lips.mean(0) - (139, 89)).max() < 4


def assert_inside(inner: Floats, outer: Floats) -> None:
    hull = cv2.convexHull(outer.astype(np.float32))
    assert all(cv2.pointPolygonTest(hull, (float(x), float(y)), True) > -1 for x, y in inner)


def test_no_mesh_is_found_for_a_profile() -> None:
    face = astronaut()
    (x, y), (_, other), *rest = face.landmarks
    aside = Face(face.box, face.score, ((x, y), (x + 3, other), *rest))
    assert find_mesh(colors("astronaut"), aside) is None


def test_no_mesh_is_found_for_an_area_that_is_not_a_face() -> None:
    points = ((140.0, 90.0), (180.0, 90.0), (160.0, 110.0), (145.0, 130.0), (175.0, 130.0))
    assert find_mesh(colors("cup"), Face(Box(120, 60, 200, 150), 0.8, points)) is None


def labeled(text: str) -> Bytes:
    pixels = cv2.resize(colors("cup"), (640, 427))
    cv2.putText(pixels, text, (330, 410), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (255, 210, 60), 2, cv2.LINE_AA)
    return pixels.astype(np.uint8)


def test_text_is_found_and_read() -> None:
    (line,) = find_text(labeled("2026-11-28 14:05"))
    assert line.text.replace(" ", "") == "2026-11-2814:05"
    assert line.score > 0.8
    assert line.box.holds_center_of(Box(440, 395, 450, 405))
    assert line.box.width == pytest.approx(236, abs=15)
    (left, top), (right, _), *_ = line.corners
    assert left < right
    assert line.box.top <= top


def test_text_that_runs_upward_is_found() -> None:
    turned = cv2.rotate(labeled("HOUSE 42"), cv2.ROTATE_90_COUNTERCLOCKWISE)
    (line,) = find_text(turned.astype(np.uint8))
    assert line.box.height > 2 * line.box.width


@pytest.mark.parametrize("name", ["astronaut", "cat", "cup"])
def test_no_text_is_found_in_photos_without_text(name: str) -> None:
    assert find_text(colors(name)) == []
