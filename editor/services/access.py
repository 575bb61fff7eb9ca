"""Who acts, where, and what they may see: a stranger gets 404, a member without the right gets 403."""

import uuid
from dataclasses import dataclass
from typing import Literal

from django.core.exceptions import PermissionDenied
from django.http import Http404

from editor.models import (
    ApiKey,
    DraftPhoto,
    Edit,
    Membership,
    Photo,
    ReferencePhoto,
    ResultPhoto,
    User,
    Workspace,
)
from editor.services.links import SignedPhoto

Door = Literal["page", "api", "admin", "command"]
PhotoKind = Literal["drafts", "references", "results"]


@dataclass(frozen=True)
class Actor:
    """A user, or a program with a key of theirs, at work in a workspace, by one door. Goes to every verb."""

    user: User
    workspace: Workspace
    role: Membership.Role
    door: Door = "page"
    key: ApiKey | None = None  # of a program

    @property
    def may_edit(self) -> bool:
        return self.role != Membership.Role.VIEWER

    def require_edit(self) -> None:
        """Raises PermissionDenied for a viewer."""
        if not self.may_edit:
            raise PermissionDenied("You may look at this workspace, but not edit in it.")


def personal_actor(user: User, *, door: Door = "page") -> Actor:
    """The user in their own workspace."""
    return actor_in(user, user.personal_workspace, door=door)


def actor_in(user: User, workspace: Workspace, *, door: Door = "page") -> Actor:
    """The user in this workspace; raises Http404 for a stranger."""
    membership = Membership.objects.filter(user=user, workspace=workspace).first()
    if membership is None:
        raise Http404("There is nothing here.")
    return Actor(user=user, workspace=workspace, role=Membership.Role(membership.role), door=door)


def find_edit(user: User, edit_id: uuid.UUID, *, to_change: bool = False) -> tuple[Actor, Edit]:
    """The edit with the user as its actor; Http404 for a stranger, PermissionDenied for a viewer who
    wants to change something."""
    edit = (
        Edit.objects.select_related("workspace", "owner")
        .filter(id=edit_id, workspace__memberships__user=user)
        .first()
    )
    if edit is None:
        raise Http404("There is no such edit.")
    actor = actor_in(user, edit.workspace)
    if to_change:
        actor.require_edit()
    return actor, edit


def find_photo(user: User, kind: PhotoKind, photo_id: uuid.UUID) -> Photo:
    """A stored photo that this user may see; raises Http404 otherwise. Staff see none of others' here:
    the admin has its own door."""
    queries = {
        "drafts": DraftPhoto.objects.filter(user=user),
        "references": ReferencePhoto.objects.filter(edit__workspace__memberships__user=user),
        "results": ResultPhoto.objects.filter(edit__workspace__memberships__user=user),
    }
    photo = queries[kind].filter(id=photo_id).first()
    if photo is None:
        raise Http404("There is no such photo.")
    return photo


def find_signed_photo(signed: SignedPhoto) -> ResultPhoto | ReferencePhoto | None:
    """The photo of a signed address, with its edit; None once it is purged, or its user may not see it
    any more."""
    models: dict[str, type[ResultPhoto] | type[ReferencePhoto]] = {
        "results": ResultPhoto,
        "references": ReferencePhoto,
    }
    photos = models[signed.kind]._default_manager.select_related("edit")
    return photos.filter(
        id=signed.photo_id,
        edit__purged=None,
        edit__workspace__memberships__user=signed.user_id,
        edit__workspace__memberships__user__is_active=True,
    ).first()
