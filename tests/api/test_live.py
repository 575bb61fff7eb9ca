"""Tests of a running site, using the documented examples and a client written from the documentation."""

import io
import json
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests import cast
from tests.api.plain_client import EditFailed, PhotoEditor, Refused
from tests.portal import EMAIL, Portal, portal

needs_curl = pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed.")


@pytest.fixture(scope="module")
def site() -> Iterator[Portal]:
    with portal(workers=2) as running:
        yield running


@pytest.fixture(scope="module")
def key(site: Portal) -> str:
    return site.manage("create_api_key", EMAIL).strip()


@pytest.fixture
def editor(site: Portal, key: str) -> PhotoEditor:
    return PhotoEditor(site.url, key)


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def test_a_client_written_from_the_documentation_can_edit_files(site: Portal, editor: PhotoEditor) -> None:
    balance, _ = site.balance_and_held()
    photo = cast.photo_bytes(320, 200, color="crimson")
    task = editor.generate_from_files(
        "Make it black and white", [photo], outputFormat="webp", aspectRatio="1:1"
    )
    assert (task["prompt"], task["aspectRatio"]) == ("Make it black and white", "1:1")
    [result] = editor.results(task["taskId"])
    image = opened(result).convert("RGB")
    assert opened(result).format == "WEBP"
    assert image.width == image.height
    red, green, blue = image.getpixel((50, 50))  # type: ignore[misc]
    assert max(red, green, blue) - min(red, green, blue) <= 3
    assert site.balance_and_held() == (balance - 40, 0)


def test_refused_and_failed_requests_cost_nothing(site: Portal, editor: PhotoEditor) -> None:
    before = site.balance_and_held()
    photo = cast.photo_bytes()
    with pytest.raises(Refused, match=r"^Prompt is required$"):
        editor.generate("", ["https://example.org/a.jpg"])
    with pytest.raises(Refused, match=r"^At least one image URL is required$"):
        editor.generate("warmer", [])
    with pytest.raises(Refused, match=r"^Maximum 5 images allowed$"):
        editor.generate_from_files("warmer", [photo] * 6)
    refused = editor.generate_from_files("add a unicorn", [photo])
    with pytest.raises(EditFailed, match="unicorn"):
        editor.results(refused["taskId"])
    assert site.balance_and_held() == before


def test_a_balance_that_is_too_low_returns_insufficient_credits(site: Portal) -> None:
    site.manage("create_user", "poor@example.org", "--password", "a calm and quiet room 6", "--credits", "39")
    poor = PhotoEditor(site.url, site.manage("create_api_key", "poor@example.org").strip())
    with pytest.raises(Refused, match=r"^Insufficient credits$"):
        poor.generate_from_files("warmer", [cast.photo_bytes()])


def test_a_json_body_that_is_too_large_returns_413(site: Portal, key: str) -> None:
    head = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(
        f"{site.url}/api/photo-editor/generate", data=b" " * 2 * 1024 * 1024, headers=head
    )
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=60)
    with caught.value as answer:
        assert (answer.status, json.load(answer)["code"]) == (413, 413)


@needs_curl
def test_the_curl_examples_of_the_documentation_work_when_pasted(
    site: Portal, key: str, tmp_path: Path
) -> None:
    (tmp_path / "photo.jpg").write_bytes(cast.photo_bytes(64, 48))
    calls = [sample for sample in _samples(site) if sample.startswith("curl")]
    by_json, by_form, status, cancel, listed, account = (partial(_run, call, key, tmp_path) for call in calls)
    task_id = by_form()["taskId"]
    assert by_json()["inputImages"] == ["https://example.org/photo.jpg"]
    assert _wait(lambda: status(task_id)) == "SUCCESS"
    assert cancel(task_id)["status"] == "SUCCESS"
    assert task_id in [edit["taskId"] for edit in listed()["edits"]]
    assert account()["price"] == 40


@pytest.mark.parametrize("megabytes", [2, 30])
def test_a_large_upload_with_an_invalid_key_returns_401(site: Portal, megabytes: int) -> None:
    body = b"--x\r\n" + b"x" * megabytes * 1024 * 1024
    head = {"Authorization": "Bearer wrong", "Content-Type": "multipart/form-data; boundary=x"}
    request = urllib.request.Request(f"{site.url}/api/photo-editor/generate", data=body, headers=head)
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=60)
    with caught.value as answer:
        assert (answer.status, json.load(answer)["code"]) == (401, 401)


@pytest.mark.slow
def test_silent_clients_do_not_block_the_site_and_are_disconnected(site: Portal) -> None:
    host, port = site.url.removeprefix("http://").split(":")
    head = "POST /api/photo-editor/generate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\nbegun"
    silent = [socket.create_connection((host, int(port)), timeout=120) for _ in range(10)]
    for connection in silent:
        connection.sendall(head.encode())
    with urllib.request.urlopen(f"{site.url}/healthz", timeout=15) as answer:
        assert answer.status == 200
    for connection in silent:
        assert connection.recv(100) == b"", "the server closes the connection in the end"
        connection.close()


def test_the_python_example_of_the_documentation_works_when_pasted(
    site: Portal, key: str, tmp_path: Path
) -> None:
    (tmp_path / "photo.jpg").write_bytes(cast.photo_bytes(64, 48))
    [program] = [sample for sample in _samples(site) if sample.startswith("import")]
    subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env={"DARKROOM_KEY": key}, check=True, timeout=600
    )
    assert opened((tmp_path / "edited.jpg").read_bytes()).size == (64, 48)


def test_the_log_contains_no_traceback_and_no_signed_photo_url(site: Portal) -> None:
    assert "All checks passed." in site.manage("verify")
    log = site.log.read_text()
    assert "Traceback" not in log
    assert "/media/signed/references" not in log


def _samples(site: Portal) -> list[str]:
    with urllib.request.urlopen(f"{site.url}/api/docs/", timeout=60) as page:
        text = page.read().decode()
    return [unescape(one) for one in re.findall(r"<pre><code>(.*?)</code></pre>", text, re.DOTALL)]


def _run(call: str, key: str, folder: Path, task: str = "") -> dict[str, Any]:
    environment = {"DARKROOM_KEY": key, "TASK": task, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        ["sh", "-c", call], cwd=folder, env=environment, check=True, capture_output=True, timeout=600
    )
    answer = json.loads(done.stdout)
    assert answer["success"], answer
    data: dict[str, Any] = answer["data"]
    return data


def _wait(ask: Callable[[], dict[str, Any]]) -> str:
    status = ""
    for _ in range(240):
        status = ask()["status"]
        if status in ("SUCCESS", "FAILED"):
            break
        time.sleep(0.5)
    return status
