"""Prepare the site and run it: manage.py start.

This runs the web server, the workers, and housekeeping, or only one of these parts.
"""

import contextlib
import errno
import http.client
import os
import socket
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand
from django.db import DatabaseError
from django.urls import reverse

from editor import broker, wakeups
from editor.broker import ENGINE, UPSTREAM
from editor.imaging import confinement
from editor.imaging.memory import analysis_memory, max_parallel_jobs
from editor.management.command_support import database_error_message
from editor.models import User
from editor.models.clock import exclusive_lock
from editor.providers.contract import CREATE_SECONDS
from editor.providers.engine_settings import EngineSettings
from editor.services.core import links
from editor.services.editing import engines
from editor.services.maintenance.backup import SECRETS
from editor.services.photos import photos
from editor.services.photos.storage import get_backend, sync
from photoeditor_site.server.supervisor import GRACE_SECONDS, Program, run_in_fork, supervise

ROLES = ("web", "workers", "housekeeping")
THREADS = 8
CONNECTIONS = 1000
WORKER_CLASS = "photoeditor_site.server.gunicorn_worker.BufferingWorker"
# The number of processes for workers that mostly wait for an engine. A single process is not enough, because
# it may be busy with the pixels of a result.
UPSTREAM_WORKER_PROCESSES = 2
MAX_WAITING_WORKERS = 16
# The address through which to reach a server that listens on all addresses.
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - Nothing is bound here.


class Command(BaseCommand):
    help = "Prepares the site and runs the web server, workers, and housekeeping. Press Ctrl-C to stop."
    requires_system_checks: list[str] = []  # noqa: RUF012 - The tests run the system checks.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)"
        )
        parser.add_argument(
            "--port", default=8000, type=_port, help="the port to listen on (default: %(default)s)"
        )
        parser.add_argument(
            "--workers",
            type=_workers,
            help=(
                "number of edits to run at a time (default: 2, or 1 if memory is low; without the embedded "
                "engine, as many as the engines allow, and at least 8)"
            ),
        )
        parser.add_argument(
            "--only", choices=ROLES, help="run only this role, for a site on several machines"
        )
        parser.add_argument(
            "--update-engines",
            action="store_true",
            help="with --only: make the engines in the settings of this node those of the whole site",
        )

    def handle(
        self,
        *,
        host: str,
        port: int,
        workers: int | None,
        only: str | None = None,
        update_engines: bool = False,
        **options: Any,
    ) -> None:
        roles = (only,) if only else ROLES
        has_web = "web" in roles
        if only:
            _require_shared_secrets()
        if has_web:
            require_free_port(host, port)
        try:
            may_update = update_engines or not only
            link = run_in_fork(
                partial(self._prepare, host, port, has_web=has_web, may_update_engines=may_update)
            )
            settings.ALLOWED_HOSTS = _allowed_hosts(host)
            wakeups.create_wakeup_pipe()
            is_clean = supervise(
                _programs(roles, host, port, workers or _usual_workers()),
                say=self._say,
                is_ready=lambda: not has_web or _answers(host, port),
                announce=lambda: self._announce(host, port, link, roles),
            )
        except KeyboardInterrupt:
            sys.exit(130)
        self._say("Stopped." if is_clean else "Stopped. Programs that did not stop in time were killed.")
        if not is_clean:
            sys.exit(1)

    def _prepare(self, host: str, port: int, *, has_web: bool, may_update_engines: bool) -> str:
        """Prepare the data folder, the database, and the static files, and print warnings.

        Return the link that creates the owner, or "" if an account already exists.
        """
        os.umask(0o077)
        self._step("Data folder", _prepare_data_folder)
        self._step("Database", _migrate)
        self._step("Engines", partial(_prepare_engines, may_update=may_update_engines))
        if settings.TASK_BACKEND == "celery" and broker.is_unreachable():
            self._say("The broker at CELERY_BROKER_URL is not responding. Edits will wait until it does.")
        if shortcoming := get_backend().problem():
            self._say(
                f"The photo storage at STORAGE_URL can't be used: {shortcoming}. Edits will wait for it."
            )
        if has_web:
            self._step("Static files", _collect_static_files)
        if settings.SIGNUP == "open" and not settings.SIGNUP_IS_OPEN:
            self._say(
                "SIGNUP=open is ignored without EMAIL_URL, because email addresses have to be verified. "
                f"People can join by invitation{' or through OIDC_ISSUER' * bool(settings.OIDC_ISSUER)}."
            )
        for shortcoming in confinement.missing_protections():
            self._say(f"The programs that read photos are only partly sandboxed: {shortcoming}.")
        if _engines(runs_here=True) and not analysis_memory():
            self._say(
                "This machine has less than 2 GB of memory, so photos are edited without exact outlines."
            )
        is_new = not User.objects.exists()
        path = reverse("setup", args=[links.owner_link_token()]) if is_new else ""
        return (settings.PUBLIC_URL or _url(host, port)) + path if is_new else ""

    def _announce(self, host: str, port: int, link: str, roles: Sequence[str]) -> None:
        if "web" not in roles:
            self._say(f"{self.style.SUCCESS(f'Running: {roles[0]}.')}\nPress Ctrl-C to stop.")
            return
        public = f", publicly at {settings.PUBLIC_URL}/" if settings.PUBLIC_URL else ""
        lines = [self.style.SUCCESS(f"Listening on {_url(host, port)}/{public}")]
        if host in _EVERYWHERE and not settings.PUBLIC_URL:
            lines.append("To use another host name than localhost, set PUBLIC_URL or ALLOWED_HOSTS.")
        if link:
            lines.append(
                f"There is no account yet. Open this one-time link to create the owner account:\n    {link}"
            )
        self._say("\n".join([*lines, "Press Ctrl-C to stop."]))

    def _step(self, label: str, do: Callable[[], str]) -> None:
        self._say(f"{label} ... ", ending="")
        try:
            self._say(do())
        except BaseException:
            self._say("")
            raise

    def _say(self, text: str, ending: str = "\n") -> None:
        # The terminal may be closed, but the child processes must be stopped anyway.
        with contextlib.suppress(OSError):
            self.stdout.write(text, ending=ending)
            self.stdout.flush()


