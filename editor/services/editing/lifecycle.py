"""The lifecycle of an edit. Only this module writes the edit's state.

QUEUED -> SENDING -> RUNNING -> STORING -> SUCCESS | FAILED | CANCELLED.

The row is the job: `advance` claims it, performs one stage, and wakes a worker for the next stage. A wake-up
is only a hint. A lost or repeated wake-up does no harm, because the sweep wakes every edit that is due and
unleased. An edit that has begun continues. `turns` decides which waiting edit begins next, regardless of
which edit the wake-up names.
"""

import logging
import uuid
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_noop

from editor.crash_points import crash_point
from editor.imaging.errors import ChildLost, SandboxError
from editor.logs import log_context
from editor.models import Action, AuditEntry, Edit, Engine, ReferencePhoto, User, Workspace
from editor.models.clock import database_now
from editor.providers.contract import (
    KEEPS_CRASHING,
    NO_RESULT,
    NOT_STORED,
    UNCONFIRMED,
    UNREACHABLE,
    Fault,
    Provider,
    ProviderError,
    Ticket,
    Update,
    Watch,
    uncharged,
)
from editor.sentences import Sentence, to_json_data
from editor.services.billing import credits, usage
from editor.services.core import audit, disk_space, search
from editor.services.core.access import Actor, Right
from editor.services.core.tasks import stored_task
from editor.services.editing import engines, fetching, health, leases, pacing, results, stand_ins, webhooks
from editor.services.editing.refusals import REFUSED
from editor.services.photos import photos, storage

logger = logging.getLogger(__name__)
State = Edit.State

DISK_FULL = Sentence(
    "The disk of this site is full. You were not charged. You can run it again when there is free space."
)
DEADLINE_MISSED = Sentence("This edit took too long. You were not charged. You can run it again.")
ONE_RESULT_MISSING = gettext_noop(
    "Result %(which)s of %(all)s is missing. You can keep the other results. You were not charged."
)
SOME_RESULTS_MISSING = gettext_noop(
    "Results %(which)s of %(all)s are missing. You can keep the other results. You were not charged."
)
CANCELLED = Sentence("You cancelled this edit. You were not charged.")
# The name is not stored in the edit, because the edit outlives the account. `canceller_of` looks it up.
CANCELLED_BY_MEMBER = Sentence("Another member of the team cancelled this edit. You were not charged.")
CANCELLED_BY_SITE = Sentence("This edit was cancelled. You were not charged.")
CANCELLED_BY_ADMIN = Sentence("An administrator cancelled this edit. You were not charged.")
CANCELLED_WITH_REASON = gettext_noop("An administrator cancelled this edit. You were not charged. %(reason)s")
RETRY_SECONDS = 2
# Maximum number of attempts at a stage that the engine keeps rejecting.
MAX_ATTEMPTS = 4
# Maximum number of edits in one sweep. The next sweep handles the rest.
EDITS_PER_SWEEP = 500
# Priorities of wake-ups in the queue, highest first.
CONTINUE_PRIORITY = 20  # Started edits come before new edits, so they do not run out of time.
START_PRIORITY = 10
BATCH_START_PRIORITY = 5  # Single edits start before batches.
_SWEPT = ("id", "deadline", "state", "lease_until", "base_url", "engine", "workspace")
POLL_PRIORITY = 0  # Status requests can wait.


def wake(edit: Edit, *, at: datetime, priority: int = POLL_PRIORITY) -> None:
    """Ask a worker to advance the edit at this time or later, after the current transaction is committed."""
    task = advance.using(run_after=at, priority=priority, queue_name=engines.queue_of(edit))
    transaction.on_commit(lambda: task.enqueue(str(edit.id)), robust=True)


def start_priority(edit: Edit) -> int:
    """Return the queue priority of the wake-up that starts this edit."""
    return START_PRIORITY if edit.batch_id is None else BATCH_START_PRIORITY


