"""Tests for color casts, vibrance, and looks."""

import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.plan import Reason
from editor.imaging.picture import Picture
from tests.engine.pictures import apply_steps, carry_out_steps, chroma, lab, light, scenery, step


def tinged(gains: tuple[float, float, float]) -> Picture:
    """Draw calm, mostly gray scenery lit by a colored lamp."""
    calm = apply_steps(scenery(), step("saturation", amount=-0.6)).pixels
    return Picture(np.clip(calm * 0.8 * np.array(gains), 0, 255).astype(np.uint8))


def patches(*colors: tuple[int, int, int]) -> Picture:
    return Picture(np.repeat(np.repeat(np.array([colors], np.uint8), 20, 0), 20, 1))


def colorfulness(picture: Picture, patch: int) -> float:
    return float(np.hypot(*lab(picture)[10, 20 * patch + 10, 1:]))


@pytest.mark.parametrize(
    ("color", "channel", "sign"), [("green", 1, -1), ("magenta", 1, 1), ("yellow", 2, 1), ("blue", 2, -1)]
)
@pytest.mark.parametrize("amount", [0.2, 0.65])
def test_a_tint_can_be_added_and_removed(color: str, channel: int, sign: int, amount: float) -> None:
    photo = scenery()
    more = lab(apply_steps(photo, step("tint", color=color, amount=amount)))[:, :, channel].mean()
    less = lab(apply_steps(photo, step("tint", color=color, amount=-amount)))[:, :, channel].mean()
    before = lab(photo)[:, :, channel].mean()
    assert sign * less < sign * before < sign * more


def test_a_tint_keeps_black_and_the_brightness() -> None:
    photo = scenery()
    result = apply_steps(photo, step("tint", color="green", amount=0.35))
    assert abs(light(result) - light(photo)) < 4
    black = Picture(np.zeros((20, 20, 3), np.uint8))
    assert apply_steps(black, step("tint", color="green", amount=1.0)).pixels.max() == 0


def test_a_strong_cast_is_reduced_more_than_a_weak_one() -> None:
    yellow = step("tint", color="yellow", amount=-1.0)
    moved = []
    for photo in (tinged((1, 1, 1)), tinged((1.05, 1, 0.7))):
        moved.append(lab(photo)[:, :, 2].mean() - lab(apply_steps(photo, yellow))[:, :, 2].mean())
    assert moved[1] > 1.3 * moved[0] > 0


@pytest.mark.parametrize("color", ["gray", "white", "black"])
def test_a_tint_without_hue_is_refused(color: str) -> None:
    with pytest.raises(PlanRefused, match="isn't a tint") as caught:
        apply_steps(scenery(), step("tint", color=color, amount=0.5))
    assert caught.value.refusals[0].reason is Reason.AMBIGUOUS


@pytest.mark.parametrize("gains", [(1.2, 1.0, 0.7), (0.8, 1.0, 1.25), (0.85, 1.1, 0.85)])
def test_white_balance_makes_gray_neutral_again(gains: tuple[float, float, float]) -> None:
    photo = tinged(gains)
    fair = lab(tinged((1, 1, 1)))[:, :, 1:].mean((0, 1))
    half, whole = (
        np.hypot(*(lab(result)[:, :, 1:].mean((0, 1)) - fair))
        for result in (apply_steps(photo, step("white_balance", amount=amount)) for amount in (0.5, None))
    )
    assert whole < half < np.hypot(*(lab(photo)[:, :, 1:].mean((0, 1)) - fair))
    assert whole < 4


def test_white_balance_does_not_mistake_petals_for_a_strong_cast() -> None:
    photo = patches(*[(245, 170, 90)] * 6, *[(0, 70, 75)] * 6)
    petals = apply_steps(photo, step("white_balance")).pixels[10, 10].astype(int)
    assert petals[0] - petals[2] > 100


def test_white_balance_does_not_change_a_neutral_photo_or_clipped_white() -> None:
    grey = apply_steps(scenery(), step("black_and_white"))
    assert np.abs(apply_steps(grey, step("white_balance")).pixels.astype(int) - grey.pixels).max() <= 1
    pixels = tinged((1.2, 1.0, 0.7)).pixels.copy()
    pixels[:20] = 255
    assert apply_steps(Picture(pixels), step("white_balance")).pixels[:20].min() >= 254


