"""Actions of staff on workspaces."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin.verbs import Given, ReasonForm, Refused, Verb
from editor.models import User, Workspace
from editor.services.billing import credits
from editor.services.core.access import reviewer
from editor.services.maintenance import retention
from editor.services.people import openings


def open_for_review(user: User, workspace: Workspace, given: Given) -> bool:
    try:
        openings.open_workspace(user, workspace, reason=given["reason"])
    except openings.NothingToOpen as error:
        raise Refused(str(error)) from error
    return True


def shut(user: User, workspace: Workspace, given: Given) -> bool:
    return openings.shut_workspace(user, workspace, reason=given["reason"])


def set_hold(user: User, workspace: Workspace, given: Given) -> bool:
    retention.set_hold(reviewer(user, workspace), reason=given["reason"])
    return True


def lift_hold(user: User, workspace: Workspace, given: Given) -> bool:
    retention.lift_hold(reviewer(user, workspace))
    return True


def change_plan(user: User, workspace: Workspace, given: Given) -> bool:
    plan = Workspace.Plan(given["plan"])
    return credits.change_plan(reviewer(user, workspace), workspace, plan=plan, reason=given["reason"])


class PlanForm(ReasonForm):
    plan = forms.ChoiceField(label=gettext_lazy("Plan"), choices=Workspace.Plan.choices)
    field_order = ("plan", "reason")


def _is_team(workspace: Workspace) -> str:
    return _("You can review a team's edits without this.") if workspace.is_team else ""


def _is_held(workspace: Workspace) -> str:
    return _("This workspace is already under a legal hold.") if workspace.is_on_hold else ""


def _is_free(workspace: Workspace) -> str:
    return "" if workspace.is_on_hold else _("This workspace isn't under a legal hold.")


_CHANGE: dict[str, Any] = {"right": "editor.change_workspace"}
VERBS: tuple[Verb[Workspace], ...] = (
    Verb(
        name="open",
        label=gettext_lazy("Open for review"),
        icon="eye",
        says=gettext_lazy(
            "Only you can see the workspace's photos and prompts, for 30 minutes: in the list, in the "
            "search, and on each edit's page. The owner sees your name, the time, and your reason."
        ),
        done=gettext_lazy("%(n)s opened for 30 minutes."),
        again=gettext_lazy("Skipped %(n)s: already open."),
        does=open_for_review,
        unfit=_is_team,
        right="editor.view_edit",
        is_for_many=False,
    ),
    Verb(
        name="shut",
        label=gettext_lazy("End the review"),
        icon="lock",
        says=gettext_lazy(
            "You can no longer see the workspace's photos and prompts, even if the 30 minutes aren't over."
        ),
        done=gettext_lazy("%(n)s no longer open for review."),
        again=gettext_lazy("Skipped %(n)s: not open."),
        does=shut,
        unfit=_is_team,
        right="editor.view_edit",
        is_for_many=False,
    ),
    Verb(
        name="plan",
        label=gettext_lazy("Change the plan"),
        icon="layers",
        says=gettext_lazy(
            "New edits cost the price of the new plan. Edits that are running or finished keep their price."
        ),
        done=gettext_lazy("%(n)s changed."),
        again=gettext_lazy("Skipped %(n)s: already on this plan."),
        does=change_plan,
        form=PlanForm,
        **_CHANGE,
    ),
    Verb(
        name="hold",
        label=gettext_lazy("Set a legal hold"),
        icon="lock",
        says=gettext_lazy(
            "Nothing in this workspace is permanently deleted until the hold is lifted. The owner sees your "
            "reason."
        ),
        done=gettext_lazy("%(n)s placed under a legal hold."),
        again=gettext_lazy("Skipped %(n)s: already under a legal hold."),
        does=set_hold,
        unfit=_is_held,
        **_CHANGE,
    ),
    Verb(
        name="lift",
        label=gettext_lazy("Lift the legal hold"),
        icon="undo-2",
        says=gettext_lazy("The trash countdown resumes, and edits whose time is up are permanently deleted."),
        done=gettext_lazy("%(n)s no longer under a legal hold."),
        again=gettext_lazy("Skipped %(n)s: not under a legal hold."),
        does=lift_hold,
        unfit=_is_free,
        **_CHANGE,
    ),
)
