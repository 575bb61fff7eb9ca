"""The context that all edit forms share.

It contains the choices, the plan box, and the element that shows each error message.
"""

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.http import QueryDict
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from editor.engine.plan import Plan, Way, WayKind
from editor.forms import EditForm, parse_variables, submitted_variables
from editor.models import DraftPhoto, Engine, RecipeVersion
from editor.models.photos import Photo
from editor.models.wording import TranslatedText, translate_text
from editor.options import (
    ASPECT_RATIOS,
    KEEP_EVERYTHING_ELSE,
    MAX_BATCH_PHOTOS,
    MAX_PHOTOS,
    OUTPUT_FORMATS,
    EditOptions,
    sides_of,
)
from editor.pages.photos.tray import Tray
from editor.providers.contract import Capabilities
from editor.services.core.access import Actor
from editor.services.core.disk_space import DiskFull
from editor.services.editing import engines, keeping, previews, quotes, routing, submit
from editor.services.editing.refusals import MARKS, may_select, ways_to_continue
from editor.services.editing.step_texts import step_text
from editor.services.library import history, recipes
from editor.services.photos import interactive
from editor.services.photos.photos import limits

_PLACES = dict.fromkeys(("aspect_ratio", "output_format", "outputs", KEEP_EVERYTHING_ELSE), "choices")


@dataclass(frozen=True)
class Shape:
    """An aspect ratio in the menu, along with the size of its icon within a frame of 36 x 30 units."""

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
    """A step of the plan as the page shows it, along with the numbers of the boxes to which it applies."""

    text: TranslatedText
    boxes: tuple[int, ...]


@dataclass(frozen=True)
class EngineOption:
    """An engine that a person can choose.

    It has its price, the balance after an edit in this workspace, and `usual`, the usual time in seconds, if
    it is known.
    """

    engine: Engine
    price: int
    left_after: int
    usual: float | None
    is_chosen: bool

    @property
    def can(self) -> Capabilities:
        return routing.capabilities(self.engine)


@dataclass(frozen=True)
class EngineChoice:
    """The engines that a person can choose.

    `leaves_open` is set if the choice can be left to the site, and `is_open` if it is. `is_automatic` is set
    if the site then chooses by the prompt.
    """

    options: Sequence[EngineOption]
    leaves_open: bool
    is_open: bool
    is_automatic: bool


def form_context(
    actor: Actor, form: EditForm, tray: Tray, *, submit_id: uuid.UUID | None = None
) -> dict[str, Any]:
    """Return the values that every template with a tray and an edit form needs. `form` must have been
    validated."""
    chosen_can = routing.capabilities_in(actor.workspace, form.engine_name)
    can = routing.all_capabilities_in(actor.workspace)
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
        "choice": engine_choice(actor, form.engine_name),
        "no_engine": engines.error_in(actor.workspace),
        "most_outputs": chosen_can.max_outputs,
        **_tray_limits(tray, can),
        "max_batch_photos": MAX_BATCH_PHOTOS,
        "max_bytes": limits().photo_bytes,
        "can": can,
        "chosen_can": chosen_can,
        "can_select": routing.can_select(can),
    }


def _tray_limits(tray: Tray, can: Capabilities) -> dict[str, Any]:
    """Return how many photos the tray takes and, if that is due to the engine, the message about more."""
    is_for_one_edit = tray.kind == DraftPhoto.Tray.EDITOR and tray.max_photos <= MAX_PHOTOS
    if not is_for_one_edit or tray.max_photos <= can.max_photos:
        return {"max_photos": tray.max_photos}
    return {
        "max_photos": can.max_photos,
        "too_many_photos": routing.photos_error(can.max_photos + 1, can),
    }


def _engine_of(actor: Actor, form: EditForm) -> Engine:
    """Return the engine that the form names, or else the default engine."""
    named = engines.find_available(actor.workspace, form.engine_name)
    return named or engines.default_engine(actor.workspace)


