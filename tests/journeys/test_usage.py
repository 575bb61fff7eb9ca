"""Tests of the usage and the remaining credits that are shown to a user."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import submit, wait_for_result
from tests.journeys.test_accessible import SIZES, assert_accessible
from tests.portal import Portal


@pytest.mark.parametrize("size", SIZES)
def test_an_edit_is_in_the_usage_and_in_the_statement(
    open_editor: OpenPage, site: Portal, small_photo: Path, size: dict[str, Any]
) -> None:
    page = open_editor(**size)
    submit(page, small_photo, "make it sepia")
    wait_for_result(page)
    page.goto(f"{site.url}/credits/")
    expect(page.get_by_role("cell", name="make it sepia").first).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="See how credits were used").click()
    expect(page).to_have_url(re.compile(r"/w/[^/]+/usage/$"))
    page.get_by_text("Show figures").click()
    expect(page.get_by_role("columnheader", name="Usual time").first).to_be_visible()
    expect(page.get_by_role("rowheader", name="Color")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Earlier").click()
    expect(page.get_by_text("No edits ended in")).to_be_visible()
    assert_accessible(page)
