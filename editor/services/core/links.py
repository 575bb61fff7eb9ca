"""Signed URLs and tokens.

Each purpose has its own salt. The signatures do not depend on the web session.
"""

import hashlib
import re
import time
import uuid
from datetime import datetime
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language

from editor.models import Edit, ReferencePhoto, ResultPhoto, User

STATUS_SECONDS = 24 * 3600
_status = "darkroom.status"
_photo = "darkroom.photo"
_owner = "darkroom.owner"
_invitation = "darkroom.invitation"
_share = "darkroom.share"
_shared_photo = "darkroom.share.photo"
_PHOTO_PATH = re.compile(r"/media/signed/([^/]+)/[^/]+")


class SignedStatus(NamedTuple):
    """The content of a signed status token: an edit's ID as text, the user who reads it, and the language."""

    edit_id: str
    user_id: int
    language: str


def sign_status(edit: Edit, user: User) -> str:
    """Return the signed token for the status URL on this edit's page.

    The token is valid for a day, grants read-only access, and records the page's language.
    """
    expires = int(time.time()) + STATUS_SECONDS
    return Signer(salt=_status).sign(f"{edit.id.hex}.{user.pk}.{expires}.{get_language()}")


def unsign_status(signed: str) -> SignedStatus | None:
    """Return the content of a status token, or None if the signature is wrong or the token has expired.

    The caller checks whether the user is still a member.
    """
    try:
        edit_id, user_id, expires, language = Signer(salt=_status).unsign(signed).split(".")
        known = SignedStatus(str(uuid.UUID(edit_id)), int(user_id), language)
        return known if int(expires) > time.time() else None
    except (BadSignature, ValueError):
        return None


class SignedPhoto(NamedTuple):
    """The content of a signed photo URL: a photo, and the user whose rights determine access."""

    kind: str  # "results", "references", or "lent" (a reference photo that only the engine fetches)
    photo_id: uuid.UUID
    user_id: int

    @property
    def recipient_id(self) -> int | None:
        """Return the ID of the user who gets the photo.

        Returns None if the engine fetches the photo on behalf of the site.
        """
        return None if self.kind == "lent" else self.user_id


def signed_photo_url(
    photo: ResultPhoto | ReferencePhoto,
    *,
    user_id: int,
    expires: datetime,
    site: str,
    is_temporary: bool = False,
) -> str:
    """Return an absolute URL on `site` ("https://photos.example.org") that serves this photo until `expires`.

    Anyone who has the URL can see the photo for as long as the user may see it. The last part of the path is
    a file name. Set `is_temporary` for a URL that is given to the engine.
    """
    kind, word = ("results", "result") if isinstance(photo, ResultPhoto) else ("references", "photo")
    kind = "lent" if is_temporary else kind
    seconds = int(expires.timestamp())
    signed = Signer(salt=_photo).sign(f"{kind}.{photo.pk.hex}.{user_id}.{seconds}")
    name = f"{word}-{photo.position}.{photo.media_type.partition('/')[2]}"
    return site + reverse("signed_photo", args=[signed, name])


def unsign_photo(signed: str) -> SignedPhoto | None:
    """Return the data in a signed photo URL, or None if the signature is wrong or the URL has expired.

    `access.find_signed_photo` checks whether the photo still exists and whether the user may still see it.
    """
    try:
        kind, photo_id, user_id, expires = Signer(salt=_photo).unsign(signed).split(".")
        known = SignedPhoto(kind, uuid.UUID(photo_id), int(user_id))
        return known if int(expires) > time.time() else None
    except (BadSignature, ValueError):
        return None


def unsign_photo_url(url: str) -> SignedPhoto | None:
    """Return the data in a photo URL that this site signed, or None for any other URL.

    The host name does not matter. This lets a user continue editing a result without the site making a
    request to itself.
    """
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return None
    found = _PHOTO_PATH.fullmatch(path)
    return unsign_photo(found[1]) if found else None


def owner_link_token() -> str:
    """Return the token for the setup link that creates the owner.

    The token is valid only while there are no accounts.
    """
    return Signer(salt=_owner).signature("owner")


def is_owner_token(token: str) -> bool:
    """Check whether this token may create the owner now."""
    return constant_time_compare(token, owner_link_token()) and not User.objects.exists()


def invitation_token(seed: str) -> str:
    """Return the token for an invitation link: 43 characters that only this site can derive from the seed."""
    return Signer(salt=_invitation).signature(seed)


def share_token(seed: str) -> str:
    """Return the token for a share link: 43 characters that only this site can derive from the seed."""
    return Signer(salt=_share).signature(seed)


def digest_of(token: str) -> str:
    """Return the digest of a token.

    The database contains only the digest, which is used to find the token's row.
    """
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


class SharedPhoto(NamedTuple):
    """The content of a guest's photo URL: a share link, a photo that belongs to its edit, and the size."""

    share_id: int
    kind: str  # "results" or "references"
    photo_id: uuid.UUID
    size: str


def shared_photo_url(
    photo: ResultPhoto | ReferencePhoto, *, share_id: int, size: str, expires: datetime
) -> str:
    """Return a path at which a guest can get this photo until `expires`, while the share link is valid."""
    kind = "results" if isinstance(photo, ResultPhoto) else "references"
    parts = (share_id, kind, photo.pk.hex, size, int(expires.timestamp()))
    return reverse("shared_photo", args=[Signer(salt=_shared_photo).sign(".".join(map(str, parts)))])


def unsign_shared(signed: str) -> SharedPhoto | None:
    """Return the content of a guest's photo URL, or None if the signature is wrong or the URL has expired.

    `shares.find_photo` checks whether the share link is still valid.
    """
    try:
        share_id, kind, photo_id, size, expires = Signer(salt=_shared_photo).unsign(signed).split(".")
        known = SharedPhoto(int(share_id), kind, uuid.UUID(photo_id), size)
        return known if int(expires) > time.time() else None
    except (BadSignature, ValueError):
        return None
