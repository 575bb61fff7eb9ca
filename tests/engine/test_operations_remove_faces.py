from pathlib import Path
from typing import Any

import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.targets.faces import find_faces
from editor.imaging.codecs import load
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.people import eyes, people, portrait, with_spots
from tests.engine.pictures import REGION, apply_steps, changed, deep, scenery, step, with_alpha

PHOTOS = Path(__file__).resolve().parents[1] / "photos"
FACE = (300, 120, 300)
RED = (205, 45, 50)
TWO = ((80, 150, 200), (560, 130, 220))
FLASHED = with_spots(portrait(), *eyes(*FACE), radius=6, color=RED)
PIMPLES = ((450, 195), (390, 310), (508, 308))


def box(left: int, top: int, right: int, bottom: int) -> Region:
    return Region(left / 900, top / 600, (right - left) / 900, (bottom - top) / 600)


def around(x: int, y: int, reach: int = 40) -> Region:
    return box(x - reach, y - reach, x + reach, y + reach)


def redness(photo: Picture, x: int, y: int) -> float:
    red, green, blue = (float(value) for value in photo.pixels[y - 3 : y + 4, x - 3 : x + 4, :3].mean((0, 1)))
    return red / (green + blue)


def test_red_pupils_become_dark_and_nothing_else_changes() -> None:
    for photo in (FLASHED, deep(FLASHED)):
        result = apply_steps(photo, step("red_eye"))
        assert all(redness(photo, *eye) > 1.5 and redness(result, *eye) < 0.6 for eye in eyes(*FACE))
        far = changed(photo, result)
        for x, y in eyes(*FACE):
            assert result.pixels[y, x].mean() < 0.3 * np.iinfo(result.pixels.dtype).max
            far[y - 11 : y + 12, x - 11 : x + 12] = False
        assert not far.any()


def test_corrected_red_eyes_are_closer_to_the_photo_without_flash() -> None:
    truth = portrait().pixels.astype(int)
    result = apply_steps(FLASHED, step("red_eye"))
    for x, y in eyes(*FACE):
        inside = slice(y - 6, y + 7), slice(x - 6, x + 7)
        before = np.abs(FLASHED.pixels[inside].astype(int) - truth[inside]).mean()
        assert np.abs(result.pixels[inside].astype(int) - truth[inside]).mean() < 0.4 * before


def test_a_corrected_eye_has_one_small_glint() -> None:
    result = apply_steps(FLASHED, step("red_eye")).pixels
    for x, y in eyes(*FACE):
        pupil = result[y - 5 : y + 6, x - 5 : x + 6].mean(2)
        assert pupil.max() > 150
        assert (pupil > 120).sum() < 8


def test_an_existing_glint_is_kept_and_no_second_one_is_added() -> None:
    photo = with_spots(FLASHED, *((x - 2, y - 2) for x, y in eyes(*FACE)), radius=2, color=(250, 250, 250))
    result = apply_steps(photo, step("red_eye")).pixels
    for x, y in eyes(*FACE):
        assert result[y - 2, x - 2].mean() > 180
        assert result[y - 2, x + 2].mean() < 90


def test_a_red_eye_in_a_box_needs_no_face() -> None:
    photo = with_spots(Picture(np.full((600, 900, 3), 225, np.uint8)), (200, 200), radius=9, color=RED)
    result = apply_steps(photo, step("red_eye", target=REGION), regions=(around(200, 200),))
    assert redness(result, 200, 200) < 0.6


@pytest.mark.parametrize("photo", [portrait(), scenery(300, 200)])
def test_without_a_red_eye_the_refusal_asks_for_a_box(photo: Picture) -> None:
    with pytest.raises(PlanRefused, match=r"Draw a (separate )?box") as caught:
        apply_steps(photo, step("red_eye"))
    assert caught.value.refusals[0].reason is Reason.NO_SUCH_TARGET


@pytest.mark.sampled(1)
@pytest.mark.parametrize("choice", [None, "blur", "pixelate", "black"])
def test_all_faces_are_hidden_and_counted(choice: str | None) -> None:
    photo = people(*TWO)
    result = apply_steps(photo, step("hide_faces", how=choice))
    assert find_faces(photo)
    assert not find_faces(result)
    assert result.notices[0].startswith("I found and hid 2 faces for 2 people.")
    far = changed(photo, result)
    for left, top, size in TWO:
        far[top - 20 : top + size + 50, left : left + size] = False
    assert not far.any()


def test_a_black_cover_is_black_and_a_blurred_face_has_no_features() -> None:
    black = apply_steps(portrait(), step("hide_faces", how="black"))
    assert not black.pixels[200:380, 400:500].any()
    blurred = apply_steps(portrait(), step("hide_faces", how="blur"))
    rows, columns = slice(240, 280), slice(380, 520)
    assert blurred.pixels[rows, columns].std(1).mean() < 0.35 * portrait().pixels[rows, columns].std(1).mean()


def test_a_pixelated_face_consists_of_plain_squares() -> None:
    result = apply_steps(portrait(), step("hide_faces", how="pixelate"))
    middle = result.pixels[230:330, 400:500].astype(int)
    assert (np.abs(np.diff(middle, axis=1)).max(2) > 2).mean() < 0.08


