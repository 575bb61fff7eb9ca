"""Another background: colors, gradients, cut-outs, supplied photos."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.language.lexicon.grounds import DRAWN_PLACES
from editor.engine.operations.background.scenes import PLACES
from editor.engine.plan import Kind, Reason, Target
from tests.engine.readings import BOX, only_reason, only_step, variant_of


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
    assert (step.operation, step.color, variant_of(step), step.place) == (
        "gradient_background",
        *colors,
        place,
    )


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
    assert only_reason("change the background to a castle") in (Reason.NEEDS_REFERENCE, Reason.UNKNOWN_WORD)
    assert only_reason("change the background to a stadium") is Reason.NEEDS_REFERENCE


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
        *("change it to portrait mode", "remove a lot of the background"),
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
    assert (step.operation, variant_of(step), step.color) == ("drawn_background", choice, color)


def test_a_plain_background_is_white_where_no_color_is_named() -> None:
    assert only_step("give it a plain background").color == "white"
    assert only_step("use a plain red background").color == "red"
    assert only_step("make it a white studio background").operation == "solid_background"


@pytest.mark.parametrize(
    "instruction", ["change the background to a stadium", "put me in front of a hospital"]
)
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
        ("cut the horse out on white", "solid_background", "white", "horse"),
        ("cut him out on black", "solid_background", "black", None),
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


@pytest.mark.parametrize(
    ("wish", "operation"),
    [
        ("create a cutout of this dog on a white/transparent background", "solid_background"),
        ("make a cutout of the dog on a transparent or white background", "transparent_background"),
        ("crop the girl holding the dog onto a plain white background", "solid_background"),
    ],
)
def test_a_cutout_is_laid_on_the_first_ground_that_is_named(wish: str, operation: str) -> None:
    assert only_step(wish).operation == operation


def test_the_plan_says_that_a_box_shows_what_is_left() -> None:
    assert only_step("cut out the scarf", boxes=1).says == "background transparent, all but what is marked"
    assert only_step("remove the background").says == "background transparent"


@pytest.mark.parametrize(
    ("instruction", "choice"),
    [
        ("change the background to the woods", "forest"),
        ("swap the garage background for a sandy beach scene", "beach"),
        ("adapt the surroundings of this photo to depict a desert landscape", "desert"),
        ("alter the setting from a kitchen to a cozy library", "library"),
        ("set the background to downtown", "city street"),
        ("turn the background into a nighttime cityscape", "city at night"),
        ("replace everything behind the man with a lush green garden", "garden"),
        ("give her a snowy landscape background", "snowy field"),
        ("place us on a beach", "beach"),
        ("put the dog in a grassy field", "grassland"),
        ("use outer space as the backdrop", "space"),
        ("revamp the backdrop to resemble a desert", "desert"),
        ("adjust the scenery to reflect a snowy terrain", "snowy field"),
        ("make changes to the setting of this picture to create a forest scene", "forest"),
        ("swap the landscape for a dense green jungle", "jungle"),
        ("change the field with tulips background to high mountains", "mountains"),
        ("the background needs to be a library", "library"),
        ("we want a city behind us", "city"),
        ("put the couple in front of a lake backdrop", "lake"),
    ],
)
def test_a_place_lies_behind_the_subject(instruction: str, choice: str) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step), step.target) == (
        "drawn_background",
        choice,
        Target("background"),
    )


def test_the_plan_says_that_a_place_is_out_of_focus_and_whose_picture_it_is() -> None:
    assert only_step("make the background a beach").says == "background a beach, out of focus (drawn)"
    pictured = only_step("make the background an office, please").says, only_step("put me in a forest").says
    assert pictured == (
        "background an office, out of focus (drawn)",
        "background a forest, out of focus (a picture of Darkroom's own)",
    )


def test_every_place_can_be_named_and_drawn() -> None:
    assert set(DRAWN_PLACES) == set(PLACES)
    for choice, words in DRAWN_PLACES.items():
        for word in words.split(", "):
            assert variant_of(only_step(f"change the background to {word}")) == choice, word


@pytest.mark.parametrize(
    "instruction",
    [
        *("change the background to a burning forest", "change the background to a forest with a river"),
        *("change the background to a beach with parasols", "make the background a city on fire"),
        *("change the background to grass and mountains", "replace the trees in the background with a beach"),
        *("change the house in the background to a library", "add mountains in the background"),
        *(
            "add snow to the background",
            "use the beach photo as the background",
            "place the cat in the garden",
        ),
        *("put a lion in a park", "change the dog to a forest", "change the background to a haunted forest"),
        *("change the background to a crowded street", "change the background to a forest or a beach"),
        *("change the man with the beach background to a forest", "we want a lake in the background"),
        *("I like the forest behind her", "the background is a beach", "change the landscape to portrait"),
    ],
)
def test_a_place_is_refused_when_more_or_something_else_is_asked_for(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_place_that_follows_a_removed_background_is_one_change() -> None:
    assert variant_of(only_step("remove the background and replace it with a forest")) == "forest"


@pytest.mark.parametrize(
    ("instruction", "choice"),
    [
        ("replace the sky with a sunset", "sunset"),
        ("turn the dull sky of this picture into a starry night sky", "night sky"),
        ("swap the sky for a cloudy blue sky", "sky"),
        ("change the gray sky to a clear blue sky", "clear sky"),
        ("make the sky a sunset", "sunset"),
        ("could I have a pretty sunset in the sky instead of the dull gray sky?", "sunset"),
        ("put a starry night in the sky of this photo rather than the blue one", "night sky"),
    ],
)
def test_a_sky_becomes_another_one(instruction: str, choice: str) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step), step.target) == (
        "drawn_sky",
        choice,
        Target("thing", noun="sky"),
    )


@pytest.mark.parametrize(
    "instruction",
    [
        *("replace the sky", "replace the sky with fire", "replace the sky with a stormy sky"),
        *("replace the house under the sky with a sunset", "replace the sky with a sunset and dragons"),
        *("put a sunset instead of the house", "a sunset in the sky instead of the blue car"),
    ],
)
def test_a_sky_that_is_not_drawn_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_sky_that_is_only_blue_is_recolored() -> None:
    assert only_step("change the sky to blue").operation != "drawn_sky"


@pytest.mark.parametrize(
    ("kept", "nouns"),
    [
        ("keep the knitted scarf and the blue jeans", (None,)),
        ("remain the woolen gray hat, leather brown boots unchanged", (None,)),
        ("keep the red and black plaid shirt, silver necklace as they are", (None,)),
        ("but keep the bench", ("bench",)),
        ("keep the denim jacket, wooden chair and white cup", (None, "chair", "cup")),
        ("while keeping the bicycle in the foreground", ("bicycle",)),
        ("keep the sky", ("sky",)),
    ],
)
def test_what_is_worn_stays_with_the_subject_and_what_can_be_found_stays_beside_it(
    kept: str, nouns: tuple[str | None, ...]
) -> None:
    step = only_step(f"change the background to a park, {kept}")
    assert (variant_of(step), tuple(target.noun for target in step.keep)) == ("park", nouns)
    assert all(target.noun or target == Target("subject") for target in step.keep)


@pytest.mark.parametrize(
    "kept",
    [
        *("keep the biscuit", "keep the jacket and the railing", "remain the stone gray stairs unchanged"),
        *("keep the toy car", "keep the hat and the reflection"),
    ],
)
def test_what_would_go_with_the_background_is_not_dropped_in_silence(kept: str) -> None:
    assert not explain(f"change the background to a park, {kept}").accepted


def test_a_box_shows_the_one_thing_that_is_left_but_not_a_list_of_them() -> None:
    assert only_step("make the background black, keep the biscuit", boxes=1).says == (
        "background black, all but what is marked"
    )
    assert not explain("make the background black, keep the biscuit and the stairs", regions=[BOX]).accepted


def test_what_is_kept_from_a_new_background_may_still_be_brightened() -> None:
    plan = explain("make the background white but keep the cup. Then brighten the photo")
    assert [step.says for step in plan.steps] == [
        "background white, the cup kept as it is",
        "brighter, the whole photo",
    ]


@pytest.mark.parametrize(
    "wish",
    [
        "delete the background; only include the woman",
        "remove the backdrop and only keep the dog",
        "remove the background, just include the two girls",
    ],
)
def test_what_alone_is_included_is_what_a_cut_out_leaves(wish: str) -> None:
    assert only_step(wish).operation == "transparent_background"


@pytest.mark.parametrize(
    "wish",
    [
        *("give it a black background and no background", "make the background gray and blurred"),
        "change the background to a forest and give it a white background",
        "make the background white and cut out the dog",
    ],
)
def test_there_is_only_one_background(wish: str) -> None:
    assert only_reason(wish) is Reason.AMBIGUOUS


def test_a_place_that_is_to_be_blurred_is_out_of_focus_anyway() -> None:
    assert variant_of(only_step("change the background to a meadow, blurred")) == "meadow"


def test_what_was_cut_out_by_its_name_stands_on_the_color_that_follows() -> None:
    step = only_step("cut out the horse and make the background gray")
    assert (step.operation, step.color, step.target.noun) == ("solid_background", "gray", "horse")


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("crop Ellen to a transparent png", "background transparent"),
        ("crop the background and make it white", "background white"),
        (
            "change the setting in the photo from the old garage to a coastal beach environment",
            "background a beach, out of focus (drawn)",
        ),
    ],
)
def test_a_cropped_background_is_cut_away(instruction: str, words: str) -> None:
    plan = explain(instruction)
    assert [step.says for step in plan.steps] == [words]
    assert plan.accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "crop the background",
        "crop the background and make it brighter",
        "cut out Ellen",
        "cut the horse out",
        "cut the horse out on the white wall",
        "cut out the spatula as a transparent png",
        "cut out Ellen and Rupert as a transparent png",
    ],
)
def test_what_a_cut_leaves_must_be_sure(instruction: str) -> None:
    assert not explain(instruction).accepted
