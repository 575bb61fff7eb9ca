"""Tests that an object's shadow and reflection are found, and that similar areas of the ground are not."""

import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.masks import mask_of
from editor.engine.operations.remove import erase
from editor.engine.operations.remove.holes import is_large_but_fillable
from editor.engine.operations.remove.reflections import reflection_of
from editor.engine.operations.remove.shadows import shadow_of
from editor.engine.pixels import Box
from editor.engine.targets.outlines import Outline
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture

BOX = Box(180, 60, 220, 200)
OTHER = Box(290, 70, 330, 205)
HEIGHT, WIDTH = 300, 400
SOLID = np.ones((BOX.height, BOX.width), np.float32)
BOX_MASK = np.zeros((HEIGHT, WIDTH), np.uint8)
BOX_MASK[BOX.slices] = 1
NOBODY = np.zeros((HEIGHT, WIDTH), np.uint8)


def ground(rough: float = 2.0) -> Floats:
    """Draw a wall above a floor with grain whose standard deviation is `rough`, in 8-bit levels."""
    pixels = np.full((HEIGHT, WIDTH, 3), (90, 120, 110), np.float32)
    pixels[150:] = (170, 160, 140)
    grain = np.random.default_rng(1).normal(0, rough, (HEIGHT, WIDTH, 1)).astype(np.float32)
    return pixels + cv2.GaussianBlur(grain, (0, 0), 1.2)[:, :, None] * 3


def cast_shadow(
    pixels: Floats, foot: tuple[int, int], light: tuple[float, float, float] = (0.55,) * 3
) -> Bytes:
    """Darken the ground to the left of a foot (x, y), in place, and return the mask of the shadow."""
    x, y = foot
    corners = np.array([(x - 16, y - 4), (x + 16, y - 4), (x - 40, y + 22), (x - 72, y + 22)])
    mask = cv2.fillPoly(np.zeros((HEIGHT, WIDTH), np.uint8), [corners], 1)
    pixels *= np.where(mask[:, :, None] == 1, np.array(light, np.float32), np.float32(1))
    return mask.astype(np.uint8)


def pictured(pixels: Floats, *boxes: Box) -> Picture:
    """Return the picture with a blue pillar in each of the boxes."""
    for box in boxes:
        pixels[box.slices] = (40, 60, 200)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def hole(picture: Picture, *others: Box) -> Bytes:
    outlines = [Outline(other, np.ones((1, 1), np.float32), 1.0) for other in others]
    shadow = shadow_of(picture, BOX, SOLID, outlines)
    return NOBODY if shadow is None else shadow.hole(BOX, HEIGHT, WIDTH)


@pytest.mark.parametrize("rough", [2.0, 12.0])
def test_a_shadow_is_found_on_smooth_and_on_rough_ground(rough: float) -> None:
    pixels = ground(rough)
    mask = cast_shadow(pixels, (200, 200))
    found = hole(pictured(pixels, BOX))
    free = mask.copy()
    free[BOX.slices] = 0
    assert found[cv2.erode(free, np.ones((5, 5), np.uint8)) == 1].mean() > 0.9
    assert found[cv2.dilate(mask, np.ones((15, 15), np.uint8)) == 0].mean() < 0.01


@pytest.mark.parametrize("rough", [2.0, 12.0])
def test_without_a_shadow_nothing_is_found(rough: float) -> None:
    assert not hole(pictured(ground(rough), BOX)).any()


def test_a_faint_shadow_is_found_if_its_object_is_nearly_as_wide_as_the_photo() -> None:
    pixels = np.full((HEIGHT, WIDTH, 3), 170, np.float32)
    loaf = Box(30, 120, 370, 170)
    pixels[170:190, 40:360] *= 0.9
    pixels[loaf.slices] = (160, 110, 60)
    picture = Picture(pixels.astype(np.uint8))
    shadow = shadow_of(picture, loaf, np.ones((loaf.height, loaf.width), np.float32))
    assert shadow is not None
    found = shadow.hole(loaf, HEIGHT, WIDTH)
    assert found[172:188, 50:350].mean() > 0.9
    assert not found[200:].any()


def test_the_shadow_of_a_neighbor_stays() -> None:
    pixels = ground()
    cast_shadow(pixels, (310, 205))
    assert not hole(pictured(pixels, BOX, OTHER), OTHER).any()


def test_a_shadow_that_joins_two_objects_stays() -> None:
    pixels = ground()
    pixels[196:215, 190:330] *= 0.55
    assert not hole(pictured(pixels, BOX, OTHER), OTHER).any()


