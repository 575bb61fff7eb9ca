"""Tests for exact masks from a photo's analysis.

The masks stay exact even after steps that moved or replaced part of the photo.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import cv2
import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.drawing.crop_windows import cropped
from editor.engine.errors import OperationError
from editor.engine.operations import find_operation
from editor.engine.operations.composition.resize import resized
from editor.engine.operations.composition.turn import turned
from editor.engine.pixels import Box
from editor.engine.plan import Target
from editor.engine.targets import color, detector
from editor.engine.targets.analyzed import after_step, with_analysis
from editor.engine.targets.complete_outlines import boxed_outline, exact_outline_in, marked_outline
from editor.engine.targets.decoded_masks import exact_outline
from editor.engine.targets.grabcut_candidates import CutOut
from editor.engine.targets.outlines import Outline, combine_outlines
from editor.engine.targets.subject import exact_subject
from editor.engine.targets.target_masks import target_mask
from editor.engine.targets.thing_outlines import exact_cut, occluded_share, thing_hole, thing_mask
from editor.engine.targets.things import target_things
from editor.engine.vision.analysis import Analysis, analyze
from editor.engine.vision.text import TextLine
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture
from tests.engine.analyses import analyzed, detect, disc
from tests.engine.photos import photo
from tests.engine.pictures import REGION, changed, scenery, step
from tests.engine.test_things import thing

RED, GREY = (200, 40, 40), (120, 125, 130)


def dotted(*discs: tuple[int, int, int]) -> tuple[Picture, list[Bytes]]:
    """Return red discs, given as (x, y, radius), on a gray background, along with their masks."""
    picture = Picture(np.full((300, 400, 3), GREY, np.uint8))
    masks = [disc(picture, *place) for place in discs]
    for mask in masks:
        picture.pixels[mask == 1] = RED
    return picture, masks


def canvas_of(picture: Picture, analysis: Analysis) -> Canvas:
    return with_analysis(Canvas(picture), picture, analysis)


def is_red(canvas: Canvas) -> Bytes:
    return (canvas.picture.pixels[:, :, 0] > 160).astype(np.uint8)


def moved_ways() -> dict[str, Callable[[Canvas], Canvas]]:
    def flipped(canvas: Canvas) -> Canvas:
        matrix = np.array([[-1, 0, canvas.picture.width], [0, 1, 0]], np.float32)
        return canvas.moved(cast(Bytes, canvas.picture.pixels[:, ::-1].copy()), matrix)

    return {
        "crop": lambda canvas: cropped(canvas, Box(60, 40, 330, 290)),
        "flip": flipped,
        "resize": lambda canvas: resized(canvas, 640, 480),
        "rotate": lambda canvas: turned(canvas, 12),
        "all": lambda canvas: turned(resized(cropped(flipped(canvas), Box(60, 40, 340, 290)), 500, 446), -9),
    }


@pytest.mark.parametrize("way", moved_ways())
def test_a_mask_moves_with_the_photo(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    picture, masks = dotted((190, 160, 60))
    canvas = moved_ways()[way](canvas_of(picture, analyzed(monkeypatch, picture, *masks)))
    red = is_red(canvas)
    cut = exact_outline(canvas, Box.around(red))
    assert cut is not None
    found = (combine_outlines(canvas.picture, [cut]) > 0.5).astype(np.uint8)
    assert (found & red).sum() / (found | red).sum() > 0.97


def test_an_analysis_of_the_full_photo_also_works_for_its_preview(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, masks = dotted((190, 160, 60))
    analysis = analyzed(monkeypatch, picture, *masks)
    small = Picture(cast(Bytes, cv2.resize(picture.pixels, (200, 150), interpolation=cv2.INTER_AREA)))
    cut = exact_outline(canvas_of(small, analysis), Box(65, 50, 125, 110))
    assert cut is not None
    assert combine_outlines(small, [cut]).sum() == pytest.approx(masks[0].sum() / 4, rel=0.05)


def test_a_thing_that_a_step_replaced_has_no_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, masks = dotted((110, 150, 50), (290, 150, 50))
    before = canvas_of(picture, analyzed(monkeypatch, picture, *masks))
    pixels = picture.pixels.copy()
    pixels[masks[0] == 1] = GREY
    after = after_step(before, before.with_pixels(pixels), step("erase"))
    assert exact_outline(after, Box.around(masks[0])) is None
    assert exact_outline(after, Box.around(masks[1])) is not None


def test_a_thing_keeps_its_mask_if_a_step_only_changes_its_color(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, masks = dotted((110, 150, 50))
    before = canvas_of(picture, analyzed(monkeypatch, picture, *masks))
    after = after_step(before, before.with_pixels(picture.pixels // 2), step("brightness", amount=-0.5))
    assert exact_outline(after, Box.around(masks[0])) is not None


def test_an_area_outside_the_original_photo_has_no_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, masks = dotted((110, 150, 50))
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, *masks))
    wider = cast(Bytes, np.pad(picture.pixels, ((0, 0), (200, 0), (0, 0))))
    canvas = canvas.moved(wider, np.array([[1, 0, 200], [0, 1, 0]], np.float32))
    assert exact_outline(canvas, Box(20, 100, 120, 200)) is None


def test_a_mask_is_decoded_once_for_all_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, masks = dotted((110, 150, 50), (300, 150, 40))
    canvas, box = canvas_of(picture, analyzed(monkeypatch, picture, *masks)), Box.around(masks[1])
    exact_outline(canvas, box)
    monkeypatch.setattr("editor.engine.targets.decoded_masks.mask_of_box", None)
    assert exact_outline(canvas.with_pixels(picture.pixels // 2), box) is not None


def test_a_named_thing_gets_its_exact_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    """The car has the same colors as its surroundings, so only its mask can separate them."""
    picture = scenery(400, 300)
    mask = disc(picture, 200, 150, 70)
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, mask))
    seen = [Thing("car", 0.8, Box.around(mask))]
    detect(monkeypatch, seen)
    found = thing_mask(canvas, thing("car")) > 0.5
    assert (found & (mask == 1)).sum() / (found | (mask == 1)).sum() > 0.93


def test_two_things_that_share_a_mask_get_no_exact_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = scenery(400, 300)
    both = disc(picture, 150, 150, 60) | disc(picture, 230, 150, 60)
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, both))
    seen = [Thing("dog", 0.8, Box(90, 90, 210, 210)), Thing("dog", 0.8, Box(170, 90, 290, 210))]
    detect(monkeypatch, seen)

    assert exact_cut(canvas, seen[0]) is None


def test_things_that_share_a_mask_can_be_changed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = scenery(400, 300)
    both = disc(picture, 150, 150, 60) | disc(picture, 230, 150, 60)
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, both))
    seen = [Thing("apple", 0.8, Box(90, 90, 210, 210)), Thing("apple", 0.8, Box(170, 90, 290, 210))]
    detect(monkeypatch, seen)

    mask = thing_mask(canvas, thing("apples"))
    assert mask[both == 1].mean() > 0.95
    assert mask[both == 0].mean() < 0.02


def test_a_thing_that_was_examined_again_is_not_confused_with_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, (mask,) = dotted((150, 150, 60))
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, mask))
    seen = Thing("dog", 0.36, Box(90, 90, 210, 210))
    detect(monkeypatch, [seen])
    assert exact_cut(canvas, Thing("dog", 0.5, Box(92, 90, 210, 212))) is not None


def test_the_color_of_a_thing_is_that_of_its_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounding box of the gray horse mostly shows the red one in front of it."""
    picture, (front, _) = dotted((230, 160, 80), (40, 40, 4))
    behind = np.zeros_like(front)
    behind[60:230, 120:170] = behind[60:78, 120:240] = 1
    behind[front == 1] = 0
    picture.pixels[behind == 1] = (60, 60, 62)
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, front, behind))
    seen = [Thing("horse", 0.8, Box.around(front)), Thing("horse", 0.8, Box.around(behind))]
    detect(monkeypatch, seen)
    assert target_things(canvas, thing("horse", color="red")) == seen[:1]


