"""Tests that each file dropped on or pasted into the editor is added to the tray or listed with a reason."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.imaging.files import four_corners, tagged_heic, written
from tests.journeys.conftest import OpenPage
from tests.journeys.steps import add_photo, empty_tray, photo_names, tray_photos
from tests.journeys.test_batch import here
from tests.journeys.test_tray import PASTE

NOT_A_PHOTO = "This file is not a supported photo. Use JPEG, PNG, WebP, HEIC, or AVIF."
PASTED = """([name, type]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["a list"], name, { type }));
    return transfer;
}"""


def drop(page: Page, *paths: Path, on: str = "#tray") -> None:
    """Drop files and folders onto the page as a person does, from outside the browser."""
    box = page.locator(on).bounding_box()
    assert box
    session = page.context.new_cdp_session(page)
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 9}
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})


def refused(page: Page) -> Locator:
    return page.locator(".shot.is-failed p")


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Return a folder with photos and other files. One of the photos is in a subfolder."""
    folder = tmp_path / "holiday"
    (folder / "day 2").mkdir(parents=True)
    for number in (1, 2, 10):
        written(folder / f"IMG_{number}.png", four_corners())
    written(folder / "day 2" / "beach.jpg", four_corners())
    (folder / "notes.txt").write_text("sun")
    (folder / "IMG_1.xmp").write_text("<x/>")
    (folder / ".DS_Store").write_bytes(b"\0")
    return folder


def test_a_heic_file_without_a_type_is_added(editor: Page, tmp_path: Path) -> None:
    photo = tmp_path / "IMG_2041.HEIC"
    photo.write_bytes(tagged_heic(four_corners(), 12, 13))
    drop(editor, photo)
    expect(tray_photos(editor)).to_have_count(1)
    assert photo_names(editor) == ["IMG_2041.HEIC"]


def test_the_photos_of_a_folder_are_added_in_order_and_the_rest_is_named(editor: Page, many: Path) -> None:
    drop(editor, many)
    expect(tray_photos(editor)).to_have_count(4)
    assert photo_names(editor) == ["beach.jpg", "IMG_1.png", "IMG_2.png", "IMG_10.png"]
    expect(refused(editor)).to_have_text([f"IMG_1.xmp, notes.txt: {NOT_A_PHOTO}"])


def test_files_without_photos_and_empty_folders_are_named(editor: Page, photo: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "texts").mkdir()
    for name in ("texts/a.txt", "film.mp4", "offer.pdf"):
        (tmp_path / name).write_text("a")
    drop(editor, *(tmp_path / name for name in ("empty", "film.mp4", "offer.pdf", "texts")), photo)
    expect(tray_photos(editor)).to_have_count(1)
    expect(refused(editor)).to_have_text(
        ["empty, texts: This folder contains no photos.", f"film.mp4, offer.pdf: {NOT_A_PHOTO}"]
    )


def test_photos_beyond_the_limit_are_named(editor: Page, small_photo: Path, tmp_path: Path) -> None:
    add_photo(editor, small_photo)
    photos = [written(tmp_path / f"{number:02}.png", four_corners()) for number in range(20)]
    drop(editor, tmp_path / "00.png", *photos[1:6])
    expect(refused(editor)).to_have_text(["04.png, 05.png: You can add up to 5 photos."])
    expect(tray_photos(editor)).to_have_count(5)
    drop(editor, *photos)
    shown = ", ".join(f"{number:02}.png" for number in range(9))
    expect(refused(editor).first).to_have_text(f"{shown} and 11 more: You can add up to 5 photos.")


def test_a_photo_dropped_outside_the_tray_is_added(editor: Page, photo: Path) -> None:
    drop(editor, photo, on="#prompt")
    expect(tray_photos(editor)).to_have_count(1)


def test_a_pasted_file_that_is_not_a_photo_is_named(editor: Page) -> None:
    editor.evaluate(PASTE, editor.evaluate_handle(PASTED, ["list.csv", "text/csv"]))
    expect(refused(editor)).to_have_text(f"list.csv: {NOT_A_PHOTO}")


def test_a_batch_accepts_a_folder_too(editor: Page, many: Path) -> None:
    editor.goto(here(editor, "batches/new/"))
    drop(editor, many)
    expect(tray_photos(editor)).to_have_count(4)
    expect(refused(editor)).to_have_count(1)


def test_a_folder_that_cannot_be_read_is_named(editor: Page) -> None:
    """The script gets a simulated folder, because Chromium can read every real folder of the test."""
    answer = editor.evaluate(
        """async () => {
            const { sorted } = await import(document.getElementById("drop").dataset.sort);
            const reader = { readEntries: (done, fail) => fail(new Error("no permission")) };
            const { photos, others } = await sorted([{ name: "secret", createReader: () => reader }]);
            const named = others.filter(([files]) => files.length);
            return [photos.length, named.map(([files, reason]) => [files[0].name, reason])];
        }"""
    )
    assert answer == [0, [["secret", "This folder couldn't be read. Drop its photos instead."]]]


def test_a_german_user_sees_the_reasons_in_german(
    open_page: OpenPage, site: Any, cookies: Any, many: Path, tmp_path: Path
) -> None:
    page = open_page(storage_state=cookies, locale="de-DE")
    page.goto(f"{site.url}/")
    empty_tray(page)
    (tmp_path / "leer").mkdir()
    many_files = [written(tmp_path / f"{number}.png", four_corners()) for number in range(15)]
    drop(page, tmp_path / "leer", many / "notes.txt", *many_files)
    expect(refused(page)).to_contain_text(
        [
            " und 1 weitere: Sie können bis zu 5 Fotos hinzufügen.",
            "leer: Dieser Ordner enthält keine Fotos.",
            "notes.txt: Diese Datei ist kein unterstütztes Foto.",
        ]
    )
    expect(tray_photos(page)).to_have_count(5)
