"""The health of engines that do not run here: one circuit breaker per engine, shared by all processes.

While the breaker is closed, all calls pass. The breaker opens after FAILURES_IN_A_ROW failures, after half of
the last WINDOW_CALLS calls within a minute have failed, or immediately if only the operator can fix the
fault. While the breaker is open, nothing is sent. Afterward, it is half open: one call at a time probes
whether the engine has recovered. Each consecutive opening lasts twice as long as the one before, up to
MAX_OPEN_SECONDS.
"""

import logging
import random
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from editor.models import Edit, Engine, ProviderHealth
from editor.models.clock import database_now
from editor.providers.contract import Fault
from editor.services.editing.engines import engine_of

logger = logging.getLogger(__name__)

FAILURES_IN_A_ROW = 5
WINDOW_CALLS = 20
WINDOW_SECONDS = 60
OPEN_SECONDS, MAX_OPEN_SECONDS = 30.0, 300.0
# Maximum seconds for a probe, after which another call may probe. A response that contains the results may
# take longer, by the seconds of its engine.
PROBE_SECONDS = 120
PROBE_RETRY_SECONDS = 2.0
BREAKER_RECHECK_SECONDS = 60.0  # seconds between checks on whether the breaker has closed early
RETRIES_PER_MINUTE = 3
CALLS_PER_RETRY = 10  # number of calls in a minute that allow one retry


def call_delay(edit: Edit) -> float:
    """Return how many seconds this edit's next call should wait; 0 lets the call pass.

    While the breaker is half open, one call passes at a time. The embedded engine is always healthy.
    """
    health = _health(edit)
    if health is None or not health.times_opened:
        return 0.0
    now = database_now()
    if health.open_until and health.open_until > now:
        left = min((health.open_until - now).total_seconds(), BREAKER_RECHECK_SECONDS)
        return left + random.random() * PROBE_RETRY_SECONDS  # noqa: S311
    engine = engine_of(edit)
    if edit.state == Edit.State.QUEUED and not engine.answers_directly and _has_running(edit):
        # A poll of a running edit can also probe the engine, without sending a new edit.
        return PROBE_RETRY_SECONDS
    is_free = Q(probing_until=None) | Q(probing_until__lt=now)
    ours = ProviderHealth.objects.filter(is_free, pk=health.pk)
    seconds = PROBE_SECONDS + (engine.seconds if engine.answers_directly else 0)
    taken = ours.update(probing_until=now + timedelta(seconds=seconds))
    return 0.0 if taken else PROBE_RETRY_SECONDS


def is_breaker_open(edit: Edit) -> bool:
    """Check whether the breaker for the edit's engine is open or half open."""
    return not edit.runs_here and is_paused(engine_of(edit))


def is_paused(engine: Engine) -> bool:
    """Check whether the breaker of this engine is open or half open."""
    return ProviderHealth.objects.filter(engine=engine, times_opened__gt=0).exists()


def record_success(edit: Edit) -> None:
    """Record a successful call, and close the breaker."""
    health = _health(edit)
    # A row without failures is left unchanged, so most successful calls write nothing.
    if health is not None and (health.failures or health.times_opened or health.outcomes):
        with transaction.atomic():
            health = _locked(edit)
            health.outcomes = _recent(health, failed=False)
            health.failures = health.times_opened = 0
            health.open_until = health.probing_until = None
            health.message = ""
            health.changed = database_now()
            health.save()


def record_failure(edit: Edit, fault: Fault, detail: str) -> None:
    """Record a failed call, unless the request is at fault. `detail` is for the operator."""
    if edit.runs_here or fault is Fault.REQUEST:
        return
    with transaction.atomic():
        health = _locked(edit)
        health.failures += 1
        health.outcomes = _recent(health, failed=True)
        health.message = detail[:500]
        health.changed = database_now()
        if fault is Fault.OPERATOR or health.times_opened or _is_bad(health):
            _open(health)
        health.save()


def retry_delay(edit: Edit, seconds: float) -> float:
    """Count a retry of a rejected call, and return the number of seconds to wait before this retry.

    This is `seconds`, or a minute more if the current minute's retry budget is spent.
    """
    if edit.runs_here:
        return seconds
    with transaction.atomic():
        health = _locked(edit)
        _count(health)
        is_spent = health.retries >= max(RETRIES_PER_MINUTE, health.calls // CALLS_PER_RETRY)
        health.retries += 0 if is_spent else 1
        health.save(update_fields=["minute", "calls", "retries"])
    return seconds + WINDOW_SECONDS if is_spent else seconds


def record_call(edit: Edit) -> None:
    """Count a create call toward the retry budget."""
    if not edit.runs_here:
        with transaction.atomic():
            health = _locked(edit)
            _count(health)
            health.calls += 1
            health.save(update_fields=["minute", "calls", "retries"])


def release_probe(edit: Edit) -> None:
    """Release the probe of a call that revealed nothing about the engine, so that another call can probe.

    A success or a failure has released it already.
    """
    health = _health(edit)
    if health is not None and health.probing_until is not None:
        ProviderHealth.objects.filter(pk=health.pk).update(probing_until=None)


def _has_running(edit: Edit) -> bool:
    return Edit.objects.filter(engine=edit.engine_id, state=Edit.State.RUNNING).exists()


def _health(edit: Edit) -> ProviderHealth | None:
    return None if edit.runs_here else ProviderHealth.objects.filter(engine=engine_of(edit)).first()


def _locked(edit: Edit) -> ProviderHealth:
    engine = engine_of(edit)
    rows = ProviderHealth.objects.filter(engine=engine)
    if not rows.exists():
        place = {"provider": engine.provider, "base_url": engine.base_url}
        # A node running an older release, which has no engine rows, may have written a health record.
        if not ProviderHealth.objects.filter(engine=None, **place).update(engine=engine):
            ProviderHealth.objects.get_or_create(engine=engine, defaults=place)
    return rows.select_for_update().get()


def _recent(health: ProviderHealth, *, failed: bool) -> list[list[float]]:
    """Return the last minute's calls, including this one, or an empty list if none of them failed."""
    now = database_now().timestamp()
    recent = [call for call in health.outcomes if call[0] > now - WINDOW_SECONDS]
    last = [*recent, [now, float(failed)]][-WINDOW_CALLS:]
    return last if any(bad for _, bad in last) else []


def _is_bad(health: ProviderHealth) -> bool:
    calls = health.outcomes
    is_half = len(calls) == WINDOW_CALLS and sum(bad for _, bad in calls) * 2 >= WINDOW_CALLS
    return health.failures >= FAILURES_IN_A_ROW or is_half


def _open(health: ProviderHealth) -> None:
    seconds = min(MAX_OPEN_SECONDS, OPEN_SECONDS * 2**health.times_opened)
    health.times_opened = min(health.times_opened + 1, 10)
    health.open_until = _jittered(database_now(), seconds)
    health.probing_until = None
    logger.error("%s is paused for %.0f s: %s", health, seconds, health.message)


def _jittered(now: datetime, seconds: float) -> datetime:
    return now + timedelta(seconds=seconds * random.uniform(0.9, 1.1))  # noqa: S311 - not a secret


def _count(health: ProviderHealth) -> None:
    """Start a new count if the current minute has ended."""
    now = database_now()
    if health.minute is None or (now - health.minute).total_seconds() >= WINDOW_SECONDS:
        health.minute, health.calls, health.retries = now, 0, 0
