"""Accounts, which are users with a personal workspace and opening credits, and their API keys."""

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
from django.db.models import Exists, F, OuterRef, Q, QuerySet
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
from editor.services.core.access import Actor, Right, roles_with
from editor.services.core.errors import Forbidden
from editor.services.people import former_addresses

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
MAX_KEYS = 50
LAST_USED_INTERVAL = timedelta(minutes=1)
# Query for a user's role in a workspace. This query runs on every API call. As raw SQL, it is twice as fast
# as a Subquery.
_ROLE = """
    SELECT role FROM editor_membership member
    WHERE member.user_id = editor_apikey.user_id AND member.workspace_id = editor_apikey.workspace_id
"""
_KEY = re.compile(r"drk_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}")


class AccountExists(Exception):
    """Raised when an account with this email address already exists."""


class OwnerExists(Exception):
    """Raised when the owner link is used but the site already has accounts."""

    def __init__(self) -> None:
        super().__init__(_("This link has already been used to create the owner account. Sign in instead."))


def open_account(
    *,
    email: str,
    password: str | None,
    credits: int | None = None,
    plan: Workspace.Plan | str = Workspace.Plan.FREE,
    is_staff: bool = False,
    is_superuser: bool = False,
    name: str = "",
    by: audit.AuditActor = None,
) -> User:
    """Create a user with a verified email address and everything else that an account needs.

    `credits` is the opening grant, or None for SIGNUP_CREDITS. `by` is the person who creates the account for
    someone else. Raises AccountExists.
    """
    rights = {"is_staff": is_staff, "is_superuser": is_superuser}
    user = User.objects.build_user(email, password, name=name, **rights)
    with transaction.atomic():
        save_account(user, credits=credits, plan=plan)
        if by is not None:
            audit.record(by, Action.ACCOUNT_MADE, subject=user, workspace=user.personal_workspace)
    return user


def save_account(
    user: User,
    *,
    credits: int | None = None,
    plan: Workspace.Plan | str = Workspace.Plan.FREE,
    is_verified: bool = True,
) -> None:
    """Save a prepared user along with everything that an account needs.

    The caller knows whether the email address is verified. If two requests create the same account
    simultaneously, the unique constraint on the address lets only one succeed. Raises AccountExists.
    """
    with transaction.atomic():
        try:
            with transaction.atomic():
                user.save(force_insert=True)
        except IntegrityError:
            raise AccountExists(
                _("An account with the email address %(email)s already exists.") % {"email": user.email}
            ) from None
        EmailAddress.objects.create(user=user, email=user.email, verified=is_verified, primary=True)
        complete_account(user, credits=credits, plan=plan)


def complete_account(
    user: User, *, credits: int | None = None, plan: Workspace.Plan | str = Workspace.Plan.FREE
) -> None:
    """Give a new user a personal workspace and its opening grant. A second call has no effect."""
    with transaction.atomic():
        workspace, _ = Workspace.objects.get_or_create(
            personal_user=user,
            defaults={
                "name": user.email[: Workspace.MAX_NAME_LENGTH],  # PostgreSQL rejects longer workspace names.
                "plan": plan,
                "topped_up": former_addresses.last_top_up(user.email),
            },
        )
        Membership.objects.get_or_create(
            workspace=workspace, user=user, defaults={"role": Membership.Role.OWNER}
        )
        amount = settings.SIGNUP_CREDITS if credits is None else credits
        if amount:
            _grant_initial_credits(workspace, amount)


def grant_signup_credits(user: User) -> None:
    """Grant SIGNUP_CREDITS to a user who created their own account.

    If an earlier account with the same email address had an opening grant, nothing is granted. A second call
    has no effect.
    """
    amount = settings.SIGNUP_CREDITS
    if amount and not former_addresses.had_signup_credits(user.email):
        _grant_initial_credits(user.personal_workspace, amount)


def grant_awaited_credits(user: User, *, former: str) -> None:
    """Grant the sign-up credits that were held back until the email address was verified.

    `former` is the previous address, or the current address if it has not changed. Call this function in the
    transaction that marks the address as verified.
    """
    if former != user.email:
        former_addresses.remember(user, former)
    waiting = User.objects.filter(pk=user.pk, awaits_signup_credits=True)
    if waiting.update(awaits_signup_credits=False):
        grant_signup_credits(user)


