"""Clauses that take something away: a thing, text, flaws, the background, a tint."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.kinds import is_plural, is_someone, kinds_of
from editor.engine.language.erasing import LINKS, MARK_IT, QUANTITIES, is_all_of_them, removed_thing
from editor.engine.language.fading import faded
from editor.engine.language.forms.backgrounds import UNLOVED
from editor.engine.language.forms.crops import cropped_off
from editor.engine.language.forms.form import is_name
from editor.engine.language.forms.healing import healed
from editor.engine.language.forms.trims import cropped_along, trimmed, without_much_background, without_room
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import SUBJECTS
from editor.engine.language.lists import EACH_ITS_BOX
from editor.engine.language.phrases import (
    Answer,
    Phrase,
    Scope,
    direct_backgrounds,
    is_about_the_subject,
    taken_apart,
)
from editor.engine.language.placing import boxed
from editor.engine.language.wishes import Wish
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Target

_PARTICLES = {"out", "off", "away", "out of", "off of"}


def removed(phrase: Phrase) -> Answer | None:
    filled = _filled_with_its_surroundings(phrase)
    if filled is not None:
        return filled
    phrase = _with_fruit(phrase)
    core = _in_order(_beginning(phrase.core))
    if not core or not _is_removing(core[0], core) or _is_an_answer(phrase):
        return None
    phrase = replace(phrase, core=core)
    rest = [atom for atom in core[1:] if not (atom.text in _PARTICLES and core[0].has(Role.OUTWARD))]
    each = None if any(atom.has(Role.EXCEPT) for atom in rest[:1]) else _each_removed(phrase)
    if each:
        return each
    if _may_be_kept(phrase):
        hint = "Say “isolate it” to keep only that, or “erase it” to remove it."
        return phrase.refused(Reason.AMBIGUOUS, hint)
    if _takes_the_photo_too(phrase):
        return phrase.refused(Reason.AMBIGUOUS, "Name each thing that is to be removed.")
    for attempt in (
        cropped_along,
        trimmed,
        without_much_background,
        without_room,
        _emptied,
        _bared,
        _removed_background,
        _cut_off,
        _removed_flaw,
        _a_light,
        faded,
        _erased_text,
        removed_thing,
    ):
        answer = attempt(phrase, rest)
        if answer is not None:
            is_crowded = isinstance(answer, Refusal) and answer.hint == EACH_ITS_BOX
            return (is_crowded and _beside_the_marked(phrase)) or answer
    return None


def _a_light(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    """ "Remove the light in the corner", with a box: what shines there, and not the light of the photo."""
    names = [atom for atom in rest if not atom.has(Role.COLOR, Role.PLACE, Role.PREPOSITION)]
    is_light = bool(names) and all(atom.text in ("light", "lights", "glow", "corner") for atom in names)
    is_there = any(atom.has(Role.PLACE) or atom.text == "corner" for atom in rest)
    if not (is_light and is_there and phrase.scene.boxes) or phrase.named:
        return None
    return [phrase.step(Kind.REMOVE, "erase", target=boxed(phrase))]


def _beside_the_marked(phrase: Phrase) -> list[Wish] | None:
    """ "The thumb and the dog", with one box: the dog is found by its name, so the thumb is marked."""
    atoms = phrase.clause.atoms
    verb = next(at for at, atom in enumerate(atoms) if atom is phrase.core[0])
    parts = _parts(_without_courtesy(atoms[verb + 1 :]))
    scene = replace(phrase.scene, boxes=())
    if len(phrase.scene.boxes) != 1 or len(parts) < 2:
        return None
    steps, marked = list[Wish](), 0
    for part in parts:
        clause = replace(phrase.clause, atoms=[*atoms[: verb + 1], *part])
        bare = removed(taken_apart(clause, scene, phrase.antecedent))
        is_found = isinstance(bare, list) and all(_is_told(step) for step in bare)
        answer = bare if is_found else removed(taken_apart(clause, phrase.scene, phrase.antecedent))
        marked += not is_found
        if not isinstance(answer, list) or marked > 1:
            return None
        steps += answer
    is_each = len({(step.operation, step.target) for step in steps}) == len(steps)
    needs_none = isinstance(removed(taken_apart(phrase.clause, scene, phrase.antecedent)), list)
    return steps if is_each and (marked or needs_none) else None


def _is_told(step: Wish) -> bool:
    """Whether its words tell which thing goes; "the people" may be those in a box."""
    is_seen = step.operation == "erase" and bool(kinds_of(step.target.noun))
    return is_seen and not step.target.boxes and not is_all_of_them(step.target)


def _filled_with_its_surroundings(phrase: Phrase) -> Answer | None:
    """ "Replace the man with more grass", "with the background": what is around him closes the gap anyway."""
    if not phrase.core or not phrase.core[0].has(Role.REPLACE):
        return None
    atoms = phrase.clause.atoms
    verb = next(at for at, atom in enumerate(atoms) if atom is phrase.core[0])
    link = next((at for at, atom in enumerate(atoms) if atom.text in ("with", "by")), len(atoms))
    if verb >= link or not _are_surroundings(atoms[link + 1 :]):
        return None
    removing = replace(atoms[verb], senses={Role.REMOVE: "replace"})
    clause = replace(phrase.clause, atoms=[removing, *atoms[verb + 1 : link]])
    answer = removed(taken_apart(clause, phrase.scene, phrase.antecedent))
    is_erased = isinstance(answer, list) and all(step.operation == "erase" for step in answer)
    return answer if is_erased else None


def _are_surroundings(atoms: Sequence[Atom]) -> bool:
    telling = [atom for atom in atoms if not atom.has(Role.DETERMINER, Role.FILLER)]
    if telling[:1] and telling[0].has(Role.BACKGROUND):
        return len(telling) == 1
    is_more = len(telling) > 1 and (telling[0].has(Role.MORE) or telling[0].text in ("surrounding", "around"))
    return is_more and all(
        (is_name(atom) or atom.text in ("/", "and", "or")) and not atom.has(Role.SEEN, Role.PERSON)
        for atom in telling[1:]
    )


def _each_removed(phrase: Phrase) -> Answer | None:
    """ "The background and the text": a list whose parts are taken away in ways of their own; None where one
    of them is not, or where a box may be around any of them."""
    atoms = phrase.clause.atoms
    verb = next(at for at, atom in enumerate(atoms) if atom is phrase.core[0])
    parts = _each_in_the_background(_parts(_without_courtesy(atoms[verb + 1 :])))
    is_list = any(atom.has(Role.AND) for atom in atoms[verb + 1 :])
    if len(parts) < 2 or not is_list or phrase.core[0].has(Role.NO) or atoms[verb].text.startswith("crop"):
        return None
    steps: list[Wish] = []
    for part in parts:
        clause = replace(phrase.clause, atoms=[*atoms[: verb + 1], *part])
        answer = removed(taken_apart(clause, phrase.scene, phrase.antecedent))
        if not isinstance(answer, list) or not all(_is_sure_in_a_list(step) for step in answer):
            return None
        steps += answer
    is_each = len({(step.operation, step.target) for step in steps}) == len(steps) == len(parts)
    if (
        not is_each
        or _may_be_beside_both(parts, steps)
        or (_says_which(parts[-1]) and any(is_all_of_them(step.target) for step in steps[:-1]))
    ):
        return None
    steps = _as_one_group(steps)
    return steps if _are_people_told_apart(steps) else None


def _parts(atoms: Sequence[Atom]) -> list[list[Atom]]:
    parts: list[list[Atom]] = [[]]
    for atom in atoms:
        if atom.kind == "comma" or (atom.has(Role.AND) and not atom.has(Role.LOOK)):
            parts.append([])
        else:
            parts[-1].append(atom)
    return [part for part in parts if part]


def _without_courtesy(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """A list without its closing ", please"."""
    last = max((at for at, atom in enumerate(atoms) if atom.kind == "comma"), default=len(atoms))
    return atoms[:last] if all(atom.has(Role.FILLER) for atom in atoms[last + 1 :]) else atoms


def _each_in_the_background(parts: list[list[Atom]]) -> list[list[Atom]]:
    """ "The people and the dog in the background": both are there."""
    last = parts[-1] if parts else []
    link = next((at for at, atom in enumerate(last) if atom.has(Role.PREPOSITION)), len(last))
    where = last[link:]
    is_there = any(atom.has(Role.BACKGROUND) for atom in where) and not any(
        is_name(atom) or atom.has(Role.PLACE, Role.COLOR) for atom in where
    )
    is_shared = is_there and not any(atom.has_any(_TELLING_WHERE) for part in parts[:-1] for atom in part)
    return [[*part, *where] for part in parts[:-1]] + [last] if is_shared else parts


_TELLING_WHERE = (Role.PREPOSITION, Role.PLACE, Role.BACKGROUND, Role.SUBJECT)


_SIDES = frozenset({"side", "corner", "back", "front"})


def _says_which(part: Sequence[Atom]) -> bool:
    """Whether a part ends with what may be said of the parts before it, too: "the cars and the people behind
    the bus"."""
    link = next((at for at, atom in enumerate(part) if atom.has(Role.PREPOSITION)), len(part))
    return any(not atom.has(Role.PREPOSITION, Role.DETERMINER, Role.THIS, Role.PHOTO) for atom in part[link:])


