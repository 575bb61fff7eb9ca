"""The site's engines, each stored as a row.

A row is identified by its name, provider, and URL. Every start of the site writes the engine's other settings
to the row, but preserves whether staff have switched the engine off.
"""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.tasks import DEFAULT_TASK_QUEUE_NAME
from django.utils import timezone
from django.utils.translation import gettext as _

from editor.models import Action, Edit, Engine, Workspace
from editor.models.clock import lock_until_commit
from editor.models.edits import EditQuerySet
from editor.models.engines import available_engines, default_of
from editor.providers.contract import Provider
from editor.providers.engine_settings import EngineSettings
from editor.sentences import Sentence
from editor.services.core import audit
from editor.services.editing import adapters

ENGINE_OFF = Sentence("The engine of this edit is off. You were not charged. You can run it again.")
ENGINE_EXCLUDED = Sentence(
    "External engines were excluded from this workspace. You were not charged. You can run the edit again "
    "with another engine."
)
EDITS_PER_BATCH = 1000
WAITING_QUEUE = "upstream"
# Columns that every start writes. They must be the same on all of a site's nodes.
_WRITTEN = ("model", "runs_here", "is_external", "in_flight", "seconds", "price_free", "price_pro")


class NoEngine(Exception):
    """Raised when every engine is off."""

    def __init__(self) -> None:
        super().__init__(_("No engine is on at the moment. Ask an administrator to switch one on."))


class EngineNotAllowed(Exception):
    """Raised when the owners of a workspace have excluded the engine. Without `engine`, no other is on."""

    reason = "engine_not_allowed"

    def __init__(self, engine: Engine | None = None) -> None:
        none_left = _(
            "External engines are excluded from this workspace, and no other engine is on. An owner can "
            "allow external engines in the settings of the workspace."
        )
        other = _(
            "The engine %(name)s is excluded from this workspace. Choose another engine, or ask an owner to "
            "allow external engines in the settings of the workspace."
        )
        super().__init__(none_left if engine is None else other % {"name": engine.label})


def update_from_settings() -> None:
    """Write the configured engines to their rows.

    From then on, an engine that the settings do not list is off.
    """
    with transaction.atomic():
        lock_until_commit("engines")
        kept = [_write(engine, position) for position, engine in enumerate(settings.ENGINES)]
        Engine.objects.configured().exclude(pk__in=[row.pk for row in kept]).update(position=None)


def differences() -> list[str]:
    """Return the names of the engines whose order or settings in this process differ from the database.

    The list is empty if the database does not contain any engines yet.
    """
    there = {
        row.key: (row.position, *(getattr(row, name) for name in _WRITTEN))
        for row in Engine.objects.configured()
    }
    here = {
        engine.key: (position, *_columns(engine).values()) for position, engine in enumerate(settings.ENGINES)
    }
    keys = dict.fromkeys([*there, *here]) if there else {}
    return list(dict.fromkeys(key[0] for key in keys if there.get(key) != here.get(key)))


def available() -> list[Engine]:
    """Return the engines that take new edits on this node, in the order of EDIT_PROVIDER."""
    return available_engines() or _first_available()


def available_in(workspace: Workspace) -> list[Engine]:
    """Return the engines from which a person can choose in this workspace, in the order of EDIT_PROVIDER."""
    return workspace.engines or [engine for engine in available() if workspace.allows(engine)]


def find_available(workspace: Workspace, name: str) -> Engine | None:
    """Return the engine with this name that is available in this workspace, or None."""
    return next((engine for engine in available_in(workspace) if engine.name == name), None)


def default_engine(workspace: Workspace | None = None) -> Engine:
    """Return the engine for edits that do not name one, also if all engines are off."""
    engine = default_of(available() if workspace is None else available_in(workspace))
    assert engine is not None  # The settings list at least one engine.
    return engine


def require_engine(workspace: Workspace) -> None:
    """Check that an engine is available in this workspace. Raises NoEngine and EngineNotAllowed."""
    if not available_in(workspace):
        raise EngineNotAllowed if available() else NoEngine


def error_in(workspace: Workspace) -> str:
    """Return why no engine is available in this workspace, or an empty string if one is."""
    try:
        require_engine(workspace)
    except (NoEngine, EngineNotAllowed) as error:
        return str(error)
    return ""


def require_allowed(workspace_id: int, used: Iterable[Engine]) -> None:
    """Check that the workspace allows these engines now. Raises EngineNotAllowed.

    Call this function in the transaction that holds the price, after the hold has locked the workspace.
    """
    workspace = Workspace.objects.get(pk=workspace_id)
    for engine in used:
        if not workspace.allows(engine):
            raise EngineNotAllowed(engine if available_in(workspace) else None)


