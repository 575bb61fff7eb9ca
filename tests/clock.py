"""Functions that set the host's and the database's clocks for a test.

Leases and deadlines use both clocks.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from typing import Any

import time_machine
from django.db import connection
from django.utils import timezone


@contextmanager
def at(moment: datetime, *, tick: bool = True) -> Iterator[None]:
    """Set the time, also for this thread's database connection. The clock is frozen unless `tick` is true."""
    with time_machine.travel(moment, tick=tick), in_this_thread():
        yield


def in_this_thread() -> AbstractContextManager[None]:
    """Make this thread's database connection use the time set by `at`, which already affects all threads."""
    return connection.execute_wrapper(_the_hosts_time)


@contextmanager
def later(seconds: float) -> Iterator[None]:
    """Move the time forward by this number of seconds."""
    with at(timezone.now() + timedelta(seconds=seconds)):
        yield


@contextmanager
def new_minute() -> Iterator[None]:
    """Move the time forward to the start of a minute, so that rate limits count the next minute as one."""
    with later(60 - timezone.now().timestamp() % 60):
        yield


def _the_hosts_time(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Run a statement, but make the query of `database_now` return the host's time.

    PostgreSQL would return the real time, which the tests do not change.
    """
    if sql == "SELECT clock_timestamp()":
        return execute("SELECT %s::timestamptz", [timezone.now()], many, context)
    return execute(sql, params, many, context)
