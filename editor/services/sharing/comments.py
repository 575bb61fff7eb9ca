"""Comments on an edit, or on a region of one of its results."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from editor.models import Comment, Edit
from editor.models.wording import number
from editor.options import Region
from editor.services.core.access import Actor, Right
from editor.services.maintenance.trash import OnHold

MAX_COMMENT_LENGTH = 2_000
MAX_COMMENTS = 200  # maximum number of comments on one edit, because its page shows all of them


class CommentRefused(Exception):
    """Raised when a comment is not valid.

    The exception's message is shown to users, and `field` names the invalid part.
    """

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


def comments_of(edit: Edit) -> QuerySet[Comment]:
    """Return the comments on an edit, oldest first."""
    return Comment.objects.filter(edit=edit).select_related("author")


def add_comment(
    actor: Actor, edit: Edit, *, text: str, box: Region | None = None, result: int = 1
) -> Comment:
    """Add a comment to an edit, or to a region of result number `result`.

    Raises Forbidden and CommentRefused.
    """
    actor.require(Right.COMMENT)
    if not text:
        raise CommentRefused("text", _("Write a comment first."))
    require_short_text(text)
    if box is not None and not edit.results.filter(position=result).exists():
        raise CommentRefused("region", _("This result does not exist. Choose another one."))
    if comments_of(edit).count() >= MAX_COMMENTS:
        raise CommentRefused(
            "text",
            _("This edit already has %(most)s comments, which is the maximum. Delete one first.")
            % {"most": MAX_COMMENTS},
        )
    return Comment.objects.create(
        edit=edit,
        author=actor.user,
        text=text,
        box=box.as_json() if box else None,
        result=result if box else None,
    )


def may_delete(actor: Actor, comment: Comment) -> bool:
    """Check whether the actor wrote this comment or may delete other people's content."""
    return comment.author_id == actor.user.pk or actor.has(Right.DELETE_ANY)


def delete_comment(actor: Actor, comment: Comment) -> None:
    """Delete a comment. A second call has no effect. Raises Forbidden and OnHold."""
    actor.require(Right.COMMENT)
    if comment.author_id != actor.user.pk:
        actor.require(Right.DELETE_ANY)
    same = Comment.objects.filter(pk=comment.pk)
    if not same.filter(edit__workspace__held_since=None).delete()[0] and same.exists():
        raise OnHold


def require_short_text(text: str) -> None:
    """Raise CommentRefused if the text of a comment or of a review step is too long."""
    if len(text) > MAX_COMMENT_LENGTH:
        limits = {"most": number(MAX_COMMENT_LENGTH), "count": number(len(text))}
        raise CommentRefused("text", _("Use at most %(most)s characters. You entered %(count)s.") % limits)
