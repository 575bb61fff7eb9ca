"""Drafts: stored photos that no edit uses yet, in a user's tray in a workspace.

An edit, a batch, or a recipe takes over a draft's files. Drafts that remain unused are deleted after
DRAFT_HOURS. The number and the total size of a user's drafts are limited across all workspaces. Therefore, a
user's drafts are inserted one at a time, under a lock on the user's row.
"""

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, BinaryIO

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _

from editor.imaging.errors import PhotoError
from editor.models import DraftPhoto, Edit, Photo, RecipePhoto, ReferencePhoto, ResultPhoto, User
from editor.models.wording import number
from editor.options import MAX_BATCH_PHOTOS
from editor.sentences import Sentence
from editor.services.core.access import Actor, may_get_original
from editor.services.core.disk_space import DiskFull
from editor.services.photos import analysis, photos

# maximum number of a user's drafts (ten full trays), so that unused uploads cannot fill the disk
MAX_DRAFTS = 50
MAX_BATCH_DRAFTS = MAX_BATCH_PHOTOS + MAX_DRAFTS
VIEW_ONLY = Sentence(
    "This result is waiting for approval, so you are editing its 1600-pixel preview. You can edit the "
    "original after it is approved."
)


class TooManyDrafts(PhotoError):
    """Raised when a user has reached the maximum number or total size of unused photos.

    `limit` describes this limit in words.
    """

    def __init__(self, limit: str) -> None:
        super().__init__(
            _(
                "Your photos that are not submitted yet have reached the limit of %(limit)s across all "
                "your workspaces. Submit or delete some of them first."
            )
            % {"limit": limit}
        )


def create_draft(
    actor: Actor, source: BinaryIO, *, name: str, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR
) -> DraftPhoto:
    """Rebuild an uploaded file from its pixels, and keep it as a draft in the actor's tray.

    The file may contain any bytes. A tray keeps its newest MAX_DRAFTS photos, or MAX_BATCH_DRAFTS for a
    batch. Raises PhotoError, with a user-readable message, if the file is not a photo that can be edited or
    stored. Raises TooManyDrafts, a subclass of PhotoError, if the user has too many drafts. Also raises
    DiskFull. In all these cases, the trays are unchanged.
    """
    _require_room(actor.user)  # Check the limit before the decoder starts.
    draft = _insert(actor, tray=tray, **photos.store_uploaded(source, name))
    _drop_surplus(actor, tray)
    analysis.request_analyses([draft])
    return draft


def store_upload(source: BinaryIO, *, name: str) -> DraftPhoto:
    """Store an upload as `create_draft` does, but as a draft that has no row and is in no tray.

    Use this function for a request that submits its edit immediately. The caller must delete the draft unless
    an edit takes it over.
    """
    return DraftPhoto(**photos.store_uploaded(source, name))


def discard_uploads(uploads: Sequence[DraftPhoto]) -> None:
    """Delete the files of those uploads that no edit or recipe took over. A second call has no effect."""
    keys = [upload.key for upload in uploads]
    owners = (model._default_manager.filter(key__in=keys) for model in (ReferencePhoto, RecipePhoto))
    taken = {key for owner in owners for key in owner.values_list("key", flat=True)}
    photos.remove_files(upload for upload in uploads if upload.key not in taken)


def from_result(
    actor: Actor, result: ResultPhoto, *, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR
) -> DraftPhoto:
    """Copy a result into the actor's tray for further editing.

    Raises the same exceptions as `from_results`.
    """
    [draft] = from_results(actor, [result], tray=tray)
    return draft


def from_results(
    actor: Actor, results: Sequence[ResultPhoto], *, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR
) -> list[DraftPhoto]:
    """Copy all of these results, in this order, into the actor's tray, or copy none.

    A copy in another workspace has no parent, because that workspace's members may not be allowed to see the
    original edit. Raises Withheld if the actor may not take a result out of its workspace. Raises OSError if
    a result cannot be read. Also raises TooManyDrafts, and PhotoError and DiskFull as `photos.store_uploaded`
    does.
    """
    return _add_copies(actor, tray, results, _copy_of_result)


def from_edit(actor: Actor, edit: Edit) -> list[DraftPhoto]:
    """Copy an edit's initial photos, in this order, into the actor's tray, or copy none.

    If the photos were given as URLs and were never fetched, nothing is copied. Raises OSError if a photo
    cannot be read. Also raises TooManyDrafts.
    """
    references = [] if edit.awaits_photos else list(edit.references.all())
    return _add_copies(actor, DraftPhoto.Tray.EDITOR, references, _copy_of_reference)


@contextmanager
def copies(originals: Iterable[ReferencePhoto | RecipePhoto]) -> Iterator[list[DraftPhoto]]:
    """Provide copies of photos, as drafts without rows, that an edit can take over within the block.

    Copies that are not taken over are deleted. Raises OSError if a photo cannot be read; in this case, no
    copies remain.
    """
    copied: list[DraftPhoto] = []
    try:
        for original in originals:
            parent = original.edit.parent if isinstance(original, ReferencePhoto) else None
            copied.append(DraftPhoto(name=original.name, parent=parent, **photos.copy_files(original)))
        yield copied
    finally:
        discard_uploads(copied)


def tray_of(actor: Actor, tray: DraftPhoto.Tray, *, limit: int) -> list[DraftPhoto]:
    """Return the newest `limit` photos in this tray, oldest first."""
    drafts = _drafts(actor).filter(tray=tray).select_related("parent")
    return list(reversed(drafts.order_by("-id")[:limit]))


