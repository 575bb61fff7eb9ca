"""A complete site for tests from outside, with an account.

It runs `manage.py start` on a free port.
"""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.ports import free_port
from tests.processes import site_processes

ROOT = Path(__file__).resolve().parents[1]
# Debian's Chromium. When run as the headless shell, it needs only a quarter of the CPU time for each visit.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
EMAIL, PASSWORD = "owner@example.org", "a calm and quiet room 5"
BALANCE_QUERY = """SELECT balance, held
    FROM editor_workspace JOIN editor_user ON editor_user.id = personal_user_id
    WHERE email = ?"""
_START_SECONDS = 600
PATIENCE = 120_000  # maximum wait for an event in a browser, in milliseconds


@dataclass
class Portal:
    """A site that can be started, stopped, and killed.

    `log` is the file that receives the output of `start`.
    """

    url: str
    data_dir: Path
    log: Path
    environment: dict[str, str]
    workers: int
    program: tuple[str, ...] = ("manage.py",)
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the site and wait until it listens."""
        port = self.url.rpartition(":")[2]
        with self.log.open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, *self.program, "start", "--port", port, "--workers", str(self.workers)],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        _wait_until_it_listens(self, self._process)

    def stop(self) -> None:
        """Stop the site as pressing Ctrl-C does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(timeout=600)

    def kill(self) -> None:
        """Kill all of the site's processes, as a power cut does, and wait until all have ended."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        while pids := site_processes(self.data_dir):
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)

    def manage(self, *arguments: str) -> str:
        """Run a management command on the site and return the command's output."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True
        ).stdout

    def pids(self, name: str) -> list[int]:
        """Return the IDs of the processes whose names start with "web", "worker", or "housekeeping"."""
        return [pid for pid, known_as in site_processes(self.data_dir).items() if known_as.startswith(name)]

    def balance_and_held(self, email: str = EMAIL) -> tuple[int, int]:
        """Return an account's balance and held credits, as stored in the site's SQLite database."""
        with closing(sqlite3.connect(self.data_dir / "darkroom.sqlite3")) as database:
            balance, held = database.execute(BALANCE_QUERY, [email]).fetchone()
        return balance, held

    def owner_link(self) -> str:
        """Return the one-time link that `start` printed."""
        found = re.search(r"http\S+/setup/\S+/", self.log.read_text())
        assert found, self.log.read_text()
        return found[0]


@contextmanager
def portal(
    *, account: bool = True, workers: int = 2, program: tuple[str, ...] = ("manage.py",), **extra: str
) -> Iterator[Portal]:
    """Start a site in a temporary data folder, which is deleted afterward.

    If `account` is true, the site has an account with 4,000 credits. Python runs `program`, by default
    manage.py.
    """
    data_dir = Path(tempfile.mkdtemp(prefix="darkroom-portal-"))
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY")}
    environment = {
        **kept,
        "DJANGO_SETTINGS_MODULE": "photoeditor_site.settings",
        "DATA_DIR": str(data_dir),
        "TESTING": "1",
        **extra,
    }
    url, log = f"http://127.0.0.1:{free_port()}", data_dir / "start.log"
    site = Portal(url, data_dir, log, environment, workers, program)
    try:
        site.start()
        if account:
            site.manage("create_user", EMAIL, "--password", PASSWORD, "--credits", "4000")
        yield site
    finally:
        site.stop()
        shutil.rmtree(data_dir, ignore_errors=True)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run Debian's Chromium in headless mode."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """Return a new browser context that waits long enough for a busy machine."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context


def sign_in(page: Page, site: Portal, email: str = EMAIL, password: str = PASSWORD) -> None:
    """Sign in with the form."""
    page.goto(f"{site.url}/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").first.fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{site.url}/w/**")


def _wait_until_it_listens(site: Portal, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _START_SECONDS
    while "Listening" not in site.log.read_text():
        is_hopeless = process.poll() is not None or time.monotonic() > until
        assert not is_hopeless, site.log.read_text()
        time.sleep(0.1)
