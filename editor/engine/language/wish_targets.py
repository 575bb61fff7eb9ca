"""Determine what a wish changes and what it keeps. This includes what “it” and “the rest” mean."""

import re
from collections.abc import Sequence
from typing import Any

from editor.engine.kinds import is_plural, is_someone
from editor.engine.language.box_use import Wish
from editor.engine.language.draft import Draft
from editor.engine.language.findable import RESHAPING_FINDS, find_target_problem
from editor.engine.language.hints import ONE_CHANGE, WHICH, WHICH_PART
from editor.engine.language.sentence_parts import (
    Description,
    InterpretationError,
    UserInput,
    as_list,
    target_of,
)
from editor.engine.plan import WHOLE, Reason, Step, Target
from editor.options import EditKind
from editor.sentences import Sentence

# Values of `finds` for operations that put the changed thing in a different place, so that "it" cannot refer
# to the thing afterwards.
_RELOCATING_FINDS = RESHAPING_FINDS | {"landmark", "counted", "replaced"}
# The kinds of steps after which "it" does not refer to the target of the step.
_KINDS_WITHOUT_ANTECEDENT = frozenset({EditKind.COMPOSITION, EditKind.REMOVE, EditKind.BACKGROUND})
_FACES = re.compile(r"\bfaces\b", re.IGNORECASE)
# Values of `what` for targets that "the rest" can leave out.
_EXCLUDABLE_TARGETS = frozenset({"thing", "face", "subject", "region"})


def target_of_wish(wish: Wish, draft: Draft) -> Target:
    """Return the target of a wish, which is the content of the boxes or the thing that the words name.

    Raises InterpretationError if the target is ambiguous.
    """
    description, what = wish.target_description or {}, wish.what
    if what in ("photo", "photos"):
        return _photo_to_change(description, draft.user_input)
    if what == "it" and draft.remark:
        draft.is_remark_used = True
        if not draft.user_input.boxes:
            return _target_of_remark(wish, draft)
    if what == "it" and draft.aim is not None and not draft.user_input.boxes:
        return target_of(draft.aim.value)
    if what == "it" and draft.steps and _is_about_photo(wish, draft.steps[-1]):
        return WHOLE
    relocating = _RELOCATING_FINDS | {"erase"} if description.get("several") else _RELOCATING_FINDS
    if what == "it" and draft.steps and draft.steps[-1].declaration.finds in relocating:
        raise InterpretationError(Reason.AMBIGUOUS, WHICH, {"it": ("the photo",)})
    boxed_target = draft.box_use.target(wish)
    if boxed_target is not None:
        return boxed_target
    if what == "it" and draft.steps and _is_about_background(wish, draft.steps[-1]):
        hint = Sentence("Say “the background” or “the photo” instead of “it”.")
        raise InterpretationError(Reason.AMBIGUOUS, hint, {"it": ("the background", "the photo")})
    if what == "it" and draft.steps and not _leaves_it_to_the_photo(draft.steps[-1]):
        if not description.get("several") and _is_plural_or_photo(draft):
            raise InterpretationError(Reason.AMBIGUOUS, WHICH, {"it": ("the photo",)})
        return draft.steps[-1].target
    if what == "rest" and not (draft.targets_to_keep or any(step.keep for step in draft.steps)):
        raise InterpretationError(Reason.AMBIGUOUS, WHICH_PART)
    _require_noun(description)
    return target_of(description) if what not in (None, "it", "this") else WHOLE


def _require_noun(description: Description) -> None:
    """Raise InterpretationError if a description names nothing, as in "the red ones"."""
    if description.get("noun") in ("one", "ones"):
        hint = Sentence("Say what you mean instead of “%(word)s”.", word=description["noun"])
        raise InterpretationError(Reason.AMBIGUOUS, hint)


def _target_of_remark(wish: Wish, draft: Draft) -> Target:
    """Return the thing that the remark before a wish is about: "the lawn is dry, make it green".

    Raises InterpretationError if "it" may also mean the photo, as in "my dog is cute, brighten it".
    """
    assert draft.remark is not None
    description = draft.remark.value["target"]
    if not wish.is_global_by_default or wish.values.get("color") or description.get("what") == "background":
        return target_of(description)
    is_several = (wish.target_description or {}).get("several")
    if description.get("is_plain") and not is_several:  # as in "the weather was bad, brighten it"
        draft.is_remark_used = False
        return WHOLE
    replacements = (f"the {description.get('noun') or description.get('what')}", "the photo")
    raise InterpretationError(Reason.AMBIGUOUS, WHICH, {"it": replacements, "them": replacements})


def _is_about_background(wish: Wish, before: Step) -> bool:
    """Return whether "it" may mean the background that the previous step makes.

    "It" cannot mean the background if the background is gone, or if the wish would undo the step, as in "blur
    the background and sharpen it".
    """
    ground = before.declaration.ground
    is_undone = ground == "blurred" and bool(wish.declaration.opposite)
    return before.target.what == "background" and ground not in ("", "none") and not is_undone


