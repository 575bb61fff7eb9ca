"""Describes a step in plain English, with the `sentence` of its declaration.

Reading the sentence again must give the same step. The slots of a sentence are:

- {field}: the value of a field. "{field|white}" gives the text to use if there is no value.
- {way:A|B}: A, or B if the amount is below zero.
- {degree}: how much, such as "a little" or "by 20%", and empty for the default amount. {bit} allows only
  words, {by} allows only a number, and {length} is a number without "by". {width} is used as in "20 pixel",
  {quantity} as in "a lot of", and {strength} as in "strong".
- {where}: what the step changes, such as "the photo", "the sky", or "the area in the box". {part} is the same
  but empty for the whole photo, and {thing} is the same but empty if there is no noun.
- {owner}: the owner of a part, such as "man on the left".
- {place}: where something goes, such as "at the top". {spot} may also refer to a thing, and {nearby} contains
  only the relation, such as "next to". {edge} and {sides} name edges of the photo.
- {scale}: "small" or "large". {thickness} is "thin" or "thick".
- {item}: a prop with its number, size, and color.
- {turn}: degrees without a sign.
- {print}: a paper size, as in "4 x 6 inch". {format} is a file format.
- {?field=word}: empty; the sentence applies only if the field matches.
- [...]: left out if a slot inside the brackets is empty.

If there are several sentences, the first one that has all slots outside brackets filled is used.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase

from editor.engine.kinds import DEPTHS, is_plural, is_someone, plural_of, rank_in
from editor.engine.plan import WHOLE, Amount, Step, Target
from editor.engine.props import PROPS

_DEGREES = (
    (0.15, "a touch"), (0.3, "a little"), (0.38, ""), (0.5, "noticeably"), (0.7, "a lot"), (0.9,
    "dramatically"), (2.0, "completely"),
)  # fmt: skip
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{([^{}]*)\}")
_UNITS = {"percent": "%", "stops": " stops", "pixels": " pixels"}


def describe_step(step: Step) -> str:
    """Return a description of the step, such as "Make the sky a little brighter".

    Any targets to keep are added to the sentence.
    """
    told = step.declaration.english.get("sentence", step.operation.replace("_", " ").capitalize())
    sentences = [told] if isinstance(told, str) else told
    said = next((filled for sentence in sentences if (filled := _fill_slots(sentence, step)) is not None), "")
    return " ".join(said.split()) + _kept(step)


def _fill_slots(sentence: str, step: Step) -> str | None:
    """Return the sentence with its slots filled, or None if a slot outside brackets is empty."""
    pieces = _OPTIONAL.split(sentence)
    made = []
    for at, piece in enumerate(pieces):
        slots = [_slot(name, step) for name in _SLOT.findall(piece)]
        if None not in slots:
            left = iter(slots)
            made.append(_SLOT.sub(lambda _, left=left: next(left) or "", piece))
        elif at % 2 == 0:
            return None
    return "".join(made)


def _slot(name: str, step: Step) -> str | None:
    if name.startswith("?"):
        return "" if _is_so(name[1:], step) else None
    name, _, words = name.partition(":")
    if words:
        first, _, second = words.partition("|")
        return second if (step.amount or 0.0) < 0 else first
    if name in _NAMED:
        return _NAMED[name](step)
    name, _, usual = name.partition("|")
    value = step.photo if name == "photo" else step.values.get(name)
    if isinstance(value, Target):
        return target_words(value)
    if isinstance(value, float):
        return format_number(value)
    return str(value) if value is not None else usual or None


def _is_so(told: str, step: Step) -> bool:
    name, _, wanted = told.partition("=")
    value = step.target.what if name == "target" else step.values.get(name)
    return fnmatchcase(str(value), wanted) if wanted else value is not None


def _degree(step: Step) -> str | None:
    amount = step.values.get("amount")
    if not isinstance(amount, Amount):
        return None
    if amount.number is not None:
        unit = " stop" if (amount.unit, amount.number) == ("stops", 1) else _UNITS[amount.unit]
        return f"by {format_number(abs(amount.number))}{unit}"
    return next(word for limit, word in _DEGREES if abs(amount.share) < limit) or None


def _by(step: Step) -> str | None:
    """Return the amount as a phrase such as "by 20%" if it was given as a number, or None otherwise."""
    amount = step.values.get("amount")
    return _degree(step) if isinstance(amount, Amount) and amount.number is not None else None


def _bit(step: Step) -> str | None:
    return None if _by(step) else _degree(step)


def _quantity(step: Step) -> str | None:
    """Return the amount as a quantity, as in "a little snow" or "a lot of snow"."""
    if _by(step) or not isinstance(step.values.get("amount"), Amount):
        return None
    word = _bit(step) or "some"
    if word == "a little" and step.operation.endswith("s"):
        return "a few"
    return {"a lot": "a lot of", "a touch": "a touch of", "noticeably": "quite a bit of"}.get(word, word)


def _strength(step: Step) -> str | None:
    """Return the amount as an adjective, or None for the default amount or if there is no adjective."""
    return _STRENGTHS.get(_bit(step) or "")


def _owner(step: Step) -> str | None:
    """Return the owner of a part, such as "man on the left"."""
    return f"{step.target.of} {at_place(step.target.place)}".strip() if step.target.of else None


def _part(step: Step) -> str | None:
    return None if step.target == WHOLE else target_words(step.target)


def _item(step: Step) -> str:
    """Return a prop with its number and size: "a large teapot", "two red chairs"."""
    prop, count = PROPS[str(step.values["prop"])], int(str(step.values.get("count") or 1))
    size = _scale(step) or ""
    name = plural_of(prop.title) if count > 1 else prop.title
    words = " ".join(filter(None, (size, str(step.values.get("color") or ""), name)))
    article = "some" if prop.is_one else "an" if words[0] in "aeiou" else "a"
    return f"{count if count > 1 else article} {words}"


def _scale(step: Step) -> str | None:
    return None if step.amount is None else next(word for most, word in _SIZES if step.amount <= most)


def _nearby(step: Step) -> str:
    """Return the relation to a neighboring thing, such as "to the left of"."""
    return _NEARBY.get(step.place or "", "next to")


def _spot(step: Step) -> str | None:
    """Return where something goes: "at the top", "to the left of the dog", "on the table"."""
    if step.target == WHOLE:
        return at_place(step.place) or None
    if step.target.what == "region" and not step.target.noun and not step.place:
        return "here" if step.target.boxes in ((), (1,)) else f"in {target_words(step.target)}"
    return f"{_BESIDE.get(step.place or '', 'on')} {target_words(step.target)}"


_STRENGTHS = {
    "a touch": "subtle",
    "a little": "slight",
    "noticeably": "noticeable",
    "a lot": "strong",
    "dramatically": "dramatic",
}
_FORMATS = {"jpeg": "JPEG", "png": "PNG", "webp": "WebP"}
_SIZES = ((0.1, "tiny"), (0.4, "small"), (0.7, "large"), (9.0, "huge"))
_BESIDE = {"left of": "to the left of", "right of": "to the right of", "on top": "on top of"} | {
    place: place for place in ("next to", "above", "below", "between")
}
_NEARBY = {"left": "to the left of", "right": "to the right of", "top": "above", "bottom": "below"}
_NAMED: dict[str, Callable[[Step], str | None]] = {
    "degree": _degree,
    "bit": _bit,
    "by": _by,
    "edge": lambda step: step.place,
    "sides": lambda step: _sides(step.place),
    "length": lambda step: (_by(step) or "").removeprefix("by ") or None,
    "width": lambda step: (_by(step) or "").removeprefix("by ").removesuffix("s") or None,
    "quantity": _quantity,
    "strength": _strength,
    "turn": lambda step: format_number(abs(float(str(step.values.get("degrees", 0))))),
    "print": lambda step: str(step.values.get("paper") or "").replace("inches", "inch") or None,
    "dots": lambda step: _measure_of(step, "dpi"),
    "limit": lambda step: _measure_of(step, "kilobytes"),
    "format": lambda step: _FORMATS.get(str(step.values.get("file_format"))),
    "scale": _scale,
    "item": _item,
    "nearby": _nearby,
    "spot": _spot,
    "where": lambda step: target_words(step.target),
    "owner": _owner,
    "part": _part,
    "thing": lambda step: _thing(step.target) if step.target.noun else None,
    "thickness": lambda step: {0.2: "thin", 0.65: "thick"}.get(step.amount or 0.0),
    "place": lambda step: at_place(step.place) or None,
}


def _measure_of(step: Step, unit: str) -> str | None:
    """Return the step's amount with its unit, such as "300 dpi", or None if it has a different unit."""
    amount = step.values.get("amount")
    if not isinstance(amount, Amount) or amount.unit != unit:
        return None
    number = amount.number or 0.0
    if unit == "kilobytes":
        number, unit = (number / 1000, "MB") if number >= 1000 else (number, "KB")
    return f"{format_number(number)} {unit}"


