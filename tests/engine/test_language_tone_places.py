"""Where a change of tone goes: parts that are named, boxes, sides of the photo."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Target
from tests.engine.readings import BOX, moves, said


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("darken the background", "background"),
        ("make only the backdrop darker", "background"),
        ("reduce the brightness behind me", "background"),
        ("darken the subject", "subject"),
        ("make the people darker", "thing"),
        ("darken everything", "whole"),
    ],
)
def test_it_keeps_to_the_part_that_is_named(instruction: str, target: str) -> None:
    assert [step.target.what for step in explain(instruction).steps] == [target]


def test_it_gives_two_verbs_the_target_that_they_share() -> None:
    assert moves("brighten and sharpen the subject") == [
        ("brightness", "subject", 0.35),
        ("sharpness", "subject", 0.35),
    ]


@pytest.mark.parametrize(
    "instruction",
    [
        "brighten the fence",
        "make her hat lighter",
        "sharpen the lamp",
        "darken the curtain in the background",
    ],
)
def test_it_never_turns_a_part_that_it_cannot_find_into_the_whole(instruction: str) -> None:
    plan = explain(instruction)
    assert plan.steps == ()
    assert [refusal.reason for refusal in plan.not_understood] == [Reason.NO_SUCH_TARGET]
    assert "box" in plan.message


@pytest.mark.parametrize("instruction", ["brighten this", "lighten the marked area", "make the dog brighter"])
def test_it_takes_the_box_for_what_is_named(instruction: str) -> None:
    (step,) = explain(instruction, regions=[BOX]).steps
    assert (step.target.what, step.target.boxes) == ("region", (1,))


def test_it_leaves_the_box_alone_when_the_whole_photo_is_named() -> None:
    (step,) = explain("brighten the whole photo", regions=[BOX]).steps
    assert step.target.what == "whole"


@pytest.mark.parametrize(
    ("instruction", "targets"),
    [
        ("brighten the sky", [Target("thing", noun="sky")]),
        ("make the lawn greener", [Target("thing", noun="grass")]),
        ("darken the sky and the water", [Target("thing", noun="sky"), Target("thing", noun="water")]),
        ("brighten the red car", [Target("thing", color="red", noun="car")]),
        (
            "more contrast in the blues and greens",
            [Target("thing", color="blue"), Target("thing", color="green")],
        ),
        ("make her face lighter", [Target("face")]),
        ("brighten the woman's face", [Target("face")]),
        ("darken the faces of the children", [Target("face")]),
        ("less red on his skin", [Target("thing", noun="skin")]),
    ],
)
def test_it_looks_for_what_a_color_or_a_face_shows(instruction: str, targets: list[Target]) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert [step.target for step in plan.steps] == targets


@pytest.mark.parametrize(
    ("instruction", "targets"),
    [
        ("increase brightness and reduce contrast of the background", ["background", "background"]),
        ("increase brightness, contrast and reduce saturation of the subject", ["subject"] * 3),
        ("make it brighter and reduce contrast of the background", ["whole", "background"]),
        ("increase brightness and blur the background", ["whole", "background"]),
        ("increase brightness. Reduce contrast of the background", ["whole", "background"]),
    ],
)
def test_it_shares_a_closing_place_among_changes_without_an_object(
    instruction: str, targets: list[str]
) -> None:
    assert [target for _, target, _ in moves(instruction)] == targets


def test_it_refuses_all_that_shares_a_place_that_it_cannot_find() -> None:
    assert explain("increase brightness and reduce contrast of the fence", partial=True).steps == ()
    assert [
        s.target.what for s in explain("more light and reduce contrast of the sky", regions=[BOX]).steps
    ] == [
        "region",
        "region",
    ]


@pytest.mark.parametrize(
    "instruction", ["darken around the box", "blur around the subject", "darken behind the box"]
)
def test_it_never_changes_a_landmark(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("brighten the girl on the left", Target("thing", noun="girl", place="left")),
        ("darken the woman in the foreground", Target("subject")),
        ("lighten the cat a little", Target("thing", noun="cat")),
    ],
)
def test_it_changes_the_light_of_one_person_or_animal(instruction: str, target: Target) -> None:
    assert [step.target for step in explain(instruction).steps] == [target]
    assert [step.target.what for step in explain(instruction, regions=[BOX]).steps] == ["region"]


@pytest.mark.parametrize(
    ("instruction", "steps"),
    [
        ("enhance the sky", [("contrast", "sky", 0.35), ("saturation", "sky", 0.35)]),
        ("make the sky pop", [("saturation", "sky", 0.35)]),
        ("make the water a touch blue", [("tint", "water", 0.1)]),
        ("make the sky very blue", [("tint", "sky", 0.65)]),
        ("fix the overexposed sky", [("exposure", "sky", -0.35)]),
    ],
)
def test_it_moves_the_qualities_of_a_thing(instruction: str, steps: list[tuple[str, str, float]]) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert [(step.operation, step.target.noun, step.amount) for step in plan.steps] == steps


def test_it_takes_the_face_of_somebody_for_a_face() -> None:
    (step,) = explain("reduce the highlights on the womans face").steps
    assert (step.operation, step.target) == ("highlights", Target("face"))


def test_what_a_photo_shows_is_no_place_after_a_quality_either() -> None:
    assert moves("make this photo sharper of my aunt and her cat") == [("sharpness", "whole", 0.35)]


def test_the_skin_of_somebody_is_skin() -> None:
    assert explain("darken the skin of the man").steps[0].target == Target("thing", noun="skin")


@pytest.mark.parametrize(
    ("instruction", "places"),
    [
        ("brighten the left side", ["left"]),
        ("lighten the shot on the right", ["right"]),
        ("warm up the lower half", ["bottom"]),
        ("make the upper part bluer", ["top"]),
        ("the bottom right corner should be darker", ["bottom right"]),
        ("add contrast in the middle", ["center"]),
        ("make the edges darker", ["edges"]),
        ("lighten the corners of the picture", ["corners"]),
        ("blur the top and bottom of the shot", ["top", "bottom"]),
        ("make the top darker and the bottom brighter", ["top", "bottom"]),
        ("the left half is overexposed", ["left"]),
    ],
)
def test_it_changes_a_side_of_the_photo(instruction: str, places: list[str]) -> None:
    plan = explain(instruction)
    assert [(step.target.what, step.target.place) for step in plan.steps] == [("place", p) for p in places]
    assert plan.accepted, plan.message


def test_it_says_that_a_side_has_no_edge() -> None:
    assert said("darken the top of the shot a bit") == [
        "a little darker, the top of the photo, blended softly"
    ]


def test_a_box_shows_a_side_better_than_its_word() -> None:
    assert moves("brighten the left side", boxes=1) == [("brightness", "region", 0.35)]
    assert moves("brighten the left side of the photo", boxes=1) == [("brightness", "place", 0.35)]
    assert not explain("make the top darker and the bottom brighter", regions=[BOX]).accepted


def test_a_side_of_a_thing_is_no_side_of_the_photo() -> None:
    assert not explain("brighten the left side of the piano").accepted


def test_edges_are_sharpened_wherever_they_are() -> None:
    assert moves("sharpen the edges") == [("sharpness", "whole", 0.35)]


def test_a_part_that_is_named_leaves_the_rest_to_the_whole_photo() -> None:
    assert moves("make the lawn greener, increase the contrast", boxes=1) == [
        ("tint", "region", 0.35),
        ("contrast", "whole", 0.35),
    ]
