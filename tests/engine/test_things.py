"""Tests for things named in a prompt: which things it refers to, which are removed, and which remain."""

import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.errors import OperationError, PlanRefused
from editor.engine.kinds import CLASSES_OF_NOUN, is_plural, kinds_of, plural_of, takes_them
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.targets import subject, things
from editor.engine.targets.analyzed import THINGS
from editor.engine.targets.outlines import Outline
from editor.engine.targets.subject import MIN_CONFIDENCE, find_subject
from editor.engine.targets.target_masks import step_hole, target_mask
from editor.engine.targets.things import target_things
from editor.engine.vision.things import COCO, SURE, Thing, detect
from editor.imaging.picture import Picture
from tests.engine.photos import GROUND, photo, placed, stacked
from tests.engine.pictures import apply_steps, deep, scenery, step

THREE = ((0, 0, 280), (300, 0, 280), (600, 0, 280))


def thing(noun: str, **fields: object) -> Target:
    return Target("thing", noun=noun, **fields)  # type: ignore[arg-type]


def boxes(picture: Picture, target: Target) -> list[tuple[int, ...]]:
    return [tuple(found.box) for found in target_things(Canvas(picture), target)]


@pytest.mark.parametrize(("name", "kind"), [("astronaut", "person"), ("cat", "cat"), ("cup", "cup")])
def test_it_sees_everyday_things(name: str, kind: str) -> None:
    assert kind in [seen.kind for seen in detect(photo(name)) if seen.score >= SURE]


def test_the_same_things_are_detected_in_16_bits() -> None:
    plain, fine = detect(photo("cat")), detect(deep(photo("cat")))
    assert [seen.kind for seen in fine] == [seen.kind for seen in plain] == ["cat"]


@pytest.mark.parametrize("picture", [scenery(), scenery(3, 3), scenery(1, 400), scenery(400, 1)])
def test_it_sees_nothing_in_soft_colors(picture: Picture) -> None:
    assert [seen for seen in detect(picture) if seen.score >= SURE] == []


def test_every_noun_maps_to_kinds_that_the_detector_knows() -> None:
    assert {kind for kinds in CLASSES_OF_NOUN.values() for kind in kinds} <= set(COCO)


def test_plural_nouns_map_to_the_same_kinds() -> None:
    assert kinds_of("people") == kinds_of("women") == kinds_of("child") == ("person",)
    assert all(kinds_of(plural_of(noun)) == kinds_of(noun) for noun in CLASSES_OF_NOUN)
    assert is_plural("buses")
    assert not is_plural("bus")


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("cup of coffee", "cups of coffee"),
        ("glass of red wine", "glasses of red wine"),
        ("slice of pizza", "slices of pizza"),
        ("green leaf", "green leaves"),
        ("wine glass", "wine glasses"),
    ],
)
def test_the_counted_noun_of_a_name_is_made_plural(noun: str, plural: str) -> None:
    assert plural_of(noun) == plural
    assert takes_them(plural)
    assert not takes_them(noun)


@pytest.mark.parametrize(
    ("count", "scores", "sides", "meant"),
    [
        (2, (0.8, 0.7, 0.4), (90, 90, 90), 2),  # the third may be something other than a dog
        (2, (0.8, 0.7, 0.5), (90, 90, 20), 2),  # the third is far away
        (3, (0.8, 0.7, 0.42), (90, 90, 20), 3),  # a person would also notice the third dog
        (2, (0.8, 0.7, 0.6), (90, 90, 90), 0),
        (None, (0.8, 0.7, 0.5), (90, 90, 20), 3),
    ],
)
def test_a_number_in_the_prompt_decides_which_uncertain_things_count(
    count: int | None, scores: tuple[float, ...], sides: tuple[int, ...], meant: int
) -> None:
    canvas = Canvas(scenery(400, 120))
    seen = [
        Thing("dog", score, Box.centered((60 + 130 * at, 60), side, side))
        for at, (score, side) in enumerate(zip(scores, sides, strict=True))
    ]
    canvas.remember(THINGS, seen)
    if not meant:
        with pytest.raises(OperationError, match="I found 3 dogs"):
            target_things(canvas, thing("dogs", count=count))
    else:
        assert len(target_things(canvas, thing("dogs", count=count))) == meant


def test_a_single_thing_needs_no_place() -> None:
    ((_, top, _, bottom),) = boxes(stacked("cat", "cup"), thing("cat"))
    assert top < 60 < 230 < bottom < 280


def test_a_singular_noun_for_several_people_is_refused() -> None:
    with pytest.raises(OperationError, match="found 3 men") as refused:
        boxes(placed("astronaut", *THREE), thing("man"))
    assert refused.value.reason is Reason.AMBIGUOUS
    assert "on the left" in refused.value.hint


