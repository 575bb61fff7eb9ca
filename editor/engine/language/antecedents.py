"""Decide whether a pronoun in a wish may mean what the wish before it adds or names, and not the photo.

"It" is the photo in "add a vignette and make it warmer", but not in "add a moon and make it bigger".
"""

import re

from editor.engine.catalog import Scope, Stage
from editor.engine.language.findable import RESHAPING_FINDS, class_of
from editor.engine.language.hints import WHICH
from editor.engine.language.sentence_parts import InterpretationError, SentencePart, UserInput, as_list
from editor.engine.plan import WHOLE, Reason, Step
from editor.engine.props import PROPS
from editor.options import EditKind
from editor.sentences import Sentence

_WHICH_ONES = Sentence("Say “the photo”, or name the parts, instead of “them”.")
_ADDED = Sentence(
    "Describe what you add in one phrase, for example “a black border”, or say “the photo” instead of “it”."
)
_ON_ADDED = Sentence("I can't put one thing on another like this. Name a place in the photo for it.")
_THE_PHOTO = {"it": ("the photo",), "them": ("the photo",)}
_PRONOUN = re.compile(r"\b(it|its|them|their)\b", re.IGNORECASE)
_PLACED_BY_PRONOUN = re.compile(
    r"\b(on|in|inside|into|onto|under|underneath|below|above|over|behind|beside|around|to|of|by) (it|them)\b",
    re.IGNORECASE,
)
# "Them" at the beginning of an instruction that names nothing in the plural before it.
_FIRST_THEM = re.compile(r"^((?!\w{3,}s\b)[\w' ])*\bthem\b", re.IGNORECASE)
_THEM = re.compile(r"\bthem\b", re.IGNORECASE)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")
_LAYER_STAGES = frozenset({Stage.FRAME, Stage.LIGHT})
QUARTER_TURN = 90.0  # degrees
_EXACT_SIZE_FIELDS = frozenset({"ratio", "size", "side", "original"})
# The classes of targets that nobody turns or enlarges, so that "rotate it" after them means the photo.
_FIXED_CLASSES = frozenset({"surface", "green", "color", "place", "toned"})


def has_pronoun(words: str) -> bool:
    """Return whether the words contain "it" or "them" outside a quoted text."""
    return bool(_PRONOUN.search(_QUOTED.sub("", words)))


def gives_color(part: SentencePart) -> bool:
    """Return whether a wish gives a new color to what a pronoun means, as "make it red" does."""
    return part.value.get("operation") == "recolor" and bool(part.value.get("color"))


def takes_color(step: Step, words: str) -> bool:
    """Return whether the color of what a step adds is still open.

    The color that the step has is only the usual one if the words of the step do not contain it.
    """
    prop = PROPS.get(str(step.values.get("prop")))
    is_fixed = prop is not None and not prop.is_recolorable
    is_chosen = str(step.values.get("color", "-")) in words.lower()
    return step.kind is EditKind.ADD and "color" in step.declaration.fields and not (is_fixed or is_chosen)


def check_pronoun(part: SentencePart, step: Step, user_input: UserInput, before: Step | None) -> None:
    """Raise InterpretationError if a pronoun in a wish may mean something that its step does not change.

    `step` is a step of the wish, and `before` is the last step of the wishes before it.
    """
    words = user_input.text_of(part.words)
    if before is not None and (before.kind, step.kind) == (EditKind.REMOVE, EditKind.BACKGROUND):
        raise InterpretationError(Reason.AMBIGUOUS, WHICH)  # as in "take the dog out and put it in a garden"
    is_centered = step.declaration.aspect == "turn" and step.target.what == "subject"
    if step.target != WHOLE and step.declaration.ground != "none" and not is_centered:
        return
    if before is None:
        is_free = step.kind is not EditKind.ADD and step.declaration.finds != "photos"
        if is_free and _FIRST_THEM.search(_QUOTED.sub("", user_input.instruction)):
            raise InterpretationError(Reason.AMBIGUOUS, _WHICH_ONES, _THE_PHOTO)
    elif before.kind is EditKind.ADD and _may_mean_added(part, step, words, before):
        raise InterpretationError(Reason.AMBIGUOUS, _ADDED, _THE_PHOTO)
    elif before.kind is not EditKind.ADD and _may_mean_target(part, step, words, before):
        hint = _WHICH_ONES if _is_several(part, words) else WHICH
        raise InterpretationError(Reason.AMBIGUOUS, hint, _THE_PHOTO)


