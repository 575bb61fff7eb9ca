"""Light and color."""

from editor.engine.operations.color import enhance, looks, recolor, sharpness, tone

__all__ = ["enhance", "looks", "recolor", "sharpness", "tone"]
