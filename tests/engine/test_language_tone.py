"""Tone: which quality moves, in which direction, how much, and where."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason
from editor.options import Region

BOX = Region(0.1, 0.1, 0.3, 0.3)


def moves(instruction: str) -> list[tuple[str, str, float | None]]:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    return [(step.operation, step.target.what, step.amount) for step in plan.steps]


@pytest.mark.parametrize(
    ("instruction", "operation", "amount"),
    [
        ("brighten", "brightness", 0.35),
        ("Lighten this shot up, please!", "brightness", 0.35),
        ("give the picture more light", "brightness", 0.4),
        ("darken the photo", "brightness", -0.35),
        ("reduce the darkness", "brightness", 0.35),
        ("it is too dark", "brightness", 0.35),
        ("the picture is way too bright", "brightness", -0.35),
        ("needs more contrast", "contrast", 0.4),
        ("Turn the contrast down", "contrast", -0.35),
        ("make it less vibrant", "saturation", -0.35),
        ("enhance the colours", "saturation", 0.35),
        ("make the colors pop", "saturation", 0.35),
        ("desaturate it", "saturation", -0.35),
        ("make the photo warmer", "warmth", 0.35),
        ("less warm", "warmth", -0.35),
        ("cool the image down", "warmth", -0.35),
        ("add a yellow tint", "warmth", 0.35),
        ("remove the yellow cast", "warmth", -0.65),
        ("less blue tint", "warmth", 0.35),
        ("get rid of the bluish tone", "warmth", 0.65),
        ("sharpen", "sharpness", 0.35),
        ("less blurry", "sharpness", 0.35),
        ("blur the whole photo", "sharpness", -0.35),
    ],
)
def test_it_moves_a_quality_in_the_direction_asked(instruction: str, operation: str, amount: float) -> None:
    assert moves(instruction) == [(operation, "whole", amount)]


@pytest.mark.parametrize(
    ("how_much", "amount"),
    [
        ("a touch", 0.1),
        ("slightly", 0.2),
        ("a little bit", 0.2),
        ("somewhat", 0.2),
        ("quite a bit", 0.4),
        ("a lot", 0.65),
        ("alot", 0.65),
        ("dramatically", 0.8),
        ("as much as possible", 1.0),
    ],
)
def test_it_knows_the_words_for_amounts(how_much: str, amount: float) -> None:
    assert moves(f"brighten the photo {how_much}") == [("brightness", "whole", amount)]


@pytest.mark.parametrize(
    ("instruction", "amount", "percent"),
    [
        ("increase brightness by 20%", 0.2, 20),
        ("decrease brightness by 15 percent", -0.15, 15),
        ("make it 30% brighter", 0.3, 30),
        ("brightness up 10 points", None, None),
        ("reduce the brightness by half", -0.5, 50),
        ("double the brightness", 1.0, 100),
        ("make it half as bright", -0.5, 50),
    ],
)
def test_it_takes_numbers_exactly(instruction: str, amount: float | None, percent: float | None) -> None:
    plan = explain(instruction)
    if amount is None:
        assert not plan.accepted or plan.steps[0].operation == "brightness"
    else:
        assert [(step.amount, step.exact) for step in plan.steps] == [(amount, (percent, "percent"))]


def test_it_gives_each_quality_its_own_amount() -> None:
    assert moves("make it a little brighter and a lot more colorful") == [
        ("brightness", "whole", 0.2),
        ("saturation", "whole", 0.65),
    ]


def test_it_takes_a_closing_too_for_also() -> None:
    assert moves("brighten it and increase the contrast a bit too")[1] == ("contrast", "whole", 0.2)


def test_it_rejects_a_second_wish_that_hides_behind_a_name() -> None:
    assert not explain("sharpen the letters and center them", regions=[BOX]).accepted


def test_it_shares_the_only_amount_of_a_clause() -> None:
    assert moves("increase contrast and saturation slightly") == [
        ("contrast", "whole", 0.2),
        ("saturation", "whole", 0.2),
    ]


def test_it_ends_a_less_before_a_comparative() -> None:
    assert moves("less warm and sharper") == [("warmth", "whole", -0.35), ("sharpness", "whole", 0.35)]


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("darken the background", "background"),
        ("make only the backdrop darker", "background"),
        ("reduce the brightness behind me", "background"),
        ("darken the subject", "subject"),
        ("make the people darker", "subject"),
        ("darken everything", "whole"),
    ],
)
def test_it_keeps_to_the_part_that_is_named(instruction: str, target: str) -> None:
    assert [step.target.what for step in explain(instruction).steps] == [target]


def test_it_gives_two_verbs_the_target_that_they_share() -> None:
    assert moves("brighten and sharpen the subject") == [
        ("brightness", "subject", 0.35),
        ("sharpness", "subject", 0.35),
    ]


@pytest.mark.parametrize(
    "instruction",
    ["brighten the sky", "make her face lighter", "sharpen the dog", "darken the man in the background"],
)
def test_it_never_turns_a_part_that_it_cannot_find_into_the_whole(instruction: str) -> None:
    plan = explain(instruction)
    assert plan.steps == ()
    assert [refusal.reason for refusal in plan.not_understood] == [Reason.NO_SUCH_TARGET]
    assert "box" in plan.message


@pytest.mark.parametrize("instruction", ["brighten this", "lighten the marked area", "make the dog brighter"])
def test_it_takes_the_box_for_what_is_named(instruction: str) -> None:
    (step,) = explain(instruction, regions=[BOX]).steps
    assert (step.target.what, step.target.boxes) == ("region", (1,))


def test_it_leaves_the_box_alone_when_the_whole_photo_is_named() -> None:
    (step,) = explain("brighten the whole photo", regions=[BOX]).steps
    assert step.target.what == "whole"


@pytest.mark.parametrize("instruction", ["make it better", "fix the lighting", "please improve this picture"])
def test_it_answers_a_vague_wish_by_saying_what_it_does(instruction: str) -> None:
    (step,) = explain(instruction).steps
    assert step.operation == "enhance"
    assert "automatically" in step.says


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("turn it into black and white", "black_and_white"),
        ("b&w", "black_and_white"),
        ("greyscale please", "black_and_white"),
        ("remove all the colour", "black_and_white"),
        ("add a sepia filter", "sepia"),
        ("invert the colors", "negative"),
    ],
)
def test_it_knows_the_looks(instruction: str, operation: str) -> None:
    assert [step.operation for step in explain(instruction).steps] == [operation]


@pytest.mark.parametrize(
    "instruction",
    [
        "more green tint",
        "the photo is dark",
        "make it cooler and warmer",
        "don't brighten it",
        "set the brightness to 40%",
    ],
)
def test_it_rejects_what_it_cannot_be_sure_of(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize("word", ["brigthen", "brightn", "Brihgten"])
def test_it_handles_typing_errors(word: str) -> None:
    assert moves(f"{word} the phto a litle") == [("brightness", "whole", 0.2)]


def test_it_does_not_correct_an_ordinary_noun_into_a_command() -> None:
    assert not explain("make the spider sharper").accepted


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("brighten the background a little", "a little brighter, the background"),
        ("black and white", "black and white, the whole photo"),
        ("increase contrast by 20%", "more contrast by 20%, the whole photo"),
        ("darken the photo completely", "as far as possible: darker, the whole photo"),
    ],
)
def test_it_says_the_step_in_plain_words(instruction: str, said: str) -> None:
    assert [step.says for step in explain(instruction).steps] == [said]


@pytest.mark.parametrize("instruction", ["increase brightness by 200%", "make it 150% brighter"])
def test_it_says_what_it_does_with_more_than_everything(instruction: str) -> None:
    (step,) = explain(instruction).steps
    assert (step.amount, step.exact) == (1.0, None)
    assert step.says == "as far as possible: brighter, the whole photo"


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("too little contrast", "contrast"),
        ("there is too little light", "brightness"),
        ("too little color", "saturation"),
        ("not enough saturation", "saturation"),
    ],
)
def test_it_takes_a_lack_for_a_wish_for_more(instruction: str, operation: str) -> None:
    assert moves(instruction) == [(operation, "whole", 0.4)]


@pytest.mark.parametrize("how", ["strong", "much", "a lot of", "extremely", "plain"])
def test_it_never_makes_a_strong_look_weaker_than_a_plain_one(how: str) -> None:
    assert moves(f"{how} sepia") == [("sepia", "whole", None)]


@pytest.mark.parametrize("instruction", ["zero saturation", "no saturation", "remove all saturation"])
def test_it_leaves_nothing_of_a_quality_that_is_not_wanted(instruction: str) -> None:
    assert moves(instruction) == [("saturation", "whole", -1.0)]


@pytest.mark.parametrize("instruction", ["more contrast and less", "more and less contrast"])
def test_it_never_drops_a_second_direction(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    "instruction",
    ["make it 0% brighter", "blur by 0", "rotate by 0 degrees", "rotate by 360 degrees", "resize to 100%"],
)
def test_it_rejects_what_would_change_nothing(instruction: str) -> None:
    (refusal,) = explain(instruction).not_understood
    assert refusal.hint == "Nothing would change."


@pytest.mark.parametrize(
    ("instruction", "targets"),
    [
        ("increase brightness and reduce contrast of the background", ["background", "background"]),
        ("increase brightness, contrast and reduce saturation of the subject", ["subject"] * 3),
        ("make it brighter and reduce contrast of the background", ["whole", "background"]),
        ("increase brightness and blur the background", ["whole", "background"]),
        ("increase brightness. Reduce contrast of the background", ["whole", "background"]),
    ],
)
def test_it_shares_a_closing_place_among_changes_without_an_object(
    instruction: str, targets: list[str]
) -> None:
    assert [target for _, target, _ in moves(instruction)] == targets


def test_it_refuses_all_that_shares_a_place_that_it_cannot_find() -> None:
    assert explain("increase brightness and reduce contrast of the sky", partial=True).steps == ()
    assert [
        s.target.what for s in explain("more light and reduce contrast of the sky", regions=[BOX]).steps
    ] == [
        "region",
        "region",
    ]


@pytest.mark.parametrize(
    ("instruction", "amounts"),
    [
        ("brighter by 20 percent and sharper by 30 percent", [0.2, 0.3]),
        ("increase contrast by 20% and saturation by 30%", [0.2, 0.3]),
        ("increase contrast and brightness by 20%", [0.2, 0.2]),
        ("make it brighter and slightly warmer", [0.35, 0.2]),
        ("make it slightly brighter and warmer", [0.2, 0.2]),
    ],
)
def test_it_gives_an_amount_to_the_quality_beside_it(instruction: str, amounts: list[float]) -> None:
    assert [amount for _, _, amount in moves(instruction)] == amounts


@pytest.mark.parametrize(
    "instruction",
    [
        "blur the background a lot and the subject a little",
        "20% brighter by 30%",
        "darken by -20%",
        "make it as bright as the background",
        "bring the brightness down and the contrast up",
    ],
)
def test_it_rejects_more_amounts_than_changes(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "signs"),
    [
        ("too much light, not enough color", [-1, 1]),
        ("more color and less contrast", [-1, 1]),
        ("more contrast and color", [1, 1]),
        ("more color and contrast", [1, 1]),
        ("add more color, contrast and brightness", [1, 1, 1]),
    ],
)
def test_it_never_drops_the_colors_of_a_list(instruction: str, signs: list[int]) -> None:
    assert [1 if (amount or 0) > 0 else -1 for _, _, amount in moves(instruction)] == signs


@pytest.mark.parametrize(
    "instruction", ["darken around the box", "blur around the subject", "darken behind the box"]
)
def test_it_never_changes_a_landmark(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted
