"""Tests for sentences that describe what an analyzed photo shows."""

from dataclasses import replace

import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.pixels import Box
from editor.engine.plan import Plan, Reason, Step, Target
from editor.engine.run import carry_out
from editor.engine.seen import say_seen
from editor.engine.vision.analysis import Analysis
from editor.engine.vision.grounds import Ground
from editor.engine.vision.things import Thing
from editor.imaging.picture import Picture
from editor.options import EditOptions


def seen(*things: tuple[str, float], sky: float = 0.0) -> Analysis:
    sized = [Thing(kind, score, Box(0, 0, 40 - n, 40)) for n, (kind, score) in enumerate(things)]
    grounds = (Ground("sky", sky, np.zeros((64, 64), np.uint8)),)
    return Analysis(64, 64, tuple(sized), (), (), np.zeros((320, 320), np.uint8), grounds)


@pytest.mark.parametrize(
    ("analysis", "sentence"),
    [
        (seen(("dog", 0.9), ("dog", 0.8), ("car", 0.7), sky=0.9), "I see two dogs, a car and the sky."),
        (seen(("person", 0.9), ("person", 0.9), ("apple", 0.6)), "I see two people and an apple."),
        (seen(("dog", 0.3), sky=0.2), ""),
        (None, ""),
    ],
)
def test_certain_things_are_named_with_the_largest_first(analysis: Analysis | None, sentence: str) -> None:
    assert say_seen(analysis) == sentence


def test_the_thing_that_was_searched_for_is_left_out() -> None:
    assert say_seen(seen(("dog", 0.9), ("car", 0.9)), ["car"]) == "I see a dog."


def test_a_refusal_for_a_missing_thing_says_what_is_visible_and_what_to_do() -> None:
    photo = Picture(np.full((64, 64, 3), 120, np.uint8))
    bus = Step("erase", Target("thing", noun="bus"), words=(0, 14))
    plan = Plan("remove the bus", (bus,))
    for analysis, sentence in ((None, ""), (seen(("dog", 0.9)), "I see a dog. ")):
        with pytest.raises(PlanRefused) as caught:
            carry_out(plan, [photo], EditOptions(), analysis=analysis)
        (refusal,) = caught.value.refusals
        assert refusal.reason is Reason.NO_SUCH_TARGET
        assert refusal.hint == f"{sentence}Draw a box around the bus."
        assert [(way.kind.value, way.text) for way in refusal.ways] == [("box", "remove the bus")]
        assert refusal.hint in caught.value.message
    warm = replace(plan, instruction="remove the bus, sepia", steps=(bus, Step("sepia", words=(16, 21))))
    with pytest.raises(PlanRefused) as caught:
        carry_out(warm, [photo], EditOptions())
    assert [way.kind.value for way in caught.value.refusals[0].ways] == ["box", "rest"]
