"""The tray of a form: its photos, as drafts."""

from dataclasses import dataclass, field
from typing import Any, cast

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from editor.imaging.errors import PhotoError
from editor.models import DraftPhoto
from editor.models.wording import worded
from editor.options import MAX_PHOTOS, too_many_photos
from editor.pages.parameters import read_uuids
from editor.services.core.access import Actor
from editor.services.core.disk_space import DiskFull
from editor.services.editing.fetching import draft_from_address
from editor.services.photos import drafts, photos

Kind = DraftPhoto.Tray
LONGEST_SHOWN = 80  # Characters of a URL to show in an error message.


@dataclass
class Tray:
    """The photos of a form in order, and the errors of those that could not be added.

    It takes up to `most` photos. Drafts with the same `kind` are kept together until they are used.
    """

    drafts: list[DraftPhoto]
    errors: list[str] = field(default_factory=list)
    is_over_full: bool = False
    most: int = MAX_PHOTOS
    kind: DraftPhoto.Tray = Kind.EDITOR
    address: str = ""  # The URL that the user entered, if no photo could be fetched from it.

    @property
    def count(self) -> int:
        """The number of submitted photos as the form should count them: one too many if some were left
        out."""
        return self.most + 1 if self.is_over_full else len(self.drafts)

    @property
    def too_many(self) -> str:
        """The error message for more than `most` photos."""
        return worded(too_many_photos(self.most))

    def say_too_many(self, too_many: str | Promise = "") -> None:
        """Add an error if photos were left out.

        Call this for a page that is shown again before the form is submitted. After that, form validation
        reports it.
        """
        if self.is_over_full:
            self.errors.append(str(too_many or self.too_many))


def tray_as_left(actor: Actor, *, most: int = MAX_PHOTOS, kind: DraftPhoto.Tray = Kind.EDITOR) -> Tray:
    """Return the unused drafts of this kind: the newest `most`, oldest first."""
    return Tray(drafts.tray_of(actor, kind, most=most), most=most, kind=kind)


def chosen_tray(
    request: HttpRequest, actor: Actor, *, most: int = MAX_PHOTOS, kind: DraftPhoto.Tray = Kind.EDITOR
) -> Tray:
    """Return a tray with only the drafts that the form names."""
    named = read_uuids(request.POST.getlist("draft"))
    is_over_full = len(named) > most
    found = drafts.with_ids(actor, named[:most])
    return Tray(found, is_over_full=is_over_full, most=most, kind=kind, address=asked_address(request))


def tray_as_sent(
    request: HttpRequest, actor: Actor, *, most: int = MAX_PHOTOS, kind: DraftPhoto.Tray = Kind.EDITOR
) -> Tray:
    """Return a tray with the form's drafts, followed by its files and the photo at its URL, which become
    drafts while there is room."""
    tray = chosen_tray(request, actor, most=most, kind=kind)
    given: list[UploadedFile[Any] | str] = [*cast(Any, request.FILES.getlist("photos"))]
    for one in [*given, asked_address(request)]:
        if one == "":
            continue
        if len(tray.drafts) == most:
            tray.is_over_full = True
            break
        _take_in(actor, one, tray)
    return tray


def asked_address(request: HttpRequest) -> str:
    """Return the URL entered in the form, with https:// added if it has no scheme, or ""."""
    address = request.POST.get("address", "").strip()
    return address if "://" in address or not address else f"https://{address}"


def _take_in(actor: Actor, given: UploadedFile[Any] | str, tray: Tray) -> None:
    """Add a file or the photo at a URL to the tray, or record the error."""
    name = given if isinstance(given, str) else photos.clean_name(given.name or "")
    try:
        if isinstance(given, str):
            draft = draft_from_address(actor, given, tray=tray.kind)
        else:
            draft = drafts.keep(actor, cast(Any, given), name=given.name or "", tray=tray.kind)
        tray.drafts.append(draft)
        tray.address = "" if isinstance(given, str) else tray.address
    except (DiskFull, PhotoError) as error:
        said = worded(error.message) if isinstance(error, PhotoError) else error
        tray.errors.append(f"{shortened(name) or _('A photo')}: {said}")


def shortened(address: str) -> str:
    return address if len(address) <= LONGEST_SHOWN else f"{address[: LONGEST_SHOWN - 1]}…"
