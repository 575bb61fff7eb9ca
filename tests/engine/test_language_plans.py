"""Whole instructions: clauses, spans, what stays as it is, refusals, and any string at all."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from editor.engine.language.explain import explain
from editor.engine.language.lexicon import distance
from editor.engine.plan import Plan, Reason, Target
from editor.options import Region
from tests.benchmarks.explain import mutated

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
        ("lighten the picture boost the contrast", ["brightness", "contrast"]),
        ("BRIGHTEN IT/SHARPEN IT", ["brightness", "sharpness"]),
        ("Sharpen... and,, warm it up?!", ["sharpness", "warmth"]),
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
        "Hello lovely people! My cousin died last spring. Could you brighten this photo for the funeral?",
        "Request: brighten this photo, it's the only one we have.",
        "This was my first dog. I would be so grateful if anybody could brighten it :) Info in the comments.",
        "I'd like to give it to my mom for her birthday, so please brighten it if that's possible",
        "We took it at the lake in 1998. My yellow dog had just moved. Brighten it please!!!",
        "Brighten this blurry photo of my old car. I edited it myself but I'm not good at it.",
        "My uncle and the Mayor - can someone brighten it?",
        "A funny picture of my cat. Edit it and brighten it (details in the comments)",
    ],
)
def test_it_strips_courtesy_and_stories(instruction: str) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert operations(plan) == ["brightness"]


@pytest.mark.parametrize(
    "instruction",
    [
        "The lamp ruins it. Brighten the photo.",
        "I hate the man behind me. Brighten the photo.",
        "There is a car in the way. Brighten the photo.",
        "My face is red. Brighten the photo.",
        "I don't want the lamp. Brighten the photo.",
        "It would be nicer without the lamp. Brighten the photo.",
        "Remove my aunt and my lamp. Brighten the photo.",
        "Zap the lamp. Brighten the photo.",
        "Would love a unicorn, thanks. Brighten the photo.",
        "My belly smaller. Brighten the photo.",
    ],
)
def test_it_never_lets_a_possible_wish_pass_as_a_story(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    "instruction", ["This is my aunt in 1965.", "Thanks in advance!", "[Specific] Hi all"]
)
def test_it_asks_for_a_wish_when_there_is_only_a_story(instruction: str) -> None:
    assert explain(instruction).not_understood[0].hint.startswith("Say what should change")


def test_it_says_where_in_the_instruction_a_step_stands() -> None:
    instruction = "Please make the red car blue, then crop to 16:9. Thanks!"
    spans = [instruction[slice(*step.words)] for step in explain(instruction).steps]
    assert spans == ["make the red car blue", "crop to 16:9"]


def test_it_names_the_words_that_it_did_not_understand() -> None:
    plan = explain("make the red car blue and add a flobberwick")
    (refusal,) = plan.not_understood
    assert (refusal.words, refusal.reason) == ("add a flobberwick", Reason.UNKNOWN_WORD)
    assert plan.message.startswith('Not understood: "add a flobberwick".')
    assert operations(plan) == ["recolor"]
    assert not plan.accepted


def test_it_does_the_understood_part_when_asked_to() -> None:
    plan = explain("brighten the photo and add a flobberwick", partial=True)
    assert plan.accepted
    assert plan.message == ""
    assert len(plan.not_understood) == 1


@pytest.mark.parametrize(
    ("instruction", "kept"),
    [
        ("black and white but keep the subject in color", "subject"),
        ("brighten the photo without changing the background", "background"),
        ("warm it up, and leave the background as it is", "background"),
    ],
)
def test_it_protects_what_is_to_stay(instruction: str, kept: str) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert [step.keep for step in plan.steps] == [(Target(kept),)]
    assert f"the {kept} kept as it is" in plan.steps[0].says


def test_it_protects_all_the_faces_that_are_found() -> None:
    (step,) = explain("make it darker except for the face").steps
    assert step.keep == (Target("face"),)
    assert "the faces kept as they are" in step.says


@pytest.mark.parametrize(
    "instruction",
    [
        "black and white except the lamp",
        "brighten the photo but keep the lamp",
        "brighten the photo, not the lamp",
        "blur the background without changing the background",
        "brighten it, do not change the colors",
    ],
)
def test_it_never_drops_an_exception_in_silence(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_it_protects_what_its_color_shows() -> None:
    plan = explain("black and white except the red car, but keep the sky")
    assert plan.steps[0].keep == (Target("thing", "red", "car"), Target("thing", noun="sky"))


def test_it_protects_the_box_when_the_thing_has_no_other_name() -> None:
    plan = explain("brighten the photo but keep the lamp", regions=[BOX])
    assert plan.steps[0].keep == (Target("region", boxes=(1,)),)


def test_a_box_belongs_to_the_photo_that_it_is_on_and_keeps_its_number() -> None:
    there = Region(0.1, 0.1, 0.5, 0.5, image=2)
    for boxes, number in (([BOX, there], 1), ([there, BOX], 2)):
        (step,) = explain("remove the dog", photos=2, regions=boxes).steps
        assert step.target.boxes == (number,)
    for boxes in ([there], [there, there]):
        for instruction in ("make it brighter", "strew confetti here", "remove the dog in the box"):
            plan = explain(instruction, photos=2, regions=boxes, partial=True)
            assert (plan.accepted, plan.steps) == (False, ())
            assert "The box is on photo 2." in plan.message


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
    "instruction",
    [
        "Mach den Hintergrund weiß, bitte",
        "quita el fondo por favor",
        "Fais la photo plus lumineuse",
        "rendi il cielo più luminoso",
        "去掉背景",
        "сделай ярче",
    ],
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


def test_it_handles_mutated_instructions() -> None:
    for text in mutated(2_000, seed=7):
        check(explain(text, photos=2, regions=[BOX]))


@pytest.mark.parametrize(
    "part",
    ["(", '"', "a, ", "1 ", "it 2 ", "for 1 ", "text add ", "add caption ", "smarter, ", "remove the dog. "],
)
def test_it_reads_the_longest_instruction_in_bounded_time(part: str) -> None:
    """It took ten seconds of an idle machine where a rule looked at all the words for each of them."""
    started = time.process_time()
    explain((part * 5_000)[:5_000], regions=[BOX])
    assert time.process_time() - started < 2


@example("by 0 ¹%", 1, 0, False)  # a digit that is no number
@example("I tried to blur the wall.\nPlease blur the wall", 1, 0, False)  # a stop without a word
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


@pytest.mark.parametrize(
    "instruction", ["remove the people except the bride", "remove the man but leave my aunt as she is"]
)
def test_it_rejects_removing_people_beside_those_who_stay(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_it_rejects_changing_what_was_removed_from_the_only_box() -> None:
    box = Region(0.1, 0.1, 0.3, 0.3)
    assert not explain("remove the lantern and brighten the statue", regions=[box]).accepted
    assert explain("remove the cup and brighten the photo", regions=[box]).accepted


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("remove the boat and make the water bluer", Target("thing", noun="water")),
        ("erase the sign and make this black and white", Target("whole")),
    ],
)
def test_it_finds_what_is_not_in_the_box_that_is_emptied(instruction: str, target: Target) -> None:
    steps = explain(instruction, regions=[Region(0.1, 0.1, 0.3, 0.3)]).steps
    assert [step.target for step in steps] == [Target("region", boxes=(1,)), target]
