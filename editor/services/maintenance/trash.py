"""The trash: edits are moved there, and are then restored completely or purged after a number of days.

Purging empties rows but does not delete them, so the price, the ledger, and the daily totals remain correct.
First, one transaction checks that nobody has restored the edits and then empties their rows. Afterward, the
files are deleted. Files that remain after a crash belong to no row and are deleted as orphans.
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
# Empty values for everything that a person wrote or saw. An edit's times, price, state, people, and engine
# remain.
_EMPTY: dict[str, Any] = {
    "prompt": "",
    "regions": [],
    "points": [],
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
    """Raised when an edit cannot be deleted because it is still open."""

    def __init__(self) -> None:
        super().__init__(_("This edit is still running. Cancel it or wait until it ends, then delete it."))


class OnHold(Exception):
    """Raised when the workspace is under a legal hold."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "This workspace is under a legal hold. Nothing can be deleted permanently until the hold "
                "is lifted."
            )
        )


@dataclass(frozen=True)
class Amount:
    """The number of edits, and the total size of their photos in bytes."""

    edits: int
    bytes: int


@dataclass(frozen=True)
class MoveResult:
    """The number of edits that were moved to the trash together, and the moment that identifies this move."""

    edits: int
    moment: datetime


def require_right(actor: Actor, edit: Edit) -> None:
    """Raise Forbidden if the actor may not delete this edit.

    Users need different rights to delete their own edits and other people's edits.
    """
    actor.require(Right.DELETE_OWN if edit.owner_id == actor.user.pk else Right.DELETE_ANY)


def delete(actor: Actor, edit: Edit, *, reason: str = "") -> bool:
    """Move an edit to the trash, from which it can be restored completely.

    Returns False if the edit was already in the trash. Staff must give a `reason`. Raises StillRunning and
    Forbidden.
    """
    require_right(actor, edit)
    if edit.is_open:
        raise StillRunning
    with transaction.atomic():
        is_new = bool(move(Edit.objects.filter(pk=edit.pk), by=actor.user.pk))
        if is_new and actor.entry_point == "admin":
            audit.record(actor, Action.EDIT_DELETED, subject=edit, reason=reason)
    return is_new


def delete_many(actor: Actor, edits: EditQuerySet) -> MoveResult:
    """Move to the trash the given edits that have ended and that the actor may delete.

    Raises Forbidden.
    """
    actor.require(Right.DELETE_OWN)
    mine = edits if actor.has(Right.DELETE_ANY) else edits.filter(owner=actor.user)
    moment = database_now()
    return MoveResult(move(mine, by=actor.user.pk, now=moment), moment)


def restore_many(actor: Actor, moment: datetime) -> int:
    """Restore the edits that the actor's user moved to the workspace's trash at this moment.

    Returns the number of edits.
    """
    actor.require(Right.DELETE_OWN)
    moved = Edit.objects.in_trash().filter(workspace=actor.workspace, trashed_by=actor.user, trashed=moment)
    return moved.update(**_BACK)


def move(edits: EditQuerySet, *, by: int | None, now: datetime | None = None) -> int:
    """Move the given edits that have ended to the trash, and return their number.

    `by` is the ID of the user who deletes the edits, or None if they are moved because of the workspace's
    retention period. A second call has no effect.
    """
    now = now or database_now()
    return (
        edits.not_in_trash()
        .filter(finished__isnull=False, purged=None)
        .update(
            trashed=now,
            trashed_by=by,
            purge_due=now + timedelta(days=settings.TRASH_DAYS),
            revision=F("revision") + 1,
        )
    )


def hide(actor: Actor, edit: Edit, *, reason: str) -> bool:
    """Hide an edit and its photos from everyone except staff, whether or not the edit is in the trash.

    A hidden edit is not purged. Its owner can see the reason. Only for staff. Returns False if the edit was
    already hidden. Raises StillRunning and Forbidden.
    """
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


def unhide(actor: Actor, edit: Edit, *, reason: str) -> bool:
    """Show a hidden edit again where it was before: in the history or in the trash.

    In the trash, the edit's countdown starts over. Only for staff. Returns False if the edit was not hidden.
    Raises Forbidden.
    """
    _require_staff(actor)
    hidden = Edit.objects.filter(pk=edit.pk, hidden__isnull=False)
    back = {"hidden": None, "hidden_reason": "", "revision": F("revision") + 1}
    with transaction.atomic():
        # The two times are equal only if hiding the edit also moved it to the trash.
        is_shown = bool(hidden.filter(trashed=F("hidden")).update(trashed=None, purge_due=None, **back))
        due = database_now() + timedelta(days=settings.TRASH_DAYS)
        is_shown = is_shown or bool(hidden.update(purge_due=due, **back))
        if is_shown:
            audit.record(actor, Action.EDIT_SHOWN, subject=edit, reason=reason)
    return is_shown


def unhide_all(workspace: Workspace) -> None:
    """Unhide a closed workspace's edits, so that they are purged with the rest of its trash."""
    workspace.edits.filter(hidden__isnull=False).update(hidden=None, hidden_reason="")


