"""Tests of the tray: ways to add photos, the order of the photos, and a file that is not a photo."""

import base64
from pathlib import Path

from playwright.sync_api import JSHandle, Page, expect

from tests.journeys.steps import (
    add_photo,
    enter_prompt,
    photo_names,
    submit_form,
    tray_photos,
    wait_for_result,
)

DATA_TRANSFER = """([name, data]) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name, { type: "image/jpeg" }));
    return transfer;
}"""
PASTE = """(transfer) => document.body.dispatchEvent(
    new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }))"""


def carried(page: Page, photo: Path) -> JSHandle:
    """Return the photo in the format that the browser uses for dragged or copied data."""
    data = base64.b64encode(photo.read_bytes()).decode()
    return page.evaluate_handle(DATA_TRANSFER, [photo.name, data])


def test_a_photo_can_be_dropped_and_another_one_pasted(editor: Page, photo: Path, small_photo: Path) -> None:
    editor.dispatch_event("#tray", "drop", {"dataTransfer": carried(editor, photo)})
    expect(tray_photos(editor)).to_have_count(1)
    editor.evaluate(PASTE, carried(editor, small_photo))
    expect(tray_photos(editor)).to_have_count(2)
    expect(editor.locator("#tray-count")).to_have_text("2 of 5")
    expect(editor.locator("#live")).to_have_text("Photo 2 added")
    assert photo_names(editor) == ["lake at dusk.jpg", "small lake.jpg"]


def test_the_order_of_photos_in_the_tray_is_their_order_in_the_edit(
    editor: Page, photo: Path, small_photo: Path
) -> None:
    add_photo(editor, photo)
    add_photo(editor, small_photo)
    editor.get_by_role("button", name="Move photo 2 earlier").press("Enter")
    assert photo_names(editor) == ["small lake.jpg", "lake at dusk.jpg"]
    expect(editor.get_by_role("button", name="Move photo 1 later")).to_be_focused()
    expect(editor.locator("#live")).to_have_text("Moved to position 1")
    enter_prompt(editor, "make it sepia")
    submit_form(editor)
    wait_for_result(editor)
    references = editor.locator(".refs .ph__img").all()
    assert [image.get_attribute("alt") for image in references] == ["small lake.jpg", "lake at dusk.jpg"]


def test_a_full_tray_offers_a_batch_that_takes_more_photos(editor: Page, small_photo: Path) -> None:
    offer = editor.get_by_role("button", name="Edit up to 200 photos in a batch")
    enter_prompt(editor, "make it sepia")
    expect(offer).to_be_hidden()
    editor.locator("#files").set_input_files([small_photo] * 6)
    expect(tray_photos(editor)).to_have_count(5)
    expect(editor.locator(".shot.is-failed")).to_contain_text("You can add up to 5 photos.")
    offer.click()
    expect(editor.locator("#tray-count")).to_have_text("5 of 200")
    expect(editor.get_by_label("What should change?")).to_have_value("make it sepia")


def test_a_file_that_is_not_a_photo_is_named_and_the_prompt_is_kept(
    editor: Page, small_photo: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "holiday.jpg"
    bad.write_text("not a photo")
    enter_prompt(editor, "make it sepia")
    editor.locator("#files").set_input_files([bad, small_photo])
    expect(editor.locator(".shot.is-failed")).to_contain_text("holiday.jpg: ")
    expect(editor.locator(".toast")).to_have_count(0)  # A toast would only repeat the message.
    expect(tray_photos(editor)).to_have_count(1)
    expect(editor.get_by_label("What should change?")).to_have_value("make it sepia")
    submit_form(editor)
    wait_for_result(editor)


def test_an_error_leaves_the_samples_and_ends_when_another_photo_is_added(
    editor: Page, small_photo: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "holiday.jpg"
    bad.write_text("not a photo")
    samples, error = editor.locator(".samples"), editor.locator(".shot.is-failed")
    editor.locator("#files").set_input_files(bad)
    expect(error).to_contain_text("holiday.jpg: ")
    expect(samples).to_be_visible()
    add_photo(editor, small_photo)
    expect(error).to_have_count(0)
    expect(samples).to_be_hidden()
