"""The review of an edit, from draft to approved or declined.

Each step in a review is one conditional UPDATE of the edit. If two reviewers act simultaneously, the first
one succeeds and the other gets an error.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from editor.models import Action, ApiKey, Edit, Review, Workspace
from editor.services.core import audit
from editor.services.core.access import RIGHTS, Actor, Right
from editor.services.core.errors import Forbidden
from editor.services.sharing.comments import CommentRefused, require_short_text

ReviewState = Edit.ReviewState


class ReviewRefused(Exception):
    """Raised when the edit's state does not allow this step.

    This happens if someone else acted first or the edit cannot be reviewed. The exception's message is shown
    to users.
    """


@dataclass(frozen=True)
class Steps:
    """The steps that the actor can now take in an edit's review."""

    send: bool
    take_back: bool
    approve: bool
    decline: bool
    reopen: bool


def history_of(edit: Edit) -> QuerySet[Review]:
    """Return the steps of an edit's review, oldest first."""
    return Review.objects.filter(edit=edit).select_related("actor")


def steps_of(actor: Actor, edit: Edit) -> Steps:
    """Return the steps that the actor can take in this edit's review. Outside a team, there are none."""
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
    """Request a review of a draft or a declined edit.

    Reviewers may request a review of any edit. Other members may request one only for their own edits. Raises
    Forbidden, CommentRefused, and ReviewRefused, as do all other steps.
    """
    _require_sending(actor, edit)
    _step(actor, edit, Action.REVIEW_ASKED, comment, start=_SENT_FROM)


def take_back(actor: Actor, edit: Edit, *, comment: str = "") -> None:
    """Withdraw a review request, which turns the edit back into a draft."""
    _require_sending(actor, edit)
    _step(actor, edit, Action.REVIEW_TAKEN_BACK, comment, start=(ReviewState.IN_REVIEW,))


def approve(actor: Actor, edit: Edit, *, comment: str = "") -> None:
    """Approve an edit that is in review or a draft."""
    actor.require(Right.REVIEW)
    _step(actor, edit, Action.EDIT_APPROVED, comment, start=_APPROVED_FROM)


def decline(actor: Actor, edit: Edit, *, comment: str) -> None:
    """Decline an edit that is in review; the comment gives the reason."""
    actor.require(Right.REVIEW)
    if not comment:
        raise CommentRefused("text", _("Describe what should change."))
    _step(actor, edit, Action.EDIT_DECLINED, comment, start=(ReviewState.IN_REVIEW,))


def reopen(actor: Actor, edit: Edit, *, comment: str = "") -> None:
    """Withdraw an approval, which returns the edit to review.

    If the team requires approval, the edit's share links stop working.
    """
    actor.require(Right.REVIEW)
    _step(actor, edit, Action.APPROVAL_TAKEN_BACK, comment, start=(ReviewState.APPROVED,))


def require_approval(actor: Actor, *, is_required: bool) -> None:
    """Set whether a team's originals need approval. A second call has no effect. Raises Forbidden."""
    actor.require(Right.SET_WORKSPACE)
    if not actor.workspace.is_team:
        raise Forbidden(_("Only teams can require approval."))
    mine = Workspace.objects.filter(pk=actor.workspace.pk, approval_since__isnull=is_required)
    with transaction.atomic():
        if mine.update(approval_since=timezone.now() if is_required else None):
            audit.record(
                actor, Action.APPROVAL_SET, subject=actor.workspace, detail={"required": is_required}
            )


def keys_without_review(workspace: Workspace) -> int:
    """Return the number of active API keys that belong to members who may not review.

    These keys do not work while approval is required.
    """
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
        raise Forbidden(
            _("Only the person who created this edit and the team's reviewers can send it to review.")
        )


def _step(
    actor: Actor, edit: Edit, action: Action, comment: str, *, start: Collection[Edit.ReviewState]
) -> None:
    state = _LEADS_TO[action]
    require_short_text(comment)
    if not actor.workspace.is_team:
        raise ReviewRefused(_("Edits can be reviewed only in teams."))
    with transaction.atomic():
        # The condition uses only the edit's own columns, because PostgreSQL rechecks only these after a
        # concurrent step.
        waiting = Edit.objects.not_in_trash().filter(
            pk=edit.pk, workspace=actor.workspace, state=Edit.State.SUCCESS, review_state__in=start
        )
        if not waiting.update(review_state=state):
            raise ReviewRefused(_refusal_reason(edit))
        Review.objects.create(edit=edit, actor=actor.user, state=state, comment=comment)
        # A member's comment is deleted with the edit. The audit log, which never changes, keeps only staff's
        # reasons.
        audit.record(actor, action, subject=edit, reason=comment if actor.entry_point == "admin" else "")
    edit.review_state = state


def _refusal_reason(edit: Edit) -> str:
    edit.refresh_from_db(fields=["state", "trashed", "review_state"])
    last = history_of(edit).last()
    if not edit.can_be_reviewed or last is None:
        return _("Only a finished edit that is not in the trash can be reviewed.")
    who = last.actor.name or last.actor.email
    return _("%(who)s %(did)s in the meantime. Check the edit again before you continue.") % {
        "who": who,
        "did": last.action_phrase,
    }
