from collections.abc import Callable
from typing import Any, cast

import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.errors import PlanRefused
from editor.engine.operations.remove import erase_text
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.vision.text import TextLine, read_text
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.options import Region
from tests.engine.pictures import REGION, apply_steps, ball, ball_mask, changed, deep, scenery, step

ORANGE = (250, 140, 30)
AT = (430, 385)


def meadow() -> Picture:
    """Draw a rough background in dark greens."""
    random = np.random.default_rng(7)
    rough = cv2.GaussianBlur(random.normal(0, 60, (420, 640, 1)).astype(np.float32), (0, 0), 1.6)
    pixels = np.array([60, 80, 45], np.float32) + rough[:, :, None] * 1.5
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def written(
    photo: Picture, text: str = "21 08 2011", at: tuple[int, int] = AT, color: Any = ORANGE
) -> Picture:
    pixels = photo.pixels.copy()
    cv2.putText(pixels, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, color, 2, cv2.LINE_AA)
    return Picture(pixels)


def reading(photo: Picture) -> list[str]:
    return [line.text for line in read_text(photo)]


def strokes(one: Picture, other: Picture) -> Bytes:
    apart = np.abs(one.pixels.astype(int) - other.pixels).max(2)
    return cv2.dilate((apart > 20).astype(np.uint8), np.ones((9, 9), np.uint8)).astype(np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "fields",
    [
        {"sort": "timestamp"},
        {"sort": "timestamp", "place": "bottom right"},
        {"sort": "text", "place": "bottom"},
        {"sort": "text", "target": Target("text", place="right")},
    ],
)
def test_a_date_is_removed_and_the_photo_behind_it_is_restored(fields: dict[str, Any]) -> None:
    truth, dated = meadow(), written(meadow())
    result = apply_steps(dated, step("erase_text", **fields))
    mask = strokes(dated, truth)
    before = np.abs(dated.pixels.astype(int) - truth.pixels)[mask == 1].mean()
    after = np.abs(result.pixels.astype(int) - truth.pixels)[mask == 1].mean()
    assert after < 0.4 * before
    assert not _is_orange(result.pixels).any()
    assert not changed(dated, result)[cv2.dilate(mask, np.ones((9, 9), np.uint8)) == 0].any()


def _is_orange(pixels: Pixels) -> Any:
    red, _, blue = (pixels[:, :, at].astype(int) for at in range(3))
    return (red - blue > 140) & (red > 180)


@pytest.mark.slow
def test_erasing_a_text_target_equals_the_operation_for_erasing_text() -> None:
    dated = written(meadow())
    one = apply_steps(dated, step("erase", target=Target("text")))
    other = apply_steps(dated, step("erase_text"))
    assert np.array_equal(one.pixels, other.pixels)


def test_letters_in_a_box_are_removed_and_the_background_is_restored() -> None:
    truth = scenery(640, 420)
    signed = written(truth, "Hello", (60, 80), (255, 255, 255))
    region = Region(0.05, 0.08, 0.25, 0.15)
    result = apply_steps(signed, step("erase_text", target=REGION), regions=(region,))
    mask = strokes(signed, truth)
    assert np.abs(result.pixels.astype(int) - truth.pixels)[mask == 1].mean() < 8
    outside = changed(signed, result)
    outside[33:98, 31:193] = False
    assert not outside.any()


@pytest.mark.slow
def test_16_bit_photos_stay_at_16_bits() -> None:
    dated = deep(written(meadow()))
    result = apply_steps(dated, step("erase_text", sort="timestamp"))
    assert result.pixels.dtype == np.uint16
    assert np.array_equal(result.pixels[:300], dated.pixels[:300])


@pytest.mark.parametrize("choice", ["timestamp", "text", "watermark", None])
def test_without_text_the_refusal_asks_for_a_box(choice: str | None) -> None:
    with pytest.raises(PlanRefused, match="box") as caught:
        apply_steps(meadow(), step("erase_text", sort=choice))
    assert caught.value.refusals[0].reason is Reason.NO_SUCH_TARGET


def test_a_text_that_is_not_a_date_is_not_removed_as_a_date() -> None:
    with pytest.raises(PlanRefused, match="can't find the date"):
        apply_steps(written(meadow(), "ABERDEEN"), step("erase_text", sort="timestamp"))


def test_only_the_date_in_the_corner_is_removed() -> None:
    dated = written(written(meadow()), "07 05 1999", at=(200, 200))
    result = apply_steps(dated, step("erase_text", sort="timestamp"))
    (left,) = reading(result)
    assert left.replace(" ", "") == "07051999"


def test_a_removed_date_is_no_longer_readable() -> None:
    dated = written(scenery(640, 420), "11 08 21 14:05", at=(380, 385))
    result = apply_steps(dated, step("erase_text", sort="timestamp"))
    assert reading(dated) == ["11 08 21 14:05"]
    assert reading(result) == []


