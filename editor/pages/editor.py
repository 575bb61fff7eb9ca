"""The editor: the tray, the instruction, and what will be done with them."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import NON_FIELD_ERRORS
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from editor.engine.plan import Plan
from editor.forms import EditForm
from editor.imaging.errors import PhotoError
from editor.models import DraftPhoto, Workspace
from editor.options import ASPECT_RATIOS, MAX_PHOTOS, OUTPUT_FORMATS, sides_of
from editor.pages.asked import read_uuid, read_uuids
from editor.services import history, photos, routing, submit
from editor.services.access import Actor, Right, acting, find_edit
from editor.services.space import DiskFull

RECENT_EDITS = 6
IDEAS = ("Make it warmer", "Blur the background", "Black and white", "More contrast")


@dataclass(frozen=True)
class Shape:
    """A choice of aspect ratio and its drawing in a frame of 36 x 30."""

    value: str
    name: str
    width: float
    height: float

    @property
    def x(self) -> float:
        return round((36 - self.width) / 2, 2)

    @property
    def y(self) -> float:
        return round((30 - self.height) / 2, 2)


@dataclass
class Tray:
    """The photos of one form, in order, and what was wrong with those that are not among them."""

    drafts: list[DraftPhoto]
    errors: list[str] = field(default_factory=list)
    is_over_full: bool = False

    @property
    def count(self) -> int:
        """How many photos were asked for, as the form counts them."""
        return MAX_PHOTOS + 1 if self.is_over_full else len(self.drafts)


@require_http_methods(["GET", "HEAD", "POST"])
@acting(Right.VIEW)
def editor(request: HttpRequest, actor: Actor) -> HttpResponse:
    if request.method != "POST":
        return _opened(request, actor)
    actor.require(Right.EDIT)
    submit_id = read_uuid(request.POST.get("submit_id", "")) or uuid.uuid4()
    submitted = submit.find_submitted(actor.user, submit_id)
    return redirect("edit", submitted.id) if submitted else _submit(request, actor, submit_id)


@require_POST
@acting(Right.VIEW)
def plan(request: HttpRequest, actor: Actor) -> HttpResponse:
    form = EditForm(request.POST, photos=len(request.POST.getlist("draft")))
    form.is_valid()
    context = _offer(form, actor.workspace, tray_size=form.photos)
    response = render(request, "pages/editor/plan.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


def _opened(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The tray that the address names: that of an edit to revise, of Edit further, or what was left here."""
    named = read_uuids(request.GET.getlist("draft"))[:MAX_PHOTOS]
    revised = _revised(request, actor)
    tray = Tray(photos.drafts_of(actor, None if revised is None and not named else named))
    form = None if revised is None else EditForm(revised, photos=len(tray.drafts))
    return _editor_page(request, actor, tray, form)


def _revised(request: HttpRequest, actor: Actor) -> dict[str, Any] | None:
    """The request of the edit that the address names, as a form sends it; Http404 for a stranger."""
    asked = request.GET.get("edit")
    if asked is None:
        return None
    edit_id = read_uuid(asked)
    if edit_id is None:
        raise Http404("There is no such edit.")
    _, edit = find_edit(actor.user, edit_id)
    return {
        "prompt": edit.prompt,
        "aspect_ratio": edit.aspect_ratio,
        "output_format": edit.output_format,
        "outputs": edit.outputs,
        # A program may have marked other photos too; the page draws on photo 1.
        "region": [region for region in edit.regions if region["image"] == 1],
    }


def _submit(request: HttpRequest, actor: Actor, submit_id: uuid.UUID) -> HttpResponse:
    removed = read_uuid(request.POST.get("remove", ""))
    try:
        if removed is None:
            submit.admit(actor)
    except (DiskFull, submit.QueueFull) as error:
        return _turned_away(request, actor, Tray(_chosen_drafts(request, actor)), submit_id, error)
    except submit.InsufficientCredits as error:
        tray = Tray(_chosen_drafts(request, actor))
        return _rejected(request, actor, tray, submit_id, credit_error=str(error))
    if removed is not None:
        photos.discard_draft(actor, removed)
    tray = _tray_as_sent(request, actor)
    if removed is not None:
        return _editor_page(request, actor, tray, EditForm(request.POST, photos=1), submit_id=submit_id)
    return _send(request, actor, tray, submit_id)


def _send(request: HttpRequest, actor: Actor, tray: Tray, submit_id: uuid.UUID) -> HttpResponse:
    form = EditForm(request.POST, photos=tray.count)
    if not form.is_valid() or tray.errors:
        return _rejected(request, actor, tray, submit_id)
    try:
        submission = submit.Submission(
            prompt=_instruction(request, form, actor),
            options=form.options,
            drafts=tray.drafts,
            submit_id=submit_id,
        )
        edit = submit.submit_edit(actor, submission)
    except (DiskFull, submit.QueueFull) as error:
        return _turned_away(request, actor, tray, submit_id, error)
    except submit.InsufficientCredits as error:
        return _rejected(request, actor, tray, submit_id, credit_error=str(error))
    except submit.InstructionRefused as error:
        return _rejected(request, actor, tray, submit_id, refused=error.plan)
    except submit.DraftGone as error:
        tray = Tray(_chosen_drafts(request, actor), [str(error)])
        return _rejected(request, actor, tray, submit_id)
    return redirect("edit", edit.id)


