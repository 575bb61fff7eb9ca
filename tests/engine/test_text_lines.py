"""Tests for recognizing dates in lines of text, and for finding lines that belong together."""

import pytest

from editor.engine.pixels import Box
from editor.engine.targets.text_lines import blocks_of, is_date
from editor.engine.vision.text import TextLine

PLACE = Box(0, 0, 100, 20)
DATES = "'11 08 21 14:05|03/12/2018|2021-07-04 18:33|0705 1999|20110821|14:05|21.8.11 9:15PM|MAY 3 '98"
OTHERS = "4711|315|555 123 4567|ABERDEEN 4711|35,498,648.64|SALE|May flowers|$ 12.50"


def line(text: str, box: Box = PLACE) -> TextLine:
    left, top, right, bottom = map(float, box)
    return TextLine(((left, top), (right, top), (right, bottom), (left, bottom)), box, text, 0.9)


@pytest.mark.parametrize("text", [*DATES.split("|"), "24 Dec 2019", "December 24, 2019"])
def test_a_date_is_recognized(text: str) -> None:
    assert is_date(line(text))


@pytest.mark.parametrize("text", OTHERS.split("|"))
def test_other_text_is_not_recognized_as_a_date(text: str) -> None:
    assert not is_date(line(text))


def test_lines_next_to_each_other_form_one_block() -> None:
    upper, lower, far = Box(0, 0, 100, 20), Box(10, 30, 90, 50), Box(0, 200, 100, 220)
    blocks = blocks_of([line("one", upper), line("two", lower), line("three", far)])
    assert [[each.text for each in block] for block in blocks] == [["one", "two"], ["three"]]
