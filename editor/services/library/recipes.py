"""Recipes: saved prompts with options and photos.

A recipe can be run again with different values for its variables.
"""

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Subquery, Sum
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from editor.engine.plan import Reason
from editor.engine.units import UNIT
from editor.models import DraftPhoto, Edit, Recipe, RecipePhoto, RecipeVersion, User
from editor.models.clock import database_now
from editor.models.recipes import VARIABLE
from editor.models.wording import number
from editor.options import EditOptions
from editor.providers.contract import Capabilities
from editor.services.core.access import Actor, Right
from editor.services.core.errors import Forbidden, NotFound
from editor.services.editing import engines, routing, submit
from editor.services.editing.submit import Admission, Submission
from editor.services.photos import drafts, photos

MAX_RECIPES = 200  # maximum number of recipes per user and workspace, because the list shows all of them
MAX_VARIABLES = 10
MAX_VALUE_CHARACTERS = 200
NAME_CHARACTERS = 80
ONE_PHOTO = gettext_noop("This recipe already includes the other photos. Add only one photo.")
UNREADABLE = gettext_noop("A photo in this recipe can no longer be read. Replace it in the recipe.")
_BRACES = re.compile(r"[{}]")
_QUOTED = re.compile(r"""(["“„][^"“”„«»]*["“”]|«[^«»]*»|(?<!\w)'[^']*'(?!\w))""")
_RUN = re.compile(rf"[\w#+.:-]*{VARIABLE.pattern}(?:[\w.:-]*{VARIABLE.pattern})*(?:\s?(?i:{UNIT})|\w)*")
"""Matches variables with the text around them, as in {width}x{height} or {number} percent."""
_RESERVED = re.compile("[«»‹›]")  # the quotation marks around inserted values


@dataclass(frozen=True)
class RecipeInput:
    """A version of a recipe as the user entered it. Its drafts are the photos after photo 1."""

    name: str
    prompt: str
    options: EditOptions = field(default_factory=EditOptions)
    is_shared: bool = False
    drafts: Sequence[DraftPhoto] = ()
    engine: str = ""  # the name of the engine to use, or "" for the choice of the site


@dataclass(frozen=True)
class Card:
    """A recipe in the list: its newest version, the number of edits made with it, and its latest success."""

    version: RecipeVersion
    runs: int
    example: Edit | None
    may_change: bool


class InvalidRecipe(Exception):
    """Raised when a recipe is not valid.

    `errors` maps each invalid part, named as in `validation_errors`, to a message.
    """

    def __init__(self, wrong: dict[str, str]) -> None:
        super().__init__(next(iter(wrong.values())))
        self.errors = wrong


class InvalidVariables(Exception):
    """Raised when the values do not fit the recipe.

    `errors` contains a message for each invalid variable. The first message is the exception's text.
    """

    def __init__(self, wrong: dict[str, str]) -> None:
        super().__init__(next(iter(wrong.values())))
        self.errors = wrong


def versions_of(actor: Actor) -> QuerySet[RecipeVersion]:
    """Return the newest version of each recipe that the actor can see, with its photos, ordered by name.

    Uses a constant number of queries.
    """
    newest = RecipeVersion.objects.filter(recipe=OuterRef("recipe")).order_by("-number").values("id")[:1]
    return (
        RecipeVersion.objects.filter(recipe__in=_seen_by(actor), id=Subquery(newest))
        .select_related("recipe", "recipe__maker")
        .prefetch_related("photos")
        .order_by("recipe__name", "recipe_id")
    )


def cards_of(actor: Actor) -> list[Card]:
    """Return a card for each recipe that the actor can see, ordered by name.

    Uses a constant number of queries.
    """
    runs = Edit.objects.not_in_trash().filter(recipe_version__recipe=OuterRef("recipe"))
    count = runs.order_by().values("recipe_version__recipe").annotate(n=Count("id")).values("n")
    last = runs.filter(state=Edit.State.SUCCESS, purged=None).newest_first().values("id")[:1]
    rows = versions_of(actor).annotate(runs=Subquery(count), example=Subquery(last))
    versions: list[Any] = list(rows)
    shown = Edit.objects.filter(id__in=[version.example for version in versions if version.example])
    examples = {edit.id: edit for edit in shown.prefetch_related("references", "results")}
    return [
        Card(version, version.runs or 0, examples.get(version.example), may_change(actor, version.recipe))
        for version in versions
    ]


