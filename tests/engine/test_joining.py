"""Tests of what "and" joins."""

import pytest

from editor.engine.language.explain import explain
from editor.options import Region


def _says(words: str) -> list[str]:
    plan = explain(words)
    assert plan.accepted
    return [str(step.says) for step in plan.steps]


@pytest.mark.parametrize("link", ["and", "but"])
@pytest.mark.parametrize("state", ["darker", "a bit softer", "dark", "less saturated", "warm and blurry"])
def test_an_adjective_is_about_the_part_before_it(link: str, state: str) -> None:
    color, *changes = _says(f"make the car red {link} {state}")
    assert [color, *changes] == [*_says("make the car red"), *_says(f"the car should be {state}")]


def test_an_adjective_after_a_complaint_is_a_complaint() -> None:
    assert _says("my face looks too red and dark")[-1] == "Brighten the faces"


@pytest.mark.parametrize(
    "before", ["make the car bigger", "move the car left", "smooth the skin", "keep the car"]
)
def test_an_adjective_that_may_be_about_something_else_is_refused(before: str) -> None:
    assert not explain(f"{before} but darker").accepted


@pytest.mark.parametrize("before", ["remove the car", "remove the background", "crop it"])
def test_an_adjective_is_about_the_photo_if_nothing_else_can_have_it(before: str) -> None:
    assert _says(f"{before} and darker")[-1] == "Darken the photo"


@pytest.mark.parametrize(
    "names",
    [
        "the people behind the bride and groom",
        "the man next to the boy and the girl",
        "the faces of the man and the woman",
        "mom and dad's faces",
        "the background behind the cat and the dog",
        "the boy holding the cup and phone",
        "the man in blue pants and white shirt",
        "the red and white stripes",
    ],
)
def test_a_list_that_may_belong_to_a_description_is_refused(names: str) -> None:
    assert not explain(f"brighten {names}").accepted


def test_what_and_joins_does_not_matter_in_a_box() -> None:
    boxes = (Region(0.1, 0.1, 0.3, 0.3),)
    assert explain("erase the boy holding the cup and phone", regions=boxes).accepted


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        ("the man and the dog", ["man", "dog"]),
        ("the man on the left and woman on the right", ["man on the left", "woman on the right"]),
        ("the man in black and the dog", ["man in black", "dog"]),
        ("the dog on the grass and the cat", ["dog (not checked: “on the grass”)", "cat"]),
        ("the red and blue parts", ["red parts", "blue parts"]),
    ],
)
def test_other_lists_name_several_targets(names: str, parts: list[str]) -> None:
    assert _says(f"brighten {names}") == [f"Brighten the {part}" for part in parts]


@pytest.mark.parametrize(
    "words",
    [
        "make it red. The car.",
        "brighten it. The sky not.",
        "sharpen it (the car)",
        "darken it (in the sky)",
        "blur it, sky",
    ],
)
def test_a_part_named_after_a_wish_for_the_photo_is_not_ignored(words: str) -> None:
    assert not explain(words).accepted


@pytest.mark.parametrize(
    "words", ["crop it (4:5)", "crop: 4:5", "crop it. Make it 4:5.", "crop the photo, 4:5"]
)
def test_a_shape_after_a_crop_belongs_to_it(words: str) -> None:
    assert _says(words) == ["Crop the photo to 4:5"]


@pytest.mark.parametrize("doing", ["cutting the cake", "making fire"])
def test_what_a_person_does_is_no_wish(doing: str) -> None:
    assert _says(f"remove the man {doing}") == [f"Erase the only man (not checked: “{doing}”)"]
