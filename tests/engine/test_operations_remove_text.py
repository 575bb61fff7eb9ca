from typing import Any

import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.plan import Reason, Target
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.options import Region
from tests.engine.pictures import REGION, apply_steps, ball, ball_mask, changed, deep, scenery, step

ORANGE = (250, 140, 30)
AT = (430, 385)


def meadow() -> Picture:
    """Draw a rough ground in dark greens."""
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
def test_a_date_goes_and_what_is_behind_it_comes_back(fields: dict[str, Any]) -> None:
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
def test_erasing_text_and_erasing_the_text_are_the_same() -> None:
    dated = written(meadow())
    one = apply_steps(dated, step("erase", target=Target("text")))
    other = apply_steps(dated, step("erase_text"))
    assert np.array_equal(one.pixels, other.pixels)


def test_letters_in_a_marked_box_are_taken_out_and_its_ground_stays() -> None:
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
def test_deep_photos_stay_deep() -> None:
    dated = deep(written(meadow()))
    result = apply_steps(dated, step("erase_text", sort="timestamp"))
    assert result.pixels.dtype == np.uint16
    assert np.array_equal(result.pixels[:300], dated.pixels[:300])


@pytest.mark.parametrize("choice", ["timestamp", "text", "watermark", None])
def test_where_nothing_is_written_it_asks_for_a_box(choice: str | None) -> None:
    with pytest.raises(PlanRefused, match="box") as caught:
        apply_steps(meadow(), step("erase_text", sort=choice))
    assert caught.value.refusals[0].reason is Reason.LOW_CONFIDENCE


def test_a_text_elsewhere_is_no_date_in_the_corner() -> None:
    with pytest.raises(PlanRefused, match="can't tell where the date is"):
        apply_steps(written(meadow(), at=(200, 200)), step("erase_text", sort="timestamp"))


def test_lettering_at_another_place_than_the_named_one_is_not_taken() -> None:
    with pytest.raises(PlanRefused):
        apply_steps(written(meadow()), step("erase_text", place="top left"))


def test_text_in_the_background_goes_and_the_subject_keeps_its_own() -> None:
    photo = ball(640, 420)
    signed = written(written(photo, "SUMMER SALE", (20, 40)), "BALL", (320, 215), (255, 255, 255))
    behind = step("erase_text", sort="text", target=Target("background"))
    result = apply_steps(signed, behind)
    is_ball = ball_mask(640, 420) == 1
    gone = changed(signed, result)
    assert gone[(strokes(signed, photo) == 1) & ~is_ball].mean() > 0.8
    assert gone[is_ball].mean() < 0.01
    with pytest.raises(PlanRefused):
        apply_steps(photo, behind)
