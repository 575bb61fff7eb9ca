"""Encode PNG files, and check whether a PNG file is complete without decoding its pixels."""

import struct
import zlib
from collections.abc import Iterator

import numpy as np
from isal import isal_zlib

from editor.imaging.picture import Bytes, Picture, strips

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_RGB = 2  # color type of a PNG file without transparency
_RGBA = 6  # color type of a PNG file with transparency
_UP = 2
_FILTERS = 5
_METERS_PER_INCH = 0.0254


def encode_png(picture: Picture) -> bytes:
    """Return the picture as a PNG file (PNG, third edition, sections 5.3, 11.2.1, and 11.3.4.3).

    Compression with ISA-L takes a quarter as long as with OpenCV's zlib, and the files are 10% smaller.
    """
    depth, color = 16 if picture.is_deep else 8, _RGBA if picture.has_alpha else _RGB
    header = struct.pack(">IIBBBBB", picture.width, picture.height, depth, color, 0, 0, 0)
    per_meter = round(picture.dots_per_inch / _METERS_PER_INCH)
    density = [_chunk(b"pHYs", struct.pack(">IIB", per_meter, per_meter, 1))] if per_meter else []
    return b"".join([SIGNATURE, _chunk(b"IHDR", header), *density, *_deflated(picture), _chunk(b"IEND", b"")])


def _deflated(picture: Picture) -> Iterator[bytes]:
    """Yield the compressed data in chunks of several rows.

    This way, a reader does not have to hold all rows in memory.
    """
    deflater = isal_zlib.compressobj()
    for rows in _filtered(picture):
        if content := deflater.compress(rows):
            yield _chunk(b"IDAT", content)
    yield _chunk(b"IDAT", deflater.flush())


def _filtered(picture: Picture) -> Iterator[Bytes]:
    """Yield the filtered rows, each as the difference from the row above.

    The same filter is used for all rows. Choosing a filter for each row takes longer and saves less than 5%
    (PNG, third edition, sections 7.2 and 9.2).
    """
    above = np.zeros((1, picture.pixels[0].nbytes), np.uint8)
    for strip in strips(picture.height):
        pixels = np.ascontiguousarray(picture.pixels[strip], ">u2" if picture.is_deep else np.uint8)
        rows = pixels.view(np.uint8).reshape(len(pixels), -1)
        filtered = np.empty((len(rows), 1 + rows.shape[1]), np.uint8)
        filtered[:, 0] = _UP
        np.subtract(rows, np.concatenate([above, rows[:-1]]), out=filtered[:, 1:])
        above = rows[-1:]
        yield filtered


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(content, zlib.crc32(kind))
    return b"".join([struct.pack(">I4s", len(content), kind), content, struct.pack(">I", check)])


def chunks_before_data(data: bytes) -> dict[bytes, bytes]:
    """Return the contents of the chunks that precede the pixels, keyed by chunk name."""
    found: dict[bytes, bytes] = {}
    at = len(SIGNATURE)
    while at + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IDAT":
            break
        found.setdefault(kind, data[at + 8 : at + 8 + length])
        at += 12 + length
    return found


def is_whole(data: bytes) -> bool:
    """Return whether a PNG file has correct checksums and all its rows, each with a valid filter.

    If so, a decoder can read the whole file (PNG, third edition, sections 5.3, 7.3, and 11.2.1). This check
    takes half as long as decoding. Interlaced files are not supported and count as incomplete.
    """
    width, height, depth, color, *_, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    row = 1 + (width * depth * _CHANNELS[color] + 7) // 8
    inflater, done, filters = isal_zlib.decompressobj(), 0, b""
    for part in _data(data):
        rows = inflater.decompress(part)
        filters += rows[-done % row :: row]
        done += len(rows)
    return inflater.eof and not interlaced and done == row * height and max(filters) < _FILTERS


def _data(data: bytes) -> Iterator[bytes]:
    """Yield the contents of the IDAT chunks, up to the IEND chunk.

    Raises ValueError if a checksum is wrong.
    """
    kind, at = b"", 8
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8 : at + 8 + length]
        at += 12 + length
        if struct.unpack_from(">I", data, at - 4) != (zlib.crc32(content, zlib.crc32(kind)),):
            raise ValueError("A chunk has a wrong checksum.")
        if kind == b"IDAT":
            yield content
