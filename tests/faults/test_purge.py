"""Tests of purging during races and when processes are killed.

An edit must be either completely restored or completely purged.
"""

import os
import signal
import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from editor.models import Edit, User
from editor.services.maintenance import invariants, trash
from editor.services.photos import drafts, photos
from tests import cast, processes
from tests.faults.test_races import CROWD, at_once

pytestmark = pytest.mark.django_db(transaction=True)
PURGE_POINTS = ("purge.rows_emptied", "purge.file_removed", "purge.file_removed:2")
PURGE = "import django; django.setup(); from editor.services.maintenance import trash; trash.purge_all_due()"


def trashed_and_due(user: User, count: int = 1) -> list[Edit]:
    """Create edits with files. The edits have been in the trash for longer than the retention time."""
    actor = cast.actor_of(user)
    draft = drafts.create_draft(actor, cast.photo_file(), name="a.jpg")
    edits = [
        cast.make_edit(user, references=[photos.copy_files(draft)], results=[photos.copy_files(draft)])
        for _ in range(count)
    ]
    drafts.discard(actor, draft.pk)
    trash.move(Edit.objects.all(), by=user.pk)
    Edit.objects.update(purge_due=timezone.now() - timedelta(seconds=1))
    return edits


def let_two_hours_pass() -> None:
    then = time.time() - 7200
    Edit.objects.exclude(purged=None).update(purged=timezone.now() - timedelta(hours=2))
    for path in settings.PHOTOS_DIR.glob("*/*"):
        os.utime(path, (then, then))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("point", PURGE_POINTS)
def test_a_killed_purge_is_completed_by_the_next_sweeps(alice: User, point: str) -> None:
    trashed_and_due(alice, 2)
    doomed = processes.start("-c", PURGE, CRASH_AT=point)
    output, _ = doomed.communicate(timeout=600)
    assert doomed.returncode == -signal.SIGKILL, output
    assert not [line for line in invariants.find_violations() if line.startswith("I7")]
    trash.purge_all_due()
    assert invariants.find_violations() == []
    let_two_hours_pass()
    photos.remove_orphans()
    assert invariants.find_violations() == []
    assert not list(settings.PHOTOS_DIR.glob("*/*.*"))


def test_only_one_of_a_simultaneous_restore_and_purge_takes_effect(alice: User) -> None:
    edits = trashed_and_due(alice, 4)

    def work(number: int) -> object:
        if number % 2:
            return trash.purge_all_due()
        return [trash.restore(cast.actor_of(alice), edit) for edit in edits]

    answers = at_once(work)
    assert not [answer for answer in answers if isinstance(answer, Exception)], answers
    for edit in Edit.objects.all():
        is_whole = cast.path_of(edit.results.all()[0]).is_file()
        assert is_whole == (edit.purged is None) == (edit.trashed is None)
        assert bool(edit.prompt) == is_whole
    assert len(answers) == CROWD
    assert invariants.find_violations() == []
