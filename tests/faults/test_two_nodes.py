"""Tests of two nodes that share only the database and a bucket. One dies while it stores the results of our
own engine, and the other one must finish the edit and charge for it once.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from editor import broker as wakes
from editor.models import CreditEntry, Edit, User
from editor.services.editing import lifecycle
from editor.services.maintenance import invariants
from editor.services.photos import photos, storage
from tests import cast, external_servers, processes
from tests.faults.killing import assert_killed, wait_for_end
from tests.ports import free_port
from tests.redis_server import SERVER, RedisServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
NAME, KEYS = "darkroom-photos", {"access_key": "an id", "secret_key": "a secret"}
# Where the first node dies while it stores a result, or just before.
POINTS = [
    "running.polled",
    "running.word_written",
    "storing.collected",
    "storing.file_synced",
    "storing.row_written",
]
WORKERS: dict[str, tuple[str, ...]] = {"database": (), "celery": ("--queue", wakes.ENGINE)}
type Place = dict[str, str]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = ("python", "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port))
    with external_servers.external_server("s3", *command, url=url):
        yield url


@pytest.fixture
def bucket(endpoint: str, settings: Any) -> Iterator[Place]:
    """Use a bucket, and return the variables with which other nodes use it."""
    settings.BUCKET = {"bucket_name": NAME, "endpoint_url": endpoint, "region_name": "us-east-1", **KEYS}
    storage.get_backend.cache_clear()
    made = storage.Bucket(**settings.BUCKET)._bucket
    made.create()
    yield {
        "STORAGE_URL": f"s3://{NAME}?endpoint={endpoint}&region=us-east-1",
        "AWS_ACCESS_KEY_ID": KEYS["access_key"],
        "AWS_SECRET_ACCESS_KEY": KEYS["secret_key"],
    }
    made.objects.all().delete()
    storage.get_backend.cache_clear()


@pytest.fixture(params=WORKERS)
def tasks(request: Any, tmp_path: Path, settings: Any) -> Iterator[tuple[tuple[str, ...], Place]]:
    """Return the arguments and variables of workers that are woken by the database or through Celery."""
    if request.param == "database":
        yield (), {}
        return
    if SERVER is None:
        pytest.skip("Redis is not installed (Debian: redis-server).")
    running = RedisServer(tmp_path, port=free_port())
    settings.CELERY_BROKER_URL = running.url
    settings.TASKS = {
        "default": {"BACKEND": "editor.broker.CeleryBackend", "QUEUES": ["default", "upstream"]}
    }
    wakes.app.cache_clear()
    yield WORKERS["celery"], {"TASK_BACKEND": "celery", "CELERY_BROKER_URL": running.url}
    running.stop()
    wakes.app().close()
    wakes.app.cache_clear()


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("is_disk_lost", [True, False], ids=["disk lost", "disk there"])
def test_another_node_finishes_the_edit_if_the_first_node_dies_while_storing(
    alice: User,
    submitted: Callable[..., Edit],
    bucket: Place,
    tasks: tuple[tuple[str, ...], Place],
    tmp_path: Path,
    point: str,
    is_disk_lost: bool,
) -> None:
    arguments, extra = tasks
    # Longer than a busy machine delays a heartbeat.
    common = bucket | extra | {"LEASE_SECONDS": "6"}
    edit = submitted(alice)
    lifecycle.wake(edit, at=edit.due)
    assert_killed(
        processes.start_worker(*arguments, CRASH_AT=point, DATA_DIR=str(tmp_path / "first"), **common)
    )
    if is_disk_lost:
        shutil.rmtree(tmp_path / "first")
    second = processes.start_worker(*arguments, DATA_DIR=str(tmp_path / "second"), **common)
    try:
        ended = wait_for_end(edit)
    finally:
        second.terminate()
        output, _ = second.communicate(timeout=600)
    assert ended.state == "SUCCESS", (ended.failure_message, output)
    assert photos.sha256_of(ended.results.get()) == ended.results.get().sha256
    assert CreditEntry.objects.filter(edit=edit, kind="capture").count() == 1
    cast.assert_ledger_balances(edit.workspace)
    assert not list((tmp_path / "second" / "work").iterdir())
    assert invariants.find_violations() == []
