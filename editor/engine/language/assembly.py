"""Turn the wishes in a sentence into steps; a wish is one change that the user asks for.

This module resolves the pronoun "it", applies one amount to several changes, protects the targets to keep,
and merges wishes that mean the same thing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from editor.engine.catalog import UNIT_NAMES, UNITS, Declaration, Field, Scope, find_declaration
from editor.engine.kinds import is_plural, is_someone
from editor.engine.language.antecedents import (
    QUARTER_TURN,
    WHICH,
    check_place,
    check_pronoun,
    gives_color,
    has_pronoun,
    takes_color,
)
from editor.engine.language.box_use import BoxUse, Wish, assign_boxes
from editor.engine.language.describe import describe_step
from editor.engine.language.findable import find_target_problem
from editor.engine.language.grammar import REFUSAL_ROLES
from editor.engine.language.sentence_parts import (
    OTHER_WORDS,
    InterpretationError,
    SentencePart,
    UserInput,
    as_list,
    changes_of,
    target_of,
)
from editor.engine.plan import WHOLE, Amount, BadStep, Reason, Refusal, Step, Target, Value
from editor.options import EditKind
from editor.sentences import Sentence

NO_FAULT = Sentence("I don't understand what is wrong. Say what should change, for example “less green”.")
ONE_OF_SEVERAL = Sentence("I can't choose between several changes. Ask for only one of them.")
ONE_CHANGE = Sentence("Ask for each change separately, one for each part.")
_WHICH_PART = Sentence("Say which part you mean, or draw a box around it.")
_NO_AMOUNT = Sentence("I can't tell how much that is. Say it in percent, for example “by 20%”.")
_NO_SIZE = Sentence("Say “small” before what should be small, or draw a box for it.")
_NO_COLOR = Sentence("Name the color that it should have, for example “add a red border”.")
_PURPOSE = Sentence("Say what should change, not what it is for.")
_NOT_KEPT = Sentence(
    "I can't keep this as it is. Leave it out, or draw a box around what should stay and say “keep this”."
)
_UNSURE = Sentence(
    "Say “make it %(said)s” if it should be like this, or “it is too %(said)s” if it is."
).template
DEFAULT_AMOUNT = 0.35  # share of the full change if the words do not state an amount
MORE_AMOUNT = 0.4  # share of the full change for "more", as in "more contrast"
MAX_MODERATE_AMOUNT = 0.2  # maximum share of the full change that "but not too much" allows
_MAX_SLIDER_STOPS = 5  # up to this value, a number without a unit is in stops; above it, in percent
_RELOCATING_FINDS = frozenset({"landmark", "moved", "shifted", "counted", "replaced"})
"""Values of `finds` for operations that put the changed thing in a different place.

