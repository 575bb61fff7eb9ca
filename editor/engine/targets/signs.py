"""Signs by which a good cut-out is told from a bad one."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import cielab
from editor.engine.pixels import Box
from editor.engine.targets.masks import local_mean, on_the_frame
from editor.imaging.codecs import Bytes

_REACHES = 0.05  # of a side of the frame
_TOLD_APART = 10.0  # CIE 1976 color difference


def cut_out_signs(solid: Bytes, small: Bytes, faces: list[Box]) -> dict[str, float]:
    """Signs of a good cut-out, each 0 (bad) to 1. The bounds were chosen by eye on 19 photos."""
    area = float(solid.mean())
    frame = on_the_frame(solid)
    trust = 0.14 if faces else 0.0  # hair and clothes fade into dark backgrounds, the person is there
    return {
        "area": ramp(area, 0.003, 0.015) * ramp(-area, -0.85 - 0.1 * bool(faces), -0.6 - 0.2 * bool(faces)),
        "frame": ramp(-frame, -0.6 - 0.32 * bool(faces), -0.3 - 0.42 * bool(faces)),
        "outline": ramp(outline_contrast(small, solid) + trust, 0.84, 0.95),
        "colors": ramp(-mixed_colors(small, solid) + 0.7 * trust, -0.5, -0.3),
        "sides": 0.0 if _spans(solid) and not faces else 1.0,
        "faces": 1.0 if all(holds(solid, face) for face in faces) else 0.0,
    }


def _spans(solid: Bytes) -> bool:
    """Whether it reaches from the left of the frame to the right: hills and tables do, subjects do not."""
    return bool(min(solid[:, 0].mean(), solid[:, -1].mean()) > _REACHES)


def mixed_colors(small: Bytes, solid: Bytes) -> float:
    """How alike the colors within and without are along the outline: Bhattacharyya's coefficient, 0 to 1."""
    side = max(5, round(0.06 * max(solid.shape)))
    near = np.ones((side, side), np.uint8)
    band = cv2.morphologyEx(solid, cv2.MORPH_GRADIENT, near) == 1
    inside = solid[band] == 1
    if not inside.any() or inside.all():
        return 1.0
    bins = color_bins(small)[band]
    return alike(bins[inside], bins[~inside])


def color_bins(small: Bytes) -> NDArray[np.intp]:
    """The number of the coarse color (CIELAB) that each pixel has."""
    lab = cv2.cvtColor(small, cv2.COLOR_RGB2LAB) // np.array([24, 12, 12], np.uint8)
    return cast(NDArray[np.intp], lab.astype(np.intp) @ np.array([22 * 22, 22, 1]))


def alike(one: NDArray[np.intp], other: NDArray[np.intp]) -> float:
    """How far two sets of coarse colors are the same: Bhattacharyya's coefficient, 0 to 1."""
    if not one.size or not other.size:
        return 0.0
    first, second = (np.bincount(bins, minlength=11 * 22 * 22) / bins.size for bins in (one, other))
    return float(np.sqrt(first * second).sum())


def ramp(value: float, low: float, high: float) -> float:
    return float(np.clip((value - low) / (high - low), 0, 1))


def outline_contrast(small: Bytes, solid: Bytes) -> float:
    """The share of the outline, but for the frame, at which the colors on both sides can be told apart."""
    lab = cielab(small)
    inside, outside = local_mean(lab, solid, 9), local_mean(lab, 1 - solid, 9)
    outline = cv2.morphologyEx(solid, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    outline[[0, -1]] = outline[:, [0, -1]] = False
    apart = np.linalg.norm(inside - outside, axis=2)[outline]
    return float((apart > _TOLD_APART).mean()) if apart.size else 0.0


def holds(solid: Bytes, face: Box) -> bool:
    inside = solid[face.part]
    return bool(cast(float, inside.mean()) > 0.6) if inside.size else True
