"""What the desk calls the columns of its lists, in the language of who reads them."""

from django.contrib import admin
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

COLUMNS = (
    *(_("name"), _("email"), _("user"), _("personal user"), _("workspace"), _("slug"), _("role")),
    *(_("plan"), _("is active"), _("is staff"), _("public id"), _("type"), _("blocked"), _("block reason")),
    *(_("revoked"), _("expires"), _("created"), _("created at"), _("changed"), _("closed"), _("last used")),
    *(_("last used at"), _("removed"), _("due"), _("kind"), _("amount"), _("balance"), _("held")),
    *(_("allowance"), _("reason"), _("reference"), _("note"), _("actor"), _("edit"), _("answered")),
    *(_("answer"), _("retention days"), _("held since"), _("held by"), _("hold reason"), _("provider")),
    *(_("base url"), _("failures"), _("open until"), _("message"), _("url"), _("made by"), _("endpoint")),
    *(_("event"), _("state"), _("attempts"), _("delivered"), _("membership"), _("memberships"), _("uid")),
    _("date joined"),
)


def speak() -> None:
    """Models name their columns after their fields; from here on these names are translated where they are
    shown."""
    for model in admin.site._registry:
        model._meta.verbose_name_plural = gettext_lazy(str(model._meta.verbose_name_plural))
        for field in model._meta.fields:
            if type(field.verbose_name) is str:
                field.verbose_name = gettext_lazy(field.verbose_name)
