"""Another time for a test: the host's clock and the database's, which leases and deadlines go by."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from typing import Any

import time_machine
from django.db import connection
from django.utils import timezone


@contextmanager
def at(moment: datetime, *, tick: bool = True) -> Iterator[None]:
    """It is this time, for this thread's connection too; without `tick` it stays."""
    with time_machine.travel(moment, tick=tick), in_this_thread():
        yield


def in_this_thread() -> AbstractContextManager[None]:
    """The time of `at`, which is that of all threads, is also that of this thread's connection."""
    return connection.execute_wrapper(_the_hosts_time)


@contextmanager
def later(seconds: float) -> Iterator[None]:
    """So many seconds have passed."""
    with at(timezone.now() + timedelta(seconds=seconds)):
        yield


def _the_hosts_time(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """PostgreSQL is asked for its own time by `database_now`, and would know nothing of the travel."""
    if sql == "SELECT clock_timestamp()":
        return execute("SELECT %s::timestamptz", [timezone.now()], many, context)
    return execute(sql, params, many, context)
