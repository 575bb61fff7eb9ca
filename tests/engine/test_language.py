"""Tests for the parser: the examples of its constructions, the text of every step, and refused prompts."""

import random
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from editor.engine.catalog import catalog
from editor.engine.kinds import kinds_of
from editor.engine.language.explain import explain
from editor.engine.language.grammar import Construction, Grammar, GrammarError
from editor.engine.language.reader import ENGLISH, reader
from editor.engine.language.roles import REFUSAL_ROLES
from editor.engine.language.trace import format_trace
from editor.engine.plan import Plan, Reason
from editor.options import Region
from tests.compare_plans import summary

BOX = (Region(0.1, 0.1, 0.3, 0.3),)
RULES = reader().grammar.rules
SCENES: Mapping[str, dict[str, Any]] = {
    "examples": {},
    "boxed": {"regions": BOX},
    "paired": {"photos": 2},
}
type Example = tuple[str, str, dict[str, Any]]
EXAMPLES: list[Example] = [
    (words, wanted, scene)
    for rule in RULES
    for name, scene in SCENES.items()
    for words, wanted in getattr(rule, name).items()
]
REFUSED = [(words, rule) for rule in RULES for words in rule.refused]


@pytest.mark.parametrize(("words", "wanted", "scene"), EXAMPLES)
def test_each_example_is_parsed_as_its_construction_declares(
    words: str, wanted: str, scene: dict[str, Any]
) -> None:
    plan = explain(words, **scene)
    assert summary(plan) == wanted, plan.message or format_trace(words)


@pytest.mark.parametrize(("words", "wanted", "scene"), EXAMPLES)
def test_the_sentence_of_a_step_is_parsed_into_the_same_step(
    words: str, wanted: str, scene: dict[str, Any]
) -> None:
    for step in explain(words, **scene).steps:
        again = explain(step.says, **scene)
        assert summary(again) == summary(Plan("", (step,))), f"{step.says}: {again.message}"


@pytest.mark.parametrize(("words", "rule"), REFUSED, ids=[words for words, _ in REFUSED])
def test_prompts_listed_as_refused_are_refused(words: str, rule: Construction) -> None:
    plan = explain(words)
    assert not plan.accepted
    if rule.role in REFUSAL_ROLES:
        assert rule.gives["hint"] in plan.message


def test_every_operation_of_the_examples_has_a_sentence() -> None:
    read = {step.operation for words, _, scene in EXAMPLES for step in explain(words, **scene).steps}
    assert {name for name in read if "sentence" not in catalog()[name].english} == set()


def test_the_detector_has_a_kind_for_every_noun_that_is_called_detectable() -> None:
    senses = reader().grammar.lexicon.senses.values()
    nouns = {
        sense[role] for sense in senses for role in ("seen", "someone") if isinstance(sense.get(role), str)
    }
    assert {noun for noun in nouns if not kinds_of(noun)} == set()


def test_no_word_belongs_to_two_operations() -> None:
    owners: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for name, declaration in catalog().items():
        for role, table in declaration.english.get("words", {}).items():
            for words in [table] if isinstance(table, str) else table.values():
                for word in words.split(","):
                    owners[role, " ".join(word.replace("-", " ").split())].add(name)
    assert {key: names for key, names in owners.items() if len(names) > 1} == {}


@pytest.mark.parametrize(
    ("words", "refused", "done"),
    [
        ("brighter and zorble the sky", "zorble the sky", "brightness 0.35"),
        ("sharpen it, flurble the dog and make it warmer", "flurble the dog", "sharpness 0.35; warmth 0.35"),
        (
            "brighten the dog and the background black and white",
            "background black and white",
            "brightness dog 0.35",
        ),
        ("make the sky brighter zorble", "make the sky brighter zorble", "refused"),
        ("brighten the photo but not the zorble", "not the zorble", "refused"),
    ],
)
def test_in_partial_mode_only_the_part_with_the_unknown_word_is_refused(
    words: str, refused: str, done: str
) -> None:
    assert not explain(words).accepted
    plan = explain(words, partial=True)
    assert [refusal.words for refusal in plan.not_understood] == [refused]
    assert summary(plan) == done


@pytest.mark.parametrize(
    "words",
    [
        "brighten it. Flurble the dog.",
        "brighten the photo and deform the boy",
        "chop off the pale part. Please make it look natural.",
        "photoshop me so that we stand in a row",
        "crop it so only the person at the window is left",
        "lighten her face and darken the rest of her skin",
        "crop the gray part",
        "darken the top of the leaves",
    ],
)
def test_a_prompt_is_refused_if_any_part_of_it_is_not_understood(words: str) -> None:
    assert not explain(words).accepted


