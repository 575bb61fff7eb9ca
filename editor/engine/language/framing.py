"""What a second clause tells about the frame: whom a crop is around, or that plain room gives the shape."""

import re
from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.grammar import Atom, Clause, is_packing
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import SUBJECTS
from editor.engine.language.phrases import Scene
from editor.engine.language.readings import Reading
from editor.engine.language.seen import seen_thing
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Step, Target

_SMALL = (
    *(Role.DETERMINER, Role.IT, Role.THIS, Role.PHOTO, Role.WHOLE, Role.SEVERAL, Role.BE, Role.PREPOSITION),
)


def framed(told: Sequence[Clause], readings: Sequence[Reading], scene: Scene) -> list[Reading]:
    """The readings of these clauses, with what they say of each other's frame."""
    return _around(told, _sized(told, _padded(told, readings, scene.instruction), scene), scene)


def _sized(told: Sequence[Clause], readings: list[Reading], scene: Scene) -> list[Reading]:
    """ "Resize it so that its resolution is 60x60": the reason is the size."""
    result = list(readings)
    for at, clause in enumerate(told[1:], 1):
        opening = told[at - 1].opening
        sizes = [str(atom.senses[Role.SIZE]) for atom in clause.atoms if atom.has(Role.SIZE)]
        rest = [atom for atom in told[at - 1].atoms if atom is not opening and not is_packing(atom)]
        is_bare = opening.has(Role.RESIZE) and all(atom.has(*_SMALL) for atom in rest)
        is_size = len(sizes) == 1 and all(_tells_a_size(atom) for atom in clause.atoms)
        if result[at - 1].refusal and is_bare and is_size and clause.opening.has(Role.PURPOSE):
            words = (opening.start, clause.span[1])
            step = Step(Kind.COMPOSITION, "resize", choice=sizes[0], words=words)
            result[at - 1 : at + 1] = [Reading((step,), about="whole"), Reading(about="whole")]
    return result


def _tells_a_size(atom: Atom) -> bool:
    return is_packing(atom) or atom.has(Role.SIZE, Role.PURPOSE, Role.UNIT, *_SMALL) or atom.kind == "comma"


def _around(told: Sequence[Clause], readings: list[Reading], scene: Scene) -> list[Reading]:
    """ "Crop the sides and focus on the child", "crop it so that the couple is the only thing in focus"."""
    result = list(readings)
    for at, clause in enumerate(told[1:], 1):
        before, reading = result[at - 1], readings[at]
        is_sharp = bool(reading.steps) and all(step.operation == "sharpness" for step in reading.steps)
        is_open = bool(reading.refusal) or (is_sharp and clause.opening.text.startswith("focus"))
        if not _is_a_crop(before) or not is_open or clause.joint == "stop":
            continue
        target = _focused(clause, scene)
        if target is not None:
            aimed = replace(before.steps[0], target=target, exact=None, place=None)
            result[at - 1 : at + 1] = [replace(before, steps=(aimed,)), Reading(about="subject")]
    return result


def _is_a_crop(reading: Reading) -> bool:
    step = reading.steps[0] if len(reading.steps) == 1 else None
    return step is not None and step.operation == "crop" and step.target.what in ("whole", "subject")


def _focused(clause: Clause, scene: Scene) -> Target | None:
    """Whom the crop is to show: "so that only the girl is left"; sharpness alone is another wish."""
    texts = [atom.text for atom in clause.atoms]
    is_led = clause.opening.text.startswith("focus") and texts[-1] != "focus"
    is_alone = clause.opening.has(Role.PURPOSE) and not {"only", "just"}.isdisjoint(texts)
    said = (Role.PURPOSE, Role.BE, Role.FILLER)
    name = [atom for atom in clause.atoms if not (atom.text in _FOCUS or atom.has(*said))]
    while name and name[-1].has(Role.PHOTO, Role.DETERMINER, Role.THIS, Role.PREPOSITION):
        name = name[:-1]
    telling = [atom for atom in name if not atom.has(Role.DETERMINER, Role.THIS)]
    is_one = bool(telling) and not any(atom.has(Role.AND, Role.BACKGROUND) for atom in telling)
    if not ((is_led or is_alone) and is_one) or scene.boxes:
        return None
    is_the_subject = all(atom.has(Role.SUBJECT, Role.PERSON) or atom.text in SUBJECTS for atom in telling)
    return seen_thing(name) or (Target("subject") if is_the_subject else None)


