"""Staff actions on edits.

They call the same service functions as the other entry points do, and their entry point is "admin".
"""

import uuid
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin.credit_permissions import MOVE_CREDITS
from editor.admin.row_actions import FormData, Refused, RowAction
from editor.models import Edit, User
from editor.services.billing import credits
from editor.services.core.access import owner_actor, reviewer_actor
from editor.services.core.disk_space import DiskFull
from editor.services.core.errors import NotFound
from editor.services.editing import engines, lifecycle, submit
from editor.services.maintenance import trash
from editor.services.sharing import comments, reviews

_REFUSALS = (DiskFull, engines.NoEngine, engines.EngineNotAllowed, submit.InvalidSubmission, submit.QueueFull)


def cancel(user: User, edit: Edit, data: FormData) -> bool:
    return lifecycle.cancel(reviewer_actor(user, edit.workspace), edit, reason=data["reason"])


def retry(user: User, edit: Edit, data: FormData) -> bool:
    """Run an edit again. Submitting the same form twice runs the edit only once."""
    submit_id = uuid.uuid5(data["token"], str(edit.pk))
    if submit.find_submitted(edit.owner, submit_id) is not None:
        return False
    try:
        admission = submit.admit(owner_actor(user, edit))
        submit.run_again(
            admission, edit, submit_id=submit_id, source=Edit.Source.ADMIN, reason=data["reason"]
        )
    except submit.InsufficientCredits as error:
        raise Refused(
            _("%(why)s The edit's workspace would pay for it.") % {"why": error.sentence}
        ) from error
    # The error quotes the prompt, which this reviewer may not be allowed to read.
    except submit.PromptRefused as error:
        raise Refused(_("The current engine can't do what this edit needs.")) from error
    except _REFUSALS as error:
        raise Refused(str(error)) from error
    except FileNotFoundError as error:
        raise Refused(_("One of its photos can no longer be read.")) from error
    except NotFound as error:
        raise Refused(_("Its owner has left the workspace that would pay for it.")) from error
    return True


def approve(user: User, edit: Edit, data: FormData) -> bool:
    return _review(user, edit, reviews.approve, data["reason"])


def decline(user: User, edit: Edit, data: FormData) -> bool:
    return _review(user, edit, reviews.decline, data["reason"])


def refund(user: User, edit: Edit, data: FormData) -> bool:
    try:
        return credits.refund(reviewer_actor(user, edit.workspace), edit, reason=data["reason"])
    except credits.NotRefundable as error:
        raise Refused(str(error)) from error


def hide(user: User, edit: Edit, data: FormData) -> bool:
    return trash.hide(reviewer_actor(user, edit.workspace), edit, reason=data["reason"])


def show(user: User, edit: Edit, data: FormData) -> bool:
    return trash.unhide(reviewer_actor(user, edit.workspace), edit, reason=data["reason"])


def delete(user: User, edit: Edit, data: FormData) -> bool:
    return trash.delete(reviewer_actor(user, edit.workspace), edit, reason=data["reason"])


def _review(user: User, edit: Edit, step: Callable[..., None], comment: str) -> bool:
    try:
        step(reviewer_actor(user, edit.workspace), edit, comment=comment)
    except (reviews.ReviewRefused, comments.CommentRefused) as error:
        raise Refused(str(error)) from error
    return True


def _not_approvable(edit: Edit) -> str:
    if not (edit.workspace.is_team and edit.can_be_reviewed):
        return _("Only a team's finished edits can be approved.")
    is_open = edit.review_state in (Edit.ReviewState.DRAFT, Edit.ReviewState.IN_REVIEW)
    return (
        ""
        if is_open
        else _("This edit has already been reviewed: %(state)s.") % {"state": edit.get_review_state_display()}
    )


def _not_in_review(edit: Edit) -> str:
    is_waiting = edit.is_in_review and edit.can_be_reviewed
    return "" if is_waiting else _("Only edits that are waiting for review can be declined.")


def _not_charged(edit: Edit) -> str:
    return "" if edit.is_success else _("This edit wasn't charged, so there's nothing to refund.")


def _still_runs(edit: Edit) -> str:
    return _("This edit is still running. Cancel it first.") if edit.is_open else ""


def _is_gone(edit: Edit) -> str:
    return _("This edit was permanently deleted.") if edit.purged else ""