def check_place(step: Step, words: str, before: Step) -> None:
    """Raise InterpretationError if a step puts something on another thing, as in "and a vase on it".

    `words` are the words of the wish, and `before` is the step before it.
    """
    is_thing = before.declaration.finds == "landmark" or before.target.what == "thing"
    is_there = before.kind in (EditKind.ADD, EditKind.COLOR)
    is_new = step.kind is EditKind.ADD and step.target == WHOLE
    if is_new and is_there and is_thing and _PLACED_BY_PRONOUN.search(_QUOTED.sub("", words)):
        raise InterpretationError(Reason.AMBIGUOUS, _ON_ADDED)


def _may_mean_added(part: SentencePart, step: Step, words: str, before: Step) -> bool:
    """Return whether a wish may be about what the wish before it adds.

    "It" cannot mean several things, and only some wishes fit something that covers the whole photo.
    """
    added, aspect = before.declaration, step.declaration.aspect
    if gives_color(part) or _is_several(part, words):
        return True
    if not aspect or (aspect == "size" and not _EXACT_SIZE_FIELDS.isdisjoint(step.values)):
        return False
    if _adds_several(before):
        return aspect == "look"
    if added.covers:
        return aspect in ("softness", "look")
    is_brighter = aspect == "tone" and (step.amount or 0) >= 0
    if added.stage in _LAYER_STAGES and added.scope is not Scope.TARGET:
        return aspect in ("tone", "softness", "look", "size") and not is_brighter
    if added.stage is Stage.LETTERING and is_brighter:
        return False
    return aspect != "boldness" or "text" in before.values


def _may_mean_target(part: SentencePart, step: Step, words: str, before: Step) -> bool:
    """Return whether a wish may be about what the wish before it changes or replaces."""
    aspect = step.declaration.aspect
    is_of_part = before.target != WHOLE or "faces" in before.declaration.uses
    # As in "replace the sky".
    is_replaced = before.kind is EditKind.BACKGROUND and before.declaration.scope is Scope.WHOLE
    if gives_color(part):
        is_filled = before.kind is EditKind.COMPOSITION and "color" in before.declaration.fields
        return is_of_part or is_replaced or is_filled or _is_several(part, words)
    if _is_several(part, words) and is_of_part:
        return True
    if is_replaced:
        return aspect in ("tone", "softness", "look")
    is_thing = before.target.what == "thing" and class_of(before.target) not in _FIXED_CLASSES
    if not is_thing or not _EXACT_SIZE_FIELDS.isdisjoint(step.values):
        return False
    if before.kind is EditKind.COMPOSITION:
        is_shifted = before.declaration.finds in RESHAPING_FINDS
        return aspect in ("softness", "look", "size") or (aspect == "turn" and is_shifted)
    # "Rotate it left" means the photo.
    is_quarter_turn = float(str(step.values.get("degrees", 1))) % QUARTER_TURN == 0
    return before.kind is EditKind.COLOR and aspect in ("size", "turn") and not is_quarter_turn


def _adds_several(step: Step) -> bool:
    count = step.values.get("count")
    return step.operation.endswith("s") or (isinstance(count, int) and count > 1)


def _is_several(part: SentencePart, words: str) -> bool:
    """Return whether the pronoun of a wish is "them" or stands for several things."""
    named = as_list(part.value.get("target"))
    is_named = any(isinstance(one, dict) and one.get("several") for one in named)
    return is_named or bool(_THEM.search(_QUOTED.sub("", words)))
