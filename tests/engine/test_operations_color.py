from typing import Any

import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.plan import Reason, Step, Target
from editor.imaging.picture import Picture
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
    detail,
    lab,
    levels,
    light,
    scenery,
    step,
    with_alpha,
)

BOX = Region(0.25, 0.25, 0.5, 0.5)
TONES = ("brightness", "contrast", "saturation", "warmth", "sharpness")
PARTS = ("exposure", "highlights", "shadows", "vibrance", "clarity")
LOOKS = ("black_and_white", "sepia", "negative", "enhance", "faded", "cinematic", "hdr", "duotone", "grain")
REPAIRS = ("white_balance", "low_light", "dehaze", "denoise")
SOFT = ("blur", "pixelate")
# Operations that change pixels without hiding them.
POINTS = (*TONES, *PARTS, *LOOKS, *REPAIRS)

EVERY = (*POINTS, *SOFT, "tint", "recolor")


def of(operation: str, **fields: Any) -> Step:
    """Return a step of the operation. If the operation needs a color, the step has one."""
    return step(operation, **({"color": "green"} | fields if operation in ("tint", "recolor") else fields))


@pytest.mark.parametrize("amount", [0.2, 0.35, 0.65, 1.0])
def test_tones_change_in_the_requested_direction(amount: float) -> None:
    photo = scenery()
    more = {name: apply_steps(photo, step(name, amount=amount)) for name in TONES}
    less = {name: apply_steps(photo, step(name, amount=-amount)) for name in TONES}
    assert light(less["brightness"]) < light(photo) < light(more["brightness"])
    assert chroma(less["saturation"]) < chroma(photo) < chroma(more["saturation"])
    assert detail(less["sharpness"]) < detail(photo) < detail(more["sharpness"])
    blueness = {
        key: lab(value)[:, :, 2].mean() for key, value in (("less", less["warmth"]), ("more", more["warmth"]))
    }
    assert blueness["less"] < lab(photo)[:, :, 2].mean() < blueness["more"]
    assert less["contrast"].pixels.std() < photo.pixels.std() < more["contrast"].pixels.std()


def test_a_larger_amount_of_brightness_gives_a_brighter_photo() -> None:
    photo = scenery()
    lights = [light(apply_steps(photo, step("brightness", amount=amount))) for amount in (0.1, 0.35, 0.65, 1)]
    assert lights == sorted(lights)
    assert len(set(lights)) == 4


def test_a_much_darker_photo_keeps_its_color_and_gray_stays_gray() -> None:
    pale, gray = (Picture(np.full((20, 20, 3), color, np.uint8)) for color in ((230, 170, 180), (180,) * 3))
    darker = [apply_steps(photo, step("brightness", amount=-0.65)) for photo in (pale, gray)]
    assert light(darker[0]) < 0.6 * light(pale)
    assert chroma(darker[0]) > 0.7 * chroma(pale)
    assert not np.ptp(darker[1].pixels, 2).any()


def test_an_exact_percentage_takes_the_sign_of_the_amount() -> None:
    photo = scenery()
    by_number = apply_steps(photo, step("brightness", amount=-0.35, percent=20.0))
    assert np.array_equal(by_number.pixels, apply_steps(photo, step("brightness", amount=-0.2)).pixels)


def test_black_and_white_has_no_color_and_keeps_the_brightness() -> None:
    photo = scenery()
    result = apply_steps(photo, step("black_and_white"))
    assert np.ptp(result.pixels, axis=2).max() == 0
    assert abs(light(result) - light(photo)) < 3


def test_sepia_is_brown() -> None:
    red, green, blue = apply_steps(scenery(), step("sepia")).pixels.reshape(-1, 3).mean(0)
    assert red > green > blue


def test_two_negatives_give_the_original_photo() -> None:
    photo = scenery()
    twice = apply_steps(photo, step("negative"), step("negative"))
    assert np.array_equal(twice.pixels, photo.pixels)


def test_enhancing_only_light_keeps_the_cast_and_only_color_keeps_the_light() -> None:
    yellowish = Picture((scenery().pixels * (0.5, 0.45, 0.3)).astype(np.uint8))

    def cast(photo: Picture) -> float:
        return float(photo.pixels[:, :, 2].mean() / photo.pixels[:, :, 0].mean())

    light, color = (apply_steps(yellowish, step("enhance", only=only)) for only in ("light", "color"))
    assert light.pixels.mean() > 1.3 * yellowish.pixels.mean()
    assert cast(light) < 1.1 * cast(yellowish)
    assert color.pixels.mean() < 1.1 * yellowish.pixels.mean()
    assert cast(color) > 1.1 * cast(yellowish)


def test_enhance_brightens_a_dull_photo_and_adds_contrast() -> None:
    dull = Picture((scenery().pixels * 0.3 + 30).astype(np.uint8))
    better = apply_steps(dull, step("enhance"))
    assert light(better) > light(dull)
    assert better.pixels.std() > dull.pixels.std()


