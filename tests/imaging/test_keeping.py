"""Tests for storing photos, including rebuilding, verifying, and shrinking them."""

import contextlib
import json
import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from editor.imaging import codecs, stored_photos
from editor.imaging.codecs import PhotoError
from editor.imaging.picture import Picture
from tests.imaging.files import (
    UPRIGHT,
    chunk,
    colors_at_corners,
    deep_png,
    encoded,
    four_corners,
    png,
    written,
)


def test_a_stored_photo_may_have_more_pixels_than_an_upload_by_default(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(8_000, 8_000, 8, 0, (b"\0" + b"\7" * 8_000) * 8_000))
    with pytest.raises(PhotoError, match="at most 40 megapixels"):
        codecs.load(path)
    assert stored_photos.verify_result(str(path), str(tmp_path / "out"))["width"] == 8_000
    stored_photos.derive(str(path), str(tmp_path / "out"), [1600])
    assert codecs.load(tmp_path / "out-1600.webp").width == 1600


def test_a_derivative_is_never_upscaled() -> None:
    picture = Picture(four_corners(400, 300))
    assert stored_photos.derivative(picture, 100).pixels.shape == (75, 100, 3)
    assert stored_photos.derivative(picture, 500).pixels.shape == (300, 400, 3)
    assert stored_photos.derivative(Picture(np.zeros((1, 5000, 3), np.uint8)), 100).pixels.shape == (
        1,
        100,
        3,
    )


def test_a_derivative_of_a_tall_photo_has_a_bounded_height(tmp_path: Path) -> None:
    assert stored_photos.derivative(Picture(np.zeros((5000, 50, 3), np.uint8)), 100).pixels.shape == (
        400,
        4,
        3,
    )
    source = written(tmp_path / "in.png", np.zeros((16_384, 1, 3), np.uint8))
    facts = stored_photos.rebuild(str(source), str(tmp_path / "out"))
    assert (facts["width"], facts["height"]) == (1, 16_384)
    assert codecs.load(tmp_path / "out-800.webp").height == 3200


def test_a_placeholder_is_a_short_data_uri() -> None:
    uri = stored_photos.placeholder(Picture(four_corners(4000, 3000)))
    assert uri.startswith("data:image/webp;base64,")
    assert len(uri) < 250


def test_it_rebuilds_an_upload_with_derivatives(tmp_path: Path) -> None:
    source = written(tmp_path / "in.webp", four_corners(1000, 750))
    facts = stored_photos.rebuild(str(source), str(tmp_path / "out"))
    kept = tmp_path / "out.jpg"
    assert stored_photos.verify_result(str(kept), str(tmp_path / "again")).items() <= facts.items()
    assert (facts["media_type"], facts["extension"], facts["notices"]) == ("image/jpeg", "jpg", [])
    assert facts == json.loads(json.dumps(facts))
    for width in (360, 800):
        assert codecs.load(tmp_path / f"out-{width}.webp").width == width


def test_it_rebuilds_photos_with_alpha_or_16_bits_as_png(tmp_path: Path) -> None:
    alpha = tmp_path / "alpha.png"
    alpha.write_bytes(encoded(np.dstack([four_corners(), four_corners()[:, :, 1]]), "PNG"))
    deep = tmp_path / "deep.png"
    deep.write_bytes(deep_png(four_corners().astype(np.uint16) * 257))
    for source in (alpha, deep):
        facts = stored_photos.rebuild(str(source), str(tmp_path / "out"))
        assert (facts["extension"], facts["media_type"]) == ("png", "image/png")
        assert np.array_equal(codecs.load(tmp_path / "out.png").pixels, codecs.load(source).pixels)


def test_a_rebuilt_photo_contains_no_metadata(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SECRETMAKER"
    exif.get_ifd(0x8825)[2] = (48.0, 51.0, 29.0)
    exif.get_ifd(0x8825)[29] = "SECRETDATE"
    photo = Image.fromarray(four_corners())
    photo.info["comment"] = b"<?php SECRETCOMMENT"
    source = tmp_path / "in.jpg"
    photo.save(source, exif=exif, comment=b"<?php SECRETCOMMENT", xmp=b"<x>SECRETXMP</x>")
    source.write_bytes(source.read_bytes() + b"<script>SECRETTAIL</script>")
    assert source.read_bytes().count(b"SECRET") == 5
    stored_photos.rebuild(str(source), str(tmp_path / "out"))
    for kept in tmp_path.glob("out*"):
        assert b"SECRET" not in kept.read_bytes()
        assert b"Exif" not in kept.read_bytes()


@pytest.mark.parametrize("output_format", codecs.EXTENSIONS)
@pytest.mark.parametrize("share", [0.5, 0.999])
def test_a_truncated_result_is_rejected(output_format: str, share: float, tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8)
    whole = codecs.encode(Picture(noise), output_format)
    path = tmp_path / "a"
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(PhotoError, match="damaged"):
        stored_photos.verify_result(str(path), str(tmp_path / "a"))


@pytest.mark.parametrize("channels", [2, 3, 4])
def test_a_16_bit_png_is_accepted_as_a_result(channels: int, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(deep_png(np.full((30, 40, channels), 40_000, np.uint16)))
    facts = stored_photos.verify_result(str(path), str(tmp_path / "a"))
    assert (facts["width"], facts["height"]) == (40, 30)


ROWS = (b"\0" + b"\7" * 12) * 3  # the rows of an RGB image of 4 x 3 pixels
LYING = {
    "a row is missing": png(4, 3, 8, 2, ROWS[:-13]),
    "there is a row too many": png(4, 3, 8, 2, ROWS + ROWS[:13]),
    "a filter does not exist": png(4, 3, 8, 2, ROWS[:13] + b"\5" + ROWS[14:]),
    "a checksum is wrong": png(4, 3, 8, 2, ROWS).replace(b"IEND\xaeB`\x82", b"IEND\xaeB`\x83"),
    "the pixels' checksum is wrong": png(4, 3, 8, 2, ROWS)[:-17] + b"\0" + png(4, 3, 8, 2, ROWS)[-16:],
    "it is interlaced": b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 3, 8, 2, 0, 0, 1))
    + chunk(b"IDAT", zlib.compress(ROWS))
    + chunk(b"IEND", b""),
    "there are no pixels": png(4, 3, 8, 2, b""),
}


