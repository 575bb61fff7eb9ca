"""Complaints that a photo leans or lies the wrong way, told as commands: "the tower is tilted", "it's upside
down"; and what should stand upright in it, which shows how far: "straighten the building"."""

from collections.abc import Sequence
from itertools import takewhile

from editor.engine.language.grammar import Atom, Measure, is_packing
from editor.engine.language.lexicon import Role

LEANING = "leaning"
UPSIDE_DOWN = "upside down"
SIDEWAYS = "sideways"


def set_upright(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, each such complaint made the command that mends it."""
    told, texts = list(found), {atom.text for atom in found}
    if texts.isdisjoint(_TELLING):
        return told
    for start, end in reversed(_segments(told)):
        said = [atom for atom in told[start:end] if _is_said(atom)]
        if _leans(said) and not _is_of_a_thing(told[:start], said):
            told[start:end] = [_command(said, LEANING, Role.STRAIGHTEN, LEANING)]
        elif _lies(said):
            told[start:end] = _turn(said)
        elif _straightens(said):
            told[start:end] = [_command(said, "straighten", Role.STRAIGHTEN, "straighten")]
    return told


def _segments(found: Sequence[Atom]) -> list[tuple[int, int]]:
    """From and to where the words stand together, between stops, commas and joints."""
    ends = [at for at, atom in enumerate(found) if _parts(atom)]
    return list(zip([0, *(end + 1 for end in ends)], [*ends, len(found)], strict=True))


def _parts(atom: Atom) -> bool:
    return atom.kind in ("stop", "comma") or atom.has(Role.AND, Role.THEN, Role.BUT) or atom.text == "so"


def _is_said(atom: Atom) -> bool:
    return atom.text in _IS or atom.has(Role.STRAIGHTEN) or not is_packing(atom)  # "level" is both


def _command(said: Sequence[Atom], text: str, role: Role, meaning: object) -> Atom:
    """One atom in place of these words."""
    return Atom(text, said[0].start, said[-1].end, {role: meaning})


def _leans(said: Sequence[Atom]) -> bool:
    """Whether it is told of the photo, its horizon, or what stands upright in it, and nothing else is."""
    name = list(takewhile(lambda atom: not (atom.has(Role.BE, Role.NOT) or atom.text in _LEANING), said))
    name = name or list(said[:1])
    texts = {atom.text for atom in said[len(name) :]}
    is_side = bool(said) and name[-1].has(Role.PLACE) and not texts.isdisjoint(_HIGHER)
    is_crooked = not texts.isdisjoint(_LEANING) and (any(map(_stands, name)) or name[0].text in _IS)
    is_plain = all(_stands(atom) or atom.has(*_NAMING) or atom.text in _IS for atom in name)
    return is_plain and (is_side or is_crooked) and all(map(_tells_how, said[len(name) :]))


def _stands(atom: Atom) -> bool:
    return atom.has(Role.PHOTO, Role.HORIZON, Role.IT) or atom.text in _UPRIGHT


def _tells_how(atom: Atom) -> bool:
    return atom.has(*_HOW) or atom.text in _LEANING | _HIGHER | {"than"}


def _is_of_a_thing(before: Sequence[Atom], said: Sequence[Atom]) -> bool:
    """The "it" of "the hat looks good, but it's crooked"."""
    is_it = not any(_stands(atom) and not atom.has(Role.IT) for atom in said)
    return is_it and any(atom.has(Role.NOUN, Role.PERSON) and not _stands(atom) for atom in before)


def _lies(said: Sequence[Atom]) -> bool:
    """ "The photo came out sideways"."""
    told = (Role.PHOTO, Role.IT, Role.THIS, Role.BE, Role.DETERMINER)
    is_it = all(atom.has(*told) or atom.text in _IS | _CAME for atom in said[:-1])
    return len(said) > 1 and said[-1].text in _WAYS and is_it


def _turn(said: Sequence[Atom]) -> list[Atom]:
    way = _WAYS[said[-1].text]
    half, upright = (Role.MEASURE, Measure(180.0, "degrees")), (Role.UPRIGHT, way)
    return [
        _command(said, way, Role.ROTATE, way),
        _command(said, way, *(half if way == UPSIDE_DOWN else upright)),
    ]


def _straightens(said: Sequence[Atom]) -> bool:
    """ "Straighten the building", "make the tower stand upright"; "make it upright" is a turn."""
    opens = bool(said) and (said[0].has(Role.STRAIGHTEN, Role.MAKE) or said[0].text == "align")
    texts = {atom.text for atom in said}
    is_straight = not texts.isdisjoint(_LEVEL) or not (texts.isdisjoint(_ERECT) or texts.isdisjoint(_UPRIGHT))
    return opens and is_straight and any(map(_stands, said)) and all(map(_tells_of_it, said))


def _tells_of_it(atom: Atom) -> bool:
    return _stands(atom) or atom.has(*_TOLD) or atom.text in _LEVEL | _ERECT | _ENSURING | _LEANING


_TOLD = (Role.MAKE, Role.DETERMINER, Role.AMOUNT, Role.WHOLE, Role.BE, Role.THIS)
_ENSURING = frozenset({"sure", "make sure", "that", "with", "to"})
_HOW = (Role.BE, Role.PLACE, Role.AMOUNT, Role.TOO, Role.DETERMINER, Role.PREPOSITION)
_NAMING = (Role.DETERMINER, Role.THIS, Role.PLACE, Role.WHOLE, Role.AMOUNT, Role.TOO)
_IS = frozenset({"it 's", "it's", "it is", "this is", "that 's", "the whole"})
_CAME = frozenset({"came", "out", "got", "uploaded", "turned", "was"})
_WAYS = {"upside down": UPSIDE_DOWN, "upside-down": UPSIDE_DOWN, "sideways": SIDEWAYS}
_LEANING = frozenset(
    {
        *(
            "tilted",
            "crooked",
            "slanted",
            "leaning",
            "leans",
            "lean",
            "slopes",
            "sloping",
            "sloped",
            "slants",
        ),
        *("slanting", "tilting", "tilts", "skewed", "lopsided", "askew", "wonky"),
    }
)
_HIGHER = frozenset({"higher", "lower"})
_UPRIGHT = frozenset(
    {
        *("building", "buildings", "tower", "towers", "house", "houses", "wall", "walls", "church"),
        *("lighthouse", "column", "columns", "window", "windows", "door", "doors", "skyline", "waterline"),
        *("shoreline", "sea", "ocean", "line", "lines", "verticals", "skyscraper", "skyscrapers", "lake"),
    }
)
_LEVEL = frozenset(
    {"straighten", "straighten out", "straighten up", "straight", "straighter", "level", "level out", "align"}
)
_ERECT = frozenset({"upright", "vertical", "stand", "up", "look"})
_TELLING = _LEANING | _HIGHER | _WAYS.keys() | _LEVEL | _ERECT
