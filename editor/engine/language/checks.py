"""Checks steps from any planner and refuses those that are impossible or contradict each other."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations

from editor.engine.catalog import Scope
from editor.engine.kinds import kinds_of
from editor.engine.language.describe import describe_step
from editor.engine.language.findable import TargetProblem, find_target_problem
from editor.engine.language.sentence_parts import UserInput
from editor.engine.plan import WHOLE, Amount, Reason, Refusal, Step, Target
from editor.options import EditKind
from editor.sentences import Sentence

_UNWRITTEN = re.compile(r"[^\W\d_\u0000-\u052f\u1e00-\u1fff]")  # letters outside Latin, Greek, and Cyrillic

_PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\ufe0f]")  # characters that are emoji


def refusals(steps: Sequence[Step], user_input: UserInput) -> list[Refusal]:
    """Return a refusal, which quotes the user's words, for each step that cannot be carried out."""
    found = [refusal for step in steps for refusal in _of_step(step, user_input)]
    once = {refusal.words: refusal for refusal in reversed(found or list(_of_all(steps, user_input)))}
    return list(once.values())[::-1]


def _of_step(step: Step, scene: UserInput) -> Iterator[Refusal]:
    words = scene.instruction[slice(*step.words)].strip()
    unmarked = _unmarked(step, scene)
    found = (
        [unmarked]
        if unmarked
        else [
            *_of_targets(step, scene),
            *_of_what_stays(step),
            *_of_what_is_given(step, scene),
            *_of_itself(step),
        ]
    )
    yield from (Refusal(words, why.reason, why.hint) for why in found)


def _unmarked(step: Step, scene: UserInput) -> TargetProblem | None:
    """Return a finding if the step refers to a box that does not exist.

    In this case, other findings about the step would only distract from the missing box.
    """
    for target in step.targets:
        if target.what == "region" and not set(target.boxes or (0,)) <= set(scene.boxes):
            hint = Sentence("You haven't drawn a box. Draw one around what you mean.")
            if scene.boxes:
                hint = Sentence("There is no box with that number. Draw one around what you mean.")
            return TargetProblem(Reason.NEEDS_REGION, hint)
    return None


def _of_targets(step: Step, scene: UserInput) -> Iterator[TargetProblem]:
    named = [(step.target, step.declaration.finds)]
    named += [(value, "neighbor") for value in step.values.values() if isinstance(value, Target)]
    # The thing in front of the new background must also be found.
    if step.target.what == "background" and step.target.noun:
        named.append((replace(step.target, what="thing"), "cut_out"))
    for target, finds in named:
        if why := find_target_problem(target, finds, has_boxes=target is step.target and bool(scene.boxes)):
            yield why


def _of_what_stays(step: Step) -> Iterator[TargetProblem]:
    for target in step.keep:
        if find_target_problem(target, ""):
            hint = Sentence("I can't find what should stay as it is. Draw a box around it, or leave it out.")
            yield TargetProblem(Reason.NO_SUCH_TARGET, hint)
    if step.keep and step.kind is EditKind.COMPOSITION:
        hint = Sentence(
            "I can only keep a part as it is when I change light, color, or sharpness. "
            "Leave out what to keep."
        )
        yield TargetProblem(Reason.AMBIGUOUS, hint)
    boxes = {box for target in step.keep for box in target.boxes}
    if step.target not in step.keep and not boxes.isdisjoint(step.target.boxes):
        hint = Sentence(
            "Your box shows what should change, and I can't find what should stay as it is. Leave that out."
        )
        yield TargetProblem(Reason.NO_SUCH_TARGET, hint)
    kept = {target.what for target in step.keep}
    if step.target in step.keep or (step.target.what == "background" and "background" in kept):
        hint = Sentence("I can't change a part and also keep it as it is. Ask for only one of them.")
        yield TargetProblem(Reason.AMBIGUOUS, hint)
    elif step.declaration.finds == "erase" and any(_is_one_of(one, step.target) for one in step.keep):
        hint = Sentence("I can't tell who or what should stay. Draw a box around each thing to remove.")
        yield TargetProblem(Reason.AMBIGUOUS, hint)


