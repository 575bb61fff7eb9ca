import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.plan import Reason
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.people import with_spots
from tests.engine.pictures import REGION, apply_steps, changed, deep, step, with_alpha

DUST = step("dust")
SPOTS = ((60, 50), (210, 120), (330, 60), (400, 280), (120, 250))


def wall(width: int = 480, height: int = 320) -> Picture:
    """Draw a soft gradient with some grain."""
    rows, columns = np.indices((height, width), np.float32)
    light = 90 + 60 * rows / height + 30 * columns / width
    grain = np.random.default_rng(4).normal(0, 3, (height, width, 3))
    return Picture(np.clip(light[:, :, None] + grain, 0, 255).astype(np.uint8))


def scratched() -> Picture:
    pixels = wall().pixels.copy()
    cv2.line(pixels, (250, 20), (262, 290), (230, 230, 230), 1)
    return Picture(pixels)


@pytest.mark.parametrize("color", [(250, 250, 250), (10, 10, 10)])
def test_spots_are_removed_and_the_grain_is_preserved(color: tuple[int, int, int]) -> None:
    truth = wall()
    result = apply_steps(with_spots(truth, *SPOTS, radius=2, color=color), DUST)
    for x, y in SPOTS:
        spot = slice(y - 4, y + 5), slice(x - 4, x + 5)
        apart = result.pixels[spot].astype(int) - truth.pixels[spot]
        assert abs(apart.mean()) < 3
        assert np.abs(apart).max() < 25
        assert result.pixels[spot].std() > 1.5
    assert result.notices[0].startswith("I removed 5 spots or scratches")


def test_a_scratch_is_removed() -> None:
    result = apply_steps(scratched(), DUST)
    before = np.abs(scratched().pixels.astype(int) - wall().pixels).max(2) > 30
    assert before.sum() > 200
    assert np.abs(result.pixels.astype(int) - wall().pixels)[before].mean() < 6


def test_only_the_pixels_around_spots_change() -> None:
    for photo in (with_spots(wall(), *SPOTS, radius=2, color=(250, 250, 250)),):
        for dusty in (photo, deep(photo), with_alpha(photo)):
            result = apply_steps(dusty, DUST)
            where = (dusty.pixels != result.pixels).any(2)
            assert where.any()
            for x, y in SPOTS:
                where[y - 8 : y + 9, x - 8 : x + 9] = False
            assert not where.any()


def test_only_the_area_in_the_box_is_cleaned() -> None:
    photo = with_spots(wall(), *SPOTS, radius=2, color=(250, 250, 250))
    cleaned = apply_steps(photo, step("dust", target=REGION), regions=(Region(0.05, 0.05, 0.2, 0.25),))
    where = changed(photo, cleaned)
    assert where[40:60, 50:70].any()
    assert not where[:, 140:].any()


def test_a_clean_photo_is_refused() -> None:
    with pytest.raises(PlanRefused, match="can't find any dust or scratches") as caught:
        apply_steps(wall(), DUST)
    assert caught.value.refusals[0].reason is Reason.NO_SUCH_TARGET


def test_stars_are_not_taken_for_dust() -> None:
    random = np.random.default_rng(2)
    places = [(int(x), int(y)) for x, y in random.integers(10, 990, (1500, 2))]
    dark = Picture(np.full((1000, 1000, 3), 20, np.uint8))
    with pytest.raises(PlanRefused) as caught:
        apply_steps(with_spots(dark, *places, radius=1, color=(240, 240, 240)), DUST)
    assert caught.value.refusals[0].reason is Reason.LOW_CONFIDENCE


def test_an_edge_is_not_taken_for_a_scratch() -> None:
    pixels = wall().pixels.copy()
    pixels[:, 240:] //= 3
    with pytest.raises(PlanRefused):
        apply_steps(Picture(pixels), DUST)


def test_the_same_dust_is_removed_the_same_way_twice() -> None:
    photo = with_spots(wall(), *SPOTS, radius=2, color=(250, 250, 250))
    assert np.array_equal(apply_steps(photo, DUST).pixels, apply_steps(photo, DUST).pixels)


def test_a_dash_between_letters_is_not_taken_for_dust() -> None:
    pixels = wall().pixels.copy()
    for left in (60, 100):
        for x in range(left, left + 30, 6):
            cv2.line(pixels, (x, 100), (x + 2, 112), (20, 20, 20), 1)
    cv2.line(pixels, (92, 106), (96, 106), (20, 20, 20), 2)
    with pytest.raises(PlanRefused, match="can't find any dust or scratches"):
        apply_steps(Picture(pixels), DUST)


def test_the_refusal_for_a_box_asks_for_a_closer_box() -> None:
    with pytest.raises(PlanRefused, match="Draw a box close around each"):
        apply_steps(wall(), step("dust", target=REGION), regions=(Region(0.1, 0.1, 0.5, 0.5),))
