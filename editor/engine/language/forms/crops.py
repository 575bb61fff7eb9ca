"""What is cut off the photo: to a ratio, a size, around something, or by a share of its sides."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.language.forms.drawings import names_in, thing_named
from editor.engine.language.forms.form import (
    LINKS,
    PARTS,
    STRONG,
    Form,
    Found,
    amount_of,
    measure_of,
    value_of,
)
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import SUBJECTS
from editor.engine.language.phrases import Answer, Phrase, Scope
from editor.engine.language.placing import boxed, is_noun_phrase, placed_scope
from editor.engine.language.seen import seen_thing
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Target

_WIDEST = 4  # of a ratio: beyond it hardly anything is left
_SIDE_SHARE = 20.0  # percent that "crop the bottom" takes off
_CLOSER = {0.1: 4.0, 0.2: 8.0, 0.65: 20.0, 0.8: 25.0}  # percent off every side, by amount
CLOSER = 12.0
_TOWARDS = frozenset({"to", "around", "on", "in", "into", "onto", "at", "for", "towards"})
_SIDES = ("left", "right", "top", "bottom")
HOW_MUCH = "Say how many percent of which side, for example: crop 10% off the left."
_WHAT_TO_KEEP = "Say what to keep: a ratio such as 16:9, the subject, or a box that you marked."


def subject_named(phrase: Phrase, named: Sequence[Atom]) -> Target | Refusal | None:
    """What a wish about a part of the photo means: a box, the face, the subject; None where it names none.

    A thing without a box is only sure when it is one of the things that photos are taken of.
    """
    scopes = [scope for scope in phrase.named if scope.what != "background"]
    if named and phrase.scene.boxes:
        return boxed(phrase)
    seen = _someone(phrase, scopes[0]) if scopes and not _lists(phrase) else thing_named(phrase, named)
    if named and seen is not None:
        return seen
    compares = any(left.has(Role.LARGER) and right in named for left, right in pairwise(phrase.clause.atoms))
    if any(atom.text not in SUBJECTS for atom in named) or (named and scopes) or compares:
        return phrase.refused(Reason.NEEDS_REGION, "Mark it with a box.")
    if named:
        return Target("subject")
    return _scoped(phrase, scopes) if scopes else None


def _lists(phrase: Phrase) -> bool:
    """ "The grandma and the baby"."""
    return any(atom.has(Role.AND) for atom in phrase.core[1:])


def _scoped(phrase: Phrase, scopes: Sequence[Scope]) -> Target | Refusal:
    whats = {scope.what for scope in scopes}
    if whats <= {"subject", "person"} and not phrase.scene.boxes:
        return Target("subject")
    if len(scopes) > 1:
        return (
            boxed(phrase)
            if phrase.scene.boxes
            else phrase.refused(Reason.NEEDS_REGION, "Mark it with a box.")
        )
    if whats == {"face"} and not phrase.scene.boxes:
        return Target("face")
    place = placed_scope(phrase, scopes[0])
    return place.refusal or place.targets[0]


def _cropped(phrase: Phrase, found: Found) -> Answer | None:
    opening = phrase.core[0]
    if not opening.has(Role.CROP, Role.MAKE, Role.CHANGE, Role.RESIZE) or _keeps_and_names(phrase):
        return None
    if opening.has(Role.CROP) and not _is_written(phrase, opening):
        return None
    if Role.MORE in found and any(atom.text in _SHOWING for atom in phrase.core):
        return None  # "to show more of the sky" is what is beyond
    if Role.RATIO in found or Role.SIZE in found:
        return _cropped_to_shape(phrase, found)
    if Role.MEASURE in found or Role.FRACTION in found:
        return cropped_off(phrase, found)
    person = person_named(phrase)
    if person:
        return [phrase.step(Kind.COMPOSITION, "crop", target=person)]
    named = _named(phrase)
    if Role.COLOR in found and not phrase.scene.boxes:
        return None
    if Role.NUMBER in found and (named or not counts_people(phrase, found[Role.NUMBER])):
        return None
    if named or phrase.named:
        return _cropped_around(phrase, found, named)
    places = [atom for atom in phrase.core if atom.has(Role.PLACE)]
    return cropped_off(phrase, found) if places else _closer(phrase, found)


def person_named(phrase: Phrase) -> Target | None:
    """ "The woman on the right", or whom a box is around."""
    if any(atom.text in ("out", "off", "away") for atom in phrase.core) or _centers(phrase):
        return None
    is_shown = any(atom.text in _SHOWING for atom in phrase.core) or phrase.core[0].has(Role.CROP)
    scopes = (
        scope
        for scope in phrase.named
        if scope.preposition in _TOWARDS or (is_shown and not scope.preposition)
    )
    scope = next(scopes, None)
    target = _someone(phrase, scope) if scope else None
    is_told = target is not None and bool(target.place or target.color)
    return (boxed(phrase) if phrase.scene.boxes else target) if is_told else None


def _someone(phrase: Phrase, scope: Scope) -> Target | None:
    """ "The boy in the striped shirt": somebody with all that describes them."""
    if scope.what != "person":
        return None
    atoms, first = phrase.clause.atoms, scope.first + bool(scope.preposition)
    if not scope.preposition:  # "center the elderly man": what stands before the name, too
        first = max(at for at, atom in enumerate(atoms[: first + 1]) if at == 0 or _leads(phrase, atom)) + 1
        first = min(first, scope.first)
    return seen_thing(atoms[first:])


def _leads(phrase: Phrase, atom: Atom) -> bool:
    return atom is phrase.core[0] or atom.has(Role.PREPOSITION) or atom.text in _SHOWING


def counts_people(phrase: Phrase, number: Atom) -> bool:
    """ "The two girls"."""
    atoms = phrase.clause.atoms
    at = next(i for i, atom in enumerate(atoms) if atom is number)
    return any(atom.has(Role.PERSON) for atom in atoms[at + 1 : at + 2]) and number.text != "one"


def _is_written(phrase: Phrase, verb: Atom) -> bool:
    """A "tram" is no misspelt wish to trim."""
    written = phrase.scene.instruction[verb.start : verb.end].lower()
    return not verb.text.startswith("trim") or written.startswith("trim")


def _keeps_and_names(phrase: Phrase) -> bool:
    """ "Crop the photo so that only the dog is left" and the like is more than these rules read."""
    return phrase.has(Role.KEEP, Role.NOT, Role.EXCEPT, Role.REMOVE)


def _named(phrase: Phrase) -> list[Atom]:
    named = names_in(phrase, Role.PLACE, Role.RATIO)
    return [atom for atom in named if atom.text not in _SHAPE_WORDS | _SHOWING and not _poses(atom)]


def _poses(atom: Atom) -> bool:
    """The "kissing" of "crop the couple kissing"."""
    return atom.text.endswith("ing") and atom.is_unknown


def _cropped_to_shape(phrase: Phrase, found: Found) -> Answer | None:
    if Role.MEASURE in found or (Role.RATIO in found and Role.SIZE in found):
        return None
    target = subject_named(phrase, _named(phrase))
    if isinstance(target, Refusal):
        return target
    shape = value_of(found, Role.RATIO) or value_of(found, Role.SIZE)
    if Role.RATIO in found and not is_usable(str(shape)):
        return phrase.refused(Reason.TOO_LARGE, "Hardly anything would be left. Name a ratio such as 16:9.")
    places = [str(atom.senses[Role.PLACE]) for atom in phrase.core if atom.has(Role.PLACE)]
    place = next(iter(places), None)
    if len(places) > 1 or place == "all" or (target and Role.SIZE in found):
        return None
    if target and place == "center":  # "... with the man in the middle"
        place = None
    return [phrase.step(Kind.COMPOSITION, "crop", choice=shape, target=target or WHOLE, place=place)]


def is_usable(ratio: str) -> bool:
    width, height = (int(side) for side in ratio.split(":"))
    return min(width, height) > 0 and max(width, height) <= _WIDEST * min(width, height)


def cropped_off(phrase: Phrase, found: Found) -> Answer:
    """So many percent or pixels off the named sides: "crop 10% off the left", "crop the bottom"."""
    sides = sides_of(phrase.core)
    keeps = any(atom.text == "to" for atom in phrase.core)
    part = part_of_it(phrase)
    if keeps and part and sides in _OPPOSITE and not phrase.named:
        return _cropped_to_a_part(phrase, part, sides)
    if part and sides not in _OPPOSITE:
        return phrase.refused(Reason.AMBIGUOUS, _WHICH_PART)
    exact = measure_of(found, "percent", "pixels") or _share(phrase, found, sides)
    if exact is None or not sides or keeps or not _leaves_something(exact, sides):
        return phrase.refused(Reason.AMBIGUOUS, HOW_MUCH)
    numbers = [atom for atom in phrase.core if atom.has(Role.MEASURE, Role.NUMBER) or atom.kind == "number"]
    if len(numbers) > 1 or phrase.named:
        return phrase.refused(Reason.AMBIGUOUS, HOW_MUCH)
    return [phrase.step(Kind.COMPOSITION, "crop", exact=exact, place=sides)]


def _cropped_to_a_part(phrase: Phrase, part: float, side: str) -> Answer:
    """ "Crop to the right half": what lies on the other side goes."""
    if part >= 100:
        return phrase.refused(Reason.AMBIGUOUS, HOW_MUCH)
    return [phrase.step(Kind.COMPOSITION, "crop", exact=(100 - part, "percent"), place=_OPPOSITE[side])]


def part_of_it(phrase: Phrase) -> float | None:
    """The percent of "half", "a quarter", "the top third"."""
    told = [atom.senses[Role.FRACTION] for atom in phrase.core if atom.has(Role.FRACTION)]
    told += [100 / 3 for atom in phrase.core if atom.text in ("third", "thirds")]
    return float(str(told[0])) if len(told) == 1 else None


_WHICH_PART = "Say which part stays, for example: crop to the left half."


_OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def _with_less(phrase: Phrase, found: Found) -> Answer | None:
    """ "So that the bottom has less of the floor in it", "so there is less space above the men"."""
    core = [atom for atom in phrase.core if atom.has(Role.PLACE) or atom.text in BEYOND]
    sides = {BEYOND.get(atom.text, str(atom.senses.get(Role.PLACE))) for atom in core}
    amount = amount_of(found)
    share = _SIDE_SHARE if amount is None else max(5.0, round(amount * 50))
    if len(sides) != 1 or not sides <= set(_SIDES):
        return None
    return [phrase.step(Kind.COMPOSITION, "crop", exact=(share, "percent"), place=sides.pop())]


BEYOND = {"above": "top", "below": "bottom"}


def sides_of(core: Sequence[Atom]) -> str | None:
    """The sides that are named, "all" where none is; None where a corner or the center is."""
    places = [str(atom.senses[Role.PLACE]) for atom in core if atom.has(Role.PLACE)]
    if any(place not in (*_SIDES, "all") for place in places):
        return None
    return " ".join(dict.fromkeys(places)) or ("left right" if _names_the_sides(core) else "all")


def _names_the_sides(core: Sequence[Atom]) -> bool:
    return any(atom.text == "sides" for atom in core)


def _share(phrase: Phrase, found: Found, sides: str | None) -> tuple[float, str] | None:
    """ "The bottom" without a number is a fifth; "half" only when it says that it goes."""
    if Role.MEASURE in found or sides == "all":
        return None
    part = part_of_it(phrase)
    if part:
        goes = phrase.core[0].has(Role.REMOVE) or any(
            atom.text in ("off", "out", "away") for atom in phrase.core
        )
        return (part, "percent") if goes and part < 100 else None
    amount = amount_of(found)
    if amount is not None and amount >= 1:
        return None
    return (_SIDE_SHARE if amount is None else max(5.0, round(amount * 50)), "percent")


def _leaves_something(exact: tuple[float, str], sides: str) -> bool:
    value, unit = exact
    most = 50 if sides == "all" or len(sides.split()) > 1 else 100
    return value > 0 and (unit == "pixels" or value < most)


def _cropped_around(phrase: Phrase, found: Found, named: Sequence[Atom]) -> Answer | None:
    """ "Crop to the face", "crop closer to the couple"; "crop the girl" keeps her, "crop the sky" is open."""
    towards = any(scope.preposition in _TOWARDS for scope in phrase.named) or any(
        atom.text in _TOWARDS | _SHOWING for atom in phrase.core
    )
    leaves = any(atom.text in ("out", "off", "from", "away") for atom in phrase.core)
    only_people = not named and all(s.what in ("person", "subject", "region", "face") for s in phrase.named)
    are_posing = bool(named) and all(atom.has(Role.PERSON) for atom in named)
    is_placed = phrase.has(Role.PLACE) and not _centers(phrase)
    placed = subject_named(phrase, named) if is_placed and named and not leaves else None
    if isinstance(placed, Target) and placed.place:
        return [phrase.step(Kind.COMPOSITION, "crop", target=placed)]
    is_of_depth = any(atom.text == "foreground" for atom in phrase.clause.atoms)
    if leaves or is_placed or is_of_depth or any(scope.what == "background" for scope in phrase.named):
        return phrase.refused(Reason.AMBIGUOUS, _WHAT_TO_KEEP)
    if are_posing and not _lists(phrase) and not phrase.scene.boxes:
        return [phrase.step(Kind.COMPOSITION, "crop", target=Target("subject"))]
    if not towards and not only_people and not _is_a_subject(named) and not _is_marked(phrase, named):
        return phrase.refused(Reason.AMBIGUOUS, _WHAT_TO_KEEP)
    target = subject_named(phrase, named)
    if target is None or isinstance(target, Refusal):
        return target
    target = replace(target, place=None) if _centers(phrase) else target
    return [phrase.step(Kind.COMPOSITION, "crop", target=target)]


def _is_marked(phrase: Phrase, named: Sequence[Atom]) -> bool:
    """ "Crop the blue door", with a box: no box is around the sky or the floor, which may be to go."""
    are_things = not any(atom.has(Role.FINDABLE, Role.SCENE, Role.ROOM) for atom in named)
    return bool(phrase.scene.boxes) and are_things and is_noun_phrase(named, phrase)


def _centers(phrase: Phrase) -> bool:
    """ "Crop to center the man": where he comes to be."""
    return any(left.text == "to" and right.has(Role.CENTER) for left, right in pairwise(phrase.core))


def _is_a_subject(named: Sequence[Atom]) -> bool:
    return bool(named) and all(atom.text in SUBJECTS for atom in named)


def _closer(phrase: Phrase, found: Found) -> Answer | None:
    """ "Crop the photo" is around the subject; "crop a little" cuts a little off every side."""
    if not phrase.core[0].has(Role.CROP):
        return None
    if any(atom.text == "instagram" for atom in phrase.clause.atoms):
        return phrase.refused(Reason.AMBIGUOUS, "Name its shape: a square, 4:5 or 9:16.")
    if _names_the_sides(phrase.core):
        return cropped_off(phrase, found)
    amount = amount_of(found)
    if amount is None and not any(atom.text in _TIGHTER for atom in phrase.core):
        return [phrase.step(Kind.COMPOSITION, "crop", target=Target("subject"))]
    if amount is not None and amount >= 1:
        return phrase.refused(Reason.AMBIGUOUS, _WHAT_TO_KEEP)
    percent = _CLOSER.get(amount or 0.0, CLOSER)
    if any(atom.has(Role.EDGES) for atom in phrase.core):  # "trim the edges"
        return [phrase.step(Kind.COMPOSITION, "crop", exact=(percent, "percent"), place="all")]
    left = 100 - 2 * percent
    return [phrase.step(Kind.COMPOSITION, "crop", choice="closer", exact=(left, "percent"))]


_SHOWING = frozenset(
    {
        *("to show", "show", "showing", "include", "including", "feature", "contain", "focus", "focusing"),
        *("so it 's", "so it's", "so its", "so that it 's", "so that it's"),
    }
)
_TIGHTER = frozenset(
    {
        "closer",
        "closely",
        "close",
        "tighter",
        "tightly",
        "in",
        "inward",
        "inwards",
        "tight",
        "smaller",
        "edges",
    }
)
_SHAPE_WORDS = frozenset(
    {
        *("both", "equally", "evenly"),
        *("ratio", "aspect", "shape", "format", "proportions", "instagram", "square", "size", "dimensions"),
        *("part", "portion", "area", "edge", "edges", "side", "sides", "margin", "half", "bit", "third"),
        *_TIGHTER,
    }
)


def _cut_away(phrase: Phrase, found: Found) -> Answer | None:
    """ "Cut 10% off the left", "cut off the bottom"."""
    is_cut = phrase.core[0].text.startswith("cut") and any(atom.text == "off" for atom in phrase.core)
    is_little = (amount_of(found) or 0) < STRONG
    return cropped_off(phrase, found) if is_cut and is_little else None


def _oriented(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make it landscape": cropped or extended, and to which shape?"""
    if not any(atom.text in ("landscape", "portrait") for atom in phrase.core):
        return None
    return phrase.refused(Reason.AMBIGUOUS, "Say the shape, for example: crop to 3:2, or extend it to 3:2.")


