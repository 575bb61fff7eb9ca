from typing import Any

import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.operations.composition.turn import largest_inside
from editor.engine.plan import Target
from editor.engine.targets.faces import find_faces
from editor.imaging.picture import Picture
from editor.options import ASPECT_RATIOS, Region
from tests.engine import photos
from tests.engine.pictures import (
    REGION,
    apply_steps,
    ball,
    ball_mask,
    carry_out_steps,
    deep,
    scenery,
    step,
    with_alpha,
)


def compose(picture: Picture, operation: str, regions: tuple[Region, ...] = (), **fields: Any) -> Picture:
    return apply_steps(picture, step(operation, **fields), regions=regions)


@pytest.mark.parametrize(("degrees", "turns"), [(90, 3), (180, 2), (270, 1), (-90, 1), (360, 0), (450, 3)])
def test_quarter_turns_lose_nothing(degrees: float, turns: int) -> None:
    for photo in (scenery(), with_alpha(scenery()), deep(scenery())):
        turned = compose(photo, "rotate", degrees=float(degrees))
        assert np.array_equal(turned.pixels, np.rot90(photo.pixels, turns))


@pytest.mark.parametrize("degrees", [-30, -2.5, 4, 17, 45, 88])
def test_other_angles_are_exact_and_leave_no_empty_corner(degrees: float) -> None:
    rows = np.indices((300, 400))[0]
    edge = np.where(rows > 150, 220, 40).astype(np.uint8)
    turned = compose(Picture(np.dstack([edge] * 3)), "rotate", degrees=degrees)
    wanted = largest_inside(400, 300, degrees)
    assert abs(turned.width - wanted[0]) + abs(turned.height - wanted[1]) <= 1
    soft = cv2.GaussianBlur(turned.pixels[:, :, 0].astype(np.float32), (0, 0), 4)
    assert turned.pixels.min() >= 20  # An empty corner would have black pixels.
    down, across = np.gradient(soft[12:-12, 12:-12])
    assert abs(np.degrees(np.arctan2(-across.sum(), down.sum())) - degrees) < 90
    strong = np.hypot(down, across) > 8
    assert abs(np.median(np.degrees(np.arctan2(-across[strong], down[strong]))) - degrees) < 0.3


def test_the_largest_rectangle_inside_is_right_for_known_angles() -> None:
    assert largest_inside(400, 300, 0) == (400, 300)
    assert largest_inside(300, 300, 45) == (212, 212)


def test_flips_mirror_the_photo() -> None:
    photo = scenery()
    assert np.array_equal(compose(photo, "flip", axis="horizontal").pixels, photo.pixels[:, ::-1])
    assert np.array_equal(compose(photo, "flip", axis="vertical").pixels, photo.pixels[::-1])
    assert np.array_equal(compose(photo, "flip").pixels, photo.pixels[:, ::-1])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("ratio", ASPECT_RATIOS)
@pytest.mark.parametrize("size", [(360, 270), (270, 360), (300, 300)])
def test_every_ratio_gives_the_largest_possible_crop(ratio: str, size: tuple[int, int]) -> None:
    across, down = (int(part) for part in ratio.split(":"))
    for result in (
        compose(scenery(*size), "crop", ratio=ratio),
        apply_steps(scenery(*size), step("brightness"), aspect_ratio=ratio),
    ):
        assert abs(result.width - result.height * across / down) <= max(1, across / down)
        assert result.width == size[0] or result.height == size[1]


@pytest.mark.parametrize("ratio", ["1:1", "9:16", "2:3"])
def test_a_crop_keeps_the_subject(ratio: str) -> None:
    pixels = np.full((200, 600, 3), (90, 110, 130), np.uint8)
    pixels += np.random.default_rng(0).integers(0, 5, pixels.shape, np.uint8)
    pixels[60:140, 440:520] = (240, 180, 20)
    result = compose(Picture(pixels), "crop", ratio=ratio)
    assert (result.pixels[:, :, 0] > 200).sum() == 80 * 80


