"""Find the cheapest reading of a sentence.

An edge says that the words from `start` to `end` have a role. The lexicon provides the first edges. Each
section of the grammar then adds edges with the section's role, which are built from earlier edges. Courteous
words may occur anywhere inside a pattern. Words that no edge of the cheapest path covers are not understood.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from editor.engine.language.automaton import State
from editor.engine.language.budget import Budget
from editor.engine.language.grammar import ABSORBING, REFUSAL_ROLES, STARTING, Construction, Grammar, Section
from editor.engine.language.template import fill_template
from editor.engine.language.tokens import Token, tokenize

# The cost of a word. The cheapest reading of a sentence wins.
WORD_COST = 1.0
# The cost of a courteous word, such as "please".
COURTESY_COST = 0.4
# The cost of a word that is not in the lexicon.
UNKNOWN_COST = 3.0
# The cost of any word that is read as part of a description.
ANY_COST = 1.5
# The cost of a stop, such as a comma.
STOP_COST = 0.1
# The cost of a word that no construction claims.
UNREAD_COST = 100.0
# The cost of a request, in addition to the cost of its words.
WISH_COST = 0.6
# The cost of a sentence that requests nothing.
STORY_COST = 3.0
# Roles that, like verbs, may express a wish. No description or story absorbs words that have these roles.
NOT_ABSORBED = frozenset(
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
        "not",
        "no",
        "without",
        "except",
        "but",
        "and",
        "then",
        "look",
        "style",
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
ADDED = frozenset({"border", "vignette"})
# Roles of words that only describe the marked thing if they are next to its name.
DESCRIBING = frozenset({"color", "colors", "background", "photo", "not", "no", "without", "natural", "look"})
# Roles of words that cannot be part of a name.
LINKING = frozenset(
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
# Roles that make a word a name even if it has other roles, too: "the center", "the shadow".
NAMING = frozenset({"noun", "seen", "someone", "company", "worn", "place"})
# More roles of words for what a photo shows, which are not read as a text because of a capital letter.
VISIBLE = frozenset(
    {"color", "background", "photo", "subject", "findable", "ground", "look", "style", "pictured"}
)
# Roles with which a story may begin; any other sentence is a story only if a word has the role "telling".
NARRATING = frozenset({"narrating", "photo", "determiner", "article", "this", "it", "someone", "pronoun"})
# Roles that the words of a story may have in addition to "any". If the story says that the user wants
# something, only "any" is allowed.
STORY_ROLES = frozenset(
    {"any", "photo", "and", "then", "but", "not", "no", "make", "add", "use", "keep", "vague"}
)
# Additional roles that the words of a story may have if the story is not about the photo.
OTHER_STORY_ROLES = frozenset({"place", "limiting"})
# Roles that such words may have only in the past tense. "My skin looks orange" is a complaint.
STYLE_STORY_ROLES = frozenset({"color", "look"})
# Roles of words that, like verbs, may start another request. A word with one of them is never "said", which
# is the role of words after "until it looks" and "not sure if".
REQUEST_ROLES = frozenset(
    {"limiting", "color", "look", "style", "overlaid", "but", "except", "without", "marked", "ratio"}
)
# Roles that the words of a story in the past tense may have. It asks for nothing, even after a comma.
PAST_STORY_ROLES = frozenset({"any", "photo", "and", "but", "make", "use", "keep", "vague", "lapsed"})
# Roles of words in such a story that may select what the wish before it names: "she stood next to me".
SELECTING = frozenset({"flank", "stacked", "selecting", "worn", "attire", "garment", "lettered"})
# Roles of words that make a story a sentence. "The car." and "the sky not" are not sentences: they correct
# the wish before them.
VERBAL = frozenset({"be", "lapsed", "telling", "narrating", "finite"})
# Roles of words that name nothing, so that a comment in brackets may consist of them.
COMMENTING = frozenset(
    {
        "plain",
        "unknown",
        "posing",
        "any",
        "said",
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
# The cost of a word that may be part of text to write.
LETTER_COST = 0.35
# Roles of words in text to write that may also say what to keep.
SPARING = frozenset({"but", "without", "except"})
# The cost of a word in text to write that may also say what to keep.
SPARING_COST = 3.0
# The cost of a courteous word at the beginning of text to write.
LEADING_COST = 0.1
# Roles of words with which text after a word for writing does not begin, as in "add a caption top left".
NOT_OPENING = frozenset({"linking", "letters", "place", "color"})
# Roles whose patterns may not contain courteous words.
VERBATIM = frozenset({"lettering", "unquoted", "shout"})
# The endings of verb forms that describe what a person does: "holding", "dressed".
PARTICIPLES = ("ing", "ed")
# Words after which a participle describes something, as in "the man is cutting".
LINKING_VERBS = frozenset({"is", "are", "was", "were"})
# Roles of words that are not read as participles despite their endings. For example, "adding" is a wish,
# and "leaving" says what to keep.
ACTING = frozenset({"add", "keep", "limiting"})
# Kinds of tokens that may be part of a description.
DESCRIPTIVE_TOKENS = frozenset({"word", "number", "quoted"})
# Roles of words that are also ordinary words.
ORDINARY_WORD_ROLES = frozenset(
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
# The maximum length of an edge, in words. Longer texts are not wishes and take too long to read.
MAX_EDGE_WORDS = 40
# Roles of words that may begin another wish, so a quoted value contains none of them.
JOINING = frozenset({"and", "then", "but", "except", "not", "without"})
# Roles that a quoted value cannot have, because they stand for whole parts of a sentence or any words.
NO_VALUE = STARTING | ABSORBING | {"any", "said", "comment"}
# The mark before a value that was inserted into the instruction of a recipe.
VALUE_MARK = "‹"
# The first characters of quoted texts.
QUOTES = frozenset("\"'“„«" + VALUE_MARK)
# The texts of stops. tokens.py turns brackets into “/”.
STOPS = frozenset(",./")
# Roles of parts that begin after a joining word or punctuation, or with a verb.
OPENING = REFUSAL_ROLES | {"wish"}
# Roles of a verb that must follow a joining word, because the same word may also be a noun or an adjective.
NOMINAL = frozenset({"quality", "look", "style", "noun"})
# Roles of edges after which a wish may begin only if it could also have begun before the edge. After an
# aside or something to keep, a wish must begin with a verb: "until it looks dull" does not say that the photo
# is dull, and "keep the boat bright" does not ask to brighten.
TRANSPARENT_ROLES = frozenset({"filler", "moderate", "refined", "opener", "aim"})


class Edge:
    """A stretch of words with a role, a cost, and a value, which is the meaning of the words."""

    __slots__ = ("_value", "cost", "end", "is_known", "matched", "role", "rule", "start")

    def __init__(
        self,
        start: int,
        end: int,
        role: str,
        cost: float,
        value: Any = None,
        rule: Construction | None = None,
        matched: Any = None,
    ):
        self.start, self.end, self.role, self.cost = start, end, role, cost
        self._value, self.rule, self.matched, self.is_known = value, rule, matched, False

    @property
    def value(self) -> Any:
        """The meaning of the words, which is computed on first use."""
        if self.rule is not None and not self.is_known:
            bound: defaultdict[str, list[Any]] = defaultdict(list)
            for edge in self.parts:
                bound[edge.role].append(edge.value)
            self._value, self.is_known = fill_template(self.rule.gives, bound), True
        return self._value

    @property
    def leaves(self) -> Iterator["Edge"]:
        """The edges without parts from which this edge is built, or the edge itself if it has no parts."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves

    @property
    def parts(self) -> list["Edge"]:
        """The edges from which this edge is built, in the order of the words."""
        edges, thread = list[Edge](), self.matched
        while thread:
            thread, edge = thread
            if edge is not None:
                edges.append(edge)
        return edges[::-1]


