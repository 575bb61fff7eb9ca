"""Tests that no operation enlarges any part of a photo beyond the scale that the user is allowed to see."""

from dataclasses import replace
from typing import Any

import pytest

from editor.engine.plan import Step
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.pictures import REGION, apply_steps, ball, scenery, step
from tests.engine.test_operations_composition_moves import AROUND, stage


def seen(picture: Picture, view_scale: float) -> Picture:
    return replace(picture, view_scale=view_scale)


QUARTER = (Region(0, 0, 0.5, 0.5),)


@pytest.mark.parametrize(
    ("steps", "options", "expected"),
    [
        ([step("black_and_white")], {}, 0.4),
        ([step("crop", REGION)], {"regions": QUARTER}, 0.4),
        ([step("rotate", degrees=90.0)], {}, 0.4),
        ([step("rotate", degrees=10.0)], {}, 0.4),
        ([step("flip", axis="horizontal")], {}, 0.4),
        ([step("border")], {}, 0.4),
        ([], {"aspect_ratio": "1:1"}, 0.4),
        ([step("resize", percent=400.0)], {}, 0.1),
        ([step("resize", percent=50.0)], {}, 0.8),
        ([step("resize", percent=50.0), step("resize", percent=200.0)], {}, 0.4),
        ([step("stretch", side="width", percent=400.0)], {}, 0.1),
        ([step("zoom", percent=200.0, place="top left")], {}, 0.2),
        ([step("crop", REGION), step("resize", size="240x160")], {"regions": QUARTER}, 0.2),
        ([step("print_size", paper="4 x 6 inches")], {}, 0.4 / 7.5),
    ],
    ids=lambda value: "-".join(one.operation for one in value) if isinstance(value, list) else None,
)
def test_enlarging_the_photo_divides_the_view_scale(
    steps: list[Step], options: dict[str, Any], expected: float
) -> None:
    steps = steps or [step("black_and_white")]
    made = apply_steps(seen(scenery(240, 160), 0.4), *steps, **options)
    assert made.view_scale == pytest.approx(expected, rel=1e-3)


def test_enlarging_a_thing_divides_the_view_scale_but_shrinking_it_does_not() -> None:
    def scale_after(percent: float) -> float:
        larger = step("resize_thing", REGION, percent=percent)
        return apply_steps(seen(stage(), 0.4), larger, regions=(AROUND,)).view_scale

    assert scale_after(150.0) == pytest.approx(0.4 / 1.5, rel=0.02)
    assert scale_after(80.0) == 0.4


def test_a_collage_is_limited_by_the_photo_with_the_smallest_view_scale() -> None:
    small, large = seen(scenery(120, 80), 1.0), seen(scenery(480, 320), 0.1)
    made = apply_steps(small, step("collage", layout="row"), photos=(large,))
    across = made.width / 2  # the large photo's width in the collage, including the gutters
    assert made.view_scale <= 0.1 * 480 / (across * 0.9)
    assert made.view_scale < 0.25


@pytest.mark.parametrize("operation", ["sticker", "photo_background"])
@pytest.mark.parametrize(("width", "is_bound"), [(900, False), (90, True)], ids=["smaller", "larger"])
def test_a_second_photo_limits_the_view_scale_only_if_it_is_enlarged(
    operation: str, width: int, is_bound: bool
) -> None:
    supplied = seen(scenery(width, round(width * 0.75)), 0.4)
    made = apply_steps(seen(ball(), 0.5), step(operation, photo=2), photos=(supplied,))
    assert (made.view_scale < 0.4) == is_bound
    assert made.view_scale <= 0.5


def test_a_cutout_from_a_second_photo_limits_the_view_scale_too() -> None:
    made = apply_steps(scenery(900, 600), step("sticker", photo=2, cutout=True), photos=(seen(ball(), 0.01),))
    assert made.view_scale < 0.02


def test_a_photo_without_a_limit_has_a_view_scale_of_one() -> None:
    assert apply_steps(scenery(), step("black_and_white")).view_scale == 1
