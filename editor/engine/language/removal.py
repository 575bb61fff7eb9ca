"""Clauses that take something away: a thing in a box, the background, a tint."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.phrases import Answer, Phrase, is_noun_phrase, placed_steps
from editor.engine.language.tone import part_of_speech, toned
from editor.engine.plan import Kind, Reason, Target

REMOVED, EMPTIED = 0.65, 1.0


_PARTICLES = {"out", "off", "away", "out of", "off of"}
_FADING = frozenset(
    {
        *("brightness", "contrast", "saturation", "warmth", "darkness", "sharpness", "exposure", "vibrance"),
        *("blur", "blurriness", "blurring", "blur effect", "fuzziness", "softness"),
        *("warm tone", "warm tones", "cool tone", "cool tones"),
    }
)


def removed(phrase: Phrase) -> Answer | None:
    opening = next((atom for atom in phrase.core), None)
    if opening is None or not _is_removing(opening, phrase.core):
        return None
    rest = [atom for atom in phrase.core[1:] if not (atom.text in _PARTICLES and opening.has(Role.OUTWARD))]
    return _removed_background(phrase, rest) or _removed_quality(phrase, rest) or _removed_thing(phrase, rest)


def _is_removing(opening: Atom, core: Sequence[Atom]) -> bool:
    if opening.has(Role.REMOVE, Role.NO):
        return True
    return (
        opening.has(Role.OUTWARD)
        and any(atom.text in _PARTICLES for atom in core[1:])
        and not _has_measure(core)
    )


def _has_measure(core: Sequence[Atom]) -> bool:
    return any(atom.has(Role.MEASURE, Role.RATIO, Role.SIZE) for atom in core)


def _removed_background(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    direct = [
        scope for scope in phrase.scopes if scope.what == "background" and scope.preposition in ("", "of")
    ]
    others = [scope for scope in phrase.named if scope.what not in ("background", "subject", "person")]
    loose = [
        atom
        for atom in rest
        if not atom.has(Role.WHOLE, Role.COLOR) and atom.text not in ("from", "of", "around")
    ]
    if len(direct) != 1 or others or loose or phrase.scopes[0] != direct[0]:
        return None
    return [phrase.step(Kind.BACKGROUND, "transparent_background", target=Target("background"))]


def _removed_quality(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    telling = [
        atom
        for atom in rest
        if not atom.has(Role.AMOUNT, Role.AND, Role.WHOLE) and atom.text not in ("of", "in", "from")
    ]
    if telling and all(atom.has(Role.COLORS) for atom in telling):
        return placed_steps(phrase, Kind.COLOR, "black_and_white", amount=None)
    has_cast = any(atom.has(Role.CAST) for atom in telling) or any(_is_ish(atom) for atom in telling)
    fades = [atom.text in _FADING or (has_cast and atom.has(Role.CAST, Role.COLOR)) for atom in telling]
    if not (telling and all(fades)):
        return None
    takes_all = phrase.core[0].has(Role.NO) or any(atom.has(Role.WHOLE) for atom in rest)
    is_emptied = takes_all and all(_is_rising(atom) for atom in telling)
    return toned(replace(phrase, core=[_LOWERING, *rest]), unmarked=EMPTIED if is_emptied else REMOVED)


def _is_rising(atom: Atom) -> bool:
    """ "no saturation" leaves none of it; "no blur" asks for a change that has no end."""
    tone = atom.senses.get(Role.QUALITY)
    return isinstance(tone, Tone) and tone.sign > 0 and not atom.has(Role.CAST)


_LOWERING = Atom("remove", 0, 0, {Role.LOWER: "remove"})


def _is_ish(atom: Atom) -> bool:
    return (
        atom.has(Role.COLOR)
        and atom.text.endswith(("ish", "ness", "y", "ey"))
        and atom.text not in ("gray", "grey", "navy", "burgundy", "ivory")
    )


def _removed_thing(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    flaw = next((atom for atom in rest if atom.has(Role.DEFECT)), None)
    if flaw and not any(atom.has(Role.NOUN, Role.PERSON) for atom in rest):
        return phrase.refused(Reason.LOW_CONFIDENCE, f"Removing {flaw.text} is not available yet.")
    if any(scope.what == "unclear" for scope in phrase.scopes):
        return phrase.refused(Reason.AMBIGUOUS, "Name what is to be removed instead of “it”.")
    if not phrase.scene.boxes:
        return phrase.refused(Reason.NEEDS_REGION, "Mark it with a box and it can be removed.")
    if not is_noun_phrase(rest, phrase) or not _is_a_thing(phrase, rest):
        return None
    return _erased(phrase)


def _is_a_thing(phrase: Phrase, rest: Sequence[Atom]) -> bool:
    """A quality cannot be cut out of a photo, and "no" alone may be an answer: "No worries"."""
    if any(atom.has(Role.CAST) for atom in rest) or (
        rest and part_of_speech(rest[0], directed=True) and not rest[0].has(Role.NOUN)
    ):
        return False
    if rest and all(atom.has(Role.COLOR, Role.WHOLE) for atom in rest):
        return False
    is_known = any(atom.has(Role.NOUN, Role.TEXT) for atom in rest) or bool(phrase.named)
    return is_known or not phrase.core[0].has(Role.NO)


def _erased(phrase: Phrase) -> Answer:
    boxes = [box for scope in phrase.scopes if scope.what == "region" for box in scope.boxes]
    missing = [box for box in boxes if box not in phrase.scene.boxes]
    if missing:
        return phrase.refused(Reason.NEEDS_REGION, f"There is no box {missing[0]}. Mark it first.")
    target = Target("region", boxes=tuple(boxes) or phrase.scene.boxes)
    return [phrase.step(Kind.REMOVE, "erase", target=target)]
