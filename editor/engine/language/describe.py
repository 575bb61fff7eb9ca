"""Describe a step in plain English, with the `sentence` of its declaration.

Reading the sentence again must give the same step. A translation of a sentence has the same form; it may omit
conditions, and its colors are nouns, as in "in {color}". The slots of a sentence are:

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
- {?field=word|other}: empty; the sentence applies only if the field matches one of the words.
- [...]: left out if a slot inside the brackets is empty.

If there are several sentences, the first one that has all slots outside brackets filled is used.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from fnmatch import fnmatchcase

from editor.engine.catalog import Declaration
from editor.engine.kinds import DEPTHS, is_someone, plural_of, rank_in, takes_an, takes_them
from editor.engine.language.findable import class_of
from editor.engine.language.phrases import color_name, number_words, phrase
from editor.engine.nouns import name_of
from editor.engine.plan import WHOLE, Amount, Step, Target, Value
from editor.engine.props import PROPS
from editor.sentences import EMPTY, Sentence, join_names

type Translate = Callable[[Sentence], str]

_DEGREES = (
    (0.15, "a touch"),
    (0.3, "a little"),
    (0.38, ""),  # the default amount is not mentioned
    (0.5, "noticeably"),
    (0.7, "a lot"),
    (0.9, "dramatically"),
    (2.0, "completely"),
)
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{([^{}]*)\}")
_ARTICLE = re.compile(r"\ba(\[? \{(\w+)\})")  # the article in front of a slot
_WITHIN, _INCHES = "within ", " inches"


def describe_step(step: Step, translate: Translate = str) -> str:
    """Return a description of the step, such as "Make the sky a little brighter".

    Any targets to keep are added to the sentence. `translate` translates the sentence and the known words in
    it; words of the user are not translated.
    """
    fitting = next((one for one in descriptions(step.declaration) if _fits(one, step)), "")
    sentence = _fill_slots(translate(Sentence(fitting)), step, translate)
    return " ".join(sentence.split()) + translate(_keep_clause(step))


def descriptions(declaration: Declaration) -> tuple[str, ...]:
    """Return the sentences that describe the steps of an operation."""
    sentences = declaration.english.get("sentence", declaration.name.replace("_", " ").capitalize())
    return (sentences,) if isinstance(sentences, str) else tuple(sentences)


def _fits(words: str, step: Step) -> bool:
    """Return whether every slot outside brackets has a value."""
    return all(_slot(name, step) is not None for name in _SLOT.findall(_OPTIONAL.sub("", words)))


def _fill_slots(sentence: str, step: Step, translate: Translate) -> str:
    """Return the sentence with its slots filled and without brackets in which a slot is empty."""

    def value(slot: re.Match[str]) -> str:
        words = _slot(slot[1], step) or ""
        return translate(words) if isinstance(words, Sentence) else words

    def article(found: re.Match[str]) -> str:
        is_before_vowel = (_slot(found[2], step) or "").startswith(("a", "e", "i", "o", "u"))
        return f"{'an' if is_before_vowel else 'a'}{found[1]}"

    sentence = _OPTIONAL.sub(
        lambda part: part[1] if _fits(part[1], step) else "", _ARTICLE.sub(article, sentence)
    )
    return _SLOT.sub(value, sentence)


def _slot(name: str, step: Step) -> str | None:
    if name.startswith("?"):
        return "" if _is_condition_met(name[1:], step) else None
    name, _, words = name.partition(":")
    if words:
        first, _, second = words.partition("|")
        return second if (step.amount or 0.0) < 0 else first
    if name in _SLOT_WORDS:
        return _SLOT_WORDS[name](step)
    name, _, usual = name.partition("|")
    value = step.photo if name == "photo" else step.values.get(name)
    return usual or None if value is None else _words_of(step, name, value)


def _words_of(step: Step, name: str, value: Value) -> str:
    if isinstance(value, Target):
        return _full_words(value)
    if isinstance(value, float):
        return number_words(value)
    declared = step.declaration.fields.get(name)
    match declared.type if declared else "":
        case "color":
            return color_name(str(value))
        case "text":
            return str(value)
        case "size" if str(value).startswith(_WITHIN):
            return Sentence("within %(size)s", size=str(value).removeprefix(_WITHIN))
        case _:
            return phrase(str(value))


def _is_condition_met(condition: str, step: Step) -> bool:
    name, _, wanted = condition.partition("=")
    value = step.target.what if name == "target" else step.values.get(name)
    if not wanted:
        return value is not None
    return any(fnmatchcase(str(value), word) for word in wanted.split("|"))


def _degree(step: Step) -> str | None:
    amount = step.values.get("amount")
    if not isinstance(amount, Amount):
        return None
    return _by(step) or next(phrase(word) for limit, word in _DEGREES if abs(amount.share) < limit) or None


def _by(step: Step) -> Sentence | None:
    """Return the amount as a phrase such as "by 20%" if it was given as a number, or None otherwise."""
    measure = _measure(step)
    return Sentence("by %(amount)s", amount=measure) if measure else None


def _measure(step: Step) -> Sentence | None:
    """Return the amount such as "20%" if it was given as a number, or None otherwise."""
    amount = step.values.get("amount")
    if not isinstance(amount, Amount) or amount.number is None:
        return None
    number = number_words(abs(amount.number))
    match amount.unit:
        case "percent":
            return Sentence("%(number)s%", number=number)
        case "stops" if amount.number == 1:
            return Sentence("%(number)s stop", number=number)
        case "stops":
            return Sentence("%(number)s stops", number=number)
        case _:
            return Sentence("%(number)s pixels", number=number)


def _width(step: Step) -> Sentence | None:
    """Return the amount as it is used before a noun, such as "20 pixel"."""
    amount = step.values.get("amount")
    if isinstance(amount, Amount) and amount.number is not None and amount.unit == "pixels":
        return Sentence("%(number)s pixel", number=number_words(abs(amount.number)))
    return _measure(step)


def _bit(step: Step) -> str | None:
    return None if _by(step) else _degree(step)


def _quantity(step: Step) -> str | None:
    """Return the amount as a quantity, as in "a little snow" or "a lot of snow"."""
    if _by(step) or not isinstance(step.values.get("amount"), Amount):
        return None
    word = _bit(step) or "some"
    if word == "a little" and step.operation.endswith("s"):
        return phrase("a few")
    return phrase(
        {"a lot": "a lot of", "a touch": "a touch of", "noticeably": "quite a bit of"}.get(word, word)
    )


def _strength(step: Step) -> str | None:
    """Return the amount as an adjective, or None for the default amount or if there is no adjective."""
    strength = _STRENGTHS.get(_bit(step) or "")
    return phrase(strength) if strength else None


def _owner(step: Step) -> str | None:
    """Return the owner of a part, such as "man on the left"."""
    return _join(name_of(step.target.of), at_place(step.target.place)) if step.target.of else None


def _part(step: Step) -> str | None:
    return None if step.target == WHOLE else _full_words(step.target)


def _item(step: Step) -> Sentence:
    """Return a prop with its number and size: "a large teapot", "two red chairs"."""
    prop, count = PROPS[str(step.values["prop"])], int(str(step.values.get("count") or 1))
    name = plural_of(prop.title) if count > 1 else prop.title
    item = _sized(_colored(Sentence(name), step.color), _scale(step))
    if count > 1:
        return Sentence("%(count)s %(thing)s", count=count, thing=item)
    if prop.is_one:
        return Sentence("some %(thing)s", thing=item)
    if takes_an(item):
        return Sentence("an %(thing)s", thing=item)
    return Sentence("a %(thing)s", thing=item)


def _sized(thing: Sentence, size: str | None) -> Sentence:
    return Sentence("%(size)s %(thing)s", size=size, thing=thing) if size else thing


def _colored(thing: Sentence, color: str | None) -> Sentence:
    return Sentence("%(color)s %(thing)s", color=color_name(color), thing=thing) if color else thing


def _scale(step: Step) -> str | None:
    if step.amount is None:
        return None
    return next(phrase(word) for most, word in _SIZES if step.amount <= most)


def _nearby(step: Step) -> str:
    """Return the relation to a neighboring thing, such as "to the left of"."""
    return phrase(_NEARBY.get(step.place or "", "next to"))


def _spot(step: Step) -> str | None:
    """Return where something goes: "at the top", "to the left of the dog", "on the table"."""
    if step.target == WHOLE:
        return at_place(step.place) or None
    if step.target.what == "region" and not step.target.noun and not step.place:
        if step.target.boxes in ((), (1,)):
            return phrase("here")
        return Sentence("in %(area)s", area=target_words(step.target))
    relation = phrase(_BESIDE.get(step.place or "", "on"))
    return Sentence("%(relation)s %(thing)s", relation=relation, thing=_full_words(step.target))


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
_SLOT_WORDS: dict[str, Callable[[Step], str | None]] = {
    "degree": _degree,
    "bit": _bit,
    "by": _by,
    "edge": lambda step: phrase(step.place) if step.place else None,
    "sides": lambda step: _sides(step.place),
    "length": _measure,
    "width": _width,
    "quantity": _quantity,
    "strength": _strength,
    "turn": lambda step: number_words(abs(float(str(step.values.get("degrees", 0))))),
    "print": lambda step: _paper(str(step.values.get("paper") or "")) or None,
    "dots": lambda step: _measure_of(step, "dpi"),
    "limit": lambda step: _measure_of(step, "kilobytes"),
    "format": lambda step: _FORMATS.get(str(step.values.get("file_format"))),
    "scale": _scale,
    "item": _item,
    "nearby": _nearby,
    "spot": _spot,
    "where": lambda step: _full_words(step.target),
    "owner": _owner,
    "part": _part,
    "thing": lambda step: _with_unchecked(_thing(step.target), step.target) if step.target.noun else None,
    "thickness": lambda step: _thickness(step.amount),
    "place": lambda step: at_place(step.place) or None,
}


def _paper(paper: str) -> str:
    size = paper.removesuffix(_INCHES)
    return paper if size == paper else Sentence("%(size)s inch", size=size)


def _thickness(amount: float | None) -> str | None:
    word = {0.2: "thin", 0.65: "thick"}.get(amount or 0.0)
    return phrase(word) if word else None


def _measure_of(step: Step, unit: str) -> str | None:
    """Return the step's amount with its unit, such as "300 dpi", or None if it has a different unit."""
    amount = step.values.get("amount")
    if not isinstance(amount, Amount) or amount.unit != unit:
        return None
    number = amount.number or 0.0
    if unit == "kilobytes":
        number, unit = (number / 1000, "MB") if number >= 1000 else (number, "KB")
    return _join(number_words(number), unit)


