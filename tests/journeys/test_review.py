"""Tests of a team edit that is reviewed, declined, edited again, approved, shared, and viewed by a guest."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import submit, wait_for_result
from tests.journeys.test_accessible import SIZES, assert_accessible
from tests.portal import EMAIL, PASSWORD, Portal, sign_in

JOIN = """
from editor.models import Membership, User, Workspace
from editor.services.people import accounts
from editor.services.billing.credits import grant
team = Workspace.objects.get(slug="{slug}")
maker = accounts.open_account(email="{maker}", password="{password}", name="Maya King")
Membership.objects.create(workspace=team, user=maker, role="editor")
grant(None, team, amount=400, reason="To begin with", reference="journey")
"""


def team_of(site: Portal, maker: str) -> str:
    """Create a team that has credits and an editor and belongs to the site's owner. Return its slug."""
    slug = site.manage("create_team", "Halden Studio", "--owner", EMAIL).strip()
    site.manage("shell", "-c", JOIN.format(slug=slug, maker=maker, password=PASSWORD))
    return slug


def assert_said_and_accessible(page: Page) -> None:
    """Close the message on the page, and check the page's accessibility.

    The message must be closed, because it may cover an element that receives focus when Tab is pressed.
    """
    page.get_by_role("button", name="Close this message").click()
    assert_accessible(page)


def require_approval(owner: Page, site: Portal, slug: str) -> None:
    owner.goto(f"{site.url}/w/{slug}/settings/")
    assert_accessible(owner)
    owner.get_by_role("button", name="Require approval").click()
    expect(owner.get_by_text("Required since")).to_be_visible()
    assert_said_and_accessible(owner)


def ask_for_review(maker: Page, site: Portal, slug: str, photo: Path, words: str) -> str:
    maker.goto(f"{site.url}/w/{slug}/")
    submit(maker, photo, words)
    expect(maker.get_by_text("You can download the original once this edit is approved")).to_be_visible(
        timeout=300_000
    )
    assert maker.get_by_role("link", name="Download").count() == 0
    maker.get_by_role("button", name="Request review").click()
    expect(maker.locator("#review [aria-current]")).to_have_text("In review")
    return maker.url.partition("#")[0]


def share(maker: Page) -> str:
    maker.get_by_text("New link").click()
    maker.get_by_label("Message to the guest").fill("Which of the two, before Friday?")
    maker.get_by_label("download the originals").check()
    assert_accessible(maker)
    maker.get_by_role("button", name="Create link").click()
    expect(maker.locator(".ticket")).to_have_count(1)
    return maker.get_by_label("Link 1", exact=True).input_value()


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_an_edit_is_declined_made_again_approved_and_shared_with_a_guest(
    open_page: OpenPage, cookies: Any, site: Portal, small_photo: Path, size: dict[str, Any]
) -> None:
    address = f"maya.{size['viewport']['width']}@example.org"
    slug = team_of(site, address)
    owner, maker = open_page(storage_state=cookies, **size), open_page(**size)
    require_approval(owner, site, slug)
    sign_in(maker, site, address)

    first = ask_for_review(maker, site, slug, small_photo, "make it sepia")
    owner.goto(f"{site.url}/w/{slug}/history/?review=in_review")
    assert_accessible(owner)
    owner.locator(".tile__link").click()
    owner.get_by_role("button", name="Decline").click()
    expect(owner.get_by_text("Describe what should change.")).to_be_visible()
    assert_accessible(owner)
    owner.get_by_label("Note").fill("Too brown. Try black and white.")
    owner.get_by_role("button", name="Decline").click()
    expect(owner.locator("#review [aria-current]")).to_have_text("Declined")

    maker.goto(first)
    expect(maker.locator("#review .note").last).to_contain_text("Too brown. Try black and white.")
    assert_accessible(maker)
    second = ask_for_review(maker, site, slug, small_photo, "black and white")
    owner.goto(second)
    owner.get_by_role("button", name="Approve").click()
    expect(owner.locator("#review [aria-current]")).to_have_text("Approved")
    assert_said_and_accessible(owner)

    maker.goto(second)
    wait_for_result(maker)
    link = share(maker)
    guest = open_page(**size)
    guest.goto(link)
    expect(guest.get_by_role("heading", name="black and white")).to_be_visible()
    expect(guest.get_by_text("Which of the two, before Friday?")).to_be_visible()
    assert_accessible(guest)
    with guest.expect_download():
        guest.get_by_role("link", name="Download").click()
    guest.get_by_role("link", name="Side by side").click()
    expect(guest.locator(".compare--side")).to_be_visible()
    assert_accessible(guest)

    owner.get_by_role("button", name="Withdraw approval").click()
    expect(owner.locator("#review [aria-current]")).to_have_text("In review")
    guest.reload()
    expect(guest.get_by_role("heading", name="This link is unavailable")).to_be_visible()
    assert_accessible(guest)


def test_a_guest_can_compare_photos_without_javascript(
    open_page: OpenPage, cookies: Any, site: Portal, small_photo: Path
) -> None:
    owner = open_page(storage_state=cookies)
    owner.goto(f"{site.url}/")
    submit(owner, small_photo, "make it sepia")
    wait_for_result(owner)
    guest = open_page(java_script_enabled=False)
    guest.goto(share(owner))
    for photo in ("Before", "After"):
        expect(guest.get_by_alt_text(photo)).to_be_visible()
    guest.get_by_role("link", name="Side by side").click()
    expect(guest.locator(".compare--side")).to_be_visible()
