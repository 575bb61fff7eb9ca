"""Decode files to sRGB pixels that are upright and have no metadata, and encode such pixels.

Hostile bytes are decoded only in the sandbox.
"""

import hashlib
import io
import os
import re
import struct
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import cv2
import numpy as np
from isal import isal_zlib
from PIL import ExifTags, Image, ImageCms

from editor.imaging import png
from editor.imaging.color_tags import heif_bits, heif_coding, png_coding
from editor.imaging.errors import PhotoError as PhotoError
from editor.imaging.errors import is_about_memory
from editor.imaging.light import Coding, to_srgb
from editor.imaging.limits import STORED as STORED
from editor.imaging.limits import UPLOADED as UPLOADED
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits, flatten, strips
from editor.options import Limits
from editor.sentences import Sentence

MEDIA_TYPES = {"jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp"}
EXTENSIONS = {"jpeg": "jpg", "png": "png", "webp": "webp"}

_FORMATS = {"jpeg": ("JPEG", "MPO"), "png": ("PNG",), "webp": ("WEBP",), "heif": ("HEIF",), "avif": ("AVIF",)}
_HEIF_BRANDS = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"}
_AVIF_BRANDS = {b"avif", b"avis"}
_WEBP_SIDE = 16_383
_INCHES = 2  # value of the ResolutionUnit Exif tag

NOT_A_PHOTO = Sentence("This file is not a supported photo. Use JPEG, PNG, WebP, HEIC, or AVIF.")
_DAMAGED = Sentence("This file is damaged and could not be read.")
_MOVES = Sentence("This file is animated. Only its first frame is used.")
_SEVERAL = Sentence("This file contains several photos. Only the main one is used.")
_EIGHT_BITS = Sentence("This photo was reduced to 8 bits per color because of its color profile.")

# Load Pillow's basic decoders now, while the child waits for its first photo.
Image.preinit()

# The exceptions that Pillow and OpenCV have raised for broken files (AssertionError for a missing palette).
# MemoryError is omitted, because a lack of memory does not indicate a broken file. The other exceptions'
# messages are checked for signs of a lack of memory.
_DECODER_ERRORS = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    RuntimeError,
    struct.error,
    zlib.error,
    cast("type[Exception]", isal_zlib.error),  # The type stub for isal is wrong.
    cv2.error,
    ImageCms.PyCMSError,
)


def load(path: str | os.PathLike[str], limits: Limits = UPLOADED) -> Picture:
    """Return the picture in a JPEG, PNG, WebP, HEIC, or AVIF file.

    Only the first frame is used. Raises PhotoError. If the header shows that the photo is too large, this
    happens even before decoding.
    """
    size = os.path.getsize(path)
    if size > limits.photo_bytes:
        raise PhotoError(
            Sentence(
                "This photo is too large. Use a photo of at most %(most)s MB.",
                most=limits.photo_bytes // 1024**2,
            )
        )
    with open(path, "rb") as file:
        # Limit the read to the file's size, because `read` allocates as much memory as is requested.
        return read(file.read(size), limits)


def read(data: bytes, limits: Limits) -> Picture:
    """Return the picture that these bytes contain, as `load` does for a file."""
    kind = sniff(data[:64])
    if kind is None:
        raise PhotoError(NOT_A_PHOTO)
    with _decoding(limits):
        return _decode(data, kind, limits)


def measure(path: str | os.PathLike[str], limits: Limits = STORED) -> tuple[str, int, int]:
    """Return a photo's format, width, and height as given in its file's header. Raises PhotoError."""
    with open(path, "rb") as file:
        kind = sniff(file.read(64))
    if kind is None:
        raise PhotoError(NOT_A_PHOTO)
    with _decoding(limits):
        if kind == "heif":
            _open_heif()
        with Image.open(path, formats=_FORMATS[kind]) as image:
            _check_size(image.size, limits)
            # The photo is stored rotated by a quarter turn (EXIF 2.32, tag 0x0112).
            turned = _orientation(image) >= 5
            width, height = reversed(image.size) if turned else image.size
            return kind, width, height


