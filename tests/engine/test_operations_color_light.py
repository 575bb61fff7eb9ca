"""Tests for exposure, highlights, shadows, clarity, low light, and haze.

They check which tones change, and by how much.
"""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from editor.engine.plan import Target
from editor.imaging.picture import Picture
from tests.engine.pictures import apply_steps, chroma, detail, lab, light, scenery, step

AMOUNTS = (0.2, 0.35, 0.65, 1.0)


def wedge(width: int = 512, height: int = 64) -> Picture:
    """Draw a gray gradient from black on the left to white on the right."""
    levels = np.linspace(0, 255, width).round().astype(np.uint8)
    return Picture(np.repeat(np.tile(levels, (height, 1))[:, :, None], 3, 2))


def row(picture: Picture) -> NDArray[np.int64]:
    return picture.pixels[picture.height // 2, :, 1].astype(np.int64)


def misty() -> Picture:
    """Draw scenery in fog that gets thicker toward the top."""
    share = np.linspace(0.35, 0.95, 160)[:, None, None]
    return Picture((share * scenery().pixels + (1 - share) * 225).astype(np.uint8))


def dark() -> Picture:
    """Draw scenery at night, with a fifth of the daylight and the noise of a small image sensor."""
    pixels = (scenery().pixels / 255.0) ** 1.2 * 50
    pixels += np.random.default_rng(4).normal(0, 2, pixels.shape)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


@pytest.mark.parametrize("amount", AMOUNTS)
def test_exposure_lightens_and_darkens(amount: float) -> None:
    photo = scenery()
    assert light(apply_steps(photo, step("exposure", amount=-amount))) < light(photo)
    assert light(apply_steps(photo, step("exposure", amount=amount))) > light(photo)


@pytest.mark.parametrize("operation", ["exposure", "highlights", "shadows", "low_light"])
@pytest.mark.parametrize("amount", [-1.0, -0.35, 0.35, 1.0])
def test_lighter_tones_stay_lighter(operation: str, amount: float) -> None:
    levels = row(apply_steps(wedge(), step(operation, amount=amount)))
    assert np.diff(levels).min() >= -1  # Rounding may lower a tone by one level.
    assert levels[0] <= 2


def test_raising_the_exposure_preserves_detail_in_highlights() -> None:
    levels = row(apply_steps(wedge(), step("exposure", amount=0.35)))
    assert len(np.unique(levels[430:])) > 15
    assert levels[-1] == 255


@pytest.mark.parametrize("amount", [-0.65, -0.35, 0.35, 0.65])
def test_highlights_do_not_change_dark_tones_nor_shadows_bright_tones(amount: float) -> None:
    before = row(wedge())
    bright = row(apply_steps(wedge(), step("highlights", amount=amount))) - before
    deep_down = row(apply_steps(wedge(), step("shadows", amount=amount))) - before
    assert np.abs(bright[:150]).max() <= 1
    assert np.sign(amount) * bright[380:440].mean() > 4
    assert np.abs(deep_down[400:]).max() <= 2
    assert np.sign(amount) * deep_down[60:140].mean() > 4


def test_lifted_shadows_have_no_halo_along_an_edge() -> None:
    pixels = np.full((200, 300, 3), 215, np.uint8)
    pixels[:, :150] = 40
    result = apply_steps(Picture(pixels), step("shadows", amount=1.0)).pixels[100, :, 0].astype(int)
    assert result[75] > 60
    assert np.ptp(result[160:]) <= 3
    assert np.ptp(result[:140]) <= 6


def test_clarity_strengthens_or_softens_local_contrast() -> None:
    photo = scenery()
    soft, strong = (apply_steps(photo, step("clarity", amount=amount)) for amount in (-0.5, 0.5))
    assert detail(soft) < detail(photo) < detail(strong)
    assert abs(light(strong) - light(photo)) < 2


def test_hdr_lifts_shadows_lowers_highlights_and_adds_detail() -> None:
    levels = row(apply_steps(wedge(), step("hdr")))
    before = row(wedge())
    assert levels[100] > before[100] + 4
    assert levels[440] < before[440] - 4
    assert detail(apply_steps(scenery(), step("hdr"))) > detail(scenery())


@pytest.mark.parametrize("amount", [0.35, 1.0])
def test_low_light_brightens_a_dark_photo_without_amplifying_noise(amount: float) -> None:
    photo = dark()
    result = apply_steps(photo, step("low_light", amount=amount))
    assert light(result) > light(photo) + 8
    plain = apply_steps(photo, step("brightness", percent=100.0))
    gain = light(result) / light(photo)
    assert detail(result) / gain**2 < detail(plain) / (light(plain) / light(photo)) ** 2


def test_low_light_brightens_by_at_most_a_factor_of_four() -> None:
    black = Picture(np.full((60, 80, 3), 3, np.uint8))
    assert apply_steps(black, step("low_light", amount=1.0)).pixels.max() <= 13


def test_low_light_hardly_changes_a_bright_photo() -> None:
    photo = Picture((scenery().pixels // 3 + 165).astype(np.uint8))
    assert 0 <= light(apply_steps(photo, step("low_light"))) - light(photo) < 8


def test_dehaze_can_remove_and_add_haze() -> None:
    photo = misty()
    clear, more = (apply_steps(photo, step("dehaze", amount=amount)) for amount in (0.65, -0.5))
    assert more.pixels.std() < photo.pixels.std() < clear.pixels.std()
    assert chroma(more) < chroma(photo) < chroma(clear)


def test_removing_haze_comes_closer_to_the_clear_photo() -> None:
    truth, photo = lab(scenery()), misty()
    result = apply_steps(photo, step("dehaze", amount=0.65))
    assert np.abs(lab(result) - truth).mean() < 0.8 * np.abs(lab(photo) - truth).mean()


def test_removing_haze_keeps_a_well_lit_face_about_as_bright() -> None:
    pixels = np.full((300, 400, 3), (205, 210, 214), np.uint8)
    cv2.ellipse(pixels, (200, 150), (70, 95), 0, 0, 360, (214, 160, 132), -1)
    result = apply_steps(Picture(pixels), step("dehaze", amount=1.0)).pixels
    assert result[150, 200].mean() > 0.88 * pixels[150, 200].mean()


def test_removing_haze_draws_no_halo_around_a_dark_thing() -> None:
    pixels = np.full((300, 400, 3), (190, 205, 215), np.uint8)
    cv2.rectangle(pixels, (150, 120), (250, 299), (40, 45, 50), -1)
    sky = apply_steps(Picture(pixels), step("dehaze", amount=1.0)).pixels[60:300, 262:390, 1]
    assert np.ptp(sky.astype(int)) <= 8


@pytest.mark.parametrize("operation", ["highlights", "shadows", "clarity", "low_light", "dehaze"])
def test_a_smooth_sky_stays_free_of_bands(operation: str) -> None:
    sky = np.linspace(20_000, 52_000, 3000).astype(np.uint16)
    photo = Picture(np.repeat(np.tile(sky, (40, 1))[:, :, None], 3, 2))
    steps = np.diff(apply_steps(photo, step(operation, amount=0.65)).pixels[20, :, 1].astype(int))
    assert np.abs(steps[50:-50]).max() < 60  # less than a quarter of an 8-bit level


def test_brightening_one_side_leaves_the_far_side_unchanged() -> None:
    before = scenery()
    lighting = step("brightness", amount=0.5, target=Target("place", place="left"))
    lit = apply_steps(before, lighting)
    far = round(0.9 * before.width)
    assert (lit.pixels[:, far:] == before.pixels[:, far:]).all()
    assert light(Picture(lit.pixels[:, :40])) > light(Picture(before.pixels[:, :40]))
    assert (apply_steps(before, lighting).pixels == lit.pixels).all()
