"""A step of a plan in plain words, as it is shown to a person: as its declaration says, or by a function."""

import re
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase

from editor.engine.kinds import PARTS, is_plural, kinds_of, singular_of
from editor.engine.language.lexicon.grounds import DRAWN_PLACES
from editor.engine.language.naming import (
    FACES,
    and_words,
    around_words,
    at_place,
    box_words,
    degree,
    figure,
    target_words,
    thing_named,
    thing_words,
    where_words,
    whose,
)
from editor.engine.plan import WHOLE, Step, Target
from editor.engine.props import PROPS, several_of
from editor.engine.sights import SIGHTS


def says(step: Step) -> str:
    """A step as a person would say it: "a little brighter, the background"."""
    told = (_filled(pattern, step) for pattern in step.declaration.says)
    said = next(filter(None, told), None) or _SAYINGS[step.operation](step)
    return said.strip() + _kept(step)


def _filled(pattern: str, step: Step) -> str:
    """The pattern with its slots filled; brackets are left out where a slot in them is empty, and the whole
    where one outside of them is."""
    parts = [(text, _slots(text, step)) for text in _OPTIONAL.split(pattern)]
    is_optional = [at % 2 == 1 for at in range(len(parts))]
    if any(None in filled for (_, filled), optional in zip(parts, is_optional, strict=True) if not optional):
        return ""
    return "".join(_with(text, filled) for text, filled in parts if None not in filled)


def _with(text: str, filled: list[str | None]) -> str:
    left = iter(filled)
    return _SLOT.sub(lambda _: next(left) or "", text)


def _slots(text: str, step: Step) -> list[str | None]:
    return [_slot(slot[1], step) for slot in _SLOT.finditer(text)]


_WORDS = re.compile(r"\|(?![^{}]*\})")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{((?:[^{}]|\{[^{}]*\})*)\}")


def _slot(told: str, step: Step) -> str | None:
    """ "{color|white}" is a value, or else those words; "{much:brighter|darker}" are words that its amount
    chooses; "{?tiled}" and "{?axis=vertical}" say when a pattern is right; others are known by their names.
    None where there is nothing to say."""
    if told.startswith("?"):
        return "" if _is_so(told[1:], step) else None
    name, _, words = told.partition(":")
    if words:
        return _CHOSEN[name](step, [_filled(word, step) for word in _WORDS.split(words)]) or None
    if name in _NAMED:
        return _NAMED[name](step) if name in _MAYBE_EMPTY else _NAMED[name](step) or None
    name, _, usual = name.partition("|")
    return _word(step, name) or usual or None


def _is_so(told: str, step: Step) -> bool:
    name, _, wanted = told.partition("=")
    value = step.target.what if name == "target" else _word(step, name)
    return fnmatchcase(value, wanted) if wanted else bool(value)


def _word(step: Step, name: str) -> str:
    value = step.photo if name == "photo" else step.values.get(name)
    return "" if value is None else str(value)


def _much(step: Step, words: list[str]) -> str:
    return degree(step, words[(step.amount or 0.0) < 0 and len(words) > 1])


def _some(step: Step, words: list[str]) -> str:
    """Fewer and more; the third word, where there is one, for no amount."""
    if step.amount is None:
        return words[2] if len(words) > 2 else ""
    return words[step.amount > 0.35]


def _share(step: Step) -> str:
    amount = step.amount
    return f" at {figure(amount * 100)}%" if amount is not None and amount < 1 else ""


def _large(step: Step, words: list[str]) -> str:
    return "" if step.amount is None else words[step.amount >= 0.35]


_CHOSEN: dict[str, Callable[[Step, list[str]], str]] = {"much": _much, "some": _some, "size": _large}
_NAMED: dict[str, Callable[[Step], str]] = {
    "where": where_words,
    "target": lambda step: target_words(step.target),
    "around": lambda step: around_words(step.target),
    "place": lambda step: at_place(step.place),
    "placed": lambda step: _placed(step),
    "ground": lambda step: "into the sky" if step.target == WHOLE else f"over {target_words(step.target)}",
    "measure": lambda step: _measure(step),
    "sides": lambda step: and_words((step.place or "").split() or [""]),
    "thing": lambda step: thing_named(step.target),
    "turned": lambda step: _turned(step),
    "whither": lambda step: _whither(step),
    "share": _share,
    "through": lambda step: ", with the photo showing through" if step.amount is not None else "",
}


