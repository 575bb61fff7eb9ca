"""Making a second factor; staff go on from there to the administration. Brings cryptography along."""

from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.webauthn.views import AddWebAuthnView
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse

from editor.models import User
from editor.signin.second_factor import WANTED, note_shown


class _LeadsOn:
    """Who makes their second factor has shown it, and goes on to where they were going."""

    kind: str
    request: HttpRequest
    did_generate_recovery_codes: bool

    def form_valid(self, form: BaseForm) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)  # type: ignore[misc]
        assert isinstance(self.request.user, User)
        note_shown(self.request, self.request.user, self.kind)
        return response

    def get_success_url(self) -> str:
        """The recovery codes are seen first; their page leads on."""
        following: str = super().get_success_url()  # type: ignore[misc]
        is_over = not self.did_generate_recovery_codes
        return self.request.session.get(WANTED, following) if is_over else following


class _ActivateCodes(_LeadsOn, ActivateTOTPView):  # type: ignore[misc]  # allauth ships no types
    kind = "totp"


class _AddPasskey(_LeadsOn, AddWebAuthnView):  # type: ignore[misc]
    kind = "webauthn"


activate_codes = _ActivateCodes.as_view()
add_passkey = _AddPasskey.as_view()
