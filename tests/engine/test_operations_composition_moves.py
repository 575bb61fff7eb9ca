"""Tests that a thing is moved, copied, resized, flipped, or turned, and that nothing else changes."""

from typing import Any, cast

import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.errors import OperationError, PlanRefused
from editor.engine.operations.composition import pieces, placement
from editor.engine.operations.composition.pieces import Piece
from editor.engine.operations.composition.placement import new_place
from editor.engine.operations.remove.shadows import shadow_of
from editor.engine.pixels import Box
from editor.engine.plan import Target
from editor.engine.targets import complete_outlines, thing_outlines, things
from editor.engine.targets.outlines import Outline
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.options import Region
from tests.engine.photos import photo
from tests.engine.pictures import REGION, apply_steps, deep, scenery, step, with_alpha

WIDTH, HEIGHT = 480, 320
AT = (300, 190)
BALL = Target("thing", noun="ball")
AROUND = Region(256 / WIDTH, 146 / HEIGHT, 88 / WIDTH, 88 / HEIGHT)


def stage(at: tuple[int, int] = AT, *, shadow: bool = False) -> Picture:
    """Draw a red ball with a blue spot at its upper left, on a calm gray-green background."""
    pixels = np.full((HEIGHT, WIDTH, 3), (150, 165, 150), np.float32)
    pixels += (np.arange(HEIGHT, dtype=np.float32)[:, None, None] / HEIGHT - 0.5) * 20
    if shadow:
        cv2.ellipse(pixels, (at[0] + 22, at[1] + 36), (40, 8), 0, 0, 360, (95, 105, 95), -1, cv2.LINE_AA)
    cv2.circle(pixels, at, 36, (200, 40, 40), -1, cv2.LINE_AA)
    cv2.circle(pixels, (at[0] - 12, at[1] - 20), 9, (40, 40, 200), -1, cv2.LINE_AA)
    pixels += np.random.default_rng(2).normal(0, 1.5, pixels.shape)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def changed(picture: Picture, operation: str, **fields: Any) -> Picture:
    fields = {"target": REGION, "regions": (AROUND,)} | fields
    regions = fields.pop("regions")
    return apply_steps(picture, step(operation, **fields), regions=regions)


def reds(picture: Picture) -> Bytes:
    colors = picture.pixels[:, :, :3].astype(int)
    return cast(Bytes, (colors[:, :, 0] - colors[:, :, 1] > 60).astype(np.uint8))


def middle(picture: Picture) -> tuple[float, float]:
    rows, columns = np.nonzero(reds(picture))
    return float(columns.mean()), float(rows.mean())


def box(picture: Picture) -> tuple[int, int, int, int]:
    left, top, width, height = cv2.boundingRect(reds(picture))
    return left, top, left + width, top + height


def put(*, left: int = 264, copied: bool = False, **values: Any) -> Box:
    """Return the box to which a step would move the ball. No pixels are changed."""
    ball = Piece(np.full((72, 72, 4), 255, np.uint8), Box(left, 154, left + 72, 226))
    moved = step("copy_thing" if copied else "move_thing", target=REGION, **values)
    way = values.get("direction"), values.get("beside")
    return new_place(Canvas(stage()), moved, ball, *way, is_copy=copied).box


