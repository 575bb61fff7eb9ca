from typing import cast

import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.plan import Reason
from editor.imaging.picture import Bytes, Picture
from editor.options import Region
from tests.engine.pictures import apply_steps, ball, ball_mask, deep, detail, scenery, step, with_alpha

INSIDE = ball_mask() == 1
AROUND = Region(0.33, 0.18, 0.46, 0.64)


def camouflaged() -> Picture:
    """Draw a disc of leaves that is slightly brighter than the same pattern around it."""
    random = np.random.default_rng(8)
    blocks = random.integers(40, 200, (34, 45, 3), np.uint8)
    pixels = cast(Bytes, cv2.resize(blocks, (360, 270), interpolation=cv2.INTER_LINEAR))
    pixels[INSIDE] = np.clip(pixels[INSIDE] * 1.12 + 6, 0, 255).astype(np.uint8)
    return Picture(pixels)


def test_a_solid_background_has_one_color_and_does_not_change_the_subject() -> None:
    for photo in (ball(), deep(ball())):
        scale = np.iinfo(photo.pixels.dtype).max / 255
        result = apply_steps(photo, step("solid_background", color="sky blue")).pixels / scale
        ground = np.abs(result - (125, 190, 235)).max(2) < 1.01
        assert ground[~INSIDE].mean() > 0.97
        assert (np.abs(result - photo.pixels / scale).max(2) < 2)[INSIDE].mean() > 0.93


def test_a_transparent_background_leaves_only_the_subject_opaque() -> None:
    photo = ball()
    result = apply_steps(photo, step("transparent_background"))
    alpha = result.pixels[:, :, 3]
    assert all(alpha[corner] == 0 for corner in ((0, 0), (0, -1), (-1, 0), (-1, -1)))
    assert alpha[135, 202] == 255
    overlap = ((alpha > 127) & INSIDE).sum() / ((alpha > 127) | INSIDE).sum()
    assert overlap > 0.93


def test_the_edge_of_a_cut_out_has_the_color_of_the_subject() -> None:
    result = apply_steps(ball(), step("transparent_background")).pixels.astype(int)
    edge = (result[:, :, 3] > 60) & (result[:, :, 3] < 250)
    assert edge.any()
    assert (result[edge][:, 0] - result[edge][:, 1]).mean() > 60


def test_removing_the_background_never_makes_a_pixel_more_opaque() -> None:
    photo = with_alpha(ball())
    result = apply_steps(photo, step("transparent_background")).pixels
    assert np.all(result[:, :, 3] <= photo.pixels[:, :, 3])


def cut_before(photo: Picture) -> Picture:
    """Return the photo with all pixels outside `INSIDE` made transparent."""
    alpha = (INSIDE * np.iinfo(photo.pixels.dtype).max).astype(photo.pixels.dtype)
    return Picture(cast(Bytes, np.dstack([photo.pixels, alpha])))


@pytest.mark.parametrize("photo", [ball(), deep(ball()), camouflaged()])
def test_an_already_cut_out_subject_is_unchanged_on_a_new_background(photo: Picture) -> None:
    cut = cut_before(photo)
    result, top = (
        apply_steps(cut, step("solid_background", color="white")).pixels,
        np.iinfo(cut.pixels.dtype).max,
    )
    assert np.all(result[:, :, 3] == top)
    assert np.all(result[~INSIDE] == top)
    assert np.array_equal(result[INSIDE], cut.pixels[INSIDE])


def test_blurring_the_background_does_not_fill_in_transparent_areas() -> None:
    cut = cut_before(ball())
    result = apply_steps(cut, step("blur_background", amount=0.4)).pixels
    assert np.array_equal(result[:, :, 3], cut.pixels[:, :, 3])
    assert np.array_equal(result[INSIDE], cut.pixels[INSIDE])


def test_removing_the_background_of_a_cutout_does_not_change_its_alpha() -> None:
    cut = cut_before(ball())
    assert np.array_equal(
        apply_steps(cut, step("transparent_background")).pixels[:, :, 3], cut.pixels[:, :, 3]
    )


@pytest.mark.parametrize("amount", [0.2, 0.65])
def test_a_blurred_background_leaves_the_subject_sharp(amount: float) -> None:
    pixels = ball().pixels.copy()
    noise = np.random.default_rng(4).integers(-14, 14, pixels.shape)
    pixels[~INSIDE] = np.clip(pixels.astype(int) + noise, 0, 255).astype(np.uint8)[~INSIDE]
    photo = Picture(pixels)
    result = apply_steps(photo, step("blur_background", amount=amount))
    assert detail(Picture(result.pixels[:, :80])) < 0.1 * detail(Picture(pixels[:, :80]))
    assert (result.pixels == pixels).all(2)[INSIDE].mean() > 0.9


def test_no_halo_of_the_subject_is_left_in_the_blur() -> None:
    result = apply_steps(ball(), step("blur_background", amount=1.0)).pixels.astype(int)
    far = ball_mask(360, 270) == 0
    far[:, 100:310] = False
    assert (result[far][:, 0] - result[far][:, 1]).max() < 20


