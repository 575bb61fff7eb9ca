"""The plan, which the language produces and the pixel functions carry out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from editor.engine.catalog import Declaration, Field, find_declaration, share_of
from editor.options import EditKind
from editor.sentences import EMPTY, Sentence, from_json_data, to_json_data

# Key of the template and values of a sentence, beside its English text.
_TEMPLATE = "said"


class Reason(StrEnum):
    """The reason why part of an instruction is refused."""

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
    """The part of the photo that a step changes.

    `what` is one of "whole", "subject", "background", "region", "text", "face", "place" (a side, a corner, or
    the edges of the photo, softly blended), or "thing", which `color` and `noun` describe. `boxes` are the
    numbers of a region's boxes, counting from 1. `count` is the number of things that the target refers to,
    or None for all of them; 1 means that the photo must contain only one such thing. `of` is the owner of a
    part: the man in "the man's hat".

    If the user selected a thing by clicking it, the last box surrounds that thing. `selected` is then the
    detector's name for the thing, or "" if the detector does not know it.

    `unchecked` holds the user's words that describe the thing but that the engine cannot check, such as
    "with the umbrella". They select nothing, so they do not matter when targets are compared.
    """

    what: str = "whole"
    color: str | None = None
    noun: str | None = None
    place: str | None = None
    boxes: tuple[int, ...] = ()
    count: int | None = None
    of: str | None = None
    selected: str | None = None
    unchecked: str | None = field(default=None, compare=False)

    def as_json(self) -> dict[str, Any]:
        names = ("color", "noun", "place", "count", "of", "selected", "unchecked")
        named = {name: getattr(self, name) for name in names}
        head: dict[str, Any] = {} if self.what == "thing" else {"what": self.what}
        given = {name: value for name, value in named.items() if value is not None}
        return head | given | ({"boxes": list(self.boxes)} if self.boxes else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Target":
        given = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        return cls(**{"what": "thing"} | given | {"boxes": tuple(data.get("boxes", ()))})


WHOLE = Target()
TOO_LONG = Sentence("This prompt is too long to read. Split it into shorter prompts.")
MAX_EMOJI = 12  # maximum number of emoji in one step
# Maximum number of ways to continue that are offered together.
MAX_WAYS = 3
# The share of the full change if the words do not state an amount. Its effect is neither small nor large.
DEFAULT_AMOUNT = 0.35


class BadStep(ValueError):
    """Raised when a step does not match the declaration of its operation; `sentence` says why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True)
class Amount:
    """The strength of a change, from -1 to 1; a negative share reverses the direction ("less warm").

    `number` is an exact value given by the user, in `unit`. It takes precedence over the share, and
    variations do not scale it.
    """

    share: float
    number: float | None = None
    unit: str = ""

    def measured(self, percent: Callable[[], float]) -> tuple[float, str]:
        """Return the user's number and its unit or, if there is no number, the result of `percent`."""
        return (percent(), "percent") if self.number is None else (self.number, self.unit)


type Value = Amount | Target | str | float | bool


@dataclass(frozen=True)
class Step:
    """One line of a plan: an operation, its target, and the values of its declared parameters.

    `photo` is the number of the supplied photo that the step uses. `words` holds the start and end offsets of
    the step in the instruction; the end is exclusive. `says` is a user-readable description of the step.
    Raises BadStep if the values do not match the declaration of the operation.
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
                operation, lacking = self.operation.replace("_", " "), name.replace("_", " ")
                raise BadStep(
                    Sentence(
                        "“%(operation)s” needs a value for “%(field)s”.", operation=operation, field=lacking
                    )
                )

    @property
    def declaration(self) -> Declaration:
        """The declaration of the step's operation."""
        return declaration_of(self.operation)

    @property
    def kind(self) -> EditKind:
        return self.declaration.kind

    @property
    def amount(self) -> float | None:
        """The share of the amount, or None if the amount is not given or is a length in a unit."""
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
    def amount_or_default(self) -> Amount:
        """The step's amount, or the operation's default amount if none is given."""
        found = self.parameters.get("amount")
        return found if isinstance(found, Amount) else Amount(0.0)

    def at(self, place: str | None) -> "Step":
        """Return the same step with a different place, or with no place."""
        others = {name: value for name, value in self.values.items() if name != "place"}
        return replace(self, values=others | ({"place": place} if place else {}))

    def undoes(self, other: "Step") -> bool:
        """Return whether this step and another one undo each other, as brightening and darkening do."""
        if self.operation == other.operation:
            return (self.amount or 0.0) * (other.amount or 0.0) < 0
        return self.operation == other.declaration.opposite or other.operation == self.declaration.opposite

    @property
    def parameters(self) -> dict[str, Value | None]:
        """All declared parameters, with defaults for those that are not given."""
        return {
            name: self.values.get(name, _value(declared, {name: declared.default}))
            for name, declared in self.declaration.fields.items()
        }

    @property
    def targets(self) -> tuple[Target, ...]:
        """All targets that the step names: those to change, to keep, and to place something next to."""
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
        """Read a step from the result of `as_json` or from the older format of stored plans.

        Raises BadStep if the values do not match the declaration of the operation.
        """
        found = declaration_of(data["operation"])
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


