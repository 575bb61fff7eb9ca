"""Tests that exports are complete, built in pieces, private to the requester, and deleted in time."""

import json
import os
import time
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from editor.engine.language.explain import explain
from editor.models import Edit, Export, Membership, User, Workspace
from editor.services.billing import credits
from editor.services.core.errors import Forbidden, NotFound
from editor.services.editing.refusals import REFUSED
from editor.services.maintenance import exports, trash
from editor.services.people import members
from editor.services.photos import drafts, photos, storage
from editor.services.sharing import comments, reviews
from tests import cast
from tests.cast import actor_of

pytestmark = pytest.mark.django_db


def whole_edit(user: User, workspace: Workspace | None = None, prompt: str = "darker") -> Edit:
    draft = drafts.create_draft(actor_of(user), cast.photo_file(), name="a.jpg")
    before, after = [photos.copy_files(draft)], [photos.copy_files(draft)]
    return cast.make_edit(user, workspace=workspace, prompt=prompt, references=before, results=after)


def built(user: User, workspace: Workspace | None = None) -> Export:
    export = exports.request_export(user, actor_of(user, workspace) if workspace else None)
    while export.state == Export.State.BUILDING:
        exports.build.call(str(export.pk), export.done)
        export.refresh_from_db()
    return export


def test_it_holds_photos_prompts_and_the_ledger(alice: User, team: Workspace) -> None:
    cast.make_grant(team, 40, reason="=HYPERLINK(1)")
    edit = whole_edit(alice, team, prompt="dünkler")
    comments.add_comment(actor_of(alice, team), edit, text="Lovely")
    credits.refund(None, edit, amount=15, reason="Half of it was right")
    trash.delete(actor_of(alice, team), whole_edit(alice, team, prompt="gone"))
    export = built(alice, team)
    assert (export.state, export.edits) == ("ready", 1)
    with exports.open_export(alice, export.pk)[1] as file, zipfile.ZipFile(file) as folder:
        assert folder.testzip() is None
        names = folder.namelist()
        data = json.loads(folder.read(next(name for name in names if name.endswith("edit.json"))))
        ledger = folder.read("ledger-studio.csv").decode()
        stored = folder.read(next(name for name in names if name.endswith("result-1.jpg")))
    assert (data["prompt"], data["files"]) == ("dünkler", ["photo-1.jpg", "result-1.jpg"])
    assert data["credits"] == 25, "the price less the refund"
    assert (data["engine"], data["model"]) == edit.engine_and_model
    assert data["comments"] == [{"by": "Alice Ames", "text": "Lovely"}]
    assert stored == cast.path_of(edit.results.all()[0]).read_bytes()
    assert "'=HYPERLINK(1)" in ledger
    assert len(names) == 4


def test_a_plan_is_exported_in_english_without_what_only_its_translation_needs(alice: User) -> None:
    plan = explain("make it sepia and add a flobberwick").as_json()
    refused = plan["not_understood"][0]
    edit = whole_edit(alice)
    Edit.objects.filter(pk=edit.pk).update(plan=plan | {REFUSED: [refused]})
    with exports.open_export(alice, built(alice).pk)[1] as file, zipfile.ZipFile(file) as folder:
        text = folder.read(next(name for name in folder.namelist() if name.endswith("edit.json"))).decode()
    exported = json.loads(text)["plan"]
    assert exported["message"] == plan["message"] != ""
    assert exported["steps"] == json.loads(json.dumps(plan["steps"]))
    assert exported["not_understood"] == exported[REFUSED]
    (left,) = exported[REFUSED]
    assert (left["words"], left["hint"]) == (refused["words"], refused["hint"])
    assert "%(" not in text


def test_an_export_is_built_in_pieces(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "EDITS_PER_RUN", 2)
    for _ in range(5):
        whole_edit(alice)
    export = exports.request_export(alice)
    exports.build.call(str(export.pk), 0)
    exports.build.call(str(export.pk), 0)  # The second call must change nothing.
    export.refresh_from_db()
    assert (export.done, export.percent) == (2, 40)
    for done in (2, 4):
        exports.build.call(str(export.pk), done)
    with exports.open_export(alice, export.pk)[1] as file, zipfile.ZipFile(file) as folder:
        assert sum(name.endswith("edit.json") for name in folder.namelist()) == 5


class Redelivery:
    """Delivers a wake-up again whenever its worker reads results or the ledger."""

    def __init__(self, export: Export, done: int) -> None:
        self.export, self.done = export, done
        self.rows: list[tuple[str, int]] = []
        self.is_running = False

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not self.is_running and ('FROM "editor_result' in sql or 'FROM "editor_creditentry"' in sql):
            self.is_running = True
            exports.build.call(str(self.export.pk), self.done)
            self.is_running = False
            self.export.refresh_from_db()
            self.rows.append((self.export.state, self.export.done))
        return execute(sql, *rest)


