"""All addresses: Darkroom's own, the site's sign-in, and the admin."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from editor.signin import accounts, oidc, passkeys

handler400 = "editor.pages.errors.bad_request"
handler403 = "editor.pages.errors.permission_denied"
handler404 = "editor.pages.errors.not_found"
handler429 = "editor.pages.errors.too_many_requests"  # asked by allauth
handler500 = "editor.pages.errors.server_error"

urlpatterns = [
    path("", include("editor.urls")),
    path("accounts/login/", accounts.login, name="account_login"),
    path("accounts/signup/", accounts.signup, name="account_signup"),
    path("accounts/password/reset/", accounts.password_reset, name="account_reset_password"),
    path("accounts/email/", accounts.email, name="account_email"),
    path("accounts/oidc/", oidc.begin, name="oidc_begin"),
    path("accounts/oidc/callback/", oidc.callback, name="oidc_callback"),
    path("accounts/2fa/webauthn/login/", passkeys.sign_in, name="mfa_login_webauthn"),
    path("accounts/2fa/webauthn/reauthenticate/", passkeys.is_it_you, name="mfa_reauthenticate_webauthn"),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/login/", accounts.admin_login, name="admin_login"),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
]