def _leaves_it_to_the_photo(step: Step) -> bool:
    """Return whether "it" after this step means the photo, as in "remove the background and brighten it"."""
    return step.kind in _KINDS_WITHOUT_ANTECEDENT or step.declaration.ground not in ("", "blurred")


def _is_plural_or_photo(draft: Draft) -> bool:
    """Return whether "it" hardly means the target of the last step, as in "sharpen the faces and warm it".

    It may also mean the photo if an earlier step changes all of it.
    """
    last = draft.steps[-1]
    words = draft.user_input.text_of(last.words)
    is_several = is_plural(last.target.noun or "") or bool(_FACES.search(words))
    changes_all = any(step.target == WHOLE and step.kind is EditKind.COLOR for step in draft.steps[:-1])
    return last.target != WHOLE and (is_several or changes_all)


def _is_about_photo(wish: Wish, before: Step) -> bool:
    """Return whether "it" means the photo after something was added.

    "It" means the photo in "add two trees and make it warmer", but not in "add a hat and make it red".
    """
    return before.kind is EditKind.ADD and wish.is_global_by_default and not wish.values.get("color")


def _photo_to_change(description: Description, user_input: UserInput) -> Target:
    """Return the whole photo as the target if the words name photo 1, or raise InterpretationError.

    Only photo 1 can be changed, so "brighten the second photo" is refused.
    """
    number = (
        photo_number(description["photo"], user_input)
        if "photo" in description
        else 1
        if user_input.photos == 1
        else 2
    )
    if number > 1 and user_input.photos > 1:
        raise InterpretationError(
            Reason.NEEDS_REFERENCE, Sentence("I only change photo 1. Put that photo first.")
        )
    if number > 1:
        hint = Sentence(
            "You attached only one photo. Attach photo %(number)s, and I can use it.", number=number
        )
        raise InterpretationError(Reason.NEEDS_REFERENCE, hint)
    return WHOLE


def photo_number(number: float, user_input: UserInput) -> int:
    """Return the number of a named photo; 0 stands for "the other one", which is photo 2.

    Raises InterpretationError if there are more than two photos to choose from.
    """
    if not number and user_input.photos > 2:
        raise InterpretationError(
            Reason.AMBIGUOUS, Sentence("Say which photo you mean by its number, for example “photo 2”.")
        )
    return int(number) or 2


def target_to_keep(user_input: UserInput, description: Description) -> Target:
    """Return the target to keep: the named thing or, if it cannot be found by name, the boxes' content."""
    target, boxes = target_of(description), user_input.boxes
    if not boxes:
        _require_noun(description)
    is_shown = description.get("what") in ("it", "this", "region") or find_target_problem(target, "")
    return Target("region", boxes=boxes) if boxes and is_shown else target


def targets_outside_rest(descriptions: Any, draft: Draft) -> tuple[Target, ...]:
    """Return what "the rest" leaves out, as in "sharpen the dog and blur the rest".

    This is what the wish is for, or else the target of the step before, unless this step removes it. If
    something to keep is named, "the rest" is everything else, and the result is empty.
    """
    is_rest = any(
        (one or {}).get("what") == "rest" for one in as_list(descriptions) if not isinstance(one, list)
    )
    has_targets_to_keep = draft.targets_to_keep or any(step.keep for step in draft.steps)
    if not is_rest or has_targets_to_keep:
        return ()
    if draft.aim is not None:
        return (target_to_keep(draft.user_input, draft.aim.value),)
    before = draft.steps[-1] if draft.steps else None
    if before is None or before.kind is EditKind.REMOVE:
        return ()
    targets = dict.fromkeys(step.target for step in draft.steps if step.words == before.words)
    return tuple(target for target in targets if target.what in _EXCLUDABLE_TARGETS)


def list_naming_part(lists: Sequence[Any]) -> list[Any]:
    """Return the list of targets that names a part of the photo.

    In "sharpen the photo in the face", this list contains the face. Raises InterpretationError if two lists
    name parts.
    """
    parts = [
        descriptions
        for descriptions in map(as_list, lists)
        if any(one.get("what") not in ("whole", "it") for one in descriptions)
    ]
    if len(parts) > 1:
        raise InterpretationError(Reason.AMBIGUOUS, ONE_CHANGE)
    return parts[0] if parts else as_list(lists[0])


def merge_people(targets: list[Target]) -> list[Target]:
    """Combine several individual people into one target: "the man and the baby" becomes two people.

    The engine cannot tell people apart.
    """
    people = [one for one in targets if is_someone(one.noun) and not is_plural(one.noun or "")]
    if (
        len(people) < 2
        or people != targets
        or any(one.color or one.place != targets[0].place for one in targets)
    ):
        return targets
    return [Target("thing", noun="people", count=len(targets), place=targets[0].place)]
