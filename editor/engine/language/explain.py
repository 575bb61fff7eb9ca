"""The whole instruction: clauses are read in order and become a plan that can be shown to a person."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from editor.engine.language import grammar, lexicon, reader
from editor.engine.language.phrases import Scene
from editor.engine.language.reader import Reading
from editor.engine.language.sayings import says
from editor.engine.plan import Kind, Plan, Reason, Refusal, Step
from editor.options import Region

_LONGEST_QUOTE = 80


def explain(
    instruction: str, *, photos: int = 1, regions: Sequence[Region] = (), partial: bool = False
) -> Plan:
    """The plan for an instruction in English, about `photos` supplied photos and the boxes `regions`.

    Never raises: what cannot be carried out stands in `not_understood`, in the person's own words.
    """
    if not instruction.strip():
        return Plan(instruction, partial=partial, message="Prompt is required")
    if _is_foreign(instruction):
        return _in_another_language(instruction, partial)
    scene = Scene(instruction, photos, tuple(range(1, len(regions) + 1)))
    return _plan(instruction, _read(scene), partial)


def _read(scene: Scene) -> list[Reading]:
    readings: list[Reading] = []
    before = Reading()
    clauses = grammar.clauses(scene.instruction)
    joints = [clause.joint for clause in clauses]
    for clause in clauses:
        reading = reader.read(clause, scene, before=before)
        readings.append(reading)
        before = reading if reading.steps or not before.steps else replace(before, about=reading.about)
    return reader.shared(readings, joints, scene.instruction)


def _plan(instruction: str, readings: Sequence[Reading], partial: bool) -> Plan:
    keep = tuple(dict.fromkeys(target for reading in readings for target in reading.keep))
    steps = _merged(step for reading in readings for step in reading.steps)
    refusals = tuple(reading.refusal for reading in readings if reading.refusal)
    refusals += tuple(_contradictory(instruction, step) for step in steps if step.target in keep)
    told = tuple(replace(step, keep=keep, says=says(replace(step, keep=keep))) for step in steps)
    if not told and not refusals:
        refusals = (_nothing_asked(instruction),)
    plan = Plan(instruction, told, refusals, partial)
    return plan if plan.accepted else replace(plan, message=_message(refusals))


def _merged(steps: Iterable[Step]) -> list[Step]:
    """ "Remove the background and make it white" is one change, and so is "sharpen it, make it sharper"."""
    merged: list[Step] = []
    for step in steps:
        last = merged[-1] if merged else None
        if (
            last
            and last.operation == "transparent_background"
            and step.operation in ("solid_background", "photo_background")
        ):
            merged[-1] = replace(step, words=(last.words[0], step.words[1]))
        elif step.exact is None and any(_is_same(step, other) for other in merged):
            continue
        else:
            merged.append(step)
    return merged


def _contradictory(instruction: str, step: Step) -> Refusal:
    hint = "It asks to change a part and to keep it. Say which one is meant."
    return Refusal(instruction[slice(*step.words)], Reason.AMBIGUOUS, hint)


def _is_same(left: Step, right: Step) -> bool:
    return left.kind is not Kind.ADD and replace(left, words=right.words) == right


def _nothing_asked(instruction: str) -> Refusal:
    return Refusal(
        instruction.strip(), Reason.AMBIGUOUS, "Say what should change, for example: make it brighter."
    )


def _is_foreign(instruction: str) -> bool:
    words = [word.lower() for word in lexicon.WORD.findall(instruction) if word[0].isalpha()]
    foreign = sum(lexicon.is_foreign(word) for word in words)
    known = sum(lexicon.is_known(word) and not lexicon.is_foreign(word) for word in words)
    return bool(words) and foreign > known


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


def _short(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= _LONGEST_QUOTE else flat[: _LONGEST_QUOTE - 1] + "…"