def test_a_wakeup_that_is_delivered_again_while_an_export_is_built_does_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redis delivers a message again if the work takes long. The other worker may have the same draft."""
    monkeypatch.setattr(exports, "EDITS_PER_RUN", 2)
    for _ in range(3):
        whole_edit(alice)
    export = exports.request_export(alice)
    for done in (0, 2):
        redelivery = Redelivery(export, done)
        with connection.execute_wrapper(redelivery):
            exports.build.call(str(export.pk), done)
        assert set(redelivery.rows) == {("building", done + 1)}
    with exports.open_export(alice, export.pk)[1] as file, zipfile.ZipFile(file) as folder:
        assert folder.testzip() is None
        assert sum(name.endswith("edit.json") for name in folder.namelist()) == 3
        assert sum(name.startswith("ledger") for name in folder.namelist()) == 1


def test_an_export_can_be_built_by_several_machines_with_a_shared_folder(
    alice: User, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each machine has a separate data folder that contains two shared folders.

    The deployment guide describes this setup.
    """
    monkeypatch.setattr(exports, "EDITS_PER_RUN", 1)
    for _ in range(2):
        whole_edit(alice)
    export = exports.request_export(alice)
    (tmp_path / "shared").mkdir()
    for done, node in enumerate(("first", "second", "third", "web")):
        settings.DATA_DIR = tmp_path / node
        settings.DATA_DIR.mkdir()
        (settings.DATA_DIR / "exports").symlink_to(tmp_path / "shared")
        exports.build.call(str(export.pk), done)
    with exports.open_export(alice, export.pk)[1] as file, zipfile.ZipFile(file) as folder:
        assert sum(name.endswith("edit.json") for name in folder.namelist()) == 2
    Export.objects.update(expires=timezone.now())
    exports.delete_expired()
    assert not list((tmp_path / "shared").iterdir())


def test_a_personal_export_contains_edits_in_workspaces_of_current_membership(
    alice: User, bob: User, team: Workspace
) -> None:
    cast.make_edit(bob), cast.make_edit(bob, workspace=team), cast.make_edit(alice, workspace=team)
    assert exports.request_export(bob).edits == 2
    Export.objects.all().delete()
    Membership.objects.filter(user=bob, workspace=team).delete()
    assert exports.request_export(bob).edits == 1


def test_only_the_requester_can_open_an_export_and_only_with_permission(
    alice: User, bob: User, team: Workspace
) -> None:
    with pytest.raises(Forbidden):
        exports.request_export(bob, actor_of(bob, team))
    export = built(alice, team)
    Membership.objects.filter(user=bob, workspace=team).update(role="admin")
    with pytest.raises(NotFound):
        exports.open_export(bob, export.pk)
    Membership.objects.filter(user=alice, workspace=team).update(role="editor")
    with pytest.raises(NotFound):
        exports.open_export(alice, export.pk)


def test_a_former_reviewer_cannot_open_an_export_made_as_a_reviewer(
    alice: User, bob: User, team: Workspace
) -> None:
    reviews.require_approval(actor_of(alice, team), is_required=True)
    members.set_role(team, bob, Membership.Role.ADMIN)
    export = built(bob)
    exports.open_export(bob, export.pk)[1].close()
    members.set_role(team, bob, Membership.Role.EDITOR)
    with pytest.raises(NotFound):
        exports.open_export(bob, export.pk)
    exports.open_export(bob, built(bob).pk)[1].close()  # As an editor, bob gets previews in the export.


def test_a_former_member_cannot_open_an_export_with_the_teams_edits(
    alice: User, bob: User, team: Workspace
) -> None:
    whole_edit(bob, team)
    packed = built(bob)
    members.remove(actor_of(alice, team), Membership.objects.get(user=bob, workspace=team))
    with pytest.raises(NotFound):
        exports.open_export(bob, packed.pk)
    # The new export contains only bob's own edits and none of the team's.
    exports.open_export(bob, built(bob).pk)[1].close()
    members.set_role(team, bob, Membership.Role.EDITOR)
    exports.open_export(bob, packed.pk)[1].close()


def test_after_leaving_a_team_an_export_without_its_edits_can_be_opened(
    alice: User, bob: User, team: Workspace
) -> None:
    cast.make_edit(bob)
    export = built(bob)
    members.leave(actor_of(bob, team))
    exports.open_export(bob, export.pk)[1].close()


