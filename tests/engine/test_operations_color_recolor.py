"""Tests for recoloring: which pixels get the new color, and how much of the old colors remains."""

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, color_of, oklab
from editor.engine.errors import PlanRefused
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.targets.color import colored_thing
from editor.imaging.picture import Bytes, Picture
from editor.options import Region
from tests.engine.pictures import (
    REGION,
    apply_steps,
    ball,
    ball_mask,
    carry_out_steps,
    changed,
    chroma,
    deep,
    lab,
    step,
)

RED_BALL = Target("thing", color="red", noun="ball")
INSIDE = ball_mask() == 1


def cup_on_wood(width: int = 480, height: int = 360) -> Picture:
    """Draw a red saucer on a table with reddish-brown grain."""
    random = np.random.default_rng(11)
    grain = cv2.GaussianBlur(random.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 9, sigmaY=1.5)
    pixels = np.array((150, 82, 48)) + grain[:, :, None] / grain.std() * np.array((22, 16, 12))
    rows, columns = np.indices((height, width), np.float32)
    shade = 1.05 - 0.35 * np.hypot(columns - 200, rows - 150) / 130
    pixels[saucer() == 1] = (np.array((190, 34, 28)) * shade[:, :, None])[saucer() == 1]
    pixels += random.normal(0, 2, pixels.shape)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def saucer(width: int = 480, height: int = 360) -> Bytes:
    mask = np.zeros((height, width), np.uint8)
    cv2.ellipse(mask, (235, 180), (130, 100), 0, 0, 360, 1, -1)
    return mask


def hue(picture: Picture) -> NDArray[np.float32]:
    values = lab(picture)
    return np.degrees(np.arctan2(values[:, :, 2], values[:, :, 1]))


def away(mask: Bytes, pixels: int) -> NDArray[np.bool_]:
    """Return a mask of the pixels that are more than `pixels` away from the given mask."""
    near = cv2.dilate(mask, np.ones((2 * pixels + 1, 2 * pixels + 1), np.uint8))
    return cast(NDArray[np.bool_], near == 0)


def test_a_red_cup_turns_blue_but_the_brown_wood_under_it_does_not() -> None:
    photo, inside = cup_on_wood(), saucer() == 1
    cup = Target("thing", color="red", noun="cup")
    result = apply_steps(photo, step("recolor", target=cup, color="blue"))
    _, _, blue = result.pixels[inside].astype(int).T
    red = result.pixels[inside][:, 0].astype(int)
    assert (blue > red).mean() > 0.97
    assert changed(photo, result)[away(saucer(), 6)].mean() < 0.01


def test_wood_in_a_box_around_a_red_cup_is_not_recolored() -> None:
    photo = cup_on_wood()
    boxed = Target("thing", color="red", noun="cup", boxes=(1,))
    region = Region(75 / 480, 55 / 360, 320 / 480, 250 / 360)
    result = apply_steps(photo, step("recolor", target=boxed, color="blue"), regions=(region,))
    red, _, blue = result.pixels[saucer() == 1].astype(int).T
    assert (blue > red).mean() > 0.97
    assert changed(photo, result)[away(saucer(), 6)].mean() < 0.01


def test_the_shadow_inside_a_thing_is_recolored_too() -> None:
    photo = cup_on_wood()
    shadow = np.zeros((360, 480), np.float32)
    cv2.ellipse(shadow, (245, 185), (76, 56), 0, 0, 360, 1, -1)
    dark = 1 - 0.8 * cv2.GaussianBlur(shadow, (0, 0), 6)[:, :, None]
    shaded = Picture((photo.pixels * dark).astype(np.uint8))
    cup = Target("thing", color="red", noun="cup")
    result = apply_steps(shaded, step("recolor", target=cup, color="blue"))
    red, _, blue = result.pixels[shadow == 1].astype(int).T
    assert (blue > red).mean() > 0.95


def test_a_colored_area_is_not_cut_off_at_the_detected_box() -> None:
    mask = colored_thing(Canvas(cup_on_wood()), "red", "cup", [Box(160, 60, 300, 200)])
    assert mask[saucer() == 1].mean() > 0.95
    assert mask[away(saucer(), 6)].mean() < 0.01


