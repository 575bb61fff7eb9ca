"""The refused parts of an edit, and the ways to continue after each of them."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.plan import Refusal, Way, WayKind, ways_of
from editor.models import Edit, Engine
from editor.services.editing import engines, routing

# Key in the stored plan. Its value lists the parts that only the worker refused, because the refusal depends
# on the photos.
REFUSED = "refused"


def refusals_of(edit: Edit) -> tuple[Refusal, ...]:
    """Return the parts of a failed edit that its engine refused, as far as they are known."""
    if edit.failure_code != "rejected":
        return ()
    plan = edit.plan or {}
    return tuple(map(Refusal.from_json, plan.get(REFUSED) or plan.get("not_understood", ())))


def engine_for_refused(edit: Edit, refusals: Sequence[Refusal]) -> Engine | None:
    """Return the engine that may do what the engine of an edit refused, or None if there is none."""
    if not refusals:
        return None
    refused_by = engines.engine_of(edit)
    return routing.first_fitting_engine(edit.workspace, edit.options, edit.photo_count, refused_by=refused_by)


def with_engine(edit: Edit, refusals: Sequence[Refusal]) -> tuple[Refusal, ...]:
    """Return the refusals of an edit with one more way on, if another engine may do the edit."""
    other = engine_for_refused(edit, refusals)
    if other is None:
        return tuple(refusals)
    price = other.price_for(edit.workspace.plan)
    way = Way(WayKind.ENGINE, edit.prompt, engine=other.name, price=price)
    return tuple(replace(refusal, ways=(*refusal.ways, way)) for refusal in refusals)


def ways_on(refusals: Sequence[Refusal]) -> dict[str, list[Way]]:
    """Return the ways to continue after these refusals, without duplicates.

    The ways are grouped by kind: boxes and sentences.
    """
    ways = ways_of(refusals)
    return {kind.value: [way for way in ways if way.kind is kind] for kind in (WayKind.BOX, WayKind.SENTENCE)}
