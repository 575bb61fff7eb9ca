"""Context that all edit forms share: their choices, the plan box, and the element that shows each error
message."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from editor.engine.plan import Plan
from editor.forms import EditForm
from editor.models import DraftPhoto
from editor.models.wording import TranslatedText, translate_text
from editor.options import ASPECT_RATIOS, OUTPUT_FORMATS, EditOptions, sides_of
from editor.pages.photos.tray import Tray
from editor.services.core.access import Actor
from editor.services.core.disk_space import DiskFull
from editor.services.editing import engines, previews, routing, submit
from editor.services.library import history, recipes
from editor.services.photos import interactive, photos, selections

_PLACES = dict.fromkeys(("aspect_ratio", "output_format", "outputs"), "choices")


@dataclass(frozen=True)
class Shape:
    """An aspect ratio in the menu and the size of its icon, within a frame of 36 x 30 units."""

    value: str
    name: str | Promise
    width: float
    height: float

    @property
    def x(self) -> float:
        return round((36 - self.width) / 2, 2)

    @property
    def y(self) -> float:
        return round((30 - self.height) / 2, 2)


@dataclass(frozen=True)
class PlanLine:
    """A step of the plan as shown on the page, with the numbers of the boxes to which it applies."""

    text: str
    boxes: tuple[int, ...]


def form_context(
    actor: Actor, form: EditForm, tray: Tray, *, submit_id: uuid.UUID | None = None
) -> dict[str, Any]:
    """Return the values that every template with a tray and an edit form needs. `form` must have been
    validated."""
    can = routing.capabilities()
    return {
        "actor": actor,
        "tray": tray,
        "form": form,
        "prompt": form.data.get("prompt", ""),
        "chosen": form.options,
        "submit_id": submit_id or uuid.uuid4(),
        "shapes": SHAPES,
        "formats": OUTPUT_FORMATS,
        "outputs": range(1, can.max_outputs + 1),
        "max_photos": tray.max_photos,
        "max_characters": settings.MAX_PROMPT_CHARACTERS,
        "max_bytes": photos.limits().photo_bytes,
        "can": can,
        "can_select": can.points and selections.is_available(),
        "usual": history.typical_seconds(actor.workspace),
    }


def plan_context(
    actor: Actor, form: EditForm, *, tray_size: int, drafts: Sequence[DraftPhoto] = ()
) -> dict[str, Any]:
    """Return what the plan box shows: the engine's plan for the prompt, if it is valid, and the price.

    With `drafts`, it also shows a preview of the plan on these photos.
    """
    prompt = form.prompt_text
    try:
        quote = quote_of(actor, form, tray_size=tray_size)
    except routing.TooManyPlans as error:
        return _price(actor, actor.workspace.price) | {"has_plans": True, "too_many_plans": error}
    preview = previews.preview_edit(actor, quote.plan, options=form.options, drafts=drafts if prompt else ())
    return _price(actor, quote.price) | {
        "preview": preview,
        "has_previews": interactive.is_available(),
        "plan": quote.plan if prompt else None,
        "lines": _lines(quote.plan, form.options) if prompt and quote.plan else (),
        "hints": _hints(quote.plan) if prompt and quote.plan else (),
        **(_overruled(quote.plan, form.options) if prompt and quote.plan else {}),
        "plan_models": quote.models if prompt else (),
        "has_plans": quote.plan is not None,
    }


def _price(actor: Actor, price: int) -> dict[str, int]:
    return {"price": price, "left_after": actor.workspace.free_credits - price}


def _lines(plan: Plan, options: EditOptions) -> list[PlanLine]:
    """Return the plan's steps with their boxes. A step that names no box applies to the boxes that no step
    names. If steps name every box, it applies to all boxes."""
    drawn = [number for number, region in enumerate(options.regions, 1) if region.image == 1]
    named = {box for step in plan.steps for target in step.targets for box in target.boxes}
    free = tuple(box for box in drawn if box not in named) or tuple(drawn)
    lines = []
    for step in plan.steps:
        own = {box for target in step.targets for box in target.boxes}
        goes_by_free = any(target.what in ("region", "subject", "background") for target in step.targets)
        shown = tuple(sorted(own & set(drawn))) if own else free if goes_by_free else ()
        lines.append(PlanLine(step.says, shown))
    return lines


def _hints(plan: Plan) -> list[TranslatedText]:
    """Return what helps with each refused part, translated if possible."""
    return [translate_text(hint) for hint in dict.fromkeys(one.hint for one in plan.not_understood) if hint]


def _overruled(plan: Plan, options: EditOptions) -> dict[str, Any]:
    """Return which choices have no effect or override the prompt.

    The aspect ratio chosen in the form is applied last, so it overrides the prompt. A file format named
    in the prompt overrides the chosen one.
    """
    ratio = options.aspect_ratio
    gives_way = [step.says for step in plan.shaping if ratio and step.values.get("ratio") != ratio]
    told = plan.file_format
    return {
        "shape_over": {"ratio": ratio, "says": gives_way} if gives_way else None,
        "format_over": told if told and told != options.output_format else "",
    }


def with_sentence(data: QueryDict) -> QueryDict:
    """Return the form data with the sentence that the person chose as the prompt, if any."""
    if not data.get("sentence"):
        return data
    changed = data.copy()
    changed["prompt"] = data.get("sentence", "")
    return changed


def sight_refusal(actor: Actor, form: EditForm, drafts: Sequence[DraftPhoto]) -> previews.Preview | None:
    """Return the preview of an edit that is impossible on these photos, or None if it may be submitted."""
    if not previews.has_sight():
        return None
    plan = quote_of(actor, form, tray_size=len(drafts)).plan
    return previews.sight_refusal(actor, plan, options=form.options, drafts=drafts)


def quote_of(actor: Actor, form: EditForm, *, tray_size: int) -> routing.Quote:
    return routing.quote(actor, prompt=form.prompt_text, options=form.options, photos=tray_size)


REFUSALS = (
    DiskFull,
    submit.DraftGone,
    submit.InstructionRefused,
    submit.InsufficientCredits,
    submit.InvalidSubmission,
    engines.NoEngine,
    submit.QueueFull,
    recipes.InvalidVariables,
    routing.TooManyPlans,
)


def refusal_context(error: Exception) -> dict[str, Any]:
    """Return the context for a page that reports one of the REFUSALS: the messages, and the HTTP status if it
    is not 422."""
    sentence = str(error)
    if isinstance(error, DiskFull):
        return {"queue_error": sentence, "status": 507}
    if isinstance(error, (submit.QueueFull, engines.NoEngine)):
        return {"queue_error": sentence}
    if isinstance(error, submit.InsufficientCredits):
        return {"credit_error": error}
    if isinstance(error, recipes.InvalidVariables):
        return {"wrong_variables": error.errors}
    if isinstance(error, submit.InvalidSubmission):
        return {"errors": {_PLACES.get(name, name): [said] for name, said in error.errors.items()}}
    if isinstance(error, routing.TooManyPlans):
        return {"errors": {"prompt": [sentence]}, "status": 429}
    return {"errors": {"prompt" if isinstance(error, submit.InstructionRefused) else "photos": [sentence]}}


def refusal_message(error: Exception) -> str:
    """Return the message of one of the REFUSALS, for a page that shows all messages in the same element."""
    return error.sentence if isinstance(error, submit.InsufficientCredits) else str(error)


def form_data(prompt: str, options: EditOptions) -> dict[str, Any]:
    """Return a request in the format in which the pages submit it.

    Regions and points on photos other than the first are left out: programs can mark them, but the pages only
    draw on photo 1.
    """
    return {
        "prompt": prompt,
        "aspect_ratio": options.aspect_ratio,
        "output_format": options.output_format,
        "outputs": options.outputs,
        "region": [region.as_json() for region in options.regions if region.image == 1],
        "point": [point.as_json() for point in options.points if point.image == 1],
    }


def errors_by_place(form: EditForm, tray: Tray) -> dict[str, list[str]]:
    """Return the form's error messages by the element in which they are shown. The error "no photos" is left
    out if all photos failed, because the tray already shows the reasons."""
    fields = {name: [str(error) for error in errors] for name, errors in form.errors.items()}
    about_count = [] if tray.errors and not tray.drafts else fields.pop(NON_FIELD_ERRORS, [])
    return fields | {
        "photos": [*tray.errors, *about_count],
        "choices": [sentence for name in _PLACES for sentence in fields.get(name, [])],
    }


def photo_errors(tray: Tray) -> dict[str, list[str]]:
    """Return only the errors about the photos, for a page that is shown again before the form is
    submitted."""
    return {"photos": tray.errors} if tray.errors else {}


def _shape(ratio: str) -> Shape:
    a, b = sides_of(ratio)
    scale = min((430 / (a * b)) ** 0.5, 33 / a, 25 / b)
    name = _("square") if a == b else _("landscape") if a > b else _("portrait")
    return Shape(ratio, name, round(a * scale, 2), round(b * scale, 2))


def _shapes(order: Callable[[str], float]) -> list[Shape]:
    auto = Shape("", _("as photo 1"), 26, 20)
    return [auto, *(_shape(ratio) for ratio in sorted(ASPECT_RATIOS, key=order))]


def _wide_first(ratio: str) -> float:
    """Return a sort key for aspect ratios. Square and wide ratios come first, from square to widest, followed
    by portrait ratios from broadest to narrowest."""
    a, b = sides_of(ratio)
    return a / b if a >= b else 10 - a / b


SHAPES = _shapes(_wide_first)
