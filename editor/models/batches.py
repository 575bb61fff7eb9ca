"""Batches: several photos edited with one prompt at one quoted price."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from editor.models.ids import uuid7


class Batch(models.Model):
    """The data that a batch's edits share.

    Each photo is a separate edit, identified by its `batch_position`. A photo that was retried has several
    edits, and the latest one counts.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="batches")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="batches")
    prompt = models.TextField()
    recipe_version = models.ForeignKey(
        "editor.RecipeVersion", on_delete=models.PROTECT, null=True, blank=True, related_name="batches"
    )
    variables = models.JSONField(default=dict, blank=True)
    photos = models.PositiveSmallIntegerField()
    price = models.PositiveIntegerField(help_text="Quoted price of all photos together.")
    submit_id = models.UUIDField()
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "batches"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "submit_id"], name="one_batch_for_a_submit")
        ]

    def __str__(self) -> str:
        return f"{self.prompt[:60]} ({self.photos} photos)"
