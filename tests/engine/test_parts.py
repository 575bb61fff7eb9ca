"""Tests for parts that no detector finds: clothes, hair, teeth, and flowers. Unclear parts are refused."""

from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, oklab
from editor.engine.errors import OperationError, PlanRefused
from editor.engine.kinds import PARTS
from editor.engine.operations.color.recolor import recolored
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.targets.clothes import clothes_of
from editor.engine.targets.faces import find_faces
from editor.engine.targets.flowers import find_flowers
from editor.engine.targets.hair import clear_hair_of, hair_of
from editor.engine.targets.mouth import teeth_of
from editor.engine.targets.people import Person, cheek_color
from editor.engine.targets.target_masks import target_mask
from editor.imaging.picture import Bytes, Picture
from tests.engine import people
from tests.engine.photos import GROUND, photo, placed
from tests.engine.pictures import apply_steps, ball, carry_out_steps, changed, deep, lab, scenery, step

FACE = Box(150, 60, 250, 160)
SKIN, HAIR, CLOTH = (224, 176, 148), (60, 42, 30), (40, 60, 150)


def part(noun: str, **fields: object) -> Target:
    return Target("thing", noun=noun, **fields)  # type: ignore[arg-type]


def drawn(cloth: tuple[int, int, int] = CLOTH, hair: tuple[int, int, int] = HAIR) -> tuple[Bytes, Floats]:
    """Draw a person from head to hips. Return the pixels and the person's mask."""
    pixels, outline = np.full((420, 400, 3), GROUND, np.uint8), np.zeros((420, 400), np.uint8)
    body = np.array([(100, 190), (300, 190), (330, 420), (70, 420)])
    for canvas, colors in ((pixels, (cloth, hair, SKIN)), (outline, ((1,), (1,), (1,)))):
        cv2.fillPoly(canvas, [body], colors[0])
        cv2.ellipse(canvas, (200, 90), (62, 68), 0, 0, 360, colors[1], -1)
        cv2.ellipse(canvas, (200, 115), (46, 60), 0, 0, 360, colors[2], -1)
        cv2.rectangle(canvas, (178, 160), (222, 195), colors[2], -1)
    return pixels, outline.astype(np.float32)


def person(pixels: Bytes, outline: Floats, face: Box = FACE) -> Person:
    values = oklab(pixels.astype(np.float32) * np.float32(1 / 255))
    off = np.linalg.norm(values - cheek_color(values, face), axis=2)
    return Person(
        Box(0, 0, pixels.shape[1], pixels.shape[0]),
        pixels,
        values,
        outline,
        (off < 0.05).astype(np.float32),
        face,
    )


def inside(mask: Bytes | None, x: int, y: int) -> bool:
    assert mask is not None
    return bool(mask[y, x])


def test_a_shirt_is_the_cloth_below_the_chin() -> None:
    shirt = clothes_of(person(*drawn()), "top")
    assert inside(shirt, 200, 300)
    assert inside(shirt, 90, 410)
    assert not inside(shirt, 200, 120)  # on the face
    assert not inside(shirt, 200, 180)  # on the throat
    assert not inside(shirt, 20, 300)  # in the background


def test_letters_on_a_shirt_belong_to_it() -> None:
    pixels, outline = drawn()
    pixels[300:303, 160:240] = 250
    assert inside(clothes_of(person(pixels, outline), "top"), 200, 301)


def test_the_shirt_under_a_jacket_is_not_part_of_it_and_is_not_found() -> None:
    pixels, outline = drawn()
    cv2.fillPoly(pixels, [np.array([(160, 190), (240, 190), (200, 330)])], (240, 240, 240))
    jacket = clothes_of(person(pixels, outline), "over")
    assert inside(jacket, 120, 300)
    assert not inside(jacket, 200, 230)
    assert clothes_of(person(pixels, outline), "top") is None


def test_a_shirt_of_many_colors_is_refused() -> None:
    pixels, outline = drawn()
    for left in range(60, 340, 40):
        pixels[200:, left : left + 20] = np.where(
            outline[200:, left : left + 20, None] > 0, (170, 30, 60), GROUND
        )
    assert clothes_of(person(pixels, outline), "top") is None


def test_clothes_in_the_color_of_the_background_are_refused() -> None:
    assert clothes_of(person(*drawn(cloth=(122, 142, 162))), "top") is None


def test_a_jacket_in_the_color_of_the_trousers_is_not_found_but_a_suit_is() -> None:
    pixels, outline = drawn()
    tall = np.pad(pixels, ((0, 300), (0, 0), (0, 0)), mode="edge")
    values = oklab(tall.astype(np.float32) * np.float32(1 / 255))
    skin = np.pad(person(pixels, outline).skin, ((0, 300), (0, 0)))
    long = Person(
        Box(0, 0, 400, 720), tall, values, np.pad(outline, ((0, 300), (0, 0)), mode="edge"), skin, FACE
    )
    assert clothes_of(long, "over") is None
    assert clothes_of(long, "all") is not None


