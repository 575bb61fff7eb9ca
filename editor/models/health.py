"""How the engines behind the portal, and its own books, are doing: shared by all processes."""

from typing import ClassVar

from django.db import models
from django.utils import timezone


class ProviderHealth(models.Model):
    """The breaker of one engine's address: failures in a row, and until when nothing is sent."""

    provider = models.CharField(max_length=50)
    base_url = models.CharField(max_length=500, blank=True)
    failures = models.PositiveIntegerField(default=0)
    outcomes = models.JSONField(
        default=list, blank=True
    )  # the last calls: [epoch seconds, whether it failed]
    times_opened = models.PositiveSmallIntegerField(default=0)  # in a row; each stays open twice as long
    open_until = models.DateTimeField(null=True, blank=True)
    probing_until = models.DateTimeField(null=True, blank=True)  # one call is out to see whether it is back
    minute = models.DateTimeField(null=True, blank=True)  # the minute that `calls` and `retries` count
    calls = models.PositiveIntegerField(default=0)
    retries = models.PositiveIntegerField(default=0)
    message = models.CharField(max_length=500, blank=True)
    changed = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "provider health"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["provider", "base_url"], name="one_health_for_an_address")
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.base_url}".strip()


class Checkup(models.Model):
    """The last look at the invariants of live data: one row, whose id is 1. `notified` is when the
    administrator heard of what is broken."""

    checked = models.DateTimeField()
    broken = models.PositiveIntegerField(default=0)
    message = models.TextField(blank=True)
    notified = models.DateTimeField(null=True, blank=True, db_column="told")

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(id=1), name="one_checkup")]

    def __str__(self) -> str:
        return f"{self.broken} broken at {self.checked:%H:%M}"


class Housekeeper(models.Model):
    """Which process does the duties that are done once, on however many machines the site runs, and until
    when it need not be heard of: one row, whose id is 1."""

    name = models.CharField(max_length=64)
    until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(id=1), name="one_housekeeper")]

    def __str__(self) -> str:
        return self.name


class WorkerSign(models.Model):
    """When a worker was last heard of."""

    name = models.CharField(max_length=64, unique=True)
    seen = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