def _of_what_is_given(step: Step, scene: UserInput) -> Iterator[TargetProblem]:
    """Yield the step's problems with the photos and boxes that the user supplied."""
    declaration = step.declaration
    if step.photo and step.photo > scene.photos:
        hint = Sentence(
            "You attached only %(n)s photos. Attach photo %(number)s, and I can use it.",
            n=scene.photos,
            number=step.photo,
        )
        if scene.photos == 1:
            hint = Sentence(
                "You attached only one photo. Attach photo %(number)s, and I can use it.", number=step.photo
            )
        yield TargetProblem(Reason.NEEDS_REFERENCE, hint)
    if declaration.finds == "photos" and scene.photos < 2:
        hint = Sentence("You attached only one photo. Attach the others, and I can put them together.")
        yield TargetProblem(Reason.NEEDS_REFERENCE, hint)
    if declaration.scope is Scope.WHOLE and step.target.what == "region":
        hint = Sentence("This changes the whole photo. Remove the box, or ask for this change by itself.")
        yield TargetProblem(Reason.AMBIGUOUS, hint)
    if declaration.scope is Scope.TARGET and step.target == WHOLE and declaration.finds:
        yield TargetProblem(Reason.NEEDS_REGION, Sentence("Say what you mean, or draw a box around it."))


def _of_itself(step: Step) -> Iterator[TargetProblem]:
    fields = step.declaration.fields.items()
    texts = [str(step.values.get(name, "-")) for name, told in fields if told.type == "text"]
    if any(_UNWRITTEN.search(text) or not text for text in texts):
        hint = Sentence("I can only write Latin, Greek, and Cyrillic letters. Use those in your text.")
        yield TargetProblem(Reason.UNKNOWN_WORD, hint)
    if any(_PICTURES.search(text) and any(map(str.isalnum, text)) for text in texts):
        hint = Sentence("I can't write emoji inside a text. Add the emoji separately.")
        yield TargetProblem(Reason.UNKNOWN_WORD, hint)
    if any(told.type == "place" and told.of and step.place not in (None, *told.of) for _, told in fields):
        hint = Sentence("I can't put this there. Leave out the place, or name another side.")
        yield TargetProblem(Reason.AMBIGUOUS, hint)
    if step.color and step.color == step.values.get("ground"):
        hint = Sentence("The text and the ground behind it have the same color. Choose another one.")
        yield TargetProblem(Reason.AMBIGUOUS, hint)
    if not describe_step(step):
        yield TargetProblem(Reason.AMBIGUOUS, Sentence("Say how it should change, for example “more blue”."))
    if _changes_nothing(step):
        yield TargetProblem(
            Reason.AMBIGUOUS, Sentence("This wouldn't change anything. Ask for a different amount.")
        )


def _is_one_of(kept: Target, gone: Target) -> bool:
    """Return whether the kept target is among the removed things but cannot be distinguished from them.

    An example is "everybody except the bride".
    """
    is_like = not {kept.noun, *kinds_of(kept.noun)}.isdisjoint({gone.noun, *kinds_of(gone.noun)})
    return bool(kept.noun) and is_like and not (kept.color or kept.place or kept.count)


def _changes_nothing(step: Step) -> bool:
    amount = step.values.get("amount")
    degrees = step.values.get("degrees")
    is_nothing = isinstance(amount, Amount) and amount.share == 0 and not amount.number
    return is_nothing or (isinstance(degrees, float) and degrees % 360 == 0)


def _of_all(steps: Sequence[Step], scene: UserInput) -> Iterator[Refusal]:
    contrary = [pair for pair in combinations(steps, 2) if _is_contrary(*pair)]
    for step in chain(*contrary):
        hint = Sentence("Two of these changes contradict each other. Ask for only one of them.")
        yield Refusal(scene.instruction[slice(*step.words)].strip(), Reason.AMBIGUOUS, hint)
    of_whole = (step.declaration.scope is Scope.WHOLE and step.target == WHOLE for step in steps)
    if scene.boxes and steps and not scene.names_photo and all(of_whole):
        hint = Sentence(
            "This changes the whole photo, but you drew a box. Remove the box, or say “the photo”."
        )
        yield Refusal(scene.instruction.strip(), Reason.AMBIGUOUS, hint)
    behind = [step.declaration.ground for step in steps if step.declaration.ground]
    is_blurred = "blurred" in behind and not {"plain", "none"}.isdisjoint(behind)
    if sum(ground != "blurred" for ground in behind) > 1 or is_blurred:
        hint = Sentence(
            "A photo can have only one background. Ask for one: a color, a place, a blurred one, or none."
        )
        yield Refusal(scene.instruction.strip(), Reason.AMBIGUOUS, hint)


def _is_contrary(one: Step, other: Step) -> bool:
    """Return whether two steps contradict each other: "cooler and warmer", "crop to 1:1, 4:5", "make this
    blue, make this red"."""
    if one.target != other.target or one.keep != other.keep:
        return False
    if one.operation != other.operation:
        return other.operation == one.declaration.opposite or one.operation == other.declaration.opposite
    shapes = [step.values[name] for step in (one, other) for name in ("ratio", "size") if name in step.values]
    if one.declaration.finds == "recolor" and one.color != other.color:
        return True
    is_turned = (one.amount or 0.0) * (other.amount or 0.0) < 0 and one.color == other.color
    return is_turned or len(shapes) > 1