def test_hair_is_found_around_the_face_without_skin() -> None:
    hair = hair_of(person(*drawn()))
    assert inside(hair, 200, 40)
    assert inside(hair, 145, 90)
    assert not inside(hair, 200, 100)
    assert not inside(hair, 200, 300)


def test_a_highlight_on_the_top_of_the_head_is_hair_too() -> None:
    pixels, outline = drawn()
    pixels[30:44, 190:210] = 235
    assert inside(hair_of(person(pixels, outline)), 200, 37)


@pytest.mark.parametrize("color", [(220, 30, 40), (40, 90, 220), (20, 130, 60)])
def test_a_colorful_hat_is_not_taken_for_hair(color: tuple[int, int, int]) -> None:
    assert hair_of(person(*drawn(hair=color))) is None


def test_a_bald_head_has_no_hair() -> None:
    assert hair_of(person(*drawn(hair=SKIN))) is None


def test_eyebrows_and_a_beard_are_not_part_of_the_hair() -> None:
    pixels, outline = drawn()
    pixels[95:99, 175:190] = HAIR
    cv2.ellipse(pixels, (200, 160), (25, 12), 0, 0, 360, HAIR, -1)
    hair = hair_of(person(pixels, outline))
    assert not inside(hair, 182, 97)
    assert not inside(hair, 200, 160)


def test_leaves_from_the_frame_to_the_hair_are_not_taken_for_hair() -> None:
    pixels, outline = drawn()
    pixels[:, :260][outline[:, :260] == 0] = (74, 56, 44)  # a background that is nearly as dark as the hair
    assert clear_hair_of(person(pixels, outline)) is not None
    pixels[10:330, :150], outline[10:330, :150] = HAIR, 1
    cut = person(pixels[:, 110:], outline[:, 110:], FACE.moved(-110, 0))
    assert hair_of(cut) is not None
    assert clear_hair_of(cut) is None


@pytest.mark.parametrize(("noun", "color"), [("suit", "blue"), ("suit", "white"), ("hair", "black")])
def test_only_the_named_part_of_a_photo_changes(noun: str, color: str) -> None:
    before = photo("astronaut")
    result = apply_steps(before, step("recolor", target=part(noun), color=color))
    mask = target_mask(Canvas(before), part(noun))
    assert 0.02 < float((mask > 0.5).mean()) < 0.5
    beside = np.abs(result.pixels.astype(int) - before.pixels.astype(int))[mask == 0]
    assert beside.mean() < 0.5
    assert beside.max() == 0


def test_an_orange_suit_turns_blue_but_the_face_does_not_change() -> None:
    before = photo("astronaut")
    result = apply_steps(before, step("recolor", target=part("suit", of="woman"), color="blue"))
    mask = target_mask(Canvas(before), part("suit")) > 0.9
    red, _, blue = result.pixels[mask].astype(int).T
    assert (blue > red).mean() > 0.9
    (face,) = find_faces(before)
    inner = face.grown(-0.2, before.width, before.height)
    rows, columns = slice(inner.top, inner.bottom), slice(inner.left, inner.right)
    assert not changed(before, result)[rows, columns].any()


