"""Refuses wishes whose meaning depends on a clause that is not understood.

Such a wish mends a fault, as in "…, fix it", or describes what the clause before it names, as in "…, not
dull", or gives “it” a color, or is about a text that follows. Otherwise, it would change the whole photo or
the box.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from editor.engine.catalog import Scope
from editor.engine.language.assembly import NO_FAULT, WHICH
from editor.engine.language.chart import QUOTES
from editor.engine.language.coverage import EXACT
from editor.engine.language.lexicon import Lexicon
from editor.engine.language.sentence_parts import (
    OTHER_WORDS,
    Clause,
    SentencePart,
    UserInput,
    as_list,
    changes_of,
    is_about,
)
from editor.engine.plan import WHOLE, Reason, Refusal, Step
from editor.options import EditKind
from editor.sentences import Sentence

_NO_OWNER = Sentence("Say which part should be like this, for example “make the photo darker”.")
_NO_TEXT = Sentence("Say in one sentence what to write and how, for example: add the text “Summer” in white.")
# Roles of words that describe what a clause before them names, as in "the fence should be blue, not dull".
_STATES = frozenset({"adjective", "comparative", "flawed", "tinted"})
_COMPARING = frozenset({"more", "less", "too"})  # roles that make a color a state, as in "more brown"
_LAID_OVER = frozenset({"overlay", "lettering"})  # stages of operations that leave the photo below unchanged


@dataclass
class _Before:
    """What is known about the clauses before a clause.

    `any_lost` is true if one of them is not understood. `lost` is true if the last one is not understood, and
    `is_local` if it only changes a part. `story` contains the offsets of the last words that tell something.
    """

    any_lost: bool = False
    lost: bool = False
    is_local: bool = False
    story: tuple[int, int] = (0, 0)

    def add(self, clause: Clause, own: Sequence[Step], known: Sequence[Refusal], scene: UserInput) -> None:
        """Add a clause with its own steps."""
        if any(clause.story):
            self.story = clause.story
        if clause.start >= 0:
            text = scene.instruction[clause.start : clause.end].strip()
            self.lost = bool(clause.unread) or any(is_about(one.words, text) for one in known)
            self.is_local = bool(own) and all(map(_is_local, own))
            self.any_lost |= self.lost


def refusals(
    clauses: Sequence[Clause],
    steps: Sequence[Step],
    known: Sequence[Refusal],
    scene: UserInput,
    lexicon: Lexicon,
) -> Iterator[Refusal]:
    """Yield a refusal for each wish that depends on a clause that is not understood.

    `steps` are the steps of the wishes, and `known` are the refusals of other words.
    """
    before = _Before()
    has_text = any(one.unread and all(word[0] in QUOTES for word in one.unread) for one in clauses)
    refused = {refusal.words for refusal in known}
    for clause in clauses:
        spans = {part.words for part in clause.parts}
        own = [step for step in steps if step.words in spans]
        for part in clause.parts:
            words = scene.instruction[slice(*part.words)].strip()
            if part.role != "wish" or words in refused:
                continue
            made = [step for step in own if step.words == part.words]
            if made and part.value.get("mends"):
                yield from _refusals_to_mend(part, words, before, scene)
            elif made and has_text and _is_of_this(part, "this"):
                yield Refusal(words, Reason.AMBIGUOUS, _NO_TEXT)
            elif before.lost and _has_no_antecedent(part, words, made, clause, scene):
                yield Refusal(words, Reason.AMBIGUOUS, WHICH)
            elif _is_whole(part, made) and _describes(part, words, clause.link, before, lexicon):
                yield Refusal(words, Reason.AMBIGUOUS, _NO_OWNER)
        before.add(clause, own, known, scene)


def _refusals_to_mend(part: SentencePart, words: str, before: _Before, scene: UserInput) -> Iterator[Refusal]:
    """Yield refusals if a wish mends a fault that is not understood, or that a story may tell."""
    tells_fault = not before.any_lost and _tells_fault(before.story, part, scene)
    if before.any_lost or tells_fault:
        yield Refusal(words, Reason.AMBIGUOUS, NO_FAULT)
    if tells_fault:
        yield Refusal(scene.instruction[slice(*before.story)], Reason.AMBIGUOUS, OTHER_WORDS)


def _tells_fault(story: tuple[int, int], part: SentencePart, scene: UserInput) -> bool:
    """Return whether a story in the same sentence may tell the fault, as in "the walls look odd, fix it"."""
    between = scene.instruction[story[1] : part.words[0]]
    return any(story) and not re.search(r"[.!?\n]", between)


def _is_local(step: Step) -> bool:
    """Return whether a step changes the light or color of a part, or only lays something over the photo."""
    is_of_face = step.target.what == "face"
    is_of_part = step.kind in (EditKind.COLOR, EditKind.BACKGROUND) and step.target != WHOLE
    return is_of_face or is_of_part or step.declaration.stage in _LAID_OVER


def _is_of_this(part: SentencePart, pronoun: str) -> bool:
    """Return whether a wish is about this pronoun, as in "put this in white: “Sale”"."""
    named = as_list(part.value.get("target"))
    return any(isinstance(one, dict) and one.get("what") == pronoun for one in named)


def _is_whole_color(step: Step) -> bool:
    """Return whether a step gives the whole photo a color, as "make it red" does without an antecedent."""
    return step.target == WHOLE and bool(step.color)


def _has_no_antecedent(
    part: SentencePart, words: str, made: Sequence[Step], clause: Clause, scene: UserInput
) -> bool:
    """Return whether a wish may be about something that the clause before it names: "the sign…, flip it".

    `words` are the words of the wish.
    """
    is_colored = _is_of_this(part, "it") and any(map(_is_whole_color, made))
    is_of_it = bool(clause.link) and not scene.names_photo and "it" in words.lower().split()
    return is_colored or (is_of_it and any(map(_turns_photo, made)))


def _turns_photo(step: Step) -> bool:
    """Return whether a step turns the whole photo or changes its size."""
    is_shape = step.declaration.scope is Scope.WHOLE and step.kind is EditKind.COMPOSITION
    return is_shape and step.target == WHOLE


def _is_whole(part: SentencePart, made: Sequence[Step]) -> bool:
    """Return whether the steps of a wish change the whole photo, although the wish names no target."""
    named = any(change.get("target") for change in (part.value, *changes_of(part.value)))
    return not named and any(step.target == WHOLE for step in made)


def _describes(part: SentencePart, words: str, link: str, before: _Before, lexicon: Lexicon) -> bool:
    """Return whether a wish without a verb describes what the clause before it names.

    `words` are the words of the wish.
    """
    roles = {leaf.role for leaf in part.edge.leaves}
    is_description = words.split(maxsplit=1)[0].lower() in lexicon.participles
    is_request = not is_description and not roles.isdisjoint(lexicon.inflected)
    may_describe = before.lost or (before.is_local and link != "and")
    if not link or not may_describe or is_request or not roles.isdisjoint(EXACT):
        return False
    if link == "with" or is_description or (before.lost and "color" in roles):
        return True
    is_less = "less" in roles and any(
        "adjective" in lexicon.senses.get(word, ()) for word in words.lower().split()
    )
    is_more_colored = "color" in roles and not roles.isdisjoint(_COMPARING)
    return is_less or is_more_colored or not roles.isdisjoint(_STATES)
