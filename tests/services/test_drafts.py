"""Drafts: photos in their trays, before an edit takes them."""

from typing import Any

import pytest

from editor.models import DraftPhoto, User
from editor.services import drafts, photos
from tests import cast

pytestmark = pytest.mark.django_db


def keep(user: User, name: str = "me.jpg", **options: Any) -> DraftPhoto:
    return drafts.keep(cast.actor_of(user), cast.photo_file(**options), name=name)


def test_the_tray_is_as_it_was_left_and_nobody_elses(alice: User, charlie: User) -> None:
    made = [cast.make_draft(alice) for _ in range(6)]
    cast.make_draft(charlie)
    batch = [cast.make_draft(alice, tray="batch") for _ in range(2)]
    actor = cast.actor_of(alice)
    assert drafts.tray_of(actor, DraftPhoto.Tray.EDITOR, most=5) == made[1:]
    assert drafts.tray_of(actor, DraftPhoto.Tray.BATCH, most=200) == batch


def test_drafts_come_in_the_order_of_their_ids_and_strangers_drafts_not_at_all(
    alice: User, charlie: User
) -> None:
    one, two, foreign = cast.make_draft(alice), cast.make_draft(alice), cast.make_draft(charlie)
    assert drafts.with_ids(cast.actor_of(alice), [two.id, foreign.id, one.id, two.id]) == [two, one]


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


def test_a_reference_becomes_a_draft_again_with_its_name_and_a_file_of_its_own(alice: User) -> None:
    kept = photos.copy_files(keep(alice, width=300))
    first = cast.make_edit(alice)
    edit = cast.make_edit(alice, references=[kept], parent=first.results.get())
    reference = edit.references.get()
    draft = drafts.from_reference(cast.actor_of(alice), reference)
    assert (draft.name, draft.sha256, draft.parent) == (reference.name, reference.sha256, edit.parent)
    assert draft.key != reference.key
    drafts.discard(cast.actor_of(alice), draft.id)
    assert cast.path_of(reference).is_file()


def test_only_photo_1_carries_on_what_an_edit_continued(alice: User) -> None:
    first = cast.make_edit(alice)
    photo = keep(alice)
    facts = [photos.copy_files(photo), photos.copy_files(photo)]
    edit = cast.make_edit(alice, references=facts, parent=first.results.get())
    copied = [drafts.from_reference(cast.actor_of(alice), one) for one in edit.references.all()]
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
