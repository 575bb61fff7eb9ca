"""How much: the degrees and numbers of a clause, and which quality each belongs to."""

from editor.engine.language.grammar import Atom, Measure
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.phrases import Phrase
from editor.engine.language.tone.walk import Item, Note, Walk, neighbor, turn, turned


def take_amount(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    if atom.has(Role.MEASURE):
        measure = atom.senses[Role.MEASURE]
        return (
            isinstance(measure, Measure)
            and measure.unit == "percent"
            and _take_signed(walk, atom, at, phrase, measure.value)
        )
    if atom.has(Role.NUMBER):
        number = float(str(atom.senses[Role.NUMBER]))
        if _may_be_a_name(phrase, at, number):
            return False
        if atom.kind == "number" and abs(number) <= _STOPS and _is_exposure(phrase, at):
            walk.failure = "Say it in percent, for example: exposure +20%."
            return True
        return atom.kind == "number" and _take_signed(walk, atom, at, phrase, number)
    if atom.has(Role.FRACTION):
        return _take_fraction(walk, atom, at, phrase)
    size = float(str(atom.senses[Role.AMOUNT]))
    if atom.text.endswith(" more"):
        walk.marked = -1 if walk.direction == -1 else 1  # "much more blue"
    walk.amounts.append(Note(at, size, None, _leads(walk, atom, phrase)))
    return True


def _take_signed(walk: Walk, atom: Atom, at: int, phrase: Phrase, percent: float) -> bool:
    """ "Contrast +20": where no verb of its own says it, the sign is the direction."""
    sign = {"+": 1, "-": -1}.get(phrase.scene.instruction[atom.start : atom.start + 1], 0)
    leads = _leads(walk, atom, phrase)
    if sign and leads and walk.items:  # "less saturation, +10 contrast"
        walk.direction, walk.marked, percent = sign, None, abs(percent)
    elif sign and _follows_its_own(walk, phrase):  # "less saturation, contrast +10"
        walk.items[-1] = turned(walk.items[-1], sign)
        return _note_percent(walk, walk.items[-1].at - 1, abs(percent), leads=True)
    elif sign and walk.verb is None and walk.marked is None and _is_idle(walk):
        if not turn(walk, sign):
            walk.direction = walk.direction or sign
        percent = abs(percent)
    return _note_percent(walk, at, percent, leads)


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


def _is_exposure(phrase: Phrase, at: int) -> bool:
    """ "Exposure +1" on a camera is twice the light, and not 1%."""
    tones = [before.senses.get(Role.QUALITY) for before in phrase.core[max(0, at - 2) : at]]
    return any(isinstance(tone, Tone) and tone.operation == "exposure" for tone in tones)


def _leads(walk: Walk, atom: Atom, phrase: Phrase) -> bool:
    """ "Brighter and slightly warmer": after a joint, or before everything, an amount looks ahead."""
    atoms = phrase.clause.atoms
    at = next((i for i, other in enumerate(atoms) if other is atom), 0)
    is_joined = at > 0 and (
        atoms[at - 1].has(Role.AND) or atoms[at - 1].kind == "comma" or atoms[at - 1].text == "with"
    )
    is_last = at == len(atoms) - 1
    is_beside = not is_last and atoms[at + 1].has(Role.ADJECTIVE)
    return not is_last and (is_joined or is_beside or not walk.items)


def _may_be_a_name(phrase: Phrase, at: int, number: float) -> bool:
    """ "Sharpen 2" may mean the photo or the box with that number."""
    count = max(phrase.scene.photos if phrase.scene.photos > 1 else 0, len(phrase.scene.boxes))
    return 1 <= number <= count and phrase.core[at - 1].text != "by"


def _note_percent(walk: Walk, at: int, percent: float, leads: bool) -> bool:
    """Above 100% there is nothing more to move: it is done, and said, as far as possible."""
    exact = (abs(percent), "percent") if abs(percent) <= 100 else None
    walk.amounts.append(Note(at, max(-1.0, min(1.0, percent / 100)), exact, leads))
    return True


def _take_fraction(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    percent = float(str(atom.senses[Role.FRACTION]))
    compares = any(after.text == "as" for after in phrase.core[at + 1 : at + 2]) or walk.verb is None
    if compares:
        walk.direction = 1 if percent == 100 else -1
    return _note_percent(walk, at, percent, _leads(walk, atom, phrase))


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
