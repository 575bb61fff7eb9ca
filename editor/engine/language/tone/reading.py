"""Clauses of qualities: "a bit brighter and much less yellow, behind me"."""

from collections.abc import Callable, Sequence

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.tone.amounts import take_amount
from editor.engine.language.tone.colors import (
    settle_colors,
    take_cast,
    take_color,
    take_colors,
    take_effect,
    take_vague,
)
from editor.engine.language.tone.directions import take_down, take_mark, take_not, take_verb
from editor.engine.language.tone.lights import settle_lights
from editor.engine.language.tone.listing import one_by_one
from editor.engine.language.tone.qualities import take_quality
from editor.engine.language.tone.steps import is_nominal, tonal_steps
from editor.engine.language.tone.walk import UNMARKED, Walk
from editor.engine.plan import Reason, Refusal


def toned(phrase: Phrase, unmarked: float = UNMARKED) -> Answer | None:
    """Steps for the qualities that a clause moves; None when a word of it is left over."""
    answer = _toned(phrase, unmarked)
    is_lost = isinstance(answer, Refusal) and answer.reason is Reason.NO_SUCH_TARGET
    return one_by_one(phrase, lambda part: _toned(part, unmarked)) or answer if is_lost else answer


def _toned(phrase: Phrase, unmarked: float) -> Answer | None:
    walk = Walk()
    for at, atom in enumerate(phrase.core):
        if at <= walk.past:
            continue
        tried = sorted({_PLACES[role] for role in atom.senses if role in _PLACES})
        is_taken = any(_HANDLERS[place][1](walk, atom, at, phrase) for place in tried)
        if not is_taken and not _is_tonal_link(atom, phrase.core, at):
            walk.things.append(atom)
    settle_colors(walk, phrase)
    settle_lights(walk, phrase)
    if walk.failure and all(is_nominal(atom) and not atom.is_unknown for atom in walk.things):
        return phrase.refused(Reason.LOW_CONFIDENCE, walk.failure)
    return tonal_steps(phrase, walk, unmarked) if walk.items and not walk.failure else None


_TONAL_LINKS = frozenset({"by", "of", "in", "with", "as", "and", "up", "/", "about", "enough", "both"})


def _is_tonal_link(atom: Atom, core: Sequence[Atom], at: int) -> bool:
    if atom.text == "to":
        after = core[at + 1] if at + 1 < len(core) else None
        is_number = after is not None and after.has(Role.MEASURE, Role.NUMBER)
        return not is_number or core[at + 1].text.startswith(("+", "-"))
    brings_out = atom.text == "out" and core[0].text == "bring"
    return brings_out or atom.text in _TONAL_LINKS or atom.has(Role.AND)


def _is_of_warmth(phrase: Phrase) -> bool:
    """ "Make the white balance warmer"."""
    tones = [atom.senses.get(role) for atom in phrase.core for role in (Role.ADJECTIVE, Role.TONE)]
    return any(isinstance(tone, Tone) and tone.operation == "warmth" for tone in tones)


_HANDLERS: tuple[tuple[tuple[Role, ...], Callable[[Walk, Atom, int, Phrase], bool]], ...] = (
    ((Role.NOT,), take_not),
    ((Role.MORE, Role.LESS, Role.LACKING, Role.TOO), take_mark),
    ((Role.AMOUNT, Role.MEASURE, Role.NUMBER, Role.FRACTION), take_amount),
    (
        (
            *(Role.RAISE, Role.LOWER, Role.ENHANCE, Role.ADD, Role.MAKE, Role.CHANGE, Role.USE, Role.ADJUST),
            Role.MOVE,
        ),
        take_verb,
    ),
    ((Role.PREPOSITION,), take_down),
    ((Role.COLOR,), take_color),
    ((Role.QUALITY, Role.ADJECTIVE, Role.TONE), take_quality),
    ((Role.COLORS,), take_colors),
    ((Role.CAST,), take_cast),
    ((Role.EFFECT,), take_effect),
    ((Role.VAGUE,), take_vague),
    ((Role.NIGHT,), lambda walk, atom, at, phrase: bool(walk.items)),
    ((Role.UNCHANGED,), lambda walk, atom, at, phrase: bool(walk.items) and atom.text.startswith("in colo")),
    ((Role.BALANCE,), lambda walk, atom, at, phrase: _is_of_warmth(phrase)),
    ((Role.WHOLE,), lambda walk, atom, at, phrase: True),
)
_PLACES = {role: place for place, (roles, _) in enumerate(_HANDLERS) for role in roles}
