"""Tests for straightening photos."""

import math
from typing import cast

import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.errors import PlanRefused
from editor.engine.operations.composition.straighten import WORKING_PIXELS, find_tilt, find_uprights
from editor.engine.operations.composition.turn import largest_inside
from editor.engine.operations.composition.verticals import _parallel
from editor.engine.pixels import working_copy
from editor.imaging.codecs import load
from editor.imaging.picture import Bytes, Picture
from editor.options import Region
from tests.engine.pictures import REGION, apply_steps, ball, carry_out_steps, deep, scenery, step, with_alpha
from tests.engine.test_assets import ASSETS

STRAIGHTEN = step("straighten")


def turned(pixels: Bytes, degrees: float) -> Picture:
    """Turn the picture clockwise, and crop it so that no corner is empty."""
    height, width = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -degrees, 1.0)
    whole = cv2.warpAffine(pixels, matrix, (width, height), flags=cv2.INTER_CUBIC)
    across, down = largest_inside(width, height, degrees)
    left, top = (width - across) // 2 + 1, (height - down) // 2 + 1
    return Picture(cast(Bytes, whole[top : top + down - 2, left : left + across - 2]))


def tilt(picture: Picture) -> float | None:
    return find_tilt(cast(Bytes, picture.pixels))


def sea(width: int = 900, height: int = 600) -> Bytes:
    """Draw sky and waves without any vertical lines."""
    random = np.random.default_rng(2)
    rows = np.indices((height, width))[0].astype(np.float32)
    light = np.where(rows < 0.45 * height, 190 - 0.1 * rows, 70 + 0.05 * rows)
    waves = cv2.GaussianBlur(random.normal(0, 60, light.shape).astype(np.float32), (0, 0), 5, sigmaY=1.2)
    light += np.where(rows < 0.45 * height, 0, waves) + random.normal(0, 2, light.shape)
    return cast(Bytes, np.clip(np.dstack([light * 0.8, light * 0.95, light + 15]), 0, 255).astype(np.uint8))


def street(lean: float = 0.0, width: int = 900, height: int = 600) -> Bytes:
    """Draw windows that lean inward by `lean` degrees on both sides, as if seen from below."""
    pixels = np.full((height, width, 3), 170, np.uint8)
    for column in range(40, width - 40, 60):
        for row in range(40, height - 60, 90):
            corners = [(column, row), (column + 26, row), (column + 26, row + 55), (column, row + 55)]
            leant = [(_leant(x, y, lean, width, height), y) for x, y in corners]
            cv2.fillPoly(pixels, [np.array(leant, np.int32)], (60, 70, 90), cv2.LINE_AA)
    noise = np.random.default_rng(4).normal(0, 3, pixels.shape)
    return cast(Bytes, np.clip(pixels + noise, 0, 255).astype(np.uint8))


def _leant(x: float, y: float, lean: float, width: int, height: int) -> float:
    from_middle = (x - width / 2) / (width / 2)
    return x - (y - height / 2) * math.tan(math.radians(lean * from_middle))


@pytest.mark.parametrize("degrees", [-9, -4.3, -1.2, 0.6, 3, 7.5])
def test_a_horizon_becomes_level(degrees: float) -> None:
    found = tilt(turned(sea(), degrees))
    assert found is not None
    assert abs(found - degrees) < 0.3
    again = tilt(apply_steps(turned(sea(), degrees), STRAIGHTEN))
    assert again is not None
    assert abs(again) < 0.3


@pytest.mark.parametrize("degrees", [-8, -3, 1.5, 4.3])
@pytest.mark.parametrize("lean", [0, 6])
def test_the_tilt_of_vertical_lines_is_found_even_if_they_converge(degrees: float, lean: float) -> None:
    found = tilt(turned(street(lean), degrees))
    assert found is not None
    assert abs(found - degrees) < 0.3


def test_a_straight_photo_is_unchanged_with_a_notice() -> None:
    photo = Picture(sea())
    result = apply_steps(photo, STRAIGHTEN)
    assert np.array_equal(result.pixels, photo.pixels)
    assert result.notices == ("This photo is already straight.",)


