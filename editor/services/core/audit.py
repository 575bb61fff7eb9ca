"""The audit log, in which a hash chain proves that no entry was changed or is missing.

Each entry is written in the transaction of the action that it records. Entries are written without a number;
otherwise, the whole site would wait for one lock. Housekeeping appends the entries to the chain while it
holds a lock on the head of the chain, so only one process at a time does this. If that process crashes, the
next one completes the work.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, Literal

from django.db import connection, transaction
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

from editor.crash_points import crash_point
from editor.models import Action, AuditEntry, AuditHead, User, Workspace
from editor.models.audit import HASHED_FIELDS
from editor.models.ids import parse_number, parse_uuid
from editor.services.core.access import Actor
from editor.services.core.paging import Page, page_by_key
from editor.services.core.spreadsheet import csv_lines

ENTRIES_PER_TRANSACTION = 500
MAX_REASON_LENGTH = 300
COLUMNS = (*HASHED_FIELDS, "created", "hash", "email", "slug")
# The actor of an action. None is the site itself, and "command" is a person with access to the site's shell.
type AuditActor = Actor | User | Literal["command"] | None
type Detail = Mapping[str, str | int | bool | list[str] | list[int] | None]


class ReasonMissing(Exception):
    """Raised when staff act on someone else's account or edit without a valid reason."""

    def __init__(self) -> None:
        super().__init__(
            _("Enter a reason of up to %(most)s characters. It is recorded in the audit log.")
            % {"most": MAX_REASON_LENGTH}
        )


def record(
    by: AuditActor,
    action: Action,
    *,
    subject: Model | None = None,
    workspace: Workspace | None = None,
    reason: str = "",
    detail: Detail | None = None,
) -> None:
    """Write one entry. Call this function in the transaction of the action that it records.

    `subject` is the row that the action changed. If `workspace` is omitted, the entry gets the subject's
    workspace or, if the subject has none, the actor's. `detail` is small and identifies people by their IDs.
    It must not contain secrets, email addresses, or prompts.
    """
    assert connection.in_atomic_block, "an audit entry must be written in the transaction of its action"
    actor = by if isinstance(by, Actor) else None
    entry_point: str = (
        by.entry_point if isinstance(by, Actor) else "page" if isinstance(by, User) else by or "site"
    )
    AuditEntry.objects.create(
        action=action,
        user=user_of(by),
        door=entry_point,
        subject_kind=subject._meta.model_name or "" if subject else "",
        subject_id=str(subject.pk) if subject else "",
        workspace_id=_place(subject, workspace, actor),
        reason=_plain(reason)[:MAX_REASON_LENGTH],
        detail={name: _plain(value) for name, value in (detail or {}).items()},
    )


def user_of(by: AuditActor) -> User | None:
    return by.user if isinstance(by, Actor) else by if isinstance(by, User) else None


def require_reason(reason: str) -> str:
    """Return the reason, cleaned for storage. Raises ReasonMissing if it is empty or too long."""
    reason = " ".join(_plain(reason).split())
    if not 0 < len(reason) <= MAX_REASON_LENGTH:
        raise ReasonMissing
    return reason


