"""The people of a team."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from editor.services import members as service
from editor.services.access import Actor, Right, acting


@require_safe
@acting(Right.VIEW)
def members(request: HttpRequest, actor: Actor) -> HttpResponse:
    if not actor.workspace.is_team:
        return render(request, "pages/members/alone.html")
    context = {"members": service.members_of(actor.workspace)}
    return render(request, "pages/members/members.html", context)
