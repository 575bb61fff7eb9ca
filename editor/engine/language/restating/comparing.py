"""Descriptions of a photo before and after: "the second image is brighter and clearer than the first".

Where only one photo is given, the other one is what it is to become.
"""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, passed_over
from editor.engine.language.lexicon import is_flaw
from editor.engine.language.lexicon.roles import VERBS, Role, Tone

_WORDS = frozenset({"right", "left", "second", "first", "2 nd", "1 st", "2", "1", "after", "before"})
_WORDS |= {"input", "original", "edited"}


def as_one_photo(found: list[Atom]) -> list[Atom]:
    """The atoms, "the second image" as "the desired image" where it is only told what it is like."""
    texts = {atom.text for atom in found}
    found = found if texts.isdisjoint(_INPUTS) else _told_apart(found)
    if texts.isdisjoint(_WORDS):
        return found
    told, start = list[Atom](), 0
    for at in range(len(found) + 1):
        if at == len(found) or found[at].kind == "stop":
            sentence = found[start:at]
            is_measure = _is_the_measure(sentence) and len(sentence) < len(found) - 1
            told += [
                *(map(passed_over, sentence) if is_measure else _compared(sentence)),
                *found[at : at + 1],
            ]
            start = at + 1
    return told


def _compared(sentence: Sequence[Atom]) -> Sequence[Atom]:
    told, at = list[Atom](), 0
    while at < len(sentence):
        opens = (
            not told or told[-1].kind == "comma" or told[-1].text in ("than", "to") or told[-1].has(Role.AND)
        )
        after, name = _photo(sentence, at) if opens else (at, "")
        if name:
            photo = replace(sentence[at], end=sentence[after - 1].end, text=f"{name} image")
            told.append(replace(photo, senses={Role.PHOTO: photo.text}))
        else:
            told.append(sentence[at])
        at = max(after, at + 1)
    return told if _is_told(told, sentence) else sentence


def _told_apart(found: Sequence[Atom]) -> list[Atom]:
    """ "The desired picture is clear the input image is dull": the stop was left out."""
    told = list[Atom]()
    for at, atom in enumerate(found):
        photo = at + 1 if atom.has(Role.DETERMINER) else at
        is_told = photo + 1 < len(found) and found[photo + 1].has(Role.BE)
        is_told = is_told and found[photo].text in _INPUTS and len(told) > 3 and not told[-1].has(*_LEADING)
        if is_told and told[-1].kind == "word" and told[-1].has(Role.PHOTO, Role.ADJECTIVE):
            told.append(Atom(".", atom.start, atom.start, {}, "stop"))
        told.append(atom)
    return told


_INPUTS = frozenset({"input image", "input photo", "input picture", "original image", "original photo"})
_LEADING = (Role.DETERMINER, Role.PREPOSITION, Role.AND, Role.PURPOSE)


def _is_the_measure(sentence: Sequence[Atom]) -> bool:
    """ "Like the image on the right.", behind a wish: how far it is to go."""
    photo, name = _photo(sentence, 1) if sentence and sentence[0].text in ("like", "as in") else (0, "")
    return name == "desired" and all(atom.has(Role.FILLER) for atom in sentence[photo:])


def _photo(sentence: Sequence[Atom], first: int) -> tuple[int, str]:
    """Where a name of the photo before or after ends, and which it is."""
    at = first
    while at < len(sentence) and sentence[at].has(Role.DETERMINER, Role.THIS, Role.FILLER):
        at += 1
    texts = [atom.text for atom in sentence[at : at + 4]]
    if not texts:
        return first, ""
    is_photo = sentence[at].has(Role.PHOTO) or texts[0] == "one"
    if is_photo and texts[1:] and texts[1] in _NUMBERS:  # "photo 2"
        return at + 2, _WHICH[texts[1]]
    sides = [atom for atom in sentence[at + 1 : at + 4] if not atom.has(Role.DETERMINER)]
    if is_photo and len(sides) > 1 and sides[0].text in ("on", "to") and sides[1].text in _SIDES:
        return at + 1 + sentence[at + 1 :].index(sides[1]) + 1, _WHICH[sides[1].text]
    if texts[0] not in _WHICH or texts[0] in _NUMBERS:
        return first, ""
    names = len(texts) > 1 and (sentence[at + 1].has(Role.PHOTO) or texts[1] == "one")
    is_bare = first < at and (at + 1 == len(sentence) or sentence[at + 1].has(Role.BE))  # "than the first"
    return (at + 2 if names else at + 1, _WHICH[texts[0]]) if names or is_bare else (first, "")


_NUMBERS = frozenset({"1", "2"})
_SIDES = frozenset({"right", "left"})
_WHICH = {
    **dict.fromkeys(("right", "second", "2 nd", "2", "edited", "desired", "after"), "desired"),
    **dict.fromkeys(("left", "first", "1 st", "1", "input", "original", "before"), "input"),
}


def _is_told(told: Sequence[Atom], sentence: Sequence[Atom]) -> bool:
    """Whether it opens with a photo, and only tells what that is like; that the left one is worse, and of
    the other nothing, may be a complaint."""
    photo = next((at for at, atom in enumerate(told) if not atom.has(Role.FILLER, Role.DETERMINER)), 0)
    verb = next((at for at, atom in enumerate(told) if atom.has(Role.BE) or atom.text in _TELLING), 0)
    is_led = verb == photo + 1 and told[photo].text.startswith(_NAMES)
    asks = any(atom.has_any(VERBS) and not _is_a_quality(atom) for atom in told)
    others = [atom for atom in told[verb:] if not _is_a_quality(atom)]
    is_named = any(atom.has(Role.NOUN, Role.PLACE, Role.FINDABLE) for atom in others)
    return is_led and not asks and not is_named and (_is_sure(told, sentence) or _is_better(told[photo:]))


_SURE = frozenset({"input", "original", "edited", "after", "before"})
_NAMES = ("desired ", "input ")


def _is_sure(told: Sequence[Atom], sentence: Sequence[Atom]) -> bool:
    """Whether both photos are named, or the one that is, by what it is."""
    names = [atom for atom in told if atom.has(Role.PHOTO) and atom.text.startswith(("desired", "input"))]
    return len(names) > 1 or any(atom.text in _SURE for atom in sentence)


def _is_better(told: Sequence[Atom]) -> bool:
    is_worse = any(is_flaw(atom.text) or atom.has(Role.LESS) or _falls(atom) for atom in told)
    return told[0].text.startswith("desired ") and any(map(_compares, told)) and not is_worse


_TELLING = frozenset({"has", "have", "having", "seem", "seems", "look", "looks"})


def _is_a_quality(atom: Atom) -> bool:
    return atom.has(Role.QUALITY, Role.ADJECTIVE, Role.COLORS, Role.MORE, Role.PHOTO)


def _compares(atom: Atom) -> bool:
    tone = atom.senses.get(Role.ADJECTIVE)
    return atom.has(Role.MORE) or (isinstance(tone, Tone) and tone.comparative)


def _falls(atom: Atom) -> bool:
    tone = atom.senses.get(Role.ADJECTIVE)
    return isinstance(tone, Tone) and (tone.sign < 0 or tone.operation == "blur")
