"""The state of a walk through a clause of qualities, and what its steps look at."""

from dataclasses import dataclass, field, replace

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.phrases import Phrase

UNMARKED, MORE = 0.35, 0.4


@dataclass(frozen=True, slots=True)
class Item:
    """A quality that a clause moves, and where in the clause it stands."""

    tone: Tone
    at: int


@dataclass(frozen=True, slots=True)
class Note:
    """An amount, where in the clause it stands, and whether it leads what comes after it."""

    at: int
    size: float
    exact: tuple[float, str] | None = None
    leads: bool = False


@dataclass(slots=True)
class Walk:
    """The state of a walk through a clause of qualities: "a bit brighter and much less yellow"."""

    direction: int | None = None
    marked: int | None = None  # by "more", "less" or "too", until the next one
    has_more: bool = False
    items: list[Item] = field(default_factory=list)
    amounts: list[Note] = field(default_factory=list)
    things: list[Atom] = field(default_factory=list)
    colors_at: int | None = None
    colors_sign: int = 0
    colors_are_listed: bool = False  # "contrast and colors", unlike "color contrast"
    colors_are_apart: bool = False  # "brighter and a bit of color", unlike "brighter colors"
    is_descriptive: bool = False
    verb: Atom | None = None
    governing: Tone | None = None  # "brighten the shadows": the verb's own direction, for its object
    past: int = -1  # words up to here belong to the word before them
    failure: str = ""


def turn(walk: Walk, sign: int) -> bool:
    """Gives a direction to the qualities that were named without one; False when there are none."""
    idle = any(not item.tone.sign for item in walk.items)
    walk.items = [item if item.tone.sign else turned(item, sign) for item in walk.items]
    return idle


def slide(walk: Walk, sign: int) -> bool:
    """As `turn`, of "shadows up": the slider of the shadows lights them, and more shadow is darker."""
    idle = any(not item.tone.sign for item in walk.items)
    walk.items = [item if item.tone.sign else _slid(item, sign) for item in walk.items]
    return idle


def _slid(item: Item, sign: int) -> Item:
    is_shadow = item.tone.operation == "shadows"
    return replace(item, tone=replace(item.tone, sign=sign)) if is_shadow else turned(item, sign)


def turned(item: Item, sign: int) -> Item:
    return replace(item, tone=replace(item.tone, sign=BY_NATURE.get(item.tone.operation, 1) * sign))


WANTED = frozenset({"brightness", "exposure", "contrast", "saturation", "vibrance", "sharpness", "clarity"})
"""Of what one mostly wants more, and which "more" can be said of without another word."""


def closes(phrase: Phrase, at: int) -> bool:
    """Whether nothing follows that a word could be of: an "and" may."""
    after = phrase.core[at + 1 : at + 2]
    return not after or after[0].has(Role.AND)


def opens_a_change(walk: Walk) -> bool:
    """Whether nothing has told yet which way it goes: "adjust the contrast", "change the brightness"."""
    is_open = walk.verb is None or walk.verb.has(Role.ADJUST, Role.CHANGE)
    are_wanted = all(item.tone.operation in WANTED for item in walk.items)
    return is_open and are_wanted and not walk.direction and walk.marked is None


BY_NATURE = {"shadows": -1, "denoise": -1, "dehaze": -1}
"""What grows where the operation falls: more shadow is a darker photo, more noise a worse one."""


def neighbor(phrase: Phrase, atom: Atom, step: int) -> Atom | None:
    """The atom of the clause before (-1) or after (1) this one, articles and courtesy left out."""
    atoms = phrase.clause.atoms
    at = next(i for i, other in enumerate(atoms) if other is atom) + step
    skipped = (Role.DETERMINER, Role.FILLER, Role.WHOLE, Role.AMOUNT, *((Role.PHOTO,) if step > 0 else ()))
    while 0 <= at < len(atoms) and atoms[at].has_any(skipped):
        at += step
    return atoms[at] if 0 <= at < len(atoms) else None


def is_contracted(phrase: Phrase) -> bool:
    """ "It's blurry", but not "... so it's not so bright", which tells what is wanted."""
    opening = next((atom for atom in phrase.clause.atoms if not atom.has(Role.FILLER)), None)
    is_told = phrase.clause.joint != "purpose"
    return is_told and opening is not None and opening.text in ("it 's", "it's", "its")


def is_joined(phrase: Phrase, atom: Atom) -> bool:
    """Whether an "and" or a comma stands right before the atom."""
    before = neighbor(phrase, atom, -1)
    return before is not None and (before.has(Role.AND) or before.kind == "comma")
