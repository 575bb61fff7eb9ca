"""A place that is told before what is added, and additions of several sorts."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.language.grammar import atoms
from editor.engine.language.restating.fronting import placed_last
from tests.engine.readings import only_step, variant_of


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("On the left side, add a pumpkin", "Add a pumpkin on the left side"),
        ("to the right of the horse, place a bench", "place a bench to the right of the horse"),
        ("In the top left corner add the text 'Rome'", "add the text 'Rome' in the top left corner"),
        ("Atop the table, put a teapot.", "put a teapot atop the table."),
        ("above the cat, draw a heart", "draw a heart above the cat"),
    ],
)
def test_it_is_read_as_if_it_came_last(first: str, last: str) -> None:
    told, usual = only_step(first), only_step(last)
    assert (told.operation, variant_of(told), told.text) == (usual.operation, variant_of(usual), usual.text)
    assert (told.target, told.place) == (usual.target, usual.place)


def test_what_follows_keeps_its_own_place() -> None:
    plan = explain("On the table, put a teapot and then brighten the photo")
    assert [(step.operation, step.target.noun) for step in plan.steps] == [
        ("prop", "table"),
        ("brightness", None),
    ]


def test_the_words_of_a_step_are_those_of_the_text() -> None:
    instruction = "Beside the dog, add a basket"
    step = only_step(instruction)
    assert instruction[slice(*step.words)] == instruction


@pytest.mark.parametrize(
    "instruction",
    [
        "to make it brighter, add light",
        "at night, add stars",
        "in the middle of the photo is a dog",
        "add a tree on the left",
    ],
)
def test_other_sentences_stay_as_they_are(instruction: str) -> None:
    found = atoms(instruction)
    assert placed_last(found) == list(found)


@pytest.mark.parametrize(
    ("instruction", "operations"),
    [
        ("add balloons and a pumpkin", ["balloons", "prop"]),
        ("add a bench and a heart", ["prop", "shape"]),
        ("insert smoke and fire", ["smoke", "fire"]),
        ("add a snowman, two pine trees and snow", ["prop", "prop", "snow"]),
    ],
)
def test_each_sort_of_addition_is_carried_out(instruction: str, operations: list[str]) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert [step.operation for step in plan.steps] == operations


def test_a_list_of_one_sort_shares_its_place() -> None:
    plan = explain("add a teapot, a mug and a spoon on the table")
    assert [step.target.noun for step in plan.steps] == ["table"] * 3
