"""How many there are to be of a thing: "change the count of chairs to 5", "add two more cups"."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from editor.engine.kinds import ON_POLES, is_plural, is_someone, kinds_of, plural_of, singular_of
from editor.engine.language.forms.named import by_vivid_color, is_of_a_body, within_the_photo
from editor.engine.language.grammar import Atom, is_packing
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.seen import WORN
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import is_noun_phrase
from editor.engine.language.scopes import is_name
from editor.engine.language.seen import seen_thing
from editor.engine.plan import Kind, Reason, Refusal, Target

type _Count = tuple[Sequence[Atom], Atom, str]
"""The words that name the things, the number, and what it counts: "in all" or "more"."""

_MOST = 9
_FEWER = "Say which of them are to be removed, for example: remove the chair on the left."
_SAME_PERSON = "That would be the same person again. If it is meant, say: copy the man to the left."
_ON_A_POLE = "Copies of it would hang in the air, without their pole."
_HOW_MANY = f"Say a number from 2 to {_MOST}."
_MORE_THAN_MARKED = "Say how many there are to be in all, for example: change the count of cups to 4."
_MARKED_ALREADY = "As many are marked already. Say a larger number, or which of them is to be removed."
_UNSEEN = "Name something that is looked for, such as chairs or dogs, or a color, as in “the red sign”."


def counted(phrase: Phrase) -> Answer | None:
    """The step that adds copies of what the photo shows until there are so many; None for other wishes."""
    atoms = within_the_photo([atom for atom in phrase.clause.atoms if not is_packing(atom)])
    if len(atoms) < 2 or any(map(_lists_more, _between(phrase, atoms))):
        return None
    for role, read in _READERS:
        count = read(phrase, atoms) if atoms[0].has(role) else None
        if count is not None:
            return _step(phrase, *count)
    return None


def _between(phrase: Phrase, atoms: Sequence[Atom]) -> list[Atom]:
    """All that stands between the first and the last of the atoms."""
    return [atom for atom in phrase.clause.atoms if atoms[0].start < atom.start < atoms[-1].start]


def _lists_more(atom: Atom) -> bool:
    """ "Two dogs and three cats" are two counts."""
    return atom.has(Role.AND) or atom.kind in ("comma", "quoted")


def _step(phrase: Phrase, named: Sequence[Atom], number: Atom, counting: str) -> Answer:
    wanted = float(str(number.senses[Role.NUMBER]))
    if not wanted.is_integer() or wanted > _MOST or wanted < 1:
        return phrase.refused(Reason.AMBIGUOUS, _HOW_MANY)
    if wanted == 1 and counting == "in all":
        return phrase.refused(Reason.AMBIGUOUS, _FEWER)
    boxes = phrase.scene.boxes
    if boxes and counting == "more":  # the box may be around the thing, or where more of it go
        return phrase.refused(Reason.AMBIGUOUS, _MORE_THAN_MARKED)
    if boxes and wanted <= len(boxes):
        return phrase.refused(Reason.AMBIGUOUS, _MARKED_ALREADY)
    target = _target(phrase, named, number)
    if isinstance(target, Refusal):
        return target
    return [phrase.step(Kind.ADD, "count_thing", target=target, exact=(wanted, counting), photo=None)]


def _target(phrase: Phrase, named: Sequence[Atom], number: Atom) -> Target | Refusal:
    """What is marked, all of its kind that the photo shows, or the one thing of a color; nothing that is
    worn."""
    name = [atom for atom in named if not atom.has(Role.DETERMINER, Role.THIS)]
    if any(is_of_a_body(atom) or {atom.text, atom.text.removesuffix("s")} & WORN for atom in name):
        return phrase.refused(
            Reason.NEEDS_GENERATION, "What somebody wears or is a part of cannot be copied."
        )
    seen = seen_thing([number, *name])
    if seen is not None and is_someone(seen.noun):
        return phrase.refused(Reason.AMBIGUOUS, _SAME_PERSON)
    if seen is not None and ON_POLES & set(kinds_of(seen.noun)):
        return phrase.refused(Reason.LOW_CONFIDENCE, _ON_A_POLE)
    if phrase.scene.boxes:
        return _marked(phrase, name, seen) or phrase.refused(Reason.AMBIGUOUS, _UNSEEN)
    if seen is not None and kinds_of(seen.noun) and seen.place is None:
        noun = str(seen.noun)
        return replace(seen, noun=noun if is_plural(noun) else plural_of(noun), count=None)
    return by_vivid_color(name) or phrase.refused(Reason.NO_SUCH_TARGET, _UNSEEN)


def _marked(phrase: Phrase, name: Sequence[Atom], seen: Target | None) -> Target | None:
    """What the boxes are around, with its name where others of its kind are found, and count as well."""
    is_plain = any(map(is_name, name)) and not any(atom.has(*_TELLING_MORE) for atom in name)
    if not is_plain or not is_noun_phrase(name, phrase):
        return None
    if seen is None or not kinds_of(seen.noun):
        return Target("region", boxes=phrase.scene.boxes)
    return Target("region", noun=singular_of(str(seen.noun)), color=seen.color, boxes=phrase.scene.boxes)


_TELLING_MORE = (Role.PLACE, Role.NUMBER, Role.PREPOSITION, Role.QUALITY, Role.COLORS, Role.PERSON)


def _changing(phrase: Phrase, atoms: Sequence[Atom]) -> _Count | None:
    """ "Change the count of red cars to 5", "increase the number of birds from 2 to 4", "change to six
    forks"."""
    of = next((at for at, atom in enumerate(atoms[:4]) if atom.text == "of"), 0)
    if of and atoms[of - 1].text in _COUNTS and atoms[-1].has(Role.NUMBER) and len(atoms) > of + 3:
        end = next((at for at in range(of + 1, len(atoms)) if atoms[at].text in ("to", "from", "into")), 0)
        named = atoms[of + 1 : end]
        is_count = end > of + 1 and _leads_to(atoms[end:]) and not _is_painted_on(atoms[of - 1], named)
        return (named, atoms[-1], "in all") if is_count else None
    is_bare = len(atoms) > 3 and atoms[1].text in ("to", "into") and not atoms[0].has(Role.RAISE)
    return _several(atoms[2:]) if is_bare else None


def _is_painted_on(counting: Atom, named: Sequence[Atom]) -> bool:
    """ "The number of the bus" is written on it, other than the number of buses."""
    return counting.text == "number" and not any(is_plural(atom.text) for atom in named)


_COUNTS = frozenset({"count", "number", "amount", "quantity"})


def _leads_to(atoms: Sequence[Atom]) -> bool:
    """ "To 5", "from 2 to 5"."""
    told = [atom.text for atom in atoms if not atom.has(Role.NUMBER)]
    numbers = [float(str(atom.senses[Role.NUMBER])) for atom in atoms if atom.has(Role.NUMBER)]
    return numbers == sorted(numbers) and told in (["to"], ["into"], ["from", "to"])


def _making(phrase: Phrase, atoms: Sequence[Atom]) -> _Count | None:
    """ "Make it three dogs"."""
    return _several(atoms[2:]) if atoms[1].has(Role.IT) and len(atoms) > 3 else None


def _several(atoms: Sequence[Atom]) -> _Count | None:
    """ "Three dogs": of what is counted there are several, and it is something that is looked for."""
    is_named = bool(atoms[1:]) and atoms[-1].has(Role.SEEN)  # but not "two dogs running"
    is_count = is_named and [atom.has(Role.NUMBER) for atom in atoms] == [True] + [False] * len(atoms[1:])
    is_led = is_count and not any(atom.has(Role.PREPOSITION) and atom.text != "of" for atom in atoms)
    return (atoms[1:], atoms[0], "in all") if is_led else None


def _adding(phrase: Phrase, atoms: Sequence[Atom]) -> _Count | None:
    """ "Add two more chairs"."""
    is_more = len(atoms) > 3 and atoms[1].has(Role.NUMBER) and atoms[2].text in _MORE
    count = _several([atoms[1], *atoms[3:]]) if is_more else None
    return (count[0], count[1], "more") if count else None


_MORE = frozenset({"more", "additional", "extra", "further"})


def _being(phrase: Phrase, atoms: Sequence[Atom]) -> _Count | None:
    """ "There should be four cups"."""
    words = [atom.text for atom in phrase.clause.atoms if is_packing(atom)]
    return _several(atoms) if "there" in words and "should be" in words else None


type _Reader = Callable[[Phrase, Sequence[Atom]], _Count | None]
_READERS: tuple[tuple[Role, _Reader], ...] = (
    (Role.CHANGE, _changing),
    (Role.RAISE, _changing),
    (Role.MAKE, _making),
    (Role.ADD, _adding),
    (Role.NUMBER, _being),
)
"""What is tried on a clause that opens with such a word, in turn."""
