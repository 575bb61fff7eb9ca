"""Recipes: reusable prompts that are saved, in versions, along with their options and photos."""

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
        """Limit to recipes that the user can see and that are not deleted.

        These are the user's own recipes and the recipes that are shared with the workspace.
        """
        return self.filter(Q(is_shared=True) | Q(maker=user), deleted=None)

    def private_to(self, user_id: int) -> "RecipeQuerySet":
        """Limit to this user's recipes that are neither deleted nor shared."""
        return self.filter(maker=user_id, is_shared=False, deleted=None)


class Recipe(models.Model):
    """The data that all versions of a recipe share: the recipe's name and visibility."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="recipes")
    maker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="recipes")
    name = models.CharField(max_length=80)
    is_shared = models.BooleanField(default=False, help_text="Visible to everyone in the workspace.")
    created = models.DateTimeField(default=timezone.now, editable=False)
    # A deleted recipe's row is kept, because edits refer to the recipe's versions. Its texts are emptied when
    # all these edits are purged.
    deleted = models.DateTimeField(null=True, blank=True)

    objects = RecipeQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["workspace", "deleted"], name="recipes_of_a_workspace")]

    def __str__(self) -> str:
        return self.name


class RecipeVersion(models.Model):
    """One version of a recipe's prompt and options.

    A version never changes, because edits refer to the version that they were created from.
    """

    recipe = models.ForeignKey(Recipe, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    maker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    prompt = models.TextField(help_text="Parts that change from edit to edit are written as {name}.")
    choices = models.JSONField(help_text="The options of the edit.")
    engine = models.CharField(
        max_length=50,
        blank=True,
        default="",
        db_default="",
        help_text="The name of the engine to use; empty for the choice of the site.",
    )
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
        """Return the distinct names of the variables to fill in, in the order of their first use."""
        return list(dict.fromkeys(VARIABLE.findall(self.prompt)))

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """Return the prompt's parts in order, each as its text and whether the text is a variable."""
        pieces = VARIABLE.split(self.prompt)
        return [(piece, number % 2 == 1) for number, piece in enumerate(pieces) if piece]


class RecipePhoto(Photo):
    """A photo that a recipe adds to every edit.

    `position` is the photo's number in the edit, starting at 2.
    """

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
    def owning_workspace(self) -> Workspace:
        return self.version.recipe.workspace
