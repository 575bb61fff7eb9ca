"""Tests for the validation of edits at every entry point, including the documented error messages."""

import unicodedata
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.http import QueryDict

from editor.forms import EditForm, LineField, clean_line
from editor.options import ASPECT_RATIOS, OUTPUT_FORMATS, EditOptions, Point, Region
from editor.providers import embedded
from tests.engines import another_site, configure

pytestmark = pytest.mark.django_db  # Forms read the default engine from a row.


def checked(photos: int = 1, **data: Any) -> EditForm:
    form = EditForm({"prompt": "warmer", **data}, photos=photos)
    form.is_valid()
    return form


def test_every_option_has_a_default() -> None:
    form = checked()
    assert not form.errors
    assert form.prompt_text == "warmer"
    assert form.options == EditOptions()


@pytest.mark.parametrize("ratio", ["", *ASPECT_RATIOS])
@pytest.mark.parametrize("output_format", OUTPUT_FORMATS)
def test_every_offered_option_is_accepted(ratio: str, output_format: str) -> None:
    form = checked(aspect_ratio=ratio, output_format=output_format, outputs=4)
    assert form.options == EditOptions(aspect_ratio=ratio, output_format=output_format, outputs=4)


def test_boxes_are_read_from_a_page_and_from_a_program() -> None:
    page = EditForm(QueryDict("prompt=warmer&region=0,0,1,1&region=0.1,0.2,0.3,0.4"), photos=1)
    program = checked(photos=2, region=[{"image": 2, "x": 0, "y": 0, "w": 0.5, "h": 0.5}])
    assert page.is_valid()
    assert page.options.regions == (Region(0, 0, 1, 1), Region(0.1, 0.2, 0.3, 0.4))
    assert program.options.regions == (Region(0, 0, 0.5, 0.5, image=2),)


def test_a_box_must_be_on_an_existing_photo() -> None:
    box = {"x": 0, "y": 0, "w": 0.5, "h": 0.5}
    assert "region" not in checked(photos=2, region=[box, box | {"image": 2}]).errors
    form = checked(photos=2, region=[box | {"image": 3}])
    assert form.errors["region"] == [
        "A box is on photo 3, which is missing. Add the photo or delete the box."
    ]


@pytest.mark.parametrize(
    "region",
    [
        [{"x": 0, "y": 0, "w": "a", "h": 1}],
        [{"x": 0, "y": 0, "w": 1}],
        [{"x": 0, "y": 0, "w": 1, "h": 1, "image": 9}],
        [{"x": 0, "y": 0, "w": 1, "h": 1, "depth": 1}],
        [None],
        [["0", "0"]],
        "0,0,1,1",
        ["0,0,1,1"] * 21,
        ["inf,0,1,1"],
    ],
)
def test_an_invalid_box_is_rejected(region: Any) -> None:
    messages = checked(region=region).errors["region"]
    assert str(messages[0]).endswith(".")


def test_points_are_read_from_a_page_and_from_a_program() -> None:
    page = EditForm(
        QueryDict("prompt=warmer&point=0.5,0.25,motorcycle&point=&point=0.1,0.2,away&point=0,1"), photos=1
    )
    program = checked(photos=2, point=[{"image": 2, "x": 0, "y": 0.5}, {"x": 1, "y": 1, "keep": False}])
    assert page.is_valid()
    assert page.options.points == (
        Point(0.5, 0.25, kind="motorcycle"),
        Point(0.1, 0.2, keep=False),
        Point(0, 1),
    )
    assert program.options.points == (Point(0, 0.5, image=2), Point(1, 1, keep=False))
    assert [str(point) for point in page.options.points] == ["0.5,0.25,motorcycle", "0.1,0.2,away", "0,1"]


@pytest.mark.parametrize(
    ("point", "message"),
    [
        (["0.5"], "A point must have two fractions from 0 to 1: x,y."),
        (["a,b"], "A point must have two fractions from 0 to 1: x,y."),
        (["nan,0"], "A point must be given in fractions from 0 to 1: x,y."),
        (["0.5,1.01"], "A point must be given in fractions from 0 to 1: x,y."),
        (["0.5,0.5,<b>"], "A point must be written as x,y, or as x,y,away to take something away."),
        ([{"x": 0, "y": 0, "image": 9}], "A point must be on photo 1 to 5."),
        ([{"x": 0}], "A point needs the numbers x and y."),
        ([{"x": 0, "y": 0, "z": 0}], "A point needs the numbers x and y."),
        ([None], "A point must have two fractions from 0 to 1: x,y."),
        (["0.5,0.5"] * 21, "Use at most 20 points."),
        (["0.5,0.5,away"], "Add a point that selects something. So far, points only take something away."),
        (
            [{"x": 0, "y": 0, "image": 2}],
            "A point is on photo 2, which is missing. Add the photo or delete the point.",
        ),
    ],
)
def test_an_invalid_point_is_rejected(point: Any, message: str) -> None:
    assert checked(point=point).errors["point"] == [message]


