"""Run a recipe in the editor, with its prompt, its variables, and the photos to run it on."""

import uuid
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from editor.actors import with_actor
from editor.forms import parse_variables, submitted_variables
from editor.models import Edit, RecipeVersion
from editor.models.ids import parse_uuid
from editor.models.wording import translate_text
from editor.options import MAX_PHOTOS
from editor.pages.editing.form_context import (
    REFUSALS,
    edit_form,
    engine_for_recipe,
    form_context,
    is_from_editor,
    precheck,
    recipe_form,
    recipe_plan_context,
    refusal_context,
)
from editor.pages.photos.tray import Tray, named_drafts_tray, submitted_tray, unread_tray, unused_drafts_tray
from editor.services.core.access import Actor, Right
from editor.services.editing import quotes, submit
from editor.services.editing.previews import Preview
from editor.services.editing.routing import Quote
from editor.services.library import recipes
from editor.services.photos import drafts

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


def values_to_show(
    version: RecipeVersion, submitted: Mapping[str, Any], errors: Mapping[str, str]
) -> list[tuple[str, str, str]]:
    """Return each variable, along with its value and its error message."""
    values = submitted_variables(submitted)
    return [(name, values.get(name, ""), errors.get(name, "")) for name in version.variables]


def _run(
    request: HttpRequest, actor: Actor, version: RecipeVersion, most: int, submit_id: uuid.UUID
) -> HttpResponse:
    removed = parse_uuid(request.POST.get("remove", ""))
    if removed is not None:
        drafts.discard(actor, removed)
        return _show_again(request, actor, version, submitted_tray(request, actor, most=most), submit_id)
    tray = unread_tray(request, actor, most=most)
    if "preview" in request.POST:
        tray = submitted_tray(request, actor, most=most)
        return _show_again(request, actor, version, tray, submit_id, shows_preview=True)
    try:
        admission = submit.admit(actor)
        tray = submitted_tray(request, actor, most=most)
        if tray.errors or not _is_complete(request, version):
            return _show_again(request, actor, version, tray, submit_id)
        offer, refused = _precheck(request, actor, version, tray)
        if refused:
            errors = {"prompt": [refused.message]}
            return _page(request, actor, version, tray, submit_id, status=422, errors=errors, preview=refused)
        return redirect("edit", _edit(request, admission, version, tray, submit_id, offer).id)
    except REFUSALS as error:
        if isinstance(error, submit.DraftGone):
            tray = named_drafts_tray(request, actor, most=most)
        problem = refusal_context(error)
    except FileNotFoundError:
        problem = {"errors": {"photos": [UNREADABLE]}}
    return _page(request, actor, version, tray, submit_id, **{"status": 422} | problem)


def _show_again(
    request: HttpRequest,
    actor: Actor,
    version: RecipeVersion,
    tray: Tray,
    submit_id: uuid.UUID,
    *,
    shows_preview: bool = False,
) -> HttpResponse:
    """Show the page again without running the recipe. Only problems with the photos are reported."""
    tray.add_too_many_error(_too_many(version))
    status = 422 if tray.errors else 200
    return _page(request, actor, version, tray, submit_id, status=status, shows_preview=shows_preview)


def _precheck(
    request: HttpRequest, actor: Actor, version: RecipeVersion, tray: Tray
) -> tuple[Quote | None, Preview | None]:
    """Check a run as `precheck` checks an edit. Raises InvalidVariables."""
    if not tray.drafts or tray.is_over_limit:
        return None, None
    photos = [*tray.drafts, *version.photos.all()]
    form = recipe_form(actor, version, request.POST, photos=len(photos))
    return precheck(actor, form, photos)


def _is_complete(request: HttpRequest, version: RecipeVersion) -> bool:
    """Check whether the request contains everything needed to run the recipe.

    A request from the editor contains no values, and the editor does not show which engine a recipe names.
    """
    if version.engine and is_from_editor(request.POST):
        return False
    return bool(submitted_variables(request.POST)) or not version.variables


def _edit(
    request: HttpRequest,
    admission: submit.Admission,
    version: RecipeVersion,
    tray: Tray,
    submit_id: uuid.UUID,
    offer: Quote | None,
) -> Edit:
    values = parse_variables(submitted_variables(request.POST))
    if tray.is_over_limit:
        raise submit.InvalidSubmission({"photos": _too_many(version)})
    submission = submit.Submission(
        prompt="",
        options=version.options,
        drafts=tray.drafts,
        engine=engine_for_recipe(admission.actor, version, request.POST),
        offer=offer,
        agreed=quotes.read_quote(admission.actor, request.POST.get("quote")),
        submit_id=submit_id,
    )
    return recipes.run(admission, version, values, submission)


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
    variable_errors: Mapping[str, str] = MappingProxyType({}),
    preview: Preview | None = None,
    shows_preview: bool = False,
    **problem: str,
) -> HttpResponse:
    name = engine_for_recipe(actor, version, request.POST)
    form = edit_form(actor, {"engine": name}, photos=len(tray.drafts))
    form.is_valid()
    is_missing = bool(version.engine) and not recipes.engine_for(actor, version)
    context = form_context(actor, form, tray, submit_id=submit_id) | {
        "version": version,
        "values": values_to_show(version, request.POST, variable_errors),
        "max_value": recipes.MAX_VALUE_CHARACTERS,
        "errors": {**errors, "photos": [*tray.errors, *errors.get("photos", [])]} if status != 200 else {},
        "missing_engine": version.engine if is_missing else "",
        **recipe_plan_context(
            actor,
            version,
            request.POST,
            count=max(len(tray.drafts), 1),
            drafts=tray.drafts,
            has_preview=shows_preview,
        ),
        **({"preview": preview} if preview else {}),
        **problem,
    }
    return render(request, "pages/recipes/run.html", context, status=status)
