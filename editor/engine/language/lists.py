"""Lists of parts of the photo, of which a step may only cover one."""

from collections.abc import Sequence
from itertools import pairwise

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.seen import HAIR_COLORS
from editor.engine.language.phrases import Phrase
from editor.engine.language.scopes import is_strange
from editor.engine.language.wishes import Wish

EACH_ITS_BOX = "One box cannot hold all of it. Mark each of them with its own box."

_PARTS = (Role.PERSON, Role.FACE, Role.SUBJECT, Role.WRITTEN, Role.FLAW, Role.BACKGROUND, Role.NOUN)
_NO_PARTS = (Role.QUALITY, Role.ADJECTIVE, Role.TONE, Role.COLORS, Role.MARKED, Role.SHAPE, Role.ARROW)


def leaves_out(phrase: Phrase, steps: Sequence[Wish]) -> bool:
    """Whether "the person in the box and the dog" became the box alone."""
    halves = _halves(phrase.clause.atoms)
    if len(halves) < 2 or not phrase.scene.boxes:
        return False
    boxed = [half for half in halves if any(atom.has(Role.MARKED) for atom in half)]
    others = [half for half in halves if half not in boxed and _names_a_part(half)]
    covered = len({(step.operation, step.target) for step in steps})
    is_mixed = bool(boxed and others) or _is_flaw_beside_a_person(halves)
    return (is_mixed and covered < len(boxed) + len(others)) or _points_beside_a_part(phrase, halves, covered)


def _points_beside_a_part(phrase: Phrase, halves: Sequence[Sequence[Atom]], covered: int) -> bool:
    """ "Remove this and the man on the left", with one box for two."""
    pointing = [half for half in halves if _points(half)]
    named = [half for half in halves if half not in pointing and _names_a_part(half)]
    told = len(pointing) + len(named)
    return bool(pointing) and told > 1 and covered < told and len(phrase.scene.boxes) < told


def _points(half: Sequence[Atom]) -> bool:
    """ "Remove this", "him": a verb and a pronoun alone."""
    told = [atom for atom in half if not atom.has(Role.FILLER)]
    is_last = bool(told) and (told[-1].has(Role.IT, Role.THIS) or told[-1].text in _POINTING)
    return is_last and all(atom.has(Role.REMOVE, Role.MAKE, Role.OUTWARD, Role.TONE) for atom in told[:-1])


_POINTING = frozenset({"him", "her", "this", "that"})


def drops_a_wish(phrase: Phrase, steps: Sequence[Wish]) -> bool:
    """Whether one half of "make the shirt red and the pants blue" is gone: each names a thing and ends on
    what it is to be, and one place would get all of it."""
    if not phrase.core or not phrase.core[0].has(Role.MAKE, Role.CHANGE, Role.PAINT):
        return False
    wishes = [half for half in _halves(phrase.clause.atoms) if _says_what_becomes(half)]
    return len(wishes) > 1 and len({step.target for step in steps}) < len(wishes)


def _says_what_becomes(half: Sequence[Atom]) -> bool:
    """ "The pants blue", "her hair a bit darker", "the sky a sunset"."""
    told = [atom for atom in half if not atom.has(Role.FILLER, Role.AMOUNT, Role.MORE)]
    last = told[-1] if told else None
    is_shown = len(told) > 1 and told[-2].has(Role.THIS)  # "make this red"
    if last is None or not (is_shown or _names_a_part(told[:-1])) or told[0].has(Role.COLOR):
        return False  # the "white shirt blue" of "a red and white shirt blue"
    is_scene = last.has(Role.GROUND) and told[-2].text in ("a", "an")
    is_value = last.has(Role.COLOR, Role.QUALITY, Role.ADJECTIVE, Role.SHADE) or last.text in HAIR_COLORS
    return is_scene or is_value


def are_apart(phrase: Phrase) -> bool:
    """Whether there are fewer boxes than things, and the words put the things into places of their own:
    "the man on the left and the dog", unlike "the man and the dog on the left" or "the man and his dog"."""
    atoms = phrase.clause.atoms
    verb = next(at for at, atom in enumerate(atoms) if atom is phrase.core[0])
    named = atoms[verb + 1 :] or atoms[:verb]  # "the man and the dog ... are to be removed"
    parts = [part for part in _listed(named) if _is_listed(part)]
    if len(parts) <= max(len(phrase.scene.boxes), 1):
        return False
    frames = any(any(atom.has(Role.BORDER) for atom in part) for part in parts)
    is_long = len(parts) > 2 and all(part[0].has(Role.DETERMINER) for part in parts)
    return is_long or frames or any(_is_elsewhere(part, following) for part, following in pairwise(parts))