def _sides(place: str | None) -> str | None:
    """Return the names of the sides: "top and bottom", "edges"."""
    return {"all": "edges"}.get(place, and_words(place.split())) if place else None


def format_number(number: float) -> str:
    """Format a number with at most two decimals and no trailing zeros."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def target_words(target: Target) -> str:
    """Return a phrase for a target: "the photo", "the faces", "the red car on the left", "the marked sky"."""
    if target.what == "region":
        return _marked(target)
    if target.what == "face":
        owner = f"{target.of}'s " if target.of else ""
        face = "face" if target.count == 1 or target.of else "faces"
        return f"the {owner}{face} {at_place(target.place)}".rstrip()
    if target.what == "place":
        return (
            "the edges of the photo" if target.place == "edges" else f"the {target.place} part of the photo"
        )
    return _thing(target) if target.what == "thing" else f"the {'photo' if target == WHOLE else target.what}"


def _marked(target: Target) -> str:
    name = " ".join(word for word in (target.color, target.noun) if word)
    if target.selected is not None:
        return _selected(target, name)
    if target.boxes in ((), (1,)):
        return f"the marked {name}" if name else "the area in the box"
    numbers = and_words([str(box) for box in target.boxes])
    boxes = f"box{'es' if len(target.boxes) > 1 else ''} {numbers}"
    return f"the {name} in {boxes}" if name else boxes


def _selected(target: Target, name: str) -> str:
    """Return a phrase for the thing that a click selected and for the target's other boxes."""
    known = f"the {target.selected}" if target.selected else "what you selected"
    here = f"the selected {name}" if target.noun else f"the {name} parts of {known}" if name else known
    if len(target.boxes) == 1:
        return here
    return f"{_marked(replace(target, selected=None, boxes=target.boxes[:-1]))} and {here}"


