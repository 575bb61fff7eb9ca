"""Tests for denoising, blurring, pixelating, and smoothing skin.

They check what becomes smooth and what stays sharp.
"""

import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.plan import Reason, Target
from editor.imaging.picture import Picture, Pixels
from editor.options import Region
from tests.engine.pictures import (
    REGION,
    apply_steps,
    ball,
    ball_mask,
    changed,
    deep,
    detail,
    scenery,
    step,
    with_alpha,
)

BOX = Region(0.25, 0.25, 0.5, 0.5)


def sharp(width: int = 240, height: int = 160) -> Picture:
    """Draw bars of several widths and colors, without noise."""
    pixels = np.full((height, width, 3), (90, 110, 130), np.uint8)
    for left, color in zip(
        range(10, width, 30), [(220, 60, 50), (240, 240, 235), (30, 120, 60)] * 3, strict=False
    ):
        cv2.rectangle(pixels, (left, 10), (left + 14, height - 11), color, -1)
    return Picture(pixels)


def grainy(picture: Picture, sigma: float = 12) -> Picture:
    noise = np.random.default_rng(7).normal(0, sigma, picture.pixels.shape)
    return Picture(np.clip(picture.pixels + noise, 0, 255).astype(np.uint8))


def portrait(width: int = 320, height: int = 400) -> Picture:
    """Draw a face that the detector finds, with spots on its cheeks."""
    pixels = np.full((height, width, 3), (70, 90, 110), np.float32)

    def oval(x: float, y: float, across: float, down: float, color: tuple[int, int, int]) -> None:
        middle, axes = (round(x * width), round(y * height)), (round(across * width), round(down * height))
        cv2.ellipse(pixels, middle, axes, 0, 0, 360, color, -1)

    oval(0.5, 0.42, 0.36, 0.38, (60, 40, 30))
    oval(0.5, 0.48, 0.29, 0.33, (214, 170, 146))
    for x in (0.375, 0.625):
        oval(x, 0.36, 0.075, 0.018, (70, 45, 35))
        oval(x, 0.42, 0.065, 0.032, (150, 105, 90))
        oval(x, 0.42, 0.05, 0.02, (235, 235, 230))
        oval(x, 0.42, 0.022, 0.02, (40, 30, 30))
    oval(0.5, 0.52, 0.03, 0.09, (228, 186, 162))
    oval(0.5, 0.605, 0.06, 0.014, (165, 115, 98))
    oval(0.5, 0.68, 0.1, 0.028, (165, 70, 75))
    for x, y in ((0.32, 0.55), (0.36, 0.6), (0.66, 0.56), (0.63, 0.62), (0.3, 0.5)):
        oval(x, y, 0.008, 0.006, (190, 135, 115))
    soft = cv2.GaussianBlur(pixels, (0, 0), 1.5) + np.random.default_rng(2).normal(0, 4, pixels.shape)
    return Picture(np.clip(soft, 0, 255).astype(np.uint8))


CHEEKS = (slice(215, 250), slice(90, 130))
EYES = (slice(155, 182), slice(98, 142))
LIPS = (slice(264, 280), slice(136, 184))
HAIR = (slice(40, 60), slice(100, 220))


def roughness(pixels: Pixels) -> float:
    return float(cv2.Laplacian(pixels.astype(np.float32), cv2.CV_32F).std())


@pytest.mark.parametrize("amount", [0.2, 0.5, 1.0])
def test_denoise_comes_closer_to_the_photo_without_noise(amount: float) -> None:
    photo = grainy(sharp())
    result = apply_steps(photo, step("denoise", amount=amount))
    before, after = (cv2.PSNR(sharp().pixels, picture.pixels) for picture in (photo, result))
    assert after > before + (1.5 if amount < 0.5 else 4)


