"""Nearer, farther, larger, smaller, wider: the size of the photo and of what it shows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from editor.engine.language.forms.crops import counts_people, person_named, subject_named
from editor.engine.language.forms.drawings import names_in, thing_named
from editor.engine.language.forms.form import LINKS, Form, Found, amount_of, color_of, measure_of, value_of
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import SUBJECTS
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Target

_GROWING = ("enlarge", "enlarged", "enlarging", "upscale", "upscaled", "scale up", "blow up", "blown up")
_SHRINKING = (
    *("shrink", "shrunk", "shrinking", "downsize", "downscale", "scale down"),
    *("compress", "compressed", "compressing"),
)
_PARTS = frozenset({"whole", "subject", "person", "region", "face", "unclear"})


def _resized(phrase: Phrase, found: Found) -> Answer | None:
    size = value_of(found, Role.SIZE)
    if size:
        return [phrase.step(Kind.COMPOSITION, "resize", choice=size)]
    percent = _resized_percent(phrase, found)
    if percent is None or not 1 <= percent <= 400:
        return phrase.refused(
            Reason.AMBIGUOUS, "Say the size, for example: resize to 50% or resize to 1200x800."
        )
    return [phrase.step(Kind.COMPOSITION, "resize", exact=(percent, "percent"))]


def _resized_by_fraction(phrase: Phrase, found: Found) -> Answer | None:
    return (
        _resized(phrase, found)
        if any(atom.text in ("size", "big", "large") for atom in phrase.core)
        else None
    )


def _resized_percent(phrase: Phrase, found: Found) -> float | None:
    exact, verb = measure_of(found, "percent"), str(value_of(found, Role.RESIZE) or "")
    if Role.FRACTION in found:
        fraction = float(str(value_of(found, Role.FRACTION)))
        return 200.0 if fraction == 100 else fraction
    if exact is None or (exact[0] > 100 and verb in _SHRINKING):
        return None
    if any(atom.text == "by" for atom in phrase.core):
        return 100 + exact[0] if verb in _GROWING else 100 - exact[0] if verb in _SHRINKING else None
    return None if verb in _GROWING and exact[0] < 100 else exact[0]


def _resized_side(phrase: Phrase, found: Found) -> Answer | None:
    """ "1200 pixels wide", "set the height to 800 px"."""
    exact = measure_of(found, "pixels") or _bare_number(found)
    words = " ".join(atom.text for atom in phrase.core)
    side = (
        "width"
        if "wid" in words
        else "height"
        if any(w in words for w in ("high", "tall", "heigh"))
        else None
    )
    if exact is None or side is None or exact[0] < 1 or ("wid" in words and "heigh" in words):
        return None
    return [phrase.step(Kind.COMPOSITION, "resize", exact=exact, choice=side)]


def _bare_number(found: Found) -> tuple[float, str] | None:
    number = found.get(Role.NUMBER)
    return (float(str(number.senses[Role.NUMBER])), "pixels") if number and number.kind == "number" else None


def _resized_by(phrase: Phrase, found: Found) -> Answer | None:
    """ "Reduce the size by 50%"."""
    if measure_of(found, "pixels") and any(atom.text == "size" for atom in phrase.core):
        return phrase.refused(Reason.AMBIGUOUS, "Say which side, for example: resize to 500 pixels wide.")
    exact = measure_of(found, "percent")
    if exact is None or not any(atom.text == "size" for atom in phrase.core):
        return None
    percent = 100 + exact[0] * (1 if Role.RAISE in found else -1)
    if any(atom.text == "to" for atom in phrase.core):
        percent = exact[0]
    is_right = 1 <= percent <= 400 and (percent > 100) == (Role.RAISE in found)
    return [phrase.step(Kind.COMPOSITION, "resize", exact=(percent, "percent"))] if is_right else None


def _reduced_to_a_part(phrase: Phrase, found: Found) -> Answer | None:
    """ "Reduce the size to one quarter"; "by a quarter" leaves more."""
    percent = float(str(value_of(found, Role.FRACTION)))
    texts = {atom.text for atom in phrase.core}
    if percent >= 100 or not {"size", "to"} <= texts:
        return None
    return [phrase.step(Kind.COMPOSITION, "resize", exact=(percent, "percent"))]


def _larger(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make it a bit larger"; "make it very small" is no size."""
    larger = found.get(Role.LARGER)
    is_compared = larger is None or larger.text.endswith("er") or Role.AMOUNT not in found
    sign = int(str(value_of(found, Role.LARGER))) if larger else _verb_sign(phrase)
    if not sign or not is_compared:
        return None
    amount = (amount_of(found) or UNMARKED) * sign
    return [phrase.step(Kind.COMPOSITION, "resize", amount=amount)] if abs(amount) < 1 else None


