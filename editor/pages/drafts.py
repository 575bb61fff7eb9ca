"""Photos on their way into the tray, one at a time."""

import uuid
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from editor.imaging.errors import PhotoError
from editor.pages import SignedIn
from editor.services import photos
from editor.services.access import find_photo, personal_actor
from editor.services.space import DiskFull


@login_required
@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    page = cast(SignedIn, request)
    file = request.FILES.get("photo")
    if file is None:
        return _sentence("Choose a photo first.")
    try:
        draft = photos.keep_draft(personal_actor(page.user), cast(Any, file), name=file.name or "")
    except PhotoError as error:
        return _sentence(error.message)
    except DiskFull as error:
        return _sentence(str(error), status=507)
    return render(request, "pages/editor/tile.html", {"draft": draft, "number": ""})


@login_required
@require_POST
def remove(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    page = cast(SignedIn, request)
    find_photo(page.user, "drafts", draft_id)
    photos.discard_draft(page.user, draft_id)
    return HttpResponse(status=204) if page.headers.get("X-Tray") else redirect("editor")


def _sentence(message: str, *, status: int = 422) -> HttpResponse:
    return HttpResponse(message, status=status, content_type="text/plain; charset=utf-8")
