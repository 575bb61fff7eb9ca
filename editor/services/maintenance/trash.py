"""The trash: edits go into it, come back whole, or are purged from it when their days are over.

Purging empties rows and deletes none: the price, the ledger and the sums of each day stay true. The rows are
emptied first, in one transaction with the proof that nobody has restored them; then their files go. What a
crash leaves of those belongs to no photo and goes with the orphans.
"""

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from editor.crash_points import crash_point
from editor.models import (
    Action,
    Batch,
    Comment,
    Edit,
    EditWords,
    Favorite,
    Photo,
    ReferencePhoto,
    ResultPhoto,
    Review,
    Share,
    User,
    WebhookDelivery,
    Workspace,
)
from editor.models.clock import database_now
from editor.models.edits import EditQuerySet
from editor.services.core import audit
from editor.services.core.access import Actor, Right
from editor.services.core.errors import Forbidden
from editor.services.core.paging import Page, page_by_key
from editor.services.photos import photos

EDITS_PER_TRANSACTION = 100
# What a person said or was told. Whatever counts stays: times, price, state, who and with what.
_EMPTY: dict[str, Any] = {
    "prompt": "",
    "regions": [],
    "image_urls": [],
    "ticket": None,
    "arrivals": [],
    "notices": [],
    "failure_message": "",
    "failure_said": None,
}

_BACK: dict[str, Any] = {
    "trashed": None,
    "trashed_by": None,
    "purge_due": None,
    "revision": F("revision") + 1,
}


class StillRunning(Exception):
    """An edit that has not ended can't be deleted."""

    def __init__(self) -> None:
        super().__init__(
            _("This edit is still running. Cancel it, or wait until it has ended; then delete it.")
        )


class OnHold(Exception):
    """A legal hold stands on the workspace."""

    def __init__(self) -> None:
        super().__init__(
            _("A legal hold stands on this workspace: until it is lifted, nothing is deleted for good.")
        )


@dataclass(frozen=True)
class Amount:
    """So many edits, and the bytes of their photos."""

    edits: int
    bytes: int


@dataclass(frozen=True)
class Moved:
    """So many edits went into the trash together, at this moment."""

    edits: int
    moment: datetime


def require_right(actor: Actor, edit: Edit) -> None:
    """Raises Forbidden when the actor may not delete this edit: one's own, or anybody's."""
    actor.require(Right.DELETE_OWN if edit.owner_id == actor.user.pk else Right.DELETE_ANY)


def delete(actor: Actor, edit: Edit, *, reason: str = "") -> bool:
    """Moves an edit into the trash, whence it comes back whole. False when it was there. Staff give a
    `reason`. Raises StillRunning, and Forbidden."""
    require_right(actor, edit)
    if edit.is_open:
        raise StillRunning
    with transaction.atomic():
        is_new = bool(move(Edit.objects.filter(pk=edit.pk), by=actor.user.pk))
        if is_new and actor.door == "admin":
            audit.record(actor, Action.EDIT_DELETED, subject=edit, reason=reason)
    return is_new


def delete_together(actor: Actor, edits: EditQuerySet) -> Moved:
    """Moves those of the edits into the trash that have ended and that the actor may delete."""
    actor.require(Right.DELETE_OWN)
    mine = edits if actor.has(Right.DELETE_ANY) else edits.filter(owner=actor.user)
    moment = database_now()
    return Moved(move(mine, by=actor.user.pk, now=moment), moment)


def restore_together(actor: Actor, moment: datetime) -> int:
    """Brings back what the actor's user moved into the trash of this workspace at that moment; answers how
    many edits."""
    actor.require(Right.DELETE_OWN)
    moved = Edit.objects.in_trash().filter(workspace=actor.workspace, trashed_by=actor.user, trashed=moment)
    return moved.update(**_BACK)