# Maps each label (a word or "{role}"), and each place at which an edge with that label ends, to the cost and
# the edge.
type Ahead = dict[str, dict[int, tuple[float, Edge | None]]]


class Chart:
    """The edges of a sentence, grouped by the word at which they start.

    Only the cheapest edge for each stretch and role is kept. `budget` counts the edges that are added.
    """

    def __init__(self, words: Sequence[str], budget: Budget):
        self.words, self.budget = words, budget
        self.at: list[dict[tuple[int, str], Edge]] = [{} for _ in words]
        self.ahead: list[Ahead] = [
            {word: {at + 1: (STOP_COST if word in STOPS else WORD_COST, None)}}
            for at, word in enumerate(words)
        ]
        self.starts: defaultdict[str, set[int]] = defaultdict(set)  # the places at which each label starts
        self.rank: dict[str, int] = {}  # the order in which labels were added, to break ties between readings
        for at, word in enumerate(words):
            self._index_label(word, at)
        self.ahead.append({})
        # For each place, the places at which a pattern may continue, with the costs of the skipped words.
        # `no_courtesy` skips no words, and `courtesy` may also skip courteous words.
        self.no_courtesy = [[(at, 0.0)] for at in range(len(words) + 1)]
        self.courtesy = self.no_courtesy

    def add(self, edge: Edge) -> None:
        """Add an edge, unless there is a cheaper edge for the same words and role.

        Raises TooLong if the budget is used up.
        """
        self.budget.spend(1)
        here, key = self.at[edge.start], (edge.end, edge.role)
        known = here.get(key)
        if known is None or edge.cost < known.cost:
            here[key] = edge
            label, ahead = "{" + edge.role + "}", self.ahead[edge.start]
            if label not in ahead:
                ahead[label] = {}
                self._index_label(label, edge.start)
            ahead[label][edge.end] = (edge.cost, edge)

    def _index_label(self, label: str, start: int) -> None:
        self.starts[label].add(start)
        self.rank.setdefault(label, len(self.rank))

    def roles(self, at: int) -> set[str]:
        """Return the roles of the edges that begin at a place."""
        return {role for _, role in self.at[at]}

    def starts_of(self, labels: Set[str]) -> list[int]:
        """Return, in order, the places at which any of these labels begins."""
        return sorted(set().union(*(self.starts[label] for label in labels & self.starts.keys())))

    def note_courtesy(self) -> None:
        """Compute, for each place, the places that can be reached by skipping only courteous words.

        The cost of reaching each place is computed too. Call this after the edges of courteous words have
        been added. No distance exceeds the maximum length of an edge.
        """
        reachable: list[dict[int, float]] = [{} for _ in range(len(self.words) + 1)]
        for at in range(len(self.words) - 1, -1, -1):
            for (end, role), edge in self.at[at].items():
                if role == "filler":
                    self.budget.spend(1 + len(reachable[end]))
                    for to, cost in ((end, 0.0), *reachable[end].items()):
                        total = edge.cost + cost
                        if to <= at + MAX_EDGE_WORDS and total < reachable[at].get(to, UNREAD_COST):
                            reachable[at][to] = total
        self.courtesy = [[(at, 0.0), *ends.items()] for at, ends in enumerate(reachable)]


