"""Larger, smaller, narrower: the size of the photo, and photos put together."""

from collections.abc import Sequence
from typing import cast

from editor.engine.language.forms.crops import part_of_it
from editor.engine.language.forms.extensions import UNDONE
from editor.engine.language.forms.form import (
    LINKS,
    Form,
    Found,
    amount_of,
    color_of,
    measure_of,
    names_the_photo,
    value_of,
)
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import Kind, Reason

_GROWING = ("enlarge", "enlarged", "enlarging", "upscale", "upscaled", "scale up", "blow up", "blown up")

_SHRINKING = (
    *("shrink", "shrunk", "shrinking", "downsize", "downscale", "scale down"),
    *("compress", "compressed", "compressing"),
)


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
    """ "Twice as big", "a third of its size"."""
    part = part_of_it(phrase)
    if part is None or _OF_SIZE.isdisjoint(atom.text for atom in phrase.core):
        return None
    percent = 200.0 if part == 100 else part
    return [phrase.step(Kind.COMPOSITION, "resize", exact=(percent, "percent"))]


_OF_SIZE = frozenset({"size", "big", "large", "resolution", "dimensions"})


def _resized_by_times(phrase: Phrase, found: Found) -> Answer | None:
    """ "3 times larger", "upscale it 4x", "downscale by a factor of 2"."""
    times = float(str(value_of(found, Role.NUMBER)))
    texts = {atom.text for atom in phrase.core}
    shrinks = not texts.isdisjoint(_SHRINKING)
    is_told = not texts.isdisjoint({"times", "x", "factor"}) and value_of(found, Role.LARGER) != "-1"
    if not is_told or not 1 < times <= 4 or (shrinks and "factor" not in texts):
        return None
    return [
        phrase.step(Kind.COMPOSITION, "resize", exact=(100 / times if shrinks else 100 * times, "percent"))
    ]


def _resized_longest(phrase: Phrase, found: Found) -> Answer | None:
    """ "Resize the longest side to 1200 pixels"."""
    exact = measure_of(found, "pixels") or _bare_number(found)
    if exact is None or exact[0] < 1 or not any(atom.text in _LONGEST for atom in phrase.core):
        return None
    return [phrase.step(Kind.COMPOSITION, "resize", choice=f"within {exact[0]:g}x{exact[0]:g}")]


_LONGEST = frozenset({"long", "longest", "longer", "largest"})


def _resized_percent(phrase: Phrase, found: Found) -> float | None:
    exact, verb = measure_of(found, "percent"), str(value_of(found, Role.RESIZE) or "")
    if Role.FRACTION in found:
        fraction = float(str(value_of(found, Role.FRACTION)))
        return 200.0 if fraction == 100 else fraction
    if verb in _TIMES:
        return _TIMES[verb] if exact is None else None
    if exact is None or (exact[0] > 100 and verb in _SHRINKING):
        return None
    if any(atom.text == "by" for atom in phrase.core):
        return 100 + exact[0] if verb in _GROWING else 100 - exact[0] if verb in _SHRINKING else None
    return None if verb in _GROWING and exact[0] < 100 else exact[0]


_TIMES = {"halve": 50.0, "triple": 300.0, "quadruple": 400.0}


def _resized_to_4k(phrase: Phrase, found: Found) -> Answer | None:
    """ "Upscale it to 4k": as large as all of it is within such a screen."""
    exact = measure_of(found, "kelvin")
    return (
        [phrase.step(Kind.COMPOSITION, "resize", choice="within 3840x2160")]
        if exact == (4, "kelvin")
        else None
    )


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
    percent, texts = part_of_it(phrase), {atom.text for atom in phrase.core}
    is_told = not _OF_SIZE.isdisjoint(texts) or names_the_photo(phrase)
    is_clear = percent is not None and percent < 100 and ("to" in texts or percent == 50)
    if percent is None or not (is_told and is_clear):
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
    verb = found[Role.STRETCH]
    side, sign = _way(verb, phrase.core)
    if not names_the_photo(phrase) and verb is not phrase.core[0]:
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
    fits = bool(texts & {"fit", "within", "inside"}) or (Role.CROP in found and bool(texts & UNDONE))
    size = value_of(found, Role.SIZE)
    if texts & _DISTORTED:
        return [phrase.step(Kind.COMPOSITION, "resize", choice=size)] if texts & UNDONE else None
    if Role.STRETCH in found:
        operation = "resize" if texts & UNDONE else "stretch"
        return [phrase.step(Kind.COMPOSITION, operation, choice=size)]
    return [phrase.step(Kind.COMPOSITION, "resize", choice=f"within {size}")] if fits else None


_DISTORTED = frozenset(
    {"distortion", "distortions", "distorting", "distorted", "distort", "distorsion", "distorsions"}
)


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
        words=LINKS | UNDONE | _DISTORTED | {"fit", "within", "inside", "size", "box", "frame"},
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
        _resized_by,
        needs=((Role.RAISE, Role.LOWER), (Role.MEASURE,)),
        words=frozenset({"size", "by", "of", "to"}),
    ),
    Form(
        _reduced_to_a_part,
        needs=((Role.LOWER,), (Role.FRACTION, Role.ORDINAL)),
        may=(Role.IT,),
        words=_OF_SIZE | {"to", "of", "by", "original"},
    ),
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
        _resized_longest,
        needs=((Role.RESIZE, Role.MAKE, Role.CHANGE, Role.ADD), (Role.MEASURE, Role.NUMBER)),
        may=(Role.LARGER,),
        words=LINKS | _LONGEST | {"side", "edge"},
    ),
    Form(
        _resized_side,
        needs=((Role.RESIZE, Role.MAKE, Role.CHANGE, Role.ADD), (Role.MEASURE, Role.NUMBER)),
        may=(Role.DIMENSION,),
        words=LINKS | {"size"},
    ),
    Form(
        _resized_to_4k,
        needs=((Role.RESIZE, Role.MAKE, Role.CHANGE), (Role.MEASURE,)),
        words=frozenset({"to", "into", "in", "resolution", "size"}),
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
    Form(_resized_by_fraction, needs=((Role.FRACTION,),), words=LINKS | _OF_SIZE),
    Form(
        _resized_by_fraction,
        needs=((Role.MAKE, Role.CHANGE, Role.RESIZE), (Role.FRACTION, Role.ORDINAL)),
        may=(Role.IT,),
        words=LINKS | _OF_SIZE | {"original"},
    ),
    Form(
        _resized_by_times,
        needs=((Role.MAKE, Role.CHANGE, Role.RESIZE), (Role.NUMBER,)),
        may=(Role.LARGER, Role.IT),
        words=LINKS | _OF_SIZE | {"times", "x", "original", "factor"},
    ),
)
