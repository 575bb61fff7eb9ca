"""The light of one photo brought a little nearer to that of another, so that they look like one scene."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from editor.engine.colors import Floats, oklab
from editor.engine.operations.color.tone import levels_of, looked_up
from editor.engine.pixels import working_copy
from editor.imaging.picture import Bytes, Picture

_WORKING_PIXELS = 256  # the longer side of the copy that the light is measured on
_LIGHTNESS = 0.3  # share of the way to the other photo's lightness
_CONTRAST = 0.3  # share of the way to its contrast
_WHITE = 0.35  # share of the way to its white balance
_GREY = 0.03  # OKLab's chroma below which a thing may be grey, and show the color of the light
_ENOUGH_GREY = 0.06  # the share of such pixels that is trusted


@dataclass(frozen=True, eq=False)
class _Light:
    """Mean and spread of lightness (OKLab, 0 to 1), the color of the light (its mean is 1), and how far that
    is to be trusted, 0 to 1."""

    mean: float
    spread: float
    white: Floats
    trust: float


def relit(photo: Picture, ground: Picture) -> Picture:
    """The photo in the light of the ground: partly, for the light of a thing is not told from its color.
    Black and white stay; so does alpha."""
    own, other = (_light(working_copy(picture, _WORKING_PIXELS)) for picture in (photo, ground))
    levels = levels_of(photo.pixels)
    power = _WHITE * min(own.trust, other.trust)
    gains = np.clip((other.white / own.white) ** power, 0.94, 1.06)
    curves = _toned(levels, own, other)[:, None] * (gains / gains.mean())
    return replace(photo, pixels=looked_up(photo.pixels, *curves.T))


def pictured(ground: Floats) -> Picture:
    """A drawn ground as a photo."""
    return Picture((np.clip(ground, 0, 1) * np.float32(255) + np.float32(0.5)).astype(np.uint8))


def _light(small: Bytes) -> _Light:
    """By what may be grey, the brighter the surer."""
    colors = small.astype(np.float32) * np.float32(1 / 255)
    lab = oklab(colors)
    lightness, chroma = lab[:, :, 0], np.hypot(lab[:, :, 1], lab[:, :, 2])
    may_be_grey = np.exp(-((chroma / _GREY) ** 2)) * (lightness > 0.4) * (lightness < 0.98)
    weight = may_be_grey * lightness**2 + 1e-6
    white = (colors * weight[:, :, None]).sum((0, 1)) / weight.sum()
    trust = min(1.0, float(may_be_grey.mean()) / _ENOUGH_GREY)
    white = (white + 1e-3) / (white.mean() + 1e-3)
    return _Light(float(lightness.mean()), float(lightness.std()), white.astype(np.float32), trust)


def _toned(levels: Floats, own: _Light, other: _Light) -> Floats:
    """A power that brings the own mean part of the way, and a slope around it for the contrast."""
    mean = float(np.clip(own.mean, 0.08, 0.92))
    wanted = float(np.clip(mean + _LIGHTNESS * (other.mean - mean), 0.08, 0.92))
    power = float(np.clip(np.log(wanted) / np.log(mean), 0.75, 1.35))
    slope = float(np.clip(((other.spread + 0.02) / (own.spread + 0.02)) ** _CONTRAST, 0.85, 1.15))
    raised = levels**power
    middle = mean**power
    swung = middle + (raised - middle) * slope
    # Near the ends the slope fades, so that black and white stay.
    ends = np.minimum(levels, 1 - levels) * 4
    return cast(Floats, np.where(ends < 1, raised + (swung - raised) * ends, swung).astype(np.float32))
