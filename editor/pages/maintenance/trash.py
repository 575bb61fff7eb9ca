"""Delete edits, and restore them from the trash."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from editor.actors import actor_by_trashed_edit, with_actor
from editor.models import Edit
from editor.models.edits import EditQuerySet
from editor.models.wording import number
from editor.pages.parameters import next_url
from editor.pages.photos.media import send
from editor.services.core.access import Actor, Right
from editor.services.maintenance.trash import (
    OnHold,
    StillRunning,
    amount_of,
    delete,
    page_of,
    purge,
    require_right,
    restorable_edits,
    restore,
)

PER_PAGE = 50


@require_POST
@with_actor(Right.DELETE_OWN)
def delete_edit(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponse:
    try:
        delete(actor, edit)
    except StillRunning as error:
        messages.error(request, str(error))
        return redirect("edit", edit.pk)
    # The toast links its "Undo" button to this URL.
    messages.success(request, _("Moved to the trash."), extra_tags=reverse("restore_edit", args=[edit.pk]))
    return redirect(next_url(request, otherwise=reverse("history", args=[actor.workspace.slug])))


@require_POST
@with_actor(Right.DELETE_OWN, find=actor_by_trashed_edit)
def restore_edit(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponse:
    if restore(actor, edit):
        messages.success(request, _("The edit was restored."))
    else:
        messages.error(request, _("This edit was permanently deleted and can't be restored."))
    return redirect(next_url(request, otherwise=reverse("edit", args=[edit.pk])))


@require_safe
@with_actor(Right.DELETE_OWN)
def trash(request: HttpRequest, actor: Actor) -> HttpResponse:
    before, after = request.GET.get("before", ""), request.GET.get("after", "")
    edits = page_of(actor, size=PER_PAGE, before=before, after=after)
    context = {"actor": actor, "edits": edits, "is_older": bool(before), "days": settings.TRASH_DAYS}
    return render(request, "pages/trash/trash.html", context)


@require_safe
@with_actor(Right.DELETE_OWN, find=actor_by_trashed_edit)
def trashed_photo(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponseBase:
    """Send the thumbnail of an edit that is in the trash.

    The media view does not send photos of deleted edits.
    """
    require_right(actor, edit)
    photo = edit.results.first() or edit.references.first()
    if photo is None:
        raise Http404("There is no such photo.")
    return send(photo, "360", by=actor.user.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.DELETE_OWN, find=actor_by_trashed_edit)
def purge_edit(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponse:
    require_right(actor, edit)
    return _purge(request, actor, Edit.objects.filter(pk=edit.pk), edit)


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.DELETE_OWN)
def empty_trash(request: HttpRequest, actor: Actor) -> HttpResponse:
    return _purge(request, actor, restorable_edits(actor))


def _purge(request: HttpRequest, actor: Actor, edits: EditQuerySet, edit: Edit | None = None) -> HttpResponse:
    """On GET, show what would be deleted permanently. On POST, delete it."""
    if request.method == "POST":
        try:
            count = purge(actor, edits)
        except OnHold as error:
            messages.error(request, str(error))
        else:
            template = ngettext("%(n)s edit permanently deleted.", "%(n)s edits permanently deleted.", count)
            messages.success(request, template % {"n": number(count)})
        return redirect("trash", actor.workspace.slug)
    amount = amount_of(edits)
    return render(request, "pages/trash/purge.html", {"edit": edit, "amount": amount})