def _verb_sign(phrase: Phrase) -> int:
    """ "Enlarge it", "reduce its size"."""
    verbs = [atom for atom in phrase.core if atom.has(Role.RESIZE, Role.RAISE, Role.LOWER)]
    is_of_size = any(atom.text == "size" for atom in phrase.core)
    grows = any(verb.text in _GROWING or (is_of_size and verb.has(Role.RAISE)) for verb in verbs)
    shrinks = any(verb.text in _SHRINKING or (is_of_size and verb.has(Role.LOWER)) for verb in verbs)
    return 1 if grows else -1 if shrinks else 0


def _stretched(phrase: Phrase, found: Found) -> Answer | None:
    """ "Stretch the photo horizontally", "make the image narrower": all of it, and no one in it."""
    is_named = any(
        atom.has(Role.PHOTO) for s in phrase.scopes for atom in phrase.clause.atoms[s.first : s.after]
    )
    verb = found[Role.STRETCH]
    side, sign = _way(verb, phrase.core)
    if not is_named and verb is not phrase.core[0]:
        return None
    size = value_of(found, Role.SIZE)
    if size:
        return [phrase.step(Kind.COMPOSITION, "stretch", choice=size)]
    side = {"horizontal": "width", "vertical": "height"}.get(value_of(found, Role.AXIS) or "", side)
    exact = measure_of(found, "percent")
    if exact is None:
        amount = (amount_of(found) or UNMARKED) * sign
        return [phrase.step(Kind.COMPOSITION, "stretch", choice=side, amount=amount)]
    percent = exact[0] if any(atom.text == "to" for atom in phrase.core) else 100 + sign * exact[0]
    if not 25 <= percent <= 400:
        return None
    return [phrase.step(Kind.COMPOSITION, "stretch", choice=side, exact=(percent, "percent"))]


def _narrowed(phrase: Phrase, found: Found) -> Answer | None:
    """ "Reduce the width a little", "make the photo's height smaller": one side, so the other stays. What is
    to be wider may want more at its sides."""
    side, exact = found[Role.DIMENSION].text, measure_of(found, "percent")
    is_to = any(atom.text == "to" for atom in phrase.core)
    is_less = Role.LOWER in found or value_of(found, Role.LARGER) == "-1"
    if side not in ("width", "height") or not is_less or (Role.MEASURE in found or is_to) != bool(exact):
        return None
    if exact is None:
        amount = -(amount_of(found) or UNMARKED)
        return [phrase.step(Kind.COMPOSITION, "stretch", choice=side, amount=amount)]
    percent = exact[0] if is_to else 100 - exact[0]
    if not 25 <= percent < 100:
        return None
    return [phrase.step(Kind.COMPOSITION, "stretch", choice=side, exact=(percent, "percent"))]


def _way(verb: Atom, core: Sequence[Atom]) -> tuple[str, int]:
    """The side and the sign of "stretch", and of "stretch upwards"."""
    side, sign = cast(tuple[str, int], verb.senses[Role.STRETCH])
    return ("height", sign) if any(atom.text in _UPRIGHT for atom in core) else (side, sign)


_UPRIGHT = frozenset({"up", "upward", "upwards", "down", "downward", "downwards"})


def _resized_uncropped(phrase: Phrase, found: Found) -> Answer | None:
    """ "Resize to 800x600 without cropping", "fit it within 800x600": as large as all of it can be."""
    texts = {atom.text for atom in phrase.core}
    fits = bool(texts & {"fit", "within", "inside"}) or (Role.CROP in found and bool(texts & _UNDONE))
    size = value_of(found, Role.SIZE)
    if texts & _DISTORTED:
        return [phrase.step(Kind.COMPOSITION, "resize", choice=size)] if texts & _UNDONE else None
    if Role.STRETCH in found:
        operation = "resize" if texts & _UNDONE else "stretch"
        return [phrase.step(Kind.COMPOSITION, operation, choice=size)]
    return [phrase.step(Kind.COMPOSITION, "resize", choice=f"within {size}")] if fits else None


