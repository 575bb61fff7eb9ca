"""Everything beside tone: recoloring, additions, the background, composition and removal."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Kind, Reason, Step, Target
from editor.options import Region

BOX = Region(0.1, 0.1, 0.3, 0.3)


def only_step(instruction: str, photos: int = 1, boxes: int = 0) -> Step:
    plan = explain(instruction, photos=photos, regions=[BOX] * boxes)
    assert plan.accepted, plan.message
    assert len(plan.steps) == 1
    return plan.steps[0]


def only_reason(instruction: str, photos: int = 1, boxes: int = 0) -> Reason:
    plan = explain(instruction, photos=photos, regions=[BOX] * boxes)
    assert not plan.accepted
    return plan.not_understood[0].reason


@pytest.mark.parametrize(
    ("instruction", "color", "noun", "new"),
    [
        ("make the red car blue", "red", "car", "blue"),
        ("turn the white shirt dark green", "white", "shirt", "dark green"),
        ("change the color of the yellow door to grey", "yellow", "door", "gray"),
        ("paint the green boat #F00", "green", "boat", "#ff0000"),
        ("change red to blue", "red", None, "blue"),
    ],
)
def test_it_recolors_a_thing_that_is_named_by_its_color(
    instruction: str, color: str, noun: str | None, new: str
) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target, step.color) == ("recolor", Target("thing", color, noun), new)


def test_it_recolors_inside_the_box() -> None:
    step = only_step("make the car blue", boxes=1)
    assert (step.target.what, step.target.boxes, step.color) == ("region", (1,), "blue")


@pytest.mark.parametrize("instruction", ["make the car blue", "turn the sky pink"])
def test_it_requires_a_color_or_a_box_to_find_a_thing(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NO_SUCH_TARGET


@pytest.mark.parametrize("instruction", ["turn the photo blue", "turn him into a green frog"])
def test_it_rejects_a_new_color_for_nothing_in_particular(instruction: str) -> None:
    assert not explain(instruction, regions=[]).accepted


@pytest.mark.parametrize(
    ("instruction", "text", "place", "color"),
    [
        ('add the text "Summer 2026" at the bottom right', "Summer 2026", "bottom right", None),
        ("write “It's here, and blur it” in white at the top", "It's here, and blur it", "top", "white"),
        ("put the words 'Hello there' in the center", "Hello there", "center", None),
        ('Add a red caption saying "STOP. Now!"', "STOP. Now!", None, "red"),
    ],
)
def test_it_adds_quoted_text_letter_for_letter(
    instruction: str, text: str, place: str | None, color: str | None
) -> None:
    step = only_step(instruction)
    assert (step.kind, step.text, step.place, step.color) == (Kind.ADD, text, place, color)


def test_it_adds_two_texts() -> None:
    plan = explain('add "A" at the top and "B" at the bottom')
    assert [(step.text, step.place) for step in plan.steps] == [("A", "top"), ("B", "bottom")]


def test_it_requires_quotes_around_text() -> None:
    assert "quotes" in explain("add a caption at the bottom").message


@pytest.mark.parametrize(
    ("instruction", "color", "exact", "amount"),
    [
        ("add a border", "white", None, None),
        ("put a thick black frame around the picture", "black", None, 0.65),
        ("add a 20px red border", "red", (20, "pixels"), None),
        ("add a thin border", "white", None, 0.2),
        ("5% blue border", "blue", (5, "percent"), None),
    ],
)
def test_it_adds_a_border(
    instruction: str, color: str, exact: tuple[float, str] | None, amount: float | None
) -> None:
    step = only_step(instruction)
    assert (step.operation, step.color, step.exact, step.amount) == ("border", color, exact, amount)


@pytest.mark.parametrize("instruction", ["add a slight vignette", "darken the corners slightly"])
def test_it_adds_a_vignette(instruction: str) -> None:
    assert (only_step(instruction).operation, only_step(instruction).amount) == ("vignette", 0.2)


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
    ],
)
def test_it_changes_the_background(instruction: str, operation: str, color: str | None) -> None:
    step = only_step(instruction)
    assert (step.kind, step.operation, step.color) == (Kind.BACKGROUND, operation, color)


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


@pytest.mark.parametrize(
    "instruction",
    [
        "make photo 2 black and white",
        "brighten the second photo",
        "crop photo 2 to a square",
        'add text "Hi" to photo 2',
        "make the background of photo 2 white",
        "blur the background of photo 2",
        "make the subject of photo 2 brighter",
        "brighten photo 2 and darken photo 1",
        "sharpen photos 1 and 2",
        "brighten photo 1 and photo 2",
        "brighten all photos",
        "brighten both photos",
        "brighten both",
        "brighten all",
        "This is photo 2. Brighten it.",
        "brighten the photos",
        "make them brighter",
        "sharpen the other one",
        "sharpen the last photo",
        "brighten photo number 2",
        "replace the background of photo 2 with photo 1",
        "use the background of photo 2",
    ],
)
@pytest.mark.parametrize("boxes", [0, 1])
def test_it_rejects_changing_any_photo_but_the_first(instruction: str, boxes: int) -> None:
    plan = explain(instruction, photos=2, regions=[BOX] * boxes)
    assert not plan.accepted
    assert plan.not_understood[0].hint == "Only photo 1 is changed. Put that photo first."


@pytest.mark.parametrize("instruction", ["brighten 2", "brighten #2", "sharpen 1 and 2"])
def test_it_never_takes_the_number_of_a_photo_for_an_amount(instruction: str) -> None:
    assert not explain(instruction, photos=2).accepted


@pytest.mark.parametrize("instruction", ["brighten the photos", "brighten all photos", "brighten photo 1"])
def test_it_handles_the_only_photo_by_any_name(instruction: str) -> None:
    assert only_step(instruction).target == Target("whole")


def test_it_requires_the_photo_that_is_named() -> None:
    plan = explain("use photo 4 as the background", photos=2)
    assert plan.not_understood[0].reason is Reason.NEEDS_REFERENCE
    assert "photo 4" in plan.message


def test_it_requires_a_photo_for_a_new_scene() -> None:
    assert only_reason("change the background to a beach") is Reason.NEEDS_REFERENCE


@pytest.mark.parametrize(
    "instruction", ["add a dog", "insert a tree next to me", "replace the cup with a glass"]
)
def test_it_rejects_new_things(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NEEDS_GENERATION


@pytest.mark.parametrize(
    ("instruction", "choice"),
    [
        ("crop to 16:9", "16:9"),
        ("crop it square", "1:1"),
        ("make it square", "1:1"),
        ("crop to a 4 : 5 ratio", "4:5"),
    ],
)
def test_it_crops_to_a_ratio(instruction: str, choice: str) -> None:
    assert (only_step(instruction).operation, only_step(instruction).choice) == ("crop", choice)


@pytest.mark.parametrize(
    ("instruction", "percent", "place"),
    [
        ("crop 10% off the left", 10, "left"),
        ("trim 5 percent from the bottom", 5, "bottom"),
        ("crop by 8%", 8, "all"),
    ],
)
def test_it_crops_off_an_edge(instruction: str, percent: float, place: str) -> None:
    step = only_step(instruction)
    assert (step.operation, step.exact, step.place) == ("crop", (percent, "percent"), place)


def test_it_crops_to_the_subject_and_to_the_box() -> None:
    assert only_step("crop to the subject").target == Target("subject")
    assert only_step("crop to the box", boxes=1).target == Target("region", boxes=(1,))


@pytest.mark.parametrize(
    "instruction", ["crop", "crop the photo", "crop the man", "crop to 7:3", "rotate", "tilt left"]
)
def test_it_rejects_a_shape_that_is_not_said(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "angle"),
    [
        ("rotate 90 degrees", 90),
        ("rotate the photo to the left", -90),
        ("rotate by 12.5° counter-clockwise", -12.5),
        ("turn it upside down", 180),
        ("rotate the photo 180", 180),
        ("rotate 45 degrees right", 45),
    ],
)
def test_it_rotates_clockwise_by_positive_angles(instruction: str, angle: float) -> None:
    assert only_step(instruction).exact == (angle, "degrees")


@pytest.mark.parametrize(
    ("instruction", "axis"),
    [("flip the photo", "horizontal"), ("mirror it", "horizontal"), ("flip it vertically", "vertical")],
)
def test_it_flips(instruction: str, axis: str) -> None:
    assert (only_step(instruction).operation, only_step(instruction).choice) == ("flip", axis)


@pytest.mark.parametrize(
    ("instruction", "exact", "choice"),
    [
        ("resize to 50%", (50, "percent"), None),
        ("shrink by 20%", (80, "percent"), None),
        ("enlarge by 50 percent", (150, "percent"), None),
        ("resize to 1200 x 800", None, "1200x800"),
        ("make it half the size", (50, "percent"), None),
    ],
)
def test_it_resizes(instruction: str, exact: tuple[float, str] | None, choice: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.exact, step.choice) == ("resize", exact, choice)


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the person",
        "get rid of the car",
        "crop the dog out",
        "take the trash can out",
        "edit out the wires",
    ],
)
def test_it_requires_a_box_for_a_removal(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NEEDS_REGION
    step = only_step(instruction, boxes=2)
    assert (step.kind, step.operation, step.target.boxes) == (Kind.REMOVE, "erase", (1, 2))


def test_it_erases_the_boxes_that_are_named() -> None:
    assert only_step("erase box 2", boxes=3).target.boxes == (2,)
    assert only_step("erase the second box", boxes=3).target.boxes == (2,)
    assert only_step("remove boxes 1 and 3", boxes=3).target.boxes == (1, 3)
    assert only_reason("erase box 4", boxes=3) is Reason.NEEDS_REGION


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the noise",
        "remove the blur from both faces",
        "get rid of the yellow",
        "No worries",
        "remove everything except the dog",
    ],
)
def test_it_rejects_erasing_what_is_not_a_thing(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


@pytest.mark.parametrize("instruction", ["swap red and blue", "swap the red with the blue"])
def test_it_rejects_an_exchange_of_colors(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize("instruction", ["rotate a bit to the left", "turn it slightly right"])
def test_it_requires_the_degrees_of_a_small_turn(instruction: str) -> None:
    assert explain(instruction).not_understood[0].hint == "Say by how many degrees."


@pytest.mark.parametrize(
    "instruction", ["crop to 4:5 at the top", "crop to 16:9 on the right", "crop to a square at the left"]
)
def test_it_rejects_a_place_that_a_ratio_cannot_have(instruction: str) -> None:
    assert explain(instruction).not_understood[0].hint == "Mark what to keep with a box."


@pytest.mark.parametrize(
    "instruction",
    [
        "make the red car red",
        "make the background a bit white",
        "make the background slightly transparent",
        'make the text "Hi" red',
        "add a red and blue border",
        "add a 200% border",
        "rotate -90 degrees to the left",
        "turn it upside down by 90 degrees",
        "enlarge to 20%",
        "shrink to 150%",
        "resize to 50% width",
    ],
)
def test_it_rejects_what_contradicts_itself(instruction: str) -> None:
    assert not explain(instruction).accepted
