"""Draw a solid-color border around the photo."""

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import color_of
from editor.engine.drawing.margins import Sides
from editor.engine.operations.add.frame_margins import add_border, thickness
from editor.engine.plan import Step

_USUAL = 0.12  # thickness of a border at the maximum amount, as a share of the photo's shorter side


@operation
def border(canvas: Canvas, step: Step, *, color: str, place: str | None) -> Canvas:
    """Add a solid-color border around the photo, or bars on the requested sides, such as "top bottom".

    The photo is not cropped unless an aspect ratio was requested.
    """
    width = thickness(canvas, step, _USUAL)
    named = [side for side in Sides._fields if side in (place or "")]
    sides = Sides.of(canvas.picture, width, "pixels", named or Sides._fields)
    return add_border(canvas, sides, color_of(color))
