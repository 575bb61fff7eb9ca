"""Tests for replacing the sky.

Only the sky is replaced, and the light in the rest of the photo is adapted to the new sky.
"""

from typing import Any

import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.plan import Target
from editor.engine.targets.faces import find_faces
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.people import portrait
from tests.engine.pictures import apply_steps, carry_out_steps, step, with_alpha

HORIZON = 130


def coast() -> Picture:
    """Draw a pale sky above dark, rough land, as 300 x 220 pixels."""
    rows = np.arange(220)[:, None, None]
    pixels = (
        np.array((170, 195, 225), np.float32) + rows * np.array((0.2, 0.12, 0.05)) + np.zeros((220, 300, 3))
    )
    rough = np.random.default_rng(4).normal(0, 12, (90, 300, 1))
    pixels[HORIZON:] = np.array((92, 84, 60)) + rough
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def other_sky(choice: str, **values: Any) -> Picture:
    return apply_steps(coast(), step("drawn_sky", scene=choice, **values))


@pytest.mark.parametrize("choice", ["sky", "clear sky", "sunset", "night sky", "stormy sky"])
def test_the_whole_sky_is_replaced_down_to_the_land(choice: str) -> None:
    moved = np.abs(other_sky(choice).pixels.astype(int) - coast().pixels).max(2)
    assert (moved[: HORIZON - 4] > 8).mean() > 0.9
    assert np.array_equal(other_sky(choice).pixels, other_sky(choice).pixels)


def test_variations_of_the_sky_differ() -> None:
    one, other = carry_out_steps(coast(), step("drawn_sky", scene="sunset"), outputs=2)
    assert not np.array_equal(one.pixels, other.pixels)


def test_land_is_dark_under_a_night_sky_and_warm_under_a_sunset() -> None:
    before = coast().pixels[HORIZON + 10 :].mean((0, 1))
    night, sunset = (
        other_sky(choice).pixels[HORIZON + 10 :].mean((0, 1)) for choice in ("night sky", "sunset")
    )
    assert night.max() < 0.6 * before.max()
    assert sunset[0] / sunset[2] > 1.2 * before[0] / before[2]


def test_a_stormy_sky_is_gray_and_full_of_dark_and_bright_clouds() -> None:
    sky = other_sky("stormy sky").pixels[: HORIZON - 10].astype(int)
    assert np.ptp(sky, axis=2).mean() < 30
    dark, bright = np.percentile(sky.mean(2), [5, 95])
    assert dark < 100
    assert bright > 170


def test_a_request_to_keep_a_house_leaves_the_land_unchanged() -> None:
    kept = other_sky("night sky", keep=(Target("thing", noun="house"),))
    assert np.array_equal(kept.pixels[HORIZON + 10 :], coast().pixels[HORIZON + 10 :])


def hazy_lake(color: tuple[int, int, int]) -> Picture:
    """Draw a lake of this color below a pale sky, with a soft horizon, in front of dark ground."""
    hazy = np.full((220, 300, 3), (222, 230, 240), np.float32)
    hazy[110:] = color
    soft = cv2.GaussianBlur(hazy, (0, 0), 1.5)
    soft[170:] = np.array((50, 60, 40)) + np.random.default_rng(5).normal(0, 12, (50, 300, 1))
    return Picture(np.clip(soft, 0, 255).astype(np.uint8))


def test_a_hazy_lake_is_not_replaced_as_part_of_the_sky() -> None:
    photo = hazy_lake((180, 192, 198))
    lake = apply_steps(photo, step("drawn_sky", scene="sunset", keep=(Target("thing", noun="house"),)))
    moved = np.abs(lake.pixels.astype(int) - photo.pixels).max(2)
    assert (moved[:104] > 8).mean() > 0.9
    assert (moved[118:] > 8).mean() < 0.01


def test_a_sky_above_a_lake_of_nearly_the_same_color_is_refused() -> None:
    with pytest.raises(PlanRefused, match="can't tell the sky from what is in front of it"):
        apply_steps(hazy_lake((196, 206, 210)), step("drawn_sky", scene="sunset"))


def test_the_new_sky_appears_in_gaps_between_leaves_but_not_in_windows() -> None:
    photo = coast()
    photo.pixels[60:HORIZON, 90:210] = (60, 70, 50)
    photo.pixels[66:70, 100:104] = photo.pixels[66:70, :4]
    photo.pixels[66:84, 120:150] = photo.pixels[66:84, :30]
    in_its_light = step("drawn_sky", scene="sunset", keep=(Target("thing", noun="house"),))
    moved = np.abs(apply_steps(photo, in_its_light).pixels.astype(int) - photo.pixels).max(2)
    assert moved[67:69, 101:103].min() > 8
    assert moved[71:79, 130:140].max() < 2


def cave(color: tuple[int, int, int] = (120, 190, 215)) -> Picture:
    """Draw dark, rough rock around a calm hole, as 300 x 220 pixels."""
    pixels = np.array((90, 50, 40)) + np.random.default_rng(6).normal(0, 14, (220, 300, 1))
    cv2.ellipse(pixels := np.ascontiguousarray(pixels), (150, 90), (60, 35), 0, 0, 360, color, -1)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def test_a_sky_that_does_not_reach_the_top_is_replaced_only_with_a_box() -> None:
    night, photo = step("drawn_sky", scene="night sky"), cave()
    with pytest.raises(PlanRefused, match="draw a box around it"):
        apply_steps(photo, night)
    made = apply_steps(photo, night, regions=(Region(0.25, 0.2, 0.5, 0.4),)).pixels
    assert made[90, 110:190].mean() < 60
    assert np.abs(made[150:].astype(int) - photo.pixels[150:] * np.array((0.42, 0.47, 0.62))).mean() < 2


def test_a_refusal_does_not_ask_for_a_box_again_if_the_box_shows_no_sky() -> None:
    night = step("drawn_sky", scene="night sky")
    with pytest.raises(PlanRefused, match="in front of it") as caught:
        apply_steps(cave((150, 40, 40)), night, regions=(Region(0.25, 0.2, 0.5, 0.4),))
    assert "box" not in caught.value.message


def test_a_box_around_a_face_is_refused_as_a_sky() -> None:
    night, photo = step("drawn_sky", scene="night sky"), portrait()
    photo.pixels[:40] = np.random.default_rng(1).integers(0, 255, (40, 900, 3), np.uint8)
    (face,) = find_faces(photo)
    box = Region(face.left / 900, face.top / 600, face.width / 900, face.height / 600)
    with pytest.raises(PlanRefused, match="in front of it"):
        apply_steps(photo, night, regions=(box,))


def test_the_alpha_of_the_photo_is_preserved() -> None:
    photo = with_alpha(coast())
    result = apply_steps(photo, step("drawn_sky", scene="sunset"))
    assert np.array_equal(result.pixels[:, :, 3], photo.pixels[:, :, 3])


def test_a_photo_without_a_sky_is_refused() -> None:
    wall = Picture(np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8))
    with pytest.raises(PlanRefused, match="can't tell where the sky is"):
        apply_steps(wall, step("drawn_sky", scene="sunset"))
