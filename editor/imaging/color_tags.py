"""Read the color encoding that a file declares in tags other than an ICC profile."""

import io
import struct
from typing import Any

from PIL import Image

from editor.imaging import png
from editor.imaging.light import PRIMARIES, TRANSFERS, Chromaticities, Coding, coding, gamma_curve

_SRGB_CURVE = 13
# Transfer characteristics that are treated as sRGB, as in Chromium, because encoders use them by default for
# photos intended for screens.
_VIDEO_CURVES = {1, 6, 11, 12, 14, 15}
# The gAMA value that indicates sRGB if the file has no other color tags (PNG, third edition, section
# 11.3.2.2).
_SRGB_GAMMA = 0.45455
# The number of luminance units per 1 cd/m². The mDCV and cLLI chunks and the mdcv box (ISO 14496-12) use
# units of 0.0001 cd/m².
_NITS = 10_000


def png_coding(image: Image.Image, data: bytes) -> Coding | None:
    """Return the color encoding declared by an opened PNG file.

    Returns None if the file does not declare one or has only an ICC profile. cICP precedes iCCP, iCCP
    precedes sRGB, and sRGB precedes gAMA and cHRM (PNG, third edition, section 4.3). As in Chromium, cHRM
    counts only together with gAMA. Call this function before loading the pixels, because chunks after the
    pixels must be ignored.
    """
    chunks = png.chunks_before_data(data)
    found = _cicp(chunks)
    if found is None and not image.info.get("icc_profile") and "srgb" not in image.info:
        found = _gamma(image.info.get("gamma", 0), image.info.get("chromaticity"))
    return found


def _cicp(chunks: dict[bytes, bytes]) -> Coding | None:
    """Return the color encoding declared by a cICP chunk.

    Matrix 0 means RGB (PNG, third edition, section 11.3.2.6).
    """
    content = chunks.get(b"cICP", b"")
    if len(content) != 4:
        return None
    primaries, transfer, matrix, _ = content
    if matrix or primaries not in PRIMARIES or transfer not in TRANSFERS:
        return None
    return coding(primaries, transfer, peak=_png_peak(chunks))


def _png_peak(chunks: dict[bytes, bytes]) -> float | None:
    """Return the luminance of the brightest pixel, in cd/m².

    If the file does not contain this luminance, returns the maximum luminance of the display on which the
    photo was edited, or None.
    """
    for name, layout, at in ((b"cLLI", ">II", 0), (b"mDCV", ">8HII", 8)):
        content = chunks.get(name, b"")
        if len(content) == struct.calcsize(layout) and (luminance := struct.unpack(layout, content)[at]):
            return float(luminance / _NITS)
    return None


def _gamma(gamma: float, chromaticities: tuple[float, ...] | None) -> Coding | None:
    primaries = _primaries(chromaticities)
    if not gamma or (primaries is None and gamma == _SRGB_GAMMA):
        return None
    curve = gamma_curve(1 / gamma)
    return Coding(transfer=curve) if primaries is None else Coding(primaries, curve)


def _primaries(chromaticities: tuple[float, ...] | None) -> Chromaticities | None:
    """Return the primaries declared by a cHRM chunk, or None if they are missing or impossible."""
    if not chromaticities:
        return None
    white, red, green, blue = zip(chromaticities[::2], chromaticities[1::2], strict=True)
    area = (red[0] - blue[0]) * (green[1] - blue[1]) - (green[0] - blue[0]) * (red[1] - blue[1])
    are_real = abs(area) > 1e-3 and white[1] > 0 and all(x + y <= 1.001 for x, y in (white, red, green, blue))
    return (*red, *green, *blue, *white) if are_real else None


def heif_coding(data: bytes) -> Coding | None:
    """Return the color encoding declared by the main image in a HEIC or AVIF file.

    Returns None if the image has an ICC profile. libheif reads the tags of both formats, although it decodes
    only HEIC here.
    """
    info = _heif_info(data)
    stated = info.get("nclx_profile")
    if not stated:
        return None
    transfer = int(stated["transfer_characteristics"])
    return coding(
        int(stated["color_primaries"]),
        _SRGB_CURVE if transfer in _VIDEO_CURVES else transfer,
        peak=_heif_peak(info),
    )


def heif_bits(data: bytes) -> int:
    """Return the number of bits per color channel in a HEIC or AVIF file."""
    return int(_heif_info(data)["bit_depth"])


def _heif_info(data: bytes) -> dict[str, Any]:
    import pillow_heif  # Imported here so that libheif is loaded only for files that need it.

    info: dict[str, Any] = pillow_heif.open_heif(io.BytesIO(data)).info
    return info


def _heif_peak(info: dict[str, Any]) -> float | None:
    light = info.get("content_light_level") or {}
    display = info.get("mastering_display_colour_volume") or {}
    return (
        light.get("max_content_light_level")
        or display.get("max_display_mastering_luminance", 0) / _NITS
        or None
    )
