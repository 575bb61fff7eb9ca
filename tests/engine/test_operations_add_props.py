"""Tests for added props: their position, size, and light, and when an operation refuses to add one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest
from PIL import Image

from editor.engine.errors import PlanRefused
from editor.engine.operations.add import prop, worn_props
from editor.engine.operations.add.prop_scale import Camera, Scene
from editor.engine.pixels import Box
from editor.engine.plan import Plan, Step, Target
from editor.engine.run import carry_out
from editor.engine.vision.analysis import Analysis
from editor.engine.vision.grounds import Ground
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture
from editor.options import EditOptions, Region
from tests.engine.people import eyes, portrait
from tests.engine.pictures import REGION, apply_steps, carry_out_steps, changed, deep, step, with_alpha

type See = Callable[..., None]


@pytest.fixture(autouse=True)
def _drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a red ball for every prop except a hat, which becomes a black ball."""
    rows, columns = np.indices((200, 200), np.float32)
    far = np.hypot(rows - 99.5, columns - 99.5)
    for name, color in (
        ("apple", (210, 40, 40)),
        ("tree", (60, 120, 50)),
        ("top_hat", (20, 20, 20)),
        ("sunglasses", (9, 9, 9)),
    ):
        light = 1.15 - 0.5 * np.hypot(rows - 60, columns - 60) / 140
        colors = np.clip(np.array(color) * light[:, :, None], 0, 255)
        drawn = np.dstack([colors, 255 * np.clip(100 - far, 0, 1)]).astype(np.uint8)
        shape = drawn[::2] if name in ("top_hat", "sunglasses") else drawn
        Image.fromarray(shape, "RGBA").save(tmp_path / f"{name}.webp", lossless=True)
    for name in ("soccer_ball", "kite", "pumpkin", "ball", "sailboat", "butterfly"):
        (tmp_path / f"{name}.webp").write_bytes((tmp_path / "apple.webp").read_bytes())
    monkeypatch.setattr(prop, "FOLDER", tmp_path)
    _forget()
    yield
    _forget()


def _forget() -> None:
    prop._picture.cache_clear()
    prop._in_color.cache_clear()


@pytest.fixture
def see(monkeypatch: pytest.MonkeyPatch) -> See:
    """Make the detector find a thing in each of these boxes."""

    def seen(*boxes: tuple[int, int, int, int], kind: str, beside: tuple[Thing, ...] = ()) -> None:
        things = [*(Thing(kind, 0.9, Box(*box)) for box in boxes), *beside]
        for module in ("operations.add.prop_scale", "targets.things", "targets.thing_outlines"):
            monkeypatch.setattr(f"editor.engine.{module}.things_seen", lambda canvas: things)

    return seen


def meadow(width: int = 600, height: int = 400, light: float = 1.0) -> Picture:
    """Draw a blue sky above green ground with a little grain."""
    pixels = np.empty((height, width, 3), np.float32)
    rows = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    pixels[:] = np.where(rows < 0.5, 1, 0)[:, :, None] * np.array((140, 185, 235), np.float32)
    pixels += np.where(rows < 0.5, 0, 1)[:, :, None] * np.array((110, 130, 70), np.float32)
    pixels += np.random.default_rng(4).normal(0, 2, pixels.shape)
    return Picture(np.clip(pixels * light, 0, 255).astype(np.uint8))


def added(name: str = "apple", **fields: Any) -> Step:
    return step("prop", prop=name, **fields)


def red(photo: Picture) -> Box:
    """Return the bounding box of the red ball, without its shadow."""
    pixels = photo.pixels[:, :, :3].astype(int)
    rows, columns = np.nonzero(pixels[:, :, 0] > 1.6 * pixels[:, :, 1] + 20)
    return Box(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)


def test_a_prop_stands_on_the_ground_and_casts_a_shadow() -> None:
    photo = meadow()
    result = apply_steps(photo, added("pumpkin"))
    ball = red(result)
    assert ball.bottom > 240
    assert abs(ball.width - ball.height) <= 3
    spots = changed(photo, result)
    spots[ball.top : ball.bottom, ball.left : ball.right] = False
    before, after = photo.pixels[spots].mean(), result.pixels[spots].mean()
    assert spots.sum() > 20
    assert after < before - 2


