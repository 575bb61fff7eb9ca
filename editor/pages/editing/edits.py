"""The page of an edit.

It shows the progress, and then the results or the reason why there are no results.
"""

import itertools
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.db.models import QuerySet
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from editor.actors import with_actor
from editor.engine.plan import Refusal, WayKind
from editor.imaging.errors import PhotoError
from editor.models import Comment, Edit, ReferencePhoto, ResultPhoto, Share, Workspace
from editor.models.ids import parse_uuid
from editor.pages import AuthenticatedRequest
from editor.pages.editing.comparing import comparison
from editor.pages.editing.form_context import REFUSALS, marks_in_percent, refusal_message
from editor.pages.parameters import next_url, site_of
from editor.pages.photos.archive import archive_response
from editor.services.core import links
from editor.services.core.access import Actor, Right, actor_at, may_get_original, workspaces_of
from editor.services.core.disk_space import DiskFull
from editor.services.editing import engines, lifecycle, quotes, routing, submit
from editor.services.editing.edit_status import status_of
from editor.services.editing.refusals import engine_for_refused, refusals_of, ways_after
from editor.services.editing.step_texts import stored_step_text
from editor.services.library import history, versions
from editor.services.photos import drafts
from editor.services.sharing import comments, reviews, shares

UNREADABLE = gettext_lazy("A photo of this edit can no longer be read. Add the photo again in the editor.")
# The number of milliseconds until the first poll. Each response sets the interval to the next poll according
# to the edit's age.
FIRST_POLL = 100


@dataclass(frozen=True)
class NumberedComment:
    """A comment on the page of an edit.

    Comments about a box are numbered from 1. All other comments have the number 0.
    """

    comment: Comment
    number: int
    may_delete: bool

    @property
    def percent(self) -> dict[str, str]:
        """The box that the comment marks, in percent of the result's width and height."""
        box = self.comment.box or {}
        return {side: f"{100 * box[side]:.2f}" for side in "xywh"}


