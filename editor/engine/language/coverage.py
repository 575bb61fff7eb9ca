"""Check that no meaningful word is lost between a sentence and its plan.

A word that means an operation, a thing, a color, a place, or a number must be in a step, unless the word
belongs to a construction that only `describes` something.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import pairwise

from editor.engine.catalog import catalog
from editor.engine.kinds import is_someone, plural_of
from editor.engine.language.chart import STOPS, Edge
from editor.engine.language.hints import UNUSED
from editor.engine.language.sentence_parts import EVERYBODY, SentencePart, UserInput, as_list
from editor.engine.language.template import references
from editor.engine.language.tokens import Token
from editor.engine.plan import DEFAULT_AMOUNT, Amount, Reason, Refusal, Step
from editor.sentences import Sentence

_LOOK_AS_TARGET = Sentence("Say “make it black and white”, or “the black parts and the white parts”.")
_WHICH_TO_KEEP = Sentence("Say which parts should stay as they are, for example “but keep the red parts”.")
_WHOLE_OR_PART = Sentence("Say whether to change the whole photo or only this part.")
# Values of a target that is the whole photo.
_PHOTO_VALUES = ([{"what": "whole"}], [{"what": "it"}])
# Roles of the parts of a sentence that are checked.
_CHECKED_ROLES = frozenset({"wish", "spared", "refined"})
# Roles of words that say something about the photo or the wish but request nothing.
_IGNORED_ROLES = frozenset({"aside", "joint", "filler"})
# Roles of the words for a target, which a box shows if one is drawn.
_TARGET_ROLES = frozenset(
    {"parts", "where", "thing", "framed", "moved", "counted", "landmark", "wearer", "neighbor", "right_here"}
)
# Roles of numbers and measures.
NUMBER_ROLES = frozenset({"measure", "percent", "pixels", "degrees", "stops", "kilobytes", "dpi", "number"})
# The roles of words that name something, by what they name.
_ROLES_BY_KIND = {
    "color": frozenset({"color", "hex", "ness", "tinted"}),
    "place": frozenset({"place", "rim", "flank", "stacked", "nearby", "shifted"}),
    "thing": frozenset(
        {"named", "seen", "someone", "company", "noun", "worn", "findable", "pictured", "face"}
    ),
    "number": NUMBER_ROLES,
}


def refusals(
    parts: Sequence[SentencePart],
    steps: Sequence[Step],
    known: Sequence[Refusal],
    user_input: UserInput,
    tokens: Sequence[Token],
) -> list[Refusal]:
    """Return a refusal for each part of a sentence that contains a word that no step uses.

    `tokens` are the tokens of the sentence. Parts that are already refused in `known` are not refused again.
    """
    refused = " ".join(refusal.words for refusal in known)
    is_moderated = any(part.role == "moderate" for part in parts)
    ignored_roles = _IGNORED_ROLES | (_TARGET_ROLES if user_input.boxes else set())
    ignored_roles |= {"much"} if is_moderated else set()
    coverage_refusals = []
    for part in parts:
        words = user_input.text_of(part.words)
        if part.role not in _CHECKED_ROLES or words in refused:
            continue
        if text := next(_unwritten_texts(part, steps, tokens), None):
            coverage_refusals.append(Refusal(words, Reason.AMBIGUOUS, Sentence(UNUSED.template, word=text)))
        elif part.role == "spared" and _is_unclear(part, tokens):
            coverage_refusals.append(Refusal(words, Reason.AMBIGUOUS, _WHICH_TO_KEEP))
        elif part_of_photo := _part_after_photo(part.edge, tokens):
            (first, last), instruction = part.words, user_input.instruction
            shorter = instruction[first : part_of_photo.start] + instruction[part_of_photo.stop : last]
            nearest = (" ".join(shorter.split()),)
            coverage_refusals.append(Refusal(words, Reason.AMBIGUOUS, _WHOLE_OR_PART, nearest=nearest))
        elif _has_look_as_target(part.edge, tokens):
            coverage_refusals.append(Refusal(words, Reason.AMBIGUOUS, _LOOK_AS_TARGET))
        elif unused_word := next(_unused_words(part.edge, steps, ignored_roles), None):
            coverage_refusals.append(_refusal(part, unused_word, user_input, tokens, ignored_roles))
    return coverage_refusals


def _has_look_as_target(edge: Edge, tokens: Sequence[Token]) -> bool:
    """Return whether "black and white" is read as two colored parts, as in "brighter in black and white"."""
    words = [token.text for token in tokens[edge.start : edge.end]]
    is_target = edge.role == "parts" and words == ["black", "and", "white"]
    return is_target or any(_has_look_as_target(part, tokens) for part in edge.parts)


def _is_unclear(spared: SentencePart, tokens: Sequence[Token]) -> bool:
    """Return whether something to keep is the whole photo, or may describe the result."""
    return as_list(spared.value) in _PHOTO_VALUES or _may_describe_result(spared.edge, tokens)


def _may_describe_result(edge: Edge, tokens: Sequence[Token]) -> bool:
    """Return whether something to keep may say how or where to change the photo instead.

    For example, "warmer but not orange" is about the result, and "but just the sky" about what should change.
    """
    words, last = [token.text for token in tokens[edge.start : edge.end]], [*edge.leaves][-1]
    after_but = words[words.index("but") + 1 :][:1] if "but" in words else []
    is_color = last.role == "color" and last.end == edge.end
    is_part = after_but in (["just"], ["only"]) and words[-1] not in ("color", "colour")
    return is_part or (after_but == ["not"] and is_color)


def _part_after_photo(edge: Edge, tokens: Sequence[Token]) -> slice | None:
    """Return the offsets of the photo and a stop before a part of it, as in "sharpen it, just the eyes".

    Such a part restricts the wish, unless "and" joins it to the photo. After "for", it may also be a purpose,
    as in "brighten it for a mug".
    """
    if edge.role == "parts" and len(edge.parts) > 1:
        first, second = edge.parts[0], next(one for one in edge.parts[1:] if one.role == "part")
        between = {token.text for token in tokens[first.end : second.start]}
        is_photo = as_list(first.value) in _PHOTO_VALUES and as_list(second.value) not in _PHOTO_VALUES
        if is_photo and between & STOPS and second is edge.parts[-1] and "and" not in between:
            return slice(tokens[first.start].start, tokens[second.start].start)
    for first, second in pairwise(edge.parts):
        is_photo = first.role == "parts" and as_list(first.value) in _PHOTO_VALUES
        is_purpose = second.role == "where" and tokens[second.start].text == "for"
        if is_photo and is_purpose and as_list(second.value) not in _PHOTO_VALUES:
            return slice(tokens[first.start].start, tokens[second.start + 1].start)
    return next(filter(None, (_part_after_photo(part, tokens) for part in edge.parts)), None)


def _unwritten_texts(part: SentencePart, steps: Sequence[Step], tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the quoted texts of a part if its step writes something else."""
    own = [step for step in steps if step.words == part.words and _is_writing(step)]
    written = {str(value) for step in own for value in step.values.values()}
    quoted = [
        str(token.value)
        for token in tokens
        if token.kind == "quoted" and part.words[0] <= token.start < part.words[1]
    ]
    if own and written.isdisjoint(quoted):
        yield from quoted


