"""Tests for recoloring painted things. The paint gets the new color, but tires, glass, and people do not."""

import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.errors import OperationError
from editor.engine.operations import find_operation
from editor.engine.pixels import Box
from editor.engine.plan import Reason
from editor.engine.targets.analyzed import with_analysis
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture
from tests.engine.analyses import analyzed, detect, disc
from tests.engine.pictures import changed, step
from tests.engine.test_things import thing

RED, GLASS, TIRE, GROUND = (190, 30, 35), (120, 150, 165), (35, 35, 38), (130, 128, 125)
BODY, WINDOW, WHEELS = Box(100, 120, 320, 200), Box(140, 80, 280, 120), ((150, 200), (270, 200))


def car(
    monkeypatch: pytest.MonkeyPatch, paint: tuple[int, int, int] = RED, noun: str = "car"
) -> tuple[Canvas, dict[str, Bytes]]:
    """Return a picture of a car in light and shade, along with the masks of the car's parts.

    A red box is visible behind the car.
    """
    picture = Picture(np.full((300, 400, 3), GROUND, np.uint8))
    parts = {name: np.zeros((300, 400), np.uint8) for name in ("body", "window", "wheels", "behind")}
    parts["behind"][40:70, 300:380] = 1
    parts["body"][BODY.slices], parts["window"][WINDOW.slices] = 1, 1
    for center in WHEELS:
        cv2.circle(parts["wheels"], center, 26, 1, -1)
    parts["body"][parts["wheels"] == 1] = 0
    for name, color in (("body", paint), ("window", GLASS), ("wheels", TIRE), ("behind", RED)):
        picture.pixels[parts[name] == 1] = color
    shade = np.linspace(1.15, 0.45, BODY.height)[:, None, None]
    rows = picture.pixels[BODY.slices]
    rows[:] = np.where(parts["body"][BODY.slices][:, :, None] == 1, np.clip(rows * shade, 0, 255), rows)
    whole = parts["body"] | parts["window"] | parts["wheels"]
    seen = [Thing(noun, 0.8, Box.around(whole))]
    for module in ("things", "thing_outlines", "paint"):
        monkeypatch.setattr(f"editor.engine.targets.{module}.things_seen", lambda canvas: seen)
    return with_analysis(Canvas(picture), picture, analyzed(monkeypatch, picture, whole)), parts


def recolored(canvas: Canvas, paint: str, **about: object) -> Canvas:
    return find_operation("recolor")(canvas, step("recolor", thing("car", **about), color=paint))


def shares(canvas: Canvas, after: Canvas, parts: dict[str, Bytes]) -> dict[str, float]:
    where = changed(canvas.picture, after.picture)
    inner = {name: cv2.erode(part, np.ones((7, 7), np.uint8)) == 1 for name, part in parts.items()}
    return {name: float(where[part].mean()) for name, part in inner.items()}


def test_only_the_paint_changes_in_light_and_in_shade(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch)
    found = shares(canvas, recolored(canvas, "blue"), parts)
    assert found["body"] > 0.97
    assert max(found["window"], found["wheels"], found["behind"]) < 0.02


def test_a_named_color_selects_the_parts_of_that_color(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch)
    found = shares(canvas, recolored(canvas, "green", color="red"), parts)
    assert found["body"] > 0.97
    assert max(found["window"], found["wheels"], found["behind"]) < 0.02


def test_a_small_part_that_is_missing_in_the_mask_is_recolored_too(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch)
    whole = parts["body"] | parts["window"] | parts["wheels"]
    whole[130:190, 200:220] = 0
    canvas = with_analysis(canvas, canvas.picture, analyzed(monkeypatch, canvas.picture, whole))
    found = shares(canvas, recolored(canvas, "blue"), parts)
    assert found["body"] > 0.97
    assert found["behind"] < 0.02


def test_no_rim_of_the_old_color_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, _ = car(monkeypatch)
    canvas.picture.pixels[:] = cv2.GaussianBlur(canvas.picture.pixels, (0, 0), 1.2)
    after = recolored(canvas, "blue").picture.pixels.astype(int)
    edge = after[100:220, 60:101]
    assert (edge[:, :, 0] - edge[:, :, 2]).max() < 25


def test_recoloring_is_refused_if_the_color_continues_beyond_the_outline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    canvas, parts = car(monkeypatch)
    around = cv2.dilate(parts["body"], np.ones((61, 61), np.uint8)) - parts["body"]
    around[parts["window"] + parts["wheels"] > 0] = 0
    canvas.picture.pixels[around == 1] = RED
    with pytest.raises(OperationError, match="things of its color next to it"):
        recolored(canvas, "blue")


def test_white_paint_is_distinguished_from_tires(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch, (215, 215, 213))
    found = shares(canvas, recolored(canvas, "blue"), parts)
    assert found["wheels"] < 0.02


