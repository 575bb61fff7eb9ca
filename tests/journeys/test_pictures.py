"""Tests of the editor screenshot in the README.

With UPDATE_PICTURES=1, the test saves a new screenshot in pictures/.
"""

import os
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from tests.journeys.steps import add_photo, enter_prompt, size_of

PICTURES = Path(__file__).parent / "pictures"
MOST_BYTES = 250_000
PHOTO = Path(__file__).resolve().parents[2] / "static/img/samples/pier.webp"
PROMPT = "replace the sky with a starry night, brighten the photo a little and add a thin white border"


def save_small(picture: Path, target: Path) -> None:
    """Save a picture with 256 colors, using dithering to keep the sky smooth."""
    with Image.open(picture) as image:
        colors = image.convert("RGB")
    small = colors.quantize(palette=colors.quantize(256), dither=Image.Dither.FLOYDSTEINBERG)
    small.save(target, optimize=True)


def test_the_editor_shows_the_plan(editor: Page, tmp_path: Path) -> None:
    add_photo(editor, PHOTO)
    enter_prompt(editor, PROMPT)
    steps = editor.locator("#plan li")
    expect(steps).to_have_text(
        [
            "Replace the sky with a night sky",
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
