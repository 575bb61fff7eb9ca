from typing import cast

import numpy as np
import pytest

from editor.engine.drawing.layers import layers
from editor.engine.errors import PlanRefused
from editor.engine.plan import Target
from editor.imaging.picture import Bytes, Picture
from tests.engine.pictures import (
    apply_steps,
    ball,
    ball_mask,
    carry_out_steps,
    changed,
    deep,
    scenery,
    step,
    with_alpha,
)

FRAMES = [None, "polaroid", "film", "rounded", "double"]
INSIDE = ball_mask() == 1


def holds(result: Picture, photo: Picture) -> bool:
    """Return whether the result contains the middle of the photo unchanged."""
    part = photo.pixels[60:100, 80:160]
    for top in range(60, 60 + result.height - photo.height + 1):
        for left in range(80, 80 + result.width - photo.width + 1):
            if np.array_equal(result.pixels[top : top + 40, left : left + 80], part):
                return True
    return False


@pytest.mark.parametrize("choice", FRAMES)
def test_a_frame_surrounds_the_photo_and_leaves_its_middle_unchanged(choice: str | None) -> None:
    photo = scenery()
    result = apply_steps(photo, step("frame", style=choice))
    assert result.width > photo.width
    assert result.height > photo.height
    assert holds(result, photo)
    for edge in (result.pixels[0], result.pixels[-1], result.pixels[:, 0], result.pixels[:, -1]):
        assert np.ptp(edge.astype(int), axis=0).max() < 60


@pytest.mark.sampled(4)
@pytest.mark.parametrize("choice", FRAMES)
@pytest.mark.parametrize("ratio", ["1:1", "16:9", "9:16"])
def test_the_photo_with_its_frame_has_the_requested_aspect_ratio(choice: str | None, ratio: str) -> None:
    result = apply_steps(scenery(600, 400), step("frame", style=choice), aspect_ratio=ratio)
    across, down = (int(part) for part in ratio.split(":"))
    assert abs(result.width / result.height - across / down) < 0.01
    for edge in (result.pixels[0], result.pixels[-1], result.pixels[:, 0], result.pixels[:, -1]):
        assert np.ptp(edge.astype(int), axis=0).max() < 60


@pytest.mark.parametrize("choice", ["rounded", "double", "film", "polaroid"])
def test_a_frame_has_the_requested_color(choice: str) -> None:
    result = apply_steps(scenery(), step("frame", style=choice, color="blue"))
    assert np.abs(result.pixels[2, 2].astype(int) - (30, 80, 200)).max() < 25


def test_a_larger_amount_gives_a_thicker_frame() -> None:
    for choice in FRAMES:
        widths = [
            apply_steps(scenery(600, 400), step("frame", style=choice, amount=amount)).width
            for amount in (0.2, 0.35, 0.7)
        ]
        assert widths == sorted(set(widths))


def test_a_polaroid_has_a_wide_light_border_at_the_bottom() -> None:
    photo = scenery(300, 300)
    result = apply_steps(photo, step("frame", style="polaroid")).pixels
    side = (result.shape[1] - 300) // 2
    foot = result.shape[0] - 300 - side
    assert foot > 3 * side
    assert result[-foot + 3 : -4, 4:-4].min() > 235


def test_a_caption_is_written_on_the_bottom_border_of_a_polaroid() -> None:
    polaroid, words = step("frame", style="polaroid"), step("text", text="Summer")
    bare = apply_steps(scenery(600, 400), polaroid)
    rows, _ = np.nonzero(changed(bare, apply_steps(scenery(600, 400), words, polaroid)))
    foot = bare.height - 400 - (bare.width - 600) // 2
    assert rows.min() > bare.height - foot
    assert rows.max() < bare.height - 3


@pytest.mark.parametrize(("width", "height"), [(600, 400), (400, 600)])
def test_film_is_perforated_evenly_along_its_longer_sides(width: int, height: int) -> None:
    pixels = apply_steps(scenery(width, height), step("frame", style="film")).pixels
    strip = pixels if width > height else pixels.transpose(1, 0, 2)
    band = (strip.shape[0] - 400) // 2
    for rows in (slice(0, band), slice(-band, None)):
        light = (strip[rows].min(2) > 200).any(0)
        starts = np.nonzero(np.diff(light.astype(int)) == 1)[0]
        assert len(starts) > 6
        assert np.ptp(np.diff(starts)) <= 2
        assert not light[0]
        assert not light[-1]


def test_rounded_corners_take_the_color_of_the_frame() -> None:
    photo = Picture(np.full((400, 600, 3), 90, np.uint8))
    result = apply_steps(photo, step("frame", style="rounded")).pixels
    side = (result.shape[1] - 600) // 2
    inner = result[side:-side, side:-side]
    assert np.all(inner[0, 0] == 255)
    assert np.all(inner[200, 0] == 90)
    share = (inner.astype(float) - 90).mean() / 165
    radius = 0.09 * 400
    assert abs(share - (4 - np.pi) * radius**2 / (600 * 400)) < 0.001


@pytest.mark.parametrize("choice", FRAMES)
def test_frames_keep_depth_and_alpha(choice: str | None) -> None:
    assert apply_steps(deep(scenery()), step("frame", style=choice)).is_deep
    result = apply_steps(with_alpha(scenery()), step("frame", style=choice)).pixels
    assert result[0, :, 3].min() == 255
    assert result[:, :, 3].min() < 60


