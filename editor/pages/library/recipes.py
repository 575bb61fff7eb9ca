"""The list of recipes, and the forms to create, change, and delete a recipe."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from editor.actors import with_actor
from editor.forms import EditForm, clean_line
from editor.models import DraftPhoto, Edit, RecipePhoto, RecipeVersion, ReferencePhoto
from editor.models.ids import parse_uuid
from editor.models.photos import Photo
from editor.models.recipes import VARIABLE
from editor.options import MAX_PHOTOS
from editor.pages import AuthenticatedRequest
from editor.pages.editing.form_context import (
    engine_choice,
    errors_by_place,
    form_context,
    form_data,
    photo_errors,
    plan_context,
)
from editor.pages.photos.tray import Tray, submitted_tray, unused_drafts_tray
from editor.providers.contract import Capabilities
from editor.services.core.access import Actor, Right, find_edit
from editor.services.editing import routing, submit
from editor.services.editing.previews import Preview
from editor.services.library import recipes
from editor.services.photos import drafts, interactive

# Photo 1 is the photo on which the recipe is run, so a recipe can add one photo fewer than an edit may have.
MAX_RECIPE_PHOTOS = MAX_PHOTOS - 1
TRAY = DraftPhoto.Tray.RECIPE
UNREADABLE = gettext_lazy("A photo can no longer be read. Leave it out, or add it again.")


@dataclass(frozen=True)
class RecipeSource:
    """The starting point for a recipe form: the recipe's previous version, a successful edit, or nothing."""

    form_data: Mapping[str, Any]  # Form data in the format that the pages submit.
    photos: Sequence[RecipePhoto | ReferencePhoto] = ()
    kind: Literal["recipes", "references"] = "recipes"
    version: RecipeVersion | None = None
    edit: Edit | None = None


class RecipeForm(EditForm):
    """The form for a recipe.

    The recipe's own photos are numbered from 2, because photo 1 is the photo on which the recipe is run.
    """

    name = forms.Field(required=False)

    def __init__(
        self, data: Mapping[str, Any], *, drafts: Sequence[DraftPhoto], count: int, can: Capabilities
    ) -> None:
        super().__init__(data, photos=1 + count, can=can)
        self.drafts = drafts

    def service_errors(self) -> dict[str, str]:
        return recipes.validation_errors(self.recipe_input, photos=self.photos, can=self.can)

    @property
    def recipe_input(self) -> recipes.RecipeInput:
        return recipes.RecipeInput(
            name=clean_line(self.submitted_name),
            prompt=self.prompt_text,
            options=self.options,
            is_shared=self.is_shared,
            drafts=self.drafts,
            engine=self.engine_name,
        )

    @property
    def submitted_name(self) -> str:
        return str(self.data.get("name", ""))

    @property
    def is_shared(self) -> bool:
        return self.data.get("shared") == "1"


@require_safe
@with_actor(Right.VIEW)
def recipe_list(request: HttpRequest, actor: Actor) -> HttpResponse:
    context = {"actor": actor, "cards": recipes.cards_of(actor)}
    return render(request, "pages/recipes/recipes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.KEEP_RECIPES)
def new_recipe(request: HttpRequest, actor: Actor) -> HttpResponse:
    return _recipe_form(request, actor, _source_from_edit(request, actor))


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.KEEP_RECIPES)
def recipe(request: HttpRequest, actor: Actor, recipe_id: uuid.UUID) -> HttpResponse:
    version = recipes.find_version(actor, recipe_id)
    if request.method == "POST":
        recipes.require_change(actor, version.recipe)
    return _recipe_form(request, actor, _source_from_version(version))


@require_POST
@with_actor(Right.KEEP_RECIPES)
def delete_recipe(request: HttpRequest, actor: Actor, recipe_id: uuid.UUID) -> HttpResponse:
    version = recipes.find_version(actor, recipe_id)
    recipes.delete(actor, version.recipe)
    messages.success(request, _("The recipe “%(name)s” was deleted.") % {"name": version.recipe.name})
    return redirect("recipes", actor.workspace.slug)


def _recipe_form(request: HttpRequest, actor: Actor, source: RecipeSource) -> HttpResponse:
    if request.method != "POST":
        tray = unused_drafts_tray(actor, most=MAX_RECIPE_PHOTOS, kind=TRAY)
        return _form_page(request, actor, source, tray, source.photos, source.form_data)
    removed = parse_uuid(request.POST.get("remove", ""))
    if removed is not None:
        drafts.discard(actor, removed)
    tray = submitted_tray(request, actor, most=MAX_RECIPE_PHOTOS, kind=TRAY)
    kept = [photo for photo in source.photos if str(photo.id) in request.POST.getlist("keep")]
    if "preview" in request.POST or (_is_fragment(request) and "preview" in request.GET):
        return _show_preview(request, actor, source, tray, kept)
    if removed is not None:
        tray.add_too_many_error()
        return _form_page(request, actor, source, tray, kept, request.POST)
    return _save(request, actor, source, tray, kept)


def _show_preview(
    request: HttpRequest,
    actor: Actor,
    source: RecipeSource,
    tray: Tray,
    kept: Sequence[RecipePhoto | ReferencePhoto],
) -> HttpResponse:
    """Show what the recipe makes of its example: that part of the page, or without JavaScript the page."""
    actor.require(Right.EDIT)
    preview = _preview_context(request, actor, source, [*kept, *tray.drafts])
    if _is_fragment(request):
        response = render(request, "pages/editor/pair.html", preview)
        response.headers["Cache-Control"] = "no-store"
        return response
    return _form_page(request, actor, source, tray, kept, request.POST, preview=preview)


