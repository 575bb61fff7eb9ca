"""Add photos to the tray or remove them, one at a time."""

import uuid
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from editor.actors import with_actor
from editor.imaging.errors import PhotoError
from editor.models import DraftPhoto
from editor.models.wording import translate_text
from editor.pages.photos.tray import submitted_url
from editor.services.core.access import Actor, Right
from editor.services.core.disk_space import DiskFull
from editor.services.editing.fetching import draft_from_url
from editor.services.photos import drafts


@require_POST
@with_actor(Right.EDIT)
def upload(request: HttpRequest, actor: Actor) -> HttpResponse:
    file, address = request.FILES.get("photo"), submitted_url(request)
    if file is None and not address:
        return _sentence(_("Choose a photo first."))
    kind_text = request.GET.get("tray", "")
    tray = DraftPhoto.Tray(kind_text) if kind_text in DraftPhoto.Tray.values else DraftPhoto.Tray.EDITOR
    try:
        if file is None:
            draft = draft_from_url(actor, address, tray=tray)
        else:
            draft = drafts.create_draft(actor, cast(Any, file), name=file.name or "", tray=tray)
    except PhotoError as error:
        return _sentence(translate_text(error.message))
    except DiskFull as error:
        return _sentence(str(error), status=507)
    return render(request, "pages/editor/tile.html", {"draft": draft, "number": ""})


@require_POST
@with_actor(Right.EDIT)
def remove(request: HttpRequest, actor: Actor, draft_id: uuid.UUID) -> HttpResponse:
    if not drafts.find_drafts(actor, [draft_id]):
        raise Http404("There is no such photo.")
    drafts.discard(actor, draft_id)
    if request.headers.get("X-Tray"):
        return HttpResponse(status=204)
    return redirect("editor", actor.workspace.slug)


def _sentence(message: str, *, status: int = 422) -> HttpResponse:
    return HttpResponse(message, status=status, content_type="text/plain; charset=utf-8")
