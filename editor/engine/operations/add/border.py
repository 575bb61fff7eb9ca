"""A border."""

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import color_of
from editor.engine.drawing.room import Sides
from editor.engine.operations.add.around import surrounded, thickness
from editor.engine.plan import Step

_USUAL = 0.12  # of the shorter side, at full amount


@operation
def border(canvas: Canvas, step: Step, *, color: str, place: str | None) -> Canvas:
    """A border of one color around the photo, or bars at the sides of its place ("top bottom"). The photo
    stays whole, but for a shape that was asked for."""
    width = thickness(canvas, step, _USUAL)
    named = [side for side in Sides._fields if side in (place or "")]
    sides = Sides.of(canvas.picture, width, "pixels", named or Sides._fields)
    return surrounded(canvas, sides, color_of(color))
