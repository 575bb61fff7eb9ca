"""Ideas for the photos in the tray, one of each kind, and the button that shows other ideas."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_POST

from editor.actors import with_actor
from editor.forms import EditForm
from editor.models import DraftPhoto
from editor.models.ids import parse_number
from editor.pages.photos.tray import named_drafts_tray
from editor.services.billing import usage
from editor.services.core.access import Actor, Right
from editor.services.library import ideas as service

MAX_TURNS = 1000


@require_POST
@with_actor(Right.VIEW)
def ideas(request: HttpRequest, actor: Actor) -> HttpResponse:
    tray = named_drafts_tray(request, actor)
    form = EditForm(request.POST, photos=len(tray.drafts))
    form.is_valid()
    response = render(request, "pages/editor/ideas.html", ideas_context(tray.drafts, form, may_wait=True))
    response.headers["Cache-Control"] = "no-store"
    return response


def ideas_context(drafts: list[DraftPhoto], form: EditForm, *, may_wait: bool) -> dict[str, Any]:
    """Return the values for the list of ideas.

    `form` must have been validated. Without JavaScript, each button submits the whole form.
    """
    turn = _turn(form.data)
    offer = service.suggest_ideas(
        drafts, form.options.regions, turn=turn, may_wait=may_wait or "others" in form.data
    )
    return {
        "ideas": [(usage.KIND_LABELS[kind], words) for kind, words in offer.ideas],
        "ideas_are_near": offer.is_pending,
        "ideas_are_tried": offer.is_tried,
        "others": (turn + 1) % MAX_TURNS,
    }


def with_idea(data: QueryDict) -> QueryDict:
    """Return the form data with the chosen idea appended to the prompt."""
    if "idea" not in data:
        return data
    written = data.get("prompt", "").strip().rstrip(".,;")
    joined = data.copy()
    idea = data.get("idea", "")
    joined["prompt"] = f"{written}, {idea}" if written else idea
    return joined


def _turn(data: Mapping[str, Any]) -> int:
    """Return how many times the user has asked for other ideas. An invalid number counts as 0."""
    return (parse_number(str(data.get("others", ""))) or 0) % MAX_TURNS
