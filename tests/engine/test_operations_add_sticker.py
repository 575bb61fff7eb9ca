from typing import cast

import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.plan import Reason
from editor.imaging.picture import Bytes, Picture
from editor.options import Region
from tests.engine.pictures import (
    REGION,
    apply_steps,
    ball,
    ball_mask,
    changed,
    deep,
    scenery,
    step,
    with_alpha,
)


def plain(width: int = 600, height: int = 400, level: int = 200) -> Picture:
    return Picture(np.full((height, width, 3), level, np.uint8))


def blue(width: int, height: int) -> Picture:
    return Picture(np.full((height, width, 3), (10, 40, 230), np.uint8))


def seen(result: Picture) -> tuple[int, int, int, int]:
    """Return the left, top, right, and bottom edges of the blue pixels."""
    top = np.iinfo(result.pixels.dtype).max
    rows, columns = np.nonzero((np.abs(result.pixels[:, :, :3] * (255 / top) - (10, 40, 230)) < 2).all(2))
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


@pytest.mark.parametrize(
    ("place", "corner"),
    [("top left", (18, 18)), ("bottom right", (582, 382)), ("center", (300, 200)), (None, (582, 382))],
)
def test_a_sticker_is_placed_at_the_named_place(place: str | None, corner: tuple[int, int]) -> None:
    left, top, right, bottom = seen(
        apply_steps(plain(), step("sticker", photo=2, place=place), photos=(blue(90, 60),))
    )
    across = {"top left": left, "center": (left + right) / 2}.get(place or "", right)
    down = {"top left": top, "center": (top + bottom) / 2}.get(place or "", bottom)
    assert abs(across - corner[0]) <= 1
    assert abs(down - corner[1]) <= 1


@pytest.mark.parametrize("size", [(90, 60), (60, 90), (900, 300), (3000, 3000)])
def test_a_sticker_keeps_its_proportions_and_has_the_requested_width(size: tuple[int, int]) -> None:
    sticker = step("sticker", photo=2, percent=25.0)
    left, top, right, bottom = seen(apply_steps(plain(), sticker, photos=(blue(*size),)))
    assert abs((right - left) - 150) <= 1
    assert abs((right - left) / (bottom - top) - size[0] / size[1]) < 0.05


def test_another_sticker_and_a_text_do_not_cover_the_first_sticker() -> None:
    first, second = (step("sticker", photo=number, place="bottom right") for number in (2, 3))
    red = Picture(np.full((60, 90, 3), (230, 20, 20), np.uint8))
    alone = seen(apply_steps(plain(), first, photos=(blue(90, 60),)))
    word = step("text", text="Lake", place="bottom right", color="green")
    assert seen(apply_steps(plain(), first, second, word, photos=(blue(90, 60), red))) == alone


def test_a_sticker_and_its_shadow_stay_inside_the_box() -> None:
    photo = plain()
    sticker = step("sticker", photo=2, target=REGION)
    result = apply_steps(photo, sticker, photos=(blue(90, 60),), regions=(Region(0.5, 0.5, 0.3, 0.4),))
    rows, columns = np.nonzero(changed(photo, result))
    assert 300 <= columns.min() <= columns.max() < 480
    assert 200 <= rows.min() <= rows.max() < 360
    left, top, right, bottom = seen(result)
    assert abs((right - left) / (bottom - top) - 1.5) < 0.05


def test_a_sticker_casts_a_soft_shadow_below_it() -> None:
    result = apply_steps(plain(), step("sticker", photo=2, place="center"), photos=(blue(90, 60),))
    _, _, _, bottom = seen(result)
    below = result.pixels[bottom + 1 : bottom + 16, 300, 0].astype(int)
    assert below[0] < 160
    assert np.all(np.diff(below) >= 0)
    assert below[-1] > 190


def test_a_transparent_photo_is_added_without_a_background() -> None:
    mask = ball_mask(120, 90) * 255
    other = Picture(cast(Bytes, np.dstack([blue(120, 90).pixels, mask])))
    left, top, right, bottom = seen(apply_steps(plain(), step("sticker", photo=2), photos=(other,)))
    assert abs((right - left) - (bottom - top)) <= 3
    result = apply_steps(plain(), step("sticker", photo=2), photos=(other,)).pixels
    assert abs(int(result[top + 1, left + 1, 2]) - 200) < 60


def test_a_cutout_sticker_contains_only_the_subject() -> None:
    sticker = step("sticker", photo=2, cutout=True, place="center", amount=1.0)
    result = apply_steps(plain(), sticker, photos=(ball(),))
    red = (result.pixels[:, :, 0].astype(int) - result.pixels[:, :, 1]) > 60
    rows, columns = np.nonzero(red)
    width, height = np.ptp(columns) + 1, np.ptp(rows) + 1
    assert abs(width / height - 1) < 0.06
    assert abs(red.sum() / (width * height) - np.pi / 4) < 0.05
    assert not ((result.pixels[:, :, 1].astype(int) - result.pixels[:, :, 0]) > 8).any()


def test_a_cutout_sticker_of_an_uncertain_subject_is_refused() -> None:
    noise = Picture(np.random.default_rng(0).integers(90, 110, (200, 300, 3), np.uint8))
    with pytest.raises(
        PlanRefused, match=r"can't tell the subject of photo 2 .* add the whole photo"
    ) as caught:
        apply_steps(plain(), step("sticker", photo=2, cutout=True), photos=(noise,))
    assert caught.value.refusals[0].reason is Reason.LOW_CONFIDENCE


def test_a_refusal_asks_for_the_missing_photo() -> None:
    with pytest.raises(PlanRefused, match=r"There is no photo 2\. Attach the photo") as caught:
        apply_steps(plain(), step("sticker", photo=2))
    assert caught.value.refusals[0].reason is Reason.NEEDS_REFERENCE


def test_photos_of_any_depth_and_alpha_can_be_combined() -> None:
    for photo in (plain(), deep(plain()), with_alpha(plain()), scenery(600, 400)):
        for other in (blue(90, 60), deep(blue(90, 60))):
            result = apply_steps(photo, step("sticker", photo=2, place="left"), photos=(other,))
            assert result.pixels.dtype == photo.pixels.dtype
            assert np.array_equal(result.pixels[:, 300:], photo.pixels[:, 300:])
            assert seen(result)[2] - seen(result)[0] > 100


def test_a_requested_size_is_exact_even_if_it_leaves_no_margin() -> None:
    sticker = step("sticker", photo=2, percent=100.0)
    left, _, right, _ = seen(apply_steps(plain(), sticker, photos=(blue(90, 30),)))
    assert (left, right) == (0, 600)
