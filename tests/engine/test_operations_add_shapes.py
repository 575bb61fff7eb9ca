from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from editor.engine.operations.add.outlines import CLOSED, OPEN
from editor.engine.plan import Target
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.pictures import (
    REGION,
    apply_steps,
    ball,
    carry_out_steps,
    changed,
    deep,
    scenery,
    step,
    with_alpha,
)

NAMES = (*CLOSED, *OPEN)
BOX = Region(0.5, 0.2, 0.25, 0.4)  # columns 300 to 450 and rows 80 to 240 of the photo drawn by `plain`


def plain(width: int = 600, height: int = 400) -> Picture:
    return Picture(np.full((height, width, 3), 120, np.uint8))


def red(picture: Picture) -> NDArray[np.bool_]:
    top = np.iinfo(picture.pixels.dtype).max
    return (np.abs(picture.pixels[:, :, :3] * (255 / top) - (214, 30, 36)) < 1.5).all(2)


def extent(mask: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """Return the left, top, right, and bottom edges of a mask. The right and bottom edges are inclusive."""
    rows, columns = np.nonzero(mask)
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", ["top left", "center", "bottom right"])
def test_a_shape_is_drawn_in_the_requested_color_at_the_named_place(name: str, place: str) -> None:
    result = apply_steps(plain(), step("shape", shape=name, color="red", place=place))
    left, top, right, bottom = extent(red(result))
    assert red(result).sum() > 100
    assert ("left" in place) == ((left + right) / 2 < 250)
    assert ("right" in place) == ((left + right) / 2 > 350)
    assert ("top" in place) == ((top + bottom) / 2 < 170)
    assert ("bottom" in place) == ((top + bottom) / 2 > 230)


@pytest.mark.parametrize("name", ["circle", "ellipse", "rectangle", "square", "star", "heart", "triangle"])
def test_a_filled_shape_is_full_and_an_outline_is_empty(name: str) -> None:
    full = red(apply_steps(plain(), step("shape", shape=name, color="red", filled=True)))
    empty = red(apply_steps(plain(), step("shape", shape=name, color="red")))
    left, top, right, bottom = extent(full)
    assert full.sum() > 2 * empty.sum()
    assert full[round(top + 0.45 * (bottom - top)), (left + right) // 2]
    assert not empty[round(top + 0.45 * (bottom - top)), (left + right) // 2]


@pytest.mark.parametrize(("name", "share"), [("circle", np.pi / 4), ("square", 1.0), ("triangle", 0.5)])
def test_a_filled_shape_has_the_area_of_its_kind(name: str, share: float) -> None:
    full = red(apply_steps(plain(), step("shape", shape=name, color="red", filled=True, amount=1.0)))
    left, top, right, bottom = extent(full)
    area = (right - left + 1) * (bottom - top + 1)
    assert abs(full.sum() / area - share) < 0.03


@pytest.mark.parametrize("name", ["circle", "square", "rectangle", "ellipse"])
def test_an_outline_goes_around_the_marked_box(name: str) -> None:
    result = apply_steps(plain(), step("shape", shape=name, target=REGION), regions=(BOX,))
    left, top, right, bottom = extent(red(result))
    assert abs((left + right) / 2 - 375) < 3
    assert abs((top + bottom) / 2 - 160) < 3
    assert bottom - top > 140
    assert right - left > (140 if name in ("circle", "square") else 130)


@pytest.mark.parametrize("name", ["star", "heart", "rectangle", "circle", "check", "line"])
def test_a_filled_shape_stays_inside_the_marked_box(name: str) -> None:
    photo = plain()
    filled = step("shape", shape=name, filled=True, target=REGION)
    left, top, right, bottom = extent(changed(photo, apply_steps(photo, filled, regions=(BOX,))))
    assert 300 <= left <= right < 450
    assert 80 <= top <= bottom < 240


def test_a_line_in_a_tall_box_is_upright() -> None:
    tall = Region(0.5, 0.1, 0.1, 0.8)
    left, top, right, bottom = extent(
        red(apply_steps(plain(), step("shape", shape="line", target=REGION), regions=(tall,)))
    )
    assert bottom - top > 10 * (right - left)


def test_a_larger_amount_gives_a_larger_shape_and_a_percentage_is_exact() -> None:
    widths = []
    for fields in ({"amount": 0.1}, {"amount": 0.35}, {"amount": 0.8}, {"percent": 25.0}):
        left, _, right, _ = extent(red(apply_steps(plain(), step("shape", shape="square", **fields))))
        widths.append(right - left + 1)
    assert widths[:3] == sorted(set(widths[:3]))
    assert 0.85 * 150 < widths[3] <= 150


def test_a_circle_goes_around_the_subject() -> None:
    result = apply_steps(ball(), step("shape", shape="ellipse", color="blue", target=Target("subject")))
    left, top, right, bottom = extent(changed(ball(), result))
    assert abs((left + right) / 2 - 0.56 * 360) < 6
    assert abs((top + bottom) / 2 - 135) < 6


@pytest.mark.parametrize("direction", ["left", "right", "up", "down"])
def test_the_head_of_an_arrow_is_at_the_end_where_it_points(direction: str) -> None:
    where = red(apply_steps(plain(), step("arrow", direction=direction)))
    left, top, right, bottom = extent(where)
    shape = where[top : bottom + 1, left : right + 1]
    lengthwise = shape if direction in ("left", "right") else shape.T
    start, end = (lengthwise[:, round(part * lengthwise.shape[1])].sum() for part in (0.35, 0.65))
    assert (end > 1.5 * start) == (direction in ("right", "down"))
    assert (start > 1.5 * end) == (direction in ("left", "up"))
    assert lengthwise.shape[1] > 1.4 * lengthwise.shape[0]


@pytest.mark.parametrize("direction", [None, "left", "right", "up", "down"])
def test_an_arrow_points_at_the_marked_box_and_stays_beside_it(direction: str | None) -> None:
    box = Region(0.4, 0.4, 0.2, 0.2)
    arrow = step("arrow", direction=direction, target=REGION, amount=0.1)
    where = red(apply_steps(plain(), arrow, regions=(box,)))
    left, top, right, bottom = extent(where)
    assert not where[170:230, 250:350].any()
    tips = {
        "right": (240 - right, (top + bottom) / 2 - 200),
        "left": (left - 360, (top + bottom) / 2 - 200),
        "down": (160 - bottom, (left + right) / 2 - 300),
        "up": (top - 240, (left + right) / 2 - 300),
    }
    gap, off = tips[direction] if direction else min(tips.values(), key=lambda tip: abs(tip[1]) + abs(tip[0]))
    assert 0 <= gap < 12
    assert abs(off) < 3


def test_an_arrow_without_room_beside_its_target_points_into_it() -> None:
    where = red(apply_steps(plain(), step("arrow", target=REGION), regions=(Region(0.02, 0.02, 0.96, 0.96),)))
    left, top, right, bottom = extent(where)
    assert min(abs(right - 300), abs(left - 300), abs(bottom - 200), abs(top - 200)) < 15


@pytest.mark.parametrize("operation", ["shape", "arrow"])
def test_shapes_preserve_the_depth_and_the_pixels_beside_them(operation: str) -> None:
    photo = deep(scenery(600, 400))
    result = apply_steps(photo, step(operation, place="top left"))
    assert result.is_deep
    assert np.array_equal(result.pixels[:, 400:], photo.pixels[:, 400:])
    assert red(result).any()


def test_a_shape_on_a_transparent_area_is_visible() -> None:
    photo = with_alpha(plain())
    result = apply_steps(photo, step("shape", shape="star", filled=True, place="left"))
    assert result.pixels[red(result)][:, 3].min() > 240
    assert np.array_equal(result.pixels[:, 400:], photo.pixels[:, 400:])


def test_shapes_are_not_cut_off_by_the_requested_aspect_ratio() -> None:
    star = step("shape", shape="star", filled=True, place="bottom right")
    crop = step("crop", ratio="1:1", place="left")
    whole = int(red(apply_steps(plain(), star)).sum())
    assert red(apply_steps(plain(), star, aspect_ratio="1:1")).sum() > 0.95 * whole
    assert red(apply_steps(plain(), star, crop)).sum() > 0.95 * whole


def test_variations_of_a_shape_differ_in_size() -> None:
    made = carry_out_steps(plain(), step("shape", shape="circle"), outputs=4)
    assert len({int(red(picture).sum()) for picture in made}) == 4


def test_arrows_have_the_same_length_in_every_direction() -> None:
    extents = {
        direction: extent(red(apply_steps(plain(), step("arrow", direction=direction))))
        for direction in ("left", "right", "up", "down")
    }
    lengths = {max(right - left, bottom - top) for left, top, right, bottom in extents.values()}
    assert max(lengths) - min(lengths) <= 4
    assert 140 < min(lengths) < 200


@pytest.mark.parametrize(
    "fields",
    [
        {"operation": "shape", "shape": "star"},
        {"operation": "arrow", "amount": 0.0},
        {"operation": "emoji", "text": "❤"},
        {"operation": "text", "text": "Hi"},
        {"operation": "watermark", "text": "Hi"},
        {"operation": "sticker", "photo": 2},
    ],
)
def test_an_addition_is_drawn_once_in_every_box(fields: dict[str, Any]) -> None:
    photo, boxes = plain(), (Region(0.1, 0.1, 0.2, 0.2), Region(0.7, 0.7, 0.2, 0.2))
    edit_step = step(target=Target("region"), **fields)
    where = changed(photo, apply_steps(photo, edit_step, photos=(ball(),), regions=boxes))
    assert where[:200, :300].any()
    assert where[200:, 300:].any()
    assert not where[300:, :120].any()