def test_a_part_that_extends_beyond_the_detected_box_belongs_to_the_thing() -> None:
    """A part that extends beyond the detected box, such as a cup's handle, also gets the new color."""
    left, top, right, bottom = Box.around(ball_mask())
    cut = right - (right - left) // 12
    mask = colored_thing(Canvas(ball()), "red", "ball", [Box(left - 40, top - 40, cut, bottom + 40)])
    assert mask[:, cut + 2 :][ball_mask()[:, cut + 2 :] == 1].mean() > 0.8
    assert mask[away(ball_mask(), 6)].mean() < 0.01


def test_no_new_color_spills_over_the_edge() -> None:
    result = apply_steps(ball(), step("recolor", target=RED_BALL, color="green"))
    moved = np.abs(result.pixels.astype(int) - ball().pixels).max(2)
    assert moved[away(ball_mask(), 3)].max() <= 2


@pytest.mark.parametrize("color", ["blue", "green", "black", "white", "gray", "dark red"])
def test_recoloring_preserves_light_and_shade(color: str) -> None:
    before = lab(ball())[:, :, 0][INSIDE]
    after = lab(apply_steps(ball(), step("recolor", target=RED_BALL, color=color)))[:, :, 0][INSIDE]
    assert np.corrcoef(before, after)[0, 1] > 0.9
    assert after.std() > 0.2 * before.std()


@pytest.mark.parametrize("color", ["black", "white", "gray"])
def test_a_thing_recolored_black_white_or_gray_has_no_hue(color: str) -> None:
    result = apply_steps(ball(), step("recolor", target=RED_BALL, color=color))
    assert np.hypot(*lab(result)[INSIDE][:, 1:].mean(0)) < 4


@pytest.mark.parametrize(
    ("color", "degrees"), [("blue", 290), ("green", 145), ("yellow", 92), ("purple", 320), ("orange", 62)]
)
def test_a_thing_gets_the_requested_hue(color: str, degrees: float) -> None:
    result = apply_steps(ball(), step("recolor", target=RED_BALL, color=color))
    off = (np.median(hue(result)[INSIDE] % 360) - degrees + 180) % 360 - 180
    assert abs(off) < 25


def test_half_the_amount_gives_half_the_change() -> None:
    blue = [
        apply_steps(ball(), step("recolor", target=RED_BALL, color="blue", amount=amount)).pixels
        for amount in (None, 0.5)
    ]
    whole, half = (np.abs(pixels[INSIDE].astype(int) - ball().pixels[INSIDE]).mean() for pixels in blue)
    assert half == pytest.approx(whole / 2, rel=0.05)


def test_gray_things_can_be_recolored() -> None:
    grey = ball(color=(200, 200, 200))
    result = apply_steps(
        grey, step("recolor", target=REGION, color="red"), regions=(Region(0.4, 0.25, 0.3, 0.5),)
    )
    inside = Picture(result.pixels[80:190, 160:240])
    assert chroma(inside) > chroma(Picture(grey.pixels[80:190, 160:240])) + 30


def test_the_background_is_recolored_around_the_subject() -> None:
    photo = ball()
    result = apply_steps(photo, step("recolor", target=Target("background"), color="purple"))
    where = changed(photo, result)
    assert where[INSIDE].mean() < 0.1
    assert where[~INSIDE].mean() > 0.9


def test_only_the_subject_is_recolored() -> None:
    photo = ball()
    where = changed(photo, apply_steps(photo, step("recolor", target=Target("subject"), color="teal")))
    assert where[INSIDE].mean() > 0.9
    assert where[~INSIDE].mean() < 0.03


def test_16_bit_photos_are_recolored_like_8_bit_photos() -> None:
    blue = step("recolor", target=RED_BALL, color="blue")
    small, large = apply_steps(ball(), blue), apply_steps(deep(ball()), blue)
    assert np.abs(small.pixels - large.pixels / 257.0).mean() < 0.6


def test_variations_differ_in_lightness_but_keep_the_hue() -> None:
    blue = step("recolor", target=RED_BALL, color="blue")
    made = carry_out_steps(ball(), blue, outputs=4)
    lights = [float(lab(picture)[:, :, 0][INSIDE].mean()) for picture in made]
    assert len({round(value, 1) for value in lights}) == 4
    for picture in made:
        assert np.median(picture.pixels[INSIDE][:, 2]) > np.median(picture.pixels[INSIDE][:, 0])


