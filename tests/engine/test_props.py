"""Tests for the images of the props and for the table that lists them."""

import numpy as np
import pytest
from PIL import Image

from editor.engine.kinds import kinds_of, plural_of
from editor.engine.language.explain import explain
from editor.engine.operations.add.prop import sprite_of
from editor.engine.props import FOLDER, NOUNS, PLURALS, PROPS, Prop

_LONGEST = 600  # maximum length of the longer side of most props, in pixels
_TALLEST = 680  # maximum height of trees and similar props, in pixels
_RIM = 3  # maximum width of the rim around the visible part of a prop, in pixels
_SITTING = {"stands", "lies", "floats", "flies", "hangs", "head", "eyes"}


def test_every_prop_has_a_picture_and_every_picture_a_prop() -> None:
    assert {path.stem for path in FOLDER.glob("*.webp")} == set(PROPS)


@pytest.mark.parametrize("prop", PROPS.values(), ids=lambda prop: prop.name)
def test_a_picture_is_cut_out_and_cropped(prop: Prop) -> None:
    path = FOLDER / f"{prop.name}.webp"
    with Image.open(path) as image:
        assert image.mode == "RGBA"
        assert max(image.size) <= (_TALLEST if prop.meters > 1.5 else _LONGEST)
        alpha = np.asarray(image)[:, :, 3]
    assert path.stat().st_size < 80_000
    seen = alpha > 4
    assert all(side.any() for side in (seen[:_RIM], seen[-_RIM:], seen[:, :_RIM], seen[:, -_RIM:]))
    assert (alpha > 250).mean() > 0.05
    assert alpha.min() == 0


def test_the_total_size_of_the_pictures_is_limited() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.webp")) < 2_850_000


def test_each_noun_means_one_prop() -> None:
    nouns = [noun for prop in PROPS.values() for noun in prop.nouns.split(", ")]
    assert len(nouns) == len(set(nouns))
    for prop in PROPS.values():
        for noun in prop.nouns.split(", "):
            assert NOUNS[noun.replace("-", " ")] == prop.name
        if not prop.is_one:
            several = plural_of(prop.title).replace("-", " ")
            assert several not in NOUNS
            assert PLURALS[several] == prop.name


def test_the_longest_matching_name_is_used() -> None:
    for words, name in (("green apple", "green_apple"), ("apple", "apple")):
        [step] = explain(f"add one {words}").steps
        assert step.values["prop"] == name
    assert not explain("add one flobberwick").steps


def test_the_table_has_valid_values_for_every_prop() -> None:
    for prop in PROPS.values():
        assert prop.sits in _SITTING
        assert 0.01 <= prop.meters <= 1000
        assert 0.2 <= prop.head <= 1.0
        assert 0.3 <= prop.hairline <= 1.0
    assert kinds_of("table")  # Finding a position "on the table" requires the detector.


def test_the_frame_of_a_bicycle_gets_the_color_but_not_the_tires() -> None:
    plain, red = (sprite_of(PROPS["bicycle"], color) for color in (None, "red"))
    turned = np.abs(red[:, :, :3] - plain[:, :, :3]).max(2) > 0.1
    tyres = (plain[:, :, 3] > 0.5) & (plain[:, :, :3].max(2) < 0.12)
    assert 0.02 < turned.mean() < 0.2
    assert (turned & tyres).sum() < 0.1 * tyres.sum()
