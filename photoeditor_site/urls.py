"""All URLs: the site's own URLs, sign-in, and the admin site."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from editor.signin import accounts

handler400 = "editor.pages.errors.bad_request"
handler403 = "editor.pages.errors.permission_denied"
handler404 = "editor.pages.errors.not_found"
handler429 = "editor.pages.errors.too_many_requests"  # allauth calls this handler.
handler500 = "editor.pages.errors.server_error"

admin.autodiscover()  # Only processes that load the URLs need the admin site.
urlpatterns = [
    path("", include("editor.urls")),
    path("accounts/login/", accounts.login, name="account_login"),
    path("accounts/signup/", accounts.signup, name="account_signup"),
    path("accounts/password/reset/", accounts.password_reset, name="account_reset_password"),
    path("accounts/email/", accounts.email, name="account_email"),
    path("accounts/", include("editor.signin.lazy_urls")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/login/", accounts.admin_login, name="admin_login"),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
]
