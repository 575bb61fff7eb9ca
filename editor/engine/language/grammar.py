"""From atoms to clauses: where one wish ends and the next begins, in the order of the text."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from editor.engine.language.atoms import Atom as Atom
from editor.engine.language.atoms import Measure as Measure
from editor.engine.language.atoms import is_packing as is_packing
from editor.engine.language.atoms import roles_of as roles_of
from editor.engine.language.lexicon.roles import TONAL, VERBS, Role, Tone
from editor.engine.language.neighbors import atoms as atoms
from editor.engine.language.restating import NAMES, restated
from editor.engine.language.restating.fronting import placed_last, sorted_apart


@dataclass(frozen=True)
class Clause:
    """One wish. `joint` is how it hangs on the one before: a new sentence is "stop"."""

    joint: str
    atoms: Sequence[Atom]

    @cached_property
    def roles(self) -> frozenset[Role]:
        return roles_of(self.atoms)

    def has(self, *roles: Role) -> bool:
        """Whether a word of it can be one of these."""
        return not self.roles.isdisjoint(roles)

    @cached_property
    def telling(self) -> Sequence[Atom]:
        """The words that carry meaning."""
        return [atom for atom in self.atoms if not is_packing(atom)]

    @property
    def span(self) -> tuple[int, int]:
        """From the first word that carries meaning to the last, in the order of the text."""
        telling = self.telling or self.atoms
        return min([atom.start for atom in telling]), max([atom.end for atom in telling])

    @property
    def opening(self) -> Atom:
        """The first word that carries meaning."""
        return (self.telling or self.atoms)[0]


def clauses(found: Sequence[Atom]) -> list[Clause]:
    """The wishes that the atoms of an instruction hold, in the order of the text."""
    told = sorted_apart(placed_last(restated(found)))
    return [Clause(clause.joint, clause.atoms) for clause in _split(told) if clause.atoms]


@dataclass(slots=True)
class _Begun:
    """A clause as far as it was read: all of its atoms, and those that say what is done, and to what."""

    joint: str
    atoms: list[Atom] = field(default_factory=list)
    told: list[Atom] = field(default_factory=list)

    def take(self, atom: Atom) -> None:
        self.atoms.append(atom)
        if _SMALL.isdisjoint(atom.senses) and not is_packing(atom):
            self.told.append(atom)


_SMALL = frozenset({Role.DETERMINER, Role.AMOUNT})


def _split(found: Sequence[Atom]) -> Iterator[_Begun]:
    clause = _Begun("stop")
    for at, atom in enumerate(found):
        joint = _joint(found, at, clause) if _may_join(atom) else ""
        if joint:
            yield clause
            clause = _Begun(joint)
        if joint in ("", "break", "purpose"):
            clause.take(atom)
    yield clause


def _may_join(atom: Atom) -> bool:
    """Whether it is a word at which a clause can end: most are not, and the rules need not be tried."""
    return not _JOINING.isdisjoint(atom.senses) or atom.kind in ("stop", "comma") or atom.text in _JOINTS


_BREAKING = frozenset({Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.PURPOSE, Role.MODERATE})
_SO = frozenset({"so", "till", "until", "til", "thus"})
_LETTING = frozenset({"allowing", "giving", "showing", "letting", "revealing", "causing", "leaving"})
_JOINING = VERBS | _BREAKING | {Role.THEN, Role.BUT, Role.AND, Role.FILLER}
_JOINTS = _SO | _LETTING | {"or", "to", "by", "a"}


def _joint(found: Sequence[Atom], at: int, clause: _Begun) -> str:
    """How the clause ends before this atom; empty when it goes on."""
    atom = found[at]
    if atom.kind == "stop":
        return "stop"
    if atom.has(Role.THEN, Role.BUT) and not atom.has(Role.QUALITY, Role.ADJECTIVE):
        return "then"
    if atom.text == "or" and _chooses(found, at, clause):
        return "or"
    if _leads_on(atom) and (_leaves_less(found, at, clause) or _names_its_use(found, at, clause)):
        return ""
    if _asks_again(found, at, clause):
        return "break"
    if atom.has_any(_BREAKING) and clause.told and not _empties(atom, clause):
        return "" if _shows_a_part(found, at, clause) else "break"
    if _tells_why(found, at, clause) or _tells_the_result(found, at, clause):
        return "purpose"
    if atom.text == "by" and at + 1 < len(found) and _is_gerund(found[at + 1]) and len(clause.told) > 1:
        return "then"
    if _runs_on(found, at, clause):
        return "break"
    is_verb = atom.has_any(VERBS) and not atom.text.endswith(("ion", "ment"))  # "Color Correction"
    if atom.is_capital and is_verb and _is_sentence_start(found, at, clause):
        return "break"
    if atom.kind == "comma" or (atom.has(Role.AND) and not atom.has(Role.LOOK)):
        return _soft_joint(found, at, clause)
    return ""


def _chooses(found: Sequence[Atom], at: int, clause: _Begun) -> bool:
    """ "Brighten it or make it sharper": two wishes, of which one will do."""
    rest = [atom for atom in found[at + 1 : at + 4] if not atom.has(Role.FILLER)]
    told = clause.told
    if not rest or not told:
        return False
    return _names_another_quality(rest, told) or (rest[0].has_any(VERBS) and not rest[0].has(Role.NOUN))


def _names_another_quality(rest: Sequence[Atom], told: Sequence[Atom]) -> bool:
    """ "Make it brighter or less blurry", but not "warmer or colder", which leaves open what is wanted."""
    tones = [atom.senses.get(Role.ADJECTIVE) for atom in (told[-1], rest[0])]
    moved = {tone.operation for tone in tones if isinstance(tone, Tone)}
    is_quality = told[0].has(Role.MAKE) and told[-1].has(Role.ADJECTIVE, Role.VAGUE)
    leads = rest[0].has(Role.ADJECTIVE, Role.MORE, Role.LESS)
    return is_quality and leads and (len(moved) == 2 or not all(tones))


def _asks_again(found: Sequence[Atom], at: int, clause: _Begun) -> bool:
    """ "It is too dark please lighten it": the full stop is missing. "A make" is "and make"."""
    is_slip = found[at].text == "a" and [atom.text for atom in found[at + 1 : at + 2]] == ["make"]
    is_asking = found[at].has(Role.FILLER) and not _ASKING.isdisjoint(found[at].text.split())
    if not (is_slip or is_asking):
        return False
    told = clause.told
    complains = any(atom.has(Role.BE, Role.TOO, Role.LACKING) for atom in told)
    is_told = len(told) > 1 and (told[0].has_any(VERBS) or complains)
    return is_told and at + 1 < len(found) and found[at + 1].has_any(VERBS)


_ASKING_FOR = VERBS | TONAL
_ASKING = frozenset({"please", "pls", "plz", "can", "could"})


def _tells_the_result(found: Sequence[Atom], at: int, clause: _Begun) -> bool:
    """ "..., the faces should be visible", after a wish."""
    ahead = [atom.text for atom in _up_to_a_mark(found[at + 1 :])] if found[at].kind == "comma" else []
    is_result = ahead[-2:-1] in (["should be"], ["must be"]) and ahead[-1] in ("visible", "clear", "seen")
    return is_result and len(ahead) > 2 and any(atom.has_any(VERBS) for atom in clause.told)


def _up_to_a_mark(atoms: Sequence[Atom]) -> list[Atom]:
    return list(itertools.takewhile(lambda atom: atom.kind not in ("stop", "comma"), atoms))


_WISHES = frozenset(
    {Role.RAISE, Role.LOWER, Role.TONE, Role.ENHANCE, Role.MAKE, Role.ADD, Role.REMOVE, Role.ADJUST}
)
_SHOWING = frozenset({"see", "show", "reveal", "match", "allow", "help", "be", "simulate"})


def _tells_why(found: Sequence[Atom], at: int, clause: _Begun) -> bool:
    """ "... to bring out the details", "until the faces can be seen", "making it pop", after a wish."""
    atom = found[at]
    leads = atom.text == "to" or atom.text in _SO or atom.text in _LETTING or _is_gerund(atom)
    if not leads or at + 1 >= len(found):
        return False
    following, told = found[at + 1], clause.told
    if not told or not told[0].has_any(_ASKING_FOR):
        return False
    if atom.text in _LETTING:  # "the guy showing his teeth" is what is removed, and not why
        return len(told) > 1 and not (told[0].has(Role.REMOVE) and found[at - 1].has(Role.PERSON, Role.NOUN))
    if atom.text in _SO:
        return not following.has(Role.ADJECTIVE, Role.AMOUNT) and atom.text not in told[-1].text
    if atom.text == "to":
        if _shows_a_part(found, at, clause) or _becomes_a_place(found, at, told):
            return False
        is_wish = following.has_any(_WISHES) and not following.has(Role.QUALITY, Role.ADJECTIVE)
        is_done = len(told) > 1 or told[0].has(Role.TONE, Role.ENHANCE)
        return is_done and (is_wish or following.text in _SHOWING)
    return len(told) > 1 and not found[at - 1].has_any(_LEADING_A_NOUN)


def _becomes_a_place(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "Change the background to simulate a beach": what it is to be, and not why."""
    ahead = _up_to_a_mark(found[at + 1 :])
    is_changed = told[0].has(Role.CHANGE, Role.ADJUST, Role.MAKE)
    is_made = found[at + 1].text in ("simulate", "create")
    return is_changed and is_made and any(atom.has(Role.GROUND) for atom in ahead)