def stretched_out(monkeypatch: pytest.MonkeyPatch, *others: Thing) -> tuple[Canvas, Bytes]:
    """Return a photo of a cat whose detected box shows only its front, along with the mask of the cat."""
    picture, (front,) = dotted((260, 150, 45))
    whole = cast(Bytes, cv2.ellipse(np.zeros_like(front), (190, 150), (120, 50), 0, 0, 360, 1, -1)) | front
    picture.pixels[whole == 1] = RED
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, whole, front))
    seen = [Thing("cat", 0.5, Box(190, 100, 310, 200)), *others]
    detect(monkeypatch, seen)
    return canvas, whole


def test_the_prominent_animal_is_whole_although_its_box_shows_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, whole = stretched_out(monkeypatch)
    mask = thing_mask(canvas, thing("cat"))
    assert mask[whole == 1].mean() > 0.95
    assert mask[whole == 0].mean() < 0.03


def test_an_animal_next_to_another_thing_is_not_the_prominent_part(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, _ = stretched_out(monkeypatch, Thing("bowl", 0.8, Box(70, 120, 130, 180)))
    with pytest.raises(OperationError, match="I can't tell the cat from what is around it"):
        thing_mask(canvas, thing("cat"))


@pytest.mark.parametrize("find", [marked_outline, boxed_outline])
def test_a_drawn_box_selects_the_outline_of_the_thing_in_it(
    monkeypatch: pytest.MonkeyPatch, find: Callable[[Canvas, Box], Outline | None]
) -> None:
    picture = scenery(400, 300)
    mask = disc(picture, 200, 150, 70)
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, mask))
    seen = [Thing("car", 0.8, Box.around(mask))]
    for module in ("things", "thing_outlines", "complete_outlines"):
        monkeypatch.setattr(f"editor.engine.targets.{module}.things_seen", lambda canvas: seen)
    cut = find(canvas, Box(120, 70, 280, 230))
    assert cut is not None
    assert combine_outlines(picture, [cut]).sum() == pytest.approx(mask.sum(), rel=0.06)


