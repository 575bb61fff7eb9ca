"""The whole instruction: clauses are read in order and become a plan that can be shown to a person."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from editor.engine.language import grammar, lexicon, reader
from editor.engine.language.phrases import Scene
from editor.engine.language.reader import Reading
from editor.engine.plan import WHOLE, Kind, Plan, Reason, Refusal, Step, Target
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


# ---- a step in plain words


def says(step: Step) -> str:
    """A step as a person would say it: "a little brighter, the background"."""
    kept = f", {_and(_target_words(target) for target in step.keep)} kept as it is" if step.keep else ""
    return _SAYINGS.get(step.operation, _said_tone)(step) + kept


_DIRECTIONS: dict[str, tuple[str, str]] = {
    "brightness": ("brighter", "darker"),
    "contrast": ("more contrast", "less contrast"),
    "saturation": ("more vivid", "less colorful"),
    "warmth": ("warmer", "cooler"),
    "sharpness": ("sharper", "blurred"),
}
_DEGREES = (
    (0.15, "a touch"),
    (0.3, "a little"),
    (0.5, ""),
    (0.7, "much"),
    (0.9, "dramatically"),
    (2.0, "as far as possible:"),
)


def _said_tone(step: Step) -> str:
    amount = step.amount or 0.0
    direction = _DIRECTIONS[step.operation][amount < 0]
    return f"{_degree(step, direction)}, {_where(step)}"


def _degree(step: Step, direction: str) -> str:
    if step.exact:
        return f"{direction} by {_number(abs(step.exact[0]))}%"
    word = next(word for limit, word in _DEGREES if abs(step.amount or 0.0) < limit)
    return f"{word} {direction}".strip()


def _where(step: Step) -> str:
    if step.photo and step.target == WHOLE:
        return f"photo {step.photo}"
    where = _target_words(step.target)
    return f"{where} of photo {step.photo}" if step.photo else where


def _target_words(target: Target) -> str:
    if target.what == "region":
        return f"the marked {'place' if len(target.boxes) == 1 else 'places'}"
    if target == WHOLE:
        return "the whole photo"
    return f"the {target.what}" if target.what != "thing" else _thing_words(target)


def _thing_words(target: Target) -> str:
    return " ".join(part for part in (target.color, target.noun or "parts") if part)


def _said_look(step: Step) -> str:
    strength = f" at {_number(step.amount * 100)}%" if step.amount is not None and step.amount < 1 else ""
    return f"{_LOOKS[step.operation]}{strength}, {_where(step)}"


_LOOKS = {"black_and_white": "black and white", "sepia": "sepia", "negative": "colors inverted"}


def _said_enhance(step: Step) -> str:
    return "light, color and sharpness improved automatically" + (
        f", photo {step.photo}" if step.photo else ""
    )


def _said_recolor(step: Step) -> str:
    what = _target_words(step.target)
    if step.target.what == "region" and (step.target.noun or step.target.color):
        what = f"{_thing_words(step.target)} in {what}"
    return f"{what} turned {step.color}"


def _said_text(step: Step) -> str:
    color = f" in {step.color}" if step.color else ""
    return f"text “{step.text}”{color} {_at(step.place)}".rstrip()


def _at(place: str | None) -> str:
    if place is None:
        return ""
    return (
        f"in the {place}"
        if place == "center"
        else f"on the {place}"
        if place in ("left", "right")
        else f"at the {place}"
    )


def _said_border(step: Step) -> str:
    size = (
        f"{_number(step.exact[0])}{'%' if step.exact[1] == 'percent' else ' pixels'} wide"
        if step.exact
        else ""
    )
    thickness = "" if step.amount is None else "thin" if step.amount < 0.35 else "thick"
    return f"{' '.join(part for part in (thickness, step.color) if part)} border {size}".rstrip()


def _said_vignette(step: Step) -> str:
    return f"{_degree(step, 'darker')} edges"


def _said_crop(step: Step) -> str:
    if step.choice:
        return f"cropped to {step.choice}"
    if step.exact:
        side = "every side" if step.place == "all" else f"the {step.place}"
        return f"{_number(step.exact[0])}% cropped off {side}"
    return f"cropped to {_target_words(step.target)}"


def _said_rotate(step: Step) -> str:
    angle = step.exact[0] if step.exact else 0.0
    return f"rotated {_number(abs(angle))} degrees {'clockwise' if angle >= 0 else 'counterclockwise'}"


def _said_resize(step: Step) -> str:
    return (
        f"resized to {step.choice}"
        if step.choice
        else f"resized to {_number(step.exact[0] if step.exact else 100)}%"
    )


def _said_blur(step: Step) -> str:
    return f"{_degree(step, 'blurred')}, the background"


def _number(value: float) -> str:
    return f"{value:g}"


def _and(parts: Iterable[str]) -> str:
    listed = list(parts)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


_SAYINGS: dict[str, Callable[[Step], str]] = {
    "black_and_white": _said_look,
    "sepia": _said_look,
    "negative": _said_look,
    "enhance": _said_enhance,
    "recolor": _said_recolor,
    "text": _said_text,
    "border": _said_border,
    "vignette": _said_vignette,
    "solid_background": lambda step: f"background {step.color}",
    "blur_background": _said_blur,
    "transparent_background": lambda step: "background transparent",
    "photo_background": lambda step: f"photo {step.photo} as the background",
    "crop": _said_crop,
    "rotate": _said_rotate,
    "flip": lambda step: f"flipped {'horizontally' if step.choice == 'horizontal' else 'vertically'}",
    "resize": _said_resize,
    "erase": lambda step: f"{_target_words(step.target)} erased",
}