def _is_fragment(request: HttpRequest) -> bool:
    return bool(cast(AuthenticatedRequest, request).htmx)


def _preview_context(
    request: HttpRequest, actor: Actor, source: RecipeSource, recipe_photos: Sequence[Photo]
) -> dict[str, Any]:
    """Return the example of a recipe, with a preview of the submitted form on it."""
    context = _example_context(request, actor, source)
    if not context:
        return {}
    can = routing.capabilities_in(actor.workspace, request.POST.get("engine", ""))
    form = RecipeForm(request.POST, drafts=(), count=len(recipe_photos), can=can)
    form.is_valid()
    if VARIABLE.search(form.prompt_text):
        needs = _("A prompt with variables has a preview when you run the recipe.")
        return context | {"preview": Preview(), "needs": needs}
    shown = [context["photo"], *recipe_photos]
    return context | plan_context(actor, form, tray_size=len(shown), shown=shown)


def _example_context(request: HttpRequest, actor: Actor, source: RecipeSource) -> dict[str, Any]:
    """Return the photo on which the form's recipe is previewed, if there is one."""
    if not interactive.is_available() or not actor.has(Right.EDIT):
        return {}
    edit = source.edit or (source.version and recipes.find_example(actor, source.version))
    photo = edit.references.order_by("position").first() if edit and not edit.purged else None
    query = request.GET.copy()
    query["preview"] = "1"
    url = f"{request.path}?{query.urlencode()}"
    return {"photo": photo, "photo_kind": "references", "pair_url": url} if photo else {}


def _save(
    request: HttpRequest,
    actor: Actor,
    source: RecipeSource,
    tray: Tray,
    kept: Sequence[RecipePhoto | ReferencePhoto],
) -> HttpResponse:
    """Save the recipe, or show the form again with its errors."""
    try:
        with drafts.copies(kept) as copies:
            given = [*copies, *tray.drafts]
            can = routing.capabilities_in(actor.workspace, request.POST.get("engine", ""))
            form = RecipeForm(request.POST, drafts=given, count=len(kept) + tray.count, can=can)
            if form.is_valid() and not tray.errors:
                version = recipes.save_recipe(actor, form.recipe_input, after=source.version)
                template = _("“%(name)s” was saved as version %(n)s.")
                messages.success(request, template % {"name": version.recipe.name, "n": version.number})
                if unknown := recipes.unknown_parts(actor, version):
                    messages.warning(request, _("Not understood: %(words)s") % {"words": ", ".join(unknown)})
                return redirect("recipes", actor.workspace.slug)
    except submit.DraftGone as error:
        tray.errors.append(str(error))
    except FileNotFoundError:
        tray.errors.append(str(UNREADABLE))
    except recipes.InvalidRecipe as error:
        tray.errors.append(str(error))
    return _form_page(request, actor, source, tray, kept, request.POST, is_sent=True)


def _form_page(
    request: HttpRequest,
    actor: Actor,
    source: RecipeSource,
    tray: Tray,
    kept: Sequence[RecipePhoto | ReferencePhoto],
    given: Mapping[str, Any],
    *,
    is_sent: bool = False,
    preview: Mapping[str, Any] | None = None,
) -> HttpResponse:
    can = routing.capabilities_in(actor.workspace, str(given.get("engine", "")))
    form = RecipeForm(given, drafts=tray.drafts, count=len(kept) + tray.count, can=can)
    form.is_valid()
    context = form_context(actor, form, tray) | {
        "source": source,
        "kept": kept,
        "choice": engine_choice(actor, form.engine_name, has_default=True),
        "errors": errors_by_place(form, tray) if is_sent else photo_errors(tray),
        "max_name": recipes.NAME_CHARACTERS,
        **(preview or _example_context(request, actor, source)),
        "may_change": source.version is None or recipes.may_change(actor, source.version.recipe),
    }
    status = 422 if is_sent or tray.errors else 200
    return render(request, "pages/recipes/form.html", context, status=status)


def _source_from_edit(request: HttpRequest, actor: Actor) -> RecipeSource:
    """Return the starting point for a new recipe: the edit that the query string names, or nothing.

    Raises Http404 if the edit is not in this workspace.
    """
    edit_text = request.GET.get("edit")
    if edit_text is None:
        return RecipeSource({})
    edit_id = parse_uuid(edit_text)
    if edit_id is None:
        raise Http404("There is no such edit.")
    _, edit = find_edit(actor.user, edit_id)
    if edit.workspace_id != actor.workspace.pk:
        raise Http404("There is no such edit.")
    recipe_photos = [] if edit.purged else [photo for photo in edit.references.all() if photo.position > 1]
    return RecipeSource(form_data(edit.prompt, edit.options), recipe_photos, "references", edit=edit)


def _source_from_version(version: RecipeVersion) -> RecipeSource:
    given = form_data(version.prompt, version.options)
    given |= {"engine": version.engine}
    given |= {"name": version.recipe.name, "shared": "1" if version.recipe.is_shared else ""}
    return RecipeSource(given, list(version.photos.all()), version=version)
