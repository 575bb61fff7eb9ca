"""Bugs that the simulator must find.

Each bug replaces a function or a query with a plausible mistake.
"""

import secrets
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.db import transaction
from django.db.models import F

from editor.models import CreditEntry, Edit, Review, Spending, Workspace
from editor.models.clock import database_now
from editor.models.edits import EditQuerySet
from editor.models.photos import ResultQuerySet, ShownResults
from editor.providers import sending
from editor.providers.contract import UNCONFIRMED, Update
from editor.providers.openai_images import RESULT_LOST, OpenAIImagesProvider
from editor.providers.photo_editor import PhotoEditorProvider
from editor.services.billing import caps, credits, usage
from editor.services.editing import engines, leases, lifecycle, results, stand_ins, webhooks
from editor.services.editing.turns import Turns
from editor.services.photos import drafts, photos, storage
from editor.services.sharing import reviews

State, Kind = Edit.State, CreditEntry.Kind


@contextmanager
def plant_bug(name: str) -> Iterator[None]:
    """Replace the correct code with this bug until the block ends."""
    with ExitStack() as patches:
        for target, attribute, stand_in in BUGS[name]:
            patches.enter_context(patch.object(target, attribute, stand_in))
        yield


def _settles_by_a_look(edit: Edit, state: Edit.State, code: str, message: str, *, token: int | None) -> bool:
    """Check whether the edit is open, and then end it."""
    ours = {} if token is None else {"token": token}
    if not Edit.objects.open().filter(id=edit.id, **ours).exists():
        return False
    with transaction.atomic():
        now = database_now()
        ended = {"state": state, "failure_code": code, "failure_message": message, "finished": now}
        Edit.objects.filter(id=edit.id).update(**ended, lease_until=None)
        results.remove_unpaid(edit)
        credits.settle(edit, captured=state == State.SUCCESS)
        usage.count_edit(edit, state, now)
        webhooks.create_deliveries(edit)
    return True


def _writes_without_its_token(edit: Edit, **changes: Any) -> None:
    if not Edit.objects.open().filter(id=edit.id).update(revision=F("revision") + 1, **changes):
        raise leases.LeaseLost
    for name, value in changes.items():
        setattr(edit, name, value)


def _finishes_without_its_token(edit: Edit, state: Edit.State, *, code: str = "", message: str = "") -> bool:
    return lifecycle._end(edit, state, code, message, token=None)


def _reads_its_token_later(edit_id: Any) -> Edit | None:
    """Read the token after the claim is committed, when another worker may already have claimed the edit."""
    now = database_now()
    claimed = Edit.objects.due(now).filter(id=edit_id)
    until = now + timedelta(seconds=settings.LEASE_SECONDS)
    if not claimed.update(token=F("token") + 1, attempts=F("attempts") + 1, lease_until=until):
        return None
    return Edit.objects.get(id=edit_id)


def _claims_what_it_names(edit_id: uuid.UUID) -> Edit | None:
    """Claim the edit that the wake-up names, regardless of whose turn it is."""
    with transaction.atomic():
        now = database_now()
        edit = Edit.objects.due(now).filter(id=edit_id, state=State.QUEUED).first()
        return leases._lease(edit, now) if edit is not None and Turns(now).has_capacity(edit) else None


def _charges_what_came(edit: Edit, *, code: str, message: str) -> None:
    """Treat any number of results as a success."""
    if results.stored_positions(edit):
        lifecycle.finish(edit, State.SUCCESS)
    else:
        lifecycle.finish(edit, State.FAILED, code=code, message=message)


def _keeps_the_hold(edit: Edit, *, captured: bool) -> None:
    """Write the ledger entry for the release of a hold without changing the balance."""
    if captured:
        _settle(edit, captured=True)
    else:
        edit.workspace.refresh_from_db()
        credits._entry(edit, Kind.RELEASE, edit.workspace.balance).save(force_insert=True)
        caps.subtract_spending(edit, edit.price)


def _settles_at_todays_price(edit: Edit, *, captured: bool) -> None:
    edit.price = Workspace.objects.get(pk=edit.workspace_id).price
    _settle(edit, captured=captured)


def _moves_unchecked(workspace_id: int, *, balance: int = 0, held: int = 0) -> int | None:
    """Move credits without checking the balance, because the submit has already checked it."""
    Workspace.objects.filter(pk=workspace_id).update(balance=F("balance") + balance, held=F("held") + held)
    return Workspace.objects.get(pk=workspace_id).balance


def _counts_without_the_cap(edits: Any) -> None:
    """Count the hold without checking the cap, because the cap was checked earlier."""
    for row, _ in caps._counted(edits[0]):
        Spending.objects.bulk_create([row], ignore_conflicts=True)
        caps._same(row).update(amount=F("amount") + sum(edit.price for edit in edits))


