import contextlib
import io
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image, ImageCms

from editor.imaging import codecs
from editor.imaging.codecs import PhotoError
from editor.imaging.limits import MAX_MEGAPIXELS
from editor.imaging.picture import Picture, flatten
from editor.options import Limits
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


def read(data: bytes, limits: Limits = codecs.UPLOADED) -> Picture:
    return codecs.read(data, limits)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_it_reads_every_supported_format(kind: str) -> None:
    picture = read(encoded(four_corners(), kind))
    assert (picture.width, picture.height, picture.has_alpha) == (64, 48, False)
    assert colors_at_corners(picture.pixels) == UPRIGHT


def test_it_reads_heic() -> None:
    import pillow_heif

    file = io.BytesIO()
    pillow_heif.from_pillow(Image.fromarray(four_corners())).save(file)
    assert colors_at_corners(read(file.getvalue()).pixels) == UPRIGHT


def test_fast_decoding_gives_the_same_pixels_as_pillow() -> None:
    data = encoded(four_corners(333, 257), "JPEG", quality=85)
    assert np.array_equal(read(data).pixels, np.asarray(Image.open(io.BytesIO(data))))


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_it_applies_the_exif_orientation(orientation: int, kind: str) -> None:
    undo: dict[int, Any] = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = Image.fromarray(four_corners())
    if orientation in undo:
        stored = stored.transpose(undo[orientation])
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    stored.save(file, kind, exif=exif)
    picture = read(file.getvalue())
    assert (picture.width, picture.height) == (64, 48)
    assert colors_at_corners(picture.pixels) == UPRIGHT


def test_it_keeps_alpha() -> None:
    pixels = np.dstack([four_corners(), np.full((48, 64), 90, np.uint8)])
    for kind in ("PNG", "WEBP"):
        assert np.all(read(encoded(pixels, kind, lossless=True)).pixels == pixels)


def test_it_reads_palette_grey_and_one_bit_photos() -> None:
    photo = Image.fromarray(four_corners())
    palette = photo.quantize(8)
    palette.info["transparency"] = 0
    for image in (photo.convert("L"), photo.convert("1"), photo.convert("LA"), palette):
        file = io.BytesIO()
        image.save(file, "PNG")
        picture = read(file.getvalue())
        assert picture.pixels.shape[:2] == (48, 64)
        assert picture.has_alpha == (image.mode == "P")


def test_it_keeps_16_bits() -> None:
    ramp = np.linspace(0, 65535, 640).astype(np.uint16)
    pixels = np.repeat(np.repeat(ramp[None, :, None], 8, 0), 3, 2)
    for wanted in (pixels, np.dstack([pixels, pixels[:, :, 0]])):
        picture = read(deep_png(wanted))
        assert picture.is_deep
        assert np.array_equal(picture.pixels, wanted)


def test_it_reads_16_bit_gray() -> None:
    row = b"\x00" + np.array([0, 30000, 65535], ">u2").tobytes()
    assert read(png(3, 1, 16, 0, row)).pixels[0, :, 0].tolist() == [0, 30000, 65535]


def test_it_reads_cmyk_without_a_profile() -> None:
    file = io.BytesIO()
    Image.fromarray(four_corners()).convert("CMYK").save(file, "JPEG", quality=95)
    assert colors_at_corners(read(file.getvalue()).pixels) == UPRIGHT


def test_it_converts_a_foreign_profile_to_srgb() -> None:
    data = encoded(four_corners(), "PNG", icc_profile=swapped_profile())
    assert colors_at_corners(read(data).pixels) == ["green", "red", "blue", "white"]
    deep = four_corners().astype(np.uint16) * 257
    profile = chunk(b"iCCP", b"x\0\0" + zlib.compress(swapped_profile()))
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in deep)
    picture = read(png(64, 48, 16, 2, rows, extra=profile))
    assert colors_at_corners(picture.pixels) == ["green", "red", "blue", "white"]
    assert "8 bits" in picture.notices[0]


