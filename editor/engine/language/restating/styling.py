"""Styles as they are praised: "craft a timeless scene with the depth of a watercolor"."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, is_packing
from editor.engine.language.lexicon.roles import Role
from editor.engine.language.lexicon.styles import INFUSING, OF_A_STYLE, PRAISE, PRAISING


def styled(found: Sequence[Atom]) -> list[Atom]:
    """The atoms of such a sentence as "turn the photo into a watercolor"; others as they are."""
    told = [atom for atom in found if not is_packing(atom)]
    link = next((at for at, atom in enumerate(told) if atom.text in _TOWARDS), 0)
    last = max((at for at, atom in enumerate(told) if _is_a_style(atom)), default=0)
    is_of_all = link > 1 and _is_of_the_photo(told[link - 1])
    if not (is_of_all and link < last and _ends_there(told[last + 1 :]) and not any(map(_shows, told))):
        return list(found)
    verb = replace(told[0], text="turn", senses={Role.CHANGE: "turn"})
    photo = replace(told[link - 1], text="photo", senses={Role.PHOTO: "photo"})
    into = replace(told[link], text="into", senses={Role.PREPOSITION: "into"})
    return [verb, photo, into, *(atom for atom in told if _is_a_style(atom))]


PRAISES = PRAISING | {"produce", "generate", "create", "transport", "project", "compose"}
"""The first words of such sentences."""
_TOWARDS = frozenset(
    {"through", "with", "using", "in", "into", "to", "of", "reminiscent", "that", "inspired", "as", "by"}
)


def _is_a_style(atom: Atom) -> bool:
    return atom.has(Role.STYLE) or (atom.has(Role.LOOK) and atom.senses[Role.LOOK] in _LOOKS)


_LOOKS = frozenset({"black_and_white", "neon", "noir", "sepia"})
"""Looks that are asked for in these words; "dreamy" and "dark" only praise."""


def _is_of_the_photo(atom: Atom) -> bool:
    """What the sentence says that it makes: the photo, or a quality of it, and no thing."""
    return atom.text in PRAISE or atom.has(Role.PHOTO, Role.QUALITY, Role.COLORS)


def _ends_there(rest: Sequence[Atom]) -> bool:
    return all(
        atom.text in OF_A_STYLE | INFUSING | _ELEMENTS or atom.has(Role.PHOTO, Role.EFFECT) for atom in rest
    )


_ELEMENTS = frozenset({"drawings", "paintings", "sketches", "prints"})
_ELEMENTS |= frozenset({"inspired", "elements", "element", "setting", "world", "aesthetics", "tones", "in"})


def _shows(atom: Atom) -> bool:
    """Whether it names what is to be seen, or refuses something."""
    is_thing = atom.has(*_SHOWN) and not atom.has(Role.PHOTO, Role.STYLE, Role.LOOK, Role.QUALITY)
    return is_thing and atom.text not in PRAISE | _ELEMENTS


_SHOWN = (
    *(Role.SEEN, Role.NOUN, Role.PERSON, Role.FACE, Role.SUBJECT, Role.BACKGROUND, Role.COLOR, Role.QUOTED),
    *(Role.NOT, Role.NO, Role.WITHOUT, Role.EXCEPT, Role.KEEP, Role.REMOVE, Role.TEXT, Role.MARKED),
)
