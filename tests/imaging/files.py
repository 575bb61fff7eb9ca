"""Generated image files in the formats that tests need."""

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from editor.imaging.picture import Bytes

UPRIGHT = ["red", "green", "blue", "white"]
CORNERS = {"red": (220, 30, 30), "green": (30, 200, 40), "blue": (30, 40, 220), "white": (245, 245, 245)}


def four_corners(width: int = 64, height: int = 48) -> Bytes:
    """Return pixels with a different color in each quarter.

    The colors are red at the top left, green at the top right, blue at the bottom left, and white at the
    bottom right.
    """
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, : width // 2] = CORNERS["red"]
    pixels[: height // 2, width // 2 :] = CORNERS["green"]
    pixels[height // 2 :, : width // 2] = CORNERS["blue"]
    pixels[height // 2 :, width // 2 :] = CORNERS["white"]
    return pixels


def written(path: Path, pixels: Bytes, **options: Any) -> Path:
    """Write the pixels to a file in the format given by the file's extension."""
    Image.fromarray(pixels).save(path, **options)
    return path


def encoded(pixels: Bytes, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind, **options)
    return file.getvalue()


def png(width: int, height: int, depth: int, color_type: int, rows: bytes, extra: bytes = b"") -> bytes:
    """Return a PNG that consists of these raw rows and has additional chunks after the header."""
    header = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, 0)
    data = chunk(b"IDAT", zlib.compress(rows, 9))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + data + chunk(b"IEND", b"")


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def deep_png(pixels: Any) -> bytes:
    """Return a 16-bit PNG of uint16 pixels, which have 2 (gray and alpha), 3, or 4 channels."""
    height, width, channels = pixels.shape
    rows = b"".join(b"\x00" + row.astype(">u2").tobytes() for row in pixels)
    return png(width, height, 16, {2: 4, 3: 2, 4: 6}[channels], rows)


def colors_at_corners(pixels: Any) -> list[str]:
    """Return the names of the colors that are closest to the pixels in the corners.

    The order is top left, top right, bottom left, and bottom right.
    """
    height, width = pixels.shape[:2]
    spots = [(y, x) for y in (height // 8, -height // 8) for x in (width // 8, -width // 8)]
    return [_nearest(pixels[spot][:3]) for spot in spots]


def _nearest(color: Any) -> str:
    distances = {
        name: np.abs(np.asarray(color, int) - np.asarray(known)).sum() for name, known in CORNERS.items()
    }
    return min(distances, key=lambda name: int(distances[name]))


def tagged_avif(pixels: Bytes, primaries: int, transfer: int, **options: Any) -> bytes:
    """Return an AVIF whose nclx tag has these code points (ISO 14496-12, section 12.1.5)."""
    data = encoded(pixels, "AVIF", quality=100, subsampling="4:4:4", **options)
    at = data.index(b"nclx") + 4
    return data[:at] + struct.pack(">HH", primaries, transfer) + data[at + 4 :]


def tagged_heic(pixels: Any, primaries: int, transfer: int, **options: Any) -> bytes:
    """Return a lossless HEIC file that has these code points.

    The pixels are uint8 or uint16; uint16 pixels are stored with 10 bits.
    """
    import pillow_heif

    file = io.BytesIO()
    mode = "RGB;16" if pixels.dtype == np.uint16 else "RGB"
    tags = {"color_primaries": primaries, "transfer_characteristics": transfer, "matrix_coefficients": 0}
    size = (pixels.shape[1], pixels.shape[0])
    pillow_heif.encode(mode, size, pixels.tobytes(), file, quality=-1, chroma=444, **tags, **options)
    return file.getvalue()


def cicp(primaries: int, transfer: int) -> bytes:
    return chunk(b"cICP", bytes([primaries, transfer, 0, 1]))


def gama(gamma: float) -> bytes:
    return chunk(b"gAMA", struct.pack(">I", round(gamma * 100_000)))


def chrm(*white_red_green_blue: float) -> bytes:
    return chunk(b"cHRM", struct.pack(">8I", *(round(value * 100_000) for value in white_red_green_blue)))
