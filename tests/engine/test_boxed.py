"""Tests for recoloring with a box. Only the thing in the box changes its color, not the whole rectangle."""

import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.masks import boxes_to_mask
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.targets.faces import find_eyes, find_faces
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine import photos
from tests.engine.pictures import REGION, apply_steps, ball, ball_mask, changed, scenery, step

BOX = Region(0.25, 0.25, 0.5, 0.5)
AROUND_THE_BALL = Region(0.27, 0.1, 0.46, 0.76)


def thing_target(noun: str) -> Target:
    return Target("region", noun=noun, boxes=(1,))


@pytest.mark.parametrize("target", [REGION, thing_target("ball")])
def test_the_thing_in_a_box_is_recolored_and_nothing_else(target: Target) -> None:
    photo, inside = ball(), ball_mask() == 1
    where = changed(
        photo, apply_steps(photo, step("recolor", target=target, color="blue"), regions=(AROUND_THE_BALL,))
    )
    assert where[inside].mean() > 0.9
    assert where[~inside].mean() < 0.02


def test_a_sky_in_a_box_is_found_by_its_color() -> None:
    pixels = np.full((160, 240, 3), (90, 50, 40), np.uint8)
    gap = np.zeros((160, 240), np.uint8)
    cv2.ellipse(gap, (120, 80), (60, 30), 0, 0, 360, 1, -1)
    pixels[gap == 1] = (110, 170, 225)
    photo = Picture(pixels)
    result = apply_steps(photo, step("recolor", target=thing_target("sky"), color="pink"), regions=(BOX,))
    where = changed(photo, result)
    assert where[gap == 1].mean() > 0.8
    assert where[cv2.dilate(gap, np.ones((9, 9), np.uint8)) == 0].mean() < 0.01


def test_a_thing_not_found_in_a_box_is_refused_with_a_hint_to_name_its_color() -> None:
    with pytest.raises(PlanRefused, match="Name its color, for example “the red statue”") as caught:
        apply_steps(scenery(), step("recolor", target=thing_target("statue"), color="blue"), regions=(BOX,))
    assert caught.value.refusals[0].reason is Reason.LOW_CONFIDENCE


def test_a_hint_about_several_things_is_plural() -> None:
    with pytest.raises(PlanRefused, match="Name their color, for example “the red statues”") as caught:
        apply_steps(scenery(), step("recolor", target=thing_target("statues"), color="blue"), regions=(BOX,))
    assert "from what is around them" in str(caught.value)


def test_a_plain_area_is_recolored_only_inside_the_box() -> None:
    photo = Picture(np.full((160, 240, 3), (180, 170, 150), np.uint8))
    where = changed(photo, apply_steps(photo, step("recolor", target=REGION, color="blue"), regions=(BOX,)))
    assert where[60:100, 90:150].all()
    where[40:120, 60:180] = False
    assert not where.any()


def test_a_brightness_change_in_a_box_fades_toward_its_sides() -> None:
    photo = Picture(np.full((160, 240, 3), 100, np.uint8))
    result = apply_steps(photo, step("brightness", target=REGION, amount=0.6), regions=(BOX,))
    row = result.pixels[80, 60:180, 0].astype(int) - 100
    assert 0 <= row[0] < 0.2 * row[60]
    assert (np.diff(row[:60]) >= 0).all()
    assert row[20] == row[60]


def test_recoloring_teeth_is_refused_if_the_box_contains_none() -> None:
    edit_step = step("recolor", target=thing_target("teeth"), color="white", amount=0.5)
    with pytest.raises(PlanRefused, match="can't find any teeth in the box"):
        apply_steps(ball(), edit_step, regions=(AROUND_THE_BALL,))


def hills() -> tuple[Picture, np.ndarray]:
    """Draw a calm sky over rough ground. Return the photo and a mask of the sky."""
    pixels = np.full((200, 300, 3), (120, 170, 230), np.uint8)
    noise = np.random.default_rng(3).integers(20, 110, (80, 300, 1))
    pixels[120:] = (noise * np.array([1.0, 0.8, 0.5])).astype(np.uint8)
    sky = np.zeros((200, 300), np.bool_)
    sky[:120] = True
    return Picture(pixels), sky


