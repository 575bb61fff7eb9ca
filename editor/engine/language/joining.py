"""Determine what "and" joins: changes of one part ("make the sky blue and bright") or names in a list."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from editor.engine.catalog import Declaration, find_declaration
from editor.engine.language.chart import Edge
from editor.engine.language.hints import ONE_CHANGE, OTHER_WORDS
from editor.engine.language.lexicon import Lexicon
from editor.engine.language.roles import STATE_ROLES
from editor.engine.language.sentence_parts import (
    PHOTO_TARGETS,
    Clause,
    SentencePart,
    UserInput,
    WishValues,
    as_list,
    changes_of,
)
from editor.engine.language.tokens import Token
from editor.engine.plan import Reason, Refusal
from editor.options import EditKind
from editor.sentences import Sentence

_UNCLEAR_LIST = Sentence(
    "I can't tell what “and” joins here. Ask for each change separately, or draw a box around what you mean."
)

_JOINING_LINKS = frozenset({"and", "but"})
# Roles of words that say what something should be like.
_STATES = STATE_ROLES | {"vague", "natural", "tidy"}
# Roles of the words that may stand before or between such words.
_DEGREES = frozenset({"amount", "more", "less", "not", "and", "filler", "linking"})
# Values of `what` for targets that are not a part of the photo.
_NOT_A_PART = PHOTO_TARGETS | {"rest"}
# Roles of parts of a sentence that may contain a list of things.
_LISTING_ROLES = frozenset({"wish", "spared"})
# Roles of the items of such a list.
_NAMED_ROLES = frozenset({"part", "thing", "held"})
# Roles of words at the end of a name that describe what it names.
_DESCRIBING = frozenset({"relation", "lain", "spot", "hue"})
_THINGS = frozenset({"seen", "noun", "findable", "worn", "backing"})
_PHOTO_ROLES = frozenset({"it", "this", "determiner", "photo", "everything"})
_PAUSES = frozenset(",/")
# Kinds of changes after which an adjective says how something should be, and not how it is.
_MADE_KINDS = frozenset({EditKind.COLOR, EditKind.BACKGROUND})
_CLOTHES = frozenset({"clothes", "attire"})
# Roles of what may belong to an owner after "of" or "behind".
_OWNED = frozenset({"face", "worn", "findable", "noun", "background"})


def is_state(part: SentencePart, instruction: str, lexicon: Lexicon) -> bool:
    """Return whether a wish only says what something should be like, as in "bright and a bit softer".

    The name of an operation, such as "more contrast", is no such wish.
    """
    if (
        part.role != "wish"
        or part.value.get("target")
        or any("target" in one for one in changes_of(part.value))
    ):
        return False
    words = re.findall(r"[\w']+", instruction[slice(*part.words)].lower())
    roles = [lexicon.senses.get(word, {}).keys() for word in words]
    is_noun = any(find_declaration(word) and "quality" in one for word, one in zip(words, roles, strict=True))
    if is_noun or not all(one & (_STATES | _DEGREES) for one in roles):
        return False
    return any(one & _STATES for one in roles)


def with_shared_targets(clauses: Sequence[Clause], instruction: str, lexicon: Lexicon) -> list[Clause]:
    """Return the clauses, in which an adjective after "and" has the target of the wish before it.

    Such an adjective is no complaint, unless the wish before it is one: "black and white and grainy".
    """
    joined_clauses = list(clauses[:1])
    for clause in clauses[1:]:
        wish = _last_wish(joined_clauses[-1])
        state = clause.parts[0] if clause.parts else None
        if (
            wish is not None
            and state is not None
            and clause.link in _JOINING_LINKS
            and not clause.unread
            and is_state(state, instruction, lexicon)
        ):
            joined_state = replace(state, value=_joined_value(state.value, wish.value))
            clause = replace(clause, parts=[joined_state, *clause.parts[1:]])
        joined_clauses.append(clause)
    return joined_clauses


def _last_wish(clause: Clause) -> SentencePart | None:
    last = clause.parts[-1] if clause.parts and not clause.unread else None
    return last if last is not None and last.role == "wish" else None


def _joined_value(state: WishValues, wish: WishValues) -> WishValues:
    """Return the value of a wish such as "bright", with the target of the wish before it."""
    value = dict(state)
    is_complaint = wish.get("turn") == -1 or wish.get("faulty") or wish.get("vague")
    is_made = bool(_operations(wish)) and all(one.kind in _MADE_KINDS for one in _operations(wish))
    if state.get("unsure") and is_made and not is_complaint:
        del value["turn"], value["unsure"]
    target = wish.get("target")
    if (
        target is not None
        and all(map(_is_part, as_list(target)))
        and all(map(_keeps_place, _operations(wish)))
    ):
        value["target"] = target
    return value


def _is_part(target: Any) -> bool:
    return isinstance(target, Mapping) and target.get("what") not in _NOT_A_PART and "either" not in target


def _keeps_place(operation: Declaration) -> bool:
    """Return whether an operation only changes the light or color of its target, or what is behind it."""
    is_kept = operation.kind is EditKind.BACKGROUND and operation.ground != "none"
    return is_kept or operation.kind is EditKind.COLOR


def _operations(wish: WishValues) -> list[Declaration]:
    names = [(dict(wish) | dict(change)).get("operation", "") for change in changes_of(wish)]
    return [one for one in map(find_declaration, names) if one is not None]


def refusals(
    parts: Sequence[SentencePart], user_input: UserInput, tokens: Sequence[Token], lexicon: Lexicon
) -> Iterator[Refusal]:
    """Yield a refusal for each part in which "and" may join other words than the items of a list.

    In "the people behind the bride and groom", the groom is no second target. `tokens` are the tokens of the
    sentence. In a box, it does not matter what the words name.
    """
    for part in () if user_input.boxes else parts:
        words = user_input.text_of(part.words)
        if part.role in _LISTING_ROLES and _has_unclear_list(part.edge, tokens, lexicon):
            yield Refusal(words, Reason.AMBIGUOUS, _UNCLEAR_LIST)
        elif part.role in _LISTING_ROLES and _lists_photo(part.edge, tokens):
            yield Refusal(words, Reason.AMBIGUOUS, ONE_CHANGE)
        elif part.role in _LISTING_ROLES and _has_split_name(part.edge, tokens, lexicon):
            yield Refusal(words, Reason.AMBIGUOUS, OTHER_WORDS)


def _lists_photo(edge: Edge, tokens: Sequence[Token]) -> bool:
    """Return whether a part of the photo follows the photo after a comma, as in "blur it, background"."""
    named = [one for one in edge.parts if one.role == "part"]
    for before, after in pairwise(named):
        is_photo, is_photo_again = (
            {leaf.role for leaf in one.leaves} <= _PHOTO_ROLES for one in (before, after)
        )
        if is_photo and not is_photo_again and tokens[before.end].text in _PAUSES and after.end == edge.end:
            return edge.role == "parts" and len(named) == 2
    return any(_lists_photo(one, tokens) for one in edge.parts)


def _has_split_name(edge: Edge, tokens: Sequence[Token], lexicon: Lexicon) -> bool:
    """Return whether a color contains the noun that a color before it describes: "the white wine red"."""
    colors = [one.role == "color" for one in edge.leaves]
    return any(
        is_color
        and is_next_color
        and next_leaf.end > next_leaf.start + 1
        and before.end == next_leaf.start
        and not lexicon.senses.get(tokens[next_leaf.start].text.lower(), {}).keys().isdisjoint(_THINGS)
        for (is_color, before), (is_next_color, next_leaf) in pairwise(zip(colors, edge.leaves, strict=True))
    )


def _has_unclear_list(edge: Edge, tokens: Sequence[Token], lexicon: Lexicon) -> bool:
    named = [one for one in edge.parts if one.role in _NAMED_ROLES]
    for before, after in pairwise(named):
        between = [token.text.lower() for token in tokens[before.end : after.start]]
        if between[:1] in (["and"], ["&"]) and _may_belong(before, after, between[1:], lexicon):
            return True
    return any(_has_unclear_list(one, tokens, lexicon) for one in edge.parts)


def _may_belong(before: Edge, after: Edge, between: Sequence[str], lexicon: Lexicon) -> bool:
    """Return whether an item of a list may belong to what describes the item before it.

    `between` are the words between "and" and the item.
    """
    leaves = list(after.leaves)
    has_article = bool(between) or leaves[0].role in ("determiner", "this")
    head, tail = _description(before)
    is_located = any(
        one.role in ("side", "place", "relation") for one in after.parts + _only_part(after).parts
    )
    if tail is None:
        is_shared = _is_genitive(after) and _is_person(before, lexicon)
        is_color = isinstance(before.value, Mapping) and set(before.value) == {"color"}
        is_two_colored = is_color and leaves[0].role == "color" and len(leaves) > 1
        return (is_shared or is_two_colored) and not has_article
    if tail.role == "hue":
        return not has_article and any(one.role in ("worn", "garment", "attire") for one in leaves)
    if head == "background":
        return True
    is_pair = tail.role not in _CLOTHES and _is_person(tail, lexicon) and _is_person(after, lexicon)
    return is_pair or not (has_article or is_located)


def _description(edge: Edge) -> tuple[str, Edge | None]:
    """Return the role of the noun in a name and the edge of what describes it at the end of the name.

    This is the bride in "the people behind the bride" and "the face of the bride".
    """
    parts = _only_part(edge).parts
    if len(parts) < 2 or parts[-1].end != edge.end:
        return "", None
    head, tail = parts[0].role, parts[-1]
    is_owner = head in _OWNED and tail.role in ("named", "thing")
    return head, tail if is_owner or tail.role in _DESCRIBING or tail.role in _CLOTHES else None


def _only_part(edge: Edge) -> Edge:
    """Return the edge, or the first edge inside of it that consists of several parts."""
    while len(edge.parts) == 1:
        edge = edge.parts[0]
    return edge


def _is_person(edge: Edge, lexicon: Lexicon) -> bool:
    """Return whether a name ends with a person and says nothing else about this person."""
    names = [one for one in edge.leaves if one.role not in ("determiner", "posing")]
    return len(names) == 1 and "someone" in lexicon.senses.get(str(names[0].value), {})


def _is_genitive(edge: Edge) -> bool:
    """Return whether a name contains its owner, as in "dad's face"."""
    parts = _only_part(edge).parts
    owners = [one for one in parts[:-1] if one.role in ("kin", "someone", "company")]
    return bool(owners) and parts[-1].role in _OWNED
