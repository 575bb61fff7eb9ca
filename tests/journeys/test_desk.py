"""The review desk in a browser: every page can be read and reached, and a personal workspace is opened with a
reason, seen, shut again and refunded once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import submit, wait_for_result
from tests.journeys.test_accessible import SIZES, assert_accessible
from tests.portal import EMAIL, PASSWORD, Portal, portal, sign_in

STAFF = "staff@example.org"
REASON = "They asked for help with it"


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[Portal]:
    """A site of its own, with an edit of somebody and a member of the staff. Second factors have their own
    journey."""
    with portal(workers=1, STAFF_TWO_FACTOR="false") as site:
        site.manage("create_user", STAFF, "--password", PASSWORD, "--staff")
        site.manage("demo", "--edits", "60")
        yield site


@pytest.fixture(scope="module")
def staff(browser: Browser, desk: Portal) -> Any:
    """What a browser keeps once the staff have signed in."""
    return _signed_in(browser, desk, STAFF)


@pytest.fixture(scope="module")
def edited(browser: Browser, desk: Portal, small_photo: Path) -> str:
    """The id of an edit in the personal workspace of the site's account."""
    context = browser.new_context(storage_state=_signed_in(browser, desk, EMAIL))
    page = context.new_page()
    page.goto(f"{desk.url}/")
    submit(page, small_photo, "make it sepia")
    wait_for_result(page)
    edit_id = page.url.rstrip("/").rpartition("/")[2]
    context.close()
    return edit_id.partition("?")[0]


def _signed_in(browser: Browser, site: Portal, email: str) -> Any:
    context = browser.new_context()
    page = context.new_page()
    if email == EMAIL:
        sign_in(page, site)
    else:
        page.goto(f"{site.url}/accounts/login/")
        page.get_by_label("E-mail").fill(email)
        page.get_by_label("Password").first.fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.wait_for_url(f"{site.url}/w/**")
    kept = context.storage_state()
    context.close()
    return kept


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_every_page_of_the_desk_is_accessible(
    open_page: OpenPage, desk: Portal, staff: Any, size: dict[str, Any]
) -> None:
    page = open_page(storage_state=staff, **size)
    lists = ("edit", "workspace", "user", "creditentry", "apikey", "auditentry", "providerhealth")
    for address in ("", *(f"editor/{name}/" for name in lists)):
        page.goto(f"{desk.url}/admin/{address}")
        assert_accessible(page)
    page.goto(f"{desk.url}/admin/editor/edit/?state=finished")
    page.locator("th.field-sentence a").first.click()
    assert_accessible(page)
    page.get_by_role("link", name="Hide").click()
    assert_accessible(page)
    for name in ("workspace", "user"):
        page.goto(f"{desk.url}/admin/editor/{name}/")
        page.locator("#result_list th a").first.click()
        assert_accessible(page)


def test_a_personal_workspace_is_opened_with_a_reason_and_refunded_once(
    open_page: OpenPage, browser: Browser, desk: Portal, staff: Any, edited: str
) -> None:
    page = open_page(storage_state=staff)
    address = f"{desk.url}/admin/editor/edit/{edited}/change/"
    page.goto(f"{desk.url}/admin/editor/edit/?q=sepia")
    expect(page.get_by_text(EMAIL)).to_have_count(0)
    page.goto(address)
    expect(page.get_by_text("make it sepia")).to_have_count(0)
    page.get_by_role("link", name="Open for review").click()
    _give_reason(page, "Open for review")
    expect(page.get_by_role("heading", name="Make it sepia")).to_be_visible()
    expect(page.locator(".compare img").first).to_have_js_property("complete", value=True)
    page.goto(f"{desk.url}/admin/editor/edit/?q=sepia")
    expect(page.get_by_text(EMAIL)).to_have_count(1)

    page.goto(address)
    page.get_by_role("link", name="Refund").click()
    twin = page.context.new_page()
    twin.goto(page.url)
    _give_reason(page, "Refund")
    expect(page.get_by_text("1 refunded.")).to_be_visible()
    _give_reason(twin, "Refund")
    expect(twin.get_by_text("had been refunded before")).to_be_visible()
    assert desk.purse()[0] == 4000

    workspace = page.locator(".pairs a").nth(1).get_attribute("href") or ""
    page.goto(f"{desk.url}{workspace}")
    page.get_by_role("link", name="Shut again").click()
    _give_reason(page, "Shut again")
    page.goto(address)
    expect(page.get_by_role("link", name="Open for review")).to_be_visible()
    _assert_the_owner_reads_it(open_page(storage_state=_signed_in(browser, desk, EMAIL)), desk)


def _give_reason(page: Page, button: str) -> None:
    page.get_by_label("Reason").fill(REASON)
    page.get_by_role("button", name=button).click()


def _assert_the_owner_reads_it(page: Page, desk: Portal) -> None:
    page.goto(f"{desk.url}/account/")
    expect(page.get_by_text(f"{STAFF} looked at your photos")).to_be_visible()
    expect(page.get_by_text(REASON)).to_be_visible()