def plan_context(
    actor: Actor,
    form: EditForm,
    *,
    tray_size: int,
    drafts: Sequence[DraftPhoto] = (),
    shown: Sequence[Photo] = (),
    preview: previews.Preview | None = None,
    patience: float | None = None,
    without: Collection[WayKind] = (),
) -> dict[str, Any]:
    """Return what the plan box shows: the cost and, if the prompt is valid, the engine's plan for it.

    With `shown`, it also shows a preview of the plan on these photos, made now unless `preview` is given, and
    waited for at most `patience` seconds. The quote is for an edit of `drafts`. `without` are the kinds of
    ways to continue that do not fit on the page.
    """
    prompt = form.prompt_text
    try:
        quote = quote_of(actor, form, tray_size=tray_size)
    except routing.TooManyPlans as error:
        found = {"has_plans": True, "too_many_plans": error, "quote": form.data.get("quote", "")}
        return _cost(actor, _engine_of(actor, form)) | found
    preview = preview or _preview(actor, quote, form, shown if prompt else (), patience)
    other = _other_engine(actor, quote, form, preview)
    return _cost(actor, quote.engine) | {
        "preview": preview,
        "ways": _ways(quote, form, preview, other, without) if prompt and quote.plan else (),
        "previewed": shown[0] if shown else None,
        "has_previews": interactive.is_available(),
        "can_select": routing.can_select(routing.capabilities(quote.engine)),
        "prompt_errors": form.errors.get("prompt", ()) if form.data.get("prompt", "").strip() else (),
        "plan": quote.plan if prompt else None,
        "lines": _lines(quote.plan, form.options) if prompt and quote.plan else (),
        "ignores_photos": len(drafts) > 1 and quote.plan is not None and not quote.plan.uses_other_photos,
        "hints": _hints(quote.plan) if prompt and quote.plan else (),
        "asks_for_mark": _asks_for_mark(quote.plan) if prompt and quote.plan else False,
        **(_overruled(quote.plan, form.options) if prompt and quote.plan else {}),
        "plan_models": quote.models if prompt else (),
        "has_plans": quote.plan is not None,
        **_engine_context(actor, quote, form, drafts),
        "other": other,
        "other_price": other.price_for(actor.workspace.plan) if other else 0,
        "area": quote.area,
        "is_kept": quote.area is not None and keeping.is_on(quote.area, form.options),
    }


def _asks_for_mark(plan: Plan) -> bool:
    """Return whether a refused part could be carried out if something were marked in the photo."""
    return any(way.kind in MARKS for refusal in plan.not_understood for way in refusal.ways)


def recipe_plan_context(
    actor: Actor,
    version: RecipeVersion,
    data: Mapping[str, Any],
    *,
    count: int,
    drafts: Sequence[DraftPhoto] = (),
    has_preview: bool = True,
    patience: float | None = None,
) -> dict[str, Any]:
    """Return what the plan box shows for a recipe, with the submitted engine and values of its variables.

    `count` is the number of photos on which it is run. With `has_preview`, it also shows a preview on
    `drafts`, for which it waits at most `patience` seconds.
    """
    recipe_photos = list(version.photos.all())
    needs = ""
    try:
        form = recipe_form(actor, version, data, photos=count + len(recipe_photos))
    except recipes.InvalidVariables as error:
        needs = str(error)
        form = _form_of_recipe(actor, version, "", data, photos=count + len(recipe_photos))
    shown = [*drafts, *recipe_photos] if drafts and has_preview else ()
    # The prompt and the photos of a recipe stay as they are.
    without = [kind for kind in WayKind if kind is not WayKind.ENGINE]
    context = plan_context(
        actor,
        form,
        tray_size=form.photos,
        drafts=drafts,
        shown=shown,
        patience=patience,
        without=without,
    )
    # The editor has no place for the photos that a recipe brings.
    written = "" if recipe_photos else recipes.as_written(form.prompt_text)
    return context | {"needs": needs, "filled_prompt": written}


