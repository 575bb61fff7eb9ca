"""Turns of speech around a wish for light and color: each is carried out as the plain wish it stands for."""

import pytest

from editor.engine.language.explain import explain
from editor.options import Region

Moves = list[tuple[str, float | None]]
BOX = Region(0.2, 0.2, 0.4, 0.4)


def moves(instruction: str) -> Moves:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    return [(step.operation, step.amount) for step in plan.steps]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("apply a contrast adjustment", [("enhance", 0.35)]),
        ("increase the strength of the highlights", [("highlights", 0.35)]),
        ("decrease the intensity of the shadows", [("shadows", 0.35)]),
        ("more contrast is not needed just warm it up", [("warmth", 0.35)]),
        ("the request would be to sharpen it", [("sharpness", 0.35)]),
        ("change the settings so the picture is a bit darker", [("brightness", -0.2)]),
        ("use the levels (ctrl+L) to warm it up", [("warmth", 0.35)]),
        ("use the brightness slider to brighten it", [("brightness", 0.35)]),
        ("increase the saturation slider", [("saturation", 0.35)]),
        ("Brightness/Contrast -> decrease both slightly", [("brightness", -0.2), ("contrast", -0.2)]),
        ("move the color balance to the blue side", [("tint", 0.35)]),
        ("sharpen this picture (left)", [("sharpness", 0.35)]),
        ("more contract please", [("contrast", 0.4)]),
        ("a bit of contrast", [("contrast", 0.2)]),
        ("even out the blacks and whites", [("enhance", 0.35)]),
        ("color correct the whites", [("white_balance", None)]),
        ("tone down the sepia a little", [("tint", -0.2)]),
        ("increase the sharpness or clarity", [("sharpness", 0.35)]),
    ],
)
def test_it_reads_the_plain_wish(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("warm it up with an emphasis on contrast", [("warmth", 0.35), ("contrast", 0.35)]),
        ("sharpen it to get rid of the haze", [("sharpness", 0.35), ("dehaze", 0.65)]),
        ("raise the midtones in order to add more contrast", [("brightness", 0.35), ("contrast", 0.4)]),
        ("reduce the yellow to bring out the whites", [("tint", -0.35), ("highlights", 0.35)]),
        ("shift the hue toward a more vibrant pink", [("tint", 0.35), ("saturation", 0.35)]),
        ("brighten the photo but keep the shadows", [("brightness", 0.35), ("shadows", -0.2)]),
        ("darken the photo but keep the highlights bright", [("brightness", -0.35), ("highlights", 0.2)]),
        (
            "brighten the photo to remove the shadow on the fence",
            [("brightness", 0.35), ("shadows", 0.35)],
        ),
        (
            "adjust the colors so the natural colors show and not just the pink tint",
            [("enhance", 0.35), ("tint", -0.35)],
        ),
    ],
)
def test_it_does_both_of_two_wishes(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("make it look like it's a bit darker outside", [("brightness", -0.2)]),
        ("brighter, like the sun is out instead of the gray sky", [("brightness", 0.35)]),
        ("make it a blue, not warm, tone", [("tint", 0.35)]),
        ("brighten it so the horses are also visible", [("brightness", 0.35)]),
        ("add light so the colors are kept and not overly saturated", [("brightness", 0.35)]),
        ("brighten the photo to define the boat", [("brightness", 0.35)]),
        ("brighten the photo, retain the shine on the glass", [("brightness", 0.35)]),
        ("sharpen it (note that the print has been scanned, which cannot be undone)", [("sharpness", 0.35)]),
        ("make the photo sharper. Like the picture on the right.", [("sharpness", 0.35)]),
    ],
)
def test_it_adds_nothing_for_what_only_says_what_it_is_like(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    "instruction",
    [
        "brighten it without washing out the white of the boat",
        "brighten it. Do not make it so bright that it glares",
    ],
)
def test_a_warning_of_too_much_makes_it_a_little(instruction: str) -> None:
    assert moves(instruction) == [("brightness", 0.2)]


def test_colors_that_are_named_beside_a_wish_are_no_fault() -> None:
    steps = explain("make the natural colors brighter and not only the red tones").steps
    assert all(step.color is None for step in steps)


def test_it_takes_a_missing_stop_between_two_photos_for_one() -> None:
    told = moves("the desired photo is sharper the input photo is too dark")
    assert told == [("sharpness", 0.35), ("brightness", 0.35)]


def test_crisp_edges_are_those_of_the_things_and_the_light_is_for_all() -> None:
    plan = explain("clearer and brighter with crisp edges")
    assert [(step.operation, step.target.what) for step in plan.steps] == [
        ("sharpness", "whole"),
        ("brightness", "whole"),
    ]


def test_what_a_box_marks_is_changed_even_as_a_reason() -> None:
    plan = explain("brighten the photo to define the boat", regions=(BOX,))
    assert [step.target.what for step in plan.steps] == ["whole", "region"]


@pytest.mark.parametrize(
    "instruction",
    [
        "brighten the man but keep the shadows",
        "remove the shadow from the wall",
        "move the car to the red side",
        "fix the whites of her eyes",
        "like the picture on the right",
        "turn on the light",
        "apply a warm color adjustment",
        "brighten it (note that the sky should stay as it is)",
        "a little dog",
        "make it look like it's raining outside",
    ],
)
def test_it_rejects_what_only_sounds_alike(instruction: str) -> None:
    assert not explain(instruction).accepted