def _not_open(edit: Edit) -> str:
    return "" if edit.is_open else _("This edit has already ended.")


def _not_again(edit: Edit) -> str:
    return (
        _still_runs(edit)
        or _is_gone(edit)
        or (_("This edit is hidden. Show it first.") if edit.hidden else "")
    )


def _not_hidden(edit: Edit) -> str:
    return "" if edit.hidden else _("This edit isn't hidden.")


def _cannot_hide(edit: Edit) -> str:
    return _still_runs(edit) or _is_gone(edit) or (_("This edit is already hidden.") if edit.hidden else "")


def _cannot_delete(edit: Edit) -> str:
    return (
        _still_runs(edit)
        or _is_gone(edit)
        or (_("This edit is already in the trash.") if edit.trashed else "")
    )


_CHANGE: dict[str, Any] = {"right": "editor.change_edit"}
ROW_ACTIONS: tuple[RowAction[Edit], ...] = (
    RowAction(
        name="approve",
        label=gettext_lazy("Approve"),
        icon="circle-check",
        description=gettext_lazy(
            "This approves the edit in its team. Members can download the original, and share links can "
            "show it. The team sees your reason as a comment."
        ),
        done_message=gettext_lazy("%(n)s approved."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already approved."),
        run=approve,
        unavailable_reason=_not_approvable,
        **_CHANGE,
    ),
    RowAction(
        name="decline",
        label=gettext_lazy("Decline"),
        icon="circle-x",
        description=gettext_lazy(
            "This sends the edit back to the person who created it. They see your reason and can change the "
            "edit."
        ),
        done_message=gettext_lazy("%(n)s declined."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already declined."),
        run=decline,
        unavailable_reason=_not_in_review,
        **_CHANGE,
    ),
    RowAction(
        name="refund",
        label=gettext_lazy("Refund"),
        icon="coins",
        description=gettext_lazy(
            "The workspace gets back the credits that the edit cost, once, as a new entry in its statement. "
            "The edit and its results don't change."
        ),
        done_message=gettext_lazy("%(n)s refunded."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already refunded."),
        run=refund,
        unavailable_reason=_not_charged,
        right=MOVE_CREDITS,
        moves_credits=True,
    ),
    RowAction(
        name="cancel",
        label=gettext_lazy("Cancel"),
        icon="ban",
        description=gettext_lazy(
            "This ends the edit now. The credits held for it are released, and the person who requested it "
            "sees your reason."
        ),
        done_message=gettext_lazy("%(n)s cancelled."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already cancelled."),
        run=cancel,
        unavailable_reason=_not_open,
        **_CHANGE,
    ),
    RowAction(
        name="retry",
        label=gettext_lazy("Try again"),
        icon="refresh-cw",
        description=gettext_lazy(
            "This submits the same request again, in the owner's name and workspace. The workspace pays for "
            "it, as for any other edit, and only if it succeeds."
        ),
        done_message=gettext_lazy("%(n)s tried again."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already tried again."),
        run=retry,
        unavailable_reason=_not_again,
        **_CHANGE,
    ),
    RowAction(
        name="hide",
        label=gettext_lazy("Hide"),
        icon="eye",
        description=gettext_lazy(
            "Only administrators can see the edit and its photos until you show it again. The person who "
            "created it sees your reason. Nothing is deleted, and no credits are charged or refunded."
        ),
        done_message=gettext_lazy("%(n)s hidden."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already hidden."),
        run=hide,
        unavailable_reason=_cannot_hide,
        **_CHANGE,
    ),
    RowAction(
        name="show",
        label=gettext_lazy("Show again"),
        icon="undo-2",
        description=gettext_lazy("The edit is visible again to everyone who could see it before."),
        done_message=gettext_lazy("%(n)s shown again."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already shown again."),
        run=show,
        unavailable_reason=_not_hidden,
        **_CHANGE,
    ),
    RowAction(
        name="delete",
        label=gettext_lazy("Move to trash"),
        icon="trash-2",
        description=gettext_lazy(
            "The edit goes to its workspace's trash and can be restored from there for a limited time. Then "
            "it is permanently deleted. No credits are charged or refunded."
        ),
        done_message=gettext_lazy("%(n)s moved to the trash."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already in the trash."),
        run=delete,
        unavailable_reason=_cannot_delete,
        is_destructive=True,
        **_CHANGE,
    ),
)