"It" cannot refer to the thing after such an operation.
"""
_KINDS_WITHOUT_ANTECEDENT = frozenset({EditKind.COMPOSITION, EditKind.REMOVE, EditKind.BACKGROUND})
"""The kinds of steps after which "it" does not refer to the target of the step."""

LOOK_ROLES = frozenset({"look", "style", "old_look"})  # roles of words for a look
_FACES = re.compile(r"\bfaces\b", re.IGNORECASE)
_TURNS = frozenset({"straighten", "upright", "rotate"})  # operations that mend a photo that is not upright
PHOTO_TARGETS = frozenset({"whole", "it", "this", "photo", "photos"})
"""Values of `what` for targets that are the whole photo if no box is drawn."""
_ALL = ("whole", "subject")  # values of `what` for what a wish without a target changes
_EXCLUDABLE_TARGETS = frozenset({"thing", "face", "subject", "region"})
"""Values of `what` for targets that "the rest" can leave out."""


@dataclass
class Draft:
    """The steps assembled so far, along with the refusals."""

    user_input: UserInput
    steps: list[Step] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    # Targets to keep that are named before the first wish.
    targets_to_keep: list[Target] = field(default_factory=list)
    box_use: BoxUse = field(default_factory=BoxUse)
    # Operations requested by complaints such as "too dark".
    complaint_operations: set[Any] = field(default_factory=set)
    general_wish: tuple[int, int] = (0, 0)  # offsets of the last wish if it is like "fix this photo"
    has_told_turn: bool = False  # whether a wish only told that the photo is not upright
    has_fault: bool = False  # whether a wish only named a fault, such as "there are scratches"
    remark: SentencePart | None = None  # a remark about a thing, right before the next wish
    is_remark_used: bool = False  # whether "it" in this wish means the thing of the remark
    # What the next wish is for, as in "make the dog stand out by blurring the rest".
    aim: SentencePart | None = None
    is_limited: bool = False  # whether the last part names what a change leaves as it is
    context: str = ""  # context that the user states about the photo, such as "night"

    def refuse(
        self, words: tuple[int, int], reason: Reason, hint: Sentence, nearest: Sequence[str] = ()
    ) -> None:
        """Record a refusal of the words between these offsets.

        `nearest` are similar words that may be accepted.
        """
        quote = self.user_input.instruction[slice(*words)].strip(" ,")
        self.refusals.append(Refusal(quote, reason, hint, nearest=tuple(nearest)))

    def refuse_interpretation(
        self, words: tuple[int, int], error: InterpretationError, nearest: Sequence[str] = ()
    ) -> None:
        """Record a refusal of the words between these offsets for the reason that the error gives."""
        quote = self.user_input.instruction[slice(*words)].strip()
        self.refuse(words, error.reason, error.hint, (*nearest, *error.nearest(quote)))


def assemble(parts: Sequence[SentencePart], user_input: UserInput) -> Draft:
    """Return the steps that the parts of a sentence ask for, in order.

    A part that cannot become a step is refused, and its refusal quotes the user's words.
    """
    draft = Draft(user_input, box_use=assign_boxes(parts, user_input))
    contexts = (part.value.get("context") for part in parts if part.role == "aside")
    draft.context = next(filter(None, contexts), "")
    for part in _without_unsure_wishes(draft, parts):
        try:
            _add_part(draft, part)
        except BadStep as error:
            draft.refuse(part.words, Reason.AMBIGUOUS, error.sentence)
        except InterpretationError as error:
            draft.refuse_interpretation(part.words, error)
        if part.role == "wish":
            _end_remark(draft)
            draft.aim = None
        draft.is_limited = part.role == "spared"
    _end_remark(draft)
    _refuse_aim(draft)
    return draft


def _refuse_aim(draft: Draft) -> None:
    """Refuse an aim that no wish follows, as in "make the dog stand out by"."""
    if draft.aim is not None:
        draft.refuse(draft.aim.words, Reason.AMBIGUOUS, OTHER_WORDS)
        draft.aim = None


def _end_remark(draft: Draft) -> None:
    """Forget the remark before a wish. Refuse it if no wish is about its thing and it tells no story."""
    if draft.remark is not None:
        remark = draft.remark.value
        nouns = {step.target.noun for step in draft.steps}
        is_used = draft.is_remark_used or remark["target"].get("noun") in nouns
        if not (is_used or remark["is_story"]):
            draft.refuse(draft.remark.words, Reason.AMBIGUOUS, OTHER_WORDS)
    draft.remark, draft.is_remark_used = None, False


def _without_unsure_wishes(draft: Draft, parts: Sequence[SentencePart]) -> Iterator[SentencePart]:
    """Yield the parts, except for an adjective that may be a complaint or a wish.

    An adjective alone is a complaint, unless a limit or a comparison follows, as in "hazy, but not the
    hill", or unless it may describe a look before it, as in "make it vintage. Grainy". It is refused together
    with a limit.
    """
    at = 0
    while at < len(parts):
        part, at = parts[at], at + 1
        limits = list(takewhile(_is_limit, parts[at:])) if _is_unsure(part) else []
        is_after_look = _is_unsure(part) and at > 1 and _gives_look(parts[at - 2])
        if not (limits or is_after_look):
            yield part
            continue
        at += len(limits)
        text, (start, end) = draft.user_input.instruction, part.words
        last = limits[-1].words[1] if limits else end
        nearest = [f"{lead} {text[start:last].strip()}" for lead in ("make it", "it is too")]
        draft.refuse(
            (start, last), Reason.AMBIGUOUS, Sentence(_UNSURE, said=text[start:end].strip().lower()), nearest
        )


def _is_unsure(part: SentencePart) -> bool:
    return part.role == "wish" and bool(part.value.get("unsure"))


def _gives_look(part: SentencePart) -> bool:
    """Return whether a wish is for a look or a style, such as "vintage"."""
    return part.role == "wish" and not LOOK_ROLES.isdisjoint(leaf.role for leaf in part.edge.leaves)


def _is_limit(part: SentencePart) -> bool:
    return part.role == "spared" or (part.role == "aside" and bool(part.value.get("likened")))


def _add_part(draft: Draft, part: SentencePart) -> None:
    if part.role == "spared":
        _keep_targets(draft, part)
    elif part.role == "refined" and draft.steps:
        draft.steps[-1] = _refine(draft.steps[-1], part)
    elif part.role == "moderate":
        draft.steps = [_limit_amount(step) for step in draft.steps]
    elif part.role == "aside" and "purpose" in part.value and draft.steps:
        last = draft.steps[-1]
        is_described = last.kind is EditKind.ADD and bool(part.value.get("likened"))
        if (
            last.declaration.vague
            or last.kind is EditKind.COMPOSITION
            or last.declaration.finds == "landmark"
            or is_described
        ):
            # The purpose may be what the wish depends on, as in "crop it so that no wires are left", and a
            # comparison says how something added should look, as in "add a frame like a postcard".
            draft.steps.pop()
            plain = draft.user_input.instruction[last.words[0] : part.words[0]].rstrip(" ,")
            nearest = [plain] if is_described else []
            draft.refuse((last.words[0], part.words[1]), Reason.AMBIGUOUS, _PURPOSE, nearest)
    elif part.role == "aside" and "inherent" in part.value:
        if not draft.steps or draft.steps[-1].operation != part.value["inherent"]:
            draft.refuse(part.words, Reason.NEEDS_REGION, _NOT_KEPT)
    elif part.role == "aside" and "excluded" in part.value:
        _require_other_color(draft, part, part.value["excluded"])
    elif part.role == "aside" and "hint" in part.value:
        _refuse_with_last_wish(draft, part)
    elif part.role == "aside" and "alternative" in part.value:
        _require_repetition(draft, part)
    elif part.role in REFUSAL_ROLES:
        refusal = part.value
        error = InterpretationError(
            Reason(refusal["reason"]), Sentence(refusal["hint"]), refusal.get("instead", {})
        )
        draft.refuse_interpretation(part.words, error, refusal["nearest"])
    elif part.role == "remark" and not is_someone(part.value["target"].get("noun")):
        draft.remark = part
    elif part.role == "aim":
        draft.aim = part if part.value.get("what") not in PHOTO_TARGETS else None
    elif part.role == "wish" and not _color_added(part, draft):
        _add_wish(draft, part)


def _add_wish(draft: Draft, part: SentencePart) -> None:
    """Add the steps of a wish, unless its pronoun may mean something else than they change."""
    if draft.aim is not None and draft.user_input.instruction[draft.aim.words[1] : part.words[0]].strip():
        _refuse_aim(draft)
    if part.value.get("faulty"):  # "Fix this photo, it's crooked" asks for one change.
        draft.steps = [step for step in draft.steps if step.words != draft.general_wish]
    draft.general_wish = part.words if _is_general(part) else (0, 0)
    instruction = draft.user_input.instruction
    before = draft.steps[-1] if draft.steps else None
    words = instruction[slice(*part.words)]
    for step in _without_reasons(list(_steps(part, draft)), part, draft):
        if has_pronoun(words) and draft.remark is None:
            check_pronoun(part, step, instruction, before)
        if draft.steps:
            check_place(step, words, draft.steps[-1])
        if draft.aim is not None and _is_of_all_or_aim(step, part):
            raise InterpretationError(Reason.AMBIGUOUS, _WHICH_PART)
        if not _replace_turn(draft, step):
            _add_step(draft, step)
        draft.has_told_turn |= bool(part.value.get("faulty")) and step.operation in _TURNS


def _is_of_all_or_aim(step: Step, part: SentencePart) -> bool:
    """Return whether a change may be of the photo or of its aim: "make the dog pop by adding contrast"."""
    names_target = any(change.get("target") for change in (part.value, *changes_of(part.value)))
    is_of_all = step.kind in (EditKind.COLOR, EditKind.COMPOSITION) and step.target.what in _ALL
    return is_of_all and not (step.keep or names_target)


def _color_added(part: SentencePart, draft: Draft) -> bool:
    """Give a color to what the last step adds, as in "add clouds and make them pink".

    Return whether the wish asks for this and the last step takes a color.
    """
    is_bare = _is_bare(part.value.get("target")) and not (draft.remark or draft.user_input.boxes)
    if not (draft.steps and is_bare and gives_color(part)):
        return False
    last = draft.steps[-1]
    if not takes_color(last, draft.user_input.instruction[slice(*last.words)]):
        return False
    draft.steps[-1] = replace(last, values=dict(last.values) | {"color": part.value["color"]})
    return True


def _is_general(part: SentencePart) -> bool:
    """Return whether a wish only asks to mend something, as "fix this photo" does."""
    roles = {leaf.role for leaf in part.edge.leaves}
    is_enhance = part.value.get("operation") == "enhance" and not part.value.get("only")
    return is_enhance and bool(roles & {"adjust", "restore", "tidy"})


def _replace_turn(draft: Draft, step: Step) -> bool:
    """Let a turn take the place of one that only a fault asks for, and return whether it does.

    "The photo is sideways, rotate it to the left" asks for one rotation.
    """
    turns = [at for at, other in enumerate(draft.steps) if other.operation in _TURNS]
    if not (draft.has_told_turn and turns and step.operation in _TURNS):
        return False
    is_quarter = abs(float(str(step.values.get("degrees", 0)))) == QUARTER_TURN
    is_tilted = draft.steps[turns[-1]].operation == "straighten"
    # Unlike in "it leans to the right, straighten it" and "it is tilted to the left, rotate it to the right".
    if step.values and not (is_quarter and is_tilted):
        draft.steps[turns[-1]] = step
    draft.has_told_turn = False
    return True


def _refuse_with_last_wish(draft: Draft, part: SentencePart) -> None:
    """Refuse an aside that limits the wish before it in a way that the engine cannot follow, and this wish.

    An aside "of_all" says what should be left, so it limits only a change of everything or everyone.
    """
    if not (part.value.get("of_all") and draft.steps and not _is_of_all(draft.steps[-1])):
        _refuse_up_to(draft, part, Sentence(part.value["hint"]))


def _refuse_up_to(draft: Draft, part: SentencePart, hint: Sentence) -> None:
    """Refuse a part and the wish before it."""
    start, end = part.words
    if draft.steps:
        start = draft.steps[-1].words[0]
        draft.steps = [step for step in draft.steps if step.words[0] < start]
    draft.refuse((start, end), Reason.AMBIGUOUS, hint)


def _require_other_color(draft: Draft, part: SentencePart, excluded: str) -> None:
    """Refuse a color that must not be used if the step before it does not use another one from the prompt.

    In "add a border, not white", the color is missing.
    """
    last = draft.steps[-1] if draft.steps else None
    if last is not None and _has_free_color(last) and last.color in (None, excluded):
        _refuse_up_to(draft, part, _NO_COLOR)


def _has_free_color(step: Step) -> bool:
    """Return whether the user may name a color for what a step adds, or for a background."""
    return step.kind in (EditKind.ADD, EditKind.BACKGROUND)


def _is_of_all(step: Step) -> bool:
    """Return whether a step changes the whole photo or all things of one kind."""
    target = step.target
    is_chosen = target.count or target.place or target.color
    is_whole = target == WHOLE or step.kind is EditKind.COMPOSITION
    return is_whole or (is_plural(target.noun or "") and not is_chosen)


def _without_reasons(steps: list[Step], part: SentencePart, draft: Draft) -> list[Step]:
    """Return the steps of a wish, without those that only say why something stays as it is.

    In "brighten it, but not the sky, it is too bright", the complaint is about the sky. Raises
    InterpretationError if a complaint after such a limit is about anything else, or if a wish undoes the
    change before the limit, as in "brighten everything except the sky, make it darker".
    """
    target = part.value.get("target")
    if not (draft.is_limited and draft.steps and steps and _is_bare(target)):
        return steps
    is_complaint = part.value.get("turn") == -1 and target is not None  # unlike "reduce the noise"
    is_opposite = all(_is_opposite(step, draft.steps[-1]) for step in steps)
    if is_complaint and is_opposite:
        return []
    if is_complaint or is_opposite:
        raise InterpretationError(Reason.AMBIGUOUS, WHICH, {"it": ("the photo",)})
    return steps


def _is_opposite(step: Step, other: Step) -> bool:
    """Return whether two steps undo each other, as brightening and darkening do."""
    if step.operation == other.operation:
        return (step.amount or 0.0) * (other.amount or 0.0) < 0
    return step.operation == other.declaration.opposite or other.operation == step.declaration.opposite


def _require_repetition(draft: Draft, part: SentencePart) -> None:
    """Refuse an alternative, such as "or crop it", unless an earlier step already says the same thing.

    The refusal offers the instruction without the alternative.
    """
    alternative = Draft(draft.user_input, list(draft.steps), box_use=draft.box_use)
    try:
        steps = list(_steps(replace(part, role="wish", value=part.value["alternative"]), alternative))
    except (BadStep, InterpretationError):  # as in "or blue"
        steps = []
    if not steps or not all(any(_is_same_change(step, other) for other in draft.steps) for step in steps):
        draft.refuse(part.words, Reason.AMBIGUOUS, ONE_OF_SEVERAL, [""])


def _keep_targets(draft: Draft, part: SentencePart) -> None:
    descriptions = [_with_noun(one, draft) for one in as_list(part.value) if one.get("what") != "rest"]
    if any(one.get("what") == "whole" for one in descriptions):  # as in "remove the people, but not all"
        raise InterpretationError(Reason.AMBIGUOUS, OTHER_WORDS)
    colors = [one["color"] for one in descriptions if one.get("color") and not one.get("noun")]
    if colors and draft.steps and _has_free_color(draft.steps[-1]):  # as in "a border, but not white"
        _require_other_color(draft, part, colors[0])
        return
    targets = list(dict.fromkeys(_target_to_keep(draft.user_input, one) for one in descriptions))
    if draft.steps:
        draft.steps = [replace(step, keep=(*step.keep, *targets)) for step in draft.steps]
    else:
        draft.targets_to_keep += targets


def _with_noun(description: Mapping[str, Any], draft: Draft) -> Mapping[str, Any]:
    """Return a description of what to keep, such as "all but the two on the left", along with its noun."""
    if not description.get("is_alike"):
        return description
    nouns = {step.target.noun for step in draft.steps}
    return dict(description) | {"noun": (nouns.pop() if len(nouns) == 1 else None) or "people"}


def _refine(step: Step, part: SentencePart) -> Step:
    """Apply a later remark to a step, as in "Erase the man. He is on the right." or "Brighten it. By 30%.".

    Raises InterpretationError if the remark does not fit the step.
    """
    if part.value.get("scale"):
        return _with_size(step, part.value["scale"])
    if "amount" in part.value:
        sign = -1 if (step.amount or 0) < 0 else 1
        amount = _amount(step.declaration, part.value | {"sign": sign})
        if amount is None or step.kind is not EditKind.COLOR:
            raise InterpretationError(
                Reason.AMBIGUOUS, Sentence("Say in one sentence what should change and by how much.")
            )
        return replace(step, values=dict(step.values) | {"amount": amount})
    if step.target.what == "whole":  # as in "brighten the photo, it is on the left"
        raise InterpretationError(Reason.AMBIGUOUS, OTHER_WORDS)
    target = replace(step.target, **{name: value for name, value in part.value.items() if value})
    return replace(step, target=target, words=(step.words[0], part.words[1]))


def _with_size(step: Step, share: float) -> Step:
    """Return a step that adds something, in a size that words after it state, as in "add a teapot, small".

    Raises InterpretationError if the step has a size already, or adds nothing that has one.
    """
    amount_field = step.declaration.fields.get("amount")
    has_length = amount_field is not None and amount_field.type == "length"
    if step.kind is EditKind.ADD and has_length and not step.amount:
        with_size = replace(step, values=dict(step.values) | {"amount": Amount(share)})
        if describe_step(with_size) != describe_step(step):
            return with_size
    raise InterpretationError(Reason.AMBIGUOUS, OTHER_WORDS)


def _target_to_keep(user_input: UserInput, description: Mapping[str, Any]) -> Target:
    """Return the target to keep: the named thing or, if it cannot be found by name, the boxes' content."""
    target, boxes = target_of(description), user_input.boxes
    if not boxes:
        _require_noun(description)
    is_shown = description.get("what") in ("it", "this", "region") or find_target_problem(target, "")
    return Target("region", boxes=boxes) if boxes and is_shown else target


