"""Find a person's hair by the colors right above the face and follow these colors around the face."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.masks import BoolMask, closed, opened, touching
from editor.engine.targets.cutout_quality import outline_contrast
from editor.engine.targets.people import Person, area_below_chin, cheek_color, face_ellipse
from editor.engine.targets.shades import shades_of
from editor.imaging.picture import Bytes

_LIGHTNESS_WEIGHT = 0.5  # weight of lightness relative to hue and chroma
_MAX_STRAND_DIFFERENCE = 0.055  # maximum OKLab distance between a strand and one of the colors above the face
_COLOR_COUNT = 4  # number of colors that are distinguished above the face
_MIN_HAIR_COLOR_SHARE = 0.08  # minimum share of the pixels above the face that a hair color must cover
# Minimum share of the area above the face that hair must cover for the head not to be bald.
_MIN_HAIR_SHARE = 0.45
_MIN_FULL_HAIR_SHARE = 0.75  # minimum share of the area above the face that a full head of hair covers
_MAX_CHROMA = 0.14  # maximum OKLab chroma of hair; caps may have more
_MIN_OKLAB_A = -0.03  # minimum OKLab component a of hair; caps may be greener
_MIN_OKLAB_B = -0.035  # minimum OKLab component b of hair; caps may be bluer
# Minimum share of the hair's outline at which the colors on both sides differ. They do not at the frame.
_MIN_OUTLINE_CONTRAST = 0.48
# Maximum width of a gap between strands that counts as hair, as a share of a face's width.
_MAX_STRAND_GAP = 0.09
# Minimum OKLab lightness difference between the cheeks and darker, skin-colored hair.
_MIN_SHADE_DIFFERENCE = 0.13


def clear_hair_of(person: Person) -> Bytes | None:
    """Return the result of `hair_of`, or None if the hair has no clear outline."""
    hair = hair_of(person)
    if hair is None or outline_contrast(person.small, hair) * _share_off_frame(hair) < _MIN_OUTLINE_CONTRAST:
        return None
    return hair


def _share_off_frame(hair: Bytes) -> float:
    """Return the share of the outline of hair that is not at the frame, where hair only seems to end."""
    outline = hair - cv2.erode(hair, np.ones((3, 3), np.uint8), borderValue=0)
    return float(outline[1:-1, 1:-1].sum() / outline.sum())


def hair_of(person: Person) -> Bytes | None:
    """Return a 0/1 mask of the hair on the working copy, or None for a hat or a bald head."""
    face, shape = person.face, person.skin.shape
    darkest_skin = float(cheek_color(person.lab, face)[0]) - _MIN_SHADE_DIFFERENCE
    not_skin = (person.skin < 0.5) | (person.lab[:, :, 0] < darkest_skin)
    above = area_below_chin(face, shape, -1.32, -0.92, 0.3) & (person.outline > 0.6)
    core = above & not_skin
    if np.count_nonzero(core) <= _MIN_HAIR_SHARE * np.count_nonzero(above):
        return None
    if not _is_natural(np.median(person.lab[core], axis=0)):
        return None
    is_full = np.count_nonzero(core) > _MIN_FULL_HAIR_SHARE * np.count_nonzero(above)
    top = area_below_chin(face, shape, -99, -1.06, 99)  # above the forehead, any color may be hair
    hairlike = (_hair_colored_mask(person, core) & not_skin) | (top & (not_skin | is_full))
    hairlike &= _area_around_face(person) & (person.outline > 0.4)
    strand = max(3, round(_MAX_STRAND_GAP * face.width) | 1)
    between = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (strand, strand))
    ears = round(face.center[1])
    hair = closed(hairlike.astype(np.uint8), 3)
    hair[:ears] |= cast(Bytes, cv2.morphologyEx(hair[:ears], cv2.MORPH_CLOSE, between))
    hair[person.outline <= 0.4] = 0
    joined = touching(opened(hair, 3), core)
    return joined if joined.any() else None


def _is_natural(colors: Floats) -> BoolMask:
    """Return for each color (... x 3) whether hair may have it."""
    a, b = colors[..., 1], colors[..., 2]
    return (np.hypot(a, b) < _MAX_CHROMA) & (a > _MIN_OKLAB_A) & (b > _MIN_OKLAB_B)


def _hair_colored_mask(person: Person, core: BoolMask) -> BoolMask:
    """Return a mask of the pixels that have one of the main colors inside `core` and that may be hair."""
    labels, centers = shades_of(person.lab, core, count=_COLOR_COUNT, light=_LIGHTNESS_WEIGHT)
    shares = np.bincount(labels, minlength=len(centers)) / labels.size
    colors = person.lab * np.array((_LIGHTNESS_WEIGHT, 1, 1), np.float32)
    differences = [
        np.linalg.norm(colors - center, axis=2) for center in centers[shares > _MIN_HAIR_COLOR_SHARE]
    ]
    return (np.min(differences, axis=0) < _MAX_STRAND_DIFFERENCE) & _is_natural(person.lab)


def _area_around_face(person: Person) -> BoolMask:
    """Return a mask of where hair can be: above and beside the face, and on the shoulders.

    The forehead and the area of a beard are excluded.
    """
    face, shape = person.face, person.skin.shape
    around = face_ellipse(face, shape, -0.65, 0.95, 0.95) | area_below_chin(face, shape, -0.5, 1.6, 0.95)
    bare = face_ellipse(face, shape, -0.4, 0.38, 0.55) | area_below_chin(face, shape, -0.15, 99, 0.35)
    return around & ~bare
