"""Tests for extending a photo and zooming out."""

from typing import Any, cast

import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.plan import Reason
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.options import ASPECT_RATIOS, Region
from tests.engine import photos
from tests.engine.pictures import REGION, apply_steps, deep, step, with_alpha


def sky(width: int = 300, height: int = 200) -> Picture:
    """Draw a background that is lighter toward the bottom, with a little grain."""
    rows = np.indices((height, width))[0].astype(np.float32)[:, :, None]
    colors = np.array([90, 130, 190], np.float32) + rows / height * 50
    noise = np.random.default_rng(3).normal(0, 1.5, (height, width, 3))
    return Picture(np.clip(colors + noise, 0, 255).astype(np.uint8))


def beach(width: int = 320, height: int = 240) -> Picture:
    """Draw a sky over rough sand."""
    noise = np.random.default_rng(3).normal(0, 1, (height, width)).astype(np.float32)
    sand = 150 + 40 * cv2.GaussianBlur(noise, (0, 0), 2) * 5
    light = np.where(np.indices((height, width))[0] < height // 2, 215 + noise, sand)
    return Picture(np.clip(np.dstack([light * 0.95, light * 0.9, light * 0.8]), 0, 255).astype(np.uint8))


def crowd(width: int = 300, height: int = 200) -> Picture:
    """Fill the picture with boxes of many colors."""
    colors = np.random.default_rng(1).integers(0, 256, (height // 20, width // 20, 3), np.uint8)
    return Picture(np.kron(colors, np.ones((20, 20, 1), np.uint8)))


def lawn(width: int = 300, height: int = 200) -> Picture:
    """Draw a plain green area with a strong grain."""
    noise = np.random.default_rng(5).normal(0, 10, (height, width, 1))
    return Picture(np.clip(np.array([70, 120, 50]) + noise, 0, 255).astype(np.uint8))


def windows(width: int = 300, height: int = 200) -> Picture:
    """Draw the front of a house with dark windows in straight rows."""
    rows, columns = np.indices((height, width))
    is_glass = (rows % 12 > 3) & (columns % 10 > 3)
    return Picture(np.where(is_glass[:, :, None], 60, 190).repeat(3, 2).astype(np.uint8))


def extended(picture: Picture, regions: tuple[Region, ...] = (), **fields: Any) -> Picture:
    return apply_steps(picture, step("extend", **fields), regions=regions)


def holds(result: Pixels, photo: Pixels, left: int, top: int) -> bool:
    height, width = photo.shape[:2]
    return np.array_equal(result[top : top + height, left : left + width], photo)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("fields", "size", "place"),
    [
        ({"place": "left", "percent": 20.0}, (360, 200), (60, 0)),
        ({"place": "right", "pixels": 40.0}, (340, 200), (0, 0)),
        ({"place": "top", "pixels": 50.0}, (300, 250), (0, 50)),
        ({"place": "bottom", "percent": 10.0}, (300, 220), (0, 0)),
        ({"place": "top left", "pixels": 30.0}, (330, 230), (30, 30)),
        ({"percent": 20.0}, (360, 240), (30, 20)),
        ({"pixels": 25.0}, (350, 250), (25, 25)),
        ({"ratio": "16:9"}, (356, 200), (28, 0)),
        ({"ratio": "1:1"}, (300, 300), (0, 50)),
        ({"ratio": "1:1", "place": "top"}, (300, 300), (0, 100)),
        ({"ratio": "1:1", "place": "bottom"}, (300, 300), (0, 0)),
    ],
)
def test_the_added_room_is_exact_and_the_photo_is_unchanged(
    fields: dict[str, Any], size: tuple[int, int], place: tuple[int, int]
) -> None:
    for photo in (sky(), deep(sky()), with_alpha(sky())):
        result = extended(photo, **fields)
        assert (result.width, result.height) == size
        assert result.pixels.dtype == photo.pixels.dtype
        assert holds(result.pixels, photo.pixels, *place)


def test_room_in_a_plain_color_is_added_even_beside_detailed_edges() -> None:
    for photo in (crowd(), deep(crowd()), with_alpha(crowd())):
        result = extended(photo, ratio="2:1", color="red")
        assert (result.width, result.height) == (400, 200)
        assert holds(result.pixels, photo.pixels, 50, 0)
        room = np.concatenate([result.pixels[:, :50], result.pixels[:, 350:]], 1)
        most = np.iinfo(room.dtype).max
        assert (room[:, :, 0] > 0.7 * most).all()
        assert (room[:, :, 1:3] < 0.3 * most).all()
        assert (room[:, :, 3:] == most).all()


@pytest.mark.parametrize("ratio", ASPECT_RATIOS)
def test_every_aspect_ratio_can_be_reached(ratio: str) -> None:
    across, down = (int(part) for part in ratio.split(":"))
    result = extended(sky(200, 160), ratio=ratio)
    assert abs(result.width - result.height * across / down) <= max(1, across / down)
    assert result.width == 200 or result.height == 160


def test_a_larger_amount_adds_more_room() -> None:
    sizes = [extended(sky(), amount=amount).width for amount in (0.1, 0.35, 0.8)]
    assert 300 < sizes[0] < sizes[1] < sizes[2]


def test_a_sky_is_extended_without_a_seam() -> None:
    result = extended(sky(), place="left", pixels=60.0).pixels.astype(np.float32)
    rows = cv2.GaussianBlur(result, (1, 21), 0)
    assert np.abs(rows[:, 20:40].mean(1) - rows[:, 80:100].mean(1)).max() < 2
    grain = (result - cv2.GaussianBlur(result, (0, 0), 2)).std((0, 2))
    assert 0.7 < grain[:60].mean() / grain[60:].mean() < 1.4


@pytest.mark.slow
def test_an_extended_beach_keeps_its_horizon_and_its_sand() -> None:
    photo = beach()
    result = extended(photo, place="right", percent=25.0).pixels
    new = result[:, photo.width + 5 :].astype(np.float32)
    assert new[:110].mean() - new[130:].mean() > 20
    assert new[:110].std() < 20
    assert np.abs(new[135:].std() / photo.pixels[135:].std() - 1) < 0.5


def test_extending_an_edge_with_too_much_detail_is_refused() -> None:
    with pytest.raises(PlanRefused, match="left edge of the photo has too much detail") as caught:
        extended(crowd(), place="left", percent=20.0)
    assert caught.value.refusals[0].reason is Reason.NEEDS_GENERATION
    assert extended(crowd(), place="left", pixels=10.0).width == 310


@pytest.mark.slow
def test_the_network_continues_things_at_the_edge_of_the_photo() -> None:
    before = photos.photo("astronaut").pixels
    after = extended(photos.photo("astronaut"), place="right", percent=20.0).pixels
    assert np.array_equal(after[:, :320], before)
    wall, black_cloth = after[20:120, 325:365].mean(), after[210:300, 325:365].mean()
    assert black_cloth < 40
    assert wall > black_cloth + 40


def test_the_network_is_not_used_for_a_far_extension_or_a_large_photo() -> None:
    with pytest.raises(PlanRefused, match="right edge of the photo has too much detail"):
        extended(photos.photo("astronaut"), place="right", percent=40.0)
    large = np.kron(photos.photo("astronaut").pixels, np.ones((5, 5, 1), np.uint8))
    with pytest.raises(PlanRefused, match="right edge of the photo has too much detail"):
        extended(Picture(large), place="right", percent=20.0)


@pytest.mark.slow
def test_extending_rows_of_windows_is_refused() -> None:
    with pytest.raises(PlanRefused, match="bottom edge of the photo has too much detail"):
        extended(windows(), place="bottom", percent=20.0)


def test_a_lawn_is_extended_with_its_own_grain() -> None:
    result = extended(lawn(), place="right", pixels=60.0).pixels.astype(np.float32)
    grain = (result - cv2.GaussianBlur(result, (0, 0), 2)).std((0, 2))
    assert 0.8 < grain[310:].mean() / grain[:290].mean() < 1.25
    assert np.abs(result[:, 310:].mean((0, 1)) - result[:, :290].mean((0, 1))).max() < 2


@pytest.mark.slow
def test_the_added_area_has_no_line_at_its_outer_edge() -> None:
    wide = extended(photos.photo("cat"), place="right", percent=25.0).pixels.astype(np.float32)
    assert np.abs(wide[:, -1].mean(0) - wide[:, -6].mean(0)).max() < 4


def test_only_plain_areas_can_be_extended_far() -> None:
    assert extended(sky(), place="left", percent=90.0).width == 570
    with pytest.raises(PlanRefused, match="can't extend the photo that far"):
        extended(beach(), place="left", percent=60.0)
    with pytest.raises(PlanRefused, match="can't extend the photo that far"):
        extended(sky(), place="left", percent=150.0)


def test_an_enormous_canvas_is_refused() -> None:
    with pytest.raises(PlanRefused, match="too large"):
        extended(sky(), pixels=20_000.0)


@pytest.mark.parametrize("size", [(1, 1), (7, 5), (6, 9)])
def test_a_tiny_photo_can_be_extended(size: tuple[int, int]) -> None:
    photo = Picture(np.full((size[1], size[0], 3), 90, np.uint8))
    result = extended(photo, ratio="1:1")
    assert result.width == result.height == max(size)
    assert np.all(result.pixels == 90)


def test_a_box_moves_with_the_extended_photo() -> None:
    black = step("brightness", target=REGION, amount=-1.0)
    larger = step("extend", place="left", pixels=50.0)
    result = apply_steps(sky(), larger, black, regions=(Region(0, 0, 0.5, 1),)).pixels
    dark = (result != apply_steps(sky(), larger).pixels).any(2)
    assert dark[:, 50:200].mean() > 0.95
    assert not dark[:, :50].any()
    assert not dark[:, 200:].any()


@pytest.mark.parametrize("fields", [{"amount": -0.35}, {"percent": 65.0}])
def test_zooming_out_makes_room_on_all_sides(fields: dict[str, Any]) -> None:
    photo = sky()
    result = apply_steps(photo, step("zoom", **fields))
    assert abs(result.width / 300 - 1.53) < 0.02
    assert abs(result.width / result.height - 1.5) < 0.01
    assert holds(result.pixels, photo.pixels, (result.width - 300) // 2, (result.height - 200) // 2)


def test_a_photo_that_already_has_the_ratio_is_unchanged_with_a_notice() -> None:
    result = extended(sky(), ratio="3:2")
    assert np.array_equal(result.pixels, sky().pixels)
    assert result.notices == ("The photo already has this size.",)


def test_room_beside_the_transparent_edges_of_a_cutout_is_transparent() -> None:
    photo = sky()
    alpha = np.zeros((photo.height, photo.width, 1), np.uint8)
    alpha[40:, 100:200] = 255
    cut = Picture(cast(Bytes, np.dstack([photo.pixels, alpha])))
    for share in (8.0, 40.0):
        result = extended(cut, percent=share)
        left, top = (result.width - cut.width) // 2, (result.height - cut.height) // 2
        assert holds(result.pixels, cut.pixels, left, top)
        assert result.pixels[:top, :, 3].max() == result.pixels[:, :left, 3].max() == 0
        below = result.pixels[top + cut.height :, :, 3]
        assert below[:, left + 110 : left + 190].min() > 200
        assert below[:, : left + 90].max() == below[:, left + 210 :].max() == 0


@pytest.mark.parametrize(
    ("place", "exact", "kept", "at"),
    [
        ("bottom", (30.0, "pixels"), np.s_[:170, :], (0, 30)),
        ("top", (10.0, "percent"), np.s_[20:, :], (0, 0)),
        ("right", (60.0, "pixels"), np.s_[:, :240], (60, 0)),
        ("left", (20.0, "percent"), np.s_[:, 60:], (0, 0)),
    ],
)
def test_a_shifted_photo_keeps_its_size(
    place: str, exact: tuple[float, str], kept: tuple[slice, slice], at: tuple[int, int]
) -> None:
    photo = sky()
    result = apply_steps(photo, step("shift", place=place, **{exact[1]: exact[0]}))
    assert result.pixels.shape == photo.pixels.shape
    assert holds(result.pixels, photo.pixels[kept], *at)


def test_a_photo_is_not_shifted_out_of_its_frame() -> None:
    with pytest.raises(PlanRefused, match="whole photo out of the frame"):
        apply_steps(sky(), step("shift", place="top", pixels=200.0))
