"""Prepare a photo for a generative model: determine its size, create a smaller copy, and mask its boxes."""

from collections.abc import Sequence
from typing import Any, cast

import cv2
import numpy as np

from editor.imaging.codecs import EXTENSIONS, load, measure, save
from editor.imaging.limits import STORED
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.imaging.put_back import Box, region_of

QUALITY = 95
_CHANNELS = {"white": 3, "alpha": 4}


def prepare(
    source: str, target_stem: str, most_pixels: int, boxes: Sequence[Box] = (), mask: str = ""
) -> dict[str, Any]:
    """Prepare a stored photo, and write a mask for its boxes if `mask` is "white" or "alpha".

    If the photo has more than `most_pixels`, it is scaled down and written to `<target_stem>.jpg` or, if it
    has transparency, to `.png`. The mask `<target_stem>-mask.png` is the same size as the prepared photo.
    With "white", the boxes are white on black. With "alpha", they are transparent as well. Returns {photo,
    mask, width, height}: the paths of the two files (`mask` may be None), and the size of the stored photo.
    Raises PhotoError.
    """
    _, width, height = measure(source)
    scale = min(1.0, (most_pixels / (width * height)) ** 0.5)
    size = (max(1, int(width * scale)), max(1, int(height * scale)))
    photo = source if scale == 1 else _smaller(source, target_stem, size)
    drawn = _mask(boxes, f"{target_stem}-mask.png", size, _CHANNELS[mask]) if boxes and mask else None
    return {"photo": photo, "mask": drawn, "width": width, "height": height}


def _smaller(source: str, target_stem: str, size: tuple[int, int]) -> str:
    picture = load(source, STORED)
    pixels = cast(Pixels, cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA))
    output_format = "png" if picture.has_alpha else "jpeg"
    path = f"{target_stem}.{EXTENSIONS[output_format]}"
    save(Picture(pixels), path, output_format, QUALITY)
    return path


def _mask(boxes: Sequence[Box], path: str, size: tuple[int, int], channels: int) -> str:
    width, height = size
    pixels: Bytes = np.zeros((height, width, channels), np.uint8)
    pixels[:, :, 3:] = 255
    for box in boxes:
        left, top, right, bottom = region_of(box, width, height)
        pixels[top:bottom, left:right] = (255, 255, 255, 0)[:channels]
    save(Picture(pixels), path, "png")
    return path