def test_recoloring_many_scattered_spots_is_refused() -> None:
    random = np.random.default_rng(3)
    pixels = np.full((270, 360, 3), 120, np.uint8)
    for x, y in random.integers(10, 250, (40, 2)):
        cv2.circle(pixels, (int(x * 1.35), int(y)), 6, (205, 30, 35), -1)
    with pytest.raises(PlanRefused, match="Draw a box around the cup") as caught:
        apply_steps(
            Picture(pixels),
            step("recolor", target=Target("thing", color="red", noun="cup"), color="blue"),
        )
    assert caught.value.refusals[0].reason is Reason.LOW_CONFIDENCE


def test_a_refusal_asks_for_a_missing_color() -> None:
    with pytest.raises(PlanRefused, match="Name the color"):
        apply_steps(ball(), step("recolor", target=RED_BALL))


def test_lace_is_recolored_but_the_skin_beside_it_is_not() -> None:
    pixels = np.full((300, 400, 3), (196, 150, 128), np.uint8)
    pixels[:, 150:250] = (190, 52, 56)
    for top in range(10, 300, 24):
        cv2.circle(pixels, (200, top), 7, (208, 120, 116), -1)
    pixels[:, 250:266] = (176, 118, 100)
    soft = cv2.GaussianBlur(pixels, (0, 0), 1).astype(np.float32)
    photo = Picture(
        np.clip(soft + np.random.default_rng(1).normal(0, 2, soft.shape), 0, 255).astype(np.uint8)
    )
    dress = Target("thing", color="red", noun="dress")
    result = apply_steps(photo, step("recolor", target=dress, color="blue")).pixels.astype(int)
    assert (result[:, 156:244, 2] > result[:, 156:244, 0]).mean() > 0.98
    skin = np.abs(result - photo.pixels)[:, [*range(140), *range(272, 400)]]
    assert skin.mean() < 0.5


def test_a_blurred_edge_keeps_no_rim_of_the_old_color() -> None:
    pixels = np.full((300, 400, 3), (205, 215, 220), np.uint8)
    cv2.circle(pixels, (200, 150), 80, (245, 190, 60), -1)
    photo = Picture(cast(Bytes, cv2.GaussianBlur(pixels, (0, 0), 2)))
    petal = Target("thing", color="yellow", noun="ball")
    result = apply_steps(photo, step("recolor", target=petal, color="blue"))
    before, after = (np.clip(lab(picture)[150, 270:292, 2], 0, None).sum() for picture in (photo, result))
    assert after < 0.35 * before


def test_a_partly_gray_sky_is_recolored_without_a_gray_band() -> None:
    share = np.linspace(1, 0, 160, dtype=np.float32)[:, None, None]
    blue, grey = np.array([90, 150, 220], np.float32), np.array([190, 190, 190], np.float32)
    photo = Picture(np.tile((share * blue + (1 - share) * grey).astype(np.uint8), (1, 240, 1)))
    whole = (Region(0, 0, 1, 1),)
    sky = Target("region", noun="sky", boxes=(1,))
    result = apply_steps(photo, step("recolor", target=sky, color="pink"), regions=whole)
    values = lab(result)
    assert np.hypot(values[:, :, 1], values[:, :, 2]).min() > 20
    thing = apply_steps(photo, step("recolor", target=REGION, color="pink"), regions=whole)
    assert np.hypot(*np.moveaxis(lab(thing)[-5:, :, 1:], 2, 0)).max() < 15


@pytest.mark.parametrize(("shade", "color"), [(235, "red"), (40, "orange"), (235, "blue"), (90, "green")])
def test_a_named_color_is_recognized_on_bright_and_dark_things(shade: int, color: str) -> None:
    photo = Picture(np.full((120, 160, 3), shade, np.uint8))
    result = apply_steps(photo, step("recolor", target=REGION, color=color), regions=(Region(0, 0, 1, 1),))
    made, wanted = oklab_of(result.pixels[60, 80]), oklab_of(color_of(color))
    assert abs(made[0] - wanted[0]) < 0.1
    assert np.hypot(*(made[1:] - wanted[1:])) < 0.06


def oklab_of(color: Sequence[int] | NDArray[np.uint8]) -> Floats:
    return cast(Floats, oklab(np.array([[color]], np.float32) / 255)[0, 0])


def test_light_colors_are_light_whatever_the_color() -> None:
    assert (
        min(float(oklab_of(color_of(f"light {name}"))[0]) for name in ("blue", "gray", "red", "green")) > 0.75
    )


