"""Actors, and a table of each role's rights in a workspace."""

import uuid
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, get_args

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from editor.models import (
    ApiKey,
    DraftPhoto,
    Edit,
    Membership,
    Photo,
    Recipe,
    RecipePhoto,
    ReferencePhoto,
    ResultPhoto,
    User,
    Workspace,
)
from editor.services.core.errors import Forbidden, NotFound
from editor.services.core.links import SignedPhoto

EntryPoint = Literal["page", "api", "admin", "command"]
PhotoKind = Literal["drafts", "recipes", "references", "results"]
PHOTO_KINDS: tuple[PhotoKind, ...] = get_args(PhotoKind)
Role = Membership.Role


class Right(StrEnum):
    """A right in a workspace. Its value completes the sentence "does not allow you to ..." in `require`."""

    VIEW = gettext_noop("view its edits")
    DOWNLOAD = gettext_noop("download its photos")
    COMMENT = gettext_noop("comment")
    EDIT = gettext_noop("edit photos in it")
    REVIEW = gettext_noop("approve or decline edits")
    SHARE = gettext_noop("share edits with guests")
    DELETE_OWN = gettext_noop("delete your edits")
    DELETE_ANY = gettext_noop("delete other people's edits")
    KEEP_RECIPES = gettext_noop("save recipes in it")
    MANAGE_RECIPES = gettext_noop("change other people's recipes")
    MAKE_KEYS = gettext_noop("create API keys")
    REVOKE_KEYS = gettext_noop("revoke other people's API keys")
    MANAGE_WEBHOOKS = gettext_noop("manage its webhooks")
    MANAGE_MEMBERS = gettext_noop("manage its members")
    SEE_USAGE = gettext_noop("view its usage")
    SET_WORKSPACE = gettext_noop("change its settings")
    SET_RETENTION = gettext_noop("set how long its edits are kept")
    SET_ENGINES = gettext_noop("exclude engines from it")
    EXPORT = gettext_noop("export it")
    HAND_OVER = gettext_noop("hand it over")
    CLOSE = gettext_noop("close it")


EVERYBODY = frozenset(Role)
EDITORS = frozenset({Role.OWNER, Role.ADMIN, Role.EDITOR})
MANAGERS = frozenset({Role.OWNER, Role.ADMIN})
OWNERS = frozenset({Role.OWNER})

RIGHTS: dict[Right, frozenset[Role]] = {
    Right.VIEW: EVERYBODY,
    Right.DOWNLOAD: EVERYBODY,
    Right.COMMENT: EVERYBODY,
    Right.EDIT: EDITORS,
    Right.REVIEW: MANAGERS,
    Right.SHARE: EDITORS,
    Right.DELETE_OWN: EDITORS,
    Right.DELETE_ANY: MANAGERS,
    Right.KEEP_RECIPES: EDITORS,
    Right.MANAGE_RECIPES: MANAGERS,
    Right.MAKE_KEYS: EVERYBODY,
    Right.REVOKE_KEYS: MANAGERS,
    Right.MANAGE_WEBHOOKS: MANAGERS,
    Right.MANAGE_MEMBERS: MANAGERS,
    Right.SEE_USAGE: MANAGERS,
    Right.SET_WORKSPACE: MANAGERS,
    Right.SET_RETENTION: OWNERS,
    Right.SET_ENGINES: OWNERS,
    Right.EXPORT: MANAGERS,
    Right.HAND_OVER: OWNERS,
    Right.CLOSE: OWNERS,
}
# In a team that requires approval, only managers may create API keys. The API has no review, so a key would
# bypass it.
RIGHTS_WITH_APPROVAL: dict[Right, frozenset[Role]] = {Right.MAKE_KEYS: MANAGERS}


