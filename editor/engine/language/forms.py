"""The forms: words that together make one wish, whatever their order.

A form claims every word of a clause or none of them. The first that fits is taken.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from editor.engine.language.grammar import Atom, Measure
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.phrases import Answer, Phrase, Scope, placed_scope, placed_steps
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import Kind, Reason, Target
from editor.options import ASPECT_RATIOS

Found = Mapping[Role, Atom]

_WIDEST_BORDER = 50  # percent of the photo
_STRONG = 0.4  # from here on a look is complete: "strong sepia" is not weaker than "sepia"


@dataclass(frozen=True, slots=True)
class Form:
    """Words that together make one wish, in any order: each need once, each role that it may
    hold at most once, `many` and the literal `words` as often as they come, and nothing else."""

    build: "Callable[[Phrase, Found], Answer | None]"
    needs: tuple[tuple[Role, ...], ...] = ()
    may: tuple[Role, ...] = ()
    many: tuple[Role, ...] = ()
    words: frozenset[str] = frozenset()
    scope: str = ""  # a scope that the clause has to name
    others: frozenset[str] = frozenset({"whole"})


def by_form(phrase: Phrase) -> Answer | None:
    for form in FORMS:
        found = _claimed(form, phrase)
        answer = form.build(phrase, found) if found is not None else None
        if answer is not None:
            return answer
    return None


def _claimed(form: Form, phrase: Phrase) -> Found | None:
    """Which atom of the clause plays which part in the form; None when the form does not fit."""
    whats = {scope.what for scope in phrase.scopes}
    implied = form.scope == "background" and phrase.follows_background and _replaces(phrase)
    if (form.scope and form.scope not in whats and not implied) or not whats <= form.others | {form.scope}:
        return None
    left, found = list(phrase.core), {}
    for need in form.needs:
        atom = next((atom for atom in left if atom.has(*need)), None)
        if atom is None:
            return None
        found[next(role for role in need if role in atom.senses)] = atom
        left.remove(atom)
    return found if _rest_fits(form, left, found) else None


def _replaces(phrase: Phrase) -> bool:
    return not phrase.scopes and bool(phrase.core) and phrase.core[0].has(Role.REPLACE)


def _rest_fits(form: Form, left: Sequence[Atom], found: dict[Role, Atom]) -> bool:
    for atom in left:
        role = next((role for role in form.may if role in atom.senses and role not in found), None)
        if role is not None:
            found[role] = atom
        elif atom.text not in form.words and not atom.has(*form.many):
            return False
    return True


def _amount(found: Found, unmarked: float | None = None) -> float | None:
    if Role.AMOUNT in found:
        return float(str(found[Role.AMOUNT].senses[Role.AMOUNT]))
    return unmarked


def _color(found: Found) -> str | None:
    return str(found[Role.COLOR].senses[Role.COLOR]) if Role.COLOR in found else None


def _value(found: Found, role: Role) -> str | None:
    return str(found[role].senses[role]) if role in found else None


def _measure(found: Found, *units: str) -> tuple[float, str] | None:
    atom = found.get(Role.MEASURE)
    measure = atom.senses[Role.MEASURE] if atom else None
    return (measure.value, measure.unit) if isinstance(measure, Measure) and measure.unit in units else None


def _look(phrase: Phrase, found: Found) -> Answer | None:
    look = _value(found, Role.LOOK)
    operation = "negative" if look == "invert" else str(look)
    amount = _amount(found)
    is_partial = amount is not None and amount < _STRONG
    return placed_steps(phrase, Kind.COLOR, operation, amount=amount if is_partial else None)


def _enhanced(phrase: Phrase, found: Found) -> Answer | None:
    return [phrase.step(Kind.COLOR, "enhance", amount=_amount(found, UNMARKED))]


def _enhanced_light(phrase: Phrase, found: Found) -> Answer | None:
    return _enhanced(phrase, found) if found[Role.QUALITY].text == "lighting" else None


def _is_slight(found: Found) -> bool:
    """ "A bit white", "slightly transparent": a background is it or is not."""
    return (_amount(found) or 1) < _STRONG


def _solid(phrase: Phrase, found: Found) -> Answer | None:
    if _is_slight(found):
        return None
    return [
        phrase.step(Kind.BACKGROUND, "solid_background", target=Target("background"), color=_color(found))
    ]


def _solid_from(phrase: Phrase, found: Found) -> Answer | None:
    """ "from black to white": the color after the "to" counts, so the order is looked at."""
    colors = [atom for atom in phrase.core if atom.has(Role.COLOR)]
    if len(colors) != 2 or [a.text for a in phrase.core if a.text in ("from", "to", "into")] not in (
        ["from", "to"],
        ["from", "into"],
    ):
        return None
    color = str(colors[1].senses[Role.COLOR])
    return [phrase.step(Kind.BACKGROUND, "solid_background", target=Target("background"), color=color)]


def _transparent(phrase: Phrase, found: Found) -> Answer | None:
    if _is_slight(found):
        return None
    return [phrase.step(Kind.BACKGROUND, "transparent_background", target=Target("background"))]


def _photo_behind(phrase: Phrase, found: Found) -> Answer | None:
    others = [scope for scope in phrase.scopes if set(scope.photos) - {1}]
    if phrase.photo is None or len(others) > 1 or any(_is_owner(scope) for scope in others):
        return None
    if phrase.photo == 1 and not (others and _is_replaced(phrase)):
        return phrase.refused(
            Reason.AMBIGUOUS, "Photo 1 is the one that is edited. Say which other photo goes behind it."
        )
    number = others[0].photos[0]
    return [phrase.step(Kind.BACKGROUND, "photo_background", target=Target("background"), photo=number)]


def _is_replaced(phrase: Phrase) -> bool:
    """ "replace the background of photo 1 with photo 2"."""
    first, *others = [scope for scope in phrase.scopes if scope.photos]
    replaces = phrase.core[0].has(Role.REPLACE, Role.CHANGE)
    return replaces and first.preposition == "of" and all(s.preposition in ("", "to") for s in others)


def _is_owner(scope: Scope) -> bool:
    """ "the background of photo 2" is not photo 2, and "photos 2 and 3" are not one background."""
    return len(scope.photos) > 1 or scope.preposition in ("of", "in", "from", "for", "behind")


def _text(phrase: Phrase, found: Found) -> Answer | None:
    text = _value(found, Role.QUOTED)
    is_there = Role.MAKE in found and Role.COLOR in found  # "make the text "Hi" red"
    if not text or is_there:
        return None
    place = _value(found, Role.PLACE)
    return [
        phrase.step(Kind.ADD, "text", text=text, place=None if place == "all" else place, color=_color(found))
    ]


def _label(phrase: Phrase, found: Found) -> Answer | None:
    """ "text "Summer" at the bottom", without a verb."""
    return _text(phrase, found) if phrase.core[0].has(Role.TEXT) else None


def _more_text(phrase: Phrase, found: Found) -> Answer | None:
    """ "add "A" at the top and "B" at the bottom": the second text leans on the first."""
    return _text(phrase, found) if phrase.antecedent == "addition" and Role.PLACE in found else None


def _border(phrase: Phrase, found: Found) -> Answer | None:
    thickness = _value(found, Role.THICKNESS)
    exact = _measure(found, "pixels", "percent")
    is_too_wide = exact is not None and exact[1] == "percent" and exact[0] > _WIDEST_BORDER
    if Role.MEASURE in found and (exact is None or exact[0] <= 0 or is_too_wide):
        return None
    amount = float(thickness) if thickness else None
    return [phrase.step(Kind.ADD, "border", color=_color(found) or "white", exact=exact, amount=amount)]


def _vignette(phrase: Phrase, found: Found) -> Answer | None:
    tone = found.get(Role.TONE)
    if tone and tone.senses[Role.TONE] != Tone("brightness", -1):
        return None
    return [phrase.step(Kind.ADD, "vignette", amount=_amount(found, UNMARKED))]


def _cropped(phrase: Phrase, found: Found) -> Answer | None:
    ratio = _value(found, Role.RATIO)
    if ratio and Role.MEASURE not in found and not phrase.named:
        return _cropped_to_ratio(phrase, ratio, _value(found, Role.PLACE))
    if Role.MEASURE in found and not phrase.named:
        return _cropped_off(phrase, found)
    if phrase.named and len(found) == 1 and not ratio:
        return _cropped_around(phrase)
    hint = "Say what to keep: a ratio such as 16:9, the subject, or a box that you marked."
    return phrase.refused(Reason.AMBIGUOUS, hint) if len(found) == 1 else None


def _cropped_to_ratio(phrase: Phrase, ratio: str, place: str | None) -> Answer:
    if place not in (None, "center"):
        return phrase.refused(Reason.NEEDS_REGION, "Mark what to keep with a box.")
    if ratio not in ASPECT_RATIOS:
        return phrase.refused(Reason.NO_SUCH_TARGET, f"The ratios are {', '.join(ASPECT_RATIOS)}.")
    return [phrase.step(Kind.COMPOSITION, "crop", choice=ratio)]


def _cropped_off(phrase: Phrase, found: Found) -> Answer | None:
    exact, place = _measure(found, "percent"), _value(found, Role.PLACE) or "all"
    if (
        exact is None
        or not 0 < exact[0] < (50 if place == "all" else 100)
        or place not in ("left", "right", "top", "bottom", "all")
    ):
        return phrase.refused(
            Reason.AMBIGUOUS, "Say how many percent of which side, for example: crop 10% off the left."
        )
    if any(atom.text == "to" for atom in phrase.core):
        return phrase.refused(
            Reason.AMBIGUOUS, "Say how many percent to cut off, for example: crop 10% off the left."
        )
    return [phrase.step(Kind.COMPOSITION, "crop", exact=exact, place=place)]


def _cropped_around(phrase: Phrase) -> Answer:
    scope = phrase.named[0]
    if len(phrase.named) > 1 or scope.what in ("background", "face", "unclear"):
        return phrase.refused(Reason.AMBIGUOUS, "Mark the part to keep with a box and say: crop to the box.")
    if scope.what in ("subject", "person") and scope.preposition not in ("to", "around", "on"):
        return phrase.refused(
            Reason.AMBIGUOUS, "Say “crop to the subject” to keep it, or “remove” and mark it with a box."
        )
    place = placed_scope(phrase, scope)
    return place.refusal or [phrase.step(Kind.COMPOSITION, "crop", target=place.targets[0])]


def _rotated(phrase: Phrase, found: Found) -> Answer | None:
    degrees, turn = _degrees(found), _turn(found)
    is_vague = found[Role.ROTATE].text.startswith("tilt") and degrees is None
    if Role.AMOUNT in found and degrees is None:
        return phrase.refused(Reason.AMBIGUOUS, "Say by how many degrees.")
    if is_vague or (degrees is None and turn is None):
        return phrase.refused(Reason.AMBIGUOUS, "Say how far, for example: rotate 90 degrees clockwise.")
    if _is_turned_twice(found, degrees, turn):
        return phrase.refused(Reason.AMBIGUOUS, "Say it once, for example: rotate 90 degrees clockwise.")
    angle = (90.0 if degrees is None else degrees) * (turn or 1)
    return [phrase.step(Kind.COMPOSITION, "rotate", exact=(angle, "degrees"))] if abs(angle) <= 360 else None


def _is_turned_twice(found: Found, degrees: float | None, turn: int | None) -> bool:
    """ "-90 degrees to the left", "upside down by 90 degrees"."""
    is_negative = degrees is not None and degrees < 0
    return (is_negative and turn is not None) or (Role.AXIS in found and degrees != 180)


def _degrees(found: Found) -> float | None:
    exact = _measure(found, "degrees")
    if exact:
        return exact[0]
    if Role.AXIS in found:
        return 180.0 if found[Role.AXIS].text.startswith("upside") else None
    number = found.get(Role.NUMBER)
    return float(str(number.senses[Role.NUMBER])) if number and number.kind == "number" else None


def _turn(found: Found) -> int | None:
    if Role.TURN in found:
        return int(str(_value(found, Role.TURN)))
    return {"right": 1, "left": -1}.get(_value(found, Role.PLACE) or "")


def _flipped(phrase: Phrase, found: Found) -> Answer | None:
    return [phrase.step(Kind.COMPOSITION, "flip", choice=_value(found, Role.AXIS) or "horizontal")]


_GROWING = ("enlarge", "upscale", "scale up")
_SHRINKING = ("shrink", "downsize", "downscale", "scale down")


def _resized(phrase: Phrase, found: Found) -> Answer | None:
    size = _value(found, Role.SIZE)
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
    exact, verb = _measure(found, "percent"), str(_value(found, Role.RESIZE) or "")
    if Role.FRACTION in found:
        fraction = float(str(_value(found, Role.FRACTION)))
        return 200.0 if fraction == 100 else fraction
    if exact is None or (exact[0] > 100 and verb in _SHRINKING):
        return None
    if any(atom.text == "by" for atom in phrase.core):
        return 100 + exact[0] if verb in _GROWING else 100 - exact[0] if verb in _SHRINKING else None
    return None if verb in _GROWING and exact[0] < 100 else exact[0]


def _impossible_background(phrase: Phrase, found: Found) -> Answer | None:
    hint = "Name a color, or attach a photo and say: use photo 2 as the background."
    return phrase.refused(Reason.NEEDS_REFERENCE, hint)


_ANY_CHANGE = (Role.MAKE, Role.CHANGE, Role.REPLACE, Role.ADD, Role.USE, Role.PAINT, Role.RAISE)
_SETTING = (Role.MAKE, Role.CHANGE, Role.REPLACE, Role.ADD, Role.USE, Role.PAINT)
LINKS = frozenset(
    {
        *("to", "into", "in", "with", "on", "of", "as", "at", "by", "from", "for"),
        *("around", "off", "across", "over", "behind", "onto", "like", "and", "&", "up", "out"),
    }
)
_ON_IT = frozenset({"whole", "subject", "person"})
_PARTS = frozenset({"whole", "background", "subject", "person", "region", "face", "unclear"})

FORMS: tuple[Form, ...] = (
    Form(
        _text,
        needs=((Role.ADD, Role.MAKE), (Role.QUOTED,)),
        may=(Role.PLACE, Role.COLOR, Role.COLORS),
        many=(Role.TEXT,),
        words=LINKS | {"text", "letters", "words"},
    ),
    Form(
        _label,
        needs=((Role.TEXT,), (Role.QUOTED,)),
        may=(Role.PLACE, Role.COLOR, Role.COLORS),
        many=(Role.TEXT,),
        words=LINKS - {"from", "like", "off", "behind"},
    ),
    Form(_more_text, needs=((Role.QUOTED,),), may=(Role.PLACE, Role.COLOR), words=LINKS),
    Form(
        _border,
        needs=((Role.BORDER,),),
        may=(Role.ADD, Role.MAKE, Role.USE, Role.COLOR, Role.THICKNESS, Role.MEASURE, Role.COLORS),
        words=(LINKS - {"to", "into", "on", "behind"}) | {"all sides", "edges"},
    ),
    Form(
        _vignette,
        needs=((Role.VIGNETTE,),),
        may=(Role.ADD, Role.MAKE, Role.USE, Role.AMOUNT, Role.MORE, Role.RAISE, Role.EFFECT, Role.SHADE),
        words=LINKS,
    ),
    Form(_vignette, needs=((Role.TONE,), (Role.EDGES,)), may=(Role.AMOUNT,), words=LINKS),
    Form(
        _photo_behind,
        may=_SETTING,
        words=LINKS | {"instead"},
        scope="background",
        others=_ON_IT,
    ),
    Form(
        _solid,
        needs=((Role.COLOR,),),
        may=(*_SETTING, Role.COLORS, Role.AMOUNT),
        words=LINKS | {"solid", "plain"},
        scope="background",
        others=_ON_IT,
    ),
    Form(
        _solid_from,
        needs=((Role.COLOR,), (Role.COLOR,)),
        may=(*_SETTING, Role.COLORS),
        words=LINKS,
        scope="background",
    ),
    Form(
        _transparent,
        needs=((Role.TRANSPARENT,),),
        may=(*_SETTING, Role.AMOUNT),
        words=LINKS,
        scope="background",
        others=_ON_IT,
    ),
    Form(_transparent, needs=((Role.EXTRACT,),), words=LINKS - {"with"}, scope="background", others=_ON_IT),
    Form(_transparent, needs=((Role.EXTRACT,),), words=frozenset({"from", "of"}), scope="subject"),
    Form(
        _look,
        needs=((Role.LOOK,),),
        may=(*_ANY_CHANGE, Role.EFFECT, Role.CAST, Role.COLORS, Role.AMOUNT),
        words=LINKS,
        others=_PARTS,
    ),
    Form(
        _enhanced,
        needs=((Role.ENHANCE, Role.ADJUST),),
        may=(Role.VAGUE, Role.AMOUNT),
        words=LINKS,
    ),
    Form(
        _enhanced,
        needs=((Role.ADJUST,), (Role.QUALITY, Role.COLORS)),
        may=(Role.COLORS, Role.AMOUNT),
        many=(Role.QUALITY,),
        words=LINKS | {"/"},
    ),
    Form(
        _enhanced,
        needs=((Role.VAGUE,),),
        may=(Role.MAKE, Role.ADD, Role.ENHANCE, Role.RAISE, Role.MORE, Role.AMOUNT, Role.EFFECT),
        words=LINKS,
    ),
    Form(
        _enhanced,
        needs=((Role.VAGUE,), (Role.QUALITY,)),
        may=(Role.MAKE, Role.ADD, Role.MORE),
        words=frozenset({"and"}),
    ),
    Form(_enhanced_light, needs=((Role.ENHANCE,), (Role.QUALITY,))),
    Form(
        _cropped,
        needs=((Role.CROP,),),
        may=(Role.RATIO, Role.MEASURE, Role.PLACE, Role.AMOUNT),
        words=LINKS | {"ratio", "aspect", "shape", "format", "inside", "down", "edges", "sides"},
        others=_PARTS,
    ),
    Form(
        _cropped,
        needs=((Role.MAKE, Role.CHANGE), (Role.RATIO,)),
        words=LINKS | {"ratio", "aspect", "shape", "format"},
    ),
    Form(
        _flipped,
        needs=((Role.FLIP,),),
        may=(Role.AXIS,),
        words=LINKS,
    ),
    Form(
        _rotated,
        needs=((Role.ROTATE,),),
        may=(Role.MEASURE, Role.TURN, Role.PLACE, Role.AXIS, Role.NUMBER, Role.AMOUNT),
        words=LINKS | {"around"},
    ),
    Form(
        _resized,
        needs=((Role.RESIZE,),),
        may=(Role.MEASURE, Role.SIZE, Role.FRACTION),
        words=LINKS | {"size", "down", "original"},
    ),
    Form(
        _resized_by_fraction,
        needs=((Role.MAKE, Role.CHANGE), (Role.FRACTION,)),
        words=LINKS | {"size", "big", "large", "original"},
    ),
    Form(
        _impossible_background,
        needs=((Role.CHANGE, Role.REPLACE, Role.ADD, Role.USE),),
        may=(Role.SCENE, Role.NOUN, Role.VAGUE, Role.COLORS),
        words=LINKS,
        scope="background",
        others=_ON_IT,
    ),
)
