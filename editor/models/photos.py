"""Stored pictures: those in a tray, those that edits start from, and those that they make."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from editor.models.ids import uuid7
from editor.models.wording import WithNotices
from editor.models.workspaces import Workspace


class Photo(models.Model):
    """A stored picture: rebuilt from pixels, sRGB, upright, without metadata.

    `key` is its random name in the storage; its derivatives stand beside it (`services.photos`).
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    key = models.CharField(max_length=100, unique=True, editable=False)
    media_type = models.CharField(max_length=20)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    size = models.PositiveBigIntegerField(help_text="Bytes")
    sha256 = models.CharField(max_length=64)
    placeholder = models.TextField(blank=True)  # a 16-pixel WebP as data URI
    has_large = models.BooleanField(default=False, help_text="The 1600-pixel derivative is made.")
    view_size = models.PositiveIntegerField(
        null=True,
        editable=False,
        help_text="The largest derivative that is shown while the original is withheld; none: 1600.",
    )
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True

    FACTS: ClassVar = (
        *("key", "media_type", "width", "height", "size", "sha256", "placeholder", "has_large"),
        "view_size",
    )

    @property
    def home(self) -> Workspace:
        """The workspace in which it lies."""
        raise NotImplementedError

    @property
    def is_withheld(self) -> bool:
        """Whether its original is for those alone who may review. Where approval is required, what an edit
        starts from may be a copy of a result, so that an approval lets go of results alone."""
        return self.home.requires_approval

    def facts(self) -> dict[str, Any]:
        """What the file is, for another row that takes it over."""
        return {name: getattr(self, name) for name in self.FACTS}


class DraftPhoto(Photo, WithNotices):
    """A photo in a person's tray in a workspace, kept until it is used or too old."""

    class Tray(models.TextChoices):
        EDITOR = "editor", "Editor"
        BATCH = "batch", "Batch"
        RECIPE = "recipe", "Recipe"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="drafts")
    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="drafts")
    name = models.CharField(max_length=200, blank=True)
    parent = models.ForeignKey(
        "editor.ResultPhoto", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    tray = models.CharField(max_length=6, choices=Tray, default=Tray.EDITOR)

    def __str__(self) -> str:
        return self.name or "photo"

    @property
    def home(self) -> Workspace:
        return self.workspace


class ReferencePhoto(Photo):
    """A photo that an edit starts from; `position` is its number, from 1."""

    kind = "references"
    edit = models.ForeignKey("editor.Edit", on_delete=models.PROTECT, related_name="references")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["edit", "position"], name="one_reference_for_a_position"),
            models.CheckConstraint(condition=Q(position__range=(1, 5)), name="references_are_1_to_5"),
        ]

    def __str__(self) -> str:
        return f"photo {self.position}"

    @property
    def home(self) -> Workspace:
        return self.edit.workspace


class ResultPhoto(Photo):
    """A photo that an edit made; `position` is its number, from 1."""

    kind = "results"
    edit = models.ForeignKey("editor.Edit", on_delete=models.PROTECT, related_name="results")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["edit", "position"], name="one_result_for_a_position"),
        ]

    def __str__(self) -> str:
        return f"result {self.position}"

    @property
    def home(self) -> Workspace:
        return self.edit.workspace

    @property
    def is_withheld(self) -> bool:
        return self.edit.is_withheld