@dataclass(frozen=True)
class Actor:
    """A user who acts in a workspace, or a program that does so with one of the user's API keys.

    Every actor comes through one entry point. Most service functions take an actor as their first argument.
    """

    user: User
    workspace: Workspace
    role: Membership.Role
    entry_point: EntryPoint = "page"
    key: ApiKey | None = None  # the API key that the program uses
    staff: User | None = None  # the staff member who acts on behalf of `user`

    @property
    def may(self) -> dict[str, bool]:
        """Return whether the actor has each right, by lowercase name. Templates use `actor.may.edit`."""
        return {right.name.lower(): self.has(right) for right in Right}

    def has(self, right: Right) -> bool:
        return self.role in roles_with(right, self.workspace)

    def require(self, right: Right) -> None:
        """Raise Forbidden with a user-readable message if the role does not include this right."""
        if not self.has(right):
            raise Forbidden(
                _("Your role in this workspace does not allow you to %(right)s.") % {"right": _(right.value)}
            )


def roles_with(right: Right, workspace: Workspace) -> frozenset[Role]:
    """Return the roles that include this right in the workspace."""
    rights = RIGHTS | RIGHTS_WITH_APPROVAL if workspace.requires_approval else RIGHTS
    return rights[right]


def actor_at(user: User, slug: str) -> Actor:
    """Return the user as an actor in the workspace with this slug.

    Raises NotFound if the user is not a member.
    """
    members = Membership.objects.select_related("workspace").filter(user=user)
    member = members.filter(workspace__slug=_plain(slug)).first()
    if member is None:
        raise NotFound("There is nothing here.")
    return Actor(user=user, workspace=member.workspace, role=Role(member.role))


def workspaces_of(user: User, right: Right = Right.VIEW) -> QuerySet[Workspace]:
    """Return the workspaces in which the user has this right: the personal one first, then teams by name."""
    mine = Workspace.objects.filter(memberships__user=user, memberships__role__in=RIGHTS[right])
    return mine.order_by(F("personal_user").asc(nulls_last=True), "name", "id")


def last_used_workspace(user: User, slug: str) -> Workspace:
    """Return the workspace with this slug, which the browser remembers, if the user is a member of it.

    Otherwise, returns the personal workspace. If the personal workspace cannot pay for an edit, returns the
    team with the most free credits, if the user has a team.
    """
    mine = Workspace.objects.filter(memberships__user=user)
    if slug and (remembered := mine.filter(slug=_plain(slug)).first()):
        return remembered
    own = user.personal_workspace
    return own if own.can_afford_edit else team_with_most_credits(user) or own


def team_with_most_credits(user: User, right: Right = Right.VIEW) -> Workspace | None:
    """Return the team with the most free credits among those in which the user has this right."""
    teams = [workspace for workspace in workspaces_of(user, right) if workspace.is_team]
    return max(teams, key=lambda team: team.free_credits, default=None)


def personal_actor(user: User, *, entry_point: EntryPoint = "page") -> Actor:
    """Return the user as an actor in their personal workspace."""
    return actor_in(user, user.personal_workspace, entry_point=entry_point)


def actor_in(user: User, workspace: Workspace, *, entry_point: EntryPoint = "page") -> Actor:
    """Return the user as an actor in this workspace. Raises NotFound if the user is not a member."""
    membership = Membership.objects.filter(user=user, workspace=workspace).first()
    if membership is None:
        raise NotFound("There is nothing here.")
    return Actor(user=user, workspace=workspace, role=Role(membership.role), entry_point=entry_point)


def reviewer_actor(user: User, workspace: Workspace) -> Actor:
    """Return a staff member as an actor with the admin role in this workspace, through the Django admin."""
    return Actor(user=user, workspace=workspace, role=Role.ADMIN, entry_point="admin")


def owner_actor(user: User, edit: Edit) -> Actor:
    """Return an edit's owner as an actor in its workspace, for a staff member who acts on the owner's behalf.

    The entry point is the Django admin. The owner's caps and the workspace's balance apply as usual. Raises
    NotFound if the owner has left the workspace.
    """
    return replace(actor_in(edit.owner, edit.workspace, entry_point="admin"), staff=user)


