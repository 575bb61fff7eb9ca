"""Additions: text, frames, drawings, effects, stickers."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Kind, Reason, Target
from tests.engine.readings import BOX, measure_of, only_reason, only_step, variant_of


@pytest.mark.parametrize(
    ("instruction", "text", "place", "color"),
    [
        ('add the text "Summer 2026" at the bottom right', "Summer 2026", "bottom right", None),
        ("write “It's here, and blur it” in white at the top", "It's here, and blur it", "top", "white"),
        ("put the words 'Hello there' in the center", "Hello there", "center", None),
        ('Add a red caption saying "STOP. Now!"', "STOP. Now!", None, "red"),
    ],
)
def test_it_adds_quoted_text_letter_for_letter(
    instruction: str, text: str, place: str | None, color: str | None
) -> None:
    step = only_step(instruction)
    assert (step.kind, step.text, step.place, step.color) == (Kind.ADD, text, place, color)


def test_it_adds_two_texts() -> None:
    plan = explain('add "A" at the top and "B" at the bottom')
    assert [(step.text, step.place) for step in plan.steps] == [("A", "top"), ("B", "bottom")]


@pytest.mark.parametrize(
    ("instruction", "text", "place"),
    [
        ("add a caption saying Merry Christmas Tom at the top", "Merry Christmas Tom", "top"),
        ("write text that says good night, please", "good night", None),
        ("add the word PROOF to the photo", "PROOF", None),
        ("put the title Summer of Love at the bottom", "Summer of Love", "bottom"),
    ],
)
def test_it_adds_text_without_quotes_where_it_is_sure(instruction: str, text: str, place: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.text, step.place) == ("text", text, place)


@pytest.mark.parametrize(
    "instruction",
    [
        "put the words lost in the woods on it",
        "add a caption saying hello and make it brighter",
        "ADD THE WORD HELLO BIG",
        "add the title of the film",
    ],
)
def test_it_requires_quotes_where_the_end_of_a_text_is_open(instruction: str) -> None:
    assert not any(step.operation == "text" for step in explain(instruction).steps)


@pytest.mark.parametrize(
    ("instruction", "choice", "exact"),
    [
        ('add small text "Hi" at the top', "small", None),
        ('put big letters "Hi" in the center', "large", None),
        ('write "Hi" 40 pixels high', None, (40, "pixels")),
    ],
)
def test_it_adds_text_of_a_size(
    instruction: str, choice: str | None, exact: tuple[float, str] | None
) -> None:
    assert (variant_of(only_step(instruction)), measure_of(only_step(instruction))) == (choice, exact)


def test_it_adds_text_in_the_box_that_it_names() -> None:
    assert only_step('write "Hi" here', boxes=1).target == Target("region", boxes=(1,))
    assert only_step('put the text "Hi" on the wall', boxes=1).target == Target("region", boxes=(1,))
    assert only_reason('put the text "Hi" on the wall') is Reason.NEEDS_REGION


def test_it_never_takes_an_amount_in_quotes_for_a_text() -> None:
    assert (
        not explain('add a "little bit" of pink').steps[:1]
        or explain('add a "little bit" of pink').steps[0].operation != "text"
    )


@pytest.mark.parametrize(
    ("instruction", "text", "place", "choice"),
    [
        ('add the watermark "Jo" at the top left', "Jo", "top left", None),
        ('watermark it with "Studio" all over', "Studio", None, "tiled"),
        ('put a white watermark "© Ann" in the corner', "© Ann", "bottom right", None),
    ],
)
def test_it_adds_a_watermark(instruction: str, text: str, place: str | None, choice: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.text, step.place, variant_of(step)) == ("watermark", text, place, choice)


def test_it_requires_quotes_around_text() -> None:
    assert "quotes" in explain("add a caption at the bottom").message


@pytest.mark.parametrize(
    ("instruction", "color", "exact", "amount"),
    [
        ("add a border", "white", None, None),
        ("put a thick black frame around the picture", "black", None, 0.65),
        ("add a 20px red border", "red", (20, "pixels"), None),
        ("add a thin border", "white", None, 0.2),
        ("5% blue border", "blue", (5, "percent"), None),
    ],
)
def test_it_adds_a_border(
    instruction: str, color: str, exact: tuple[float, str] | None, amount: float | None
) -> None:
    step = only_step(instruction)
    assert (step.operation, step.color, measure_of(step), step.amount) == ("border", color, exact, amount)


@pytest.mark.parametrize(
    "instruction", ["add a slight vignette", "darken the corners slightly", "vignette -20"]
)
def test_it_adds_a_vignette(instruction: str) -> None:
    assert (only_step(instruction).operation, only_step(instruction).amount) == ("vignette", 0.2)


def test_a_vignette_of_one_side_is_a_darker_side() -> None:
    step = only_step("add a slight dark vignette along the bottom")
    assert (step.operation, step.amount, step.target) == ("brightness", -0.2, Target("place", place="bottom"))


@pytest.mark.parametrize(
    "instruction", ["vignette 20", "a white vignette at the top", "a vignette at the left and right"]
)
def test_it_does_not_guess_what_a_vignette_is_like(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "choice", "color"),
    [
        ("add a polaroid frame", "polaroid", None),
        ("put it in a black film strip frame", "film", "black"),
        ("give it rounded corners", "rounded", None),
        ("add a double gold border", "double", "gold"),
    ],
)
def test_it_adds_a_frame(instruction: str, choice: str, color: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step), step.color) == ("frame", choice, color)


@pytest.mark.parametrize(
    ("instruction", "choice", "color", "place", "amount"),
    [
        ("add a yellow star at the top right", "star", "yellow", "top right", None),
        ("draw a big red circle in the center", "circle", "red", "center", 0.65),
        ("put a small green check mark at the bottom", "check", "green", "bottom", 0.2),
    ],
)
def test_it_draws_a_shape(
    instruction: str, choice: str, color: str, place: str, amount: float | None
) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step), step.color) == ("shape", choice, color)
    assert (step.place, step.amount) == (place, amount)


def test_it_draws_a_shape_around_what_it_names() -> None:
    assert only_step("draw a red circle around the face").target == Target("face")
    assert only_step("draw a circle around the cup", boxes=1).target == Target("region", boxes=(1,))
    assert only_reason("draw a circle around the lighthouse") is Reason.NEEDS_REGION
    assert only_step("draw a filled blue rectangle at the top").values["filled"] is True


@pytest.mark.parametrize(
    ("instruction", "choice", "place"),
    [
        ("add an arrow pointing left", "left", None),
        ("add a red arrow at the top pointing down", "down", "top"),
        ("draw a right arrow", "right", None),
        ("put an arrow in the bottom left", None, "bottom left"),
    ],
)
def test_it_draws_an_arrow(instruction: str, choice: str | None, place: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step), step.place) == ("arrow", choice, place)


def test_it_requires_a_box_for_what_an_arrow_points_at() -> None:
    assert only_reason("add an arrow pointing at the sign") is Reason.NEEDS_REGION
    assert only_step("add an arrow pointing at the sign", boxes=1).target == Target("region", boxes=(1,))


@pytest.mark.parametrize(
    ("instruction", "text", "place"),
    [
        ("add \U0001f525 at the top", "\U0001f525", "top"),
        ("put a smiley in the top left corner", "\U0001f600", "top left"),
        ("add a heart emoji at the bottom", "\u2764\ufe0f", "bottom"),
        ("stick a thumbs up in the corner", "\U0001f44d", "bottom right"),
    ],
)
def test_it_adds_an_emoji(instruction: str, text: str, place: str) -> None:
    step = only_step(instruction)
    assert (step.operation, step.text, step.place) == ("emoji", text, place)


def test_it_ignores_an_emoji_that_decorates_a_sentence() -> None:
    assert only_step("brighten it please \U0001f600").operation == "brightness"


@pytest.mark.parametrize(
    ("instruction", "operation", "amount"),
    [
        ("add falling snow", "snow", None),
        ("make it rain", "rain", None),
        ("change the weather to heavy rain", "rain", 0.65),
        ("add a light leak", "light_leak", None),
        ("add a drop shadow", "shadow", None),
    ],
)
def test_it_adds_an_effect(instruction: str, operation: str, amount: float | None) -> None:
    assert (only_step(instruction).operation, only_step(instruction).amount) == (operation, amount)


@pytest.mark.parametrize(
    "instruction", ["add snow on the roof", "put snow in the background", "remove the snow"]
)
def test_it_never_lets_it_snow_on_a_part(instruction: str) -> None:
    assert "snow" not in [step.operation for step in explain(instruction).steps]


@pytest.mark.parametrize(
    ("instruction", "place", "choice"),
    [
        ("put photo 2 in the top right corner", "top right", None),
        ("add the second picture as a sticker", None, None),
        ("put the logo from photo 2 at the bottom left", "bottom left", "cutout"),
        ("paste image 2 onto photo 1 at the top", "top", None),
    ],
)
def test_it_lays_a_supplied_photo_on_the_first(
    instruction: str, place: str | None, choice: str | None
) -> None:
    step = only_step(instruction, photos=2)
    assert (step.operation, step.photo, step.place, variant_of(step)) == ("sticker", 2, place, choice)


def test_it_lays_a_supplied_photo_in_the_box() -> None:
    assert only_step("put photo 2 here", photos=2, boxes=1).target == Target("region", boxes=(1,))
    assert measure_of(only_step("add photo 2 at 20% width in the top left", photos=2)) == (20, "percent")


@pytest.mark.parametrize("instruction", ["add the face from photo 2", "add photo 2 to photo 1"])
def test_it_rejects_a_sticker_that_is_not_sure(instruction: str) -> None:
    assert not explain(instruction, photos=2).accepted


@pytest.mark.parametrize(
    "instruction", ["add a dog", "insert a castle next to me", "replace the cup with a glass"]
)
def test_it_rejects_new_things(instruction: str) -> None:
    assert only_reason(instruction) is Reason.NEEDS_GENERATION


def test_it_puts_the_only_addition_in_the_box() -> None:
    assert only_step('add "Hi"', boxes=1).target == Target("region", boxes=(1,))
    assert only_step('add "Hi" at the top', boxes=1).target == Target("whole")


def test_it_leaves_the_box_to_the_step_that_names_it() -> None:
    plan = explain('remove the cup and add "Hi"', regions=[BOX])
    assert plan.accepted, plan.message
    assert [step.target.what for step in plan.steps] == ["region", "whole"]


@pytest.mark.parametrize(
    ("instruction", "is_filled"),
    [
        ("add a blue heart in the top right", True),
        ("put a gold star at the bottom", True),
        ("draw a red heart outline", False),
        ("draw a star around the dog", False),
        ("add a green circle at the top", False),
    ],
)
def test_it_fills_hearts_and_stars(instruction: str, is_filled: bool) -> None:
    assert only_step(instruction, boxes=1).values.get("filled", False) is is_filled


def test_it_rejects_a_double_exposure() -> None:
    assert not explain("give it a double exposure effect").accepted


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("add a rainbow to the sky", "rainbow"),
        ("draw the moon at the top left", "moon"),
        ("put stars in the sky", "stars"),
        ("add a few fluffy clouds", "clouds"),
        ("add a lightning bolt on the right", "lightning"),
        ("add fireworks", "fireworks"),
        ("put some smoke in the background", "smoke"),
        ("add sun rays from the left", "light_rays"),
        ("insert a lens flare", "lens_flare"),
        ("add glitter", "sparkles"),
        ("add pink hearts", "hearts"),
        ("add soap bubbles", "bubbles"),
        ("add confetti", "confetti"),
        ("add bokeh lights", "bokeh_lights"),
        ("add fog", "fog"),
        ("make it misty", "fog"),
    ],
)
def test_it_draws_air_light_and_sky(instruction: str, operation: str) -> None:
    assert only_step(instruction).operation == operation


def test_storm_clouds_are_dark_and_a_big_moon_is_large() -> None:
    assert only_step("add storm clouds").color == "dark gray"
    assert (only_step("add a big moon").amount or 0) > (only_step("add a small moon").amount or 1)


def test_a_sky_can_be_marked() -> None:
    assert only_step("add a rainbow", boxes=1).target == Target("region", boxes=(1,))
    assert only_step("add smoke in the background").target == Target("background")


@pytest.mark.parametrize(
    "instruction",
    [
        *("make the sun brighter", "add stars around his head", "add bubbles, a shark and coins"),
        *(
            "add some sun",
            "put a moon instead of the ball",
            "add rainbow colors to the shirt",
            "add 3 hearts",
        ),
    ],
)
def test_what_it_draws_is_never_drawn_elsewhere(instruction: str) -> None:
    drawn = {"sun", "stars", "bubbles", "moon", "rainbow", "hearts"}
    plan = explain(instruction)
    assert not plan.accepted or drawn.isdisjoint(step.operation for step in plan.steps)


@pytest.mark.parametrize(
    ("instruction", "emoji"),
    [
        ("add a butterfly sticker", "🦋"),
        ("put a cartoon cat at the top left", "🐈"),
        ("add a hat emoji", "🎩"),
    ],
)
def test_things_are_drawn_as_emoji_when_that_is_asked(instruction: str, emoji: str) -> None:
    assert (only_step(instruction).operation, only_step(instruction).text) == ("emoji", emoji)


def test_things_are_not_drawn_otherwise() -> None:
    plan = explain("add a violin")
    assert not plan.accepted
    assert "emoji" in plan.message


@pytest.mark.parametrize(
    ("instruction", "color", "place"),
    [
        ("add black bars at the top and bottom", "black", "top bottom"),
        ("add a white strip at the bottom", "white", "bottom"),
        ("add white space around the photo", "white", None),
    ],
)
def test_it_adds_bars(instruction: str, color: str, place: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.color, step.place) == ("border", color, place)


def test_the_words_are_taken_without_quotes() -> None:
    assert only_step("add the word sample").text == "sample"
    assert only_step("write the words see you soon at the bottom").text == "see you soon"
    assert not explain("add text and a title").accepted


@pytest.mark.parametrize(
    ("instruction", "operation", "what"),
    [
        ("add mist behind the horse", "fog", "background"),
        ("add smoke behind the woman", "smoke", "background"),
        ("put some stars behind the women", "stars", "whole"),
    ],
)
def test_what_is_behind_somebody_is_not_drawn_over_them(instruction: str, operation: str, what: str) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target.what) == (operation, what)


def test_fog_behind_a_table_is_not_over_the_table() -> None:
    assert only_reason("add mist behind the table") is Reason.NO_SUCH_TARGET


@pytest.mark.parametrize(
    ("instruction", "says"),
    [
        ("draw a blue circle around the dog on the right", "blue circle around the dog on the right"),
        ("put a star on the right cup", "filled star on the cup on the right"),
        ("add an arrow at the woman on the right", "arrow pointing at the woman on the right"),
        ("draw a moon at the top left", "a moon drawn into the sky at the top left"),
        ("add dense mist", "much fog, the whole photo"),
        ("add soft fog", "a little fog, the whole photo"),
        ("thick grain", "much film grain, the whole photo"),
    ],
)
def test_it_says_where_and_how_much(instruction: str, says: str) -> None:
    assert only_step(instruction).says == says


def test_a_place_that_tells_which_thing_is_not_a_place_in_it() -> None:
    step = only_step("put a star on the right cup")
    assert (step.target.place, step.place) == ("right", None)


def test_fog_may_be_asked_for_in_a_box() -> None:
    assert only_step("mist in the box", boxes=1).target == Target("region", boxes=(1,))


def test_the_second_box_is_told_by_its_number() -> None:
    assert only_step("brighten box 2", boxes=2).says == "brighter, box 2"


def test_an_arrow_points_at_one_thing() -> None:
    assert only_reason("draw an arrow from the cup to the bottle") is Reason.AMBIGUOUS


def test_fog_has_no_color() -> None:
    assert only_reason("add red mist") is Reason.AMBIGUOUS


@pytest.mark.parametrize(
    ("instruction", "instead"),
    [
        ("add a bowler hat", "add a hat emoji on the head"),
        ("add goggles in a bold style", "add a goggles emoji on the face"),
        ("add a crab", "add a crab emoji"),
    ],
)
def test_what_is_worn_is_offered_where_it_is_worn(instruction: str, instead: str) -> None:
    assert explain(instruction).instead == instead
    assert explain(instead).accepted