@pytest.mark.parametrize("words", ["tilt-zorble effect", "a flip-zorble in the sky", "crisp-zorble, please"])
def test_a_part_of_a_word_with_a_hyphen_is_not_a_wish(words: str) -> None:
    assert explain(words).steps == ()


def test_a_refusal_names_the_unknown_word() -> None:
    (refusal,) = explain("brighter and zorble the sky").not_understood
    assert refusal.reason is Reason.UNKNOWN_WORD
    assert "“zorble”" in refusal.hint


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("brigthen teh pohto", "brightness 0.35"),
        ("make it brihgter", "brightness 0.35"),
        ("make the striped sky brighter", "refused"),  # "striped" is not a misspelling of "stripped"
    ],
)
def test_typos_are_corrected_but_english_words_are_left_alone(words: str, wanted: str) -> None:
    assert summary(explain(words)) == wanted


def test_no_mutated_prompt_raises_an_exception() -> None:
    chance = random.Random(7)
    letters = "".join(words for words, _, _ in EXAMPLES) + "\0\n\t'\"“”%&/()[]{}<>*+°…—日éß😀0123456789"
    for _ in range(400):
        words, _, _ = chance.choice(EXAMPLES)
        mutated = list(words)
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(mutated) + 1)
            mutated[at : at + chance.randrange(3)] = chance.choices(letters, k=chance.randrange(4))
        plan = explain("".join(mutated), regions=chance.choice(((), BOX)), partial=chance.random() < 0.5)
        assert plan.accepted or plan.message


def test_each_step_points_at_its_words_in_the_prompt() -> None:
    words = "Hello! Please make the sky brighter. And add a bit of contrast."
    plan = explain(words)
    assert [words[slice(*step.words)] for step in plan.steps] == [
        "make the sky brighter",
        "add a bit of contrast",
    ]


def test_a_trace_names_the_nearest_pattern() -> None:
    output = format_trace("brighten the photo zorble")
    assert "zorble" in output
    assert "UNREAD" in output
    assert "nearest  en/tone.toml" in output


def test_parsing_imports_neither_django_nor_numpy_nor_opencv() -> None:
    code = (
        "import sys; from editor.engine.language.explain import explain; explain('brighter'); "
        "print([name for name in ('django', 'cv2', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("words", "boxes", "wanted"),
    [
        ("brighter", 1, "brightness box 0.35"),
        ("brighten the photo", 1, "brightness 0.35"),
        ("remove this and brighten", 1, "erase box; brightness 0.35"),
        ("make it warmer and add some contrast", 1, "warmth box 0.35; contrast box 0.35"),
        ("erase the kiosk and make it warmer", 1, "erase box kiosk; warmth 0.35"),
        ("crop to 1:1 and brighter", 1, "crop box ratio=1:1; brightness 0.35"),
        ("zoom out", 1, "zoom -0.35"),
        ("remove people except the boy in the middle", 1, "erase people keep=boy center"),
        (
            "make the scarf redder and brighten the dog",
            1,
            "tint box scarf 0.35 color=red; brightness dog 0.35",
        ),
        ("remove the lamppost and brighten the kiosk", 2, "erase box lamppost; brightness box 2 kiosk 0.35"),
        ("remove the lamppost and brighten the kiosk", 1, "refused"),
        ("remove the rain", 1, "refused"),
        ("move his leg to the left", 1, "refused"),
        ("erase both boxes", 2, "erase box 1,2"),
        ("move the gargoyle above the arch", 2, "move_thing box gargoyle place=top beside=box 2 arch"),
        ("brighten box 2", 1, "refused"),
        ("rotate by 90 degrees", 1, "refused"),
        ("rotate the photo by 90 degrees", 1, "rotate degrees=90.0"),
        ("put a hat on the kiosk and flurble", 1, "refused"),
    ],
)
def test_prompts_with_boxes_are_parsed_into_the_expected_plans(words: str, boxes: int, wanted: str) -> None:
    plan = explain(words, regions=BOX * boxes)
    assert summary(plan) == wanted, plan.message


def test_a_prompt_that_needs_a_box_gets_a_single_refusal() -> None:
    (refusal,) = explain("remove it").not_understood
    assert refusal.reason is Reason.NEEDS_REGION


def test_an_undefined_piece_of_a_pattern_raises_an_error_that_names_it(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ENGLISH, tmp_path / "en"))
    (folder / "more.toml").write_text('[[wish]]\npatterns = "{make} <brighter>"\nexamples = { x = "y" }\n')
    with pytest.raises(GrammarError, match="<brighter>"):
        Grammar(folder)
