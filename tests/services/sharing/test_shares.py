"""Tests for guest links: how they are created and used, and when they stop working."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor.models import AuditEntry, Edit, Membership, Share, User, Workspace
from editor.services.core import links, rates
from editor.services.core.errors import Forbidden
from editor.services.core.links import SharedPhoto
from editor.services.maintenance import trash
from editor.services.sharing import reviews, shares
from editor.services.sharing.shares import ShareGone, ShareRefused
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def edit(bob: User, team: Workspace) -> Edit:
    return cast.make_edit(bob, workspace=team)


@pytest.fixture
def made(bob: User, team: Workspace, edit: Edit) -> Share:
    return shares.share(cast.actor_of(bob, team), edit)


def token_of(made: Share) -> str:
    return links.share_token(made.seed)


def shows(made: Share) -> bool:
    """Return whether the link works. Also check that the photo is available only if it does."""
    known = SharedPhoto(made.pk, "results", made.edit.results.get().pk, "800")
    try:
        found = shares.find(token_of(made), attempt="a").pk == made.pk
    except ShareGone:
        found = False
    assert (shares.find_photo(known) is not None) == found
    return found


def test_a_link_shows_its_edit_and_its_token_is_not_stored(bob: User, team: Workspace, edit: Edit) -> None:
    made = shares.share(cast.actor_of(bob, team), edit, days=1, comment="Look.", shows_prompt=False)
    assert shows(made)
    assert (made.comment, made.shows_prompt, made.allows_download) == ("Look.", False, False)
    assert token_of(made) not in str(vars(made)), "the token itself is not stored"
    assert made.expires - timezone.now() < timedelta(days=1)
    assert AuditEntry.objects.get().action == "shared"


def _revoke(made: Share) -> None:
    shares.revoke(cast.actor_of(made.made_by, made.edit.workspace), made)


def _end(made: Share) -> None:
    Share.objects.filter(pk=made.pk).update(expires=timezone.now())


def _trash(made: Share) -> None:
    trash.delete(cast.actor_of(made.made_by, made.edit.workspace), made.edit)


def _leave(made: Share) -> None:
    Membership.objects.filter(user=made.made_by, workspace=made.edit.workspace).delete()


def _become_viewer(made: Share) -> None:
    Membership.objects.filter(user=made.made_by, workspace=made.edit.workspace).update(role="viewer")


def _block(made: Share) -> None:
    User.objects.filter(pk=made.made_by_id).update(is_active=False)


def _require_approval(made: Share) -> None:
    Workspace.objects.filter(pk=made.edit.workspace_id).update(approval_since=timezone.now())


@pytest.mark.parametrize(
    "end",
    [_revoke, _end, _trash, _leave, _become_viewer, _block, _require_approval],
    ids=lambda f: f.__name__,
)
def test_a_link_stops_working_when_a_requirement_is_no_longer_met(
    made: Share, end: Callable[[Share], None]
) -> None:
    assert shows(made)
    end(made)
    assert not shows(made)


@pytest.mark.usefixtures("new_minute")
def test_guessed_tokens_are_refused_and_limited_per_ip_address(
    made: Share, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "FAILURES_PER_MINUTE", 2)
    for _ in range(3):
        with pytest.raises(ShareGone):
            shares.find("a guess", attempt="1.2.3.4")
    with pytest.raises(rates.TooManyAttempts):
        shares.find(token_of(made), attempt="1.2.3.4")
    assert shares.find(token_of(made), attempt="5.6.7.8") == made


def test_if_approval_is_required_a_link_works_only_while_the_edit_is_approved(
    alice: User, bob: User, team: Workspace, edit: Edit
) -> None:
    reviewer, maker = cast.actor_of(alice, team), cast.actor_of(bob, team)
    reviews.require_approval(reviewer, is_required=True)
    with pytest.raises(ShareRefused, match="approved edits only"):
        shares.share(maker, edit)
    reviews.approve(reviewer, edit)
    made = shares.share(maker, edit)
    assert shows(made)
    reviews.reopen(reviewer, edit)
    assert not shows(made)
    assert list(shares.shares_of(edit)) == [made], "the page still lists the link while it is inactive"


def test_a_link_does_not_show_photos_of_other_edits(made: Share, bob: User, team: Workspace) -> None:
    other = cast.make_edit(bob, workspace=team)
    assert shares.find_photo(SharedPhoto(made.pk, "results", other.results.get().pk, "800")) is None


def test_a_viewer_cannot_share_an_edit(viewer: User, team: Workspace, edit: Edit) -> None:
    with pytest.raises(Forbidden):
        shares.share(cast.actor_of(viewer, team), edit)


@pytest.mark.parametrize(
    ("given", "words"),
    [({"days": 2}, "valid for 1, 7, 30 or 90 days"), ({"comment": "x" * 501}, "at most 500 characters")],
)
def test_an_invalid_link_is_refused_with_a_message(
    bob: User, team: Workspace, edit: Edit, given: dict[str, Any], words: str
) -> None:
    with pytest.raises(ShareRefused, match=words):
        shares.share(cast.actor_of(bob, team), edit, **given)
    assert not Share.objects.exists()


@pytest.mark.parametrize("state", ["FAILED", "RUNNING"])
def test_only_a_finished_edit_is_shared(bob: User, team: Workspace, state: str) -> None:
    with pytest.raises(ShareRefused, match="Only a finished edit"):
        shares.share(cast.actor_of(bob, team), cast.make_edit(bob, workspace=team, state=state))


def test_the_number_of_links_to_an_edit_is_limited(
    bob: User, team: Workspace, edit: Edit, made: Share, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "MAX_LINKS", 1)
    with pytest.raises(ShareRefused, match="already has 1 links"):
        shares.share(cast.actor_of(bob, team), edit)
    _revoke(made)
    assert shares.share(cast.actor_of(bob, team), edit)


def test_a_reviewer_but_no_other_editor_can_revoke_a_link(
    alice: User, team: Workspace, edit: Edit, made: Share
) -> None:
    other = cast.make_user("other@example.org")
    cast.join(team, other)
    with pytest.raises(Forbidden):
        shares.revoke(cast.actor_of(other, team), made)
    shares.revoke(cast.actor_of(alice, team), made)
    shares.revoke(cast.actor_of(alice, team), made)
    assert not shows(made)
    assert [entry.action for entry in AuditEntry.objects.order_by("id")] == ["shared", "share_revoked"]


def test_an_edit_in_a_personal_workspace_can_be_shared(alice: User) -> None:
    assert shows(shares.share(cast.actor_of(alice), cast.make_edit(alice)))


def test_purging_an_edit_deletes_its_links_and_reviews(
    alice: User, team: Workspace, edit: Edit, made: Share
) -> None:
    actor = cast.actor_of(alice, team)
    reviews.approve(actor, edit, comment="Good.")
    trash.delete(actor, edit)
    trash.purge(actor, Edit.objects.filter(pk=edit.pk))
    assert not Share.objects.exists()
    assert not edit.reviews.exists()


def test_a_changed_or_expired_photo_url_is_invalid(made: Share) -> None:
    photo = made.edit.results.get()
    late = links.shared_photo_url(photo, share_id=made.pk, size="800", expires=timezone.now())
    good = links.shared_photo_url(
        photo, share_id=made.pk, size="800", expires=shares.photo_urls_expire_at(made)
    )
    signed = good.split("/")[-2]
    assert links.unsign_shared(signed) == SharedPhoto(made.pk, "results", photo.pk, "800")
    assert links.unsign_shared(late.split("/")[-2]) is None
    assert links.unsign_shared(signed.replace(".800.", ".original.")) is None
    assert links.unsign_photo(signed) is None, "each purpose has its own salt"
