"""What is in the photo, and where."""

from editor.engine.operations.composition import crop, resize, turn

__all__ = ["crop", "resize", "turn"]