def _limit_amount(step: Step) -> Step:
    """Limit the amount of a step that "but not too much" follows.

    An amount that the user gave as a number is not changed. A step that would be carried out in full is
    carried out in part, and what would be added in its usual size becomes small. Raises InterpretationError
    if the step has no such size.
    """
    amount, amount_field = step.values.get("amount"), step.declaration.fields.get("amount")
    is_added = step.kind is EditKind.ADD
    if amount is None and amount_field is not None and (amount_field.type == "amount" or is_added):
        limited = replace(step, values=dict(step.values) | {"amount": Amount(MAX_MODERATE_AMOUNT)})
        if is_added and describe_step(limited) == describe_step(step):
            raise InterpretationError(Reason.AMBIGUOUS, _NO_SIZE)
        return limited
    if not isinstance(amount, Amount) or amount.unit:
        return step
    share = max(-MAX_MODERATE_AMOUNT, min(MAX_MODERATE_AMOUNT, amount.share))
    return replace(step, values=dict(step.values) | {"amount": replace(amount, share=share)})


def _steps(part: SentencePart, draft: Draft) -> Iterator[Step]:
    """Yield a step for each change of each target."""
    wish = part.value
    common = {name: value for name, value in wish.items() if name not in ("each", "target")}
    changes = _with_amounts(changes_of(wish), wish.get("amount"))
    # In "brighter and more vivid", "more" applies to both, unless each has its own part.
    is_more = any(change.get("more") for change in changes)
    if changes[0].get("again"):  # In "more contrast, and saturation", "more" applies to both.
        if len(changes) == 1 and _color_last_step(changes[0].get("color"), draft):
            return
        common["turn"] = _direction_of_last_step(wish, draft)
    if _is_mended(wish, draft):
        return
    draft.has_fault |= bool(wish.get("faulty"))
    for change in _without_complaints(changes, wish, draft):
        try:
            takes_more = change.get("more") or (is_more and "target" not in change)
            wish_values = ({"usual": MORE_AMOUNT} if takes_more else {}) | common | dict(change)
            yield from _steps_of_change(change.get("target", wish.get("target")), wish_values, part, draft)
        except BadStep as error:
            draft.refuse(part.words, Reason.AMBIGUOUS, error.sentence)
        except InterpretationError as error:
            draft.refuse_interpretation(part.words, error)


