"""Tests for deciding which plans need an analysis, and for stored analyses that cannot be read."""

from pathlib import Path

import pytest

from editor.engine import analyzing
from editor.engine.analyzing import load_analysis, needs_analysis
from editor.engine.language.explain import explain
from editor.engine.vision import analysis as vision
from editor.options import EditOptions, Point, Region


@pytest.mark.parametrize(
    ("prompt", "needs_one"),
    [
        ("make it brighter", False),
        ("rotate it 90 degrees", False),
        ("make the red car blue", True),
        ("blur the background", True),
        ("pixelate the faces", True),
        ("remove the text", True),
        ("make the top darker", False),
        ("crop to the box", False),
        ("crop to the cat", True),
        ("make the box darker", True),
        ("make it brighter and make the sky darker", True),
    ],
)
def test_a_plan_that_names_something_in_the_photo_needs_an_analysis(prompt: str, needs_one: bool) -> None:
    boxes = (Region(0.1, 0.1, 0.5, 0.5),) if "box" in prompt else ()
    plan = explain(prompt, regions=boxes)
    assert plan.accepted
    assert needs_analysis(plan.steps, EditOptions(regions=boxes)) == needs_one


def test_any_plan_with_a_click_on_photo_1_needs_an_analysis() -> None:
    plan = explain("make it brighter", points=[Point(0.5, 0.5)])
    assert needs_analysis(plan.steps, EditOptions(points=(Point(0.5, 0.5),)))
    without = explain("make it brighter")
    assert not needs_analysis(without.steps, EditOptions(points=(Point(0.5, 0.5, image=2),)))


def test_an_unreadable_analysis_counts_as_no_analysis(tmp_path: Path) -> None:
    (tmp_path / "broken.npz").write_bytes(b"PK no archive")
    for path in (None, str(tmp_path / "none.npz"), str(tmp_path / "broken.npz")):
        assert load_analysis(path) is None


def test_the_analyzing_version_equals_the_vision_version() -> None:
    assert analyzing.VERSION == vision.VERSION
