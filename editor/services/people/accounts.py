"""Accounts: a user with a workspace of their own, an opening grant, and keys for programs."""

import hashlib
import hmac
import re
import secrets
import string
import zlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from editor.models import Action, ApiKey, Membership, User, Workspace
from editor.services.billing import caps
from editor.services.billing.credits import grant
from editor.services.core import audit, disk_space
from editor.services.core.access import Actor, Right
from editor.services.core.errors import Forbidden
from editor.services.people import former_addresses

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
MOST_KEYS = 50
USED_EVERY = timedelta(minutes=1)
# Asked with every call of a program, and twice as fast as the same put together by Subquery.
_ROLE = """
    SELECT role FROM editor_membership member
    WHERE member.user_id = editor_apikey.user_id AND member.workspace_id = editor_apikey.workspace_id
"""
_KEY = re.compile(r"drk_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}")


class AccountExists(Exception):
    """There is an account with this e-mail address."""


class OwnerExists(Exception):
    """The site has accounts: the owner link has done its work."""

    def __init__(self) -> None:
        super().__init__(_("This link has been used: the site has its owner."))


def open_account(
    *,
    email: str,
    password: str | None,
    credits: int | None = None,
    plan: Workspace.Plan | str = Workspace.Plan.FREE,
    is_staff: bool = False,
    is_superuser: bool = False,
    name: str = "",
    by: audit.By = None,
) -> User:
    """Makes a user with a verified address and all that an account has. `credits` is the opening grant
    (None: SIGNUP_CREDITS), `by` who makes it for another. Raises AccountExists."""
    rights = {"is_staff": is_staff, "is_superuser": is_superuser}
    user = User.objects.prepared(email, password, name=name, **rights)
    with transaction.atomic():
        open_prepared(user, credits=credits, plan=plan)
        if by is not None:
            audit.record(by, Action.ACCOUNT_MADE, subject=user, workspace=user.personal_workspace)
    return user


