from typing import Any, cast

import cv2
import numpy as np
import pytest

from editor.engine.drawing.gaussian import blurred
from editor.engine.errors import PlanRefused
from editor.engine.operations.background.gradient import gradient
from editor.engine.operations.background.lens import film_grain, film_to_light, light_to_film, out_of_focus
from editor.engine.operations.background.light import relit
from editor.engine.operations.background.scenes import PLACES, view, window
from editor.engine.plan import Target
from editor.imaging.picture import Bytes, Picture
from tests.engine.pictures import (
    apply_steps,
    ball,
    ball_mask,
    carry_out_steps,
    changed,
    deep,
    lab,
    light,
    scenery,
    step,
    with_alpha,
)

INSIDE = ball_mask() == 1
NAVY, PINK = np.array((20, 32, 95)), np.array((245, 150, 180))


def asked(place: str | None = None, **colors: str) -> "np.typing.NDArray[np.float32]":
    """Return only the gradient, as 200 x 100 pixels. The values are from 0 to 255."""
    named: dict[str, Any] = {"color": "navy", "end": "pink"} | colors
    rows = gradient(200, 100, step("gradient_background", place=place, **named), named["end"])
    return rows(slice(0, 100)) * 255


@pytest.mark.parametrize(
    ("place", "first", "last"),
    [
        (None, (0, 77), (99, 77)),
        ("top", (0, 0), (99, 199)),
        ("bottom", (99, 5), (0, 5)),
        ("left", (50, 0), (50, 199)),
        ("right", (50, 199), (50, 0)),
        ("top left", (0, 0), (99, 199)),
        ("bottom right", (99, 199), (0, 0)),
    ],
)
def test_a_gradient_begins_and_ends_in_the_exact_colors(
    place: str | None, first: tuple[int, int], last: tuple[int, int]
) -> None:
    ground = asked(place)
    assert np.abs(ground[first] - NAVY).max() < 0.01
    assert np.abs(ground[last] - PINK).max() < 0.01


def test_a_gradient_from_the_center_is_round_and_ends_in_the_corners() -> None:
    ground = asked("center")
    assert np.abs(ground[50, 100] - NAVY).max() < 3
    for corner in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
        assert np.abs(ground[corner] - PINK).max() < 0.01
    assert np.allclose(ground, ground[:, ::-1], atol=0.1)
    assert np.allclose(ground, ground[::-1], atol=0.1)


def test_a_gradient_gets_lighter_evenly() -> None:
    light_of_rows = lab(Picture(asked().round().astype(np.uint8)))[:, 0, 0]
    steps = np.diff(light_of_rows)
    assert steps.min() > 0
    assert steps.max() < 4 * steps.mean()


def test_a_gradient_of_one_color_ends_in_a_lighter_shade_of_it() -> None:
    rows = gradient(10, 100, step("gradient_background", color="blue"), None)(slice(0, 100)) * 255
    assert np.abs(rows[0, 0] - (30, 80, 200)).max() < 0.01
    assert rows[-1, 0].min() > rows[0, 0].min() + 60
    assert rows[-1, 0, 2] == rows[-1, 0].max()


def test_a_gradient_is_placed_behind_the_subject() -> None:
    for photo in (ball(), deep(ball())):
        top = np.iinfo(photo.pixels.dtype).max
        two = step("gradient_background", color="navy", end="pink")
        result = apply_steps(photo, two).pixels * (255 / top)
        assert np.abs(result[0, 3] - NAVY).max() < 1
        assert np.abs(result[-1, -3] - PINK).max() < 1
        assert (np.abs(result - photo.pixels * (255 / top)).max(2) < 2)[INSIDE].mean() > 0.93


def test_a_gradient_has_no_bands_in_a_16_bit_photo() -> None:
    result = apply_steps(deep(ball()), step("gradient_background", color="navy", end="pink"))
    assert len(np.unique(result.pixels[:, 2, 0])) > 250


def test_an_unknown_second_color_is_refused() -> None:
    with pytest.raises(PlanRefused, match="the color “blurple”"):
        apply_steps(ball(), step("gradient_background", color="blue", end="blurple"))


def plain(level: tuple[int, int, int]) -> Picture:
    grain = np.random.default_rng(2).integers(-8, 9, (120, 160, 3))
    return Picture(np.clip(np.array(level) + grain, 0, 255).astype(np.uint8))


