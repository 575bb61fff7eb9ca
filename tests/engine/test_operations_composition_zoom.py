"""Tests for zooming in, centering, and cropping to a target."""

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
from tests.engine.pictures import REGION, apply_steps, ball, carry_out_steps, deep, scenery, step, with_alpha

SUBJECT = Target("subject")


def zoomed(picture: Picture, regions: tuple[Region, ...] = (), **fields: Any) -> Picture:
    return apply_steps(picture, step("zoom", **fields), regions=regions)


def large(width: int = 2400, height: int = 1600) -> Picture:
    return scenery(width, height)


def red_at(picture: Picture) -> tuple[float, float, float]:
    """Return the red ball's center, as fractions of the photo, and its share of the photo's area."""
    colors = picture.pixels.astype(int)
    rows, columns = np.nonzero(colors[:, :, 0] - colors[:, :, 1] > 40)
    return (
        columns.mean() / picture.width,
        rows.mean() / picture.height,
        len(rows) / (picture.width * picture.height),
    )


@pytest.mark.slow
def test_a_zoom_to_200_percent_is_the_middle_half_without_scaling() -> None:
    for photo in (large(), deep(large()), with_alpha(large())):
        result = zoomed(photo, percent=200.0)
        assert np.array_equal(result.pixels, photo.pixels[400:1200, 600:1800])
        assert result.notices == ()


def test_a_zoom_can_go_to_a_named_corner() -> None:
    photo = large()
    result = zoomed(photo, percent=200.0, place="top left")
    assert np.array_equal(result.pixels, photo.pixels[:800, :1200])


def test_a_zoomed_small_photo_keeps_its_size_and_a_large_zoom_gives_a_notice() -> None:
    result = zoomed(scenery(), percent=150.0)
    assert (result.width, result.height, result.notices) == (240, 160, ())
    assert "doesn't add detail" in zoomed(scenery(), percent=300.0).notices[0]


@pytest.mark.slow
def test_a_larger_amount_zooms_in_further_and_variations_differ() -> None:
    widths = [zoomed(large(), amount=amount).width for amount in (0.1, 0.35, 0.6)]
    assert 2400 > widths[0] > widths[1] > widths[2]
    made = carry_out_steps(large(), step("zoom", amount=0.35), outputs=4)
    assert len({picture.width for picture in made}) == 4


def test_a_zoom_to_the_subject_enlarges_it_without_cutting_it_off() -> None:
    photo = ball(900, 675)
    result = zoomed(photo, target=SUBJECT)
    across, down, share = red_at(result)
    assert share > 1.2 * red_at(photo)[2]
    assert abs(across - 0.5) < 0.1
    assert abs(down - 0.5) < 0.1
    edges = [result.pixels[0], result.pixels[-1], result.pixels[:, 0], result.pixels[:, -1]]
    assert not any((edge[:, 0].astype(int) - edge[:, 1] > 40).any() for edge in edges)


def test_a_zoom_to_a_box_keeps_the_aspect_ratio_of_the_photo() -> None:
    photo = large()
    result = zoomed(photo, (Region(0.4, 0.4, 0.4, 0.4),), target=REGION)
    assert abs(result.width / result.height - 1.5) < 0.01
    assert 960 < result.width < 1920
    exact = zoomed(photo, (Region(0.5, 0.5, 0.25, 0.25),), target=REGION, percent=400.0)
    # The crop of 600 x 400 pixels is scaled up by a factor of four.
    assert (exact.width, exact.height) == (2400, 1600)
    wanted = cv2.resize(photo.pixels[800:1200, 1200:1800], (2400, 1600), interpolation=cv2.INTER_LANCZOS4)
    assert np.array_equal(exact.pixels, wanted)


def test_a_zoom_of_zero_or_of_an_extreme_percentage_is_refused() -> None:
    with pytest.raises(PlanRefused, match="how far to zoom"):
        zoomed(large(), percent=0.0)
    with pytest.raises(PlanRefused, match="nothing would be left"):
        zoomed(scenery(), percent=9000.0)


def test_a_tiny_photo_can_be_zoomed() -> None:
    assert zoomed(scenery(20, 18), amount=0.1).width == 20


def centered(picture: Picture, regions: tuple[Region, ...] = (), **fields: Any) -> Picture:
    return apply_steps(picture, step("center", **fields), regions=regions)


def test_the_subject_is_centered() -> None:
    photo = ball(900, 675)
    assert red_at(photo)[0] > 0.54
    result = centered(photo, target=SUBJECT)
    across, down, _ = red_at(result)
    assert abs(across - 0.5) < 0.02
    assert abs(down - 0.5) < 0.02
    assert abs(result.width / result.height - 4 / 3) < 0.01


def test_a_box_is_centered_exactly() -> None:
    photo = scenery(400, 300)
    result = centered(photo, (Region(0.5, 0.4, 0.1, 0.2),), target=REGION)
    assert np.array_equal(result.pixels, photo.pixels[15:285, 40:400])


def test_centering_a_centered_box_changes_nothing_and_gives_a_notice() -> None:
    photo = scenery(400, 300)
    result = centered(photo, (Region(0.4, 0.4, 0.2, 0.2),), target=REGION)
    assert np.array_equal(result.pixels, photo.pixels)
    assert result.notices == ("It is already in the center.",)


def test_centering_a_box_too_close_to_the_edge_is_refused() -> None:
    with pytest.raises(PlanRefused, match="too close to the edge"):
        centered(scenery(400, 300), (Region(0.7, 0, 0.3, 0.2),), target=REGION)


def test_a_box_that_reaches_an_edge_is_centered_in_one_direction_only() -> None:
    photo = scenery(400, 300)
    result = centered(photo, (Region(0.5, 0.6, 0.1, 0.4),), target=REGION)
    assert np.array_equal(result.pixels, photo.pixels[30:300, 40:400])
    assert "one way only" in result.notices[0]


def test_centering_without_a_target_is_refused() -> None:
    with pytest.raises(PlanRefused, match="what to center"):
        centered(scenery())


def test_pixels_are_cropped_off_the_named_edge() -> None:
    photo = scenery(400, 300)
    for place, wanted in {
        "left": photo.pixels[:, 37:],
        "right": photo.pixels[:, :-37],
        "top": photo.pixels[37:],
        "bottom": photo.pixels[:-37],
        "all": photo.pixels[37:-37, 37:-37],
    }.items():
        result = apply_steps(photo, step("crop", pixels=37.0, place=place))
        assert np.array_equal(result.pixels, wanted)


def test_a_zoom_without_a_target_does_not_cut_off_a_face() -> None:
    photo = portrait(size=200, left=40, top=10)
    assert len(find_faces(photo)) == 1
    assert len(find_faces(zoomed(photo, percent=150.0))) == 1


def test_a_closer_crop_does_not_cut_off_a_face_at_the_top() -> None:
    photo = portrait(size=200, left=340, top=20)
    before = find_faces(photo)[0]
    result = apply_steps(photo, step("crop", mode="closer", percent=76.0))
    after = find_faces(result)[0]
    assert (result.width, result.height) == (684, 456)
    assert abs(after.height - before.height) < 0.1 * before.height


def test_an_aspect_ratio_that_is_too_flat_for_the_face_is_refused() -> None:
    photo = portrait(size=420, left=240, top=60)
    with pytest.raises(PlanRefused, match="The face doesn't fit into this shape"):
        apply_steps(photo, step("crop", ratio="4:1"))
    at_the_top = apply_steps(photo, step("crop", ratio="4:1", place="top"))
    assert (at_the_top.width, at_the_top.height) == (900, 225)
