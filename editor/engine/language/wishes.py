"""A wish as the grammar reads it: one bag of values for all operations. A plan's Step names each of them."""

from dataclasses import dataclass

from editor.engine.catalog import declared
from editor.engine.plan import WHOLE, Kind, Step, Target


@dataclass(frozen=True)
class Wish:
    """What becomes one line of a plan.

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

    @property
    def ground(self) -> str:
        """What it leaves behind the subject, as its operation declares."""
        found = declared(self.operation)
        return found.ground if found else ""

    @property
    def step(self) -> Step:
        """The same with typed parameters, checked. Raises BadStep."""
        named = {
            "target": self.target.as_json(),
            "beside": self.beside and self.beside.as_json(),
            "keep": [target.as_json() for target in self.keep],
        }
        return Step.from_json(vars(self) | named)
