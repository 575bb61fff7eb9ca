"""Tests that every suggestion offered after a refusal works."""

import tomllib
from pathlib import Path

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Plan, Reason, Refusal, WayKind
from editor.options import Region

BOX = Region(0.1, 0.1, 0.3, 0.3)
REFUSED = Path(__file__).parent / "phrases" / "refused.toml"


def ways(prompt: str, **scene: object) -> list[tuple[str, str]]:
    return [(way.kind.value, way.text) for way in explain(prompt, **scene).ways]  # type: ignore[arg-type]


def sentences(prompt: str) -> list[str]:
    return [text for kind, text in ways(prompt) if kind == WayKind.SENTENCE]


def assert_ways_work(plan: Plan) -> None:
    for refusal in plan.not_understood:
        assert len(refusal.ways) <= 3
        assert len(set(refusal.ways)) == len(refusal.ways)
    for way in plan.ways:
        if way.kind is WayKind.SENTENCE:
            assert explain(way.text).accepted, way
        elif way.kind is WayKind.REST:
            assert explain(way.text, partial=True).accepted, way
        elif len(plan.not_understood) == 1:
            assert explain(way.text, regions=[BOX]).accepted, way


def _strings(data: object) -> list[str]:
    if isinstance(data, dict):
        return [text for key, value in data.items() for text in [key, *_strings(value)]]
    if isinstance(data, list):
        return [text for value in data for text in _strings(value)]
    return data.strip().split("\n") if isinstance(data, str) else []


def test_every_suggestion_for_the_refused_phrases_works() -> None:
    for prompt in _strings(tomllib.loads(REFUSED.read_text("utf-8")))[::3]:
        assert_ways_work(explain(prompt))


@pytest.mark.parametrize(
    ("prompt", "offered"),
    [
        ("remove the trellis", [("box", "remove the trellis")]),
        ("make it sepia and add a zorblewick", [("rest", "make it sepia and add a zorblewick")]),
        ("add a squid", [("sentence", "add a squid emoji")]),
        ("add a squid on the shelf", [("box", "add a squid emoji on the shelf")]),
        ("put them in a forest in the fog", [("sentence", "give it a forest background")]),
        ("dim the contrast", [("sentence", "more contrast"), ("sentence", "less contrast")]),
        ("make it 4 stops brighter", [("sentence", "make it 2 stops brighter")]),
        (
            "add a blue sky with white clouds",
            [
                ("box", "add a blue sky, make the clouds white"),
                ("sentence", "add a blue sky, brighten the white clouds"),
                ("rest", "add a blue sky with white clouds"),
            ],
        ),
        ("soften the lighting", [("sentence", "less contrast"), ("sentence", "lift the shadows")]),
        ("conceal the number plate", [("box", "remove the number plate")]),
        ("make the bench satin red", [("sentence", "make the bench plain red")]),
        ("erase the dog, leave the lamp", [("rest", "erase the dog, leave the lamp")]),
        ("darken it, leave the lamp", []),
        (
            "sharpen it. I have no clue about cropping and colors",
            [("rest", "sharpen it. I have no clue about cropping and colors")],
        ),
        ("sharpen it. I want no clue about cropping and colors", []),
        ("the zorble is dull, mirrored", [("box", "the zorble is dull, mirrored")]),
        ("the zorble leans, rotate it left", []),
        ("hide the face with a smiley", []),
        ("hide the cables", [("box", "remove the cables")]),
        ("red eyes", [("sentence", "remove the red eyes")]),
        (
            "remove the zorble, rotate left",
            [("box", "remove the zorble, rotate left"), ("rest", "remove the zorble, rotate left")],
        ),
        (
            "yellow bench",
            [
                ("sentence", "make the bench yellow"),
                ("sentence", "remove the yellow bench"),
                ("sentence", "brighten the yellow bench"),
            ],
        ),
        (
            "brighten it a tad extremely",
            [("sentence", "brighten it a tad"), ("sentence", "brighten it extremely")],
        ),
        (
            "the cats on the right",
            [
                ("sentence", "remove the cats on the right"),
                ("sentence", "brighten the cats on the right"),
                ("sentence", "darken the cats on the right"),
            ],
        ),
        (
            "a bit more room for a slogan",
            [
                ("sentence", "add copy space on the left"),
                ("sentence", "add copy space on the right"),
                ("sentence", "add copy space at the top"),
            ],
        ),
        (
            "write “New” in a red star at the top",
            [
                ("sentence", "add text “New” on a red box top"),
                ("sentence", "add text “New” top"),
            ],
        ),
    ],
)
def test_a_refusal_offers_the_expected_suggestions(prompt: str, offered: list[tuple[str, str]]) -> None:
    assert ways(prompt) == offered
    assert_ways_work(explain(prompt))


@pytest.mark.parametrize(
    ("prompt", "hint"),
    [
        ("add a squid", "I don't have a photo of a squid. I can add it as an emoji."),
        ("add scissors", "I don't have a photo of scissors. I can add them as an emoji."),
        (
            "add an octopus on the shelf",
            "I don't have a photo of an octopus. "
            "Draw a box where it should go, and I can add it as an emoji.",
        ),
    ],
)
def test_the_offer_of_an_emoji_names_the_thing_in_correct_english(prompt: str, hint: str) -> None:
    assert explain(prompt).not_understood[0].hint == hint