def test_there_is_no_exact_outline_without_an_analysis() -> None:
    picture, masks = dotted((190, 160, 60))
    assert exact_outline(Canvas(picture), Box.around(masks[0])) is None
    bare = Analysis(400, 300, (), (), (), np.zeros((320, 320), np.uint8))
    assert exact_outline(replace(canvas_of(picture, bare)), Box.around(masks[0])) is None


def subject_of(
    monkeypatch: pytest.MonkeyPatch, subject: Bytes, decoded: Bytes, *seen: Thing
) -> CutOut[Floats] | None:
    """Return the subject of a photo for which two networks output different masks.

    One network outputs `subject`, and the other outputs `decoded`.
    """
    picture = scenery(400, 300)
    stands_out = analyzed(monkeypatch, picture, subject).subject
    analysis = replace(analyzed(monkeypatch, picture, decoded), subject=stands_out)
    monkeypatch.setattr("editor.engine.targets.subject.things_seen", lambda canvas: list(seen))
    return exact_subject(canvas_of(picture, analysis), [])


def test_the_subject_is_what_two_networks_agree_on(monkeypatch: pytest.MonkeyPatch) -> None:
    mask = disc(scenery(400, 300), 200, 150, 70)
    cut = subject_of(monkeypatch, mask, mask)
    assert cut is not None
    assert cut.confidence == 1
    assert (cut.mask > 0.5).sum() == pytest.approx(mask.sum(), rel=0.06)


def test_there_is_no_exact_subject_if_the_two_networks_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = scenery(400, 300)
    assert subject_of(monkeypatch, disc(picture, 200, 150, 70), disc(picture, 240, 170, 60)) is None


def test_there_is_no_exact_subject_if_a_large_person_has_no_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a large person has no certain outline, no exact subject can be found."""
    mask = disc(scenery(400, 300), 120, 150, 70)
    somebody = Thing("person", 0.8, Box(250, 60, 380, 290))
    assert subject_of(monkeypatch, mask, mask, somebody) is None


def test_a_named_thing_that_is_the_subject_gets_the_mask_of_the_subject(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other network finds the whole cat, but the decoder alone may miss a dark part of the cat."""
    picture = scenery(400, 300)
    whole, part = disc(picture, 200, 150, 70), disc(picture, 200, 140, 62)
    analysis = replace(
        analyzed(monkeypatch, picture, part), subject=analyzed(monkeypatch, picture, whole).subject
    )
    for decode in ("mask_of_box", "mask_of_logits"):
        monkeypatch.setattr(
            f"editor.engine.targets.decoded_masks.{decode}", lambda *_: part.astype(np.float32)
        )
    cut = exact_outline(canvas_of(picture, analysis), Box.around(whole))
    assert cut is not None
    assert combine_outlines(picture, [cut]).sum() == pytest.approx(whole.sum(), rel=0.06)