def verify_decodable(data: bytes, kind: str, limits: Limits) -> tuple[int, int]:
    """Check that a JPEG, PNG, or WebP file can be decoded completely, and return its width and height.

    All bytes are read, but a JPEG is decoded at one eighth of its size. Raises PhotoError.
    """
    with _decoding(limits):
        image = _opened(data, kind)
        _check_size(image.size, limits)
        proof = png.is_whole if kind == "png" else _is_whole
        if not proof(data):
            raise PhotoError(_DAMAGED)
        return image.size


def _is_whole(data: bytes) -> bool:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_REDUCED_GRAYSCALE_8) is not None


@contextmanager
def _decoding(limits: Limits) -> Iterator[None]:
    """Convert the decoders' exceptions to PhotoError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            yield
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise _too_many_pixels(limits) from None
        except _DECODER_ERRORS as error:
            if is_about_memory(error):
                raise
            raise PhotoError(_DAMAGED, {"cause": f"{type(error).__name__}: {error}"[:300]}) from None


def sniff(head: bytes) -> str | None:
    """Return the format indicated by the first bytes, or None. File names and declared types are ignored."""
    kind = None
    if head.startswith(b"\xff\xd8\xff"):
        kind = "jpeg"
    elif head.startswith(png.SIGNATURE):
        kind = "png"
    elif head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        kind = "webp"
    elif head[4:8] == b"ftyp":
        kind = _sniff_brands(head)
    return kind


def _sniff_brands(head: bytes) -> str | None:
    """Return "avif" or "heif" according to the brands in the header, or None.

    The header contains a major brand, a version, and compatible brands (ISO 14496-12, section 4.3).
    """
    major = head[8:12]
    if major in _AVIF_BRANDS or (major in {b"mif1", b"msf1"} and b"avif" in head[16:]):
        return "avif"
    return "heif" if major in _HEIF_BRANDS else None


def _decode(data: bytes, kind: str, limits: Limits) -> Picture:
    image = _opened(data, kind)
    _check_size(image.size, limits)
    notices = _notices(image)
    if _is_plain_jpeg(image, data):
        return Picture(_upright(_cv2_pixels(data), _orientation(image)), notices)
    coding = _coding(image, data, kind)
    if coding is not None and coding.peak and kind != "png":
        orientation = _orientation(image)
        del image
        pixels: Pixels = eight_bits(Picture(to_srgb(_hdr_pixels(data, kind), coding)))
        return Picture(_upright(pixels, orientation), notices)
    if coding is not None:
        image.info.pop("icc_profile", None)
    image.load()
    orientation = _orientation(image)
    profile = _foreign_profile(image)
    is_deep = kind == "png" and data[24] == 16
    if is_deep:
        # Loading the image has verified that the file is complete. Free the image's 8-bit pixels, which are
        # not needed.
        del image
        pixels = _deep_pixels(data)
        if profile is not None:
            pixels, notices = _reduced(pixels, profile), (*notices, _EIGHT_BITS)
    else:
        pixels = _srgb(image)
        del image  # Free the memory before rotating, which needs the same amount again.
    if coding is not None and not coding.is_srgb:
        pixels = to_srgb(pixels, coding)
    return Picture(_upright(pixels, orientation), notices)


def _notices(image: Image.Image) -> tuple[str, ...]:
    """Return a user-readable notice if the file has several pictures.

    MPO files are exempt, because phones use this format to store previews.
    """
    if getattr(image, "n_frames", 1) == 1 or image.format == "MPO":
        return ()
    return (_SEVERAL,) if image.format == "HEIF" else (_MOVES,)


def _coding(image: Image.Image, data: bytes, kind: str) -> Coding | None:
    """Return the color encoding declared by the file's tags.

    Returns None if the file has no such tags or has an ICC profile.
    """
    if kind == "png":
        return png_coding(image, data)
    if kind not in ("heif", "avif") or image.info.get("icc_profile"):
        return None
    try:
        return heif_coding(data)
    except _DECODER_ERRORS as error:
        if is_about_memory(error):
            raise
        return None  # Pillow opened the file, so tags that libheif cannot read are no reason to reject it.


def _opened(data: bytes, kind: str) -> Image.Image:
    if kind == "heif":
        _open_heif()
    return Image.open(io.BytesIO(data), formats=_FORMATS[kind])


def _open_heif() -> None:
    # Imported here so that libheif is loaded only for files that need it.
    import pillow_heif

    pillow_heif.register_heif_opener()


def _check_size(size: tuple[int, int], limits: Limits) -> None:
    if size[0] * size[1] > limits.photo_pixels or max(size) > limits.photo_side:
        raise _too_many_pixels(limits)


def _too_many_pixels(limits: Limits) -> PhotoError:
    return PhotoError(
        Sentence(
            "This photo is too large. Use a photo of at most %(most)s megapixels and %(side)s pixels per "
            "side.",
            most=limits.photo_pixels // 1_000_000,
            side=limits.photo_side,
        )
    )


def _is_plain_jpeg(image: Image.Image, data: bytes) -> bool:
    """Return whether OpenCV decodes the file to exactly the same pixels as Pillow, in half the time.

    OpenCV fills the missing part of a truncated file with gray, so the file must be complete. In a complete
    file, an end marker follows the start of the last scan. Inside a scan, 0xff is always escaped, so it
    cannot be mistaken for a marker.
    """
    is_whole = data.rfind(b"\xff\xd9") > data.rfind(b"\xff\xda")
    has_profile = bool(image.info.get("icc_profile"))
    return image.format == "JPEG" and image.mode in ("RGB", "L") and is_whole and not has_profile


def _cv2_pixels(data: bytes) -> Pixels:
    flags = cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if pixels is None:
        raise PhotoError(_DAMAGED)
    return cast(Pixels, pixels)


def _deep_pixels(data: bytes) -> Pixels:
    """Return the 16-bit pixels of a PNG file, which Pillow would reduce to 8 bits."""
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.dtype != np.uint16:
        return _srgb(_opened(data, "png"))
    key = png.chunks_before_data(data).get(b"tRNS", b"")
    pixels = _rgb_order(cast(Pixels, pixels))
    return _keyed(pixels, key) if key and pixels.shape[2] == 3 else pixels


def _keyed(pixels: Pixels, key: bytes) -> Pixels:
    """Add alpha to 16-bit RGB pixels: pixels whose color is in the tRNS chunk become transparent.

    The chunk contains one gray value or three color values (PNG, third edition, section 11.3.1.1).
    """
    color = np.frombuffer(key, ">u2")
    keyed = np.empty((*pixels.shape[:2], 4), pixels.dtype)
    for rows in strips(pixels.shape[0]):
        keyed[rows, :, :3] = pixels[rows]
        keyed[rows, :, 3] = np.where((pixels[rows] == color).all(2), 0, 65535)
    return keyed


def _hdr_pixels(data: bytes, kind: str) -> Pixels:
    """Return an HDR photo's pixels, with more than 8 bits if possible, to avoid banding in gradients."""
    deep = _deep_avif(data) if kind == "avif" else _deep_heif(data)
    if deep is not None:
        return deep
    image = _opened(data, kind)
    image.load()
    return _srgb(image)


