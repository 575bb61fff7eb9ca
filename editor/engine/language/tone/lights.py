"""The light and the dark parts of a photo: "make the dark parts brighter", "add blue to the shadows"."""

from dataclasses import replace

from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Phrase
from editor.engine.language.tone.walk import Item, Walk, neighbor

_PARTS = ("highlights", "shadows")
_LIGHT = ("brightness", "exposure")
_PLACING = frozenset({"in", "of", "to", "on", "from", "for", "within"})


def settle_lights(walk: Walk, phrase: Phrase) -> None:
    """Gives the light and dark parts that a clause names the direction that the clause gives to them."""
    for part in [item for item in walk.items if _is_a_part(item, phrase)]:
        before = neighbor(phrase, phrase.core[part.at], -1)
        if before is not None and before.text in _PLACING:
            _settle_placed(walk, part)
        else:
            _settle_described(walk, part, phrase)


def _is_a_part(item: Item, phrase: Phrase) -> bool:
    return item.tone.operation in _PARTS and phrase.core[item.at].has(Role.QUALITY)


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
    is_open = walk.verb is None or walk.verb.has(Role.MAKE)
    after = next((item for item in walk.items if item.at > part.at), None)
    if not is_open or after is None or after.tone.operation not in _LIGHT:
        return
    if phrase.core[after.at].has(Role.ADJECTIVE) and after.tone.sign and not _is_marked(part, phrase):
        walk.items = [
            _moved(part, after.tone.sign) if item is part else item
            for item in walk.items
            if item is not after
        ]


def _is_marked(part: Item, phrase: Phrase) -> bool:
    """ "More shadows and brighter" is two wishes."""
    return part.at > 0 and phrase.core[part.at - 1].has(Role.MORE, Role.LESS, Role.LACKING, Role.TOO)


def _moved(part: Item, sign: int) -> Item:
    return Item(replace(part.tone, sign=sign), part.at)