def _is_listed(part: Sequence[Atom]) -> bool:
    is_frame = any(atom.has(Role.BORDER) for atom in part)
    return is_frame or _names_a_part(part) or _opens_with_a_place(part)


def _listed(atoms: Sequence[Atom]) -> list[list[Atom]]:
    """The parts of a list, without what stands in brackets; two colors are one part. Without an "and" only
    parts with a place each make a list."""
    told: list[Atom] = []
    is_aside = False
    for atom in atoms:
        is_aside = atom.text == "(" or (is_aside and atom.text != ")")
        if not is_aside and not atom.has(Role.FILLER) and atom.text not in _PARTICLES:
            told.append(atom)
    parts: list[list[Atom]] = [[]]
    for at, atom in enumerate(told):
        is_one = (
            at > 0 and told[at - 1].has(Role.COLOR) and any(a.has(Role.COLOR) for a in told[at + 1 :][:1])
        )
        if is_one or not _splits(atom) or any(before.text == "between" for before in parts[-1]):
            parts[-1].append(atom)
        else:
            parts.append([])
    parts = [part for part in parts if part]
    is_list = any(atom.has(Role.AND) for atom in told) or sum(any(map(_is_place, part)) for part in parts) > 1
    return parts if is_list else [told]


_PARTICLES = frozenset({"out", "off", "away", "out of", "off of", ")"})


def _is_elsewhere(part: Sequence[Atom], following: Sequence[Atom]) -> bool:
    """Whether a part of a list has a place that the next one does not share."""
    if following[0].text in _OWNED or following[0].has(Role.IT):
        return False
    named = next((at for at, atom in enumerate(part) if _is_thing(atom)), len(part))
    after = part[named + 1 :]
    places = [at for at, atom in enumerate(after) if _is_place(atom)]
    is_placed = bool(places) and not any(_is_thing(atom) for atom in after[places[-1] + 1 :])
    stands = any(atom.text in _STANDING for atom in after) and following[0].has(Role.DETERMINER)
    return is_placed or stands or _opens_with_a_place(following) or _is_another_thing(part, following)


def _is_another_thing(part: Sequence[Atom], following: Sequence[Atom]) -> bool:
    """ "The man and the house": an article each and no place that they share, unlike "the man and house" and
    "the man with the hat and the bag"."""
    told = (*part, *following)
    has_articles = part[0].text in _ARTICLES and following[0].text in _ARTICLES
    is_linked = any(atom.has(Role.PREPOSITION) for atom in part)
    are_near = any(_is_place(atom) or atom.has(Role.IT) or atom.text in _OWNED | _HOLDING for atom in told)
    return has_articles and not is_linked and not are_near


_ARTICLES = frozenset({"the", "a", "an"})
_HOLDING = frozenset({"hand", "hands", "arm", "arms", "finger", "fingers", "head", "heads"})


_OWNED = frozenset({"his", "her", "their", "its"})
_STANDING = frozenset({"on", "at", "from", "over", "under"})


def _is_place(atom: Atom) -> bool:
    return atom.has(Role.PLACE, Role.BACKGROUND) or atom.text == "foreground"


def _is_thing(atom: Atom) -> bool:
    if atom.has(Role.PHOTO, Role.BORDER, Role.PLACE):
        return False
    return atom.has(Role.PERSON, Role.NOUN, Role.WRITTEN, Role.FLAW, Role.COLOR) or is_strange(atom)


def _opens_with_a_place(part: Sequence[Atom]) -> bool:
    """The last half of "on the wall and under the table", or of "from the left and right"."""
    is_bare = all(atom.has(Role.PLACE, Role.DETERMINER) or atom.text in ("side", "corner") for atom in part)
    return is_bare or part[0].text in _STANDING or part[0].text in ("in", "around", "behind", "near")


def _halves(atoms: Sequence[Atom]) -> list[list[Atom]]:
    halves: list[list[Atom]] = [[]]
    for atom in atoms:
        if _splits(atom):
            halves.append([])
        else:
            halves[-1].append(atom)
    return [half for half in halves if half]


def _splits(atom: Atom) -> bool:
    return atom.kind == "comma" or (atom.has(Role.AND) and not atom.has(Role.LOOK))


def _names_a_part(half: Sequence[Atom]) -> bool:
    return any((atom.has_any(_PARTS) and not atom.has_any(_NO_PARTS)) or is_strange(atom) for atom in half)


def _is_flaw_beside_a_person(halves: Sequence[Sequence[Atom]]) -> bool:
    """ "The spots and the person": what is corrected, and what is taken out."""
    flaws = [half for half in halves if any(atom.has(Role.FLAW) for atom in half)]
    return bool(flaws) and any(
        any(atom.has(Role.PERSON) for atom in half) for half in halves if half not in flaws
    )
