"""Tests of a comment on a spot in the result. The comment must be displayed at that spot."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.steps import draw_box, marked_regions, submit, wait_for_result

BOX = (0.5, 0.5, 0.3, 0.3)


def mark_a_place(editor: Page, photo: Path) -> None:
    """Create an edit, and mark a spot on its result."""
    submit(editor, photo, "make it sepia")
    wait_for_result(editor)
    editor.get_by_role("button", name="Draw a box").click()
    draw_box(editor, *BOX)


def test_a_comment_belongs_to_a_box_on_the_result(editor: Page, small_photo: Path) -> None:
    mark_a_place(editor, small_photo)
    draw_box(editor, *BOX)
    assert marked_regions(editor) == [pytest.approx(BOX, abs=0.01)], (
        "a comment has one place, and the last one drawn counts"
    )
    editor.get_by_role("textbox", name="Comment").fill("A little brighter here")
    editor.get_by_role("button", name="Send").click()
    note = editor.locator(".note:target")
    expect(note).to_contain_text("A little brighter here")
    expect(editor.locator(".notes-marks rect")).to_have_count(1)
    note.get_by_role("button", name="Delete this comment").click()
    expect(editor.locator(".note")).to_have_count(0)


def test_a_drawn_box_remains_if_its_comment_is_rejected(editor: Page, small_photo: Path) -> None:
    mark_a_place(editor, small_photo)
    editor.get_by_role("button", name="Send").click()
    expect(editor.get_by_text("Write a comment first")).to_be_visible()
    expect(editor.locator("#marks .mark")).to_have_count(1)
    assert marked_regions(editor) == [pytest.approx(BOX, abs=0.01)]
    editor.get_by_role("textbox", name="Comment").fill("A little brighter here")
    editor.get_by_role("button", name="Send").click()
    expect(editor.locator(".notes-marks rect")).to_have_count(1)


def test_comments_are_below_the_photo_on_a_wide_screen(editor: Page, small_photo: Path) -> None:
    submit(editor, small_photo, "make it sepia")
    wait_for_result(editor)
    photo, comments = (editor.locator(name).bounding_box() for name in (".stage", "#comments"))
    assert photo
    assert comments
    assert (comments["x"], comments["width"]) == (photo["x"], photo["width"])
    assert 0 < comments["y"] - photo["y"] - photo["height"] < 40
    editor.set_viewport_size({"width": 390, "height": 844})
    parts = editor.locator("#h-run, #h-req, #h-shares, #h-comments")
    assert [part.get_attribute("id") for part in parts.all()] == ["h-run", "h-req", "h-shares", "h-comments"]
    tops = [part.evaluate("(one) => one.getBoundingClientRect().top") for part in parts.all()]
    assert tops == sorted(tops)
