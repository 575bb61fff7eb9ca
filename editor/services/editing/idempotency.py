"""Idempotency keys: of several requests with one key, one is answered and makes something.

A claim lives while its request is answered. What the request made is found by the edit's own columns, so the
record of a key lives as long as its edit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from editor.models import Edit, IdempotencyClaim, User
from editor.models.clock import database_now

# Five photos take seconds to decode; a claim that a crash left stands in nobody's way for longer than this.
CLAIM = timedelta(minutes=2)


class OtherRequest(Exception):
    """The key was sent before, with something else."""

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used for another request. Send a new key.")


class StillAnswering(Exception):
    """The first request with the key is being answered."""

    def __init__(self) -> None:
        super().__init__("A request with this Idempotency-Key is being answered. Try again in a second.")


def has_made(user: User, *, key: str) -> bool:
    """Whether this key has made an edit, whatever for."""
    return Edit.objects.filter(owner=user, idempotency_key=key).exists()


def find_made(user: User, *, key: str, fingerprint: str) -> Edit | None:
    """The edit that this key has made. Raises OtherRequest when that was asked for otherwise."""
    edit = Edit.objects.filter(owner=user, idempotency_key=key).first()
    if edit is not None and edit.fingerprint != fingerprint:
        raise OtherRequest
    return edit


def find_replayed(user: User, *, key: str, fingerprint: str) -> Edit:
    """Return the edit that this key has created, which is known to exist.

    Raises OtherRequest if the key was used for another request.
    """
    edit = find_made(user, key=key, fingerprint=fingerprint)
    assert edit is not None  # edits are never deleted
    return edit


@contextmanager
def claimed(user: User, *, key: str, fingerprint: str) -> Iterator[None]:
    """Keeps the key for the block. Raises StillAnswering or OtherRequest when another request has it."""
    until = database_now() + CLAIM
    _take(user, key, fingerprint, until)
    try:
        yield
    finally:
        IdempotencyClaim.objects.filter(owner=user, key=key, until=until).delete()


def forget_lapsed_claims() -> None:
    """Forgets the claims that crashes left."""
    IdempotencyClaim.objects.filter(until__lt=database_now()).delete()


def _take(user: User, key: str, fingerprint: str, until: datetime) -> None:
    try:
        with transaction.atomic():
            IdempotencyClaim.objects.create(owner=user, key=key, fingerprint=fingerprint, until=until)
    except IntegrityError:
        _take_over(user, key, fingerprint, until)


def _take_over(user: User, key: str, fingerprint: str, until: datetime) -> None:
    """Of several that find a lapsed claim, one changes it."""
    claims = IdempotencyClaim.objects.filter(owner=user, key=key)
    lapsed = claims.filter(until__lt=until - CLAIM)
    if not lapsed.update(fingerprint=fingerprint, until=until):
        if claims.exclude(fingerprint=fingerprint).exists():
            raise OtherRequest
        raise StillAnswering