def lopsided(width: int, height: int) -> Picture:
    """Draw a bright area slightly off center.

    If no position is requested, a crop would be placed on this area.
    """
    pixels = np.full((height, width, 3), 100, np.uint8)
    pixels[:, :, 2] += np.indices((height, width))[0].astype(np.uint8) % 7
    pixels[height // 4 : height // 3, width // 4 : width // 3] = (240, 180, 20)
    return Picture(pixels)


@pytest.mark.parametrize(
    ("place", "start"),
    [("left", 0), ("right", 200), ("center", 100), ("top left", 0), ("bottom right", 200)],
)
def test_a_crop_of_a_wide_photo_is_on_the_named_side(place: str, start: int) -> None:
    photo = lopsided(400, 200)
    result = compose(photo, "crop", ratio="1:1", place=place)
    assert np.array_equal(result.pixels, photo.pixels[:, start : start + 200])


@pytest.mark.parametrize(
    ("place", "start"),
    [("top", 0), ("bottom", 200), ("center", 100), ("top right", 0), ("bottom left", 200)],
)
def test_a_crop_of_a_tall_photo_is_on_the_named_side(place: str, start: int) -> None:
    photo = lopsided(200, 400)
    result = compose(photo, "crop", ratio="1:1", place=place)
    assert np.array_equal(result.pixels, photo.pixels[start : start + 200])


def test_a_side_that_makes_no_difference_does_not_change_the_crop() -> None:
    photo = lopsided(400, 200)
    plain = compose(photo, "crop", ratio="1:1")
    assert np.array_equal(compose(photo, "crop", ratio="1:1", place="top").pixels, plain.pixels)


def test_a_crop_to_a_size_is_in_the_named_corner() -> None:
    photo = lopsided(400, 200)
    result = compose(photo, "crop", size="100x50", place="bottom right")
    assert np.array_equal(result.pixels, photo.pixels[150:, 300:])


def test_a_crop_around_a_box_moves_to_the_named_side_but_includes_the_box() -> None:
    photo = lopsided(400, 200)
    box = (Region(0.5, 0, 0.25, 1),)  # the box covers columns 200 to 300 of the photo
    for place, start in (("left", 100), ("right", 200)):
        result = compose(photo, "crop", box, ratio="1:1", place=place, target=REGION)
        assert np.array_equal(result.pixels, photo.pixels[:, start : start + 200])


def test_variations_of_a_crop_stay_on_the_named_side() -> None:
    made = carry_out_steps(lopsided(400, 200), step("crop", ratio="1:1", place="left"), outputs=2)
    assert np.array_equal(made[0].pixels, made[1].pixels)


def test_a_crop_to_a_box_has_exactly_the_pixels_of_the_box() -> None:
    photo = scenery(400, 300)
    result = compose(photo, "crop", (Region(0.25, 0.1, 0.5, 0.4),), target=REGION)
    assert np.array_equal(result.pixels, photo.pixels[30:150, 100:300])


def test_a_crop_to_the_subject_fits_closely_around_it() -> None:
    result = compose(ball(), "crop", target=Target("subject"))
    diameter = np.ptp(np.nonzero(ball_mask())[0])
    assert diameter <= result.height < diameter * 1.35
    assert result.width < 300


def test_a_round_crop_is_a_circle_with_transparent_corners() -> None:
    for photo in (scenery(300, 200), deep(scenery(300, 200)), with_alpha(scenery(300, 200))):
        made = compose(photo, "round_crop")
        alpha = made.pixels[:, :, 3].astype(float) / np.iinfo(made.pixels.dtype).max
        assert made.width == made.height == 200
        assert alpha[[0, 0, -1, -1], [0, -1, 0, -1]].max() == 0
        assert alpha[100, 1] > 0
        assert (alpha > 0).mean() == pytest.approx(np.pi / 4, abs=0.01)


def test_a_round_crop_keeps_the_colors_and_the_transparency_inside() -> None:
    photo = with_alpha(scenery(300, 200))
    made, square = compose(photo, "round_crop"), compose(photo, "crop", ratio="1:1")
    assert np.array_equal(made.pixels[60:140, 60:140], square.pixels[60:140, 60:140])


def test_a_percentage_is_cropped_off_the_named_edge() -> None:
    photo = scenery(400, 300)
    cut = {
        "left": photo.pixels[:, 80:],
        "right": photo.pixels[:, :320],
        "top": photo.pixels[60:],
        "bottom": photo.pixels[:240],
        "all": photo.pixels[60:240, 80:320],
    }
    for place, wanted in cut.items():
        assert np.array_equal(compose(photo, "crop", percent=20.0, place=place).pixels, wanted)


def test_a_crop_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(PlanRefused, match="nothing would be left"):
        compose(scenery(), "crop", percent=99.0, place="left")


@pytest.mark.parametrize(
    ("fields", "size"),
    [
        ({"size": "120x90"}, (120, 90)),
        ({"size": "100x100"}, (100, 100)),
        ({"percent": 50.0}, (120, 80)),
        ({"percent": 200.0}, (480, 320)),
        ({"pixels": 60.0}, (60, 40)),
    ],
)
def test_a_photo_is_resized_to_exactly_the_requested_size(
    fields: dict[str, Any], size: tuple[int, int]
) -> None:
    result = compose(scenery(), "resize", **fields)
    assert (result.width, result.height) == size


def test_a_photo_is_made_smaller_or_larger_without_an_exact_number() -> None:
    assert (
        compose(scenery(), "resize", amount=-0.35).width
        < 240
        < compose(scenery(), "resize", amount=0.35).width
    )


def test_an_enormous_size_is_refused_and_a_large_one_gives_a_notice() -> None:
    with pytest.raises(PlanRefused, match="too large"):
        compose(scenery(), "resize", size="20000x20000")
    assert "doesn't add detail" in compose(scenery(), "resize", percent=300.0).notices[0]


def test_a_box_moves_with_the_rotated_and_cropped_photo() -> None:
    photo = Picture(np.full((200, 300, 3), 100, np.uint8))
    region = (Region(0, 0, 0.5, 0.5),)
    turn, crop = (
        step("rotate"),
        step("crop", percent=10.0, place="all"),
    )
    black = step("brightness", target=REGION, amount=-1.0)
    result = apply_steps(photo, turn, crop, black, regions=region).pixels[:, :, 0]
    assert result.shape == (240, 160)
    assert np.all(result[:110, 90:] < 60)  # These pixels are inside the black area, away from its soft edge.
    assert np.all(result[120:] == 100)
    assert np.all(result[:, :80] == 100)


def test_a_crop_that_cannot_contain_the_whole_head_is_refused() -> None:
    astronaut = photos.photo("astronaut")
    face = find_faces(astronaut)[0]
    with pytest.raises(PlanRefused, match="The face doesn't fit into this shape"):
        apply_steps(astronaut, step("crop", ratio=f"{astronaut.width}:{face.height}"))
    tall = apply_steps(astronaut, step("crop", ratio=f"{astronaut.width}:{2 * face.height}"))
    assert abs(tall.height - 2 * face.height) <= 1
