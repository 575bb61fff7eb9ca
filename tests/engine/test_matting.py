"""Tests that a cutout of hair includes the strands, but not the background that is visible between them."""

import cv2
import numpy as np
import pytest

from editor.engine.colors import Floats
from editor.engine.drawing.layers import layers
from editor.engine.targets.matting import estimate_alpha
from editor.imaging.picture import Bytes, Picture

HAIR, GROUND = (70, 40, 20), (120, 170, 220)
STRANDS = range(20, 161, 10)  # angles, in degrees, of the strands that extend beyond the rough outline


def head(size: int = 400) -> tuple[Bytes, Floats]:
    """Draw short upright hair on a head, and a mask that ends at the head."""
    colors = np.full((size, size, 3), GROUND, np.uint8)
    rough = np.zeros((size, size), np.float32)
    middle = (size // 2, size // 2)
    for degrees in STRANDS:
        cv2.line(colors, middle, at(degrees, 107), HAIR, 2, cv2.LINE_AA)
    cv2.circle(colors, middle, 100, HAIR, -1, cv2.LINE_AA)
    cv2.circle(rough, middle, 100, 1, -1, cv2.LINE_AA)
    grain = np.random.default_rng(4).normal(0, 2, colors.shape)
    return np.clip(colors + grain, 0, 255).astype(np.uint8), rough


def at(degrees: float, radius: float) -> tuple[int, int]:
    turned = np.radians(degrees)
    return round(200 + radius * np.cos(turned)), round(200 - radius * np.sin(turned))


def shares(mask: Floats, shift: float) -> list[float]:
    """Return the mask's values at `shift` degrees from each strand.

    If `shift` is 0, these are the values on the strands.
    """
    places = (at(degrees + shift, 104) for degrees in STRANDS)
    return [float(mask[row, column]) for column, row in places]


def test_strands_beyond_the_outline_belong_to_the_subject() -> None:
    colors, rough = head()
    mask = estimate_alpha(rough, colors)
    assert np.median(shares(mask, 0)) > 0.5 > max(shares(rough, 0))
    assert max(shares(mask, 5)) < 0.15, "the ground between them"


def test_loose_specks_of_the_ground_do_not_belong_to_the_subject() -> None:
    colors, rough = head()
    for degrees in range(200, 341, 10):
        cv2.circle(colors, at(degrees, 106), 2, HAIR, -1, cv2.LINE_AA)
    mask = estimate_alpha(rough, colors)
    assert np.median(shares(mask, 0)) > 0.5, "the strands are still there"
    assert max(float(mask[at(degrees, 107)[::-1]]) for degrees in range(200, 341, 10)) < 0.1


def test_the_mask_does_not_change_inside_or_far_outside_the_outline() -> None:
    colors, rough = head()
    mask = estimate_alpha(rough, colors)
    assert mask[140:260, 140:260].min() == 1
    assert mask[:80].max() == 0


def test_cut_out_strands_do_not_show_the_old_background() -> None:
    colors, rough = head()
    mask = estimate_alpha(rough, colors)
    cut = layers(Picture(colors), mask).cut_out()
    column, row = at(90, 104)
    assert cut[row, column, 3] > 100
    assert np.abs(cut[row, column, :3].astype(int) - HAIR).max() < 40


def test_an_outline_between_similar_colors_does_not_move() -> None:
    _, rough = head()
    plain = np.full((400, 400, 3), GROUND, np.uint8)
    assert ((estimate_alpha(rough, plain) > 0.5) == (rough > 0.5)).mean() > 0.99


@pytest.mark.parametrize("rough", [np.zeros((8, 8), np.float32), np.ones((30, 20), np.float32)])
def test_a_mask_without_an_outline_does_not_change(rough: Floats) -> None:
    assert np.array_equal(estimate_alpha(rough, np.full((*rough.shape, 3), 90, np.uint8)), rough)


def test_the_same_photo_gives_the_same_mask() -> None:
    colors, rough = head()
    assert np.array_equal(estimate_alpha(rough, colors), estimate_alpha(rough, colors))


def test_dark_spots_of_a_bright_background_are_not_hair() -> None:
    colors, rough = head()
    dark = tuple(value + 25 for value in HAIR)
    for degrees in range(200, 341, 4):
        cv2.line(colors, at(degrees, 101), at(degrees, 125), dark, 2, cv2.LINE_AA)
    mask = estimate_alpha(rough, colors)
    assert np.median([float(mask[at(degrees, 107)[::-1]]) for degrees in range(200, 341, 4)]) < 0.2


def from_the_middle(size: int = 400) -> Floats:
    """Return the distance of each pixel from the middle of the head."""
    rows, columns = np.indices((size, size), np.float32) - size // 2
    return np.hypot(rows, columns)


def test_spots_of_a_patterned_background_at_the_outline_do_not_belong_to_the_subject() -> None:
    colors, rough = head()
    away = from_the_middle()
    noise = cv2.GaussianBlur(np.random.default_rng(3).normal(size=rough.shape), (0, 0), 3)
    spots = cv2.GaussianBlur((noise > 0).astype(np.float32), (0, 0), 1.5)[:, :, None]
    wall = np.array(GROUND) * (1 - spots) + np.array((60, 50, 45)) * spots
    colors = np.where((away > 101)[:, :, None], wall, np.array(HAIR)).astype(np.uint8)
    assert (estimate_alpha(rough, colors)[(away > 104) & (away < 110)] > 0.3).mean() < 0.002


def test_highlights_on_dark_hair_are_not_transparent() -> None:
    colors, rough = head()
    colors[:] = 245
    cv2.circle(colors, (200, 200), 100, (30, 28, 30), -1, cv2.LINE_AA)
    cv2.circle(colors, (200, 200), 86, (150, 150, 150), 6)
    for degrees in range(200, 340, 20):
        cv2.ellipse(colors, (200, 200), (98, 98), 0, degrees, degrees + 9, (150, 150, 150), 4)
    mask = estimate_alpha(rough, colors)
    assert (mask[from_the_middle() < 99] < 0.7).sum() < 200
