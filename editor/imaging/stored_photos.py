"""Create stored photos and the smaller images that pages show.

Uploads are rebuilt from their pixels. Results are either verified or rebuilt. Call these functions through
the sandbox, because the bytes may be hostile.
"""

import base64
import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, cast

import cv2

from editor.imaging.codecs import (
    EXTENSIONS,
    MEDIA_TYPES,
    NOT_A_PHOTO,
    encode,
    load,
    measure,
    save,
    sniff,
    verify_decodable,
    webp,
    write,
)
from editor.imaging.errors import PhotoError
from editor.imaging.limits import STORED, derivative_scale
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits, flatten
from editor.options import Limits

DERIVATIVE_WIDTHS = (360, 800)
_QUALITIES = (95, 88, 80, 70, 60)  # quality levels for a file whose size is limited; lower levels show blocks


def rebuild(source: str, target_stem: str, limits: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Rebuild an uploaded photo from its pixels, and create its WebP derivatives.

    Writes `<target_stem>.jpg`, or `.png` if the photo has alpha or more than 8 bits. Also writes
    `<target_stem>-360.webp` and `-800.webp`. `limits` contains the fields of options.Limits. Returns
    {media_type, extension, width, height, size, sha256, placeholder, notices}, where `extension` does not
    include the dot. The caller must sync the files to disk. Raises PhotoError.
    """
    picture = load(source, Limits(**(limits or {})))
    output_format = "png" if picture.has_alpha or picture.is_deep else "jpeg"
    extension = EXTENSIONS[output_format]
    facts = save_with_derivatives(picture, f"{target_stem}.{extension}", output_format)
    return facts | {"extension": extension, "notices": list(picture.notices)}


def save_with_derivatives(
    picture: Picture, path: str, output_format: str, quality: int = 95
) -> dict[str, Any]:
    """Write a photo and its derivatives `<stem>-360.webp` and `-800.webp`, in parallel on two cores.

    Returns the same values as `save`, plus the `placeholder`.
    """
    if output_format == "jpeg":
        picture = replace(picture, pixels=flatten(eight_bits(picture)))
    with ThreadPoolExecutor(1) as beside:
        smallest = beside.submit(_write_derivatives, picture, os.path.splitext(path)[0], DERIVATIVE_WIDTHS)
        written = save(picture, path, output_format, quality)
        return written | {"placeholder": placeholder(smallest.result())}


def derive(source: str, target_stem: str, widths: Iterable[int] = DERIVATIVE_WIDTHS) -> None:
    """Write `<target_stem>-<width>.webp` for each width in pixels, scaled from a stored photo.

    Derivatives are never larger than the photo.
    """
    _write_derivatives(load(source, STORED), target_stem, widths)


def _write_derivatives(picture: Picture, target_stem: str, widths: Iterable[int]) -> Picture:
    """Write the derivatives, and return the smallest one."""
    smaller = picture
    for width in sorted(widths, reverse=True):
        smaller = derivative(smaller, width)
        write(f"{target_stem}-{width}.webp", webp(smaller, 80))
    return smaller


def verify_result(source: str, target_stem: str) -> dict[str, Any]:
    """Verify one of our own engine's results by decoding all of it.

    The result's derivatives are verified too. If they are missing, they are created as in `rebuild`. Returns
    {media_type, width, height, size, sha256, placeholder}. Raises PhotoError if the file is not a complete
    JPEG, PNG, or WebP photo.
    """
    with open(source, "rb") as file:
        data = file.read()
    kind = sniff(data[:64])
    if kind not in MEDIA_TYPES:
        raise PhotoError(NOT_A_PHOTO)
    with ThreadPoolExecutor(1) as beside:
        digest = beside.submit(hashlib.sha256, data)
        width, height = verify_decodable(data, kind, STORED)
    derivatives = [f"{target_stem}-{side}.webp" for side in DERIVATIVE_WIDTHS]
    if not all(map(os.path.exists, derivatives)):
        derive(source, target_stem)
    smallest, *_ = [load(derivative, STORED) for derivative in derivatives]
    facts = {"media_type": MEDIA_TYPES[kind], "width": width, "height": height, "size": len(data)}
    return facts | {"sha256": digest.result().hexdigest(), "placeholder": placeholder(smallest)}


def reencode_result(source: str, target_stem: str, output_format: str) -> dict[str, Any]:
    """Rebuild another site's result from its pixels, in the requested format.

    Writes `<target_stem>.<extension>` and the derivatives. Returns the same values as `verify_result`, plus
    `kind`, the format of the source. Raises the same exceptions as `load`.
    """
    kind, *_ = measure(source)
    target = f"{target_stem}.{EXTENSIONS[output_format]}"
    return save_with_derivatives(load(source, STORED), target, output_format) | {"kind": kind}


def shrink(source: str, target_stem: str, most_bytes: int) -> str:
    """Write a copy of a stored photo, as large as fits into `most_bytes`, and return the copy's path.

    A photo is never made smaller than a single pixel, even if its file is still too large then.
    """
    picture = load(source, STORED)
    output_format = "png" if picture.has_alpha else "jpeg"
    picture, quality = fit_file_size(picture, output_format, most_bytes, qualities=(95,))
    path = f"{target_stem}.{EXTENSIONS[output_format]}"
    save(picture, path, output_format, quality)
    return path


def fit_file_size(
    picture: Picture, output_format: str, most_bytes: int, qualities: Sequence[int] = _QUALITIES
) -> tuple[Picture, int]:
    """Return the picture and the quality at which its file has at most `most_bytes`.

    The quality is the highest of `qualities` (highest first) that fits. If none fits, the picture is made
    smaller, but never smaller than a single pixel. PNG has no quality setting.
    """
    tried = (95,) if output_format == "png" else qualities
    while max(picture.width, picture.height) > 1:
        if len(encode(picture, output_format, tried[-1])) <= most_bytes:
            best = (one for one in tried if len(encode(picture, output_format, one)) <= most_bytes)
            return picture, next(best)
        picture = _smaller(picture)
    return picture, tried[-1]


def _smaller(picture: Picture) -> Picture:
    size = (max(1, int(0.8 * picture.width)), max(1, int(0.8 * picture.height)))
    pixels = cast(Pixels, cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA))
    return replace(picture, pixels=pixels)


def derivative(picture: Picture, width: int) -> Picture:
    """Return the picture, scaled down to fit within `width` pixels of width and four times that height.

    A picture that already fits is not scaled.
    """
    scale = derivative_scale(picture.width, picture.height, width)
    if scale == 1:
        return picture
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return Picture(cast(Pixels, cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA)))


def placeholder(picture: Picture) -> str:
    """Return a blurred preview of the picture, as a data URI of about 150 characters.

    The preview has at most 16 pixels on each side.
    """
    scale = min(1.0, 16 / max(picture.width, picture.height))
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    tiny = Picture(flatten(cast(Bytes, cv2.resize(eight_bits(picture), size, interpolation=cv2.INTER_AREA))))
    return "data:image/webp;base64," + base64.b64encode(webp(tiny, 10, method=6)).decode()
