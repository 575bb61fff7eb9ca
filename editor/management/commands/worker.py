"""Run workers, which take wake-ups from the queue and advance edits: manage.py worker.

If the engine is another site, workers mostly wait, so several of them run as threads of one process to save
memory. The embedded engine keeps a core busy, so each of its workers has its own process.
"""

import gc
import logging
import os
import platform
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, OperationalError, connections
from django_tasks_db.management.commands.db_worker import Worker

from editor import broker, wakeups
from editor.providers.contract import CREATE_SECONDS
from editor.services.editing import adapters, leases
from editor.services.maintenance import backup, exports
from editor.services.maintenance import workers as service
from editor.services.photos import analysis, photos

logger = logging.getLogger(__name__)
QUEUE_POLL_SECONDS = 0.1  # seconds between two checks of an empty queue
LEASE_RELEASE_SECONDS = 18.0
# When the process must stop, outstanding requests are given up after this number of seconds, just before the
# supervisor would kill the process.
LAST_CALL_SECONDS = CREATE_SECONDS + 15.0
_NOTICE_SECONDS = 0.2


class WakeableWorker(Worker):
    """A worker that differs from django-tasks-db's worker in two ways.

    It waits for a wake-up instead of sleeping. If another process holds SQLite's write lock for too long, it
    tries again instead of exiting.
    """

    def __init__(self, *, batch: bool, **how: Any) -> None:
        super().__init__(batch=True, **how)  # In batch mode, `run` returns when the queue is empty.
        self._ends_when_idle = batch

    def run(self) -> None:
        while self.running:
            try:
                super().run()
            except OperationalError:
                logger.warning("The database is busy. The worker will try again.")
                time.sleep(1)
            else:
                if self._ends_when_idle:
                    return
                wakeups.wait_for_wakeup(self.interval)


class Command(BaseCommand):
    help = "Runs one worker. `manage.py start` runs several."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", action="store_true", help="exit when there is no work left")
        parser.add_argument(
            "--threads", type=int, default=1, help="number of workers in this process (default: 1)"
        )
        parser.add_argument(
            "--queue",
            choices=broker.QUEUES,
            default=broker.ENGINE,
            help="the work to do: editing pixels (engine), or waiting for other engines (upstream)",
        )

    def handle(self, *, batch: bool, threads: int, queue: str, **options: Any) -> None:
        if queue == broker.ENGINE:
            for engine in settings.ENGINES:
                adapters.adapter_of(engine).warm()
        if settings.TASK_BACKEND == "celery":
            sys.exit(_work_for_celery(threads, queue))
        workers = [make_worker(batch=batch, number=number, queue=queue) for number in range(1, threads + 1)]
        with nullcontext() if batch else worker_heartbeats([worker.worker_id for worker in workers]):
            _install_signal_handlers(workers)
            if threads == 1:
                workers[0].run()
            elif not run_workers(workers):
                sys.exit(1)  # The supervisor restarts the process.


def _work_for_celery(threads: int, queue: str) -> int:
    names = [_name(number) for number in range(1, threads + 1)]
    with worker_heartbeats(names):
        return broker.run_worker(threads=threads, queue=queue, stopping=schedule_lease_release)


@contextmanager
def worker_heartbeats(names: Sequence[str]) -> Iterator[None]:
    """Keep these workers registered as alive until the block ends."""
    over = threading.Event()
    thread = threading.Thread(target=_record_heartbeats, args=(names, over), name="signs", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _record_heartbeats(names: Sequence[str], over: threading.Event) -> None:
    is_over = False
    while not is_over:
        try:
            service.record_heartbeats(names)
            photos.clear_work()
            exports.clear_drafts()
            backup.clear_abandoned()
            # Free Celery's requests now. They are reference cycles, and Python does not collect old objects
            # until their number has grown by a quarter.
            gc.collect()
            is_over = over.wait(service.HEARTBEAT_SECONDS)
            if is_over:
                service.unregister(names)
        except (DatabaseError, OSError):  # The next attempt opens a new connection.
            logger.warning("Could not record that the workers are alive.")
            connections.close_all()
            is_over = is_over or over.wait(service.HEARTBEAT_SECONDS)
    connections.close_all()


def _install_signal_handlers(workers: Sequence[WakeableWorker]) -> None:
    """Install the signal handlers.

    After the first signal, each worker stops at the end of its stage, or passes the edit on if the stage
    takes too long. The second signal ends the process immediately.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        if not any(worker.running for worker in workers):
            os._exit(1)
        _stop(workers)
        schedule_lease_release()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def schedule_lease_release() -> None:
    """Schedule the release of this process's leases and the end of its requests.

    Both happen before the supervisor would kill the process. A background analysis is stopped immediately and
    queued again.
    """
    threading.Thread(target=analysis.background_analyzer.stop, name="stop analysis", daemon=True).start()
    for seconds, is_last_call in ((LEASE_RELEASE_SECONDS, False), (LAST_CALL_SECONDS, True)):
        timer = threading.Timer(seconds, leases.release_all, kwargs={"is_last_call": is_last_call})
        timer.daemon = True
        timer.start()


def run_workers(workers: Sequence[WakeableWorker]) -> bool:
    """Run each worker in a thread until all of them have stopped.

    If a worker fails, the others are stopped, and False is returned.
    """
    failed = threading.Event()
    threads = [threading.Thread(target=_run, args=(worker, failed)) for worker in workers]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        failed.wait(_NOTICE_SECONDS)
        if failed.is_set():
            _stop(workers)
            time.sleep(_NOTICE_SECONDS)
    return not failed.is_set()


def _run(worker: WakeableWorker, failed: threading.Event) -> None:
    try:
        worker.run()
    except Exception:
        logger.exception("Worker %s ended.", worker.worker_id)
        failed.set()
    finally:
        connections.close_all()


def _stop(workers: Sequence[WakeableWorker]) -> None:
    for worker in workers:
        worker.running = False


def make_worker(*, batch: bool = False, number: int = 1, queue: str = broker.ENGINE) -> WakeableWorker:
    """Return a worker for one kind of work, or for all work if the site has engines of only one kind.

    With `batch`, the worker ends when its queues are empty. `number` identifies the worker within this
    process.
    """
    is_mixed = len({engine.runs_here for engine in settings.ENGINES}) > 1
    is_waiting = is_mixed and queue == broker.UPSTREAM
    return WakeableWorker(
        queue_names=[broker.UPSTREAM] if is_waiting else ["*"],
        interval=QUEUE_POLL_SECONDS,
        batch=batch,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=_name(number),
        excluded_queue_names=[broker.UPSTREAM] if is_mixed and not is_waiting else [],
    )


def _name(number: int) -> str:
    """Return a worker's name, which consists of the host name, the process ID, and the number."""
    return f"{platform.node()[:45]}-{os.getpid()}-{number}"
