"""Where a prop goes, as its words tell: "on the left", "on the table", "next to the woman", "in the sky"."""

from collections.abc import Sequence, Set
from itertools import pairwise, zip_longest
from typing import NamedTuple

from editor.engine.kinds import DEPTHS, LIVING, PARTS, is_plural, is_someone, kinds_of
from editor.engine.language.grammar import Atom, is_packing
from editor.engine.language.landmarks import Landmark, is_article, landmark_named, names_of, relation_in
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.connectives import ABOVE
from editor.engine.language.lexicon.props import (
    BEING,
    CLOTHS,
    FLYING,
    GROUND,
    GROUND_LIKE,
    LIMBS,
    PRAISE,
    ROOMS,
    STANDING_BEHIND,
    WALLS,
)
from editor.engine.language.lexicon.seen import WORN
from editor.engine.language.lexicon.things import MATERIALS
from editor.engine.language.phrases import Phrase
from editor.engine.language.placing import boxed
from editor.engine.plan import WHOLE, Reason, Refusal, Target
from editor.engine.props import Prop


class Spot(NamedTuple):
    """Where it goes, in the fields of a step; `is_flying` says that it is in the air there."""

    target: Target = WHOLE
    place: str | None = None
    is_flying: bool = False


def spot_told(phrase: Phrase, noun: Atom, tail: Sequence[Atom], prop: Prop) -> Spot | Refusal | None:
    """The place that the atoms behind the noun tell; None where they tell something else."""
    if tail and _is_left_open(tail[-1]) and not (prop.is_worn and tail[-1].text == "on"):
        return None  # "put the candles out"
    is_flying = any(atom.text in FLYING for atom in tail[:1])
    if is_flying:
        if not (
            prop.is_round or prop.sits == "flies" or (prop.sits == "floats" and tail[0].text == "floating")
        ):
            return None
        is_flying = prop.sits != "floats"
        tail = tail[1:]
    if prop.sits == "hangs":
        tail = _without(tail, WALLS)
    if prop.is_worn and any(atom.text.endswith("of them") for atom in tail) and not phrase.scene.boxes:
        return Spot(Target("thing", noun="people"), prop.sits)
    where = in_the_photo(phrase, tail) or _by_a_landmark(phrase, noun, tail, prop, is_flying=is_flying)
    if isinstance(where, Spot) and phrase.scene.boxes and where in (Spot(), Spot(target=boxed(phrase))):
        where = _by_the_box(phrase, noun, () if prop.is_worn else tail)
    return where._replace(is_flying=True) if isinstance(where, Spot) and is_flying else where


def _is_left_open(atom: Atom) -> bool:
    """Whether it is a preposition that nothing follows: with the verb it says something else."""
    return atom.has(Role.PREPOSITION) and not atom.has(Role.PLACE, Role.MARKED, Role.THIS, Role.BACKGROUND)


def spot_marked(phrase: Phrase, noun: Atom, tail: Sequence[Atom]) -> Spot | Refusal | None:
    """The box, or beside it, where the words name a place that is not looked for; None where no place follows
    the noun."""
    if not tail or not tail[0].has(Role.PREPOSITION):
        return None
    if tail[0].text == "of" or any(atom.text in EYES for atom in tail):  # "a bag of chips", "under her eyes"
        return phrase.refused(Reason.NO_SUCH_TARGET, _SAY_ONLY)
    is_instead = any(left.text == "place" and right.text == "of" for left, right in pairwise(tail))
    if is_instead or any(atom.text in _TELLING_MORE or atom.has(Role.NOT, Role.REPLACE) for atom in tail):
        return phrase.refused(Reason.NO_SUCH_TARGET, _SAY_ONLY)
    if phrase.scene.boxes:
        return _by_the_box(phrase, noun, tail)
    return phrase.refused(Reason.NO_SUCH_TARGET, _SAY_WHERE.format(words_of(tail)))


def _by_the_box(phrase: Phrase, noun: Atom, tail: Sequence[Atom]) -> Spot:
    """Beside what the box shows where the words say so, else in the box."""
    relation = relation_in([noun, *tail])
    is_beside = relation is not None and relation.first == 1 and relation.place in _BESIDE
    return Spot(target=boxed(phrase), place=relation.place if relation and is_beside else None)


_BESIDE = frozenset({"above", "next to", "left of", "right of"})


def words_of(atoms: Sequence[Atom]) -> str:
    return " ".join(atom.text for atom in atoms if atom.kind != "comma")


