"""Who acts, in which workspace, and what they may do there. One table says which role has which right."""

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

Door = Literal["page", "api", "admin", "command"]
PhotoKind = Literal["drafts", "recipes", "references", "results"]
PHOTO_KINDS: tuple[PhotoKind, ...] = get_args(PhotoKind)
Role = Membership.Role


class Right(StrEnum):
    """What one may do in a workspace."""

    VIEW = gettext_noop("see its edits")
    DOWNLOAD = gettext_noop("download its photos")
    COMMENT = gettext_noop("comment")
    EDIT = gettext_noop("edit in it")
    REVIEW = gettext_noop("approve or decline edits")
    SHARE = gettext_noop("share edits with guests")
    DELETE_OWN = gettext_noop("delete your edits")
    DELETE_ANY = gettext_noop("delete edits of others")
    KEEP_RECIPES = gettext_noop("keep recipes in it")
    MANAGE_RECIPES = gettext_noop("change recipes of others")
    MAKE_KEYS = gettext_noop("make API keys")
    REVOKE_KEYS = gettext_noop("revoke API keys of others")
    MANAGE_WEBHOOKS = gettext_noop("manage its webhooks")
    MANAGE_MEMBERS = gettext_noop("manage its members")
    SEE_USAGE = gettext_noop("see its usage")
    SET_WORKSPACE = gettext_noop("change its settings")
    SET_RETENTION = gettext_noop("say how long its edits are kept")
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
    Right.EXPORT: MANAGERS,
    Right.HAND_OVER: OWNERS,
    Right.CLOSE: OWNERS,
}
# What is otherwise in a team that requires approval: the interface knows no review, so a key passes by it.
WITH_APPROVAL: dict[Right, frozenset[Role]] = {Right.MAKE_KEYS: MANAGERS}


@dataclass(frozen=True)
class Actor:
    """A user, or a program with a key of theirs, at work in a workspace, by one door. Goes to every verb."""

    user: User
    workspace: Workspace
    role: Membership.Role
    door: Door = "page"
    key: ApiKey | None = None  # of a program
    staff: User | None = None  # who does it for the user

    @property
    def may(self) -> dict[str, bool]:
        """Every right by its name in lower case, for templates: `actor.may.edit`."""
        return {right.name.lower(): self.has(right) for right in Right}

    def has(self, right: Right) -> bool:
        rights = RIGHTS | WITH_APPROVAL if self.workspace.requires_approval else RIGHTS
        return self.role in rights[right]

    def require(self, right: Right) -> None:
        """Raises Forbidden, with a sentence for people, when the role has not this right."""
        if not self.has(right):
            raise Forbidden(
                _("Your role in this workspace does not allow you to %(right)s.") % {"right": _(right.value)}
            )


def actor_at(user: User, slug: str) -> Actor:
    """The user in the workspace of this slug; raises NotFound for a stranger."""
    members = Membership.objects.select_related("workspace").filter(user=user)
    member = members.filter(workspace__slug=_plain(slug)).first()
    if member is None:
        raise NotFound("There is nothing here.")
    return Actor(user=user, workspace=member.workspace, role=Role(member.role))


def workspaces_of(user: User, right: Right = Right.VIEW) -> QuerySet[Workspace]:
    """Where this user has the right: their own workspace first, then the teams by name."""
    mine = Workspace.objects.filter(memberships__user=user, memberships__role__in=RIGHTS[right])
    return mine.order_by(F("personal_user").asc(nulls_last=True), "name", "id")


def last_used_workspace(user: User, slug: str) -> Workspace:
    """Return the workspace of this slug, as a browser remembers it, if the user is in it. Otherwise return
    their own, or a team if their own cannot pay for an edit."""
    mine = Workspace.objects.filter(memberships__user=user)
    if slug and (remembered := mine.filter(slug=_plain(slug)).first()):
        return remembered
    own = user.personal_workspace
    return own if own.affords_edit else richest_team(user) or own


def richest_team(user: User, right: Right = Right.VIEW) -> Workspace | None:
    """Return the team with the most free credits among those in which the user has this right."""
    teams = [workspace for workspace in workspaces_of(user, right) if workspace.is_team]
    return max(teams, key=lambda team: team.free, default=None)


def personal_actor(user: User, *, door: Door = "page") -> Actor:
    """The user in their own workspace."""
    return actor_in(user, user.personal_workspace, door=door)


def actor_in(user: User, workspace: Workspace, *, door: Door = "page") -> Actor:
    """The user in this workspace; raises NotFound for a stranger."""
    membership = Membership.objects.filter(user=user, workspace=workspace).first()
    if membership is None:
        raise NotFound("There is nothing here.")
    return Actor(user=user, workspace=workspace, role=Role(membership.role), door=door)


def reviewer(user: User, workspace: Workspace) -> Actor:
    """A member of the staff, at work in anybody's workspace by the administration's door."""
    return Actor(user=user, workspace=workspace, role=Role.ADMIN, door="admin")


def on_behalf(user: User, edit: Edit) -> Actor:
    """The owner of an edit in its workspace, for whom a member of the staff does what the owner may do there
    by the administration's door. The owner's caps and the workspace's purse hold as ever. Raises NotFound
    when the owner has left it."""
    return replace(actor_in(edit.owner, edit.workspace, door="admin"), staff=user)


def find_edit(user: User, edit_id: uuid.UUID, *, is_in_trash: bool = False) -> tuple[Actor, Edit]:
    """The edit with the user as its actor; NotFound for a stranger, and for one that lies in the trash, when
    it is not looked for there. Of one that staff have hidden its owner is told why, by Forbidden."""
    edits = Edit.objects.in_trash() if is_in_trash else Edit.objects.shown()
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
    """A stored photo that this user may see; raises NotFound otherwise. Staff see none of others' here:
    the admin has its own door."""
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


def still_has(right: Right, *, user: str, workspace: str) -> Exists:
    """Among rows: those whose `user`, a column, has this right in their `workspace`, in an open account."""
    members = Membership.objects.filter(user__is_active=True, role__in=RIGHTS[right])
    return Exists(members.filter(user=OuterRef(user), workspace=OuterRef(workspace)))


def may_take(user_id: int | None, photo: Photo) -> bool:
    """Whether this user may have the original of a photo that they see: the one rule beneath every way to its
    bytes. The site itself (None) may."""
    if user_id is None or not photo.is_withheld:
        return True
    reviewers = Membership.objects.filter(user=user_id, role__in=RIGHTS[Right.REVIEW])
    return reviewers.filter(workspace=photo.home).exists()


def find_signed_photo(signed: SignedPhoto) -> ResultPhoto | ReferencePhoto | None:
    """The photo of a signed address, with its edit; None once it is in the trash or purged, or its user may
    not see it any more."""
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
        raise Forbidden(
            _("The people who run this site have hidden this edit: %(reason)s") % {"reason": reason}
        )


def _plain(slug: str) -> str:
    """As a form or a cookie sends it: PostgreSQL breaks at a NUL."""
    return slug.replace("\x00", "")
