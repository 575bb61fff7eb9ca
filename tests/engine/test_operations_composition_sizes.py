"""Tests for stretching, for print sizes, for fitting a photo inside a size, and for turning it upright.

Photos are turned upright according to the faces in them.
"""

from typing import cast

import cv2
import numpy as np
import pytest

from editor.engine.drawing import crop_windows
from editor.engine.errors import PlanRefused
from editor.engine.operations.composition import turn
from editor.engine.pixels import Box
from editor.engine.plan import Target
from editor.engine.targets import faces, thing_outlines, things
from editor.engine.targets import people as people_module
from editor.engine.vision.faces import Face
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture
from editor.options import Region
from tests.engine.people import people
from tests.engine.pictures import apply_steps, ball, scenery, step


@pytest.mark.parametrize(
    ("side", "percent", "size"),
    [("width", 150, (360, 160)), ("width", 50, (120, 160)), ("height", 125, (240, 200))],
)
def test_the_named_side_is_stretched(side: str, percent: float, size: tuple[int, int]) -> None:
    result = apply_steps(scenery(240, 160), step("stretch", side=side, percent=percent))
    assert (result.width, result.height) == size


def test_stretching_to_a_size_keeps_the_whole_photo() -> None:
    photo = scenery(240, 160)
    result = apply_steps(photo, step("stretch", size="120x160"))
    halved = cv2.resize(photo.pixels, (120, 160), interpolation=cv2.INTER_AREA)
    assert np.abs(result.pixels.astype(int) - halved).max() < 2


def test_a_negative_amount_makes_the_photo_narrower() -> None:
    assert apply_steps(scenery(240, 160), step("stretch", side="width", amount=-0.35)).width < 240


@pytest.mark.parametrize(("size", "expected"), [((240, 160), (1800, 1200)), ((160, 240), (1200, 1800))])
def test_a_print_has_the_orientation_of_the_photo(size: tuple[int, int], expected: tuple[int, int]) -> None:
    result = apply_steps(scenery(*size), step("print_size", paper="4 x 6 inches"))
    assert (result.width, result.height) == expected
    assert any("enlarged" in notice for notice in result.notices)


@pytest.mark.parametrize(("paper", "expected"), [("4 x 6 inches", (400, 600)), ("6 x 4 inches", (600, 400))])
def test_a_print_of_a_square_photo_keeps_the_order_of_the_sides(
    paper: str, expected: tuple[int, int]
) -> None:
    result = apply_steps(scenery(160, 160), step("print_size", paper=paper, dpi=100.0))
    assert (result.width, result.height) == expected


def test_a_print_size_can_be_given_in_millimeters() -> None:
    result = apply_steps(scenery(160, 240), step("print_size", paper="210 x 297 mm"))
    assert (result.width, result.height) == (2480, 3508)


def test_a_photo_is_resized_to_fit_within_a_size() -> None:
    result = apply_steps(scenery(240, 160), step("resize", size="within 120x120"))
    assert (result.width, result.height) == (120, 80)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_photo_is_rotated_until_its_faces_are_upright(monkeypatch: pytest.MonkeyPatch, turns: int) -> None:
    photo = scenery(240, 160)
    seen_on(monkeypatch, photo)
    lying = Picture(cast(Bytes, np.ascontiguousarray(np.rot90(photo.pixels, turns))))
    assert np.array_equal(apply_steps(lying, step("upright")).pixels, photo.pixels)


