"""Tests for kinds of ground: the sky, water, and plants that the analysis of a photo finds."""

import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError, PlanRefused
from editor.engine.operations import find_operation
from editor.engine.plan import Plan, Reason, Step, Target
from editor.engine.run import carry_out
from editor.engine.targets.analyzed import with_analysis
from editor.engine.targets.scenery import scenery_mask
from editor.engine.vision.analysis import Analysis
from editor.engine.vision.grounds import CELLS, KINDS, Ground, Kind, cells_of, confidence_of, find_grounds
from editor.engine.vision.segmentation import EMBEDDING_SHAPE, Embedding
from editor.imaging.picture import Bytes, Picture
from editor.options import EditOptions
from tests.engine.pictures import changed, step

SIZE = (320, 240)
HORIZON = 120


def two_halves() -> Picture:
    """Draw a plain upper half and a rough lower half, neither of which has the color of a sky."""
    pixels = np.full((SIZE[1], SIZE[0], 3), (120, 60, 40), np.uint8)
    pixels[HORIZON:] = np.random.default_rng(3).integers(0, 120, (SIZE[1] - HORIZON, SIZE[0], 3), np.uint8)
    return Picture(pixels)


def upper_half() -> Bytes:
    mask = np.zeros((CELLS, CELLS), np.uint8)
    mask[: HORIZON * CELLS // SIZE[0]] = 255
    return mask


def analyzed(kind: Kind, confidence: float, mask: Bytes) -> Analysis:
    subject = np.zeros((320, 320), np.uint8)
    return Analysis(*SIZE, (), (), (), subject, (Ground(kind, confidence, mask),))


def darker(noun: str, analysis: Analysis) -> Picture:
    darkened = Step.from_json(
        {
            "operation": "brightness",
            "target": Target("thing", noun=noun).as_json(),
            "keep": (),
            "words": [0, 4],
            "says": "",
            "amount": -0.5,
        }
    )
    (made,) = carry_out(Plan("make it darker", (darkened,)), [two_halves()], EditOptions(), analysis=analysis)
    return made


@pytest.mark.parametrize(("noun", "kind"), [("sky", "sky"), ("water", "water"), ("trees", "plants")])
def test_it_changes_the_ground_that_the_analysis_found(noun: str, kind: Kind) -> None:
    after = darker(noun, analyzed(kind, 0.95, upper_half())).pixels.astype(int) - two_halves().pixels
    assert (after[: HORIZON - 8].max(2) < 0).mean() > 0.95
    assert np.abs(after[HORIZON + 30 :]).max() <= 2


def test_the_sky_reaches_the_land_although_the_analysis_ends_above_it() -> None:
    gap = 12  # three cells of the analysis would be 15 pixels
    short = upper_half()
    short[(HORIZON - gap) * CELLS // SIZE[0] :] = 0
    after = darker("sky", analyzed("sky", 0.95, short)).pixels.astype(int) - two_halves().pixels
    assert (after[HORIZON - gap : HORIZON - 4].max(2) < 0).mean() > 0.95
    assert np.abs(after[HORIZON + 30 :]).max() <= 2


def test_it_refuses_and_offers_a_box_when_the_analysis_is_uncertain() -> None:
    with pytest.raises(PlanRefused) as caught:
        darker("sky", analyzed("sky", 0.4, upper_half()))
    (refusal,) = caught.value.refusals
    assert refusal.reason is Reason.LOW_CONFIDENCE
    assert "I can't tell where the sky is." in caught.value.message
    assert "box" in [way.kind.value for way in refusal.ways]


def test_grass_is_not_found_in_trees_at_the_top() -> None:
    with pytest.raises(PlanRefused, match="I can't tell where the grass is"):
        darker("grass", analyzed("plants", 0.95, upper_half()))


def test_grass_is_found_in_low_plants() -> None:
    lower = upper_half()[::-1][CELLS - SIZE[1] * CELLS // SIZE[0] :]
    mask = np.concatenate([lower, np.zeros((CELLS - len(lower), CELLS), np.uint8)])
    after = darker("grass", analyzed("plants", 0.95, mask)).pixels.astype(int) - two_halves().pixels
    assert np.abs(after[: HORIZON - 30]).max() <= 2
    assert (after[HORIZON + 8 :].max(2) < 0).mean() > 0.8


def test_confidence_is_smaller_for_small_areas_and_for_a_sky_below_the_top() -> None:
    likely = np.zeros((48, 64), np.float32)
    assert confidence_of(likely, "sky") == 0
    likely[:20] = 1
    whole = confidence_of(likely, "sky")
    assert whole > 0.9
    assert confidence_of(likely[::-1].copy(), "sky") < 0.7 * whole
    assert confidence_of(likely[::-1].copy(), "water") == pytest.approx(whole)
    small = np.zeros((48, 64), np.float32)
    small[:5, :5] = 1
    assert confidence_of(small, "water") < 0.3


def test_grounds_of_any_embedding_have_masks_and_confidences() -> None:
    values = np.random.default_rng(5).normal(size=EMBEDDING_SHAPE).astype(np.float16)
    embedding = Embedding(values, 1000, 500)
    assert cells_of(embedding) == (32, 64)
    for ground in find_grounds(embedding):
        assert ground.kind in KINDS
        assert 0 < ground.confidence <= 1
        assert ground.mask.shape == (CELLS, CELLS)
        assert ground.mask.dtype == np.uint8


def test_a_blue_sky_that_the_colors_confirm_needs_less_certainty() -> None:
    photo = two_halves()
    photo.pixels[:HORIZON] = (120, 170, 225)
    canvas = with_analysis(Canvas(photo), photo, analyzed("sky", 0.6, upper_half()))
    mask = scenery_mask(canvas, "sky")
    assert mask is not None
    assert mask[: HORIZON - 8].min() > 0.95
    photo.pixels[:HORIZON] = (250, 250, 250)
    white = with_analysis(Canvas(photo), photo, analyzed("sky", 0.6, upper_half()))
    with pytest.raises(OperationError, match="where the sky is"):
        scenery_mask(white, "sky")


def test_leaves_and_wires_in_front_of_a_bright_sky_are_not_sky() -> None:
    photo = two_halves()
    photo.pixels[:HORIZON] = (200, 215, 235)
    photo.pixels[: HORIZON - 10, 100:103] = (90, 85, 70)
    mask = scenery_mask(with_analysis(Canvas(photo), photo, analyzed("sky", 0.95, upper_half())), "sky")
    assert mask is not None
    assert mask[5 : HORIZON - 15, 101].max() < 0.1
    assert mask[5 : HORIZON - 15, 120:].min() > 0.95


BLUE, TRUNK, TOWER = np.array((110, 165, 225)), (110, 80, 50), (60, 55, 50)


def below_a_blue_sky() -> Picture:
    """Draw a blue sky, which is paler toward the horizon, above rough ground."""
    photo = two_halves()
    paler = np.linspace(0, 0.4, HORIZON)[:, None, None]
    photo.pixels[:HORIZON] = (BLUE + paler * (255 - BLUE)).round()
    return photo


def sky_found(photo: Picture, mask: Bytes) -> Floats:
    found = scenery_mask(with_analysis(Canvas(photo), photo, analyzed("sky", 0.95, mask)), "sky")
    assert found is not None
    return found


def test_the_sky_between_a_tree_and_the_side_of_the_photo_is_sky() -> None:
    photo, right = below_a_blue_sky(), upper_half()
    photo.pixels[:, 50:80] = TRUNK
    right[:, : 90 * CELLS // SIZE[0]] = 0
    mask = sky_found(photo, right)
    assert mask[5 : HORIZON - 8, 5:45].min() > 0.95
    assert mask[:, 54:76].max() < 0.1


def test_a_pale_rope_in_front_of_a_blue_sky_is_not_sky_but_a_soft_cloud_is() -> None:
    photo = below_a_blue_sky()
    cloud = np.zeros((SIZE[1], SIZE[0]), np.float32)
    cv2.ellipse(cloud, (230, 50), (40, 10), 0, 0, 360, 1, -1)
    veil = 0.6 * cv2.GaussianBlur(cloud, (0, 0), 9)[:, :, None]
    photo.pixels[:] = (photo.pixels + veil * (255 - photo.pixels.astype(np.float32))).round()
    cv2.line(photo.pixels, (20, 20), (140, HORIZON), (240, 235, 220), 3)
    mask = sky_found(photo, upper_half())
    assert max(mask[20 + (x - 20) * (HORIZON - 20) // 120, x] for x in range(30, 130)) < 0.2
    assert mask[30:70, 180:280].min() > 0.95


def beside_a_tower(cloud: tuple[int, int, int]) -> Picture:
    """Draw a gray tower in front of a soft cloud. The pixels at its left edge show both."""
    photo, veil = below_a_blue_sky(), np.zeros((SIZE[1], SIZE[0]), np.float32)
    cv2.ellipse(veil, (150, 60), (70, 26), 0, 0, 360, 1, -1)
    share = 0.6 * cv2.GaussianBlur(veil, (0, 0), 9)[:, :, None]
    photo.pixels[:] = (photo.pixels * (1 - share) + share * np.array(cloud)).round()
    edge = (photo.pixels[:, 149].astype(float) + TOWER) / 2
    photo.pixels[:HORIZON, 150:190], photo.pixels[:HORIZON, 149] = TOWER, edge[:HORIZON].round()
    return photo


def without_tower() -> Bytes:
    mask = upper_half()
    mask[:, 150 * CELLS // SIZE[0] : 190 * CELLS // SIZE[0]] = 0
    return mask


def test_a_soft_cloud_that_touches_the_sharp_edge_of_a_tower_is_sky() -> None:
    mask = sky_found(beside_a_tower((140, 150, 165)), without_tower())[5 : HORIZON - 8]
    assert mask[:, 70:146].mean() > 0.98
    assert mask[:, 154:186].max() < 0.05


def test_a_cloud_reaches_the_land_without_a_rim_of_the_old_sky() -> None:
    photo, cloud = below_a_blue_sky(), np.zeros((SIZE[1], SIZE[0]), np.float32)
    cv2.ellipse(cloud, (240, HORIZON), (60, 40), 0, 0, 360, 1, -1)
    veil = 0.8 * cv2.GaussianBlur(cloud, (0, 0), 6)[:HORIZON, :, None]
    photo.pixels[:HORIZON] = (photo.pixels[:HORIZON] * (1 - veil) + veil * 255).round()
    assert sky_found(photo, upper_half())[5:HORIZON, 200:280].min() > 0.95


def test_the_moon_in_a_dark_sky_is_sky_but_a_dark_balloon_is_not() -> None:
    photo = two_halves()
    photo.pixels[:HORIZON] = (70, 40, 60)
    cv2.circle(photo.pixels, (230, 40), 16, (252, 250, 240), -1)
    cv2.circle(photo.pixels, (90, 40), 16, (20, 5, 5), -1)
    mask = sky_found(photo, upper_half())
    assert mask[20:60, 205:255].min() > 0.95
    assert mask[30:50, 80:100].max() < 0.1


@pytest.mark.parametrize("is_sky", [True, False])
def test_an_opening_shows_the_sky_if_the_analysis_agrees_and_reflects_it_otherwise(is_sky: bool) -> None:
    photo, likely = below_a_blue_sky(), upper_half()
    behind = photo.pixels.copy()
    photo.pixels[20:, 60:260] = TRUNK
    photo.pixels[60:80, 140:165] = behind[60:80, 140:165]
    cell = SIZE[0] // CELLS
    likely[20 // cell :, 60 // cell : 260 // cell] = 0
    likely[60 // cell : 80 // cell, 140 // cell : 165 // cell] = 255 * is_sky
    opening = sky_found(photo, likely)[62:78, 142:163]
    assert (opening.min() > 0.95) if is_sky else (opening.max() < 0.05)


def test_a_pixel_at_the_edge_of_a_thing_shows_a_share_of_the_sky() -> None:
    photo = below_a_blue_sky()
    edge = (photo.pixels[:, 60].astype(float) + TRUNK) / 2
    photo.pixels[:HORIZON, 60:90] = TRUNK
    photo.pixels[:HORIZON, 60] = edge[:HORIZON].round()
    mask = sky_found(photo, upper_half())[10 : HORIZON - 10]
    assert np.abs(mask[:, 60] - 0.5).max() < 0.15
    assert mask[:, 58].min() > 0.95
    assert mask[:, 64:86].max() < 0.05


def test_haze_at_the_horizon_belongs_to_the_sky() -> None:
    photo = below_a_blue_sky()
    haze = np.clip((np.arange(HORIZON) - HORIZON + 30) / 30, 0, 1)[:, None, None] ** 2
    photo.pixels[:HORIZON] = (photo.pixels[:HORIZON] * (1 - haze) + haze * (235, 215, 205)).round()
    assert sky_found(photo, upper_half())[5 : HORIZON - 4].min() > 0.95


def test_a_sky_that_looks_like_the_land_is_not_replaced() -> None:
    photo = below_a_blue_sky()
    hazy = np.random.default_rng(4).normal(0, 3, (SIZE[1] - HORIZON, SIZE[0], 1))
    photo.pixels[HORIZON:] = np.clip(photo.pixels[HORIZON - 1, 0] - 6 + hazy, 0, 255).round()
    canvas = with_analysis(Canvas(photo), photo, analyzed("sky", 0.95, upper_half()))
    with pytest.raises(OperationError, match="can't tell the sky from what is in front of it"):
        find_operation("drawn_sky")(canvas, step("drawn_sky", scene="sunset"))
    distinct = below_a_blue_sky()
    canvas = with_analysis(Canvas(distinct), distinct, analyzed("sky", 0.95, upper_half()))
    made = find_operation("drawn_sky")(canvas, step("drawn_sky", scene="sunset"))
    assert (changed(distinct, made.picture)[: HORIZON - 8]).mean() > 0.9


def on_land(photo: Picture, *grounds: tuple[Kind, float, Bytes]) -> Canvas:
    analysis = Analysis(
        *SIZE, (), (), (), np.zeros((320, 320), np.uint8), tuple(Ground(*one) for one in grounds)
    )
    return with_analysis(Canvas(photo), photo, analysis)


def lower_half() -> Bytes:
    mask = np.zeros((CELLS, CELLS), np.uint8)
    mask[HORIZON * CELLS // SIZE[0] : SIZE[1] * CELLS // SIZE[0]] = 255
    return mask


def test_a_dry_field_in_front_of_trees_is_grass_but_bare_soil_is_not() -> None:
    photo = two_halves()
    photo.pixels[:HORIZON] = (30, 60, 25)
    random = np.random.default_rng(6)
    blades = np.array([(150, 128, 62), (105, 122, 52)], np.uint8)
    photo.pixels[HORIZON:] = blades[random.integers(0, 2, photo.pixels[HORIZON:].shape[:2])]
    grounds: tuple[tuple[Kind, float, Bytes], ...] = (
        ("plants", 0.8, upper_half()),
        ("ground", 0.6, lower_half()),
    )
    mask = scenery_mask(on_land(photo, *grounds), "grass")
    assert mask is not None
    assert mask[HORIZON + 8 :].min() > 0.9
    assert mask[: HORIZON - 8].max() < 0.1
    photo.pixels[HORIZON:] = (128, 92, 66)
    with pytest.raises(OperationError, match="where the grass is"):
        scenery_mask(on_land(photo, *grounds), "grass")


def test_planks_that_are_less_certain_than_the_water_are_not_water() -> None:
    photo, likely = two_halves(), np.zeros((CELLS, CELLS), np.uint8)
    photo.pixels[HORIZON:] = (60, 90, 110)
    photo.pixels[HORIZON:, 130:190] = (70, 85, 90)
    likely[26:48, :22], likely[26:48, 28:36], likely[26:48, 42:] = 245, 180, 245
    mask = scenery_mask(on_land(photo, ("water", 0.9, likely)), "water")
    assert mask is not None
    assert mask[HORIZON + 12 : -12, 136:184].max() < 0.1
    assert mask[HORIZON + 12 : -12, 10:100].min() > 0.9


def test_water_reaches_the_pier_although_the_analysis_ends_before_it() -> None:
    photo, likely = two_halves(), np.zeros((CELLS, CELLS), np.uint8)
    photo.pixels[HORIZON:] = (60, 100, 130)
    photo.pixels[HORIZON:, 130:190] = (70, 60, 50)
    likely[24:48, :22], likely[24:48, 42:] = 245, 245
    mask = scenery_mask(on_land(photo, ("water", 0.9, likely)), "water")
    assert mask is not None
    assert mask[HORIZON + 8 : -8, 112:126].min() > 0.9
    assert mask[HORIZON + 8 : -8, 136:184].max() < 0.1
    assert mask[: HORIZON - 8].max() < 0.1


def test_a_narrow_sea_below_the_horizon_is_water_but_a_beach_is_not() -> None:
    photo = two_halves()
    photo.pixels[:HORIZON], photo.pixels[HORIZON:] = (205, 222, 240), (236, 230, 214)
    photo.pixels[HORIZON : HORIZON + 16] = (50, 135, 180)
    mask = scenery_mask(on_land(photo, ("sky", 0.6, upper_half())), "water")
    assert mask is not None
    assert mask[HORIZON + 4 : HORIZON + 12].min() > 0.8
    assert max(mask[: HORIZON - 6].max(), mask[HORIZON + 24 :].max()) < 0.1
    photo.pixels[HORIZON : HORIZON + 16] = (236, 230, 214)
    with pytest.raises(OperationError, match="where the water is"):
        scenery_mask(on_land(photo, ("sky", 0.6, upper_half())), "water")
