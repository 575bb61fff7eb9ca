"""Tests for comments: who may post and delete them, and where they are positioned on the result."""

import pytest

from editor.models import Comment, Edit, User, Workspace
from editor.options import Region
from editor.services.core.errors import Forbidden
from editor.services.maintenance import retention, trash
from editor.services.sharing import comments
from editor.services.sharing.comments import CommentRefused, add_comment, delete_comment
from tests import cast

pytestmark = pytest.mark.django_db
BOX = Region(0.1, 0.2, 0.3, 0.4)


@pytest.fixture
def edit(alice: User, team: Workspace) -> Edit:
    return cast.make_edit(alice, workspace=team, outputs=2)


def test_a_comment_is_stored_with_its_box_and_result(alice: User, team: Workspace, edit: Edit) -> None:
    add_comment(cast.actor_of(alice, team), edit, text="two\nlines")
    add_comment(cast.actor_of(alice, team), edit, text="there", box=BOX, result=2)
    first, second = comments.comments_of(edit)
    assert (first.text, first.author, first.box, first.result) == ("two\nlines", alice, None, None)
    assert (second.region, second.result) == (BOX, 2)


def test_a_viewer_can_comment(viewer: User, team: Workspace, edit: Edit) -> None:
    assert add_comment(cast.actor_of(viewer, team), edit, text="nice").author == viewer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Write a comment"),
        ("x" * (comments.MAX_COMMENT_LENGTH + 1), "at most 2,000"),
    ],
)
def test_an_empty_or_overlong_comment_is_refused(
    alice: User, team: Workspace, edit: Edit, text: str, words: str
) -> None:
    with pytest.raises(CommentRefused, match=words):
        add_comment(cast.actor_of(alice, team), edit, text=text)
    assert not Comment.objects.exists()


def test_a_box_on_a_nonexistent_result_is_refused(alice: User, team: Workspace, edit: Edit) -> None:
    with pytest.raises(CommentRefused, match="result does not exist"):
        add_comment(cast.actor_of(alice, team), edit, text="there", box=BOX, result=3)


def test_the_number_of_comments_on_an_edit_is_limited(
    alice: User, team: Workspace, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comments, "MAX_COMMENTS", 1)
    add_comment(cast.actor_of(alice, team), edit, text="first")
    with pytest.raises(CommentRefused, match="already has 1 comments"):
        add_comment(cast.actor_of(alice, team), edit, text="second")


def test_members_can_delete_their_own_comments_and_owners_can_delete_any(
    alice: User, bob: User, viewer: User, team: Workspace, edit: Edit
) -> None:
    by_alice, by_bob, by_viewer = (
        add_comment(cast.actor_of(user, team), edit, text="hm") for user in (alice, bob, viewer)
    )
    for user in (bob, viewer):
        assert not comments.may_delete(cast.actor_of(user, team), by_alice)
        with pytest.raises(Forbidden):
            delete_comment(cast.actor_of(user, team), by_alice)
    delete_comment(cast.actor_of(viewer, team), by_viewer)
    delete_comment(cast.actor_of(viewer, team), by_viewer)
    delete_comment(cast.actor_of(alice, team), by_bob)
    assert list(comments.comments_of(edit)) == [by_alice]


def test_comments_cannot_be_deleted_under_a_legal_hold(
    alice: User, bob: User, team: Workspace, edit: Edit
) -> None:
    actor, manager = cast.actor_of(bob, team), cast.actor_of(alice, team)
    comment = add_comment(actor, edit, text="hm")
    retention.set_hold(manager, reason="A lawsuit")
    for who in (actor, manager):
        with pytest.raises(trash.OnHold):
            delete_comment(who, comment)
    assert list(comments.comments_of(edit)) == [comment]
    retention.lift_hold(manager)
    delete_comment(actor, comment)
    assert not Comment.objects.exists()
