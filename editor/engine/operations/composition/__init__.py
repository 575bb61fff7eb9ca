"""What is in the photo, and where."""

from editor.engine.operations.composition import (
    collage,
    counts,
    crop,
    extend,
    files,
    moves,
    resize,
    straighten,
    trim,
    turn,
    zoom,
)

__all__ = [
    "collage",
    "counts",
    "crop",
    "extend",
    "files",
    "moves",
    "resize",
    "straighten",
    "trim",
    "turn",
    "zoom",
]