def find_version(actor: Actor, recipe_id: uuid.UUID) -> RecipeVersion:
    """Return the newest version of this recipe. Raises NotFound if the actor cannot see it."""
    version = versions_of(actor).filter(recipe=recipe_id).first()
    if version is None:
        raise NotFound("There is no such recipe.")
    return version


def find_example(actor: Actor, version: RecipeVersion) -> Edit | None:
    """Return the latest successful edit with a recipe, or None. Raises nothing."""
    runs = Edit.objects.not_in_trash().filter(
        workspace=actor.workspace, recipe_version__recipe=version.recipe_id
    )
    return runs.filter(state=Edit.State.SUCCESS, purged=None).newest_first().first()


def may_change(actor: Actor, recipe: Recipe) -> bool:
    """Check whether the actor may change this recipe.

    Users may change their own recipes, and managers may also change the recipes that are shared with the
    team.
    """
    is_own = recipe.maker_id == actor.user.pk and actor.has(Right.KEEP_RECIPES)
    return is_own or (recipe.is_shared and actor.has(Right.MANAGE_RECIPES))


def require_change(actor: Actor, recipe: Recipe) -> None:
    """Raise Forbidden if the actor may not change this recipe."""
    if not may_change(actor, recipe):
        raise Forbidden(
            _("Only the person who created this recipe and the team's owners and admins can change it.")
        )


def engine_for(actor: Actor, version: RecipeVersion) -> str:
    """Return the name of the engine that the recipe names, or "" if it names none or one that is not
    available."""
    return version.engine if engines.find_available(actor.workspace, version.engine) else ""


def validation_errors(
    recipe_input: RecipeInput, *, photos: int, can: Capabilities | None = None
) -> dict[str, str]:
    """Return a message for each part of a recipe that is not valid for an engine that can do this.

    The keys are "name" and the names that `submit.validation_errors` uses. `photos` includes photo 1.
    """
    wrong = submit.validation_errors(
        prompt=recipe_input.prompt, options=recipe_input.options, photos=photos, can=can
    )
    if sentence := _name_error(recipe_input.name):
        wrong = {"name": sentence} | wrong
    if sentence := _variables_error(recipe_input.prompt):
        wrong.setdefault("prompt", sentence)
    return wrong


def save_recipe(
    actor: Actor, recipe_input: RecipeInput, *, after: RecipeVersion | None = None
) -> RecipeVersion:
    """Save a new recipe or, with `after`, a new version of an existing one.

    The drafts become the version's photos. Raises NotFound if the recipe was deleted in the meantime. Also
    raises Forbidden, InvalidRecipe, and submit.DraftGone. In all these cases, nothing has been written.
    """
    actor.require(Right.KEEP_RECIPES)
    recipe = after.recipe if after else None
    if recipe is not None:
        require_change(actor, recipe)
    can = routing.capabilities_in(actor.workspace, recipe_input.engine)
    wrong = validation_errors(recipe_input, photos=1 + len(recipe_input.drafts), can=can)
    if recipe_input.engine and not engines.find_available(actor.workspace, recipe_input.engine):
        wrong["engine"] = _("This engine is not available. Choose another one.")
    if recipe is None and _seen_by(actor).count() >= MAX_RECIPES:
        wrong.setdefault(
            "name",
            _("This workspace already has %(most)s recipes. Delete one first.") % {"most": MAX_RECIPES},
        )
    if wrong:
        raise InvalidRecipe(wrong)
    with transaction.atomic():
        _require_room(actor.user, recipe_input.drafts)
        recipe = _saved(actor, recipe_input, recipe)
        version = RecipeVersion.objects.create(
            recipe=recipe,
            number=(recipe.versions.aggregate(n=Max("number"))["n"] or 0) + 1,
            maker=actor.user,
            prompt=recipe_input.prompt,
            choices=recipe_input.options.as_json(),
            engine=recipe_input.engine,
        )
        RecipePhoto.objects.bulk_create(
            RecipePhoto(version=version, position=position, name=draft.name, **draft.file_fields())
            for position, draft in enumerate(recipe_input.drafts, start=2)
        )
        submit.consume_drafts(recipe_input.drafts)
    return version