def find_edit(user: User, edit_id: uuid.UUID, *, is_in_trash: bool = False) -> tuple[Actor, Edit]:
    """Return the user as an actor in the edit's workspace, along with the edit.

    Raises NotFound if the user is not a member of this workspace, or if the edit is in the trash and
    `is_in_trash` is not set. If the user owns the edit but staff have hidden it, raises Forbidden with the
    reason.
    """
    edits = Edit.objects.in_trash() if is_in_trash else Edit.objects.not_in_trash()
    edit = (
        edits.select_related("workspace", "owner")
        .filter(id=edit_id, workspace__memberships__user=user)
        .first()
    )
    if edit is None:
        _require_not_hidden(user, edit_id)
        raise NotFound("There is no such edit.")
    return actor_in(user, edit.workspace), edit


def find_photo(user: User, kind: PhotoKind, photo_id: uuid.UUID) -> Photo:
    """Return a stored photo that this user may see. Raises NotFound otherwise.

    Staff get no special access here: the Django admin has its own entry point for photos.
    """
    seen = Q(edit__workspace__memberships__user=user, edit__trashed=None)
    queries = {
        "drafts": DraftPhoto.objects.filter(user=user, workspace__memberships__user=user),
        "recipes": RecipePhoto.objects.filter(
            version__recipe__in=Recipe.objects.visible_to(user),
            version__recipe__workspace__memberships__user=user,
        ),
        "references": ReferencePhoto.objects.filter(seen),
        "results": ResultPhoto.objects.filter(seen),
    }
    photo = queries[kind].filter(id=photo_id).first()
    if photo is None:
        raise NotFound("There is no such photo.")
    return photo


def user_has_right(right: Right, *, user: str, workspace: str) -> Exists:
    """Return a query condition that matches rows whose user has this right in the row's workspace.

    Users whose accounts are blocked or closed do not match. `user` and `workspace` are names of columns.
    """
    members = Membership.objects.filter(user__is_active=True, role__in=RIGHTS[right])
    return Exists(members.filter(user=OuterRef(user), workspace=OuterRef(workspace)))


def may_get_original(user_id: int | None, photo: Photo) -> bool:
    """Check whether this user may have the original of a photo that they can see.

    Every function that provides a photo's bytes calls this function. The site itself (None) always has
    access.
    """
    if user_id is None or not photo.is_withheld:
        return True
    reviewers = Membership.objects.filter(user=user_id, role__in=RIGHTS[Right.REVIEW])
    return reviewers.filter(workspace=photo.owning_workspace).exists()


def find_signed_photo(signed: SignedPhoto) -> ResultPhoto | ReferencePhoto | None:
    """Return the photo that a signed URL names, along with its edit and workspace.

    Returns None if the edit is in the trash or purged, or if the user may no longer see the photo.
    """
    models: dict[str, type[ResultPhoto] | type[ReferencePhoto]] = {
        "results": ResultPhoto,
        "references": ReferencePhoto,
        "lent": ReferencePhoto,
    }
    photos = models[signed.kind]._default_manager.select_related("edit__workspace")
    return photos.filter(
        id=signed.photo_id,
        edit__trashed=None,
        edit__purged=None,
        edit__workspace__memberships__user=signed.user_id,
        edit__workspace__memberships__user__is_active=True,
    ).first()


def _require_not_hidden(user: User, edit_id: uuid.UUID) -> None:
    hidden = Edit.objects.filter(pk=edit_id, owner=user, hidden__isnull=False)
    for reason in hidden.filter(workspace__memberships__user=user).values_list("hidden_reason", flat=True):
        raise Forbidden(_("An administrator hid this edit: %(reason)s") % {"reason": reason})


def _plain(slug: str) -> str:
    """Remove NUL characters, which a form or a cookie may contain and PostgreSQL rejects."""
    return slug.replace("\x00", "")
