"""Clauses that give a thing another color: "turn the red car blue"."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from editor.engine.kinds import is_someone
from editor.engine.language.forms import LINKS
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, cast_of
from editor.engine.language.lexicon.seen import HAIR_COLORS
from editor.engine.language.lexicon.things import ANIMALS, MATERIALS, SINGLE_PHOTO
from editor.engine.language.parts import FURRED, part_named
from editor.engine.language.phrases import Answer, Phrase, Scope
from editor.engine.language.placing import boxes_told, findable, is_noun_phrase, placed_scope
from editor.engine.language.seen import seen_thing
from editor.engine.language.tone import is_tinge
from editor.engine.plan import Kind, Reason, Refusal, Target


def recolored(phrase: Phrase) -> Answer | None:
    """ "turn the red car blue", "change the color of the car from red to blue"."""
    if not phrase.core or not phrase.core[0].has_any(_COLORING):
        return None
    is_boxed = bool(phrase.scene.boxes) and not any(atom.has(Role.AND) for atom in phrase.core)
    is_all = is_boxed or _is_all_of_a_color(phrase)  # all the flowers in the box, all the red
    needless = (Role.COLORS, Role.WHOLE) if is_all else (Role.COLORS,)
    told = [
        a for at, a in enumerate(phrase.core) if at == 0 or not (a.has_any(needless) or a.text in _LOOKING)
    ]
    core = _without_an_echo(told)
    if core[-1:] and core[-1].text in ("in color", "in colour"):
        core.pop()  # "make the cup red in color"
    core = _with_its_shade(_without_its_hue(_without_what_changes(core)))
    if len(core) < 2 or not core[-1].has(Role.COLOR):
        return None
    swaps = core[0].senses.get(Role.REPLACE) == "swap" and core[-2].text != "for"
    if core[-2].has(Role.AND) or swaps:
        return None
    things = [atom for atom in core[1:-1] if atom.text not in LINKS or atom.has(Role.COLOR)]
    if not all(_is_of_a_name(atom, phrase) for atom in things) or _swaps_things(phrase, core, things):
        return None
    if sum(atom.text in ("to", "into", "with") for atom in core) > 1:
        return None
    if core[-2].has(Role.COLOR) and core[-2].text.endswith("ish"):  # "bluish white" is one color
        return phrase.refused(Reason.AMBIGUOUS, "Name one color, such as light blue.")
    if is_tinge(core[-1]) or _names_another_thing(phrase, core) or _is_of_a_tint(phrase, things):
        return None
    return _recolored(phrase, things, str(core[-1].senses[Role.COLOR]))


_LOOKING = frozenset({"look", "appear"})


def _is_all_of_a_color(phrase: Phrase) -> bool:
    core, is_listed = phrase.core, any(atom.has(Role.AND) for atom in phrase.clause.atoms)
    return len(core) > 2 and core[1].has(Role.WHOLE) and core[2].has(Role.COLOR) and not is_listed


def recolored_part(phrase: Phrase) -> Answer | None:
    """ "Make her hair blonde", "change the color of the man's shirt to red", "whiten my teeth"."""
    answer = _recolored_part(phrase)
    return _in_the_boxes(answer, phrase.scene.boxes) if phrase.scene.boxes else answer


def _in_the_boxes(answer: Answer | None, boxes: tuple[int, ...]) -> Answer | None:
    """Hair and teeth are looked for in a box as well, and people; other parts are what stands out in it."""
    if not isinstance(answer, list) or not all(_is_found_in_a_box(step.target.noun) for step in answer):
        return None
    return [
        replace(step, target=replace(step.target, what="region", place=None, boxes=boxes)) for step in answer
    ]


def _is_found_in_a_box(noun: str | None) -> bool:
    return noun in ("hair", "teeth") or is_someone(noun)


def _recolored_part(phrase: Phrase) -> Answer | None:
    atoms = _without_courtesy([atom for atom in phrase.clause.atoms if atom.kind != "comma"])
    start = next((at + 1 for at, atom in enumerate(atoms) if phrase.core and atom is phrase.core[0]), 0)
    if not start:
        return None
    if atoms[start - 1].has(Role.TONE):
        return _whitened(phrase, atoms[start - 1], atoms[start:])
    if not atoms[start - 1].has_any(_COLORING) or start == len(atoms) or _draws(atoms[start - 1 : start + 1]):
        return None
    if atoms[-1].text in ("whiter", "brighter"):
        return _whitened(phrase, atoms[-1], atoms[start:-1])
    goal, named = _parted(atoms[start:])
    target = part_named(_without_two_colors(named)) or _whole_figure(phrase, named)
    color = _goal_color(goal, target)
    if target is None or color is None:
        return None
    if target.color == color:
        return phrase.refused(Reason.AMBIGUOUS, "Nothing would change.")
    amount = _WHITER if (target.noun, color) == ("teeth", "white") else None
    return [phrase.step(Kind.COLOR, "recolor", target=target, color=color, amount=amount)]


def _without_two_colors(named: Sequence[Atom]) -> list[Atom]:
    """ "The shirt" of "the red and white shirt": no eye looks for both."""
    at = next((at for at, atom in enumerate(named) if at and atom.has(Role.AND)), 0)
    colors = [atom for atom in named[max(at - 1, 0) : at + 2] if atom.has(Role.COLOR)]
    return [*named[: at - 1], *named[at + 2 :]] if at and len(colors) == 2 else list(named)


def _without_courtesy(atoms: list[Atom]) -> list[Atom]:
    while len(atoms) > 1 and atoms[-1].has(Role.FILLER):
        atoms = atoms[:-1]
    return atoms


def _draws(opening: Sequence[Atom]) -> bool:
    """ "Paint a flower red" may ask for a new one."""
    return opening[0].has(Role.PAINT) and opening[-1].text in ("a", "an")


def _whitened(phrase: Phrase, word: Atom, rest: Sequence[Atom]) -> Answer | None:
    """Teeth as white as they can be without looking painted, or as much as is asked."""
    amounts = [atom for atom in rest if atom.has(Role.AMOUNT)]
    target = part_named([atom for atom in rest if atom not in amounts])
    is_of_teeth = target is not None and target.noun == "teeth" and not target.color
    if not is_of_teeth or len(amounts) > 1 or not word.text.startswith(("white", "whiten", "bright")):
        return None
    amount = float(str(amounts[0].senses[Role.AMOUNT])) if amounts else _WHITER
    return [phrase.step(Kind.COLOR, "recolor", target=target, color="white", amount=min(amount, _WHITEST))]


_WHITER, _WHITEST = 0.45, 0.8


def _parted(atoms: Sequence[Atom]) -> tuple[list[Atom], list[Atom]]:
    """The new color, with what leads to it, and what gets it."""
    atoms = atoms[:-1] if _is_an_echo(atoms) else atoms
    first = len(atoms) - 1
    while first > 0 and _leads_to_a_color(atoms[first - 1]):
        first -= 1
    named = _before_the_change(list(atoms[:first]))
    of = next((at for at, atom in enumerate(named) if atom.text == "of"), 0)
    if of and all(atom.has(Role.COLORS, Role.DETERMINER) or atom.text in _HUES for atom in named[:of]):
        named = named[of + 1 :]
    return list(atoms[first:]), named


def _is_an_echo(atoms: Sequence[Atom]) -> bool:
    """The "one" of "a red one", the second shirt of "the shirt to a red shirt"."""
    parts = [atom.senses[Role.PART] for atom in atoms[:-1] if atom.has(Role.PART)]
    is_again = atoms[-1].text == "one" or atoms[-1].senses.get(Role.PART) in parts
    return len(atoms) > 2 and is_again and atoms[-2].has(Role.COLOR)


def _before_the_change(named: list[Atom]) -> list[Atom]:
    """Without the "from brown" of "from brown to red"."""
    is_told = len(named) > 2 and named[-2].text == "from" and named[-1].has(Role.COLOR)
    return named[:-2] if is_told else named


def _leads_to_a_color(atom: Atom) -> bool:
    return atom.has(Role.SHADE, Role.DETERMINER) or atom.text in _LEADING


_LEADING = frozenset({"to", "into", "in", "with", "of", "shade", "tone", "hue", "be", *_LOOKING})


def _goal_color(goal: Sequence[Atom], target: Target | None) -> str | None:
    """ "Red", "a lighter shade of brown"; blonde is a color of hair alone."""
    last = goal[-1]
    hair = HAIR_COLORS.get(last.text)
    is_of_hair = target is not None and (target.noun == "hair" or target.noun in FURRED)
    if hair and is_of_hair:
        return hair
    if not last.has(Role.COLOR) or is_tinge(last):
        return None
    shades = [str(atom.senses[Role.SHADE]) for atom in goal[:-1] if atom.has(Role.SHADE)]
    return " ".join([*shades[:1], str(last.senses[Role.COLOR])])


def _whole_figure(phrase: Phrase, named: Sequence[Atom]) -> Target | None:
    """ "Change the color of the man to pink": all of him, which only "color" or "paint" can ask for."""
    asks = phrase.has(Role.COLORS) or phrase.core[0].has(Role.PAINT)
    target = seen_thing(named) if asks and named else None
    return target if target is not None and is_someone(target.noun) else None


_COLORING = frozenset({Role.MAKE, Role.CHANGE, Role.PAINT, Role.REPLACE, Role.ADJUST})


def _is_of_a_name(atom: Atom, phrase: Phrase) -> bool:
    """A box holds what more words name: "the frame next to the door"."""
    if atom.text in ("almost", "nearly"):
        return False
    is_boxed = bool(phrase.scene.boxes) and atom.has_any(_OF_A_BOX)
    return is_boxed or atom.has(Role.COLOR, Role.NOUN, Role.CAST) or atom.is_unknown


_OF_A_BOX = (Role.TEXT, Role.SCENE, Role.BORDER, Role.PREPOSITION, Role.PLACE, Role.VAGUE)


def _without_what_changes(core: list[Atom]) -> list[Atom]:
    """The thing of "change the hue of the car to red", as of "the color of the car"."""
    is_of = len(core) > 4 and core[1].text in _HUES and core[2].text == "of"
    return [core[0], *core[3:]] if is_of and core[0].has(Role.CHANGE) else core


_HUES = frozenset({"hue", "hues", "shade"})


def _without_its_hue(core: list[Atom]) -> list[Atom]:
    """ "Dye the car in a red hue"."""
    is_painted = len(core) > 2 and core[0].has(Role.PAINT)
    return core[:-1] if is_painted and core[-1].has(Role.CAST) and core[-2].has(Role.COLOR) else core


def _swaps_things(phrase: Phrase, core: Sequence[Atom], things: Sequence[Atom]) -> bool:
    """ "Replace the cup with an orange", "change the pears to oranges": no wish for the color of a thing."""
    is_colored = any(atom.has(Role.COLOR) for atom in things) or phrase.has(Role.COLORS)
    if sum(atom.has(Role.PLACE) for atom in things) > 1:
        return True  # "the left part blue and the right part red"
    return core[-1].text == "oranges" or (core[0].has(Role.REPLACE) and not is_colored)


def _with_its_shade(core: Sequence[Atom]) -> list[Atom]:
    """ "To a lighter shade of brown" as "to light brown"."""
    if len(core) < 4 or core[-2].text != "of" or core[-3].text not in ("shade", "tone", "hue"):
        return list(core)
    shades = [str(atom.senses[Role.SHADE]) for atom in core[-4:-3] if atom.has(Role.SHADE)]
    named = " ".join([*shades, str(core[-1].senses.get(Role.COLOR))])
    return [*core[: -3 - len(shades)], replace(core[-1], senses={Role.COLOR: named})]


def _is_of_a_tint(phrase: Phrase, things: Sequence[Atom]) -> bool:
    """ "Change the red tint to blue" is about no red thing."""
    casts = [at for at, atom in enumerate(things) if atom.has(Role.CAST) and atom.text not in _MANY_TONES]
    return bool(casts) and (casts[0] == 0 or not phrase.scene.boxes)


_MANY_TONES = frozenset({"tones", "hues", "shades"})
"""What has them is red in many places: "change the red tones to purple"."""


def _without_an_echo(core: Sequence[Atom]) -> list[Atom]:
    """ "Change the pink hat to a red hat", "the black wall to a white one": without the second name."""
    named = {atom.text for atom in core[:-1] if atom.has(Role.NOUN)}
    is_echo = (
        len(core) > 3 and core[-2].has(Role.COLOR) and (core[-1].text in named or core[-1].text == "one")
    )
    return list(core[:-1] if is_echo else core)


def _names_another_thing(phrase: Phrase, core: Sequence[Atom]) -> bool:
    """ "turn him into a green frog" is not about a color."""
    goal = next((at for at, atom in enumerate(core) if atom.text in ("to", "into", "with")), len(core))
    stray = any(not atom.has(Role.COLOR) and atom.text not in LINKS for atom in core[goal:])
    people = [scope for scope in phrase.named if scope.what in ("person", "face")]
    return stray or not all(phrase.scene.boxes and _is_a_landmark(phrase, scope) for scope in people)


def _is_a_landmark(phrase: Phrase, scope: Scope) -> bool:
    """The person of "the bin next to the person"."""
    before = phrase.clause.atoms[max(scope.first - 1, 0)]
    return before.has(Role.PREPOSITION) or scope.preposition in ("behind", "in", "on", "against")


def _recolored(phrase: Phrase, things: Sequence[Atom], color: str) -> Answer:
    if color == "gray" and not things and not phrase.named and phrase.scopes:
        return [phrase.step(Kind.COLOR, "black_and_white")]
    tint = cast_of(color)
    if tint and not things and _is_of_the_photo(phrase):
        return [phrase.step(Kind.COLOR, tint.operation, amount=_ALL_OVER, color=tint.color)]
    steps = []
    for named in _listed(phrase, things):
        target = _thing(phrase, named, color) if named else _recolored_scope(phrase)
        if isinstance(target, Refusal):
            return target
        if target.color == color:
            return phrase.refused(Reason.AMBIGUOUS, "Nothing would change.")
        steps.append(phrase.step(Kind.COLOR, "recolor", target=target, color=color))
    return steps


def _listed(phrase: Phrase, things: Sequence[Atom]) -> list[list[Atom]]:
    """ "The bikes and the cars" as two things, where both are found by their names; a box holds them all."""
    listed: list[list[Atom]] = [[]]
    for thing, following in zip_longest(things, things[1:]):
        listed[-1].append(thing)
        if following is not None and _are_joined(phrase, thing, following):
            listed.append([])
    is_found = all(one[-1:] and one[-1].has(Role.SEEN) and findable(one, phrase) for one in listed)
    is_found = is_found and len(listed) > 1 and not phrase.scene.boxes
    return listed if is_found else [list(things)]


def _are_joined(phrase: Phrase, thing: Atom, following: Atom) -> bool:
    atoms = phrase.clause.atoms
    places = [at for at, atom in enumerate(atoms) if atom is thing or atom is following]
    return any(atom.has(Role.AND) or atom.kind == "comma" for atom in atoms[slice(*places)])


_ALL_OVER = 0.8  # as strong as a tint gets without hiding the photo


def _is_of_the_photo(phrase: Phrase) -> bool:
    """ "Turn the whole photo purple" is a tint; "make it purple" may be about a thing."""
    heads = [phrase.clause.atoms[scope.after - 1] for scope in phrase.scopes]
    return bool(heads) and not phrase.named and all(head.text in SINGLE_PHOTO for head in heads)


def _thing(phrase: Phrase, things: Sequence[Atom], goal: str) -> Target | Refusal:
    end = next((at for at, atom in enumerate(things) if at and _tells_where(phrase, atom)), len(things))
    head = _without_its_material(things[:end])  # and without its place
    colors = [str(atom.senses[Role.COLOR]) for atom in head if atom.has(Role.COLOR)]
    nouns = [atom.text for atom in head if not atom.has(Role.COLOR, Role.CAST, Role.MARKED)]
    color, noun = colors[0] if len(colors) == 1 else None, _name(nouns)
    if phrase.scene.boxes and is_noun_phrase(things, phrase):
        return Target("region", color=color, noun=noun, boxes=boxes_told(phrase))
    if goal != "green" and not phrase.named and _are_green(things):
        return Target("thing", color="green", noun=noun)
    if nouns and not color and not phrase.named and end == len(things):
        animal = _an_animal(head[-1], nouns) or _of_two_colors(head[-1], colors)
        if animal:
            return animal
    if color and not phrase.named and len(nouns) <= 1:
        return Target("thing", color=color, noun=noun)
    found = findable([*head, *things[end:]], phrase) if not phrase.named else ()
    if len(found) == 1 and not is_someone(found[0].noun):
        return found[0]
    hint = "Name its color, as in “the red car”, or mark it with a box."
    return phrase.refused(Reason.NO_SUCH_TARGET, hint)


def _an_animal(head: Atom, nouns: Sequence[str]) -> Target | None:
    """One that no eye of the engine knows is the subject: there is seldom another one beside it."""
    return (
        Target("subject")
        if nouns == [head.text] and head.text in ANIMALS and not head.has(Role.SEEN)
        else None
    )


def _of_two_colors(head: Atom, colors: Sequence[str]) -> Target | None:
    """ "The black and white cat" is the one that is seen."""
    is_seen = len(colors) > 1 and head.has(Role.SEEN) and not is_someone(str(head.senses[Role.SEEN]))
    return Target("thing", noun=str(head.senses[Role.SEEN])) if is_seen else None


def _are_green(named: Sequence[Atom]) -> bool:
    """Leaves of which no color is told; the plan says what is taken for granted."""
    is_told = any(atom.has(Role.COLOR) or atom.text in MATERIALS | _WITHERED for atom in named)
    return not is_told and named[-1].text in _GREEN


_GREEN = frozenset({"leaves", "foliage", "ivy", "hedge"})  # trees in the shade are hardly green
_WITHERED = frozenset({"dead", "dry", "dried", "fallen", "withered", "old", "autumn", "fall", "burnt"})


def _without_its_material(head: Sequence[Atom]) -> list[Atom]:
    """ "The leather bag", "the cotton white hat": what it is of is never looked for."""
    made = [atom for atom in head[:-1] if atom.text not in MATERIALS or atom.has(Role.COLOR)]
    return [*made, *head[-1:]]


def _tells_where(phrase: Phrase, atom: Atom) -> bool:
    """ "Next to", and the left of "on the left", unlike a tank top."""
    atoms = [other for other in phrase.clause.atoms if not other.has(Role.DETERMINER)]
    at = next(i for i, other in enumerate(atoms) if other is atom)
    return atom.has(Role.PREPOSITION) or (atom.has(Role.PLACE) and atoms[at - 1].has(Role.PREPOSITION))


def _name(nouns: Sequence[str]) -> str | None:
    return " ".join(nouns).replace(" 's", "'s").removesuffix("'s") or None


def _recolored_scope(phrase: Phrase) -> Target | Refusal:
    named = phrase.named
    if len(named) == 1 and named[0].what in ("subject", "background", "region", "unclear"):
        place = placed_scope(phrase, named[0])
        return place.refusal or place.targets[0]
    if not named and phrase.scene.boxes and any(atom.has(Role.THIS) for atom in phrase.clause.atoms):
        return Target("region", boxes=phrase.scene.boxes)
    hint = "Say what gets the new color, as in “make the red car blue”, or mark it with a box."
    return phrase.refused(Reason.AMBIGUOUS, hint)
