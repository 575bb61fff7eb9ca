"""The light and the dark parts of a photo: "make the dark parts brighter", "add blue to the shadows"."""

from dataclasses import replace

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, is_flaw
from editor.engine.language.phrases import Phrase
from editor.engine.language.tone.walk import Item, Walk, neighbor

_PARTS = ("highlights", "shadows")
_LIGHT = ("brightness", "exposure")
_PLACING = frozenset({"in", "of", "to", "on", "from", "for", "within"})


def settle_lights(walk: Walk, phrase: Phrase) -> None:
    """Gives the light and dark parts that a clause names the direction that the clause gives to them."""
    walk.items = [item for item in walk.items if not _is_only_described(item, walk, phrase)]
    for part in [item for item in walk.items if _is_a_part(item, phrase)]:
        before = neighbor(phrase, phrase.core[part.at], -1)
        if before is not None and before.text in _PLACING:
            _settle_placed(walk, part)
        else:
            _settle_described(walk, part, phrase)


def _is_only_described(item: Item, walk: Walk, phrase: Phrase) -> bool:
    """The light of "make the lighting warmer", the temperature of "make the color temperature cooler"."""
    makes = walk.verb is not None and walk.verb.has(Role.MAKE, Role.ADJUST) and not _is_marked(item, phrase)
    after = next((other for other in walk.items if other.at > item.at), None)
    if not makes or after is None or not phrase.core[item.at].has(Role.QUALITY):
        return False
    is_next = not any(atom.has(Role.AND) for atom in phrase.core[item.at : after.at])
    told = _DESCRIBED.get(item.tone.operation, ())
    if is_next and (item.tone.operation, after.tone.operation) == ("brightness", "blur"):
        walk.failure = "Light is softer with less contrast or with lighter shadows: say which one."
    is_description = phrase.core[after.at].has(Role.ADJECTIVE, Role.COLOR)
    return is_next and is_description and after.tone.operation in told


_DESCRIBED = {"brightness": ("warmth", "saturation", "contrast", "tint"), "warmth": ("warmth",)}
"""What the words for a quality can be told to be: light can be warm, or harsh."""


def _is_a_part(item: Item, phrase: Phrase) -> bool:
    atom = phrase.core[item.at]
    return (item.tone.operation in _PARTS or _is_a_dark_tone(atom)) and atom.has(Role.QUALITY)


def _is_a_dark_tone(atom: Atom) -> bool:
    """ "Make the dark tones lighter": the shadows, while "a darker tone" is a darker photo."""
    return atom.text in ("dark tone", "dark tones", "darker tones")


def _settle_placed(walk: Walk, part: Item) -> None:
    """ "More light in the shadows"; a tint or contrast cannot be theirs alone."""
    others = [item for item in walk.items if item is not part]
    if not others:
        return
    only = others[0]
    if len(others) == 1 and only.tone.operation in _LIGHT and only.tone.sign:
        walk.items = [_moved(part, only.tone.sign)]
    elif len(others) == 1 and only.tone.operation in ("sharpness", "clarity") and only.tone.sign > 0:
        walk.items = [_moved(part, 1 if part.tone.operation == "shadows" else -1)]
    else:
        walk.failure = "Light and dark parts alone can only be made brighter or darker."


def _settle_described(walk: Walk, part: Item, phrase: Phrase) -> None:
    """ "Make the dark parts brighter", "the highlights are too bright"."""
    flaw = next((item for item in walk.items if item.at == part.at - 1), None)
    if flaw and flaw.tone.operation in _LIGHT and flaw.tone.sign and is_flaw(phrase.core[flaw.at].text):
        # "Fix the blown out highlights", "reduce the overexposed highlights"
        moved = _moved(part, part.tone.sign or flaw.tone.sign)
        walk.items = [moved if item is part else item for item in walk.items if item is not flaw]
        return
    is_open = walk.verb is None or walk.verb.has(Role.MAKE)
    after = next((item for item in walk.items if item.at > part.at), None)
    if not is_open or after is None or after.tone.operation not in _LIGHT:
        return
    if phrase.core[after.at].has(Role.ADJECTIVE) and after.tone.sign and not _is_marked(part, phrase):
        walk.items = [
            replace(_moved(part, after.tone.sign), at=after.at) if item is part else item
            for item in walk.items
            if item is not after
        ]


def _is_marked(part: Item, phrase: Phrase) -> bool:
    """ "More shadows and brighter" is two wishes."""
    return part.at > 0 and phrase.core[part.at - 1].has(Role.MORE, Role.LESS, Role.LACKING, Role.TOO)


def _moved(part: Item, sign: int) -> Item:
    operation = part.tone.operation if part.tone.operation in _PARTS else "shadows"
    return Item(replace(part.tone, operation=operation, sign=sign), part.at)
