"""The simulated environment: the queue of wake-ups, the disk, the child processes, and the engine's site.

Everything between this environment and the database is the real product.
"""

import errno
import hashlib
import heapq
import itertools
import json
import os
import random
import shutil
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.db import connection

from editor.imaging.errors import ChildLost, JobError, PhotoError, SandboxError
from editor.imaging.image_answers import NotUnpacked
from editor.models import Edit, WebhookDelivery
from editor.models.clock import database_now
from editor.outbound import OutboundError, Response, calls
from editor.providers import openai_images, photo_editor
from editor.services.billing import credits
from editor.services.core import audit
from editor.services.editing import adapters, leases, lifecycle, results, submit, webhooks
from editor.services.library import batches
from editor.services.maintenance import trash
from editor.services.photos import analysis, photos
from tests.simulator import queue
from tests.simulator.scheduler import BETWEEN, INSIDE, Scheduler, SimulatedProcess
from tests.simulator.settings import UPSTREAM

WAKE_UPS = {"lost": 0.06, "twice": 0.05, "late": 0.05}
CREATES = {
    "refused": 0.03,
    "answer lost": 0.04,
    "reset": 0.03,
    "busy": 0.05,
    "broken": 0.03,
    "rejected": 0.03,
    "no credits": 0.01,
    "nonsense": 0.02,
    "at once": 0.06,
    "slow": 0.06,
}
STATUSES = {
    "not yet": 0.25,
    "unknown word": 0.05,
    "null": 0.03,
    "lost": 0.03,
    "broken": 0.04,
    "not found": 0.04,
    "busy": 0.03,
    "another task": 0.02,
    "no images": 0.02,
    "failed": 0.04,
    "failed, then not": 0.02,
    "no credits": 0.01,
}
DOWNLOADS = {"not found": 0.04, "cut": 0.04, "garbage": 0.03}
CHILDREN = {"lost": 0.02, "full": 0.01, "slow": 0.04}
WRITES = {"full": 0.004, **BETWEEN}
WEBHOOK_CALLS = {"lost": 0.1, "broken": 0.1, "answer lost": 0.1, "gone": 0.03}
ENGINE = {"lost": 0.03, "failed": 0.02, "slow": 0.1, "memory": 0.02}


@dataclass
class Task:
    """A record of a create request, kept on the engine's site."""

    name: str
    outputs: int
    ends: str = ""


