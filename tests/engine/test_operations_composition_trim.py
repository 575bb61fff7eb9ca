"""Tests that plain borders are trimmed to the exact pixel."""

import io
from typing import cast

import numpy as np
import pytest
from PIL import Image

from editor.engine.errors import PlanRefused
from editor.imaging.codecs import read
from editor.imaging.limits import STORED
from editor.imaging.picture import Bytes, Picture
from tests.engine.pictures import apply_steps, deep, scenery, step

SIDES = ("top", "bottom", "left", "right")


def framed(picture: Picture, color: tuple[int, int, int], **widths: int) -> Picture:
    top, bottom, left, right = (widths.get(side, 0) for side in SIDES)
    height, width = picture.pixels.shape[:2]
    pixels = np.full((height + top + bottom, width + left + right, 3), color, np.uint8)
    pixels[top : top + height, left : left + width] = picture.pixels
    return Picture(pixels)


def as_jpeg(picture: Picture) -> Picture:
    file = io.BytesIO()
    Image.fromarray(cast(Bytes, picture.pixels)).save(file, "JPEG", quality=80)
    return read(file.getvalue(), STORED)


@pytest.mark.parametrize("color", [(0, 0, 0), (255, 255, 255), (250, 245, 225), (40, 90, 200)])
def test_a_border_is_trimmed_to_the_exact_pixel(color: tuple[int, int, int]) -> None:
    photo = scenery(300, 200)
    result = apply_steps(framed(photo, color, top=12, bottom=30, left=7, right=9), step("trim"))
    assert np.array_equal(result.pixels, photo.pixels)


def test_a_border_in_a_jpeg_is_trimmed_to_within_two_pixels() -> None:
    bordered = as_jpeg(framed(scenery(300, 200), (0, 0, 0), top=33, bottom=33))
    result = apply_steps(bordered, step("trim", color="black"))
    assert abs(result.height - 200) <= 2
    assert result.width == 300


def test_only_the_named_side_is_trimmed() -> None:
    bordered = framed(scenery(300, 200), (0, 0, 0), top=20, bottom=20, left=20)
    result = apply_steps(bordered, step("trim", place="bottom"))
    assert (result.width, result.height) == (320, 220)


def test_trimming_preserves_the_remaining_16_bit_pixels() -> None:
    photo = scenery(300, 200)
    result = apply_steps(deep(framed(photo, (255, 255, 255), left=15)), step("trim"))
    assert np.array_equal(result.pixels, deep(photo).pixels)


@pytest.mark.parametrize("color", [None, "black"])
def test_it_rejects_a_photo_without_a_border(color: str | None) -> None:
    with pytest.raises(PlanRefused):
        apply_steps(scenery(300, 200), step("trim", color=color))


def test_it_rejects_a_border_of_another_color() -> None:
    bordered = framed(scenery(300, 200), (0, 0, 0), top=20)
    with pytest.raises(PlanRefused):
        apply_steps(bordered, step("trim", color="white"))


def test_a_sky_that_fades_out_is_not_taken_for_a_border() -> None:
    rows = np.linspace(250, 60, 200)[:, None, None]
    sky = Picture(np.broadcast_to(rows, (200, 300, 3)).astype(np.uint8).copy())
    with pytest.raises(PlanRefused):
        apply_steps(sky, step("trim"))


def test_it_rejects_a_photo_that_is_one_color() -> None:
    with pytest.raises(PlanRefused):
        apply_steps(Picture(np.full((200, 300, 3), 255, np.uint8)), step("trim"))
