"""Actions on several edits that are selected in the history."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from editor.actors import with_actor
from editor.imaging.errors import PhotoError
from editor.models import DraftPhoto
from editor.models.edits import EditQuerySet
from editor.models.ids import parse_uuid
from editor.models.wording import number
from editor.options import MAX_BATCH_PHOTOS
from editor.pages.parameters import next_url, parse_uuids, site_of
from editor.pages.photos.archive import archive_response
from editor.pages.sharing.shares import ShareForm
from editor.services.core.access import Actor, Right
from editor.services.core.disk_space import DiskFull
from editor.services.library import history
from editor.services.maintenance import trash
from editor.services.photos import drafts
from editor.services.sharing import shares

MAX_SELECTED = 200  # maximum number of selected edits and batches for one action
NOTHING_SELECTED = gettext_lazy("Select some edits first.")
NOTHING_MOVED = gettext_lazy(
    "No edits were moved. They're still running, or you don't have permission to delete them."
)
NO_RESULTS = gettext_lazy("Select edits that have a result.")
TOO_MANY_SELECTED = gettext_lazy("Select at most %(most)s edits at a time. You selected %(count)s.")
TOO_MANY_RESULTS = gettext_lazy(
    "A batch can have at most %(most)s photos. You selected %(count)s edits with a result."
)


def with_limited_selection[T: HttpResponseBase](
    view: Callable[[HttpRequest, Actor], T],
) -> Callable[[HttpRequest, Actor], T | HttpResponse]:
    """Return a view that does nothing but say so if too many edits and batches are selected."""

    @wraps(view)
    def limited(request: HttpRequest, actor: Actor) -> T | HttpResponse:
        count = sum(map(len, _picked_ids(request)))
        if count <= MAX_SELECTED:
            return view(request, actor)
        return _back(request, actor, TOO_MANY_SELECTED % {"most": MAX_SELECTED, "count": number(count)})

    return limited


@require_POST
@with_actor(Right.DOWNLOAD)
@with_limited_selection
def download_picked(request: HttpRequest, actor: Actor) -> HttpResponseBase:
    edits = _picked(request, actor)
    if not edits:
        return _back(request, actor, NOTHING_SELECTED)
    name = f"darkroom-{timezone.now():%Y-%m-%d}"
    return archive_response(enumerate(edits, start=1), by=actor.user.pk, name=name)


@require_POST
@with_actor(Right.VIEW)
@with_limited_selection
def star_picked(request: HttpRequest, actor: Actor) -> HttpResponse:
    count = history.star(actor, _picked(request, actor))
    template = ngettext("%(n)s edit starred.", "%(n)s edits starred.", count)
    return _back(request, actor, template % {"n": number(count)} if count else NOTHING_SELECTED)


@require_POST
@with_actor(Right.DELETE_OWN)
@with_limited_selection
def trash_picked(request: HttpRequest, actor: Actor) -> HttpResponse:
    edits = _picked(request, actor)
    if not edits:
        return _back(request, actor, NOTHING_SELECTED)
    moved = trash.delete_many(actor, edits)
    if not moved.edits:
        return _back(request, actor, NOTHING_MOVED)
    left = len(edits) - moved.edits
    stays = _("%(n)s not moved: still running or not yours to delete.") % {"n": number(left)} if left else ""
    moves = ngettext("%(n)s edit moved to the trash.", "%(n)s edits moved to the trash.", moved.edits)
    undo = reverse("restore_picked", args=[actor.workspace.slug, moved.moment.isoformat()])
    messages.success(request, f"{moves % {'n': number(moved.edits)}} {stays}".strip(), extra_tags=undo)
    return redirect(_place(request, actor))


@require_POST
@with_actor(Right.DELETE_OWN)
def restore_picked(request: HttpRequest, actor: Actor, moment: str) -> HttpResponse:
    """Undo a deletion by restoring all edits that were moved to the trash at that moment."""
    count = trash.restore_many(actor, _moment(moment))
    template = ngettext("%(n)s edit restored.", "%(n)s edits restored.", count)
    return _back(
        request, actor, template % {"n": number(count)} if count else _("These edits are already restored.")
    )


@require_POST
@with_actor(Right.EDIT)
@with_limited_selection
def batch_of_picked(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Put the first result of each selected edit into the tray of a new batch.

    If a recipe is named, the new batch uses this recipe.
    """
    results = [result for edit in _picked(request, actor) for result in edit.results.all()[:1]]
    if not results:
        return _back(request, actor, NO_RESULTS)
    if len(results) > MAX_BATCH_PHOTOS:
        counts = {"most": MAX_BATCH_PHOTOS, "count": number(len(results))}
        return _back(request, actor, TOO_MANY_RESULTS % counts)
    try:
        drafts.from_results(actor, results, tray=DraftPhoto.Tray.BATCH)
    except FileNotFoundError:
        return _back(request, actor, _("A photo of these edits can no longer be read. Select other edits."))
    except (DiskFull, PhotoError) as error:
        return _back(request, actor, str(error))
    recipe = parse_uuid(request.POST.get("recipe", ""))
    query = f"?recipe={recipe}" if recipe else ""
    return redirect(f"{reverse('new_batch', args=[actor.workspace.slug])}{query}")


@require_POST
@with_actor(Right.SHARE)
def share_picked(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Create a guest link for each selected edit.

    The links share a creation time, which identifies them on the next page.
    """
    form = ShareForm(request.POST)
    if not form.is_valid():
        return _back(request, actor, str(next(iter(form.errors.values()))[0]))
    try:
        together = shares.share_together(actor, _picked(request, actor), **form.cleaned_data)
    except shares.ShareRefused as error:
        return _back(request, actor, str(error))
    for sentence in together.refused:
        messages.warning(request, sentence)
    return redirect("shared_together", actor.workspace.slug, together.moment.isoformat())


@require_safe
@with_actor(Right.SHARE)
def shared_together(request: HttpRequest, actor: Actor, moment: str) -> HttpResponse:
    created = shares.shares_created_at(actor, _moment(moment))
    links = [(one, shares.link_of(one, site=site_of(request))) for one in created]
    if not links:
        raise Http404("These links have ended.")
    return render(request, "pages/shares/together.html", {"links": links})


def _picked(request: HttpRequest, actor: Actor) -> EditQuerySet:
    return history.selected_edits(actor, *_picked_ids(request))


def _picked_ids(request: HttpRequest) -> tuple[list[uuid.UUID], list[uuid.UUID]]:
    """Return the IDs of the selected edits and of the selected batches."""
    return parse_uuids(request.POST.getlist("edit")), parse_uuids(request.POST.getlist("batch"))


def _moment(text: str) -> datetime:
    """Parse an ISO 8601 time with a UTC offset. Raises Http404 if the text is not such a time."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise Http404("There is no such moment.")


def _place(request: HttpRequest, actor: Actor) -> str:
    return next_url(request, otherwise=reverse("history", args=[actor.workspace.slug]))


def _back(request: HttpRequest, actor: Actor, sentence: str | Promise) -> HttpResponse:
    messages.info(request, str(sentence))
    return redirect(_place(request, actor))
