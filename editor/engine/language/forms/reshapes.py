"""One thing of the photo made larger or smaller, mirrored or turned."""

from collections.abc import Sequence
from itertools import pairwise

from editor.engine.kinds import LIVING, kinds_of
from editor.engine.language.forms.named import HOW_FAR, Way, Wish, is_a_mere_name, within_the_photo
from editor.engine.language.grammar import Atom, Measure
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Phrase
from editor.engine.language.seen import seen_thing
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import Reason, Refusal

_LEAST, _MOST = 10.0, 400.0  # percent of a thing's size


def sizing(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """ "Enlarge the dog", "shrink the car by 30%", "resize the dog to 50%"."""
    sign = 1 if atoms[0].text in _GROWING else -1 if atoms[0].text in _SHRINKING else 0
    named = within_the_photo(atoms[1:])
    for at in range(1, len(named) + 1):
        size = _size(named[at:], sign) if at < len(named) or sign else None
        if size is not None:
            return Wish("resize_thing", named[:at], size)
    return None


_GROWING = frozenset({"enlarge", "enlarging", "upscale", "scale up", "magnify", "grow"})
_SHRINKING = frozenset({"shrink", "shrinking", "downscale", "scale down", "downsize"})


def making(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """ "Make the dog a bit bigger", "make the size of the cup smaller"; brighter by 20% is no size."""
    named = within_the_photo(atoms[1:])
    if not any(atom.has(Role.LARGER) or atom.text in ("size", "scale") for atom in named):
        return None
    for at in range(1, len(named)):
        size = _size(named[at:], 0)
        if size is not None:
            name = named[:at]
            return Wish("resize_thing", _after_size(name) or name, size)
    return None


def sizing_of(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """ "Increase the size of the ball by 20%"."""
    named = _after_size(within_the_photo(atoms[1:]))
    sign = 1 if atoms[0].has(Role.RAISE) else -1
    for at in range(1, len(named) + 1):
        size = _size(named[at:], sign)
        if size is not None:
            return Wish("resize_thing", named[:at], size)
    return None


def doubling(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | None:
    """ "Double the size of the apple"."""
    named = _after_size(within_the_photo(atoms[1:]))
    is_twice = atoms[0].senses[Role.FRACTION] == 100
    return Wish("resize_thing", named, {"exact": (200.0, "percent")}) if named and is_twice else None


def _after_size(named: Sequence[Atom]) -> Sequence[Atom]:
    """What stands behind "the size of"."""
    at = next((at for at, atom in enumerate(named[:2]) if atom.text in ("size", "scale")), None)
    return named[at + 2 :] if at is not None and named[at + 1 : at + 2] and named[at + 1].text == "of" else ()


def _size(atoms: Sequence[Atom], sign: int) -> Way | None:
    """How large: an amount with its sign, or a percentage. None where other words are left."""
    larger = next((atom for atom in atoms if atom.has(Role.LARGER)), None)
    if larger is not None:
        way = int(str(larger.senses[Role.LARGER]))
        sign = way if sign in (0, way) else 0
    told = [atom for atom in atoms if atom is not larger and atom.text not in _ABOUT_SIZE]
    if any(not atom.has(Role.AMOUNT, Role.MEASURE, Role.FRACTION, Role.NUMBER, Role.MORE) for atom in told):
        return None
    numbers = [atom for atom in told if not atom.has(Role.AMOUNT, Role.MORE)]
    percent = _percent(atoms, numbers, sign) if numbers else None
    if numbers:
        is_right = percent is not None and _LEAST <= percent <= _MOST and percent != 100
        return {"exact": (percent, "percent")} if is_right else None
    if not sign or (larger is not None and not larger.text.endswith("er")):
        return None
    amount = next((float(str(a.senses[Role.AMOUNT])) for a in told if a.has(Role.AMOUNT)), UNMARKED)
    return {"amount": sign * amount}


_ABOUT_SIZE = frozenset(
    {"by", "to", "of", "as", "the", "its", "in", "size", "scale", "times", "x", "original"}
)


def _percent(atoms: Sequence[Atom], numbers: Sequence[Atom], sign: int) -> float | None:
    """ "20% larger" is 120, "to 50%" is 50, "twice as big" 200, "half the size" 50, "3 times bigger" 300."""
    texts = {atom.text for atom in atoms}
    if len(numbers) != 1:
        return None
    atom = numbers[0]
    measure = atom.senses.get(Role.MEASURE)
    if isinstance(measure, Measure):
        if measure.unit != "percent":
            return None
        is_whole = "to" in texts or not sign or "as" in texts
        return measure.value if is_whole else 100 + sign * measure.value
    if atom.has(Role.FRACTION):
        fraction = float(str(atom.senses[Role.FRACTION]))
        if fraction == 100:  # "twice"
            return 50.0 if sign < 0 else 200.0
        return fraction if texts & {"size", "as"} or sign <= 0 else None
    times = float(str(atom.senses[Role.NUMBER]))
    return times * 100 if sign > 0 and texts & {"times", "x"} else None


def flipping(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """ "Flip the dog horizontally", "mirror the car"."""
    named = within_the_photo(atoms[1:])
    axes = [str(atom.senses[Role.AXIS]) for atom in named if atom.has(Role.AXIS)]
    if len(axes) > 1 or (axes and not named[-1].has(Role.AXIS)):
        return None
    name = named[:-1] if axes else named
    return Wish("flip_thing", name, {"choice": axes[0] if axes else "horizontal"}) if name else None


def turning(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """ "Rotate the bag counterclockwise", "turn the cup upside down"; where somebody looks is no turn."""
    named = within_the_photo(atoms[1:])
    if any(left.text == "to" and right.text in _FACING for left, right in pairwise(named)):
        return phrase.refused(Reason.AMBIGUOUS, "Nobody can be turned around. Say: mirror it.")
    for at in range(1, len(named)):
        degrees = _degrees(named[at:])
        if degrees is not None:
            if is_a_mere_name(phrase, named[:at]) and _may_be_a_pose(atoms[0], named[:at], named[at:]):
                return phrase.refused(Reason.AMBIGUOUS, HOW_FAR)
            return Wish("rotate_thing", named[:at], {"exact": (degrees, "degrees")})
    is_left_open = atoms[0].text == "rotate" and is_a_mere_name(phrase, named)
    return phrase.refused(Reason.AMBIGUOUS, HOW_FAR) if is_left_open else None


_FACING = frozenset({"face", "look"})


def _may_be_a_pose(verb: Atom, named: Sequence[Atom], way: Sequence[Atom]) -> bool:
    """ "Turn the car to the right" asks for another side of it, and a tilt is no quarter of a turn."""
    is_told = any(atom.has(Role.MEASURE, Role.AXIS) for atom in way)
    is_sideways = any(atom.has(Role.PLACE) for atom in way)
    is_open = not is_told and (verb.text == "tilt" or (is_sideways and verb.text != "rotate"))
    return is_open or (is_sideways and _is_alive(named))


def _is_alive(named: Sequence[Atom]) -> bool:
    seen = seen_thing(named)
    return seen is None or not LIVING.isdisjoint(kinds_of(seen.noun))


def _degrees(atoms: Sequence[Atom]) -> float | None:
    """Clockwise positive; None where other words are left."""
    told = [atom for atom in atoms if atom.text not in ("by", "to", "the", "around")]
    measures = [m for atom in told if isinstance(m := atom.senses.get(Role.MEASURE), Measure)]
    ways = [_turn(atom) for atom in told if not atom.has(Role.MEASURE)]
    if not told or len(measures) > 1 or len(ways) > 1 or any(way is None for way in ways):
        return None
    if ways == [180.0]:
        return 180.0 if not measures else None
    if measures and measures[0].unit != "degrees":
        return None
    degrees = (measures[0].value if measures else 90.0) * (ways[0] or 1 if ways else 1)
    return degrees if 0 < abs(degrees) < 360 else None


def _turn(atom: Atom) -> float | None:
    if atom.has(Role.AXIS):
        return 180.0 if atom.text.startswith("upside") else None
    if atom.has(Role.TURN):
        return float(str(atom.senses[Role.TURN]))
    return {"right": 1.0, "left": -1.0}.get(str(atom.senses.get(Role.PLACE)))
