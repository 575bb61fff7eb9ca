"""Tests of the themes, and of the pages on phones and in windows of low height."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import scenes
from tests.journeys.accessibility import find_violations
from tests.journeys.conftest import OpenPage
from tests.journeys.steps import add_photo, enter_prompt, submit, wait_for_result, wait_until
from tests.portal import Portal

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LONG = "remove it, add a flobberwick, " + "superlongwordwithoutanyend" * 4 + ", make it warmer"


def lightness(page: Page) -> float:
    """Return the lightness of the page's background, from 0 to 1."""
    color = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return float(color.removeprefix("oklch(").split()[0])


def is_too_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_the_dark_theme_can_be_chosen_and_is_kept(editor: Page, site: Portal) -> None:
    assert lightness(editor) > 0.9
    with editor.expect_response("**/account/theme/"):
        editor.get_by_role("button", name="Switch between light and dark").click()
    wait_until(editor, lambda: lightness(editor) < 0.3)
    editor.goto(f"{site.url}/history/")
    assert lightness(editor) < 0.3


def test_no_page_is_wider_than_a_phone(
    open_editor: OpenPage, site: Portal, photo: Path, small_photo: Path
) -> None:
    page = open_editor(**PHONE)
    add_photo(page, small_photo)
    enter_prompt(page, LONG)
    expect(page.locator("#plan")).to_contain_text("flobberwick")
    assert not is_too_wide(page)
    submit(page, photo, "make it sepia")
    wait_for_result(page)
    assert not is_too_wide(page)
    page.get_by_role("radio", name="Side by side").check(force=True)
    assert not is_too_wide(page)
    for path in ("/history/", "/credits/", "/account/"):
        page.goto(f"{site.url}{path}")
        assert not is_too_wide(page), path


def test_the_top_bar_of_a_team_fits_on_a_tablet(open_page: OpenPage, site: Portal, demo: str) -> None:
    page = open_page(locale="de-DE", viewport={"width": 768, "height": 1024})
    _sign_in_as_viewer(page, site, demo)
    switch = page.locator(".switch")
    for width in (768, 800, 960):
        page.set_viewport_size({"width": width, "height": 1024})
        assert not is_too_wide(page), width
        assert switch.evaluate("(one) => one.scrollWidth <= one.clientWidth"), width
        assert switch.locator(".switch__name").evaluate("(one) => one.clientWidth") > 30, width


def test_a_tall_first_photo_is_shown_completely(editor: Page, tmp_path: Path) -> None:
    path = tmp_path / "tower.png"
    scenes.lake(300, 900).save(path)
    add_photo(editor, path)
    fit = editor.locator(".shot .ph__img").evaluate("(image) => getComputedStyle(image).objectFit")
    assert fit == "contain"


def test_the_heading_and_price_of_the_plan_do_not_overlap_on_a_small_phone(open_editor: OpenPage) -> None:
    page = open_editor(**PHONE | {"viewport": {"width": 360, "height": 740}})
    ends = page.evaluate("""() => [".plan__h", ".plan__price"].map((name) => {
        const words = document.createRange();
        words.selectNodeContents(document.querySelector(name));
        return words.getBoundingClientRect();
    }).map((box) => [box.left, box.right])""")
    assert ends[0][1] <= ends[1][0]


@pytest.mark.parametrize("width", [320, 360])
def test_a_large_balance_leaves_room_for_the_account_on_a_small_phone(
    open_editor: OpenPage, width: int
) -> None:
    page = open_editor(**PHONE | {"viewport": {"width": width, "height": 700}})
    page.locator("#balance b").evaluate("(free) => { free.textContent = '123456'; }")
    menu = page.get_by_role("button", name="account menu").bounding_box()
    assert menu is not None
    assert menu["x"] + menu["width"] <= width
    assert not is_too_wide(page)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720)])
def test_all_controls_for_an_edit_fit_on_the_screen(
    open_editor: OpenPage, photo: Path, width: int, height: int
) -> None:
    page = open_editor(viewport={"width": width, "height": height})
    add_photo(page, photo)
    enter_prompt(page, "make it warmer, brighten it a little and add a thin white border")
    expect(page.locator("#plan li")).to_have_count(3)
    dock = page.locator(".dock").bounding_box()
    formats = page.get_by_role("group", name="Format").bounding_box()
    assert dock is not None
    assert formats is not None
    assert dock["y"] + dock["height"] <= height
    assert formats["y"] + formats["height"] <= dock["y"]


def test_the_tabs_fade_at_their_end_while_there_are_more(
    open_page: OpenPage, site: Portal, demo: str
) -> None:
    page = open_page(**PHONE)
    _sign_in(page, site, demo, "owner@demo.example")
    page.goto(f"{site.url}/w/demo-team/members/")
    tabs = page.locator(".tabs")
    expect(tabs).to_have_css("--fade", "48px")
    tabs.evaluate("(tabs) => { tabs.scrollLeft = tabs.scrollWidth; }")
    expect(tabs).to_have_css("--fade", "0px")
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(tabs).to_have_css("--fade", "0px")


def test_the_bar_with_the_price_scrolls_away_in_a_low_window(open_editor: OpenPage) -> None:
    page = open_editor(viewport={"width": 640, "height": 425})
    dock = page.locator(".dock")
    expect(dock).to_have_css("position", "static")
    page.set_viewport_size({"width": 390, "height": 425})  # a phone while a person types
    expect(dock).to_have_css("position", "fixed")


def test_the_notice_for_a_viewer_fits_on_a_narrow_phone(open_page: OpenPage, site: Portal, demo: str) -> None:
    page = open_page(locale="de-DE", viewport={"width": 320, "height": 640})
    _sign_in_as_viewer(page, site, demo)
    expect(page.get_by_role("heading", name="Sie sind in diesem Team Betrachter")).to_be_visible()
    assert not is_too_wide(page)
    assert find_violations(page) == []


def test_the_pages_of_a_workspace_and_of_the_account_have_the_same_column(editor: Page, site: Portal) -> None:
    edges = set()
    for path in (editor.url + "settings/", f"{site.url}/account/"):
        editor.goto(path)
        box = editor.locator(".column").bounding_box()
        assert box
        edges.add((box["x"], box["width"]))
    assert len(edges) == 1


def test_a_small_heading_is_level_with_its_links(editor: Page) -> None:
    middle = """(one) => {
        const text = document.createRange();
        text.selectNodeContents(one);
        const box = text.getBoundingClientRect();
        return (box.top + box.bottom) / 2;
    }"""
    parts = editor.locator("#ideas .sec-head > *")
    expect(parts).to_have_count(3)
    middles = [part.evaluate(middle) for part in parts.all()]
    assert max(middles) - min(middles) < 1


def _sign_in_as_viewer(page: Page, site: Portal, password: str) -> None:
    _sign_in(page, site, password, "viewer@demo.example")
    page.goto(f"{site.url}/w/demo-team/")


def _sign_in(page: Page, site: Portal, password: str, email: str) -> None:
    page.goto(f"{site.url}/accounts/login/")
    page.locator("#id_login").fill(email)
    page.locator("#id_password").fill(password)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site.url}/w/**")
