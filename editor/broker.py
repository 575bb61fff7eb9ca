"""Wake-ups through Celery (TASK_BACKEND=celery), for workers on several machines.

As with the database queue, a message is only a hint. The row of the edit or export is the job, and a worker
claims it first, so duplicate and early messages do no harm. The sweep finds edits whose messages were lost.
"""

import logging
import platform
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import close_old_connections
from django.tasks import Task, TaskResult, TaskResultStatus
from django.tasks.backends.base import BaseTaskBackend
from django.utils import timezone
from django.utils.module_loading import import_string

logger = logging.getLogger(__name__)

# One queue is for work that keeps a core busy, and the other is for work that mostly waits for another site.
QUEUES = ENGINE, UPSTREAM = "engine", "upstream"
CELERY_TASK_NAME = "darkroom.do"
# The import path of the wake-up task. The sweep sends lost wake-ups again.
WAKEUP_TASK = "editor.services.lifecycle.advance"
# After this number of lease periods, Redis delivers an unacknowledged message to another worker. If the first
# worker is dead, the sweep has found its edit by then. If it is alive, it still holds the lease or, for an
# export, its claim, so the second message does nothing.
VISIBLE_AFTER_LEASES = 5
# The longest delay of a message. It must be less than Redis's visibility timeout. The sweep wakes up edits
# that are due later.
MAX_DELAY = timedelta(seconds=30)
SEND_NOW_WITHIN = timedelta(milliseconds=50)  # A task that is due within this time is sent without a delay.
CONTINUE_PRIORITY = 20  # A stage with at least this priority directly follows another stage.
BACKOFF_SECONDS = 5  # number of seconds during which nothing is sent to a broker after it has failed
_importing = threading.Lock()


@cache
def app() -> Any:
    """Return the Celery app.

    The app stores no results, because results are rows in the database.
    """
    with _importing:  # Importing Celery in several threads simultaneously fails.
        from celery import Celery

    celery_app = Celery("darkroom", broker=settings.CELERY_BROKER_URL, fixups=[], set_as_current=False)
    celery_app.conf.update(
        task_acks_late=True,
        task_ignore_result=True,
        task_publish_retry=False,
        task_queue_max_priority=9,
        task_default_queue=ENGINE,
        worker_prefetch_multiplier=1,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options=_transport_options(),
    )
    celery_app.task(name=CELERY_TASK_NAME)(run_task)
    return celery_app


def run_task(path: str, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Run the task with this import path, which a message has requested."""
    task = import_string(path)
    if not isinstance(task, Task):
        raise TypeError(f"{path} is not a task.")
    close_old_connections()
    try:
        task.call(*args, **kwargs)
    finally:
        close_old_connections()


def run_worker(*, threads: int, queue: str, stopping: Callable[[], None]) -> int:
    """Run a worker with this many threads until SIGTERM.

    When the worker starts to shut down, it calls `stopping` and lets running tasks finish. The return value
    is the exit code.
    """
    from celery.signals import worker_shutting_down

    worker_shutting_down.connect(lambda **_: stopping(), weak=False)
    queues = [queue]
    if queue == ENGINE:
        _PixelTask.queue = f"{ENGINE}.{platform.node()}"
        queues.append(_PixelTask.queue)
        if all(engine.runs_here for engine in settings.ENGINES):
            queues.append(UPSTREAM)  # Edits of an engine that was removed may still be running there.
    worker = app().Worker(
        pool="threads",
        concurrency=threads,
        queues=queues,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
        loglevel="WARNING",
    )
    worker.start()
    return int(worker.exitcode or 0)


def is_unreachable() -> bool:
    """Check whether the broker is unreachable."""
    try:
        with app().connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, timeout=2)
    except Exception as error:  # The type of the exception depends on the transport.
        logger.info("The broker is not responding: %s", type(error).__name__)
        return True
    return False


class _PixelTask:
    """A stand-in for a task whose queue is the queue of this node's embedded engine."""

    queue = ""


class CeleryBackend(BaseTaskBackend):
    """A backend for django.tasks that sends tasks as Celery messages."""

    supports_defer = supports_priority = True

    def __init__(self, alias: str, params: dict[str, Any]) -> None:
        super().__init__(alias, params)
        self._away_until = 0.0

    def enqueue(self, task: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Send a task.

        If the broker is unreachable, this raises the broker's exception. A wake-up raises nothing, because
        the sweep sends lost wake-ups again.
        """
        try:
            self._send(task, args, kwargs)
        except Exception as error:
            if task.module_path != WAKEUP_TASK:
                raise
            logger.warning("A wake-up was not sent. The next sweep will send it: %s", type(error).__name__)
        return accepted_result(task, args, kwargs, self.alias)

    def _send(self, task: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        if time.monotonic() < self._away_until:
            raise ConnectionError("The broker was unavailable a moment ago.")
        message = [task.module_path, list(args), dict(kwargs)]
        how = {"queue": _queue_of(task), "priority": _priority_of(task), "eta": _time_of(task.run_after)}
        try:
            app().send_task(CELERY_TASK_NAME, message, **how)
        except Exception:
            self._away_until = time.monotonic() + BACKOFF_SECONDS
            raise


def accepted_result(task: Any, args: Sequence[Any], kwargs: dict[str, Any], alias: str) -> Any:
    """Return the result object for a task that the backend with this alias has accepted but not stored."""
    return TaskResult(
        task=task,
        id="-",
        status=TaskResultStatus.READY,
        enqueued_at=timezone.now(),
        started_at=None,
        last_attempted_at=None,
        finished_at=None,
        args=list(args),
        kwargs=dict(kwargs),
        backend=alias,
        errors=[],
        worker_ids=[],
    )


def _queue_of(task: Any) -> str:
    """Return the queue for a task.

    A stage that directly follows pixel work stays on this node, because another node would have to repeat
    that work.
    """
    if task.module_path == WAKEUP_TASK and (task.queue_name == UPSTREAM or not _runs_here()):
        return UPSTREAM
    return _PixelTask.queue if _PixelTask.queue and task.priority >= CONTINUE_PRIORITY else ENGINE


def _runs_here() -> bool:
    """Return whether the site has an engine that edits the pixels in its workers."""
    return any(engine.runs_here for engine in settings.ENGINES)


def _priority_of(task: Any) -> int:
    """Convert the site's priority (-10 to 20) to Celery's (0 to 9). The most urgent is 0 for Redis and 9 for
    RabbitMQ.
    """
    urgency: int = max(0, min(9, round((task.priority + 10) * 9 / 30)))
    return 9 - urgency if _is_redis() else urgency


def _time_of(run_after: datetime | None) -> datetime | None:
    now = timezone.now()
    if run_after is None or run_after <= now + SEND_NOW_WITHIN:
        return None
    return min(run_after, now + MAX_DELAY)


def _is_redis() -> bool:
    return str(settings.CELERY_BROKER_URL).startswith("redis")


def _transport_options() -> dict[str, Any]:
    patience = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2}
    if not _is_redis():
        return patience
    return patience | {
        "visibility_timeout": VISIBLE_AFTER_LEASES * settings.LEASE_SECONDS,
        "priority_steps": list(range(10)),
        "queue_order_strategy": "priority",
        "socket_connect_timeout": 2,
        "socket_timeout": 10,
    }