def test_recoloring_hair_is_repeatable_and_similar_with_16_bits() -> None:
    before = photo("astronaut")
    edit_step = step("recolor", target=part("hair"), color="blonde")
    once, again = apply_steps(before, edit_step), apply_steps(before, edit_step)
    assert np.array_equal(once.pixels, again.pixels)
    fine = apply_steps(deep(before), edit_step)
    assert np.abs((fine.pixels // 257).astype(int) - once.pixels.astype(int)).mean() < 2


def test_the_suit_of_one_of_several_people_needs_a_place() -> None:
    picture = placed("astronaut", (0, 0, 280), (300, 0, 280), (600, 0, 280))
    with pytest.raises(OperationError) as refused:
        target_mask(Canvas(picture), part("suit"))
    assert refused.value.reason is Reason.AMBIGUOUS
    right = target_mask(Canvas(picture), part("suit", of="woman", place="right"))
    assert right[:, 600:].any()
    assert not right[:, :560].any()


@pytest.mark.parametrize("noun", sorted(PARTS))
def test_a_missing_part_is_refused_with_a_hint_to_draw_a_box(noun: str) -> None:
    with pytest.raises(OperationError) as refused:
        target_mask(Canvas(photo("cup")), part(noun))
    assert "box around" in refused.value.hint


@pytest.mark.parametrize("picture", [scenery(3, 3), scenery(1, 400), scenery(400, 1), ball()])
@pytest.mark.parametrize("noun", ["shirt", "hair", "teeth", "flowers"])
def test_small_and_empty_pictures_are_refused(picture: Picture, noun: str) -> None:
    with pytest.raises(PlanRefused):
        apply_steps(picture, step("recolor", target=part(noun), color="red"))


def smile(teeth: tuple[int, int, int]) -> Bytes:
    face = np.full((300, 300, 3), SKIN, np.uint8)
    cv2.ellipse(face, (150, 240), (70, 26), 0, 0, 360, (170, 80, 80), -1)
    cv2.ellipse(face, (150, 238), (52, 14), 0, 0, 360, teeth, -1)
    return face


def test_teeth_are_found_between_the_lips() -> None:
    teeth = teeth_of(smile((228, 222, 205)))
    assert inside(teeth, 150, 238)
    assert not inside(teeth, 150, 262)
    assert not inside(teeth, 150, 150)


@pytest.mark.parametrize("lips", [(170, 80, 80), SKIN])
def test_no_teeth_are_found_in_a_closed_mouth(lips: tuple[int, int, int]) -> None:
    assert teeth_of(smile(lips)) is None


def test_no_teeth_are_found_in_a_gray_photo() -> None:
    grey = cv2.cvtColor(smile((228, 222, 205)), cv2.COLOR_RGB2GRAY)
    assert teeth_of(cast(Bytes, np.repeat(grey[:, :, None], 3, axis=2))) is None


def test_whitened_teeth_are_brighter_and_less_yellow_but_not_pure_white() -> None:
    portrait = people.portrait()
    (face,) = find_faces(portrait)
    small = cv2.resize(smile((216, 206, 176)), (face.width, face.height))
    portrait.pixels[round(face.top + 0.65 * face.height) : face.bottom, face.left : face.right] = small[
        round(0.65 * face.height) :
    ]
    result = apply_steps(portrait, step("recolor", target=part("teeth"), color="white", amount=0.45))
    there = target_mask(Canvas(portrait), part("teeth")) > 0.9
    old, new = lab(portrait)[there].mean(0), lab(result)[there].mean(0)
    assert new[2] < 0.75 * old[2]  # The teeth are less yellow.
    assert old[0] < new[0] < 97


def bed(petal: tuple[int, int, int] = (220, 60, 120), ground: tuple[int, int, int] = (60, 120, 50)) -> Bytes:
    """Draw blossoms on a rough green background."""
    random = np.random.default_rng(3)
    pixels = np.full((300, 400, 3), ground, np.float32) + random.normal(0, 8, (300, 400, 1))
    for x, y in ((80, 90), (200, 150), (310, 80), (130, 230), (320, 220)):
        cv2.circle(pixels, (x, y), 26, petal, -1)
    return np.clip(pixels, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("petal", [(220, 60, 120), (235, 190, 30), (140, 60, 190)])
def test_colored_blossoms_on_green_are_found_as_flowers(petal: tuple[int, int, int]) -> None:
    found = find_flowers(bed(petal))
    assert inside(found, 200, 150)
    assert not inside(found, 20, 20)


def test_flowers_in_two_colors_are_not_found() -> None:
    pixels = bed()
    pixels[:, 240:] = bed((235, 190, 30))[:, 240:]
    assert find_flowers(pixels) is None


@pytest.mark.parametrize("ground", [(150, 82, 48), (120, 60, 200)])
def test_blossoms_on_a_background_that_is_not_green_are_not_found(ground: tuple[int, int, int]) -> None:
    assert find_flowers(bed(ground=ground)) is None


def test_a_red_cup_is_not_taken_for_a_rose() -> None:
    with pytest.raises(OperationError, match="can't clearly make out the rose"):
        target_mask(Canvas(photo("cup")), part("rose"))


def test_variations_of_a_hair_color_differ() -> None:
    edit_step = step("recolor", target=part("hair"), color="black")
    one, other = carry_out_steps(photo("astronaut"), edit_step, outputs=2)
    assert not np.array_equal(one.pixels, other.pixels)


def folds(low: int, high: int) -> NDArray[np.uint8]:
    """Draw cloth with soft folds in two shades of gray."""
    waves = np.sin(np.arange(200) / 9)[None, :, None] * np.ones((60, 1, 3))
    return ((low + high) / 2 + (high - low) / 2 * waves).astype(np.uint8)


def test_black_cloth_that_turns_white_keeps_its_folds() -> None:
    cloth = folds(20, 60)
    white = lab(Picture(recolored(cloth, (255, 255, 255), mask=np.ones((60, 200), np.float32), follows=1)))
    assert np.median(white[:, :, 0]) > 85
    assert np.ptp(white[:, :, 0]) > 8


def test_blown_out_white_turns_black() -> None:
    cloth = folds(250, 255)
    black = lab(Picture(recolored(cloth, (0, 0, 0), mask=np.ones((60, 200), np.float32), follows=1)))
    assert black[:, :, 0].max() < 40


def test_white_that_turns_cream_stays_bright() -> None:
    everywhere = np.ones((60, 200), np.float32)
    cream = lab(Picture(recolored(folds(240, 250), (250, 240, 210), mask=everywhere)))
    assert np.median(cream[:, :, 0]) > 90


def test_a_dark_blue_dress_beside_dark_hair_is_not_hair() -> None:
    navy, dark = (24, 30, 52), (32, 28, 30)
    pixels, outline = drawn(cloth=navy, hair=dark)
    cv2.rectangle(pixels, (132, 90), (150, 200), dark, -1)
    cv2.rectangle(outline, (132, 90), (150, 200), (1,), -1)
    hair = hair_of(person(pixels, outline))
    assert inside(hair, 141, 150)
    assert not inside(hair, 130, 230)
