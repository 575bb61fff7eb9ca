"""Separate the subject from its background and estimate the colors of both along the edge.

The method is that of Forte, "Approximate fast foreground colour estimation" (blur fusion), 2021.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import DTypeLike, NDArray

from editor.engine.colors import Floats
from editor.engine.drawing.gaussian import blurred
from editor.engine.masks import ALPHA_SIDE, BoolMask, enlarged_rows, upsample_mask
from editor.engine.pixels import copy_size, for_each_strip, top_value, working_copy
from editor.engine.threads import in_threads
from editor.imaging.picture import Picture, Pixels

type Places = tuple[NDArray[np.integer], ...]
"""Rows and columns of single pixels."""

# Standard deviations of the two blurs that spread colors (wide, then narrow), as shares of the longest side.
_BLUR_SIGMAS = (0.035, 0.006)
_SAMPLES_PER_ROW = 1024  # Number of samples per row; OpenCV cannot sample one very long row.


@dataclass(frozen=True, eq=False)
class Layers:
    """A photo split into subject and background.

    `alpha` is the mask of the subject, at the size of the photo. `front` and `behind` are the smoothed colors
    (0 to 1) of the subject and the background, at the size of a working copy.
    """

    picture: Picture
    alpha: Floats
    front: Floats
    behind: Floats

    def over(self, background: Callable[[slice], Pixels], *, fills: bool = True) -> Pixels:
        """Return the subject over a new background.

        `background` returns rows of the background (rows x width x 3) at the photo's bit depth. Pixels that
        belong only to the subject are not changed. If `fills` is true, the background also shows where the
        photo is transparent.
        """
        result = self.picture.pixels.copy()

        def fill_strip(rows: slice) -> None:
            share, new, old = self.alpha[rows], background(rows), result[rows, :, :3]
            if fills and self.picture.has_alpha:
                share = np.minimum(share, self._own_alpha(rows))
                result[rows, :, 3] = top_value(new)
            mixed = np.nonzero((share > 0) & (share < 1))
            part = share[mixed][:, None]
            behind = new[mixed] * np.float32(1 / top_value(new))
            edge = part * self.own_colors(rows, mixed) + (1 - part) * behind
            _copy_where(new, old, where=share == 0)
            old[mixed] = _to_levels(edge, old.dtype)

        for_each_strip(result.shape[0], fill_strip)
        return result

    def over_colors(self, background: Callable[[slice], Floats], *, fills: bool = True) -> Pixels:
        """Return the subject over a new background whose colors are from 0 to 1."""
        return self.over(lambda rows: _to_levels(background(rows), self.picture.pixels.dtype), fills=fills)

    def over_small(self, background: Floats, *, fills: bool = True) -> Pixels:
        """Return the subject over a new background given as a small image with colors from 0 to 1."""
        return self.over_colors(lambda rows: enlarged_rows(background, rows, *self.alpha.shape), fills=fills)

    def cut_out(self) -> Pixels:
        """Return the subject's own colors over a transparent background."""
        height, width = self.alpha.shape
        pixels = self.picture.pixels
        result = np.zeros((height, width, 4), pixels.dtype)

        def fill_strip(rows: slice) -> None:
            share, strip = self.alpha[rows], result[rows]
            _copy_where(pixels[rows, :, :3], strip[:, :, :3], where=share == 1)
            mixed = np.nonzero((share > 0) & (share < 1))
            strip[:, :, :3][mixed] = _to_levels(self.own_colors(rows, mixed), pixels.dtype)
            left = np.minimum(share, self._own_alpha(rows)) if self.picture.has_alpha else share
            strip[:, :, 3] = _to_levels(left, pixels.dtype)

        for_each_strip(height, fill_strip)
        return cast(Pixels, result)

    def own_colors(self, rows: slice, where: Places) -> Floats:
        """Return the subject's own colors (count x 3, 0 to 1) at the pixels `where` in these rows.

        The background's color, which shows through at the edge of the subject, is removed.
        """
        pixels = self.picture.pixels[rows]
        colors = pixels[where][:, :3] * np.float32(1 / top_value(pixels))
        share = self.alpha[rows][where][:, None]
        on_photo = (where[0] + rows.start, where[1])
        soft, far = (_sample(small, on_photo, self.alpha.shape) for small in (self.front, self.behind))
        clean = soft + share * (colors - share * soft - (1 - share) * far)
        if self.picture.has_alpha:  # An earlier step has already removed the background here.
            clean = np.where(self._own_alpha(rows)[where][:, None] < 1, colors, clean)
        return cast(Floats, np.clip(clean, 0, 1))

    def _own_alpha(self, rows: slice) -> Floats:
        pixels = self.picture.pixels
        return cast(Floats, pixels[rows, :, 3] * np.float32(1 / top_value(pixels)))


