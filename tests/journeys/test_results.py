"""Tests of what users can do with a finished edit."""

import zipfile
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.journeys.steps import (
    add_photo,
    download,
    enter_prompt,
    photo_names,
    size_of,
    submit,
    submit_form,
    tray_photos,
    wait_for_result,
    workers_asleep,
)
from tests.journeys.test_accessible import assert_accessible
from tests.portal import Portal


def test_run_again_makes_the_same_edit_again(editor: Page, small_photo: Path) -> None:
    submit(editor, small_photo, "make it sepia")
    wait_for_result(editor)
    first = editor.url
    editor.get_by_role("button", name="Run again").click()
    editor.wait_for_url(lambda url: "/edits/" in url and url != first)
    wait_for_result(editor)
    expect(editor.locator(".quote")).to_have_text("make it sepia")


def test_changing_the_prompt_keeps_the_photos_and_the_options(
    editor: Page, site: Portal, photo: Path, small_photo: Path
) -> None:
    add_photo(editor, photo)
    editor.get_by_label("4:5").check(force=True)
    enter_prompt(editor, "make it sepia")
    with workers_asleep(site):
        submit_form(editor)
        editor.get_by_role("button", name="Cancel", exact=True).click()
        editor.get_by_role("button", name="Cancel edit").click()
        editor.get_by_role("button", name="Change the prompt").click()
    expect(editor.get_by_label("What should change?")).to_have_value("make it sepia")
    expect(editor.get_by_label("4:5")).to_be_checked()
    assert photo_names(editor) == ["lake at dusk.jpg"]
    enter_prompt(editor, "make it black and white")
    submit_form(editor)
    wait_for_result(editor)
    expect(editor.locator(".quote")).to_have_text("make it black and white")


def test_a_result_can_be_edited_further(editor: Page, small_photo: Path, tmp_path: Path) -> None:
    submit(editor, small_photo, "crop it to 1:1")
    wait_for_result(editor)
    editor.get_by_role("button", name="Continue editing").click()
    expect(editor.locator("#tray-count")).to_have_text("1 of 5")
    assert photo_names(editor) == ["result 1.png"]
    enter_prompt(editor, "make it black and white")
    submit_form(editor)
    wait_for_result(editor)
    assert size_of(download(editor, tmp_path)) == (400, 400)


def test_all_results_can_be_downloaded_in_one_archive_and_compared(
    editor: Page, small_photo: Path, tmp_path: Path
) -> None:
    editor.get_by_role("radio", name="2", exact=True).check(force=True)
    submit(editor, small_photo, "make it sepia")
    wait_for_result(editor)
    archive = zipfile.ZipFile(download(editor, tmp_path, name="Download all 2"))
    results = [f"small lake-make-it-sepia-{number}.png" for number in (1, 2)]
    assert archive.namelist() == [*results, "manifest.csv"]
    assert archive.testzip() is None

    editor.get_by_role("radio", name="Side by side").check(force=True)
    before = editor.locator(".compare__before").bounding_box()
    after = editor.locator(".compare > .ph__img").bounding_box()
    assert before is not None
    assert after is not None
    assert before["x"] + before["width"] <= after["x"]
    editor.get_by_role("radio", name="One by one").check(force=True)
    slider = editor.get_by_role("slider", name="Compare before and after")
    expect(slider).to_have_attribute("aria-valuetext", "0% before, 100% after")
    editor.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "100% before, 0% after")
    editor.get_by_role("combobox", name="Compare with").select_option("result-2")
    expect(editor.locator(".compare__tag--l")).to_have_text("Result 2")


def test_a_result_in_another_shape_is_first_shown_side_by_side(editor: Page, small_photo: Path) -> None:
    submit(editor, small_photo, "crop it to 1:1")
    wait_for_result(editor)
    expect(editor.get_by_role("radio", name="Side by side")).to_be_checked()
    expect(editor.locator(".compare--side")).to_be_visible()


@pytest.mark.parametrize("size", [(4000, 10), (6, 1800)])
def test_a_photo_of_an_extreme_shape_can_be_removed_and_compared(
    editor: Page, tmp_path: Path, size: tuple[int, int]
) -> None:
    strip = tmp_path / "strip.png"
    Image.new("RGB", size, "#c04040").save(strip)
    add_photo(editor, strip)
    editor.get_by_role("button", name="Remove photo 1").click()
    expect(tray_photos(editor)).to_have_count(0)
    submit(editor, strip, "make it black and white")
    wait_for_result(editor)
    comparison = editor.locator(".compare").bounding_box()
    assert comparison
    assert comparison["height"] > 80
    expect(editor.locator("[data-share]")).to_have_text("100")


def open_viewer(editor: Page, photo: Path) -> Locator:
    """Edit a photo, open the viewer of the result, and return it."""
    submit(editor, photo, "make it sepia")
    wait_for_result(editor)
    editor.get_by_role("link", name="Open the viewer").click()
    viewer = editor.get_by_role("dialog", name="Viewer")
    expect(viewer).to_be_visible()
    return viewer


def test_the_viewer_can_be_zoomed_and_closed_with_the_keyboard(editor: Page, small_photo: Path) -> None:
    viewer = open_viewer(editor, small_photo)
    expect(viewer.get_by_role("button", name="Fit")).to_have_attribute("aria-pressed", "true")
    editor.keyboard.press("1")
    expect(viewer.get_by_role("button", name="1:1")).to_have_attribute("aria-pressed", "true")
    editor.keyboard.press("b")
    expect(viewer.get_by_role("button", name="Before")).to_have_attribute("aria-pressed", "true")
    assert_accessible(editor)
    editor.keyboard.press("Escape")
    expect(viewer).to_be_hidden()


def test_the_viewer_can_be_closed_while_the_browser_is_offline(editor: Page, small_photo: Path) -> None:
    viewer = open_viewer(editor, small_photo)
    editor.evaluate("import(document.body.dataset.typed)")
    editor.context.set_offline(True)
    viewer.get_by_role("button", name="Close").click()
    expect(viewer).to_be_hidden()


def test_a_result_can_be_downloaded_in_another_format(
    editor: Page, small_photo: Path, tmp_path: Path
) -> None:
    submit(editor, small_photo, "make it sepia")
    wait_for_result(editor)
    editor.get_by_text("Other format or size").click()
    editor.get_by_role("radio", name="JPEG").check(force=True)
    with editor.expect_download() as started:
        editor.get_by_role("button", name="Download").click()
    assert started.value.suggested_filename.endswith(".jpeg")
