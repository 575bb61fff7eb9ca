"""Tiled styles: pixel art, mosaic, and stained glass."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats, scale_saturation
from editor.engine.operations.color.styles import sheet
from editor.engine.operations.color.styles.printed import in_few_colors
from editor.engine.operations.color.styles.sheet import style
from editor.engine.pixels import Box
from editor.engine.targets.faces import find_faces
from editor.imaging.picture import Bytes, Picture

_ACROSS = 120  # number of pixel-art blocks along the photo's longest side
_GROUT = np.array((0.80, 0.78, 0.73), np.float32)
_LEAD = np.array((0.045, 0.045, 0.05), np.float32)
_MIN_SIDE_PIXELS = 12  # minimum side, in pixels, of an image on which OpenCV's superpixels work
_PANES_IN_A_FACE = 18  # number of small glass panes across the height of a face
_AROUND_A_FACE = 0.4  # margin around a face that also gets small glass panes, as a share of the face's size
_THINNEST_LEAD = 0.35  # minimum width of lead strips, as a share of their width between large panes
_FAINTEST_LEAD = 0.3  # minimum opacity of lead strips, as a share of their opacity between large panes


@style
def pixel_art(colors: Floats, side: float, _seed: int, strength: float) -> Floats:
    """Draw large square pixels in 24 colors, as in old video games."""
    height, width = colors.shape[:2]
    block = side / (_ACROSS / strength)
    size = (max(1, round(width / block)), max(1, round(height / block)))
    small = cv2.resize(colors, size, interpolation=cv2.INTER_AREA)
    crisp = np.clip(small + 0.6 * (small - cv2.GaussianBlur(small, (0, 0), 1)), 0, 1)
    few = in_few_colors(crisp, 24, vivid=1.25)
    return cv2.resize(few, (width, height), interpolation=cv2.INTER_NEAREST)


def _pieces(
    colors: Floats, across: float, *, ruler: float, swell: Floats | float = 0.0
) -> tuple[np.ndarray, Floats, Floats]:
    """Divide the photo into pieces, about `across` pixels wide, that follow the photo's edges.

    In plain areas, the pieces follow the noise `swell` (height x width x 1). Returns three arrays: the index
    of the piece at each pixel, each pixel's distance, in pixels, from the border of its piece, and the mean
    color of each piece.
    """
    height, width = colors.shape[:2]
    lab = cv2.cvtColor((np.clip(colors + swell, 0, 1) * 255).astype(np.uint8), cv2.COLOR_RGB2Lab)
    # OpenCV's superpixels crash the process if a side is shorter than a superpixel or than 12 pixels.
    beyond = (max(0, _MIN_SIDE_PIXELS - height), max(0, _MIN_SIDE_PIXELS - width))
    lab = cast(Bytes, cv2.copyMakeBorder(lab, 0, beyond[0], 0, beyond[1], cv2.BORDER_REPLICATE))
    cell = min(max(4, round(across)), *lab.shape[:2])
    slic = cv2.ximgproc.createSuperpixelSLIC(lab, cv2.ximgproc.SLIC, cell, ruler)
    slic.iterate(6)
    slic.enforceLabelConnectivity(30)
    labels = np.asarray(slic.getLabels()).astype(np.intp)[:height, :width]
    border = np.asarray(slic.getLabelContourMask(thick_line=True))[:height, :width]
    inside = cv2.distanceTransform((border == 0).astype(np.uint8), cv2.DIST_L2, 5)
    count = int(labels.max()) + 1
    sizes = np.maximum(np.bincount(labels.ravel(), minlength=count), 1)
    means = np.stack(
        [np.bincount(labels.ravel(), colors[:, :, i].ravel(), count) / sizes for i in range(3)], 1
    )
    return labels, inside, means.astype(np.float32)


@style
def mosaic(colors: Floats, side: float, seed: int, size: float) -> Floats:
    """Make a mosaic of small, single-color stones that follow the edges, with grout between them."""
    across = side / 85 * size
    rich = sheet.smoothed(colors, side, times=1)
    labels, inside, means = _pieces(rich, across, ruler=28)
    random = np.random.default_rng(seed)
    stones = np.clip(scale_saturation(means[None], 1.25)[0], 0, 1) * random.normal(1, 0.07, (len(means), 1))
    grout = _GROUT * (1 + 0.05 * sheet.noise(colors.shape[:2], side / 900, seed)[:, :, None])
    height = sheet.step_between(0.0, 0.22, sheet.soft(inside, 1) / np.float32(across))
    shine = 0.09 * np.clip(sheet.slope_of(height), -1.2, 1.2)[:, :, None]
    cover = sheet.step_between(0.03, 0.09, sheet.soft(inside, 0.8) / np.float32(across))
    return sheet.on_paper(cover, stones.astype(np.float32)[labels] + shine, grout)


@style
def stained_glass(colors: Floats, side: float, seed: int, size: float) -> Floats:
    """Draw panes of glowing color between strips of lead.

    Panes in faces are small, because large panes would make a face unrecognizable.
    """
    faces = find_faces(Picture((np.clip(colors, 0, 1) * 255 + 0.5).astype(np.uint8)))
    across = side / 28 * size
    swell = 0.06 * sheet.noise(colors.shape[:2], side / 14, seed)[:, :, None]
    calm = sheet.smoothed(colors, side, times=4, strength=0.14)
    labels, inside, means = _pieces(calm, across, ruler=14, swell=swell)
    coarse = np.full(labels.shape, across, np.float32)
    for face in faces:
        labels, means = _finer(colors, face, labels, means, coarse)
    if len(faces):
        border = (
            cv2.morphologyEx(labels.astype(np.float32), cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)) > 0
        )
        inside = cv2.distanceTransform((~border).astype(np.uint8), cv2.DIST_L2, 5)
    panes = np.clip(scale_saturation(means[None], 1.7)[0], 0, 1) ** 0.9
    random = np.random.default_rng(seed)
    panes = np.clip(panes * random.normal(1.02, 0.06, (len(panes), 1)), 0, 1).astype(np.float32)[labels]
    wavy = 1 + 0.045 * sheet.noise(colors.shape[:2], side / 160, seed)[:, :, None]
    glow = 0.86 + 0.28 * sheet.step_between(0, 0.35, inside / coarse)[:, :, None]
    strip = side / 520 * np.clip(coarse / across, _THINNEST_LEAD, 1)
    faint = np.clip(
        1.5 * sheet.soft(coarse, 1.2) / across, _FAINTEST_LEAD, 1
    )  # Lead between small panes is faint, like painted lines.
    lead = faint * (1 - sheet.step_between(0, 1.6, sheet.soft(inside, 1.2) - strip))
    shine = panes * wavy * glow
    return sheet.on_paper(lead, _LEAD, shine)


def _finer(
    colors: Floats, face: Box, labels: np.ndarray, means: Floats, across: Floats
) -> tuple[np.ndarray, Floats]:
    """Return the index of the piece at each pixel, and the mean color of each piece.

    Pieces that are mostly in a face are divided into small pieces. `across` is the size of the piece at each
    pixel and is updated in place.
    """
    height, width = labels.shape
    left, top, right, bottom = face.grown(_AROUND_A_FACE, width, height)
    oval = np.zeros(labels.shape, np.float32)
    middle = (round(face.center[0]), round(face.center[1] + 0.05 * face.height))
    cv2.ellipse(oval, middle, (round(0.5 * face.width), round(0.62 * face.height)), 0, 0, 360, 1, -1)
    share = np.bincount(labels.ravel(), oval.ravel()) / np.maximum(np.bincount(labels.ravel()), 1)
    size = max(4.0, face.height / _PANES_IN_A_FACE)
    if size >= across.max():
        return labels, means
    part = np.ascontiguousarray(colors[top:bottom, left:right])
    small, _, own = _pieces(sheet.smoothed(part, face.height * 4.0, times=2), size, ruler=10)
    there = (share > 0.5)[labels]
    there[:top], there[bottom:], there[:, :left], there[:, right:] = False, False, False, False
    finer, inner = labels.copy(), there[top:bottom, left:right]
    finer[top:bottom, left:right][inner] = small[inner] + len(means)
    across[there] = size
    return finer, np.concatenate([means, own])
