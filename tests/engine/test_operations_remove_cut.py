"""Tests that the network does not complete an object that a hole cuts in two."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.errors import OperationError
from editor.engine.operations.remove import erase, holes
from editor.engine.operations.remove.cut_things import is_cut
from editor.engine.operations.remove.inpainting import INPUT_PIXELS, Inpainting
from editor.engine.operations.remove.patches import Filling
from editor.engine.pixels import Box
from editor.engine.targets.outlines import Outline
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture

HEIGHT, WIDTH = 300, 400
RIDER = Box(180, 60, 220, 240)


def hole() -> Bytes:
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[RIDER.slices] = 1
    return mask


def outline(box: Box) -> Outline:
    return Outline(box, np.ones((1, 1), np.float32), 1.0)


def test_an_object_on_both_sides_of_a_hole_is_cut() -> None:
    assert is_cut(hole(), outline(Box(100, 150, 300, 220)))


@pytest.mark.parametrize(
    "box", [Box(222, 60, 300, 240), Box(120, 242, 280, 280), Box(20, 150, 120, 220), Box(120, 20, 240, 60)]
)
def test_an_object_beside_a_hole_is_not_cut(box: Box) -> None:
    assert not is_cut(hole(), outline(box))


def test_an_object_between_two_holes_is_not_cut() -> None:
    both = hole()
    both[RIDER.moved(100, 0).slices] = 1
    assert not is_cut(both, outline(Box(232, 60, 268, 240)))


@pytest.mark.parametrize(("bicycle", "may_invent"), [(Box(100, 150, 300, 220), False), (None, True)])
def test_the_network_may_not_complete_the_bicycle_of_a_removed_rider(
    bicycle: Box | None, may_invent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}
    seen = [Thing("person", 0.9, RIDER), *([Thing("bicycle", 0.9, bicycle)] if bicycle else [])]
    monkeypatch.setattr(erase, "things_seen", lambda canvas: seen)
    monkeypatch.setattr(erase, "exact_cut", lambda canvas, thing: outline(thing.box))
    monkeypatch.setattr(erase, "fill_hole", lambda *_, **values: given.update(values))
    erase.fill_erased(Canvas(Picture(np.full((HEIGHT, WIDTH, 3), 90, np.uint8))), hole(), is_marked=False)
    assert given["may_invent"]() is may_invent


def test_a_bad_patch_filling_is_refused_if_the_network_may_not_be_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def bad(small: np.ndarray[Any, Any], hole: Bytes, *_: object) -> tuple[Filling, float]:
        places = np.argwhere(hole == 1).astype(np.int32)
        return Filling(places, places, small, 40.0, 5.0), 900.0

    def used(*_: object) -> None:
        raise AssertionError("The network was used.")

    monkeypatch.setattr(holes, "_fill_copy", bad)
    monkeypatch.setattr(holes, "inpaint", used)
    picture = Picture(np.full((HEIGHT, WIDTH, 3), 90, np.uint8))
    with pytest.raises(OperationError, match="too varied"):
        holes.fill_hole(picture, hole(), is_marked=False, may_invent=lambda: False)


def test_the_filling_may_continue_a_bus_behind_the_removed_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact outline of the bus leaves out the people in front of it."""
    bus = Box(60, 40, 340, 250)
    cover = np.ones((bus.height, bus.width), np.float32)
    cover[hole()[bus.slices] == 1] = 0
    monkeypatch.setattr(erase, "things_seen", lambda canvas: [Thing("bus", 0.9, bus)])
    monkeypatch.setattr(erase, "cut_out", lambda canvas, thing: Outline(bus, cover, 1.0))
    picture = Picture(np.full((HEIGHT, WIDTH, 3), 90, np.uint8))
    assert not erase._others(Canvas(picture), hole()).any()


def test_only_outlines_of_objects_that_touch_the_hole_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = (Thing("bicycle", 0.9, box) for box in (Box(100, 150, 300, 220), Box(20, 150, 120, 220)))
    decoded = []
    monkeypatch.setattr(erase, "things_seen", lambda canvas: [far, near])
    monkeypatch.setattr(erase, "exact_cut", lambda canvas, thing: decoded.append(thing))
    erase._cuts_a_thing(Canvas(Picture(np.full((HEIGHT, WIDTH, 3), 90, np.uint8))), hole())
    assert decoded == [near]


@pytest.mark.parametrize(("side", "is_refused"), [(60, False), (150, True)])
def test_patches_that_nearly_fit_fill_a_hole_that_is_not_wide(
    side: int, is_refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def strained(small: np.ndarray[Any, Any], hole: Bytes, *_: object) -> tuple[Filling, float]:
        places = np.argwhere(hole == 1).astype(np.int32)
        return Filling(places, places, small, 6.0, 5.0), 900.0

    monkeypatch.setattr(holes, "_fill_copy", strained)
    noise = np.random.default_rng(1).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8)
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[60 : 60 + side, 60 : 60 + side] = 1
    with pytest.raises(OperationError, match="too varied") if is_refused else nullcontext():
        holes.fill_hole(Picture(noise), mask, is_marked=False, may_invent=lambda: False)


def answer(doubt: float, contrast: float = 30.0) -> Callable[..., Inpainting]:
    """Return a stand-in for the network, which fills everything with blue and has this doubt."""

    def inpaint(pixels: Bytes, hole: Bytes, view: Box, lost: Bytes) -> Inpainting:
        blue = np.full((INPUT_PIXELS, INPUT_PIXELS, 3), (0, 0, 255), np.float32)
        return Inpainting(blue, view, doubt, contrast)

    return inpaint


def fitting(small: np.ndarray[Any, Any], hole: Bytes, *_: object) -> tuple[Filling, float]:
    """Return a filling that fits as well as other patches of the photo, which fit badly themselves."""
    places = np.argwhere(hole == 1).astype(np.int32)
    return Filling(places, places, small, 20.0, 20.0), 900.0


@pytest.mark.parametrize(("doubt", "is_blue"), [(3.0, True), (11.0, False)])
def test_a_certain_network_is_better_than_patches_that_seem_to_fit(
    doubt: float, is_blue: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holes, "_fill_copy", fitting)
    monkeypatch.setattr(holes, "inpaint", answer(doubt))
    noise = np.random.default_rng(3).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8)
    filled = holes.fill_hole(Picture(noise), hole(), is_marked=False)
    assert bool((filled[hole() == 1].mean(0) > (-1, -1, 200)).all()) is is_blue


@pytest.mark.parametrize("is_marked", [False, True])
@pytest.mark.parametrize(("contrast", "is_refused"), [(50.0, True), (25.0, False)])
def test_patches_that_seem_to_fit_are_refused_in_a_cluttered_scene_but_not_in_a_hedge(
    contrast: float, is_refused: bool, is_marked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holes, "_fill_copy", fitting)
    monkeypatch.setattr(holes, "inpaint", answer(20.0, contrast))
    noise = np.random.default_rng(5).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8)
    with pytest.raises(OperationError, match="too varied") if is_refused else nullcontext():
        holes.fill_hole(Picture(noise), hole(), is_marked=is_marked)
