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
from editor.engine.language.lexicon.roles import VERBS
from editor.engine.language.lists import drops_a_wish, leaves_out
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
from editor.engine.language.placing import ONE_BY_ONE
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
from editor.engine.plan import Kind, Reason, Refusal, Step


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
        if all(step.operation in _OF_OTHER_PHOTOS for step in answer):
            return answer
        if any(_changes_nothing(step) for step in answer):
            return phrase.refused(Reason.AMBIGUOUS, "Nothing would change.")
        if len(phrase.scene.boxes) > 1 and _tells_a_box_by_its_place(phrase):
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
        if any(_is_beside(phrase, step) for step in answer):
            return phrase.refused(Reason.NEEDS_REGION, "Mark what is to change with a box.")
    return other_photo(phrase) or answer


_OF_OTHER_PHOTOS = frozenset({"photo_background", "sticker", "collage"})


def _named_in_passing(clause: Clause, scene: Scene) -> Refusal | None:
    """ "This is photo 2. Brighten it." """
    phrase = taken_apart(clause, scene, "") if scene.photos > 1 else None
    return other_photo(phrase) if phrase and set(phrase.photos) - {1} else None


_BESIDE = frozenset({"around", "behind", "against"})


def _is_beside(phrase: Phrase, step: Step) -> bool:
    """ "Darken around the box": the box says where, and is not what changes."""
    landmarks = {scope.what for scope in phrase.named if scope.preposition in _BESIDE}
    landmarks |= {"subject"} if "person" in landmarks else set()
    return (
        step.operation != "crop"
        and step.kind is not Kind.ADD
        and step.target.what in landmarks - {"background"}
    )


def _is_about_the_new_ground(phrase: Phrase) -> bool:
    """ "..., not too blurry" behind "change the background to a beach": it is not about the photo."""
    is_of_it = phrase.antecedent == NEW_BACKGROUND and phrase.clause.joint == "and" and not phrase.scopes
    return is_of_it and bool(phrase.core) and phrase.core[0].has(Role.NOT, Role.LESS, Role.TOO)


def _forgets_a_place(phrase: Phrase, steps: Sequence[Step]) -> bool:
    """Whether of "make the background a blurry office" only a blur is left."""
    ends = [scope.after for scope in direct_backgrounds(phrase)]
    after = phrase.clause.atoms[ends[0] :] if ends else []
    is_another = any(atom.has(Role.GROUND) for atom in after) and after[0].text in _BECOMING
    return is_another and all(step.kind is Kind.COLOR for step in steps)


_BECOMING = frozenset({"a", "an", "to", "into"})


def _tells_a_box_by_its_place(phrase: Phrase) -> bool:
    """ "The left box"."""
    return any(
        left.has(Role.PLACE) and right.text in ("box", "marked area", "marked place")
        for left, right in pairwise(phrase.clause.atoms)
    )


def _lacks_its_box(phrase: Phrase) -> bool:
    """ "The man in the box", where there is none."""
    is_marked = any(atom.has(Role.MARKED) and atom.text != "here" for atom in phrase.clause.atoms)
    return is_marked and not phrase.scene.boxes and any(scope.what == "region" for scope in phrase.named)


def _changes_nothing(step: Step) -> bool:
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
    telling = [atom for atom in clause.telling if not atom.has(Role.DETERMINER, Role.BE)]
    is_asked = clause.has(Role.BE)  # "is this possible?"
    if is_asked and all(atom.has(Role.IT, Role.THIS) for atom in telling):
        return True
    if all(is_one_photo(atom) for atom in telling):  # "photo for a school project"
        return True
    return not telling or (_is_mere_edit(telling[0]) and all(_is_the_photo(atom) for atom in telling[1:]))


def _is_mere_edit(atom: Atom) -> bool:
    """ "Edit the photo and ...", "make it so that ..." has said nothing yet."""
    return atom.text == "make" or (atom.has(Role.ADJUST) and atom.text.startswith(("photoshop", "edit")))


def _is_the_photo(atom: Atom) -> bool:
    return atom.has(Role.PHOTO, Role.IT, Role.THIS)