def create_owner(*, email: str, password: str) -> User:
    """Create the first account, which is a superuser.

    Raises OwnerExists if there is already an account. Of several simultaneous requests, only one succeeds.
    """
    owner = User.objects.build_user(email, password, is_staff=True, is_superuser=True, owns_site=True)
    try:
        with transaction.atomic():
            if User.objects.exists():
                raise OwnerExists
            save_account(owner)
    except AccountExists:
        raise OwnerExists from None
    return owner


class TooManyKeys(Exception):
    """Raised when a user already has the maximum number of active API keys."""

    def __init__(self) -> None:
        super().__init__(
            _("You already have %(most)s API keys, which is the maximum. Revoke one first.")
            % {"most": MAX_KEYS}
        )


class KeyRefused(Exception):
    """Raised when an API key is rejected. The message gives the reason only if the key is genuine."""


def create_api_key(
    actor: Actor, *, name: str, expires: datetime | None = None, cap: int | None = None
) -> tuple[ApiKey, str]:
    """Create an API key that acts for the user in this workspace until it `expires` or is revoked.

    Returns the key and its text. The text is shown only once, because only its HMAC is stored. It consists of
    `drk_`, a public ID of 8 characters, `_`, 32 base62 characters, and a 6-character CRC-32 of everything
    before it. `cap` limits the credits that the key may spend in a month.

    Raises Forbidden if the actor lacks the right to create keys or if their sign-in was reset in the
    meantime. Also raises TooManyKeys and InvalidCap.
    """
    caps.validate(cap)
    public_id = _random(8)
    body = f"drk_{public_id}_{_random(32)}"
    secret = body + _checksum(body)
    actor.require(Right.MAKE_KEYS)
    with transaction.atomic():
        # Lock the user, so that simultaneous requests cannot exceed the maximum number of keys.
        user = User.objects.select_for_update().get(pk=actor.user.pk)
        if user.get_session_auth_hash() != actor.user.get_session_auth_hash():
            raise Forbidden(_("You have been signed out. Sign in again."))
        if active_keys(actor).filter(user=actor.user).count() >= MAX_KEYS:
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


def active_keys(actor: Actor) -> QuerySet[ApiKey]:
    """Return this workspace's active API keys that the actor may revoke, newest first.

    Managers may revoke all keys. Other members may revoke only their own. Each key has `does_work`,
    which is false if its user is blocked or may not have keys, because the team requires approval.
    """
    keys = ApiKey.objects.filter(workspace=actor.workspace, revoked=None).select_related("user")
    seen = keys if actor.has(Right.REVOKE_KEYS) else keys.filter(user=actor.user)
    roles = roles_with(Right.MAKE_KEYS, actor.workspace)
    working = Membership.objects.filter(workspace=actor.workspace, user__is_active=True, role__in=roles)
    return seen.annotate(does_work=Exists(working.filter(user=OuterRef("user")))).order_by("-id")


def revoke_key(actor: Actor, key: ApiKey) -> None:
    """Revoke a key immediately.

    Managers may revoke any key in the workspace. Other members may revoke only their own. A second call has
    no effect. Raises Forbidden.
    """
    runs_it = actor.workspace.pk == key.workspace_id and actor.has(Right.REVOKE_KEYS)
    if actor.user.pk != key.user_id and not runs_it:
        raise Forbidden(_("You can only revoke your own API keys."))
    with transaction.atomic():
        if ApiKey.objects.filter(pk=key.pk, revoked=None).update(revoked=timezone.now()):
            audit.record(actor, Action.KEY_REVOKED, subject=key)


def revoke_all_keys(by: audit.AuditActor, user: User) -> int:
    """Revoke all of a user's API keys in all workspaces, and return their number."""
    with transaction.atomic():
        if revoked := user.api_keys.filter(revoked=None).update(revoked=timezone.now()):
            audit.record(by, Action.KEY_REVOKED, subject=user, detail={"keys": revoked})
    return revoked


def cancel_email_changes(user: User) -> None:
    """Cancel the user's pending changes of email address. The confirmation links stop working."""
    EmailAddress.objects.filter(user=user).exclude(email=F("user__email")).delete()


@dataclass(frozen=True)
class SignInReset:
    """The number of revoked API keys, and the path of a page where the user can set a new password once."""

    path: str
    revoked_keys: int