@stored_task("editor.services.lifecycle.advance")
def advance(edit_id: str) -> None:
    """Perform one stage of this edit if it has started.

    Otherwise, perform one stage of the edit whose turn it is to start.
    """
    _advance(leases.claim(uuid.UUID(edit_id)))


def _advance(edit: Edit | None) -> None:
    if edit is not None:
        with log_context(edit=str(edit.id)):
            _work_on(edit)


def _work_on(edit: Edit) -> None:
    """Perform one stage of a claimed edit, or end the edit."""
    try:
        if edit.deadline <= database_now():
            _end_late(edit)
        elif edit.state == State.QUEUED and edit.is_engine_off:
            finish(edit, State.FAILED, code="engine_unavailable", message=engines.ENGINE_OFF)
        elif edit.state == State.QUEUED and edit.is_engine_excluded:
            _end_excluded(edit)
        elif edit.attempts > settings.CRASHES_ALLOWED:
            logger.error("Edit %s crashed its worker %d times.", edit.id, edit.attempts - 1)
            _conclude(edit, code="engine_failed", message=KEEPS_CRASHING)
        elif edit.writes_files and disk_space.is_low():
            _end_without_room(edit)
        elif not edit.calls_engine:
            _do_stage(edit)
        elif wait := health.call_delay(edit):
            _hold_back(edit, wait)
        else:
            _call_engine(edit)
    except leases.LeaseLost:
        logger.info("This worker no longer has the lease of edit %s.", edit.id)


def finish(edit: Edit, state: Edit.State, *, code: str = "", message: str = "") -> bool:
    """End an edit: update its state and the credits in one transaction.

    Returns False if the edit has already ended or if the lease of `edit` was lost.
    """
    return _end(edit, state, code, message, token=edit.token)


def end_unconfirmed(edit: Edit) -> bool:
    """End an edit that may or may not have reached its engine. Returns the same value as `finish`."""
    return finish(edit, State.FAILED, code="unconfirmed", message=UNCONFIRMED)


def cancel(actor: Actor, edit: Edit, *, reason: str = "") -> bool:
    """Cancel an edit and release its hold. Return False if the edit has already ended.

    If someone else cancels the edit, the audit log says who. If an administrator cancels it, its owner can
    read the `reason`.
    """
    actor.require(Right.EDIT)
    crash_point("cancel.requested")
    message = _cancel_message(actor, edit, reason)
    if message in (CANCELLED, CANCELLED_BY_SITE):
        return _end(edit, State.CANCELLED, "cancelled", message, token=None)
    with transaction.atomic():
        is_ended = _end(edit, State.CANCELLED, "cancelled", message, token=None)
        if is_ended:
            audit.record(actor, Action.EDIT_CANCELLED, subject=edit, reason=reason)
    return is_ended


def _cancel_message(actor: Actor, edit: Edit, reason: str) -> Sentence:
    if actor.entry_point == "admin":
        return Sentence(CANCELLED_WITH_REASON, reason=reason) if reason else CANCELLED_BY_ADMIN
    if actor.entry_point == "command":
        return CANCELLED_BY_SITE
    return CANCELLED if actor.user.pk == edit.owner_id else CANCELLED_BY_MEMBER


def canceller_of(edit: Edit) -> User | None:
    """Return the member who cancelled someone else's edit, or None if it was not cancelled in this way."""
    if edit.failure_message != CANCELLED_BY_MEMBER:
        return None
    entries = AuditEntry.objects.filter(
        action=Action.EDIT_CANCELLED, subject_kind="edit", subject_id=str(edit.pk)
    )
    entry = entries.select_related("user").order_by("id").last()
    return entry.user if entry else None


