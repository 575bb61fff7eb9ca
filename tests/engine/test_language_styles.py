"""Styles, hours and seasons in words."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason
from tests.corpus import BOX


def steps(instruction: str) -> list[tuple[str, str]]:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    return [(step.operation, step.target.what) for step in plan.steps]


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("turn this picture into a pencil sketch", "pencil_sketch"),
        ("make a drawing out of this photo", "pencil_sketch"),
        ("draw it in colored pencil style", "colored_pencil"),
        ("make it look like a charcoal drawing", "charcoal"),
        ("convert the photo to line art", "line_drawing"),
        ("make it a blueprint", "blueprint"),
        ("paint it as an oil painting", "oil_painting"),
        ("make it more painterly", "oil_painting"),
        ("I'd like it as a watercolour painting", "watercolor"),
        ("pointillism style please", "pointillism"),
        ("cartoonify this photo", "cartoon"),
        ("put a comic book filter on it", "comic"),
        ("turn it into pop art", "pop_art"),
        ("posterize the image", "posterize"),
        ("make it look like a newspaper photo", "halftone"),
        ("make it 8-bit", "pixel_art"),
        ("turn the picture into a mosaic", "mosaic"),
        ("make it look like stained glass", "stained_glass"),
        ("fill the picture with the texture and depth of an oil painting", "oil_painting"),
    ],
)
def test_it_knows_styles(instruction: str, operation: str) -> None:
    assert steps(instruction) == [(operation, "whole")]


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("craft a quiet yet striking composition with the warmth of an oil painting", "oil_painting"),
        ("express the beauty and mood of the scene through the medium of watercolor", "watercolor"),
        ("transport this photo into a futuristic realm with cyberpunk-inspired elements", "neon"),
        ("produce an image reminiscent of old charcoal drawings", "charcoal"),
        ("turn it into a neon-soaked cyberpunk poster", "neon"),
        ("give it a vector art look", "posterize"),
        ("make it anime style", "cartoon"),
        ("turn the photo into an impressionist painting", "oil_painting"),
    ],
)
def test_a_style_may_be_praised_or_go_by_another_name(instruction: str, operation: str) -> None:
    assert steps(instruction) == [(operation, "whole")]


@pytest.mark.parametrize(
    "instruction",
    [
        "craft a wizard with the depth of an oil painting",
        "produce a picture with a red boat in watercolor",
        "express the mood of the scene through oil painting without the man",
    ],
)
def test_praise_that_shows_something_new_is_no_style(instruction: str) -> None:
    plan = explain(instruction)
    assert not plan.accepted or all(step.operation != "oil_painting" for step in plan.steps)


def test_a_style_that_is_not_here_is_refused_with_those_that_are() -> None:
    assert "There are, for example: pencil sketch" in explain("switch to a Ghibli look").message


def test_graffiti_in_a_box_is_still_removed() -> None:
    plan = explain("remove the graffiti", regions=BOX)
    assert [step.operation for step in plan.steps] == ["erase"]


def test_a_part_can_have_its_own_style() -> None:
    assert steps("make the background a watercolor") == [("watercolor", "background")]
    plan = explain("turn the box into pop art", regions=BOX)
    assert [(step.operation, step.target.what) for step in plan.steps] == [("pop_art", "region")]


def test_black_and_white_is_added_to_styles_that_have_color() -> None:
    assert steps("turn it into a black and white cartoon") == [
        ("cartoon", "whole"),
        ("black_and_white", "whole"),
    ]
    assert steps("turn it into a black and white sketch") == [("pencil_sketch", "whole")]


def test_the_words_of_a_plan_promise_what_is_drawn() -> None:
    said = [
        explain(words).steps[0].says for words in ("make it an oil painting", "make it slightly cartoonish")
    ]
    assert said[0] == "the whole photo turned into an oil painting (brush strokes drawn over the photo)"
    assert said[1].endswith("with the photo showing through")


def test_a_strong_style_is_not_weaker_than_the_plain_one() -> None:
    strong, plain = (
        explain(words).steps for words in ("add a heavy watercolor effect", "add a watercolor effect")
    )
    assert strong[0].amount is plain[0].amount is None


@pytest.mark.parametrize(
    "instruction",
    [
        "turn us into claymation figures",
        "make it look like a Van Gogh painting",
        "oil painting in the style of Picasso",
        "make it a Pixar cartoon",
        "turn it into a Lego scene",
        "make a 3d render of it",
    ],
)
def test_other_styles_need_generation(instruction: str) -> None:
    plan = explain(instruction)
    assert not plan.accepted
    assert Reason.NEEDS_GENERATION in [refusal.reason for refusal in plan.not_understood]


@pytest.mark.parametrize(
    "instruction",
    [
        "replace the painting with a mirror",
        "add a painting on the wall",
        "remove the sketch",
        "make the painting brighter",
        "turn the sketch into a photo",
        "make a painting of a horse",
        "enhance the details of the painting",
        "show the texture of the drawing",
        "make the pictures a futuristic oil painting",
        "turn it into a sketch or a watercolor and a cartoon with robots",
    ],
)
def test_a_picture_in_the_photo_is_no_style(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_mosaic_over_a_face_still_hides_it() -> None:
    assert [operation for operation, _ in steps("put a mosaic over the face")] == ["pixelate"]


@pytest.mark.parametrize(
    ("instruction", "operations"),
    [
        ("make it noir", ["noir"]),
        ("give the photo a moody look", ["moody"]),
        ("make it look dreamy", ["dreamy"]),
        ("give it a cyberpunk look", ["neon"]),
        ("make it look like golden hour", ["golden_hour"]),
        ("turn day into night", ["nightfall"]),
        ("make it look like it was taken at night", ["nightfall"]),
        ("make it look like nighttime", ["nightfall"]),
        ("add a bleach bypass effect", ["bleach_bypass"]),
        ("cross processed look", ["cross_process"]),
        ("make it infrared", ["infrared"]),
        ("change the season from summer to autumn", ["autumn"]),
        ("make it winter", ["winter", "snow"]),
        ("add a winter effect", ["winter"]),
        ("change the weather to rainy", ["rain"]),
        ("make the weather snowy", ["snow"]),
        ("change the weather to foggy", ["fog"]),
    ],
)
def test_it_knows_moods_hours_and_seasons(instruction: str, operations: list[str]) -> None:
    assert steps(instruction) == [(operation, "whole") for operation in operations]


@pytest.mark.parametrize(
    "instruction",
    [
        "change night to day",
        "change winter to summer",
        "night mode",
        "make the snow whiter",
        "make it less dreamy",
    ],
)
def test_it_does_not_turn_them_round(instruction: str) -> None:
    operations = {step.operation for step in explain(instruction).steps}
    assert not operations & {"nightfall", "winter", "snow", "dreamy"}


def test_a_photo_of_the_night_still_gets_its_light_back() -> None:
    assert steps("it was taken at night and is too dark") == [("low_light", "whole")]


def test_a_drawing_that_is_to_become_another_is_not_turned_upright() -> None:
    steps = explain("turn this drawing into a cartoon").steps
    assert [step.operation for step in steps] == ["cartoon"]


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("transfer my photo into a sepia-toned vintage style", "sepia"),
        ("make it a vintage sepia photo", "sepia"),
        ("evoke the timeless elegance of black and white in this picture", "black_and_white"),
        ("infuse the photo with the essence of autumn", "autumn"),
        ("render it in a pixel-art video-game style", "pixel_art"),
    ],
)
def test_it_hears_a_look_through_the_praise(instruction: str, operation: str) -> None:
    assert [name for name, _ in steps(instruction)] == [operation]


def test_of_two_looks_none_is_dropped() -> None:
    assert not explain("make it black and white and sepia").accepted


def test_an_hour_is_that_of_the_whole_photo_whatever_is_marked() -> None:
    assert explain("make this look like nighttime", regions=BOX).steps[0].target.what == "whole"
    assert explain("make the marked area look like night", regions=BOX).steps[0].target.what == "region"


@pytest.mark.parametrize(
    ("instruction", "style"),
    [
        ("immerse this photo in the wild calm of watercolor aesthetics", "watercolor"),
        ("evoke a feeling of peace with the rich strokes of oil painting", "oil_painting"),
        ("make a dramatic narrative with watercolor styling", "watercolor"),
        ("turn it into the manner of an oil painting", "oil_painting"),
    ],
)
def test_praise_around_a_style_asks_for_nothing_else(instruction: str, style: str) -> None:
    assert [step.operation for step in explain(instruction).steps] == [style]


@pytest.mark.parametrize("instruction", ["capture a tower in watercolor", "evoke a dog in rich oil painting"])
def test_praise_draws_nothing(instruction: str) -> None:
    assert not explain(instruction).accepted