def _color_last_step(color: str | None, draft: Draft) -> bool:
    """Give the last step a color if it takes one, and return whether it does."""
    if not (draft.steps and color and _takes_color(draft.steps[-1], color)):
        return False
    last = draft.steps[-1]
    draft.steps[-1] = replace(last, values=dict(last.values) | {"color": color})
    return True


def _direction_of_last_step(wish: Mapping[str, Any], draft: Draft) -> int:
    """Return -1 if the last step reduces something, and 1 if it increases something.

    Raises InterpretationError if the wish cannot continue the last step.
    """
    last = draft.steps[-1] if draft.steps else None
    is_complaint = last is not None and last.operation in draft.complaint_operations
    has_change = last is not None and last.kind is EditKind.COLOR and not is_complaint
    if last is None or last.amount is None or not has_change or wish.get("target"):
        raise InterpretationError(
            Reason.AMBIGUOUS, Sentence("Say how it should change, for example “more blue”.")
        )
    return -1 if last.amount < 0 else 1


def _is_mended(wish: Mapping[str, Any], draft: Draft) -> bool:
    """Return whether earlier steps already mend the fault that a wish such as "fix it" is about.

    Raises InterpretationError if only a remark may tell the fault.
    """
    complaints = filter(None, (find_declaration(str(name)) for name in draft.complaint_operations))
    has_complaint = draft.has_fault or any(declaration.kind is EditKind.COLOR for declaration in complaints)
    # "There is a scratch here, remove" also names what the wish before it has already removed.
    is_bare_removal = wish.get("operation") == "erase" and _is_bare(wish.get("target")) and draft.has_fault
    if (wish.get("mends") and has_complaint) or is_bare_removal:
        return True
    if wish.get("mends") and draft.remark:
        draft.is_remark_used = True
        raise InterpretationError(Reason.AMBIGUOUS, NO_FAULT)
    return False


