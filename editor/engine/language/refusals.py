"""Why a clause is refused, and what the person can do about it."""

from collections.abc import Sequence

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Unavailable
from editor.engine.language.phrases import (
    Phrase,
)
from editor.engine.plan import Reason, Refusal


def not_understood(phrase: Phrase) -> Refusal:
    meant = next((atom.senses[Role.UNAVAILABLE] for atom in phrase.core if atom.has(Role.UNAVAILABLE)), None)
    if isinstance(meant, Unavailable):
        return phrase.refused(meant.reason, meant.hint)
    unknown = [atom for atom in phrase.core if atom.is_unknown and atom.kind != "comma"]
    if unknown:
        return _unknown_words(phrase, unknown)
    return phrase.refused(*_explained(phrase))


def _unknown_words(phrase: Phrase, unknown: Sequence[Atom]) -> Refusal:
    atom = unknown[0]
    word = phrase.scene.instruction[atom.start : atom.end]
    return phrase.refused(Reason.UNKNOWN_WORD, f"The word “{word}” is not known here. Say it in other words.")


def _explained(phrase: Phrase) -> tuple[Reason, str]:
    has = {role for atom in phrase.core for role in atom.senses}
    for roles, reason, hint in _EXPLANATIONS:
        if roles <= has:
            return reason, hint
    return Reason.AMBIGUOUS, "Say it as one simple wish, for example: make the photo brighter."


_NOT_DRAWN = (
    "New things cannot be drawn by this engine. Attach a photo of it and say where it goes, or ask for an "
    "emoji of it."
)
_RATHER = "Say what is to change rather than what is not."
_EXPLANATIONS: tuple[tuple[set[Role], Reason, str], ...] = (
    ({Role.NOT}, Reason.AMBIGUOUS, _RATHER),
    ({Role.NO}, Reason.AMBIGUOUS, _RATHER),
    (
        {Role.ADD, Role.TEXT},
        Reason.AMBIGUOUS,
        'Put the text in quotes, as in: add the text "Summer" at the bottom.',
    ),
    (
        {Role.CHANGE, Role.QUOTED},
        Reason.AMBIGUOUS,
        'Say it as in: change the text "Lunch" to "Dinner".',
    ),
    ({Role.ADD, Role.NOUN}, Reason.NEEDS_GENERATION, _NOT_DRAWN),
    ({Role.ADD, Role.SCENE}, Reason.NEEDS_GENERATION, _NOT_DRAWN),
    ({Role.REPLACE}, Reason.NEEDS_GENERATION, "One thing cannot be turned into another by this engine."),
    ({Role.DEFECT}, Reason.LOW_CONFIDENCE, "This cannot be done by the engine yet."),
    (
        {Role.CROP, Role.MEASURE, Role.PLACE},
        Reason.AMBIGUOUS,
        "Say each side in a sentence of its own, for example: crop 10% off the top.",
    ),
    (
        {Role.LOWER, Role.QUALITY, Role.MEASURE},
        Reason.AMBIGUOUS,
        "Say by how much, for example: reduce the brightness by 20%.",
    ),
    (
        {Role.RAISE, Role.QUALITY, Role.MEASURE},
        Reason.AMBIGUOUS,
        "Say by how much, for example: increase the contrast by 20%.",
    ),
    ({Role.QUOTED}, Reason.AMBIGUOUS, 'Say where each text goes, for example: add "Summer" at the top.'),
    ({Role.RESIZE}, Reason.AMBIGUOUS, "Say the size, for example: resize to 50% or resize to 1200x800."),
)
