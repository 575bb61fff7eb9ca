"""Backgrounds told at length: what was there, what is to be seen there, what is kept, what is cut out."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Target
from tests.engine.readings import BOX, only_reason, only_step, variant_of


@pytest.mark.parametrize(
    ("instruction", "choice"),
    [
        ("change the background to a beach with palm trees and the sea in the distance", "palm beach"),
        ("swap the carport background for a sandy beach with waves", "beach"),
        ("replace the background with an office with large windows", "office"),
        ("change the backdrop into a library with old wooden shelves", "library"),
        ("turn the surroundings into a glacial landscape", "glacier"),
        ("set the background to the arctic", "glacier"),
        ("put her in front of a brick wall", "brick wall"),
        ("change the background to an art gallery with paintings", "gallery"),
        ("make the background a restaurant", "cafe"),
        ("change the background from old tires on the asphalt to a garden with flowers", "garden"),
        ("change the hedges and grass in the background to a desert landscape", "desert"),
        ("change the beach in this picture to a forest scene", "forest"),
        ("change the tractor in the picture from a snowy field to a jungle", "jungle"),
        ("redesign the environment in this photo to evoke a desert setting", "desert"),
    ],
)
def test_a_place_is_told_with_what_was_there_and_what_is_to_be_seen(instruction: str, choice: str) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step), step.target) == (
        "drawn_background",
        choice,
        Target("background"),
    )


@pytest.mark.parametrize(
    "instruction",
    [
        *(
            "change the background to a beach with jet skis",
            "change the background to a park with a fountain",
        ),
        *("change the man in the background to a beach scene", "change the lawn in the photo to a beach"),
        *("change the fence in the background to a forest", "change the background to a library with a cat"),
        *("change the background to a white brick wall", "change the cat from black to a beach"),
    ],
)
def test_a_place_with_more_than_its_picture_shows_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_place_that_there_is_no_picture_of_is_refused_with_some_that_there_are() -> None:
    plan = explain("change the background to an old lighthouse")
    assert only_reason("change the background to an old lighthouse") is Reason.NEEDS_REFERENCE
    assert "a beach, a forest, a city" in plan.message


def test_a_place_is_added_where_the_background_was_removed() -> None:
    assert variant_of(only_step("remove the background and add a snowy field")) == "snowy field"
    assert not explain("add a library").accepted


def test_the_plan_says_what_a_new_place_shows() -> None:
    assert only_step("change the background to a museum").says == (
        "background a gallery with paintings, out of focus (drawn)"
    )


@pytest.mark.parametrize(
    ("kept", "nouns"),
    [
        ("keep the jacket, the microphone and the guitar", (None,)),
        ("remain the leather brown saddle, plastic black helmet unchanged", (None,)),
        ("keep the backpack and the clipboard", ("backpack", None)),
        ("remain the furry gray cat, ribbon, bandana unchanged", None),
    ],
)
def test_what_is_held_stays_with_the_subject(kept: str, nouns: tuple[str | None, ...] | None) -> None:
    instruction = f"change the background to a forest, {kept}"
    if nouns is None:
        assert not explain(instruction).accepted
    else:
        assert sorted(map(str, (target.noun for target in only_step(instruction).keep))) == sorted(
            map(str, nouns)
        )


@pytest.mark.parametrize(
    ("instruction", "color"),
    [
        ("make the background black or white", "black"),
        ("I want the background to be white or light gray", "white"),
        ("the background other than the man needs to be blue", "blue"),
        ("add a white background around the dog's face", "white"),
        ("crop out the clock and place it on a white background", "white"),
        ("Cut the man out of this picture. Put him on a gray background", "gray"),
        ("cut the photo of the girl Paste on to a black background", "black"),
    ],
)
def test_one_color_comes_behind_what_is_cut_out(instruction: str, color: str) -> None:
    step = only_step(instruction)
    assert (step.operation, step.color) == ("solid_background", color)


@pytest.mark.parametrize(
    "instruction",
    [
        *("render off the background", "knock out the backdrop", "cut her out of the background"),
        *("extract the human figure in the photo", "the background other than the mug needs to be removed"),
        "extract the woman wearing a plaid coat and a beret",
    ],
)
def test_the_subject_alone_is_left(instruction: str) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target) == ("transparent_background", Target("background"))


@pytest.mark.parametrize(
    "instruction",
    [
        "extract the castle, including its towers, and isolate it from the surrounding meadow",
        "extract the old suitcase present in the photo, focusing on its handle",
        "could you send me just the samovar please?",
        "extract the white shirt with a printed logo",
    ],
)
def test_a_description_asks_for_nothing_but_what_the_box_marks(instruction: str) -> None:
    assert only_step(instruction, boxes=1).says == "background transparent, all but what is marked"


@pytest.mark.parametrize(
    "instruction",
    [
        *("extract the dog, including its leash, and paint it red", "extract the boy and dress him in armor"),
        *("cut out the man in the background", "extract the vase, leaving the background intact"),
        "send me just the photo",
    ],
)
def test_a_cut_out_with_another_wish_is_not_done_by_half(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_someone_in_the_background_is_cut_out_by_a_box() -> None:
    assert only_step("cut out the man in the background", boxes=1).operation == "transparent_background"


@pytest.mark.parametrize(
    ("instruction", "choice"),
    [
        ("change the sky to bright blue with clouds", "sky"),
        ("make the sky blue and cloudy", "sky"),
        ("make the sky partly cloudy", "sky"),
        ("give the photo a sunset sky", "sunset"),
        ("make it a clear blue sky", "clear sky"),
    ],
)
def test_a_sky_is_described(instruction: str, choice: str) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step), step.target) == (
        "drawn_sky",
        choice,
        Target("thing", noun="sky"),
    )


@pytest.mark.parametrize("instruction", ["make the sky red and cloudy", "make the sky cloudy"])
def test_a_sky_that_no_drawing_shows_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_what_a_blurred_background_is_for_needs_no_step() -> None:
    wish = "blur the background, making the wooden toy more prominent and removing any distractions"
    assert only_step(wish).operation == "blur_background"
    assert len(explain("blur the background, removing the man", regions=[BOX]).steps) == 2