@pytest.mark.parametrize(
    ("place", "reach"), [("left", (0, 250)), ("center", (270, 530)), ("right", (570, 830))]
)
def test_a_place_selects_one_of_several_people(place: str, reach: tuple[int, int]) -> None:
    ((left, _, right, _),) = boxes(placed("astronaut", *THREE), thing("man", place=place))
    assert reach[0] <= left < right <= reach[1]


def test_a_number_selects_the_people_closest_to_the_named_place() -> None:
    found = boxes(placed("astronaut", *THREE), thing("people", place="right", count=2))
    assert [left > 250 for left, _, _, _ in found] == [True, True]


@pytest.mark.parametrize(
    ("place", "same"),
    [("second from left", "center"), ("third from left", "right"), ("third from right", "left")],
)
def test_a_rank_counts_from_the_named_side(place: str, same: str) -> None:
    picture = placed("astronaut", *THREE)
    assert boxes(picture, thing("man", place=place)) == boxes(picture, thing("man", place=same))


def test_a_rank_beyond_the_number_of_people_is_refused() -> None:
    with pytest.raises(OperationError, match="I found 3"):
        boxes(placed("astronaut", *THREE), thing("man", place="fourth from left"))


def test_a_number_that_differs_from_the_detected_people_is_refused() -> None:
    with pytest.raises(OperationError, match="found 3 people"):
        boxes(placed("astronaut", *THREE), thing("people", count=2))
    with pytest.raises(OperationError, match="found 3 people"):
        boxes(placed("astronaut", *THREE), thing("people", count=4))


def test_the_plural_means_all_of_them() -> None:
    assert len(boxes(placed("astronaut", *THREE), thing("people"))) == 3


def test_a_much_smaller_person_counts_as_in_the_background() -> None:
    picture = placed("astronaut", (60, 60, 500), (650, 380, 180))
    ((left, _, _, _),) = boxes(picture, thing("people", place="background"))
    assert left > 600
    ((left, _, _, _),) = boxes(picture, thing("man", place="foreground"))
    assert left < 200


def test_a_single_large_person_does_not_count_as_in_the_background() -> None:
    with pytest.raises(OperationError, match="can't find the man there"):
        boxes(photo("astronaut"), thing("man", place="background"))


def test_the_color_of_clothes_selects_one_of_several_people() -> None:
    picture = placed("astronaut", *THREE[:2])
    # Swap the channels to make the left suit blue.
    picture.pixels[:, :290] = picture.pixels[:, :290][:, :, ::-1]
    ((left, _, _, _),) = boxes(picture, thing("woman", color="orange"))
    assert left > 250
    with pytest.raises(OperationError):
        boxes(picture, thing("woman", color="green"))


def test_a_refusal_names_the_missing_thing() -> None:
    with pytest.raises(OperationError, match="can't find the dog") as refused:
        boxes(photo("cup"), thing("dog"))
    assert refused.value.hint == "Draw a box around the dog."


def test_a_kept_person_is_excluded_from_the_hole() -> None:
    picture = placed("astronaut", *THREE)
    kept = thing("man", place="center")
    hole = step_hole(Canvas(picture), step("erase", target=thing("people"), keep=(kept,)))
    assert hole is not None
    left, _, right, _ = boxes(picture, kept)[0]
    assert hole[:, left:right].max() < 0.1
    assert min(hole[:, :left].max(), hole[:, right:].max()) > 0.9


def test_erasing_people_is_refused_if_only_the_ones_to_keep_are_found() -> None:
    kept = thing("man", place="center")
    with pytest.raises(OperationError, match="other than the ones to keep") as refused:
        step_hole(Canvas(photo("astronaut")), step("erase", target=thing("people"), keep=(kept,)))
    assert refused.value.reason is Reason.AMBIGUOUS


def test_a_person_who_wears_another_color_does_not_match() -> None:
    with pytest.raises(OperationError, match="can't find"):
        target_mask(Canvas(photo("astronaut")), thing("woman", color="green"))


def test_erasing_one_of_two_things_leaves_the_other_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    cups = [Thing("cup", 0.8, Box(left, 100, left + 80, 200)) for left in (60, 300)]
    monkeypatch.setattr(things, "things_seen", lambda canvas: cups)
    picture = Picture(np.full((300, 440, 3), GROUND, np.uint8))
    for cup in cups:
        picture.pixels[cup.box.top : cup.box.bottom, cup.box.left : cup.box.right] = 200, 40, 30
    result = apply_steps(picture, step("erase", target=thing("cup", place="left")))
    assert np.array_equal(result.pixels[:, 240:], picture.pixels[:, 240:])
    assert np.abs(result.pixels[:, :240].astype(int) - GROUND).max() <= 3


def test_a_partly_outlined_thing_is_not_erased() -> None:
    with pytest.raises(PlanRefused):  # The outline includes only the rim of the cup.
        apply_steps(photo("cup"), step("erase", target=thing("cup")))