_TELLING_MORE = frozenset(
    {
        *("with", "who", "that", "which", "instead", "holding", "wearing", "from", "and", "or", "for"),
        *("as", "like"),
    }
)
_SAY_ONLY = (
    "A picture of it can be added as it is. Say only what and where, as in: add an apple on the table."
)
_SAY_WHERE = (
    "The place “{}” cannot be found. Mark it with a box, or say, for example: on the left, on the table, "
    "next to the woman."
)


def without_being(tail: Sequence[Atom]) -> list[Atom]:
    """Without what says no more than that it is there: "standing", "that is", ", blending naturally"."""
    told = list(tail)
    for at, atom in enumerate(told):
        if atom.text in _BLENDING and at > 0:
            told = told[:at]
            break
    if told and told[-1].text in _MANNERS:
        start = max((at for at, atom in enumerate(told) if atom.text in ("in", "with")), default=0)
        said = [atom for atom in told[start + 1 : -1] if not is_article(atom)]
        told = told[:start] if all(atom.text in PRAISE for atom in said) else told
    while told and (told[-1].kind == "comma" or (told[-1].has(Role.FILLER) and told[-1].text not in _UPON)):
        told.pop()
    first = 0
    while first < len(told) and (told[first].text in BEING | _RELATIVE or told[first].kind == "comma"):
        first += 1
    return told[first:]


EYES = frozenset({"eye", "eyes"})
_MANNERS = frozenset({"style", "look", "way", "manner", "fashion"})  # "in a cool style"
_RELATIVE = frozenset({"that", "which", "is", "are", "that is", "which is"})
_BLENDING = frozenset({"blending", "ensuring", "to enhance", "to enrich", "to complement"})
_UPON = frozenset({"throughout"})


def in_the_photo(phrase: Phrase, tail: Sequence[Atom]) -> Spot | None:
    """ "In the bottom left corner of the image", "in the background on the right", "here", or nothing."""
    places: list[str] = []
    for atom in tail:
        if atom.text in _OWNERS or atom.text in ("like", "as"):
            return None
        if atom.has(Role.PLACE):
            places.append(str(atom.senses[Role.PLACE]))
        elif atom.has(Role.BACKGROUND) or atom.text == "distance" or _is_the_back(tail, atom):
            places.append("background")
        elif atom.text in _FOREGROUND:
            places.append("foreground")
        elif not (
            atom.has_any(_LEADING)
            or atom.text in _PARTS | GROUND_LIKE
            or (atom.has(Role.MARKED) and phrase.scene.boxes)
        ):
            return None
    sides = [place for place in places if place not in DEPTHS]
    depths = [place for place in places if place in DEPTHS]
    if len(sides) > 1 or len(depths) > 1 or "all" in sides:
        return None
    if any(atom.has(Role.MARKED) for atom in tail):
        return Spot(target=boxed(phrase))
    is_corner = not sides and any(atom.text == "corner" for atom in tail)
    return Spot(place=" ".join([*(["bottom right"] if is_corner else sides), *depths]) or None)


def _is_the_back(tail: Sequence[Atom], atom: Atom) -> bool:
    return atom.text == "back" and tail[0].text in ("in", "at", "towards")


_OWNERS = frozenset({"his", "her", "its", "my", "our", "your", "their"})
_FOREGROUND = frozenset({"foreground", "fore ground", "front"})
_LEADING = (Role.PREPOSITION, Role.DETERMINER, Role.PHOTO, Role.FILLER, Role.THIS)
_PARTS = GROUND | ROOMS | {"side", "part", "half", "edge", "area", "corner", "section", "portion", "far"}


def _by_a_landmark(
    phrase: Phrase, noun: Atom, tail: Sequence[Atom], prop: Prop, *, is_flying: bool
) -> Spot | Refusal | None:
    """ "On the table", "next to the woman", "on the man's head", "towards the player"."""
    told = _without(_without_surface(tail), GROUND)
    if aside := _aside_in_scenery(phrase, noun, told, prop):
        return aside
    if is_flying and told and told[0].text in _TOWARDS:
        landmark = landmark_named(told[1:])
        is_found = landmark is not None and bool(kinds_of(landmark.target.noun) or landmark.part)
        return Spot(landmark.target, "next to") if landmark and is_found else None
    if prop.sits == "flies" and told and told[0].text in ABOVE | {"over"} and _fills_it(told):
        return Spot()
    ahead = next((words for words in _AHEAD if _opens_with(told, words)), None)
    if ahead:
        if _fills_it(told[len(ahead) - 1 :]):
            return Spot(place="bottom")
        landmark, place = landmark_named(told[len(ahead) :]), "in front"
    else:
        relation = relation_in([noun, *told])
        if relation is None or relation.first != 1:
            return None
        landmark, place = _landmark(told[relation.after - 1 :]), relation.place
        if landmark and _is_of_flowers(landmark.target.noun):
            return _on_flowers(landmark.target, place, prop)
        if landmark is None and (wearer := _wearer(told[relation.after - 1 :])):
            return _by_a_wearer(wearer, place, prop)
        if not place and told[0].text in _INSIDE and landmark and landmark.target.noun not in _SCENERY:
            return None  # what is in a bowl is half hidden by it
    return _beside(phrase, landmark, place, prop, is_flying=is_flying) if landmark else None


