"""Create a batch: choose photos, see the quote, start the batch, and follow its progress."""

import uuid
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from editor.actors import with_actor
from editor.forms import parse_variables, submitted_variables
from editor.models import Batch, DraftPhoto, RecipeVersion
from editor.models.ids import parse_number, parse_uuid
from editor.options import MAX_BATCH_PHOTOS
from editor.pages import AuthenticatedRequest
from editor.pages.editing.form_context import (
    REFUSALS,
    edit_form,
    engine_for_recipe,
    form_context,
    plan_context,
    refusal_context,
    refusal_message,
    with_other_engine,
    with_sentence,
)
from editor.pages.library.recipe_runs import UNREADABLE, values_to_show
from editor.pages.photos.archive import archive_response
from editor.pages.photos.tray import Tray, submitted_tray, unused_drafts_tray
from editor.pages.photos.uploads import photo_bytes_per_request
from editor.services.billing import caps, credits
from editor.services.core.access import Actor, Right
from editor.services.editing import engines, previews, quotes, submit
from editor.services.editing.refusals import MARKS
from editor.services.editing.step_texts import step_text
from editor.services.library import batches, recipes
from editor.services.library.batches import Order
from editor.services.photos import drafts, interactive

TRAY = DraftPhoto.Tray.BATCH
EMPTY_FORM: Mapping[str, Any] = MappingProxyType({})
# A batch counts as large if more than this number of its photos are open.
LARGE_BATCH = 40
# The number of milliseconds between two polls. A large batch is polled less often, because its response is
# larger.
POLL_MILLISECONDS, LARGE_BATCH_POLL_MILLISECONDS = 1200, 3000


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.EDIT)
def new_batch(request: HttpRequest, actor: Actor) -> HttpResponse:
    version = _recipe_named(request, actor)
    if request.method != "POST":
        return _form_page(
            request, actor, version, unused_drafts_tray(actor, most=MAX_BATCH_PHOTOS, kind=TRAY)
        )
    if started := _find_started(request, actor):
        return redirect("batch", actor.workspace.slug, started.id)
    removed = parse_uuid(request.POST.get("remove", ""))
    if removed is not None:
        drafts.discard(actor, removed)
    tray = submitted_tray(request, actor, most=MAX_BATCH_PHOTOS, kind=TRAY)
    if removed is not None or request.POST.get("step") == "change":
        tray.add_too_many_error(batches.TOO_MANY)
        return _form_page(request, actor, version, tray, status=422 if tray.errors else 200)
    return _handle_order(request, actor, version, tray)


@require_safe
@with_actor(Right.VIEW)
def batch(request: HttpRequest, actor: Actor, batch_id: uuid.UUID) -> HttpResponse:
    return render(request, "pages/batches/batch.html", _shown(actor, batch_id))


@require_safe
@with_actor(Right.VIEW)
def batch_progress(request: HttpRequest, actor: Actor, batch_id: uuid.UUID) -> HttpResponse:
    """Return the part of the page that changes, or 304 if nothing has changed since the last poll."""
    mark = f'"{batches.etag_of(batches.find_batch(actor, batch_id))}.{get_language()}"'
    if request.headers.get("If-None-Match") == mark:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = render(request, "pages/batches/progress.html", _shown(actor, batch_id))
    response.headers["ETag"] = mark
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@require_safe
@with_actor(Right.VIEW)
def batch_photos(request: HttpRequest, actor: Actor, batch_id: uuid.UUID) -> HttpResponse:
    """Return the photos of a batch, which the history shows when the batch is expanded."""
    return render(request, "pages/batches/contact.html", _shown(actor, batch_id))


@require_POST
@with_actor(Right.EDIT)
def retry_batch(request: HttpRequest, actor: Actor, batch_id: uuid.UUID) -> HttpResponse:
    found = batches.find_batch(actor, batch_id)
    submit_id = parse_uuid(request.POST.get("submit_id", "")) or uuid.uuid4()
    try:
        if failed := batches.progress_of(found).failed:
            admission = submit.admit(actor, edits=len(failed))
            batches.retry_failed(admission, found, failed, submit_id=submit_id)
    except REFUSALS as error:
        messages.error(request, refusal_message(error))
    except FileNotFoundError:
        messages.error(request, _("A photo of this batch can no longer be read. Create a new batch instead."))
    return redirect("batch", actor.workspace.slug, batch_id)


