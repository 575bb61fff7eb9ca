"""Tests for copying detected things until a given number is reached.

The copies must be on free ground and must not cover anything.
"""

from itertools import combinations
from typing import Any, cast

import cv2
import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.operations.add import copies
from editor.engine.operations.composition import free_places
from editor.engine.pixels import Box
from editor.engine.plan import Target
from editor.engine.targets import complete_outlines, thing_outlines, things
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture
from editor.options import Region
from tests.engine.pictures import apply_steps, step

WIDTH, HEIGHT = 720, 400
BALLS = Target("thing", noun="balls")
RED = Target("thing", color="red", noun="sign")


def field(*balls: tuple[int, int, int], height: int = HEIGHT) -> Picture:
    """Draw red balls, given as (x, y, radius), on a calm gray-green background."""
    pixels = np.full((height, WIDTH, 3), (150, 165, 150), np.float32)
    pixels += (np.arange(height, dtype=np.float32)[:, None, None] / height - 0.5) * 16
    for x, y, radius in balls:
        cv2.circle(pixels, (x, y), radius, (200, 40, 40), -1, cv2.LINE_AA)
    pixels += np.random.default_rng(2).normal(0, 1.5, pixels.shape)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def seen(monkeypatch: pytest.MonkeyPatch, *found: Thing) -> None:
    for module in (things, thing_outlines, complete_outlines, free_places, copies):
        monkeypatch.setattr(module, "things_seen", lambda canvas: list(found))


def thing(kind: str, x: int, y: int, radius: int, score: float = 0.9) -> Thing:
    return Thing(kind, score, Box(x - radius, y - radius, x + radius, y + radius))


def counted(picture: Picture, number: float, counting: str = "count", target: Target = BALLS) -> Picture:
    return apply_steps(picture, step("count_thing", target=target, **{counting: number}))


def red_boxes(picture: Picture) -> list[Box]:
    """Return the bounding box of each connected red area, from left to right."""
    colors = picture.pixels[:, :, :3].astype(int)
    red = cast(Bytes, (colors[:, :, 0] - colors[:, :, 1] > 60).astype(np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(red)
    found = [tuple(map(int, row)) for row in np.asarray(stats)[1:] if row[4] > 40]
    return sorted(Box(x, y, x + width, y + height) for x, y, width, height, _ in found)


@pytest.mark.parametrize("number", [2, 3, 5])
def test_the_photo_shows_the_requested_number_of_things(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    seen(monkeypatch, thing("sports ball", 200, 250, 34))
    after = counted(field((200, 250, 34)), number)
    boxes = red_boxes(after)
    assert len(boxes) == number
    assert not any(one.overlap(other) for one, other in combinations(boxes, 2))
    assert after.notices == (
        f"I found one ball, and I added {number - 1} {'copy' if number == 2 else 'copies'}.",
    )


def test_existing_things_are_counted_and_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    before = field((150, 250, 34), (500, 260, 34))
    seen(monkeypatch, thing("sports ball", 150, 250, 34), thing("sports ball", 500, 260, 34))
    after = counted(before, 3)
    assert len(red_boxes(after)) == 3
    assert set(red_boxes(before)) < set(red_boxes(after))


def test_more_things_are_added_to_the_existing_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch, thing("sports ball", 150, 250, 34), thing("sports ball", 500, 260, 34))
    assert len(red_boxes(counted(field((150, 250, 34), (500, 260, 34)), 2, "more"))) == 4


def test_copies_that_are_closer_are_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch, thing("sports ball", 360, 220, 30))
    boxes = red_boxes(counted(field((360, 220, 30)), 6))
    farthest, nearest = min(boxes, key=lambda box: box.bottom), max(boxes, key=lambda box: box.bottom)
    assert nearest.bottom > farthest.bottom
    assert nearest.height > farthest.height


def test_copies_do_not_cover_other_things(monkeypatch: pytest.MonkeyPatch) -> None:
    others = [Thing("dog", 0.9, Box(0, 120, 140, 390)), Thing("cat", 0.4, Box(420, 100, 720, 390))]
    seen(monkeypatch, thing("sports ball", 280, 250, 34), *others)
    boxes = red_boxes(counted(field((280, 250, 34)), 2))
    assert len(boxes) == 2
    assert not any(box.overlap(other.box) for box in boxes for other in others)


def test_copies_stay_on_ground_like_that_of_the_original(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = field((300, 250, 34))
    picture.pixels[:, 360:] = (60, 90, 200)
    seen(monkeypatch, thing("sports ball", 300, 250, 34))
    boxes = red_boxes(counted(picture, 3))
    assert len(boxes) == 3
    assert all(box.right <= 365 for box in boxes)


def marked(picture: Picture, number: float, *boxes: Box, noun: str | None = None) -> Picture:
    """Add copies to the photo until it shows this number of things.

    The things in the boxes are included in the count.
    """
    target = Target("region", noun=noun, boxes=tuple(range(1, len(boxes) + 1)))
    regions = tuple(
        Region(box.left / WIDTH, box.top / HEIGHT, box.width / WIDTH, box.height / HEIGHT) for box in boxes
    )
    return apply_steps(picture, step("count_thing", target=target, count=number), regions=regions)


def around(x: int, y: int, radius: int) -> Box:
    return Box(x - radius, y - radius, x + radius, y + radius)


def test_a_thing_in_a_box_is_copied_even_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch)
    after = marked(field((200, 250, 34)), 4, around(200, 250, 37))
    assert len(red_boxes(after)) == 4
    assert after.notices == ("You marked one thing, and I added 3 copies.",)


def test_each_box_counts_as_one_existing_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch)
    before = field((150, 250, 34), (500, 260, 34))
    after = marked(before, 3, around(150, 250, 37), around(500, 260, 37))
    assert len(red_boxes(after)) == 3
    assert set(red_boxes(before)) < set(red_boxes(after))