def test_it_rejects_a_photo_whose_faces_are_upright(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = scenery(240, 160)
    seen_on(monkeypatch, photo)
    with pytest.raises(PlanRefused, match="already"):
        apply_steps(photo, step("upright"))


def test_it_rejects_a_photo_without_faces() -> None:
    with pytest.raises(PlanRefused, match="can't tell"):
        apply_steps(scenery(240, 160), step("upright"))


def seen_on(monkeypatch: pytest.MonkeyPatch, photo: Picture) -> None:
    """Make the detector find a clear face in this photo.

    In all other photos, it finds only small or unclear faces.
    """

    def find(colors: Bytes) -> list[Face]:
        small, unclear = Face(Box(0, 0, 10, 10), 0.95, ()), Face(Box(50, 50, 90, 90), 0.8, ())
        clear = Face(Box(50, 50, 90, 90), 0.9, ())
        return [clear] if np.array_equal(colors, photo.pixels) else [small, unclear]

    monkeypatch.setattr(turn, "find_faces", find)


def test_a_cropped_photo_is_resized_to_fit_the_original_size() -> None:
    photo = scenery(240, 160)
    result = apply_steps(photo, step("crop", ratio="1:1"), _ORIGINAL)
    assert (result.width, result.height) == (160, 160)
    result = apply_steps(photo, step("crop", percent=25, place="all"), _ORIGINAL)
    assert (result.width, result.height) == (240, 160)


def test_restoring_the_original_size_is_refused_if_it_has_not_changed() -> None:
    with pytest.raises(PlanRefused, match="already has its original size"):
        apply_steps(scenery(240, 160), _ORIGINAL)


_ORIGINAL = step("resize", original=True)


def _shot(picture: Picture, shot: str, place: str | None = None, of: str | None = None) -> Picture:
    face = Target("face", place=place, count=1, of=of)
    return apply_steps(picture, step("crop", target=face, shot=shot))


def test_an_upper_body_shot_is_larger_than_a_head_and_shoulders_shot(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = people((300, 60, 100), width=900, height=700)
    monkeypatch.setattr(faces, "_squares", lambda found, picture: [Box(310, 70, 390, 150)])
    head, body = _shot(photo, "head and shoulders"), _shot(photo, "upper body")
    assert 150 < head.height < body.height < 400
    assert head.width < body.width < 400


def test_a_place_selects_one_of_several_people_for_a_shot(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = people((150, 60, 100), (600, 60, 100), width=900, height=700)
    found = [Box(160, 70, 240, 150), Box(610, 70, 690, 150)]
    _see(monkeypatch, found)
    right = _shot(photo, "head and shoulders", "right")
    left, top, *_ = found[1]
    assert np.array_equal(right.pixels[48, 88], photo.pixels[top, left])
    with pytest.raises(PlanRefused, match="found 2 faces"):
        _shot(photo, "head and shoulders")


def test_a_box_selects_one_of_several_people_for_a_shot(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = people((150, 60, 100), (600, 60, 100), width=900, height=700)
    found = [Box(160, 70, 240, 150), Box(610, 70, 690, 150)]
    _see(monkeypatch, found)
    shot = step("crop", shot="head and shoulders", target=Target("face", boxes=(1,), count=1))
    right = apply_steps(photo, shot, regions=(Region(0.6, 0.05, 0.3, 0.9),))
    left, top, *_ = found[1]
    assert np.array_equal(right.pixels[48, 88], photo.pixels[top, left])


@pytest.mark.parametrize(
    ("place", "region", "rows"),
    [
        ("top", Region(0, 0.02, 1, 0.28), slice(60, 200)),
        ("bottom", Region(0.2, 0.75, 0.5, 0.25), slice(0, 150)),
    ],
)
def test_cropping_off_a_box_removes_the_side_up_to_its_inner_edge(
    place: str, region: Region, rows: slice
) -> None:
    photo = scenery(300, 200)
    off = step("crop", mode="off", place=place, target=Target("region", boxes=(1,)))
    assert np.array_equal(apply_steps(photo, off, regions=(region,)).pixels, photo.pixels[rows])


def test_cropping_off_a_box_in_the_middle_is_refused() -> None:
    off = step("crop", mode="off", place="top", target=Target("region", boxes=(1,)))
    with pytest.raises(PlanRefused, match="doesn't reach the top"):
        apply_steps(scenery(), off, regions=(Region(0.3, 0.4, 0.3, 0.3),))


def _see(monkeypatch: pytest.MonkeyPatch, found: list[Box], *someone: Box) -> None:
    """Make the detectors find these faces and people."""
    seen = [Thing("person", 0.7, box) for box in someone]
    monkeypatch.setattr(faces, "_squares", lambda faces, picture: found)
    for module in (people_module, things, thing_outlines):
        monkeypatch.setattr(module, "things_seen", lambda canvas: seen)


def test_a_shot_of_a_person_without_a_visible_face_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    photo = people((150, 60, 100), (600, 60, 100), width=900, height=700)
    face = Box(450, 70, 530, 150)
    _see(monkeypatch, [face], Box(40, 40, 340, 700), Box(350, 40, 630, 700))
    with pytest.raises(PlanRefused, match="the face of the woman in the left part"):
        _shot(photo, "head and shoulders", "left", "woman")
    assert _shot(photo, "head and shoulders", "right", "woman").width < 400


def test_the_refusal_of_a_shot_without_a_face_suggests_a_box(monkeypatch: pytest.MonkeyPatch) -> None:
    _see(monkeypatch, [])
    with pytest.raises(PlanRefused, match=r"can't find a face\. Draw a box around what to keep"):
        _shot(people((150, 60, 100), width=900, height=700), "upper body")


def test_a_face_in_two_person_boxes_belongs_to_the_one_it_is_centered_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    photo = people((150, 60, 100), (600, 60, 100), width=900, height=700)
    _see(monkeypatch, [Box(330, 70, 410, 150)], Box(40, 40, 420, 700), Box(240, 40, 520, 700))
    with pytest.raises(PlanRefused, match="the face of the man in the left part"):
        _shot(photo, "upper body", "left", "man")


def test_a_shot_is_refused_if_a_face_belongs_to_no_detected_person(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    photo = people((150, 60, 100), (600, 60, 100), width=900, height=700)
    _see(monkeypatch, [Box(160, 70, 240, 150), Box(500, 70, 580, 150)], Box(380, 40, 680, 700))
    with pytest.raises(PlanRefused, match="can't tell whose face"):
        _shot(photo, "head and shoulders", "left", "person")


@pytest.mark.parametrize(("kind", "rows"), [("bird", (10, 190)), ("bird", (90, 290)), ("dog", (40, 220))])
def test_a_crop_to_a_ratio_keeps_the_head_of_an_animal(
    monkeypatch: pytest.MonkeyPatch, kind: str, rows: tuple[int, int]
) -> None:
    photo = Picture(np.full((300, 400, 3), (120, 150, 120), np.uint8))
    photo.pixels[200:290, 20:380] = (200, 60, 40)  # This area is more prominent than the animal.
    photo.pixels[rows[0] : rows[1], 120:280] = (105, 130, 105)
    photo.pixels[rows[0] : rows[0] + 3, 120:280] = (0, 0, 255)
    seen = [Thing(kind, 0.59, Box(120, rows[0], 280, rows[1]))]
    monkeypatch.setattr(crop_windows, "things_seen", lambda canvas: seen)
    result = apply_steps(photo, step("crop", ratio="16:9"))
    assert (result.pixels == (0, 0, 255)).all(2).any()


def test_a_print_has_the_requested_resolution() -> None:
    result = apply_steps(scenery(240, 160), step("print_size", paper="4 x 6 inches", dpi=100.0))
    assert (result.width, result.height, result.dots_per_inch) == (600, 400, 100)


def test_a_resolution_without_a_size_changes_no_pixels() -> None:
    photo = scenery(240, 160)
    result = apply_steps(photo, step("print_size", dpi=240.0))
    assert np.array_equal(result.pixels, photo.pixels)
    assert result.dots_per_inch == 240
    with pytest.raises(PlanRefused, match="36 to 1,200 dpi"):
        apply_steps(photo, step("print_size", dpi=9000.0))


@pytest.mark.parametrize("size", ["400x400", "300x500"])
def test_a_subject_is_centered_with_the_requested_margin(size: str) -> None:
    white = step("solid_background", Target("background"), color="white")
    result = apply_steps(ball(), white, step("fit_subject", size=size, percent=10.0)).pixels
    height, width = result.shape[:2]
    assert f"{width}x{height}" == size
    rows, columns = np.nonzero(result.min(2) < 200)
    assert columns.min() == pytest.approx(0.1 * width, abs=4)
    assert columns.max() == pytest.approx(0.9 * width, abs=4)
    assert (rows.min() + rows.max()) / 2 == pytest.approx(height / 2, abs=4)
    assert result[0].min() == result[-1].min() == 255


def test_padding_gives_the_exact_size_without_cropping_the_photo() -> None:
    result = apply_steps(scenery(240, 160), step("extend", size="300x300", color="black")).pixels
    assert result.shape[:2] == (300, 300)
    assert result[20, 150].tolist() == result[-20, 150].tolist() == [0, 0, 0]
    assert result[150, 5].tolist() != [0, 0, 0]
