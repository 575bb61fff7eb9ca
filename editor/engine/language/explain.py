"""The whole instruction: clauses are read in order and become a plan that can be shown to a person."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from editor.engine.kinds import is_someone
from editor.engine.language import grammar, lexicon, reader
from editor.engine.language.beside import beside_the_box, changed_when_gone
from editor.engine.language.describe import says
from editor.engine.language.framing import framed
from editor.engine.language.grammar import Atom, Clause
from editor.engine.language.keeping import WHICH, is_told_apart, spared
from editor.engine.language.lexicon.grounds import DRAWN_PLACES
from editor.engine.language.marking import (
    are_half_marked,
    in_one_place,
    in_the_box,
    in_the_boxes,
    one_too_many,
)
from editor.engine.language.offers import Offer, drawn_instead
from editor.engine.language.phrases import Scene
from editor.engine.language.readings import Reading, shared
from editor.engine.language.restating.comparing import as_one_photo
from editor.engine.language.restating.idioms import of_all
from editor.engine.language.restating.shaping import shaped
from editor.engine.language.rewriting import written_over
from editor.engine.language.scopes import is_one_photo
from editor.engine.language.stories import quieted
from editor.engine.language.tone import MORE, UNMARKED
from editor.engine.language.wishes import Wish
from editor.engine.plan import WHOLE, BadStep, Kind, Plan, Reason, Refusal, Step, Target
from editor.options import Region

_LONGEST_QUOTE = 80


def explain(
    instruction: str, *, photos: int = 1, regions: Sequence[Region] = (), partial: bool = False
) -> Plan:
    """The plan for an instruction in English, about `photos` supplied photos and the boxes `regions`.

    Never raises: what cannot be carried out stands in `not_understood`, in the person's own words.
    """
    plan = _planned(instruction, photos, regions, partial)
    return plan if plan.accepted or partial else _with_offer(plan, photos, regions)


def _planned(instruction: str, photos: int, regions: Sequence[Region], partial: bool = False) -> Plan:
    """The plan, without an offer of what could be done instead."""
    if not instruction.strip():
        return Plan(instruction, partial=partial, message="Prompt is required")
    if _is_foreign(instruction):
        return _in_another_language(instruction, partial)
    boxes = tuple(number for number, region in enumerate(regions, 1) if region.image == 1)
    if regions and not boxes:
        return _marked_elsewhere(instruction, regions[0].image, partial)
    scene = Scene(instruction, photos, boxes)
    return _plan(scene, _read(scene), partial)


def _with_offer(plan: Plan, photos: int, regions: Sequence[Region]) -> Plan:
    """The refused plan, with what would be done if the things that are to be added were drawn; as it is where
    that would be refused, too."""
    offers = {refusal.words: drawn_instead(refusal) for refusal in plan.not_understood}
    found = {words: offer for words, offer in offers.items() if offer}
    instead = _rephrased(plan, found)
    if instead is None:
        return plan
    if _planned(instead, photos, regions).accepted:
        told = _told(plan, found, _AS_EMOJI)
        return replace(
            plan, not_understood=told, message=f"{_message(told)} Say: “{instead}”.", instead=instead
        )
    if not regions and _planned(instead, photos, _ANYWHERE).accepted:
        told = _told(plan, found, _IN_A_BOX)
        return replace(plan, not_understood=told, message=_message(told))
    return plan


def _rephrased(plan: Plan, offers: Mapping[str, Offer]) -> str | None:
    """The instruction with the offers in place of the refused words; None where these cannot be told from the
    same words elsewhere, or nothing changes."""
    instead = plan.instruction
    for words, offer in offers.items():
        if instead.count(words) != sum(refusal.words == words for refusal in plan.not_understood):
            return None
        instead = instead.replace(words, offer.words)
    instead = instead.strip()
    return instead if offers and instead != plan.instruction else None


def _told(plan: Plan, offers: Mapping[str, Offer], advice: str) -> tuple[Refusal, ...]:
    """The refusals for which there is an offer, with the advice that makes it hold."""
    hints = {words: f"There is no photo of {offer.name} here. {advice}" for words, offer in offers.items()}
    told = [refusal for refusal in plan.not_understood if refusal.words in hints]
    return tuple(Refusal(refusal.words, Reason.NEEDS_GENERATION, hints[refusal.words]) for refusal in told)


_AS_EMOJI = "It can be added as a drawn emoji."
_IN_A_BOX = "Mark the place with a box, and it can be added as a drawn emoji."
_ANYWHERE = (Region(0.0, 0.0, 1.0, 1.0),)


def _marked_elsewhere(instruction: str, photo: int, partial: bool) -> Plan:
    """Whatever is asked of a box on another photo would be done to all of photo 1."""
    hint = f"The box is on photo {photo}. Only photo 1 is changed: mark the place there."
    refusal = Refusal(instruction.strip(), Reason.NEEDS_REGION, hint)
    return Plan(instruction, (), (refusal,), partial, _message((refusal,)))


def _read(scene: Scene) -> list[Reading]:
    readings: list[Reading] = []
    told: list[tuple[Clause, Reading]] = []  # what each reading is of, and the one before it
    atoms = grammar.atoms(scene.instruction)
    found = quieted(shaped(atoms, scene))
    found = of_all(found) if not scene.boxes else found
    found = as_one_photo(found) if scene.photos == 1 and not scene.boxes else found
    before = Reading(about="whole" if _tells_of_the_photo(atoms, found) else "")
    for clause in grammar.clauses(found):
        reading = reader.read(clause, scene, before=before)
        exact = reader.amount_alone(clause)
        last = next((at for at in range(len(readings) - 1, -1, -1) if readings[at].steps), -1)
        if exact and readings and readings[last].is_tonal:
            readings[last] = _measured(readings[last], exact)
            continue
        if reading.is_moderate and readings:
            readings[last] = _tempered(readings[last], is_told=told[last][0].has(lexicon.Role.AMOUNT))
            continue
        if clause.joint == "or" and readings and readings[-1].steps and not _forbids(clause):
            continue  # of two ways the first is taken
        is_of_all = bool(reading.steps) and all(step.target == WHOLE for step in reading.steps)
        if clause.joint == "purpose" and is_of_all and readings and readings[-1].is_vague:
            readings[-1] = Reading()  # "change the hue to make it warmer": only the second half tells how
        readings.append(reading)
        told.append((clause, before))
        is_new = bool(reading.steps) or reading.is_vague or not before.steps
        before = reading if is_new else replace(before, about=reading.about)
    readings = beside_the_box(told, readings, scene)
    readings = shared(readings, [clause.joint for clause, _ in told], scene.instruction)
    readings = in_the_boxes(in_one_place(readings), scene)
    readings = spared(told, readings, scene)
    readings = framed([clause for clause, _ in told], readings, scene)
    is_night = lexicon.Role.NIGHT in grammar.roles_of(found)
    return [_lit(reading) for reading in readings] if is_night else readings


def _forbids(clause: Clause) -> bool:
    return clause.has(lexicon.Role.NOT)


def _tells_of_the_photo(atoms: Sequence[Atom], found: Sequence[Atom]) -> bool:
    """ "I found this photo of my grandmother. Can you make it sharper?": "it" is the photo."""
    shown = {atom.start for atom in atoms if is_one_photo(atom)}
    return bool(shown) and not shown <= {atom.start for atom in found if atom.has(lexicon.Role.PHOTO)}


def _measured(reading: Reading, percent: float) -> Reading:
    """ "Brighten it. By 30%.": the number belongs to the sentence before it."""
    steps = tuple(
        replace(
            step, amount=percent / 100 * (1 if (step.amount or 0) > 0 else -1), exact=(percent, "percent")
        )
        for step in reading.steps
    )
    return replace(reading, steps=steps)


def _tempered(reading: Reading, *, is_told: bool) -> Reading:
    """ "Brighten it, but not too much": a little; of an amount that was told ("quite a bit") a medium one."""
    most = _MEDIUM if is_told else _A_LITTLE
    return replace(reading, steps=tuple(_at_most(most, step) for step in reading.steps))


_A_LITTLE, _MEDIUM = 0.2, 0.35


def _at_most(most: float, step: Wish) -> Wish:
    """No more than that, in its own direction; a number that was given stays."""
    amount = max(-most, min(most, step.amount or 0.0))
    return step if step.exact or step.amount is None else replace(step, amount=amount)


def _lit(reading: Reading) -> Reading:
    """ "Taken at night, too dark": light is brought back where it is missing, not everywhere."""
    return replace(reading, steps=tuple(_low_light(step) for step in reading.steps))


def _low_light(step: Wish) -> Wish:
    is_brightening = step.operation == "brightness" and (step.amount or 0.0) > 0 and step.exact is None
    return replace(step, operation="low_light") if is_brightening and step.target == WHOLE else step


def _plan(scene: Scene, readings: Sequence[Reading], partial: bool) -> Plan:
    instruction = scene.instruction
    steps = _merged(step for reading in readings for step in reading.steps)
    steps = steps if any(step.keep for step in steps) else in_the_box(steps, scene)
    refusals = tuple(reading.refusal for reading in readings if reading.refusal)
    refusals += tuple(_contradictory(instruction, step) for step in steps if _spares_itself(step, step.keep))
    refusals += (_half_marked(instruction),) if are_half_marked(readings) else ()
    refusals += tuple(_of_another_box(instruction, step) for step in changed_when_gone(steps))
    again = written_over(steps)
    refusals += (_of_another_box(instruction, again),) if again else ()
    crowded = one_too_many(readings)
    refusals += (_of_another_box(instruction, crowded.steps[0]),) if crowded and not refusals else ()
    refusals += (_two_backgrounds(instruction),) if _replaces_twice(steps) and not refusals else ()
    typed, undeclared = _typed(instruction, steps)
    told = tuple(replace(step, says=_said(step, typed, scene)) for step in typed)
    refusals += undeclared
    if not told and not refusals:
        refusals = (_nothing_asked(instruction),)
    plan = Plan(instruction, told, refusals, partial)
    return plan if plan.accepted else replace(plan, message=_message(refusals))


def _typed(instruction: str, wishes: Sequence[Wish]) -> tuple[tuple[Step, ...], tuple[Refusal, ...]]:
    """The wishes with typed parameters; what no operation takes is refused with its words."""
    steps, refusals = list[Step](), list[Refusal]()
    for wish in wishes:
        try:
            steps.append(wish.step)
        except BadStep as error:
            refusals.append(Refusal(instruction[slice(*wish.words)], Reason.AMBIGUOUS, str(error)))
    return tuple(steps), tuple(refusals)


def _said(step: Step, steps: Sequence[Step], scene: Scene) -> str:
    """The step in words; a box that no step names shows what a new background leaves."""
    said = says(step)
    if step.kind is Kind.BACKGROUND and not step.target.noun:
        named = {number for other in steps for target in other.targets for number in target.boxes}
        said += ", all but what is marked" * (not named.issuperset(scene.boxes))
    if len(scene.boxes) < 2:
        return said
    return said.replace("what the box marks", "what box 1 marks").replace("the marked place", "box 1")


def _half_marked(instruction: str) -> Refusal:
    hint = "Say what the box is for, for example: brighten the box, and make the whole photo warmer."
    return Refusal(instruction.strip(), Reason.AMBIGUOUS, hint)


def _replaces_twice(steps: Sequence[Wish]) -> bool:
    """ "A white background and no background"; and nothing of a plain one can be blurred."""
    behind = [step.ground for step in steps if step.ground]
    is_blurred = "blurred" in behind and not {"plain", "none"}.isdisjoint(behind)
    return sum(ground != "blurred" for ground in behind) > 1 or is_blurred


def _two_backgrounds(instruction: str) -> Refusal:
    hint = "There can only be one background. Say only the last one: a color, a place, blurred, or none."
    return Refusal(instruction.strip(), Reason.AMBIGUOUS, hint)


def _merged(steps: Iterable[Wish]) -> list[Wish]:
    """ "Remove the background and make it white" is one change, and so is "sharpen it, make it sharper"."""
    merged: list[Wish] = []
    for step in steps:
        last = merged[-1] if merged else None
        if last and last.ground == "none" and step.ground in ("plain", "picture"):
            target = last.target if last.target.noun and not step.target.noun else step.target
            merged[-1] = replace(step, target=target, words=(last.words[0], step.words[1]))
        elif last and last.choice in DRAWN_PLACES and step.ground == "blurred":
            continue  # its pictures are out of focus
        elif step.exact is None and any(
            _is_same(step, other) or _says_it_again(step, other) for other in merged
        ):
            merged = [_as_marked(other, step) for other in merged]
        else:
            merged.append(step)
    return merged


def _as_marked(step: Wish, again: Wish) -> Wish:
    """ "It's too dark, brighten it a lot": of two amounts the one that is told counts."""
    is_told = step.amount in _UNTOLD and again.amount not in _UNTOLD
    return replace(step, amount=again.amount) if is_told and _says_it_again(again, step) else step


_UNTOLD = (UNMARKED, MORE, -UNMARKED, -MORE)


def _of_another_box(instruction: str, step: Wish) -> Refusal:
    hint = "Mark each of the two places with its own box, in the order in which they are named."
    return Refusal(instruction[slice(*step.words)], Reason.AMBIGUOUS, hint)


def _spares_itself(step: Wish, keep: Sequence[Target]) -> bool:
    """ "Remove the people except the couple": whoever is kept cannot be told from the others; "the one in
    red" can."""
    is_thing = step.operation == "erase" and step.target.what == "thing"
    is_seen = is_thing and (not step.target.color or is_someone(step.target.noun))
    is_one_box = step.kind is Kind.COLOR and step.target.what == "region"
    is_one_box = is_one_box and any(kept == replace(step.target, noun=kept.noun) for kept in keep)
    return step.target in keep or is_one_box or (is_seen and not all(map(is_told_apart, keep)))


