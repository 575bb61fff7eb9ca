"""Tests for the Redis cache (CACHE_URL=redis://), using a real Redis that is stopped and restarted."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from editor.cache import BACKOFF_SECONDS, RedisOrMemory
from editor.models import User
from tests.cast import PASSWORD
from tests.redis_server import SERVER, RedisServer

pytestmark = pytest.mark.skipif(SERVER is None, reason="Redis is not installed (Debian: redis-server).")
LOGIN = "/accounts/login/"
PATIENCE = 5  # maximum seconds for a response from Redis; it is long because the machine may be busy


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("editor.cache.RESPONSE_SECONDS", PATIENCE)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    running = RedisServer(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def nowhere(tmp_path: Path) -> Iterator[RedisOrMemory]:
    cache = RedisOrMemory(f"unix://{tmp_path}/nobody.sock", {})
    cache.clear()
    yield cache
    cache.clear()


def test_values_in_redis_are_shared_between_processes(server: RedisServer) -> None:
    here, elsewhere = (RedisOrMemory(server.url, {}) for _ in range(2))
    here.set("tries", [1, 2], 60)
    assert elsewhere.get("tries") == [1, 2]
    assert not elsewhere.add("tries", [3])
    assert elsewhere.touch("tries", 90)
    assert elsewhere.delete("tries")
    assert here.get("tries", "none") == "none"


def test_without_redis_a_process_uses_its_own_memory(nowhere: RedisOrMemory) -> None:
    assert nowhere.get("tries", 0) == 0
    assert nowhere.add("tries", 5)
    assert not nowhere.add("tries", 6)
    assert (nowhere.incr("tries"), nowhere.get_many(["tries"])) == (6, {"tries": 6})
    assert nowhere.delete("tries")


def test_a_hanging_redis_delays_only_briefly_and_is_tried_again_later(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = RedisOrMemory(server.url, {})
    cache.set("kept", "in Redis", 600)
    server.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    assert [cache.get("kept") for _ in range(20)] == [None] * 20
    assert time.monotonic() - began < 10 * PATIENCE, "only the first request waits"
    server.process.send_signal(signal.SIGCONT)
    later = time.monotonic() + BACKOFF_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert cache.get("kept") == "in Redis"


@pytest.mark.django_db
def test_without_redis_sign_in_works_and_guessing_is_still_limited(
    client: Client, alice: User, settings: Any, nowhere: RedisOrMemory, tmp_path: Path
) -> None:
    place = {"BACKEND": "editor.cache.RedisOrMemory", "LOCATION": f"unix://{tmp_path}/nobody.sock"}
    settings.CACHES = {"default": place}
    given = {"login": alice.email, "password": PASSWORD}
    assert client.post(LOGIN, given).status_code == 302
    guesser = Client()
    for _ in range(5):
        assert guesser.post(LOGIN, given | {"password": "wrong"}).status_code == 200
    assert "Too many failed attempts" in guesser.post(LOGIN, given).text
