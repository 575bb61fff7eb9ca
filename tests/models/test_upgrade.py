"""Tests that a first-release database with edits in every state continues to work.

No edit is lost or charged twice, and open edits end.
"""

import hashlib
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from editor.models import triggers
from tests import cast
from tests.models.old_database import ALIAS, OldDatabase, old_database
from tests.processes import ROOT, database_url

FIRST = "0001_initial"
STATES = ("QUEUED", "SENDING", "RUNNING", "STORING", "SUCCESS", "FAILED", "CANCELLED")
SETTLED = {"SUCCESS": "capture", "FAILED": "release", "CANCELLED": "release"}
END_WHAT_IS_OPEN = """
from datetime import timedelta
from django.utils import timezone
from editor.models import Edit
from editor.services.editing import lifecycle
for _ in range(12):
    for edit in Edit.objects.open():
        Edit.objects.filter(pk=edit.pk).update(due=timezone.now() - timedelta(seconds=1), lease_until=None)
        lifecycle.advance.call(str(edit.pk))
for edit in Edit.objects.order_by("created"):
    print(edit.state)
"""


@pytest.fixture
def old(tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[OldDatabase]:
    with django_db_blocker.unblock(), old_database(tmp_path, FIRST) as database:
        triggers.recreate(using=ALIAS)
        yield database


def manage(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "photoeditor_site.settings",
            "DATA_DIR": str(folder),
            "DATABASE_URL": database_url(ALIAS),
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def stored(folder: Path) -> dict[str, Any]:
    """Write a photo's file, and return the fields that the photo's row has in the first release."""
    data, name = cast.photo_bytes(), uuid.uuid4().hex
    path = folder / "photos" / name[:2] / f"{name}.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return {
        "id": uuid.uuid4(),
        "key": f"{name[:2]}/{name}.jpg",
        "media_type": "image/jpeg",
        "width": 48,
        "height": 32,
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def write_site(old: OldDatabase, folder: Path) -> None:
    """Create an account with 400 credits and an edit in each state."""
    user = old.rows("User").create(email="alice@example.org", password="!")
    held = 40 * sum(state not in SETTLED for state in STATES)
    workspace = old.rows("Workspace").create(name="alice", personal_user=user, balance=360, held=held)
    old.rows("Membership").create(workspace=workspace, user=user, role="owner")
    enter = old.rows("CreditEntry").create
    enter(workspace=workspace, kind="grant", amount=400, reference="opening")
    now = timezone.now()
    for number, state in enumerate(STATES):
        is_over = state in SETTLED
        edit = old.rows("Edit").create(
            id=uuid.uuid4(),
            workspace=workspace,
            owner=user,
            prompt="black and white",
            provider="embedded",
            price=40,
            state=state,
            ticket={"task_id": "t"} if state in ("RUNNING", "STORING") else None,
            due=now,
            deadline=now + timedelta(days=1),
            submit_id=uuid.uuid4(),
            created=now + timedelta(seconds=number),
            finished=now + timedelta(minutes=1) if is_over else None,
            failure_message="It failed." if state == "FAILED" else "",
        )
        old.rows("ReferencePhoto").create(edit=edit, position=1, name="photo.jpg", **stored(folder))
        if state == "SUCCESS":
            old.rows("ResultPhoto").create(edit=edit, position=1, **stored(folder))
        enter(workspace=workspace, edit=edit, kind="hold", amount=40)
        if is_over:
            enter(workspace=workspace, edit=edit, kind=SETTLED[state], amount=40)
    old.rows("DraftPhoto").create(user=user, name="draft.jpg", **stored(folder))


@pytest.mark.slow
def test_edits_of_the_first_release_in_every_state_survive_an_upgrade(
    old: OldDatabase, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    write_site(old, data)
    manage(data, "migrate")
    assert "All checks passed" in manage(data, "verify")
    assert '"balance": 360' in manage(data, "credits", "alice@example.org")
    states = manage(data, "shell", "-v", "0", "-c", END_WHAT_IS_OPEN).split()[-len(STATES) :]
    assert states[4:] == ["SUCCESS", "FAILED", "CANCELLED"]  # Edits that have ended keep their state.
    assert set(states[:4]) <= {"SUCCESS", "FAILED"}
    printed = manage(data, "credits", "alice@example.org")
    assert '"held": 0' in printed
    assert f'"balance": {400 - 40 * states.count("SUCCESS")}' in printed
    assert "All checks passed" in manage(data, "verify")
