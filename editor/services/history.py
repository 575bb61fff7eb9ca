"""Looking back: a workspace's edits, favourites, and how long an edit usually takes."""

from statistics import median

from django.db.models import QuerySet

from editor.models import Edit, Workspace
from editor.services.access import Actor

RECENT = 20


def edits_of(workspace: Workspace) -> QuerySet[Edit]:
    """The workspace's edits with their photos, the newest first, in a constant number of queries."""
    return (
        Edit.objects.filter(workspace=workspace)
        .select_related("owner", "workspace")
        .prefetch_related("references", "results")
        .newest_first()
    )


def toggle_favourite(actor: Actor, edit: Edit) -> bool:
    """Stars an edit or takes its star away; answers whether it has one now."""
    actor.require_edit()
    edit.favourite = not edit.favourite
    Edit.objects.filter(id=edit.id).update(favourite=edit.favourite)
    return edit.favourite


def typical_seconds(workspace: Workspace) -> float | None:
    """The median duration of recent successful edits, in seconds; None when there are none."""
    recent = Edit.objects.filter(workspace=workspace, state=Edit.State.SUCCESS).newest_first()
    took = [
        (finished - created).total_seconds()
        for created, finished in recent.values_list("created", "finished")[:RECENT]
        if finished is not None
    ]
    return median(took) if took else None
