"""The plan: what the language says and the pixels carry out. Everything that the two share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The five kinds of edit that the interface names."""

    COLOR = "color"
    ADD = "add"
    BACKGROUND = "background"
    COMPOSITION = "composition"
    REMOVE = "remove"


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
        return cls(
            what=data.get("what", "thing"),
            color=data.get("color"),
            noun=data.get("noun"),
            place=data.get("place"),
            boxes=tuple(data.get("boxes", ())),
            count=data.get("count"),
            of=data.get("of"),
        )


WHOLE = Target()
MOST_EMOJI = 12  # of one step


@dataclass(frozen=True)
class Step:
    """One line of a plan.

    `amount` runs from -1 to 1: its sign is the direction ("less warm" is negative), its size the
    strength. `exact` is a number that the person gave, with its unit: (90, "degrees"), (20, "percent").
    `words` are the first character and the one after the last, in the instruction.
    `says` is the step in plain words, for people.
    """

    kind: Kind
    operation: str
    target: Target = WHOLE
    amount: float | None = None
    exact: tuple[float, str] | None = None
    color: str | None = None
    place: str | None = None
    text: str | None = None
    photo: int | None = None
    choice: str | None = None  # a variant of the operation: "horizontal", "16:9", "left"
    beside: Target | None = None  # what the place is told by: "to the left of the chair"
    keep: tuple[Target, ...] = ()
    words: tuple[int, int] = (0, 0)
    says: str = ""

    @property
    def targets(self) -> tuple[Target, ...]:
        """All that the step names: what it changes, what it keeps, what it goes beside."""
        return (self.target, *self.keep, *((self.beside,) if self.beside else ()))

    def as_json(self) -> dict[str, Any]:
        optional = {
            "exact": list(self.exact) if self.exact else None,
            "place": self.place,
            "text": self.text,
            "photo": self.photo,
            "choice": self.choice,
            "beside": self.beside.as_json() if self.beside else None,
        }
        return {
            "kind": self.kind.value,
            "operation": self.operation,
            "target": self.target.as_json(),
            "amount": self.amount,
            "color": self.color,
            **{name: value for name, value in optional.items() if value is not None},
            "keep": [target.as_json() for target in self.keep],
            "words": list(self.words),
            "says": self.says,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Step":
        exact = data.get("exact")
        return cls(
            kind=Kind(data["kind"]),
            operation=data["operation"],
            target=Target.from_json(data["target"]),
            amount=data["amount"],
            exact=(float(exact[0]), str(exact[1])) if exact else None,
            color=data["color"],
            place=data.get("place"),
            text=data.get("text"),
            photo=data.get("photo"),
            choice=data.get("choice"),
            beside=Target.from_json(data["beside"]) if data.get("beside") else None,
            keep=tuple(Target.from_json(target) for target in data["keep"]),
            words=(data["words"][0], data["words"][1]),
            says=data["says"],
        )


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
    def file_format(self) -> str | None:
        """One of options.OUTPUT_FORMATS where the words ask for it, which counts before the chosen one."""
        told = (step.choice for step in reversed(self.steps) if step.operation == "file_format")
        return next(told, None)

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
        """Back from `as_json`."""
        return cls(
            instruction=data["instruction"],
            steps=tuple(Step.from_json(step) for step in data["steps"]),
            not_understood=tuple(Refusal.from_json(refusal) for refusal in data["not_understood"]),
            partial=partial,
            message=data["message"],
            instead=data.get("instead", ""),
        )
