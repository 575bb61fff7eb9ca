"""Find the area of the photo that a plan names.

Everything else can be kept while another engine carries out the prompt.

Only the child process of the sandbox imports OpenCV (`changing_area`).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from editor.engine.plan import Plan, Step
from editor.options import EditKind

FINDER = "editor.engine.changing_area:write_mask"  # the function that finds the area, for the sandbox
_KEPT_BY_DEFAULT = frozenset({EditKind.COLOR, EditKind.REMOVE, EditKind.ADD})
# The words of places that `targets.places.anchor_of` knows. That module imports OpenCV.
_SIDES = frozenset({"left", "right", "top", "bottom", "upper", "lower", "center", "middle"})
# A change of one named thing. Another clause could change something else.
_CHANGE = re.compile(
    r"(?:please )?(?:change|convert|give|make|paint|replace|restyle|swap|transform|turn) "
    r"(the [^,;.:!?\n]+)[.!]?",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"\b(?:and|then|but|also|while|everything|except)\b", re.IGNORECASE)
_LONGEST_NAME = 7  # maximum number of words in the name of a thing, as in "the red car on the left"
_PROBES = ("erase {}", "brighten {}")  # prompts that are accepted if the engine knows the thing


@dataclass(frozen=True)
class Area:
    """The area that a prompt names, as the steps of a plan.

    It includes whether everything else is kept by default.
    """

    plan: Plan
    is_kept_by_default: bool


def area_of(prompt: str, read: Callable[[str], Plan]) -> Area | None:
    """Return the area that a prompt names, or None if it cannot be determined.

    `read` plans a prompt. A prompt such as "turn the dog into a lion" is not understood, but names the dog.
    """
    plan = read(prompt)
    if names_area(plan):
        return Area(plan, is_kept_by_default(plan))
    named = None if plan.steps else _changed_thing(prompt, read)
    return None if named is None else Area(named, is_kept_by_default=False)


def _changed_thing(prompt: str, read: Callable[[str], Plan]) -> Plan | None:
    """Return a plan for the one thing that a prompt changes, or None if it cannot be determined."""
    found = _CHANGE.fullmatch(prompt.strip())
    if found is None or _CLAUSES.search(prompt):
        return None
    words = found[1].split()
    for count in range(min(len(words), _LONGEST_NAME), 1, -1):
        for probe in _PROBES:
            plan = read(probe.format(" ".join(words[:count])))
            if names_area(plan):
                return plan
    return None


def names_area(plan: Plan) -> bool:
    """Return whether the prompt is fully understood and every step changes only an area that it names."""
    return bool(plan.steps) and not plan.not_understood and all(map(_has_area, plan.steps))


def is_kept_by_default(plan: Plan) -> bool:
    """Return whether everything else is kept unless a person decides otherwise.

    This is so for colors, removals, and additions, but not for new backgrounds.
    """
    return all(step.kind in _KEPT_BY_DEFAULT for step in plan.steps)


def _has_area(step: Step) -> bool:
    if not step.declaration.local:
        return False
    is_named = step.target.what not in ("whole", "region") and not step.target.boxes
    match step.kind:
        case EditKind.REMOVE:
            return True
        case EditKind.COLOR:
            return is_named or (step.target.what == "whole" and bool(step.keep))
        case EditKind.ADD:
            return is_named or bool(_SIDES & set((step.place or "").split()))
        case _:
            return is_named
