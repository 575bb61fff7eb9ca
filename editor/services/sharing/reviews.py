"""What members say about an edit: comments, and its review, from a draft to approved or declined.

A step of the review is one conditional UPDATE of the edit, so that of two reviewers at once one decides; who
comes second is told.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from editor.models import Action, ApiKey, Comment, Edit, Review, Workspace
from editor.models.wording import number
from editor.options import Region
from editor.services.core import audit
from editor.services.core.access import RIGHTS, Actor, Right
from editor.services.core.errors import Forbidden
from editor.services.maintenance.trash import OnHold

ReviewState = Edit.ReviewState

LONGEST_COMMENT = 2_000
MOST_COMMENTS = 200  # of an edit: its page shows them all


class CommentRefused(Exception):
    """A comment that cannot be. Its text is a sentence for people; `field` says what is wrong with it."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


class ReviewRefused(Exception):
    """The edit is not in a state for this step: somebody else was first, or it can't be reviewed. Its text is
    a sentence for people."""


@dataclass(frozen=True)
class Steps:
    """Which steps of the review of an edit this actor can take now."""

    send: bool
    take_back: bool
    approve: bool
    decline: bool
    reopen: bool


def comments_of(edit: Edit) -> QuerySet[Comment]:
    """What was said about the edit, the oldest first."""
    return Comment.objects.filter(edit=edit).select_related("author")


def add_comment(
    actor: Actor, edit: Edit, *, text: str, box: Region | None = None, result: int = 1
) -> Comment:
    """Says something about an edit, or about a place on result number `result`. Raises Forbidden and
    CommentRefused."""
    actor.require(Right.COMMENT)
    _require_fitting(text)
    if box is not None and not edit.results.filter(position=result).exists():
        raise CommentRefused("region", _("There is no such result to mark a place on."))
    if comments_of(edit).count() >= MOST_COMMENTS:
        raise CommentRefused(
            "text",
            _("There can be %(most)s comments on an edit. Delete one first.") % {"most": MOST_COMMENTS},
        )
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
    """Takes a comment away. Raises Forbidden for another's, and OnHold. Doing it twice changes
    nothing."""
    actor.require(Right.COMMENT)
    if comment.author_id != actor.user.pk:
        actor.require(Right.DELETE_ANY)
    same = Comment.objects.filter(pk=comment.pk)
    if not same.filter(edit__workspace__held_since=None).delete()[0] and same.exists():
        raise OnHold


def history_of(edit: Edit) -> QuerySet[Review]:
    """The steps of its review, the oldest first."""
    return Review.objects.filter(edit=edit).select_related("actor")


def steps_of(actor: Actor, edit: Edit) -> Steps:
    """What the actor can do about the review of this edit; nothing outside a team."""
    can_be = edit.can_be_reviewed and edit.workspace.is_team
    sends, decides = can_be and _may_send(actor, edit), can_be and actor.has(Right.REVIEW)
    return Steps(
        send=sends and edit.review_state in _SENT_FROM,
        take_back=sends and edit.is_in_review,
        approve=decides and edit.review_state in _APPROVED_FROM,
        decline=decides and edit.is_in_review,
        reopen=decides and edit.is_approved,
    )


def send(actor: Actor, edit: Edit, *, comment: str = "") -> None:
    """Asks for a review of a draft, or of what was declined: one's own, for who may review anybody's. Raises
    Forbidden, CommentRefused and ReviewRefused, as all steps do."""
    _require_sending(actor, edit)
    _step(actor, edit, Action.REVIEW_ASKED, comment, start=_SENT_FROM)


def take_back(actor: Actor, edit: Edit, *, comment: str = "") -> None:
    """Makes what waits for its review a draft again."""
    _require_sending(actor, edit)
    _step(actor, edit, Action.REVIEW_TAKEN_BACK, comment, start=(ReviewState.IN_REVIEW,))


def approve(actor: Actor, edit: Edit, *, comment: str = "") -> None:
    """Approves what waits for its review, or a draft."""
    actor.require(Right.REVIEW)
    _step(actor, edit, Action.EDIT_APPROVED, comment, start=_APPROVED_FROM)


def decline(actor: Actor, edit: Edit, *, comment: str) -> None:
    """Declines what waits for its review; the comment says why."""
    actor.require(Right.REVIEW)
    if not comment:
        raise CommentRefused("text", _("Say what should change."))
    _step(actor, edit, Action.EDIT_DECLINED, comment, start=(ReviewState.IN_REVIEW,))