def _copy_where(new: Pixels, old: Pixels, *, where: BoolMask) -> None:
    """Copy `new` over `old` in place where the mask is true.

    OpenCV is about forty times as fast as NumPy, but it needs a contiguous array. The color channels of a
    photo with alpha are not contiguous.
    """
    if old.flags.c_contiguous:
        old[:] = cv2.copyTo(new, where.astype(np.uint8), old)
    else:
        np.copyto(old, new, where=where[:, :, None])


def _to_levels(colors: Floats, depth: DTypeLike) -> Pixels:
    top = np.float32(np.iinfo(np.dtype(depth)).max)
    return cast(Pixels, (np.clip(colors, 0, 1) * top + np.float32(0.5)).astype(depth))


def _sample(small: Floats, places: Places, shape: tuple[int, ...]) -> Floats:
    """Return the colors (count x 3) of a small image at pixels of a larger image that has this `shape`."""
    count = places[0].size
    rows, columns = (
        np.resize(
            (place + 0.5) * (short / long) - 0.5, (-(-count // _SAMPLES_PER_ROW), _SAMPLES_PER_ROW)
        ).astype(np.float32)
        for place, short, long in zip(places, small.shape, shape, strict=False)
    )
    if not count:
        return np.zeros((0, 3), np.float32)
    samples = cv2.remap(small, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return samples.reshape(-1, 3)[:count]


def layers(picture: Picture, mask: Floats) -> Layers:
    """Split a photo into subject and background.

    `mask` is the mask of the subject, at the size of a working copy.
    """
    small = working_copy(picture, max(mask.shape)) * np.float32(1 / 255)
    share = cv2.resize(mask, (small.shape[1], small.shape[0]))[:, :, None]
    front, behind = small, small
    for reach in _BLUR_SIGMAS:
        front, behind = _fuse_blurs(small, share, front, behind, max(1.0, reach * max(small.shape[:2])))
    return Layers(picture, upsample_mask(mask, picture), front, behind)


def alpha_sized(mask: Floats) -> Floats:
    """Return a mask scaled down to the smallest size at which its outline is precise enough."""
    size = copy_size(ALPHA_SIDE, *mask.shape[::-1])
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA)


def _fuse_blurs(
    colors: Floats, share: Floats, front: Floats, behind: Floats, sigma: float
) -> tuple[Floats, Floats]:
    rest = 1 - share

    def spread(layer: tuple[Floats, Floats]) -> Floats:
        own_colors, own_share = layer
        wide = blurred(own_colors * own_share, sigma)
        wide /= blurred(own_share, sigma)[:, :, None] + np.float32(1e-4)
        return wide

    near, far = in_threads(spread, ((front, share), (behind, rest)))
    # This is near + share * (colors - share * near - rest * far). New arrays would take longer than the sums.
    fixed = colors - share * near
    fixed -= rest * far
    fixed *= share
    fixed += near
    return np.clip(fixed, 0, 1, out=fixed), np.clip(far, 0, 1, out=far)
