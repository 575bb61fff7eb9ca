"""What is added by its name: "two palm trees on the left", "a red apple on the table", "a top hat on him"."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import NamedTuple

from editor.engine.kinds import DEPTHS, LIVING, PARTS, is_plural, is_someone, kinds_of
from editor.engine.language.grammar import Atom, is_packing
from editor.engine.language.landmarks import Landmark, landmark_named, relation_in
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.props import (
    BEING,
    BUILDINGS,
    COUNTS,
    FLYING,
    GROUND,
    PRAISE,
    SCATTERING,
    SIZES,
)
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import boxed
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Step, Target
from editor.engine.props import MOST_PROPS, PROPS, Prop, prop_named

_COUNTED = {word: count for count, words in COUNTS.items() for word in words.split(", ")}
_SIZED = {word: amount for amount, words in SIZES.items() for word in words.split(", ")}
_SEVERAL = 3  # "apples"
_DARKER = ("dark ", "light ", "bright ", "pale ")  # shades of a color: "dark green"


@dataclass(frozen=True, slots=True)
class Named:
    """A prop as far as it was read; `after` is the first atom behind its noun."""

    prop: Prop
    after: int
    count: int = 1
    amount: float | None = None
    color: str | None = None
    is_flying: bool = False


class _Where(NamedTuple):
    """Where it goes, in the fields of a step; `is_flying` says that it is in the air there."""

    target: Target = WHOLE
    place: str | None = None
    is_flying: bool = False


def added_props(phrase: Phrase) -> Answer | None:
    """The steps that add props; None where the words name none, or say more of one than its picture shows."""
    atoms = [atom for atom in phrase.clause.atoms if atom.kind != "stop"]
    verb = next((at for at, atom in enumerate(atoms) if not is_packing(atom)), len(atoms))
    if verb >= len(atoms) or not (atoms[verb].has(Role.ADD) or atoms[verb].text in SCATTERING):
        return None
    if atoms[verb].text in _WRITING:
        return None
    if atoms[verb].text in _GIVING:
        return _given(phrase, atoms[verb + 1 :])
    steps: list[Step] = []
    at = verb + 1
    while at < len(atoms):
        named = _named(atoms, at)
        if named is None:
            return None
        at = _end_of_item(atoms, named.after)
        told = atoms[named.after : at]
        where = _where(phrase, atoms[named.after - 1], told, named.prop) or _marked(phrase, told)
        made = _step(phrase, named, where) if isinstance(where, _Where) else where
        if made is None:
            made = _of_unknown_item(phrase, atoms[named.after - 1], told)
        if not isinstance(made, Step):
            return made
        steps.append(made)
        at += 1
    return _sharing_a_place(steps) or None


def _of_unknown_item(phrase: Phrase, noun: Atom, told: Sequence[Atom]) -> Refusal | None:
    """ "A tent and a campfire": it is the campfire that has no picture."""
    joins = len(told) > 2 and (told[0].has(Role.AND) or told[0].kind == "comma")
    if not joins or told[1].text not in _COUNTED or noun.has(Role.COLOR):
        return None
    sentence = f"There is no picture of “{_said(told[1:])}” here. Leave it out, or attach a photo of it."
    return phrase.refused(Reason.NEEDS_GENERATION, sentence)


def prop_alone(phrase: Phrase, atoms: Sequence[Atom]) -> Named | None:
    """The prop that is all that the atoms name, beside courtesy and the photo that it is in."""
    named = _named(atoms, 0)
    told = [atom for atom in atoms[named.after :] if atom.text != "instead"] if named else []
    is_all = named is not None and _in_the_photo(phrase, _without_being(told)) == _anywhere(phrase, told)
    return named if is_all else None


def _anywhere(phrase: Phrase, told: Sequence[Atom]) -> _Where:
    """What the words of no place are read as."""
    return _Where(target=boxed(phrase)) if any(atom.has(Role.MARKED) for atom in told) else _Where()


def prop_step(phrase: Phrase, named: Named, target: Target) -> Step | Refusal:
    """The step that adds it at a target."""
    return _step(phrase, named, _Where(target))


_GIVING = frozenset({"give", "giving"})
_WRITING = frozenset({"write", "type", "caption", "print"})


def _given(phrase: Phrase, atoms: Sequence[Atom]) -> Answer | None:
    """ "Give the man a top hat": what is worn, by who is named."""
    for at in range(1, len(atoms)):
        named = _named(atoms, at) if atoms[at].text in _COUNTED else None
        if named is None:
            continue
        wearer = landmark_named(atoms[:at])
        is_worn = named.prop.sits == "head" and wearer is not None and is_someone(wearer.target.noun)
        is_all = all(map(is_packing, atoms[named.after :]))
        is_all = is_all and named.prop.sits == "head"
        if wearer and is_all and set(kinds_of(wearer.target.noun)) & LIVING and not is_worn:
            where = _on_an_animal(phrase, wearer.target)
            made = where if isinstance(where, Refusal) else _step(phrase, named, where)
            return made if isinstance(made, Refusal) else [made]
        if wearer is None or not (is_worn and is_all):
            return None
        made = _step(phrase, named, _Where(wearer.target, "head"))
        return made if isinstance(made, Refusal) else [made]
    return None


def _sharing_a_place(steps: Sequence[Step]) -> list[Step]:
    """ "An apple and a pear on the table" lie both there."""
    last = steps[-1] if steps else None
    loose = [step for step in steps if step.target == WHOLE and step.place is None]
    if last is None or len(loose) < len(steps) - 1 or last in loose or last.place == "head":
        return list(steps)
    return [_placed_as(last, step) for step in steps]


def _placed_as(last: Step, step: Step) -> Step:
    """Where the last one is, if it can be there: a tent does not hang in the sky."""
    prop, is_aloft = PROPS[step.choice or ""], last.text or last.place == "above"
    can_be_there = _fits_scenery(last.target, prop) and not (is_aloft and prop.sits != "flies")
    return (
        replace(step, target=last.target, place=last.place, text=last.text)
        if can_be_there or prop.name == last.choice
        else step
    )


def _named(atoms: Sequence[Atom], start: int) -> Named | None:
    """The prop whose noun is the first one from that atom on, with all that is said of it before."""
    for at in range(start, min(start + 8, len(atoms))):
        words = _words(atoms[at:])
        article = words[:1] == ["a"] and " " in atoms[at].text  # the amount "a stop" of "a stop sign"
        found = prop_named(words[article:]) if not _is_told(atoms, at) else None
        if found:
            length, prop, is_several = found
            after = _after(atoms, at, length + article)
            is_color = not is_several and _is_a_color(atoms[start : at + 1])
            if after is not None and not is_color and not _is_of_background(atoms[after:]):
                return _described(Named(prop, after), atoms[start:at], is_several=is_several)
    return None


def _is_a_color(told: Sequence[Atom]) -> bool:
    """The "orange" of "some orange", which is not counted as "an orange" is."""
    counted = any(atom.has(Role.NUMBER) or _COUNTED.get(atom.text) == 1 for atom in told[:-1])
    return told[-1].has(Role.COLOR) and not counted


def _is_of_background(following: Sequence[Atom]) -> bool:
    """ "A tree background" is no tree."""
    return bool(following) and following[0].has(Role.BACKGROUND)


def _words(atoms: Sequence[Atom]) -> list[str]:
    return [word for atom in atoms[:5] for word in atom.text.replace("-", " ").split()][:6]


def _after(atoms: Sequence[Atom], at: int, length: int) -> int | None:
    """The atom behind that many words; None where they end inside of one."""
    while length > 0 and at < len(atoms):
        length -= len(atoms[at].text.replace("-", " ").split())
        at += 1
    return at if length == 0 else None


def _is_told(atoms: Sequence[Atom], at: int) -> bool:
    """Whether the "orange" of "an orange cup" describes: another noun follows."""
    own = prop_named(_words(atoms[at:])) if atoms[at].has(Role.COLOR) else None
    return own is not None and own[0] == 1 and prop_named(_words(atoms[at + 1 :])) is not None


def _described(named: Named, before: Sequence[Atom], *, is_several: bool) -> Named | None:
    """With how many there are, how large, and of which color; None where a word says something else."""
    count: int | None = None
    for atom in before:
        text = atom.text.removeprefix("a ") if atom.has(Role.AMOUNT) else atom.text  # "a little", "a tiny"
        if atom.has(Role.NUMBER) and text not in _COUNTED:
            number = float(str(atom.senses[Role.NUMBER]))
            if not number.is_integer() or number < 1 or count is not None:  # "a 3d tree"
                return None
            count = int(number)
        elif text in _COUNTED and (count or 1) == 1:
            count = _COUNTED[text]
        elif text in _SIZED:
            named = replace(named, amount=_SIZED[text])
        elif atom.has(Role.COLOR) and named.color is None:
            named = replace(named, color=str(atom.senses[Role.COLOR]))
        elif text in FLYING and (named.prop.is_round or named.prop.sits == "flies"):
            named = replace(named, is_flying=True)
        elif atom.has(Role.COLOR) and str(atom.senses[Role.COLOR]) in named.prop.colors.split():
            continue  # "a red and white santa hat"
        elif not (
            text in ("of", "and") or text in PRAISE or text in named.prop.fits.split() or _is_aside(atom)
        ):
            return None
    if named.prop.is_one:  # "a bunch of tulips", but not "two tulips"
        return None if any(atom.has(Role.NUMBER) for atom in before) else named
    if is_several and count in (None, 1):
        return replace(named, count=_SEVERAL) if count is None else None
    return replace(named, count=count or 1)


def _is_aside(atom: Atom) -> bool:
    """Courtesy, but not the article of what is there already."""
    return atom.has(Role.FILLER) and not atom.has(Role.DETERMINER, Role.THIS)


def _end_of_item(atoms: Sequence[Atom], start: int) -> int:
    """Where the next prop of a list begins to be told, at its "and" or comma."""
    for at in range(start, len(atoms) - 1):
        joins = atoms[at].has(Role.AND) or atoms[at].kind == "comma"
        if joins and _counts(atoms[at + 1]) and _named(atoms, at + 1):
            return at
    return len(atoms)


def _counts(atom: Atom) -> bool:
    return atom.text in _COUNTED or prop_named(_words([atom])) is not None


def _where(phrase: Phrase, noun: Atom, told: Sequence[Atom], prop: Prop) -> _Where | Refusal | None:
    """The place that the atoms behind the noun tell; None where they tell something else."""
    tail = _without_being(told)
    if tail and _is_left_open(tail[-1]) and not (prop.sits == "head" and tail[-1].text == "on"):
        return None  # "put the candles out"
    is_flying = any(atom.text in FLYING for atom in tail[:1])
    if is_flying:
        if not (
            prop.is_round or prop.sits == "flies" or (prop.sits == "floats" and tail[0].text == "floating")
        ):
            return None
        is_flying = prop.sits != "floats"
        tail = tail[1:]
    where = _in_the_photo(phrase, tail) or _by_a_landmark(phrase, noun, tail, prop, is_flying=is_flying)
    if isinstance(where, _Where) and phrase.scene.boxes and where.target == WHOLE and where.place is None:
        where = where._replace(target=boxed(phrase))
    return where._replace(is_flying=True) if isinstance(where, _Where) and is_flying else where


def _is_left_open(atom: Atom) -> bool:
    """Whether it is a preposition that nothing follows: with the verb it says something else."""
    return atom.has(Role.PREPOSITION) and not atom.has(Role.PLACE, Role.MARKED, Role.THIS, Role.BACKGROUND)


def _marked(phrase: Phrase, tail: Sequence[Atom]) -> _Where | Refusal | None:
    """The box, where the words name a place that is not looked for; None where no place follows the noun."""
    if not tail or not tail[0].has(Role.PREPOSITION):
        return None
    is_instead = any(left.text == "place" and right.text == "of" for left, right in pairwise(tail))
    if is_instead or any(atom.text in _TELLING_MORE or atom.has(Role.NOT, Role.REPLACE) for atom in tail):
        return phrase.refused(Reason.NO_SUCH_TARGET, _SAY_ONLY)
    if phrase.scene.boxes:
        return _Where(target=boxed(phrase))
    return phrase.refused(Reason.NO_SUCH_TARGET, _SAY_WHERE.format(_said(tail)))


def _said(atoms: Sequence[Atom]) -> str:
    return " ".join(atom.text for atom in atoms if atom.kind != "comma")


_TELLING_MORE = frozenset(
    {
        *("with", "who", "that", "which", "instead", "holding", "wearing", "from", "and", "or", "for"),
        *("as", "like"),
    }
)
_SAY_ONLY = (
    "A picture of it can be added as it is. Say only what and where, as in: add an apple on the table."
)
_SAY_WHERE = (
    "The place “{}” cannot be found. Mark it with a box, or say, for example: on the left, on the table, "
    "next to the woman."
)


def _without_being(tail: Sequence[Atom]) -> list[Atom]:
    """Without what says no more than that it is there: "standing", "that is", ", blending naturally"."""
    told = list(tail)
    for at, atom in enumerate(told):
        if atom.text in _BLENDING and at > 0:
            told = told[:at]
            break
    while told and (told[-1].kind == "comma" or (told[-1].has(Role.FILLER) and told[-1].text not in _UPON)):
        told.pop()
    first = 0
    while first < len(told) and (told[first].text in BEING | _RELATIVE or told[first].kind == "comma"):
        first += 1
    return told[first:]


_RELATIVE = frozenset({"that", "which", "is", "are", "that is", "which is"})
_BLENDING = frozenset({"blending", "ensuring", "to enhance", "to enrich", "to complement"})
_UPON = frozenset({"throughout"})


def _in_the_photo(phrase: Phrase, tail: Sequence[Atom]) -> _Where | None:
    """ "In the bottom left corner of the image", "in the background on the right", "here", or nothing."""
    places: list[str] = []
    for atom in tail:
        if atom.text in _OWNERS:
            return None
        if atom.has(Role.PLACE):
            places.append(str(atom.senses[Role.PLACE]))
        elif atom.has(Role.BACKGROUND) or atom.text == "distance":
            places.append("background")
        elif atom.text in _FOREGROUND:
            places.append("foreground")
        elif not (
            atom.has(*_LEADING) or atom.text in _PARTS or (atom.has(Role.MARKED) and phrase.scene.boxes)
        ):
            return None
    sides = [place for place in places if place not in DEPTHS]
    depths = [place for place in places if place in DEPTHS]
    if len(sides) > 1 or len(depths) > 1 or "all" in sides:
        return None
    if any(atom.has(Role.MARKED) for atom in tail):
        return _Where(target=boxed(phrase))
    is_corner = not sides and any(atom.text == "corner" for atom in tail)
    return _Where(place=" ".join([*(["bottom right"] if is_corner else sides), *depths]) or None)


_OWNERS = frozenset({"his", "her", "its", "my", "our", "your", "their"})
_FOREGROUND = frozenset({"foreground", "fore ground", "front"})
_LEADING = (Role.PREPOSITION, Role.DETERMINER, Role.PHOTO, Role.FILLER, Role.THIS)
_PARTS = GROUND | {"side", "part", "half", "edge", "area", "corner", "section", "portion", "far"}


def _by_a_landmark(
    phrase: Phrase, noun: Atom, tail: Sequence[Atom], prop: Prop, *, is_flying: bool
) -> _Where | Refusal | None:
    """ "On the table", "next to the woman", "on the man's head", "towards the player"."""
    told = _without_surface(tail)
    if aside := _aside_in_scenery(phrase, noun, told, prop):
        return aside
    if is_flying and told and told[0].text in _TOWARDS:
        landmark = landmark_named(told[1:])
        is_found = landmark is not None and bool(kinds_of(landmark.target.noun) or landmark.part)
        return _Where(landmark.target, "next to") if landmark and is_found else None
    ahead = next((words for words in _AHEAD if _opens_with(told, words)), None)
    if ahead:
        if told[-1].text in BUILDINGS and all(
            is_packing(atom) or _is_the(atom) for atom in told[len(ahead) : -1]
        ):
            return _Where(place="bottom")
        landmark, place = landmark_named(told[len(ahead) :]), "in front"
    else:
        relation = relation_in([noun, *told])
        if relation is None or relation.first != 1:
            return None
        landmark, place = _landmark(told[relation.after - 1 :]), relation.place
        if landmark and _is_of_flowers(landmark.target.noun):
            return _on_flowers(landmark.target, place, prop)
        if not place and told[0].text in _INSIDE and landmark and landmark.target.noun not in _SCENERY:
            return None  # what is in a bowl is half hidden by it
    return _beside(phrase, landmark, place, prop, is_flying=is_flying) if landmark else None


def _landmark(atoms: Sequence[Atom]) -> Landmark | None:
    """As for all additions, and "the blue sky", and flowers."""
    telling = [atom for atom in atoms if not is_packing(atom) and not _is_the(atom)]
    if len(telling) == 1 and telling[0].senses.get(Role.GROUND) == "sky":
        return Landmark(Target("thing", noun="sky"))
    if len(telling) == 1 and _is_of_flowers(telling[0].text):
        return Landmark(Target("thing", noun=telling[0].text))
    return landmark_named(atoms)


def _is_the(atom: Atom) -> bool:
    return atom.has(Role.DETERMINER, Role.THIS)


def _is_of_flowers(noun: str | None) -> bool:
    return PARTS.get(noun or "") == "flowers"


def _on_flowers(target: Target, place: str, prop: Prop) -> _Where | None:
    """Butterflies sit there."""
    is_small = prop.sits == "flies" and prop.metres < _SITS
    return _Where(target, "on") if is_small and place in ("", "on top") else None


_SITS = 0.3  # metres: what flies and is smaller sits on flowers


def _aside_in_scenery(phrase: Phrase, noun: Atom, told: Sequence[Atom], prop: Prop) -> _Where | None:
    """ "In the sky on the left", "on the right in the sky"."""
    cut = next((at for at in range(1, len(told)) if told[at].has(Role.PREPOSITION)), None)
    for near, side in ((told[:cut], told[cut:]), (told[cut:], told[:cut])) if cut else ():
        aside = _in_the_photo(phrase, side)
        where = _by_a_landmark(phrase, noun, near, prop, is_flying=False) if aside and aside.place else None
        if aside and isinstance(where, _Where) and where.target.noun in _SCENERY:
            return where._replace(place=aside.place)
    return None


_AHEAD = (("in front of",), ("to", "the", "front", "of"), ("at", "the", "front", "of"))


def _opens_with(atoms: Sequence[Atom], words: Sequence[str]) -> bool:
    return [atom.text for atom in atoms[: len(words)]] == list(words)


_TOWARDS = frozenset({"towards", "toward", "at", "to"})
_INSIDE = frozenset({"in", "into", "inside", "within"})
_SCENERY = frozenset({"sky", "grass", "water"})


def _without_surface(tail: Sequence[Atom]) -> list[Atom]:
    """ "On the table" of "on the table's surface", "on the surface of the table"."""
    told = [
        atom
        for atom, after in zip_longest(tail, tail[1:])
        if atom.text not in ("'s", "surface", "wooden")
        and not (atom.has(Role.COLOR) and after and after.senses.get(Role.FINDABLE) in _SCENERY)
    ]
    return [
        atom for at, atom in enumerate(told) if not (atom.text == "of" and at and told[at - 1].text == "the")
    ]


def _beside(
    phrase: Phrase, landmark: Landmark, place: str, prop: Prop, *, is_flying: bool
) -> _Where | Refusal | None:
    target, part = landmark
    is_of_people = target.what == "face" or is_someone(target.noun)
    is_of_an_animal = not is_of_people and bool(set(kinds_of(target.noun)) & LIVING)
    if prop.sits == "head" and (part or is_of_people or is_of_an_animal) and place in ("", "on top", "above"):
        return _Where(target, "head") if is_of_people else _on_an_animal(phrase, target)
    if place in ("", "on top", "in front") and is_plural(target.noun or ""):
        return None
    if target.noun in _SCENERY:
        return _in_scenery(target, place, prop)
    if part and is_someone(target.noun):
        target = Target("face", place=target.place, count=1)
    if place == "between" and not (target.count == 2 and is_plural(target.noun or "")):
        return None
    if place == "above" and prop.sits != "flies" and not is_flying:
        is_carried = bool(set(kinds_of(target.noun)) & SURFACES) and prop.sits in ("stands", "lies")
        return _Where(target, "on") if is_carried else _Where(target, place, is_flying=prop.sits != "hangs")
    if place == "below":
        return None
    if place == "" and not part and not set(kinds_of(target.noun)) & SURFACES:
        return None
    if part and place not in ("", "on top", "next to", "left of", "right of"):
        return None
    on_top = part in ("head", "face") and place in ("", "on top")
    if part == "eyes" or (place == "on top" and target.what == "thing" and not _carries(target.noun)):
        return None
    return _Where(target, "on top" if on_top else place or "on")


def _on_an_animal(phrase: Phrase, target: Target) -> _Where | Refusal:
    """Of animals no head is found: a box shows it."""
    if phrase.scene.boxes:
        return _Where(target=boxed(phrase))
    return phrase.refused(Reason.NO_SUCH_TARGET, f"Mark the head of the {target.noun} with a box.")


SURFACES = frozenset({"dining table", "bench", "chair", "couch", "bed", "pizza"})
"""Kinds of the detector that things stand on."""
_TOPS = (
    SURFACES
    | LIVING - {"bird", "giraffe"}
    | frozenset(
        {
            "suitcase",
            "cake",
            "refrigerator",
            "oven",
            "microwave",
            "car",
            "bus",
            "truck",
            "fire hydrant",
            "book",
        }
    )
)


def _carries(noun: str | None) -> bool:
    return bool(kinds_of(noun)) and set(kinds_of(noun)) <= _TOPS


def _in_scenery(target: Target, place: str, prop: Prop) -> _Where | None:
    return _Where(target, "on") if _fits_scenery(target, prop) and not place else None


def _fits_scenery(target: Target, prop: Prop) -> bool:
    """In the sky flies what flies, on the grass stands what stands, on water floats what floats."""
    fitting = {"sky": ("flies",), "water": ("floats",), "grass": ("stands", "lies")}.get(target.noun or "")
    return fitting is None or prop.sits in fitting or (target.noun == "sky" and prop.is_round)


def _step(phrase: Phrase, named: Named, where: _Where) -> Step | Refusal:
    prop = named.prop
    if named.count > MOST_PROPS:
        return phrase.refused(Reason.TOO_LARGE, f"At most {MOST_PROPS} of them can be added at once.")
    color = _color(named)
    if color and not prop.is_recolorable:
        hint = f"The {prop.title} that can be added here is not {color}. Leave the color out."
        return phrase.refused(Reason.NO_SUCH_TARGET, hint)
    if prop.sits == "head" and where.target == WHOLE and where.place is None:
        if named.count > 1:
            return phrase.refused(Reason.AMBIGUOUS, "Say who wears them, for example: on their heads.")
        where = _Where(Target("face", count=1), "head")
    if where.place == "head" and named.count > 1:
        if where.target.count == 1 or not (where.target.what == "face" or is_plural(where.target.noun or "")):
            return phrase.refused(Reason.NO_SUCH_TARGET, "Only one can be worn. Say who else wears one.")
        named = replace(named, count=1)  # each gets one
    return phrase.step(
        Kind.ADD,
        "prop",
        choice=prop.name,
        target=where.target,
        place=where.place,
        color=color,
        amount=named.amount,
        exact=(float(named.count), "pieces") if named.count > 1 else None,
        text="in the air" if named.is_flying or where.is_flying else None,
    )


def _color(named: Named) -> str | None:
    """The color that it does not have anyway."""
    color = named.color or ""
    plain = next((color.removeprefix(shade) for shade in _DARKER if color.startswith(shade)), color)
    return None if not color or plain in named.prop.colors.split() else color