def test_vibrance_changes_pale_colors_more_than_skin_and_vivid_colors() -> None:
    photo = patches((120, 140, 160), (10, 60, 220), (205, 160, 135), (150, 172, 150))
    result = apply_steps(photo, step("vibrance", amount=0.65))
    pale, vivid, skin, leaf = (colorfulness(result, n) / colorfulness(photo, n) for n in range(4))
    assert pale > 1.3
    assert leaf > 1.3
    assert 0.99 <= vivid < 1.15
    assert 1 < skin < 1 + 0.6 * (pale - 1)


@pytest.mark.parametrize("amount", [0.2, 0.35, 0.65, 1.0])
def test_vibrance_changes_in_the_requested_direction(amount: float) -> None:
    photo = scenery()
    assert chroma(apply_steps(photo, step("vibrance", amount=-amount))) < chroma(photo)
    assert chroma(apply_steps(photo, step("vibrance", amount=amount))) > chroma(photo)


def test_faded_lifts_black_and_lowers_white_and_color() -> None:
    result = apply_steps(patches((0, 0, 0), (255, 255, 255), (220, 40, 40)), step("faded"))
    assert lab(result)[10, 10, 0] > 6
    assert lab(result)[10, 30, 0] < 97
    assert colorfulness(result, 2) < 0.85 * colorfulness(patches((220, 40, 40)), 0)


def test_cinematic_turns_shadows_teal_and_lights_orange() -> None:
    result = apply_steps(patches((60, 60, 60), (190, 190, 190)), step("cinematic")).pixels.astype(int)
    shadow, lit = result[10, 10], result[10, 30]
    assert shadow[2] > shadow[0] + 8
    assert lit[0] > lit[2] + 8


def test_duotone_goes_from_the_dark_color_to_the_light_color() -> None:
    levels = np.linspace(0, 255, 256).astype(np.uint8)
    ramp = Picture(np.repeat(np.tile(levels, (4, 1))[:, :, None], 3, 2))
    result = apply_steps(ramp, step("duotone", color="#ffe040", light="#301060")).pixels
    assert np.abs(result[0, 0].astype(int) - (0x30, 0x10, 0x60)).max() <= 2
    assert np.abs(result[0, -1].astype(int) - (0xFF, 0xE0, 0x40)).max() <= 2
    assert np.diff(lab(Picture(result))[0, :, 0]).min() > -0.5


def test_duotone_with_only_one_color_still_has_contrast() -> None:
    for color in ("navy", "hot pink", "cream"):
        result = apply_steps(scenery(), step("duotone", color=color))
        assert np.ptp(lab(result)[:, :, 0]) > 20


@pytest.mark.parametrize(
    "look", ["black_and_white", "sepia", "negative", "faded", "cinematic", "hdr", "duotone"]
)
def test_half_the_amount_of_a_look_gives_half_the_change(look: str) -> None:
    photo = scenery()
    half, whole = (
        np.abs(apply_steps(photo, step(look, amount=amount)).pixels.astype(int) - photo.pixels).mean()
        for amount in (0.5, None)
    )
    assert half == pytest.approx(whole / 2, rel=0.1)


def test_variations_of_black_and_white_are_all_without_color() -> None:
    made = carry_out_steps(scenery(), step("black_and_white"), outputs=4)
    assert all(np.ptp(picture.pixels, axis=2).max() == 0 for picture in made)
    assert len({picture.pixels.tobytes() for picture in made}) == 4


def test_a_removed_cast_is_removed_as_a_whole_and_a_reduced_one_in_part() -> None:
    photo = tinged((1.05, 1, 0.75))
    amounts = (0.0, -0.35, -0.65, -1.0)
    left = [
        lab(apply_steps(photo, step("tint", color="yellow", amount=amount)))[:, :, 2].mean()
        for amount in amounts
    ]
    assert left[0] > left[1] > left[2]
    assert left[2] == pytest.approx(left[3])


def test_a_brown_cast_that_is_called_yellow_is_removed_as_a_whole() -> None:
    photo = tinged((1.4, 1, 0.6))
    result = apply_steps(photo, step("tint", color="yellow", amount=-0.65))
    before, after, without = (
        lab(picture)[:, :, 1:].mean((0, 1)) for picture in (photo, result, tinged((1.0, 1.0, 1.0)))
    )
    assert np.linalg.norm(after - without) < 0.2 * np.linalg.norm(before - without)
