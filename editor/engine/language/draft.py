"""The plan while the parts of a sentence are turned into steps."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from editor.engine.language.box_use import BoxUse
from editor.engine.language.sentence_parts import InterpretationError, SentencePart, UserInput
from editor.engine.plan import Reason, Refusal, Step, Target
from editor.sentences import Sentence


@dataclass
class Draft:
    """The steps assembled so far, along with the refusals."""

    user_input: UserInput
    steps: list[Step] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    # Targets to keep that are named before the first wish.
    targets_to_keep: list[Target] = field(default_factory=list)
    box_use: BoxUse = field(default_factory=BoxUse)
    # Operations requested by complaints such as "too dark".
    complaint_operations: set[str | None] = field(default_factory=set)
    general_wish: tuple[int, int] = (0, 0)  # offsets of the last wish if it is like "fix this photo"
    # Whether a turn was only implied by a fault, as in "it is crooked".
    has_fault_turn: bool = False
    has_fault: bool = False  # whether a wish only named a fault, such as "there are scratches"
    remark: SentencePart | None = None  # a remark about a thing, right before the next wish
    is_remark_used: bool = False  # whether "it" in this wish means the thing of the remark
    # What the next wish is for, as in "make the dog stand out by blurring the rest".
    aim: SentencePart | None = None
    is_limited: bool = False  # whether the last part names what a change leaves as it is
    context: str = ""  # context that the user states about the photo, such as "night"

    def refuse(
        self, words: tuple[int, int], reason: Reason, hint: Sentence, nearest: Sequence[str] = ()
    ) -> None:
        """Record a refusal of the words between these offsets.

        `nearest` are similar words that may be accepted.
        """
        # Other modules look for refused words by comparing them, and the words of a part end in no comma.
        quote = self.user_input.text_of(words).strip(" ,")
        self.refusals.append(Refusal(quote, reason, hint, nearest=tuple(nearest)))

    def refuse_interpretation(
        self, words: tuple[int, int], error: InterpretationError, nearest: Sequence[str] = ()
    ) -> None:
        """Record a refusal of the words between these offsets for the reason that the error gives."""
        quote = self.user_input.text_of(words)
        self.refuse(words, error.reason, error.hint, (*nearest, *error.nearest(quote)))

    def refuse_with_last_wish(self, words: tuple[int, int], hint: Sentence) -> None:
        """Refuse the words of a part along with the wish before it, whose steps are removed."""
        start, end = words
        if self.steps:
            start = self.steps[-1].words[0]
            self.steps = [step for step in self.steps if step.words[0] < start]
        self.refuse((start, end), Reason.AMBIGUOUS, hint)
