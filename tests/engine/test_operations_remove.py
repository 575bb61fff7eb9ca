import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError, PlanRefused
from editor.engine.operations.remove import erase, holes
from editor.engine.operations.remove.patches import Filling, fill
from editor.engine.operations.remove.separate_holes import HolePart
from editor.engine.operations.remove.shifts import fill_with_shifts
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.vision.things import Thing
from editor.imaging.picture import Picture, Pixels
from editor.options import Region
from tests.engine.people import GROUND, people
from tests.engine.pictures import (
    REGION,
    apply_steps,
    ball,
    ball_mask,
    carry_out_steps,
    changed,
    deep,
    step,
    with_alpha,
)

ERASE = step("erase", target=REGION)


def striped(width: int = 480, height: int = 320) -> Picture:
    """Draw a texture of stripes and grain.

    If a test covers part of the texture, it knows what the hidden part looks like.
    """
    columns = np.indices((height, width))[1]
    stripes = 120 + 50 * np.sin(columns / 5.0)
    grain = np.random.default_rng(2).normal(0, 4, (height, width))
    return Picture(np.clip(np.dstack([stripes + grain] * 3), 0, 255).astype(np.uint8))


def with_spot(photo: Picture, box: tuple[int, int, int, int]) -> Picture:
    left, top, right, bottom = box
    pixels = photo.pixels.copy()
    pixels[top:bottom, left:right] = (255, 0, 0) if pixels.dtype == np.uint8 else (65535, 0, 0)
    return Picture(pixels)


def test_a_large_defect_is_filled_with_the_texture_around_it() -> None:
    truth = striped()
    result = apply_steps(
        with_spot(truth, (160, 100, 260, 200)), ERASE, regions=(Region(0.33, 0.3, 0.22, 0.34),)
    )
    inside = slice(100, 200), slice(160, 260)
    assert np.abs(result.pixels[inside].astype(int) - truth.pixels[inside]).mean() < 25
    assert result.pixels[inside].std() > 0.6 * truth.pixels[inside].std()
    assert result.pixels[inside][:, :, 0].astype(int).max() - result.pixels[inside][:, :, 1].max() < 30


def ground(kind: str, width: int = 480, height: int = 320) -> Picture:
    """Draw one of several textures.

    If a test covers part of the texture, it knows what the hidden part looks like.
    """
    rows, columns = np.indices((height, width), np.float32)
    random = np.random.default_rng(9)
    courses = {
        "gradient": 60 + 120 * rows / height + 50 * columns / width,
        "stripes": 120 + 50 * np.sin((rows + columns) / 6.0),
        "noise": 120 + random.normal(0, 20, (height, width)),
        "sand": 150
        + 60 * cv2.GaussianBlur(random.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 2),
    }
    tints = np.array([1.0, 0.9, 0.75], np.float32)
    return Picture(np.clip(courses[kind][:, :, None] * tints, 0, 255).astype(np.uint8))


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("kind", "apart", "detail"),
    [("gradient", 2, 0), ("stripes", 12, 0.7), ("noise", 32, 0.6), ("sand", 22, 0.6)],
)
def test_a_texture_continues_through_the_hole(kind: str, apart: float, detail: float) -> None:
    truth = ground(kind)
    result = apply_steps(
        with_spot(truth, (160, 100, 260, 200)), ERASE, regions=(Region(0.33, 0.3, 0.22, 0.34),)
    )
    inside = slice(100, 200), slice(160, 260)
    assert np.abs(result.pixels[inside].astype(int) - truth.pixels[inside]).mean() < apart
    assert _roughness(result.pixels[inside]) >= detail * _roughness(truth.pixels[inside])