def _may_be_beside_both(parts: Sequence[Sequence[Atom]], steps: Sequence[Wish]) -> bool:
    """ "The man with the umbrella and the bag", "the girl between the man and the woman": what follows the
    "and" may only say which one is meant."""
    return any(
        _names_another(part, ("in", "wearing") if is_someone(following.target.noun) else ())
        and not (after[0].text in ("his", "her", "their") or (step.target.place and following.target.place))
        for (part, step), (after, following) in pairwise(zip(parts, steps, strict=True))
    )


def _names_another(part: Sequence[Atom], worn: Sequence[str]) -> bool:
    """Whether something else is named behind the thing itself; `worn` are the words for what is worn."""
    link = next(
        (at for at, atom in enumerate(part) if atom.has(Role.PREPOSITION) and atom.text not in worn),
        len(part),
    )
    return any(
        is_name(atom) and not atom.has(Role.PHOTO, Role.BACKGROUND) and atom.text not in _SIDES
        for atom in part[link:]
    )


def _is_sure_in_a_list(step: Wish) -> bool:
    """Whether the step is about that part alone: a tint may be of several."""
    is_sure = step.kind is not Kind.COLOR or step.operation in ("denoise", "dehaze")
    return is_sure and step.target.what != "region"


def _as_one_group(steps: list[Wish]) -> list[Wish]:
    """ "The man and the woman on the left" are two people there: faces do not tell who is which."""
    targets = [step.target for step in steps]
    places = {target.place for target in targets[:-1]} - {None, targets[-1].place}
    are_people = all(
        step.operation == "erase" and is_someone(step.target.noun) and not is_plural(step.target.noun or "")
        for step in steps
    )
    if not are_people or places or any(target.color for target in targets):
        return steps
    group = Target("thing", noun="people", place=targets[-1].place, count=len(steps))
    return [replace(steps[-1], target=group, words=(steps[0].words[0], steps[-1].words[1]))]


