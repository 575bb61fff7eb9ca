"""Turn an instruction in English into a plan that can be shown to the user."""

import gc
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple, cast

from editor.engine.errors import click_or_mark
from editor.engine.kinds import joint_name, takes_them
from editor.engine.language import checks, coverage, dependence, german, joining
from editor.engine.language.assembly import assemble
from editor.engine.language.budget import MAX_EDGES, Budget, TooLong
from editor.engine.language.chart import STOPS, VALUE_MARK, Chart, Edge
from editor.engine.language.cheapest_path import ParsePath
from editor.engine.language.describe import describe_step
from editor.engine.language.emoji_offers import with_emoji_offer
from editor.engine.language.findable import class_of
from editor.engine.language.grammar import Grammar
from editor.engine.language.hints import ONE_CHANGE, OTHER_WORDS
from editor.engine.language.parsing import read
from editor.engine.language.qualifiers import with_unchecked_words
from editor.engine.language.quoting import with_whole_texts
from editor.engine.language.roles import REFUSAL_ROLES
from editor.engine.language.sentence_parts import (
    Clause,
    SentencePart,
    UserInput,
    as_list,
    is_about,
)
from editor.engine.language.spelling import REPAIR_EDGES, Speller
from editor.engine.language.tokens import Token, tokenize
from editor.engine.language.topics import with_topics
from editor.engine.language.ways import with_ways
from editor.engine.plan import TOO_LONG, Plan, Reason, Refusal, Step, Target, WayKind
from editor.options import EditKind, Point, Region, selection_number
from editor.sentences import EMPTY, Sentence, join_names, join_sentences

ENGLISH = Path(__file__).parent / "en"
# Roles of the parts that a clause consists of.
PART_ROLES = REFUSAL_ROLES | {"wish", "spared", "moderate", "refined", "aim"}
# Roles of unread words that may forbid something.
RESTRICTING_ROLES = frozenset({"except", "not", "no", "without", "keep", "but", "moderate"})
# Roles of the first word of a clause that tells something, as in "their parents didn't sign the form".
STORY_OPENING_ROLES = frozenset({"narrating", "determiner", "someone"})
# Words after a name that show what a wish before it is about, as in "brighten it. The sky not."
LIMITING = frozenset({",", "not", "only", "mainly", "mostly", "excluded", "alone"})
# The maximum number of edges in a reading that is repeated with boxes. The repeated reading may use several
# times as many edges.
_MAX_CHEAP_EDGES = MAX_EDGES // 8
# The maximum length of the words that a message quotes, in characters.
_MAX_QUOTE_LENGTH = 80
_NO_VALUE = Sentence(
    "A value can be a color, a number, a place, a thing, or a look. To write it, put “the text” before it."
)
_UNREAD = Sentence("I don't understand “%(said)s” here. Say it in other words, or leave it out.").template
_NOTHING = Sentence("Say what should change, for example “make it brighter”.")
_FORBIDDEN = Sentence("Say what should change, not what shouldn't.")
# Hints that suggest nothing to do, so that a hint to point at a thing is better if it would help.
_GENERAL = {_UNREAD} | {one.template for one in (_FORBIDDEN, ONE_CHANGE, OTHER_WORDS, coverage.UNUSED)}
FOREIGN = Sentence("I only understand English for now. Write your prompt in English.")
GERMAN = Sentence("This prompt is in German. Write it in English, for example “make it brighter”.")
# Words that mean nothing alone. A message quotes them together with the words after them.
_JOINTS = frozenset(
    {"a", "an", "the", "of", "in", "on", "at", "to", "by", "for", "from", "with", "that", "as"}
)
_CANNOT_DO = Sentence("I can't do %(quoted)s.")
_LEADS = {
    Reason.UNKNOWN_WORD: Sentence("I don't understand %(quoted)s."),
    Reason.AMBIGUOUS: Sentence("I'm not sure what you mean by %(quoted)s."),
}


