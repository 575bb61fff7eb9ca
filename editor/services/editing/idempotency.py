"""Idempotency keys: when several requests use the same key, only one of them creates an edit.

A claim lasts while its request is processed. Afterward, columns of the created edit identify the request, so
a key is remembered for as long as its edit exists.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from editor.models import Edit, IdempotencyClaim, User
from editor.models.clock import database_now

# Lifetime of a claim. After this time, a claim left behind by a crash no longer blocks its key. The lifetime
# is much longer than the few seconds that it takes to decode five photos.
CLAIM_LIFETIME = timedelta(minutes=2)


class KeyReused(Exception):
    """Raised when the key was already used for a different request."""

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was already used for a different request. Send a new key.")


class RequestInProgress(Exception):
    """Raised while the first request with the key is being processed."""

    def __init__(self) -> None:
        super().__init__(
            "Another request with this Idempotency-Key is still being processed. Try again in a second."
        )


def has_created_edit(user: User, *, key: str) -> bool:
    """Check whether this key has created an edit, for any request."""
    return Edit.objects.filter(owner=user, idempotency_key=key).exists()


def find_created_edit(user: User, *, key: str, fingerprint: str) -> Edit | None:
    """Return the edit that was created with this key, or None.

    Raises KeyReused if the key was used for a different request.
    """
    edit = Edit.objects.filter(owner=user, idempotency_key=key).first()
    if edit is not None and edit.fingerprint != fingerprint:
        raise KeyReused
    return edit


def get_created_edit(user: User, *, key: str, fingerprint: str) -> Edit:
    """Return the edit that was created with this key, which must exist.

    Raises KeyReused if the key was used for a different request.
    """
    edit = find_created_edit(user, key=key, fingerprint=fingerprint)
    assert edit is not None  # Edits are never deleted.
    return edit


@contextmanager
def claim_key(user: User, *, key: str, fingerprint: str) -> Iterator[None]:
    """Hold the key until the block ends.

    Raises RequestInProgress or KeyReused if another request holds the key.
    """
    until = database_now() + CLAIM_LIFETIME
    _take(user, key, fingerprint, until)
    try:
        yield
    finally:
        IdempotencyClaim.objects.filter(owner=user, key=key, until=until).delete()


def delete_expired_claims() -> None:
    """Delete the claims that crashed processes left behind."""
    IdempotencyClaim.objects.filter(until__lt=database_now()).delete()


def _take(user: User, key: str, fingerprint: str, until: datetime) -> None:
    try:
        with transaction.atomic():
            IdempotencyClaim.objects.create(owner=user, key=key, fingerprint=fingerprint, until=until)
    except IntegrityError:
        _take_over(user, key, fingerprint, until)


def _take_over(user: User, key: str, fingerprint: str, until: datetime) -> None:
    """Take over an expired claim. If several requests try this, only one of them succeeds."""
    claims = IdempotencyClaim.objects.filter(owner=user, key=key)
    lapsed = claims.filter(until__lt=until - CLAIM_LIFETIME)
    if not lapsed.update(fingerprint=fingerprint, until=until):
        if claims.exclude(fingerprint=fingerprint).exists():
            raise KeyReused
        raise RequestInProgress