def test_the_shadow_of_a_photo_is_soft_and_falls_on_the_white_margin_below() -> None:
    photo = Picture(np.full((400, 600, 3), 120, np.uint8))
    result = apply_steps(photo, step("shadow")).pixels.astype(int)
    side = (result.shape[1] - 600) // 2
    below, above = result[-side:, result.shape[1] // 2, 0], result[:side, result.shape[1] // 2, 0][::-1]
    assert below[0] < 200
    assert below[-1] > 245
    assert np.all(np.diff(below) >= 0)
    assert np.diff(below).max() < 30
    assert below.mean() < above.mean()
    assert np.all(result[side:-side, side:-side] == 120)


def test_a_stronger_shadow_is_darker_and_a_colored_one_has_its_color() -> None:
    lights = [
        apply_steps(scenery(), step("shadow", amount=amount)).pixels[-8:].mean() for amount in (0.2, 0.5, 1.0)
    ]
    assert lights == sorted(lights, reverse=True)
    blue = apply_steps(scenery(), step("shadow", color="blue")).pixels[-10].astype(int)
    assert (blue[:, 2] - blue[:, 0]).max() > 20


def test_the_shadow_of_a_photo_with_alpha_has_a_transparent_background() -> None:
    photo = Picture(cast(Bytes, np.dstack([scenery().pixels, np.full((160, 240), 255, np.uint8)])))
    alpha = apply_steps(photo, step("shadow")).pixels[:, :, 3]
    assert alpha[0, 0] < 30
    assert 60 < alpha[-13, alpha.shape[1] // 2] < 255
    assert alpha[alpha.shape[0] // 2, alpha.shape[1] // 2] == 255


def test_the_shadow_of_a_subject_falls_behind_it() -> None:
    photo = ball()
    result = apply_steps(photo, step("shadow", target=Target("subject"), amount=0.7))
    darker = photo.pixels.astype(int).sum(2) - result.pixels.astype(int).sum(2)
    assert (darker[INSIDE] == 0).mean() > 0.9
    below = slice(215, 222), slice(190, 220)
    assert darker[below].mean() > 60
    assert np.abs(darker[:, :60]).max() <= 3


@pytest.mark.slow
def test_the_shadow_of_a_cutout_is_drawn_in_its_transparent_area() -> None:
    cut = step("transparent_background")
    for target in (Target(), Target("subject")):
        bare = apply_steps(ball(), cut).pixels
        result = apply_steps(ball(), cut, step("shadow", target=target)).pixels
        assert result.shape == bare.shape
        assert bare[218, 205, 3] == 0
        assert 40 < result[218, 205, 3] < 255
        assert result[218, 205, :3].max() < 40
        assert np.array_equal(result[135, 202], bare[135, 202])


def test_a_shadow_is_refused_if_no_subject_is_found() -> None:
    pixels = np.random.default_rng(0).integers(90, 110, (200, 300, 3), np.uint8)
    with pytest.raises(PlanRefused):
        apply_steps(Picture(pixels), step("shadow", target=Target("subject")))


def test_the_shadow_of_a_photo_is_outside_its_border_in_either_order() -> None:
    border = step("border", color="red", pixels=10.0)
    shadow = step("shadow")
    for steps in ((border, shadow), (shadow, border)):
        result = apply_steps(scenery(), *steps).pixels
        assert np.abs(result[0, 0].astype(int) - 255).max() < 12
        assert (np.abs(result.astype(int) - (214, 30, 36)).max(2) == 0).any()


def test_variations_of_a_frame_differ() -> None:
    made = carry_out_steps(scenery(600, 400), step("frame", style="polaroid"), outputs=3)
    assert len({picture.width for picture in made}) == 3


def test_layers_of_a_deep_picture_keep_its_pixels() -> None:
    photo = deep(ball())
    mask = ball_mask().astype(np.float32)
    ground = np.zeros((270, 360, 3), np.uint16)
    result = layers(photo, mask).over(lambda rows: ground[rows])
    assert np.array_equal(result[135, 202], photo.pixels[135, 202])
    assert result[5, 5].max() == 0


def test_an_aspect_ratio_that_leaves_almost_nothing_of_the_photo_is_refused() -> None:
    with pytest.raises(PlanRefused, match="Almost nothing would be left of the photo"):
        apply_steps(scenery(6, 6), step("vignette"), aspect_ratio="16:9")


def test_a_contact_shadow_lies_on_the_ground_under_the_subject() -> None:
    photo = ball(400, 400)
    under = step("shadow", Target("subject"), contact=True, amount=0.8)
    darker = photo.pixels.astype(int).mean(2) - apply_steps(photo, under).pixels.astype(int).mean(2)
    rows, columns = np.nonzero(darker > 20)
    assert rows.min() > 270  # The ball ends at row 312, and only its foot has the shadow.
    assert 312 < rows.max() < 340
    assert columns.mean() == pytest.approx(224, abs=6)


def test_a_contact_shadow_of_a_cutout_is_transparent_at_its_edge() -> None:
    cut = step("transparent_background", Target("background"))
    under = step("shadow", Target("subject"), contact=True)
    alpha = apply_steps(ball(400, 400), cut, under).pixels[:, :, 3]
    assert alpha[[0, -1]].max() == 0
    assert 0 < alpha[318, 224] < 255


def test_a_contact_shadow_needs_room() -> None:
    cut = step("crop", place="bottom", percent=24.0)
    with pytest.raises(PlanRefused, match="no room for a shadow"):
        apply_steps(ball(400, 400), cut, step("shadow", Target("subject"), contact=True))
