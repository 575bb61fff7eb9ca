"""Tests that additions next to things and on faces are either completely inside the photo or refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from editor.engine.colors import color_of
from editor.engine.errors import PlanRefused
from editor.engine.operations.add import places, speech_bubble, worn_props
from editor.engine.pixels import Box
from editor.engine.plan import WHOLE, Step, Target
from editor.engine.vision.things import Thing
from editor.imaging.picture import Picture
from tests.engine.analyses import detect
from tests.engine.people import eyes, people, portrait
from tests.engine.pictures import apply_steps, changed, step
from tests.engine.readings import variant_of

type See = Callable[..., None]
CUP = Target("thing", noun="cup")
CUPS = Target("thing", noun="cups", count=2)


@pytest.fixture
def see(monkeypatch: pytest.MonkeyPatch) -> See:
    """Make the detector find a thing in each of these boxes."""

    def seen(*boxes: tuple[int, int, int, int], kind: str = "cup") -> None:
        things = [Thing(kind, 0.9, Box(*box)) for box in boxes]
        detect(monkeypatch, things)

    return seen


def plain(width: int = 600, height: int = 400) -> Picture:
    return Picture(np.full((height, width, 3), 60, np.uint8))


def drawn_at(photo: Picture, *steps: Step) -> Box:
    rows, columns = np.nonzero(changed(photo, apply_steps(photo, *steps)))
    return Box(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)


ADDITIONS = [
    step("shape", shape="star", target=CUP),
    step("shape", shape="circle", target=CUP),
    step("shape", shape="line", target=CUP),
    step("emoji", text="🔴", target=CUP),
    step("text", text="Hi", target=CUP),
    step("speech_bubble", text="Hi", target=CUP),
]


@pytest.mark.parametrize("addition", ADDITIONS, ids=lambda one: variant_of(one) or one.operation)
@pytest.mark.parametrize("place", ["above", "below", "left of", "right of"])
def test_an_addition_is_placed_on_the_named_side_of_a_thing(see: See, addition: Step, place: str) -> None:
    see((240, 160, 360, 260))
    box = drawn_at(plain(), addition.at(place))
    # The tail of a speech bubble may overlap the thing.
    slack = 0 if addition.operation != "speech_bubble" else 30
    assert {
        "above": box.bottom <= 160 + slack,
        "below": box.top >= 260 - slack,
        "left of": box.right <= 240 + slack,
        "right of": box.left >= 360 - slack,
    }[place]
    x, y = box.center
    assert abs(x - 300) < 12 if place in ("above", "below") else abs(y - 210) < 75


def test_next_to_uses_the_side_with_more_room(see: See) -> None:
    see((60, 160, 180, 260))
    assert drawn_at(plain(), step("emoji", text="🔴", target=CUP, place="next to")).left >= 180
    see((420, 160, 540, 260))
    assert drawn_at(plain(), step("emoji", text="🔴", target=CUP, place="next to")).right <= 420


def test_a_shape_between_two_things_touches_neither(see: See) -> None:
    see((40, 150, 140, 250), (440, 170, 560, 260))
    box = drawn_at(plain(), step("shape", shape="heart", target=CUPS, place="between"))
    assert 140 <= box.left < box.right <= 440
    assert abs(box.center[0] - 290) < 20


def test_an_emoji_on_a_thing_does_not_hide_it(see: See) -> None:
    see((200, 100, 400, 300))
    box = drawn_at(plain(), step("emoji", text="🔴", target=CUP))
    assert 220 < box.left < box.right < 380
    assert max(abs(box.center[0] - 300), abs(box.center[1] - 200)) < 5


def test_each_of_several_things_gets_its_own_emoji(see: See) -> None:
    see((40, 150, 140, 250), (440, 170, 560, 260))
    photo = plain()
    spots = changed(photo, apply_steps(photo, step("emoji", text="🔴", target=CUPS)))
    assert spots[:, 40:140].any()
    assert spots[:, 440:560].any()
    assert not spots[:, 150:430].any()


def test_a_sticker_is_placed_beside_a_thing(see: See) -> None:
    see((40, 120, 220, 300))
    second = Picture(np.full((80, 120, 3), (0, 250, 0), np.uint8))
    result = apply_steps(plain(), step("sticker", photo=2, target=CUP, place="right of"), photos=(second,))
    green = (result.pixels == (0, 250, 0)).all(2)
    assert green[:, 225:].any()
    assert not green[:, :220].any()


@pytest.mark.parametrize("addition", ADDITIONS, ids=lambda one: variant_of(one) or one.operation)
def test_an_addition_without_enough_room_is_refused(see: See, addition: Step) -> None:
    see((100, 4, 500, 396))
    with pytest.raises(PlanRefused, match="enough room for it above the cup"):
        apply_steps(plain(), addition.at("above"))


def test_an_addition_is_refused_if_the_thing_is_missing_or_ambiguous(see: See) -> None:
    above = step("shape", shape="star", target=CUP, place="above")
    see()
    with pytest.raises(PlanRefused, match="can't find the cup"):
        apply_steps(plain(), above)
    see((40, 150, 140, 250), (440, 170, 560, 260))
    with pytest.raises(PlanRefused, match="found 2 cups"):
        apply_steps(plain(), above)


def test_the_free_place_in_the_sky_avoids_a_tower() -> None:
    mask = np.zeros((300, 400), np.float32)
    mask[:200, :] = 1
    mask[:, 120:180] = 0  # The tower covers these columns.
    assert places._free_in(mask).left >= 180


def on_a_face(**fields: Any) -> Step:
    return step("emoji", target=Target("face", count=1), **fields)


def test_glasses_are_placed_over_the_eyes() -> None:
    photo = portrait()
    box = drawn_at(photo, on_a_face(text="🕶️", place="eyes"))
    (left, y), (right, _) = eyes(300, 120, 300)
    assert box.left < left < right < box.right
    assert abs(box.center[0] - (left + right) / 2) < 20
    assert box.top < y < box.bottom
    assert box.height < 150


def test_a_hat_is_placed_on_the_head() -> None:
    box = drawn_at(portrait(), on_a_face(text="🎩", place="head"))
    assert abs(box.center[0] - 450) < 25
    assert box.top >= 0
    assert 100 < box.bottom < 240


def test_glasses_are_tilted_like_the_eyes(monkeypatch: pytest.MonkeyPatch) -> None:
    tilted = [Box(340, 240, 380, 260), Box(500, 300, 540, 320)]
    monkeypatch.setattr(worn_props, "find_eyes", lambda picture, face: tilted)
    photo = portrait()
    spots = changed(photo, apply_steps(photo, on_a_face(text="🕶", place="eyes")))
    left, right = (np.nonzero(spots[:, part])[0].mean() for part in (slice(330, 400), slice(480, 560)))
    assert right - left > 30


def test_a_hat_needs_room_above_the_head() -> None:
    with pytest.raises(PlanRefused, match="enough room above the head"):
        apply_steps(portrait(top=0, height=420), on_a_face(text="🎩", place="head"))


def test_a_hat_for_one_of_two_faces_is_refused_but_both_can_wear_glasses() -> None:
    two = people((60, 150, 260), (560, 150, 260), height=500)
    with pytest.raises(PlanRefused, match="found 2 faces"):
        apply_steps(two, on_a_face(text="🎩", place="head"))
    worn = step("emoji", text="🕶️", target=Target("face"), place="eyes")
    spots = changed(two, apply_steps(two, worn))
    assert spots[:, :400].any()
    assert spots[:, 500:].any()


def test_a_named_person_wears_the_glasses_on_their_own_face(see: See) -> None:
    two = people((60, 150, 260), (560, 150, 260), height=500)
    see((20, 100, 380, 500), (520, 100, 880, 500), kind="person")
    left = Target("thing", noun="man", place="left")
    spots = changed(two, apply_steps(two, step("emoji", text="🕶️", target=left, place="eyes")))
    assert spots[:, :400].any()
    assert not spots[:, 450:].any()


def test_a_hat_is_refused_if_no_face_is_found(see: See) -> None:
    with pytest.raises(PlanRefused, match="can't find a face"):
        apply_steps(plain(), on_a_face(text="🎩", place="head"))
    see((100, 50, 300, 390), kind="person")
    with pytest.raises(PlanRefused, match="can't find the face of the man"):
        apply_steps(plain(), step("emoji", text="🎩", target=Target("thing", noun="man"), place="head"))


@pytest.mark.parametrize("place", [None, "top", "bottom", "top left", "bottom right", "center"])
def test_a_speech_bubble_is_completely_inside_the_photo(place: str | None) -> None:
    box = drawn_at(plain(), step("speech_bubble", text="So long, and thanks", place=place))
    assert min(box.left, box.top) > 0
    assert box.right < 600
    assert box.bottom < 400


def test_a_speech_bubble_is_white_with_dark_text_unless_a_color_is_given() -> None:
    photo = plain()
    result = apply_steps(photo, step("speech_bubble", text="Hello")).pixels
    assert (result == 255).all(2).sum() > 2000
    assert (result[:, :, 0] < 30).any()
    red = apply_steps(photo, step("speech_bubble", text="Hello", color="red")).pixels
    assert (red == color_of("red")).all(2).sum() > 2000
    assert (red == 255).all(2).sum() < 1000  # the letters and the rim


@pytest.fixture
def face_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[Box], Box]:
    def found(face: Box) -> Box:
        monkeypatch.setattr(speech_bubble, "faces_seen", lambda canvas: [face])
        return face

    return found


@pytest.mark.parametrize("place", [None, "next to", "right of"])
def test_a_speech_bubble_is_placed_beside_the_face_of_the_speaker(
    see: See, face_at: Callable[[Box], Box], place: str | None
) -> None:
    see((100, 60, 300, 400), kind="person")
    face = face_at(Box(160, 100, 240, 180))
    target = Target("thing", noun="man") if place else WHOLE
    box = drawn_at(plain(), step("speech_bubble", text="Hi", target=target, place=place))
    mouth = 200, 164
    assert mouth[0] + 10 < box.left < face.right  # Only the tail may be to the left of the face's right edge.
    assert box.top < face.center[1]
    assert box.bottom < face.bottom + 20


@pytest.mark.parametrize("place", ["top", "top left", "top right", "center"])
def test_a_speech_bubble_at_a_named_place_does_not_hide_a_face(
    face_at: Callable[[Box], Box], place: str
) -> None:
    face = face_at(Box(220, 10, 400, 220))
    photo = plain()
    result = apply_steps(photo, step("speech_bubble", text="What a long day that was", place=place))
    hidden = changed(photo, result)[face.top : face.bottom, face.left : face.right]
    assert 0 < hidden.mean() < 0.12  # Only the tail covers part of the face.


def test_a_speech_bubble_does_not_cover_a_face_if_there_is_little_room(face_at: Callable[[Box], Box]) -> None:
    face = face_at(Box(150, 20, 450, 300))
    box = drawn_at(plain(), step("speech_bubble", text="A long way to go from here"))
    assert box.left > face.right - 0.3 * face.width
    long = step("speech_bubble", text="Incomprehensibilities", place="left of")
    with pytest.raises(PlanRefused, match="enough room"):
        apply_steps(plain(), long)
