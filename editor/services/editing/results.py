"""Build the request that an engine gets for an edit, then verify and store the results."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from editor.crash_points import crash_point
from editor.imaging.errors import PhotoError
from editor.models import DraftPhoto, Edit, ResultPhoto
from editor.providers import result_notices
from editor.providers.contract import NOT_A_PHOTO, EditRequest, Provider, ProviderError, Watch
from editor.sentences import SentenceData, to_json_data
from editor.services.editing import fetching, keeping, leases
from editor.services.photos import analysis, photos

logger = logging.getLogger(__name__)


def request_of(edit: Edit, *, with_photos: bool = True) -> EditRequest:
    """Return the edit as its engine sees it. Photos are omitted if the engine no longer needs them."""
    references = list(edit.references.all()) if with_photos else []
    folder = photos.work_folder_of(edit)
    paths = tuple(photos.local_copy(photo, folder) for photo in references)
    return EditRequest(
        edit_id=str(edit.id),
        prompt=edit.prompt,
        options=edit.options,
        photos=paths,
        work_dir=folder,
        token=edit.token,
        photo_urls=fetching.temporary_photo_urls(edit, references),
        plan=edit.plan,
        view_scales=tuple(map(photos.view_scale, references)),
        analyze=partial(analysis.for_edit, references[0], paths[0], folder) if references else None,
        find_area=keeping.finder(edit, references[0], paths[0], folder) if references else None,
    )


def stored_positions(edit: Edit) -> frozenset[int]:
    """Return the positions of the stored results."""
    return frozenset(ResultPhoto.stored.filter(edit=edit).values_list("position", flat=True))


def collect(edit: Edit, provider: Provider, watch: Watch) -> ProviderError | None:
    """Fetch and store the results that are not stored yet.

    Returns None, or the reason why a result is missing or is not an image. Raises leases.LeaseLost if another
    worker has claimed the edit. Also raises the exceptions of the sandbox and the storage.
    """
    before = stored_positions(edit)
    fetched, missing = _fetched(edit, before, provider, watch)
    crash_point("storing.collected")
    wanted = set(range(1, edit.outputs + 1)) & set(fetched) - before
    for position in sorted(wanted):
        try:
            _keep(edit, position, fetched[position])
        except PhotoError as error:
            logger.warning("Edit %s: result %d is not an image: %s", edit.id, position, error.message)
            missing = missing or ProviderError("result_invalid", NOT_A_PHOTO)
    return missing


def _fetched(
    edit: Edit, before: frozenset[int], provider: Provider, watch: Watch
) -> tuple[Mapping[int, Path], ProviderError | None]:
    """Return the newly fetched results by position, and the reason why other results are missing."""
    try:
        return provider.collect(edit.arrivals, replace(request_of(edit), kept=before), watch), None
    except ProviderError as error:
        return error.partial_results, error


def _keep(edit: Edit, position: int, path: Path) -> None:
    """Store a result's file and then, under our token, its row and the notices about it.

    If the worker has lost the edit, it leaves only an orphaned file.
    """
    arrival = dict(enumerate(edit.arrivals, start=1)).get(position, {})
    columns, kind = photos.store_result(edit, position, path, view_scale=arrival.get("view_scale"))
    size = (columns["width"], columns["height"])
    new = [] if edit.runs_here else _notices(edit, size, kind, arrival)
    with transaction.atomic():
        leases.update_leased(edit, notices=[*edit.notices, *new])
        ResultPhoto.stored.create(edit=edit, position=position, **columns)
    crash_point("storing.row_written")


def _notices(edit: Edit, size: tuple[int, int], kind: str, arrival: Mapping[str, Any]) -> list[SentenceData]:
    """Return the notices about a result that no other result of the edit has given."""
    photo = edit.references.first()
    if photo is None:
        return []  # There is nothing to compare the result with.
    deviations = result_notices.deviations(
        size, kind, arrival, options=edit.options, photo=(photo.width, photo.height)
    )
    return [notice for notice in map(to_json_data, deviations) if notice not in edit.notices]


def remove_unpaid(edit: Edit) -> list[ResultPhoto]:
    """Delete and return the result rows of an edit that ended without results.

    If the edit has results to show, nothing is deleted. Call this function in the transaction that ends the
    edit. After the transaction is committed, delete the files of the returned rows.
    """
    removed = list(ResultPhoto.stored.unpaid().filter(edit=edit))
    if removed:
        # In earlier releases, users could continue from a result that was still being stored.
        for model in (DraftPhoto, Edit):
            model._default_manager.filter(parent__in=removed).update(parent=None)
        ResultPhoto.stored.filter(pk__in=[result.pk for result in removed]).delete()
    return removed


def remove_all_unpaid() -> int:
    """Remove unpaid results that a process running an earlier release left behind during an upgrade.

    Returns the number of edits that had such results.
    """
    left = ResultPhoto.stored.unpaid().filter(edit=OuterRef("pk"))
    edits = list(Edit.objects.filter(Exists(left)).only("pk"))
    for edit in edits:
        with transaction.atomic():
            removed = remove_unpaid(edit)
        photos.remove_files(removed)
    return len(edits)
