"""Emoji."""

import re
import unicodedata
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import cast

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.operations.add.paint import lay
from editor.engine.operations.add.places import spot, target_boxes
from editor.engine.operations.gaussian import blurred
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable

_FONT = Path(__file__).resolve().parents[2] / "assets" / "NotoColorEmoji-subset.ttf"
_SIZE = 109  # the only size that its bitmaps come in
_USUAL = 0.22  # height, as a share of the shorter side
_SMOOTHED = 1.5  # times enlarged
_RIM = 2  # empty pixels around, for smoothing
_MOST = 12
_JOINING = re.compile("[\u200d\u20e3\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff]")
_AS_PICTURE = "\ufe0f"  # asks for the colored form, which is the only one here


@operation
def emoji(canvas: Canvas, step: Step) -> Canvas:
    """The step's emoji, in a row, at their place (lower right) or inside the target."""
    row = _row(_characters(step.text or ""))
    aspect = row.shape[1] / row.shape[0]
    result = canvas.picture.pixels.copy()
    for target in target_boxes(canvas, step):
        box = spot(canvas, step, target, aspect=aspect, share=_USUAL, place="bottom right", apart=True)
        colors, coverage = _scaled(row, box.width, box.height)
        lay(result, coverage, colors, (box.left, box.top))
        canvas = replace(canvas, taken=(*canvas.taken, box))
    return canvas.with_pixels(result)


def _characters(words: str) -> str:
    """The emoji without spaces; Unable, naming the one, when the font lacks it."""
    characters = "".join(words.replace(_AS_PICTURE, "").split())
    if not 1 <= len(characters) <= _MOST:
        raise Unable(Reason.AMBIGUOUS, "It is not clear which emoji to add.", "Write one to twelve emoji.")
    if _JOINING.search(characters):
        sentence = f"“{words.strip()}” is put together of several signs, which cannot be drawn here."
        raise Unable(Reason.UNKNOWN_WORD, sentence, "Use a simple emoji: no flag, family or skin tone.")
    for character in characters:
        if not _font().getmask(character).size[1]:
            name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
            sentence = f"The emoji “{character}” ({name}) cannot be drawn: it is not among those here."
            raise Unable(Reason.UNKNOWN_WORD, sentence, "Use another emoji.")
    return characters


@lru_cache(1)
def _font() -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONT, _SIZE, layout_engine=ImageFont.Layout.BASIC)


def _row(characters: str) -> Floats:
    """The emoji side by side, cropped to what is drawn: height x width x 4, premultiplied, 0 to 1."""
    _, _, right, bottom = _font().getbbox(characters)
    sheet = Image.new("RGBA", (round(right) + 1, round(bottom) + 1))
    ImageDraw.Draw(sheet).text((0, 0), characters, font=_font(), embedded_color=True)
    left, top, right, bottom = sheet.getbbox() or (0, 0, *sheet.size)
    rim = (left - _RIM, top - _RIM, right + _RIM, bottom + _RIM)
    # Drawn over nothing, which is black: that is what "premultiplied" means.
    return np.asarray(sheet.crop(rim)).astype(np.float32) / np.float32(255)


def _scaled(row: Floats, width: int, height: int) -> tuple[Floats, Floats]:
    """Colors and coverage at that size. Where the bitmaps are enlarged, their stairs are smoothed, and their
    outline is drawn sharp again."""
    scale = width / row.shape[1]
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    sized = cast(Floats, cv2.resize(row, (width, height), interpolation=how))
    coverage = np.clip(sized[:, :, 3], 0, 1)
    if scale > _SMOOTHED:
        sized = blurred(sized, 0.4 * scale)
        soft = blurred(coverage, 0.8 * scale)
        coverage = cast(Floats, np.clip((soft - 0.5) * scale * 1.2 + 0.5, 0, 1))
    colors = sized[:, :, :3] / np.maximum(sized[:, :, 3:], 1e-3)
    return cast(Floats, np.clip(colors, 0, 1)), coverage
