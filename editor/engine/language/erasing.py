"""Things that are taken out of a photo: by their name, their color, or a box around them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.kinds import is_plural, is_someone
from editor.engine.language.forms.form import is_name
from editor.engine.language.forms.trims import EDGING, without_edges
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import EYES, MATERIALS, PEOPLE, WEATHER
from editor.engine.language.lists import EACH_ITS_BOX, are_apart
from editor.engine.language.phrases import Answer, Phrase, Scope, direct_backgrounds
from editor.engine.language.placing import is_noun_phrase
from editor.engine.language.seen import choosing_words, seen_in
from editor.engine.language.tone import part_of_speech
from editor.engine.plan import Kind, Reason, Target

MARK_IT = "Mark it with a box and it can be removed."
LINKS = frozenset({"of", "in", "on", "from", "at", "to", "for"})
QUANTITIES = (Role.AMOUNT, Role.AND, Role.WHOLE, Role.SEVERAL)


def removed_thing(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    names_someone = any(scope.what in ("person", "subject") for scope in phrase.named)
    if rest and not names_someone and all(atom.has(Role.HORIZON, Role.ADJECTIVE) for atom in rest):
        return None
    flaw = next((atom for atom in rest if atom.has(Role.DEFECT)), None)
    if flaw and not any(atom.has(Role.NOUN, Role.PERSON) for atom in rest):
        if flaw.has(Role.QUALITY):
            hint = f"Say it on its own: remove the {flaw.text}."
            return phrase.refused(Reason.AMBIGUOUS, hint)
        return phrase.refused(Reason.LOW_CONFIDENCE, f"Removing {flaw.text} is not available yet.")
    if any(scope.what == "unclear" for scope in phrase.scopes):
        return phrase.refused(Reason.AMBIGUOUS, "Name what is to be removed instead of “it”.")
    if _is_cropped(phrase) and any(atom.text in EDGING or atom.has(Role.EDGES) for atom in rest):
        return without_edges(phrase, rest)
    if not phrase.scene.boxes:
        found = _erased_if_seen(phrase, rest) or _erased_by_its_color(phrase, rest)
        return found or phrase.refused(Reason.NEEDS_REGION, _marked_for(phrase, rest))
    return _erased_in_the_box(phrase, rest)


def _marked_for(phrase: Phrase, rest: Sequence[Atom]) -> str:
    """The advice to mark it, with the words that do not tell which one it is."""
    unseen = choosing_words(phrase, rest)
    return f"Which one is meant by “{unseen}” cannot be told here. {MARK_IT}" if unseen else MARK_IT


def _erased_in_the_box(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    named = [atom for atom in rest if not _tells_which(phrase, atom)]
    if not is_noun_phrase(named, phrase) or not _is_a_thing(phrase, rest) or _lists_the_background(phrase):
        return None
    if _is_everywhere(rest):
        return phrase.refused(Reason.LOW_CONFIDENCE, "Only a thing that stands in the box can be removed.")
    if _is_beyond_something(phrase) or _is_around_something(rest):
        return phrase.refused(Reason.AMBIGUOUS, "Mark what is to go with the box, and say: remove it.")
    if any(atom.text in EYES for atom in rest):
        return phrase.refused(Reason.NEEDS_GENERATION, "What would be there instead cannot be drawn.")
    if are_apart(phrase):
        return phrase.refused(Reason.NEEDS_REGION, EACH_ITS_BOX)
    return _erased(phrase)


def _lists_the_background(phrase: Phrase) -> bool:
    """ "The background and the smoke": a box around one thing is not the background."""
    atoms, direct = phrase.clause.atoms, direct_backgrounds(phrase)
    others = {scope.what for scope in phrase.named} - {"background"}
    is_all = not others and not phrase.has(Role.NOUN, Role.PERSON)
    return (bool(direct) and is_all) or any(
        not scope.preposition and _opens_a_part(atoms[: scope.first]) for scope in direct
    )


def _opens_a_part(before: Sequence[Atom]) -> bool:
    """Whether the words before a name are a verb, an "and" or a comma."""
    last = next((atom for atom in reversed(before) if not atom.has_any(_BEFORE_A_NOUN)), None)
    return last is None or last.kind == "comma" or last.has(Role.REMOVE, Role.OUTWARD, Role.NO, Role.AND)


_BEFORE_A_NOUN = (
    *(Role.FILLER, Role.DETERMINER, Role.THIS, Role.COLOR, Role.ADJECTIVE),
    *(Role.AMOUNT, Role.WHOLE, Role.SEVERAL),
)


def _tells_which(phrase: Phrase, atom: Atom) -> bool:
    """The "not" of "the boy that does not wear a hat", the "without" of "the man without a hat"."""
    atoms = phrase.clause.atoms
    at = next(i for i, other in enumerate(atoms) if other is atom)
    leads = atom.text == "without" or any(a.text in _RELATIVE for a in atoms[max(at - 2, 0) : at])
    return atom.has(Role.NOT) and leads


_RELATIVE = frozenset({"that", "who", "which"})


def _is_everywhere(rest: Sequence[Atom]) -> bool:
    """ "The rain", "the wet atmosphere", "the rain effect": no box is around the weather."""
    head = rest[: _first_link(rest)]
    names = [atom for atom in head if atom.has(Role.NOUN) and atom.text not in {*WEATHER, "elements"}]
    is_look = bool(head) and head[-1].text in ("effect", "effects", "filter", "feel", "look", "style")
    is_fine = any(atom.text in _FINE for atom in rest)
    return is_look or is_fine or (bool(head) and head[0].text in WEATHER and not names)


_FINE = frozenset({"flyaway", "flyaways", "frizz"})  # single hairs all around a head


def _is_beyond_something(phrase: Phrase) -> bool:
    """ "What is outside of the logo", "around the photo", unlike "the two outside women"."""
    return any(
        atom.text in ("outside", "outside of", "beyond", "surrounding")
        and following.has(Role.DETERMINER, Role.THIS, Role.IT, Role.PREPOSITION, Role.MARKED)
        for atom, following in pairwise(phrase.clause.atoms)
    ) or any(scope.what == "whole" and scope.preposition == "around" for scope in phrase.scopes)


def _is_around_something(rest: Sequence[Atom]) -> bool:
    """ "The area around the logo": the box marks the logo, or the area."""
    head = rest[: _first_link(rest)]
    after = rest[len(head) : len(head) + 1]
    return bool(head) and head[-1].text in _PARTS and any(atom.text in ("around", "behind") for atom in after)


def _erased_if_seen(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    target = seen_in(phrase, rest)
    if target and is_all_of_them(target) and is_someone(target.noun):
        target = _of_many_people(phrase, target)
    return [phrase.step(Kind.REMOVE, "erase", target=target)] if target else None


def is_all_of_them(target: Target) -> bool:
    return is_plural(target.noun or "") and not (target.place or target.color or target.count)


def _of_many_people(phrase: Phrase, target: Target) -> Target | None:
    """ "All people"; who of them are men or players no eye can tell, and tourists are beside the subject."""
    words = {atom.text for atom in phrase.clause.atoms if atom.senses.get(Role.SEEN) == target.noun}
    if words <= _STRANGERS:
        return replace(target, place="background")
    return target if words <= _ANYONE else None


_ANYONE = frozenset({"people", "persons", "everyone", "humans", "individuals"})
_STRANGERS = frozenset({"crowd", "tourists", "strangers", "bystanders", "pedestrians", "photobombers"})


def _erased_by_its_color(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    """Without a box a thing is looked for by its color, and its place: "the red cup on the left"."""
    place = _closing_place(rest)
    described = [atom for atom in rest if not atom.has(*QUANTITIES, Role.THICKNESS)]
    if place or _lies_somewhere(described):
        described = described[: _first_link(described)]
    color, noun = color_and_noun(described)
    is_one = not any(atom.has(Role.NUMBER, Role.ORDINAL, Role.AND) for atom in rest)
    if noun is None or not is_one or not all(_is_wide(scope) for scope in phrase.named):
        return None
    target = Target("thing", color=color, noun=noun, place=place)
    return [phrase.step(Kind.REMOVE, "erase", target=target)]


def _lies_somewhere(described: Sequence[Atom]) -> bool:
    """ "The red toy from the cat's paws": where the one thing of its color is, in names alone."""
    at = _first_link(described)
    where = described[at + 1 :]
    is_one = at > 0 and not described[at - 1].text.endswith("s")
    is_there = any(atom.text in _LYING for atom in described[at : at + 1])
    return is_one and is_there and bool(where) and all(is_name(atom) for atom in where)


_LYING = frozenset({"from", "on", "off"})


def _is_wide(scope: Scope) -> bool:
    return scope.what == "background" and scope.preposition in ("in", "from")


def _closing_place(rest: Sequence[Atom]) -> str | None:
    """The place that ends the clause: "... in the top left corner"."""
    closing = [atom for atom in rest if atom.text not in ("corner", "side") and not atom.has(Role.AMOUNT)]
    is_last = len(closing) > 0 and closing[-1].has(Role.PLACE) and sum(a.has(Role.PLACE) for a in rest) == 1
    links = [atom for atom in closing if atom.has(Role.PREPOSITION)]
    is_linked = len(closing) > 1 and closing[-2].text in LINKS and len(links) == 1
    place = str(closing[-1].senses[Role.PLACE]) if is_last and is_linked else None
    return None if place == "all" else place


def _first_link(atoms: Sequence[Atom]) -> int:
    return next((at for at, atom in enumerate(atoms) if atom.has(Role.PREPOSITION)), len(atoms))


def color_and_noun(described: Sequence[Atom]) -> tuple[str | None, str | None]:
    """The color right before a noun of one or two words; people have no color of their own."""
    is_made = len(described) > 2 and described[0].text in MATERIALS and described[1].has(Role.COLOR)
    described = described[1:] if is_made else described  # "the metal white ladder"
    colors = [atom for atom in described if atom.has(Role.COLOR)]
    nouns = [atom for atom in described if not atom.has(Role.COLOR)]
    is_in_order = list(described) == [*colors, *nouns]
    are_names = all(is_name(atom) and not atom.has(Role.PERSON) and atom.text != "'s" for atom in nouns)
    if len(colors) != 1 or not 1 <= len(nouns) <= 2 or not is_in_order or not are_names:
        return None, None
    if nouns[-1].text in _PARTS | _LIGHT | PEOPLE or any(atom.text.endswith("'s") for atom in nouns):
        return None, None
    return str(colors[0].senses[Role.COLOR]), " ".join(atom.text for atom in nouns)


_PARTS = frozenset(
    {"part", "parts", "area", "areas", "portion", "section", "half", "space", "piece", "pieces"}
)
_LIGHT = frozenset(
    {"light", "lights", "lighting", "glow", "glare", "reflection", "reflections", "shadow", "shadows"}
)


def _is_a_thing(phrase: Phrase, rest: Sequence[Atom]) -> bool:
    """A quality cannot be cut out of a photo, and "no" alone may be an answer: "No worries"."""
    is_quality = bool(rest) and part_of_speech(rest[0], directed=True) and not rest[0].has(Role.NOUN)
    if any(atom.has(Role.CAST) for atom in rest) or (is_quality and not _describes_a_thing(phrase, rest)):
        return False
    is_colored = bool(rest) and all(atom.has(Role.COLOR, Role.WHOLE, Role.LOOK) for atom in rest)
    if is_colored and not any(_is_itself_to_go(phrase, scope) for scope in phrase.named):
        return False
    head = next((atom for atom in reversed(rest[: _first_link(rest)])), None)
    if head is not None and head.has(Role.QUALITY) and not head.has(Role.NOUN):
        return False
    if head is not None and head.has(Role.COLORS) and any(atom.has(Role.AND) for atom in rest):
        return False  # "the lamp and the dull colors"
    if any(atom.text == "as" for atom in rest) or _is_only_colored(rest):
        return False
    if _is_cropped(phrase) and any(atom.has(Role.FINDABLE) for atom in rest):
        return False  # "crop out the sky"
    if not rest and not phrase.named and phrase.clause.has(Role.PHOTO):
        return False  # "crop this photo out", "rid the photo of rain"
    is_known = any(atom.has(Role.NOUN, Role.TEXT) for atom in rest) or bool(phrase.named)
    return is_known or not phrase.core[0].has(Role.NO)


def _is_itself_to_go(phrase: Phrase, scope: Scope) -> bool:
    """The box of "remove the black box", unlike that of "take the blue out of the box"."""
    before = phrase.clause.atoms[scope.first - 1].text if scope.first else ""
    return not scope.preposition and before not in ("out of", "off of")


def _is_only_colored(rest: Sequence[Atom]) -> bool:
    """ "The red from my ears" is a color, and "the whites" may be anything."""
    named = rest[: _first_link(rest)]
    is_colored = all(atom.has(Role.COLOR) and not atom.has(Role.NOUN) for atom in named)
    return is_colored and 0 < len(named) < len(rest)


def _is_cropped(phrase: Phrase) -> bool:
    return phrase.core[0].text.startswith("crop")


def _describes_a_thing(phrase: Phrase, rest: Sequence[Atom]) -> bool:
    """ "The blurry person", "the dark spot"; "blur from the face" is a quality."""
    atoms = phrase.clause.atoms
    at = next(i for i, atom in enumerate(atoms) if atom is rest[0])
    named = any(
        atom.has(Role.PERSON)
        or (atom.has(Role.NOUN) and not atom.has(Role.QUALITY))
        or atom.text in ("shadow", "reflection")
        for atom in atoms[at + 1 : at + 2]
    )
    return named and rest[0].has(Role.ADJECTIVE)


def _erased(phrase: Phrase) -> Answer:
    boxes = list(dict.fromkeys(b for scope in phrase.scopes if scope.what == "region" for b in scope.boxes))
    missing = [box for box in boxes if box not in phrase.scene.boxes]
    if missing:
        return phrase.refused(Reason.NEEDS_REGION, f"There is no box {missing[0]}. Mark it first.")
    target = Target("region", boxes=tuple(boxes) or phrase.scene.boxes)
    return [phrase.step(Kind.REMOVE, "erase", target=target)]
