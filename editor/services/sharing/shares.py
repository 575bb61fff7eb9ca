"""Share links, which let guests view an edit without an account.

A link is valid as long as its creator may still share and, if the team requires approval, its edit is
approved. Every request from a guest checks this again, including requests for photos. Therefore, the photos
become unavailable together with the link.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from editor.models import Action, Edit, Membership, ReferencePhoto, ResultPhoto, Share
from editor.models.wording import number
from editor.services.core import audit, links, rates
from editor.services.core.access import Actor, Right, user_has_right
from editor.services.core.errors import Forbidden
from editor.services.core.links import SharedPhoto

DAYS = (1, 7, 30, 90)
MAX_COMMENT_LENGTH = 500
MAX_LINKS = 20  # maximum number of links to one edit, because its page shows all of them
MAX_EDITS_TOGETHER = 50  # maximum number of edits that can be shared together
FAILURES_PER_MINUTE = 30
PHOTO_URL_LIFETIME = timedelta(hours=12)  # lifetime of the photo URLs on a guest's page


class ShareRefused(Exception):
    """Raised when a share link cannot be created.

    The exception's message is shown to users, and `field` names the invalid part.
    """

    def __init__(self, field: str | None, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True)
class BulkShareResult:
    """The result of sharing several edits.

    The links were created at `moment`. `refused` contains the reasons why the remaining edits were not
    shared.
    """

    moment: datetime
    refused: list[str]


class ShareGone(Exception):
    """Raised when a share link has expired, was revoked, or never existed, or its edit awaits approval."""


def share(
    actor: Actor,
    edit: Edit,
    *,
    days: int = 7,
    comment: str = "",
    shows_prompt: bool = True,
    allows_download: bool = False,
    moment: datetime | None = None,
) -> Share:
    """Create a link to the edit that is valid for `days`, which must be one of DAYS.

    The guest sees the photos before and after the edit, the comment, and, if `shows_prompt` is set, the
    prompt. Raises Forbidden and ShareRefused.
    """
    now = moment or timezone.now()
    actor.require(Right.SHARE)
    if days not in DAYS:
        raise ShareRefused(
            "days",
            _("A link can be valid for %(days)s or %(most)s days.")
            % {"days": ", ".join(map(str, DAYS[:-1])), "most": DAYS[-1]},
        )
    if len(comment) > MAX_COMMENT_LENGTH:
        raise ShareRefused(
            "comment",
            _("Use at most %(most)s characters. You entered %(count)s.")
            % {"most": MAX_COMMENT_LENGTH, "count": number(len(comment))},
        )
    seed = secrets.token_hex(16)
    with transaction.atomic():
        _require_shareable(actor, edit)
        link = Share.objects.create(
            edit=edit,
            made_by=actor.user,
            comment=comment,
            shows_prompt=shows_prompt,
            allows_download=allows_download,
            seed=seed,
            digest=links.digest_of(links.share_token(seed)),
            created=now,
            expires=now + timedelta(days=days),
        )
        audit.record(actor, Action.SHARED, subject=edit, detail={"link": link.pk, "days": days})
    return link


def share_together(actor: Actor, edits: Iterable[Edit], **choices: Any) -> BulkShareResult:
    """Create a separate link for each of these edits.

    All links get the same options, as described in `share`. Raises ShareRefused if no link could be created.
    Also raises Forbidden.
    """
    actor.require(Right.SHARE)
    selected, moment, refused = list(edits), timezone.now(), []
    if len(selected) > MAX_EDITS_TOGETHER:
        sentence = _("Share at most %(most)s edits at a time. You selected %(count)s.")
        raise ShareRefused(None, sentence % {"most": MAX_EDITS_TOGETHER, "count": number(len(selected))})
    for edit in selected:
        try:
            share(actor, edit, moment=moment, **choices)
        except ShareRefused as error:
            refused.append(str(error))
    if len(refused) == len(selected):
        raise ShareRefused(None, refused[0] if refused else _("Select some edits first."))
    return BulkShareResult(moment, list(dict.fromkeys(refused)))


def shares_created_at(actor: Actor, moment: datetime) -> QuerySet[Share]:
    """Return the open links that the actor's user created at this moment in this workspace.

    Each link is returned along with its edit. Links to the newest edits come first.
    """
    found = _open().filter(made_by=actor.user, created=moment, edit__workspace=actor.workspace)
    return found.select_related("edit").prefetch_related("edit__results").order_by("-edit_id")


def working_shares_of(member: Membership) -> QuerySet[Share]:
    """Return the links that this member created in this team and that guests can use now."""
    return _usable().filter(made_by=member.user_id, edit__workspace=member.workspace_id)


def revoke(actor: Actor, link: Share) -> None:
    """Revoke a link immediately.

    Reviewers may revoke any link. Other members may revoke only their own. A second call has no effect.
    Raises Forbidden.
    """
    if not may_revoke(actor, link):
        raise Forbidden(_("Only the person who created this link and the team's reviewers can revoke it."))
    with transaction.atomic():
        if Share.objects.filter(pk=link.pk, revoked=None).update(revoked=timezone.now()):
            audit.record(actor, Action.SHARE_REVOKED, subject=link.edit, detail={"link": link.pk})


def may_revoke(actor: Actor, link: Share) -> bool:
    return link.made_by_id == actor.user.pk or actor.has(Right.REVIEW)


def shares_of(edit: Edit) -> QuerySet[Share]:
    """Return the open links to an edit, newest first, including links that await the edit's approval."""
    return _open().filter(edit=edit).select_related("made_by")