_LEADING_A_NOUN = (Role.AND, Role.PREPOSITION, Role.DETERMINER, Role.THIS, Role.NOT)


def _shows_a_part(found: Sequence[Atom], at: int, clause: _Begun) -> bool:
    """ "Crop it to show only the boy", "crop it so it's just the boy": around what it is cropped."""
    shows = found[at].text == "to show" or any(atom.text == "include" for atom in found[at + 1 : at + 3])
    leads = found[at].has(Role.PURPOSE) and found[at].text.startswith("so ")
    shows |= leads and any(atom.text in ("just", "only") for atom in found[at + 1 : at + 3])
    ahead = _up_to_a_mark(found[at + 1 : at + 6])
    names = any(atom.has_any(NAMES) and not atom.has(Role.DETERMINER, Role.QUALITY) for atom in ahead)
    return shows and names and clause.told[0].has(Role.CROP)


def _leads_on(atom: Atom) -> bool:
    """The "so that" before a reason."""
    return atom.has(Role.PURPOSE) or atom.text in _SO


def _leaves_less(found: Sequence[Atom], at: int, clause: _Begun) -> bool:
    """ "Crop it so that there is less floor at the bottom": where it is cropped."""
    if not any(atom.has(Role.CROP) for atom in clause.told[:1]):
        return False
    ahead = _up_to_a_mark(found[at:])
    return any(atom.has(Role.LESS) for atom in ahead) and any(
        atom.has(Role.PLACE) or atom.text in ("above", "below") for atom in ahead
    )


