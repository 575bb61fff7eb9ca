"""The README's picture of the editor. UPDATE_PICTURES=1 puts a new one beside this file."""

import os
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from tests import scenes
from tests.journeys.steps import add_photo, size_of, write

PICTURES = Path(__file__).parent / "pictures"
MOST_BYTES = 200_000
PROMPT = "turn the red boat blue, brighten the photo a little and add a thin white border"


def save_small(picture: Path, target: Path) -> None:
    """In 256 colors, dithered so that the sky stays smooth."""
    with Image.open(picture) as image:
        colors = image.convert("RGB")
    small = colors.quantize(palette=colors.quantize(256), dither=Image.Dither.FLOYDSTEINBERG)
    small.save(target, optimize=True)


def test_the_editor_is_drawn_with_its_plan(editor: Page, tmp_path: Path) -> None:
    lake = tmp_path / "lake.jpg"
    scenes.lake(1500, 1000).save(lake, quality=92)
    add_photo(editor, lake)
    write(editor, PROMPT)
    steps = editor.locator("#plan li")
    expect(steps).to_have_text(
        [
            "Make the red boat blue",
            "Brighten the photo a little",
            "Add a thin white border",
        ]
    )
    expect(editor.locator(".shot .ph__img")).to_have_js_property("complete", True)
    editor.mouse.move(0, 0)
    editor.evaluate("document.activeElement.blur()")

    seen = tmp_path / "seen.png"
    editor.screenshot(path=seen, animations="disabled")
    small = tmp_path / "editor.png"
    save_small(seen, small)
    assert size_of(small) == (1440, 900)
    assert small.stat().st_size < MOST_BYTES
    if os.environ.get("UPDATE_PICTURES") == "1":
        PICTURES.mkdir(exist_ok=True)
        (PICTURES / "editor.png").write_bytes(small.read_bytes())