def unknown_parts(actor: Actor, version: RecipeVersion) -> list[str]:
    """Return the parts of a recipe's prompt with words that its engine does not know, apart from variables.

    Returns nothing if its engine does not plan, or if the actor has requested too many plans.
    """
    count, engine = 1 + version.photos.count(), engine_for(actor, version)
    prompt = fill_variables(version, {name: f"{{{name}}}" for name in version.variables})
    try:
        quote = routing.quote(actor, prompt=prompt, options=version.options, photos=count, engine=engine)
    except routing.TooManyPlans:
        return []
    refusals = quote.plan.not_understood if quote.plan else ()
    return [as_written(one.words) for one in refusals if one.reason is Reason.UNKNOWN_WORD]


def _require_room(user: User, drafts: Sequence[DraftPhoto]) -> None:
    """Limit the total size of the photos in a user's recipes, because these photos cost no credits.

    The photos in trays have a similar limit. Call this function in the transaction that takes over these
    drafts. Raises InvalidRecipe.
    """
    if not drafts:
        return
    # Lock the user, so that simultaneous requests cannot exceed the limit.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    kept = RecipePhoto.objects.filter(version__maker=user).aggregate(size=Sum("size", default=0))["size"]
    most_bytes = settings.DRAFT_MEGABYTES_PER_USER * 1024**2
    if kept + sum(draft.size for draft in drafts) > most_bytes:
        sentence = _(
            "The photos in your recipes can take up at most %(most)s. Delete a recipe, or use fewer photos."
        )
        raise InvalidRecipe({"photos": sentence % {"most": filesizeformat(most_bytes)}})


def delete(actor: Actor, recipe: Recipe) -> None:
    """Delete a recipe and its photos.

    Its versions remain for the edits that refer to them. A second call has no effect. Raises Forbidden.
    """
    require_change(actor, recipe)
    Recipe.objects.filter(id=recipe.id, deleted=None).update(deleted=database_now())
    _forget(RecipePhoto.objects.filter(version__recipe=recipe))


def purge_deleted() -> None:
    """Delete the photos of deleted recipes, and the names and prompts that no edit needs any longer.

    Workspaces under a legal hold are skipped. A second call has no effect.
    """
    _forget(RecipePhoto.objects.all())
    left = Edit.objects.filter(recipe_version__recipe=OuterRef("pk"), purged=None)
    deleted = Recipe.objects.filter(~Exists(left), deleted__isnull=False, workspace__held_since=None)
    for recipe in deleted.exclude(name=""):
        with transaction.atomic():
            recipe.versions.update(prompt="")
            Recipe.objects.filter(pk=recipe.pk).update(name="")


def _forget(kept: QuerySet[RecipePhoto]) -> None:
    deleted = kept.filter(version__recipe__deleted__isnull=False, version__recipe__workspace__held_since=None)
    for photo in list(deleted):
        if deleted.filter(pk=photo.pk).delete()[0]:
            photos.remove_files([photo])


def fill_variables(version: RecipeVersion, values: Mapping[str, str]) -> str:
    """Return the recipe's prompt with these values filled in.

    A value cannot request an edit, and it cannot end its own quotation. If a quoted string contains a value
    that has quotation marks, the string is enclosed in «». Every other value is enclosed in ‹›, which the
    prompt language reads as one word. Braces in a value do not name a variable. Raises InvalidVariables.
    """
    names = version.variables
    wrong = {name: sentence for name in names if (sentence := _value_error(name, values.get(name, "")))}
    wrong |= {
        name: _("This recipe has no variable “%(name)s”.") % {"name": name}
        for name in values
        if name not in names
    }
    if wrong:
        raise InvalidVariables(wrong)
    return "".join(_filled(piece, values) for piece in _QUOTED.split(version.prompt))


