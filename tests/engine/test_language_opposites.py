"""Sentences of which the opposite was done, or the wrong thing taken: they are done rightly, or refused."""

import pytest

from editor.engine.language.explain import explain
from tests.engine.readings import BOX, moves, only_step, said


def is_refused(instruction: str, boxes: int = 0) -> bool:
    return not explain(instruction, regions=[BOX] * boxes).accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "it shouldn't be darker",
        "the picture does not need to be sharper",
        "the foreground isn't warmer",
        "it couldn't be more colorful, but make it cooler",
        "the image should not be vivid",
    ],
)
def test_what_is_not_to_be_more_is_not_made_so(instruction: str) -> None:
    assert is_refused(instruction)


@pytest.mark.parametrize("instruction", ["the picture is not bright", "it isn't very sharp"])
def test_what_is_not_so_is_missed(instruction: str) -> None:
    assert (only_step(instruction).amount or 0) > 0


@pytest.mark.parametrize(
    "instruction",
    ["no more sharpness", "no extra contrast", "enhance it but no sharpening", "no brightening"],
)
def test_no_more_of_a_quality_does_not_take_it_away(instruction: str) -> None:
    assert is_refused(instruction)


@pytest.mark.parametrize("instruction", ["warm it up, no more contrast", "warm it up, no sharpening"])
def test_a_quality_that_no_wish_moves_is_left_alone(instruction: str) -> None:
    assert only_step(instruction).operation == "warmth"


@pytest.mark.parametrize(
    ("instruction", "operations"),
    [
        ("warm it up, no more noise", ["warmth", "denoise"]),
        ("warm it up, no more blur", ["warmth", "sharpness"]),
        ("no saturation", ["saturation"]),
    ],
)
def test_no_more_of_a_flaw_takes_it_away(instruction: str, operations: list[str]) -> None:
    assert [operation for operation, _, _ in moves(instruction)] == operations


@pytest.mark.parametrize(
    "instruction",
    [
        "erase everything but the boy and the girl",
        "delete everything except the horse and the bird",
        "keep only the horse and the bird",
    ],
)
def test_it_does_not_remove_one_of_those_who_stay(instruction: str) -> None:
    assert is_refused(instruction)


def test_the_box_shows_what_stays() -> None:
    assert said("delete everything except this", boxes=1) == [
        "background transparent, all but what is marked"
    ]


@pytest.mark.parametrize(
    "instruction",
    [
        "make sure the horse isn't in the middle",
        "make sure there is a bird in the middle",
        "make sure the boy is in the middle and the girl is on the right",
    ],
)
def test_it_centers_only_what_is_to_be_centered(instruction: str) -> None:
    assert is_refused(instruction)


def test_it_centers_what_is_to_be_in_the_middle() -> None:
    assert only_step("make sure the horse is in the middle of the frame").operation == "center"


@pytest.mark.parametrize("instruction", ["my eyes are not red", "I'd like red eyes", "we want red eyes"])
def test_red_eyes_that_are_wanted_or_absent_are_not_corrected(instruction: str) -> None:
    assert is_refused(instruction)


@pytest.mark.parametrize(
    "instruction", ["make his eyes not so red", "my dog has red eyes", "I want no red eyes"]
)
def test_red_eyes_are_corrected(instruction: str) -> None:
    assert only_step(instruction).operation == "red_eye"


@pytest.mark.parametrize(
    "instruction",
    ["move the saturation bar not too far to the left", "slide the contrast bar up to 30"],
)
def test_it_does_not_guess_how_far_a_bar_is_moved(instruction: str) -> None:
    assert is_refused(instruction)


@pytest.mark.parametrize(
    "instruction", ["turn it into a facebook cover without cropping", "make it fit a 5x7 without cropping it"]
)
def test_it_does_not_crop_what_is_not_to_be_cropped(instruction: str) -> None:
    assert is_refused(instruction)


def test_it_does_not_take_the_color_that_is_asked_for() -> None:
    assert is_refused("change the black and white into color")


@pytest.mark.parametrize(
    "instruction",
    ["it's blurry but I like it", "it has a green tint, I love it", "more warmth would be too much"],
)
def test_what_is_liked_stays(instruction: str) -> None:
    assert is_refused(instruction)


def test_a_wish_beside_what_is_liked_is_done() -> None:
    assert only_step("it's a bit dark but I like it, just sharpen it").operation == "sharpness"


@pytest.mark.parametrize("instruction", ["brighten the outside", "sharpen this and keep that"])
def test_what_is_beside_the_boxes_is_not_changed_in_them(instruction: str) -> None:
    assert is_refused(instruction, boxes=2)


@pytest.mark.parametrize(
    "instruction",
    [
        "erase the girl next to this",
        "erase the car behind him",
        "erase the pole above the box",
        "erase the reflection of it",
        "brighten the face behind this",
    ],
)
def test_the_box_is_not_around_what_stands_beside_it(instruction: str) -> None:
    assert is_refused(instruction, boxes=1)


@pytest.mark.parametrize(
    "instruction",
    ["erase the girl next to me", "erase the girl and the dog next to her", "erase the car behind the tree"],
)
def test_the_box_is_around_what_is_told_by_another_thing(instruction: str) -> None:
    assert said(instruction, boxes=1) == ["the marked place erased"]


@pytest.mark.parametrize(
    "instruction",
    [
        "erase the right one",
        "erase the girl on the right",
        "sharpen the left face",
        "erase one of them",
        "erase the smaller one",
        "erase the second one",
        "make the door on the left blue",
    ],
)
def test_of_two_boxes_it_does_not_change_both_for_one(instruction: str) -> None:
    assert is_refused(instruction, boxes=2)


@pytest.mark.parametrize(
    "instruction", ["erase both", "erase the girls on the right", "erase the boy on the left and the car"]
)
def test_of_two_boxes_both_are_changed_for_several(instruction: str) -> None:
    assert said(instruction, boxes=2) == ["boxes 1 and 2 erased"]


def test_this_and_that_are_the_first_and_the_second_box() -> None:
    assert said("sharpen this and blur that", boxes=2) == ["sharper, box 1", "blurred, box 2"]


def test_it_does_not_put_a_color_of_the_box_on_another_thing() -> None:
    assert is_refused("make this yellow and the door green", boxes=1)


def test_each_box_gets_what_is_said_of_it() -> None:
    assert said("make box 1 darker and box 2 sharper", boxes=2) == ["darker, box 1", "sharper, box 2"]


@pytest.mark.parametrize("instruction", ["even darker", "now make it darker", "make it even darker"])
def test_a_word_of_a_talk_asks_for_nothing(instruction: str) -> None:
    assert moves(instruction)[0][0] == "brightness"
