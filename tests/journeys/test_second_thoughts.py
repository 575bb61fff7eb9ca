"""Tests of changing a prompt after it was rejected. Meanwhile, the page must show the right messages."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import (
    add_photo,
    enter_prompt,
    free_credits,
    submit,
    submit_form,
    wait_for_result,
)
from tests.journeys.test_looks import PHONE

REFUSED = "make it sepia and add a flobberwick"


def test_a_suggestion_is_disabled_until_a_changed_prompt_has_its_plan(
    editor: Page, small_photo: Path
) -> None:
    add_photo(editor, small_photo)
    enter_prompt(editor, "add an octopus")
    offer = editor.get_by_role("button", name="add an octopus emoji")
    expect(offer).to_be_enabled()
    # The suggestion for the old prompt must be disabled until the browser requests the new plan.
    assert editor.evaluate("""() => {
        const prompt = document.getElementById("prompt");
        prompt.value = "add a dragon";
        prompt.dispatchEvent(new Event("input", { bubbles: true }));
        return document.querySelector(".plan__way").disabled;
    }""")
    editor.get_by_role("button", name="add a dragon emoji").click()
    expect(editor.locator("#prompt")).to_have_value("add a dragon emoji")
    expect(editor.locator("#plan li")).to_have_count(1)
    submit_form(editor)
    wait_for_result(editor)
    expect(editor.locator(".quote")).to_have_text("add a dragon emoji")


def test_a_suggestion_can_be_applied_with_one_click_and_undone(editor: Page, small_photo: Path) -> None:
    before = free_credits(editor)
    add_photo(editor, small_photo)
    enter_prompt(editor, "dim the contrast")
    plan = editor.locator("#plan")
    expect(plan).to_contain_text("Not understood: dim the contrast")
    expect(plan).not_to_contain_text("credits")
    expect(editor.locator(".cost")).to_be_hidden()
    editor.get_by_role("button", name="less contrast").click()
    expect(editor.locator("#prompt")).to_have_value("less contrast")
    expect(plan.locator("li")).to_have_text("Reduce the contrast")
    expect(plan).to_contain_text("40 credits")
    editor.keyboard.press("Control+z")
    expect(editor.locator("#prompt")).to_have_value("dim the contrast")
    expect(editor.get_by_role("button", name="less contrast")).to_be_enabled()
    assert free_credits(editor) == before


def test_a_box_that_a_refusal_asks_for_can_be_drawn_and_leads_to_a_plan(
    editor: Page, small_photo: Path
) -> None:
    add_photo(editor, small_photo)
    enter_prompt(editor, "add an octopus to the trellis")
    editor.locator("#plan").get_by_role("button", name="Draw a box").click()
    expect(editor.locator("#prompt")).to_have_value("add an octopus emoji to the trellis")
    editor.get_by_role("button", name="Add a box").click()
    expect(editor.locator("#plan li")).to_have_count(1)


def test_suggestions_work_without_javascript(
    editor: Page, open_page: OpenPage, cookies: Any, small_photo: Path
) -> None:
    page = open_page(storage_state=cookies, java_script_enabled=False)
    page.goto(editor.url)
    page.locator("#prompt").fill("dim the contrast")
    page.locator("#files").set_input_files(small_photo)
    page.locator("#send").click()
    page.get_by_role("button", name="less contrast").click()
    expect(page.locator("#prompt")).to_have_value("less contrast")
    expect(page.locator("#plan li")).to_have_text("Reduce the contrast")
    expect(page.locator("li.shot")).to_have_count(1)


def test_without_javascript_a_click_on_the_photo_selects_what_a_refusal_asks_for(
    editor: Page, open_page: OpenPage, cookies: Any, small_photo: Path
) -> None:
    page = open_page(storage_state=cookies, java_script_enabled=False)
    page.goto(editor.url)
    button = "Select something in photo 1"
    expect(page.get_by_role("button", name=button)).to_have_count(0)
    page.locator("#prompt").fill("remove the trellis")
    page.locator("#files").set_input_files(small_photo)
    page.locator("#send").click()
    photo = page.get_by_role("button", name=button)
    expect(photo).to_be_visible()
    for fraction in (0.75, 0.25):  # The second click takes the place of the first one.
        frame = photo.bounding_box()
        assert frame is not None
        photo.click(position={"x": fraction * frame["width"], "y": frame["height"] / 2})
        at = str(page.locator("#points input").get_attribute("value"))
        assert [float(side) for side in at.split(",")] == pytest.approx([fraction, 0.5], abs=0.01)
    expect(page.get_by_label("Where you clicked")).to_be_visible()
    expect(page.locator("#prompt")).to_have_value("remove the trellis")
    page.get_by_role("button", name="Clear selection").click()
    expect(page.locator("#points input")).to_have_count(0)


def test_a_refusal_disappears_when_the_refused_words_are_removed(editor: Page, small_photo: Path) -> None:
    submit(editor, small_photo, REFUSED)
    expect(editor.get_by_role("alert").first).to_contain_text("flobberwick")
    enter_prompt(editor, "make it sepia")
    expect(editor.get_by_role("alert")).to_have_count(0)
    expect(editor.locator("#prompt")).not_to_have_attribute("aria-invalid", "true")
    expect(editor.locator("#plan")).not_to_contain_text("flobberwick")


def test_too_many_plan_requests_show_a_message_until_the_next_plan(editor: Page) -> None:
    sentence = "Too many plans were requested. Wait a moment, then try again."
    fragment = f'<section class="plan" id="plan"><p>{sentence}</p></section>'
    editor.route(
        "**/preview/", lambda route: route.fulfill(status=429, content_type="text/html", body=fragment)
    )
    enter_prompt(editor, "make it sepia")
    expect(editor.locator("#plan")).to_have_text(sentence)
    expect(editor.locator("#prompt")).to_have_value("make it sepia")
    expect(editor.locator("#toasts")).to_be_empty()
    editor.unroute("**/preview/")
    enter_prompt(editor, "make it warmer")
    expect(editor.locator("#plan li")).to_have_count(1)


def test_the_message_about_a_missing_photo_disappears_when_one_is_added(
    editor: Page, small_photo: Path
) -> None:
    enter_prompt(editor, "make it sepia")
    submit_form(editor)
    missing = editor.get_by_text("At least one image URL is required")
    expect(missing).to_be_visible()
    add_photo(editor, small_photo)
    expect(missing).to_have_count(0)


def test_on_a_phone_a_refusal_and_its_suggestion_are_visible_above_the_dock(
    open_editor: OpenPage, small_photo: Path
) -> None:
    page = open_editor(**PHONE)
    submit(page, small_photo, REFUSED)
    expect(page.get_by_role("alert").first).to_be_in_viewport(ratio=1)
    way_out = page.get_by_role("button", name="Do the rest · 40 credits")
    expect(way_out).to_be_in_viewport(ratio=1)
    box, dock = way_out.bounding_box(), page.locator(".dock").bounding_box()
    assert box is not None
    assert dock is not None
    assert box["y"] + box["height"] <= dock["y"]
