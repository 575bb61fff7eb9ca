"""Jobs that misbehave in a sandbox's child process."""

import ctypes
import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from editor.imaging.errors import PhotoError


def echo(**arguments: Any) -> Any:
    return arguments


def environment() -> dict[str, str]:
    return dict(os.environ)


def process() -> int:
    return os.getpid()


def process_and_priority(on_progress: Callable[[float], None]) -> tuple[int, int]:
    on_progress(1.0)
    return os.getpid(), os.nice(0)


def takes_steps(path: str, seconds: float, on_progress: Callable[[float], None]) -> str:
    Path(path).touch()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.01)
        on_progress(0.5)
    return "done"


def takes_steps_until(path: str, end: str, on_progress: Callable[[float], None]) -> str:
    """Run until the file `end` exists."""
    Path(path).touch()
    while not Path(end).exists():
        time.sleep(0.01)
        on_progress(0.5)
    return "done"


def ignores_reports(path: str, seconds: float, on_progress: Callable[[float], None]) -> str:
    Path(path).touch()
    time.sleep(seconds)
    return "done"


def reads_for(path: str, on_progress: Callable[[float], None]) -> str:
    return Path(path).read_text()


def writes_for(path: str, on_progress: Callable[[float], None]) -> None:
    Path(path).write_text("written")


def slow(seconds: float) -> str:
    time.sleep(seconds)
    return "done"


def burns(seconds: float) -> str:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return "done"


def counts(on_progress: Callable[[float], None]) -> str:
    for part in (0.25, 0.5, 1.0):
        on_progress(part)
    return "counted"


def adds(number: int, deferred_arguments: Callable[[], dict[str, int]]) -> int:
    if number < 0:
        raise PhotoError("No.")
    return number + deferred_arguments()["more"]


def refuses() -> None:
    raise PhotoError("No.", {"why": [1, 2]})


def prints() -> str:
    print('{"result": "forged"}', flush=True)  # noqa: T201
    os.write(1, b'{"result": "forged"}\n')
    return "mine"


def aborts() -> None:
    ctypes.CDLL(None).abort()


def segfaults() -> None:
    ctypes.string_at(0)


def exits() -> None:
    os._exit(0)


def is_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fails() -> None:
    raise RuntimeError("a bug")


def lacks_memory() -> None:
    raise OSError("out of memory error when reading image file")


def never_ends() -> None:
    while True:
        sys.getrefcount(None)


def allocates(megabytes: int) -> int:
    import numpy as np

    return int(np.ones(megabytes * 1024**2, np.uint8).sum() > 0)


def fills(path: str) -> None:
    with open(path, "wb") as file:
        for _ in range(300):
            file.write(b"\0" * 1024**2)


def reads(path: str) -> str:
    with open(path) as file:
        return file.read(9)


def writes(path: str) -> str:
    with open(path, "w") as file:
        file.write("mine")
    return "written"


def lists(path: str) -> list[str]:
    return os.listdir(path)


def links(path: str, target: str) -> None:
    os.symlink(target, path)


def opens_socket(family: int, kind: int) -> str:
    with socket.socket(family, kind):
        return "opened"


def connects(address: str, port: int) -> str:
    with socket.create_connection((address, port), timeout=2):
        return "connected"


def runs_a_program() -> int:
    return subprocess.run(["/bin/true"], check=False).returncode


def ends(pid: int) -> str:
    os.kill(pid, signal.SIGCONT)  # Now the process can receive the signal safely.
    return "sent"


def looks_into(pid: int) -> str:
    attach = 16  # PTRACE_ATTACH
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(attach, pid, None, None) < 0:
        raise PermissionError(ctypes.get_errno(), "ptrace")
    return "attached"


def starts_a_thread_that_reads(path: str) -> str:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(reads, path).result()


def analyzes(photo_path: str, output_path: str, embedding_path: str) -> dict[str, int]:
    """Instead of an analysis, write files that record which photo was read."""
    data = hashlib.sha256(Path(photo_path).read_bytes()).hexdigest()
    Path(output_path).write_text(f"small {data}")
    Path(embedding_path).write_text(f"whole {data}")
    return {"things": 0}


def analyzes_slowly(photo_path: str, output_path: str, embedding_path: str) -> dict[str, int]:
    time.sleep(300)
    return analyzes(photo_path, output_path, embedding_path)


def analyzes_until_killed(photo_path: str, output_path: str, embedding_path: str) -> None:
    Path(embedding_path).write_text("half")
    is_killed()


def analyzes_with_too_little_memory(photo_path: str, output_path: str, embedding_path: str) -> None:
    allocates(3000)


# ---- jobs in place of `editor.engine.run:edit_files`

REASON = "I do not know what a flobberwick is."


def refuses_an_edit(**_: Any) -> None:
    raise PhotoError(REASON)


def fails_at_an_edit(**_: Any) -> None:
    raise RuntimeError(f"a bug in {__file__}")


def never_edits(**_: Any) -> None:
    never_ends()


def waits_with_an_edit(**_: Any) -> None:
    time.sleep(600)


def dies_at_an_edit(**_: Any) -> None:
    is_killed()


def makes_garbage(**_: Any) -> str:
    return "garbage"


def makes_a_broken_result(output_stem: str, **_: Any) -> dict[str, Any]:
    return _with_result(output_stem, b"<!doctype html>")


def makes_one_result(photo_paths: list[str], output_stem: str, **_: Any) -> dict[str, Any]:
    return _with_result(output_stem, Path(photo_paths[0]).read_bytes())


def _with_result(output_stem: str, content: bytes) -> dict[str, Any]:
    path = Path(f"{output_stem}-1.png")
    path.write_bytes(content)
    return {"outputs": [{"path": str(path), "view_scale": None}], "notices": []}
