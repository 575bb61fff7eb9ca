"""Create a team, and change the settings of a workspace."""

from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from editor.actors import with_actor
from editor.forms import LineField
from editor.models import User
from editor.services.core.access import Actor, Right
from editor.services.editing import engines, exclusions
from editor.services.people import members
from editor.services.sharing import reviews

_NAMELESS = gettext_lazy("Enter a name for the team.")


class TeamForm(forms.Form):
    name = LineField(
        label=gettext_lazy("Team name"),
        max_length=members.MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
        error_messages={"required": _NAMELESS},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_team(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if not members.may_create_teams(user):
        raise members.TeamsAreForStaff
    form = TeamForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            team = members.create_team(user, name=form.cleaned_data["name"])
        except members.TooManyTeams as error:
            form.add_error(None, str(error))
        else:
            messages.success(
                request, _("%(team)s was created. Invite the other members.") % {"team": team.name}
            )
            return redirect("members", team.slug)
    return render(request, "pages/workspaces/new.html", {"form": form}, status=422 if form.errors else 200)


@require_safe
@with_actor(Right.SET_WORKSPACE)
def settings(request: HttpRequest, actor: Actor) -> HttpResponse:
    return _settings_page(request, actor, TeamForm(initial={"name": actor.workspace.name}))


@require_POST
@with_actor(Right.SET_WORKSPACE)
def rename(request: HttpRequest, actor: Actor) -> HttpResponse:
    form = TeamForm(request.POST)
    if not form.is_valid():
        return _settings_page(request, actor, form, status=422)
    members.rename(actor, name=form.cleaned_data["name"])
    messages.success(request, _("The name was changed."))
    return redirect("settings", actor.workspace.slug)


@require_POST
@with_actor(Right.SET_WORKSPACE)
def require_approval(request: HttpRequest, actor: Actor) -> HttpResponse:
    is_required = request.POST.get("required") == "1"
    reviews.require_approval(actor, is_required=is_required)
    needs, needs_none = _("Edits now need approval."), _("Edits no longer need approval.")
    messages.success(request, needs if is_required else needs_none)
    return redirect("settings", actor.workspace.slug)


@require_POST
@with_actor(Right.SET_ENGINES)
def set_engines(request: HttpRequest, actor: Actor) -> HttpResponse:
    is_excluded = request.POST.get("external") != "1"
    exclusions.exclude_external(actor, is_excluded=is_excluded)
    none, some = _("External engines are now excluded."), _("External engines may now be used.")
    messages.success(request, none if is_excluded else some)
    return redirect("settings", actor.workspace.slug)


def _settings_page(request: HttpRequest, actor: Actor, form: TeamForm, *, status: int = 200) -> HttpResponse:
    """Show the settings. Each section is a separate form with its own URL."""
    context = {
        "form": form,
        "resting_keys": reviews.keys_without_review(actor.workspace),
        "external_engines": [engine for engine in engines.available() if engine.is_external],
        "is_engine_left": bool(engines.available_in(actor.workspace)),
    }
    return render(request, "pages/workspaces/settings.html", context, status=status)