@pytest.mark.parametrize(("place", "left", "right"), [("left", 0, 280), ("right", 320, 600)])
def test_a_prop_is_placed_on_the_named_side(place: str, left: int, right: int) -> None:
    ball = red(apply_steps(meadow(), added("pumpkin", place=place)))
    assert left <= ball.left < ball.right <= right


def test_a_tree_is_drawn_larger_than_an_apple() -> None:
    photo = meadow()
    tree, apple = (changed(photo, apply_steps(photo, added(name))).sum() for name in ("tree", "apple"))
    assert tree > 20 * apple


def test_the_amount_determines_the_size_of_a_prop() -> None:
    small, usual, large = (
        red(apply_steps(meadow(), added("pumpkin", amount=amount))).height for amount in (0.05, None, 0.85)
    )
    assert small < usual < large


def test_a_prop_is_scaled_to_a_person_in_the_photo(see: See) -> None:
    see((280, 150, 340, 330), kind="person")
    ball = red(
        apply_steps(meadow(), added("soccer_ball", place="right of", target=Target("thing", noun="man")))
    )
    assert ball.height == pytest.approx(0.22 * 180 / 1.68, rel=0.25)
    assert ball.left >= 338
    assert abs(ball.bottom - 330) < 20


@pytest.mark.parametrize("count", [2, 5])
def test_several_props_do_not_overlap(count: int) -> None:
    photo = meadow(900, 600)
    result = apply_steps(photo, added("pumpkin", count=float(count)))
    pixels = result.pixels.astype(int)
    balls = (pixels[:, :, 0] > 1.6 * pixels[:, :, 1] + 20).astype(np.uint8)
    parts, _, stats, _ = cv2.connectedComponentsWithStats(balls)
    areas = stats[1:, cv2.CC_STAT_AREA]
    assert (areas > 50).sum() == count
    assert parts > count
    assert len(set(areas.tolist())) > 1


def test_a_prop_on_a_table_stands_on_the_tabletop(see: See) -> None:
    see((100, 200, 500, 390), kind="dining table")
    target = Target("thing", noun="table")
    ball = red(apply_steps(meadow(), added(target=target, place="on")))
    assert 100 < ball.left < ball.right < 500
    assert 210 < ball.bottom < 370
    see(kind="cup")
    with pytest.raises(PlanRefused, match="can't find the table"):
        apply_steps(meadow(), added(target=target, place="on"))


def test_a_prop_on_a_table_does_not_cover_a_cup(see: See) -> None:
    cup = Thing("cup", 0.9, Box(200, 230, 360, 330))
    see((100, 200, 500, 390), kind="dining table", beside=(cup,))
    ball = red(apply_steps(meadow(), added(target=Target("thing", noun="table"), place="on")))
    assert ball.overlap(cup.box) <= 0.1 * ball.area


