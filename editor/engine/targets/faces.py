"""Faces, by the frontal cascade: it misses profiles and sunglasses, so its silence proves nothing."""

from functools import lru_cache
from pathlib import Path

import cv2

from editor.engine.canvas import Box, working_copy
from editor.imaging.codecs import Picture

_CASCADE = Path(__file__).resolve().parents[1] / "assets" / "haarcascade_frontalface_alt2.xml"
_SIDE = 800


def find_faces(picture: Picture) -> list[Box]:
    """The frontal faces of a picture, in its pixels, from left to right."""
    small = working_copy(picture, _SIDE)
    grey = cv2.equalizeHist(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY))
    found = _cascade().detectMultiScale(grey, 1.1, 6, minSize=(24, 24))
    scale = picture.width / small.shape[1]
    return sorted(
        Box(round(x * scale), round(y * scale), round((x + w) * scale), round((y + h) * scale))
        for x, y, w, h in found
    )


@lru_cache(1)
def _cascade() -> cv2.CascadeClassifier:
    return cv2.CascadeClassifier(str(_CASCADE))
