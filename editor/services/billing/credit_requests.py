"""Credit requests: members of a workspace without credits can ask the people who can grant them."""

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

MAX_REQUEST_AGE = timedelta(days=30)
# Maximum number of requests that one user can make per day, across all workspaces. Each request is emailed to
# the site's staff.
REQUESTS_PER_DAY = 10


class NotNeeded(Exception):
    """Raised when there are enough credits for an edit, so no request is needed."""

    def __init__(self) -> None:
        super().__init__(_("This workspace has enough credits for an edit."))


class TooManyRequests(Exception):
    """Raised when a user has already made REQUESTS_PER_DAY requests today."""

    def __init__(self) -> None:
        super().__init__(
            _("You have reached today's limit of %(most)s credit requests. Try again tomorrow.")
            % {"most": REQUESTS_PER_DAY}
        )


def request_credits(actor: Actor, *, note: str = "", price: int | None = None) -> bool:
    """Request credits. Return False if the actor has already requested credits in this workspace today.

    Raises NotNeeded if there are enough credits for an edit at this price, or by default at the lowest price
    that applies. Also raises Forbidden and TooManyRequests.
    """
    actor.require(Right.EDIT)
    now = database_now()
    if credits.shortage(actor.workspace, caps.caps_of(actor, now), price=price) is None:
        raise NotNeeded
    try:
        with transaction.atomic():
            request = CreditRequest.objects.create(
                workspace=actor.workspace, user=actor.user, note=note, day=now.date(), created=now
            )
            rates.count_today({f"credit-requests-by:{actor.user.pk}": REQUESTS_PER_DAY})
            low_balance.notify_of_request(request)
    except rates.DayLimitReached:
        raise TooManyRequests from None
    except IntegrityError:
        return False
    return True


def todays_request(actor: Actor) -> CreditRequest | None:
    """Return the request that the actor has made in their workspace today, which is the only one allowed."""
    return actor.workspace.credit_requests.filter(user=actor.user, day=database_now().date()).first()


def open_requests(actor: Actor) -> QuerySet[CreditRequest]:
    """Return the recent unanswered requests in the actor's workspace, newest first."""
    recent = actor.workspace.credit_requests.filter(
        answered=None, created__gt=timezone.now() - MAX_REQUEST_AGE
    )
    return recent.select_related("user").order_by("-id")