def sweep() -> int:
    """Wake the edits that are due and unleased, starting with the longest overdue, and return their number.

    This replaces wake-ups that were lost in a crash. Edits past their deadline, and those that wait for an
    engine that is off or excluded, are ended here, because there may be no free worker.
    """
    engines.assign_engines_of_open_edits()
    now = database_now()
    Edit.objects.open().filter(deadline__lte=now, due__gt=now).update(due=now)
    line = Edit.objects.due(now).order_by("due").select_related("engine", "workspace")
    due = line.only(*_SWEPT)[:EDITS_PER_SWEEP]
    for edit in list(due):
        crash_point("sweep.claimed")
        try:
            if leases.is_only_to_be_ended(edit, now) and not edit.is_interrupted_with_results:
                _advance(leases.claim_started(edit.id))
            else:
                wake(edit, at=now, priority=_resume_priority(edit))
        except Exception:  # The remaining edits must still be woken.
            logger.exception("Could not wake edit %s.", edit.id)
    return len(due)


def _resume_priority(edit: Edit) -> int:
    """Return the priority of an edit whose wake-up was lost.

    The embedded engine finishes a dead worker's edit before it begins others. Otherwise, a busy queue would
    keep that edit waiting until its deadline.
    """
    is_begun = edit.state != State.QUEUED and edit.runs_here
    return CONTINUE_PRIORITY if is_begun else POLL_PRIORITY


def _end_late(edit: Edit) -> None:
    """End an edit that is past its deadline.

    If the edit was waiting for an unhealthy engine, the message says so. If the engine is healthy again, the
    edit gets its original deadline back.
    """
    is_unsent = edit.state == State.QUEUED and not edit.runs_here
    deadline = edit.created + timedelta(seconds=settings.QUEUED_SECONDS)
    if is_unsent and health.is_breaker_open(edit):
        finish(edit, State.FAILED, code="engine_unavailable", message=UNREACHABLE)
    elif is_unsent and deadline > database_now():
        wake(edit, at=leases.postpone_stage(edit, after=0, attempts=0, deadline=deadline))
    else:
        _conclude(edit, code="timeout", message=DEADLINE_MISSED)


def _end_excluded(edit: Edit) -> None:
    finish(edit, State.FAILED, code="engine_unavailable", message=engines.ENGINE_EXCLUDED)


def _hold_back(edit: Edit, seconds: float) -> None:
    """Put off an edit whose engine is unhealthy, or give it to the engine's stand-in.

    An edit that was not sent waits at most BREAKER_SECONDS.
    """
    deadline = edit.deadline
    if edit.state == State.QUEUED and (other := stand_ins.find_stand_in(edit)):
        _pass_to(other, edit)
        return
    if edit.state == State.QUEUED:
        deadline = min(deadline, database_now() + timedelta(seconds=settings.BREAKER_SECONDS))
    wake(edit, at=leases.postpone_stage(edit, after=seconds, attempts=0, deadline=deadline))


def _pass_to(other: Engine, edit: Edit) -> None:
    """Queue an edit at another engine, at the price that is held for it."""
    notice = stand_ins.notice_of(engines.engine_of(edit), other)
    changes: dict[str, Any] = {
        "engine": other,
        "provider": other.provider,
        "base_url": other.base_url,
        "notices": [*edit.notices, notice],
        "deadline": edit.created + timedelta(seconds=settings.QUEUED_SECONDS),
    }
    wake(edit, at=leases.finish_stage(edit, **changes), priority=start_priority(edit))


def _end_without_room(edit: Edit) -> None:
    """End an edit because the disk is full.

    Its unfinished files are deleted first, to free space for database rows.
    """
    photos.clear_work_folder(edit)
    _conclude(edit, code="storage", message=DISK_FULL)


def _call_engine(edit: Edit) -> None:
    """Perform a stage that calls the engine.

    If it ends without a success or a failure of the engine, for example because the edit was cancelled,
    another call may probe the engine.
    """
    try:
        _do_stage(edit)
    finally:
        health.release_probe(edit)


