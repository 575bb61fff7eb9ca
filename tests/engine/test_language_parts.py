"""Parts of people by their name: which the plan looks for, whose they are, and what is left to a box."""

import pytest

from editor.engine.kinds import PARTS
from editor.engine.language.explain import explain
from editor.engine.language.lexicon.seen import PARTS as WORDS
from editor.engine.plan import Plan, Reason, Target
from tests.corpus import BOX
from tests.engine.readings import only_reason, only_step


def part(noun: str, **fields: object) -> Target:
    return Target("thing", noun=noun, **fields)  # type: ignore[arg-type]


def says(instruction: str) -> list[str]:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    return [step.says for step in plan.steps]


@pytest.mark.parametrize(
    ("instruction", "target", "color"),
    [
        ("turn my shirt green", part("shirt"), "green"),
        ("could you make her hair blonde?", part("hair"), "blonde"),
        ("recolor the jacket to dark red, please", part("jacket"), "dark red"),
        ("change the color of the boy's T-shirt to yellow", part("T-shirt", of="boy"), "yellow"),
        ("make the woman's top red", part("top", of="woman"), "red"),
        ("dye his hair brown", part("hair"), "brown"),
        ("paint the hair of the girl purple", part("hair", of="girl"), "purple"),
        ("make the sweater of the man on the left blue", part("sweater", of="man", place="left"), "blue"),
        ("make the dress on the right white", part("dress", of="person", place="right"), "white"),
        ("turn the lady's coat a lighter shade of blue", part("coat", of="lady"), "light blue"),
        ("change my hair from brown to black", part("hair"), "black"),
        ("replace his suit with a red one", part("suit"), "red"),
        ("make the girl's white blouse pink", part("blouse", of="girl", color="white"), "pink"),
        ("turn all the flowers orange", part("flowers"), "orange"),
        ("color the petals pink", part("petals"), "pink"),
    ],
)
def test_a_part_gets_another_color(instruction: str, target: Target, color: str) -> None:
    found = only_step(instruction)
    assert (found.operation, found.target, found.color) == ("recolor", target, color)


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("make the horse's coat black", part("horse")),
        ("change the dog's fur to white", part("dog")),
        ("make the fur of the cat orange", part("cat")),
        ("turn the fur gray", part("animal")),
        ("dye the sheep's hair blonde", part("sheep")),
    ],
)
def test_the_fur_of_an_animal_is_all_of_it(instruction: str, target: Target) -> None:
    assert only_step(instruction).target == target


@pytest.mark.parametrize(
    ("instruction", "operation", "target"),
    [
        ("make his jacket darker", "brightness", part("jacket")),
        ("brighten the man's hair", "brightness", part("hair", of="man")),
        ("make the roses more vivid", "saturation", part("roses")),
        ("sharpen her dress", "sharpness", part("dress")),
        ("make the teeth less yellow", "tint", part("teeth")),
    ],
)
def test_the_tone_of_a_part_changes(instruction: str, operation: str, target: Target) -> None:
    found = only_step(instruction)
    assert (found.operation, found.target) == (operation, target)


@pytest.mark.parametrize("instruction", ["whiten the teeth", "make my teeth whiter", "make her teeth white"])
def test_teeth_get_whiter_but_not_painted(instruction: str) -> None:
    found = only_step(instruction)
    assert (found.operation, found.target.noun, found.color) == ("recolor", "teeth", "white")
    assert found.amount is not None
    assert 0.3 < found.amount < 0.9


def test_teeth_get_a_little_whiter() -> None:
    assert says("whiten her teeth a little") == ["a little whiter, the teeth"]


@pytest.mark.parametrize(
    ("instruction", "told"),
    [
        ("make her hair black", "the hair turned black"),
        ("make the boy's shirt red", "the boy's shirt turned red"),
        ("make the hair of the man on the right gray", "the man's hair on the right turned gray"),
        ("make the girl's white blouse pink", "the girl's white blouse turned pink"),
        ("make the horse's coat black", "the horse turned black"),
    ],
)
def test_the_plan_says_whose_part_it_is(instruction: str, told: str) -> None:
    assert says(instruction) == [told]