def recipe_form(actor: Actor, version: RecipeVersion, data: Mapping[str, Any], *, photos: int) -> EditForm:
    """Return the validated form of an edit with a recipe and the submitted values of its variables.

    Raises recipes.InvalidVariables.
    """
    prompt = recipes.fill_variables(version, parse_variables(submitted_variables(data)))
    return _form_of_recipe(actor, version, prompt, data, photos=photos)


def _form_of_recipe(
    actor: Actor, version: RecipeVersion, prompt: str, data: Mapping[str, Any], *, photos: int
) -> EditForm:
    values = form_data(prompt, version.options) | {"engine": engine_for_recipe(actor, version, data)}
    form = edit_form(actor, values, photos=photos)
    form.is_valid()
    return form


def engine_for_recipe(actor: Actor, version: RecipeVersion, data: Mapping[str, Any]) -> str:
    """Return the name of the engine that the person chose, or else that of the recipe while it is on.

    The editor has a choice, too, but it was made before the recipe was chosen.
    """
    own, chosen = recipes.engine_for(actor, version), data.get("other") or data.get("engine")
    return own if chosen is None or (own and is_from_editor(data)) else str(chosen)


def is_from_editor(data: Mapping[str, Any]) -> bool:
    """Check whether a request for a recipe was sent by the editor, which has a prompt of its own."""
    return "prompt" in data


def _preview(
    actor: Actor, quote: routing.Quote, form: EditForm, shown: Sequence[Photo], patience: float | None
) -> previews.Preview:
    if quote.area is not None:
        return previews.preview_area(actor, quote.area.plan, photos=shown, patience=patience)
    return previews.preview_edit(actor, quote.plan, options=form.options, photos=shown, patience=patience)


def _other_engine(
    actor: Actor, quote: routing.Quote, form: EditForm, preview: previews.Preview
) -> Engine | None:
    """Return the engine that may do what the plan or the photo refuses, or None if there is none."""
    if quote.other is not None or not preview.message:
        return quote.other
    return routing.first_fitting_engine(actor.workspace, form.options, form.photos, refused_by=quote.engine)


def _ways(
    quote: routing.Quote,
    form: EditForm,
    preview: previews.Preview,
    other: Engine | None,
    without: Collection[WayKind],
) -> tuple[Way, ...]:
    """Return the ways to continue after what the plan and the photo refuse, best first."""
    plan, others = quote.plan, []
    assert plan is not None
    if plan.steps and not preview.is_refused and (not plan.accepted or preview.is_partly_refused):
        others.append(Way(WayKind.REST, plan.instruction))
    if other is not None:
        others.append(Way(WayKind.ENGINE, plan.instruction, engine=other.name))
    return ways_to_continue(
        [*plan.not_understood, *preview.refusals],
        can_select=may_select(quote.engine, form.options),
        others=others,
        without=without,
    )


def _engine_context(
    actor: Actor, quote: routing.Quote, form: EditForm, drafts: Sequence[DraftPhoto]
) -> dict[str, Any]:
    """Return what the plan box says about the engine, with the signed quote."""
    request = quotes.digest_of_request(form.prompt_text, form.options, drafts, form.engine_name)
    has_choice = len(engines.available_in(actor.workspace)) > 1
    return {
        "engine": quote.engine,
        "has_choice": has_choice,
        "names_engine": has_choice and not form.engine_name and bool(form.prompt_text),
        "misfits": _misfits(form, quote.engine) if has_choice else [],
        "is_switched": quote.refused is not None,
        "quote": quotes.sign_quote(actor, quote, request=request),
    }


def _misfits(form: EditForm, engine: Engine) -> list[str]:
    """Return what the chosen engine cannot take, which the form removes from its values."""
    too_many = routing.photos_error(form.photos, routing.capabilities(engine))
    errors = [str(one) for name in ("outputs", "region", "point") for one in form.errors.get(name, ())]
    return [too_many, *errors] if too_many else errors


def _cost(actor: Actor, engine: Engine) -> dict[str, Any]:
    """Return what an edit with this engine costs: its price, the balance after it, and its usual time.

    The usual time is looked up only if it is shown, because plans are requested while a person types.
    """
    price = engine.price_for(actor.workspace.plan)
    return {
        "price": price,
        "left_after": actor.workspace.free_credits - price,
        "usual": SimpleLazyObject(lambda: history.typical_seconds(actor.workspace, engine)),
    }


