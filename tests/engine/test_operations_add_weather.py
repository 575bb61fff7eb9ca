from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from editor.engine.canvas import Canvas, Variation
from editor.engine.operations.add.weather import _RAIN, _SNOW, falling
from editor.imaging.picture import Bytes, Picture
from editor.options import Region
from tests.engine.pictures import (
    REGION,
    apply_steps,
    carry_out_steps,
    changed,
    levels,
    light,
    scenery,
    step,
    with_alpha,
)

EFFECTS = ["snow", "rain", "light_leak"]


def dark(width: int = 600, height: int = 400) -> Picture:
    return Picture(np.full((height, width, 3), 40, np.uint8))


def cover(kind: str, amount: float, seed: int = 1, size: tuple[int, int] = (600, 400)) -> Bytes:
    depths = {"snow": _SNOW, "rain": _RAIN}[kind]
    canvas = Canvas(dark(*size), variation=Variation(seed))
    return cast(
        Bytes, (255 * falling(canvas, depths, amount, slant=(0.1, 0.2), spread=0.03)).astype(np.uint8)
    )


@pytest.mark.parametrize("operation", EFFECTS)
def test_weather_adds_light_and_a_larger_amount_adds_more(operation: str) -> None:
    lights = [light(apply_steps(dark(), step(operation, amount=amount))) for amount in (0.1, 0.4, 1.0)]
    assert light(dark()) < lights[0] < lights[1] < lights[2]


@pytest.mark.parametrize("operation", EFFECTS)
def test_the_same_seed_gives_the_same_pixels_and_variations_differ(operation: str) -> None:
    made = carry_out_steps(dark(), step(operation), outputs=4)
    again = carry_out_steps(dark(), step(operation), outputs=4)
    for one, other in zip(made, again, strict=True):
        assert np.array_equal(one.pixels, other.pixels)
    assert len({picture.pixels.tobytes() for picture in made}) == 4


@pytest.mark.parametrize("operation", EFFECTS)
def test_alpha_and_depth_are_preserved(operation: str) -> None:
    photo = with_alpha(scenery(600, 400))
    assert np.array_equal(apply_steps(photo, step(operation)).pixels[:, :, 3], photo.pixels[:, :, 3])
    smooth = Picture(np.tile(np.linspace(0, 65535, 600).astype(np.uint16)[None, :, None], (400, 1, 3)))
    assert levels(apply_steps(smooth, step(operation)).pixels) > 2000


@pytest.mark.parametrize("operation", ["snow", "rain"])
def test_snow_and_rain_are_visible_on_a_white_sky_without_gray_specks(operation: str) -> None:
    white = Picture(np.full((400, 600, 3), 253, np.uint8))
    fallen = apply_steps(white, step(operation)).pixels.astype(int).min(2)
    air = np.median(fallen)
    assert 0.005 < (fallen > air + 8).mean() < 0.1
    assert fallen.min() > air - 4


def test_heavy_snow_covers_more_than_twice_as_much_as_normal_snow() -> None:
    assert cover("snow", 0.65).mean() > 2 * cover("snow", 0.4).mean()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("kind", "amount", "low", "high"),
    [
        ("snow", 0.1, 0.002, 0.008),
        ("snow", 0.4, 0.01, 0.03),
        ("snow", 1.0, 0.04, 0.1),
        ("rain", 0.4, 0.008, 0.03),
        ("rain", 1.0, 0.03, 0.1),
    ],
)
def test_snow_and_rain_cover_the_expected_share_of_the_photo(
    kind: str, amount: float, low: float, high: float
) -> None:
    shares = [cover(kind, amount, seed).mean() / 255 for seed in range(3)]
    assert low < min(shares) <= max(shares) < high


@pytest.mark.parametrize("kind", ["snow", "rain"])
def test_snow_and_rain_cover_a_similar_share_of_a_larger_photo(kind: str) -> None:
    small, large = cover(kind, 0.4), cover(kind, 0.4, size=(1800, 1200))
    assert abs(float(small.mean()) - float(large.mean())) < 0.35 * float(large.mean())


@pytest.mark.parametrize("kind", ["snow", "rain"])
def test_snow_and_rain_fall_everywhere_in_the_photo(kind: str) -> None:
    blocks = cover(kind, 0.4).reshape(4, 100, 6, 100).max((1, 3))
    assert blocks.min() > 20


def test_rain_is_drawn_in_streaks_and_snow_is_not() -> None:
    def change(values: NDArray[np.uint8], axis: int) -> float:
        return float(np.abs(np.diff(values.astype(float), axis=axis)).mean())

    rain, snow = cover("rain", 0.4), cover("snow", 0.4)
    assert change(rain, 1) > 3 * change(rain, 0)
    assert 0.7 < change(snow, 1) / change(snow, 0) < 1.6


def test_a_light_leak_is_warm_at_its_edge_and_hardly_reaches_the_opposite_edge() -> None:
    for place in ("left", "right", "top", "bottom"):
        photo = dark()
        result = apply_steps(photo, step("light_leak", place=place)).pixels
        edges = {"left": result[:, :40], "right": result[:, -40:], "top": result[:40], "bottom": result[-40:]}
        opposite = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}[place]
        red, _, blue = edges[place].reshape(-1, 3).mean(0)
        assert red > 130
        assert red > 1.5 * blue
        assert np.abs(edges[opposite].astype(int) - 40).mean() < 6


def test_a_light_leak_has_the_requested_color() -> None:
    result = apply_steps(dark(), step("light_leak", place="left", color="blue")).pixels[:, :40]
    red, _, blue = result.reshape(-1, 3).mean(0)
    assert blue > 1.3 * red


def test_a_light_leak_is_visible_on_a_white_sky() -> None:
    photo = Picture(cast(Bytes, np.full((400, 600, 3), 250, np.uint8)))
    assert changed(photo, apply_steps(photo, step("light_leak", place="left"))).mean() > 0.05


def test_a_vignette_has_the_requested_color() -> None:
    corner = apply_steps(dark(), step("vignette", color="red", amount=0.6)).pixels[0, 0].astype(int)
    assert corner[0] > 150
    assert corner[1] < 45


@pytest.mark.parametrize("operation", [*EFFECTS, "vignette", "watermark"])
def test_kept_areas_and_areas_outside_the_target_do_not_change(operation: str) -> None:
    photo, left = dark(), Region(0.0, 0.0, 0.5, 1.0)
    fields: dict[str, Any] = {"text": "Mine", "tiled": True} if operation == "watermark" else {}
    kept = apply_steps(photo, step(operation, keep=(REGION,), **fields), regions=(left,))
    inside = apply_steps(photo, step(operation, target=REGION, **fields), regions=(left,))
    assert np.array_equal(kept.pixels[:, :300], photo.pixels[:, :300])
    assert np.array_equal(inside.pixels[:, 300:], photo.pixels[:, 300:])
    assert changed(photo, kept).any()
    assert changed(photo, inside).any()