def test_a_shadow_never_covers_another_object() -> None:
    pixels = ground()
    cast_shadow(pixels, (200, 200))
    other = Box(120, 190, 150, 230)
    assert not hole(pictured(pixels, BOX), other)[other.slices].any()


def test_a_shadow_beside_the_empty_corner_of_a_neighbors_box_is_found() -> None:
    pixels = ground(12.0)
    mask = cast_shadow(pixels, (200, 200))
    neighbor = Box(90, 160, 176, 224)
    upper_left = np.zeros((neighbor.height, neighbor.width), np.float32)
    upper_left[:24, :30] = 1
    picture = pictured(pixels, BOX)
    shadow = shadow_of(picture, BOX, SOLID, [Outline(neighbor, upper_left, 1.0)])
    assert shadow is not None
    assert shadow.hole(BOX, HEIGHT, WIDTH)[(mask == 1) & (BOX_MASK == 0)].mean() > 0.6
    assert not hole(picture, neighbor)[mask == 1].any()


def test_a_shadow_is_found_beside_a_much_larger_dark_area() -> None:
    pixels = ground(12.0)
    mask = cast_shadow(pixels, (200, 200))
    pixels[250:] = 4
    assert hole(pictured(pixels, BOX))[(mask == 1) & (BOX_MASK == 0)].mean() > 0.6


def test_a_dark_stripe_that_passes_under_an_object_stays() -> None:
    pixels = ground()
    pixels[192:215] *= 0.6
    assert not hole(pictured(pixels, BOX)).any()


def test_one_of_several_dark_tiles_stays() -> None:
    pixels = ground()
    for left in (60, 130, 200, 270):
        pixels[198:222, left : left + 35] *= 0.6
    assert not hole(pictured(pixels, BOX)).any()


def test_a_colored_mat_is_no_shadow() -> None:
    pixels = ground()
    cast_shadow(pixels, (200, 200), (0.2, 0.7, 0.3))
    assert not hole(pictured(pixels, BOX)).any()


def water() -> Floats:
    pixels = np.full((HEIGHT, WIDTH, 3), (120, 150, 180), np.float32)
    grain = np.random.default_rng(3).normal(0, 5, (HEIGHT, WIDTH, 1)).astype(np.float32)
    return pixels + cv2.GaussianBlur(grain, (0, 0), 1.0)[:, :, None] * 2


BOAT = Box(150, 80, 250, 150)


def boat() -> tuple[Floats, Floats]:
    """Return the colors and the mask of a red boat with a white sail."""
    mask = np.zeros((BOAT.height, BOAT.width), np.float32)
    colors = np.full((*mask.shape, 3), (240, 235, 225), np.float32)
    cv2.fillPoly(mask, [np.array([(50, 0), (50, 50), (85, 50)])], 1)
    hull = [np.array([(0, 48), (99, 48), (80, 69), (20, 69)])]
    cv2.fillPoly(mask, hull, 1)
    cv2.fillPoly(colors, hull, (180, 40, 30))
    return colors, mask


def on_water(strength: float, *, is_mirrored: bool = True) -> tuple[Picture, Floats]:
    """Draw the boat on water with a reflection, which may be the boat again without being mirrored."""
    pixels, (colors, mask) = water(), boat()
    below = BOAT.moved(0, BOAT.height)
    reflected = (cv2.flip(colors, 0), cv2.flip(mask, 0)) if is_mirrored else (colors, mask)
    for box, shade, cover in ((BOAT, colors, mask), (below, reflected[0], strength * reflected[1])):
        pixels[box.slices] += cover[:, :, None] * (shade - pixels[box.slices])
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8)), mask


@pytest.mark.parametrize("strength", [0.35, 0.8])
def test_a_reflection_is_found(strength: float) -> None:
    picture, mask = on_water(strength)
    found = reflection_of(picture, BOAT, mask, NOBODY)
    assert found is not None
    assert found.confidence > 0.8
    solid = erase._solid(mask_of(picture.pixels.shape, [(found.view, found.mask)]))
    below = BOAT.moved(0, BOAT.height)
    assert solid[below.slices][cv2.flip(mask, 0) == 1].mean() > 0.9
    assert solid.sum() < 2 * mask.sum()


def test_without_a_reflection_nothing_is_found() -> None:
    picture, mask = on_water(0)
    assert reflection_of(picture, BOAT, mask, NOBODY) is None


def test_the_same_shape_the_right_way_up_is_no_reflection() -> None:
    picture, mask = on_water(0.8, is_mirrored=False)
    assert reflection_of(picture, BOAT, mask, NOBODY) is None


def test_a_reflection_where_another_object_is_stays() -> None:
    picture, mask = on_water(0.8)
    other = NOBODY.copy()
    other[BOAT.moved(0, BOAT.height).slices] = 1
    assert reflection_of(picture, BOAT, mask, other) is None


