"""More room around the photo, and all of it moved in its frame."""

from collections.abc import Sequence

from editor.engine.language.forms.drawings import names_in
from editor.engine.language.forms.form import (
    LINKS,
    PARTS,
    Form,
    Found,
    amount_of,
    measure_of,
    value_of,
)
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.plan import Kind

UNDONE = frozenset({"without", "not", "don't", "no", "instead of", "dont"})
"""How a way to another shape is ruled out: "without cropping"."""

_BEYOND = {
    **dict.fromkeys(("above", "over", "upwards", "upward"), "top"),
    **dict.fromkeys(("below", "underneath", "under", "beneath", "downwards", "downward"), "bottom"),
}


def _extended(phrase: Phrase, found: Found) -> Answer | None:
    """ "Extend the left side", "add space at the top", "expand the photo by 20%"."""
    if Role.ROOM in found and found[Role.ROOM].has(Role.SCENE) and Role.EXTEND in found:
        return None
    ratio, places = value_of(found, Role.RATIO), _beyond(phrase.core)
    exact = measure_of(found, "percent", "pixels")
    if (Role.MEASURE in found and exact is None) or any(place.split()[-1] == "center" for place in places):
        return None
    place = " ".join(dict.fromkeys(place for place in places if place != "all")) or None
    amount = None if exact or ratio else amount_of(found)
    values = {"place": place, "exact": exact, "choice": ratio, "amount": amount}
    return [phrase.step(Kind.COMPOSITION, "extend", **values)]


def _more_of_it(phrase: Phrase, found: Found) -> Answer | None:
    """ "Add more sky at the top", "more sky and more water": the photo goes on where these are."""
    names = {atom.text for atom in phrase.core if atom.has(Role.FINDABLE)}
    places = {str(atom.senses[Role.PLACE]) for atom in phrase.core if atom.has(Role.PLACE)}
    is_more = any(atom.has(Role.MORE) or atom.text.endswith("more") for atom in phrase.core)
    sky, grounds = names & _ABOVE_ALL, names - _ABOVE_ALL
    sides = [side for side, there in (("top", sky), ("bottom", grounds)) if there]
    is_told = places == set(sides) if places else bool(sky)
    if not (is_more and is_told and grounds <= _UNDERFOOT) or phrase.scene.boxes:
        return None
    return [phrase.step(Kind.COMPOSITION, "extend", place=" ".join(sides), amount=amount_of(found))]


_ABOVE_ALL = frozenset({"sky", "skies", "blue sky"})

_UNDERFOOT = frozenset({"water", "sea", "ocean", "grass", "sand", "floor", "ground", "road", "snow"})


def _beyond(core: Sequence[Atom]) -> list[str]:
    """The sides at which there is to be more."""
    places = [str(atom.senses[Role.PLACE]) for atom in core if atom.has(Role.PLACE)]
    places += [_BEYOND[atom.text] for atom in core if atom.text in _BEYOND]
    widens = any(atom.text in _WIDENING for atom in core)
    return places or (["left right"] if widens else [])


_WIDENING = frozenset({"sides", "wider", "widen", "widening"})


def _room_beside(phrase: Phrase, found: Found) -> Answer | None:
    """ "Add space above his head", "more room around the dog": beyond the side where that is."""
    words = [atom.text for atom in phrase.clause.atoms]
    sides = {_BEYOND.get(word, "") for word in words if word in _BEYOND or word == "around"}
    named = names_in(phrase, Role.ROOM)
    at = next(at for at, atom in enumerate(phrase.core) if atom is found[Role.ROOM])
    if any(atom is name for name in named for atom in phrase.core[at + 1 : at + 2]):  # "a space ship"
        return None
    is_more = phrase.core[0] is not found[Role.ROOM] or found[Role.ROOM].text.startswith(("more", "extra"))
    if len(sides) != 1 or not (named or phrase.named) or phrase.scene.boxes or not is_more:
        return None
    values = {"place": sides.pop() or None, "amount": amount_of(found)}
    return [phrase.step(Kind.COMPOSITION, "extend", **values)]


def _more_background(phrase: Phrase, found: Found) -> Answer | None:
    """ "Add more background on the left", "make the background bigger"."""
    is_told = (
        Role.LARGER in found or Role.PLACE in found or not _WIDENING.isdisjoint(a.text for a in phrase.core)
    )
    is_it = [scope.what for scope in phrase.scopes] == ["background"] and value_of(found, Role.LARGER) != "-1"
    return _extended(phrase, found) if is_told and is_it else None


def _sky_extended(phrase: Phrase, found: Found) -> Answer | None:
    """ "Extend the sky", "extend the sky upward"."""
    if found[Role.FINDABLE].text not in _ABOVE_ALL or value_of(found, Role.PLACE) not in (None, "top"):
        return None
    return [phrase.step(Kind.COMPOSITION, "extend", place="top", amount=amount_of(found))]