@pytest.mark.parametrize(("right", "are_left"), [(640, False), (240, True)])
def test_letters_beside_the_found_strokes_are_noticed(right: int, are_left: bool) -> None:
    dark = Picture(scenery(640, 420).pixels // 4)
    photo = written(dark, "FERRY", (200, 200), (250, 250, 250))
    found = strokes(photo, dark)
    found[:, right:] = 0
    corners = np.array([(198, 178), (290, 178), (290, 204), (198, 204)], np.float32)
    assert erase_text._leaves_letters(cast(Bytes, photo.pixels), found, corners) is are_left


def test_bold_letters_that_a_line_cuts_off_are_removed_completely() -> None:
    shirt = np.full((240, 420, 3), 30, np.uint8)
    pixels = shirt.copy()
    cv2.putText(pixels, "HOME", (60, 160), cv2.FONT_HERSHEY_SIMPLEX, 3.6, (240, 240, 240), 26, cv2.LINE_AA)
    rows, columns = np.nonzero(pixels[:, :, 0] > 128)
    left, top, right, bottom = columns.min(), rows.min() + 9, columns.max(), rows.max() - 9
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    found = erase_text._strokes_of_line(cast(Bytes, pixels), corners, 0.0)
    assert found[pixels[:, :, 0] > 128].all()
    assert found.mean() < 0.7


def test_an_apostrophe_before_a_date_is_part_of_it() -> None:
    pixels = written(meadow(), "11 08 21").pixels
    pixels[366:371, 421:424] = ORANGE
    corners = np.array([(428, 362), (550, 362), (550, 390), (428, 390)], np.float32)
    found = erase_text._strokes_of_line(cast(Bytes, pixels), corners, 1.6)
    assert found[366:371, 421:424].all()
    assert not found[:, :410].any()


@pytest.mark.parametrize(("grain", "is_removed"), [(2.0, True), (30.0, False)])
def test_the_glow_of_letters_is_removed_as_far_as_it_is_visible(grain: float, is_removed: bool) -> None:
    stroke, glow = np.zeros((120, 200), np.uint8), np.zeros((120, 200), np.uint8)
    stroke[50:70, 40:160], glow[45:75, 35:165] = 1, 1
    wall = np.random.default_rng(9).normal(90, grain, (120, 200, 3))
    pixels = np.clip(wall + 25 * (glow - stroke)[:, :, None], 0, 255).astype(np.uint8)
    found = erase_text._soft_edges(pixels, stroke, 40.0)
    assert bool(found[(glow == 1) & (stroke == 0)].mean() > 0.9) is is_removed
    assert found[glow == 0].mean() < 0.01


def test_a_removal_that_leaves_the_text_readable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erase_text, "fill_hole", lambda picture, *_, **__: picture.pixels)
    with pytest.raises(PlanRefused, match="without leaving traces"):
        apply_steps(written(meadow()), step("erase_text", sort="timestamp"))


def test_only_the_text_in_the_corner_is_removed() -> None:
    both = written(written(scenery(640, 420), "Aberdeen"), "Harbour", at=(230, 190))
    result = apply_steps(both, step("erase_text", sort="text", place="corner"))
    assert reading(result) == ["Harbour"]


def test_text_in_the_upper_third_beside_the_edge_is_in_the_corner() -> None:
    photo = written(written(scenery(640, 420), "Aberdeen", at=(480, 130)), "Harbour", at=(230, 230))
    result = apply_steps(photo, step("erase_text", sort="text", place="corner"))
    assert reading(result) == ["Harbour"]


def test_removing_text_in_the_corner_is_refused_if_two_corners_have_text() -> None:
    both = written(written(scenery(640, 420), "Aberdeen"), "Harbour", at=(20, 40))
    with pytest.raises(PlanRefused, match="2 texts that could be the text"):
        apply_steps(both, step("erase_text", sort="text", place="corner"))


def test_a_quoted_word_is_removed_and_its_neighbors_stay() -> None:
    photo = written(scenery(640, 420), "Fresh coffee today", at=(60, 200))
    result = apply_steps(photo, step("erase_text", text="COFFEE"))
    assert sorted(reading(result)) == ["Fresh", "today"]
    with pytest.raises(PlanRefused, match="can't find the text “tea”"):
        apply_steps(photo, step("erase_text", text="tea"))


def test_a_photographer_credit_is_removed_but_a_sign_is_not() -> None:
    photo = written(written(scenery(640, 420), "(c) A. Lee", at=(450, 400)), "BAKERY", at=(230, 190))
    for sort in ("watermark", "signature"):
        assert reading(apply_steps(photo, step("erase_text", sort=sort))) == ["BAKERY"]