def swapped_profile() -> bytes:
    """Return an sRGB profile in which red and green are swapped in the tag table (ICC.1, section 7.3)."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    named = profile.replace("sRGB".encode("utf-16-be"), "Swap".encode("utf-16-be"))
    return named.replace(b"rXYZ", b"????").replace(b"gXYZ", b"rXYZ").replace(b"????", b"gXYZ")


def test_it_leaves_srgb_alone_and_survives_a_broken_profile() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for profile in (srgb, b"nonsense", srgb[:200]):
        assert np.array_equal(
            read(encoded(four_corners(), "PNG", icc_profile=profile)).pixels, four_corners()
        )


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_it_uses_the_first_frame_of_an_animation_with_a_notice(kind: str) -> None:
    frames = [Image.fromarray(four_corners()), Image.fromarray(np.zeros((48, 64, 3), np.uint8))]
    file = io.BytesIO()
    frames[0].save(file, kind, save_all=True, append_images=frames[1:], duration=50)
    picture = read(file.getvalue())
    assert colors_at_corners(picture.pixels) == UPRIGHT
    assert picture.notices == ("This file is animated. Only its first frame is used.",)


def test_it_uses_the_main_photo_of_several_with_a_notice() -> None:
    import pillow_heif

    stills = pillow_heif.from_pillow(Image.fromarray(np.zeros((48, 64, 3), np.uint8)))
    stills.add_from_pillow(Image.fromarray(four_corners()))
    file = io.BytesIO()
    stills.save(file, primary_index=1)
    picture = read(file.getvalue())
    assert colors_at_corners(picture.pixels) == UPRIGHT
    assert picture.notices == ("This file contains several photos. Only the main one is used.",)


def test_it_ignores_the_second_picture_of_a_phone_photo_without_a_notice() -> None:
    file = io.BytesIO()
    small = Image.fromarray(np.zeros((20, 20, 3), np.uint8))
    Image.fromarray(four_corners()).save(file, "MPO", save_all=True, append_images=[small])
    picture = read(file.getvalue())
    assert colors_at_corners(picture.pixels) == UPRIGHT
    assert picture.notices == ()


@pytest.mark.parametrize("kind", ["TIFF", "BMP", "GIF", "ICO", "PPM", "TGA", "EPS", "PDF"])
def test_it_rejects_unsupported_formats_regardless_of_the_file_name(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(encoded(four_corners(), kind))
    with pytest.raises(PhotoError, match="Use JPEG, PNG, WebP, HEIC, or AVIF"):
        codecs.load(path)


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"<svg xmlns='x'/>", b"<html>", b"RIFF....WAVE", b"\0\0\0\x18ftypmp42"]
)
def test_it_rejects_a_file_that_is_not_a_photo(data: bytes) -> None:
    with pytest.raises(PhotoError, match="not a supported photo"):
        read(data)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_it_rejects_a_truncated_file(kind: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8)
    data = encoded(noise, kind)
    with pytest.raises(PhotoError, match=r"damaged|not a supported photo"):
        read(data[: int(len(data) * share)])


def test_bit_errors_in_a_file_cause_at_most_a_photo_error() -> None:
    random = np.random.default_rng(2)
    for kind in ("JPEG", "PNG", "WEBP", "AVIF"):
        whole = encoded(four_corners(200, 150), kind)
        for _ in range(60):
            data = bytearray(whole)
            for place in random.integers(0, len(data), 6):
                data[place] = random.integers(0, 256)
            with contextlib.suppress(PhotoError):
                assert read(bytes(data)).pixels.shape[2] in (3, 4)


@pytest.mark.parametrize(("width", "height"), [(30_000, 30_000), (9_000, 9_000), (65_500, 1), (7_000, 7_000)])
def test_it_rejects_a_bomb_before_decoding(width: int, height: int) -> None:
    data = png(width, height, 8, 2, b"\0" * 100)
    with pytest.raises(
        PhotoError, match="too large\\. Use a photo of at most 40 megapixels and 16,384 pixels"
    ):
        read(data)


def test_it_rejects_a_palette_photo_without_a_palette() -> None:
    with pytest.raises(PhotoError, match="damaged"):
        read(png(8, 8, 8, 3, (b"\0" + b"\1" * 8) * 8))


@pytest.mark.parametrize(
    "error", [cv2.error("Insufficient memory"), OSError("out of memory error when reading image file")]
)
def test_a_lack_of_memory_is_not_reported_as_damage(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lack(*arguments: object) -> None:
        raise error

    monkeypatch.setattr(codecs, "_decode", lack)
    with pytest.raises(type(error)):
        read(encoded(four_corners(), "PNG"))


def test_stored_photos_may_be_larger_than_uploads() -> None:
    assert codecs.STORED.photo_pixels > MAX_MEGAPIXELS * 1_000_000
    assert codecs.STORED.photo_side > codecs.UPLOADED.photo_side


@pytest.mark.parametrize("name", [b"zTXt", b"iCCP"])
def test_it_handles_a_bomb_in_a_text_or_profile(name: bytes) -> None:
    text = chunk(name, b"x\0\0" + zlib.compress(b"\0" * 50_000_000, 9))
    row = b"\0" + b"\x80" * 3
    with contextlib.suppress(PhotoError):
        assert read(png(1, 1, 8, 2, row, extra=text)).pixels.shape == (1, 1, 3)


def test_it_rejects_too_many_bytes(tmp_path: Path) -> None:
    path = written(tmp_path / "a.png", four_corners())
    with pytest.raises(PhotoError, match="too large\\. Use a photo of at most 0 MB"):
        codecs.load(path, Limits(photo_bytes=50))


@pytest.mark.parametrize("output_format", ["jpeg", "png", "webp"])
def test_it_writes_the_same_bytes_for_the_same_pixels(output_format: str, tmp_path: Path) -> None:
    picture = Picture(four_corners(300, 200))
    first = codecs.save(picture, tmp_path / "a", output_format)
    assert first == codecs.save(picture, tmp_path / "b", output_format)
    assert colors_at_corners(codecs.load(tmp_path / "a").pixels) == UPRIGHT


def test_png_preserves_every_pixel(tmp_path: Path) -> None:
    deep = (four_corners().astype(np.uint16) * 257) + np.arange(64, dtype=np.uint16)[None, :, None] % 200
    alpha = np.dstack([four_corners(), four_corners()[:, :, 0]])
    for pixels in (four_corners(), alpha, deep):
        codecs.save(Picture(pixels), tmp_path / "a.png", "png")
        assert np.array_equal(codecs.load(tmp_path / "a.png").pixels, pixels)


@pytest.mark.parametrize("shape", [(1, 1, 3), (700, 3, 4), (256, 40, 3), (513, 7, 4)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_a_png_of_any_shape_is_read_by_other_programs(shape: tuple[int, int, int], dtype: type) -> None:
    whole: Any = np.random.default_rng(7).integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    for pixels in (whole, whole[::-1, ::-1], np.asfortranarray(whole)):
        data = codecs.encode(Picture(pixels), "png")
        bgr: Any = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
        order = cv2.COLOR_BGRA2RGBA if shape[2] == 4 else cv2.COLOR_BGR2RGB
        assert np.array_equal(cv2.cvtColor(bgr, order), pixels)
        Image.open(io.BytesIO(data)).verify()
        assert codecs.verify_decodable(data, "png", codecs.STORED) == (shape[1], shape[0])


def test_a_photo_taller_than_a_strip_is_read_completely() -> None:
    pixels = np.random.default_rng(3).integers(0, 255, (700, 40, 4), np.uint8)
    assert np.array_equal(read(encoded(pixels, "WEBP", lossless=True, exact=True)).pixels, pixels)
    deep = pixels.astype(np.uint16) * 257
    assert np.array_equal(read(deep_png(deep)).pixels, deep)
    flat = flatten(pixels)
    share = pixels[..., 3:] / 255
    assert np.abs(flat - (pixels[..., :3] * share + 255 * (1 - share))).max() <= 0.51


def test_jpeg_shows_alpha_on_white() -> None:
    clear = np.zeros((32, 32, 4), np.uint8)
    assert read(codecs.encode(Picture(clear), "jpeg")).pixels.min() >= 253


def test_webp_keeps_alpha_and_names_its_limit() -> None:
    clear = np.zeros((32, 32, 4), np.uint8)
    assert read(codecs.encode(Picture(clear), "webp")).pixels[..., 3].max() == 0
    with pytest.raises(PhotoError, match="16,383"):
        codecs.encode(Picture(np.zeros((1, 16_384, 3), np.uint8)), "webp")


def test_a_link_is_not_followed_when_writing(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "a.png").symlink_to(tmp_path / "victim")
    with pytest.raises(OSError, match="symbolic"):
        codecs.save(Picture(four_corners()), tmp_path / "a.png", "png")
    assert (tmp_path / "victim").read_text() == "precious"


def test_a_photo_with_a_broken_orientation_is_still_read() -> None:
    data = encoded(four_corners(), "JPEG")
    junk = b"Exif\0\0II*\0" + struct.pack("<I", 9_999)
    with_junk = data[:2] + b"\xff\xe1" + struct.pack(">H", len(junk) + 2) + junk + data[2:]
    assert colors_at_corners(read(with_junk).pixels) == UPRIGHT