def test_an_outline_includes_the_person_but_not_the_background() -> None:
    mask = target_mask(Canvas(photo("astronaut")), thing("woman"))
    assert mask[50, 130] > 0.9, "the face"
    assert mask[250, 110] > 0.9, "the suit"
    assert mask[20, 300] < 0.1
    assert mask[60, 20] < 0.1, "the flag"


def test_the_mask_of_a_person_excludes_the_neighbors() -> None:
    mask = target_mask(Canvas(placed("astronaut", *THREE)), thing("man", place="left"))
    assert mask[100:280, :200].mean() > 0.5
    assert mask[:, 300:].max() < 0.05


def test_a_portrait_is_cut_out_without_a_box() -> None:
    cut = find_subject(photo("astronaut"), things=detect(photo("astronaut")))
    assert cut.confidence >= 0.5
    assert cut.mask[50, 130] > 0.9
    assert cut.mask[60, 20] < 0.1


def test_a_flag_beside_a_sleeve_is_not_part_of_the_subject() -> None:
    cut = find_subject(photo("astronaut"), things=detect(photo("astronaut")))
    assert cut.mask[240:, :10].mean() < 0.1, "the end of the flag"


def test_a_box_around_a_person_selects_the_detected_person() -> None:
    portrait = photo("astronaut")
    cut = find_subject(portrait, [Box(4, 4, 316, 316)], things=detect(portrait))
    assert cut.confidence >= MIN_CONFIDENCE
    assert cut.mask[260, 250] > 0.9, "the helmet in her arm"
    assert cut.mask[130:200, 260:].max() < 0.1


def test_a_body_in_the_shade_belongs_to_the_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Picture(np.full((300, 400, 3), (70, 60, 50), np.uint8))
    picture.pixels[80:, 80:200] = 74, 62, 50
    picture.pixels[80:200, 200:300] = 230, 200, 160
    grain = np.random.default_rng(3).integers(0, 12, picture.pixels.shape, np.uint8)
    picture = Picture(picture.pixels + grain)
    cat = Thing("cat", 0.8, Box(80, 80, 300, 300))
    seen = np.zeros((300, 400), np.float32)
    seen[80:, 80:200] = seen[80:200, 200:300] = 1
    unsure = Outline(Box(0, 0, 400, 300), seen, 0.2)
    monkeypatch.setattr(subject, "outline_of", lambda picture, box: unsure)
    for marked in ([], [cat.box]):
        cut = find_subject(picture, marked, things=[cat])
        assert cut.confidence < MIN_CONFIDENCE <= cut.soft_confidence
        assert cut.mask[250, 140] > 0.9, "what lies in the shade"


def test_a_thing_beside_a_person_of_similar_size_is_not_the_subject() -> None:
    picture = Picture(np.full((300, 400, 3), GROUND, np.uint8))
    picture.pixels[90:210, 60:180] = 200, 40, 30
    assert find_subject(picture).soft_confidence >= MIN_CONFIDENCE
    beside = Thing("person", 0.8, Box(250, 80, 320, 280))
    assert find_subject(picture, things=[beside]).soft_confidence == 0
    within = Thing("person", 0.8, Box(70, 90, 150, 210))
    assert find_subject(picture, things=[beside._replace(score=0.3), within]).soft_confidence > 0


def test_a_small_car_in_the_corner_is_not_the_subject() -> None:
    picture = Picture(np.full((300, 400, 3), GROUND, np.uint8))
    car = Thing("car", 0.8, Box(0, 240, 80, 300))
    assert subject._only_large_thing([car], picture) is None
    assert subject._only_large_thing([car._replace(box=Box(0, 180, 160, 300))], picture) is not None


def test_only_the_named_thing_is_recolored() -> None:
    picture = stacked("cat", "cup")
    cup = Target("thing", color="red", noun="cup")
    result = apply_steps(picture, step("recolor", target=cup, color="blue"))
    assert np.array_equal(result.pixels[:280], picture.pixels[:280])
    red, _, blue = result.pixels.astype(int)[320:430, 170:270].reshape(-1, 3).mean(0)
    before = picture.pixels.astype(int)[320:430, 170:270].reshape(-1, 3).mean(0)
    assert blue - red > before[2] - before[0] + 30


def test_recoloring_a_partly_outlined_thing_is_refused() -> None:
    with pytest.raises(PlanRefused, match="can't tell the cup from what is around it"):
        apply_steps(stacked("cat", "cup"), step("recolor", target=thing("cup"), color="blue"))


def test_only_the_named_person_is_cut_out() -> None:
    target = Target("background", noun="man", place="left")
    result = apply_steps(placed("astronaut", *THREE), step("transparent_background", target=target))
    assert result.pixels[:, 260:, 3].max() == 0
    assert result.pixels[230, 100, 3] == 255
