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
def test_twice_as_near_is_the_middle_half_at_its_own_size() -> None:
    for photo in (large(), deep(large()), with_alpha(large())):
        result = zoomed(photo, percent=200.0)
        assert np.array_equal(result.pixels, photo.pixels[400:1200, 600:1800])
        assert result.notices == ()


def test_a_place_is_zoomed_in_on() -> None:
    photo = large()
    result = zoomed(photo, percent=200.0, place="top left")
    assert np.array_equal(result.pixels, photo.pixels[:800, :1200])


def test_a_small_photo_gets_its_size_back_and_past_twice_that_is_said() -> None:
    result = zoomed(scenery(), percent=150.0)
    assert (result.width, result.height, result.notices) == (240, 160, ())
    assert "doesn't add detail" in zoomed(scenery(), percent=300.0).notices[0]


@pytest.mark.slow
def test_more_is_nearer_and_variations_differ() -> None:
    widths = [zoomed(large(), amount=amount).width for amount in (0.1, 0.35, 0.6)]
    assert 2400 > widths[0] > widths[1] > widths[2]
    made = carry_out_steps(large(), step("zoom", amount=0.35), outputs=4)
    assert len({picture.width for picture in made}) == 4


def test_the_subject_fills_more_of_the_photo_and_stays_whole() -> None:
    photo = ball(900, 675)
    result = zoomed(photo, target=SUBJECT)
    across, down, share = red_at(result)
    assert share > 1.2 * red_at(photo)[2]
    assert abs(across - 0.5) < 0.1
    assert abs(down - 0.5) < 0.1
    edges = [result.pixels[0], result.pixels[-1], result.pixels[:, 0], result.pixels[:, -1]]
    assert not any((edge[:, 0].astype(int) - edge[:, 1] > 40).any() for edge in edges)


def test_a_marked_place_is_zoomed_in_on_in_the_shape_of_the_photo() -> None:
    photo = large()
    result = zoomed(photo, (Region(0.4, 0.4, 0.4, 0.4),), target=REGION)
    assert abs(result.width / result.height - 1.5) < 0.01
    assert 960 < result.width < 1920
    exact = zoomed(photo, (Region(0.5, 0.5, 0.25, 0.25),), target=REGION, percent=400.0)
    # The crop of 600 x 400 pixels is scaled up by a factor of four.
    assert (exact.width, exact.height) == (2400, 1600)
    wanted = cv2.resize(photo.pixels[800:1200, 1200:1800], (2400, 1600), interpolation=cv2.INTER_LANCZOS4)
    assert np.array_equal(exact.pixels, wanted)


def test_a_senseless_zoom_is_refused() -> None:
    with pytest.raises(PlanRefused, match="how far to zoom"):
        zoomed(large(), percent=0.0)
    with pytest.raises(PlanRefused, match="nothing would be left"):
        zoomed(scenery(), percent=9000.0)


def test_a_tiny_photo_can_be_zoomed() -> None:
    assert zoomed(scenery(20, 18), amount=0.1).width == 20


def centered(picture: Picture, regions: tuple[Region, ...] = (), **fields: Any) -> Picture:
    return apply_steps(picture, step("center", **fields), regions=regions)


def test_the_subject_comes_to_the_middle() -> None:
    photo = ball(900, 675)
    assert red_at(photo)[0] > 0.54
    result = centered(photo, target=SUBJECT)
    across, down, _ = red_at(result)
    assert abs(across - 0.5) < 0.02
    assert abs(down - 0.5) < 0.02
    assert abs(result.width / result.height - 4 / 3) < 0.01


def test_a_marked_place_comes_exactly_to_the_middle() -> None:
    photo = scenery(400, 300)
    result = centered(photo, (Region(0.5, 0.4, 0.1, 0.2),), target=REGION)
    assert np.array_equal(result.pixels, photo.pixels[15:285, 40:400])


def test_what_is_in_the_middle_stays() -> None:
    photo = scenery(400, 300)
    result = centered(photo, (Region(0.4, 0.4, 0.2, 0.2),), target=REGION)
    assert np.array_equal(result.pixels, photo.pixels)
    assert result.notices == ("It is already in the center.",)


def test_what_would_be_cut_is_not_brought_to_the_middle() -> None:
    with pytest.raises(PlanRefused, match="too close to the edge"):
        centered(scenery(400, 300), (Region(0.7, 0, 0.3, 0.2),), target=REGION)


def test_what_reaches_an_edge_comes_to_the_middle_the_other_way() -> None:
    photo = scenery(400, 300)
    result = centered(photo, (Region(0.5, 0.6, 0.1, 0.4),), target=REGION)
    assert np.array_equal(result.pixels, photo.pixels[30:300, 40:400])
    assert "one way only" in result.notices[0]


def test_the_whole_photo_has_no_middle_to_go_to() -> None:
    with pytest.raises(PlanRefused, match="what to center"):
        centered(scenery())


def test_pixels_come_off_the_named_edge() -> None:
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


def test_a_plain_zoom_cuts_no_face() -> None:
    photo = portrait(size=200, left=40, top=10)
    assert len(find_faces(photo)) == 1
    assert len(find_faces(zoomed(photo, percent=150.0))) == 1


def test_a_closer_crop_keeps_the_face_at_the_top_whole() -> None:
    photo = portrait(size=200, left=340, top=20)
    before = find_faces(photo)[0]
    result = apply_steps(photo, step("crop", mode="closer", percent=76.0))
    after = find_faces(result)[0]
    assert (result.width, result.height) == (684, 456)
    assert abs(after.height - before.height) < 0.1 * before.height


def test_a_shape_into_which_the_face_does_not_fit_is_refused() -> None:
    photo = portrait(size=420, left=240, top=60)
    with pytest.raises(PlanRefused, match="The face doesn't fit into this shape"):
        apply_steps(photo, step("crop", ratio="4:1"))
    at_the_top = apply_steps(photo, step("crop", ratio="4:1", place="top"))
    assert (at_the_top.width, at_the_top.height) == (900, 225)
