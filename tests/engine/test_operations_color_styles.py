"""Tests for styles and moods, such as drawings, paintings, prints, tiles, times of day, and seasons."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.operations.color.styles import sheet
from editor.engine.plan import Reason
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.photos import photo
from tests.engine.pictures import (
    REGION,
    apply_steps,
    carry_out_steps,
    chroma,
    lab,
    levels,
    light,
    scenery,
    step,
    with_alpha,
)

DRAWN = ["pencil_sketch", "charcoal", "line_drawing", "halftone"]
COLORED = ["colored_pencil", "blueprint", "oil_painting", "watercolor", "pointillism", "cartoon", "comic"]
STYLES = [*DRAWN, *COLORED, "pop_art", "posterize", "pixel_art", "mosaic", "stained_glass"]
MOODS = [
    "noir",
    "moody",
    "dreamy",
    "neon",
    "golden_hour",
    "nightfall",
    "dusk",
    "bleach_bypass",
    "cross_process",
    "infrared",
    "autumn",
    "winter",
]


BOX = Region(0.3, 0.3, 0.4, 0.4)


def plain(*color: int) -> Picture:
    return Picture(np.full((40, 120, 3), color, np.uint8))


def enlarged(photo: Picture, times: int) -> Picture:
    return Picture(np.kron(photo.pixels, np.ones((times, times, 1), np.uint8)))


def steepness(pixels: np.ndarray) -> float:
    """Return the mean difference between neighboring pixels, on a scale of 0 to 255."""
    return float(np.abs(np.diff(pixels[:, :, :3].astype(float).mean(2), axis=1)).mean())


@pytest.mark.parametrize("shape", [(400, 600), (600, 400)])
def test_grain_and_strokes_are_at_the_same_places_at_every_size(shape: tuple[int, int]) -> None:
    """Otherwise, a preview would differ from the result. The smaller height is not an exact multiple."""
    large, small = [2 * side for side in shape], [side - (side == 400) for side in shape]

    def alike(draw: Callable[[tuple[int, int], float], np.ndarray]) -> float:
        one, other = draw((large[0], large[1]), 1200.0), draw((small[0], small[1]), 600.0)
        reduced = cv2.resize(one, other.shape[::-1], interpolation=cv2.INTER_AREA)
        return float(np.corrcoef(reduced.ravel(), other.ravel())[0, 1])

    assert alike(lambda shape, side: sheet.noise(shape, side / 60, 1)) > 0.95
    assert alike(lambda shape, side: sheet.hatching(shape, side, 48, 1)) > 0.7


@pytest.mark.sampled(4)
@pytest.mark.parametrize("operation", [*STYLES, *MOODS])
def test_it_changes_the_photo_and_the_same_seed_gives_the_same_pixels(operation: str) -> None:
    photo = scenery(120, 80)
    one, again = apply_steps(photo, step(operation)), apply_steps(photo, step(operation))
    assert np.array_equal(one.pixels, again.pixels)
    assert np.abs(one.pixels.astype(int) - photo.pixels).mean() > 2


@pytest.mark.sampled(4)
@pytest.mark.parametrize("operation", [*STYLES, *MOODS])
def test_styles_preserve_alpha_and_16_bits_per_channel(operation: str) -> None:
    photo = with_alpha(scenery(96, 40))
    assert np.array_equal(apply_steps(photo, step(operation)).pixels[:, :, 3], photo.pixels[:, :, 3])
    deep = Picture(scenery(96, 40).pixels.astype(np.uint16) * 257)
    assert apply_steps(deep, step(operation)).pixels.dtype == np.uint16


@pytest.mark.parametrize("operation", [*STYLES, *MOODS])
def test_no_pixel_changes_outside_the_box(operation: str) -> None:
    photo = scenery(300, 200)
    made = apply_steps(photo, step(operation, target=REGION), regions=(BOX,))
    is_changed = (made.pixels != photo.pixels).any(2)
    inside = is_changed[60:140, 90:210]
    assert inside.any()
    assert np.count_nonzero(is_changed) == np.count_nonzero(inside)


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["oil_painting", "watercolor", "pencil_sketch", "mosaic", "pop_art"])
def test_variations_differ(operation: str) -> None:
    made = carry_out_steps(scenery(240, 160), step(operation), outputs=3)
    assert len({picture.pixels.tobytes() for picture in made}) == 3


@pytest.mark.parametrize("operation", DRAWN)
def test_black_drawing_styles_have_no_color(operation: str) -> None:
    assert chroma(apply_steps(scenery(300, 200), step(operation))) < 8


@pytest.mark.parametrize("operation", ["pencil_sketch", "line_drawing", "watercolor"])
def test_white_areas_stay_nearly_white(operation: str) -> None:
    assert apply_steps(plain(255, 255, 255), step(operation)).pixels.mean() > 235


def test_a_large_dark_area_is_not_filled_with_ink_in_a_line_drawing() -> None:
    pixels = np.full((300, 400, 3), 200, np.uint8)
    pixels[:, :160] = 8
    cv2.circle(pixels, (300, 150), 4, (5, 5, 5), -1)
    drawn = light_at(apply_steps(Picture(pixels), step("line_drawing")))
    assert drawn[150, 60] > 200
    assert drawn[150, 300] < 80


def light_at(picture: Picture) -> np.ndarray:
    return picture.pixels[:, :, :3].mean(2)


def test_a_slight_style_lets_the_photo_show_through() -> None:
    photo = scenery(300, 200)
    full, slight = (apply_steps(photo, step("cartoon", amount=amount)).pixels for amount in (None, 0.15))
    far = [float(np.abs(made.astype(int) - photo.pixels).mean()) for made in (slight, full)]
    assert 0 < far[0] < 0.8 * far[1]


def test_oil_painting_shows_brush_strokes_on_a_plain_wall() -> None:
    assert steepness(apply_steps(plain(120, 90, 70), step("oil_painting")).pixels) > 0.3


@pytest.mark.slow
@pytest.mark.parametrize(("operation", "most"), [("posterize", 16), ("pixel_art", 40)])
def test_posterize_and_pixel_art_leave_few_colors(operation: str, most: int) -> None:
    # The photo must be at least as large as the size at which the style is drawn.
    photo = enlarged(scenery(300, 200), 7)
    colors, counts = np.unique(
        apply_steps(photo, step(operation)).pixels.reshape(-1, 3), axis=0, return_counts=True
    )
    frequent = np.sort(counts)[::-1][:most].sum() / counts.sum()
    assert len(colors) > 2
    assert frequent > 0.6


def test_pixel_art_is_made_of_squares() -> None:
    pixels = apply_steps(enlarged(scenery(300, 200), 4), step("pixel_art")).pixels
    sides = [np.flatnonzero(np.diff(pixels.astype(int), axis=axis).any((1 - axis, 2))) for axis in (0, 1)]
    heights, widths = np.diff(sides[0]), np.diff(sides[1])
    assert heights.min() > 3
    assert abs(np.median(heights) - np.median(widths)) <= 1
    assert levels(pixels) < 100


def test_halftone_dots_cover_more_where_it_is_darker() -> None:
    shares = [apply_steps(plain(*[value] * 3), step("halftone")).pixels.mean() for value in (60, 128, 200)]
    assert shares[0] < shares[1] - 20 < shares[2] - 40


def test_night_is_dark_and_blue() -> None:
    made = apply_steps(scenery(), step("nightfall"))
    red, _, blue = made.pixels.reshape(-1, 3).mean(0)
    assert light(made) < 0.6 * light(scenery())
    assert blue > red


def test_lamps_stay_bright_at_nightfall() -> None:
    lamp, wall = (
        apply_steps(plain(*color), step("nightfall")).pixels for color in ((255, 225, 150), (150,) * 3)
    )
    assert lamp.mean() > 2 * wall.mean()


def test_autumn_turns_green_into_gold_and_changes_nothing_else() -> None:
    pixels = np.full((90, 120, 3), (70, 140, 50), np.uint8)
    pixels[:, 60:] = (90, 120, 200)
    red, green, blue = apply_steps(Picture(pixels), step("autumn")).pixels[45, 30].astype(int)
    assert red > green > blue
    assert np.array_equal(apply_steps(Picture(pixels), step("autumn")).pixels[:, 60:], pixels[:, 60:])


def test_autumn_changes_leaves_in_blue_shade_but_not_a_teal_sky() -> None:
    pixels = np.full((90, 120, 3), (70, 140, 50), np.uint8)
    pixels[:, 40:80], pixels[:, 80:] = (3, 78, 80), (130, 205, 210)
    made = apply_steps(Picture(pixels), step("autumn")).pixels
    assert made[45, 60, 0] > made[45, 60, 2] + 30
    assert np.array_equal(made[:, 80:], pixels[:, 80:])


@pytest.mark.parametrize("color", [(90, 140, 220), (60, 90, 150), (140, 205, 210)])
def test_a_blue_sky_is_warm_and_not_green_in_the_golden_hour(color: tuple[int, int, int]) -> None:
    red, green, blue = apply_steps(plain(*color), step("golden_hour")).pixels[20, 40].astype(int)
    assert red > green > blue


def test_noir_does_not_make_a_dark_photo_completely_black() -> None:
    ramp = np.repeat(np.linspace(0, 90, 120).astype(np.uint8)[None], 90, 0)
    made = apply_steps(Picture(np.dstack([ramp] * 3)), step("noir"))
    assert made.pixels.max() > 70


def test_neon_is_bluer_in_the_dark_than_in_the_light() -> None:
    dark, bright = (
        apply_steps(plain(*color), step("neon")).pixels[20, 40].astype(int)
        for color in ((60, 40, 32), (225, 170, 140))
    )
    assert dark[2] > dark[0]
    assert bright[0] > bright[2]


def test_stained_glass_of_a_plain_sky_does_not_form_a_grid() -> None:
    made = apply_steps(enlarged(plain(120, 170, 220), 6), step("stained_glass")).pixels.mean(2)
    lead = made < 0.5 * np.median(made)
    assert lead.mean(0).max() < 0.9
    assert lead.mean(1).max() < 0.9


@pytest.mark.slow
def test_a_face_is_still_recognizable_in_stained_glass() -> None:
    portrait = photo("astronaut")
    made = apply_steps(portrait, step("stained_glass"))
    before, after = (
        cv2.GaussianBlur(lab(picture)[41:102, 110:171, 0], (0, 0), 1.5).ravel()
        for picture in (portrait, made)
    )
    assert np.corrcoef(before, after)[0, 1] > 0.85


def test_autumn_without_anything_green_is_refused() -> None:
    with pytest.raises(PlanRefused, match="can't find green leaves") as caught:
        apply_steps(plain(90, 120, 200), step("autumn"))
    assert caught.value.refusals[0].reason is Reason.NO_SUCH_TARGET


def test_winter_is_pale_and_colder() -> None:
    photo = scenery()
    made = apply_steps(photo, step("winter"))
    warmth = [float(p.pixels[:, :, 0].mean()) - float(p.pixels[:, :, 2].mean()) for p in (photo, made)]
    assert chroma(made) < chroma(photo)
    assert warmth[1] < warmth[0]


def test_infrared_turns_leaves_bright_and_has_no_color() -> None:
    made = apply_steps(plain(60, 130, 50), step("infrared"))
    assert made.pixels.mean() > 150
    assert chroma(made) < 2


@pytest.mark.sampled(1)
@pytest.mark.parametrize("operation", ["stained_glass", "mosaic"])
@pytest.mark.parametrize("size", [(1, 1), (3, 400), (400, 3), (25, 900), (5, 5)])
def test_thin_and_tiny_photos_are_tiled_too(operation: str, size: tuple[int, int]) -> None:
    photo = Picture(np.random.default_rng(0).integers(0, 255, (*size, 3), np.uint8))
    assert apply_steps(photo, step(operation)).pixels.shape == (*size, 3)