def _names_its_use(found: Sequence[Atom], at: int, clause: _Begun) -> bool:
    """ "Resize it so that it fits a Twitter banner": the use says the size."""
    if not any(atom.has(Role.CROP, Role.RESIZE) for atom in clause.told[:1]):
        return False
    ahead = _up_to_a_mark(found[at:])
    return any(atom.text in ("fit", "fits", "works", "work", "used") for atom in ahead[:5]) and any(
        atom.has(Role.FORMAT, Role.PRINT, Role.SIZE, Role.RATIO) for atom in ahead
    )


def _is_gerund(atom: Atom) -> bool:
    return (
        "ing" in atom.text
        and atom.text.split()[0].endswith("ing")
        and atom.has_any(_WISHES)
        and not atom.has(Role.QUALITY)
    )


def _runs_on(found: Sequence[Atom], at: int, clause: _Begun) -> bool:
    """ "Lighten the image increase the contrast": the person left the comma out."""
    atom = found[at]
    is_verb = (atom.has_any(_RUNNING) or _takes_out(found, at)) and not atom.has(
        Role.QUALITY, Role.ADJECTIVE, Role.AMOUNT, Role.NOUN
    )
    told = clause.told if is_verb else []
    if not told or atom.text == "up" or not told[0].has_any(VERBS) or atom.text.endswith(("ed", "ing")):
        return False
    after = found[at + 1 : at + 2]
    has_object = _has_object(found, at) or any(
        other.has(Role.MORE, Role.AMOUNT)
        or other.text == "look"
        or (atom.has(Role.REMOVE) and _is_a_thing(other))
        or (atom.has(Role.ADD) and not atom.has(Role.TEXT) and other.has(Role.TEXT))
        or (atom.has(Role.TONE) and other.has(Role.PART, Role.FINDABLE))
        for other in after
    )
    is_finished = (
        (found[at - 1].has(*_FINISHING, Role.LOOK) or (atom.has(Role.REMOVE) and _is_a_thing(found[at - 1])))
        and len(told) > 1
        and (found[at - 1].has(Role.COLORS) or not found[at - 1].has_any(VERBS))
    )
    is_tone = found[at - 1].has_any(_TONED) and atom.has(Role.ADD, Role.REMOVE, Role.MAKE, Role.ENHANCE)
    return has_object and (is_finished or is_tone)


