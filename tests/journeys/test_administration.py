"""Tests of the admin in a browser.

Every page is accessible. Staff give a reason to open a personal workspace, view the workspace, close it, and
refund an edit once.
"""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import submit, wait_for_result
from tests.journeys.test_accessible import SIZES, assert_accessible
from tests.portal import PASSWORD, Portal, new_context, sign_in

STAFF, SOMEBODY = "staff@example.org", "somebody@example.org"
REASON = "They asked for help with it"


@pytest.fixture(scope="module")
def staff(browser: Browser, site: Portal) -> Any:
    """Create a staff member, sign in, and return the browser's stored state."""
    site.manage("create_user", STAFF, "--password", PASSWORD, "--staff")
    return _signed_in(browser, site, STAFF)


@pytest.fixture(scope="module")
def edited(browser: Browser, site: Portal, small_photo: Path) -> str:
    """Create an edit in another user's personal workspace and return the edit's ID."""
    site.manage("create_user", SOMEBODY, "--password", PASSWORD)
    context = new_context(browser, storage_state=_signed_in(browser, site, SOMEBODY))
    page = context.new_page()
    page.goto(f"{site.url}/")
    submit(page, small_photo, "make it sepia")
    wait_for_result(page)
    edit_id = page.url.rstrip("/").rpartition("/")[2]
    context.close()
    return edit_id.partition("?")[0]


def _signed_in(browser: Browser, site: Portal, email: str) -> Any:
    context = new_context(browser)
    sign_in(context.new_page(), site, email)
    kept = context.storage_state()
    context.close()
    return kept


@pytest.mark.parametrize("name", ["edit", "workspace", "auditentry"])
def test_a_wide_list_scrolls_inside_its_frame(
    open_page: OpenPage, site: Portal, demo: str, staff: Any, name: str
) -> None:
    page = open_page(storage_state=staff, viewport={"width": 1100, "height": 800})
    page.goto(f"{site.url}/admin/editor/{name}/")
    expect(page.locator("#result_list")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_every_admin_page_is_accessible(
    open_page: OpenPage, site: Portal, demo: str, staff: Any, size: dict[str, Any]
) -> None:
    page = open_page(storage_state=staff, **size)
    lists = ("edit", "workspace", "user", "creditentry", "apikey", "auditentry", "providerhealth")
    for address in ("", *(f"editor/{name}/" for name in lists)):
        page.goto(f"{site.url}/admin/{address}")
        assert_accessible(page)
    page.goto(f"{site.url}/admin/editor/edit/?state=finished")
    page.locator("th.field-sentence a").first.click()
    assert_accessible(page)
    page.get_by_role("link", name="Hide").click()
    assert_accessible(page)
    for name in ("workspace", "user"):
        page.goto(f"{site.url}/admin/editor/{name}/")
        page.locator("#result_list th a").first.click()
        assert_accessible(page)


def test_staff_open_a_personal_workspace_with_a_reason_and_refund_an_edit_once(
    open_page: OpenPage, browser: Browser, site: Portal, staff: Any, edited: str
) -> None:
    page = open_page(storage_state=staff)
    address = f"{site.url}/admin/editor/edit/{edited}/change/"
    page.goto(f"{site.url}/admin/editor/edit/?q=sepia")
    expect(page.get_by_text(SOMEBODY)).to_have_count(0)
    page.goto(address)
    expect(page.get_by_text("make it sepia")).to_have_count(0)
    page.get_by_role("link", name="Open for review").click()
    _give_reason(page, "Open for review")
    expect(page.get_by_role("heading", name="Make it sepia")).to_be_visible()
    expect(page.locator(".compare img").first).to_have_js_property("complete", value=True)
    page.goto(f"{site.url}/admin/editor/edit/?q=sepia")
    expect(page.get_by_text(SOMEBODY)).to_have_count(1)

    page.goto(address)
    page.get_by_role("link", name="Refund").click()
    expect(page.get_by_label("Reason")).to_be_visible()
    twin = page.context.new_page()
    twin.goto(page.url)
    _give_reason(page, "Refund")
    expect(page.get_by_text("1 refunded.")).to_be_visible()
    _give_reason(twin, "Refund")
    expect(twin.get_by_text("already refunded")).to_be_visible()
    assert site.balance_and_held(SOMEBODY) == (400, 0)

    workspace = page.locator(".pairs a").nth(1).get_attribute("href") or ""
    page.goto(f"{site.url}{workspace}")
    page.get_by_role("link", name="End the review").click()
    _give_reason(page, "End the review")
    expect(page.get_by_text("1 no longer open for review.")).to_be_visible()
    page.goto(address)
    expect(page.get_by_role("link", name="Open for review")).to_be_visible()
    _assert_the_owner_reads_it(open_page(storage_state=_signed_in(browser, site, SOMEBODY)), site)


def _give_reason(page: Page, button: str) -> None:
    page.get_by_label("Reason").fill(REASON)
    page.get_by_role("button", name=button).click()


def _assert_the_owner_reads_it(page: Page, site: Portal) -> None:
    page.goto(f"{site.url}/account/")
    expect(page.get_by_text(f"{STAFF} looked at your photos")).to_be_visible()
    expect(page.get_by_text(REASON)).to_be_visible()