def require_free_port(host: str, port: int) -> None:
    """Check that the web server can listen at this address and port. Raises CommandError if it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as listener:
            # gunicorn also sets this socket option.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            listener.listen(1)
    except (socket.gaierror, UnicodeError):
        raise CommandError(
            f"The host {host!r} does not exist. Set --host to a name or address of this machine."
        ) from None
    except PermissionError:
        raise CommandError(
            f"Port {port} requires more permissions. Choose a port from 1024 with --port."
        ) from None
    except OSError as error:
        raise CommandError(_sentence(error, host, port)) from None


def _sentence(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use. Stop the program that uses it, or choose another one with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine. Choose another one with --host."
    return f"Cannot listen on {host}, port {port}: {error.strerror}."


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65_535:
        raise ArgumentTypeError("must be a number from 1 to 65535")
    return int(text)


def _workers(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError("must be a whole number of at least 1")
    return int(text)


def _usual_workers() -> int:
    """Return the default number of workers.

    With the embedded engine, each worker needs its own core and memory. With any other engine, workers mostly
    wait.
    """
    return max_parallel_jobs() if _engines(runs_here=True) else _waiting_workers()


def _waiting_workers() -> int:
    """Return the number of workers for other engines.

    Some engines respond only when the edit is finished, so each edit that such an engine runs occupies a
    worker.
    """
    return max(8, min(MAX_WAITING_WORKERS, sum(engine.in_flight for engine in _engines(runs_here=False))))


def _engines(*, runs_here: bool) -> list[EngineSettings]:
    return [engine for engine in settings.ENGINES if engine.runs_here is runs_here]


def _require_shared_secrets() -> None:
    """Raise CommandError if this node would generate its own secrets.

    Nodes with different secrets would reject each other's sessions, signed URLs, and API keys.
    """
    kept = [name for name in SECRETS if (settings.DATA_DIR / name).exists()]
    own = [
        name.upper() for name in SECRETS if name not in kept and name.upper() not in settings.GIVEN_SECRETS
    ]
    if own:
        raise CommandError(
            "--only is for a site of several nodes, which share their secrets. Set "
            f"{' and '.join(own)} to the same value on each of them."
        )


def _prepare_data_folder() -> str:
    """Create the data folder so that only this user can read it.

    The folder contains photos, secrets, and by default the database.
    """
    folder: Path = settings.DATA_DIR
    try:
        is_ours = not folder.exists() or not any(folder.iterdir()) or (folder / "secret_key").exists()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_ours:
            folder.chmod(0o700)
        for inner in (settings.PHOTOS_DIR, settings.WORK_DIR):
            inner.mkdir(mode=0o700, exist_ok=True)
        # Reading the secrets generates any that are missing. Do this now, before several processes need them.
        str(settings.SECRET_KEY), str(settings.API_KEY_PEPPER)
        sync(folder)
        photos.clear_work()
    except OSError as error:
        raise _unusable(error) from None
    return str(folder)


def _unusable(error: OSError) -> CommandError:
    return CommandError(f"The data folder {settings.DATA_DIR} cannot be used: {error.strerror}.")


def _migrate() -> str:
    try:
        with exclusive_lock("migrate"):
            call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used. {database_error_message(error)}") from None
    except ImproperlyConfigured as error:
        raise CommandError(f"The database cannot be used: {str(error).strip()}") from None
    return "ready"


def _prepare_engines(*, may_update: bool) -> str:
    """Write the engines from the settings to the database.

    All nodes of a site must have the same engines. Otherwise, one node could refuse edits that the others
    accept, or charge a different price for them.
    """
    if not may_update and (names := engines.differences()):
        raise CommandError(
            f"The settings of this node differ from those of the site for these engines: {', '.join(names)}. "
            "Give all nodes the same EDIT_PROVIDER and the same settings of engines. To change those of the "
            "site, start one node with --update-engines, and restart the others with the same settings."
        )
    engines.update_from_settings()
    return ", ".join(engine.name for engine in settings.ENGINES)


def _collect_static_files() -> str:
    """Collect the static files unless they are unchanged since the last start.

    Hashing and compressing them takes longer than all other startup steps together.
    """
    note, now = Path(settings.STATIC_ROOT) / "collected.sha256", _static_sources()
    with contextlib.suppress(OSError):
        if note.read_text() == now:
            return "unchanged"
    try:
        call_command("collectstatic", interactive=False, verbosity=0, skip_checks=True)
        note.write_text(now)
    except OSError as error:  # for example, because the disk is full
        raise _unusable(error) from None
    return "collected"


def _static_sources() -> str:
    """Return a digest of the names and contents of all static files."""
    digest = sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            with storage.open(name) as file:
                digest.update(b"%s %d " % (name.encode(), file.size) + file.read())
    return digest.hexdigest()


def _programs(roles: Sequence[str], host: str, port: int, workers: int) -> list[Program]:
    shares = _shares(workers)
    programs = {
        "web": [Program("web", partial(_serve, gunicorn_options(host, port)))],
        "workers": [
            Program(name, partial(call_command, "worker", threads=n, queue=queue), _grace(queue))
            for name, (n, queue) in shares.items()
        ],
        "housekeeping": [Program("housekeeping", partial(call_command, "housekeeping"))],
    }
    return [program for role in roles for program in programs[role]]


def _grace(queue: str) -> float | None:
    """Return the number of seconds that a worker may take to stop, or None for the default.

    A worker that submits an edit to another engine must wait for the response, because only the response
    shows whether the edit has arrived.
    """
    return CREATE_SECONDS + GRACE_SECONDS if queue == UPSTREAM else None


def gunicorn_options(host: str, port: int) -> list[str]:
    """Return the command-line options with which gunicorn runs this site."""
    worker = (
        "-k",
        WORKER_CLASS,
        "--worker-connections",
        str(CONNECTIONS),
    )
    web = (*worker, "--workers", "1", "--threads", str(THREADS), "--graceful-timeout", "5")
    quiet = ("--no-control-socket", "--log-level", "warning")
    place = ("--bind", f"{_bracketed(host)}:{port}", "--pythonpath", str(settings.BASE_DIR))
    # gunicorn trusts X-Forwarded-Proto only from these addresses.
    proxies = ("--forwarded-allow-ips", ",".join(["127.0.0.1", "::1", *settings.TRUSTED_PROXIES]))
    return [*web, *quiet, *place, *proxies, "photoeditor_site.wsgi"]


def _serve(options: list[str]) -> None:
    from gunicorn.app import wsgiapp

    sys.argv = ["gunicorn", *options]
    wsgiapp.run()


def _shares(workers: int) -> dict[str, tuple[int, str]]:
    """Return a dictionary that maps the name of each worker process to its number of workers and its queue.

    For the embedded engine, each worker has its own process. For other engines, all workers share
    UPSTREAM_WORKER_PROCESSES processes. A site that has both kinds of engines has both kinds of processes,
    and `workers` is the number of workers for the embedded engine. With Celery, a site without the embedded
    engine has one more process, which does the work on pixels.
    """
    pixels = {f"worker {number}": (1, ENGINE) for number in range(1, workers + 1)}
    if not _engines(runs_here=False):
        return pixels
    if _engines(runs_here=True):
        return pixels | _waiting_shares(_waiting_workers())
    return _waiting_shares(workers) | ({"worker 1": (1, ENGINE)} if settings.TASK_BACKEND == "celery" else {})


def _waiting_shares(workers: int) -> dict[str, tuple[int, str]]:
    processes = min(UPSTREAM_WORKER_PROCESSES, workers)
    numbers = [len(range(number, workers, processes)) for number in range(processes)]
    return {f"workers {number}": (n, UPSTREAM) for number, n in enumerate(numbers, start=1)}


def _allowed_hosts(host: str) -> list[str]:
    return list(dict.fromkeys([*settings.ALLOWED_HOSTS, _bracketed(host)]))


def _url(host: str, port: int) -> str:
    return f"http://{_bracketed(_EVERYWHERE.get(host, host))}:{port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _answers(host: str, port: int) -> bool:
    """Check whether the web server responds.

    The request bypasses any proxy that the environment sets, because that proxy is meant for other hosts.
    """
    connection = http.client.HTTPConnection(_EVERYWHERE.get(host, host), port, timeout=1)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
