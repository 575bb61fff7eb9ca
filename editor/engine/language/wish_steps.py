"""Turn one wish into steps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from editor.engine.catalog import Declaration, Scope, find_declaration
from editor.engine.language.amounts import MORE_AMOUNT, amount_of, with_amounts
from editor.engine.language.box_use import Wish
from editor.engine.language.draft import Draft
from editor.engine.language.hints import NO_FAULT, ONE_CHANGE
from editor.engine.language.sentence_parts import (
    InterpretationError,
    SentencePart,
    WishValues,
    as_list,
    changes_of,
    names_nothing,
    target_of,
)
from editor.engine.language.wish_targets import (
    list_naming_part,
    merge_people,
    photo_number,
    target_of_wish,
    target_to_keep,
    targets_outside_rest,
)
from editor.engine.plan import WHOLE, BadStep, Reason, Step, Target, Value, declaration_of
from editor.engine.units import PAPER_SIZE
from editor.options import EditKind
from editor.sentences import Sentence

_ONE_COLOR = Sentence("Name one color for each part, or say “make it black and white”.")


def steps_of(part: SentencePart, draft: Draft) -> Iterator[Step]:
    """Yield a step for each change of each target.

    A color alone yields nothing but changes the last step of the draft. A change that cannot become a step is
    refused, and the others are not.
    """
    wish = part.value
    common = {name: value for name, value in wish.items() if name not in ("each", "target")}
    changes = with_amounts(changes_of(wish), wish.get("amount"))
    # "More" applies to both changes in "brighter and more vivid", unless each has its own target. It also
    # applies to both wishes in "more contrast, and saturation".
    is_more = any(change.get("more") for change in changes)
    if changes[0].get("again"):
        if len(changes) == 1 and _try_color_last_step(changes[0].get("color"), draft):
            return
        if _is_second_color(changes, draft):
            draft.refuse_with_last_wish(part.words, _ONE_COLOR)
            return
        common["turn"] = _direction_of_last_step(wish, draft)
    if _is_already_mended(wish, draft):
        return
    if wish.get("mends") and draft.remark:  # Only a remark may tell the fault.
        draft.is_remark_used = True
        raise InterpretationError(Reason.AMBIGUOUS, NO_FAULT)
    draft.has_fault |= bool(wish.get("faulty"))
    for change in _without_complaints(changes, wish, draft):
        try:
            takes_more = change.get("more") or (is_more and "target" not in change)
            wish_values = ({"usual": MORE_AMOUNT} if takes_more else {}) | common | dict(change)
            yield from _steps_of_change(change.get("target", wish.get("target")), wish_values, part, draft)
        except BadStep as error:
            draft.refuse(part.words, Reason.AMBIGUOUS, error.sentence)
        except InterpretationError as error:
            draft.refuse_interpretation(part.words, error)


def _try_color_last_step(color: str | None, draft: Draft) -> bool:
    """Give the last step a color if it takes one, and return whether it does."""
    if not (draft.steps and color and _accepts_color_afterwards(draft.steps[-1], color)):
        return False
    last = draft.steps[-1]
    draft.steps[-1] = replace(last, values=dict(last.values) | {"color": color})
    return True


def _is_second_color(changes: Sequence[WishValues], draft: Draft) -> bool:
    """Return whether a color follows that of the last step, as in "the wall black and white".

    The wish before it may then ask for both colors, or for a look.
    """
    return bool(draft.steps and draft.steps[-1].color and len(changes) == 1 and changes[0].get("color"))


def _direction_of_last_step(wish: WishValues, draft: Draft) -> int:
    """Return -1 if the last step reduces something, and 1 if it increases something.

    Raises InterpretationError if the wish cannot continue the last step.
    """
    last = draft.steps[-1] if draft.steps else None
    is_complaint = last is not None and last.operation in draft.complaint_operations
    has_change = last is not None and last.kind is EditKind.COLOR and not is_complaint
    if last is None or last.amount is None or not has_change or wish.get("target"):
        raise InterpretationError(
            Reason.AMBIGUOUS, Sentence("Say how it should change, for example “more blue”.")
        )
    return -1 if last.amount < 0 else 1


def _is_already_mended(wish: WishValues, draft: Draft) -> bool:
    """Return whether earlier steps already mend the fault that a wish such as "fix it" is about."""
    complaints = filter(None, (find_declaration(str(name)) for name in draft.complaint_operations))
    has_complaint = draft.has_fault or any(declaration.kind is EditKind.COLOR for declaration in complaints)
    # "There is a scratch here, remove" also names what the wish before it has already removed.
    is_bare_removal = (
        wish.get("operation") == "erase" and names_nothing(wish.get("target")) and draft.has_fault
    )
    return bool(wish.get("mends") and has_complaint) or is_bare_removal


def _without_complaints(
    changes: Sequence[WishValues], wish: WishValues, draft: Draft
) -> Sequence[WishValues]:
    """Return the changes of a wish, without those that an earlier complaint already asks for.

    If the wish is a complaint itself, its operations are recorded.
    """
    if wish.get("vague"):  # "It is too dark, adjust the brightness" asks for one change.
        return [change for change in changes if change.get("operation") not in draft.complaint_operations]
    if wish.get("turn"):
        draft.complaint_operations |= {change.get("operation", wish.get("operation")) for change in changes}
    return changes


def _steps_of_change(
    descriptions: Any, wish_values: WishValues, part: SentencePart, draft: Draft
) -> Iterator[Step]:
    """Yield a step for each described target of one change."""
    others = targets_outside_rest(descriptions, draft)
    for target in [WHOLE] if others else _targets(descriptions, wish_values, draft):
        step = _step(wish_values, target, draft, part.words)
        yield replace(step, keep=(*step.keep, *others))


def _accepts_color_afterwards(step: Step, color: str) -> bool:
    """Return whether a color alone after a step is that of what it adds, as in "add a border, gold".

    A code, as in "white background, #fefefe", states a color more exactly.
    """
    is_addition = step.kind is EditKind.ADD or step.declaration.ground == "plain"
    is_free = "color" not in step.values or color.startswith("#")
    return is_addition and is_free and "color" in step.declaration.fields


def _targets(descriptions: Any, wish_values: WishValues, draft: Draft) -> list[Target]:
    """Return the targets without duplicates.

    Several marked targets become one region. A place at the end of a list applies to every item in the list.
    """
    named = (
        list_naming_part(descriptions["either"])
        if isinstance(descriptions, Mapping) and "either" in descriptions
        else as_list(descriptions)
    )
    if named == [None] and (_is_about_box(wish_values, draft) or _is_about_complaint(wish_values, draft)):
        return [draft.steps[-1].target]
    last = named[-1] or {}
    if len(named) > 1 and "noun" in last and "place" in last:
        named = [one if one.keys() & {"place", "what"} else one | {"place": last["place"]} for one in named]
    targets = [
        target_of_wish(Wish(declaration_of(wish_values["operation"]), wish_values, one), draft)
        for one in named
    ]
    if len(targets) > 1 and all(target.what == "region" for target in targets):
        return [Target("region", boxes=tuple(sorted({box for target in targets for box in target.boxes})))]
    has_parts = WHOLE in targets and set(targets) != {WHOLE}
    if has_parts and (targets[0] != WHOLE or (named[0] or {}).get("what") == "it"):
        # As in "sharpen it, the eyes at least" and "blur the names and pictures".
        raise InterpretationError(Reason.AMBIGUOUS, ONE_CHANGE)
    return [WHOLE] if WHOLE in targets else merge_people(list(dict.fromkeys(targets)))


def _is_about_complaint(wish_values: WishValues, draft: Draft) -> bool:
    """Return whether a wish that names nothing mends the part of the complaint right before it.

    It does in "the face is too dark, brighten by 30%", because the complaint asks for the same change.
    """
    before = draft.steps[-1] if draft.steps else None
    if before is None or before.target == WHOLE:
        return False
    if draft.complaint_operations.isdisjoint((before.operation, before.declaration.opposite)):
        return False
    step = _step(wish_values, before.target, draft, (0, 0))
    is_same = step.operation == before.operation and before.kind is EditKind.COLOR
    return is_same and (step.amount or 0.0) * (before.amount or 0.0) > 0


def _is_about_box(wish_values: WishValues, draft: Draft) -> bool:
    """Return whether a change of color that names nothing is about the box.

    It is if a complaint about the box is before it, as in "this part is too dark, bring out some detail", and
    if the instruction does not mention the photo.
    """
    before = draft.steps[-1] if draft.steps else None
    if before is None or before.target.what != "region" or before.operation not in draft.complaint_operations:
        return False
    if draft.user_input.names_photo:
        return False
    declaration = declaration_of(wish_values["operation"])
    return declaration.kind is EditKind.COLOR and declaration.scope is not Scope.WHOLE


def _step(wish_values: WishValues, target: Target, draft: Draft, words: tuple[int, int]) -> Step:
    """Return one step for a target.

    The rules of `becomes` and `opposite` may replace the operation of the wish up to three times.
    """
    sign = 1
    for name in ("sign", "turn", "slide"):
        sign *= int(wish_values.get(name, 1))
    wish_values, declaration = (
        {"context": draft.context} | dict(wish_values) | {"sign": sign},
        declaration_of(wish_values["operation"]),
    )
    for _ in range(3):
        other = _replacement_values(declaration, wish_values, target)
        if other is None:
            break
        wish_values, declaration = wish_values | other, declaration_of(other["operation"])
        target = target_of(other["target"]) if "target" in other else target
    values: dict[str, Value] = {
        name: _converted(declaration.fields[name].type, value, sign)
        for name, value in wish_values.items()
        if name in declaration.fields and name != "amount" and value is not None
    }
    for name, value in values.items():
        if isinstance(value, Target):
            target, values[name] = draft.box_use.pair(target, value)
    amount = amount_of(declaration, wish_values)
    if amount is not None:
        values["amount"] = amount
    targets_to_keep = dict.fromkeys(
        target_to_keep(draft.user_input, one) for one in as_list(wish_values.get("keep") or [])
    )
    photo = photo_number(wish_values["photo"], draft.user_input) if "photo" in wish_values else None
    return Step(declaration.name, target, values, photo, (*draft.targets_to_keep, *targets_to_keep), words)


def _converted(kind: str, value: Any, sign: int) -> Value:
    """Return a value converted to the type of its field.

    If `sign` is negative, the sign of a number is reversed. A paper size becomes the ratio of its sides.
    """
    if kind == "ratio" and (size := PAPER_SIZE.fullmatch(value)) and Fraction(size[1]) * Fraction(size[2]):
        return "{0.numerator}:{0.denominator}".format(Fraction(size[1]) / Fraction(size[2]))
    if kind == "number":
        return float(value) * sign
    return int(value) if kind == "count" else target_of(value) if kind == "target" else value


def _replacement_values(
    declaration: Declaration, wish_values: WishValues, target: Target
) -> dict[str, Any] | None:
    """Return the values of the step that replaces this one, or None if this step is not replaced.

    The values come from the first matching rule of `becomes`, or from `opposite` for a negative direction.
    """
    stated_amount: Mapping[str, Any] = wish_values.get("amount") or {}
    is_stops = "stops" in stated_amount or "stops" in stated_amount.get("measure", ())
    conditions = dict(wish_values) | {
        "target": target.what,
        "way": "less" if wish_values["sign"] < 0 else "more",
    }
    conditions |= {"unit": "stops"} if is_stops else {}
    for rule in declaration.becomes:
        if all(conditions.get(name) == value for name, value in rule["when"].items()):
            then = dict(rule["then"])
            return {"sign": wish_values["sign"], "vague": None, "of_colors": None, "context": None} | then
    if declaration.opposite and wish_values["sign"] < 0:
        return {"operation": declaration.opposite, "sign": 1}
    return None
