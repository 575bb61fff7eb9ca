"""The page of an invitation link, where people join with an existing account or create an account."""

from typing import cast

from allauth.account.adapter import get_adapter
from allauth.account.utils import perform_login
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from editor.models import Invitation, User
from editor.pages.errors import too_many_requests
from editor.pages.people.setup import AccountForm
from editor.services.core import rates
from editor.services.people import accounts, invitations


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    if request.user.is_authenticated and (team := invitations.team_of_member(token, request.user)):
        return redirect("editor", team.slug)
    try:
        invitation = invitations.find(token, attempt=get_adapter().get_client_ip(request))
        response = _answer(request, invitation)
    except invitations.InvitationGone:
        response = render(request, "pages/join/gone.html", status=410)
    except rates.TooManyAttempts:
        response = too_many_requests(request)
    # With "no-referrer", browsers would send "Origin: null" with the form, and the CSRF check would refuse
    # the form. This policy does not reveal the token either, because only the site's origin is sent.
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


def _answer(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    if request.user.is_authenticated:
        return _for_a_member_to_be(request, invitation, request.user)
    form = AccountForm(
        request.POST if request.method == "POST" else None, initial={"email": invitation.email}
    )
    if request.method == "POST" and form.is_valid():
        user = _with_new_account(invitation, form)
        if user is not None:
            welcome = reverse("editor", args=[invitation.workspace.slug])
            return cast(HttpResponse, perform_login(request, user, redirect_url=welcome, signup=True))
    return _join_page(request, invitation, form=form, status=422 if form.errors else 200)


def _for_a_member_to_be(request: HttpRequest, invitation: Invitation, user: User) -> HttpResponse:
    if request.method != "POST":
        return _join_page(request, invitation)
    try:
        invitations.accept(invitation, user)
    except invitations.InvitationRefused as error:
        return _join_page(request, invitation, error=str(error), status=403)
    messages.success(request, _("Welcome to %(team)s.") % {"team": invitation.workspace.name})
    return redirect("editor", invitation.workspace.slug)


def _with_new_account(invitation: Invitation, form: AccountForm) -> User | None:
    email, password = form.cleaned_data["email"], form.cleaned_data["password"]
    try:
        return invitations.accept_with_new_account(invitation, email=email, password=password)
    except accounts.AccountExists:
        form.add_error("email", _("An account with this address already exists. Sign in to join."))
    except invitations.InvitationRefused as error:
        form.add_error(None, str(error))
    return None


def _join_page(
    request: HttpRequest, invitation: Invitation, *, status: int = 200, **shown: object
) -> HttpResponse:
    context = {
        "invitation": invitation,
        "takes_new_people": invitations.accepts_new_accounts(),
        "is_for_me": request.user.is_anonymous or invitation.is_for(request.user.email),
        **shown,
    }
    return render(request, "pages/join/join.html", context, status=status)