def link_of(link: Share, *, site: str) -> str:
    """Return the link's URL."""
    return site + reverse("share", args=[links.share_token(link.seed)])


def find(token: str, *, attempt: str) -> Share:
    """Return the valid link that has this token, along with its edit.

    Failed attempts are counted under `attempt`, the visitor's network address. Raises ShareGone and
    rates.TooManyAttempts.
    """
    valid = _usable().filter(digest=links.digest_of(token)).select_related("edit__workspace", "made_by")
    found = rates.look_up_secret(f"share:{attempt}", valid.first, limit=FAILURES_PER_MINUTE)
    if found is None:
        raise ShareGone
    return found


def find_photo(signed: SharedPhoto) -> tuple[Share, ResultPhoto | ReferencePhoto] | None:
    """Return the share link and the photo for a guest's photo URL, or None if the link is no longer valid."""
    found = _usable().filter(pk=signed.share_id).first()
    models: dict[str, type[ResultPhoto] | type[ReferencePhoto]] = {
        "results": ResultPhoto,
        "references": ReferencePhoto,
    }
    photos = models[signed.kind]._default_manager.select_related("edit__workspace")
    photo = photos.filter(pk=signed.photo_id, edit=found.edit_id).first() if found else None
    return (found, photo) if found and photo else None


def photo_urls_expire_at(link: Share) -> datetime:
    """Return when the photo URLs on a page that is shown now will expire."""
    return min(link.expires, timezone.now() + PHOTO_URL_LIFETIME)


def _require_shareable(actor: Actor, edit: Edit) -> None:
    """Check that a link to the edit can be created. Raises ShareRefused if not.

    Locks the edit's row, so that links are counted correctly and no link is created during a step of the
    edit's review. Call this function in a transaction.
    """
    shown = Edit.objects.not_in_trash().filter(
        pk=edit.pk, workspace=actor.workspace, state=Edit.State.SUCCESS
    )
    fresh = shown.select_for_update(of=("self",)).select_related("workspace").first()
    if fresh is None:
        raise ShareRefused(None, _("Only a finished edit that is not in the trash can be shared."))
    if fresh.is_withheld:
        raise ShareRefused(None, _("This team shares approved edits only. Send this one to review first."))
    if shares_of(edit).count() >= MAX_LINKS:
        raise ShareRefused(
            None,
            _("This edit already has %(most)s links, which is the maximum. Revoke one first.")
            % {"most": MAX_LINKS},
        )


def _open() -> QuerySet[Share]:
    """Return the links that have not expired or been revoked and whose creators may still share."""
    may_share = user_has_right(Right.SHARE, user="made_by", workspace="edit__workspace")
    return Share.objects.filter(may_share, revoked=None, expires__gt=timezone.now())


def _usable() -> QuerySet[Share]:
    """Return the open links that guests can use now."""
    is_let_go = Q(edit__workspace__approval_since=None) | Q(edit__review_state=Edit.ReviewState.APPROVED)
    return _open().filter(is_let_go, edit__trashed=None, edit__purged=None)
