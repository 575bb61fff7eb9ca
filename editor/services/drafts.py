"""Drafts: photos that are kept and not yet edited, in the tray of a person and a workspace.

An edit, a batch or a recipe takes their files over; what lies unused is discarded after DRAFT_HOURS.
"""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, BinaryIO

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from editor.models import DraftPhoto, Edit, RecipePhoto, ReferencePhoto, ResultPhoto
from editor.options import MAX_BATCH_PHOTOS
from editor.services import photos
from editor.services.access import Actor

MAX_DRAFTS = 50  # ten full trays; without a limit, unused uploads could fill the disk before they are old
MAX_BATCH_DRAFTS = MAX_BATCH_PHOTOS + MAX_DRAFTS


def keep(
    actor: Actor, source: BinaryIO, *, name: str, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR
) -> DraftPhoto:
    """Rebuilds an uploaded file (any bytes) from its pixels and keeps it for this tray of the user's, which
    holds the newest MAX_DRAFTS, that of a batch MAX_BATCH_DRAFTS.

    Raises PhotoError, with a sentence for people, when it is not a photo that can be edited or kept, and
    DiskFull.
    """
    return _add_draft(actor, tray=tray, **photos.keep_uploaded(source, name))


def keep_upload(source: BinaryIO, *, name: str) -> DraftPhoto:
    """As `keep`, for a request that makes its edit at once: a draft without a row, in nobody's tray.
    Whoever keeps it discards it, unless an edit took it over."""
    return DraftPhoto(**photos.keep_uploaded(source, name))


def discard_uploads(uploads: Sequence[DraftPhoto]) -> None:
    """Removes the files of those that no edit or recipe took over. Doing it twice changes nothing."""
    keys = [upload.key for upload in uploads]
    owners = (model._default_manager.filter(key__in=keys) for model in (ReferencePhoto, RecipePhoto))
    taken = {key for owner in owners for key in owner.values_list("key", flat=True)}
    photos.remove_files(upload for upload in uploads if upload.key not in taken)


def from_result(
    actor: Actor, result: ResultPhoto, *, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR
) -> DraftPhoto:
    """Puts a result into a tray of the actor's, to edit it further. In another workspace than its own it
    begins anew: who works there need not see where it came from. Out of its workspace goes only what the
    actor may take: raises Withheld, and OSError when it can't be read."""
    is_home = result.edit.workspace_id == actor.workspace.pk
    copied = photos.copy_files(result, by=None if is_home else actor.user.pk)
    name = f"result {result.position}.{photos.EXTENSIONS[result.media_type]}"
    return _add_draft(actor, tray=tray, parent=result if is_home else None, name=name, **copied)


def from_reference(actor: Actor, reference: ReferencePhoto) -> DraftPhoto:
    """Puts a photo that an edit started from into the user's tray, to ask for something else."""
    # An edit continues what its photo 1 continued.
    parent = reference.edit.parent if reference.position == 1 else None
    return _add_draft(actor, parent=parent, name=reference.name, **photos.copy_files(reference))


def from_edit(actor: Actor, edit: Edit) -> list[DraftPhoto]:
    """Puts the photos that an edit started from into the user's tray, in their order, if they arrived; none
    of them when one can't be read: raises OSError."""
    drafts: list[DraftPhoto] = []
    try:
        for reference in () if edit.awaits_photos else edit.references.all():
            drafts.append(from_reference(actor, reference))
    except OSError:
        for draft in drafts:
            _discard(draft)
        raise
    return drafts


@contextmanager
def copies(originals: Iterable[ReferencePhoto | RecipePhoto]) -> Iterator[list[DraftPhoto]]:
    """Copies of photos, as drafts without rows, for an edit to take over within the block; what it leaves is
    removed. Raises OSError when one can't be read; then no copy is left."""
    made: list[DraftPhoto] = []
    try:
        for original in originals:
            parent = original.edit.parent if isinstance(original, ReferencePhoto) else None
            made.append(DraftPhoto(name=original.name, parent=parent, **photos.copy_files(original)))
        yield made
    finally:
        discard_uploads(made)


def tray_of(actor: Actor, tray: DraftPhoto.Tray, *, most: int) -> list[DraftPhoto]:
    """This tray as it was left: the newest photos, `most` of them, the oldest first."""
    drafts = _drafts(actor).filter(tray=tray).select_related("parent")
    return list(reversed(drafts.order_by("-id")[:most]))


def with_ids(actor: Actor, ids: Sequence[uuid.UUID]) -> list[DraftPhoto]:
    """The actor's drafts in this workspace with these ids, in this order, unknown ones left out."""
    drafts = _drafts(actor).select_related("parent")
    found = {draft.id: draft for draft in drafts.filter(id__in=ids)}
    return [found[draft_id] for draft_id in dict.fromkeys(ids) if draft_id in found]


def discard(actor: Actor, draft_id: uuid.UUID) -> None:
    """Takes a photo out of the tray for good. Doing it twice changes nothing."""
    for draft in _drafts(actor).filter(id=draft_id):
        _discard(draft)


def discard_old() -> int:
    """Discards what lay unused for DRAFT_HOURS; answers how many."""
    old = timezone.now() - timedelta(hours=settings.DRAFT_HOURS)
    return discard_all(DraftPhoto.objects.filter(created__lt=old))


def discard_all(drafts: QuerySet[DraftPhoto]) -> int:
    """Discards these, whosever they are; answers how many."""
    found = list(drafts)
    for draft in found:
        _discard(draft)
    return len(found)


def _add_draft(actor: Actor, *, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR, **columns: Any) -> DraftPhoto:
    """The newest draft of this tray; those that are too many make room."""
    draft = DraftPhoto.objects.create(user=actor.user, workspace=actor.workspace, tray=tray, **columns)
    most = MAX_BATCH_DRAFTS if tray == DraftPhoto.Tray.BATCH else MAX_DRAFTS
    for surplus in _drafts(actor).filter(tray=tray).order_by("-id")[most:]:
        _discard(surplus)
    return draft


def _drafts(actor: Actor) -> QuerySet[DraftPhoto]:
    """The tray: of a person and a workspace, so that what is meant for one team is sent to no other."""
    return actor.user.drafts.filter(workspace=actor.workspace)


def _discard(draft: DraftPhoto) -> None:
    """The row first: a file without a row is swept later, a row without its file would be broken."""
    with transaction.atomic():
        deleted, _ = DraftPhoto.objects.filter(id=draft.id).delete()
    if deleted:
        photos.remove_files([draft])