@pytest.mark.parametrize(
    "operation", [name for name in EVERY if name != "recolor"]
)  # recolor is left out, because its target must be a thing
def test_nothing_changes_outside_a_drawn_box(operation: str) -> None:
    photo = scenery()
    where = changed(photo, apply_steps(photo, of(operation, target=REGION), regions=(BOX,)))
    # Not every pixel in the box changes, because sharpening skips noise.
    assert where[40:120, 60:180].mean() > 0.1
    where[40:120, 60:180] = False
    assert not where.any()


@pytest.mark.parametrize("operation", [name for name in EVERY if name != "pixelate"])
def test_alpha_is_preserved(operation: str) -> None:
    photo = with_alpha(scenery())
    result = apply_steps(photo, of(operation))
    assert np.array_equal(result.pixels[:, :, 3], photo.pixels[:, :, 3])
    assert changed(photo, result).any()


@pytest.mark.parametrize("operation", EVERY)
@pytest.mark.parametrize("size", [(1, 1), (3, 2), (2, 40)])
@pytest.mark.parametrize("amount", [-1.0, None, 1.0])
def test_tiny_photos_keep_their_size_and_depth(
    operation: str, size: tuple[int, int], amount: float | None
) -> None:
    for photo in (scenery(*size), with_alpha(scenery(*size)), deep(scenery(*size))):
        result = apply_steps(photo, of(operation, amount=amount))
        assert result.pixels.shape == photo.pixels.shape
        assert result.pixels.dtype == photo.pixels.dtype


@pytest.mark.parametrize("operation", POINTS)
def test_a_gray_photo_stays_gray_unless_the_operation_adds_color(operation: str) -> None:
    grey = apply_steps(scenery(), step("black_and_white"))
    spread = np.ptp(apply_steps(grey, of(operation)).pixels.astype(int), axis=2).max()
    assert (spread > 10) == (operation in ("warmth", "sepia", "faded", "cinematic", "duotone"))


@pytest.mark.parametrize("operation", EVERY)
def test_variations_of_every_operation_differ(operation: str) -> None:
    made = [picture.pixels.tobytes() for picture in carry_out_steps(scenery(), of(operation), outputs=3)]
    assert len(set(made)) == (1 if operation == "negative" else 3)
    assert made == [
        picture.pixels.tobytes() for picture in carry_out_steps(scenery(), of(operation), outputs=3)
    ]


@pytest.mark.parametrize("operation", [*POINTS, "tint"])
def test_larger_amounts_change_more(operation: str) -> None:
    photo = scenery()
    steps = [
        apply_steps(photo, of(operation, amount=amount)).pixels.astype(int) for amount in (0.1, 0.35, 0.65, 1)
    ]
    changes = [float(np.abs(pixels - photo.pixels).mean()) for pixels in steps]
    assert changes == sorted(changes)
    assert changes[0] < 0.6 * changes[-1]


@pytest.mark.parametrize("operation", [name for name in POINTS if name != "white_balance"])
def test_a_16_bit_gradient_keeps_most_of_its_levels(operation: str) -> None:
    ramp = np.linspace(9_000, 50_000, 4000).astype(np.uint16)
    photo = Picture(np.repeat(np.tile(ramp, (8, 1))[:, :, None], 3, 2))
    result = apply_steps(photo, step(operation, amount=0.35))
    assert result.is_deep
    assert levels(result.pixels[4, :, 1]) > 3000


@pytest.mark.parametrize("operation", POINTS)
def test_16_bit_photos_look_like_8_bit_photos(operation: str) -> None:
    photo = scenery()
    small, large = apply_steps(photo, step(operation)), apply_steps(deep(photo), step(operation))
    assert np.abs(small.pixels - large.pixels / 257.0).mean() < (7 if operation == "enhance" else 1.5)


def test_only_the_red_thing_turns_blue() -> None:
    photo, inside = ball(), ball_mask() == 1
    result = apply_steps(
        photo, step("recolor", target=Target("thing", color="red", noun="ball"), color="blue")
    )
    where = changed(photo, result)
    assert where[inside].mean() > 0.9
    assert where[~inside].mean() < 0.02
    red, green, blue = result.pixels[inside].mean(0)
    assert blue > 1.5 * red
    assert blue > 1.2 * green


@pytest.mark.parametrize(
    ("name", "low", "high"), [("black", 0, 32), ("white", 75, 101), ("dark blue", 0, 45)]
)
def test_black_white_and_dark_colors_change_the_lightness_too(name: str, low: float, high: float) -> None:
    target = Target("thing", color="red", noun="ball")
    result = apply_steps(ball(), step("recolor", target=target, color=name))
    assert low <= np.median(lab(result)[:, :, 0][ball_mask() == 1]) <= high