def test_a_prop_is_placed_on_top_of_a_thing(see: See, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("editor.engine.operations.add.prop_zones.cut_out", lambda canvas, thing: None)
    see((200, 220, 360, 340), kind="dog")
    ball = red(apply_steps(meadow(), added(target=Target("thing", noun="dog"), place="on top")))
    assert abs(ball.bottom - 224) < 8
    assert 250 < ball.center[0] < 310


def test_a_prop_in_front_of_a_thing_is_lower_in_the_photo(see: See) -> None:
    see((240, 220, 340, 300), kind="dog")
    ball = red(apply_steps(meadow(), added("pumpkin", target=Target("thing", noun="dog"), place="in front")))
    assert ball.bottom > 304
    assert 230 < ball.center[0] < 350


def test_a_kite_is_in_the_sky_and_casts_no_shadow() -> None:
    photo = meadow()
    result = apply_steps(photo, added("kite"))
    assert red(result).bottom < 205
    ball = red(result).grown(0.2, 600, 400)
    spots = changed(photo, result)
    spots[ball.top : ball.bottom, ball.left : ball.right] = False
    assert not spots.any()


def test_a_kite_does_not_cover_a_mast() -> None:
    pixels = meadow().pixels.copy()
    pixels[40:200, 298:303] = 40
    photo = Picture(pixels)
    where = changed(photo, apply_steps(photo, added("kite", target=Target("thing", noun="sky"), place="on")))
    assert where.any()
    assert not where[40:200, 298:303].any()


@pytest.mark.parametrize(("name", "place"), [("kite", "left of"), ("pumpkin", "right of")])
def test_a_prop_beside_a_box_does_not_cover_the_box(name: str, place: str) -> None:
    photo = meadow()
    result = apply_steps(
        photo, added(name, target=REGION, place=place), regions=(Region(0.4, 0.4, 0.2, 0.5),)
    )
    where = np.argwhere(changed(photo, result))[:, 1]
    assert where.max() < 240 if place == "left of" else where.min() >= 358


def test_a_kite_flies_inside_a_box_of_free_sky() -> None:
    marked = added("kite", target=REGION, place="above")
    where = changed(meadow(), apply_steps(meadow(), marked, regions=(Region(0.1, 0.1, 0.3, 0.15),)))
    assert where[40:100, 60:240].any()
    assert not where[:, 240:].any()


def test_a_kite_needs_a_sky_and_a_boat_water() -> None:
    grey = Picture(np.random.default_rng(1).integers(60, 140, (300, 400, 3), np.uint8))
    with pytest.raises(PlanRefused, match="can't find a sky for the kite"):
        apply_steps(grey, added("kite"))
    with pytest.raises(PlanRefused, match="can't find water for the sailboat"):
        apply_steps(meadow(), added("sailboat"))


@pytest.mark.parametrize(("waves", "is_mirrored"), [(1.0, True), (25.0, False)])
def test_a_boat_is_reflected_in_still_water_but_not_in_waves(waves: float, is_mirrored: bool) -> None:
    """The boat is a red ball, so its mirror image below the waterline makes the water redder."""
    water = np.array((60, 90, 120)) + np.random.default_rng(2).normal(0, waves, (400, 600, 1))
    photo = Picture(np.clip(water, 0, 255).astype(np.uint8))
    boat = added("sailboat", target=REGION)
    result = apply_steps(photo, boat, regions=(Region(0.4, 0.25, 0.2, 0.25),)).pixels.astype(int)
    below = np.s_[205:240, 280:320]
    redder = (result - photo.pixels)[below].mean((0, 1))
    assert (redder[0] - redder[2] > 30) if is_mirrored else (np.abs(redder).max() < 3)


@pytest.mark.parametrize(("kind", "is_mirrored"), [("water", True), ("ground", False)])
def test_a_boat_on_land_is_not_reflected(kind: Any, is_mirrored: bool) -> None:
    photo = Picture(np.full((400, 600, 3), (60, 90, 120), np.uint8))
    grounds = (Ground(kind, 0.95, np.full((64, 64), 255, np.uint8)),)
    found = Analysis(600, 400, (), (), (), np.zeros((320, 320), np.uint8), grounds)
    options = EditOptions(regions=(Region(0.4, 0.25, 0.2, 0.25),))
    (made,) = carry_out(Plan("add", (added("sailboat", target=REGION),)), [photo], options, analysis=found)
    redder = (made.pixels.astype(int) - photo.pixels)[205:240, 280:320].mean((0, 1))
    assert bool(redder[0] - redder[2] > 30) is is_mirrored


@pytest.mark.slow
def test_a_prop_is_refused_if_there_is_no_visible_ground_or_no_free_place() -> None:
    photo = portrait()
    with pytest.raises(PlanRefused, match="doesn't show the ground that the pumpkin would stand on"):
        apply_steps(photo, added("pumpkin"))
    full = [added("tree", amount=1.0), *(added("tree", amount=1.0) for _ in range(12))]
    with pytest.raises(PlanRefused, match="can't find a free place"):
        apply_steps(meadow(), *full)


def test_a_prop_in_a_box_stands_on_the_lower_edge_of_the_box() -> None:
    result = apply_steps(meadow(), added("pumpkin", target=REGION), regions=(Region(0.5, 0.4, 0.2, 0.2),))
    ball = red(result)
    assert 300 <= ball.left < ball.right <= 420
    assert abs(ball.bottom - 240) <= 2
    assert ball.height > 74
    three = apply_steps(
        meadow(),
        added("pumpkin", target=REGION, count=3.0),
        regions=(Region(0.1, 0.5, 0.6, 0.4),),
    )
    assert red(three).width > 2.4 * red(three).height


def test_a_hat_is_placed_on_the_head() -> None:
    photo = portrait()
    spots = changed(photo, apply_steps(photo, added("top_hat", target=Target("face", count=1), place="head")))
    rows, columns = np.nonzero(spots)
    assert abs(columns.mean() - 450) < 30
    assert rows.min() >= 0
    assert 100 < rows.max() < 260


def test_a_hat_in_a_box_around_a_person_is_placed_on_their_head() -> None:
    photo = portrait()
    worn, boxed = (
        changed(photo, apply_steps(photo, added("top_hat", **where), regions=(Region(0.2, 0.1, 0.6, 0.9),)))
        for where in ({"target": Target("face", count=1), "place": "head"}, {"target": REGION})
    )
    assert (worn == boxed).all()


def test_glasses_are_over_the_eyes() -> None:
    photo = portrait()
    spots = changed(
        photo, apply_steps(photo, added("sunglasses", target=Target("face", count=1), place="eyes"))
    )
    rows, columns = np.nonzero(spots)
    left, right = eyes(300, 120, 300)
    assert columns.min() < left[0] < right[0] < columns.max()
    assert abs(rows.mean() - left[1]) < 12
    assert np.ptp(columns) < 3 * (right[0] - left[0])


def test_a_prop_is_darker_in_a_dark_photo() -> None:
    bright, dark = (
        apply_steps(
            meadow(light=light), added("pumpkin", target=REGION), regions=(Region(0.4, 0.5, 0.3, 0.4),)
        )
        for light in (1.0, 0.25)
    )
    assert dark.pixels[290, 270].mean() < 0.75 * bright.pixels[290, 270].mean()


def test_a_prop_is_gray_in_a_black_and_white_photo() -> None:
    grey = meadow().pixels.mean(2, keepdims=True).repeat(3, 2).astype(np.uint8)
    result = apply_steps(
        Picture(grey), added("pumpkin", target=REGION), regions=(Region(0.4, 0.5, 0.3, 0.4),)
    )
    assert np.ptp(result.pixels.astype(int), axis=2).max() <= 3


def test_a_prop_is_soft_in_a_soft_photo() -> None:
    sharp = Picture(np.random.default_rng(1).integers(60, 190, (400, 600, 3), np.uint8))
    soft = Picture(cast(Bytes, cv2.GaussianBlur(sharp.pixels, (0, 0), 4)))
    edges = [
        np.abs(np.diff(result.pixels[280, 240:420, 0].astype(int))).max()
        for result in (
            apply_steps(photo, added("pumpkin", target=REGION), regions=(Region(0.4, 0.5, 0.3, 0.4),))
            for photo in (Picture(cast(Bytes, cv2.medianBlur(sharp.pixels, 3))), soft)
        )
    ]
    assert edges[1] < 0.7 * edges[0]


def test_a_prop_has_the_requested_color() -> None:
    result = apply_steps(
        meadow(), added("ball", color="blue", target=REGION), regions=(Region(0.4, 0.4, 0.3, 0.4),)
    ).pixels
    red_, green, blue = result[240, 330].astype(int)
    assert blue > green + 40
    assert blue > red_ + 40


def test_the_same_seed_gives_the_same_bytes_and_variations_differ() -> None:
    first, again = (carry_out_steps(meadow(), added("pumpkin"), outputs=3) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one.pixels, other.pixels)
    sizes = {red(one) for one in first}
    assert len(sizes) == 3


def test_depth_and_alpha_are_preserved() -> None:
    for photo in (deep(meadow()), with_alpha(meadow())):
        result = apply_steps(photo, added("pumpkin", place="left"))
        assert result.pixels.dtype == photo.pixels.dtype
        assert result.pixels.shape == photo.pixels.shape
        assert np.array_equal(result.pixels[:, 320:], photo.pixels[:, 320:])
        assert (result.pixels[:, :300] != photo.pixels[:, :300]).any()


@pytest.mark.parametrize("size", [(1, 1), (20, 14), (900, 20)])
def test_a_tiny_photo_is_refused(size: tuple[int, int]) -> None:
    photo = Picture(np.full((size[1], size[0], 3), 120, np.uint8))
    with pytest.raises(PlanRefused, match="enough room for it"):
        apply_steps(photo, added("pumpkin"))


def textured(kind: str) -> Picture:
    """Draw the meadow, but replace its ground with leaves, a wall of windows, or darkness."""
    pixels = meadow().pixels.copy()
    random = np.random.default_rng(2)
    ground = pixels[200:]
    if kind == "leaves":
        ground[:] = cv2.resize(random.integers(20, 200, (50, 150, 3), np.uint8), (600, 200))
    elif kind == "windows":
        ground[:, np.arange(600) % 24 < 10] = (30, 30, 40)
    else:
        ground[:] = 8
    return Picture(pixels)


@pytest.mark.parametrize("kind", ["leaves", "windows", "night"])
def test_a_prop_is_refused_on_leaves_a_wall_of_windows_or_dark_ground(kind: str) -> None:
    with pytest.raises(PlanRefused, match="box"):
        apply_steps(textured(kind), added("pumpkin"))


def test_a_photo_without_visible_ground_accepts_a_prop_only_in_a_box() -> None:
    plain = Picture(np.full((400, 600, 3), (120, 100, 90), np.uint8))
    with pytest.raises(PlanRefused, match="can't find the ground"):
        apply_steps(plain, added("pumpkin", place="left"))
    boxed = apply_steps(plain, added("pumpkin", target=REGION), regions=(Region(0.1, 0.5, 0.2, 0.3),))
    assert abs(red(boxed).bottom - 320) <= 2


def test_drawn_sizes_grow_smoothly_with_real_sizes() -> None:
    scene = Scene(600, 400, (), (), Camera(eye=200), None)
    sizes = [scene.size_at(meters, 340) for meters in np.geomspace(0.3, 12, 60)]
    steps = np.array(sizes[1:]) / np.array(sizes[:-1])
    assert steps.min() >= 1
    assert steps.max() < 1.15
    assert scene.size_at(16, 340) >= scene.size_at(10, 340)


def test_an_uncertain_detection_does_not_affect_the_size_of_a_prop(monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = [Thing("refrigerator", 0.42, Box(10, 210, 30, 240))]
    monkeypatch.setattr("editor.engine.operations.add.prop_scale.things_seen", lambda canvas: doubtful)
    height = red(apply_steps(meadow(), added("pumpkin"))).height
    monkeypatch.setattr("editor.engine.operations.add.prop_scale.things_seen", lambda canvas: [])
    assert height == red(apply_steps(meadow(), added("pumpkin"))).height


def test_a_face_outside_people_and_animals_does_not_affect_the_size(
    see: See, monkeypatch: pytest.MonkeyPatch
) -> None:
    see((250, 150, 350, 330), kind="cat")
    monkeypatch.setattr(
        "editor.engine.operations.add.prop_scale.faces_seen", lambda *_: [Box(300, 330, 340, 370)]
    )
    ball = red(
        apply_steps(meadow(), added("soccer_ball", place="left of", target=Target("thing", noun="cat")))
    )
    assert ball.height == pytest.approx(0.22 * 180 / 0.3, rel=0.3)


def test_a_kite_is_placed_on_the_named_side_of_the_sky() -> None:
    for place, left, right in (("left", 0, 300), ("right", 300, 600)):
        kite = red(apply_steps(meadow(), added("kite", target=Target("thing", noun="sky"), place=place)))
        assert left <= kite.left < kite.right <= right
        assert kite.bottom <= 205


def test_a_butterfly_sits_within_the_flower(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("editor.engine.targets.flowers.things_seen", lambda canvas: [])
    pixels = np.full((400, 600, 3), (50, 110, 40), np.uint8)
    cv2.circle(pixels, (400, 180), 80, (225, 50, 110), -1)
    result = apply_steps(
        Picture(pixels), added("butterfly", target=Target("thing", noun="flower"), place="on")
    )
    rows, columns = np.nonzero(changed(Picture(pixels), result))
    assert 330 < columns.min() < columns.max() < 470
    assert 110 < rows.min() < rows.max() < 250


def test_a_hat_is_narrower_if_the_eyes_are_closer_together(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = portrait()
    widths = []
    for apart in (0.2, 0.15):
        eyes = [
            Box(round(450 + side * apart * 200) - 5, 240, round(450 + side * apart * 200) + 5, 250)
            for side in (-1, 1)
        ]
        monkeypatch.setattr(worn_props, "find_eyes", lambda picture, face, eyes=eyes: eyes)
        spots = changed(
            photo, apply_steps(photo, added("top_hat", target=Target("face", count=1), place="head"))
        )
        widths.append(int(np.ptp(np.nonzero(spots)[1])))
    assert widths[1] < 0.85 * widths[0]