@pytest.mark.parametrize(
    ("choice", "across", "down"), [("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1)]
)
def test_a_thing_moves_only_in_the_requested_direction(choice: str, across: int, down: int) -> None:
    x, y = put(direction=choice).center
    assert (np.sign(round((x - 300) / 20)), np.sign(round((y - 190) / 20))) == (across, down)


def test_a_copy_does_not_overlap_the_original() -> None:
    assert put(direction="up", copied=True).bottom <= 154
    assert put(direction="left", amount=0.1, copied=True).right <= 264
    with pytest.raises(OperationError, match="enough room"):
        put(direction="right", left=360, copied=True)


def test_a_thing_moves_by_the_requested_number_of_pixels() -> None:
    x, y = middle(stage())
    moved = middle(changed(stage(), "move_thing", direction="left", pixels=100.0))
    assert moved == pytest.approx((x - 100, y), abs=1.5)


def test_the_old_place_of_a_moved_thing_is_filled_and_the_rest_unchanged() -> None:
    before, after = stage(), changed(stage(), "move_thing", direction="left", pixels=150.0)
    there = after.pixels[150:230, 260:340].astype(int)
    assert np.abs(there - (150, 165, 150)).max() < 30
    far = np.ones((HEIGHT, WIDTH), bool)
    far[130:250, 90:360] = False
    assert np.array_equal(before.pixels[far], after.pixels[far])


def test_the_edge_of_a_moved_thing_keeps_no_old_background() -> None:
    before = stage()
    before.pixels[:, :200] = (40, 60, 200)
    after = changed(before, "move_thing", direction="left", pixels=190.0)
    ring = cv2.dilate(reds(after), np.ones((5, 5), np.uint8)) - reds(after)
    ring[:, 180:] = 0
    greens = after.pixels[:, :, 1][ring == 1].astype(int)
    assert greens.max() < 105


@pytest.mark.parametrize(
    ("place", "left", "top"),
    [("left", 14, None), ("bottom right", 393, 237), ("top", None, 10), ("top left", 14, 10)],
)
def test_a_thing_moves_to_the_named_part_of_the_photo(place: str, left: int | None, top: int | None) -> None:
    box = put(place=place)
    assert box.left == pytest.approx(264 if left is None else left, abs=4)
    assert box.top == pytest.approx(154 if top is None else top, abs=4)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("place", "foot"), [("on", 0.53), ("front", 0.7 + 0.08 * 72 / HEIGHT)])
def test_a_thing_is_moved_onto_the_second_box_or_in_front_of_it(place: str, foot: float) -> None:
    regions = (AROUND, Region(0.1, 0.5, 0.2, 0.3 if place == "on" else 0.2))
    other = Target("region", boxes=(2,))
    left, _, right, bottom = box(changed(stage(), "move_thing", place=place, beside=other, regions=regions))
    assert (left + right) / 2 == pytest.approx(0.2 * WIDTH, abs=3)
    assert bottom == pytest.approx(foot * HEIGHT, abs=3)


@pytest.mark.slow
def test_a_thing_is_moved_into_the_second_box_or_beside_it() -> None:
    other = Target("region", boxes=(2,))
    regions = (AROUND, Region(0.1, 0.3, 0.2, 0.4))
    left, _, right, bottom = box(
        changed(stage(), "move_thing", place="inside", beside=other, regions=regions)
    )
    assert (left + right) / 2 == pytest.approx(0.2 * WIDTH, abs=3)
    assert bottom == pytest.approx(0.7 * HEIGHT, abs=3)
    left, top, _, _ = box(changed(stage(), "move_thing", place="right", beside=other, regions=regions))
    assert 0.3 * WIDTH < left < 0.3 * WIDTH + 20
    assert top == pytest.approx(box(stage())[1], abs=3)


def test_a_move_without_enough_room_is_refused() -> None:
    with pytest.raises(PlanRefused, match="enough room"):
        changed(stage(), "move_thing", direction="right", pixels=300.0)


def test_a_thing_cut_off_by_the_edge_moves_along_the_edge_but_not_away() -> None:
    piece = Piece(np.full((60, 40, 4), 255, np.uint8), Box(200, 260, 240, 320), frozenset({"bottom"}))
    there = new_place(Canvas(stage()), step("move_thing", REGION), piece, "left", None)
    assert there.box.bottom == HEIGHT
    assert there.box.left < 200
    with pytest.raises(OperationError, match="edge of the photo cuts it off"):
        new_place(Canvas(stage()), step("move_thing", REGION), piece, "up", None)


def test_a_copy_leaves_the_original_unchanged() -> None:
    before, after = stage(), changed(stage(), "copy_thing")
    count, _ = cv2.connectedComponents(reds(after))
    assert count - 1 == 2
    assert np.array_equal(before.pixels[150:230, 262:338], after.pixels[150:230, 262:338])


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("amount", "factor"), [(0.35, 1.3), (-0.35, 0.75)])
def test_a_resized_thing_stays_on_its_base(amount: float, factor: float) -> None:
    old, new = box(stage()), box(changed(stage(), "resize_thing", amount=amount))
    assert (new[2] - new[0]) / (old[2] - old[0]) == pytest.approx(factor, abs=0.06)
    assert new[3] == pytest.approx(old[3], abs=2)
    assert new[0] + new[2] == pytest.approx(old[0] + old[2], abs=4)


def test_an_exact_size_that_does_not_fit_is_refused() -> None:
    assert box(changed(stage(), "resize_thing", percent=150.0))[1] < box(stage())[1] - 30
    with pytest.raises(PlanRefused, match="larger"):
        changed(stage(), "resize_thing", percent=400.0)


@pytest.mark.slow
def test_a_thing_is_flipped_and_rotated_in_place() -> None:
    def blue(picture: Picture) -> tuple[float, float]:
        rows, columns = np.nonzero(picture.pixels[:, :, 2].astype(int) - picture.pixels[:, :, 0] > 60)
        return float(columns.mean()), float(rows.mean())

    assert blue(changed(stage(), "flip_thing", axis="horizontal")) == pytest.approx((312, 170), abs=3)
    assert blue(changed(stage(), "flip_thing", axis="vertical")) == pytest.approx((288, 210), abs=3)
    assert blue(changed(stage(), "rotate_thing", degrees=90.0)) == pytest.approx((320, 178), abs=3)
    assert blue(changed(stage(), "rotate_thing", degrees=-90.0)) == pytest.approx((280, 202), abs=3)


