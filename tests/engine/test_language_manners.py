"""Wishes in people's manners: red eyes, kinds of files, photos that came along, plain backgrounds."""

import pytest

from editor.engine.language.explain import explain
from tests.engine.readings import only_step, said, variant_of


@pytest.mark.parametrize(
    "instruction",
    [
        "everybody has red eye from the flash, could you fix that?",
        "my nephew's eyes are red from the flash, please fix",
        "her eyes came out way too red. Please help",
        "red eye removal",
        "make his eyes not so red",
        "can you make my eyes less red",
        "remove the red from her eyes",
        "fix the red eyes caused by the flash",
        "correct the redeye on the three kids",
        "get of the red eyes please",
    ],
)
def test_red_eyes_are_corrected(instruction: str) -> None:
    assert only_step(instruction).operation == "red_eye"


@pytest.mark.parametrize("instruction", ["make her eyes look red", "don't make her eyes red"])
def test_eyes_that_are_to_be_red_are_not_corrected(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_wish_goes_on_behind_red_eyes() -> None:
    steps = explain("correct the redeye on the two kids and brighten it slightly").steps
    assert [step.operation for step in steps] == ["red_eye", "brightness"]


@pytest.mark.parametrize(
    ("instruction", "kind"),
    [
        ("save it as a png please", "png"),
        ("can you convert this to a jpg", "jpeg"),
        ("export as webp", "webp"),
        ("JPEG format please", "jpeg"),
        ("change the file type to png", "png"),
        ("please send it as a png", "png"),
        ("please convert from png to jpg", "jpeg"),
        ("I need this as a jpeg for my application", "jpeg"),
    ],
)
def test_a_file_is_of_the_kind_that_is_asked_for(instruction: str, kind: str) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step)) == ("file_format", kind)
    assert explain(instruction).file_format == kind


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("make it black and white and give it to me as a PNG file", "black_and_white"),
        ("brighten it and save it in png format", "brightness"),
        ("crop to a square and save as png", "crop"),
        ("make me brighter as a png", "brightness"),
    ],
)
def test_a_kind_of_file_closes_another_wish(instruction: str, operation: str) -> None:
    plan = explain(instruction)
    assert [step.operation for step in plan.steps] == [operation, "file_format"]
    assert plan.accepted


@pytest.mark.parametrize("instruction", ["convert to pdf", "make it a gif", "brighten it and save as tiff"])
def test_a_kind_of_file_that_is_not_written_is_refused(instruction: str) -> None:
    plan = explain(instruction)
    assert not plan.accepted
    assert "A result is a PNG, a JPEG or a WebP file" in plan.message


@pytest.mark.parametrize(
    "verb", ["cut out the dog", "crop the dog out", "cut the dog out", "isolate the dog"]
)
def test_a_cut_out_as_a_png_is_a_cut_out(verb: str) -> None:
    step = only_step(f"{verb} as a png")
    assert (step.operation, step.target.noun) == ("transparent_background", "dog")


@pytest.mark.parametrize(
    "instruction",
    [
        "I attached a photo of a lake, please use it as the background",
        "Here I attached a picture of our garden. Can you use it as background?",
        "use the attached photo as the background",
        "cut out the man and place him on the attached background",
        "take the person from the first photo and put them into the second photo",
        "crop the man from the first photo and put him in front of the second photo",
        "place the dog on photo 2",
        "swap the boring background with the sunset photo I attached",
        "cut me out of the first one and paste me in the second one",
    ],
)
def test_another_photo_is_meant_as_the_background(instruction: str) -> None:
    step = only_step(instruction, photos=2)
    assert (step.operation, step.photo) == ("photo_background", 2)
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "place", "choice"),
    [
        ("put our logo (second image) in the top right corner", "top right", None),
        ("put the dog of photo 2 in the lower left corner of the first picture", "bottom left", "cutout"),
        ("overlay the second image in the corner with a shadow", "bottom right", None),
        ("put my dog (photo 2) in the top left corner", "top left", "cutout"),
    ],
)
def test_another_photo_is_laid_in_a_corner(instruction: str, place: str, choice: str | None) -> None:
    step = only_step(instruction, photos=2)
    assert (step.operation, step.photo, step.place, variant_of(step)) == ("sticker", 2, place, choice)


def test_a_photo_that_was_attached_is_the_first() -> None:
    assert only_step("brighten the attached photo") == only_step("brighten the attached photo", photos=2)


@pytest.mark.parametrize("instruction", ["put the dog in photo 2", "put the lamp onto photo 2"])
def test_which_photo_goes_into_which_is_not_guessed(instruction: str) -> None:
    assert not explain(instruction, photos=2).accepted


