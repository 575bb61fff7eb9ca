"""Text: exact to the letter, wrapped, wholly inside the photo, readable on any ground."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont, features

from editor.engine.canvas import Box, Canvas, operation, top_value
from editor.engine.colors import Color, Floats, color_of, lightness
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable
from editor.engine.targets.marked import marked_boxes
from editor.imaging.codecs import Bytes, Picture, Pixels, eight_bits

_FONT = Path(__file__).resolve().parents[2] / "assets" / "DejaVuSans-Bold.ttf"
_NO_LETTER = "\U0010fffe"
_LINE = 1.22  # from one base line to the next, in font sizes
_STROKE = 0.07  # thickness of the outline, in font sizes
_SMALLEST = 9


@operation
def text(canvas: Canvas, step: Step) -> Canvas:
    """The step's text, letter for letter, at its place, or inside the marked box."""
    words = unicodedata.normalize("NFC", (step.text or "").strip())
    if not words:
        raise Unable(Reason.AMBIGUOUS, "The text is missing.", "Put the text in quotation marks.")
    require_letters(words)
    room = _room(canvas, step)
    block = _fitting_block(words, room, _wanted_size(canvas, step))
    place = step.place or ("center" if step.target.what == "region" else "bottom")
    at = placed(block.size, room, place)
    return canvas.with_pixels(_drawn(canvas.picture, block, at, step.color))


def require_letters(words: str) -> None:
    """Unable, naming the letter, when the font lacks one."""
    for letter in dict.fromkeys(words):
        if letter not in " \n" and not _has_letter(letter):
            name = unicodedata.name(letter, f"U+{ord(letter):04X}").lower()
            sentence = f"The letter “{letter}” ({name}) cannot be written: no font here has it."
            raise Unable(Reason.UNKNOWN_WORD, sentence, "Use other letters.")
        if unicodedata.bidirectional(letter) in ("R", "AL") and not features.check("raqm"):
            raise Unable(
                Reason.UNKNOWN_WORD, "Text from right to left cannot be set here.", "Use other letters."
            )


def _has_letter(letter: str) -> bool:
    """Pillow does not show the font's table, but a missing letter is drawn as the box of no letter."""
    if unicodedata.category(letter) in ("Cc", "Cs", "Cn", "Co"):
        return False
    missing, drawn = _font(40).getmask(_NO_LETTER), _font(40).getmask(letter)
    return not (missing.size == drawn.size and bytes(missing) == bytes(drawn))


@lru_cache(8)
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONT, size)


def _room(canvas: Canvas, step: Step) -> Box:
    """Where text may stand: the photo, or the box, without a margin."""
    picture, frame = canvas.picture, canvas.frame
    outer = Box(frame, frame, picture.width - frame, picture.height - frame)
    if step.target.what == "region":
        outer = marked_boxes(canvas, step.target)[0]
        margin = round(0.03 * min(outer.width, outer.height))
    else:
        margin = round(0.045 * min(outer.width, outer.height))
    return Box(outer.left + margin, outer.top + margin, outer.right - margin, outer.bottom - margin)


def _wanted_size(canvas: Canvas, step: Step) -> int:
    if step.exact and step.exact[1] == "pixels":
        return max(_SMALLEST, round(step.exact[0]))
    picture = canvas.picture
    middle: float = 0.075 * (picture.width * picture.height) ** 0.5
    if step.target.what == "region":
        middle = marked_boxes(canvas, step.target)[0].height
    factor = 1.0 if step.amount is None else 1.0 + step.amount
    return max(_SMALLEST, round(middle * factor))


@dataclass(frozen=True, eq=False)
class Block:
    """A text as it will stand: coverage of the letters, and of the letters with their outline, 0 to 255."""

    letters: Bytes
    outlined: Bytes

    @property
    def size(self) -> tuple[int, int]:
        return self.outlined.shape[1], self.outlined.shape[0]


