"""Staff actions on workspaces."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin.row_actions import FormData, ReasonForm, Refused, RowAction
from editor.models import User, Workspace
from editor.services.billing import credits
from editor.services.core.access import reviewer_actor
from editor.services.maintenance import retention
from editor.services.people import openings


def open_for_review(user: User, workspace: Workspace, data: FormData) -> bool:
    try:
        openings.open_workspace(user, workspace, reason=data["reason"])
    except openings.AlreadyOpen as error:
        raise Refused(str(error)) from error
    return True


def end_opening(user: User, workspace: Workspace, data: FormData) -> bool:
    return openings.end_opening(user, workspace, reason=data["reason"])


def set_hold(user: User, workspace: Workspace, data: FormData) -> bool:
    retention.set_hold(reviewer_actor(user, workspace), reason=data["reason"])
    return True


def lift_hold(user: User, workspace: Workspace, data: FormData) -> bool:
    retention.lift_hold(reviewer_actor(user, workspace))
    return True


def change_plan(user: User, workspace: Workspace, data: FormData) -> bool:
    plan = Workspace.Plan(data["plan"])
    return credits.change_plan(reviewer_actor(user, workspace), workspace, plan=plan, reason=data["reason"])


class PlanForm(ReasonForm):
    plan = forms.ChoiceField(label=gettext_lazy("Plan"), choices=Workspace.Plan.choices)
    field_order = ("plan", "reason")


def _cannot_open(workspace: Workspace) -> str:
    if workspace.is_team:
        return _("You can review a team's edits without this.")
    return str(openings.AlreadyOpen()) if workspace.is_opened else ""  # type: ignore[attr-defined]


def _is_not_opened(workspace: Workspace) -> str:
    return "" if workspace.is_opened else _("This workspace isn't open to you.")  # type: ignore[attr-defined]


def _is_held(workspace: Workspace) -> str:
    return _("This workspace is already under a legal hold.") if workspace.is_on_hold else ""


def _is_free(workspace: Workspace) -> str:
    return "" if workspace.is_on_hold else _("This workspace isn't under a legal hold.")


_CHANGE: dict[str, Any] = {"right": "editor.change_workspace"}
ROW_ACTIONS: tuple[RowAction[Workspace], ...] = (
    RowAction(
        name="open",
        label=gettext_lazy("Open for review"),
        icon="eye",
        description=gettext_lazy(
            "Only you can see the workspace's photos and prompts, for 30 minutes: in the list, in the "
            "search, and on each edit's page. The owner sees your name, the time, and your reason."
        ),
        done_message=gettext_lazy("%(n)s opened for 30 minutes."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already open."),
        run=open_for_review,
        unavailable_reason=_cannot_open,
        right="editor.view_edit",
        is_bulk=False,
    ),
    RowAction(
        name="shut",
        label=gettext_lazy("End the review"),
        icon="lock",
        description=gettext_lazy(
            "You can no longer see the workspace's photos and prompts, even if the 30 minutes aren't over."
        ),
        done_message=gettext_lazy("%(n)s no longer open for review."),
        unchanged_message=gettext_lazy("Skipped %(n)s: not open."),
        run=end_opening,
        unavailable_reason=_is_not_opened,
        right="editor.view_edit",
        is_bulk=False,
    ),
    RowAction(
        name="plan",
        label=gettext_lazy("Change the plan"),
        icon="layers",
        description=gettext_lazy(
            "New edits cost the price of the new plan. Edits that are running or finished keep their price."
        ),
        done_message=gettext_lazy("%(n)s changed."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already on this plan."),
        run=change_plan,
        form=PlanForm,
        **_CHANGE,
    ),
    RowAction(
        name="hold",
        label=gettext_lazy("Set a legal hold"),
        icon="lock",
        description=gettext_lazy(
            "Nothing in this workspace is permanently deleted until the hold is lifted. The owner sees your "
            "reason."
        ),
        done_message=gettext_lazy("%(n)s placed under a legal hold."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already under a legal hold."),
        run=set_hold,
        unavailable_reason=_is_held,
        **_CHANGE,
    ),
    RowAction(
        name="lift",
        label=gettext_lazy("Lift the legal hold"),
        icon="undo-2",
        description=gettext_lazy(
            "The trash countdown resumes, and edits whose time is up are permanently deleted."
        ),
        done_message=gettext_lazy("%(n)s no longer under a legal hold."),
        unchanged_message=gettext_lazy("Skipped %(n)s: not under a legal hold."),
        run=lift_hold,
        unavailable_reason=_is_free,
        **_CHANGE,
    ),
)
