"""The admin lists of people, their API keys, and their second factors."""

from typing import Any, ClassVar

import allauth.account.admin
import allauth.mfa.admin
import allauth.socialaccount.admin  # noqa: F401
from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from editor.admin.audited import AuditedPersonAdmin
from editor.admin.credit_permissions import may_move_credits
from editor.admin.people_actions import KEY_ACTIONS, USER_ACTIONS
from editor.admin.permissions import PermissionChoices
from editor.admin.read_only import ReadOnlyAdmin
from editor.admin.row_actions import RowActionAdmin
from editor.forms import LineField
from editor.models import ApiKey, User, Workspace
from editor.models.accounts import normalized_email
from editor.services.billing import caps
from editor.services.core.access import reviewer_actor
from editor.services.people import accounts, blocks

admin.site.unregister([Group, EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken])


# The user fields that the admin shows as read-only.
READ_ONLY_FIELDS = ("email", "is_active", "blocked", "block_reason", "created", "last_login")


PASSWORD_HELP = _(
    "You can't set another person's password. A person who is locked out can request an email under “Forgot "
    "password?” on the sign-in page, or get a one-time link from manage.py reset_sign_in EMAIL."
)


class NamedForm(forms.ModelForm[User]):
    class Meta:
        field_classes: ClassVar = {"name": LineField}
        labels: ClassVar = {"is_superuser": _("All permissions")}
        help_texts: ClassVar = {
            "is_superuser": _("The groups and permissions below then have no effect."),
        }

    def clean_is_staff(self) -> bool:
        return self._left_with("is_staff")

    def clean_is_superuser(self) -> bool:
        return self._left_with("is_superuser")

    def _left_with(self, right: str) -> bool:
        """Refuse to remove a right from the only superuser who can sign in.

        Otherwise, nobody could restore the right.
        """
        is_given: bool = self.cleaned_data[right]
        if not is_given and blocks.is_only_superuser(self.instance):
            raise forms.ValidationError(blocks.ONLY_SUPERUSER)
        return is_given


class NewUserForm(NamedForm):
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("Give it to the person directly. They can change it on their account page."),
    )

    class Meta(NamedForm.Meta):
        model = User
        fields = ("email", "name")
        labels: ClassVar = {"email": _("Email address"), "name": _("Name")}

    def clean_email(self) -> str:
        email = normalized_email(self.cleaned_data["email"])
        if User.objects.with_email(email).exists():
            raise forms.ValidationError(_("An account with this address already exists."))
        return email

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, User(email=self.cleaned_data.get("email", "")))
        return password


class FundedUserForm(NewUserForm):
    plan = forms.ChoiceField(label=_("Plan"), choices=Workspace.Plan.choices)
    credits = forms.IntegerField(
        label=_("Credits"),
        min_value=0,
        max_value=caps.MAX_CREDITS,
        required=False,
        help_text=_("Leave empty to grant the usual sign-up credits."),
    )


