"""Tests for restoring the photo outside the boxes, no matter what a model did to it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from editor.imaging import alignment
from editor.imaging.errors import PhotoError
from editor.imaging.put_back import put_back, region_of
from tests import scenes

PHOTOS = Path(__file__).parents[1] / "photos"
BOX = [0.3, 0.25, 0.4, 0.5]
type Array = np.ndarray[Any, Any]
type Model = Callable[[Array], Array]


def repainted(folder: Path, photo: Array, result: Array, *boxes: list[float]) -> tuple[dict[str, Any], Any]:
    """Return the result of `put_back`, and the pixels that it wrote, or None if it wrote no file."""
    before, after, target = (str(folder / name) for name in ("photo.png", "result.png", "target.png"))
    cv2.imwrite(before, _swapped(photo))
    cv2.imwrite(after, _swapped(result))
    facts = put_back(before, after, target, list(boxes or [BOX]))
    written = cv2.imread(target, cv2.IMREAD_UNCHANGED)
    return facts, written if written is None else _swapped(written)


def _swapped(pixels: Any) -> Any:
    """Convert the pixels between RGB and BGR."""
    return pixels[..., [2, 1, 0, *range(3, pixels.shape[2])]]


def outside(shape: tuple[int, ...], *boxes: list[float]) -> Array:
    """Return a mask of the pixels outside the boxes."""
    mask = np.ones(shape[:2], bool)
    for box in boxes or [BOX]:
        left, top, right, bottom = region_of(box, shape[1], shape[0])
        mask[top:bottom, left:right] = False
    return mask


def photo_named(name: str) -> Array:
    return np.asarray(Image.open(PHOTOS / f"{name}.jpg").convert("RGB"))


def moved(pixels: Array, *, scale: float = 1.0, x: float = 0, y: float = 0) -> Array:
    """Scale the pixels about their center and then shift them, as an engine that repaints them does."""
    height, width = pixels.shape[:2]
    matrix = np.array([[scale, 0, (1 - scale) * width / 2 + x], [0, scale, (1 - scale) * height / 2 + y]])
    noise = np.random.default_rng(3).normal(0, 4, pixels.shape)
    warped = cv2.warpAffine(pixels, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    pixels_moved: Array = np.clip(warped + noise, 0, 255).astype(np.uint8)
    return pixels_moved


def test_the_photo_is_restored_outside_the_box_and_the_result_kept_inside(tmp_path: Path) -> None:
    photo = photo_named("cup")
    result = np.random.default_rng(1).integers(0, 256, photo.shape, np.uint8)
    facts, made = repainted(tmp_path, photo, result)
    assert facts == {"outcome": "done", "scale": 1.0}
    assert (made == photo)[outside(photo.shape)].all()
    height, width = photo.shape[:2]
    middle = np.s_[int(0.4 * height) : int(0.6 * height), int(0.4 * width) : int(0.6 * width)]
    assert (made[middle] == result[middle]).all()


def test_the_edge_is_soft_and_inside_the_box(tmp_path: Path) -> None:
    photo, result = np.zeros((200, 300, 3), np.uint8), np.full((200, 300, 3), 200, np.uint8)
    _, made = repainted(tmp_path, photo, result)
    row = made[100, :, 0].astype(int)
    assert row[89] == 0
    assert row[90:94].tolist() == sorted(row[90:94].tolist())
    assert 0 < row[90] < row[92] < row[94] == 200
    assert row[150] == 200


def test_a_box_at_the_border_of_the_photo_has_no_soft_edge_there(tmp_path: Path) -> None:
    photo, result = np.zeros((200, 300, 3), np.uint8), np.full((200, 300, 3), 200, np.uint8)
    _, made = repainted(tmp_path, photo, result, [0, 0, 1, 1])
    assert (made == 200).all()


def test_several_boxes_change_together(tmp_path: Path) -> None:
    photo = photo_named("cat")
    boxes = [[0.0, 0.0, 0.2, 0.3], [0.15, 0.2, 0.3, 0.3], [0.8, 0.8, 0.2, 0.2]]
    _, made = repainted(tmp_path, photo, 255 - photo, *boxes)
    is_outside = outside(photo.shape, *boxes)
    assert (made == photo)[is_outside].all()
    assert (made != photo)[~is_outside].mean() > 0.8


def test_a_result_of_another_size_keeps_its_size(tmp_path: Path) -> None:
    photo = photo_named("cup")
    larger = cv2.resize(255 - photo, (photo.shape[1] * 2, photo.shape[0] * 2))
    facts, made = repainted(tmp_path, photo, larger)
    assert facts == {"outcome": "done", "scale": 2.0}
    assert made.shape == larger.shape
    expected = cv2.resize(photo, larger.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    assert (made == expected)[outside(made.shape)].all()


@pytest.mark.parametrize(("width", "outcome"), [(303, "done"), (304, "other_shape")])
def test_a_shape_may_differ_by_one_percent(tmp_path: Path, width: int, outcome: str) -> None:
    photo, result = np.zeros((200, 300, 3), np.uint8), np.full((200, width, 3), 200, np.uint8)
    facts, made = repainted(tmp_path, photo, result)
    assert (facts["outcome"], made is None) == (outcome, outcome == "other_shape")


def test_16_bits_and_transparency_of_the_photo_are_kept(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    deep = random.integers(0, 65536, (90, 120, 4), np.uint16)
    _, made = repainted(tmp_path, deep, random.integers(0, 256, (90, 120, 3), np.uint8))
    assert made.dtype == np.uint16
    assert (made == deep)[outside(deep.shape)].all()
    assert (made[40:50, 55:65, 3] == 65535).all()


def test_a_transparent_result_is_transparent_only_inside_the_box(tmp_path: Path) -> None:
    photo = photo_named("cup")
    result = np.dstack([photo, np.zeros(photo.shape[:2], np.uint8)])
    _, made = repainted(tmp_path, photo, result)
    is_outside = outside(photo.shape)
    assert (made[is_outside][:, :3] == photo[is_outside]).all()
    assert (made[is_outside][:, 3] == 255).all()
    assert made[made.shape[0] // 2, made.shape[1] // 2, 3] == 0


@pytest.mark.parametrize("name", ["cup", "cat", "astronaut"])
@pytest.mark.parametrize(
    "change", [{"x": 1.6}, {"x": 12, "y": -7}, {"scale": 1.04}, {"scale": 1.08, "x": 5, "y": 4}]
)
def test_a_moved_result_is_aligned_first(tmp_path: Path, name: str, change: dict[str, float]) -> None:
    photo = photo_named(name)
    facts, made = repainted(tmp_path, photo, moved(photo, **change))
    assert facts["outcome"] == "aligned"
    is_outside = outside(photo.shape)
    assert (made == photo)[is_outside].all()
    inside = np.abs(made.astype(int) - photo)[~is_outside]
    as_it_came = np.abs(moved(photo, **change).astype(int) - photo)[~is_outside]
    assert inside.mean() < min(6, as_it_came.mean())


@pytest.mark.parametrize("change", [{}, {"x": 0.4, "y": 0.3}, {"scale": 1.001}])
def test_a_result_that_fits_is_not_changed(tmp_path: Path, change: dict[str, float]) -> None:
    photo = photo_named("astronaut")
    facts, made = repainted(tmp_path, photo, moved(photo, **change))
    assert facts["outcome"] == "done"
    middle = np.s_[140:180, 140:180]
    assert (made[middle] == moved(photo, **change)[middle]).all()


def test_a_large_moved_result_is_aligned_to_within_half_a_pixel() -> None:
    photo = np.asarray(scenes.lake(2400, 1600))
    noise = np.random.default_rng(2).normal(0, 12, photo.shape)
    photo = np.clip(photo + cv2.GaussianBlur(noise, (0, 0), 2) * 4, 0, 255).astype(np.uint8)
    is_outside = outside(photo.shape).astype(np.uint8)
    fit = alignment.find(photo, moved(photo, scale=1.01, x=9, y=-4), is_outside)
    assert fit is not None
    x, y = fit.matrix @ (0, 0, 1)
    assert (x, y) == pytest.approx((-0.01 * 1200 + 9, -0.01 * 800 - 4), abs=0.5)


def test_a_result_that_was_moved_out_of_the_box_cannot_be_aligned(tmp_path: Path) -> None:
    photo = photo_named("cat")
    facts, made = repainted(tmp_path, photo, moved(photo, x=-30), [0.7, 0.3, 0.3, 0.4])
    assert facts["outcome"] == "aligned"  # The result still includes the area of the box.
    (tmp_path / "target.png").unlink()
    facts, made = repainted(tmp_path, photo, moved(photo, x=30), [0.7, 0.3, 0.3, 0.4])
    assert (facts["outcome"], made) == ("misaligned", None)


@pytest.mark.parametrize(
    "model",
    [
        lambda photo: np.random.default_rng(1).integers(0, 256, photo.shape, np.uint8),
        lambda photo: np.full_like(photo, 90),
        lambda photo: 255 - photo,
        lambda photo: photo[:, ::-1].copy(),
        lambda photo: cv2.GaussianBlur(photo, (0, 0), 12),
        lambda photo: cv2.resize(photo_named("astronaut"), photo.shape[1::-1]),
    ],
    ids=["noise", "flat", "negative", "mirrored", "blurred", "another photo"],
)
def test_the_photo_is_restored_even_if_the_result_shows_something_else(tmp_path: Path, model: Model) -> None:
    photo = photo_named("cup")
    facts, made = repainted(tmp_path, photo, model(photo))
    assert facts["outcome"] == "done"
    assert (made == photo)[outside(photo.shape)].all()


def test_the_result_for_a_photo_without_details_is_not_aligned(tmp_path: Path) -> None:
    photo = np.full((120, 160, 3), 128, np.uint8)
    facts, _ = repainted(tmp_path, photo, moved(photo, x=9))
    assert facts["outcome"] == "done"


def test_a_file_that_is_not_a_photo_is_rejected(tmp_path: Path) -> None:
    scenes.lake(60, 40).save(tmp_path / "photo.png")
    (tmp_path / "result.png").write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    with pytest.raises(PhotoError):
        put_back(str(tmp_path / "photo.png"), str(tmp_path / "result.png"), str(tmp_path / "x.png"), [BOX])


# ---- a mask instead of boxes


def repainted_in(folder: Path, photo: Array, result: Array, mask: Array) -> tuple[dict[str, Any], Any]:
    """Return what `put_back` returns with a mask, and the pixels that it wrote, or None."""
    before, after, target, area = (
        str(folder / name) for name in ("photo.png", "result.png", "made.png", "area.png")
    )
    cv2.imwrite(before, _swapped(photo))
    cv2.imwrite(after, _swapped(result))
    cv2.imwrite(area, mask)
    facts = put_back(before, after, target, mask=area)
    written = cv2.imread(target, cv2.IMREAD_UNCHANGED)
    return facts, written if written is None else _swapped(written)


def disc(photo: Array, radius: int = 60) -> Array:
    """Return a mask that is white in a disc in the middle of the photo."""
    height, width = photo.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    cv2.circle(mask, (width // 2, height // 2), radius, 255, -1)
    return mask


def test_the_photo_is_restored_outside_the_mask_and_the_result_kept_inside(tmp_path: Path) -> None:
    photo = photo_named("cup")
    mask = disc(photo)
    facts, made = repainted_in(tmp_path, photo, 255 - photo, mask)
    assert facts == {"outcome": "done", "scale": 1.0}
    assert (made == photo)[mask == 0].all()
    assert (made == 255 - photo)[disc(photo, 50) > 0].all()


def test_the_edge_is_soft_and_inside_the_mask(tmp_path: Path) -> None:
    photo, result = np.zeros((200, 300, 3), np.uint8), np.full((200, 300, 3), 200, np.uint8)
    mask = np.zeros((200, 300), np.uint8)
    mask[:, 100:] = 255
    _, made = repainted_in(tmp_path, photo, result, mask)
    row = made[100, :, 0].astype(int)
    assert row[99] == 0
    assert row[100:106].tolist() == sorted(row[100:106].tolist())
    assert 0 < row[100] < row[102] < row[106] == 200
    assert row[299] == 200, "no soft edge at the border of the photo"


def test_a_mask_is_scaled_to_a_result_of_another_size(tmp_path: Path) -> None:
    photo = photo_named("cat")
    mask = disc(photo, 30)
    larger = cv2.resize(255 - photo, (photo.shape[1] * 2, photo.shape[0] * 2))
    facts, made = repainted_in(tmp_path, photo, larger, mask)
    assert facts == {"outcome": "done", "scale": 2.0}
    expected = cv2.resize(photo, larger.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    is_outside = cv2.resize(mask, larger.shape[1::-1], interpolation=cv2.INTER_LINEAR) == 0
    assert (made == expected)[is_outside].all()


def test_a_moved_result_is_aligned_by_the_area_outside_the_mask(tmp_path: Path) -> None:
    photo = photo_named("astronaut")
    mask = disc(photo, 50)
    facts, made = repainted_in(tmp_path, photo, moved(photo, x=8, y=-5), mask)
    assert facts["outcome"] == "aligned"
    assert (made == photo)[mask == 0].all()
    assert np.abs(made.astype(int) - photo)[mask > 0].mean() < 6
