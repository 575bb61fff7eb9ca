"""One thing for another, in words: what goes, which prop comes, and what stays refused."""

import pytest

from editor.engine.kinds import kinds_of
from editor.engine.language.explain import explain
from editor.engine.plan import Kind, Plan, Reason
from tests.engine.readings import BOX, measure_of, only_reason, only_step, said, variant_of


@pytest.mark.parametrize(
    ("instruction", "gone", "name"),
    [
        ("replace the dog with a bench", "dog", "bench"),
        ("Swap the vase for a teapot, please", "vase", "teapot"),
        ("swap out the laptop for a stylish lamp", "laptop", "lamp"),
        ("turn the horse into a rock", "horse", "rock"),
        ("change the sandwich to a lemon", "sandwich", "lemon"),
        ("change the sandwich to an orange", "sandwich", "orange"),
        ("make the ball a pumpkin", "ball", "pumpkin"),
        ("put a mushroom instead of the cup", "cup", "mushroom"),
        ("add a candle in the place of the bottle", "bottle", "candle"),
        ("exchange bus with tent", "bus", "tent"),
        ("Replace the sheep in the image with a large rock", "sheep", "rock"),
        ("replace the priest in this photo by a snowman", "person", "snowman"),
        ("replace the wine bottle with a bottle", "bottle", "bottle"),
    ],
)
def test_a_thing_goes_and_a_prop_comes(instruction: str, gone: str, name: str) -> None:
    step = only_step(instruction)
    assert (step.kind, step.operation, variant_of(step)) == (Kind.ADD, "prop_instead", name)
    assert kinds_of(step.target.noun) == kinds_of(gone)


def test_the_plan_says_what_goes_and_whose_picture_comes() -> None:
    assert said("replace the left chair with a small red mushroom") == [
        "the chair on the left replaced by a small mushroom (a picture of Darkroom's own)"
    ]
    assert said("replace the two cats with two pumpkins") == [
        "the 2 cats, each replaced by a pumpkin (a picture of Darkroom's own)"
    ]


def test_a_plan_survives_its_form() -> None:
    plan = explain("replace the dog with three blue mugs", regions=[BOX])
    assert plan.accepted
    assert Plan.from_json(plan.as_json()) == plan


def test_a_box_marks_what_nobody_looks_for() -> None:
    assert only_reason("replace the kettle with a vase") is Reason.NEEDS_REGION
    step = only_step("replace the kettle with a vase", boxes=1)
    assert (step.target.what, step.target.boxes) == ("region", (1,))
    assert measure_of(only_step("replace it with two yellow mugs", boxes=1)) == (2, "count")


def test_a_color_is_no_fruit() -> None:
    assert only_step("change the bowl to orange").operation == "recolor"
    assert only_step("change the color of the bowl to orange").operation == "recolor"
    assert only_step("change the red cup to a blue cup").operation == "recolor"


@pytest.mark.parametrize(
    "instruction",
    [
        "replace the dog with a giraffe",
        "replace the dog with the bench",
        "replace the dog with a rotten apple",
        "replace the dog with a transparent chair",
        "replace the background with a tree",
        "replace the man with a dog with a tree",
        "turn the photo into a book",
        "replace the dogs with a bench",
        "replace the two dogs with three benches",
        "replace his hat with a top hat",
        "replace the stop sign with a tree",
    ],
)
def test_what_has_no_picture_or_no_place_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_what_somebody_wears_is_no_exchange() -> None:
    assert only_step("make the doll wear a hat", boxes=1).operation == "prop"