def _fills_it(told: Sequence[Atom]) -> bool:
    """Whether behind the first atom only what fills the background is named."""
    is_named = len(told) > 1 and told[-1].text in STANDING_BEHIND
    return is_named and all(
        is_packing(atom) or is_article(atom) or atom.has(Role.COLOR) for atom in told[1:-1]
    )


def _landmark(atoms: Sequence[Atom]) -> Landmark | None:
    """As for all additions, and "the blue sky", and flowers."""
    telling = [atom for atom in atoms if not is_packing(atom) and not is_article(atom)]
    if len(telling) == 1 and telling[0].senses.get(Role.GROUND) == "sky":
        return Landmark(Target("thing", noun="sky"))
    if len(telling) == 1 and _is_of_flowers(telling[0].text):
        return Landmark(Target("thing", noun=telling[0].text))
    return landmark_named(atoms)


def _wearer(atoms: Sequence[Atom]) -> Target | None:
    """Whoever has "the black leather jacket" on, or whose arm "the man's arm" is."""
    telling = [atom for atom in atoms if not is_packing(atom) and not atom.has(Role.DETERMINER, Role.THIS)]
    if atoms and atoms[-1].text in LIMBS:
        owner = names_of(telling[:-1])
        named = landmark_named(owner) if owner else Landmark(Target("thing", noun="person"))
        return named.target if named and is_someone(named.target.noun) and not named.part else None
    if not telling or telling[-1].text not in WORN:
        return None
    if not all(atom.has(Role.COLOR) or atom.text in MATERIALS | CLOTHS for atom in telling[:-1]):
        return None
    color = next((str(atom.senses[Role.COLOR]) for atom in telling if atom.has(Role.COLOR)), None)
    return Target("thing", noun="person", color=color)


def _by_a_wearer(wearer: Target, place: str, prop: Prop) -> Spot | None:
    """Beside clothes is beside whoever has them on, and what is worn above them is on that head."""
    if prop.sits == "head" and place in ("on top", "above"):
        return Spot(wearer, "head")
    return Spot(wearer, place) if place in ("left of", "right of", "next to") else None


def _is_of_flowers(noun: str | None) -> bool:
    return PARTS.get(noun or "") == "flowers"


def _on_flowers(target: Target, place: str, prop: Prop) -> Spot | None:
    """Butterflies sit there."""
    is_small = prop.sits == "flies" and prop.metres < _SITS
    return Spot(target, "on") if is_small and place in ("", "on top") else None


_SITS = 0.3  # metres: what flies and is smaller sits on flowers


def _aside_in_scenery(phrase: Phrase, noun: Atom, told: Sequence[Atom], prop: Prop) -> Spot | None:
    """ "In the sky on the left", "on the right in the sky"."""
    cut = next((at for at in range(1, len(told)) if told[at].has(Role.PREPOSITION)), None)
    for near, side in ((told[:cut], told[cut:]), (told[cut:], told[:cut])) if cut else ():
        aside = in_the_photo(phrase, side)
        where = _by_a_landmark(phrase, noun, near, prop, is_flying=False) if aside and aside.place else None
        if aside and isinstance(where, Spot) and where.target.noun in _SCENERY:
            return where._replace(place=aside.place)
    return None


_AHEAD = (("in front of",), ("to", "the", "front", "of"), ("at", "the", "front", "of"))


def _opens_with(atoms: Sequence[Atom], words: Sequence[str]) -> bool:
    return [atom.text for atom in atoms[: len(words)]] == list(words)


_TOWARDS = frozenset({"towards", "toward", "at", "to"})
_INSIDE = frozenset({"in", "into", "inside", "within"})
_SCENERY = frozenset({"sky", "grass", "water"})


