"""What is cut off the sides of a photo as no part of it: borders, bars, empty space."""

from collections.abc import Sequence

from editor.engine.language.forms.crops import BEYOND, CLOSER, HOW_MUCH, cropped_off, sides_of
from editor.engine.language.forms.form import LINKS, Form, Found, names_the_photo
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase, Scope
from editor.engine.plan import Kind, Reason, Target

EDGING = frozenset(
    {
        *("bar", "bars", "border", "borders", "edge", "edges", "frame"),
        *("line", "lines", "strip", "strips", "part", "area", "areas"),
    }
)
"""What lies along the sides of a photo: cutting it out means a narrower photo."""


def trimmed(phrase: Phrase, told: Sequence[Atom]) -> Answer | None:
    """ "The black bars at the top and bottom", "the white area around the photo": plain edges that are cut
    off. What is no border is one only by its color."""
    colors = {str(atom.senses[Role.COLOR]) for atom in told if atom.has(Role.COLOR)}
    cuts = phrase.core[0].text.startswith(("crop", "cut", "trim"))
    edging = _OUTSIDE if cuts else _BARS  # "remove the blue area" may be about anything
    is_edging = any(atom.text in edging or (cuts and atom.has(Role.ROOM)) for atom in told)
    has_border = any(atom.has(Role.BORDER) and atom.text not in _FRAMES for atom in told)
    lies_outside = any(atom.has(Role.PLACE) or atom.text in _ENCLOSING for atom in told) or any(
        scope.preposition in _ENCLOSING for scope in phrase.scopes
    )
    named = _without_its_box(phrase) if colors else phrase.named
    is_beyond = is_edging and any(atom.text in BEYOND for atom in told) and names_the_photo(phrase)
    is_told = (
        has_border or is_beyond or (bool(colors) and (is_edging or lies_outside or named != phrase.named))
    )
    places = _trimmed_places(told)
    if not is_told or len(colors) > 1 or named or places is None or not all(map(_edges, told)):
        return None
    is_one_place = len(places.split()) < 2
    if phrase.scene.boxes and is_one_place and not (has_border or cuts):  # the box is around what is to go
        return None
    color = next(iter(colors), None)
    return [phrase.step(Kind.COMPOSITION, "trim", color=color, place=places or None)]


def cropped_along(phrase: Phrase, told: Sequence[Atom]) -> Answer | None:
    """ "Crop out the ceiling": what lies along a side of the photo is cut off, as far as the box reaches."""
    sides = {_ALONG[atom.text] for atom in told if atom.text in _ALONG}
    is_all = bool(sides) and not phrase.named and all(map(_tells_a_side, told))
    if not phrase.core[0].text.startswith("crop") or not is_all:
        return None
    if len(sides) > 1 or not phrase.scene.boxes:
        return phrase.refused(Reason.NEEDS_REGION, _TO_CROP)
    target = Target("region", boxes=phrase.scene.boxes)
    return [phrase.step(Kind.COMPOSITION, "crop", target=target, choice="off", place=sides.pop())]


def _tells_a_side(atom: Atom) -> bool:
    """Whether nothing else is named: "the white ceiling at the top", "most of the floor"."""
    is_described = atom.has(Role.PLACE, Role.AMOUNT, Role.COLOR, Role.ADJECTIVE, Role.AND)
    return is_described or atom.text in _ALONG or atom.text in LINKS or atom.text == "part"


_ALONG = {
    **dict.fromkeys(("ceiling", "ceilings", "sky", "skies", "roof"), "top"),
    **dict.fromkeys(("floor", "flooring", "ground", "carpet", "pavement", "sidewalk", "lawn"), "bottom"),
}
_TO_CROP = "Mark it with one box to crop it off, or say how much, for example: crop 20% off the top."


def _without_its_box(phrase: Phrase) -> Sequence[Scope]:
    """ "The black box" around a photo is none that was marked."""
    ends = [phrase.clause.atoms[scope.after - 1].text for scope in phrase.named if scope.what == "region"]
    is_drawn = bool(ends) and not phrase.scene.boxes and set(ends) <= {"box", "boxes"}
    return [scope for scope in phrase.named if not (is_drawn and scope.what == "region")]


