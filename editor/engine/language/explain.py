"""Turn an instruction in English into a plan that can be shown to the user."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from editor.engine.errors import click_or_mark
from editor.engine.kinds import joint_name, takes_them
from editor.engine.language import checks, coverage, dependence, german, joining
from editor.engine.language.assembly import assemble
from editor.engine.language.budget import TooLong
from editor.engine.language.chart import Chart, Edge
from editor.engine.language.clauses import clauses_of, is_limit_refusal
from editor.engine.language.describe import describe_step
from editor.engine.language.emoji_offers import with_emoji_offer
from editor.engine.language.findable import class_of
from editor.engine.language.hints import NAME_ONLY, ONE_CHANGE, OTHER_WORDS, UNUSED
from editor.engine.language.qualifiers import with_unchecked_words
from editor.engine.language.quoting import with_whole_texts
from editor.engine.language.reader import Readings, reader
from editor.engine.language.refusal_messages import (
    FORBIDDEN,
    FOREIGN,
    UNREAD,
    in_german,
    message_of,
    message_of_refusals,
    name_only_refusal,
    refusal_of_clause,
    refusal_plan,
    too_long_plan,
)
from editor.engine.language.sentence_parts import (
    Clause,
    SentencePart,
    UserInput,
    as_list,
    is_about,
)
from editor.engine.language.tokens import Token
from editor.engine.language.topics import with_topics
from editor.engine.language.ways import with_ways
from editor.engine.plan import Plan, Reason, Refusal, Step, Target
from editor.options import EditKind, Point, Region, selection_number
from editor.sentences import EMPTY, Sentence

_NOTHING = Sentence("Say what should change, for example “make it brighter”.")
# Hints that suggest nothing to do, so that a hint to point at a thing is better if it would help.
_GENERAL = {UNREAD} | {one.template for one in (FORBIDDEN, ONE_CHANGE, OTHER_WORDS, UNUSED)}


class _Marks(NamedTuple):
    """The marks on photo 1.

    `boxes` are the numbers of the boxes. `selected` is the name of the clicked thing, "" if its name is
    unknown, or None if no click selected anything. The last box is around the selected thing. If all marks
    are on other photos, `hint` says so.
    """

    boxes: tuple[int, ...] = ()
    selected: str | None = None
    hint: Sentence = EMPTY


_ANYWHERE = _Marks((1,))


def explain(
    instruction: str,
    *,
    photos: int = 1,
    regions: Sequence[Region] = (),
    points: Sequence[Point] = (),
    partial: bool = False,
) -> Plan:
    """Return the plan for an instruction in English.

    `photos` is the number of supplied photos, `regions` are the boxes, and `points` are the clicks. If
    `partial` is true, one part that can be carried out is enough for the plan to be accepted. This function
    never raises an error: parts that cannot be carried out are listed in `not_understood`, in the user's
    words.
    """
    if not instruction.strip():
        return Plan(instruction, partial=partial, message=Sentence("Prompt is required"))
    reader()  # Load the grammar first, because the budget covers only reading.
    try:
        return _explain_with_offers(instruction, photos, _marks(regions, points), partial)
    except TooLong:
        return too_long_plan(instruction, partial)


def _marks(regions: Sequence[Region], points: Sequence[Point]) -> _Marks:
    boxes = tuple(number for number, region in enumerate(regions, 1) if region.image == 1)
    selection = selection_number(regions, points)
    if selection is not None:
        kinds = [point.kind for point in points if point.keep and point.image == 1]
        return _Marks((*boxes, selection), joint_name(kinds))
    hint = EMPTY
    if regions and not boxes:
        hint = Sentence(
            "Your box is on photo %(number)s, but I only change photo 1. Draw the box on photo 1.",
            number=regions[0].image,
        )
    elif points and not boxes:
        hint = Sentence(
            "Your point is on photo %(number)s, but I only change photo 1. Click in photo 1.",
            number=points[0].image,
        )
    return _Marks(boxes, hint=hint)


def _explain_with_offers(instruction: str, photos: int, marks: _Marks, partial: bool) -> Plan:
    readings = Readings()
    plan = _plan_of_text(instruction, photos, marks, partial, readings)
    is_german = bool(plan.not_understood) and german.is_german(instruction, reader().is_english)
    if plan.not_understood and marks == _Marks() and not is_german and readings.are_cheap:
        plan = _with_box_facts(plan, photos, readings)
    if plan.accepted or partial or not plan.not_understood:
        return plan
    plan = in_german(plan) if is_german else plan

    def read(instead: str, is_marked: bool) -> Plan:
        return _plan_of_text(instead, photos, _ANYWHERE if is_marked else marks, False, readings)

    def accepts(text: str, is_marked: bool) -> bool:
        if is_marked and marks.boxes:
            return False
        try:
            return readings.are_cheap and read(text, is_marked).accepted
        except TooLong:
            return False

    senses = reader().grammar.lexicon.senses
    with_offers = with_ways(
        with_emoji_offer(plan, senses, read),
        reader().speller,
        accepts,
        lambda words: "filler" in senses.get(words.lower(), ()),
    )
    return replace(with_offers, message=message_of(with_offers))


def _with_box_facts(plan: Plan, photos: int, readings: Readings) -> Plan:
    """Return the plan, marking each refusal whose words would be accepted with a box.

    If those words name something that can only be found in a box, the hint asks the user to point at it.
    """
    boxed = _plan_of_text(plan.instruction, photos, _ANYWHERE, plan.partial, readings)
    refused = [
        [one for one in plan.not_understood if is_about(one.words, other.words)]
        for other in boxed.not_understood
    ]
    if not boxed.steps or not all(refused):  # With a box, nothing would be done, or other words are refused.
        return plan
    refused_in_box = [one for group in refused for one in group]
    refusals = tuple(
        one if one in refused_in_box else _with_pointing_hint(replace(one, box_helps=True), boxed)
        for one in plan.not_understood
    )
    is_new = [one.hint for one in refusals] != [one.hint for one in plan.not_understood]
    message = message_of_refusals(refusals) if is_new and plan.message else plan.message
    return replace(plan, not_understood=refusals, message=message)


def _with_pointing_hint(refusal: Refusal, boxed: Plan) -> Refusal:
    """Return a refusal with a hint to click or draw a box around the thing that the refused words name.

    If the plan with a box does not act on such a thing, the refusal is returned unchanged.
    """
    is_general = refusal.hint.template in _GENERAL
    if refusal.reason not in (Reason.UNKNOWN_WORD, Reason.NO_SUCH_TARGET) and not is_general:
        return refusal
    # If the same words name several things, start with those that cannot be found by name.
    for step in sorted(boxed.steps, key=lambda one: class_of(replace(one.target, what="thing")) != "other"):
        noun = step.target.noun
        if "effect" in reader().grammar.lexicon.senses.get(noun or "", ()):  # as in "make it look darker"
            continue
        words = boxed.instruction[slice(*step.words)].strip()
        if step.target.what == "region" and noun and is_about(refusal.words, words):
            hint = click_or_mark(noun, is_plural=takes_them(noun))
            return replace(refusal, reason=Reason.NEEDS_REGION, hint=hint)
    return refusal


def _plan_of_text(instruction: str, photos: int, marks: _Marks, partial: bool, readings: Readings) -> Plan:
    """Return the plan without an offer of a similar instruction."""
    user_input = UserInput(instruction, photos, marks.boxes, selected=marks.selected)
    if marks.hint:
        return refusal_plan(
            user_input, Refusal(instruction.strip(), Reason.NEEDS_REGION, marks.hint), partial
        )
    tokens, chart, path = readings.of(instruction, has_boxes=bool(marks.boxes))
    if _is_foreign(tokens, chart):
        return refusal_plan(user_input, Refusal(instruction.strip(), Reason.UNKNOWN_WORD, FOREIGN), partial)
    of_all = {"photo", "everything", "overall"}
    user_input = replace(user_input, names_photo=any(chart.roles(at) & of_all for at in range(len(tokens))))
    path = with_whole_texts(path, chart, tokens, instruction, reader().grammar.lexicon.inflected)
    clauses = with_topics(list(clauses_of(path, tokens, chart)), chart, tokens, reader().grammar.lexicon)
    clauses = joining.with_shared_targets(clauses, instruction, reader().grammar.lexicon)
    plan = _plan_of_clauses(user_input, clauses, tokens, partial)
    is_name_only = not plan.accepted and plan.not_understood[0].hint in (_NOTHING, NAME_ONLY)
    if is_name_only and _is_name(chart):
        return refusal_plan(user_input, name_only_refusal(instruction.strip()), partial)
    return plan


def _is_name(chart: Chart) -> bool:
    """Return whether a sentence consists only of the name of a thing, such as "the dogs on the left"."""
    size = len(chart.words)
    if any("wanting" in chart.roles(at) for at in range(size)):  # as in "the lamp should be on"
        return False
    if chart.words[:1] != ["the"] and not (size and chart.roles(0) & {"determiner", "this", "number"}):
        return False
    named = [edge for at in (0, 1) if at < size and (edge := chart.at[at].get((size, "parts")))]
    return any("noun" in part for edge in named if not _may_be_wish(edge) for part in as_list(edge.value))


def _may_be_wish(edge: Edge) -> bool:
    """Return whether a name contains a description that may be a wish, as in "the car should be red"."""
    return any(part.role in ("relation", "lain") or _may_be_wish(part) for part in edge.parts)


def _is_foreign(tokens: Sequence[Token], chart: Chart) -> bool:
    words = [at for at, token in enumerate(tokens) if token.kind == "word"]
    foreign = [at for at in words if "foreign" in chart.roles(at) or not tokens[at].text.isascii()]
    known = [at for at in words if at not in foreign and chart.roles(at).isdisjoint(("unknown", "plain"))]
    return bool(foreign) and len(foreign) > len(known)


def _plan_of_clauses(
    user_input: UserInput, clauses: Sequence[Clause], tokens: Sequence[Token], partial: bool
) -> Plan:
    """Return the plan for the clauses.

    A clause with an unread word is not carried out, because its meaning may depend on that word. If an unread
    word may forbid something, nothing is carried out. If something cannot be kept as it is, only changes of
    other parts are carried out.
    """
    parts = [part for clause in clauses for part in clause.parts if not clause.unread]
    limits = [part for part in parts if is_limit_refusal(part.edge)]
    draft = assemble(parts, user_input)
    is_forbidden = any(clause.is_restricting for clause in clauses)
    if is_forbidden or (limits and not all(map(_is_of_part, draft.steps))):
        parts = limits
        draft = assemble(parts, user_input)
    known = [refusal_of_clause(user_input, clause) for clause in clauses if clause.unread] + draft.refusals
    found = _refusals_of_checks(user_input, clauses, parts, draft.steps, tokens, known)
    refused_words = {refusal.words for refusal in found}
    steps = [step for step in draft.steps if user_input.text_of(step.words) not in refused_words]
    refusals = known + [refusal for refusal in dict.fromkeys(found) if refusal not in known]
    refusals.sort(key=lambda refusal: user_input.instruction.find(refusal.words))
    if not steps and not refusals:
        refusals = [_refusal_of_nothing(user_input, parts)]
    steps = with_unchecked_words(parts, steps, user_input.instruction, tokens)
    described_steps = tuple(_with_description(step, user_input) for step in steps)
    plan = Plan(user_input.instruction, described_steps, tuple(refusals), partial)
    return plan if plan.accepted else replace(plan, message=message_of_refusals(refusals))


def _refusals_of_checks(
    user_input: UserInput,
    clauses: Sequence[Clause],
    parts: Sequence[SentencePart],
    steps: Sequence[Step],
    tokens: Sequence[Token],
    known: Sequence[Refusal],
) -> list[Refusal]:
    """Return the refusals of steps by the four checks. Each check knows the refusals before it."""
    lexicon = reader().grammar.lexicon
    found = checks.refusals(steps, user_input)
    found += coverage.refusals(parts, steps, [*known, *found], user_input, tokens)
    found += dependence.refusals(clauses, steps, [*known, *found], user_input, lexicon)
    refused_words = {refusal.words for refusal in (*known, *found)}
    unclear = joining.refusals(parts, user_input, tokens, lexicon)
    return found + [refusal for refusal in unclear if refusal.words not in refused_words]


def _refusal_of_nothing(user_input: UserInput, parts: Sequence[SentencePart]) -> Refusal:
    """Return the refusal of a prompt that requests nothing. An aside may give the hint for it."""
    alone = (part.value.get("alone") for part in parts if part.role == "aside")
    hint = next((Sentence(one) for one in alone if one), _NOTHING)
    return Refusal(user_input.instruction.strip(), Reason.AMBIGUOUS, hint)


def _is_of_part(step: Step) -> bool:
    """Return whether a step changes only what it names, so that everything else remains unchanged."""
    is_replaced = step.kind is EditKind.BACKGROUND and step.declaration.ground != "blurred"
    is_named = step.kind is not EditKind.COMPOSITION and step.target.what in ("thing", "face", "subject")
    return is_named or is_replaced or step.kind is EditKind.REMOVE


def _with_description(step: Step, user_input: UserInput) -> Step:
    """Return the step with a description, and with the clicked thing recorded in its targets."""
    with_selection = (
        step
        if user_input.selected is None
        else _with_selection(step, user_input.boxes[-1], user_input.selected)
    )
    return replace(with_selection, says=describe_step(with_selection))


def _with_selection(step: Step, number: int, name: str) -> Step:
    def selected[A](value: A) -> A:
        is_selected = isinstance(value, Target) and number in value.boxes
        return cast(A, replace(cast(Target, value), selected=name)) if is_selected else value

    values = {key: selected(value) for key, value in step.values.items()}
    return replace(step, target=selected(step.target), values=values, keep=tuple(map(selected, step.keep)))
