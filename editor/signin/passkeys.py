"""Sign-in with passkeys.

A passkey is stored on a device, which unlocks it for its owner.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.utils import passthrough_next_redirect_url
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from allauth.mfa.webauthn.views import LoginWebAuthnView, ReauthenticateWebAuthnView
from django import forms
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.forms import LineField
from editor.models import User

REFUSED = gettext_lazy("This passkey wasn't accepted. Try another passkey, or sign in another way.")
NOT_CREATED = gettext_lazy("The passkey wasn't created. Try again.")
MAX_NAME_LENGTH = 60


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no type hints
    error_messages = DefaultMFAAdapter.error_messages | {
        "unverified_email": gettext_lazy(
            "Confirm your email address first. Then you can set up two-factor sign-in."
        ),
    }

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        count = Authenticator.objects.filter(user=user, type=type).count()
        return _("Passkey %(number)s") % {"number": count + 1}

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        party: dict[str, str] = super().get_public_key_credential_rp_entity()
        return party | {"name": "Darkroom"}


class _EmptyHiddenInput(forms.HiddenInput):
    """A hidden input that never renders its value, because a credential can be used only once."""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        return super().get_context(name, None, attrs)


class _NamedForm(forms.Form):
    name = LineField(
        required=False,
        max_length=MAX_NAME_LENGTH,
        help_text=gettext_lazy("The device that stores the passkey, for example “Work laptop”."),
    )

    def clean_name(self) -> str:
        return self.cleaned_data["name"] or _("Passkey")


class AddPasskeyForm(_NamedForm, AddWebAuthnForm):  # type: ignore[misc]
    passwordless = None  # Every passkey on this site must be usable for signing in without a password.
    credential = forms.JSONField(widget=_EmptyHiddenInput)

    def clean(self) -> dict[str, Any] | None:
        with _with_message(str(NOT_CREATED)):
            return super().clean()


class RenamePasskeyForm(_NamedForm, EditWebAuthnForm):  # type: ignore[misc]
    pass


class _PasskeyForm(forms.Form):
    credential = forms.JSONField(widget=_EmptyHiddenInput)

    def clean_credential(self) -> Authenticator:
        with _with_message(str(REFUSED)):
            return super().clean_credential()  # type: ignore[misc]


class SignInForm(_PasskeyForm, LoginWebAuthnForm):  # type: ignore[misc]
    pass


class SecondStepForm(_PasskeyForm, AuthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class ReauthenticateForm(_PasskeyForm, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class _PasskeyView:
    """A view that reports an invalid passkey on the page that requested it, and keeps the parameter
    `next`.
    """

    page_name: str  # the URL name of the page that requests the passkey

    def form_invalid(self, form: forms.Form) -> HttpResponse:
        request = self.request  # type: ignore[attr-defined]
        for error in form.errors.get("credential", []):
            messages.error(request, str(error))
        asking = passthrough_next_redirect_url(request, reverse(self.page_name), REDIRECT_FIELD_NAME)
        return HttpResponseRedirect(asking)


class _SignIn(_PasskeyView, LoginWebAuthnView):  # type: ignore[misc]
    page_name = "account_login"


class _Reauthenticate(_PasskeyView, ReauthenticateWebAuthnView):  # type: ignore[misc]
    page_name = "mfa_reauthenticate_webauthn"


sign_in = _SignIn.as_view()
reauthenticate = _Reauthenticate.as_view()


@contextmanager
def _with_message(sentence: str) -> Iterator[None]:
    """Report any error with this message. A browser can send anything as a credential, so parsing it can
    raise many kinds of exceptions.
    """
    try:
        yield
    except ValidationError as error:
        if error.code != "incorrect_code":
            raise
        raise ValidationError(sentence) from error
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
        raise ValidationError(sentence) from error