def test_text_at_another_place_than_the_named_one_is_not_removed() -> None:
    with pytest.raises(PlanRefused):
        apply_steps(written(meadow()), step("erase_text", place="top left"))


def test_text_in_the_background_is_removed_but_not_on_the_subject() -> None:
    photo = ball(640, 420)
    signed = written(written(photo, "SUMMER SALE", (20, 40)), "BALL", (320, 215), (255, 255, 255))
    behind = step("erase_text", sort="text", target=Target("background"))
    result = apply_steps(signed, behind)
    is_ball = ball_mask(640, 420) == 1
    gone = changed(signed, result)
    assert gone[(strokes(signed, photo) == 1) & ~is_ball].mean() > 0.6
    assert gone[is_ball].mean() < 0.01
    with pytest.raises(PlanRefused):
        apply_steps(photo, behind)


def labeled() -> Picture:
    return written(written(ball(640, 420), "SUMMER SALE", (20, 40)), "BALL", (320, 215), (255, 255, 255))


def test_only_the_text_on_the_named_thing_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    on_it = step("erase_text", sort="text", target=Target("thing", noun="car"))
    ball_at = ball_mask(640, 420).astype(np.float32)
    monkeypatch.setattr(erase_text, "target_mask", lambda canvas, target: ball_at)
    assert reading(apply_steps(labeled(), on_it)) == ["SUMMER SALE"]
    with pytest.raises(PlanRefused, match="any text on the car"):
        apply_steps(written(ball(640, 420), "SUMMER SALE", (20, 40)), on_it)


def test_the_text_on_a_shirt_is_below_the_face(monkeypatch: pytest.MonkeyPatch) -> None:
    wearer, face = Thing("person", 0.8, Box(0, 0, 640, 420)), Box(280, 10, 360, 100)
    monkeypatch.setattr(erase_text, "target_things", lambda canvas, target: [wearer])
    monkeypatch.setattr(erase_text, "faces_in", lambda canvas, box: [face])
    on_it = step("erase_text", sort="text", target=Target("thing", noun="shirt"))
    assert reading(apply_steps(labeled(), on_it)) == ["SUMMER SALE"]


@pytest.mark.parametrize(
    ("kind", "share", "is_hidden"), [("cat", 1.0, True), ("cat", 0.5, False), ("car", 1.0, False)]
)
def test_a_solid_watermark_hides_the_animal_behind_it(
    kind: str, share: float, is_hidden: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = written(meadow(), "SAMPLE")
    (line,) = read_text(photo)
    monkeypatch.setattr(erase_text, "things_seen", lambda canvas: [Thing(kind, 0.8, line.box)])
    hole = np.zeros(photo.pixels.shape[:2], np.uint8)
    hole[line.box.slices][: round(share * line.box.height)] = 1
    assert erase_text._hides_someone(Canvas(photo), [line], hole) is is_hidden


@pytest.mark.parametrize(("left", "is_hidden"), [(260, True), (420, False)])
def test_a_letter_of_a_slanted_watermark_hides_the_animal_behind_it(
    left: int, is_hidden: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    corners = ((100.0, 260.0), (500.0, 140.0), (518.0, 200.0), (118.0, 320.0))
    line = TextLine(corners, Box(100, 140, 518, 320), "SAMPLE", 0.9)
    monkeypatch.setattr(
        erase_text, "things_seen", lambda canvas: [Thing("cat", 0.8, Box(left, 100, left + 80, 330))]
    )
    letter = np.array([(260, 212), (360, 182), (378, 242), (278, 272)], np.int32)
    hole = cast(Bytes, cv2.fillConvexPoly(np.zeros((420, 640), np.uint8), letter, (1,)))
    assert erase_text._hides_someone(Canvas(meadow()), [line], hole) is is_hidden


def test_an_eye_behind_a_watermark_is_not_invented(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[bool, bool] = {}

    def fill(picture: Picture, *_: Any, is_marked: bool, may_invent: Callable[[], bool]) -> Pixels:
        given[is_marked] = may_invent()
        return picture.pixels

    monkeypatch.setattr(erase_text, "fill_hole", fill)
    photo = meadow()
    for hides_someone in (False, True):
        erase_text._filled(Canvas(photo), np.zeros((420, 640), np.uint8), hides_someone=hides_someone)
    assert given == {True: True, False: False}


def test_a_plain_coat_behind_a_watermark_is_filled() -> None:
    coat, hole = np.full((420, 640, 3), 120, np.uint8), np.zeros((420, 640), np.uint8)
    hole[185:215, 250:400] = 1
    letters = coat.copy()
    letters[hole == 1] = 250
    filled = erase_text._filled(Canvas(Picture(letters)), hole, hides_someone=True)
    assert np.abs(filled.astype(int) - coat).max() < 3
