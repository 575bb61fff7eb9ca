"""A border."""

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import color_of
from editor.engine.operations.add.around import Sides, surrounded, thickness
from editor.engine.plan import Step

_USUAL = 0.12  # of the shorter side, at full amount


@operation
def border(canvas: Canvas, step: Step) -> Canvas:
    """A border of one color around the photo, which stays whole, but for a shape that was asked for."""
    sides = Sides.all(thickness(canvas, step, _USUAL))
    return surrounded(canvas, sides, color_of(step.color or "white"))
