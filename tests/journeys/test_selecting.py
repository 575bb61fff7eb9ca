"""Tests for selecting by click, tap, or keyboard, and for boxes that adjust to the thing inside them."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.journeys.accessibility import find_violations, find_violations_by_tab
from tests.journeys.conftest import OpenPage
from tests.journeys.steps import (
    add_photo,
    download,
    draw_box,
    enter_prompt,
    marked_regions,
    submit_form,
    wait_for_result,
)
from tests.journeys.test_looks import PHONE

CUP = Path(__file__).resolve().parents[1] / "photos" / "cup.jpg"
ON_THE_CUP = (0.5, 0.45)  # a point on the cup, as fractions of the photo's width and height
ANALYZED = 300_000  # maximum wait for an analysis, in milliseconds; it can take long on a busy machine


def pen(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="Action of a click on photo 1").get_by_role("button", name=name)


def place_on_photo(page: Page, x: float, y: float) -> tuple[float, float]:
    expect(page.locator(".finds")).to_have_css("position", "absolute")  # The style sheet is loaded last.
    frame = page.locator(".finds").bounding_box()
    assert frame is not None
    return frame["x"] + x * frame["width"], frame["y"] + y * frame["height"]


def selected_points(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator("#points input").all()]


def is_outlined(page: Page, x: float, y: float) -> bool:
    """Return whether a point of the photo is inside the outline of the selection."""
    inside = """([x, y]) => {
        const point = new DOMPoint(x * 1e4, y * 1e4);
        return document.querySelector(".finds .found:nth-child(2)").isPointInFill(point);
    }"""
    return bool(page.evaluate(inside, [x, y]))


def expect_points(page: Page, count: int) -> None:
    expect(page.locator("#points input")).to_have_count(count, timeout=ANALYZED)


def test_a_failed_edit_opens_the_editor_with_the_select_tool(editor: Page) -> None:
    add_photo(editor, CUP)
    editor.goto(f"{editor.url}?mark=point")
    expect(pen(editor, "Select")).to_have_attribute("aria-pressed", "true")
    expect(editor.get_by_text("Click something to select it.")).to_be_visible()
    editor.mouse.click(*place_on_photo(editor, *ON_THE_CUP))
    expect_points(editor, 1)


def test_a_click_selects_the_thing_that_the_prompt_refers_to(editor: Page, tmp_path: Path) -> None:
    add_photo(editor, CUP)
    pen(editor, "Select").click()
    expect(editor.get_by_text("Click something to select it.")).to_be_visible()
    editor.mouse.click(*place_on_photo(editor, *ON_THE_CUP))
    expect_points(editor, 1)
    x, y, kind = selected_points(editor)[0].split(",")
    assert (float(x), float(y)) == pytest.approx(ON_THE_CUP, abs=0.01)
    assert kind == "cup"
    expect(editor.locator("#live")).to_have_text("Selected: the cup")
    assert is_outlined(editor, *ON_THE_CUP)
    assert not is_outlined(editor, 0.02, 0.02)
    enter_prompt(editor, "make it blue")
    expect(editor.locator("#plan")).to_contain_text("Make the cup blue")
    assert find_violations(editor) == []
    assert find_violations_by_tab(editor) == []
    submit_form(editor)
    wait_for_result(editor)
    with Image.open(CUP) as before, Image.open(download(editor, tmp_path)) as after:
        differ = np.abs(np.asarray(before.convert("RGB"), int) - np.asarray(after.convert("RGB"), int)).max(2)
    rows, columns = differ.shape
    assert (
        differ[round(0.45 * rows) - 9 : round(0.45 * rows) + 9, columns // 2 - 9 : columns // 2 + 9].max()
        > 40
    )
    assert np.median(differ[:20, :20]) < 12
    editor.get_by_role("button", name="Change the prompt").click()
    expect_points(editor, 1)
    expect(editor.locator(".found").nth(1)).not_to_have_attribute("d", "", timeout=ANALYZED)


def test_the_outline_under_the_pointer_is_shown_and_a_drawn_box_fits_itself(editor: Page) -> None:
    add_photo(editor, CUP)
    with editor.expect_request(lambda request: request.method == "POST" and request.url.endswith("/select/")):
        pen(editor, "Select").click()  # requests what is under the crosshair, before the pointer moves
    editor.mouse.move(*place_on_photo(editor, *ON_THE_CUP))
    near = editor.locator(".found--near").nth(1)
    expect(near).not_to_have_attribute("d", "", timeout=ANALYZED)
    editor.mouse.click(*place_on_photo(editor, *ON_THE_CUP))
    expect_points(editor, 1)
    editor.get_by_role("button", name="Clear selection").click()
    expect_points(editor, 0)
    expect(pen(editor, "Add")).to_be_disabled()

    pen(editor, "Draw a box").click()
    expect(pen(editor, "Select")).to_have_attribute("aria-pressed", "false")
    drawn = (0.02, 0.02, 0.94, 0.94)
    draw_box(editor, *drawn)
    undo = editor.get_by_role("button", name="Undo fitting the box")
    expect(undo).to_be_visible()
    expect(editor.locator("#live")).to_have_text("The box now fits what is in it.")
    ((x, y, width, height),) = marked_regions(editor)
    assert width * height < 0.94 * 0.94
    assert x < ON_THE_CUP[0] < x + width
    assert y < ON_THE_CUP[1] < y + height
    undo.click()
    assert marked_regions(editor) == [pytest.approx(drawn, abs=0.01)]
    expect(undo).to_be_hidden()


def test_on_a_phone_taps_select_add_and_remove(open_editor: OpenPage) -> None:
    phone = open_editor(**PHONE, color_scheme="dark")
    add_photo(phone, CUP)
    pen(phone, "Select").tap()
    expect(phone.get_by_text("Tap something to select it.")).to_be_visible()
    phone.touchscreen.tap(*place_on_photo(phone, *ON_THE_CUP))
    expect_points(phone, 1)
    pen(phone, "Add").tap()
    phone.touchscreen.tap(*place_on_photo(phone, 0.04, 0.04))
    expect_points(phone, 2)
    assert is_outlined(phone, *ON_THE_CUP)
    pen(phone, "Take away").tap()
    phone.touchscreen.tap(*place_on_photo(phone, *ON_THE_CUP))
    expect_points(phone, 3)
    assert selected_points(phone)[2].endswith(",away")
    assert not is_outlined(phone, *ON_THE_CUP)
    assert find_violations(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    touch = phone.evaluate("getComputedStyle(document.querySelector('.finds').parentElement).touchAction")
    assert touch == "auto", "zooming by two fingers stays free"


def test_the_keyboard_can_move_a_crosshair_and_select_with_it(editor: Page, photo: Path) -> None:
    add_photo(editor, CUP)
    pen(editor, "Select").press("Enter")
    cross = editor.get_by_role("button", name="Crosshair: 50% from the left, 50% from the top")
    expect(cross).to_be_focused()
    editor.keyboard.press("ArrowUp")
    editor.keyboard.press("ArrowRight")
    expect(editor.locator("#live")).to_have_text("Crosshair: 52% from the left, 48% from the top")
    editor.keyboard.press("Enter")
    expect_points(editor, 1)
    assert selected_points(editor) == ["0.5200,0.4800,cup"]
    editor.keyboard.press("Escape")
    expect(pen(editor, "Select")).to_be_focused()
    expect(pen(editor, "Select")).to_have_attribute("aria-pressed", "false")
    assert len(selected_points(editor)) == 1
    add_photo(editor, photo)
    editor.get_by_role("button", name="Move photo 2 earlier").press("Enter")
    expect_points(editor, 0)
    expect(editor.locator("#live")).to_have_text("Photo 1 changed, selection removed")
