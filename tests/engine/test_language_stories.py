"""What people say beside their wish, and the words they say it with."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import Reason
from tests.engine.readings import BOX, measure_of, only_reason, only_step

WISH = "Could someone please make the photo brighter?"
HEADINGS = ("Nan's birthday.", "Garden girls.")
ASIDES = (
    "Three winters ago we lost our cottage.",
    "Our choir club sent this to me for a small town newspaper.",
    "A sweet picture of my niece in Lisbon.",
    "Found a very old family photo at the attic sale.",
    "Picture from my cousin, after the storm.",
    "This should be an easy one.",
    "Not even sure that it's possible.",
    "I know there's not much to work with.",
    "Feel free to do whatever else you like.",
    "It would make my granny very happy.",
    "My kitten Momo would love it.",
    "Will pay in gold or silver.",
    "(taken in 1972 by my aunt)",
    "(crossposted from r/pictures)",
    "Emergency! My photoshop is down and I need this done.",
    "I have zoomed in quite a lot.",
    "One of the best moments of my life.",
    "Haha, you're the best &lt;3",
    "I want to send it to my aunt who lives abroad.",
    "I want to hang it up in the hallway in her memory.",
    "I couldn't do it with my phone.",
    "I can't seem to get it brighter myself.",
    "I don't know if this is the right place to ask.",
    "The photo was taken with an old camera.",
    "Good karma on its way!",
    "All suggestions are welcome.",
    "Just curious what it could look like.",
    "I'd be most appreciative.",
    "Making a scrapbook for her birthday.",
    "u/somebody told me to post here.",
    "Sorry if this isn't allowed.",
    "$15",
    "15 dollars via paypal.",
)


@pytest.mark.parametrize(
    "instruction",
    [*(f"{aside} {WISH}" for aside in (*HEADINGS, *ASIDES)), *(f"{WISH} {aside}" for aside in ASIDES)],
)
def test_it_lets_a_story_pass(instruction: str) -> None:
    step = only_step(instruction)
    assert (step.operation, step.amount) == ("brightness", 0.35)


@pytest.mark.parametrize(
    "instruction",
    [
        "Could one of you kind magicians brighten the photo so I can print it out and frame it?",
        "If anyone could brighten this photo, it would be super appreciated",
        "Is it realistic to brighten the photo I took of the old bridge?",
        "Would someone be so kind to brighten my aunt's only wedding picture",
        "Not sure if that's doable, but could anyone out there brighten this old school photo",
        "brighten the the photo",
        "can you can you brighten the photo",
        "brightenthe photo",
        "lighten this lovely photo up please",
        "brighten the photo, https://example.com/pic",
    ],
)
def test_it_finds_the_wish_between_other_words(instruction: str) -> None:
    assert only_step(instruction).operation == "brightness"


@pytest.mark.parametrize(
    "instruction",
    [
        "Brighten the photo. But keep the hat as it was",
        "Brighten the photo without making it dark",
        "Brighten the photo so I can print it in black and white",
        "Brighten the photo. Extra points if you draw a dragon",
        "Brighten the photo. It would be a dream without the noise",
        "Brighten the photo. Acne and freckles",
        "Frobnicate my dog. Can you brighten the photo?",
        "Brighten the photo and frobnicate the sofa",
        "Can one of you ladies frobnicate the photo",
        "The dog. Can someone please blur it?",
        "Brighten the photo. Feel free to do whatever you like, but don't crop it",
        "Brighten the photo. I couldn't get rid of the noise",
        "Brighten the photo. I want to show the wart on his nose",
        "Brighten the photo. Making the wart smaller",
    ],
)
def test_it_never_swallows_a_wish_or_a_restriction(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    "verb", ["Eradicate", "discard", "dissolve", "get rid of", "do away with", "wipe away"]
)
def test_it_knows_many_words_for_taking_away(verb: str) -> None:
    assert only_step(f"{verb} the lamp", boxes=1).operation == "erase"


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("Elevate the contrast", "contrast"),
        ("tame the highlights", "highlights"),
        ("exchange the background for a white one", "solid_background"),
        ("fine tune the photo", "enhance"),
        ("refurbish this picture", "enhance"),
        ("pivot the photo 90 degrees", "rotate"),
    ],
)
def test_it_knows_plain_synonyms(instruction: str, operation: str) -> None:
    assert only_step(instruction).operation == operation


@pytest.mark.parametrize("wish", ["Remove", "Blur", "Brighten"])
def test_a_box_says_what_a_strange_name_means(wish: str) -> None:
    assert only_step(f"{wish} the tattered Zorblax gizmo", boxes=1).target.what == "region"


@pytest.mark.parametrize("wish", ["Remove", "Blur", "Brighten"])
def test_a_strange_name_asks_for_a_box(wish: str) -> None:
    plan = explain(f"{wish} the tattered Zorblax gizmo")
    assert "Mark it with a box" in plan.message


def test_a_strange_verb_is_refused_by_its_name() -> None:
    assert only_reason("Frobnicate the umbrella", boxes=1) is Reason.UNKNOWN_WORD


def test_a_size_may_have_a_comma_in_its_thousands() -> None:
    assert measure_of(only_step("resize it to 1,600 x 1,200")) == measure_of(
        only_step("resize it to 1600x1200")
    )


def test_a_use_keeps_the_shape_that_it_asks_for() -> None:
    assert [step.operation for step in explain("Crop it so I can use it as a profile picture").steps] == [
        "crop"
    ]


def test_a_removal_that_runs_into_the_next_is_two() -> None:
    plan = explain("brighten the photo remove gizmo", regions=[BOX])
    assert [step.operation for step in plan.steps] == ["brightness", "erase"]


@pytest.mark.parametrize(
    "wish",
    [
        "Our son's baptism. Could anyone sharpen it?",
        "My cousin's christening, could you sharpen the photo?",
        "Sharpen the photo. I want to put it on a business card.",
        "On this one we need to sharpen the photo for better quality.",
        "Sharpen this photo of my uncle and I from two years ago",
    ],
)
def test_an_occasion_or_a_use_beside_a_wish_asks_for_nothing(wish: str) -> None:
    assert only_step(wish).operation == "sharpness"


def test_what_is_to_be_put_on_somebody_is_a_wish() -> None:
    assert not explain("Sharpen the photo. I want to put a scarf on my sister.").accepted


@pytest.mark.parametrize(
    "aside",
    [
        "2nd wedding anniversary present",
        "A gift for my mom",
        "He was in the navy back then.",
        "We got photobombed.",
        "I sent this before but put the wrong one up.",
        "Shows you how little I know about editing.",
        "You guys work magic.",
        "Im sitting on the bench.",
        "I know it seems harsh",
        "No need to crop it",
        "Not too hard for most of you",
        "Trying to make her happy!",
        "Everything else can stay.",
        "This is the original copy.",
    ],
)
def test_what_is_told_beside_a_removal_asks_for_nothing(aside: str) -> None:
    assert only_step(f"Remove the dog. {aside}").operation == "erase"


@pytest.mark.parametrize(
    "wish",
    [
        "I love it but put a hat on him. Sharpen the photo",
        "Sharpen the photo. That stranger ruined it.",
        "We sent this before but put a moon in the sky. Sharpen it",
    ],
)
def test_a_wish_within_a_story_is_heard(wish: str) -> None:
    assert [step.operation for step in explain(wish).steps] != ["sharpness"] or not explain(wish).accepted


@pytest.mark.parametrize(
    "restriction",
    [
        "without cropping it",
        "while not cropping the photo",
        "without changing the dimensions of the picture/cropping",
        "without stretching the image too much",
    ],
)
def test_the_shape_stays_anyway(restriction: str) -> None:
    assert only_step(f"Remove the dog {restriction}").operation == "erase"


@pytest.mark.parametrize(
    "wish", ["extend the photo without stretching it", "remove the dog without changing the size of the boat"]
)
def test_a_shape_that_another_wish_may_change_is_heard(wish: str) -> None:
    assert not explain(wish).accepted


def test_an_old_color_says_no_more_than_the_new_one() -> None:
    assert only_step("make the car white instead of red") == only_step("make the car white")
    assert not explain("make the car white instead of the truck").accepted
    assert len(explain("make it more blue instead of red").steps) == 2


@pytest.mark.parametrize(
    "lead",
    [
        *("Could one of you heroes kindly", "Hoping you guys could", "could some please"),
        *("I'll buy a cake for whoever can", "It would make my granny smile if you could"),
        *("I've been meaning to", "Do you think you guys could", "I have tried to remove it, could someone"),
        *("Would it be too much to ask to", "[Paid - $20]"),
    ],
)
def test_who_is_asked_is_no_part_of_the_wish(lead: str) -> None:
    assert only_step(f"{lead} remove the dog").operation == "erase"


def test_a_verb_behind_an_article_is_a_name() -> None:
    assert not explain("remove the boy and the shed").accepted


@pytest.mark.parametrize(
    "story",
    [
        "We met the whole band last summer but the photo is blurry.",
        "I saw an owl yesterday but the picture was so blurry. Was recommended from r/birds.",
    ],
)
def test_a_fault_at_the_end_of_a_story_is_mended(story: str) -> None:
    assert only_step(story).operation == "sharpness"


def test_a_logo_that_heads_a_wish_is_no_wish() -> None:
    step = only_step("Tennis ball logo... can anyone make the background transparent?")
    assert step.operation == "transparent_background"


@pytest.mark.parametrize(
    "story",
    [
        "Hoping to turn it into something we could use for a menu without it looking cheap.",
        "I want to make it into something that I can use for our club",
    ],
)
def test_what_it_is_to_be_used_for_says_nothing_of_how(story: str) -> None:
    plan = explain(f"Make it square. {story}")
    assert plan.accepted, plan.message
    assert [step.says for step in plan.steps] == ["cropped to 1:1"]


@pytest.mark.parametrize(
    "story",
    [
        "I want to turn it into something we could use without the logo",
        "I want to turn it into something blue we could use",
    ],
)
def test_a_wish_in_what_it_is_to_be_used_for_is_heard(story: str) -> None:
    assert not explain(f"Make it square. {story}").accepted
