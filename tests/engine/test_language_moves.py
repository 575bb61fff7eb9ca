"""One thing moved, copied, made larger or smaller, mirrored, turned: what is asked in which words."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Step, Target
from editor.options import Region
from tests.engine.readings import BOX, only_reason, only_step, said


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("move the horse to the right", "the horse moved to the right"),
        ("please shift the boat slightly to the left", "the boat moved a little to the left"),
        ("slide the bench left by 60 pixels", "the bench moved 60 pixels to the left"),
        ("move the kite up", "the kite moved up"),
        ("move the red bus down a bit", "the red bus moved a little down"),
        ("drag the suitcase to the bottom left corner", "the suitcase moved to the bottom left corner"),
        ("move the cat to the left side of the photo", "the cat moved to the left side"),
        ("put the bowl on the right", "the bowl moved to the right side"),
        ("move the sheep to the left of the truck", "the sheep moved to the left of the truck"),
        ("move the clock above the couch", "the clock moved above the couch"),
        ("relocate the vase to below the clock", "the vase moved below the clock"),
        ("change the position of the chair to right of the bed", "the chair moved to the right of the bed"),
        ("move the cow on the left next to the horse", "the cow on the left moved next to the horse"),
        ("move the sheep in front of the truck", "the sheep moved in front of the truck"),
        ("move the dog closer to the bench", "the dog moved next to the bench"),
    ],
)
def test_a_thing_is_moved(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("make the sheep bigger", "larger, the sheep"),
        ("make the boat a little smaller", "a little smaller, the boat"),
        ("enlarge the kite in the picture", "larger, the kite"),
        ("shrink the truck by 25%", "the truck at 75% of its size"),
        ("make the bird 40% larger", "the bird at 140% of its size"),
        ("make the cow twice as big", "the cow at 200% of its size"),
        ("make the vase half the size", "the vase at 50% of its size"),
        ("double the size of the banana", "the banana at 200% of its size"),
        ("increase the size of the clock", "larger, the clock"),
        ("resize the bench to 60%", "the bench at 60% of its size"),
    ],
)
def test_a_thing_is_made_larger_or_smaller(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("duplicate the sheep", "a copy of the sheep beside it"),
        ("make a copy of the kite", "a copy of the kite beside it"),
        ("copy the boat to the left", "a copy of the boat to the left"),
        ("clone the bird on the right", "a copy of the bird on the right"),
        ("add another horse", "a copy of the horse beside it"),
        ("add a second bottle next to it", "a copy of the bottle beside it"),
        ("add another cow to the left of the tv", "a copy of the cow to the left of the tv"),
    ],
)
def test_a_thing_is_copied(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("mirror the horse", "the horse mirrored left to right"),
        ("flip the boat vertically", "the boat mirrored upside down"),
        ("rotate the clock 30 degrees clockwise", "the clock rotated 30 degrees clockwise"),
        ("turn the bottle counterclockwise", "the bottle rotated 90 degrees counterclockwise"),
        ("turn the chair upside down", "the chair turned upside down"),
    ],
)
def test_a_thing_is_mirrored_and_turned(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


def test_the_box_says_which_thing_whatever_its_name() -> None:
    assert said("move the gargoyle to the left", boxes=1) == ["what the box marks moved to the left"]
    assert said("make the moon larger", boxes=1) == ["larger, what the box marks"]
    assert only_step("move it up", boxes=1).target == Target("region", boxes=(1,))
    assert only_reason("move the gargoyle to the left") is Reason.NEEDS_REGION


def test_a_second_box_says_where_to() -> None:
    assert said("move box 2 to box 1", boxes=2) == ["what box 2 marks moved to box 1"]
    assert said("move it", boxes=2) == ["what box 1 marks moved to box 2"]
    step = only_step("put the gargoyle above the arch".replace("put", "move"), boxes=2)
    assert (step.target.boxes, step.place, step.values.get("beside")) == (
        (1,),
        "top",
        Target("region", boxes=(2,)),
    )
    assert only_reason("move the gargoyle above the arch", boxes=1) is Reason.NEEDS_REGION
    assert only_reason("move it to box 2", boxes=1) is Reason.NEEDS_REGION


@pytest.mark.parametrize(
    ("instruction", "way"),
    [
        ("put the gargoyle to the left of the arch", "to the left of"),
        ("change the gargoyle's position to the right of the arch", "to the right of"),
        ("change the location of the metal and glass gargoyle to below of the stone arch", "below"),
        ("move the gargoyle on top of the arch", "onto"),
        ("move the gargoyle in front of the arch", "in front of"),
        ("move the gargoyle closer to the arch", "next to"),
        ("move this above that", "above"),
        ("move the small gargoyle to the right of the big arch", "to the right of"),
        ("move the fur rug below the arch", "below"),
    ],
)
def test_two_boxes_say_what_goes_beside_what(instruction: str, way: str) -> None:
    assert said(instruction, boxes=2) == [f"what box 1 marks moved {way} what box 2 marks"]
    assert not explain(instruction, regions=[BOX]).accepted


def test_nothing_goes_behind_another_thing() -> None:
    plan = explain("move the gargoyle behind the arch", regions=[BOX, BOX])
    assert not plan.accepted
    assert "move it to box 2" in plan.message


def test_an_addition_goes_into_the_box() -> None:
    step = only_step("add another sheep", boxes=1)
    assert (step.target, step.place, step.values.get("beside")) == (
        Target("thing", noun="sheep"),
        "inside",
        Target("region", boxes=(1,)),
    )
    assert not explain("add another sheep on the left", regions=[BOX]).accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "move his leg to the left",
        "make her chin smaller",
        "make the horse's head bigger",
        "turn the horse to the left",
        "make him smaller around the belly",
        "make the lady slimmer",
        "move the jacket to the right",
        "move the sheep onto the roof",
        "copy the bird onto the bench",
        "move the sheep and the cow to the left",
        "move the sheep behind the truck",
        "move both horses to the left",
        "make the people larger",
        "rotate the clock",
        "move the chair",
        "swap the horse and the cow",
        "make the sky larger",
        "duplicate the photo",
    ],
)
@pytest.mark.parametrize("boxes", [0, 1])
def test_what_is_no_whole_thing_or_no_clear_way_is_refused(instruction: str, boxes: int) -> None:
    assert not explain(instruction, regions=[BOX] * boxes).accepted


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("enlarge the photo", "resize"),
        ("flip the picture", "flip"),
        ("rotate to the left", "rotate"),
        ("rotate the picture 90 degrees to the right", "rotate"),
        ("mirror the photo", "flip"),
        ("center the subject", "center"),
        ("shift the colors toward blue", "tint"),
    ],
)
@pytest.mark.parametrize("boxes", [0, 1])
def test_the_photo_keeps_its_own_turns_and_sizes(instruction: str, operation: str, boxes: int) -> None:
    assert only_step(instruction, boxes=boxes).operation == operation


def test_what_follows_is_not_about_the_whole_photo() -> None:
    assert not explain("move the sheep to the left and make it brighter").accepted
    assert said("move it to the left and make it larger", boxes=1) == [
        "what the box marks moved to the left",
        "larger, what the box marks",
    ]
    assert said("make it larger") == ["larger"]
    assert said("mirror the photo and make it larger", boxes=1)[1] == "larger"
    assert said("move the sheep left and brighten the photo")[1] == "brighter, the whole photo"


@pytest.mark.parametrize("instruction", ["flip it", "turn it 15 degrees", "enlarge it", "scale it to 70%"])
def test_beside_a_box_it_may_be_the_photo_or_what_is_marked(instruction: str) -> None:
    assert explain(instruction).accepted
    assert only_reason(instruction, boxes=1) is Reason.AMBIGUOUS
    assert only_step(instruction.replace(" it", " this"), boxes=1).target.what == "region"


@pytest.mark.parametrize(
    "instruction",
    [
        "duplicate the sheep to the right and mirror it",
        "copy the boat to the left and make the copy larger",
        "copy the boat to the left and sharpen it",
        "shift it up and rotate it 10 degrees",
        "brighten the horse and mirror it",
        'write "Ahoy" and move it to the top',
        "add a star emoji and move it up",
    ],
)
@pytest.mark.parametrize("boxes", [0, 1])
def test_nothing_else_is_moved_or_turned_than_what_was_spoken_of(instruction: str, boxes: int) -> None:
    assert not explain(instruction, regions=[BOX] * boxes).accepted


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("make the horse darker by 15%", "darker by 15%, the {}horse"),
        ("make her coat sharper by 25 percent", "sharper by 25%, the {}coat"),
        ("make the sheep more vivid by 30%", "more vivid by 30%, the {}sheep"),
    ],
)
def test_a_percentage_is_a_size_only_beside_a_word_of_size(instruction: str, words: str) -> None:
    assert said(instruction) == [words.format("")]
    assert said(instruction, boxes=1) == [words.format("marked ")]


@pytest.mark.parametrize("instruction", ["make the boat fluffier by 40%", "make the truck green by 60%"])
@pytest.mark.parametrize("boxes", [0, 1])
def test_an_unknown_quality_is_no_size(instruction: str, boxes: int) -> None:
    assert not explain(instruction, regions=[BOX] * boxes).accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "add my grandfather beside my aunt",
        "add the horse to the left of the cow",
        "include our uncle next to my sister",
        "put my late aunt to the right of me",
    ],
)
@pytest.mark.parametrize("boxes", [0, 1])
def test_who_is_added_is_not_moved(instruction: str, boxes: int) -> None:
    assert not explain(instruction, regions=[BOX] * boxes).accepted


@pytest.mark.parametrize(
    "instruction", ["turn the truck to the left", "spin the boat to the right", "tilt the vase to the left"]
)
@pytest.mark.parametrize("boxes", [0, 1])
def test_a_thing_that_is_to_face_elsewhere_is_not_laid_on_its_side(instruction: str, boxes: int) -> None:
    assert "how far" in explain(instruction, regions=[BOX] * boxes).message


@pytest.mark.parametrize(
    "instruction",
    [
        "copy the sheep three times",
        "duplicate the kite twice to the right",
        "make the boat 97% smaller",
        "make the vase five times bigger",
        "move the horse 4 inches to the right",
        "move the clock halfway to the left",
        "move the clock -15% to the left",
        "move the clock 300% up",
    ],
)
@pytest.mark.parametrize("boxes", [0, 1])
def test_no_amount_is_dropped(instruction: str, boxes: int) -> None:
    assert only_reason(instruction, boxes=boxes) is Reason.AMBIGUOUS


@pytest.mark.parametrize(
    "instruction",
    [
        "move the oldest woman to the left",
        "move the boy with the kite to the right",
        "move the girl carrying the cat up",
    ],
)
def test_whoever_no_eye_can_tell_apart_needs_a_box(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NEEDS_REGION
    assert explain(instruction, regions=[BOX]).accepted


def test_a_plan_keeps_what_a_thing_goes_beside() -> None:
    step = explain("move the sheep next to the truck").steps[0]
    assert step.values.get("beside") == Target("thing", noun="truck")
    assert Step.from_json(step.as_json()) == step


def test_a_box_on_the_place_shows_no_subject() -> None:
    plan = explain("move box 1 to box 2", regions=[Region(0.1, 0.1, 0.2, 0.2), BOX])
    assert {box for target in plan.steps[0].targets for box in target.boxes} == {1, 2}


@pytest.mark.parametrize(
    ("instruction", "words", "of_the_photo"),
    [
        ("could you mirror this", "what the box marks mirrored left to right", "flip"),
        ("flip this vertically please", "what the box marks mirrored upside down", "flip"),
        ("rotate this by 35 degrees", "what the box marks rotated 35 degrees clockwise", "rotate"),
        ("enlarge this a little", "a little larger, what the box marks", "resize"),
        ("shrink this by half", "what the box marks at 50% of its size", "resize"),
    ],
)
def test_this_is_what_the_box_marks_and_the_photo_without_one(
    instruction: str, words: str, of_the_photo: str
) -> None:
    assert explain(instruction, regions=[BOX]).steps[0].says == words
    assert only_step(instruction).operation == of_the_photo
    picture = instruction.replace("this", "this picture")
    assert only_step(picture, boxes=1).operation == of_the_photo


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("move the brown and white dog to the right of the bench", "the dog moved to the right of the bench"),
        ("move the horse to the left of the green tree", "the horse moved to the left of the green tree"),
        ("move the girl down to the lower half of the picture", "the girl moved to the bottom"),
    ],
)
def test_two_colors_and_halves_are_understood(instruction: str, words: str) -> None:
    assert only_step(instruction).says == words


@pytest.mark.parametrize(
    "instruction",
    [
        "move the blue truck to the left of the yellow and blue truck",  # of two that no eye tells apart
        "move the cup to the lower half of the table",
        "move the dog to half of the photo",
    ],
)
def test_a_move_between_things_alike_or_parts_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted
