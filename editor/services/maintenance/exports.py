"""Exports: photos, prompts, and the ledger as one ZIP file, created in the background in small pieces.

The result is a private file. A download of 10,000 edits can be slow, so the web server sends the file without
holding it in memory and without occupying a thread. The file is created in pieces, because creating it all at
once would block a worker and delay edits. Each task adds SLICE edits and wakes the next task, at a lower
priority than all edits. If a crash stops an export, the export is given up after CRASHED_AFTER, or after
STUCK_AFTER if photos are in a bucket, and can be requested again.
"""

import json
import logging
import shutil
import uuid
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from editor.engine.plan import without_templates
from editor.models import Action, AuditEntry, Edit, Export, Photo, User, Workspace
from editor.models.clock import database_now
from editor.models.edits import EditQuerySet
from editor.services.billing import credits
from editor.services.core import audit, disk_space
from editor.services.core.access import Actor, Right, may_get_original, workspaces_of
from editor.services.core.errors import NotFound
from editor.services.core.tasks import stored_task
from editor.services.photos import photos, storage

logger = logging.getLogger(__name__)

EDITS_PER_RUN = 50  # number of edits that one task adds to an export
LIFETIME = timedelta(days=2)
STUCK_AFTER = timedelta(hours=1)  # time without progress after which an export is given up
CRASHED_AFTER = timedelta(minutes=10)  # the same time for an export that a worker has claimed
A_DAY, MAX_PER_DAY = timedelta(days=1), 5


class TooManyExports(Exception):
    """Raised when an export is in progress, or when too many exports were requested today.

    The exception's message is shown to users.
    """


def request_export(user: User, actor: Actor | None = None) -> Export:
    """Start an export of the actor's workspace or, without an actor, of everything that the user created.

    Raises Forbidden, DiskFull, and TooManyExports.
    """
    if actor is not None:
        actor.require(Right.EXPORT)
    disk_space.require_free_disk()
    fail_crashed()
    now = database_now()
    counted = Export.objects.filter(user=user, created__gt=now - A_DAY).exclude(state=Export.State.FAILED)
    if counted.count() >= MAX_PER_DAY:
        raise TooManyExports(
            _("The limit of %(most)s exports a day is reached. Try again tomorrow.") % {"most": MAX_PER_DAY}
        )
    workspace = actor.workspace if actor else None
    export = Export(user=user, workspace=workspace, expires=now + LIFETIME, moved=now)
    export.edits = _edits_of(export).count()
    try:
        with transaction.atomic():
            export.save(force_insert=True)
            detail = {"edits": export.edits}
            audit.record(actor or user, Action.EXPORTED, subject=export, detail=detail)
            _wake(export)
    except IntegrityError:
        raise TooManyExports(
            _("Your export is being prepared. You can download it here in a moment.")
        ) from None
    return export


def exports_of(user: User, workspace: Workspace | None) -> list[Export]:
    """Return the unexpired exports that the user requested for this workspace, newest first."""
    exports = Export.objects.filter(user=user, workspace=workspace, expires__gt=database_now())
    return list(exports.newest_first()[:MAX_PER_DAY])


def open_export(user: User, export_id: uuid.UUID) -> tuple[Export, BinaryIO]:
    """Return an export that this user requested, along with its open file.

    Raises NotFound if the export is not ready, has expired, or has no file, or if the user may no longer
    export this content.
    """
    export = Export.objects.filter(
        user=user, pk=export_id, state=Export.State.READY, expires__gt=database_now()
    ).first()
    try:
        if export is not None and _may_still(export):
            return export, storage.get_backend().open(_key(export))
    except FileNotFoundError:
        logger.warning("The file of export %s is missing.", export_id)
    raise NotFound("There is no such export.")


@stored_task("editor.services.exports.build")
def build(export_id: str, done: int) -> None:
    """Add the next edits to the export. With the last edits, also add the ledger and finish the export.

    A second wake-up for the same position does nothing, even while the first one is still being carried out.
    If several machines share the work, everything is added in one task, because the next task may run on a
    machine that does not have the draft.
    """
    if not _claim(export_id, done):
        return
    export = Export.objects.select_related("user", "workspace").get(pk=export_id)
    export.done = done
    try:
        disk_space.require_free_disk()
        is_whole = _add(export)
        while storage.get_backend().is_shared and not is_whole:
            if not _claim(export_id, export.done):
                return  # The export was given up.
            is_whole = _add(export)
        if is_whole:
            storage.get_backend().save({_key(export): _draft_of(export)})
            _end(export, Export.State.READY)
        else:
            _wake(export)
    except Exception:
        logger.exception("Export %s failed.", export_id)
        _end(export, Export.State.FAILED)


def fail_crashed() -> None:
    """Fail the exports whose worker has died, so that they can be requested again.

    In a bucket, it can take longer than CRASHED_AFTER to store the finished file, so only STUCK_AFTER counts.
    """
    if storage.get_backend().is_shared:
        return
    old = Export.objects.filter(state=Export.State.BUILDING, moved__lt=database_now() - CRASHED_AFTER)
    for export in old.annotate(claims=F("done") % EDITS_PER_RUN).filter(claims=1):
        _end(export, Export.State.FAILED)


def delete_expired() -> None:
    """Delete expired exports and files without an export (left by a restore), and fail stuck exports."""
    now = database_now()
    stuck = Export.objects.filter(state=Export.State.BUILDING, moved__lt=now - STUCK_AFTER)
    for export in stuck:
        _end(export, Export.State.FAILED)
    Export.objects.filter(expires__lt=now).delete()
    kept = list(storage.get_backend().keys(under=storage.EXPORTS))
    named = {str(pk) for pk in Export.objects.values_list("pk", flat=True)}
    for key in kept:
        if Path(key).stem not in named:
            storage.get_backend().remove(key)


def clear_drafts() -> int:
    """Delete the drafts that crashed processes left on this machine, and return their number."""
    left = list(storage.older_than(STUCK_AFTER.total_seconds(), _drafts().glob("*.part")))
    for path in left:
        path.unlink(missing_ok=True)
    return len(left)


def _claim(export_id: str, done: int) -> bool:
    """Claim the export at this position, and return whether nobody else has claimed it.

    The first edit of the position is counted when the work on it begins, so each position is claimed only
    once. Nothing is resumed after a crash, because the draft may be damaged.
    """
    unclaimed = Export.objects.filter(pk=export_id, state=Export.State.BUILDING, done=done)
    return bool(unclaimed.update(done=done + 1, moved=database_now()))


def _add(export: Export) -> bool:
    """Add the next edits, and return whether these were the last."""
    edits = _edits_of(export).with_refunds().order_by("pk").select_related("owner", "workspace", "engine")
    if export.after:
        edits = edits.filter(pk__gt=export.after)
    found = list(edits.prefetch_related("references", "results", "comments__author")[:EDITS_PER_RUN])
    mode = "r+b" if export.done else "w+b"
    with _draft_of(export).open(mode) as file, zipfile.ZipFile(file, "a") as folder:
        for edit in found:
            _pack(folder, edit, by=export.user_id)
            Export.objects.filter(pk=export.pk).update(moved=database_now())
        if len(found) < EDITS_PER_RUN:
            for workspace in _ledgers_of(export):
                folder.writestr(f"ledger-{workspace.slug}.csv", credits.statement_csv(workspace))
    if len(found) < EDITS_PER_RUN:
        return True
    export.done, export.after = export.done + len(found), found[-1].pk
    Export.objects.filter(pk=export.pk).update(done=export.done, after=export.after, moved=database_now())
    return False


def _draft_of(export: Export) -> Path:
    folder = _drafts()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"{export.pk}.part"


def _drafts() -> Path:
    """Return this machine's folder for drafts, which the sandbox children cannot access."""
    folder: Path = settings.DATA_DIR / storage.EXPORTS
    return folder


def _key(export: Export) -> str:
    return f"{storage.EXPORTS}{export.pk}.zip"


