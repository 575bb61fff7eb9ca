"""What is drawn over the photo."""

from editor.engine.operations.add import (
    arrow,
    border,
    emoji,
    frame,
    light_leak,
    shadow,
    shape,
    sticker,
    text,
    vignette,
    watermark,
    weather,
)

__all__ = [
    "arrow",
    "border",
    "emoji",
    "frame",
    "light_leak",
    "shadow",
    "shape",
    "sticker",
    "text",
    "vignette",
    "watermark",
    "weather",
]
