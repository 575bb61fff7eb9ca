"""Tone: which quality moves, in which direction, how much, and where."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Target
from editor.options import Region
from tests.engine.readings import moves, only_step, said, variant_of

BOX = Region(0.1, 0.1, 0.3, 0.3)


@pytest.mark.parametrize(
    ("instruction", "operation", "amount"),
    [
        ("brighten", "brightness", 0.35),
        ("Lighten this shot up, please!", "brightness", 0.35),
        ("give the picture more light", "brightness", 0.4),
        ("darken the photo", "brightness", -0.35),
        ("reduce the darkness", "brightness", 0.35),
        ("it is too dark", "brightness", 0.35),
        ("the picture is way too bright", "brightness", -0.35),
        ("needs more contrast", "contrast", 0.4),
        ("Turn the contrast down", "contrast", -0.35),
        ("make it less vibrant", "saturation", -0.35),
        ("enhance the colours", "saturation", 0.35),
        ("make the colors pop", "saturation", 0.35),
        ("desaturate it", "saturation", -0.35),
        ("make the photo warmer", "warmth", 0.35),
        ("less warm", "warmth", -0.35),
        ("cool the image down", "warmth", -0.35),
        ("give it a warmer tone", "warmth", 0.35),
        ("sharpen", "sharpness", 0.35),
        ("less blurry", "sharpness", 0.35),
        ("the focus needs to be increased", "sharpness", 0.35),
        ("blur the whole photo", "blur", 0.35),
        ("make it less sharp", "blur", 0.35),
        ("reduce the exposure", "exposure", -0.35),
        ("it is overexposed", "exposure", -0.35),
        ("the photo is blurry", "sharpness", 0.35),
        ("the picture looks hazy", "dehaze", 0.35),
        ("this shot is too grainy", "denoise", 0.35),
        ("remove the noise", "denoise", 0.65),
        ("a bit less fog", "dehaze", 0.2),
        ("tone down the highlights", "highlights", -0.35),
        ("get rid of the glare", "highlights", -0.65),
        ("lighten the shadows", "shadows", 0.35),
        ("reduce the shadows", "shadows", 0.35),
        ("more shadows", "shadows", -0.4),
        ("raise the shadows", "shadows", 0.35),
        ("soften the shadows", "shadows", 0.35),
        ("more vibrance", "vibrance", 0.4),
        ("increase the clarity", "clarity", 0.35),
        ("bring out the texture", "clarity", 0.35),
        ("brighten the lighting", "brightness", 0.35),
        ("sharpen the contrast", "contrast", 0.35),
        ("contrast this image", "contrast", 0.35),
        ("the contrast is too high", "contrast", -0.35),
        ("the saturation is too low", "saturation", 0.35),
        ("it isn't bright enough", "brightness", 0.4),
        ("brightness should be lowered", "brightness", -0.35),
    ],
)
def test_it_moves_a_quality_in_the_direction_asked(instruction: str, operation: str, amount: float) -> None:
    assert moves(instruction) == [(operation, "whole", amount)]


@pytest.mark.parametrize(
    ("instruction", "color", "amount"),
    [
        ("add a yellow tint", "yellow", 0.35),
        ("Remove the yellow cast.", "yellow", -0.65),
        ("less blue tint", "blue", -0.35),
        ("get rid of the bluish tone", "blue", -0.65),
        ("take the green out of the picture", "green", -0.65),
        ("it's too red", "red", -0.35),
        ("way too yellow", "yellow", -0.35),
        ("a little more pink", "pink", 0.2),
        ("make it greener", "green", 0.35),
        ("make the picture a bit purplish", "purple", 0.2),
        ("give it a brown tone", "brown", 0.35),
        ("turn down the magenta", "magenta", -0.35),
        ("remove the orange lighting", "orange", -0.65),
    ],
)
def test_it_adds_a_tint_and_takes_it_away(instruction: str, color: str, amount: float) -> None:
    (step,) = explain(instruction).steps
    assert (step.operation, step.color, step.amount) == ("tint", color, amount)


@pytest.mark.parametrize("instruction", ["add a white tint", "more black"])
def test_it_rejects_a_tint_that_is_no_color(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "fix the white balance",
        "remove the color cast",
        "correct the tint",
        "make the colors more natural",
        "auto white balance",
    ],
)
def test_it_evens_out_a_cast_of_no_color_in_particular(instruction: str) -> None:
    assert moves(instruction) == [("white_balance", "whole", None)]


@pytest.mark.parametrize("instruction", ["unpixelate it", "add a whitish tint"])
def test_it_rejects_what_no_operation_adds(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_it_rejects_a_second_wish_that_hides_behind_a_name() -> None:
    assert not explain("sharpen the letters and rhyme them", regions=[BOX]).accepted


def test_it_ends_a_less_before_a_comparative() -> None:
    assert moves("less warm and sharper") == [("warmth", "whole", -0.35), ("sharpness", "whole", 0.35)]


@pytest.mark.parametrize(
    "instruction",
    [
        "make it better",
        "fix the lighting",
        "please improve this picture",
        "clean this up a bit",
        "touch up",
        "make it pop",
        "make this look more professional",
        "polish the photo",
        "fix this blurry old photo",
        "restore this old picture of my aunt",
        "touch this up",
        "edit it to look nicer",
    ],
)
def test_it_answers_a_vague_wish_by_saying_what_it_does(instruction: str) -> None:
    (step,) = explain(instruction).steps
    assert step.operation == "enhance"
    assert "automatically" in step.says


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("turn it into black and white", "black_and_white"),
        ("b&w", "black_and_white"),
        ("greyscale please", "black_and_white"),
        ("remove all the colour", "black_and_white"),
        ("add a sepia filter", "sepia"),
        ("invert the colors", "negative"),
        ("give it a vintage feel", "faded"),
        ("make it look like an old photo", "faded"),
        ("make this look like it was taken in the 1970s", "faded"),
        ("make it look like the 80s", "faded"),
        ("make it look like it is from 1912", "sepia"),
        ("a matte look", "faded"),
        ("make it look like a movie", "cinematic"),
        ("cinematic look", "cinematic"),
        ("HDR effect please", "hdr"),
        ("low light correction", "low_light"),
        ("dehaze it", "dehaze"),
        ("denoise", "denoise"),
        ("smooth her skin", "smooth_skin"),
        ("soften the skin a little", "smooth_skin"),
    ],
)
def test_it_knows_the_looks(instruction: str, operation: str) -> None:
    assert [step.operation for step in explain(instruction).steps] == [operation]


@pytest.mark.parametrize(
    "instruction",
    [
        "more tint",
        "the photo is bright",
        "smooth the wall",
        "photoshop this",
        "make it cooler and warmer",
        "don't brighten it",
        "set the brightness to 40%",
    ],
)
def test_it_rejects_what_it_cannot_be_sure_of(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize("word", ["brigthen", "brightn", "Brihgten"])
def test_it_handles_typing_errors(word: str) -> None:
    assert moves(f"{word} the phto a litle") == [("brightness", "whole", 0.2)]


def test_it_does_not_correct_an_ordinary_noun_into_a_command() -> None:
    assert not explain("make the spider sharper").accepted


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("brighten the background a little", "a little brighter, the background"),
        ("black and white", "black and white, the whole photo"),
        ("increase contrast by 20%", "more contrast by 20%, the whole photo"),
        ("darken the photo completely", "as far as possible: darker, the whole photo"),
    ],
)
def test_it_says_the_step_in_plain_words(instruction: str, said: str) -> None:
    assert [step.says for step in explain(instruction).steps] == [said]


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("too little contrast", "contrast"),
        ("there is too little light", "brightness"),
        ("too little color", "saturation"),
        ("not enough saturation", "saturation"),
    ],
)
def test_it_takes_a_lack_for_a_wish_for_more(instruction: str, operation: str) -> None:
    assert moves(instruction) == [(operation, "whole", 0.4)]


@pytest.mark.parametrize("instruction", ["zero saturation", "no saturation", "remove all saturation"])
def test_it_leaves_nothing_of_a_quality_that_is_not_wanted(instruction: str) -> None:
    assert moves(instruction) == [("saturation", "whole", -1.0)]


@pytest.mark.parametrize("instruction", ["more contrast and less", "more and less contrast"])
def test_it_never_drops_a_second_direction(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    "instruction",
    ["make it 0% brighter", "blur by 0", "rotate by 0 degrees", "rotate by 360 degrees", "resize to 100%"],
)
def test_it_rejects_what_would_change_nothing(instruction: str) -> None:
    (refusal,) = explain(instruction).not_understood
    assert refusal.hint == "Nothing would change."


@pytest.mark.parametrize(
    ("instruction", "signs"),
    [
        ("too much light, not enough color", [-1, 1]),
        ("more color and less contrast", [-1, 1]),
        ("more contrast and color", [1, 1]),
        ("more color and contrast", [1, 1]),
        ("add more color, contrast and brightness", [1, 1, 1]),
    ],
)
def test_it_never_drops_the_colors_of_a_list(instruction: str, signs: list[int]) -> None:
    assert [1 if (amount or 0) > 0 else -1 for _, _, amount in moves(instruction)] == signs


@pytest.mark.parametrize(
    ("instruction", "colors"),
    [
        ("duotone", (None, None)),
        ("duotone in navy", ("navy", None)),
        ("make it a duotone of dark blue and orange", ("dark blue", "orange")),
    ],
)
def test_it_takes_the_colors_of_two_tones(instruction: str, colors: tuple[str | None, str | None]) -> None:
    (step,) = explain(instruction).steps
    assert (step.operation, (step.color, variant_of(step))) == ("duotone", colors)


@pytest.mark.parametrize(
    ("instruction", "operations"),
    [
        ("This was taken at night. Make it brighter.", ["low_light"]),
        ("it's too dark, taken at night", ["low_light"]),
        ("too dark", ["brightness"]),
        ("it was shot in low light, increase brightness by 20%", ["brightness"]),
    ],
)
def test_it_brings_light_back_to_a_photo_of_the_night(instruction: str, operations: list[str]) -> None:
    assert [operation for operation, _, _ in moves(instruction)] == operations


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("brighten it to show the details", [("brightness", 0.35)]),
        ("add contrast so the letters can be read", [("contrast", 0.35)]),
        ("raise the saturation until the roses look lively", [("saturation", 0.35)]),
        ("lighten it so it doesn't look washed out", [("brightness", 0.35)]),
        ("boost the contrast to make it less hazy", [("contrast", 0.35), ("dehaze", 0.35)]),
        ("make it sharper by increasing the clarity", [("sharpness", 0.35), ("clarity", 0.35)]),
        ("darken the photo because it is too vivid", [("brightness", -0.35), ("saturation", -0.35)]),
        ("brighten it a little so that it is brighter", [("brightness", 0.2)]),
        ("crop it so it isn't so dark", [("crop", None), ("brightness", 0.35)]),
        ("change the hue to make it warmer", [("warmth", 0.35)]),
        ("use a filter to make it less blue", [("tint", -0.35)]),
    ],
)
def test_it_tells_a_reason_from_another_wish(instruction: str, expected: list[tuple[str, float]]) -> None:
    assert [(operation, amount) for operation, _, amount in moves(instruction)] == expected


@pytest.mark.parametrize(
    "instruction",
    [
        "brighten it so that the car is gone",
        "photoshop this so that I am taller",
        "sharpen it and edit it so that it is like a poster",
        "enhance it so that the lamp is blue",
        "brighten it so that it is darker than before",
    ],
)
def test_it_never_drops_a_wish_that_looks_like_a_reason(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize("word", ["brightnes", "contrest", "saturatoin", "vibrence", "exposrue"])
def test_it_reads_misspelt_qualities(word: str) -> None:
    (step,) = explain(f"increase the {word}").steps
    assert (step.amount, step.target) == (0.35, Target("whole"))


@pytest.mark.parametrize("word", ["deform", "passed", "painted", "wording"])
def test_it_never_takes_another_word_for_a_misspelt_one(word: str) -> None:
    assert all(step.operation not in ("dehaze", "sticker") for step in explain(f"{word} the boy").steps)


def test_it_says_what_each_new_operation_does() -> None:
    said = {
        "tone down the highlights a little": "a little darker highlights, the whole photo",
        "remove the green cast": "much less green, the whole photo",
        "make it look like the 70s": "faded like an old photo, the whole photo",
        "denoise the picture": "less noise, the whole photo",
        "smooth her skin": "smoother skin, the whole photo",
    }
    assert {text: explain(text).steps[0].says for text in said} == said


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("lift the shadows", [("shadows", 0.35)]),
        ("give it a faded vintage look", [("faded", None)]),
        ("deeper colors", [("saturation", 0.35)]),
        ("make the photo crispier", [("sharpness", 0.35)]),
        ("brighten the midtones", [("brightness", 0.35)]),
        ("remove the white haze", [("dehaze", 0.65)]),
        ("take the dark tint out", [("brightness", 0.65)]),
        ("get rid of the sepia cast", [("white_balance", None)]),
        ("clean up the brown tint", [("tint", -0.4)]),
        ("remove the yellowing", [("tint", -0.65)]),
        ("boost the contrast and hue", [("contrast", 0.35), ("saturation", 0.35)]),
        ("make it more yellow instead of red", [("tint", 0.4), ("tint", -0.4)]),
        ("make it less white", [("brightness", -0.35)]),
        ("make the colors neutral", [("white_balance", None)]),
        ("bring this photo back to life", [("enhance", 0.35)]),
        ("change the hue of the photo to blue", [("tint", 0.4)]),
        ("remove the red tint form the photo", [("tint", -0.65)]),
        ("sharpen it for better contrast", [("sharpness", 0.4), ("contrast", 0.4)]),
        ("brighten and grayscale", [("brightness", 0.35), ("black_and_white", None)]),
    ],
)
def test_it_knows_more_words_for_light_and_color(
    instruction: str, expected: list[tuple[str, float | None]]
) -> None:
    assert [(operation, amount) for operation, _, amount in moves(instruction)] == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("apply a little boost to the clarity", [("clarity", 0.2)]),
        ("raise the vibrance with a slight exposure decrease", [("vibrance", 0.35), ("exposure", -0.2)]),
        ("scale up the sharpness", [("sharpness", 0.35)]),
        ("perform a reduction of the saturation", [("saturation", -0.35)]),
        ("bathe it in yellow light", [("tint", 0.35)]),
        ("whiten the photo", [("brightness", 0.35)]),
        ("give the picture a bit more glow", [("highlights", 0.2)]),
        ("brighten it for a clear view", [("brightness", 0.35), ("sharpness", 0.35)]),
        ("make the hues more distinctive", [("saturation", 0.4)]),
        ("reduce the harsh shadows", [("contrast", -0.35), ("shadows", 0.35)]),
        ("the photo looks muddy", [("contrast", 0.35)]),
        ("increase the dynamic range", [("hdr", None)]),
        ("make it punchier", [("enhance", 0.35)]),
        ("auto levels please", [("enhance", 0.35)]),
        ("lift the blacks", [("shadows", 0.35)]),
        ("deepen the blacks", [("shadows", -0.35)]),
        ("lower the whites a little", [("highlights", -0.2)]),
        ("recover the highlights", [("highlights", -0.35)]),
        ("recover the shadows", [("shadows", 0.35)]),
        ("fix the overexposed highlights", [("highlights", -0.35)]),
        ("lift the dark shadows", [("shadows", 0.35)]),
        ("make the dark tones a bit lighter", [("shadows", 0.2)]),
        ("give it soft light", [("contrast", -0.35)]),
        ("the lighting and the color are off", [("enhance", 0.35)]),
        ("get the colors right", [("white_balance", None)]),
        ("make the colors accurate", [("white_balance", None)]),
        ("neutralize the color cast", [("white_balance", None)]),
        ("brighten it a tad bit, etc", [("brightness", 0.2)]),
        ("brighten the picture as a whole", [("brightness", 0.35)]),
        ("the contrast may need to be raised", [("contrast", 0.35)]),
        ("make it so that the photo is sharper", [("sharpness", 0.35)]),
        ("make the picture so it isn't so dark", [("brightness", 0.35)]),
    ],
)
def test_it_knows_what_photographers_call_things(
    instruction: str, expected: list[tuple[str, float | None]]
) -> None:
    assert [(operation, amount) for operation, _, amount in moves(instruction)] == expected


@pytest.mark.parametrize(
    ("instruction", "operations"),
    [
        ("brighten the picture and colors", ["brightness", "saturation"]),
        ("lighten the hue and contrast", ["brightness", "contrast"]),
        ("brighten the colors and contrast", ["saturation", "contrast"]),
        ("sharpen the photo and contrast", ["sharpness", "contrast"]),
        ("brighten the lighting and the colors", ["brightness", "saturation"]),
        ("make the picture brighter and the colors bolder", ["brightness", "saturation"]),
    ],
)
def test_it_gives_a_verb_to_each_of_a_list(instruction: str, operations: list[str]) -> None:
    assert [(operation, amount) for operation, _, amount in moves(instruction)] == [
        (operation, 0.35) for operation in operations
    ]


@pytest.mark.parametrize(
    "instruction",
    ["darken the photo and colors", "darken the lighting and contrast", "brighten the photo and noise"],
)
def test_it_rejects_a_verb_that_not_all_of_a_list_can_follow(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "step"),
    [
        ("shift the hues towards pink", ("tint", 0.35)),
        ("adjust the color temperature toward blue", ("warmth", -0.35)),
        ("push the temperature towards the orange side", ("warmth", 0.35)),
        ("make it warmer, towards orange", ("warmth", 0.35)),
    ],
)
def test_it_moves_colors_towards_another(instruction: str, step: tuple[str, float]) -> None:
    assert [(operation, amount) for operation, _, amount in moves(instruction)] == [step]


def test_it_rejects_a_goal_that_lies_the_other_way() -> None:
    assert not explain("make it cooler, towards orange").accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("make the lighting cooler", [("warmth", -0.35)]),
        ("make the light more green", [("tint", 0.4)]),
        ("make the color temperature cooler", [("warmth", -0.35)]),
        ("make it light and warm", [("brightness", 0.35), ("warmth", 0.35)]),
        ("it's too bright and needs contrast", [("brightness", -0.35), ("contrast", 0.35)]),
    ],
)
def test_it_never_takes_what_is_described_for_a_wish(
    instruction: str, expected: list[tuple[str, float]]
) -> None:
    assert [(operation, amount) for operation, _, amount in moves(instruction)] == expected


@pytest.mark.parametrize(
    "instruction", ["make the light softer", "soften the light", "whiten the background", "add a soft glow"]
)
def test_it_rejects_what_light_cannot_be_made(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "step"),
    [
        ("the picture has a green cast", ("tint", -0.35)),
        ("the picture has a green cast, please fix it", ("tint", -0.35)),
        ("it looks reddish", ("tint", -0.35)),
        ("brightness the photo", ("brightness", 0.35)),
        ("the desired photo has a cooler look", ("warmth", -0.35)),
        ("the original photo has more of a red tint", ("tint", -0.4)),
        ("the input photo is not as sharp as the desired photo", ("sharpness", 0.35)),
    ],
)
def test_it_tells_a_fault_from_a_wish(instruction: str, step: tuple[str, float]) -> None:
    assert [(operation, amount) for operation, _, amount in moves(instruction)] == [step]


def test_it_never_takes_the_fault_of_a_part_for_a_wish() -> None:
    assert not explain("the sky has a green cast").accepted


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("lighten it so the picture doesn't look gray", "brightness"),
        ("raise the contrast until the gray tint is not visible", "contrast"),
        ("add contrast to the point where the hills can be seen", "contrast"),
    ],
)
def test_it_reads_how_far_a_change_is_to_go(instruction: str, operation: str) -> None:
    assert [step for step, _, _ in moves(instruction)] == [operation]


def test_it_never_takes_a_fault_for_met_that_the_change_leaves() -> None:
    assert not explain("darken it so the picture doesn't look gray").accepted


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ('make it look "faded"', "less colorful, the whole photo"),
        ('a "tiny bit" warmer', "a touch warmer, the whole photo"),
        ('write "bright" in red', "text “bright” in red"),
    ],
)
def test_it_tells_a_stressed_word_from_one_to_write(instruction: str, said: str) -> None:
    assert [step.says for step in explain(instruction).steps] == [said]


@pytest.mark.parametrize(
    ("instruction", "amount"),
    [("bring the colors back", 0.4), ("restore the original colors", 0.4), ("bring some color back", 0.35)],
)
def test_it_strengthens_the_colors_that_have_faded(instruction: str, amount: float) -> None:
    assert moves(instruction) == [("colorize", "whole", amount)]
    assert "as far as it has any" in explain(instruction).steps[0].says


@pytest.mark.parametrize(
    "instruction",
    [
        *("colorize my old black and white photo", "colorize the dress", "bring the boat back"),
        *("colorize this picture", "colour it in a little", "make it colored rather than b/w"),
    ],
)
def test_it_never_promises_colors_that_are_not_there(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "amount"),
    [("add film grain", 0.35), ("make it a bit grainy", 0.2), ("more noise please", 0.4)],
)
def test_it_adds_grain_to_who_wants_it(instruction: str, amount: float) -> None:
    assert moves(instruction) == [("grain", "whole", amount)]
    assert "film grain" in explain(instruction).steps[0].says


def test_it_takes_grain_away_from_who_complains_of_it() -> None:
    assert moves("the photo is grainy") == [("denoise", "whole", 0.35)]


def test_it_recolors_all_that_has_a_tone() -> None:
    (step,) = explain("turn the green tones orange").steps
    assert (step.operation, step.target, step.color) == ("recolor", Target("thing", color="green"), "orange")
    assert not explain("turn the green tint orange").accepted


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("sharpen it and make the make it a bit less green", "tint"),
        ("is is possible to make this picture warmer", "warmth"),
        ("filter the photo to black and white", "black_and_white"),
        ("reduce the glare from the lights", "highlights"),
        ("improve the general quality of the photo", "enhance"),
        ("make it look as natural as possible", "white_balance"),
        ("make this night sky pop", "saturation"),
        ("give this avatar a blue tint while keeping the content the same", "tint"),
    ],
)
def test_it_reads_more_ways_to_say_it(instruction: str, operation: str) -> None:
    assert moves(instruction)[-1][0] == operation


def test_it_tints_a_photo_that_is_to_be_of_one_color() -> None:
    assert moves("turn the entire photo green") == [("tint", "whole", 0.8)]
    assert not explain("turn it green").accepted
    assert not explain("make the photo white").accepted


@pytest.mark.parametrize("thing", ["cotton white scarf", "leather white bag", "white wooden bench"])
def test_what_a_thing_is_made_of_only_describes_it(thing: str) -> None:
    step = explain(f"change the color of the {thing} to red").steps[0]
    assert (step.operation, step.color, step.target.color) == ("recolor", "red", "white")


def test_what_is_before_the_background_only_describes_it() -> None:
    assert moves("darken the background behind the three girls in red") == [
        ("brightness", "background", -0.35)
    ]
    assert explain("make the background around the people gray").steps[0].color == "gray"


def test_of_two_qualities_the_first_is_taken() -> None:
    assert moves("make it sharper or less noisy") == [("sharpness", "whole", 0.35)]
    assert not explain("make it warmer or colder").accepted


def test_it_gives_a_found_thing_more_of_a_color() -> None:
    assert moves("adjust the color of the grass to be more yellow") == [("tint", "thing", 0.4)]


def test_a_photo_that_is_told_to_be_better_is_improved() -> None:
    assert [name for name, _, _ in moves("the image is sharper and more appealing")] == [
        "sharpness",
        "enhance",
    ]


def test_what_is_to_look_natural_is_the_part_that_is_named() -> None:
    assert only_step("make the skin look natural").target == Target("thing", noun="skin")
    assert only_step("make the sky more realistic", boxes=1).target == Target(
        "region", noun="sky", boxes=(1,)
    )
    assert only_step("make it look natural").target == Target("whole")


@pytest.mark.parametrize("boxes", [0, 1])
def test_two_new_colors_at_once_are_refused(boxes: int) -> None:
    regions = [BOX] * boxes
    assert not explain("swap the green with orange and the blue with pink", regions=regions).accepted
    assert not explain("replace green with orange and pink", regions=regions).accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("raise the contrast to make it sunnier and more vivid", ["more contrast", "brighter", "more vivid"]),
        ("brighten the shot to bring out the colours", ["brighter", "more vivid"]),
        ("sharpen it so the picture looks warmer", ["sharper", "warmer"]),
        ("brighten the picture so that the details are clearer", ["brighter"]),
        ("boost the exposure to make the photo lighter", ["more exposure"]),
        ("brighten it so the ship by the pier looks crisper", ["brighter"]),
    ],
)
def test_it_makes_the_effects_that_a_purpose_names(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == [f"{effect}, the whole photo" for effect in expected]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("The shot is a bit dull. Adjust the saturation and sharpen it", ["a little more vivid", "sharper"]),
        ("the picture is dark, adjust the exposure a little", ["brighter"]),
        ("the colours are too saturated, tone it down", ["less colorful"]),
        ("make the shot sharper, it's so blurry", ["sharper"]),
        ("it's not so vivid", ["more vivid"]),
        ("looks dull", ["more vivid"]),
        ("a bit underexposed", ["a little more exposure"]),
    ],
)
def test_a_complaint_asks_once(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == [f"{effect}, the whole photo" for effect in expected]


def test_it_never_takes_a_praise_or_a_denied_fault_for_a_wish() -> None:
    assert not explain("it's not so dull", regions=[BOX]).accepted
    assert not explain("improve or sharpen the shot without making the sky green", regions=[BOX]).accepted


@pytest.mark.parametrize("instruction", ["Colour Correction", "auto correct the colours"])
def test_a_mere_correction_is_automatic(instruction: str) -> None:
    assert [operation for operation, _, _ in moves(instruction)] == ["enhance"]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("brighten it, but not too much", [("brightness", "whole", 0.2)]),
        ("sharpen, don't go overboard", [("sharpness", "whole", 0.2)]),
        ("make it a lot brighter without washing it out", [("brightness", "whole", 0.35)]),
        ("brighten the shot, but keep it dark", [("brightness", "whole", 0.2)]),
        ("improve the picture but keep it natural", [("enhance", "whole", 0.2)]),
    ],
)
def test_it_does_less_where_little_is_wanted(
    instruction: str, expected: list[tuple[str, str, float]]
) -> None:
    assert moves(instruction) == expected


@pytest.mark.parametrize("instruction", ["but not too much", "crop it to a square, but not too much"])
def test_a_moderation_needs_a_change_that_could_be_smaller(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("bring out the greens", ["more vivid, green parts"]),
        ("accentuate the blues in her coat", ["more vivid, blue coat"]),
        ("highlight orange tones", ["more vivid, orange parts"]),
        ("highlight the colours", ["more vivid, the whole photo"]),
        ("mute the reds", ["less colorful, red parts"]),
        (
            "brighten it with a bit of pink",
            ["brighter, the whole photo", "a little more pink, the whole photo"],
        ),
    ],
)
def test_it_tells_the_colors_that_are_there_from_a_tint(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("make it brighter with better colours", ["brighter", "more vivid"]),
        ("make the shot darker and a little bit of color", ["darker", "a little more vivid"]),
        ("make it a bit warmer and the colors pop", ["a little warmer", "more vivid"]),
        ("make it cooler with better contrast", ["cooler", "more contrast"]),
        ("brighter colors", ["more vivid"]),
        ("it enhanced the contrast, enhanced the sharpness", ["more contrast", "sharper"]),
    ],
)
def test_it_never_loses_a_quality_beside_the_colors(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == [f"{effect}, the whole photo" for effect in expected]


@pytest.mark.parametrize(
    ("instruction", "operation", "amount"),
    [
        ("pull back the highlights", "highlights", -0.35),
        ("knock the highlights back a touch", "highlights", -0.1),
        ("open up the shadows", "shadows", 0.35),
        ("shadows up", "shadows", 0.35),
        ("shadows down a bit", "shadows", -0.2),
        ("crush the blacks", "shadows", -0.35),
        ("nudge the contrast up", "contrast", 0.35),
        ("drop the brightness a little", "brightness", -0.2),
        ("go easy on the saturation", "saturation", -0.35),
        ("reveal the hidden details", "shadows", 0.35),
        ("softer contrast", "contrast", -0.35),
        ("deeper shadows", "shadows", -0.35),
        ("a bit too much blue", "tint", -0.35),
    ],
)
def test_it_knows_more_of_what_photographers_say(instruction: str, operation: str, amount: float) -> None:
    assert moves(instruction) == [(operation, "whole", amount)]


def test_somebody_stands_out_by_contrast_and_color() -> None:
    expected = [("contrast", "subject", 0.35), ("saturation", "subject", 0.35)]
    assert moves("make the subject stand out") == expected
    assert moves("adjust the light to make the subject stand out")[1:] == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        (
            "replace red with green and blue with orange",
            ["red parts turned green", "blue parts turned orange"],
        ),
        (
            "turn the pink car to gray and the black hat to red",
            ["the pink car turned gray", "black hat turned red"],
        ),
    ],
)
def test_one_verb_turns_two_colors(instruction: str, expected: list[str]) -> None:
    assert said(instruction) == expected


def test_what_is_to_be_artistic_is_not_merely_improved() -> None:
    assert not explain("make the picture nicer and artistic").accepted


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("correct the lighting", "light improved automatically"),
        ("adjust exposure and contrast", "light improved automatically"),
        ("colour correction please", "color improved automatically"),
        ("fix the saturation", "color improved automatically"),
        ("adjust the color temperature", "color cast evened out, the whole photo"),
        ("correct the overexposure", "much less exposure, the whole photo"),
    ],
)
def test_what_is_named_is_set_automatically_and_nothing_else(instruction: str, said: str) -> None:
    assert [step.says for step in explain(instruction).steps] == [said]


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("make it so it's not so bright", "darker, the whole photo"),
        ("it's not so bright", "brighter, the whole photo"),
        ("increase the shadow value a bit", "a little lighter shadows, the whole photo"),
        ("lower the shadow level", "darker shadows, the whole photo"),
        ("the shadows are too low", "lighter shadows, the whole photo"),
        ("the shadows are too strong", "lighter shadows, the whole photo"),
        ("brighten up the entirety of my photo", "brighter, the whole photo"),
        ("raise the brilliance", "brighter, the whole photo"),
        ("the picture is too gritty", "less noise, the whole photo"),
        ("make it look like a professional click", "light, color and sharpness improved automatically"),
        ("make the flower bed brighter", "brighter, the flowers"),
    ],
)
def test_it_moves_light_in_the_direction_that_is_meant(instruction: str, said: str) -> None:
    assert [step.says for step in explain(instruction).steps] == [said]


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("boost the purple saturation in the picture", ["more vivid, purple parts"]),
        ("a bit less red saturation", ["a little less colorful, red parts"]),
        ("increase the red and blue saturation", ["more vivid, red parts", "more vivid, blue parts"]),
        ("more blue hue and saturation", ["more blue, the whole photo", "more vivid, the whole photo"]),
        ("increase the blue saturation and the contrast", []),
    ],
)
def test_the_saturation_of_a_color_is_that_of_its_parts_alone(instruction: str, said: list[str]) -> None:
    for regions, where in ((), "the whole photo"), ((BOX,), "the marked place"):
        told = [words.replace("the whole photo", where) for words in said]
        assert [step.says for step in explain(instruction, regions=regions).steps] == told


@pytest.mark.parametrize("instruction", ["make his hair not so grey", "make my hair less gray"])
def test_gray_hair_has_no_color_to_bring_out(instruction: str) -> None:
    plan = explain(instruction)
    assert not plan.accepted
    assert "new color" in plan.message


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("sharpness and brightness", [("sharpness", 0.35), ("brightness", 0.35)]),
        ("contrast & clarity!", [("contrast", 0.35), ("clarity", 0.35)]),
        ("sharpness and blur", []),
        ("shadows and contrast", []),
        ("colour saturation and focus on the couple", []),
    ],
)
def test_a_bare_list_of_qualities_asks_for_more_of_each(
    instruction: str, expected: list[tuple[str, float]]
) -> None:
    assert [(step.operation, step.amount) for step in explain(instruction).steps] == expected


def test_after_a_tint_the_rest_is_the_photo() -> None:
    steps = explain("less yellow please, and lighten the rest").steps
    assert [step.says for step in steps] == ["less yellow, the whole photo", "brighter, the whole photo"]
    assert not explain("brighten the photo and blur the rest").accepted


def test_it_hears_what_the_desired_photo_is_like() -> None:
    assert moves("the desired image is bright") == [("brightness", "whole", 0.35)]
    assert not explain("the original image is bright").accepted


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("brightness 15 saturation -10", ["brighter by 15%", "less colorful by 10%"]),
        (
            "warmth 25 clarity 5 contrast -20",
            ["warmer by 25%", "more local contrast by 5%", "less contrast by 20%"],
        ),
        ("highlights -15 and contrast 10", ["darker highlights by 15%", "more contrast by 10%"]),
        ("exposure 2 brightness -5", ["more exposure by 2 stops", "darker by 5%"]),
    ],
)
def test_each_slider_keeps_its_own_sign(instruction: str, words: list[str]) -> None:
    assert said(instruction) == [f"{word}, the whole photo" for word in words]


@pytest.mark.parametrize("instruction", ["gamma 2", "brightness 1.3", "saturation: 0.8"])
def test_a_factor_is_no_percentage(instruction: str) -> None:
    assert "percentage" in explain(instruction).message
