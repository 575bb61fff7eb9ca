"""Drafts: photos that are kept and not yet edited, in the tray of a person and a workspace.

An edit, a batch or a recipe takes their files over; what lies unused is discarded after DRAFT_HOURS. The
drafts of a user are limited by number and size, in all workspaces together: for each user their rows are
written one at a time, under a lock of the user's row.
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
from editor.services.core.access import Actor, may_take
from editor.services.core.disk_space import DiskFull
from editor.services.photos import photos

MAX_DRAFTS = 50  # ten full trays; without a limit, unused uploads could fill the disk before they are old
MAX_BATCH_DRAFTS = MAX_BATCH_PHOTOS + MAX_DRAFTS
VIEW_ONLY = Sentence(
    "This result waits for approval, so you edit its 1600-pixel preview. "
    "Once it is approved, you can edit the original."
)


class TooManyDrafts(PhotoError):
    """Raised when a user is at the limit of unused photos. `limit` is that limit in words."""

    def __init__(self, limit: str) -> None:
        super().__init__(
            _(
                "There is no room for more photos that are not submitted yet: your limit is %(limit)s, in "
                "all workspaces together. Submit or remove some of them first."
            )
            % {"limit": limit}
        )


def keep(
    actor: Actor, source: BinaryIO, *, name: str, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR
) -> DraftPhoto:
    """Rebuilds an uploaded file (any bytes) from its pixels and keeps it for this tray of the user's, which
    holds the newest MAX_DRAFTS, that of a batch MAX_BATCH_DRAFTS.

    Raises PhotoError, with a sentence for people, when it is not a photo that can be edited or kept,
    TooManyDrafts, which is a PhotoError, and DiskFull; then the trays are as they were.
    """
    _require_room(actor.user)  # before the decoder works
    draft = _insert(actor, tray=tray, **photos.keep_uploaded(source, name))
    _drop_surplus(actor, tray)
    return draft


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
    """Copy a result into a tray of the actor, to edit it further. Raises as `from_results` does."""
    [draft] = from_results(actor, [result], tray=tray)
    return draft


def from_results(
    actor: Actor, results: Sequence[ResultPhoto], *, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR
) -> list[DraftPhoto]:
    """Copy results into a tray of the actor, in their order, or none of them. In another workspace than its
    own a result has no parent: the members there need not see where it came from. Raises TooManyDrafts,
    Withheld for a result that the actor may not take out of its workspace, OSError when one cannot be read,
    and PhotoError and DiskFull as `photos.keep_uploaded`."""
    return _add_copies(actor, tray, results, _copy_of_result)


def from_edit(actor: Actor, edit: Edit) -> list[DraftPhoto]:
    """Copy the photos that an edit started from, if they arrived, into the actor's tray, in their order, or
    none of them. Raises TooManyDrafts, and OSError when one cannot be read."""
    references = [] if edit.awaits_photos else list(edit.references.all())
    return _add_copies(actor, DraftPhoto.Tray.EDITOR, references, _copy_of_reference)


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


def _add_copies[P: Photo](
    actor: Actor, tray: DraftPhoto.Tray, originals: Sequence[P], copy: Callable[[Actor, P], dict[str, Any]]
) -> list[DraftPhoto]:
    """Make a draft of each photo from the columns that `copy` returns, or of none of them. Older drafts leave
    the tray only once all are there."""
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
    """Whether the actor edits the view of a withheld result and not its original: another engine than ours
    does not tell at which scale its results show the photos, so they could show all of the original."""
    is_reduced = photos.view_scale(result) < 1
    return settings.EDIT_PROVIDER != "embedded" and is_reduced and not may_take(actor.user.pk, result)


def _copy_of_reference(_actor: Actor, reference: ReferencePhoto) -> dict[str, Any]:
    # An edit continues what its photo 1 continued.
    parent = reference.edit.parent if reference.position == 1 else None
    return {"parent": parent, "name": reference.name, **photos.copy_files(reference)}


def _insert(actor: Actor, **columns: Any) -> DraftPhoto:
    """Save a draft whose files are in the storage. Raises TooManyDrafts; then the files are removed."""
    draft = DraftPhoto(user=actor.user, workspace=actor.workspace, **columns)
    try:
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=actor.user.pk)  # one at a time, to count them
            _require_room(actor.user, size=draft.size)
            draft.save(force_insert=True)
    except TooManyDrafts:
        photos.remove_files([draft])
        raise
    return draft


def _require_room(user: User, *, count: int = 1, size: int = 1) -> None:
    """Raise TooManyDrafts if the user may not keep this many more photos, of `size` bytes together.
    Derivatives are not counted: each draft has two of at most 800 pixels, so the limit of the number bounds
    them."""
    kept = user.drafts.aggregate(count=Count("id"), size=Sum("size", default=0))
    most, most_bytes = settings.DRAFTS_PER_USER, settings.DRAFT_MEGABYTES_PER_USER * 1024**2
    if kept["count"] + count > most:
        raise TooManyDrafts(number(most))
    if kept["size"] + size > most_bytes:
        raise TooManyDrafts(filesizeformat(most_bytes))


def _drop_surplus(actor: Actor, tray: DraftPhoto.Tray) -> None:
    """The oldest photos of a tray that holds too many make room."""
    most = MAX_BATCH_DRAFTS if tray == DraftPhoto.Tray.BATCH else MAX_DRAFTS
    for surplus in _drafts(actor).filter(tray=tray).order_by("-id")[most:]:
        _discard(surplus)


def _drafts(actor: Actor) -> QuerySet[DraftPhoto]:
    """The tray: of a person and a workspace, so that what is meant for one team is sent to no other."""
    return actor.user.drafts.filter(workspace=actor.workspace)


def _discard(draft: DraftPhoto) -> None:
    """The row first: a file without a row is swept later, a row without its file would be broken."""
    with transaction.atomic():
        deleted, _ = DraftPhoto.objects.filter(id=draft.id).delete()
    if deleted:
        photos.remove_files([draft])
