"""What is to stay as it is: "keep the cool tones", "no need for more contrast", "don't blow out the whites".

Where no other wish moves that quality, nothing has to be done for it; a warning of too much means "a little".
"""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, passed_over
from editor.engine.language.lexicon import is_flaw
from editor.engine.language.lexicon.roles import TONAL, VERBS, Role, Tone


def as_care(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, what no other wish moves made silent, and a warning of too much as "but not too much"."""
    told, start = _kept_from_excess(found), 0
    for at in range(len(told) + 1):
        if at < len(told) and not _divides(told[at]):
            continue
        part, others = told[start:at], [*told[:start], *told[at:]]
        if _warns(part):
            told[start:at] = [
                replace(part[0], text=_CARE, senses={Role.MODERATE: _CARE}, kind="word"),
                *map(passed_over, part[1:]),
            ]
        elif _is_spared(part) and _asks(others) and _moved(part).isdisjoint(_moved(others)):
            told[start:at] = map(passed_over, part)
        elif _keeps_a_part(part):
            told[start:at] = _held(part, others)
        start = at + (at < len(told) and not _leads(told[at]))
    return told


def _kept_from_excess(found: Sequence[Atom]) -> list[Atom]:
    """ "... so the colors are preserved and not completely saturated" without what they are not to be."""
    told = list(found)
    for at in range(2, len(told) - 3):
        is_kept = told[at - 1].text in _KEPT and told[at].has(Role.AND) and told[at + 1].has(Role.NOT)
        is_all = is_kept and told[at + 2].text in _FULLY and told[at + 3].has(Role.ADJECTIVE)
        if is_all and not is_flaw(told[at + 3].text):
            told[at : at + 4] = map(passed_over, told[at : at + 4])
    return told


_FULLY = frozenset({"completely", "fully", "totally", "entirely", "too", "overly"})
_LEADING = frozenset({"so", "without", "without overexposing", "but not"})


def _leads(atom: Atom) -> bool:
    """Whether it belongs to what follows it."""
    return atom.has(Role.PURPOSE, Role.WITHOUT) or atom.text in _LEADING


def _divides(atom: Atom) -> bool:
    is_joint = atom.has(Role.BUT, Role.AND, Role.THEN)
    return atom.kind in ("stop", "comma") or is_joint or _leads(atom)


_CARE = "but not too much"


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
    told = part[: next((at for at in range(denies, len(part)) if _tells_whose(part, at)), len(part))]
    named = [atom for atom in told if not (atom.has(*_DENYING) or _is_excess(atom) or _is_small(atom))]
    is_led = denies == 0 or not part[0].has_any(VERBS) or part[0].text == "make"
    if part[denies].text == "not" and not any(atom.text in _AUXILIARY | _SURE for atom in part):
        return False  # "natural and not washed out" asks for more
    return is_led and not _EXCESS.isdisjoint(words) and all(atom.has(*_LIT) for atom in named)


def _tells_whose(part: Sequence[Atom], at: int) -> bool:
    """The "of the car" of "without washing out the white of the car"."""
    return part[at].text == "of" and at > 0 and part[at - 1].has(Role.COLOR, Role.QUALITY)


_AUXILIARY = frozenset({"do", "does", "be", "need to", "needs to", "have to", "has to"})
_DENYING = (Role.NOT, Role.MODERATE, Role.EXCEPT)
_EXCESS = frozenset(
    {"blow", "blown", "overexpose", "overexposed", "overexposing", "overdone", "overdo", "wash"}
)
_EXCESS |= {"washed", "drastic", "dramatic", "extreme", "clip", "clipped", "oversaturated", "crazy"}
_EXCESS |= {"washing", "blowing", "clipping", "burning"}


def _is_excess(atom: Atom) -> bool:
    return not _EXCESS.isdisjoint(atom.text.split())


def _is_small(atom: Atom) -> bool:
    return atom.has(Role.DETERMINER, Role.FILLER, Role.BE, Role.AMOUNT) or atom.text in _SURE


_SURE = frozenset({"make", "sure", "ensure", "ensure that", "that", "out", "up", "get", "too", "increase"})
_SURE |= {"increases"}
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
    is_needless |= bool(left) and left[0].has(Role.NO) and any(map(_is_more, left[1:]))
    is_needless &= not any(is_flaw(atom.text) or _of_light(atom) in ("blur", "denoise") for atom in left)
    is_kept = bool(left) and any(atom.has(Role.BE) for atom in left) and left[-1].text in _KEPT
    named = [atom for atom in left if _is_a_quality(atom) or (is_kept and atom.has(Role.COLORS))]
    rest = [atom for atom in left if atom not in named]
    is_plain = all(atom.has(*_KEEPING) or atom.text in _KEPT | {"for", "dominant", "so"} for atom in rest)
    return bool(named) and is_plain and (keeps or is_needless or is_kept)


def _is_more(atom: Atom) -> bool:
    """The "more" of "no more contrast", the gerund of "no sharpening"; of noise there is to be none."""
    is_gerund = atom.text.endswith("ing") and atom.has(Role.QUALITY)
    return atom.has(Role.MORE) or atom.text in ("added", "further") or is_gerund


def _is_a_quality(atom: Atom) -> bool:
    """The contrast, and not the shadows, which may be those of a thing."""
    return atom.has(Role.QUALITY, Role.CAST) and not atom.has(Role.NOUN)


def _keeps_a_part(part: Sequence[Atom]) -> bool:
    """ "But preserve the darks", "keep the shadows dark"."""
    left = [atom for atom in part if not atom.has(Role.FILLER, Role.DETERMINER, Role.BUT)]
    keeps = len(left) > 1 and (left[0].has(Role.KEEP) or left[0].text.startswith("but "))
    if not keeps or _of_light(left[1]) not in ("shadows", "highlights"):
        return False
    is_as_it_is = [atom.text in _AS_IT_IS[_of_light(left[1])] for atom in left[2:]] in ([], [True])
    return is_as_it_is and left[1].text not in GLEAM


_AS_IT_IS = {"shadows": frozenset({"dark", "deep", "black"}), "highlights": frozenset({"bright", "white"})}
GLEAM = frozenset({"shine", "glow", "shininess"})
"""What more light only strengthens."""


def _of_light(atom: Atom) -> str:
    tone = atom.senses.get(Role.QUALITY)
    return tone.operation if isinstance(tone, Tone) else ""


_PARTS = (Role.NOUN, Role.PERSON, Role.SUBJECT, Role.FACE, Role.BACKGROUND, Role.FINDABLE, Role.PLACE)


def _held(part: Sequence[Atom], others: Sequence[Atom]) -> list[Atom]:
    """ "Then darken the darks a little", where the rest is brightened; as it is where the light stays."""
    tones = [atom.senses.get(role) for atom in others for role in (Role.TONE, Role.ADJECTIVE)]
    signs = {tone.sign for tone in tones if isinstance(tone, Tone) and tone.operation == "brightness"}
    if len(signs) != 1 or any(atom.has(*_PARTS) and not atom.has(Role.PHOTO) for atom in others):
        return list(part)
    named = next(atom for atom in part if _of_light(atom))
    sign = -signs.pop()
    tone, text = Tone("brightness", sign), "lighten" if sign > 0 else "darken"
    verb = replace(part[0], text=text, senses={Role.TONE: tone}, kind="word")
    then = replace(part[0], end=part[0].start, text="then", senses={Role.THEN: "then"}, kind="word")
    little = replace(named, text="a little", senses={Role.AMOUNT: 0.2}, kind="word")
    return [then, verb, named, little]


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
