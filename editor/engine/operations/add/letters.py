"""Letters of any weight, drawn in a font and then made bolder or lighter."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from PIL import Image

if TYPE_CHECKING:  # Imported only for type checking, because the import is slow and most edits add no text.
    from PIL import ImageFont

from editor.engine.colors import Floats
from editor.engine.pixels import Box
from editor.engine.targets.box_lettering import width_of_strokes
from editor.imaging.picture import Bytes

type Font = ImageFont.FreeTypeFont

_ASSETS = Path(__file__).resolve().parents[2] / "assets"
BOLD = _ASSETS / "DejaVuSans-Bold.ttf"
REGULAR = _ASSETS / "DejaVuSans-subset.ttf"
MEASURED = 200  # font size, in pixels, at which letters are measured
# Height of capital letters, as a share of the font size. This height is the same in both fonts.
CAPITAL = 0.729
_PAD = 0.12  # margin around drawn words, as a share of the font size, which leaves room for bold strokes
_NO_LETTER = "\U0010fffe"


@dataclass(frozen=True, eq=False)
class Sheet:
    """Words drawn in a font.

    `coverage` ranges from 0 to 1. `left` is the column where the ink begins, and `base` is the row of the
    baseline.
    """

    coverage: Floats
    left: int
    base: int


@lru_cache(16)
def font_of(path: Path, size: int, *, is_basic: bool = False) -> Font:
    from PIL import ImageFont

    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC if is_basic else None)


def write(sheet: Image.Image, at: tuple[float, float], words: str, font: Font, **how: Any) -> None:
    from PIL import ImageDraw

    ImageDraw.Draw(sheet).text(at, words, font=font, **how)


@lru_cache(64)
def ink_of(words: str, path: Path) -> tuple[float, float, float, float]:
    """Return the left, top, right, and bottom edges of the drawn words, as multiples of the font size.

    The origin is on the baseline, at the left edge of the ink.
    """
    sheet = sheet_of(words, path, MEASURED)
    ink = Box.around((sheet.coverage > 0.5).astype(np.uint8)).moved(-sheet.left, -sheet.base)
    return ink.left / MEASURED, ink.top / MEASURED, ink.right / MEASURED, ink.bottom / MEASURED


def nearest_font(words: str, width: float) -> tuple[Path, float]:
    """Return the font whose stroke width is nearest to `width`, and that stroke width.

    Both widths are shares of the font size.
    """
    is_regular = not any(lacks_letter(REGULAR, letter) for letter in set(words) - {" "})
    fonts = [BOLD, REGULAR] if is_regular else [BOLD]
    widths = {path: _stroke_width(words, path) for path in fonts}
    nearest = min(fonts, key=lambda path: abs(np.log(widths[path] / width)))
    return nearest, widths[nearest]


def lacks_letter(path: Path, letter: str) -> bool:
    """Return whether the font lacks a letter.

    Pillow does not expose a font's character table, but it draws every missing letter as the same
    placeholder glyph.
    """
    missing, drawn = (font_of(path, 40).getmask(one) for one in (_NO_LETTER, letter))
    return bool(missing.size == drawn.size and bytes(missing) == bytes(drawn))


def _stroke_width(words: str, path: Path) -> float:
    coverage = sheet_of(words, path, MEASURED).coverage
    return width_of_strokes((coverage > 0.5).astype(np.uint8)) / MEASURED


def sheet_of(words: str, path: Path, size: int, bolder: float = 0.0) -> Sheet:
    """Return words drawn on one line at the given font size.

    The strokes are `bolder` pixels wider than in the font.
    """
    font, pad = font_of(path, size), round(_PAD * size) + 2
    left, top, right, bottom = (round(value) for value in font.getbbox(words, anchor="ls"))
    image = Image.new("L", (right - left + 2 * pad, bottom - top + 2 * pad))
    write(image, (pad - left, pad - top), words, font, fill=255, anchor="ls")
    drawn = np.asarray(image)
    # Pillow's box ends where the next letter would begin, so measure the ink itself.
    ink = np.flatnonzero((drawn > 127).any(0))
    start = int(ink[0]) if ink.size else pad
    coverage = _weighted(drawn, bolder) if bolder else drawn * np.float32(1 / 255)
    return Sheet(coverage, start, pad - top)


def _weighted(drawn: Bytes, bolder: float) -> Floats:
    """Return the coverage with every edge moved outward by half of `bolder` pixels."""
    inside = (drawn > 127).astype(np.uint8)
    within, beyond = (
        cv2.distanceTransform(part, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) for part in (inside, 1 - inside)
    )
    return np.clip(within - beyond + np.float32(bolder / 2 + 0.5) - inside * np.float32(0.5), 0, 1)