def _takes_out(found: Sequence[Atom], at: int) -> bool:
    """ "Take the creases out"."""
    if not found[at].has(Role.OUTWARD):
        return False
    return any(atom.text in _AWAY for atom in _up_to_a_mark(found[at + 1 : at + 6]))


def _is_a_thing(atom: Atom) -> bool:
    return atom.has(Role.NOUN, Role.WRITTEN, Role.FLAW) or (atom.is_unknown and atom.kind == "word")


_FINISHING = (
    *(Role.PHOTO, Role.IT, Role.COLORS, Role.BACKGROUND, Role.SUBJECT, Role.PERSON, Role.FACE, Role.MARKED),
    *(Role.COLOR, Role.NOUN, Role.TRANSPARENT, Role.QUOTED),
)
_RUNNING = frozenset(
    {
        *(Role.RAISE, Role.LOWER, Role.TONE, Role.ADD, Role.REMOVE, Role.MAKE, Role.ENHANCE),
        *(Role.CHANGE, Role.REPLACE, Role.CROP, Role.ZOOM, Role.RESIZE, Role.ROTATE, Role.FLIP),
        Role.RESTORE,
    }
)
_TONED = (Role.TONE, Role.QUALITY, Role.AMOUNT, Role.ADJECTIVE, Role.LARGER)


def _empties(atom: Atom, clause: _Begun) -> bool:
    """ "Remove everything but the dog" is one wish."""
    return atom.text.startswith(("everything ", "all ")) and all(
        before.has(Role.REMOVE) for before in clause.told
    )


def _is_sentence_start(found: Sequence[Atom], at: int, clause: _Begun) -> bool:
    """A capital verb that follows a finished wish: the person left the full stop out."""
    told = clause.told
    after_article = found[at - 1].has(Role.DETERMINER, Role.ORDINAL, Role.WHOLE, Role.AND)
    is_told = len(told) > 1 or (told[:1] and told[0].has(Role.ZOOM, Role.FLIP, Role.STRAIGHTEN))
    capitals = [atom for atom in told[1:] if atom.is_capital and not _is_a_thing(atom)]
    return bool(is_told) and not after_article and not capitals


def _soft_joint(found: Sequence[Atom], at: int, clause: _Begun) -> str:
    ahead = range(at + 1, min(at + _FARTHEST_OPENING, len(found))) if clause.told else ()
    opening = next((i for i in ahead if not _is_lead(found[i])), None)
    if opening is None:
        return ""
    if _needs_too(found[at + 1 : opening], clause):
        return "then"
    return "and" if _opens(found, opening, clause) else ""


_FARTHEST_OPENING = 30  # no one says "and please, really, just ..." for longer


def _needs_too(leads: Sequence[Atom], clause: _Begun) -> bool:
    """ "It is dark and needs some light": the first half is a complaint."""
    needs = any(atom.has(Role.FILLER) and atom.text.split()[0] in ("need", "needs") for atom in leads)
    return needs and any(atom.has(Role.BE) for atom in clause.atoms)