def test_the_shadow_of_a_thing_moves_with_it() -> None:
    after = changed(stage(shadow=True), "move_thing", direction="left", pixels=190.0)
    lights = after.pixels[:, :, 1].astype(float)
    assert lights[226, 350:358].mean() > 145
    assert lights[226, 160:168].mean() < 130


def test_no_soft_edge_of_a_shadow_is_left_where_a_thing_was() -> None:
    photo = stage(shadow=True)
    dark = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.ellipse(dark, (AT[0] + 22, AT[1] + 36), (46, 12), 0, 0, 360, 1, -1)
    soft = cv2.GaussianBlur(dark, (0, 0), 4)[:, :, None]
    is_ball = reds(photo)[:, :, None] == 1
    photo.pixels[:] = np.where(is_ball, photo.pixels, stage((-100, -100)).pixels * (1 - 0.4 * soft))
    after = changed(photo, "move_thing", direction="left", pixels=190.0).pixels.astype(int)
    ground = stage((-100, -100)).pixels.astype(int)
    assert (ground - after)[205:250, 300:390].mean(2).max() < 22


def test_the_old_place_is_emptied_with_the_line_where_the_thing_touched_the_ground(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    emptied: list[Bytes] = []

    def fill(canvas: Canvas, hole: Bytes, **_: Any) -> Pixels:
        emptied.append(hole)
        return canvas.picture.pixels.copy()

    monkeypatch.setattr(pieces, "fill_erased", fill)
    changed(stage(), "move_thing", direction="left", pixels=190.0)
    (hole,) = emptied
    above, below = (int(np.flatnonzero(hole[:, AT[0]])[at]) for at in (0, -1))
    assert (below - AT[1]) - (AT[1] - above) >= 2


def test_no_shadow_is_found_on_rough_ground() -> None:
    rough = Picture(np.random.default_rng(4).integers(0, 255, (120, 120, 3), np.uint8))
    assert shadow_of(rough, Box(40, 40, 80, 80), np.ones((40, 40), np.float32)) is None


def seen(monkeypatch: pytest.MonkeyPatch, *others: Box) -> None:
    """Make the detector find a ball, and find a dog in each of these boxes."""
    ball = Thing("sports ball", 0.9, Box(262, 152, 338, 228))
    dogs = [Thing("dog", 0.9, other) for other in others]
    for module in (things, thing_outlines, complete_outlines, placement):
        monkeypatch.setattr(module, "things_seen", lambda canvas: [ball, *dogs])


def test_a_detected_thing_can_be_moved_without_a_box(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch)
    after = changed(stage(), "move_thing", target=BALL, direction="left", regions=())
    assert middle(after)[0] < middle(stage())[0] - 80


def two_balls(monkeypatch: pytest.MonkeyPatch, *, are_both_seen: bool = True) -> Picture:
    """Draw a second ball at the upper left of the first one, and make the detector find both or only one."""
    picture = stage()
    cv2.circle(picture.pixels, (200, 110), 36, (200, 40, 40), -1, cv2.LINE_AA)
    balls = [
        Thing("sports ball", 0.9, Box(262, 152, 338, 228)),
        Thing("sports ball", 0.9, Box(162, 72, 238, 148)),
    ]
    for module in (things, thing_outlines, complete_outlines, placement):
        monkeypatch.setattr(module, "things_seen", lambda canvas: balls[: 1 + are_both_seen])
    return picture


def test_several_things_move_together(monkeypatch: pytest.MonkeyPatch) -> None:
    before = two_balls(monkeypatch)
    after = changed(before, "move_thing", target=Target("thing", noun="balls"), direction="right", regions=())
    left, top, right, bottom = box(before)
    moved = box(after)
    assert moved[0] - left > 50
    assert (moved[2] - moved[0], moved[3] - moved[1]) == pytest.approx((right - left, bottom - top), abs=3)
    assert moved[1] == pytest.approx(top, abs=2)


def test_a_move_of_several_things_is_refused_if_only_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    before = two_balls(monkeypatch, are_both_seen=False)
    with pytest.raises(PlanRefused, match="only one of the balls"):
        changed(before, "move_thing", target=Target("thing", noun="balls"), direction="right", regions=())


def test_several_things_cut_off_by_the_edge_do_not_move_away_from_it() -> None:
    piece = Piece(np.full((60, 40, 4), 255, np.uint8), Box(200, 260, 240, 320), frozenset({"bottom"}))
    with pytest.raises(OperationError, match="cuts them off"):
        new_place(Canvas(stage()), step("move_thing", Target("thing", noun="dogs")), piece, "up", None)


def test_moving_a_thing_that_overlaps_another_thing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch, Box(300, 180, 380, 260))
    with pytest.raises(PlanRefused, match="can't tell the ball"):
        changed(stage(), "move_thing", target=BALL, direction="left", regions=())