def _are_people_told_apart(steps: Sequence[Wish]) -> bool:
    """Each of several people needs a place or a color of their own, one beside things does not."""
    people = [step.target for step in steps if step.operation == "erase" and is_someone(step.target.noun)]
    told = {(target.place, target.color) for target in people} - {(None, None)}
    return len(people) < 2 or len(told) == len(people)


def _may_be_kept(phrase: Phrase) -> bool:
    """ "Crop out just the boys": all else may be to go."""
    atoms = phrase.clause.atoms
    verb = next(at for at, atom in enumerate(atoms) if atom is phrase.core[0])
    is_cropped = atoms[verb].text.startswith("crop")
    return is_cropped and any(atom.text in ("just", "only") for atom in atoms[verb + 1 :])


def _takes_the_photo_too(phrase: Phrase) -> bool:
    """ "Remove the text and the picture": a picture in the photo, which nothing else is known of."""
    atoms = [atom for atom in phrase.clause.atoms if not atom.has(Role.DETERMINER, Role.FILLER)]
    return any(
        left.has(Role.AND) and right.has(Role.PHOTO) and not right.has(Role.WHOLE)
        for left, right in pairwise(atoms[1:])
    )


def _beginning(core: Sequence[Atom]) -> Sequence[Atom]:
    """From the verb on: "completely remove it" and "a PNG with no background" begin later."""
    at = next((at for at, atom in enumerate(core) if atom.has(Role.REMOVE, Role.NO)), 0)
    leads = all(
        atom.has(Role.AMOUNT, Role.MAKE) or atom.text in ("png", "with", "file") for atom in core[:at]
    )
    if leads:
        return core[at:]
    is_made = core[0].has(Role.MAKE) and core[at].text in _DONE  # "make the dog on the left disappear"
    return core[1:] if is_made else core


