"""Tests for finding things: a closer look at part of a photo, similar kinds, and boxes inside other boxes."""

from collections.abc import Callable

import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.errors import OperationError
from editor.engine.kinds import siblings_of
from editor.engine.pixels import Box
from editor.engine.plan import Target
from editor.engine.targets import detector
from editor.engine.targets import things as targets
from editor.engine.targets.analyzed import THINGS
from editor.engine.targets.detector import things_of
from editor.engine.targets.things import target_things
from editor.engine.vision import things
from editor.engine.vision.things import COCO, Thing
from editor.imaging.picture import Picture

PHOTO = Picture(np.zeros((400, 600, 3), np.uint8))
PLACE = Box(200, 100, 300, 200)
type Closer = Callable[..., None]


@pytest.fixture
def closer(monkeypatch: pytest.MonkeyPatch) -> Closer:
    def look(*kinds: tuple[str, float], faint: tuple[Thing, ...] = ()) -> None:
        """Make the detector find `kinds` in the middle of a closer view of the photo, and `faint` in the
        whole photo.
        """

        def candidates(picture: Picture) -> list[Thing]:
            if picture.width == PHOTO.width:
                return list(faint)
            middle = Box.centered((picture.width / 2, picture.height / 2), 100, 100)
            return [Thing(kind, score, middle) for kind, score in kinds]

        monkeypatch.setattr(detector, "candidates", candidates)

    return look


def found(kind: str, *seen: Thing) -> list[str]:
    return [thing.kind for thing in things_of(Canvas(PHOTO), (kind,), list(seen))]


def test_a_jeep_mistaken_for_an_airplane_is_found_as_a_car(closer: Closer) -> None:
    closer(("car", 0.57), ("airplane", 0.3))
    assert found("car", Thing("airplane", 0.5, PLACE)) == ["car"]


def test_a_dog_mistaken_for_a_cow_is_found_as_a_dog(closer: Closer) -> None:
    closer(("cow", 0.6), ("dog", 0.42))
    assert found("dog", Thing("cow", 0.6, PLACE)) == ["dog"]


def test_a_clearly_detected_cow_is_not_mistaken_for_a_dog(closer: Closer) -> None:
    closer(("cow", 0.7), ("dog", 0.2))
    assert found("dog", Thing("cow", 0.7, PLACE)) == []


def test_several_similar_things_are_not_taken_for_another_kind(closer: Closer) -> None:
    closer(("cow", 0.6), ("dog", 0.42))
    assert found("dog", Thing("cow", 0.6, PLACE), Thing("cow", 0.6, PLACE.moved(200, 0))) == []


def test_a_horse_mistaken_for_a_cow_is_counted_beside_another_horse(closer: Closer) -> None:
    closer(("horse", 0.6), ("cow", 0.5))
    horse, taken_for_a_cow = Thing("horse", 0.6, PLACE), Thing("cow", 0.5, PLACE.moved(200, 0))
    assert found("horse", horse, taken_for_a_cow) == ["horse", "horse"]


def test_a_faint_thing_is_confirmed_by_a_closer_look(closer: Closer) -> None:
    closer(("truck", 0.6), faint=(Thing("truck", 0.25, PLACE),))
    (truck,) = things_of(Canvas(PHOTO), ("truck",), [])
    assert truck.score == 0.6
    assert truck.box.overlap_ratio(PLACE) > 0.9


def test_a_faint_thing_is_dropped_if_a_closer_look_shows_another_kind(closer: Closer) -> None:
    closer(("chair", 0.5), ("dog", 0.4), faint=(Thing("dog", 0.25, PLACE),))
    assert found("dog") == []


def test_a_clearly_detected_thing_needs_no_closer_look() -> None:
    assert found("dog", Thing("dog", 0.6, PLACE)) == ["dog"]


def test_all_siblings_are_kinds_of_the_detector() -> None:
    assert {sibling for kind in COCO for sibling in siblings_of([kind])} <= set(COCO)
    assert "dog" in siblings_of(["cat"])
    assert "cat" not in siblings_of(["cat"])
    assert siblings_of(["person"]) == frozenset()


def test_a_part_of_a_bicycle_does_not_count_as_a_second_bicycle() -> None:
    whole, part = (
        Thing("bicycle", 0.4, Box(100, 100, 500, 400)),
        Thing("bicycle", 0.5, Box(280, 120, 500, 360)),
    )
    assert things._without_parts([part, whole]) == [whole._replace(score=0.5)]


def test_a_child_in_front_of_a_man_counts_as_a_second_person() -> None:
    man, child = Thing("person", 0.7, Box(100, 0, 300, 400)), Thing("person", 0.6, Box(150, 250, 250, 400))
    assert things._without_parts([man, child]) == [man, child]


def test_the_only_truck_is_what_people_call_the_car(closer: Closer) -> None:
    closer(("truck", 0.7))
    truck = Thing("truck", 0.7, PLACE)
    assert found("car", truck) == ["truck"]
    assert found("car", truck, truck._replace(box=PLACE.moved(200, 0))) == []
    assert found("bus", truck) == []


def test_the_only_uncertain_animal_is_the_one_that_the_prompt_names(closer: Closer) -> None:
    closer()
    bird = Thing("bird", 0.42, PLACE)
    assert found("cat", bird) == ["bird"]
    assert found("cat", bird._replace(score=0.6)) == []
    assert found("cat", bird, bird._replace(box=PLACE.moved(200, 0))) == []
    assert found("chair", bird) == []


def test_a_person_is_certain_if_the_person_has_a_face_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, behind = Canvas(PHOTO), Box(60, 90, 320, 380)
    seen = [Thing("person", 0.6, Box(300, 40, 500, 390)), Thing("person", 0.37, behind)]
    canvas.remember(THINGS, seen)
    target = Target("thing", noun="man", place="left")
    monkeypatch.setattr(targets, "faces_seen", lambda canvas: [Box(360, 60, 420, 120)])
    with pytest.raises(OperationError, match="I can't find the man there"):
        target_things(canvas, target)
    monkeypatch.setattr(targets, "faces_seen", lambda canvas: [Box(150, 110, 210, 170)])
    assert [thing.box for thing in target_things(canvas, target)] == [behind]


@pytest.mark.parametrize(
    ("score", "other", "is_found"), [(0.36, 0.3, True), (0.36, 0.4, False), (0.3, 0.2, False)]
)
def test_a_faint_thing_is_confirmed_by_a_view_of_its_surroundings(
    monkeypatch: pytest.MonkeyPatch, score: float, other: float, is_found: bool
) -> None:
    small = Box(200, 100, 240, 160)

    def candidates(picture: Picture) -> list[Thing]:
        if picture.width == PHOTO.width:
            return [Thing("bottle", 0.32, small)]
        middle = Box.centered((picture.width / 2, picture.height / 2), small.width, small.height)
        is_wide = picture.width > 3 * small.width
        kinds = (("bottle", score), ("fire hydrant", other)) if is_wide else (("parking meter", 0.4),)
        return [Thing(kind, likely, middle) for kind, likely in kinds]

    monkeypatch.setattr(detector, "candidates", candidates)
    bottles = things_of(Canvas(PHOTO), ("bottle",), [])
    assert [bottle.box for bottle in bottles] == ([small] if is_found else [])
