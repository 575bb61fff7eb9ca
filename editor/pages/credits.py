"""The purse: what is there, what is reserved, and where it went."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from editor.services.access import Actor, Right, acting
from editor.services.credits import statement
from editor.services.paging import page_by_key

PER_PAGE = 50


@require_safe
@acting(Right.VIEW)
def credits(request: HttpRequest, actor: Actor) -> HttpResponse:
    before, after = request.GET.get("before", ""), request.GET.get("after", "")
    page = page_by_key(statement(actor.workspace), size=PER_PAGE, before=before, after=after)
    context = {"workspace": actor.workspace, "entries": page, "is_older": bool(before)}
    return render(request, "pages/credits/credits.html", context)
