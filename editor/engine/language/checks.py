"""Refuse steps that are impossible or contradict each other."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations

from editor.engine.catalog import Scope
from editor.engine.kinds import kinds_of
from editor.engine.language.describe import describe_step
from editor.engine.language.findable import StepProblem, find_target_problem
from editor.engine.language.sentence_parts import UserInput
from editor.engine.plan import WHOLE, Amount, Reason, Refusal, Step, Target
from editor.options import EditKind
from editor.sentences import Sentence

# Letters that are not Latin, Greek, or Cyrillic.
_UNWRITABLE = re.compile(r"[^\W\d_\u0000-\u052f\u1e00-\u1fff]")
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\ufe0f]")


def refusals(steps: Sequence[Step], user_input: UserInput) -> list[Refusal]:
    """Return a refusal, which quotes the user's words, for each step that cannot be carried out."""
    step_refusals = [refusal for step in steps for refusal in _refusals_of_step(step, user_input)]
    once = {
        refusal.words: refusal
        for refusal in reversed(step_refusals or list(_refusals_of_plan(steps, user_input)))
    }
    return list(once.values())[::-1]


def _refusals_of_step(step: Step, user_input: UserInput) -> Iterator[Refusal]:
    words = user_input.text_of(step.words)
    missing_box = _missing_box(step, user_input)
    problems = (
        [missing_box]
        if missing_box
        else [
            *_target_problems(step, user_input),
            *_keep_problems(step),
            *_input_problems(step, user_input),
            *_value_problems(step),
        ]
    )
    yield from (Refusal(words, problem.reason, problem.hint) for problem in problems)


def _missing_box(step: Step, user_input: UserInput) -> StepProblem | None:
    """Return a problem if the step refers to a box that does not exist.

    In this case, other problems of the step would only distract from the missing box.
    """
    for target in step.targets:
        if target.what == "region" and not set(target.boxes or (0,)) <= set(user_input.boxes):
            hint = Sentence("You haven't drawn a box. Draw one around what you mean.")
            if user_input.boxes:
                hint = Sentence("There is no box with that number. Draw one around what you mean.")
            return StepProblem(Reason.NEEDS_REGION, hint)
    return None


def _target_problems(step: Step, user_input: UserInput) -> Iterator[StepProblem]:
    named = [(step.target, step.declaration.finds)]
    named += [(value, "neighbor") for value in step.values.values() if isinstance(value, Target)]
    # The thing in front of the new background must also be found.
    if step.target.what == "background" and step.target.noun:
        named.append((replace(step.target, what="thing"), "cut_out"))
    for target, finds in named:
        if problem := find_target_problem(
            target, finds, has_boxes=target is step.target and bool(user_input.boxes)
        ):
            yield problem


def _keep_problems(step: Step) -> Iterator[StepProblem]:
    for target in step.keep:
        if find_target_problem(target, ""):
            hint = Sentence("I can't find what should stay as it is. Draw a box around it, or leave it out.")
            yield StepProblem(Reason.NO_SUCH_TARGET, hint)
    if step.keep and step.kind is EditKind.COMPOSITION:
        hint = Sentence(
            "I can only keep a part as it is when I change light, color, or sharpness. "
            "Leave out what to keep."
        )
        yield StepProblem(Reason.AMBIGUOUS, hint)
    boxes = {box for target in step.keep for box in target.boxes}
    if step.target not in step.keep and not boxes.isdisjoint(step.target.boxes):
        hint = Sentence(
            "Your box shows what should change, and I can't find what should stay as it is. Leave that out."
        )
        yield StepProblem(Reason.NO_SUCH_TARGET, hint)
    kinds_to_keep = {target.what for target in step.keep}
    is_kept = step.target in step.keep or WHOLE in step.keep
    if is_kept or (step.target.what == "background" and "background" in kinds_to_keep):
        hint = Sentence("I can't change a part and also keep it as it is. Ask for only one of them.")
        yield StepProblem(Reason.AMBIGUOUS, hint)
    elif step.declaration.finds == "erase" and any(_is_one_of(one, step.target) for one in step.keep):
        hint = Sentence("I can't tell who or what should stay. Draw a box around each thing to remove.")
        yield StepProblem(Reason.AMBIGUOUS, hint)


