"""Read the constructions, which are phrases and their meanings.

They come from `en/*.toml` and the operations' `[en]` tables.

Each table in `en/*.toml` is a construction for one role. It has `patterns`, one on each line, and a result:
`makes` gives a value that other patterns use as `{role}`, and `does` gives a `wish`, a step of a plan. An
`[[en.construction]]` of an operation is a wish that need not name its operation. `cost` makes a reading more
expensive, or less expensive if it is negative; "@ 0.5" after a pattern is the cost of that pattern alone.
`[shared]` holds pieces of pattern text that all patterns may use as `<name>`.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from editor.engine.catalog import FOLDER, catalog, find_declaration
from editor.engine.language.automaton import Automaton, Pattern
from editor.engine.language.lexicon import Lexicon
from editor.engine.language.roles import ABSORBING_ROLES, REFUSAL_ROLES
from editor.engine.language.template import references

# Roles that tokens have without the lexicon. README.md explains those that patterns use.
_TOKEN_ROLES = frozenset(
    {
        "unknown",
        "plain",
        "any",
        "non_request",
        "comment",
        "shown",
        "shown_light",
        "shown_larger",
        "shown_this",
        "showing",
        "quoted",
        "hex",
        "size",
        "ratio",
        "number",
        "link",
        "emoji",
        "paper",
        "letter",
        "initial",
        "wording",
        "opening",
        "titled",
        "shouted",
        "measure",
        "percent",
        "degrees",
        "pixels",
        "stops",
        "kilobytes",
        "dpi",
    }
)
# Roles that the result of a wish must use if its pattern contains them.
_MUST_BE_USED = frozenset(
    {
        "much",
        "amount",
        "parts",
        "part",
        "thing",
        "where",
        "side",
        "place",
        "hue",
        "color",
        "count",
        "number",
        "measure",
        "quoted",
        "ratio",
        "size",
        "degrees",
        "other_photo",
        "shifts",
        "levels",
        "kin",
    }
)
# The keys that a wish may set in addition to the fields of its operation. `WishValues` in sentence_parts.py
# explains them.
_WISH_KEYS = frozenset(
    {
        "operation",
        "target",
        "amount",
        "sign",
        "turn",
        "slide",
        "more",
        "usual",
        "each",
        "with",
        "keep",
        "vague",
        "of_colors",
        "photo",
        "context",
        "bare",
        "mends",
        "unsure",
        "faulty",
    }
)
# The keys of the table of a construction.
_KEYS = frozenset(
    {
        "patterns",
        "makes",
        "does",
        "cost",
        "examples",
        "boxed",
        "paired",
        "refused",
        "hint",
        "reason",
        "nearest",
        "limits",
        "instead",
        "describes",
    }
)


class GrammarError(ValueError):
    """Raised when a construction is invalid; the message names its file."""


@dataclass(frozen=True)
class Construction:
    """Patterns for one role, along with their result and examples."""

    role: str
    file: str
    patterns: tuple[str, ...]
    costs: tuple[float, ...]  # the cost of each pattern
    gives: Any = None
    examples: Mapping[str, str] = field(default_factory=dict)
    boxed: Mapping[str, str] = field(default_factory=dict)  # examples for which a box is drawn
    paired: Mapping[str, str] = field(default_factory=dict)  # examples that come with a second photo
    refused: tuple[str, ...] = ()  # examples that must be refused
    describes: frozenset[str] = frozenset()  # roles of words that only describe the named thing


class Section:
    """All constructions of one role, compiled into one automaton."""

    def __init__(self, role: str, rules: Sequence[Construction], shared: Mapping[str, str]):
        self.role = role
        self.rules = [rule for rule in rules for _ in rule.patterns]  # the construction of each pattern
        self.costs = [cost for rule in rules for cost in rule.costs]
        lines = (line for rule in rules for line in rule.patterns)
        patterns = [Pattern(line, at) for at, line in enumerate(lines)]
        self.automaton = Automaton(patterns, self.costs, shared)


class Grammar:
    """The lexicon and the sections, ordered so that each section comes after those that it uses."""

    def __init__(self, folder: Path):
        self.lexicon = Lexicon(folder / "words")
        self.shared: dict[str, str] = {}
        self.rules = list(_read(folder, self.shared))
        by_role: defaultdict[str, list[Construction]] = defaultdict(list)
        for rule in self.rules:
            by_role[rule.role].append(rule)
        self.uses = {role: self._roles_in_patterns(rules) for role, rules in by_role.items()}
        self._check(set(by_role))
        self.sections = [
            Section(role, by_role[role], self.shared) for role in self._roles_in_order(set(by_role))
        ]

    def literals(self) -> set[str]:
        """Return the words that patterns contain literally."""
        texts = " ".join(line for rule in self.rules for line in rule.patterns)
        texts += " " + " ".join(self.shared.values())
        for sign in "[]()|*+":
            texts = texts.replace(sign, " ")
        return {word for word in texts.split() if word[0] not in "{<"}

    def _roles_in_patterns(self, rules: Sequence[Construction]) -> set[str]:
        texts = "\n".join(line for rule in rules for line in rule.patterns)
        while "<" in texts:
            name = texts.partition("<")[2].partition(">")[0]
            if name not in self.shared:
                raise GrammarError(f"There is no shared piece <{name}>.")
            texts = texts.replace(f"<{name}>", f"({self.shared[name]})")
        return {piece.partition("}")[0] for piece in texts.split("{")[1:]}

    def _check(self, construction_roles: Set[str]) -> None:
        lexical = self.lexicon.roles()
        for role, used in self.uses.items():
            unknown = used - lexical - _TOKEN_ROLES - construction_roles
            if unknown or (role in lexical and role != "filler"):
                raise GrammarError(
                    f"The role {role} is also one of words, or uses roles that are not: {unknown}"
                )
            if used & {"any", "non_request"} and role not in ABSORBING_ROLES:
                raise GrammarError(f"{role} may not absorb words: only {sorted(ABSORBING_ROLES)} do.")
        for rule in self.rules:
            if rule.role == "wish" and (
                declaration := find_declaration((rule.gives or {}).get("operation", ""))
            ):
                unknown_fields = rule.gives.keys() - declaration.fields.keys() - _WISH_KEYS
                if unknown_fields:
                    raise GrammarError(f"{rule.file}: {declaration.name} has no {unknown_fields}.")
            used, referenced_roles = self._roles_in_patterns([rule]), references(rule.gives)
            if referenced_roles - used:
                raise GrammarError(f"{rule.file}: {rule.patterns[0]} has no {referenced_roles - used}.")
            if rule.role == "wish" and (dropped_roles := (used & _MUST_BE_USED) - referenced_roles):
                raise GrammarError(f"{rule.file}: {rule.patterns[0]} drops {dropped_roles}.")

    def _roles_in_order(self, roles: set[str]) -> list[str]:
        """Return the roles, ordered so that each role comes after the roles that its patterns use.

        The role of courteous words comes first, because courteous words may occur inside the patterns of all
        other roles.
        """
        courtesy = {"filler", *(self.uses["filler"] & roles)}
        order = {role: used & roles for role, used in self.uses.items()}
        order |= {role: used | {"filler"} for role, used in order.items() if role not in courtesy}
        return list(TopologicalSorter(order).static_order())


def _read(folder: Path, shared: dict[str, str]) -> Iterator[Construction]:
    for path in sorted(folder.glob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        pieces = data.pop("shared", {})
        if pieces.keys() & shared.keys():
            raise GrammarError(f"{path.name}: {pieces.keys() & shared.keys()} is shared elsewhere.")
        shared |= pieces
        for role, tables in data.items():
            yield from (_construction(role, f"en/{path.name}", table) for table in tables)
    for path, english in _operations():
        for table in english.get("construction", ()):
            does = {"operation": path.stem} | table.get("does", {})
            yield _construction("wish", f"{path.parent.name}/{path.name}", table | {"does": does})
        for table in english.get("refusal", ()):
            yield _construction("refusal", f"{path.parent.name}/{path.name}", table)


def _operations() -> Iterator[tuple[Path, Mapping[str, Any]]]:
    paths = {path.stem: path.relative_to(FOLDER) for path in FOLDER.rglob("*.toml")}
    for declaration in catalog().values():
        yield paths[declaration.name], declaration.english


def _construction(role: str, file: str, table: Mapping[str, Any]) -> Construction:
    if not table.keys() <= _KEYS:
        raise GrammarError(f"{file}: a construction has no {sorted(table.keys() - _KEYS)}.")
    examples = table.get("examples", {})
    gives = table.get("does", table.get("makes"))
    if role in REFUSAL_ROLES:
        gives = {
            "hint": table["hint"],
            "reason": table.get("reason", "ambiguous"),
            "nearest": table.get("nearest", ()),
            "limits": table.get("limits", False),
            "instead": table.get("instead", {}),
        }
        examples, refused = {}, tuple(examples)
    else:
        refused = tuple(table.get("refused", ()))
    lines = [line.partition("@") for line in table["patterns"].splitlines() if line.strip()]
    patterns = tuple(line.strip() for line, _, _ in lines)
    costs = tuple(float(own or table.get("cost", 0.0)) for _, _, own in lines)
    boxed, paired = table.get("boxed", {}), table.get("paired", {})
    describes = frozenset(table.get("describes", "").split())
    return Construction(role, file, patterns, costs, gives, examples, boxed, paired, refused, describes)