@require_POST
@with_actor(Right.EDIT)
def cancel_batch(request: HttpRequest, actor: Actor, batch_id: uuid.UUID) -> HttpResponse:
    if not batches.cancel_rest(actor, batches.find_batch(actor, batch_id)):
        messages.info(request, _("This batch had already ended."))
    return redirect("batch", actor.workspace.slug, batch_id)


@require_safe
@with_actor(Right.DOWNLOAD)
def batch_zip(request: HttpRequest, actor: Actor, batch_id: uuid.UUID) -> StreamingHttpResponse:
    found = batches.find_batch(actor, batch_id)
    numbered = [(edit.batch_position or 0, edit) for edit in batches.progress_of(found).edits]
    return archive_response(numbered, by=actor.user.pk, name=f"darkroom-batch-{found.created:%Y-%m-%d}")


def _handle_order(
    request: HttpRequest, actor: Actor, version: RecipeVersion | None, tray: Tray
) -> HttpResponse:
    """Show the quote, start the batch if the quote was accepted, or show the form with its errors."""
    problem: dict[str, Any] = {}
    try:
        order = _order(request, actor, version, tray)
        if not tray.errors and request.POST.get("step") == "start":
            return _start(request, actor, order)
        if not tray.errors:
            return _quote_page(request, actor, order)
    except REFUSALS as error:
        problem = refusal_context(error)
    except FileNotFoundError:
        problem = {"errors": {"photos": [UNREADABLE]}}
    return _form_page(request, actor, version, tray, **{"status": 422} | problem)


def _order(request: HttpRequest, actor: Actor, version: RecipeVersion | None, tray: Tray) -> Order:
    """Return the batch that the form describes.

    Raises recipes.InvalidVariables, or submit.InvalidSubmission if the form is invalid.
    """
    form = edit_form(actor, with_other_engine(with_sentence(request.POST)), photos=1)
    submit_id = parse_uuid(request.POST.get("submit_id", "")) or uuid.uuid4()
    if tray.is_over_limit:
        raise submit.InvalidSubmission({"photos": str(batches.TOO_MANY)})
    if version is not None:
        values = parse_variables(submitted_variables(request.POST))
        return Order(
            drafts=tray.drafts,
            recipe_version=version,
            variables=values,
            engine=engine_for_recipe(actor, version, request.POST),
            submit_id=submit_id,
        )
    if not form.is_valid():
        raise submit.InvalidSubmission({name: str(errors[0]) for name, errors in form.errors.items()})
    return Order(
        prompt=form.prompt_text,
        options=form.options,
        drafts=tray.drafts,
        engine=form.engine_name,
        submit_id=submit_id,
    )


def _find_started(request: HttpRequest, actor: Actor) -> Batch | None:
    """Return the batch that this form has already started, for example after a double click."""
    submit_id = parse_uuid(request.POST.get("submit_id", ""))
    if submit_id is None or request.POST.get("step") != "start":
        return None
    return batches.find_submitted(actor, submit_id)


def _start(request: HttpRequest, actor: Actor, order: Order) -> HttpResponse:
    """Start the batch, or show the current quote if it differs from the one that was accepted.

    Raises the REFUSALS: a batch whose quote has expired may no longer be possible.
    """
    admission = submit.admit(actor, edits=len(order.drafts))
    try:
        agreed = quotes.read_quote(actor, request.POST.get("quote"))
        price = parse_number(request.POST.get("agreed", ""))
        batch = batches.submit_batch(admission, order, agreed_price=price, agreed=agreed)
    except quotes.QuoteChanged as error:
        changed = str(error)
    else:
        return redirect("batch", actor.workspace.slug, batch.id)
    return _quote_page(request, actor, order, changed=changed)