def declaration_of(operation: str) -> Declaration:
    """Return the declaration of an operation. Raises BadStep if there is no such operation."""
    found = find_declaration(operation)
    if found is None:
        raise BadStep(Sentence("There is no operation “%(operation)s”.", operation=operation))
    return found


def _not_accepted(declaration: Declaration, name: str, value: object) -> BadStep:
    operation = declaration.name.replace("_", " ")
    return BadStep(
        Sentence(
            "“%(operation)s” doesn't accept “%(value)s” for “%(field)s”.",
            operation=operation,
            value=str(value),
            field=name.replace("_", " "),
        )
    )


def _require_declared(declaration: Declaration, name: str, value: Value) -> None:
    found = declaration.fields.get(name)
    types = {"amount": Amount, "length": Amount, "target": Target}
    plain: Any = value.share if isinstance(value, Amount) else {} if isinstance(value, Target) else value
    is_right = found is not None and isinstance(value, types.get(found.type, (str, float, int)))
    if found is None or not is_right or not found.accepts(plain):
        raise _not_accepted(declaration, name, plain)


def _with_names(data: Mapping[str, Any], declaration: Declaration) -> Mapping[str, Any]:
    """Convert a stored step from the older format to the current one.

    In the older format, all operations shared the keys `choice`, `text`, and `exact` (a number with its
    unit). Each field's `was` attribute names the old key. Raises BadStep if an old value fits no field.
    """
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
        raise _not_accepted(declaration, lost, bag[lost])
    return named


def _value(spec: Field, given: Mapping[str, Any]) -> Value | None:
    """Read one parameter from plain values, or return None if the parameter is not given."""
    plain = given.get(spec.name)
    if spec.type in ("amount", "length"):
        return _amount(spec, plain, given)
    if spec.type == "target" and plain is not None:
        return Target.from_json(plain)
    as_number = {"number": float, "count": int}.get(spec.type)
    return as_number(plain) if as_number and plain is not None else plain


def _amount(spec: Field, share: float | None, given: Mapping[str, Any]) -> Amount | None:
    """Return the amount.

    If a number is given in a unit that can be converted to a share, the number sets the strength, and a
    separate share sets only the direction.
    """
    unit = next((unit for unit in spec.units if given.get(unit) is not None), "")
    if not unit:
        return None if share is None else Amount(max(-1.0, min(1.0, float(share))))
    number = float(given[unit])
    usual = float((spec.default if share is None else share) or 0.0)
    if spec.type == "length":
        return Amount(usual, number, unit)
    size = share_of(number, unit)
    return Amount(-size if number < 0 or usual < 0 else size, number, unit)


def _template_of(sentence: Sentence) -> dict[str, Any]:
    """Return what a stored sentence needs in addition to its English text in order to be translated."""
    data = to_json_data(sentence)
    return {_TEMPLATE: data} if isinstance(data, dict) else {}


def without_templates(data: Any) -> Any:
    """Return the JSON data of a plan for people, whose sentences are only in English."""
    if isinstance(data, list):
        return [without_templates(part) for part in data]
    if not isinstance(data, dict):
        return data
    return {name: without_templates(part) for name, part in data.items() if name != _TEMPLATE}


def _sentence(data: Mapping[str, Any], name: str) -> Sentence:
    return from_json_data(data.get(_TEMPLATE) or data[name])


class WayKind(StrEnum):
    """The actions that a user can take after a refusal."""

    BOX = "box"  # draw a box
    POINT = "point"  # select something by a click, which the site offers instead of a box around a thing
    SENTENCE = "sentence"  # send another instruction
    REST = "rest"  # let the engine carry out only the part that it understands
    ENGINE = "engine"  # let another engine carry out the instruction


@dataclass(frozen=True)
class Way:
    """A way to continue after a refusal.

    `text` is the instruction to send, with a box, as a partial edit, or to another engine. In the last case,
    `engine` is its name and `price` the price there in credits; such ways are not stored.
    """

    kind: WayKind
    text: str
    engine: str = ""
    price: int = 0

    def as_json(self) -> dict[str, Any]:
        other = {"engine": self.engine, "price": self.price} if self.kind is WayKind.ENGINE else {}
        return {"kind": self.kind.value, "text": self.text} | other

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Way":
        return cls(WayKind(data["kind"]), data["text"])


