"""What a child may be made to suffer."""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from editor.imaging.errors import PhotoError


def echo(**arguments: Any) -> Any:
    return arguments


def environment() -> dict[str, str]:
    return dict(os.environ)


def process() -> int:
    return os.getpid()


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
