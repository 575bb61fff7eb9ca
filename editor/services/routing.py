"""Which engine does an edit, what it can, and what the edit costs."""

from dataclasses import dataclass
from functools import cache

from django.conf import settings

from editor.engine.language.explain import explain
from editor.engine.plan import Plan
from editor.imaging.sandbox import EDIT, Sandbox
from editor.models import Workspace
from editor.options import EditOptions
from editor.providers.contract import Capabilities, Provider
from editor.providers.embedded import EmbeddedProvider
from editor.services.photos import limits


@dataclass(frozen=True)
class Quote:
    """What an edit would be: who does it, for how many credits, and, where the engine can say it, how."""

    provider: str
    price: int
    plan: Plan | None


@cache
def provider_named(key: str) -> Provider:
    """The door to an engine, by its setting's name; made once, since it may hold a warm child process."""
    makers = {"embedded": lambda: EmbeddedProvider(Sandbox(EDIT), limits())}
    return makers[key]()


def capabilities() -> Capabilities:
    """What the engine behind this site can do."""
    return provider_named(settings.EDIT_PROVIDER).capabilities()


def quote(*, prompt: str, options: EditOptions, photos: int, workspace: Workspace) -> Quote:
    """Plans and prices an edit. Decodes nothing, charges nothing, raises nothing."""
    plan = None
    if capabilities().plans:
        plan = explain(prompt, photos=max(photos, 1), regions=options.regions, partial=options.partial)
    return Quote(provider=settings.EDIT_PROVIDER, price=workspace.price, plan=plan)
