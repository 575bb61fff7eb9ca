"""The health of the engines, the site's own data, and its workers, shared by all processes."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from editor.models.engines import engine_title


class ProviderHealth(models.Model):
    """One engine's circuit breaker: recent failures, and the time until which no calls are made."""

    engine = models.OneToOneField(
        "editor.Engine", on_delete=models.PROTECT, null=True, blank=True, related_name="health"
    )
    # For nodes running an older release, which has no engine rows. These fields identify the same engine as
    # `engine`.
    provider = models.CharField(max_length=50)
    base_url = models.CharField(max_length=500, blank=True)
    failures = models.PositiveIntegerField(default=0)
    # The latest calls, each as [epoch seconds, whether it failed].
    outcomes = models.JSONField(default=list, blank=True)
    # Number of consecutive times that the breaker has opened. Each opening lasts twice as long as the
    # previous one.
    times_opened = models.PositiveSmallIntegerField(default=0)
    open_until = models.DateTimeField(null=True, blank=True)
    # Deadline for the one call that is testing whether the engine is back. If the deadline has passed, no
    # call is testing the engine.
    probing_until = models.DateTimeField(null=True, blank=True)
    # the minute that `calls` and `retries` apply to
    minute = models.DateTimeField(null=True, blank=True)
    calls = models.PositiveIntegerField(default=0)
    retries = models.PositiveIntegerField(default=0)
    message = models.CharField(max_length=500, blank=True)
    changed = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "provider health"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["provider", "base_url"], condition=Q(engine=None), name="one_health_without_an_engine"
            )
        ]

    def __str__(self) -> str:
        name, address = self.identity
        return f"{engine_title(name)} {address}".strip()

    @property
    def identity(self) -> tuple[str, str]:
        """Return the engine's name and address."""
        if self.engine is None:
            return self.provider, self.base_url
        return self.engine.name, self.engine.base_url


class Checkup(models.Model):
    """The last check of the data invariants, in a single row whose ID is 1.

    `notified` is the time at which the administrator was notified of violations.
    """

    checked = models.DateTimeField()
    broken = models.PositiveIntegerField(default=0)
    message = models.TextField(blank=True)
    notified = models.DateTimeField(null=True, blank=True, db_column="told")

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(id=1), name="one_checkup")]

    def __str__(self) -> str:
        return f"{self.broken} broken at {self.checked:%H:%M}"


class Housekeeper(models.Model):
    """The process that does the housekeeping for the whole site, in a single row whose ID is 1.

    `until` is the end of the process's lease. After that, another process may take over.
    """

    name = models.CharField(max_length=64)
    until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(id=1), name="one_housekeeper")]

    def __str__(self) -> str:
        return self.name


class WorkerSign(models.Model):
    """The last time at which a worker reported that it was alive."""

    name = models.CharField(max_length=64, unique=True)
    seen = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
