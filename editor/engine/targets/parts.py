"""Find clothes, hair, teeth, and flowers, which no detector finds, by their positions and colors."""

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.masks import upsample_mask
from editor.engine.plan import Target
from editor.engine.targets.clothes import clothes_of
from editor.engine.targets.color import colored_mask
from editor.engine.targets.flowers import flowers_mask
from editor.engine.targets.hair import clear_hair_of
from editor.engine.targets.mouth import teeth_mask
from editor.engine.targets.people import find_person, person_part_mask, person_target
from editor.engine.targets.thing_outlines import indistinct_error
from editor.engine.targets.things import target_things


def part_mask(canvas: Canvas, target: Target, part: str) -> Floats:
    """Return the mask, at the picture's size, of a target whose noun is in PARTS.

    `part` is the value for the noun in PARTS. A color distinguishes a garment from the person's other
    garments. Raises OperationError if the part is uncertain.
    """
    if part == "teeth":
        return teeth_mask(canvas, target)
    if part == "flowers":
        return flowers_mask(canvas, target)
    if target.color and part != "hair":
        boxes = [thing.box for thing in target_things(canvas, person_target(target))]
        return upsample_mask(colored_mask(canvas, target.color, target.noun, boxes, None), canvas.picture)
    person = find_person(canvas, target)
    mask = clear_hair_of(person) if part == "hair" else clothes_of(person, part)
    if mask is None:
        raise indistinct_error(target)
    return person_part_mask(canvas, person, mask)