def test_a_blue_sky_is_not_as_dark_as_blue_paint() -> None:
    photo = Picture(np.full((120, 160, 3), 240, np.uint8))
    sky = Target("region", noun="sky", boxes=(1,))
    result = apply_steps(photo, step("recolor", target=sky, color="blue"), regions=(Region(0, 0, 1, 1),))
    made = oklab_of(result.pixels[60, 80])
    assert made[0] > 0.7
    assert made[2] < -0.05


def test_a_little_of_a_thing_outside_its_box_is_recolored_as_well() -> None:
    photo = ball()
    left, top, right, bottom = Box.around(ball_mask())
    cut = round(bottom - 0.05 * (bottom - top))
    box = Box(left - 12, top - 12, right + 12, cut)
    across, down = 1 / photo.width, 1 / photo.height
    region = Region(box.left * across, box.top * down, box.width * across, box.height * down)
    target = Target("region", noun="balls", boxes=(1,))
    where = changed(
        photo, apply_steps(photo, step("recolor", target=target, color="blue"), regions=(region,))
    )
    assert where[ball_mask() == 1].mean() > 0.97
    assert where[away(ball_mask(), 6)].mean() < 0.01


def test_parts_of_a_color_change_in_shade_but_their_reflections_do_not() -> None:
    photo = Picture(np.full((240, 320, 3), (186, 184, 180), np.uint8))
    photo.pixels[40:120, 40:280] = (228, 112, 34)
    photo.pixels[80:120, 40:280] = (128, 54, 14)
    photo.pixels[120:180, 40:280] = (208, 172, 150)
    result = apply_steps(photo, step("recolor", target=Target("thing", color="orange"), color="blue"))
    where = changed(photo, result)
    assert where[44:116, 44:276].mean() > 0.97
    assert where[126:].mean() < 0.01


def test_flowers_of_a_color_are_among_leaves_but_a_scarf_is_not() -> None:
    photo = Picture(np.full((300, 400, 3), (90, 84, 80), np.uint8))
    cv2.ellipse(photo.pixels, (110, 100), (90, 70), 0, 0, 360, (52, 110, 48), -1)
    for center in ((80, 80), (130, 120)):
        cv2.circle(photo.pixels, center, 24, (235, 110, 165), -1)
    photo.pixels[210:280, 260:380] = (232, 108, 162)
    flowers = Target("thing", color="pink", noun="flowers")
    where = changed(photo, apply_steps(photo, step("recolor", target=flowers, color="yellow")))
    assert where[70:90, 70:90].all()
    assert not where[200:].any()


@pytest.mark.parametrize(("room", "lightest"), [(60, 0.8), (240, 1.0)])
def test_a_thing_is_no_lighter_than_white_is_in_its_room(room: int, lightest: float) -> None:
    photo = Picture(np.full((240, 320, 3), room, np.uint8))
    cv2.circle(photo.pixels, (160, 120), 60, (10, 80, 50), -1)
    green = Target("thing", color="green", noun="ball")
    made = oklab_of(apply_steps(photo, step("recolor", target=green, color="yellow")).pixels[120, 160])
    assert lightest - 0.2 < made[0] < lightest


def test_shade_on_a_thing_that_gets_lighter_keeps_the_new_color() -> None:
    photo = Picture(np.full((240, 320, 3), 235, np.uint8))
    cv2.circle(photo.pixels, (160, 120), 60, (12, 92, 58), -1)
    cv2.ellipse(photo.pixels, (160, 120), (60, 60), 0, -70, 70, (6, 48, 30), -1)
    green = Target("thing", color="green", noun="ball")
    result = apply_steps(photo, step("recolor", target=green, color="yellow")).pixels
    lit, shade = (np.hypot(*oklab_of(result[120, column])[1:]) for column in (120, 200))
    assert shade > 0.75 * lit


def test_pale_and_dark_leaves_of_a_plant_change_alike() -> None:
    photo = Picture(np.full((240, 320, 3), (40, 36, 32), np.uint8))
    greens = ((70, 120, 40), (150, 178, 120), (190, 204, 168), (50, 96, 30))
    for number, green in enumerate(greens):
        cv2.ellipse(photo.pixels, (45 + 75 * number, 120), (34, 80), 0, 0, 360, green, -1)
    leaves = Target("thing", color="green", noun="leaves")
    where = changed(photo, apply_steps(photo, step("brightness", target=leaves, amount=-0.6)))
    assert all(
        where[90:150, 35 + 75 * number : 55 + 75 * number].mean() > 0.9 for number in range(len(greens))
    )
