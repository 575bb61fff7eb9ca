"""Signed addresses: a salt for each purpose, never the web session."""

import time
import uuid
from typing import NamedTuple

from django.core.signing import BadSignature, Signer
from django.utils.crypto import constant_time_compare

from editor.models import Edit, User

STATUS_SECONDS = 24 * 3600
_status = "darkroom.status"
_owner = "darkroom.owner"


class Signed(NamedTuple):
    """What a status address was signed for: an edit's id as text, and who may read it."""

    edit_id: str
    user_id: int


def sign_status(edit: Edit, user: User) -> str:
    """What stands in the status address of this edit's page: good for a day, for reading only."""
    expires = int(time.time()) + STATUS_SECONDS
    return Signer(salt=_status).sign(f"{edit.id.hex}.{user.pk}.{expires}")


def unsign_status(signed: str) -> Signed | None:
    """None when the signature is wrong or too old. Whether the user is still a member, the caller asks."""
    try:
        edit_id, user_id, expires = Signer(salt=_status).unsign(signed).split(".")
        known = Signed(str(uuid.UUID(edit_id)), int(user_id))
        return known if int(expires) > time.time() else None
    except (BadSignature, ValueError):
        return None


def owner_link_token() -> str:
    """The token of the link that makes the owner. It is worth something only while there is no account."""
    return Signer(salt=_owner).signature("owner")


def is_owner_token(token: str) -> bool:
    """Whether this link may make the owner now."""
    return constant_time_compare(token, owner_link_token()) and not User.objects.exists()