def reset_sign_in(by: audit.AuditActor, user: User) -> SignInReset:
    """Remove a user's second factors, password, and pending change of email address.

    This also ends all of the user's sessions and revokes their API keys in all workspaces. Sign-in with
    OpenID Connect continues to work.
    """
    from allauth.account.app_settings import PASSWORD_RESET_TOKEN_GENERATOR
    from allauth.account.utils import user_pk_to_url_str

    user.set_unusable_password()
    with transaction.atomic():
        Authenticator.objects.filter(user=user).delete()
        cancel_email_changes(user)
        # This update locks the user's row, so that a key that is being created at the same time is either
        # revoked here or rejected.
        User.objects.filter(pk=user.pk).update(password=user.password, sign_outs=F("sign_outs") + 1)
        audit.record(by, Action.SIGN_IN_RESET, subject=user)
        revoked = revoke_all_keys(by, user)
    user.refresh_from_db()
    key = PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    path = reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])
    return SignInReset(path, revoked)


def authenticate_key(text: str) -> Actor:
    """Return the actor for this API key in its workspace, with the user's current role there.

    At most once a minute, records that the key is in use. Raises KeyRefused.
    """
    public_id = _public_id_of(text)
    digest = digest_of(text)
    key = _find_key(public_id)
    if key is None or not hmac.compare_digest(key.digest, digest):
        raise KeyRefused("This API key is not valid.")
    _require_usable(key)
    role = Membership.Role(key.role)
    actor = Actor(user=key.user, workspace=key.workspace, role=role, entry_point="api", key=key)
    if not actor.has(Right.MAKE_KEYS):
        raise KeyRefused("This team requires approval. Only API keys of its owners and admins work in it.")
    _note_use(key)
    return actor


def digest_of(secret: str) -> str:
    """Return the hexadecimal HMAC-SHA256 of a key, computed with API_KEY_PEPPER."""
    return hmac.new(force_bytes(settings.API_KEY_PEPPER), secret.encode(), hashlib.sha256).hexdigest()


def _public_id_of(text: str) -> str:
    """Return a key's public ID.

    The checksum is verified first, so a mistyped key does not cost a query.
    """
    found = _KEY.fullmatch(text)
    if found is None or text[-6:] != _checksum(text[:-6]):
        raise KeyRefused(
            "This is not an API key of this site. API keys begin with drk_ and have 51 characters."
        )
    return found[1]


def _find_key(public_id: str) -> Any:
    """Return the key with its user, its workspace, and the user's `role` in that workspace.

    Uses one query.
    """
    role = RawSQL(_ROLE, [])  # noqa: S611 - only our text
    keys = ApiKey.objects.select_related("user", "workspace").annotate(role=role)
    return keys.filter(public_id=public_id).first()


def _require_usable(key: Any) -> None:
    if key.revoked:
        raise KeyRefused("This API key has been revoked.")
    if key.blocked:
        raise KeyRefused(f"An administrator blocked this API key: {key.block_reason}")
    if key.user.blocked:
        raise KeyRefused("An administrator blocked this API key's account.")
    if key.expires and key.expires <= timezone.now():
        raise KeyRefused("This API key has expired.")
    if not key.user.is_active:
        raise KeyRefused("This API key's account is closed.")
    if key.role is None:
        raise KeyRefused("This API key's owner has left the workspace.")


def _note_use(key: ApiKey) -> None:
    """Record that the key is in use.

    This is skipped while the disk is full, so that programs can still read.
    """
    now = timezone.now()
    stale = now - LAST_USED_INTERVAL
    if key.last_used is None or key.last_used < stale:
        unused = Q(last_used=None) | Q(last_used__lt=stale)
        try:
            ApiKey.objects.filter(unused, pk=key.pk).update(last_used=now)
        except DatabaseError as error:
            if not disk_space.is_disk_error(error):
                raise


def _grant_initial_credits(workspace: Workspace, amount: int) -> None:
    reason = gettext_noop("Opening grant")
    grant(None, workspace, amount=amount, reason=reason, reference=former_addresses.OPENING_REFERENCE)


def _random(length: int) -> str:
    return "".join(secrets.choice(BASE62) for _ in range(length))


def _checksum(text: str) -> str:
    number, digits = zlib.crc32(text.encode()), ""
    for _place in range(6):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return digits
