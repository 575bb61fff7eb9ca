"""Tests for how much memory one request may use, measured from outside the process."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hostile_server import (
    HostileServer,
    Script,
    answer,
    chunked,
    endless,
    gzip_bomb,
    many_headers,
    raw,
)

ROOT = Path(__file__).resolve().parents[2]
MOST_MEGABYTES = 64


def measured(what: str, script: Script, folder: Path) -> tuple[dict[str, Any], HostileServer]:
    with HostileServer(answer(200), script) as server:
        command = [sys.executable, "-m", "tests.outbound.fetch", what, server.origin, str(folder)]
        done = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    output: dict[str, Any] = json.loads(done.stdout)
    return output, server


@pytest.mark.parametrize(
    ("script", "ended"),
    [
        pytest.param(gzip_bomb(200), "too_large", id="gzip bomb of 200 MB"),
        pytest.param(gzip_bomb(200, layers=2), "broken", id="gzip bomb in a gzip bomb"),
        pytest.param(endless(), "too_large", id="endless body"),
        pytest.param(many_headers(), "broken", id="200 headers of 4 kB"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 50_000_000), "broken", id="endless header"),
        pytest.param(chunked(b"x" * 80_000_000), "too_large", id="one huge chunk"),
    ],
)
def test_a_hostile_response_takes_little_memory(tmp_path: Path, script: Script, ended: str) -> None:
    used, _ = measured("call", script, tmp_path)
    assert used["ended"] == ended
    assert used["megabytes"] <= MOST_MEGABYTES


def test_a_large_download_takes_little_memory(tmp_path: Path) -> None:
    used, _ = measured("download", answer(200, bytes(100_000_000)), tmp_path)
    assert used["ended"] == "100000000 bytes"
    assert used["megabytes"] <= MOST_MEGABYTES / 4


def test_a_download_of_a_gzip_bomb_ends_at_the_limit(tmp_path: Path) -> None:
    used, _ = measured("download", gzip_bomb(200), tmp_path)
    assert used["ended"] == "too_large"
    assert used["megabytes"] <= MOST_MEGABYTES / 4
    assert list(tmp_path.iterdir()) == []


def test_five_photos_of_20_megabytes_are_sent_from_the_disk(tmp_path: Path) -> None:
    for number in range(5):
        with (tmp_path / f"photo-{number}").open("wb") as file:
            file.truncate(20 * 1024 * 1024)
    used, server = measured("upload", answer(200), tmp_path)
    assert used["ended"] == "200"
    assert used["megabytes"] <= MOST_MEGABYTES / 4
    assert server.requests[1].length > 5 * 20 * 1024 * 1024
