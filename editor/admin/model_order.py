"""The order of the lists on the admin site: lists for daily work come first."""

from typing import Any

from django.utils.translation import gettext_lazy as _

DAILY_MODELS = ("Edit", "Workspace", "User", "CreditEntry", "CreditRequest", "ApiKey", "AuditEntry")
OTHER_MODELS = (
    "WebhookEndpoint",
    "WebhookDelivery",
    "Engine",
    "ProviderHealth",
    "DBTaskResult",
    "Membership",
)
LABELS = {
    "User": _("People"),
    "CreditEntry": _("Credit entries"),
    "ApiKey": _("API keys"),
    "Edit": _("Edits"),
    "Workspace": _("Workspaces"),
    "CreditRequest": _("Credit requests"),
    "WebhookDelivery": _("Webhook deliveries"),
    "Membership": _("Memberships"),
    "AuditEntry": _("Audit log"),
    "WebhookEndpoint": _("Webhooks"),
    "Engine": _("Engines"),
    "ProviderHealth": _("Health of engines"),
    "DBTaskResult": _("Tasks"),
    "Authenticator": _("Second factors"),
    "SocialAccount": _("Single sign-on accounts"),
}
_ORDER = {name: number for number, name in enumerate((*DAILY_MODELS, *OTHER_MODELS))}
type List = dict[str, Any]


def label_of(opts: Any) -> str:
    """Return the name of a model's list on the admin site."""
    label = str(LABELS.get(opts.object_name, opts.verbose_name_plural))
    return label[:1].upper() + label[1:]


def split_by_use(apps: list[dict[str, Any]]) -> tuple[list[List], list[List]]:
    """Split the models that the person may see into the models for daily work and all others.

    The apps to which the models belong do not matter.
    """
    there = [one for app in apps for one in app["models"] if one["admin_url"]]
    shown: list[List] = [{**one, "name": label_of(one["model"]._meta)} for one in there]
    shown.sort(key=lambda one: _ORDER.get(one["object_name"], len(_ORDER)))
    work = [one for one in shown if one["object_name"] in DAILY_MODELS]
    return work, [one for one in shown if one not in work]
