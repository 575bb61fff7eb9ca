"""Words that say which one of several is meant: those that no eye can check are never dropped."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Target
from tests.engine.readings import BOX, only_reason, only_step

WHICH = [
    "the boy with red hair",
    "the girl who wears shorts",
    "the tall man waving at the camera with a hat",
    "the elderly woman",
    "the blonde haired girl",
    "the squatting man",
    "the man facing right",
    "the woman on the phone",
    "the man sitting on the chair",
    "the man in my brother's car",
    "the man next to the tree",
    "the man with the red car",
    "the woman next to the girl in white",
    "the man to the left of the statue",
    "the driver in the front seat",
    "the two men in the bushes",
    "the dog my wife is holding",
    "the umbrella the woman holds",
    "the car next to the blue car",
    "the smaller dog",
    "the boy's dog",
    "the cup of the bald man",
    "the cup on the table on the left of the vase",
    "the bottle in the left man's hands",
]


@pytest.mark.parametrize("name", WHICH)
@pytest.mark.parametrize(
    "wish",
    [
        *("remove {}", "brighten {}", "cut out {}", "crop to {}", "zoom in on {}", "move {} to the top"),
        *("remove all people except {}", "make it black and white except {}", "add a heart above {}"),
    ],
)
def test_no_wish_drops_them(wish: str, name: str) -> None:
    """It is refused, or it is about the only one that the photo shows, and the plan says so."""
    plan = explain(wish.format(name))
    assert not plan.accepted or all("the only" in step.says for step in plan.steps)


@pytest.mark.parametrize("name", WHICH)
def test_a_box_needs_none_of_them(name: str) -> None:
    assert only_step(f"remove {name}", boxes=1).target == Target("region", boxes=(1,))


def test_one_thing_so_described_is_the_only_one() -> None:
    assert only_step("remove the elderly woman").target == Target("thing", noun="woman", count=1)
    assert only_step("remove the boy with red hair").says == "the only boy erased"


def test_the_refusal_names_the_words() -> None:
    plan = explain("Remove the two girls with the long braids.")
    assert only_reason("Remove the two girls with the long braids.") is Reason.NEEDS_REGION
    assert "“with the long braids”" in plan.message
    assert "box" in plan.message


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("remove the guy with a cap in the background", Target("thing", noun="guy", place="background")),
        ("remove the dog in the front", Target("thing", noun="dog", place="foreground")),
        ("remove the man at the front of the photo", Target("thing", noun="man", place="foreground")),
        ("remove the tall man on the left", Target("thing", noun="man", place="left")),
        ("remove the old man in the blue coat", Target("thing", noun="man", color="blue")),
        ("remove the girl walking on the beach", Target("thing", noun="girl")),
        ("remove the dog lying on the grass", Target("thing", noun="dog")),
        ("remove my annoying brother in law", Target("thing", noun="man")),
        ("remove the photobombing guy", Target("thing", noun="guy")),
        ("remove the phone from her hand", Target("thing", noun="phone")),
        ("remove the bottle of soda on the table", Target("thing", noun="bottle")),
        ("remove the tourist from this photo of a temple", Target("thing", noun="person")),
    ],
)
def test_a_place_a_color_or_the_scene_tells_enough(instruction: str, target: Target) -> None:
    assert only_step(instruction).target == target


@pytest.mark.parametrize("part", ["airplane wing", "airplane's wing", "wing of the airplane"])
def test_a_wing_is_no_airplane(part: str) -> None:
    assert only_reason(f"remove the {part}") is Reason.NEEDS_REGION
    assert explain(f"remove the {part}", regions=[BOX]).accepted


@pytest.mark.parametrize("instruction", ["remove everyone else", "get rid of everyone else in this shot"])
def test_everyone_else_is_in_the_background(instruction: str) -> None:
    assert only_step(instruction).target == Target("thing", noun="people", place="background")


def test_everyone_else_on_a_side_is_not_all_who_are_there() -> None:
    assert only_reason("remove everyone else on the right") is Reason.NEEDS_REGION


def test_a_slip_of_the_pen_still_joins_two_wishes() -> None:
    plan = explain("erase the people in the background a make the photo brighter")
    assert [step.operation for step in plan.steps] == ["erase", "brightness"]


@pytest.mark.parametrize("verb", ["prune", "expel", "oust", "cleanse", "efface", "weed out", "brush away"])
def test_it_knows_many_words_for_removing(verb: str) -> None:
    assert only_step(f"{verb} the twig", boxes=1).operation == "erase"


def test_what_is_only_allowed_is_not_done() -> None:
    plan = explain("Remove the man on the right - you can crop the photo if that's easier")
    assert [step.operation for step in plan.steps] == ["erase"]


@pytest.mark.parametrize("flaw", ["flyaway hairs", "flyaways", "wetness"])
def test_what_lies_all_around_is_not_cut_out_with_its_box(flaw: str) -> None:
    assert only_reason(f"remove the {flaw}", boxes=1) is Reason.LOW_CONFIDENCE


def test_a_move_to_two_places_is_not_guessed() -> None:
    assert only_reason("move the man under the umbrella to the left") is Reason.AMBIGUOUS