def _sides(place: str | None) -> str | None:
    """Return the names of the sides: "top and bottom", "edges"."""
    if not place:
        return None
    return phrase("edges") if place == "all" else _join_words(map(phrase, place.split()))


def _full_words(target: Target) -> Sentence:
    return _with_unchecked(target_words(target), target)


def _with_unchecked(thing: Sentence, target: Target) -> Sentence:
    """Return a phrase for a target, with the words that the engine cannot check."""
    if not target.unchecked:
        return thing
    return Sentence("%(thing)s (not checked: “%(words)s”)", thing=thing, words=target.unchecked)


def target_words(target: Target) -> Sentence:
    """Return a phrase for a target: "the photo", "the faces", "the red car on the left", "the marked sky"."""
    match target.what:
        case "region":
            return _marked(target)
        case "face":
            face = Sentence("face") if target.count == 1 or target.of else Sentence("faces")
            return _join(_owned(face, target.of), at_place(target.place))
        case "place" if target.place == "edges":
            return Sentence("the edges of the photo")
        case "place":
            return Sentence("the %(place)s part of the photo", place=phrase(target.place or ""))
        case "thing":
            return _thing(target)
        case "subject":
            return Sentence("the subject")
        case "background":
            return Sentence("the background")
        case "text":
            return Sentence("the text")
        case _ if target == WHOLE:
            return Sentence("the photo")
        case _:
            return _owned(name_of(target.what), None)


