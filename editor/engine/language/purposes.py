"""Clauses that say why: "so that you can see the faces" is a reason, "to make it warmer" a wish."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.kinds import is_plural, is_someone
from editor.engine.language.grammar import Atom, Clause
from editor.engine.language.lexicon import Role, Tone, is_flaw
from editor.engine.language.readings import TONES, Reading


def as_a_wish(clause: Clause) -> Clause:
    """ "... to make it less hazy" without its "to"; "... so that it is gone" stays as it is."""
    opening = clause.atoms[0]
    is_plain = clause.joint == "purpose" and opening.text == "to"
    is_reason = opens_a_purpose(clause) and opening.text.split()[0] in ("so", "because", "until", "till")
    told = [atom for atom in clause.atoms[1:] if is_reason and not _merely_is(atom)]
    if any(atom.has(Role.NOT) for atom in told):
        flaws = [atom for atom in told if is_flaw(atom.text) or atom.has(Role.PHOTO, Role.IT)]
        less = replace(opening, senses={Role.LESS: opening.text})
        return replace(clause, atoms=[less, *flaws]) if flaws else clause
    if any(atom.has(Role.MORE, Role.LESS, Role.TOO) or _compares(atom) for atom in told):
        return replace(clause, atoms=told)
    if opening.text in _TO_MAKE:
        made = replace(opening, senses={Role.MAKE: opening.text})
        return replace(clause, atoms=[made, *clause.atoms[1:]])
    return replace(clause, atoms=clause.atoms[1:]) if is_plain and len(clause.atoms) > 1 else clause


def _merely_is(atom: Atom) -> bool:
    return atom.has(Role.BE) or atom.text in ("has", "have")


def _compares(atom: Atom) -> bool:
    meaning = atom.senses.get(Role.ADJECTIVE)
    return isinstance(meaning, Tone) and meaning.comparative


_TO_MAKE = frozenset({"to make this look", "to make it look", "to make this a", "to make it a"})
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
    "details",
    "noticeable",
    "visibility",
    "recognizable",
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


def _sets_off(clause: Clause, before: Reading) -> bool:
    """ "Blur the background, making the toy more prominent and removing distractions": as it does."""
    is_blurred = all(step.operation == "blur_background" for step in before.steps)
    leads = clause.opening.text.endswith("ing") or opens_a_purpose(clause)
    return is_blurred and leads and any(atom.text in _OFF_THE_BACKGROUND for atom in clause.atoms)


_OFF_THE_BACKGROUND = frozenset(
    {"prominent", "stand out", "standout", "distractions", "distraction", "noticeable"}
)


def is_purpose(clause: Clause, before: Reading) -> bool:
    """ "... so that you can see the faces": a reason, not another wish, unless it asks for something new."""
    if before.steps and _sets_off(clause, before):
        return True
    if not (opens_a_purpose(clause) and before.steps) or _says_what_is_left(clause, before):
        return False
    if _says_who_is_left(clause, before):
        return False
    if _crops_it_off(clause, before) or _inverts(before):
        return True
    if any(step.operation == "crop" for step in before.steps) and _places_something(clause):
        return False
    moves = {(step.operation, _sign(step.amount)) for step in before.steps}
    if _moves_a_part(clause, moves):
        return False
    if _asks_for_more(clause, moves) or _brings_another(clause, moves):
        return False
    is_about_tone = all(step.operation in TONES for step in before.steps)
    is_enhanced = any(step.operation == "enhance" for step in before.steps)
    if is_enhanced and any(
        atom.has(Role.ADJECTIVE, Role.MORE, Role.TONE) and not _shows(clause.atoms[at : at + 2])
        for at, atom in enumerate(clause.atoms)
    ):
        return False
    if before.is_vague and _shows_somebody(clause):
        return False
    return all(
        _is_harmless(
            atom,
            moves,
            is_denied=any(_denies(before) for before in clause.atoms[:at]) or _is_denied_after(clause, at),
            is_tonal=is_about_tone,
        )
        or _is_denial(clause.atoms, at)
        for at, atom in enumerate(clause.atoms)
    )


def _places_something(clause: Clause) -> bool:
    """ "Crop it so that the man is on the left", "so there is more sky": where it is to be cropped."""
    is_central = all(atom.senses[Role.PLACE] == "center" for atom in clause.atoms if atom.has(Role.PLACE))
    is_off = any(atom.text in ("off", "not", "more", "less") for atom in clause.atoms)
    return is_off or not is_central


def _shows(atoms: Sequence[Atom]) -> bool:
    """ "Visible", "more clearly"."""
    is_graded = atoms[0].has(Role.MORE) and not atoms[0].has(Role.ADJECTIVE)
    return atoms[-1 if is_graded else 0].text in _SEEING


def _shows_somebody(clause: Clause) -> bool:
    """ "Adjust the light to make the child stand out": for all of the photo it would not be done."""
    shows = any(atom.has(Role.VAGUE) and atom.text.startswith(("stand", "pop")) for atom in clause.atoms)
    return shows and clause.has(Role.SUBJECT, Role.PERSON, Role.FACE)


def _moves_a_part(clause: Clause, moves: set[tuple[str, int]]) -> bool:
    """ "... to darken the trees": another move, and of a part."""
    tones = [atom.senses.get(Role.TONE) for atom in clause.atoms if not atom.has(Role.QUALITY)]
    is_new = any(isinstance(tone, Tone) and (tone.operation, tone.sign) not in moves for tone in tones)
    return is_new and clause.has(Role.NOUN, Role.PLACE, Role.BACKGROUND)


def _asks_for_more(clause: Clause, moves: set[tuple[str, int]]) -> bool:
    """ "... to create more contrast": a quality of its own, with its direction."""
    marks = [at for at, atom in enumerate(clause.atoms) if atom.has(Role.MORE, Role.LESS)]
    is_of_all = all(atom.text != "between" for atom in clause.atoms)
    graded = clause.atoms[marks[0] + 1 :] if marks and is_of_all else []
    tones = [atom.senses.get(Role.QUALITY) for atom in graded]
    gained = {tone.operation for tone in tones if isinstance(tone, Tone)} & _GAINED
    return bool(gained - {operation for operation, _ in moves})


def _brings_another(clause: Clause, moves: set[tuple[str, int]]) -> bool:
    """ "... to make it warmer and more vivid", "to bring out the colors": what has to be made too."""
    atoms = clause.atoms
    colors = any(left.has(Role.RAISE) and _names_colors(atoms[at + 1 :]) for at, left in enumerate(atoms))
    if colors and not any((operation, 1) in moves for operation in ("saturation", "vibrance", "enhance")):
        return True
    if _brings_out_whites(atoms) and all(operation not in _LIGHTS for operation, _ in moves):
        return True
    if clause.opening.text.startswith("so") and any(map(_names_a_thing, atoms)):
        return False  # "so the ship looks crisper" tells the reason
    return any(
        (_is_graded(atoms, at) and atom.text not in _SEEING and not _is_made(atom, moves))
        or (_is_led(atoms, at) and atom.has(Role.COLOR) and _tints_anew(clause, moves))
        for at, atom in enumerate(atoms)
    )


def _brings_out_whites(atoms: Sequence[Atom]) -> bool:
    return any(atom.text == "whites" for atom in atoms) and any(atom.has(Role.RAISE) for atom in atoms)


def _tints_anew(clause: Clause, moves: set[tuple[str, int]]) -> bool:
    """ "... to make it more blue", unlike "... until it is more blue", which says how far."""
    return clause.opening.text.startswith("to") and all(operation != "tint" for operation, _ in moves)


def _names_a_thing(atom: Atom) -> bool:
    is_named = atom.has(Role.NOUN, Role.COLOR) and not atom.has(Role.PHOTO, Role.QUALITY, Role.ADJECTIVE)
    return is_named or atom.text in ("see", "seen", "view")


def _names_colors(atoms: Sequence[Atom]) -> bool:
    telling = [atom for atom in atoms if not atom.has(Role.DETERMINER, Role.MORE, Role.FILLER)]
    return bool(telling) and telling[0].has(Role.COLORS)


def _is_graded(atoms: Sequence[Atom], at: int) -> bool:
    """Whether the word is a comparative: "brighter", "more vivid", the "vivid" of "more sharp and vivid"."""
    return _compares(atoms[at]) or (_is_led(atoms, at) and atoms[at].has(Role.ADJECTIVE))


def _is_led(atoms: Sequence[Atom], at: int) -> bool:
    return any(atom.has(Role.MORE) and not atom.has(Role.ADJECTIVE) for atom in atoms[max(at - 3, 0) : at])


def _is_made(atom: Atom, moves: set[tuple[str, int]]) -> bool:
    """Whether a step that was read makes it, or something much like it."""
    tone = atom.senses.get(Role.ADJECTIVE)
    if not isinstance(tone, Tone) or tone.operation not in _MADE or ("enhance", 1) in moves:
        return True
    alike = next((group for group in _ALIKE if tone.operation in group), {tone.operation})
    return any((operation, tone.sign) in moves for operation in alike)


_MADE = frozenset(
    {"brightness", "saturation", "vibrance", "warmth", "sharpness", "tint", "dehaze", "denoise"}
)
_ALIKE: tuple[frozenset[str], ...] = (
    frozenset({"brightness", "exposure", "shadows", "low_light"}),
    frozenset({"saturation", "vibrance"}),
    frozenset({"sharpness", "clarity"}),
)


_GAINED = frozenset({"contrast", "saturation", "vibrance", "warmth"})
"""What light and sharpness do not bring with them."""


def _says_what_is_left(clause: Clause, before: Reading) -> bool:
    """ "Crop it so it's just the man on the right" says to what."""
    crops = any(step.operation == "crop" for step in before.steps)
    return crops and any(atom.text in ("just", "only") for atom in clause.atoms)


def _crops_it_off(clause: Clause, before: Reading) -> bool:
    """ "Crop it to remove the excess background": what cropping does."""
    crops = bool(before.steps) and all(step.operation == "crop" for step in before.steps)
    packing = (Role.FILLER, Role.DETERMINER, Role.PREPOSITION)
    telling = [atom for atom in clause.atoms if not atom.has_any(packing) and atom.text not in _EXCESS]
    is_removal = len(telling) == 2 and telling[0].has(Role.REMOVE) and telling[1].has(Role.BACKGROUND)
    return crops and is_removal and any(atom.text in _EXCESS for atom in clause.atoms)


def _inverts(before: Reading) -> bool:
    """ "Invert the photo so that the background is black": what that brings."""
    return bool(before.steps) and all(step.operation == "negative" for step in before.steps)


_EXCESS = frozenset({"excess", "excessive", "extra", "unnecessary", "some", "unwanted", "empty"})


def _says_who_is_left(clause: Clause, before: Reading) -> bool:
    """ "Remove the two adults so only the kids remain": which of the people they are no eye can tell."""
    gone = [step.target for step in before.steps if step.operation == "erase"]
    are_some = any(
        is_someone(target.noun) and is_plural(target.noun or "") and not (target.place or target.color)
        for target in gone
    )
    return are_some and any(is_someone(str(atom.senses.get(Role.SEEN))) for atom in clause.atoms)


def opens_a_purpose(clause: Clause) -> bool:
    return clause.joint == "purpose" or (clause.joint == "break" and clause.opening.has(Role.PURPOSE))


def _is_denial(atoms: Sequence[Atom], at: int) -> bool:
    """The "not" of "so it does not look washed out", "so the gray tint is not visible"."""
    following = atoms[at + 1 : at + 4]
    is_unseen = any(atom.text in _SEEING for atom in following) and any(a.text in _DULL for a in atoms[:at])
    return _denies(atoms[at]) and (is_unseen or any(_is_a_fault(atom) for atom in following))


def _is_a_fault(atom: Atom) -> bool:
    return is_flaw(atom.text) or atom.text in _DULL


_DULL = frozenset({"gray", "grey", "grayish", "greyish", "muted", "pale"})
"""What a photo without light or color is called; others want it so."""


def _is_denied_after(clause: Clause, at: int) -> bool:
    """The "gray" of "so the gray tint is not visible"."""
    return clause.atoms[at].text in _DULL and any(_denies(atom) for atom in clause.atoms[at + 1 :])


def _denies(atom: Atom) -> bool:
    return atom.has(Role.NOT) or atom.text in ("not so", "not as", "not too")


_STRICT = tuple(role for role in _DECISIVE if role is not Role.COLOR)


def _sign(amount: float | None) -> int:
    return -1 if amount is not None and amount < 0 else 1


def _is_harmless(atom: Atom, moves: set[tuple[str, int]], *, is_denied: bool, is_tonal: bool) -> bool:
    if is_denied and atom.text in _DULL:
        return any((operation, 1) in moves for operation in _LIVELY)
    if atom.text in _SEEING or (is_denied and is_flaw(atom.text) and _is_met(atom, moves)):
        return True
    spoken = () if atom.has(Role.QUALITY) else (atom.senses.get(role) for role in (Role.ADJECTIVE, Role.TONE))
    tones = [meaning for meaning in spoken if isinstance(meaning, Tone)]
    opposes = any((tone.operation, -tone.sign) in moves for tone in tones)
    decides = atom.has_any(_DECISIVE) and not (
        is_tonal and atom.has(Role.COLOR) and not atom.has_any(_STRICT)
    )
    return not opposes and not decides and not is_flaw(atom.text)


def _is_met(flaw: Atom, moves: set[tuple[str, int]]) -> bool:
    """Whether a wish that was read does away with the flaw; darkness goes only by light."""
    tone = flaw.senses.get(Role.ADJECTIVE)
    is_dark = isinstance(tone, Tone) and tone.operation in _LIGHTS
    return not is_dark or any(operation in _LIGHTS for operation, _ in moves)


_LIVELY = ("brightness", "exposure", "contrast", "saturation", "vibrance", "warmth", "dehaze", "enhance")
_LIGHTS = frozenset({"brightness", "exposure", "shadows", "highlights", "enhance", "low_light"})
