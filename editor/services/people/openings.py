"""Openings: the rules for which photos and prompts staff may see.

Staff see photos and prompts in teams, in their own workspaces, and in personal workspaces that they opened.
To open a personal workspace, staff must give a reason that its owner can read, and the opening lasts half an
hour. With REVIEW_PERSONAL=open, staff see everything, and the sign-up and account pages say so.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.models import Action, Edit, Opening, ReferencePhoto, ResultPhoto, User, Workspace
from editor.models.clock import database_now
from editor.models.edits import EditQuerySet
from editor.services.core import audit
from editor.services.core.access import reviewer_actor
from editor.services.core.errors import Forbidden, NotFound

OPENING_DURATION = timedelta(minutes=30)
WORKSPACE_NOT_OPEN = gettext_lazy(
    "This is someone's personal workspace. Open it for review first, and give a reason."
)
PHOTO_MODELS: dict[str, type[ReferencePhoto] | type[ResultPhoto]] = {
    "references": ReferencePhoto,
    "results": ResultPhoto,
}


class AlreadyOpen(Exception):
    """Raised when a workspace is already open to this reviewer. The exception's message is shown to staff."""

    def __init__(self) -> None:
        super().__init__(_("You can already see the edits in this workspace."))


@dataclass(frozen=True)
class ReviewAccess:
    """The workspaces that a staff member may see now.

    `open_until` maps the ID of each opened workspace to its expiration time.
    """

    user: User
    open_until: dict[int, datetime]

    def allows(self, workspace: Workspace) -> bool:
        """Check whether this person may see the photos and prompts in this workspace."""
        if workspace.personal_user_id in (None, self.user.pk) or is_open_to_all():
            return True
        return workspace.pk in self.open_until

    def filter(self, edits: EditQuerySet) -> EditQuerySet:
        """Return the edits whose photos and prompts this person may see."""
        if is_open_to_all():
            return edits
        is_shown = Q(workspace__personal_user=None) | Q(workspace__personal_user=self.user)
        return edits.filter(is_shown | Q(workspace__in=list(self.open_until)))


def is_open_to_all() -> bool:
    """Check whether staff may see everything without giving a reason."""
    return settings.REVIEW_PERSONAL == "open"


def review_access_of(user: User) -> ReviewAccess:
    """Return what this staff member may see now. Raises Forbidden for anyone who is not staff."""
    _require_staff(user)
    current = current_openings(user).order_by("expires")
    return ReviewAccess(user, dict(current.values_list("workspace_id", "expires")))


def current_openings(user: User) -> QuerySet[Opening]:
    """Return the unexpired openings for this staff member."""
    return Opening.objects.filter(reviewer=user, expires__gt=database_now())


def open_workspace(user: User, workspace: Workspace, *, reason: str) -> Opening:
    """Open a personal workspace to a staff member for half an hour.

    Its owner can read the reason. Raises Forbidden and AlreadyOpen.
    """
    _require_staff(user)
    if workspace.personal_user_id in (None, user.pk) or is_open_to_all():
        raise AlreadyOpen
    with transaction.atomic():
        opening = Opening.objects.create(
            reviewer=user, workspace=workspace, reason=reason, expires=database_now() + OPENING_DURATION
        )
        audit.record(
            reviewer_actor(user, workspace), Action.PERSONAL_OPENED, subject=workspace, reason=reason
        )
    return opening


def end_opening(user: User, workspace: Workspace, *, reason: str = "") -> bool:
    """Close a workspace that this staff member opened, before the opening expires.

    Returns False if the workspace was not open.
    """
    now = database_now()
    with transaction.atomic():
        current = Opening.objects.filter(reviewer=user, workspace=workspace, expires__gt=now)
        is_shut = bool(current.update(expires=now))
        if is_shut:
            audit.record(
                reviewer_actor(user, workspace), Action.PERSONAL_SHUT, subject=workspace, reason=reason
            )
    return is_shut


def openings_of(workspace: Workspace) -> QuerySet[Opening]:
    """Return the occasions on which staff opened a workspace, newest first."""
    return workspace.openings.select_related("reviewer").order_by("-id")


def find_reviewed_photo(user: User, kind: str, photo_id: uuid.UUID) -> ReferencePhoto | ResultPhoto:
    """Return a photo that belongs to any edit, for staff.

    Raises Forbidden if the workspace is not open to them. Also raises NotFound.
    """
    model = PHOTO_MODELS.get(kind)
    photos = model._default_manager.select_related("edit__workspace") if model else None
    photo = photos.filter(pk=photo_id, edit__purged=None).first() if photos is not None else None
    if photo is None:
        raise NotFound("There is no such photo.")
    require_review_access(user, photo.edit)
    return photo


def require_review_access(user: User, edit: Edit) -> None:
    """Raise Forbidden if the photos and prompts in the edit's workspace are not open to this user."""
    if not review_access_of(user).allows(edit.workspace):
        raise Forbidden(WORKSPACE_NOT_OPEN)


def _require_staff(user: User) -> None:
    if not (user.is_active and user.is_staff):
        raise Forbidden(_("Only administrators can review other people's edits."))
