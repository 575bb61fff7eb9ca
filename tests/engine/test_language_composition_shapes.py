"""Sizes that have a name, shapes, and how much a crop shows: what is asked in which words."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Target
from tests.engine.readings import only_step, said, variant_of


@pytest.mark.parametrize(
    ("instruction", "size"),
    [
        ("make this fit an iPhone 6 screen", "750x1334"),
        ("crop it for a Galaxy S7 wallpaper", "1440x2560"),
        ("turn it into a lock screen wallpaper for my iPhone 5s", "640x1136"),
        ("resize it for the iPhone 8 (1334 x 750)", "1334x750"),
        ("make it suitable for use as a 1280x800 wallpaper", "1280x800"),
        ("resize the picture so that it fits a Twitter banner", "1500x500"),
        ("make it a full hd wallpaper", "1920x1080"),
    ],
)
def test_a_screen_or_a_site_says_the_size(instruction: str, size: str) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step)) == ("resize", size)
    assert step.says == f"resized to {size} pixels, cropped to that shape"


def test_a_profile_picture_is_a_square() -> None:
    assert said("crop it so it fits as a Facebook profile picture") == ["cropped to 1:1"]
    assert said("resize this so it works as a LinkedIn profile photo") == ["cropped to 1:1"]


@pytest.mark.parametrize(
    "instruction",
    [
        "resize it so it fits Instagram",  # which has several shapes
        "make it a desktop wallpaper for my iPhone 6",  # one lies, the other stands
        "make it fit an iPhone 6 and an iPhone 12",
    ],
)
def test_sizes_that_are_open_or_contradict_each_other_are_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "paper"),
    [
        ("resize it to 3.5x2.5", "3.5 x 2.5 inches"),
        ("make it 2.5 x 3.5", "2.5 x 3.5 inches"),
        ("make the aspect ratio 5x7 for printing", "5 x 7 inches"),
        ("crop it to a us passport photo", "2 x 2 inches"),
    ],
)
def test_fractions_and_papers_are_prints(instruction: str, paper: str) -> None:
    assert said(instruction) == [f"cropped and sized for a print of {paper} at 300 dpi"]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        (
            "resize it to 900x700, I don't want it stretched",
            "resized to 900x700 pixels, cropped to that shape",
        ),
        ("Make it 900x700. Without distorting it.", "resized to 900x700 pixels, cropped to that shape"),
        ("make it 1600x900 without distortion", "resized to 1600x900 pixels, cropped to that shape"),
        ("resize it to 40%, keep the proportions", "resized to 40%"),
        ("make the photo smaller and keep the aspect ratio", "smaller"),
    ],
)
def test_what_only_clarifies_a_size_adds_no_wish(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    "instruction",
    [
        "resize it to 900x700, keep the proportions",  # both cannot be
        "stretch the photo, don't stretch it",
        "don't stretch it",
        "resize it to 40% and keep the frame",
    ],
)
def test_what_contradicts_a_size_or_names_a_part_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("crop off the black box", "plain black borders cut off"),
        ("crop out the area above and below the photo", "plain borders at the top and bottom cut off"),
        ("cut off the right half", "50% cropped off the right"),
        ("crop to the left half", "50% cropped off the right"),
        ("crop it to landscape", "cropped to 3:2"),
        ("crop the photo to where it's vertical", "cropped to 2:3"),
        ("crop closely around the horse", "cropped around the horse"),
        ("crop it so it's just the woman on the left", "cropped around the woman on the left"),
        ("crop the couple dancing", "cropped around the subject"),
        ("zoom in on the green car", "zoomed in on the green car"),
        ("make the picture appear closer", "zoomed in"),
        ("blow up the photo", "larger"),
        ("squeeze the picture together", "squeezed narrower, with all it shows"),
        ("stretch the photo upwards a bit", "a little stretched taller, with all it shows"),
        ("make the photo wider", "more room around the photo at the left and right"),
    ],
)
def test_the_shape_is_said_in_plain_words(instruction: str, words: str) -> None:
    assert said(instruction)[0].removeprefix("a little ") == words.removeprefix("a little ")


@pytest.mark.parametrize(
    "instruction",
    [
        "crop the left half",  # kept, or cut off?
        "cut half the photo",
        "crop the portrait",
        "make the dancers look closer to the stage",
        "resize the photo",
    ],
)
def test_a_crop_that_may_mean_two_things_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "operation", "shot", "place", "of"),
    [
        ("crop it to a headshot", "crop", "head and shoulders", None, None),
        ("crop the person on the left into a headshot", "crop", "head and shoulders", "left", "person"),
        ("crop to a head shot of the girl on the right", "crop", "head and shoulders", "right", "girl"),
        ("zoom in on the woman's upper body", "zoom", "upper body", None, "woman"),
        ("zoom in on the mans torso and head", "zoom", "upper body", None, "man"),
        ("crop her from the waist up", "crop", "upper body", None, None),
    ],
)
def test_a_shot_is_measured_by_the_face(
    instruction: str, operation: str, shot: str, place: str | None, of: str | None
) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step)) == (operation, shot)
    assert step.target == Target("face", place=place, count=1, of=of)


def test_whose_shot_it_is_is_said() -> None:
    plan = said("crop to a headshot of the lady on the left")
    assert plan == ["cropped to the head and shoulders of the lady on the left"]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("fit it to an iPhone 13 screen", "resized to 1170x2532 pixels, cropped to that shape"),
        ("fit a facebook cover", "resized to 820x312 pixels, cropped to that shape"),
        ("fit the photo to A4", "cropped and sized for a print of 210 x 297 mm at 300 dpi"),
    ],
)
def test_to_fit_a_format_is_to_get_its_size(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize("whose", ["of the people", "of the dog"])
def test_a_shot_is_of_one_person(whose: str) -> None:
    plan = explain(f"crop to a headshot {whose}")
    assert not plan.accepted
    assert "Name one person" in plan.message


@pytest.mark.parametrize("instruction", ["fit the dog to A4", "fit everybody in"])
def test_what_is_fitted_into_what_must_be_clear(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_crop_can_be_brought_back_to_the_size_of_the_photo() -> None:
    plan = said("crop out the white border and enlarge it to the original size")
    assert plan == ["plain white borders cut off", "enlarged to the size that the photo had"]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("Make the photo larger add a red border", ["larger", "red border"]),
        ('make the picture smaller add the text "hello"', ["smaller", "text “hello”"]),
        (
            "brighten the photo rotate it 90 degrees",
            ["brighter, the whole photo", "rotated 90 degrees clockwise"],
        ),
        ("crop to the face add a border around the cropped photo", ["cropped around the faces", "border"]),
    ],
)
def test_wishes_that_run_on_are_told_apart(instruction: str, words: list[str]) -> None:
    told = said(instruction)
    assert len(told) == len(words)
    assert all(word in line for word, line in zip(words, told, strict=True))


def test_a_box_is_emptied_before_the_photo_shrinks() -> None:
    assert said("remove the sign shrink the photo", boxes=1) == ["the marked place erased", "smaller"]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        (
            "turn it into a Twitter header, adding gray at the sides to make it wider",
            [
                "all of the photo kept, and plain gray added beside it until it is 1500:500",
                "resized to fit within 1500x500",
            ],
        ),
        (
            "add black bars to make it 16:9",
            ["all of the photo kept, and plain black added beside it until it is 16:9"],
        ),
        (
            "make it square, adding white at the edges",
            ["all of the photo kept, and plain white added beside it until it is 1:1"],
        ),
        ("crop it to 4:3 and add blue to the sky", ["cropped to 4:3", "more blue, sky"]),
        ("add a white border and crop it to a square", ["white border", "cropped to 1:1"]),
    ],
)
def test_a_shape_can_come_from_plain_room_at_the_sides(instruction: str, words: list[str]) -> None:
    assert said(instruction) == words


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("decrease the size to one quarter", "resized to 25%"),
        ("lower the width a little", "a little squeezed narrower, with all it shows"),
        ("make the height of the picture smaller", "squeezed less tall, with all it shows"),
        ("reduce the height by 30%", "squeezed less tall to 70%, with all it shows"),
        ("turn a rectangular photo into a square without stretching it", "cropped to 1:1"),
        ("resize the picture so that its resolution is (90x90)", "resized to 90x90 pixels"),
        ("crop the yellow car", "cropped around the yellow car"),
        ("crop to the green door", "cropped around green door"),
        ("crop out the edges", "12% cropped off every side"),
        ("crop the sides and focus on the dog", "cropped around the dog"),
        ("crop it so that the horse is the only one in focus", "cropped around the horse"),
        ("crop the picture to focus on the horse", "cropped around the horse"),
        ("crop it, focusing on the yellow car", "cropped around the yellow car"),
        ("add a bit more sky to the top of the picture", "more room around the photo at the top"),
        ("add more sky and more water", "more room around the photo at the top and bottom"),
        ("add more grass at the bottom", "more room around the photo at the bottom"),
    ],
)
def test_sides_and_parts_say_the_shape(instruction: str, words: str) -> None:
    told = said(instruction)
    assert len(told) == 1
    assert told[0].removeprefix("a little ").startswith(words.removeprefix("a little "))


@pytest.mark.parametrize(
    "instruction",
    [
        "add gray at the sides to make the photo wider",  # until which shape?
        "increase the height of the photo",  # stretched, or more of it?
        "reduce the size by a quarter",
        "crop the green grass",  # kept, or cut off?
        "brighten it and focus on the dog",
        "add more water",
        "add more sky at the bottom",
        "resize the dog so that it is 90x90",
    ],
)
def test_a_shape_that_is_left_open_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted
