"""Additions placed by what the photo shows: "a star above the cat", "sunglasses on his face"."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from editor.engine.kinds import LIVING, is_plural, is_someone, kinds_of
from editor.engine.language.forms import by_form
from editor.engine.language.forms.drawings import PLACED_BESIDE, whole_thing
from editor.engine.language.grammar import Atom, is_packing
from editor.engine.language.lexicon import Role, senses_of
from editor.engine.language.lexicon.connectives import ABOVE, BELOW, BESIDE
from editor.engine.language.lexicon.things import ONESELF
from editor.engine.language.phrases import Answer, Phrase, taken_apart
from editor.engine.language.placing import boxed
from editor.engine.language.wishes import Wish
from editor.engine.plan import WHOLE, Reason, Target
from editor.engine.worn import WORN

_BY = BESIDE | {"by"}
_UPON = frozenset({"on", "onto", "to", "in", "over", "at", "into", "inside", "upon", "across", "for"})
_HEADS = frozenset({"head", "heads", "hair", "forehead"})
_EYES = frozenset({"eyes", "eye"})
_ONE = ONESELF | {"person", "his", "my"}
_SCENERY = frozenset({"sky", "grass", "water"})
_DRAWN = (Role.SHAPE, Role.ARROW, Role.EMOJI, Role.QUOTED, Role.STICKER, Role.BUBBLE)
_POINTING = {"above": "down", "on top": "down", "below": "up", "left of": "right", "right of": "left"}


class _Relation(NamedTuple):
    """Which atoms tell where something goes, and what they say of it: "" for "on"."""

    first: int
    after: int
    place: str


class Landmark(NamedTuple):
    """What it is placed by; `part` is "head", "eyes" or "face" where such a part is named."""

    target: Target
    part: str = ""


def by_landmark(phrase: Phrase) -> Answer | None:
    """What is drawn beside or on a thing, a person or a face; None where the words name none."""
    atoms = phrase.clause.atoms
    if not phrase.core or not phrase.core[0].has(Role.ADD, Role.PAINT) or not _draws(phrase):
        return None
    relation = relation_in(atoms)
    if relation is None:
        return None
    if relation.place in ("above", "next to") and _is_the_photo(atoms[relation.after :]):
        return phrase.refused(Reason.AMBIGUOUS, "Say where in the photo: at the top, at the bottom left.")
    named, manner = _with_manner(atoms[relation.after :])
    landmark = landmark_named(named)
    if landmark is None:
        return None
    clause = replace(phrase.clause, atoms=[*atoms[: relation.first], *manner])
    answer = by_form(taken_apart(clause, replace(phrase.scene, boxes=()), PLACED_BESIDE))
    if not isinstance(answer, list) or len(answer) != 1:
        return None
    step = replace(answer[0], words=phrase.span)
    if step.operation not in _PLACED or step.target != WHOLE or step.place is not None:
        return None
    if phrase.scene.boxes:  # which marks the place
        return [replace(step, target=boxed(phrase))]
    is_over = atoms[relation.first].text == "over" and landmark.part == "head"
    return _beside(phrase, step, "above" if is_over else relation.place, landmark)


_PLACED = frozenset({"shape", "arrow", "emoji", "sticker", "text", "speech_bubble"})


def _draws(phrase: Phrase) -> bool:
    return phrase.has(*_DRAWN) or any(photo != 1 for photo in phrase.photos)


def relation_in(atoms: Sequence[Atom]) -> _Relation | None:
    """The first words that place something by something else."""
    for at in range(1, len(atoms) - 1):
        found = _relation_at(atoms, at)
        if found and not _is_a_mere_color(atoms[found.after :]):
            return found
    return None


def _is_a_mere_color(atoms: Sequence[Atom]) -> bool:
    """The "white" of "in white below the dog", unlike "on the white car"."""
    is_led_on = any(atom.has(Role.PREPOSITION, Role.TEXT) for atom in atoms[1:2])
    return bool(atoms) and atoms[0].has(Role.COLOR) and is_led_on


def _relation_at(atoms: Sequence[Atom], at: int) -> _Relation | None:
    texts = [atom.text for atom in atoms[at : at + 5]]
    led = 2 if texts[0] in ("on", "to", "at") and texts[1] == "the" else 1 if texts[0] in ("on", "to") else 0
    side = texts[led] if led < len(texts) else ""
    is_of = texts[led + 1 : led + 2] == ["of"]
    if is_of and (place := _SIDES.get(side)):
        return _Relation(at, at + led + 2, place)
    if texts[0] == "close" and texts[1] == "to":
        return _Relation(at, at + 2, "next to")
    if led and side in ABOVE | BELOW and is_of:  # "on the above of"
        return _Relation(at, at + led + 2, "above" if side in ABOVE else "below")
    if texts[0] == "atop":
        return _Relation(at, at + 1, "on top")
    for words, place in ((ABOVE, "above"), (BELOW, "below"), (_BY, "next to"), (_UPON, "")):
        if texts[0] in words:
            return _Relation(at, at + 1, place)
    if texts[0] == "between":
        return _Relation(at, at + 1, "between")
    return None


_SIDES = {
    **dict.fromkeys(("left", "left side", "left hand side"), "left of"),
    **dict.fromkeys(("right", "right side", "right hand side"), "right of"),
    "top": "on top",
}


def _is_the_photo(atoms: Sequence[Atom]) -> bool:
    telling = [atom for atom in atoms if not is_packing(atom) and not is_article(atom)]
    return len(telling) == 1 and telling[0].has(Role.PHOTO)


def _with_manner(atoms: Sequence[Atom]) -> tuple[Sequence[Atom], Sequence[Atom]]:
    """The name, and an "in white letters" or "in red" behind it that is of what is added: nobody wears it."""
    for at in range(1, len(atoms) - 1):
        tail = [atom for atom in atoms[at + 1 :] if not atom.has(Role.DETERMINER)]
        if atoms[at].text == "in" and tail and tail[0].has(Role.COLOR):
            of_text = len(tail) > 1 and all(atom.text in _LETTERING for atom in tail[1:])
            of_a_thing = len(tail) == 1 and not any(_is_of_people(atom) for atom in atoms[:at])
            if of_text or of_a_thing:
                return atoms[:at], atoms[at:]
    return atoms, ()


_LETTERING = frozenset({"letters", "text", "lettering", "font", "color", "colour", "words"})


def _is_of_people(atom: Atom) -> bool:
    return atom.has(Role.PERSON) or is_someone(str(atom.senses.get(Role.SEEN)))


def landmark_named(atoms: Sequence[Atom]) -> Landmark | None:
    """The thing, the person or the part of one that the words name; None for what is not looked for."""
    telling = [atom for atom in atoms if not is_packing(atom) and (not is_article(atom) or _owns(atom))]
    if not telling or any(
        atom.has(Role.PHOTO, Role.IT, Role.MARKED, Role.BACKGROUND) for atom in telling[:1]
    ):
        return None
    is_described = any(atom.text == "with" for atom in telling)  # "the boy with red hair"
    part = "" if is_described else _part(telling[-1])
    if part:
        owner = telling[:-1]
    elif (part := _part(telling[0])) and telling[1:2] and telling[1].text == "of":
        owner = telling[2:]
    else:
        return _thing(atoms, telling)
    return _part_of(part, owner, is_plural=telling[-1].text.endswith("s") and part != "eyes")


def is_article(atom: Atom) -> bool:
    return atom.has(Role.DETERMINER, Role.THIS)


def _owns(atom: Atom) -> bool:
    return atom.text in ("his", "her", "my", "their", "our", "your")


def _part(atom: Atom) -> str:
    if atom.has(Role.FACE):
        return "face"
    return "head" if atom.text in _HEADS else "eyes" if atom.text in _EYES else ""


def _thing(atoms: Sequence[Atom], telling: Sequence[Atom]) -> Landmark | None:
    if len(telling) == 1 and telling[0].text in _ONE:
        return Landmark(Target("thing", noun="person"))
    if len(telling) == 1 and telling[0].text in ("us", "them", "everyone", "everybody"):
        return Landmark(Target("thing", noun="people"))
    if len(telling) == 1 and telling[0].senses.get(Role.FINDABLE) in _SCENERY:
        return Landmark(Target("thing", noun=str(telling[0].senses[Role.FINDABLE])))
    seen = whole_thing(atoms)
    return Landmark(seen) if seen else None


def _part_of(part: str, owner: Sequence[Atom], *, is_plural: bool) -> Landmark | None:
    """ "His head", "the head of the left dog": a face where it is a person's."""
    names = names_of(owner)
    if not names:
        return Landmark(Target("face", count=None if is_plural else 1), part)
    seen = whole_thing(names)
    if seen is None or not set(kinds_of(seen.noun)) <= LIVING:
        return None
    return Landmark(seen, part)