def _in_order(core: Sequence[Atom]) -> list[Atom]:
    """ "The tree removed", "the man taken out": the verb first, where only names stand before it."""
    at = next((i for i, atom in enumerate(core) if atom.text in _DONE), None)
    if not at or not all(_is_described(atom) for atom in core[:at]):
        return list(core)
    return [core[at], *core[:at], *core[at + 1 :]]


_DONE = frozenset(
    {
        *("removed", "deleted", "erased", "taken out", "edited out", "cropped out", "shopped out"),
        *("photoshopped out", "airbrushed out", "cleaned out", "cut away", "taken away", "go away"),
        *("gone", "disappear", "vanish", "eliminated", "removal"),
    }
)


def _with_fruit(phrase: Phrase) -> Phrase:
    """ "Oranges", "the orange in the corner" are colors to be lessened, and fruit to be removed."""
    fruit = {id(a): replace(a, senses={Role.NOUN: a.text}) for a in phrase.core if _is_a_fruit(phrase, a)}
    if not fruit:
        return phrase
    atoms = [fruit.get(id(atom), atom) for atom in phrase.clause.atoms]
    core = [fruit.get(id(atom), atom) for atom in phrase.core]
    return replace(phrase, clause=replace(phrase.clause, atoms=atoms), core=core)


def _is_a_fruit(phrase: Phrase, atom: Atom) -> bool:
    if atom.text not in ("orange", "oranges"):
        return False
    atoms = phrase.clause.atoms
    at = next(i for i, other in enumerate(atoms) if other is atom)
    lies = any(left.has(Role.PLACE) and right.text == "corner" for left, right in pairwise(atoms[at + 1 :]))
    is_one = atom.text == "orange" and [other.text for other in atoms[at + 1 : at + 2]] in (["in"], ["on"])
    return atom.text == "oranges" or (is_one and lies)


def _is_described(atom: Atom) -> bool:
    return is_name(atom) or atom.has(
        *(
            Role.COLOR,
            Role.PLACE,
            Role.PREPOSITION,
            Role.THICKNESS,
            Role.WRITTEN,
            Role.FLAW,
            Role.AND,
            Role.NUMBER,
        ),
        *QUANTITIES,
    )


def _is_removing(opening: Atom, core: Sequence[Atom]) -> bool:
    if opening.has(Role.REMOVE, Role.NO):
        return True
    return (
        opening.has(Role.OUTWARD)
        and any(atom.text in _PARTICLES for atom in core[1:])
        and not _has_measure(core)
    )


def _is_an_answer(phrase: Phrase) -> bool:
    """ "No, darker", "no more than 10%", "no rain, just snow": not only that something is to go."""
    atoms = phrase.clause.atoms
    at = next((at for at, atom in enumerate(atoms) if atom.has(Role.NO)), len(atoms))
    after = [atom.text for atom in atoms[at + 1 :]]
    if at == len(atoms):
        return False
    return after[:1] in ([], [","]) or after[:2] == ["more", "than"] or not {"just", "only"}.isdisjoint(after)


