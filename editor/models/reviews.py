"""What people say about an edit."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from editor.models.ids import uuid7
from editor.options import Region


class Comment(models.Model):
    """Plain text of a member; `box` is a place on result number `result`, in fractions of it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    edit = models.ForeignKey("editor.Edit", on_delete=models.PROTECT, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="comments")
    text = models.TextField()
    box = models.JSONField(null=True, blank=True)
    result = models.PositiveSmallIntegerField(null=True, blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(box__isnull=True, result__isnull=True)
                | Q(box__isnull=False, result__isnull=False),
                name="a_box_lies_on_a_result",
            )
        ]

    def __str__(self) -> str:
        return self.text[:60]

    @property
    def region(self) -> Region | None:
        return Region(**self.box) if self.box else None
