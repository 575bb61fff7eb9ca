"""Read the declarations of operations from `operations/KIND/**/NAME.toml`.

A declaration contains everything about an operation except its pixel function. This module uses neither
OpenCV nor Django. The keys of a declaration are:

- `stage`: when the operation runs (see Stage). `stage_of` gives a different stage for some targets.
- `layer`: the drawing order within a stage, lowest first. `stacks` names the place where the results of
  several steps are stacked, with the last result at the bottom.
- `scope`: where the operation acts (see Scope); the default is "region".
- `commutes`: ["turn"] if the operation may run either before or after quarter turns and flips, which is the
  default for colors and removals. `turns` is a number; if the operation's degrees are a multiple of it, the
  operation itself counts as such a turn.
- `ground`: what the operation leaves behind the subject: "none", "plain", "picture", or "blurred".
- `uses`: what the operation looks for by itself: "subject", "faces", "text", or "fill" (what is behind a
  thing).
- `local`: whether the operation changes only an area that is known in advance: its target, its place, or
  what it looks for. Light, weather, and small flaws have no such area. The default is true for colors and
  backgrounds.
- `fields`: the parameters (see Field); the default depends on the folder.
- `finds`: what the operation can act on without a box, as a row of language/findable.toml. The default is
  "change".
- `vague`: whether the words leave open what should change, as in "improve it".
- `becomes`: rules that replace a step with a different one. `when` lists conditions on the step's target,
  color, or direction; `then` lists the new values.
- `opposite`: the operation that replaces this one for an amount below zero, such as blur for sharpness.
- `preview`: why previews look less like the results than those of other operations (tests/likeness.py).
- `aspect`: what a wish such as "make it bigger" changes if "it" is a thing that was added: its "size", "turn"
  (how it is turned or where it is), "tone", "boldness", "softness", or "look" (natural or transparent).
- `covers`: whether what is added is all over the photo, as snow is.
- `hides`: whether the operation makes its target, or the faces that it uses, invisible or unrecognizable.
- `en`: `examples` maps an instruction to the values of its step, and `sentence` describes the step. All
  other keys are explained in language/README.md.
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
from editor.sentences import Sentence

FOLDER = Path(__file__).parent / "operations"
# Kinds of operations that may run before or after a turn, because they move no pixels.
_IN_PLACE = (EditKind.COLOR, EditKind.REMOVE)
# Kinds of operations that change only their target.
_LOCAL = (EditKind.COLOR, EditKind.BACKGROUND)

_ASPECTS = frozenset({"size", "turn", "tone", "boldness", "softness", "look"})
_FIELDS: dict[EditKind, dict[str, dict[str, Any]]] = {
    EditKind.COLOR: {"amount": {"type": "amount", "units": ["percent"]}},
    EditKind.ADD: {
        "color": {"type": "color"},
        "amount": {"type": "amount", "default": 0.4, "units": ["percent"]},
        "place": {"type": "place"},
    },
}


class CatalogError(ValueError):
    """Raised when a declaration is invalid; the message names its file."""


class Stage(StrEnum):
    """The time at which a step runs. All steps of one stage run before those of the next stage."""

    EDIT = "edit"  # steps that run in the order of the instruction
    CAST = "cast"  # steps that run after the last background change, because it would cover their results
    LIGHT = "light"  # steps that run on the final shape, unless a later color step will recolor the result
    FRAME = "frame"
    OVERLAY = "overlay"
    LETTERING = "lettering"

    @property
    def is_final(self) -> bool:
        """Whether steps of this stage are drawn on the final shape.

        A later crop would cut off a border that was drawn earlier.
        """
        return self not in (Stage.EDIT, Stage.CAST)


class Scope(StrEnum):
    """The area in which an operation acts. It determines what a box means for the operation."""

    REGION = "region"  # the operation acts in the box or the target, or everywhere if there is neither
    TARGET = "target"  # the operation acts on a thing, which a box may mark
    WHOLE = "whole"  # the operation acts on the whole photo; a box is refused


_PATTERNS = {
    "place": r"[a-z]+( [a-z]+){0,3}",
    "color": r"[a-z#0-9 ]+",
    "ratio": r"\d+ ?: ?\d+",
    "size": r"(within )?\d+ ?[xX] ?\d+",
    "paper": r"[\d.]+ x [\d.]+ (inches|mm)",
    "text": r"(?s).*",
}
# For each unit, the number that corresponds to an amount of 1, or 0 if the unit does not measure an amount.
# Exposure changes by at most two stops.
UNITS = {"percent": 100.0, "stops": 2.0, "pixels": 0.0, "kilobytes": 0.0, "dpi": 0.0}
# The names of units as sentences, so that they can be translated.
UNIT_NAMES = {
    str(name): name
    for name in (
        Sentence("percent"),
        Sentence("stops"),
        Sentence("pixels"),
        Sentence("kilobytes"),
        Sentence("dpi"),
        Sentence("degrees"),
    )
}


def share_of(number: float, unit: str) -> float:
    """Return the share of the full change that a number in this unit stands for, without its sign."""
    return min(1.0, abs(number) / UNITS[unit])


@dataclass(frozen=True)
class Field:
    """A parameter of an operation.

    `type` is one of these:

    - "amount": a number from -1 to 1, or a number in one of the `units`, which is converted
    - "length": a number from -1 to 1, or a number in one of the `units`
    - "number": a number in the unit that the field's name states
    - "count" or "flag"
    - "word": one of the words in `of`
    - "target"
    - "place", "color", "ratio", "size", "paper", "prop", or "text": a string of that form. If a place has
      `of`, the language accepts only those places.

    `was` is the key under which older stored plans hold the value: "choice", "text", or "exact UNIT". For a
    flag, `of` holds the old value that means true.
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
        """Return whether a plain JSON value is valid for this parameter.

        A target only has to be a mapping.
        """
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
    """The declaration of an operation, as described at the top of this module."""

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
    local: bool = False
    fields: Mapping[str, Field] = field(default_factory=dict)
    examples: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    finds: str = ""
    vague: bool = False
    opposite: str = ""
    preview: str = ""
    aspect: str = ""
    covers: bool = False
    hides: bool = False
    becomes: tuple[Mapping[str, Any], ...] = ()
    english: Mapping[str, Any] = field(default_factory=dict)