def open_prepared(
    user: User,
    *,
    credits: int | None = None,
    plan: Workspace.Plan | str = Workspace.Plan.FREE,
    is_verified: bool = True,
) -> None:
    """Saves a prepared user with all that an account has. Whether the address is verified, the caller knows.
    The unique address decides, also between two who come at once: raises AccountExists."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                user.save(force_insert=True)
        except IntegrityError:
            raise AccountExists(
                _("There is an account with the address %(email)s.") % {"email": user.email}
            ) from None
        EmailAddress.objects.create(user=user, email=user.email, verified=is_verified, primary=True)
        complete_account(user, credits=credits, plan=plan)


def complete_account(
    user: User, *, credits: int | None = None, plan: Workspace.Plan | str = Workspace.Plan.FREE
) -> None:
    """Gives a new user a personal workspace and its opening grant. Doing it twice changes nothing."""
    with transaction.atomic():
        workspace, _ = Workspace.objects.get_or_create(
            personal_user=user,
            defaults={
                "name": user.email[: Workspace.LONGEST_NAME],  # PostgreSQL refuses a longer one
                "plan": plan,
                "topped_up": former_addresses.last_top_up(user.email),
            },
        )
        Membership.objects.get_or_create(
            workspace=workspace, user=user, defaults={"role": Membership.Role.OWNER}
        )
        amount = settings.SIGNUP_CREDITS if credits is None else credits
        if amount:
            _grant_opening(workspace, amount)


def grant_signup_credits(user: User) -> None:
    """Grant SIGNUP_CREDITS to somebody who created their own account, unless an earlier account with the same
    address had an opening grant. Doing it twice changes nothing."""
    amount = settings.SIGNUP_CREDITS
    if amount and not former_addresses.had_signup_credits(user.email):
        _grant_opening(user.personal_workspace, amount)


def note_verified_address(user: User, *, former: str) -> None:
    """Grant the sign-up credits that waited for a verified address. `former` is the address that it replaces,
    or the same one. Belongs in the transaction that marks the address as verified."""
    if former != user.email:
        former_addresses.remember(user, former)
    waiting = User.objects.filter(pk=user.pk, awaits_signup_credits=True)
    if waiting.update(awaits_signup_credits=False):
        grant_signup_credits(user)


def create_owner(*, email: str, password: str) -> User:
    """Makes the first account, a superuser. Raises OwnerExists when there is any account; of several
    that come at once, the database lets one through."""
    owner = User.objects.prepared(email, password, is_staff=True, is_superuser=True, owns_site=True)
    try:
        with transaction.atomic():
            if User.objects.exists():
                raise OwnerExists
            open_prepared(owner)
    except AccountExists:
        raise OwnerExists from None
    return owner


class TooManyKeys(Exception):
    """A user has as many living keys as one may have."""

    def __init__(self) -> None:
        super().__init__(
            _("You have %(most)s keys, which is the most there can be. Revoke one first.")
            % {"most": MOST_KEYS}
        )


class KeyRefused(Exception):
    """A text is no key that works; says why where its holder has proved to have had the key."""


def create_api_key(
    actor: Actor, *, name: str, expires: datetime | None = None, cap: int | None = None
) -> tuple[ApiKey, str]:
    """Makes a key that acts for the user in this workspace, until it `expires` or is revoked. The text is
    shown once: only its HMAC stays.

    `drk_`, 8 characters of public id, `_`, 32 base62 characters, 6 of CRC-32 over all before them. `cap`:
    credits that it may spend in a month. Raises TooManyKeys, NotACap, and Forbidden, also for an actor
    whose sign-in was reset meanwhile.
    """
    caps.check(cap)
    public_id = _random(8)
    body = f"drk_{public_id}_{_random(32)}"
    secret = body + _checksum(body)
    actor.require(Right.MAKE_KEYS)
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=actor.user.pk)  # one at a time, to count them
        if user.get_session_auth_hash() != actor.user.get_session_auth_hash():
            raise Forbidden(_("You have been signed out. Sign in again."))
        if living_keys(actor).filter(user=actor.user).count() >= MOST_KEYS:
            raise TooManyKeys
        key = ApiKey.objects.create(
            public_id=public_id,
            digest=digest_of(secret),
            user=actor.user,
            workspace=actor.workspace,
            name=name,
            expires=expires,
            cap=cap,
        )
        audit.record(actor, Action.KEY_MADE, subject=key)
    return key, secret


def living_keys(actor: Actor) -> QuerySet[ApiKey]:
    """The keys of this workspace that are not revoked and that the actor may revoke, the newest first: one's
    own, for who runs the workspace all."""
    keys = ApiKey.objects.filter(workspace=actor.workspace, revoked=None).select_related("user")
    seen = keys if actor.has(Right.REVOKE_KEYS) else keys.filter(user=actor.user)
    return seen.order_by("-id")


def revoke_key(actor: Actor, key: ApiKey) -> None:
    """Ends a key at once: one's own, or any of a workspace that one owns or administers. Doing it twice
    changes nothing. Raises Forbidden."""
    runs_it = actor.workspace.pk == key.workspace_id and actor.has(Right.REVOKE_KEYS)
    if actor.user.pk != key.user_id and not runs_it:
        raise Forbidden(_("This API key is not yours to revoke."))
    with transaction.atomic():
        if ApiKey.objects.filter(pk=key.pk, revoked=None).update(revoked=timezone.now()):
            audit.record(actor, Action.KEY_REVOKED, subject=key)


def revoke_all_keys(by: audit.By, user: User) -> int:
    """Revoke every API key of a user in all workspaces and return the count."""
    with transaction.atomic():
        if revoked := user.api_keys.filter(revoked=None).update(revoked=timezone.now()):
            audit.record(by, Action.KEY_REVOKED, subject=user, detail={"keys": revoked})
    return revoked


def forget_wanted_addresses(user: User) -> None:
    """Ends each change of address that waits for its confirmation: its link leads nowhere from now on."""
    EmailAddress.objects.filter(user=user).exclude(email=F("user__email")).delete()


@dataclass(frozen=True)
class SignInReset:
    """The path of a page that sets a new password once, and how many API keys were revoked."""

    path: str
    revoked_keys: int


def reset_sign_in(by: audit.By, user: User) -> SignInReset:
    """Remove a user's second factors, password, and requested change of address, end their sessions, and
    revoke their API keys in all workspaces. A sign-in by OpenID Connect continues to work."""
    from allauth.account.app_settings import PASSWORD_RESET_TOKEN_GENERATOR
    from allauth.account.utils import user_pk_to_url_str

    user.set_unusable_password()
    with transaction.atomic():
        Authenticator.objects.filter(user=user).delete()
        forget_wanted_addresses(user)
        # Locks the row, so that a key that is being created is either revoked here or refused.
        User.objects.filter(pk=user.pk).update(password=user.password, sign_outs=F("sign_outs") + 1)
        audit.record(by, Action.SIGN_IN_RESET, subject=user)
        revoked = revoke_all_keys(by, user)
    user.refresh_from_db()
    key = PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    path = reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])
    return SignInReset(path, revoked)


def authenticate_key(text: str) -> Actor:
    """The user for whom this key acts, in its workspace, with the role that they have there now. Notes
    once a minute that the key is in use. Raises KeyRefused."""
    public_id = _public_id_of(text)
    digest = digest_of(text)
    key = _find_key(public_id)
    if key is None or not hmac.compare_digest(key.digest, digest):
        raise KeyRefused("This API key is not valid.")
    _require_living(key)
    role = Membership.Role(key.role)
    actor = Actor(user=key.user, workspace=key.workspace, role=role, door="api", key=key)
    if not actor.has(Right.MAKE_KEYS):
        raise KeyRefused("This team requires approval: only keys of its owners and admins work in it.")
    _note_use(key)
    return actor


def digest_of(secret: str) -> str:
    """HMAC-SHA256 of a key under API_KEY_PEPPER, in hexadecimal."""
    return hmac.new(force_bytes(settings.API_KEY_PEPPER), secret.encode(), hashlib.sha256).hexdigest()


def _public_id_of(text: str) -> str:
    """What finds the key's row. The checksum is asked before the database: a mistyped key costs no query."""
    found = _KEY.fullmatch(text)
    if found is None or text[-6:] != _checksum(text[:-6]):
        raise KeyRefused("This is no API key of this site. It begins with drk_ and has 51 characters.")
    return found[1]


