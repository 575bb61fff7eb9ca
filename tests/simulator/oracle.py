"""The invariants that must hold during and after every schedule."""

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from editor.imaging.errors import SandboxError
from editor.models import (
    CreditEntry,
    DraftPhoto,
    Edit,
    ReferencePhoto,
    ResultPhoto,
    Review,
    WebhookDelivery,
    WebhookEndpoint,
)
from editor.models.clock import database_now
from editor.providers.contract import KEEPS_CRASHING
from editor.services.core import access
from editor.services.core.errors import NotFound
from editor.services.editing import pacing, turns
from editor.services.maintenance import invariants
from editor.services.photos import photos
from tests.cast import path_of
from tests.simulator.scheduler import Scheduler
from tests.simulator.world import World, label_of, world

# A database error is a bug in the code that caused it, unless the error decides a race by design.
BY_DESIGN = ("submit_id", "idempotency", "reference", "owner_id", "one_edit_for", "one_entry_for", "slug")


@contextmanager
def paused(stage: Scheduler) -> Iterator[None]:
    """Prevent all other activity in the simulated world until the block ends."""
    actor = stage.actor()
    assert actor is not None
    actor.is_watched = False
    try:
        yield
    finally:
        actor.is_watched = True


def overdue_edits() -> list[str]:
    """Check invariant I10: after a time without faults, every edit has ended by its deadline."""
    past = Edit.objects.open().filter(deadline__lt=database_now() - timedelta(seconds=60))
    return [f"I10: {label_of(edit.submit_id)} is {edit.state} past its deadline." for edit in past]


def unfair_starts(edit: Edit) -> list[str]:
    """Check that edits start first if their workspace and person have the fewest running edits.

    Edits that run here and edits that run elsewhere have separate queues and workers.
    """
    now = database_now()
    if edit.state != Edit.State.QUEUED or edit.deadline <= now:
        return []
    every = list(Edit.objects.open().select_related("engine"))
    running = [one for one in every if one.state != Edit.State.QUEUED or _is_leased(one, now)]
    places = Counter(place for one in running for place in _places(one))
    slowed = turns.owners_of_heavy_failures(now)

    def load(one: Edit) -> int:
        workspace, person, _ = _places(one)
        return max(places[workspace], places[person])

    def may_begin(one: Edit) -> bool:
        _, person, engine = _places(one)
        if one.batch_id or places[person] >= settings.RUNNING_PER_USER:
            return False
        if one.engine is None or one.runs_here != edit.runs_here:
            return False
        if one.runs_here:
            return one.owner_id not in slowed
        return places[engine] < one.engine.in_flight and pacing.are_polls_on_time(one.engine, now)

    queued = [one for one in every if one.state == Edit.State.QUEUED and one.due <= now]
    waiting = [one for one in queued if not _is_leased(one, now) and may_begin(one)]
    return [
        f"{label_of(edit.submit_id)} is begun before {label_of(one.submit_id)}, whose turn it is."
        for one in waiting
        if load(one) < load(edit)
    ]


def _is_leased(edit: Edit, now: datetime) -> bool:
    return edit.lease_until is not None and edit.lease_until >= now


def _places(edit: Edit) -> tuple[Any, Any, Any]:
    return ("workspace", edit.workspace_id), ("person", edit.owner_id), ("engine", edit.engine_id)


def caps_exceeded() -> list[str]:
    """Check that nobody exceeds their cap.

    In a month, a person's held and captured credits must not exceed the highest cap that this person has had.
    """
    kept = Edit.objects.exclude(state__in=["FAILED", "CANCELLED"]).filter(workspace__slug="studio")
    refunds = CreditEntry.objects.filter(edit=OuterRef("pk"), kind="refund").values("amount")
    kept = kept.annotate(cost=F("price") - Coalesce(Subquery(refunds), 0))
    by_member = kept.values_list("owner__name", "created__year", "created__month").annotate(sum=Sum("cost"))
    by_key = kept.exclude(api_key=None).values_list("api_key__name", "created__year", "created__month")
    sums = [*by_member, *by_key.annotate(sum=Sum("cost"))]
    most = world().caps_set
    return [
        f"The cap of {name} is exceeded: {spent}."
        for name, *_, spent in sums
        if spent > most.get(name, spent)
    ]


def exposed_unpaid_results() -> Iterator[str]:
    """Report results that the owner can get even though their edit did not succeed or was not paid for."""
    for result in ResultPhoto.stored.select_related("edit__owner"):
        if not result.edit.has_results and _is_shown(result):
            yield f"A result of {label_of(result.edit.submit_id)} is shown, which is {result.edit.state}."
    yield from invariants.unpaid_results()


def final_violations(world: World) -> list[str]:
    """Run all checks after the schedule has ended and orphans have been deleted."""
    errors = [str(error) for error in _errors]
    return [
        *invariants.find_violations(),
        *_unended(),
        *_creates(world),
        *_outcomes(world),
        *_grants(),
        *_files(),
        *_reviews(),
        *_deliveries(world),
        *errors,
    ]


