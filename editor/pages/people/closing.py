"""Close an account or a team.

Both pages first show what will happen, and require a recent sign-in.
"""

from typing import cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from editor.actors import with_actor
from editor.models import User
from editor.services.core.access import Actor, Right
from editor.services.people import closing

CONFIRMATION_REQUIRED = gettext_lazy("Select the checkbox to confirm that you understand what will happen.")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def close_account(request: HttpRequest) -> HttpResponse:
    response: HttpResponse = reauthentication_required(_close_account)(request)
    return response


def _close_account(request: HttpRequest) -> HttpResponse:
    user = User.objects.get(pk=cast(User, request.user).pk)
    error = ""
    if request.method == "POST" and request.POST.get("read") == "yes":
        try:
            closing.close_account(user)
        except closing.MayNotClose as refused:
            error = str(refused)
        else:
            logout(request)
            return render(request, "pages/closing/closed.html")
    elif request.method == "POST":
        error = str(CONFIRMATION_REQUIRED)
    context = {"preview": closing.preview_account_closure(user), "error": error}
    return render(request, "pages/closing/account.html", context, status=422 if error else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.CLOSE)
def close_team(request: HttpRequest, actor: Actor) -> HttpResponse:
    response: HttpResponse = reauthentication_required(_close_team)(request, actor)
    return response


def _close_team(request: HttpRequest, actor: Actor) -> HttpResponse:
    preview = closing.preview_team_closure(actor)
    if request.method == "POST" and request.POST.get("read") == "yes":
        closing.close_team(actor)
        messages.success(request, _("%(team)s was closed.") % {"team": actor.workspace.name})
        return redirect("home")
    error = str(CONFIRMATION_REQUIRED) if request.method == "POST" else ""
    context = {"preview": preview, "error": error}
    return render(request, "pages/closing/team.html", context, status=422 if error else 200)