def test_concurrent_and_daily_exports_are_limited(alice: User) -> None:
    exports.request_export(alice)
    with pytest.raises(exports.TooManyExports, match="being prepared"):
        exports.request_export(alice)
    Export.objects.update(state="failed")  # A failed export does not count.
    for _ in range(exports.MAX_PER_DAY):
        built(alice)
    with pytest.raises(exports.TooManyExports, match="tomorrow"):
        exports.request_export(alice)


def test_an_expired_export_and_its_file_are_deleted(alice: User) -> None:
    export = built(alice)
    path = settings.DATA_DIR / f"exports/{export.pk}.zip"
    assert path.stat().st_mode & 0o777 == 0o600
    Export.objects.update(expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(NotFound):
        exports.open_export(alice, export.pk)
    exports.delete_expired()
    assert not path.exists()
    assert not Export.objects.exists()


def test_a_file_without_an_export_is_deleted(alice: User) -> None:
    """A file without an export row is deleted. Such a file may exist after a backup is restored."""
    path = settings.DATA_DIR / f"exports/{built(alice).pk}.zip"
    assert path.exists()
    Export.objects.all().delete()
    exports.delete_expired()
    assert not path.exists()


def test_an_export_fails_if_its_partial_file_is_missing(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the partial file of an export is missing, no export is made of the remaining edits.

    The file may be missing because it was built on another machine.
    """
    monkeypatch.setattr(exports, "EDITS_PER_RUN", 1)
    for _ in range(3):
        cast.make_edit(alice)
    export = exports.request_export(alice)
    exports.build.call(str(export.pk), 0)
    (settings.DATA_DIR / f"exports/{export.pk}.part").unlink()
    exports.build.call(str(export.pk), 1)
    export.refresh_from_db()
    assert export.state == "failed"


def test_old_partial_files_are_deleted_but_finished_exports_are_kept(alice: User) -> None:
    export = exports.request_export(alice)
    draft = exports._draft_of(export)
    draft.write_bytes(b"half")
    assert exports.clear_drafts() == 0
    then = time.time() - exports.STUCK_AFTER.total_seconds() - 1
    os.utime(draft, (then, then))
    ready = draft.with_suffix(".zip")
    ready.write_bytes(b"whole")
    os.utime(ready, (then, then))
    assert exports.clear_drafts() == 1
    assert (draft.exists(), ready.exists()) == (False, True)
    assert exports.clear_drafts() == 0


def test_an_export_that_is_stuck_fails_and_can_be_requested_again(alice: User) -> None:
    export = exports.request_export(alice)
    Export.objects.update(moved=timezone.now() - timedelta(hours=2))
    exports.delete_expired()
    export.refresh_from_db()
    assert export.state == "failed"
    assert exports.request_export(alice)


@pytest.mark.parametrize(("is_claimed", "state"), [(True, "failed"), (False, "building")])
def test_an_export_whose_worker_died_fails_within_minutes(alice: User, is_claimed: bool, state: str) -> None:
    """An export that waits for a worker does not fail, because edits come first."""
    export = exports.request_export(alice)
    if is_claimed:
        assert exports._claim(str(export.pk), 0)
    exports.fail_crashed()
    export.refresh_from_db()
    assert export.state == "building"
    Export.objects.update(moved=timezone.now() - exports.CRASHED_AFTER - timedelta(seconds=1))
    exports.fail_crashed()
    export.refresh_from_db()
    assert export.state == state


def test_storing_an_export_in_a_bucket_may_take_long(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    exports._claim(str(exports.request_export(alice).pk), 0)
    Export.objects.update(moved=timezone.now() - exports.CRASHED_AFTER - timedelta(seconds=1))
    monkeypatch.setattr(storage.get_backend(), "is_shared", True, raising=False)
    exports.fail_crashed()
    assert Export.objects.get().state == "building"


def test_a_user_can_request_an_export_again_after_its_worker_died(alice: User) -> None:
    exports._claim(str(exports.request_export(alice).pk), 0)
    Export.objects.update(moved=timezone.now() - exports.CRASHED_AFTER - timedelta(seconds=1))
    assert built(alice).state == "ready"


def test_every_edit_of_an_export_is_progress(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    whole_edit(alice), whole_edit(alice)
    long_ago, seen, pack = timezone.now() - timedelta(days=1), [], exports._pack

    def packed(*arguments: Any, **options: Any) -> None:
        seen.append(Export.objects.get().moved > long_ago)
        Export.objects.update(moved=long_ago)
        pack(*arguments, **options)

    monkeypatch.setattr(exports, "_pack", packed)
    assert built(alice).state == "ready"
    assert seen == [True, True]


def test_an_export_is_ready_even_if_a_photos_file_is_missing(alice: User) -> None:
    cast.make_edit(alice)
    assert built(alice).state == "ready"
