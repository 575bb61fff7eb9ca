"""The declarations: all that an operation is apart from its pixels, from `operations/KIND/**/NAME.toml`.

Language, plans and pixels read them here; no OpenCV and no Django. A declaration says

    stage      when it is carried out: see Stage. With `stage_of` another one for these targets
    layer      which of the same stage is drawn first; `stacks` is the place where its steps rise: the last
               one stands lowest
    scope      where it acts: see Scope; in a region where it says nothing
    commutes   what may as well come after it: "turn", which of colors and removals is true anyway. `turns`
               says that it is one, where its degrees are a multiple of that many
    ground     what it leaves behind the subject: "none", "plain", "picture" or "blurred"
    uses       what it looks for on its own: "subject", "faces", or "fill", what is behind a thing
    fields     its parameters: see Field; where it says nothing, those that are usual in its folder
    finds      what it can act on without a box: a row of language/findable.toml, "change" where it says none
    vague      whether it says nothing of what is to change: "improve it"
    becomes    what a step of it is instead: each one `when` these are its target, color or sign, `then` those
    opposite   the operation that an amount below zero is of: of less sharpness, blur
    en         `examples`: an instruction, and what its step holds; `sentence`, the step in words; the rest is
               the reader's, see language/README.md
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from editor.engine.props import PROPS
from editor.options import EditKind

FOLDER = Path(__file__).parent / "operations"
_IN_PLACE = (EditKind.COLOR, EditKind.REMOVE)  # these leave all where it is, so a turn may as well come after


_FIELDS: dict[EditKind, dict[str, dict[str, Any]]] = {
    EditKind.COLOR: {"amount": {"type": "amount", "units": ["percent"]}},
    EditKind.ADD: {
        "color": {"type": "color"},
        "amount": {"type": "amount", "default": 0.4, "units": ["percent"]},
        "place": {"type": "place"},
    },
}


class CatalogError(ValueError):
    """A declaration says what cannot be; the message names its file."""


class Stage(StrEnum):
    """When a step is carried out: all of a stage before the next one."""

    EDIT = "edit"  # in the order of the words
    CAST = "cast"  # onto the last new background, which would wipe it out
    LIGHT = "light"  # on the final shape, but before a later step that is to change its color
    FRAME = "frame"
    OVERLAY = "overlay"
    LETTERING = "lettering"

    @property
    def is_final(self) -> bool:
        """Whether it is drawn on the final shape: a later crop would cut a border."""
        return self not in (Stage.EDIT, Stage.CAST)


class Scope(StrEnum):
    """Where an operation acts, and so what a box is to it."""

    REGION = "region"  # in the box or the target, else everywhere
    TARGET = "target"  # on a thing, which a box may point out
    WHOLE = "whole"  # on the whole photo: a box has no meaning


_PATTERNS = {
    "place": r"[a-z]+( [a-z]+){0,3}",
    "color": r"[a-z#0-9 ]+",
    "ratio": r"\d+ ?: ?\d+",
    "size": r"(within )?\d+ ?[xX] ?\d+",
    "paper": r"[\d.]+ x [\d.]+ (inches|mm)",
    "text": r"(?s).*",
}
UNITS = {"percent": 100.0, "stops": 2.0, "pixels": 0.0}
"""The number that is the amount 1, where one is: exposure moves by up to two stops."""


@dataclass(frozen=True)
class Field:
    """A parameter. Its `type` is "amount" (-1 to 1, or a share of it in one of its `units`), "length" (-1 to
    1, or so many of one of its `units`), "number" (of what its name says), "count", "flag", "word" (one `of`
    these), "target", or a string of one form: place, color, ratio, size, paper, prop, text.

    `was` is its name in plans that were stored before it had one of its own: "choice", or "exact degrees". Of
    a flag `of` is the value that it was.
    """

    name: str
    type: str
    default: Any = None
    range: tuple[float, float] | None = None
    of: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    required: bool = False
    was: str = ""

    def accepts(self, value: Any) -> bool:
        """Whether a plain value, as JSON holds it, can be this parameter's; of a target only the outside."""
        match self.type:
            case "amount" | "length" | "number":
                return _is_number(value) and self._holds(value)
            case "count":
                return _is_number(value) and float(value) == int(value) and self._holds(value)
            case "flag":
                return isinstance(value, bool)
            case "word":
                return value in self.of
            case "prop":
                return value in PROPS
            case "target":
                return isinstance(value, Mapping)
            case _:
                return isinstance(value, str) and bool(re.fullmatch(_PATTERNS[self.type], value))

    def _holds(self, value: Any) -> bool:
        return self.range is None or self.range[0] <= value <= self.range[1]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value


