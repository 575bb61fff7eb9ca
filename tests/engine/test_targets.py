from typing import cast

import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.targets.faces import faces_of, find_eyes, find_faces
from editor.engine.targets.grabcut_candidates import CutOut
from editor.engine.targets.outlines import view_of
from editor.engine.targets.places import place_mask
from editor.engine.targets.subject import find_subject
from editor.engine.targets.target_masks import target_mask
from editor.imaging.picture import Bytes, Picture
from tests.engine.people import eyes, people, portrait
from tests.engine.pictures import ball, ball_mask, deep, scenery, with_alpha

TWO = ((80, 150, 200), (560, 130, 220))


def canvas(photo: Picture, *boxes: Box) -> Canvas:
    return Canvas(photo, boxes=boxes)


def landscape(width: int = 480, height: int = 320) -> Picture:
    """Draw a blue sky with a cloud, and a hill and a meadow below."""
    random = np.random.default_rng(6)
    rows, columns = np.indices((height, width), np.float32)
    pixels = np.empty((height, width, 3), np.float32)
    pixels[:] = np.array([90, 140, 220]) + (rows / height * 70)[:, :, None]
    cloud = np.exp(-(((columns - 320) / 60) ** 2 + ((rows - 60) / 18) ** 2))[:, :, None]
    pixels += cloud * (np.array([245, 245, 245]) - pixels)
    rough = random.normal(0, 14, (height, width, 1))
    hill = rows > 150 + 25 * np.sin(columns / 50)
    pixels[hill] = (np.array([120, 105, 90]) + rough)[hill]
    meadow = rows > 210
    pixels[meadow] = (np.array([70, 140, 50]) + rough)[meadow]
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def lettered() -> Picture:
    pixels = scenery(640, 420).pixels.copy()
    cv2.putText(
        pixels, "Lettering", (60, 360), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (255, 255, 255), 3, cv2.LINE_AA
    )
    return Picture(pixels)


def overlap(mask: Floats, truth: Bytes) -> float:
    found = mask > 0.5
    return float((found & (truth == 1)).sum() / (found | (truth == 1)).sum())


def test_the_face_of_one_person_among_several_faces_is_ambiguous(monkeypatch: pytest.MonkeyPatch) -> None:
    several = [Box(40, 40, 120, 120), Box(300, 40, 380, 120)]
    monkeypatch.setattr("editor.engine.targets.faces.faces_seen", lambda *_: several)
    photo = canvas(scenery(480, 320))
    assert faces_of(photo, Target("face")) == several
    assert faces_of(photo, Target("face", of="man", place="left")) == several[:1]
    with pytest.raises(OperationError, match="2 faces") as caught:
        faces_of(photo, Target("face", of="man"))
    assert caught.value.reason is Reason.AMBIGUOUS


def test_faces_and_their_eyes_are_where_they_were_drawn() -> None:
    (face,) = find_faces(portrait())
    assert 300 < face.left < face.right < 600
    found = [eye.center for eye in find_eyes(portrait(), face)]
    for (x, y), (found_x, found_y) in zip(eyes(300, 120, 300), found, strict=True):
        assert abs(x - found_x) < 12
        assert abs(y - found_y) < 12


@pytest.mark.parametrize(
    ("place", "number"), [("left", 0), ("right", 1), ("top right", 1), ("bottom left", 0)]
)
def test_a_place_chooses_one_face(place: str, number: int) -> None:
    photo = people(*TWO)
    assert faces_of(canvas(photo), Target("face", place=place)) == [find_faces(photo)[number]]


def test_a_box_chooses_the_faces_in_it() -> None:
    photo = people(*TWO)
    marked = canvas(photo, Box(500, 50, 900, 500))
    assert faces_of(marked, Target("face", boxes=(1,))) == find_faces(photo)[1:]


def test_a_face_on_the_other_side_is_not_used() -> None:
    photo = people((560, 130, 220))
    with pytest.raises(OperationError, match="can't find a face in the left part of the photo"):
        faces_of(canvas(photo), Target("face", place="left"))


def test_the_mask_of_the_person_on_the_left_excludes_the_other_one() -> None:
    mask = target_mask(canvas(people(*TWO)), Target("thing", noun="man", place="left"))
    assert mask[240, 180] == 1
    assert mask[500, 180] == 1
    assert not mask[:, 450:].any()


def test_a_person_without_a_place_is_the_subject() -> None:
    one = target_mask(canvas(portrait()), Target("thing", noun="woman"))
    assert np.array_equal(one, target_mask(canvas(portrait()), Target("subject")))