_MAYBE_EMPTY = frozenset({"around", "share", "through"})


def _kept(step: Step) -> str:
    if not step.keep:
        return ""
    named = [target_words(target) for target in step.keep]
    is_one = len(named) == 1 and not (named[0] == FACES or is_plural(step.keep[0].noun or ""))
    return f", {and_words(named)} kept as {'it is' if is_one else 'they are'}"


def _said_bubble(step: Step) -> str:
    color = f"{step.color} " if step.color else ""
    is_free = step.target.what in ("whole", "region")
    where = _placed(step) if is_free or step.place else f"next to {target_words(step.target)}"
    return f"a {color}speech bubble “{step.text}” {where}".rstrip()


def _measure(step: Step) -> str:
    """ "20%", "40 pixels": the number that was given, if one was."""
    wanted = step.how_much
    if wanted.number is None:
        return ""
    return f"{figure(wanted.number)}{'%' if wanted.unit == 'percent' else ' pixels'}"


def _said_crop(step: Step) -> str:
    mode, shot, shape = (_word(step, name) for name in ("mode", "shot", "ratio"))
    shape = shape or _word(step, "size")
    if mode == "closer":
        return f"cropped closer, to {_measure(step)} of its width and height, heads kept"
    if mode == "off":
        return f"the {step.place} cropped off, as far as {target_words(step.target)} reaches"
    if _measure(step):
        sides = (step.place or "left right").split()
        side = "every side" if step.place == "all" else and_words(f"the {place}" for place in sides)
        return f"{_measure(step)} cropped off {side}"
    if step.target.what == "face" and shot:
        return f"cropped to the {shot} of {whose(step.target)}"
    around = "" if step.target == WHOLE else f"around {target_words(step.target)}"
    words = ("cropped to", shape, around, at_place(step.place)) if shape else ("cropped", around)
    return " ".join(word for word in words if word)


def _said_shift(step: Step) -> str:
    way = {"top": "up", "bottom": "down"}.get(step.place or "", f"to the {step.place}")
    by = f" by {_measure(step)}" if _measure(step) else ""
    return f"all of it moved {way}{by}: cut off there, and filled at the other side"


def _turned(step: Step) -> str:
    angle = _degrees(step)
    return f"{figure(abs(angle))} degrees {'clockwise' if angle >= 0 else 'counterclockwise'}"


def _degrees(step: Step) -> float:
    found = step.parameters["degrees"]
    return found if isinstance(found, float) else 90.0


def _said_stretch(step: Step) -> str:
    side, number = _word(step, "side"), step.how_much.number
    if not side:
        return f"stretched to {_word(step, 'size')}, with all it shows"
    is_less = (step.amount or 0.0) < 0 if number is None else number < 100
    way = {"width": ("wider", "narrower"), "height": ("taller", "less tall")}[side][is_less]
    size = f" to {_measure(step)}" if number is not None else ""
    return f"{'squeezed' if is_less else 'stretched'} {way}{size}, with all it shows"


def _said_shape(step: Step) -> str:
    size = "" if step.amount is None else "small" if step.amount < 0.35 else "large"
    filled = "filled" if "filled" in step.values else ""
    words = (size, step.color, filled, _word(step, "shape"))
    where = f"around {target_words(step.target)}" if _encloses(step) else _placed(step)
    return f"{' '.join(word for word in words if word)} {where}"


def _encloses(step: Step) -> bool:
    is_hollow = _word(step, "shape") in _ENCLOSING and "filled" not in step.values
    return step.target != WHOLE and is_hollow and step.place not in _BESIDE


_ENCLOSING = frozenset({"circle", "ellipse", "rectangle", "square"})


def _placed(step: Step) -> str:
    """Where something is added: at its place, or on its target."""
    if step.target == WHOLE:
        return at_place(step.place)
    if step.target.what == "thing" and not kinds_of(step.target.noun):
        return f"in the {step.target.noun}"
    where = _BESIDE.get(step.place or "", "on" if step.target.what == "thing" else "at")
    if step.place in ("eyes", "head") and step.target.what == "face":
        return f"{where.removesuffix(' of')}{'' if step.target.count == 1 else ', all faces'}"
    if step.target.what == "face" and step.target.count == 1 and step.place in _BESIDE:
        return f"{where} the head {at_place(step.target.place)}".rstrip()
    inside = f" {at_place(step.place)}" if step.place and step.place not in _BESIDE else ""
    return f"{where} {target_words(step.target)}{inside and f',{inside}'}"


