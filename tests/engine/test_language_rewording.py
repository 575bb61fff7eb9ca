"""Wishes for light and color as people tell them: in steps, by comparison, run into each other."""

import pytest

from editor.engine.language.explain import explain
from editor.options import Region

BOX = Region(0.2, 0.2, 0.4, 0.4)
Moves = list[tuple[str, float | None]]


def moves(instruction: str) -> Moves:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    return [(step.operation, step.amount) for step in plan.steps]


def places(instruction: str) -> list[tuple[str, str]]:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    return [(step.operation, step.target.noun or step.target.what) for step in plan.steps]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("choose brightness, slide the bar 20 points to the right, click ok", [("brightness", 0.2)]),
        ("Adjust contrast. Move the slider left by 10. Press OK to keep the setting.", [("contrast", -0.1)]),
        ("Select color, subtract red and press apply", [("tint", -0.35)]),
        ("Adjust the light for the shadows, slide the bar to brighten about 15 points", [("shadows", 0.15)]),
        ("Image -> Adjustments -> Hue/Saturation -> Saturation +12", [("saturation", 0.12)]),
        ("use the curves tool to darken it", [("brightness", -0.35)]),
        ("use a levels layer and add contrast", [("contrast", 0.35)]),
        ("make a level on RGB more contrast", [("contrast", 0.4)]),
    ],
)
def test_what_is_clicked_is_nothing_and_what_is_moved_is_the_wish(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    "instruction",
    [
        "Adjust brightness/contrast, then slide the bar 10 points",
        "select the best one",
        "click ok",
        "use the curves",
        "midtones blue +20",
    ],
)
def test_it_rejects_a_bar_that_is_not_named(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("darken it by 10-20 points", [("brightness", -0.15)]),
        ("increase the contrast 10 to 20 percent", [("contrast", 0.15)]),
        ("lower the exposure by 2/3 stop", [("exposure", -0.335)]),
        ("brighten it 2 or 3 notches", [("brightness", 0.35)]),
        ("one level darker", [("brightness", -0.2)]),
        ("blue +30", [("tint", 0.3)]),
        ("apply sepia at 40%", [("sepia", 0.4)]),
    ],
)
def test_it_reads_amounts_of_several_numbers(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


def test_it_still_takes_a_numbered_photo_for_one() -> None:
    assert "Attach photo 3" in explain("use photo 3 as the background").message


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("change the contrast a bit more and a bit brightness", [("contrast", 0.2), ("brightness", 0.2)]),
        ("adjust the saturation more", [("saturation", 0.4)]),
        ("adjust the brightness less", [("brightness", -0.35)]),
        ("sharpness more", [("sharpness", 0.4)]),
        ("needs light contrast and color", [("brightness", 0.35), ("contrast", 0.35), ("saturation", 0.35)]),
        ("more color less contrast", [("contrast", -0.4), ("saturation", 0.4)]),
        ("vivid&bright:) go wild", [("saturation", 0.35), ("brightness", 0.35)]),
        (
            "raise the exposure, contrast and tone",
            [("exposure", 0.35), ("contrast", 0.35), ("saturation", 0.35)],
        ),
        ("make the whites brighter and the blacks deeper", [("highlights", 0.35), ("shadows", -0.35)]),
        ("bring the brightness up and the contrast down", [("brightness", 0.35), ("contrast", -0.35)]),
        ("the picture is not very sharp", [("sharpness", 0.4)]),
        ("dim the photo a bit", [("brightness", -0.2)]),
        ("softer colors and less contrast", [("saturation", -0.35), ("contrast", -0.35)]),
        ("too dark, needs color", [("brightness", 0.35), ("saturation", 0.35)]),
        ("the whites are too yellow", [("tint", -0.35)]),
        ("high contrast black and white", [("black_and_white", None), ("contrast", 0.35)]),
        ("increase brightness (20%), increase contrast (10%)", [("brightness", 0.2), ("contrast", 0.1)]),
    ],
)
def test_it_reads_the_direction_wherever_it_stands(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize("instruction", ["adjust the temperature a bit more", "change the shadows more"])
def test_it_never_guesses_which_way_more_is(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("the second photo is sharper and warmer than the first", [("sharpness", 0.35), ("warmth", 0.35)]),
        ("2nd picture is brighter", [("brightness", 0.35)]),
        ("the pic on the right has more contrast", [("contrast", 0.4)]),
        ("the left image is darker than the right one", [("brightness", 0.35)]),
        ("the input is dull, the edited picture is more vivid", [("saturation", 0.35)]),
    ],
)
def test_it_makes_the_one_photo_like_the_second(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    "instruction",
    [
        "the right photo is darker",
        "the left one is blurry",
        "the second car is brighter",
        "the right side is darker than the left side",
        "the right picture is brighter and has a hat",
    ],
)
def test_it_rejects_a_description_that_may_be_of_a_part(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_second_photo_that_was_given_is_that_photo() -> None:
    assert not explain("the second photo is brighter", photos=2).accepted
    assert not explain("the right picture is brighter", regions=[BOX]).accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("brighten it and make sure the whites don't blow out", [("brightness", 0.2)]),
        ("lighten the photo without overexposing the sky", [("brightness", 0.2)]),
        ("add contrast but not much", [("contrast", 0.2)]),
        ("keep the cool tones but brighten it", [("brightness", 0.35)]),
        ("saturation not needed, just sharpen", [("sharpness", 0.35)]),
        ("no need for more contrast, only lighten it", [("brightness", 0.35)]),
        ("darken it so the colors are preserved", [("brightness", -0.35)]),
    ],
)
def test_it_takes_care_of_what_is_to_stay(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    "instruction",
    ["keep the cool tones but warm it up", "keep the contrast", "remove the sign and keep the shadows"],
)
def test_it_rejects_to_keep_what_it_would_change(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("make the picture better by adding contrast", [("contrast", 0.35)]),
        ("adjust the colors by adding some blue", [("tint", 0.35)]),
        ("make it darker by changing the exposure", [("brightness", -0.35)]),
        ("make it retro and reddish", [("faded", None), ("tint", 0.35)]),
        ("a sepia look with more contrast", [("sepia", None), ("contrast", 0.4)]),
        ("more contrast will make it pop", [("contrast", 0.4)]),
        ("a bit more color would be nice", [("saturation", 0.2)]),
        ("the photo leans toward green", [("tint", -0.35)]),
        ("it has a blue tint get rid of it", [("tint", -0.35)]),
        ("the picture is too dark increase the light", [("brightness", 0.35)]),
        ("reduce noise warm the colors", [("denoise", 0.35), ("warmth", 0.35)]),
        ("lower the contrast cool the colors a bit", [("contrast", -0.35), ("warmth", -0.2)]),
        ("make the light brighter and colors pop", [("brightness", 0.35), ("saturation", 0.35)]),
        ("colors should be brighter and image sharper", [("saturation", 0.35), ("sharpness", 0.35)]),
        ("fix the white balance its too orange", [("white_balance", None), ("tint", -0.35)]),
        ("it would look better with more contrast", [("contrast", 0.4)]),
        ("a bit brighter, shadow gone", [("brightness", 0.2), ("shadows", 0.35)]),
        ("it looks good but could be sharper", [("sharpness", 0.35)]),
        ("make it dramatic", [("contrast", 0.4), ("clarity", 0.4)]),
        ("tint it slightly green", [("tint", 0.2)]),
    ],
)
def test_it_reads_the_half_that_tells_how(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    "instruction", ["it looks good", "it doesn't look right", "make it retro and reflective"]
)
def test_it_rejects_what_tells_nothing(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("darken the grass and the trees", [("brightness", "grass"), ("brightness", "trees")]),
        ("more contrast in the sky and the trees", [("contrast", "sky"), ("contrast", "trees")]),
        ("brighten the dog and the background", [("brightness", "dog"), ("brightness", "background")]),
        ("make the sky bluer and grass greener", [("tint", "sky"), ("tint", "grass")]),
        ("make the stage stand out by brightening the background", [("brightness", "background")]),
    ],
)
def test_it_finds_each_part_of_a_list_in_its_own_way(
    instruction: str, expected: list[tuple[str, str]]
) -> None:
    assert places(instruction) == expected


@pytest.mark.parametrize("instruction", ["brighten the walls and the sky", "darken the sky and the rainbow"])
def test_it_never_does_half_of_a_list(instruction: str) -> None:
    assert not explain(instruction).accepted
