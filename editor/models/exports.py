"""Exports: downloadable copies of a person's or a workspace's edits."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from editor.models.ids import uuid7


class ExportQuerySet(models.QuerySet["Export"]):
    def newest_first(self) -> "ExportQuerySet":
        return self.order_by("-id")


class Export(models.Model):
    """A ZIP file that is being built, or that its user can download until it `expires`.

    It contains one workspace's edits or, if `workspace` is empty, all of the user's data. `after` is the last
    edit that has been added. `done` is the number of edits that have been added, plus 1 while a worker adds
    more.
    """

    class State(models.TextChoices):
        BUILDING = "building", _("In progress")
        READY = "ready", _("Ready")
        FAILED = "failed", _("Failed")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="exports")
    workspace = models.ForeignKey(
        "editor.Workspace", on_delete=models.PROTECT, null=True, blank=True, related_name="exports"
    )
    state = models.CharField(max_length=8, choices=State, default=State.BUILDING)
    edits = models.PositiveIntegerField(help_text="Number of edits when the export was requested.")
    done = models.PositiveIntegerField(default=0)
    after = models.UUIDField(null=True, blank=True)
    moved = models.DateTimeField(default=timezone.now, help_text="When it last made progress.")
    expires = models.DateTimeField()
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = ExportQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(state="building"), name="one_export_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"export {self.pk}"

    @property
    def percent(self) -> int:
        return min(99, 100 * self.done // self.edits) if self.edits else 0