def _without_complaints(
    changes: Sequence[Mapping[str, Any]], wish: Mapping[str, Any], draft: Draft
) -> Sequence[Mapping[str, Any]]:
    """Return the changes of a wish, without those that an earlier complaint already asks for.

    If the wish is a complaint itself, its operations are recorded.
    """
    if wish.get("vague"):  # "It is too dark, adjust the brightness" asks for one change.
        return [change for change in changes if change.get("operation") not in draft.complaint_operations]
    if wish.get("turn"):
        draft.complaint_operations |= {change.get("operation", wish.get("operation")) for change in changes}
    return changes


def _steps_of_change(
    descriptions: Any, wish_values: Mapping[str, Any], part: SentencePart, draft: Draft
) -> Iterator[Step]:
    """Yield a step for each described target of one change."""
    others = _targets_outside_rest(descriptions, draft)
    for target in [WHOLE] if others else _targets(descriptions, wish_values, draft):
        step = _step(wish_values, target, draft, part.words)
        yield replace(step, keep=(*step.keep, *others))


def _takes_color(step: Step, color: str) -> bool:
    """Return whether a color alone after a step is that of what it adds, as in "add a border, gold".

    A code, as in "white background, #fefefe", states a color more exactly.
    """
    is_addition = step.kind is EditKind.ADD or step.declaration.ground == "plain"
    is_free = "color" not in step.values or color.startswith("#")
    return is_addition and is_free and "color" in step.declaration.fields


