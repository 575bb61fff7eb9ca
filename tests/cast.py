"""The users alice, bob, and charlie, and factories for what they own.

Alice owns a team workspace, bob is a member of that team, and charlie is a stranger. The factories write rows
directly, so that a test of a service does not depend on the service itself. The ledger entries that they
write always balance.
"""

import hashlib
import io
import time
import uuid
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import F, Sum
from django.test import Client
from django.utils import timezone
from django.utils.text import slugify
from PIL import Image

from editor.models import (
    Batch,
    CreditEntry,
    DailyUsage,
    DraftPhoto,
    Edit,
    EditWords,
    Membership,
    Photo,
    ReferencePhoto,
    ResultPhoto,
    Spending,
    User,
    Workspace,
)
from editor.services.core import search
from editor.services.core.access import Actor, EntryPoint
from editor.services.editing import lifecycle, submit
from editor.services.library import batches
from editor.services.library.batches import Order
from tests.engines import row_of

PASSWORD = "a photo of nothing 71"
TERMINAL = {"SUCCESS": "capture", "FAILED": "release", "CANCELLED": "release"}


def make_user(
    email: str = "alice@example.org", *, credits: int = 400, plan: str = "free", **fields: Any
) -> User:
    """Create an account as `open_account` does, with a personal workspace, a membership, an opening grant,
    and an address.

    The workspace of alice@example.org has the URL /w/alice/.
    """
    user = User.objects.create_user(email, PASSWORD, **fields)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    workspace = make_workspace(user, name=user.email.partition("@")[0], plan=plan, credits=credits)
    Workspace.objects.filter(id=workspace.id).update(personal_user=user, name=f"{user.email}'s workspace")
    return User.objects.get(id=user.id)


def make_staff(email: str = "staff@example.org", **fields: Any) -> User:
    return make_user(email, is_staff=True, is_superuser=True, **fields)


