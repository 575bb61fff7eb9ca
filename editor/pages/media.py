"""The one sender of stored photos."""

import uuid
from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.http.response import HttpResponseBase
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from editor.models import DraftPhoto, Photo, ReferencePhoto, ResultPhoto
from editor.pages import SignedIn
from editor.services import photos
from editor.services.access import PhotoKind, find_photo

KINDS = ("drafts", "references", "results")
SIZES = ("360", "800", "1600", "original", "download")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-store",
}


@login_required
@require_safe
def photo(request: HttpRequest, kind: str, photo_id: uuid.UUID, size: str) -> HttpResponseBase:
    page = cast(SignedIn, request)
    if kind not in KINDS or size not in SIZES:
        raise Http404("There is no such photo.")
    response = _forbidden() if _is_embedded_elsewhere(request) else _file(page, kind, photo_id, size)
    for name, value in HEADERS.items():
        response.headers[name] = value
    return response


def file_name(found: Photo) -> str:
    """A name for people: what was asked for a result, its own name for a photo that they brought."""
    ending = photos.EXTENSIONS[found.media_type]
    if isinstance(found, ResultPhoto):
        words = "-".join(slugify(found.edit.prompt).split("-")[:6])
        stem = f"{words or 'result'}-{found.position}"
    else:
        name = cast(DraftPhoto | ReferencePhoto, found).name
        stem = name.rpartition(".")[0] or name or "photo"
    return f"{stem}.{ending}"


def _file(request: SignedIn, kind: str, photo_id: uuid.UUID, size: str) -> HttpResponseBase:
    found = find_photo(request.user, cast(PhotoKind, kind), photo_id)
    is_download = size == "download"
    stored = "original" if is_download else size
    try:
        file = photos.open_photo(found, stored)
    except FileNotFoundError:
        raise Http404("The file of this photo is gone.") from None
    media_type = photos.media_type_of(found, stored)
    name = file_name(found) if stored == "original" else ""
    return FileResponse(file, as_attachment=is_download, filename=name, content_type=media_type)


def _is_embedded_elsewhere(request: HttpRequest) -> bool:
    """Another site's page shows the photo. A plain navigation, as from a mail, is not that."""
    is_cross = request.headers.get("Sec-Fetch-Site") == "cross-site"
    return is_cross and request.headers.get("Sec-Fetch-Mode") != "navigate"


def _forbidden() -> HttpResponse:
    return HttpResponseForbidden("Photos are shown on this site only.", content_type="text/plain")
