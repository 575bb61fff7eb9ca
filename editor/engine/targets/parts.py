"""Parts that no detector knows, told by where they are and by their colors: clothes, hair, teeth, flowers."""

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.plan import Target
from editor.engine.targets.clothes import clothes_mask
from editor.engine.targets.color import colored_mask
from editor.engine.targets.figures import someone_of
from editor.engine.targets.flowers import flowers_mask
from editor.engine.targets.hair import hair_mask
from editor.engine.targets.masks import brought_up
from editor.engine.targets.mouth import teeth_mask
from editor.engine.targets.things import things_meant

_FINDERS = {"hair": hair_mask, "teeth": teeth_mask, "flowers": flowers_mask}


def part_mask(canvas: Canvas, target: Target, part: str) -> Floats:
    """The mask at the picture's size of a target whose noun is in PARTS; `part` is what it stands for there.

    A color tells a garment from the others of its owner. Unable when it is not to be told."""
    if part in _FINDERS:
        return _FINDERS[part](canvas, target)
    if target.color:
        boxes = [thing.box for thing in things_meant(canvas, someone_of(target))]
        return brought_up(colored_mask(canvas, target.color, target.noun, boxes, None), canvas.picture)
    return clothes_mask(canvas, target, part)
