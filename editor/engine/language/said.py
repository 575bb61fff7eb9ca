"""What a sentence says, in parts, before any of it is a step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from editor.engine.kinds import is_plural, kinds_of, plural_of
from editor.engine.language.findable import class_of
from editor.engine.plan import Reason, Target


@dataclass(frozen=True)
class Scene:
    """What a person gave: the words, how many photos, the numbers of the boxes on the first, and whether the
    words name the photo."""

    instruction: str
    photos: int = 1
    boxes: tuple[int, ...] = ()
    names_photo: bool = False


class Unmeant(ValueError):
    """What is said cannot be meant here; the message says what would help."""

    def __init__(self, reason: Reason, hint: str) -> None:
        super().__init__(hint)
        self.reason = reason


@dataclass(frozen=True)
class Said:
    """A part of a sentence: a "wish", what is "spared", that a change is "moderate", an "aside" with a
    context."""

    role: str
    value: Any
    words: tuple[int, int]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def changes_of(wish: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Each change that a wish asks for."""
    return wish.get("each") or [{}]


def target_of(told: Mapping[str, Any]) -> Target:
    """A target as the constructions give it. One thing that is described by what no eye can check is the only
    one, and several are as many as are said; else, or by what is "worn", nobody knows which are meant. An
    "idle" description chooses none; which of several are "pointed" at, only a box shows."""
    noun, count = told.get("noun"), told.get("count")
    if told.get("described") and not (told.get("place") or told.get("color")):
        if (is_plural(noun or "") and not count) or told["described"] == "worn":
            raise Unmeant(Reason.AMBIGUOUS, "Which ones are meant is not clear. Mark them with a box.")
        count = count or (None if told["described"] == "idle" else 1)
    is_chosen = count or told.get("place") or told.get("color")
    if told.get("pointed") and not is_chosen and is_plural(noun or "") and kinds_of(noun):
        raise Unmeant(Reason.NEEDS_REGION, "Mark with a box which ones are meant.")
    is_several = (told.get("several") and kinds_of(noun)) or (count and count > 1)
    if is_several and noun and not is_plural(noun):
        noun = plural_of(noun)
    what = told.get("what") or "thing"
    target = Target(
        what="whole" if what in ("it", "this", "rest") else what,
        noun=noun,
        color=told.get("color"),
        place=told.get("place"),
        count=int(count) if count else None,
        of=None if what == "face" and is_plural(told.get("of") or "") else told.get("of"),
    )
    return replace(target, color="green") if class_of(target) == "green" and not target.color else target