@cache
def catalog() -> Mapping[str, Declaration]:
    """Return the declaration of each operation by name. Raises CatalogError if a declaration is invalid."""
    return {name: _declared(name) for name in _files()}


def find_declaration(operation: str) -> Declaration | None:
    """Return the declaration of an operation, or None if there is no such operation.

    Reads only the file of that operation. Raises CatalogError if the declaration is invalid.
    """
    return _declared(operation) if operation in _files() else None


def examples() -> Iterator[tuple[Declaration, str, Mapping[str, Any]]]:
    """Yield each example's declaration, instruction, and step values."""
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
    declaration = Declaration(
        name=name,
        kind=kind,
        scope=Scope(data.pop("scope", Scope.REGION)),
        stage=Stage(data.pop("stage", Stage.EDIT)),
        stage_of={what: Stage(stage) for what, stage in data.pop("stage_of", {}).items()},
        commutes=frozenset(data.pop("commutes", ["turn"] if kind in _IN_PLACE else [])),
        uses=frozenset(data.pop("uses", ())),
        local=data.pop("local", kind in _LOCAL),
        fields=fields,
        examples=examples,
        becomes=tuple(data.pop("becomes", ())),
        english=english,
        **data,
    )
    if not declaration.examples:
        raise CatalogError("There is no example.")
    if declaration.aspect and declaration.aspect not in _ASPECTS:
        raise CatalogError(f"There is no aspect {declaration.aspect}.")
    if not isinstance(declaration.local, bool):
        raise CatalogError("local must be true or false.")
    return declaration


def _field(name: str, facts: dict[str, Any]) -> Field:
    lists = {key: tuple(facts[key]) for key in ("range", "of", "units") if key in facts}
    unset = {"default": False} if facts["type"] == "flag" else {}
    field = Field(name, **(unset | facts | lists))
    if field.type not in _TYPES:
        raise CatalogError(f"There is no type {field.type}.")
    if field.default is not None and not field.accepts(field.default):
        raise CatalogError(f"The default of {name} is none of its values.")
    if not set(field.units) <= set(UNITS):
        raise CatalogError(f"The units of {name} are not known.")
    return field


_TYPES = {"amount", "length", "number", "count", "flag", "word", "prop", "target", *_PATTERNS}