def _is_bare(target: Any) -> bool:
    """Return whether a target names nothing, as in "remove" and "get rid of it"."""
    pronouns = ({"what": "it"}, {"what": "it", "several": True}, {"what": "this"})
    return all(one is None or one in pronouns for one in as_list(target))


def _targets_outside_rest(descriptions: Any, draft: Draft) -> tuple[Target, ...]:
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
        return (_target_to_keep(draft.user_input, draft.aim.value),)
    before = draft.steps[-1] if draft.steps else None
    if before is None or before.kind is EditKind.REMOVE:
        return ()
    targets = dict.fromkeys(step.target for step in draft.steps if step.words == before.words)
    return tuple(target for target in targets if target.what in _EXCLUDABLE_TARGETS)


def _with_amounts(changes: Sequence[Mapping[str, Any]], last: Any) -> list[Mapping[str, Any]]:
    """Return the changes, giving each the last amount stated so far, as in "a bit brighter and warmer".

    A change with its own target does not get the amount of another one.
    """
    with_amounts = list[Mapping[str, Any]]()
    for change in changes:
        last = change.get("amount", None if "target" in change else last)
        with_amounts.append(dict(change) | ({} if last is None else {"amount": last}))
    return with_amounts


def _targets(descriptions: Any, wish_values: Mapping[str, Any], draft: Draft) -> list[Target]:
    """Return the targets without duplicates.

    Several marked targets become one region. A place at the end of a list applies to every item in the list.
    """
    named = (
        _list_naming_part(descriptions["either"])
        if isinstance(descriptions, Mapping) and "either" in descriptions
        else as_list(descriptions)
    )
    if named == [None] and (_is_about_box(wish_values, draft) or _is_about_complaint(wish_values, draft)):
        return [draft.steps[-1].target]
    last = named[-1] or {}
    if len(named) > 1 and "noun" in last and "place" in last:
        named = [one if one.keys() & {"place", "what"} else one | {"place": last["place"]} for one in named]
    targets = [
        _target_of_wish(Wish(_declaration(wish_values["operation"]), wish_values, one), draft)
        for one in named
    ]
    if len(targets) > 1 and all(target.what == "region" for target in targets):
        return [Target("region", boxes=tuple(sorted({box for target in targets for box in target.boxes})))]
    has_parts = WHOLE in targets and set(targets) != {WHOLE}
    if has_parts and (targets[0] != WHOLE or (named[0] or {}).get("what") == "it"):
        # As in "sharpen it, the eyes at least" and "blur the names and pictures".
        raise InterpretationError(Reason.AMBIGUOUS, ONE_CHANGE)
    return [WHOLE] if WHOLE in targets else _merge_people(list(dict.fromkeys(targets)))


def _is_about_complaint(wish_values: Mapping[str, Any], draft: Draft) -> bool:
    """Return whether a wish that names nothing mends the part of the complaint right before it.

    It does in "the face is too dark, brighten by 30%", because the complaint asks for the same change.
    """
    before = draft.steps[-1] if draft.steps else None
    if before is None or before.target == WHOLE:
        return False
    if draft.complaint_operations.isdisjoint((before.operation, before.declaration.opposite)):
        return False
    step = _step(wish_values, before.target, draft, (0, 0))
    is_same = step.operation == before.operation and before.kind is EditKind.COLOR
    return is_same and (step.amount or 0.0) * (before.amount or 0.0) > 0


def _is_about_box(wish_values: Mapping[str, Any], draft: Draft) -> bool:
    """Return whether a change of color that names nothing is about the box.

    It is if a complaint about the box is before it, as in "this part is too dark, bring out some detail", and
    if the instruction does not mention the photo.
    """
    before = draft.steps[-1] if draft.steps else None
    if before is None or before.target.what != "region" or before.operation not in draft.complaint_operations:
        return False
    if draft.user_input.names_photo:
        return False
    declaration = _declaration(wish_values["operation"])
    return declaration.kind is EditKind.COLOR and declaration.scope is not Scope.WHOLE


def _list_naming_part(lists: Sequence[Any]) -> list[Any]:
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


def _merge_people(targets: list[Target]) -> list[Target]:
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


def _target_of_wish(wish: Wish, draft: Draft) -> Target:
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
    if what == "it" and draft.steps and not _has_no_antecedent(draft.steps[-1]):
        if not description.get("several") and _is_plural_or_photo(draft):
            raise InterpretationError(Reason.AMBIGUOUS, WHICH, {"it": ("the photo",)})
        return draft.steps[-1].target
    if what == "rest" and not (draft.targets_to_keep or any(step.keep for step in draft.steps)):
        raise InterpretationError(Reason.AMBIGUOUS, _WHICH_PART)
    _require_noun(description)
    return target_of(description) if what not in (None, "it", "this") else WHOLE


