"""Composition: crops, turns, zooms, sizes, collages."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Target
from tests.engine.readings import BOX, measure_of, only_reason, only_step, variant_of


@pytest.mark.parametrize(
    ("instruction", "choice"),
    [
        ("crop to 16:9", "16:9"),
        ("crop it square", "1:1"),
        ("make it square", "1:1"),
        ("crop to a 4 : 5 ratio", "4:5"),
    ],
)
def test_it_crops_to_a_ratio(instruction: str, choice: str) -> None:
    assert (only_step(instruction).operation, variant_of(only_step(instruction))) == ("crop", choice)


@pytest.mark.parametrize(
    ("instruction", "percent", "place"),
    [
        ("crop 10% off the left", 10, "left"),
        ("trim 5 percent from the bottom", 5, "bottom"),
        ("crop by 8%", 8, "all"),
    ],
)
def test_it_crops_off_an_edge(instruction: str, percent: float, place: str) -> None:
    step = only_step(instruction)
    assert (step.operation, measure_of(step), step.place) == ("crop", (percent, "percent"), place)


def test_it_crops_to_a_ratio_at_a_place_and_around_a_part() -> None:
    assert only_step("crop to 4:5 at the top").place == "top"
    assert only_step("crop to a square around the face").target == Target("face")
    assert variant_of(only_step("crop to 7:3")) == "7:3"
    assert variant_of(only_step("crop to 800x600")) == "800x600"


@pytest.mark.parametrize(
    ("instruction", "exact", "place"),
    [
        ("crop 10% from the top and bottom", (10, "percent"), "top bottom"),
        ("crop 50 pixels off the right", (50, "pixels"), "right"),
        ("crop out the bottom", (20, "percent"), "bottom"),
    ],
)
def test_it_crops_off_the_sides(instruction: str, exact: tuple[float, str], place: str) -> None:
    assert (measure_of(only_step(instruction)), only_step(instruction).place) == (exact, place)


@pytest.mark.parametrize(
    "instruction", ["crop the photo", "crop to the fox", "crop closer to the couple", "crop the girl"]
)
def test_it_crops_around_the_subject(instruction: str) -> None:
    assert only_step(instruction).target == Target("subject")


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("crop to the dog", Target("thing", noun="dog")),
        ("zoom in on the car", Target("thing", noun="car")),
        ("crop the photo to show just the man in the green coat", Target("thing", noun="man", color="green")),
    ],
)
def test_it_goes_to_what_the_detector_finds(instruction: str, target: Target) -> None:
    assert only_step(instruction).target == target


@pytest.mark.parametrize(
    "instruction", ["crop it to show more of the sky", "crop it to include more of the cat"]
)
def test_it_never_crops_to_show_more(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_it_crops_to_the_subject_and_to_the_box() -> None:
    assert only_step("crop to the subject").target == Target("subject")
    assert only_step("crop to the box", boxes=1).target == Target("region", boxes=(1,))


def test_it_requires_a_box_to_crop_to_a_thing() -> None:
    assert only_reason("crop to the sign") is Reason.NEEDS_REGION
    assert only_step("crop to the sign", boxes=1).target == Target("region", boxes=(1,))


@pytest.mark.parametrize(
    "instruction",
    [
        *(
            "crop the sky",
            "crop the floor on the left",
            "crop in half",
            "crop to 20:1",
            "crop the black bar by half",
        ),
        *("rotate it a lot", "tilt left", "resize it", "straighten his tie", "make the dog rounder"),
    ],
)
def test_it_rejects_a_shape_that_is_not_said(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    "instruction",
    [
        *("straighten the photo", "level the horizon", "fix the tilted horizon", "make it straight"),
        "rotate it slightly",
    ],
)
def test_it_straightens(instruction: str) -> None:
    assert only_step(instruction).operation == "straighten"


@pytest.mark.parametrize(
    ("instruction", "angle"),
    [
        ("rotate 90 degrees", 90),
        ("rotate the photo to the left", -90),
        ("rotate by 12.5° counter-clockwise", -12.5),
        ("turn it upside down", 180),
        ("rotate the photo 180", 180),
        ("rotate 45 degrees right", 45),
    ],
)
def test_it_rotates_clockwise_by_positive_angles(instruction: str, angle: float) -> None:
    assert measure_of(only_step(instruction)) == (angle, "degrees")


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("rotate a bit to the left", "rotated 3 degrees counterclockwise"),
        ("turn it slightly right", "rotated 3 degrees clockwise"),
    ],
)
def test_a_small_turn_says_how_small_it_is(instruction: str, words: str) -> None:
    assert only_step(instruction).says == words


def test_it_requires_the_degrees_of_a_large_turn() -> None:
    assert explain("rotate it a lot to the left").not_understood[0].hint == "Say by how many degrees."


@pytest.mark.parametrize(
    ("instruction", "axis"),
    [("flip the photo", "horizontal"), ("mirror it", "horizontal"), ("flip it vertically", "vertical")],
)
def test_it_flips(instruction: str, axis: str) -> None:
    assert (only_step(instruction).operation, variant_of(only_step(instruction))) == ("flip", axis)


def test_it_turns_by_degrees_what_is_called_a_flip() -> None:
    assert measure_of(only_step("flip it 90 degrees to the right")) == (90, "degrees")


@pytest.mark.parametrize(
    ("instruction", "what", "amount", "exact"),
    [
        ("zoom in", "whole", 0.35, None),
        ("zoom in a lot on the face", "face", 0.65, None),
        ("zoom in on the dog", "thing", 0.35, None),
        ("zoom in 20%", "whole", None, (120, "percent")),
        ("zoom to 150%", "whole", None, (150, "percent")),
        ("zoom out a bit", "whole", -0.2, None),
        ("zoom the photo out", "whole", -0.35, None),
    ],
)
def test_it_zooms(instruction: str, what: str, amount: float | None, exact: tuple[float, str] | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target.what, step.amount, measure_of(step)) == ("zoom", what, amount, exact)


def test_it_requires_a_box_to_zoom_in_on_a_thing() -> None:
    assert only_reason("zoom in on the sign") is Reason.NEEDS_REGION
    assert only_step("zoom in on the sign", boxes=1).target == Target("region", boxes=(1,))


@pytest.mark.parametrize(
    "instruction", ["center the man", "put me in the center", "move the fox to the middle"]
)
def test_it_centers(instruction: str) -> None:
    assert (only_step(instruction).operation, only_step(instruction).target) == ("center", Target("subject"))


@pytest.mark.parametrize(
    "instruction",
    ["put a hand in the center", "move the dogs to the left", "put a finger here in the middle"],
)
@pytest.mark.parametrize("boxes", [0, 1])
def test_it_rejects_moving_anything_else(instruction: str, boxes: int) -> None:
    assert not explain(instruction, regions=[BOX] * boxes).accepted


@pytest.mark.parametrize(
    ("instruction", "place", "exact", "choice"),
    [
        ("extend the left side", "left", None, None),
        ("extend the canvas by 20%", None, (20, "percent"), None),
        ("add more space at the top", "top", None, None),
        ("extend the background", None, None, None),
        ("make it 16:9 without cropping", None, None, "16:9"),
        ("make it wider", "left right", None, None),
    ],
)
def test_it_extends(
    instruction: str, place: str | None, exact: tuple[float, str] | None, choice: str | None
) -> None:
    step = only_step(instruction)
    assert (step.operation, step.place, measure_of(step), variant_of(step)) == (
        "extend",
        place,
        exact,
        choice,
    )


@pytest.mark.parametrize(
    ("instruction", "choice"),
    [
        ("put them side by side", "row"),
        ("combine these photos into a collage", None),
        ("stack the pictures on top of each other", "column"),
        ("put both photos next to each other", "row"),
    ],
)
def test_it_puts_photos_together(instruction: str, choice: str | None) -> None:
    step = only_step(instruction, photos=2)
    assert (step.operation, variant_of(step)) == ("collage", choice)


def test_it_requires_other_photos_for_a_collage() -> None:
    assert only_reason("make a collage") is Reason.NEEDS_REFERENCE


@pytest.mark.parametrize(
    ("instruction", "exact", "choice"),
    [
        ("resize to 50%", (50, "percent"), None),
        ("shrink by 20%", (80, "percent"), None),
        ("enlarge by 50 percent", (150, "percent"), None),
        ("resize to 1200 x 800", None, "1200x800"),
        ("make it half the size", (50, "percent"), None),
    ],
)
def test_it_resizes(instruction: str, exact: tuple[float, str] | None, choice: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, measure_of(step), variant_of(step)) == ("resize", exact, choice)


@pytest.mark.parametrize(
    ("instruction", "exact", "choice", "amount"),
    [
        ("resize to 1200 px wide", (1200, "pixels"), "width", None),
        ("make it 800 pixels high", (800, "pixels"), "height", None),
        ("change this photo to 3000 x 2000 pixels", None, "3000x2000", None),
        ("double the size", (200, "percent"), None, None),
        ("make the image a bit smaller", None, None, -0.2),
        ("scale size down", None, None, -0.35),
        ("enlarge the photo", None, None, 0.35),
    ],
)
def test_it_resizes_in_other_words(
    instruction: str, exact: tuple[float, str] | None, choice: str | None, amount: float | None
) -> None:
    step = only_step(instruction)
    assert (step.operation, measure_of(step), variant_of(step), step.amount) == (
        "resize",
        exact,
        choice,
        amount,
    )


def test_it_means_the_photo_by_it_after_a_crop() -> None:
    plan = explain("crop the picture and make it more vivid")
    assert [step.target.what for step in plan.steps] == ["subject", "whole"]
    assert plan.accepted, plan.message


def test_it_never_crops_for_a_word_that_only_resembles_it() -> None:
    plan = explain("remove the red streetcar (tram) in the foreground")
    assert "crop" not in [step.operation for step in plan.steps]


@pytest.mark.parametrize(
    ("instruction", "exact", "place"),
    [
        ("cut 10% off the left", (10, "percent"), "left"),
        ("trim the edges", (12, "percent"), "all"),
        ("crop the sides", (20, "percent"), "left right"),
    ],
)
def test_it_cuts_off_in_other_words(instruction: str, exact: tuple[float, str], place: str) -> None:
    assert (measure_of(only_step(instruction)), only_step(instruction).place) == (exact, place)


def test_it_refuses_a_crop_whose_end_is_said_and_not_read() -> None:
    assert not explain("crop it until the fence is gone").accepted
    assert not explain("crop it for instagram").accepted


@pytest.mark.parametrize(
    ("instruction", "exact", "choice"),
    [
        ("reduce the size by 50%", (50, "percent"), None),
        ("resize the width to 500", (500, "pixels"), "width"),
    ],
)
def test_it_resizes_by_a_number(instruction: str, exact: tuple[float, str], choice: str | None) -> None:
    assert (measure_of(only_step(instruction)), variant_of(only_step(instruction))) == (exact, choice)


def test_it_means_the_whole_photo_by_this_whole_photo() -> None:
    assert only_step("make this whole photo brighter", boxes=1).target == Target("whole")


@pytest.mark.parametrize(
    ("instruction", "operation", "noun", "place"),
    [
        ("crop to the woman on the left", "crop", "woman", "left"),
        ("zoom in on the boy on the right", "zoom", "boy", "right"),
    ],
)
def test_it_finds_a_person_by_the_place(instruction: str, operation: str, noun: str, place: str) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target) == (operation, Target("thing", noun=noun, place=place))


def test_it_keeps_people_that_are_counted_in_the_picture() -> None:
    assert only_step("crop around the two women").target == Target("subject")
    assert only_step("zoom in on the three boys").target == Target("subject")
    assert not explain("zoom in 4").accepted
    assert not explain("crop 15 off the top").accepted


@pytest.mark.parametrize(
    ("instruction", "ratio"),
    [("crop to portrait orientation", "2:3"), ("make it landscape format", "3:2"), ("make it square", "1:1")],
)
def test_it_crops_to_an_orientation(instruction: str, ratio: str) -> None:
    assert variant_of(only_step(instruction)) == ratio
    assert only_step(instruction, boxes=1).target == Target("region", boxes=(1,))


@pytest.mark.parametrize("instruction", ["make this a 1600x1200 desktop wallpaper", "turn it into 1600x1200"])
def test_it_makes_a_wallpaper_of_a_size(instruction: str) -> None:
    assert (only_step(instruction).operation, variant_of(only_step(instruction))) == ("resize", "1600x1200")


@pytest.mark.parametrize(
    "instruction", ["rotate the photo left", "flip the photo", "resize the image to 50%"]
)
def test_it_turns_the_whole_photo_beside_a_box(instruction: str) -> None:
    assert only_step(instruction, boxes=1).target == Target("whole")


def test_it_rejects_keeping_a_part_of_a_photo_that_is_turned() -> None:
    assert not explain("flip the photo but keep the sign as it is", regions=[BOX]).accepted


def test_it_zooms_in_on_the_whole_photo_beside_a_box() -> None:
    step = only_step("zoom in on the entire picture", boxes=1)
    assert (step.target, step.place) == (Target("whole"), "center")
    assert only_step("zoom in", boxes=1).target == Target("region", boxes=(1,))


@pytest.mark.parametrize(
    ("instruction", "color", "place"),
    [
        ("crop out the black bars", "black", None),
        ("cut off the black bar at the bottom", "black", "bottom"),
        ("remove the white border around the photo", "white", None),
        ("trim the borders", None, None),
        ("crop to get rid of the gray edges", "gray", None),
        ("take the black bars off the top and bottom", "black", "top bottom"),
    ],
)
def test_it_trims_borders(instruction: str, color: str | None, place: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.color, step.place) == ("trim", color, place)


@pytest.mark.parametrize(
    "instruction",
    ["remove the red area", "remove the border of her dress", "remove the frame", "cut the bar"],
)
def test_what_is_no_border_is_not_trimmed(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_a_bar_in_a_box_is_erased_and_a_border_never_is() -> None:
    assert only_step("remove the black bar", boxes=1).operation == "erase"
    assert only_step("remove the black border", boxes=1).operation == "trim"


@pytest.mark.parametrize(
    ("instruction", "choice", "sign"),
    [
        ("make the picture narrower", "width", -1),
        ("stretch the photo vertically", "height", 1),
        ("make the image a little taller", "height", 1),
        ("squeeze the photo", "width", -1),
    ],
)
def test_it_stretches_the_whole_photo(instruction: str, choice: str, sign: int) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step)) == ("stretch", choice)
    assert (step.amount or 0) * sign > 0


def test_a_stretch_has_a_percentage_or_a_size() -> None:
    assert measure_of(only_step("stretch the photo horizontally by 20%")) == (120, "percent")
    assert measure_of(only_step("squeeze it by 10%")) == (90, "percent")
    assert variant_of(only_step("stretch it to 800x600")) == "800x600"


@pytest.mark.parametrize("instruction", ["make me taller", "make her skinnier", "make the dog thinner"])
def test_nobody_in_the_photo_is_stretched(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    "instruction", ["rotate the photo", "turn it the right way up", "fix the orientation", "make it upright"]
)
def test_a_turn_without_an_angle_is_upright(instruction: str) -> None:
    assert only_step(instruction).operation == "upright"


def test_a_turn_that_says_where_something_comes_is_not_upright() -> None:
    assert not explain("rotate the image so that the boat points to the right").accepted


@pytest.mark.parametrize(
    ("instruction", "choice"),
    [
        ("crop to 4x6", "4 x 6 inches"),
        ("make it an 8 by 10 print", "8 x 10 inches"),
        ("resize it to A4", "210 x 297 mm"),
        ("resize to 11x14", "11 x 14 inches"),
        ('crop it to 5.5" x 8.5"', "5.5 x 8.5 inches"),
        ("resize this to 2.5 x 3.5 inches", "2.5 x 3.5 inches"),
        ("make it 12.7 x 17.8 cm", "127 x 178 mm"),
    ],
)
def test_it_makes_the_size_of_a_print(instruction: str, choice: str) -> None:
    assert (only_step(instruction).operation, variant_of(only_step(instruction))) == ("print_size", choice)


@pytest.mark.parametrize(
    ("instruction", "operation", "choice"),
    [
        ("crop it to a profile picture", "crop", "1:1"),
        ("resize this for a Facebook cover", "resize", "820x312"),
        ("turn it into a phone wallpaper", "crop", "9:16"),
        ("resize to 11x14 pixels", "resize", "11x14"),
        ("resize to 800x600 without cropping", "resize", "within 800x600"),
        ("resize to 800x600 without stretching", "resize", "800x600"),
    ],
)
def test_it_fits_where_the_photo_goes(instruction: str, operation: str, choice: str) -> None:
    assert (only_step(instruction).operation, variant_of(only_step(instruction))) == (operation, choice)


def test_where_a_photo_goes_may_be_no_wish() -> None:
    assert only_step("brighten it for my profile picture").operation == "brightness"


@pytest.mark.parametrize(
    ("instruction", "amount"),
    [
        ("slightly enlarge the photo", 0.2),
        ("compress the photo", -0.35),
        ("reduce the size of the image", -0.35),
    ],
)
def test_it_resizes_by_an_amount(instruction: str, amount: float) -> None:
    assert (only_step(instruction).operation, only_step(instruction).amount) == ("resize", amount)


def test_some_of_the_background_is_cropped_away() -> None:
    step = only_step("crop out some of the background")
    assert (step.operation, step.target) == ("crop", Target("subject"))


@pytest.mark.parametrize(
    ("instruction", "size"),
    [
        ("print size 9x13 cm", "90 x 130 mm"),
        ("30x40 cm print", "300 x 400 mm"),
        ("15x20 print", "150 x 200 mm"),
        ("crop it for a 20x30 print", "20 x 30 inches"),
        ("A4 poster", "210 x 297 mm"),
    ],
)
def test_a_print_may_be_named_alone(instruction: str, size: str) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step)) == ("print_size", size)


def test_the_place_of_a_thing_says_which_one_is_zoomed_in_on() -> None:
    step = only_step("zoom in on the bus on the right")
    assert (step.target.noun, step.target.place, step.place) == ("bus", "right", None)


def test_fitting_within_a_size_is_said_so() -> None:
    assert only_step("resize to fit within 900x900").says == "resized to fit within 900x900"


@pytest.mark.parametrize(
    ("wish", "percent", "side"),
    [
        ("Crop the picture so the bottom has less of the road in it", 20, "bottom"),
        ("crop it so that there is a lot less space above the girls", 32, "top"),
        ("crop the photo so there's less floor at the bottom", 20, "bottom"),
    ],
)
def test_less_of_a_side_is_cut_off(wish: str, percent: float, side: str) -> None:
    step = only_step(wish)
    assert (step.operation, measure_of(step), step.place) == ("crop", (percent, "percent"), side)


def test_less_of_what_is_anywhere_is_no_side() -> None:
    assert not explain("crop it so there is less grass").accepted


def test_a_box_around_the_photo_is_its_border() -> None:
    step = only_step("remove the white box around the image")
    assert (step.operation, step.color) == ("trim", "white")