def _find_key(public_id: str) -> Any:
    """The key with its user, its workspace, and the user's `role` there, in one query."""
    role = RawSQL(_ROLE, [])  # noqa: S611 - all ours
    keys = ApiKey.objects.select_related("user", "workspace").annotate(role=role)
    return keys.filter(public_id=public_id).first()


def _require_living(key: Any) -> None:
    if key.revoked:
        raise KeyRefused("This API key was revoked.")
    if key.blocked:
        raise KeyRefused(f"This API key was blocked by those who run this site: {key.block_reason}")
    if key.user.blocked:
        raise KeyRefused("The account of this API key was blocked by those who run this site.")
    if key.expires and key.expires <= timezone.now():
        raise KeyRefused("This API key has expired.")
    if not key.user.is_active:
        raise KeyRefused("The account of this API key is closed.")
    if key.role is None:
        raise KeyRefused("The owner of this API key has left its workspace.")


def _note_use(key: ApiKey) -> None:
    """Not on a full disk: a program that only reads goes on reading."""
    now = timezone.now()
    stale = now - USED_EVERY
    if key.last_used is None or key.last_used < stale:
        unused = Q(last_used=None) | Q(last_used__lt=stale)
        try:
            ApiKey.objects.filter(unused, pk=key.pk).update(last_used=now)
        except DatabaseError as error:
            if not disk_space.is_about(error):
                raise


def _grant_opening(workspace: Workspace, amount: int) -> None:
    reason = gettext_noop("Opening grant")
    grant(None, workspace, amount=amount, reason=reason, reference=former_addresses.OPENING)


def _random(length: int) -> str:
    return "".join(secrets.choice(BASE62) for _ in range(length))


def _checksum(text: str) -> str:
    number, digits = zlib.crc32(text.encode()), ""
    for _place in range(6):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return digits