def _is_writing(step: Step) -> bool:
    fields = step.declaration.fields.items()
    return any(declared.type == "text" and name in step.values for name, declared in fields)


def _refusal(
    part: SentencePart,
    unused_word: Edge,
    user_input: UserInput,
    tokens: Sequence[Token],
    ignored_roles: Set[str],
) -> Refusal:
    """Return the refusal of a part of a sentence because of a word that no step uses."""

    def span(edge: Edge) -> slice:
        return slice(tokens[edge.start].start, tokens[edge.end - 1].end)

    text = user_input.instruction
    words, word = user_input.text_of(part.words), text[span(unused_word)]
    amounts = [edge for edge in _meaningful_words(part.edge, ignored_roles) if edge.role == "amount"]
    if unused_word.role != "amount" or len(amounts) != 2:
        return Refusal(words, Reason.AMBIGUOUS, Sentence(UNUSED.template, word=word))

    def without(edge: Edge) -> str:
        start, end = part.words
        return " ".join((text[start : span(edge).start] + text[span(edge).stop : end]).split())

    other = amounts[1] if amounts[0] is unused_word else amounts[0]
    hint = Sentence(
        "“%(one)s” and “%(other)s” contradict each other. Say only one.", one=word, other=text[span(other)]
    )
    single = (without(other), without(unused_word))
    return Refusal(words, Reason.AMBIGUOUS, hint, nearest=single)


def _unused_words(
    edge: Edge, steps: Sequence[Step], ignored_roles: Set[str] = _IGNORED_ROLES
) -> Iterator[Edge]:
    """Yield the words of an edge whose meaning no step expresses.

    Words that have one of the roles in `ignored_roles` are left out. If a step has a number as its amount,
    the words for its amount need to agree only with each other, as in "darken it a bit, by 30%".
    """
    meanings = [_Meanings(step) for step in steps]
    words = list(_meaningful_words(edge, ignored_roles))
    amounts = [word.value for word in words if word.role == "amount"]
    is_measured = any(one.is_measured for one in meanings) and all(_agree(amounts[0], one) for one in amounts)
    for word in words:
        is_measured_amount = word.role == "amount" and is_measured
        if not is_measured_amount and not any(one.include(word) for one in meanings):
            yield word