@admin.register(User)
class UserAdmin(AuditedPersonAdmin[User], PermissionChoices, RowActionAdmin[User], DjangoUserAdmin[User]):
    """The admin of user accounts.

    A new account is created complete, including its personal workspace. Accounts cannot be deleted, because
    the history refers to them.
    """

    row_actions = USER_ACTIONS
    change_form_template = "admin/person.html"
    list_display = ("email", "name", "is_active", "is_staff", "created")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    fieldsets = (
        (
            None,
            {
                "fields": ("email", "name", "is_active", "blocked", "block_reason"),
                "description": PASSWORD_HELP,
            },
        ),
        (_("Administration"), {"fields": ("is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("created", "last_login")}),
    )
    form = NamedForm
    add_form = NewUserForm
    add_fieldsets = ((None, {"fields": ("email", "name", "password")}),)
    funded_fieldsets = ((None, {"fields": ("email", "name", "password", "plan", "credits")}),)
    filter_horizontal = ()

    def get_urls(self) -> list[URLPattern]:
        """Omit Django's password form, which would let staff take over any account."""
        return [one for one in super().get_urls() if one.name != "auth_user_password_change"]

    @method_decorator(sensitive_post_parameters())
    def add_view(self, request: HttpRequest, *rest: Any, **named: Any) -> HttpResponse:
        """Create an account, but require a recent sign-in.

        Only the service function opens a transaction: a longer transaction would block other writers while
        the password is hashed.
        """
        view = reauthentication_required(self._add_view)  # type: ignore[attr-defined]
        try:
            response: HttpResponse = view(request, *rest, **named)
        except ReauthenticationRequired:
            if request.method != "POST":
                raise
            # The default redirect would keep the submitted form, including the password, in the session.
            response = redirect(request.path)
        return response

    def changeform_view(self, request: HttpRequest, object_id: str | None = None, *rest: Any) -> HttpResponse:
        view = super().changeform_view if object_id else self._changeform_view  # type: ignore[attr-defined]
        response: HttpResponse = view(request, object_id, *rest)
        return response

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow only superusers to change staff and superuser accounts."""
        is_above = isinstance(obj, User) and (obj.is_superuser or obj.is_staff)
        may: bool = super().has_change_permission(request, obj)
        return may and (not is_above or _is_superuser(request))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        form = {"form": FundedUserForm} if obj is None and may_move_credits(request) else {}
        return super().get_form(request, obj, change=change, **form, **options)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        is_funded = obj is None and may_move_credits(request)
        return self.funded_fieldsets if is_funded else super().get_fieldsets(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        rights = () if _is_superuser(request) else ("is_staff", "is_superuser", "groups", "user_permissions")
        return (*READ_ONLY_FIELDS, *rights) if obj else ()

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        # Write only the changed columns, because staff may have blocked the user since the row was read.
        if change:
            columns = {field.name for field in obj._meta.fields}
            obj.save(update_fields=columns.intersection(form.changed_data))
        else:
            assert isinstance(request.user, User)
            by = reviewer_actor(request.user, request.user.personal_workspace)
            account = accounts.open_account(**form.cleaned_data, by=by)
            obj.pk = account.pk

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return super().log_addition(request, User.objects.get(pk=obj.pk), message)


@admin.register(Group)
class GroupAdmin(PermissionChoices, DjangoGroupAdmin):
    """The admin of groups of staff, which have permissions."""


@admin.register(ApiKey)
class ApiKeyAdmin(RowActionAdmin[ApiKey], ReadOnlyAdmin[ApiKey]):
    row_actions = KEY_ACTIONS
    list_display = ("name", "public_id", "user", "workspace", "last_used", "revoked", "blocked")
    search_fields = ("name", "public_id", "user__email")
    list_select_related = ("user", "workspace")
    fields = (
        "name",
        "public_id",
        "user",
        "workspace",
        "created",
        "expires",
        "last_used",
        "revoked",
        "blocked",
        "block_reason",
    )


@admin.register(Authenticator)
class AuthenticatorAdmin(AuditedPersonAdmin[Authenticator], ReadOnlyAdmin[Authenticator]):
    """The list of second factors, without their secrets.

    Staff can delete a person's second factor if the person has lost both the phone and the recovery codes.
    """

    list_display = ("user", "type", "created_at", "last_used_at")
    search_fields = ("user__email",)
    list_select_related = ("user",)
    fields = ("user", "type", "created_at", "last_used_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_superuser(request)


@admin.register(SocialAccount)
class IdentityAdmin(AuditedPersonAdmin[SocialAccount], ReadOnlyAdmin[SocialAccount]):
    """The list of identities at the OpenID Connect issuer, along with the accounts that they give access to.

    Deleting an identity removes this way of signing in and leaves the account unchanged.
    """

    list_display = ("user", "provider", "uid", "date_joined", "last_login")
    search_fields = ("user__email", "uid")
    list_select_related = ("user",)
    fields = ("user", "provider", "uid", "date_joined", "last_login")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_superuser(request)


def _is_superuser(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_superuser