def test_denoise_preserves_edges_and_the_colors_of_thin_bars() -> None:
    result = apply_steps(grainy(sharp()), step("denoise")).pixels.astype(int)
    truth = sharp().pixels.astype(int)
    inner = (slice(20, 140), slice(12, 23))
    assert np.abs(result[inner].mean((0, 1)) - truth[inner].mean((0, 1))).max() < 6
    step_before = truth[80, 11] - truth[80, 8]
    step_after = result[20:140, 11].mean(0) - result[20:140, 8].mean(0)
    assert np.abs(step_after).max() > 0.75 * np.abs(step_before).max()


def test_denoise_hardly_changes_a_clean_photo() -> None:
    result = apply_steps(sharp(), step("denoise"))
    assert cv2.PSNR(sharp().pixels, result.pixels) > 38


def test_grain_is_strongest_in_midtones_and_preserves_their_mean_color() -> None:
    pixels = np.repeat(np.array([[[4, 4, 4], [140, 120, 100], [252, 252, 252]]], np.uint8), 40, 1)
    photo = Picture(np.repeat(pixels, 60, 0))
    result = apply_steps(photo, step("grain", amount=0.5)).pixels.astype(int)
    dark, middle, bright = (result[:, left : left + 40] for left in (0, 40, 80))
    assert middle[:, :, 0].std() > 4 * max(dark.std(), bright.std())
    assert np.abs(middle.mean((0, 1)) - (140, 120, 100)).max() < 1.5
    assert np.abs(middle - middle.mean((0, 1))).max() > 0
    assert np.ptp(middle - (140, 120, 100), axis=2).max() <= 1


@pytest.mark.parametrize("operation", ["blur", "pixelate", "denoise"])
def test_a_larger_amount_leaves_less_detail(operation: str) -> None:
    left = [detail(apply_steps(scenery(), step(operation, amount=amount))) for amount in (0.1, 0.35, 0.65, 1)]
    assert left[0] < detail(scenery())
    if operation != "pixelate":  # Pixelating adds edges between the blocks.
        assert left == sorted(left, reverse=True)


def test_a_blurred_box_loses_most_of_its_contrast() -> None:
    photo = sharp()
    result = apply_steps(photo, step("blur", target=REGION, amount=1.0), regions=(BOX,))
    inside = result.pixels[50:110, 70:170].astype(int)
    assert inside.std(axis=1).max() < 0.5 * photo.pixels[50:110, 70:170].std(axis=1).max()


def test_a_pixelated_region_is_made_of_blocks() -> None:
    result = apply_steps(scenery(), step("pixelate", target=REGION), regions=(BOX,)).pixels
    inside = result[40:120, 60:180]
    assert len(np.unique(inside.reshape(-1, 3), axis=0)) < 200
    assert np.array_equal(inside[0], inside[1])


def test_each_of_two_boxes_is_blurred_and_nothing_between_them() -> None:
    photo = sharp()
    both = (Region(0, 0, 0.3, 1), Region(0.7, 0, 0.3, 1))
    target = Target("region", boxes=(1, 2))
    where = changed(photo, apply_steps(photo, step("blur", target=target, amount=1.0), regions=both))
    assert where[:, :72].mean() > 0.5
    assert where[:, 168:].mean() > 0.5
    assert not where[:, 72:168].any()


def test_a_blurred_background_leaves_the_subject_sharp() -> None:
    photo, inside = ball(), ball_mask() == 1
    result = apply_steps(photo, step("blur", target=Target("background"), amount=0.65))
    where = changed(photo, result)
    assert where[inside].mean() < 0.1
    assert where[~inside].mean() > 0.8


def test_a_blur_of_everything_except_the_subject_is_a_blurred_background() -> None:
    photo = ball()
    everything = step("blur", target=Target("whole"), keep=(Target("subject"),), amount=0.65)
    background = step("blur", target=Target("background"), amount=0.65)
    assert np.array_equal(apply_steps(photo, everything).pixels, apply_steps(photo, background).pixels)


