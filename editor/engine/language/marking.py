"""What a box is for: the one addition, zoom or crop that needs a place; "it"; and one thing only."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from editor.engine.catalog import Scope, Stage, declared
from editor.engine.kinds import is_plural
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon.roles import VERBS, Role
from editor.engine.language.phrases import Phrase, Scene
from editor.engine.language.readings import Reading
from editor.engine.language.tone import UNMARKED
from editor.engine.language.wishes import Wish
from editor.engine.plan import WHOLE, Kind, Target

_PLACED = frozenset({"text", "shape", "arrow", "emoji", "sticker", "speech_bubble"})


def in_the_box(steps: Sequence[Wish], scene: Scene) -> list[Wish]:
    """The steps, the only one that could stand in the box put there.

    Steps that use the boxes anyway, or find the subject by them, leave everything as it is.
    """
    open_steps = [step for step in steps if _needs_a_place(step)]
    others = [step for step in steps if not _needs_a_place(step)]
    if not scene.boxes or len(open_steps) != 1 or any(_may_use_boxes(step) for step in others):
        return list(steps)
    target = Target("region", boxes=scene.boxes)
    return [replace(step, target=target) if step is open_steps[0] else step for step in steps]


def in_one_place(readings: Sequence[Reading]) -> list[Reading]:
    """ "Brighten it and add contrast": wishes for light and color that name no part share one place. It is
    the box, unless one of them can only be of the whole photo, or the photo is what "it" is.
    """
    pointing = [reading for reading in readings if _is_tinted(reading) and reading.where in ("it", "this")]
    pointing = [reading for reading in pointing if boxes_of(reading)]
    names_the_photo = any(_is_tinted(reading) and reading.where == "whole" for reading in readings)
    vague = ("open",) if names_the_photo else ("open", "it", "this")
    loose = [reading for reading in readings if _is_tinted(reading) and reading.where in vague]
    loose = [reading for reading in loose if not boxes_of(reading)]
    if not pointing:
        return list(readings)
    if (names_the_photo and all(reading.where == "it" for reading in pointing)) or (
        loose and (_are_of_all(loose) or all(reading.is_complaint for reading in pointing))
    ):
        return [_moved(reading, WHOLE) if reading in pointing else reading for reading in readings]
    return [
        _moved(reading, pointing[0].steps[0].target) if reading in loose else reading for reading in readings
    ]


def in_the_boxes(readings: Sequence[Reading], scene: Scene) -> list[Reading]:
    """ "Black and white", "brighter": what names no part of the photo acts in the boxes, where nothing else
    is about them and its operation can."""
    steps = [step for reading in readings for step in reading.steps]
    is_told = any(_may_use_boxes(step) or _needs_a_place(step) or step.keep for step in steps)
    names_the_photo = any(
        reading.where == "whole" or (_is_tinted(reading) and reading.where != "open") for reading in readings
    )
    if not scene.boxes or names_the_photo or is_told:
        return list(readings)
    target = Target("region", boxes=scene.boxes)
    return [_moved(reading, target) if _may_act_in_a_box(reading) else reading for reading in readings]


def _may_act_in_a_box(reading: Reading) -> bool:
    """Tones, looks and light; what is put into a box or cropped to it has rules of its own."""
    told = [declared(step.operation) for step in reading.steps if not (step.photo or step.place)]
    in_regions = [found for found in told if found and found.scope is Scope.REGION]
    is_light = all(found.stage is Stage.LIGHT for found in in_regions)
    is_of_regions = bool(in_regions) and len(in_regions) == len(reading.steps)
    return reading.where == "open" and is_of_regions and (is_light or _is_tinted(reading))


def _is_tinted(reading: Reading) -> bool:
    return bool(reading.steps) and all(step.kind is Kind.COLOR for step in reading.steps)


def _are_of_all(loose: Sequence[Reading]) -> bool:
    """Whether one of them is no mere quality: an improvement, black and white."""
    return not all(reading.is_tonal for reading in loose)


def _moved(reading: Reading, target: Target) -> Reading:
    return replace(reading, steps=tuple(replace(step, target=target) for step in reading.steps))


def are_half_marked(readings: Sequence[Reading]) -> bool:
    """Whether one wish for light or color would land in the box and another on the whole photo, although
    no word tells which of them the box is for."""
    tinted = [reading for reading in readings if _is_tinted(reading)]
    marked = [reading for reading in tinted if boxes_of(reading) and reading.where != "open"]
    is_told = any(reading.where in ("box", "part") for reading in marked)
    whole = [at for at, reading in enumerate(tinted) if reading.where == "whole"]
    loose = [
        at
        for at, reading in enumerate(tinted)
        if reading.where == "open" and any(step.target == WHOLE for step in reading.steps)
    ]
    return bool(marked) and not is_told and any(not whole or at < whole[0] for at in loose)


def one_too_many(readings: Sequence[Reading]) -> Reading | None:
    """The later of two wishes that are about different things, and would both be carried out in one box:
    "make the boat redder and the house brighter"."""
    boxed = [reading for reading in readings if boxes_of(reading) and reading.where in ("part", "it", "this")]
    return next((later for one, later in combinations(boxed, 2) if _are_of_two(one, later)), None)


def _are_of_two(one: Reading, later: Reading) -> bool:
    """Boxes that are only emptied may be as many as the things; and "he" is who was named before."""
    owners = _PRONOUNS if one.names - _PRONOUNS else frozenset()  # "her face" and "her hair" are two places
    if later.names <= _PRONOUNS or (one.names - owners) & later.names:
        return False
    shared = boxes_of(one) & boxes_of(later)
    empties = all(step.kind is Kind.REMOVE for step in (*one.steps, *later.steps))
    return bool(shared) and not (empties and len(shared) > 1)


def tells_one_of_them(phrase: Phrase, steps: Sequence[Wish]) -> bool:
    """ "The left one", "the man on the left", "one of these": one thing is meant, and each of several boxes
    would be changed."""
    boxes = phrase.scene.boxes
    if len(boxes) < 2 or not any(set(step.target.boxes) == set(boxes) for step in steps):
        return False
    told = [atom for atom in phrase.clause.atoms if not atom.has(Role.DETERMINER, Role.FILLER)]
    if any(left.has(Role.PLACE) and right.text in _MARKED for left, right in pairwise(told)):
        return True
    is_list = any(atom.has(Role.AND) or atom.kind == "comma" for atom in told)
    return not is_list and any(_is_chosen(told, at) for at in range(1, len(told)))


def _is_chosen(told: Sequence[Atom], at: int) -> bool:
    """Whether a word says which one: "first", "bigger", "on the left" behind the name of one thing."""
    atom, before, after = told[at], told[at - 1], told[at + 1] if at + 1 < len(told) else None
    if atom.text in _EITHER or (atom.text == "one" and after is not None and after.text == "of"):
        return True
    if atom.has(Role.ORDINAL):
        return after is None or not (after.has(Role.MARKED, Role.PHOTO) or after.text.endswith("s"))
    if after is not None and after.text == "one":
        return atom.has(Role.PLACE) or atom.text.endswith(("er", "est"))
    if not atom.has(Role.PLACE) or atom.has(Role.CENTER):
        return False
    is_before_its_name = before.has_any(VERBS) and after is not None and after.has(*_ONE_THING)
    names = [other for other in told[:at] if other.has(*_ONE_THING)]
    is_last = after is None or (at + 2 == len(told) and (after.text in _SIDES or after.has(*_BECOMING)))
    is_behind_its_name = is_last and before.has(Role.PREPOSITION) and len(names) == 1
    named = after if is_before_its_name else names[0] if is_behind_its_name else None
    return named is not None and not named.text.endswith("s") and not is_plural(named.text)


_MARKED = frozenset({"box", "marked area", "marked place"})
_EITHER = frozenset({"either", "either one", "one of", "another"})
_SIDES = frozenset({"side", "corner"})
_BECOMING = (Role.COLOR, Role.ADJECTIVE, Role.LOOK)
_ONE_THING = (Role.NOUN, Role.PERSON, Role.FACE)


_PRONOUNS = frozenset({"him", "her", "me", "us", "them", "myself"})


def boxes_of(reading: Reading) -> set[int]:
    return {box for step in reading.steps if step.target.what == "region" for box in step.target.boxes}


def _needs_a_place(step: Wish) -> bool:
    """ "Zoom in" is on the box; "zoom in a little" is by less than the box would."""
    is_zoom = step.operation == "zoom" and (step.amount == UNMARKED or (step.exact or (0, ""))[0] > 100)
    is_open = step.target == WHOLE and step.place is None
    return (is_open and (step.operation in _PLACED or is_zoom)) or _is_a_free_crop(step, is_open=is_open)


def _is_a_free_crop(step: Wish, *, is_open: bool) -> bool:
    """ "Crop it", "crop it to 4:5": around the subject, unless a box says what else; pixels are counted from
    the photo's middle."""
    is_ratio = is_open and ":" in (step.choice or "")
    return step.operation == "crop" and (is_ratio or step.target == Target("subject"))


def _may_use_boxes(step: Wish) -> bool:
    return step.target != WHOLE or step.kind is Kind.BACKGROUND
