"""Where an edit goes: the engines that can carry it out, the one that does, its plan, and its price."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from editor.engine.keeping import Area
from editor.engine.onnx import MODELS_FOLDER, used_for
from editor.engine.plan import Plan
from editor.models import Engine, Workspace
from editor.options import EditOptions, Point, Region
from editor.providers.contract import Capabilities
from editor.services.core import rates
from editor.services.core.access import Actor
from editor.services.editing import keeping
from editor.services.editing.engines import (
    EngineNotAllowed,
    available_in,
    default_engine,
    find_available,
    provider_of,
)
from editor.services.photos import selections

AUTOMATIC = "auto"  # the value of EDIT_ROUTING
ONE_RESULT = gettext_noop("This engine creates one result per edit. Choose 1 result.")
# Maximum number of plans, and so of previews, a minute for each person in all workspaces together. While a
# person types, the page requests one every half second.
PLANS_PER_MINUTE = 120
REGIONS_NOT_SUPPORTED = gettext_noop(
    "This engine does not support boxes. Delete the boxes and describe the area in your prompt."
)

POINTS_NOT_SUPPORTED = gettext_noop(
    "This engine can't select by a click. Delete the points and describe the area in your prompt."
)
TOO_SMALL_FOR_POINTS = gettext_noop(
    "This site has too little memory to select by a click. Draw a box instead of a point."
)


@dataclass(frozen=True)
class Quote:
    """The engine and price of a proposed edit, with its plan if the engine can plan.

    If the engine was chosen automatically because the embedded engine refuses the prompt, `refused` is the
    plan of the embedded engine. `other` is an engine that could do what the plan refuses.
    """

    engine: Engine
    price: int
    plan: Plan | None
    models: tuple[str, ...] = ()  # names of the operator's models that the plan would use
    refused: Plan | None = None
    other: Engine | None = None
    area: Area | None = None  # the area outside which the photo can be put back; see `keeping`


class TooManyPlans(Exception):
    """Raised when a person requests too many plans in a minute.

    The next plan is allowed after `seconds` seconds.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(_("Too many plans were requested. Wait a moment, then try again."))
        self.seconds = seconds


class UnknownEngine(Exception):
    """Raised when the site has no engine with the requested name."""

    def __init__(self, names: Sequence[str]) -> None:
        sentence = _("There is no engine with this name. Choose one of %(names)s.")
        super().__init__(sentence % {"names": ", ".join(names)})


class EngineOff(Exception):
    """Raised when the requested engine takes no new edits."""

    def __init__(self, engine: Engine) -> None:
        sentence = _("The engine %(name)s is off at the moment. Choose another engine, or try again later.")
        super().__init__(sentence % {"name": engine.name})


def find_engine(workspace: Workspace, name: str) -> Engine:
    """Return the engine with this name. Raises EngineOff, EngineNotAllowed, and UnknownEngine."""
    if chosen := find_available(workspace, name):
        return chosen
    available = available_in(workspace)
    # A name that no database can store is compared here.
    if other := next((engine for engine in Engine.objects.configured() if engine.name == name), None):
        is_excluded = other.is_on and not workspace.allows(other)
        raise EngineNotAllowed(other if available else None) if is_excluded else EngineOff(other)
    raise UnknownEngine([engine.name for engine in available])


def is_automatic() -> bool:
    """Check whether the site chooses the engine for each edit that does not name one."""
    return bool(settings.EDIT_ROUTING == AUTOMATIC)


def capabilities(engine: Engine | None = None) -> Capabilities:
    """Return the capabilities of an engine, or of the default engine."""
    return provider_of(engine or default_engine()).capabilities()


def capabilities_in(workspace: Workspace, name: str = "") -> Capabilities:
    """Return what an edit in this workspace may use with the engine of this name.

    Without a name, these are the capabilities of the default engine or, if the site chooses the engine, of
    all engines together. A name that is not available counts as no name.
    """
    named = find_available(workspace, name)
    if named is None and is_automatic():
        return all_capabilities_in(workspace)
    return capabilities(named or default_engine(workspace))


def all_capabilities_in(workspace: Workspace) -> Capabilities:
    """Return capabilities that include those of all engines that are available in this workspace."""
    all_can = [capabilities(engine) for engine in available_in(workspace) or [default_engine(workspace)]]
    most = {one.name: max(getattr(can, one.name) for can in all_can) for one in fields(Capabilities)}
    return Capabilities(**most)


def can_select(can: Capabilities) -> bool:
    """Check whether people can select things in photo 1 by a click, with an engine that can do this."""
    return can.points and selections.is_available()


def misfits(can: Capabilities, options: EditOptions, photos: int) -> list[str]:
    """Return a message for each part of the request that an engine with these capabilities cannot handle."""
    sentences = (
        photos_error(photos, can),
        outputs_error(options.outputs, can),
        regions_error(options.regions, can),
        points_error(options.points, can),
    )
    return [sentence for sentence in sentences if sentence]


def fits(engine: Engine, options: EditOptions, photos: int) -> bool:
    """Check whether an engine takes an edit with these options and this number of photos."""
    return not misfits(capabilities(engine), options, photos)


