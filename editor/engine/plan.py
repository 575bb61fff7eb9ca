"""The plan: what the language says and the pixels carry out. Everything that the two share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from editor.engine.catalog import UNITS, Declaration, Field, declared
from editor.options import EditKind


class Reason(StrEnum):
    """Why a part of an instruction is refused."""

    UNKNOWN_WORD = "unknown_word"
    NO_SUCH_TARGET = "no_such_target"
    AMBIGUOUS = "ambiguous"
    NEEDS_GENERATION = "needs_generation"
    NEEDS_REFERENCE = "needs_reference"
    NEEDS_REGION = "needs_region"
    LOW_CONFIDENCE = "low_confidence"
    TOO_LARGE = "too_large"


@dataclass(frozen=True)
class Target:
    """What a step is about: "whole", "subject", "background", "region" (with the numbers of its boxes,
    from 1), "text", "face", "place" (a side, a corner, the edges of the photo, blended softly), or "thing",
    which is named by `color` and `noun`; `count` is how many of a noun are meant, if not all (1: it must be
    the only one); `of` is whose part it is: the man of "the man's hat"."""

    what: str = "whole"
    color: str | None = None
    noun: str | None = None
    place: str | None = None
    boxes: tuple[int, ...] = ()
    count: int | None = None
    of: str | None = None

    def as_json(self) -> dict[str, Any]:
        named = {name: getattr(self, name) for name in ("color", "noun", "place", "count", "of")}
        head: dict[str, Any] = {} if self.what == "thing" else {"what": self.what}
        given = {name: value for name, value in named.items() if value is not None}
        return head | given | ({"boxes": list(self.boxes)} if self.boxes else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Target":
        given = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        return cls(**{"what": "thing"} | given | {"boxes": tuple(data.get("boxes", ()))})


WHOLE = Target()
TOO_LONG = "This is too long to read. Split it into shorter requests."
MOST_EMOJI = 12  # of one step


class BadStep(ValueError):
    """A step as no operation declares it; the message is a sentence."""


@dataclass(frozen=True)
class Amount:
    """How much: -1 to 1, its sign the direction ("less warm" is negative), its size the strength. `number` is
    what the person gave, in its `unit`, and counts before the share: variations keep it."""

    share: float
    number: float | None = None
    unit: str = ""

    def measured(self, percent: Callable[[], float]) -> tuple[float, str]:
        """The number and its unit; where none was given, so many percent."""
        return (percent(), "percent") if self.number is None else (self.number, self.unit)


type Value = Amount | Target | str | float | bool


@dataclass(frozen=True)
class Step:
    """One line of a plan: an operation, what it is about, and those parameters that it declares and that are
    given, checked. Raises BadStep.

    `photo` is the supplied photo that it names. `words` are the first character and the one after the last,
    in the instruction. `says` is the step in plain words, for people.
    """

    operation: str
    target: Target = WHOLE
    values: Mapping[str, Value] = field(default_factory=dict)
    photo: int | None = None
    keep: tuple[Target, ...] = ()
    words: tuple[int, int] = (0, 0)
    says: str = ""

    def __post_init__(self) -> None:
        for name, value in self.values.items():
            _require_declared(self.declaration, name, value)
        for name, spec in self.declaration.fields.items():
            if spec.required and name not in self.values:
                raise BadStep(f"“{self.operation.replace('_', ' ')}” needs a {name}.")

    @property
    def declaration(self) -> Declaration:
        """What its operation says of itself."""
        return _declaration(self.operation)

    @property
    def kind(self) -> EditKind:
        return self.declaration.kind

    @property
    def amount(self) -> float | None:
        """How much, where that is a share."""
        found = self.values.get("amount")
        is_share = isinstance(found, Amount) and not (
            found.unit and self.declaration.fields["amount"].type == "length"
        )
        return found.share if isinstance(found, Amount) and is_share else None

    @property
    def color(self) -> str | None:
        return self._string("color")

    @property
    def place(self) -> str | None:
        return self._string("place")

    @property
    def text(self) -> str | None:
        return self._string("text")

    def _string(self, name: str) -> str | None:
        found = self.values.get(name)
        return found if isinstance(found, str) else None

    @property
    def how_much(self) -> Amount:
        """Its amount, where none is given that of its declaration."""
        found = self.parameters.get("amount")
        return found if isinstance(found, Amount) else Amount(0.0)

    def at(self, place: str | None) -> "Step":
        """The same at another place, or at none."""
        others = {name: value for name, value in self.values.items() if name != "place"}
        return replace(self, values=others | ({"place": place} if place else {}))

    @property
    def parameters(self) -> dict[str, Value | None]:
        """All that its operation declares, with the defaults of what is not given."""
        return {
            name: self.values.get(name, _value(declared, {name: declared.default}))
            for name, declared in self.declaration.fields.items()
        }

    @property
    def targets(self) -> tuple[Target, ...]:
        """All that the step names: what it changes, what it keeps, what it goes beside."""
        return (self.target, *self.keep, *(v for v in self.values.values() if isinstance(v, Target)))

    def as_json(self) -> dict[str, Any]:
        others = {name: value for name, value in self.values.items() if name not in ("amount", "color")}
        amount = self.values.get("amount")
        measure = {amount.unit: amount.number} if isinstance(amount, Amount) and amount.unit else {}
        return {
            "kind": self.kind.value,
            "operation": self.operation,
            "target": self.target.as_json(),
            "amount": self.amount,
            "color": self.color,
            **measure,
            **{name: v.as_json() if isinstance(v, Target) else v for name, v in others.items()},
            **({"photo": self.photo} if self.photo else {}),
            "keep": [target.as_json() for target in self.keep],
            "words": list(self.words),
            "says": self.says,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Step":
        """Back from `as_json`, and from its form before parameters had names of their own. Raises BadStep."""
        found = _declaration(data["operation"])
        given = _with_names(data, found)
        values = {name: _value(spec, given) for name, spec in found.fields.items()}
        return cls(
            operation=data["operation"],
            target=Target.from_json(data["target"]),
            values={name: value for name, value in values.items() if value is not None},
            photo=data.get("photo"),
            keep=tuple(Target.from_json(target) for target in data["keep"]),
            words=(data["words"][0], data["words"][1]),
            says=data["says"],
        )


def _declaration(operation: str) -> Declaration:
    found = declared(operation)
    if found is None:
        raise BadStep(f"There is no operation “{operation}”.")
    return found


def _require_declared(declaration: Declaration, name: str, value: Value) -> None:
    found = declaration.fields.get(name)
    types = {"amount": Amount, "length": Amount, "target": Target}
    plain: Any = value.share if isinstance(value, Amount) else {} if isinstance(value, Target) else value
    is_right = found is not None and isinstance(value, types.get(found.type, (str, float, int)))
    if found is None or not is_right or not found.accepts(plain):
        raise BadStep(f"“{declaration.name.replace('_', ' ')}” has no {name} “{plain}”.")


def _with_names(data: Mapping[str, Any], declaration: Declaration) -> Mapping[str, Any]:
    """The adapter for stored plans of the form before this one: there all operations shared one bag of
    `choice`, `text` and `exact` with its unit, and each field says which of them it `was`."""
    number, unit = data.get("exact") or (None, "")
    bag = {f"exact {unit}": number, "choice": data.get("choice"), "text": data.get("text")}
    named, read = dict(data) | {unit: number}, {"text"} & set(declaration.fields)
    for name, spec in declaration.fields.items():
        old = bag.get(spec.was)
        if old is not None and (old in spec.of if spec.type == "flag" else spec.accepts(old)):
            named[name] = True if spec.type == "flag" else old
            read.add(spec.was)
        read |= {f"exact {unit}" for unit in spec.units}
    lost = next((name for name, old in bag.items() if old is not None and name not in read), None)
    if lost is not None:
        raise BadStep(f"“{declaration.name.replace('_', ' ')}” has no {lost} “{bag[lost]}”.")
    return named


def _value(spec: Field, given: Mapping[str, Any]) -> Value | None:
    """One parameter out of plain values; None where it is not given."""
    plain = given.get(spec.name)
    if spec.type in ("amount", "length"):
        return _amount(spec, plain, given)
    if spec.type == "target" and plain is not None:
        return Target.from_json(plain)
    as_number = {"number": float, "count": int}.get(spec.type)
    return as_number(plain) if as_number and plain is not None else plain


def _amount(spec: Field, share: float | None, given: Mapping[str, Any]) -> Amount | None:
    """Where a number is a share, it says how much, and the share beside it only in which direction."""
    unit = next((unit for unit in spec.units if given.get(unit) is not None), "")
    if not unit:
        return None if share is None else Amount(max(-1.0, min(1.0, float(share))))
    number = float(given[unit])
    usual = float((spec.default if share is None else share) or 0.0)
    if spec.type == "length":
        return Amount(usual, number, unit)
    size = min(1.0, abs(number) / UNITS[unit])
    return Amount(-size if number < 0 or usual < 0 else size, number, unit)


@dataclass(frozen=True)
class Refusal:
    """Words of the instruction that will not be carried out, why, and what would help."""

    words: str
    reason: Reason
    hint: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"words": self.words, "reason": self.reason.value, "hint": self.hint}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Refusal":
        return cls(data["words"], Reason(data["reason"]), data["hint"])


@dataclass(frozen=True)
class Plan:
    """Ordered steps, and what was refused. `accepted` says whether it will be carried out: a plan with
    a refusal is refused whole, unless the person chose `partial` and something is left to do."""

    instruction: str
    steps: tuple[Step, ...] = ()
    not_understood: tuple[Refusal, ...] = field(default=())
    partial: bool = False
    message: str = ""  # one sentence for people: what was not understood and what would help
    instead: str = ""  # an instruction near to a refused one, which would be carried out

    @property
    def accepted(self) -> bool:
        return bool(self.steps) and (self.partial or not self.not_understood)

    @property
    def is_too_long(self) -> bool:
        """Whether the instruction was refused because it takes too much work to read."""
        return self.message == TOO_LONG

    @property
    def file_format(self) -> str | None:
        """One of options.OUTPUT_FORMATS where the words ask for it, which counts before the chosen one."""
        formats = (step.values.get("file_format") for step in reversed(self.steps))
        return next((str(chosen) for chosen in formats if chosen), None)

    @property
    def shaping(self) -> tuple[Step, ...]:
        """The steps that say a shape or a size of their own. A chosen shape counts after them."""
        types = {"ratio", "size", "paper"}
        return tuple(
            step
            for step in self.steps
            if any(step.declaration.fields[name].type in types for name in step.values)
        )

    def as_json(self) -> dict[str, Any]:
        """The plan in the form that `explain` prints and the edit's row keeps."""
        return {
            "instruction": self.instruction,
            "accepted": self.accepted,
            "steps": [step.as_json() for step in self.steps],
            "not_understood": [refusal.as_json() for refusal in self.not_understood],
            "message": self.message,
            **({"instead": self.instead} if self.instead else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], *, partial: bool = False) -> "Plan":
        """Back from `as_json`. Raises BadStep."""
        return cls(
            instruction=data["instruction"],
            steps=tuple(Step.from_json(step) for step in data["steps"]),
            not_understood=tuple(Refusal.from_json(refusal) for refusal in data["not_understood"]),
            partial=partial,
            message=data["message"],
            instead=data.get("instead", ""),
        )