def _without(tail: Sequence[Atom], where: Set[str]) -> Sequence[Atom]:
    """ "Next to the bench" of "on the ground next to the bench", where the ground is one of those words."""
    after = next((at for at in range(1, len(tail)) if tail[at].has(Role.PREPOSITION)), len(tail))
    named = [atom for atom in tail[1:after] if not is_article(atom)]
    is_there = bool(named) and named[-1].text in where and tail[0].text in ("on", "in", "at", "to")
    return tail[after:] if is_there and all(a.text in where | GROUND_LIKE for a in named) else tail


def _without_surface(tail: Sequence[Atom]) -> list[Atom]:
    """ "On the table" of "on the table's surface", "on the surface of the table"."""
    told = [
        atom
        for atom, after in zip_longest(tail, tail[1:])
        if atom.text not in ("'s", "surface", "wooden")
        and not (atom.has(Role.COLOR) and after and after.senses.get(Role.FINDABLE) in _SCENERY)
    ]
    return [
        atom for at, atom in enumerate(told) if not (atom.text == "of" and at and told[at - 1].text == "the")
    ]


def _beside(
    phrase: Phrase, landmark: Landmark, place: str, prop: Prop, *, is_flying: bool
) -> Spot | Refusal | None:
    target, part = landmark
    is_of_people = target.what == "face" or is_someone(target.noun)
    is_of_an_animal = not is_of_people and bool(set(kinds_of(target.noun)) & LIVING)
    if (part or is_of_people or is_of_an_animal) and _puts_on(prop, place):
        return on_a_head(phrase, target, prop)
    if place in ("", "on top", "in front") and is_plural(target.noun or ""):
        return None
    if target.noun in _SCENERY:
        return _in_scenery(target, place, prop)
    if part and is_someone(target.noun):
        target = Target("face", place=target.place, count=1)
    if place == "between" and not (target.count == 2 and is_plural(target.noun or "")):
        return None
    if place == "above" and prop.sits != "flies" and not is_flying:
        is_carried = bool(set(kinds_of(target.noun)) & SURFACES) and prop.sits in ("stands", "lies")
        return Spot(target, "on") if is_carried else Spot(target, place, is_flying=prop.sits != "hangs")
    if place == "below":
        return None
    if place == "" and not part and not set(kinds_of(target.noun)) & SURFACES:
        return None
    if part and place not in ("", "on top", "next to", "left of", "right of"):
        return None
    on_top = part == "head" and place in ("", "on top")
    if (
        part == "eyes"
        or (part == "face" and place in ("", "on top"))
        or (place == "on top" and target.what == "thing" and not _carries(target.noun))
    ):
        return None
    return Spot(target, "on top" if on_top else place or "on")


def _puts_on(prop: Prop, place: str) -> bool:
    """A hat is put on above whoever wears it, too."""
    return prop.is_worn and (not place or (prop.sits == "head" and place in ("on top", "above")))


def on_a_head(phrase: Phrase, target: Target, prop: Prop) -> Spot | Refusal:
    """On the one that a box shows, else on that of who is named: of animals no head and no eyes are found."""
    if phrase.scene.boxes:
        return Spot(target=boxed(phrase))
    if target.what == "face" or is_someone(target.noun):
        return Spot(target, prop.sits)
    hint = f"Mark the {prop.sits} of the {target.noun} with a box."
    return phrase.refused(Reason.NO_SUCH_TARGET, hint)


SURFACES = frozenset({"dining table", "bench", "chair", "couch", "bed", "pizza", "toilet"})
"""Kinds of the detector that things stand on."""
_TOPS = (
    SURFACES
    | LIVING - {"bird", "giraffe"}
    | frozenset(
        {
            "suitcase",
            "cake",
            "refrigerator",
            "oven",
            "microwave",
            "car",
            "bus",
            "truck",
            "fire hydrant",
            "book",
        }
    )
)


def _carries(noun: str | None) -> bool:
    return bool(kinds_of(noun)) and set(kinds_of(noun)) <= _TOPS


def _in_scenery(target: Target, place: str, prop: Prop) -> Spot | None:
    return Spot(target, "on") if fits_scenery(target, prop) and not place else None


def fits_scenery(target: Target, prop: Prop) -> bool:
    """In the sky flies what flies, on the grass stands what stands, on water floats what floats."""
    fitting = {"sky": ("flies",), "water": ("floats",), "grass": ("stands", "lies")}.get(target.noun or "")
    return fitting is None or prop.sits in fitting or (target.noun == "sky" and prop.is_round)
