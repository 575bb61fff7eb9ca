"""What is fixed, corrected and adjusted: each named part in its own way, and nothing else."""

import pytest

from editor.engine.language.explain import explain


def said(instruction: str) -> list[str]:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    return [step.says.removesuffix(", the whole photo") for step in plan.steps]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("Colour/Light Correction", ["color improved automatically", "light improved automatically"]),
        ("fix the light and the colours", ["light improved automatically", "color improved automatically"]),
        ("correct the glare and the tones", ["much darker highlights", "color improved automatically"]),
        ("fix the underexposure and the focus", ["much more exposure", "sharper"]),
        ("fix the fog and the light", ["much less haze", "light improved automatically"]),
        ("adjust the light and the clarity", ["light improved automatically", "more local contrast"]),
        ("fix the glare from the sun", ["much darker highlights"]),
        ("correct the over exposure", ["much less exposure"]),
        ("fix this underexposed picture", ["more exposure"]),
        ("please correct this fuzzy photo", ["sharper"]),
        ("fix this fuzzy old photo", ["light, color and sharpness improved automatically"]),
    ],
)
def test_each_named_part_is_mended_in_its_own_way(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("enhance all the colors, then make them pop", ["more vivid"]),
        ("enhance the colors and make them bold and powerful", ["more vivid"]),
        ("enhance and cool the colors", ["more vivid", "cooler"]),
        ("increase the natural colors", ["more vivid"]),
        ("raise the natural brightness", ["brighter"]),
        ("darken the red color", ["darker, red parts"]),
        ("brighten the blue tones", ["brighter, blue parts"]),
        ("make the dark colors much darker", ["much darker shadows"]),
        ("liven up the colors", ["more vivid"]),
        ("reinforce the colors", ["more vivid"]),
        (
            "touch up the sky to make it more pink",
            ["more contrast, sky", "more vivid, sky", "more pink, sky"],
        ),
        ("change the tone from yellow to blue", ["less yellow", "more blue"]),
        ("change the color from sepia to black and white", ["black and white"]),
        ("make it so that the photo is brighter", ["brighter"]),
        ("crop it to remove the extra background", ["cropped around the subject"]),
        ("sharpen this whole picture and the background", ["sharper"]),
    ],
)
def test_a_wish_for_colors_is_no_more_than_that(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("brighten the grass and make it greener", ["brighter, grass", "more green, grass"]),
        ("sharpen the boat, and make it brighter", ["sharper, the boat", "brighter, the boat"]),
        ("her face is dark", ["brighter, the faces"]),
        ("make the dog stand out", ["more contrast, the dog", "more vivid, the dog"]),
        ("raise the contrast of the picture whiten teeth", ["more contrast", "whiter, the teeth"]),
        ("exposure", ["more exposure"]),
        ("add red eye reduction", ["red eyes corrected"]),
    ],
)
def test_it_is_the_thing_that_was_named_before(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == expected


@pytest.mark.parametrize(
    "instruction",
    [
        "change the resolution",
        "make it a higher resolution",
        "darken the background and sharpen it",
        "brighten the boy and make it warmer",
        "brighten the car and make it black and white",
        "make it so that she is not in the photo",
    ],
)
def test_it_rejects_what_may_mean_something_else(instruction: str) -> None:
    assert not explain(instruction).accepted
