"""What is drawn over the photo."""

from editor.engine.operations.add import (
    air,
    arrow,
    border,
    emoji,
    frame,
    light_leak,
    lights,
    scattered,
    shadow,
    shape,
    sky,
    sticker,
    text,
    vignette,
    watermark,
    weather,
)

__all__ = [
    "air",
    "arrow",
    "border",
    "emoji",
    "frame",
    "light_leak",
    "lights",
    "scattered",
    "shadow",
    "shape",
    "sky",
    "sticker",
    "text",
    "vignette",
    "watermark",
    "weather",
]
