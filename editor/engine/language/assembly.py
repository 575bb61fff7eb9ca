"""Turn the wishes in a sentence into steps; a wish is one change that the user asks for.

This module adds the parts of a sentence to a draft of the plan, in order. `wish_steps.py` makes the steps of
a wish, with the targets from `wish_targets.py` and the amount from `amounts.py`. `merging.py` adds them to
the draft, and `limits.py` applies what the user says about them afterwards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from editor.engine.kinds import is_someone
from editor.engine.language.amounts import amount_of, limit_amount, with_size
from editor.engine.language.antecedents import (
    check_place,
    check_pronoun,
    gives_color,
    has_pronoun,
    takes_color,
)
from editor.engine.language.box_use import assign_boxes
from editor.engine.language.draft import Draft
from editor.engine.language.hints import OTHER_WORDS, WHICH_PART
from editor.engine.language.limits import (
    keep_targets,
    refuse_excluded_color,
    refuse_needed_purpose,
    refuse_unless_inherent,
    refuse_unless_repeated,
    refuse_with_last_wish,
    without_reasons,
)
from editor.engine.language.merging import TURNS, add_step, try_replace_turn
from editor.engine.language.roles import LOOK_ROLES, REFUSAL_ROLES
from editor.engine.language.sentence_parts import (
    PHOTO_TARGETS,
    InterpretationError,
    SentencePart,
    UserInput,
    changes_of,
    names_nothing,
)
from editor.engine.language.wish_steps import steps_of
from editor.engine.plan import BadStep, Reason, Step
from editor.options import EditKind
from editor.sentences import Sentence

_UNSURE = Sentence(
    "Say “make it %(said)s” if it should be like this, or “it is too %(said)s” if it is."
).template
# Values of `what` for what a wish without a target changes.
_ALL = ("whole", "subject")


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
    """Forget the remark before a wish.

    Refuse it if no wish is about its thing, unless it is part of a story.
    """
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
        limits = list(takewhile(_restricts_wish_before, parts[at:])) if _is_unsure(part) else []
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


def _restricts_wish_before(part: SentencePart) -> bool:
    return part.role == "spared" or (part.role == "aside" and bool(part.value.get("likened")))


def _add_part(draft: Draft, part: SentencePart) -> None:
    """Add what a part of a sentence asks for to the draft, or refuse it."""
    match part.role:
        case "wish":
            if not _try_color_added(part, draft):
                _add_wish(draft, part)
        case "spared":
            keep_targets(draft, part)
        case "refined":
            if draft.steps:
                draft.steps[-1] = _refine(draft.steps[-1], part)
        case "moderate":
            draft.steps = [limit_amount(step) for step in draft.steps]
        case "aside":
            _add_aside(draft, part)
        case "remark":
            if not is_someone(part.value["target"].get("noun")):
                draft.remark = part
        case "aim":
            draft.aim = part if part.value.get("what") not in PHOTO_TARGETS else None
        case role if role in REFUSAL_ROLES:
            _refuse_part(draft, part)


def _add_aside(draft: Draft, part: SentencePart) -> None:
    """Refuse an aside if the wish before it cannot be carried out as the aside says."""
    if "purpose" in part.value and draft.steps:
        refuse_needed_purpose(draft, part)
    elif "inherent" in part.value:
        refuse_unless_inherent(draft, part)
    elif "excluded" in part.value:
        refuse_excluded_color(draft, part, part.value["excluded"])
    elif "hint" in part.value:
        refuse_with_last_wish(draft, part)
    elif "alternative" in part.value:
        refuse_unless_repeated(draft, part)


def _refuse_part(draft: Draft, part: SentencePart) -> None:
    """Refuse a part that a construction of the grammar refuses, with the hint of this construction."""
    reason, hint = Reason(part.value["reason"]), Sentence(part.value["hint"])
    error = InterpretationError(reason, hint, part.value.get("instead", {}))
    draft.refuse_interpretation(part.words, error, part.value["nearest"])


def _add_wish(draft: Draft, part: SentencePart) -> None:
    """Add the steps of a wish, unless its pronoun may mean something else than they change."""
    if draft.aim is not None and draft.user_input.text_of((draft.aim.words[1], part.words[0])):
        _refuse_aim(draft)
    if part.value.get("faulty"):  # "Fix this photo, it's crooked" asks for one change.
        draft.steps = [step for step in draft.steps if step.words != draft.general_wish]
    draft.general_wish = part.words if _only_asks_to_mend(part) else (0, 0)
    before = draft.steps[-1] if draft.steps else None
    words = draft.user_input.text_of(part.words)
    for step in without_reasons(list(steps_of(part, draft)), part, draft):
        if has_pronoun(words) and draft.remark is None:
            check_pronoun(part, step, draft.user_input, before)
        if draft.steps:
            check_place(step, words, draft.steps[-1])
        if draft.aim is not None and _may_change_all_or_aim(step, part):
            raise InterpretationError(Reason.AMBIGUOUS, WHICH_PART)
        if not try_replace_turn(draft, step):
            add_step(draft, step, is_complaint=bool(part.value.get("turn")))
        draft.has_fault_turn |= bool(part.value.get("faulty")) and step.operation in TURNS


def _may_change_all_or_aim(step: Step, part: SentencePart) -> bool:
    """Return whether a change may be meant for the whole photo or only for the thing of the aim.

    This is the case in "make the dog pop by adding contrast".
    """
    names_target = any(change.get("target") for change in (part.value, *changes_of(part.value)))
    is_of_all = step.kind in (EditKind.COLOR, EditKind.COMPOSITION) and step.target.what in _ALL
    return is_of_all and not (step.keep or names_target)


def _try_color_added(part: SentencePart, draft: Draft) -> bool:
    """Give a color to what the last step adds, as in "add clouds and make them pink".

    Return whether the wish asks for this and the last step takes a color.
    """
    is_bare = names_nothing(part.value.get("target")) and not (draft.remark or draft.user_input.boxes)
    if not (draft.steps and is_bare and gives_color(part)):
        return False
    last = draft.steps[-1]
    if not takes_color(last, draft.user_input.text_of(last.words)):
        return False
    draft.steps[-1] = replace(last, values=dict(last.values) | {"color": part.value["color"]})
    return True


def _only_asks_to_mend(part: SentencePart) -> bool:
    """Return whether a wish only asks to mend something, as "fix this photo" does."""
    roles = {leaf.role for leaf in part.edge.leaves}
    is_enhance = part.value.get("operation") == "enhance" and not part.value.get("only")
    return is_enhance and bool(roles & {"adjust", "restore", "tidy"})


def _refine(step: Step, part: SentencePart) -> Step:
    """Apply a later remark to a step, as in "Erase the man. He is on the right." or "Brighten it. By 30%.".

    Raises InterpretationError if the remark does not fit the step.
    """
    if part.value.get("scale"):
        return with_size(step, part.value["scale"])
    if "amount" in part.value:
        sign = -1 if (step.amount or 0) < 0 else 1
        amount = amount_of(step.declaration, part.value | {"sign": sign})
        if amount is None or step.kind is not EditKind.COLOR:
            raise InterpretationError(
                Reason.AMBIGUOUS, Sentence("Say in one sentence what should change and by how much.")
            )
        return replace(step, values=dict(step.values) | {"amount": amount})
    if step.target.what == "whole":  # as in "brighten the photo, it is on the left"
        raise InterpretationError(Reason.AMBIGUOUS, OTHER_WORDS)
    target = replace(step.target, **{name: value for name, value in part.value.items() if value})
    return replace(step, target=target, words=(step.words[0], part.words[1]))
