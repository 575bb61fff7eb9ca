"""What is beside the box: things that their own names tell, where the box is around another one."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.kinds import PARTS, is_someone, kinds_of
from editor.engine.language import reader
from editor.engine.language.erasing import is_all_of_them
from editor.engine.language.grammar import Clause
from editor.engine.language.lexicon.qualities import FINDABLE
from editor.engine.language.marking import boxes_of, one_too_many
from editor.engine.language.phrases import Scene
from editor.engine.language.readings import Reading
from editor.engine.plan import Kind, Step, Target

type Told = Sequence[tuple[Clause, Reading]]  # what each reading is of, and the one before it


def beside_the_box(told: Told, readings: Sequence[Reading], scene: Scene) -> list[Reading]:
    """The readings, those read again without the box whose things are not in it."""
    emptied = gone([step for reading in readings for step in reading.steps])
    found = [
        _beside_what_goes(clause, scene, before, reading, emptied)
        for (clause, before), reading in zip(told, readings, strict=True)
    ]
    return _beside_what_is_marked(told, found, scene)


def gone(steps: Sequence[Step]) -> set[int]:
    """The boxes whose contents are removed."""
    return {box for step in steps if step.operation in ("erase", "prop_instead") for box in step.target.boxes}


def _beside_what_goes(
    clause: Clause, scene: Scene, before: Reading, reading: Reading, emptied: set[int]
) -> Reading:
    """ "Remove the boat and make the water bluer": the box is around the boat, the water needs none."""
    if not any(step.kind is Kind.COLOR and emptied & set(step.target.boxes) for step in reading.steps):
        return reading
    unboxed = reader.read(clause, replace(scene, boxes=()), before=before)
    targets = [step.target for step in unboxed.steps]
    is_found = all(
        target.what in ("whole", "thing", "face") and not is_someone(target.noun) for target in targets
    )
    return unboxed if unboxed.steps and is_found and not unboxed.refusal else reading


def _beside_what_is_marked(told: Told, readings: list[Reading], scene: Scene) -> list[Reading]:
    """ "Remove the lamp post and brighten the dog": a dog is found by its name, so the post is marked."""
    boxed = [at for at, reading in enumerate(readings) if boxes_of(reading)]
    are_named = all(readings[at].where == "part" for at in boxed)
    if len(scene.boxes) != 1 or not are_named or one_too_many(readings) is None:
        return readings
    bare = replace(scene, boxes=())
    unboxed = {at: reader.read(told[at][0], bare, before=told[at][1]) for at in boxed}
    found = {at: reading for at, reading in unboxed.items() if _needs_no_box(reading)}
    if len(boxed) > len(found) + 1:
        return readings
    return [found.get(at, reading) for at, reading in enumerate(readings)]


def _needs_no_box(reading: Reading) -> bool:
    return bool(reading.steps) and not reading.refusal and all(_tells_itself(s.target) for s in reading.steps)


def _tells_itself(target: Target) -> bool:
    """Whether a name alone tells which thing is meant; "the people" may be those in a box."""
    is_known = bool(kinds_of(target.noun)) or target.noun in PARTS or target.noun in FINDABLE
    is_found = target.what in ("face", "subject") or (target.what == "thing" and is_known)
    return is_found and not target.boxes and not is_all_of_them(target)
