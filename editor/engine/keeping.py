"""Tells which area of the photo a plan names, so that everything else can be kept while another engine
carries out the prompt.

Only the child process of the sandbox imports OpenCV (`changing_area`).
"""

from editor.engine.plan import Plan, Step
from editor.options import EditKind

FINDER = "editor.engine.changing_area:write_mask"
_ERASERS = frozenset({"erase", "erase_text", "hide_faces"})
# Additions that change only the place where they are, unlike light and weather.
_OBJECTS = frozenset(
    {
        *("arrow", "balloons", "birds", "emoji", "prop", "prop_instead", "shadow", "shape", "speech_bubble"),
        *("sticker", "text", "text_instead", "watermark"),
    }
)
_USUAL = frozenset({EditKind.COLOR, EditKind.REMOVE, EditKind.ADD})
_SIDES = frozenset({"left", "right", "top", "bottom", "upper", "lower", "center", "middle"})


def names_area(plan: Plan) -> bool:
    """Return whether the prompt is fully understood and every step changes only an area that it names."""
    return bool(plan.steps) and not plan.not_understood and all(map(_has_area, plan.steps))


def is_kept_by_default(plan: Plan) -> bool:
    """Return whether everything else is kept unless a person decides otherwise.

    This is so for colors, removals, and additions, but not for new backgrounds.
    """
    return all(step.kind in _USUAL for step in plan.steps)


def _has_area(step: Step) -> bool:
    is_named = step.target.what not in ("whole", "region") and not step.target.boxes
    match step.kind:
        case EditKind.COLOR:
            return is_named or (step.target.what == "whole" and bool(step.keep))
        case EditKind.REMOVE:
            return step.operation in _ERASERS
        case EditKind.ADD:
            is_placed = is_named or bool(_SIDES & set((step.place or "").split()))
            return is_placed and step.operation in _OBJECTS
        case EditKind.BACKGROUND:
            return is_named
        case _:  # Moved things and new shapes change everything.
            return False