def move(edits: EditQuerySet, *, by: int | None, now: datetime | None = None) -> int:
    """Moves those of these edits that have ended into the trash; answers how many. `by` is who does it, None
    for the workspace's retention. Doing it twice changes nothing."""
    now = now or database_now()
    return (
        edits.shown()
        .filter(finished__isnull=False, purged=None)
        .update(
            trashed=now,
            trashed_by=by,
            purge_due=now + timedelta(days=settings.TRASH_DAYS),
            revision=F("revision") + 1,
        )
    )


def hide(actor: Actor, edit: Edit, *, reason: str) -> bool:
    """Takes an edit and its photos out of everybody's sight but the staff's, in the trash or not, until it is
    shown again; nothing purges it meanwhile. Its owner is told the reason. For staff alone. False when it was
    hidden. Raises StillRunning, and Forbidden."""
    _require_staff(actor)
    if edit.is_open:
        raise StillRunning
    now = database_now()
    days = timedelta(days=settings.TRASH_DAYS)
    with transaction.atomic():
        is_new = bool(
            Edit.objects.filter(pk=edit.pk, hidden=None, purged=None, finished__isnull=False).update(
                hidden=now,
                hidden_reason=reason,
                trashed=Coalesce("trashed", Value(now)),
                purge_due=Coalesce("purge_due", Value(now + days)),
                revision=F("revision") + 1,
            )
        )
        if is_new:
            audit.record(actor, Action.EDIT_HIDDEN, subject=edit, reason=reason)
    return is_new


def show(actor: Actor, edit: Edit, *, reason: str) -> bool:
    """Brings a hidden edit back to where it was: into the trash if it lay there, where its days begin again.
    For staff alone. False when it was not hidden. Raises Forbidden."""
    _require_staff(actor)
    hidden = Edit.objects.filter(pk=edit.pk, hidden__isnull=False)
    back = {"hidden": None, "hidden_reason": "", "revision": F("revision") + 1}
    with transaction.atomic():
        # What hiding itself put into the trash went there at the same moment.
        is_shown = bool(hidden.filter(trashed=F("hidden")).update(trashed=None, purge_due=None, **back))
        due = database_now() + timedelta(days=settings.TRASH_DAYS)
        is_shown = is_shown or bool(hidden.update(purge_due=due, **back))
        if is_shown:
            audit.record(actor, Action.EDIT_SHOWN, subject=edit, reason=reason)
    return is_shown


def leave_to_trash(workspace: Workspace) -> None:
    """What is hidden in a workspace that is closed goes with all else that lies in its trash."""
    workspace.edits.filter(hidden__isnull=False).update(hidden=None, hidden_reason="")


def hidden_of(user: User) -> EditQuerySet:
    """The edits of this person that staff have hidden, the last first."""
    return Edit.objects.filter(owner=user, hidden__isnull=False).order_by("-hidden")


def restore(actor: Actor, edit: Edit) -> bool:
    """Brings an edit back whole. False when it is not in the trash, or is purged from it. One that the
    workspace's retention moved there gets the actor's star, or it would go again. What another has deleted
    comes back by the record."""
    require_right(actor, edit)
    with transaction.atomic():
        is_back = bool(Edit.objects.in_trash().filter(pk=edit.pk).update(**_BACK))
        if is_back and edit.trashed_by_id is None:
            Favorite.objects.get_or_create(user=actor.user, edit=edit)
        if is_back and edit.trashed_by_id != actor.user.pk:
            audit.record(actor, Action.EDIT_RESTORED, subject=edit)
    return is_back


def contents(actor: Actor) -> EditQuerySet:
    """What the actor can restore: their own edits, for who runs the workspace all."""
    actor.require(Right.DELETE_OWN)
    edits = Edit.objects.in_trash().filter(workspace=actor.workspace)
    return edits if actor.has(Right.DELETE_ANY) else edits.filter(owner=actor.user)


def page_of(actor: Actor, *, size: int, before: str = "", after: str = "") -> Page[Edit]:
    """One page of what the actor can restore, the newest edits first, in a constant number of queries."""
    edits = contents(actor).select_related("owner", "trashed_by").prefetch_related("references", "results")
    return page_by_key(edits, size=size, before=before, after=after)


