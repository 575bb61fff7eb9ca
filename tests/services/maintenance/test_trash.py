"""Tests that edits are moved to the trash, restored completely, and purged without side effects."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from editor.models import CreditEntry, Edit, EditWords, Favorite, ReferencePhoto, ResultPhoto, User, Workspace
from editor.services.core.access import reviewer_actor
from editor.services.core.errors import Forbidden
from editor.services.library import history
from editor.services.library.history import Search
from editor.services.maintenance import invariants, trash
from editor.services.photos import drafts, photos
from editor.services.sharing import comments
from tests import cast
from tests.cast import actor_of, assert_ledger_balances
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db
Submitted = Callable[..., Edit]


@pytest.fixture
def finished(engine: ScriptedEngine, submitted: Submitted, advance: Submitted) -> Callable[..., Edit]:
    """Return a function that runs an edit with files until it succeeds."""
    return lambda user, prompt="black and white": advance(submitted(user, prompt), times=3)


def make_due(edit: Edit) -> None:
    Edit.objects.filter(pk=edit.pk).update(purge_due=timezone.now() - timedelta(seconds=1))


def purged(actor: User, edit: Edit) -> Edit:
    trash.delete(actor_of(actor), edit)
    make_due(edit)
    trash.purge_all_due()
    return Edit.objects.get(pk=edit.pk)


def found(user: User, words: str) -> list[Edit]:
    return history.page_of(actor_of(user), Search(words=words), size=9).rows


def test_a_deleted_edit_is_in_the_trash_for_the_configured_number_of_days(alice: User) -> None:
    edit = cast.make_edit(alice)
    assert trash.delete(actor_of(alice), edit)
    edit.refresh_from_db()
    assert edit.trashed is not None
    assert edit.trashed_by == alice
    assert edit.days_left == settings.TRASH_DAYS
    assert found(alice, "sky") == []
    assert trash.page_of(actor_of(alice), size=9).rows == [edit]


def test_a_restored_edit_is_complete(alice: User, finished: Callable[..., Edit]) -> None:
    edit = finished(alice)
    history.toggle_favorite(actor_of(alice), edit)
    before = Edit.objects.filter(pk=edit.pk).values().get()
    trash.delete(actor_of(alice), edit)
    assert trash.restore(actor_of(alice), edit)
    assert Edit.objects.filter(pk=edit.pk).values().get() | {"revision": 0} == before | {"revision": 0}
    assert found(alice, "black") == [edit]
    assert history.is_favorite(actor_of(alice), edit)
    assert invariants.find_violations() == []


def test_deleting_a_second_time_does_nothing(alice: User) -> None:
    edit = cast.make_edit(alice)
    assert trash.delete(actor_of(alice), edit)
    assert not trash.delete(actor_of(alice), edit)


def test_a_running_edit_is_not_deleted(alice: User) -> None:
    edit = cast.make_edit(alice, state="RUNNING")
    with pytest.raises(trash.StillRunning, match="Cancel it"):
        trash.delete(actor_of(alice), edit)
    with pytest.raises(IntegrityError), transaction.atomic():
        Edit.objects.filter(pk=edit.pk).update(trashed=timezone.now(), purge_due=timezone.now())


def test_only_the_owner_can_delete_and_restore_the_edits_of_others(
    alice: User, bob: User, viewer: User, team: Workspace
) -> None:
    hers, his = cast.make_edit(alice, workspace=team), cast.make_edit(bob, workspace=team)
    for person in (bob, viewer):
        with pytest.raises(Forbidden):
            trash.delete(actor_of(person, team), hers)
    assert trash.delete(actor_of(alice, team), his)
    assert trash.delete(actor_of(alice, team), hers)
    with pytest.raises(Forbidden):
        trash.restore(actor_of(bob, team), hers)
    assert trash.page_of(actor_of(bob, team), size=9).rows == [his]
    assert set(trash.page_of(actor_of(alice, team), size=9).rows) == {hers, his}


def test_an_edit_that_is_not_yet_due_is_not_purged(alice: User, finished: Callable[..., Edit]) -> None:
    edit = finished(alice)
    trash.delete(actor_of(alice), edit)
    assert trash.purge_all_due() == 0
    edit.refresh_from_db()
    assert edit.purged is None
    assert cast.path_of(edit.results.all()[0]).is_file()


def test_purging_empties_the_row_and_removes_its_files(alice: User, finished: Callable[..., Edit]) -> None:
    edit = finished(alice)
    history.toggle_favorite(actor_of(alice), edit)
    comments.add_comment(actor_of(alice), edit, text="Lovely")
    rows = [*edit.references.all(), *edit.results.all()]
    edit = purged(alice, edit)
    assert edit.purged is not None
    assert (edit.prompt, edit.regions, edit.points, edit.notices) == ("", [], [], [])
    assert edit.failure_message == ""
    assert [*edit.references.values_list("name", "placeholder")] == [("", "")]
    for photo in rows:
        assert not list(cast.path_of(photo).parent.glob(f"{cast.path_of(photo).stem}*"))
    assert not EditWords.objects.filter(edit=edit).exists()
    assert not Favorite.objects.exists()
    assert not edit.comments.exists()
    assert not trash.restore(actor_of(alice), edit)
    assert sorted(CreditEntry.objects.filter(edit=edit).values_list("kind", flat=True)) == ["capture", "hold"]
    assert_ledger_balances(alice.personal_workspace)
    assert invariants.find_violations() == []


def test_a_purged_edit_keeps_only_the_kinds_of_its_plan(alice: User) -> None:
    plan = {"steps": [{"kind": "color", "says": "a secret"}], "message": "a secret"}
    edit = purged(alice, cast.make_edit(alice, plan=plan))
    assert edit.plan == {"steps": [{"kind": "color"}]}


def test_purging_an_edit_keeps_the_photos_of_edits_that_continue_it(
    alice: User, finished: Callable[..., Edit]
) -> None:
    first = finished(alice)
    draft = drafts.from_result(actor_of(alice), first.results.all()[0])
    second = cast.make_edit(
        alice, parent=first.results.all()[0], references=[photos.copy_files(draft)], results=0
    )
    purged(alice, first)
    assert cast.path_of(second.references.all()[0]).is_file()
    assert cast.path_of(draft).is_file()


def test_nothing_is_purged_under_a_legal_hold(alice: User) -> None:
    edit = cast.make_edit(alice)
    trash.delete(actor_of(alice), edit)
    make_due(edit)
    Workspace.objects.filter(pk=alice.personal_workspace.pk).update(held_since=timezone.now())
    alice.personal_workspace.refresh_from_db()
    assert trash.purge_all_due() == 0
    with pytest.raises(trash.OnHold):
        trash.purge(actor_of(alice), Edit.objects.all())
    edit.refresh_from_db()
    assert edit.purged is None


def test_an_unhidden_edit_can_be_restored_even_if_its_purge_was_due(alice: User, staff: User) -> None:
    edit = cast.make_edit(alice)
    trash.delete(actor_of(alice), edit)
    trash.hide(reviewer_actor(staff, edit.workspace), edit, reason="A complaint")
    make_due(edit)
    trash.unhide(reviewer_actor(staff, edit.workspace), edit, reason="It was unfounded")
    assert trash.purge_all_due() == 0
    assert trash.restore(actor_of(alice), edit)


def test_permanent_deletion_purges_only_edits_in_the_trash(alice: User, bob: User, team: Workspace) -> None:
    kept, gone = cast.make_edit(alice, workspace=team), cast.make_edit(alice, workspace=team)
    his = cast.make_edit(bob, workspace=team)
    trash.delete(actor_of(alice, team), gone)
    trash.delete(actor_of(alice, team), his)
    assert trash.purge(actor_of(bob, team), Edit.objects.filter(pk=gone.pk)) == 0
    assert trash.amount_of(trash.restorable_edits(actor_of(alice, team))).edits == 2
    assert trash.purge(actor_of(alice, team), Edit.objects.all()) == 2
    kept.refresh_from_db()
    assert kept.purged is None


def test_many_edits_are_purged_in_several_transactions(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trash, "EDITS_PER_TRANSACTION", 2)
    for _ in range(5):
        purge_later = cast.make_edit(alice)
        trash.delete(actor_of(alice), purge_later)
        make_due(purge_later)
    assert trash.purge_all_due() == 5
    assert trash.purge_all_due() == 0


def test_i15_reports_a_purged_edit_that_still_has_content(alice: User) -> None:
    edit = purged(alice, cast.make_edit(alice))
    assert not [line for line in invariants.find_violations(with_files=False) if line.startswith("I15")]
    Edit.objects.filter(pk=edit.pk).update(prompt="still here")
    ReferencePhoto.objects.update(name="me.jpg")
    assert any(line.startswith("I15") for line in invariants.find_violations(with_files=False))


def test_the_amount_counts_edits_and_bytes(alice: User) -> None:
    cast.make_edit(alice)
    size = ReferencePhoto.objects.get().size + ResultPhoto.objects.get().size
    assert trash.amount_of(Edit.objects.all()) == trash.Amount(edits=1, bytes=size)
