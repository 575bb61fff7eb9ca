"""How much: words for degrees, numbers, sliders and stops."""

import pytest

from editor.engine.language.explain import explain
from tests.engine.readings import measure_of, moves, said


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
        ("a tiny amount", 0.1),
        ("a notch", 0.2),
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
        assert [(step.amount, measure_of(step)) for step in plan.steps] == [(amount, (percent, "percent"))]


def test_it_gives_each_quality_its_own_amount() -> None:
    assert moves("make it a little brighter and a lot more colorful") == [
        ("brightness", "whole", 0.2),
        ("saturation", "whole", 0.65),
    ]


def test_it_takes_a_closing_too_for_also() -> None:
    assert moves("brighten it and increase the contrast a bit too")[1] == ("contrast", "whole", 0.2)


def test_it_shares_the_only_amount_of_a_clause() -> None:
    assert moves("increase contrast and saturation slightly") == [
        ("contrast", "whole", 0.2),
        ("saturation", "whole", 0.2),
    ]


@pytest.mark.parametrize("instruction", ["increase brightness by 200%", "make it 150% brighter"])
def test_it_says_what_it_does_with_more_than_everything(instruction: str) -> None:
    (step,) = explain(instruction).steps
    assert (step.amount, measure_of(step)) == (1.0, None)
    assert step.says == "as far as possible: brighter, the whole photo"


@pytest.mark.parametrize("how", ["strong", "much", "a lot of", "extremely", "plain"])
def test_it_never_makes_a_strong_look_weaker_than_a_plain_one(how: str) -> None:
    assert moves(f"{how} sepia") == [("sepia", "whole", None)]


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
        "brighten the photo and the sky",
        "reduce the flash and contrast",
    ],
)
def test_it_rejects_more_amounts_than_changes(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "signs"),
    [("contrast +20", 1), ("brightness -15%", -1), ("saturation up 10%", 1), ("contrast down a bit", -1)],
)
def test_it_takes_the_direction_from_a_sign(instruction: str, signs: int) -> None:
    (step,) = explain(instruction).steps
    assert (1 if (step.amount or 0) > 0 else -1) == signs


def test_it_does_more_where_more_is_wanted() -> None:
    found = explain("cool the picture, especially the girl on the right")
    assert [step.target.what for step in found.steps] == ["whole", "thing"]
    assert {step.operation for step in found.steps} == {"warmth"}
    assert not explain("sharpen the photo, especially remove the sign").accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("exposure +0.5", ["more exposure by 0.5 stops"]),
        ("Exposure: -1", ["less exposure by 1 stop"]),
        ("darken it by one stop", ["less exposure by 1 stop"]),
        ("drop the exposure by half a stop", ["a little less exposure"]),
        ("contrast -20", ["less contrast by 20%"]),
        ("shadows: 40", ["lighter shadows by 40%"]),
        ("Highlights: -60", ["darker highlights by 60%"]),
        ("highlights down to -40", ["darker highlights by 40%"]),
        ("whites +20, blacks -10", ["brighter highlights by 20%", "darker shadows by 10%"]),
        ("brightness +20 contrast -10", ["brighter by 20%", "less contrast by 10%"]),
        ("clarity +20, vibrance +15", ["more local contrast by 20%", "more vibrant colors by 15%"]),
        ("temp +10", ["warmer by 10%"]),
        ("set saturation to -30", ["less colorful by 30%"]),
        ("vibrance 25", ["more vibrant colors by 25%"]),
    ],
)
def test_it_reads_the_sliders_of_a_photographer(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == [f"{effect}, the whole photo" for effect in expected]


@pytest.mark.parametrize(
    "instruction", ["temp 5600K", "set the temperature to 4500 kelvin", "temperature 6500"]
)
def test_it_asks_back_for_a_temperature_in_kelvin(instruction: str) -> None:
    assert "warmer or cooler" in explain(instruction).message


@pytest.mark.parametrize("instruction", ["brightness to 20%", "darken by -20%"])
def test_it_never_guesses_a_level(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_signed_number_is_no_name_of_a_box() -> None:
    assert said("exposure +1", boxes=1) == ["more exposure by 1 stop, the marked place"]