@pytest.mark.parametrize("operation", ["brightness", "black_and_white"])
def test_a_box_on_part_of_the_sky_changes_the_whole_sky_and_nothing_else(operation: str) -> None:
    photo, sky = hills()
    edit_step = step(operation, target=thing_target("sky"), amount=-0.5)
    where = changed(photo, apply_steps(photo, edit_step, regions=(Region(0.05, 0.4, 0.2, 0.4),)))
    assert where[sky].mean() > 0.95
    assert where[~sky].mean() < 0.02


def test_only_the_thing_in_a_box_gets_darker() -> None:
    photo, inside = ball(), ball_mask() == 1
    edit_step = step("brightness", target=thing_target("ball"), amount=-0.5)
    result = apply_steps(photo, edit_step, regions=(AROUND_THE_BALL,))
    where = changed(photo, result)
    assert where[inside].mean() > 0.9
    assert where[~inside].mean() < 0.05
    assert not result.notices


def test_if_a_thing_is_not_found_the_whole_box_changes_softly_with_a_notice() -> None:
    photo = Picture(np.full((160, 240, 3), (180, 170, 150), np.uint8))
    result = apply_steps(
        photo, step("brightness", target=thing_target("statue"), amount=-0.5), regions=(BOX,)
    )
    assert result.notices == (
        "I couldn't tell the statue from what is around it, so I changed the whole box.",
    )
    row = 180 - result.pixels[80, 60:180, 0].astype(int)
    assert row[0] < 0.1 * row[60]
    assert row[10] < 0.6 * row[60]
    assert (np.diff(row[:60]) >= 0).all()


def test_blurring_a_label_in_a_box_blurs_the_whole_box() -> None:
    photo = scenery()
    edit_step = step("blur", target=thing_target("label"), amount=0.9)
    plain = step("blur", target=REGION, amount=0.9)
    assert np.array_equal(
        apply_steps(photo, edit_step, regions=(BOX,)).pixels, apply_steps(photo, plain, regions=(BOX,)).pixels
    )


def a_cat(eyes: int) -> tuple[Picture, np.ndarray]:
    """Draw ginger fur with green eyes. Return the photo and a mask of the irises."""
    pixels = np.full((160, 240, 3), (190, 140, 100), np.uint8)
    irises = np.zeros((160, 240), np.uint8)
    for x in (80, 160)[:eyes]:
        cv2.circle(irises, (x, 80), 22, 1, -1)
        cv2.circle(irises, (x, 80), 8, 0, -1)
        cv2.circle(pixels, (x, 80), 22, (120, 150, 60), -1)
        cv2.circle(pixels, (x, 80), 8, (8, 8, 8), -1)
    return Picture(pixels), irises == 1


def test_recoloring_eyes_in_a_box_changes_the_irises_but_not_the_fur() -> None:
    photo, irises = a_cat(2)
    eyes = step("recolor", target=thing_target("cat eyes"), color="blue")
    where = changed(photo, apply_steps(photo, eyes, regions=(Region(0.15, 0.2, 0.7, 0.6),)))
    assert where[irises].mean() > 0.85
    assert where[cv2.dilate(irises.astype(np.uint8), np.ones((9, 9), np.uint8)) == 0].mean() < 0.01


def test_recoloring_eyes_is_refused_if_the_box_shows_only_one_eye() -> None:
    photo, _ = a_cat(1)
    with pytest.raises(PlanRefused, match="can't tell the eyes"):
        apply_steps(photo, step("recolor", target=thing_target("eyes"), color="blue"), regions=(BOX,))


def test_only_the_eyes_of_a_person_get_brighter_in_a_box_around_them() -> None:
    portrait = photos.photo("astronaut")
    left, right = find_eyes(portrait, find_faces(portrait)[0])
    around = Box(left.left - 20, left.top - 20, right.right + 20, right.bottom + 20)
    region = Region(
        around.left / portrait.width,
        around.top / portrait.height,
        around.width / portrait.width,
        around.height / portrait.height,
    )
    brighter = step("brightness", target=thing_target("eyes"), amount=0.5)
    where = changed(portrait, apply_steps(portrait, brighter, regions=(region,)))
    inner = [eye.grown(-0.35, portrait.width, portrait.height) for eye in (left, right)]
    assert all(where[eye.slices].mean() > 0.6 for eye in inner)
    outside = 1 - boxes_to_mask([left, right], where.shape)
    assert where[outside == 1].mean() < 0.001