def test_a_small_hole_is_filled_without_a_smear() -> None:
    truth = ground("stripes")
    result = apply_steps(
        with_spot(truth, (200, 100, 224, 112)), ERASE, regions=(Region(0.4166, 0.3125, 0.05, 0.0375),)
    )
    inside = slice(100, 112), slice(200, 224)
    assert np.abs(result.pixels[inside].astype(int) - truth.pixels[inside]).mean() < 12
    assert _roughness(result.pixels[inside]) >= 0.7 * _roughness(truth.pixels[inside])


@pytest.mark.slow
def test_detail_does_not_fade_towards_the_middle_of_a_hole() -> None:
    random = np.random.default_rng(5)
    pixels = np.full((320, 480, 3), 90, np.uint8)
    for x, y in random.integers(0, (480, 320), (6000, 2)).tolist():
        shade = int(random.integers(70, 170))
        cv2.circle(pixels, (x, y), int(random.integers(3, 7)), (shade, shade, shade), -1, cv2.LINE_AA)
    result = apply_steps(Picture(pixels), ERASE, regions=(Region(0.38, 0.35, 0.14, 0.2),)).pixels
    middle = slice(122, 166), slice(192, 240)
    assert _roughness(result[middle]) >= 0.55 * _roughness(pixels)


def _roughness(pixels: Pixels) -> float:
    return float(np.abs(np.diff(pixels[:, :, 1].astype(int), axis=1)).mean())


@pytest.mark.slow
def test_a_hole_with_too_varied_surroundings_is_refused() -> None:
    random = np.random.default_rng(3)
    pixels = np.zeros((320, 480, 3), np.uint8)
    for _ in range(220):
        x, y = (int(value) for value in random.integers(0, (480, 320)))
        color = tuple(int(value) for value in random.integers(0, 255, 3))
        cv2.rectangle(
            pixels, (x, y), (x + int(random.integers(12, 70)), y + int(random.integers(12, 70))), color, -1
        )
    with pytest.raises(PlanRefused) as caught:
        apply_steps(Picture(pixels), ERASE, regions=(Region(0.33, 0.3, 0.3, 0.34),))
    assert caught.value.refusals[0].reason is Reason.LOW_CONFIDENCE
    assert "too varied" in caught.value.message


def test_alpha_is_preserved() -> None:
    photo = with_alpha(striped())
    result = apply_steps(photo, ERASE, regions=(Region(0.33, 0.3, 0.22, 0.34),))
    assert np.array_equal(result.pixels[:, :, 3], photo.pixels[:, :, 3])
    assert changed(photo, result).any()