@dataclass(frozen=True)
class Search:
    """The filters for a search of the audit log; an empty field matches everything.

    `words` can be the email address of the person who acted or was affected, a workspace's slug, an entry's
    number, or the ID of the affected row. Any other text is looked up in the reasons. `first` and `last` are
    days in UTC.
    """

    words: str = ""
    action: str = ""
    first: date | None = None
    last: date | None = None

    def filter(self, entries: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        if self.action:
            entries = entries.filter(action=_plain(self.action))
        if self.first:
            entries = entries.filter(created__gte=datetime.combine(self.first, time.min, tzinfo=UTC))
        if self.last:
            entries = entries.filter(created__lte=datetime.combine(self.last, time.max, tzinfo=UTC))
        words = _plain(self.words).strip()
        return entries.filter(_about(words)) if words else entries


def search(query: Search, *, size: int, before: str = "", after: str = "") -> Page[AuditEntry]:
    """Return one page of the matching entries, newest first, along with their users and workspaces.

    Uses three queries.
    """
    entries = query.filter(AuditEntry.objects.select_related("user", "workspace"))
    return page_by_key(entries, size=size, before=before, after=after)


def export(query: Search, file_format: Literal["csv", "jsonl"]) -> Iterator[str]:
    """Export all matching entries as text, in chunks, oldest first.

    The JSON Lines format contains everything that the hash covers, so a copy stored elsewhere can prove that
    the chain is unchanged.
    """
    entries, last = query.filter(AuditEntry.objects.select_related("user", "workspace")).order_by("id"), 0
    if file_format == "csv":
        yield csv_lines([COLUMNS])
    while some := list(entries.filter(id__gt=last)[:ENTRIES_PER_TRANSACTION]):
        last = some[-1].pk
        rows = [_exported(entry) for entry in some]
        if file_format == "csv":
            yield csv_lines([_cell(row[name]) for name in COLUMNS] for row in rows)
        else:
            yield "".join(json.dumps(row) + "\n" for row in rows)


def extend_chain() -> int:
    """Append the waiting entries to the chain, in order of their IDs, and return their number.

    Parallel and repeated calls are safe: each entry is appended only once.
    """
    chained = 0
    while AuditEntry.objects.unchained().exists() and (moved := _chain_some()):
        chained += moved
    return chained


def chain_errors() -> Iterator[str]:
    """Yield a sentence for each entry that was changed, removed, or inserted.

    Entries that housekeeping appends during the check do not affect the result.
    """
    number, previous = 0, ""
    while True:
        head = AuditHead.objects.first() or AuditHead()
        entries = list(AuditEntry.objects.chained().filter(number__gt=number)[:ENTRIES_PER_TRANSACTION])
        if not entries:
            break
        for entry in entries:
            yield from _broken_link(entry, number, previous)
            number, previous = entry.number or 0, entry.hash
    if (head.number, head.hash) != (number, previous):
        yield (
            f"I16: the last audit entry has number {number}, but the chain ends with number {head.number}: "
            "the last entries were removed, changed, or inserted."
        )


def _about(words: str) -> Q:
    if "@" in words:
        user_id = User.objects.with_email(words).values_list("pk", flat=True).first() or 0
        return Q(user=user_id) | Q(subject_kind="user", subject_id=str(user_id))
    if number := parse_number(words):
        return Q(number=number)
    if parse_uuid(words):
        return Q(subject_id=words.lower())
    workspace_id = Workspace.objects.filter(slug=words).values_list("pk", flat=True).first()
    return Q(workspace=workspace_id) if workspace_id else Q(reason__icontains=words)


def _exported(entry: AuditEntry) -> dict[str, Any]:
    """Return the entry's content, plus the email addresses and the slug that make its IDs readable."""
    return {
        **entry.content(),
        "hash": entry.hash,
        "email": entry.user.email if entry.user else "",
        "slug": entry.workspace.slug if entry.workspace else "",
    }


def _cell(value: Any) -> object:
    return json.dumps(value) if isinstance(value, dict) else value


def _place(subject: Model | None, workspace: Workspace | None, actor: Actor | None) -> int | None:
    if workspace is None and isinstance(subject, Workspace):
        workspace = subject
    if workspace is not None:
        return workspace.pk
    own = getattr(subject, "workspace_id", None)
    return own or (actor.workspace.pk if actor else None)


def _plain(value: Any) -> Any:
    """Return the value in a form that every database can store.

    PostgreSQL rejects NUL, and UTF-8 cannot encode a lone surrogate.
    """
    if isinstance(value, str):
        return value.replace("\x00", "").encode(errors="replace").decode()
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _chain_some() -> int:
    with transaction.atomic():
        if not AuditHead.objects.exists():
            AuditHead.objects.bulk_create([AuditHead(pk=1)], ignore_conflicts=True)
        head = AuditHead.objects.select_for_update().get(pk=1)
        waiting = list(AuditEntry.objects.unchained()[:ENTRIES_PER_TRANSACTION])
        for entry in waiting:
            entry.number = head.number + 1
            entry.hash = entry.hash_after(head.hash)
            AuditEntry.objects.filter(pk=entry.pk).update(number=entry.number, hash=entry.hash)
            crash_point("audit.entry_chained")
            head.number, head.hash = entry.number, entry.hash
        AuditHead.objects.filter(pk=1).update(number=head.number, hash=head.hash)
        crash_point("audit.head_moved")
    return len(waiting)


def _broken_link(entry: AuditEntry, number: int, previous: str) -> Iterator[str]:
    """Yield the errors in the link between an entry and the previous entry.

    If an entry is missing, the hash of the next entry cannot be checked.
    """
    expected = number + 1
    if entry.number != expected:
        yield f"I16: audit entry {expected} is missing; the next is number {entry.number}."
    elif entry.hash != entry.hash_after(previous):
        yield f"I16: audit entry {entry.number} was changed after it was recorded."