def _do_stage(edit: Edit) -> None:
    stages: dict[str, Callable[[Edit, Provider, leases.Heartbeat], None]] = {
        State.QUEUED: _begin,
        State.SENDING: _send_again,
        State.RUNNING: _run,
        State.STORING: _store,
    }
    provider = engines.provider_of(engines.engine_of(edit))
    try:
        with (watch := leases.Heartbeat(edit, is_local=provider.capabilities().answers_directly)):
            stages[edit.state](edit, provider, watch)
    except (leases.LeaseLost, fetching.FetchStopped) as lost:
        if not watch.is_released:
            raise leases.LeaseLost from lost
        _pass_on(edit, provider)
    except ProviderError as error:
        if watch.is_released and error.code == "stopped":
            _pass_on(edit, provider)
        else:
            _handle_error(edit, error)
    except storage.StorageUnavailable as away:
        logger.warning("Edit %s is waiting for the photo storage: %s.", edit.id, away)
        _wait_for_storage(edit)
    except ChildLost as lost:
        logger.warning("Edit %s, try %d: %s", edit.id, edit.attempts, lost.message)
        wake(edit, at=leases.postpone_stage(edit, after=RETRY_SECONDS), priority=CONTINUE_PRIORITY)
    except Exception as error:
        logger.exception("Edit %s: stage %s failed.", edit.id, edit.state)
        if disk_space.is_disk_error(error):
            photos.clear_work_folder(edit)
        wake(edit, at=leases.postpone_stage(edit, after=RETRY_SECONDS), priority=CONTINUE_PRIORITY)


def _pass_on(edit: Edit, provider: Provider) -> None:
    """Release the edit for another worker, because this worker has to stop.

    This does not count as a crash. If the response did not arrive in time, the edit ends here, unless it may
    be sent again.
    """
    if edit.state == State.SENDING and not provider.capabilities().idempotent_submit:
        end_unconfirmed(edit)
        return
    wake(
        edit,
        at=leases.postpone_stage(edit, after=0, attempts=edit.attempts - 1),
        priority=CONTINUE_PRIORITY,
    )


def _wait_for_storage(edit: Edit) -> None:
    """Postpone an edit while photo storage is unavailable.

    Extends the edit's deadline to at most QUEUED_SECONDS after its creation.
    """
    last = edit.created + timedelta(seconds=settings.QUEUED_SECONDS)
    then = min(database_now() + timedelta(seconds=settings.STORING_SECONDS), last)
    due = leases.postpone_stage(
        edit, after=storage.UNAVAILABLE_RETRY_SECONDS, attempts=0, deadline=max(edit.deadline, then)
    )
    wake(edit, at=due)


def _handle_error(edit: Edit, error: ProviderError) -> None:
    """Handle a rejection or failure.

    A rejection by the engine shows that it works. A rejection of an edit that was not sent shows nothing.
    """
    if error.detail:
        logger.warning("Edit %s: %s", edit.id, error.detail)
    if error.code == "storage":
        photos.clear_work_folder(edit)
    if error.code == "rejected":
        if edit.state != State.QUEUED:
            health.record_success(edit)
        if error.refusals:
            leases.update_leased(edit, plan=(edit.plan or {}) | {REFUSED: error.refusals})
    else:
        health.record_failure(edit, error.fault, error.detail)
    if error.retry_after is not None and edit.put_offs < MAX_ATTEMPTS - 1:
        # The retry budget limits only create requests, so status requests need not wait.
        is_create = edit.state == State.SENDING
        _try_later(edit, health.retry_delay(edit, error.retry_after) if is_create else error.retry_after)
    elif error.code != "stopped":
        _conclude(edit, code=error.code, message=error.message)


def _try_later(edit: Edit, seconds: float) -> None:
    """Postpone an edit that the engine did not accept.

    If the edit was about to be sent, it is queued again.
    """
    state = State.QUEUED if edit.state == State.SENDING else edit.state
    changes = {"state": state, "attempts": 0, "put_offs": edit.put_offs + 1}
    wake(edit, at=leases.postpone_stage(edit, after=seconds, **changes))


def _begin(edit: Edit, provider: Provider, watch: leases.Heartbeat) -> None:
    stage = _fetch if edit.awaits_photos else _send
    stage(edit, provider, watch)


