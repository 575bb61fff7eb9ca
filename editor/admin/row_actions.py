"""Staff actions on rows.

Each action has a confirmation page that shows what will happen and asks for a reason.
"""

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.admin import options
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin.read_only import KeysetPagedAdmin
from editor.forms import LineField, is_path
from editor.models import User
from editor.models.wording import number
from editor.services.core.errors import Forbidden

MAX_REASON_LENGTH = 300
MAX_ROWS = 100
INVALID_FORM = gettext_lazy("This form was incomplete. Open the page again.")
REASON_REQUIRED = gettext_lazy("Enter a reason.")
IN_LIST = options.ActionLocation.CHANGE_LIST
type FormData = dict[str, Any]


class Refused(Exception):
    """Raised when an action is not possible for a row. The message is meant for staff."""


class ReasonForm(forms.Form):
    """The form that asks for the reason for an action.

    Its `token` ensures that the action runs only once, even if the form is submitted twice.
    """

    token = forms.UUIDField(
        widget=forms.HiddenInput,
        initial=uuid.uuid4,
        error_messages=dict.fromkeys(("required", "invalid"), INVALID_FORM),
    )
    reason = LineField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Your reason is recorded in the audit log."),
        error_messages={"required": REASON_REQUIRED},
    )


@dataclass(frozen=True)
class RowAction[M: Model]:
    """A staff action on rows of one model.

    `run` applies the action to one row with the form's data. It returns False if the row was already changed.
    `unavailable_reason` returns the reason why the action is not possible for a row, or "". `description`
    says what will happen. `done_message` reports the number of rows that were changed, such as "3
    cancelled.", and `unchanged_message` reports the number of rows that were already changed.
    """

    name: str
    label: str | Promise
    icon: str
    description: str | Promise
    done_message: str | Promise
    unchanged_message: str | Promise
    right: str
    run: Callable[[User, M, FormData], bool]
    unavailable_reason: Callable[[M], str] = lambda row: ""
    form: type[ReasonForm] = ReasonForm
    moves_credits: bool = False
    is_destructive: bool = False
    is_bulk: bool = True


@dataclass
class Outcome:
    """The result of an action.

    It contains the number of rows that were changed, the number that were already changed, and the messages
    about refused rows.
    """

    done: int = 0
    unchanged: int = 0
    refused: list[str] = field(default_factory=list)


