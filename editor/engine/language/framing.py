"""What a second clause tells about the frame: whom a crop is around, or that plain room gives the shape."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.language.grammar import Atom, Clause, is_packing
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import SUBJECTS
from editor.engine.language.phrases import Scene
from editor.engine.language.proportions import SMALL
from editor.engine.language.readings import Reading
from editor.engine.language.restating.leaning import LEANING, SIDEWAYS, UPSIDE_DOWN
from editor.engine.language.seen import seen_thing
from editor.engine.language.wishes import Wish
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Target


def framed(told: Sequence[Clause], readings: Sequence[Reading], scene: Scene) -> list[Reading]:
    """The readings of these clauses, with what they say of each other's frame."""
    mended = _extended_instead(told, _until_shaped(told, _turned_once(told, readings)))
    return _around(told, _sized(told, _padded(told, mended, scene.instruction), scene), scene)


def _turned_once(told: Sequence[Clause], readings: Sequence[Reading]) -> list[Reading]:
    """ "It's upside down, please fix it", "it leans, rotate it by 2 degrees": of a complaint and a command
    what tells more."""
    result = list(readings)
    for at, clause in enumerate(told[1:], 1):
        steps = readings[at].steps
        is_turn = len(steps) == 1 and steps[0].operation in _TURNS
        if told[at - 1].opening.text not in (LEANING, UPSIDE_DOWN, SIDEWAYS) or not is_turn:
            continue
        told_apart = [atom for atom in clause.atoms if not (is_packing(atom) or atom.has_any(SMALL))]
        is_bare = len(told_apart) == 1 and not steps[0].exact
        is_bare &= steps[0].operation != "enhance" or clause.opening.text in _FIXING
        if is_bare or steps[0].operation != "enhance":
            result[at if is_bare else at - 1] = Reading(about="whole")
    return result


_FIXING = frozenset({"fix", "correct", "fix up", "repair", "adjust", "edit", "improve"})
_TURNS = frozenset({"enhance", "rotate", "flip", "upright", "straighten"})


def _sized(told: Sequence[Clause], readings: list[Reading], scene: Scene) -> list[Reading]:
    """ "Resize it so that its resolution is 60x60": the reason is the size."""
    result = list(readings)
    for at, clause in enumerate(told[1:], 1):
        if not clause.has(Role.SIZE):
            continue
        opening = told[at - 1].opening
        sizes = [str(atom.senses[Role.SIZE]) for atom in clause.atoms if atom.has(Role.SIZE)]
        rest = [atom for atom in told[at - 1].atoms if atom is not opening and not is_packing(atom)]
        is_bare = opening.has(Role.RESIZE) and all(atom.has_any(SMALL) for atom in rest)
        is_size = len(sizes) == 1 and all(_tells_a_size(atom) for atom in clause.atoms)
        if result[at - 1].refusal and is_bare and is_size and clause.opening.has(Role.PURPOSE):
            words = (opening.start, clause.span[1])
            step = Wish(Kind.COMPOSITION, "resize", choice=sizes[0], words=words)
            result[at - 1 : at + 1] = [Reading((step,), about="whole"), Reading(about="whole")]
    return result


def _until_shaped(told: Sequence[Clause], readings: Sequence[Reading]) -> list[Reading]:
    """ "Extend the sides so it becomes square", "expand it until it fits 16:9"."""
    result = list(readings)
    for at, clause in enumerate(told[1:], 1):
        steps = result[at - 1].steps
        if len(steps) != 1 or steps[0].operation not in ("extend", "crop"):
            continue
        ratios = [str(atom.senses[Role.RATIO]) for atom in clause.atoms if atom.has(Role.RATIO)]
        if len(ratios) != 1 or not all(map(_tells_a_ratio, clause.atoms)):
            continue
        step = _to_shape(steps[0], ratios[0])
        if step is not None:
            result[at - 1 : at + 1] = [replace(result[at - 1], steps=(step,)), Reading(about="whole")]
    return result


