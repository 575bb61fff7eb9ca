"""Tests of cancelling a slow edit, and of a session that ends while an edit is running."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.journeys.steps import free_credits, submit, workers_asleep
from tests.portal import Portal


def test_cancelling_releases_the_credits(editor: Page, site: Portal, small_photo: Path) -> None:
    before, free = free_credits(editor), editor.locator("#balance b")
    with workers_asleep(site):
        submit(editor, small_photo, "make it sepia")
        expect(editor.get_by_role("heading", name="Editing your photos")).to_be_visible()
        expect(free).to_have_text(f"{before - 40:,}")
        editor.get_by_role("button", name="Cancel", exact=True).click()
        expect(editor.get_by_role("button", name="Keep going")).to_be_focused()
        editor.get_by_role("button", name="Cancel edit").click()
        expect(editor.get_by_role("heading", name="Edit cancelled")).to_be_visible()
        expect(editor.get_by_text("You were not charged.")).to_be_visible()
        expect(free).to_have_text(f"{before:,}")


def test_a_session_that_ends_during_an_edit_leads_to_the_sign_in_page(
    editor: Page, site: Portal, small_photo: Path
) -> None:
    with workers_asleep(site):
        submit(editor, small_photo, "make it sepia")
        expect(editor.get_by_role("heading", name="Editing your photos")).to_be_visible()
        address = editor.url.removeprefix(site.url)
        editor.context.clear_cookies()
    editor.wait_for_url("**/accounts/login/**")
    assert parse_qs(urlsplit(editor.url).query) == {"next": [address]}
    expect(editor.get_by_label("Email")).to_be_visible()