class RowActionAdmin[M: Model](KeysetPagedAdmin[M]):
    """A list that offers actions on one or more rows."""

    row_actions: Sequence[RowAction[M]] = ()
    actions_selection_counter = True
    change_form_template = "admin/row.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.action_view)
        return [
            path("do/<slug:verb>/", view, name=f"editor_{self.opts.model_name}_do"),
            *super().get_urls(),
        ]

    def get_actions(self, request: HttpRequest, action_location: Any = IN_LIST) -> dict[str, Any]:
        """Return the actions that apply to several rows, each leading to its confirmation page.

        The page of a single row offers all actions.
        """
        verbs = self.permitted_actions(request) if action_location == IN_LIST else []
        return {verb.name: _leading_to(verb) for verb in verbs if verb.is_bulk}

    def permitted_actions(self, request: HttpRequest) -> list[RowAction[M]]:
        return [verb for verb in self.row_actions if request.user.has_perm(verb.right)]

    def actions_with_urls(self, request: HttpRequest, row: M) -> list[tuple[RowAction[M], str]]:
        """Return the actions that are currently possible for this row, each with the URL of its page."""
        return [
            (verb, self.action_url(verb.name, [row.pk]))
            for verb in self.permitted_actions(request)
            if not verb.unavailable_reason(row)
        ]

    def action_url(self, verb: str, rows: Iterable[Any]) -> str:
        address = reverse(f"admin:editor_{self.opts.model_name}_do", args=[verb])
        return f"{address}?{urlencode({'row': [str(pk) for pk in rows]}, doseq=True)}"

    def render_change_form(self, request: HttpRequest, context: Any, *rest: Any, **named: Any) -> Any:
        row = named.get("obj") or context.get("original")
        verbs = self.actions_with_urls(request, row) if row else []
        return super().render_change_form(request, {**context, "verbs": verbs}, *rest, **named)

    def action_view(self, request: HttpRequest, verb: str) -> HttpResponse:
        found = next((one for one in self.row_actions if one.name == verb), None)
        if found is None:
            raise Http404("There is no such action.")
        if not request.user.has_perm(found.right):
            raise PermissionDenied(
                _("You don't have permission for this action: %(action)s.") % {"action": found.label}
            )
        # Someone who finds an unattended session must not be able to move credits.
        view = (
            reauthentication_required(self._confirm_or_run) if found.moves_credits else self._confirm_or_run
        )
        response: HttpResponse = view(request, found)
        return response

    def row_name(self, row: M) -> str:
        """Return the name that the confirmation page shows for a row."""
        return str(row)

    def _confirm_or_run(self, request: HttpRequest, verb: RowAction[M]) -> HttpResponse:
        rows = self._requested_rows(request)
        form = verb.form(request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid():
            outcome = run_action(
                cast(User, request.user), verb, rows, form.cleaned_data, row_name=self.row_name
            )
            _report_outcome(request, verb, outcome)
            return redirect(self._back(request, rows))
        context = {
            **self.admin_site.each_context(request),
            "title": verb.label,
            "opts": self.opts,
            "verb": verb,
            "rows": [(row, self.row_name(row), verb.unavailable_reason(row)) for row in rows],
            "fits": [row for row in rows if not verb.unavailable_reason(row)],
            "form": form,
            "next": request.POST.get("next", request.GET.get("next", "")),
            "back": self._back(request, rows),
        }
        return render(request, "admin/row_action.html", context, status=422 if form.errors else 200)

    def _requested_rows(self, request: HttpRequest) -> list[M]:
        given = (request.POST if request.method == "POST" else request.GET).getlist("row")[:MAX_ROWS]
        keys = [key for key in map(self._key, given) if key is not None]
        rows = list(self.get_queryset(request).filter(pk__in=keys))
        if not rows:
            raise Http404("There is nothing to do this to.")
        return sorted(rows, key=lambda row: keys.index(row.pk))

    def _key(self, text: str) -> Any:
        try:
            return self.opts.pk.clean(text, None) if text.replace("-", "").isalnum() else None
        except ValidationError:
            return None

    def _back(self, request: HttpRequest, rows: Sequence[M]) -> str:
        """Return the URL to show afterward.

        This is the requested `next` URL or, without one, the page of the only row or the list.
        """
        next_path = request.POST.get("next", request.GET.get("next", ""))
        if is_path(next_path):
            return next_path
        name = f"admin:editor_{self.opts.model_name}"
        if len(rows) > 1:
            return reverse(f"{name}_changelist")
        return reverse(f"{name}_change", args=[rows[0].pk])


def run_action[M: Model](
    user: User, action: RowAction[M], rows: Iterable[M], form_data: FormData, *, row_name: Callable[[M], str]
) -> Outcome:
    """Run an action on each row.

    A row that is refused does not affect the others.
    """
    outcome = Outcome()
    for row in rows:
        try:
            if why := action.unavailable_reason(row):
                raise Refused(why)
            is_done = action.run(user, row, form_data)
        except (Refused, Forbidden) as error:
            outcome.refused.append(f"{row_name(row)}: {error}")
        else:
            outcome.done += is_done
            outcome.unchanged += not is_done
    return outcome


def _report_outcome[M: Model](request: HttpRequest, verb: RowAction[M], outcome: Outcome) -> None:
    if outcome.done:
        messages.success(request, str(verb.done_message) % {"n": number(outcome.done)})
    if outcome.unchanged:
        messages.warning(request, str(verb.unchanged_message) % {"n": number(outcome.unchanged)})
    for sentence in outcome.refused[:10]:
        messages.error(request, sentence)
    if len(outcome.refused) > 10:
        messages.error(request, _("%(n)s more were refused.") % {"n": len(outcome.refused) - 10})


def _leading_to(verb: RowAction[Any]) -> options.Action:
    def lead(model_admin: Any, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse:
        return redirect(
            model_admin.action_url(verb.name, request.POST.getlist(ACTION_CHECKBOX_NAME)[:MAX_ROWS])
        )

    return options.Action(lead, verb.name, str(verb.label), str(verb.label), [IN_LIST])