def test_the_brightness_of_the_subject_adapts_slightly_to_the_background() -> None:
    photo = scenery()
    dark, bright = relit(photo, plain((25, 25, 25))), relit(photo, plain((235, 235, 235)))
    assert light(dark) < light(photo) - 3
    assert light(bright) > light(photo) + 3
    assert abs(light(dark) - light(photo)) < 0.5 * abs(light(plain((25, 25, 25))) - light(photo))


def test_the_colors_of_the_subject_adapt_slightly_to_the_light() -> None:
    photo = plain((130, 130, 130))
    warm, cold = relit(photo, plain((142, 130, 120))), relit(photo, plain((120, 130, 142)))
    yellow = [float(lab(picture)[:, :, 2].mean()) for picture in (cold, photo, warm)]
    assert yellow[0] + 1 < yellow[1] < yellow[2] - 1
    assert yellow[2] - yellow[1] < 6


def test_a_background_without_gray_does_not_change_the_colors_of_the_subject() -> None:
    photo = plain((130, 130, 130))
    result = relit(photo, plain((30, 160, 60)))
    assert np.abs(lab(result)[:, :, 1:].mean((0, 1)) - lab(photo)[:, :, 1:].mean((0, 1))).max() < 1.5


def test_relighting_preserves_black_white_and_alpha() -> None:
    ends = np.zeros((40, 40, 4), np.uint8)
    ends[:, 20:, :3] = 255
    ends[:, :, 3] = np.arange(40)
    for ground in (plain((40, 40, 40)), plain((220, 220, 220))):
        result = relit(Picture(cast(Bytes, ends)), ground).pixels
        assert result[:, :20, :3].max() == 0
        assert result[:, 20:, :3].min() >= 250
        assert np.array_equal(result[:, :, 3], ends[:, :, 3])


def test_relighting_makes_no_bands_in_a_16_bit_photo() -> None:
    smooth = np.tile(np.linspace(0, 65535, 4000).astype(np.uint16)[None, :, None], (4, 1, 3))
    assert len(np.unique(relit(Picture(smooth), plain((60, 60, 60))).pixels[0, :, 0])) > 3500


def test_a_background_photo_is_unchanged_and_the_subject_is_in_front_of_it() -> None:
    ground = scenery(360, 270)
    result = apply_steps(ball(), step("photo_background", photo=2), photos=(ground,)).pixels
    behind = result[:, :80].astype(int)
    assert np.abs(behind - ground.pixels[:, :80]).max() <= 1
    assert (result[INSIDE][:, 0].astype(int) - result[INSIDE][:, 1]).mean() > 60


@pytest.mark.slow
def test_a_new_background_fills_transparent_areas_but_a_blur_does_not() -> None:
    photo = with_alpha(ball())
    for name in ("solid_background", "gradient_background", "photo_background"):
        result = apply_steps(photo, step(name), photos=(scenery(),))
        assert np.all(result.pixels[:, :, 3] == 255), name
    blurred = apply_steps(photo, step("blur_background"))
    assert np.array_equal(blurred.pixels[:, :, 3], photo.pixels[:, :, 3])


def test_a_wide_blur_is_close_to_that_of_opencv() -> None:
    sheet = np.zeros((300, 400), np.float32)
    sheet[100:200, 150:250] = 1
    for sigma in (1.0, 6.0, 30.0):
        truth = cv2.GaussianBlur(sheet, (0, 0), sigma)
        ours = blurred(sheet, sigma)
        assert np.abs(ours - truth).max() < 0.03
        assert abs(float(ours.sum()) / float(truth.sum()) - 1) < 0.01


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (40, 1), (1, 40), (11, 11)])
@pytest.mark.parametrize("name", ["solid_background", "gradient_background", "transparent_background"])
def test_a_photo_of_a_few_pixels_is_refused_with_a_message(size: tuple[int, int], name: str) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (size[1], size[0], 3), np.uint8)
    with pytest.raises(PlanRefused, match="from its background"):
        apply_steps(Picture(pixels), step(name))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("choice", ["studio", "sky", "clear sky", "sunset", "night sky", "bokeh"])