def _contradictory(instruction: str, step: Wish) -> Refusal:
    hint = "It asks to change a part and to keep it. Say which one is meant."
    if step.operation == "erase" and step.target.what == "region":
        hint = WHICH
    elif step.operation == "erase" and step.target not in step.keep:
        hint = "Who or what stays cannot be told from the rest. Mark what is to go with boxes."
    return Refusal(instruction.strip(), Reason.AMBIGUOUS, hint)


def _is_same(left: Wish, right: Wish) -> bool:
    is_repeatable = left.kind is Kind.ADD or left.operation in _REPEATABLE
    is_like = left.operation == right.operation and not is_repeatable
    return is_like and replace(left, words=right.words) == right


_REPEATABLE = frozenset({"flip", "zoom", "resize", "extend"})


def _says_it_again(step: Wish, other: Wish) -> bool:
    """ "Brighten it a little, so make it brighter": the first amount counts."""
    directions = (step.amount or 0.0) * (other.amount or 0.0)
    if step.kind is not Kind.COLOR or step.operation != other.operation or directions <= 0:
        return False
    return replace(other, words=step.words, amount=step.amount, exact=None) == step


def _nothing_asked(instruction: str) -> Refusal:
    return Refusal(
        instruction.strip(), Reason.AMBIGUOUS, "Say what should change, for example: make it brighter."
    )


