"""The one-time link that creates the owner of a new site."""

from typing import Any

from allauth.account.internal.flows.login import record_authentication
from django import forms
from django.contrib.auth import login
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from editor.forms import PASSWORD_RULES
from editor.models import User
from editor.services.core import links
from editor.services.people import accounts


class AccountForm(forms.Form):
    """The form for the email address and the password of a new account."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"class": "input", "autocomplete": "username"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        max_length=1000,
        help_text=PASSWORD_RULES,
        widget=forms.PasswordInput(attrs={"class": "input", "autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if "email" in data and "password" in data:
            try:
                validate_password(data["password"], User(email=data["email"]))
            except ValidationError as error:
                self.add_error("password", error)
        return data


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: HttpRequest, token: str) -> HttpResponse:
    if not constant_time_compare(token, links.owner_link_token()):
        raise Http404("There is no such link.")
    if not links.is_owner_token(token):
        return _used(request)
    form = AccountForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return _make_owner(request, form.cleaned_data["email"], form.cleaned_data["password"])
    return render(request, "pages/setup/setup.html", {"form": form}, status=422 if form.errors else 200)


def _make_owner(request: HttpRequest, email: str, password: str) -> HttpResponse:
    try:
        owner = accounts.create_owner(email=email, password=password)
    except accounts.OwnerExists:
        return _used(request)
    login(request, owner, backend="allauth.account.auth_backends.AuthenticationBackend")
    record_authentication(request, owner, method="password")
    return redirect("home")


def _used(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/setup/used.html", status=410)
