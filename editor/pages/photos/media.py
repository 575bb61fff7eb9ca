"""The only module that sends stored photos."""

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

from editor.models import DraftPhoto, Edit, Photo, ReferencePhoto, ResultPhoto
from editor.models.photos import stem_of
from editor.pages import AuthenticatedRequest
from editor.services.core import links
from editor.services.core.access import PHOTO_KINDS, find_photo, find_signed_photo
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
    page = cast(AuthenticatedRequest, request)
    if kind not in PHOTO_KINDS or size not in SIZES:
        raise Http404("There is no such photo.")
    if _is_embedded_elsewhere(request):
        return _forbidden()
    return send(find_photo(page.user, kind, photo_id), size, by=page.user.pk)


@require_safe
def signed_photo(request: HttpRequest, signed: str, name: str) -> HttpResponseBase:
    """Send a photo to anyone who has this signed URL, even for pages of other sites.

    The name in the URL only helps programs that save the file.
    """
    known = links.unsign_photo(signed)
    found = find_signed_photo(known) if known else None
    if known is None or found is None:
        raise Http404("There is no such photo.")
    # Hide the names that users gave their photos, because anyone with the URL can see this photo.
    plain = "" if known.kind == "results" else f"photo-{found.position}.{photos.EXTENSIONS[found.media_type]}"
    response = send(found, "original", by=known.recipient_id, name=plain)
    for header, value in SIGNED_HEADERS.items():
        response.headers[header] = value
    return response


def send(photo: Photo, size: str, *, by: int | None, name: str = "") -> HttpResponseBase:
    """Return a response that contains the bytes of a photo.

    The caller must have checked that the user may see the photo. `by` is the ID of the user who gets the
    photo, or None. `name` is the file name of an original; by default, it is a readable name. Raises Http404
    if the file is missing, and Withheld if the photo is an original that awaits approval.
    """
    is_download = size == "download"
    stored = "original" if is_download else size
    file = open_file(photo, stored, by=by)
    name = (name or file_name(photo)) if stored == "original" else ""
    media_type = photos.media_type_of(photo, stored)
    if settings.PHOTOS_BY_PROXY and not settings.BUCKET:
        file.close()
        headers = HEADERS | {"X-Accel-Redirect": f"/photos/{photos.key_of(photo, stored, by=by)}"}
        if name:
            headers["Content-Disposition"] = str(content_disposition_header(is_download, name))
        return HttpResponse(content_type=media_type, headers=headers)
    response = FileResponse(
        file, as_attachment=is_download, filename=name, content_type=media_type, headers=HEADERS
    )
    if not name:
        # Otherwise, Django sets this header to the random name of the stored file.
        del response.headers["Content-Disposition"]
    if stored == "original" and not file.seekable():
        response.headers["Content-Length"] = str(photo.size)
    return response


def open_file(photo: Photo, size: str, *, by: int | None) -> BinaryIO:
    """Open the stored bytes of a photo for the user whose ID is `by`.

    Raises Http404 if the file is missing, Withheld if the photo is an original that awaits approval, and
    OSError if the file cannot be read for another reason.
    """
    try:
        return photos.open_photo(photo, size, by=by)
    except FileNotFoundError as error:
        logger.warning("The file of the photo %s can't be read: %s", photo.pk, error.strerror)
        raise Http404("The file of this photo is gone.") from None


def file_name(photo: Photo) -> str:
    """Return a readable file name.

    A result is named after the prompt. Any other photo is named after its upload.
    """
    ending = photos.EXTENSIONS[photo.media_type]
    if isinstance(photo, ResultPhoto):
        stem = f"{first_words(photo.edit) or 'result'}-{photo.position}"
    else:
        stem = stem_of(cast(DraftPhoto | ReferencePhoto, photo).name) or "photo"
    return f"{stem}.{ending}"


def first_words(edit: Edit) -> str:
    """Return the first six words of an edit's prompt, joined by hyphens, for a file name."""
    return "-".join(slugify(edit.prompt).split("-")[:6])


def _is_embedded_elsewhere(request: HttpRequest) -> bool:
    """Check whether a page of another site embeds the photo.

    Opening the photo's URL from an email, for example, is not embedding and is allowed.
    """
    is_cross = request.headers.get("Sec-Fetch-Site") == "cross-site"
    return is_cross and request.headers.get("Sec-Fetch-Mode") != "navigate"


def _forbidden() -> HttpResponse:
    sentence = _("Photos are shown on this site only.")
    return HttpResponseForbidden(sentence, content_type="text/plain", headers=HEADERS)