def test_a_drawn_background_is_behind_the_subject_and_its_variations_differ(choice: str) -> None:
    photo = ball()
    drawn = step("drawn_background", target=Target("background"), scene=choice)
    made = carry_out_steps(photo, drawn, outputs=2)
    middle = (photo.height // 2, round(0.56 * photo.width))
    assert np.array_equal(made[0].pixels[middle], photo.pixels[middle])
    assert changed(photo, made[0])[:20].mean() > 0.9
    assert not np.array_equal(made[0].pixels, made[1].pixels)


def test_a_studio_has_the_requested_color_and_a_sunset_is_warm_at_the_bottom() -> None:
    blue = step("drawn_background", target=Target("background"), scene="studio", color="blue")
    red, _, strongest = apply_steps(ball(), blue).pixels[:10].reshape(-1, 3).mean(0)
    assert strongest > 1.5 * red
    sunset = step("drawn_background", target=Target("background"), scene="sunset")
    top, bottom = (
        apply_steps(ball(), sunset).pixels[rows].reshape(-1, 3).mean(0)
        for rows in (slice(8), slice(-8, None))
    )
    assert bottom[0] > top[0] + 60


@pytest.mark.sampled(3)
@pytest.mark.parametrize("choice", PLACES)
def test_a_drawn_place_is_behind_the_subject_and_its_variations_differ(choice: str) -> None:
    photo = ball()
    place = step("drawn_background", target=Target("background"), scene=choice)
    one, other = carry_out_steps(photo, place, outputs=2)
    assert changed(photo, one)[:20].mean() > 0.9
    assert not np.array_equal(one.pixels, other.pixels)
    assert (one.pixels[INSIDE][:, 0].astype(int) - one.pixels[INSIDE][:, 1]).mean() > 60
    assert np.array_equal(one.pixels, apply_steps(photo, place).pixels)
    assert any("new background" in notice for notice in one.notices)


def test_a_kept_subject_is_unchanged_in_front_of_a_drawn_place() -> None:
    photo, target = ball(), Target("background")
    kept = step("drawn_background", target=target, scene="space", keep=(Target("subject"),))
    middle = (photo.height // 2, round(0.56 * photo.width))
    assert np.array_equal(apply_steps(photo, kept).pixels[middle], photo.pixels[middle])


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [(600, 200), (200, 600), (64, 64), (3, 2)])
def test_a_drawn_place_has_the_size_of_the_photo(size: tuple[int, int]) -> None:
    for choice, draw in PLACES.items():
        light = draw(*size, np.random.default_rng(3))
        assert light.shape == (size[1], size[0], 3), choice
        assert np.isfinite(light).all(), choice
        assert light.min() >= -0.01, choice


def test_a_drawn_place_is_smooth_except_for_its_grain() -> None:
    photo = ball(720, 540)
    place = step("drawn_background", target=Target("background"), scene="library")
    ground = apply_steps(photo, place).pixels[:80].astype(np.float32)
    grain = ground - cv2.GaussianBlur(ground, (0, 0), 2)
    assert 1 < grain.std() < 5


def test_a_small_photo_gets_half_the_grain() -> None:
    small, large = (film_grain(64, width, np.random.default_rng(1)).std() for width in (400, 2000))
    assert 0.45 < small / large < 0.55


def test_a_view_of_a_panorama_is_level_and_wraps_around() -> None:
    here, around = view("lawn", 90, 80, 60), view("lawn", 450, 80, 60)
    assert np.allclose(here, around)
    sky, grass = here[:10].mean((0, 1)), here[-10:].mean((0, 1))
    assert sky[2] > sky[1]
    assert grass[1] > grass[2]


def test_a_drawn_place_fits_any_shape_and_keeps_its_bright_lights() -> None:
    wide, tall = window("city at night", 90, 60, 0.5), window("city at night", 40, 60, 0.5)
    assert wide.max() > 6
    assert np.allclose(wide[:, 25:65], tall, atol=0.5 * wide.max())
    left, right = window("beach", 40, 60, 0.0), window("beach", 40, 60, 1.0)
    assert not np.array_equal(left, right)


def test_a_lens_blurs_a_point_into_a_disc_without_losing_light() -> None:
    light = np.zeros((61, 61, 3), np.float32)
    light[30, 30] = 100
    spread = out_of_focus(light, 9)
    assert spread.sum() == pytest.approx(300, rel=0.02)
    assert spread[30, 36, 0] == pytest.approx(spread[30, 30, 0], rel=0.1)
    assert spread[30, 45, 0] < 0.01 * spread[30, 30, 0]
    levels = np.linspace(0, 0.95, 20, dtype=np.float32)
    assert np.allclose(light_to_film(film_to_light(levels)), levels, atol=1e-4)
