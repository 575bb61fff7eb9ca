"""Measure how many polls of a running edit are served per second of CPU time.

The rate is compared with that of an empty Django view.
"""

import json
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from tests.benchmarks import Row
from tests.benchmarks.startup import cpu
from tests.portal import EMAIL, ROOT, Portal, portal

CALLERS = 4  # number of threads that send polls
SECONDS = 3.0  # duration of each measurement, in seconds
ROUNDS = 3
LEAST_SHARE = 0.85
EMPTY = "tests.benchmarks._empty_settings"
RUNNING = """
import datetime, json
from django.test import Client
from django.utils import timezone
from editor.models import Edit, User
from editor.services.core import links
from tests import cast
user = User.objects.get(email={email!r})
later = timezone.now() + datetime.timedelta(hours=1)
edit = cast.make_edit(user, state="RUNNING", progress=40, due=later, deadline=later)
Edit.objects.update(created=later - datetime.timedelta(hours=2))  # polled as seldom as an edit ever is
client = Client(headers={{"host": "127.0.0.1"}})
client.force_login(user)
path = f"/s/{{links.sign_status(edit, user)}}/"
print(json.dumps([path, client.cookies["darkroom_session"].value, client.get(path).headers["ETag"]]))
"""


def run() -> list[Row]:
    """Measure the best of three rounds of each kind, alternating.

    A round takes three seconds and uses four persistent connections.
    """
    with portal() as site, portal(account=False, DJANGO_SETTINGS_MODULE=EMPTY) as empty:
        path, session, tag = _running_edit(site)
        cookie = f"Cookie: darkroom_session={session}\r\nHX-Request: true\r\n"
        calls = {
            "empty view": (empty, _request("/empty/", ""), b" 200 "),
            "poll": (site, _request(path, cookie), b" 200 "),
            "poll, nothing changed": (site, _request(path, f"{cookie}If-None-Match: {tag}\r\n"), b" 304 "),
        }
        rounds = [{name: _rate(*call) for name, call in calls.items()} for _ in range(ROUNDS)]
    rates = {name: max(rates[name] for rates in rounds) for name in calls}
    return [
        Row("empty view", rates["empty view"], None, "a second of CPU", True),
        *(_share(name, rates) for name in calls if name != "empty view"),
    ]


def _share(name: str, rates: dict[str, float]) -> Row:
    share = rates[name] / rates["empty view"]
    label = f"{name}, {rates[name]:.0f} a second of CPU"
    return Row(label, share, LEAST_SHARE, "x (least)", share >= LEAST_SHARE)


def _running_edit(site: Portal) -> tuple[str, str, str]:
    """Return the signed path of a running edit, the session of the edit's owner, and the current ETag."""
    code = RUNNING.format(email=EMAIL)
    path, session, tag = json.loads(site.manage("shell", "-v", "0", "-c", code).splitlines()[-1])
    return path, session, tag


def _request(path: str, headers: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}\r\n".encode()


def _rate(site: Portal, request: bytes, status: bytes) -> float:
    """Return the number of responses per second of the web server's CPU time.

    A separate process sends the requests.
    """
    code = (
        "import sys; from tests.benchmarks.poll_rate import ask; "
        f"print(ask({site.url!r}, {request!r}, {status!r}))"
    )
    before = sum(map(cpu, site.pids("web")))
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return int(answer.stdout) / (sum(map(cpu, site.pids("web"))) - before)


def ask(url: str, request: bytes, status: bytes) -> int:
    """Send requests for three seconds from four threads, and return the number of requests.

    Each thread has one connection.
    """
    with ThreadPoolExecutor(CALLERS) as callers:
        return sum(callers.map(lambda _: _count(url, request, status), range(CALLERS)))


def _count(url: str, request: bytes, status: bytes) -> int:
    """Return the number of responses.

    All responses have the same length as the first one, so the position at which each response ends is known.
    """
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port or 80), timeout=10) as connection:
        connection.sendall(request)
        time.sleep(0.5)  # A busy machine may send the first response in pieces, so wait for all of it.
        length = len(first := connection.recv(1 << 20))
        assert status in first.partition(b"\r\n")[0], first
        count, until = 1, time.monotonic() + SECONDS
        while time.monotonic() < until:
            connection.sendall(request)
            left = length
            while left > 0:
                left -= len(connection.recv(left))
            count += 1
    return count
