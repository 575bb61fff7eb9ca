"""What can be done to a photo: importing this package fills canvas.OPERATIONS."""

from editor.engine.canvas import OPERATIONS as OPERATIONS
from editor.engine.operations import add, background, color, composition, remove

__all__ = ["OPERATIONS", "add", "background", "color", "composition", "remove"]
