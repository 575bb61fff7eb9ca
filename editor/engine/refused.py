"""What pixels say no with. Light on purpose: the parent of the sandbox imports it too."""

from collections.abc import Iterable

from editor.engine.plan import Reason, Refusal
from editor.imaging.errors import JobError

MARK_IT = "Mark it with a box."
MARK_THE_SUBJECT = "Mark the subject with a box."


class Unable(Exception):
    """An operation cannot do its step on this photo. `sentence` says why, `hint` what would help."""

    def __init__(self, reason: Reason, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
        self.hint = hint


class Refused(JobError):
    """A plan is not carried out on these photos; `message` is for people."""

    @classmethod
    def of(cls, message: str, refusals: Iterable[Refusal]) -> "Refused":
        return cls(message, {"not_understood": [refusal.as_json() for refusal in refusals]})

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """The words that were refused, as in a plan's `not_understood`."""
        return tuple(Refusal.from_json(data) for data in self.details.get("not_understood", ()))
