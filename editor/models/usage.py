"""Daily usage totals that are updated as edits end, so a yearly report does not have to read the edits."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class DailyUsage(models.Model):
    """One day's (UTC) totals over a workspace's edits for one person, API key, engine, or kind of edit.

    An edit belongs to the day on which it ended. It counts once for its person, once for its engine, once for
    its kind, and, if a program submitted it, once for the API key.
    """

    class Axis(models.TextChoices):
        PERSON = "person", _("Person")
        KEY = "key", _("API key")
        ENGINE = "engine", _("Engine")
        KIND = "kind", _("Kind")

    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="usage")
    day = models.DateField()
    axis = models.CharField(max_length=6, choices=Axis)
    name = models.CharField(
        max_length=50, help_text="ID of the person or key, or name of the engine or kind."
    )
    edits = models.PositiveIntegerField(default=0)
    successes = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(
        default=0, help_text="Edits that neither succeeded nor failed were cancelled."
    )
    credits = models.PositiveBigIntegerField(default=0)
    pace = models.BigIntegerField(
        default=0,
        help_text="Sum, over the successful edits, of 1,000 times the natural logarithm of their seconds.",
    )

    class Meta:
        verbose_name_plural = "daily usage"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["workspace", "day", "axis", "name"], name="one_sum_for_a_day_and_a_name"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["axis", "day"], name="sums_of_the_site_by_day")]

    def __str__(self) -> str:
        return f"{self.day} {self.axis} {self.name}: {self.edits}"
