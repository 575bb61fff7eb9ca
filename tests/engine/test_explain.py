"""Tests that any text becomes a plan or a refusal. The prompts are in data files."""

import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from editor.engine.language.explain import explain
from editor.engine.language.reader import reader
from editor.engine.plan import Plan, Reason, Target
from editor.options import Point, Region
from tests.benchmarks.explain import mutated
from tests.compare_plans import summary

BOX = Region(0.1, 0.1, 0.3, 0.3)
PHRASES = Path(__file__).with_name("phrases")
SCENES: dict[str, dict[str, Any]] = {
    "plain": {},
    "boxed": {"regions": [BOX]},
    "paired": {"photos": 2},
    "paired_boxed": {"photos": 2, "regions": [BOX]},
}


FAMILIES = [
    pytest.param(scene, told, id=f"{path.stem} {scene}")
    for path in sorted(PHRASES.glob("*.toml"))
    for scene, told in tomllib.loads(path.read_text("utf-8")).items()
]


@pytest.mark.parametrize(("scene", "plans"), FAMILIES)
def test_phrases_are_parsed_into_the_expected_plans(scene: str, plans: dict[str, str]) -> None:
    read = {words: summary(explain(words, **SCENES[scene])) for words in plans}
    assert read == plans


def test_each_step_gives_the_position_of_its_words_in_the_prompt() -> None:
    instruction = "Please make the red car blue, then crop to 16:9. Thanks!"
    spans = [instruction[slice(*step.words)] for step in explain(instruction).steps]
    assert spans == ["make the red car blue", "crop to 16:9"]


def test_it_names_the_words_that_it_did_not_understand() -> None:
    plan = explain("make the red car blue and add a flobberwick")
    (refusal,) = plan.not_understood
    assert (refusal.words, refusal.reason) == ("add a flobberwick", Reason.UNKNOWN_WORD)
    assert plan.message.startswith("I don't understand “add a flobberwick”.")
    assert [step.operation for step in plan.steps] == ["recolor"]
    assert not plan.accepted


def test_a_partly_understood_prompt_is_accepted_in_partial_mode() -> None:
    plan = explain("brighten the photo and add a flobberwick", partial=True)
    assert plan.accepted
    assert plan.message == ""
    assert len(plan.not_understood) == 1


def test_the_json_of_a_plan_keeps_its_keys() -> None:
    data = explain("make the red car blue and add a flobberwick").as_json()
    assert list(data) == ["instruction", "accepted", "steps", "not_understood", "message", "said"]
    assert set(data["not_understood"][0]) == {"words", "reason", "hint", "said", "ways"}
    (step,) = data["steps"]
    assert {"kind", "operation", "target", "amount", "color", "keep", "words", "says"} <= set(step)
    assert step["target"] == {"color": "red", "noun": "car"}
    assert Plan.from_json(data).as_json() == data


def test_several_kept_things_stay_as_they_are() -> None:
    (step,) = explain("make everything black and white except the tulips").steps
    assert step.says == "Make the photo black and white, but keep the tulips as they are"


def test_a_box_keeps_its_number_and_applies_only_to_its_own_photo() -> None:
    there = Region(0.1, 0.1, 0.5, 0.5, image=2)
    for boxes, number in (([BOX, there], 1), ([there, BOX], 2)):
        (step,) = explain("remove this", photos=2, regions=boxes).steps
        assert step.target == Target("region", boxes=(number,))
    for boxes in ([there], [there, there]):
        plan = explain("make it brighter", photos=2, regions=boxes, partial=True)
        assert (plan.accepted, plan.steps) == (False, ())
        assert "Your box is on photo 2" in plan.message


def test_a_refusal_does_not_ask_for_a_box_if_one_is_drawn() -> None:
    (refusal,) = explain("remove the blue area", regions=[BOX]).not_understood
    assert refusal.hint == "I can't find this by its name. Say “this” to mean what is in your box."
    assert explain("remove this", regions=[BOX]).accepted


