"""What stays as it is: which wishes an "except the face" or a "keep the sky" is about."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.kinds import is_someone, kinds_of
from editor.engine.language import reader
from editor.engine.language.erasing import is_all_of_them
from editor.engine.language.grammar import Clause
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Scene
from editor.engine.language.readings import Reading
from editor.engine.language.wishes import Wish
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Target

Told = tuple[Clause, Reading]  # a clause, and the reading of the one before it

_SPARING = frozenset({Kind.COLOR, Kind.BACKGROUND, Kind.REMOVE})
WHICH = "The box may be around what goes or what stays. Mark what is to go, and say: remove it."
WHICH_STAYS = "Say which box by its number, for example: blur box 1, but keep box 2."
_HINT = "A part can only stay as it is while light, color or sharpness changes. Leave that half out."


def spared(told: Sequence[Told], readings: Sequence[Reading], scene: Scene) -> list[Reading]:
    """The readings, each step with the parts of the photo that it leaves as they are.

    "Except" and "but not" are about the wishes before them in the sentence, "keep" is about all of them. When
    what is to stay cannot be found, the wishes that it belongs to are not carried out either.
    """
    readings = _by_their_words(told, readings, scene) if scene.boxes else readings
    result = list(readings)
    for at, protection in enumerate(readings):
        if protection.protects == "colors":
            result[at] = _of_colors(protection, [step for reading in readings for step in reading.steps])
        if result[at].protects:
            _spare(result, _reach(told, readings, at), told, scene, protection)
    return result


def _by_their_words(told: Sequence[Told], readings: Sequence[Reading], scene: Scene) -> Sequence[Reading]:
    """ "Remove everyone but the boy in red", with one box: whichever of them it is around, the words tell who
    goes and who stays."""
    result, bare = list(readings), replace(scene, boxes=())
    for at, protection in enumerate(readings):
        is_open = protection.protects == "aside" or any(kept.what == "region" for kept in protection.keep)
        reach = _reach(told, readings, at) if protection.keep and is_open and len(scene.boxes) == 1 else []
        if not reach or not all(_erases_the_box(told[place][0], readings[place]) for place in reach):
            continue
        again = {place: reader.read(told[place][0], bare, before=told[place][1]) for place in (*reach, at)}
        stays = again[at].keep
        if (
            stays
            and all(map(is_told_apart, stays))
            and all(_goes(told[place][0], again[place], stays) for place in reach)
        ):
            result = [again.get(place, reading) for place, reading in enumerate(result)]
    return result


def _goes(clause: Clause, reading: Reading, stays: Sequence[Target]) -> bool:
    """Whether all that goes is looked for by its name, and is something else than what stays; "the people"
    may be those in the box."""
    texts = [atom.text for atom in clause.atoms]
    may_be_some = "the" in texts and "all" not in texts
    goes = [step.target for step in reading.steps if step.operation == "erase"]
    return (
        bool(goes)
        and len(goes) == len(reading.steps)
        and not reading.refusal
        and all(
            target.what == "thing" and target not in stays and not (may_be_some and is_all_of_them(target))
            for target in goes
        )
    )


def _erases_the_box(clause: Clause, reading: Reading) -> bool:
    """ "These people" are those in the box."""
    is_erased = any(step.operation == "erase" and step.target.what == "region" for step in reading.steps)
    return is_erased and not any(atom.has(Role.THIS, Role.MARKED) for atom in clause.atoms)


def is_told_apart(kept: Target) -> bool:
    """Whether what stays is told from others: somebody is one of many."""
    is_one_of_many = is_someone(kept.noun) and not (kept.place or kept.color)
    return kept.what == "region" or (bool(kinds_of(kept.noun)) and not is_one_of_many)


def _of_colors(protection: Reading, steps: Sequence[Wish]) -> Reading:
    """ "Don't change the colors, just sharpen": no other wish touches them."""
    leaves = bool(steps) and all(step.operation in _COLORLESS or step.kind in _BESIDE for step in steps)
    return Reading() if leaves else replace(protection, protects="always")


_COLORLESS = frozenset({"sharpness", "clarity", "blur", "denoise", "grain"})
_BESIDE = frozenset({Kind.COMPOSITION, Kind.REMOVE, Kind.ADD})


def _reach(told: Sequence[Told], readings: Sequence[Reading], at: int) -> list[int]:
    """The places of the wishes that a protection belongs to."""
    asking = [place for place, reading in enumerate(readings) if reading.steps and place != at]
    if readings[at].protects == "always":
        return asking
    starts = max((place for place in range(at + 1) if told[place][0].joint == "stop"), default=0)
    nearest = [place for place in asking if starts <= place < at]
    return nearest or [place for place in asking if place < at] or asking


def _spare(
    result: list[Reading], reach: Sequence[int], told: Sequence[Told], scene: Scene, protection: Reading
) -> None:
    has_any = any(_can_spare(step) for place in reach for step in result[place].steps)
    for place in reach:
        if protection.refusal or not result[place].steps:
            result[place] = replace(result[place], steps=())
        elif protection.protects == "aside" and _may_hold_what_stays(result[place], protection.keep):
            result[place] = _refused(scene, result[place], WHICH)
        elif protection.protects == "always" and _stands_beside(result[place]):
            continue
        elif _are_both_shown(told[place][0], result[place], protection.keep):
            result[place] = _refused(scene, result[place], WHICH_STAYS)
        elif has_any and not (protection.protects == "always" and _moves(result[place])):
            result[place] = _with_keep(told[place], scene, result[place], protection.keep)
        else:
            result[place] = _refused(scene, result[place], _HINT)


def _are_both_shown(clause: Clause, reading: Reading, keep: tuple[Target, ...]) -> bool:
    """ "Blur this and keep that": the boxes may be around either of them."""
    is_shown = any(atom.has(Role.THIS) and not atom.has(Role.PHOTO) for atom in clause.atoms)
    return is_shown and reading.where == "this" and _is_itself_kept(reading, keep)


def _can_spare(step: Wish) -> bool:
    return step.kind in _SPARING or step.operation in _LAID_OVER


def _may_hold_what_stays(reading: Reading, keep: tuple[Target, ...]) -> bool:
    """ "Remove everyone except the couple", with a box: it may be around either of them."""
    is_boxed = any(step.operation == "erase" and step.target.what == "region" for step in reading.steps)
    return is_boxed and any(kept.what != "region" for kept in keep)


def _moves(reading: Reading) -> bool:
    """Nothing stays where it is in a photo that is turned or zoomed."""
    return any(step.operation in ("flip", "rotate", "zoom") for step in reading.steps)


def _stands_beside(reading: Reading) -> bool:
    """A text or a border covers what it covers, and changes no part."""
    return all(step.kind is Kind.ADD and step.operation not in _LAID_OVER for step in reading.steps)


_LAID_OVER = frozenset(
    {
        *("vignette", "snow", "rain", "light_leak", "fog", "smoke", "confetti", "hearts", "bubbles"),
        *("sparkles", "bokeh_lights", "light_rays", "lens_flare"),
    }
)


def _refused(scene: Scene, reading: Reading, hint: str) -> Reading:
    words = scene.instruction[reading.steps[0].words[0] : reading.steps[-1].words[1]]
    return replace(reading, steps=(), refusal=Refusal(words, Reason.AMBIGUOUS, hint))


def _with_keep(told: Told, scene: Scene, reading: Reading, keep: tuple[Target, ...]) -> Reading:
    steps = _of_the_photo(told, scene, reading) if _is_itself_kept(reading, keep) else reading.steps
    kept = (_sparing(step, keep) if _can_spare(step) else step for step in steps)
    return replace(reading, steps=tuple(kept))


def _sparing(step: Wish, keep: tuple[Target, ...]) -> Wish:
    """The step with what it keeps. What is erased leaves the background anyway, unless it stands there."""
    is_before_it = step.operation == "erase" and "background" not in (step.target.place or "")
    told = (target for target in keep if not (is_before_it and target.what == "background"))
    return replace(step, keep=tuple(dict.fromkeys((*step.keep, *told))))


def _is_itself_kept(reading: Reading, keep: tuple[Target, ...]) -> bool:
    return any(step.target in keep and step.target.what == "region" for step in reading.steps)


def _of_the_photo(told: Told, scene: Scene, reading: Reading) -> tuple[Wish, ...]:
    """ "Make it sepia but not the box": "it" is the photo, and not what is in the box."""
    clause, before = told
    unboxed = reader.read(clause, replace(scene, boxes=()), before=before)
    is_whole = bool(unboxed.steps) and all(step.target == WHOLE for step in unboxed.steps)
    return unboxed.steps if is_whole else reading.steps