@pytest.mark.parametrize("data", LYING.values(), ids=LYING.keys())
def test_an_inconsistent_png_is_rejected(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(data)
    with pytest.raises(PhotoError, match="damaged"):
        stored_photos.verify_result(str(path), str(tmp_path / "a"))


def test_damaged_pngs_that_are_accepted_can_be_decoded(tmp_path: Path) -> None:
    whole = bytearray(codecs.encode(Picture(four_corners()), "png"))
    chance, taken = random.Random(1), 0
    for number in range(400):
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path = tmp_path / f"{number}.png"
        path.write_bytes(data)
        with contextlib.suppress(PhotoError):
            stored_photos.verify_result(str(path), str(tmp_path / f"{number}"))
            taken += 1
            assert (codecs.load(path).pixels == four_corners()).all()
    assert taken < 20


def test_a_result_with_a_damaged_derivative_is_rejected(tmp_path: Path) -> None:
    path = str(tmp_path / "a.png")
    stored_photos.save_with_derivatives(Picture(four_corners(1000, 750)), path, "png")
    assert stored_photos.verify_result(path, str(tmp_path / "a"))["width"] == 1000
    derivative = tmp_path / "a-800.webp"
    derivative.write_bytes(derivative.read_bytes()[:-9])
    with pytest.raises(PhotoError, match="damaged"):
        stored_photos.verify_result(path, str(tmp_path / "a"))


def test_the_derivatives_of_a_jpeg_are_not_transparent(tmp_path: Path) -> None:
    clear = np.dstack([four_corners(), np.zeros((48, 64), np.uint8)])
    stored_photos.save_with_derivatives(Picture(clear), str(tmp_path / "a.jpg"), "jpeg")
    assert codecs.load(tmp_path / "a-360.webp").pixels.shape == (48, 64, 3)
    assert codecs.load(tmp_path / "a-360.webp").pixels.min() == 255


def test_a_result_in_an_unsupported_format_is_rejected(tmp_path: Path) -> None:
    path = written(tmp_path / "a.avif", four_corners())
    with pytest.raises(PhotoError, match="not a supported photo"):
        stored_photos.verify_result(str(path), str(tmp_path / "out"))


@pytest.mark.parametrize("output_format", ["jpeg", "png", "webp"])
def test_a_result_from_another_engine_is_converted_to_the_requested_format(
    output_format: str, tmp_path: Path
) -> None:
    source = written(tmp_path / "in.jpg", four_corners(900, 600))
    source.write_bytes(source.read_bytes() + b"<?php SECRETTAIL")
    facts = stored_photos.reencode_result(str(source), str(tmp_path / "out"), output_format)
    kept = tmp_path / f"out.{codecs.EXTENSIONS[output_format]}"
    assert b"SECRET" not in kept.read_bytes()
    assert (facts["media_type"], facts["width"], facts["height"]) == (f"image/{output_format}", 900, 600)
    assert facts["size"] == kept.stat().st_size
    assert colors_at_corners(codecs.load(kept).pixels) == UPRIGHT
    assert (tmp_path / "out-360.webp").is_file()


@pytest.mark.parametrize("channels", [3, 4])
def test_a_photo_is_shrunk_to_fit_the_maximum_file_size(channels: int, tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (300, 400, channels), np.uint8)
    source = written(tmp_path / "in.png", pixels)
    made = Path(stored_photos.shrink(str(source), str(tmp_path / "out"), 100_000))
    assert 50_000 < made.stat().st_size <= 100_000
    assert codecs.load(made).has_alpha == (channels == 4)


def test_a_shrunk_photo_keeps_its_aspect_ratio(tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (2000, 125, 3), np.uint8)
    made = stored_photos.shrink(str(written(tmp_path / "in.png", pixels)), str(tmp_path / "out"), 100_000)
    picture = codecs.load(made)
    assert abs(picture.height / picture.width - 16) < 0.5
    assert 50_000 < Path(made).stat().st_size <= 100_000


@pytest.mark.parametrize("size", [(2, 1), (1, 7), (3, 3)])
def test_shrinking_ends_at_a_single_pixel(size: tuple[int, int], tmp_path: Path) -> None:
    pixels = np.full((*size, 3), 90, np.uint8)
    made = codecs.load(
        stored_photos.shrink(str(written(tmp_path / "in.png", pixels)), str(tmp_path / "out"), 1)
    )
    assert (made.width, made.height) == (1, 1)