def test_one_of_several_people_needs_a_place() -> None:
    with pytest.raises(OperationError, match="found 2 men"):
        target_mask(canvas(people(*TWO)), Target("thing", noun="man"))


def test_a_portrait_is_cut_out_with_hair_and_shoulders() -> None:
    cut = find_subject(portrait())
    mask = cv2.resize(cut.mask, (900, 600))
    assert cut.confidence > 0.5
    assert mask[150, 450] > 0.9
    assert mask[560, 330] > 0.9
    assert not mask[:, :200].any()


@pytest.mark.parametrize(("right", "wanted"), [(150, 200), (100, 124)])
def test_the_view_of_a_person_near_the_edge_reaches_the_edge(right: int, wanted: int) -> None:
    photo = Picture(np.zeros((200, 200, 3), np.uint8))
    assert view_of(Box(30, 30, right, 130), photo) == Box(0, 0, wanted, 165)


def test_a_person_on_the_other_side_is_not_used() -> None:
    with pytest.raises(OperationError, match="can't find the man there"):
        target_mask(canvas(people((560, 130, 220))), Target("thing", noun="man", place="left"))


@pytest.mark.parametrize("photo", [landscape(), deep(landscape()), with_alpha(landscape())])
def test_the_sky_ends_at_the_hill(photo: Picture) -> None:
    mask = target_mask(canvas(photo), Target("thing", noun="sky"))
    rows, columns = np.indices((320, 480))
    truth = (rows <= 150 + 25 * np.sin(columns / 50)).astype(np.uint8)
    assert overlap(mask, truth) > 0.95
    assert not mask[215:].any()


def launch_pad(width: int = 480, height: int = 320) -> Picture:
    """Draw a sky after sunset, dark ground, and towers in front of the sky.

    The towers consist of thin bars, which are about as dark as the sky.
    """
    rows = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    pixels = np.tile((1 - rows) * (10, 26, 58) + rows * (44, 74, 110), (1, width, 1)).astype(np.float32)
    bars = (16, 24, 40)
    for left in (30, 400):
        for top in range(0, height, 30):
            cv2.line(pixels, (left, top), (left + 40, top + 30), bars, 2, cv2.LINE_AA)
        for side in (left, left + 40):
            cv2.line(pixels, (side, 0), (side, height), bars, 3, cv2.LINE_AA)
    pixels[260:] = 26, 27, 30
    pixels += np.random.default_rng(2).normal(0, 1.5, pixels.shape)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def test_a_dark_sky_is_separated_from_equally_dark_towers() -> None:
    mask = target_mask(canvas(launch_pad()), Target("thing", noun="sky"))
    assert mask[10:250, 90:380].mean() > 0.98
    assert mask[20:240, 58:64].mean() > 0.6, "between the bars"
    assert mask[20:240, 400].mean() < 0.5, "a bar"
    assert mask[265:].mean() < 0.02


def test_grass_is_found_in_the_green_area_at_the_bottom() -> None:
    mask = target_mask(canvas(landscape()), Target("thing", noun="grass"))
    assert mask[230:].mean() > 0.9
    assert mask[:180].mean() < 0.01


@pytest.mark.parametrize(
    ("photo", "noun"),
    [
        (portrait(), "grass"),
        (scenery(300, 200), "sky"),
        (scenery(300, 200), "water"),
        (ball(), "skin"),
        (landscape(), "dog"),
        (Picture(np.full((60, 90, 3), (120, 170, 230), np.uint8)), "sky"),
    ],
)
def test_a_missing_target_is_refused_with_a_hint(photo: Picture, noun: str) -> None:
    with pytest.raises(OperationError) as caught:
        target_mask(canvas(photo), Target("thing", noun=noun))
    draw_a_box = f"Draw a box around the {noun}."
    click_it = f"Click the {noun} in the photo, or draw a box around it."
    assert caught.value.hint == (draw_a_box if noun == "dog" else click_it)


def test_skin_includes_the_face_but_not_the_clothes() -> None:
    mask = target_mask(canvas(portrait()), Target("thing", noun="skin"))
    assert mask[300, 430] > 0.9
    assert mask[560, 450] < 0.1
    assert mask[30, 30] == 0


def test_text_is_found_where_it_was_written() -> None:
    mask = target_mask(canvas(lettered()), Target("text"))
    rows, columns = np.nonzero(mask)
    assert 320 < rows.min() < 340 < 350 < rows.max() < 385
    assert 40 < columns.min() < 70 < 190 < columns.max() < 250


