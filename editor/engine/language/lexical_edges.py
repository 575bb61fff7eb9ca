"""Add the edges of single words and of the phrases in the lexicon to a chart."""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from editor.engine.language.chart import (
    ANY_COST,
    COURTESY_COST,
    PARTICIPLES,
    UNKNOWN_COST,
    WORD_COST,
    Chart,
    Edge,
)
from editor.engine.language.grammar import Grammar
from editor.engine.language.lettering import add_letters, add_titled
from editor.engine.language.lexicon import Lexicon
from editor.engine.language.roles import NAME_ROLES
from editor.engine.language.stories import story_spans
from editor.engine.language.tokens import Token

# The cost of a sentence that requests nothing, in addition to the cost of its words.
_STORY_COST = 3.0
# Roles that, like verbs, may express a wish. No description or story absorbs words that have these roles.
_NOT_ABSORBED = frozenset(
    {
        "quality",
        "adjective",
        "comparative",
        "flawed",
        "fault",
        "tinted",
        "vague",
        "natural",
        "overlaid",
        "more",
        "less",
        "excess",
        "far_excess",
        "not",
        "no",
        "without",
        "except",
        "but",
        "and",
        "then",
        "look",
        "style",
        "filed",
        "color",
        "colors",
        "background",
        "photo",
        "marked",
        "place",
        "limiting",
    }
)
# Roles of what is added to a photo. "The photo with a border" asks for one, so no description absorbs a
# word with such a role, unless it is also the name of a thing, such as "frame".
_ADDED = frozenset({"border", "vignette"})
# Roles of words that only describe the marked thing if they are next to its name.
_DESCRIBING = frozenset({"color", "colors", "background", "photo", "not", "no", "without", "natural", "look"})
# Roles of words that cannot be part of a name.
_LINKING = frozenset(
    {
        "linking",
        "article",
        "determiner",
        "this",
        "it",
        "pronoun",
        "be",
        "everything",
        "whole",
        "rest",
        "place",
        "cast",
    }
)
# Roles of words that, like verbs, may start another request. A word with one of them never has the role
# "non_request", which words after "so you can see" and "not sure if" need.
_REQUEST_ROLES = frozenset(
    {"limiting", "color", "look", "style", "overlaid", "but", "except", "without", "marked", "ratio"}
)
# Roles of words that name nothing, so that a comment in brackets may consist of them.
_COMMENTING = frozenset(
    {
        "plain",
        "unknown",
        "posing",
        "any",
        "non_request",
        "letter",
        "initial",
        "wording",
        "opening",
        "titled",
        "shouted",
        "linking",
        "filler",
        "article",
        "determiner",
        "it",
        "this",
        "be",
        "pronoun",
        "finite",
    }
)
# Roles of words that are not read as participles despite their endings. For example, "adding" is a wish,
# and "leaving" says what to keep.
_ACTING = frozenset({"add", "keep", "limiting"})
# Kinds of tokens that may be part of a description.
_DESCRIPTIVE_TOKENS = frozenset({"word", "number", "quoted"})
# Roles of words that are also ordinary words.
_ORDINARY_WORD_ROLES = frozenset(
    {
        "pictogram",
        "worn_pictogram",
        "attire",
        "creature",
        "garment",
        "limb",
        "landscape",
        "upright_thing",
        "fit",
        "located",
        "letters",
        "drawing",
        "scenic",
        "setting",
        "evoking",
        "staged",
        "art",
        "fine",
        "mien",
        "finite",
        "objecting",
        "narrowing",
    }
)


def add_lexical(
    chart: Chart, tokens: Sequence[Token], grammar: Grammar, is_english: Callable[[str], bool]
) -> None:
    """Add the edges that need no pattern: the roles of words, phrases, and tokens, and the stories."""
    lexicon, words = grammar.lexicon, chart.words
    for at, token in enumerate(tokens):
        is_before_determiner = _is_determiner_next(lexicon.senses, words[at + 1 : at + 2])
        _add_senses(chart, at, lexicon, is_before_determiner)
        _add_kind(chart, at, token, is_english, is_before_determiner)
    add_letters(chart, tokens)
    add_titled(chart, tokens)
    for at, token in enumerate(tokens):
        if token.kind in ("word", "number"):
            _add_absorbed(chart, at, token, lexicon.inflected)
    for start, end in story_spans(words, [chart.roles(at) for at in range(len(words))], chart.budget):
        chart.add(Edge(start, end, "aside", _STORY_COST + ANY_COST * (end - start), {}))