@dataclass(frozen=True)
class Refusal:
    """A part of the instruction that will not be carried out, with the reason and a hint.

    `box_helps` is true if no box is drawn but these words could be carried out with one. `ways` are the ways
    to continue, best first. `nearest` are similar words that may be accepted instead; they are checked before
    they become ways, and they are not stored.
    """

    words: str
    reason: Reason
    hint: Sentence = EMPTY
    box_helps: bool = False
    ways: tuple[Way, ...] = ()
    nearest: tuple[str, ...] = ()

    @property
    def needs_place(self) -> bool:
        """Whether a box would say where to put something, so that a click on a thing cannot replace it."""
        # The English words decide this, so tests/engine/test_hints.py lists all hints with these words.
        return "should go" in self.hint

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"words": self.words, "reason": self.reason.value, "hint": self.hint}
        data |= _template_of(self.hint)
        data |= {"box_helps": True} if self.box_helps else {}
        return data | ({"ways": [way.as_json() for way in self.ways]} if self.ways else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Refusal":
        ways = tuple(map(Way.from_json, data.get("ways", ())))
        hint = _sentence(data, "hint")
        return cls(data["words"], Reason(data["reason"]), hint, data.get("box_helps", False), ways)


def ways_of(refusals: Iterable[Refusal]) -> tuple[Way, ...]:
    """Return the ways to continue that the refusals list, without duplicates."""
    return tuple(dict.fromkeys(way for refusal in refusals for way in refusal.ways))


@dataclass(frozen=True)
class Plan:
    """The steps in order, and the refused parts of the instruction.

    A plan with a refusal is refused as a whole, unless the user chose `partial` and at least one step
    remains.
    """

    instruction: str
    steps: tuple[Step, ...] = ()
    not_understood: tuple[Refusal, ...] = field(default=())
    partial: bool = False
    message: Sentence = EMPTY  # a message for people: what was not understood and what would help

    @property
    def accepted(self) -> bool:
        return bool(self.steps) and (self.partial or not self.not_understood)

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways to continue that the refusals list, without duplicates."""
        return ways_of(self.not_understood)

    @property
    def is_too_long(self) -> bool:
        """Whether the instruction was refused because reading it would take too much work."""
        return self.message == TOO_LONG

    @property
    def uses_other_photos(self) -> bool:
        """Whether any step uses a photo other than photo 1."""
        return any(step.photo or step.declaration.finds == "photos" for step in self.steps)

    @property
    def file_format(self) -> str | None:
        """The file format from options.OUTPUT_FORMATS that the instruction asks for.

        This format overrides the format chosen in the options. If the instruction limits the size of the file
        without naming a format, the format is JPEG, or WebP if the result is transparent.
        """
        formats = (step.values.get("file_format") for step in reversed(self.steps))
        is_transparent = any(step.declaration.ground == "none" for step in self.steps)
        small = "webp" if is_transparent else "jpeg"
        return next((str(chosen) for chosen in formats if chosen), small if self.most_bytes else None)

    @property
    def most_bytes(self) -> int | None:
        """The maximum file size, in bytes, that the instruction asks for, or None if it sets no maximum."""
        amounts = (step.values.get("amount") for step in self.steps)
        sizes = [one.number or 0 for one in amounts if isinstance(one, Amount) and one.unit == "kilobytes"]
        return round(1000 * min(sizes)) if sizes else None

    @property
    def shaping(self) -> tuple[Step, ...]:
        """The steps that set a shape or a size.

        A shape chosen in the options is applied after these steps.
        """
        types = {"ratio", "size", "paper"}
        return tuple(
            step
            for step in self.steps
            if any(step.declaration.fields[name].type in types for name in step.values)
        )

    def as_json(self) -> dict[str, Any]:
        """Return the plan in the form that `explain` prints and that is stored with the edit."""
        return {
            "instruction": self.instruction,
            "accepted": self.accepted,
            "steps": [step.as_json() for step in self.steps],
            "not_understood": [refusal.as_json() for refusal in self.not_understood],
            "message": self.message,
            **_template_of(self.message),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], *, partial: bool = False) -> "Plan":
        """Read a plan from the result of `as_json`.

        Raises BadStep if a step does not match its declaration.
        """
        return cls(
            instruction=data["instruction"],
            steps=tuple(Step.from_json(step) for step in data["steps"]),
            not_understood=tuple(Refusal.from_json(refusal) for refusal in data["not_understood"]),
            partial=partial,
            message=_sentence(data, "message"),
        )
