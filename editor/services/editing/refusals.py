"""The refused parts of an edit, with the ways on from them."""

from collections.abc import Sequence

from editor.engine.plan import Refusal, Way, WayKind, ways_of
from editor.models import Edit

# Key in the stored plan for what only the worker refused, because it depends on the photos.
REFUSED = "refused"


def refusals_of(edit: Edit) -> tuple[Refusal, ...]:
    """Return the refused parts of an edit that its engine rejected, as far as they are known."""
    if edit.failure_code != "rejected":
        return ()
    plan = edit.plan or {}
    return tuple(map(Refusal.from_json, plan.get(REFUSED) or plan.get("not_understood", ())))


def ways_on(refusals: Sequence[Refusal]) -> dict[str, list[Way]]:
    """Return the boxes and the sentences that lead on from refusals, without duplicates, by their kind."""
    ways = ways_of(refusals)
    return {kind.value: [way for way in ways if way.kind is kind] for kind in (WayKind.BOX, WayKind.SENTENCE)}
