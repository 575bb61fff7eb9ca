"""The one sender of stored photos."""

import logging
import uuid
from typing import BinaryIO, cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from editor.models import DraftPhoto, Photo, ReferencePhoto, ResultPhoto
from editor.pages import SignedIn
from editor.services.core import links
from editor.services.core.access import PHOTO_KINDS, PhotoKind, find_photo, find_signed_photo
from editor.services.photos import photos

logger = logging.getLogger(__name__)

SIZES = ("360", "800", "1600", "original", "download")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-store",
}
SIGNED_HEADERS = {"Cross-Origin-Resource-Policy": "cross-origin", "Referrer-Policy": "no-referrer"}


@login_required
@require_safe
def photo(request: HttpRequest, kind: str, photo_id: uuid.UUID, size: str) -> HttpResponseBase:
    page = cast(SignedIn, request)
    if kind not in PHOTO_KINDS or size not in SIZES:
        raise Http404("There is no such photo.")
    if _is_embedded_elsewhere(request):
        return _forbidden()
    return send(find_photo(page.user, cast(PhotoKind, kind), photo_id), size, by=page.user.pk)


@require_safe
def signed_photo(request: HttpRequest, signed: str, name: str) -> HttpResponseBase:
    """For whoever has the address, on any site's page; the name in it is for programs that save files."""
    known = links.unsign_photo(signed)
    found = find_signed_photo(known) if known else None
    if known is None or found is None:
        raise Http404("There is no such photo.")
    # Nobody else's site learns what people call their photos.
    plain = "" if known.kind == "results" else f"photo-{found.position}.{photos.EXTENSIONS[found.media_type]}"
    response = send(found, "original", by=known.taker, name=plain)
    for header, value in SIGNED_HEADERS.items():
        response.headers[header] = value
    return response


def send(found: Photo, size: str, *, by: int | None, name: str = "") -> HttpResponseBase:
    """The bytes of a photo that the caller has proved may be seen, for this user, as a file of this `name`
    or of one for people. Raises Http404 when they are gone, and Withheld for an original that waits for
    approval."""
    is_download = size == "download"
    stored = "original" if is_download else size
    file = opened(found, stored, by=by)
    name = (name or file_name(found)) if stored == "original" else ""
    media_type = photos.media_type_of(found, stored)
    if settings.PHOTOS_BY_PROXY and not settings.BUCKET:
        file.close()
        headers = HEADERS | {"X-Accel-Redirect": f"/photos/{photos.key_of(found, stored, by=by)}"}
        if name:
            headers["Content-Disposition"] = str(content_disposition_header(is_download, name))
        return HttpResponse(content_type=media_type, headers=headers)
    response = FileResponse(
        file, as_attachment=is_download, filename=name, content_type=media_type, headers=HEADERS
    )
    if not name:
        del response.headers["Content-Disposition"]  # Django puts the file's random name there
    if stored == "original" and not file.seekable():
        response.headers["Content-Length"] = str(found.size)
    return response


def opened(found: Photo, size: str, *, by: int | None) -> BinaryIO:
    """The stored bytes, for this user; Http404 when they are gone, or are no file any more. Raises Withheld
    as `send` does, and OSError."""
    try:
        return photos.open_photo(found, size, by=by)
    except FileNotFoundError as error:
        logger.warning("The file of the photo %s can't be read: %s", found.pk, error.strerror)
        raise Http404("The file of this photo is gone.") from None


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


def _is_embedded_elsewhere(request: HttpRequest) -> bool:
    """Another site's page shows the photo. A plain navigation, as from a mail, is not that."""
    is_cross = request.headers.get("Sec-Fetch-Site") == "cross-site"
    return is_cross and request.headers.get("Sec-Fetch-Mode") != "navigate"


def _forbidden() -> HttpResponse:
    sentence = _("Photos are shown on this site only.")
    return HttpResponseForbidden(sentence, content_type="text/plain", headers=HEADERS)
