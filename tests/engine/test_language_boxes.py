"""What a marked box is taken for: one thing, "it", and never the whole photo that was named."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Target
from tests.engine.readings import BOX, moves, only_step, said

IN_THE_BOX, WHOLE = Target("region", boxes=(1,)), Target("whole")


def targets(instruction: str) -> list[str]:
    plan = explain(instruction, regions=[BOX])
    assert plan.accepted, plan.message
    return [step.target.what for step in plan.steps]


def message(instruction: str, boxes: int = 1) -> str:
    plan = explain(instruction, regions=[BOX] * boxes)
    assert not plan.accepted
    return plan.message


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the lamp and chair",
        "remove the lamp and the hand",
        "remove the lamp and the chair in the background",
        "remove the boy and girl near the fence",
        "remove the hiker on the left and his backpack",
        "remove the waiter between the bride and groom",
        "erase the hut (a small one) in the middle of the meadow",
        "remove the woman in the foreground wearing a hat and gloves",
        "erase the black and white spotted cow",
        "remove the child that does not have a balloon",
        "remove the man without a hat",
        "remove the two outside chairs",
    ],
)
def test_it_takes_a_plain_group_for_what_is_in_the_box(instruction: str) -> None:
    step = only_step(instruction, boxes=1)
    assert (step.operation, step.target) == ("erase", IN_THE_BOX)


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the booth in the background and the lamppost",
        "remove the kiosk on the left and a paper lantern",
        "erase the napkin on the table and the broken stool",
        "remove the dust from the top and bottom",
        "remove the stains on the sofa and under the window",
        "get the boy in the middle, the boy on the right, out of the picture",
        "remove my bag, the rope, and the fly on the wall",
        "remove the border and the stickers",
    ],
)
def test_one_box_is_not_around_things_in_different_places(instruction: str) -> None:
    assert "its own box" in message(instruction)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("remove the crowd in the background and the lamppost", ["thing", "region"]),
        ("remove the thumb and the dog", ["region", "thing"]),
        ("remove the boy on the left and a paper lantern", ["thing", "region"]),
        ("delete the people and the bench", ["region", "thing"]),
        ("remove the cow and the truck", ["thing", "thing"]),
        ("remove the crowd in the background and remove the kiosk", ["thing", "region"]),
        ("make the scarf redder and brighten the dog", ["region", "thing"]),
        ("turn the hair brown, turn the ribbon green", ["thing", "region"]),
        ("remove the boy in the blue shirt, remove the cart next to the man", ["thing", "region"]),
        ("darken the sky and brighten the horse", ["thing", "thing"]),
    ],
)
def test_what_is_found_by_its_name_needs_no_box_beside_the_marked_thing(
    instruction: str, expected: list[str]
) -> None:
    assert targets(instruction) == expected


def test_as_many_boxes_as_things_are_emptied_together() -> None:
    instruction = "remove the booth in the background and the lamppost"
    assert explain(instruction, regions=[BOX, BOX]).steps[0].target.boxes == (1, 2)


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the booth in the background and remove the kiosk",
        "make the scarf redder and brighten the vest",
        "paint the hut white and remove the ladder",
        "turn the bow brown, turn the ribbon green",
        "remove the cart, remove the stall next to the wall",
        "make it warmer and brighten her face",
    ],
)
def test_two_wishes_for_different_things_need_two_boxes(instruction: str) -> None:
    assert "its own box, in the order in which they are named" in message(instruction)


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        (
            "make the scarf redder and brighten the vest",
            ["more red, the marked scarf", "brighter, the vest in box 2"],
        ),
        ("paint the hut white and remove the ladder", ["hut in box 1 turned white", "box 2 erased"]),
        ("remove the lamppost and brighten the dog", ["box 1 erased", "brighter, the dog in box 2"]),
        ("remove the posts and sharpen the kiosk", ["box 1 erased", "sharper, the kiosk in box 2"]),
        ("remove the posts and brighten the dog", ["boxes 1 and 2 erased", "brighter, the dog"]),
        ("remove the boat and blur the background", ["boxes 1 and 2 erased", "blurred, the background"]),
    ],
)
def test_two_boxes_are_taken_in_the_order_of_the_words(instruction: str, words: list[str]) -> None:
    assert said(instruction, boxes=2) == words


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        (
            "remove the crowd in the background and brighten the people in the foreground",
            ["the people in the background erased", "brighter, the subject"],
        ),
        (
            "remove the boy on the left and put me in the center",
            ["the boy on the left erased", "the subject in the center"],
        ),
        (
            "erase the strangers in the background except the girl in red",
            ["the people in the background erased, the girl in red kept as it is"],
        ),
        (
            "remove the background to leave just the pie, and brighten it",
            ["background transparent, all but what is marked", "brighter, the whole photo"],
        ),
        ("take the green out of the photo", ["much less green, the whole photo"]),
    ],
)
def test_a_box_takes_nothing_away_from_what_the_words_tell(instruction: str, words: list[str]) -> None:
    assert said(instruction, boxes=1) == words
    assert explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("crop the photo", "cropped around the marked place"),
        ("crop it to 4:5", "cropped to 4:5 around the marked place"),
        ("crop the lighthouse", "cropped around the marked place"),
        ("crop the lady on the left", "cropped around the marked place"),
        ("crop it and just focus on the baby", "cropped around the marked place"),
        ("crop it so that the couple is the only thing in focus", "cropped around the marked place"),
        ("turn all the roses blue", "roses in the marked place turned blue"),
        ("change the color of woman to blue", "woman in the marked place turned blue"),
        ("take the green out of it", "much less green, the marked place"),
    ],
)
def test_a_box_says_what_is_meant(instruction: str, words: str) -> None:
    assert said(instruction, boxes=1) == [words]


@pytest.mark.parametrize("instruction", ["crop the sky", "take the green out of the box"])
def test_a_box_does_not_say_what_is_to_go(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


def test_a_crop_is_around_the_subject_where_the_box_is_for_something_else() -> None:
    assert said("crop the photo and remove the bin", boxes=1) == [
        "cropped around the subject",
        "the marked place erased",
    ]


@pytest.mark.parametrize(
    "instruction",
    [
        "brighten the horse and make the horse sharper",
        "brighten the boy and make him warmer",
        "sharpen the letters and center them",
        "remove the man behind us. Please remove the man behind us",
    ],
)
def test_two_wishes_for_one_thing_share_its_box(instruction: str) -> None:
    assert set(targets(instruction)) == {"region"}


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("lighten this up a bit and add some contrast", ["region", "region"]),
        ("make it warmer, sharpen and enhance the colors", ["region", "region", "region"]),
        ("make it less green, fix the colors", ["whole", "whole"]),
        ("I found this photo of my aunt. Can you make it sharper", ["whole"]),
        ("sharpen the photo by brightening it", ["whole", "whole"]),
        ("adjust the hue of the photo to make it less green", ["whole"]),
        ("take the noise out of this 1970s photo", ["whole"]),
    ],
)
def test_wishes_that_name_no_part_share_one_place(instruction: str, expected: list[str]) -> None:
    assert targets(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("sharpen the photo and add contrast to the tower", ["whole", "region"]),
        ("make the hat redder and the whole picture brighter", ["region", "whole"]),
        ("brighten this and make the whole photo warmer", ["region", "whole"]),
        ("remove the glare and brighten", ["region", "whole"]),
        ("raise the contrast of the image whiten teeth", ["whole", "region"]),
        ("make the hat redder and add contrast", ["region", "whole"]),
        ("brighten the photo on the left a lot", ["place"]),
        ("brighten the corners of the photo", ["place"]),
    ],
)
def test_the_photo_and_a_part_may_both_be_named(instruction: str, expected: list[str]) -> None:
    assert targets(instruction) == expected


@pytest.mark.parametrize(
    "instruction",
    [
        "brighten the photo and her hat",
        "soften the edges of the cloud",
        "make me look a bit furrier and the hat brighter",
    ],
)
def test_it_never_guesses_which_half_the_box_is_for(instruction: str) -> None:
    assert message(instruction)


def test_it_still_takes_a_place_in_the_photo_for_the_box() -> None:
    assert targets("brighten the photo specifically in the area around the hats") == ["region"]


@pytest.mark.parametrize(
    "instruction", ["remove the glare", "remove the glare from his glasses", "remove the sun glare"]
)
def test_glare_in_a_box_is_dimmed_there(instruction: str) -> None:
    step = only_step(instruction, boxes=1)
    assert (step.operation, step.target) == ("highlights", IN_THE_BOX)


def test_a_face_that_a_shadow_is_on_is_not_erased() -> None:
    step = only_step("remove the shadow from her face", boxes=1)
    assert (step.operation, step.target) == ("shadows", IN_THE_BOX)
    assert only_step("remove the shadow on the floor", boxes=1).operation == "erase"


def test_shadows_of_the_whole_photo_are_lightened() -> None:
    step = only_step("remove shadows from the picture so you can see more details", boxes=1)
    assert (step.operation, step.target) == ("shadows", WHOLE)


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the grey area outside of the circle",
        "erase the space around the vase",
        "remove the white frame around the picture and the stamp",
        "remove the pupils from her eyes",
        "remove the drizzle",
        "erase the snow in the picture",
        "get rid of the rainy atmosphere",
        "rid the photo of any rain",
        "remove the vintage effect",
        "extract the wet weather",
        "remove the yellow from the teeth",
        "remove white from top and bottom",
        "crop out the sky",
        "remove the smoke and the whole background of the tower",
        'remove the word "tea" and rewrite as "coffee"',
    ],
)
def test_it_never_empties_a_box_for_what_is_not_in_it(instruction: str) -> None:
    steps = explain(instruction, regions=[BOX]).steps
    assert "erase" not in [step.operation for step in steps]
    assert "transparent_background" not in [step.operation for step in steps]


@pytest.mark.parametrize(
    ("instruction", "noun", "color"),
    [
        ("change the color of the hockey field to green", "hockey field", "green"),
        ("change the door frame to brown", "door frame", "brown"),
        ("change the bin next to the woman to green", "bin", "green"),
        ("turn the horse's mane to a lighter shade of brown", "horse mane", "light brown"),
        ("change this horse's color to black", "horse", "black"),
        ("change the mug on the left to blue", "mug", "blue"),
        ("make the tank top blue", "tank top", "blue"),
    ],
)
def test_it_recolors_what_more_words_describe(instruction: str, noun: str, color: str) -> None:
    step = only_step(instruction, boxes=1)
    assert (step.operation, step.target.noun, step.color) == ("recolor", noun, color)


@pytest.mark.parametrize(
    "instruction",
    [
        "replace the lamp with an orange",
        "change the plums to oranges",
        "make the left half blue and the right half red",
        "make the man in the background blue",
    ],
)
def test_it_never_recolors_what_is_to_become_another_thing(instruction: str) -> None:
    steps = explain(instruction, regions=[BOX]).steps
    assert not {"recolor", "solid_background"} & {step.operation for step in steps}


def test_plural_colors_are_found_in_the_whole_photo() -> None:
    plan = explain("brighten the photo and make the greens more vivid", regions=[BOX])
    assert [step.target.what for step in plan.steps] == ["whole", "thing"]


def test_a_quality_is_not_what_a_box_protects() -> None:
    assert "stays as it is" in message("brighten the photo but keep the misty look")


def test_a_shine_on_a_thing_is_what_a_box_protects() -> None:
    step = only_step("darken the photo but keep the shine on the helmet", boxes=1)
    assert step.keep == (IN_THE_BOX,)


@pytest.mark.parametrize(
    ("instruction", "noun", "color"),
    [
        ("darken the sky", "sky", None),
        ("make the lake greener", "water", None),
        ("brighten her face", "face", None),
        ("sharpen the puppy", "dog", None),
        ("brighten the red van next to the gate", "van", "red"),
        ("make the lighthouse brighter", "lighthouse", None),
        ("make the tulips black and white", "tulips", None),
        ("turn the boat sepia", "boat", None),
        ("brighten it", None, None),
        ("make this warmer", None, None),
        ("brighten the boat and the pier", None, None),
        ("lighten the area around the statue", None, None),
        ("darken the left side", None, None),
    ],
)
def test_what_is_named_is_looked_for_in_the_box(
    instruction: str, noun: str | None, color: str | None
) -> None:
    assert only_step(instruction, boxes=1).target == Target("region", noun=noun, color=color, boxes=(1,))


def test_the_plan_names_the_marked_thing() -> None:
    assert only_step("darken the sky", boxes=1).says == "darker, the marked sky"
    assert only_step("darken the sky in box 2", boxes=2).says == "darker, the sky in box 2"


@pytest.mark.parametrize(
    "instruction",
    ["brighter", "black and white", "blur", "sharpen", "an oil painting", "add a slight vignette", "add fog"],
)
def test_a_wish_that_names_no_part_acts_in_the_box(instruction: str) -> None:
    assert only_step(instruction, boxes=1).target == Target("region", boxes=(1,))
    assert only_step(instruction).target == WHOLE


@pytest.mark.parametrize(
    ("instruction", "places"),
    [
        ("brighten the whole photo", ["whole"]),
        ("crop to 1:1 and brighter", ["region", "whole"]),
        ("remove this and brighten the photo", ["region", "whole"]),
        ("a white background, brighter", ["background", "whole"]),
    ],
)
def test_a_box_that_is_for_something_else_is_left_to_that(instruction: str, places: list[str]) -> None:
    assert [place for _, place, _ in moves(instruction, boxes=1)] == places