def test_a_second_photo_becomes_the_background_with_a_notice_about_light() -> None:
    other = scenery(200, 300)
    result = apply_steps(ball(), step("photo_background", photo=2), photos=(other,))
    assert result.pixels.shape == (270, 360, 3)
    assert np.abs(result.pixels[:40, :40].astype(int) - ball().pixels[:40, :40]).mean() > 10
    assert "light" in result.notices[0]


def test_a_missing_background_photo_is_refused() -> None:
    with pytest.raises(PlanRefused) as caught:
        apply_steps(ball(), step("photo_background", photo=2))
    assert caught.value.refusals[0].reason is Reason.NEEDS_REFERENCE


@pytest.mark.sampled(1)
@pytest.mark.parametrize("operation", ["solid_background", "transparent_background", "blur_background"])
def test_an_uncertain_cutout_is_refused_with_a_hint_about_a_box(operation: str) -> None:
    pixels = np.random.default_rng(0).integers(90, 110, (200, 300, 3), np.uint8)
    with pytest.raises(PlanRefused) as caught:
        apply_steps(Picture(pixels), step(operation))
    assert caught.value.refusals[0].reason is Reason.LOW_CONFIDENCE
    assert "Draw a box around the subject." in caught.value.message
    with pytest.raises(PlanRefused, match="can't tell what is in the box") as caught:
        apply_steps(Picture(pixels), step(operation), regions=(Region(0.3, 0.3, 0.4, 0.4),))
    assert "Draw a slightly wider box around it" in caught.value.message
    assert "around the subject" not in caught.value.message


@pytest.mark.sampled(1)
@pytest.mark.parametrize("operation", ["solid_background", "transparent_background", "blur_background"])
def test_a_subject_in_the_colors_of_its_background_is_refused(operation: str) -> None:
    with pytest.raises(PlanRefused) as caught:
        apply_steps(camouflaged(), step(operation))
    assert caught.value.refusals[0].reason is Reason.LOW_CONFIDENCE


def test_hills_across_the_whole_photo_are_not_a_subject() -> None:
    rows, columns = np.indices((270, 360))
    pixels = np.full((270, 360, 3), (150, 190, 230), np.uint8)
    pixels[rows > 170 + 25 * np.sin(columns / 40)] = (60, 110, 50)
    with pytest.raises(PlanRefused) as caught:
        apply_steps(Picture(pixels), step("solid_background", color="white"))
    assert caught.value.refusals[0].reason is Reason.LOW_CONFIDENCE


@pytest.mark.sampled(3)
@pytest.mark.parametrize("middle", [(0.5, 0.5), (0.3, 0.6), (0.7, 0.45)])
@pytest.mark.parametrize("color", [(30, 60, 160), (245, 220, 60), (20, 20, 25)])
def test_the_cutout_of_a_drawn_thing_matches_its_outline(
    middle: tuple[float, float], color: tuple[int, int, int]
) -> None:
    pixels = np.full((270, 360, 3), (175, 178, 170), np.int16)
    truth = np.zeros((270, 360), np.uint8)
    cv2.ellipse(truth, (round(middle[0] * 360), round(middle[1] * 270)), (50, 75), 20, 0, 360, 1, -1)
    pixels[truth == 1] = color
    pixels += np.random.default_rng(6).integers(-6, 7, pixels.shape, np.int16)
    photo = Picture(np.clip(pixels, 0, 255).astype(np.uint8))
    solid = apply_steps(photo, step("transparent_background")).pixels[:, :, 3] > 127
    assert (solid & (truth == 1)).sum() / (solid | (truth == 1)).sum() > 0.95


def test_nothing_outside_a_drawn_box_belongs_to_the_subject() -> None:
    alpha = apply_steps(ball(), step("transparent_background"), regions=(AROUND,)).pixels[:, :, 3]
    outside = np.ones(alpha.shape, bool)
    outside[40:230, 110:290] = False
    assert not alpha[outside].any()
    assert ((alpha > 127) & INSIDE).sum() / ((alpha > 127) | INSIDE).sum() > 0.95


def test_a_drawn_box_identifies_the_subject_on_a_busy_background() -> None:
    busy = scenery(360, 270).pixels // 3
    busy[INSIDE] = (250, 240, 60)
    result = apply_steps(Picture(busy), step("transparent_background"), regions=(AROUND,)).pixels[:, :, 3]
    assert ((result > 127) & INSIDE).sum() / ((result > 127) | INSIDE).sum() > 0.85


def test_a_transparent_background_is_refused_for_jpeg_but_not_for_webp() -> None:
    cut = step("transparent_background")
    with pytest.raises(PlanRefused, match=r"JPEG doesn't support transparency\. Choose PNG or WebP\."):
        apply_steps(ball(), cut, output_format="jpeg")
    apply_steps(ball(), cut, output_format="webp")
