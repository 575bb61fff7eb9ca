"""Blocks: staff stop a user from signing in, or an API key from working, until staff lift the block."""

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.models import Action, ApiKey, User
from editor.services.core import audit
from editor.services.core.errors import Forbidden

ONLY_SUPERUSER = gettext_lazy("This is the only superuser account. Make someone else a superuser first.")


class MayNotBlock(Exception):
    """Raised when this account must not be blocked. The exception's message is shown to users."""


def block_user(by: audit.AuditActor, user: User, *, reason: str) -> bool:
    """Block a user: end their sessions, stop their API keys, and show the reason when they try to sign in.

    `by` is the staff member who blocks the user, as the actor that `reviewer_actor` returns for the user's
    personal workspace. Returns False and changes nothing if the account is already blocked or closed. Raises
    MayNotBlock, Forbidden, and ReasonMissing.
    """
    reason = audit.require_reason(reason)
    with transaction.atomic():
        _require_blockable(audit.user_of(by), user)
        is_new = bool(
            User.objects.filter(pk=user.pk, is_active=True).update(
                is_active=False, blocked=timezone.now(), block_reason=reason, sign_outs=F("sign_outs") + 1
            )
        )
        if is_new:
            audit.record(by, Action.USER_BLOCKED, subject=user, reason=reason)
    return is_new


def unblock_user(by: audit.AuditActor, user: User, *, reason: str) -> bool:
    """Let the user sign in and use their API keys again. A closed account stays closed.

    Returns False if there is no block. Raises Forbidden and ReasonMissing.
    """
    reason = audit.require_reason(reason)
    _require_command_over(audit.user_of(by), user)
    with transaction.atomic():
        is_new = bool(
            User.objects.filter(pk=user.pk, blocked__isnull=False).update(
                is_active=True, blocked=None, block_reason=""
            )
        )
        if is_new:
            audit.record(by, Action.USER_UNBLOCKED, subject=user, reason=reason)
    return is_new


def block_key(by: audit.AuditActor, key: ApiKey, *, reason: str) -> bool:
    """Stop one API key from working until it is unblocked.

    Programs that use the key are told the reason. Returns False if the key is already blocked or revoked.
    Raises ReasonMissing.
    """
    reason = audit.require_reason(reason)
    working = ApiKey.objects.filter(pk=key.pk, blocked=None, revoked=None)
    with transaction.atomic():
        is_new = bool(working.update(blocked=timezone.now(), block_reason=reason))
        if is_new:
            audit.record(by, Action.KEY_BLOCKED, subject=key, reason=reason)
    return is_new


def unblock_key(by: audit.AuditActor, key: ApiKey, *, reason: str) -> bool:
    """Let an API key work again. Returns False if there is no block. Raises ReasonMissing."""
    reason = audit.require_reason(reason)
    with transaction.atomic():
        blocked = ApiKey.objects.filter(pk=key.pk, blocked__isnull=False)
        is_new = bool(blocked.update(blocked=None, block_reason=""))
        if is_new:
            audit.record(by, Action.KEY_UNBLOCKED, subject=key, reason=reason)
    return is_new


def is_only_superuser(user: User) -> bool:
    """Check whether no other superuser can sign in.

    Call this function in the transaction that removes a superuser. This ensures that one superuser remains
    even if two leave or block each other simultaneously.
    """
    superusers = User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk")
    return {one.pk for one in superusers} == {user.pk}


def _require_blockable(by: User | None, user: User) -> None:
    is_alone = is_only_superuser(user)
    if by is not None and by.pk == user.pk:
        raise MayNotBlock(_("You can't block your own account."))
    _require_command_over(by, user)
    if is_alone:
        raise MayNotBlock(str(ONLY_SUPERUSER))


def _require_command_over(by: User | None, user: User) -> None:
    """Raise Forbidden if a staff member who is not a superuser acts on someone with more rights."""
    if by is not None and (user.is_staff or user.is_superuser) and not by.is_superuser:
        raise Forbidden(_("Only superusers can block and unblock administrators."))