def test_the_dark_center_of_a_thing_is_recolored_but_not_another_red_thing() -> None:
    pixels, inside = ball().pixels.copy(), ball_mask() == 1
    heart = cv2.circle(np.zeros(inside.shape, np.uint8), (202, 135), 14, 1, -1) == 1
    pixels[heart] = (58, 16, 14)
    pixels[225:262, 12:48] = (205, 40, 40)
    photo = Picture(pixels)
    target = Target("thing", color="red", noun="ball")
    result = apply_steps(photo, step("recolor", target=target, color="blue"))
    red, _, blue = result.pixels[heart].mean(0)
    assert blue > red
    where = changed(photo, result)
    assert where[inside].mean() > 0.95
    assert not where[225:262, 12:48].any()


def test_colorizing_strengthens_the_colors_that_a_photo_has() -> None:
    photo = scenery()
    assert chroma(apply_steps(photo, step("colorize", amount=0.4))) > chroma(photo)


@pytest.mark.parametrize("look", ["black_and_white", "sepia"])
def test_colorizing_a_photo_without_colors_is_refused(look: str) -> None:
    plain = apply_steps(scenery(), step(look))
    with pytest.raises(PlanRefused, match="any colors") as caught:
        apply_steps(plain, step("colorize"))
    assert caught.value.refusals[0].reason is Reason.NEEDS_GENERATION


def test_a_dull_area_does_not_become_vivid() -> None:
    blue = step("recolor", target=REGION, color="blue")
    dull, vivid = (
        chroma(
            apply_steps(Picture(np.full((60, 80, 3), color, np.uint8)), blue, regions=(Region(0, 0, 1, 1),))
        )
        for color in ((150, 80, 74), (225, 20, 30))
    )
    assert dull < 0.85 * vivid


def test_a_thing_in_a_missing_color_is_refused_with_a_hint_to_draw_a_box() -> None:
    target = Target("thing", color="blue", noun="car")
    with pytest.raises(PlanRefused) as caught:
        apply_steps(ball(), step("brightness", target=target))
    assert caught.value.refusals[0].reason is Reason.NO_SUCH_TARGET
    assert caught.value.refusals[0].hint == "Draw a box around the car."


def test_scattered_color_is_refused_unless_a_box_is_drawn() -> None:
    pixels = np.full((240, 360, 3), 128, np.uint8)
    for left in (20, 150, 280):
        pixels[90:150, left : left + 60] = (210, 30, 35)
    unmarked = step("recolor", target=Target("thing", color="red", noun="box"), color="green")
    with pytest.raises(PlanRefused) as caught:
        apply_steps(Picture(pixels), unmarked)
    assert caught.value.refusals[0].reason is Reason.LOW_CONFIDENCE
    marked = Target("thing", color="red", noun="box", boxes=(1,))
    region = Region(0.0, 0.25, 0.3, 0.5)
    result = apply_steps(Picture(pixels), step("recolor", target=marked, color="green"), regions=(region,))
    assert np.array_equal(result.pixels[:, 140:], pixels[:, 140:])
    assert result.pixels[120, 50, 1] > result.pixels[120, 50, 0]


@pytest.mark.parametrize("noun", ["things", "parts", "areas", "cars"])
def test_a_plural_noun_recolors_all_things_of_that_color(noun: str) -> None:
    pixels = np.full((240, 360, 3), 128, np.uint8)
    for left in (20, 150, 280):
        pixels[90:150, left : left + 60] = (210, 30, 35)
    every = step("recolor", target=Target("thing", color="red", noun=noun), color="green")
    result = apply_steps(Picture(pixels), every)
    for left in (20, 150, 280):
        assert result.pixels[120, left + 30, 1] > result.pixels[120, left + 30, 0]


def test_subject_and_background_are_told_apart() -> None:
    photo, inside = ball(), ball_mask() == 1
    subject = changed(photo, apply_steps(photo, step("brightness", target=Target("subject"))))
    ground = changed(photo, apply_steps(photo, step("brightness", target=Target("background"))))
    assert subject[inside].mean() > 0.9
    assert subject[~inside].mean() < 0.03
    assert ground[inside].mean() < 0.1
    assert ground[~inside].mean() > 0.9


def test_a_kept_area_does_not_change() -> None:
    photo = scenery()
    result = apply_steps(photo, step("black_and_white", keep=(REGION,)), regions=(BOX,))
    assert not changed(photo, result)[40:120, 60:180].any()


@pytest.mark.parametrize("what", ["subject", "background", "face", "text"])
def test_a_target_that_is_not_found_is_refused(what: str) -> None:
    plain = Picture(np.full((120, 160, 3), 90, np.uint8))
    with pytest.raises(PlanRefused):
        apply_steps(plain, step("brightness", target=Target(what)))


def test_a_thing_named_without_a_color_is_refused_with_a_hint() -> None:
    with pytest.raises(PlanRefused, match=r"Draw a box around the tree\."):
        apply_steps(scenery(), step("brightness", target=Target("thing", noun="tree")))


def test_an_unknown_color_is_refused_by_name() -> None:
    with pytest.raises(PlanRefused, match="blurple"):
        apply_steps(ball(), step("recolor", target=REGION, color="blurple"), regions=(BOX,))