def provider_of(engine: Engine) -> Provider:
    """Return the adapter for an engine."""
    return adapters.provider_named(*engine.key)


def model_of(edit: Edit) -> str:
    """Return the name of the model that the edit's engine uses."""
    engine = engine_of(edit)
    return engine.model or provider_of(engine).model


def engine_of(edit: Edit) -> Engine:
    """Return the edit's engine.

    If the edit was submitted without an engine row, this function assigns one.
    """
    if edit.engine is None:
        edit.engine = _former(edit.provider, edit.base_url)
        Edit.objects.filter(pk=edit.pk, engine=None).update(engine=edit.engine)
    return edit.engine


def assign_engines() -> int:
    """Assign an engine to each edit that a node running the previous release submitted during an upgrade.

    Returns the number of edits.
    """
    return _assign(Edit.objects.filter(engine=None))


def assign_engines_of_open_edits() -> int:
    """Assign an engine to each open edit that lacks one and cannot start without it.

    Returns the number of edits.
    """
    return _assign(Edit.objects.open().filter(engine=None))


def queue_of(edit: Edit) -> str:
    """Return the queue for an edit's stages.

    If some engines run here and others do not, the edits for the other engines get a separate queue with its
    own workers. These edits mostly wait, and would otherwise block the workers that edit pixels.
    """
    is_mixed = len({engine.runs_here for engine in settings.ENGINES}) > 1
    return WAITING_QUEUE if is_mixed and not edit.runs_here else DEFAULT_TASK_QUEUE_NAME


def switch_off(by: audit.AuditActor, engine: Engine, *, reason: str) -> bool:
    """Stop new edits from using the engine, even after a restart.

    Edits that are waiting for it end without a charge. Returns False if it was already off. Raises
    ReasonMissing.
    """
    reason = audit.require_reason(reason)
    changes = {"switched_off": timezone.now(), "switch_reason": reason}
    on = Engine.objects.filter(pk=engine.pk, switched_off=None)
    return _switch(by, on, changes, Action.ENGINE_OFF, engine, reason)


def switch_on(by: audit.AuditActor, engine: Engine, *, reason: str) -> bool:
    """Let new edits use the engine again. Returns False if it was already on. Raises ReasonMissing."""
    reason = audit.require_reason(reason)
    off = Engine.objects.filter(pk=engine.pk, switched_off__isnull=False)
    return _switch(by, off, {"switched_off": None, "switch_reason": ""}, Action.ENGINE_ON, engine, reason)


def _switch(
    by: audit.AuditActor,
    rows: QuerySet[Engine],
    changes: dict[str, Any],
    action: Action,
    engine: Engine,
    reason: str,
) -> bool:
    with transaction.atomic():
        is_changed = bool(rows.update(**changes))
        if is_changed:
            audit.record(by, action, subject=engine, reason=reason)
    return is_changed


def _first_available() -> list[Engine]:
    """Return the engines of a site that was not started with `start`, whose rows are written now.

    If another process has just written them, they are returned, too. The list is empty if all are off.
    """
    if not Engine.objects.configured().exists():
        update_from_settings()
    return available_engines()


def _write(engine: EngineSettings, position: int) -> Engine:
    can = asdict(adapters.adapter_of(engine).capabilities())
    columns = _columns(engine) | {"position": position, "capabilities": can}
    identity: dict[str, Any] = dict(zip(("name", "provider", "base_url"), engine.key, strict=True))
    return Engine.objects.update_or_create(**identity, defaults=columns)[0]


def _columns(engine: EngineSettings) -> dict[str, Any]:
    model = engine.model or adapters.adapter_of(engine).model
    return {name: getattr(engine, name) for name in _WRITTEN} | {"model": model}


def _former(provider: str, base_url: str) -> Engine:
    """Return the engine to which a release without engine rows submitted an edit.

    An engine may have been renamed since, so the configured row of this address comes first.
    """
    there = Engine.objects.filter(provider=provider, base_url=base_url)
    if there:
        return min(there, key=lambda row: (not row.is_configured, row.name != provider, row.pk))
    former = adapters.settings_of(provider, provider, base_url)
    columns = {name: getattr(former, name) for name in _WRITTEN} | {"runs_here": not base_url}
    identity = {"name": provider, "provider": provider, "base_url": base_url}
    return Engine.objects.get_or_create(**identity, defaults=columns)[0]


def _assign(edits: EditQuerySet) -> int:
    found = list(edits.order_by("id").values_list("id", "provider", "base_url")[:EDITS_PER_BATCH])
    for provider, base_url in {row[1:] for row in found}:
        ids = [row[0] for row in found if row[1:] == (provider, base_url)]
        Edit.objects.filter(pk__in=ids, engine=None).update(engine=_former(provider, base_url))
    return len(found)
