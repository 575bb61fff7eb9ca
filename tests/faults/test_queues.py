"""Tests that edits for another engine wait in a separate queue and have separate workers.

Both task backends are tested.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from editor import broker as wakes
from editor.models import Edit, User
from tests import processes
from tests.commands.test_worker import CREATE, queued
from tests.engines import EMBEDDED, another_site, configure
from tests.hostile_server import HostileServer, silence
from tests.ports import free_port
from tests.redis_server import SERVER, RedisServer

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def celery(tmp_path: Path, settings: Any) -> Iterator[dict[str, str]]:
    """Start a Redis server for this test's site, and return settings for workers that use the server."""
    running = RedisServer(tmp_path, port=free_port())
    settings.CELERY_BROKER_URL = running.url
    settings.TASKS = {"default": {**settings.TASKS["default"], "BACKEND": "editor.broker.CeleryBackend"}}
    wakes.app.cache_clear()
    yield {"TASK_BACKEND": "celery", "CELERY_BROKER_URL": running.url}
    running.stop()
    wakes.app().close()
    wakes.app.cache_clear()


def test_eight_hanging_external_edits_delay_an_embedded_edit_by_under_a_second(
    alice: User, bob: User, settings: Any, submitted: Callable[..., Edit]
) -> None:
    assert_nothing_is_delayed(alice, bob, settings, submitted)


@pytest.mark.skipif(SERVER is None, reason="Redis is not installed (Debian: redis-server).")
def test_with_celery_external_edits_delay_an_embedded_edit_by_under_a_second(
    alice: User, bob: User, settings: Any, submitted: Callable[..., Edit], celery: dict[str, str]
) -> None:
    assert_nothing_is_delayed(alice, bob, settings, submitted, **celery)


def assert_nothing_is_delayed(
    alice: User, bob: User, settings: Any, submitted: Callable[..., Edit], **backend: str
) -> None:
    with HostileServer(by_path={CREATE: silence()}) as server, ExitStack() as running:
        configure(settings, EMBEDDED, another_site(server.origin, in_flight=8))
        engines = {"EDIT_PROVIDER": "embedded,photo-editor", "PHOTO_EDITOR_BASE_URL": server.origin}
        for number, queue in ((8, wakes.UPSTREAM), (1, wakes.ENGINE)):
            settings_of_worker = engines | backend | {"RUNNING_PER_USER": "8"}
            process = processes.start_worker("--threads", str(number), "--queue", queue, **settings_of_worker)
            running.callback(process.communicate)
            running.callback(process.kill)
        for _ in range(8):
            queued(bob, server)
        wait_until(lambda: len(server.requests) == 8)
        # If the hanging edits delayed the others, they would delay each of them. A busy machine delays some.
        quick = filter(lambda edit: seconds_until_sent(edit) < 1, (submitted(alice) for _ in range(9)))
        assert len(list(islice(quick, 3))) == 3
        assert Edit.objects.filter(state="SENDING").count() == 8


def seconds_until_sent(edit: Edit) -> float:
    """Wait until the edit has succeeded, and return how long it waited to start."""
    wait_until(lambda: Edit.objects.get(pk=edit.pk).state == "SUCCESS")
    edit.refresh_from_db()
    assert edit.sent is not None
    return (edit.sent - edit.created).total_seconds()


def wait_until(is_so: Callable[[], bool], seconds: float = 300) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.1)
