"""The trays of batches and recipes, which are not the editor's: what is taken out stays out."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.steps import add_photo, shots
from tests.journeys.test_batch import here

FORMS = ["batches/new/", "recipes/new/"]
REMOVE = "**/drafts/**/remove/"


@pytest.mark.parametrize("form", FORMS)
def test_a_photo_that_is_removed_does_not_come_back(editor: Page, small_photo: Path, form: str) -> None:
    editor.goto(here(editor, form))
    add_photo(editor, small_photo)
    with editor.expect_response(REMOVE) as answer:
        editor.get_by_role("button", name="Remove photo 1").click()
    assert answer.value.status == 204
    editor.reload()
    expect(editor.locator("#tray-count")).to_contain_text("0 of")
    expect(shots(editor)).to_have_count(0)


def test_a_removal_that_is_refused_is_said(editor: Page, small_photo: Path) -> None:
    add_photo(editor, small_photo)
    editor.route(REMOVE, lambda route: route.fulfill(status=500))
    editor.get_by_role("button", name="Remove photo 1").click()
    expect(editor.locator(".toast")).to_contain_text("A photo could not be removed.")


def test_a_removal_of_what_is_gone_says_nothing(editor: Page, small_photo: Path) -> None:
    add_photo(editor, small_photo)
    editor.route(REMOVE, lambda route: route.fulfill(status=404))
    with editor.expect_response(REMOVE):
        editor.get_by_role("button", name="Remove photo 1").click()
    expect(editor.locator("#live")).to_have_text("Photo removed")
    expect(editor.locator(".toast")).to_have_count(0)