def _to_shape(step: Wish, ratio: str) -> Wish | None:
    """The step that goes on until the photo has that ratio."""
    if step.operation == "extend" and not (step.exact or step.choice):
        return replace(
            step, choice=ratio, amount=None, place=None if step.place == "left right" else step.place
        )
    if step.operation == "crop" and step.place in _OPPOSITE and step.exact:
        return replace(step, choice=ratio, exact=None, place=_OPPOSITE[step.place])
    return None


_OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def _extended_instead(told: Sequence[Clause], readings: Sequence[Reading]) -> list[Reading]:
    """ "Make it 16:9, extend the background at the sides": nothing is cropped."""
    result = list(readings)
    for at, pair in enumerate(pairwise(readings)):
        rooms = [one.steps[0] for one in pair if [step.operation for step in one.steps] == ["extend"]]
        shapes = [one.steps[0] for one in pair if _is_shaped(one) and one.steps[0].operation == "crop"]
        is_cropped = any(clause.has(Role.CROP) for clause in told[at : at + 2])
        step = _to_shape(rooms[0], shapes[0].choice or "") if len(rooms) == len(shapes) == 1 else None
        if step is not None and not (rooms[0].color or is_cropped):
            result[at : at + 2] = [replace(pair[0], steps=(step,)), Reading(about="whole")]
    return result


def _tells_a_ratio(atom: Atom) -> bool:
    said = (Role.RATIO, Role.PURPOSE, Role.MAKE, *SMALL)
    return is_packing(atom) or atom.has_any(said) or atom.text in _BECOMING or atom.kind == "comma"


_BECOMING = frozenset(
    {"becomes", "become", "fits", "fit", "until", "so", "shape", "format", "ratio", "aspect"}
)


def _tells_a_size(atom: Atom) -> bool:
    return is_packing(atom) or atom.has(Role.SIZE, Role.PURPOSE, Role.UNIT, *SMALL) or atom.kind == "comma"


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
            choice = before.steps[0].choice
            shape = None if choice == "closer" else choice
            aimed = replace(before.steps[0], target=target, choice=shape, exact=None, place=None)
            result[at - 1 : at + 1] = [replace(before, steps=(aimed,)), Reading(about="subject")]
    return result


def _is_a_crop(reading: Reading) -> bool:
    step = reading.steps[0] if len(reading.steps) == 1 else None
    return (
        step is not None and step.operation == "crop" and step.target.what in ("whole", "subject", "region")
    )


def _focused(clause: Clause, scene: Scene) -> Target | None:
    """Whom the crop is to show: "so that only the girl is left"; sharpness alone is another wish."""
    texts = [atom.text for atom in clause.atoms]
    is_led = clause.opening.text.startswith("focus") and texts[-1] != "focus"
    is_alone = clause.opening.has(Role.PURPOSE) and not {"only", "just"}.isdisjoint(texts)
    said = (Role.PURPOSE, Role.BE, Role.FILLER)
    name = [atom for atom in clause.atoms if not (atom.text in _FOCUS or atom.has_any(said))]
    while name and name[-1].has(Role.PHOTO, Role.DETERMINER, Role.THIS, Role.PREPOSITION):
        name = name[:-1]
    telling = [atom for atom in name if not atom.has(Role.DETERMINER, Role.THIS)]
    is_one = bool(telling) and not any(atom.has(Role.AND, Role.BACKGROUND) for atom in telling)
    if not ((is_led or is_alone) and is_one):
        return None
    if scene.boxes:
        return Target("region", boxes=scene.boxes)
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
    if not (clause.has(Role.ADD) and clause.has(Role.COLOR)):
        return None
    telling = [atom for atom in clause.telling if not atom.has_any(SMALL)]
    colors = [str(atom.senses[Role.COLOR]) for atom in telling if atom.has(Role.COLOR)]
    told = (Role.ADD, Role.COLOR, Role.COLORS, Role.BORDER)
    is_plain = all(atom.has_any(told) or atom.text in _ROOM for atom in telling)
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
