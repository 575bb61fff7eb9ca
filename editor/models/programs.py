"""What the interface for programs keeps between two requests: counts, and keys of requests under way."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class RateCount(models.Model):
    """How often something was done in one window of time; counted by an atomic upsert."""

    name = models.CharField(max_length=100, help_text="Who does what, for example create:drk_1a2b3c4d.")
    window = models.DateTimeField(help_text="When the window began.")
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["name", "window"], name="one_count_for_a_window")
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.count}"


class IdempotencyClaim(models.Model):
    """A request with an Idempotency-Key that is being answered. It ends with the request, or at `until`
    when a crash left it; what the request made is found by the edit's own columns."""

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
