"""Show what the engine can do and whether it works: manage.py check_provider."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError

from editor.models import ProviderHealth
from editor.models.clock import database_now
from editor.providers.contract import Capabilities
from editor.providers.engine_settings import EngineSettings
from editor.services.editing import adapters


class Command(BaseCommand):
    help = "Shows what this site's engine can do and whether it responds, without spending credits."
    requires_system_checks: list[str] = []  # noqa: RUF012 - This command needs no system checks.

    def handle(self, **options: Any) -> None:
        engine = settings.ENGINES[0]
        provider = adapters.adapter_of(engine)
        self._say("Engine", engine.name)
        if engine.base_url:
            self._say("Address", engine.base_url)
            self._say("Key", "set" if engine.api_key else f"not set; set {engine.variable('API_KEY')}")
        self._say("Supports", "; ".join(_abilities(provider.capabilities())))
        for row in _left_alone(engine):
            self._say("Paused", f"until {row.open_until:%H:%M:%S} UTC, after: {row.message}")
        check = provider.check()
        for label, line in zip(
            ("Works" if check.is_usable else "Problem", "To do"), check.lines, strict=False
        ):
            self._say(label, line)
        if not check.is_usable:
            sys.exit(1)

    def _say(self, what: str, line: str) -> None:
        self.stdout.write(f"{what:<11}{line}")


def _left_alone(engine: EngineSettings) -> list[ProviderHealth]:
    """Return the engine's health row while its circuit breaker is open. A site that was never started has no
    such table."""
    try:
        rows = ProviderHealth.objects.filter(engine__name=engine.name, engine__base_url=engine.base_url)
        return list(rows.filter(open_until__gt=database_now()))
    except DatabaseError:
        return []


def _abilities(can: Capabilities) -> list[str]:
    return [
        f"up to {can.max_outputs} results per edit" if can.max_outputs > 1 else "one result per edit",
        "boxes" if can.regions else "no boxes",
        "a plan before the edit" if can.plans else "no plan before the edit",
        "safe retries" if can.idempotent_submit else "each edit is sent only once",
    ]