def hidden_of(user: User) -> EditQuerySet:
    """Return the user's edits that staff have hidden, most recently hidden first."""
    return Edit.objects.filter(owner=user, hidden__isnull=False).order_by("-hidden")


def restore(actor: Actor, edit: Edit) -> bool:
    """Restore an edit completely. Return False if it is not in the trash.

    If the workspace's retention period moved the edit to the trash, the edit is starred for the actor's user,
    because otherwise it would soon be moved there again. If someone else deleted the edit, restoring it is
    recorded in the audit log. Raises Forbidden.
    """
    require_right(actor, edit)
    with transaction.atomic():
        is_back = bool(Edit.objects.in_trash().filter(pk=edit.pk).update(**_BACK))
        if is_back and edit.trashed_by_id is None:
            Favorite.objects.get_or_create(user=actor.user, edit=edit)
        if is_back and edit.trashed_by_id != actor.user.pk:
            audit.record(actor, Action.EDIT_RESTORED, subject=edit)
    return is_back


def restorable_edits(actor: Actor) -> EditQuerySet:
    """Return the edits in the trash that the actor can restore.

    These are the actor's own edits, or all edits if the actor has the DELETE_ANY right.
    """
    actor.require(Right.DELETE_OWN)
    edits = Edit.objects.in_trash().filter(workspace=actor.workspace)
    return edits if actor.has(Right.DELETE_ANY) else edits.filter(owner=actor.user)


def page_of(actor: Actor, *, size: int, before: str = "", after: str = "") -> Page[Edit]:
    """Return one page of the edits that the actor can restore, newest first.

    Uses a constant number of queries.
    """
    edits = (
        restorable_edits(actor)
        .select_related("owner", "trashed_by")
        .prefetch_related("references", "results")
    )
    return page_by_key(edits, size=size, before=before, after=after)


def amount_of(edits: EditQuerySet) -> Amount:
    """Return the number of these edits and the total size of their photos."""
    models: tuple[type[ReferencePhoto] | type[ResultPhoto], ...] = (ReferencePhoto, ResultPhoto)
    sizes = (
        model._default_manager.filter(edit__in=edits.order_by().values("pk")).aggregate(sum=Sum("size"))[
            "sum"
        ]
        for model in models
    )
    return Amount(edits.count(), sum(size or 0 for size in sizes))


def purge(actor: Actor, edits: EditQuerySet) -> int:
    """Immediately purge the given edits that the actor can see in the trash, and return their number.

    Raises Forbidden and OnHold.
    """
    found = restorable_edits(actor).filter(pk__in=edits.values("pk"))
    if actor.workspace.is_on_hold:
        raise OnHold
    purged = _purge_all(actor.workspace.pk, found)
    with transaction.atomic():
        audit.record(actor, Action.EDITS_PURGED, subject=actor.workspace, detail={"edits": purged})
    return purged


def purge_again(edits: EditQuerySet) -> None:
    """Purge edits again if their missing files show that they had already been purged.

    A second call has no effect.
    """
    move(edits, by=None)
    for workspace_id, edit_id in list(edits.filter(purged=None).values_list("workspace_id", "pk")):
        _purge(workspace_id, [edit_id])


def purge_all_due() -> int:
    """Purge the edits whose time in the trash is over, and return their number.

    Edits under a legal hold are kept.
    """
    due = Edit.objects.in_trash().filter(purge_due__lte=database_now(), workspace__held_since=None)
    places = due.order_by().values_list("workspace_id", flat=True).distinct()
    return sum(
        _purge_all(workspace_id, due.filter(workspace_id=workspace_id)) for workspace_id in list(places)
    )


def _require_staff(actor: Actor) -> None:
    if actor.entry_point != "admin" or not actor.user.is_staff:
        raise Forbidden(_("Only administrators can hide an edit."))


def _purge_all(workspace_id: int, edits: EditQuerySet) -> int:
    purged = 0
    while chosen := list(edits.order_by("pk").values_list("pk", flat=True)[:EDITS_PER_TRANSACTION]):
        done = _purge(workspace_id, chosen)
        purged += done
        if not done:  # A legal hold was placed in the meantime, or other processes purged these edits.
            break
    return purged


def _purge(workspace_id: int, chosen: Collection[uuid.UUID]) -> int:
    with transaction.atomic():
        workspace = Workspace.objects.locked().get(pk=workspace_id)
        if workspace.is_on_hold:
            return 0
        edits = list(Edit.objects.in_trash().select_for_update().filter(pk__in=chosen).order_by("pk"))
        ids = [edit.pk for edit in edits]
        purged_photos: list[Photo] = [
            *ReferencePhoto.objects.filter(edit__in=ids),
            *ResultPhoto.stored.filter(edit__in=ids),
        ]
        _empty(edits, ids, timezone.now())
    crash_point("purge.rows_emptied")
    for photo in purged_photos:
        photos.remove_files([photo])
        crash_point("purge.file_removed")
    return len(ids)


def _empty(edits: Collection[Edit], ids: Collection[uuid.UUID], now: datetime) -> None:
    """Empty the rows of purged edits.

    The kinds of a plan's steps remain, because the daily totals count edits by kind.
    """
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
