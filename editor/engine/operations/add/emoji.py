"""Draw emoji over the photo."""

import re
import unicodedata
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.drawing.paint import paint_over, scaled
from editor.engine.errors import OperationError
from editor.engine.operations.add.letters import font_of, write
from editor.engine.operations.add.places import place_item, target_boxes
from editor.engine.operations.add.worn_props import Hat, find_fits, put_on
from editor.engine.plan import MAX_EMOJI, Reason, Step
from editor.engine.wearable_emoji import WEARABLE_EMOJI
from editor.sentences import Sentence

_FONT = Path(__file__).resolve().parents[2] / "assets" / "NotoColorEmoji-subset.ttf"
_font = partial(font_of, _FONT, 109, is_basic=True)  # The emoji font has bitmaps in only one size, 109.
_USUAL = 0.22  # default height of an emoji, as a share of the photo's shorter side
_RIM = 2  # number of empty pixels around a drawn emoji, which are needed to smooth its edges
_JOINING = re.compile("[\u200d\u20e3\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff]")
# Variation selector that requests the colored form of an emoji. The font contains only that form.
_AS_PICTURE = "\ufe0f"


@operation
def emoji(canvas: Canvas, step: Step, *, text: str | None, place: str | None) -> Canvas:
    """Draw the requested emoji in a row, at the requested place or inside the target.

    The default place is the lower right. Emoji that are worn, such as hats and glasses, go on heads or over
    eyes. Raises OperationError if an emoji cannot be drawn.
    """
    row = _row(_characters(text or ""))
    aspect = row.shape[1] / row.shape[0]
    result = canvas.picture.pixels.copy()
    if place in WEARABLE_EMOJI.values():
        for fit in find_fits(canvas, step, aspect, Hat()):
            put_on(result, *scaled(row, round(fit.width), round(fit.width / aspect)), fit)
        return canvas.with_pixels(result)
    for target in target_boxes(canvas, step):
        box = place_item(canvas, step, target, aspect=aspect, share=_USUAL, place="bottom right", apart=True)
        colors, coverage = scaled(row, box.width, box.height)
        paint_over(result, coverage, colors, (box.left, box.top))
        canvas = replace(canvas, occupied=(*canvas.occupied, box))
    return canvas.with_pixels(result)


def _characters(words: str) -> str:
    """Return the characters of the emoji without the spaces between them.

    Raises OperationError if the font lacks an emoji, if there are no emoji, or if there are too many.
    """
    characters = "".join(words.replace(_AS_PICTURE, "").split())
    if not 1 <= len(characters) <= MAX_EMOJI:
        raise OperationError(
            Reason.AMBIGUOUS,
            Sentence("I can't tell which emoji to add."),
            Sentence("Enter one to twelve emoji."),
        )
    if _JOINING.search(characters):
        sentence = Sentence(
            "I can't draw “%(emoji)s” because it combines several symbols.", emoji=words.strip()
        )
        raise OperationError(
            Reason.UNKNOWN_WORD, sentence, Sentence("Use a simple emoji: no flag, family, or skin tone.")
        )
    for character in characters:
        if not _font().getmask(character).size[1]:
            name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
            sentence = Sentence("I can't draw the emoji “%(emoji)s” (%(name)s).", emoji=character, name=name)
            raise OperationError(Reason.UNKNOWN_WORD, sentence, Sentence("Use another emoji."))
    return characters


def _row(characters: str) -> Floats:
    """Return an image of the emoji side by side, without empty margins.

    The image is an array of height x width x 4 with values from 0 to 1 and premultiplied colors.
    """
    _, _, right, bottom = _font().getbbox(characters)
    sheet = Image.new("RGBA", (round(right) + 1, round(bottom) + 1))
    write(sheet, (0, 0), characters, _font(), embedded_color=True)
    left, top, right, bottom = sheet.getbbox() or (0, 0, *sheet.size)
    rim = (left - _RIM, top - _RIM, right + _RIM, bottom + _RIM)
    # The emoji are drawn over transparent black, so their colors are multiplied by alpha.
    return np.asarray(sheet.crop(rim)).astype(np.float32) / np.float32(255)