_BESIDE = {
    "above": "above",
    "on top": "on top of",
    "below": "below",
    "next to": "next to",
    "left of": "to the left of",
    "right of": "to the right of",
    "between": "between",
    "on": "on",
    "in front": "in front of",
    "head": "on the head of",
    "eyes": "over the eyes of",
}
"""Places of an addition that are told by its target."""


def _said_arrow(step: Step) -> str:
    way = _word(step, "direction")
    at = f"at {target_words(step.target)}" if step.target != WHOLE else ""
    pointing = " ".join(word for word in ("pointing", way, at) if word) if way or at else ""
    words = (step.color, "arrow", pointing, at_place(step.place))
    return " ".join(word for word in words if word)


def _said_sticker(step: Step) -> str:
    what = f"photo {step.photo}"
    what = f"what {what} shows, cut out," if "cutout" in step.values else what
    size = f"{_measure(step).removesuffix(' pixels').removesuffix('%')}% wide" if _measure(step) else ""
    return " ".join(word for word in (what, size, "laid over the photo", _placed(step)) if word)


def _said_prop(step: Step) -> str:
    """ "2 small palm trees (pictures of Darkroom's own) on the left, with their shadows"."""
    prop, count, is_aloft = PROPS[_word(step, "prop")], step.values.get("count", 1), "aloft" in step.values
    size = "" if step.amount is None else "small" if step.amount < 0.35 else "large"
    name = " ".join(word for word in (size, step.color, prop.title) if word)
    what = f"{count} {several_of(name)}" if count != 1 else name if prop.is_one else _one(name)
    source = "pictures of Darkroom's own" if count != 1 else "a picture of Darkroom's own"
    is_up = is_aloft or (prop.sits == "flies" and step.target == WHOLE and not step.place)
    up = "in the air" if is_up else "on the wall" if prop.sits == "hangs" else ""
    where = ", ".join(part for part in (_prop_place(step), up) if part)
    has_shadow = (
        step.place not in ("head", "eyes") and not is_aloft and prop.sits in ("stands", "lies", "head")
    )
    shadow = f", with {'their shadows' if count != 1 else 'its shadow'}" if has_shadow else ""
    return f"{what} ({source}) {where or 'where there is room'}{shadow}"


def _said_text_instead(step: Step) -> str:
    """What is there cannot be read, so it is not what the plan promises."""
    numbers = f" {and_words(map(str, step.target.boxes))}" if len(step.target.boxes) > 1 else ""
    is_marked = step.target.what == "region"
    old = (
        f"all the text in the box{'es' if numbers else ''}{numbers}"
        if is_marked
        else "the only text in the photo"
    )
    return f"{old} replaced by “{step.text}”, in {step.color or 'its color'} and a plain font"


def _said_prop_instead(step: Step) -> str:
    """ "The cat replaced by a bench (a picture of Darkroom's own)"."""
    new = _said_prop(replace(step, target=WHOLE))
    each = ", each" if is_plural(step.target.noun or "") else ""
    return f"{target_words(step.target)}{each} replaced by {new.partition(')')[0]})"


def _prop_place(step: Step) -> str:
    if step.target.noun not in ("sky", "grass", "water"):
        is_on = PARTS.get(step.target.noun or "") == "flowers"
        return _placed(step).replace("in the", "on the") if is_on else _placed(step)
    where = _placed(step.at("on"))
    there = where if step.target.noun == "sky" else where.replace("in the", "on the")
    return there if step.place == "on" else f"{there} {at_place(step.place)}"


def _said_ground(step: Step) -> str:
    scene = _word(step, "scene")
    if scene in DRAWN_PLACES:
        source = "a picture of Darkroom's own" if scene in SIGHTS else "drawn"
        return f"background {_GROUNDS.get(scene) or _one(scene)}, out of focus ({source})"
    what = _GROUNDS.get(scene, f"a drawn {scene}")
    return f"background {what}{f' in {step.color}' if step.color else ''}"


def _said_sky(step: Step) -> str:
    scene = _word(step, "scene")
    new = {"sky": "a drawn one with clouds", "clear sky": "a drawn blue one"}.get(scene)
    light = "" if step.keep else ", and the rest in its light"
    return f"the sky replaced by {new or f'a drawn {scene}'}{light}"


