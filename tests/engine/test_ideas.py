"""Tests that each idea is a prompt that the engine understands and that changes the given photo."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from editor.engine.catalog import examples
from editor.engine.ideas import Idea, filter_ideas, ideas, suggest_ideas
from editor.engine.language.explain import explain
from editor.options import EditKind, Region
from tests import scenes

BOX = Region(0.2, 0.2, 0.4, 0.4)


def ideas_of(*instructions: str, boxes: int = 0, is_special: bool = False) -> list[Idea]:
    plans = [explain(words, photos=2, regions=[BOX] * boxes) for words in instructions]
    return [Idea(plan.steps[0].kind, plan.instruction, is_special) for plan in plans]


@pytest.fixture
def lake(tmp_path: Path) -> str:
    path = tmp_path / "lake.jpg"
    scenes.lake(480, 320).save(path, quality=92)
    return str(path)


@pytest.mark.parametrize("seed", range(3))
def test_every_idea_is_an_example_that_is_understood(seed: int) -> None:
    found = ideas(photos=2, boxes=0, seed=seed)
    known = {words for _, words, _ in examples()}
    assert {idea.words for idea in found} <= known
    refused = [idea.words for idea in found if not explain(idea.words, photos=2).accepted]
    assert refused == []


def test_the_first_idea_of_each_kind_suits_any_photo() -> None:
    for seed in range(20):
        first: dict[str, Idea] = {}
        for idea in ideas(photos=1, boxes=0, seed=seed):
            first.setdefault(idea.kind, idea)
        assert tuple(first) == tuple(EditKind)
        assert not any(idea.is_special for idea in first.values())


def test_a_second_photo_and_a_box_add_their_own_ideas() -> None:
    alone = {idea.words for seed in range(20) for idea in ideas(photos=1, boxes=0, seed=seed)}
    together = {idea.words for seed in range(20) for idea in ideas(photos=2, boxes=1, seed=seed)}
    assert not any("photo 2" in words or "this" in words.split() for words in alone)
    assert {"use photo 2 as the background", "remove this"} <= together


def test_the_seed_determines_the_order_of_the_ideas() -> None:
    assert ideas(photos=1, boxes=0, seed=4) == ideas(photos=1, boxes=0, seed=4)
    assert ideas(photos=1, boxes=0, seed=4) != ideas(photos=1, boxes=0, seed=5)


def test_only_ideas_that_change_the_photo_are_kept_and_special_ones_come_first(lake: str) -> None:
    plain = ideas_of("make it warmer", "pixelate the faces", "straighten the photo", "save it as a JPEG")
    special = ideas_of("replace the sky with a sunset", "make it brighter", is_special=True)
    found = filter_ideas([*plain, *special], [lake], enough=9, seconds=60)
    assert found["color"] == ["make it brighter", "make it warmer"]
    assert found["background"] == ["replace the sky with a sunset"]
    assert (found["remove"], found["composition"]) == ([], [])


def test_ideas_are_tried_in_the_box(lake: str) -> None:
    found = filter_ideas(ideas_of("pixelate this", boxes=1), [lake], [BOX.as_json()], enough=1, seconds=60)
    assert found["color"] == ["pixelate this"]


def test_it_stops_when_there_are_enough_and_when_time_is_up(lake: str) -> None:
    three = ideas_of("make it warmer", "make it brighter", "black and white")
    found = filter_ideas(three, [lake], enough=2, seconds=60)
    assert found["color"] == ["make it warmer", "make it brighter"]
    assert not any(suggest_ideas([lake], seed=1, enough=2, seconds=-1).values())


def test_black_and_white_is_not_suggested_for_a_gray_photo(tmp_path: Path) -> None:
    path = str(tmp_path / "gray.png")
    ramp = np.linspace(40, 200, 200, dtype=np.uint8)[None, :, None]
    cv2.imwrite(path, ramp.repeat(120, 0).repeat(3, 2))
    found = filter_ideas(ideas_of("black and white", "make it sepia"), [path], enough=9, seconds=60)
    assert found["color"] == ["make it sepia"]
