"""Errors for impossible edits.

This module must not import OpenCV, because the sandbox's parent process imports this module.
"""

from collections.abc import Iterable

from editor.engine.plan import Reason, Refusal, Way, ways_of
from editor.imaging.errors import JobError

MARK_IT = "Draw a box around it."
MARK_THE_PLACE = "Draw a box where it should go."
MARK_THE_SUBJECT = "Draw a box around the subject."


class OperationError(Exception):
    """Raised when an operation cannot carry out its step on this photo.

    `sentence` says why, and `hint` says what would help.
    """

    def __init__(self, reason: Reason, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
        self.hint = hint

    @property
    def asks_for_box(self) -> bool:
        """Whether it would help to draw a box, or a better box."""
        return " box" in self.hint


class PlanRefused(JobError):
    """Raised when a plan cannot be carried out on these photos; `message` is shown to the user."""

    @classmethod
    def of(cls, message: str, refusals: Iterable[Refusal]) -> "PlanRefused":
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
