"""Finds everyday things in the photo that is edited."""

from editor.engine.canvas import Canvas
from editor.engine.vision.things import Thing, detect


def things_seen(canvas: Canvas) -> list[Thing]:
    """Return the things in the picture, detected once for the same pixels."""
    return canvas.get_or_compute("things", lambda: detect(canvas.picture))
