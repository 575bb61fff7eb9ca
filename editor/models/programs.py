"""Short-lived state for the API: rate counts, and claims for requests that are being handled."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class RateCount(models.Model):
    """The number of times something happened within one time window, counted with an atomic upsert."""

    name = models.CharField(
        max_length=100, help_text="The action and its actor, for example create:drk_1a2b3c4d."
    )
    window = models.DateTimeField(help_text="Start of the time window.")
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["name", "window"], name="one_count_for_a_window")
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.count}"


class IdempotencyClaim(models.Model):
    """A claim on an Idempotency-Key while its request is being handled.

    The claim is deleted when the request ends. If a crash leaves the claim behind, it expires at `until`. A
    finished request is found by the columns of the edit that it created.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "key"], name="one_request_for_an_idempotency_key")
        ]

    def __str__(self) -> str:
        return self.key
