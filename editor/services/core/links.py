"""Signed addresses: a salt for each purpose, never the web session."""

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


class Signed(NamedTuple):
    """What a status address was signed for: an edit's id as text, who may read it, and in what language."""

    edit_id: str
    user_id: int
    language: str


def sign_status(edit: Edit, user: User) -> str:
    """What stands in the status address of this edit's page: good for a day, for reading only, in the
    language of the page."""
    expires = int(time.time()) + STATUS_SECONDS
    return Signer(salt=_status).sign(f"{edit.id.hex}.{user.pk}.{expires}.{get_language()}")


def unsign_status(signed: str) -> Signed | None:
    """None when the signature is wrong or too old. Whether the user is still a member, the caller asks."""
    try:
        edit_id, user_id, expires, language = Signer(salt=_status).unsign(signed).split(".")
        known = Signed(str(uuid.UUID(edit_id)), int(user_id), language)
        return known if int(expires) > time.time() else None
    except (BadSignature, ValueError):
        return None


class SignedPhoto(NamedTuple):
    """What a photo's address was signed for: which photo, and in whose right it may be read."""

    kind: str  # "results", "references", or "lent": a reference, for the engine alone
    photo_id: uuid.UUID
    user_id: int

    @property
    def taker(self) -> int | None:
        """Who gets it; None where it is the engine, which works for the site."""
        return None if self.kind == "lent" else self.user_id


def photo_address(
    photo: ResultPhoto | ReferencePhoto, *, user_id: int, expires: datetime, site: str, is_lent: bool = False
) -> str:
    """Where anyone may read this photo until then, for as long as the user may: absolute, on `site`
    ("https://photos.example.org"), with a file name as its last part. One that is lent is for the engine."""
    kind, word = ("results", "result") if isinstance(photo, ResultPhoto) else ("references", "photo")
    kind = "lent" if is_lent else kind
    seconds = int(expires.timestamp())
    signed = Signer(salt=_photo).sign(f"{kind}.{photo.pk.hex}.{user_id}.{seconds}")
    name = f"{word}-{photo.position}.{photo.media_type.partition('/')[2]}"
    return site + reverse("signed_photo", args=[signed, name])


def unsign_photo(signed: str) -> SignedPhoto | None:
    """None when the signature is wrong or too old. Whether the photo is still there and the user may
    still see it, `access.find_signed_photo` says."""
    try:
        kind, photo_id, user_id, expires = Signer(salt=_photo).unsign(signed).split(".")
        known = SignedPhoto(kind, uuid.UUID(photo_id), int(user_id))
        return known if int(expires) > time.time() else None
    except (BadSignature, ValueError):
        return None


def unsign_address(address: str) -> SignedPhoto | None:
    """The photo of ours that this address was signed for, whatever name the site has in it; None for any
    other address. So a result can be edited further without a request to ourselves."""
    try:
        path = unquote(urlsplit(address).path)
    except ValueError:
        return None
    found = _PHOTO_PATH.fullmatch(path)
    return unsign_photo(found[1]) if found else None


def owner_link_token() -> str:
    """The token of the link that makes the owner. It is worth something only while there is no account."""
    return Signer(salt=_owner).signature("owner")


def is_owner_token(token: str) -> bool:
    """Whether this link may make the owner now."""
    return constant_time_compare(token, owner_link_token()) and not User.objects.exists()


def invitation_token(seed: str) -> str:
    """The token of an invitation's link: 43 characters that only this site can make of its seed."""
    return Signer(salt=_invitation).signature(seed)


def share_token(seed: str) -> str:
    """The token of a share link, likewise."""
    return Signer(salt=_share).signature(seed)


def digest_of(token: str) -> str:
    """What is kept of a token, by which its row is found."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


class SharedPhoto(NamedTuple):
    """What a guest's picture address was signed for: a link, a photo of its edit, and which bytes of it."""

    share_id: int
    kind: str  # "results" or "references"
    photo_id: uuid.UUID
    size: str


def shared_address(
    photo: ResultPhoto | ReferencePhoto, *, share_id: int, size: str, expires: datetime
) -> str:
    """Where a guest reads this photo until then, for as long as the link lives."""
    kind = "results" if isinstance(photo, ResultPhoto) else "references"
    parts = (share_id, kind, photo.pk.hex, size, int(expires.timestamp()))
    return reverse("shared_photo", args=[Signer(salt=_shared_photo).sign(".".join(map(str, parts)))])


def unsign_shared(signed: str) -> SharedPhoto | None:
    """None when the signature is wrong or too old. Whether the link lives, `shares.find_photo` says."""
    try:
        share_id, kind, photo_id, size, expires = Signer(salt=_shared_photo).unsign(signed).split(".")
        known = SharedPhoto(int(share_id), kind, uuid.UUID(photo_id), size)
        return known if int(expires) > time.time() else None
    except (BadSignature, ValueError):
        return None
