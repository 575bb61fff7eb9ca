"""Errors for impossible edits.

This module must not import OpenCV, because the sandbox's parent process imports this module.
"""

from collections.abc import Iterable

from editor.engine.plan import Reason, Refusal, Way, ways_of
from editor.imaging.errors import JobError
from editor.sentences import EMPTY, Sentence

MARK_IT = Sentence("Draw a box around it.")
MARK_THE_PLACE = Sentence("Draw a box where it should go.")
MARK_THE_SUBJECT = Sentence("Draw a box around the subject.")


# The names of places as sentences, so that they can be translated.
PLACES = {
    str(name): name
    for name in (
        Sentence("left"),
        Sentence("right"),
        Sentence("top"),
        Sentence("bottom"),
        Sentence("center"),
        Sentence("top left"),
        Sentence("top right"),
        Sentence("bottom left"),
        Sentence("bottom right"),
    )
}


def name_of_place(place: str | None) -> str:
    """Return the name of a place as a sentence that can be translated, or unchanged if it is unknown."""
    return PLACES.get(place or "", place or "")


def mark(noun: str | None) -> Sentence:
    """Return the hint to draw a box around the thing with this name."""
    return Sentence("Draw a box around the %(noun)s.", noun=noun) if noun else MARK_IT


def click_or_mark(noun: str, *, is_plural: bool) -> Sentence:
    """Return the hint to click the thing with this name or to draw a box around it."""
    if is_plural:
        return Sentence("Click the %(noun)s in the photo, or draw a box around them.", noun=noun)
    return Sentence("Click the %(noun)s in the photo, or draw a box around it.", noun=noun)


def name_or_it(noun: str | None) -> Sentence:
    """Return the name of a thing with its article, or "it" if it has no name."""
    return Sentence("the %(noun)s", noun=noun) if noun else Sentence("it")


class OperationError(Exception):
    """Raised when an operation cannot carry out its step on this photo.

    `sentence` says why, and `hint` says what would help.
    """

    def __init__(self, reason: Reason, sentence: Sentence, hint: Sentence = EMPTY) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
        self.hint = hint

    @property
    def asks_for_box(self) -> bool:
        """Whether it would help to draw a box, or a better box."""
        # The English words decide this, so tests/engine/test_hints.py lists all sentences about boxes.
        return " box" in self.hint


class PlanRefused(JobError):
    """Raised when a plan cannot be carried out on these photos; `message` is shown to the user."""

    @classmethod
    def of(cls, message: Sentence, refusals: Iterable[Refusal]) -> "PlanRefused":
        """Return an error that has this message and these refusals."""
        return cls(message, {"not_understood": [refusal.as_json() for refusal in refusals]})

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """The refused parts of the instruction, in the same form as a plan's `not_understood`."""
        return tuple(Refusal.from_json(data) for data in self.details.get("not_understood", ()))

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways to continue that the refusals list, without duplicates."""
        return ways_of(self.refusals)
