"""Clauses of qualities: "a bit brighter and much less yellow, behind me"."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from editor.engine.language.grammar import Atom, Measure
from editor.engine.language.lexicon import Role, Tone, cast_of
from editor.engine.language.phrases import Answer, Phrase, placed
from editor.engine.plan import Kind, Reason, Step, Target

UNMARKED, MORE = 0.35, 0.4


@dataclass(frozen=True, slots=True)
class Item:
    """A quality that a clause moves, and where in the clause it stands."""

    tone: Tone
    at: int


@dataclass(slots=True)
class _Walk:
    """The state of a walk through a clause of qualities: "a bit brighter and much less yellow"."""

    direction: int | None = None
    marked: int | None = None  # by "more", "less" or "too", until the next one
    has_more: bool = False
    items: list[Item] = field(default_factory=list)
    amounts: list[tuple[int, float, tuple[float, str] | None]] = field(default_factory=list)
    things: list[Atom] = field(default_factory=list)
    colors_at: int | None = None
    colors_are_listed: bool = False  # "contrast and colors", unlike "color contrast"
    is_descriptive: bool = False
    verb: Atom | None = None
    failure: str = ""


def toned(phrase: Phrase, unmarked: float = UNMARKED) -> Answer | None:
    walk = _Walk()
    for at, atom in enumerate(phrase.core):
        step_over = next(
            (handle for roles, handle in _HANDLERS if atom.has(*roles) and handle(walk, atom, at, phrase)),
            None,
        )
        if step_over is None and not _is_tonal_link(atom, phrase.core, at):
            walk.things.append(atom)
    _settle_colors(walk)
    if walk.failure:
        return phrase.refused(Reason.LOW_CONFIDENCE, walk.failure)
    return _tonal_steps(phrase, walk, unmarked) if walk.items else None


_TONAL_LINKS = {"by", "of", "to", "in", "with", "as", "and", "up", "/"}


def _is_tonal_link(atom: Atom, core: Sequence[Atom], at: int) -> bool:
    sets_a_level = atom.text == "to" and at + 1 < len(core) and core[at + 1].has(Role.MEASURE, Role.NUMBER)
    return (atom.text in _TONAL_LINKS or atom.has(Role.AND)) and not sets_a_level


def _take_mark(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    if atom.has(Role.LOWER, Role.ENHANCE) and at == 0:
        return False
    if atom.has(Role.TOO) and walk.items and at == len(phrase.core) - 1:
        return _take_closing_too(walk, atom, at)
    falls = atom.has(Role.LESS, Role.TOO)
    walk.marked = -1 if falls or walk.direction == -1 else 1
    walk.has_more = walk.has_more or atom.has(Role.MORE)
    return True


def _take_closing_too(walk: _Walk, atom: Atom, at: int) -> bool:
    """ "... and increase the contrast a bit too": here it means "also"."""
    if atom.text.startswith("a "):
        walk.amounts.append((at, 0.2, None))
    return True


def _take_verb(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    if atom.text == "up" and at > 0:
        return walk.verb is not None or bool(walk.items)
    if walk.verb is not None or walk.items or walk.marked is not None:
        return False
    walk.verb = atom
    walk.direction = _direction(atom, phrase.core)
    return True


def _direction(verb: Atom, core: Sequence[Atom]) -> int:
    particle = next((atom.text for atom in core[1:] if atom.text in ("up", "down")), None)
    if verb.has(Role.CHANGE) and not verb.has(Role.RAISE, Role.LOWER, Role.MAKE):
        return {"up": 1, "down": -1, None: 0}[particle]
    return -1 if verb.has(Role.LOWER) else 1


def _take_down(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    falls = any(item.tone.sign < 0 for item in walk.items)
    return atom.text == "down" and (walk.direction == -1 or (walk.verb is None and falls))


def _take_amount(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    if atom.has(Role.MEASURE):
        measure = atom.senses[Role.MEASURE]
        return (
            isinstance(measure, Measure)
            and measure.unit == "percent"
            and _note_percent(walk, at, measure.value)
        )
    if atom.has(Role.NUMBER):
        return atom.kind == "number" and _note_percent(walk, at, float(str(atom.senses[Role.NUMBER])))
    if atom.has(Role.FRACTION):
        return _take_fraction(walk, atom, at, phrase)
    walk.amounts.append((at, float(str(atom.senses[Role.AMOUNT])), None))
    return True


def _note_percent(walk: _Walk, at: int, percent: float) -> bool:
    walk.amounts.append((at, max(-1.0, min(1.0, percent / 100)), (abs(percent), "percent")))
    return True


def _take_fraction(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    percent = float(str(atom.senses[Role.FRACTION]))
    compares = any(after.text == "as" for after in phrase.core[at + 1 : at + 2]) or walk.verb is None
    if compares:
        walk.direction = 1 if percent == 100 else -1
    return _note_percent(walk, at, percent)


def _take_color(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    after = next((a for a in phrase.core[at + 1 : at + 2]), None)
    is_cast = after is not None and after.has(Role.CAST, Role.COLORS)
    asks = (
        walk.marked is not None
        or (walk.verb is not None and walk.verb.has(Role.RAISE, Role.LOWER, Role.ADD))
        or is_cast
    )
    names_a_thing = after is not None and (after.has(Role.NOUN) or after.is_unknown) and not is_cast
    if not asks or names_a_thing or walk.direction == 0:
        return False
    tone = cast_of(str(atom.senses[Role.COLOR]))
    if tone is None:
        walk.failure = "Only warmer (yellow, orange) and cooler (blue) tints are available yet."
    sign = walk.marked or walk.direction or 1
    walk.items.append(Item(Tone("warmth", tone.sign * sign if tone else 1), at))
    return True


def _take_cast(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    return at > 0 and phrase.core[at - 1].has(Role.COLOR, Role.QUALITY, Role.COLORS, Role.ADJECTIVE)


def _take_colors(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    if at > 0 and phrase.core[at - 1].has(Role.COLOR):
        return True
    if at == 0 and atom.has(Role.PAINT):
        return False
    walk.colors_at = at
    beside = phrase.core[max(at - 1, 0)], phrase.core[min(at + 1, len(phrase.core) - 1)]
    verb_is_make = walk.verb is not None and walk.verb.has(Role.MAKE)
    walk.colors_are_listed = any(atom.has(Role.AND) for atom in beside) and not verb_is_make
    return True


def _take_quality(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    directed = walk.marked is not None or bool(walk.direction) or walk.verb is not None
    role = part_of_speech(atom, directed=directed and at != 0)
    if role is None:
        return False
    tone = atom.senses[role]
    if not isinstance(tone, Tone):
        return False
    _note_item(walk, tone, atom, role, at)
    return True


def part_of_speech(atom: Atom, *, directed: bool) -> Role | None:
    order = (
        (Role.QUALITY, Role.ADJECTIVE, Role.TONE) if directed else (Role.TONE, Role.ADJECTIVE, Role.QUALITY)
    )
    return next((role for role in order if role in atom.senses), None)


def _note_item(walk: _Walk, tone: Tone, atom: Atom, role: Role, at: int) -> None:
    sign = tone.sign
    if tone.comparative:
        sign *= -1 if walk.marked == -1 and not walk.items else 1
        walk.marked = None  # "less blurry and sharper": the "less" ends here
    elif role is not Role.TONE:
        sign *= walk.marked or walk.direction or 0
    if role is not Role.QUALITY and atom.text.startswith(("bright", "sharp", "crisp", "clear", "lighten up")):
        walk.is_descriptive = True
    walk.items.append(Item(Tone(tone.operation, sign), at))


def _settle_colors(walk: _Walk) -> None:
    """ "brighter colors" is saturation; "colors" alone is saturation in the direction of the verb."""
    if walk.colors_at is None:
        return
    if not walk.items:
        sign = walk.marked or walk.direction or 0
        if sign and (walk.verb is None or not walk.verb.has(Role.MAKE)):
            walk.items.append(Item(Tone("saturation", sign), walk.colors_at))
    elif walk.is_descriptive:
        walk.items = [_recast(item) for item in walk.items]
    elif walk.colors_are_listed and walk.direction:
        walk.items.append(Item(Tone("saturation", walk.marked or walk.direction), walk.colors_at))


def _recast(item: Item) -> Item:
    if item.tone.operation in ("brightness", "sharpness") and item.tone.sign > 0:
        return Item(Tone("saturation", 1), item.at)
    return item


def _take_vague(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    """ "make the colors pop"."""
    if walk.colors_at is None or walk.items:
        return False
    walk.items.append(Item(Tone("saturation", 1), at))
    return True


_HANDLERS: tuple[tuple[tuple[Role, ...], Callable[[_Walk, Atom, int, Phrase], bool]], ...] = (
    ((Role.MORE, Role.LESS, Role.TOO), _take_mark),
    ((Role.AMOUNT, Role.MEASURE, Role.NUMBER, Role.FRACTION), _take_amount),
    ((Role.RAISE, Role.LOWER, Role.ENHANCE, Role.ADD, Role.MAKE, Role.CHANGE), _take_verb),
    ((Role.PREPOSITION,), _take_down),
    ((Role.COLOR,), _take_color),
    ((Role.QUALITY, Role.ADJECTIVE, Role.TONE), _take_quality),
    ((Role.COLORS,), _take_colors),
    ((Role.CAST,), _take_cast),
    ((Role.VAGUE,), _take_vague),
    ((Role.WHOLE,), lambda walk, atom, at, phrase: True),
)


def _tonal_steps(phrase: Phrase, walk: _Walk, unmarked: float) -> Answer | None:
    if _is_statement(phrase, walk) or not all(item.tone.sign for item in walk.items):
        return None
    if any(not _is_nominal(atom) for atom in walk.things):
        return None
    if walk.things and all(atom.has(Role.PREPOSITION) for atom in walk.things):
        return None
    if _is_contradiction(walk.items):
        return phrase.refused(
            Reason.AMBIGUOUS, "It asks for both directions at once. Say which one is meant."
        )
    place = placed(phrase, walk.things)
    if place.refusal:
        return place.refusal
    return [
        _tonal_step(phrase, walk, item, target, unmarked)
        for item in _distinct(walk.items)
        for target in place.targets
    ]


def _is_statement(phrase: Phrase, walk: _Walk) -> bool:
    """ "The photo is dark" tells; "is too dark" and "make it dark" ask."""
    tells = any(atom.has(Role.BE) for atom in walk.things)
    walk.things = [atom for atom in walk.things if not atom.has(Role.BE)]
    asks = any(atom.has(Role.TOO) for atom in phrase.core) or (
        walk.verb is not None and phrase.core[0] is walk.verb
    )
    return tells and not asks


def _is_nominal(atom: Atom) -> bool:
    kinds = (
        Role.NOUN,
        Role.COLOR,
        Role.PREPOSITION,
        Role.PLACE,
        Role.TEXT,
        Role.SCENE,
        Role.EDGES,
        Role.THICKNESS,
    )
    return atom.is_unknown or atom.has(*kinds) or atom.text == "'s"


def _is_contradiction(items: Sequence[Item]) -> bool:
    moves = {(item.tone.operation, item.tone.sign) for item in items}
    return any((operation, -sign) in moves for operation, sign in moves)


def _distinct(items: Sequence[Item]) -> Iterator[Item]:
    seen = set()
    for item in items:
        if item.tone not in seen:
            seen.add(item.tone)
            yield item


def _tonal_step(phrase: Phrase, walk: _Walk, item: Item, target: Target, unmarked: float) -> Step:
    size, exact = _strength(walk, item, MORE if walk.has_more else unmarked)
    amount = round(size * item.tone.sign, 4)
    if target.what == "background" and item.tone.operation == "sharpness" and amount < 0:
        return phrase.step(Kind.BACKGROUND, "blur_background", target=target, amount=-amount, exact=exact)
    return phrase.step(Kind.COLOR, item.tone.operation, target=target, amount=amount, exact=exact)


def _strength(walk: _Walk, item: Item, unmarked: float) -> tuple[float, tuple[float, str] | None]:
    """The amount that belongs to an item: the only one of the clause, else the nearest one."""
    if not walk.amounts:
        return unmarked, None
    if len(walk.amounts) == 1:
        return walk.amounts[0][1], walk.amounts[0][2]
    others = [other.at for other in walk.items if other.at < item.at]
    floor = max(others, default=-1)
    before = [note for note in walk.amounts if floor < note[0] < item.at]
    after = [note for note in walk.amounts if note[0] > item.at]
    chosen = (before or after or walk.amounts)[-1 if before else 0]
    return chosen[1], chosen[2]