class ParsePath(NamedTuple):
    """The cheapest path through a sentence, as a list of (start, end, edge).

    The edge is None for a stop and for a word that no construction claims.
    """

    steps: list[tuple[int, int, Edge | None]]


def read(
    tokens: Sequence[Token],
    words: Sequence[str],
    grammar: Grammar,
    is_english: Callable[[str], bool],
    budget: Budget,
    has_boxes: bool = False,
) -> tuple[Chart, ParsePath]:
    """Read a sentence and return its chart and the cheapest path.

    `words` are the texts of the tokens with their spelling repaired. If boxes are drawn, a marked thing may
    have any name. Raises TooLong if the budget is used up.
    """
    chart = Chart(words, budget)
    _add_lexical(chart, tokens, grammar, is_english)
    for at, token in enumerate(tokens):
        if token.kind == "quoted":
            _add_quoted(chart, at, token, grammar, is_english, has_boxes)
    if has_boxes:
        _add_shown(chart, tokens, grammar)
    for section in grammar.sections:
        if section.role != "impossible" and not (has_boxes and section.role == "unmarked"):
            _add_matches(chart, section)
        if section.role == "filler":
            chart.note_courtesy()
    joined = {at for at, token in enumerate(tokens) if token.is_joined}
    path = _cheapest_path(chart, grammar, joined)
    if all(edge or chart.words[start] in STOPS for start, _, edge in path.steps):
        return chart, path
    for section in grammar.sections:
        if section.role == "impossible":
            _add_matches(chart, section)
    return chart, _cheapest_path(chart, grammar, joined)


def _add_quoted(
    chart: Chart,
    at: int,
    token: Token,
    grammar: Grammar,
    is_english: Callable[[str], bool],
    has_boxes: bool,
) -> None:
    """Add edges for a quoted string as literal text and for its meaning.

    Quotation marks may add emphasis, as in “a “little bit” brighter”. The marks ‹› enclose a value that was
    inserted into a recipe. The value is literal text if the words before it announce a text. Otherwise, the
    value is a word or phrase of the language.
    """
    text, is_value = str(token.value), token.text[0] == VALUE_MARK
    if is_value and not _is_announced(chart, at):
        for edge in _edges_of_value(text, grammar, is_english, chart.budget, has_boxes):
            chart.add(_edge_at_place(edge, at))
        return
    chart.add(Edge(at, at + 1, "quoted", WORD_COST, token.value))
    for role, value in () if is_value else grammar.lexicon.senses.get(text.lower(), {}).items():
        if role != "filler":
            chart.add(Edge(at, at + 1, role, UNKNOWN_COST, value))