def slopes(*angles: float) -> Picture:
    """Draw long lines across the whole photo, in several directions."""
    pixels = np.full((600, 900, 3), 200, np.uint8)
    for number, angle in enumerate(angles, 1):
        y, rise = 600 * number / (len(angles) + 1), 450 * math.tan(math.radians(angle))
        cv2.line(pixels, (0, round(y - rise)), (899, round(y + rise)), (40, 40, 40), 7, cv2.LINE_AA)
    return Picture(pixels)


@pytest.mark.parametrize(
    "photo",
    [scenery(900, 600), ball(900, 675), slopes(-7, 5), slopes(20), Picture(np.zeros((5, 7, 3), np.uint8))],
    ids=["soft", "ball", "two ways", "a hill", "tiny"],
)
def test_a_photo_without_a_clear_horizon_is_refused(photo: Picture) -> None:
    with pytest.raises(PlanRefused, match="can't find a clear horizon") as caught:
        apply_steps(photo, STRAIGHTEN)
    assert "degrees" in caught.value.message


def test_vertical_lines_on_only_one_side_do_not_prove_a_tilt() -> None:
    """Vertical lines on only one side of the photo do not prove a tilt.

    They may also lean because the camera was pointed downward.
    """
    pixels = street()
    pixels[:, 330:] = 170
    assert tilt(turned(pixels, 3)) is None


def test_straightening_preserves_depth_alpha_and_boxes() -> None:
    tilted = turned(sea(), 5)
    assert apply_steps(deep(tilted), STRAIGHTEN).pixels.dtype == np.uint16
    assert apply_steps(with_alpha(tilted), STRAIGHTEN).has_alpha
    black = step("brightness", target=REGION, amount=-1.0)
    result = apply_steps(tilted, STRAIGHTEN, black, regions=(Region(0.4, 0.4, 0.2, 0.2),)).pixels
    plain = apply_steps(tilted, STRAIGHTEN).pixels
    rows, columns = np.nonzero((result != plain).any(2))
    assert abs(rows.mean() / result.shape[0] - 0.5) < 0.02
    assert abs(columns.mean() / result.shape[1] - 0.5) < 0.02


def test_all_variations_of_straightening_are_the_same() -> None:
    made = carry_out_steps(turned(sea(), 5), STRAIGHTEN, outputs=2)
    assert np.array_equal(made[0].pixels, made[1].pixels)


VERTICALS = step("verticals")


@pytest.mark.parametrize(("degrees", "lean"), [(0.0, 5.0), (0.0, -6.0), (1.5, 4.0)])
def test_converging_vertical_lines_become_parallel(degrees: float, lean: float) -> None:
    photo = turned(street(lean), degrees)
    before, after = (
        find_uprights(cast(Bytes, picture.pixels)) for picture in (photo, apply_steps(photo, VERTICALS))
    )
    assert before is not None
    assert after is not None
    assert abs(before[1]) > 3
    assert max(abs(after[0]), abs(after[1])) < 0.4


@pytest.mark.parametrize("lean", [-6.0, 6.0])
def test_the_few_vertical_lines_of_a_real_city_become_parallel(lean: float) -> None:
    photo = load(str(ASSETS / "scenery" / "square.jpg"))
    bend = -2 * np.radians(lean) / max(photo.width, photo.height)
    leaning = _parallel(Canvas(photo), bend).picture
    before, after = (
        find_uprights(working_copy(picture, WORKING_PIXELS))
        for picture in (leaning, apply_steps(leaning, VERTICALS))
    )
    assert before is not None
    assert before[1] == pytest.approx(lean, abs=1)
    assert after is not None
    assert abs(after[1]) < 1


def test_parallel_vertical_lines_are_unchanged_with_a_notice() -> None:
    photo = Picture(street())
    result = apply_steps(photo, VERTICALS)
    assert np.array_equal(result.pixels, photo.pixels)
    assert result.notices == ("The vertical lines in this photo are already upright.",)


def test_a_photo_without_clear_vertical_lines_is_refused() -> None:
    with pytest.raises(PlanRefused, match="enough clear vertical lines"):
        apply_steps(ball(), VERTICALS)


def test_correcting_verticals_leaves_no_empty_corner_and_lowers_view_scale() -> None:
    photo = Picture(street(6.0), view_scale=0.5)
    result = apply_steps(photo, VERTICALS)
    corners = result.pixels[[0, 0, -1, -1], [0, -1, 0, -1]]
    assert corners.min() > 100
    assert 0.3 < result.view_scale < 0.5
