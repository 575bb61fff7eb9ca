"""Draw text exactly as requested: wrapped, completely inside the photo, and readable on any background."""

import unicodedata
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil, sqrt

import numpy as np
from PIL import Image, features

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, color_of, contrasting
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.paint import contrasting_at, paint_over
from editor.engine.errors import OperationError
from editor.engine.operations.add.letters import BOLD, CAPITAL, font_of, lacks_letter
from editor.engine.operations.add.places import (
    BESIDE,
    drawable_area,
    free_beside,
    free_box,
    no_room,
    target_boxes,
)
from editor.engine.pixels import Box
from editor.engine.plan import Amount, Reason, Step
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.sentences import Sentence

_BETWEEN = 0.13  # space between two lines of text, as a share of the font size
_STROKE = 0.07  # thickness of the text's outline, as a share of the font size
_SOFT = 0.08  # how far the text's shadow extends beyond the letters, as a share of the font size
_MIN_FONT_PIXELS = 9  # minimum font size of text, in pixels
_USUAL = 0.075  # default font size, as a share of the square root of the photo's area
# Factors for the font size, tried in order until the text fits beside other text.
_SMALLER = (1.0, 0.75, 0.55)
_PADDING = 0.4  # space between the letters and the edges of their ground, as a share of the font size
_FACTORS = {"small": 0.6, "large": 1.6}


@operation
def text(canvas: Canvas, step: Step, *, size: str | None, amount: Amount | None) -> Canvas:
    """Write the requested text, letter for letter, at the requested place in the photo.

    The text can also be in the marked box, or below the photo of a polaroid. An exact number is the height of
    the capital letters, in pixels or as a percentage of the photo's height. The step's `ground` is the color
    of a filled rectangle behind the text. It surrounds the text or, if `banner` is true, is as wide as the
    photo or the marked box. Raises OperationError if the text is missing, contains letters that the font
    lacks, or does not fit.
    """
    words, factor = step_text(step), _FACTORS.get(size or "", 1.0) * (1.0 + (amount.share if amount else 0.0))
    for box in target_boxes(canvas, step):
        canvas = _with_text(canvas, step, words, box, factor)
    return canvas


def _with_text(canvas: Canvas, step: Step, words: str, box: Box | None, factor: float) -> Canvas:
    padding = _PADDING if step.values.get("ground") else 0.0
    if box is not None and step.place in BESIDE:
        wanted = _wanted_size(canvas, step, None, factor)
        block, at = _beside(canvas, step, words, box, wanted, padding)
    else:
        free, wanted = _room_of_text(canvas, step, box), _wanted_size(canvas, step, box, factor)
        place = step.place or ("center" if box or free == canvas.caption else "bottom")
        block, at = fitting_beside(canvas, words, free, wanted, place, padding)
    ground = _ground_box(canvas, step, at, box)
    drawn = canvas.with_pixels(_drawn(canvas, step, block, at, ground))
    drawn = replace(drawn, occupied=(*canvas.occupied, ground or at))
    if step.amount_or_default.unit and block.font_size < wanted:
        return drawn.with_notice(Sentence("I made the text smaller so that it fits."))
    return drawn


def _beside(
    canvas: Canvas, step: Step, words: str, target: Box, wanted: int, padding: float
) -> tuple["Block", Box]:
    _, free = free_beside(canvas, step, target)
    try:
        block = fitting_block(words, free, wanted, padding)
    except OperationError:
        raise no_room(step) from None
    return block, Box.centered(target.center, *block.size).moved_into(free)


def _ground_box(canvas: Canvas, step: Step, at: Box, target: Box | None) -> Box | None:
    """Return the box of the ground behind a text, or None if the text has no ground."""
    if not step.values.get("ground"):
        return None
    if not step.values.get("banner") or step.place in BESIDE:
        return at
    whole = target or drawable_area(canvas, margin=0.0)
    return at._replace(left=whole.left, right=whole.right)


def fitting_beside(
    canvas: Canvas, words: str, free: Box, wanted: int, place: str, padding: float = 0.0
) -> tuple["Block", Box]:
    """Return the text and its box, which is in the free space and does not overlap other text and emoji.

    The box is at the given place. The font size is reduced if there is little space. Raises OperationError if
    there is too little space even for the smallest font size.
    """
    for share in _SMALLER:
        block = fitting_block(words, free, max(_MIN_FONT_PIXELS, round(share * wanted)), padding)
        with suppress(OperationError):
            return block, free_box(canvas, block.size, free, place)
    return block, free_box(canvas, block.size, free, place)


def step_text(step: Step) -> str:
    """Return the requested text in Unicode normalization form NFC.

    Raises OperationError if the text is missing or one of its letters cannot be written.
    """
    words = unicodedata.normalize("NFC", (step.text or "").strip())
    if not words:
        raise OperationError(
            Reason.AMBIGUOUS, Sentence("The text is missing."), Sentence("Put the text in quotation marks.")
        )
    require_letters(words)
    return words


def require_letters(words: str) -> None:
    """Raise OperationError if the font lacks a letter of these words; the error names the letter."""
    for letter in dict.fromkeys(words):
        if letter not in " \n" and not _has_letter(letter):
            name = unicodedata.name(letter, f"U+{ord(letter):04X}").lower()
            sentence = Sentence("I can't write the letter “%(letter)s” (%(name)s).", letter=letter, name=name)
            raise OperationError(Reason.UNKNOWN_WORD, sentence, Sentence("Use other letters."))
        if unicodedata.bidirectional(letter) in ("R", "AL") and not features.check("raqm"):
            raise OperationError(
                Reason.UNKNOWN_WORD,
                Sentence("I can't write text from right to left."),
                Sentence("Use other letters."),
            )


