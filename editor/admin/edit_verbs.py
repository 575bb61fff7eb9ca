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
        raise Refused(_("%(why)s Its workspace pays.") % {"why": error.sentence}) from error
    # The error quotes the prompt, which this reviewer may not be allowed to see.
    except submit.InstructionRefused as error:
        raise Refused(_("The engine of today does not do what it asks for.")) from error
    except _REFUSALS as error:
        raise Refused(str(error)) from error
    except FileNotFoundError as error:
        raise Refused(_("A photo of it can't be read any more.")) from error
    except NotFound as error:
        raise Refused(_("Its owner has left the workspace, which would pay.")) from error
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
        return _("Only finished edits of a team are approved.")
    is_open = edit.review_state in (Edit.ReviewState.DRAFT, Edit.ReviewState.IN_REVIEW)
    return (
        ""
        if is_open
        else _("It was decided already: %(state)s.") % {"state": edit.get_review_state_display()}
    )


def _not_in_review(edit: Edit) -> str:
    is_waiting = edit.is_in_review and edit.can_be_reviewed
    return "" if is_waiting else _("Only what waits for its review is declined.")


def _not_charged(edit: Edit) -> str:
    return "" if edit.is_success else _("It was not charged, so there is nothing to refund.")


def _still_runs(edit: Edit) -> str:
    return _("It is still running: cancel it first.") if edit.is_open else ""


def _is_gone(edit: Edit) -> str:
    return _("It was deleted for good.") if edit.purged else ""


def _not_open(edit: Edit) -> str:
    return "" if edit.is_open else _("It has ended.")


def _not_again(edit: Edit) -> str:
    return _still_runs(edit) or _is_gone(edit) or (_("It is hidden: show it first.") if edit.hidden else "")


def _not_hidden(edit: Edit) -> str:
    return "" if edit.hidden else _("It is not hidden.")


def _cannot_hide(edit: Edit) -> str:
    return _still_runs(edit) or _is_gone(edit) or (_("It is hidden already.") if edit.hidden else "")


def _cannot_delete(edit: Edit) -> str:
    return _still_runs(edit) or _is_gone(edit) or (_("It lies in the trash already.") if edit.trashed else "")


_CHANGE: dict[str, Any] = {"right": "editor.change_edit"}
VERBS: tuple[Verb[Edit], ...] = (
    Verb(
        name="approve",
        label=gettext_lazy("Approve"),
        icon="circle-check",
        says=gettext_lazy(
            "It is approved in its team: its original may be taken and links may show it. The team reads "
            "your reason as a comment."
        ),
        done=gettext_lazy("%(n)s approved."),
        again=gettext_lazy("%(n)s had been approved before. Nothing was done twice."),
        does=approve,
        unfit=_not_approvable,
        **_CHANGE,
    ),
    Verb(
        name="decline",
        label=gettext_lazy("Decline"),
        icon="circle-x",
        says=gettext_lazy("It goes back to whoever made it, who reads your reason and can change it."),
        done=gettext_lazy("%(n)s declined."),
        again=gettext_lazy("%(n)s had been declined before. Nothing was done twice."),
        does=decline,
        unfit=_not_in_review,
        **_CHANGE,
    ),
    Verb(
        name="refund",
        label=gettext_lazy("Refund"),
        icon="coins",
        says=gettext_lazy(
            "Its workspace gets back what the edit has cost, by a new entry of the ledger, once. Nothing is "
            "edited, and the results stay."
        ),
        done=gettext_lazy("%(n)s refunded."),
        again=gettext_lazy("%(n)s had been refunded before. Nothing was done twice."),
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
            "It ends now. What is held for it is set free, and whoever asked for it reads your reason."
        ),
        done=gettext_lazy("%(n)s cancelled."),
        again=gettext_lazy("%(n)s had been cancelled before. Nothing was done twice."),
        does=cancel,
        unfit=_not_open,
        **_CHANGE,
    ),
    Verb(
        name="retry",
        label=gettext_lazy("Try again"),
        icon="refresh-cw",
        says=gettext_lazy(
            "The same request is made anew, in the workspace of its owner and in the owner's name. That "
            "workspace pays for it as for any edit, and only if it succeeds."
        ),
        done=gettext_lazy("%(n)s tried again."),
        again=gettext_lazy("%(n)s had been tried again before. Nothing was done twice."),
        does=again,
        unfit=_not_again,
        **_CHANGE,
    ),
    Verb(
        name="hide",
        label=gettext_lazy("Hide"),
        icon="eye",
        says=gettext_lazy(
            "Nobody but staff sees it or its photos any more, by any address, until it is shown again. "
            "Whoever made it reads your reason. Nothing is deleted, and no credits move."
        ),
        done=gettext_lazy("%(n)s hidden."),
        again=gettext_lazy("%(n)s had been hidden before. Nothing was done twice."),
        does=hide,
        unfit=_cannot_hide,
        **_CHANGE,
    ),
    Verb(
        name="show",
        label=gettext_lazy("Show again"),
        icon="undo-2",
        says=gettext_lazy("It is back where it was before it was hidden, for everybody who saw it then."),
        done=gettext_lazy("%(n)s shown again."),
        again=gettext_lazy("%(n)s had been shown again before. Nothing was done twice."),
        does=show,
        unfit=_not_hidden,
        **_CHANGE,
    ),
    Verb(
        name="delete",
        label=gettext_lazy("Move to trash"),
        icon="trash-2",
        says=gettext_lazy(
            "It goes to the trash of its workspace, from where it can be restored until its days are over; "
            "then it is deleted for good. No credits move."
        ),
        done=gettext_lazy("%(n)s moved to the trash."),
        again=gettext_lazy("%(n)s had been moved to the trash before. Nothing was done twice."),
        does=delete,
        unfit=_cannot_delete,
        is_bad=True,
        **_CHANGE,
    ),
)