def _fitting_block(words: str, room: Box, size: int) -> Block:
    """The largest block not above `size` that fits the room."""
    while size >= _SMALLEST:
        lines = _wrapped(words, _font(size), room.width - 2 * round(size * _STROKE) - 2)
        if lines:
            block = _rendered(lines, size)
            if block.size[0] <= room.width and block.size[1] <= room.height:
                return block
        size = min(size - 1, int(size * 0.93))
    raise Unable(Reason.TOO_LARGE, "This text does not fit into the photo.", "Use fewer words.")


def _wrapped(words: str, font: ImageFont.FreeTypeFont, width: int) -> list[str]:
    """Lines no wider than `width`, broken at spaces; empty when one word alone is wider."""
    lines: list[str] = []
    for paragraph in words.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if font.getlength(longer) <= width:
                line = longer
            elif font.getlength(word) <= width:
                lines.append(line)
                line = word
            else:
                return []
        lines.append(line)
    return lines


def _rendered(lines: list[str], size: int) -> Block:
    font, stroke = _font(size), max(1, round(size * _STROKE))
    pad = stroke + 2
    width = max(round(font.getlength(line)) for line in lines) + 4 * pad
    height = round(size * _LINE * len(lines)) + 4 * pad
    middle = [(width / 2, 2 * pad + size * (0.95 + _LINE * number)) for number in range(len(lines))]
    sheets = [Image.new("L", (width, height)) for _ in range(2)]
    for line, at in zip(lines, middle, strict=True):
        ImageDraw.Draw(sheets[0]).text(at, line, 255, font, anchor="ms")
        ImageDraw.Draw(sheets[1]).text(at, line, 255, font, anchor="ms", stroke_width=stroke)
    left, top, right, bottom = sheets[1].getbbox() or (0, 0, width, height)
    letters, outlined = (np.asarray(sheet)[top:bottom, left:right] for sheet in sheets)
    return Block(letters, outlined)


def placed(size: tuple[int, int], room: Box, place: str) -> tuple[int, int]:
    """Left and top of something of that size in the room: "top left", "bottom", "center" ..."""
    across = 0.0 if "left" in place else 1.0 if "right" in place else 0.5
    down = 0.0 if "top" in place else 1.0 if "bottom" in place else 0.5
    return (
        room.left + round(across * (room.width - size[0])),
        room.top + round(down * (room.height - size[1])),
    )


def _drawn(picture: Picture, block: Block, at: tuple[int, int], name: str | None) -> Pixels:
    (left, top), (width, height) = at, block.size
    around = picture.pixels[top : top + height, left : left + width]
    ground = eight_bits(Picture(around))[:, :, :3]
    color = color_of(name) if name else _readable(ground)
    result = picture.pixels.copy()
    view = result[top : top + height, left : left + width]
    view[:] = _composed(view, block, color, _contrary(color))
    return result


def _readable(ground: Bytes) -> Color:
    """White, unless the ground is very light."""
    return (20, 20, 20) if float(ground.mean()) > 200 else (255, 255, 255)


def _contrary(color: Color) -> Color:
    return (15, 15, 15) if lightness(color) > 0.55 else (250, 250, 250)


def _composed(pixels: Pixels, block: Block, color: Color, outline: Color) -> Pixels:
    """Outline first, softly shadowed, then the letters."""
    top = top_value(pixels)
    result = pixels.astype(np.float32)
    blur = cv2.GaussianBlur(block.outlined, (0, 0), max(1.0, block.size[1] / 60))
    for coverage, paint, strength in (
        (blur, outline, 0.45),
        (block.outlined, outline, 0.8),
        (block.letters, color, 1.0),
    ):
        share = cast(Floats, coverage.astype(np.float32)[:, :, None] * (strength / 255))
        full = np.array([*paint, 255][: pixels.shape[2]], np.float32) * (top / 255)
        result += share * (full - result)
    return cast(Pixels, (result + 0.5).astype(pixels.dtype))
