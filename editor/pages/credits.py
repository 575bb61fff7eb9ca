"""The purse: what is there, what is reserved, and where it went."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from editor.pages.asked import asked_page
from editor.services.access import Actor, Right, acting
from editor.services.credits import statement

PER_PAGE = 50


@require_safe
@acting(Right.VIEW)
def credits(request: HttpRequest, actor: Actor) -> HttpResponse:
    page = asked_page(request, statement(actor.workspace), size=PER_PAGE)
    context = {"workspace": actor.workspace, "entries": page, "is_older": "before" in request.GET}
    return render(request, "pages/credits/credits.html", context)