def _is_lead(atom: Atom) -> bool:
    return atom.has(Role.FILLER, Role.AMOUNT, Role.AND) or atom.kind == "comma"


def _opens(found: Sequence[Atom], at: int, clause: _Begun) -> bool:
    """Whether a new wish begins at this atom, after a comma or an "and"."""
    atom, told = found[at], clause.told
    is_done = len(told) > 1 and told[-1].has(Role.REMOVE) and not told[0].has_any(VERBS)
    if is_done or _opens_an_addition(found, at, told):  # "dog removed and photo brightened"
        return True
    if found[at - 1].text == "/" and atom.text.endswith("correction"):  # "light/color correction"
        return False
    if _leaves_the_verb_out(found, at, told) or _tells_again(found, at, told):
        return True
    if atom.text in ("it 's", "it's") and (told[0].has_any(VERBS) or any(a.has(Role.BE) for a in told)):
        return True  # "make it sharper, it's so blurry"
    if atom.has(Role.DETERMINER) or _wears_it_too(found, at, told):
        return False
    if atom.has(Role.NO):
        return True
    if atom.has(Role.QUOTED):
        return any(before.has(Role.QUOTED) for before in told)
    if atom.has(Role.TONE) and all(before.has(Role.TONE) for before in told):
        return False
    if _closes_a_list(found, at, told):
        return False
    if atom.has_any(TONAL):
        return (
            not _is_tonal(told)
            or _is_placed_itself(found, at, told)
            or told[-1].text in ("up", "down")
            or (atom.has_any(VERBS) and _has_object(found, at))
        )
    return atom.has_any(VERBS) or (atom.has(Role.LOOK) and _leaves_a_look_open(told))


def _leaves_a_look_open(told: Sequence[Atom]) -> bool:
    """ "Crop to 4:5, black and white", and not "turn the car red and sepia"."""
    is_apart = told[0].has(Role.CROP, Role.FLIP, Role.RESIZE)
    return is_apart or all(before.has(Role.TONE) or not before.has_any(VERBS) for before in told)