def as_written(prompt: str) -> str:
    """Return a filled prompt as a person would write it, without the marks around values."""
    return prompt.replace("‹", "").replace("›", "")


def _filled(piece: str, values: Mapping[str, str]) -> str:
    """Replace the variables in a piece of a prompt. The piece is a quoted string or contains none."""

    def made(text: str) -> str:
        return VARIABLE.sub(lambda found: values[found[1]], text)

    if not _QUOTED.fullmatch(piece):
        return _RUN.sub(lambda found: f"‹{made(found[0])}›", piece)
    return made(piece) if _QUOTED.fullmatch(made(piece)) else f"«{made(piece[1:-1])}»"


def fill_submission(version: RecipeVersion, values: Mapping[str, str], submission: Submission) -> Submission:
    """Return the submission with the recipe's prompt filled in.

    Raises InvalidVariables. If the submission has no photo or more photos than the recipe allows, raises
    submit.InvalidSubmission.
    """
    prompt = fill_variables(version, values)
    if submission.photos < 1:
        raise submit.InvalidSubmission({"photos": _(submit.PHOTO_REQUIRED)})
    if version.photos.all() and submission.photos > 1:
        raise submit.InvalidSubmission({"photos": _(ONE_PHOTO)})
    return replace(submission, prompt=prompt, recipe_version=version)


def run(
    admission: Admission, version: RecipeVersion, values: Mapping[str, str], submission: Submission
) -> Edit:
    """Submit the recipe's prompt, with these values, for the submission's and the recipe's photos.

    Raises the same exceptions as `fill_submission` and `submit_edit`. Also raises OSError if one of the
    recipe's photos cannot be read; in this case, no copies remain.
    """
    filled = fill_submission(version, values, submission)
    with drafts.copies(version.photos.all()) as supplied:
        return submit.submit_edit(admission, replace(filled, additional_drafts=supplied))


def _seen_by(actor: Actor) -> QuerySet[Recipe]:
    return Recipe.objects.visible_to(actor.user).filter(workspace=actor.workspace)


def _saved(actor: Actor, wording: RecipeInput, recipe: Recipe | None) -> Recipe:
    """Save the recipe's name and visibility, and return the recipe.

    This locks the recipe's row, so that two versions saved at the same time get different numbers. Raises
    NotFound if the recipe was deleted in the meantime.
    """
    facts = {"name": wording.name, "is_shared": wording.is_shared}
    if recipe is None:
        return Recipe.objects.create(workspace=actor.workspace, maker=actor.user, **facts)
    if not Recipe.objects.filter(id=recipe.id, deleted=None).update(**facts):
        raise NotFound("There is no such recipe.")
    return recipe


def _name_error(name: str) -> str:
    if not name:
        return _("Enter a name for the recipe.")
    return (
        _("Use at most %(most)s characters for the name.") % {"most": NAME_CHARACTERS}
        if len(name) > NAME_CHARACTERS
        else ""
    )


def _variables_error(prompt: str) -> str:
    if _BRACES.search(VARIABLE.sub("", prompt)):
        return _(
            "Write a variable in braces, such as {color}. Start with a lowercase letter, then use "
            "lowercase letters, digits, and _."
        )
    if len(set(VARIABLE.findall(prompt))) > MAX_VARIABLES:
        return _("Use at most %(most)s variables.") % {"most": MAX_VARIABLES}
    return ""


def _value_error(name: str, value: str) -> str:
    if not value.strip():
        return _("Enter a value for “%(name)s”.") % {"name": name}
    if _RESERVED.search(value):
        return _("“%(name)s” can't contain the marks « » ‹ ›. Use other quotation marks.") % {"name": name}
    most = MAX_VALUE_CHARACTERS
    return (
        _("Use at most %(most)s characters for “%(name)s”. You entered %(count)s.")
        % {"most": most, "name": name, "count": number(len(value))}
        if len(value) > most
        else ""
    )