class ErrorListener(logging.Handler):
    """Collect the errors that the product logs.

    Only simulated faults may cause such errors.
    """

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not isinstance(error, (OSError, SandboxError)) and not _is_locked(error):
            _errors.append(f"{record.getMessage()} {error!r}")


_errors: list[str] = []


def clear_errors() -> None:
    _errors.clear()


def _is_shown(result: ResultPhoto) -> bool:
    with suppress(NotFound):
        return bool(access.find_photo(result.edit.owner, "results", result.pk))
    return False


def _is_locked(error: BaseException) -> bool:
    return "database is locked" in str(error)


def _unended() -> Iterator[str]:
    for edit in Edit.objects.open():
        yield f"{label_of(edit.submit_id)} is {edit.state} forever."


def _creates(world: World) -> Iterator[str]:
    for label, times in world.arrived.items():
        if times > 1:
            yield f"I9: the engine got {times} creates of {label}."


def _outcomes(world: World) -> Iterator[str]:
    """Check that an edit succeeds with all requested results, or that its failure has a valid cause.

    A valid cause is the engine, or a fault in a process that worked on the edit.
    """
    edits: QuerySet[Any] = Edit.objects.annotate(made=Count("results"))
    for edit in edits:
        label = label_of(edit.submit_id)
        if edit.state == "SUCCESS" and edit.made != edit.outputs:
            yield f"{label} was charged although it has {edit.made} of {edit.outputs} results."
        is_crash = edit.failure_message == KEEPS_CRASHING
        if edit.failure_code == "engine_failed" and label not in world.blamed and not is_crash:
            yield f"{label} failed, but the engine did not report a failure: {edit.failure_message}"
        is_unlucky = is_crash or edit.failure_code == "unconfirmed"
        if is_unlucky and label not in world.stage.disturbed:
            yield f"{label} failed as if a process had died, but none had: {edit.failure_message}"


def _grants() -> Iterator[str]:
    """Check that each monthly grant, and each grant with a reference, was made only once."""
    granted = CreditEntry.objects.filter(kind="grant").exclude(reason="Opening grant")
    for (place, reason, reference), times in Counter(
        granted.values_list("workspace", "reason", "reference")
    ).items():
        if times > 1:
            yield f"Workspace {place} got {reason!r} ({reference}) {times} times."
    months: dict[tuple[Any, ...], int] = Counter(
        granted.filter(reason__startswith="Allowance").values_list("workspace", "reason")
    )
    for (place, reason), times in months.items():
        if times > 1:
            yield f"Workspace {place} got the {reason!r} {times} times."


def _reviews() -> Iterator[str]:
    """Check that each edit's review state matches its last review step."""
    steps = Review.objects.filter(edit=OuterRef("pk")).order_by("-id").values("state")[:1]
    edits: QuerySet[Any] = Edit.objects.annotate(last=Coalesce(Subquery(steps), Value("draft")))
    for edit in edits:
        if edit.review_state != edit.last:
            yield f"{label_of(edit.submit_id)} is {edit.review_state}, and its last step says {edit.last}."


def _deliveries(world: World) -> Iterator[str]:
    """Check that each webhook reported every ended edit exactly once, and that each report arrived."""
    for endpoint in WebhookEndpoint.objects.filter(removed=None, made_by__is_active=True):
        edits: QuerySet[Any] = Edit.objects.filter(workspace=endpoint.workspace)
        for edit in edits.annotate(rows=Count("deliveries", filter=Q(deliveries__endpoint=endpoint))):
            if edit.rows != 1:
                yield f"{label_of(edit.submit_id)} was reported {edit.rows} times to {endpoint}."
    for delivery in WebhookDelivery.objects.exclude(state="GIVEN_UP"):
        if delivery.state == "WAITING" or not world.webhook_counts[str(delivery.id)]:
            yield f"{label_of(delivery.edit.submit_id)} is {delivery.state}, but the report did not arrive."


def _files() -> Iterator[str]:
    """Check that every file has a row and that every row has all its files, including derivatives."""
    wanted: set[Path] = set()
    allowed: set[Path] = set()  # derivatives that exist although their rows do not record this yet
    models: tuple[Any, ...] = (DraftPhoto, ReferencePhoto, ResultPhoto)
    for model in models:
        rows = model._base_manager.all()
        for photo in rows if model is DraftPhoto else rows.filter(edit__purged=None):
            sizes = ("original", *map(str, photos.WIDTHS), *([str(photos.LARGE)] if photo.has_large else []))
            sizes += (photos.VIEW,) if photo.view_size is not None else ()
            wanted |= {path_of(photo, size) for size in sizes}
            allowed.add(path_of(photo).with_name(f"{path_of(photo).stem}-{photos.LARGE}.webp"))
    stored = set(settings.PHOTOS_DIR.glob("*/*"))
    for path in sorted(stored - wanted - allowed):
        yield f"{path.name} has no row."
    for path in sorted(wanted - stored):
        yield f"{path.name} is missing, but a row names it."
    for path in sorted(wanted & stored):
        if not path.read_bytes().startswith(b"PHOTO"):
            yield f"{path.name} is empty."
    for left in settings.WORK_DIR.glob("*"):
        yield f"{left.name} was left in the work folder."
