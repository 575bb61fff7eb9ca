"""Actions of staff on edits. They call the same service functions as other entry points, with the entry point
"admin"."""

import uuid
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin.money import MOVE_CREDITS
from editor.admin.verbs import Given, Refused, Verb
from editor.models import Edit, User
from editor.services.billing import credits
from editor.services.core.access import on_behalf, reviewer
from editor.services.core.disk_space import DiskFull
from editor.services.core.errors import NotFound
from editor.services.editing import lifecycle, submit
from editor.services.maintenance import trash
from editor.services.sharing import comments, reviews

_REFUSALS = (DiskFull, submit.InvalidSubmission, submit.QueueFull)


def cancel(user: User, edit: Edit, given: Given) -> bool:
    return lifecycle.cancel(reviewer(user, edit.workspace), edit, reason=given["reason"])


def again(user: User, edit: Edit, given: Given) -> bool:
    """Run an edit again. Submitting the same form twice runs it once."""
    submit_id = uuid.uuid5(given["token"], str(edit.pk))
    if submit.find_submitted(edit.owner, submit_id) is not None:
        return False
    try:
        admission = submit.admit(on_behalf(user, edit))
        submit.run_again(
            admission, edit, submit_id=submit_id, source=Edit.Source.ADMIN, reason=given["reason"]
        )
    except submit.InsufficientCredits as error:
        raise Refused(
            _("%(why)s The edit's workspace would pay for it.") % {"why": error.sentence}
        ) from error
    # The error quotes the prompt, which this reviewer may not be allowed to see.
    except submit.InstructionRefused as error:
        raise Refused(_("The current engine can't do what this edit needs.")) from error
    except _REFUSALS as error:
        raise Refused(str(error)) from error
    except FileNotFoundError as error:
        raise Refused(_("One of its photos can no longer be read.")) from error
    except NotFound as error:
        raise Refused(_("Its owner has left the workspace that would pay for it.")) from error
    return True


def approve(user: User, edit: Edit, given: Given) -> bool:
    return _review(user, edit, reviews.approve, given["reason"])


def decline(user: User, edit: Edit, given: Given) -> bool:
    return _review(user, edit, reviews.decline, given["reason"])


def refund(user: User, edit: Edit, given: Given) -> bool:
    try:
        return credits.refund(reviewer(user, edit.workspace), edit, reason=given["reason"])
    except credits.NotRefundable as error:
        raise Refused(str(error)) from error


def hide(user: User, edit: Edit, given: Given) -> bool:
    return trash.hide(reviewer(user, edit.workspace), edit, reason=given["reason"])


def show(user: User, edit: Edit, given: Given) -> bool:
    return trash.show(reviewer(user, edit.workspace), edit, reason=given["reason"])


def delete(user: User, edit: Edit, given: Given) -> bool:
    return trash.delete(reviewer(user, edit.workspace), edit, reason=given["reason"])


def _review(user: User, edit: Edit, step: Callable[..., None], comment: str) -> bool:
    try:
        step(reviewer(user, edit.workspace), edit, comment=comment)
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
VERBS: tuple[Verb[Edit], ...] = (
    Verb(
        name="approve",
        label=gettext_lazy("Approve"),
        icon="circle-check",
        says=gettext_lazy(
            "This approves the edit in its team. Members can download the original, and share links can "
            "show it. The team sees your reason as a comment."
        ),
        done=gettext_lazy("%(n)s approved."),
        again=gettext_lazy("Skipped %(n)s: already approved."),
        does=approve,
        unfit=_not_approvable,
        **_CHANGE,
    ),
    Verb(
        name="decline",
        label=gettext_lazy("Decline"),
        icon="circle-x",
        says=gettext_lazy(
            "This sends the edit back to the person who created it. They see your reason and can change the "
            "edit."
        ),
        done=gettext_lazy("%(n)s declined."),
        again=gettext_lazy("Skipped %(n)s: already declined."),
        does=decline,
        unfit=_not_in_review,
        **_CHANGE,
    ),
    Verb(
        name="refund",
        label=gettext_lazy("Refund"),
        icon="coins",
        says=gettext_lazy(
            "The workspace gets back the credits that the edit cost, once, as a new entry in its statement. "
            "The edit and its results don't change."
        ),
        done=gettext_lazy("%(n)s refunded."),
        again=gettext_lazy("Skipped %(n)s: already refunded."),
        does=refund,
        unfit=_not_charged,
        right=MOVE_CREDITS,
        is_money=True,
    ),
    Verb(
        name="cancel",
        label=gettext_lazy("Cancel"),
        icon="ban",
        says=gettext_lazy(
            "This ends the edit now. The credits held for it are released, and the person who requested it "
            "sees your reason."
        ),
        done=gettext_lazy("%(n)s cancelled."),
        again=gettext_lazy("Skipped %(n)s: already cancelled."),
        does=cancel,
        unfit=_not_open,
        **_CHANGE,
    ),
    Verb(
        name="retry",
        label=gettext_lazy("Try again"),
        icon="refresh-cw",
        says=gettext_lazy(
            "This submits the same request again, in the owner's name and workspace. The workspace pays for "
            "it like for any other edit, and only if it succeeds."
        ),
        done=gettext_lazy("%(n)s tried again."),
        again=gettext_lazy("Skipped %(n)s: already tried again."),
        does=again,
        unfit=_not_again,
        **_CHANGE,
    ),
    Verb(
        name="hide",
        label=gettext_lazy("Hide"),
        icon="eye",
        says=gettext_lazy(
            "Only administrators can see the edit and its photos until you show it again. The person who "
            "created it sees your reason. Nothing is deleted, and no credits are charged or refunded."
        ),
        done=gettext_lazy("%(n)s hidden."),
        again=gettext_lazy("Skipped %(n)s: already hidden."),
        does=hide,
        unfit=_cannot_hide,
        **_CHANGE,
    ),
    Verb(
        name="show",
        label=gettext_lazy("Show again"),
        icon="undo-2",
        says=gettext_lazy("The edit is visible again to everyone who could see it before."),
        done=gettext_lazy("%(n)s shown again."),
        again=gettext_lazy("Skipped %(n)s: already shown again."),
        does=show,
        unfit=_not_hidden,
        **_CHANGE,
    ),
    Verb(
        name="delete",
        label=gettext_lazy("Move to trash"),
        icon="trash-2",
        says=gettext_lazy(
            "The edit goes to its workspace's trash and can be restored from there for a limited time. Then "
            "it is permanently deleted. No credits are charged or refunded."
        ),
        done=gettext_lazy("%(n)s moved to the trash."),
        again=gettext_lazy("Skipped %(n)s: already in the trash."),
        does=delete,
        unfit=_cannot_delete,
        is_bad=True,
        **_CHANGE,
    ),
)
