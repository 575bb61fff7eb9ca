"""Tests of deleting an edit and restoring it with Undo, and of deleting it permanently in the trash."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import submit, wait_for_result
from tests.journeys.test_accessible import SIZES, assert_accessible
from tests.portal import PASSWORD, Portal


@pytest.mark.parametrize("size", SIZES)
def test_an_edit_can_be_deleted_and_restored_with_undo_or_from_the_trash(
    open_editor: OpenPage, site: Portal, small_photo: Path, size: dict[str, Any]
) -> None:
    page = open_editor(**size)
    submit(page, small_photo, "make it sepia")
    wait_for_result(page)
    edit = page.url
    page.get_by_role("button", name="Delete").click()
    toast = page.get_by_role("region", name="Notifications")
    expect(toast).to_contain_text("Moved to the trash.")
    assert_accessible(page)
    toast.get_by_role("button", name="Undo").click()
    expect(toast).to_contain_text("The edit was restored.")
    page.goto(edit)
    page.get_by_role("button", name="Delete").click()
    expect(toast).to_contain_text("Moved to the trash.")
    page.goto(f"{site.url}/history/")
    page.goto(page.url.replace("/history/", "/trash/"))
    expect(page.get_by_text("30 days left").first).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Delete now").first.click()
    assert_accessible(page)
    page.get_by_role("link", name="Keep").click()
    page.get_by_role("button", name="Restore").first.click()
    expect(toast).to_contain_text("The edit was restored.")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_pages_for_legal_hold_retention_export_and_closing_are_accessible(
    open_editor: OpenPage, site: Portal, size: dict[str, Any]
) -> None:
    page = open_editor(**size)
    page.goto(f"{site.url}/history/")
    page.goto(page.url.replace("/history/", "/settings/"))
    assert_accessible(page)
    page.get_by_role("link", name="Set legal hold").click()
    assert_accessible(page)
    page.go_back()
    page.get_by_role("button", name="Preview the change").click()
    expect(page.get_by_text("Moved to the trash within an hour")).to_be_visible()
    assert_accessible(page)
    page.goto(f"{site.url}/account/export/")
    assert_accessible(page)
    page.goto(f"{site.url}/account/close/")
    if "/reauthenticate/" in page.url:
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Close your account?")).to_be_visible()
    assert_accessible(page)
