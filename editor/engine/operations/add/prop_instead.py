"""Replace something in the photo with a prop."""

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.kinds import is_plural, kinds_of
from editor.engine.operations.add.prop import sprite_of, with_props
from editor.engine.operations.add.prop_places import Spot, box_of, in_a_box, part_of
from editor.engine.operations.add.prop_scale import Scene, scene_of
from editor.engine.operations.add.prop_zones import PropRequest, height_of
from editor.engine.operations.remove.erase import erase
from editor.engine.pixels import Box
from editor.engine.plan import DEFAULT_AMOUNT, Step
from editor.engine.props import PROPS
from editor.engine.targets.target_masks import step_hole
from editor.engine.targets.things import target_things
from editor.engine.vision.things import Thing

_LARGER = 1.2  # maximum longer side of a prop, as a multiple of the longer side of the replaced object
# Minimum height of a prop, as a share of the maximum height at which it fits into the replaced object's box.
_MIN_HEIGHT = 0.45
# Minimum overlap between the erased box and a detected object if the object is the erased one, as a share of
# the larger box.
_SAME = 0.6
# Kinds of flat objects. A prop that replaces a flat object is placed in the middle of the object's box.
_FLAT = frozenset({"pizza", "sandwich", "keyboard", "book", "mouse", "cell phone", "remote"})


@operation
def prop_instead(canvas: Canvas, step: Step, *, prop: str, color: str | None, count: int) -> Canvas:
    """Erase the target, as `erase` does, and put the requested prop in its place.

    The base of the prop is where the base of the erased object was, and its size is natural relative to that
    object. Raises OperationError in the same cases as `erase`.
    """
    chosen, growth = PROPS[prop], float(4 ** (step.amount_or_default.share - DEFAULT_AMOUNT))
    sprite = sprite_of(chosen, color)
    ask = PropRequest(chosen, step, False, sprite.shape[1] / sprite.shape[0], count, growth)
    placed = [spot for box in _places(canvas, step) for spot in _spots(canvas, ask, box)]
    return with_props(erase(canvas, step), sprite, placed)


def _places(canvas: Canvas, step: Step) -> list[Box]:
    """Return the box of each object that will be replaced."""
    target = step.target
    if is_plural(target.noun or "") and kinds_of(target.noun) and not target.boxes:
        return [thing.box for thing in target_things(canvas, target)]
    hole = step_hole(canvas, step)
    if hole is None or not hole.any():
        return []  # `erase` raises OperationError later, because there is nothing to erase.
    return [Box.around((hole > 0.5).astype(np.uint8))]


def _spots(canvas: Canvas, ask: PropRequest, box: Box) -> list[Spot]:
    scene = scene_of(canvas)
    if ask.count > 1 or ask.step.target.what == "region":
        return [_grounded(ask, scene, spot) for spot in in_a_box(canvas, ask, box)]
    there = next((thing for thing in scene.things if thing.box.overlap_ratio(box) > _SAME), None)
    height = _height(ask, scene, box, there)
    is_flat = there is not None and there.kind in _FLAT
    foot = box.center[1] + height / 2 if ask.is_up or is_flat else float(box.bottom)
    place = box_of(box.center[0], foot, height, ask.aspect).moved_into(Box(0, 0, scene.width, scene.height))
    return [_grounded(ask, scene, Spot(place, is_mirrored=False, has_shadow=True))]


def _grounded(ask: PropRequest, scene: Scene, spot: Spot) -> Spot:
    """Return the place of a prop, with a shadow only if the prop touches the ground there."""
    foot = spot.box._replace(top=spot.box.bottom - 1)
    is_in_the_sky = scene.sky is not None and part_of(scene.sky, scene, foot).mean() > 0.5
    return spot._replace(has_shadow=ask.prop.sits in ("stands", "lies") and not is_in_the_sky)


def _height(ask: PropRequest, scene: Scene, box: Box, there: Thing | None) -> float:
    """Return the height, in pixels, of a prop that replaces an object.

    This is the prop's natural height next to the object, within limits. If a prop of that height would cover
    a face, the prop is shrunk until it fits into the object's box.
    """
    scale = scene.scale_of(there) if there else None
    fitting = min(box.height, box.width / ask.aspect)
    longest = min(_LARGER * max(box.width, box.height), box.bottom, scene.width / max(1.0, ask.aspect))
    largest = max(fitting, longest / max(1.0, ask.aspect))
    height = float(np.clip(height_of(ask, scene, box.bottom, scale), _MIN_HEIGHT * fitting, largest))
    place = box_of(box.center[0], box.bottom, height, ask.aspect)
    hides = any(place.overlap(face) and not box.holds_center_of(face) for face in scene.faces)
    return min(height, fitting) if hides else height