def _is_announced(chart: Chart, at: int) -> bool:
    """Return whether a word before this place announces literal text, as in “add the text”."""
    for before in range(at - 1, -1, -1):
        word = chart.words[before]
        if word in STOPS or word[0] in QUOTES or chart.roles(before) & {"and", "then"}:
            return False
        if "lettered" in chart.roles(before):
            return True
    return False


def _edges_of_value(
    text: str, grammar: Grammar, is_english: Callable[[str], bool], budget: Budget, has_boxes: bool
) -> Iterator[Edge]:
    """Yield the edges that span a quoted value, such as “dark red”.

    A value may be part of a wish, but it is not a wish itself and contains no word that joins wishes.
    """
    tokens = tokenize(text)
    if not 0 < len(tokens) <= MAX_EDGE_WORDS:
        return
    chart = Chart([token.text for token in tokens], budget)
    _add_lexical(chart, tokens, grammar, is_english)
    if has_boxes:
        _add_shown(chart, tokens, grammar)
    joins = (chart.words[at] in STOPS or chart.roles(at) & JOINING for at in range(len(tokens)))
    if not any(joins):
        for section in grammar.sections:
            if section.role == "filler" or section.role not in STARTING:
                _add_matches(chart, section)
            if section.role == "filler":
                chart.note_courtesy()
    for start, _ in chart.courtesy[0]:
        for (end, role), edge in chart.at[start].items() if start < len(tokens) else ():
            if end == len(tokens) and role not in NO_VALUE:
                yield edge


def _edge_at_place(edge: Edge, at: int) -> Edge:
    """Convert an edge of a quoted value to an edge of the sentence that has the value at this place."""
    thread: Any = None
    for part in edge.parts:
        thread = (thread, _edge_at_place(part, at))
    value, cost = (None if edge.rule else edge.value), edge.cost + UNKNOWN_COST - WORD_COST
    return Edge(at, at + 1, edge.role, cost, value, edge.rule, thread)


def _add_matches(chart: Chart, section: Section) -> None:
    for edge in list(_matches(section, chart)):
        chart.add(edge)


def _add_lexical(
    chart: Chart, tokens: Sequence[Token], grammar: Grammar, is_english: Callable[[str], bool]
) -> None:
    lexicon, words = grammar.lexicon, chart.words
    for at, token in enumerate(tokens):
        is_before_determiner = _is_determiner_next(lexicon.senses, words[at + 1 : at + 2])
        is_verb = is_before_determiner and not lexicon.inflected.isdisjoint(lexicon.senses.get(words[at], ()))
        for length in range(min(lexicon.longest.get(words[at], 0), len(words) - at), 0, -1):
            for role, value in lexicon.senses.get(" ".join(words[at : at + length]), {}).items():
                if role == "place" and is_verb and length == 1:  # "center the dog" asks to move the dog
                    continue
                chart.add(
                    Edge(at, at + length, role, COURTESY_COST if role == "filler" else WORD_COST, value)
                )
        if token.kind not in ("word", "stop", "symbol", "other", "quoted"):
            chart.add(Edge(at, at + 1, token.kind, WORD_COST, token.value))
            if isinstance(token.value, tuple):
                chart.add(Edge(at, at + 1, token.value[1], WORD_COST, token.value[0]))
        elif token.kind == "word" and chart.roles(at) <= ORDINARY_WORD_ROLES:
            is_plain = is_english(words[at]) and not is_before_determiner
            role, cost = ("plain", ANY_COST) if is_plain else ("unknown", UNKNOWN_COST)
            chart.add(Edge(at, at + 1, role, cost, token.text))
            if is_plain and words[at].endswith(PARTICIPLES):
                chart.add(Edge(at, at + 1, "posing", ANY_COST, token.text))
    _add_letters(chart, tokens)
    _add_titled(chart, tokens)
    excluded = NOT_ABSORBED | lexicon.inflected
    for at, token in enumerate(tokens):
        roles = chart.roles(at)
        is_added = not roles.isdisjoint(ADDED) and "noun" not in roles
        if token.kind in ("word", "number") and roles.isdisjoint(excluded) and not is_added:
            chart.add(Edge(at, at + 1, "any", ANY_COST, token.text))
        if token.kind in ("word", "number") and roles.isdisjoint(REQUEST_ROLES | lexicon.inflected):
            chart.add(Edge(at, at + 1, "said", ANY_COST, token.text))
        is_comment = roles <= COMMENTING or not roles.isdisjoint(("narrating", "telling", "occasion"))
        if "any" in chart.roles(at) and is_comment and roles.isdisjoint(("limiting", "narrowing")):
            chart.add(Edge(at, at + 1, "comment", ANY_COST, token.text))
    roles_by_word = [chart.roles(at) for at in range(len(words))]
    for start, end in _sentence_spans(words):
        for first, to in _past_stories(words, roles_by_word, start, end):
            chart.budget.spend(to - first)
            chart.add(Edge(first, to, "aside", STORY_COST + ANY_COST * (to - first), {}))
        for to in (*_story_ends(words, roles_by_word, start, end), end):
            chart.budget.spend(to - start)
            story = [at for at in range(start, to) if words[at] != ","]
            story_roles = [roles_by_word[at] for at in story]
            # Before all wishes, even a name may only be a title.
            has_verb = start == 0 or _has_verb([words[at] for at in story], story_roles)
            if has_verb and _is_story(story_roles):
                chart.add(Edge(start, to, "aside", STORY_COST + ANY_COST * (to - start), {}))