@pytest.mark.parametrize(
    ("words", "photos", "helped"),
    [
        ("remove the lantern", 1, ["remove the lantern"]),
        ("brighten the left third", 1, ["brighten the left third"]),
        ("blur the boys' faces", 1, ["blur the boys' faces"]),
        ("make it sepia and sharpen the gargoyle", 1, ["sharpen the gargoyle"]),
        ("add photo 2 here", 2, ["add photo 2 here"]),
        ("make the man taller", 1, []),
        ("add photo 3", 2, []),
        ("brighter", 1, []),
    ],
)
def test_a_refusal_says_whether_a_box_would_help(words: str, photos: int, helped: list[str]) -> None:
    plan = explain(words, photos=photos)
    assert [refusal.words for refusal in plan.not_understood if refusal.box_helps] == helped
    assert Plan.from_json(plan.as_json()).not_understood == plan.not_understood
    assert not any(one.box_helps for one in explain(words, photos=photos, regions=[BOX]).not_understood)


@pytest.mark.parametrize("instruction", ["", "   ", "\n\t"])
def test_a_prompt_is_required(instruction: str) -> None:
    assert explain(instruction).message == "Prompt is required"


@pytest.mark.parametrize(
    "instruction",
    [
        "quita el fondo por favor",
        "Fais la photo plus lumineuse",
        "rendi il cielo più luminoso",
        "去掉背景",
        "сделай ярче",
    ],
)
def test_it_refuses_other_languages_and_says_so(instruction: str) -> None:
    plan = explain(instruction)
    assert not plan.accepted
    assert plan.message == "I only understand English for now. Write your prompt in English."


def test_a_greeting_gets_a_hint_to_say_what_should_change() -> None:
    for instruction in ("Thanks in advance!", "Hello!"):
        assert explain(instruction).not_understood[0].hint.startswith("Say what should change")


@pytest.mark.parametrize("which", ["all", "these", "each", "photos"])
def test_a_word_for_the_photos_is_not_accepted_as_a_number_of_things(which: str) -> None:
    assert not explain(f"add {which} trees").accepted


@pytest.mark.slow
def test_it_handles_mutated_instructions() -> None:
    for text in mutated(2_000, seed=7):
        check(explain(text, photos=2, regions=[BOX]))


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "part",
    ["(", '"', "a, ", "1 ", "it 2 ", "for 1 ", "text add ", "add caption ", "smarter, ", "remove the dog. "],
)
def test_the_longest_prompts_are_parsed_in_bounded_time(part: str) -> None:
    started = time.process_time()
    explain((part * 5_000)[:5_000], regions=[BOX])
    assert time.process_time() - started < 4


@example("by 0 ¹%", 1, 0, False)  # "¹" is a digit, but int() rejects it.
# The period is a token without a word.
@example("I tried to blur the wall.\nPlease blur the wall", 1, 0, False)
@given(st.text(max_size=200), st.integers(1, 5), st.integers(0, 3), st.booleans())
@settings(max_examples=300, deadline=None, derandomize=True)
def test_it_handles_any_string(text: str, photos: int, boxes: int, partial: bool) -> None:
    check(explain(text, photos=photos, regions=[BOX] * boxes, partial=partial))


WORDS = [
    "make",
    "the",
    "photo",
    "brighter",
    "and",
    ",",
    ".",
    "not",
    "keep",
    "background",
    "red",
    "car",
    "blue",
    "20",
    "%",
    "crop",
    "to",
    "16:9",
    "photo 2",
    "box",
    "1",
    "it",
    "this",
    '"Hi"',
    "remove",
    "add",
    "text",
    "without",
    "less",
    "half",
    "as",
    "colors",
    "a lot",
    "in",
    "out",
    "so that",
    "border",
    "rotate",
    "upside down",
    "'s",
    "“",
    "xyzzy",
]


@given(st.lists(st.sampled_from(WORDS), max_size=14), st.integers(1, 3), st.integers(0, 2))
@settings(max_examples=600, deadline=None, derandomize=True)
def test_it_handles_any_order_of_its_own_words(words: list[str], photos: int, boxes: int) -> None:
    check(explain(" ".join(words), photos=photos, regions=[BOX] * boxes))


