"""What is drawn or laid on the photo at a place: shapes, arrows, emoji, stickers."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.language.forms.form import (
    LINKS,
    Form,
    Found,
    color_of,
    is_name,
    measure_of,
    thickness_of,
    value_of,
)
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase, Scope, other_photo, taken_apart
from editor.engine.language.placing import boxed, placed_scope
from editor.engine.language.seen import seen_thing
from editor.engine.plan import MOST_EMOJI, WHOLE, Kind, Reason, Refusal, Target
from editor.engine.worn import WORN

MARK_THE_PLACE = "Mark the place with a box, or say where: at the top left, in the center."
PLACED_BESIDE = "placed beside"
"""What a clause follows whose place is read elsewhere: beside a thing of the photo."""
_SIDES = ("left", "right", "top", "bottom")
_DIRECTIONS = {"left": "left", "right": "right", "top": "up", "bottom": "down"}
_ON = frozenset(
    {"to", "in", "with", "on", "of", "at", "around", "over", "onto", "and", "into", "near", "above"}
)
_ANYWHERE = frozenset({"whole", "region", "face", "subject", "person"})


def aim(phrase: Phrase, named: Sequence[Atom] = ()) -> Target | Refusal:
    """What an addition is drawn on: a box, the face, the subject; the whole photo where nothing is named."""
    scopes = [scope for scope in phrase.named if scope.what != "background"]
    seen = (
        None if phrase.scene.boxes else thing_named(phrase, named) if named else _person_told(phrase, scopes)
    )
    if seen is not None:
        return seen
    if named or len(scopes) > 1:
        return boxed(phrase) if phrase.scene.boxes else phrase.refused(Reason.NEEDS_REGION, MARK_THE_PLACE)
    if not scopes:
        return WHOLE
    if scopes[0].what == "face" and not phrase.scene.boxes:
        is_whose = any(atom.has(Role.SEEN) or atom.text.endswith("'s") for atom in phrase.clause.atoms)
        hint = "Mark the face with a box: without one, all of them are meant."
        return phrase.refused(Reason.NEEDS_REGION, hint) if is_whose else Target("face")
    place = placed_scope(phrase, scopes[0])
    return place.refusal or place.targets[0]


def thing_named(phrase: Phrase, named: Sequence[Atom]) -> Target | None:
    """The thing of these names with all that describes it: "the left cat", "the car on the right"."""
    atoms = phrase.clause.atoms
    start = next((at for at, atom in enumerate(atoms) if any(atom is name for name in named)), len(atoms))
    start = min([start, *(scope.first + bool(scope.preposition) for scope in phrase.named)])
    while (
        start > 0 and atoms[start - 1].has_any(_BEFORE_A_NAME) and not atoms[start - 1].has(Role.PREPOSITION)
    ):
        start -= 1
    if any(atom.text in _HAVING for atom in atoms[:start]):
        return None
    if start > 1 and atoms[start - 1].text == "of" and not atoms[start - 2].has(Role.PLACE):
        return None  # "one of the tables", "the hood of the car"
    return whole_thing([atom for atom in atoms[start:] if atom is not phrase.core[0]])


_HAVING = frozenset({"with", "holding", "wearing"})  # "a boat with a man" has him in it


def whole_thing(atoms: Sequence[Atom]) -> Target | None:
    """The thing of these words, if it is not a part of it that they name ("the cat's right paw") nor one that
    nothing tells from the others ("one of the tables")."""
    told = [atom for atom in atoms if not atom.has(Role.DETERMINER, Role.FILLER) and atom.kind != "stop"]
    head = next((at for at, atom in enumerate(told) if atom.has(Role.SEEN)), len(told))
    behind = told[head + 1 :]
    names_a_part = bool(behind) and is_name(behind[-1]) and not any(a.has(Role.PREPOSITION) for a in behind)
    is_any = any(one.text == "one" and other.text == "of" for one, other in pairwise(told))
    return None if names_a_part or is_any else seen_thing(atoms)


_BEFORE_A_NAME = (
    *(Role.PLACE, Role.COLOR, Role.ORDINAL, Role.NUMBER, Role.ADJECTIVE, Role.THICKNESS, Role.WHOLE),
    *(Role.DETERMINER, Role.FILLER, Role.LARGER),
)


def _person_told(phrase: Phrase, scopes: Sequence[Scope]) -> Target | None:
    """ "The man on the left"; without a description the subject is meant."""
    if [scope.what for scope in scopes] != ["person"]:
        return None
    target = thing_named(phrase, ())
    return target if target and (target.place or target.color) else None


def _is_the_object(phrase: Phrase, role: Role) -> bool:
    """Whether that is what is added: the first name after the verb, and not part of a longer one."""
    core = phrase.core
    at = next(at for at, atom in enumerate(core) if atom.has(role))
    after = core[at + 1 : at + 2]
    is_longer = any(is_name(atom) and not atom.has(Role.PERSON) and atom.text not in _LOOSE for atom in after)
    return not is_longer and not any(is_name(atom) and not atom.has(Role.EMOJI) for atom in core[:at])


_LOOSE = frozenset({"shape", "outline", "emoji", "emojis", "sticker", "corner", "drawn", "over", "around"})


def names_in(phrase: Phrase, *kinds: Role) -> list[Atom]:
    """The words of a clause that name things of the photo."""
    return [
        atom for atom in phrase.core if is_name(atom) and not atom.has_any(kinds) and atom.text != "corner"
    ]


def _shape(phrase: Phrase, found: Found) -> Answer | None:
    if not _is_the_object(phrase, Role.SHAPE):
        return None
    named = names_in(phrase, Role.SHAPE, Role.FILLED, Role.THICKNESS)
    target = aim(phrase, named)
    if isinstance(target, Refusal):
        return target
    is_filled = Role.FILLED in found or any(atom.text == "solid" for atom in phrase.clause.atoms)
    is_filled |= value_of(found, Role.SHAPE) in _SIGNS and not any(a.text in _HOLLOW for a in phrase.core)
    step = phrase.step(
        Kind.ADD,
        "shape",
        target=target,
        choice=value_of(found, Role.SHAPE),
        color=color_of(found),
        place=_place_beside(target, place_of(phrase, found)),
        amount=thickness_of(found),
        text="filled" if is_filled else None,
    )
    return [step]


def _filled_box(phrase: Phrase, found: Found) -> Answer | None:
    """ "Fill the box with red"."""
    fills = phrase.core[0].text == "fill" and [scope.what for scope in phrase.scopes] == ["region"]
    target = aim(phrase) if fills else WHOLE
    if isinstance(target, Refusal) or target == WHOLE:
        return target if isinstance(target, Refusal) else None
    values = {"choice": "rectangle", "color": color_of(found), "text": "filled"}
    return [phrase.step(Kind.ADD, "shape", target=target, **values)]


_SIGNS = ("heart", "star")  # things of their own, where a circle or a square goes around something
_HOLLOW = frozenset({"outline", "around", "shape"})


def _another_shape(phrase: Phrase, found: Found) -> Answer | None:
    """ "... and a red circle around the face": beside a box, which of the two is meant is not sure."""
    if phrase.antecedent != "addition" or not phrase.core or phrase.core[0].has(Role.ADD, Role.PAINT):
        return None
    if phrase.scene.boxes and phrase.named and all(scope.what != "region" for scope in phrase.named):
        return phrase.refused(Reason.AMBIGUOUS, "Say where it goes: in the box, or at the top left.")
    return _arrow(phrase, found) if Role.ARROW in found else _shape(phrase, found)


def _place_beside(target: Target, place: str | None) -> str | None:
    """Where in its target it goes: a place that says which thing is meant says no more."""
    return None if target.what == "thing" and target.place else place


def place_of(phrase: Phrase, found: Found) -> str | None:
    """The place that is named; a corner that is not said is the usual one."""
    place = value_of(found, Role.PLACE)
    if place is None and any(atom.text == "corner" for atom in phrase.core):
        return "bottom right"
    return None if place == "all" else place


def _arrow(phrase: Phrase, found: Found) -> Answer | None:
    """ "An arrow at the top pointing left": the place after "pointing" is where it points."""
    if not _is_the_object(phrase, Role.ARROW):
        return None
    core = phrase.core
    point = next((at for at, atom in enumerate(core) if atom.has(Role.POINT)), len(core))
    direction, place = _side_of(core[point:]), _place_of(core[:point])
    origin = _origin(core)
    if origin is not None:
        direction, place = _OPPOSITE[str(core[origin].senses[Role.PLACE])], None
        phrase = _without(phrase, core[origin - 1], core[origin])
    if direction is None and point == len(core) and place in _SIDES and _is_beside(core):
        direction, place = place, None
    named = names_in(phrase, Role.ARROW, Role.POINT, Role.THICKNESS)
    if _comes_from_a_thing(phrase):
        return phrase.refused(Reason.AMBIGUOUS, "Say only what it points at: an arrow pointing at the cat.")
    if direction is None and not named and not phrase.named and point < len(core):
        return phrase.refused(Reason.NEEDS_REGION, "Mark what it points at with a box.")
    target = aim(phrase, named)
    if isinstance(target, Refusal):
        return target
    step = phrase.step(
        Kind.ADD,
        "arrow",
        target=target,
        color=color_of(found),
        place=_place_beside(target, place),
        choice=_DIRECTIONS.get(direction or ""),
        amount=thickness_of(found),
    )
    return [step]


def _origin(core: Sequence[Atom]) -> int | None:
    """Where the side of "pointing at the dog from the left", "pointing from the left at it" stands."""
    pairs = enumerate(pairwise(core), 1)
    return next((at for at, (link, side) in pairs if link.text == "from" and _is_a_way(side)), None)


def _is_a_way(atom: Atom) -> bool:
    return atom.senses.get(Role.PLACE) in _OPPOSITE


def _without(phrase: Phrase, first: Atom, last: Atom) -> Phrase:
    """The phrase as if the words from one to another had not been said."""
    atoms = phrase.clause.atoms
    start, end = (next(at for at, atom in enumerate(atoms) if atom is other) for other in (first, last))
    left = [*atoms[:start], *atoms[end + 1 :]]
    return taken_apart(replace(phrase.clause, atoms=left), phrase.scene, phrase.antecedent)


_OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def _comes_from_a_thing(phrase: Phrase) -> bool:
    """ "From the dog to the cat"."""
    names_it = any(left.text == "from" and is_name(right) for left, right in pairwise(phrase.core))
    return names_it or any(scope.preposition == "from" and scope.what != "whole" for scope in phrase.named)


def _is_beside(core: Sequence[Atom]) -> bool:
    """ "A left arrow"."""
    arrow = next(at for at, atom in enumerate(core) if atom.has(Role.ARROW))
    return arrow > 0 and core[arrow - 1].has(Role.PLACE)


def _side_of(atoms: Sequence[Atom]) -> str | None:
    """The side that an arrow points to."""
    turns = {"up": "top", "down": "bottom", "upwards": "top", "downwards": "bottom"}
    sides = (str(atom.senses[Role.PLACE]) if atom.has(Role.PLACE) else turns.get(atom.text) for atom in atoms)
    return next((side for side in sides if side), None)


def _place_of(atoms: Sequence[Atom]) -> str | None:
    return next((str(atom.senses[Role.PLACE]) for atom in atoms if atom.has(Role.PLACE)), None)


def _emoji(phrase: Phrase, found: Found) -> Answer | None:
    if not _is_the_object(phrase, Role.EMOJI):
        return None
    count = _count(found)
    if not 1 <= count <= MOST_EMOJI:
        return phrase.refused(Reason.TOO_LARGE, f"At most {MOST_EMOJI} of them can be added at once.")
    target = aim(phrase, names_in(phrase, Role.EMOJI, Role.THICKNESS))
    if isinstance(target, Refusal):
        return target
    place = _place_beside(target, place_of(phrase, found))
    is_on_them = any(scope.preposition in ("to", "on", "for") for scope in phrase.scopes)
    if value_of(found, Role.EMOJI) in WORN and target == WHOLE and place is None and is_on_them:
        return phrase.refused(Reason.AMBIGUOUS, "Say “on the faces”, or mark a face with a box.")
    values = {"target": target, "place": place, "amount": thickness_of(found)}
    return [phrase.step(Kind.ADD, "emoji", text=count * str(value_of(found, Role.EMOJI)), **values)]


_FEW = 3  # "butterfly stickers"


def _count(found: Found) -> int:
    """How often an emoji is drawn, in a row; 0 for a number that is no count."""
    if Role.NUMBER in found:
        number = float(str(value_of(found, Role.NUMBER)))
        return int(number) if number.is_integer() else 0
    return _FEW if found[Role.EMOJI].has(Role.PLURAL) else 1


def _sticker(phrase: Phrase, found: Found) -> Answer | None:
    """ "Put photo 2 in the top right corner", "add the logo from photo 2"."""
    others = [photo for photo in phrase.photos if photo != 1]
    if len(others) != 1 or any(scope.what == "background" for scope in phrase.scopes):
        return None
    if _goes_before(phrase) or _takes_a_part(phrase):
        return None
    first = next(scope for scope in phrase.scopes if scope.photos)
    is_on_another = first.photos == (1,) and not first.preposition  # "put photo 1 on top of photo 2"
    if is_on_another or any(_is_of_the_first(phrase, scope) for scope in phrase.scopes):
        return other_photo(phrase)
    taken = _taken_out(phrase, others[0])
    kinds = (Role.STICKER, Role.THICKNESS, Role.DROP_SHADOW)
    named = [atom for atom in names_in(phrase, *kinds) if atom not in taken]
    target = aim(phrase, named)
    if isinstance(target, Refusal):
        return target
    is_placed = place_of(phrase, found) is not None or Role.STICKER in found or target != WHOLE
    if not is_placed and not taken and phrase.follows_background:  # "remove the background and use photo 2"
        return None
    if not is_placed and taken and any(s.preposition == "in" and s.photos for s in phrase.scopes):
        hint = f"Say “from photo {others[0]}”, or “use photo {others[0]} as the background”."
        return phrase.refused(Reason.AMBIGUOUS, hint)
    if not is_placed and not taken and phrase.antecedent != PLACED_BESIDE:
        return phrase.refused(Reason.AMBIGUOUS, "Say where it goes, for example: in the top right corner.")
    step = phrase.step(
        Kind.ADD,
        "sticker",
        target=target,
        photo=others[0],
        place=place_of(phrase, found),
        exact=measure_of(found, "percent"),
        amount=thickness_of(found),
        choice="cut_out" if taken or Role.EXTRACT in found else None,
    )
    return [step]


def _is_of_the_first(phrase: Phrase, scope: Scope) -> bool:
    """ "The face of photo 1", "to the right of photo 1"; "in the top left corner of photo 1" says where."""
    before = phrase.clause.atoms[scope.first - 1] if scope.first > 0 else None
    is_corner = before is not None and "corner" in before.text
    return scope.photos == (1,) and scope.preposition == "of" and not is_corner


def _goes_before(phrase: Phrase) -> bool:
    """ "Place her on photo 2" asks for another background."""
    moved = any(s.what in ("person", "subject") and not s.preposition for s in phrase.scopes)
    others = [s for s in phrase.scopes if s.photos not in ((), (1,)) and s.preposition]
    moved = moved or any(s.preposition in _ONTO and _taken_out(phrase, s.photos[0], _ONTO) for s in others)
    return moved and bool(others)


_ONTO = ("on", "onto", "into")


def _takes_a_part(phrase: Phrase) -> bool:
    """ "The face from photo 2": only what the whole of photo 2 shows can be cut out."""
    return any(s.what in ("face", "person", "background") and not s.preposition for s in phrase.scopes)


def _taken_out(phrase: Phrase, photo: int, links: Sequence[str] = ("from", "in", "of")) -> list[Atom]:
    """ "the logo from photo 2": the words before the "from"."""
    scope = next((s for s in phrase.scopes if photo in s.photos and s.preposition in links), None)
    if scope is None:
        return []
    before = phrase.clause.atoms[: scope.first]
    return [atom for atom in phrase.core if atom in before and is_name(atom)]


DRAWINGS: tuple[Form, ...] = (
    Form(
        _sticker,
        needs=((Role.ADD, Role.USE),),
        may=(Role.PLACE, Role.STICKER, Role.MEASURE, Role.THICKNESS, Role.EXTRACT, Role.DROP_SHADOW),
        words=LINKS | {"top", "wide", "width", "on top of", "above", "size", "about", "soft"},
        others=_ANYWHERE,
        names=True,
    ),
    Form(
        _arrow,
        needs=((Role.ADD, Role.PAINT), (Role.ARROW,)),
        may=(Role.COLOR, Role.THICKNESS, Role.POINT),
        many=(Role.PLACE,),
        words=LINKS | {"down", "upwards", "downwards", "towards", "toward"},
        others=_ANYWHERE,
        names=True,
    ),
    Form(
        _emoji,
        needs=((Role.ADD,), (Role.EMOJI,)),
        may=(Role.PLACE, Role.THICKNESS, Role.NUMBER),
        words=_ON | {"emoji", "emojis", "sticker", "stickers", "over"},
        others=_ANYWHERE,
        names=True,
    ),
    Form(
        _shape,
        needs=((Role.ADD, Role.PAINT), (Role.SHAPE,)),
        may=(Role.COLOR, Role.PLACE, Role.THICKNESS, Role.FILLED),
        words=_ON | {"shape", "outline", "drawn"},
        others=_ANYWHERE,
        names=True,
    ),
    Form(_filled_box, needs=((Role.ADD,), (Role.COLOR,)), words=LINKS | {"in"}, others=frozenset({"region"})),
    Form(
        _another_shape,
        needs=((Role.SHAPE, Role.ARROW),),
        may=(Role.COLOR, Role.PLACE, Role.THICKNESS, Role.FILLED, Role.POINT),
        words=_ON | {"shape", "outline"},
        others=_ANYWHERE,
    ),
)
