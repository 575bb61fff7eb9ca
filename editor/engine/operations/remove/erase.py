"""Taking something out: its place is filled from around it."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Box, Canvas, operation
from editor.engine.colors import Floats
from editor.engine.operations.remove.patches import Filling, fill
from editor.engine.plan import Reason, Step
from editor.engine.refused import MARK_IT, Unable
from editor.engine.targets.find import step_mask
from editor.imaging.codecs import Bytes, Picture, Pixels, eight_bits

_TOO_MUCH = 0.25
_SMALL = 0.0015  # of the photo: above that Telea's method smears
_SIDE = 420
_AROUND = 1.5  # how far around the hole is looked for what may fill it, in its own sizes


@operation
def erase(canvas: Canvas, step: Step) -> Canvas:
    """The step's target is gone. Unable when it is the whole photo or more than a quarter of it."""
    mask = step_mask(canvas, step)
    if mask is None:
        raise Unable(Reason.NEEDS_REGION, "It is not clear what to remove.", MARK_IT)
    hole = _grown_hole(mask, step)
    return canvas.with_pixels(erased(canvas.picture, hole, canvas.seed))


def _grown_hole(mask: Floats, step: Step) -> Bytes:
    """A box is taken as it was drawn; what was found by itself grows, for its soft edge and its halo."""
    hole = (mask > 0.2).astype(np.uint8)
    if step.target.what == "region":
        return hole
    side = 2 * max(2, round(0.006 * max(hole.shape))) + 1
    return cast(Bytes, cv2.dilate(hole, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))))


def erased(picture: Picture, hole: Bytes, seed: int = 0) -> Pixels:
    """The pixels with the hole (0/1) filled: outside it nothing changes."""
    share = float(hole.mean())
    if share == 0:
        raise Unable(Reason.NO_SUCH_TARGET, "There is nothing to remove.", MARK_IT)
    if share > _TOO_MUCH:
        raise Unable(
            Reason.TOO_LARGE, "More than a quarter of the photo would have to be invented.", "Mark less."
        )
    area = _surroundings(hole)
    rows, columns = slice(area.top, area.bottom), slice(area.left, area.right)
    part, missing = picture.pixels[rows, columns], np.ascontiguousarray(hole[rows, columns])
    result = picture.pixels.copy()
    filled = _smoothed_over(part, missing) if share < _SMALL else _patched(part, missing, seed)
    result[rows, columns] = filled
    return result


def _surroundings(hole: Bytes) -> Box:
    left, top, width, height = cv2.boundingRect(hole)
    reach = round(_AROUND * max(width, height)) + 24
    return Box(
        max(0, left - reach),
        max(0, top - reach),
        min(hole.shape[1], left + width + reach),
        min(hole.shape[0], top + height + reach),
    )


def _smoothed_over(part: Pixels, missing: Bytes) -> Pixels:
    """Telea, "An image inpainting technique based on the fast marching method", 2004."""
    result = part.copy()
    size = max(missing.shape)
    shrink = max(1, size // 400)
    shape = (missing.shape[1] // shrink, missing.shape[0] // shrink)
    small = cv2.resize(_colors(part), shape, interpolation=cv2.INTER_AREA)
    hole = (cv2.resize(missing.astype(np.float32), shape, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    smooth = cv2.resize(cv2.inpaint(small, hole, 4, cv2.INPAINT_TELEA), (part.shape[1], part.shape[0]))
    return _placed(result, missing, cast(Bytes, smooth).astype(np.float32))


def _colors(part: Pixels) -> Bytes:
    return np.ascontiguousarray(eight_bits(Picture(part))[:, :, :3])


def _patched(part: Pixels, missing: Bytes, seed: int) -> Pixels:
    """The filling is found on a small copy; its pixels come from the photo itself."""
    scale = min(1.0, _SIDE / max(missing.shape))
    size = (max(1, round(missing.shape[1] * scale)), max(1, round(missing.shape[0] * scale)))
    small = cast(Bytes, cv2.resize(_colors(part), size, interpolation=cv2.INTER_AREA))
    hole = (cv2.resize(missing.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    filling = fill(small, hole, seed)
    if scale == 1:
        return _placed(part.copy(), missing, filling.colors)
    return _placed(part.copy(), missing, _in_full(part, filling))


def _in_full(part: Pixels, filling: Filling) -> Floats:
    """Full-resolution pixels from the sources, with the low frequencies that the patches agreed on."""
    height, width = part.shape[:2]
    colors = _colors(part).astype(np.float32)
    fetched = cv2.remap(
        colors, *_ways(filling, width, height), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    agreed = cv2.resize(filling.colors, (width, height), interpolation=cv2.INTER_CUBIC)
    sigma = 1.2 * max(width, height) / max(filling.colors.shape[:2])
    detail = fetched - cv2.GaussianBlur(fetched, (0, 0), sigma)
    return cast(Floats, cv2.GaussianBlur(agreed, (0, 0), sigma) + detail)


def _ways(filling: Filling, width: int, height: int) -> tuple[Floats, Floats]:
    """For each full pixel where its color is fetched from, x and y."""
    small_height, small_width = filling.colors.shape[:2]
    offset = np.zeros((small_height, small_width, 2), np.float32)
    offset[tuple(filling.holes.T)] = filling.sources - filling.holes
    scale = np.array([height / small_height, width / small_width], np.float32)
    full = cv2.resize(offset * scale, (width, height), interpolation=cv2.INTER_NEAREST)
    rows, columns = np.indices((height, width), np.float32)
    return cast(Floats, columns + full[:, :, 1]), cast(Floats, rows + full[:, :, 0])


def _placed(part: Pixels, missing: Bytes, colors: Floats) -> Pixels:
    """The colors (0 to 255) in the hole; its rim is softened inwards, so nothing outside changes."""
    reach = max(1, round(max(missing.shape) / 400))
    distance = cv2.distanceTransform(missing, cv2.DIST_L2, 3)
    share = np.clip(distance / reach, 0, 1)[:, :, None] * (missing[:, :, None] > 0)
    scale = np.iinfo(part.dtype).max / 255
    rim = cv2.GaussianBlur(colors, (0, 0), reach)
    mixed = share * colors + (1 - share) * rim
    inside = missing > 0
    part[inside, :3] = (np.clip(mixed[inside], 0, 255) * scale + 0.5).astype(part.dtype)
    return part
