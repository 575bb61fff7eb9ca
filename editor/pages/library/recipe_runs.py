"""Run a recipe in the editor: its prompt, its variables, and the photos to run it on."""

import uuid
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from editor.actors import with_actor
from editor.forms import parse_variables
from editor.models import Edit, RecipeVersion
from editor.models.ids import parse_uuid
from editor.models.wording import translate_text
from editor.options import MAX_PHOTOS
from editor.pages.editing.form_context import REFUSALS, edit_form, form_context, refusal_context
from editor.pages.photos.tray import Tray, named_drafts_tray, submitted_tray, unused_drafts_tray
from editor.services.core.access import Actor, Right
from editor.services.editing import engines, quotes, routing, submit
from editor.services.library import recipes
from editor.services.photos import drafts

VARIABLE = "variable-"
UNREADABLE = gettext_lazy(recipes.UNREADABLE)


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.EDIT)
def run_recipe(request: HttpRequest, actor: Actor, recipe_id: uuid.UUID) -> HttpResponse:
    version = recipes.find_version(actor, recipe_id)
    most = 1 if version.photos.all() else MAX_PHOTOS
    if request.method != "POST":
        return _page(request, actor, version, unused_drafts_tray(actor, most=most))
    submit_id = parse_uuid(request.POST.get("submit_id", "")) or uuid.uuid4()
    submitted = submit.find_submitted(actor.user, submit_id)
    return redirect("edit", submitted.id) if submitted else _run(request, actor, version, most, submit_id)


def submitted_variables(form_data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a recipe's variables as submitted, by name."""
    return {
        name.removeprefix(VARIABLE): value for name, value in form_data.items() if name.startswith(VARIABLE)
    }


def values_to_show(
    version: RecipeVersion, submitted: Mapping[str, Any], errors: Mapping[str, str]
) -> list[tuple[str, str, str]]:
    """Return each variable with its value and its error message."""
    said = submitted_variables(submitted)
    return [(name, said.get(name, ""), errors.get(name, "")) for name in version.variables]


def _run(
    request: HttpRequest, actor: Actor, version: RecipeVersion, most: int, submit_id: uuid.UUID
) -> HttpResponse:
    removed = parse_uuid(request.POST.get("remove", ""))
    if removed is not None:
        drafts.discard(actor, removed)
        return _not_yet(request, actor, version, submitted_tray(request, actor, most=most), submit_id)
    tray = named_drafts_tray(request, actor, most=most)
    try:
        admission = submit.admit(actor)
        tray = submitted_tray(request, actor, most=most)
        if tray.errors or not _is_answered(request, version):
            return _not_yet(request, actor, version, tray, submit_id)
        return redirect("edit", _edit(request, admission, version, tray, submit_id).id)
    except REFUSALS as error:
        if isinstance(error, submit.DraftGone):
            tray = named_drafts_tray(request, actor, most=most)
        problem = refusal_context(error)
    except FileNotFoundError:
        problem = {"errors": {"photos": [UNREADABLE]}}
    return _page(request, actor, version, tray, submit_id, **{"status": 422} | problem)


def _not_yet(
    request: HttpRequest, actor: Actor, version: RecipeVersion, tray: Tray, submit_id: uuid.UUID
) -> HttpResponse:
    """Show the page again without running the recipe. Only problems with the photos are reported."""
    tray.add_too_many_error(_too_many(version))
    return _page(request, actor, version, tray, submit_id, status=422 if tray.errors else 200)


def _is_answered(request: HttpRequest, version: RecipeVersion) -> bool:
    """Check whether the request contains all that is needed to run the recipe: values of the recipe's
    variables, if it has any.

    A request from the editor contains no values, and the editor does not show which engine a recipe names.
    """
    if version.engine and _is_from_editor(request):
        return False
    return bool(submitted_variables(request.POST)) or not version.variables


def _edit(
    request: HttpRequest,
    admission: submit.Admission,
    version: RecipeVersion,
    tray: Tray,
    submit_id: uuid.UUID,
) -> Edit:
    values = parse_variables(submitted_variables(request.POST))
    if tray.is_over_limit:
        raise submit.InvalidSubmission({"photos": _too_many(version)})
    submission = submit.Submission(
        prompt="",
        options=version.options,
        drafts=tray.drafts,
        engine=_engine_name(request, admission.actor, version),
        agreed=quotes.read_quote(admission.actor, request.POST.get("quote")),
        submit_id=submit_id,
    )
    return recipes.run(admission, version, values, submission)


def _engine_name(request: HttpRequest, actor: Actor, version: RecipeVersion) -> str:
    """Return the name of the engine that the person chose, or else that of the recipe while it is on.

    The editor has a choice, too, but it was made before the recipe was chosen.
    """
    own, chosen = recipes.engine_for(actor, version), request.POST.get("engine")
    return own if chosen is None or (own and _is_from_editor(request)) else chosen


def _is_from_editor(request: HttpRequest) -> bool:
    return "prompt" in request.POST


def _offer(request: HttpRequest, actor: Actor, version: RecipeVersion, photos: int) -> routing.Quote:
    """Return the quote for the recipe with the values that were submitted. Without values, or for too many
    plans, it does not depend on the prompt."""
    names = [engine.name for engine in engines.available_in(actor.workspace)]
    name = _engine_name(request, actor, version)
    named: dict[str, Any] = {
        "engine": name if name in names else "",
        "photos": photos,
        "options": version.options,
    }
    prompt = ""
    if routing.is_automatic():
        with suppress(recipes.InvalidVariables):
            prompt = recipes.fill_variables(version, parse_variables(submitted_variables(request.POST)))
    try:
        return routing.quote(actor, prompt=prompt, **named)
    except routing.TooManyPlans:
        return routing.quote(actor, prompt="", **named)


def _too_many(version: RecipeVersion) -> str:
    return translate_text(recipes.ONE_PHOTO if version.photos.all() else submit.TOO_MANY_PHOTOS)


def _page(
    request: HttpRequest,
    actor: Actor,
    version: RecipeVersion,
    tray: Tray,
    submit_id: uuid.UUID | None = None,
    *,
    status: int = 200,
    errors: Mapping[str, list[str]] = MappingProxyType({}),
    wrong_variables: Mapping[str, str] = MappingProxyType({}),
    **problem: str,
) -> HttpResponse:
    name = _engine_name(request, actor, version)
    form = edit_form(actor, {"engine": name}, photos=len(tray.drafts))
    form.is_valid()
    offer = _offer(request, actor, version, max(len(tray.drafts), 1) + len(version.photos.all()))
    is_missing = bool(version.engine) and not recipes.engine_for(actor, version)
    context = form_context(actor, form, tray, submit_id=submit_id) | {
        "version": version,
        "values": values_to_show(version, request.POST, wrong_variables),
        "max_value": recipes.MAX_VALUE_CHARACTERS,
        "errors": {**errors, "photos": [*tray.errors, *errors.get("photos", [])]} if status != 200 else {},
        "price": offer.price,
        "left_after": actor.workspace.free_credits - offer.price,
        "engine": offer.engine,
        "missing_engine": version.engine if is_missing else "",
        "quote": quotes.sign_quote(actor, offer),
        **problem,
    }
    return render(request, "pages/recipes/run.html", context, status=status)
