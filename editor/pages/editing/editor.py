"""The editor page, which contains the tray, the prompt, and the plan for the prompt."""

import uuid
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from editor.actors import with_actor
from editor.engine.plan import WayKind
from editor.forms import EditForm
from editor.imaging.errors import PhotoError
from editor.models.ids import parse_uuid
from editor.options import MAX_PHOTOS
from editor.pages.editing.clicks import NoPlace, clickable_photo, is_click, with_click
from editor.pages.editing.form_context import (
    REFUSALS,
    edit_form,
    errors_by_place,
    form_context,
    form_data,
    marks_in_percent,
    photo_errors,
    plan_context,
    precheck,
    recipe_plan_context,
    refusal_context,
    with_other_engine,
    with_sentence,
)
from editor.pages.editing.ideas import ideas_context, with_idea
from editor.pages.parameters import parse_uuids
from editor.pages.photos.tray import (
    Tray,
    named_drafts_tray,
    submitted_tray,
    submitted_url,
    unread_tray,
    unused_drafts_tray,
)
from editor.services.core.access import Actor, Right, find_edit
from editor.services.core.disk_space import DiskFull
from editor.services.editing import previews, quotes, routing, submit
from editor.services.editing.previews import Preview
from editor.services.editing.refusals import MARKS
from editor.services.library import history, recipes
from editor.services.photos import drafts

RECENT_EDITS = 6
OFFERED_RECIPES = 8  # maximum number of recipes shown in the editor
SAMPLES = {
    "pier": _("Pier"),
    "coffee": _("Coffee"),
    "spacecraft": _("Spacecraft"),
}  # The sample photos are in static/img/samples/.


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.VIEW)
def editor(request: HttpRequest, actor: Actor) -> HttpResponse:
    if request.method != "POST":
        return _open(request, actor)
    # Adding a sample or an idea does not submit anything, but it requires this right anyway.
    actor.require(Right.EDIT)
    if request.POST.get("sample") in SAMPLES:
        return _with_sample(request, actor, request.POST["sample"])
    if {"idea", "others", "bring", "preview", "sentence"} & request.POST.keys() or is_click(request.POST):
        return _change_form(request, actor)
    submit_id = parse_uuid(request.POST.get("submit_id", "")) or uuid.uuid4()
    submitted = submit.find_submitted(actor.user, submit_id)
    return redirect("edit", submitted.id) if submitted else _submit(request, actor, submit_id)


@require_POST
@with_actor(Right.EDIT)
def preview(request: HttpRequest, actor: Actor) -> HttpResponse:
    # The page requests a preview again that is not finished after PLAN_SECONDS.
    # Each photo of a batch becomes a separate edit, and regions cannot be marked on it.
    each, photo = bool(request.GET.get("each")), parse_uuid(request.GET.get("photo", ""))
    recipe = parse_uuid(request.POST.get("recipe", ""))
    version = recipes.find_version(actor, recipe) if recipe else None
    count = 1 if each or photo else len(request.POST.getlist("draft"))
    if photo:
        shown = drafts.find_drafts(actor, [photo])
    else:
        shown = [] if each else named_drafts_tray(request, actor).drafts
    if version:
        context = recipe_plan_context(
            actor, version, request.POST, count=count, drafts=shown, patience=previews.PLAN_SECONDS
        )
    else:
        form = edit_form(actor, request.POST, photos=count)
        form.is_valid()
        without = MARKS if each or photo else ()
        context = plan_context(
            actor,
            form,
            tray_size=count,
            drafts=shown,
            shown=shown,
            patience=previews.PLAN_SECONDS,
            without=without,
        )
    context |= {"each": each, "version": version}
    if photo:
        context |= {
            "photo": next(iter(shown), None),
            "photo_kind": "drafts",
            "pair_url": request.get_full_path(),
        }
    response = render(request, f"pages/editor/{'pair' if photo else 'plan'}.html", context)
    if too_many := context.get("too_many_plans"):
        response.status_code = 429
        response.headers["Retry-After"] = str(too_many.seconds)
    response.headers["Cache-Control"] = "no-store"
    return response


