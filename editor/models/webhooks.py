"""Webhook endpoints, which are notified when an edit ends, and their deliveries."""

import re
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from editor.models.ids import uuid7
from editor.models.wording import translate_text


class WebhookEndpoint(models.Model):
    """A URL that a workspace wants notified. `secret` signs the messages and is shown only once."""

    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="webhooks")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    url = models.CharField(max_length=500)
    secret = models.CharField(max_length=100, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    removed = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """One message to one endpoint.

    Every attempt includes the delivery's ID, so that the receiver can ignore duplicates.
    """

    class State(models.TextChoices):
        WAITING = "WAITING", _("Waiting")
        DELIVERED = "DELIVERED", _("Delivered")
        GIVEN_UP = "GIVEN_UP", _("Given up")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.PROTECT, related_name="deliveries")
    edit = models.ForeignKey("editor.Edit", on_delete=models.PROTECT, related_name="deliveries")
    event = models.CharField(max_length=40)
    body = models.TextField(help_text="The JSON text, exactly as signed.")
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField()
    answer = models.CharField(max_length=200, blank=True, help_text="Outcome of the last attempt.")
    created = models.DateTimeField(default=timezone.now, editable=False)
    delivered = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "webhook deliveries"
        indexes: ClassVar = [
            models.Index(fields=["due"], condition=models.Q(state="WAITING"), name="waiting_deliveries"),
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.endpoint}"

    @property
    def answer_shown(self) -> str:
        """Return the last attempt's outcome in the active language."""
        status = re.fullmatch(r"Answered (\d+)\.", self.answer)
        return (
            gettext("The server returned status code %(status)s.") % {"status": status[1]}
            if status
            else translate_text(self.answer)
        )