def test_a_removal_fills_the_shadow_and_the_reflection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erase, "things_seen", lambda canvas: [Thing("boat", 0.9, BOAT)])
    picture, mask = on_water(0.6)
    whole = np.zeros((HEIGHT, WIDTH), np.float32)
    whole[BOAT.slices] = mask
    canvas = Canvas(picture)
    filled = erase.fill_erased(canvas, erase._with_shadows(canvas, erase._things_in(whole)), is_marked=True)
    assert np.abs(filled.astype(float) - (120, 150, 180)).mean() < 8


def test_the_shadow_of_each_of_two_distant_objects_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erase, "things_seen", lambda canvas: [])
    pixels, near = ground(), Box(100, 60, 125, 160)
    shadows = [cast_shadow(pixels, (box.right - 12, box.bottom)) for box in (near, OTHER)]
    mask = mask_of(pixels.shape, [(box, np.ones((1, 1), np.float32)) for box in (near, OTHER)])
    whole = erase._with_shadows(Canvas(pictured(pixels, near, OTHER)), erase._things_in(mask))
    assert all(whole[shadow == 1].mean() > 0.9 for shadow in shadows)


def test_a_shadow_does_not_make_a_removal_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erase, "things_seen", lambda canvas: [])
    pixels = np.full((160, 260, 3), (170, 160, 140), np.float32)
    pixels[110:140, 5:80] *= 0.6
    box = Box(60, 20, 110, 140)
    pixels[box.slices] = (40, 60, 200)
    mask = np.zeros((160, 260), np.float32)
    mask[box.slices] = 1
    canvas = Canvas(Picture(pixels.astype(np.uint8)))
    assert erase._with_shadows(canvas, erase._things_in(mask))[120:130, 20:50].all()
    monkeypatch.setattr(erase, "MAX_HOLE", 0.18)
    for is_plain in (False, True):
        monkeypatch.setattr(erase, "is_large_but_fillable", lambda *_, is_plain=is_plain: is_plain)
        whole = erase._with_shadows(canvas, erase._things_in(mask))
        assert whole[120:130, 20:50].any() is np.bool_(is_plain)


def test_only_ground_without_a_pattern_is_plain() -> None:
    hole = BOX_MASK.copy()
    plain = np.full((HEIGHT, WIDTH, 3), 150, np.uint8)
    striped = plain.copy()
    striped[::8] = 60
    assert is_large_but_fillable(Picture(plain), hole)
    assert not is_large_but_fillable(Picture(striped), hole)


def test_a_hole_of_more_than_45_percent_is_too_large_even_on_plain_ground() -> None:
    """A removal with a shadow or reflection of that size is still possible without it."""
    plain = Picture(np.full((100, 100, 3), 150, np.uint8))
    for rows, is_fillable in ((44, True), (46, False), (100, False)):
        hole = np.zeros((100, 100), np.uint8)
        hole[:rows] = 1
        assert is_large_but_fillable(plain, hole) is is_fillable


def test_the_shadow_at_the_raised_end_of_a_long_flat_object_is_found() -> None:
    pixels = np.full((HEIGHT, WIDTH, 3), (170, 160, 140), np.float32)
    loaf, shadow = NOBODY.copy(), NOBODY.copy()
    corners = np.array([(40, 210), (340, 130), (340, 160), (40, 240)])
    cv2.fillPoly(loaf, [corners], 1)
    cv2.fillPoly(shadow, [corners + np.array([6, 10])], 1)
    shadow &= 1 - loaf
    pixels[shadow == 1] *= 0.6
    pixels[loaf == 1] = (40, 60, 200)
    box = Box.around(loaf)
    found = shadow_of(Picture(pixels.astype(np.uint8)), box, loaf[box.slices].astype(np.float32))
    assert found is not None
    assert found.hole(box, HEIGHT, WIDTH)[shadow == 1].mean() > 0.9


def test_a_shadow_is_found_up_to_its_tip_and_its_soft_edge() -> None:
    pixels, box, tip = ground(1.0), Box(250, 160, 290, 260), Box(162, 246, 168, 256)
    light = np.ones((HEIGHT, WIDTH), np.float32)
    light[244:258, 158 : box.left] = 0.6
    pixels *= cv2.GaussianBlur(light, (0, 0), 2)[:, :, None]
    shadow = shadow_of(pictured(pixels, box), box, np.ones((100, 40), np.float32))
    assert shadow is not None
    hole = shadow.hole(box, HEIGHT, WIDTH)
    assert hole[tip.slices].mean() > 0.8
    assert hole[242, 180:240].mean() > 0.8