def _has_measure(core: Sequence[Atom]) -> bool:
    is_bare = any(atom.kind == "number" for atom in core) and not any(is_name(atom) for atom in core)
    return is_bare or any(atom.has(Role.MEASURE, Role.RATIO, Role.SIZE) for atom in core)


def _emptied(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    """ "Remove everything but the dog" cuts the dog out."""
    if not rest or not rest[0].has(Role.EXCEPT):
        return None
    telling = (Role.NUMBER, Role.AND) if phrase.scene.boxes else (*_TELLING_WHICH, Role.NUMBER, Role.AND)
    is_told_apart = any(atom.has_any(telling) for atom in rest)
    is_shown = len(rest) == 1 and [scope.boxes for scope in phrase.scopes] == [phrase.scene.boxes or None]
    if not is_shown and (is_told_apart or not is_about_the_subject(replace(phrase, core=list(rest[1:])))):
        return phrase.refused(Reason.NEEDS_REGION, _ISOLATE)
    return [phrase.step(Kind.BACKGROUND, "transparent_background", target=Target("background"))]


_ISOLATE = "Mark what is to stay with a box, and say: isolate it."
_TELLING_WHICH = (Role.PLACE, Role.COLOR)  # what a box shows


def _bared(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    """ "Remove everything behind the dog" cuts the dog out."""
    atoms = [atom for atom in phrase.clause.atoms if not atom.has(Role.DETERMINER, Role.FILLER)]
    at = next((at for at, atom in enumerate(atoms) if atom.text in _ALL_THERE), len(atoms))
    if at + 2 >= len(atoms) or atoms[at + 1].text not in ("behind", "around", "surrounding"):
        return None
    if not all(is_name(atom) or atom.has(Role.PERSON, Role.SUBJECT) for atom in atoms[at + 2 :]):
        return None
    subjects = [atom.text in SUBJECTS or atom.has(Role.PERSON, Role.SUBJECT) for atom in atoms[at + 2 :]]
    if not phrase.scene.boxes and not all(subjects):
        return phrase.refused(Reason.NEEDS_REGION, _ISOLATE)
    return [phrase.step(Kind.BACKGROUND, "transparent_background", target=Target("background"))]


_ALL_THERE = frozenset({"everything", "everything else", "all"})


def _removed_background(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    direct = direct_backgrounds(phrase)
    others = [scope for scope in phrase.named if scope.what not in ("background", "subject", "person")]
    others += [
        scope for scope in phrase.named if scope.what == "background" and scope.preposition in _PLACING
    ]
    loose = [atom for atom in rest if not (atom.has(*_DESCRIBING) or atom.text in UNLOVED)]
    if any(float(str(atom.senses[Role.AMOUNT])) < 1 for atom in rest if atom.has(Role.AMOUNT)):
        return None  # "a lot of the background" is cropped, and not cut out
    if len(direct) != 1 or others or phrase.scopes[0] != direct[0] or not _only_says_of_what(loose):
        return None
    return [phrase.step(Kind.BACKGROUND, "transparent_background", target=Target("background"))]


_DESCRIBING = (Role.WHOLE, Role.COLOR, Role.AMOUNT, Role.ADJECTIVE)


def _only_says_of_what(atoms: Sequence[Atom]) -> bool:
    """ "... from this logo", "... around the bottle"."""
    around = ("from", "of", "around", "behind", "in", "on", *_POSING)
    leads = not atoms or atoms[0].text in around
    return leads and all(atom.text in around or is_name(atom) for atom in atoms)


_POSING = ("holding", "wearing", "sitting", "standing", "with")
_PLACING = ("in", "from", "on", "at")


def _cut_off(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    """ "Crop out the bottom" is a crop; "crop out the dog" is not."""
    crops = phrase.core[0].has(Role.CROP) or phrase.core[0].text.startswith("crop")
    crops = crops or (not phrase.scene.boxes and any(_is_a_share(atom) for atom in rest))
    is_side = all(
        atom.has(Role.PLACE, Role.AMOUNT) or _is_a_share(atom) or atom.text in _OF_A_SIDE for atom in rest
    )
    if not crops or phrase.named or not is_side or not any(atom.has(Role.PLACE) for atom in rest):
        return None
    return cropped_off(phrase, {role: atom for atom in rest for role in (Role.AMOUNT,) if atom.has(role)})


def _is_a_share(atom: Atom) -> bool:
    """The "half" of "remove the bottom half of the photo"."""
    return atom.has(Role.FRACTION) or atom.text == "third"


_OF_A_SIDE = frozenset({"of", "from", "and", "part", "side", "portion", "entire", "whole"})


def _removed_flaw(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    flaws = [atom for atom in rest if atom.has(Role.FLAW)]
    if flaws and any(atom.has(Role.COLOR) and atom.text.endswith("ness") for atom in rest):
        hint = "Say each wish on its own, for example: remove the acne. Make the skin less red."
        return phrase.refused(Reason.AMBIGUOUS, hint)
    described = all(
        atom.has(Role.FLAW, Role.COLOR, Role.THICKNESS, Role.ADJECTIVE, *QUANTITIES)
        or atom.text in (*LINKS, "skin", "visible")
        for atom in rest
    )
    if phrase.scene.boxes and all(flaw.senses[Role.FLAW] == "crease" for flaw in flaws):
        return None  # a long crease in a box is filled like a thing
    is_here = all(scope.what in _OF_FLAWS for scope in phrase.named)
    return healed(phrase, flaws) if flaws and described and is_here else None


_OF_FLAWS = frozenset({"face", "person", "subject", "region"})


def _erased_text(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    """Letters that stand on the photo; a watermark in a box may be more than letters."""
    written = [atom for atom in rest if atom.has(Role.WRITTEN)]
    rest = _without_its_wording(phrase, rest)
    plain = all(
        atom.has(Role.WRITTEN, Role.PLACE, Role.COLOR, Role.THICKNESS, *QUANTITIES) or atom.text in LINKS
        for atom in rest
    )
    is_behind = bool(phrase.named) and all(map(_is_behind, phrase.named)) and not phrase.scene.boxes
    if not written or not plain or not (is_behind or all(s.what == "region" for s in phrase.named)):
        return None
    choices = list(dict.fromkeys(str(atom.senses[Role.WRITTEN]) for atom in written))
    place = next((str(atom.senses[Role.PLACE]) for atom in rest if atom.has(Role.PLACE)), None)
    if place == "all" or ("watermark" in choices and phrase.scene.boxes):
        return None
    if len(choices) > 1 and (place or phrase.scene.boxes):
        return None
    if not phrase.scene.boxes and "text" in choices and any(map(_tells_one_text, rest)):
        return phrase.refused(Reason.NEEDS_REGION, MARK_IT)
    target = boxed(phrase) if phrase.scene.boxes else Target("background") if is_behind else WHOLE
    values = {"place": place, "target": target}
    return [phrase.step(Kind.REMOVE, "erase_text", choice=choice, **values) for choice in choices]


def _without_its_wording(phrase: Phrase, rest: Sequence[Atom]) -> Sequence[Atom]:
    """ "The text of a soap company" in a box, which shows what the letters say."""
    at = next((at for at, atom in enumerate(rest) if atom.text in ("of", "saying", "that says")), len(rest))
    is_marked = bool(phrase.scene.boxes) and at > 0 and rest[at - 1].has(Role.WRITTEN)
    is_wording = all(is_name(atom) or atom.has(Role.STYLE, Role.UNAVAILABLE) for atom in rest[at + 1 :])
    return rest[:at] if is_marked and is_wording else rest


def _is_behind(scope: Scope) -> bool:
    return scope.what == "background" and scope.preposition in _PLACING


def _tells_one_text(atom: Atom) -> bool:
    """ "The white text", "the small words", "some of the text": there may be others."""
    amount = atom.senses.get(Role.AMOUNT)
    return atom.has(Role.COLOR, Role.THICKNESS) or (amount is not None and float(str(amount)) < 1)