def _fetch(edit: Edit, provider: Provider, watch: Watch) -> None:
    """Download the photos that were given as URLs. This is a separate stage within QUEUED."""
    try:
        fetched, notices = fetching.fetch_references(edit, watch)
    except fetching.FetchFailed as error:
        finish(edit, State.FAILED, code="not_fetched", message=uncharged(error.sentence))
        return
    with transaction.atomic():
        due = leases.finish_stage(edit, notices=notices)
        ReferencePhoto.objects.bulk_create(fetched)
        search.index_again(edit)
    wake(edit, at=due, priority=CONTINUE_PRIORITY)


def _send(edit: Edit, provider: Provider, watch: leases.Heartbeat) -> None:
    """Prepare and submit the edit. Once the state is SENDING, the engine may have received the edit.
    Therefore nothing that can fail may happen between the change of state and the call, or between the
    response and writing it to the row."""
    request = results.request_of(edit)
    request = replace(request, prepared=provider.prepare(request, watch))
    crash_point("sending.prepared")
    if watch.is_released:
        raise leases.LeaseLost
    if edit.state == State.QUEUED and edit.is_external and _is_excluded_now(edit):
        _end_excluded(edit)
        return
    health.record_call(edit)
    leases.update_leased(edit, state=State.SENDING, claimed=None)
    crash_point("sending.committed")
    ticket = provider.submit(request, watch)
    crash_point("sending.answer_read")
    _start(edit, provider, watch, ticket)


def _is_excluded_now(edit: Edit) -> bool:
    """Return whether the owners excluded the engine since the edit was claimed."""
    return Workspace.objects.filter(pk=edit.workspace_id, internal_since__isnull=False).exists()


def _start(edit: Edit, provider: Provider, watch: Watch, ticket: Ticket) -> None:
    """Record that the engine accepted the edit.

    If the response contains the results, they are stored in the same stage, because only this machine has
    them.
    """
    deadline = database_now() + timedelta(seconds=engines.engine_of(edit).seconds)
    accepted: dict[str, Any] = {"state": State.RUNNING, "ticket": asdict(ticket), "deadline": deadline}
    if provider.capabilities().answers_directly:
        leases.update_leased(edit, attempts=0, put_offs=0, **accepted)
        crash_point("sending.task_saved")
        health.record_success(edit)
        _run(edit, provider, watch)
        return
    due = leases.finish_stage(edit, **accepted)
    crash_point("sending.task_saved")
    wake(edit, at=due, priority=CONTINUE_PRIORITY)
    health.record_success(edit)


def _send_again(edit: Edit, provider: Provider, watch: leases.Heartbeat) -> None:
    """Continue an edit found in SENDING after a crash. The engine may or may not have received it, unless its
    response is on this machine."""
    ticket = provider.recover(results.request_of(edit, with_photos=False))
    if ticket is not None:
        _start(edit, provider, watch, ticket)
    elif provider.capabilities().idempotent_submit:
        _send(edit, provider, watch)
    else:
        end_unconfirmed(edit)


def _run(edit: Edit, provider: Provider, watch: Watch) -> None:
    is_direct = provider.capabilities().answers_directly
    request = results.request_of(edit, with_photos=is_direct or edit.runs_here)
    update = provider.poll(Ticket(**(edit.ticket or {})), request, watch)
    crash_point("running.polled")
    _record_health(edit, update)
    if update.state == "succeeded":
        arrived: dict[str, Any] = {
            "state": State.STORING,
            "progress": leases.MAX_PROGRESS,
            "arrivals": list(update.arrivals),
            "notices": [*edit.notices, *map(to_json_data, update.warnings)],
            "deadline": database_now() + timedelta(seconds=settings.STORING_SECONDS),
        }
        if is_direct:
            leases.update_leased(edit, attempts=0, **arrived)
            crash_point("running.word_written")
            _store(edit, provider, watch)
            return
        due = leases.finish_stage(edit, **arrived)
        crash_point("running.word_written")
        wake(edit, at=due, priority=CONTINUE_PRIORITY)
    elif update.state == "failed":
        finish(edit, State.FAILED, code=update.code, message=update.message)
    else:
        ticket = {"ticket": asdict(update.ticket)} if update.ticket else {}
        after = max(update.poll_after, pacing.min_poll_delay(edit))
        wake(edit, at=leases.finish_stage(edit, after=after, **ticket))


