"""From a clause to steps: what kind of clause it is, and the rules that are tried on it in turn.

A rule that leaves a word unclaimed does not apply, so a clause is carried out whole or refused with the
person's own words. A scope that cannot be found is a refusal; it never becomes the whole photo.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from editor.engine.language.forms import by_form
from editor.engine.language.grammar import Atom, Clause, is_packing
from editor.engine.language.lexicon import Role, Tone, Unavailable
from editor.engine.language.phrases import (
    NEW_BACKGROUND,
    Answer,
    Phrase,
    Scene,
    Scope,
    boxed,
    is_compound,
    missing_photo,
    names_something,
    other_photo,
    taken_apart,
)
from editor.engine.language.recoloring import recolored
from editor.engine.language.removal import removed
from editor.engine.language.tone import aimed, toned
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Step, Target


@dataclass(frozen=True, slots=True)
class Reading:
    """What one clause came to. `keep` protects parts of the photo from the other clauses."""

    steps: tuple[Step, ...] = ()
    refusal: Refusal | None = None
    keep: tuple[Target, ...] = ()
    about: str = ""  # what "it" means in the next clause
    is_open: bool = False  # a change of tone that names no part of the photo
    is_sharing: bool = False  # its closing "of the background" is about the open ones before it too


def read(clause: Clause, scene: Scene, *, before: Reading) -> Reading:
    """The steps that a clause asks for, or why it is refused; `before` is the clause before it."""
    if _says_nothing(clause) or _is_purpose(clause, before):
        return Reading(about=before.about, refusal=_named_in_passing(clause, scene))
    phrase = taken_apart(clause, scene, before.about)
    wrong_photo = missing_photo(phrase)
    if wrong_photo:
        return Reading(refusal=wrong_photo)
    if _opening(clause).has(Role.KEEP, Role.WITHOUT, Role.EXCEPT):
        return _protection(phrase, before)
    return _reading(phrase, _checked(phrase, _answer(phrase)))


def _checked(phrase: Phrase, answer: Answer) -> Answer:
    """An accepted step is charged, so it has to change something, and on the photo that is meant."""
    if not isinstance(answer, Refusal):
        if all(step.operation == "photo_background" for step in answer):
            return answer
        if any(_changes_nothing(step) for step in answer):
            return phrase.refused(Reason.AMBIGUOUS, "Nothing would change.")
        if any(_is_beside(phrase, step) for step in answer):
            return phrase.refused(Reason.NEEDS_REGION, "Mark what is to change with a box.")
    return other_photo(phrase) or answer


def _named_in_passing(clause: Clause, scene: Scene) -> Refusal | None:
    """ "This is photo 2. Brighten it." """
    phrase = taken_apart(clause, scene, "") if scene.photos > 1 else None
    return other_photo(phrase) if phrase and set(phrase.photos) - {1} else None


_BESIDE = frozenset({"around", "behind", "against"})


def _is_beside(phrase: Phrase, step: Step) -> bool:
    """ "Darken around the box": the box says where, and is not what changes."""
    landmarks = {scope.what for scope in phrase.named if scope.preposition in _BESIDE}
    landmarks |= {"subject"} if "person" in landmarks else set()
    return step.operation != "crop" and step.target.what in landmarks - {"background"}


def _changes_nothing(step: Step) -> bool:
    value, unit = step.exact or (None, "")
    if value is None or step.operation == "resize":
        return step.amount == 0 or value == 100
    return step.amount == 0 or value == 0 or (unit == "degrees" and value % 360 == 0)


def _reading(phrase: Phrase, answer: Answer) -> Reading:
    is_sharing = _closes_with_a_place(phrase)
    if isinstance(answer, Refusal):
        return Reading(refusal=answer, is_sharing=is_sharing)
    is_open = not phrase.scopes and all(_is_whole_tone(step) for step in answer)
    return Reading(tuple(answer), about=_subject_of(phrase, answer), is_open=is_open, is_sharing=is_sharing)


_TONES = frozenset({"brightness", "contrast", "saturation", "warmth", "sharpness"})
_PLACING = frozenset({"of", "in", "on", "for", "within", "inside", "behind", "around"})


def _is_whole_tone(step: Step) -> bool:
    return step.operation in _TONES and step.target == WHOLE


def _closes_with_a_place(phrase: Phrase) -> bool:
    """ "... and reduce the contrast of the background"."""
    atoms = phrase.clause.atoms
    qualities = [at for at, atom in enumerate(atoms) if atom.has(Role.QUALITY, Role.COLORS)]
    is_whole = bool(phrase.scopes) and phrase.scopes[-1].what == "whole"
    return not is_whole and any(atom.text in _PLACING for atom in atoms[max(qualities, default=len(atoms)) :])


def shared(readings: Sequence[Reading], joints: Sequence[str], instruction: str) -> list[Reading]:
    """ "Increase brightness and reduce contrast of the background": the place that closes a list of
    changes of tone is the place of them all. When it is refused, so are they."""
    told = list(readings)
    for at in range(len(told) - 1, 0, -1):
        closing, before = told[at], told[at - 1]
        if closing.is_sharing and before.is_open and joints[at] == "and":
            told[at - 1] = _sharing(before, closing, instruction)
    return told


def _sharing(before: Reading, closing: Reading, instruction: str) -> Reading:
    if closing.refusal:
        words = instruction[before.steps[0].words[0] : before.steps[-1].words[1]]
        return Reading(refusal=replace(closing.refusal, words=words), is_sharing=True)
    targets = tuple(dict.fromkeys(step.target for step in closing.steps))
    steps = tuple(aimed(step, target) for step in before.steps for target in targets)
    return replace(before, steps=steps, is_sharing=True)


def _subject_of(phrase: Phrase, steps: Sequence[Step]) -> str:
    if steps[-1].kind is Kind.BACKGROUND:
        return "background" if steps[-1].operation == "photo_background" else NEW_BACKGROUND
    if steps[-1].kind is Kind.ADD and steps[-1].operation != "vignette":
        return "addition"
    return (
        "whole" if steps[-1].target == WHOLE and steps[-1].kind is not Kind.REMOVE else steps[-1].target.what
    )


def _answer(phrase: Phrase) -> Answer:
    for attempt in (removed, by_form, recolored, toned):
        answer = attempt(phrase)
        if answer is not None:
            return answer
    return _not_understood(phrase)


def _opening(clause: Clause) -> Atom:
    return next((atom for atom in clause.atoms if not is_packing(atom)), clause.atoms[0])


def _says_nothing(clause: Clause) -> bool:
    """Courtesy, and the sentences of a story: "My mother took this in 1987."."""
    telling = [
        atom for atom in clause.atoms if not is_packing(atom) and not atom.has(Role.DETERMINER, Role.BE)
    ]
    return not telling or (clause.joint == "stop" and _is_story(clause, telling))


_STORY_OPENINGS = {
    "i",
    "my",
    "we",
    "our",
    "he",
    "she",
    "they",
    "i'm",
    "hi",
    "hello",
    "hey",
    "here is",
    "here's",
}
_STORY_ROLES = {
    Role.NOUN,
    Role.COMMON,
    Role.PERSON,
    Role.PREPOSITION,
    Role.PHOTO,
    Role.THIS,
    Role.IT,
    Role.NUMBER,
}
_STORY_ROLES |= {
    Role.DETERMINER,
    Role.FILLER,
    Role.BE,
    Role.VAGUE,
    Role.ORDINAL,
    Role.SCENE,
    Role.UNCHANGED,
    Role.AMOUNT,
    Role.SEVERAL,
}


def _is_story(clause: Clause, telling: Sequence[Atom]) -> bool:
    first = clause.atoms[0].text
    is_about_it = (
        clause.atoms[0].has(Role.THIS, Role.IT) and len(clause.atoms) > 1 and clause.atoms[1].has(Role.BE)
    )
    return (first in _STORY_OPENINGS or is_about_it) and all(
        set(atom.senses) <= _STORY_ROLES for atom in telling
    )


_SEEING = {
    "visible",
    "clear",
    "clearer",
    "readable",
    "legible",
    "in focus",
    "clearly",
    "look better",
    "better",
    "detail",
}
_DECISIVE: tuple[Role, ...] = (
    Role.NOT,
    Role.NO,
    Role.EXCEPT,
    Role.KEEP,
    Role.WITHOUT,
    Role.QUOTED,
    Role.COLOR,
    Role.MEASURE,
)
_DECISIVE += (
    Role.LESS,
    Role.TOO,
    Role.REMOVE,
    Role.LOOK,
    Role.CROP,
    Role.ROTATE,
    Role.FLIP,
    Role.TRANSPARENT,
    Role.RATIO,
)


def _is_purpose(clause: Clause, before: Reading) -> bool:
    """ "... so that you can see the faces": a reason, not another wish, unless it asks for something new."""
    if not (clause.joint == "break" and _opening(clause).has(Role.PURPOSE) and before.steps):
        return False
    moves = {(step.operation, _sign(step.amount)) for step in before.steps}
    return all(_is_harmless(atom, moves) for atom in clause.atoms)


def _sign(amount: float | None) -> int:
    return -1 if amount is not None and amount < 0 else 1


def _is_harmless(atom: Atom, moves: set[tuple[str, int]]) -> bool:
    tones = [meaning for meaning in atom.senses.values() if isinstance(meaning, Tone)]
    agrees = atom.text in _SEEING or all((tone.operation, tone.sign) in moves for tone in tones)
    return agrees and atom.text != "like" and not (atom.has(*_DECISIVE) and atom.text not in _SEEING)


def _protection(phrase: Phrase, before: Reading) -> Reading:
    """ "but keep the background", "without changing the face", "except the subject"."""
    opening, core = _opening(phrase.clause), phrase.core
    only = any(atom.text in ("only", "just", "simply") for atom in phrase.clause.atoms)
    if only and any(verb in opening.text for verb in ("keep", "leav", "preserv", "retain", "maintain")):
        hint = "Say what is to be removed, or: cut out the subject."
        return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint))
    rest = [
        atom for atom in core if atom is not opening and not atom.has(Role.UNCHANGED, Role.AND, Role.KEEP)
    ]
    spares_the_rest = any(atom.has(Role.REST) for atom in rest)
    rest = [atom for atom in rest if not atom.has(Role.REST) and atom.text not in ("of", "in", "for")]
    if spares_the_rest and not rest:
        return Reading(about=before.about)
    return _protected(phrase, rest, before)


def _protected(phrase: Phrase, rest: Sequence[Atom], before: Reading) -> Reading:
    if (
        not rest
        and not is_compound(phrase)
        and phrase.named
        and not any(s.what == "unclear" for s in phrase.named)
    ):
        targets = [_protected_scope(phrase, scope) for scope in phrase.named]
        if None not in targets:
            return Reading(keep=tuple(target for target in targets if target), about=before.about)
    if rest and not phrase.named and phrase.scene.boxes and names_something(rest, phrase):
        return Reading(keep=(boxed(phrase),), about=before.about)
    hint = "Mark it with a box and it stays as it is."
    return Reading(refusal=phrase.refused(Reason.NEEDS_REGION, hint))


def _protected_scope(phrase: Phrase, scope: Scope) -> Target | None:
    if scope.what == "region":
        return Target("region", boxes=scope.boxes) if scope.boxes else None
    kept = {"subject": "subject", "person": "subject", "background": "background", "face": "face"}.get(
        scope.what
    )
    return Target(kept) if kept else None


def _not_understood(phrase: Phrase) -> Refusal:
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


_EXPLANATIONS: tuple[tuple[set[Role], Reason, str], ...] = (
    ({Role.NOT}, Reason.AMBIGUOUS, "Say what is to change rather than what is not."),
    (
        {Role.ADD, Role.TEXT},
        Reason.AMBIGUOUS,
        'Put the text in quotes, as in: add the text "Summer" at the bottom.',
    ),
    (
        {Role.CHANGE, Role.QUOTED},
        Reason.LOW_CONFIDENCE,
        "Text in a photo cannot be replaced yet; new text can be added.",
    ),
    ({Role.ADD, Role.NOUN}, Reason.NEEDS_GENERATION, "New things cannot be drawn by this engine."),
    ({Role.ADD, Role.SCENE}, Reason.NEEDS_GENERATION, "New things cannot be drawn by this engine."),
    ({Role.REPLACE}, Reason.NEEDS_GENERATION, "One thing cannot be turned into another by this engine."),
    ({Role.DEFECT}, Reason.LOW_CONFIDENCE, "This cannot be done by the engine yet."),
    ({Role.RESIZE}, Reason.AMBIGUOUS, "Say the size, for example: resize to 50% or resize to 1200x800."),
)