def _agree(one: float, other: float) -> bool:
    """Return whether two amounts are both at most moderate, or both at least moderate."""
    return (one - DEFAULT_AMOUNT) * (other - DEFAULT_AMOUNT) >= 0


def _meaningful_words(edge: Edge, ignored_roles: Set[str] = _IGNORED_ROLES) -> Iterator[Edge]:
    """Yield the words of an edge that mean an operation, a thing, a color, a place, or a number.

    Words that have one of the roles in `ignored_roles` are left out.
    """
    describes, used = (edge.rule.describes, references(edge.rule.gives)) if edge.rule else (set(), set())
    if edge.role in ignored_roles or "everything" in describes or _contains_photo(edge):
        return
    for part in edge.parts:
        if part.role in describes:
            continue
        kind = _kind(part)
        if kind and not part.parts and not (kind == "operation" and part.role in used):
            yield part
        yield from _meaningful_words(part, ignored_roles)


def _contains_photo(edge: Edge) -> bool:
    """Return whether a list contains the whole photo, as in "the photo and my dog".

    The whole photo includes the other items of the list.
    """
    return edge.role == "parts" and {"what": "whole"} in as_list(edge.value)


def _kind(word: Edge) -> str:
    if isinstance(word.value, dict):
        return "operation" if "operation" in word.value and word.role != "vague" else ""
    if isinstance(word.value, float):
        # 1 and -1 are directions, not numbers
        return "" if abs(word.value) == 1 and word.role != "number" else "number"
    return next((kind for kind, roles in _ROLES_BY_KIND.items() if word.role in roles), "")


class _Meanings:
    """The content of a step: its operation, and the colors, places, things, and numbers that it names."""

    def __init__(self, step: Step):
        values = list(step.values.values())
        targets = [*step.targets]
        names = [getattr(one, name) for one in targets for name in ("what", "noun", "color", "place", "of")]
        self.strings = {one for one in (*names, *values) if isinstance(one, str)}
        self.strings |= _conditions().get(step.operation, set())
        self.words = set(" ".join(self.strings).split())
        numbers = [value for value in values if isinstance(value, (int, float))]
        counts = [number for one in targets for number in (one.count, *one.boxes) if number]
        self.numbers = {abs(float(number)) for number in (*numbers, *counts, step.photo or 0)}
        self.numbers |= {0.0} if step.photo else set()  # 0 stands for "the other photo"
        amounts = [value for value in values if isinstance(value, Amount)]
        self.numbers |= {part for amount in amounts for part in _relative(abs(amount.number or 0.0))}
        self.has_amount = bool(amounts)
        self.shares = {abs(amount.share) for amount in amounts}
        self.is_measured = any(amount.unit for amount in amounts)
        self.operation = step.operation
        self.is_shown = any(target.what == "region" for target in targets)
        self.has_face = any("face" in (target.what, target.noun) for target in targets)
        self.has_people = any(is_someone(target.noun) for target in targets)

    def include(self, word: Edge) -> bool:
        kind, value = _kind(word), word.value
        if kind == "operation":
            return self.operation in _replacements(value["operation"])
        if kind == "number":
            number = value[0] if isinstance(value, tuple) else value
            if word.role == "amount":
                return any(_agree(number, share) for share in self.shares)
            return abs(number) in self.numbers or (self.has_amount and word.role not in NUMBER_ROLES)
        if self.is_shown and kind in ("thing", "place"):
            return True
        if kind == "thing" and self.has_face and (word.role == "face" or value in EVERYBODY):
            return True
        if kind == "thing" and self.has_people and is_someone(value):
            return True
        name = str(value)
        return {name, plural_of(name)} & self.strings != set() or set(name.split()) <= self.words


def _relative(number: float) -> set[float]:
    """Return a number and its difference from 100%, because “20% smaller” means a size of 80%."""
    return {number, number - 100, 100 - number}


@cache
def _conditions() -> Mapping[str, set[str]]:
    """Map each operation to the field values with which it replaces a different operation.

    For example, a tint with “gray” becomes a change in saturation.
    """
    conditions = defaultdict[str, set[str]](set)
    for declaration in catalog().values():
        for rule in declaration.becomes:
            conditions[rule["then"].get("operation", declaration.name)] |= set(
                map(str, rule["when"].values())
            )
    return conditions


def _replacements(name: str) -> set[str]:
    """Return the names of the operations that may replace a step of this operation."""
    declaration = catalog()[name]
    return {
        name,
        declaration.opposite,
        *(rule["then"].get("operation", name) for rule in declaration.becomes),
    }