class Reader:
    """A grammar, along with a speller for its words."""

    def __init__(self, folder: Path = ENGLISH):
        self.grammar = Grammar(folder)
        known = self.grammar.lexicon.words() | self.grammar.literals()
        self.speller = Speller(known, folder / "words" / "english.txt")

    def read(
        self, tokens: Sequence[Token], budget: Budget, *, has_boxes: bool = False
    ) -> tuple[Chart, ParsePath]:
        """Read tokens after repairing their spelling. Raises TooLong if the budget is used up."""
        misspelled = {
            one.text for one in tokens if one.kind == "word" and self.speller.is_misspelled(one.text)
        }
        budget.spend(len(tokens) + len(misspelled) * REPAIR_EDGES)
        words = [self.speller(one.text, one.name) if one.kind == "word" else one.text for one in tokens]
        return read(tokens, words, self.grammar, self.speller.is_english, budget=budget, has_boxes=has_boxes)

    def is_english(self, word: str) -> bool:
        """Return whether the word is in the English word list or has a role in the grammar."""
        roles = self.grammar.lexicon.senses.get(word, {}).keys() - {"foreign"}
        return bool(roles) or self.speller.is_english(word)


@cache
def reader() -> Reader:
    """Return the reader of prompts, which is loaded once in each process.

    Its many objects are frozen. Otherwise, the garbage collector would examine them repeatedly, and a
    collection in the middle of a prompt could use up the CPU time of the prompt's budget.
    """
    loaded = Reader()
    gc.freeze()
    return loaded


class Readings:
    """The readings that one call to `explain` makes within one budget.

    Each text is read at most once without boxes and once with boxes.
    """

    def __init__(self) -> None:
        self._budget = Budget()
        self._known: dict[tuple[str, bool], tuple[list[Token], Chart, ParsePath]] = {}

    @property
    def are_cheap(self) -> bool:
        """Whether the budget is certain to be enough to read the text again with boxes."""
        return self._budget.used < _MAX_CHEAP_EDGES

    def of(self, text: str, *, has_boxes: bool) -> tuple[list[Token], Chart, ParsePath]:
        """Return the reading of a text. Raises TooLong if the budget is used up."""
        key = (text, has_boxes)
        if key not in self._known:
            tokens = tokenize(text)
            self._known[key] = (tokens, *reader().read(tokens, self._budget, has_boxes=has_boxes))
        return self._known[key]


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

    `photos` is the number of supplied photos, `regions` are the boxes, and `points` are the clicks. This
    function never raises an error: parts that cannot be carried out are listed in `not_understood`, in the
    user's words.
    """
    if not instruction.strip():
        return Plan(instruction, partial=partial, message=Sentence("Prompt is required"))
    reader()  # Load the grammar first, because the budget covers only reading.
    try:
        return _explain_with_offers(instruction, photos, _marks(regions, points), partial)
    except TooLong:
        return _too_long_plan(instruction, partial)


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
    plan = _in_german(plan) if is_german else plan

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
    return replace(with_offers, message=_message_of(with_offers))


def _in_german(plan: Plan) -> Plan:
    """Return the refusal of a whole instruction in German, with its possible translations."""
    refusal = Refusal(plan.instruction.strip(), Reason.UNKNOWN_WORD, GERMAN)
    return replace(
        plan, steps=(), not_understood=(replace(refusal, nearest=tuple(german.translations(refusal.words))),)
    )


def _message_of(plan: Plan) -> Sentence:
    """Return the message of a refused plan, along with the plan's first similar instruction, if any."""
    first = plan.not_understood[0]
    sentence = next((way.text for way in plan.ways if way.kind is WayKind.SENTENCE), "")
    message = _message_of_refusals(plan.not_understood)
    if not sentence or sentence in first.hint:
        return message
    return Sentence("%(message)s Try “%(sentence)s”.", message=message, sentence=_shorten(sentence))


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
    message = _message_of_refusals(refusals) if is_new and plan.message else plan.message
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
        if step.target.what == "region" and noun and is_about(refusal.words, _words_of(boxed, step)):
            hint = click_or_mark(noun, is_plural=takes_them(noun))
            return replace(refusal, reason=Reason.NEEDS_REGION, hint=hint)
    return refusal


def _words_of(plan: Plan, step: Step) -> str:
    return plan.instruction[slice(*step.words)].strip()


def _plan_of_text(instruction: str, photos: int, marks: _Marks, partial: bool, readings: Readings) -> Plan:
    """Return the plan without an offer of a similar instruction."""
    user_input = UserInput(instruction, photos, marks.boxes, selected=marks.selected)
    if marks.hint:
        return _refusal_plan(
            user_input, Refusal(instruction.strip(), Reason.NEEDS_REGION, marks.hint), partial
        )
    tokens, chart, path = readings.of(instruction, has_boxes=bool(marks.boxes))
    if _is_foreign(tokens, chart):
        return _refusal_plan(user_input, Refusal(instruction.strip(), Reason.UNKNOWN_WORD, FOREIGN), partial)
    of_all = {"photo", "everything", "overall"}
    user_input = replace(user_input, names_photo=any(chart.roles(at) & of_all for at in range(len(tokens))))
    path = with_whole_texts(path, chart, tokens, instruction, reader().grammar.lexicon.inflected)
    clauses = with_topics(list(_clauses(path, tokens, chart)), chart, tokens, reader().grammar.lexicon)
    clauses = joining.with_shared_targets(clauses, instruction, reader().grammar.lexicon)
    plan = _plan_of_clauses(user_input, clauses, tokens, partial)
    is_name_only = not plan.accepted and plan.not_understood[0].hint in (_NOTHING, dependence.NAME_ONLY)
    if is_name_only and _is_name(chart):
        return _refusal_plan(user_input, _name_only_refusal(instruction.strip()), partial)
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


def _name_only_refusal(words: str) -> Refusal:
    """Return the refusal of a sentence that only names a thing."""
    nearest = tuple(f"{verb} {words.rstrip(' .!?')}" for verb in ("remove", "brighten", "darken"))
    return Refusal(words, Reason.AMBIGUOUS, dependence.NAME_ONLY, nearest=nearest)


def _too_long_plan(instruction: str, partial: bool) -> Plan:
    refusal = Refusal(instruction.strip(), Reason.TOO_LARGE, TOO_LONG)
    return Plan(instruction, (), (refusal,), partial, TOO_LONG)


def _refusal_plan(user_input: UserInput, refusal: Refusal, partial: bool) -> Plan:
    return Plan(user_input.instruction, (), (refusal,), partial, _message_of_refusals((refusal,)))


def _is_foreign(tokens: Sequence[Token], chart: Chart) -> bool:
    words = [at for at, token in enumerate(tokens) if token.kind == "word"]
    foreign = [at for at in words if "foreign" in chart.roles(at) or not tokens[at].text.isascii()]
    known = [at for at in words if at not in foreign and chart.roles(at).isdisjoint(("unknown", "plain"))]
    return bool(foreign) and len(foreign) > len(known)


def _clauses(path: ParsePath, tokens: Sequence[Token], chart: Chart) -> Iterator[Clause]:
    clause, has_wish = Clause(), False
    for first, after, edge in path:
        start, end = tokens[first].start, tokens[after - 1].end
        if edge is not None and edge.role in ("aside", "remark"):
            clause.told.append((start, end))
        if (edge is None and chart.words[first] in STOPS) or (edge is not None and edge.role == "joint"):
            yield replace(clause, tokens=(clause.tokens[0], first))
            clause = Clause(link=_link(edge, tokens[first]), tokens=(after, after))
        elif unreadable := _unreadable_word(edge, tokens[first:after], chart, first):
            clause.add_unread(unreadable, tokens)
            clause.is_restricting |= _may_forbid(chart, first, clause.tokens[0]) or _is_limit(edge)
            clause.extend(start, end)
        elif has_wish and _is_afterthought(edge, chart, first):
            clause.add_unread(tokens[first + (chart.words[first] == "/")], tokens)
            clause.extend(start, end)
        elif edge and edge.role in PART_ROLES:
            has_wish = has_wish or edge.role == "wish"
            clause.parts.append(SentencePart(edge.role, edge.value, (start, end), edge))
            clause.extend(start, end)
        elif edge and edge.role == "remark":
            is_story = (after, "aside") in chart.at[first]
            remark = {"target": edge.value, "is_story": is_story}
            clause.parts.append(SentencePart("remark", remark, (start, end), edge))
            clause.story = (start, end)
            if not is_story:
                clause.extend(start, end)
        elif edge and edge.role == "aside" and edge.value:
            clause.parts.append(SentencePart("aside", edge.value, (start, end), edge))
        elif edge and edge.role == "aside" and edge.rule is None:
            is_of_photo = any(chart.roles(at) & {"photo", "telling"} for at in range(first, after))
            clause.story = (0, 0) if is_of_photo else (start, end)
        clause.has_aside |= edge is not None and edge.role in ("aside", "remark")
    yield replace(clause, tokens=(clause.tokens[0], len(tokens)))


