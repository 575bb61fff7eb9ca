"""Light and color."""

from editor.engine.operations.color import (
    casts,
    colorize,
    enhance,
    grain,
    haze,
    light,
    looks,
    low_light,
    noise,
    recolor,
    sharpness,
    skin,
    softness,
    tone,
    vibrance,
)

__all__ = [
    "casts",
    "colorize",
    "enhance",
    "grain",
    "haze",
    "light",
    "looks",
    "low_light",
    "noise",
    "recolor",
    "sharpness",
    "skin",
    "softness",
    "tone",
    "vibrance",
]
