"""Sentences of which a part was dropped, or read as something near: they are done in full, or refused."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Target
from tests.engine.readings import BOX, moves, only_reason, only_step, said, variant_of


@pytest.mark.parametrize(
    ("instruction", "amount"),
    [
        ("sharpen it quite a bit, but keep it natural", 0.35),
        ("sharpen it, but keep it natural", 0.2),
        ("sharpen it a little, but keep it natural", 0.2),
    ],
)
def test_an_amount_that_is_told_wins_over_a_bound(instruction: str, amount: float) -> None:
    assert moves(instruction) == [("sharpness", "whole", amount)]


@pytest.mark.parametrize("instruction", ["shining eyes", "glowing eye", "there are glowing eyes"])
def test_eyes_that_glow_may_be_wished_for(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize("instruction", ["red eye", "correct her glowing eyes"])
def test_red_eyes_are_corrected(instruction: str) -> None:
    assert only_step(instruction).operation == "red_eye"


def test_it_adds_no_thing_without_the_quality_that_was_asked_for() -> None:
    assert not explain("put a colorful mug on the table").accepted
    assert not explain("put a colorful mug here", regions=[BOX]).accepted


def test_it_adds_a_thing_that_has_the_quality() -> None:
    assert variant_of(only_step("add a colourful kite")) == "kite"


def test_both_halves_of_a_wish_are_done() -> None:
    plan = explain("remove the glare and dull the colors", regions=[BOX])
    assert [step.operation for step in plan.steps] == ["highlights", "saturation"]


def test_a_box_holds_no_colors_beside_a_thing() -> None:
    assert not explain("erase the bin and the purple colors", regions=[BOX]).accepted


def test_a_headshot_is_of_the_face_in_the_box() -> None:
    step = only_step("crop to a headshot of the bride", boxes=1)
    assert (step.target, variant_of(step)) == (Target("face", boxes=(1,), count=1), "head and shoulders")
    assert said("crop to a headshot of the bride", boxes=1) == [
        "cropped to the head and shoulders of the person in the marked place"
    ]
    assert only_reason("crop to a headshot", boxes=2) is Reason.AMBIGUOUS


@pytest.mark.parametrize(
    ("instruction", "side"),
    [("crop out the white ceiling", "top"), ("crop the floor off", "bottom"), ("crop out the sky", "top")],
)
def test_what_lies_along_a_side_is_cropped_off(instruction: str, side: str) -> None:
    step = only_step(instruction, boxes=1)
    assert (step.operation, variant_of(step), step.place) == ("crop", "off", side)
    assert only_reason(instruction) is Reason.NEEDS_REGION


def test_two_sides_need_two_wishes() -> None:
    assert only_reason("crop out the ceiling and the floor", boxes=1) is Reason.NEEDS_REGION


@pytest.mark.parametrize("boxes", [0, 1, 2])
def test_what_only_is_cropped_out_may_be_what_stays(boxes: int) -> None:
    assert only_reason("crop out only the twins", boxes=boxes) is Reason.AMBIGUOUS


@pytest.mark.parametrize("boxes", [1, 2])
def test_a_painted_background_is_no_painted_thing(boxes: int) -> None:
    assert not explain("place the twins in a painted background", regions=[BOX] * boxes).accepted


@pytest.mark.parametrize(
    "instruction",
    ["remove the cast shadows", "erase the shadows in the background", "crop out the shadows"],
)
def test_shadows_that_lie_somewhere_are_no_dark_tones(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NEEDS_REGION


def test_a_shadow_in_a_box_is_erased() -> None:
    plan = explain("brighten the photo and remove the shadow", regions=[BOX])
    assert [step.operation for step in plan.steps] == ["brightness", "erase"]
    assert moves("brighten the photo and remove the shadow")[1][0] == "shadows"


@pytest.mark.parametrize("instruction", ["make the words bigger", "make the word purple"])
def test_how_words_are_to_be_is_no_text(instruction: str) -> None:
    assert all(step.text is None for step in explain(instruction).steps)


@pytest.mark.parametrize(
    "instruction",
    [
        "change the word Coffee to uppercase",
        "change the word Coffee to Italian",
        "make the mug say nothing",
        "make the poster say what the banner says",
        'the text should be in "Helvetica"',
        'he should say "Cheers"',
        'replace all "x" with "y"',
        'change the letter "B" to "D"',
        'change "Coffee" to "Tea", but keep the font',
        'write "Tea" in place of the logo',
        'write "Tea" here, rotated',
    ],
)
def test_words_about_a_text_are_not_the_text(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


def test_a_text_of_small_letters_is_one() -> None:
    assert only_step("change the word coffee to tea", boxes=1).text == "tea"


def test_a_caption_is_a_new_text() -> None:
    assert only_step("make a caption saying Good Morning").operation == "text"


@pytest.mark.parametrize(
    ("instruction", "place"),
    [
        ("erase the leftmost dog", "left"),
        ("erase the rightmost bus", "right"),
        ("erase the topmost kite", "top"),
    ],
)
def test_the_outermost_one_is_told_by_its_side(instruction: str, place: str) -> None:
    assert only_step(instruction).target.place == place


def test_which_one_is_in_front_is_not_told() -> None:
    assert only_reason("erase the front bus") is Reason.NEEDS_REGION


@pytest.mark.parametrize(
    "instruction",
    ["remove this and the bike", "erase it and the lady on the right", "make this and the dog sharper"],
)
def test_one_box_is_not_around_what_it_points_at_and_more(instruction: str) -> None:
    assert only_reason(instruction, boxes=1) is Reason.AMBIGUOUS


def test_two_boxes_are_around_two() -> None:
    assert only_step("remove him and her", boxes=2).target.boxes == (1, 2)
    assert said("remove this and that", boxes=2) == ["boxes 1 and 2 erased"]


@pytest.mark.parametrize(
    "instruction", ["add a mug under it", 'write "Hi" above this', 'write "Hi" below it']
)
def test_what_goes_beside_the_box_is_not_put_on_it(instruction: str) -> None:
    assert only_reason(instruction, boxes=1) is Reason.NEEDS_REGION


def test_boxes_show_who_gets_a_hat() -> None:
    assert only_step("put a cap on both of them", boxes=2).target.boxes == (1, 2)


@pytest.mark.parametrize(
    "instruction", ["crop 80 px from the left and 40 from the right", "crop 5 pixels left, 10 right"]
)
def test_each_side_has_its_own_number(instruction: str) -> None:
    assert only_reason(instruction) is Reason.AMBIGUOUS


@pytest.mark.parametrize(
    "instruction",
    [
        "crop so there is more floor",
        "crop so that the cat is off center",
        "crop it so that the boy is on the right",
    ],
)
def test_a_crop_that_places_something_is_no_plain_crop(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_only_what_is_done_by_it_is_done() -> None:
    assert [name for name, _, _ in moves("improve the photo by removing the bus")] == ["erase"]


def test_what_is_excepted_from_a_blur_stays_sharp() -> None:
    assert only_step("blur the background except the bus").keep == (Target("thing", noun="bus"),)


def test_a_collage_has_no_border() -> None:
    assert only_reason("make a collage with a red border", photos=2) is Reason.AMBIGUOUS


def test_she_is_no_man() -> None:
    assert only_step("erase the man. He is on the right").target.place == "right"
    plan = explain("erase the man. She is on the right")
    assert all(step.target.place is None for step in plan.steps)


def test_bears_and_skateboards_have_more_names() -> None:
    assert said("remove any polar bear") == ["the bear erased"]
    assert said("erase the skate board") == ["the skateboard erased"]


@pytest.mark.parametrize(
    ("whose", "kept"),
    [
        ("but the two in front", "the 2 people in the foreground"),
        ("except the three of us", "the 3 people in the foreground"),
        ("except the two on the right", "the 2 people on the right"),
    ],
)
def test_people_are_counted_without_their_name(whose: str, kept: str) -> None:
    assert said(f"erase everyone {whose}") == [f"all people erased, {kept} kept as they are"]


def test_what_comes_after_what_goes_stands_in_its_place() -> None:
    assert said("erase the kettle and add a teapot", boxes=1) == [
        "the marked place replaced by a teapot (a picture of Darkroom's own)"
    ]
    assert len(said("erase the kettle and add a teapot on the left", boxes=1)) == 2


def test_a_box_shows_whoever_wears_a_hat() -> None:
    assert only_step("make the puppet wear a crown", boxes=1).target == Target("region", boxes=(1,))
    assert not explain("make the puppet wear a crown").accepted
    assert not explain("give the photo a crown", regions=[BOX]).accepted


def test_nobody_is_turned_around() -> None:
    assert only_reason("turn this to face right", boxes=1) is Reason.AMBIGUOUS


def test_a_toilet_carries_small_things() -> None:
    assert said("put a vase on the toilet") == [
        "a vase (a picture of Darkroom's own) on the toilet, with its shadow"
    ]


@pytest.mark.parametrize("instruction", ["make the mug red or green", "change the title to bold"])
def test_a_choice_and_the_kind_of_letters_are_left_to_the_person(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted
