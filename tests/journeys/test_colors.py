"""Tests that our colors match Chromium's colors to within 2 of 255 levels.

One value in 200 may differ more, because Chromium computes in half precision. This error is visible where a
color is far outside the screen's range.
"""

import base64
import struct
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page

from editor.imaging import codecs
from tests.imaging.files import chrm, chunk, cicp, gama, png, tagged_avif, tagged_heic

# This script returns a picture's pixels in sRGB, as a canvas stores them.
DRAW = """async ([data, type]) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([bytes], { type }));
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, canvas.width, canvas.height).data];
}"""
TOLERANCE = 2


def colors() -> Any:
    """Return an image of 64 x 32 pixels.

    The upper half contains a gray ramp, and the lower half contains random colors.
    """
    pixels = np.random.default_rng(31).integers(0, 256, (32, 64, 3), np.uint8)
    pixels[:16] = np.linspace(0, 255, 64).astype(np.uint8)[None, :, None]
    return pixels


def small_png(extra: bytes) -> bytes:
    rows = b"".join(b"\0" + row.tobytes() for row in colors())
    return png(64, 32, 8, 2, rows, extra=extra)


def deep_avif(primaries: int, transfer: int) -> bytes:
    """Return an AVIF with 10 bits per channel and with soft colors that a screen can display."""
    soft = cv2.resize(colors()[16:].astype(np.float32) * 4, (256, 64), interpolation=cv2.INTER_LINEAR)
    soft = 0.1 * soft + 0.9 * soft.mean(2, keepdims=True)
    options = [cv2.IMWRITE_AVIF_DEPTH, 10, cv2.IMWRITE_AVIF_QUALITY, 100]
    data = cv2.imencode(".avif", soft.astype(np.uint16), options)[1].tobytes()
    at = data.index(b"nclx") + 4
    return data[:at] + struct.pack(">HH", primaries, transfer) + data[at + 4 :]


def difference(page: Page, data: bytes, media_type: str) -> int:
    """Return the difference, in levels, between our pixels and Chromium's.

    Only 1 in 200 values differs by more than this.
    """
    ours = codecs.read(data, codecs.UPLOADED).pixels
    drawn = page.evaluate(DRAW, [base64.b64encode(data).decode(), media_type])
    theirs = np.array(drawn).reshape(*ours.shape[:2], 4)[..., : ours.shape[2]]
    if ours.shape[2] == 4:
        return int(np.abs(ours[..., 3].astype(int) // 257 - theirs[..., 3]).max())
    return int(np.percentile(np.abs(ours.astype(int) - theirs), 99.5))


PNG_TAGS = {
    "linear": gama(1),
    "dark": gama(0.55555),
    "gamma for sRGB": gama(0.45455),
    "Adobe RGB": gama(0.45470693) + chrm(0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06),
    "another white": gama(0.45455) + chrm(1 / 3, 1 / 3, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06),
    "primaries alone": chrm(0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06),
    "sRGB first": gama(1) + chunk(b"sRGB", b"\0"),
    "Display P3": cicp(12, 13),
    "Rec. 2020": cicp(9, 14),
    "Rec. 709": cicp(1, 1),
    "PQ": cicp(9, 16),
    "PQ in P3": cicp(12, 16),
    "HLG": cicp(9, 18),
    "PQ with its peak": cicp(9, 16) + chunk(b"cLLI", struct.pack(">II", 400 * 10_000, 10_000)),
    "PQ beyond the screen it was made on": cicp(9, 16)
    + chunk(b"mDCV", struct.pack(">8HII", *[15_000] * 8, 4_000 * 10_000, 1)),
    "PQ as dark as a screen": cicp(9, 16) + chunk(b"cLLI", struct.pack(">II", 150 * 10_000, 10_000)),
}


@pytest.mark.parametrize("tags", PNG_TAGS)
def test_a_tagged_png_has_the_same_colors_as_in_chromium(page: Page, tags: str) -> None:
    assert difference(page, small_png(PNG_TAGS[tags]), "image/png") <= TOLERANCE


@pytest.mark.parametrize(
    ("primaries", "transfer"), [(1, 13), (12, 13), (9, 14), (1, 1), (1, 4), (1, 8), (2, 2)]
)
def test_a_tagged_avif_has_the_same_colors_as_in_chromium(page: Page, primaries: int, transfer: int) -> None:
    assert difference(page, tagged_avif(colors(), primaries, transfer), "image/avif") <= TOLERANCE


@pytest.mark.parametrize(("primaries", "transfer"), [(9, 16), (12, 16), (9, 18)])
def test_an_hdr_avif_has_the_same_colors_as_in_chromium(page: Page, primaries: int, transfer: int) -> None:
    assert difference(page, deep_avif(primaries, transfer), "image/avif") <= TOLERANCE


@pytest.mark.parametrize("tags", [(12, 13), (9, 16), (9, 18)])
def test_a_heic_has_the_colors_that_chromium_shows_for_the_same_png(
    page: Page, tags: tuple[int, int]
) -> None:
    """Chromium does not read HEIC, so the reference is a PNG file with the same values and tags."""
    expected = page.evaluate(DRAW, [base64.b64encode(small_png(cicp(*tags))).decode(), "image/png"])
    ours = codecs.read(tagged_heic(colors(), *tags), codecs.UPLOADED).pixels
    assert np.abs(ours.astype(int) - np.array(expected).reshape(32, 64, 4)[..., :3]).max() <= TOLERANCE


@pytest.mark.parametrize(("color_type", "key"), [(0, (300,)), (2, (300, 7, 60_000))])
def test_a_transparent_16_bit_color_is_the_same_as_in_chromium(
    page: Page, color_type: int, key: tuple[int, ...]
) -> None:
    values = [*key, *[40_000] * len(key), *key]
    data = png(
        3,
        1,
        16,
        color_type,
        b"\0" + np.array(values, ">u2").tobytes(),
        extra=chunk(b"tRNS", np.array(key, ">u2").tobytes()),
    )
    assert difference(page, data, "image/png") == 0
