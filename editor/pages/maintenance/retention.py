"""The retention period of a workspace, with a preview of what would be deleted, and the legal hold."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from editor.actors import with_actor
from editor.forms import LineField
from editor.models.wording import number
from editor.services.core.access import Actor, Right
from editor.services.maintenance.retention import MAX_DAYS, forecast, lift_hold, set_hold, set_retention

REASON_REQUIRED = gettext_lazy("Enter a reason for the hold.")
_DAYS = format_lazy(gettext_lazy("Enter a whole number of days from 1 to {most}."), most=MAX_DAYS)


class RetentionForm(forms.Form):
    """The form for the number of days to keep edits.

    If no number is set, edits are kept forever.
    """

    days = forms.IntegerField(
        label=gettext_lazy("Keep edits for (days)"),
        min_value=1,
        max_value=MAX_DAYS,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), _DAYS),
    )


class HoldForm(forms.Form):
    reason = LineField(
        label=gettext_lazy("Reason"),
        max_length=300,
        help_text=gettext_lazy("Everyone who can open the trash can read it."),
        error_messages={"required": REASON_REQUIRED},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.SET_RETENTION)
def retention(request: HttpRequest, actor: Actor) -> HttpResponse:
    """On GET, preview what a retention period would delete. On POST, set the period."""
    form = RetentionForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        return render(request, "pages/retention/days.html", {"form": form}, status=422)
    days = form.cleaned_data["days"]
    if request.method == "POST":
        set_retention(actor, days)
        template = ngettext("Edits are now kept for %(n)s day.", "Edits are now kept for %(n)s days.", days)
        messages.success(request, template % {"n": number(days)})
        return redirect("settings", actor.workspace.slug)
    context: dict[str, Any] = {"forecast": forecast(actor, days), "trash_days": settings.TRASH_DAYS}
    return render(request, "pages/retention/forecast.html", context)


@require_POST
@with_actor(Right.SET_RETENTION)
def keep_all(request: HttpRequest, actor: Actor) -> HttpResponse:
    set_retention(actor, None)
    messages.success(request, _("Edits are kept until someone deletes them."))
    return redirect("settings", actor.workspace.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.SET_RETENTION)
def legal_hold(request: HttpRequest, actor: Actor) -> HttpResponse:
    form = HoldForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        set_hold(actor, reason=form.cleaned_data["reason"])
        messages.success(
            request, _("The legal hold is in place. Nothing is permanently deleted until it is lifted.")
        )
        return redirect("settings", actor.workspace.slug)
    return render(request, "pages/retention/hold.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@with_actor(Right.SET_RETENTION)
def lift_legal_hold(request: HttpRequest, actor: Actor) -> HttpResponse:
    lift_hold(actor)
    messages.success(request, _("The legal hold was lifted. The trash countdown resumes where it stopped."))
    return redirect("settings", actor.workspace.slug)
