"""Tests that every meaningful word of a prompt is reflected in its plan."""

import json
import re
import zlib
from collections.abc import Iterable, Mapping

import pytest

from editor.engine.language.explain import explain
from editor.engine.language.reader import reader
from editor.engine.plan import Step
from editor.options import Region
from tests.compare_plans import summary

BOX = (Region(0.1, 0.1, 0.3, 0.3),)
# Modifiers of a sentence, each with a pattern that occurs in a plan that carries out the modifier.
MODIFIERS: Mapping[str, str] = {
    "{}, in purple": "purple",
    "purple {}": "purple",
    "{} at the top right": "top right",
    "{} by 23%": "(23|77|123).0",
    "{} by 23 percent": "(23|77|123).0",
    "dramatically {}": "0.8",
    "{} and a vignette": "vignette",
    "{} and center the dog": '"center"',
    "{} but keep the dog as it is": '"keep": .*"dog"',
    "{} and save it as a webp": '"webp"',
    "{} and add the text “come and go”": "come and go",
    "{}, then add a caption that says stop and save it": "stop and save it",
}
# Modifiers that are ambiguous after every sentence.
ALWAYS_REFUSED = ("{}, then add a caption that says stop and save it",)
ACCEPTS_A_COLOR_AFTERWARDS = "please remove the background"
# Modifiers that cannot describe what a box shows.
OF_ANY_WISH = ("{} by 23%", "{} by 23 percent")
EXAMPLES = sorted({words for rule in reader().grammar.rules for words in rule.examples})
# Modifiers of a sentence that change nothing in its plan.
IDLE = ("only {}", "{}, nothing else", "{} and save it", "{}, please, and thanks")
SHARE = 12  # One in every 12 examples is tested with each modifier.


def sample(sentences: Iterable[str], remainder: int) -> list[str]:
    return [words for words in sentences if zlib.crc32(words.encode()) % SHARE == remainder]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("modifier", "regions"), [*((one, ()) for one in MODIFIERS), *((one, BOX) for one in OF_ANY_WISH)]
)
def test_a_modifier_is_carried_out_or_refused(modifier: str, regions: tuple[Region, ...]) -> None:
    examples = [*sample(EXAMPLES, 0), ACCEPTS_A_COLOR_AFTERWARDS]
    plans = [explain(modifier.format(words), regions=regions) for words in examples]
    accepted = [plan for plan in plans if plan.accepted]
    assert accepted or modifier in ALWAYS_REFUSED
    wanted = MODIFIERS[modifier]
    assert [
        (plan.instruction, summary(plan))
        for plan in accepted
        if not re.search(wanted, json.dumps(plan.as_json()["steps"]))
    ] == []


@pytest.mark.parametrize("modifier", IDLE)
def test_words_that_request_nothing_change_nothing(modifier: str) -> None:
    examples = sample(EXAMPLES, 1)
    plans = [(explain(words), explain(modifier.format(words))) for words in examples]
    accepted = [(plan, modified) for plan, modified in plans if modified.accepted]
    assert len(accepted) >= 0.9 * len(examples)
    assert [
        (modified.instruction, summary(plan), summary(modified))
        for plan, modified in accepted
        if summary(modified) != summary(plan)
    ] == []


@pytest.mark.parametrize(
    "words",
    [
        "blur the women's faces",
        "brighten the faces of the twins",
        "change the background to a yellow field of flowers",
        "add some color to it, green and silver",
    ],
)
def test_a_word_that_no_step_uses_is_refused(words: str) -> None:
    (refusal,) = explain(words).not_understood
    assert refusal.words == words


