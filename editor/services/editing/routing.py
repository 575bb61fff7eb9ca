"""Select the engine for an edit, and plan and price the edit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from editor.engine.onnx import MODELS_FOLDER, used_for
from editor.engine.plan import Plan
from editor.imaging.memory import takes_turns
from editor.imaging.sandbox import EDIT, Sandbox
from editor.options import EditOptions, Region
from editor.providers.contract import Capabilities, Provider
from editor.providers.embedded import EmbeddedProvider
from editor.providers.engine_settings import EngineSettings
from editor.providers.profile import FAILURE_WORDS, SUCCESS_WORDS, Profile
from editor.services.core import rates
from editor.services.core.access import Actor
from editor.services.editing.fetching import outbound_rules
from editor.services.photos.photos import large_child_lock, limits, reach, worker_pool

ONE_RESULT = gettext_noop("This site's engine creates one result per edit. Choose 1 result.")
# Maximum number of plans a minute for each person in all workspaces together. While a person types, the page
# requests a plan every half second.
PLANS_PER_MINUTE = 120
REGIONS_NOT_SUPPORTED = gettext_noop(
    "This site's engine does not support boxes. Delete the boxes and describe the area in your prompt."
)


@dataclass(frozen=True)
class Quote:
    """The engine and price of a proposed edit, with its plan if the engine can plan."""

    provider: str
    base_url: str
    price: int
    plan: Plan | None
    models: tuple[str, ...] = ()  # names of the operator's models that the plan would use


class TooManyPlans(Exception):
    """Raised when a person requests too many plans in a minute; the next is allowed in `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(_("Too many plans were requested. Wait a moment, then try again."))
        self.seconds = seconds


@cache
def provider_named(key: str, base_url: str = "") -> Provider:
    """Return the provider with this key. It is cached, because it may hold a child process.

    `base_url` is the URL of another site. An edit keeps the URL that it was submitted with."""
    makers: dict[str, Callable[[], Provider]] = {
        "embedded": _embedded,
        "photo-editor": lambda: _photo_editor(base_url),
    }
    return makers[key]()


def current_provider() -> Provider:
    """Return the provider for new edits."""
    engine = current_engine()
    return provider_named(engine.provider, engine.base_url)


def current_engine() -> EngineSettings:
    """Return the engine for new edits: the first one that EDIT_PROVIDER lists."""
    first: EngineSettings = settings.ENGINES[0]
    return first


def capabilities() -> Capabilities:
    """Return the capabilities of the current engine."""
    return current_provider().capabilities()


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


def preload_engine() -> None:
    """Load the prompt parser, so that the first person who enters a prompt does not wait for it."""
    if capabilities().plans:
        from editor.engine.language.explain import explain

        explain("brighter")


def quote(actor: Actor, *, prompt: str, options: EditOptions, photos: int) -> Quote:
    """Plan and price an edit. Decodes nothing and charges nothing. Raises TooManyPlans."""
    plan, engine = None, current_engine()
    if capabilities().plans:
        if prompt.strip():
            _count_plan(actor)
        from editor.engine.language.explain import (
            explain,
        )  # This import takes half a second, and only the web process needs it.

        plan = explain(prompt, photos=max(photos, 1), regions=options.regions, partial=options.partial)
    return Quote(
        provider=engine.provider,
        base_url=engine.base_url,
        price=actor.workspace.price,
        plan=plan,
        models=_models(plan) if plan else (),
    )


def _count_plan(actor: Actor) -> None:
    """Count a plan that a person requests. Programs have other limits, and staff act for many people."""
    if actor.key is None and actor.staff is None:
        rate = rates.count(f"plans:{actor.user.pk}", limit=PLANS_PER_MINUTE)
        if rate.is_over:
            raise TooManyPlans(rate.seconds)


def _models(plan: Plan) -> tuple[str, ...]:
    return tuple(model.name for model in used_for(plan.steps, settings.DATA_DIR / MODELS_FOLDER))


def _embedded() -> Provider:
    profile = EDIT.with_cpu_seconds(settings.EDIT_CPU_SECONDS_PER_RESULT)
    sandbox = Sandbox(profile, reach, large_child_lock if takes_turns() else None)
    return EmbeddedProvider(sandbox, limits(), settings.DATA_DIR / MODELS_FOLDER)


def _photo_editor(base_url: str) -> Provider:
    """Return the provider for this URL. The API key is only sent to the currently configured URL, so an edit
    that began at another URL is polled without it."""
    from editor.providers.photo_editor import PhotoEditorProvider  # This import also loads httpx.

    engine = settings_of("photo-editor", base_url)
    options = engine.options
    profile = Profile(
        rules=outbound_rules(),
        succeeded=_words("SUCCESS", options.get("success_words", SUCCESS_WORDS)),
        failed=_words("FAILED", options.get("failure_words", FAILURE_WORDS)),
        retries_busy=options.get("retry_busy", True),
        loose_success=options.get("loose_success", False),
        extensions=options.get("is_darkroom", False),
        lends=bool(settings.PUBLIC_URL),
        outputs=limits().outputs,
        photo_bytes=limits().photo_bytes,
        result_bytes=settings.MAX_RESULT_MEGABYTES * 1024 * 1024,
    )
    return PhotoEditorProvider(base_url, engine.api_key, profile, worker_pool)


def settings_of(provider: str, base_url: str) -> EngineSettings:
    """Return the configuration of the engine at this URL. A URL that is not configured gets no key."""
    same = [engine for engine in settings.ENGINES if engine.provider == provider]
    there = next((engine for engine in same if engine.base_url == base_url), None)
    former = same[0] if same else EngineSettings(provider, provider, in_flight=settings.UPSTREAM_IN_FLIGHT)
    return there or replace(former, base_url=base_url, api_key="")


def _words(documented: str, others: Sequence[str]) -> frozenset[str]:
    return frozenset({documented, *(word.upper() for word in others)})
