"""Whole instructions: clauses, spans, what stays as it is, refusals, and any string at all."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.engine.language.explain import explain
from editor.engine.language.lexicon import distance
from editor.engine.plan import Plan, Reason, Target
from editor.options import Region

BOX = Region(0.1, 0.1, 0.3, 0.3)


def operations(plan: Plan) -> list[str]:
    return [step.operation for step in plan.steps]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("brighten it, crop to 1:1 and rotate 90 degrees", ["brightness", "crop", "rotate"]),
        ("Sharpen the photo. Then flip it; add a border!", ["sharpness", "flip", "border"]),
        ("make it black and white and add a vignette", ["black_and_white", "vignette"]),
        ("increase brightness & contrast / saturation", ["brightness", "contrast", "saturation"]),
        (
            "flip it, increase contrast, and remove the background",
            ["flip", "contrast", "transparent_background"],
        ),
        ("Brighten the photo Flip the photo", ["brightness", "flip"]),
        ("blur the background\nmake the subject brighter", ["blur_background", "brightness"]),
    ],
)
def test_it_reads_the_clauses_in_the_order_of_the_text(instruction: str, expected: list[str]) -> None:
    assert operations(explain(instruction)) == expected


@pytest.mark.parametrize(
    "instruction",
    [
        "Hi! Can someone please brighten this photo? Thanks in advance!",
        "[Specific] COULD ANYBODY BRIGHTEN THIS PICTURE, PLEASE",
        "My sister took this. I would like you to brighten it. Thank you so much :)",
        "please brighten the image so that the people are visible",
    ],
)
def test_it_strips_courtesy_and_stories(instruction: str) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert operations(plan) == ["brightness"]


def test_it_says_where_in_the_instruction_a_step_stands() -> None:
    instruction = "Please make the red car blue, then crop to 16:9. Thanks!"
    spans = [instruction[slice(*step.words)] for step in explain(instruction).steps]
    assert spans == ["make the red car blue", "crop to 16:9"]


def test_it_names_the_words_that_it_did_not_understand() -> None:
    plan = explain("make the red car blue and add sparkles")
    (refusal,) = plan.not_understood
    assert (refusal.words, refusal.reason) == ("add sparkles", Reason.UNKNOWN_WORD)
    assert plan.message.startswith('Not understood: "add sparkles".')
    assert operations(plan) == ["recolor"]
    assert not plan.accepted


def test_it_does_the_understood_part_when_asked_to() -> None:
    plan = explain("brighten the photo and add sparkles", partial=True)
    assert plan.accepted
    assert plan.message == ""
    assert len(plan.not_understood) == 1


@pytest.mark.parametrize(
    ("instruction", "kept"),
    [
        ("black and white but keep the subject in color", "subject"),
        ("brighten the photo without changing the background", "background"),
        ("make it darker except for the face", "face"),
        ("warm it up, and leave the background as it is", "background"),
    ],
)
def test_it_protects_what_is_to_stay(instruction: str, kept: str) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert [step.keep for step in plan.steps] == [(Target(kept),)]
    assert f"the {kept} kept as it is" in plan.steps[0].says


@pytest.mark.parametrize(
    "instruction",
    [
        "black and white except the red car",
        "brighten the photo but keep the sky",
        "keep only the subject",
        "brighten the photo, not the background",
        "blur the background without changing the background",
        "brighten it, do not change the colors",
    ],
)
def test_it_never_drops_an_exception_in_silence(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_it_protects_the_box_when_the_thing_has_no_other_name() -> None:
    plan = explain("brighten the photo but keep the sky", regions=[BOX])
    assert plan.steps[0].keep == (Target("region", boxes=(1,)),)


def test_it_accepts_that_the_rest_stays() -> None:
    assert explain("brighten the background and keep everything else the same").accepted


def test_it_rejects_an_unclear_it() -> None:
    plan = explain('add "Hi" at the top and make it red')
    assert [refusal.reason for refusal in plan.not_understood] == [Reason.AMBIGUOUS]


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("make the background white and brighten it a bit", "a little brighter, the whole photo"),
        ("remove the background and crop it to a square", "cropped to 1:1"),
        ("blur the background and sharpen it", "sharper, the whole photo"),
    ],
)
def test_it_means_the_photo_by_it_after_a_new_background(instruction: str, said: str) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert plan.steps[-1].says == said


@pytest.mark.parametrize(
    "instruction",
    [
        "darken the background and sharpen it",
        "blur the background and make it darker",
        "make the background black and increase its contrast",
        "make the background white and blur it",
        "use photo 2 as the background and brighten it",
    ],
)
def test_it_rejects_an_it_that_may_be_the_background(instruction: str) -> None:
    assert not explain(instruction, photos=2).accepted


def test_it_reads_the_examples_of_the_readme() -> None:
    plan = explain(
        "make the background white and brighten it a bit, crop to 4:5, black and white, "
        'text "Summer 2026" at the bottom right, a white border, a vignette'
    )
    assert operations(plan) == [
        *("solid_background", "brightness", "crop", "black_and_white"),
        *("text", "border", "vignette"),
    ]
    assert plan.accepted, plan.message


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ('text "Summer 2026" at the bottom right', "text"),
        ("a white border", "border"),
        ("border", "border"),
        ("vignette", "vignette"),
    ],
)
def test_it_adds_without_a_verb(instruction: str, operation: str) -> None:
    assert operations(explain(instruction)) == [operation]


@pytest.mark.parametrize(
    "instruction", ["remove the border and the vignette", "take the border off, a vignette"]
)
def test_it_never_adds_what_is_to_go(instruction: str) -> None:
    assert "vignette" not in operations(explain(instruction, regions=[BOX]))


@pytest.mark.parametrize("instruction", ["", "   ", "\n\t"])
def test_it_requires_an_instruction(instruction: str) -> None:
    assert explain(instruction).message == "Prompt is required"


@pytest.mark.parametrize(
    "instruction", ["Mach den Hintergrund weiß, bitte", "quita el fondo por favor", "去掉背景", "сделай ярче"]
)
def test_it_rejects_other_languages_with_one_sentence(instruction: str) -> None:
    plan = explain(instruction)
    assert not plan.accepted
    assert plan.message == "Only English is understood for now."


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("brighten", "brighten", 0),
        ("brigthen", "brighten", 1),
        ("contast", "contrast", 1),
        ("blury", "blurry", 1),
    ],
)
def test_it_counts_a_swap_of_two_letters_as_one_error(left: str, right: str, expected: int) -> None:
    assert distance(left, right, 2) == expected


@given(st.text(max_size=200), st.integers(1, 5), st.integers(0, 3), st.booleans())
@settings(max_examples=300, deadline=None)
def test_it_handles_any_string(text: str, photos: int, boxes: int, partial: bool) -> None:
    plan = explain(text, photos=photos, regions=[BOX] * boxes, partial=partial)
    check(plan)


WORDS = (
    *(
        "make",
        "the",
        "photo",
        "brighter",
        "and",
        ",",
        ".",
        "not",
        "keep",
        "background",
        "red",
        "car",
        "blue",
        "20",
        "%",
    ),
    *(
        "crop",
        "to",
        "16:9",
        "photo 2",
        "box",
        "1",
        "it",
        "this",
        '"Hi"',
        "remove",
        "add",
        "text",
        "without",
        "less",
    ),
    *(
        "half",
        "as",
        "colors",
        "a lot",
        "in",
        "out",
        "so that",
        "border",
        "rotate",
        "upside down",
        "'s",
        "“",
        "xyzzy",
    ),
)


@given(st.lists(st.sampled_from(WORDS), max_size=14), st.integers(1, 3), st.integers(0, 2))
@settings(max_examples=600, deadline=None)
def test_it_handles_any_order_of_its_own_words(words: list[str], photos: int, boxes: int) -> None:
    check(explain(" ".join(words), photos=photos, regions=[BOX] * boxes))


def check(plan: Plan) -> None:
    assert plan.accepted == (plan.message == "")
    assert all(0 <= step.words[0] < step.words[1] <= len(plan.instruction) for step in plan.steps)
    assert all(step.amount is None or -1 <= step.amount <= 1 for step in plan.steps)
    assert all(step.says for step in plan.steps)
    assert all(refusal.words in plan.instruction for refusal in plan.not_understood)
    assert plan.as_json()["accepted"] is plan.accepted


def test_it_is_fast() -> None:
    started = time.process_time()
    for number in range(300):
        explain(f"Please make it {number % 90 + 1}% brighter, sharpen the subject, crop to 16:9. Thanks!")
    assert time.process_time() - started < 1.0