def _tops_up_by_a_look(workspace: Workspace, month: date) -> None:
    if workspace.awaits_allowance(month):
        missing = workspace.monthly_credits - workspace.free_credits
        if missing > 0:
            credits.grant(None, workspace, amount=missing, reason=f"Allowance of {month:%B %Y}")
        Workspace.objects.filter(pk=workspace.pk).update(topped_up=month)


_settle, _take_in, _keep_result = credits.settle, photos._take_in, results._keep
_later: list[tuple[Path, str]] = []


def _names_a_file_first(original: Path) -> str:
    key = f"{original.stat().st_ino % 256:02x}/{secrets.token_hex(16)}{original.suffix}"
    _later.append((original, key))
    return key


def _stores_the_row_first(edit: Edit, position: int, path: Path) -> None:
    """Store the row first, and only then the file to which the row refers."""
    with patch.object(photos, "_take_in", _names_a_file_first):
        _keep_result(edit, position, path)
    original, key = _later.pop()
    with patch.object(secrets, "token_hex", lambda _: Path(key).stem):
        stored = settings.PHOTOS_DIR / _take_in(original)
    for size in ("", *(f"-{width}" for width in photos.WIDTHS)):
        source = stored.with_name(f"{stored.stem}{size}{'.webp' if size else stored.suffix}")
        target = settings.PHOTOS_DIR / key
        target.parent.mkdir(exist_ok=True)
        source.rename(target.with_name(source.name))


def _syncs_no_folder(path: Path) -> None:
    if path.is_file():
        _sync(path)


_sync = storage.sync


def _ends_at_an_unknown_word(self: Any, ticket: Any, body: Any, data: Any) -> Update:
    update = _by_word(self, ticket, body, data)
    word = str((data or {}).get("status") or "RUNNING")
    return update if word in ("RUNNING", "SUCCESS") else Update("failed", message="The engine failed.")


def _asks_again_when_in_doubt(detail: str, *, is_repeatable: bool) -> Any:
    error = _unconfirmed(detail, is_repeatable=is_repeatable)
    error.retry_after = 1.0
    return error


_by_word, _unconfirmed = PhotoEditorProvider._by_word, sending.unconfirmed


def _due_whoever_has_it(self: EditQuerySet, now: Any) -> EditQuerySet:
    return self.open().filter(due__lte=now)


def _due_when_nobody_ever_had_it(self: EditQuerySet, now: Any) -> EditQuerySet:
    return self.open().filter(due__lte=now, lease_until=None)


def _discards_what_was_taken(uploads: Any) -> None:
    photos.remove_files(uploads)


def _tells_after_the_commit(edit: Edit) -> None:
    transaction.on_commit(lambda: _announce(edit))


def _steps_by_a_look(actor: Any, edit: Edit, action: Any, comment: str, *, start: Any) -> None:
    """Read the state of the review first, and then write it."""
    state = reviews._LEADS_TO[action]
    if Edit.objects.get(pk=edit.pk).review_state in start:
        Review.objects.create(edit=edit, actor=actor.user, state=state, comment=comment)
        Edit.objects.filter(pk=edit.pk).update(review_state=state)


def _shows_what_is_stored(self: ShownResults) -> ResultQuerySet:
    return ResultQuerySet(self.model, using=self._db)


def _requests_a_lost_response_again(self: Any, ticket: Any, request: Any, watch: Any) -> Update:
    if not (request.work_dir / "answer.json").is_file():
        self.submit(request, watch)
    return _unpacks(self, ticket, request, watch)


def _finishes_a_lost_response(edit: Edit, state: Edit.State, *, code: str = "", message: str = "") -> bool:
    """End an edit whose response was lost like one with results."""
    if message == RESULT_LOST:
        return _finish(edit, State.SUCCESS)
    return _finish(edit, state, code=code, message=message)


def _sends_before_it_says_so(edit: Edit, provider: Any, watch: Any) -> None:
    """Write that the edit is being sent only after it was sent."""
    request = results.request_of(edit)
    ticket = provider.submit(request, watch)
    leases.update_leased(edit, state=State.SENDING, claimed=None)
    lifecycle._start(edit, provider, watch, ticket)


def _passes_on_what_was_not_confirmed(edit: Edit) -> bool:
    """Let an edit whose outcome is unknown go to the stand-in."""
    name = stand_ins._configured_name(engines.engine_of(edit))
    other = next((one for one in engines.available() if one.name == name), None)
    if other is None or edit.state != State.SENDING:
        return lifecycle.finish(edit, State.FAILED, code="unconfirmed", message=UNCONFIRMED)
    changes: dict[str, Any] = {"engine": other, "provider": other.provider, "base_url": other.base_url}
    lifecycle.wake(edit, at=leases.finish_stage(edit, state=State.QUEUED, **changes))
    return True