def reopen(actor: Actor, edit: Edit, *, comment: str = "") -> None:
    """Takes an approval back: the edit waits for its review again, and its links show nothing."""
    actor.require(Right.REVIEW)
    _step(actor, edit, Action.APPROVAL_TAKEN_BACK, comment, start=(ReviewState.APPROVED,))


def require_approval(actor: Actor, *, is_required: bool) -> None:
    """Has a team's originals wait for approval, or no more. Raises Forbidden. Doing it twice changes
    nothing."""
    actor.require(Right.SET_WORKSPACE)
    if not actor.workspace.is_team:
        raise Forbidden(_("Only in a team there is somebody else to approve edits."))
    mine = Workspace.objects.filter(pk=actor.workspace.pk, approval_since__isnull=is_required)
    with transaction.atomic():
        if mine.update(approval_since=timezone.now() if is_required else None):
            audit.record(
                actor, Action.APPROVAL_SET, subject=actor.workspace, detail={"required": is_required}
            )


def keys_without_review(workspace: Workspace) -> int:
    """How many living keys are of members who may not review: they rest while approval is required."""
    keys = ApiKey.objects.filter(workspace=workspace, revoked=None)
    may = workspace.memberships.filter(role__in=RIGHTS[Right.REVIEW])
    return keys.exclude(user__in=may.values("user")).count()


_LEADS_TO = {
    Action.REVIEW_ASKED: ReviewState.IN_REVIEW,
    Action.REVIEW_TAKEN_BACK: ReviewState.DRAFT,
    Action.EDIT_APPROVED: ReviewState.APPROVED,
    Action.EDIT_DECLINED: ReviewState.DECLINED,
    Action.APPROVAL_TAKEN_BACK: ReviewState.IN_REVIEW,
}
_SENT_FROM = (ReviewState.DRAFT, ReviewState.DECLINED)
_APPROVED_FROM = (ReviewState.DRAFT, ReviewState.IN_REVIEW)


def _may_send(actor: Actor, edit: Edit) -> bool:
    is_own = edit.owner_id == actor.user.pk and actor.has(Right.EDIT)
    return is_own or actor.has(Right.REVIEW)


def _require_sending(actor: Actor, edit: Edit) -> None:
    if not _may_send(actor, edit):
        raise Forbidden(_("Only who made this edit and reviewers of the team can send it to review."))


def _step(
    actor: Actor, edit: Edit, action: Action, comment: str, *, start: Collection[Edit.ReviewState]
) -> None:
    state = _LEADS_TO[action]
    if len(comment) > LONGEST_COMMENT:
        raise CommentRefused("text", _too_long(comment))
    if not actor.workspace.is_team:
        raise ReviewRefused(_("Edits are reviewed in teams alone."))
    with transaction.atomic():
        # No other table in it: PostgreSQL asks these columns again when another's step ends meanwhile.
        waiting = Edit.objects.shown().filter(
            pk=edit.pk, workspace=actor.workspace, state=Edit.State.SUCCESS, review_state__in=start
        )
        if not waiting.update(review_state=state):
            raise ReviewRefused(_why_not(edit))
        Review.objects.create(edit=edit, actor=actor.user, state=state, comment=comment)
        # What a member says goes with the edit; the record, which never changes, keeps the reasons of staff.
        audit.record(actor, action, subject=edit, reason=comment if actor.door == "admin" else "")
    edit.review_state = state


def _why_not(edit: Edit) -> str:
    edit.refresh_from_db(fields=["state", "trashed", "review_state"])
    last = history_of(edit).last()
    if not edit.can_be_reviewed or last is None:
        return _("Only a finished edit that is not in the trash can be reviewed.")
    who = last.actor.name or last.actor.email
    return _("%(who)s %(did)s meanwhile. Look at it again before you go on.") % {"who": who, "did": last.did}


def _too_long(text: str) -> str:
    return _("Use at most %(most)s characters. There are %(count)s.") % {
        "most": number(LONGEST_COMMENT),
        "count": number(len(text)),
    }


def _require_fitting(text: str) -> None:
    if not text:
        raise CommentRefused("text", _("Write a comment first."))
    if len(text) > LONGEST_COMMENT:
        raise CommentRefused("text", _too_long(text))
