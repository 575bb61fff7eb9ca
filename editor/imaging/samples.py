"""Generate landscape photos for trying out the site."""

import io

import numpy as np
from PIL import Image, ImageFilter

SIZE = (900, 600)
_SKIES = ((96, 150, 205), (214, 140, 96), (120, 126, 150), (70, 84, 140), (150, 190, 210), (226, 178, 130))
_LANDS = ((62, 92, 58), (104, 74, 52), (74, 88, 70), (38, 48, 66), (96, 120, 72), (120, 88, 60))


def landscape(number: int) -> bytes:
    """Return a 900 x 600 pixel JPEG. The same number always gives the same image."""
    draw = np.random.default_rng(number)
    width, height = SIZE
    rows, columns = np.mgrid[0:height, 0:width]
    sky = np.array(_SKIES[number % len(_SKIES)], dtype=np.float32)
    pixels = sky + (rows / height)[..., None] * (248 - sky) * 0.8
    sun = np.exp(-(((columns - draw.uniform(0.2, 0.8) * width) ** 2 + (rows - 150) ** 2) / 2600))
    pixels += sun[..., None] * np.array((255, 236, 190)) * 0.7
    for depth in range(4):
        ridge = _ridge(draw, width) * (70 - 8 * depth) + height * (0.5 + 0.13 * depth)
        land = np.array(_LANDS[number % len(_LANDS)]) * (1.35 - 0.22 * depth)
        pixels = np.where((rows > ridge)[..., None], land, pixels)
    pixels += draw.normal(0, 3, (height, width, 1))
    image = Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.8))
    file = io.BytesIO()
    image.save(file, "JPEG", quality=90)
    return file.getvalue()


def _ridge(draw: np.random.Generator, width: int) -> np.ndarray:
    """Return a ridge's heights from left to right, about -1 to 1, as the sum of a few sine waves."""
    across = np.linspace(0, 2 * np.pi, width)
    waves = (np.sin(across * step + draw.uniform(0, 6)) / step for step in (1, 2, 3, 5, 9))
    return np.sum(list(waves), axis=0) / 1.5