def first_fitting_engine(
    workspace: Workspace, options: EditOptions, photos: int, *, refused_by: Engine | None = None
) -> Engine | None:
    """Return the first engine that may do what the embedded engine, or another one, has refused, or None if
    there is none."""
    others = [engine for engine in available_in(workspace) if engine != refused_by]
    return next((one for one in others if not capabilities(one).plans and fits(one, options, photos)), None)


def photos_error(photos: int, can: Capabilities) -> str:
    """Return why an engine cannot take this number of photos, or an empty string if it can."""
    most = can.max_photos
    too_many = ngettext(
        "This engine takes %(most)s photo.", "This engine takes at most %(most)s photos.", most
    )
    return too_many % {"most": most} if photos > most else ""


def outputs_error(outputs: int, can: Capabilities) -> str:
    """Return why an engine cannot create this number of results, or an empty string if it can."""
    if outputs < 1:
        return _("Choose at least 1 result.")
    most = can.max_outputs
    if outputs <= most:
        return ""
    return _("Choose at most %(most)s results.") % {"most": most} if most > 1 else _(ONE_RESULT)


def regions_error(regions: Sequence[Region], can: Capabilities) -> str:
    """Return why an engine cannot use these boxes, or an empty string if it can."""
    return _(REGIONS_NOT_SUPPORTED) if regions and not can.regions else ""


def points_error(points: Sequence[Point], can: Capabilities) -> str:
    """Return why an engine cannot use these points, or an empty string if it can."""
    if not points or can.points:
        return ""
    return _(TOO_SMALL_FOR_POINTS if can.plans else POINTS_NOT_SUPPORTED)


def preload_engine() -> None:
    """Load the prompt parser, so that the first person who enters a prompt need not wait for it."""
    if any(engine.runs_here for engine in settings.ENGINES):
        from editor.engine.language.explain import explain

        explain("brighter")


def quote(actor: Actor, *, prompt: str, options: EditOptions, photos: int, engine: str = "") -> Quote:
    """Choose the engine of an edit, plan the edit, and price it. Decodes nothing and charges nothing.

    `engine` is the name of the requested engine, if any. Raises TooManyPlans, EngineOff, EngineNotAllowed,
    and UnknownEngine.
    """
    offer = _routed_quote(actor, prompt, options, photos, engine)
    can = capabilities(offer.engine)
    is_read_now = can.puts_back and offer.refused is None
    if is_read_now and prompt.strip():
        _count_plan(actor)
    return replace(offer, area=keeping.area_for(prompt, options, photos, can))


def _routed_quote(actor: Actor, prompt: str, options: EditOptions, photos: int, engine: str) -> Quote:
    workspace = actor.workspace
    if engine:
        return _quote_with(find_engine(workspace, engine), actor, prompt, options, photos)
    if not is_automatic():
        return _quote_with(default_engine(workspace), actor, prompt, options, photos)
    return _automatic_quote(actor, prompt, options, photos)


def _automatic_quote(actor: Actor, prompt: str, options: EditOptions, photos: int) -> Quote:
    """Quote the embedded engine if it accepts the whole prompt, and otherwise the first other engine that
    fits. If none fits, quote the embedded engine, whose refusal says what to change."""
    available = available_in(actor.workspace)
    own = next((engine for engine in available if capabilities(engine).plans), None)
    other = first_fitting_engine(actor.workspace, options, photos)
    if own is None:
        return _quote_with(other or default_engine(actor.workspace), actor, prompt, options, photos)
    offer = _quote_with(own, actor, prompt, options, photos)
    is_accepted = offer.plan is not None and (offer.plan.accepted or not prompt.strip())
    if other is None or (is_accepted and fits(own, options, photos)):
        return offer
    return Quote(other, _price(other, actor), plan=None, refused=None if is_accepted else offer.plan)


def _quote_with(engine: Engine, actor: Actor, prompt: str, options: EditOptions, photos: int) -> Quote:
    price = _price(engine, actor)
    if not capabilities(engine).plans:
        return Quote(engine, price, plan=None)
    if prompt.strip():
        _count_plan(actor)
    # Imported here because the import takes half a second and only the web process needs it.
    from editor.engine.language.explain import explain

    plan = explain(
        prompt,
        photos=max(photos, 1),
        regions=options.regions,
        points=options.points,
        partial=options.partial,
    )
    is_refused = bool(plan.not_understood)
    other = first_fitting_engine(actor.workspace, options, photos) if is_refused else None
    return Quote(engine, price, plan, _models(plan), other=other)


def _price(engine: Engine, actor: Actor) -> int:
    return engine.price_for(actor.workspace.plan)


def _count_plan(actor: Actor) -> None:
    """Count a plan requested by a person.

    Programs have other limits. Staff are not limited, because they act for many people.
    """
    if actor.key is None and actor.staff is None:
        rate = rates.count_in_memory(f"plans:{actor.user.pk}", limit=PLANS_PER_MINUTE)
        if rate.is_over:
            raise TooManyPlans(rate.seconds)


def _models(plan: Plan) -> tuple[str, ...]:
    return tuple(model.name for model in used_for(plan.steps, settings.DATA_DIR / MODELS_FOLDER))