def _is_afterthought(edge: Edge | None, chart: Chart, first: int) -> bool:
    """Return whether words that would only tell something name what the wish before them is about.

    This is the case in "make it red. The car." and "brighten it (in the face)". Other words in brackets
    may be a title or describe a marked thing: "restore this (my grandma)".
    """
    if edge is None or edge.role not in ("aside", "filler") or (edge.role == "aside" and edge.rule):
        return False
    start, end = first + (chart.words[first] == "/"), edge.end - (chart.words[edge.end - 1] == "/")
    is_bracketed = chart.words[max(0, start - 1)] == "/" == (*chart.words, "/")[end]
    is_bare = is_bracketed and (end == start + 1 or chart.words[start] in ("of", "in", "on"))
    if chart.words[start] not in ("the", "not") and not is_bare:
        return False
    places = [at for at, _ in chart.courtesy[start] if at < end]
    ends = [to for at in places for to, role in chart.at[at] if role in ("parts", "where") and to <= end]
    return any(to == end or chart.words[to] in LIMITING for to in ends)


def _may_forbid(chart: Chart, at: int, first: int) -> bool:
    """Return whether an unread word may forbid something, or may be a part of what is forbidden.

    `first` is the first word of its clause. "I have no idea about colors" only tells something, unless it
    says that the user wants something.
    """
    is_negated = any("not" in chart.roles(word) for word in range(first, at))
    if not is_negated and RESTRICTING_ROLES.isdisjoint(chart.roles(at)):
        return False
    following = takewhile(lambda word: chart.words[word] not in STOPS, range(first, len(chart.words)))
    is_wish = any("wanting" in chart.roles(word) for word in following)
    return is_wish or first == at or chart.roles(first).isdisjoint(STORY_OPENING_ROLES)


def _is_limit(edge: Edge | None) -> bool:
    """Return whether an edge names something that cannot be kept as it is."""
    return edge is not None and edge.role in REFUSAL_ROLES and bool(edge.value.get("limits"))


def _link(joint: Edge | None, token: Token) -> str:
    """Return how a stop or a joining word links the clause after it to the clause before it."""
    if joint is None:
        is_bracket = token.text == "/" and str(token.value).strip()[:1] in ("(", "[")
        return "," if token.text == "," else "(" if is_bracket else ""
    if joint.value == "reason":
        return "because"
    return "with" if joint.value == "describing" else token.text if token.text in ("and", "but") else ""


def _unreadable_word(edge: Edge | None, tokens: Sequence[Token], chart: Chart, first: int) -> Token | None:
    """Return the first word that makes a part of the sentence unreadable, or None if the part is readable.

    In a part that a pattern reads as a refusal, only unknown words that are not English count, except proper
    names, such as "Eiffel".
    """
    if edge is None:
        return tokens[0]
    if edge.rule is None:
        return None
    unknown = (token for at, token in enumerate(tokens, first) if "unknown" in chart.roles(at))
    named = (token for token in unknown if not (str(token.value).istitle() and token.start > 0))
    not_english = (token for token in named if not reader().speller.is_word(token.text))
    return next(not_english, None) if edge.role in REFUSAL_ROLES else None


