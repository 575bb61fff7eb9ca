"""Apply or refuse what limits the wish before it: what to keep, what to exclude, and alternatives."""

from dataclasses import replace

from editor.engine.kinds import is_plural, kinds_of
from editor.engine.language.draft import Draft
from editor.engine.language.hints import ONE_OF_SEVERAL, OTHER_WORDS, WHICH
from editor.engine.language.merging import is_same_change
from editor.engine.language.sentence_parts import (
    Description,
    InterpretationError,
    SentencePart,
    as_list,
    names_nothing,
)
from editor.engine.language.wish_steps import steps_of
from editor.engine.language.wish_targets import target_to_keep
from editor.engine.plan import WHOLE, BadStep, Reason, Step
from editor.options import EditKind
from editor.sentences import Sentence

_NO_COLOR = Sentence("Name the color that it should have, for example “add a red border”.")
_PURPOSE = Sentence("Say what should change, not what it is for.")
_NOT_KEPT = Sentence(
    "I can't keep this as it is. Leave it out, or draw a box around what should stay and say “keep this”."
)


def refuse_needed_purpose(draft: Draft, part: SentencePart) -> None:
    """Refuse a purpose and the wish before it if the wish may depend on the purpose.

    It may in "crop it so that no wires are left" and, because a comparison says how something added should
    look, in "add a frame like a postcard".
    """
    last = draft.steps[-1]
    is_composed = last.kind is EditKind.COMPOSITION or last.declaration.finds == "landmark"
    is_described = last.kind is EditKind.ADD and bool(part.value.get("likened"))
    if last.declaration.vague or is_composed or is_described:
        draft.steps.pop()
        plain = draft.user_input.instruction[last.words[0] : part.words[0]].rstrip(" ,")
        nearest = [plain] if is_described else []
        draft.refuse((last.words[0], part.words[1]), Reason.AMBIGUOUS, _PURPOSE, nearest)


def refuse_unless_inherent(draft: Draft, part: SentencePart) -> None:
    """Refuse to keep something, such as folds, that only one operation keeps as it is."""
    if not draft.steps or draft.steps[-1].operation != part.value["inherent"]:
        draft.refuse(part.words, Reason.NEEDS_REGION, _NOT_KEPT)


def refuse_with_last_wish(draft: Draft, part: SentencePart) -> None:
    """Refuse an aside that limits the wish before it in a way that the engine cannot follow, and this wish.

    An aside "of_all" says what should be left, so it limits only a change of everything or everyone. One that
    "hides" something asks for no more than a wish that hides the same thing.
    """
    hidden = as_list(part.value.get("hidden") or {})
    if part.value.get("hides") and draft.steps and all(_hides(draft.steps[-1], one) for one in hidden):
        return
    if not (part.value.get("of_all") and draft.steps and not _is_of_all(draft.steps[-1])):
        draft.refuse_with_last_wish(part.words, Sentence(part.value["hint"]))


def refuse_excluded_color(draft: Draft, part: SentencePart, excluded: str) -> None:
    """Refuse a color that must not be used if the step before it does not use another one from the prompt.

    In "add a border, not white", the color is missing.
    """
    last = draft.steps[-1] if draft.steps else None
    if last is not None and _has_free_color(last) and last.color in (None, excluded):
        draft.refuse_with_last_wish(part.words, _NO_COLOR)


def _has_free_color(step: Step) -> bool:
    """Return whether the user may name a color for what a step adds, or for a background."""
    return step.kind in (EditKind.ADD, EditKind.BACKGROUND)


def _hides(step: Step, description: Description) -> bool:
    """Return whether a step makes what a description names invisible or unrecognizable."""
    named = description.get("noun") or description.get("what")
    if not step.declaration.hides:
        return False
    if "faces" in step.declaration.uses:
        return named in (None, "it", "face", "subject") or kinds_of(named) == ("person",)
    if step.target.what == "region":
        return True
    own = "background" if step.kind is EditKind.BACKGROUND else step.target.noun
    return named in (None, "it", own or "it")


def _is_of_all(step: Step) -> bool:
    """Return whether a step changes the whole photo or all things of one kind."""
    target = step.target
    is_chosen = target.count or target.place or target.color
    is_whole = target == WHOLE or step.kind is EditKind.COMPOSITION
    return is_whole or (is_plural(target.noun or "") and not is_chosen)


def without_reasons(steps: list[Step], part: SentencePart, draft: Draft) -> list[Step]:
    """Return the steps of a wish, without those that only say why something stays as it is.

    In "brighten it, but not the sky, it is too bright", the complaint is about the sky. Raises
    InterpretationError if a complaint after such a limit is about anything else, or if a wish undoes the
    change before the limit, as in "brighten everything except the sky, make it darker".
    """
    target = part.value.get("target")
    if not (draft.is_limited and draft.steps and steps and names_nothing(target)):
        return steps
    is_complaint = part.value.get("turn") == -1 and target is not None  # unlike "reduce the noise"
    is_opposite = all(step.undoes(draft.steps[-1]) for step in steps)
    if is_complaint and is_opposite:
        return []
    if is_complaint or is_opposite:
        raise InterpretationError(Reason.AMBIGUOUS, WHICH, {"it": ("the photo",)})
    return steps


def refuse_unless_repeated(draft: Draft, part: SentencePart) -> None:
    """Refuse an alternative, such as "or crop it", unless an earlier step already says the same thing.

    The refusal offers the instruction without the alternative.
    """
    alternative = Draft(draft.user_input, list(draft.steps), box_use=draft.box_use)
    try:
        steps = list(steps_of(replace(part, role="wish", value=part.value["alternative"]), alternative))
    except (BadStep, InterpretationError):  # as in "or blue"
        steps = []
    if not steps or not all(any(is_same_change(step, other) for other in draft.steps) for step in steps):
        draft.refuse(part.words, Reason.AMBIGUOUS, ONE_OF_SEVERAL, [""])


def keep_targets(draft: Draft, part: SentencePart) -> None:
    """Let all steps so far, or else those of the next wishes, keep what a part names.

    Raises InterpretationError if the part says how much of something should change.
    """
    descriptions = [_with_noun(one, draft) for one in as_list(part.value) if one.get("what") != "rest"]
    if any(one.get("what") == "whole" for one in descriptions):  # as in "remove the people, but not all"
        raise InterpretationError(Reason.AMBIGUOUS, OTHER_WORDS)
    colors = [one["color"] for one in descriptions if one.get("color") and not one.get("noun")]
    if colors and draft.steps and _has_free_color(draft.steps[-1]):  # as in "a border, but not white"
        refuse_excluded_color(draft, part, colors[0])
        return
    targets = list(dict.fromkeys(target_to_keep(draft.user_input, one) for one in descriptions))
    if draft.steps:
        draft.steps = [replace(step, keep=(*step.keep, *targets)) for step in draft.steps]
    else:
        draft.targets_to_keep += targets


def _with_noun(description: Description, draft: Draft) -> Description:
    """Return a description of what to keep, such as "all but the two on the left", along with its noun."""
    if not description.get("is_alike"):
        return description
    nouns = {step.target.noun for step in draft.steps}
    return dict(description) | {"noun": (nouns.pop() if len(nouns) == 1 else None) or "people"}
