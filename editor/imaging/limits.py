"""What a photo may measure. Light on purpose: the settings read it."""

from editor.options import Limits

MOST_MEGAPIXELS = 64
"""The most that a site may allow for an upload: the sandbox's memory carries no more."""

UPLOADED = Limits()
STORED = Limits(photo_bytes=250 * 1024 * 1024, photo_pixels=80_000_000, photo_side=20_000)
"""What our own files may measure: more than MOST_MEGAPIXELS, because a border makes a photo larger. They
were checked at the door; and a PNG of 40 megapixels is larger than any upload may be."""


def derivative_scale(width: int, height: int, within: int) -> float:
    """Return the scale, along a side, of the derivative of a picture of this size: inside `within` pixels and
    four times that height. A height without bound would be more than WebP can hold."""
    return min(1.0, within / width, 4 * within / height)
