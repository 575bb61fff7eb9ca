"""Draw test pictures and measure edited pictures."""

from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine import run
from editor.engine.plan import WHOLE, Plan, Step, Target
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.options import EditOptions

REGION = Target("region", boxes=(1,))


def step(operation: str, *about: Target, **values: Any) -> Step:
    """Return a step with this target and these plain values.

    The values have the same form as in a plan's JSON. `about` contains the target, by default the whole
    photo.
    """
    data = {
        "operation": operation,
        "target": next(iter(about), WHOLE),
        "keep": (),
        "words": [0, 0],
        "says": "",
    }
    return Step.from_json({name: _plain(value) for name, value in (data | values).items()})


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.as_json() if isinstance(value, Target) else value


def apply_steps(picture: Picture, *steps: Step, photos: tuple[Picture, ...] = (), **options: Any) -> Picture:
    """Return the first result of a plan with these steps."""
    return carry_out_steps(picture, *steps, photos=photos, **options)[0]


def carry_out_steps(
    picture: Picture, *steps: Step, photos: tuple[Picture, ...] = (), partial: bool = False, **options: Any
) -> list[Picture]:
    plan = Plan("do it", steps, partial=partial)
    return run.carry_out(plan, [picture, *photos], EditOptions(**options), seed=1)


def scenery(width: int = 240, height: int = 160, seed: int = 3) -> Picture:
    """Draw many soft colors with a little grain."""
    random = np.random.default_rng(seed)
    small = random.integers(20, 236, (6, 8, 3), np.uint8)
    smooth = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    return Picture(np.clip(smooth + random.normal(0, 3, smooth.shape), 0, 255).astype(np.uint8))


def ball(width: int = 360, height: int = 270, color: tuple[int, int, int] = (205, 40, 40)) -> Picture:
    """Draw a shaded ball to the right of the middle, on a calm gray-green background."""
    pixels = np.full((height, width, 3), (120, 140, 125), np.float32)
    rows, columns = np.indices((height, width), np.float32)
    pixels += (rows[:, :, None] / height - 0.5) * 30
    inside = ball_mask(width, height) == 1
    shade = 1 - 0.4 * np.hypot(columns - 0.52 * width, rows - 0.42 * height) / (0.28 * height)
    pixels[inside] = (np.array(color) * shade[:, :, None])[inside]
    pixels += np.random.default_rng(5).normal(0, 2, pixels.shape)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def ball_mask(width: int = 360, height: int = 270) -> Bytes:
    mask = np.zeros((height, width), np.uint8)
    middle = (round(0.56 * width), round(0.5 * height))
    return cast(Bytes, cv2.circle(mask, middle, round(0.28 * height), 1, -1))


def deep(picture: Picture) -> Picture:
    return Picture((picture.pixels.astype(np.uint16) * 257).astype(np.uint16))


def with_alpha(picture: Picture) -> Picture:
    alpha = np.linspace(0, 255, picture.width).astype(np.uint8)
    return Picture(cast(Bytes, np.dstack([picture.pixels, np.tile(alpha, (picture.height, 1))])))


def lab(picture: Picture) -> NDArray[np.float32]:
    """Return the picture in CIELAB, as a height x width x 3 array."""
    colors = picture.pixels[:, :, :3] * np.float32(1 / np.iinfo(picture.pixels.dtype).max)
    return cast(NDArray[np.float32], cv2.cvtColor(colors, cv2.COLOR_RGB2LAB))


def light(picture: Picture) -> float:
    return float(lab(picture)[:, :, 0].mean())


def chroma(picture: Picture) -> float:
    values = lab(picture)
    return float(np.hypot(values[:, :, 1], values[:, :, 2]).mean())


def detail(picture: Picture) -> float:
    return float(cv2.Laplacian(lab(picture)[:, :, 0], cv2.CV_32F).var())


def changed(before: Picture, after: Picture) -> NDArray[np.bool_]:
    """Return a mask of the pixels in which any channel differs."""
    return cast(NDArray[np.bool_], (before.pixels[:, :, :3] != after.pixels[:, :, :3]).any(2))


def levels(pixels: Pixels) -> int:
    return len(np.unique(pixels))
