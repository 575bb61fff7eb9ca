"""Letters of any weight: drawn large, made bolder or lighter, and laid on a photo at any slope."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from PIL import Image

if TYPE_CHECKING:  # they take a while to import, and most edits write nothing
    from PIL import ImageFont

from editor.engine.colors import Floats
from editor.engine.pixels import Box
from editor.engine.targets.inscription import width_of_strokes
from editor.imaging.picture import Bytes

type Font = ImageFont.FreeTypeFont

_ASSETS = Path(__file__).resolve().parents[2] / "assets"
BOLD = _ASSETS / "DejaVuSans-Bold.ttf"
REGULAR = _ASSETS / "DejaVuSans-subset.ttf"
MEASURED = 200  # the font size, in pixels, that letters are measured at
CAPITAL = 0.729  # the height of capital letters, in font sizes; the same in both fonts
_PAD = 0.12  # of the font size, for strokes that grow
_NO_LETTER = "\U0010fffe"


@dataclass(frozen=True, eq=False)
class Sheet:
    """Words drawn with a font: coverage (0 to 1), and where in it their ink begins and their base line is."""

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
    """Left, top, right and bottom of the ink, from where it begins on the base line, in font sizes."""
    sheet = sheet_of(words, path, MEASURED)
    ink = Box.around((sheet.coverage > 0.5).astype(np.uint8)).moved(-sheet.left, -sheet.base)
    return ink.left / MEASURED, ink.top / MEASURED, ink.right / MEASURED, ink.bottom / MEASURED


def nearest_font(words: str, width: float) -> tuple[Path, float]:
    """The font whose strokes are nearest to a width, in font sizes, and how wide its own are."""
    is_regular = not any(lacks_letter(REGULAR, letter) for letter in set(words) - {" "})
    fonts = [BOLD, REGULAR] if is_regular else [BOLD]
    widths = {path: _stroke_width(words, path) for path in fonts}
    nearest = min(fonts, key=lambda path: abs(np.log(widths[path] / width)))
    return nearest, widths[nearest]


def lacks_letter(path: Path, letter: str) -> bool:
    """Pillow does not show a font's table, but a missing letter is drawn as the box of no letter."""
    missing, drawn = (font_of(path, 40).getmask(one) for one in (_NO_LETTER, letter))
    return bool(missing.size == drawn.size and bytes(missing) == bytes(drawn))


def _stroke_width(words: str, path: Path) -> float:
    coverage = sheet_of(words, path, MEASURED).coverage
    return width_of_strokes((coverage > 0.5).astype(np.uint8)) / MEASURED


def sheet_of(words: str, path: Path, size: int, bolder: float = 0.0) -> Sheet:
    """Words on one line, at a font size, with strokes wider by `bolder` pixels."""
    font, pad = font_of(path, size), round(_PAD * size) + 2
    left, top, right, bottom = (round(value) for value in font.getbbox(words, anchor="ls"))
    image = Image.new("L", (right - left + 2 * pad, bottom - top + 2 * pad))
    write(image, (pad - left, pad - top), words, font, fill=255, anchor="ls")
    drawn = np.asarray(image)
    ink = np.flatnonzero((drawn > 127).any(0))  # Pillow's box runs on to where the next letter would begin
    start = int(ink[0]) if ink.size else pad
    coverage = _weighted(drawn, bolder) if bolder else drawn * np.float32(1 / 255)
    return Sheet(coverage, start, pad - top)


def _weighted(drawn: Bytes, bolder: float) -> Floats:
    """Each edge moved outwards by half of that."""
    inside = (drawn > 127).astype(np.uint8)
    within, beyond = (
        cv2.distanceTransform(part, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) for part in (inside, 1 - inside)
    )
    return np.clip(within - beyond + np.float32(bolder / 2 + 0.5) - inside * np.float32(0.5), 0, 1)
