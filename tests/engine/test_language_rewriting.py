"""A text in the place of another, in words: which one goes, what is written, and what stays refused."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Kind, Plan, Reason
from tests.engine.readings import BOX, only_reason, only_step, said, variant_of


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ('change the word "Lunch" to "Dinner"', "Lunch", "Dinner"),
        ("Replace 'Open' with 'Closed', please", "Open", "Closed"),
        ('swap "Monday" for "Friday"', "Monday", "Friday"),
        ('substitute "tea" for "coffee"', "coffee", "tea"),
        ('fix the typo: "Recieved" should be "Received"', "Recieved", "Received"),
        ('the word "Restarant" should be spelled "Restaurant"', "Restarant", "Restaurant"),
        ('write "Winter" instead of "Summer"', "Summer", "Winter"),
        ('edit "Helo" so that it reads "Hello"', "Helo", "Hello"),
        ("change the caption to 'The End'", None, "The End"),
        ('make the text say "Hello"', None, "Hello"),
        ("change the text to read 'Hello'", None, "Hello"),
        ('change the date from "2019" to "2024"', "2019", "2024"),
    ],
)
def test_one_text_is_replaced_by_another(instruction: str, old: str | None, new: str) -> None:
    for boxes, what in ((0, "text"), (1, "region")):
        step = only_step(instruction, boxes=boxes)
        assert (step.kind, step.operation, step.target.what) == (Kind.ADD, "text_instead", what)
        assert (variant_of(step), step.text) == (old, new)


@pytest.mark.parametrize(
    "instruction",
    [
        'make the shirt say "Hello"',
        'make her cap say "Hello"',
        'change the sign so it says "Hello"',
        'the banner should read "Hello" instead of "Help"',
        'replace the number "12" on the red bus with "Hello"',
        'change the license plate to "Hello"',
        'change what the poster says to "Hello"',
        'put "Hello" on the sign instead of "Help"',
    ],
)
def test_text_on_a_thing_is_marked_with_a_box(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NEEDS_REGION
    step = only_step(instruction, boxes=1)
    assert (step.operation, step.text, step.target.boxes) == ("text_instead", "Hello", (1,))


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("change the word bread to cake", "bread", "cake"),
        ("Fix the spelling of Libary to Library", "Libary", "Library"),
        ("change the number 7 to 12", "7", "12"),
        ("change the sign to say No Swimming", None, "No Swimming"),
        ('change the word "bread" to "cake', "bread", "cake"),
    ],
)
def test_quotes_may_be_missing_where_the_letters_are_sure(
    instruction: str, old: str | None, new: str
) -> None:
    step = only_step(instruction, boxes=1)
    assert (step.operation, variant_of(step), step.text) == ("text_instead", old, new)


def test_the_plan_promises_no_more_than_can_be_seen() -> None:
    assert said('replace "Open" with "Closed"', boxes=1) == [
        "all the text in the box replaced by “Closed”, in its color and a plain font"
    ]
    assert said('change the text to "Closed" in dark blue') == [
        "the only text in the photo replaced by “Closed”, in dark blue and a plain font"
    ]


def test_other_wishes_stand_beside_it() -> None:
    plan = explain('change the word "Lunch" to "Dinner" and brighten the photo', regions=[BOX])
    assert [step.operation for step in plan.steps] == ["text_instead", "brightness"]
    assert Plan.from_json(plan.as_json()) == plan


@pytest.mark.parametrize("boxes", [0, 1])
@pytest.mark.parametrize(
    "instruction",
    [
        'make the man say "Hello"',  # in a bubble, or on his shirt
        'change the sky to "blue"',
        'change the color of the text to "red"',
        'replace the cat with "DOG"',
        'change the letter after "A" to "B"',
        'make all the letters say "Hi" bigger',
        'change the text to "Hi" in the same font',
        'change "one" to "two" and "three" to "four"',  # in one place
        'change the text to "\u6625"',
        "make the text say hello in red letters",
        "make the sign easier to read",
    ],
)
def test_what_is_no_such_wish_or_not_clear_is_refused(instruction: str, boxes: int) -> None:
    plan = explain(instruction, regions=[BOX] * boxes)
    assert not plan.accepted
    assert plan.message


def test_letters_that_no_font_has_are_refused_at_once() -> None:
    assert only_reason('add the text "\u6625" at the top') is Reason.UNKNOWN_WORD


def test_a_text_is_still_added() -> None:
    assert only_step('add the text "Summer" at the bottom').operation == "text"
    assert only_step('add a caption saying "Summer"').operation == "text"
