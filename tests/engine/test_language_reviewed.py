"""Wishes that were once carried out wrongly, refused without need, or told untruly."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Target
from editor.options import Region
from tests.engine.readings import variant_of

BOX = Region(0.2, 0.2, 0.4, 0.4)
Moves = list[tuple[str, str, float | None]]


def moves(instruction: str, boxes: int = 0) -> Moves:
    plan = explain(instruction, regions=[BOX] * boxes)
    assert plan.accepted, plan.message
    return [(step.operation, step.target.what, step.amount) for step in plan.steps]


def kept(instruction: str, boxes: int = 0) -> list[tuple[str, str, list[str]]]:
    plan = explain(instruction, regions=[BOX] * boxes)
    assert plan.accepted, plan.message
    return [(step.operation, step.target.what, [target.what for target in step.keep]) for step in plan.steps]


def sayings(instruction: str, boxes: int = 0) -> list[str]:
    return [step.says for step in explain(instruction, regions=[BOX] * boxes).steps]


@pytest.mark.parametrize(
    "instruction",
    [
        "turn the b&w picture into a color picture",
        "convert my picture from black and white to color",
        "make this black and white shot colored",
        "change the grayscale image to color",
        "add color to this black and white picture",
    ],
)
def test_it_never_takes_what_a_photo_is_for_what_it_is_to_become(instruction: str) -> None:
    plan = explain(instruction, partial=True)
    assert plan.steps == ()
    assert [refusal.reason for refusal in plan.not_understood] == [Reason.NEEDS_GENERATION]


@pytest.mark.parametrize(
    "instruction", ["make it a black and white picture", "turn the color picture into black and white"]
)
def test_it_still_takes_the_color_away(instruction: str) -> None:
    assert moves(instruction) == [("black_and_white", "whole", None)]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        (
            "make the background blurry and the subject brighter",
            [("blur_background", "background", 0.35), ("brightness", "subject", 0.35)],
        ),
        (
            "make the face darker and the background sharper",
            [("brightness", "face", -0.35), ("sharpness", "background", 0.35)],
        ),
        (
            "more saturation in the background and less contrast on the face",
            [("saturation", "background", 0.4), ("contrast", "face", -0.35)],
        ),
    ],
)
def test_it_changes_each_part_in_its_own_way(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


def test_it_refuses_a_tint_of_the_shadows_alone() -> None:
    assert explain("add some green to the shadows", partial=True).steps == ()


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("make the hazy background clear", [("sharpness", "background", 0.35)]),
        ("turn the sharp background blurry", [("blur_background", "background", 0.35)]),
        ("make the dull picture vivid", [("saturation", "whole", 0.35)]),
        ("sharpen the black and white picture", [("sharpness", "whole", 0.35)]),
        ("make the bright areas darker", [("highlights", "whole", -0.35)]),
        ("make the dark areas lighter", [("shadows", "whole", 0.35)]),
        ("the shadows look too dark", [("shadows", "whole", 0.35)]),
        ("the highlights are far too bright", [("highlights", "whole", -0.35)]),
        ("a little more light in the shadows", [("shadows", "whole", 0.2)]),
    ],
)
def test_it_never_orders_what_a_photo_is_like(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    "instruction",
    ["it has a green cast, remove it", "the photo has a red tint", "make the yellow tint warmer"],
)
def test_it_never_adds_the_tint_that_is_there(instruction: str) -> None:
    assert all((step.amount or 0) < 0 for step in explain(instruction, partial=True).steps)


@pytest.mark.parametrize(
    "instruction",
    [
        "erase the woman in the box and the blue car",
        "erase the object in the box and the writing",
        "remove the scratches and the man on the right",
        "pixelate the faces and the box",
        "crop to the box and the woman",
    ],
)
def test_it_never_drops_the_second_thing_of_a_list(instruction: str) -> None:
    assert explain(instruction, regions=[BOX], partial=True).steps == ()


def test_it_draws_every_shape_of_a_list() -> None:
    plan = explain("draw a blue star at the top left and a red triangle at the bottom")
    drawn = [(variant_of(step), step.color, step.place) for step in plan.steps]
    assert drawn == [("star", "blue", "top left"), ("triangle", "red", "bottom")]


def test_it_gives_an_arrow_no_color_of_another_shape() -> None:
    plan = explain("add an arrow to the box and a green circle around the face", regions=[BOX], partial=True)
    assert [(step.operation, step.color) for step in plan.steps] == [("arrow", None)]
    assert [refusal.words for refusal in plan.not_understood] == ["a green circle around the face"]


@pytest.mark.parametrize(
    "instruction",
    [
        "brighten everything but the lamp",
        "make it cooler but keep the grass green",
        "desaturate everything except blue",
        "change nothing but the grass: make it brighter",
        "sharpen it, don't change the lamp",
        "don't change the colors, just make it more vivid",
    ],
)
def test_it_carries_out_nothing_that_a_lost_exception_belongs_to(instruction: str) -> None:
    assert explain(instruction, partial=True).steps == ()


def test_it_takes_leaves_for_leaves() -> None:
    plan = explain("turn the red hat blue and remove the yellow leaves")
    assert [(step.operation, step.target) for step in plan.steps] == [
        ("recolor", Target("thing", "red", "hat")),
        ("erase", Target("thing", "yellow", "leaves")),
    ]


@pytest.mark.parametrize(
    ("instruction", "boxes", "expected"),
    [
        (
            "darken the photo but not the box and make the photo sepia",
            1,
            [("brightness", "whole", ["region"]), ("sepia", "whole", [])],
        ),
        (
            "darken the photo except the face, and draw a blue circle around the face",
            0,
            [("brightness", "whole", ["face"]), ("shape", "face", [])],
        ),
        (
            "crop it to 1:1 and make it sepia but keep the face as it is",
            0,
            [("crop", "whole", []), ("sepia", "whole", ["face"])],
        ),
        ("make it black and white but not the box", 1, [("black_and_white", "whole", ["region"])]),
        ("make it darker and keep box 1", 1, [("brightness", "whole", ["region"])]),
        ("keep the blue door and make the rest sepia", 0, [("sepia", "whole", ["thing"])]),
        ("blur the background, not the woman", 0, [("blur_background", "background", [])]),
    ],
)
def test_it_keeps_a_part_only_from_the_wishes_it_belongs_to(
    instruction: str, boxes: int, expected: list[tuple[str, str, list[str]]]
) -> None:
    assert kept(instruction, boxes) == expected


@pytest.mark.parametrize(
    "instruction",
    ["rotate the photo and keep the box as it is", "zoom in on the box and leave the background as it is"],
)
def test_it_refuses_to_move_what_is_to_stay(instruction: str) -> None:
    assert explain(instruction, regions=[BOX], partial=True).steps == ()


@pytest.mark.parametrize(
    "instruction",
    [
        "enhance the shadows",
        "increase the resolution",
        "remove the green lights",
        "remove everything blue",
        "change the green tint to red",
        "more brightness, less",
        "add a shadow",
    ],
)
def test_it_asks_back_when_two_things_may_be_meant(instruction: str) -> None:
    plan = explain(instruction, partial=True)
    assert plan.steps == ()
    assert plan.not_understood[0].hint


@pytest.mark.parametrize(
    "instruction", ["put photo 2 to the right of photo 1", "put photo 1 on top of photo 2"]
)
def test_it_lays_no_photo_over_another_for_another_wish(instruction: str) -> None:
    assert explain(instruction, photos=2, partial=True).steps == ()


@pytest.mark.parametrize(
    "instruction",
    [
        "the cluttered background is awful, make it darker",
        "my lamp is ugly, make it brighter",
        "adjust the brightness of the background to make it lighter",
    ],
)
def test_it_never_takes_a_part_that_it_did_not_understand_for_the_photo(instruction: str) -> None:
    assert explain(instruction, partial=True).steps == ()


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("remove the saturation", [("saturation", "whole", -1.0)]),
        ("correct the noise", [("denoise", "whole", 0.65)]),
        ("fix the blur", [("sharpness", "whole", 0.65)]),
        ("the picture is hazy, please fix it", [("dehaze", "whole", 0.35)]),
        ("soften the colours", [("saturation", "whole", -0.35)]),
        ("no more grain", [("denoise", "whole", 0.65)]),
        ("remove the grain and the text", [("denoise", "whole", 0.65), ("erase_text", "whole", None)]),
        ("make it warmer, not cooler", [("warmth", "whole", 0.35)]),
        ("its way too bright can you fix it", [("brightness", "whole", -0.35)]),
        ("not sharp enough", [("sharpness", "whole", 0.4)]),
        ("brightness -10, contrast +25", [("brightness", "whole", -0.1), ("contrast", "whole", 0.25)]),
        ("don't change the colors, just sharpen it a lot", [("sharpness", "whole", 0.65)]),
        (
            "remove the background, make it sepia",
            [("transparent_background", "background", None), ("sepia", "whole", None)],
        ),
        ("first flip it, then sharpen it", [("flip", "whole", None), ("sharpness", "whole", 0.35)]),
    ],
)
def test_it_reads_the_usual_meaning(instruction: str, expected: Moves) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "choices"),
    [
        ("mirror it along the horizontal axis", ["vertical"]),
        ("flip the photo along the vertical axis", ["horizontal"]),
        ("flip it vertically and horizontally", ["vertical", "horizontal"]),
        ("flip it vertically, then flip it vertically again", ["vertical", "vertical"]),
    ],
)
def test_it_flips_as_often_and_the_way_it_is_told(instruction: str, choices: list[str]) -> None:
    assert [variant_of(step) for step in explain(instruction).steps] == choices


def test_it_says_where_in_whole_words() -> None:
    assert sayings("crop 15% off the top and the right") == ["15% cropped off the top and the right"]
    assert sayings("turn the red car's door blue", 1) == ["red car's door in the marked place turned blue"]
    assert sayings("turn the green car in the box blue", 1) == ["green car in the marked place turned blue"]


def test_it_quotes_no_character_that_cannot_be_shown() -> None:
    message = explain('frobnicate "a\tb\x00c"').message
    assert message.isprintable()
    assert '"frobnicate' in message


def test_it_never_calls_noise_out_of_reach() -> None:
    told = explain("remove the noise and the lamp").message
    assert "not available" not in told


@pytest.mark.parametrize(
    "instruction",
    ["less yellow and fix the colors of the whole photo", "increase brightness and enhance the image"],
)
def test_it_never_splits_wishes_for_light_between_a_box_and_the_photo_unasked(instruction: str) -> None:
    targets = {step.target.what for step in explain(instruction, regions=[BOX]).steps}
    plan = explain(instruction, regions=[BOX])
    assert not plan.accepted or len(targets) == 1
    assert explain(instruction).accepted


def test_a_very_small_amount_is_small() -> None:
    [step] = explain("lower the contrast by a very small amount").steps
    assert step.amount == pytest.approx(-0.1)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("-30 vibrance, +15 contrast", [("vibrance", -0.3), ("contrast", 0.15)]),
        ("-5% brightness and +5% saturation", [("brightness", -0.05), ("saturation", 0.05)]),
        ("less warmth, +15 contrast", [("warmth", -0.35), ("contrast", 0.15)]),
        ("reduce warmth, contrast +15", [("warmth", -0.35), ("contrast", 0.15)]),
        ("more warmth, -15 contrast", [("warmth", 0.4), ("contrast", -0.15)]),
        ("-15 warmth and contrast", [("warmth", -0.15), ("contrast", -0.15)]),
    ],
)
def test_a_signed_number_sets_a_direction_of_its_own(
    instruction: str, expected: list[tuple[str, float]]
) -> None:
    assert [(operation, amount) for operation, _, amount in moves(instruction)] == expected


@pytest.mark.parametrize("scattered", ["hearts", "bubbles", "sparkles", "snow", "fog"])
def test_what_lies_over_the_photo_can_leave_a_part_free(scattered: str) -> None:
    ((_, where, left),) = kept(f"add {scattered} but not over the face")
    assert (where, left) == ("whole", ["face"])


@pytest.mark.parametrize("boxes", [0, 1])
def test_what_is_erased_leaves_the_background_anyway(boxes: int) -> None:
    ((operation, where, left),) = kept("keep the background, erase the woman", boxes)
    assert (operation, where, left) == ("erase", "region" if boxes else "thing", [])


def test_another_animal_stays_beside_the_one_in_the_box() -> None:
    for instruction in ("erase the horse but keep the cow", "erase the horse without touching the cow"):
        assert kept(instruction, 1) == [("erase", "region", ["thing"])]


@pytest.mark.parametrize(
    "instruction",
    [
        "erase the cups except the blue cup",
        "erase the horse but keep the horse",
        "erase everyone but the couple",
    ],
)
def test_a_box_that_may_be_around_what_stays_is_asked_about(instruction: str) -> None:
    plan = explain(instruction, regions=[BOX])
    assert not plan.accepted
    assert "what goes or what stays" in plan.message


@pytest.mark.parametrize(
    ("instruction", "hint"),
    [
        ("nope, no, hold on, brighter", ""),
        ("no, make it brighter", "what is to change"),
        ("no more than 5% darker", "what is to change"),
        ("no snow please, just rain", "what is to change"),
        ("mirror the photo but not horizontally", "how much"),
        ("trim it and leave some room", "how much room"),
        ("erase everyone except", "what stays"),
    ],
)
def test_it_never_asks_for_a_box_where_none_would_help(instruction: str, hint: str) -> None:
    for boxes in (0, 1):
        plan = explain(instruction, regions=[BOX] * boxes)
        assert not plan.accepted
        assert "box" not in plan.message
        assert hint in plan.message


@pytest.mark.parametrize(
    "instruction", ["erase everyone but", "erase everyone except", "delete everyone but."]
)
def test_an_exception_that_is_not_said_is_asked_for(instruction: str) -> None:
    for boxes in (0, 1):
        assert not explain(instruction, regions=[BOX] * boxes).accepted


def test_a_refusal_quotes_all_that_it_is_about() -> None:
    assert '"erase everyone except me"' in explain("erase everyone except me").message
    for guys in ("erase the guys", "erase these guys"):
        assert f'"{guys}"' in explain(guys).message


def test_the_guys_are_people_and_a_greeting_none() -> None:
    (step,) = explain("erase the guys on the right").steps
    assert step.target == Target("thing", noun="guys", place="right")
    assert moves("hey guys, make it brighter") == [("brightness", "whole", 0.35)]


@pytest.mark.parametrize("boxes", [0, 1])
def test_a_cut_out_never_drops_a_shadow_that_is_to_stay(boxes: int) -> None:
    for instruction in (
        "erase the background but keep the shadow",
        "cut out the cup and keep its reflection",
    ):
        assert not explain(instruction, regions=[BOX] * boxes).accepted


def test_a_purpose_that_names_another_quality_is_a_wish() -> None:
    expected = [("brightness", "whole", 0.35), ("contrast", "whole", 0.4)]
    assert moves("brighten the photo to create more contrast") == expected
    reason = "brighten the photo so there is more contrast between the hill and the clouds"
    assert moves(reason) == [("brightness", "whole", 0.35)]


def test_a_flaw_before_somebody_tells_who_is_to_go() -> None:
    (step,) = explain("erase the blurry woman").steps
    assert (step.operation, step.target) == ("erase", Target("thing", noun="woman"))
    assert moves("erase the out of focus person", 1) == [("erase", "region", None)]
    assert not explain("erase the blurry people in the back").accepted


@pytest.mark.parametrize(
    ("wish", "operations"),
    [
        ("make the photo crisper, with brighter colors", ["sharpness", "saturation"]),
        ("red eyes removed and whole photo brightened", ["red_eye", "brightness"]),
        ("edit the light to darken the photo", ["brightness"]),
        ("make it look professional and cool", ["enhance"]),
    ],
)
def test_no_half_of_a_wish_is_dropped(wish: str, operations: list[str]) -> None:
    plan = explain(wish)
    assert plan.accepted, plan.message
    assert [step.operation for step in plan.steps] == operations


def test_lost_pixels_are_not_brought_back_by_losing_more() -> None:
    assert not explain("make it less pixelated").accepted


def test_my_wife_and_i_are_the_subject() -> None:
    assert [step.target for step in explain("brighten my wife and I up").steps] == [Target("subject")]


@pytest.mark.parametrize(
    "instruction",
    [
        "make the scarf green and the gloves purple",
        "make his beard gray and his jacket black",
        "turn her hair brown and her skirt yellow",
        "make the petals pink and the leaves greener",
        "make the sky a sunset and the lake darker",
        "brighten his belt and darken his gloves",
    ],
)
def test_it_never_drops_one_of_two_wishes_for_one_box(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


@pytest.mark.parametrize(
    "instruction", ["make the red and white scarf blue", "make the scarf and the gloves red"]
)
def test_one_wish_may_name_two_colors_or_things(instruction: str) -> None:
    assert [what for _, what, _ in moves(instruction, boxes=1)] == ["region"]


def test_of_two_boxes_one_is_told_by_its_number() -> None:
    assert not explain("make the right box darker", regions=[BOX] * 2).accepted
    (step,) = explain("make her scarf in box 2 blue", regions=[BOX] * 2).steps
    assert step.target.boxes == (2,)


@pytest.mark.parametrize(
    "instruction", ["make the girl in the box sharper", "brighten the dog in the marked area"]
)
def test_it_tells_that_no_box_was_marked(instruction: str) -> None:
    plan = explain(instruction)
    assert "No box was marked" in plan.message


def test_one_face_of_several_needs_a_box() -> None:
    assert not explain("draw a circle around the girl's face").accepted
    assert sayings("draw a circle around the faces") == ["circle around the faces"]


def test_what_goes_to_the_center_is_not_looked_for_there() -> None:
    (step,) = explain("move the cat to the center").steps
    assert (step.target.place, step.says) == (None, "the cat in the center")


@pytest.mark.parametrize(
    "instruction",
    [
        'add a thought bubble "what now"',
        'add "sale" in a red circle',
        'write "hello" in the box and a star above it',
        "add a shadow under the bottle",
    ],
)
def test_it_never_draws_only_a_half_of_what_is_asked(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


@pytest.mark.parametrize(
    "instruction",
    ["add flames", "add confetti", "add water drops", "add sparkles", 'add a speech bubble "hello"'],
)
def test_the_box_is_where_it_is_drawn(instruction: str) -> None:
    assert [what for _, what, _ in moves(instruction, boxes=1)] == ["region"]


def test_what_is_asked_for_the_whole_photo_ignores_the_box() -> None:
    assert [what for _, what, _ in moves("add confetti to the photo", boxes=1)] == ["whole"]


def test_a_box_is_filled_with_a_color() -> None:
    assert sayings("fill the box with yellow", boxes=1) == ["yellow filled rectangle at the marked place"]


def test_a_box_around_something_is_a_rectangle() -> None:
    assert sayings("draw a blue box around the dog") == ["blue rectangle around the dog"]


def test_glasses_for_them_need_their_faces() -> None:
    assert not explain("add a sunglasses emoji to all of them").accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "change the background to a forest, not too blurry",
        "change the background to a beach, less blurry",
        "put her in a park, not too dark",
        "change the background to my room",
        "put me in my garden",
        "change the background to a field of tulips",
    ],
)
def test_no_place_is_taken_for_another(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    "instruction", ["make the background a blurry cafe", "change the background to a forest with less blur"]
)
def test_a_new_background_is_never_only_a_blur_in_the_box(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "give him red lips",
        "give her blue eyes",
        "give them green coats",
        "add my cat",
        "add our baby",
        "add the dog from the second photo",
        "add pink sunglasses",
        "add a santa hat",
        "add a bow tie",
    ],
)
def test_no_emoji_is_offered_for_one_of_its_kind(instruction: str) -> None:
    assert not explain(instruction).instead


@pytest.mark.parametrize(
    ("instruction", "name"),
    [
        ("add goggles", "of goggles here"),
        ("add a unicorn", "of a unicorn"),
        ("add an owl", "of an owl"),
    ],
)
def test_an_offer_has_the_article_of_its_name(instruction: str, name: str) -> None:
    assert name in explain(instruction).message