def check(plan: Plan) -> None:
    assert plan.accepted == (plan.message == "")
    assert all(0 <= step.words[0] < step.words[1] <= len(plan.instruction) for step in plan.steps)
    assert all(step.amount is None or -1 <= step.amount <= 1 for step in plan.steps)
    assert all(step.says for step in plan.steps)
    assert all(refusal.words in plan.instruction for refusal in plan.not_understood)
    assert plan.as_json()["accepted"] is plan.accepted


def test_prompts_are_parsed_in_parallel_while_the_grammar_is_built() -> None:
    """One thread builds the grammar and extends the grammar's automata while other threads parse prompts."""
    reader.cache_clear()
    prompts = ["make it warmer", "remove the background", "add a red arrow on the left", "crop to 1:1"] * 2
    with ThreadPoolExecutor(len(prompts)) as pool:
        plans = list(pool.map(explain, prompts))
    assert all(plan.accepted for plan in plans)


@pytest.mark.parametrize(
    ("prompt", "points", "says"),
    [
        ("make it blue", [Point(0.5, 0.5, kind="motorcycle")], "Make the motorcycle blue"),
        ("make it blue", [Point(0.5, 0.5)], "Make what you selected blue"),
        ("make it blue", [Point(0.5, 0.5, kind="zorble")], "Make what you selected blue"),
        ("remove this", [Point(0.1, 0.5, kind="dog"), Point(0.9, 0.5, kind="dog")], "Erase the dogs"),
        ("remove this", [Point(0.1, 0.5, kind="dog"), Point(0.9, 0.5, kind="cat")], "Erase the dog and cat"),
        ("remove this", [Point(0.1, 0.5, kind="dog"), Point(0.9, 0.5)], "Erase what you selected"),
        ("make the handle blue", [Point(0.5, 0.5, kind="cup")], "Make the selected handle blue"),
        ("make the red parts blue", [Point(0.5, 0.5)], "Make the red parts of what you selected blue"),
    ],
)
def test_the_plan_names_what_a_click_selected(prompt: str, points: list[Point], says: str) -> None:
    plan = explain(prompt, points=points)
    assert [step.says for step in plan.steps] == [says]
    assert Plan.from_json(plan.as_json()) == plan


def test_a_selection_counts_as_a_box_after_the_drawn_boxes() -> None:
    (step,) = explain("make it blue", regions=[BOX], points=[Point(0.5, 0.5)]).steps
    assert step.target == Target("region", boxes=(1, 2), selected="")
    assert step.says == "Make the area in the box and what you selected blue"
    (step,) = explain("make box 1 blue", regions=[BOX], points=[Point(0.5, 0.5)]).steps
    assert step.target == Target("region", boxes=(1,))


def test_a_point_on_another_photo_is_refused() -> None:
    plan = explain("make it blue", photos=2, points=[Point(0.5, 0.5, image=2)])
    assert not plan.accepted
    assert plan.message.endswith("Your point is on photo 2, but I only change photo 1. Click in photo 1.")


@pytest.mark.parametrize(
    ("prompt", "hint"),
    [
        ("blur the lamp post", "Click the lamp post in the photo, or draw a box around it."),
        ("make the price tag red", "Click the price tag in the photo, or draw a box around it."),
        ("remove the handles", "Click the handles in the photo, or draw a box around them."),
    ],
)
def test_a_noun_unknown_to_the_detector_gets_a_hint_to_click_or_draw_a_box(prompt: str, hint: str) -> None:
    plan = explain(prompt)
    (refusal,) = plan.not_understood
    assert (refusal.reason, refusal.hint, refusal.box_helps) == (Reason.NEEDS_REGION, hint, True)
    assert plan.message == f"I can't do “{prompt}”. {hint}"
    assert explain(prompt, points=[Point(0.5, 0.5)]).accepted
    assert explain(prompt, regions=[BOX]).accepted
