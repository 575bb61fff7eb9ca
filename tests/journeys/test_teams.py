"""Tests of a team on a site without a mail server.

A new member opens a copied invitation link, joins the team, and edits a photo.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import submit, wait_for_result
from tests.journeys.test_accessible import SIZES, assert_accessible
from tests.portal import EMAIL, PASSWORD, Portal


def make_team(page: Page, site: Portal, name: str) -> str:
    page.goto(f"{site.url}/")
    page.get_by_role("button", name="switch workspace").click()
    page.get_by_role("link", name="New team").click()
    page.wait_for_url(f"{site.url}/teams/new/")
    expect(page.get_by_role("heading", name="New team")).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Team name").fill(name)
    page.get_by_role("button", name="Create team").click()
    expect(page.get_by_text("1 person")).to_be_visible()
    return page.url.split("/w/")[1].split("/")[0]


@pytest.mark.parametrize("size", SIZES)
def test_a_new_user_is_invited_joins_edits_and_comments(
    open_page: OpenPage, cookies: Any, site: Portal, small_photo: Path, size: dict[str, Any]
) -> None:
    owner = open_page(storage_state=cookies, **size)
    slug = make_team(owner, site, "Halden Studio")
    owner.get_by_role("button", name="Create invitation").click()
    expect(owner.get_by_text("0 of 1 used")).to_be_visible()
    owner.get_by_role("button", name="Close this message").click()
    assert_accessible(owner)
    link = owner.get_by_label("Link that anyone can use").input_value()
    site.manage("shell", "-c", GRANT.format(slug=slug))

    newcomer = open_page(**size, color_scheme="dark")
    newcomer.goto(link)
    expect(newcomer.get_by_role("heading", name="Join Halden Studio")).to_be_visible()
    assert_accessible(newcomer)
    newcomer.get_by_label("Email").fill(f"new.{slug}@example.org")
    newcomer.get_by_label("Password", exact=True).fill(PASSWORD)
    newcomer.get_by_role("button", name="Create account and join").click()
    newcomer.wait_for_url(f"{site.url}/w/{slug}/")
    submit(newcomer, small_photo, "make it sepia")
    wait_for_result(newcomer)
    edit = newcomer.url
    newcomer.get_by_role("textbox", name="Comment").fill("Warmer, please.")
    newcomer.get_by_role("button", name="Send").click()
    expect(newcomer.locator("#comments .note")).to_contain_text("Warmer, please.")

    owner.goto(edit)
    expect(owner.locator("#comments .note")).to_contain_text("Warmer, please.")
    owner.goto(f"{site.url}/w/{slug}/members/")
    expect(owner.get_by_text("2 people")).to_be_visible()
    owner.get_by_role("link", name=re.compile("^Remove ")).click()
    expect(owner.get_by_text("They have 1 edit here")).to_be_visible()
    assert_accessible(owner)
    owner.get_by_role("button", name="Remove").click()
    expect(owner.get_by_text("1 person")).to_be_visible()
    assert newcomer.goto(f"{site.url}/w/{slug}/").status == 404  # type: ignore[union-attr]

    newcomer.goto(link)
    expect(newcomer.get_by_role("heading", name="no longer valid")).to_be_visible()
    assert_accessible(newcomer)


GRANT = """
from editor.models import Workspace
from editor.services.billing.credits import grant
grant(None, Workspace.objects.get(slug="{slug}"), amount=400, reason="To begin with", reference="journey")
"""


@pytest.mark.parametrize("size", SIZES)
def test_the_other_pages_of_a_team_are_accessible(
    open_page: OpenPage, cookies: Any, site: Portal, size: dict[str, Any]
) -> None:
    slug = site.manage("create_team", "Halden", "--owner", EMAIL).strip()
    page = open_page(storage_state=cookies, **size)
    for path in ("members/leave/", "members/hand-over/", "settings/"):
        page.goto(f"{site.url}/w/{slug}/{path}")
        assert_accessible(page)


def test_the_workspace_switcher_works_with_the_keyboard(
    open_page: OpenPage, cookies: Any, site: Portal
) -> None:
    slug = site.manage("create_team", "Keys and boards", "--owner", EMAIL).strip()
    page = open_page(storage_state=cookies, viewport={"width": 320, "height": 640})
    page.goto(f"{site.url}/account/")
    page.get_by_role("button", name="switch workspace").focus()
    page.keyboard.press("Enter")
    team = page.locator("#workspaces").get_by_role("link", name="Keys and boards")
    expect(team).to_be_visible()
    team.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site.url}/w/{slug}/")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