def test_points_are_rejected_on_a_machine_with_too_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "analysis_memory", lambda: None)
    message = "This site has too little memory to select by a click. Draw a box instead of a point."
    assert checked(point=["0.5,0.5"]).errors["point"] == [message]


def test_points_are_rejected_by_an_engine_that_does_not_support_them(settings: Any) -> None:
    configure(settings, another_site())
    message = "This engine can't select by a click. Delete the points and describe the area in your prompt."
    assert checked(point=["0.5,0.5"]).errors["point"] == [message]


@pytest.mark.parametrize("prompt", ["", "  \r\n", "\u200b", "\u2060\u200d \ufeff", None, 7])
def test_a_prompt_with_visible_characters_is_required(prompt: Any) -> None:
    assert checked(prompt=prompt).errors["prompt"] == ["Prompt is required"]


@pytest.mark.parametrize("prompt", ["a\x00b", "a\ud800b", "\udfff"])
def test_characters_that_cannot_be_saved_are_rejected(prompt: str) -> None:
    assert "be saved" in checked(prompt=prompt).errors["prompt"][0]


def test_a_prompt_is_normalized_and_trimmed() -> None:
    decomposed = unicodedata.normalize("NFD", "  café\r\nbrighter ")
    assert checked(prompt=decomposed).prompt_text == "café\nbrighter"


def test_it_counts_characters_not_bytes(settings: Any) -> None:
    settings.MAX_PROMPT_CHARACTERS = 10
    assert not checked(prompt="é" * 10).errors
    assert checked(prompt="é" * 11).errors["prompt"] == ["Use at most 10 characters. You entered 11."]


@pytest.mark.parametrize(
    ("photos", "message"),
    [(0, "At least one image URL is required"), (6, "Maximum 5 images allowed"), (5, None)],
)
def test_one_to_five_photos_are_required(photos: int, message: str | None) -> None:
    assert list(checked(photos=photos).non_field_errors()) == ([message] if message else [])


@pytest.mark.parametrize("outputs", ["0", "5", "-1", "x", "1.5"])
def test_an_invalid_number_of_results_is_rejected(outputs: str) -> None:
    assert checked(outputs=outputs).errors["outputs"]
    assert checked(outputs=outputs).options.outputs == 1


@pytest.mark.parametrize(
    "blank", ["\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\u034f", "\ufe0f", "\U000e0101", "\u180b"]
)
def test_a_prompt_of_invisible_characters_counts_as_empty(blank: str) -> None:
    assert checked(prompt=f" {blank}\u200b{blank}").errors["prompt"] == ["Prompt is required"]
    assert checked(prompt=f"warmer {blank} \u2764{blank}").prompt_text == f"warmer {blank} \u2764{blank}"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (" Alice Ames ", "Alice Ames"),
        ("\u202egnp.exe\u202c", "gnp.exe"),
        ("Al\u200bi\u2060ce\x07\u2028", "Alice"),
        ("\u3164\u2800", ""),
        ("\u200b\u200d", ""),
        ("Žofie 爱丽丝", "Žofie 爱丽丝"),
    ],
)
def test_a_name_keeps_only_visible_characters(name: str, shown: str) -> None:
    assert clean_line(name) == shown


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (" holiday \r\n script ", "holiday script"),
        ("Al\u200bi\x07ce", "Alice"),
        ("x" * 5 + "\u200b", "x" * 5),
    ],
)
def test_a_line_field_removes_line_breaks_and_invisible_characters(given: str, kept: str) -> None:
    assert LineField(max_length=17).clean(given) == kept


def test_a_line_field_rejects_null_characters() -> None:
    with pytest.raises(ValidationError, match="Null characters"):
        LineField().clean("a\x00b")


@pytest.mark.parametrize("given", [None, "", " \n ", "\u200b\u3164"])
def test_a_line_without_visible_characters_counts_as_missing(given: str | None) -> None:
    assert LineField(required=False).clean(given) == ""
    with pytest.raises(ValidationError, match="Say why"):
        LineField(error_messages={"required": "Say why"}).clean(given)