def _plan_of_clauses(
    user_input: UserInput, clauses: Sequence[Clause], tokens: Sequence[Token], partial: bool
) -> Plan:
    """Return the plan for the clauses.

    A clause with an unread word is not carried out, because its meaning may depend on that word. If an unread
    word may forbid something, nothing is carried out. If something cannot be kept as it is, only changes of
    other parts are carried out.
    """
    unread = [clause for clause in clauses if clause.unread]
    parts = [part for clause in clauses for part in clause.parts if not clause.unread]
    limits = [part for part in parts if _is_limit(part.edge)]
    draft = assemble(parts, user_input)
    is_forbidden = any(clause.is_restricting for clause in clauses)
    if is_forbidden or (limits and not all(map(_is_of_part, draft.steps))):
        parts = limits
        draft = assemble(parts, user_input)
    refusals = [_refusal_of_clause(user_input, clause) for clause in unread] + draft.refusals
    new_refusals = checks.refusals(draft.steps, user_input)
    new_refusals += coverage.refusals(parts, draft.steps, [*refusals, *new_refusals], user_input, tokens)
    new_refusals += dependence.refusals(
        clauses, draft.steps, [*refusals, *new_refusals], user_input, reader().grammar.lexicon
    )
    refused_words = {refusal.words for refusal in (*refusals, *new_refusals)}
    unclear = joining.refusals(parts, user_input, tokens, reader().grammar.lexicon)
    new_refusals += [refusal for refusal in unclear if refusal.words not in refused_words]
    refused_words = {refusal.words for refusal in new_refusals}
    steps = [
        step
        for step in draft.steps
        if user_input.instruction[slice(*step.words)].strip() not in refused_words
    ]
    refusals += [refusal for refusal in dict.fromkeys(new_refusals) if refusal not in refusals]
    refusals.sort(key=lambda refusal: user_input.instruction.find(refusal.words))
    if not steps and not refusals:
        alone = (part.value.get("alone") for part in parts if part.role == "aside")
        hint = next((Sentence(one) for one in alone if one), _NOTHING)
        refusals = [Refusal(user_input.instruction.strip(), Reason.AMBIGUOUS, hint)]
    steps = with_unchecked_words(parts, steps, user_input.instruction, tokens)
    described_steps = tuple(_with_description(step, user_input) for step in steps)
    plan = Plan(user_input.instruction, described_steps, tuple(refusals), partial)
    return plan if plan.accepted else replace(plan, message=_message_of_refusals(refusals))


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


def _refusal_of_clause(user_input: UserInput, clause: Clause) -> Refusal:
    words = user_input.instruction[clause.start : clause.end].strip()
    if VALUE_MARK in words:
        return Refusal(words, Reason.AMBIGUOUS, _NO_VALUE)
    unknown = [word for word in clause.unread if not reader().speller.knows(word)]
    if unknown:
        hint = Sentence("I don't know the word “%(word)s”. Say it in other words.", word=_shorten(unknown[0]))
        return Refusal(words, Reason.UNKNOWN_WORD, hint)
    unread = user_input.instruction[slice(*clause.gap)]
    if unread.lower() in _JOINTS:
        unread = user_input.instruction[clause.gap[0] : clause.end]
    hint = Sentence(_UNREAD, said=_shorten(unread))
    if clause.is_restricting:
        hint = _FORBIDDEN
    elif unread == words:
        hint = OTHER_WORDS
    return Refusal(words, Reason.AMBIGUOUS, hint)


def _message_of_refusals(refusals: Sequence[Refusal]) -> Sentence:
    first = refusals[0]
    if first.hint in (FOREIGN, GERMAN):
        return first.hint
    quoted = join_names([Sentence("“%(quoted)s”", quoted=_shorten(refusal.words)) for refusal in refusals])
    lead = _LEADS.get(first.reason, _CANNOT_DO).template
    return join_sentences(Sentence(lead, quoted=quoted), first.hint)


def _shorten(words: str) -> str:
    flat = " ".join("".join(letter if letter.isprintable() else " " for letter in words).split())
    return flat if len(flat) <= _MAX_QUOTE_LENGTH else flat[: _MAX_QUOTE_LENGTH - 1] + "…"
