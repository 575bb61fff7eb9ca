"""All addresses: Darkroom's own, the site's sign-in, and the admin."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from editor import signin

handler400 = "editor.pages.errors.bad_request"
handler403 = "editor.pages.errors.permission_denied"
handler404 = "editor.pages.errors.not_found"
handler429 = "editor.pages.errors.too_many_requests"  # asked by allauth
handler500 = "editor.pages.errors.server_error"

urlpatterns = [
    path("", include("editor.urls")),
    path("accounts/signup/", signin.signup, name="account_signup"),
    path("accounts/password/reset/", signin.password_reset, name="account_reset_password"),
    path("accounts/email/", signin.email, name="account_email"),
    path("accounts/", include("allauth.urls")),
    path("admin/login/", signin.admin_login, name="admin_login"),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
]
