"""Decide what the boxes mean for each wish.

A box may mark the place where a wish acts, show the thing that the wish names, or have no meaning for the
wish.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from editor.engine.catalog import Declaration, Scope, find_declaration
from editor.engine.kinds import is_plural
from editor.engine.language.findable import (
    RESHAPING_FINDS,
    class_of,
    find_permanent_problem,
    find_target_problem,
)
from editor.engine.language.sentence_parts import (
    Description,
    InterpretationError,
    SentencePart,
    UserInput,
    WishValues,
    as_list,
    changes_of,
    target_of,
)
from editor.engine.plan import Reason, Target
from editor.options import EditKind
from editor.sentences import Sentence

# The classes of targets that a box shows, if one is drawn.
_SHOWN_CLASSES = frozenset(
    {"surface", "green", "seen", "part", "limb", "other", "face", "text", "colored", "toned", "worn"}
)
# Classes of targets that are limited to a box only if the sentence names no other part of the photo and "it"
# refers to the marked thing.
_LIMITED_CLASSES = frozenset({"color", "place"})
# Values of `finds` for operations whose result goes into the box or ends at the box.
_PLACED_FINDS = frozenset({"landmark", "frame"})
# Keys of descriptions that select one of several things.
_DESCRIBING_KEYS = frozenset({"described", "pointed", "of"})
_PAIR_OF_BOXES = 2
_POINTING_KINDS = frozenset({None, "it", "this"})


@dataclass(frozen=True)
class Wish:
    """A wish: one change to one part of the photo."""

    declaration: Declaration
    values: WishValues
    target_description: Description | None

    @property
    def what(self) -> str | None:
        """The kind of target that the wish names, or None if the wish names no target."""
        return self.target_description.get("what", "thing") if self.target_description else None

    @property
    def is_global_by_default(self) -> bool:
        """Whether a wish that names no part changes the whole photo, as tones, looks, and weather do."""
        is_of_all = (
            self.declaration.kind in (EditKind.COLOR, EditKind.ADD) and self.declaration.scope is Scope.REGION
        )
        return is_of_all and self.declaration.finds not in _PLACED_FINDS

    @property
    def is_unplaced(self) -> bool:
        """Whether the wish needs a place but does not name one, as in "add an arrow" or "crop to 4:5"."""
        if self.what == "subject":  # as in "crop to the subject", which a box may show
            return self._is_placed
        is_specified = any(self.values.get(name) for name in ("place", "size", "mode", "amount"))
        is_specified = is_specified or self.values.get("sign") == -1  # "zoom out" needs no place
        return self.what in (*_POINTING_KINDS, "whole") and not is_specified and self._is_placed

    @property
    def _is_placed(self) -> bool:
        return self.declaration.scope is Scope.REGION and self.declaration.finds in _PLACED_FINDS

    @property
    def takes_boxes(self) -> bool:
        """Whether the wish acts in the boxes, or on a thing that is found with the help of the boxes."""
        if self.what in _POINTING_KINDS:
            is_whole = self.declaration.scope is Scope.WHOLE or self._is_placed
            return self.is_unplaced or not (self.is_global_by_default or is_whole)
        return self.what != "whole" or self.is_unplaced

    def in_boxes(self, boxes: tuple[int, ...]) -> Target:
        """Return the target that the wish names, limited to these boxes."""
        description = self.target_description or {}
        noun = "face" if self.what == "face" else description.get("noun")
        return Target("region", boxes=boxes, noun=noun, color=description.get("color"))


@dataclass(frozen=True)
class BoxUse:
    """The purposes that the boxes of a sentence serve.

    If `applies_to_unnamed` is true, a wish that names no part of the photo acts in the boxes. If
    `resolves_pronoun` is true, "it" refers to the marked thing. If `are_unclaimed` is true, something that
    needs a place goes into the boxes.

    If several things share the boxes, `assigned` holds the boxes of each thing. An empty tuple means that the
    thing can be found by its name, and None means that no box is left for the thing.
    """

    boxes: tuple[int, ...] = ()
    applies_to_unnamed: bool = False
    resolves_pronoun: bool = False
    is_alone: bool = False  # whether the sentence names only one part of the photo
    are_unclaimed: bool = False
    names_photo: bool = False
    assigned: Mapping[str, tuple[int, ...] | None] = field(default_factory=dict)

    def target(self, wish: Wish) -> Target | None:
        """Return the target that the boxes show, or None if the words alone determine the target.

        Raises InterpretationError if the wish cannot be carried out with these boxes.
        """
        if wish.what == "region":
            return wish.in_boxes(self._numbered(wish))
        if not self.boxes:
            return None
        if wish.what == "background" and (wish.target_description or {}).get("noun"):
            return Target("background")  # the box marks the subject in front of the background
        if self._shows(wish):
            return Target("region", boxes=self.boxes)
        return None if wish.what in _POINTING_KINDS else self._of_thing(wish)

    def pair(self, moved: Target, other: Target) -> tuple[Target, Target]:
        """Return the moved thing and its destination, each in its own box if two boxes are drawn."""
        is_shared = moved.what == "region" and moved.boxes == self.boxes
        if len(self.boxes) != _PAIR_OF_BOXES or not is_shared or other.what != "thing":
            return moved, other
        return replace(moved, boxes=self.boxes[:1]), replace(other, what="region", boxes=self.boxes[1:])

    def _numbered(self, wish: Wish) -> tuple[int, ...]:
        number = (wish.target_description or {}).get("box")
        return (int(number),) if number else self.boxes

    def _shows(self, wish: Wish) -> bool:
        if wish.is_unplaced:
            return self.are_unclaimed
        if wish.what not in _POINTING_KINDS or wish.declaration.scope is Scope.WHOLE:
            return False
        if wish.is_global_by_default:
            return self.resolves_pronoun if wish.what else self.applies_to_unnamed
        if wish.declaration.finds in RESHAPING_FINDS and wish.what != "this":
            return not self.names_photo  # In "mirror the photo and make it larger", "it" is not the box.
        return bool(wish.what) or wish.takes_boxes

    def _of_thing(self, wish: Wish) -> Target | None:
        is_vague = wish.declaration.vague or wish.values.get("vague")
        if is_vague and wish.target_description and wish.target_description.get("is_shown"):
            raise InterpretationError(
                Reason.AMBIGUOUS, Sentence("Say what should change about it, for example “make it brighter”.")
            )
        target_class = _class_of(wish)
        problem = find_permanent_problem(target_class, wish.declaration.finds)
        if problem is not None:
            raise InterpretationError(problem.reason, problem.hint)
        is_in_all = target_class in _LIMITED_CLASSES and self.resolves_pronoun and self.is_alone
        is_findable = target_class == "color" or not _is_unfindable(wish)
        if target_class not in _SHOWN_CLASSES and not is_in_all and is_findable:
            return None
        boxes = self.assigned.get(_name(wish), self.boxes)
        if boxes is None:
            hint = Sentence("Draw a separate box around each thing, in the order in which you name them.")
            raise InterpretationError(Reason.NEEDS_REGION, hint)
        return wish.in_boxes(boxes) if boxes else None


def assign_boxes(parts: Sequence[SentencePart], user_input: UserInput) -> BoxUse:
    """Return what the boxes are used for, given all parts of the sentence."""
    if not user_input.boxes:
        return BoxUse()
    groups = [group for part in parts if part.role == "wish" for group in _wishes(part)]
    wishes = [wish for group in groups for wish in group]
    is_free = not any(wish.takes_boxes and not wish.is_unplaced for wish in wishes)
    has_targets_to_keep = any(part.role == "spared" for part in parts) or any(
        wish.values.get("keep") for wish in wishes
    )
    is_taken = has_targets_to_keep or any(wish.takes_boxes for wish in wishes)
    is_of_all = is_taken and any(wish.is_global_by_default and wish.what is None for wish in wishes)
    is_used_up = any(
        wish.declaration.kind is EditKind.REMOVE
        or (wish.is_unplaced and wish.declaration.kind is EditKind.COMPOSITION)
        for wish in wishes
        if wish.takes_boxes
    )
    return BoxUse(
        user_input.boxes,
        applies_to_unnamed=not (is_taken or user_input.names_photo),
        resolves_pronoun=not (is_used_up or is_of_all or has_targets_to_keep or user_input.names_photo),
        is_alone=len({str(wish.target_description) for wish in wishes}) == 1,
        are_unclaimed=is_free,
        names_photo=user_input.names_photo,
        assigned=_assign(groups, user_input.boxes, has_targets_to_keep=has_targets_to_keep),
    )


def _wishes(part: SentencePart) -> Iterator[list[Wish]]:
    """Yield the wishes of a part in groups. A change that names its own target forms its own group."""
    shared: list[Wish] = []
    for change in changes_of(part.value):
        values = dict(part.value) | dict(change)
        declaration = find_declaration(values.get("operation", ""))
        if declaration is None:
            continue
        wishes = [Wish(declaration, values, description) for description in as_list(values.get("target"))]
        if "target" in change:
            yield wishes
        else:
            shared += wishes
    if shared:
        yield shared


def _assign(
    wishes: Sequence[Sequence[Wish]], boxes: tuple[int, ...], *, has_targets_to_keep: bool
) -> Mapping[str, tuple[int, ...] | None]:
    """Assign the boxes, in order, to the things that several wishes name.

    If there are fewer boxes than things, things that can be found by name get no box, and "this" takes the
    only box. If some things must be kept, things that are named in the plural and can be found by name get no
    box either.
    """
    things = {_name(wish): wish for one in wishes for wish in one if _class_of(wish) in _SHOWN_CLASSES}
    if has_targets_to_keep:
        return {name: () for name, wish in things.items() if is_plural(name) and not _is_unfindable(wish)}
    unfindable = [name for name, wish in things.items() if _is_unfindable(wish)]
    if len(boxes) == 1 and any(_is_of_box(wish) for one in wishes for wish in one):
        return dict.fromkeys(unfindable)
    if sum(any(_class_of(wish) in _SHOWN_CLASSES for wish in one) for one in wishes) < 2 or len(things) < 2:
        return {}
    if len(things) == len(boxes) and not any(map(is_plural, things)):
        unfindable = list(things)
    unfindable = unfindable or [
        name for name, wish in things.items() if wish.declaration.scope is Scope.TARGET
    ]
    if len(unfindable) == 1:
        return dict.fromkeys(things, ()) | {unfindable[0]: boxes}
    boxes_by_name = {name: (box,) for name, box in zip(unfindable, boxes, strict=False)}
    return dict.fromkeys(things, ()) | dict.fromkeys(unfindable) | boxes_by_name


def _is_of_box(wish: Wish) -> bool:
    """Return whether "this" in a wish means the content of a box and not the photo."""
    return wish.what == "this" and not wish.is_global_by_default


def _class_of(wish: Wish) -> str:
    """Return the class of the wish's target, ignoring the target's description.

    The description is not needed, because a box already shows which of several things is meant.
    """
    return (
        class_of(target_of(_without_description(wish)))
        if wish.target_description and wish.what not in _POINTING_KINDS
        else ""
    )


def _without_description(wish: Wish) -> Description:
    return {
        name: value for name, value in (wish.target_description or {}).items() if name not in _DESCRIBING_KEYS
    }


def _is_unfindable(wish: Wish) -> bool:
    try:
        return (
            find_target_problem(target_of(wish.target_description or {}), wish.declaration.finds) is not None
        )
    except InterpretationError:
        return True


def _name(wish: Wish) -> str:
    description = wish.target_description or {}
    return str(description.get("noun") or description.get("what") or description.get("color"))