def _add_senses(chart: Chart, at: int, lexicon: Lexicon, is_before_determiner: bool) -> None:
    """Add edges for the phrases of the lexicon that begin at a place, the longest first."""
    words = chart.words
    is_verb = is_before_determiner and not lexicon.inflected.isdisjoint(lexicon.senses.get(words[at], ()))
    for length in range(min(lexicon.longest.get(words[at], 0), len(words) - at), 0, -1):
        for role, value in lexicon.senses.get(" ".join(words[at : at + length]), {}).items():
            if role == "place" and is_verb and length == 1:  # "center the dog" asks to move the dog
                continue
            chart.add(Edge(at, at + length, role, COURTESY_COST if role == "filler" else WORD_COST, value))


def _add_kind(
    chart: Chart, at: int, token: Token, is_english: Callable[[str], bool], is_before_determiner: bool
) -> None:
    """Add the edges of a token that do not depend on the lexicon.

    A word without a role of its own is "plain" if it is English, or "unknown" if not. Before a determiner, it
    may be a verb, so it is "unknown", too.
    """
    if token.kind not in ("word", "stop", "symbol", "other", "quoted"):
        chart.add(Edge(at, at + 1, token.kind, WORD_COST, token.value))
        if isinstance(token.value, tuple):
            chart.add(Edge(at, at + 1, token.value[1], WORD_COST, token.value[0]))
    elif token.kind == "word" and chart.roles(at) <= _ORDINARY_WORD_ROLES:
        is_plain = is_english(chart.words[at]) and not is_before_determiner
        role, cost = ("plain", ANY_COST) if is_plain else ("unknown", UNKNOWN_COST)
        chart.add(Edge(at, at + 1, role, cost, token.text))
        if is_plain and chart.words[at].endswith(PARTICIPLES):
            chart.add(Edge(at, at + 1, "posing", ANY_COST, token.text))


def _add_absorbed(chart: Chart, at: int, token: Token, verbs: Set[str]) -> None:
    """Add the roles of a word that asks for nothing: "any", "non_request", and "comment".

    `verbs` are the roles of verbs, which may be wishes.
    """
    roles = chart.roles(at)
    is_verb = not roles.isdisjoint(verbs)
    is_added = not roles.isdisjoint(_ADDED) and "noun" not in roles
    if not is_verb and not is_added and roles.isdisjoint(_NOT_ABSORBED):
        chart.add(Edge(at, at + 1, "any", ANY_COST, token.text))
    if not is_verb and roles.isdisjoint(_REQUEST_ROLES):
        chart.add(Edge(at, at + 1, "non_request", ANY_COST, token.text))
    is_comment = roles <= _COMMENTING or not roles.isdisjoint(("narrating", "telling", "occasion"))
    if "any" in chart.roles(at) and is_comment and roles.isdisjoint(("limiting", "narrowing")):
        chart.add(Edge(at, at + 1, "comment", ANY_COST, token.text))


def add_shown(chart: Chart, tokens: Sequence[Token], grammar: Grammar) -> None:
    """Add edges for words that may name a marked thing ("shown") or describe it ("showing")."""
    senses, words, excluded = grammar.lexicon.senses, chart.words, _NOT_ABSORBED | grammar.lexicon.inflected
    for at, token in enumerate(tokens):
        roles = chart.roles(at)
        is_name = not roles.isdisjoint(NAME_ROLES) and roles.isdisjoint(("photo", "background", "marked"))
        is_doing = words[at].endswith(PARTICIPLES) and roles.isdisjoint(_ACTING)
        is_describing = is_name or is_doing or roles.isdisjoint(excluded - _DESCRIBING)
        if token.kind in _DESCRIPTIVE_TOKENS and is_describing:
            chart.add(Edge(at, at + 1, "showing", ANY_COST, words[at]))
        if is_name and "quality" in roles:  # "the shadow" may be a marked thing
            chart.add(Edge(at, at + 1, "shown_light", WORD_COST, words[at]))
        for (end, role), edge in list(chart.at[at].items()):
            # "Bigger" and "enlarge this" may be about the marked thing, but not "as big as possible".
            if role == "this" or (role == "larger" and words[at].endswith("er")):
                chart.add(Edge(at, end, f"shown_{role}", WORD_COST, edge.value))
        # The noun "can" may name a thing.
        is_free = is_name or roles.isdisjoint(excluded | {"asking", "wanting"})
        is_open = token.kind == "word" and roles.isdisjoint(_LINKING) and is_free
        if is_open and (is_name or not _is_determiner_next(senses, words[at + 1 : at + 2])):
            chart.add(Edge(at, at + 1, "shown", ANY_COST, words[at]))


def _is_determiner_next(senses: Mapping[str, Mapping[str, Any]], following: Sequence[str]) -> bool:
    """Return whether the next word is a determiner, as in "the dog".

    A verb can precede a determiner, but a description cannot.
    """
    return any(not {"article", "determiner", "this"}.isdisjoint(senses.get(word, ())) for word in following)