def amount_of(edits: EditQuerySet) -> Amount:
    """How many they are, and what their photos take."""
    models: tuple[type[ReferencePhoto] | type[ResultPhoto], ...] = (ReferencePhoto, ResultPhoto)
    sizes = (
        model._default_manager.filter(edit__in=edits.order_by().values("pk")).aggregate(sum=Sum("size"))[
            "sum"
        ]
        for model in models
    )
    return Amount(edits.count(), sum(size or 0 for size in sizes))


def purge(actor: Actor, edits: EditQuerySet) -> int:
    """Deletes those of these edits that the actor finds in the trash for good, now; answers how many.
    Raises OnHold."""
    found = contents(actor).filter(pk__in=edits.values("pk"))
    if actor.workspace.is_on_hold:
        raise OnHold
    purged = _purge_all(actor.workspace.pk, found)
    with transaction.atomic():
        audit.record(actor, Action.EDITS_PURGED, subject=actor.workspace, detail={"edits": purged})
    return purged


def purge_again(edits: EditQuerySet) -> None:
    """Purges edits that had been purged already, as their missing files tell. Doing it twice changes
    nothing."""
    move(edits, by=None)
    for workspace_id, edit_id in list(edits.filter(purged=None).values_list("workspace_id", "pk")):
        _purge(workspace_id, [edit_id])


def purge_all_due() -> int:
    """Purges what has been in the trash for its time, but where a legal hold stands; answers how many."""
    due = Edit.objects.in_trash().filter(purge_due__lte=database_now(), workspace__held_since=None)
    places = due.order_by().values_list("workspace_id", flat=True).distinct()
    return sum(
        _purge_all(workspace_id, due.filter(workspace_id=workspace_id)) for workspace_id in list(places)
    )


def _require_staff(actor: Actor) -> None:
    if actor.door != "admin" or not actor.user.is_staff:
        raise Forbidden(_("Only the staff of this site may hide an edit."))


def _purge_all(workspace_id: int, edits: EditQuerySet) -> int:
    purged = 0
    while chosen := list(edits.order_by("pk").values_list("pk", flat=True)[:EDITS_PER_TRANSACTION]):
        done = _purge(workspace_id, chosen)
        purged += done
        if not done:  # a hold was set meanwhile, or others took them
            break
    return purged


def _purge(workspace_id: int, chosen: Collection[uuid.UUID]) -> int:
    with transaction.atomic():
        workspace = Workspace.objects.locked().get(pk=workspace_id)
        if workspace.is_on_hold:
            return 0
        edits = list(Edit.objects.in_trash().select_for_update().filter(pk__in=chosen).order_by("pk"))
        ids = [edit.pk for edit in edits]
        gone: list[Photo] = [
            *ReferencePhoto.objects.filter(edit__in=ids),
            *ResultPhoto.stored.filter(edit__in=ids),
        ]
        _empty(edits, ids, timezone.now())
    crash_point("purge.rows_emptied")
    for photo in gone:
        photos.remove_files([photo])
        crash_point("purge.file_removed")
    return len(ids)


def _empty(edits: Collection[Edit], ids: Collection[uuid.UUID], now: datetime) -> None:
    """The kinds of a plan's steps stay, since the sums of each day count by them."""
    for edit in edits:
        kinds = [{"kind": step["kind"]} for step in (edit.plan or {}).get("steps", [])]
        edit.plan = {"steps": kinds} if kinds else None
    Edit.objects.bulk_update(edits, ["plan"])
    Edit.objects.filter(pk__in=ids).update(purged=now, revision=F("revision") + 1, **_EMPTY)
    ReferencePhoto.objects.filter(edit__in=ids).update(name="", placeholder="")
    ResultPhoto.stored.filter(edit__in=ids).update(placeholder="")
    left = Edit.objects.filter(batch=OuterRef("pk"), purged=None)
    Batch.objects.filter(~Exists(left), edits__in=ids).update(prompt="", variables={})
    for model in (Comment, EditWords, Favorite, Review, Share, WebhookDelivery):
        model._default_manager.filter(edit__in=ids).delete()