def _shifted(phrase: Phrase, found: Found) -> Answer | None:
    """ "Move the image down a bit": what leaves the frame is cut off, and the other side is filled."""
    ways = [_WAYS[word] for atom in phrase.core if (word := atom.text) in _WAYS]
    ways += [str(atom.senses[Role.PLACE]) for atom in phrase.core if atom.has(Role.PLACE)]
    exact = measure_of(found, "percent", "pixels")
    is_left_open = Role.MEASURE in found and exact is None
    ends = [phrase.clause.atoms[scope.after - 1] for scope in phrase.scopes]
    is_it = phrase.core[0].has(Role.MOVE) and not phrase.photos and any(end.has(Role.PHOTO) for end in ends)
    if not is_it or is_left_open or len(ways) != 1 or ways[0] not in _WAYS.values():
        return None
    amount = None if exact else amount_of(found)
    return [phrase.step(Kind.COMPOSITION, "shift", place=ways[0], exact=exact, amount=amount)]


_WAYS = {
    **dict.fromkeys(("up", "upward", "upwards", "higher"), "top"),
    **dict.fromkeys(("down", "downward", "downwards", "lower"), "bottom"),
    "leftward": "left",
    "rightward": "right",
}


def _uncropped(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make it 16:9 without cropping", "fit it into a square without cropping"."""
    opens = phrase.core[0].text == "fit" or phrase.core[0].has(*_RESHAPING)
    if not opens or not any(atom.text in UNDONE for atom in phrase.core):
        return None
    return [phrase.step(Kind.COMPOSITION, "extend", choice=value_of(found, Role.RATIO))]


_RESHAPING = (Role.MAKE, Role.CHANGE, Role.RESIZE, Role.EXTEND)

EXTENSIONS: tuple[Form, ...] = (
    Form(
        _uncropped,
        needs=((Role.RATIO,), (Role.CROP,)),
        may=(Role.NOT, *_RESHAPING),
        words=LINKS | {"without", "ratio", "aspect", "format", "fit"},
    ),
    Form(
        _extended,
        needs=((Role.EXTEND,),),
        may=(Role.MAKE, Role.MEASURE, Role.RATIO, Role.AMOUNT, Role.ROOM, Role.EDGES, Role.MORE),
        many=(Role.PLACE,),
        words=LINKS | {"ratio", "aspect", "sides", "side", "both", "edges", "canvas", *_BEYOND},
        others=frozenset({"whole", "background"}),
    ),
    Form(
        _extended,
        needs=((Role.ADD, Role.MAKE, Role.RAISE), (Role.ROOM,)),
        may=(Role.MEASURE, Role.AMOUNT, Role.MORE),
        many=(Role.PLACE,),
        words=LINKS | {"sides", "side", "both", "edges", "extra", "empty", *_BEYOND},
    ),
    Form(
        _room_beside,
        needs=((Role.ADD, Role.MAKE, Role.RAISE, Role.EXTEND), (Role.ROOM,)),
        may=(Role.AMOUNT, Role.MORE),
        words=frozenset({"extra", "empty", "around", *_BEYOND}),
        others=PARTS - {"background"},
        names=True,
    ),
    Form(
        _room_beside,
        needs=((Role.ROOM,),),
        may=(Role.AMOUNT,),
        words=frozenset({"around", *_BEYOND}),
        others=PARTS - {"background"},
        names=True,
    ),
    Form(
        _more_background,
        needs=((Role.ADD, Role.MAKE), (Role.MORE, Role.LARGER)),
        may=(Role.AMOUNT, Role.PLACE),
        words=frozenset({"to", "on", "at", "sides", "both", "side", "of"}),
        scope="background",
        others=frozenset(),
    ),
    Form(
        _sky_extended,
        needs=((Role.EXTEND,), (Role.FINDABLE,)),
        may=(Role.AMOUNT, Role.PLACE, Role.MORE),
        words=frozenset({"up", "upward", "upwards", "to", "at", "on"}),
    ),
    Form(
        _shifted,
        needs=((Role.MOVE,),),
        may=(Role.AMOUNT, Role.MEASURE, Role.PLACE, Role.MORE),
        words=frozenset(_WAYS) | {"to", "over", "by", "towards", "bit", "more", "in"},
    ),
    Form(
        _more_of_it,
        needs=((Role.ADD,), (Role.MORE, Role.AMOUNT), (Role.FINDABLE,)),
        many=(Role.FINDABLE, Role.MORE, Role.AMOUNT, Role.PLACE, Role.AND),
        words=frozenset({"to", "at", "of", "in", "on", "area", "space", "above", "below"}),
    ),
)
