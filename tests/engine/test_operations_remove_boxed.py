"""Tests for removal with a box. The thing in the box disappears along with its shadow."""

from typing import cast

import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.operations.remove import erase
from editor.engine.pixels import Box
from editor.engine.plan import Target
from editor.engine.targets import complete_outlines
from editor.engine.targets.analyzed import THINGS, with_analysis
from editor.engine.targets.outlines import VIEW_MARGIN
from editor.engine.targets.thing_outlines import thing_hole
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.options import Region
from tests.engine.analyses import analyzed, disc
from tests.engine.people import GROUND, people
from tests.engine.pictures import REGION, apply_steps, changed, scenery, step

ERASE = step("erase", target=REGION)
TWO = ((80, 150, 200), (560, 130, 220))
AROUND_HER = Region(528 / 900, 99 / 600, 280 / 900, 501 / 600)
DOGS = ((120, 150), (260, 150))


def with_pattern(picture: Picture) -> Picture:
    """Return the picture with a checkerboard in part of the person's box, away from the person."""
    pixels = picture.pixels.copy()
    pixels[110:250, 770:800] = np.where(np.indices((140, 30, 1)).sum(0) // 6 % 2, 90, 200)
    return Picture(pixels)


@pytest.mark.slow
def test_a_person_in_a_box_is_removed_but_a_pattern_beside_them_is_not() -> None:
    photo = with_pattern(people(*TWO))
    result = apply_steps(photo, ERASE, regions=(AROUND_HER,))
    assert not changed(photo, result)[110:240, 775:800].any()
    assert np.abs(result.pixels[160:560, 600:740].astype(int) - GROUND).mean() < 12


@pytest.mark.slow
def test_removing_a_thing_in_a_box_changes_nothing_outside_the_box() -> None:
    photo = people(*TWO)
    where = changed(photo, apply_steps(photo, ERASE, regions=(AROUND_HER,)))
    where[99:, 528:808] = False
    assert not where.any()


def test_a_box_with_two_people_is_emptied_completely() -> None:
    canvas = Canvas(people((300, 120, 160), (470, 120, 160)))
    box = Box(270, 90, 660, 600)
    assert (erase._emptied(canvas, REGION, [box])[box.top : box.bottom, box.left : box.right] == 1).all()


def thing_on_a_floor() -> tuple[Picture, Bytes]:
    """Draw a blue pillar and its shadow on a gray floor that has another dark area.

    Return the picture and the pillar's mask.
    """
    pixels = np.full((300, 400, 3), (170, 160, 150), np.float32)
    pixels += np.random.default_rng(1).normal(0, 2, pixels.shape)
    pixels[200:225, 200:240] *= 0.6
    pixels[130:175, 202:230] *= 0.6
    pixels[100:225, 160:200] = (40, 60, 200)
    mask = np.zeros((300, 400), np.uint8)
    mask[100:225, 160:200] = 1
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8)), mask


def test_the_hole_includes_the_shadow_of_a_thing_but_not_another_dark_area() -> None:
    picture, mask = thing_on_a_floor()
    hole = erase._with_shadows(Canvas(picture), erase._things_in(mask.astype(np.float32)))
    assert hole[mask == 1].all()
    assert hole[203:222, 200:236].mean() > 0.9
    assert not hole[135:170, 208:].any()


def test_the_hole_of_a_thing_cut_off_at_the_bottom_includes_no_shadow() -> None:
    picture, mask = thing_on_a_floor()
    cut = Picture(cast(Pixels, np.ascontiguousarray(picture.pixels[:225])))
    hole = erase._with_shadows(Canvas(cut), erase._things_in(mask[:225].astype(np.float32)))
    assert not hole[203:222, 208:].any()


def test_a_hole_grows_as_far_at_the_edge_of_the_photo_as_elsewhere() -> None:
    mask = np.zeros((200, 300), np.float32)
    mask[:20, 250:] = 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    assert (erase.grown_hole(mask) == cv2.dilate((mask > 0.2).astype(np.uint8), disc)).all()
    assert not erase.grown_hole(np.zeros((200, 300), np.float32)).any()


def emptied(
    patch: pytest.MonkeyPatch, noun: str | None, box: Box, *, faint: tuple[Thing, ...] = ()
) -> tuple[Bytes, list[Bytes]]:
    """Return the hole for a noun and a box on a photo with two dogs, and the masks of the dogs.

    A closer view of the box shows the things `faint` as well.
    """
    picture = scenery(400, 300)
    masks = [disc(picture, *place, 40) for place in DOGS]
    canvas = with_analysis(Canvas(picture), picture, analyzed(patch, picture, *masks))
    canvas.remember(THINGS, [Thing("dog", 0.8, Box.around(mask)) for mask in masks])
    view = box.grown(VIEW_MARGIN, picture.width, picture.height)
    closer = [thing._replace(box=thing.box.moved(-view.left, -view.top)) for thing in faint]
    patch.setattr(complete_outlines, "candidates", lambda part: closer)
    target = Target("region", noun=noun, boxes=(1,))
    return (erase._emptied(canvas, target, [box]) > 0).astype(np.uint8), masks


def test_only_the_named_things_in_a_box_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    hole, masks = emptied(monkeypatch, "dogs", Box(60, 100, 330, 250))
    assert hole[sum(masks) > 0].all()
    assert not hole[105:195, 185:195].any()


@pytest.mark.parametrize(("noun", "kind", "is_removed"), [("dogs", "dog", True), ("dogs", "cat", False)])
def test_an_uncertain_thing_of_the_named_kind_does_not_stay_between_the_others(
    noun: str, kind: str, is_removed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    puppy = Box(184, 140, 196, 160)
    faint = Thing(kind, 0.25, puppy)
    hole, _ = emptied(monkeypatch, noun, Box(60, 100, 330, 250), faint=(faint,))
    assert bool(hole[puppy.slices].all()) is is_removed


def test_an_uncertain_thing_alone_is_not_what_a_plural_means(monkeypatch: pytest.MonkeyPatch) -> None:
    box = Box(90, 100, 200, 200)
    hole, _ = emptied(monkeypatch, "dogs", box, faint=(Thing("dog", 0.25, Box(184, 140, 196, 160)),))
    assert hole[box.slices].all()


def test_a_named_thing_is_removed_as_a_whole_if_the_box_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    hole, masks = emptied(monkeypatch, "dog", Box(90, 100, 180, 200))
    assert hole[masks[0] == 1].all()
    assert not hole[masks[1] == 1].any()


def test_without_a_noun_nothing_outside_the_box_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    hole, _ = emptied(monkeypatch, None, Box(90, 100, 180, 200))
    assert not hole[:, :90].any()


def test_a_box_is_emptied_if_the_named_things_in_it_are_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    box = Box(60, 100, 330, 250)
    hole, _ = emptied(monkeypatch, "cats", box)
    assert hole[box.slices].all()


def test_a_bicycle_is_removed_with_what_shows_between_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its outline lacks spokes. Someone in front of it stays."""
    picture = scenery(400, 300)
    wheels, someone = disc(picture, 120, 150, 40), disc(picture, 180, 150, 15)
    canvas = with_analysis(Canvas(picture), picture, analyzed(monkeypatch, picture, wheels, someone))
    bicycle = Thing("bicycle", 0.8, Box(80, 110, 230, 190))
    canvas.remember(THINGS, [bicycle, Thing("dog", 0.8, Box.around(someone))])
    hole = thing_hole(canvas, Target("thing", noun="bicycle"))
    assert hole[115:185, 85:160].min() > 0.9
    assert hole[145:155, 175:185].max() < 0.1