def _has_letter(letter: str) -> bool:
    is_none = unicodedata.category(letter) in ("Cc", "Cs", "Cn", "Co")
    return not is_none and not lacks_letter(BOLD, letter)


def _room_of_text(canvas: Canvas, step: Step, box: Box | None) -> Box:
    """Return the area in which text may be placed.

    The area excludes the margins at the edges of the photo.
    """
    if box is not None:
        margin = round(0.03 * min(box.width, box.height))
        return Box(box.left + margin, box.top + margin, box.right - margin, box.bottom - margin)
    if canvas.caption and step.place is None:
        return canvas.caption
    return drawable_area(canvas)


def _wanted_size(canvas: Canvas, step: Step, box: Box | None, factor: float) -> int:
    picture, wanted = canvas.picture, step.amount_or_default
    if wanted.number is not None:
        height = wanted.number if wanted.unit == "pixels" else wanted.number / 100 * picture.height
        return max(_MIN_FONT_PIXELS, round(height / CAPITAL))
    if box and step.target.what == "region":
        return max(_MIN_FONT_PIXELS, round(box.height * factor))
    return font_size(picture, _USUAL * factor)


def font_size(picture: Picture, share: float) -> int:
    """Convert a share of the square root of the photo's area to a font size in pixels."""
    return max(_MIN_FONT_PIXELS, round(share * sqrt(picture.width * picture.height)))


@dataclass(frozen=True, eq=False)
class Block:
    """Rendered text with a margin for its shadow or with the padding of its ground.

    `letters` is the coverage of the letters, and `outlined` is the coverage of the letters with their
    outline, both from 0 to 255.
    """

    letters: Bytes
    outlined: Bytes
    font_size: int

    @property
    def size(self) -> tuple[int, int]:
        return self.outlined.shape[1], self.outlined.shape[0]


def fitting_block(words: str, room: Box, size: int, padding: float = 0.0) -> Block:
    """Return the text as the largest block that fits the room, in a font size of at most `size` pixels.

    `padding` is the empty space around the text, as a share of the font size. Raises OperationError if the
    text does not fit even at the smallest font size.
    """
    while size >= _MIN_FONT_PIXELS:
        with suppress(ValueError):  # `_rendered` raises ValueError if a single word is too wide.
            block = _rendered(words, size, room.width, padding)
            if block.size[0] <= room.width and block.size[1] <= room.height:
                return block
        size = min(size - 1, int(size * 0.93))
    raise OperationError(
        Reason.TOO_LARGE, Sentence("This text doesn't fit in the photo."), Sentence("Use fewer words.")
    )


def _rendered(words: str, size: int, width: int, padding: float) -> Block:
    """Return the words on centered lines of at most the given width.

    Raises ValueError if a single word is wider than that.
    """
    from PIL import ImageDraw, ImageText  # Imported only when text is drawn, because the import is slow.

    text = ImageText.Text(words, font_of(BOLD, size), spacing=_BETWEEN * size)
    text.stroke(max(1, round(size * _STROKE)), "red")
    margin = round((_SOFT + padding) * size) + 1
    text.wrap(width - 2 * margin)
    left, top, right, bottom = text.get_bbox(align="center")
    sheet = Image.new("RGB", (ceil(right - left) + 2 * margin, ceil(bottom - top) + 2 * margin))
    ImageDraw.Draw(sheet).text((margin - left, margin - top), text, fill="yellow", align="center")
    # Yellow contains red, so the red channel contains both the yellow letters and their red outline.
    outlined, letters, _ = sheet.split()
    return Block(np.asarray(letters), np.asarray(outlined), size)


def _drawn(canvas: Canvas, step: Step, block: Block, at: Box, ground: Box | None) -> Pixels:
    result = canvas.picture.pixels.copy()
    if ground is None:
        color = color_of(step.color) if step.color else contrasting_at(canvas.picture, at)
        paint_block(result, block, color, (at.left, at.top))
        return result
    behind = color_of(str(step.values["ground"]))
    color = color_of(step.color) if step.color else contrasting(behind)
    paint_over(result, np.ones((ground.height, ground.width), np.float32), behind, (ground.left, ground.top))
    paint_over(result, to_fraction(block.letters), color, (at.left, at.top))
    return result


def paint_block(
    pixels: Pixels, block: Block, color: Color, at: tuple[int, int], opacity: float = 1.0
) -> None:
    """Paint the block of text in place: first its shadow, then its outline, then the letters."""
    outline = contrasting(color)
    outlined, letters = to_fraction(block.outlined), to_fraction(block.letters)
    shadow = blurred(outlined, max(0.6, _SOFT / 3 * block.font_size))
    shadow = shadow if opacity == 1 else (shadow * (1 - letters))
    paint_over(pixels, shadow * np.float32(0.45 * opacity), outline, at)
    # Cut the letters out of the outline so that the outline does not show through translucent letters.
    rim = outlined if opacity == 1 else outlined * (1 - letters)
    paint_over(pixels, rim * np.float32(0.8 * opacity), outline, at)
    paint_over(pixels, letters * np.float32(opacity), color, at)


def to_fraction(coverage: Bytes) -> Floats:
    """Convert coverage from 0 to 255 to a share from 0 to 1."""
    return coverage * np.float32(1 / 255)
