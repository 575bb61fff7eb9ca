"""Wishes that were once carried out wrongly, refused without need, or told untruly."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Target
from editor.options import Region

BOX = Region(0.2, 0.2, 0.4, 0.4)
Moves = list[tuple[str, str, float | None]]


def moves(instruction: str, boxes: int = 0) -> Moves:
    plan = explain(instruction, regions=[BOX] * boxes)
    assert plan.accepted, plan.message
    return [(step.operation, step.target.what, step.amount) for step in plan.steps]


def kept(instruction: str, boxes: int = 0) -> list[tuple[str, str, list[str]]]:
    plan = explain(instruction, regions=[BOX] * boxes)
    assert plan.accepted, plan.message
    return [(step.operation, step.target.what, [target.what for target in step.keep]) for step in plan.steps]


def sayings(instruction: str, boxes: int = 0) -> list[str]:
    return [step.says for step in explain(instruction, regions=[BOX] * boxes).steps]


@pytest.mark.parametrize(
    "instruction",
    [
        "turn the b&w picture into a color picture",
        "convert my picture from black and white to color",
        "make this black and white shot colored",
        "change the grayscale image to color",
        "add color to this black and white picture",
    ],
)
def test_it_never_takes_what_a_photo_is_for_what_it_is_to_become(instruction: str) -> None:
    plan = explain(instruction, partial=True)
    assert plan.steps == ()
    assert [refusal.reason for refusal in plan.not_understood] == [Reason.NEEDS_GENERATION]


@pytest.mark.parametrize(
    "instruction", ["make it a black and white picture", "turn the color picture into black and white"]
)
def test_it_still_takes_the_color_away(instruction: str) -> None:
    assert moves(instruction) == [("black_and_white", "whole", None)]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        (
            "make the background blurry and the subject brighter",
            [("blur_background", "background", 0.35), ("brightness", "subject", 0.35)],
        ),
        (
            "make the face darker and the background sharper",
            [("brightness", "face", -0.35), ("sharpness", "background", 0.35)],
        ),
        (
            "more saturation in the background and less contrast on the face",
            [("saturation", "background", 0.4), ("contrast", "face", -0.35)],
        ),
    ],
)
def test_it_changes_each_part_in_its_own_way(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


def test_it_refuses_a_tint_of_the_shadows_alone() -> None:
    assert explain("add some green to the shadows", partial=True).steps == ()


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("make the hazy background clear", [("sharpness", "background", 0.35)]),
        ("turn the sharp background blurry", [("blur_background", "background", 0.35)]),
        ("make the dull picture vivid", [("saturation", "whole", 0.35)]),
        ("sharpen the black and white picture", [("sharpness", "whole", 0.35)]),
        ("make the bright areas darker", [("highlights", "whole", -0.35)]),
        ("make the dark areas lighter", [("shadows", "whole", 0.35)]),
        ("the shadows look too dark", [("shadows", "whole", 0.35)]),
        ("the highlights are far too bright", [("highlights", "whole", -0.35)]),
        ("a little more light in the shadows", [("shadows", "whole", 0.2)]),
    ],
)
def test_it_never_orders_what_a_photo_is_like(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    "instruction",
    ["it has a green cast, remove it", "the photo has a red tint", "make the yellow tint warmer"],
)
def test_it_never_adds_the_tint_that_is_there(instruction: str) -> None:
    assert all((step.amount or 0) < 0 for step in explain(instruction, partial=True).steps)


@pytest.mark.parametrize(
    "instruction",
    [
        "erase the woman in the box and the blue car",
        "erase the object in the box and the writing",
        "remove the scratches and the man on the right",
        "pixelate the faces and the box",
        "crop to the box and the woman",
    ],
)
def test_it_never_drops_the_second_thing_of_a_list(instruction: str) -> None:
    assert explain(instruction, regions=[BOX], partial=True).steps == ()


def test_it_draws_every_shape_of_a_list() -> None:
    plan = explain("draw a blue star at the top left and a red triangle at the bottom")
    drawn = [(step.choice, step.color, step.place) for step in plan.steps]
    assert drawn == [("star", "blue", "top left"), ("triangle", "red", "bottom")]


def test_it_gives_an_arrow_no_color_of_another_shape() -> None:
    plan = explain("add an arrow to the box and a green circle around the face", regions=[BOX], partial=True)
    assert [(step.operation, step.color) for step in plan.steps] == [("arrow", None)]
    assert [refusal.words for refusal in plan.not_understood] == ["a green circle around the face"]


@pytest.mark.parametrize(
    "instruction",
    [
        "brighten everything but the lamp",
        "make it cooler but keep the grass green",
        "desaturate everything except blue",
        "change nothing but the grass: make it brighter",
        "sharpen it, don't change the lamp",
        "don't change the colors, just make it more vivid",
    ],
)
def test_it_carries_out_nothing_that_a_lost_exception_belongs_to(instruction: str) -> None:
    assert explain(instruction, partial=True).steps == ()


def test_it_takes_leaves_for_leaves() -> None:
    plan = explain("turn the red hat blue and remove the yellow leaves")
    assert [(step.operation, step.target) for step in plan.steps] == [
        ("recolor", Target("thing", "red", "hat")),
        ("erase", Target("thing", "yellow", "leaves")),
    ]


@pytest.mark.parametrize(
    ("instruction", "boxes", "expected"),
    [
        (
            "darken the photo but not the box and make the photo sepia",
            1,
            [("brightness", "whole", ["region"]), ("sepia", "whole", [])],
        ),
        (
            "darken the photo except the face, and draw a blue circle around the face",
            0,
            [("brightness", "whole", ["face"]), ("shape", "face", [])],
        ),
        (
            "crop it to 1:1 and make it sepia but keep the face as it is",
            0,
            [("crop", "whole", []), ("sepia", "whole", ["face"])],
        ),
        ("make it black and white but not the box", 1, [("black_and_white", "whole", ["region"])]),
        ("make it darker and keep box 1", 1, [("brightness", "whole", ["region"])]),
        ("keep the blue door and make the rest sepia", 0, [("sepia", "whole", ["thing"])]),
        ("blur the background, not the woman", 0, [("blur_background", "background", [])]),
    ],
)
def test_it_keeps_a_part_only_from_the_wishes_it_belongs_to(
    instruction: str, boxes: int, expected: list[tuple[str, str, list[str]]]
) -> None:
    assert kept(instruction, boxes) == expected


@pytest.mark.parametrize(
    "instruction",
    ["rotate the photo and keep the box as it is", "zoom in on the box and leave the background as it is"],
)
def test_it_refuses_to_move_what_is_to_stay(instruction: str) -> None:
    assert explain(instruction, regions=[BOX], partial=True).steps == ()


@pytest.mark.parametrize(
    "instruction",
    [
        "exposure -2",
        "enhance the shadows",
        "increase the resolution",
        "remove the green lights",
        "remove everything blue",
        "change the green tint to red",
        "more brightness, less",
        "add a shadow",
    ],
)
def test_it_asks_back_when_two_things_may_be_meant(instruction: str) -> None:
    plan = explain(instruction, partial=True)
    assert plan.steps == ()
    assert plan.not_understood[0].hint


@pytest.mark.parametrize(
    "instruction", ["put photo 2 to the right of photo 1", "put photo 1 on top of photo 2"]
)
def test_it_lays_no_photo_over_another_for_another_wish(instruction: str) -> None:
    assert explain(instruction, photos=2, partial=True).steps == ()


@pytest.mark.parametrize(
    "instruction",
    [
        "the cluttered background is awful, make it darker",
        "my lamp is ugly, make it brighter",
        "adjust the brightness of the background to make it lighter",
    ],
)
def test_it_never_takes_a_part_that_it_did_not_understand_for_the_photo(instruction: str) -> None:
    assert explain(instruction, partial=True).steps == ()


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("remove the saturation", [("saturation", "whole", -1.0)]),
        ("correct the noise", [("denoise", "whole", 0.65)]),
        ("fix the blur", [("sharpness", "whole", 0.65)]),
        ("the picture is hazy, please fix it", [("dehaze", "whole", 0.35)]),
        ("soften the colours", [("saturation", "whole", -0.35)]),
        ("no more grain", [("denoise", "whole", 0.65)]),
        ("remove the grain and the text", [("denoise", "whole", 0.65), ("erase_text", "whole", None)]),
        ("make it warmer, not cooler", [("warmth", "whole", 0.35)]),
        ("its way too bright can you fix it", [("brightness", "whole", -0.35)]),
        ("not sharp enough", [("sharpness", "whole", 0.4)]),
        ("brightness -10, contrast +25", [("brightness", "whole", -0.1), ("contrast", "whole", 0.25)]),
        ("don't change the colors, just sharpen it a lot", [("sharpness", "whole", 0.65)]),
        (
            "remove the background, make it sepia",
            [("transparent_background", "background", None), ("sepia", "whole", None)],
        ),
        ("first flip it, then sharpen it", [("flip", "whole", None), ("sharpness", "whole", 0.35)]),
    ],
)
def test_it_reads_the_usual_meaning(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "choices"),
    [
        ("mirror it along the horizontal axis", ["vertical"]),
        ("flip the photo along the vertical axis", ["horizontal"]),
        ("flip it vertically and horizontally", ["vertical", "horizontal"]),
        ("flip it vertically, then flip it vertically again", ["vertical", "vertical"]),
    ],
)
def test_it_flips_as_often_and_the_way_it_is_told(instruction: str, choices: list[str]) -> None:
    assert [step.choice for step in explain(instruction).steps] == choices


def test_it_says_where_in_whole_words() -> None:
    assert sayings("crop 15% off the top and the right") == ["15% cropped off the top and the right"]
    assert sayings("turn the red car's door blue", 1) == ["red car's door in the marked place turned blue"]
    assert sayings("turn the green car in the box blue", 1) == ["green car in the marked place turned blue"]


def test_it_quotes_no_character_that_cannot_be_shown() -> None:
    message = explain('frobnicate "a\tb\x00c"').message
    assert message.isprintable()
    assert '"frobnicate' in message


def test_it_never_calls_noise_out_of_reach() -> None:
    told = explain("remove the noise and the lamp").message
    assert "not available" not in told


@pytest.mark.parametrize(
    "instruction",
    ["less yellow and fix the colors of the whole photo", "increase brightness and enhance the image"],
)
def test_it_never_splits_wishes_for_light_between_a_box_and_the_photo_unasked(instruction: str) -> None:
    targets = {step.target.what for step in explain(instruction, regions=[BOX]).steps}
    plan = explain(instruction, regions=[BOX])
    assert not plan.accepted or len(targets) == 1
    assert explain(instruction).accepted


def test_a_very_small_amount_is_small() -> None:
    [step] = explain("lower the contrast by a very small amount").steps
    assert step.amount == pytest.approx(-0.1)
