"""A workspace's history: filtered search, favorites, and the typical duration of an edit."""

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from statistics import median

from django.db.models import Q
from django.utils import timezone

from editor.models import Edit, Engine, Favorite, Workspace
from editor.models.edits import EditQuerySet
from editor.models.ids import uuid7_floor
from editor.services.billing import usage
from editor.services.core import search
from editor.services.core.access import Actor, Right
from editor.services.core.paging import Page, is_key, page_by_key

RECENT = 20
SEARCHED, ENOUGH = 100, 3  # maximum number of edits examined, and minimum number of similar edits
# Maximum number of suggestions, and maximum number of characters in a suggestion.
SUGGESTED, SHORT = 20, 60


@dataclass(frozen=True)
class Search:
    """The filters for searching edits; an empty search matches all edits.

    Users are specified by ID. `since` and `until` are whole days in the current time zone.
    """

    words: str = ""
    states: Collection[str] = ()
    review_state: str = ""
    kind: str = ""
    engine: str = ""
    shape: str = ""
    made_by: int | None = None
    starred_by: int | None = None
    since: date | None = None
    until: date | None = None

    @property
    def key(self) -> str:
        """Return the column that orders the matching edits by age, for key-based pagination."""
        return "place" if self.words else "pk"

    def has_key(self, text: str) -> bool:
        """Check whether this text is a possible key for the list."""
        return is_key(Edit.objects.all(), text, self.key)

    def filter(self, edits: EditQuerySet, *, workspace_id: int | None) -> EditQuerySet:
        """Return the matching edits in this workspace, or in all workspaces if the ID is None."""
        if self.words:
            edits = search.matching(edits, self.words, workspace_id=workspace_id)
        if self.states:
            edits = edits.filter(state__in=self.states)
            if not set(Edit.TERMINAL) & set(self.states):
                edits = edits.filter(finished=None)  # Open edits have a separate, small index.
        if self.review_state:
            edits = edits.filter(review_state=self.review_state)
        if self.kind:
            edits = edits.with_step_of_kind(self.kind)
        if self.engine:
            edits = edits.filter(engine__in=_engines_named(self.engine))
        if self.shape:
            edits = edits.with_result_shape(self.shape)
        if self.made_by is not None:
            edits = edits.filter(owner_id=self.made_by)
        if self.starred_by is not None:
            edits = edits.filter(favorites__user_id=self.starred_by)
        # IDs increase over time, so a day in the distant past can be found without scanning all later edits.
        if self.since is not None:
            edits = edits.filter(id__gte=uuid7_floor(_midnight(self.since)))
        if self.until is not None:
            edits = edits.filter(id__lt=uuid7_floor(_midnight(self.until) + timedelta(days=1)))
        return edits


def page_of(
    actor: Actor, query: Search, *, size: int, before: str = "", after: str = "", groups_batches: bool = False
) -> Page[Edit]:
    """Return one page of the matching edits in the actor's workspace, newest first.

    Uses a constant number of queries. Each edit has `is_favorite`, which is true if the actor's user starred
    it, and `refunded_credits`. With `groups_batches`, each batch appears only once. `before` and `after` are
    keys from an earlier page of the same search.
    """
    edits = query.filter(edits_of(actor.workspace), workspace_id=actor.workspace.pk)
    if groups_batches:
        found = query.filter(Edit.objects.not_in_trash(), workspace_id=actor.workspace.pk)
        edits = edits.select_related("owner", "workspace", "engine", "batch").first_of_each_batch(found)
    annotated = edits.with_is_favorite(actor.user.pk).with_refunds()
    return page_by_key(annotated, size=size, before=before, after=after, key=query.key)


def edits_of(workspace: Workspace) -> EditQuerySet:
    """Return the workspace's edits that are not in the trash, newest first, along with their photos.

    Uses a constant number of queries.
    """
    return _shown().filter(workspace=workspace)


def suggestions(actor: Actor) -> list[str]:
    """Return recent short prompts from the actor's workspace as search suggestions, newest first.

    Each prompt appears only once.
    """
    recent = Edit.objects.not_in_trash().filter(workspace=actor.workspace).newest_first()
    prompts = recent.values_list("prompt", flat=True)[:SEARCHED]
    return list(dict.fromkeys(prompt for prompt in prompts if 0 < len(prompt) <= SHORT))[:SUGGESTED]


def selected_edits(actor: Actor, edits: Sequence[uuid.UUID], batches: Sequence[uuid.UUID]) -> EditQuerySet:
    """Return the edits in `edits` and in the `batches` that belong to the actor's workspace.

    Edits in the trash are left out.
    """
    return edits_of(actor.workspace).filter(Q(pk__in=edits) | Q(batch__in=batches)).with_refunds()


def star(actor: Actor, edits: EditQuerySet) -> int:
    """Star the edits for the actor's user, and return the number of edits. A second call has no effect."""
    actor.require(Right.VIEW)
    stars = [Favorite(user=actor.user, edit_id=pk) for pk in edits.values_list("pk", flat=True)]
    Favorite.objects.bulk_create(stars, ignore_conflicts=True)
    return len(stars)


def is_favorite(actor: Actor, edit: Edit) -> bool:
    """Check whether the actor's user has starred this edit."""
    return Favorite.objects.filter(user=actor.user, edit=edit).exists()


def toggle_favorite(actor: Actor, edit: Edit) -> bool:
    """Star an edit for the actor's user, or remove the star. Return whether the edit is now starred.

    Everyone who may see an edit may star it.
    """
    actor.require(Right.VIEW)
    taken, _ = Favorite.objects.filter(user=actor.user, edit=edit).delete()
    if not taken:
        Favorite.objects.get_or_create(user=actor.user, edit=edit)
    return not taken


def typical_seconds(workspace: Workspace, engine: Engine, *, similar_to: Edit | None = None) -> float | None:
    """Return the median duration in seconds of recent successful edits by this engine, or None if there are
    none.

    The edits are those of the workspace or, if it has none, of the whole site. With `similar_to`, only edits
    that are similar to that edit are counted, if there are at least ENOUGH of them.
    """
    by_engine = Edit.objects.filter(engine=engine, state=Edit.State.SUCCESS).newest_first()
    recent = by_engine.filter(workspace=workspace)
    if similar_to is not None:
        recent = recent.prefetch_related("references")
        sort = _sort_of(similar_to)
        alike = [edit for edit in recent[:SEARCHED] if _sort_of(edit) == sort][:RECENT]
        if len(alike) >= ENOUGH:
            return _median_seconds(alike)
    return _median_seconds(recent[:RECENT]) or _median_seconds(by_engine[:RECENT])


def _engines_named(name: str) -> list[int]:
    """Return the IDs of the engines with this name.

    If an engine's address has changed, the engine has several IDs.
    """
    return list(Engine.objects.filter(name=name).values_list("pk", flat=True))


def _sort_of(edit: Edit) -> tuple[str, int, int]:
    """Return the kind of steps, the number of results, and photo 1's size class, which is a power of four.

    Edits for which all three are the same take about the same time.
    """
    first = next(iter(edit.references.all()), None)
    pixels = first.width * first.height if first else 0
    return usage.kind_of(edit), edit.outputs, (pixels.bit_length() + 1) // 2


def _median_seconds(edits: Iterable[Edit]) -> float | None:
    took = [edit.seconds for edit in edits if edit.seconds is not None]
    return median(took) if took else None


def _shown() -> EditQuerySet:
    edits = Edit.objects.not_in_trash().select_related("owner", "workspace", "engine")
    return edits.prefetch_related("references", "results").newest_first()


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
