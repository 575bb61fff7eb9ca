"""The filters for the list of edits.

Each filter uses an index, so it stays fast even with many edits.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.models import Edit, Engine, Workspace
from editor.models.edits import EditQuerySet
from editor.models.engines import engine_title
from editor.models.ids import parse_number
from editor.services.library.history import Search

MAX_TEAMS = 12
STATES = {
    "line": (gettext_lazy("Queued"), (Edit.State.QUEUED,)),
    "running": (gettext_lazy("Running"), (Edit.State.SENDING, Edit.State.RUNNING, Edit.State.STORING)),
    "finished": (gettext_lazy("Finished"), (Edit.State.SUCCESS,)),
    "failed": (gettext_lazy("Failed"), (Edit.State.FAILED,)),
    "cancelled": (gettext_lazy("Cancelled"), (Edit.State.CANCELLED,)),
}


class _Filter(admin.SimpleListFilter):
    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return self.narrowed(cast(EditQuerySet, queryset), value) if value else queryset

    def narrowed(self, edits: EditQuerySet, value: str) -> EditQuerySet:
        raise NotImplementedError

    def choices(self, changelist: Any) -> Iterator[Any]:
        for number, choice in enumerate(super().choices(changelist)):
            yield choice if number else {**choice, "display": _("Any")}


class ReviewFilter(_Filter):
    title, parameter_name = gettext_lazy("review"), "review"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            (state.value, str(state.label)) for state in Edit.ReviewState if state != Edit.ReviewState.DRAFT
        ]

    def narrowed(self, edits: EditQuerySet, value: str) -> EditQuerySet:
        return edits.not_in_trash().filter(review_state=value) if value in Edit.ReviewState else edits


class StateFilter(_Filter):
    title, parameter_name = gettext_lazy("status"), "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, str(label)) for name, (label, states) in STATES.items()]

    def narrowed(self, edits: EditQuerySet, value: str) -> EditQuerySet:
        states = STATES[value][1] if value in STATES else ()
        return Search(states=states).filter(edits, workspace_id=None)


class TeamFilter(_Filter):
    """A filter that offers the newest teams.

    Any other workspace can be selected by putting its ID in the URL.
    """

    title, parameter_name = gettext_lazy("team"), "workspace"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        teams = list(Workspace.objects.filter(personal_user=None, closed=None).order_by("-id")[:MAX_TEAMS])
        chosen_id = workspace_in(request)
        if chosen_id and chosen_id not in [team.pk for team in teams]:
            teams += Workspace.objects.filter(pk=chosen_id)
        return [(str(team.pk), team.name) for team in teams]

    def narrowed(self, edits: EditQuerySet, value: str) -> EditQuerySet:
        return edits.filter(workspace_id=parse_number(value) or 0)


class EngineFilter(_Filter):
    title, parameter_name = gettext_lazy("engine"), "engine"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        names = Engine.objects.order_by("position", "id").values_list("name", flat=True)
        return [(name, engine_title(name)) for name in dict.fromkeys(names)]

    def narrowed(self, edits: EditQuerySet, value: str) -> EditQuerySet:
        return Search(engine=value.replace("\x00", " ")).filter(edits, workspace_id=None)


class TimeFilter(_Filter):
    title, parameter_name = gettext_lazy("time"), "since"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("today", _("Today")), ("week", _("The last 7 days")), ("month", _("This month"))]

    def narrowed(self, edits: EditQuerySet, value: str) -> EditQuerySet:
        first = _first_day(value, timezone.localdate())
        return Search(since=first).filter(edits, workspace_id=None)


class PlaceFilter(_Filter):
    title, parameter_name = gettext_lazy("location"), "place"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("hidden", _("Hidden"))]

    def narrowed(self, edits: EditQuerySet, value: str) -> EditQuerySet:
        return edits.filter(hidden__isnull=False) if value == "hidden" else edits


def workspace_in(request: HttpRequest) -> int | None:
    """Return the ID of the workspace in the query string, or None."""
    return parse_number(request.GET.get(TeamFilter.parameter_name, ""))


def _first_day(value: str, today: date) -> date | None:
    days = {"today": today, "week": today - timedelta(days=6), "month": today.replace(day=1)}
    return days.get(value)
