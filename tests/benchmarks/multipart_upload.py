"""Measure the memory that the web process needs when a program sends five photos of 20 MB each."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from tests.benchmarks import Row
from tests.portal import EMAIL, ROOT, Portal, portal
from tests.processes import memory_of

PHOTOS = 5
LIMIT_MEGABYTES = 64
# A photo of noise, which cannot be compressed. At three bytes per pixel, its size is just below the 20 MB
# limit.
DRAW = """
import sys
import numpy as np
from PIL import Image
pixels = np.random.default_rng(0).integers(0, 256, (2560, 2700, 3), np.uint8)
Image.fromarray(pixels).save(sys.argv[1], compress_level=1)
"""


def run() -> list[Row]:
    """Measure how much the resident memory grows during a request.

    Before this request, a small one is sent as a warm-up.
    """
    with tempfile.TemporaryDirectory() as folder, portal(workers=1) as site:
        large, small = Path(folder) / "large.png", Path(folder) / "small.png"
        subprocess.run([sys.executable, "-c", DRAW, str(large)], cwd=ROOT, check=True)
        draw = f"from tests import scenes; scenes.lake(300, 200).save({str(small)!r})"
        subprocess.run([sys.executable, "-c", draw], cwd=ROOT, check=True)
        key = site.manage("create_api_key", EMAIL, "--name", "benchmark").strip()
        _send(site, key, small)
        web = _web_process(site)
        before = _peak_from_now_on(web)
        seconds = _send(site, key, large)
        grown = memory_of(web, "VmHWM") - before
        sent = PHOTOS * large.stat().st_size / 1024**2
    return [
        Row(
            f"web process, {sent:.0f} MB in {PHOTOS} photos",
            grown,
            LIMIT_MEGABYTES,
            "MB",
            grown <= LIMIT_MEGABYTES,
        ),
        Row("until the task was accepted", seconds, None, "s", True),
    ]


def _send(site: Portal, key: str, photo: Path) -> float:
    """Send the request and return the number of seconds until the response.

    Raises an exception if the task was not accepted.
    """
    files = [(f"file{n}", (f"{n}.png", photo.open("rb"), "image/png")) for n in range(PHOTOS)]
    started = time.monotonic()
    answer = httpx.post(
        f"{site.url}/api/photo-editor/generate",
        headers={"Authorization": f"Bearer {key}"},
        data={"prompt": "black and white"},
        files=files,
        timeout=300,
        trust_env=False,
    )
    answer.raise_for_status()
    for _, (_, file, _) in files:
        file.close()
    return time.monotonic() - started


def _web_process(site: Portal) -> int:
    """Return the ID of the gunicorn process that serves requests.

    The command `start` started this process's parent.
    """
    pids = site.pids("web")
    [serving] = [pid for pid in pids if _parent(pid) in pids]
    return serving


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])


def _peak_from_now_on(pid: int) -> float:
    """Reset the peak memory (proc(5), clear_refs), and return the resident memory in megabytes."""
    with open(f"/proc/{pid}/clear_refs", "w") as file:
        os.write(file.fileno(), b"5")
    return memory_of(pid, "VmRSS")
