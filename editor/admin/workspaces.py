"""The admin of workspaces, with their members and balances. Only service functions change a balance."""

import uuid
from functools import partial
from typing import Any, ClassVar

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin.columns import number_column
from editor.admin.credit_permissions import may_move_credits, with_recent_sign_in
from editor.admin.read_only import ReadOnlyAdmin, ReadOnlyInline
from editor.admin.row_actions import INVALID_FORM, RowActionAdmin
from editor.admin.workspace_actions import ROW_ACTIONS
from editor.forms import LineField
from editor.models import Membership, User, Workspace
from editor.models.wording import number
from editor.services.billing import credits
from editor.services.billing.caps import MAX_CREDITS
from editor.services.core.access import reviewer_actor
from editor.services.people import members, openings

SENT_BEFORE = gettext_lazy(
    "This form was already submitted, and its credits were recorded. Open it again to record more."
)


class CreditsForm(forms.Form):
    """A form that grants or corrects credits.

    Its `token` becomes the reference of the ledger entry, so submitting the form twice moves the credits only
    once.
    """

    token = forms.UUIDField(
        widget=forms.HiddenInput,
        initial=uuid.uuid4,
        error_messages=dict.fromkeys(("required", "invalid"), INVALID_FORM),
    )
    amount = forms.IntegerField(
        label=gettext_lazy("Amount"),
        min_value=-MAX_CREDITS,
        max_value=MAX_CREDITS,
        help_text=gettext_lazy("To take credits away as a correction, enter a negative number."),
    )
    reason = LineField(
        label=gettext_lazy("Reason"),
        max_length=300,
        help_text=gettext_lazy("Your reason is shown in the workspace's statement."),
    )

    def clean_amount(self) -> int:
        amount: int = self.cleaned_data["amount"]
        if amount == 0:
            raise forms.ValidationError(_("Enter a number other than 0."))
        return amount


class MembershipInline(ReadOnlyInline[Membership]):
    model = Membership
    fields = ("user", "role", "created")
    readonly_fields = fields


class TeamForm(forms.ModelForm[Workspace]):
    name = LineField(label=gettext_lazy("Name"), max_length=members.MAX_NAME_LENGTH)

    class Meta:
        field_classes: ClassVar = {"allowance": partial(forms.IntegerField, max_value=MAX_CREDITS)}


@admin.register(Workspace)
class WorkspaceAdmin(RowActionAdmin[Workspace], ReadOnlyAdmin[Workspace]):
    """The admin of workspaces.

    Staff can edit a team's name and allowance. Everything else is changed by actions.
    """

    list_display = (
        "name",
        "slug",
        "personal_user",
        "plan",
        "balance_shown",
        "held_shown",
        "allowance_shown",
        "created",
    )
    list_filter = ("plan", ("held_since", admin.EmptyFieldListFilter), ("closed", admin.EmptyFieldListFilter))
    search_fields = ("name", "slug", "personal_user__email")
    list_select_related = ("personal_user",)
    fields = (
        "name",
        "slug",
        "plan",
        "allowance",
        "personal_user",
        "balance_shown",
        "held_shown",
        "retention_days",
        "held_since",
        "held_by",
        "hold_reason",
        "closed",
        "created",
    )
    readonly_fields = tuple(name for name in fields if name not in ("name", "allowance"))
    form = TeamForm
    inlines = (MembershipInline,)
    balance_shown, held_shown, allowance_shown = (
        staticmethod(number_column(name)) for name in ("balance", "held", "allowance")
    )
    row_actions = ROW_ACTIONS
    change_form_template = "admin/workspace.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Workspace]:
        """Return workspaces, each with whether it is open to the reviewer, for the actions."""
        assert isinstance(request.user, User)
        opened = openings.current_openings(request.user).filter(workspace=OuterRef("pk"))
        return super().get_queryset(request).annotate(is_opened=Exists(opened))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("editor.change_workspace") and (obj is None or obj.is_team)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return [name for name in self.fields if name != "allowance" or obj is None or obj.is_team]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Make the allowance read-only for staff who may not move credits.

        The allowance grants credits every month.
        """
        return self.readonly_fields if may_move_credits(request) else (*self.readonly_fields, "allowance")

    def changeform_view(self, request: HttpRequest, *rest: Any, **named: Any) -> Any:
        return with_recent_sign_in(super().changeform_view, request, *rest, **named)

    def save_model(self, request: HttpRequest, obj: Workspace, form: Any, change: bool) -> None:
        """Save through service functions, which write only the changed columns.

        Other columns, such as the balance, may have changed since the row was read.
        """
        assert isinstance(request.user, User)
        by = reviewer_actor(request.user, obj)
        if "name" in form.changed_data:
            members.rename(by, name=obj.name)
        if "allowance" in form.changed_data:
            credits.set_allowance(by, obj, amount=obj.allowance)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.credits)
        return [
            path("<int:workspace_id>/credits/", view, name="editor_workspace_credits"),
            *super().get_urls(),
        ]

    def credits(self, request: HttpRequest, workspace_id: int) -> HttpResponse:
        if not may_move_credits(request):
            raise PermissionDenied(_("You don't have permission to change credits."))
        # Someone who finds an unattended session must not be able to create credits.
        response: HttpResponse = reauthentication_required(self._credits)(request, workspace_id)
        return response

    def _credits(self, request: HttpRequest, workspace_id: int) -> HttpResponse:
        workspace = Workspace.objects.filter(pk=workspace_id).first()
        if workspace is None:
            raise Http404("There is no such workspace.")
        form = CreditsForm(request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid() and self._moved(request, workspace, form):
            return redirect("admin:editor_workspace_change", workspace.pk)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Grant or correct credits"),
            "opts": self.opts,
            "workspace": workspace,
            "form": form,
        }
        return render(request, "admin/credits.html", context, status=422 if form.errors else 200)

    def _moved(self, request: HttpRequest, workspace: Workspace, form: CreditsForm) -> bool:
        amount, reason = form.cleaned_data["amount"], form.cleaned_data["reason"]
        reference = f"form-{form.cleaned_data['token']}"
        assert isinstance(request.user, User)
        try:
            move = credits.grant if amount > 0 else credits.correct
            by = reviewer_actor(request.user, workspace)
            is_new = move(by, workspace, amount=amount, reason=reason, reference=reference)
        except credits.CorrectionTooLarge as error:
            form.add_error("amount", str(error))
        else:
            moved = f"+{number(amount)}" if amount > 0 else number(amount)
            self._tell(request, workspace, is_new, _("%(n)s credits") % {"n": moved}, reason)
        return not form.errors

    def _tell(
        self, request: HttpRequest, workspace: Workspace, is_new: bool, credits: str, reason: str
    ) -> None:
        if is_new:
            self.log_change(request, workspace, f"{credits}: {reason}")
            done = _("%(credits)s for %(workspace)s.") % {"credits": credits, "workspace": workspace.name}
            messages.success(request, done)
        else:
            messages.warning(request, SENT_BEFORE)


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin[Membership]):
    list_display = ("user", "workspace", "role", "created")
    list_filter = ("role",)
    search_fields = ("user__email", "workspace__name")
    list_select_related = ("user", "workspace")