@dataclass(frozen=True)
class Declaration:
    """What an operation says of itself."""

    name: str
    kind: EditKind
    scope: Scope
    stage: Stage = Stage.EDIT
    stage_of: Mapping[str, Stage] = field(default_factory=dict)
    layer: int = 0
    stacks: str = ""
    commutes: frozenset[str] = frozenset()
    turns: int = 0
    ground: str = ""
    uses: frozenset[str] = frozenset()
    fields: Mapping[str, Field] = field(default_factory=dict)
    examples: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    finds: str = ""
    vague: bool = False
    opposite: str = ""
    becomes: tuple[Mapping[str, Any], ...] = ()
    english: Mapping[str, Any] = field(default_factory=dict)


@cache
def catalog() -> Mapping[str, Declaration]:
    """Every declaration, by the name of its operation. Raises CatalogError."""
    return {name: _declared(name) for name in _files()}


def declared(operation: str) -> Declaration | None:
    """What an operation says of itself; None where there is none of that name. Reads its file alone, which
    is all that a plan needs. Raises CatalogError."""
    return _declared(operation) if operation in _files() else None


def examples() -> Iterator[tuple[Declaration, str, Mapping[str, Any]]]:
    """Every example: whose it is, the instruction, and what its step holds."""
    for declaration in catalog().values():
        for instruction, held in declaration.examples.items():
            yield declaration, instruction, held


@cache
def _files() -> Mapping[str, Path]:
    return {path.stem: path for path in sorted(FOLDER.rglob("*.toml"))}


@cache
def _declared(operation: str) -> Declaration:
    return _read(_files()[operation])


def _read(path: Path) -> Declaration:
    try:
        return _declaration(path.stem, path.relative_to(FOLDER).parts[0], tomllib.loads(path.read_text()))
    except (TypeError, ValueError, KeyError) as error:
        raise CatalogError(f"{path.relative_to(FOLDER)}: {error}") from error


def _declaration(name: str, folder: str, data: dict[str, Any]) -> Declaration:
    english = data.pop("en")
    examples = english.pop("examples")
    if folder not in EditKind:
        raise CatalogError(f"There is no kind {folder}.")
    kind = EditKind(folder)
    fields = {key: _field(key, facts) for key, facts in data.pop("fields", _FIELDS.get(kind, {})).items()}
    made = Declaration(
        name=name,
        kind=kind,
        scope=Scope(data.pop("scope", Scope.REGION)),
        stage=Stage(data.pop("stage", Stage.EDIT)),
        stage_of={what: Stage(stage) for what, stage in data.pop("stage_of", {}).items()},
        commutes=frozenset(data.pop("commutes", ["turn"] if kind in _IN_PLACE else [])),
        uses=frozenset(data.pop("uses", ())),
        fields=fields,
        examples=examples,
        becomes=tuple(data.pop("becomes", ())),
        english=english,
        **data,
    )
    if not made.examples:
        raise CatalogError("There is no example.")
    return made


def _field(name: str, facts: dict[str, Any]) -> Field:
    lists = {key: tuple(facts[key]) for key in ("range", "of", "units") if key in facts}
    unset = {"default": False} if facts["type"] == "flag" else {}
    made = Field(name, **(unset | facts | lists))
    if made.type not in _TYPES:
        raise CatalogError(f"There is no type {made.type}.")
    if made.default is not None and not made.accepts(made.default):
        raise CatalogError(f"The default of {name} is none of its values.")
    if not set(made.units) <= set(UNITS):
        raise CatalogError(f"The units of {name} are not known.")
    return made


_TYPES = {"amount", "length", "number", "count", "flag", "word", "prop", "target", *_PATTERNS}