def find_drafts(actor: Actor, ids: Sequence[uuid.UUID]) -> list[DraftPhoto]:
    """Return the actor's drafts in this workspace that have these IDs, in this order.

    Unknown IDs are ignored.
    """
    drafts = _drafts(actor).select_related("parent")
    found = {draft.id: draft for draft in drafts.filter(id__in=ids)}
    return [found[draft_id] for draft_id in dict.fromkeys(ids) if draft_id in found]


def discard(actor: Actor, draft_id: uuid.UUID) -> None:
    """Remove a photo from its tray, and delete the photo. A second call has no effect."""
    for draft in _drafts(actor).filter(id=draft_id):
        _discard(draft)


def discard_old() -> int:
    """Delete drafts that have been unused for DRAFT_HOURS, as `discard_all` does."""
    old = timezone.now() - timedelta(hours=settings.DRAFT_HOURS)
    return discard_all(DraftPhoto.objects.filter(created__lt=old))


def discard_all(drafts: QuerySet[DraftPhoto]) -> int:
    """Delete these drafts, whoever owns them, and return their number.

    Drafts in workspaces under a legal hold are kept.
    """
    found = list(drafts.filter(workspace__held_since=None))
    for draft in found:
        _discard(draft)
    return len(found)


def _add_copies[P: Photo](
    actor: Actor, tray: DraftPhoto.Tray, originals: Sequence[P], copy: Callable[[Actor, P], dict[str, Any]]
) -> list[DraftPhoto]:
    """Create a draft of each photo from the columns that `copy` returns, or create none at all.

    Older drafts leave the tray only after all copies have been added.
    """
    _require_room(actor.user, count=len(originals), size=sum(photo.size for photo in originals))
    added: list[DraftPhoto] = []
    try:
        for original in originals:
            added.append(_insert(actor, tray=tray, **copy(actor, original)))
    except (OSError, DiskFull, PhotoError, photos.Withheld):
        for draft in added:
            _discard(draft)
        raise
    _drop_surplus(actor, tray)
    analysis.request_analyses(added)
    return added


def _copy_of_result(actor: Actor, result: ResultPhoto) -> dict[str, Any]:
    """Return the columns of a draft that is a copy of this result."""
    name = f"result {result.position}.{photos.EXTENSIONS[result.media_type]}"
    if result.edit.workspace_id != actor.workspace.pk:
        return {"name": name, **photos.copy_files(result, by=actor.user.pk)}
    if _starts_from_view(actor, result):
        copied = photos.copy_view(result, name, by=actor.user.pk)
        return copied | {"parent": result, "notices": [VIEW_ONLY]}
    return {"name": name, "parent": result, **photos.copy_files(result)}


def _starts_from_view(actor: Actor, result: ResultPhoto) -> bool:
    """Check whether the actor must edit a withheld result's reduced view instead of the original.

    External engines do not report the scale at which a result shows its photos, so their results could show
    the original at full size.
    """
    is_reduced = photos.view_scale(result) < 1
    return (
        not all(engine.runs_here for engine in settings.ENGINES)
        and is_reduced
        and not may_get_original(actor.user.pk, result)
    )


def _copy_of_reference(_actor: Actor, reference: ReferencePhoto) -> dict[str, Any]:
    # If photo 1 was copied from a result, that result stays its parent.
    parent = reference.edit.parent if reference.position == 1 else None
    return {"parent": parent, "name": reference.name, **photos.copy_files(reference)}


def _insert(actor: Actor, **columns: Any) -> DraftPhoto:
    """Save a draft whose files are in storage. If this raises TooManyDrafts, the files are deleted."""
    draft = DraftPhoto(user=actor.user, workspace=actor.workspace, **columns)
    try:
        with transaction.atomic():
            # Lock the user, so that simultaneous uploads cannot exceed the limit.
            User.objects.select_for_update(no_key=True).get(pk=actor.user.pk)
            _require_room(actor.user, size=draft.size)
            draft.save(force_insert=True)
    except TooManyDrafts:
        photos.remove_files([draft])
        raise
    return draft


def _require_room(user: User, *, count: int = 1, size: int = 1) -> None:
    """Raise TooManyDrafts if the user may not keep this many more photos, with `size` bytes in total.

    Derivatives are not counted, because each draft has only two of them, each no larger than 800 x 800
    pixels.
    """
    kept = user.drafts.aggregate(count=Count("id"), size=Sum("size", default=0))
    most, most_bytes = settings.DRAFTS_PER_USER, settings.DRAFT_MEGABYTES_PER_USER * 1024**2
    if kept["count"] + count > most:
        raise TooManyDrafts(number(most))
    if kept["size"] + size > most_bytes:
        raise TooManyDrafts(filesizeformat(most_bytes))


def _drop_surplus(actor: Actor, tray: DraftPhoto.Tray) -> None:
    """Delete the oldest photos from a tray that exceeds its limit."""
    most = MAX_BATCH_DRAFTS if tray == DraftPhoto.Tray.BATCH else MAX_DRAFTS
    for surplus in _drafts(actor).filter(tray=tray).order_by("-id")[most:]:
        _discard(surplus)


def _drafts(actor: Actor) -> QuerySet[DraftPhoto]:
    """Return the actor's drafts in this workspace only, so that no photo ends up in the wrong team."""
    return actor.user.drafts.filter(workspace=actor.workspace)


def _discard(draft: DraftPhoto) -> None:
    """Delete a draft's row and then its files. A file that is left without a row is cleaned up later."""
    with transaction.atomic():
        deleted, _ = DraftPhoto.objects.filter(id=draft.id).delete()
    if deleted:
        photos.remove_files([draft])
