"""Tests of saving a finished edit as a recipe, and of a batch of twenty photos, from upload to ZIP file."""

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests import scenes
from tests.journeys.conftest import OpenPage
from tests.journeys.steps import download, submit, wait_for_result, workers_asleep
from tests.journeys.test_accessible import SIZES, assert_accessible
from tests.portal import EMAIL, Portal

COUNT = 20


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("batch")
    paths = [folder / f"lake {number:02}.jpg" for number in range(1, COUNT + 1)]
    for number, path in enumerate(paths):
        scenes.lake(240, 160, seed=number).save(path, quality=90)
    return paths


def here(page: Page, path: str) -> str:
    """Return the URL of a path in the current page's workspace."""
    return page.url.partition("/w/")[0] + "/w/" + page.url.partition("/w/")[2].split("/")[0] + "/" + path


def quoted(page: Page, photos: list[Path]) -> None:
    page.goto(here(page, "batches/new/"))
    page.locator("#files").set_input_files(photos)
    expect(page.locator("#tray-count")).to_have_text(f"{len(photos)} of 200", timeout=300_000)
    page.get_by_label("What should change?").fill("make it black and white")
    page.get_by_role("button", name="See the quote").last.click()


@pytest.mark.slow
def test_a_batch_of_twenty_photos_runs_from_upload_to_zip_file(
    editor: Page, site: Portal, many: list[Path], tmp_path: Path
) -> None:
    site.manage("credits", EMAIL, "--grant", "900", "--reason", "A batch")
    balance, held = site.balance_and_held()
    quoted(editor, many)
    expect(editor.get_by_text("20 photos at 40")).to_be_visible()
    expect(editor.get_by_text("800 credits", exact=True)).to_be_visible()
    assert site.balance_and_held() == (balance, held), "a quote holds nothing"
    editor.get_by_role("button", name="Start the batch").click()
    expect(editor.get_by_role("heading", name="of 20 photos")).to_be_visible()
    expect(editor.get_by_role("heading", name="20 of 20 photos done")).to_be_visible(timeout=300_000)
    assert site.balance_and_held() == (balance - 800, held)
    assert editor.locator(".contact .frame").first.evaluate("(frame) => frame.clientWidth") > 150
    archive = zipfile.ZipFile(download(editor, tmp_path, name="Download 20 as ZIP"))
    assert archive.testzip() is None
    rows = list(csv.DictReader(io.StringIO(archive.read("manifest.csv").decode())))
    assert [row["name"] for row in rows] == [path.name for path in many]
    assert {row["file"] for row in rows} == set(archive.namelist()) - {"manifest.csv"}
    site.manage("verify")
    assert {(row["status"], row["credits"]) for row in rows} == {("Finished", "40")}


def test_the_back_button_leads_from_a_running_batch_to_the_form(
    editor: Page, site: Portal, many: list[Path]
) -> None:
    site.manage("credits", EMAIL, "--grant", "80", "--reason", "A batch")
    quoted(editor, many[:2])
    editor.get_by_role("button", name="Start the batch").click()
    expect(editor.get_by_role("heading", name="of 2 photos")).to_be_visible()
    editor.go_back()
    expect(editor.get_by_role("button", name="See the quote").last).to_be_visible()
    expect(editor.locator("#tray-count")).to_have_text("0 of 200")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_the_pages_of_recipes_and_batches_are_accessible(
    open_editor: OpenPage, site: Portal, many: list[Path], small_photo: Path, size: dict[str, Any]
) -> None:
    site.manage("credits", EMAIL, "--grant", "400", "--reason", "A look")
    page = open_editor(**size)
    submit(page, small_photo, "make it sepia")
    wait_for_result(page)
    page.get_by_role("link", name="Save as recipe").click()
    page.get_by_label("Name").fill("Tone of the house")
    page.get_by_label("Prompt").fill("make it {tone}")
    assert_accessible(page)
    page.get_by_role("button", name="Save recipe").last.click()
    expect(page.get_by_role("heading", name="Tone of the house").first).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Run Tone of the house").first.click()
    page.get_by_role("button", name="Run recipe").click()
    expect(page.locator("#variable-tone-error")).to_have_text("Enter a value for “tone”.")
    assert_accessible(page)
    page.goto(here(page, "batches/new/"))
    assert_accessible(page)
    quoted(page, many[:3])
    expect(page.get_by_role("button", name="Start the batch")).to_be_visible()
    assert_accessible(page)
    with workers_asleep(site):
        page.get_by_role("button", name="Start the batch").click()
        expect(page.get_by_role("heading", name="0 of 3 photos")).to_be_visible()
        assert_accessible(page)
        page.get_by_role("button", name="Cancel the rest").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel the rest").click()
        expect(page.get_by_role("heading", name="0 of 3 photos done")).to_be_visible()
        assert_accessible(page)


def test_a_recipe_is_run_from_the_editor_in_one_click(editor: Page, small_photo: Path) -> None:
    editor.goto(here(editor, "recipes/new/"))
    editor.get_by_label("Name").fill("Sepia at once")
    editor.get_by_label("Prompt").fill("make it sepia")
    editor.get_by_role("button", name="Save recipe").last.click()
    expect(editor.get_by_role("heading", name="Sepia at once").first).to_be_visible()
    editor.goto(here(editor, ""))
    editor.locator("#files").set_input_files(small_photo)
    expect(editor.locator("#tray-count")).to_have_text("1 of 5")
    editor.get_by_role("button", name="Sepia at once").click()
    wait_for_result(editor)
    expect(editor.locator(".quote")).to_have_text("make it sepia")
    expect(editor.get_by_text("Made with the recipe Sepia at once, version 1.")).to_be_visible()