def _record_health(edit: Edit, update: Update) -> None:
    """Record the engine's health.

    An engine that rejects only the status request for one task counts as healthy.
    """
    if update.trouble and update.fault is not Fault.REQUEST:
        health.record_failure(edit, update.fault, update.trouble)
    else:
        health.record_success(edit)


def _store(edit: Edit, provider: Provider, watch: Watch) -> None:
    """Store the results that have arrived. If more results may still arrive, the stage is repeated."""
    try:
        missing = results.collect(edit, provider, watch)
    except (ChildLost, storage.StorageUnavailable):
        raise
    except (SandboxError, OSError) as error:
        logger.exception("Edit %s: a result could not be stored.", edit.id)
        photos.clear_work_folder(edit)
        if disk_space.is_disk_error(error) or not _create_results_again(edit):
            _conclude(edit, code="storage", message=NOT_STORED)
    else:
        if missing is not None and missing.code == "result_invalid" and _create_results_again(edit):
            return
        if missing is not None and len(results.stored_positions(edit)) < edit.outputs:
            raise missing
        _conclude(edit, code="result_unavailable", message=NO_RESULT)


def _create_results_again(edit: Edit) -> bool:
    """Repeat the stage without the results' files, if our own engine can create them again. Return whether it
    can.

    The files of a crashed machine may be damaged. Another engine must not do its work twice.
    """
    if not edit.runs_here or edit.attempts >= settings.CRASHES_ALLOWED:
        return False
    photos.clear_work_folder(edit)
    wake(edit, at=leases.postpone_stage(edit, after=RETRY_SECONDS), priority=CONTINUE_PRIORITY)
    return True


def _conclude(edit: Edit, *, code: str, message: str) -> None:
    """End an edit that will get no further results.

    The edit is charged only if all requested results are stored. This includes the case in which the worker
    that stored the last result crashed. Otherwise, the stored results are shown, the missing results are
    named, and nothing is charged.
    """
    there = results.stored_positions(edit)
    missing = [str(position) for position in range(1, edit.outputs + 1) if position not in there]
    if not missing:
        finish(edit, State.SUCCESS)
        return
    if there:
        code = Edit.INCOMPLETE
        words = ONE_RESULT_MISSING if len(missing) == 1 else SOME_RESULTS_MISSING
        message = Sentence(words, which=", ".join(missing), all=edit.outputs)
    finish(edit, State.FAILED, code=code, message=message)


def _end(edit: Edit, state: Edit.State, code: str, message: str, *, token: int | None) -> bool:
    """End an edit and settle its credits.

    When a person cancels an edit, there is no token, so only the state guards this write. After that, a
    worker that is still storing results cannot add any: it writes each row under the same guard, and the lock
    on the edit's row serializes the two writes.
    """
    ours = {} if token is None else {"token": token}
    with transaction.atomic():
        edit.workspace = Workspace.objects.locked().get(id=edit.workspace_id)
        now = database_now()
        ended = (
            Edit.objects.open()
            .filter(id=edit.id, **ours)
            .update(
                state=state,
                failure_code=code,
                failure_message=message,
                failure_said=data if isinstance(data := to_json_data(message), dict) else None,
                finished=now,
                lease_until=None,
                claimed=None,
                progress=100 if state == State.SUCCESS else F("progress"),
                revision=F("revision") + 1,
            )
        )
        if not ended:
            return False
        crash_point("settle.edit_updated")
        unpaid = results.remove_unpaid(edit)
        credits.settle(edit, captured=state == State.SUCCESS)
        usage.count_edit(edit, state, now)
        webhooks.create_deliveries(edit)
        for waiting in leases.make_next_due(edit):
            wake(waiting, at=now, priority=start_priority(waiting))
        transaction.on_commit(lambda: photos.tidy_up(edit), robust=True)
        transaction.on_commit(lambda: photos.remove_files(unpaid), robust=True)
    crash_point("settle.committed")
    return True
