"""Asking for credits: a member who has none left asks those who can give some."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from editor.models import CreditRequest
from editor.models.clock import database_now
from editor.services.billing import caps, credits, low_balance
from editor.services.core import rates
from editor.services.core.access import Actor, Right

SHOWN = timedelta(days=30)
REQUESTS_PER_DAY = 10  # of one user in all workspaces: each is mailed to the staff of the site


class NotNeeded(Exception):
    """There are credits enough."""

    def __init__(self) -> None:
        super().__init__(_("There are enough credits for an edit."))


class TooManyRequests(Exception):
    """Raised when a user has made REQUESTS_PER_DAY requests today."""

    def __init__(self) -> None:
        super().__init__(
            _("Your limit of requests for credits is reached for today (%(most)s). Try again tomorrow.")
            % {"most": REQUESTS_PER_DAY}
        )


def ask(actor: Actor, *, note: str = "") -> bool:
    """Asks for credits, once a day; False when the actor has asked today. Raises Forbidden, and
    NotNeeded while there are enough for an edit, and TooManyRequests."""
    actor.require(Right.EDIT)
    now = database_now()
    if credits.shortage(actor.workspace, caps.caps_of(actor, now)) is None:
        raise NotNeeded
    try:
        with transaction.atomic():
            request = CreditRequest.objects.create(
                workspace=actor.workspace, user=actor.user, note=note, day=now.date(), created=now
            )
            rates.count_today({f"credit-requests-by:{actor.user.pk}": REQUESTS_PER_DAY})
            low_balance.pass_on(request)
    except rates.DayLimitReached:
        raise TooManyRequests from None
    except IntegrityError:
        return False
    return True


def open_requests(actor: Actor) -> QuerySet[CreditRequest]:
    """Those in the actor's workspace that no grant has answered yet, the newest first."""
    recent = actor.workspace.credit_requests.filter(answered=None, created__gt=timezone.now() - SHOWN)
    return recent.select_related("user").order_by("-id")
