"""From a clause to steps: what kind of clause it is, and the rules that are tried on it in turn.

A rule that leaves a word unclaimed does not apply, so a clause is carried out whole or refused with the
person's own words. A scope that cannot be found is a refusal; it never becomes the whole photo.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.language.forms import by_form
from editor.engine.language.forms.counts import counted
from editor.engine.language.forms.moves import moved
from editor.engine.language.grammar import Atom, Clause, Measure, is_packing
from editor.engine.language.landmarks import by_landmark
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.lexicon.connectives import ABOVE, BELOW, BESIDE
from editor.engine.language.lexicon.roles import VERBS
from editor.engine.language.lists import drops_a_wish, leaves_out
from editor.engine.language.marking import tells_one_of_them
from editor.engine.language.phrases import (
    NEW_BACKGROUND,
    Answer,
    Phrase,
    Scene,
    direct_backgrounds,
    missing_photo,
    other_photo,
    taken_apart,
)
from editor.engine.language.placing import ONE_BY_ONE, is_beside_the_marked
from editor.engine.language.proportions import keeps_proportions
from editor.engine.language.props import added_props
from editor.engine.language.protections import protecting, protection
from editor.engine.language.purposes import as_a_wish, is_purpose
from editor.engine.language.readings import Reading, reading_of
from editor.engine.language.recoloring import recolored, recolored_part
from editor.engine.language.refusals import not_understood
from editor.engine.language.removal import removed
from editor.engine.language.replacing import replaced_by_prop
from editor.engine.language.rewriting import rewritten
from editor.engine.language.scopes import is_one_photo
from editor.engine.language.states import colorizing, without_states
from editor.engine.language.tone import toned
from editor.engine.language.wishes import Wish
from editor.engine.plan import Kind, Reason, Refusal


def read(clause: Clause, scene: Scene, *, before: Reading) -> Reading:
    """The steps that a clause asks for, or why it is refused; `before` is the clause before it."""
    if _asks_about_the_past(clause):
        return Reading(refusal=taken_apart(clause, scene, "").refused(Reason.AMBIGUOUS, _NO_WISH))
    if _says_nothing(clause) or is_purpose(clause, before):
        is_vague = any(_is_mere_edit(atom) for atom in clause.atoms)
        about = "whole" if any(is_one_photo(atom) for atom in clause.atoms) else before.about
        return Reading(about=about, refusal=_named_in_passing(clause, scene), is_vague=is_vague)
    if clause.opening.has(Role.MODERATE) and all(is_packing(a) or a is clause.opening for a in clause.atoms):
        return _moderated(clause, scene, before)
    if _is_mere_fix(clause, before) or keeps_proportions(clause, before):
        return Reading(about=before.about)
    if _may_be_of_the_addition(clause, before):
        hint = "Say what is to be so: the photo, or what is added."
        return Reading(refusal=taken_apart(clause, scene, "").refused(Reason.AMBIGUOUS, hint))
    clause = without_states(as_a_wish(clause))
    if before.keep or (before.about == "whole" and all(step.operation == "tint" for step in before.steps)):
        clause = replace(clause, atoms=[_of_the_rest(atom) for atom in clause.atoms])
    is_look = clause.has(Role.LOOK, Role.STYLE)
    phrase = taken_apart(clause, scene, before.about, None if is_look else before.thing)
    wrong_photo = missing_photo(phrase)
    if wrong_photo:
        return Reading(refusal=wrong_photo)
    if clause.opening.has(Role.KEEP, Role.WITHOUT, Role.EXCEPT):
        return protecting(clause.opening, protection(phrase, before))
    return reading_of(phrase, _checked(phrase, _answer(phrase)))


def _asks_about_the_past(clause: Clause) -> bool:
    """ "Did you add a tree?" asks for none."""
    opening = [atom.text for atom in clause.atoms[:2]]
    return opening in (["did", "you"], ["have", "you"]) and clause.opening.has_any(VERBS)


def _may_be_of_the_addition(clause: Clause, before: Reading) -> bool:
    """The "rotated" of "write "hi" here, rotated", the "blurred" of "photo 2 as the background, blurred"."""
    telling = clause.telling
    if len(telling) != 1 or not before.steps or clause.joint == "stop":
        return False
    last = before.steps[-1]
    return telling[0].text.endswith("ed") and (last.kind is Kind.ADD or last.operation == "photo_background")


_NO_WISH = "That asks about the past. Say what is to be done, for example: make it brighter."


def _moderated(clause: Clause, scene: Scene, before: Reading) -> Reading:
    """ "But not too much", of a change that could be smaller."""
    if before.is_tonal or any(step.operation == "enhance" for step in before.steps):
        return Reading(about=before.about, is_moderate=True)
    return Reading(refusal=not_understood(taken_apart(clause, scene, "")))


def _of_the_rest(atom: Atom) -> Atom:
    """ "Keep the red car and make the rest gray": all of the photo, for the car is kept. So
    it is after a tint, which is everywhere: "less yellow, and brighten the rest"."""
    return replace(atom, senses={Role.PHOTO: atom.text}) if atom.has(Role.REST) else atom


def _checked(phrase: Phrase, answer: Answer) -> Answer:
    """An accepted step is charged, so it has to change something, and on the photo that is meant."""
    if not isinstance(answer, Refusal):
        if any(step.operation == "collage" for step in answer) and phrase.has(Role.BORDER, Role.FRAME):
            return phrase.refused(Reason.AMBIGUOUS, "Ask for the border in a sentence of its own.")
        if all(step.operation in _OF_OTHER_PHOTOS for step in answer):
            return answer
        if any(_changes_nothing(step) for step in answer):
            return phrase.refused(Reason.AMBIGUOUS, "Nothing would change.")
        if tells_one_of_them(phrase, answer):
            return phrase.refused(Reason.AMBIGUOUS, "Say which box by its number, as in “box 1”.")
        if leaves_out(phrase, answer) or drops_a_wish(phrase, answer):
            return phrase.refused(Reason.AMBIGUOUS, ONE_BY_ONE)
        if _is_about_the_new_ground(phrase):
            return phrase.refused(Reason.AMBIGUOUS, "Say what is to be so: the photo, or the background.")
        if _forgets_a_place(phrase, answer):
            hint = "Say only the place, as in “change the background to a city”: it is out of focus."
            return phrase.refused(Reason.AMBIGUOUS, hint)
        if _lacks_its_box(phrase) and any(step.operation != "trim" for step in answer):
            return phrase.refused(Reason.NEEDS_REGION, "No box was marked. Mark the place with a box.")
        if any(step.operation in ("text", "watermark") for step in answer) and _drops_its_place(phrase):
            return phrase.refused(Reason.AMBIGUOUS, 'Say only the text and where: add "Hello" at the top.')
        if _adds_beside_the_box(phrase, answer):
            return phrase.refused(Reason.NEEDS_REGION, "Mark the place where it is to go with the box.")
        if any(step.operation == "recolor" for step in answer) and _leaves_a_choice(phrase):
            return phrase.refused(Reason.AMBIGUOUS, "Say one color.")
        if any(_is_beside(phrase, step) for step in answer):
            return phrase.refused(Reason.NEEDS_REGION, "Mark what is to change with a box.")
    return other_photo(phrase) or answer


_OF_OTHER_PHOTOS = frozenset({"photo_background", "sticker", "collage"})


def _named_in_passing(clause: Clause, scene: Scene) -> Refusal | None:
    """ "This is photo 2. Brighten it." """
    phrase = taken_apart(clause, scene, "") if scene.photos > 1 else None
    return other_photo(phrase) if phrase and set(phrase.photos) - {1} else None


def _leaves_a_choice(phrase: Phrase) -> bool:
    """ "Make it red or blue"."""
    atoms = phrase.clause.atoms
    ors = [at for at in range(1, len(atoms) - 1) if atoms[at].text == "or"]
    return any(atoms[at - 1].has(Role.COLOR) and atoms[at + 1].has(Role.COLOR) for at in ors)


def _drops_its_place(phrase: Phrase) -> bool:
    """ "20 pixels from the left", "in place of the logo", and "below", of what was named before."""
    texts = [atom.text for atom in phrase.clause.atoms if not atom.has(Role.FILLER)]
    is_measured = phrase.has(Role.MEASURE) and "from" in texts
    is_instead = "instead of" in texts or ("place", "of") in pairwise(texts)
    return is_measured or is_instead or texts[-1] in ABOVE | BELOW


def _adds_beside_the_box(phrase: Phrase, steps: Sequence[Wish]) -> bool:
    """ "Add a tree next to this", "a cup left of it": the box is around what is there already."""
    added = [step.target.what for step in steps if step.kind is Kind.ADD and step.place not in _PLACED]
    if not phrase.scene.boxes or set(added) <= {"background"}:
        return False
    atoms = phrase.clause.atoms
    last = next((at for at in range(len(atoms) - 1, 0, -1) if not atoms[at].has(Role.FILLER)), 0)
    return atoms[last].has(Role.IT, Role.THIS) and atoms[last - 1].text in _PLACING


_PLACED = frozenset({"above", "next to", "left of", "right of"})  # of the box, as a step says it
_PLACING = ABOVE | BELOW | BESIDE | {"behind", "left of", "right of", "of"}
_BESIDE = frozenset({"around", "behind", "against"})


def _is_beside(phrase: Phrase, step: Wish) -> bool:
    """ "Darken around the box": the box says where, and is not what changes."""
    landmarks = {scope.what for scope in phrase.named if scope.preposition in _BESIDE}
    landmarks |= {"subject"} if "person" in landmarks else set()
    if step.operation == "crop" or step.kind is Kind.ADD:
        return False
    is_in_the_box = step.kind in (Kind.COLOR, Kind.REMOVE) and step.target.what == "region"
    is_by_the_box = is_in_the_box and is_beside_the_marked(phrase.clause.atoms)
    return is_by_the_box or step.target.what in landmarks - {"background"}


def _is_about_the_new_ground(phrase: Phrase) -> bool:
    """ "..., not too blurry" behind "change the background to a beach": it is not about the photo."""
    is_of_it = phrase.antecedent == NEW_BACKGROUND and phrase.clause.joint == "and" and not phrase.scopes
    return is_of_it and bool(phrase.core) and phrase.core[0].has(Role.NOT, Role.LESS, Role.TOO)


def _forgets_a_place(phrase: Phrase, steps: Sequence[Wish]) -> bool:
    """Whether of "make the background a blurry office" only a blur is left."""
    ends = [scope.after for scope in direct_backgrounds(phrase)]
    after = phrase.clause.atoms[ends[0] :] if ends else []
    is_another = any(atom.has(Role.GROUND) for atom in after) and after[0].text in _BECOMING
    return is_another and all(step.kind is Kind.COLOR for step in steps)


_BECOMING = frozenset({"a", "an", "to", "into"})


def _lacks_its_box(phrase: Phrase) -> bool:
    """ "The man in the box", where there is none."""
    if phrase.scene.boxes or not phrase.clause.has(Role.MARKED):
        return False
    is_marked = any(atom.has(Role.MARKED) and atom.text != "here" for atom in phrase.clause.atoms)
    return is_marked and any(scope.what == "region" for scope in phrase.named)


def _changes_nothing(step: Wish) -> bool:
    value, unit = step.exact or (None, "")
    if value is None or step.operation == "resize":
        return step.amount == 0 or value == 100
    return step.amount == 0 or value == 0 or (unit == "degrees" and value % 360 == 0)


def _is_mere_fix(clause: Clause, before: Reading) -> bool:
    """ "... please fix it", "... adjust the brightness", of what was just complained about."""
    if not before.is_complaint:
        return False
    telling = [atom for atom in clause.telling if not atom.has(Role.DETERMINER)]
    is_graded = any(atom.has(Role.AMOUNT) for atom in telling)
    fixes = bool(telling) and (
        telling[0].text in _FIXING or _repeats(telling[0], before, is_graded=is_graded)
    )
    moved = {_LIGHT_OF.get(step.operation, step.operation) for step in before.steps}
    return fixes and all(_is_mended(atom, moved) for atom in telling[1:])


def _is_mended(atom: Atom, moved: set[str]) -> bool:
    tone = atom.senses.get(Role.QUALITY)
    is_moved = isinstance(tone, Tone) and _LIGHT_OF.get(tone.operation, tone.operation) in moved
    return is_moved or atom.has(Role.IT, Role.THIS, Role.AMOUNT)


_LIGHT_OF = {"exposure": "brightness", "low_light": "brightness"}


_FIXING = frozenset({"fix", "correct", "fixed", "fix up", "repair", "adjust", "get rid of", "remove"})


def _repeats(atom: Atom, before: Reading, *, is_graded: bool) -> bool:
    """The "tone down" of "it's too bright, tone it down", the "brighten" of "it's too dark, brighten it"."""
    sign = -1 if atom.has(Role.LOWER) else 1 if atom.has(Role.RAISE) else 0
    if sign:
        return all((step.amount or 0.0) * sign > 0 for step in before.steps)
    tone = atom.senses.get(Role.TONE)
    if not isinstance(tone, Tone) or is_graded:
        return False
    return any(
        step.operation == tone.operation and (step.amount or 0.0) * tone.sign > 0 for step in before.steps
    )


def _answer(phrase: Phrase) -> Answer:
    for attempt in _ATTEMPTS:
        answer = attempt(phrase)
        if answer is not None:
            return answer
    return not_understood(phrase)


_ATTEMPTS = (
    *(rewritten, colorizing, removed, replaced_by_prop, counted, moved, added_props, by_landmark),
    *(recolored_part, by_form, recolored, toned),
)


def amount_alone(clause: Clause) -> float | None:
    """The percentage that is all of a clause: "By 30%."."""
    telling = [atom for atom in clause.telling if atom.text not in ("by", "about")]
    measure = telling[0].senses.get(Role.MEASURE) if len(telling) == 1 else None
    is_share = isinstance(measure, Measure) and measure.unit == "percent" and 0 < measure.value <= 100
    return measure.value if isinstance(measure, Measure) and is_share else None


def _says_nothing(clause: Clause) -> bool:
    """Mere courtesy."""
    telling = [atom for atom in clause.telling if _SMALL.isdisjoint(atom.senses)]
    is_asked = clause.has(Role.BE)  # "is this possible?"
    if is_asked and all(atom.has(Role.IT, Role.THIS) for atom in telling):
        return True
    if all(is_one_photo(atom) for atom in telling):  # "photo for a school project"
        return True
    return not telling or (_is_mere_edit(telling[0]) and all(_is_the_photo(atom) for atom in telling[1:]))


_SMALL = frozenset({Role.DETERMINER, Role.BE})


def _is_mere_edit(atom: Atom) -> bool:
    """ "Edit the photo and ...", "make it so that ..." has said nothing yet."""
    return atom.text == "make" or (atom.has(Role.ADJUST) and atom.text.startswith(("photoshop", "edit")))


def _is_the_photo(atom: Atom) -> bool:
    return atom.has(Role.PHOTO, Role.IT, Role.THIS)
