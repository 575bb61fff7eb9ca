"""The refused parts of an edit, and the ways to continue after each of them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from editor.engine.plan import MAX_WAYS, Reason, Refusal, Way, WayKind
from editor.models import Edit, Engine
from editor.options import EditOptions
from editor.sentences import Sentence
from editor.services.editing import engines, routing

MARKS = (WayKind.POINT, WayKind.BOX)  # the ways that mark something on photo 1
# What messages of an engine contain if a box would help, such as "Mark it with a box." and "Draw the box
# around it." The "d" of "draw" is missing because it may be a capital letter.
_ABOUT_BOXES = ("with a box.", "raw the box", "raw a box")

# Key in the stored plan. Its value lists the parts that only the worker refused, because the refusal depends
# on the photos.
REFUSED = "refused"


def refusals_of(edit: Edit) -> tuple[Refusal, ...]:
    """Return the parts of a failed edit that its engine refused, as far as they are known.

    If only the message of the failure asks for a box, the whole prompt counts as refused.
    """
    if not edit.is_rejected:
        return ()
    plan, message = edit.plan or {}, edit.failure_message
    if parts := plan.get(REFUSED) or plan.get("not_understood"):
        return tuple(map(Refusal.from_json, parts))
    if not any(words in message for words in _ABOUT_BOXES):
        return ()
    box = Way(WayKind.BOX, edit.prompt)
    return (Refusal(edit.prompt, Reason.NEEDS_REGION, Sentence(message), ways=(box,)),)


def engine_for_refused(edit: Edit, refusals: Sequence[Refusal]) -> Engine | None:
    """Return the engine that may do what the engine of an edit refused, or None if there is none."""
    if not refusals or not edit.workspace.engines:
        return None
    refused_by = engines.engine_of(edit)
    return routing.first_fitting_engine(edit.workspace, edit.options, edit.photo_count, refused_by=refused_by)


def ways_after(
    edit: Edit, refusals: Sequence[Refusal], *, has_rest: bool, other: Engine | None
) -> tuple[Way, ...]:
    """Return the ways to continue after refusals of a failed edit, as `ways_to_continue` does.

    `other` is an engine that may do the edit, if there is one.
    """
    rest = [Way(WayKind.REST, edit.prompt)] if has_rest else []
    price = other.price_for(edit.workspace.plan) if other else 0
    last = [Way(WayKind.ENGINE, edit.prompt, engine=other.name, price=price)] if other else []
    can_select = may_select(engines.engine_of(edit), edit.options)
    return ways_to_continue(refusals, can_select=can_select, others=[*rest, *last])


def may_select(engine: Engine | None, options: EditOptions) -> bool:
    """Check whether selecting something by a click may help. If something is selected already, it did not."""
    return not options.points and routing.can_select(routing.capabilities(engine))


def ways_by_refusal(edit: Edit, refusals: Sequence[Refusal]) -> list[tuple[Refusal, tuple[Way, ...]]]:
    """Return each refusal of a failed edit, along with the ways to continue after it."""
    other = engine_for_refused(edit, refusals)
    return [(one, ways_after(edit, [one], has_rest=_has_rest(one), other=other)) for one in refusals]


def ways_to_continue(
    refusals: Sequence[Refusal],
    *,
    can_select: bool,
    others: Sequence[Way] = (),
    without: Collection[WayKind] = (),
) -> tuple[Way, ...]:
    """Return at most MAX_WAYS ways to continue after these refusals, best first and of different kinds.

    With `can_select`, a thing can be selected by a click. A box around it is then only offered if there is
    room. `others` are the ways that the refusals alone do not tell: the rest of the prompt, and another
    engine. `without` are the kinds of ways that cannot be taken.
    """
    own = [way for one in refusals for way in _own_ways(one, can_select=can_select)]
    ways = [way for way in dict.fromkeys([*own, *others]) if way.kind not in without]
    first_of_kind = {way.kind: way for way in reversed(ways)}
    if WayKind.POINT in first_of_kind:
        first_of_kind.pop(WayKind.BOX, None)
    best = sorted(ways, key=lambda way: way is not first_of_kind.get(way.kind))[:MAX_WAYS]
    return tuple(way for way in ways if way in best)


def _own_ways(refusal: Refusal, *, can_select: bool) -> Iterator[Way]:
    for way in refusal.ways:
        if way.kind is WayKind.BOX and can_select and not refusal.needs_place:
            yield replace(way, kind=WayKind.POINT)
        if way.kind is not WayKind.REST:
            yield way


def _has_rest(refusal: Refusal) -> bool:
    return any(way.kind is WayKind.REST for way in refusal.ways)
