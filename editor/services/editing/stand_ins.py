"""Give an edit to another engine while its own engine does not respond."""

from django.conf import settings
from django.utils.translation import gettext_noop

from editor.models import Edit, Engine
from editor.sentences import Sentence, SentenceData, to_json_data
from editor.services.editing import engines, health, keeping, routing

STOOD_IN = gettext_noop(
    "The engine %(engine)s did not respond, so this edit went to %(other)s. The price is the same."
)


def find_stand_in(edit: Edit) -> Engine | None:
    """Return the engine that replaces the paused engine of a waiting edit, or None if the edit has to wait.

    Nothing may have been sent, an edit is replaced once, and photos that were meant for an engine in the
    operator's own networks never leave them.
    """
    engine = engines.engine_of(edit)
    name = _configured_name(engine)
    if not name or _was_sent(edit) or _has_stand_in(edit):
        return None
    other = engines.find_available(edit.workspace, name)
    if other is None or (other.is_external and not engine.is_external):
        return None
    return other if _can_do(other, edit) and not health.is_paused(other) else None


def notice_of(engine: Engine, other: Engine) -> SentenceData:
    """Return the notice that the edit was given to a different engine."""
    return to_json_data(Sentence(STOOD_IN, engine=engine.label, other=other.label))


def _configured_name(engine: Engine) -> str:
    return next((one.stand_in for one in settings.ENGINES if one.key == engine.key), "")


def _was_sent(edit: Edit) -> bool:
    """Return whether the engine may have received the edit.

    A waiting edit that was sent before was refused, unless its engine may receive an edit twice.
    """
    can = engines.provider_of(engines.engine_of(edit)).capabilities()
    return edit.sent is not None and can.idempotent_submit


def _has_stand_in(edit: Edit) -> bool:
    return any(isinstance(notice, dict) and notice["words"] == STOOD_IN for notice in edit.notices)


def _can_do(engine: Engine, edit: Edit) -> bool:
    """Return whether the engine takes the edit as it was submitted, which is without a plan."""
    can = engines.provider_of(engine).capabilities()
    is_kept = can.puts_back or not keeping.is_requested(edit)
    return not can.plans and is_kept and routing.fits(engine, edit.options, edit.references.count())