def test_a_photo_without_text_has_no_text() -> None:
    with pytest.raises(OperationError, match="can't find the text"):
        target_mask(canvas(scenery(640, 420)), Target("text"))


def test_a_thing_is_searched_for_at_its_named_place() -> None:
    pixels = np.full((200, 300, 3), (190, 190, 185), np.uint8)
    cv2.circle(pixels, (60, 100), 25, (200, 30, 30), -1)
    cv2.circle(pixels, (240, 100), 25, (200, 30, 30), -1)
    photo = canvas(Picture(pixels))
    mask = target_mask(photo, Target("thing", color="red", noun="ball", place="right"))
    assert mask[100, 240] == 1
    assert not mask[:, :150].any()
    with pytest.raises(OperationError) as caught:
        target_mask(photo, Target("thing", color="red", noun="ball"))
    assert caught.value.reason is Reason.LOW_CONFIDENCE


def boxed(photo: Picture, box: Box) -> CutOut[Floats]:
    return find_subject(photo, [box])


def test_a_good_cutout_in_a_box_has_high_confidence_and_a_bad_one_low() -> None:
    good = boxed(ball(), Box(105, 45, 300, 225))
    assert good.confidence > 0.8
    assert overlap(cast(Floats, cv2.resize(good.mask, (360, 270))), ball_mask()) > 0.95
    noise = np.random.default_rng(0).integers(90, 110, (270, 360, 3), np.uint8)
    assert boxed(Picture(noise), Box(105, 45, 300, 225)).confidence < 0.5


def test_a_box_around_a_uniform_texture_has_low_confidence() -> None:
    leaves = np.random.default_rng(8).integers(40, 200, (34, 45, 3), np.uint8)
    photo = Picture(cast(Bytes, cv2.resize(leaves, (360, 270), interpolation=cv2.INTER_LINEAR)))
    assert boxed(photo, Box(120, 60, 260, 220)).confidence < 0.5


def test_the_same_photo_gives_the_same_cut_out_twice() -> None:
    assert np.array_equal(find_subject(portrait()).mask, find_subject(portrait()).mask)


@pytest.mark.parametrize("size", [(1, 1), (2, 7), (7, 5), (40, 3)])
def test_tiny_pictures_give_a_mask_or_a_refusal(size: tuple[int, int]) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (*size, 3), np.uint8)
    assert find_subject(Picture(pixels)).mask.shape == size
    for noun in ("sky", "grass", "water", "skin"):
        with pytest.raises(OperationError):
            target_mask(canvas(Picture(pixels)), Target("thing", noun=noun))
    with pytest.raises(OperationError):
        target_mask(canvas(Picture(pixels)), Target("text"))


@pytest.mark.parametrize(
    ("place", "inside", "outside"),
    [
        ("left", (0.5, 0.1), (0.5, 0.9)),
        ("right", (0.5, 0.9), (0.5, 0.1)),
        ("top", (0.1, 0.5), (0.9, 0.5)),
        ("bottom right", (0.9, 0.9), (0.1, 0.9)),
        ("center", (0.5, 0.5), (0.02, 0.5)),
        ("edges", (0.5, 0.99), (0.5, 0.5)),
        ("corners", (0.01, 0.01), (0.5, 0.99)),
        ("sides", (0.5, 0.01), (0.01, 0.5)),
    ],
)
def test_the_mask_of_a_place_includes_it_fully_and_excludes_the_far_side(
    place: str, inside: tuple[float, float], outside: tuple[float, float]
) -> None:
    mask = place_mask(200, 300, place)
    assert mask.shape == (200, 300)
    (row, column), (far_row, far_column) = inside, outside
    assert mask[int(row * 200), int(column * 300)] > 0.98
    assert mask[int(far_row * 200), int(far_column * 300)] == 0


@pytest.mark.parametrize("place", ["left", "top right", "center", "edges", "corners", "sides"])
def test_the_mask_of_a_place_fades_without_a_visible_line(place: str) -> None:
    mask = place_mask(400, 600, place)
    steps = [np.abs(np.diff(mask, axis=axis)).max() for axis in (0, 1)]
    assert max(steps) < 0.03
    assert (mask.min(), mask.max()) == pytest.approx((0, 1), abs=0.02)


def test_the_left_side_of_a_photo_can_be_a_target() -> None:
    mask = target_mask(canvas(landscape()), Target("place", place="left"))
    assert mask.shape == (320, 480)
    assert mask[:, 470].max() == 0
