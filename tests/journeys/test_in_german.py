"""Tests that a German-speaking user sees every step of an edit in German, except the English prompt."""

from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import add_photo, empty_tray
from tests.portal import Portal


def test_a_photo_can_be_edited_in_german(
    open_page: OpenPage, site: Portal, cookies: Any, small_photo: Path
) -> None:
    page = open_page(storage_state=cookies, locale="de-DE", viewport={"width": 390, "height": 844})
    page.goto(f"{site.url}/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    empty_tray(page)
    add_photo(page, small_photo)
    expect(page.locator("#tray-count")).to_have_text("1 von 5")
    page.get_by_label("Was soll sich ändern?").fill("make it black and white")
    expect(page.locator("#plan")).to_contain_text("Foto in Schwarz-Weiß umwandeln")
    page.get_by_role("button", name="Fotos bearbeiten").last.click()
    page.wait_for_url("**/edits/**")
    expect(page.get_by_role("link", name="Herunterladen", exact=True)).to_be_visible(timeout=300_000)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"{site.url}/account/")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Account", exact=True)).to_be_visible()
    page.get_by_role("button", name="Match the browser").click()
    expect(page.get_by_role("heading", name="Konto", exact=True)).to_be_visible()


def test_the_examples_of_the_api_can_be_copied_in_german(open_page: OpenPage, site: Portal) -> None:
    page = open_page(locale="de-DE", permissions=["clipboard-write"])
    page.goto(f"{site.url}/api/docs/")
    page.get_by_role("button", name="Kopieren").first.click()
    expect(page.get_by_role("button", name="Kopiert", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Kopieren")).not_to_have_count(0)
