"""Which box is around what: one around one thing beside another that its own name tells, two in turn."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.kinds import PARTS, is_plural, is_someone, kinds_of
from editor.engine.language import reader
from editor.engine.language.erasing import is_all_of_them
from editor.engine.language.grammar import Clause
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.qualities import FINDABLE
from editor.engine.language.marking import boxes_of, one_too_many
from editor.engine.language.phrases import Scene
from editor.engine.language.readings import Reading
from editor.engine.language.wishes import Wish
from editor.engine.plan import Kind, Target

type Told = Sequence[tuple[Clause, Reading]]  # what each reading is of, and the one before it


def beside_the_box(told: Told, readings: list[Reading], scene: Scene) -> list[Reading]:
    """The readings, those read again without the box whose things are not in it; of two boxes each of two
    wishes gets its own."""
    if not scene.boxes:
        return readings
    readings = _in_its_place(told, readings)
    if not any(map(_removes_several, readings)):  # "remove the posts" is of both boxes
        readings = _each_in_its_box(told, readings, scene)
    emptied = gone([step for reading in readings for step in reading.steps])
    found = [
        _beside_what_goes(clause, scene, before, reading, emptied)
        for (clause, before), reading in zip(told, readings, strict=True)
    ]
    return _each_in_its_box(told, _beside_what_is_marked(told, found, scene), scene)


def _in_its_place(told: Told, readings: list[Reading]) -> list[Reading]:
    """ "Remove the lamp and add a vase", with one box: the vase stands where the lamp was."""
    result = list(readings)
    for at in range(1, len(readings)):
        gap, step = readings[at - 1], next(iter(readings[at].steps), None)
        is_one = step is not None and step.operation == "prop" and len(step.target.boxes) == 1
        is_placed = any(atom.has(Role.PREPOSITION, Role.PLACE) for atom in told[at][0].atoms)
        goes = [one.target for one in gap.steps if one.operation == "erase"]
        if step and is_one and len(readings[at].steps) == 1 and not is_placed and goes == [step.target]:
            instead = replace(step, operation="prop_instead", place=None, text=None)
            result[at - 1] = replace(gap, steps=(), names=frozenset())
            result[at] = replace(readings[at], steps=(instead,))
    return result


def _each_in_its_box(told: Told, readings: list[Reading], scene: Scene) -> list[Reading]:
    """ "Remove the lamp post and make the door red", with two boxes: the first one is around the post."""
    if len(scene.boxes) != 2:
        return readings
    pointing = [at for at, (clause, _) in enumerate(told) if _points_at(clause)]
    if [_points_at(told[at][0]) for at in pointing] == ["this", "that"]:
        boxed, are_told = pointing, True
    else:
        boxed = [at for at, reading in enumerate(readings) if boxes_of(reading) == set(scene.boxes)]
        are_told = all(readings[at].where == "part" for at in boxed) and _are_of_two_places(readings)
    if len(boxed) != 2 or not are_told:
        return readings
    if any(_is_of_more(told[at][0]) for at in boxed) or any(map(_may_be_of_either, readings)):
        return readings
    again = {
        at: reader.read(told[at][0], replace(scene, boxes=(box,)), before=told[at][1])
        for at, box in zip(boxed, scene.boxes, strict=True)
    }
    is_each = all(len(boxes_of(reading)) == 1 and not reading.refusal for reading in again.values())
    return [again.get(at, reading) for at, reading in enumerate(readings)] if is_each else readings


def _points_at(clause: Clause) -> str:
    """The "this" of "brighten this", the "that" of "remove that"; nothing else is named."""
    shown = [atom for atom in clause.atoms if atom.has(Role.THIS) or atom.text == "that"]
    is_alone = len(shown) == 1 and clause.atoms[-1] is shown[0]
    return shown[0].text if is_alone and not any(atom.has(Role.NOUN) for atom in clause.atoms) else ""


def _removes_several(reading: Reading) -> bool:
    are_several = any(is_plural(name) or name.endswith("s") for name in reading.names)
    return are_several and bool(reading.steps) and all(step.kind is Kind.REMOVE for step in reading.steps)


def _is_of_more(clause: Clause) -> bool:
    """ "..., to darken the house"; "all of this and the face"."""
    return clause.joint == "purpose" or any(atom.has(Role.WHOLE) for atom in clause.atoms)


def _may_be_of_either(reading: Reading) -> bool:
    """ "Greener trees, some gray, and a darker house"."""
    return reading.where == "open" and bool(reading.steps) and not boxes_of(reading)


def changed_when_gone(steps: Sequence[Wish]) -> list[Wish]:
    """ "Remove the cup and brighten the boy", with one box: it cannot be around both."""
    changed = [step for step in steps if step.kind not in (Kind.REMOVE, Kind.ADD)]
    return [step for step in changed if gone(steps) & set(step.target.boxes)]


def gone(steps: Sequence[Wish]) -> set[int]:
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
    if len(scene.boxes) != 1 or not are_named or not _are_of_two_places(readings):
        return readings
    bare = replace(scene, boxes=())
    unboxed = {at: reader.read(told[at][0], bare, before=told[at][1]) for at in boxed}
    found = {at: reading for at, reading in unboxed.items() if _needs_no_box(reading)}
    if len(boxed) > len(found) + 1:
        return readings
    return [found.get(at, reading) for at, reading in enumerate(readings)]


def _are_of_two_places(readings: Sequence[Reading]) -> bool:
    steps = [step for reading in readings for step in reading.steps]
    return one_too_many(readings) is not None or bool(changed_when_gone(steps))


def _needs_no_box(reading: Reading) -> bool:
    return bool(reading.steps) and not reading.refusal and all(_tells_itself(s.target) for s in reading.steps)


def _tells_itself(target: Target) -> bool:
    """Whether a name alone tells which thing is meant; "the people" may be those in a box."""
    is_known = bool(kinds_of(target.noun)) or target.noun in PARTS or target.noun in FINDABLE
    is_found = target.what in ("face", "subject") or (target.what == "thing" and is_known)
    return is_found and not target.boxes and not is_all_of_them(target)
