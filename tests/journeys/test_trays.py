"""Tests of the trays of batches and recipes.

They must not bring back removed photos, and they must wait for running uploads.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.journeys.steps import add_photo, empty_tray, tray_photos, wait_until
from tests.journeys.test_batch import here

FORMS = ["batches/new/", "recipes/new/"]
REMOVE = "**/drafts/**/remove/"
UPLOAD = "**/drafts/?tray=*"


def save_while_it_comes(editor: Page, name: str, photo: Path) -> Route:
    """Press "Save recipe" while the photo's upload is delayed, and return the route of the upload."""
    editor.goto(here(editor, "recipes/new/"))
    held: list[Route] = []
    editor.route(UPLOAD, lambda route: held.append(route))
    editor.get_by_label("Name").fill(name)
    editor.get_by_label("Prompt").fill("make it sepia")
    with editor.expect_request(UPLOAD):
        editor.locator("#files").set_input_files(photo)
    editor.get_by_role("button", name="Save recipe").last.click()
    wait_until(editor, lambda: held)
    return held[0]


@pytest.mark.parametrize("form", FORMS)
def test_a_photo_that_is_removed_does_not_come_back(editor: Page, small_photo: Path, form: str) -> None:
    editor.goto(here(editor, form))
    empty_tray(editor)
    add_photo(editor, small_photo)
    with editor.expect_response(REMOVE) as answer:
        editor.get_by_role("button", name="Remove photo 1").click()
    assert answer.value.status == 204
    editor.reload()
    expect(editor.locator("#tray-count")).to_contain_text("0 of")
    expect(tray_photos(editor)).to_have_count(0)


def test_a_failed_removal_of_a_photo_is_reported(editor: Page, small_photo: Path) -> None:
    add_photo(editor, small_photo)
    editor.route(REMOVE, lambda route: route.fulfill(status=500))
    editor.get_by_role("button", name="Remove photo 1").click()
    expect(editor.locator(".toast")).to_contain_text("A photo couldn't be removed.")


def test_removing_a_photo_that_is_already_gone_shows_no_error(editor: Page, small_photo: Path) -> None:
    add_photo(editor, small_photo)
    editor.route(REMOVE, lambda route: route.fulfill(status=404))
    with editor.expect_response(REMOVE):
        editor.get_by_role("button", name="Remove photo 1").click()
    expect(editor.locator("#live")).to_have_text("Photo removed")
    expect(editor.locator(".toast")).to_have_count(0)


def test_a_recipe_is_saved_after_the_running_upload_ends(editor: Page, small_photo: Path) -> None:
    upload = save_while_it_comes(editor, "With a logo", small_photo)
    expect(editor.locator("#live")).to_have_text("The form is sent when all photos are uploaded.")
    upload.continue_()
    recipe = editor.locator(".recipe").filter(has_text="With a logo")
    recipe.get_by_role("link", name="Change").click()
    expect(editor.get_by_role("checkbox", name=small_photo.name)).to_be_checked()


def test_a_recipe_is_not_saved_if_a_photo_is_rejected(
    editor: Page, tmp_path: Path, small_photo: Path
) -> None:
    bad = tmp_path / "holiday.jpg"
    bad.write_text("not a photo")
    upload = save_while_it_comes(editor, "Without a logo", bad)
    upload.continue_()
    expect(editor.locator(".shot.is-failed")).to_contain_text("holiday.jpg: ")
    expect(editor.get_by_role("button", name="Save recipe").last).to_be_enabled()
    expect(editor).to_have_url(here(editor, "recipes/new/"))
