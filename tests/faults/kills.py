"""Run a complete site and kill its processes: `python -m tests.faults.kills --kills 1000 [--postgres]`.

Clients submit edits over HTTP and cancel some of them. Meanwhile, processes are killed at each crash point
and at random moments, or they are stopped for longer than their lease and then continued. A client that gets
no response repeats the request with the same key. At the end of the run, every accepted edit must have ended
exactly once. All successful edits, and no others, must have been paid for.
"""

import argparse
import contextlib
import itertools
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from editor import crash_points
from editor.imaging.samples import landscape
from tests import load, postgres
from tests.api.plain_client import FAILED, SUCCESS
from tests.benchmarks.upstream import far_end
from tests.faults.killable_site import notes_folder
from tests.portal import Portal, portal

KILL_POINTS = (
    *(point for point in crash_points.POINTS if not point.startswith(("purge.", "audit."))),
    # These processes are killed at random moments.
    "web",
    "worker",
    "housekeeping",
)
type Disruption = Callable[["KillRun"], None]
SENDERS = 6  # number of threads that submit edits
KILLERS = 4  # number of threads that kill processes
CANCEL_EVERY = 4  # One edit in this number of edits is cancelled.
STOPPED_SECONDS = 4.0  # number of seconds for which a process is stopped; must be longer than a lease
PASSED_SECONDS = 120  # maximum seconds until a process passes a crash point
ENDED_SECONDS = 120  # maximum seconds until all edits have ended
DRAINED_SECONDS = 30  # maximum seconds for a clean stop of the site
AGED_SECONDS = 2 * 3600  # age, in seconds, at which the sweep removes files that crashes left behind
CREDITS = 10_000_000
PHOTO = landscape(1)
SETTINGS = load.SETTINGS | {"LEASE_SECONDS": "3"}
SET_UP = """
from editor.models import User
from editor.services.people import accounts
from editor.services.billing import credits
from editor.services.editing import webhooks
from tests import cast
actor = cast.actor_of(User.objects.get())
credits.grant(None, actor.workspace, amount={credits}, reason="For the fire", reference="fire")
webhooks.add_endpoint(actor, url={told!r})
print(accounts.create_api_key(actor, name="fire")[1])
"""
LEASED = """
from editor.models import Edit
from editor.models.clock import database_now
print(Edit.objects.open().filter(lease_until__gt=database_now()).count())
"""
SWEEP_FILES = "from editor.services.photos import photos; photos.remove_orphans()"


@dataclass
class KillRun:
    """The clients of a site and the threads that kill its processes.

    `tasks` contains the accepted tasks, along with their states, and `prompts` contains the prompts of these
    tasks. `slowest` is the longest duration. `violations` contains a sentence for each violated invariant.
    """

    site: Portal
    key: str
    tasks: dict[str, str] = field(default_factory=dict)
    prompts: set[str] = field(default_factory=set)
    kills: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    slowest: float = 0.0
    _over: threading.Event = field(default_factory=threading.Event)
    _turns: dict[str, threading.Lock] = field(default_factory=lambda: defaultdict(threading.Lock))

    def execute(self, kills: int, disruption: Disruption | None) -> None:
        """Start clients, run `disruption` if given, and then kill or stop processes `kills` times.

        Then wait until all accepted edits have ended.
        """
        notes_folder(self.site.data_dir).mkdir(exist_ok=True)
        senders = [threading.Thread(target=self._send, args=(n,)) for n in range(SENDERS)]
        for sender in senders:
            sender.start()
        try:
            if disruption:
                disruption(self)
            with ThreadPoolExecutor(KILLERS) as strikers:
                list(strikers.map(self._strike, range(kills)))
            self._deploy()
        finally:
            self._over.set()
            for sender in senders:
                sender.join()

    def request(self, method: str, operation: str, **more: Any) -> dict[str, Any]:
        """Return the data from the response. If no response arrives, repeat the request until one does."""
        url = f"{self.site.url}/api/photo-editor/{operation}"
        headers = {"Authorization": f"Bearer {self.key}", **more.pop("headers", {})}
        while True:
            with contextlib.suppress(httpx.TransportError):
                answer = httpx.request(method, url, headers=headers, timeout=30, **more)
                if answer.status_code == 200:
                    return dict(answer.json()["data"])
                if answer.status_code not in (409, 503):
                    self.errors.append(f"{operation} was answered by {answer.status_code}: {answer.text}")
                    raise RuntimeError(self.errors[-1])
            time.sleep(0.2)

    def _send(self, sender: int) -> None:
        for number in itertools.count(1):
            if self._over.is_set():
                return
            prompt = f"sender {sender}, number {number}"
            files = {"file0": ("photo.jpg", PHOTO, "image/jpeg")}
            sent = {"headers": {"Idempotency-Key": prompt}, "data": {"prompt": prompt}, "files": files}
            task = self.request("POST", "generate", **sent)["taskId"]
            self.prompts.add(prompt)
            if (sender + number) % CANCEL_EVERY == 0:
                self.request("POST", "cancel", json={"taskId": task})
            self._follow(task)

    def _follow(self, task: str) -> None:
        begun = time.monotonic()
        while (seconds := time.monotonic() - begun) < ENDED_SECONDS:
            self.tasks[task] = self.request("GET", "status", params={"taskId": task})["status"]
            if self.tasks[task] in (SUCCESS, FAILED):
                break
            time.sleep(0.5)
        self.slowest = max(self.slowest, seconds)

    def _deploy(self) -> None:
        """Stop the site cleanly and start it again while clients send edits."""
        time.sleep(STOPPED_SECONDS)  # Wait until the leases of killed processes have expired.
        begun = time.monotonic()
        self.site.stop()
        if (seconds := time.monotonic() - begun) > DRAINED_SECONDS:
            self.errors.append(f"The site took {seconds:.0f} s to stop.")
        if (leased := self.site.manage("shell", "-v", "0", "-c", LEASED).strip()) != "0":
            self.errors.append(f"{leased} edits are leased to nobody.")
        self.site.start()

    def _strike(self, number: int) -> None:
        turn, place = divmod(number, len(KILL_POINTS))
        where, how = KILL_POINTS[place], signal.SIGSTOP if turn % 2 else signal.SIGKILL
        with self._turns[where]:
            pid = self._at_point(where, how) if "." in where else self._at_any_moment(where, how)
        if pid is None:
            self.errors.append(f"Nobody passed {where}.")
        else:
            self.kills[f"{how.name} at {where}"] += 1
            if how == signal.SIGSTOP:
                time.sleep(STOPPED_SECONDS)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def _at_point(self, where: str, how: signal.Signals) -> int | None:
        notes = notes_folder(self.site.data_dir)
        draft = notes / f"draft of {where}"
        draft.write_text(str(int(how)))
        draft.rename(notes / where)
        until = time.monotonic() + PASSED_SECONDS
        while time.monotonic() < until and not self.errors:
            for taken in notes.glob(f"{where}.*"):
                taken.unlink()
                return int(taken.suffix[1:])
            time.sleep(0.05)
        return None

    def _at_any_moment(self, where: str, how: signal.Signals) -> int | None:
        for _ in range(100):
            time.sleep(random.random())
            with contextlib.suppress(IndexError, ProcessLookupError):
                pid = random.choice(self.site.pids(where))
                os.kill(pid, how)
                return pid
        return None


