"""Shapes told without their command: complaints, stories, what is shown, and what comes near."""

import pytest

from editor.engine.language.explain import explain
from tests.engine.readings import measure_of, only_step, said


@pytest.mark.parametrize(
    "instruction",
    [
        "the horizon slopes to the left",
        "The picture is a little crooked, please fix it",
        "the church looks tilted, can you straighten it",
        "the right side looks higher than the left",
        "straighten the lighthouse",
        "make the walls straight",
        "make sure the horizon is level",
        "align the picture with the horizon",
        "rotate the picture so the waterline is level",
        "it's leaning to the right, rotate it",
    ],
)
def test_what_leans_is_straightened_once(instruction: str) -> None:
    assert said(instruction) == ["straightened"]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("the picture is upside down, please fix it", "rotated 180 degrees clockwise"),
        ("It is upside down. Flip it", "rotated 180 degrees clockwise"),
        ("the scan is sideways", "turned upright, by the faces"),
        ("it is sideways, rotate it 90 degrees to the left", "rotated 90 degrees counterclockwise"),
        ("the photo leans, rotate it 3 degrees to the right", "rotated 3 degrees clockwise"),
    ],
)
def test_the_command_behind_a_complaint_counts_where_it_tells_more(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    "instruction",
    [
        "his head is tilted to the right",
        "the lamp looks nice but it's crooked",
        "make the wall lean",
        "make it vertical",
        "straighten her hair",
    ],
)
def test_what_leans_in_the_photo_is_left_alone(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_with_a_box_the_poster_is_what_is_marked() -> None:
    assert said("rotate this poster 90 degrees") == ["rotated 90 degrees clockwise"]
    marked = said("rotate this poster 90 degrees", boxes=1)
    assert marked == ["what the box marks rotated 90 degrees clockwise"]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("rotate this flyer to the right", ["rotated 90 degrees clockwise"]),
        ("our logo should be cropped to a square", ["cropped to 1:1"]),
        ("straighten the document", ["straightened"]),
        ("I'd like an A5 size of this drawing", ["cropped and sized for a print of 148 x 210 mm at 300 dpi"]),
    ],
)
def test_what_fills_the_photo_is_the_photo(instruction: str, words: list[str]) -> None:
    assert said(instruction) == words