@pytest.mark.parametrize(
    "words",
    [
        "add light snow at night",
        "add a blue circle with a black outline",
        "write “Hello” with a glow",
        "put a white frame around it so that it is 600x600",
        "brighten the cat from 5 to 40",
        "noir purple and green",
        "make the blue car's doors white",
    ],
)
def test_a_modifier_that_no_step_can_carry_out_is_refused(words: str) -> None:
    assert not explain(words).accepted


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("sharpen it and download", "sharpness 0.35"),
        ("flip it, export it", "flip axis=horizontal"),
        ("the colors are too strong, please fix this", "saturation -0.35"),
        ("the saturation is too low, please correct this", "saturation 0.35"),
        ("there are many scratches, fix them", "dust"),
        ("the lighting is terrible, fix it", "enhance 0.35 only=light"),
        ("only darken the grass", "brightness grass -0.35"),
        ("all but the cat should be blurry", "blur 0.35 keep=cat"),
        ("warm up the sky and center the horse", "warmth sky 0.35; center horse"),
        ("sharpen the horse and darken the rest", "sharpness horse 0.35; brightness -0.35 keep=horse"),
        ("put the star on black", "solid_background background color=black"),
        ("make the shadows deeper", "shadows -0.35"),
        ("don't crop it, only flip it", "flip axis=horizontal"),
        ("erase everybody except the woman on the right", "erase people keep=woman right"),
        ("can you save this picture? It is too dark", "brightness 0.35"),
        (
            "add text saying goodbye and blur the background",
            "text text=goodbye; blur_background background 0.35",
        ),
        ("sepia and grainy", "sepia; grain 0.35"),
        ("add the words just arrived", "text text=just arrived"),
        ("duotone pink and navy in the sky", "duotone sky color=pink light=navy"),
    ],
)
def test_each_word_is_interpreted_by_its_context(words: str, wanted: str) -> None:
    assert summary(explain(words)) == wanted


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("erase the guy on the blue scooter", "Erase the only guy (not checked: “on the blue scooter”)"),
        ("sharpen the horse near the barn", "Sharpen the only horse (not checked: “near the barn”)"),
        (
            "cut out the girl holding a kite and make the background white",
            "Cut out the only girl (not checked: “holding a kite”) on white",
        ),
        (
            "darken everything but the woman with the scarf",
            "Darken the photo, but keep the only woman (not checked: “with the scarf”) as it is",
        ),
        ("erase the tall woman on the right", "Erase the woman on the right (not checked: “tall”)"),
        ("erase the woman on the right", "Erase the woman on the right"),
    ],
)
def test_a_step_names_the_words_that_the_engine_cannot_check(words: str, wanted: str) -> None:
    (step,) = explain(words).steps
    assert step.says == wanted
    assert Step.from_json(json.loads(json.dumps(step.as_json()))).target.unchecked == step.target.unchecked


def test_each_of_two_things_keeps_its_own_unchecked_words() -> None:
    steps = explain("erase the man with the rake and brighten the man on the left").steps
    assert [step.target.unchecked for step in steps] == ["with the rake", None]


def test_a_box_shows_what_the_words_describe() -> None:
    (step,) = explain("erase the guy on the blue scooter", regions=BOX).steps
    assert step.target.unchecked is None


@pytest.mark.parametrize("modifier", ["{} or crop it to 3:7", "{} or make the sky purple"])
def test_an_alternative_is_refused(modifier: str) -> None:
    chosen = []
    for words in (words for words in EXAMPLES if zlib.crc32(words.encode()) % SHARE == 2):
        plan = explain(modifier.format(words))
        if plan.accepted:
            chosen.append((plan.instruction, summary(plan)))
    assert chosen == []


def test_the_first_alternative_is_offered() -> None:
    plan = explain("rotate it right or flip it")
    assert [refusal.words for refusal in plan.not_understood] == ["or flip it"]
    assert plan.ways[0].text == "rotate it right"


def test_a_refusal_names_the_word_that_no_step_uses() -> None:
    (refusal,) = explain("change the background to a yellow field of flowers").not_understood
    assert "“yellow”" in refusal.hint


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("my grandma passed away in June, please brighten the photo", "brightness 0.35"),
        ("brighten this picture of my brother and his red bike", "brightness 0.35"),
        ("brighten the faces of everyone", "brightness face 0.35"),
        ("change the gray background to blue", "solid_background background color=blue"),
    ],
)
def test_background_stories_and_descriptions_add_no_steps(words: str, wanted: str) -> None:
    assert summary(explain(words)) == wanted


@pytest.mark.parametrize(
    "words",
    [
        "make it red. The car.",
        "remove the people. The two on the left.",
        "brighten it. The sky not.",
        "remove the background. The tree stays.",
        "brighten it. I mean the face.",
        "brighten the photo. I don't like the pole.",
        "crop it to 4:5. He died and the sign has to go.",
        "erase the man, he's my boss. And make us look happy.",
        "sharpen the photo (the eyes only)",
        "brighten it (of the face)",
        "flip it (upside down)",
        "make the car blue (dark)",
        "sharpen it, just the eyes",
        "blur the photo (the background)",
        "brighten it for a mug",
        "increase the contrast in black and white",
        "+ contrast, - noise",
        "brightness +, contrast -",
    ],
)
def test_words_that_restrict_or_correct_a_wish_are_never_lost(words: str) -> None:
    assert not explain(words).accepted


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("brighten it. My wife loves this place.", "brightness 0.35"),
        ("sharpen it. This is my dad's only picture.", "sharpness 0.35"),
        ("The Smith Family - please brighten it", "brightness 0.35"),
        ("[PAID] remove the dog (my ex)", "erase dog"),
        ("brighten it (i hope this works)", "brightness 0.35"),
        ("brighten this photo, it would be super appreciated", "brightness 0.35"),
        ("the photo - brighter", "brightness 0.35"),
    ],
)
def test_stories_and_comments_in_brackets_request_nothing(words: str, wanted: str) -> None:
    assert summary(explain(words)) == wanted


def test_a_prompt_may_describe_the_faces_in_a_box() -> None:
    plan = explain("brighten the women's faces", regions=BOX)
    assert summary(plan) == "brightness box face 0.35"


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        ("add a caption that reads sit and go", "add a caption that reads “sit and go”"),
        ("put the words live and thanks at the top", "put the words “live and thanks” at the top"),
        ("add text saying knock please at the top", "add text saying “knock please” at the top"),
        ("add the words young and bright", "add the words “young and bright”"),
        ("make the sign say wash and save it", "make the sign say “wash and save it”"),
        ("write please come in", "write “please come in”"),
        ("write see you soon in blue", "write “see you soon” in blue"),
        ("add a caption: Our first car!", "add a caption: “Our first car”!"),
        ("add the text call us for help", "add the text “call us for help”"),
        ("add OPEN in white at the top", "add “OPEN” in white at the top"),
        ("write hello mom and brighten the sky", "write “hello mom” and brighten the sky"),
    ],
)
def test_a_text_that_is_not_in_quotation_marks_is_never_cut(words: str, whole: str) -> None:
    plan = explain(words)
    assert not plan.accepted
    assert plan.not_understood[0].hint.startswith("Put the text in quotation marks")
    assert [way.text for refusal in plan.not_understood for way in refusal.ways][:1] == [whole]


def test_what_is_saved_by_itself_is_said() -> None:
    (refusal,) = explain("save my photo").not_understood
    assert refusal.hint.startswith("Every result is saved")


@pytest.mark.parametrize(
    ("words", "done"),
    [
        ("her hat should be blorange, not pale", ""),
        ("the fence looks zorbled, too yellow", ""),
        ("brighten the cat, sharper", "Brighten"),
        ("make the boat red, not so dark", "Make the boat red"),
        ("add the text “Open”, slightly darker", "Add text"),
        ("the walls look zorbled, please correct it", ""),
        ("a zorble on the lens; clean it up", ""),
        ("add “Sale” to the zorble, barely visible", ""),
        ("sharpen it while the zorbles should stay as soft as they are", ""),
    ],
)
def test_what_depends_on_words_that_are_not_understood_changes_nothing(words: str, done: str) -> None:
    plan = explain(words)
    assert not plan.accepted
    assert [step.says[: len(done)] for step in plan.steps] == [done] * bool(done)


@pytest.mark.parametrize("regions", [(), BOX])
@pytest.mark.parametrize(
    "words",
    [
        "the walls look zorbled, please correct it",
        "there is zorble on the lens, clean it up",
        "crop it so that no zorbles are left",
        "darken it, but keep the wood grain and texture",
        "warmer, but keep the dog and the grain",
        "grainy, but not the sky",
        "hazy like in a dream",
    ],
)
def test_not_even_a_box_makes_such_words_a_change(words: str, regions: tuple[Region, ...]) -> None:
    plan = explain(words, regions=regions)
    assert not plan.accepted
    assert plan.steps == ()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("give us a sketch", "pencil_sketch"),
        ("send me a vintage version", "faded"),
        ("make me a bit brighter", "brightness subject 0.2"),
        ("blur me", "blur subject 0.35"),
        ("sharpen the corners, keep the dog bright", "sharpness edges 0.35 keep=dog"),
        ("vintage, but the woman should stay as sharp as she is", "faded keep=woman"),
        ("erase the man, but the cat should stay", "erase man keep=cat"),
        ("brighten the photo, but the grass dark", "brightness 0.35 keep=grass"),
        ("make the sky bright but the grass dark", "brightness sky 0.35; brightness grass -0.35"),
        ("cracks and dust; fix those", "dust"),
        ("there is sensor dust in the sky, clean it up", "dust sky"),
        ("the right half with less contrast", "contrast right -0.35"),
        ("put a moon in the top left corner", "moon place=top left"),
        ("my uncle's photo is damaged, please restore it", "enhance 0.35"),
        ("this is my dog, he passed away in May, can you fix it", "enhance 0.35"),
        ("erase the boat, brighter", "erase boat; brightness 0.35"),
        ("warmer, so tall format", "warmth 0.35; crop ratio=2:3"),
    ],
)
def test_a_remark_belongs_to_what_it_is_about(words: str, wanted: str) -> None:
    assert summary(explain(words)) == wanted


def test_a_box_marks_what_should_change_and_not_what_should_stay() -> None:
    sentence = "my nephew has paint all over his cheek, it should be gone"
    assert summary(explain(sentence, regions=BOX)) == "erase box paint"
    assert not explain(sentence).accepted
    (refusal,) = explain(f"{sentence}, but don't touch his braces", regions=BOX).not_understood
    assert refusal.hint.startswith("Your box shows what should change")


@pytest.mark.parametrize(
    "words",
    ["erase the vibes", "remove the gps data", "no plastic look", "sharpen the mode"],
)
def test_no_box_is_offered_for_what_no_photo_shows(words: str) -> None:
    assert not any(refusal.box_helps for refusal in explain(words).not_understood)
    assert not explain(words, regions=BOX).accepted


def test_a_box_does_not_replace_the_text_that_a_prompt_quotes() -> None:
    plan = explain(
        "put a speech bubble next to the goat's ear saying “Baa”, blue comic lettering", regions=BOX
    )
    assert "lettering" not in " ".join(step.says for step in plan.steps)
