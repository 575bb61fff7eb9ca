"""Tests that CSV cells contain plain values that a spreadsheet does not treat as formulas."""

import csv
import io

import pytest

from editor.services.core.spreadsheet import csv_of


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1+1", '=HYPERLINK("http://x")']
)
def test_a_text_that_looks_like_a_formula_is_escaped(text: str) -> None:
    _, (cell,) = csv.reader(io.StringIO(csv_of(["name"], [[text]]), newline=""))
    assert cell == f"'{text}"


@pytest.mark.parametrize("text", ["a=1", "alice@example.org", "", "a,b", 'say "hi"', "two\nlines"])
def test_other_texts_are_unchanged(text: str) -> None:
    rows = list(csv.reader(io.StringIO(csv_of(["name", "next"], [[text, "x"]]), newline="")))
    assert rows[1] == [text, "x"]


def test_numbers_stay_numbers_and_none_is_an_empty_cell() -> None:
    assert csv_of(["a", "b"], [[-5, None]]) == "a,b\r\n-5,\r\n"
