"""A workspace's legal hold and the retention period for its edits. Neither is set by default."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef

from editor.models import Action, Edit, Favorite, Workspace
from editor.models.clock import database_now
from editor.models.edits import EditQuerySet
from editor.models.ids import uuid7_floor
from editor.services.core import audit
from editor.services.core.access import Actor, Right
from editor.services.maintenance import trash
from editor.services.maintenance.trash import Amount

MAX_DAYS = 3650
A_MONTH = timedelta(days=30)
EDITS_PER_STATEMENT = 500
MAX_STATEMENTS = 20  # maximum number of statements per workspace in one run; the next run continues


@dataclass(frozen=True)
class Forecast:
    """How many edits a retention period would move to the trash immediately and within a month.

    `starred` is the number of edits that would be moved as well but are kept because someone starred them.
    """

    days: int
    immediately: Amount
    in_a_month: Amount
    starred: int


def forecast(actor: Actor, days: int) -> Forecast:
    """Return what `set_retention` would do. Raises Forbidden."""
    actor.require(Right.SET_RETENTION)
    now = database_now()
    age = timedelta(days=days)
    old = _older_than(actor.workspace, now - age)
    return Forecast(
        days=days,
        immediately=trash.amount_of(_unstarred(old)),
        in_a_month=trash.amount_of(_unstarred(_older_than(actor.workspace, now + A_MONTH - age))),
        starred=old.count() - _unstarred(old).count(),
    )


def set_retention(actor: Actor, days: int | None) -> None:
    """Set the retention period in days; None disables it. Raises Forbidden."""
    actor.require(Right.SET_RETENTION)
    with transaction.atomic():
        Workspace.objects.filter(pk=actor.workspace.pk).update(retention_days=days)
        audit.record(actor, Action.RETENTION_SET, subject=actor.workspace, detail={"days": days})


def apply_all() -> int:
    """Move expired edits to the trash, and return their number.

    Workspaces under a legal hold are skipped. Parallel and repeated calls are safe.
    """
    kept_for_days = Workspace.objects.filter(retention_days__isnull=False, held_since=None)
    return sum(_apply(workspace) for workspace in kept_for_days)


def set_hold(actor: Actor, *, reason: str) -> None:
    """Place a legal hold: nothing in the workspace is purged, and the countdown for its trash pauses.

    An existing hold does not change. Raises Forbidden.
    """
    _require_hold_right(actor)
    free, now = Workspace.objects.filter(pk=actor.workspace.pk, held_since=None), database_now()
    with transaction.atomic():
        if free.update(held_since=now, held_by=actor.user, hold_reason=reason):
            audit.record(actor, Action.HOLD_SET, subject=actor.workspace, reason=reason)


def lift_hold(actor: Actor) -> None:
    """Lift the legal hold, so that the countdown for the trash continues.

    Edits that were deleted during the hold get the full TRASH_DAYS. Raises Forbidden.
    """
    _require_hold_right(actor)
    with transaction.atomic():
        workspace = Workspace.objects.locked().get(pk=actor.workspace.pk)
        if workspace.held_since is None:
            return
        now = database_now()
        waiting = Edit.objects.in_trash().filter(workspace=workspace)
        waiting.filter(trashed__lt=workspace.held_since).update(
            purge_due=F("purge_due") + (now - workspace.held_since)
        )
        waiting.filter(trashed__gte=workspace.held_since).update(
            purge_due=now + timedelta(days=settings.TRASH_DAYS)
        )
        Workspace.objects.filter(pk=workspace.pk).update(held_since=None, held_by=None, hold_reason="")
        audit.record(actor, Action.HOLD_LIFTED, subject=workspace)


def _require_hold_right(actor: Actor) -> None:
    """Require the right to set a hold.

    Staff use the Django admin, which checks its own permission.
    """
    if actor.entry_point != "admin":
        actor.require(Right.SET_RETENTION)


def _apply(workspace: Workspace) -> int:
    age, moved = timedelta(days=workspace.retention_days or MAX_DAYS), 0
    for _ in range(MAX_STATEMENTS):
        old = _unstarred(_older_than(workspace, database_now() - age)).order_by("id")
        chosen = list(old.values_list("pk", flat=True)[:EDITS_PER_STATEMENT])
        still_so = Workspace.objects.filter(
            pk=workspace.pk, retention_days=workspace.retention_days, held_since=None
        )
        moved += trash.move(Edit.objects.filter(pk__in=chosen, workspace__in=still_so), by=None)
        if len(chosen) < EDITS_PER_STATEMENT:
            break
    return moved


def _older_than(workspace: Workspace, moment: datetime) -> EditQuerySet:
    """Return the ended edits that were created before this moment.

    IDs increase over time, so the edits are found by primary key.
    """
    edits = Edit.objects.not_in_trash().filter(workspace=workspace, id__lt=uuid7_floor(moment))
    return edits.filter(finished__isnull=False, purged=None)


def _unstarred(edits: EditQuerySet) -> EditQuerySet:
    """Return the edits that no current member has starred.

    A former member's star does not count, because nobody can see or remove it.
    """
    stars = Favorite.objects.filter(user__memberships__workspace=OuterRef("workspace"))
    return edits.exclude(Exists(stars.filter(edit=OuterRef("pk"))))