_FOCUS = frozenset(
    {
        *("focus", "focusing", "on", "only", "just", "thing", "one", "in focus", "visible"),
        *("left", "seen", "shown", "to", "remains", "solely", "mainly", "entirely"),
    }
)


def _padded(told: Sequence[Clause], readings: Sequence[Reading], instruction: str) -> list[Reading]:
    """ "Make it a Twitter header, add gray at the sides to make it wider", "add white borders to make it
    square": the shape comes from plain room beside the photo, of which nothing is cropped. Without a shape,
    refused."""
    at = next((at for at in range(len(readings)) if _is_room(told, readings, at)), None)
    if at is None:
        return list(readings)
    shaping = next((i for i, reading in enumerate(readings) if _is_shaped(reading)), None)
    result = [Reading() if _is_centering(reading) else reading for reading in readings]
    result[at] = Reading()
    if shaping is None:
        result[at] = Reading(refusal=_shapeless(told[at], instruction))
        return result
    color, shape = _color_added(told[at]), readings[shaping].steps[0]
    ratio = (shape.choice or "").replace("x", ":")
    steps = [replace(shape, operation="extend", choice=ratio, color=color)]
    if shape.operation == "resize":
        steps.append(replace(shape, choice=f"within {shape.choice}"))
    result[shaping] = replace(readings[shaping], steps=tuple(steps))
    return result


def _is_room(told: Sequence[Clause], readings: Sequence[Reading], at: int) -> bool:
    """Whether the clause adds a color beside the photo, and only to give it another shape."""
    clause, steps = told[at], readings[at].steps
    if _color_added(clause) is None or any(step.exact for step in steps):
        return False
    following = told[at + 1 : at + 2]
    is_purpose = bool(following) and following[0].joint == "purpose"
    widens = is_purpose and any(atom.has(Role.EXTEND) for atom in following[0].atoms)
    if any(step.operation == "border" for step in steps):
        return widens or (is_purpose and _is_shaped(readings[at + 1]))
    return widens or (any(atom.text in _BESIDE for atom in clause.atoms) and any(map(_is_shaped, readings)))


def _color_added(clause: Clause) -> str | None:
    """The one color of "add tan", "adding white bars at the sides"."""
    telling = [atom for atom in clause.atoms if not (is_packing(atom) or atom.has(*_SMALL))]
    colors = [str(atom.senses[Role.COLOR]) for atom in telling if atom.has(Role.COLOR)]
    told = (Role.ADD, Role.COLOR, Role.COLORS, Role.BORDER)
    is_plain = all(atom.has(*told) or atom.text in _ROOM for atom in telling)
    is_added = any(atom.has(Role.ADD) for atom in telling)
    return colors[0] if is_added and is_plain and len(colors) == 1 else None


_BESIDE = frozenset({"sides", "edges", "borders", "margins", "ends"})
_ROOM = _BESIDE | {"bars", "bar", "strips", "space", "more", "plain", "solid", "extra", "both"}


def _is_shaped(reading: Reading) -> bool:
    """Cropped to a ratio, or resized to a size, around nothing of its own."""
    step = reading.steps[0] if len(reading.steps) == 1 else None
    return step is not None and step.target == WHOLE and _SHAPE.fullmatch(step.choice or "") is not None


_SHAPE = re.compile(r"\d+[x:]\d+")


def _is_centering(reading: Reading) -> bool:
    return [step.operation for step in reading.steps] == ["center"]


def _shapeless(clause: Clause, instruction: str) -> Refusal:
    hint = "Say how wide it is to be, for example: add white at the sides to make it 16:9."
    return Refusal(instruction[slice(*clause.span)], Reason.AMBIGUOUS, hint)
