"""Additions that are placed by what the photo shows, and what is offered instead of a photo of something."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.language.lexicon.pictures import PICTURES
from editor.engine.operations.add.emoji import _characters
from editor.engine.plan import Plan, Reason, Target
from tests.engine.readings import BOX, only_reason, only_step, said


def thing(noun: str, **fields: object) -> Target:
    return Target("thing", noun=noun, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("instruction", "operation", "target", "place"),
    [
        ("draw a blue circle above the bicycle", "shape", thing("bicycle"), "above"),
        ("add a star to the left of the bus", "shape", thing("bus"), "left of"),
        ("put a heart on the right side of the two boats", "shape", thing("boats", count=2), "right of"),
        ('write "Rex" under the dog in white letters', "text", thing("dog"), "below"),
        ('put "Anna" above the girl on the left', "text", thing("girl", place="left"), "above"),
        ('write "FOR RENT" on the truck', "text", thing("truck"), None),
        ("put a rocket emoji next to the laptop", "emoji", thing("laptop"), "next to"),
        ("add a cherry emoji on top of the cake", "emoji", thing("cake"), "on top"),
        ("add a plane emoji in the sky", "emoji", thing("sky"), None),
        ("add a heart between the two cups", "shape", thing("cups", count=2), "between"),
        ('add a speech bubble saying "Moo" beside the cow', "speech_bubble", thing("cow"), "next to"),
        ("add a triangle above his head", "shape", Target("face", count=1), "above"),
        ('write "Boss" over my head', "text", Target("face", count=1), "above"),
    ],
)
def test_it_is_placed_by_a_thing(instruction: str, operation: str, target: Target, place: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target, step.place) == (operation, target, place)


def test_another_photo_stands_beside_a_thing() -> None:
    step = only_step("put photo 2 below the clock", photos=2)
    assert (step.operation, step.photo, step.target, step.place) == ("sticker", 2, thing("clock"), "below")


@pytest.mark.parametrize(
    ("instruction", "target", "place"),
    [
        ("put a crown emoji on her head", Target("face", count=1), "head"),
        ("add a 🎩 to the guy", thing("guy"), "head"),
        ("put 🕶️ on his face", Target("face", count=1), "eyes"),
        ("put sunglasses emojis on everyone", thing("people"), "eyes"),
        ("add a glasses sticker over their eyes", Target("face", count=1), "eyes"),
    ],
)
def test_hats_and_glasses_are_worn(instruction: str, target: Target, place: str) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target, step.place) == ("emoji", target, place)
    assert len((step.text or "").replace("\ufe0f", "")) == 1


@pytest.mark.parametrize(
    "instruction",
    ["put a 🎩 on the horse", "add glasses emoji to the dog", "put a bow sticker on the cat's head"],
)
def test_on_an_animal_the_head_has_to_be_marked(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NEEDS_REGION
    assert only_step(instruction, boxes=1).target.what == "region"


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("add a star to the right of the bus", "filled star to the right of the bus"),
        ("put a crown emoji on the head of the woman on the left", "👑 on the head of the woman on the left"),
        ("put a 🎩 on his head", "🎩 on the head"),
        ("add an arrow above the kite", "arrow pointing down at the kite"),
        ("draw an arrow pointing at the vase from the right", "arrow pointing left at the vase"),
        ("draw an arrow pointing from the left at the vase", "arrow pointing right at the vase"),
        ("put an arrow from the right at the vase", "arrow pointing left at the vase"),
        ("add a bee emoji in the sky", "🐝 in the sky"),
        ("add a heart above the man on the right's head", "filled heart above the head on the right"),
    ],
)
def test_the_plan_says_beside_what(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    "instruction",
    [
        "add a star on the roof of the car",
        "put a bee emoji on the dog's left paw",
        "add a cake emoji on one of the tables",
        "add a canoe emoji with a man in it near the boat",
        "add a heart between the dog and the cat",
        "add a star above the photo",
        "add a heart next to it",
    ],
)
def test_it_never_takes_a_thing_for_a_part_of_it(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_box_marks_the_place_itself() -> None:
    step = only_step("add a green square next to the bottle", boxes=1)
    assert (step.target.what, step.place) == ("region", None)


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        ("add three heart emojis", "❤️❤️❤️"),
        ("put butterfly stickers at the top", "🦋🦋🦋"),
        ("add a drawing of a palm tree", "🌴"),
        ("add a clip art snowman", "⛄"),
        ("add an icon of a lighthouse", None),
        ("add 40 bee emojis", None),
    ],
)
def test_pictures_are_known_by_name_and_number(instruction: str, text: str | None) -> None:
    plan = explain(instruction)
    assert [step.text for step in plan.steps if plan.accepted] == ([text] if text else [])


def test_a_sticker_can_still_be_removed() -> None:
    assert only_step("remove the dog sticker", boxes=1).operation == "erase"


def offer(instruction: str) -> Plan:
    plan = explain(instruction)
    assert not plan.accepted
    assert not plan.instead or explain(plan.instead).accepted
    return plan


@pytest.mark.parametrize(
    ("instruction", "instead"),
    [
        ("Add a dragon", "Add a dragon emoji"),
        ("include a fluffy kitten next to the armchair", "add a kitten emoji next to the armchair"),
        ("give her a tiara", "add a tiara emoji on her head"),
        ("give him goggles", "add a goggles emoji on his face"),
        ("make it warmer and insert two parrots", "make it warmer and add 2 parrot emojis"),
        ("add a bird flying in the sky", "add a bird emoji in the sky"),
    ],
)
def test_a_drawn_picture_is_offered_for_a_photo_of_something(instruction: str, instead: str) -> None:
    plan = offer(instruction)
    assert plan.instead == instead
    assert instead in plan.message
    assert plan.not_understood[0].reason is Reason.NEEDS_GENERATION
    assert "drawn emoji" in plan.not_understood[0].hint
    assert plan.as_json()["instead"] == Plan.from_json(plan.as_json()).instead == instead


def test_where_the_place_cannot_be_found_a_box_is_asked_for() -> None:
    plan = offer("add a ladybug on the petal")
    assert plan.instead == ""
    assert "ladybug" in plan.message
    assert "box" in plan.message
    assert explain("add a ladybug on the petal", regions=[BOX]).instead == "add a ladybug emoji on the petal"


@pytest.mark.parametrize(
    "instruction",
    [
        "add a dog collar",
        "place the vase on the left of the table",
        "add a truck instead of the bus",
        "add a photo of a tiger",
        "add a sofa and some people",
        "remove the butterfly",
        "add a flobberwick",
        "make it brighter",
    ],
)
def test_nothing_else_is_offered(instruction: str) -> None:
    assert explain(instruction).instead == ""


def test_an_offer_is_not_needed_where_the_rest_was_chosen() -> None:
    plan = explain("make it warmer and add a parrot", partial=True)
    assert plan.accepted
    assert plan.instead == ""


def test_every_name_has_a_picture_of_the_font() -> None:
    for picture in PICTURES.values():
        assert _characters(picture.emoji)
        assert only_step(f"add a {picture.name} emoji").text == picture.emoji