def _lines(plan: Plan, options: EditOptions) -> list[PlanLine]:
    """Return the plan's steps, along with their boxes.

    A step that names no box applies to the boxes that no step names, or to all boxes if there are no such
    boxes.
    """
    drawn = [number for number, region in enumerate(options.regions, 1) if region.image == 1]
    named = {box for step in plan.steps for target in step.targets for box in target.boxes}
    free = tuple(box for box in drawn if box not in named) or tuple(drawn)
    lines = []
    for step in plan.steps:
        own = {box for target in step.targets for box in target.boxes}
        goes_by_free = any(target.what in ("region", "subject", "background") for target in step.targets)
        shown = tuple(sorted(own & set(drawn))) if own else free if goes_by_free else ()
        lines.append(PlanLine(step_text(step), shown))
    return lines


def _hints(plan: Plan) -> list[TranslatedText]:
    """Return the hints for the refused parts of the prompt, translated if possible."""
    return [translate_text(hint) for hint in dict.fromkeys(one.hint for one in plan.not_understood) if hint]


def _overruled(plan: Plan, options: EditOptions) -> dict[str, Any]:
    """Return the choices in the form that have no effect or that override the prompt.

    The aspect ratio chosen in the form is applied last, so it overrides the prompt. If the prompt names a
    file format, it overrides the format chosen in the form.
    """
    ratio = options.aspect_ratio
    gives_way = [step_text(step) for step in plan.shaping if ratio and step.values.get("ratio") != ratio]
    named_format = plan.file_format
    return {
        "shape_over": {"ratio": ratio, "says": gives_way} if gives_way else None,
        "format_over": named_format if named_format and named_format != options.output_format else "",
    }


def with_sentence(data: QueryDict) -> QueryDict:
    """Return the form data. If the person chose a suggested sentence, use it as the prompt."""
    if not data.get("sentence"):
        return data
    changed = data.copy()
    changed["prompt"] = data.get("sentence", "")
    return changed


def precheck(
    actor: Actor, form: EditForm, photos: Sequence[Photo]
) -> tuple[routing.Quote | None, previews.Preview | None]:
    """Return the quote for an edit, if the check needs one, and the preview of an edit that is impossible on
    these photos, or None if it may be submitted."""
    if not previews.can_precheck():
        return None, None
    offer = quote_of(actor, form, tray_size=len(photos))
    return offer, previews.precheck_refusal(actor, offer.plan, options=form.options, photos=photos)


def quote_of(actor: Actor, form: EditForm, *, tray_size: int) -> routing.Quote:
    """Return the quote for a form. A name of an engine that is not available counts as no name."""
    named = engines.find_available(actor.workspace, form.engine_name)
    return routing.quote(
        actor,
        prompt=form.prompt_text,
        options=form.options,
        photos=tray_size,
        engine=named.name if named else "",
    )


def edit_form(actor: Actor, data: Mapping[str, Any], *, photos: int) -> EditForm:
    """Return the form for an edit in the actor's workspace, with the capabilities of its engine."""
    can = routing.capabilities_in(actor.workspace, str(data.get("engine", "")))
    return EditForm(data, photos=photos, can=can)


def with_other_engine(data: QueryDict) -> QueryDict:
    """Return the form data with the engine that the person chose after a refusal, if any."""
    if not data.get("other"):
        return data
    changed = data.copy()
    changed["engine"] = data.get("other", "")
    return changed


def engine_choice(actor: Actor, name: str, *, has_default: bool = False) -> EngineChoice | None:
    """Return the engines from which a person can choose, or None if there is only one.

    With `has_default`, the choice can also be left to the site if it does not choose automatically.
    """
    available = engines.available_in(actor.workspace)
    if len(available) < 2:
        return None
    named = engines.find_available(actor.workspace, name)
    leaves_open = has_default or routing.is_automatic()
    chosen = named or (None if leaves_open else engines.default_engine(actor.workspace))
    options = [_option(actor, engine, is_chosen=engine == chosen) for engine in available]
    return EngineChoice(options, leaves_open, is_open=chosen is None, is_automatic=routing.is_automatic())