@dataclass
class World:
    """One simulated site, along with its environment.

    Upstream tasks are stored by name. `arrived` counts the create requests that reached the engine, by the
    label of the edit.
    """

    stage: Scheduler
    tasks: dict[str, Task] = field(default_factory=dict)
    arrived: Counter[str] = field(default_factory=Counter)
    blamed: set[str] = field(default_factory=set)  # the edits that the engine has reported as failed
    # the number of deliveries of each webhook message, by its ID
    webhook_counts: Counter[str] = field(default_factory=Counter)
    caps_set: dict[str, int] = field(default_factory=dict)  # the highest cap that each name has had
    script: dict[int, Any] = field(default_factory=dict)  # the actions by their number
    # the edits that a person cancels while results are being stored
    watched: set[str] = field(default_factory=set)
    storing_edits: set[str] = field(default_factory=set)  # the edits with a stored result
    is_full: bool = False
    recovered_at: float = 0.0  # the second after which faults no longer happen
    _waiting: list[tuple[float, int, int, Any, tuple[Any, ...]]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _labels: dict[str, str] = field(default_factory=dict)
    _synced: set[int] = field(default_factory=set)
    _named: set[str] = field(default_factory=set)

    # ---- the queue

    def queue(self, task: Any, args: Any) -> None:
        actor, label = self.stage.actor(), self.label(task, args)
        name = f"wake-up {label} {self.stage.number(f'wake {label}')}"
        fate = self.stage.chance.pick(name, WAKE_UPS)
        if actor:
            actor.pause(BETWEEN, f"before it enqueues the wake-up of {label}")
        if fate:
            self.stage.log(f"a wake-up of {label} is {'doubled' if fate == 'twice' else fate}")
        after = max(0.0, task.run_after.timestamp() - now()) if task.run_after else 0.0
        for _ in range({"lost": 0, "twice": 2}.get(fate, 1)):
            at = self.stage.seconds + after + (20 if fate == "late" else 0)
            heapq.heappush(self._waiting, (at, -task.priority, next(self._numbers), task, tuple(args)))

    def next_wake_up(self) -> float:
        return self._waiting[0][0] if self._waiting else float("inf")

    def take_wake_up(self) -> tuple[Any, tuple[Any, ...]] | None:
        if self.next_wake_up() > self.stage.seconds:
            return None
        *_, task, args = heapq.heappop(self._waiting)
        return task, args

    def note_result(self, actor: SimulatedProcess) -> None:
        """Before this edit's worker can end the edit, let the threads that watch the edit run."""
        self.storing_edits.add(actor.current_edit)
        if actor.current_edit in self.watched:
            actor.wait(0)

    @property
    def is_idle(self) -> bool:
        return not self._waiting and not any(
            actor.job for actor in self.stage.actors if actor.name != "power"
        )

    def label(self, task: Any, args: Any) -> str:
        """Return the name of the edit that a task advances, or the name of any other task.

        The name of an edit stays the same if other actions are left out.
        """
        if task.func is not lifecycle.advance.func:
            return str(task.func.__name__)
        if args[0] not in self._labels:
            self._labels[args[0]] = label_of(Edit.objects.values_list("submit_id", flat=True).get(id=args[0]))
        return self._labels[args[0]]

    # ---- the disk

    def synced(self, handle: int) -> None:
        """Record that the content of a file, or the names in a folder, would survive a power failure."""
        self._synced.add(os.fstat(handle).st_ino)
        if os.path.isdir(path := os.readlink(f"/proc/self/fd/{handle}")):
            self._named |= {f"{path}/{name}" for name in os.listdir(path)}

    def lose_power(self) -> None:
        """End all processes, and keep only those parts of the files that were synced."""
        self.stage.log("the power fails")
        for actor in [one for one in self.stage.actors if one is not self.stage.actor()]:
            self.stage.replace_process(actor)
        for path in [*settings.PHOTOS_DIR.glob("*"), *settings.PHOTOS_DIR.glob("*/*")]:
            if str(path) not in self._named:
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            elif path.is_file() and path.stat().st_ino not in self._synced:
                path.write_bytes(b"")
        shutil.rmtree(settings.WORK_DIR, ignore_errors=True)

    def touch(self, path: Path) -> None:
        """Set the file's modification time to the scheduler's time."""
        with_time = (now(), now())
        if path.exists():
            os.utime(path, with_time)

    def write(self, what: str) -> None:
        """Run this hook before something is written to the disk or removed from the disk."""
        actor = self.stage.actor()
        if actor is None or not actor.job:
            return
        odds = INSIDE if connection.in_atomic_block else BETWEEN if what == "unlink" else WRITES
        if self.is_full and what != "unlink":
            odds = {"full": 0.5, **odds}
        if actor.pause(odds, f"at {what}") == "full":
            actor.disturb()
            self.stage.log(f"{actor.name} ({actor.job}) finds the disk full at {what}")
            raise OSError(errno.ENOSPC, "No space left on device")

    # Methods that simulate the engine's site

    def call(self, method: str, url: str, *, stop: threading.Event | None = None, **body: Any) -> Response:
        actor = self.current_process()
        create = method == "POST"
        label = actor.current_edit
        kind = "create" if create else "status"
        fate = self.stage.chance.pick(f"{kind} {label} {self.stage.number(f'{kind} {label}')}", _ODDS[kind])
        if fate:
            actor.disturb()
            self.stage.log(f"the engine's answer to the {kind} of {label}: {fate}")
        seconds = {"slow": 40.0, "lost": 15.0, "answer lost": 30.0}.get(fate, 0.2)
        answer = self._create(label, fate, body) if create else self._status(label, fate, body)
        actor.sleep(seconds, stop.is_set if stop else lambda: False)
        if stop is not None and stop.is_set():
            raise OutboundError("stopped", sent=True)
        if isinstance(answer, OutboundError):
            raise answer
        return answer

    def call_models(
        self, method: str, url: str, *, target: Path, data: Mapping[str, str], stop: threading.Event, **_: Any
    ) -> Response:
        """Respond to an edit as an images API server does, with the results in the response."""
        label = self.current_process().current_edit
        is_repeatable = any(engine.options.get("repeatable") for engine in settings.ENGINES)
        headers = {"Idempotency-Key": label.replace(" ", "-")} if is_repeatable else {}
        answer = self.call(method, url, stop=stop, headers=headers, data={"numImages": data["n"]})
        if answer.status == 200 and answer.content.startswith(b"{"):
            results = [{"b64_json": f"PHOTO of {label} {n}"} for n in range(int(data["n"]))]
            target.write_text(json.dumps({"data": results}))
        elif answer.status == 200:
            target.write_bytes(answer.content)
        return answer

    def _create(self, label: str, fate: str, body: Mapping[str, Any]) -> Response | OutboundError:
        failures: dict[str, Response | OutboundError] = {
            "refused": OutboundError("unreachable"),
            "reset": OutboundError("broken", sent=True),
            "busy": _answer(429, {"success": False, "message": "busy"}, {"retry-after": "5"}),
            "rejected": _answer(422, {"code": 422, "success": False, "message": "I can't do that."}),
            "no credits": _answer(402, {"code": 402, "success": False, "message": "Insufficient credits"}),
        }
        if fate in failures:
            self.blamed |= {label} if fate == "rejected" else set()
            return failures[fate]
        task = self._task(label, body)
        late: dict[str, Response | OutboundError] = {
            "answer lost": OutboundError("timeout", sent=True),
            "broken": _answer(500, {}),
            "nonsense": Response(200, {}, b"<html>"),
            "at once": _success(_images(task)),
        }
        return late.get(fate) or _success({"taskId": task.name})

    def _task(self, label: str, body: Mapping[str, Any]) -> Task:
        """Return the task for a create request.

        This is a new task or, if another Darkroom repeats a key, the earlier task that has this key.
        """
        data = body.get("json") or body.get("data") or {}
        name = f"task-{label}-{self.arrived[label]}".replace(" ", "-")
        name = body["headers"].get("Idempotency-Key", name)
        if name not in self.tasks:
            self.tasks[name] = Task(name, int(data.get("numImages", 1)))
            self.arrived[label] += 1
        return self.tasks[name]

    def _status(self, label: str, fate: str, body: Mapping[str, Any]) -> Response | OutboundError:
        name = body["params"]["taskId"]
        task = self.tasks.get(name)
        if task is None:
            return _answer(404, {"code": 404, "success": False, "message": "There is no such task."})
        if fate in ("failed", "failed, then not", "no images", "no credits"):
            self.blamed.add(label)
            task.ends = task.ends or (fate if fate == "failed" else "")
        reason = "Insufficient credits" if fate == "no credits" else "It could not be done."
        failed = _success({"taskId": name, "status": "FAILED", "message": reason})
        answers: dict[str, Response | OutboundError] = {
            "not yet": _success({"status": "RUNNING"}),
            "unknown word": _success({"status": "SIMMERING"}),
            "null": _success(None),
            "lost": OutboundError("timeout", sent=True),
            "broken": _answer(502, {}),
            "not found": _answer(404, {"code": 404, "success": False}),
            "busy": _answer(429, {}, {"retry-after": "3"}),
            "another task": _success({"taskId": "task-of-somebody", **_images(Task("other", 1))}),
            "no images": _success({"taskId": name, "status": "SUCCESS", "images": []}),
        }
        if task.ends or fate in ("failed", "failed, then not", "no credits"):
            return failed
        return answers.get(fate) or _success({"taskId": name, **_images(task)})

    def download(self, url: str, target: Path, *, stop: threading.Event | None = None, **_: Any) -> str:
        """Download a result.

        The provider's threads do not wait, so random decisions depend only on names.
        """
        name = url.rpartition("/")[2]
        with self._lock:
            fate = self.stage.chance.pick(f"download {name} {self.stage.number(name)}", DOWNLOADS)
            if fate:
                self.stage.log(f"the download of {name}: {fate}")
        if fate in ("not found", "cut"):
            kind, status = ("status", 404) if fate == "not found" else ("broken", None)
            raise OutboundError(kind, sent=True, status=status)
        target.write_bytes(b"<html>" if fate == "garbage" else f"PHOTO of {name}".encode())
        return "image/png"

    _lock: threading.Lock = field(default_factory=threading.Lock)

    # ---- webhooks

    def deliver_due(self) -> None:
        """Deliver webhooks as `webhooks.deliver_due` does, but without its threads."""
        due = WebhookDelivery.objects.filter(state="WAITING", due__lte=database_now())
        for delivery_id in list(due.order_by("due").values_list("id", flat=True)):
            webhooks.deliver(delivery_id)

    def call_webhook(self, method: str, url: str, *, headers: Mapping[str, str], **_: Any) -> Response:
        name = headers["webhook-id"]
        fate = self.stage.chance.pick(f"telling {self.stage.number('telling')}", WEBHOOK_CALLS)
        if fate == "lost":
            raise OutboundError("timeout", sent=True)
        if fate in ("broken", "gone"):
            return Response(500 if fate == "broken" else 410, {}, b"")
        self.webhook_counts[name] += 1
        if fate == "answer lost":
            raise OutboundError("timeout", sent=True)
        return Response(200, {}, b"")

    # ---- child processes

    def child(self, function: str, /, **arguments: Any) -> Any:
        """A simulation of editor.imaging.stored_photos that uses files of a few bytes."""
        actor = self.current_process()
        job = f"child of {actor.job} {self.stage.number(f'child {actor.job}')}"
        fate = self.stage.chance.pick(job, CHILDREN)
        if fate:
            actor.disturb()
            self.stage.log(f"{actor.name} ({actor.job}): its child is {fate}")
        if fate == "slow":
            actor.sleep(20)
        elif fate:
            raise ChildLost("crashed", "lost") if fate == "lost" else SandboxError("full", "full")
        source = Path(arguments["source"])
        content = source.read_bytes()
        if function.endswith(":inspect"):
            return {"path": str(source), "kind": "png", "width": 4, "height": 3}
        if function.endswith(":prepare"):
            self.touch(Path(arguments["target_stem"]).parent)
            return {"photo": str(source), "mask": None, "width": 4, "height": 3}
        stem = Path(arguments["target_stem"])
        if function.endswith(":unpack"):
            return _unpacked(content, stem)
        if not content.startswith(b"PHOTO"):
            raise PhotoError("This is no photo.")
        self.touch(stem.parent)
        for width in arguments.get("widths", photos.WIDTHS):
            stem.with_name(f"{stem.name}-{width}.webp").write_bytes(content)
        if function.endswith(("rebuild", "reencode_result")):
            content += b" made anew"
            stem.with_name(f"{stem.name}.jpg").write_bytes(content)
        return _facts(content)

    def analyze(self, function: str, /, **arguments: Any) -> Any:
        """Fail like the real child process, which finds no photo in the simulated files.

        A real one would stay locked after its process was killed.
        """
        self.current_process().pause(BETWEEN, "while it analyzes a photo")
        raise JobError("This is no photo.")

    def current_process(self) -> SimulatedProcess:
        """Return the actor whose turn it is."""
        actor = self.stage.actor()
        assert actor is not None
        return actor


@dataclass
class EmbeddedEngine:
    """A replacement for the child process of the embedded engine."""

    stopped: set[str] = field(default_factory=set)

    def call(self, function: str, /, on_progress: Any = None, **arguments: Any) -> Any:
        actor = world().current_process()
        stage, label = world().stage, actor.current_edit
        fate = stage.chance.pick(f"engine {label} {stage.number(f'engine {label}')}", ENGINE)
        if fate:
            actor.disturb()
            stage.log(f"our own engine, on {label}: {fate}")
        self.stopped.discard(actor.name)
        actor.sleep(40.0 if fate == "slow" else 0.5, lambda: actor.name in self.stopped)
        if actor.name in self.stopped:
            raise SandboxError("stopped", "The work was stopped.")
        if fate == "lost":
            raise ChildLost("crashed", "lost")
        if fate in ("failed", "memory"):
            world().blamed.add(label)
            raise SandboxError("memory", "memory")
        outputs = []
        for number in range(1, arguments["time_factor"] + 1):
            path = Path(f"{arguments['output_stem']}-{number}.jpg")
            path.write_bytes(f"PHOTO of {label} {number}".encode())
            outputs.append({"path": str(path), "view_scale": 1.0})
        return {"outputs": outputs, "notices": []}

    def stop(self) -> None:
        self.stopped.add(world().current_process().name)

    def warm(self) -> None:
        """Do nothing, because the simulated child process is always warm."""


@dataclass
class SimulatedLock:
    """A replacement for the lock of the machine. As with a real file lock, a killed process releases it."""

    holder: SimulatedProcess | None = None

    @contextmanager
    def held(self, patience: float | None, is_wanted: Callable[[], bool]) -> Iterator[bool]:
        """Yield whether the lock is free. Nobody waits for it."""
        actor = world().current_process()
        is_free = self.holder is None or self.holder.is_dead
        if is_free:
            self.holder = actor
        try:
            yield is_free
        finally:
            if self.holder is actor:
                self.holder = None

    def is_awaited(self) -> bool:
        return False


class SimulatedHeartbeat(leases.Heartbeat):
    """A heartbeat that follows the scheduler's time while work on the edit is waiting."""

    def __enter__(self) -> "SimulatedHeartbeat":
        actor = world().current_process()
        actor.beat = self._renew
        return self

    def __exit__(self, *_: object) -> None:
        world().current_process().beat = None


_worlds: list[World] = []
_WITH_POINTS = (audit, credits, leases, lifecycle, photos, results, submit, trash, webhooks)
_ODDS = {"create": CREATES, "status": STATUSES}


def world() -> World:
    """Return the world of the current schedule."""
    return _worlds[-1]


def now() -> float:
    """Return the time on the host's clock, which follows the scheduler's clock."""
    import time

    return time.time()


def submit_id(act: int, number: int = 0) -> uuid.UUID:
    return uuid.UUID(int=0xED17 << 64 | act << 16 | number)


def label_of(found: uuid.UUID) -> str:
    act, number = found.int >> 16 & 0xFFFF, found.int & 0xFFFF
    return f"edit {act}" + (f".{number}" if number else "")


def _watched_lease(edit: Edit, at: datetime) -> Edit | None:
    """Let the oracle check each claim.

    Afterward, the worker's job is the claimed edit, which may differ from the edit that the wake-up named.
    """
    from tests.simulator import oracle  # This import is here because the oracle imports this module.

    actor = world().current_process()
    with oracle.paused(actor.stage):
        for sentence in oracle.unfair_starts(edit):
            actor.stage.fail(sentence)
    claimed = _lease(edit, at)
    if claimed is not None:
        actor.current_edit = label_of(claimed.submit_id)
    return claimed


_lease = leases._lease


@contextmanager
def simulated_world(stage: Scheduler, seed: int) -> Iterator[World]:
    """Return a world in which random decisions control everything that may vary."""
    made = World(stage)
    _worlds.append(made)
    rng = random.Random(seed)
    random.seed(seed)
    replace, unlink = os.replace, os.unlink

    def syncing(handle: int) -> None:
        made.write("fsync")
        made.synced(handle)

    def replacing(source: Any, target: Any, **options: Any) -> None:
        made.write("rename")
        replace(source, target, **options)
        made.touch(Path(target))

    def unlinking(path: Any, **options: Any) -> None:
        if str(path).startswith(str(settings.PHOTOS_DIR)):
            made.write("unlink")
        unlink(path, **options)

    def passing(name: str) -> None:
        if actor := stage.actor():
            if name == "storing.row_written":
                made.note_result(actor)
            actor.pause(INSIDE if connection.in_atomic_block else BETWEEN, f"at {name}")

    child = SimpleNamespace(call=made.child)
    with ExitStack() as patches:
        for target, name, stand_in in (
            (os, "urandom", rng.randbytes),
            (random, "_urandom", rng.randbytes),
            (os, "fsync", syncing),
            (os, "replace", replacing),
            (os, "unlink", unlinking),
            (photo_editor, "call", made.call),
            (photo_editor, "download", made.download),
            (openai_images, "call", made.call_models),
            (calls, "download", made.download),
            (calls, "call", made.call_webhook),
            (webhooks, "deliver_due", made.deliver_due),
            (photos, "ORPHAN_SECONDS", 900),  # must be larger than the largest simulated change to the clock
            (photos, "worker_pool", child),
            (photos, "large_child_lock", SimulatedLock()),
            (analysis, "background_analyzer", SimpleNamespace(call=made.analyze)),
            (photos, "upload_pool", child),
            (adapters, "worker_pool", child),
            (batches, "_id_of", lambda order, number: uuid.UUID(int=order.int + number)),
            (adapters, "Sandbox", lambda *_, **__: EmbeddedEngine()),
            (leases, "Heartbeat", SimulatedHeartbeat),
            (leases, "_lease", _watched_lease),
            (leases, "time", SimpleNamespace(monotonic=lambda: stage.seconds)),
            *((module, "crash_point", passing) for module in _WITH_POINTS),
        ):
            patches.enter_context(patch.object(target, name, stand_in))
        adapters.provider_named.cache_clear()
        queue.receivers.append(made.queue)
        try:
            yield made
        finally:
            queue.receivers.pop()
            _worlds.pop()
            adapters.provider_named.cache_clear()


def _images(task: Task) -> dict[str, Any]:
    place = f"{UPSTREAM.base_url}/results/{task.name}"
    return {"status": "SUCCESS", "images": [{"url": f"{place}-{n}.png"} for n in range(1, task.outputs + 1)]}


def _success(data: Any) -> Response:
    return _answer(200, {"code": 0, "success": True, "data": data})


def _answer(status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    return Response(status, dict(headers or {}), json.dumps(body).encode())


def _unpacked(content: bytes, stem: Path) -> dict[str, Any]:
    if not content.startswith(b"{"):
        raise NotUnpacked("This is not JSON.")
    results = []
    for number, entry in enumerate(json.loads(content)["data"], start=1):
        path = stem.with_name(f"{stem.name}-{number}")
        path.write_text(entry["b64_json"])
        results.append({"path": str(path), "kind": "png", "width": 4, "height": 3})
    return {"results": results, "rest": {}}


def _facts(content: bytes) -> dict[str, Any]:
    return {
        "media_type": "image/jpeg",
        "extension": "jpg",
        "width": 4,
        "height": 3,
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "placeholder": "",
        "kind": "jpeg",
        "notices": [],
    }


type Work = Callable[[SimulatedProcess], None]
