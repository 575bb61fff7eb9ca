"""Tests that holes far from each other are filled one by one, each from its own surroundings."""

import numpy as np
import pytest
from numpy.typing import NDArray

from editor.engine.operations.remove import holes, inpainting
from editor.engine.operations.remove.inpainting import inpaint, views_around
from editor.engine.operations.remove.separate_holes import HolePart, separate_holes
from editor.engine.pixels import Box
from editor.imaging.picture import Bytes, Picture

HEIGHT, WIDTH = 300, 500
LEFT, RIGHT = Box(40, 120, 80, 200), Box(400, 120, 440, 200)


def hole(*boxes: Box) -> Bytes:
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    for box in boxes:
        mask[box.slices] = 1
    return mask


def seen_from_afar(part: HolePart) -> Bytes:
    return part.seen_from(Box(0, 0, WIDTH, HEIGHT))


def test_distant_holes_are_separate_and_cover_the_whole_hole() -> None:
    first, second = separate_holes(hole(LEFT, RIGHT))
    assert sorted((first.box, second.box)) == [LEFT, RIGHT]
    assert (seen_from_afar(first) + seen_from_afar(second) == hole(LEFT, RIGHT)).all()


def test_holes_next_to_each_other_are_one_hole() -> None:
    (whole,) = separate_holes(hole(LEFT, LEFT.moved(50, 0)))
    assert (seen_from_afar(whole) == hole(LEFT, LEFT.moved(50, 0))).all()


def test_a_hole_between_two_others_joins_them() -> None:
    distant = Box(20, 140, 40, 160), Box(120, 140, 140, 160)
    assert len(list(separate_holes(hole(*distant)))) == 2
    assert len(list(separate_holes(hole(*distant, Box(50, 100, 110, 200))))) == 1


def test_holes_side_by_side_reach_no_farther_than_each_of_them() -> None:
    row = [Box(left, 100, left + 40, 180) for left in (20, 76, 132)]
    assert len(list(separate_holes(hole(*row)))) == 1
    assert len(list(separate_holes(hole(*row, Box(212, 100, 252, 180))))) == 2


def test_many_small_holes_are_filled_together() -> None:
    dots = [Box(x, y, x + 4, y + 4) for x in range(20, 480, 60) for y in range(20, 280, 60)]
    parts = list(separate_holes(hole(*dots)))
    assert len(parts) <= 8
    assert (np.sum([seen_from_afar(part) for part in parts], axis=0) == hole(*dots)).all()


def test_each_hole_is_filled_with_the_color_around_it() -> None:
    pixels = np.full((HEIGHT, WIDTH, 3), (180, 60, 60), np.uint8)
    pixels[:, 250:] = (40, 90, 170)
    before = pixels.copy()
    for box in (LEFT, RIGHT):
        pixels[box.slices] = (20, 240, 20)
    after = holes.fill_hole(Picture(pixels), hole(LEFT, RIGHT), is_marked=False)
    assert np.abs(after.astype(int) - before).max() < 12


def test_the_network_does_not_see_the_other_hole(monkeypatch: pytest.MonkeyPatch) -> None:
    known = []

    def answers(small: Bytes, missing: NDArray[np.bool_]) -> tuple[NDArray[np.float32], ...]:
        known.append(small[~missing])
        return small.astype(np.float32), small.astype(np.float32)

    monkeypatch.setattr(inpainting, "_answers", answers)
    near = LEFT.moved(60, 0)
    pixels = np.full((HEIGHT, WIDTH, 3), 100, np.uint8)
    pixels[LEFT.slices] = pixels[near.slices] = 255
    inpaint(pixels, hole(LEFT), Box(0, 0, 300, 300), hole(near))
    assert known[0].max() == 100


def test_the_second_view_of_the_network_is_larger_and_both_contain_the_hole() -> None:
    mask = np.zeros((2000, 3000), np.uint8)
    place = Box(900, 800, 1300, 1000)
    mask[place.slices] = 1
    first, second = views_around(mask)
    assert first.width == 800
    assert second.width == 1200
    assert first.overlap(place) == second.overlap(place) == place.area
    assert len(views_around(mask[700:1100, 800:1400])) == 1
