"""Fetch photos that were given as URLs.

A worker fetches the photos, subject to the restrictions on outgoing requests. A URL on this site is never
requested. Instead, the photo that its signature grants access to is read from storage.
"""

import logging
import shutil
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote, urlsplit

from django.conf import settings

from editor.imaging.errors import ChildLost, PhotoError, SandboxError
from editor.models import DraftPhoto, Edit, ReferencePhoto
from editor.models.clock import database_now
from editor.outbound import OutboundError, Rules
from editor.providers.contract import Watch
from editor.sentences import Sentence
from editor.services.core import links
from editor.services.core.access import Actor, Right, find_signed_photo
from editor.services.photos import drafts, photos
from editor.services.photos.storage import StorageUnavailable

logger = logging.getLogger(__name__)

FETCH_SECONDS = 90.0  # maximum seconds for all of an edit's photos, because the worker is blocked
TEMPORARY_URL_LIFETIME = timedelta(minutes=15)
DRAFT_FETCH_SECONDS = 20.0  # maximum seconds for one photo that a user is waiting for
MAX_PARALLEL_FETCHES = 2  # maximum number of fetches in a web process, whose other threads serve pages
BUSY = Sentence("Other photos are being fetched. Try again in a moment.")
PHOTO_GONE = Sentence("This photo is no longer available.")
NOT_STORED = Sentence("It could not be saved. Try again later.")


_turns = threading.BoundedSemaphore(MAX_PARALLEL_FETCHES)


class FetchFailed(Exception):
    """Raised when a photo could not be fetched.

    The exception's user-readable message contains the photo's number.
    """

    def __init__(self, position: int, why: str) -> None:
        self.sentence = Sentence(
            "Photo %(number)s could not be used: %(why)s", number=position, why=Sentence.of(why)
        )
        super().__init__(self.sentence)


class FetchStopped(Exception):
    """Raised when the worker must stop, for example because it has lost the lease on the edit."""


def outbound_rules() -> Rules:
    """Return the rules for requests to URLs that come from outside.

    The rules never allow requests to this site.
    """
    _, _, own = settings.PUBLIC_URL.partition("://")
    return Rules(
        allowed_origins=_origins(settings.OUTBOUND_ALLOWED_ORIGINS),
        refused_origins=_origins(f"{scheme}://{own}" for scheme in ("http", "https") if own),
        proxy=settings.OUTBOUND_PROXY or None,
    )


def rules_for(url: str) -> Rules:
    """Return the `outbound_rules` for a URL that comes from the settings.

    The rules allow the URL's origin to be on a private network.
    """
    rules = outbound_rules()
    return replace(rules, allowed_origins=rules.allowed_origins | _origins([url]))


def fetch_references(edit: Edit, watch: Watch) -> tuple[list[ReferencePhoto], list[str]]:
    """Fetch the edit's photos into storage.

    Returns unsaved rows for the photos, and user-readable notices. Raises FetchStopped if the work must end.
    Also raises FetchFailed, ChildLost, and StorageUnavailable.
    """
    stop = threading.Event()
    watch.on_stop(stop.set)
    until = time.monotonic() + FETCH_SECONDS
    rows, notices = [], []
    for position, address in enumerate(edit.image_urls, start=1):
        try:
            facts = _fetch(edit, address, position, until, stop)
        except (ChildLost, StorageUnavailable):
            raise
        except (OutboundError, PhotoError, SandboxError) as error:
            if stop.is_set():
                raise FetchStopped from error
            raise FetchFailed(position, error.message) from error
        except OSError as error:
            logger.exception("Edit %s: photo %d could not be stored.", edit.id, position)
            raise FetchFailed(position, NOT_STORED) from error
        notices += facts.pop("notices", [])
        rows.append(ReferencePhoto(edit=edit, position=position, name=_name_in(address), **facts))
    return rows, notices


def draft_from_url(actor: Actor, url: str, *, tray: DraftPhoto.Tray) -> DraftPhoto:
    """Fetch the photo at a URL into the actor's tray while the user waits.

    Raises PhotoError with a user-readable message. Also raises Forbidden, DiskFull, and the storage's
    exceptions.
    """
    actor.require(Right.EDIT)
    if not _turns.acquire(blocking=False):
        raise PhotoError(BUSY)
    try:
        with photos.work_folder() as folder, _fetch_to(url, folder / "fetched").open("rb") as source:
            return drafts.create_draft(actor, source, name=_name_in(url), tray=tray)
    except (OutboundError, photos.Withheld) as error:
        raise PhotoError(str(error)) from error
    finally:
        _turns.release()


def _fetch_to(address: str, target: Path) -> Path:
    """Write the file at a URL to `target`, and return `target`.

    If this site signed the URL, the photo is read from storage instead.
    """
    signed = links.unsign_photo_url(address)
    if signed is None:
        _download(address, target, seconds=DRAFT_FETCH_SECONDS)
        return target
    photo = find_signed_photo(signed) or _raise_gone()
    try:
        with (
            photos.open_photo(photo, "original", by=signed.recipient_id) as stored,
            target.open("wb") as file,
        ):
            shutil.copyfileobj(stored, file)
    except FileNotFoundError:
        _raise_gone()
    return target


def _download(address: str, target: Path, *, seconds: float, stop: threading.Event | None = None) -> None:
    # Imported here because this module loads httpx, which most processes never need.
    from editor.outbound.calls import download

    cap = photos.limits().photo_bytes
    download(address, target, rules=outbound_rules(), seconds=seconds, cap=cap, stop=stop)


def temporary_photo_urls(edit: Edit, references: Sequence[ReferencePhoto]) -> tuple[str, ...]:
    """Return temporary URLs from which the engine's site may fetch these photos.

    Without PUBLIC_URL, there are none.
    """
    if not (settings.PUBLIC_URL and not edit.runs_here):
        return ()
    until = database_now() + TEMPORARY_URL_LIFETIME
    return tuple(
        links.signed_photo_url(
            photo, user_id=edit.owner_id, expires=until, site=settings.PUBLIC_URL, is_temporary=True
        )
        for photo in references
    )


def _origins(addresses: Iterable[str]) -> frozenset[str]:
    # Imported here because this module loads httpx, which most processes never need.
    from editor.outbound.addresses import origin_of

    return frozenset(origin_of(address) for address in addresses)


def _fetch(edit: Edit, address: str, position: int, until: float, stop: threading.Event) -> dict[str, Any]:
    signed = links.unsign_photo_url(address)
    if signed is None:
        return _fetch_from_outside(edit, address, position, until, stop)
    photo = find_signed_photo(signed) or _raise_gone()
    try:
        return photos.copy_files(photo, by=signed.recipient_id)
    except photos.Withheld as error:
        raise PhotoError(str(error)) from error
    except FileNotFoundError:
        return _raise_gone()


def _raise_gone() -> NoReturn:
    raise PhotoError(PHOTO_GONE)


def _fetch_from_outside(
    edit: Edit, address: str, position: int, until: float, stop: threading.Event
) -> dict[str, Any]:
    target: Path = photos.work_folder_of(edit) / f"{edit.token}-fetched-{position}"
    _download(address, target, seconds=max(0.0, until - time.monotonic()), stop=stop)
    return photos.store_fetched(target)


def _name_in(address: str) -> str:
    return photos.clean_name(unquote(urlsplit(address).path))