def _require_noun(description: Mapping[str, Any]) -> None:
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


def _has_no_antecedent(step: Step) -> bool:
    """Return whether "it" after this step means the photo, as in "remove the background and brighten it"."""
    return step.kind in _KINDS_WITHOUT_ANTECEDENT or step.declaration.ground not in ("", "blurred")


def _is_plural_or_photo(draft: Draft) -> bool:
    """Return whether "it" hardly means the target of the last step, as in "sharpen the faces and warm it".

    It may also mean the photo if an earlier step changes all of it.
    """
    last = draft.steps[-1]
    words = draft.user_input.instruction[slice(*last.words)]
    is_several = is_plural(last.target.noun or "") or bool(_FACES.search(words))
    changes_all = any(step.target == WHOLE and step.kind is EditKind.COLOR for step in draft.steps[:-1])
    return last.target != WHOLE and (is_several or changes_all)


def _is_about_photo(wish: Wish, before: Step) -> bool:
    """Return whether "it" means the photo after something was added.

    "It" means the photo in "add two trees and make it warmer", but not in "add a hat and make it red".
    """
    return before.kind is EditKind.ADD and wish.is_global_by_default and not wish.values.get("color")


def _photo_to_change(description: Mapping[str, Any], user_input: UserInput) -> Target:
    """Return the whole photo as the target if the words name photo 1, or raise InterpretationError.

    Only photo 1 can be changed, so "brighten the second photo" is refused.
    """
    number = (
        _photo_number(description["photo"], user_input)
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


def _photo_number(number: float, user_input: UserInput) -> int:
    """Return the number of a named photo; 0 stands for "the other one", which is photo 2.

    Raises InterpretationError if there are more than two photos to choose from.
    """
    if not number and user_input.photos > 2:
        raise InterpretationError(
            Reason.AMBIGUOUS, Sentence("Say which photo you mean by its number, for example “photo 2”.")
        )
    return int(number) or 2


def _step(wish_values: Mapping[str, Any], target: Target, draft: Draft, words: tuple[int, int]) -> Step:
    sign = 1
    for name in ("sign", "turn", "slide"):
        sign *= int(wish_values.get(name, 1))
    wish_values, declaration = (
        {"context": draft.context} | dict(wish_values) | {"sign": sign},
        _declaration(wish_values["operation"]),
    )
    for _ in range(3):
        other = _replacement_values(declaration, wish_values, target)
        if other is None:
            break
        wish_values, declaration = wish_values | other, _declaration(other["operation"])
        target = target_of(other["target"]) if "target" in other else target
    values: dict[str, Value] = {
        name: _converted(declaration.fields[name].type, value, sign)
        for name, value in wish_values.items()
        if name in declaration.fields and name != "amount" and value is not None
    }
    for name, value in values.items():
        if isinstance(value, Target):
            target, values[name] = draft.box_use.pair(target, value)
    amount = _amount(declaration, wish_values)
    if amount is not None:
        values["amount"] = amount
    targets_to_keep = dict.fromkeys(
        _target_to_keep(draft.user_input, one) for one in as_list(wish_values.get("keep") or [])
    )
    photo = _photo_number(wish_values["photo"], draft.user_input) if "photo" in wish_values else None
    return Step(declaration.name, target, values, photo, (*draft.targets_to_keep, *targets_to_keep), words)


def _converted(kind: str, value: Any, sign: int) -> Value:
    """Return a value converted to the type of its field.

    If `sign` is negative, the sign of a number is reversed.
    """
    if kind == "number":
        return float(value) * sign
    return int(value) if kind == "count" else target_of(value) if kind == "target" else value


def _declaration(name: str) -> Declaration:
    declaration = find_declaration(name)
    if declaration is None:
        raise BadStep(Sentence("There is no operation “%(operation)s”.", operation=name))
    return declaration


def _replacement_values(
    declaration: Declaration, wish_values: Mapping[str, Any], target: Target
) -> dict[str, Any] | None:
    """Return the values of the step that replaces this one, or None if this step is not replaced.

    The values come from the first matching rule of `becomes`, or from `opposite` for a negative direction.
    """
    stated_amount: Mapping[str, Any] = wish_values.get("amount") or {}
    is_stops = "stops" in stated_amount or "stops" in stated_amount.get("measure", ())
    conditions = dict(wish_values) | {
        "target": target.what,
        "way": "less" if wish_values["sign"] < 0 else "more",
    }
    conditions |= {"unit": "stops"} if is_stops else {}
    for rule in declaration.becomes:
        if all(conditions.get(name) == value for name, value in rule["when"].items()):
            then = dict(rule["then"])
            return {"sign": wish_values["sign"], "vague": None, "of_colors": None, "context": None} | then
    if declaration.opposite and wish_values["sign"] < 0:
        return {"operation": declaration.opposite, "sign": 1}
    return None


def _amount(declaration: Declaration, wish_values: Mapping[str, Any]) -> Amount | None:
    """Return the amount that the words state or else the operation's default amount, if any."""
    amount_field = declaration.fields.get("amount")
    if amount_field is None:
        return None
    stated_amount: Mapping[str, Any] = wish_values.get("amount") or {}
    sign = wish_values["sign"]
    if "grown" in stated_amount:  # "20% smaller" means 80% of the size.
        return _amount_in_unit(amount_field, 100 + sign * stated_amount["grown"], "percent", 1)
    if "measure" in stated_amount:
        number, unit = stated_amount["measure"]
        return _amount_in_unit(amount_field, number, unit, sign)
    if "dial" in stated_amount:
        return _amount_in_unit(amount_field, *_slider_amount(amount_field, stated_amount["dial"]), sign)
    if "moved" in stated_amount:
        return _amount_in_unit(
            amount_field, *_slider_amount(amount_field, _unsigned_number(stated_amount["moved"], sign)), sign
        )
    if abs(stated_amount.get("percent", 1)) < 1:
        raise BadStep(_NO_AMOUNT)
    for unit in UNITS:
        if unit in stated_amount:
            return _amount_in_unit(amount_field, stated_amount[unit], unit, sign)
    if "share" in stated_amount:
        return Amount(stated_amount["share"] * sign)
    usual = wish_values.get("usual")
    if amount_field.default is None or usual == "none" or (amount_field.type != "amount" and usual is None):
        return None
    return Amount((usual or DEFAULT_AMOUNT) * sign)


def _unsigned_number(number: float, sign: int) -> float:
    """Return the size of a number after a verb, as in "reduce the contrast -20".

    Raises BadStep if the number contradicts the direction of the verb.
    """
    if number < 0 < sign:
        raise BadStep(_NO_AMOUNT)
    return abs(number)


def _slider_amount(amount_field: Field, number: float) -> tuple[float, str]:
    """Return a number that was given without a unit, along with the unit of the operation's slider.

    The unit is stops if the slider has stops, and percent otherwise. Raises BadStep if the number is too
    small to be a percentage, because other sliders have other scales.
    """
    if "stops" in amount_field.units and abs(number) <= _MAX_SLIDER_STOPS:
        return number, "stops"
    if abs(number) < _MAX_SLIDER_STOPS:
        raise BadStep(_NO_AMOUNT)
    return number, "percent"


def _amount_in_unit(amount_field: Field, number: float, unit: str, sign: int) -> Amount:
    if unit not in amount_field.units:
        raise BadStep(
            Sentence(
                "I can't measure this in %(unit)s. Say how much in words or in percent.",
                unit=UNIT_NAMES.get(unit, unit),
            )
        )
    if amount_field.type == "length":
        return Amount(float(amount_field.default or 0.0), abs(number), unit)
    if UNITS[unit] and abs(number) > UNITS[unit]:
        limit = f"{UNITS[unit]:g}"
        hint = Sentence(
            "The most I can do is %(most)s %(unit)s. Ask for less.",
            most=limit,
            unit=UNIT_NAMES.get(unit, unit),
        )
        raise InterpretationError(Reason.AMBIGUOUS, hint, {f"{abs(number):g}": (limit,)})
    size = min(1.0, abs(number) / UNITS[unit])
    return Amount(size * (sign if number >= 0 else -sign), abs(number), unit)


def _add_step(draft: Draft, step: Step) -> None:
    """Add a step, unless an earlier step already says the same thing: "It's too dark, brighten it a lot".

    If only the new step has an explicit amount, the earlier step gets that amount.
    """
    for at, other in enumerate(draft.steps):
        if other.declaration.ground == "none" and step.declaration.ground in ("none", "plain", "picture"):
            target = other.target if other.target.noun else step.target
            # In "cut it out and make the background white", the second step replaces the first.
            draft.steps[at] = replace(step, target=target)
            return
        if _shapes_crop(step, other):
            draft.steps[at] = other if other.target.what == "thing" else step
            draft.steps[at] = replace(draft.steps[at], values=step.values, words=other.words)
            return
        if _is_same_change(step, other):
            values = (
                step.values
                if _has_explicit_amount(step) and not _has_explicit_amount(other)
                else other.values
            )
            draft.steps[at] = replace(other, values=values, keep=tuple(dict.fromkeys(other.keep + step.keep)))
            return
    draft.steps.append(step)


def _shapes_crop(step: Step, other: Step) -> bool:
    """Return whether a step only states the shape for a crop before it, as in "crop it: 4:5"."""
    is_crop = step.operation == other.operation and step.declaration.finds == "frame" and not other.values
    is_shape = bool(step.values) and step.values.keys() <= {"ratio", "size"}
    return is_crop and is_shape and step.target == WHOLE


def _is_same_change(step: Step, other: Step) -> bool:
    if step.operation == other.operation and step.kind is EditKind.COMPOSITION and not step.values:
        # "Straighten it, it leans to the right" asks for one change.
        return not other.values and step.target == other.target
    if step.declaration.finds == "frame" and step.amount is None and step.values == other.values:
        return step.operation == other.operation and step.target == other.target
    if step.kind in (EditKind.ADD, EditKind.COMPOSITION) or step.operation != other.operation:
        return False
    rest, others = (
        {name: value for name, value in one.values.items() if name != "amount"} for one in (step, other)
    )
    is_like = step.target == other.target and rest == others
    return is_like and (step.amount or 0.0) * (other.amount or 0.0) >= 0


def _has_explicit_amount(step: Step) -> bool:
    return step.amount is not None and abs(step.amount) not in (DEFAULT_AMOUNT, MORE_AMOUNT)
