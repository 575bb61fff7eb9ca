"""The outline of the thing to which a person points in the editor's first photo."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from editor.actors import with_actor
from editor.forms import PointsField, RegionsField
from editor.options import MAX_POINTS
from editor.services.core.access import Actor, Right
from editor.services.photos import drafts, selections


class SelectForm(forms.Form):
    """The form for a selection: a photo in the tray, and either points or one region on it."""

    draft = forms.UUIDField()
    point = PointsField(required=False)
    region = RegionsField(required=False)

    def clean(self) -> None:
        points, regions = self.cleaned_data.get("point", ()), self.cleaned_data.get("region", ())
        if not self.errors and not (any(point.keep for point in points) or len(regions) == 1):
            self.add_error(None, _("Click the thing that you want to select."))
        if len(points) > MAX_POINTS:
            self.add_error(None, _("Use at most %(most)s points.") % {"most": MAX_POINTS})


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.EDIT)
def select(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Return the outline, its box, and its name as JSON, or a user-readable message.

    A GET request returns what the page needs before the first click.
    """
    if request.method != "POST":
        return render(request, "pages/editor/select.html", {"max_points": MAX_POINTS})
    form = SelectForm(request.POST)
    if not form.is_valid():
        return _message(str(next(iter(form.errors.values()))[0]), status=422)
    found = drafts.find_drafts(actor, [form.cleaned_data["draft"]])
    if not found:
        return _message(_("This photo is no longer there. Add it again."), status=404)
    points, regions = form.cleaned_data["point"], form.cleaned_data["region"]
    try:
        selection = selections.select(actor, found[0], points=points, region=next(iter(regions), None))
    except selections.NotAnalyzed:
        return _message(_("Looking at the photo"), status=202)
    except selections.TooManySelections as error:
        return _message(_too_many(error.seconds), status=429, after=error.seconds)
    except selections.Busy:
        return _message(_("The site is busy. Click again in a moment."), status=503, after=1)
    except selections.Unavailable:
        return _message(_("This site can't select by a click. Draw a box instead."), status=409)
    return _answer(asdict(selection))


def _too_many(seconds: int) -> str:
    return ngettext(
        "You clicked too often. Wait %(seconds)s second, then click again.",
        "You clicked too often. Wait %(seconds)s seconds, then click again.",
        seconds,
    ) % {"seconds": seconds}


def _message(sentence: str, *, status: int, after: int = 0) -> HttpResponse:
    response = _answer({"message": sentence}, status=status)
    if after:
        response.headers["Retry-After"] = str(after)
    return response


def _answer(data: dict[str, Any], *, status: int = 200) -> HttpResponse:
    response = JsonResponse(data, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
