"""What is to stay as it is: "keep the cool tones", "no need for more contrast", "don't blow out the whites".

Where no other wish moves that quality, nothing has to be done for it; a warning of too much means "a little".
"""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom
from editor.engine.language.lexicon.roles import TONAL, VERBS, Role, Tone


def as_care(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, what no other wish moves made silent, and a warning of too much as "but not too much"."""
    told, start = list(found), 0
    for at in range(len(told) + 1):
        if at < len(told) and not _divides(told[at]):
            continue
        part, others = told[start:at], [*told[:start], *told[at:]]
        if _warns(part):
            told[start:at] = [
                replace(part[0], text=_CARE, senses={Role.MODERATE: _CARE}, kind="word"),
                *map(_silent, part[1:]),
            ]
        elif _is_spared(part) and _asks(others) and _moved(part).isdisjoint(_moved(others)):
            told[start:at] = map(_silent, part)
        start = at + (at < len(told) and not _leads(told[at]))
    return told


_LEADING = frozenset({"so", "without", "without overexposing", "but not"})


def _leads(atom: Atom) -> bool:
    """Whether it belongs to what follows it."""
    return atom.has(Role.PURPOSE, Role.WITHOUT) or atom.text in _LEADING


def _divides(atom: Atom) -> bool:
    is_joint = atom.has(Role.BUT, Role.AND, Role.THEN)
    return atom.kind in ("stop", "comma") or is_joint or _leads(atom)


_CARE = "but not too much"


def _silent(atom: Atom) -> Atom:
    return replace(atom, senses={Role.FILLER: True}, kind="word")


def _asks(others: Sequence[Atom]) -> bool:
    return any(atom.has_any(VERBS | TONAL) for atom in others)


def _warns(part: Sequence[Atom]) -> bool:
    """ "Make sure the whites don't blow out", "without overexposing the sky", "it need not be drastic"."""
    denies = next((at for at, atom in enumerate(part) if atom.has(*_DENYING)), None)
    if denies is None:
        return False
    if all(atom.has(Role.AMOUNT) for atom in part[denies + 1 :]) and len(part) == denies + 2:
        return denies == 0  # "but not much"
    words = [word for atom in part[denies:] for word in atom.text.split()]
    named = [atom for atom in part if not (atom.has(*_DENYING) or _is_excess(atom) or _is_small(atom))]
    is_led = denies == 0 or not part[0].has_any(VERBS) or part[0].text == "make"
    if part[denies].text == "not" and not any(atom.text in _AUXILIARY | _SURE for atom in part):
        return False  # "natural and not washed out" asks for more
    return is_led and not _EXCESS.isdisjoint(words) and all(atom.has(*_LIT) for atom in named)


_AUXILIARY = frozenset({"do", "does", "be", "need to", "needs to", "have to", "has to"})
_DENYING = (Role.NOT, Role.MODERATE, Role.EXCEPT)
_EXCESS = frozenset(
    {"blow", "blown", "overexpose", "overexposed", "overexposing", "overdone", "overdo", "wash"}
)
_EXCESS |= {"washed", "drastic", "dramatic", "extreme", "clip", "clipped", "oversaturated", "crazy"}


def _is_excess(atom: Atom) -> bool:
    return not _EXCESS.isdisjoint(atom.text.split())


def _is_small(atom: Atom) -> bool:
    return atom.has(Role.DETERMINER, Role.FILLER, Role.BE, Role.AMOUNT) or atom.text in _SURE | _SMALL


_SMALL = frozenset({"make", "that", "out", "up", "get", "too", "increase", "increases"})
_SURE = frozenset(
    {"make", "sure", "ensure", "ensure that", "that", "out", "up", "get", "too", "increase", "increases"}
)
_LIT = (Role.PHOTO, Role.IT, Role.FINDABLE, Role.COLORS, Role.COLOR, Role.QUALITY, Role.FACE, Role.BACKGROUND)


def _is_spared(part: Sequence[Atom]) -> bool:
    """ "Keep the cool tones", "leave the saturation alone", "no need for more contrast", "so the colors are
    preserved"."""
    left = [atom for atom in part if not atom.has(Role.FILLER, Role.DETERMINER, Role.PURPOSE)]
    texts = {word for atom in part for word in atom.text.split()}
    keeps = bool(left) and left[0].has(Role.KEEP, Role.WITHOUT)
    is_needless = "need" in texts | {text.removesuffix("ed") for text in texts} and any(
        atom.has(Role.NO, Role.NOT) for atom in part
    )
    is_kept = bool(left) and any(atom.has(Role.BE) for atom in left) and left[-1].text in _KEPT
    named = [atom for atom in left if _is_a_quality(atom) or (is_kept and atom.has(Role.COLORS))]
    rest = [atom for atom in left if atom not in named]
    is_plain = all(atom.has(*_KEEPING) or atom.text in _KEPT | {"for", "dominant", "so"} for atom in rest)
    return bool(named) and is_plain and (keeps or is_needless or is_kept)


def _is_a_quality(atom: Atom) -> bool:
    """The contrast, and not the shadows, which may be those of a thing."""
    return atom.has(Role.QUALITY, Role.CAST) and not atom.has(Role.NOUN)


_KEPT = frozenset({"preserved", "kept", "maintained", "retained", "intact"})
_KEEPING = (Role.KEEP, Role.WITHOUT, Role.UNCHANGED, Role.NO, Role.NOT, Role.BE, Role.MORE, Role.ADJECTIVE)
_GROUPS = {"exposure": "brightness", "vibrance": "saturation", "tint": "warmth"}
_ANYTHING = (
    Role.VAGUE,
    Role.ENHANCE,
    Role.LOOK,
    Role.STYLE,
    Role.BALANCE,
    Role.RESTORE,
    Role.PAINT,
    Role.REPLACE,
)
_ALL = frozenset({"brightness", "contrast", "saturation", "warmth", "sharpness", "clarity"})


def _moved(atoms: Sequence[Atom]) -> frozenset[str]:
    """The qualities that the words name, those alike as one; of a look every one."""
    if any(atom.has(*_ANYTHING) and not atom.has(Role.COLORS) for atom in atoms):
        return _ALL
    tones = [value for atom in atoms for value in atom.senses.values() if isinstance(value, Tone)]
    moved = {_GROUPS.get(tone.operation, tone.operation) for tone in tones}
    moved |= {"shadows", "highlights"} if "brightness" in moved else set()
    moved |= {"saturation"} if any(atom.has(Role.COLORS) for atom in atoms) else set()
    moved |= {"warmth"} if any(atom.has(Role.COLOR, Role.CAST) for atom in atoms) else set()
    return frozenset(moved)
