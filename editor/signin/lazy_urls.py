"""URLs whose views are imported on the first request.

The views for second factors load the package cryptography, and the views for the OpenID Connect issuer load
the package requests. Most processes never need these packages.
"""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.module_loading import import_string


def _late(route: str, view: str, name: str) -> URLPattern:
    def found(request: HttpRequest, **captured: Any) -> HttpResponseBase:
        answer: HttpResponseBase = import_string(view)(request, **captured)
        return answer

    return path(route, found, name=name)


# Each URL is named after its view, as in allauth.mfa.urls.
_OF_ALLAUTH = {
    "": "base.views.index",
    "authenticate/": "base.views.authenticate",
    "reauthenticate/": "base.views.reauthenticate",
    "totp/deactivate/": "totp.views.deactivate_totp",
    "recovery-codes/": "recovery_codes.views.view_recovery_codes",
    "recovery-codes/generate/": "recovery_codes.views.generate_recovery_codes",
    "recovery-codes/download/": "recovery_codes.views.download_recovery_codes",
    "webauthn/": "webauthn.views.list_webauthn",
    "webauthn/keys/<int:pk>/remove/": "webauthn.views.remove_webauthn",
    "webauthn/keys/<int:pk>/edit/": "webauthn.views.edit_webauthn",
}
urlpatterns = [
    _late("oidc/", "editor.signin.oidc.begin", "oidc_begin"),
    _late("oidc/callback/", "editor.signin.oidc.callback", "oidc_callback"),
    _late("2fa/webauthn/login/", "editor.signin.passkeys.sign_in", "mfa_login_webauthn"),
    _late(
        "2fa/webauthn/reauthenticate/", "editor.signin.passkeys.reauthenticate", "mfa_reauthenticate_webauthn"
    ),
    _late("2fa/webauthn/add/", "editor.signin.second_factor_setup.add_passkey", "mfa_add_webauthn"),
    _late("2fa/totp/activate/", "editor.signin.second_factor_setup.activate_codes", "mfa_activate_totp"),
    *(
        _late(f"2fa/{route}", f"allauth.mfa.{view}", f"mfa_{view.rpartition('.')[2]}")
        for route, view in _OF_ALLAUTH.items()
    ),
]
