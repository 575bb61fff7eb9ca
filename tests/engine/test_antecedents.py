"""Pronouns in a wish after one that adds, names, or tells something."""

import pytest

from editor.engine.language.explain import explain
from editor.engine.plan import WHOLE


@pytest.mark.parametrize(
    "instruction",
    [
        "add a moon and make it bigger",
        "add a star and tilt it",
        "add a candle and make it darker",
        "write “Sale” at the top. Make it bold",
        "add a drop shadow and make it softer",
        "add a border, make it wider",
        "add a vignette and make it darker",
        "add snow and blur it",
        "add hearts and make them smaller",
        "add a watermark “Ann” and make it transparent",
        "add a mug and write “Tea” on it",
        "add a table and a vase on it",
        "add a red border and make it blue",
        "make the bus green and enlarge it",
        "zoom in on the bus and make it red",
        "erase the text on the shirt and make it black",
        "replace the sky with a sunset and make it darker",
        "take the dog out and put it in the garden",
        "make them look older",
        "the girl holds a balloon, make it red",
    ],
)
def test_a_pronoun_that_may_not_mean_the_photo_is_refused(instruction: str) -> None:
    assert not explain(instruction).accepted


@pytest.mark.parametrize(
    ("instruction", "operations"),
    [
        ("add a vignette and make it warmer", ["vignette", "warmth"]),
        ("add a white border and make it square", ["border", "crop"]),
        ("add a white border and make it brighter", ["border", "brightness"]),
        ("add snow and make it darker", ["snow", "brightness"]),
        ("add two trees and make it warmer", ["prop", "warmth"]),
        ("add hearts and make it brighter", ["hearts", "brightness"]),
        ("write “Sale” at the top and resize it to 1080x1080", ["text", "resize"]),
        ("write “make it bigger” at the top", ["text"]),
        ("brighten the sky and rotate it left", ["brightness", "rotate"]),
        ("make the bus red and rotate it left", ["recolor", "rotate"]),
        ("enhance the colors and make them more vivid", ["saturation"]),
        ("remove the bus and brighten it", ["erase", "brightness"]),
        ("this is my dog, make it brighter", ["brightness"]),
    ],
)
def test_a_pronoun_means_the_photo_if_nothing_else_fits(instruction: str, operations: list[str]) -> None:
    plan = explain(instruction)
    assert plan.accepted, plan.message
    assert [(step.operation, step.target) for step in plan.steps[-1:]] == [(operations[-1], WHOLE)]
    assert [step.operation for step in plan.steps] == operations


@pytest.mark.parametrize(
    ("instruction", "operation", "color"),
    [
        ("add a border and make it black", "border", "black"),
        ("add clouds and make them pink", "clouds", "pink"),
        ("write “Sale” at the top and make it red", "text", "red"),
        ("draw a circle around the dog. Make it yellow.", "shape", "yellow"),
    ],
)
def test_a_color_is_that_of_what_was_added(instruction: str, operation: str, color: str) -> None:
    (step,) = explain(instruction).steps
    assert (step.operation, step.color) == (operation, color)


def test_the_refusal_offers_the_photo() -> None:
    plan = explain("add a moon and make it bigger")
    assert "add a moon and make the photo bigger" in [way.text for way in plan.ways]