@pytest.mark.parametrize(
    "instruction",
    [
        "make the girls' dresses pink",  # of several
        "make both shirts blue",
        "make the shirt and the jacket red",
        "make the collar of the shirt white",  # a part of a part
        "make the letters on the shirt red",
        "make the left sleeve of her dress green",
        "make the shirt blue and white",
        "turn the shirt into a dress",
        "change the flowers to red tulips",
        "make the flower pot yellow",
        "make the flowers behind the bench red",
        "make the top blue",  # of what?
        "make his eyes green",  # too small to be told for sure
        "make the trees pink",
        "change the color of his helmet to white",
        "make the rabbit's fur white",  # no such thing is known
        "paint a rose red",  # it may be a new one
        "paint red roses on her dress",
        "make the car blonde",
        "make the man black",  # a person has no color
    ],
)
def test_what_no_colors_tell_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_box_shows_the_part_better_than_its_name() -> None:
    assert only_step("make her hair red", boxes=1).target == Target("region", noun="hair", boxes=(1,))


def test_nothing_is_turned_into_its_own_color() -> None:
    assert only_reason("make the boy's red shirt red") is Reason.AMBIGUOUS


@pytest.mark.parametrize(
    ("instruction", "noun"),
    [
        ("change the color of the man to pink", "man"),
        ("paint the children blue", "children"),
    ],
)
def test_somebody_as_a_whole_is_painted_only_where_that_is_said(instruction: str, noun: str) -> None:
    assert only_step(instruction).target.noun == noun


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("make the child brighter", part("child")),
        ("blur the man", part("man")),
        ("sharpen the people", part("people")),
        ("brighten the man and the baby", part("people", count=2)),
        ("brighten him", Target("subject")),
    ],
)
def test_people_are_looked_for_by_their_name(instruction: str, target: Target) -> None:
    assert only_step(instruction).target == target


def test_every_part_of_the_language_can_be_looked_for() -> None:
    assert set(WORDS) - {"fur"} <= set(PARTS)


def test_a_part_survives_its_way_through_json() -> None:
    plan = explain("make the hair of the man on the left red")
    assert Plan.from_json(plan.as_json()) == plan
    assert plan.steps[0].as_json()["target"]["of"] == "man"


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("change the color of the leaves to orange", "green leaves turned orange"),
        ("turn the yellow leaves red", "yellow leaves turned red"),
        ("swap the red for green", "red parts turned green"),
    ],
)
def test_leaves_are_green_unless_another_color_is_told(instruction: str, said: str) -> None:
    assert says(instruction) == [said]


@pytest.mark.parametrize(
    "instruction", ["make the leaves green", "turn the dead leaves red", "make the wall almost white"]
)
def test_it_takes_no_color_for_granted_else(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("dye her hair blonde", "hair in the marked place turned blonde"),
        ("whiten my teeth a little", "a little whiter, teeth in the marked place"),
    ],
)
def test_hair_and_teeth_are_looked_for_in_a_box_too(instruction: str, said: str) -> None:
    [only] = explain(instruction, regions=BOX).steps
    assert only.says == said
    assert (only.target.what, only.target.boxes) == ("region", (1,))


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("give the man blonde hair", ["the man's hair turned blonde"]),
        ("let her have purple hair", ["the hair turned purple"]),
        ("the flowers should look light yellow", ["the flowers turned light yellow"]),
        ("make the roses look white", ["the roses turned white"]),
        ("make the buses and the trucks orange", ["all buses turned orange", "all trucks turned orange"]),
        ("paint the broccoli purple", ["the broccoli turned purple"]),
        ("color the white and brown dog black", ["the dog turned black"]),
        ("change the color of the red and yellow jacket to gray", ["the jacket turned gray"]),
        ("make the lion blue", ["the subject turned blue"]),
        (
            "turn all the green to purple and the red to white",
            ["green parts turned purple", "red parts turned white"],
        ),
        ("dye the pasture violet", ["grass turned violet"]),
    ],
)
def test_a_new_color_may_be_told_in_many_ways(instruction: str, said: list[str]) -> None:
    assert says(instruction) == said


def test_eyes_need_a_box() -> None:
    assert not explain("let the owl have orange eyes").accepted
    plan = explain("let the owl have orange eyes", regions=BOX)
    assert [(step.operation, step.color, step.target.what) for step in plan.steps] == [
        ("recolor", "orange", "region")
    ]