def _deep_heif(data: bytes) -> Pixels | None:
    import pillow_heif

    image = pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=False, hdr_to_16bit=False)
    pixels = np.array(image)
    if pixels.ndim != 3 or pixels.dtype != np.uint16:
        return None
    return _sixteen_bits(pixels, heif_bits(data))


def _deep_avif(data: bytes) -> Pixels | None:
    """Return an AVIF file's 16-bit pixels, or None if OpenCV cannot read it or it has only 8 bits.

    To recognize a file, OpenCV looks only at its first 500 bytes, and it fails if metadata begins after them.
    Therefore, the item types of EXIF and XMP data are masked before decoding (ISO 14496-12, section 8.11.6:
    infe).
    """
    hidden = re.sub(rb"(infe\x02.{7})(?:Exif|mime)", rb"\1skip", data, flags=re.DOTALL)
    pixels = cv2.imdecode(np.frombuffer(hidden, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.dtype != np.uint16:
        return None
    return _rgb_order(_sixteen_bits(cast(Pixels, pixels), heif_bits(data)))


def _sixteen_bits(pixels: Pixels, bits: int) -> Pixels:
    """Scale pixels that have `bits` bits per channel to 16 bits in place, and return them."""
    most = 2**bits - 1
    scaled = np.rint(np.minimum(np.arange(65_536), most) * (65_535 / most)).astype(np.uint16)
    for rows in strips(pixels.shape[0]):
        pixels[rows] = scaled[pixels[rows]]
    return pixels


def _rgb_order(pixels: Pixels) -> Pixels:
    if pixels.ndim == 2:
        return cast(Pixels, cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB))
    conversion = {3: cv2.COLOR_BGR2RGB, 4: cv2.COLOR_BGRA2RGBA}[pixels.shape[2]]
    for rows in strips(pixels.shape[0]):
        pixels[rows] = cv2.cvtColor(pixels[rows], conversion)
    return pixels


def _orientation(image: Image.Image) -> int:
    try:
        orientation = image.getexif().get(0x0112, 1)
    except _DECODER_ERRORS:
        return 1  # Unreadable metadata is no reason to reject a good photo.
    return orientation if isinstance(orientation, int) else 1


def _upright(pixels: Pixels, orientation: int) -> Pixels:
    """Apply the EXIF orientation (EXIF 2.32, tag 0x0112), and return the upright pixels."""
    turns: dict[int, Callable[[Pixels], Any]] = {
        2: lambda p: cv2.flip(p, 1),
        3: lambda p: cv2.rotate(p, cv2.ROTATE_180),
        4: lambda p: cv2.flip(p, 0),
        5: lambda p: cv2.transpose(p),
        6: lambda p: cv2.rotate(p, cv2.ROTATE_90_CLOCKWISE),
        7: lambda p: cv2.flip(cv2.transpose(p), -1),
        8: lambda p: cv2.rotate(p, cv2.ROTATE_90_COUNTERCLOCKWISE),
    }
    return cast(Pixels, turns[orientation](pixels)) if orientation in turns else pixels


def _srgb(image: Image.Image) -> Bytes:
    """Return 8-bit RGB or RGBA pixels from an image in any Pillow mode.

    If the file has a color profile other than sRGB, its colors are converted.
    """
    alpha = _alpha(image)
    to_rgb = _conversion(image)
    pixels = np.empty((image.height, image.width, 3 if alpha is None else 4), np.uint8)
    for rows in strips(image.height):
        part = image.crop((0, rows.start, image.width, rows.stop))
        pixels[rows, :, :3] = np.asarray(to_rgb(part))
    if alpha is not None:
        pixels[:, :, 3] = alpha
    return pixels


def _reduced(deep: Pixels, profile: ImageCms.ImageCmsProfile) -> Bytes:
    """Return 16-bit RGB or RGBA pixels as 8-bit sRGB.

    Pillow can convert only 8-bit pixels.
    """
    to_rgb = _through(profile)
    pixels = np.empty(deep.shape, np.uint8)
    for rows in strips(deep.shape[0]):
        part = eight_bits(Picture(deep[rows]))
        pixels[rows] = part
        pixels[rows, :, :3] = np.asarray(to_rgb(Image.fromarray(np.ascontiguousarray(part[:, :, :3]))))
    return pixels


def _alpha(image: Image.Image) -> Bytes | None:
    """Return the alpha channel, or None if the picture has no alpha channel or every pixel is opaque."""
    if not image.has_transparency_data:
        return None
    source = image if "A" in image.getbands() else image.convert("RGBA")
    alpha = np.asarray(source.getchannel("A"))
    return alpha if alpha.min() < 255 else None


def _conversion(image: Image.Image) -> Callable[[Image.Image], Image.Image]:
    """Return a function that converts part of the image to 8-bit RGB."""
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        return lambda part: _gray(part).convert("RGB")
    profile = _foreign_profile(image)
    return _as_it_stands if profile is None else _through(profile)


def _as_it_stands(part: Image.Image) -> Image.Image:
    return part.convert("RGB")


def _gray(part: Image.Image) -> Image.Image:
    return Image.fromarray((np.asarray(part).astype(np.float32) / 257).round().clip(0, 255).astype(np.uint8))


def _through(profile: ImageCms.ImageCmsProfile) -> Callable[[Image.Image], Image.Image]:
    modes = {"CMYK": "CMYK", "GRAY": "L"}
    mode = modes.get(profile.profile.xcolor_space.strip(), "RGB")
    try:
        transform = ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), mode, "RGB")
    except ImageCms.PyCMSError:
        return _as_it_stands  # If the profile is broken, the unconverted values are the best guess.
    return lambda part: cast(Image.Image, ImageCms.applyTransform(part.convert(mode), transform))


