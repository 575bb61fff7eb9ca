"""Set up a second factor. Afterward, staff continue to the admin site.

This module loads the package cryptography.
"""

from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.webauthn.views import AddWebAuthnView
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse

from editor.models import User
from editor.signin.second_factor import REQUESTED_PAGE_KEY, record_second_factor


class _SetupView:
    """A view that sets up a second factor.

    Afterward, the user counts as having presented a second factor in this session, and the view continues to
    the requested page.
    """

    kind: str
    request: HttpRequest
    did_generate_recovery_codes: bool

    def form_valid(self, form: BaseForm) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)  # type: ignore[misc]
        assert isinstance(self.request.user, User)
        record_second_factor(self.request, self.request.user, self.kind)
        return response

    def get_success_url(self) -> str:
        """Return the page that shows the recovery codes if they are new.

        That page links to the requested page.
        """
        following: str = super().get_success_url()  # type: ignore[misc]
        is_over = not self.did_generate_recovery_codes
        return self.request.session.get(REQUESTED_PAGE_KEY, following) if is_over else following


class _ActivateCodes(_SetupView, ActivateTOTPView):  # type: ignore[misc]  # allauth has no type hints
    kind = "totp"


class _AddPasskey(_SetupView, AddWebAuthnView):  # type: ignore[misc]
    kind = "webauthn"


activate_codes = _ActivateCodes.as_view()
add_passkey = _AddPasskey.as_view()