def _past_stories(
    words: Sequence[str], roles_by_word: Sequence[Set[str]], start: int, end: int
) -> Iterator[tuple[int, int]]:
    """Yield the parts after a comma that tell something in the past tense, as in ", we waited long"."""
    commas = [at for at in range(start, end) if words[at] == ","]
    for at, to in pairwise([*commas, end]):
        first = at + 1 + (at + 1 < to and bool(roles_by_word[at + 1] & {"and", "but"}))
        story_roles = roles_by_word[first:to]
        is_past_story = (
            bool(story_roles)
            and not story_roles[0].isdisjoint(NARRATING | {"ordinal"})
            and _has_past_tense_verb(words[first:to], story_roles)
        )
        if is_past_story and all(
            roles & PAST_STORY_ROLES and roles.isdisjoint(SELECTING | {"asking", "wanting"})
            for roles in story_roles
        ):
            yield first, to


def _has_past_tense_verb(words: Sequence[str], roles_by_word: Sequence[Set[str]]) -> bool:
    """Return whether a verb in the past tense follows the first word."""
    following = zip(words[1:], roles_by_word[1:], strict=True)
    return any("lapsed" in roles or (word.endswith("ed") and "posing" in roles) for word, roles in following)


def _story_ends(
    words: Sequence[str], roles_by_word: Sequence[Set[str]], start: int, end: int
) -> Iterator[int]:
    """Yield the places inside a sentence at which a story may end and something else may begin.

    A story consists of words that request nothing. Another story, a question, or a remark about the photo may
    follow it: "It was dark, could you" or "I like this picture but it".
    """
    before, asking_roles = set[str](), ("wanting",)
    for at in range(start, end - 1):
        roles, after = roles_by_word[at], roles_by_word[at + 1]
        is_comma = words[at] == ","
        if at > start and (is_comma or words[at] == "so" or not roles.isdisjoint(("and", "but"))):
            is_remark = "photo" in after or ("it" in after and bool(before & {"photo", "telling"}))
            may_end_story = "telling" in before and not after.isdisjoint(NARRATING)
            if (
                may_end_story
                or ("filler" if is_comma else "asking") in after
                or (is_remark and before.isdisjoint(asking_roles))
            ):
                yield at
        before |= roles


def _add_letters(chart: Chart, tokens: Sequence[Token]) -> None:
    """Add edges for words that may be text to write, as in "saying happy birthday".

    These words follow a word that announces a text ("letter" and "initial"), or a word for writing ("wording"
    and "opening"). The text may begin with a word that has the role "initial" or "opening", or with a
    courteous word, as in "saying thank you".
    """
    _add_words_after("announcing", "letter", "initial", frozenset({"linking"}), chart, tokens)
    _add_words_after("lettered", "wording", "opening", NOT_OPENING, chart, tokens)


