"""What is fixed, corrected and adjusted: each named part in its own way, and nothing else."""

import pytest

from editor.engine.language.explain import explain
from editor.options import Region


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
        "make the cup clear and refined",
        "add a color overlay",
        "remove the green tint from the carpet",
        "darken the top of the trees",
    ],
)
def test_it_rejects_what_may_mean_something_else(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("the truck should turn green", ["the truck turned green"]),
        ("the truck's color ought to be green", ["the truck turned green"]),
        ("the truck must adopt a green hue", ["the truck turned green"]),
        ("let the truck shine in green", ["the truck turned green"]),
        ("make sure the truck is green", ["the truck turned green"]),
        ("coat the truck in shades of green", ["the truck turned green"]),
        ("green shall cover the truck", ["the truck turned green"]),
        ("pick green for the truck", ["the truck turned green"]),
        ("green for the truck's hue", ["the truck turned green"]),
        ("make the truck green in color", ["the truck turned green"]),
        ("give the truck a green color", ["the truck turned green"]),
        ("alter the hue of the roses to white", ["the roses turned white"]),
        ("infuse the truck with a green tint", ["more green, the truck"]),
        ("give the truck a green tint", ["more green, the truck"]),
    ],
)
def test_a_color_is_wished_for_in_many_words(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("make the highlights less harsh", ["darker highlights"]),
        ("make the light from the window less intense", ["darker highlights"]),
        ("make the shadows less intense", ["lighter shadows"]),
        ("make the light more intense", ["brighter"]),
        ("make the colors stronger and lighter", ["more vivid", "brighter"]),
        ("a lot more light exposure", ["much more exposure"]),
        ("sharpen, add hue, more vivid", ["sharper", "more vivid"]),
        ("add a red tint and raise a bit", ["a little more red"]),
        ("less contrast to mimic more pink light", ["less contrast", "more pink"]),
        ("lighten the photo and remove the shadow", ["brighter", "lighter shadows"]),
        ("darken the back of the picture", ["darker, the background"]),
        ("bring out the items in the background", ["sharper, the background"]),
        ("make the leaves greener", ["more green, green leaves"]),
        ("brighten the trees and make the lake bluer", ["brighter, green trees", "more blue, water"]),
        ("remove the blue tint from her skin", ["much less blue, skin"]),
        ("take the retro look off", ["color improved automatically"]),
        ("get rid of the unwanted grain", ["much less noise"]),
        ("remove the hazy appearance", ["much less haze"]),
        ("defog it for better quality", ["less haze"]),
        ("restore the crispness and contrast", ["sharper", "more contrast"]),
        ("it has odd colours", ["color cast evened out"]),
        ("it has strange colors and bad quality", ["light, color and sharpness improved automatically"]),
        ("the photo is lifeless", ["more vivid"]),
        ("make it vivid:)pls go wild", ["more vivid"]),
        ("final photo with my aunt, can it be less blurry", ["sharper"]),
    ],
)
def test_plain_wishes_in_other_words(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == expected


def test_what_is_marked_is_not_both_changed_and_kept() -> None:
    box = Region(0.1, 0.1, 0.3, 0.3)
    assert not explain("give the van a red tint, but leave the fence as it is", regions=[box]).accepted