def test_a_detected_thing_outside_the_box_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch, thing("sports ball", 150, 250, 34), thing("sports ball", 500, 260, 34))
    after = marked(field((150, 250, 34), (500, 260, 34)), 4, around(150, 250, 37), noun="ball")
    assert len(red_boxes(after)) == 4
    assert after.notices == ("I found 2 balls, and I added 2 copies.",)


def test_one_box_around_several_things_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch, thing("sports ball", 200, 250, 34), thing("sports ball", 290, 250, 34))
    with pytest.raises(PlanRefused, match="One box contains several balls"):
        marked(field((200, 250, 34), (290, 250, 34)), 4, Box(160, 210, 330, 290), noun="ball")


def test_copying_a_thing_in_a_box_that_a_person_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch, Thing("person", 0.9, Box(100, 20, 320, 390)))
    with pytest.raises(PlanRefused, match="holds or wears the thing"):
        marked(field((200, 250, 34)), 3, around(200, 250, 37))


def test_it_says_how_many_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = field((110, 200, 100), height=300)
    seen(monkeypatch, thing("sports ball", 110, 200, 100))
    with pytest.raises(PlanRefused, match="room for only 1 more ball on similar ground"):
        counted(picture, 9)


@pytest.mark.parametrize(
    ("number", "found", "sentence"),
    [
        (2, [0.9, 0.9], "The photo already shows 2 balls"),
        (4, [0.9, 0.4], "can't tell whether there are 1 or 2 balls"),
    ],
)
def test_a_number_that_is_already_reached_or_uncertain_is_refused(
    monkeypatch: pytest.MonkeyPatch, number: int, found: list[float], sentence: str
) -> None:
    places = (150, 500)
    seen(
        monkeypatch,
        *(thing("sports ball", x, 250, 34, score) for x, score in zip(places, found, strict=True)),
    )
    with pytest.raises(PlanRefused, match=sentence):
        counted(field(*((x, 250, 34) for x in places)), number)


def test_copying_a_held_ball_or_a_sign_on_a_pole_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    holder = Thing("person", 0.9, Box(100, 20, 320, 390))
    seen(monkeypatch, thing("sports ball", 200, 250, 34), holder)
    with pytest.raises(PlanRefused, match="holds or wears the ball"):
        counted(field((200, 250, 34)), 3)
    seen(monkeypatch, thing("stop sign", 200, 250, 34))
    with pytest.raises(PlanRefused, match="what holds it up"):
        counted(field((200, 250, 34)), 3, target=Target("thing", noun="stop signs"))


def test_copying_a_thing_that_the_edge_cuts_off_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch, Thing("sports ball", 0.9, Box(0, 216, 50, 284)))
    with pytest.raises(PlanRefused, match="can't copy the ball because"):
        counted(field((16, 250, 34)), 3)


def test_a_thing_found_by_its_color_is_copied_with_its_letters() -> None:
    picture = field()
    cv2.rectangle(picture.pixels, (120, 150), (200, 230), (205, 40, 40), -1)
    cv2.putText(picture.pixels, "VI", (130, 205), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (250, 250, 250), 3)
    after = counted(picture, 3, target=RED)
    boxes = red_boxes(after)
    assert len(boxes) == 3
    for box in boxes:
        inside = after.pixels[box.top : box.bottom, box.left : box.right].astype(int)
        assert (inside.min(axis=2) > 180).mean() > 0.04  # The copies must include the letters.


def test_the_same_photo_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    seen(monkeypatch, thing("sports ball", 200, 250, 34))
    first, again = (counted(field((200, 250, 34)), 4) for _ in range(2))
    assert np.array_equal(first.pixels, again.pixels)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_the_rest_of_the_photo_does_not_change(monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    seen(monkeypatch, thing("sports ball", 200, 250, 34))
    before = field((200, 250, 34))
    before = Picture(before.pixels.astype(kind) * (257 if kind is np.uint16 else 1))
    after = counted(before, 2)
    left = np.ones((HEIGHT, WIDTH), bool)
    for box in red_boxes(Picture((after.pixels / (257 if kind is np.uint16 else 1)).astype(np.uint8))):
        grown = box.grown(1.2, WIDTH, HEIGHT)
        left[grown.top : grown.bottom, grown.left : grown.right] = False
    assert after.pixels.dtype == kind
    assert np.array_equal(after.pixels[left], before.pixels[left])


@pytest.mark.slow
def test_both_things_of_a_move_can_be_found_by_their_colors() -> None:
    picture = field()
    cv2.rectangle(picture.pixels, (120, 150), (200, 230), (205, 40, 40), -1)
    cv2.rectangle(picture.pixels, (400, 120), (520, 260), (40, 60, 200), -1)
    beside = Target("thing", color="blue", noun="board")
    after = apply_steps(picture, step("move_thing", target=RED, place="right", beside=beside))
    (sign,) = red_boxes(after)
    assert 520 < sign.left < 560
    assert sign.width == pytest.approx(81, abs=3)
