"""Tests for color tags other than ICC profiles.

The tests in tests/journeys/test_colors.py compare our colors with Chromium's.
"""

import struct
import zlib
from typing import Any

import numpy as np
import pytest

from editor.imaging import codecs
from editor.imaging.light import coding, to_srgb
from editor.imaging.picture import Picture
from tests.imaging.files import chrm, chunk, cicp, gama, png, tagged_avif, tagged_heic
from tests.imaging.test_codecs import swapped_profile

P3 = (0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06)
COLOR = (200, 100, 50)
IN_P3 = [215, 93, 31]
ICC = chunk(b"iCCP", b"x\0\0" + zlib.compress(swapped_profile()))
SRGB = chunk(b"sRGB", b"\0")
FLAT: Any = np.full((64, 64, 3), COLOR, np.uint8)


def read(data: bytes) -> Picture:
    return codecs.read(data, codecs.UPLOADED)


def small_png(extra: bytes, values: tuple[int, ...] = COLOR) -> bytes:
    return png(1, 1, 8, 2, b"\0" + bytes(values), extra=extra)


def shown(data: bytes) -> list[int]:
    pixels: list[int] = read(data).pixels[0, 0].tolist()
    return pixels


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        (b"", list(COLOR)),
        (cicp(12, 13), IN_P3),
        (cicp(12, 13) + ICC, IN_P3),
        (ICC + cicp(12, 13) + SRGB, IN_P3),
        (ICC + gama(1) + chrm(*P3), [100, 200, 50]),
        (ICC + SRGB, [100, 200, 50]),
        (SRGB + gama(1) + chrm(*P3), list(COLOR)),
        (gama(1), [229, 168, 122]),
        (gama(0.45455), list(COLOR)),
        (gama(0.45455) + chrm(*P3), [216, 93, 24]),
        (chrm(*P3), list(COLOR)),
    ],
)
def test_the_tags_of_a_png_have_the_precedence_of_its_standard(extra: bytes, expected: list[int]) -> None:
    assert shown(small_png(extra)) == pytest.approx(expected, abs=1)


@pytest.mark.parametrize(
    "extra",
    [
        cicp(2, 2),
        cicp(99, 13),
        chunk(b"cICP", bytes([12, 13, 6, 1])),
        chunk(b"cICP", b"\x0c"),
        gama(0),
        gama(0.45455) + chrm(*[0] * 8),
        gama(0.45455) + chrm(0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3),
        cicp(1, 13) + chunk(b"cLLI", b"") + chunk(b"mDCV", b"1"),
    ],
)
def test_invalid_or_unspecified_tags_change_nothing(extra: bytes) -> None:
    assert shown(small_png(extra)) == list(COLOR)


def test_a_tag_after_the_pixels_is_ignored() -> None:
    data = small_png(b"")
    assert shown(data[:-12] + gama(1) + data[-12:]) == list(COLOR)


def test_it_converts_all_bits_of_a_16_bit_png_and_keeps_its_alpha() -> None:
    row = np.array([[100, 20_000, 65_535, 9]], ">u2").tobytes()
    picture = read(png(1, 1, 16, 6, b"\0" + row, extra=gama(1)))
    # In the shadows, IEC 61966-2-1 multiplies the linear light by 12.92.
    assert picture.pixels[0, 0].tolist() == pytest.approx([1292, 38_562, 65_535, 9], abs=3)


def test_a_16_bit_gray_png_is_converted_according_to_its_gamma() -> None:
    row = np.array([0, 14_000, 65_535], ">u2").tobytes()
    assert read(png(3, 1, 16, 0, b"\0" + row, extra=gama(1))).pixels[0, :, 1].tolist() == [0, 32_738, 65_535]


@pytest.mark.parametrize("tagged", [tagged_avif, tagged_heic])
def test_nclx_tags_are_converted(tagged: Any) -> None:
    assert shown(tagged(FLAT, 12, 13)) == pytest.approx(IN_P3, abs=1)
    assert shown(tagged(FLAT, 9, 13)) == pytest.approx(shown(small_png(cicp(9, 13))), abs=1)
    for unchanged in ((1, 13), (1, 1), (1, 6), (2, 2)):
        assert shown(tagged(FLAT, *unchanged)) == pytest.approx(COLOR, abs=1)


@pytest.mark.parametrize("tagged", [tagged_avif, tagged_heic])
@pytest.mark.parametrize("transfer", [16, 18])
def test_hdr_in_avif_and_heic_is_converted_as_in_a_png(tagged: Any, transfer: int) -> None:
    assert shown(tagged(FLAT, 9, transfer)) == pytest.approx(
        shown(small_png(cicp(9, transfer), COLOR)), abs=2
    )


def test_hdr_in_heic_keeps_its_levels_and_uses_its_peak_luminance() -> None:
    ramp = np.repeat(np.repeat(np.arange(400, 656, dtype=np.uint16)[None, :, None] * 64, 64, 0), 3, 2)
    light = {"max_content_light_level": 400, "max_pic_average_light_level": 100}
    plain = read(tagged_heic(ramp, 9, 16)).pixels[0, :, 0]
    assert len(np.unique(plain)) > 120  # With 8 bits, PQ would have only 64 levels in this range.
    brighter = read(tagged_heic(ramp, 9, 16, content_light_level=light)).pixels[0, :, 0]
    assert (brighter > plain).all()


def test_a_profile_takes_precedence_over_the_nclx_tag() -> None:
    data = tagged_avif(FLAT, 1, 13, icc_profile=swapped_profile())
    assert shown(data) == pytest.approx([100, 200, 50], abs=2)


def test_hdr_white_is_half_of_the_light_and_its_peak_is_white() -> None:
    """Luminance is mapped to a screen's light as in formula D.2 of SMPTE ST 2094-50.

    203 cd/m² is shown with half of the screen's light, and the peak luminance with all of it.
    """
    for level, expected in ((148, 187), (192, 255), (255, 255)):
        pixels = to_srgb(np.full((1, 1, 3), level, np.uint8), coding(9, 16))
        assert pixels[0, 0].tolist() == pytest.approx([expected] * 3, abs=3)


def test_colors_beyond_the_screen_are_clipped() -> None:
    green = np.array([[[0, 255, 0]]], np.uint8)
    assert to_srgb(green.copy(), coding(9, 13)).tolist() == [[[0, 255, 0]]]
    assert to_srgb(green.copy(), coding(12, 16)).tolist() == [[[0, 255, 0]]]


def test_a_photo_taller_than_a_strip_is_converted_completely() -> None:
    pixels = np.full((700, 3, 4), (*COLOR, 77), np.uint8)
    converted = to_srgb(pixels, coding(12, 13))
    assert np.all(converted == converted[0, 0])
    assert converted[0, 0].tolist() == [*IN_P3, 77]


@pytest.mark.parametrize("extra", [b"", ICC])
def test_sixteen_bit_files_keep_the_transparency_of_one_color(extra: bytes) -> None:
    grey = np.array([0, 254, 255, 256, 65_535], ">u2").tobytes()
    data = png(5, 1, 16, 0, b"\0" + grey, extra=extra + chunk(b"tRNS", struct.pack(">H", 255)))
    alpha = read(data).pixels[0, :, 3]
    assert (alpha // alpha.max()).tolist() == [1, 1, 0, 1, 1]
    key = (255, 0, 40_000)
    colors = np.array([key, (255, 0, 40_001), (0, 0, 0)], ">u2").tobytes()
    data = png(3, 1, 16, 2, b"\0" + colors, extra=extra + chunk(b"tRNS", struct.pack(">3H", *key)))
    alpha = read(data).pixels[0, :, 3]
    assert (alpha // alpha.max()).tolist() == [0, 1, 1]
