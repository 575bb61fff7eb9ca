"""How many there are to be of a thing, and where it goes: what is asked in which words."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Kind, Reason, Target
from tests.engine.readings import BOX, measure_of, only_reason, only_step, said


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("Change the count of horses to 4", "copies of the horse until there are 4"),
        ("change the number of metal green cars to three", "copies of the green car until there are 3"),
        ("increase the number of boats from 2 to 5", "copies of the boat until there are 5"),
        ("make it six apples", "copies of the apple until there are 6"),
        ("change to four vases", "copies of the vase until there are 4"),
        ("there should be 3 clocks in the photo", "copies of the clock until there are 3"),
        ("add two more bowls", "2 more copies of the bowl"),
        ("change the count of wooden benches to 2", "copies of the bench until there are 2"),
        ("change the count of paper pink flag to 3", "copies of the pink flag until there are 3"),
    ],
)
def test_a_count_is_filled_up_with_copies(instruction: str, words: str) -> None:
    assert said(instruction) == [words]
    assert only_step(instruction).kind is Kind.ADD


def test_a_count_leaves_what_is_kept() -> None:
    plan = explain("change the count of horses to 3, keep the sheep unchanged")
    assert [step.operation for step in plan.steps] == ["count_thing"]


def test_the_number_and_the_thing_are_in_the_step() -> None:
    step = only_step("change the count of red cars to 5")
    assert (step.operation, measure_of(step)) == ("count_thing", (5, "count"))
    assert step.target == Target("thing", noun="cars", color="red")
    assert measure_of(only_step("add 3 additional cakes")) == (3, "more")


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        ("change the count of horses to 1", Reason.AMBIGUOUS),
        ("change the count of horses to 40", Reason.AMBIGUOUS),
        ("change the number of people to 6", Reason.AMBIGUOUS),
        ("change the count of silk blue scarf to 3", Reason.NEEDS_GENERATION),
        ("change the count of green eye to 3", Reason.NEEDS_GENERATION),
        ("change the count of lanterns to 3", Reason.NO_SUCH_TARGET),
        ("change the count of metal gray pipe to 3", Reason.NO_SUCH_TARGET),
        ("change the count of pink petals to 3", Reason.NO_SUCH_TARGET),
    ],
)
def test_what_cannot_be_counted_or_copied_is_refused(instruction: str, reason: Reason) -> None:
    assert only_reason(instruction) is reason


@pytest.mark.parametrize(
    ("instruction", "boxes", "words"),
    [
        ("change the count of horses to 4", 1, "copies of the marked horse until there are 4 with it"),
        (
            "change the count of wooden lantern to 3",
            1,
            "copies of what the box marks until there are 3 with it",
        ),
        (
            "change the count of metal gray pipe to 3",
            1,
            "copies of what the box marks until there are 3 with it",
        ),
        (
            "change the number of red cars to 5",
            2,
            "copies of the red car in boxes 1 and 2 until there are 5 with them",
        ),
    ],
)
def test_what_the_boxes_mark_is_counted_up(instruction: str, boxes: int, words: str) -> None:
    assert said(instruction, boxes=boxes) == [words]
    assert only_step(instruction, boxes=boxes).target.boxes == tuple(range(1, boxes + 1))


@pytest.mark.parametrize(
    ("instruction", "boxes"),
    [
        ("change the count of lanterns to 2", 2),  # they are there
        ("add two more bowls", 1),  # around a bowl, or where they go?
        ("change the count of cups on the left to 3", 1),
        ("change the count of girls to 3", 1),
        ("change the count of hats to 3", 1),
        ("change the count of stop signs to 3", 1),
    ],
)
def test_boxes_that_tell_nothing_to_count_up_are_refused(instruction: str, boxes: int) -> None:
    assert not explain(instruction, regions=[BOX] * boxes).accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "change it to 3 columns",
        "make it two photos",
        "change the amount of red to 5",
        "add two dogs more red",
    ],
)
def test_other_numbers_are_no_count(instruction: str) -> None:
    assert all(step.operation != "count_thing" for step in explain(instruction).steps)


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        (
            "change the position of metal blue bus to left of red truck",
            "the blue bus moved to the left of the red truck",
        ),
        ("change the position of the cat to above of the couch.", "the cat moved above the couch"),
        (
            "change the position of paper green folder to below of pink lamp",
            "the green folder moved below the pink lamp",
        ),
        ("move the bowl to the right of the yellow tray", "the bowl moved to the right of the yellow tray"),
    ],
)
def test_a_color_tells_what_goes_where(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    "instruction",
    [
        "change the position of wool red hat to left of the dog",  # worn
        "change the position of the dog to left of wooden brown gate",  # much in a photo is brown
        "change the position of statue to above of the dog",
    ],
)
def test_what_no_eye_finds_needs_a_box(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NEEDS_REGION


def test_what_stands_on_a_pole_is_not_copied_without_it() -> None:
    assert only_reason("change the count of stop signs to 4") is Reason.LOW_CONFIDENCE
