"""The forms for a new password, with this site's labels and a short version of the rules."""

from typing import Any

from allauth.account import forms
from django.utils.translation import gettext_lazy as _

from editor.forms import PASSWORD_RULES
from editor.models import User
from editor.models.accounts import normalized_email

LABELS = {
    "oldpassword": _("Current password"),
    "password1": _("New password"),
    "password2": _("Confirm new password"),
}


class _PasswordForm:
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["password1"].help_text = PASSWORD_RULES  # type: ignore[attr-defined]


class _LabeledForm(_PasswordForm):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for name, field in self.fields.items():  # type: ignore[attr-defined]
            field.label = LABELS[name]


class SignupForm(_PasswordForm, forms.SignupForm):  # type: ignore[misc]
    pass


class ChangePasswordForm(_LabeledForm, forms.ChangePasswordForm):  # type: ignore[misc]
    pass


class SetPasswordForm(_LabeledForm, forms.SetPasswordForm):  # type: ignore[misc]
    pass


class ResetPasswordForm(forms.ResetPasswordForm):  # type: ignore[misc]
    """A form that sends email only to the account that has this address.

    An account that has requested a change to this address but has not confirmed it gets no email.
    """

    users: list[User]

    def clean_email(self) -> str:
        email: str = super().clean_email()
        self.users = [user for user in self.users if user.email == normalized_email(email)]
        return email


class ResetPasswordKeyForm(_LabeledForm, forms.ResetPasswordKeyForm):  # type: ignore[misc]
    pass