def _open(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the editor with the drafts or the edit that the query string names.

    If the query string names neither, show the unused drafts.
    """
    named = parse_uuids(request.GET.getlist("draft"))[:MAX_PHOTOS]
    revised = _revised(request, actor)
    is_named = revised is not None or bool(named)
    tray = Tray(drafts.find_drafts(actor, named)) if is_named else unused_drafts_tray(actor)
    form = None if revised is None else edit_form(actor, revised, photos=len(tray.drafts))
    return _editor_page(request, actor, tray, form)


def _revised(request: HttpRequest, actor: Actor) -> dict[str, Any] | None:
    """Return the request of the edit to revise as form data, or None if the query string names no edit.

    If the query string contains a prompt, it replaces the edit's prompt. Raises Http404 if the user may not
    see the edit.
    """
    edit_text = request.GET.get("edit")
    if edit_text is None:
        return None
    edit_id = parse_uuid(edit_text)
    if edit_id is None:
        raise Http404("There is no such edit.")
    _, edit = find_edit(actor.user, edit_id)
    # If the site chooses by the prompt, it chooses again for the new one.
    engine = "" if routing.is_automatic() else submit.kept_engine(edit)
    return form_data(request.GET.get("sentence") or edit.prompt, edit.options) | {"engine": engine}


def _with_sample(request: HttpRequest, actor: Actor, name: str) -> HttpResponse:
    """Show the page again with a sample photo in the tray."""
    tray = submitted_tray(request, actor)
    tray.is_over_limit = tray.is_over_limit or len(tray.drafts) == tray.max_photos
    path = finders.find(f"img/samples/{name}.webp")
    try:
        if path is None:
            tray.errors.append(gettext("This sample photo is missing on the server. Upload your own photo."))
        elif not tray.is_over_limit:
            with Path(path).open("rb") as file:
                tray.drafts.append(drafts.create_draft(actor, file, name=f"{name}.webp"))
    except (DiskFull, PhotoError) as error:
        tray.errors.append(str(error))
    return _show_again(request, actor, tray, edit_form(actor, request.POST, photos=tray.count))


def _change_form(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the page again after a button has changed the form without submitting it.

    The buttons change the prompt, add an idea to it, show other ideas, add a photo from a URL, show a
    preview, or mark something on photo 1. With JavaScript, none of them reloads the page.
    """
    tray = submitted_tray(request, actor)
    if "bring" in request.POST and not submitted_url(request):
        tray.errors.append(gettext("Enter the web address of a photo first."))
    data = with_idea(with_sentence(_with_recipe(request.POST, actor)))
    try:
        data = with_click(data, next(iter(tray.drafts), None))
    except NoPlace as error:
        tray.errors.append(str(error))
    form = edit_form(actor, data, photos=tray.count)
    shows_preview = "preview" in request.POST or is_click(request.POST)
    return _show_again(request, actor, tray, form, shows_preview=shows_preview)


def _with_recipe(data: QueryDict, actor: Actor) -> QueryDict:
    """Return the form data. If it is that of a recipe, whose prompt the person wants to change, it has the
    options of the recipe."""
    recipe = parse_uuid(data.get("recipe", ""))
    if recipe is None:
        return data
    changed = data.copy()
    for name, value in form_data("", recipes.find_version(actor, recipe).options).items():
        changed.setlist(name, value if isinstance(value, list) else [value])
    return changed


def _submit(request: HttpRequest, actor: Actor, submit_id: uuid.UUID) -> HttpResponse:
    removed = parse_uuid(request.POST.get("remove", ""))
    if removed is not None:
        drafts.discard(actor, removed)
        form = edit_form(actor, request.POST, photos=1)
        return _show_again(request, actor, submitted_tray(request, actor), form, submit_id=submit_id)
    tray, data = unread_tray(request, actor), with_other_engine(request.POST)
    try:
        admission = submit.admit(actor)
        tray = submitted_tray(request, actor)
        form = edit_form(actor, data, photos=tray.count)
        if not form.is_valid() or tray.errors:
            return _rejected(request, actor, tray, submit_id)
        offer, refused = precheck(actor, form, tray.drafts)
        if refused:
            errors = {"prompt": [refused.message]}
            return _rejected(request, actor, tray, submit_id, errors=errors, preview=refused)
        submission = submit.Submission(
            prompt=form.prompt_text,
            options=form.options,
            drafts=tray.drafts,
            engine=form.engine_name,
            offer=offer,
            agreed=quotes.read_quote(actor, data.get("quote")),
            submit_id=submit_id,
        )
        return redirect("edit", submit.submit_edit(admission, submission).id)
    except REFUSALS as error:
        if isinstance(error, submit.DraftGone):
            tray = named_drafts_tray(request, actor)
        return _rejected(request, actor, tray, submit_id, **refusal_context(error))


def _show_again(
    request: HttpRequest,
    actor: Actor,
    tray: Tray,
    form: EditForm,
    *,
    submit_id: uuid.UUID | None = None,
    shows_preview: bool = False,
) -> HttpResponse:
    """Show the page again without submitting the form. Only problems with the photos are reported."""
    tray.add_too_many_error()
    status = 422 if tray.errors else 200
    return _editor_page(
        request, actor, tray, form, submit_id=submit_id, status=status, shows_preview=shows_preview
    )


def _rejected(
    request: HttpRequest, actor: Actor, tray: Tray, submit_id: uuid.UUID, *, status: int = 422, **problem: Any
) -> HttpResponse:
    """Show the page again with everything that was submitted, and show each error next to its field."""
    form = edit_form(actor, with_other_engine(request.POST), photos=tray.count)
    return _editor_page(
        request, actor, tray, form, submit_id=submit_id, shows_errors=True, status=status, **problem
    )


def _editor_page(
    request: HttpRequest,
    actor: Actor,
    tray: Tray,
    form: EditForm | None = None,
    *,
    submit_id: uuid.UUID | None = None,
    shows_errors: bool = False,
    credit_error: submit.InsufficientCredits | None = None,
    queue_error: str = "",
    shows_preview: bool = False,
    preview: Preview | None = None,
    errors: Mapping[str, list[str]] = MappingProxyType({}),
    status: int = 200,
) -> HttpResponse:
    form = form or edit_form(actor, {}, photos=len(tray.drafts))
    form.is_valid()
    context = form_context(actor, form, tray, submit_id=submit_id) | {
        "errors": {**errors_by_place(form, tray), **errors} if shows_errors else photo_errors(tray),
        "credit_error": credit_error,
        "queue_error": queue_error,
        "samples": SAMPLES,
        "recipes": recipes.versions_of(actor)[:OFFERED_RECIPES] if actor.has(Right.EDIT) else (),
        "recent": history.edits_of(actor.workspace)[:RECENT_EDITS],
    }
    context |= plan_context(
        actor,
        form,
        tray_size=len(tray.drafts),
        drafts=tray.drafts,
        shown=tray.drafts if shows_preview else (),
        preview=preview,
    )
    context |= ideas_context(tray.drafts, form, may_wait=False)
    context |= {"tool": _named_tool(request, can_select=context["can_select"])}
    context |= _click_context(form, tray, context)
    return render(request, "pages/editor/editor.html", context, status=status)


def _named_tool(request: HttpRequest, *, can_select: bool) -> str:
    """Return the tool that the query string names. If a point cannot be selected, it is the box tool."""
    named = request.GET.get("mark", "")
    return WayKind.BOX if named and not (named == WayKind.POINT and can_select) else named


def _click_context(form: EditForm, tray: Tray, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return what people without JavaScript need to mark something on photo 1: the photo as a button."""
    if not tray.drafts or not context["chosen_can"].regions:
        return {}
    ways, options, tool = context.get("ways", ()), form.options, context["tool"]
    click = clickable_photo(tray.drafts[0], ways, options, can_select=context["can_select"], tool=tool)
    return {"click": click} | marks_in_percent(options)
