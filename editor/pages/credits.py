"""The purse: what is there, what is reserved, and where it went."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from editor.pages import SignedIn
from editor.services.access import personal_actor
from editor.services.credits import statement
from editor.services.paging import page_by_key

PER_PAGE = 50


@require_safe
@login_required
def credits(request: HttpRequest) -> HttpResponse:
    workspace = personal_actor(cast(SignedIn, request).user).workspace
    before, after = request.GET.get("before", ""), request.GET.get("after", "")
    page = page_by_key(statement(workspace), size=PER_PAGE, before=before, after=after)
    context = {"workspace": workspace, "entries": page, "is_older": bool(before)}
    return render(request, "pages/credits/credits.html", context)