def _takes_the_price_of_the_stand_in(other: Any, edit: Edit) -> None:
    edit.price = 1
    Edit.objects.filter(pk=edit.pk).update(price=1)
    _pass_to(other, edit)


_unpacks, _finish, _pass_to = OpenAIImagesProvider.poll, lifecycle.finish, lifecycle._pass_to
_announce = webhooks.create_deliveries


type Patch = tuple[Any, str, Callable[..., Any] | int]
BUGS: dict[str, list[Patch]] = {
    "resend": [(lifecycle, "_send_again", lifecycle._send)],
    "create repeated when in doubt": [(sending, "unconfirmed", _asks_again_when_in_doubt)],
    "double capture": [(lifecycle, "_end", _settles_by_a_look)],
    "missing fence": [
        (leases, "update_leased", _writes_without_its_token),
        (lifecycle, "finish", _finishes_without_its_token),
    ],
    "token read too late": [(leases, "claim", _reads_its_token_later)],
    "lease ignored": [(EditQuerySet, "due", _due_whoever_has_it)],
    "lease without time": [(EditQuerySet, "due", _due_when_nobody_ever_had_it)],
    "turns ignored": [(leases, "_claim_next", _claims_what_it_names)],
    "lost sweep": [(lifecycle, "sweep", lambda: 0)],
    "hold never released": [(credits, "settle", _keeps_the_hold)],
    "today's price": [(credits, "settle", _settles_at_todays_price)],
    "hold without a check": [(credits, "_move", _moves_unchecked)],
    "cap before hold": [(caps, "add_spending", _counts_without_the_cap)],
    "allowance twice": [(credits, "top_up", _tops_up_by_a_look)],
    "part charged as a whole": [(lifecycle, "_conclude", _charges_what_came)],
    "unknown word is an end": [(PhotoEditorProvider, "_by_word", _ends_at_an_unknown_word)],
    "result row before file": [(results, "_keep", _stores_the_row_first)],
    "no fsync": [(storage, "sync", lambda path: None)],
    "folders without fsync": [(storage, "sync", _syncs_no_folder)],
    "files of others discarded": [(drafts, "discard_uploads", _discards_what_was_taken)],
    "orphans swept at once": [(photos, "ORPHAN_SECONDS", 0)],
    "refund beside the sums": [(usage, "subtract_refund", lambda edit, amount: None)],
    "told after the commit": [(webhooks, "create_deliveries", _tells_after_the_commit)],
    "review by a look": [(reviews, "_step", _steps_by_a_look)],
    "settlement leaves unpaid results": [(results, "remove_unpaid", lambda edit: [])],
    "results shown while they are kept": [(ShownResults, "get_queryset", _shows_what_is_stored)],
    "lost response requested again": [(OpenAIImagesProvider, "poll", _requests_a_lost_response_again)],
    "lost response charged": [(lifecycle, "finish", _finishes_a_lost_response)],
    "sent before it is written": [(lifecycle, "_send", _sends_before_it_says_so)],
    "stand-in when in doubt": [(lifecycle, "end_unconfirmed", _passes_on_what_was_not_confirmed)],
    "stand-in at another price": [(lifecycle, "_pass_to", _takes_the_price_of_the_stand_in)],
}

# Seeds that find the planted bugs in the current code. If a seed no longer finds its bug, the test tries a
# few other seeds. `python -m tests.simulator --planted BUG --fresh` finds a new seed.
FOUND_BY: dict[str, tuple[int, ...]] = {
    "resend": (7008,),
    "create repeated when in doubt": (7000,),
    "double capture": (7056,),
    "missing fence": (7020,),
    "token read too late": (7015,),
    "lease ignored": (7021,),
    "lease without time": (7000,),
    "turns ignored": (15,),
    "lost sweep": (7000,),
    "hold never released": (7000,),
    "today's price": (7015,),
    "hold without a check": (7047,),
    "cap before hold": (8043,),
    "allowance twice": (7137,),
    "part charged as a whole": (9005,),
    "unknown word is an end": (7002,),
    "result row before file": (7000,),
    "no fsync": (7001,),
    "folders without fsync": (7001,),
    "files of others discarded": (7002,),
    "orphans swept at once": (7021,),
    "refund beside the sums": (7018,),
    "told after the commit": (7005,),
    "review by a look": (7007,),
    "settlement leaves unpaid results": (7005,),
    "results shown while they are kept": (7004,),
    "lost response requested again": (7457,),
    "lost response charged": (7457,),
    "sent before it is written": (7012,),
    "stand-in when in doubt": (9064,),
    "stand-in at another price": (11716,),
}
