"""Drawn images that resemble photos closely enough to be edited."""

import cv2
import numpy as np
from PIL import Image


def lake(width: int = 1200, height: int = 800, *, seed: int = 7) -> Image.Image:
    """Draw a lake at dusk with a bright sky, hills, their reflection in the water, and a red boat."""
    random = np.random.default_rng(seed)
    rows = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    columns = np.linspace(0, 1, width, dtype=np.float32)[None, :]
    scene = _sky(rows, columns)
    for base, color, rough in ((0.46, (104, 118, 142), 0.07), (0.53, (52, 70, 74), 0.05)):
        ridge = _ridge(width, base, rough, random)
        scene[(rows > ridge[None, :]) & (rows < 0.6)] = color
    _mirror(scene, random)
    _boat(scene, width, height)
    grain = random.normal(0, 2.2, scene.shape[:2]).astype(np.float32)[:, :, None]
    return Image.fromarray((scene + grain).clip(0, 255).astype(np.uint8))


def _sky(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    top, low = np.array([96, 142, 196], np.float32), np.array([250, 214, 168], np.float32)
    mix = np.clip(rows / 0.55, 0, 1)[:, :, None]
    sun = np.exp(-(((columns - 0.7) / 0.16) ** 2 + ((rows - 0.42) / 0.13) ** 2))[:, :, None]
    sky: np.ndarray = top * (1 - mix) + low * mix + sun * np.array([70, 46, 6], np.float32)
    return sky


def _ridge(width: int, base: float, rough: float, random: np.random.Generator) -> np.ndarray:
    """Return the outline of a mountain range as a sum of slow waves.

    Each wave has a higher frequency and a lower amplitude than the previous one.
    """
    x = np.linspace(0, 2 * np.pi, width, dtype=np.float32)
    waves = [np.sin(x * n + random.uniform(0, 6)) / n**1.2 for n in (1, 2, 3, 5, 9, 17, 33)]
    return base - rough * np.sum(waves, axis=0)


def _mirror(scene: np.ndarray, random: np.random.Generator) -> None:
    """Draw the water as a reflection of everything above the shore.

    The reflection is turned upside down, darkened, and shifted row by row, like ripples.
    """
    height, width = scene.shape[:2]
    shore = int(height * 0.6)
    mirrored = scene[shore - 1 : max(0, 2 * shore - height - 1) : -1]
    shifts = (random.normal(0, 1, len(mirrored)) * np.linspace(1, 9, len(mirrored))).astype(int)
    rippled = np.stack([np.roll(row, shift, axis=0) for row, shift in zip(mirrored, shifts, strict=True)])
    soft = cv2.GaussianBlur(rippled, (0, 0), max(width / 700, 0.8))
    scene[shore : shore + len(soft)] = soft * np.array([0.72, 0.8, 0.88], np.float32)


def _boat(scene: np.ndarray, width: int, height: int) -> None:
    def at(x: float, y: float) -> tuple[int, int]:
        return round(x * width), round(y * height)

    hull = np.array([at(0.2, 0.725), at(0.4, 0.725), at(0.365, 0.785), at(0.235, 0.785)])
    cv2.fillPoly(scene, [hull], (184, 38, 30), cv2.LINE_AA)
    cv2.line(scene, at(0.2, 0.727), at(0.4, 0.727), (244, 236, 224), max(2, height // 160), cv2.LINE_AA)
    sail = np.array([at(0.302, 0.50), at(0.302, 0.715), at(0.38, 0.715)])
    cv2.fillPoly(scene, [sail], (240, 234, 222), cv2.LINE_AA)
    cv2.line(scene, at(0.3, 0.48), at(0.3, 0.725), (88, 66, 48), max(2, height // 200), cv2.LINE_AA)