def test_black_paint_that_looks_like_tires_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, _ = car(monkeypatch, (40, 40, 42))
    with pytest.raises(OperationError, match="can't tell the paint of the car") as refused:
        recolored(canvas, "blue")
    assert refused.value.reason is Reason.LOW_CONFIDENCE


def test_dark_blue_paint_with_large_nearly_black_parts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch, (30, 40, 90))
    low = Box(BODY.left, 150, BODY.right, BODY.bottom)
    canvas.picture.pixels[low.slices][parts["body"][low.slices] == 1] = (14, 18, 34)
    with pytest.raises(OperationError, match="can't tell the paint of the car"):
        recolored(canvas, "red")


def test_a_car_in_two_colors_needs_a_named_color(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch)
    left = parts["body"].copy()
    left[:, 200:] = 0
    canvas.picture.pixels[left == 1] = (30, 120, 40)
    with pytest.raises(OperationError, match="several colors") as refused:
        recolored(canvas, "blue")
    assert refused.value.reason is Reason.AMBIGUOUS
    assert "the red car" in refused.value.hint


def test_light_that_makes_a_color_paler_is_not_a_second_color(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Picture(np.full((300, 400, 3), GROUND, np.uint8))
    apple = disc(picture, 200, 150, 80)
    picture.pixels[apple == 1] = (120, 170, 30)
    picture.pixels[:150][apple[:150] == 1] = (225, 240, 160)
    detect(monkeypatch, [Thing("apple", 0.8, Box.around(apple))])
    canvas = with_analysis(Canvas(picture), picture, analyzed(monkeypatch, picture, apple))
    after = find_operation("recolor")(canvas, step("recolor", thing("apple"), color="red"))
    assert changed(picture, after.picture)[cv2.erode(apple, np.ones((9, 9), np.uint8)) == 1].mean() > 0.95


WHITE = (225, 225, 223)


def test_white_paint_goes_on_in_the_shade(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch, WHITE)
    assert shares(canvas, recolored(canvas, "blue"), parts)["body"] > 0.95


def test_white_paint_does_not_spill_on_bright_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch, WHITE)
    ground = parts["body"] + parts["window"] + parts["wheels"] == 0
    canvas.picture.pixels[ground] = WHITE
    where = changed(canvas.picture, recolored(canvas, "blue").picture)
    near = cv2.dilate(1 - ground.astype(np.uint8), np.ones((5, 5), np.uint8)) == 1
    assert not where[~near].any()


def test_a_plate_and_lamps_in_dark_parts_keep_their_color(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch, WHITE)
    plate, frame = Box(195, 165, 225, 180), Box(180, 155, 240, 190)
    canvas.picture.pixels[frame.slices], canvas.picture.pixels[plate.slices] = TIRE, (235, 235, 235)
    where = changed(canvas.picture, recolored(canvas, "blue").picture)
    assert not where[plate.slices].any()
    assert where[parts["body"] == 1].mean() > 0.7


def test_a_dark_car_with_bright_windows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch, WHITE)
    lower = parts["body"].copy()
    lower[:145] = 0
    canvas.picture.pixels[lower == 1] = (45, 45, 50)
    with pytest.raises(OperationError, match="can't tell the paint of the car"):
        recolored(canvas, "red")


def test_the_frame_of_a_bicycle_is_recolored_but_not_the_ground_between_its_spokes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    canvas, parts = car(monkeypatch, noun="bicycle")
    random = np.random.default_rng(5)
    soil = np.array((118, 96, 72)) * random.uniform(0.7, 1.2, (*parts["body"].shape, 1))
    canvas.picture.pixels[:] = soil.astype(np.uint8)
    frame = np.zeros(parts["body"].shape, np.uint8)
    for start, end in (((130, 190), (200, 110)), ((200, 110), (290, 190)), ((130, 190), (290, 190))):
        cv2.line(frame, start, end, 1, 9)
    canvas.picture.pixels[frame == 1] = (240, 185, 40)
    made = find_operation("recolor")(canvas, step("recolor", thing("bicycle"), color="red"))
    where = changed(canvas.picture, made.picture)
    near = cv2.dilate(frame, np.ones((7, 7), np.uint8)) == 1
    assert where[cv2.erode(frame, np.ones((3, 3), np.uint8)) == 1].mean() > 0.95
    assert where[~near].mean() < 0.01


def test_a_gray_side_in_shade_gets_the_new_color_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, _ = car(monkeypatch, WHITE)
    panel = Box(190, 150, 235, 195)
    depth = 1 - 0.45 * cv2.GaussianBlur(
        np.pad(np.ones((panel.height - 20, panel.width - 20), np.float32), 10), (0, 0), 5
    )
    random = np.random.default_rng(3)
    rows = canvas.picture.pixels[panel.slices]
    rows[:] = np.clip(rows * depth[:, :, None] + random.normal(0, 6, (*depth.shape, 1)), 0, 255)
    where = changed(canvas.picture, recolored(canvas, "green").picture)
    assert where[panel.slices].mean() > 0.97


