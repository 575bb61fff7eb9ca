"""Tests that every page is accessible, as far as a browser can check WCAG 2.2 AA."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.accessibility import find_violations, find_violations_by_tab
from tests.journeys.conftest import OpenPage
from tests.journeys.steps import add_photo, enter_prompt, submit, submit_form, wait_for_result, workers_asleep
from tests.journeys.test_looks import PHONE
from tests.portal import Portal

SIZES = [
    pytest.param({"viewport": {"width": 1440, "height": 900}}, id="wide"),
    pytest.param(PHONE, id="phone", marks=pytest.mark.slow),
]
NARROW = pytest.param({"viewport": {"width": 320, "height": 640}}, id="narrow", marks=pytest.mark.slow)


def assert_accessible(page: Page) -> None:
    assert find_violations(page) == [], page.url
    assert find_violations_by_tab(page) == [], page.url


BAD = """<html lang="en"><body style="background: white"><main><h1>A page</h1><h3>Too deep</h3>
<p style="color: silver">Faint words</p><button style="width: 40px; height: 40px; outline: none"></button>
<button style="width: 12px; height: 12px; padding: 0">x</button><img src="data:,">
<button aria-describedby="gone">Covered</button>
<div style="position: fixed; inset: 0; pointer-events: auto; opacity: 0"></div></main>"""


def test_the_checks_find_accessibility_errors(page: Page) -> None:
    page.set_content(BAD)
    violations = "; ".join([*find_violations(page), *find_violations_by_tab(page)])
    for fault in (
        "h3 follows h1",
        '"Faint words" has a contrast of 1.8',
        "a button has no name",
        "is 12 x 12 px",
        "no alt",
        "aria-describedby names gone",
        "no focus is seen at <button",
        "something covers <button",
        "axe: Buttons must have discernible text (button-name): <button",
    ):
        assert fault in violations


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "path",
    [
        "/", "/history/", "/history/?q=nothing", "/credits/", "/account/", "/account/keys/",
        "/account/webhooks/", "/api/docs/", "/help/", "/nowhere/", "/accounts/password/change/",
        "/accounts/email/", "/accounts/logout/", "/accounts/2fa/", "/accounts/2fa/webauthn/", "/setup/used/",
    ],
)  # fmt: skip
def test_a_page_of_an_account_is_accessible(
    open_page: OpenPage, cookies: Any, site: Portal, path: str, size: dict[str, Any]
) -> None:
    page = open_page(storage_state=cookies, **size)
    page.goto(f"{site.url}{path}")
    assert_accessible(page)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [*SIZES, NARROW])
@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/accounts/password/reset/", "/accounts/signup/"])
def test_a_page_for_visitors_is_accessible(
    open_page: OpenPage, site: Portal, path: str, size: dict[str, Any]
) -> None:
    page = open_page(**size)
    page.goto(f"{site.url}{path}")
    assert_accessible(page)


@pytest.mark.parametrize("size", SIZES)
def test_an_edit_is_accessible_from_the_tray_to_its_results(
    open_editor: OpenPage, site: Portal, photo: Path, small_photo: Path, size: dict[str, Any]
) -> None:
    page = open_editor(**size)
    add_photo(page, photo)
    add_photo(page, small_photo)
    enter_prompt(page, "make it sepia and add a flobberwick")
    expect(page.get_by_role("button", name="Do the rest · 40 credits")).to_be_enabled()
    page.get_by_role("button", name="Draw a box").click()
    page.get_by_role("button", name="Add a box").click()
    assert_accessible(page)

    submit_form(page)
    expect(page.get_by_role("alert").first).to_contain_text("flobberwick")
    assert_accessible(page)

    enter_prompt(page, "make it sepia")
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    with workers_asleep(site):
        submit_form(page)
        expect(page.get_by_role("heading", name="Editing your photos")).to_be_visible()
        assert_accessible(page)
    wait_for_result(page)
    assert_accessible(page)
    page.goto(f"{site.url}/history/")
    assert_accessible(page)


def test_an_edit_that_was_cancelled_is_accessible(editor: Page, site: Portal, small_photo: Path) -> None:
    with workers_asleep(site):
        submit(editor, small_photo, "make it sepia")
        editor.get_by_role("button", name="Cancel", exact=True).click()
        editor.get_by_role("button", name="Cancel edit").click()
        expect(editor.get_by_role("heading", name="Edit cancelled")).to_be_visible()
    assert_accessible(editor)
