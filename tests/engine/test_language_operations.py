"""Recoloring, the numbers of photos, and what contradicts itself."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Target
from tests.engine.readings import BOX, only_reason, only_step


@pytest.mark.parametrize(
    ("instruction", "color", "noun", "new"),
    [
        ("make the red car blue", "red", "car", "blue"),
        ("turn the white shirt dark green", "white", "shirt", "dark green"),
        ("change the color of the yellow door to grey", "yellow", "door", "gray"),
        ("paint the green boat #F00", "green", "boat", "#ff0000"),
        ("change red to blue", "red", None, "blue"),
    ],
)
def test_it_recolors_a_thing_that_is_named_by_its_color(
    instruction: str, color: str, noun: str | None, new: str
) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target, step.color) == ("recolor", Target("thing", color, noun), new)


def test_it_recolors_inside_the_box() -> None:
    step = only_step("make the car blue", boxes=1)
    assert (step.target.what, step.target.boxes, step.color) == ("region", (1,), "blue")


@pytest.mark.parametrize("instruction", ["make the lamp blue", "turn the curtain pink"])
def test_it_requires_a_color_or_a_box_to_find_a_thing(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NO_SUCH_TARGET


@pytest.mark.parametrize("instruction", ["turn it blue", "turn him into a green frog"])
def test_it_rejects_a_new_color_for_nothing_in_particular(instruction: str) -> None:
    assert not explain(instruction, regions=[]).accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "make photo 2 black and white",
        "brighten the second photo",
        "crop photo 2 to a square",
        'add text "Hi" to photo 2',
        "make the background of photo 2 white",
        "blur the background of photo 2",
        "make the subject of photo 2 brighter",
        "brighten photo 2 and darken photo 1",
        "sharpen photos 1 and 2",
        "brighten photo 1 and photo 2",
        "brighten all photos",
        "brighten both photos",
        "brighten both",
        "brighten all",
        "This is photo 2. Brighten it.",
        "brighten the photos",
        "make them brighter",
        "sharpen the other one",
        "sharpen the last photo",
        "brighten photo number 2",
        "replace the background of photo 2 with photo 1",
        "use the background of photo 2",
    ],
)
@pytest.mark.parametrize("boxes", [0, 1])
def test_it_rejects_changing_any_photo_but_the_first(instruction: str, boxes: int) -> None:
    plan = explain(instruction, photos=2, regions=[BOX] * boxes)
    assert not plan.accepted
    assert plan.not_understood[0].hint == "Only photo 1 is changed. Put that photo first."


@pytest.mark.parametrize("instruction", ["brighten 2", "brighten #2", "sharpen 1 and 2"])
def test_it_never_takes_the_number_of_a_photo_for_an_amount(instruction: str) -> None:
    assert not explain(instruction, photos=2).accepted


@pytest.mark.parametrize("instruction", ["brighten the photos", "brighten all photos", "brighten photo 1"])
def test_it_handles_the_only_photo_by_any_name(instruction: str) -> None:
    assert only_step(instruction).target == Target("whole")


def test_it_requires_the_photo_that_is_named() -> None:
    plan = explain("use photo 4 as the background", photos=2)
    assert plan.not_understood[0].reason is Reason.NEEDS_REFERENCE
    assert "photo 4" in plan.message


@pytest.mark.parametrize("instruction", ["swap red and blue", "swap the red with the blue"])
def test_it_rejects_an_exchange_of_colors(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "make the red car red",
        "make the background a bit white",
        "make the background slightly transparent",
        'make the text "Hi" red',
        "add a red and blue border",
        "add a 200% border",
        "rotate -90 degrees to the left",
        "turn it upside down by 90 degrees",
        "enlarge to 20%",
        "shrink to 150%",
        "resize to 50% width",
    ],
)
def test_it_rejects_what_contradicts_itself(instruction: str) -> None:
    assert not explain(instruction).accepted
