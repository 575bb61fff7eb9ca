"""Props in words: which, how many, how large, of which color, and where."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import WHOLE, Plan, Reason, Target
from tests.engine.readings import BOX, measure_of, only_reason, only_step, said, variant_of


@pytest.mark.parametrize(
    ("instruction", "name", "count"),
    [
        ("add a tree", "tree", 1),
        ("please put an apple into the picture", "apple", 1),
        ("Insert three oranges", "orange", 3),
        ("add two palm trees", "palm_tree", 2),
        ("include a few lemons", "lemon", 3),
        ("add some pumpkins to the photo", "pumpkin", 5),
        ("add a couple of bananas", "banana", 2),
        ("add strawberries", "strawberry", 3),
        ("scatter four ripe lemons across the picture", "lemon", 4),
        ("plant a majestic coconut palm on the left", "palm_tree", 1),
        ("add 12 soccer balls", "soccer_ball", 12),
        ("add more pears", "pear", 3),
        ("add two more fir trees", "pine", 2),
        ("insert the street lamp", "street_lamp", 1),
        ("add an old bicycle", "bicycle", 1),
        ("add several cacti", "cactus", 5),
        ("put a bouquet of flowers on the table", "tulips", 1),
    ],
)
def test_it_adds_what_has_a_picture(instruction: str, name: str, count: int) -> None:
    step = only_step(instruction)
    assert (step.operation, variant_of(step)) == ("prop", name)
    assert step.values.get("count", 1) == count


def test_a_plan_says_whose_picture_it_is() -> None:
    assert said("add two trees on the right") == [
        "2 trees (pictures of Darkroom's own) on the right, with their shadows"
    ]
    assert said("add a small pumpkin") == [
        "a small pumpkin (a picture of Darkroom's own) where there is room, with its shadow"
    ]
    assert said("add a top hat to the man") == [
        "a top hat (a picture of Darkroom's own) on the head of the man"
    ]
    assert said("put an apple on the table") == [
        "an apple (a picture of Darkroom's own) on the table, with its shadow"
    ]


def test_a_plan_survives_its_form() -> None:
    plan = explain("add three red apples to the left of the dog")
    assert plan.accepted
    assert Plan.from_json(plan.as_json()) == plan


@pytest.mark.parametrize(
    ("instruction", "name", "color"),
    [
        ("add a red apple", "apple", None),
        ("add a green apple", "green_apple", None),
        ("add a yellow lemon", "lemon", None),
        ("add two green apples", "green_apple", None),
        ("add an orange", "orange", None),
        ("add a black bicycle", "bicycle", "black"),
        ("add a white wooden chair", "chair", "white"),
    ],
)
def test_a_color_that_it_has_anyway_changes_nothing(instruction: str, name: str, color: str | None) -> None:
    step = only_step(instruction)
    assert (variant_of(step), step.color) == (name, color)


def test_a_color_that_it_has_not_is_refused_by_name() -> None:
    plan = explain("add a blue lemon")
    assert not plan.accepted
    assert "lemon that can be added here is not blue" in plan.message
    assert plan.instead == ""


@pytest.mark.parametrize(("word", "smaller"), [("tiny", 0.05), ("small", 0.2), ("big", 0.6), ("huge", 0.85)])
def test_words_for_a_size_are_an_amount(word: str, smaller: float) -> None:
    assert only_step(f"add a {word} pumpkin").amount == smaller


@pytest.mark.parametrize(
    ("instruction", "target", "place"),
    [
        ("add a tree in the bottom left corner of the image", WHOLE, "bottom left"),
        ("add a tree on the right side", WHOLE, "right"),
        ("add a tree in the background on the left", WHOLE, "left background"),
        ("add a lemon on the table", Target("thing", noun="table"), "on"),
        ("add a lemon on the surface of the table", Target("thing", noun="table"), "on"),
        ("place an apple to the left of the cat", Target("thing", noun="cat"), "left of"),
        ("add a pumpkin near the dog", Target("thing", noun="dog"), "next to"),
        ("add a soccer ball in front of the girl", Target("thing", noun="girl"), "in front"),
        ("put an apple atop the horse", Target("thing", noun="horse"), "on top"),
        ("put a top hat on her head", Target("face", count=1), "head"),
        ("give the woman a top hat", Target("thing", noun="woman"), "head"),
        ("put top hats on the men", Target("thing", noun="men"), "head"),
        ("add a top hat", Target("face", count=1), "head"),
        ("add a tree on the grass", Target("thing", noun="grass"), "on"),
        ("add sunglasses", Target("face", count=1), "eyes"),
        ("put glasses on the man", Target("thing", noun="man"), "eyes"),
        ("give everyone santa hats", Target("thing", noun="people"), "head"),
        ("make the boy wear a witch hat", Target("thing", noun="boy"), "head"),
        ("put hats on all of them", Target("thing", noun="people"), "head"),
        ("add party hats", Target("face"), "head"),
        ("hang a clock on the wall", WHOLE, None),
        ("add a clock on the wall above the sofa", Target("thing", noun="couch"), "above"),
        ("add a lamp in this room", WHOLE, None),
        ("add a bench in the back", WHOLE, "background"),
        ("add a bench on the dirt road in the foreground", WHOLE, "foreground"),
        ("add a lantern on the floor next to the bed", Target("thing", noun="bed"), "next to"),
        ("add a bench in front of the trees", WHOLE, "bottom"),
        ("put a ball next to the girl's feet", Target("thing", noun="girl"), "next to"),
        ("add a chair left of the denim jacket", Target("thing", noun="person"), "left of"),
        (
            "add a suitcase to the right of the red silk dress",
            Target("thing", noun="person", color="red"),
            "right of",
        ),
        ("add a cap above the blue shirt", Target("thing", noun="person", color="blue"), "head"),
        ("add a pumpkin between the two dogs", Target("thing", noun="dogs", count=2), "between"),
    ],
)
def test_it_reads_where_it_goes(instruction: str, target: Target, place: str | None) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target, step.place) == ("prop", target, place)


def test_a_hat_and_glasses_are_worn_by_the_same() -> None:
    for instruction in (
        "put a top hat and sunglasses on the woman",
        "give the woman a top hat and sunglasses",
        "make the woman wear a top hat and sunglasses",
    ):
        steps = explain(instruction).steps
        assert [(variant_of(step), step.place) for step in steps] == [
            ("top_hat", "head"),
            ("sunglasses", "eyes"),
        ]
        assert {step.target for step in steps} == {Target("thing", noun="woman")}


@pytest.mark.parametrize(
    ("instruction", "count"),
    [
        ("add a pine tree on either side of the road", 1),
        ("add street lamps on both sides", 2),
        ("add six bushes on both sides of the path", 3),
    ],
)
def test_on_both_sides_are_as_many(instruction: str, count: int) -> None:
    steps = explain(instruction).steps
    assert [step.place for step in steps] == ["left", "right"]
    assert [step.values.get("count", 1) for step in steps] == [count, count]


def test_an_odd_number_is_not_shared_between_two_sides() -> None:
    assert not explain("add three bushes on both sides").accepted


def test_glasses_are_only_worn() -> None:
    assert only_reason("add sunglasses on the left") is Reason.NO_SUCH_TARGET
    assert only_reason("add red sunglasses") is Reason.NO_SUCH_TARGET
    assert only_step("put sunglasses on the dog", boxes=1).target == Target("region", boxes=(1,))
    assert "Mark the eyes of the dog" in explain("put sunglasses on the dog").message


def test_what_flies_over_the_landscape_is_in_the_sky() -> None:
    step = only_step("add an airplane flying over the mountains")
    assert (variant_of(step), step.target, step.place) == ("airplane", WHOLE, None)


def test_a_question_about_the_past_is_no_wish() -> None:
    for instruction in ("Did you add a bench?", "have you already removed the dog?"):
        assert only_reason(instruction) is Reason.AMBIGUOUS
    assert explain("Could you add a bench?").accepted


@pytest.mark.parametrize(
    ("instruction", "name"),
    [
        ("I would like a cup of tea on the table", "tea"),
        ("there should be a sailboat on the lake", "sailboat"),
        ("this picture needs a bench in the foreground", "bench"),
        ("Could we get a pine tree on the left?", "pine"),
        ("how about a crown on him", "crown"),
    ],
)
def test_a_wish_needs_no_verb(instruction: str, name: str) -> None:
    assert variant_of(only_step(instruction)) == name


@pytest.mark.parametrize(
    "instruction", ["I need a bench removed", "it should be a bench", "I want a hat like this", "a bench"]
)
def test_what_is_said_of_a_thing_is_no_wish_for_one(instruction: str) -> None:
    plan = explain(instruction)
    assert all(step.operation != "prop" for step in plan.steps)


def test_each_of_a_list_is_a_step() -> None:
    plan = explain("add an apple and two bananas on the table")
    assert [(variant_of(step), step.target.noun, measure_of(step)) for step in plan.steps] == [
        ("apple", "table", None),
        ("banana", "table", (2.0, "count")),
    ]
    plan = explain("add a tree on the left and a pumpkin on the right")
    assert [(variant_of(step), step.place) for step in plan.steps] == [("tree", "left"), ("pumpkin", "right")]


def test_a_ball_may_fly() -> None:
    step = only_step("add a soccer ball flying towards the player")
    assert (step.values.get("aloft"), step.place, step.target.noun) == (True, "next to", "person")
    assert "in the air" in step.says
    assert "shadow" not in step.says
    assert not explain("add a flying apple").accepted


@pytest.mark.parametrize(
    "instruction",
    ["add a tree here", "add a tree", "add a lemon on the plate", "add a lemon next to the bread"],
)
def test_a_box_is_its_place(instruction: str) -> None:
    assert only_step(instruction, boxes=1).target == Target("region", boxes=(1,))


def test_a_place_that_is_named_leaves_the_box() -> None:
    assert only_step("add a tree on the left", boxes=1).target == WHOLE


@pytest.mark.parametrize(
    ("instruction", "why"),
    [
        ("add a lemon on the plate", "Mark it with a box"),
        ("add an apple in his hand", "Mark it with a box"),
        ("add a pumpkin under the table", "Mark it with a box"),
        ("add 13 apples", "At most 12"),
        ("add an apple with a worm", "as it is"),
    ],
)
def test_a_place_that_cannot_be_found_is_refused(instruction: str, why: str) -> None:
    plan = explain(instruction)
    assert not plan.accepted
    assert why in plan.message


@pytest.mark.parametrize(
    "instruction",
    [
        "add a rotten apple",
        "add an apple tree",
        "add my top hat",
        "add a photo of an apple",
        "add an apple and a giraffe",
        "add a bag of apples",
        "add a carton of milk",
        "add a 3d pine tree",
        "add a bouquet of roses",
    ],
)
def test_what_the_picture_does_not_show_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


def test_what_is_there_already_is_not_added() -> None:
    assert not any(step.operation == "prop" for step in explain("put the apple on the table").steps)


def test_what_has_no_picture_is_offered_as_an_emoji() -> None:
    plan = explain("add a giraffe")
    assert plan.instead == "add a giraffe emoji"
    assert "such an apple" in explain("add a rotten apple").message


def test_what_another_photo_shows_is_taken_from_there() -> None:
    step = only_step("insert the bench from photo 2 on the right", photos=2)
    assert (step.operation, step.photo) == ("sticker", 2)


def test_an_emoji_stays_an_emoji() -> None:
    assert only_step("add an apple emoji").operation == "emoji"
    assert only_step("add an orange border").operation == "border"
    assert only_reason("add a castle") is Reason.NEEDS_GENERATION


def test_only_one_is_worn_by_one() -> None:
    plan = explain("put two top hats on the man")
    assert not plan.accepted
    assert "Only one can be worn" in plan.message


def test_the_box_is_kept_when_several_are_added() -> None:
    plan = explain("add three lemons", regions=[BOX])
    assert [step.target.what for step in plan.steps] == ["region"]


def test_what_is_above_a_thing_is_in_the_air_and_said_so() -> None:
    step = only_step("add an umbrella above the bicycle")
    assert (step.place, step.values.get("aloft")) == ("above", True)
    assert said("add a mug above the dog") == [
        "a mug (a picture of Darkroom's own) above the dog, in the air"
    ]


def test_above_a_table_is_on_it() -> None:
    assert only_step("add a lamp above the table").place == "on"


def test_other_verbs_place_it_too() -> None:
    assert variant_of(only_step("Position three pears in the picture")) == "pear"
    assert only_step("arrange two books on the table").place == "on"


def test_in_place_of_something_is_not_beside_it() -> None:
    assert not explain("add a tree in place of the background", regions=[BOX]).accepted


@pytest.mark.parametrize(
    "instruction",
    [
        "add an orange background",
        "add some orange to the photo",
        "put the umbrella away",
        "put candles out",
        "put hat off",
        "add a tree background",
        "add a bench background",
        "add two dozen apples",
        "write lemon in the corner",
        "add two hats",
    ],
)
def test_the_noun_of_a_prop_in_another_sense_adds_none(instruction: str) -> None:
    assert not any(step.operation == "prop" for step in explain(instruction).steps)


@pytest.mark.parametrize(
    ("instruction", "target", "place", "words"),
    [
        ("add a bench on the sand", WHOLE, None, "where there is room"),
        ("put a traffic cone in the street on the left", WHOLE, "left", "on the left"),
        (
            "add a kite in the sky on the right",
            Target("thing", noun="sky"),
            "right",
            "in the sky on the right",
        ),
        (
            "add a kite on the left in the blue sky",
            Target("thing", noun="sky"),
            "left",
            "in the sky on the left",
        ),
        ("add a butterfly on the rose", Target("thing", noun="rose"), "on", "on the rose"),
        ("put a tree in front of the castle", WHOLE, "bottom", "at the bottom"),
    ],
)
def test_it_reads_ground_sky_flowers_and_buildings(
    instruction: str, target: Target, place: str | None, words: str
) -> None:
    step = only_step(instruction)
    assert (step.operation, step.target, step.place) == ("prop", target, place)
    assert words in step.says


@pytest.mark.parametrize("many", ["lots of", "many", "plenty of", "a lot of"])
def test_many_are_five(many: str) -> None:
    step = only_step(f"add {many} lemons")
    assert (variant_of(step), measure_of(step)) == ("lemon", (5.0, "count"))


def test_a_place_is_shared_only_by_what_can_be_there() -> None:
    plan = explain("add a cabin and a kite in the sky")
    assert [(variant_of(step), step.target) for step in plan.steps] == [
        ("cabin", WHOLE),
        ("kite", Target("thing", noun="sky")),
    ]


@pytest.mark.parametrize(
    ("instruction", "why"),
    [
        ("add a lemon on the chimney", "“on the chimney”"),
        ("put a pear on her face", "“on her face”"),
        ("add a butterfly and a bonfire", "no picture of “a bonfire”"),
        ("put a top hat on the dog", "Mark the head of the dog with a box"),
        ("give the cat a straw hat", "Mark the head of the cat with a box"),
        ("put a crown on the horse's head", "Mark the head of the horse with a box"),
    ],
)
def test_a_refusal_names_what_is_missing(instruction: str, why: str) -> None:
    plan = explain(instruction)
    assert not plan.accepted
    assert why in plan.message


def test_a_box_shows_the_head_of_an_animal() -> None:
    assert only_step("give the cat a straw hat", boxes=1).target == Target("region", boxes=(1,))


@pytest.mark.parametrize(
    ("instruction", "place"),
    [
        ("put a pumpkin to the left of box 1", "left of"),
        ("add a lemon next to the marked area", "next to"),
        ("add a kite above the lighthouse", "above"),
        ("put a pumpkin in box 1", None),
    ],
)
def test_beside_what_a_box_shows_stays_beside_it(instruction: str, place: str | None) -> None:
    step = only_step(instruction, boxes=1)
    assert (step.target, step.place) == (Target("region", boxes=(1,)), place)