def _foreign_profile(image: Image.Image) -> ImageCms.ImageCmsProfile | None:
    """Return the file's color profile, or None if it is missing, unreadable, or sRGB."""
    data = image.info.get("icc_profile")
    if not data:
        return None
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
    except (OSError, ImageCms.PyCMSError):
        return None
    name = profile.profile.profile_description or ""
    return None if name.startswith("sRGB") else profile


def encode(picture: Picture, output_format: str, quality: int = 95) -> bytes:
    """Return the picture as a "jpeg" (flattened onto white), "png", or "webp" file.

    The file has no metadata except its resolution, and the same pixels always give the same bytes. `quality`
    applies to JPEG. WebP uses a value that is 5 lower, which looks the same.
    """
    encoders: dict[str, Callable[[], bytes]] = {
        "jpeg": lambda: _jpeg(picture, quality),
        "png": lambda: png.encode_png(picture),
        "webp": lambda: webp(picture, quality - 5),
    }
    return encoders[output_format]()


def save(
    picture: Picture, path: str | os.PathLike[str], output_format: str, quality: int = 95
) -> dict[str, Any]:
    """Write the picture to a file, and return its {media_type, width, height, size, sha256}."""
    return write(path, encode(picture, output_format, quality)) | {
        "media_type": MEDIA_TYPES[output_format],
        "width": picture.width,
        "height": picture.height,
    }


