"""Links by which guests look at an edit without an account: made, listed, followed, revoked.

A link lives as long as who made it may still share, and, where the team requires it, while its edit is
approved. Everything that a guest gets asks that again, pictures included: they die with the link.
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

from editor.models import Action, Edit, ReferencePhoto, ResultPhoto, Share
from editor.models.wording import number
from editor.services.core import audit, links, rates
from editor.services.core.access import Actor, Right, still_has
from editor.services.core.errors import Forbidden
from editor.services.core.links import SharedPhoto

DAYS = (1, 7, 30, 90)
LONGEST_COMMENT = 500
MOST_LINKS = 20  # of an edit: its page shows them all
MOST_AT_ONCE = 50  # edits that are shared together
WRONG_PER_MINUTE = 30
SEEN_FOR = timedelta(hours=12)  # how long the pictures of a page stay good


class ShareRefused(Exception):
    """A link that cannot be. Its text is a sentence for people; `field` says what is wrong with it."""

    def __init__(self, field: str | None, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True)
class Together:
    """Links were made for one moment; the sentences say of the other edits why they have none."""

    moment: datetime
    refused: list[str]


class ShareGone(Exception):
    """It has ended, was taken back, its edit waits for approval again, or there was none."""


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
    """Makes a link to the edit that lasts so many `days`, one of DAYS. The guest sees the photos before and
    after, the comment, and the sentence if `shows_prompt`. Raises Forbidden and ShareRefused."""
    now = moment or timezone.now()
    actor.require(Right.SHARE)
    if days not in DAYS:
        raise ShareRefused(
            "days",
            _("A link lasts %(days)s or %(most)s days.")
            % {"days": ", ".join(map(str, DAYS[:-1])), "most": DAYS[-1]},
        )
    if len(comment) > LONGEST_COMMENT:
        raise ShareRefused(
            "comment",
            _("Use at most %(most)s characters. There are %(count)s.")
            % {"most": LONGEST_COMMENT, "count": number(len(comment))},
        )
    seed = secrets.token_hex(16)
    with transaction.atomic():
        _require_shareable(actor, edit)
        made = Share.objects.create(
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
        audit.record(actor, Action.SHARED, subject=edit, detail={"link": made.pk, "days": days})
    return made


def share_together(actor: Actor, edits: Iterable[Edit], **choices: Any) -> Together:
    """A link of its own to each of these edits, all with the same choices, which are those of `share`. Raises
    Forbidden; and ShareRefused when none could be made."""
    actor.require(Right.SHARE)
    asked, moment, refused = list(edits), timezone.now(), []
    if len(asked) > MOST_AT_ONCE:
        sentence = _("Share at most %(most)s edits at once. There are %(count)s.")
        raise ShareRefused(None, sentence % {"most": MOST_AT_ONCE, "count": number(len(asked))})
    for edit in asked:
        try:
            share(actor, edit, moment=moment, **choices)
        except ShareRefused as error:
            refused.append(str(error))
    if len(refused) == len(asked):
        raise ShareRefused(None, refused[0] if refused else _("Select some edits first."))
    return Together(moment, list(dict.fromkeys(refused)))


def made_together(actor: Actor, moment: datetime) -> QuerySet[Share]:
    """The links that the actor's user has made in this workspace at that moment and that have not ended, with
    their edits, in the order of these."""
    found = _open().filter(made_by=actor.user, created=moment, edit__workspace=actor.workspace)
    return found.select_related("edit").prefetch_related("edit__results").order_by("-edit_id")


def revoke(actor: Actor, made: Share) -> None:
    """Ends a link at once: one's own, for who may review anybody's. Raises Forbidden. Doing it twice
    changes nothing."""
    if not may_revoke(actor, made):
        raise Forbidden(_("Only who made this link and reviewers of the team can revoke it."))
    with transaction.atomic():
        if Share.objects.filter(pk=made.pk, revoked=None).update(revoked=timezone.now()):
            audit.record(actor, Action.SHARE_REVOKED, subject=made.edit, detail={"link": made.pk})


def may_revoke(actor: Actor, made: Share) -> bool:
    return made.made_by_id == actor.user.pk or actor.has(Right.REVIEW)


def shares_of(edit: Edit) -> QuerySet[Share]:
    """The links to an edit that have not ended, the newest first; they rest while it is withheld."""
    return _open().filter(edit=edit).select_related("made_by")


def link_of(made: Share, *, site: str) -> str:
    """Its address, to copy."""
    return site + reverse("share", args=[links.share_token(made.seed)])


def find(token: str, *, attempt: str) -> Share:
    """The living link of this token, with its edit. Wrong ones are counted for `attempt`, the visitor's
    network address. Raises ShareGone and rates.TooManyAttempts."""
    living = _living().filter(digest=links.digest_of(token)).select_related("edit__workspace", "made_by")
    found = rates.found_by_guess(f"share:{attempt}", living.first, limit=WRONG_PER_MINUTE)
    if found is None:
        raise ShareGone
    return found


def find_photo(known: SharedPhoto) -> tuple[Share, ResultPhoto | ReferencePhoto] | None:
    """The photo of a guest's picture address with its link; None when the link lives no more."""
    found = _living().filter(pk=known.share_id).first()
    models: dict[str, type[ResultPhoto] | type[ReferencePhoto]] = {
        "results": ResultPhoto,
        "references": ReferencePhoto,
    }
    photos = models[known.kind]._default_manager.select_related("edit__workspace")
    photo = photos.filter(pk=known.photo_id, edit=found.edit_id).first() if found else None
    return (found, photo) if found and photo else None


def pictures_end(made: Share) -> datetime:
    """Until when the picture addresses of a page that is shown now are good."""
    return min(made.expires, timezone.now() + SEEN_FOR)


def _require_shareable(actor: Actor, edit: Edit) -> None:
    """Its row is locked, so that links are counted one at a time, and none is made beside a step of its
    review. Belongs in a transaction."""
    shown = Edit.objects.shown().filter(pk=edit.pk, workspace=actor.workspace, state=Edit.State.SUCCESS)
    fresh = shown.select_for_update(of=("self",)).select_related("workspace").first()
    if fresh is None:
        raise ShareRefused(None, _("Only a finished edit that is not in the trash can be shared."))
    if fresh.is_withheld:
        raise ShareRefused(None, _("This team shares approved edits only. Send this one to review first."))
    if shares_of(edit).count() >= MOST_LINKS:
        raise ShareRefused(
            None,
            _("There can be %(most)s links to an edit. Revoke one first.") % {"most": MOST_LINKS},
        )


def _open() -> QuerySet[Share]:
    """Those that have not ended, were not revoked, and whose makers may still share."""
    may_share = still_has(Right.SHARE, user="made_by", workspace="edit__workspace")
    return Share.objects.filter(may_share, revoked=None, expires__gt=timezone.now())


def _living() -> QuerySet[Share]:
    """Those that show something now."""
    is_let_go = Q(edit__workspace__approval_since=None) | Q(edit__review_state=Edit.ReviewState.APPROVED)
    return _open().filter(is_let_go, edit__trashed=None, edit__purged=None)
