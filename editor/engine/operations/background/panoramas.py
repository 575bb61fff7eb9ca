"""Views into the panoramas of assets/scenery, CC0 photographs of places, and into the drawn places of
assets/places: to be seen out of focus."""

from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from editor.engine.colors import Floats
from editor.engine.drawing.windows import largest_of_ratio
from editor.engine.operations.background.lens import light_of

_ASSETS = Path(__file__).resolve().parents[2] / "assets"
DRAWN_PLACES = tuple(sorted(path.stem.replace("_", " ") for path in (_ASSETS / "places").glob("*.jpg")))
LAMPLIGHT = 4.0  # times as dark drawn places are stored, so that their lamps have room
_VIEW = 64.0  # degrees that the longer side of a view takes in
_BAND = 80.0  # degrees that a panorama takes in from top to bottom, with the horizon in its middle


def view(name: str, heading: float, width: int, height: int, *, rise: float = 0.0) -> Floats:
    """The light (height x width x 3) that comes from a heading, in degrees; lines that are straight stay so.

    `rise` is how far above the horizon the middle is, in degrees.
    """
    panorama = _light(_ASSETS / "scenery" / f"{name}.jpg")
    across, down = panorama.shape[1] / 360, panorama.shape[0] / _BAND
    distance = max(width, height) / 2 / np.tan(np.radians(_VIEW / 2))
    x = (np.arange(width, dtype=np.float32)[None] - (width - 1) / 2) / distance
    y = ((height - 1) / 2 - np.arange(height, dtype=np.float32)[:, None]) / distance
    tilt = np.radians(rise)
    forth, up = np.cos(tilt) - y * np.sin(tilt), np.sin(tilt) + y * np.cos(tilt)
    azimuth, elevation = np.degrees(np.arctan2(x, forth)), np.degrees(np.arctan2(up, np.hypot(x, forth)))
    columns = ((azimuth + heading) % 360 * across).astype(np.float32)
    rows = ((_BAND / 2 - elevation) * down).astype(np.float32)
    ringed = np.concatenate([panorama, panorama[:, :2]], 1)
    return cv2.remap(ringed, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def window(name: str, width: int, height: int, across: float) -> Floats:
    """The light (height x width x 3) in the largest part of a drawn place that has this shape: so far to the
    right, 0 to 1."""
    wide = _light(_ASSETS / "places" / f"{name.replace(' ', '_')}.jpg") * np.float32(LAMPLIGHT)
    columns, rows = largest_of_ratio(wide.shape[1], wide.shape[0], width / height)
    left, top = round(across * (wide.shape[1] - columns)), (wide.shape[0] - rows) // 2
    part = wide[top : top + rows, left : left + columns]
    how = cv2.INTER_AREA if width < columns else cv2.INTER_CUBIC
    return np.maximum(cv2.resize(part, (width, height), interpolation=how), 0)


def _light(path: Path) -> Floats:
    with Image.open(path) as image:
        return light_of(np.asarray(image, np.float32) / np.float32(255))