def _input_problems(step: Step, user_input: UserInput) -> Iterator[StepProblem]:
    """Yield the step's problems with the photos and boxes that the user supplied."""
    declaration = step.declaration
    if step.photo and step.photo > user_input.photos:
        hint = Sentence(
            "You attached only %(n)s photos. Attach photo %(number)s, and I can use it.",
            n=user_input.photos,
            number=step.photo,
        )
        if user_input.photos == 1:
            hint = Sentence(
                "You attached only one photo. Attach photo %(number)s, and I can use it.", number=step.photo
            )
        yield StepProblem(Reason.NEEDS_REFERENCE, hint)
    if declaration.finds == "photos" and user_input.photos < 2:
        hint = Sentence("You attached only one photo. Attach the others, and I can put them together.")
        yield StepProblem(Reason.NEEDS_REFERENCE, hint)
    if declaration.scope is Scope.WHOLE and step.target.what == "region":
        hint = Sentence("This changes the whole photo. Remove the box, or ask for this change by itself.")
        yield StepProblem(Reason.AMBIGUOUS, hint)
    if declaration.scope is Scope.TARGET and step.target == WHOLE and declaration.finds:
        yield StepProblem(Reason.NEEDS_REGION, Sentence("Say what you mean, or draw a box around it."))


def _value_problems(step: Step) -> Iterator[StepProblem]:
    fields = step.declaration.fields.items()
    texts = [str(step.values.get(name, "-")) for name, declared in fields if declared.type == "text"]
    if any(_UNWRITABLE.search(text) or not text for text in texts):
        hint = Sentence("I can only write Latin, Greek, and Cyrillic letters. Use those in your text.")
        yield StepProblem(Reason.UNKNOWN_WORD, hint)
    if any(_EMOJI.search(text) and any(map(str.isalnum, text)) for text in texts):
        hint = Sentence("I can't write emoji inside a text. Add the emoji separately.")
        yield StepProblem(Reason.UNKNOWN_WORD, hint)
    if any(
        declared.type == "place" and declared.of and step.place not in (None, *declared.of)
        for _, declared in fields
    ):
        hint = Sentence("I can't put this there. Leave out the place, or name another side.")
        yield StepProblem(Reason.AMBIGUOUS, hint)
    if step.color and step.color == step.values.get("ground"):
        hint = Sentence("The text and the ground behind it have the same color. Choose another one.")
        yield StepProblem(Reason.AMBIGUOUS, hint)
    if not describe_step(replace(step, keep=())):
        yield StepProblem(Reason.AMBIGUOUS, Sentence("Say how it should change, for example “more blue”."))
    if _changes_nothing(step):
        yield StepProblem(
            Reason.AMBIGUOUS, Sentence("This wouldn't change anything. Ask for a different amount.")
        )


def _is_one_of(keep: Target, removed: Target) -> bool:
    """Return whether the kept target is among the removed things but cannot be distinguished from them.

    An example is "everybody except the bride".
    """
    is_like = not {keep.noun, *kinds_of(keep.noun)}.isdisjoint({removed.noun, *kinds_of(removed.noun)})
    return bool(keep.noun) and is_like and not (keep.color or keep.place or keep.count)


def _changes_nothing(step: Step) -> bool:
    amount = step.values.get("amount")
    degrees = step.values.get("degrees")
    is_nothing = isinstance(amount, Amount) and amount.share == 0 and not amount.number
    return is_nothing or (isinstance(degrees, float) and degrees % 360 == 0)


def _refusals_of_plan(steps: Sequence[Step], user_input: UserInput) -> Iterator[Refusal]:
    contrary = [pair for pair in combinations(steps, 2) if _is_contrary(*pair)]
    for step in chain(*contrary):
        hint = Sentence("Two of these changes contradict each other. Ask for only one of them.")
        yield Refusal(user_input.text_of(step.words), Reason.AMBIGUOUS, hint)
    of_whole = (step.declaration.scope is Scope.WHOLE and step.target == WHOLE for step in steps)
    if user_input.boxes and steps and not user_input.names_photo and all(of_whole):
        hint = Sentence(
            "This changes the whole photo, but you drew a box. Remove the box, or say “the photo”."
        )
        yield Refusal(user_input.instruction.strip(), Reason.AMBIGUOUS, hint)
    grounds = [step.declaration.ground for step in steps if step.declaration.ground]
    is_blurred = "blurred" in grounds and not {"plain", "none"}.isdisjoint(grounds)
    if sum(ground != "blurred" for ground in grounds) > 1 or is_blurred:
        hint = Sentence(
            "A photo can have only one background. Ask for one: a color, a place, a blurred one, or none."
        )
        yield Refusal(user_input.instruction.strip(), Reason.AMBIGUOUS, hint)


def _is_contrary(one: Step, other: Step) -> bool:
    """Return whether two steps contradict each other.

    Examples are "cooler and warmer", "crop to 1:1, 4:5", and "make this blue, make this red".
    """
    if one.target != other.target or one.keep != other.keep:
        return False
    if one.operation != other.operation:
        return one.undoes(other)
    shapes = [step.values[name] for step in (one, other) for name in ("ratio", "size") if name in step.values]
    if one.declaration.finds == "recolor" and one.color != other.color:
        return True
    is_turned = one.undoes(other) and one.color == other.color
    return is_turned or len(shapes) > 1
