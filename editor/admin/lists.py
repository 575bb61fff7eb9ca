"""The order of the desk's lists: first what the work is done with, then all else."""

from typing import Any

FIRST = ("Edit", "Workspace", "User", "CreditEntry", "CreditRequest", "ApiKey", "AuditEntry")
SECOND = ("WebhookEndpoint", "WebhookDelivery", "ProviderHealth", "DBTaskResult", "Membership")
LABELS = {
    "User": "People",
    "CreditEntry": "Ledger",
    "ApiKey": "API keys",
    "AuditEntry": "Audit log",
    "WebhookEndpoint": "Webhooks",
    "ProviderHealth": "Engines",
    "DBTaskResult": "Tasks",
    "Authenticator": "Second factors",
    "SocialAccount": "Sign-ins by issuer",
}
_ORDER = {name: number for number, name in enumerate((*FIRST, *SECOND))}
type List = dict[str, Any]


def label_of(opts: Any) -> str:
    """What the desk calls the list of a model."""
    label: str = LABELS.get(opts.object_name, str(opts.verbose_name_plural))
    return label[:1].upper() + label[1:]


def in_two(apps: list[dict[str, Any]]) -> tuple[list[List], list[List]]:
    """What a person may see of Django's list of apps, without their borders."""
    there = [one for app in apps for one in app["models"] if one["admin_url"]]
    shown: list[List] = [{**one, "name": label_of(one["model"]._meta)} for one in there]
    shown.sort(key=lambda one: _ORDER.get(one["object_name"], len(_ORDER)))
    work = [one for one in shown if one["object_name"] in FIRST]
    return work, [one for one in shown if one not in work]