def _turned_by_cropping(phrase: Phrase, found: Found) -> Answer | None:
    """ "Crop it to landscape", "crop it to where it's vertical"; "crop the portrait" is of a picture."""
    shapes = {_ORIENTED[atom.text] for atom in phrase.core if atom.text in _ORIENTED}
    is_led = any(atom.text in _TURNING for atom in phrase.core)
    if len(shapes) != 1 or not is_led:
        return None
    return [phrase.step(Kind.COMPOSITION, "crop", choice=shapes.pop())]


_ORIENTED = {"landscape": "3:2", "horizontal": "3:2", "portrait": "2:3", "vertical": "2:3"}
_TURNING = frozenset({"to", "into", "as", "where", "mode", "format", "orientation", "so that", "so it 's"})

CROPS: tuple[Form, ...] = (
    Form(
        _turned_by_cropping,
        needs=((Role.CROP,),),
        many=(Role.BE,),
        words=LINKS | _TURNING | frozenset(_ORIENTED) | {"be", "its", "it 's", "only", "more"},
    ),
    Form(
        _with_less,
        needs=((Role.CROP,), (Role.LESS,)),
        may=(Role.AMOUNT, Role.ROOM),
        many=(Role.PLACE, Role.PURPOSE, Role.BE),
        words=LINKS | {"above", "below", "part", "side", "showing"},
        others=PARTS,
        names=True,
    ),
    Form(_oriented, needs=((Role.MAKE, Role.CHANGE), (Role.SCENE, Role.NOUN)), words=LINKS | {"mode"}),
    Form(
        _cut_away,
        needs=((Role.EXTRACT,), (Role.PLACE,)),
        may=(Role.MEASURE, Role.FRACTION, Role.AMOUNT),
        many=(Role.PLACE,),
        words=frozenset({"off", "of", "from", "the", "and", "part", "side"}),
    ),
    Form(
        _cropped,
        needs=((Role.CROP,),),
        may=(
            *(Role.RATIO, Role.SIZE, Role.MEASURE, Role.FRACTION, Role.AMOUNT, Role.MORE, Role.UNIT),
            *(Role.NUMBER, Role.COLOR),
        ),
        many=(Role.PLACE,),
        words=LINKS | _SHAPE_WORDS | _SHOWING | {"inside", "down", "just", "from", "towards"},
        others=PARTS,
        names=True,
    ),
    Form(
        _cropped,
        needs=((Role.MAKE, Role.CHANGE, Role.RESIZE), (Role.RATIO,)),
        may=(Role.PLACE,),
        words=LINKS | {"ratio", "aspect", "shape", "format", "instagram"},
    ),
)
