"""Tests for adding air, light, small things, and drawings in the sky.

They check where these are drawn, and that every run gives the same result.
"""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from editor.engine.drawing.cloud_noise import cloud_noise
from editor.engine.errors import PlanRefused
from editor.engine.pixels import Box
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.pictures import (
    REGION,
    apply_steps,
    carry_out_steps,
    changed,
    deep,
    levels,
    light,
    scenery,
    step,
    with_alpha,
)

ANYWHERE = [
    "fog",
    "smoke",
    "light_rays",
    "lens_flare",
    "sparkles",
    "bokeh_lights",
    "confetti",
    "hearts",
    "bubbles",
    "balloons",
    "petals",
    "leaves",
    "fire",
    "water_drops",
]
STREWN = ("confetti", "hearts", "bubbles", "balloons", "petals", "leaves", "water_drops")
IN_THE_SKY = ["rainbow", "moon", "sun", "clouds", "birds"]
IN_THE_DARK = ["stars", "fireworks", "lightning"]
UPPER = Region(0.0, 0.0, 1.0, 0.5)


def landscape(sky: tuple[int, int, int] = (120, 170, 225), size: tuple[int, int] = (480, 320)) -> Picture:
    """Draw a calm sky above dark ground."""
    width, height = size
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[: height // 2] = sky
    pixels[height // 2 :] = np.random.default_rng(1).integers(30, 70, (height - height // 2, width, 3))
    return Picture(pixels)


def dark(size: tuple[int, int] = (480, 320)) -> Picture:
    return Picture(np.full((size[1], size[0], 3), 25, np.uint8))


def ground(picture: Picture) -> NDArray[Any]:
    return picture.pixels[picture.height // 2 + 30 :]  # These rows are below the soft lower edge of the mask.


@pytest.mark.parametrize("operation", ANYWHERE)
def test_the_same_seed_gives_the_same_pixels_and_variations_differ(operation: str) -> None:
    photo = scenery(360, 240)
    made = carry_out_steps(photo, step(operation), outputs=2)
    again = carry_out_steps(photo, step(operation), outputs=2)
    assert [np.array_equal(one.pixels, two.pixels) for one, two in zip(made, again, strict=True)] == [
        True,
        True,
    ]
    assert not np.array_equal(made[0].pixels, made[1].pixels)
    assert changed(photo, made[0]).any()


@pytest.mark.parametrize("operation", ANYWHERE)
def test_alpha_depth_and_pixels_outside_the_target_do_not_change(operation: str) -> None:
    photo = with_alpha(scenery(360, 240))
    opaque = np.array_equal(apply_steps(photo, step(operation)).pixels[:, :, 3], photo.pixels[:, :, 3])
    # Scattered things also cover transparent parts of the photo, so they may change the alpha channel.
    assert opaque or operation in STREWN
    smooth = deep(Picture(np.tile(np.linspace(20, 235, 360).astype(np.uint8)[None, :, None], (240, 1, 3))))
    assert apply_steps(smooth, step(operation)).pixels.dtype == np.uint16
    plain = scenery(360, 240)
    inside = apply_steps(plain, step(operation, target=REGION), regions=(UPPER,))
    assert np.array_equal(inside.pixels[120:], plain.pixels[120:])


@pytest.mark.parametrize("operation", ["fog", "smoke", "light_rays", "bokeh_lights", "sparkles"])
def test_a_larger_amount_adds_more_light(operation: str) -> None:
    low, high = (apply_steps(dark(), step(operation, amount=amount)) for amount in (0.1, 0.9))
    assert light(dark()) < light(low) < light(high)


def test_fog_lowers_the_contrast_most_near_the_ground() -> None:
    photo = scenery(480, 320)
    result = apply_steps(photo, step("fog")).pixels.astype(float)
    assert result.std() < 0.75 * photo.pixels.std()
    assert result[240:].std() < result[:80].std()
    assert levels(apply_steps(deep(photo), step("fog")).pixels) > 2000


def test_light_rays_come_from_the_named_place() -> None:
    result = apply_steps(dark(), step("light_rays", place="top left")).pixels.astype(float)
    assert result[:100, :150].mean() > 1.3 * result[-100:, -150:].mean()


def test_a_lens_flare_has_the_requested_color() -> None:
    red, _, blue = apply_steps(dark(), step("lens_flare", color="blue")).pixels.reshape(-1, 3).mean(0)
    assert blue > red


@pytest.mark.parametrize("operation", IN_THE_SKY)
def test_additions_to_the_sky_change_only_the_sky(operation: str) -> None:
    photo = landscape()
    result = apply_steps(photo, step(operation))
    assert np.array_equal(ground(result), ground(photo))
    assert changed(photo, result)[:140].mean() > 0.002


@pytest.mark.parametrize("operation", [*IN_THE_SKY, *IN_THE_DARK])
def test_additions_to_the_sky_are_refused_without_a_sky(operation: str) -> None:
    with pytest.raises(PlanRefused, match="sky"):
        apply_steps(scenery(360, 240), step(operation))


@pytest.mark.parametrize("operation", IN_THE_DARK)
def test_stars_fireworks_and_lightning_need_a_dark_sky(operation: str) -> None:
    with pytest.raises(PlanRefused, match="bright"):
        apply_steps(landscape((225, 235, 250)), step(operation, target=REGION), regions=(UPPER,))
    photo = landscape((14, 18, 40))
    result = apply_steps(photo, step(operation, target=REGION), regions=(UPPER,))
    assert light(result) > light(photo)
    assert np.array_equal(ground(result), ground(photo))


@pytest.mark.parametrize(("place", "columns"), [("top left", slice(0, 240)), ("top right", slice(240, 480))])
def test_the_moon_is_drawn_at_the_named_place(place: str, columns: slice) -> None:
    photo = landscape((20, 30, 70))
    result = apply_steps(photo, step("moon", place=place, target=REGION), regions=(UPPER,)).pixels.astype(int)
    brightest = np.unravel_index(result.sum(2).argmax(), result.shape[:2])[1]
    assert columns.start <= brightest < columns.stop


@pytest.mark.parametrize("sky", [(14, 18, 40), (110, 160, 215), (150, 110, 100)])
def test_the_moon_shows_its_maria_and_is_nowhere_darker_than_the_sky(sky: tuple[int, int, int]) -> None:
    photo = landscape(sky)
    result = apply_steps(photo, step("moon", target=REGION), regions=(UPPER,)).pixels.astype(int)
    assert (result >= photo.pixels.astype(int) - 1).all()
    bright = result.sum(2) > 3 * 215
    box = Box.around(bright.astype(np.uint8))
    assert 0.8 < box.width / box.height < 1.25
    middle = result.mean(2)[box.grown(-0.2, 480, 320).slices]
    assert np.percentile(middle, 90) - np.percentile(middle, 10) > 25


def test_the_moon_is_in_the_even_part_of_the_sky() -> None:
    photo = landscape((30, 40, 80))
    photo.pixels[:110, :300] += np.random.default_rng(1).integers(0, 60, (110, 300, 1), np.uint8)
    result = apply_steps(photo, step("moon", target=REGION), regions=(UPPER,)).pixels.astype(int)
    assert np.median(np.nonzero(result.sum(2) > 3 * 215)[1]) > 300


def test_a_rainbow_is_red_outside_and_violet_inside() -> None:
    photo = landscape((90, 110, 140))
    result = apply_steps(photo, step("rainbow")).pixels.astype(int)
    column = (result - photo.pixels)[:150, 240]
    rows = np.nonzero(np.abs(column).sum(1) > 30)[0]
    reddest, bluest = (column[rows, a] - column[rows, b] for a, b in ((0, 2), (2, 0)))
    assert rows[reddest.argmax()] < rows[bluest.argmax()]


def test_flames_rise_from_the_bottom_in_warm_colors_or_the_requested_color() -> None:
    photo = dark()
    low, high = (apply_steps(photo, step("fire", amount=amount)) for amount in (0.1, 0.9))
    assert not changed(photo, low)[:60].any()
    assert changed(photo, high).sum() > changed(photo, low).sum()
    red, _, blue = low.pixels[-40:].reshape(-1, 3).mean(0)
    assert red > blue + 60
    red, _, blue = apply_steps(photo, step("fire", color="blue")).pixels[-60:].reshape(-1, 3).mean(0)
    assert blue > red


@pytest.mark.parametrize("width", [640, 700, 1024])
def test_flames_have_the_same_shape_in_a_small_photo_and_in_a_large_one(width: int) -> None:
    shapes = []
    for size in ((1500, 1000), (width, round(width / 1.5))):
        night = Picture(np.full((size[1], size[0], 3), 20, np.uint8))
        flames = apply_steps(night, step("fire")).pixels
        shapes.append(cv2.resize(flames, (320, 213), interpolation=cv2.INTER_AREA).astype(int))
    assert np.abs(shapes[0] - shapes[1]).mean() < 2


def test_water_drops_change_a_small_part_of_the_photo() -> None:
    photo = landscape(size=(900, 600))
    drops = changed(photo, apply_steps(photo, step("water_drops", amount=1.0)))
    assert 0.01 < drops.mean() < 0.3


def test_drops_on_a_thing_do_not_show_what_is_behind_it() -> None:
    photo = landscape(size=(900, 600))
    result = apply_steps(photo, step("water_drops", REGION, amount=1.0), regions=(UPPER,))
    assert changed(photo, result)[:300].mean() > 0.01
    assert result.pixels[:300, :, 2].min() > 100


def test_birds_are_dark_against_the_sky() -> None:
    photo = landscape(size=(900, 600))
    result = apply_steps(photo, step("birds"))
    assert result.pixels[changed(photo, result)].mean() < photo.pixels[:200].mean()


def test_scattered_hearts_do_not_cover_a_face(monkeypatch: pytest.MonkeyPatch) -> None:
    from editor.engine.operations.add import scattered
    from editor.engine.pixels import Box

    photo = scenery(480, 320)
    monkeypatch.setattr(scattered, "faces_seen", lambda canvas: [Box(180, 100, 280, 200)])
    result = apply_steps(photo, step("hearts", amount=1.0))
    assert not changed(photo, result)[130:170, 210:250].any()


def test_cloud_noise_is_smooth_and_varied() -> None:
    swells = cloud_noise(300, 200, np.random.default_rng(0))
    assert 0.4 < swells.mean() < 0.6
    assert swells.std() > 0.08
    assert np.abs(np.diff(swells, axis=1)).mean() < 0.02


@pytest.mark.parametrize("place", ["top", "bottom", "top bottom", "left"])
def test_border_bars_are_added_on_the_named_sides(place: str) -> None:
    photo = scenery(240, 160)
    result = apply_steps(photo, step("border", color="black", place=place, pixels=20.0))
    across, down = 20 * ("left" in place), 20 * len([side for side in ("top", "bottom") if side in place])
    assert (result.width, result.height) == (240 + across, 160 + down)
