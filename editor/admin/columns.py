"""The column names of the admin site, in the reader's language."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from editor.admin.model_order import LABELS
from editor.models import User
from editor.models.wording import number

COLUMNS = (
    _("name"),
    _("model"),
    _("switched off"),
    _("workspace"),
    _("slug"),
    _("role"),
    _("plan"),
    _("is active"),
    _("type"),
    _("blocked"),
    _("block reason"),
    _("revoked"),
    _("expires"),
    _("created"),
    _("created at"),
    _("changed"),
    _("closed"),
    _("last used"),
    _("last used at"),
    _("removed"),
    _("due"),
    _("kind"),
    _("amount"),
    _("balance"),
    _("held"),
    _("allowance"),
    _("reason"),
    _("reference"),
    _("note"),
    _("actor"),
    _("edit"),
    _("answered"),
    _("answer"),
    _("failures"),
    _("message"),
    _("endpoint"),
    _("event"),
    _("attempts"),
    _("delivered"),
    _("membership"),
    _("memberships"),
    _("number"),
    _("cap"),
    _("action"),
    _("audit entry"),
    _("credit entry"),
    _("credit request"),
    _("webhook endpoint"),
    _("webhook delivery"),
    _("date joined"),
    _("- Select an option -"),  # Django provides this text but does not translate it into German yet.
)
# Readable names for models and fields whose real names only developers understand.
READABLE_NAMES = {
    "api key": _("API key"),
    "base url": _("URL"),
    "door": _("source"),
    "email": _("email address"),
    "held by": _("legal hold set by"),
    "held since": _("legal hold since"),
    "hold reason": _("reason for the legal hold"),
    "is staff": _("administrator"),
    "made by": _("created by"),
    "open until": _("paused until"),
    "personal user": _("person"),
    "provider": _("engine"),
    "provider health": _("health of an engine"),
    "switch reason": _("reason"),
    "in flight": _("edits at a time"),
    "seconds": _("maximum seconds"),
    "price free": _("price on the free plan"),
    "price pro": _("price on the PRO plan"),
    "public id": _("public ID"),
    "retention days": _("retention in days"),
    "state": _("status"),
    "uid": _("external ID"),
    "url": _("URL"),
    "user": _("person"),
}


def translate_names() -> None:
    """Make the names of models and columns, which Django derives from class and field names, translatable."""
    User._meta.verbose_name = gettext_lazy("person")
    for model in admin.site._registry:
        name = str(model._meta.verbose_name)
        model._meta.verbose_name = gettext_lazy(READABLE_NAMES.get(name, name))
        plural = gettext_lazy(str(model._meta.verbose_name_plural))
        model._meta.verbose_name_plural = LABELS.get(model.__name__, plural)
        for field in model._meta.fields:
            if type(field.verbose_name) is str:
                field.verbose_name = gettext_lazy(READABLE_NAMES.get(field.verbose_name, field.verbose_name))


def number_column(name: str) -> Callable[[Any], str | None]:
    """Return a column of whole numbers, formatted for the reader's language."""

    @admin.display(description=gettext_lazy(name))
    def shown(row: Any) -> str | None:
        value = getattr(row, name)
        return None if value is None else number(value)

    return shown
