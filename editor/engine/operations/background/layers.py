"""The subject and what is behind it, told apart at the edge: each with its own color.

Forte, "Approximate fast foreground colour estimation" (blur fusion), 2021.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import strips, top_value, working_copy
from editor.engine.colors import Floats
from editor.engine.targets.masks import brought_up, enlarged_rows
from editor.imaging.codecs import Picture, Pixels

_WIDE, _NEAR = 0.035, 0.006  # how far colors are fetched from, as shares of the longest side


@dataclass(frozen=True, eq=False)
class Layers:
    """`alpha` at the picture's size; `front` and `behind`, smooth colors (0 to 1) of the subject and of its
    background, on the working copy."""

    picture: Picture
    alpha: Floats
    front: Floats
    behind: Floats

    def front_rows(self, rows: slice) -> Floats:
        """The subject's own colors in these rows: without what shines through at its edge."""
        pixels = self.picture.pixels
        colors = pixels[rows, :, :3] * np.float32(1 / top_value(pixels))
        share = self.alpha[rows, :, None]
        soft = self._enlarged(self.front, rows)
        clean = soft + share * (colors - share * soft - (1 - share) * self._enlarged(self.behind, rows))
        # Blur fusion is for mixed pixels; where the subject is alone its pixels are known.
        return np.where(share >= 1, colors, np.clip(clean, 0, 1))

    def _enlarged(self, small: Floats, rows: slice) -> Floats:
        return enlarged_rows(small, rows, *self.alpha.shape)

    def over(self, ground: Callable[[slice], Floats]) -> Pixels:
        """The subject over a new ground (rows x width x 3, 0 to 1); the photo's own alpha stays."""
        pixels = self.picture.pixels
        result = pixels.copy()
        for rows in strips(pixels.shape[0]):
            share = self.alpha[rows, :, None]
            colors = share * self.front_rows(rows) + (1 - share) * ground(rows)
            result[rows, :, :3] = (np.clip(colors, 0, 1) * top_value(pixels) + 0.5).astype(pixels.dtype)
            result[rows, :, :3] = np.where(share >= 1, pixels[rows, :, :3], result[rows, :, :3])
        return result


def layers(picture: Picture, mask: Floats) -> Layers:
    """Splits a picture by its subject's mask (on a working copy)."""
    small = working_copy(picture, max(mask.shape)) * np.float32(1 / 255)
    share = cast(Floats, cv2.resize(mask, (small.shape[1], small.shape[0]))[:, :, None])
    front, behind = small, small
    for reach in (_WIDE, _NEAR):
        front, behind = _fused(small, share, front, behind, max(1.0, reach * max(small.shape[:2])))
    return Layers(picture, brought_up(mask, picture), front, behind)


def _fused(
    colors: Floats, share: Floats, front: Floats, behind: Floats, sigma: float
) -> tuple[Floats, Floats]:
    soft = cv2.GaussianBlur(share, (0, 0), sigma)[:, :, None]
    near = cv2.GaussianBlur(front * share, (0, 0), sigma) / (soft + 1e-4)
    far = cv2.GaussianBlur(behind * (1 - share), (0, 0), sigma) / (1 - soft + 1e-4)
    fixed = near + share * (colors - share * near - (1 - share) * far)
    return cast(Floats, np.clip(fixed, 0, 1).astype(np.float32)), cast(Floats, np.clip(far, 0, 1))
