"""What the desk calls the columns of its lists, in the language of who reads them."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from editor.admin.lists import LABELS
from editor.models import User
from editor.models.wording import number

COLUMNS = (
    _("name"),
    _("personal user"),
    _("workspace"),
    _("slug"),
    _("role"),
    _("plan"),
    _("is active"),
    _("is staff"),
    _("public id"),
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
    _("retention days"),
    _("held by"),
    _("hold reason"),
    _("provider"),
    _("failures"),
    _("message"),
    _("made by"),
    _("endpoint"),
    _("event"),
    _("state"),
    _("attempts"),
    _("delivered"),
    _("membership"),
    _("memberships"),
    _("uid"),
    _("door"),
    _("number"),
    _("cap"),
    _("action"),
    _("api key"),
    _("audit entry"),
    _("credit entry"),
    _("credit request"),
    _("webhook endpoint"),
    _("webhook delivery"),
    _("provider health"),
    _("date joined"),
    _("- Select an option -"),  # the last is Django's, which has no German for it yet
)
# Those whose field has a name that only we understand.
IN_WORDS = {
    "email": _("e-mail address"),
    "url": _("address"),
    "base url": _("address"),
    "held since": _("legal hold"),
    "open until": _("paused until"),
    "user": _("person"),
}


def speak() -> None:
    """Models and their columns are named after classes and fields; from here on these names are translated
    where they are shown."""
    User._meta.verbose_name = gettext_lazy("person")
    for model in admin.site._registry:
        model._meta.verbose_name = gettext_lazy(str(model._meta.verbose_name))
        plural = gettext_lazy(str(model._meta.verbose_name_plural))
        model._meta.verbose_name_plural = LABELS.get(model.__name__, plural)
        for field in model._meta.fields:
            if type(field.verbose_name) is str:
                field.verbose_name = gettext_lazy(IN_WORDS.get(field.verbose_name, field.verbose_name))


def counted(name: str) -> Callable[[Any], str | None]:
    """A column of whole numbers, with the separators of who reads it."""

    @admin.display(description=gettext_lazy(name))
    def shown(row: Any) -> str | None:
        value = getattr(row, name)
        return None if value is None else number(value)

    return shown