def _pack(folder: zipfile.ZipFile, edit: Edit, *, by: int) -> None:
    place = f"{edit.workspace.slug}/{edit.created:%Y-%m-%d}-{edit.pk}"
    files = []
    for word, stored in (("photo", edit.references.all()), ("result", edit.results.all())):
        for photo in stored:
            name = f"{word}-{photo.position}.{photos.EXTENSIONS[photo.media_type]}"
            if not edit.purged:
                files += _packed(folder, place, name, photo, by)
    metadata = json.dumps(_metadata(edit) | {"files": files}, ensure_ascii=False, indent=1)
    folder.writestr(f"{place}/edit.json", metadata)


def _packed(folder: zipfile.ZipFile, place: str, name: str, photo: Photo, by: int) -> list[str]:
    """Add a photo to the ZIP file, and return a list that contains its name.

    If the file is missing, the list is empty. If the original awaits approval, a preview is added instead.
    """
    if not may_get_original(by, photo):
        size, name = str(photos.LARGE), f"{name.partition('.')[0]}-preview.webp"
    else:
        size = "original"
    try:
        with photos.open_photo(photo, size, by=by) as stored, folder.open(f"{place}/{name}", "w") as file:
            shutil.copyfileobj(stored, file)
    except FileNotFoundError:
        return []
    return [name]


def _metadata(edit: Edit) -> dict[str, Any]:
    return {
        "id": str(edit.pk),
        "prompt": edit.prompt,
        "madeBy": edit.owner.name or edit.owner.email,
        "created": edit.created.isoformat(),
        "finished": edit.finished.isoformat() if edit.finished else None,
        "state": edit.state,
        "reason": edit.failure_message,
        "credits": edit.charged_credits,
        "aspectRatio": edit.aspect_ratio,
        "outputFormat": edit.output_format,
        "regions": edit.regions,
        "points": edit.points,
        "plan": without_templates(edit.plan),
        **dict(zip(("engine", "model"), edit.engine_and_model, strict=True)),
        "comments": [
            {"by": comment.author.name or comment.author.email, "text": comment.text}
            for comment in edit.comments.all()
        ],
    }


def _edits_of(export: Export) -> EditQuerySet:
    """Return the workspace's visible edits, or the user's own edits wherever they may still download."""
    if export.workspace is not None:
        return Edit.objects.not_in_trash().filter(workspace=export.workspace)
    places = workspaces_of(export.user, Right.DOWNLOAD).order_by().values("pk")
    return Edit.objects.not_in_trash().filter(owner=export.user, workspace__in=places)


def _ledgers_of(export: Export) -> list[Workspace]:
    return [export.workspace or export.user.personal_workspace]


def _may_still(export: Export) -> bool:
    """Check whether the user may still have this export's content.

    The export becomes unavailable if, after it was packed, the user leaves a team or loses the right to
    review in a team, or a team starts to require approval.
    """
    if export.workspace is not None:
        return export.workspace in workspaces_of(export.user, Right.EXPORT)
    changes = AuditEntry.objects.filter(
        subject_kind="user", subject_id=str(export.user_id), created__gt=export.created
    )
    places = workspaces_of(export.user).order_by()
    left = changes.filter(action=Action.MEMBER_REMOVED).exclude(workspace__in=places.values("pk"))
    if export.user.edits.filter(workspace__in=left.values("workspace")).exists():
        return False
    reviewed_by_others = places.exclude(approval_since=None).exclude(
        pk__in=workspaces_of(export.user, Right.REVIEW)
    )
    roles = changes.filter(action=Action.ROLE_CHANGED)
    since = Q(approval_since__gt=export.created) | Q(pk__in=roles.values("workspace"))
    return not reviewed_by_others.filter(since).exists()


def _wake(export: Export) -> None:
    wake = build.using(run_after=database_now(), priority=photos.BACKGROUND_PRIORITY)
    transaction.on_commit(lambda: wake.enqueue(str(export.pk), export.done), robust=True)


def _end(export: Export, state: Export.State) -> None:
    Export.objects.filter(pk=export.pk, state=Export.State.BUILDING).update(
        state=state, done=F("edits") if state == Export.State.READY else F("done"), moved=database_now()
    )
    _draft_of(export).unlink(missing_ok=True)
