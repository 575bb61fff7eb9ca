"""Tests of drawing boxes on photo 1 by mouse and keyboard, and of the boxes' effect on the edit."""

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.journeys.steps import (
    add_photo,
    download,
    draw_box,
    enter_prompt,
    marked_regions,
    submit_form,
    wait_for_result,
)

# left edge, top edge, width, and height of the boat that tests.scenes draws
BOAT = (0.17, 0.46, 0.26, 0.36)
HULL = (0.3, 0.755)


def redness(path: Path) -> float:
    """Return the red value minus the blue value in the middle of the boat's hull, from -255 to 255."""
    with Image.open(path) as image:
        x, y = (round(side * part) for side, part in zip(image.size, HULL, strict=True))
        patch = image.convert("RGB").crop((x - 8, y - 5, x + 8, y + 5)).resize((1, 1), Image.Resampling.BOX)
    red, _, blue = patch.getpixel((0, 0))  # type: ignore[misc]
    return red - blue


def keep_boxes_as_drawn(page: Page) -> None:
    """Let no box fit itself to what is in it, which happens at some time after the box was drawn."""
    page.route(
        "**/select/", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )


def test_the_thing_in_a_drawn_box_is_removed(editor: Page, photo: Path, tmp_path: Path) -> None:
    keep_boxes_as_drawn(editor)
    add_photo(editor, photo)
    enter_prompt(editor, "remove it")
    expect(editor.locator("#plan")).to_contain_text("draw a box around it")
    editor.get_by_role("button", name="Draw a box").first.click()
    draw_box(editor, *BOAT)
    expect(editor.get_by_role("button", name="Box 1 of 1")).to_be_focused()
    assert marked_regions(editor) == [pytest.approx(BOAT, abs=0.01)]
    expect(editor.locator("#plan")).to_contain_text("Erase the area in the box")
    drawn = marked_regions(editor)
    submit_form(editor)
    wait_for_result(editor)
    assert redness(photo) > 100
    assert redness(download(editor, tmp_path)) < 40

    editor.get_by_role("button", name="Change the prompt").click()
    expect(editor.get_by_role("button", name="Box 1 of 1")).to_be_visible()
    assert marked_regions(editor) == drawn


def test_a_box_can_be_added_moved_resized_and_deleted_with_the_keyboard(editor: Page, photo: Path) -> None:
    add_photo(editor, photo)
    toggle = editor.get_by_role("button", name="Draw a box").first
    toggle.press("Enter")
    expect(toggle).to_have_attribute("aria-pressed", "true")
    add = editor.get_by_role("button", name="Add a box")
    add.press("Enter")
    box = editor.get_by_role("button", name="Box 1 of 1")
    expect(box).to_be_focused()
    box.press("ArrowRight")
    box.press("Shift+ArrowDown")
    expect(box).to_have_accessible_name("Box 1 of 1: 37% from the left, 35% from the top, 30% wide, 32% high")
    add.press("Enter")
    expect(editor.get_by_role("button", name="Box 2 of 2")).to_be_focused()
    editor.keyboard.press("Delete")
    expect(box).to_be_focused()
    editor.keyboard.press("Delete")
    expect(add).to_be_focused()
    assert marked_regions(editor) == []
    editor.keyboard.press("Escape")
    expect(toggle).to_be_focused()
    expect(toggle).to_have_attribute("aria-pressed", "false")


def test_boxes_vanish_when_another_photo_becomes_the_first(
    editor: Page, photo: Path, small_photo: Path
) -> None:
    add_photo(editor, photo)
    add_photo(editor, small_photo)
    editor.get_by_role("button", name="Draw a box").first.click()
    draw_box(editor, *BOAT)
    editor.get_by_role("button", name="Draw a box").first.click()
    assert len(marked_regions(editor)) == 1
    editor.get_by_role("button", name="Move photo 2 earlier").press("Enter")
    expect(editor.locator("#regions input")).to_have_count(0)
    expect(editor.locator("#live")).to_have_text("Photo 1 changed, boxes removed")