def write(path: str | os.PathLike[str], data: bytes) -> dict[str, Any]:
    """Write the bytes to a file, and return its {size, sha256}. Does not follow a symbolic link."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    with open(os.open(path, flags, 0o666), "wb") as file:
        file.write(data)
    return {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _jpeg(picture: Picture, quality: int) -> bytes:
    # Use full chroma resolution, because the usual half resolution blurs red text and recolored edges.
    sampling = [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    bgr = cv2.cvtColor(flatten(eight_bits(picture)), cv2.COLOR_RGB2BGR)
    data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality, *sampling])[1].tobytes()
    return _with_density(data, picture.dots_per_inch) if picture.dots_per_inch else data


def _with_density(data: bytes, dots_per_inch: int) -> bytes:
    """Return a JPEG file with a resolution in its JFIF header (ITU-T T.871, section 10.1)."""
    start = data.index(b"JFIF\0") + 7  # after the identifier and the version
    return data[:start] + struct.pack(">BHH", 1, dots_per_inch, dots_per_inch) + data[start + 5 :]


def webp(picture: Picture, quality: int, method: int = 2) -> bytes:
    """Return the picture as a WebP file.

    A higher `method` (up to 6) takes longer and gives a smaller file. Raises PhotoError if the picture is too
    large for WebP.
    """
    if max(picture.width, picture.height) > _WEBP_SIDE:
        raise PhotoError(
            Sentence("WebP supports at most %(most)s pixels per side. Choose PNG or JPEG.", most=_WEBP_SIDE)
        )
    file = io.BytesIO()
    exif = Image.Exif()
    if picture.dots_per_inch:
        exif[ExifTags.Base.XResolution] = exif[ExifTags.Base.YResolution] = picture.dots_per_inch
        exif[ExifTags.Base.ResolutionUnit] = _INCHES
    Image.fromarray(eight_bits(picture)).save(file, "WEBP", quality=quality, method=method, exif=exif)
    return file.getvalue()
