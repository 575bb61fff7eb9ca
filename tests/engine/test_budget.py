"""Tests that parsing a prompt takes a limited time, and that no user waits for another user's prompt."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from editor.engine.language.budget import MAX_EDGES, Budget, TooLong
from editor.engine.language.explain import explain
from editor.engine.language.reader import reader
from editor.engine.language.tokens import Token, tokenize
from editor.engine.plan import TOO_LONG, Plan, Reason
from editor.options import Region
from tests.engine.long_sentences import MAX_BOXES, MAX_CHARACTERS, long_sentences

READER = "editor.engine.language.reader"
BOX = Region(0.1, 0.1, 0.3, 0.3)
SLACK = 1.05  # maximum work, as a multiple of the limit, which the last step may exceed
CPU_SECONDS = 2.0  # maximum CPU time in seconds, far above the limit because the machine may be busy


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[Budget]:
    """Record the budget of each prompt that the test parses.

    The budget limits only the number of edges, not the time.
    """
    made: list[Budget] = []

    def budget() -> Budget:
        made.append(Budget(seconds=60))
        return made[-1]

    monkeypatch.setattr(f"{READER}.Budget", budget)
    return made


@pytest.mark.parametrize("unit", ["q ", "very very ", "cars dogs cats ", "zorble "])
def test_a_long_repetition_is_refused_with_a_message(unit: str, budgets: list[Budget]) -> None:
    instruction = (unit * MAX_CHARACTERS)[:MAX_CHARACTERS]
    plan = explain(instruction, regions=[BOX] * MAX_BOXES)
    assert (plan.accepted, plan.steps, plan.message) == (False, (), TOO_LONG)
    assert [refusal.reason for refusal in plan.not_understood] == [Reason.TOO_LARGE]
    assert plan.message == "This prompt is too long to read. Split it into shorter prompts."
    assert [budget.used <= MAX_EDGES * SLACK for budget in budgets] == [True]


def test_an_overlong_prompt_is_refused_even_in_partial_mode() -> None:
    assert not explain("make it brighter. " + "q " * 1_000, regions=[BOX], partial=True).accepted


def test_an_ordinary_prompt_near_the_maximum_length_is_parsed(budgets: list[Budget]) -> None:
    wishes = ("make the sky a bit darker", "remove the man on the left", "crop it to 4:5", "sharpen the face")
    instruction = ". ".join(wishes * 21)
    assert 1_800 < len(instruction) <= MAX_CHARACTERS
    assert not explain(instruction).is_too_long
    assert budgets[0].used < MAX_EDGES


def test_an_ordinary_prompt_uses_a_small_part_of_the_budget(budgets: list[Budget]) -> None:
    """How long that takes is measured by the benchmark `explain`."""
    explain("Please make it 20% brighter, sharpen the subject, crop to 16:9. Thanks!")
    assert [budget.used < MAX_EDGES / 50 for budget in budgets] == [True]


def test_200_long_sentences_stay_within_the_budget(budgets: list[Budget]) -> None:
    for text, boxes in long_sentences(200, seed=25):
        budgets.clear()
        started = time.thread_time()
        plan = explain(text, regions=[BOX] * boxes)
        assert_within_budget(plan, budgets)
        assert time.thread_time() - started < CPU_SECONDS, text


def assert_within_budget(plan: Plan, budgets: list[Budget]) -> None:
    (budget,) = budgets  # one budget for the prompt and the suggestion that follows it
    assert budget.used <= MAX_EDGES * SLACK, plan.instruction
    assert plan.is_too_long == (budget.used > MAX_EDGES), plan.instruction


def test_a_suggestion_is_parsed_within_the_budget_of_its_prompt(budgets: list[Budget]) -> None:
    explain("add a photo of a rabbit")
    assert len(budgets) == 1


def test_the_budget_that_a_prompt_uses_does_not_depend_on_earlier_prompts(budgets: list[Budget]) -> None:
    reader.cache_clear()
    for _ in range(2):
        explain("please make the sky darker, remove the dog on the left and crop it to 4:5")
        explain("add a red hat to the man, but keep the background as it is", regions=[BOX])
    assert [budget.used for budget in budgets[:2]] == [budget.used for budget in budgets[2:]]


def test_a_prompt_is_too_long_if_its_time_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{READER}.Budget", lambda: Budget(seconds=0))
    assert explain("q " * 1_000).is_too_long
    with pytest.raises(TooLong):
        Budget(seconds=0).spend(MAX_EDGES)


def test_a_slow_prompt_does_not_block_other_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_end = Event(), Event()

    def tokens_of(instruction: str) -> list[Token]:
        if instruction == "make it warmer":
            begun.set()
            assert may_end.wait(300)
        return tokenize(instruction)

    monkeypatch.setattr(f"{READER}.tokenize", tokens_of)
    with ThreadPoolExecutor(8) as pool:
        long = pool.submit(explain, "make it warmer")
        assert begun.wait(120)
        try:
            others = [pool.submit(explain, "crop to 1:1") for _ in range(7)]
            assert all(other.result(timeout=120).accepted for other in others)
            assert not long.done()
        finally:
            may_end.set()
        assert long.result().accepted


def test_eight_threads_parse_prompts_like_a_single_thread() -> None:
    texts = [text for text, _ in long_sentences(8, seed=1)] + ["add a red arrow on the left", "crop to 1:1"]
    alone = [explain(text[:200], regions=[BOX]) for text in texts]
    reader.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: explain(text[:200], regions=[BOX]), texts * 4))
    assert together == alone * 4