def _add_words_after(
    announcing: str, role: str, first: str, excluded: Set[str], chart: Chart, tokens: Sequence[Token]
) -> None:
    is_announced = is_leading = False
    for at, token in enumerate(tokens):
        roles = chart.roles(at)
        if is_announced and _is_textual(tokens, at) and roles.isdisjoint({"and", "then"}):
            is_courtesy = "filler" in roles and "article" not in roles
            is_leading = is_leading and "filler" in roles
            cost = WORD_COST if is_courtesy or "linking" in roles else LETTER_COST
            cost = LEADING_COST if is_leading else cost
            cost += 0.0 if roles.isdisjoint(SPARING) else SPARING_COST
            text = token.value if token.kind == "word" else token.text
            chart.add(Edge(at, at + 1, role, cost, text))
            if roles.isdisjoint(excluded) or (is_leading and is_courtesy):
                chart.add(Edge(at, at + 1, first, cost, text))
        is_announced = is_announced or announcing in roles
        is_leading = is_leading or announcing in roles


def _is_textual(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a token may be part of text to write.

    A measure may be an amount of a change, except in a discount, such as "10% off".
    """
    is_discount = "percent" in tokens[at].text or "%" in tokens[at].text
    is_off = [token.text for token in tokens[at + 1 : at + 2]] == ["off"]
    return tokens[at].kind in ("word", "number") or (is_discount and is_off)


def _add_titled(chart: Chart, tokens: Sequence[Token]) -> None:
    """Add edges for words with capital letters that may be texts.

    A word with a capital letter within a sentence is "titled" if it names nothing else, as in "change Open to
    Closed". Words in capital letters are "shouted" if other words are not, as in "add SOLD" and "THE END". A
    discount before "OFF" belongs to it, as in "20% OFF".
    """
    words = [token for token in tokens if token.kind == "word"]
    is_loud = all(str(token.value).isupper() for token in words)
    for is_upper, run in groupby(range(len(tokens)), lambda at: _is_upper(tokens[at])):
        places = list(run)
        if is_upper and not is_loud and any(len(tokens[at].text) > 2 for at in places):
            for at in places:
                chart.add(Edge(at, at + 1, "shouted", LETTER_COST, tokens[at].value))
                if at and tokens[at].text == "off" and _is_textual(tokens, at - 1):
                    chart.add(Edge(at - 1, at, "shouted", LETTER_COST, tokens[at - 1].text))
    for at, token in enumerate(tokens):
        if token.name and chart.roles(at).isdisjoint(NAMING | VISIBLE):
            chart.add(Edge(at, at + 1, "titled", WORD_COST, token.value))


def _is_upper(token: Token) -> bool:
    return token.kind == "word" and str(token.value).isupper()


def _is_story(roles: Sequence[Set[str]]) -> bool:
    begins = bool(roles) and not roles[0].isdisjoint(NARRATING)
    is_wanting = any("wanting" in one for one in roles)
    joins = [not one.isdisjoint(("and", "then", "but")) for one in roles]
    first = joins.index(False) if False in joins else 0
    if first and not roles[first].isdisjoint(("make", "add", "use", "keep")):  # as in "and make it bigger"
        return False
    if any(not one.isdisjoint(("begging", "objecting")) for one in roles):
        return False
    if not begins and (is_wanting or not any("telling" in one for one in roles)):
        return False
    allowed = STORY_ROLES
    if not any(one & {"photo", "it", "colors"} for one in roles):
        allowed |= OTHER_STORY_ROLES
        if any(one & {"lapsed", "telling"} for one in roles):
            allowed |= STYLE_STORY_ROLES
    return all("any" in one or not (is_wanting or one.isdisjoint(allowed)) for one in roles)


def _has_verb(words: Sequence[str], roles_by_word: Sequence[Set[str]]) -> bool:
    """Return whether words may be a sentence with a verb, such as "my son loves this place"."""
    for at, (word, roles) in enumerate(zip(words, roles_by_word, strict=True)):
        is_after_pronoun = bool(at) and not roles_by_word[at - 1].isdisjoint(("it", "this", "narrating"))
        is_after_name = bool(at) and not roles_by_word[at - 1].isdisjoint(NAMING)
        is_verb = "plain" in roles and word.endswith("s") and is_after_name and at < len(words) - 1
        is_clear = not roles.isdisjoint(VERBAL) and "place" not in roles  # "left" may be a side
        if is_clear or (word == "'s" and is_after_pronoun):
            return True
        if is_verb or (word.endswith("ed") and "posing" in roles):
            return True
    return False


def _add_shown(chart: Chart, tokens: Sequence[Token], grammar: Grammar) -> None:
    """Add edges for words that may name a marked thing ("shown") or describe it ("showing")."""
    senses, words, excluded = grammar.lexicon.senses, chart.words, NOT_ABSORBED | grammar.lexicon.inflected
    for at, token in enumerate(tokens):
        roles = chart.roles(at)
        is_name = not roles.isdisjoint(NAMING) and roles.isdisjoint(("photo", "background", "marked"))
        is_doing = words[at].endswith(PARTICIPLES) and roles.isdisjoint(ACTING)
        is_describing = is_name or is_doing or roles.isdisjoint(excluded - DESCRIBING)
        if token.kind in DESCRIPTIVE_TOKENS and is_describing:
            chart.add(Edge(at, at + 1, "showing", ANY_COST, words[at]))
        if is_name and "quality" in roles:  # "the shadow" may be a marked thing
            chart.add(Edge(at, at + 1, "shown_light", WORD_COST, words[at]))
        for (end, role), edge in list(chart.at[at].items()):
            # "Bigger" and "enlarge this" may be about the marked thing, but not "as big as possible".
            if role == "this" or (role == "larger" and words[at].endswith("er")):
                chart.add(Edge(at, end, f"shown_{role}", WORD_COST, edge.value))
        # The noun "can" may name a thing.
        is_free = is_name or roles.isdisjoint(excluded | {"asking", "wanting"})
        is_open = token.kind == "word" and roles.isdisjoint(LINKING) and is_free
        if is_open and (is_name or not _is_determiner_next(senses, words[at + 1 : at + 2])):
            chart.add(Edge(at, at + 1, "shown", ANY_COST, words[at]))


def _is_determiner_next(senses: Mapping[str, Mapping[str, Any]], following: Sequence[str]) -> bool:
    """Return whether the next word is a determiner, as in "the dog".

    A verb can precede a determiner, but a description cannot.
    """
    return any(not {"article", "determiner", "this"}.isdisjoint(senses.get(word, ())) for word in following)


def _sentence_spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    stops = [at for at, word in enumerate(words) if word in "./"]
    for before, end in pairwise([-1, *stops, len(words)]):
        if end > before + 1:
            yield before + 1, end


# For each state, its cost and a linked list of its edges.
type Threads = dict[State, tuple[float, Any]]


def _matches(section: Section, chart: Chart) -> Iterator[Edge]:
    """Yield an edge for each stretch of words that a pattern matches, built from the cheapest match."""
    for start in chart.starts_of(section.automaton.begin.transitions.keys()):
        for end, (cost, rule, thread) in _pattern_ends(section, chart, start).items():
            yield Edge(start, end, section.role, cost, None, section.rules[rule], thread)


def _pattern_ends(section: Section, chart: Chart, start: int) -> dict[int, tuple[float, int, Any]]:
    """Return the ends of the patterns that match at a place.

    Each end comes with the cost, the rule, and the matched edges. Most of the reading time is spent here, so
    this function relies on lookups and calls almost no other functions.
    """
    costs, ahead, rank, last = section.costs, chart.ahead, chart.rank.__getitem__, start + MAX_EDGE_WORDS
    courtesy = chart.no_courtesy if section.role in VERBATIM else chart.courtesy
    threads: dict[int, Threads] = {start: {section.automaton.begin: (0.0, None)}}
    ends: dict[int, tuple[float, int, Any]] = {}
    at, tried = start, 0
    while threads:
        for state, (cost, before) in threads.pop(at, _NO_THREADS).items():
            tried += 1
            transitions, edges_here = state.transitions, ahead[at]
            labels = transitions.keys() & edges_here.keys()
            for label in sorted(labels, key=rank) if len(labels) > 1 else labels:
                after, edges = transitions[label], edges_here[label]
                rule, following = after.rule, after.transitions.keys()
                for end, (edge_cost, edge) in edges.items():
                    spent, thread = cost + edge_cost, (before, edge)
                    if rule is not None and (end not in ends or spent + costs[rule] < ends[end][0]):
                        ends[end] = (spent + costs[rule], rule, thread)
                    tried += len(courtesy[end])
                    if not following:
                        continue
                    for to, skipped in courtesy[end]:
                        if to < last and not following.isdisjoint(ahead[to].keys()):
                            states = threads.setdefault(to, {})
                            if after not in states or spent + skipped < states[after][0]:
                                states[after] = (spent + skipped, thread)
        chart.budget.spend(tried)
        at, tried = at + 1, 0
    return ends


_NO_THREADS: Threads = {}

# The number of words read, and whether a wish may begin here.
type Place = tuple[int, bool]
# The cheapest way to each place: its cost, the place before it, and the edge between both.
type Arrivals = dict[Place, tuple[float, Place | None, Edge | None]]


def _is_verb(chart: Chart, at: int, verbs: Set[str]) -> bool:
    return at < len(chart.words) and not chart.roles(at).isdisjoint(verbs)


def _cheapest_path(chart: Chart, grammar: Grammar, joined: Set[int]) -> ParsePath:
    """Return the path through the sentence that claims the most words with the fewest wishes.

    Two wishes must be separated by a joining word or punctuation, unless the second one begins with a verb. A
    participle is no such verb, because it may describe what the wish before it names: "the flower blurred".
    Neither is a verb that says what something does: "the crop removes the dog".
    No wish begins or ends at the places in `joined`, which are inside a word with a hyphen, as "tilt-shift".
    """
    best: Arrivals = {(0, True): (0.0, None, None)}
    for at in range(len(chart.words)):
        edges = _starting_edges(chart, at, joined)
        is_wish_allowed = chart.words[at] in STOPS or _is_clear_verb(chart, at, grammar)
        for is_open in (True, False):
            if (at, is_open) not in best:
                continue
            spent = best[at, is_open][0]
            for to, cost, edge in _continuations(chart, (at, is_open), edges, is_wish_allowed, grammar):
                if to not in best or spent + cost < best[to][0]:
                    best[to] = (spent + cost, (at, is_open), edge)
    return _path_to_end(best, len(chart.words))


def _starting_edges(chart: Chart, at: int, joined: Set[int]) -> list[Edge]:
    """Return the edges of parts of a sentence that begin at a place."""
    edges = [edge for (_, role), edge in chart.at[at].items() if role in STARTING]
    if chart.words[at][0] in QUOTES:  # a quoted value alone requests nothing
        edges = [edge for edge in edges if edge.end > at + 1]
    if joined:
        edges = [one for one in edges if one.role not in OPENING or joined.isdisjoint((at, one.end))]
    return edges


def _is_clear_verb(chart: Chart, at: int, grammar: Grammar) -> bool:
    """Return whether a word is a verb that cannot be about the words before it.

    It is neither a noun nor an adjective. It is also no participle, and no form that says what something does
    or did, as in "the vignette makes it dark" and "the light made her pale". After a thing, "cutting" is a
    participle, as in "remove the man cutting the cake".
    """
    if chart.words[at].endswith("ing") and at > 0:
        is_after_thing = any((at, "named") in chart.at[start] for start in range(max(0, at - 3), at))
        if is_after_thing or chart.words[at - 1] in LINKING_VERBS:
            return False
    lexicon, word, roles = grammar.lexicon, chart.words[at], chart.roles(at)
    is_third_person = word in lexicon.third_persons and "colors" not in roles  # "so the colors are richer"
    may_describe = is_third_person or word in lexicon.participles or "lapsed" in roles
    return not may_describe and roles.isdisjoint(NOMINAL) and _is_verb(chart, at, lexicon.inflected)


def _continuations(
    chart: Chart, place: Place, edges: Sequence[Edge], is_wish_allowed: bool, grammar: Grammar
) -> Iterator[tuple[Place, float, Edge | None]]:
    """Yield the places that can be reached from a place with one edge, or by skipping one word.

    Each comes with its additional cost and the edge. If `is_wish_allowed` is true, a wish of several words
    may begin even where no joining word or punctuation precedes it.
    """
    at, is_open = place
    is_stop = chart.words[at] in STOPS
    yield (at + 1, is_open or is_stop), STOP_COST if is_stop else UNREAD_COST, None
    for edge in edges:
        if edge.role in OPENING:
            if is_open or (is_wish_allowed and edge.end > at + 1):
                yield (edge.end, False), edge.cost + WISH_COST, edge
        elif edge.role == "opener" and not (
            is_open and (at == 0 or _is_verb(chart, edge.end, grammar.lexicon.inflected))
        ):
            continue
        elif edge.role != "remark" or is_open:
            is_next_open = edge.role == "joint" or (is_open and edge.role in TRANSPARENT_ROLES)
            yield (edge.end, is_next_open), edge.cost, edge


def _path_to_end(best: Arrivals, size: int) -> ParsePath:
    """Return the cheapest path to the end of a sentence with `size` words."""
    ends = [place for place in ((size, True), (size, False)) if place in best]
    place: Place | None = min(ends, key=lambda end: best[end][0])
    steps: list[tuple[int, int, Edge | None]] = []
    while place is not None:
        _, before, edge = best[place]
        if before is not None:
            steps.append((before[0], place[0], edge))
        place = before
    return ParsePath(steps[::-1])