def show_second_factor(client: Client, user: User, *, at: float | None = None) -> None:
    """Change the client's session as if its user had entered a code, by default an hour ago."""
    session = client.session
    at = time.time() - 3600 if at is None else at
    session["account_authentication_methods"] = [{"method": "mfa", "type": "totp", "at": at}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()


def make_workspace(owner: User, *, name: str = "Team", plan: str = "free", credits: int = 400) -> Workspace:
    """Create a workspace whose URL is derived from its name, such as /w/team/."""
    workspace = Workspace.objects.create(name=name, slug=slugify(name), plan=plan)
    join(workspace, owner, Membership.Role.OWNER)
    if credits:
        make_grant(workspace, credits)
    return workspace


def join(workspace: Workspace, user: User, role: str = Membership.Role.EDITOR) -> Membership:
    return Membership.objects.create(workspace=workspace, user=user, role=role)


def make_grant(workspace: Workspace, amount: int = 400, *, reason: str = "Opening grant") -> CreditEntry:
    Workspace.objects.filter(id=workspace.id).update(balance=F("balance") + amount)
    workspace.refresh_from_db()
    return CreditEntry.objects.create(
        workspace=workspace, kind="grant", amount=amount, balance=workspace.balance, reason=reason
    )


def actor_of(user: User, workspace: Workspace | None = None, *, entry_point: EntryPoint = "page") -> Actor:
    """Return the user as an actor in this workspace, by default in their personal workspace."""
    workspace = workspace or user.personal_workspace
    membership = Membership.objects.get(user=user, workspace=workspace)
    return Actor(
        user=user, workspace=workspace, role=Membership.Role(membership.role), entry_point=entry_point
    )


def path_of(photo: Photo, size: str = "original") -> Path:
    """Return the path of a photo's file, if the site stores photos in a folder."""
    path: Path = settings.PHOTOS_DIR / photo.key
    return path if size == "original" else path.with_name(f"{path.stem}-{size}.webp")


def photo_bytes(
    width: int = 48,
    height: int = 32,
    *,
    color: str | tuple[int, ...] = "steelblue",
    format: str = "JPEG",
    mode: str = "RGB",
) -> bytes:
    """Return a small encoded photo of one color."""
    file = io.BytesIO()
    Image.new(mode, (width, height), color).save(file, format)
    return file.getvalue()


def photo_file(name: str = "photo.jpg", data: bytes | None = None, **options: Any) -> io.BytesIO:
    """Return a small photo as an open, named file that the test client can upload."""
    file = io.BytesIO(photo_bytes(**options) if data is None else data)
    file.name = name
    return file


def photo_facts(width: int = 48, height: int = 32, **facts: Any) -> dict[str, Any]:
    """Return the fields of a photo row that has no stored file."""
    data = photo_bytes()
    return {
        "key": uuid.uuid4().hex,
        "media_type": "image/jpeg",
        "width": width,
        "height": height,
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        **facts,
    }


def make_draft(user: User, workspace: Workspace | None = None, **facts: Any) -> DraftPhoto:
    """Create only the row of a draft; `drafts.create_draft` also creates the file."""
    name = facts.pop("name", "photo.jpg")
    workspace = workspace or user.personal_workspace
    return DraftPhoto.objects.create(user=user, workspace=workspace, name=name, **photo_facts(**facts))


def make_edit(
    owner: User,
    *,
    workspace: Workspace | None = None,
    state: str = "SUCCESS",
    prompt: str = "make the sky darker",
    references: int | Sequence[dict[str, Any]] = 1,
    results: int | Sequence[dict[str, Any]] | None = None,
    price: int | None = None,
    **fields: Any,
) -> Edit:
    """Create an edit in any state, with its ledger entries and photo rows but without files.

    A successful edit has as many results as were requested.
    """
    workspace = workspace or owner.personal_workspace
    workspace.refresh_from_db()
    price = workspace.price if price is None else price
    now = timezone.now()
    is_terminal = state in TERMINAL
    edit = Edit.objects.create(
        owner=owner,
        workspace=workspace,
        state=state,
        prompt=prompt,
        price=price,
        **{
            "provider": "embedded",
            "engine": row_of(fields.get("provider", "embedded"), fields.get("base_url", "")),
            "submit_id": uuid.uuid4(),
            "due": now,
            "deadline": now + timedelta(minutes=15),
            "finished": now if is_terminal else None,
            "progress": 100 if state == "SUCCESS" else 0,
            "failure_code": "engine_failed" if state == "FAILED" else "",
            "failure_message": "The sky could not be found." if state == "FAILED" else "",
            **fields,
        },
    )
    EditWords.objects.create(edit=edit, workspace=workspace, text=search.text_of(edit.prompt, workspace.pk))
    _settle(edit)
    _count(edit)
    if results is None:
        results = edit.outputs if edit.is_success else 0
    for position, facts in enumerate(_each(references), start=1):
        ReferencePhoto.objects.create(
            edit=edit, position=position, name=f"photo-{position}.jpg", **photo_facts(**facts)
        )
    for position, facts in enumerate(_each(results), start=1):
        ResultPhoto.objects.create(edit=edit, position=position, **photo_facts(**facts))
    return edit


def make_refused_edit(owner: User, *, prompt: str = "zorble", **fields: Any) -> Edit:
    """Create an edit that failed because its plan refuses the whole prompt."""
    part = {"words": prompt, "reason": "unknown_word", "hint": "Say it in other words."}
    plan = {"instruction": prompt, "steps": [], "not_understood": [part], "message": part["hint"]}
    failure: dict[str, Any] = {"failure_code": "rejected", "failure_message": part["hint"]}
    return make_edit(owner, state="FAILED", prompt=prompt, plan=plan, **failure, **fields)


def queue_edit(
    owner: User, *, photo: bytes = b"", after: timedelta = timedelta(), wake_ups: int = 1, **fields: Any
) -> Edit:
    """Create an edit that waits with its photo's file and is due after this time, and send its wake-ups.

    The edit becomes due only when it is complete, because a wake-up that is left over from another edit may
    start any edit that is due.
    """
    edit = make_edit(owner, state="QUEUED", due=timezone.now() + timedelta(hours=1), **fields)
    path = path_of(edit.references.get())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(photo or photo_bytes())
    edit.due = timezone.now() + after
    edit.save(update_fields=["due"])
    for _ in range(wake_ups):
        lifecycle.wake(edit, at=edit.due)
    return edit


def submit_edit(actor: Actor, submission: submit.Submission) -> Edit:
    """Admit and submit an edit, as an entry point does."""
    return submit.submit_edit(submit.admit(actor), submission)


def submit_batch(actor: Actor, order: Order, *, agreed: int | None) -> Batch:
    admission = submit.admit(actor, edits=len(order.drafts))
    return batches.submit_batch(admission, order, agreed_price=agreed)


def retry_batch(actor: Actor, batch: Batch) -> int:
    """Retry a batch's failed edits, and return their number."""
    failed = batches.progress_of(batch).failed
    if not failed:
        return 0
    admission = submit.admit(actor, edits=len(failed))
    return batches.retry_failed(admission, batch, failed, submit_id=uuid.uuid4())


def assert_ledger_balances(workspace: Workspace) -> None:
    """Check the invariants I1 to I6, I8, I12, and I17 for one workspace.

    On PostgreSQL, each query sees what is committed by then, so no edit of the workspace may be running.
    """
    workspace = Workspace.objects.get(id=workspace.id)
    entries = CreditEntry.objects.filter(workspace=workspace)
    added = entries.filter(kind__in=["grant", "adjustment", "refund"]).aggregate(n=Sum("amount"))["n"] or 0
    captured = entries.filter(kind="capture").aggregate(n=Sum("amount"))["n"] or 0
    edits = list(Edit.objects.filter(workspace=workspace).prefetch_related("credit_entries"))
    assert workspace.balance == added - captured, "I1: the balance differs from the sum of the entries"
    assert workspace.held == sum(edit.price for edit in edits if edit.is_open), (
        "I2: the held credits are wrong"
    )
    assert 0 <= workspace.held <= workspace.balance, "I3: the balance is negative"
    running = 0
    for entry in entries.order_by("id"):
        running += entry.balance_change
        assert entry.balance == running, f"I12: {entry} carries {entry.balance}, not {running}"
    for edit in edits:
        kinds = sorted(entry.kind for entry in edit.credit_entries.all())
        settled = [] if edit.is_open else [TERMINAL[edit.state]]
        without_refund = [kind for kind in kinds if kind != "refund"]
        assert without_refund == sorted(["hold", *settled]), f"I4-I6: {edit.state} has the entries {kinds}"
        for entry in edit.credit_entries.all():
            is_right = (
                0 < entry.amount <= edit.price if entry.kind == "refund" else entry.amount == edit.price
            )
            assert is_right, "I8: wrong amount"


def _settle(edit: Edit) -> None:
    kinds = ["hold", *([TERMINAL[edit.state]] if edit.state in TERMINAL else [])]
    balance = edit.workspace.balance
    CreditEntry.objects.bulk_create(
        CreditEntry(
            workspace=edit.workspace,
            edit=edit,
            kind=kind,
            amount=edit.price,
            balance=balance - (edit.price if kind == "capture" else 0),
        )
        for kind in kinds
    )
    if edit.is_open:
        Workspace.objects.filter(id=edit.workspace_id).update(held=F("held") + edit.price)
    elif edit.is_success:
        Workspace.objects.filter(id=edit.workspace_id).update(balance=F("balance") - edit.price)
    edit.workspace.refresh_from_db()


def _count(edit: Edit) -> None:
    """Add the edit to the totals for its month and for the day it ended."""
    month = edit.created.date().replace(day=1)
    if TERMINAL.get(edit.state) != "release":
        for key in {None, edit.api_key}:
            row, _ = Spending.objects.get_or_create(
                workspace=edit.workspace, user=edit.owner, key=key, month=month
            )
            Spending.objects.filter(id=row.pk).update(amount=F("amount") + edit.price)
    if edit.finished:
        names = {"person": edit.owner_id, "key": edit.api_key_id, "engine": edit.provider, "kind": "unknown"}
        is_success, is_failure = edit.state == "SUCCESS", edit.state == "FAILED"
        for axis, name in names.items():
            if name is not None:
                day, _ = DailyUsage.objects.get_or_create(
                    workspace=edit.workspace, day=edit.finished.date(), axis=axis, name=name
                )
                DailyUsage.objects.filter(id=day.pk).update(
                    edits=F("edits") + 1,
                    successes=F("successes") + int(is_success),
                    failures=F("failures") + int(is_failure),
                    credits=F("credits") + edit.price * int(is_success),
                )


def _each(photos: int | Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    return [{}] * photos if isinstance(photos, int) else photos