_DISTORTED = frozenset(
    {"distortion", "distortions", "distorting", "distorted", "distort", "distorsion", "distorsions"}
)
_UNDONE = frozenset({"without", "not", "don't", "no", "instead of", "dont"})


def _zoomed(phrase: Phrase, found: Found) -> Answer | None:
    sign = int(str(value_of(found, Role.ZOOM)))
    if Role.NUMBER in found and not counts_people(phrase, found[Role.NUMBER]):
        return None
    if Role.COLOR in found and (sign < 0 or not (phrase.scene.boxes or _names_its_color(phrase))):
        return None
    if any(atom.text == "out" for atom in phrase.core):
        sign = -1
    if sign < 0:
        return _zoomed_out(phrase, found)
    person = person_named(phrase)
    if person and Role.MEASURE not in found and Role.FRACTION not in found:
        return [phrase.step(Kind.COMPOSITION, "zoom", target=person, amount=amount_of(found, UNMARKED))]
    target = subject_named(phrase, names_in(phrase, Role.PLACE))
    if isinstance(target, Refusal):
        return target
    exact = _zoom_percent(phrase, found, sign)
    place = value_of(found, Role.PLACE) or ("center" if target is None and _names_all_of_it(phrase) else None)
    if target and target.place:  # "the car on the left" is all said
        place = None
    if place == "all" or (Role.MEASURE in found and exact is None):
        return None
    amount = None if exact else amount_of(found, UNMARKED)
    values = {"target": target or WHOLE, "amount": amount, "exact": exact, "place": place}
    return [phrase.step(Kind.COMPOSITION, "zoom", **values)]


def _names_its_color(phrase: Phrase) -> bool:
    """ "The red car", where the color tells which."""
    seen = thing_named(phrase, names_in(phrase, Role.PLACE, Role.COLOR)) or person_named(phrase)
    return seen is not None and seen.color is not None


