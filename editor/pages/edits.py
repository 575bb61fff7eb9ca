"""An edit's own page: running, its results, or why there are none."""

import tempfile
import uuid
import zipfile
from collections.abc import Iterable
from contextlib import ExitStack
from typing import IO, Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from editor.models import Edit, ResultPhoto
from editor.pages import SignedIn
from editor.pages.asked import next_address, read_uuid
from editor.pages.media import file_name, opened
from editor.services import history, lifecycle, links, photos, submit
from editor.services.access import find_edit
from editor.services.space import DiskFull
from editor.services.standing import standing_of

IN_MEMORY = 8 * 1024 * 1024
UNREADABLE = "A photo of this edit can't be read any more. Choose it again in the editor."
_REFUSALS = (
    DiskFull,
    submit.DraftGone,
    submit.InstructionRefused,
    submit.InsufficientCredits,
    submit.InvalidSubmission,
    submit.QueueFull,
)
FIRST_POLL = 300  # milliseconds; the first answer brings the interval that fits the edit's age


@login_required
@require_safe
def edit(request: HttpRequest, edit_id: uuid.UUID) -> HttpResponse:
    page = cast(SignedIn, request)
    actor, found = find_edit(page.user, edit_id)
    references = list(found.references.all())
    context: dict[str, Any] = {
        "edit": found,
        "actor": actor,
        "submit_id": uuid.uuid4(),  # for Run again
        "references": references,
        "steps": (found.plan or {}).get("steps", []),
        # What was left out of a finished edit stands in its notices, with what its photos refused.
        "left_out": [] if found.is_success else (found.plan or {}).get("not_understood", []),
    }
    if found.is_open:
        return render(request, "pages/edits/running.html", context | _running(page, found))
    results = list(found.results.all())
    context |= {
        "results": results,
        "selected": _selected(request, results),
        "is_favorite": history.is_favorite(actor, found),
        "has_a_rest": found.failure_code == "rejected" and len(context["steps"]) > 1 and not found.partial,
    }
    template = "gallery" if found.is_success and results else "ended"
    return render(request, f"pages/edits/{template}.html", context)


@login_required
@require_POST
def cancel(request: HttpRequest, edit_id: uuid.UUID) -> HttpResponse:
    actor, found = find_edit(cast(SignedIn, request).user, edit_id, to_change=True)
    if not lifecycle.cancel(actor, found):
        messages.info(request, "This edit had already ended.")
    return redirect("edit", edit_id)


@login_required
@require_POST
def again(request: HttpRequest, edit_id: uuid.UUID) -> HttpResponse:
    actor, found = find_edit(cast(SignedIn, request).user, edit_id, to_change=True)
    submit_id = read_uuid(request.POST.get("submit_id", "")) or uuid.uuid4()
    try:
        partial = request.POST.get("partial") == "1"
        anew = submit.run_again(actor, found, submit_id=submit_id, partial=partial)
    except _REFUSALS as error:
        return _back_with(request, edit_id, str(error))
    except OSError:
        return _back_with(request, edit_id, UNREADABLE)
    return redirect("edit", anew.id)


@login_required
@require_POST
def revise(request: HttpRequest, edit_id: uuid.UUID) -> HttpResponse:
    actor, found = find_edit(cast(SignedIn, request).user, edit_id, to_change=True)
    try:
        drafts = photos.drafts_from_edit(actor, found)
    except OSError:
        return _back_with(request, edit_id, UNREADABLE)
    named = {"edit": str(found.id), "draft": [str(draft.id) for draft in drafts]}
    return redirect(f"{reverse('editor')}?{urlencode(named, doseq=True)}")


@login_required
@require_POST
def edit_further(request: HttpRequest, edit_id: uuid.UUID, position: int) -> HttpResponse:
    actor, found = find_edit(cast(SignedIn, request).user, edit_id, to_change=True)
    result = found.results.filter(position=position).first()
    if result is None:
        raise Http404("There is no such result.")
    try:
        draft = photos.draft_from_result(actor, result)
    except OSError:
        return _back_with(request, edit_id, UNREADABLE)
    return redirect(f"/?draft={draft.id}")


@login_required
@require_POST
def favorite(request: HttpRequest, edit_id: uuid.UUID) -> HttpResponse:
    page = cast(SignedIn, request)
    actor, found = find_edit(page.user, edit_id)
    is_favorite = history.toggle_favorite(actor, found)
    if page.htmx:
        context = {"edit": found, "is_favorite": is_favorite, "next": request.POST.get("next", "")}
        return render(request, "components/favorite.html", context)
    return redirect(next_address(request, otherwise=reverse("edit", args=[edit_id])))


@login_required
@require_safe
def download_all(request: HttpRequest, edit_id: uuid.UUID) -> HttpResponseBase:
    _, found = find_edit(cast(SignedIn, request).user, edit_id)
    results = list(found.results.select_related("edit"))
    if not results:
        raise Http404("There are no results.")
    with ExitStack() as unless_sent:
        archive = unless_sent.enter_context(tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))
        _pack(results, archive)
        unless_sent.pop_all()  # FileResponse closes it
    return FileResponse(archive, as_attachment=True, filename=f"darkroom-{found.created:%Y-%m-%d}.zip")


def _back_with(request: HttpRequest, edit_id: uuid.UUID, sentence: str) -> HttpResponse:
    messages.error(request, sentence)
    return redirect("edit", edit_id)


def _pack(results: Iterable[ResultPhoto], archive: IO[bytes]) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as folder:  # pictures are compressed already
        for result in results:
            with opened(result, "original") as file:
                folder.writestr(file_name(result), file.read())
    archive.seek(0)


def _running(request: SignedIn, found: Edit) -> dict[str, Any]:
    """What the status fragment shows, by the names that the poll uses too, and the clock beside it."""
    return {
        "signed": links.sign_status(found, request.user),
        "edit_id": str(found.id),
        "standing": standing_of(found.id, user_id=request.user.pk),
        "interval": FIRST_POLL,
        "elapsed": max(0, int((timezone.now() - found.created).total_seconds())),
        "usual": history.typical_seconds(found.workspace),
    }


def _selected(request: HttpRequest, results: list[ResultPhoto]) -> ResultPhoto | None:
    chosen = request.GET.get("result", "")
    first = results[0] if results else None
    return next((result for result in results if str(result.position) == chosen), first)
