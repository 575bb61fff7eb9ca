"""Tests for drafts, which are photos in a tray that no edit uses yet."""

from collections.abc import Callable
from typing import Any

import pytest

from editor.models import DraftPhoto, Edit, User, Workspace
from editor.services.maintenance import retention
from editor.services.photos import drafts, photos
from editor.services.photos.storage import get_backend
from tests import cast

pytestmark = pytest.mark.django_db


def keep(user: User, name: str = "me.jpg", **options: Any) -> DraftPhoto:
    return drafts.create_draft(cast.actor_of(user), cast.photo_file(**options), name=name)


def test_a_tray_shows_only_its_users_newest_drafts(alice: User, charlie: User) -> None:
    made = [cast.make_draft(alice) for _ in range(6)]
    cast.make_draft(charlie)
    batch = [cast.make_draft(alice, tray="batch") for _ in range(2)]
    actor = cast.actor_of(alice)
    assert drafts.tray_of(actor, DraftPhoto.Tray.EDITOR, limit=5) == made[1:]
    assert drafts.tray_of(actor, DraftPhoto.Tray.BATCH, limit=200) == batch


def test_only_the_users_own_drafts_are_found_in_the_given_order(alice: User, charlie: User) -> None:
    one, two, foreign = cast.make_draft(alice), cast.make_draft(alice), cast.make_draft(charlie)
    assert drafts.find_drafts(cast.actor_of(alice), [two.id, foreign.id, one.id, two.id]) == [two, one]


def test_discarding_a_draft_removes_its_files_and_only_its_owner_can(alice: User, charlie: User) -> None:
    draft = keep(alice)
    drafts.discard(cast.actor_of(charlie), draft.id)
    assert cast.path_of(draft).exists()
    drafts.discard(cast.actor_of(alice), draft.id)
    drafts.discard(cast.actor_of(alice), draft.id)
    assert not cast.path_of(draft).exists()
    assert not cast.path_of(draft, "800").exists()
    assert not DraftPhoto.objects.exists()


def test_old_drafts_are_discarded_and_new_ones_stay(alice: User) -> None:
    old, new = keep(alice), keep(alice)
    DraftPhoto.objects.filter(id=old.id).update(created=old.created.replace(year=2020))
    assert drafts.discard_old() == 1
    assert list(DraftPhoto.objects.all()) == [new]
    assert not cast.path_of(old).exists()


def test_a_legal_hold_keeps_old_drafts(alice: User) -> None:
    draft = keep(alice)
    retention.set_hold(cast.actor_of(alice), reason="A lawsuit")
    DraftPhoto.objects.update(created=draft.created.replace(year=2020))
    assert drafts.discard_old() == 0
    assert cast.path_of(draft).exists()
    retention.lift_hold(cast.actor_of(alice))
    assert drafts.discard_old() == 1


def test_a_reference_copied_to_the_tray_keeps_its_name_and_has_its_own_file(alice: User) -> None:
    kept = photos.copy_files(keep(alice, width=300))
    first = cast.make_edit(alice)
    edit = cast.make_edit(alice, references=[kept], parent=first.results.get())
    reference = edit.references.get()
    [draft] = drafts.from_edit(cast.actor_of(alice), edit)
    assert (draft.name, draft.sha256, draft.parent) == (reference.name, reference.sha256, edit.parent)
    assert draft.key != reference.key
    drafts.discard(cast.actor_of(alice), draft.id)
    assert cast.path_of(reference).is_file()


def test_only_photo_1_keeps_the_parent_of_the_edit(alice: User) -> None:
    first = cast.make_edit(alice)
    photo = keep(alice)
    facts = [photos.copy_files(photo), photos.copy_files(photo)]
    edit = cast.make_edit(alice, references=facts, parent=first.results.get())
    copied = drafts.from_edit(cast.actor_of(alice), edit)
    assert [draft.parent for draft in copied] == [edit.parent, None]


def test_the_newest_unused_drafts_are_kept_and_older_ones_make_room(
    alice: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "MAX_DRAFTS", 2)
    theirs = keep(charlie)
    oldest, middle, newest = (keep(alice, name=f"{n}.jpg") for n in range(3))
    assert list(alice.drafts.order_by("id")) == [middle, newest]
    assert not cast.path_of(oldest).exists()
    assert cast.path_of(middle).is_file()
    assert cast.path_of(theirs).is_file()


