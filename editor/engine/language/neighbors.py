"""Words that only their neighbors tell: the "to" of "it is to dark", the "let" of "let it be red"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from editor.engine.language import lexicon
from editor.engine.language.atoms import Atom, loose_atoms
from editor.engine.language.lexicon import Senses
from editor.engine.language.lexicon.roles import VERBS, Role, Tone


def atoms(instruction: str) -> list[Atom]:
    """Everything in an instruction that can carry meaning, in the order of the text."""
    found = loose_atoms(instruction)
    is_list = bool(found) and found[0].text == "1" and _is_numbering(found, 0)
    return [_in_place(found, at, is_list=is_list) for at in range(len(found))]


def _in_place(found: Sequence[Atom], at: int, *, is_list: bool) -> Atom:
    atom = found[at]
    if atom.kind == "quoted":
        return _emphasized(_Place(found, at))
    if is_list and _is_numbering(found, at):
        return replace(atom, senses={}, kind="stop")
    rule = _RULES.get(atom.text)
    if rule is None and len(atom.senses) > 1:
        rule = next((rule for roles, rule in _ALIKE if roles <= atom.senses.keys()), None)
    senses = rule(_Place(found, at)) if rule else None
    return atom if senses is None else replace(atom, text=_MEANT.get(atom.text, atom.text), senses=senses)


def _is_numbering(found: Sequence[Atom], at: int) -> bool:
    """The "2." of a list."""
    is_short = found[at].kind == "number" and found[at].text.isdecimal() and len(found[at].text) < 3
    return is_short and at + 2 < len(found) and found[at + 1].text in (".", ")", ":")


@dataclass(frozen=True, slots=True)
class _Place:
    """An atom and what stands around it; at the edge that is nothing."""

    found: Sequence[Atom]
    at: int

    @property
    def text(self) -> str:
        return self.found[self.at].text

    @property
    def before(self) -> Atom:
        return self.found[self.at - 1] if self.at else _NOTHING

    @property
    def after(self) -> Atom:
        return self.found[self.at + 1] if self.at + 1 < len(self.found) else _NOTHING

    @property
    def object(self) -> Atom:
        """What stands after it, behind an article or without one."""
        ahead = self.found[self.at + 1 : self.at + 3]
        return next((atom for atom in ahead if not atom.has(Role.DETERMINER)), _NOTHING)


_NOTHING = Atom("", 0, 0, {}, kind="stop")


def _too(place: _Place) -> Senses | None:
    """ "It is to dark"."""
    is_excess = place.after.has(Role.ADJECTIVE) and not place.after.has(Role.COLOR)
    is_excess = is_excess and not place.after.text.endswith("er")
    return {Role.TOO: "too"} if is_excess and place.before.has(Role.BE) else None


def _from(place: _Place) -> Senses | None:
    """ "Remove the man form the photo"."""
    is_a_part = place.after.has(Role.DETERMINER, Role.THIS, Role.PHOTO, Role.BACKGROUND)
    is_led = place.at > 0 and not place.before.has(Role.DETERMINER)
    return {Role.PREPOSITION: "from"} if is_led and is_a_part else None


def _and(place: _Place) -> Senses | None:
    """ "Crop ad brighten it"."""
    is_verb = place.after.has_any(VERBS) and not place.after.has(Role.ADJECTIVE)
    return {Role.AND: "and"} if place.at > 0 and is_verb else None


def _but_not(place: _Place) -> Senses | None:
    """ "Blur the background, not the person"."""
    is_apart = place.before.kind == "comma"
    return {Role.EXCEPT: "not"} if is_apart and place.after.has_any(_PARTED) else None


_PARTED = (Role.DETERMINER, Role.THIS, Role.BACKGROUND, Role.PERSON, Role.SUBJECT, Role.FACE)


def _but(place: _Place) -> Senses | None:
    """ "Remove everyone but the girl"."""
    removes = any(atom.has(Role.REMOVE) for atom in place.found[max(place.at - 4, 0) : max(place.at - 1, 0)])
    is_name = place.after.kind == "stop" or place.after.has(Role.NUMBER, *_PARTED)
    is_of_all = removes and is_name and place.before.senses.get(Role.SEEN) == "people"
    return {Role.EXCEPT: "but"} if is_of_all else None


def _first(place: _Place) -> Senses | None:
    """ "First rotate it"."""
    opens = place.before.kind in ("stop", "comma")
    return {Role.FILLER: True} if opens and _is_wished(place.after) else None


def _is_wished(atom: Atom) -> bool:
    return atom.has_any(VERBS) or atom.kind == "comma"


def _filtered(place: _Place) -> Senses | None:
    """ "Filter the photo to black and white"."""
    is_filtered = place.after.has(Role.PHOTO, Role.THIS, Role.IT) or place.after.text == "to"
    return {Role.MAKE: "filter"} if place.before.kind != "word" and is_filtered else None


def _shown_off(place: _Place) -> Senses | None:
    """ "Highlight the colors", "highlight the details": words to be marked are not meant."""
    shows = place.object.has(Role.COLORS, Role.COLOR) or "detail" in place.object.text
    return {Role.RAISE: "bring out"} if shows and _opens(place.before) else None


def _opens(before: Atom) -> bool:
    return before.kind in ("stop", "comma") or before.has(Role.AND, Role.FILLER, Role.THEN)


def _right(place: _Place) -> Senses | None:
    """ "The man right behind me", unlike "on the right"."""
    is_side = place.before.has(Role.DETERMINER, Role.PREPOSITION)
    return {Role.FILLER: True} if place.after.text in _EXACTLY and not is_side else None


_EXACTLY = frozenset(
    {
        *("here", "there", "now", "away", "behind", "beside", "next to", "above", "below", "under", "over"),
        "in front of",
    }
)


def _let(place: _Place) -> Senses | None:
    """ "Let the car be red"."""
    ahead = place.found[place.at + 1 : place.at + _FARTHEST_BE]
    return {Role.MAKE: "let"} if any(atom.text == "be" for atom in ahead) else None


_FARTHEST_BE = 7


def _including(place: _Place) -> Senses | None:
    """ "Remove the shed, including its roof"."""
    return {Role.AND: "including"} if _takes_away(place) else None


def _cooler(place: _Place) -> Senses | None:
    """ "Take out the chair and cooler"."""
    is_thing = place.before.has(Role.AND, Role.DETERMINER)
    return {Role.NOUN: "cooler"} if is_thing and _takes_away(place) else None


def _takes_away(place: _Place) -> bool:
    return any(atom.has(Role.REMOVE, Role.OUTWARD) for atom in place.found[: place.at])


def _remain(place: _Place) -> Senses | None:
    """ "..., remain the shirt unchanged"."""
    is_apart = place.before.kind == "comma"
    return {Role.KEEP: "keep"} if is_apart and place.after.has(Role.DETERMINER) else None


def _other_than(place: _Place) -> Senses | None:
    """ "The background other than the man": behind him."""
    return {Role.PREPOSITION: "around"} if place.before.has(Role.BACKGROUND) else None


def _include(place: _Place) -> Senses | None:
    """ "...; only include the man"."""
    is_only = place.before.text in ("only", "just") and _opens(_Place(place.found, place.at - 1).before)
    return {Role.KEEP: "keep"} if is_only else None


def _box(place: _Place) -> Senses | None:
    """ "A red box around her" is drawn, "a red box around the photo" is a border."""
    if place.after.text != "around":
        return None
    if not _points(place.found[: place.at]):
        return {Role.SHAPE: "rectangle", Role.NOUN: place.text}
    ahead = place.found[place.at + 2 : place.at + 4]
    is_of_all = place.text == "box" and any(atom.has(Role.PHOTO) for atom in ahead)
    return {Role.BORDER: "box"} if is_of_all and place.before.has(Role.COLOR) else None


def _points(before: Sequence[Atom]) -> bool:
    """ "The box", unlike "a thin red box"."""
    leading = (atom for atom in reversed(before) if not atom.has(Role.COLOR, Role.ADJECTIVE, Role.THICKNESS))
    return next((atom.text for atom in leading), "") not in ("a", "an", "draw", "put", "add")


def _drops(place: _Place) -> Senses | None:
    """ "The water drops"."""
    return {Role.NOUN: place.text} if place.before.has(Role.NOUN) else None


def _cool(place: _Place) -> Senses | None:
    """ "Professional and cool"."""
    is_list = place.at > 1 and place.before.has(Role.AND) and place.found[place.at - 2].has(Role.VAGUE)
    return {Role.VAGUE: "cool"} if is_list else None


def _scales(place: _Place) -> Senses | None:
    """Those of a fish."""
    return {Role.NOUN: "scales"} if place.before.has(Role.DETERMINER) else None


def _cropped(place: _Place) -> Senses | None:
    """ "A border around the cropped image"."""
    is_told = place.before.has(Role.DETERMINER) and place.after.has(Role.PHOTO)
    return {Role.FILLER: True} if is_told else None


def _crop(place: _Place) -> Senses | None:
    """ "In the pink crop top"."""
    is_worn = place.after.text == "top" and place.before.has(Role.COLOR)
    return {Role.NOUN: "crop"} if is_worn else None


def _leaves(place: _Place) -> Senses | None:
    """Those of a tree, unless "it leaves" something."""
    return None if place.before.has(Role.IT, Role.THIS) else {Role.NOUN: "leaves"}


def _as_people(place: _Place) -> Senses | None:
    """ "The guys", unlike "hey guys"."""
    atom = place.found[place.at]
    is_named = place.before.has(Role.DETERMINER, Role.THIS, Role.NUMBER, Role.WHOLE)
    return {Role.SEEN: atom.senses[Role.SEEN], Role.NOUN: atom.text} if is_named else None


def _as_more(place: _Place) -> Senses | None:
    """ "Better contrast", "enhanced the contrast": there is to be more; better light may be more or less. Not
    "the better photo", "this enhanced one"."""
    tone = place.object.senses.get(Role.QUALITY)
    is_named = place.before.text == "the" or place.before.has(Role.THIS)
    is_more = isinstance(tone, Tone) and tone.sign > 0 and tone.operation in _IMPROVED
    return (
        {Role.MORE if place.text == "better" else Role.ENHANCE: place.text}
        if is_more and not is_named
        else None
    )


_IMPROVED = frozenset({"contrast", "saturation", "vibrance", "sharpness", "clarity"})


def _emphasized(place: _Place) -> Atom:
    """ "Make it look "washed"", "a "little bit" pink": nothing to be written."""
    atom, found = place.found[place.at], place.found
    text = atom.text[1:-1].strip().lower()
    senses = lexicon.senses_of(tuple(lexicon.WORD.findall(text))) or {}
    is_tone = Role.AMOUNT in senses or Role.ADJECTIVE in senses
    if not is_tone or any(other.has(Role.TEXT, Role.WRITTEN) for other in found):
        return atom
    is_led = place.after.has(Role.COLOR, Role.CAST, Role.EFFECT, Role.ADJECTIVE, Role.TONE)
    is_free = not any(other.has(Role.ADD, Role.REMOVE, Role.REPLACE, Role.CHANGE) for other in found)
    return replace(atom, text=text, senses=senses, kind="word") if is_led or is_free else atom


def _now(place: _Place) -> Senses | None:
    """ "Now make it sharper"."""
    return {Role.FILLER: True} if _opens(place.before) and place.after.has_any(VERBS) else None


def _even(place: _Place) -> Senses | None:
    """ "Even brighter", unlike "even skin"."""
    tone = place.after.senses.get(Role.ADJECTIVE)
    is_compared = isinstance(tone, Tone) and tone.comparative
    return {Role.FILLER: True} if is_compared or place.after.has(Role.MORE, Role.LESS) else None


_RULES: dict[str, Callable[[_Place], Senses | None]] = {
    "to": _too,
    "form": _from,
    "ad": _and,
    "now": _now,
    "even": _even,
    "not": _but_not,
    "but": _but,
    "expect": _but,
    **dict.fromkeys(("first", "firstly", "second", "third", "fourth", "last"), _first),
    "filter": _filtered,
    "highlight": _shown_off,
    "right": _right,
    "let": _let,
    "remain": _remain,
    "other than": _other_than,
    "including": _including,
    "include": _include,
    "cooler": _cooler,
    "cool": _cool,
    "leaves": _leaves,
    "box": _box,
    "boxes": _box,
    "drop": _drops,
    "drops": _drops,
    "scales": _scales,
    "cropped": _cropped,
    "crop": _crop,
}
"""What a word is here, by its letters; None where it is what it says."""
_ALIKE = (({Role.FILLER, Role.SEEN}, _as_people), ({Role.VAGUE, Role.ENHANCE}, _as_more))
"""... and by what it could be."""
_MEANT = {"form": "from", "ad": "and", "highlight": "bring out", "include": "keep", "other than": "around"}