@pytest.mark.parametrize(
    ("instruction", "color"),
    [
        ("can you shop my friend's pic to have a plain black background?", "black"),
        ("put the cake and the plate on a plain background", "white"),
        ("I want just the dog on a white background", "white"),
        ("my dog with a blue background", "blue"),
        ("crop me out and put me on a white background", "white"),
        ("remove the background and leave it plain white", "white"),
    ],
)
def test_a_ground_is_wished_for(instruction: str, color: str) -> None:
    step = only_step(instruction)
    assert (step.operation, step.color) == ("solid_background", color)


@pytest.mark.parametrize(
    "instruction",
    [
        "make it a headshot with a white background",
        "put a cat on a white background",
        "a dog on a white background",
        "the dog on the white background is blurry",
        "I have a picture of my dog on a white background",
    ],
)
def test_what_is_not_there_is_put_on_no_ground(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_place_is_told_by_how_it_looks() -> None:
    assert said("make it look like we are in the mountains") == ["background mountains, out of focus (drawn)"]
    assert said("make the background less busy") == ["blurred, the background"]
    assert not explain("make it look like the man is on a beach").accepted


def test_everything_but_something_goes() -> None:
    assert only_step("remove everything from the photo except the dog").operation == "transparent_background"


@pytest.mark.parametrize("instruction", ["edit my photo please", "basic edits", "I need this picture edited"])
def test_a_mere_edit_improves_the_photo(instruction: str) -> None:
    assert only_step(instruction).operation == "enhance"
    assert not explain("edit the picture as below").accepted


def test_skin_is_mended() -> None:
    assert said("clean up her skin a bit") == [
        "blemishes removed, the faces",
        "a little smoother skin, the faces",
    ]
    assert only_step("repair the tears and creases").operation == "dust"
    assert only_step("clean up the smudges on this photo").operation == "dust"
    assert not explain("remove the tears from her face").accepted


@pytest.mark.parametrize(
    ("instruction", "told"),
    [
        (
            'could you add our names, "Jo & Mo", in the lower right corner please',
            "text “Jo & Mo” at the bottom right",
        ),
        (
            'can you put "SOLD" in huge red letters over the middle of it?',
            "large text “SOLD” in red in the center",
        ),
        ('type "Class of 2031" along the bottom edge in gold', "text “Class of 2031” in gold at the bottom"),
        (
            "put © Studio Nord 2026 in the bottom right corner, small and white",
            "small text “© Studio Nord 2026” in white at the bottom right",
        ),
        ('make it a meme: "NOPE" at the bottom', "text “NOPE” at the bottom"),
        ('write "Rex" in white below the dog', "text “Rex” in white below the dog"),
        ('add the words "THE END', "text “THE END”"),
    ],
)
def test_a_text_is_told_with_its_looks(instruction: str, told: str) -> None:
    assert said(instruction) == [told]


@pytest.mark.parametrize("instruction", ['write "Hi" in italics at the top', 'write "Hello at the top'])
def test_a_text_that_would_come_out_otherwise_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_what_only_a_box_shows_is_removed_in_it() -> None:
    assert only_step("remove the light in the right corner", boxes=1).operation == "erase"
    assert not explain("remove the light in the right corner").accepted


def test_what_is_left_behind_a_removal_is_no_wish() -> None:
    assert only_step("Remove my father. I'd like to have a version of just the truck.").operation == "erase"
    assert not explain("Remove the people. So only me and my wife in the picture.").accepted


@pytest.mark.parametrize(
    "instruction",
    ["Please restore it. There are some scratches on it.", "There is a lot of dust on the photo"],
)
def test_flaws_that_are_told_of_are_healed(instruction: str) -> None:
    assert explain(instruction).steps[-1].operation == "dust"
    assert explain(instruction).accepted


def test_a_text_alone_needs_no_verb() -> None:
    assert said('"Wanted" at the top and "Alive" at the bottom please') == [
        "text “Wanted” at the top",
        "text “Alive” at the bottom",
    ]
    assert said('type our wedding date "June 3, 1974" in the lower left, small') == [
        "small text “June 3, 1974” at the bottom left"
    ]


def test_a_filter_is_told_by_how_it_makes_the_photo_look() -> None:
    step = only_step("add a filter to the entire photo that makes it look like a watercolor", boxes=1)
    assert (step.operation, step.target.what) == ("watercolor", "whole")


def test_a_background_goes_on_to_be_it() -> None:
    assert said("make the background a little darker and blur it") == [
        "a little darker, the background",
        "blurred, the background",
    ]
    assert only_step("take away the busy background").operation == "transparent_background"
