"""The tray of a form, whose photos are drafts."""

from dataclasses import dataclass, field
from typing import Any, cast

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from editor.imaging.errors import PhotoError
from editor.models import DraftPhoto
from editor.models.ids import parse_uuid
from editor.models.wording import translate_text
from editor.options import MAX_PHOTOS, too_many_photos
from editor.pages.parameters import parse_uuids
from editor.services.core.access import Actor
from editor.services.core.disk_space import DiskFull
from editor.services.editing import submit
from editor.services.editing.fetching import draft_from_url
from editor.services.photos import drafts, photos

Kind = DraftPhoto.Tray
MAX_SHOWN_CHARACTERS = 80  # maximum number of characters from a URL in an error message


@dataclass
class Tray:
    """The photos of a form, in order, and the errors about photos that could not be added.

    The tray holds up to `max_photos` photos. Drafts of the same `kind` share a tray until they are used.
    """

    drafts: list[DraftPhoto]
    errors: list[str] = field(default_factory=list)
    is_over_limit: bool = False
    # The number of photos in the form that have been used or removed since the page was shown.
    missing: int = 0
    max_photos: int = MAX_PHOTOS
    kind: DraftPhoto.Tray = Kind.EDITOR
    url: str = ""  # The URL that the user entered, if no photo could be fetched from it.

    @property
    def count(self) -> int:
        """The number of submitted photos that the form validates.

        If some photos were left out, this is `max_photos` + 1.
        """
        return self.max_photos + 1 if self.is_over_limit else len(self.drafts) + self.missing

    @property
    def too_many(self) -> str:
        """The error message shown if there are more than `max_photos` photos."""
        return translate_text(too_many_photos(self.max_photos))

    def add_too_many_error(self, too_many: str | Promise = "") -> None:
        """Add an error if photos were left out.

        Call this method for a page that is shown again before the form is submitted. Once the form is
        submitted, its validation reports the error.
        """
        if self.is_over_limit:
            self.errors.append(str(too_many or self.too_many))


def unused_drafts_tray(actor: Actor, *, most: int = MAX_PHOTOS, kind: DraftPhoto.Tray = Kind.EDITOR) -> Tray:
    """Return up to `most` unused drafts of this kind. These are the newest ones, sorted oldest first."""
    return Tray(drafts.tray_of(actor, kind, limit=most), max_photos=most, kind=kind)


def named_drafts_tray(
    request: HttpRequest, actor: Actor, *, most: int = MAX_PHOTOS, kind: DraftPhoto.Tray = Kind.EDITOR
) -> Tray:
    """Return a tray that contains only the drafts that the form names.

    If some of them no longer exist, the tray also contains an error.
    """
    removed = parse_uuid(request.POST.get("remove", ""))
    named = [draft for draft in parse_uuids(request.POST.getlist("draft")) if draft != removed]
    found = drafts.find_drafts(actor, named[:most])
    missing = len(set(named[:most])) - len(found)
    return Tray(
        found,
        errors=[str(submit.DraftGone())] if missing else [],
        is_over_limit=len(named) > most,
        missing=missing,
        max_photos=most,
        kind=kind,
        url=submitted_url(request),
    )


def unread_tray(request: HttpRequest, actor: Actor, *, most: int = MAX_PHOTOS) -> Tray:
    """Return a tray with only the drafts that the form names, for a form whose files may stay unread.

    The browser does not send these files again, so the tray contains an error if there are any.
    """
    tray = named_drafts_tray(request, actor, most=most)
    if request.FILES.getlist("photos"):
        tray.errors.append(_("Choose your photos again."))
    return tray


def submitted_tray(
    request: HttpRequest, actor: Actor, *, most: int = MAX_PHOTOS, kind: DraftPhoto.Tray = Kind.EDITOR
) -> Tray:
    """Return a tray that contains the form's drafts.

    While there is room, new drafts are added for the form's files and for the photo at the form's URL.
    """
    tray = named_drafts_tray(request, actor, most=most, kind=kind)
    given: list[UploadedFile[Any] | str] = [*cast(Any, request.FILES.getlist("photos"))]
    for one in [*given, submitted_url(request)]:
        if one == "":
            continue
        if len(tray.drafts) == most:
            tray.is_over_limit = True
            break
        _take_in(actor, one, tray)
    return tray


def submitted_url(request: HttpRequest) -> str:
    """Return the URL entered in the form, or "". If the URL has no scheme, https:// is added."""
    address = request.POST.get("address", "").strip()
    return address if "://" in address or not address else f"https://{address}"


def _take_in(actor: Actor, given: UploadedFile[Any] | str, tray: Tray) -> None:
    """Add a file or the photo at a URL to the tray, or record the error."""
    name = given if isinstance(given, str) else photos.clean_name(given.name or "")
    try:
        if isinstance(given, str):
            draft = draft_from_url(actor, given, tray=tray.kind)
        else:
            draft = drafts.create_draft(actor, cast(Any, given), name=given.name or "", tray=tray.kind)
        tray.drafts.append(draft)
        tray.url = "" if isinstance(given, str) else tray.url
    except (DiskFull, PhotoError) as error:
        message = translate_text(error.message) if isinstance(error, PhotoError) else error
        tray.errors.append(f"{shorten_url(name) or _('A photo')}: {message}")


def shorten_url(address: str) -> str:
    return address if len(address) <= MAX_SHOWN_CHARACTERS else f"{address[: MAX_SHOWN_CHARACTERS - 1]}…"
