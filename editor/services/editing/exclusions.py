"""Exclude external engines from a workspace, so that its photos stay in the operator's own networks."""

from django.db import transaction
from django.utils import timezone

from editor.models import Action, Edit, Workspace
from editor.models.clock import database_now
from editor.services.core import audit
from editor.services.core.access import Actor, Right
from editor.services.editing import lifecycle


def exclude_external(actor: Actor, *, is_excluded: bool) -> None:
    """Set whether edits of the workspace may go to external engines. Calling it again has no effect.

    Waiting edits of external engines end without a charge. Edits that were sent are finished. Raises
    Forbidden.
    """
    actor.require(Right.SET_ENGINES)
    mine = Workspace.objects.filter(pk=actor.workspace.pk, internal_since__isnull=is_excluded)
    with transaction.atomic():
        if not mine.update(internal_since=timezone.now() if is_excluded else None):
            return
        detail = {"excluded": is_excluded}
        audit.record(actor, Action.ENGINES_SET, subject=actor.workspace, detail=detail)
        if is_excluded:
            _wake_waiting(actor.workspace)


def _wake_waiting(workspace: Workspace) -> None:
    """Wake the waiting edits of external engines, so that a worker ends them."""
    now = database_now()
    waiting = Edit.objects.open().filter(
        workspace=workspace, state=Edit.State.QUEUED, engine__is_external=True
    )
    waiting.update(due=now)
    for edit in waiting.select_related("engine"):
        lifecycle.wake(edit, at=now)
