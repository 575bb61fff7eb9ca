"""Tests that a cutout is corrected by what is behind the subject: gaps are open, and no part is missing."""

import cv2
import numpy as np
import pytest

from editor.engine.colors import Floats
from editor.engine.targets.backdrops import refine_by_backdrop
from editor.imaging.picture import Bytes

WALL, CLOTH, SHIRT = (248, 247, 246), (50, 52, 70), (240, 239, 240)
SIZE = (400, 300)
BODY, PANEL, HOLE = (slice(80, 220), slice(120, 280)), (slice(220, 260), slice(150, 190)), (200, 150, 30)


def on_a_wall(*, is_plain: bool = True) -> Bytes:
    """Draw a dark body with a panel below it, in front of a wall that is darker at the bottom."""
    shade = np.linspace(1.0, 0.94, SIZE[1])[:, None, None]
    colors = np.tile(np.array(WALL) * shade, (1, SIZE[0], 1))
    if not is_plain:
        colors *= np.random.default_rng(3).uniform(0.2, 1.0, (SIZE[1], SIZE[0], 1))
    colors[BODY], colors[PANEL] = CLOTH, CLOTH
    return np.clip(colors, 0, 255).astype(np.uint8)


def body() -> Floats:
    mask = np.zeros((SIZE[1], SIZE[0]), np.float32)
    mask[BODY] = 1
    return mask


def hole(picture: Bytes, color: tuple[int, int, int]) -> Bytes:
    """Paint a disc in the body in a color, and return the mask of its inside."""
    cv2.circle(picture, HOLE[:2], HOLE[2], color, -1)
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(inside, HOLE[:2], HOLE[2] - 4, 1, -1)
    return inside


def test_a_part_that_the_mask_lacks_is_added_in_front_of_a_plain_wall() -> None:
    mask = refine_by_backdrop(body(), on_a_wall(), body())
    assert mask[PANEL].mean() > 0.95
    assert mask[:70].max() == 0
    assert mask[265:].max() == 0


def test_a_thin_part_that_differs_little_from_a_plain_wall_is_added() -> None:
    picture = on_a_wall()
    cv2.line(picture, (270, 85), (320, 20), (205, 205, 210), 2, cv2.LINE_AA)
    mask = refine_by_backdrop(body(), picture, body())
    assert min(mask[y - 1 : y + 2, 270 + round((85 - y) / 1.3)].max() for y in range(25, 75, 5)) > 0.3
    assert mask[20:75, 225:255].max() == 0


def test_a_wide_part_that_differs_little_from_the_wall_is_not_added() -> None:
    picture = on_a_wall()
    picture[40:80, 180:220] = (220, 220, 222)
    assert refine_by_backdrop(body(), picture, body())[30:75].max() == 0


def test_a_soft_shadow_on_the_wall_is_not_added() -> None:
    picture, shadow = on_a_wall(), np.zeros((SIZE[1], SIZE[0]), np.float32)
    picture[PANEL] = picture[PANEL[0], :1]
    cv2.ellipse(shadow, (200, 226), (70, 12), 0, 0, 360, 1, -1)
    soft = 1 - 0.5 * cv2.GaussianBlur(shadow, (0, 0), 10)[:, :, None]
    shaded = np.where(body()[:, :, None] > 0, picture, picture * soft).astype(np.uint8)
    assert refine_by_backdrop(body(), shaded, body())[226:].mean() < 0.01


def test_no_part_is_added_in_front_of_a_rough_background() -> None:
    mask = refine_by_backdrop(body(), on_a_wall(is_plain=False), body())
    assert mask[PANEL].max() == 0


def test_a_hole_that_shows_exactly_the_wall_is_open() -> None:
    picture = np.full((SIZE[1], SIZE[0], 3), 255, np.uint8)
    picture[BODY] = CLOTH
    inside = hole(picture, (255, 255, 255))
    mask = refine_by_backdrop(body(), picture, body())
    assert mask[inside == 1].max() < 0.1
    assert mask[90:110, 130:270].min() > 0.95


def test_a_white_shirt_in_front_of_a_white_wall_is_no_hole() -> None:
    picture = on_a_wall()
    inside = hole(picture, SHIRT)
    assert refine_by_backdrop(body(), picture, body())[inside == 1].min() > 0.95


@pytest.mark.parametrize(("color", "is_open"), [(WALL, True), (CLOTH, False)])
def test_an_even_area_that_the_network_does_not_see_is_open_if_it_looks_like_the_wall(
    color: tuple[int, int, int], is_open: bool
) -> None:
    picture, seen = on_a_wall(), body()
    inside = hole(picture, color)
    cv2.circle(seen, HOLE[:2], HOLE[2], 0, -1)
    assert (refine_by_backdrop(body(), picture, seen)[inside == 1].max() < 0.1) == is_open
