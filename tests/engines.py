"""Engine configurations for tests."""

from contextlib import suppress
from typing import Any

from django.conf import settings

from editor.models import Engine
from editor.providers.engine_settings import EngineSettings
from editor.services.editing import adapters, engines

EMBEDDED = EngineSettings("embedded", "embedded", runs_here=True)


def another_site(base_url: str = "https://photos.example.org", **changes: Any) -> EngineSettings:
    """Return an engine configuration for another site.

    Keyword arguments that are not fields of EngineSettings become options.
    """
    fields = {
        name: changes.pop(name) for name in list(changes) if name in EngineSettings.__dataclass_fields__
    }
    named = {"name": "photo-editor", "provider": "photo-editor", "base_url": base_url} | fields
    return EngineSettings(**named, options=changes)


def configure(test_settings: Any, *given: EngineSettings) -> None:
    """Configure these engines, as a restart with a different EDIT_PROVIDER does."""
    test_settings.ENGINES = given
    adapters.provider_named.cache_clear()
    with suppress(RuntimeError):  # This test uses no database.
        engines.update_from_settings()


def row_of(provider: str, base_url: str) -> Engine:
    """Return the row of an engine. If the test's settings do not list the engine, add it to them."""
    found = Engine.objects.filter(provider=provider, base_url=base_url).exclude(position=None).first()
    if found is not None:
        return found
    if not any((one.provider, one.base_url) == (provider, base_url) for one in settings.ENGINES):
        limits: dict[str, Any] = {"in_flight": settings.UPSTREAM_IN_FLIGHT, "runs_here": not base_url}
        settings.ENGINES = (*settings.ENGINES, EngineSettings(provider, provider, base_url, **limits))
    with suppress(KeyError):  # An invented provider has no adapter.
        engines.update_from_settings()
    columns = {"runs_here": not base_url}
    identity = {"provider": provider, "base_url": base_url}
    return Engine.objects.get_or_create(**identity, defaults={"name": provider, **columns})[0]