def _marked(target: Target) -> Sentence:
    name = _name(target)
    if target.selected is not None:
        return _selected(target, name)
    if target.boxes in ((), (1,)):
        return Sentence("the marked %(thing)s", thing=name) if name else Sentence("the area in the box")
    numbers = _join_words(map(str, target.boxes))
    is_one = len(target.boxes) == 1
    boxes = (
        Sentence("box %(numbers)s", numbers=numbers)
        if is_one
        else Sentence("boxes %(numbers)s", numbers=numbers)
    )
    return Sentence("the %(thing)s in %(boxes)s", thing=name, boxes=boxes) if name else boxes


def _name(target: Target) -> str:
    """Return the noun of a target with its color, or one of them, or ""."""
    if target.noun:
        return _colored(name_of(target.noun), target.color)
    return color_name(target.color) if target.color else ""


def _selected(target: Target, name: str) -> Sentence:
    """Return a phrase for the thing that a click selected and for the target's other boxes."""
    known = Sentence("what you selected")
    if target.selected:
        known = Sentence("the %(thing)s", thing=Sentence(target.selected))
    if target.noun:
        here = Sentence("the selected %(thing)s", thing=name)
    else:
        here = Sentence("the %(color)s parts of %(thing)s", color=name, thing=known) if name else known
    if len(target.boxes) == 1:
        return here
    return join_names([_marked(replace(target, selected=None, boxes=target.boxes[:-1])), here])