def test_only_the_face_at_the_named_place_is_hidden() -> None:
    photo = people(*TWO)
    left = step("hide_faces", how="black", target=Target("face", place="left"))
    where = changed(photo, apply_steps(photo, left))
    assert where[:, :450].any()
    assert not where[:, 450:].any()


def test_a_box_is_covered_even_if_it_contains_no_face() -> None:
    photo = scenery(300, 200)
    region = Region(0.2, 0.2, 0.3, 0.4)
    result = apply_steps(photo, step("hide_faces", how="black", target=REGION), regions=(region,))
    assert not result.pixels[60:100, 90:120].any()
    assert "I didn't find a face" in result.notices[0]
    assert not changed(photo, result)[:, 160:].any()


def two_people() -> tuple[Picture, Box]:
    """Return a photo that shows the same person twice, and the box of the right face.

    The right face is covered.
    """
    photo = load(PHOTOS / "astronaut.jpg").pixels[:, :, :3]
    (face,) = find_faces(Picture(photo))
    soft = photo.copy()
    part = soft[face.top : face.bottom, face.left : face.right]
    soft[face.top : face.bottom, face.left : face.right] = part.mean((0, 1)).astype(np.uint8)
    width = photo.shape[1]
    right = Box(face.left + width, face.top, face.right + width, face.bottom)
    return Picture(np.concatenate([photo, soft], 1)), right


@pytest.mark.parametrize("target", [Target("face"), Target()])
def test_hiding_faces_is_refused_if_the_face_of_a_person_is_not_found(target: Target) -> None:
    photo, _ = two_people()
    assert len(find_faces(photo)) == 1
    with pytest.raises(PlanRefused, match="I found 1 face for 2 people") as caught:
        apply_steps(photo, step("hide_faces", target=target))
    assert "Draw a box around each face" in caught.value.message


def test_only_the_visible_faces_are_hidden_if_the_prompt_says_so() -> None:
    photo, _ = two_people()
    result = apply_steps(photo, step("hide_faces", visible=True))
    assert not find_faces(result)
    assert result.notices[0].startswith("I found and hid 1 face for 2 people.")


def test_other_operations_give_a_notice_if_a_face_was_not_found() -> None:
    photo, _ = two_people()
    assert apply_steps(photo, step("smooth_skin")).notices == ("I found 1 face for 2 people.",)
    left = step("smooth_skin", target=Target("face", place="left"))
    assert apply_steps(photo, left).notices == ()


def test_boxes_without_a_face_are_covered_too() -> None:
    photo, hidden = two_people()
    height, width = photo.pixels.shape[:2]
    (found,) = find_faces(photo)
    regions = tuple(
        Region(box.left / width, box.top / height, box.width / width, box.height / height)
        for box in (found, hidden)
    )
    both = Target("region", boxes=(1, 2))
    result = apply_steps(photo, step("hide_faces", how="black", target=both), regions=regions)
    for face in (found, hidden):
        x, y = (round(part) for part in face.center)
        assert not result.pixels[y - 9 : y + 9, x - 9 : x + 9].any()
    assert result.notices[0].startswith("I didn't find a face in a box")


def test_the_face_of_a_single_person_is_hidden() -> None:
    photo = load(PHOTOS / "astronaut.jpg")
    assert not find_faces(apply_steps(photo, step("hide_faces")))


def test_hiding_faces_is_refused_if_there_are_none() -> None:
    with pytest.raises(PlanRefused, match="can't find a face"):
        apply_steps(scenery(), step("hide_faces"))


@pytest.mark.parametrize("target", [Target(), Target("face"), REGION])
def test_blemishes_are_removed_from_the_skin(target: Target) -> None:
    spotted = with_spots(portrait(), *PIMPLES, radius=4, color=(190, 90, 85))
    regions: dict[str, Any] = {"regions": (box(340, 180, 560, 400),)} if target.what == "region" else {}
    result = apply_steps(spotted, step("blemishes", target=target), **regions)
    truth = portrait().pixels.astype(int)
    for x, y in PIMPLES:
        spot = slice(y - 3, y + 4), slice(x - 3, x + 4)
        assert np.abs(result.pixels[spot].astype(int) - truth[spot]).mean() < 6
    assert result.notices[0].startswith("I removed 3 spots")


def test_removing_blemishes_leaves_the_rest_of_the_face_unchanged() -> None:
    spotted = with_spots(portrait(), *PIMPLES, radius=4, color=(190, 90, 85))
    where = changed(spotted, apply_steps(spotted, step("blemishes")))
    for x, y in PIMPLES:
        where[y - 12 : y + 13, x - 12 : x + 13] = False
    assert not where.any()


def test_clean_skin_is_refused() -> None:
    with pytest.raises(PlanRefused, match="can't find any blemishes"):
        apply_steps(portrait(), step("blemishes"))


def test_alpha_is_preserved_with_hidden_faces_and_corrected_eyes() -> None:
    photo = with_alpha(FLASHED)
    for operation in ("red_eye", "hide_faces"):
        result = apply_steps(photo, step(operation))
        assert np.array_equal(result.pixels[:, :, 3], photo.pixels[:, :, 3])