_FRAMES = frozenset({"frame", "framing"})
_BARS = frozenset({"bar", "bars", "border", "borders", "edge", "edges", "margin", "margins", *_FRAMES})
_OUTSIDE = (EDGING | _FRAMES) - {"line", "lines", "strip", "strips"}
_ENCLOSING = frozenset({"around", "surrounding", "along"})
_TRIMMED = frozenset(
    {
        *("at", "on", "from", "of", "off", "out", "to", "in", "sides", "side"),
        *("ugly", "unnecessary", "unwanted", "plain", "solid", "outer"),
        *("portion", "portions", "stripe", "stripes", "letterbox", "image", "above", "below", "actual"),
    }
)


def _edges(atom: Atom) -> bool:
    """Whether a word may stand in the name of a border."""
    is_told = atom.text in EDGING | _FRAMES | _ENCLOSING | _TRIMMED
    return is_told or atom.has(
        *(Role.BORDER, Role.EDGES, Role.COLOR, Role.PLACE, Role.ROOM, Role.WHOLE, Role.AND, Role.SEVERAL),
        *(Role.THICKNESS, Role.NUMBER),
    )


def without_much_background(phrase: Phrase, told: Sequence[Atom]) -> Answer | None:
    """ "Crop out some of the background", "crop to remove the excess background": closer to the subject."""
    is_some = any(atom.has(Role.AMOUNT) or atom.text in _EXCESS for atom in told)
    is_plain = all(atom.has(Role.AMOUNT) or atom.text in _EXCESS | {"of", "out", "to"} for atom in told)
    is_it = {scope.what for scope in phrase.named} == {"background"}
    if not phrase.core[0].text.startswith("crop") or not (is_some and is_plain and is_it):
        return None
    return [phrase.step(Kind.COMPOSITION, "crop", target=Target("subject"))]


_EMPTY = frozenset(
    {
        *("on", "at", "of", "the", "side", "from", "in", "out", "empty", "extra", "dead"),
        *("and", "around", "to"),
    }
)
_EXCESS = frozenset({"excess", "excessive", "extra", "unnecessary", "unneeded", "most", "surplus"})


def without_room(phrase: Phrase, told: Sequence[Atom]) -> Answer | None:
    """ "Crop out the empty space", "crop the extra space on the left"."""
    is_room = any(atom.has(Role.ROOM) for atom in told)
    is_plain = all(atom.has(Role.ROOM, Role.PLACE, Role.AMOUNT) or atom.text in _EMPTY for atom in told)
    if not (phrase.core[0].text.startswith("crop") and is_room and is_plain) or phrase.named:
        return None
    if any(atom.has(Role.PLACE) for atom in told):
        amount = next((atom for atom in told if atom.has(Role.AMOUNT)), None)
        return cropped_off(phrase, {Role.AMOUNT: amount} if amount else {})
    return [phrase.step(Kind.COMPOSITION, "crop", target=Target("subject"))]


def _trimmed_places(told: Sequence[Atom]) -> str | None:
    """The sides that are named, "" for all of them; None for a corner or the middle."""
    sides = sides_of(told)
    beyond = [BEYOND[atom.text] for atom in told if atom.text in BEYOND]
    return " ".join(dict.fromkeys(beyond)) if sides == "all" else sides


def _trimmed_away(phrase: Phrase, found: Found) -> Answer | None:
    """ "Crop the black bars", "crop to remove the white border"."""
    told = [atom for atom in phrase.core if not atom.has(Role.CROP, Role.REMOVE, Role.EXTRACT)]
    return trimmed(phrase, told) or without_much_background(phrase, told) or without_room(phrase, told)


def without_edges(phrase: Phrase, told: Sequence[Atom]) -> Answer:
    """ "Crop these edges out": a little off every side; of a side that is named, how much?"""
    if not all(atom.has(Role.EDGES) for atom in told):
        return phrase.refused(Reason.AMBIGUOUS, HOW_MUCH)
    return [phrase.step(Kind.COMPOSITION, "crop", exact=(CLOSER, "percent"), place="all")]


TRIMS: tuple[Form, ...] = (
    Form(
        _trimmed_away,
        needs=((Role.CROP, Role.EXTRACT),),
        may=(Role.REMOVE,),
        many=(
            *(Role.BORDER, Role.EDGES, Role.COLOR, Role.PLACE, Role.ROOM, Role.WHOLE, Role.AND, Role.SEVERAL),
            *(Role.THICKNESS, Role.NUMBER, Role.AMOUNT),
        ),
        words=EDGING | _FRAMES | _ENCLOSING | _TRIMMED | _EXCESS,
        others=frozenset({"whole", "background"}),
    ),
)
