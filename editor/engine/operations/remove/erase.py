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
_SLIVER = 0.022  # of a side: a box that ends this near to the frame is meant to reach it
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
    """A box is taken as it was drawn, but to the frame where it nearly touches it; what was found by itself
    grows, for its soft edge and its halo."""
    hole = (mask > 0.2).astype(np.uint8)
    if step.target.what == "region":
        return _to_the_frame(hole)
    side = 2 * max(2, round(0.006 * max(hole.shape))) + 1
    return cast(Bytes, cv2.dilate(hole, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))))


def _to_the_frame(hole: Bytes) -> Bytes:
    """No sliver of what is removed stays between a box and the frame."""
    height, width = hole.shape
    across, down = round(_SLIVER * width), round(_SLIVER * height)
    longer = hole.copy()
    longer[:down] |= longer[down]
    longer[height - down :] |= longer[height - down - 1]
    longer[:, :across] |= longer[:, across, None]
    longer[:, width - across :] |= longer[:, width - across - 1, None]
    return longer


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
    result = part.copy()
    inner = _rim(missing, round(5 / scale))
    rows, columns = slice(inner.top, inner.bottom), slice(inner.left, inner.right)
    colors = _in_full(part, filling, inner)
    result[rows, columns] = _placed(
        result[rows, columns], np.ascontiguousarray(missing[rows, columns]), colors
    )
    return result


def _rim(missing: Bytes, reach: int) -> Box:
    """The hole with a little around it: only there full-size floats are needed."""
    left, top, width, height = cv2.boundingRect(missing)
    right, bottom = left + width + reach, top + height + reach
    return Box(
        max(0, left - reach), max(0, top - reach), min(missing.shape[1], right), min(missing.shape[0], bottom)
    )


def _in_full(part: Pixels, filling: Filling, inner: Box) -> Floats:
    """Full-resolution pixels from the sources, with the low frequencies that the patches agreed on."""
    scale_y, scale_x = (part.shape[axis] / filling.colors.shape[axis] for axis in (0, 1))
    agreed = _enlarged(filling.colors, inner, scale_x, scale_y)
    if scale_x <= 1:
        return agreed
    ways = _ways(filling, inner, scale_x, scale_y)
    fetched = cv2.remap(_colors(part), *ways, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    sigma = 1.2 * max(scale_x, scale_y)
    detail = fetched - cv2.GaussianBlur(fetched.astype(np.float32), (0, 0), sigma)
    return cast(Floats, cv2.GaussianBlur(agreed, (0, 0), sigma) + detail)


def _enlarged(
    small: Floats, inner: Box, scale_x: float, scale_y: float, how: int = cv2.INTER_CUBIC
) -> Floats:
    """What a working-size map is inside a box of full-size pixels."""
    matrix = np.array(
        [
            [1 / scale_x, 0, (inner.left + 0.5) / scale_x - 0.5],
            [0, 1 / scale_y, (inner.top + 0.5) / scale_y - 0.5],
        ]
    )
    flags = how | cv2.WARP_INVERSE_MAP
    size = (inner.width, inner.height)
    return cast(Floats, cv2.warpAffine(small, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _ways(filling: Filling, inner: Box, scale_x: float, scale_y: float) -> tuple[Floats, Floats]:
    """For each full pixel of the box where its color is fetched from, x and y."""
    offset = np.zeros((*filling.colors.shape[:2], 2), np.float32)
    offset[tuple(filling.holes.T)] = filling.sources - filling.holes
    offset *= np.array([scale_y, scale_x], np.float32)
    full = _enlarged(offset, inner, scale_x, scale_y, cv2.INTER_NEAREST)
    rows, columns = np.indices((inner.height, inner.width), np.float32)
    return columns + (inner.left + full[:, :, 1]), rows + (inner.top + full[:, :, 0])


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
