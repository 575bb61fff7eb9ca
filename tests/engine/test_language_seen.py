"""Things found by their name: what is looked for, and what no detector can tell."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Target
from tests.engine.readings import BOX, only_reason, only_step


def thing(noun: str, place: str | None = None, color: str | None = None, count: int | None = None) -> Target:
    return Target("thing", noun=noun, place=place, color=color, count=count)


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("remove the chair", thing("chair")),
        ("get rid of the sofa", thing("couch")),
        ("crop the dog out", thing("dog")),
        ("erase all the cars", thing("cars")),
        ("take the bikes away from the street", thing("bikes")),
        ("delete the three bottles", thing("bottles", count=3)),
        ("remove the white van on the far left", thing("van", "left", "white")),
        ("remove every car", thing("cars")),
        ("remove my coffee mug from the table", thing("cup")),
        ("remove the car behind the fence on the left", thing("car", "left background")),
        ("the two boats on the right need to be removed", thing("boats", "right", count=2)),
        ("erase the dump truck in the distance", thing("truck", "background")),
        ("take the leather brown bag out", thing("bag", color="brown")),
        ("delete all of the ducks on the lake", thing("birds")),
        ("remove all the cars on the highway", thing("cars")),
    ],
)
def test_it_looks_for_a_thing_by_its_name(instruction: str, target: Target) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target) == ("erase", target)
    assert only_step(instruction, boxes=1).target == Target("region", boxes=(1,))


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("remove the man in the yellow jacket", thing("man", color="yellow")),
        ("remove the woman in red", thing("woman", color="red")),
        ("edit out the guy behind me", thing("guy", "background")),
        ("remove both men", thing("men", count=2)),
        ("remove the couple on the left", thing("people", "left", count=2)),
        ("remove the people in the background", thing("people", "background")),
        ("take out everyone behind the bride", thing("people", "background")),
        ("remove the lady in the background on the right", thing("lady", "right background")),
        ("remove the two girls on the right", thing("girls", "right", count=2)),
        ("remove the first man on the right", thing("man", "right")),
        ("can you photoshop my ex out of this picture?", thing("person")),
        ("remove the boy in the foreground", thing("boy", "foreground")),
        ("erase the girl in the background near my dad's shoulder", thing("girl", "background")),
        ("remove the guy in the back, behind the bench", thing("guy", "background")),
        ("erase the man in the background between the bride and her sister", thing("man", "background")),
        ("take out the two man on the left", thing("men", "left", count=2)),
        ("remove the human child on the right", thing("child", "right")),
        ("remove the man on a white background", thing("man")),
        ("remove the woman seated on the left", thing("woman", "left")),
        ("remove each person in the background", thing("people", "background")),
        ("remove two guys in the far background", thing("guys", "background", count=2)),
        ("erase any people that may be visible in the image", thing("people")),
        ("the hikers in the distance should be removed", thing("people", "background")),
        ("remove all the other people from this shot", thing("people", "background")),
        ("get rid of the unwanted people", thing("people", "background")),
        ("remove the tourists", thing("people", "background")),
        ("remove all humans", thing("people")),
        ("make the girl on the left disappear", thing("girl", "left")),
        ("remove the girl in the yellow top", thing("girl", color="yellow")),
        ("remove the man behind the white car", thing("man", "background")),
        ("remove the boy and the girl on the right", thing("people", "right", count=2)),
        ("remove the man and woman in the background", thing("people", "background", count=2)),
    ],
)
def test_it_looks_for_people_by_where_they_are_and_what_they_wear(instruction: str, target: Target) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target) == ("erase", target)


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the people who wear hats",
        "remove the people except my mother",
        "remove the second man",
        "remove the other girl",
        "remove the girl between the bride and the groom",
        "remove the car door",
        "remove the man's hat",
        "remove the shadow of the woman",
        "remove the golf cart",
        "remove the top of the cake",
        "remove a part of the car",
        "remove the black man",
        "remove the man on the left on the right",
        "remove the head of the dog",
        "remove one of the dogs",
        "remove any of the dogs",
        "remove one of the two dogs",
        "remove the dog or the cat",
        "remove the man on the TV",
        "remove the cat on the t-shirt",
        "remove the people from the painting",
        "remove the car park",
        "remove the dog text",
        "remove the kite string",
        "remove the table top",
        "remove the red car's driver",
        "remove the men",
        "remove the players",
        "remove the people from the water",
        "remove the other people on the left",
        "remove the other two boys",
        "remove random cars",
        "remove the gingerbread man",
        "remove the man from the mirror",
        "remove everyone except the couple",
        "remove all people on the lake",
        "remove the cars on the lawn",
        "remove the car in the background blur it",
        "remove the girl and the dog she is walking",
        "erase the cup, if possible the plate",
        "remove the two women so only the men remain",
        "erase all people so that only my aunt is left",
    ],
)
def test_it_looks_for_nothing_that_the_words_leave_open(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "operation", "target"),
    [
        ("make the car blue", "recolor", thing("car")),
        ("change the color of the sheep to black", "recolor", thing("sheep")),
        ("blur the laptop", "blur", thing("laptop")),
        ("brighten the dog on the left", "brightness", thing("dog", "left")),
        ("brighten the man in the red shirt", "brightness", thing("man", color="red")),
        ("crop to the bottle", "crop", thing("bottle")),
        ("draw a red circle around the bus", "shape", thing("bus")),
        ("add an arrow pointing at the cup", "arrow", thing("cup")),
    ],
)
def test_what_is_seen_can_be_changed_and_shown(instruction: str, operation: str, target: Target) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target) == (operation, target)


def test_what_is_seen_can_stay_as_it_is() -> None:
    assert only_step("make everything black and white except the cup").keep == (thing("cup"),)


@pytest.mark.parametrize(
    ("instruction", "kept"),
    [
        ("remove everyone but the two boys on the left", thing("boys", "left", count=2)),
        ("erase all the people except for the lady in the middle", thing("lady", "center")),
        ("remove all people but the man in the green coat", thing("man", color="green")),
        ("remove all people but keep the dog", thing("dog")),
    ],
)
@pytest.mark.parametrize("boxes", [0, 1])  # whoever is marked, the words tell them apart
def test_all_people_can_go_but_one_that_is_told_apart(instruction: str, kept: Target, boxes: int) -> None:
    step = only_step(instruction, boxes=boxes)
    assert (step.operation, step.target, step.keep) == ("erase", thing("people"), (kept,))


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the people but keep the dog",  # those in the box, or all of them?
        "remove these people except the lady in the middle",
        "remove everyone but the girl",
        "remove everyone but him",
    ],
)
def test_a_box_may_be_around_what_goes_or_what_stays(instruction: str) -> None:
    assert "what goes or what stays" in explain(instruction, regions=[BOX]).message


def test_what_is_seen_can_be_cut_out() -> None:
    step = only_step("extract the mug on the left")
    assert step.operation == "transparent_background"
    assert step.target == Target("background", noun="cup", place="left")


def test_a_person_gets_no_other_color() -> None:
    assert only_reason("make the man blue") is Reason.NO_SUCH_TARGET


def test_several_things_are_removed_one_by_one() -> None:
    steps = explain("remove the red car and the dog").steps
    assert [step.target for step in steps] == [thing("car", color="red"), thing("dog")]


def test_a_list_in_the_background_is_there_as_a_whole() -> None:
    steps = explain("remove the people, the tables and the dog in the background").steps
    assert [step.target for step in steps] == [
        thing(noun, "background") for noun in ("people", "tables", "dog")
    ]


@pytest.mark.parametrize(
    ("instruction", "says"),
    [
        ("remove the two people on the left", "the 2 people on the left erased"),
        ("remove the cars", "all cars erased"),
        ("remove the man in the blue coat in the background", "the man in blue in the background erased"),
        ("isolate the bottle", "background transparent, all but the bottle"),
    ],
)
def test_the_plan_says_what_is_looked_for(instruction: str, says: str) -> None:
    assert only_step(instruction).says == says


def test_a_courtesy_ends_a_list() -> None:
    steps = explain("remove the boats and the birds in the background, please").steps
    assert [step.target for step in steps] == [thing("boats", "background"), thing("birds", "background")]


def test_what_is_wished_for_if_possible_is_a_part_of_the_list() -> None:
    steps = explain("remove the bench and if possible the bus").steps
    assert [step.target for step in steps] == [thing("bench"), thing("bus")]


def test_who_is_left_may_be_told_of_those_on_a_side() -> None:
    step = only_step("remove the two men on the left so only the kids remain")
    assert step.target == thing("men", "left", count=2)


def test_what_belongs_to_somebody_is_not_them() -> None:
    assert not explain("remove the player's helmet").accepted
    assert only_step("remove my sister's friend").target == Target("thing", noun="person")
    assert only_step("remove my friend's daughter on the left").target.place == "left"


@pytest.mark.parametrize("name", ["coach", "niece", "security guard"])
def test_people_of_many_names_are_persons(name: str) -> None:
    assert only_step(f"remove the {name} on the left").target == Target("thing", noun="person", place="left")


def test_a_comparison_needs_a_place_or_a_color() -> None:
    assert not explain("remove the shortest woman").accepted
    assert only_step("remove the shortest woman on the right").target == thing("woman", "right")
