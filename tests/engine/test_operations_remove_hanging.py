"""Tests that an object is removed together with its parts that its mask misses."""

import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.masks import dilate
from editor.engine.operations.remove import erase
from editor.engine.operations.remove.hanging_parts import hanging_parts
from editor.engine.pixels import Box
from editor.imaging.picture import Bytes, Picture

HEIGHT, WIDTH = 300, 400
BODY = Box(150, 100, 250, 200)
FOOT = Box(190, 201, 214, 211)  # There is a gap of one pixel between the mask and the foot.
STONE = Box(20, 230, 44, 242)
YELLOW, BROWN, GRASS = (230, 190, 20), (90, 60, 40), (90, 140, 60)


def meadow() -> Floats:
    grain = np.random.default_rng(2).normal(0, 5, (HEIGHT, WIDTH, 3))
    return (np.array(GRASS) + grain).astype(np.float32)


def bird(*parts: tuple[Box, tuple[int, int, int]]) -> Picture:
    """Draw a brown bird with a yellow beak on a meadow, along with other parts."""
    pixels = meadow()
    for box, color in ((BODY, BROWN), (Box(230, 110, 249, 124), YELLOW), *parts):
        pixels[box.slices] = color
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def mask_of_body() -> Bytes:
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[BODY.slices] = 1
    return mask


def near_body() -> Bytes:
    """Return the body with its edge, where a pixel may show some of it."""
    return dilate(mask_of_body(), 12)


def parts_of(picture: Picture, others: Bytes | None = None) -> Bytes:
    nothing = np.zeros((HEIGHT, WIDTH), np.uint8)
    return hanging_parts(picture, mask_of_body(), nothing if others is None else others)


def test_a_foot_that_the_mask_misses_hangs_on_the_bird() -> None:
    found = parts_of(bird((FOOT, YELLOW)))
    assert found[FOOT.slices].mean() > 0.95
    found[FOOT.slices] = 0
    assert not found[near_body() == 0].any()


def test_a_thin_tail_that_ends_nearby_hangs_on_the_bird() -> None:
    tail = Box(138, 150, 150, 153)
    assert parts_of(bird((tail, BROWN)))[tail.slices].mean() > 0.9


def test_a_soft_edge_belongs_to_the_bird_even_if_its_color_is_common_elsewhere() -> None:
    tuft, mixed = Box(160, 97, 200, 100), (90, 90, 60)
    fields = [(Box(left, 260, left + 40, 300), mixed) for left in range(0, WIDTH, 60)]
    assert parts_of(bird((tuft, mixed), *fields))[tuft.slices].mean() > 0.9


@pytest.mark.parametrize(
    ("box", "color"),
    [
        (STONE, YELLOW),  # does not touch the bird
        (Box(250, 150, 400, 156), BROWN),  # a branch that continues beyond
        (FOOT, (95, 145, 60)),  # a tuft of grass
    ],
)
def test_what_does_not_belong_to_the_bird_stays(box: Box, color: tuple[int, int, int]) -> None:
    found = parts_of(bird((box, color)))
    assert not found[near_body() == 0].any()


def test_another_object_of_the_same_color_does_not_hang_on_the_bird() -> None:
    others = np.zeros((HEIGHT, WIDTH), np.uint8)
    others[FOOT.slices] = 1
    assert not parts_of(bird((FOOT, YELLOW)), others)[FOOT.slices].any()


def test_nothing_hangs_on_a_thing_with_the_colors_of_its_background() -> None:
    found = parts_of(Picture(np.clip(meadow(), 0, 255).astype(np.uint8)))
    assert not found[near_body() == 0].any()


def test_the_hole_of_a_bird_includes_its_foot() -> None:
    picture = bird((FOOT, YELLOW))
    hole = erase._with_shadows(Canvas(picture), erase._things_in(mask_of_body().astype(np.float32)))
    core = np.zeros((HEIGHT, WIDTH), np.uint8)
    core[FOOT.slices] = 1
    assert hole[cv2.erode(core, np.ones((3, 3), np.uint8)) == 1].all()
