"""Removal: things, text, flaws, faces."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Kind, Reason, Target
from tests.engine.readings import BOX, only_reason, only_step, said, variant_of


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
    assert (step.operation, variant_of(step), step.place) == ("erase_text", choice, place)


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
    assert (only_step(instruction).operation, variant_of(only_step(instruction))) == ("hide_faces", choice)


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


def test_it_rejects_erasing_what_a_box_cannot_hold() -> None:
    assert not explain("remove the background and the smoke", regions=[BOX]).accepted


@pytest.mark.parametrize("boxes", [0, 1])
def test_edges_are_cut_off_whatever_is_marked(boxes: int) -> None:
    assert said("crop these edges out", boxes=boxes) == ["12% cropped off every side"]
    assert said("remove the black from the top and the bottom", boxes=boxes) == [
        "plain black borders at the top and bottom cut off"
    ]


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


@pytest.mark.parametrize("wish", ["remove the red text", "erase the small words", "remove some of the text"])
def test_one_text_among_others_needs_a_box(wish: str) -> None:
    assert only_reason(wish) is Reason.NEEDS_REGION
    assert only_step(wish, boxes=1).target == Target("region", boxes=(1,))


def test_text_behind_the_subject_goes_alone() -> None:
    step = only_step("remove the lettering in the background")
    assert (step.operation, step.target) == ("erase_text", Target("background"))
    assert step.says == "text erased in the background"


@pytest.mark.parametrize(
    "wish", ["remove the two boys at the end of the pier", "erase the three people near the shed"]
)
def test_some_of_many_at_a_place_that_no_eye_finds_need_a_box(wish: str) -> None:
    assert only_reason(wish) is Reason.NEEDS_REGION
    assert only_step(wish, boxes=1).operation == "erase"


def test_beside_the_subject_is_no_foreground() -> None:
    assert not explain("remove the three people to the far left of the subject").accepted
    assert only_step("remove the two people in the foreground").target.place == "foreground"


@pytest.mark.parametrize("wish", ["remove the ladder and the shed", "erase the lamps and the red barrel"])
def test_one_box_does_not_hold_two_things_that_are_told_apart(wish: str) -> None:
    assert not explain(wish, regions=[BOX]).accepted


@pytest.mark.parametrize(
    ("wish", "noun", "place", "color"),
    [
        ("Remove my cousin from this photo (she's on the left)", "person", "left", None),
        ("Remove the dog. It's in the background", "dog", "background", None),
        ("Can you erase this stranger? (guy on the right) Thanks!", "person", "right", None),
        ("Delete the lady. The one in the green coat.", "lady", None, "green"),
        ("Please take my brother (on the left) out of the picture", "man", "left", None),
    ],
)
def test_what_says_more_of_whom_is_removed_is_read(
    wish: str, noun: str, place: str | None, color: str | None
) -> None:
    assert only_step(wish).target == Target("thing", noun=noun, place=place, color=color)
    assert only_step(wish, boxes=1).target == Target("region", boxes=(1,))


@pytest.mark.parametrize(
    "wish", ["Remove the man. The girl on the left.", "Brighten the photo. She's on the left."]
)
def test_what_may_be_another_wish_is_not_joined(wish: str) -> None:
    assert not explain(wish).accepted


def test_who_somebody_was_is_no_description() -> None:
    assert only_step("Remove the man. He was in the navy for ten years").target == Target("thing", noun="man")


@pytest.mark.parametrize(
    "wish",
    [
        "remove the shed (including the roof and wooden posts)",
        "take out the chair next to me, including the blanket and cooler",
        "remove the girl in the purple crop top",
        "make the boy with the kite go away",
        "remove the dark shadow",
        "erase the orange in the left corner",
        "remove the boy with the cap and grey shirt",
        "remove the green square leaving just the yellow duck",
    ],
)
def test_a_box_holds_what_many_words_name(wish: str) -> None:
    step = only_step(wish, boxes=1)
    assert (step.operation, step.target.boxes) == ("erase", (1,))


def test_a_part_of_a_list_keeps_its_own_way() -> None:
    plan = explain("remove all the text including the watermark")
    assert [variant_of(step) for step in plan.steps] == ["text", "watermark"]


def test_all_but_what_a_box_shows_goes() -> None:
    step = only_step("remove everything except the white goose", boxes=1)
    assert step.operation == "transparent_background"
    assert not explain("remove everything except the white goose").accepted


def test_haze_in_the_foreground_is_not_the_subject() -> None:
    assert only_reason("remove some haze in the foreground") is Reason.NEEDS_REGION
    assert only_step("remove some haze in the foreground", boxes=1).target.what == "region"


@pytest.mark.parametrize(
    ("wish", "operation"),
    [
        ("remove the harsh shadows", "shadows"),
        ("remove light noise", "denoise"),
        ("remove heavy fog", "dehaze"),
    ],
)
def test_how_strong_a_flaw_is_does_not_hide_it(wish: str, operation: str) -> None:
    assert only_step(wish).operation == operation


@pytest.mark.parametrize(
    ("wish", "place"),
    [
        ("remove the glare in the bottom left corner", "bottom left"),
        ("take out the sun glare on the right", "right"),
    ],
)
def test_glare_is_dimmed_where_it_is(wish: str, place: str) -> None:
    step = only_step(wish)
    assert (step.operation, step.target) == ("highlights", Target("place", place=place))
    assert (step.amount or 0) < 0


@pytest.mark.parametrize("wish", ["remove the sepia effect", "get rid of the sepia filter"])
def test_sepia_is_a_cast(wish: str) -> None:
    assert only_step(wish).operation == "white_balance"


@pytest.mark.parametrize(
    ("wish", "noun"),
    [
        ("remove the wooden gray door", "door"),
        ("delete the gray sticker from the cat's collar", "sticker"),
    ],
)
def test_what_a_thing_is_made_of_or_lies_on_does_not_hide_its_color(wish: str, noun: str) -> None:
    assert only_step(wish).target == Target("thing", color="gray", noun=noun)


@pytest.mark.parametrize(
    "wish",
    [
        "replace the woman with more sand",
        "replace the woman with the background",
        "please replace the woman with more wall/curtain",
    ],
)
def test_what_is_around_fills_the_gap(wish: str) -> None:
    step = only_step(wish)
    assert (step.operation, step.target) == ("erase", Target("thing", noun="woman"))


@pytest.mark.parametrize(
    "wish",
    ["replace the woman with a wall", "replace the dog with more cats", "replace the fog with more light"],
)
def test_what_has_to_be_made_fills_no_gap(wish: str) -> None:
    assert not explain(wish).accepted


def test_a_box_shows_what_a_text_says() -> None:
    step = only_step("remove the text of walter's bakery", boxes=1)
    assert (step.operation, step.target) == ("erase_text", Target("region", boxes=(1,)))
    assert only_reason("remove the text of walter's bakery") is Reason.NEEDS_REGION


@pytest.mark.parametrize("wish", ["make my face prettier", "make her face look better", "retouch the face"])
def test_a_face_looks_better_with_clear_skin(wish: str) -> None:
    steps = explain(wish).steps
    assert [step.operation for step in steps] == ["blemishes", "smooth_skin"]
    assert {step.target for step in steps} == {Target("face")}


def test_a_box_shows_whose_face_looks_better() -> None:
    marked = explain("make my face look nicer", regions=[BOX]).steps
    assert {step.target.what for step in marked} == {"region"}
    assert {step.target.what for step in explain("retouch all faces", regions=[BOX]).steps} == {"face"}


@pytest.mark.parametrize("wish", ["enhance the face", "make her face stand out", "make my face slimmer"])
def test_other_wishes_for_a_face_smooth_nothing(wish: str) -> None:
    assert all(step.operation != "smooth_skin" for step in explain(wish).steps)


def test_help_is_asked_for_in_many_ways() -> None:
    assert only_step("please help me out by removing the bus").operation == "erase"
