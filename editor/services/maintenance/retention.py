"""How long a workspace keeps its edits, and its legal hold. Both are off unless an owner says otherwise."""

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

MOST_DAYS = 3650
A_MONTH = timedelta(days=30)
EDITS_PER_STATEMENT = 500
STEPS = 20  # for one workspace in one run: the next run goes on


@dataclass(frozen=True)
class Forecast:
    """What keeping edits for so many days would move to the trash at once, and within a month; and how many
    old edits it spares, since somebody has starred them."""

    days: int
    at_once: Amount
    in_a_month: Amount
    spared: int


def forecast(actor: Actor, days: int) -> Forecast:
    """What `keep_for` would do. Raises Forbidden."""
    actor.require(Right.SET_RETENTION)
    now = database_now()
    age = timedelta(days=days)
    old = _older_than(actor.workspace, now - age)
    return Forecast(
        days=days,
        at_once=trash.amount_of(_unstarred(old)),
        in_a_month=trash.amount_of(_unstarred(_older_than(actor.workspace, now + A_MONTH - age))),
        spared=old.count() - _unstarred(old).count(),
    )


def keep_for(actor: Actor, days: int | None) -> None:
    """Has edits go to the trash by themselves after so many days; None for never. Raises Forbidden."""
    actor.require(Right.SET_RETENTION)
    with transaction.atomic():
        Workspace.objects.filter(pk=actor.workspace.pk).update(retention_days=days)
        audit.record(actor, Action.RETENTION_SET, subject=actor.workspace, detail={"days": days})


def apply_all() -> int:
    """Moves what is older than its workspace keeps it to the trash, but for what stands under a legal hold;
    answers how many. Many workers at once, or one again, change nothing more."""
    kept_for_days = Workspace.objects.filter(retention_days__isnull=False, held_since=None)
    return sum(_apply(workspace) for workspace in kept_for_days)


def set_hold(actor: Actor, *, reason: str) -> None:
    """From now on nothing of the workspace is deleted for good, and the days of its trash stand still. A
    hold that stands is left as it is. Raises Forbidden."""
    _require_hold_right(actor)
    free, now = Workspace.objects.filter(pk=actor.workspace.pk, held_since=None), database_now()
    with transaction.atomic():
        if free.update(held_since=now, held_by=actor.user, hold_reason=reason):
            audit.record(actor, Action.HOLD_SET, subject=actor.workspace, reason=reason)


def lift_hold(actor: Actor) -> None:
    """The days of the trash go on where they stood still. Raises Forbidden."""
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
    """Staff come by the admin's door, which asks for its own right."""
    if actor.door != "admin":
        actor.require(Right.SET_RETENTION)


def _apply(workspace: Workspace) -> int:
    age, moved = timedelta(days=workspace.retention_days or MOST_DAYS), 0
    for _ in range(STEPS):
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
    """Ids rise with time, so that the index by id finds them."""
    edits = Edit.objects.shown().filter(workspace=workspace, id__lt=uuid7_floor(moment))
    return edits.filter(finished__isnull=False, purged=None)


def _unstarred(edits: EditQuerySet) -> EditQuerySet:
    """The star of who has left, which nobody sees or takes away, spares nothing."""
    stars = Favorite.objects.filter(user__memberships__workspace=OuterRef("workspace"))
    return edits.exclude(Exists(stars.filter(edit=OuterRef("pk"))))
