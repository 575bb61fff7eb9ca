"""Clauses of qualities: "a bit brighter and much less yellow, behind me"."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

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


@dataclass(frozen=True, slots=True)
class Note:
    """An amount, where in the clause it stands, and whether it leads what comes after it."""

    at: int
    size: float
    exact: tuple[float, str] | None = None
    leads: bool = False


@dataclass(slots=True)
class _Walk:
    """The state of a walk through a clause of qualities: "a bit brighter and much less yellow"."""

    direction: int | None = None
    marked: int | None = None  # by "more", "less" or "too", until the next one
    has_more: bool = False
    items: list[Item] = field(default_factory=list)
    amounts: list[Note] = field(default_factory=list)
    things: list[Atom] = field(default_factory=list)
    colors_at: int | None = None
    colors_sign: int = 0
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
    if at > 0 and at == len(phrase.core) - 1 and phrase.core[at - 1].has(Role.AND):
        walk.failure = f"Say {atom.text} of what."
    sign = -1 if atom.has(Role.LESS, Role.TOO) or walk.direction == -1 else 1
    if phrase.core[at - 1].has(Role.AND) and phrase.core[at - 2].has(Role.MORE, Role.LESS) and at > 1:
        walk.failure = "It asks for both directions at once. Say which one is meant."
    walk.marked = sign
    walk.has_more = walk.has_more or atom.has(Role.MORE, Role.LACKING)
    return True


def _take_closing_too(walk: _Walk, atom: Atom, at: int) -> bool:
    """ "... and increase the contrast a bit too": here it means "also"."""
    if atom.text.startswith("a "):
        walk.amounts.append(Note(at, 0.2))
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
            and _note_percent(walk, at, measure.value, _leads(walk, atom, phrase))
        )
    if atom.has(Role.NUMBER):
        if _may_be_a_name(phrase, at, float(str(atom.senses[Role.NUMBER]))):
            return False
        return atom.kind == "number" and _note_percent(
            walk, at, float(str(atom.senses[Role.NUMBER])), _leads(walk, atom, phrase)
        )
    if atom.has(Role.FRACTION):
        return _take_fraction(walk, atom, at, phrase)
    size = float(str(atom.senses[Role.AMOUNT]))
    walk.amounts.append(Note(at, size, None, _leads(walk, atom, phrase)))
    return True


def _leads(walk: _Walk, atom: Atom, phrase: Phrase) -> bool:
    """ "Brighter and slightly warmer": after a joint, or before everything, an amount looks ahead."""
    atoms = phrase.clause.atoms
    at = next((i for i, other in enumerate(atoms) if other is atom), 0)
    is_joined = at > 0 and (atoms[at - 1].has(Role.AND) or atoms[at - 1].kind == "comma")
    is_last = at == len(atoms) - 1
    return not is_last and (is_joined or not walk.items)


def _may_be_a_name(phrase: Phrase, at: int, number: float) -> bool:
    """ "Sharpen 2" may mean the photo or the box with that number."""
    count = max(phrase.scene.photos if phrase.scene.photos > 1 else 0, len(phrase.scene.boxes))
    return 1 <= number <= count and phrase.core[at - 1].text != "by"


def _note_percent(walk: _Walk, at: int, percent: float, leads: bool) -> bool:
    """Above 100% there is nothing more to move: it is done, and said, as far as possible."""
    exact = (abs(percent), "percent") if abs(percent) <= 100 else None
    walk.amounts.append(Note(at, max(-1.0, min(1.0, percent / 100)), exact, leads))
    return True


def _take_fraction(walk: _Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    percent = float(str(atom.senses[Role.FRACTION]))
    compares = any(after.text == "as" for after in phrase.core[at + 1 : at + 2]) or walk.verb is None
    if compares:
        walk.direction = 1 if percent == 100 else -1
    return _note_percent(walk, at, percent, _leads(walk, atom, phrase))


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
    walk.colors_at, walk.colors_sign = at, walk.marked or walk.direction or 0
    verb_is_make = walk.verb is not None and walk.verb.has(Role.MAKE)
    told = phrase.clause.atoms
    here = next(i for i, other in enumerate(told) if other is atom)
    beside = told[max(here - 1, 0)], told[min(here + 1, len(told) - 1)]
    is_marked = at > 0 and phrase.core[at - 1].has(Role.MORE, Role.LESS, Role.LACKING, Role.TOO)
    is_joined = any(other.has(Role.AND) or other.kind == "comma" for other in beside) or (
        is_marked and bool(walk.items)
    )
    walk.colors_are_listed = is_joined and not verb_is_make
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
        sign = walk.colors_sign or walk.marked or walk.direction or 0
        if sign and (walk.verb is None or not walk.verb.has(Role.MAKE)):
            walk.items.append(Item(Tone("saturation", sign), walk.colors_at))
    elif walk.is_descriptive:
        walk.items = [_recast(item) for item in walk.items]
    elif walk.colors_are_listed and walk.colors_sign:
        walk.items.append(Item(Tone("saturation", walk.colors_sign), walk.colors_at))


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
    ((Role.MORE, Role.LESS, Role.LACKING, Role.TOO), _take_mark),
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
    is_compared = sum(atom.text == "as" for atom in phrase.core) > 1  # "as bright as the background"
    turns = {atom.text for atom in phrase.core} & {"up", "down"}  # "the brightness down and the contrast up"
    if is_compared or len(turns) > 1 or any(not _is_nominal(atom) for atom in walk.things):
        return None
    if walk.things and all(atom.has(Role.PREPOSITION) for atom in walk.things):
        return None
    if _is_contradiction(walk.items):
        return phrase.refused(
            Reason.AMBIGUOUS, "It asks for both directions at once. Say which one is meant."
        )
    if _is_measured_twice(phrase, walk) or _is_negated_twice(walk):
        return phrase.refused(Reason.AMBIGUOUS, "Say one amount for each change.")
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
    asks = any(atom.has(Role.TOO, Role.LACKING) for atom in phrase.core) or (
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
    return aimed(phrase.step(Kind.COLOR, item.tone.operation, amount=amount, exact=exact), target)


def aimed(step: Step, target: Target) -> Step:
    """A step of tone at a part of the photo; a background that loses sharpness is a blurred one."""
    if target.what == "background" and step.operation == "sharpness" and (step.amount or 0) < 0:
        blur = replace(step, kind=Kind.BACKGROUND, operation="blur_background", amount=-(step.amount or 0))
        return replace(blur, target=target)
    return replace(step, target=target)


def _strength(walk: _Walk, item: Item, unmarked: float) -> tuple[float, tuple[float, str] | None]:
    note = _note_of(walk, item)
    return (note.size, note.exact) if note else (unmarked, None)


def _note_of(walk: _Walk, item: Item) -> Note | None:
    """The amount that belongs to an item: the one that leads it, else the one that follows ("contrast
    and brightness by 20%"), else the one that leads the items before it ("a bit brighter and warmer")."""
    before = [note for note in walk.amounts if note.at < item.at and note.leads]
    after = [note for note in walk.amounts if note.at > item.at]
    leading = before[-1] if before else None
    if leading and not any(leading.at < other.at < item.at for other in walk.items):
        return leading
    if after and not after[0].leads:
        return after[0]
    return leading


def _is_measured_twice(phrase: Phrase, walk: _Walk) -> bool:
    """ "Blur the background a lot and the subject a little": more amounts than there are changes."""
    used = [_note_of(walk, item) for item in walk.items]
    spare = [note for note in walk.amounts if note not in used]
    return any(note.exact for note in spare) or (bool(spare) and len(phrase.named) > 1)


def _is_negated_twice(walk: _Walk) -> bool:
    """ "Darken by -20%"."""
    falls = any(item.tone.sign < 0 for item in walk.items)
    return falls and any(note.size < 0 for note in walk.amounts)
