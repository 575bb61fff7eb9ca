"""The list of engines.

Staff can switch each engine off and on.
"""

from typing import Any

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin.read_only import ReadOnlyAdmin
from editor.admin.row_actions import FormData, RowAction, RowActionAdmin
from editor.models import Engine, User
from editor.services.core.access import reviewer_actor
from editor.services.editing import engines


def switch_off(user: User, engine: Engine, data: FormData) -> bool:
    return engines.switch_off(_staff(user), engine, reason=data["reason"])


def switch_on(user: User, engine: Engine, data: FormData) -> bool:
    return engines.switch_on(_staff(user), engine, reason=data["reason"])


def _staff(user: User) -> Any:
    return reviewer_actor(user, user.personal_workspace)


def _is_on(engine: Engine) -> str:
    return _("This engine is on.") if engine.switched_off is None else ""


def _is_off(engine: Engine) -> str:
    return "" if engine.switched_off is None else _("This engine is already off.")


ROW_ACTIONS: tuple[RowAction[Engine], ...] = (
    RowAction(
        name="off",
        label=gettext_lazy("Switch off"),
        icon="stop",
        description=gettext_lazy(
            "The engine takes no new edits, even after a restart. Edits that are waiting for it end without "
            "a charge. Edits that are already running there continue."
        ),
        done_message=gettext_lazy("%(n)s switched off."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already off."),
        run=switch_off,
        unavailable_reason=_is_off,
        right="editor.change_engine",
    ),
    RowAction(
        name="on",
        label=gettext_lazy("Switch on"),
        icon="check",
        description=gettext_lazy("The engine accepts new edits again if this site's settings list it."),
        done_message=gettext_lazy("%(n)s switched on."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already on."),
        run=switch_on,
        unavailable_reason=_is_on,
        right="editor.change_engine",
    ),
)


@admin.register(Engine)
class EngineAdmin(RowActionAdmin[Engine], ReadOnlyAdmin[Engine]):
    row_actions = ROW_ACTIONS
    list_display = ("title", "name", "model", "base_url", "status", "switch_reason", "in_flight")
    fields = (
        *("name", "provider", "model", "base_url", "in_flight", "seconds", "price_free", "price_pro"),
        *("switched_off", "switch_reason"),
    )

    @admin.display(description=gettext_lazy("Engine"))
    def title(self, engine: Engine) -> str:
        return engine.title

    @admin.display(description=gettext_lazy("Status"))
    def status(self, engine: Engine) -> str | SafeString:
        if not engine.is_configured:
            return _("Not in the settings")
        return _("On") if engine.is_on else _("Off")
