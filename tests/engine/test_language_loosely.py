"""Wishes told loosely: what they mean is done, and what only explains or compares moves nothing."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Step
from tests.engine.readings import variant_of

Moves = list[tuple[str, float | None]]


def steps(instruction: str) -> tuple[Step, ...]:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    return plan.steps


def moves(instruction: str) -> Moves:
    return [(step.operation, step.amount) for step in steps(instruction)]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("make green the dominant color", [("tint", 0.65)]),
        ("take out most of the blue", [("tint", -0.65)]),
        ("remove pink and most of the orange from the palette", [("tint", -0.65), ("tint", -0.65)]),
        ("it should be nearly black and white", [("black_and_white", 0.8)]),
        ("change the exposure and color of this photo", [("enhance", 0.35), ("enhance", 0.35)]),
        ("change the brightness or contrast", [("enhance", 0.35)]),
        ("add a cool or dimmer light", [("warmth", -0.35)]),
        ("change the whole color to blue", [("tint", 0.4)]),
        ("change the picture to show a bit more contrast", [("contrast", 0.2)]),
        ("enhance for a sharp, warm picture", [("sharpness", 0.35), ("warmth", 0.35)]),
        ("recolor the picture so it does not look dull", [("saturation", 0.35)]),
        ("lower the saturation of the filter", [("saturation", -0.35)]),
        ("the image needs to be edited to lower the contrast", [("contrast", -0.35)]),
        ("soften up the picture", [("blur", 0.35)]),
        ('could you "sharpen" this picture', [("sharpness", 0.35)]),
        ("remove what looks like mist", [("dehaze", 0.65)]),
        ("bleach out the picture", [("brightness", 0.35)]),
        ("find the right exposure", [("enhance", 0.35)]),
    ],
)
def test_it_reads_the_plain_wish(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("make it darker as opposed to brighter", [("brightness", -0.35)]),
        ("remove the green light as if it was shot in daylight", [("tint", -0.65)]),
        ("add yellow until the wanted tone is achieved", [("tint", 0.35)]),
        ("make the colors more vivid (e.g. a redder scarf)", [("saturation", 0.4)]),
        ("[kinda nsfw] make it brighter", [("brightness", 0.35)]),
        ("make it look... better", [("enhance", 0.35)]),
        ("remove the blue tint for a more natural look", [("tint", -0.65)]),
        ("tint it red to naturalize the colors", [("tint", 0.4)]),
        ("it's too dark and it brings back memories for my aunt", [("brightness", 0.35)]),
        ("make this photo of our first date sharper", [("sharpness", 0.35)]),
        ("make this picture of my cat looking at a bird brighter", [("brightness", 0.35)]),
        ("i'm trying to make an album for my mom. brighten this", [("brightness", 0.35)]),
        ("enhance this picture. Just to make it look good", [("enhance", 0.35)]),
        ("invert the photo so that the background is black", [("negative", None)]),
    ],
)
def test_it_passes_over_what_moves_nothing(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


def test_a_flaw_told_as_the_reason_is_mended() -> None:
    assert moves("make it sharper as it is noisy ruining the print") == [
        ("sharpness", 0.35),
        ("denoise", 0.35),
    ]


def test_what_it_is_for_may_bring_a_color() -> None:
    assert [step.color for step in steps("reduce the blue tint for a natural orange tone")] == [
        "blue",
        "orange",
    ]


def test_an_emphasis_repeats_the_wish_for_the_part() -> None:
    whole, part = steps("make this enlarged holiday photo a bit brighter, especially in the background")
    assert (whole.target.what, part.target.what) == ("whole", "background")
    assert whole.operation == part.operation == "brightness"


@pytest.mark.parametrize(
    ("instruction", "choice"),
    [
        ("change it from landscape to portrait", "2:3"),
        ("crop the photo from vertical to horizontal", "3:2"),
        ("cut it a little bit", "closer"),
        ("crop to enlarge it a bit", "closer"),
    ],
)
def test_it_crops_as_is_meant(instruction: str, choice: str) -> None:
    (step,) = steps(instruction)
    assert (step.operation, variant_of(step)) == ("crop", choice)


def test_it_crops_to_a_head() -> None:
    (step,) = steps("crop to her head")
    assert (step.operation, step.target.what) == ("crop", "face")


def test_it_prints_in_a_size_told_last() -> None:
    assert [step.operation for step in steps("make it sharper, and a size of 5x7")] == [
        "sharpness",
        "print_size",
    ]


@pytest.mark.parametrize(
    "instruction",
    [
        "add a cat or dog",
        "crop to the dog's head",
        "cut it in half",
        "make it red",
        "change the color",
        "I'm trying to make the background white",
    ],
)
def test_it_asks_where_more_than_one_thing_may_be_meant(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_quoted_word_that_is_added_stays_a_text() -> None:
    (step,) = steps('add "brighten" at the top')
    assert (step.operation, step.text) == ("text", "brighten")
