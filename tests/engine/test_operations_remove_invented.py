"""Tests that the network fills a hole if no part of the photo fits. The photo shows an astronaut."""

import cv2
import numpy as np
import pytest

from editor.engine.colors import Floats
from editor.engine.operations.remove.inpainting import (
    INPUT_PIXELS,
    Inpainting,
    _without_inventions,
    inpaint,
    views_around,
)
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.options import Region
from tests.engine.photos import photo
from tests.engine.pictures import REGION, apply_steps, step, with_alpha

ERASE = step("erase", target=REGION)
SHUTTLE = Region(0.64, 0.0, 0.36, 0.45)
WALL = (slice(4, 30), slice(196, 204))  # rows and columns of the wall next to the astronaut's head
GONE = (slice(10, 110), slice(215, 310))


def astronaut(scale: int = 1, grain: float = 0) -> Picture:
    pixels = photo("astronaut").pixels
    size = (scale * pixels.shape[1], scale * pixels.shape[0])
    enlarged = cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC).astype(np.float32)
    noise = np.random.default_rng(5).normal(0, grain, (*enlarged.shape[:2], 1))
    return Picture(np.clip(enlarged + noise, 0, 255).astype(np.uint8))


def without_shuttle(picture: Picture) -> Pixels:
    return apply_steps(picture, ERASE, regions=(SHUTTLE,)).pixels


@pytest.mark.slow
def test_the_wall_continues_behind_a_removed_large_thing() -> None:
    before = astronaut().pixels
    after = without_shuttle(astronaut())
    wall = before[WALL].reshape(-1, 3).mean(0)
    assert np.abs(before[GONE].reshape(-1, 3).mean(0) - wall).max() > 40
    assert np.abs(after[GONE].reshape(-1, 3).mean(0) - wall).max() < 25
    assert after[GONE].astype(float).std(axis=(0, 1)).max() < 12


@pytest.mark.slow
def test_nothing_changes_outside_the_box_and_the_same_photo_gives_the_same_bytes() -> None:
    before, after = astronaut().pixels, without_shuttle(astronaut())
    outside = np.ones(before.shape[:2], bool)
    outside[: round(0.45 * 320), round(0.64 * 320) :] = False
    assert (before[outside] == after[outside]).all()
    assert (after == without_shuttle(astronaut())).all()


@pytest.mark.slow
def test_16_bits_and_alpha_are_preserved() -> None:
    deep = Picture(with_alpha(astronaut()).pixels.astype(np.uint16) * 257)
    after = without_shuttle(deep)
    assert after.dtype == np.uint16
    assert (after[:, :, 3] == deep.pixels[:, :, 3]).all()
    assert np.abs(after[GONE][:, :, :3] / 257 - without_shuttle(astronaut())[GONE]).mean() < 2


@pytest.mark.slow
def test_the_filling_of_a_large_photo_keeps_the_grain_of_the_wall() -> None:
    scale = 5
    picture = astronaut(scale, grain=6)
    after = without_shuttle(picture)
    rows, columns = (slice(scale * side.start, scale * side.stop) for side in GONE)
    assert roughness(after[rows, columns]) > 0.5 * roughness(picture.pixels[: 30 * scale, 196 * scale : 1020])


def roughness(pixels: Pixels) -> float:
    return float(np.abs(np.diff(pixels[:, :, 1].astype(int), axis=1)).mean())


@pytest.mark.slow
def test_the_network_doubts_its_filling_of_the_flag_more_than_of_the_wall() -> None:
    pixels = astronaut().pixels
    behind_her = filled(pixels, SHUTTLE).doubt
    flag = filled(pixels, Region(0, 0, 0.25, 0.4)).doubt
    assert behind_her < 10 < flag


@pytest.mark.slow
@pytest.mark.parametrize("cores", [1, 2, 16])
def test_the_network_gives_the_same_result_on_any_number_of_cores(
    cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pixels, threads = astronaut().pixels, cv2.getNumThreads()
    here = filled(pixels, SHUTTLE)
    monkeypatch.setattr("os.process_cpu_count", lambda: cores)
    there = filled(pixels, SHUTTLE)
    assert np.array_equal(here.colors, there.colors)
    assert here.doubt == there.doubt
    assert cv2.getNumThreads() == threads


def filled(pixels: Pixels, region: Region) -> Inpainting:
    missing = hole(pixels, region)
    return inpaint(pixels, missing, views_around(missing)[0], np.zeros_like(missing))


def hole(pixels: Pixels, region: Region) -> Bytes:
    height, width = pixels.shape[:2]
    missing = np.zeros((height, width), np.uint8)
    top, left = round(region.y * height), round(region.x * width)
    missing[top : top + round(region.h * height), left : left + round(region.w * width)] = 1
    return missing


def test_a_thing_that_appears_in_only_one_answer_is_left_out() -> None:
    plain = np.full((INPUT_PIXELS, INPUT_PIXELS, 3), 120, np.float32)
    with_thing: Floats = plain.copy()
    with_thing[200:260, 240:300] = (250, 200, 0)
    unlike = np.abs(with_thing - plain).max(2) > 25
    for answer, other in ((plain, with_thing), (with_thing, plain)):
        assert np.abs(_without_inventions(answer, other, unlike) - plain).max() < 8
