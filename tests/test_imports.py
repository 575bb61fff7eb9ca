"""Tests that processes import only the modules that they use.

Imports account for half of the time that a short command takes.
"""

import subprocess
import sys

import pytest

from tests.processes import ROOT, environment

HEAVY = (
    "celery",  # imported by broker, if TASK_BACKEND selects it
    "boto3",  # imported by services.photos.storage, if STORAGE_URL names a bucket
    "editor.engine.language",  # imported by services.editing.routing, when a plan is requested
    # Imported by signin.oidc, when somebody signs in through the issuer.
    "requests",
    # Imported by signin.passkeys and allauth's second factor, when somebody uses one.
    "fido2",
    # Imported by outbound.calls, when a request is made; it also imports click and rich if they are
    # installed.
    "httpx",
    "prometheus_client",  # imported by probes.metrics, when metrics are requested
    "cv2",  # imported only by the child process that decodes photos
    "numpy",  # imported only by the child process that decodes photos
)
PAGES = ("editor.admin", "editor.pages", "editor.api")

SETUP = "import django; django.setup(); from django.core.management import call_command"
WEB = """
from photoeditor_site.wsgi import application
from django.test import RequestFactory
for path in ("/healthz", "/accounts/login/", "/api/openapi.json"):
    said = []
    request = RequestFactory(SERVER_NAME="localhost").get(path)
    application(request.environ, lambda status, headers: said.append(status))
    assert said == ["200 OK"], (path, said)
"""


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        pytest.param(SETUP, (*HEAVY, *PAGES), id="a command"),
        pytest.param(f"{SETUP}; import editor.management.commands.start", (*HEAVY, *PAGES), id="start"),
        pytest.param(f"{SETUP}; import editor.management.commands.worker", (*HEAVY, *PAGES), id="a worker"),
        pytest.param(
            f"{SETUP}; import editor.management.commands.housekeeping", (*HEAVY, *PAGES), id="housekeeping"
        ),
        pytest.param(f"{SETUP}; call_command('check')", HEAVY, id="check"),
        pytest.param(WEB, HEAVY, id="the web"),
    ],
)
def test_a_process_does_not_import_heavy_modules_that_it_does_not_use(
    code: str, heavy: tuple[str, ...]
) -> None:
    assert sorted(_modules(code).intersection(heavy)) == []


def _modules(code: str) -> set[str]:
    """Return the names of all modules that a fresh process has imported after running this code."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        cwd=ROOT,
        env=environment(DJANGO_SETTINGS_MODULE="tests.settings"),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())
