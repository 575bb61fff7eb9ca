"""Remove dust, spots, and scratches: small flaws that stand out from calm surroundings."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.kinds import ANIMALS
from editor.engine.masks import boxes_to_mask, connected_components, dilate
from editor.engine.operations.remove.healing import healed
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Step
from editor.engine.targets.detector import things_seen
from editor.engine.targets.target_masks import step_mask
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

# Longer side, in pixels, of the working copy on which flaws are searched for.
_WORKING_PIXELS = 2000
# Widths of the median filters' windows, as shares of the longest side. A filter finds flaws that are up to
# half as wide as its window.
_WINDOWS = (0.0035, 0.0085, 0.017)
_MIN_DIFFERENCE = 16.0  # minimum difference, in 8-bit levels, between a flaw and its surroundings
_ABOVE_GRAIN = 6.0  # minimum difference between a flaw and its surroundings, as a multiple of the grain
# Maximum share of a flaw's surroundings that may also stand out. If a larger share stands out, it is texture.
_CALM = 0.04
_EVEN = 0.4  # maximum variation of the light around a flaw, as a share of the flaw's contrast
_LONG = 0.06  # minimum length of a scratch, as a share of the photo's longest side
# Maximum number of flaws that are checked for fine detail around them. If there are more, all are accepted.
_FEW = 5
# Distance from a flaw within which fine detail is searched for, as a share of the longest side.
_NEAR = 0.05
_PLAIN = 0.01  # maximum share of fine detail in the area around a flaw
_RIM = np.ones((5, 5), np.uint8)  # kernel that grows flaws by two pixels in order to leave out their edges
_MAX_FLAWS = 400  # Maximum number of flaws in a photo. If there are more, they are stars, snow, or leaves.


@operation
def dust(canvas: Canvas, step: Step) -> Canvas:
    """Heal spots and thin scratches in the step's target.

    Raises OperationError if there are no flaws, or if there are so many that they must be the photo's
    texture.
    """
    small = working_copy(canvas.picture, _WORKING_PIXELS)
    flaws = flaws_of(small)
    mask = step_mask(canvas, step)
    if mask is not None:
        flaws &= (cv2.resize(mask, (small.shape[1], small.shape[0])) > 0.5).astype(np.uint8)
    else:
        flaws = _credible(flaws, small, _animals(canvas, flaws.shape))
    count = cv2.connectedComponents(flaws)[0] - 1
    if not count:
        hint = (
            Sentence("Draw a box around each one.")
            if mask is None
            else Sentence("Draw a box close around each one.")
        )
        raise OperationError(Reason.NO_SUCH_TARGET, Sentence("I can't find any dust or scratches."), hint)
    if count > _MAX_FLAWS:
        raise OperationError(
            Reason.LOW_CONFIDENCE,
            Sentence("I can't tell dust from the fine details in this photo."),
            Sentence("Draw a box around the dusty area."),
        )
    size = (canvas.picture.width, canvas.picture.height)
    full = (cv2.resize(flaws * np.uint8(255), size, interpolation=cv2.INTER_LINEAR) > 40).astype(np.uint8)
    removed = Sentence("I removed %(n)s spots or scratches.", n=count)
    if count == 1:
        removed = Sentence("I removed 1 spot or scratch.")
    return canvas.with_pixels(healed(canvas.picture.pixels, full)).with_notice(removed)


def _animals(canvas: Canvas, shape: tuple[int, ...]) -> Bytes:
    """Return a mask (0/1) of animals' boxes on a working copy of the given shape.

    The fur, whiskers, and eyes of animals look like flaws.
    """
    animals = [thing.box for thing in things_seen(canvas) if thing.kind in ANIMALS]
    return boxes_to_mask(animals, shape, shape[1] / canvas.picture.width)


def _credible(flaws: Bytes, small: Bytes, barred: Bytes) -> Bytes:
    """Return a mask (0/1) of the flaws that are certain enough to heal without being marked.

    Flaws in the area `barred` (0/1) are left out. If there are only a few flaws, those with fine detail
    around them are left out as well, because a dash between letters or a glint on a coin looks like a flaw.
    """
    count, labels, _, centers = cv2.connectedComponentsWithStats(flaws & (1 - barred))
    if count - 1 > _FEW:
        return cast(Bytes, (labels > 0).astype(np.uint8))
    light = cast(Bytes, cv2.cvtColor(small, cv2.COLOR_RGB2GRAY))
    window = max(5, round(_WINDOWS[-1] * max(light.shape)) | 1)
    fine = (cv2.absdiff(light, cv2.medianBlur(light, window)) > _MIN_DIFFERENCE) & (
        cv2.dilate(flaws, _RIM) == 0
    )
    reach = 2 * round(_NEAR * max(light.shape)) + 1
    share = cv2.blur(fine.astype(np.float32), (reach, reach))
    kept = [False, *(share[round(y), round(x)] < _PLAIN for x, y in centers[1:])]
    return cast(Bytes, np.array(kept)[labels].astype(np.uint8))


def flaws_of(small: Bytes) -> Bytes:
    """Return a mask (0/1) of the spots and scratches on an RGB working copy, slightly enlarged."""
    light = cast(Bytes, cv2.cvtColor(small, cv2.COLOR_RGB2GRAY))
    flaws = np.zeros_like(light)
    for window in sorted({max(5, round(share * max(light.shape)) | 1) for share in _WINDOWS}):
        if window < min(light.shape):
            flaws |= _standing_out(light, window)
    return dilate(flaws, 2)


def _standing_out(light: Bytes, window: int) -> Bytes:
    """Return a mask (0/1) of the spots and scratches that a single median filter finds.

    The pixels of spots and scratches differ from the median around them by much more than the grain does.
    """
    apart = cv2.absdiff(light, cv2.medianBlur(light, window)).astype(np.float32)
    reach = 8 * window | 1
    grain = cv2.blur(np.minimum(apart, 12), (reach, reach)) * np.float32(1.25)
    limit = np.maximum(_MIN_DIFFERENCE, _ABOVE_GRAIN * grain)
    busy = (apart > 0.5 * limit).astype(np.uint8)
    labels, stats = connected_components(busy)
    sure = np.bincount(labels[apart > limit], minlength=len(stats)) > 0
    kept = np.zeros(len(stats), bool)
    for number in (np.flatnonzero(sure[1:]) + 1).tolist():
        left, top, width, height, area = stats[number].tolist()
        if _has_shape_of_a_flaw(width, height, area, window, max(light.shape)):
            around = Box(left, top, left + width, top + height).padded(window, *light.shape[::-1])
            kept[number] = _is_alone(around, labels, number, apart if max(width, height) >= window else light)
    return kept[labels].astype(np.uint8)


def _has_shape_of_a_flaw(width: int, height: int, area: int, window: int, longest: int) -> bool:
    """Return whether an area is small and compact (a spot), or long, straight, and thin (a scratch)."""
    length = float(np.hypot(width, height))
    is_spot = max(width, height) <= window and area > 0.3 * width * height
    is_scratch = length > _LONG * longest and area < 0.3 * window * length
    return area >= 3 and (is_spot or is_scratch)


def _is_alone(around: Box, labels: NDArray[np.int32], number: int, light: Bytes | Floats) -> bool:
    """Return whether the surroundings of a possible flaw are even, without edges or texture.

    `light` is the brightness of the photo. For a possible scratch, it is the difference from the median
    instead, because a scratch may cross edges.
    """
    rows, columns = around.slices
    own = (labels[rows, columns] == number).astype(np.uint8)
    if not _is_straight(own):
        return False
    near = (cv2.dilate(own, np.ones((9, 9), np.uint8)) - cv2.dilate(own, np.ones((3, 3), np.uint8))) == 1
    others = (labels[rows, columns] > 0) & (own == 0)
    if not near.any() or others.mean() > _CALM:
        return False
    part = light[rows, columns]
    spread = np.subtract(*np.percentile(part[near], (92, 8)))
    contrast = abs(float(np.median(part[near])) - float(part[own == 1].mean()))
    return bool(spread < _EVEN * contrast)


def _is_straight(own: Bytes) -> bool:
    """Return whether a possible flaw is short or forms a straight line."""
    places = np.argwhere(own == 1).astype(np.float64)
    if max(own.shape) < 60 or len(places) < 60:
        return True
    minor, major = np.sqrt(np.linalg.eigvalsh(np.cov(places.T)))
    return bool(minor < 0.04 * major)