def names_of(owner: Sequence[Atom]) -> list[Atom]:
    """ "Man" of "the man's"; none of "his"."""
    words = [replace(atom, text=atom.text.removesuffix("'s").strip()) for atom in owner if atom.text != "'s"]
    return [_unowned(atom) for atom in words if atom.text not in _POSSESSIVES]


_POSSESSIVES = frozenset({"his", "her", "my", "their", "our", "your", "of", "s"})


def _unowned(atom: Atom) -> Atom:
    """The "man" of "the man's"."""
    senses = senses_of((atom.text,))
    return atom if Role.SEEN in atom.senses or not senses else replace(atom, senses=senses)


def _beside(phrase: Phrase, step: Wish, place: str, landmark: Landmark) -> Answer | None:
    target, part = landmark
    worn = _worn(step) if place in ("", "on top") else None
    if worn:
        return _put_on(phrase, step, worn, target)
    if place == "between" and not (target.count == 2 and is_plural(target.noun or "")):
        return phrase.refused(Reason.AMBIGUOUS, "Say it of two things of one kind: between the two cups.")
    if part and is_someone(target.noun):
        target = Target("face", place=target.place, count=1)
    elif part and target.what == "thing" and place in ("", "on top"):  # only of people the head is found
        return phrase.refused(Reason.NEEDS_REGION, f"Mark the {part} with a box.")
    if step.operation == "arrow":
        return _aimed(step, place, target)
    is_on_the_head = not place and part == "head" and step.operation != "text"
    return [replace(step, target=target, place="on top" if is_on_the_head else place or None)]


def _aimed(step: Wish, place: str, target: Target) -> Answer | None:
    """An arrow above the dog points down at it."""
    if step.choice is not None or place == "between":
        return None
    return [replace(step, target=target, choice=_POINTING.get(place))]


def _worn(step: Wish) -> str | None:
    """The one emoji of a step, however often, that is worn."""
    is_emoji = step.operation == "emoji"
    return next((worn for worn in WORN if is_emoji and not (step.text or "").replace(worn, "")), None)


def _put_on(phrase: Phrase, step: Wish, worn: str, target: Target) -> Answer:
    """A hat on a head, glasses over the eyes: one for each who is meant."""
    if step.text != worn and not (
        is_plural(target.noun or "") or (target.what == "face" and not target.count)
    ):
        return phrase.refused(Reason.AMBIGUOUS, "Only one can be worn. Say who else wears one.")
    if target.what != "face" and not is_someone(target.noun):
        return phrase.refused(Reason.NEEDS_REGION, f"Mark the {WORN[worn]} with a box.")
    return [replace(step, text=worn, target=target, place=WORN[worn])]
