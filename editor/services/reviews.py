"""What members say about an edit: comments, with a place on a result if they mean one."""

from django.db.models import QuerySet

from editor.models import Comment, Edit
from editor.options import Region
from editor.services.access import Actor, Right

LONGEST_COMMENT = 2_000
MOST_COMMENTS = 200  # of an edit: its page shows them all


class CommentRefused(Exception):
    """A comment that cannot be. Its text is a sentence for people; `field` says what is wrong with it."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


def comments_of(edit: Edit) -> QuerySet[Comment]:
    """What was said about the edit, the oldest first."""
    return Comment.objects.filter(edit=edit).select_related("author")


def add_comment(
    actor: Actor, edit: Edit, *, text: str, box: Region | None = None, result: int = 1
) -> Comment:
    """Says something about an edit, or about a place on result number `result`. Raises PermissionDenied and
    CommentRefused."""
    actor.require(Right.COMMENT)
    _require_fitting(text)
    if box is not None and not edit.results.filter(position=result).exists():
        raise CommentRefused("region", "There is no such result to mark a place on.")
    if comments_of(edit).count() >= MOST_COMMENTS:
        raise CommentRefused("text", f"There can be {MOST_COMMENTS} comments on an edit. Delete one first.")
    return Comment.objects.create(
        edit=edit,
        author=actor.user,
        text=text,
        box=box.as_json() if box else None,
        result=result if box else None,
    )


def may_delete(actor: Actor, comment: Comment) -> bool:
    """One's own, or anybody's with the right to delete what others made."""
    return comment.author_id == actor.user.pk or actor.has(Right.DELETE_ANY)


def delete_comment(actor: Actor, comment: Comment) -> None:
    """Takes a comment away. Raises PermissionDenied for another's. Doing it twice changes nothing."""
    actor.require(Right.COMMENT)
    if comment.author_id != actor.user.pk:
        actor.require(Right.DELETE_ANY)
    Comment.objects.filter(pk=comment.pk).delete()


def _require_fitting(text: str) -> None:
    if not text:
        raise CommentRefused("text", "Write a comment first.")
    if len(text) > LONGEST_COMMENT:
        raise CommentRefused("text", f"Use at most {LONGEST_COMMENT:,} characters. There are {len(text):,}.")
