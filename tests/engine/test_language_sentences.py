"""How people put their wishes: descriptions, complaints, fragments, lists, choices, and words in haste."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Target
from tests.engine.readings import BOX, measure_of, only_step


def moves(instruction: str) -> list[tuple[str, float | None]]:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    return [(step.operation, step.amount) for step in plan.steps]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("The photo was brightened", [("brightness", 0.35)]),
        ("the image has been darkened a little", [("brightness", -0.2)]),
        ("The contrast has been turned down", [("contrast", -0.35)]),
        ("the colors are richer", [("saturation", 0.35)]),
        (
            "The photo was sharpened and the colors are more vivid",
            [("sharpness", 0.35), ("saturation", 0.4)],
        ),
        ("The picture should be a bit warmer", [("warmth", 0.2)]),
        ("the input image is darker than the desired image", [("brightness", 0.35)]),
        ("the desired image is a bit warmer than the input image", [("warmth", 0.2)]),
        ("the colors look washed out", [("contrast", 0.35)]),
    ],
)
def test_it_takes_the_description_of_an_edit_for_a_wish(
    instruction: str, expected: list[tuple[str, float]]
) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    "instruction",
    [
        "is the photo brighter?",
        "the photo is bright",
        "the left picture is sharper",
        "the sky is brighter than the sea",
        "it was nice",
    ],
)
def test_it_never_takes_another_statement_for_a_wish(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("hazy picture", [("dehaze", 0.35)]),
        ("It's so blurry", [("sharpness", 0.35)]),
        ("it's a little grainy", [("denoise", 0.2)]),
        ("it is to dark", [("brightness", 0.35)]),
        ("sharpness is lacking", [("sharpness", 0.35)]),
        ("this shot needs contrast", [("contrast", 0.35)]),
        ("the photo is dim and needs some light", [("brightness", 0.35)]),
        ("The colours are off", [("white_balance", None)]),
        ("fix the underexposed picture", [("exposure", 0.35)]),
        ("make it not blurry", [("sharpness", 0.35)]),
    ],
)
def test_it_takes_a_complaint_for_a_wish(instruction: str, expected: list[tuple[str, float | None]]) -> None:
    assert moves(instruction)[-1:] == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("1. Brighten the photo 2. Add contrast", [("brightness", 0.35), ("contrast", 0.35)]),
        ("1) sharpen it 2) less red", [("sharpness", 0.35), ("tint", -0.35)]),
        (
            "brightness and warmth up, contrast down",
            [("brightness", 0.35), ("warmth", 0.35), ("contrast", -0.35)],
        ),
        ("turn it from dull to vivid", [("saturation", 0.35)]),
        ("darken it or make it less vivid", [("brightness", -0.35)]),
        ("BRIGHTEN IT A BIT!!! :)", [("brightness", 0.2)]),
        ("it is dull please sharpen it", [("saturation", 0.35), ("sharpness", 0.35)]),
        ("can any1 brighten this up &amp; sharpen it", [("brightness", 0.35), ("sharpness", 0.35)]),
        ("Sharpen to make look more visible", [("sharpness", 0.35)]),
        ("lighten the picture so it's not so dark", [("brightness", 0.35)]),
    ],
)
def test_it_reads_lists_choices_and_words_in_haste(
    instruction: str, expected: list[tuple[str, float]]
) -> None:
    assert moves(instruction) == expected


def test_it_takes_a_number_after_the_sentence_for_its_amount() -> None:
    (step,) = explain("Darken the photo quite a bit. By 30%.").steps
    assert (step.operation, step.amount, measure_of(step)) == ("brightness", -0.3, (30.0, "percent"))


def test_it_rejects_a_number_that_belongs_to_nothing() -> None:
    assert not explain("Add a border. By 30%.").accepted


@pytest.mark.parametrize(
    ("instruction", "targets"),
    [
        (
            "make the sky darker and the grass greener",
            [Target("thing", noun="sky"), Target("thing", noun="grass")],
        ),
        ("make the photo sharper and the blues more vivid", [Target(), Target("thing", color="blue")]),
        ("make the background darker and the whole photo more vivid", [Target("background"), Target()]),
    ],
)
def test_it_gives_a_second_part_its_own_quality(instruction: str, targets: list[Target]) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert [step.target for step in plan.steps] == targets


@pytest.mark.parametrize(
    "instruction",
    [
        "Met her in Rome last spring. Brighten the photo.",
        "Sharpen it. Trying to use this as a profile picture.",
        "Today would be his 60th birthday. Sharpen the photo.",
        "My mother wants a nice picture of me. Brighten it.",
        "Darken the photo. (crossposted from elsewhere)",
        "Brighten her favorite photo of the two of us",
        "Is this possible? Darken the photo",
    ],
)
def test_it_passes_over_what_asks_for_nothing(instruction: str) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert len(plan.steps) == 1


@pytest.mark.parametrize(
    "instruction",
    [
        "Darken the photo, especially the dent on the left",
        "Brighten it. A unicorn on the left.",
        "Left eye. Brighten it.",
        "My mother wants it without the lamp. Brighten it.",
        "My wife wants a mustache on him. Brighten it.",
        "make the photo less hazy, with blue skies",
    ],
)
def test_it_never_passes_over_a_wish(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    "wish",
    [
        "the truck should be green",
        "the truck has to be green, please",
        "let the truck be green",
        "opt for a green color for the truck",
        "coat the truck in green",
        "cover the truck in green lacquer",
        "the truck should be painted green",
        "the truck shall be adorned in green",
        "adorn the truck with a green hue",
        "dye the truck in a green shade",
    ],
)
def test_a_wish_for_the_color_of_a_thing_needs_no_verb_of_change(wish: str) -> None:
    step = only_step(wish)
    assert (step.operation, step.target.noun, step.color) == ("recolor", "truck", "green")


@pytest.mark.parametrize(
    "wish",
    [
        *("her face should be green", "the man must be green", "use green for the car"),
        *("adorn the truck with green ribbons", "the truck should be painted in oils"),
        "swap green and red",
    ],
)
def test_nobody_and_nothing_else_is_colored_by_what_should_be(wish: str) -> None:
    assert all(step.operation != "recolor" for step in explain(wish).steps)


@pytest.mark.parametrize(
    "wish",
    [
        "rid the picture of the truck",
        "ensure that there is no truck",
        "make sure there's no truck in the photo",
        "the truck is to be removed",
        "the truck must be erased",
        "drop out the truck",
    ],
)
def test_what_is_not_to_be_there_is_erased(wish: str) -> None:
    step = only_step(wish)
    assert (step.operation, step.target.noun) == ("erase", "truck")


def test_a_photo_is_rid_of_what_lies_over_all_of_it() -> None:
    assert only_step("free the image from mist").operation == "dehaze"
    assert not explain("cleanse the picture of distortions", regions=[BOX]).accepted


@pytest.mark.parametrize("wish", ["adjust the contrast higher", "turn the contrast higher", "auto contrast"])
def test_a_quality_is_moved_higher(wish: str) -> None:
    step = only_step(wish)
    assert step.operation == "contrast"
    assert (step.amount or 0) > 0


@pytest.mark.parametrize(
    "wish",
    [
        "Can you change the color of the truck? I need it green",
        "Change the color of the truck. I want it green instead of red.",
        "edit the truck so that it is back to green",
        "photoshop the truck so that it's a nice green",
    ],
)
def test_the_color_of_a_thing_may_be_told_later(wish: str) -> None:
    step = only_step(wish)
    assert (step.operation, step.target.noun, step.color) == ("recolor", "truck", "green")


@pytest.mark.parametrize(
    "wish", ["Change the color of the truck. It is green.", "edit the photo so it is green"]
)
def test_what_only_is_of_a_color_is_no_new_one(wish: str) -> None:
    assert all(step.operation != "recolor" for step in explain(wish).steps)
