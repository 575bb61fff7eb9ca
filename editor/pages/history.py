"""The edits of a workspace: searched by words, filtered, fifty to a page. The address says all of it."""

from dataclasses import replace

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from editor.forms import SearchForm
from editor.models import Edit, User
from editor.services.access import Actor, Right, acting
from editor.services.history import page_of

PER_PAGE = 50
STATES = {
    "running": ("Running", [state for state in Edit.State if state not in Edit.TERMINAL]),
    "finished": ("Finished", [Edit.State.SUCCESS]),
    "failed": ("Failed", [Edit.State.FAILED]),
    "cancelled": ("Cancelled", [Edit.State.CANCELLED]),
}


REVIEWS = [(state.value, state.label) for state in Edit.ReviewState if state != Edit.ReviewState.DRAFT]


class HistoryForm(SearchForm):
    review = forms.ChoiceField(required=False, choices=REVIEWS)
    state = forms.ChoiceField(required=False, choices=[(name, label) for name, (label, _) in STATES.items()])


@require_safe
@acting(Right.VIEW)
def history(request: HttpRequest, actor: Actor) -> HttpResponse:
    form = HistoryForm(request.GET)
    form.is_valid()  # what makes no sense is left out, and said
    asked = form.cleaned_data
    states = STATES[asked["state"]][1] if asked.get("state") else ()
    before, after = request.GET.get("before", ""), request.GET.get("after", "")
    search = replace(form.search(actor, states=states), review_state=asked.get("review") or "")
    # Who looks for a state or for stars sees every photo of a batch that has them.
    folds = not states and not search.review_state and search.starred_by is None
    context = {
        "edits": page_of(actor, search, size=PER_PAGE, before=before, after=after, folds=folds),
        "folds": folds,
        "is_older": bool(before),
        "is_narrowed": any(asked.values()),
        "form": form,
        "asked": asked,
        "states": [(name, label) for name, (label, _) in STATES.items()],
        "reviews": REVIEWS if actor.workspace.is_team else [],
        **_people(actor, asked.get("by")),
    }
    return render(request, "pages/history/history.html", context)


def _people(actor: Actor, chosen: int | None) -> dict[str, object]:
    """Whose edits can be asked for: in a team its members, and whoever is asked for and has left it."""
    if not actor.workspace.is_team:
        return {}
    people = list(actor.workspace.members.order_by("name", "email"))
    person = next((one for one in people if one.pk == chosen), None)
    if chosen and person is None:
        person = User.objects.filter(pk=chosen, edits__workspace=actor.workspace).first()
    return {"people": people, "person": person}
