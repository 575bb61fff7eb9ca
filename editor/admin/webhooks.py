"""Read-only lists of webhook endpoints and their deliveries."""

from django.contrib import admin

from editor.admin.read_only import ReadOnlyAdmin
from editor.models import WebhookDelivery, WebhookEndpoint


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(ReadOnlyAdmin[WebhookEndpoint]):
    """The list of webhook endpoints, without their secrets."""

    list_display = ("url", "workspace", "made_by", "created", "removed")
    list_select_related = ("workspace", "made_by")
    search_fields = ("url", "workspace__name", "made_by__email")
    fields = ("url", "workspace", "made_by", "created", "removed")


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnlyAdmin[WebhookDelivery]):
    list_display = ("event", "endpoint", "edit", "state", "attempts", "answer", "created", "delivered")
    list_select_related = ("endpoint", "edit")
    list_filter = ("state", "event")
    search_fields = ("endpoint__url",)
    fields = ("id", "endpoint", "edit", "event", "state", "attempts", "due", "answer", "delivered")