def _wears_it_too(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """The gray shirt of "remove the man with the hat and gray shirt"."""
    following = found[at + 1 : at + 2]
    is_named = found[at].has(Role.COLOR) and any(atom.has(Role.NOUN) for atom in following)
    return is_named and told[0].has(Role.REMOVE, Role.OUTWARD)


def _closes_a_list(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "Brighten the photo and colors", "brighten the hue and contrast": one verb for both."""
    after = found[at + 1] if at + 1 < len(found) else None
    is_last = after is None or after.kind in ("stop", "comma") or after.has(Role.AND, Role.THEN, Role.BUT)
    is_led = len(told) > 1 and told[0].has(Role.TONE, Role.ADJUST)
    is_led = is_led and told[-1].has(Role.PHOTO, Role.CAST, Role.COLORS)
    return is_last and is_led and found[at].has(Role.COLORS, Role.QUALITY)


def _leaves_the_verb_out(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "Make the sky darker and the grass greener": a second part with a quality of its own."""
    is_done = told[0].has(Role.MAKE) and told[-1].has(Role.ADJECTIVE) and len(told) > 2
    is_box = [atom.has(Role.MARKED, Role.NUMBER) for atom in found[at : at + 2]] == [True, True]
    opens = is_box or found[at].has(Role.DETERMINER, Role.WHOLE, Role.THIS)
    if not is_done or not opens or at + 1 >= len(found):
        return False
    ends = (
        i for i in range(at + 1, len(found)) if found[i].kind in ("stop", "comma") or found[i].has(Role.AND)
    )
    part = found[at + 1 : next(ends, len(found))]
    names = [atom for atom in part if not atom.has(*TONAL, Role.AMOUNT, Role.FILLER)]
    is_named = bool(names) and part[0] is names[0] and all(atom.has_any(_NAMED) for atom in names)
    is_named |= is_box and len(names) == 1
    pops = bool(part) and part[0].has(Role.COLORS) and part[-1].text.startswith("pop")
    is_told = bool(part) and part[-1].has(Role.ADJECTIVE) and not part[-1].has(Role.COLORS)
    return pops or (is_named and is_told)


def _is_placed_itself(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "More contrast in the background and less saturation on the face": each half names its place."""
    following = list(itertools.takewhile(lambda atom: not atom.has(Role.AND), _up_to_a_mark(found[at:])))
    return _closes_with_a_place(told) and _closes_with_a_place(following) and following[0].has_any(_MARKING)


_MARKING = (Role.MORE, Role.LESS)


def _closes_with_a_place(atoms: Sequence[Atom]) -> bool:
    named = [atom for atom in atoms if not atom.has(Role.DETERMINER, Role.FILLER)]
    return len(named) > 2 and named[-1].has_any(_FINISHING) and named[-2].has(Role.PREPOSITION)


def _tells_again(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "The photo was brightened and the colors are richer"."""
    following = _up_to_a_mark(found[at : at + 4])
    return any(atom.has(Role.BE) for atom in following) and any(atom.has(Role.BE) for atom in told)


_NAMED = (*_FINISHING, Role.DETERMINER, Role.WHOLE, Role.COLORS, Role.FINDABLE, Role.PHOTO, Role.PLACE)
_TAKING = (Role.REMOVE, Role.LOWER, Role.NO, Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.NOT)
_AWAY = frozenset({"out", "off", "away"})
_OF_AN_ADDITION = (Role.DETERMINER, Role.COLOR, Role.SHADE, Role.THICKNESS, Role.MEASURE, Role.AMOUNT)
_ADDITIONS = (Role.BORDER, Role.FRAME, Role.VIGNETTE, Role.ARROW, Role.EMOJI)
_ADDED = frozenset({Role.TEXT, Role.SHAPE, *_ADDITIONS})


def _opens_an_addition(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "Crop to 4:5, text "Summer", a white border": an addition needs no verb."""
    following = iter(found[at:])
    named = next((atom for atom in following if not atom.has_any(_OF_AN_ADDITION)), None)
    if named is None or not named.has_any(_ADDED) or _lists_colors(told, found[at]):
        return False
    if any(atom.has_any(_TAKING) or atom.text in _AWAY for atom in told):
        return False
    if named.has(Role.TEXT):
        is_named = any(atom.has(Role.TEXT) for atom in told) and not any(a.has(Role.QUOTED) for a in told)
        return not is_named and any(atom.has(Role.QUOTED) for atom in itertools.islice(following, 1))
    if _draws_another(found[at], named, told):
        return True
    added = next((role for role in _ADDITIONS if named.has(role)), None)
    return added is not None and not any(atom.has(added) for atom in told)


def _draws_another(opening: Atom, named: Atom, told: Sequence[Atom]) -> bool:
    """ "Draw a circle and a rectangle"."""
    draws = told[0].has(Role.ADD, Role.PAINT) and any(atom.has_any(_DRAWN) for atom in told)
    return draws and opening.text in ("a", "an", "another") and named.has(Role.SHAPE, Role.ARROW)


_DRAWN = (Role.SHAPE, Role.ARROW, Role.EMOJI)


def _lists_colors(told: Sequence[Atom], atom: Atom) -> bool:
    """ "Add a red and blue border" is one border, and not to be had."""
    is_begun = told[0].has(Role.ADD) or len(told) == 1
    return is_begun and told[-1].has(Role.COLOR) and atom.has(Role.COLOR)


def _is_tonal(told: Sequence[Atom]) -> bool:
    """Whether qualities may follow in the same clause: "make it brighter, sharper"."""
    return any(atom.has(*TONAL, Role.RAISE, Role.LOWER) for atom in told)


def _has_object(found: Sequence[Atom], at: int) -> bool:
    following = found[at + 1 : at + 2]
    return any(
        atom.has(Role.DETERMINER, Role.QUALITY, Role.COLORS, *OBJECTS) and not atom.has(Role.AND)
        for atom in following
    )


OBJECTS = (
    Role.PHOTO,
    Role.BACKGROUND,
    Role.SUBJECT,
    Role.PERSON,
    Role.FACE,
    Role.MARKED,
    Role.IT,
    Role.THIS,
)