@pytest.mark.parametrize(
    ("prompt", "offered"),
    [
        ("erasethe dog", "erase the dog"),
        ("remove the cat onthe left", "remove the cat on the left"),
    ],
)
def test_a_missing_space_gets_a_suggestion(prompt: str, offered: str) -> None:
    assert not explain(prompt).accepted
    assert sentences(prompt) == [offered]


def test_a_typo_is_corrected_without_a_question() -> None:
    plan = explain("make the bottle prple")
    assert plan.accepted
    assert [step.says for step in plan.steps] == ["Make the bottle purple"]


def test_a_suggestion_replaces_the_word_it_with_the_background() -> None:
    prompt = "make the background gray and sharpen it"
    assert sentences(prompt) == ["make the background gray and sharpen the background"]


def test_no_sentence_is_offered_if_another_part_stays_refused() -> None:
    assert not sentences("dim the contrast and add a zorblewick")


def test_a_correct_word_is_never_replaced_by_a_similar_one() -> None:
    for prompt in ("make it bolder", "add a hit", "remove the basin and the lap"):
        assert not [text for text in sentences(prompt) if "emoji" not in text]


def test_a_name_is_never_replaced() -> None:
    assert not sentences("make it look like ARDEN")


def test_accepted_and_partial_prompts_get_no_suggestions() -> None:
    assert not ways("make it sepia")
    assert not ways("make it sepia and add a zorblewick", partial=True)


def test_a_refusal_names_the_words_that_were_not_understood() -> None:
    (refusal,) = explain("write “Open” twice").not_understood
    assert refusal.hint.startswith("I don't understand “twice” here.")


@pytest.mark.parametrize(
    ("words", "them"),
    [
        ("remove the neck of the bottle", "Click the neck in the photo, or draw a box around it."),
        ("erase the iris in the vase", "Click the iris in the photo, or draw a box around it."),
        ("make the stone stairs black", "Click the stairs in the photo, or draw a box around them."),
        ("make the towers behind us brighter", "Click the towers in the photo, or draw a box around them."),
        ("erase the girl without a coat", "Click the girl in the photo, or draw a box around it."),
        ("darken the roof of the white house", "Click the roof in the photo, or draw a box around it."),
    ],
)
def test_words_that_need_a_selection_get_a_hint_to_click_or_draw_a_box(words: str, them: str) -> None:
    (refusal,) = explain(words).not_understood
    assert refusal.hint == them


@pytest.mark.parametrize(
    ("words", "one", "other"),
    [
        ("slightly darken the sky a lot", "a lot", "slightly"),
        ("make it a bit very sharp", "a bit", "very"),
        ("a little much more contrast", "a little", "much more"),
    ],
)
def test_a_refusal_names_amounts_that_contradict_each_other(words: str, one: str, other: str) -> None:
    (refusal,) = explain(words).not_understood
    assert {f"“{one}”", f"“{other}”"} <= set(refusal.hint.split(" contradict")[0].split(" and "))


@pytest.mark.parametrize("words", ["a bench", "the cart should be on fire", "my photo", "complete the cup"])
def test_words_that_may_be_another_wish_are_not_taken_for_a_name(words: str) -> None:
    assert not [text for text in sentences(words) if text.startswith("remove")]


def test_suggestions_are_stored_with_the_plan() -> None:
    plan = explain("remove the trellis and make it sepia")
    assert plan.as_json()["not_understood"][0]["ways"] == [
        {"kind": "box", "text": "remove the trellis and make it sepia"},
        {"kind": "rest", "text": "remove the trellis and make it sepia"},
    ]
    assert Plan.from_json(plan.as_json()).ways == plan.ways
    older = {"words": "x", "reason": "ambiguous", "hint": ""}
    assert Refusal.from_json(older) == Refusal("x", Reason.AMBIGUOUS)


@pytest.mark.parametrize(
    ("prompt", "offered"),
    [
        ("Entferne den Bus", "remove the bus"),
        ("Mach das Bild etwas wärmer", "make the photo a bit warmer"),
        ("Bitte das Foto spiegeln", "flip the photo"),
        ("Füge einen Regenbogen hinzu", "add a rainbow"),
        ("Schneide den Hund aus", "cut out the dog"),
        ("mach die graue Katze schwarz und entferne den Ball", "make the gray cat black and remove the ball"),
        ("Ersetze den Hintergrund durch einen Strand", "replace the background with a beach"),
        ("Text „Guten Tag“ hinzufügen", "add text „Guten Tag“"),
        ("Kontrast um 15 % erhöhen", "increase contrast by 15 %"),
        ("Personen im Hintergrund löschen", "remove people in the background"),
    ],
)
def test_a_simple_german_prompt_gets_its_translation_as_a_suggestion(prompt: str, offered: str) -> None:
    plan = explain(prompt)
    assert not plan.accepted
    assert plan.message.startswith("This prompt is in German.")
    assert offered in sentences(prompt)
    assert_ways_work(plan)


@pytest.mark.parametrize("prompt", ["Setze mich auf einen Berg in den Alpen", "Entferne den Fußgänger"])
def test_a_german_prompt_with_other_words_is_recognized_but_not_translated(prompt: str) -> None:
    plan = explain(prompt)
    assert plan.message == "This prompt is in German. Write it in English, for example “make it brighter”."
    assert not plan.ways


@pytest.mark.parametrize(
    "prompt", ["remove the die", "maak de foto lichter", "gör bilden ljusare", "zorble the sofa"]
)
def test_english_and_other_languages_are_not_taken_for_german(prompt: str) -> None:
    assert "German" not in explain(prompt).message