def _thing(target: Target) -> Sentence:
    noun = Sentence("parts") if target.noun in (None, "parts") else name_of(target.noun)
    thing = _counted(_with_color(noun, target), target)
    rank, side = _rank_and_side(target)
    return _join(_owned(thing, target.of), phrase(f"from the {side}") if rank else at_place(target.place))


def _with_color(noun: Sentence, target: Target) -> Sentence:
    if target.color and is_someone(target.noun):
        return Sentence("%(thing)s in %(color)s", thing=noun, color=color_name(target.color))
    if target.color == "green" and class_of(replace(target, color=None)) == "green":
        return noun  # "green trees" becomes "the trees"
    return _colored(noun, target.color)


def _counted(thing: Sentence, target: Target) -> Sentence:
    rank, _ = _rank_and_side(target)
    if rank:
        return Sentence("%(rank)s %(thing)s", rank=phrase(rank), thing=thing)
    if target.count == 1:
        return Sentence("only %(thing)s", thing=thing)
    return Sentence("%(count)s %(thing)s", count=target.count, thing=thing) if target.count else thing


def _rank_and_side(target: Target) -> tuple[str, str]:
    """Return "second" and "left" for "second from left", and two empty strings if the place has no rank."""
    rank, _, side = (target.place or "").partition(" from ")
    return (rank, side) if rank_in(target.place) else ("", "")


def _owned(thing: Sentence, owner: str | None) -> Sentence:
    if owner:
        return Sentence("the %(owner)s's %(thing)s", owner=name_of(owner), thing=thing)
    return Sentence("the %(thing)s", thing=thing)


def _join[Words: str](first: Words, second: str) -> Words | Sentence:
    return Sentence("%(first)s %(second)s", first=first, second=second) if second else first


def _join_words(words: Iterable[str]) -> Sentence:
    return join_names([Sentence.of(word) for word in words])


def at_place(place: str | None) -> str:
    """Return a phrase for a place: "on the left", "at the top", "on the right in the background"."""
    if place is None:
        return ""
    depth = next((depth for depth in DEPTHS if depth in place.split()), None)
    side = place.replace(depth or "", "").strip()
    words = {"center": "in the center", "left": "on the left", "right": "on the right", "": ""}
    at_side, in_depth = words.get(side, f"at the {side}"), f"in the {depth}" if depth else ""
    return _join(phrase(at_side), phrase(in_depth)) if at_side else phrase(in_depth)


def _keep_clause(step: Step) -> Sentence:
    if not step.keep:
        return EMPTY
    is_one = len(step.keep) == 1 and step.keep[0].what != "face" and not takes_them(step.keep[0].noun or "")
    targets = join_names([_full_words(target) for target in step.keep])
    if is_one:
        return Sentence(", but keep %(kept)s as it is", kept=targets)
    return Sentence(", but keep %(kept)s as they are", kept=targets)
