"""How much: the degrees and numbers of a clause, and which quality each belongs to."""

from collections.abc import Sequence

from editor.engine.language.grammar import Atom, Measure
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.phrases import Phrase
from editor.engine.language.tone.walk import (
    Item,
    Note,
    Walk,
    closes,
    neighbor,
    opens_a_change,
    slide,
    turn,
    turned,
)


def take_amount(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    if atom.has(Role.MEASURE):
        return _take_measure(walk, atom, at, phrase)
    if atom.has(Role.NUMBER):
        number = float(str(atom.senses[Role.NUMBER]))
        if atom.kind != "number" or _may_be_a_name(phrase, at, number):
            return False
        if abs(number) > _MOST and _moves(phrase, at, "warmth"):
            walk.failure = _KELVIN
            return True
        is_stops = abs(number) <= _STOPS and _moves(phrase, at, "exposure")
        if not is_stops and (not number.is_integer() or phrase.core[at - 1].text == "gamma"):
            walk.failure = _FACTOR
            return True
        return _take_signed(walk, atom, at, phrase, Measure(number, "stops" if is_stops else "percent"))
    if atom.has(Role.FRACTION) and phrase.core[at - 1].has(Role.PLACE) and at > 0:  # "the left half"
        walk.things.append(atom)
        return True
    if atom.has(Role.FRACTION):
        return _take_fraction(walk, atom, at, phrase)
    size = float(str(atom.senses[Role.AMOUNT]))
    if atom.text.endswith(" more"):
        if closes(phrase, at) and opens_a_change(walk):
            turn(walk, 1)  # "adjust the contrast a bit more"
        walk.marked = -1 if walk.direction == -1 else 1  # "much more blue"
    walk.amounts.append(Note(at, size, None, _leads(walk, atom, phrase)))
    return True


def _take_measure(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    measure = atom.senses[Role.MEASURE]
    if not isinstance(measure, Measure):
        return False
    if measure.unit == "kelvin":
        walk.failure = _KELVIN
        return True
    return measure.unit in _FULL and _take_signed(walk, atom, at, phrase, measure)


_FULL = {"percent": 100.0, "stops": 2.0}  # what there is to move: exposure by two stops
_MOST = 100.0
_FACTOR = "Say how much as a percentage, for example: brightness +20%."  # "gamma 1.2" is no 1.2%
_KELVIN = "What light a photo was taken in is not known. Say warmer or cooler, for example: warmth +20%."


def _take_signed(walk: Walk, atom: Atom, at: int, phrase: Phrase, measure: Measure) -> bool:
    """ "Contrast +20": where no verb of its own says it, the sign is the direction."""
    sign, number = _sign_of(atom), measure.value
    leads = _leads(walk, atom, phrase)
    if sign and leads and walk.items:  # "less saturation, +10 contrast"
        walk.direction, walk.marked, number = sign, None, abs(number)
    elif sign and _follows_its_own(walk, phrase):  # "less saturation, contrast +10"
        walk.items[-1] = turned(walk.items[-1], sign)
        return _note_exact(walk, walk.items[-1].at - 1, Measure(abs(number), measure.unit), leads=True)
    elif (sign or _is_of_a_slider(walk, phrase, at)) and _is_open(walk):
        if not slide(walk, sign or 1):
            walk.direction = walk.direction or sign
        number = abs(number)
    elif phrase.core[at - 1].text == "to" and _is_slid(walk, sign):  # "highlights down to -40"
        number = abs(number)
    return _note_exact(walk, at, Measure(number, measure.unit), leads)


def _sign_of(atom: Atom) -> int:
    return {"+": 1, "-": -1}.get(atom.text[0], 0)


def _is_of_a_slider(walk: Walk, phrase: Phrase, at: int) -> bool:
    """ "Vibrance 25", "shadows: 40", "brightness 10 contrast -5"."""
    if not walk.items:
        return False
    told = [atom for atom in phrase.core if not atom.has(Role.AND)]
    are_settings = all(
        atom.has(Role.NUMBER, Role.MEASURE) if at % 2 else atom.has(Role.QUALITY)
        for at, atom in enumerate(told)
    )
    return are_settings and len(told) % 2 == 0


def _is_slid(walk: Walk, sign: int) -> bool:
    return walk.verb is None and bool(walk.items) and walk.items[-1].tone.sign == sign


def _is_open(walk: Walk) -> bool:
    """Whether no word has told the direction yet."""
    return walk.verb is None and walk.marked is None and _is_idle(walk)


def _is_idle(walk: Walk) -> bool:
    return not walk.items or not walk.items[-1].tone.sign


def _follows_its_own(walk: Walk, phrase: Phrase) -> bool:
    """Whether a quality right after a comma has got its direction from what stands before the comma."""
    if len(walk.items) < 2 or _is_idle(walk):
        return False
    atom = phrase.core[walk.items[-1].at]
    before = neighbor(phrase, atom, -1)
    return atom.has(Role.QUALITY) and before is not None and before.kind == "comma"


_STOPS = 5.0  # a bare number up to here may be stops of light


def _moves(phrase: Phrase, at: int, operation: str) -> bool:
    """Whether the number is of that quality: "exposure +1" is twice the light, and not 1%."""
    tones = [before.senses.get(Role.QUALITY) for before in phrase.core[max(0, at - 2) : at]]
    return any(isinstance(tone, Tone) and tone.operation == operation for tone in tones)


def _leads(walk: Walk, atom: Atom, phrase: Phrase) -> bool:
    """ "Brighter and slightly warmer": after a joint, or before everything, an amount looks ahead."""
    atoms = phrase.clause.atoms
    at = next((i for i, other in enumerate(atoms) if other is atom), 0)
    is_joined = at > 0 and (
        atoms[at - 1].has(Role.AND)
        or (atoms[at - 1].kind == "comma" and atoms[at - 1].text != ":")
        or atoms[at - 1].text == "with"
    )
    is_last = at == len(atoms) - 1
    is_beside = not is_last and atoms[at + 1].has(Role.ADJECTIVE) and not _closes_a_setting(atoms, at)
    return not is_last and (is_joined or is_beside or not (walk.items or walk.colors_at is not None))


def _closes_a_setting(atoms: Sequence[Atom], at: int) -> bool:
    """The number of "brightness +20 contrast +10"."""
    return at > 0 and atoms[at].has(Role.NUMBER, Role.MEASURE) and atoms[at - 1].has(Role.QUALITY)


def _may_be_a_name(phrase: Phrase, at: int, number: float) -> bool:
    """ "Sharpen 2" may mean the photo or the box with that number."""
    count = max(phrase.scene.photos if phrase.scene.photos > 1 else 0, len(phrase.scene.boxes))
    return not _sign_of(phrase.core[at]) and 1 <= number <= count and phrase.core[at - 1].text != "by"


def _note_exact(walk: Walk, at: int, measure: Measure, leads: bool) -> bool:
    """Above 100% there is nothing more to move: it is done, and said, as far as possible."""
    share = measure.value / _FULL[measure.unit]
    exact = (abs(measure.value), measure.unit) if abs(share) <= 1 else None
    walk.amounts.append(Note(at, max(-1.0, min(1.0, share)), exact, leads))
    return True


def _take_fraction(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    percent = float(str(atom.senses[Role.FRACTION]))
    compares = any(after.text == "as" for after in phrase.core[at + 1 : at + 2]) or walk.verb is None
    if compares:
        walk.direction = 1 if percent == 100 else -1
    return _note_exact(walk, at, Measure(percent, "percent"), _leads(walk, atom, phrase))


def strength(walk: Walk, item: Item, unmarked: float) -> tuple[float, tuple[float, str] | None]:
    note = _note_of(walk, item)
    return (note.size, note.exact) if note else (unmarked, None)


def _note_of(walk: Walk, item: Item) -> Note | None:
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


def is_measured_twice(phrase: Phrase, walk: Walk) -> bool:
    """ "Blur the background a lot and the subject a little": more amounts than there are changes."""
    used = [_note_of(walk, item) for item in walk.items]
    spare = [note for note in walk.amounts if note not in used]
    return any(note.exact for note in spare) or (bool(spare) and len(phrase.named) > 1)


def is_negated_twice(walk: Walk) -> bool:
    """ "Darken by -20%"."""
    falls = any(item.tone.sign < 0 for item in walk.items)
    return falls and any(note.size < 0 for note in walk.amounts)