def _brought_closer(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make the image appear closer": all of it, for what one thing is to be closer to is open."""
    if found[Role.UNAVAILABLE].text != "closer":
        return None
    return [phrase.step(Kind.COMPOSITION, "zoom", amount=amount_of(found, UNMARKED))]


def _names_all_of_it(phrase: Phrase) -> bool:
    """ "Zoom in on the whole picture": around its middle, wherever a box is marked."""
    return any(
        atom.has(Role.WHOLE)
        for scope in phrase.scopes
        if scope.what == "whole" and scope.preposition
        for atom in phrase.clause.atoms[scope.first : scope.after]
    )


def _zoomed_out(phrase: Phrase, found: Found) -> Answer | None:
    if names_in(phrase) or Role.PLACE in found or any(s.what in ("region", "unclear") for s in phrase.named):
        return phrase.refused(Reason.AMBIGUOUS, "Say “zoom out”, or extend the photo to one side.")
    exact = _zoom_percent(phrase, found, -1)
    amount = None if exact else -(amount_of(found, UNMARKED) or UNMARKED)
    return [phrase.step(Kind.COMPOSITION, "zoom", amount=amount, exact=exact)]


def _zoom_percent(phrase: Phrase, found: Found, sign: int) -> tuple[float, str] | None:
    """ "20%" is by so much, "to 150%" is so far, "2x" is twice."""
    exact = measure_of(found, "percent")
    if Role.FRACTION in found:
        doubles = value_of(found, Role.FRACTION) == "100"
        return ((200.0 if sign > 0 else 50.0), "percent") if doubles else None
    if exact is None:
        return None
    by = exact[0] < 100 and not any(atom.text == "to" for atom in phrase.core)
    percent = 100 + sign * exact[0] if by else exact[0]
    is_right = 100 < percent <= 400 if sign > 0 else 25 <= percent < 100
    return (percent, "percent") if is_right else None


def _centered(phrase: Phrase, found: Found) -> Answer | None:
    if not phrase.core[0].has(Role.CENTER):
        return None
    return _in_the_middle(phrase, names_in(phrase, Role.PLACE, Role.CENTER), fallback=Target("subject"))


def _moved_to_the_center(phrase: Phrase, found: Found) -> Answer | None:
    """ "Put me in the center"; anywhere else it would have to be cut out and moved."""
    if value_of(found, Role.PLACE) != "center" or not phrase.core[0].has(Role.MOVE, Role.ADD):
        return None
    named = names_in(phrase, Role.PLACE)
    if any(atom.text not in SUBJECTS for atom in named) or (named and phrase.core[0].has(Role.ADD)):
        return None
    return _in_the_middle(phrase, named, fallback=None)


def _in_the_middle(phrase: Phrase, named: Sequence[Atom], *, fallback: Target | None) -> Answer | None:
    target = subject_named(phrase, named) or fallback
    if target is None or isinstance(target, Refusal):
        return target
    place = None if target.place == "center" else target.place  # where it goes, not where it is
    return [phrase.step(Kind.COMPOSITION, "center", target=replace(target, place=place))]


_BEYOND = {"above": "top", "below": "bottom", "underneath": "bottom", "upwards": "top", "downwards": "bottom"}


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
    widens = any(atom.text in ("sides", "wider", "widen", "widening") for atom in core)
    return places or (["left right"] if widens else [])


def _uncropped(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make it 16:9 without cropping"."""
    if not any(atom.text in _UNDONE for atom in phrase.core):
        return None
    return [phrase.step(Kind.COMPOSITION, "extend", choice=value_of(found, Role.RATIO))]


def _collage(phrase: Phrase, found: Found) -> Answer | None:
    words = " ".join(atom.text for atom in phrase.core)
    if phrase.scene.photos < 2:
        return phrase.refused(Reason.NEEDS_REFERENCE, "Attach the other photos and they can be put together.")
    if phrase.photos and len(set(phrase.photos) | {1}) != phrase.scene.photos:
        return phrase.refused(
            Reason.AMBIGUOUS, "All the attached photos go into a collage. Leave out the others."
        )
    choice = next(
        (choice for choice, signs in _LAYOUTS.items() if any(sign in words for sign in signs)), None
    )
    return [phrase.step(Kind.COMPOSITION, "collage", choice=choice, color=color_of(found), photo=None)]


_LAYOUTS = {
    "row": ("side by side", "next to", "row", "diptych", "triptych", "beside"),
    "column": ("on top of each other", "stacked", "column", "below each other", "vertical"),
    "grid": ("grid",),
}


def _resized_back(phrase: Phrase, found: Found) -> Answer | None:
    """ "Enlarge it to the original size", after a crop."""
    texts = {atom.text for atom in phrase.core}
    if "original" not in texts or texts.isdisjoint({"size", "dimensions", "resolution"}):
        return None
    return [phrase.step(Kind.COMPOSITION, "resize", choice="original")]


SIZES: tuple[Form, ...] = (
    Form(
        _resized_back,
        needs=((Role.RESIZE, Role.MAKE, Role.CHANGE),),
        words=LINKS | {"original", "size", "dimensions", "resolution", "back", "same", "be"},
    ),
    Form(
        _resized_uncropped,
        needs=((Role.RESIZE, Role.MAKE, Role.CHANGE, Role.ADJUST), (Role.SIZE,)),
        may=(Role.CROP, Role.STRETCH, Role.UNIT, Role.NO),
        words=LINKS | _UNDONE | _DISTORTED | {"fit", "within", "inside", "size", "box", "frame"},
    ),
    Form(
        _stretched,
        needs=((Role.STRETCH,),),
        may=(Role.MAKE, Role.CHANGE, Role.AMOUNT, Role.MORE, Role.MEASURE, Role.AXIS, Role.SIZE, Role.UNIT),
        words=(LINKS - {"out"}) | _UPRIGHT | {"together", "wider"},
    ),
    Form(
        _collage,
        needs=((Role.COLLAGE,),),
        may=(Role.ADD, Role.MAKE, Role.COLOR, Role.BORDER, Role.USE, Role.AXIS, Role.NUMBER),
        many=(Role.COLLAGE, Role.SEVERAL),
        words=LINKS | {"grid", "row", "column", "together", "vertical", "single", "out"},
    ),
    Form(
        _uncropped,
        needs=((Role.MAKE, Role.CHANGE, Role.RESIZE, Role.EXTEND), (Role.RATIO,), (Role.CROP,)),
        may=(Role.NOT,),
        words=LINKS | {"without", "ratio", "aspect", "format"},
    ),
    Form(
        _extended,
        needs=((Role.EXTEND,),),
        may=(Role.MAKE, Role.MEASURE, Role.RATIO, Role.AMOUNT, Role.ROOM, Role.EDGES, Role.MORE),
        many=(Role.PLACE,),
        words=LINKS | {"ratio", "aspect", "sides", "side", "edges", "canvas", *_BEYOND},
        others=frozenset({"whole", "background"}),
    ),
    Form(
        _extended,
        needs=((Role.ADD, Role.MAKE, Role.RAISE), (Role.ROOM,)),
        may=(Role.MEASURE, Role.AMOUNT, Role.MORE),
        many=(Role.PLACE,),
        words=LINKS | {"sides", "side", "edges", "extra", "empty", *_BEYOND},
    ),
    Form(
        _more_of_it,
        needs=((Role.ADD,), (Role.MORE, Role.AMOUNT), (Role.FINDABLE,)),
        many=(Role.FINDABLE, Role.MORE, Role.AMOUNT, Role.PLACE, Role.AND),
        words=frozenset({"to", "at", "of", "in", "on", "area", "space", "above", "below"}),
    ),
    Form(
        _zoomed,
        needs=((Role.ZOOM,),),
        may=(
            *(Role.AMOUNT, Role.MEASURE, Role.FRACTION, Role.MORE, Role.PLACE, Role.MAKE, Role.CROP),
            *(Role.NUMBER, Role.COLOR),
        ),
        words=LINKS | {"out", "towards", "toward", "closer", "closely", "close", "tight", "tighter"},
        others=_PARTS,
        names=True,
    ),
    Form(
        _brought_closer,
        needs=((Role.MAKE, Role.MOVE), (Role.UNAVAILABLE,)),
        may=(Role.AMOUNT,),
        words=frozenset({"look", "seem", "be"}),
    ),
    Form(
        _centered,
        needs=((Role.CENTER,),),
        may=(Role.PLACE,),
        words=LINKS | {"middle", "frame", "shot"},
        others=_PARTS,
        names=True,
    ),
    Form(
        _moved_to_the_center,
        needs=((Role.MOVE, Role.ADD), (Role.PLACE,)),
        words=LINKS,
        others=frozenset({"subject", "person", "region", "whole"}),
        names=True,
    ),
    Form(
        _resized_by,
        needs=((Role.RAISE, Role.LOWER), (Role.MEASURE,)),
        words=frozenset({"size", "by", "of", "to"}),
    ),
    Form(_reduced_to_a_part, needs=((Role.LOWER,), (Role.FRACTION,)), words=frozenset({"size", "to", "of"})),
    Form(
        _narrowed,
        needs=((Role.LOWER,), (Role.DIMENSION,)),
        may=(Role.AMOUNT, Role.MEASURE),
        words=frozenset({"by", "of", "to"}),
    ),
    Form(
        _narrowed,
        needs=((Role.MAKE,), (Role.DIMENSION,), (Role.LARGER,)),
        may=(Role.AMOUNT,),
        words=frozenset({"of"}),
    ),
    Form(
        _resized_side,
        needs=((Role.RESIZE, Role.MAKE, Role.CHANGE, Role.ADD), (Role.MEASURE, Role.NUMBER)),
        may=(Role.DIMENSION,),
        words=LINKS | {"size"},
    ),
    Form(
        _larger,
        needs=((Role.RESIZE, Role.MAKE, Role.CHANGE, Role.RAISE, Role.LOWER),),
        may=(Role.LARGER, Role.AMOUNT, Role.MORE),
        words=LINKS | {"size"},
    ),
    Form(
        _resized,
        needs=((Role.RESIZE,),),
        may=(Role.MEASURE, Role.SIZE, Role.FRACTION, Role.UNIT),
        words=LINKS | {"size", "down", "original", "exact", "exactly", "dimensions", "resolution"},
    ),
    Form(
        _resized,
        needs=((Role.MAKE, Role.CHANGE, Role.CROP), (Role.SIZE,), (Role.OCCASION, Role.FORMAT)),
        may=(Role.UNIT,),
        many=(Role.OCCASION, Role.FORMAT),
        words=LINKS | {"size", "phone", "desktop"},
    ),
    Form(
        _resized,
        needs=((Role.MAKE, Role.CHANGE), (Role.SIZE,)),
        may=(Role.UNIT,),
        words=LINKS | {"size", "exactly", "exact", "dimensions", "resolution"},
    ),
    Form(_resized_by_fraction, needs=((Role.FRACTION,),), words=LINKS | {"size"}),
    Form(
        _resized_by_fraction,
        needs=((Role.MAKE, Role.CHANGE), (Role.FRACTION,)),
        words=LINKS | {"size", "big", "large", "original"},
    ),
)