def finished(user: User, **columns: Any) -> Edit:
    """Create an edit with two references and two results, all of which have files.

    No draft is left behind.
    """
    draft = keep(user)
    facts = [photos.copy_files(draft) for _ in range(4)]
    drafts.discard(cast.actor_of(user), draft.id)
    return cast.make_edit(user, references=facts[:2], results=facts[2:], **columns)


def test_the_drafts_of_a_user_are_limited_over_all_workspaces_and_trays(
    alice: User, charlie: User, team: Workspace, settings: Any
) -> None:
    settings.DRAFTS_PER_USER = 2
    cast.make_draft(alice, tray="recipe")
    cast.make_draft(alice, team, tray="batch")
    before = set(alice.drafts.all())
    for workspace in (alice.personal_workspace, team):
        with pytest.raises(drafts.TooManyDrafts, match="the limit of 2 across all your workspaces"):
            drafts.create_draft(cast.actor_of(alice, workspace), cast.photo_file(), name="a.jpg")
    assert set(alice.drafts.all()) == before
    assert keep(charlie)


def test_the_bytes_of_a_users_drafts_are_limited_exactly(alice: User, settings: Any) -> None:
    settings.DRAFT_MEGABYTES_PER_USER = 1
    draft = keep(alice)
    cast.make_draft(alice, size=1024**2 - 2 * draft.size + 1)
    stored = sorted(get_backend().keys())
    with pytest.raises(drafts.TooManyDrafts, match=r"the limit of 1\.0.MB"):
        keep(alice)
    assert alice.drafts.count() == 2
    assert sorted(get_backend().keys()) == stored, "the refused upload left files behind"
    DraftPhoto.objects.exclude(id=draft.id).update(size=1024**2 - 2 * draft.size)
    assert keep(alice)


def test_an_upload_beyond_the_limit_is_not_decoded(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DRAFTS_PER_USER = 1
    cast.make_draft(alice)
    monkeypatch.setattr(photos, "store_uploaded", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(drafts.TooManyDrafts):
        keep(alice)


@pytest.mark.parametrize("limits", [{"DRAFTS_PER_USER": 2}, {"DRAFT_MEGABYTES_PER_USER": 1}])
def test_copies_count_toward_the_limits_and_are_made_completely_or_not_at_all(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch, limits: dict[str, int]
) -> None:
    monkeypatch.setattr(drafts, "MAX_DRAFTS", 1)
    edit, actor = finished(alice), cast.actor_of(alice)
    size = edit.references.all()[0].size
    old = cast.make_draft(alice, size=1024**2 - 2 * size + 1)
    stored = sorted(get_backend().keys())
    for name, limit in limits.items():
        setattr(settings, name, limit)
    ways: list[Callable[[], object]] = [
        lambda: drafts.from_edit(actor, edit),
        lambda: drafts.from_results(actor, list(edit.results.all()), tray=DraftPhoto.Tray.BATCH),
    ]
    for copy in ways:
        with pytest.raises(drafts.TooManyDrafts):
            copy()
        assert list(alice.drafts.all()) == [old]
        assert sorted(get_backend().keys()) == stored


def test_copies_that_another_request_leaves_no_room_for_are_removed(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DRAFTS_PER_USER = 2
    monkeypatch.setattr(drafts, "MAX_DRAFTS", 1)
    edit, actor = finished(alice), cast.actor_of(alice)
    stored, copy_files, rival = sorted(get_backend().keys()), photos.copy_files, []

    def copy_while_another_uploads(*arguments: Any, **options: Any) -> dict[str, Any]:
        rival.append(cast.make_draft(alice))
        return copy_files(*arguments, **options)

    monkeypatch.setattr(photos, "copy_files", copy_while_another_uploads)
    with pytest.raises(drafts.TooManyDrafts):
        drafts.from_edit(actor, edit)
    assert list(alice.drafts.order_by("id")) == rival, "only the drafts of the other request remain"
    assert sorted(get_backend().keys()) == stored
