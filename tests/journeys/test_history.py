"""Tests that edits in the history are selected by mouse or keyboard, deleted together, and restored."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import wait_until
from tests.journeys.test_accessible import SIZES, assert_accessible
from tests.portal import Portal


@pytest.fixture
def open_history(open_page: OpenPage, site: Portal, demo: str) -> Callable[..., Page]:
    def open_one(**options: Any) -> Page:
        page = open_page(**options)
        page.goto(f"{site.url}/accounts/login/?next=/w/demo-team/history/")
        page.get_by_label("Email").fill("owner@demo.example")
        page.get_by_label("Password", exact=True).fill(demo)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.wait_for_url("**/history/")  # The heading is visible before the last tile is parsed.
        expect(page.get_by_role("heading", name="History")).to_be_visible()
        return page

    return open_one


def picks(page: Page) -> int:
    return page.locator("[data-pick]:checked").count()


def test_shift_click_selects_a_range_and_escape_clears_the_selection(
    open_history: Callable[..., Page],
) -> None:
    page = open_history()
    boxes = page.locator("[data-pick]")
    boxes.nth(1).check(force=True)
    boxes.nth(4).click(force=True, modifiers=["Shift"])
    assert picks(page) == 4
    expect(page.locator("#live")).to_have_text("4 selected")
    page.keyboard.press("Control+a")
    assert picks(page) == boxes.count()
    page.keyboard.press("Escape")
    assert picks(page) == 0
    expect(page.locator("#picked")).to_be_hidden()


def test_dragging_a_frame_selects_the_edits_that_it_touches(open_history: Callable[..., Page]) -> None:
    page = open_history()
    heading = page.locator(".day h2").first.bounding_box()
    tile = page.locator(".found article").first.bounding_box()
    assert heading
    assert tile
    page.mouse.move(heading["x"] + 2, heading["y"] + 2)
    page.mouse.down()
    page.mouse.move(tile["x"] + 30, tile["y"] + 30, steps=4)
    page.mouse.up()
    assert page.locator("[data-pick]").first.is_checked()
    expect(page.locator(".band")).to_have_count(0)
    expect(page.locator("#picked")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_selected_edits_are_moved_to_the_trash_and_restored(
    open_history: Callable[..., Page], size: dict[str, Any]
) -> None:
    page = open_history(**size)
    before = page.locator("[data-pick]").count()
    for place in (0, 1):
        page.locator("[data-pick]").nth(place).focus()
        page.keyboard.press("Space")
    assert_accessible(page)
    page.get_by_role("button", name="Delete", exact=True).click()
    toast = page.get_by_role("region", name="Notifications")
    expect(toast).to_contain_text("2 edits moved to the trash.")
    toast.get_by_role("button", name="Undo").click()
    expect(toast).to_contain_text("2 edits restored.")
    expect(page.locator("[data-pick]")).to_have_count(before)


def test_an_edit_can_be_starred_without_javascript(open_history: Callable[..., Page]) -> None:
    page = open_history(java_script_enabled=False)
    page.locator("[data-pick]").nth(0).check(force=True)
    page.locator("#picked").get_by_role("button", name="Star").click()
    expect(page.get_by_role("region", name="Notifications")).to_contain_text("1 edit starred.")


def test_older_edits_are_loaded_when_scrolling_down(open_history: Callable[..., Page]) -> None:
    page = open_history()
    shown = page.locator("[data-pick]").count()
    page.get_by_role("link", name="Older").scroll_into_view_if_needed()
    expect(page.locator("[data-pick]").nth(shown)).to_be_attached()
    wait_until(page, lambda: len(set(days(page))) == len(days(page)))  # A day of both pages appears once.


def days(page: Page) -> list[str]:
    """Return the days that have a heading in the list."""
    found: list[str] = page.locator("[data-day]").evaluate_all("all => all.map(one => one.dataset.day)")
    return found


def test_a_filter_can_be_set_and_removed(open_history: Callable[..., Page]) -> None:
    page = open_history()
    page.locator("summary", has_text="Status").click()
    page.get_by_role("link", name="Failed", exact=True).click()
    expect(page).to_have_url(re.compile("state=failed"))
    assert_accessible(page)
    page.get_by_role("link", name="remove this filter").click()
    expect(page).not_to_have_url(re.compile("state"))
