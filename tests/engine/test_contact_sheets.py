"""Nothing the engine can do is left off the sheets that eyes look at."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.operations import OPERATIONS
from tests.contact_sheets import ASKS, BOX, SECOND, Ask


def test_every_operation_is_on_a_sheet() -> None:
    assert {ask.operation for ask in ASKS} == set(OPERATIONS)


@pytest.mark.parametrize("ask", ASKS, ids=lambda ask: ask.operation)
def test_the_words_of_a_sheet_are_understood_as_its_operation(ask: Ask) -> None:
    regions = (BOX,) if ask.boxed else ()
    plan = explain(ask.words, photos=2 if SECOND in ask.words else 1, regions=regions)
    assert plan.accepted, plan.message
    assert [step.operation for step in plan.steps] == [ask.operation]
