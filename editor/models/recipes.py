"""Recipes: a sentence that worked, kept with its choices and its photos, in versions."""

import re
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from editor.models.ids import uuid7
from editor.models.photos import Photo
from editor.models.workspaces import Workspace
from editor.options import EditOptions

VARIABLE = re.compile(r"\{([a-z][a-z0-9_]{0,29})\}")


class RecipeQuerySet(models.QuerySet["Recipe"]):
    def visible_to(self, user: models.Model) -> "RecipeQuerySet":
        """Those that are not deleted: the team's, and the person's own."""
        return self.filter(Q(is_shared=True) | Q(maker=user), deleted=None)

    def private_to(self, user_id: int) -> "RecipeQuerySet":
        """Those that are not deleted and that nobody else sees."""
        return self.filter(maker=user_id, is_shared=False, deleted=None)


class Recipe(models.Model):
    """What its versions have in common: a name, and who sees it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="recipes")
    maker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="recipes")
    name = models.CharField(max_length=80)
    is_shared = models.BooleanField(default=False, help_text="Seen by everybody in the workspace.")
    created = models.DateTimeField(default=timezone.now, editable=False)
    deleted = models.DateTimeField(null=True, blank=True)  # the row stays, since edits name its versions

    objects = RecipeQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["workspace", "deleted"], name="recipes_of_a_workspace")]

    def __str__(self) -> str:
        return self.name


class RecipeVersion(models.Model):
    """What a recipe said from then on. A version never changes: an edit names the one that made it."""

    recipe = models.ForeignKey(Recipe, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    maker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    prompt = models.TextField(help_text="What changes from edit to edit stands in it as {name}.")
    choices = models.JSONField(help_text="The options of the edit.")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["recipe", "number"], name="one_version_for_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.recipe}, version {self.number}"

    @property
    def options(self) -> EditOptions:
        return EditOptions.from_json(self.choices)

    @property
    def variables(self) -> list[str]:
        """The names of what has to be said for each edit, in the order of the sentence."""
        return list(dict.fromkeys(VARIABLE.findall(self.prompt)))

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """The sentence in pieces, each with whether it is a variable."""
        pieces = VARIABLE.split(self.prompt)
        return [(piece, number % 2 == 1) for number, piece in enumerate(pieces) if piece]


class RecipePhoto(Photo):
    """A photo that a recipe brings to every edit; `position` is its number there, from 2."""

    version = models.ForeignKey(RecipeVersion, on_delete=models.PROTECT, related_name="photos")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "position"], name="one_recipe_photo_for_a_position"),
            models.CheckConstraint(condition=Q(position__range=(2, 5)), name="recipe_photos_are_2_to_5"),
        ]

    def __str__(self) -> str:
        return f"photo {self.position}"

    @property
    def home(self) -> Workspace:
        return self.version.recipe.workspace