def _quote_page(request: HttpRequest, actor: Actor, order: Order, *, changed: str = "") -> HttpResponse:
    """Show the total price and the credits that would be left. No credits are held yet.

    If the person chose a photo, the script of the page only requests the preview of this photo.
    """
    workspace = actor.workspace
    workspace.refresh_from_db(fields=["balance", "held", "plan"])
    offer = batches.quote_batch(actor, order)
    limits = caps.caps_of(actor, timezone.now())
    sent = {"step", "agreed", "quote", "engine", "other", "csrfmiddlewaretoken", "draft", "remove", "preview"}
    context = {
        "actor": actor,
        "order": order,
        "offer": offer,
        "steps": [step_text(step) for step in (offer.plan.steps if offer.plan else ())],
        "free": workspace.free_credits,
        "left_after": workspace.free_credits - offer.price,
        "shortage": credits.shortage(workspace, limits, edits=offer.photos, price=offer.price_per_photo),
        "affordable": credits.affordable_edits(workspace, limits, price=offer.price_per_photo),
        "changed": changed,
        "engine": order.engine,
        "has_choice": len(engines.available_in(workspace)) > 1,
        "quote": quotes.sign_quote(actor, offer.each),
        **_preview_context(request, actor, order, offer),
        "sent": [
            (name, value) for name in request.POST if name not in sent for value in request.POST.getlist(name)
        ],
        "submit_id": order.submit_id,
    }
    is_preview = "preview" in request.POST and cast(AuthenticatedRequest, request).htmx
    return render(request, f"pages/{'editor/pair' if is_preview else 'batches/quote'}.html", context)


def _preview_context(
    request: HttpRequest, actor: Actor, order: Order, offer: batches.BatchQuote
) -> dict[str, Any]:
    """Return what the page needs to preview a photo of the batch: the chosen one, or else the first.

    Without JavaScript, the preview itself is made only if the person requests it.
    """
    if not interactive.is_available() or offer.plan is None:
        return {}
    chosen = request.POST.get("preview", "")
    photo = next((draft for draft in order.drafts if str(draft.id) == chosen), order.drafts[0])
    recipe_photos = order.recipe_version.photos.all() if order.recipe_version else ()
    options = order.recipe_version.options if order.recipe_version else order.options
    shown = [photo, *recipe_photos] if chosen else ()
    previews.request_analysis(offer.plan, options=options, photo=photo)
    preview = previews.preview_edit(actor, offer.plan, options=options, photos=shown)
    return {
        "photo": photo,
        "photo_kind": "drafts",
        "preview": preview if chosen else None,
        "pair_url": f"{reverse('preview', args=[actor.workspace.slug])}?photo={photo.id}",
    }


def _form_page(
    request: HttpRequest,
    actor: Actor,
    version: RecipeVersion | None,
    tray: Tray,
    *,
    status: int = 200,
    errors: Mapping[str, list[str]] = EMPTY_FORM,
    variable_errors: Mapping[str, str] = EMPTY_FORM,
    **problem: str,
) -> HttpResponse:
    given = with_other_engine(with_sentence(request.POST)).copy()
    if version is not None:
        given["engine"] = engine_for_recipe(actor, version, request.POST)
    form = edit_form(actor, given, photos=1)
    form.is_valid()
    submit_id = parse_uuid(request.POST.get("submit_id", ""))
    shown_errors = {**errors, "photos": [*tray.errors, *errors.get("photos", [])]}
    context = form_context(actor, form, tray, submit_id=submit_id) | {
        "version": version,
        "values": values_to_show(version, request.POST, variable_errors) if version else (),
        "max_value": recipes.MAX_VALUE_CHARACTERS,
        "cards": recipes.versions_of(actor),
        "files_at_a_time": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        "bytes_at_a_time": photo_bytes_per_request(),
        "errors": shown_errors if status != 200 else {},
        **plan_context(actor, form, tray_size=1, without=MARKS),
        **problem,
    }
    return render(request, "pages/batches/new.html", context, status=status)


def _recipe_named(request: HttpRequest, actor: Actor) -> RecipeVersion | None:
    """Return the recipe that the form or the query string names, or None if neither does.

    Raises Http404 if the actor cannot see the recipe.
    """
    recipe_text = request.POST.get("recipe") or request.GET.get("recipe")
    recipe_id = parse_uuid(recipe_text) if recipe_text else None
    return recipes.find_version(actor, recipe_id) if recipe_id else None


def _shown(actor: Actor, batch_id: uuid.UUID) -> dict[str, Any]:
    found = batches.find_batch(actor, batch_id)
    progress = batches.progress_of(found)
    return {
        "actor": actor,
        "batch": found,
        "progress": progress,
        "submit_id": uuid.uuid4(),
        "interval": LARGE_BATCH_POLL_MILLISECONDS if len(progress.open) > LARGE_BATCH else POLL_MILLISECONDS,
    }