def _is_foreign(instruction: str) -> bool:
    words = [word.lower() for word in lexicon.WORD.findall(instruction) if word[0].isalpha()]
    foreign = [word for word in words if lexicon.is_foreign(word)]
    known = [word for word in words if lexicon.is_known(word) and word not in foreign] if foreign else []
    return len(foreign) > len(known)


def _in_another_language(instruction: str, partial: bool) -> Plan:
    message = "Only English is understood for now."
    refusal = Refusal(instruction.strip(), Reason.UNKNOWN_WORD, message)
    return Plan(instruction, (), (refusal,), partial, message)


_LEADS = {
    Reason.UNKNOWN_WORD: "Not understood",
    Reason.AMBIGUOUS: "Not clear",
}


def _message(refusals: Sequence[Refusal]) -> str:
    first = refusals[0]
    quoted = ", ".join(f'"{_short(refusal.words)}"' for refusal in refusals)
    return f"{_LEADS.get(first.reason, 'Cannot be done')}: {quoted}. {first.hint}".rstrip()


def _printable(letter: str) -> str:
    return letter if letter.isprintable() else " "


def _short(words: str) -> str:
    flat = words if words.isprintable() else "".join(_printable(letter) for letter in words)
    flat = " ".join(flat.split())
    return flat if len(flat) <= _LONGEST_QUOTE else flat[: _LONGEST_QUOTE - 1] + "…"