@require_safe
@with_actor(Right.VIEW)
def edit(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponse:
    return edit_page(request, actor, edit)


def edit_page(
    request: HttpRequest, actor: Actor, edit: Edit, *, status: int = 200, **refused: Form
) -> HttpResponse:
    """Return the page of an edit.

    After an error, the page contains the invalid form: `comment`, `review`, or `share`.
    """
    references = list(edit.references.all())
    context: dict[str, Any] = {
        "edit": edit,
        "actor": actor,
        "submit_id": uuid.uuid4(),  # This is the submission ID of the "Run again" form.
        "references": references,
        "steps": [stored_step_text(step) for step in (edit.plan or {}).get("steps", [])],
        # Only failed edits list the parts of the prompt that were left out; successful edits have notices
        # about these parts.
        "left_out": [] if edit.is_success else (edit.plan or {}).get("not_understood", []),
    }
    if edit.is_open:
        return render(request, "pages/edits/running.html", context | _running(actor, edit), status=status)
    results = list(edit.results.all())
    template = "gallery" if edit.is_success and results else "ended"
    context |= _ended(request, actor, edit, results, references) | refused
    if actor.has(Right.EDIT):
        context |= _again_context(actor, edit, refusals_of(edit))
    return render(request, f"pages/edits/{template}.html", context, status=status)


@require_POST
@with_actor(Right.EDIT)
def cancel(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponse:
    if not lifecycle.cancel(actor, edit):
        messages.info(request, _("This edit had already ended."))
    return redirect("edit", edit.id)


@require_POST
@with_actor(Right.EDIT)
def again(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponse:
    submit_id = parse_uuid(request.POST.get("submit_id", "")) or uuid.uuid4()
    try:
        new_edit = submit.find_submitted(actor.user, submit_id)
        if new_edit is None:
            new_edit = submit.run_again(
                submit.admit(actor),
                edit,
                submit_id=submit_id,
                partial=request.POST.get("partial") == "1",
                engine=request.POST.get("engine"),
                agreed=quotes.read_quote(actor, request.POST["quote"]) if "quote" in request.POST else None,
            )
    except REFUSALS as error:
        return _back_with(request, edit, refusal_message(error))
    except FileNotFoundError:
        return _back_with(request, edit, str(UNREADABLE))
    return redirect("edit", new_edit.id)


@require_POST
@with_actor(Right.EDIT)
def revise(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponse:
    try:
        copied = drafts.from_edit(actor, edit)
    except drafts.TooManyDrafts as error:
        return _back_with(request, edit, str(error))
    except FileNotFoundError:
        return _back_with(request, edit, str(UNREADABLE))
    named: dict[str, Any] = {"edit": str(edit.id), "draft": [str(draft.id) for draft in copied]}
    named |= {name: request.POST[name] for name in ("mark", "sentence") if request.POST.get(name)}
    return redirect(f"{_editor_of(actor)}?{urlencode(named, doseq=True)}")


@require_POST
@with_actor(Right.EDIT)
def edit_further(request: HttpRequest, actor: Actor, edit: Edit, position: int) -> HttpResponse:
    return _into_tray(request, actor, edit, position)


@require_POST
@with_actor(Right.DOWNLOAD)
def take_result(request: HttpRequest, actor: Actor, edit: Edit, position: int) -> HttpResponse:
    """Copy a result to another workspace of the same person.

    The person must be allowed to download the result here and to upload photos there.
    """
    there = actor_at(actor.user, request.POST.get("workspace", ""))
    there.require(Right.EDIT)
    return _into_tray(request, there, edit, position)


@require_POST
@with_actor(Right.VIEW)
def favorite(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponse:
    is_favorite = history.toggle_favorite(actor, edit)
    if cast(AuthenticatedRequest, request).htmx:
        context = {"edit": edit, "is_favorite": is_favorite, "next": request.POST.get("next", "")}
        return render(request, "components/favorite.html", context)
    return redirect(next_url(request, otherwise=reverse("edit", args=[edit.id])))


@require_safe
@with_actor(Right.VIEW)
def download_all(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponseBase:
    if edit.is_open or edit.purged or not edit.results.exists():
        raise Http404("There are no results.")
    name = f"darkroom-{edit.created:%Y-%m-%d}"
    return archive_response([(1, edit)], by=actor.user.pk, name=name, refuses=True)


def _into_tray(request: HttpRequest, actor: Actor, edit: Edit, position: int) -> HttpResponse:
    result = edit.results.filter(position=position).first()
    if result is None:
        raise Http404("There is no such result.")
    try:
        draft = drafts.from_result(actor, result)
    except FileNotFoundError:
        return _back_with(request, edit, str(UNREADABLE))
    except (DiskFull, PhotoError) as error:
        return _back_with(request, edit, str(error))
    return redirect(f"{_editor_of(actor)}?draft={draft.id}")


def _links(request: HttpRequest, actor: Actor, edit: Edit) -> list[tuple[Share, str, bool]]:
    """Return the edit's guest links, along with each link's URL and whether the actor may revoke the link."""
    if not actor.has(Right.SHARE):
        return []
    site = site_of(request)
    return [
        (one, shares.link_of(one, site=site), shares.may_revoke(actor, one)) for one in shares.shares_of(edit)
    ]


def _elsewhere(actor: Actor) -> QuerySet[Workspace] | list[Workspace]:
    """Return the other workspaces in which the person may edit.

    The list is empty if the person may not copy photos out of this workspace.
    """
    others = workspaces_of(actor.user, Right.EDIT).exclude(pk=actor.workspace.pk)
    return others if actor.has(Right.DOWNLOAD) else []


def _editor_of(actor: Actor) -> str:
    return reverse("editor", args=[actor.workspace.slug])


def _back_with(request: HttpRequest, edit: Edit, sentence: str) -> HttpResponse:
    messages.error(request, sentence)
    return redirect("edit", edit.id)


def _running(actor: Actor, edit: Edit) -> dict[str, Any]:
    """Return the values for the status fragment.

    They include the elapsed time, in seconds, and have the same names as in later polls.
    """
    return {
        "signed": links.sign_status(edit, actor.user),
        "edit_id": str(edit.id),
        "status": status_of(edit.id, user_id=actor.user.pk),
        "interval": FIRST_POLL,
        "elapsed": max(0, int((timezone.now() - edit.created).total_seconds())),
        "usual": history.typical_seconds(edit.workspace, engines.engine_of(edit), similar_to=edit),
    }


def _ended(
    request: HttpRequest,
    actor: Actor,
    edit: Edit,
    results: list[ResultPhoto],
    references: list[ReferencePhoto],
) -> dict[str, Any]:
    """Return the context of the page for an edit that has ended: results, actions, comments, reviews, and
    links."""
    selected = selected_result(request, results)
    takes = selected is not None and may_get_original(actor.user.pk, selected)
    tree = versions.version_tree(edit) if edit.is_success else None
    return {
        "results": results,
        "selected": selected,
        "may_take": takes,
        "is_favorite": history.is_favorite(actor, edit),
        "elsewhere": _elsewhere(actor) if takes else [],
        "notes": _notes(actor, edit),
        "longest_comment": comments.MAX_COMMENT_LENGTH,
        "canceller": lifecycle.canceller_of(edit),
        "steps_of_review": reviews.steps_of(actor, edit),
        "reviews": reviews.history_of(edit) if edit.workspace.is_team else [],
        "links": _links(request, actor, edit),
        "versions": tree,
        **marks_in_percent(edit.options),
        **comparison(request, selected, results, references, tree),
    }


def _again_context(actor: Actor, edit: Edit, refusals: Sequence[Refusal]) -> dict[str, Any]:
    """Return the ways to continue, and what the buttons that run the edit again say.

    That is the engine with its price, signed, and the engine that may do what was refused.
    """
    kept, options = submit.kept_engine(edit), edit.options
    photos = edit.photo_count
    prompt = edit.prompt if routing.is_automatic() and not kept else ""
    try:
        offer = routing.quote(actor, prompt=prompt, options=options, photos=photos, engine=kept)
    except routing.TooManyPlans:
        offer = routing.quote(actor, prompt="", options=options, photos=photos)
    moved_to, other = None if kept else offer.engine, engine_for_refused(edit, refusals)
    has_rest = _has_rest(edit) and moved_to is None
    ways = ways_after(edit, refusals, has_rest=has_rest, other=other)
    instead = other if WayKind.ENGINE in {way.kind for way in ways} else None
    return {
        "ways": ways,
        "price": offer.price,
        "again_engine": kept,
        "moved_to": moved_to,
        "quote": quotes.sign_quote(actor, offer),
        "instead": instead,
        "instead_price": instead.price_for(actor.workspace.plan) if instead else 0,
        "sends_to": [engine for engine in (moved_to, instead) if engine],
    }


def _has_rest(edit: Edit) -> bool:
    """Check whether a refused edit has steps that can be carried out without the refused part."""
    plan = edit.plan or {}
    steps, left_out = plan.get("steps", []), plan.get("not_understood", [])
    is_whole = edit.is_rejected and not edit.partial
    return is_whole and bool(steps) and len(steps) + len(left_out) > 1


def _notes(actor: Actor, edit: Edit) -> list[NumberedComment]:
    numbers = itertools.count(1)
    return [
        NumberedComment(comment, next(numbers) if comment.box else 0, comments.may_delete(actor, comment))
        for comment in comments.comments_of(edit)
    ]


def selected_result(request: HttpRequest, results: list[ResultPhoto]) -> ResultPhoto | None:
    chosen = request.GET.get("result", "") or request.POST.get("result", "")
    first = results[0] if results else None
    return next((result for result in results if str(result.position) == chosen), first)
