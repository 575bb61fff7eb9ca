"""Size limits for photos. This module imports little, because the settings read it."""

from editor.options import Limits

# Maximum upload limit that a site can set, in megapixels. The memory of the sandbox allows no more.
MAX_MEGAPIXELS = 64

UPLOADED = Limits()
# Limits for our own files, which were checked when they were uploaded. The megapixels exceed
# MAX_MEGAPIXELS, because adding a border enlarges a photo. The file size exceeds the limit of uploads,
# because a PNG of 40 megapixels is larger than any upload may be.
STORED = Limits(photo_bytes=250 * 1024 * 1024, photo_pixels=80_000_000, photo_side=20_000)


def derivative_scale(width: int, height: int, within: int) -> float:
    """Return the factor by which a picture of this size is scaled along each side for a derivative.

    The derivative fits within `within` pixels of width and four times that height. The height must be
    limited, because WebP cannot store very tall images.
    """
    return min(1.0, within / width, 4 * within / height)