@contextmanager
def kill_run(kills: int, database_url: str = "", disruption: Disruption | None = None) -> Iterator["KillRun"]:
    """Run the clients while processes are killed, and yield the run after it has ended.

    The run's `violations` contain a sentence for each error.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        far_end(Path(folder), task_seconds=0.5, fault_every=10) as base_url,
    ):
        settings: dict[str, Any] = {**SETTINGS, "PHOTO_EDITOR_BASE_URL": base_url}
        settings |= {"OUTBOUND_ALLOWED_ORIGINS": base_url}
        settings |= {"DATABASE_URL": database_url} if database_url else {}
        with portal(workers=4, program=("-m", "tests.faults.killable_site"), **settings) as site:
            set_up = SET_UP.format(credits=CREDITS, told=f"{base_url}/told")
            fire = KillRun(site, site.manage("shell", "-v", "0", "-c", set_up).strip())
            fire.execute(kills, disruption)
            site.stop()
            fire.errors += [*_sent_twice(fire, base_url), *_left(site)]
            fire.errors += load.violations(site, load.Measurements(tasks=fire.tasks), credits=CREDITS + 4000)
            yield fire


def _sent_twice(fire: KillRun, base_url: str) -> Iterator[str]:
    with urllib.request.urlopen(f"{base_url}/prompts", timeout=60) as answer:
        for prompt, times in json.load(answer).items():
            if times > 1 or prompt not in fire.prompts:
                yield f"The engine got {prompt!r} {times} times."


def _left(site: Portal) -> Iterator[str]:
    """Run the sweep as if hours had passed, and yield a sentence for everything that crashes left behind.

    Afterward, `verify` shows whether the sweep removed too much.
    """
    then = time.time() - AGED_SECONDS
    stored = [*site.data_dir.glob("photos/**/*"), *site.data_dir.glob("work/**/*")]
    for path in stored:
        os.utime(path, (then, then))
    site.manage("shell", "-v", "0", "-c", SWEEP_FILES)
    for path in site.data_dir.glob("work/*"):
        yield f"{path.name} was left in the work folder."


def main(kills: int, *, on_postgres: bool) -> int:
    """Return 1 if an edit was lost, ended in a wrong state, was sent twice, or was paid for twice."""
    begun = time.monotonic()
    with (
        postgres.cluster() if on_postgres else nullcontext() as cluster,
        kill_run(kills, cluster.url if cluster else "") as fire,
    ):
        lines = [
            f"{sum(fire.kills.values())} strikes in {time.monotonic() - begun:.0f} s",
            f"{len(fire.tasks)} edits accepted: {dict(Counter(fire.tasks.values()))}",
            f"the slowest ended after {fire.slowest:.0f} s",
            *fire.errors,
        ]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(bool(fire.errors))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="how many strikes (%(default)s)")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own")
    asked = parser.parse_args()
    sys.exit(main(asked.kills, on_postgres=asked.postgres))
