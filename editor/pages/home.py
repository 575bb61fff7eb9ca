"""The start page: the landing page for visitors, and the last used workspace for members."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from editor.models import User
from editor.pages import landing
from editor.pages.context import last_used


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return landing.landing(request)
    return _into_workspace(request, "editor")


@require_safe
@login_required
def moved(request: HttpRequest, name: str) -> HttpResponse:
    """Redirect an old URL, which contains no workspace, to the URL in the current workspace."""
    return _into_workspace(request, name)


def _into_workspace(request: HttpRequest, name: str) -> HttpResponse:
    address = reverse(name, args=[last_used(request, cast(User, request.user)).slug])
    query = request.META.get("QUERY_STRING", "")
    return redirect(f"{address}?{query}" if query else address)
