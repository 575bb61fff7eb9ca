"""The API operation that returns a client's credits and limits."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from editor.api.auth import api_view
from editor.api.envelope import Envelope, success
from editor.models import Engine, Workspace
from editor.options import MAX_PHOTOS
from editor.services.billing import caps
from editor.services.core.access import Actor, Right
from editor.services.editing import engines, routing


@api_view("GET", "HEAD", rate_kind="reads", right=Right.VIEW)
def account(request: HttpRequest, actor: Actor) -> Envelope:
    workspace = actor.workspace
    return success(
        {
            "workspace": workspace.name,
            "slug": workspace.slug,
            "plan": workspace.plan,
            "balance": workspace.balance,
            "held": workspace.held,
            "free": workspace.free_credits,
            "price": workspace.price,
            "capLeft": min((cap.left for cap in caps.caps_of(actor, timezone.now())), default=None),
            "limits": limits(workspace),
            "engines": [_engine(one, workspace) for one in engines.available_in(workspace)],
        }
    )


def limits(workspace: Workspace | None = None) -> dict[str, int]:
    """Return the limits of this site, from its settings and the engines of a workspace."""
    can = routing.capabilities() if workspace is None else routing.capabilities_in(workspace)
    return {
        "images": MAX_PHOTOS,
        "imageMegabytes": settings.MAX_PHOTO_MEGABYTES,
        "imageMegapixels": settings.MAX_PHOTO_MEGAPIXELS,
        "promptCharacters": settings.MAX_PROMPT_CHARACTERS,
        "numImages": can.max_outputs,
        "createsPerMinute": settings.API_CREATES_PER_MINUTE,
        "readsPerMinute": settings.API_READS_PER_MINUTE,
        "resultLinkDays": settings.RESULT_LINK_DAYS,
    }


def _engine(engine: Engine, workspace: Workspace) -> dict[str, Any]:
    return {
        "name": engine.name,
        "model": engine.model,
        "price": engine.price_for(workspace.plan),
        "host": engine.shown_host,
    }
