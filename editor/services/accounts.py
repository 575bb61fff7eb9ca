"""Accounts: a user with a workspace of their own, an opening grant, and keys for programs."""

import hashlib
import hmac
import secrets
import string
import zlib
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.encoding import force_bytes

from editor.models import ApiKey, Membership, User, Workspace
from editor.services.access import Actor
from editor.services.credits import grant

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


class AccountExists(Exception):
    """There is an account with this e-mail address."""


class OwnerExists(Exception):
    """The site has accounts: the owner link has done its work."""

    def __init__(self) -> None:
        super().__init__("This link has been used: the site has its owner.")


def open_account(
    *,
    email: str,
    password: str | None,
    credits: int | None = None,
    plan: Workspace.Plan | str = Workspace.Plan.FREE,
    is_staff: bool = False,
    is_superuser: bool = False,
    name: str = "",
) -> User:
    """Makes a user with a verified address and all that an account has. `credits` is the opening grant
    (None: SIGNUP_CREDITS). Raises AccountExists."""
    with transaction.atomic():
        user = _new_user(email, password, name=name, is_staff=is_staff, is_superuser=is_superuser)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        complete_account(user, credits=credits, plan=plan)
    return user


def complete_account(
    user: User, *, credits: int | None = None, plan: Workspace.Plan | str = Workspace.Plan.FREE
) -> None:
    """Gives a new user a personal workspace and its opening grant. Doing it twice changes nothing."""
    with transaction.atomic():
        workspace, _ = Workspace.objects.get_or_create(
            personal_user=user, defaults={"name": user.email, "plan": plan}
        )
        Membership.objects.get_or_create(
            workspace=workspace, user=user, defaults={"role": Membership.Role.OWNER}
        )
        amount = settings.SIGNUP_CREDITS if credits is None else credits
        if amount:
            _grant_opening(workspace, amount)


def create_owner(*, email: str, password: str) -> User:
    """Makes the first account, a superuser. Raises OwnerExists when there is any account; of several
    that come at once, the database lets one through."""
    try:
        with transaction.atomic():
            if User.objects.exists():
                raise OwnerExists
            user = open_account(email=email, password=password, is_staff=True, is_superuser=True)
            user.owns_site = True
            user.save(update_fields=["owns_site"])
    except IntegrityError:
        raise OwnerExists from None
    return user


def create_api_key(actor: Actor, *, name: str) -> tuple[ApiKey, str]:
    """Makes a key that acts for the user in this workspace. The text is shown once: only its HMAC stays.

    `drk_`, 8 characters of public id, `_`, 32 base62 characters, 6 of CRC-32 over all before them.
    """
    public_id = _random(8)
    body = f"drk_{public_id}_{_random(32)}"
    secret = body + _checksum(body)
    key = ApiKey.objects.create(
        public_id=public_id,
        digest=digest_of(secret),
        user=actor.user,
        workspace=actor.workspace,
        name=name,
    )
    return key, secret


def digest_of(secret: str) -> str:
    """HMAC-SHA256 of a key under API_KEY_PEPPER, in hexadecimal."""
    return hmac.new(force_bytes(settings.API_KEY_PEPPER), secret.encode(), hashlib.sha256).hexdigest()


def _new_user(email: str, password: str | None, **fields: Any) -> User:
    """The unique address decides, also between two who come at once."""
    try:
        with transaction.atomic():
            return User.objects.create_user(email, password, **fields)
    except IntegrityError:
        raise AccountExists(f"There is an account with the address {email}.") from None


def _grant_opening(workspace: Workspace, amount: int) -> None:
    grant(None, workspace, amount=amount, reason="Opening grant", reference="opening")


def _random(length: int) -> str:
    return "".join(secrets.choice(BASE62) for _ in range(length))


def _checksum(text: str) -> str:
    number, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return digits