@pytest.mark.parametrize("instruction", ["rotate the poster", "zoom in on this poster", "flip the logo"])
def test_what_may_be_a_thing_in_the_photo_is_not(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("make a close-up of the horse", "zoomed in on the horse"),
        ("give me a closeup shot of her face", "zoomed in on the faces"),
        ("make it a close up", "zoomed in"),
        ("crop it to a close-up of the horse", "cropped around the horse"),
        ("bring the horse closer", "zoomed in on the horse"),
        ("get closer to the subject", "zoomed in on the subject"),
        ("make the horse larger in the frame", "zoomed in on the subject"),
        ("zoom out the horse", "zoomed out"),
    ],
)
def test_what_comes_near_is_zoomed_in_on(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    "instruction", ["bring the dancers closer to the stage", "zoom out to show the horse's feet and a tree"]
)
def test_what_comes_near_to_something_else_is_not(instruction: str) -> None:
    assert "zoomed in" not in " ".join(step.says for step in explain(instruction).steps)


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("I'm making a name tag, please crop it to 2.5 x 4.25 inches (landscape)", "4.25 x 2.5 inches"),
        ("Designing a brochure, crop this to 6x8", "6 x 8 inches"),
        ("resize it to print at 5x7", "5 x 7 inches"),
        ("I need this as a 4x6 print for my uncle", "4 x 6 inches"),
        ("crop it for an 8x10 photo frame", "8 x 10 inches"),
        ("make it 3.5 by 5 inches", "3.5 x 5 inches"),
    ],
)
def test_a_print_stands_amid_a_story(instruction: str, words: str) -> None:
    assert said(instruction) == [f"cropped and sized for a print of {words} at 300 dpi"]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("size this photo to 700x500", "resized to 700x500 pixels, cropped to that shape"),
        ("change the dimensions to 700 by 500", "resized to 700x500 pixels, cropped to that shape"),
        ("make the photo 700px by 500px", "resized to 700x500 pixels, cropped to that shape"),
        ("set the resolution to 700x500", "resized to 700x500 pixels, cropped to that shape"),
        ("make the photo half its size", "resized to 50%"),
        ("halve the size", "resized to 50%"),
        ("triple the size of the photo", "resized to 300%"),
        ("reduce the photo to a third of its size", "resized to 33.33%"),
        ("reduce the resolution by half", "resized to 50%"),
        ("make it 3 times bigger", "resized to 300%"),
        ("downscale by a factor of 4", "resized to 25%"),
        ("resize the longest side to 900 pixels", "resized to fit within 900x900"),
        ("upscale it to 4k", "resized to fit within 3840x2160"),
        ("make it into a 16:9 wallpaper", "cropped to 16:9"),
        ("change the aspect ratio from 3:2 to 4:3", "cropped to 4:3"),
        ("make an avatar out of it", "cropped to 1:1"),
        ("square crop", "cropped to 1:1"),
    ],
)
def test_a_size_is_told_in_many_words(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    "instruction", ["add 700x500", "this photo is 700x500", "halve the contrast", "make it 3 times smaller"]
)
def test_a_number_alone_is_no_size(instruction: str) -> None:
    assert not any(step.operation == "resize" for step in explain(instruction).steps)


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("crop off the bottom half", "50% cropped off the bottom"),
        ("crop the left third off", "33.33% cropped off the left"),
        ("remove the top quarter of the photo", "25% cropped off the top"),
        ("keep only the top half", "50% cropped off the bottom"),
        ("crop to the right third", "66.67% cropped off the left"),
        ("crop a bit from both sides", "10% cropped off the left and the right"),
        ("cut a little off the bottom", "10% cropped off the bottom"),
        ("crop the left side until it is square", "cropped to 1:1 on the right"),
        ("crop out the empty space", "cropped around the subject"),
        ("crop out the empty space at the top", "20% cropped off the top"),
        ("crop to center the lady", "cropped around the subject"),
        ("crop the figure on the left", "cropped around the person on the left"),
        ("crop the horse on the right", "cropped around the horse on the right"),
        ("improve the composition", "cropped around the subject"),
    ],
)
def test_a_part_that_stays_or_goes_is_told(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    "instruction", ["crop the top third", "cut the photo in half", "crop some of the foreground"]
)
def test_a_part_that_may_stay_or_go_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("add space above his head", "more room around the photo at the top"),
        ("more room around the horse", "more room around the photo"),
        ("add more background on the right", "more room around the photo at the right"),
        ("extend the sky upward", "more room around the photo at the top"),
        ("extend the photo on both sides", "more room around the photo at the left and right"),
        ("make the background bigger", "more room around the photo"),
        ("expand it until it fits 16:9", "extended to 16:9"),
        ("make it 4:3, extend the sides", "extended to 4:3"),
    ],
)
def test_room_is_told_by_what_it_is_beside(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    "instruction", ["add space between the horses", "extend the sky to the left", "lengthen her hair"]
)
def test_room_inside_the_photo_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "place", "exact"),
    [
        ("move the image up a bit", "top", None),
        ("shift the photo to the right by 40 pixels", "right", (40, "pixels")),
        ("slide the picture down by 10%", "bottom", (10, "percent")),
    ],
)
def test_the_photo_moves_in_its_frame(instruction: str, place: str, exact: tuple[float, str] | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.place, measure_of(step)) == ("shift", place, exact)
    assert "filled at the other side" in step.says


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("put the horse in the center", "the horse in the center"),
        ("make sure that the lady is in the middle of the frame", "the subject in the center"),
        ("make him the center of the photo", "the subject in the center"),
    ],
)
def test_what_is_to_be_in_the_middle_is_brought_there(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("unmirror this selfie", "flipped horizontally"),
        ("make a mirror image of it", "flipped horizontally"),
        ("reverse the photo", "flipped horizontally"),
    ],
)
def test_a_mirror_image_is_flipped(instruction: str, words: str) -> None:
    assert said(instruction) == [words]


@pytest.mark.parametrize(
    ("instruction", "share"),
    [("crop a bit", 84), ("crop it tighter", 76), ("crop it a lot closer", 60), ("crop in close", 76)],
)
def test_a_closer_crop_says_how_close(instruction: str, share: int) -> None:
    assert said(instruction) == [f"cropped closer, to {share}% of its width and height, heads kept"]


def test_a_closer_crop_around_somebody_is_around_them() -> None:
    assert said("crop it tighter and focus on the horse") == ["cropped around the horse"]


@pytest.mark.parametrize(
    ("instruction", "says"),
    [
        ("16:9, please", "cropped to 16:9"),
        ("Instagram story", "cropped to 9:16"),
        ("an iPhone 6 wallpaper", "resized to 750x1334 pixels, cropped to that shape"),
        ("make a headshot", "cropped to the head and shoulders of the person"),
        ("headshot of the man on the left", "cropped to the head and shoulders of the man on the left"),
    ],
)
def test_the_name_of_a_shape_is_a_whole_wish(instruction: str, says: str) -> None:
    assert [step.says for step in explain(instruction).steps] == [says]


@pytest.mark.parametrize("instruction", ["add a square", "a red square", "my headshot is too dark"])
def test_what_only_names_a_shape_is_not_cropped(instruction: str) -> None:
    assert all(step.operation != "crop" for step in explain(instruction).steps)


def test_a_shape_may_close_a_wish_by_its_name() -> None:
    told = [step.says for step in explain("warmer, then 4:5").steps]
    assert told == ["warmer, the whole photo", "cropped to 4:5"]
    assert not explain("crop to 1:1, 4:5").accepted
