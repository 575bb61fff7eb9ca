"""The record: who did what, written in the verb's own transaction; and the chain that proves it.

Verbs give no numbers, or the whole site would wait for one lock. Housekeeping puts what waits at the end of
the chain, under the lock of its head: one of many does it, and a crash leaves the rest to the next.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from django.db import connection, transaction
from django.db.models import Model

from editor.crash_points import crash_point
from editor.models import Action, AuditEntry, AuditHead, User, Workspace
from editor.services.access import Actor

AT_ONCE = 500  # entries of one transaction
LONGEST_REASON = 300
# Who: None is the site itself, "command" is whoever has its shell.
type By = Actor | User | Literal["command"] | None
type Detail = Mapping[str, str | int | bool | list[str] | list[int] | None]


class ReasonMissing(Exception):
    """Staff say why they do something to others."""

    def __init__(self) -> None:
        super().__init__(
            f"Give a reason, of at most {LONGEST_REASON} characters: it stands in the audit log."
        )


def record(
    by: By,
    action: Action,
    *,
    subject: Model | None = None,
    workspace: Workspace | None = None,
    reason: str = "",
    detail: Detail | None = None,
) -> None:
    """Writes one entry; belongs in the transaction of what it tells of.

    The `subject` is the row that it happened to; the `workspace`, where it is not given, the subject's own or
    else the actor's. The `detail` is small and names people by number: no secret, no address, no prompt.
    """
    assert connection.in_atomic_block, "an entry belongs in the transaction of its verb"
    actor = by if isinstance(by, Actor) else None
    door: str = by.door if isinstance(by, Actor) else "page" if isinstance(by, User) else by or "site"
    AuditEntry.objects.create(
        action=action,
        user=user_of(by),
        door=door,
        subject_kind=subject._meta.model_name or "" if subject else "",
        subject_id=str(subject.pk) if subject else "",
        workspace_id=_place(subject, workspace, actor),
        reason=_plain(reason)[:LONGEST_REASON],
        detail={name: _plain(said) for name, said in (detail or {}).items()},
    )


def user_of(by: By) -> User | None:
    return by.user if isinstance(by, Actor) else by if isinstance(by, User) else None


def require_reason(reason: str) -> str:
    """The reason as it is kept. Raises ReasonMissing when there is none, or it is too long."""
    reason = " ".join(_plain(reason).split())
    if not 0 < len(reason) <= LONGEST_REASON:
        raise ReasonMissing
    return reason


def chain() -> int:
    """Puts what waits at the end of the chain, in the order of its ids; answers how many. Many at once, or
    one again, change nothing more."""
    chained = 0
    while AuditEntry.objects.waiting().exists() and (moved := _chain_some()):
        chained += moved
    return chained


def broken_chain() -> Iterator[str]:
    """One sentence for each entry that was changed, removed or put between. What housekeeping chains
    meanwhile does not disturb it."""
    number, previous = 0, ""
    while True:
        head = AuditHead.objects.first() or AuditHead()
        entries = list(AuditEntry.objects.chained().filter(number__gt=number)[:AT_ONCE])
        if not entries:
            break
        for entry in entries:
            yield from _broken_link(entry, number, previous)
            number, previous = entry.number or 0, entry.hash
    if (head.number, head.hash) != (number, previous):
        yield (
            f"I16: the audit entries end with number {number}, their chain with number {head.number}: the "
            "last of them were removed, changed or put there."
        )


def _place(subject: Model | None, workspace: Workspace | None, actor: Actor | None) -> int | None:
    if workspace is None and isinstance(subject, Workspace):
        workspace = subject
    if workspace is not None:
        return workspace.pk
    own = getattr(subject, "workspace_id", None)
    return own or (actor.workspace.pk if actor else None)


def _plain(said: Any) -> Any:
    """What every database can keep: PostgreSQL knows no NUL, and UTF-8 no half of a pair."""
    if isinstance(said, str):
        return said.replace("\x00", "").encode(errors="replace").decode()
    return [_plain(one) for one in said] if isinstance(said, list) else said


def _chain_some() -> int:
    with transaction.atomic():
        if not AuditHead.objects.exists():
            AuditHead.objects.bulk_create([AuditHead(pk=1)], ignore_conflicts=True)
        head = AuditHead.objects.select_for_update().get(pk=1)
        waiting = list(AuditEntry.objects.waiting()[:AT_ONCE])
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
    """What is wrong between an entry and the one before it. Behind a gap nothing proves an entry."""
    expected = number + 1
    if entry.number != expected:
        yield f"I16: audit entry {expected} is missing; the next is number {entry.number}."
    elif entry.hash != entry.hash_after(previous):
        yield f"I16: audit entry {entry.number} is not what was recorded there."
