"""Match the light of one photo to that of another so that both look like parts of one scene."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from editor.engine.colors import Floats, chroma_of, oklab
from editor.engine.operations.color.tone import apply_curves, levels_of
from editor.engine.pixels import working_copy
from editor.imaging.picture import Bytes, Picture

_WORKING_PIXELS = 256  # longer side, in pixels, of the copy on which the light is measured
_LIGHTNESS = 0.3  # how much of the difference in mean lightness between two photos is removed, from 0 to 1
_CONTRAST = 0.3  # exponent for the ratio of two photos' contrasts; 1 would match them fully
_WHITE = 0.35  # exponent for the ratio of two photos' white balances; 1 would match them fully
_GRAY = 0.03  # OKLab chroma below which a pixel is probably gray and so shows the color of the light.
_ENOUGH_GRAY = 0.06  # minimum share of gray pixels at which the measured color of the light is fully trusted


@dataclass(frozen=True, eq=False)
class _Light:
    """The light of a photo.

    `mean` and `spread` are the mean and the standard deviation of the OKLab lightness (0 to 1). `white` is
    the color of the light, scaled to a mean of 1. `trust` (0 to 1) is how reliable this color is.
    """

    mean: float
    spread: float
    white: Floats
    trust: float


def relit(photo: Picture, ground: Picture) -> Picture:
    """Return the photo with its light partly matched to that of the photo `ground`.

    A full match is impossible, because the light cannot be separated from the colors of objects. Black and
    alpha do not change, and white changes very little.
    """
    own, other = (_light(working_copy(picture, _WORKING_PIXELS)) for picture in (photo, ground))
    levels = levels_of(photo.pixels)
    power = _WHITE * min(own.trust, other.trust)
    gains = np.clip((other.white / own.white) ** power, 0.94, 1.06)
    curves = _toned(levels, own, other)[:, None] * (gains / gains.mean())
    return replace(photo, pixels=apply_curves(photo.pixels, *curves.T))


def pictured(ground: Floats) -> Picture:
    """Return a drawn background (0 to 1) as an 8-bit photo."""
    return Picture((np.clip(ground, 0, 1) * np.float32(255) + np.float32(0.5)).astype(np.uint8))


def _light(small: Bytes) -> _Light:
    """Return the light of a photo.

    The color of the light comes mostly from bright pixels that are probably gray.
    """
    colors = small.astype(np.float32) * np.float32(1 / 255)
    lab = oklab(colors)
    lightness, chroma = lab[:, :, 0], chroma_of(lab)
    may_be_gray = np.exp(-((chroma / _GRAY) ** 2)) * (lightness > 0.4) * (lightness < 0.98)
    weight = may_be_gray * lightness**2 + 1e-6
    white = (colors * weight[:, :, None]).sum((0, 1)) / weight.sum()
    trust = min(1.0, float(may_be_gray.mean()) / _ENOUGH_GRAY)
    white = (white + 1e-3) / (white.mean() + 1e-3)
    return _Light(float(lightness.mean()), float(lightness.std()), white.astype(np.float32), trust)


def _toned(levels: Floats, own: _Light, other: _Light) -> Floats:
    """Return the levels with their mean lightness and contrast moved partway toward those of `other`."""
    mean = float(np.clip(own.mean, 0.08, 0.92))
    wanted = float(np.clip(mean + _LIGHTNESS * (other.mean - mean), 0.08, 0.92))
    power = float(np.clip(np.log(wanted) / np.log(mean), 0.75, 1.35))
    slope = float(np.clip(((other.spread + 0.02) / (own.spread + 0.02)) ** _CONTRAST, 0.85, 1.15))
    raised = levels**power
    middle = mean**power
    swung = middle + (raised - middle) * slope
    # Fade out the change in contrast toward black and white, because black and white must not change.
    ends = np.minimum(levels, 1 - levels) * 4
    return cast(Floats, np.where(ends < 1, raised + (swung - raised) * ends, swung).astype(np.float32))
