"""Personal workspaces that staff have opened for review, each for a limited time and for a stated reason."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class Opening(models.Model):
    """A reviewer's permission to see the photos and prompts in a personal workspace until `expires`.

    The workspace's owner can see who opened it, when, and why.
    """

    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="openings_made"
    )
    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="openings")
    reason = models.CharField(max_length=300)
    created = models.DateTimeField(default=timezone.now, editable=False)
    expires = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["reviewer", "-expires"], name="openings_of_a_reviewer"),
            models.Index(fields=["workspace", "-id"], name="openings_of_a_workspace"),
        ]

    def __str__(self) -> str:
        return f"{self.reviewer} in workspace {self.workspace_id}"
