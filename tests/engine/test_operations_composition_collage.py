"""Tests for collages."""

from typing import Any

import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.pictures import REGION, apply_steps, carry_out_steps, deep, scenery, step, with_alpha

COLORS = ((200, 40, 40), (40, 160, 60), (50, 70, 200), (220, 190, 40), (150, 60, 170))
WHITE = (255, 255, 255)


def plain(number: int, width: int = 300, height: int = 200) -> Picture:
    """Return a picture filled with one color, which is different for each number."""
    return Picture(np.full((height, width, 3), COLORS[number], np.uint8))


def collage(*pictures: Picture, **fields: Any) -> Picture:
    return apply_steps(pictures[0], step("collage", **fields), photos=pictures[1:])


def box_of_color(result: Picture, color: tuple[int, int, int]) -> tuple[int, int, int, int]:
    rows, columns = np.nonzero((result.pixels[:, :, :3] == color).all(2))
    assert len(rows) == (np.ptp(rows) + 1) * (np.ptp(columns) + 1)  # The pixels fill a whole rectangle.
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


@pytest.mark.parametrize("count", [2, 3, 4, 5])
@pytest.mark.parametrize("choice", [None, "grid", "row", "column"])
@pytest.mark.parametrize("shape", [(300, 200), (200, 300), (240, 240)])
def test_every_photo_is_shown_once_and_all_gutters_are_equal(
    count: int, choice: str | None, shape: tuple[int, int]
) -> None:
    result = collage(*(plain(number, *shape) for number in range(count)), layout=choice, pixels=6.0)
    boxes = [box_of_color(result, COLORS[number]) for number in range(count)]
    white = (result.pixels == WHITE).all(2)
    assert white.sum() == white.size - sum((r - x) * (b - t) for x, t, r, b in boxes)
    for left, top, right, bottom in boxes:
        assert white[top:bottom, left - 6 : left].all()
        assert white[top:bottom, right : right + 6].all()
        assert white[top - 6 : top, left:right].all()
        assert white[bottom : bottom + 6, left:right].all()
        assert left == 6 or not white[top:bottom, left - 7].all()
        assert right == result.width - 6 or not white[top:bottom, right + 6].all()
        assert top == 6 or not white[top - 7, left:right].all()
        assert bottom == result.height - 6 or not white[bottom + 6, left:right].all()


def test_a_row_is_horizontal_and_a_column_is_vertical() -> None:
    photos = [plain(number) for number in range(3)]
    row, column = collage(*photos, layout="row"), collage(*photos, layout="column")
    assert [box_of_color(row, color)[1] for color in COLORS[:3]] == [box_of_color(row, COLORS[0])[1]] * 3
    lefts = [box_of_color(row, color)[0] for color in COLORS[:3]]
    assert lefts == sorted(lefts)
    tops = [box_of_color(column, color)[1] for color in COLORS[:3]]
    assert tops == sorted(tops)
    assert column.height > column.width
    assert row.width > row.height


def test_four_photos_of_the_same_size_form_a_two_by_two_grid_in_order() -> None:
    result = collage(*(plain(number) for number in range(4)))
    corners = [box_of_color(result, color)[:2] for color in COLORS[:4]]
    assert corners[0][1] == corners[1][1] < corners[2][1] == corners[3][1]
    assert corners[0][0] == corners[2][0] < corners[1][0] == corners[3][0]


def test_photos_of_the_same_size_keep_their_size() -> None:
    result = collage(plain(0), plain(1), layout="row", pixels=0.0)
    assert (result.width, result.height) == (600, 200)


def test_photos_of_any_shapes_give_a_moderate_aspect_ratio() -> None:
    photos = [scenery(400, 200), scenery(200, 300), scenery(250, 250), scenery(320, 240), scenery(240, 320)]
    for count in (2, 3, 4, 5):
        result = collage(*photos[:count], pixels=0.0)
        assert 0.5 <= result.width / result.height <= 2.4


def test_the_prominent_part_of_a_cropped_photo_stays_visible() -> None:
    pixels = np.full((200, 600, 3), (90, 110, 130), np.uint8)
    pixels += np.random.default_rng(0).integers(0, 5, pixels.shape, np.uint8)
    pixels[60:140, 480:560] = COLORS[3]
    options: dict[str, Any] = {"photos": (plain(1, 200, 200),), "aspect_ratio": "1:1"}
    result = apply_steps(Picture(pixels), step("collage", layout="row"), **options)
    assert (np.abs(result.pixels.astype(int) - COLORS[3]).max(2) < 12).any()


def test_a_collage_has_the_requested_aspect_ratio() -> None:
    photos = tuple(plain(number) for number in range(1, 4))
    result = apply_steps(plain(0), step("collage"), photos=photos, aspect_ratio="16:9")
    assert abs(result.width / result.height - 16 / 9) < 0.01
    assert all((result.pixels == color).all(2).any() for color in COLORS[:4])


def test_gutters_have_the_requested_color_and_width() -> None:
    result = collage(plain(0), plain(1), color="black", pixels=11.0)
    assert np.all(result.pixels[:11] == 0)
    assert np.all(result.pixels[12, 12] == COLORS[0])


def test_depth_and_alpha_are_kept() -> None:
    mixed = collage(deep(scenery()), with_alpha(scenery()), layout="row")
    assert mixed.is_deep
    assert mixed.has_alpha
    assert np.all(mixed.pixels[0, :, 3] == 65535)
    assert mixed.pixels[mixed.height // 2, mixed.width // 2 + 20, 3] < 20000
    assert not collage(scenery(), deep(scenery())).is_deep


def test_a_box_stays_on_the_first_photo_in_a_collage() -> None:
    black = step("brightness", target=REGION, amount=-1.0)
    together = step("collage", layout="row")
    options: dict[str, Any] = {"photos": (plain(1),), "regions": (Region(0, 0, 0.5, 1),)}
    result = apply_steps(plain(0), together, black, **options).pixels
    dark = (result != apply_steps(plain(0), together, photos=(plain(1),)).pixels).any(2)
    assert dark[:, 10:140].mean() > 0.9
    assert not dark[:, 160:].any()


def test_variations_of_a_collage_differ() -> None:
    photos = tuple(plain(number) for number in range(1, 4))
    made = carry_out_steps(plain(0), step("collage"), photos=photos, outputs=3)
    assert len({(picture.width, picture.height, picture.pixels.tobytes()) for picture in made}) == 3


def test_a_single_photo_and_excessive_gutters_are_refused() -> None:
    with pytest.raises(PlanRefused, match="at least two photos"):
        collage(plain(0))
    with pytest.raises(PlanRefused, match="would cover the photos"):
        collage(plain(0), plain(1), pixels=150.0)


def test_a_large_enlargement_gives_a_notice() -> None:
    result = collage(plain(0, 3000, 2000), plain(1, 3000, 2000), plain(2, 30, 20))
    assert "enlarged" in result.notices[0]


def test_tiny_photos_work() -> None:
    result = collage(plain(0, 7, 5), plain(1, 5, 7), pixels=0.0)
    assert result.width * result.height > 50
