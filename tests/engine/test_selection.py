"""Tests for selections made with points: what they contain, and how steps use them."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from editor.engine import run
from editor.engine.colors import Floats
from editor.engine.errors import PlanRefused
from editor.engine.language.explain import explain
from editor.engine.pixels import Box
from editor.engine.plan import Way, WayKind
from editor.engine.targets import selection
from editor.engine.targets.selection import outline_path, select
from editor.engine.vision.analysis import Analysis, analyze
from editor.engine.vision.segmentation import EMBEDDING_SHAPE, Embedding
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture
from editor.options import EditOptions, Point, Region
from tests.engine.analyses import disc
from tests.engine.photos import photo
from tests.engine.pictures import changed

GREY, RED = (120, 125, 130), (200, 40, 40)
LEFT, RIGHT, PART = Point(0.25, 0.5), Point(0.75, 0.5), Point(0.25, 0.6)


class Drawn:
    """A drawing of two discs on gray, and its analysis. The left disc contains a small disc."""

    def __init__(self, patch: pytest.MonkeyPatch, *things: str) -> None:
        self.picture = Picture(np.full((200, 400, 3), GREY, np.uint8))
        self.left, self.right = disc(self.picture, 100, 100, 60), disc(self.picture, 300, 100, 50)
        self.part = disc(self.picture, 100, 125, 20)
        self.picture.pixels[(self.left | self.right) == 1] = RED
        boxes = [Box.around(mask) for mask in (self.left, self.right)]
        seen = tuple(Thing(kind, 0.8, box) for kind, box in zip(things, boxes, strict=False) if kind)
        embedding = Embedding(np.zeros(EMBEDDING_SHAPE, np.float16), 400, 200)
        subject = np.zeros((320, 320), np.uint8)
        self.analysis = Analysis(400, 200, seen, (), (), subject, None, embedding)
        patch.setattr(selection, "mask_of_points", self._at)
        patch.setattr(selection, "mask_in_box", lambda _, __, box: self._in(box))
        patch.setattr(selection, "without_point", lambda _, likely, __, outside: likely * (1 - self.part))

    def _at(self, embedding: Embedding, inside: Sequence[tuple[float, float]]) -> Floats:
        (x, y) = inside[0]
        masks = (self.part, self.left, self.right)
        found = next((mask for mask in masks if mask[int(y), int(x)]), np.zeros_like(self.left))
        return found.astype(np.float32)

    def _in(self, box: Box) -> Floats:
        masks = (self.left, self.right)
        return max(masks, key=lambda mask: box.overlap(Box.around(mask))).astype(np.float32)

    def edited(self, prompt: str, *points: Point, regions: Sequence[Region] = ()) -> Picture:
        options = EditOptions(points=points, regions=tuple(regions))
        plan = explain(prompt, regions=regions, points=points)
        assert plan.accepted, plan.message
        return run.carry_out(plan, [self.picture], options, seed=1, analysis=self.analysis)[0]


def is_about(found: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], mask: Bytes) -> bool:
    return bool((found & (mask == 1)).sum() / (found | (mask == 1)).sum() > 0.94)


def selected(drawn: Drawn, *points: Point) -> selection.Selection:
    found = select(drawn.analysis, points)
    assert found is not None
    return found


def test_a_point_selects_the_thing_under_it(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Drawn(monkeypatch)
    found = selected(drawn, LEFT)
    assert is_about(found.mask > 0.5, drawn.left)
    assert (found.box, found.kinds) == (Box.around(drawn.left), ("",))


def test_a_detected_thing_is_selected_as_a_whole_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = selected(drawn := Drawn(monkeypatch, "clock"), PART)
    assert is_about(found.mask > 0.5, drawn.left)
    assert found.kinds == ("clock",)


def test_a_part_of_a_person_is_selected_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    found = selected(drawn := Drawn(monkeypatch, "person"), PART)
    assert is_about(found.mask > 0.5, drawn.part)
    assert found.kinds == ("",)
    assert selected(drawn, LEFT).kinds == ("person",)


def test_another_point_adds_the_thing_under_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = selected(drawn := Drawn(monkeypatch, "", "clock"), LEFT, RIGHT)
    assert is_about(found.mask > 0.5, drawn.left | drawn.right)
    assert found.kinds == ("", "clock")


def test_a_negative_point_removes_the_area_under_it(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Drawn(monkeypatch)
    away = Point(PART.x, PART.y, keep=False)
    assert is_about(selected(drawn, LEFT, away).mask > 0.5, drawn.left & (1 - drawn.part))
    assert is_about(selected(drawn, LEFT, RIGHT, Point(0.75, 0.5, keep=False)).mask > 0.5, drawn.left)
    assert is_about(selected(drawn, LEFT, away, PART).mask > 0.5, drawn.left)


def test_a_point_that_hits_nothing_selects_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Drawn(monkeypatch)
    assert select(drawn.analysis, [Point(0.5, 0.05)]) is None
    assert select(drawn.analysis, [Point(0.25, 0.5, image=2)]) is None


def test_an_outline_includes_its_holes() -> None:
    ring = cv2.circle(np.zeros((100, 200), np.float32), (100, 50), 40, 1, 10)
    path = outline_path(ring)
    assert path.count("M") == path.count("Z") == 2
    numbers = [int(number) for number in path.replace("M", " ").replace("L", " ").replace("Z", " ").split()]
    assert max(numbers[::2]) <= 10_000
    assert abs(min(numbers[::2]) - 2_750) < 150
    assert abs(min(numbers[1::2]) - 500) < 150


@pytest.mark.parametrize(
    "prompt", ["make it blue", "make this darker", "black and white", "make the lamp post green"]
)
def test_only_the_selected_part_changes(monkeypatch: pytest.MonkeyPatch, prompt: str) -> None:
    drawn = Drawn(monkeypatch)
    assert is_about(changed(drawn.picture, drawn.edited(prompt, LEFT)), drawn.left)


def test_a_selected_thing_is_removed_completely(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Drawn(monkeypatch)
    result = drawn.edited("remove it", LEFT)
    red = result.pixels[:, :, 0] > 160
    assert is_about(red, drawn.right)


def test_everything_but_the_selected_part_becomes_transparent(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Drawn(monkeypatch)
    result = drawn.edited("remove the background", LEFT)
    assert is_about(result.pixels[:, :, 3] > 127, drawn.left)


def test_a_selected_thing_can_be_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Drawn(monkeypatch)
    red = drawn.edited("make it smaller", LEFT).pixels[:, :, 0] > 160
    assert 0.2 < red[:, :200].sum() / drawn.left.sum() < 0.9
    assert red[:, 200:].sum() == drawn.right.sum()


@pytest.mark.parametrize("turn", ["rotate it 90 degrees", "mirror the photo", "crop to 1:1"])
def test_a_selection_moves_with_the_photo(monkeypatch: pytest.MonkeyPatch, turn: str) -> None:
    drawn = Drawn(monkeypatch)
    plan = explain(f"{turn.replace('it', 'the photo')} and make this blue", points=[LEFT])
    assert [step.operation for step in plan.steps][-1] == "recolor"
    result = run.carry_out(
        plan, [drawn.picture], EditOptions(points=(LEFT,)), seed=1, analysis=drawn.analysis
    )[0]
    blue, red = result.pixels[:, :, 2] > 120, result.pixels[:, :, 0] > 160
    blue &= result.pixels[:, :, 0] < 110
    assert 0.8 < blue.sum() / drawn.left.sum() < 1.1 or turn == "crop to 1:1"
    assert not (blue & red).any()


def test_a_box_and_a_selection_are_both_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Drawn(monkeypatch)
    box = Region(0.6, 0.1, 0.3, 0.8)
    where = changed(drawn.picture, drawn.edited("black and white", LEFT, regions=[box]))
    assert where[drawn.left == 1].mean() > 0.95
    assert where[drawn.right == 1].mean() > 0.95


def test_without_an_embedding_points_are_refused() -> None:
    plan = explain("make it blue", points=[LEFT])
    picture = Picture(np.full((200, 400, 3), GREY, np.uint8))
    with pytest.raises(PlanRefused, match="Draw a box around it instead"):
        run.carry_out(plan, [picture], EditOptions(points=(LEFT,)))


def test_points_on_nothing_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, nowhere = Drawn(monkeypatch), Point(0.5, 0.05)
    plan = explain("make it blue", points=[nowhere])
    with pytest.raises(PlanRefused, match="can't find anything where you clicked") as caught:
        run.carry_out(plan, [drawn.picture], EditOptions(points=(nowhere,)), analysis=drawn.analysis)
    assert caught.value.ways == (Way(WayKind.BOX, "make it blue"),)


@pytest.mark.slow
def test_a_click_on_a_cup_in_a_photo_selects_the_cup() -> None:
    picture = photo("cup")
    analysis = analyze(picture)
    (cup,) = [thing for thing in analysis.things if thing.kind == "cup"]
    x, y = cup.box.center
    found = select(analysis, [Point(x / picture.width, y / picture.height)])
    assert found is not None
    assert found.kinds == ("cup",)
    assert found.box.overlap_ratio(cup.box) > 0.7
