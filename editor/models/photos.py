"""Stored photos: drafts in a tray, reference photos for edits, and results."""

from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from editor.models.ids import uuid7
from editor.models.wording import WithNotices
from editor.models.workspaces import Workspace


class Photo(models.Model):
    """A stored image, rebuilt from its pixels: sRGB, upright, and without metadata.

    `key` is its random name in storage. Its derivatives are stored next to it (`services.photos.photos`).
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    key = models.CharField(max_length=100, unique=True, editable=False)
    media_type = models.CharField(max_length=20)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    size = models.PositiveBigIntegerField(help_text="Bytes")
    sha256 = models.CharField(max_length=64)
    placeholder = models.TextField(blank=True)  # a 16-pixel WebP image, as a data URI
    has_large = models.BooleanField(default=False, help_text="Whether the 1600-pixel derivative exists.")
    view_size = models.PositiveIntegerField(
        null=True,
        editable=False,
        help_text="Largest derivative shown while the original is withheld; 1600 pixels if empty.",
    )
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True

    FILE_FIELDS: ClassVar = (
        *("key", "media_type", "width", "height", "size", "sha256", "placeholder", "has_large"),
        "view_size",
    )

    @property
    def owning_workspace(self) -> Workspace:
        """Return the workspace that the photo belongs to."""
        raise NotImplementedError

    @property
    def is_withheld(self) -> bool:
        """Return whether only reviewers may see the original.

        If a team requires approval, drafts and reference photos are always withheld, because they may be
        copies of a result. Only results can be released, by approving their edit.
        """
        return self.owning_workspace.requires_approval

    def file_fields(self) -> dict[str, Any]:
        """Return the fields that describe the stored file, so that another row can take over the file."""
        return {name: getattr(self, name) for name in self.FILE_FIELDS}


class DraftPhoto(Photo, WithNotices):
    """A photo in a user's tray in a workspace, kept until it is used or expires."""

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
    def owning_workspace(self) -> Workspace:
        return self.workspace


def stem_of(name: str) -> str:
    """Return a file's name without its extension."""
    return name.rpartition(".")[0] or name


class ReferencePhoto(Photo):
    """A photo that an edit starts from. `position` counts from 1."""

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
    def owning_workspace(self) -> Workspace:
        return self.edit.workspace


# Equivalent of `Edit.has_results` for queries: the edit succeeded or delivered some results ("incomplete").
_MAY_BE_SHOWN = Q(edit__state="SUCCESS") | Q(edit__failure_code="incomplete")


class ResultQuerySet(models.QuerySet["ResultPhoto"]):
    def shown(self) -> Self:
        """Limit to results that users and programs may receive.

        An edit that is still storing its results counts as having none, because it can still be cancelled
        free of charge.
        """
        return self.filter(_MAY_BE_SHOWN)

    def unpaid(self) -> Self:
        """Limit to results that belong to failed or cancelled edits, except incomplete ones.

        No such rows should exist, because the settlement deletes them (invariant I18).
        """
        return self.filter(edit__finished__isnull=False).exclude(_MAY_BE_SHOWN)


class ShownResults(models.Manager["ResultPhoto"]):
    """The manager for results that may be shown.

    It is the default manager, so `edit.results` also uses it.
    """

    def get_queryset(self) -> ResultQuerySet:
        return ResultQuerySet(self.model, using=self._db).shown()


class ResultPhoto(Photo):
    """A photo that an edit produced. `position` counts from 1.

    `objects` and `edit.results` return only results that may be shown, so no entry point can serve any
    others. The code that stores, settles, and checks results uses `stored`, which returns every row.
    """

    kind = "results"
    edit = models.ForeignKey("editor.Edit", on_delete=models.PROTECT, related_name="results")
    position = models.PositiveSmallIntegerField()

    objects = ShownResults()
    stored = ResultQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["edit", "position"], name="one_result_for_a_position"),
        ]

    def __str__(self) -> str:
        return f"result {self.position}"

    @property
    def owning_workspace(self) -> Workspace:
        return self.edit.workspace

    @property
    def is_withheld(self) -> bool:
        return self.edit.is_withheld