@pytest.mark.parametrize("size", [(5, 7), (9, 9), (3, 40)])
def test_a_tiny_picture_is_repaired(size: tuple[int, int]) -> None:
    photo = Picture(np.full((*size, 3), 90, np.uint8))
    photo.pixels[size[0] // 2, size[1] // 2] = 250
    middle = Region(0.45, 0.45, 0.1, 0.1)
    assert np.abs(apply_steps(photo, ERASE, regions=(middle,)).pixels.astype(int) - 90).max() <= 1


def test_the_subject_is_removed() -> None:
    result = apply_steps(ball(color=(40, 60, 200)), step("erase", target=Target("subject")))
    inside = result.pixels[ball_mask() == 1].astype(int)
    assert (inside[:, 2] - inside[:, 0]).max() < 40


def test_the_person_on_the_right_is_removed_and_the_other_stays() -> None:
    photo = people((80, 150, 200), (560, 130, 220))
    result = apply_steps(photo, step("erase", target=Target("thing", noun="man", place="right")))
    assert np.array_equal(result.pixels[:, :400], photo.pixels[:, :400])
    assert np.abs(result.pixels[130:, 560:780].astype(int) - GROUND).mean() < 6


def test_a_small_spot_disappears() -> None:
    truth = ball()
    result = apply_steps(
        with_spot(truth, (30, 30, 36, 36)), ERASE, regions=(Region(0.08, 0.1, 0.022, 0.036),)
    )
    assert np.abs(result.pixels[28:40, 28:40].astype(int) - truth.pixels[28:40, 28:40]).mean() < 6


@pytest.mark.sampled(1)
@pytest.mark.parametrize("region", [Region(0.33, 0.3, 0.22, 0.34), Region(0.0, 0.0, 0.03, 0.04)])
def test_nothing_changes_outside_the_hole(region: Region) -> None:
    for photo in (striped(), deep(striped())):
        result = apply_steps(photo, ERASE, regions=(region,))
        where = changed(photo, result)
        left, top = round(region.x * 480), round(region.y * 320)
        where[top : round((region.y + region.h) * 320), left : round((region.x + region.w) * 480)] = False
        assert not where.any()
        assert result.pixels.dtype == photo.pixels.dtype


@pytest.mark.sampled(2)
@pytest.mark.parametrize("slope", [0.0, 0.08, -0.15])
@pytest.mark.parametrize("left", [0.0, 0.35])
def test_a_horizon_continues_behind_a_removed_thing(slope: float, left: float) -> None:
    rows, columns = np.indices((320, 480))
    pixels = np.full((320, 480, 3), (150, 180, 220), np.float32)
    pixels[rows > 170 + slope * (columns - 240)] = (40, 90, 110)
    pixels += np.random.default_rng(3).normal(0, 4, pixels.shape)
    truth = Picture(np.clip(pixels, 0, 255).astype(np.uint8))
    region = Region(left, 0.35, 0.2, 0.35)
    start = round(left * 480)
    result = apply_steps(with_spot(truth, (start, 112, start + 96, 224)), ERASE, regions=(region,))
    inside = slice(112, 224), slice(start, start + 96)
    apart = np.abs(result.pixels[inside].astype(int) - truth.pixels[inside]).max(2)
    assert (apart > 40).mean() < 0.02


@pytest.mark.slow
def test_a_box_that_nearly_touches_the_edge_extends_to_it() -> None:
    truth = striped()
    result = apply_steps(
        with_spot(truth, (0, 120, 60, 200)), ERASE, regions=(Region(0.012, 0.35, 0.13, 0.3),)
    )
    reds = result.pixels[120:200, :60].astype(int)
    assert (reds[:, :, 0] - reds[:, :, 1]).max() < 40


@pytest.mark.slow
def test_the_same_seed_gives_the_same_filling_and_variations_differ() -> None:
    first, second = carry_out_steps(striped(), ERASE, regions=(Region(0.3, 0.3, 0.3, 0.3),), outputs=2)
    again = apply_steps(striped(), ERASE, regions=(Region(0.3, 0.3, 0.3, 0.3),))
    assert np.array_equal(first.pixels, again.pixels)
    assert not np.array_equal(first.pixels, second.pixels)


def test_a_thing_is_removed_by_its_color() -> None:
    result = apply_steps(ball(), step("erase", target=Target("thing", color="red", noun="ball")))
    inside = result.pixels[ball_mask() == 1].astype(int)
    assert (inside[:, 0] - inside[:, 1]).max() < 40


def test_a_line_continues_behind_a_removed_thing() -> None:
    truth = ground("sand", 480, 320).pixels
    for at in (130, 150, 190):
        cv2.line(truth, (0, at), (480, at - 60), (225, 40, 40), 5, cv2.LINE_AA)
    result = apply_steps(
        with_spot(Picture(truth), (200, 60, 270, 220)), ERASE, regions=(Region(0.4166, 0.1875, 0.146, 0.5),)
    )
    inside = slice(60, 220), slice(200, 270)
    is_line = (truth[inside][:, :, 0] > 180) & (truth[inside][:, :, 1] < 90)
    reds = result.pixels[inside].astype(int)
    assert ((reds[:, :, 0] - reds[:, :, 1]) > 60)[is_line].mean() > 0.6


def test_a_repeating_pattern_is_filled_in_with_matching_pieces() -> None:
    random = np.random.default_rng(4)
    truth = np.tile(random.uniform(0, 255, (24, 30, 3)).astype(np.float32), (6, 6, 1))
    missing = np.zeros(truth.shape[:2], np.uint8)
    missing[50:90, 60:115] = 1
    spoiled = np.where(missing[:, :, None] == 1, np.float32(0), truth)
    sources = fill_with_shifts(spoiled, missing, missing == 0, random)
    assert sources is not None
    assert np.isclose(truth[tuple(sources.T)], truth[missing == 1]).all(1).mean() > 0.95


def test_the_sky_does_not_fill_a_hole_between_trees_and_snow() -> None:
    random = np.random.default_rng(5)
    image = np.full((70, 100, 3), 235, np.float32)
    image[25:45] = random.uniform(10, 120, (20, 100, 1)) * np.array([0.7, 1, 0.5], np.float32)
    missing = np.zeros((70, 100), np.uint8)
    missing[30:50, 25:80] = 1
    usable = cv2.dilate(missing, np.ones((7, 7), np.uint8)) == 0
    sources = fill_with_shifts(image, missing, usable, random)
    assert sources is not None
    for_trees = np.argwhere(missing == 1)[:, 0] < 45
    assert (image[tuple(sources[for_trees].T)].max(1) < 200).mean() > 0.9


def test_a_smooth_area_elsewhere_does_not_smear_the_filling() -> None:
    waves = np.random.default_rng(3).normal(120, 34, (300, 420, 1)).astype(np.float32)
    image = cv2.GaussianBlur(waves, (0, 0), sigmaX=4, sigmaY=1)[:, :, None] * np.ones(3, np.float32)
    image[:60] = 120
    hole = np.zeros((300, 420), np.uint8)
    hole[80:230, 120:300] = 1
    filling = fill(np.where(hole[:, :, None] == 1, np.float32(0), image), hole, 0)
    inside = filling.colors[110:200, 150:270]
    assert _roughness(inside.astype(np.uint8)) > 0.75 * _roughness(image[110:200, 150:270].astype(np.uint8))


def test_a_hole_is_not_filled_if_no_pixels_may_be_copied() -> None:
    missing = np.zeros((40, 40), np.uint8)
    missing[10:30, 10:30] = 1
    image = np.full((40, 40, 3), 90, np.float32)
    assert fill_with_shifts(image, missing, np.zeros((40, 40), bool), np.random.default_rng(1)) is None


def test_a_hole_is_not_filled_with_pixels_of_a_barred_thing() -> None:
    pixels = np.full((320, 480, 3), 120, np.uint8)
    pixels[100:220, 40:100] = (30, 60, 200)
    pixels[100:220, 200:260] = (250, 0, 0)
    hole, barred = np.zeros((320, 480), np.uint8), np.zeros((320, 480), np.uint8)
    hole[95:225, 195:265] = 1
    barred[95:225, 35:105] = 1
    inside = holes.fill_hole(Picture(pixels), hole, barred=barred)[95:225, 195:265].astype(int)
    assert np.abs(inside - 120).max() < 30


@pytest.mark.parametrize(
    ("hole", "is_barred"),
    [((560, 130, 600, 200), True), ((640, 300, 700, 400), False), ((20, 20, 80, 80), True)],
)
def test_people_are_not_used_as_filling_unless_the_hole_is_inside_them(
    hole: tuple[int, int, int, int], is_barred: bool
) -> None:
    canvas = Canvas(people((80, 150, 200), (560, 130, 220)))
    place = np.zeros((600, 900), np.uint8)
    left, top, right, bottom = hole
    place[top:bottom, left:right] = 1
    others = erase._others(canvas, place)
    assert bool(others[450, 670]) is is_barred
    assert others[450, 180]
    assert not others[place == 1].any()


def test_a_table_is_continued_under_a_removed_cup(monkeypatch: pytest.MonkeyPatch) -> None:
    cup, table = Thing("cup", 0.6, Box(200, 120, 280, 220)), Thing("dining table", 0.5, Box(0, 190, 480, 320))
    monkeypatch.setattr(erase, "things_seen", lambda canvas: [cup, table])
    canvas = Canvas(striped())
    hole = np.zeros((320, 480), np.uint8)
    hole[cup.box.slices] = 1
    assert not erase._others(canvas, hole).any()
    assert erase.outlines_of_others(canvas, cup.box) == [], "the cup's shadow may fall on the table"


def test_a_pole_in_front_of_the_sky_is_not_repeated_in_the_filling() -> None:
    rows, columns = np.indices((320, 480), np.float32)
    pixels = np.dstack([60 + 0.2 * rows, 90 + 0.2 * rows, 150 + 0.1 * columns])
    pixels += np.random.default_rng(6).normal(0, 2, pixels.shape)
    pixels[80:, 300:314] = (230, 230, 230)
    truth = Picture(np.clip(pixels, 0, 255).astype(np.uint8))
    result = apply_steps(truth, ERASE, regions=(Region(0.8, 0, 0.2, 1),)).pixels[:, 400:].astype(int)
    assert np.abs(result - truth.pixels[:, 400:]).max() < 30


def test_a_curved_light_gradient_continues_level_inside_the_hole() -> None:
    columns = np.indices((200, 300), np.float32)[1]
    bent = np.dstack([200 - 0.002 * columns**2] * 3)
    hole = np.zeros((200, 300), np.uint8)
    hole[:, 220:] = 1
    course, rest = holes.smooth_course(bent, hole)
    assert rest < 1
    assert np.abs(course[:, 225:] - bent[:, 219:220]).max() < 1


def test_uneven_light_leaves_no_ghost_of_a_removed_thing() -> None:
    rows, columns = np.indices((300, 400), np.float32)
    light = 190 + 9 * np.sin(columns / 28) + 6 * np.cos(rows / 23)
    truth = Picture(np.dstack([light] * 3).astype(np.uint8))
    hole = np.zeros((300, 400), np.uint8)
    hole[130:170, 60:340] = 1
    photo = truth.pixels.copy()
    photo[hole == 1] = (120, 80, 30)
    filled = holes.fill_hole(Picture(photo), hole).astype(float)
    edge = (hole == 1) & (cv2.erode(hole, np.ones((9, 9), np.uint8)) == 0)
    assert np.abs(filled - truth.pixels)[edge].mean() < 2.5


def test_only_a_small_island_in_a_hole_is_removed_too() -> None:
    hole = np.zeros((200, 300), np.uint8)
    hole[40:160, 50:250] = 1
    speck, gap = Box(100, 60, 110, 66), Box(150, 60, 220, 140)
    for island in (speck, gap):
        hole[island.slices] = 0
    whole = erase._without_islands(hole)
    assert whole[speck.slices].all()
    assert not whole[gap.slices].any()
    assert not whole[hole == 0].all()


def test_the_limit_for_unmarked_holes_is_stricter_and_strictest_at_the_edge() -> None:
    mask, shape = np.ones((50, 50), np.uint8), (300, 400)
    inside, at_frame = HolePart(Box(100, 100, 150, 150), mask), HolePart(Box(100, 250, 150, 300), mask)
    limit_inside, limit_at_frame = (holes.broken_unmarked(hole, shape) for hole in (inside, at_frame))
    assert limit_at_frame < limit_inside < holes.MAX_BROKENNESS


@pytest.mark.parametrize(("side", "is_more"), [(100, True), (200, False)])
def test_strong_contrasts_allow_more_uncertainty_except_in_a_wide_hole(side: int, is_more: bool) -> None:
    hole = HolePart(Box(100, 100, 100 + side, 100 + side), np.ones((side, side), np.uint8))
    assert (holes._limits(hole, (400, 600), lambda: True, is_marked=False).varied > 1) is is_more


def test_the_strain_does_not_count_if_much_of_the_hole_is_at_the_edge_of_the_photo() -> None:
    corner, side = Box(300, 200, 400, 300), Box(0, 100, 200, 150)
    for box, counts in ((corner, False), (side, True)):
        hole = HolePart(box, np.ones((box.height, box.width), np.uint8))
        limits = holes._limits(hole, (300, 400), lambda: True, is_marked=True)
        assert (limits.strain > 0) is counts


def test_a_filling_with_much_less_detail_than_its_surroundings_is_a_smear() -> None:
    grain = np.random.default_rng(8).normal(120, 30, (90, 120, 3)).astype(np.float32)
    hole = np.zeros((90, 120), np.uint8)
    hole[30:60, 40:80] = 1
    places = np.argwhere(hole == 1).astype(np.int32)
    for strength, is_smeared in ((1.0, False), (0.7, False), (0.2, True)):
        colors = np.where(hole[:, :, None] == 1, 120 + strength * (grain - 120), grain)
        filling = Filling(places, places, colors.astype(np.float32), 0.0)
        assert (holes._detail(filling, hole) < holes._SMEARED) is is_smeared


def test_a_filling_of_rough_ground_fits_but_a_filling_of_a_cut_shape_does_not() -> None:
    random = np.random.default_rng(4)
    grain = cv2.GaussianBlur(random.normal(120, 40, (200, 300)), (0, 0), 1.5)
    ground: Floats = np.dstack([grain] * 3).astype(np.float32)
    cut = ground.copy()
    for ring, color in enumerate(random.integers(0, 255, (12, 3))):
        cv2.circle(cut, (150, 100), 70 - 5 * ring, color.tolist(), -1)
    hole = np.zeros((200, 300), np.uint8)
    hole[70:130, 110:190] = 1
    assert fill(ground, hole, 0).strain < holes._FITTING < fill(cut, hole, 0).strain


def test_erasing_more_than_a_quarter_of_the_photo_is_refused() -> None:
    with pytest.raises(PlanRefused) as caught:
        apply_steps(striped(), ERASE, regions=(Region(0.1, 0.1, 0.8, 0.8),))
    assert caught.value.refusals[0].reason is Reason.TOO_LARGE


def test_erasing_without_a_known_target_asks_for_a_box() -> None:
    for target in (Target(), REGION, Target("thing", noun="dog"), Target("text")):
        with pytest.raises(PlanRefused, match=r"Draw (a box|one)"):
            apply_steps(striped(), step("erase", target=target))


def blurred_bands(grain: float) -> Picture:
    """Draw the sea behind a beach, far out of focus and with grain."""
    rows = np.linspace(0, 1, 300, dtype=np.float32)[:, None, None]
    colors = np.array((120, 180, 190)) + (np.array((-30, -90, -120)) * np.sin(6 * rows))
    noise = np.random.default_rng(1).normal(0, grain, (300, 400, 3))
    return Picture(np.clip(colors + noise, 0, 255).astype(np.uint8))


def test_a_large_hole_is_filled_if_the_patches_fit_exactly() -> None:
    picture, hole = blurred_bands(1), np.zeros((300, 400), np.uint8)
    hole[60:, 120:320] = 1
    damaged = picture.pixels.copy()
    damaged[hole == 1] = (20, 240, 20)
    filled = holes.fill_hole(Picture(damaged), hole, is_marked=False)
    assert np.abs(filled.astype(int) - picture.pixels)[hole == 1].mean() < 8


def test_a_large_hole_in_rough_surroundings_is_refused() -> None:
    hole = np.zeros((300, 400), np.uint8)
    hole[60:, 120:320] = 1
    with pytest.raises(OperationError) as refused:
        holes.fill_hole(blurred_bands(40), hole, is_marked=False)
    assert refused.value.reason is Reason.TOO_LARGE
