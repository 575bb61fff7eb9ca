"""Test a site on a small disk that becomes completely full and then read-only.

Run it with `unshare --user --map-root-user --mount python -m tests.faults.disk`, which prints a sentence for
each error. The disk is a tmpfs that no other process sees and that disappears when this process ends.
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests import load
from tests.api.plain_client import FAILED, SUCCESS
from tests.benchmarks.upstream import far_end
from tests.faults.kills import ENDED_SECONDS, PHOTO, SETTINGS, KillRun
from tests.portal import EMAIL, Portal, portal

UNSHARE_COMMAND = ("unshare", "--user", "--map-root-user", "--mount")
MEGABYTES = 160  # size of the disk in megabytes
FULL_SECONDS = 12  # number of seconds for which the disk remains full
CREDITS = 4000


def can_mount() -> bool:
    """Return whether this system allows a process to create mounts."""
    mount = ["mount", "-t", "tmpfs", "none", tempfile.gettempdir()]
    with contextlib.suppress(FileNotFoundError):
        return subprocess.run([*UNSHARE_COMMAND, *mount], capture_output=True, check=False).returncode == 0
    return False


def mount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(disk)], check=True)


@contextmanager
def fill_disk(disk: Path) -> Iterator[None]:
    """Fill the disk to the last byte, and free it when the block ends."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1024**2, 4096):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"0" * size)
    yield
    filler.unlink()


def generate(run: KillRun) -> httpx.Response:
    url, headers = f"{run.site.url}/api/photo-editor/generate", {"Authorization": f"Bearer {run.key}"}
    files = {"file0": ("photo.jpg", PHOTO, "image/jpeg")}
    return httpx.post(url, headers=headers, data={"prompt": "darker"}, files=files, timeout=60)


def when_full(run: KillRun, disk: Path) -> Iterator[str]:
    """Fill the disk while edits run, and yield the errors.

    Running edits must finish while the disk is full or afterward, new edits must be refused, and everything
    must remain readable.
    """
    begun = [generate(run).json()["data"]["taskId"] for _ in range(4)]
    with fill_disk(disk):
        until = time.monotonic() + FULL_SECONDS
        while time.monotonic() < until:
            if (refused := generate(run)).status_code != 507:
                yield f"A submit on a full disk was answered by {refused.status_code}: {refused.text}"
            page = httpx.get(f"{run.site.url}/accounts/login/", timeout=60)
            if page.status_code != 200:
                yield f"A page on a full disk was answered by {page.status_code}."
            run.request("GET", "status", params={"taskId": begun[0]})
            time.sleep(1)
    check_task_succeeds(run, generate(run))
    yield from (f"{task} has not ended." for task in begun if not ended(run, task))


def check_task_succeeds(run: KillRun, answer: httpx.Response) -> None:
    """Check that the task succeeds without intervention once space is available again."""
    task = answer.json()["data"]["taskId"]
    if ended(run, task) != SUCCESS:
        run.errors.append(f"With room again an edit is {run.tasks[task]}.")


def ended(run: KillRun, task: str) -> str:
    until = time.monotonic() + ENDED_SECONDS
    while time.monotonic() < until:
        run.tasks[task] = run.request("GET", "status", params={"taskId": task})["status"]
        if run.tasks[task] in (SUCCESS, FAILED):
            return run.tasks[task]
        time.sleep(0.5)
    return ""


def when_read_only(site: Portal) -> Iterator[str]:
    """Yield the errors that occur when a stopped site is used on a read-only disk.

    The site must report the problem, and it must start once the disk is writable.
    """
    for command in (["start"], ["verify"]):
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            env=site.environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        output = done.stdout + done.stderr
        if done.returncode == 0 or "Traceback" in output or "ead-only" not in output:
            yield f"On a read-only disk {command[0]} ended with {done.returncode}: {output}"


def main() -> list[str]:
    """Run the checks and return a sentence for each error."""
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as disk,
        far_end(Path(folder), task_seconds=3) as base_url,
        ExitStack() as stack,
    ):
        mount(Path(disk), f"size={MEGABYTES}m")
        stack.callback(subprocess.run, ["umount", "--lazy", disk], check=True)
        tempfile.tempdir = disk
        settings: dict[str, Any] = SETTINGS | {"PHOTO_EDITOR_BASE_URL": base_url, "MIN_FREE_MEGABYTES": "0"}
        with portal(workers=2, **settings) as site:
            fire = KillRun(site, site.manage("create_api_key", EMAIL).strip())
            wrong = list(when_full(fire, Path(disk)))
            site.stop()
            mount(Path(disk), "remount,ro")
            wrong += when_read_only(site)
            mount(Path(disk), "remount,rw")
            site.start()
            check_task_succeeds(fire, generate(fire))
            site.stop()
            return [
                *wrong,
                *fire.errors,
                *load.violations(site, load.Measurements(tasks=fire.tasks), credits=CREDITS),
            ]


if __name__ == "__main__":
    sentences = main()
    sys.stdout.write("".join(f"{sentence}\n" for sentence in sentences))
    sys.exit(int(bool(sentences)))