def _one(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


_GROUNDS = {
    "studio": "a studio backdrop",
    "bokeh": "drawn lights out of focus",
    "palm beach": "a beach with palm trees",
    "sea": "the sea",
    "glacier": "a glacier by the sea",
    "mountains": "mountains",
    "snowy mountains": "snowy mountains",
    "snowy field": "a snowy field with firs",
    "jungle": "the leaves of a jungle",
    "sea at sunset": "the sea at sunset",
    "underwater": "the sea from below",
    "space": "space, with stars and nebulas",
    "library": "shelves of books",
    "gallery": "a gallery with paintings",
}


def _said_zoom(step: Step) -> str:
    shot, number = _word(step, "shot"), step.how_much.number
    far = f"to {_measure(step)}" if number is not None else ""
    out = (step.amount or 0) < 0 or (number is not None and number < 100)
    where = at_place(step.place) if step.target == WHOLE else f"on {target_words(step.target)}"
    if step.target.what == "face" and shot:
        where = f"on the {shot} of {whose(step.target)}"
    return " ".join(word for word in ("zoomed", "out" if out else "in", far, where) if word)


def _said_copied(step: Step) -> str:
    beside = _beside(step)
    if beside is None and step.place:
        where = at_place(step.place)
    elif step.place == "inside":
        where = f"in {target_words(beside or WHOLE)}"
    else:
        where = _whither(step) if _word(step, "direction") or beside else "beside it"
    return f"a copy of {thing_named(step.target)} {where}"


def _beside(step: Step) -> Target | None:
    found = step.values.get("beside")
    return found if isinstance(found, Target) else None


def _said_counted(step: Step) -> str:
    more = step.values.get("more")
    many = str(more or step.values.get("count", 2))
    if step.target.what == "region":
        is_one = len(step.target.boxes) == 1
        bare = "what the box marks" if is_one else "what the boxes mark"
        marked = target_words(step.target) if step.target.noun else bare
        return f"copies of {marked} until there are {many} with {'it' if is_one else 'them'}"
    noun = step.target.noun or "thing"
    one = " ".join(word for word in (step.target.color, singular_of(noun)) if word)
    return f"{many} more copies of the {one}" if more else f"copies of the {one} until there are {many}"


def _whither(step: Step) -> str:
    """ "A little to the left", "to the bottom right corner", "above the lamp"."""
    direction, beside = _word(step, "direction"), _beside(step)
    if direction:
        way = direction if direction in ("up", "down") else f"to the {direction}"
        if _measure(step):
            return f"{_measure(step)} {way}"
        return degree(step, way) if step.amount is not None else way
    if beside is None:
        return f"to the {step.place}{_SPOTS[len((step.place or '').split()) > 1, step.place in _BESIDES]}"
    if step.place == "inside":
        return f"to {target_words(beside)}"
    return f"{_RELATIONS[step.place]} {thing_named(beside)}"


_BESIDES = ("left", "right")
_SPOTS = {(True, False): " corner", (False, True): " side", (False, False): ""}
_RELATIONS = {
    "left": "to the left of",
    "on": "onto",
    "front": "in front of",
    "right": "to the right of",
    "top": "above",
    "bottom": "below",
    None: "next to",
}


def _said_recolor(step: Step) -> str:
    what = target_words(step.target)
    if step.target.what == "region" and (step.target.noun or step.target.color):
        what = f"{thing_words(step.target)} in {box_words(step.target.boxes)}"
    if step.target.noun == "teeth" and step.color == "white":
        return f"{degree(step, 'whiter')}, {what}"
    return f"{what} turned {step.color}"


_SAYINGS: dict[str, Callable[[Step], str]] = {
    "recolor": _said_recolor,
    "speech_bubble": _said_bubble,
    "drawn_background": _said_ground,
    "drawn_sky": _said_sky,
    "crop": _said_crop,
    "shape": _said_shape,
    "arrow": _said_arrow,
    "sticker": _said_sticker,
    "prop": _said_prop,
    "prop_instead": _said_prop_instead,
    "text_instead": _said_text_instead,
    "stretch": _said_stretch,
    "zoom": _said_zoom,
    "shift": _said_shift,
    "copy_thing": _said_copied,
    "count_thing": _said_counted,
}
