"""Select the engine for an edit, and plan and price the edit."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from editor.engine.onnx import MODELS_FOLDER, used_for
from editor.engine.plan import Plan
from editor.models import Engine
from editor.options import EditOptions, Point, Region
from editor.providers.contract import Capabilities
from editor.services.core import rates
from editor.services.core.access import Actor
from editor.services.editing.engines import default_engine, provider_of

ONE_RESULT = gettext_noop("This site's engine creates one result per edit. Choose 1 result.")
# Maximum number of plans, and so of previews, a minute for each person in all workspaces together. While a
# person types, the page requests one every half second.
PLANS_PER_MINUTE = 120
REGIONS_NOT_SUPPORTED = gettext_noop(
    "This site's engine does not support boxes. Delete the boxes and describe the area in your prompt."
)

POINTS_NOT_SUPPORTED = gettext_noop(
    "This site's engine can't select by a click. Delete the points and describe the area in your prompt."
)
TOO_SMALL_FOR_POINTS = gettext_noop(
    "This site has too little memory to select by a click. Draw a box instead of a point."
)


@dataclass(frozen=True)
class Quote:
    """The engine and price of a proposed edit, with its plan if the engine can plan."""

    engine: Engine
    price: int
    plan: Plan | None
    models: tuple[str, ...] = ()  # names of the operator's models that the plan would use


class TooManyPlans(Exception):
    """Raised when a person requests too many plans in a minute; the next plan is allowed after `seconds`
    seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(_("Too many plans were requested. Wait a moment, then try again."))
        self.seconds = seconds


def capabilities() -> Capabilities:
    """Return the capabilities of the engine for new edits."""
    return provider_of(default_engine()).capabilities()


def photos_error(photos: int) -> str:
    """Return why the engine cannot take this number of photos, or an empty text if it can."""
    most = capabilities().max_photos
    too_many = ngettext(
        "This site's engine takes %(most)s photo.", "This site's engine takes at most %(most)s photos.", most
    )
    return too_many % {"most": most} if photos > most else ""


def outputs_error(outputs: int) -> str:
    """Return why the engine cannot create this number of results, or an empty text if it can."""
    if outputs < 1:
        return _("Choose at least 1 result.")
    most = capabilities().max_outputs
    if outputs <= most:
        return ""
    return _("Choose at most %(most)s results.") % {"most": most} if most > 1 else _(ONE_RESULT)


def regions_error(regions: Sequence[Region]) -> str:
    """Return why the engine cannot use these boxes, or an empty text if it can."""
    return _(REGIONS_NOT_SUPPORTED) if regions and not capabilities().regions else ""


def points_error(points: Sequence[Point]) -> str:
    """Return why the engine cannot use these points, or an empty text if it can."""
    if not points or capabilities().points:
        return ""
    return _(TOO_SMALL_FOR_POINTS if capabilities().plans else POINTS_NOT_SUPPORTED)


def preload_engine() -> None:
    """Load the prompt parser, so that the first person who enters a prompt does not wait for it."""
    if any(engine.runs_here for engine in settings.ENGINES):
        from editor.engine.language.explain import explain

        explain("brighter")


def quote(actor: Actor, *, prompt: str, options: EditOptions, photos: int) -> Quote:
    """Plan and price an edit. Decodes nothing and charges nothing. Raises TooManyPlans."""
    plan, engine = None, default_engine()
    if provider_of(engine).capabilities().plans:
        if prompt.strip():
            _count_plan(actor)
        from editor.engine.language.explain import (
            explain,
        )  # This import takes half a second, and only the web process needs it.

        plan = explain(
            prompt,
            photos=max(photos, 1),
            regions=options.regions,
            points=options.points,
            partial=options.partial,
        )
    return Quote(
        engine=engine,
        price=engine.price_for(actor.workspace.plan),
        plan=plan,
        models=_models(plan) if plan else (),
    )


def _count_plan(actor: Actor) -> None:
    """Count a plan that a person requests. Programs have other limits, and staff are not limited, because
    they act for many people."""
    if actor.key is None and actor.staff is None:
        rate = rates.count_in_memory(f"plans:{actor.user.pk}", limit=PLANS_PER_MINUTE)
        if rate.is_over:
            raise TooManyPlans(rate.seconds)


def _models(plan: Plan) -> tuple[str, ...]:
    return tuple(model.name for model in used_for(plan.steps, settings.DATA_DIR / MODELS_FOLDER))
