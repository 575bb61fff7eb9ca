"""Words about the shape of a photo, told as commands: "a close-up of her", "this poster"."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from editor.engine.language.grammar import Atom, is_packing
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Scene
from editor.engine.language.restating.leaning import set_upright
from editor.engine.language.restating.shadows import SHADOWS, with_lifted_shadows


def shaped(found: Sequence[Atom], scene: Scene) -> list[Atom]:
    """The atoms, with the commands that tell of the photo's shape; a box may mark a thing that is meant
    instead."""
    told = _named_alone(found)
    texts = {atom.text for atom in told}
    if not texts.isdisjoint(_CLOSE):
        told = _with_close_ups(told)
    if "closer" in texts:
        told = _brought_near(told)
    if "size" in texts:
        told = [_as_a_verb(told, at) for at in range(len(told))]
    if "composition" in texts:
        told = _recomposed(told)
    if "sure" in texts:
        told = _ensured(told)
    if not texts.isdisjoint(_ONLY):
        told = _kept_alone(told)
    if "figure" in texts:
        told = [_as_somebody(told, at) for at in range(len(told))]
    if scene.boxes:
        return told
    if not texts.isdisjoint(SHADOWS):
        told = with_lifted_shadows(told)
    if not texts.isdisjoint(_SHOWN):
        told = [_as_the_photo(told, at) for at in range(len(told))]
    return set_upright(told)


def _named_alone(found: Sequence[Atom]) -> list[Atom]:
    """ "16:9", "make a headshot of her" and the end of "brighter, then square", with "crop to" before the
    name; of two shapes none is sure to be the one."""
    is_one = sum(atom.has(*_SHAPES) for atom in found) == 1
    if not is_one and _PORTRAYING.isdisjoint([atom.text for atom in found]):
        return list(found)
    told, start = list[Atom](), 0
    for at in range(len(found) + 1):
        if at == len(found) or found[at].kind in ("stop", "comma") or found[at].has(Role.THEN):
            told += [*_as_a_crop(found[start:at]), *found[at : at + 1]]
            start = at + 1
    return told


def _as_a_crop(part: Sequence[Atom]) -> Sequence[Atom]:
    at = next((i for i, atom in enumerate(part) if not atom.has(*_BEFORE_A_NAME)), len(part))
    rest = [atom for atom in part[at + 1 :] if not is_packing(atom)]
    is_shape = at < len(part) and part[at].has(*_SHAPES) and not rest
    is_shape = is_shape and not any(atom.has(Role.MAKE) for atom in part[:at])
    is_shot = at < len(part) and part[at].text in _PORTRAYING
    is_shot = is_shot and (not rest or rest[0].text in ("of", "from"))
    if not (is_shape or is_shot):
        return part
    first = part[at]
    crop = Atom("crop", first.start, first.end, {Role.CROP: "crop"})
    to = Atom("to", first.start, first.start, {Role.PREPOSITION: "to"})
    return [crop, to, *part[at:]]


_SHAPES = (Role.FORMAT, Role.RATIO)
_BEFORE_A_NAME = (Role.MAKE, Role.FILLER, Role.IT, Role.THIS, Role.DETERMINER)
_PORTRAYING = frozenset({"headshot", "head shot"})


def _sentence(found: Sequence[Atom], at: int) -> list[Atom]:
    start = next((i + 1 for i in range(at, -1, -1) if found[i].kind == "stop"), 0)
    return list(takewhile(lambda atom: atom.kind != "stop", found[start:]))


def _as_the_photo(found: Sequence[Atom], at: int) -> Atom:
    """ "Rotate this poster", "my logo needs to be cropped": the photo is all of it."""
    atom = found[at]
    if atom.text not in _SHOWN or at == 0:
        return atom
    before = found[at - 1]
    is_all = before.has(Role.THIS) or before.text in _MINE or (before.text == "the" and atom.text in _SCANNED)
    if not is_all:
        return atom
    others = [other for other in _sentence(found, at) if other is not atom]
    is_shaped = any(other.has(*_SHAPING) for other in others)
    is_taken = any(other.text in _TAKEN or other.has(*_BESIDE_IT) for other in others)
    return replace(atom, senses={Role.PHOTO: atom.text}) if is_shaped and not is_taken else atom


_MINE = frozenset({"my", "our"})
_SCANNED = frozenset({"scan", "document", "page", "receipt", "screenshot", "certificate"})
_SHOWN = frozenset(
    {
        *("poster", "logo", "document", "map", "flyer", "flier", "scan", "page", "certificate", "receipt"),
        *("artwork", "drawing", "painting", "banner", "card", "postcard", "chart", "newspaper", "article"),
        *("invitation", "screenshot", "sketch", "illustration"),
    }
)
_SHAPING = (
    *(Role.CROP, Role.ROTATE, Role.FLIP, Role.STRAIGHTEN, Role.RESIZE, Role.UPRIGHT, Role.PRINT, Role.SIZE),
    *(Role.FORMAT, Role.RATIO, Role.AXIS),
)
_BESIDE_IT = (Role.PHOTO, Role.REMOVE, Role.ADD, Role.REPLACE, Role.BACKGROUND, Role.EXTRACT)
_TAKEN = frozenset({"out", "off", "from", "away"})


def _with_close_ups(found: Sequence[Atom]) -> list[Atom]:
    """ "Make a close-up of the dog" as "zoom in on the dog"; "crop to a close-up of it" as "crop to it"."""
    told = list(found)
    at = next(i for i, atom in enumerate(told) if atom.text in _CLOSE)
    start = next((i + 1 for i in range(at, -1, -1) if told[i].kind in ("stop", "comma")), 0)
    end = at + 1
    while end < len(told) and told[end].text in _SHOT:
        end += 1
    of = told[end] if end < len(told) and told[end].text in ("of", "on") else None
    is_led = all(
        atom.has(*_LEADING) or atom.text in ("to", "into", "as", "give", "for") for atom in told[start:at]
    )
    if not is_led or not (
        of or end == len(told) or told[end].kind in ("stop", "comma") or told[end].has(Role.AND)
    ):
        return told
    if any(atom.has(Role.CROP, Role.ZOOM) for atom in told[start:at]):
        first = at - told[at - 1].has(Role.DETERMINER)
        return [*told[:first], *told[end + 1 :]] if of else [*told[: first - 1], *told[end:]]
    zoom = Atom("zoom in", told[start].start, told[end - 1].end, {Role.ZOOM: 1})
    on = [replace(of, text="on")] if of else []
    return [*told[:start], zoom, *on, *told[end + len(on) :]]


_CLOSE = frozenset({"close up", "closeup", "close ups", "closeups"})
_SHOT = frozenset({"shot", "view", "picture", "photo", "image", "portrait"})
_LEADING = (
    *(Role.MAKE, Role.CHANGE, Role.CROP, Role.ZOOM, Role.FILLER, Role.IT, Role.THIS, Role.DETERMINER),
    *(Role.PHOTO, Role.AMOUNT, Role.MORE, Role.AND),
)


def _brought_near(found: Sequence[Atom]) -> list[Atom]:
    """ "Bring the dog closer", "get closer to the dog" as "zoom in on the dog"; closer to something else is
    another wish."""
    told = list(found)
    at = next(i for i, atom in enumerate(told) if atom.text == "closer")
    start = next(
        (i + 1 for i in range(at, -1, -1) if told[i].kind in ("stop", "comma") or told[i].has(Role.AND)), 0
    )
    while start < at and told[start].has(Role.FILLER) and told[start].text not in _COMING:
        start += 1
    verb, name, rest = told[start], told[start + 1 : at], _rest(told, at + 1)
    zoom = Atom("zoom in", verb.start, verb.end, {Role.ZOOM: 1})
    if verb.text in _COMING and not name and rest and rest[0].text == "to":
        return [*told[:start], zoom, replace(rest[0], text="on"), *told[at + 2 :]]
    is_near = all(atom.text in _TO_US or atom.has(Role.DETERMINER, Role.FILLER) for atom in rest)
    named = [atom for atom in name if atom.text not in _SEEMING]
    is_named = any(atom.has(Role.NOUN, Role.SUBJECT, Role.PERSON, Role.FACE) for atom in named)
    if not (verb.has(Role.MAKE, Role.MOVE) and is_near and is_named):
        return told
    on = Atom("on", verb.end, verb.end, {Role.PREPOSITION: "on"})
    return [*told[:start], zoom, on, *named, *told[at + 1 + len(rest) :]]


def _rest(found: Sequence[Atom], at: int) -> list[Atom]:
    return list(takewhile(lambda a: a.kind not in ("stop", "comma") and not a.has(Role.AND), found[at:]))


_COMING = frozenset({"get", "go", "come", "move", "getting"})
_SEEMING = frozenset({"look", "appear", "seem", "be", "a bit", "a little", "much", "a lot"})
_TO_US = frozenset({"to", "us", "me", "camera", "viewer", "the camera", "the viewer", "up"})


def _as_a_verb(found: Sequence[Atom], at: int) -> Atom:
    """ "Size this photo to 800x800"."""
    atom, after = found[at], found[at + 1 : at + 2]
    before = found[at - 1] if at else None
    opens = before is None or before.kind in ("stop", "comma") or before.has(Role.AND, Role.FILLER)
    is_verb = (
        atom.text == "size"
        and opens
        and bool(after)
        and (after[0].has(Role.THIS, Role.IT) or after[0].text == "to")
    )
    return replace(atom, senses={Role.RESIZE: "size"}) if is_verb else atom


def _as_somebody(found: Sequence[Atom], at: int) -> Atom:
    """The "figure" of "crop to the figure on the right"."""
    if found[at].text != "figure" or not any(atom.has(Role.CROP, Role.ZOOM) for atom in found[:at]):
        return found[at]
    return replace(found[at], senses={Role.SEEN: "person", Role.NOUN: "figure", Role.PERSON: "figure"})


def _recomposed(found: Sequence[Atom]) -> list[Atom]:
    """ "Improve the composition" as "crop the photo": around its subject."""
    told = list(found)
    at = next(i for i, atom in enumerate(told) if atom.text == "composition")
    start = next((i + 1 for i in range(at, -1, -1) if told[i].kind == "stop" or _joins(told[i])), 0)
    verbs = [atom for atom in told[start:at] if atom.has(Role.ENHANCE, Role.ADJUST, Role.VAGUE)]
    others = [
        a for a in told[start:at] if a not in verbs and not a.has(Role.DETERMINER, Role.FILLER, Role.MAKE)
    ]
    if verbs and not others and not _rest(told, at + 1):
        crop = Atom("crop", verbs[0].start, told[at].start, {Role.CROP: "crop"})
        told[start:at] = [crop]
    return told


def _joins(atom: Atom) -> bool:
    return atom.kind == "comma" or atom.has(Role.AND, Role.THEN)


def _ensured(found: Sequence[Atom]) -> list[Atom]:
    """ "Make sure that the man is in the middle of the frame" as "center the man"."""
    told = list(found)
    at = next(i for i, atom in enumerate(told) if atom.text == "sure")
    rest = _rest(told, at)
    be = next((i for i, atom in enumerate(rest) if atom.has(Role.BE)), 0)
    is_centered = be > 1 and any(
        atom.senses.get(Role.PLACE) == "center" or atom.has(Role.CENTER) for atom in rest[be:]
    )
    is_all = all(atom.text in _AMID or atom.has(*_IN_THE_MIDDLE) for atom in rest[be + 1 :])
    is_all = is_all and not any(atom.has(Role.BE) for atom in told[at + len(rest) :])
    if at and told[at - 1].has(Role.MAKE) and is_centered and is_all and rest[1].text != "there":
        told[at - 1] = replace(told[at - 1], text="center", senses={Role.CENTER: "center"})
        gone = [at, *range(at + be, at + len(rest)), *([at + 1] if rest[1].text == "that" else [])]
        for i in gone:
            told[i] = replace(told[i], senses={Role.FILLER: True})
    return told


_IN_THE_MIDDLE = (Role.PLACE, Role.CENTER, Role.DETERMINER, Role.FILLER, Role.PHOTO, Role.THIS)
_AMID = frozenset({"in", "at", "of", "to", "frame", "exactly", "right", "the frame"})


def _kept_alone(found: Sequence[Atom]) -> list[Atom]:
    """ "Keep only the top half" as "crop to the top half"."""
    told = list(found)
    at = next(i for i, atom in enumerate(told) if atom.text in _ONLY)
    rest = [atom for atom in _rest(told, at + 1) if not atom.has(Role.DETERMINER)]
    is_part = (
        len(rest) > 1 and rest[0].has(Role.PLACE) and (rest[1].has(Role.FRACTION) or rest[1].text == "third")
    )
    is_all = all(atom.text == "of" or atom.has(Role.PHOTO, Role.THIS, Role.IT) for atom in rest[2:])
    if at and told[at - 1].has(Role.KEEP) and is_part and is_all:
        told[at - 1] = replace(told[at - 1], text="crop", senses={Role.CROP: "crop"})
        told[at] = replace(told[at], text="to", senses={Role.PREPOSITION: "to"})
    return told


_ONLY = frozenset({"only", "just"})