def test_transparent_pixels_do_not_color_a_blur() -> None:
    photo = with_alpha(sharp())
    pixels = photo.pixels.copy()
    pixels[:, :120] = (255, 0, 255, 0)
    result = apply_steps(Picture(pixels), step("blur", amount=0.65)).pixels
    assert np.array_equal(result[:, :, 3], pixels[:, :, 3])
    red, green, _ = result[80, 122, :3].astype(int)
    assert red - green < 120


def test_skin_becomes_smoother_but_eyes_lips_and_hair_hardly_change() -> None:
    photo = portrait()
    result = apply_steps(photo, step("smooth_skin", amount=0.65))
    assert roughness(result.pixels[CHEEKS]) < 0.8 * roughness(photo.pixels[CHEEKS])
    for part in (EYES, LIPS, HAIR):
        moved = np.abs(result.pixels[part].astype(int) - photo.pixels[part])
        assert moved.mean() < 0.5
    assert not changed(photo, result)[:, :8].any()


def test_smoother_skin_keeps_its_color() -> None:
    photo = portrait()
    result = apply_steps(photo, step("smooth_skin", amount=1.0))
    assert np.abs(result.pixels[CHEEKS].mean((0, 1)) - photo.pixels[CHEEKS].mean((0, 1))).max() < 3


def test_wrinkles_become_lighter_and_keep_the_color_of_the_skin() -> None:
    pixels = portrait().pixels.copy()
    smooth = apply_steps(Picture(pixels.copy()), step("smooth_skin", amount=0.35)).pixels[CHEEKS]
    for row in (222, 232, 242):
        pixels[row : row + 2, 92:128] = (pixels[row : row + 2, 92:128] * 0.6).astype(np.uint8)
    after = apply_steps(Picture(pixels), step("smooth_skin", amount=0.35)).pixels[CHEEKS]
    wrinkles = np.s_[7:9, 6:34]
    before = pixels[CHEEKS][wrinkles].astype(int)
    target, reduced = (part[wrinkles].astype(int) for part in (smooth, after))
    assert np.abs(reduced - target).mean() < 0.5 * np.abs(before - target).mean()


def test_a_larger_amount_makes_skin_smoother() -> None:
    photo = portrait()
    rough = [
        roughness(apply_steps(photo, step("smooth_skin", amount=amount)).pixels[CHEEKS])
        for amount in (0.1, 0.35, 0.65, 1.0)
    ]
    assert [roughness(photo.pixels[CHEEKS]), *rough] == sorted(
        [roughness(photo.pixels[CHEEKS]), *rough], reverse=True
    )


def test_skin_smoothing_is_the_same_with_16_bits_and_with_alpha() -> None:
    photo, smooth = portrait(), step("smooth_skin", amount=0.65)
    plain = apply_steps(photo, smooth)
    assert np.abs(apply_steps(deep(photo), smooth).pixels / 257.0 - plain.pixels).mean() < 1
    clear = apply_steps(with_alpha(photo), smooth)
    assert np.array_equal(clear.pixels[:, :, 3], with_alpha(photo).pixels[:, :, 3])
    assert np.array_equal(clear.pixels[:, :, :3], plain.pixels)


def test_skin_without_a_face_is_smoothed_only_in_a_box() -> None:
    with pytest.raises(PlanRefused, match="can't find a face") as caught:
        apply_steps(scenery(), step("smooth_skin"))
    assert caught.value.refusals[0].reason is Reason.NO_SUCH_TARGET
    photo = grainy(Picture(np.full((120, 160, 3), (214, 170, 146), np.uint8)), 4)
    result = apply_steps(photo, step("smooth_skin", target=REGION), regions=(BOX,))
    where = changed(photo, result)
    assert where[40:80, 60:100].any()
    where[30:90, 40:120] = False
    assert not where.any()


def test_the_kept_half_of_a_face_does_not_change() -> None:
    photo = portrait()
    result = apply_steps(photo, step("smooth_skin", keep=(REGION,)), regions=(Region(0, 0, 0.5, 1),))
    where = changed(photo, result)
    assert not where[:, :160].any()
    assert where[:, 160:].any()
