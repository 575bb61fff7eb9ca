"""Where a wish goes: to the whole photo, the subject, the box, or a thing that can be found."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile, pairwise, takewhile
from typing import NamedTuple

from editor.engine.kinds import is_plural, is_someone
from editor.engine.language.grammar import OBJECTS, Atom, is_packing
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import AIR, ANIMALS, SUBJECTS
from editor.engine.language.parts import part_in
from editor.engine.language.phrases import Answer, Phrase, Scope
from editor.engine.language.scopes import is_strange
from editor.engine.language.seen import seen_in, seen_thing
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Target

MARK_IT = "Mark it with a box and it can be changed."
ONE_BY_ONE = "Say each wish on its own, one for the box and one for the rest."


class Place(NamedTuple):
    """The targets of a clause, or why there are none."""

    targets: tuple[Target, ...] = ()
    refusal: Refusal | None = None


def placed(phrase: Phrase, things: Sequence[Atom] = ()) -> Place:
    """Where a change of tone goes. What cannot be found needs a box; it never becomes the whole photo."""
    is_whole_subject = {scope.what for scope in phrase.named} == {"person", "subject"}
    if is_whole_subject and not things and not phrase.scene.boxes:  # "the man in the foreground"
        return Place((Target("subject"),))
    sides = _sides_of_the_photo(phrase, things)
    if sides:
        return Place(tuple(Target("place", place=side) for side in sides))
    if phrase.scene.boxes and (_is_of_the_photo_too(phrase, things) or any(map(_is_a_rim, things))):
        return Place(refusal=phrase.refused(Reason.AMBIGUOUS, ONE_BY_ONE))
    if things or is_compound(phrase):
        return _placed_thing(phrase, things)
    if _is_all_of_it(phrase):
        return Place((WHOLE,))
    places = [placed_scope(phrase, scope) for scope in phrase.named]
    refusal = next((place.refusal for place in places if place.refusal), None)
    if refusal:
        return Place(refusal=refusal)
    return Place(_together(tuple(target for place in places for target in place.targets)) or (WHOLE,))


def _is_all_of_it(phrase: Phrase) -> bool:
    """ "The whole photo and the background"."""
    atoms = phrase.clause.atoms
    return any(
        (left.what, right.what, left.preposition, right.preposition) == ("whole", "background", "", "")
        and atoms[left.after].has(Role.AND)
        for left, right in pairwise(phrase.scopes)
    )


def _together(targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """ "The man and the baby" are two people: no eye of the engine tells one from the other."""
    told = tuple(dict.fromkeys(targets))
    alone = [target for target in told if is_someone(target.noun) and not is_plural(target.noun or "")]
    if len(alone) < 2 or alone != list(told) or any(target.place or target.color for target in alone):
        return told
    return (Target("thing", noun="people", count=len(alone)),)


def _sides_of_the_photo(phrase: Phrase, things: Sequence[Atom]) -> list[str]:
    """The "top left" of "brighten the top left corner", the "edges" of "make the edges of the photo darker";
    a box that is marked shows it better, unless the words name the photo or its rim."""
    telling = [atom for atom in things if not (atom.has(Role.PREPOSITION) and atom.text in _PLACING_A_SIDE)]
    sides = [atom for atom in telling if atom.has(Role.PLACE, Role.EDGES)]
    if not sides or any(atom not in sides and atom.text not in HALVES for atom in telling):
        return []
    if phrase.named or (phrase.scene.boxes and not phrase.scopes and not sides[0].has(Role.EDGES)):
        return []
    places = [str(atom.senses.get(Role.PLACE, _RIMS.get(atom.text, ""))) for atom in sides]
    return ["edges" if place == "all" else place for place in places if place]


_PLACING_A_SIDE = frozenset({"in", "on", "at", "of", "to", "from", "for", "around", "along"})
HALVES = frozenset({"half", "part", "parts", "area", "areas", "side", "portion", "section", "corner", "end"})
HALVES |= {"third", "region", "hand"}
_RIMS = {"edges": "edges", "edge": "edges", "outer edges": "edges", "corners": "corners", "sides": "sides"}


def _is_of_the_photo_too(phrase: Phrase, things: Sequence[Atom]) -> bool:
    """ "Brighten the photo and her face", "make the photo brighter of my mother": the photo is what changes,
    and something else is named that only a preposition of place could make of it."""
    photo = next((scope for scope in phrase.scopes if scope.what == "whole"), None)
    if photo is None or photo.preposition not in ("", "of"):
        return False
    atoms = phrase.clause.atoms[photo.after :]
    if atoms and atoms[0].text == "of":
        return False  # "the photo of the couple"
    parts = [
        at for at, atom in enumerate(atoms) if atom.has(Role.PERSON, Role.FACE) or _is_among(atom, things)
    ]
    before = atoms[: parts[0] + 1] if parts else []
    lists = any(left.has(Role.AND) and right.has(Role.DETERMINER) for left, right in pairwise(before))
    is_placed = not parts or (any(atom.text in _WITHIN for atom in before) and not lists)
    return not is_placed


def _is_a_rim(thing: Atom) -> bool:
    """ "The corners of the photo", "the edges of the hills": no box is around them alone."""
    return thing.has(Role.EDGES) or thing.text == "outline"


def _is_among(atom: Atom, things: Sequence[Atom]) -> bool:
    return any(atom is thing for thing in things) and not atom.text.endswith("ly")


_WITHIN = frozenset(
    {"in", "on", "at", "around", "behind", "inside", "within", "near", "over", "under", "from"}
)


def is_beside_the_marked(atoms: Sequence[Atom]) -> bool:
    """Whether a thing is told by what the box shows: "the man next to this", "the dog behind him"."""
    return any(
        _is_near(atoms, at) and (_is_shown(atoms[at + 1 :]) or _is_a_pronoun(atoms, at + 1))
        for at in range(1, len(atoms) - 1)
    )


def _is_near(atoms: Sequence[Atom], at: int) -> bool:
    """ "Next to", the "of" of "the shadow of this", "left of it"."""
    if atoms[at].text != "of":
        return atoms[at].text in _NEAR
    before = next((atom for atom in reversed(atoms[:at]) if not atom.has(Role.DETERMINER)), atoms[0])
    return before.text in _CAST_BY_IT or (before.text in ("left", "right") and at + 2 == len(atoms))


def _is_shown(after: Sequence[Atom]) -> bool:
    """ "This", "this man", "the box"; "this image" is all of it."""
    is_all = any(atom.has(Role.PHOTO) for atom in after[1:2])
    is_box = after[0].has(Role.DETERMINER) and any(atom.has(Role.MARKED) for atom in after[1:2])
    return is_box or (after[0].has(Role.THIS) and not is_all)


def _is_a_pronoun(atoms: Sequence[Atom], at: int) -> bool:
    """The "it" of "the dog next to it", unlike "her car" and "the woman and the dog next to her"."""
    is_one = atoms[at].has(Role.IT) or atoms[at].text in ("him", "her", "them")
    owns = any(
        atom.has(Role.NOUN, Role.FACE, Role.PHOTO) or is_strange(atom) for atom in atoms[at + 1 : at + 2]
    )
    named = [atom for atom in atoms[:at] if atom.has(Role.NOUN, Role.PERSON) or is_strange(atom)]
    return is_one and not owns and len(named) < 2


_NEAR = frozenset({"behind", "next to", "beside", "above", "below", "under", "underneath", "beneath", "near"})
_NEAR |= {"over", "in front of", "left of", "right of", "to the left of", "to the right of", "close to"}
_CAST_BY_IT = frozenset({"shadow", "shadows", "reflection", "reflections"})


def _placed_thing(phrase: Phrase, things: Sequence[Atom]) -> Place:
    if phrase.scene.boxes and [atom.text for atom in things] in _OUTSIDE:
        return Place(refusal=phrase.refused(Reason.AMBIGUOUS, _BUT_THE_BOX))
    if things and things[0].text in _BESIDE and names_something(things, phrase):
        return _placed_behind(phrase, things[1:])
    if phrase.scene.boxes and names_something(things, phrase) and not _are_ranges(things, phrase):
        return Place((_marked_thing(phrase, things),))
    part = part_in(phrase, things)
    if part:
        return Place((part,))
    if any(left.has(Role.AND) and right.text == "i" for left, right in pairwise(phrase.clause.atoms)):
        return Place((Target("subject"),))  # "my wife and I"
    found = findable(things, phrase) if not phrase.named else placed_person(phrase, things)
    if not found and names_something(things, phrase) and (seen := seen_in(phrase, things)):
        found = (seen,)
    found = found or _greenery(things, phrase)
    if found:
        return Place(found)
    names = [atom for atom in things if not atom.has(Role.PREPOSITION)]
    if len(names) == 1 and names[0].text in ANIMALS and not phrase.named and not phrase.scene.boxes:
        return Place((Target("subject"),))
    return Place(refusal=phrase.refused(Reason.NO_SUCH_TARGET, MARK_IT))


_BESIDE = frozenset({"behind", "around"})
_OUTSIDE = (["outside"], ["surroundings"], ["outer", "part"], ["outside", "of"], ["rest"])
_BUT_THE_BOX = "Say what stays, for example: darken everything except the box."


def _greenery(things: Sequence[Atom], phrase: Phrase) -> tuple[Target, ...]:
    """ "The trees": what is green of them, as the plan says."""
    names = [atom for atom in things if not (atom.has(Role.PREPOSITION) and atom.text in _PLACING)]
    is_plain = len(names) == 1 and names[0].text in GREENERY and names_something(names, phrase)
    is_alone = is_plain and not phrase.named and not phrase.scene.boxes
    return (Target("thing", color="green", noun=names[0].text),) if is_alone else ()


GREENERY = frozenset({"tree", "trees", "leaves", "foliage", "ivy", "hedge", "bush", "bushes", "shrubs"})
GREENERY |= {"plant", "plants", "forest", "woods", "grove", "woodland", "jungle", "greenery", "vegetation"}


def _placed_behind(phrase: Phrase, things: Sequence[Atom]) -> Place:
    """ "Behind the dog" is the background; beside a box or another thing it is a part that nothing shows."""
    if not phrase.scene.boxes and not phrase.named and all(atom.text in SUBJECTS for atom in things):
        return Place((Target("background"),))
    return Place(
        refusal=phrase.refused(Reason.NO_SUCH_TARGET, "Say “the background”, or mark only that part.")
    )


def _are_ranges(things: Sequence[Atom], phrase: Phrase) -> bool:
    """ "The reds", "the blue and purple saturation": wherever they are."""
    telling = [atom for atom in things if not atom.has(Role.PREPOSITION, Role.AND)]
    are_several = any(atom.text in ("saturation", "vibrance", "vibrancy") for atom in phrase.core)
    are_several = are_several or all(atom.text.endswith("s") for atom in telling)
    return bool(telling) and are_several and all(atom.has(Role.COLOR) for atom in telling)


def placed_person(phrase: Phrase, things: Sequence[Atom]) -> tuple[Target, ...]:
    """ "The man on the left"; without a place, the subject is meant."""
    target = seen_in(phrase, things)
    return (target,) if target and (target.place or target.color) else ()


def findable(things: Sequence[Atom], phrase: Phrase) -> tuple[Target, ...]:
    """ "the sky and the grass", "the red car": things that their color shows without a box; none when one of
    the words is something else."""
    telling = [atom for atom in things if not atom.has(Role.PREPOSITION, Role.AND)]
    if any(atom.has(Role.PREPOSITION) and atom.text not in _PLACING for atom in things):
        return ()
    colors = [str(atom.senses[Role.COLOR]) for atom in telling if atom.has(Role.COLOR)]
    nouns = [atom for atom in telling if atom.has(Role.NOUN)]
    if colors and len(colors) == len(telling):
        return tuple(Target("thing", color=color) for color in dict.fromkeys(colors))
    if not nouns or len(colors) + len(nouns) != len(telling) or not names_something(things, phrase):
        return ()
    if colors and len(colors) == len(nouns) == 1 and telling[0].has(Role.COLOR):
        return (Target("thing", color=colors[0], noun=_name_of(nouns[0])),)
    if not colors and all(atom.has(Role.SEEN) for atom in nouns) and len(nouns) == 1:
        return (Target("thing", noun=str(nouns[0].senses[Role.SEEN])),)
    if colors or not all(atom.has(Role.FINDABLE) for atom in nouns):
        return ()
    return tuple(dict.fromkeys(Target("thing", noun=_name_of(atom)) for atom in nouns))


_PLACING = frozenset({"of", "in", "on", "to", "for", "from"})


def _name_of(noun: Atom) -> str:
    return str(noun.senses.get(Role.FINDABLE, noun.text))


def names_something(things: Sequence[Atom], phrase: Phrase) -> bool:
    """Whether the words are one name: in one piece, with a noun that is known or has an article."""
    atoms = phrase.clause.atoms
    places = [next(i for i, other in enumerate(atoms) if other is atom) for atom in things]
    gaps = [atom for i, atom in enumerate(atoms) if places and places[0] < i < places[-1] and i not in places]
    if any(
        not is_packing(atom) and not atom.has(Role.DETERMINER, Role.PREPOSITION, *OBJECTS) for atom in gaps
    ) or any(atom.text == "for" for atom in things):
        return False
    if any(atoms[at].has(Role.PLACE) and at > 0 and atoms[at - 1].has(Role.AND) for at in places):
        return False
    has_head = any(atom.has(Role.NOUN, Role.TEXT, Role.SCENE) for atom in things)
    if any(atoms[at].is_unknown and _tells_how(atoms[:at]) for at in places):
        return False
    if any(atom.text in AIR for atom in things):
        return False
    has_article = any(at > 0 and atoms[at - 1].has(Role.DETERMINER, Role.THIS) for at in places)
    return (not things or has_head or has_article) and is_noun_phrase(things, phrase)


def boxed(phrase: Phrase) -> Target:
    return Target("region", boxes=phrase.scene.boxes)


def boxes_told(phrase: Phrase) -> tuple[int, ...]:
    """Box 1 of "her hair in box 1", or all of them."""
    told = (scope.boxes for scope in phrase.named if scope.what == "region" and scope.boxes)
    return next(told, phrase.scene.boxes)


def _marked_thing(phrase: Phrase, things: Sequence[Atom]) -> Target:
    """The one thing that is named and marked; of several the box is all that tells."""
    name = _first_name(phrase, things)
    colors = [str(atom.senses[Role.COLOR]) for atom in name if atom.has(Role.COLOR)]
    nouns = [atom for atom in name if not atom.has(Role.COLOR)]
    marked = replace(boxed(phrase), boxes=boxes_told(phrase))
    is_else = any(scope.what != "region" for scope in phrase.named)
    if not nouns or is_else or len(colors) > 1 or any(map(_is_no_name, name)):
        return marked
    known = [atom for atom in nouns if not is_strange(atom)][-1:]  # the dog of "my dog Rex"
    seen = next((str(atom.senses[Role.SEEN]) for atom in known if atom.has(Role.SEEN)), None)
    noun = seen or " ".join(_name_of(atom) for atom in nouns).removesuffix(" 's")
    return replace(marked, noun=noun, color=colors[0] if colors else None)


def _first_name(phrase: Phrase, things: Sequence[Atom]) -> list[Atom]:
    """ "The red car" of "the red car next to the tree"; nothing of a list."""
    atoms = dropwhile(lambda atom: atom is not things[0], phrase.clause.atoms) if things else ()
    named = list(takewhile(lambda atom: not atom.has(Role.PREPOSITION), atoms))
    told = [atom for atom in named if any(atom is thing for thing in things)]
    until = list(takewhile(lambda atom: atom is not told[-1], named)) if told else []
    is_listed = any(atom.has(Role.AND) or atom.kind == "comma" for atom in until)
    return [] if is_listed or (all(map(is_strange, told)) and not _has_an_article(phrase, told)) else told


def _has_an_article(phrase: Phrase, name: Sequence[Atom]) -> bool:
    pairs = pairwise(phrase.clause.atoms)
    return any(atom in name[:1] and before.has(Role.DETERMINER, Role.THIS) for before, atom in pairs)


def _is_no_name(atom: Atom) -> bool:
    is_name = atom.has(Role.NOUN, Role.COLOR) or is_strange(atom)
    return not is_name or atom.has(Role.PLACE, Role.TEXT, Role.WRITTEN) or atom.text in HALVES


def placed_scope(phrase: Phrase, scope: Scope) -> Place:
    if scope.what in ("subject", "background"):
        return Place((Target(scope.what),))
    if scope.what == "region":
        return _placed_boxes(phrase, scope)
    if scope.what == "unclear" and phrase.meant and phrase.clause.atoms[scope.after - 1].text == "it":
        return Place((phrase.meant,))
    if scope.what == "unclear":
        hint = "Say “the photo” or name the part instead of “it”."
        return Place(refusal=phrase.refused(Reason.AMBIGUOUS, hint))
    named = seen_thing(phrase.clause.atoms[scope.first : scope.after]) if scope.what == "person" else None
    if phrase.scene.boxes:
        is_apart = any(other.what == "region" for other in phrase.named)  # "the faces and the box"
        noun = "face" if scope.what == "face" else named.noun if named else None
        return Place((replace(boxed(phrase), noun=None if is_apart else noun),))
    if scope.what == "person":
        return Place((named or Target("subject"),))
    if scope.what == "face":
        return Place((Target("face"),))
    return Place(refusal=phrase.refused(Reason.NO_SUCH_TARGET, MARK_IT))


def _placed_boxes(phrase: Phrase, scope: Scope) -> Place:
    if not scope.boxes:
        hint = "No box was marked. Mark the place with a box."
        return Place(refusal=phrase.refused(Reason.NEEDS_REGION, hint))
    missing = [box for box in scope.boxes if box not in phrase.scene.boxes]
    if missing:
        return Place(
            refusal=phrase.refused(Reason.NEEDS_REGION, f"There is no box {missing[0]}. Mark it first.")
        )
    return Place((Target("region", boxes=scope.boxes),))


def is_compound(phrase: Phrase) -> bool:
    """Two scopes without an "and" between them name one thing: "the man in the background"."""
    return any(
        not _are_joined(phrase, left, right)
        for left, right in zip(phrase.named, phrase.named[1:], strict=False)
    )


def _are_joined(phrase: Phrase, left: Scope, right: Scope) -> bool:
    between = phrase.clause.atoms[left.after : right.first + 1]
    return any(atom.has(Role.AND) or atom.kind == "comma" for atom in between)


def is_noun_phrase(things: Sequence[Atom], phrase: Phrase) -> bool:
    """Whether the words can name what is in the box; an unknown word before an article acts like a verb."""
    atoms = phrase.clause.atoms
    for atom in things:
        at = next(i for i, other in enumerate(atoms) if other is atom)
        after = atoms[at + 1] if at + 1 < len(atoms) else None
        is_verb = atom.is_unknown and not atom.text.endswith("ing")  # "the man holding a cup" is a name
        if is_verb and after is not None and after.has(Role.DETERMINER, Role.IT, Role.THIS):
            return False
        is_added = atom.has(Role.ADD) and (atom.is_capital or atom.text == "add")
        if is_added and not atom.has_any(_ALSO_A_NAME):
            return False
        if atom.has_any(_NEVER_IN_A_NAME) and not atom.has_any(_ALSO_A_NAME):
            return False
    return True


def _tells_how(before: Sequence[Atom]) -> bool:
    """Whether an adjective has to follow: "make her look a bit ..."."""
    last = next((atom for atom in reversed(before) if not atom.has(Role.DETERMINER)), None)
    return last is not None and last.has(Role.AMOUNT, Role.EFFECT) and last.text != "far"


_NEVER_IN_A_NAME = (
    *(Role.NOT, Role.EXCEPT, Role.UNAVAILABLE, Role.DEFECT, Role.MAKE, Role.TONE, Role.RAISE, Role.LOWER),
    *(Role.ENHANCE, Role.REMOVE, Role.CHANGE, Role.REPLACE, Role.ROTATE, Role.FLIP, Role.CROP, Role.ADJUST),
    Role.RESIZE,
)
_ALSO_A_NAME = (Role.NOUN, Role.PREPOSITION, Role.PLACE, Role.ADJECTIVE, Role.COLORS)


def placed_steps(phrase: Phrase, kind: Kind, operation: str, *, amount: float | None) -> Answer:
    place = placed(phrase)
    if place.refusal:
        return place.refusal
    return [phrase.step(kind, operation, target=target, amount=amount) for target in place.targets]