@pytest.mark.slow
def test_a_thing_is_moved_beside_or_above_a_named_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    dog = Box(100, 150, 160, 240)
    seen(monkeypatch, dog)
    beside = Target("thing", noun="dog")
    after = changed(stage(), "move_thing", target=BALL, place="right", beside=beside, regions=())
    left, _, _, bottom = box(after)
    assert dog.right < left < dog.right + 20
    assert bottom == pytest.approx(box(stage())[3], abs=2)
    after = changed(stage(), "move_thing", target=BALL, place="top", beside=beside, regions=())
    assert box(after)[3] < dog.top


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "operation", ["move_thing", "copy_thing", "resize_thing", "flip_thing", "rotate_thing"]
)
def test_a_thing_that_cannot_be_separated_from_the_photo_is_refused(operation: str) -> None:
    fields: dict[str, Any] = {"direction": "left"} if operation == "move_thing" else {}
    with pytest.raises(PlanRefused):
        changed(scenery(WIDTH, HEIGHT), operation, **fields)
    with pytest.raises(PlanRefused):
        apply_steps(photo("cat"), step(operation, target=Target("thing", noun="dog"), **fields))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("made", [deep, with_alpha])
def test_moving_a_thing_preserves_the_depth_and_the_alpha_channel(made: Any) -> None:
    after = changed(made(stage()), "move_thing", direction="left", pixels=100.0)
    assert after.pixels.dtype == made(stage()).pixels.dtype
    assert after.pixels.shape == made(stage()).pixels.shape


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes() -> None:
    first, again = (changed(stage(), "resize_thing", percent=80.0) for _ in range(2))
    assert np.array_equal(first.pixels, again.pixels)


@pytest.mark.slow
def test_a_box_moves_with_the_thing_in_it() -> None:
    after = apply_steps(
        stage(),
        step("move_thing", target=REGION, direction="left", pixels=150.0),
        step("erase", target=REGION),
        regions=(AROUND,),
    )
    assert reds(after).sum() < 20


BALL_BOX = Box(262, 152, 338, 228)


def told(box: Box) -> tuple[int, int]:
    """Return the width and height of the most prominent thing in a box, in pixels of the photo."""
    cut = complete_outlines.marked_outline(Canvas(stage()), box)
    _, _, width, height = cv2.boundingRect((cut.mask > 0.5).astype(np.uint8))
    scale = cut.view.width / cut.mask.shape[1]
    return round(width * scale), round(height * scale)


@pytest.mark.parametrize("looseness", [-0.02, 0.05, 0.15])
def test_a_box_need_not_be_drawn_exactly(looseness: float) -> None:
    assert told(BALL_BOX.grown(looseness, WIDTH, HEIGHT)) == pytest.approx((73, 73), abs=4)


def test_a_box_around_much_more_than_one_thing_is_refused() -> None:
    with pytest.raises(OperationError, match="can't tell"):
        told(BALL_BOX.grown(0.4, WIDTH, HEIGHT))


@pytest.mark.parametrize(
    "other",
    [Thing("orange", 0.37, Box(240, 130, 380, 250)), Thing("dining table", 0.6, Box(180, 110, 420, 300))],
)
def test_a_drawn_box_overrides_an_uncertain_detection_and_a_table(
    monkeypatch: pytest.MonkeyPatch, other: Thing
) -> None:
    for module in (things, thing_outlines, complete_outlines):
        monkeypatch.setattr(module, "things_seen", lambda canvas: [other])
    assert told(BALL_BOX) == pytest.approx((73, 73), abs=4)


def test_an_outline_that_changes_with_the_size_of_the_box_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_more_ground(canvas: Canvas, box: Box, larger: float) -> Outline:
        mask = np.zeros((100, 100), np.float32)
        mask[10:90, 10 : 75 + round(300 * larger)] = 1
        return Outline(box, mask, 1.0)

    monkeypatch.setattr(complete_outlines, "things_seen", lambda canvas: [])
    monkeypatch.setattr(complete_outlines, "outline_in_box", with_more_ground)
    with pytest.raises(OperationError, match="can't tell"):
        told(BALL_BOX)


def test_a_copy_that_would_cover_another_thing_is_refused() -> None:
    pixels = stage().pixels.copy()
    for x in (205, 395):
        for radius, color in (
            (36, (230, 220, 90)),
            (26, (20, 20, 20)),
            (16, (230, 220, 90)),
            (8, (20, 20, 20)),
        ):
            cv2.circle(pixels, (x, AT[1]), radius, color, -1, cv2.LINE_AA)
    with pytest.raises(PlanRefused, match="Something else is already where the thing in the box would go"):
        changed(Picture(pixels), "copy_thing")
