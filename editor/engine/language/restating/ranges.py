"""Amounts in several numbers, as one: "10-15 points", "2/3 of a stop", "3 or 4 levels"."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, Measure
from editor.engine.language.lexicon.roles import Role


def with_ranges(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, each range as the measure in its middle, and each number of levels as a degree."""
    told, at = list(found), 0
    while at < len(told):
        after, amount = (told[at].has(Role.NUMBER) and _amount(told, at)) or (at, None)
        if amount:
            told[at:after] = [replace(amount, start=told[at].start, end=told[after - 1].end)]
        at += 1
    return told


type Found = tuple[int, Atom] | None


def _amount(told: Sequence[Atom], at: int) -> Found:
    return _shared(told, at) or _between(told, at) or _levels(told, at)


def _number(atom: Atom) -> float:
    number = atom.senses.get(Role.NUMBER)
    return (
        float(number)
        if isinstance(number, int | float)
        else float(atom.text)
        if atom.text.isdecimal()
        else 0.0
    )


def _shared(told: Sequence[Atom], at: int) -> Found:
    """ "2/3 stop", written without spaces."""
    parts = told[at : at + 3]
    measure = parts[-1].senses.get(Role.MEASURE)
    is_fraction = len(parts) == 3 and parts[1].text == "/" and parts[0].end == parts[1].start
    if not is_fraction or not isinstance(measure, Measure) or not measure.value:
        return None
    share = Measure(round(_number(parts[0]) / measure.value, 2), measure.unit)
    return at + 3, replace(parts[-1], senses={Role.MEASURE: share})


def _between(told: Sequence[Atom], at: int) -> Found:
    """ "10-15 points", "10 to 15 percent"."""
    is_linked = any(atom.text in ("to", "or") or atom.kind == "comma" for atom in told[at + 1 : at + 2])
    high = at + (2 if is_linked else 1)
    if high >= len(told) or (high == at + 1 and told[high].start != told[at].end + 1):
        return None
    low, measure, after = _number(told[at]), told[high].senses.get(Role.MEASURE), high + 1
    unit = told[after].senses.get(Role.UNIT) if after < len(told) else None
    is_pointed = after < len(told) and told[after].text == "points to"  # "20-30 points to the right"
    if (unit or is_pointed) and told[high].text.isdecimal():
        measure = Measure(_number(told[high]), str(unit or "percent"))
        after += not is_pointed
    is_range = isinstance(measure, Measure) and 0 <= low < measure.value and measure.unit in _RANGED
    if not is_range or not isinstance(measure, Measure):
        return None
    middle = Measure((low + measure.value) / 2, measure.unit)
    return after, replace(told[high], senses={Role.MEASURE: middle}, kind="word")


_RANGED = frozenset({"percent", "degrees", "stops"})


def _levels(told: Sequence[Atom], at: int) -> Found:
    """ "2 levels", "3 or 4 notches": of a scale that nobody knows, so a medium or a larger amount."""
    after = at + 1
    if [atom.text for atom in told[after : after + 1]] in (["or"], ["to"]) or _is_second(told, after):
        after += 1 + (told[after].text in ("or", "to"))
    numbers = [number for number in map(_number, told[at:after]) if number]
    if told[after : after + 1] and told[after].text in _NOTCHES and numbers:
        size = 0.2 if max(numbers) < 2 else 0.35 if max(numbers) < 4 else 0.4
        return after + 1, replace(told[after], senses={Role.AMOUNT: size}, kind="word")
    return None


def _is_second(told: Sequence[Atom], at: int) -> bool:
    return at < len(told) and told[at].kind == "other" and told[at].text.isdecimal()


_NOTCHES = frozenset(
    {"level", "levels", "notch", "notches", "shade", "shades", "step", "steps", "clicks", "ticks"}
)