@pytest.mark.parametrize("target", [REGION, Target("region", noun="statue", boxes=(1,))])
def test_the_thing_in_a_box_is_recolored_exactly(monkeypatch: pytest.MonkeyPatch, target: Target) -> None:
    """The thing has the same colors as everything around it, so only its mask can separate them."""
    picture = scenery(400, 300)
    mask = disc(picture, 200, 150, 70)
    canvas = replace(
        canvas_of(picture, analyzed(monkeypatch, picture, mask)), boxes=(Box(126, 76, 274, 224),)
    )
    after = find_operation("recolor")(canvas, step("recolor", target, color="blue"))
    where = changed(picture, after.picture)
    assert where[cv2.erode(mask, np.ones((9, 9), np.uint8)) == 1].mean() > 0.95
    assert where[cv2.dilate(mask, np.ones((9, 9), np.uint8)) == 0].mean() < 0.01


def test_a_line_of_text_is_not_outlined_as_a_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = scenery(400, 300)
    mask, box = disc(picture, 200, 150, 70), Box(126, 76, 274, 224)
    line = TextLine(((130.0, 100.0), (270.0, 100.0), (270.0, 200.0), (130.0, 200.0)), box, "1998", 0.9)
    analysis = analyzed(monkeypatch, picture, mask)
    assert exact_outline_in(canvas_of(picture, analysis), box) is not None
    assert exact_outline_in(canvas_of(picture, replace(analysis, text=(line,))), box) is None


def test_the_gap_between_overlapping_things_is_removed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gap between two overlapping things must be removed along with the things."""
    picture = scenery(400, 300)
    one, two = disc(picture, 130, 150, 50), disc(picture, 232, 150, 50)
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, one, two))
    seen = [Thing("horse", 0.8, Box(80, 100, 186, 200)), Thing("horse", 0.5, Box(180, 100, 282, 200))]
    detect(monkeypatch, seen)
    hole = thing_hole(canvas, thing("horses"))
    assert hole[150, 181] == 1
    assert hole[150, 20] == 0


def test_a_blurred_subject_mask_gives_no_confident_cutout(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = scenery(400, 300)
    mask = disc(picture, 200, 150, 70)
    analysis = analyzed(monkeypatch, picture, mask)
    faded = cast(Bytes, cv2.GaussianBlur(analysis.subject, (0, 0), 24))
    monkeypatch.setattr("editor.engine.targets.subject.things_seen", lambda canvas: [])
    monkeypatch.setattr(
        "editor.engine.targets.decoded_masks.mask_of_logits",
        lambda *_: cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 24),
    )
    cut = exact_subject(canvas_of(picture, replace(analysis, subject=faded)), [])
    assert cut is None or cut.confidence < 0.5


def dog_in_front_of_a_car(monkeypatch: pytest.MonkeyPatch) -> tuple[Canvas, Thing, Thing]:
    """Return a scene, and the dog and the car that are seen in it."""
    picture = scenery(400, 300)
    front = disc(picture, 240, 150, 50)
    behind = disc(picture, 160, 150, 90) & (1 - front)
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, front, behind))
    dog, car = Thing("dog", 0.8, Box.around(front)), Thing("car", 0.8, Box.around(behind))
    detect(monkeypatch, [dog, car])
    return canvas, dog, car


def test_a_thing_in_front_hides_the_one_behind_it_but_not_vice_versa(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only the thing in front hides the other one, although their boxes overlap by half of the front box."""
    canvas, dog, car = dog_in_front_of_a_car(monkeypatch)
    assert occluded_share(canvas, dog, [dog]) < 0.05
    assert occluded_share(canvas, car, [car]) > 0.12


