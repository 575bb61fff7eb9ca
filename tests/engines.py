"""Configurations of engines for tests."""

from typing import Any

from editor.providers.engine_settings import EngineSettings
from editor.services.editing import routing

EMBEDDED = EngineSettings("embedded", "embedded", runs_here=True)


def another_site(base_url: str = "https://photos.example.org", **changes: Any) -> EngineSettings:
    """Return the configuration of another site. Names that EngineSettings does not have are options."""
    fields = {
        name: changes.pop(name) for name in list(changes) if name in EngineSettings.__dataclass_fields__
    }
    named = {"name": "photo-editor", "provider": "photo-editor", "base_url": base_url} | fields
    return EngineSettings(**named, options=changes)


def configure(settings: Any, *engines: EngineSettings) -> None:
    """Configure these engines, as a restart with another EDIT_PROVIDER does."""
    settings.ENGINES = engines
    routing.provider_named.cache_clear()