def test_bright_windows_in_dark_frames_keep_their_color(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch, WHITE)
    window = Box(WINDOW.left, WINDOW.top, WINDOW.left + 60, WINDOW.bottom)
    canvas.picture.pixels[WINDOW.slices] = TIRE
    inner = Box(window.left + 6, window.top + 6, window.right - 6, window.bottom - 6)
    canvas.picture.pixels[inner.slices] = (200, 202, 204)
    where = changed(canvas.picture, recolored(canvas, "red").picture)
    assert where[inner.slices].mean() < 0.02
    assert where[cv2.erode(parts["body"], np.ones((7, 7), np.uint8)) == 1].mean() > 0.95


def test_dark_glass_with_a_tint_of_the_paint_keeps_its_color(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch, (40, 90, 190))
    random = np.random.default_rng(4)
    glass = np.array((18, 21, 30)) + random.normal(0, 5, (WINDOW.height, WINDOW.width, 3))
    canvas.picture.pixels[WINDOW.slices] = np.clip(glass, 0, 255).astype(np.uint8)
    found = shares(canvas, recolored(canvas, "red"), parts)
    assert found["window"] < 0.02
    assert found["body"] > 0.95


def test_a_sign_beside_a_car_keeps_its_color(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, parts = car(monkeypatch)
    sign = Box(WINDOW.right + 8, WINDOW.top + 4, BODY.right - 4, BODY.top - 12)
    canvas.picture.pixels[sign.slices] = RED
    after = recolored(canvas, "blue")
    assert changed(canvas.picture, after.picture)[sign.slices].mean() < 0.02
    assert shares(canvas, after, parts)["body"] > 0.95


@pytest.mark.parametrize(("noun", "is_recolored"), [("car", True), ("bicycle", False)])
def test_paint_between_poles_belongs_to_a_car_but_not_to_a_bicycle(
    monkeypatch: pytest.MonkeyPatch, noun: str, is_recolored: bool
) -> None:
    canvas, parts = car(monkeypatch, noun=noun)
    for left in (190, 230):
        canvas.picture.pixels[80:230, left : left + 10] = GROUND
    whole = parts["body"] | parts["window"] | parts["wheels"]
    whole[:, 190:240] = 0
    canvas = with_analysis(canvas, canvas.picture, analyzed(monkeypatch, canvas.picture, whole))
    made = find_operation("recolor")(canvas, step("recolor", thing(noun), color="blue"))
    between = changed(canvas.picture, made.picture)[130:170, 205:225]
    assert (between.mean() > 0.95) if is_recolored else (between.mean() < 0.02)


@pytest.mark.parametrize(("skin", "is_whole"), [((120, 170, 30), True), ((150, 150, 148), False)])
def test_the_end_of_a_colored_thing_that_its_outline_lacks_is_recolored_too(
    monkeypatch: pytest.MonkeyPatch, skin: tuple[int, int, int], is_whole: bool
) -> None:
    picture = Picture(np.full((300, 400, 3), (205, 200, 196), np.uint8))
    apple = disc(picture, 200, 150, 80)
    picture.pixels[apple == 1] = skin
    known = apple.copy()
    known[212:] = 0
    seen = [Thing("apple", 0.8, Box.around(known))]
    detect(monkeypatch, seen)
    canvas = with_analysis(Canvas(picture), picture, analyzed(monkeypatch, picture, known))
    after = find_operation("recolor")(canvas, step("recolor", thing("apple"), color="red"))
    assert changed(picture, after.picture)[224, 200] == is_whole


def test_the_end_of_a_bottle_behind_a_shoelace_is_recolored_too(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Picture(np.full((300, 400, 3), (205, 200, 196), np.uint8))
    bottle, end, other = Box(180, 20, 220, 202), Box(180, 192, 220, 202), Box(260, 170, 280, 200)
    for box in (bottle, other):
        picture.pixels[box.slices] = (30, 160, 175)
    picture.pixels[176:192, 180:216] = (25, 25, 28)
    known = np.zeros((300, 400), np.uint8)
    known[20:180, 180:220] = 1
    seen = [Thing("bottle", 0.8, bottle)]
    detect(monkeypatch, seen)
    canvas = with_analysis(Canvas(picture), picture, analyzed(monkeypatch, picture, known))
    after = find_operation("recolor")(canvas, step("recolor", thing("bottle"), color="pink"))
    where = changed(picture, after.picture)
    assert where[end.slices].mean() > 0.9
    assert where[other.slices].mean() < 0.02
