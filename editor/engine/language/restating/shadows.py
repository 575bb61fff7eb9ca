"""Shadows beside a wish for light: "brighten the photo, removing the shadow", "a bit brighter, shadow gone".

There a shadow is no thing that could be erased: the dark tones are to be lighter.
"""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, is_packing
from editor.engine.language.lexicon.roles import Role, Tone
from editor.engine.language.restating.ways import end_of_wish, start_of_wish

SHADOWS = frozenset({"shadow", "shadows"})
"""One of these stands where a shadow is spoken of."""


def with_lifted_shadows(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, with "lighten the shadows" where they are to be gone."""
    return _gone(_removed(found))


def lightened(verb: Atom, noun: Atom) -> tuple[Atom, Atom]:
    """ "Lighten the shadows" in the place of a verb and its object."""
    lighten = replace(verb, text="lighten", senses={Role.TONE: Tone("brightness", 1)})
    return lighten, replace(noun, text="shadows", senses={Role.QUALITY: Tone("shadows", -1)})


def brightens(atom: Atom) -> bool:
    """Whether it is a verb like "brighten", "lighten up"."""
    meaning = atom.senses.get(Role.TONE)
    return isinstance(meaning, Tone) and (meaning.operation, meaning.sign) == ("brightness", 1)


def _removed(found: Sequence[Atom]) -> list[Atom]:
    """ "Brighten the photo, removing the shadow"."""
    told = list(found)
    for at in range(2, len(told)):
        is_last = at + 1 == len(told) or told[at + 1].kind == "stop"
        verb = at - 2 if told[at - 1].has(Role.DETERMINER) else at - 1
        if told[at].text not in SHADOWS or not is_last or not told[verb].has(Role.REMOVE):
            continue
        start = next((i + 1 for i in range(verb - 1, -1, -1) if told[i].kind == "stop"), 0)
        before = told[start:verb]
        if any(map(brightens, before)) and any(atom.has(Role.PHOTO) for atom in before):
            told[verb], told[at] = lightened(told[verb], told[at])
    return told


def _gone(found: Sequence[Atom]) -> list[Atom]:
    """ "A bit brighter, shadow gone"."""
    told = list(found)
    tones = [atom.senses.get(role) for atom in told for role in (Role.ADJECTIVE, Role.TONE)]
    lights = [tone for tone in tones if isinstance(tone, Tone) and tone.operation == "brightness"]
    is_lit = any(tone.sign > 0 for tone in lights)
    is_plain = not any(atom.has(Role.NOUN) and not atom.has(Role.QUALITY, Role.PHOTO) for atom in told)
    for at in range(1, len(told) * (is_lit and is_plain)):
        start, end = start_of_wish(told, at), end_of_wish(told, at)
        part = [atom for atom in told[start:end] if not is_packing(atom) and not atom.has(Role.DETERMINER)]
        if [atom.text in _GONE for atom in part[1:]] == [True] and part[0].text in SHADOWS:
            then = replace(told[start], text="then", senses={Role.THEN: "then"}, kind="word")
            told[start:end] = [then, *lightened(told[start], part[0])]
    return told


_GONE = frozenset({"gone", "removed", "away", "out"})
