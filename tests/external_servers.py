"""Servers that tests need.

They run in separate environments, which are installed from a dependency group in pyproject.toml.
"""

import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.portal import ROOT

_START_SECONDS = 600


@contextmanager
def external_server(group: str, *command: str, url: str) -> Iterator[None]:
    """Run the command until the block ends. The block starts when `url` responds."""
    if shutil.which("uv") is None:
        pytest.skip(f"uv is not installed: it makes the environment of the group {group}.")
    run = ["uv", "run", "--isolated", "--only-group", group, *command]
    process = subprocess.Popen(run, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_until_it_answers(url, process, group)
        yield
    finally:
        process.terminate()
        process.wait(timeout=300)


def _wait_until_it_answers(url: str, process: subprocess.Popen[bytes], group: str) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        if process.poll() is not None:
            pytest.skip(f"The group {group} could not be installed.")
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"The server of the group {group} does not answer.")
