"""Tests of a new user's first minute in a browser.

The user tries ideas, photos given by URL, the aspect ratio, and the map of changes.
"""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from PIL import Image
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import (
    add_photo,
    enter_prompt,
    size_of,
    submit,
    tab_to,
    tray_photos,
    wait_for_result,
)
from tests.journeys.test_looks import is_too_wide
from tests.portal import PASSWORD, Portal

PATIENCE = 300_000  # maximum wait in milliseconds; it is long because ideas are first tried on the photo


def test_ideas_match_the_photo_and_fill_in_the_prompt(editor: Page, small_photo: Path) -> None:
    expect(editor.get_by_role("heading", name="Ideas by type")).to_be_visible()
    add_photo(editor, small_photo)
    expect(editor.get_by_role("heading", name="Ideas for this photo")).to_be_visible(timeout=PATIENCE)
    first = editor.locator("#ideas .idea").first
    words = first.locator("[lang=en]").inner_text()
    first.press("Enter")
    prompt = editor.get_by_label("What should change?")
    expect(prompt).to_have_value(words)
    expect(prompt).to_be_focused()
    expect(editor.locator("#plan li")).not_to_have_count(0)
    before = editor.locator("#ideas ul").inner_text()
    editor.get_by_role("button", name="More ideas").press("Enter")
    expect(editor.locator("#ideas ul")).not_to_have_text(before, use_inner_text=True)
    expect(prompt).to_have_value(words)


def test_a_url_that_fails_stays_in_its_field(editor: Page) -> None:
    field = editor.get_by_label("Web address of a photo")
    field.fill("http://10.0.0.1/boat.jpg")
    field.press("Enter")
    expect(editor.locator(".shot.is-failed")).to_contain_text("This URL is not allowed.")
    expect(field).to_have_value("http://10.0.0.1/boat.jpg")
    expect(tray_photos(editor)).to_have_count(0)
    expect(editor.get_by_role("heading", name="Photos", exact=True)).to_be_visible()


def test_the_plan_says_that_a_chosen_shape_overrides_the_prompt(editor: Page, small_photo: Path) -> None:
    add_photo(editor, small_photo)
    enter_prompt(editor, "crop to 1:1")
    expect(editor.locator("#plan li")).to_have_count(1)
    editor.get_by_role("radio", name="4:5").press("Space")
    expect(editor.locator("#plan")).to_contain_text("You chose the shape 4:5 below")


def test_ideas_and_photo_urls_work_without_javascript(
    open_page: OpenPage, site: Portal, cookies: Any
) -> None:
    page = open_page(java_script_enabled=False, storage_state=cookies)
    page.goto(f"{site.url}/")
    page.locator("#ideas .idea").first.click()
    expect(page.get_by_label("What should change?")).not_to_have_value("")
    page.get_by_label("Web address of a photo").fill("10.0.0.1/boat.jpg")
    page.locator("[name=bring]").click()
    expect(page.get_by_role("alert")).to_contain_text("This URL is not allowed.")
    expect(page.get_by_label("Web address of a photo")).to_have_value("https://10.0.0.1/boat.jpg")


def test_a_result_shows_the_changed_share_and_downloads_contain_the_prompt(
    editor: Page, small_photo: Path, tmp_path: Path
) -> None:
    submit(editor, small_photo, "make it black & white")
    wait_for_result(editor)
    expect(editor.locator("[data-share]")).to_have_text(re.compile(r"^[1-9]\d?$"))
    editor.get_by_text("Other format").click()
    editor.get_by_role("radio", name="Prompt").check(force=True)
    for name in ("PNG", "JPEG", "WebP"):
        editor.get_by_role("radio", name=name).check(force=True)
        with editor.expect_download() as waiting:
            editor.get_by_role("button", name="Download").click()
        file = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(file)
        with Image.open(file) as picture:
            picture.load()
            packet = picture.info.get("xmp") or picture.info["XML:com.adobe.xmp"]
            assert picture.size == (600, 400)
        root = ElementTree.fromstring(packet)
        assert "".join(root.itertext()) == "make it black & white", name


def test_a_new_user_can_edit_a_photo_by_keyboard_on_a_narrow_phone(
    open_page: OpenPage, site: Portal, tmp_path: Path
) -> None:
    newcomer = "newcomer@example.org"
    site.manage("create_user", newcomer, "--password", PASSWORD)
    page = open_page(viewport={"width": 320, "height": 640})
    page.goto(site.url)
    tab_to(page, "main a[href*=login]")
    page.keyboard.press("Enter")
    expect(page.locator("#id_login")).to_be_focused()
    page.keyboard.type(newcomer)
    tab_to(page, "#id_password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site.url}/w/**")
    assert not is_too_wide(page)

    tab_to(page, ".sample")
    page.keyboard.press("Enter")
    expect(tray_photos(page)).to_have_count(1)
    tab_to(page, "#prompt")
    page.keyboard.type("make it black and white")
    expect(page.locator("#plan li")).to_have_count(1)
    assert not is_too_wide(page)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/edits/**")
    wait_for_result(page)
    assert not is_too_wide(page)
    tab_to(page, ".acts a[download]")
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    waiting.value.save_as(tmp_path / "result.png")
    assert size_of(tmp_path / "result.png") == (1800, 1200)
