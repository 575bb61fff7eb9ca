"""Removal: things, text, flaws, faces."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Kind, Reason, Target
from tests.engine.readings import BOX, only_reason, only_step


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the lamp",
        "get rid of the fence",
        "crop the sign out",
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
    ("instruction", "color", "noun", "place"),
    [
        ("remove the orange cone", "orange", "cone", None),
        ("get rid of the yellow lamp in the top right corner", "yellow", "lamp", "top right"),
        ("take the green bottle on the left out", "green", "bottle", "left"),
        ("the red sign removed", "red", "sign", None),
        ("delete the white van on the far left", "white", "van", "left"),
    ],
)
def test_it_erases_a_thing_by_its_color(instruction: str, color: str, noun: str, place: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target) == ("erase", Target("thing", color, noun, place))


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the white woman",
        "remove the other girl on the right",
        "remove the lamp in the top right corner",
        "remove the yellow jersey player",
        "remove the text on his shirt",
        "remove the logo on his shirt",
    ],
)
def test_it_requires_a_box_where_the_color_is_not_enough(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NEEDS_REGION
    assert only_step(instruction, boxes=1).target == Target("region", boxes=(1,))


@pytest.mark.parametrize(
    ("instruction", "noun", "place"),
    [
        ("remove the woman", "woman", None),
        ("get rid of the guy on the far left", "guy", "left"),
        ("take the boy at the bottom right out of the photo", "boy", "bottom right"),
        ("the lady on the right edited out", "lady", "right"),
        ("erase the first man on the right", "man", "right"),
        ("remove my sister on the left side", "woman", "left"),
        ("delete the stranger", "person", None),
        ("crop out the girl in the middle", "girl", "center"),
        ("remove all the people from the picture", "people", None),
    ],
)
def test_it_erases_a_person_by_the_place(instruction: str, noun: str, place: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target) == ("erase", Target("thing", noun=noun, place=place))
    assert only_step(instruction, boxes=1).target == Target("region", boxes=(1,))


def test_it_rejects_removing_a_picture_from_a_picture() -> None:
    assert not explain("remove the words and the picture").accepted
    assert only_reason("remove the oranges") is Reason.NEEDS_REGION
    assert only_step("remove the oranges", boxes=1).operation == "erase"


@pytest.mark.parametrize(
    ("instruction", "choice", "place"),
    [
        ("remove the text", "text", None),
        ("remove the watermark", "watermark", None),
        ("get rid of the logo", "watermark", None),
        ("delete the words at the bottom", "text", "bottom"),
        ("erase the date stamp in the bottom right", "timestamp", "bottom right"),
        ("remove the watermark in the bottom left", "watermark", "bottom left"),
    ],
)
def test_it_erases_text(instruction: str, choice: str, place: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.choice, step.place) == ("erase_text", choice, place)


@pytest.mark.parametrize(
    ("instruction", "operation", "what"),
    [
        ("remove the red eyes", "red_eye", "whole"),
        ("fix the red-eye", "red_eye", "whole"),
        ("remove the glowing eyes", "red_eye", "whole"),
        ("remove the pimples", "blemishes", "whole"),
        ("remove the acne from her face", "blemishes", "face"),
        ("remove the spots on his face", "blemishes", "face"),
        ("remove dust and scratches", "dust", "whole"),
        ("clean up the scratches", "dust", "whole"),
    ],
)
def test_it_corrects_small_flaws(instruction: str, operation: str, what: str) -> None:
    assert (only_step(instruction).operation, only_step(instruction).target.what) == (operation, what)
    boxed = only_step(instruction, boxes=1)
    assert (boxed.operation, boxed.target) == (operation, Target("region", boxes=(1,)))


@pytest.mark.parametrize(
    "instruction", ["remove the creases", "take the cracks out of the photo", "remove the stains"]
)
def test_it_heals_creases_everywhere_or_fills_the_box(instruction: str) -> None:
    assert only_step(instruction).operation == "dust"
    assert only_step(instruction, boxes=1).operation == "erase"


@pytest.mark.parametrize(
    ("instruction", "choice"),
    [
        ("blur the faces", "blur"),
        ("pixelate all the faces", "pixelate"),
        ("censor his face", "blur"),
        ("black out the faces", "black"),
    ],
)
def test_it_hides_faces(instruction: str, choice: str) -> None:
    assert (only_step(instruction).operation, only_step(instruction).choice) == ("hide_faces", choice)


@pytest.mark.parametrize("instruction", ["blur the man's face", "blur the dog"])
def test_it_rejects_hiding_one_face_of_many(instruction: str) -> None:
    assert "hide_faces" not in [step.operation for step in explain(instruction).steps]


@pytest.mark.parametrize(
    "instruction",
    [
        "No worries",
        "remove everything except the two dogs and the ball",
    ],
)
def test_it_rejects_erasing_what_is_not_a_thing(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


@pytest.mark.parametrize(
    "instruction",
    ["crop these edges out", "remove the background and the smoke"],
)
def test_it_rejects_erasing_what_a_box_cannot_hold(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


@pytest.mark.parametrize(
    "instruction", ["remove the man and brighten it", "erase the cup and make it warmer"]
)
def test_it_means_the_photo_by_it_after_a_removal(instruction: str) -> None:
    plan = explain(instruction, regions=[BOX])
    assert plan.accepted, plan.message
    assert plan.steps[-1].target == Target("whole")


@pytest.mark.parametrize(
    ("instruction", "operations"),
    [
        ("remove the background and the text", ["transparent_background", "erase_text"]),
        ("remove the man on the left and the lady on the right", ["erase", "erase"]),
        ("erase the date, the red eyes and the dust", ["erase_text", "red_eye", "dust"]),
    ],
)
def test_it_removes_each_thing_of_a_list_in_its_own_way(instruction: str, operations: list[str]) -> None:
    assert [step.operation for step in explain(instruction).steps] == operations


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the acne and the redness",
        "remove the boy on the left, background",
        "remove the girl between the bride and the groom",
        "remove the boy with the kite and the ball",
        "remove the benches and the people behind the bus",
        "remove the man and the women in the background",
        "remove the boy on the left and the man",
    ],
)
def test_it_rejects_a_list_with_a_part_that_is_not_sure(instruction: str) -> None:
    assert not explain(instruction).accepted
