"""Tests for the ways to continue after a refusal."""

import pytest

from editor.engine.plan import MAX_WAYS, Reason, Refusal, Way, WayKind
from editor.models import User
from editor.sentences import Sentence
from editor.services.editing.refusals import MARKS, refusals_of, ways_to_continue
from tests import cast

PROMPT = "make the motorcycle pink"
BOX, REST = Way(WayKind.BOX, PROMPT), Way(WayKind.REST, PROMPT)
POINT, ENGINE = Way(WayKind.POINT, PROMPT), Way(WayKind.ENGINE, PROMPT, engine="studio", price=60)
FIRST, SECOND = Way(WayKind.SENTENCE, "make the bicycle pink"), Way(WayKind.SENTENCE, "make it pink")


def refusal(*ways: Way, hint: str = "Draw a box around the motorcycle.") -> Refusal:
    return Refusal(PROMPT, Reason.NO_SUCH_TARGET, Sentence(hint), ways=ways)


def test_a_thing_can_be_selected_by_a_click_if_the_site_can_do_that() -> None:
    assert ways_to_continue([refusal(BOX)], can_select=True) == (POINT, BOX)
    assert ways_to_continue([refusal(BOX)], can_select=False) == (BOX,)


def test_a_place_is_marked_with_a_box() -> None:
    missing_place = refusal(BOX, hint="Draw a box where it should go.")
    assert ways_to_continue([missing_place], can_select=True) == (BOX,)


@pytest.mark.parametrize(
    ("own", "others", "offered"),
    [
        ([BOX, FIRST], [REST, ENGINE], [POINT, FIRST, REST]),
        ([BOX, FIRST, SECOND], [REST], [POINT, FIRST, REST]),
        ([FIRST, SECOND, Way(WayKind.SENTENCE, "c")], [ENGINE], [FIRST, SECOND, ENGINE]),
        ([BOX, FIRST], [], [POINT, BOX, FIRST]),
        ([BOX, REST], [ENGINE], [POINT, BOX, ENGINE]),
        ([BOX], [REST, ENGINE], [POINT, REST, ENGINE]),
        ([], [], []),
    ],
)
def test_at_most_three_ways_are_offered_best_first_and_of_different_kinds(
    own: list[Way], others: list[Way], offered: list[Way]
) -> None:
    """A box gives way to a click first. Whether the rest can be done depends on more than the refusal."""
    ways = ways_to_continue([refusal(*own)], can_select=True, others=others)
    assert list(ways) == offered
    assert len(ways) <= MAX_WAYS


def test_several_refusals_share_the_ways() -> None:
    several = [refusal(BOX), refusal(BOX, FIRST), refusal(BOX, SECOND)]
    assert ways_to_continue(several, can_select=True, others=[REST, ENGINE]) == (POINT, FIRST, REST)


def test_ways_that_a_page_has_no_room_for_are_left_out_before_they_are_counted() -> None:
    ways = ways_to_continue([refusal(BOX, FIRST)], can_select=True, others=[REST, ENGINE], without=MARKS)
    assert ways == (FIRST, REST, ENGINE)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("message", "code", "ways"),
    [
        ("I can't find a cup. Draw a box around 50% of it.", "rejected", (BOX,)),
        ("The prompt is not allowed.", "rejected", None),
        ("Draw a box around it.", "timeout", None),
    ],
)
def test_a_message_that_asks_for_a_box_counts_as_a_refusal_of_the_prompt(
    alice: User, message: str, code: str, ways: tuple[Way, ...] | None
) -> None:
    edit = cast.make_edit(alice, prompt=PROMPT, state="FAILED", failure_code=code, failure_message=message)
    found = refusals_of(edit)
    assert [(one.words, str(one.hint), one.ways) for one in found] == (
        [(PROMPT, message, ways)] if ways else []
    )
