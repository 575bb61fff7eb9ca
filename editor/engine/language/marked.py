"""What boxes are to the wishes of a sentence: where one acts, the thing that another names, or nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from editor.engine.catalog import Declaration, Scope, declared
from editor.engine.kinds import is_plural
from editor.engine.language.findable import class_of, lost, never
from editor.engine.language.said import Said, Scene, Unmeant, changes_of, listed, target_of
from editor.engine.plan import Reason, Target
from editor.options import EditKind

_SHOWN = frozenset(
    {"surface", "green", "seen", "part", "limb", "other", "face", "text", "colored", "toned", "worn"}
)
"""Classes of what a box shows, where one is drawn."""
_IN_ALL = frozenset({"color", "place"})  # the same, unless the words name the photo
_PLACED = frozenset({"landmark", "frame"})  # what such an operation makes is put into the box, or ends at it
_PAIR = 2
_POINTING = frozenset({None, "it", "this"})


@dataclass(frozen=True)
class Wish:
    """One change of one part, as it is told."""

    declaration: Declaration
    made: Mapping[str, Any]
    told: Mapping[str, Any] | None

    @property
    def what(self) -> str | None:
        return self.told.get("what", "thing") if self.told else None

    @property
    def is_toned(self) -> bool:
        """Whether it changes all of the photo where no part is named: tones, looks, light and weather."""
        is_of_all = (
            self.declaration.kind in (EditKind.COLOR, EditKind.ADD) and self.declaration.scope is Scope.REGION
        )
        return is_of_all and self.declaration.finds not in _PLACED

    @property
    def is_unplaced(self) -> bool:
        """Whether it is put somewhere, and nothing says where: "add an arrow", "crop it to 4:5"."""
        if self.what == "subject":
            return self._is_placed
        is_told = any(self.made.get(name) for name in ("place", "size", "mode", "amount"))
        is_told = is_told or self.made.get("sign") == -1  # "zoom out"
        return self.what in (*_POINTING, "whole") and not is_told and self._is_placed

    @property
    def _is_placed(self) -> bool:
        return self.declaration.scope is Scope.REGION and self.declaration.finds in _PLACED

    @property
    def takes_boxes(self) -> bool:
        """Whether it is for the boxes, or for what is found by them."""
        if self.what in _POINTING:
            is_whole = self.declaration.scope is Scope.WHOLE or self._is_placed
            return self.is_unplaced or not (self.is_toned or is_whole)
        return self.what != "whole" or self.is_unplaced

    def in_boxes(self, boxes: tuple[int, ...]) -> Target:
        """What it names, in these boxes."""
        told = self.told or {}
        noun = "face" if self.what == "face" else told.get("noun")
        return Target("region", boxes=boxes, noun=noun, color=told.get("color"))


@dataclass(frozen=True)
class Marks:
    """The boxes of a sentence. What names no part is in them where it `is_loose`, "it" where it `is_pointed`
    at, what needs a place where they are `free`. `own` are those of things that share them with others: none
    where the name of one is enough, None where it has no box left."""

    boxes: tuple[int, ...] = ()
    is_loose: bool = False
    is_pointed: bool = False
    is_alone: bool = False  # one part is named, and no other
    are_free: bool = False
    names_photo: bool = False
    own: Mapping[str, tuple[int, ...] | None] = field(default_factory=dict)

    def target(self, wish: Wish) -> Target | None:
        """The target that the boxes show; None where it is for the words to say. Raises Unmeant."""
        if wish.what == "region":
            return wish.in_boxes(self._numbered(wish))
        if not self.boxes:
            return None
        if wish.what == "background" and (wish.told or {}).get("noun"):
            return Target("background")  # what is to stay in front of it is what a box shows
        if self._shows(wish):
            return Target("region", boxes=self.boxes)
        return None if wish.what in _POINTING else self._of_thing(wish)

    def pair(self, moved: Target, other: Target) -> tuple[Target, Target]:
        """What is moved and what it goes to, each in its own box where two are drawn."""
        is_shared = moved.what == "region" and moved.boxes == self.boxes
        if len(self.boxes) != _PAIR or not is_shared or other.what != "thing":
            return moved, other
        return replace(moved, boxes=self.boxes[:1]), replace(other, what="region", boxes=self.boxes[1:])

    def _numbered(self, wish: Wish) -> tuple[int, ...]:
        number = (wish.told or {}).get("box")
        return (int(number),) if number else self.boxes

    def _shows(self, wish: Wish) -> bool:
        if wish.is_unplaced:
            return self.are_free
        if wish.what not in _POINTING or wish.declaration.scope is Scope.WHOLE:
            return False
        if wish.is_toned:
            return self.is_pointed if wish.what else self.is_loose
        if wish.declaration.finds == "moved" and wish.what != "this":
            return not self.names_photo  # "mirror the photo and make it larger"
        return bool(wish.what) or wish.takes_boxes

    def _of_thing(self, wish: Wish) -> Target | None:
        is_vague = wish.declaration.vague or wish.made.get("vague")
        if is_vague and wish.told and wish.told.get("is_shown"):
            raise Unmeant(Reason.AMBIGUOUS, "Say what should change about it, for example: make it brighter.")
        found = _class_of(wish)
        why = never(found, wish.declaration.finds)
        if why is not None:
            raise Unmeant(why.reason, why.hint)
        is_in_all = found in _IN_ALL and self.is_pointed and self.is_alone
        is_found = found == "color" or not _is_lost(wish)
        if found not in _SHOWN and not is_in_all and is_found:
            return None
        boxes = self.own.get(_name(wish), self.boxes)
        if boxes is None:
            hint = "Mark each thing with its own box, in the order in which they are named."
            raise Unmeant(Reason.NEEDS_REGION, hint)
        return wish.in_boxes(boxes) if boxes else None


def marks(parts: Sequence[Said], scene: Scene) -> Marks:
    """What the boxes are for, by all that is said."""
    if not scene.boxes:
        return Marks()
    wishes = [list(_wishes(part)) for part in parts if part.role == "wish"]
    every = [wish for wishes_of_one in wishes for wish in wishes_of_one]
    is_free = not any(wish.takes_boxes and not wish.is_unplaced for wish in every)
    has_spared = any(part.role == "spared" for part in parts) or any(wish.made.get("keep") for wish in every)
    is_taken = has_spared or any(wish.takes_boxes for wish in every)
    is_of_all = is_taken and any(wish.is_toned and wish.what is None for wish in every)
    is_used_up = any(
        wish.declaration.kind is EditKind.REMOVE
        or (wish.is_unplaced and wish.declaration.kind is EditKind.COMPOSITION)
        for wish in every
        if wish.takes_boxes
    )
    return Marks(
        scene.boxes,
        is_loose=not (is_taken or scene.names_photo),
        is_pointed=not (is_used_up or is_of_all or has_spared or scene.names_photo),
        is_alone=len({str(wish.told) for wish in every}) == 1,
        are_free=is_free,
        names_photo=scene.names_photo,
        own=_own(wishes, scene.boxes, has_spared=has_spared),
    )


def _wishes(part: Said) -> Iterator[Wish]:
    for change in changes_of(part.value):
        made = dict(part.value) | dict(change)
        found = declared(made.get("operation", ""))
        if found is not None:
            yield from (Wish(found, made, told) for told in listed(made.get("target")))


def _own(
    wishes: Sequence[Sequence[Wish]], boxes: tuple[int, ...], *, has_spared: bool
) -> Mapping[str, tuple[int, ...] | None]:
    """Of several things that several wishes name each has its own box, in their order; with fewer boxes those
    that are found by their names need none, nor where some of them are spared."""
    things = {_name(wish): wish for one in wishes for wish in one if _class_of(wish) in _SHOWN}
    if has_spared:
        return {name: () for name, wish in things.items() if is_plural(name) and not _is_lost(wish)}
    if sum(any(_class_of(wish) in _SHOWN for wish in one) for one in wishes) < 2 or len(things) < 2:
        return {}
    strange = [name for name, wish in things.items() if _is_lost(wish)]
    if len(things) == len(boxes) and not any(map(is_plural, things)):
        strange = list(things)
    strange = strange or [name for name, wish in things.items() if wish.declaration.scope is Scope.TARGET]
    if len(strange) == 1:
        return dict.fromkeys(things, ()) | {strange[0]: boxes}
    own = {name: (box,) for name, box in zip(strange, boxes, strict=False)}
    return dict.fromkeys(things, ()) | dict.fromkeys(strange) | own


def _class_of(wish: Wish) -> str:
    """Which one of several is meant the boxes say."""
    return class_of(target_of(_undescribed(wish))) if wish.told and wish.what not in _POINTING else ""


def _undescribed(wish: Wish) -> Mapping[str, Any]:
    return {name: value for name, value in (wish.told or {}).items() if name not in ("described", "pointed")}


def _is_lost(wish: Wish) -> bool:
    try:
        return lost(target_of(wish.told or {}), wish.declaration.finds) is not None
    except Unmeant:
        return True


def _name(wish: Wish) -> str:
    told = wish.told or {}
    return str(told.get("noun") or told.get("what") or told.get("color"))