def _thing(target: Target) -> str:
    color, noun = target.color, target.noun or "parts"
    if noun == "parts" or (color == "green" and noun != "parts" and not is_someone(noun)):
        color = color if noun == "parts" else None  # "green trees" becomes "the trees"
    worn = f"in {color}" if color and is_someone(noun) else None
    owner = f"the {target.of}'s" if target.of else "the"
    rank, _, end = (target.place or "").partition(" from ") if rank_in(target.place) else ("", "", "")
    count = rank or {1: "only"}.get(target.count or 0, str(target.count or ""))
    place = f"from the {end}" if rank else at_place(target.place)
    words = (owner, count, None if worn else color, noun, worn, place)
    return " ".join(word for word in words if word)


def at_place(place: str | None) -> str:
    """Return a phrase for a place: "on the left", "at the top", "on the right in the background"."""
    if place is None:
        return ""
    depth = next((depth for depth in DEPTHS if depth in place.split()), None)
    side = place.replace(depth or "", "").strip()
    words = {"center": "in the center", "left": "on the left", "right": "on the right", "": ""}
    at_side = words.get(side, f"at the {side}")
    return " ".join(word for word in (at_side, f"in the {depth}" if depth else "") if word)


def and_words(words: list[str]) -> str:
    """Join words with commas and a final "and"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _kept(step: Step) -> str:
    if not step.keep:
        return ""
    is_one = len(step.keep) == 1 and step.keep[0].what != "face" and not is_plural(step.keep[0].noun or "")
    kept = and_words([target_words(target) for target in step.keep])
    return f", but keep {kept} as {'it is' if is_one else 'they are'}"