def _option(actor: Actor, engine: Engine, *, is_chosen: bool) -> EngineOption:
    return EngineOption(engine, is_chosen=is_chosen, **_cost(actor, engine))


REFUSALS = (
    DiskFull,
    submit.DraftGone,
    submit.PromptRefused,
    submit.InsufficientCredits,
    submit.InvalidSubmission,
    engines.NoEngine,
    routing.EngineOff,
    routing.UnknownEngine,
    quotes.QuoteChanged,
    engines.EngineNotAllowed,
    submit.QueueFull,
    recipes.InvalidVariables,
    routing.TooManyPlans,
)
_ABOUT_ENGINES = (routing.EngineOff, routing.UnknownEngine, quotes.QuoteChanged)


def refusal_context(error: Exception) -> dict[str, Any]:
    """Return the context for a page that reports one of the REFUSALS.

    The context contains the messages, and the HTTP status unless it is 422.
    """
    sentence = str(error)
    if isinstance(error, DiskFull):
        return {"queue_error": sentence, "status": 507}
    if isinstance(error, engines.EngineNotAllowed):
        return {"queue_error": sentence, "status": 403}
    if isinstance(error, (submit.QueueFull, engines.NoEngine, *_ABOUT_ENGINES)):
        return {"queue_error": sentence}
    if isinstance(error, submit.InsufficientCredits):
        return {"credit_error": error}
    if isinstance(error, recipes.InvalidVariables):
        return {"variable_errors": error.errors}
    if isinstance(error, submit.InvalidSubmission):
        return {"errors": {_PLACES.get(name, name): [message] for name, message in error.errors.items()}}
    if isinstance(error, routing.TooManyPlans):
        return {"errors": {"prompt": [sentence]}, "status": 429}
    return {"errors": {"prompt" if isinstance(error, submit.PromptRefused) else "photos": [sentence]}}


def refusal_message(error: Exception) -> str:
    """Return the message of one of the REFUSALS, for a page that shows all messages in the same element."""
    return error.sentence if isinstance(error, submit.InsufficientCredits) else str(error)


def form_data(prompt: str, options: EditOptions) -> dict[str, Any]:
    """Return a request in the format that the pages submit.

    Regions and points on photos other than the first are left out, because the pages only draw on photo 1.
    API clients can mark the other photos, too.
    """
    kept = options.keep_everything_else
    decision = {} if kept is None else {KEEP_EVERYTHING_ELSE: kept}
    return decision | {
        "prompt": prompt,
        "aspect_ratio": options.aspect_ratio,
        "output_format": options.output_format,
        "outputs": options.outputs,
        "region": [region.as_json() for region in options.regions if region.image == 1],
        "point": [point.as_json() for point in options.points if point.image == 1],
    }


def marks_in_percent(options: EditOptions) -> dict[str, list[dict[str, str]]]:
    """Return the boxes and the clicks on photo 1, in percent of its width and height."""
    boxes = [region.as_json() for region in options.regions if region.image == 1]
    clicks = [point.as_json() for point in options.points if point.image == 1]
    return {
        "boxes": [{side: f"{100 * box[side]:.2f}" for side in "xywh"} for box in boxes],
        "clicks": [{side: f"{100 * click[side]:.2f}" for side in "xy"} for click in clicks],
    }


def errors_by_place(form: EditForm, tray: Tray) -> dict[str, list[str]]:
    """Return the form's error messages, by the element that shows them.

    If all photos failed, the error "no photos" is left out, because the tray already shows the reasons.
    """
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
    """Return a sort key for aspect ratios.

    Square and wide ratios come first, from square to widest. Portrait ratios follow, from widest to
    narrowest.
    """
    a, b = sides_of(ratio)
    return a / b if a >= b else 10 - a / b


SHAPES = _shapes(_wide_first)