def _instruction(request: HttpRequest, form: EditForm, actor: Actor) -> str:
    """What is written, or what the plan of it offers instead, when that was pressed."""
    written = form.prompt_text
    if request.POST.get("instead") != "1":
        return written
    offer = _quote(form, actor.workspace, tray_size=form.photos).plan
    return (offer and offer.instead) or written


def _turned_away(
    request: HttpRequest, actor: Actor, tray: Tray, submit_id: uuid.UUID, error: Exception
) -> HttpResponse:
    """Nothing is wrong with what was sent: there is no room for it, on the disk or in the queue."""
    status = 507 if isinstance(error, DiskFull) else 422
    return _rejected(request, actor, tray, submit_id, status=status, queue_error=str(error))


def _rejected(
    request: HttpRequest, actor: Actor, tray: Tray, submit_id: uuid.UUID, *, status: int = 422, **problem: Any
) -> HttpResponse:
    """The same page with all that was sent, and what is wrong at its place."""
    form = EditForm(request.POST, photos=tray.count)
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
    credit_error: str = "",
    queue_error: str = "",
    refused: Plan | None = None,
    status: int = 200,
) -> HttpResponse:
    form = form or EditForm({}, photos=len(tray.drafts))
    form.is_valid()
    can = routing.capabilities()
    context = {
        "tray": tray,
        "form": form,
        "prompt": form.data.get("prompt", ""),
        "chosen": form.options,
        "submit_id": submit_id or uuid.uuid4(),
        "errors": _errors(form, tray, refused) if shows_errors else {},
        "credit_error": credit_error,
        "queue_error": queue_error,
        "ideas": IDEAS,
        "shapes": SHAPES,
        "formats": OUTPUT_FORMATS,
        "outputs": range(1, can.max_outputs + 1),
        "max_photos": MAX_PHOTOS,
        "max_characters": settings.MAX_PROMPT_CHARACTERS,
        "max_bytes": photos.limits().photo_bytes,
        "can": can,
        "usual": history.typical_seconds(actor.workspace),
        "recent": history.edits_of(actor.workspace)[:RECENT_EDITS],
    }
    offer = _offer(form, actor.workspace, tray_size=len(tray.drafts))
    return render(request, "pages/editor/editor.html", context | offer, status=status)


def _offer(form: EditForm, workspace: Workspace, *, tray_size: int) -> dict[str, Any]:
    """What the plan box says: the engine's plan of a valid instruction, and the price."""
    prompt = form.prompt_text
    quote = _quote(form, workspace, tray_size=tray_size)
    return {
        "plan": quote.plan if prompt else None,
        "plan_models": quote.models if prompt else (),
        "has_plans": quote.plan is not None,
        "price": quote.price,
        "left_after": workspace.free - quote.price,
    }


def _quote(form: EditForm, workspace: Workspace, *, tray_size: int) -> routing.Quote:
    return routing.quote(prompt=form.prompt_text, options=form.options, photos=tray_size, workspace=workspace)


def _errors(form: EditForm, tray: Tray, refused: Plan | None) -> dict[str, list[str]]:
    """Sentences by the place where they are shown. A photo that failed is reason enough for none."""
    fields = {name: [str(error) for error in errors] for name, errors in form.errors.items()}
    about_count = [] if tray.errors and not tray.drafts else fields.get(NON_FIELD_ERRORS, [])
    return {
        "photos": [*tray.errors, *about_count],
        "prompt": [refused.message] if refused else fields.get("prompt", []),
        "region": fields.get("region", []),
        "choices": [
            sentence
            for name in ("aspect_ratio", "output_format", "outputs")
            for sentence in fields.get(name, [])
        ],
    }


def _tray_as_sent(request: HttpRequest, actor: Actor) -> Tray:
    """The form's drafts, and its files made into drafts while there is room."""
    tray = Tray(_chosen_drafts(request, actor))
    tray.is_over_full = len(read_uuids(request.POST.getlist("draft"))) > MAX_PHOTOS
    for file in request.FILES.getlist("photos"):
        if len(tray.drafts) == MAX_PHOTOS:
            tray.is_over_full = True
            break
        _take_in(actor, file, tray)
    return tray


def _take_in(actor: Actor, file: UploadedFile[Any], tray: Tray) -> None:
    try:
        tray.drafts.append(photos.keep_draft(actor, cast(Any, file), name=file.name or ""))
    except (DiskFull, PhotoError) as error:
        tray.errors.append(f"{photos.clean_name(file.name or '') or 'A photo'}: {error}")


def _chosen_drafts(request: HttpRequest, actor: Actor) -> list[DraftPhoto]:
    ids = read_uuids(request.POST.getlist("draft"))[:MAX_PHOTOS]
    return photos.drafts_of(actor, ids)


def _shape(ratio: str) -> Shape:
    a, b = sides_of(ratio)
    scale = min((430 / (a * b)) ** 0.5, 33 / a, 25 / b)
    name = "square" if a == b else "landscape" if a > b else "portrait"
    return Shape(ratio, name, round(a * scale, 2), round(b * scale, 2))


def _shapes(order: Callable[[str], float]) -> list[Shape]:
    auto = Shape("", "as photo 1", 26, 20)
    return [auto, *(_shape(ratio) for ratio in sorted(ASPECT_RATIOS, key=order))]


def _wide_first(ratio: str) -> float:
    """From square to the widest, then from the broadest portrait to the slimmest."""
    a, b = sides_of(ratio)
    return a / b if a >= b else 10 - a / b


SHAPES = _shapes(_wide_first)
