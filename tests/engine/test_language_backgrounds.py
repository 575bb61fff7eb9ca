"""Another background: colors, gradients, cut-outs, supplied photos."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Kind, Reason, Target
from tests.engine.readings import BOX, only_reason, only_step


@pytest.mark.parametrize(
    ("instruction", "operation", "color"),
    [
        ("make the background white", "solid_background", "white"),
        ("change the background from black to dark blue", "solid_background", "dark blue"),
        ("put me on a plain gray background", "solid_background", "gray"),
        ("remove the background", "transparent_background", None),
        ("no background", "transparent_background", None),
        ("give it a transparent background", "transparent_background", None),
        ("cut out the subject", "transparent_background", None),
        ("remove the background and make it white", "solid_background", "white"),
        ("delete the backround, then replace with green", "solid_background", "green"),
        ("erase the backdrop and leave it blue", "solid_background", "blue"),
        ("set the cup against a black background", "solid_background", "black"),
        ("make the vase have a white background", "solid_background", "white"),
        ("leave only the cat", "transparent_background", None),
        ("remove the background and leave the two people", "transparent_background", None),
        ("remove the background but keep the quality", "transparent_background", None),
        ("erase everything around the puppy", "transparent_background", None),
        ("take away everything behind her", "transparent_background", None),
        ("remove the backdrop behind the woman holding a cup", "transparent_background", None),
        ("add a portrait mode effect", "blur_background", None),
        ("make the backdrop white instead of black", "solid_background", "white"),
        ("remove the background and save it as a PNG", "transparent_background", None),
        ("blur whatever is behind us", "blur_background", None),
    ],
)
def test_it_changes_the_background(instruction: str, operation: str, color: str | None) -> None:
    step = only_step(instruction)
    assert (step.kind, step.operation, step.color) == (Kind.BACKGROUND, operation, color)


def test_it_spares_the_subject_by_its_name() -> None:
    step = only_step("darken everything except the dog")
    assert (step.operation, step.keep) == ("brightness", (Target("thing", noun="dog"),))


@pytest.mark.parametrize(
    ("instruction", "amount"),
    [
        ("blur the background", 0.35),
        ("make the background completely blurry", 1.0),
        ("add blur to the background", 0.35),
    ],
)
def test_it_blurs_the_background(instruction: str, amount: float) -> None:
    assert (only_step(instruction).operation, only_step(instruction).amount) == ("blur_background", amount)


@pytest.mark.parametrize(
    ("instruction", "color"),
    [
        ("put the bottle on a white background", "white"),
        ("give the cat a plain gray background", "gray"),
        ("change the white background to blue", "blue"),
        ("edit the black background to a white one", "white"),
        ("make the background behind the logo green", "green"),
        ("make the background of this picture completely black", "black"),
        ("set the background to burgundy", "maroon"),
        ("take out the background and make white", "white"),
        ("black out the background", "black"),
        ("change the background from a gray gradient to dark blue", "dark blue"),
    ],
)
def test_it_makes_the_background_one_color(instruction: str, color: str) -> None:
    step = only_step(instruction)
    assert (step.operation, step.color) == ("solid_background", color)


@pytest.mark.parametrize(
    ("instruction", "colors", "place"),
    [
        ("make the background a gradient from blue to white", ("blue", "white"), None),
        ("add a pink and purple gradient background", ("pink", "purple"), None),
        ("gradient background from black to red, left to right", ("black", "red"), "left"),
        ("use a radial gradient of gray and white as the background", ("gray", "white"), "center"),
    ],
)
def test_it_makes_the_background_a_gradient(
    instruction: str, colors: tuple[str, str], place: str | None
) -> None:
    step = only_step(instruction)
    assert (step.operation, step.color, step.choice, step.place) == ("gradient_background", *colors, place)


@pytest.mark.parametrize(
    "instruction", ["add bokeh", "give it a shallow depth of field", "a blurry background please"]
)
def test_it_blurs_the_background_by_other_names(instruction: str) -> None:
    assert only_step(instruction).operation == "blur_background"


@pytest.mark.parametrize(
    "instruction",
    [
        "isolate the dog",
        "make a cutout of the bear",
        "remove everything except the dog",
        "remove the background behind the man",
        "completely remove the background from this bottle",
        "a png with no background",
        "remove the background, leaving only the cat",
        "make the black background transparent",
    ],
)
def test_it_cuts_out_what_the_photo_is_of(instruction: str) -> None:
    assert only_step(instruction).operation == "transparent_background"


def test_it_requires_a_box_to_cut_out_a_part() -> None:
    assert only_reason("extract the blue jacket") is Reason.NEEDS_REGION
    assert only_step("extract the blue jacket", boxes=1).operation == "transparent_background"
    assert only_step("give this a transparent background", boxes=1).operation == "transparent_background"


@pytest.mark.parametrize(
    "instruction",
    [
        "change the background to a white wall",
        "put a white dog in the background",
        "change the background from a gray gradient to black and white stripes",
        "cut the man out",
        "cut out the bottle from this picture",
        "crop out the clock and place it on a white background",
    ],
)
@pytest.mark.parametrize("boxes", [0, 1])
def test_it_rejects_a_background_that_is_not_sure(instruction: str, boxes: int) -> None:
    assert not explain(instruction, regions=[BOX] * boxes).accepted


def test_it_never_erases_a_box_for_a_background() -> None:
    plan = explain("remove the background from the girl add in a new one", regions=[BOX])
    assert not plan.accepted


@pytest.mark.parametrize(
    "instruction",
    [
        *("replace the background", "put me in front of the second picture", "place her on photo 2"),
        *(
            "use the other as the background",
            "remove the background and use photo 2",
            "use image #2 as the backdrop",
        ),
    ],
)
def test_it_finds_the_only_other_photo_for_the_background(instruction: str) -> None:
    step = only_step(instruction, photos=2)
    assert (step.operation, step.photo) == ("photo_background", 2)


@pytest.mark.parametrize(
    "instruction",
    [
        "use photo 2 as the background",
        "replace the background with the second picture",
        "put image 2 behind me",
    ],
)
def test_it_puts_a_supplied_photo_behind(instruction: str) -> None:
    step = only_step(instruction, photos=2)
    assert (step.operation, step.photo) == ("photo_background", 2)


def test_it_finds_the_photo_that_goes_behind_by_its_number() -> None:
    assert only_step("replace the background of photo 1 with photo 2", photos=2).photo == 2
    assert only_step("use the other photo as the background", photos=2).photo == 2
    assert not explain("use the other photo as the background", photos=3).accepted


def test_it_requires_a_photo_for_a_new_scene() -> None:
    assert only_reason("change the background to a beach") is Reason.NEEDS_REFERENCE


@pytest.mark.parametrize(
    ("instruction", "kept"),
    [
        ("make everything but the cat black and white", Target("thing", noun="cat")),
        ("turn everything except the blue door black and white", Target("thing", "blue", "door")),
        ("make everything but the background brighter", Target("background")),
    ],
)
def test_it_changes_everything_but_a_part(instruction: str, kept: Target) -> None:
    step = only_step(instruction)
    assert (step.target, step.keep) == (Target("whole"), (kept,))


@pytest.mark.parametrize(
    "instruction",
    [
        *("save it as a PNG", "change it to portrait mode", "remove a lot of the background"),
        "remove the background and leave only his face",
    ],
)
def test_it_rejects_what_is_not_sure_to_be_a_cut_out(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "choice", "color"),
    [
        ("change the background to a sunset", "sunset", None),
        ("replace the background with a cloudy sky", "sky", None),
        ("make the background a starry sky", "night sky", None),
        ("put him on a gray studio backdrop", "studio", "gray"),
        ("change the background to blurry lights", "bokeh", None),
    ],
)
def test_it_draws_a_background(instruction: str, choice: str, color: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.choice, step.color) == ("drawn_background", choice, color)


def test_a_plain_background_is_white_where_no_color_is_named() -> None:
    assert only_step("give it a plain background").color == "white"
    assert only_step("use a plain red background").color == "red"
    assert only_step("make it a white studio background").operation == "solid_background"


@pytest.mark.parametrize("instruction", ["change the background to a beach", "put me in front of a forest"])
def test_a_scene_needs_a_photo_of_it(instruction: str) -> None:
    plan = explain(instruction)
    assert not plan.accepted
    assert "Attach a photo of a" in plan.message


def test_what_was_removed_is_made_transparent_once() -> None:
    assert only_step("remove the background and made transparent").operation == "transparent_background"


@pytest.mark.parametrize(
    "wish",
    ["create a cutout of the horse on a white background", "crop the horse onto a plain white background"],
)
def test_a_cutout_may_stand_on_a_color(wish: str) -> None:
    step = only_step(wish)
    assert (step.operation, step.color) == ("solid_background", "white")


def test_a_cutout_alone_is_of_the_subject() -> None:
    assert only_step("I need a cutout").operation == "transparent_background"


@pytest.mark.parametrize(
    ("instruction", "operation", "color", "target"),
    [
        ("extract the puppy on a green backdrop", "solid_background", "green", "dog"),
        ("isolate the bottle on a red background", "solid_background", "red", "bottle"),
        ("isolate the bottle with a transparent background", "transparent_background", None, "bottle"),
        ("isolate the horse from its background", "transparent_background", None, "horse"),
        ("cut out the horse", "transparent_background", None, "horse"),
        ("keep only the horse", "transparent_background", None, "horse"),
        ("cut out the woman", "transparent_background", None, None),
        ("isolate the rabbit", "transparent_background", None, None),
    ],
)
def test_what_is_cut_out_is_the_thing_that_is_named(
    instruction: str, operation: str, color: str | None, target: str | None
) -> None:
    step = only_step(instruction)
    assert (step.operation, step.color) == (operation, color)
    assert step.target == Target("background", noun=target)


def test_a_described_person_is_cut_out_alone() -> None:
    assert only_step("cut out the woman on the right").target == Target(
        "background", noun="woman", place="right"
    )


def test_a_ground_that_is_there_already_is_asked_about() -> None:
    assert only_reason("cut out the horse on the green background") is Reason.AMBIGUOUS
