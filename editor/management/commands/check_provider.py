"""Show what the engines can do and whether they work: manage.py check_provider [NAME]."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from editor.models import Engine
from editor.models.clock import database_now
from editor.providers.contract import Capabilities
from editor.providers.engine_settings import EngineSettings
from editor.services.editing import adapters


class Command(BaseCommand):
    help = "Shows what this site's engines can do and whether they respond, without spending credits."
    requires_system_checks: list[str] = []  # noqa: RUF012 - This command needs no system checks.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="", help="check only the engine with this name")

    def handle(self, *, name: str, **options: Any) -> None:
        usable = []
        for number, engine in enumerate(_chosen(name)):
            if number:
                self.stdout.write("")
            usable.append(self._check(engine))
        if not all(usable):
            sys.exit(1)

    def _check(self, engine: EngineSettings) -> bool:
        """Print what is known about an engine, and return whether it can be used."""
        provider = adapters.adapter_of(engine)
        self._say("Engine", engine.name)
        if engine.base_url:
            self._say("Address", engine.base_url)
            self._say("Key", "set" if engine.api_key else f"not set; set {engine.variable('API_KEY')}")
        self._say("Supports", "; ".join(_abilities(provider.capabilities())))
        for label, line in _state(engine):
            self._say(label, line)
        check = provider.check()
        for label, line in zip(
            ("Works" if check.is_usable else "Problem", "To do"), check.lines, strict=False
        ):
            self._say(label, line)
        return check.is_usable

    def _say(self, what: str, line: str) -> None:
        self.stdout.write(f"{what:<11}{line}")


def _chosen(name: str) -> list[EngineSettings]:
    engines: list[EngineSettings] = [one for one in settings.ENGINES if name in ("", one.name)]
    if not engines:
        names = ", ".join(one.name for one in settings.ENGINES)
        raise CommandError(f"There is no engine {name!r}. EDIT_PROVIDER lists {names}.")
    return engines


def _state(engine: EngineSettings) -> list[tuple[str, str]]:
    """Return each engine's state: whether staff have switched it off, and whether its breaker is open.

    The list is empty on a site that has never been started.
    """
    identity = {"name": engine.name, "provider": engine.provider, "base_url": engine.base_url}
    try:
        row = Engine.objects.filter(**identity).select_related("health").first()
        now = database_now()
    except DatabaseError:
        return []
    health = getattr(row, "health", None)
    lines = [("Off", f"switched off by staff: {row.switch_reason}")] if row and row.switched_off else []
    if health and health.open_until and health.open_until > now:
        lines.append(("Paused", f"until {health.open_until:%H:%M:%S} UTC, after: {health.message}"))
    return lines


def _abilities(can: Capabilities) -> list[str]:
    return [
        f"up to {can.max_outputs} results per edit" if can.max_outputs > 1 else "one result per edit",
        "boxes" if can.regions else "no boxes",
        "a plan before the edit" if can.plans else "no plan before the edit",
        "safe retries" if can.idempotent_submit else "each edit is sent only once",
    ]
