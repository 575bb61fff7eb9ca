"""Tone: which quality moves, in which direction, how much, and where."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason, Target
from editor.options import Region
from tests.engine.readings import only_step

BOX = Region(0.1, 0.1, 0.3, 0.3)


def moves(instruction: str) -> list[tuple[str, str, float | None]]:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    return [(step.operation, step.target.what, step.amount) for step in plan.steps]


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


@pytest.mark.parametrize(
    ("how_much", "amount"),
    [
        ("a touch", 0.1),
        ("slightly", 0.2),
        ("a little bit", 0.2),
        ("somewhat", 0.2),
        ("quite a bit", 0.4),
        ("a lot", 0.65),
        ("alot", 0.65),
        ("dramatically", 0.8),
        ("as much as possible", 1.0),
        ("a tiny amount", 0.1),
        ("a notch", 0.2),
    ],
)
def test_it_knows_the_words_for_amounts(how_much: str, amount: float) -> None:
    assert moves(f"brighten the photo {how_much}") == [("brightness", "whole", amount)]


@pytest.mark.parametrize(
    ("instruction", "amount", "percent"),
    [
        ("increase brightness by 20%", 0.2, 20),
        ("decrease brightness by 15 percent", -0.15, 15),
        ("make it 30% brighter", 0.3, 30),
        ("brightness up 10 points", None, None),
        ("reduce the brightness by half", -0.5, 50),
        ("double the brightness", 1.0, 100),
        ("make it half as bright", -0.5, 50),
    ],
)
def test_it_takes_numbers_exactly(instruction: str, amount: float | None, percent: float | None) -> None:
    plan = explain(instruction)
    if amount is None:
        assert not plan.accepted or plan.steps[0].operation == "brightness"
    else:
        assert [(step.amount, step.exact) for step in plan.steps] == [(amount, (percent, "percent"))]


def test_it_gives_each_quality_its_own_amount() -> None:
    assert moves("make it a little brighter and a lot more colorful") == [
        ("brightness", "whole", 0.2),
        ("saturation", "whole", 0.65),
    ]


def test_it_takes_a_closing_too_for_also() -> None:
    assert moves("brighten it and increase the contrast a bit too")[1] == ("contrast", "whole", 0.2)


def test_it_rejects_a_second_wish_that_hides_behind_a_name() -> None:
    assert not explain("sharpen the letters and rhyme them", regions=[BOX]).accepted


def test_it_shares_the_only_amount_of_a_clause() -> None:
    assert moves("increase contrast and saturation slightly") == [
        ("contrast", "whole", 0.2),
        ("saturation", "whole", 0.2),
    ]


def test_it_ends_a_less_before_a_comparative() -> None:
    assert moves("less warm and sharper") == [("warmth", "whole", -0.35), ("sharpness", "whole", 0.35)]


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("darken the background", "background"),
        ("make only the backdrop darker", "background"),
        ("reduce the brightness behind me", "background"),
        ("darken the subject", "subject"),
        ("make the people darker", "subject"),
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
        "edit the picture",
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


@pytest.mark.parametrize("instruction", ["increase brightness by 200%", "make it 150% brighter"])
def test_it_says_what_it_does_with_more_than_everything(instruction: str) -> None:
    (step,) = explain(instruction).steps
    assert (step.amount, step.exact) == (1.0, None)
    assert step.says == "as far as possible: brighter, the whole photo"


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


@pytest.mark.parametrize("how", ["strong", "much", "a lot of", "extremely", "plain"])
def test_it_never_makes_a_strong_look_weaker_than_a_plain_one(how: str) -> None:
    assert moves(f"{how} sepia") == [("sepia", "whole", None)]


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
    ("instruction", "amounts"),
    [
        ("brighter by 20 percent and sharper by 30 percent", [0.2, 0.3]),
        ("increase contrast by 20% and saturation by 30%", [0.2, 0.3]),
        ("increase contrast and brightness by 20%", [0.2, 0.2]),
        ("make it brighter and slightly warmer", [0.35, 0.2]),
        ("make it slightly brighter and warmer", [0.2, 0.2]),
    ],
)
def test_it_gives_an_amount_to_the_quality_beside_it(instruction: str, amounts: list[float]) -> None:
    assert [amount for _, _, amount in moves(instruction)] == amounts


@pytest.mark.parametrize(
    "instruction",
    [
        "blur the background a lot and the subject a little",
        "20% brighter by 30%",
        "darken by -20%",
        "make it as bright as the background",
        "bring the brightness down and the contrast up",
        "brighten the photo and the sky",
        "reduce the flash and contrast",
    ],
)
def test_it_rejects_more_amounts_than_changes(instruction: str) -> None:
    assert not explain(instruction).accepted


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
    "instruction", ["darken around the box", "blur around the subject", "darken behind the box"]
)
def test_it_never_changes_a_landmark(instruction: str) -> None:
    assert not explain(instruction, regions=[BOX]).accepted


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
    assert (step.operation, (step.color, step.choice)) == ("duotone", colors)


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


@pytest.mark.parametrize(
    ("instruction", "signs"),
    [("contrast +20", 1), ("brightness -15%", -1), ("saturation up 10%", 1), ("contrast down a bit", -1)],
)
def test_it_takes_the_direction_from_a_sign(instruction: str, signs: int) -> None:
    (step,) = explain(instruction).steps
    assert (1 if (step.amount or 0) > 0 else -1) == signs


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
    ("instruction", "target"),
    [
        ("brighten the girl on the left", Target("thing", noun="girl", place="left")),
        ("darken the woman in the foreground", Target("subject")),
        ("lighten the cat a little", Target("thing", noun="cat")),
    ],
)
def test_it_changes_the_light_of_one_person_or_animal(instruction: str, target: Target) -> None:
    assert [step.target for step in explain(instruction).steps] == [target]
    box = Region(0.1, 0.1, 0.3, 0.3)
    assert [step.target.what for step in explain(instruction, regions=[box]).steps] == ["region"]


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
    [("colorize this picture", 0.4), ("bring the colors back", 0.4), ("colour it in a little", 0.2)],
)
def test_it_strengthens_the_colors_of_a_photo_to_be_colored(instruction: str, amount: float) -> None:
    assert moves(instruction) == [("colorize", "whole", amount)]
    assert "as far as it has any" in explain(instruction).steps[0].says


@pytest.mark.parametrize(
    "instruction", ["colorize my old black and white photo", "colorize the dress", "bring the boat back"]
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


def test_what_a_photo_shows_is_no_place_after_a_quality_either() -> None:
    assert moves("make this photo sharper of my aunt and her cat") == [("sharpness", "whole", 0.35)]


def test_it_does_more_where_more_is_wanted() -> None:
    found = explain("cool the picture, especially the girl on the right")
    assert [step.target.what for step in found.steps] == ["whole", "thing"]
    assert {step.operation for step in found.steps} == {"warmth"}
    assert not explain("sharpen the photo, especially remove the sign").accepted


def test_the_skin_of_somebody_is_skin() -> None:
    assert explain("darken the skin of the man").steps[0].target == Target("thing", noun="skin")


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
    assert only_step("make the sky more realistic", boxes=1).target == Target("region", boxes=(1,))
    assert only_step("make it look natural").target == Target("whole")


@pytest.mark.parametrize("boxes", [0, 1])
def test_two_new_colors_at_once_are_refused(boxes: int) -> None:
    regions = [BOX] * boxes
    assert not explain("swap the green with orange and the blue with pink", regions=regions).accepted
    assert not explain("replace green with orange and blue with pink", regions=regions).accepted
