"""The history of a workspace.

It shows edits by day, with a search, filters, and 50 edits per page. The URL contains the complete state of
the page.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from editor.actors import with_actor
from editor.forms import SearchForm
from editor.models import Edit, User
from editor.models.engines import engine_title
from editor.options import EditKind
from editor.services.billing import usage
from editor.services.core.access import Actor, Right
from editor.services.library import recipes
from editor.services.library.history import page_of, suggestions

PER_PAGE = 50
OFFERED_RECIPES = 12
DENSE = "dense"
STATES = {
    "waiting": (gettext_lazy("Waiting"), [Edit.State.QUEUED]),
    "running": (gettext_lazy("Running"), [Edit.State.SENDING, Edit.State.RUNNING, Edit.State.STORING]),
    "finished": (gettext_lazy("Finished"), [Edit.State.SUCCESS]),
    "failed": (gettext_lazy("Failed"), [Edit.State.FAILED]),
    "cancelled": (gettext_lazy("Cancelled"), [Edit.State.CANCELLED]),
}
STATE_NAMES = [(name, label) for name, (label, states) in STATES.items()]
REVIEWS = [(state.value, state.label) for state in Edit.ReviewState if state != Edit.ReviewState.DRAFT]
KIND_CHOICES = [(kind, usage.KIND_LABELS[kind]) for kind in EditKind]
SHAPES = [("wide", gettext_lazy("Wide")), ("square", gettext_lazy("Square")), ("tall", gettext_lazy("Tall"))]
_ELSEWHERE = {"before": None, "after": None}  # Choosing a filter returns to the newest page.


class HistoryForm(SearchForm):
    review = forms.ChoiceField(required=False, choices=REVIEWS)
    state = forms.ChoiceField(required=False, choices=STATE_NAMES)
    kind = forms.ChoiceField(required=False, choices=KIND_CHOICES)
    shape = forms.ChoiceField(required=False, choices=SHAPES)
    engine = forms.CharField(required=False, max_length=50)


@dataclass(frozen=True)
class Choice:
    """An option of a filter: its label, and the query parameters that it changes."""

    label: str
    change: dict[str, Any]


@dataclass(frozen=True)
class Filter:
    """A filter of the list.

    `fields` maps its query parameters to their values; a parameter that is not set has the value "". `chosen`
    is the label of the active option.
    """

    name: str
    label: str
    choices: list[Choice]
    fields: dict[str, str]
    chosen: str = ""

    @property
    def cleared(self) -> dict[str, None]:
        return dict.fromkeys((*self.fields, *_ELSEWHERE))


@dataclass(frozen=True)
class Day:
    """A day of the history, with its edits on this page."""

    date: date
    edits: list[Edit]

    @property
    def title(self) -> str:
        today = timezone.localdate()
        named = {today: _("Today"), today - timedelta(days=1): _("Yesterday")}
        is_of_this_year = self.date.year == today.year
        of_this_year = f"{date_format(self.date, 'D')}, {date_format(self.date, 'MONTH_DAY_FORMAT')}"
        return named.get(self.date) or (
            of_this_year if is_of_this_year else date_format(self.date, "DATE_FORMAT")
        )


@require_safe
@with_actor(Right.VIEW)
def history(request: HttpRequest, actor: Actor) -> HttpResponse:
    form = HistoryForm(request.GET)
    form.is_valid()  # Invalid filters are ignored, and the page reports them.
    query = form.cleaned_data
    states = STATES[query["state"]][1] if query.get("state") else ()
    before, after = request.GET.get("before", ""), request.GET.get("after", "")
    search = replace(
        form.search(actor, states=states),
        review_state=query.get("review") or "",
        kind=query.get("kind") or "",
        engine=query.get("engine") or "",
        shape=query.get("shape") or "",
    )
    # When filtering by state, review, shape, or favorites, list each matching photo of a batch separately
    # instead of combining them.
    folds = not states and not search.review_state and not search.shape and search.starred_by is None
    edits = page_of(actor, search, size=PER_PAGE, before=before, after=after, groups_batches=folds)
    context = {
        "edits": edits,
        "days": _days(edits.rows),
        "folds": folds,
        "is_older": bool(before),
        "is_narrowed": any(query.values()),
        "form": form,
        "query": query,
        "filters": _filters(actor, query),
        "suggestions": suggestions(actor),
        "is_dense": request.GET.get("density") == DENSE,
        "recipes": recipes.versions_of(actor)[:OFFERED_RECIPES] if actor.has(Right.EDIT) else (),
    }
    return render(request, "pages/history/history.html", context)


def _days(edits: Iterable[Edit]) -> list[Day]:
    by_day = groupby(edits, key=lambda edit: timezone.localdate(edit.created))
    return [Day(day, list(found)) for day, found in by_day]


def _filters(actor: Actor, query: dict[str, Any]) -> list[Filter]:
    """Return the filters that are useful in this workspace.

    A filter that offers no choices is left out unless it is set.
    """
    engines = [(name, engine_title(name)) for name in usage.engines_of(actor.workspace)]
    is_team = actor.workspace.is_team
    filters = [
        _filter("by", _("Person"), _people(actor, query.get("by")) if is_team else [], query),
        _filter("kind", _("Kind"), KIND_CHOICES, query),
        _filter("state", _("Status"), STATE_NAMES, query),
        _filter("review", _("Review"), REVIEWS if is_team else [], query),
        _filter("engine", _("Engine"), engines if len(engines) > 1 or query.get("engine") else [], query),
        _filter("shape", _("Shape"), SHAPES, query),
        _dates(query),
        _filter("favorite", _("Starred"), [("1", _("Starred"))], {"favorite": query["favorite"] and "1"}),
    ]
    return [one for one in filters if one.choices or one.chosen]


def _filter(
    name: str, label: str, options: Iterable[tuple[str, str | Promise]], query: dict[str, Any]
) -> Filter:
    value = str(query.get(name) or "")
    chosen = str(dict(options).get(value, value))
    choices = [Choice(str(text), _ELSEWHERE | {name: key}) for key, text in options]
    return Filter(name, label, choices, {name: value}, chosen)


def _people(actor: Actor, chosen: int | None) -> list[tuple[str, str]]:
    """Return the people to filter by: the user first, followed by the other members.

    If the chosen person has left the workspace, that person is listed last.
    """
    people = list(actor.workspace.members.order_by("name", "email"))
    people.sort(key=lambda person: person != actor.user)
    if chosen and chosen not in {person.pk for person in people}:
        people += User.objects.filter(pk=chosen, edits__workspace=actor.workspace)[:1]
    return [(str(one.pk), _("You") if one == actor.user else one.name or one.email) for one in people]


def _dates(query: dict[str, Any]) -> Filter:
    today = timezone.localdate()
    since, until = query.get("since"), query.get("until")
    month = today.replace(day=1)
    before = (month - timedelta(days=1)).replace(day=1)
    spans: dict[str, tuple[date | None, date | None]] = {
        _("Today"): (today, None),
        _("Last 7 days"): (today - timedelta(days=6), None),
        _("This month"): (month, None),
        _("Last month"): (before, month - timedelta(days=1)),
    }
    choices = [Choice(label, _ELSEWHERE | {"since": a, "until": b}) for label, (a, b) in spans.items()]
    named = {span: label for label, span in spans.items()}
    fields = {name: day.isoformat() if day else "" for name, day in (("since", since), ("until", until))}
    return Filter("date", _("Date"), choices, fields, named.get((since, until)) or _span(since, until))


def _span(since: date | None, until: date | None) -> str:
    """Return a label for a range of dates: "Nov 1, 2026 to Nov 3, 2026", "Since ...", "Until ...", or ""."""
    first, last = (day and date_format(day, "DATE_FORMAT") for day in (since, until))
    if first and last:
        span = _("%(first)s to %(last)s") % {"first": first, "last": last}
        return first if first == last else span
    since_day, until_day = _("Since %(day)s"), _("Until %(day)s")
    return since_day % {"day": first} if first else until_day % {"day": last} if last else ""