def test_a_background_is_not_replaced_behind_a_named_thing_that_something_hides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    canvas, _, _ = dog_in_front_of_a_car(monkeypatch)
    replaced = find_operation("solid_background")
    with pytest.raises(OperationError, match="Something else is in front of the car"):
        replaced(canvas, step("solid_background", color="red", target=Target("background", noun="car")))


def test_a_blur_around_a_named_thing_blurs_what_is_in_front_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The blur of a dog in front covers a part of the car, but the car covers nothing of the dog."""
    canvas, dog, _ = dog_in_front_of_a_car(monkeypatch)
    blur = find_operation("blur_background")
    around_dog, around_car = (
        changed(
            canvas.picture,
            blur(canvas, step("blur_background", target=Target("background", noun=noun))).picture,
        )
        for noun in ("dog", "car")
    )
    inside = dog.box.grown(-0.15, 400, 300).slices
    beside_the_dog, far_from_the_dog = np.s_[145:155, 183:188], np.s_[120:180, 90:150]
    assert around_dog[inside].mean() < 0.1
    assert around_car[inside].mean() > 0.9
    assert around_car[beside_the_dog].mean() > 0.9
    assert around_car[far_from_the_dog].mean() < 0.1


@pytest.mark.parametrize(
    ("kind", "low", "is_moved"), [("dog", 250, True), ("bird", 250, False), ("dog", 180, False)]
)
def test_an_animal_stands_on_the_lower_edge_in_front_of_a_sky(
    monkeypatch: pytest.MonkeyPatch, kind: str, low: int, is_moved: bool
) -> None:
    picture = scenery(400, 300)
    body = disc(picture, 200, low - 60, 60)
    picture.pixels[body == 1] = RED
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, body))
    monkeypatch.setattr(
        "editor.engine.operations.background.replace.things_seen",
        lambda canvas: [Thing(kind, 0.9, Box.around(body))],
    )
    made = find_operation("drawn_background")(canvas, step("drawn_background", scene="sunset")).picture
    is_red = np.abs(made.pixels[:, :, :3].astype(int) - RED).max(2) < 10
    top, bottom = (low - 120, low) if not is_moved else (180, 300)
    assert is_red[top + 10 : bottom - 10, 200].all()
    assert not is_red[: top - 10].any()
    assert not is_red[bottom + 10 :].any()


def test_an_animal_that_the_upper_edge_cuts_is_not_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = scenery(400, 300)
    body = np.zeros((300, 400), np.uint8)
    body[:255, 140:260] = 1
    picture.pixels[body == 1] = RED
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, body))
    monkeypatch.setattr(
        "editor.engine.operations.background.replace.things_seen",
        lambda canvas: [Thing("dog", 0.9, Box.around(body))],
    )
    made = find_operation("drawn_background")(canvas, step("drawn_background", scene="sunset")).picture
    is_red = np.abs(made.pixels[:, 200, :3].astype(int) - RED).max(1) < 10
    assert is_red[10:245].all()
    assert not is_red[265:].any()


def test_a_rider_is_not_part_of_the_motorcycle(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = scenery(400, 300)
    rider = disc(picture, 200, 110, 40)
    both = disc(picture, 200, 170, 90) | rider
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, both, rider))
    motorcycle, person = Thing("motorcycle", 0.8, Box.around(both)), Thing("person", 0.8, Box.around(rider))
    detect(monkeypatch, [motorcycle, person])
    cut = exact_cut(canvas, motorcycle)
    assert cut is not None
    found = combine_outlines(picture, [cut]) > 0.5
    assert found[cv2.erode(rider, np.ones((7, 7), np.uint8)) == 1].mean() < 0.02
    assert found[(both == 1) & (cv2.dilate(rider, np.ones((7, 7), np.uint8)) == 0)].mean() > 0.97


def test_what_somebody_wears_keeps_its_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, (person, tie) = dotted((200, 150, 130), (200, 170, 30))
    worn, wearer = Thing("tie", 0.8, Box.around(tie)), Thing("person", 0.8, Box.around(person))
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, person, tie, things=(worn, wearer)))
    cut = exact_cut(canvas, worn)
    assert cut is not None
    assert cut.reaches(worn.box, 0.8)


def test_a_color_is_that_of_the_subject_in_the_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, (left, right, elsewhere) = dotted((130, 150, 40), (230, 150, 40), (360, 40, 25))
    person = disc(picture, 180, 150, 110)
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, person))
    monkeypatch.setattr(color, "rough_subject", lambda small: cv2.resize(left, small.shape[1::-1]))
    mask = target_mask(canvas, Target("thing", noun="shirt", color="red"))
    assert min(mask[left == 1].mean(), mask[right == 1].mean()) > 0.9
    assert mask[elsewhere == 1].mean() < 0.05


def test_what_stands_out_alone_is_the_animal_that_the_prompt_names(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, (frog,) = dotted((180, 150, 90))
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, frog))
    monkeypatch.setattr(detector, "candidates", lambda picture: [])
    mask = target_mask(canvas, thing("dog"))
    assert mask[frog == 1].mean() > 0.95
    with pytest.raises(OperationError, match="I can't find the chair"):
        target_mask(canvas, thing("chair"))


def test_the_mask_of_one_of_two_overlapping_things_excludes_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture = scenery(400, 300)
    giraffe, zebra = disc(picture, 190, 140, 90), disc(picture, 250, 200, 50)
    subject = analyzed(monkeypatch, picture, giraffe | zebra).subject
    analysis = analyzed(monkeypatch, picture, giraffe & (1 - zebra), zebra)
    together = (giraffe | zebra).astype(np.float32)
    monkeypatch.setattr("editor.engine.targets.decoded_masks.mask_of_logits", lambda *_: together)
    canvas = canvas_of(picture, replace(analysis, subject=subject))
    seen = [Thing("giraffe", 0.8, Box(100, 50, 280, 230)), Thing("zebra", 0.8, Box.around(zebra))]
    detect(monkeypatch, seen)
    cut = exact_cut(canvas, seen[0])
    assert cut is not None
    assert combine_outlines(picture, [cut]).sum() == pytest.approx((giraffe & (1 - zebra)).sum(), rel=0.06)


def test_the_analysis_is_not_used_for_another_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, masks = dotted((190, 160, 60))
    canvas = canvas_of(picture, analyzed(monkeypatch, picture, *masks))
    assert exact_outline(canvas.showing(picture), Box.around(masks[0])) is not None
    assert exact_outline(canvas.showing(scenery(400, 300)), Box.around(masks[0])) is None


@pytest.mark.slow
def test_a_cat_in_a_photo_gets_an_exact_mask() -> None:
    picture = photo("cat")
    canvas = canvas_of(picture, analyze(picture))
    (cat,) = target_things(canvas, thing("cat"))
    cut, subject = exact_cut(canvas, cat), exact_subject(canvas, [])
    assert cut is not None
    assert subject is not None
    assert min(cut.confidence, subject.confidence) > 0.5
    solid = combine_outlines(picture, [cut]) > 0.5
    same = cv2.resize(subject.mask, solid.shape[::-1]) > 0.5
    assert (solid & same).sum() / (solid | same).sum() > 0.9
    mirrored = moved_ways()["flip"](canvas)
    (there,) = target_things(mirrored, thing("cat"))
    again = exact_cut(mirrored, there)
    assert again is not None
    flipped = combine_outlines(mirrored.picture, [again])[:, ::-1] > 0.5
    assert (solid & flipped).sum() / (solid | flipped).sum() > 0.9


@pytest.mark.parametrize(("with_foot", "grows"), [(True, True), (False, False)])
def test_a_drawn_box_adds_an_end_that_the_subject_lacks(
    monkeypatch: pytest.MonkeyPatch, with_foot: bool, grows: bool
) -> None:
    picture = scenery(400, 300)
    body, foot = disc(picture, 220, 150, 70), disc(picture, 130, 190, 18)
    whole = body | foot if with_foot else disc(picture, 130, 190, 40)
    stands_out = analyzed(monkeypatch, picture, body).subject
    canvas = canvas_of(picture, replace(analyzed(monkeypatch, picture, body, whole), subject=stands_out))
    cut = exact_outline(canvas, Box(112, 80, 290, 220))
    assert cut is not None
    assert (combine_outlines(picture, [cut])[foot == 1].mean() > 0.9) == grows
